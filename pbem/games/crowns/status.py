"""A view at a glance, where the game stands, and long reports made short."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.games.crowns.board import BOARD, POWERS, distance
from pbem.games.crowns.events import (
    Arrived,
    BattleFought,
    Marched,
    Quiet,
    StandsHoldings,
    StandsPower,
    StandsTurn,
    Threatened,
)
from pbem.games.crowns.state import State
from pbem.kernel.digest import Digest
from pbem.kernel.event import Event, Told
from pbem.kernel.order import Seat


def moment(state: State) -> str:
    """`t3`."""
    return f"t{min(state.turn, state.last)}"


def status(view: State, seat: Seat | None) -> Sequence[Event]:
    """The turn, every power in a line, and what is one's own."""
    lines: list[Event] = [
        StandsTurn(turn=min(view.turn, view.last), last=view.last, crown=view.crown_is_sold())
    ]
    for power, one in view.powers.items():
        lines.append(
            StandsPower(
                power=power, hand=one.hand, areas=tuple(view.held(power)), crowns=one.crowns, out=one.out
            )
        )
    for power in view.of(seat or ""):
        one = view.powers[power]
        lines.append(
            StandsHoldings(
                power=power,
                gold=one.gold,
                grain=one.grain,
                cipher=one.cipher,
                regiments=view.regiments(power),
            )
        )
    return lines


def stages(view: State, one: Seat, other: Seat) -> int:
    """A courier's way, from capital to capital."""
    return max(1, distance(BOARD.capitals[one], BOARD.capitals[other]))


def own(view: State, seat: Seat) -> Collection[str]:
    """What names may mean that others bear too: a seat's provinces and powers."""
    powers = view.of(seat)
    return {*powers, *(area for power in powers for area in view.held(power))}


def digest(view: State, seat: Seat, told: Sequence[Told]) -> Sequence[Told]:
    """Own affairs in full; of others only what they took and fought, and who did nothing at all in one line."""
    mine = set(view.of(seat))
    made = Digest(told, lambda event: mine & involved(event), brief)
    quiet = [power for power in view.played() if power not in mine and power not in made.named(involved)]
    return made.lines([Quiet(powers=tuple(quiet))] if quiet else [])


def involved(event: Event) -> set[str]:
    """The powers that an event is about."""
    names = ("power", "owner", "attacker", "defender", "payer", "payee")
    return {getattr(event, name, "") for name in names} & set(POWERS)


def brief(event: Event) -> bool:
    """Whether an event between others is told in a long report at all: their marches are not, their battles are."""
    if isinstance(event, (Marched, Threatened)):
        return False
    return isinstance(event, (Arrived, BattleFought)) or not involved(event)
