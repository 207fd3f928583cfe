"""21: the decision points of reactions: interception, response, attrition out of turn, fleets.

All see only the seat's view. They are asked alike whether or not a card is held (1.8).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pbem.games.nce import board, command
from pbem.games.nce.cards.hands import card_value
from pbem.games.nce.cards.reaction_cards import help_problem, holding_problem, might_hold
from pbem.games.nce.charts import CARDS, COUNTRIES, GENERALS, UNITS, ZONES
from pbem.games.nce.land import iberia
from pbem.games.nce.land.attrition import DEPOT, cancels, depot_counts
from pbem.games.nce.land.tempo import now
from pbem.games.nce.orders import LossOrder
from pbem.games.nce.replies import (
    CounterMarch,
    Done,
    Evade,
    Intercept,
    IntoFortress,
    LetPass,
    SpendOn,
    Stand,
)
from pbem.games.nce.standing import (
    EvadePolicy,
    FortressPolicy,
    HoldPolicy,
    InterceptPolicy,
    PassPolicy,
    TestPolicy,
)
from pbem.games.nce.state import HIDDEN, PEACE, Force, State, enemy
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.policy import Policy, first_fit
from pbem.kernel.problem import Params, Problem
from pbem.kernel.question import Question

SUCCESS = 5
"""10.3.3, 10.4.3: what the die of an interception or an evasion has to come to."""


def in_window(view: State, side: str, window: str) -> list[str]:
    """22.10: the cards of a hand that may be played at a moment."""
    return [c for c in view.hands[side] if c != HIDDEN and window in CARDS[c].windows]


def interceptors(view: State, side: str, zone: str, mover: str = "") -> list[Force]:
    """10.3.1, 10.3.7, 10.3.9, 13.3.3: forces under a general beside a zone that could move in; not those whom the
    mover has just besieged.
    """
    moving = view.force_with(mover) if mover else None
    return [
        force
        for force in view.of(side)
        if force.general
        and not force.demoralised
        and not force.inside
        and not (moving is not None and force.freed == freed_by(view, moving))
        and not view.at(force.zone, enemy(side))
        and could_enter(view, force, zone)
    ]


def freed_by(view: State, mover: Force) -> str:
    """13.3.3: how a force remembers a besieger that leaves it now."""
    return f"{now(view)}/{mover.id}"


def could_enter(view: State, force: Force, zone: str) -> bool:
    """10.3.9, 10.1.3, 10.1.5, 10.1.7, 2.1.6: whether one move could take a force into a zone beside it."""
    here = force.zone
    if not board.crossing(here, zone) or board.step_cost(here, zone) > force.movement:
        return False
    if not may_stand(view, zone, force.side) or strait_closed(view, here, zone, force.side):
        return False
    return not command.stuck_at_home(view, force, zone) and not iberia.problem(view, force, zone)


def initiative(force: Force) -> int:
    """10.3.8: a force without general is slower than any."""
    return GENERALS[force.general].initiative if force.general else 9


def quicker(force: Force, other: Force) -> int:
    """10.3.3, 10.4.3: one more for the better initiative of its commander."""
    return int(initiative(force) < initiative(other))


def superiority(view: State, forces: Sequence[Force], others: Sequence[Force]) -> int:
    """10.5: one more where it has more counters with a C; nobody has it in the rain (54C)."""
    return int(not view.rain and command.cavalry(forces) > command.cavalry(others))


def open_for_evasion(view: State, force: Force, came: str) -> list[str]:
    """10.4.4, 10.4.7: zones to evade to; those where friends cannot take all of the force in come last."""
    side = force.side
    found = []
    for zone in board.neighbours(force.zone):
        if zone == came or view.at(zone, enemy(side)) or view.hostile_fortress(zone, side):
            continue
        if not may_stand(view, zone, side) or strait_closed(view, force.zone, zone, side):
            continue
        if not command.stuck_at_home(view, force, zone) and not iberia.problem(view, force, zone):
            found.append(zone)

    def crowded(zone: str) -> bool:
        friends = view.at(zone, side)
        return len(friends) > 1 or any(
            command.may_join(f, force)[0] not in ("", "two_armies") for f in friends
        )

    return sorted(found, key=lambda zone: (crowded(zone), zone))


def may_stand(view: State, zone: str, side: str) -> bool:
    """10.1.5, 9.1.1, 9.1.3: neither neutral ground nor a beaten country of the other's."""
    home = view.home_side(zone)
    if home == "neutral":
        return False
    if home == "peace":
        peace = view.peace.get(view.patron(view.owner_of(zone)))
        return side == (peace.by if peace else "empire")
    return True


