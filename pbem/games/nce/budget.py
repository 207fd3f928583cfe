"""6.3: the budget of each power."""

from __future__ import annotations

from pbem.games.nce import cards, command, diplomacy, effects_politics, hands, score
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
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.events import BudgetSpent, PieceBuilt, PieceWithdrawn, ResourcesSent
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.places import reinforcement_zones
from pbem.games.nce.replies import (
    Assign,
    Build,
    BuildFleet,
    BuyCard,
    BuyDepot,
    BuySpecial,
    CreateArmy,
    Restore,
    Send,
    Withdraw,
)
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import (
    ASIDE,
    COALITION,
    EMPIRE,
    MAP,
    OUT,
    POOL,
    SEATS,
    WAIT,
    Force,
    State,
    enemy,
)
from pbem.games.nce.supply import supplied
from pbem.kernel.order import Answer, Order

PER_ARMY = 2
TRANSFER = 4
REVOLTS = ("tyroliens", "chouans", "serbes")


def income(state: State, power: str) -> int:
    """6.3.2, 22.6: base, less four for each key zone lost, plus events; doubled after a broken peace (9.1.3e)."""
    record = POWERS[power]
    base = record.resources
    if power == "prusse" and "prusse" in state.reforms and state.at_war(power):
        base = record.resources_raised
    if power == "espagne" and state.flag("war_of_liberation"):
        base = record.resources_raised
    side = state.side_of(power)
    for zone in record.key_zones:
        if side not in SEATS or state.owner_of(zone) != power:
            continue
        if zone == "madrid" and state.flag("war_of_liberation"):
            continue
        if score.held(state, zone, enemy(side)):
            base -= 4
    if state.flag(f"double_{power}"):
        base *= 2
    return max(0, base + state.next_resources.get(power, 0))


def minor_steps(state: State, side: str) -> int:
    """6.3.12, 17.8: half the allied minors with units; unions count too, revolts while they hold their home."""
    count = sum(COUNTRIES[minor].has_units for minor in state.minors(side))
    if side == EMPIRE:
        count += sum(state.status[u] == "protectorate" for u in ("confederation_rhin", "westphalie"))
    else:
        count += sum(
            state.status[r] == "revolt" and any(state.controller(z) == COALITION for z in COUNTRIES[r].zones)
            for r in REVOLTS
        )
    return count // 2


def open_budgets(desk: Desk) -> None:
    """6.3.2, 6.3.10, 6.3.13, 6.3.16: what comes back, who is dated this year, what each power has."""
    state = desk.state
    if score.blockade_in_place(state):
        score.table_score(desk, "blocus")
    _come_back(desk)
    _dated_generals(state)
    for power in MAJORS:
        if state.beaten[EMPIRE].get(power, 0) >= 2 and power in ("autriche", "prusse"):
            effects_politics.reform(desk, power)
    state.resources = {power: float(income(state, power)) for power in MAJORS}
    for side in SEATS:
        state.resources[f"minors_{side}"] = float(minor_steps(state, side))
    state.next_resources = {}


def _come_back(desk: Desk) -> None:
    """6.3.13: the wounded, markers, garrisons with honours, units of ended wars."""
    state = desk.state
    for places in (state.generals, state.armies):
        for piece, place in places.items():
            if place == WAIT:
                places[piece] = POOL
    for unit, steps in list(state.returning.items()):
        del state.returning[unit]
        power = UNITS[unit].power
        side = state.side_of(power)
        state.units[unit] = POOL
        zones = [z for z in reinforcement_zones(state, power) if _room(state, z, side, unit, steps)]
        if zones:
            owner = side if side in SEATS else "neutral"
            diplomacy.place(desk, unit, zones[0], owner, steps)
    for unit, place in state.units.items():
        if place == WAIT:
            state.units[unit] = POOL
    for fleet, place in list(state.fleets.items()):
        if place == WAIT:
            ports = home_ports(state, fleet)
            state.fleets[fleet] = f"port:{ports[0]}" if ports else POOL
    if state.flags.pop("polish_gift", 0) and state.controller("varsovie") == EMPIRE:
        _polish_gift(desk)


