"""15.4 to 15.10: what CHECK foresees at sea: interception, evasion, battles of fleets, and the guns of a port.

Exact, from the same tables as play, and from what the asker may know: in the fog (1.9) the backs of enemy fleets
are not seen, and a battle has a lowest and a highest chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from pbem.games.nce import charts, fog, luck
from pbem.games.nce.charts import FLEETS
from pbem.games.nce.events_views import (
    ForecastGuns,
    ForecastNavalBattle,
    ForecastNavalEvasion,
    ForecastNavalInterception,
)
from pbem.games.nce.sea.admiralty import SUCCESS
from pbem.games.nce.state import State

if TYPE_CHECKING:
    from pbem.games.nce.sea.naval import Voyage


class Duel(msgspec.Struct, frozen=True):
    """The chances of a battle of fleets: who wins, that all enemies sink, mean losses of both."""

    win: float
    lose: float
    clear: float
    sunk: float
    lost: float


def percent(squadron: Sequence[str]) -> int:
    """15.4.2, 15.5.1: the chance that a die and the best initiative come to six."""
    value = max(FLEETS[fleet].initiative for fleet in squadron)
    return luck.percent(SUCCESS, value)


@cache
def duel(mine: int, theirs: int, value: int, guns: int = 0, *, one_round: bool = False) -> Duel:
    """15.10.2, 15.10.3, 15.10.6: so many fleets against so many, with a difference of tactical values.

    Equal rolls are rolled again, unless one round is all.
    """
    win = lose = clear = sunk = lost = 0.0
    for total, chance in luck.sums(mine).items():
        for other, as_likely in luck.sums(theirs + guns).items():
            difference, weight = total - other + value, chance * as_likely
            if difference > 0:
                hits = charts.naval_losses(difference, theirs, 1 if guns else 0)
                win, sunk = win + weight, sunk + weight * hits
                clear += weight * (hits == theirs)
            elif difference < 0:
                lose, lost = lose + weight, lost + weight * charts.naval_losses(-difference, mine)
    whole = 1.0 if one_round else win + lose
    return Duel(*(figure / whole for figure in (win, lose, clear, sunk, lost)))


def tactical(state: State, fleets: Sequence[str], seat: str) -> tuple[int, int]:
    """1.9: the least and the most that the tactical values of fleets come to, as a seat may know."""
    unseen: dict[str, list[str]] = {}
    known = 0
    for fleet in fleets:
        if fog.shown(state, (fleet,), seat) == (fleet,):
            known += FLEETS[fleet].tactical
        else:
            unseen.setdefault(fog.front(fleet), []).append(fleet)
    least = most = known
    for face, some in unseen.items():
        alike = sorted(f.tactical for f in FLEETS.values() if fog.front(f.id) == face)
        least += sum(alike[: len(some)])
        most += sum(alike[-len(some) :])
    return least, most


def _duels(voyage: Voyage, foes: Sequence[str], guns: int = 0, *, one_round: bool = False) -> list[Duel]:
    """The worst case and the best."""
    own = sum(FLEETS[fleet].tactical for fleet in voyage.fleets)
    least, most = tactical(voyage.state, foes, voyage.side)
    return [
        duel(len(voyage.fleets), len(foes), own - value, guns, one_round=one_round) for value in (most, least)
    ]


def battle(voyage: Voyage, foes: Sequence[str], place: str, how: str, guns: int = 0) -> None:
    """15.10: `how` is sea, out (through a blockade), sortie (against one) or port."""
    worst, best = _duels(voyage, foes, guns, one_round=how == "port")
    voyage.desk.note(
        ForecastNavalBattle(
            place=place,
            how=how,
            foes=fog.shown(voyage.state, foes, voyage.side),
            low=round(100 * worst.win),
            high=round(100 * best.win),
            lose=round(100 * worst.lose),
            clear=round(100 * worst.clear),
            lost=round(10 * worst.lost),
            sunk=round(10 * worst.sunk),
            guns=guns,
            rule="15.10.6" if how == "port" else "15.10",
        )
    )


def interception(voyage: Voyage, sea: str, at_sea: Sequence[str], boxes: dict[str, list[str]]) -> None:
    """15.4.1, 15.4.2: each squadron that might, and the battle that would follow."""
    for port, squadron in {"": list(at_sea), **boxes}.items():
        if not squadron:
            continue
        worst, best = _duels(voyage, squadron)
        voyage.desk.note(
            ForecastNavalInterception(
                foes=fog.shown(voyage.state, squadron, voyage.side),
                sea=sea,
                port=port,
                chance=percent(squadron),
                low=round(100 * worst.win),
                high=round(100 * best.win),
                rule="15.4.2",
            )
        )


def evasion(voyage: Voyage, sea: str, squadron: Sequence[str]) -> None:
    """15.5.1: a squadron that is attacked at sea and has where to go."""
    seen = fog.shown(voyage.state, squadron, voyage.side)
    voyage.desk.note(
        ForecastNavalEvasion(foes=seen, sea=sea, chance=percent(squadron), rule="15.5.1"),
    )


def guns(voyage: Voyage, port: str) -> None:
    """15.8.2: a fortress without fleets fires on the landing; equal rolls are rolled again."""
    value = sum(FLEETS[fleet].tactical for fleet in voyage.fleets)
    chances = duel(len(voyage.fleets), 0, value, voyage.state.fortress(port))
    voyage.desk.note(ForecastGuns(zone=port, chance=round(100 * chances.win), rule="15.8.2"))
