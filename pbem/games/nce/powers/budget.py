"""6.3: the budget of each power."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import msgspec

from pbem.games.nce import board, command
from pbem.games.nce.cards import hands
from pbem.games.nce.cards import interpreter as cards
from pbem.games.nce.charts import (
    ARMIES,
    COSTS,
    COUNTRIES,
    FLEETS,
    GENERALS,
    MAJORS,
    POWERS,
    SPECIALS,
    UNITS,
    ZONES,
)
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_powers import BudgetSpent, PieceBuilt, PieceWithdrawn, ResourcesSent
from pbem.games.nce.land.depots import take_off
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.powers import diplomacy, substitutes
from pbem.games.nce.powers.places import home_ports, reached, reinforcement_zones
from pbem.games.nce.replies import (
    Assign,
    Build,
    BuildFleet,
    BuyCard,
    BuyDepot,
    BuySpecial,
    CreateArmy,
    DropDepot,
    Restore,
    Send,
    Withdraw,
)
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import COALITION, EMPIRE, MAP, OUT, POOL, SEATS, WAIT, Force, State, copied
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Plan, Refused, rehearse

PER_ARMY = 2
TRANSFER = 4


class Treasury:
    """A seat's budgets being spent, or rehearsed."""

    def __init__(self, desk: Desk, seat: str) -> None:
        self.desk, self.seat = desk, seat
        self.restored: dict[str, int] = {}
        self.depots: dict[str, int] = {}
        self.fleets: dict[str, int] = {}
        self.got: dict[str, int] = {}
        self.free_fleet = ""
        """6.3.5: what became of the English gift: a fleet, or `card`."""
        self.bought = False
        self.dismissed: dict[str, str] = {}
        """4.4.4: forces whose commander was dismissed in this phase, each with the general who took over."""
        self.paid: dict[str, float] = {}

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    async def run(self, answer: Answer) -> None:
        """All orders in turn; in play one that has become impossible changes nothing."""
        await self.desk.carry_out(self.seat, Plan(enumerate(answer)), self._try)
        if not self.desk.dry:
            for power in MAJORS:
                if self.state.manager(power) == self.seat:
                    self.desk.tell(self.account(power))

    async def _try(self, order: Order) -> None:
        if not self.desk.dry:
            rehearse(self.double().one(order))
        await self.one(order)

    def account(self, power: str) -> BudgetSpent:
        """6.3.2: what a power had, has spent, and loses."""
        spent, left = self.paid.get(power, 0.0), self.state.resources[power]
        return BudgetSpent(
            power=power, income=f"{spent + left:g}", spent=f"{spent:g}", lost=f"{left:g}", rule="6.3.2"
        )

    def double(self) -> Treasury:
        """The same on a copy of the position, to see whether an order can be carried out."""
        double = Treasury(Desk(copied(self.state), None, "rehearsal"), self.seat)
        for name, value in vars(self).items():
            if name != "desk":
                setattr(double, name, copy(value))
        return double

    async def one(self, order: Order) -> None:
        """One order of the budget."""
        if isinstance(order, PlayEvent):
            await cards.play_event(self.desk, self.seat, order, "budget")
        elif type(order) in _STEPS:
            _STEPS[type(order)](self, order)

    def _mine(self, power: str) -> None:
        if self.state.manager(self.state.patron(power)) != self.seat:
            raise Refused("not_your_power", "6.3.1", country=power)

    def pay(self, power: str, amount: float) -> None:
        """6.3.2: from the power's resources; minors from the steps of their side (6.3.12)."""
        key = power if COUNTRIES[power].major else f"minors_{self.seat}"
        have = self.state.resources.get(key, 0)
        if amount > have + 1e-9:
            raise Refused(
                "not_enough_resources",
                "6.3.2" if key == power else "6.3.12",
                country=power,
                needed=f"{amount:g}",
                left=f"{have:g}",
            )
        self.state.resources[key] -= amount
        self.paid[key] = self.paid.get(key, 0.0) + amount

    def _price(self, unit: str, steps: int) -> float:
        record = UNITS[unit]
        return record.cost_per_step * steps if COUNTRIES[record.power].major else float(steps)

    def _zone(self, at: str) -> str:
        if at in ZONES:
            return at
        force = self.state.force_with(at)
        if force is None:
            raise Refused("no_such_force", "6.3.6", force=at)
        return force.zone

    def _build(self, order: Build) -> None:
        """6.3.4, 6.3.6, 6.3.7: a unit of the pool at a reinforcement zone."""
        state, unit = self.state, order.unit
        if unit not in UNITS or state.units[unit] != POOL:
            raise Refused("not_in_pool", "6.3.4", substitutes.not_in_pool(state, order), unit=unit)
        record = UNITS[unit]
        self._mine(record.power)
        side = state.side_of(record.power)
        side = side if side in SEATS else "neutral"
        zone = self._zone(order.at)
        steps = order.steps or record.steps
        if steps > record.steps:
            raise Refused("too_many_steps", "6.3.4", unit=unit, nearest=(Build(unit, order.at),))
        if not COUNTRIES[record.power].major and side == "neutral":
            raise Refused("neutral_minor", "9.1.1", unit=unit)
        self._poland(unit)
        if record.province and ZONES[zone].province != record.province:
            raise Refused("feudal_home", "2.1.7", unit=unit)
        zones = self._sites(unit)
        if zone not in zones:
            near = sorted(zones, key=lambda z: (board.distance(zone, z), z))
            nearest = (Build(unit, near[0], order.steps),) if near else ()
            raise Refused("not_a_reinforcement_zone", "6.3.6", nearest=nearest, zone=zone, zones=tuple(zones))
        probe = Force(id="", side=side, zone=zone, units={unit: steps})
        here = state.at(zone, side, inside=None)
        if record.army_only and not any(force.army for force in here):
            raise Refused("cavalry_needs_army", "6.3.7", unit=unit)
        if here:
            codes = [command.may_join(other, probe) for other in here]
            if all(code for code, _ in codes):
                free = substitutes.elsewhere(state, order, zone, zones)
                raise Refused("stacking", "4.1.1", free, zone=zone, force=here[0].name, why=codes[0][0])
        self.pay(record.power, self._price(unit, steps))
        diplomacy.place(self.desk, unit, zone, side, steps)

    def _sites(self, unit: str) -> list[str]:
        """6.3.6, 2.1.7: reinforcement zones; feudal corps are raised in the fortresses of their province."""
        state, record = self.state, UNITS[unit]
        zones = reinforcement_zones(state, record.power)
        if record.province:
            zones += [
                zone
                for zone, place in ZONES.items()
                if place.province == record.province
                and zone not in zones
                and place.fortress
                and state.owner_of(zone) == record.power
                and zone not in state.control
                and zone not in state.siege
            ]
        return zones

    def _poland(self, unit: str) -> None:
        """9.3.5: with Varsovie lost Polish units are neither restored nor rebuilt."""
        if UNITS[unit].power == "pologne" and self.state.controller("varsovie") != self.seat:
            raise Refused("varsovie_lost", "9.3.5", unit=unit)

    def _restore(self, order: Restore) -> None:
        """6.3.4, 6.3.9: two in a supplied army; any on a reinforcement zone."""
        state = self.state
        force = state.force_with(order.unit)
        if force is None or order.unit not in force.units:
            raise Refused("not_on_map", "6.3.4", unit=order.unit)
        record = UNITS[order.unit]
        self._mine(record.power)
        if force.units[order.unit] >= record.steps:
            raise Refused("not_reduced", "6.3.4", unit=order.unit)
        self._poland(order.unit)
        restored = {**force.units, order.unit: force.units[order.unit] + 1}
        code, rule = command.command_problem(msgspec.structs.replace(force, units=restored))
        if code:
            raise Refused(code, rule, force=force.name)
        at_home = force.zone in reinforcement_zones(state, record.power)
        if not at_home:
            if not force.army or not reached(state, force):
                raise Refused("cannot_restore_there", "6.3.4", unit=order.unit)
            if self.restored.get(force.id, 0) >= PER_ARMY:
                raise Refused("two_an_army", "6.3.9", force=force.name)
        self.pay(record.power, self._price(order.unit, 1))
        if not at_home:
            self.restored[force.id] = self.restored.get(force.id, 0) + 1
        force.units[order.unit] += 1
        self._built(record.power, order.unit, force.zone, force.units[order.unit])

    def _built(self, power: str, piece: str, zone: str, steps: int = 0) -> None:
        self.desk.tell(PieceBuilt(power=power, piece=piece, zone=zone, steps=steps, rule="6.3.4"))

    def _depot(self, order: BuyDepot) -> None:
        """6.3.9: mobile depots, two an army; or with a force on a reinforcement zone."""
        state = self.state
        force = state.force_with(order.force)
        if force is None:
            raise Refused("no_such_force", "6.3.9", force=order.force)
        power = state.patron(force.power)
        self._mine(power)
        at_home = force.zone in reinforcement_zones(state, power)
        if not at_home and not (force.army and reached(state, force)):
            raise Refused("no_depot_there", "6.3.9", force=order.force)
        if not at_home and self.depots.get(force.id, 0) >= PER_ARMY:
            raise Refused("two_an_army", "6.3.9", force=order.force)
        self.pay(power, COSTS["depot"])
        self.depots[force.id] = self.depots.get(force.id, 0) + 1
        force.depots.append(force.power)
        self._built(power, "depot", force.zone)

    def _army(self, order: CreateArmy) -> None:
        """6.3.8, 2.5.4: a marker for a force of two steps in supply, anywhere; a general of the reserve may come."""
        state = self.state
        force = state.force_with(order.force)
        if force is None or force.army:
            raise Refused("no_such_force" if force is None else "has_army", "6.3.8", force=order.force)
        general = force.general or order.general
        if not general or GENERALS[general].power not in POWERS:
            raise Refused("no_general", "6.3.8", force=order.force)
        if general != force.general:
            self._reserve(general)
        power = GENERALS[general].power
        self._mine(power)
        marker = next((a for a in ARMIES if ARMIES[a].power == power and state.armies[a] == POOL), "")
        if not marker:
            raise Refused("no_army_marker", "6.3.8", country=power)
        if force.strength < 2 or not reached(state, force):
            raise Refused("army_needs", "6.3.8", force=order.force)
        if sum(bool(other.army) for other in state.at(force.zone, force.side)) >= 2:
            raise Refused("two_armies", "2.5.4", force=order.force)
        code, rule = command.command_problem(msgspec.structs.replace(force, general=general, army=marker))
        if code:
            raise Refused(code, rule, force=order.force)
        self.pay(power, COSTS["army"])
        if general != force.general:
            force.general = general
            self._built(power, general, force.zone)
        force.army = marker
        settle_places(state, force)
        self._built(power, marker, force.zone)

    def _reserve(self, general: str) -> None:
        if general not in GENERALS or self.state.generals[general] != POOL:
            able = substitutes.reserve(self.state, general)
            raise Refused("not_in_reserve", "6.3.10", general=general, generals=able)

    def _assign(self, order: Assign) -> None:
        """6.3.10, 4.4.1, 2.4.4: a general of the reserve takes units, or serves in an army."""
        state, general = self.state, order.general
        self._reserve(general)
        record = GENERALS[general]
        self._mine(record.power)
        zone = self._zone(order.at)
        side = state.side_of(record.power)
        here = state.at(zone, side if side in SEATS else "neutral")
        if not here:
            raise Refused("no_units_there", "6.3.10", zone=zone)
        force = here[0]
        if order.at not in ZONES:
            force = next((f for f in here if order.at in (*f.generals, *f.units)), force)
        kin = any(UNITS[u].power == record.power or not COUNTRIES[UNITS[u].power].major for u in force.units)
        home = zone in reinforcement_zones(state, record.power)
        minors = any(zone in reinforcement_zones(state, UNITS[u].power) for u in force.units)
        if not kin or not (home or minors or (force.army and reached(state, force))):
            nearest = substitutes.post(state, general)
            raise Refused("general_not_there", "6.3.10", nearest, general=general, zone=zone)
        changed = self._with_general(force, general)
        code, rule = command.command_problem(changed)
        if code:
            raise Refused(code, rule, force=force.name)
        spare = set(force.generals) - set(changed.generals)
        force.general, force.subs = changed.general, changed.subs
        for one in spare:
            state.generals[one] = POOL
        settle_places(state, force)
        self._built(record.power, general, zone)

    def _with_general(self, force: Force, general: str) -> Force:
        """4.3.1, 4.4.1, 4.4.4: who leads then; after a dismissal the highest rank present takes the army."""
        record = GENERALS[general]
        if not force.general:
            return msgspec.structs.replace(force, general=general)
        heir = self.dismissed.get(force.id, "")
        if not force.army:
            if heir != force.general:
                raise Refused("already_led", "4.4.1", force=force.name)
            return msgspec.structs.replace(force, general=general)
        if record.power != force.power and not force.steps_of(record.power):
            raise Refused("already_led", "4.4.1", force=force.name)
        higher = record.power == force.power and record.rank < GENERALS[force.general].rank
        if higher and not heir:
            raise Refused("lower_rank", "4.3.1", force=force.general)
        if higher:
            return msgspec.structs.replace(force, general=general, subs=[*force.subs, force.general])
        return msgspec.structs.replace(force, subs=[*force.subs, general])

    def _fleet(self, order: BuildFleet) -> None:
        """6.3.5: one a power, Angleterre without limit and one free."""
        state, fleet = self.state, order.fleet
        power = FLEETS[fleet].power
        self._mine(power)
        if not COUNTRIES[power].major:
            raise Refused("minor_fleet", "6.3.12", unit=fleet)
        if state.fleets[fleet] != POOL:
            raise Refused("not_in_pool", "6.3.5", unit=fleet)
        ports = home_ports(state, fleet)
        if order.port not in ports:
            nearest = (BuildFleet(fleet, ports[0]),) if ports else ()
            raise Refused("not_a_home_port", "6.3.6", nearest=nearest, zone=order.port, zones=tuple(ports))
        if power != "angleterre" and self.fleets.get(power):
            raise Refused("one_fleet", "6.3.5", country=power)
        if power == "espagne" and state.flag("war_of_liberation"):
            raise Refused("no_spanish_fleets", "6.3.2", country=power)
        if power == "angleterre" and not self.free_fleet:
            self.free_fleet = fleet
        else:
            self.pay(power, COSTS["fleet"])
        self.fleets[power] = 1
        state.fleets[fleet] = f"port:{order.port}"
        self._built(power, fleet, order.port)

    def _special(self, order: BuySpecial) -> None:
        """2.2.5: a special unit that has been in play before."""
        state = self.state
        if order.unit not in SPECIALS or state.specials[order.unit] != POOL:
            raise Refused("not_in_pool", "2.2.2", unit=order.unit)
        power = SPECIALS[order.unit].power
        self._mine(power)
        force = state.force_with(order.army)
        if force is None or not force.army or force.power != power or not reached(state, force):
            able = [f for f in state.of(self.seat) if f.army and f.power == power and reached(state, f)]
            nearest = tuple(BuySpecial(order.unit, f.name) for f in able[:1])
            raise Refused("no_supplied_army", "2.2.2", nearest, forces=tuple(f.name for f in able))
        if force.steps >= command.limit(force):
            raise Refused("over_command", "4.2.1", force=force.name)
        self.pay(power, SPECIALS[order.unit].cost)
        force.special.append(order.unit)
        state.specials[order.unit] = MAP
        self._built(power, order.unit, force.zone)

    def _send(self, order: Send) -> None:
        """6.3.3, 9.1.2: four at most to an ally, four at most for it; nothing from Espagne before 24F and 25F."""
        state = self.state
        giver, taker = order.giver, order.taker
        for power in (giver, taker):
            if power not in POWERS or state.side_of(power) != self.seat:
                raise Refused("not_your_power", "6.3.3", country=power)
        if giver == taker:
            raise Refused("not_your_power", "6.3.3", country=taker)
        if giver == "espagne" and self.seat == EMPIRE and not {"24F", "25F"} <= set(state.events):
            raise Refused("spain_sends_nothing", "6.3.3", country=giver)
        room = TRANSFER - self.got.get(taker, 0)
        if order.amount > room:
            nearest = (Send(room, giver, taker),) if room > 0 else ()
            raise Refused("too_much_sent", "6.3.3", nearest=nearest, country=taker)
        own = state.resources.get(giver, 0) - self.got.get(giver, 0)
        if order.amount > own:
            needed, left, less = f"{order.amount}", f"{max(0, own):g}", substitutes.less(order, own)
            raise Refused("not_enough_resources", "6.3.3", less, country=giver, needed=needed, left=left)
        self.pay(giver, order.amount)
        self.got[taker] = self.got.get(taker, 0) + order.amount
        state.resources[taker] += order.amount
        self.desk.tell(ResourcesSent(giver=giver, taker=taker, amount=order.amount, rule="6.3.3"))

    def _card(self, order: BuyCard) -> None:
        """6.3.5: an English card."""
        if self.seat != COALITION or self.state.side_of("angleterre") != COALITION:
            raise Refused("coalition_only", "6.3.5")
        if order.how == "instead":
            if self.free_fleet == "card":
                raise Refused("free_fleet_taken", "6.3.5")
            if self.free_fleet:
                self.pay("angleterre", COSTS["fleet"])
            self.free_fleet = "card"
        else:
            if self.bought:
                raise Refused("one_card", "6.3.5")
            self.pay("angleterre", COSTS["extra_card"])
            self.bought = True
        hands.draw(self.desk, self.seat, 1)

    def _withdraw(self, order: Withdraw) -> None:
        """6.3.11, 4.4.3, 4.4.4: counters leave the map until next year's budget."""
        state = self.state
        for piece in order.pieces:
            if piece in FLEETS:
                self._mine(FLEETS[piece].power)
                if ":" not in state.fleets[piece]:
                    raise Refused("not_on_map", "6.3.11", unit=piece)
                state.fleets[piece] = WAIT if FLEETS[piece].rebuildable else OUT
            else:
                self._withdraw_land(piece)
            self.desk.tell(PieceWithdrawn(piece=piece, rule="6.3.11"))

    def _give_up(self, order: DropDepot) -> None:
        """6.3.11: a mobile depot of a force, else a fixed one of the zone."""
        state, zone = self.state, self._zone(order.at)
        force = state.force_with(order.at) if order.at not in ZONES else None
        carriers = [force] if force else [f for f in state.at(zone, inside=None) if f.depots]
        for one in carriers:
            if one.depots and state.manager(state.patron(one.power)) == self.seat:
                one.depots.pop()
                self.desk.tell(PieceWithdrawn(piece="depot", rule="6.3.11"))
                return
        standing = [p for p in state.fixed.get(zone, ()) if state.manager(state.patron(p)) == self.seat]
        if not standing:
            raise Refused("no_depot", "6.3.11", zone=zone)
        take_off(state, zone, standing[0])
        self.desk.tell(PieceWithdrawn(piece="depot", rule="6.3.11"))

    def _withdraw_land(self, piece: str) -> None:
        state = self.state
        force = state.force_with(piece)
        if force is None:
            raise Refused("not_on_map", "6.3.11", unit=piece)
        self._mine(force.power)
        if piece in force.units:
            if len(force.units) == 1 and force.general:
                raise Refused("general_alone", "2.4.3", force=force.name)
            rest = msgspec.structs.replace(force, units={u: n for u, n in force.units.items() if u != piece})
            code, rule = command.command_problem(rest)
            if code:
                raise Refused(code, rule, force=force.name)
            del force.units[piece]
            state.units[piece] = WAIT
            if not force.units:
                command.dissolve(state, force)
                return
        elif piece in force.subs:
            force.subs.remove(piece)
            state.generals[piece] = WAIT
        elif piece == force.general:
            if len(force.units) > 1 and not force.subs and not command.replacements(state, force.power):
                raise Refused("no_general", "4.1.1", force=force.name)
            command.general_home(state, piece)
            if force.general:
                self.dismissed[force.id] = force.general
        else:
            raise Refused("not_on_map", "6.3.11", unit=piece)
        code, rule = command.command_problem(force)
        if code:
            raise Refused(code, rule, force=force.name)


_STEPS: dict[type[Order], Callable[[Treasury, Any], None]] = {
    Build: Treasury._build,
    Restore: Treasury._restore,
    BuyDepot: Treasury._depot,
    CreateArmy: Treasury._army,
    Assign: Treasury._assign,
    BuildFleet: Treasury._fleet,
    BuySpecial: Treasury._special,
    Send: Treasury._send,
    BuyCard: Treasury._card,
    Withdraw: Treasury._withdraw,
    DropDepot: Treasury._give_up,
}
"""6.3: what is done for each kind of order."""