def _polish_gift(desk: Desk) -> None:
    """9.3.5a: Poniatowski and the first corps come free to Varsovie."""
    state = desk.state
    if state.units["pologne_1"] != POOL or state.at("varsovie", inside=None):
        return
    force = diplomacy.place(desk, "pologne_1", "varsovie", EMPIRE)
    if state.generals["poniatowski"] == POOL and not force.general:
        force.general = "poniatowski"
        settle_places(state, force)


def _dated_generals(state: State) -> None:
    """2.4.2, 6.3.10: those dated this year enter; those struck out leave for good."""
    for general in GENERALS.values():
        if state.year >= general.retires and state.generals[general.id] != OUT:
            command.general_home(state, general.id, gone=True)
        elif general.entry <= state.year and state.generals[general.id] == ASIDE and not general.mark:
            state.generals[general.id] = POOL
            if general.replaces and state.generals[general.replaces] != OUT:
                command.general_home(state, general.replaces, gone=True)
    for force in list(state.forces.values()):
        command.trim(state, force)


def home_ports(state: State, fleet: str) -> list[str]:
    """6.3.6: home ports with room."""
    power = FLEETS[fleet].power
    side = state.side_of(power)
    return [
        zone
        for zone, record in ZONES.items()
        if record.port
        and state.owner_of(zone) == power
        and zone not in state.control
        and len(state.fleets_at(f"port:{zone}")) < 3
        and (side not in SEATS or state.controller(zone) == side)
    ]


def _room(state: State, zone: str, side: str, unit: str, steps: int) -> bool:
    here = state.at(zone, inside=None)
    if not here:
        return True
    probe = Force(id="", side=side, zone=zone, units={unit: steps})
    return any(other.side in (side, "neutral") and not command.may_join(other, probe)[0] for other in here)


