"""How a battle stands, at a glance, and how it ended."""

from __future__ import annotations

from pbem.games.ccn.events import HandHeld, LastCards, Score
from pbem.games.ccn.state import SEATS, State
from pbem.kernel.event import Event
from pbem.kernel.rules import Outcome


def outcome(state: State) -> Outcome | None:
    """2.9: the winner and the banners of both sides."""
    if not state.winner:
        return None
    return Outcome((state.winner,), {seat: state.banners(seat) for seat in SEATS})


def moment(state: State) -> str:
    """The turn, for a subject line."""
    return f"t{state.turn}"


def status(view: State, seat: str | None) -> list[Event]:
    """Banners, hands and units of both sides; one's own cards."""
    found: list[Event] = [
        Score(
            seat=side,
            banners=view.banners(side),
            goal=view.goal,
            hand=len(view.hands[side]),
            units=len(list(view.army(side))),
            squares=len(view.tracks[side]),
            leaders=len(list(view.staff(side))),
            rule="2.8",
        )
        for side in SEATS
    ]
    found += [LastCards(seat=side, card=view.last[side].card) for side in SEATS if side in view.last]
    if seat in SEATS:
        cards = tuple(item.card for item in view.hands[seat])
        track = tuple(view.tracks[seat][number].card for number in sorted(view.tracks[seat]))
        found.append(HandHeld(seat=seat, cards=cards, track=track, rule="1.10"))
    return found
