"""13: fortresses and sieges."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import charts, luck
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.charts import GENERALS, ZONES
from pbem.games.nce.command import capture
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import (
    ControlTaken,
    FortressActive,
    FortressTaken,
    SiegeLaid,
    SiegeRaised,
    SiegeTried,
)
from pbem.games.nce.events_views import ForecastSiege
from pbem.games.nce.land import aftermath, depots
from pbem.games.nce.land.attrition import lose
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.orders import Garrison
from pbem.games.nce.reactions import freed_by
from pbem.games.nce.state import SEATS, Force, State, enemy
from pbem.kernel.event import Modifier
from pbem.kernel.plan import Refused

MOST_MARKER = 3


def steps_needed(state: State, zone: str) -> int:
    """13.2.1: twice the level."""
    return 2 * state.fortress(zone)


def besiegers(state: State, zone: str, side: str) -> int:
    """The steps of a side outside the fortress."""
    return sum(force.strength for force in state.at(zone, side))


def lay(desk: Desk, force: Force) -> bool:
    """13.2.1: a siege marker, where an enemy fortress can be besieged."""
    state, zone = desk.state, force.zone
    hostile = bool(state.fortress(zone)) and state.controller(zone) == enemy(force.side)
    if not hostile or state.at(zone, enemy(force.side)) or zone in state.siege:
        return zone in state.siege
    if besiegers(state, zone, force.side) < steps_needed(state, zone):
        return False
    state.siege[zone] = 0
    desk.tell(SiegeLaid(force=force.name, zone=zone, rule="13.2.1"))
    return True


def raise_sieges(desk: Desk, retreat: Sequence[str] = (), *, leaving: Force | None = None) -> None:
    """13.3.1, 13.3.2, 13.3.4: sieges without enough besiegers end; these withdraw and the besieged come out. So do
    sieges of a fortress whose owner has left the war.

    Who is freed by a besieger that leaves does not intercept it (13.3.3).
    """
    state = desk.state
    for zone in list(state.siege):
        side, at_war = enemy(state.controller(zone)), state.controller(zone) in SEATS
        enough = besiegers(state, zone, side) >= steps_needed(state, zone)
        if state.fortress(zone) and at_war and enough:
            continue
        del state.siege[zone]
        desk.tell(SiegeRaised(zone=zone, rule="13.3.1"))
        if state.fortress(zone) and at_war:
            _withdraw(desk, zone, side, retreat)
    for force in list(state.forces.values()):
        if force.id not in state.forces or not force.inside or force.zone in state.siege:
            continue
        if state.at(force.zone, enemy(force.side)):
            continue
        for other in state.at(force.zone, force.side, inside=True):
            other.inside = False
            other.freed = freed_by(state, leaving) if leaving is not None else ""
        aftermath.settle(desk, force.zone, force.side)


def stand_before(desk: Desk) -> None:
    """13.2.1, 4.1.2: after an action, who stands before an enemy fortress besieges it, however he came there; too few
    to do so leave it to the troops inside (13.3.1).
    """
    state = desk.state
    for force in list(state.forces.values()):
        zone = force.zone
        if force.id not in state.forces or force.inside or force.side not in SEATS:
            continue
        if not state.hostile_fortress(zone, force.side) or state.at(zone, enemy(force.side)):
            continue
        if not lay(desk, force) and state.at(zone, enemy(force.side), inside=True):
            _withdraw(desk, zone, force.side, ())


def _withdraw(desk: Desk, zone: str, side: str, retreat: Sequence[str]) -> None:
    """13.3.1: besiegers who are too few go to an adjacent zone by the rules of retreat, where they are supplied."""
    stack = [force for force in desk.state.at(zone, side) if not desk.state.at(zone, enemy(side))]
    if stack:
        beaten = Side(desk, "defender", stack)
        beaten.other, beaten.retreat = beaten, tuple(retreat)
        goal, fortress = aftermath.retreat_goal(desk.state, beaten, zone, fed=True)
        aftermath.retreat(desk, beaten, zone, goal, fortress, 0)


def modifiers(state: State, force: Force, zone: str, *, event: int = 0) -> list[Modifier]:
    """13.2.3: general against general, army, citadel, the marker, a card."""
    attack = GENERALS[force.general].attack if force.general else 0
    inside = [other for other in state.at(zone, enemy(force.side), inside=True) if other.general]
    defence = max((GENERALS[other.general].defence for other in inside), default=0)
    found = [
        Modifier("besieger_value", attack, "13.2.3"),
        Modifier("besieged_value", -defence, "13.2.3"),
        Modifier("army", 1 if force.army else 0, "13.2.3"),
        Modifier("citadel", -2 if state.fortress(zone) == 2 else 0, "13.2.3"),
        Modifier("siege_marker", state.siege.get(zone, 0), "13.2.4"),
        Modifier("card", event, "7.3"),
    ]
    return [modifier for modifier in found if modifier.value]


async def attempt(
    desk: Desk,
    force: Force,
    *,
    event: int = 0,
    losses: Sequence[str] = (),
    retreat: Sequence[str] = (),
    landing: bool = False,
) -> str:
    """13.2.2, 13.2.3, 13.2.4: one attempt; its result. A rehearsal hopes for honours."""
    state, zone = desk.state, force.zone
    if not state.fortress(zone) or state.controller(zone) != enemy(force.side):
        raise Refused("no_enemy_fortress", "13.2.1", zone=zone)
    if state.at(zone, enemy(force.side)):
        raise Refused("enemy_outside", "13.2.1", zone=zone)
    if besiegers(state, zone, force.side) < steps_needed(state, zone):
        raise Refused("too_few_besiegers", "13.2.1", zone=zone, needed=steps_needed(state, zone))
    if force.unsupplied:
        raise Refused("siege_unsupplied", "11.5", zone=zone)
    if zone == "lisbonne" and state.flag("siege_ban_lisbonne"):
        raise Refused("siege_banned", "7.3", zone=zone)
    if state.flag("truce"):
        raise Refused("truce", "7.3", zone=zone)
    lay(desk, force)
    if desk.dry:
        percent = tuple(round(100 * chance) for chance in odds(state, force, zone, 3))
        desk.note(ForecastSiege(zone=zone, force=force.name, chances=percent, rule="13.2.3"))
        take(desk, force, "honneurs")
        return "honneurs"
    reasons = modifiers(state, force, zone, event=event)
    label, (die,) = desk.roll("siege", zone, rule="13.2.3", seat=force.side)
    total = die + sum(modifier.value for modifier in reasons)
    result = charts.siege_result(total)
    taken = result in ("honneurs", "breche")
    if not taken:
        state.siege[zone] = min(MOST_MARKER, state.siege[zone] + 1)
    desk.tell(
        SiegeTried(
            force=force.name,
            zone=zone,
            die=die,
            total=total,
            result=result,
            marker=0 if taken else state.siege[zone],
            modifiers=tuple(reasons),
            draws=(label,),
            luck=(luck.siege(force.side, total - die, taken=taken),),
            rule="13.2.3",
        )
    )
    if taken:
        take(desk, force, result)
    elif result == "repousse":
        lose(desk, force, 1, list(force.units), losses)
        if not landing:
            raise_sieges(desk, retreat)
    return result


def take(desk: Desk, force: Force, result: str) -> None:
    """13.2.0, 13.2.5, 13.4.1: the fortress falls: marker, empty fortress, its garrison gone or marching home."""
    state, zone, side = desk.state, force.zone, force.side
    for inside in state.at(zone, enemy(side), inside=True):
        capture(state, inside, honours=result == "honneurs")
    state.siege.pop(zone, None)
    mark(desk, zone, side, told=False)
    if zone not in state.empty:
        state.empty.append(zone)
    desk.tell(FortressTaken(zone=zone, side=side, result=result, rule="13.2.5"))


def mark(desk: Desk, zone: str, side: str, *, told: bool = True) -> None:
    """3.2.3: a control marker; none where the zone goes back to its own side."""
    state = desk.state
    if state.controller(zone) == side or not ZONES[zone].city:
        return
    if state.home_side(zone) == side:
        state.control.pop(zone, None)
    else:
        state.control[zone] = side
        takers = [state.patron(force.power) for force in state.at(zone, side)]
        state.takers[zone] = takers[0] if takers else ""
    if told:
        desk.tell(ControlTaken(zone=zone, side=side, rule="3.2.3"))
    own = [power for power in state.fixed.pop(zone, []) if state.side_of(power) == side]
    if own:
        state.fixed[zone] = own


def claim(desk: Desk, force: Force) -> None:
    """3.2.3c: a battle won in a zone without active fortress gives the marker, in supply; to a defender as well."""
    state, zone = desk.state, force.zone
    if state.controller(zone) != enemy(force.side) or state.fortress(zone):
        return
    if desk.dry or supplied(state, force):
        mark(desk, zone, force.side)


def open_gates(desk: Desk, zone: str, side: str) -> None:
    """35C, 13.4.1: a town goes over by itself; a fortress is empty then."""
    desk.state.siege.pop(zone, None)
    mark(desk, zone, side)
    if ZONES[zone].fortress and zone not in desk.state.empty:
        desk.state.empty.append(zone)


def garrison(desk: Desk, force: Force, by: str, losses: Sequence[str] = ()) -> None:
    """13.4.2: a depot or a step makes the fortress just taken active."""
    state, zone = desk.state, force.zone
    if zone not in state.empty or state.controller(zone) != force.side:
        raise Refused("nothing_to_garrison", "13.4.2", zone=zone)
    if force.side == "empire" and state.flag("scorched_earth") and state.owner_of(zone) == "russie":
        raise Refused("scorched", "13.4.2", zone=zone)
    if by == "depot":
        _use_depot(state, force)
    else:
        if force.strength < 2:
            raise Refused("no_step_to_spare", "13.4.2", force=force.name)
        lose(desk, force, 1, list(force.units), losses)
    state.empty.remove(zone)
    desk.tell(FortressActive(zone=zone, side=force.side, by=by, rule="13.4.2"))


def _use_depot(state: State, force: Force) -> None:
    """13.4.2, 2.3.1: a mobile depot of the force, or a fixed one of the zone; the commander's own first."""
    fixed = depots.fixed_of(state, force.zone, force.side)
    if force.depots:
        force.depots.remove(force.power if force.power in force.depots else force.depots[0])
    elif fixed:
        depots.take_off(state, force.zone, force.power if force.power in fixed else fixed[0])
    else:
        nearest = (Garrison("step"),) if force.strength > 1 else ()
        raise Refused("no_depot", "13.4.2", nearest=nearest, force=force.name)


def odds(state: State, force: Force, zone: str, tries: int) -> list[float]:
    """13.2.3: the chance that the fortress has fallen after each of so many tries."""
    base = sum(m.value for m in modifiers(state, force, zone)) - state.siege.get(zone, 0)
    marker, standing, chances = state.siege.get(zone, 0), 1.0, []
    for _ in range(tries):
        standing *= 1 - luck.falls(base + marker)
        chances.append(1 - standing)
        marker = min(MOST_MARKER, marker + 1)
    return chances
