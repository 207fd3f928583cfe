"""8: a side's action of a round, as its plan says: an action, then activations with their steps.

Steps are carried out in order, an IF is decided when its turn comes, and a step that
cannot be done any more ends its activation, not the plan.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.games.nce import hundred_days
from pbem.games.nce.cards import hands, reaction_cards
from pbem.games.nce.cards import interpreter as cards
from pbem.games.nce.cards.kept import at_its_moment, moments, named_cards
from pbem.games.nce.cards.reaction_cards import police
from pbem.games.nce.charts import CARDS, GENERALS, UNITS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardPlayed, CardSpent, Passed, PointsKept
from pbem.games.nce.events_powers import ForeignWarTested
from pbem.games.nce.fight import check_plan
from pbem.games.nce.land import concert, vigil
from pbem.games.nce.land.activation import begin, instead
from pbem.games.nce.land.march import PREPARED, March
from pbem.games.nce.land.tempo import Grant
from pbem.games.nce.orders import (
    ACTIONS,
    NAVAL,
    STEPS,
    Activate,
    AtOnce,
    CombatCards,
    EndWar,
    Hunt,
    Negotiate,
    NoCard,
    PassTurn,
    PickUp,
    Play,
    PlayEvent,
    Protect,
    Sail,
    SpendDepot,
    Take,
)
from pbem.games.nce.powers import diplomacy
from pbem.games.nce.replies import (
    AgainstEvasion,
    AgainstInterception,
    CounterMarch,
    Helped,
    OnEntry,
    SpendOn,
)
from pbem.games.nce.sea import exodus
from pbem.games.nce.sea.naval import Voyage, check_walcheren, corsairs, in_port, together
from pbem.games.nce.state import COALITION, EMPIRE, WAIT, Force, State, War
from pbem.kernel.order import Answer, Fact, If, Order
from pbem.kernel.plan import Plan, Refused, Step

WAITING_FACTS: dict[str, Fact] = {
    "taken": False,
    "siege": "none",
    "won": False,
    "points": 0,
    "steps": 0,
    "zone": "",
    "depots": 0,
}
ASIDE_ORDERS = (*PREPARED, AgainstEvasion, AgainstInterception, OnEntry, Helped, SpendDepot, AtOnce, SpendOn)
UNITS_OF_PLAN = (Activate, Sail, Hunt)
"""What begins a unit of the plan: a step that fails ends the unit that it belongs to."""
FIRST = "activated"
"""18: noted when the Empire has made its first activation."""
PROTECTING = 2
"""9.1.5: the value of a card that makes a protectorate."""
LANDING = 2
"""15.8.1: steps that land in an assault, unless by event."""


def card_points(state: State, side: str, card: str) -> int:
    """7.2.3: a card's activation points, with the Grand Coalition."""
    return hands.card_value(state, side, card)


