"""7.3: operations of events that bring steps, units, special units, fleets and depots."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.games.nce import command
from pbem.games.nce.cards.effects import Effect, Result
from pbem.games.nce.cards.reaction_cards import Choice
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, GENERALS, UNITS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_powers import PieceBuilt
from pbem.games.nce.land import siege
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.powers import diplomacy, tyrol
from pbem.games.nce.powers.places import reinforcement_zones, supplied_armies
from pbem.games.nce.replies import Choose
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import (
    ASIDE,
    COALITION,
    MAP,
    NEUTRAL,
    OUT,
    POOL,
    SEATS,
    Force,
    State,
    enemy,
)
from pbem.kernel.plan import Refused

MOST_IN_PORT = 3


def armies(state: State, side: str) -> list[Force]:
    """[selector] supplied_army: armies of a side in supply."""
    return [force for force in state.of(side) if force.army and supplied(state, force)]


def sites(
    state: State, effect: Effect, unit: str, side: str, steps: int = 0, *, general: str = ""
) -> list[str]:
    """The zones in which an event may place a unit: by the card's words, and by stacking (4.1.1)."""
    power = UNITS[unit].power
    legal: dict[str, None] = {}
    with_army: set[str] = set()
    for where in effect["where"]:
        if where in ZONES:
            legal[where] = None
        elif where == "reinforcement_zone":
            legal |= dict.fromkeys(reinforcement_zones(state, power))
        elif where == "home_city_free":
            legal |= dict.fromkeys(_free_cities(state, power, side))
        elif where == "supplied_army":
            with_army |= {force.zone for force in armies(state, side)}
    banned = str(effect.get("no_unit_of", ""))
    probe = Force(id="", side=side, zone="", general=general, units={unit: steps or UNITS[unit].steps})

    def fits(zone: str) -> bool:
        if state.at(zone, enemy(side), inside=None) or any(f.power == banned for f in state.at(zone)):
            return False
        friends = state.at(zone, side, inside=None)
        if zone in with_army and zone not in legal:
            friends = [force for force in friends if force.army]
        elif not friends:
            return True
        return any(not command.may_join(force, probe)[0] for force in friends)

    return [zone for zone in (*legal, *sorted(with_army - set(legal))) if fits(zone)]


def _free_cities(state: State, power: str, side: str) -> list[str]:
    """[selector] home_city_free: city, port or fortress at home, without enemy."""
    return [
        z for z, r in ZONES.items() if r.city and state.owner_of(z) == power and state.controller(z) == side
    ]


def _pick_site(
    state: State, free: Sequence[str], wanted: Sequence[str], number: int, card: str, side: str
) -> str:
    """The player's zone; the empty one next on the list where he names fewer zones than units."""
    if number < len(wanted):
        if wanted[number] not in free:
            raise Refused("cannot_place_there", "7.3", zone=wanted[number], zones=tuple(free), card=card)
        return wanted[number]
    if wanted and wanted[-1] in free:
        return wanted[-1]
    empty = [zone for zone in free if not state.at(zone, side, inside=None)]
    return (empty or list(free) or [""])[0]


