"""22.10: cards played at another's moment: who may play which, and the questions that leave nothing to be guessed.

A question of these is put whenever the card could be in the hand for all that the other side knows: it is in the
hand or in the draw pile. Whether it is asked, and how soon it is answered, says nothing (1.8).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pbem.games.nce import command
from pbem.games.nce.charts import CARDS
from pbem.games.nce.choices import Small
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent
from pbem.games.nce.orders import CombatCards
from pbem.games.nce.replies import AgainstEvasion, AgainstInterception, Choose, Done, Helped
from pbem.games.nce.standing import PolicePolicy, UsualPolicy
from pbem.games.nce.state import COALITION, EMPIRE, HIDDEN, Force, State, enemy
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.policy import Policy, as_said, usual
from pbem.kernel.problem import Params, Problem
from pbem.kernel.question import Question

Effect = dict[str, Any]

AGAINST: dict[str, tuple[str, ...]] = {
    "evasion": ("evasion_mod", "no_evasion"),
    "interception": ("interception_mod",),
}
"""What a mover may play against an enemy who tries this."""
SIEGE = tuple(card.id for card in CARDS.values() if "siege" in card.windows)


def might_hold(view: State, side: str, cards: Sequence[str]) -> bool:
    """1.8: whether one of the cards could be in a hand, as far as anyone else can tell."""
    if not view.hands[side]:
        return False
    known = {*view.played[side], *view.removed[side], *view.set_aside[side], *view.permanent[side]}
    known |= {war.card for war in view.wars}
    return any(card not in known for card in cards)


def holding_problem(view: State, side: str, card: str) -> str:
    """7.3: why a side cannot play a card at all: the enemy's, gone from the game, or not in its hand."""
    if card not in CARDS:
        return "card_not_held"
    if CARDS[card].side != side:
        return "enemys_card"
    if card in view.removed[side]:
        return "card_gone"
    return "" if card in view.hands[side] else "card_not_held"


def unheld(view: State, side: str, card: str, answer: Answer, rule: str) -> list[Problem]:
    """What is wrong with an answer that plays one certain card; nothing with one that plays none."""
    if all(isinstance(order, Done) for order in answer):
        return []
    code = holding_problem(view, side, card)
    return [Problem(code, rule, params={"card": card}, nearest=(Done(),))] if code else []


def wrong_cards(view: State, side: str, cards: Sequence[str], allowed: Sequence[str]) -> list[Problem]:
    """What is wrong with cards for a moment at which only some, and one of them, may be played."""
    for card in cards:
        code = holding_problem(view, side, card) or ("" if card in allowed else "card_not_now")
        if code:
            return [Problem(code, "7.5.1", params={"card": card}, nearest=(Done(),))]
    if len(cards) > 1:
        return [Problem("one_card_here", "7.5.1", nearest=(Done(),))]
    return []


def effect_of(
    view: State, side: str, card: str, window: str, who: str, *, own: Force, mover: Force
) -> Effect | None:
    """The effect of a card at the dice of an evasion or interception, if it may be played for this force.

    `own` is the force of the card's player, `who` whose die it changes.
    """
    record = CARDS.get(card)
    if record is None or holding_problem(view, side, card) or window not in record.windows:
        return None
    for condition in record.requires:
        if condition["cond"] == "cavalry" and not command.cavalry([own]):
            return None
        if condition["cond"] == "mover" and mover.general != condition["id"]:
            return None
    for effect in record.effect:
        if effect["op"] == "no_evasion" and who == "enemy":
            return effect
        if effect["op"] in AGAINST[window] and effect.get("who") == who:
            return effect
    return None


def help_problem(view: State, side: str, card: str, window: str, *, own: Force, mover: Force) -> str:
    """Why a card cannot help the own die of an evasion or interception; nothing where it can."""
    code = holding_problem(view, side, card)
    if code:
        return code
    if window not in CARDS[card].windows:
        return "card_not_now"
    if effect_of(view, side, card, window, "self", own=own, mover=mover) is None:
        return "event_conditions"
    return ""


def counters(side: str, window: str) -> list[str]:
    """The cards of a side against an enemy who evades or intercepts."""
    return [
        card.id
        for card in CARDS.values()
        if card.side == side
        and window in card.windows
        and any(e["op"] in AGAINST[window] and e.get("who", "enemy") == "enemy" for e in card.effect)
    ]


def siege_help(view: State, side: str, zone: str, card: str) -> int:
    """21F: what a card adds to a siege die, if it is held and the fortress is without units."""
    if holding_problem(view, side, card) or view.at(zone, enemy(side), inside=True):
        return 0
    return sum(int(effect["value"]) for effect in CARDS[card].effect if effect["op"] == "siege_mod")


class Sapping(Question[State], frozen=True, kw_only=True):
    """7.3.3: a siege die out of one's own plan, against a fortress without units: a card for it?"""

    zone: str
    orders = (Helped, Done)
    policies = (Policy(Helped, as_said), Policy(UsualPolicy, (Done(),)))
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for card in view.hands[self.seat]:
            if card != HIDDEN and siege_help(view, self.seat, self.zone, card):
                yield (Helped(card),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        order = answer[0]
        if not isinstance(order, Helped):
            return []
        return wrong_cards(view, self.seat, (order.card,), SIEGE)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"zone": self.zone, "cards": len(view.hands[self.seat])}


