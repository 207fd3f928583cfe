"""10C: Nelson's squadron rolls again after both have rolled; what the battle costs afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.nce.cards.reaction_cards import OneCard, might_hold
from pbem.games.nce.charts import FLEETS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardRemoved, CardSpent
from pbem.games.nce.events_field import AdmiralTested, FleetGone
from pbem.games.nce.orders import CombatCards
from pbem.games.nce.replies import Done
from pbem.games.nce.standing import CardPolicy, UsualPolicy
from pbem.games.nce.state import COALITION, EMPIRE, OUT, State
from pbem.kernel.order import Fact
from pbem.kernel.policy import Policy

CARD, FLEET = "10C", "nelson"
FALLS, LOST = 5, 5


class Reroll(OneCard, frozen=True, kw_only=True):
    """7.5.1: both have rolled, and Nelson is there: does his squadron roll again?"""

    place: str
    difference: int
    """By how much the Coalition is ahead; negative where it is behind."""
    the_card = CARD

    def _behind(self, view: State, order: CardPolicy) -> bool:
        return CARD in order.cards and self.difference <= 0

    policies = (
        Policy(CardPolicy, (CombatCards((CARD,)),), given=_behind),
        Policy(UsualPolicy, (Done(),)),
    )

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"difference": self.difference, "cards": len(view.hands[self.seat])}


async def rolls_again(
    desk: Desk, place: str, fleets: Sequence[str], difference: int, *, written: bool
) -> tuple[str, tuple[int, ...]]:
    """10C: the label and the new dice of the Coalition's squadron; none where it keeps its own.

    A plan that names the card has it played unless the squadron is already winning.
    """
    state = desk.state
    if FLEET not in fleets or not might_hold(state, COALITION, (CARD,)):
        return "", ()
    wanted = difference <= 0
    if not written:
        (order,) = await desk.ask(
            Reroll(
                key=desk.label("nelson", place, "roll"),
                seat=COALITION,
                rule="7.5",
                place=place,
                difference=difference,
            )
        )
        wanted = isinstance(order, CombatCards)
    if not wanted or CARD not in state.hands[COALITION]:
        return "", ()
    state.spend_card(COALITION, CARD)
    desk.tell(CardSpent(side=COALITION, card=CARD, use="naval", rule="7.5"))
    return desk.roll("naval", place, "nelson", rule="7.5", seat=COALITION, dice=len(fleets))


def afterwards(desk: Desk, place: str, sunk: Sequence[str]) -> None:
    """10C: with one more for each enemy fleet destroyed, five removes Nelson and his card; on a five each French
    fleet is lost for good (52F alone brings it back).
    """
    state = desk.state
    label, (die,) = desk.roll("nelson", place, rule="15.10.7", seat=COALITION)
    total = die + len(sunk)
    gone = total >= FALLS
    desk.tell(AdmiralTested(fleet=FLEET, die=die, total=total, gone=gone, draws=(label,), rule="15.10.7"))
    if gone:
        state.fleets[FLEET] = OUT
        state.played[COALITION].remove(CARD)
        state.removed[COALITION].append(CARD)
        desk.tell(CardRemoved(side=COALITION, card=CARD, rule="7.2.2"))
    for fleet in sunk:
        if FLEETS[fleet].power == "france":
            label, (die,) = desk.roll("lost-for-good", fleet, place, rule="15.10.7", seat=EMPIRE)
            if die >= LOST:
                state.fleets[fleet] = OUT
            desk.tell(FleetGone(fleet=fleet, die=die, gone=die >= LOST, draws=(label,), rule="15.10.7"))
