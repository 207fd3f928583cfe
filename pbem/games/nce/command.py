"""4: stacking, command, hierarchy, absorption and consolidation; and how pieces leave the map."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from pbem.games.nce.charts import COUNTRIES, GENERALS, POWERS, SPECIALS, UNITS
from pbem.games.nce.state import ASIDE, MAP, OUT, POOL, WAIT, Force, State

MOST_CAVALRY, MOST_SUBS = 2, 3
DEPOT = "depot:"
"""13.2.5: how a depot is named among what comes back in the budget, before its power."""


def limit(force: Force) -> int:
    """4.2.1, 2.5.2: steps that the commander may hold, doubled with an army marker (2.5.2)."""
    if not force.general:
        return max((UNITS[unit].steps for unit in force.units), default=0)
    return GENERALS[force.general].command * (2 if force.army else 1)


def foreign_steps(force: Force) -> int:
    """4.2.3: steps of other major powers than the commander's."""
    own = force.power
    return sum(
        steps
        for unit, steps in force.units.items()
        if UNITS[unit].power != own and COUNTRIES[UNITS[unit].power].major
    )


def command_problem(force: Force) -> tuple[str, str]:
    """4.2.1, 4.2.2, 4.2.3, 4.2.4, 2.1.5: the code and the rule of what is wrong with a force;
    nothing where it can be led.
    """
    if not force.general:
        if len(force.units) > 1:
            return "no_general", "4.1.1"
        return ("cavalry_needs_army", "2.1.5") if _cavalry_astray(force) else ("", "")
    if force.steps > limit(force):
        return "over_command", "4.2.1"
    foreign = foreign_steps(force)
    if foreign and (foreign > limit(force) // 2 or foreign >= force.steps_of(force.power)):
        return "too_many_allies", "4.2.3"
    if _cavalry_astray(force):
        return "cavalry_needs_army", "2.1.5"
    if sum(n for unit, n in force.units.items() if UNITS[unit].army_only) > MOST_CAVALRY:
        return "too_much_cavalry", "4.2.4"
    if len(force.subs) > (MOST_SUBS if force.army else 0):
        return "too_many_generals", "4.2.4"
    return "", ""


def _cavalry_astray(force: Force) -> bool:
    return not force.army and (any(UNITS[unit].army_only for unit in force.units) or bool(force.special))


def outranks(one: Force, other: Force) -> bool:
    """4.3.1: whether the first commander is above the second; between powers by marker, points, precedence."""
    if not other.general:
        return bool(one.general)
    if not one.general:
        return False
    if one.power == other.power:
        return GENERALS[one.general].rank < GENERALS[other.general].rank
    if bool(one.army) != bool(other.army):
        return bool(one.army)
    if one.strength != other.strength:
        return one.strength > other.strength
    return precedence(one.power) < precedence(other.power)


def precedence(power: str) -> int:
    """4.3.5: the order of powers in a common force."""
    if power in POWERS:
        return POWERS[power].command_precedence
    return 5 if power == "suede" else 8


def lead(forces: Iterable[Force]) -> Force:
    """4.3.5: the force whose commander leads them all."""
    best, *others = forces
    for other in others:
        if outranks(other, best):
            best = other
    return best


def union(one: Force, other: Force) -> tuple[Force, list[str]]:
    """4.3.3, 4.5.1, 4.5.2: the two as one force, and the generals who leave it for the reserve."""
    if one.army or other.army:
        head, tail = (one, other) if one.army else (other, one)
    else:
        head, tail = (one, other) if not outranks(other, one) else (other, one)
    merged = msgspec.structs.replace(
        head,
        units={**head.units, **tail.units},
        special=[*head.special, *tail.special],
        depots=[*head.depots, *tail.depots],
        subs=list(head.subs),
        demoralised=head.demoralised or tail.demoralised,
        unsupplied=head.unsupplied if head.strength > tail.strength else tail.unsupplied,
    )
    spare: list[str] = []
    for general in tail.generals:
        if may_serve(merged, general):
            merged.subs.append(general)
        else:
            spare.append(general)
    return merged, spare


def may_serve(army: Force, general: str) -> bool:
    """4.2.4, 4.3.4, 4.5.8: as a subordinate of an army: lower in rank, or of an allied major with a step in it."""
    if not army.army or len(army.subs) >= MOST_SUBS:
        return False
    record, chief = GENERALS[general], GENERALS[army.general]
    if record.power == chief.power:
        return record.rank > chief.rank
    return COUNTRIES[record.power].major and army.steps_of(record.power) > 0


def may_absorb(active: Force, other: Force) -> bool:
    """4.5.6, 4.3.4, 4.5.3: whether rank lets an active force take steps of an inactive one.

    The higher takes from the lower; nobody from an army but a higher army; not even an army from a higher rank.
    """
    if other.army and not active.army:
        return False
    return outranks(active, other)


def may_join(one: Force, other: Force) -> tuple[str, str]:
    """4.5: whether the two may become one force, as a problem code and its rule."""
    if one.army and other.army:
        return "two_armies", "4.5.3"
    merged, _ = union(one, other)
    return command_problem(merged)


def join(state: State, into: Force, other: Force) -> tuple[Force, list[str]]:
    """4.5.2, 13.2.6: make one force of two; its id is the first one's. Spare generals go to the reserve."""
    merged, spare = union(into, other)
    acted = into.acted if into.army else other.acted if other.army else max(into.acted, other.acted)
    merged.id, merged.acted, merged.zone, merged.inside = into.id, acted, into.zone, into.inside
    del state.forces[other.id]
    state.forces[into.id] = merged
    for general in spare:
        state.generals[general] = WAIT
    return merged, spare


def part(force: Force, pieces: Iterable[str]) -> tuple[list[str], list[str]] | None:
    """4.5.1: the units and the subordinates of a force among some pieces; nothing where a piece is not of it."""
    names = list(pieces)
    units = [piece for piece in names if piece in force.units]
    subs = [piece for piece in names if piece in force.subs]
    if len(units) + len(subs) != len(names) or len(set(names)) < len(names):
        return None
    return units, subs


def militia(force: Force) -> list[str]:
    """2.1.6: the units of a force that may not leave their country."""
    return [unit for unit in force.units if UNITS[unit].home_only]


def stuck_at_home(state: State, force: Force, zone: str) -> list[str]:
    """2.1.6: the militia of a force for which a zone is abroad."""
    return [unit for unit in militia(force) if not state.national(zone, UNITS[unit].power)]


def split_problem(force: Force, pieces: Iterable[str]) -> tuple[str, str]:
    """4.5.1, 4.2.5, 2.4.3: why some pieces cannot stand apart from the rest of their force."""
    chosen = part(force, pieces)
    if chosen is None:
        return "not_with_force", "4.5.1"
    units, subs = chosen
    if not units:
        return "general_alone", "2.4.3"
    if len(units) >= len(force.units):
        return "someone_must_stay", "4.5.1"
    if len(subs) > 1:
        return "too_many_generals", "4.2.4"
    left = Force(id="", side=force.side, zone=force.zone, general=subs[0] if subs else "")
    left.units = {unit: force.units[unit] for unit in units}
    rest = msgspec.structs.replace(
        force,
        units={unit: n for unit, n in force.units.items() if unit not in units},
        subs=[general for general in force.subs if general not in subs],
    )
    code, rule = command_problem(left)
    return (code, rule) if code else command_problem(rest)


def detach(state: State, force: Force, units: Iterable[str], generals: Iterable[str] = ()) -> Force:
    """4.5.1: leave units, under one of the subordinates where one is named, as a force of their own."""
    names = list(units)
    chosen = list(generals)
    left = Force(
        id="",
        side=force.side,
        zone=force.zone,
        general=chosen[0] if chosen else "",
        units={unit: force.units.pop(unit) for unit in names},
        demoralised=force.demoralised,
        unsupplied=force.unsupplied,
        acted=force.acted,
    )
    for general in chosen:
        force.subs.remove(general)
    return state.add(left)


def release_generals(state: State, force: Force) -> list[str]:
    """4.2.4: allied subordinates whose last step is gone leave the army."""
    gone = [
        general
        for general in force.subs
        if GENERALS[general].power != force.power and not force.steps_of(GENERALS[general].power)
    ]
    for general in gone:
        force.subs.remove(general)
        state.generals[general] = WAIT
    return gone


def lose_step(state: State, force: Force, unit: str) -> bool:
    """2.1.2, 2.1.3: one step less; true where the unit is eliminated."""
    if unit in force.special:
        force.special.remove(unit)
        state.specials[unit] = POOL
        return True
    force.units[unit] -= 1
    if force.units[unit]:
        return False
    del force.units[unit]
    state.units[unit] = POOL if UNITS[unit].rebuildable else OUT
    release_generals(state, force)
    if not force.units:
        dissolve(state, force)
    return True


def dissolve(state: State, force: Force) -> None:
    """2.2.5, 2.3.3, 2.4.3, 2.5.5: a force without combat units leaves the map; its generals wait for the budget."""
    for unit in force.units:
        state.units[unit] = POOL if UNITS[unit].rebuildable else OUT
    for general in force.generals:
        state.generals[general] = WAIT
    for special in force.special:
        state.specials[special] = POOL
    if force.army:
        state.armies[force.army] = WAIT
    state.forces.pop(force.id, None)


def shrink(state: State, force: Force, *, strict: bool = True) -> None:
    """2.4.3, 4.2.4, 4.2.5: what becomes of a force from which units have gone: it leaves the map, or keeps what its
    generals may lead.
    """
    if not force.units:
        dissolve(state, force)
        return
    release_generals(state, force)
    trim(state, force, strict=strict)


def capture(state: State, force: Force, *, honours: bool) -> None:
    """13.2.5: what was inside a fallen fortress; with honours it comes back free in the next budget."""
    if honours:
        for unit, steps in force.units.items():
            state.returning[unit] = steps
        for power in force.depots:
            state.returning[f"{DEPOT}{power}"] = state.returning.get(f"{DEPOT}{power}", 0) + 1
    units = list(force.units)
    dissolve(state, force)
    if honours:
        for unit in units:
            state.units[unit] = WAIT


def trim(state: State, force: Force, *, strict: bool = True) -> list[str]:
    """4.1.1, 4.2.3, 4.2.5: units over what may be commanded are eliminated, the least worth first."""
    lost: list[str] = []
    while force.units:
        code, _ = command_problem(force)
        if not code or (code == "over_command" and not strict):
            break
        if code == "too_many_generals":
            state.generals[force.subs.pop()] = WAIT
            continue
        if code == "cavalry_needs_army" and force.special:
            special = force.special.pop()
            state.specials[special] = POOL
            lost.append(special)
            continue
        unit = _least(force, code)
        steps = force.units[unit]
        for _ in range(steps if code in ("no_general", "cavalry_needs_army") else 1):
            if lose_step(state, force, unit):
                lost.append(unit)
    return lost


def _least(force: Force, code: str) -> str:
    own = force.power
    choices = list(force.units)
    allied = [u for u in choices if UNITS[u].power != own and COUNTRIES[UNITS[u].power].major]
    crowd = sum(force.units[unit] for unit in allied)
    # 4.2.3: steps of the commander's own nation must not go where his allies would then be too many.
    if code == "too_many_allies" or (code == "over_command" and 0 < force.steps_of(own) - 1 <= crowd):
        choices = allied
    if code in ("cavalry_needs_army", "too_much_cavalry"):
        choices = [unit for unit in choices if UNITS[unit].army_only]

    def worth(unit: str) -> tuple[int, int, bool, int, str]:
        record = UNITS[unit]
        return (record.morale, record.stars, record.army_only, force.units[unit], unit)

    return min(choices, key=worth)


def consolidate(
    state: State,
    zone: str,
    side: str,
    *,
    inside: bool = False,
    strict: bool = True,
    apart: Collection[str] = (),
) -> tuple[list[str], list[str]]:
    """4.1.1, 4.1.2, 4.3.2, 12.2.5: one force a side: units lost and generals sent back, where two cannot stay.

    Forces named `apart` are left as they are: bystanders of a battle (10.3.5).
    """
    lost: list[str] = []
    spare: list[str] = []
    while True:
        stack = [force for force in state.at(zone, side, inside=inside) if force.id not in apart]
        if len(stack) < 2 or (len(stack) == 2 and all(force.army for force in stack)):
            break
        head = lead(stack)
        armies = [force for force in stack if force.army]
        if armies and not head.army:
            head = lead(armies)
        if not head.general:
            head = max(stack, key=lambda force: force.strength)
        others = [force for force in reversed(stack) if force is not head]
        other = next((force for force in others if not (force.army and head.army)), others[0])
        if other.army and head.army:
            # 4.1.2: a third army in the zone is one no more.
            state.armies[other.army] = WAIT
            other.army = ""
        if not head.general:
            lost += list(other.units)
            dissolve(state, other)
            continue
        merged, gone = join(state, head, other)
        spare += gone
        lost += trim(state, merged, strict=strict)
    for force in state.at(zone, side, inside=inside):
        if force.id not in apart:
            lost += trim(state, force, strict=strict)
    return lost, spare


def cavalry(forces: Iterable[Force]) -> int:
    """10.5: counters with a C: reserve steps, special cavalry, cavalry generals."""
    total = 0
    for force in forces:
        total += sum(steps for unit, steps in force.units.items() if UNITS[unit].army_only)
        total += sum(SPECIALS[special].cavalry for special in force.special)
        total += sum(GENERALS[general].cavalry for general in force.generals)
    return total


def morale(state: State, forces: Iterable[Force]) -> int:
    """12.5.1, 12.5.2: the morale that most steps have; the higher on a tie, unless the player chooses."""
    return next(iter(morales(state, forces)), 0)


def morales(state: State, forces: Iterable[Force]) -> list[int]:
    """12.5.1: the values that most steps have: several on a tie, the higher first."""
    count: dict[int, int] = {}
    for force in forces:
        for unit, steps in force.units.items():
            value = unit_morale(state, unit)
            count[value] = count.get(value, 0) + steps
    most = max(count.values(), default=0)
    return sorted((value for value in count if count[value] == most), reverse=True)


def unit_morale(state: State, unit: str) -> int:
    """12.5.3: a unit's morale, one less where its capital is lost."""
    return UNITS[unit].morale - (1 if capital_lost(state, UNITS[unit].power) else 0)


def capital_lost(state: State, power: str) -> bool:
    """12.5.3: whether the enemy holds the capital of a country."""
    side = state.side_of(power)
    if side not in ("empire", "coalition") or (power == "espagne" and state.flag("war_of_liberation")):
        return False
    capitals = COUNTRIES[power].capitals or (COUNTRIES[power].capital,)
    return all(state.control.get(zone, side) != side for zone in capitals)


def general_home(state: State, general: str, *, gone: bool = False) -> None:
    """4.4.4, 4.4.5: a general leaves his force: for the reserve, or for good; the next in rank takes an army."""
    force = state.force_with(general)
    state.generals[general] = OUT if gone else WAIT
    if force is None:
        return
    if general in force.subs:
        force.subs.remove(general)
        return
    force.general = ""
    own = [g for g in force.subs if GENERALS[g].power == GENERALS[general].power] or force.subs
    if own:
        force.general = min(own, key=lambda g: (GENERALS[g].rank, g))
        force.subs.remove(force.general)
        return
    replacement = replacements(state, GENERALS[general].power)
    if replacement:
        force.general = replacement[0]
        state.generals[replacement[0]] = MAP
        return
    if force.army:
        state.armies[force.army] = WAIT
        force.army = ""
    for special in force.special:
        state.specials[special] = POOL
    force.special = []


def replacements(state: State, power: str) -> list[str]:
    """4.4.5, 2.4.4: generals of the reserve who could take over, the highest rank first."""
    waiting = [g for g, place in state.generals.items() if place == POOL and GENERALS[g].power == power]
    return sorted(waiting, key=lambda g: (GENERALS[g].rank, g))


def enters_pool(state: State, units: Iterable[str]) -> list[str]:
    """2.1.7: units that were set aside come into the pool."""
    new = [unit for unit in units if state.units[unit] == ASIDE]
    for unit in new:
        state.units[unit] = POOL
    return new
