"""7.1.3: the land slot of one side, from its letters: depots, marches, supply; combat follows (sequence.py).

Orders are carried out as they are written; one that cannot be done is told to its player, and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

from pbem.games.eia import parties
from pbem.games.eia.board import AREAS
from pbem.games.eia.desk import Desk
from pbem.games.eia.forces import absorb, detach, enter, mine, mover, resolve
from pbem.games.eia.march import FORCED, march, toward
from pbem.games.eia.orders import (
    DEPOTS,
    MONTH,
    MOVES,
    Absorb,
    Army,
    AsLastMonth,
    Besiege,
    BuildDepot,
    CallUp,
    Chain,
    Detach,
    Enter,
    FightFirst,
    Forage,
    ForageOrder,
    Lend,
    Lift,
    LiftDepot,
    March,
    Pay,
    Toward,
)
from pbem.games.eia.reactions import call_up
from pbem.games.eia.reinforce import tyrol
from pbem.games.eia.state import Corps, Horse, State
from pbem.games.eia.supply import depots, feeding
from pbem.games.eia.supply.feeding import Intents
from pbem.kernel.order import Answer, Fact, If, Order, answer_from_data
from pbem.kernel.plan import Plan, Refused, Step

ASIDE = (Detach, Absorb, Enter)
"""What a corps does on its way."""
BARRED_BY_ENEMY = ("enemy_here", "city_held", "city_besieged")
"""What may be otherwise when the battle or the siege there is won (7.5.1.3)."""
Failed = Callable[[int, Order, Refused], None]


def letter_of(state: State, seat: str) -> Answer:
    """A seat's orders of the month."""
    return answer_from_data(msgspec.json.decode(state.letters.get(seat, "[]")), MONTH)


def state_letters(state: State, but: Mapping[str, Answer]) -> list[str]:
    """The other seats whose orders of the month are there."""
    return [seat for seat in state.letters if seat not in but]