def may_remain(view: State, force: Force) -> bool:
    """Whether a force at war may stay where it is: beside open ground, 17.8: revolts on the soil that they rise
    against, neutral or beaten; 17.6: both sides in Espagne while it rises.
    """
    if may_stand(view, force.zone, force.side):
        return True
    if any(COUNTRIES[UNITS[unit].power].kind == "revolt" for unit in force.units):
        return True
    owner = view.owner_of(force.zone)
    return owner == "espagne" and view.side_of(owner) == PEACE and bool(view.flag("war_of_liberation"))


def strait_closed(view: State, here: str, there: str, side: str) -> bool:
    """10.1.3: a strait with an enemy fleet at sea."""
    if board.crossing(here, there) != "strait":
        return False
    sea = ZONES[here].strait_sea.get(there, "")
    return bool(sea and view.fleets_at(f"sea:{sea}", enemy(side)))


def concerns(name: str, forces: Sequence[Force]) -> bool:
    """Whether a standing order that names a general or a unit, or nobody, is for one of these forces."""
    return not name or any(name in force.generals or name in force.units for force in forces)


class Interception(Question[State], frozen=True, kw_only=True):
    """10.3: D1: an enemy force enters a zone beside mine."""

    zone: str
    mover: str
    steps: int
    orders = (Intercept, LetPass)
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        yield (LetPass(),)
        for force in interceptors(view, self.seat, self.zone, self.mover):
            for card in view.hands[self.seat]:
                if card != HIDDEN and card_value(view, self.seat, card) >= GENERALS[force.general].initiative:
                    yield (Intercept(force.general, card),)

    def hides(self, view: State) -> bool:
        return bool(view.hands[self.seat])

    def check(self, view: State, answer: Answer) -> list[Problem]:
        order = answer[0]
        if not isinstance(order, Intercept):
            return []
        nearest: Answer = (LetPass(),)
        able = {force.general: force for force in interceptors(view, self.seat, self.zone, self.mover)}
        if order.force not in able:
            names = tuple(able)
            return [Problem("cannot_intercept", "10.3.1", params={"forces": names}, nearest=nearest)]
        code = holding_problem(view, self.seat, order.card)
        nearest = self._cheapest(view, able[order.force]) or nearest
        if code:
            return [Problem(code, "10.3.2", params={"card": order.card}, nearest=nearest)]
        force, also = able[order.force], able.get(order.also)
        if order.also and not (
            also and also is not force and also.army and force.army and also.zone == force.zone
        ):
            alone = (Intercept(order.force, order.card, order.help, order.stay),)
            return [Problem("no_army_beside", "10.3.1", params={"force": order.force}, nearest=alone)]
        if card_value(view, self.seat, order.card) < initiative(
            command.lead([force, also] if also else [force])
        ):
            return [Problem("card_too_low", "10.3.2", params={"card": order.card}, nearest=nearest)]
        code = self._unhelped(view, force, order)
        if code:
            plain = (Intercept(order.force, order.card, stay=order.stay),)
            return [Problem(code, "7.3.3", params={"card": order.help}, nearest=plain)]
        if order.stay and command.split_problem(force, order.stay)[0]:
            return [Problem("cannot_stay", "10.3.4", nearest=(Intercept(order.force, order.card),))]
        return []

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {
            "zone": self.zone,
            "mover": self.mover,
            "enemy_steps": self.steps,
            "cards": len(view.hands[self.seat]),
        }

    def _intercept(self, view: State, standing: InterceptPolicy) -> Answer | None:
        """With the cheapest card that is dear enough, and with the other where it helps."""
        if not 0 < self.steps <= standing.steps:
            return None
        beside = interceptors(view, self.seat, self.zone, self.mover)
        able = [force for force in beside if force.general == standing.force]
        need = GENERALS[standing.force].initiative if standing.force in GENERALS else 9
        values = {card: card_value(view, self.seat, card) for card in view.hands[self.seat] if card != HIDDEN}
        cards = [card for card, value in values.items() if need <= value <= standing.value]
        if not able or not cards:
            return None
        cheapest = min(cards, key=lambda card: (CARDS[card].value, card))
        order = Intercept(standing.force, cheapest, standing.help)
        return (Intercept(standing.force, cheapest) if self._unhelped(view, able[0], order) else order,)

    policies = (Policy(InterceptPolicy, _intercept), Policy(PassPolicy, (LetPass(),)))

    def _cheapest(self, view: State, force: Force) -> Answer:
        """10.3.2: the interception with the cheapest card that is dear enough; nothing where none is held."""
        need = GENERALS[force.general].initiative
        values = {card: card_value(view, self.seat, card) for card in view.hands[self.seat] if card != HIDDEN}
        fit = sorted((value, card) for card, value in values.items() if value >= need)
        return (Intercept(force.general, fit[0][1]),) if fit else ()

    def _unhelped(self, view: State, force: Force, order: Intercept) -> str:
        """Why the second card of an interception cannot help its die."""
        mover = view.force_with(self.mover)
        if not order.help or mover is None:
            return ""
        if order.help == order.card:
            return "card_twice"
        return help_problem(view, self.seat, order.help, "interception", own=force, mover=mover)