class Treasury:
    """A seat's budgets being spent, or rehearsed."""

    def __init__(self, desk: Desk, seat: str) -> None:
        self.desk, self.seat = desk, seat
        self.restored: dict[str, int] = {}
        self.depots: dict[str, int] = {}
        self.fleets: dict[str, int] = {}
        self.sent: dict[str, int] = {}
        self.got: dict[str, int] = {}
        self.free_fleet = True
        self.bought = False
        self.start = dict(desk.state.resources)

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    async def run(self, answer: Answer) -> None:
        """All orders in turn; in play a bad one is passed over, for the position may have changed."""
        import msgspec

        for number, order in enumerate(answer):
            try:
                await self.one(order)
            except Refused as refused:
                if self.desk.dry:
                    self.desk.problems.append(msgspec.structs.replace(refused.problem, order=number))
                    return
        if self.desk.dry:
            return
        for power in MAJORS:
            if self.state.manager(power) == self.seat:
                spent = self.start[power] - self.state.resources[power]
                self.desk.tell(
                    BudgetSpent(
                        power=power,
                        income=f"{self.start[power]:g}",
                        spent=f"{spent:g}",
                        lost=f"{self.state.resources[power]:g}",
                        rule="6.3.2",
                    )
                )

    async def one(self, order: Order) -> None:
        """One order of the budget."""
        if isinstance(order, Build):
            self._build(order)
        elif isinstance(order, Restore):
            self._restore(order)
        elif isinstance(order, BuyDepot):
            self._depot(order)
        elif isinstance(order, CreateArmy):
            self._army(order)
        elif isinstance(order, Assign):
            self._assign(order)
        elif isinstance(order, BuildFleet):
            self._fleet(order)
        elif isinstance(order, BuySpecial):
            self._special(order)
        elif isinstance(order, Send):
            self._send(order)
        elif isinstance(order, BuyCard):
            self._card(order)
        elif isinstance(order, Withdraw):
            self._withdraw(order)
        elif isinstance(order, PlayEvent):
            await cards.play_event(self.desk, self.seat, order, "budget")

    def _mine(self, power: str) -> None:
        if self.state.manager(self.state.patron(power)) != self.seat:
            raise Refused("not_your_power", "6.3.1", country=power)

    def pay(self, power: str, amount: float) -> None:
        """6.3.2: from the power's resources; minors from the steps of their side (6.3.12)."""
        key = power if COUNTRIES[power].major else f"minors_{self.seat}"
        if amount > self.state.resources.get(key, 0) + 1e-9:
            raise Refused("not_enough_resources", "6.3.2", country=power, needed=f"{amount:g}")
        self.state.resources[key] -= amount

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
            raise Refused("not_in_pool", "6.3.4", unit=unit)
        record = UNITS[unit]
        self._mine(record.power)
        side = state.side_of(record.power)
        side = side if side in SEATS else "neutral"
        zone = self._zone(order.at)
        if zone not in reinforcement_zones(state, record.power):
            zones = tuple(reinforcement_zones(state, record.power))
            raise Refused("not_a_reinforcement_zone", "6.3.6", zone=zone, zones=zones)
        if not COUNTRIES[record.power].major and side == "neutral":
            raise Refused("neutral_minor", "9.1.1", unit=unit)
        steps = order.steps or record.steps
        if steps > record.steps:
            raise Refused("too_many_steps", "6.3.4", unit=unit)
        if record.province and ZONES[zone].province != record.province:
            raise Refused("feudal_home", "2.1.7", unit=unit)
        probe = Force(id="", side=side, zone=zone, units={unit: steps})
        here = state.at(zone, inside=None)
        if record.army_only and not any(force.army for force in here):
            raise Refused("cavalry_needs_army", "6.3.7", unit=unit)
        if here:
            codes = [command.may_join(other, probe) for other in here]
            if all(code for code, _ in codes):
                raise Refused("stacking", "4.1.1", zone=zone, force=here[0].name, why=codes[0][0])
        self.pay(record.power, self._price(unit, steps))
        diplomacy.place(self.desk, unit, zone, side, steps)

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
        if force.general and force.steps >= command.limit(force):
            raise Refused("over_command", "4.2.1", force=force.name)
        at_home = force.zone in reinforcement_zones(state, record.power)
        if not at_home:
            if not force.army or not supplied(state, force):
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
        if not force.army and force.zone not in reinforcement_zones(state, power):
            raise Refused("no_depot_there", "6.3.9", force=order.force)
        if self.depots.get(force.id, 0) >= PER_ARMY:
            raise Refused("two_an_army", "6.3.9", force=order.force)
        self.pay(power, COSTS["depot"])
        self.depots[force.id] = self.depots.get(force.id, 0) + 1
        force.depots.append(force.power)
        self._built(power, "depot", force.zone)

    def _army(self, order: CreateArmy) -> None:
        """6.3.8, 2.5.4: a marker for a force of two steps in supply."""
        state = self.state
        force = state.force_with(order.force)
        if force is None or force.army:
            raise Refused("no_such_force", "6.3.8", force=order.force)
        if order.general:
            self._assign(Assign(order.general, order.force))
        power = force.power
        self._mine(power)
        if not force.general or power not in POWERS:
            raise Refused("no_general", "6.3.8", force=order.force)
        marker = next((a for a in ARMIES if ARMIES[a].power == power and state.armies[a] == POOL), "")
        if not marker:
            raise Refused("no_army_marker", "6.3.8", country=power)
        if force.strength < 2 or not supplied(state, force):
            raise Refused("army_needs", "6.3.8", force=order.force)
        if sum(bool(other.army) for other in state.at(force.zone, force.side)) >= 2:
            raise Refused("two_armies", "2.5.4", force=order.force)
        self.pay(power, COSTS["army"])
        force.army = marker
        state.armies[marker] = MAP
        self._built(power, marker, force.zone)

    def _assign(self, order: Assign) -> None:
        """6.3.10, 4.4.1, 2.4.4: a general of the reserve takes units, or serves in an army."""
        state, general = self.state, order.general
        if general not in GENERALS or state.generals[general] != POOL:
            raise Refused("not_in_reserve", "6.3.10", general=general)
        record = GENERALS[general]
        self._mine(record.power)
        zone = self._zone(order.at)
        side = state.side_of(record.power)
        side = side if side in SEATS else "neutral"
        here = [force for force in state.at(zone, side) if force.zone == zone]
        if not here:
            raise Refused("no_units_there", "6.3.10", zone=zone)
        force = here[0]
        if order.at not in ZONES:
            force = next((f for f in here if order.at in (*f.generals, *f.units)), force)
        kin = any(UNITS[u].power == record.power or not COUNTRIES[UNITS[u].power].major for u in force.units)
        home = zone in reinforcement_zones(state, record.power)
        minors = any(zone in reinforcement_zones(state, UNITS[u].power) for u in force.units)
        if not kin or not (home or minors or (force.army and supplied(state, force))):
            raise Refused("general_not_there", "6.3.10", general=general, zone=zone)
        if not force.general:
            force.general = general
        elif force.army and len(force.subs) < command.MOST_SUBS and record.power == force.power:
            if record.rank < GENERALS[force.general].rank:
                raise Refused("lower_rank", "4.3.1", force=force.general)
            force.subs.append(general)
        else:
            raise Refused("already_led", "4.4.1", force=force.name)
        code, rule = command.command_problem(force)
        if code:
            force.subs = [g for g in force.subs if g != general]
            force.general = "" if force.general == general else force.general
            raise Refused(code, rule, force=force.name)
        settle_places(state, force)
        self._built(record.power, general, zone)

    def _fleet(self, order: BuildFleet) -> None:
        """6.3.5: one a power, Angleterre without limit and one free."""
        state, fleet = self.state, order.fleet
        power = FLEETS[fleet].power
        self._mine(power)
        if state.fleets[fleet] != POOL or not COUNTRIES[power].major:
            raise Refused("not_in_pool", "6.3.5", unit=fleet)
        if order.port not in home_ports(state, fleet):
            raise Refused("not_a_home_port", "6.3.6", zone=order.port, zones=tuple(home_ports(state, fleet)))
        if power != "angleterre" and self.fleets.get(power):
            raise Refused("one_fleet", "6.3.5", country=power)
        if power == "espagne" and state.flag("war_of_liberation"):
            raise Refused("no_spanish_fleets", "6.3.2", country=power)
        if power == "angleterre" and self.free_fleet:
            self.free_fleet = False
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
        if force is None or not force.army or force.power != power or not supplied(state, force):
            raise Refused("no_supplied_army", "2.2.2", unit=order.unit)
        if force.steps >= command.limit(force):
            raise Refused("over_command", "4.2.1", force=force.name)
        self.pay(power, SPECIALS[order.unit].cost)
        force.special.append(order.unit)
        state.specials[order.unit] = MAP
        self._built(power, order.unit, force.zone)

    def _send(self, order: Send) -> None:
        """6.3.3: four at most to an ally, four at most for it."""
        state = self.state
        giver, taker = order.giver, order.taker
        for power in (giver, taker):
            if power not in POWERS or state.side_of(power) != self.seat:
                raise Refused("not_your_power", "6.3.3", country=power)
        if giver == taker:
            raise Refused("not_your_power", "6.3.3", country=taker)
        if giver == "espagne" and taker == "france" and not {"24F", "25F"} <= set(state.events):
            raise Refused("spain_sends_nothing", "6.3.3", country=giver)
        if self.got.get(taker, 0) + order.amount > TRANSFER:
            raise Refused("too_much_sent", "6.3.3", country=taker)
        self.pay(giver, order.amount)
        self.got[taker] = self.got.get(taker, 0) + order.amount
        state.resources[taker] += order.amount
        self.desk.tell(ResourcesSent(giver=giver, taker=taker, amount=order.amount, rule="6.3.3"))

    def _card(self, order: BuyCard) -> None:
        """6.3.5: an English card."""
        if self.seat != COALITION or self.state.side_of("angleterre") != COALITION:
            raise Refused("coalition_only", "6.3.5")
        if order.how == "instead":
            if not self.free_fleet:
                raise Refused("free_fleet_taken", "6.3.5")
            self.free_fleet = False
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

    def _withdraw_land(self, piece: str) -> None:
        state = self.state
        force = state.force_with(piece)
        if force is None:
            raise Refused("not_on_map", "6.3.11", unit=piece)
        self._mine(force.power)
        if piece in force.units:
            if len(force.units) == 1 and force.general:
                raise Refused("general_alone", "2.4.3", force=force.name)
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
        else:
            raise Refused("not_on_map", "6.3.11", unit=piece)
        code, rule = command.command_problem(force)
        if code:
            raise Refused(code, rule, force=force.name)
