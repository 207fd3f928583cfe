"""7.3: operations of events on forces, fleets, depots and the field."""

from __future__ import annotations

from pbem.games.nce import board, command
from pbem.games.nce.cards.effects import Effect, Result, until
from pbem.games.nce.charts import SEAS, UNITS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import EffectBegins
from pbem.games.nce.events_field import DepotTaken, Moved, Rallied, StepsLost, TakenOver
from pbem.games.nce.land import attrition, iberia, siege
from pbem.games.nce.land.march_attrition import chosen
from pbem.games.nce.land.supply import held, sources, supplied
from pbem.games.nce.land.tempo import Grant, now, weather_loss
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.reactions import Test, may_stand, strait_closed
from pbem.games.nce.sea.naval_flight import go_to_port
from pbem.games.nce.state import EMPIRE, SEATS, Force, State, enemy
from pbem.kernel.event import Modifier
from pbem.kernel.plan import Refused


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
    """15.1: all fleets of a power and of its minors, with a limited number of assaults."""
    result.naval, result.assaults = str(effect["power"]), int(effect["assaults"])


async def op_amphibious(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """9C: one squadron, one assault, more than the usual steps."""
    result.naval, result.assaults = "angleterre", 1
    result.landing = int(effect["steps_max"])


def _force_of(state: State, name: str, side: str) -> Force | None:
    """The force that a player names, if it is of that side."""
    force = state.force_with(name) if name else None
    return force if force is not None and force.side == side else None


async def op_rally(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """2F: a demoralised force of a power is rallied without a die."""
    power = str(effect["who"]).partition(":")[2]
    force = _force_of(desk.state, order.force, side)
    if force is None or not force.demoralised or force.power != power:
        able = tuple(f.name for f in desk.state.of(side) if f.demoralised and f.power == power)
        raise Refused("name_a_force", "7.3", card=order.card, forces=able)
    force.demoralised = False
    desk.tell(Rallied(force=force.name, die=0, success=True, rule="7.3"))


async def op_attrition(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Enemy forces make an attrition test; supply, terrain and depots as in a final one."""
    state = desk.state
    able = [f for f in state.of(enemy(side)) if _exposed(state, f, effect)]
    if effect["target"] == "each_enemy_force":
        for force in able:
            await _tested(desk, force, effect)
        return
    struck = _struck(state, able, side, effect, order)
    for target in struck:
        if isinstance(target, str):
            _lose_fixed(desk, target, side)
        elif target.id in state.forces:
            await _tested(desk, target, effect)


def _struck(
    state: State, able: list[Force], side: str, effect: Effect, order: PlayEvent
) -> list[Force | str]:
    """The forces that the player names, and for 44C zones with a depot alone; one alone is struck twice."""
    lone = []
    if effect.get("or_instead") == "destroy_lone_depot":
        lone = [
            zone
            for zone in state.fixed
            if board.in_region(zone, str(effect["region"]))
            and not state.at(zone, enemy(side), inside=None)
            and any(state.side_of(power) == enemy(side) for power in state.fixed[zone])
        ]
    named: list[Force | str] = []
    for name in (order.force, order.other):
        force = _force_of(state, name, enemy(side))
        if name and (force is None or force not in able):
            raise Refused("name_a_force", "7.3", card=order.card, forces=tuple(f.name for f in able))
        if force is not None:
            named.append(force)
    for zone in order.zones:
        if zone not in lone:
            raise Refused("no_lone_depot", "7.3", card=order.card, zone=zone, zones=tuple(lone))
        named.append(zone)
    most = int(effect.get("count", 1))
    if not named or len(named) > most:
        raise Refused("name_a_force", "7.3", card=order.card, forces=tuple(f.name for f in able))
    if len(named) == 1 and isinstance(named[0], Force):
        return named * most
    return named


async def _tested(desk: Desk, force: Force, effect: Effect) -> None:
    """11.6: one test that an event calls for; its owner may spend a depot or a card (D6)."""
    state = desk.state
    if desk.dry or force.id not in state.forces:
        return
    force.unsupplied = not supplied(state, force)
    answer = await desk.ask(
        Test(key=desk.label("test", force.id, force.zone), seat=force.side, rule="11.4", force=force.id)
    )
    spend, losses = chosen(answer)
    mods = attrition.standing_modifiers(state, force, winter=False, final=True)
    extra = int(effect.get("mod", 0))
    if extra:
        mods.append(Modifier("card", extra, "7.3"))
    ignore = tuple(effect.get("ignore", ()))
    await attrition.suffer(desk, force, mods, spend=spend, losses=losses, ignore=ignore)


def _exposed(state: State, force: Force, effect: Effect) -> bool:
    """Whether a force stands within the limits that a card gives."""
    zone = force.zone
    if "countries" in effect or "provinces" in effect:
        owner = state.owner_of(zone)
        inside = owner in effect.get("countries", ()) or ZONES[zone].province in effect.get("provinces", ())
        if not inside:
            return False
    if "region" in effect and not board.in_region(zone, str(effect["region"])):
        return False
    if "adjacent_to" in effect:
        near = board.neighbours(zone)
        if not any(f.zone in near for f in _hunters(state, str(effect["adjacent_to"]))):
            return False
    if effect.get("not_on") == "supply_source" and zone in sources(state, force.side, force.power):
        return False
    return force.steps >= int(effect.get("min_steps", 0))


def _hunters(state: State, selector: str) -> list[Force]:
    """[selector] force:<power>: forces under a general of that power, or its lone units."""
    power = selector.partition(":")[2]
    return [force for force in state.of(state.side_of(power)) if force.power == power]


async def op_destroy_depot(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """21C: one enemy depot near a Russian force: with the force named, or fixed in the zone named."""
    state, foe = desk.state, enemy(side)
    near: set[str] = set()
    for force in _hunters(state, str(effect["of"])):
        near |= set(board.distances(force.zone, int(effect["within_mp"])).cost)
    carriers = [f for f in state.of(foe) if f.zone in near and f.depots]
    fixed = [
        z for z in sorted(near & set(state.fixed)) if any(state.side_of(p) == foe for p in state.fixed[z])
    ]
    named = _force_of(state, order.force, foe)
    forces = tuple(f.name for f in carriers)
    if (order.force and named not in carriers) or not set(order.zones) <= set(fixed):
        raise Refused("no_depot_near", "7.3", card=order.card, forces=forces, zones=tuple(fixed))
    if not carriers and not fixed:
        raise Refused("no_depot_near", "7.3", card=order.card, forces=(), zones=())
    if order.zones or (named is None and not carriers):
        _lose_fixed(desk, (*order.zones, *fixed)[0], side)
        return
    target = named if named is not None else carriers[0]
    target.depots.pop()
    desk.tell(DepotTaken(zone=target.zone, side=side, rule="7.3"))


def _lose_fixed(desk: Desk, zone: str, side: str) -> None:
    """One enemy depot of a zone is destroyed."""
    state = desk.state
    power = next((p for p in state.fixed.get(zone, ()) if state.side_of(p) == enemy(side)), "")
    if not power:
        return
    state.fixed[zone].remove(power)
    if not state.fixed[zone]:
        del state.fixed[zone]
    desk.tell(DepotTaken(zone=zone, side=side, rule="7.3"))


async def op_lose_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """48F: a step of Spanish milice outside a fortress, in the zone of an Empire general in Espagne or next to it."""
    state = desk.state
    near: set[str] = set()
    for force in state.of(side):
        if force.general and state.owner_of(force.zone) == effect["country"]:
            near |= {force.zone, *board.neighbours(force.zone)}
    exposed = [
        (force, unit)
        for force in state.of(enemy(side))
        for unit in force.units
        if force.zone in near
        and not force.inside
        and UNITS[unit].type in effect["types"]
        and UNITS[unit].power == effect["country"]
    ]
    units = tuple(unit for _, unit in exposed)
    if not set(order.units) <= set(units) or len(order.units) > int(effect["n"]):
        raise Refused("name_units", "7.3", card=order.card, units=units)
    chosen = order.units or units[: int(effect["n"])]
    for force, unit in exposed:
        if unit in chosen:
            name, zone = force.name, force.zone
            gone = (unit,) if command.lose_step(state, force, unit) else ()
            desk.tell(StepsLost(force=name, zone=zone, pieces=(unit,), gone=gone, rule="7.3"))


async def op_control(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """33F, 35C: markers in enemy zones of a country beside one's own, without units; fortresses only where it says."""
    state = desk.state
    if not order.zones:
        raise Refused("name_zones", "7.3", card=order.card)
    if len(order.zones) > int(effect["zones"]):
        raise Refused("too_many_zones", "7.3", card=order.card, most=int(effect["zones"]))
    for zone in order.zones:
        fits = (
            zone in ZONES
            and state.owner_of(zone) == effect["country"]
            and ZONES[zone].city
            and (effect["fortress"] or not ZONES[zone].fortress)
            and state.controller(zone) == enemy(side)
            and not state.at(zone, inside=None)
            and any(held(state, near, side) for near in board.neighbours(zone))
        )
        if not fits:
            raise Refused("cannot_mark_there", "7.3", zone=zone)
        siege.open_gates(desk, zone, side)


async def op_move_enemy(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """27F: an enemy force is led astray by its base movement factor, whole, through open ground of its own."""
    state = desk.state
    force = _force_of(state, order.force, enemy(side))
    if force is None or force.inside:
        able = tuple(other.name for other in state.of(enemy(side)) if not other.inside)
        raise Refused("name_a_force", "7.3", card=order.card, forces=able)
    most = max(0, force.movement - weather_loss(state, force))

    def may(here: str, there: str) -> bool:
        if state.at(there, inside=None) or strait_closed(state, here, there, force.side):
            return False
        if command.stuck_at_home(state, force, there):
            return False
        ground = state.controller(there) == force.side or state.free_passage(there)
        return ground and may_stand(state, there, force.side) and not iberia.problem(state, force, there)

    far = board.distances(force.zone, most, may).cost
    if order.to not in far or order.to == force.zone:
        near = tuple(zone for zone in far if zone != force.zone)
        raise Refused("cannot_lead_there", "7.3", zone=order.to, left=most, zones=near)
    start, force.zone = force.zone, order.to
    state.moves.append((start, order.to, force.side))
    desk.tell(
        Moved(
            force=force.name,
            start=start,
            to=order.to,
            cost=far[order.to],
            left=most - far[order.to],
            rule="7.3",
        )
    )
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
    """40F, 4.2.3: corps of a forced ally serve with the nearest force that can lead them."""
    state = desk.state
    able = [
        unit
        for force in state.forces.values()
        for unit in force.units
        if UNITS[unit].type == "corps"
        and state.status.get(UNITS[unit].power) == "forced_alliance"
        and force.side not in SEATS
        and state.national(force.zone, UNITS[unit].power)
    ]
    powers = {UNITS[unit].power for unit in order.units if unit in UNITS}
    few = 0 < len(order.units) <= int(effect["corps"]) and len(powers) == 1
    if not few or not set(order.units) <= set(able):
        raise Refused("name_units", "7.3", card=order.card, units=tuple(able))
    for unit in order.units:
        owner = state.force_with(unit)
        assert owner is not None
        if len(owner.units) == 1 and owner.general:
            raise Refused("general_alone", "2.4.3", force=owner.name)
        part = owner if len(owner.units) == 1 else command.detach(state, owner, [unit])
        code, rule = command.command_problem(owner)
        if code:
            raise Refused(code, rule, force=owner.name)
        goal = _nearest_leader(state, part)
        if goal is None:
            raise Refused("no_force_for_units", "4.2.3", card=order.card)
        state.flags[f"lent_{unit}"] = 99999
        part.side, part.zone = EMPIRE, goal.zone
        command.join(state, goal, part)
        desk.tell(TakenOver(unit=unit, force=goal.name, zone=goal.zone, rule="7.3"))


def _nearest_leader(state: State, part: Force) -> Force | None:
    """[selector] nearest_own_force: the nearest force or army that may command the steps."""
    able = [f for f in state.of(EMPIRE) if f.general and not command.may_join(f, part)[0]]
    far = board.distances(part.zone, board.FAR - 1).cost
    return min(able, key=lambda f: (far.get(f.zone, board.FAR), f.id), default=None)


async def op_storm(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """10F: in one sea the fleets of a side, at sea or blockading, run for the nearest friendly port."""
    state, other = desk.state, str(effect["side"])
    if len(order.zones) != 1 or order.zones[0] not in SEAS:
        raise Refused("name_a_sea", "7.3", card=order.card)
    sea = order.zones[0]
    fleets = state.fleets_at(f"sea:{sea}", other)
    fleets += [f for port in board.ports_of(sea) for f in state.fleets_at(f"box:{port}", other)]
    if not fleets:
        raise Refused("no_fleet_here", "7.3", sea=sea)
    for fleet in fleets:
        go_to_port(desk, fleet, sea, most=99)