class Response(Question[State], frozen=True, kw_only=True):
    """10.4.1, 10.4.6, 13.1.2: D2: an enemy force enters my zone."""

    force: str
    zone: str
    came: str
    mover: str
    steps: int
    caught: bool = False
    """6F: caught in march column: it may not evade, unless demoralised."""
    most_orders = 2
    orders = (Stand, IntoFortress, Evade)

    def _force(self, view: State) -> Force:
        return view.forces[self.force]

    def _fortress(self, view: State) -> bool:
        return (
            bool(view.fortress(self.zone))
            and view.controller(self.zone) == self.seat
            and self.zone not in view.siege
        )

    def _may_evade(self, view: State) -> bool:
        force = self._force(view)
        if self.caught and not force.demoralised:
            return False
        return bool(force.general or force.demoralised) and bool(open_for_evasion(view, force, self.came))

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Stand(),)
        if self._fortress(view):
            yield (IntoFortress(),)
        if self._may_evade(view):
            for zone in open_for_evasion(view, self._force(view), self.came):
                yield (Evade((zone,)),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        force, nearest = self._force(view), (Stand(),)
        for order in answer:
            if isinstance(order, IntoFortress) and not self._fortress(view):
                return [Problem("no_fortress_here", "10.4.2", params={"zone": self.zone}, nearest=nearest)]
            split = isinstance(order, IntoFortress) and order.units
            if split and command.split_problem(force, split)[0]:
                return [Problem("cannot_split", "10.4.6", nearest=(IntoFortress(),))]
            if isinstance(order, Evade):
                ways = open_for_evasion(view, force, self.came)
                if self.caught and not force.demoralised:
                    names: Params = {"force": force.name}
                    return [Problem("caught_in_column", "7.3", params=names, nearest=nearest)]
                if not self._may_evade(view):
                    return [Problem("cannot_evade", "10.4.1", params={"force": force.name}, nearest=nearest)]
                if order.zones and not set(order.zones) & set(ways):
                    params: Params = {"zones": tuple(ways)}
                    return [
                        Problem("cannot_evade_there", "10.4.4", params=params, nearest=(Evade((ways[0],)),))
                    ]
                code = self._unhelped(view, order.help)
                if code:
                    plain = (Evade(order.zones),)
                    return [Problem(code, "7.3.3", params={"card": order.help}, nearest=plain)]
        if len(answer) == 2 and not (isinstance(answer[0], IntoFortress) and answer[0].units):
            return [Problem("one_response", "10.4", nearest=nearest)]
        return []

    def _unhelped(self, view: State, card: str) -> str:
        """Why a card cannot help the die of an evasion."""
        mover = view.force_with(self.mover)
        if not card or mover is None:
            return ""
        return help_problem(view, self.seat, card, "evasion", own=self._force(view), mover=mover)

    def facts(self, view: State) -> Mapping[str, Fact]:
        force = self._force(view)
        return {
            "zone": self.zone,
            "mover": self.mover,
            "force": force.name,
            "enemy_steps": self.steps,
            "steps": force.strength,
            "fortress": self._fortress(view),
        }

    def concerns(self, view: State, standing: Order) -> bool:
        return concerns(getattr(standing, "force", ""), [self._force(view)])

    def _evade(self, view: State, standing: EvadePolicy) -> Answer | None:
        ways = open_for_evasion(view, self._force(view), self.came)
        wanted = first_fit(standing.zones, ways) or next(iter(ways), "")
        if wanted and self._may_evade(view):
            return (Evade((wanted,), "" if self._unhelped(view, standing.help) else standing.help),)
        return (IntoFortress(),)

    policies = (
        Policy(EvadePolicy, _evade, at_least={"steps": "enemy_steps"}),
        Policy(FortressPolicy, (IntoFortress(),), at_least={"steps": "enemy_steps"}),
        Policy(HoldPolicy, (Stand(),)),
    )


def countermarchers(
    view: State, side: str, zone: str, role: str, mine: Collection[str] | None = None
) -> list[Force]:
    """12.2.1, 12.2.2, 12.11.2, 10.3.5: forces under a general that may march to the guns: from next door, or who
    stand by in the zone while others fight there.
    """
    del role
    near = [
        force
        for force in interceptors(view, side, zone)
        if board.crossing(force.zone, zone) not in ("mountain", "strait")
    ]
    if mine is None:
        return near
    here = [force for force in view.at(zone, side) if force.id not in mine]
    return near + [force for force in here if force.general and not force.demoralised]


def marchers(view: State, side: str, zone: str, mine: Collection[str] | None = None) -> dict[str, Force]:
    """12.2.1: the generals who may march to the guns, subordinates of an army on their own among them."""
    able = countermarchers(view, side, zone, "", mine)
    return {general: force for force in able for general in force.generals}


def stays_behind(force: Force, general: str, units: Collection[str]) -> list[str]:
    """12.2.1: the pieces that stay where a general marches with some units only; under a subordinate where need be."""
    rest = [unit for unit in force.units if unit not in units]
    free = [sub for sub in force.subs if sub not in units and sub != general]
    return [*(free[:1] if len(rest) > 1 else []), *rest]


def march_problem(
    view: State, side: str, zone: str, mine: Collection[str] | None, order: CounterMarch
) -> tuple[str, str, Params] | None:
    """12.2.1: why generals cannot march to the guns as an order says."""
    able = marchers(view, side, zone, mine)
    if not set(order.forces) <= set(able):
        return "cannot_countermarch", "12.2.1", {"forces": tuple(able)}
    if len({able[general].id for general in order.forces}) < len(order.forces):
        return "name_his_units", "12.2.1", {"force": order.forces[-1]}
    held = {unit for general in order.forces for unit in able[general].units}
    for general in order.forces:
        force = able[general]
        units = [unit for unit in order.units if unit in force.units]
        if general in force.subs and command.split_problem(force, [general, *units])[0]:
            return "name_his_units", "12.2.1", {"force": general}
        stays = stays_behind(force, general, order.units) if units else []
        if general == force.general and stays and command.split_problem(force, stays)[0]:
            return "cannot_stay", "12.2.1", {"force": general}
    if not {piece for piece in order.units if piece in UNITS} <= held:
        return "not_with_force", "12.2.1", {"force": order.forces[0]}
    return None


class Test(Question[State], frozen=True, kw_only=True):
    """11.4, 11.6.5: D6: an attrition test out of one's own activation: a depot, a card, or neither; and which steps
    are lost first.
    """

    __test__ = False
    force: str
    most_orders = 2
    orders = (SpendOn, LossOrder, Done)
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        if depot_counts(view, view.forces[self.force]):
            yield (SpendOn(DEPOT),)
        force = view.forces[self.force]
        for card in in_window(view, self.seat, "attrition"):
            if cancels(view, force, card):
                yield (SpendOn(card),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        rest = tuple(order for order in answer if not isinstance(order, LossOrder))
        if len(rest) > 1 or len(answer) - len(rest) > 1:
            return [Problem("one_response", "11.4", nearest=(Done(),))]
        order = rest[0] if rest else Done()
        if isinstance(order, SpendOn) and order.what in CARDS:
            code = holding_problem(view, self.seat, order.what)
            if not code and not cancels(view, view.forces[self.force], order.what):
                code = "event_conditions"
            if code:
                return [Problem(code, "7.3.3", params={"card": order.what}, nearest=(Done(),))]
        return super().check(view, (order,))

    def hides(self, view: State) -> bool:
        force = view.forces[self.force]
        french = bool(force.general) and GENERALS[force.general].power == "france"
        return french and might_hold(view, self.seat, ("32F",))

    def concerns(self, view: State, standing: Order) -> bool:
        return concerns(getattr(standing, "force", ""), [view.forces[self.force]])

    def follow(self, view: State, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        """Depot or card by one standing order, the steps by another."""
        given = super().follow(view, [order for order in standing if not isinstance(order, LossOrder)])
        losses = [o for o in standing if isinstance(o, LossOrder) and self.concerns(view, o)]
        if given is None or not losses or any(isinstance(order, LossOrder) for order in given[0]):
            return given
        return (*given[0], LossOrder(losses[0].pieces)), given[1]

    def _spend(self, view: State, standing: TestPolicy) -> Answer:
        wanted: Answer = (SpendOn(standing.what),)
        return wanted if any(answer == wanted for answer in self.legal(view)) else (Done(),)

    policies = (Policy(TestPolicy, _spend), Policy(LossOrder, lambda self, view, order: None))