class Slot:
    """7.1.2, 7.1.3: the powers of a slot, with the letters of their seats."""

    def __init__(self, desk: Desk, powers: Sequence[str], letters: Mapping[str, Answer]) -> None:
        self.desk = desk
        self.powers = list(powers)
        self.letters = letters
        self.intents = Intents()
        self.later: list[tuple[str, int, Order]] = []
        """7.5.1.3: what waits for the end of the battle there: seat, number and order."""
        for seat, letter in letters.items():
            for number, order in enumerate(letter):
                self._try(seat, number, order, self._intend)
        for seat in state_letters(desk.state, letters):
            for order in letter_of(desk.state, seat):
                if isinstance(order, Lend):
                    self._try(seat, 0, order, self._intend)

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    def _try(self, seat: str, number: int, order: Order, do: Callable[[str, Order], None]) -> None:
        try:
            do(seat, order)
        except Refused as refused:
            self.desk.failed(seat, number, order, refused)

    # What the letters say besides marches

    def _intend(self, seat: str, order: Order) -> None:
        """Armies, and what is meant for supply, sieges and battles; said before the first march (7.3.7.1)."""
        state, intents = self.state, self.intents
        if isinstance(order, Army):
            named = resolve(state, seat, order.corps)
            for corps in named:
                mover(state, seat, corps)
            state.armies.setdefault(seat, {})[order.name] = named
        elif isinstance(order, Forage):
            intents.forage |= set(resolve(state, seat, order.who))
            intents.forage_all = intents.forage_all or not order.who
        elif isinstance(order, Pay):
            intents.pay += [corps for corps in resolve(state, seat, order.who) if corps not in intents.pay]
            if order.points:
                for power in state.of_seat(seat):
                    intents.most[power] = 2 * order.points
        elif isinstance(order, Lend):
            owner = next((p for p in state.of_seat(seat) if p != order.power), "")
            if not owner or order.power not in state.powers or not state.allied(owner, order.power):
                raise Refused("no_ally", "7.4.2.2", power=order.power)
            intents.lends.append((owner, order.power, 2 * order.points))
        elif isinstance(order, ForageOrder):
            intents.hunger[seat] = order.factors
        elif isinstance(order, FightFirst):
            intents.first += [area for area in order.areas if area not in intents.first]
        elif isinstance(order, Besiege):
            for area in order.areas:
                if AREAS[area].city is None:
                    raise Refused("no_city", "7.5.4", area=area)
            intents.besiege |= set(order.areas)
        elif isinstance(order, Lift):
            for area in order.areas:
                siege = state.sieges.get(area)
                if siege is None or not set(siege.by) & set(state.of_seat(seat)):
                    raise Refused("no_siege", "7.5.4", area=area)
            intents.lift |= set(order.areas)

    # 7.2

    def depots(self) -> None:
        """7.2: depots lifted and placed."""
        for seat, letter in self.letters.items():
            for number, order in enumerate(letter):
                if isinstance(order, DEPOTS):
                    self._try(seat, number, order, self._depot)

    def _depot(self, seat: str, order: Order) -> None:
        if isinstance(order, BuildDepot):
            depots.build(self.desk, seat, order)
        elif isinstance(order, LiftDepot):
            depots.lift(self.desk, seat, order)
        elif isinstance(order, Chain):
            depots.chain(self.desk, seat, order)

    # 7.3

    async def moves(self) -> None:
        """7.3: the marches of each seat in the order of its letter; then those that stay forage, if they must."""
        for corps in self._own():
            corps.march = None
            corps.came = ""
        for horse in self.state.horse.values():
            if horse.power in self.powers:
                horse.moved, horse.came = False, ""
        for seat, letter in self.letters.items():
            steps = [(n, order) for n, order in enumerate(letter) if isinstance(order, (*MOVES, If))]
            plan = Plan(steps)
            await plan.run(
                partial(self._move, seat, plan),
                partial(self.desk.failed, seat),
                partial(self._decide, seat),
            )
            own = [power for power in self.powers if self.state.seat_of(power) == seat]
            await parties.part(self.desk, own)
        await parties.after(self.desk, self.powers)
        for corps in self._own():
            if corps.id in self.state.corps:
                self._rest(corps)

    def _own(self) -> list[Corps]:
        return [corps for power in self.powers for corps in self.state.of(power)]

    def _decide(self, seat: str, order: If) -> Sequence[Order]:
        chosen = order.chosen(facts(self.state, seat))
        for step in chosen:
            self._intend(seat, step)
            if isinstance(step, DEPOTS):
                raise Refused("not_in_if", "7.2")
        return [step for step in chosen if isinstance(step, (*MOVES, If))]

    async def _move(self, seat: str, plan: Plan, order: Order) -> None:
        state = self.state
        if isinstance(order, Toward):
            await self._each(seat, plan, order.who, order.area, order.how)
        elif isinstance(order, March):
            await self._each(seat, plan, order.who, order.way, order.how)
        elif isinstance(order, CallUp):
            problem = tyrol(state, order.corps, order.area)
            if problem is not None:
                raise problem
            if state.seat_of("austria") != seat:
                raise Refused("not_yours", "10.1.5", corps=order.corps)
            call_up(self.desk, order.corps, order.area)
        else:
            self._aside(seat, plan.number, order)

    async def _each(
        self, seat: str, plan: Plan, who: Sequence[str], way: tuple[str, ...] | str, how: str
    ) -> None:
        """Corps of one order march one by one (7.3.2); one that cannot does not keep the others."""
        names = resolve(self.state, seat, who)
        first: Refused | None = None
        for name in names:
            try:
                await self._one(seat, plan, name, way, how)
            except Refused as refused:
                first = first or refused
        if first is not None:
            if first.problem.nearest:
                first.problem = msgspec.structs.replace(
                    first.problem,
                    nearest=tuple(
                        msgspec.structs.replace(near, who=tuple(who)) if isinstance(near, March) else near
                        for near in first.problem.nearest
                    ),
                )
            raise first

    async def _one(self, seat: str, plan: Plan, name: str, way: tuple[str, ...] | str, how: str) -> None:
        state = self.state
        thing = mover(state, seat, name)
        asides = self._take_asides(seat, plan, name)
        refused: Refused | None = None
        try:
            await self._go(seat, thing, asides, way, how)
        except Refused as problem:
            refused = problem
        self._pass(seat, thing, asides, last=True)
        if isinstance(thing, Corps) and thing.id in state.corps and not self._named_ahead(seat, plan, name):
            self._rest(thing)
        if refused is not None:
            raise refused

    async def _go(
        self, seat: str, thing: Corps | Horse, asides: list[Step], way: tuple[str, ...] | str, how: str
    ) -> None:
        if isinstance(way, str):
            goal, way = way, toward(self.state, thing, way, forced=how == FORCED)
            if not way and thing.area != goal:
                raise Refused("no_way", "7.3.1", area=goal, corps=thing.id)
        self._pass(seat, thing, asides)
        for part in _parts(way, {getattr(order, "area", "") for _, order in asides}):
            await march(self.desk, thing, March((thing.id,), part, how))
            self._pass(seat, thing, asides)

    def _rest(self, corps: Corps) -> None:
        """7.3.1.4: at the end of its move a corps forages, if it must or is to."""
        state = self.state
        done = corps.march is not None and corps.march.foraged
        if not done and state.free(corps) and feeding.must_forage(state, corps, self.intents):
            feeding.forage(self.desk, corps, self.intents)

    def _named_ahead(self, seat: str, plan: Plan, name: str) -> bool:
        """Whether a later order of the plan moves the same corps."""
        for _, order in plan.steps:
            if isinstance(order, If):
                return True
            if isinstance(order, (March, Toward)) and name in self._names(seat, order):
                return True
        return False

    def _names(self, seat: str, order: March | Toward) -> list[str]:
        try:
            return resolve(self.state, seat, order.who)
        except Refused:
            return []

    def _take_asides(self, seat: str, plan: Plan, name: str) -> list[Step]:
        """7.3.3: what a corps leaves and takes on this march: what the plan says of it before its next march."""
        taken: list[Step] = []
        for step in list(plan.steps):
            order = step[1]
            if isinstance(order, If):
                break
            if isinstance(order, (March, Toward)) and name in self._names(seat, order):
                break
            if isinstance(order, ASIDE) and _about(order) == name:
                taken.append(step)
                plan.steps.remove(step)
        return taken

    def _pass(self, seat: str, thing: Corps | Horse, asides: list[Step], *, last: bool = False) -> None:
        for step in list(asides):
            where = getattr(step[1], "area", "")
            if where == thing.area or (last and (not where or where != thing.area)):
                asides.remove(step)
                try:
                    self._aside(seat, *step)
                except Refused as refused:
                    self.desk.failed(seat, *step, refused)

    def _aside(self, seat: str, number: int, order: Order) -> None:
        """7.3.3: detach, absorb, enter a city; where an enemy in the field bars it, after the battle (7.5.1.3)."""
        state = self.state
        names = order.corps if isinstance(order, Enter) else (_about(order),)
        for name in names:
            corps = mine(state, seat, name, "7.3.3")
            if corps.inside and corps.area in state.sieges:
                raise Refused("besieged", "7.3.3", corps=name, area=corps.area)
            where = getattr(order, "area", "") or corps.area
            if where != corps.area:
                raise Refused("not_there", "7.3.3", corps=name, area=where)
            try:
                if isinstance(order, Detach):
                    detach(self.desk, corps, order)
                elif isinstance(order, Absorb):
                    absorb(self.desk, corps, order)
                else:
                    enter(self.desk, corps)
            except Refused as refused:
                if refused.problem.code not in BARRED_BY_ENEMY:
                    raise
                single = Enter((name,)) if isinstance(order, Enter) else order
                self.later.append((seat, number, single))

    def after_battle(self, area: str) -> None:
        """7.5.1.3: a friendly or vacant city is occupied or garrisoned after the battle there."""
        for entry in list(self.later):
            seat, number, order = entry
            corps = self.state.corps.get(_about(order))
            if corps is None or corps.area != area:
                continue
            self.later.remove(entry)
            waiting = len(self.later)
            try:
                self._aside(seat, number, order)
            except Refused as refused:
                self.desk.failed(seat, number, order, refused)
            del self.later[waiting:]

    def in_vain(self) -> None:
        """What waited for a battle or a siege that was not won: its player hears of it."""
        for seat, number, order in self.later:
            area = getattr(order, "area", "") or self._place(order)
            self.desk.failed(seat, number, order, Refused("not_won", "7.5.1.3", area=area))
        self.later = []

    def _place(self, order: Order) -> str:
        corps = self.state.corps.get(_about(order))
        return corps.area if corps else ""

    # 7.4

    def supply(self) -> None:
        """7.4.2, 7.4.5: depots are paid for, the rest forages; the besieged live on their stores."""
        feeding.pay(self.desk, self.powers, self.intents)
        feeding.besieged(self.desk, self.powers, self.intents)