class RoundPlan:
    """The plan of a round being carried out, or rehearsed."""

    def __init__(self, desk: Desk, side: str, orders: Answer) -> None:
        self.desk, self.side = desk, side
        self.plan = Plan(enumerate(orders), UNITS_OF_PLAN)
        self.points = self.given = 0
        """The activation points that are left of the action, and those that it gave."""
        self.top_up = True
        self.grants: list[Grant] = []
        self.naval, self.assaults, self.landing = "", 0, 0
        self.sailed: set[str] = set()
        self.bridged = False
        self.current: March | Voyage | None = None
        self.concert: concert.Concert | None = None
        self.failed = False

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    async def run(self) -> None:
        """8.1.1, 8.3.4: the action, then the activations; what is left goes to the reserve (8.2.1)."""
        number, action = self.plan.take() if self.plan else (0, NoCard())
        self.plan.done = NoCard()
        if not isinstance(action, ACTIONS):
            self._fail(number, action, Refused("action_first", "8.1", nearest=(NoCard(),)))
            return
        try:
            acts = await self._action(action)
            self.given = self.points
        except Refused as refused:
            self._fail(number, action, refused)
            return
        if (
            self.desk.dry
            and isinstance(action, PlayEvent)
            and cards.only_activates(action.card, action.option)
            and not self.plan
        ):
            self._fail(
                number, action, Refused("nobody_activated", "7.3", (Play(action.card),), card=action.card)
            )
        if not acts and self.plan:
            self._fail(*self.plan.steps[0], Refused("nothing_after", "8.1"))
            return
        await self._activations()
        if acts and not self.failed:
            self._keep()

    async def granted(self, steps: Sequence[Step], grants: Sequence[Grant]) -> None:
        """22.9: activations that an event gives outside the rounds."""
        self.plan, self.grants, self.top_up = Plan(steps, UNITS_OF_PLAN), list(grants), False
        self.plan.done = NoCard()
        await self._activations()

    def _fail(self, number: int, order: Order, refused: Refused) -> None:
        """In a rehearsal a problem at its order; in play the order fails and its activation ends."""
        refused.problem = self.desk.covered(refused.problem)
        self.desk.fail(self.side, self.plan, number, order, refused)
        self.failed = self.desk.dry

    async def _action(self, action: Order) -> bool:
        """8.1.2, 8.1.6, 8.1.8: what is done; true where activations may follow."""
        state = self.state
        if isinstance(action, PassTurn):
            self.desk.tell(Passed(side=self.side, rule="8.1.6"))
            return False
        if isinstance(action, NoCard):
            self.points = 1
            return True
        self._duty(action)
        if isinstance(action, Play):
            self._held(action.card)
            self.points = card_points(state, self.side, action.card)
            state.spend_card(self.side, action.card)
            self.desk.tell(CardPlayed(side=self.side, card=action.card, points=self.points, rule="8.1.1"))
            return True
        if isinstance(action, PlayEvent):
            return await self._event(action)
        if isinstance(action, Negotiate):
            last = state.talks.get(self.side, 0)
            if last and last >= state.year * 10 + state.round - 1:
                raise Refused("talked_last_round", "8.1.8")
            diplomacy.check_action(
                state, self.side, action.country, action.card, minors_only=True, at=action.zones
            )
            state.talks[self.side] = state.year * 10 + state.round
            self._spend(action.card, "diplomacy")
            against = await police(self.desk, self.side, action.country)
            diplomacy.negotiate(self.desk, self.side, action.country, against=against, at=action.zones)
        elif isinstance(action, Protect):
            protect(self.desk, self.side, action)
        elif isinstance(action, EndWar):
            if state.weather() != "winter":
                raise Refused("winter_only", "8.1.7")
            end_war(self.desk, self.side, action)
        return False

    def _held(self, card: str) -> None:
        code = reaction_cards.holding_problem(self.state, self.side, card)
        if code:
            raise Refused(code, "8.1.1", card=card, nearest=(NoCard(),))

    def _spend(self, card: str, use: str) -> None:
        self.state.spend_card(self.side, card)
        self.desk.tell(CardSpent(side=self.side, card=card, use=use, rule="7.3"))

    async def _event(self, order: PlayEvent) -> bool:
        result = await cards.play_event(self.desk, self.side, order, "activation")
        self.points, self.grants = result.points, list(result.grants)
        self.naval, self.assaults = result.naval, result.assaults
        self.landing, self.bridged = result.landing, result.bridged
        self.top_up = bool(result.points)
        if result.campaign:
            self.concert = concert.Concert(self.desk, self.side)
        return bool(self.points or self.grants or self.naval)

    def _duty(self, action: Order) -> None:
        """18, 1805: until Mantoue and Ulm are besieged nothing else is done; an event may send who does it."""
        sends = isinstance(action, PlayEvent) and cards.only_marches(action.card)
        if not (sends or isinstance(action, (Play, NoCard))) and austrian_duty(self.state, self.side):
            raise Refused("austrian_duty", "18", nearest=(NoCard(),))

    def _keep(self) -> None:
        """8.2.1: unused points go to the reserve."""
        if self.points > 0:
            reserve = self.state.reserve
            reserve[self.side] += self.points
            self.desk.tell(
                PointsKept(side=self.side, points=self.points, reserve=reserve[self.side], rule="8.2.1")
            )
            self.points = 0

    def pay(self, points: int) -> bool:
        """8.2.2: from the card, then from the reserve."""
        if not self.solvent(points):
            return False
        own = min(points, self.points)
        self.points -= own
        self.state.reserve[self.side] -= points - own
        return True

    @property
    def left(self) -> int:
        """8.2.2: the points of the card, and those of the reserve where they may be used."""
        return self.points + (self.state.reserve[self.side] if self.top_up else 0)

    def solvent(self, points: int) -> bool:
        """8.2.2: whether so many points can be paid."""
        return points <= self.left

    async def _activations(self) -> None:
        await self.plan.run(self._one, self._fail, self._decide)
        if not self.failed:
            await self._finish(self.plan.number + 1)
        if self.concert is not None and not self.failed:
            await self.concert.resolve()

    def _decide(self, order: If) -> Sequence[Order]:
        return order.chosen(self.current.facts() if isinstance(self.current, March) else WAITING_FACTS)

    async def _one(self, order: Order) -> None:
        number = self.plan.number
        if isinstance(order, Activate):
            await self._finish(number)
            await self._activate(order)
        elif isinstance(order, Hunt):
            await self._finish(number)
            if not self.pay(1):
                raise Refused("not_enough_ap", "15.9", needed=1, left=self.left)
            corsairs(self.desk, self.side, order.fleet, order.port)
        elif isinstance(order, Sail) and not self._continues(order):
            await self._finish(number)
            self._sail(order)
            assert isinstance(self.current, Voyage)
            await self.current.step(order)
        elif isinstance(order, ACTIONS):
            raise Refused("one_action", "8.1")
        elif isinstance(order, NAVAL) and not isinstance(self.current, Voyage):
            raise Refused("sail_first", "15.2", in_port(self.state, self.side, order))
        elif self.current is None or (isinstance(order, STEPS) and not isinstance(self.current, March)):
            raise Refused("activate_first", "8.3")
        elif isinstance(order, ASIDE_ORDERS):
            if isinstance(self.current, March) and order in self.current.prepared and not self.desk.dry:
                return
            if self.desk.dry:
                self._check_cards(order)
                check_plan(self.state, self.side, order, self._alone())
            if isinstance(self.current, March) and order not in self.current.prepared:
                self.current.prepare([order])
        else:
            await self.current.step(order)

    def _alone(self) -> list[Force]:
        """12.6.4, 12.6.5: the forces of this activation, where nothing in the plan can add others to its battles."""
        march = self.current
        joins = (PickUp, Take, CounterMarch, If)
        if not isinstance(march, March) or self.concert is not None or march.entered:
            return []
        following = self.plan.ahead((Activate, Sail))
        return [] if any(isinstance(order, joins) for order in following) else march.forces

    def _check_cards(self, order: Order) -> None:
        """7.5.1, 7.3.3: cards kept for a battle, a test, an evasion, a siege: held, and for that moment."""
        windows = ("naval.after_roll",) if isinstance(self.current, Voyage) else moments(order)
        for card in named_cards(order):
            code = reaction_cards.holding_problem(self.state, self.side, card)
            if not code and not set(windows) & set(CARDS[card].windows):
                code = "card_not_now"
            if code:
                moment = CARDS[card].windows[0] if code == "card_not_now" else ""
                raise Refused(code, "7.5.1", at_its_moment(card), card=card, window=moment)

    def _continues(self, order: Sail) -> bool:
        return isinstance(self.current, Voyage) and set(order.fleets) <= set(self.current.fleets)

    def _sail(self, order: Sail) -> None:
        """15.1, 4.5.4, 7.3.2: a point a fleet, or free by an event that says so; each fleet sails once in a round."""
        if austrian_duty(self.state, self.side):
            raise Refused("austrian_duty", "18")
        if self.sailed & set(order.fleets) or (self.landing and self.sailed):
            raise Refused("already_sailed", "4.5.4", fleets=order.fleets)
        most = self.landing or LANDING
        try:
            voyage = Voyage(self.desk, self.side, order.fleets, free_power=self.naval, steps_max=most)
        except Refused as refused:
            refused.suggest(together(self.state, self.side, order))
            raise
        if self.landing:
            check_walcheren(self.state, self.side, order.fleets)
        voyage.no_landing = bool(self.naval) and not self.assaults
        if not self.naval and not self.pay(len(order.fleets)):
            fewer = (Sail(order.fleets[: self.left], order.path),) if self.left else ()
            raise Refused("not_enough_ap", "15.1", fewer, needed=len(order.fleets), left=self.left)
        for later in self.plan.ahead((Activate, Sail)):
            if isinstance(later, CombatCards):
                voyage.cards = later.cards
        self.sailed |= set(order.fleets)
        self.current = voyage

    async def _activate(self, order: Activate) -> None:
        state = self.state
        force = state.force_with(order.force)
        mine = force is not None and force.side == self.side
        if mine and force is not None and austrian_duty(state, self.side) and not duty_force(state, force):
            raise Refused("austrian_duty", "18", force=order.force)
        grant = self._grant(force, order)
        march, points = begin(self.desk, self.side, order, grant)
        if self.side == EMPIRE and FIRST not in state.spoiled:
            march.first = state.scenario == "1805"
            state.spoiled.append(FIRST)
        if self.bridged:
            march.grant = msgspec.structs.replace(march.grant, bridged=True)
        if grant is None and not self.pay(points):
            dearer = self._dear_enough(points) if isinstance(self.plan.done, NoCard) else ()
            nearest = dearer or instead(state, self.side, order.force, self.left)
            raise Refused("not_enough_ap", "8.3.1", nearest, needed=points, left=self.left, force=order.force)
        march.purse = lambda: self.pay(1)
        march.solvent = lambda: self.solvent(1)
        march.ahead = self.plan.ahead
        march.concert = self.concert
        march.prepare(self.plan.ahead((Activate, Sail)))
        self.current = march

    def _dear_enough(self, points: int) -> tuple[Play, ...]:
        """The cheapest card in hand that, played for its points instead, would give what is wanting."""
        state = self.state
        held = state.hands[self.side] if self.top_up else []
        wanted = self.given + points - self.points - state.reserve[self.side]
        enough = [card for card in held if card_points(state, self.side, card) >= wanted]
        cheapest = min(enough, key=lambda card: card_points(state, self.side, card), default=None)
        return (Play(cheapest),) if cheapest else ()

    def _grant(self, force: Force | None, order: Activate) -> Grant | None:
        """22.9: an activation that an event gives."""
        if force is None:
            return None
        for grant in self.grants:
            who, _, which = grant.who.partition(":")
            power = GENERALS[order.force].power if order.force in GENERALS else UNITS[order.force].power
            if who == "general" and order.force != which:
                continue
            if who == "force" and which != power:
                continue
            self.grants.remove(grant)
            return grant
        return None

    async def _finish(self, number: int) -> None:
        """The activation that was going on ends."""
        current, self.current = self.current, None
        if current is None:
            return
        try:
            if isinstance(current, March) and current.waiting:
                return
            if isinstance(current, March) and self.desk.dry and current.entered:
                force = self.state.forces.get(current.id)
                vigil.check(self.state, force, force.zone if force else "")
            await current.finish()
        except Refused as refused:
            self._fail(max(0, number - 1), self.plan.done or NoCard(), refused)
        await exodus.leave_captured_ports(self.desk)
        if isinstance(current, Voyage) and current.landed and self.naval:
            self.assaults -= 1
        if isinstance(current, March):
            note_duty(self.state, current.side, current.entered)
            vigil.note(self.state, current.side, current.entered)
            for army in current.forces:
                hundred_days.replacements(self.desk, army)