async def op_place_unit(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Units appear at full strength, free; a general with the first of them."""
    state = desk.state
    if "tyrol" in effect["units"]:
        await tyrol.rises(desk)
        return
    units = [u for u in effect["units"] if state.units[u] in (ASIDE, POOL)]
    if effect.get("of") == "chosen_country":
        units = [u for u in units if UNITS[u].power == order.country]
    if not set(order.units) <= set(units) and "steps" not in _ops(order.card):
        raise Refused("name_units", "7.3", card=order.card, units=tuple(units))
    named = [u for u in order.units if u in units]
    rest = [u for u in units if u not in named]
    general = str(effect.get("general", ""))
    general = general if general and state.generals[general] in (ASIDE, POOL) else ""
    if general:
        state.generals[general] = POOL
        rest.sort(key=lambda unit: UNITS[unit].type == "militia")
        _with_unit(desk, effect, general)
    for number, unit in enumerate([*named, *rest]):
        leader = general if general and state.generals[general] == POOL else ""
        _appear(desk, unit, effect, order, number, leader)


def _ops(card: str) -> set[str]:
    return {str(effect["op"]) for effect in CARDS[card].effect}


def _with_unit(desk: Desk, effect: Effect, general: str) -> None:
    """[selector] with_unit: he takes over the corps of his country; the reserve where another leads it."""
    for where in effect["where"]:
        force = desk.state.force_with(where.partition(":")[2]) if where.startswith("with_unit:") else None
        if force is not None and not force.general:
            force.general = general
            settle_places(desk.state, force)
            _told(desk, general, force.zone)


def _told(desk: Desk, general: str, zone: str) -> None:
    desk.tell(PieceBuilt(power=GENERALS[general].power, piece=general, zone=zone, rule="7.3"))


def _appear(desk: Desk, unit: str, effect: Effect, order: PlayEvent, number: int, general: str) -> None:
    """One unit of the event, under the general where one comes along."""
    state = desk.state
    power = UNITS[unit].power
    revolt = COUNTRIES[power].kind == "revolt"
    owner = COALITION if revolt else state.side_of(power)
    owner = owner if owner in SEATS else NEUTRAL
    wanted = [zone for zone in order.zones if zone in ZONES]
    free = sites(state, effect, unit, owner, general=general)
    zone = _pick_site(state, free, wanted, number, order.card, owner)
    if not zone:
        if revolt:
            raise Refused("no_site", "7.3", card=order.card)
        state.units[unit] = POOL
        return
    if revolt:
        state.status[power] = "revolt"
    if general:
        _told(desk, general, zone)
    diplomacy.place(desk, unit, zone, owner, general=general)
    if revolt and not state.fortress(zone):
        siege.mark(desk, zone, COALITION)


async def op_place_special(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """2.2.2: a special unit enters a supplied army of its power."""
    state, unit = desk.state, str(effect["unit"])
    able = [f for f in supplied_armies(state, str(effect["power"])) if f.steps < command.limit(f)]
    named = [f for f in able if f.general == order.force]
    if not able or (order.force and not named) or state.specials[unit] == MAP:
        forces = tuple(force.name for force in able)
        raise Refused("no_supplied_army", "2.2.2", card=order.card, forces=forces)
    force = (named or able)[0]
    force.special.append(unit)
    state.specials[unit] = MAP
    desk.tell(PieceBuilt(power=str(effect["power"]), piece=unit, zone=force.zone, rule="2.2.2"))


async def op_place_fleet(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """52F: a fleet of the pool, or one lost for good, at its port."""
    state = desk.state
    port = str(effect["where"][0])
    lost = [f for f, p in state.fleets.items() if FLEETS[f].power == effect["power"] and p in (POOL, OUT)]
    lost.sort(key=lambda fleet: state.fleets[fleet] != POOL)
    named = [fleet for fleet in order.units if fleet in lost]
    if len(named) != len(order.units) or len(named) > int(effect["n"]):
        raise Refused("name_units", "7.3", card=order.card, units=tuple(lost))
    if not lost or state.controller(port) != side or len(state.fleets_at(f"port:{port}")) >= MOST_IN_PORT:
        raise Refused("no_fleet_there", "7.3", card=order.card, zone=port)
    fleet = (named or lost)[0]
    state.fleets[fleet] = f"port:{port}"
    desk.tell(PieceBuilt(power=str(effect["power"]), piece=fleet, zone=port, rule="7.3"))


def restorable(state: State, side: str, effect: Effect) -> list[str]:
    """Reduced units that an event may restore, the best first."""
    power = str(effect.get("power", ""))
    found = []
    for force in state.of(side):
        for unit, steps in force.units.items():
            record = UNITS[unit]
            if steps >= record.steps or record.type not in effect["types"] or power not in ("", record.power):
                continue
            if _can_lead(force, unit, 1) and _within(state, force, unit, effect):
                found.append(unit)
    return sorted(found, key=lambda unit: (-UNITS[unit].stars, unit))


def _can_lead(force: Force, unit: str, steps: int) -> bool:
    """4.2.1, 4.2.3: whether a force may hold so many more steps of one of its units."""
    fuller = {**force.units, unit: force.units[unit] + steps}
    return not command.command_problem(msgspec.structs.replace(force, units=fuller))[0]


def _within(state: State, force: Force, unit: str, effect: Effect) -> bool:
    """Whether a unit on the map stands where the card says."""
    power = UNITS[unit].power
    for where in effect["where"]:
        if where == force.zone:
            return True
        if where == "reinforcement_zone" and force.zone in reinforcement_zones(state, power):
            return True
        if where == "supplied_army" and force.army and supplied(state, force):
            return True
        if where == "national_territory" and state.national(force.zone, power) and supplied(state, force):
            return True
        if where == "supplied" and supplied(state, force):
            return True
    return False


async def op_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Steps restored or built free: to those that the player names first, one to each before a second."""
    state, left = desk.state, int(effect["n"])
    owner = str(effect.get("side", side))
    weak = restorable(state, owner, effect) if effect["mode"] in ("restore", "both") else []
    new = _buildable(state, effect) if effect["mode"] in ("build", "both") else []
    named = list(order.units) if owner == side else await _chosen(desk, owner, order.card, left, weak)
    if not set(named) <= {*weak, *new} and "place_unit" not in _ops(order.card):
        raise Refused("name_units", "7.3", card=order.card, units=(*weak, *new))
    named = [unit for unit in dict.fromkeys(named) if unit in (*weak, *new)]
    gift = Gift(desk, owner, effect, order if owner == side else PlayEvent(order.card))
    for unit, steps in _shares(state, named, left).items():
        left -= gift.give(unit, steps)
    for unit in (*weak, *new):
        if unit not in named and left:
            left -= gift.give(unit, min(left, _lacks(state, unit)))


def _lacks(state: State, unit: str) -> int:
    force = state.force_with(unit)
    return UNITS[unit].steps - (force.units[unit] if force is not None else 0)


def _shares(state: State, units: Sequence[str], number: int) -> dict[str, int]:
    """How the steps go round: one to each, then what they still lack."""
    shares = dict.fromkeys(units[:number], 1)
    left = number - len(shares)
    for unit in shares:
        more = min(left, _lacks(state, unit) - 1)
        shares[unit] += more
        left -= more
    return shares


class Gift:
    """Free steps being given out."""

    def __init__(self, desk: Desk, owner: str, effect: Effect, order: PlayEvent) -> None:
        self.desk, self.owner, self.effect, self.order = desk, owner, effect, order
        self.built = 0

    def give(self, unit: str, steps: int) -> int:
        """Restore or build a unit: how many steps it could take."""
        state = self.desk.state
        force = state.force_with(unit)
        if force is None:
            wanted = [zone for zone in self.order.zones if zone in ZONES]
            free = sites(state, self.effect, unit, self.owner, steps)
            zone = _pick_site(state, free, wanted, self.built, self.order.card, self.owner)
            if not zone:
                return 0
            diplomacy.place(self.desk, unit, zone, self.owner, steps)
            self.built += 1
            return steps
        while steps and not _can_lead(force, unit, steps):
            steps -= 1
        if not steps:
            return 0
        force.units[unit] += steps
        self.desk.tell(
            PieceBuilt(
                power=UNITS[unit].power, piece=unit, zone=force.zone, steps=force.units[unit], rule="7.3"
            )
        )
        return steps


def _buildable(state: State, effect: Effect) -> list[str]:
    return [
        unit
        for unit, place in state.units.items()
        if place == POOL and UNITS[unit].power == effect.get("power") and UNITS[unit].type in effect["types"]
    ]


async def _chosen(desk: Desk, owner: str, card: str, number: int, weak: Sequence[str]) -> list[str]:
    """51F: the other side restores what it likes."""
    if desk.dry or len(weak) <= number:
        return list(weak)
    (order,) = await desk.ask(
        Choice(
            key=desk.label("restore", owner),
            seat=owner,
            rule="7.3",
            card=card,
            what="restore",
            number=number,
            choices=tuple(weak),
            usual=tuple(weak[:number]),
        )
    )
    return list(order.pieces) if isinstance(order, Choose) else []


async def op_depots(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Mobile depots for the forces named; else for armies in supply, else for forces at reinforcement zones."""
    state, power = desk.state, str(effect["power"])
    home = reinforcement_zones(state, power)
    able = supplied_armies(state, power)
    able += [f for f in state.of(side) if f.power == power and not f.army and f.zone in home]
    named = [state.force_with(name) for name in (order.force, order.other) if name]
    if any(force not in able for force in named):
        raise Refused("no_depot_there", "7.3", force=order.force, card=order.card)
    takers = [force for force in named if force is not None] or able[: int(effect["n"])]
    for number in range(int(effect["n"])):
        if takers:
            force = takers[min(number, len(takers) - 1)]
            force.depots.append(power)
            desk.tell(PieceBuilt(power=power, piece="depot", zone=force.zone, rule="7.3"))