def _about(order: Order) -> str:
    if isinstance(order, Enter):
        return order.corps[0] if order.corps else ""
    return str(getattr(order, "corps", ""))


def _parts(way: tuple[str, ...], stops: set[str]) -> list[tuple[str, ...]]:
    """A way cut at the areas where something is to be done."""
    parts: list[tuple[str, ...]] = []
    part: list[str] = []
    for area in way:
        part.append(area)
        if area in stops:
            parts.append(tuple(part))
            part = []
    return [*parts, tuple(part)] if part else parts


def facts(state: State, seat: str) -> dict[str, Fact]:
    """What an IF of a letter may test: the money of its powers, the month, and enemy corps at a place."""
    mine_ = state.of_seat(seat)
    known: dict[str, Fact] = {f"enemies_{area}": 0 for area in AREAS}
    for corps in state.corps.values():
        if any(state.at_war(power, corps.power) for power in mine_):
            known[f"enemies_{corps.area}"] = int(known[f"enemies_{corps.area}"]) + 1
    known["money"] = sum(state.powers[power].money for power in mine_) // 2
    known["month"] = state.month_number
    known["turn"] = state.turn
    return known


def expanded(state: State, seat: str, letter: Answer, last: Answer) -> Answer:
    """«As last month» replaced by what it stands for: marches go on towards their ends."""
    found: list[Order] = []
    for order in letter:
        if not isinstance(order, AsLastMonth):
            found.append(order)
            continue
        for old in last:
            if isinstance(old, March):
                found.append(Toward(old.who, old.way[-1], old.how))
            elif isinstance(old, (Toward, Chain, Besiege, Forage, Pay, ForageOrder, FightFirst, Army)):
                found.append(old)
    return tuple(found)