def austrian_duty(state: State, side: str) -> bool:
    """18: whether the duty of 1805 still binds the Coalition."""
    return (
        state.scenario == "1805"
        and state.year == 1805
        and side == COALITION
        and "free" not in state.spoiled
        and not {"mantoue", "ulm"} <= set(state.spoiled)
    )


def duty_force(state: State, force: Force) -> bool:
    """18: Charles for Mantoue, any Austrian general for Ulm."""
    if not force.general or force.power != "autriche":
        return False
    return "ulm" not in state.spoiled or ("mantoue" not in state.spoiled and force.general == "charles")


def note_duty(state: State, side: str, entered: Sequence[str] = ()) -> None:
    """18: what of the duty is done, at Mantoue by Charles; an Empire force in Austria, or across it, ends it."""
    if state.scenario != "1805" or state.year != 1805:
        return
    for zone in ("mantoue", "ulm"):
        taken = state.controller(zone) == COALITION and zone in state.control
        besiegers = [force.general for force in state.at(zone, COALITION)] if zone in state.siege else []
        done = taken or ("charles" in besiegers if zone == "mantoue" else any(besiegers))
        if done and zone not in state.spoiled:
            state.spoiled.append(zone)
    invaded = [force.zone for force in state.of(EMPIRE)] + (list(entered) if side == EMPIRE else [])
    if any(state.owner_of(zone) == "autriche" for zone in invaded) and "free" not in state.spoiled:
        state.spoiled.append("free")