async def siege_card(desk: Desk, force: Force) -> int:
    """21F: at a siege die that no plan has spoken of: the free one at the end of activations, or of a landing."""
    state, side, zone = desk.state, force.side, force.zone
    mine = [card for card in SIEGE if CARDS[card].side == side]
    if desk.dry or not might_hold(state, side, mine) or state.at(zone, enemy(side), inside=True):
        return 0
    (order,) = await desk.ask(Sapping(key=desk.label("sapping", zone), seat=side, rule="7.3.3", zone=zone))
    card = order.card if isinstance(order, Helped) else ""
    value = siege_help(state, side, zone, card)
    if value:
        state.spend_card(side, card)
        desk.tell(CardSpent(side=side, card=card, use="siege", rule="7.3"))
    return value


class Chase(Question[State], frozen=True, kw_only=True):
    """10.3, 10.4: D3: the enemy tries to evade, or to intercept: a card of the mover against it."""

    window: str
    zone: str
    mover: str
    """The moving force, by its id."""
    force: str
    """The enemy's force, as a player calls it."""
    steps: int
    orders = (AgainstEvasion, AgainstInterception, Done)
    discreet = True

    def _order(self, card: str) -> Order:
        return AgainstEvasion(card) if self.window == "evasion" else AgainstInterception(card)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        own = view.forces[self.mover]
        for card in view.hands[self.seat]:
            if card != HIDDEN and effect_of(view, self.seat, card, self.window, "enemy", own=own, mover=own):
                yield (self._order(card),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        order = answer[0]
        if isinstance(order, Done):
            return []
        code, card = "", getattr(order, "card", "")
        own = view.forces[self.mover]
        if type(order) is not type(self._order(card)) or getattr(order, "force", "") not in ("", self.force):
            code = "card_not_now"
        code = code or holding_problem(view, self.seat, card)
        if not code and effect_of(view, self.seat, card, self.window, "enemy", own=own, mover=own) is None:
            code = "event_conditions" if card in counters(self.seat, self.window) else "card_not_now"
        return [Problem(code, "7.3.3", params={"card": card}, nearest=(Done(),))] if code else []

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {
            "what": self.window,
            "zone": self.zone,
            "force": self.force,
            "enemy_steps": self.steps,
            "cards": len(view.hands[self.seat]),
        }

    def _against(self, view: State, standing: AgainstEvasion | AgainstInterception) -> Answer | None:
        meant = standing.force in ("", self.force) and type(standing) is type(self._order(""))
        return (self._order(standing.card),) if meant else None

    policies = (
        Policy(AgainstEvasion, _against),
        Policy(AgainstInterception, _against),
        Policy(UsualPolicy, (Done(),)),
    )


class Choice(Small, frozen=True, kw_only=True):
    """7.3, 4.4.5: an event leaves a choice to the owner of the pieces that it touches."""

    card: str
    what: str
    """`restore` units, or `replace` a general."""
    number: int
    choices: tuple[str, ...]
    """All that may be chosen."""
    usual: tuple[str, ...] = ()
    """What silence chooses; nobody where a general need not be replaced."""
    orders = (Choose, Done)

    def _wanted(self) -> int:
        return min(self.number, len(self.choices))

    def legal(self, view: State) -> Iterator[Answer]:
        yield self.default(view)
        if self.what == "replace":
            yield (Done(),)
        for start in range(1, len(self.choices) - self._wanted() + 1):
            yield (Choose(self.choices[start : start + self._wanted()]),)

    def default(self, view: State) -> Answer:
        return (Choose(self.usual),) if self.usual else (Done(),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        order = answer[0]
        nearest = self.default(view)
        if not isinstance(order, Choose):
            return [] if self.what == "replace" else [Problem("must_choose", "7.3", nearest=nearest)]
        chosen = set(order.pieces)
        if len(chosen) != self._wanted() or not chosen <= set(self.choices):
            params: Params = {
                "number": self._wanted(),
                "pieces": self.choices,
            }
            return [Problem("choose_among", "7.3", params=params, nearest=nearest)]
        return []

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"card": self.card, "what": self.what}


class OneCard(Question[State], frozen=True, kw_only=True):
    """7.5.1: a moment at which one certain card may be played, or none."""

    the_card: ClassVar[str] = ""
    orders = (CombatCards, Done)
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        if self.the_card in view.hands[self.seat]:
            yield (CombatCards((self.the_card,)),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        order = answer[0]
        named = order.cards if isinstance(order, CombatCards) else ()
        return wrong_cards(view, self.seat, named, (self.the_card,))


class Police(OneCard, frozen=True, kw_only=True):
    """D21: a Coalition diplomatic action on an ally of France is announced."""

    country: str
    the_card = "55F"

    def _watches(self, view: State, order: PolicePolicy) -> bool:
        return order.country in ("", self.country)

    policies = (
        Policy(PolicePolicy, (CombatCards(("55F",)),), given=_watches),
        Policy(UsualPolicy, usual),
    )

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"country": self.country, "cards": len(view.hands[self.seat])}


async def police(desk: Desk, side: str, country: str) -> int:
    """D21: 55F against a Coalition action on a French ally: asked alike with and without the card."""
    state = desk.state
    if desk.dry or side != COALITION or state.status[country] != "ally_france":
        return 0
    if not might_hold(state, EMPIRE, ("55F",)):
        return 0
    answer = await desk.ask(
        Police(key=desk.label("police", country), seat=EMPIRE, rule="7.3", country=country)
    )
    first = answer[0]
    if not isinstance(first, CombatCards) or "55F" not in state.hands[EMPIRE]:
        return 0
    state.spend_card(EMPIRE, "55F")
    desk.tell(CardSpent(side=EMPIRE, card="55F", use="police", rule="7.3"))
    return int(CARDS["55F"].effect[0]["value"])
