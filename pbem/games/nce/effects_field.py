"""7.3: operations of events on forces, pieces and the field."""

from __future__ import annotations

from pbem.games.nce import attrition, board, command, diplomacy, score, siege
from pbem.games.nce.charts import COUNTRIES, FLEETS, GENERALS, UNITS, ZONES
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.effects import Effect, Result, until
from pbem.games.nce.events import (
    DepotTaken,
    EffectBegins,
    PieceBuilt,
    StepsLost,
)
from pbem.games.nce.naval_flight import go_to_port
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.places import reinforcement_zones, restorable, supplied_armies
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import (
    ASIDE,
    COALITION,
    EMPIRE,
    MAP,
    OUT,
    POOL,
    Force,
    State,
    enemy,
)
from pbem.games.nce.tempo import Grant, now
from pbem.kernel.event import Modifier


async def op_activate(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    for _ in range(int(effect["count"])):
        result.grants.append(
            Grant(
                who=str(effect["who"]),
                march=int(effect.get("forced_march_max", 3)),
                no_attrition=bool(effect.get("no_attrition", False)),
                extra=int(effect.get("extra_mp", 0)),
                attrition=int(effect.get("attrition_mod", 0)),
            )
        )


async def op_campaign(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """10.7: several forces, of any initiative."""
    result.campaign = True
    result.grants += [Grant(who="own_force")] * int(effect["count"])


async def op_ap(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.points += int(effect["n"])


async def op_bridging(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.bridged = True


async def op_naval(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.naval = str(effect["power"])


async def op_amphibious(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.naval, result.amphibious = "angleterre", int(effect["steps_max"])


async def op_place_unit(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Units appear at full strength, free."""
    state = desk.state
    units = [u for u in effect["units"] if state.units[u] in (ASIDE, POOL)]
    if effect.get("of") == "chosen_country":
        units = [u for u in units if UNITS[u].power == order.country]
    general = str(effect.get("general", ""))
    for number, unit in enumerate(units):
        power = UNITS[unit].power
        owner = state.side_of(power) if COUNTRIES[power].kind != "revolt" else COALITION
        if COUNTRIES[power].kind == "revolt":
            state.status[power] = "revolt"
        zone = _site(state, effect, order, power, owner, number)
        if not zone:
            state.units[unit] = POOL
            continue
        force = diplomacy.place(desk, unit, zone, owner)
        if COUNTRIES[power].kind == "revolt" and not state.fortress(zone):
            siege.mark(desk, zone, COALITION)
        if general and state.generals[general] in (ASIDE, POOL) and not force.general:
            force.general = general
            settle_places(state, force)
            general = ""
    if general and state.generals[general] == ASIDE:
        _bring_general(state, general)
    if units and units[0] == "tyrol":
        diplomacy.separate(desk)


def _bring_general(state: State, general: str) -> None:
    """A general enters with his country's lone corps, else his reserve."""
    power = GENERALS[general].power
    state.generals[general] = POOL
    for force in state.forces.values():
        if force.power == power and not force.general:
            force.general = general
            state.generals[general] = MAP
            return


def _site(state: State, effect: Effect, order: PlayEvent, power: str, side: str, number: int) -> str:
    """The zone for a new unit: the player's choice among the legal ones, else the first."""
    legal: list[str] = []
    for where in effect["where"]:
        if where in ZONES:
            legal.append(where)
        elif where == "reinforcement_zone":
            legal += reinforcement_zones(state, power)
        elif where == "home_city_free":
            legal += [
                z
                for z, r in ZONES.items()
                if r.city and state.owner_of(z) == power and state.controller(z) == side
            ]
    open_ = [z for z in legal if not state.at(z, enemy(side), inside=None)]
    if effect.get("no_unit_of"):
        open_ = [z for z in open_ if not any(f.power == effect["no_unit_of"] for f in state.at(z))]
    free = [z for z in open_ if not state.at(z, side, inside=None)] or [
        z for z in open_ if any(f.general for f in state.at(z, side))
    ]
    wanted = [z for z in order.zones if z in free]
    if wanted:
        return wanted[min(number, len(wanted) - 1)]
    return free[0] if free else ""


async def op_place_special(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """2.2.2: a special unit enters a supplied army of its power."""
    state, unit = desk.state, str(effect["unit"])
    armies = [f for f in supplied_armies(state, str(effect["power"])) if f.steps < command.limit(f)]
    named = [f for f in armies if f.general == order.force]
    if not armies:
        raise Refused("no_supplied_army", "2.2.2", card=order.card)
    force = (named or armies)[0]
    force.special.append(unit)
    state.specials[unit] = MAP
    desk.tell(PieceBuilt(power=str(effect["power"]), piece=unit, zone=force.zone, rule="2.2.2"))


async def op_place_fleet(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state = desk.state
    port = str(effect["where"][0])
    fleets = [f for f, p in state.fleets.items() if FLEETS[f].power == effect["power"] and p in (POOL, OUT)]
    if fleets and state.controller(port) == side and len(state.fleets_at(f"port:{port}")) < 3:
        fleet = next((f for f in fleets if state.fleets[f] == POOL), fleets[0])
        state.fleets[fleet] = f"port:{port}"
        desk.tell(PieceBuilt(power=str(effect["power"]), piece=fleet, zone=port, rule="7.3"))


async def op_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Steps restored or built free."""
    state = desk.state
    left = int(effect["n"])
    powers = {str(effect["power"])} if "power" in effect else set()
    owner = str(effect.get("side", side))
    if effect["mode"] in ("restore", "both"):
        for force, unit in restorable(state, owner, powers, effect):
            if left and force.steps < command.limit(force):
                force.units[unit] += 1
                left -= 1
                desk.tell(
                    PieceBuilt(
                        power=UNITS[unit].power,
                        piece=unit,
                        zone=force.zone,
                        steps=force.units[unit],
                        rule="7.3",
                    )
                )
    if effect["mode"] in ("build", "both"):
        for unit, place in list(state.units.items()):
            record = UNITS[unit]
            if left <= 0 or place != POOL or record.power not in powers or record.type not in effect["types"]:
                continue
            zones = reinforcement_zones(state, record.power)
            free = [
                z for z in zones if not state.at(z, owner) or any(_room(f, unit) for f in state.at(z, owner))
            ]
            if free:
                steps = min(left, record.steps)
                diplomacy.place(desk, unit, free[0], owner, steps)
                left -= steps


def _room(force: Force, unit: str) -> bool:
    probe = Force(id="", side=force.side, zone=force.zone, units={unit: UNITS[unit].steps})
    return not command.may_join(force, probe)[0]


async def op_depots(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    armies = supplied_armies(desk.state, str(effect["power"]))
    for number in range(int(effect["n"])):
        if armies:
            armies[number % len(armies)].depots.append(str(effect["power"]))


async def op_rally(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    force = desk.state.force_with(order.force) if order.force else None
    if force is None or force.side != side or not force.demoralised or force.power != "france":
        raise Refused("name_a_force", "7.3", card=order.card)
    force.demoralised = False


async def op_attrition(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Enemy forces make an attrition test."""
    state = desk.state
    other = enemy(side)
    able = [f for f in state.of(other) if _exposed(state, f, effect)]
    if effect["target"] != "each_enemy_force":
        named = state.force_with(order.force) if order.force else None
        if named is None or named not in able:
            raise Refused("name_a_force", "7.3", card=order.card)
        able = [named] * int(effect.get("count", 1))
    for force in able:
        if force.id not in state.forces:
            continue
        mods = attrition.standing_modifiers(state, force, winter=False, final=True)
        extra = int(effect.get("mod", 0))
        if extra:
            mods.append(Modifier("card", extra, "7.3"))
        await attrition.suffer(desk, force, mods, ignore=tuple(effect.get("ignore", ())))


def _exposed(state: State, force: Force, effect: Effect) -> bool:
    zone = force.zone
    if "countries" in effect or "provinces" in effect:
        owner = state.owner_of(zone)
        inside = owner in effect.get("countries", ()) or ZONES[zone].province in effect.get("provinces", ())
        if not inside:
            return False
    if "region" in effect and not board.in_region(zone, str(effect["region"])):
        return False
    if effect.get("adjacent_to") == "force:russie":
        near = board.neighbours(zone)
        if not any(f.power == "russie" and f.zone in near for f in state.of(COALITION)):
            return False
    if effect.get("not_on") == "supply_source":
        from pbem.games.nce.supply import sources

        if zone in sources(state, force.side, force.power):
            return False
    return force.strength >= int(effect.get("min_steps", 0))


async def op_destroy_depot(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """21C: a depot near a Russian force."""
    state = desk.state
    near: set[str] = set()
    for force in state.of(side):
        if force.power == "russie":
            near |= set(board.distances(force.zone, int(effect["within_mp"]))[0])
    for force in state.of(enemy(side)):
        if force.zone in near and force.depots and order.force in ("", *force.generals, *force.units):
            force.depots.pop()
            desk.tell(DepotTaken(zone=force.zone, side=side, rule="7.3"))
            return
    for zone in sorted(near & set(state.fixed)):
        if any(state.side_of(power) == enemy(side) for power in state.fixed[zone]):
            del state.fixed[zone]
            desk.tell(DepotTaken(zone=zone, side=side, rule="7.3"))
            return


async def op_lose_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """48F: a step of Spanish milice near an Empire general."""
    state = desk.state
    near: set[str] = set()
    for force in state.of(side):
        if force.general and state.owner_of(force.zone) == effect["country"]:
            near |= {force.zone, *board.neighbours(force.zone)}
    for force in state.of(enemy(side)):
        units = [u for u in force.units if UNITS[u].type in effect["types"]]
        if force.zone in near and units and not force.inside:
            name, zone = force.name, force.zone
            gone = command.lose_step(state, force, units[0])
            desk.tell(
                StepsLost(
                    force=name, zone=zone, pieces=(units[0],), gone=(units[0],) if gone else (), rule="7.3"
                )
            )
            return


async def op_control(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """33F: markers in Spanish zones beside one's own."""
    state = desk.state
    number = 0
    for zone in order.zones:
        fits = (
            zone in ZONES
            and state.owner_of(zone) == effect["country"]
            and ZONES[zone].city
            and not ZONES[zone].fortress
            and not state.at(zone)
            and any(score.held(state, near, side) for near in board.neighbours(zone))
        )
        if not fits or number >= int(effect["zones"]):
            raise Refused("cannot_mark_there", "7.3", zone=zone)
        siege.mark(desk, zone, side)
        number += 1
    if not number:
        raise Refused("name_zones", "7.3", card=order.card)


async def op_move_enemy(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """27F: an enemy force is led astray by its base movement factor."""
    from pbem.games.nce.reactions import may_stand
    from pbem.games.nce.tempo import weather_loss

    state = desk.state
    force = state.force_with(order.force) if order.force else None
    if force is None or force.side != enemy(side) or force.inside:
        raise Refused("name_a_force", "7.3", card=order.card)
    most = force.movement - weather_loss(state, force)

    def may(here: str, there: str) -> bool:
        free = not state.at(there, inside=None)
        ground = state.controller(there) == force.side or state.free_passage(there)
        return free and ground and may_stand(state, there, force.side)

    far, _ = board.distances(force.zone, most, may)
    if order.to not in far:
        raise Refused("no_way", "7.3", zone=order.to, left=most)
    state.moves.append((force.zone, order.to, force.side))
    force.zone = order.to
    if not desk.dry:
        siege.raise_sieges(desk)


async def op_mud(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags["mud"] = until(desk.state, str(effect["until"]))
    desk.tell(EffectBegins(name="mud", rule="7.3"))


async def op_truce(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags["truce"] = until(desk.state, str(effect["until"]))
    desk.tell(EffectBegins(name="truce", rule="7.3"))


async def op_weather(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags[f"rain_{desk.state.round}"] = now(desk.state)
    desk.tell(EffectBegins(name="rain", rule="14"))


async def op_siege_ban(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags[f"siege_ban_{effect['zone']}"] = until(desk.state, str(effect["until"]))


async def op_lasting_combat(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """48C: two more for the defender of Lisbonne until the end of the turn."""
    if "until" in effect:
        desk.state.flags["torres_vedras"] = until(desk.state, str(effect["until"]))


async def op_scorched(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags["scorched_earth"] = until(desk.state, str(effect["until"]))
    desk.tell(EffectBegins(name="scorched_earth", rule="7.3"))


async def op_take_over(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """40F: corps of a forced ally serve with the nearest force that can lead them."""
    state = desk.state
    wanted = [u for u in order.units if u in UNITS and state.status.get(UNITS[u].power) == "forced_alliance"]
    if not wanted or len(wanted) > int(effect["corps"]) or len({UNITS[u].power for u in wanted}) > 1:
        raise Refused("name_units", "7.3", card=order.card)
    for unit in wanted:
        owner = state.force_with(unit)
        if owner is None or not state.national(owner.zone, UNITS[unit].power):
            raise Refused("name_units", "7.3", card=order.card)
        part = owner if len(owner.units) == 1 and not owner.general else None
        if part is None:
            if len(owner.units) == 1:
                raise Refused("general_alone", "2.4.3", force=owner.name)
            part = command.detach(state, owner, [unit])
        able = [f for f in state.of(EMPIRE) if f.general and not command.may_join(f, part)[0]]
        if not able:
            raise Refused("no_force_for_units", "4.2.3", card=order.card)
        far, _ = board.distances(part.zone, board.FAR - 1)
        goal = min(able, key=lambda f: (far.get(f.zone, board.FAR), f.id))
        state.flags[f"lent_{unit}"] = 99999
        part.side, part.zone = EMPIRE, goal.zone
        command.join(state, goal, part)


async def op_storm(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """10F: in one sea the fleets of a side run for port."""
    state, other = desk.state, str(effect["side"])
    seas = [zone for zone in order.zones if zone not in ZONES]
    if not seas:
        raise Refused("name_a_sea", "7.3", card=order.card)
    sea = seas[0]
    fleets = state.fleets_at(f"sea:{sea}", other)
    fleets += [f for port in board.ports_of(sea) for f in state.fleets_at(f"box:{port}", other)]
    for fleet in fleets:
        go_to_port(desk, fleet, sea, most=99)