def protect(desk: Desk, side: str, order: Protect) -> None:
    """9.1.5, 8.1.5: a protectorate for a card of value 2 or more."""
    state = desk.state
    if side != EMPIRE:
        raise Refused("empire_only", "9.1.5")
    nearest = _other_protectorate(state, side, order)
    if order.card not in state.hands[side]:
        raise Refused("card_not_held", "9.1.5", nearest, card=order.card)
    if CARDS[order.card].value < PROTECTING:
        raise Refused("card_too_low", "9.1.5", nearest, card=order.card)
    code, rule = diplomacy.protect_problem(state, order.country)
    if code:
        raise Refused(code, rule, nearest, country=order.country)
    state.spend_card(side, order.card)
    desk.tell(CardSpent(side=side, card=order.card, use="protectorate", rule="9.1.5"))
    diplomacy.protect(desk, order.country)


def _other_protectorate(state: State, side: str, order: Protect) -> tuple[Protect, ...]:
    """9.1.5: what to write instead: the country and the card of the order where they serve, else the first that do."""
    able = [country for country in diplomacy.PROTECTABLE if not diplomacy.protect_problem(state, country)[0]]
    cards_ = [card for card in state.hands[side] if card in CARDS and CARDS[card].value >= PROTECTING]
    cards_.sort(key=lambda card: (CARDS[card].value, card))
    if not able or not cards_:
        return ()
    country = order.country if order.country in able else able[0]
    return (Protect(country, order.card if order.card in cards_ else cards_[0]),)


def end_war(desk: Desk, side: str, order: EndWar) -> None:
    """7.4.3, 8.1.7: a card's value and a die; five or more."""
    state = desk.state
    if side != COALITION:
        raise Refused("coalition_only", "7.4.3")
    war = next((war for war in state.wars if war.card == order.war), None)
    if war is None:
        raise Refused("no_such_war", "7.4.3", card=order.war)
    if order.card not in state.hands[side]:
        raise Refused("card_not_held", "7.4.3", card=order.card)
    state.spend_card(side, order.card)
    if desk.dry:
        return
    label, (die,) = desk.roll("end-war", order.war, rule="7.4.3", seat=side)
    total = die + hands.card_value(state, side, order.card)
    desk.tell(
        ForeignWarTested(
            card=order.war, die=die, total=total, success=total >= 5, draws=(label,), rule="7.4.3"
        )
    )
    if total >= 5:
        close_war(state, war)


def close_war(state: State, war: War) -> None:
    """7.4.3: the card leaves the game; the units come back in the next budget."""
    state.wars.remove(war)
    state.removed[CARDS[war.card].side].append(war.card)
    for unit, steps in war.units.items():
        state.returning[unit] = steps
        state.units[unit] = WAIT
    for fleet in war.fleets:
        state.returning[fleet] = 1
        state.fleets[fleet] = WAIT
