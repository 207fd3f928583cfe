"""9: diplomacy: statuses, actions, protectorates, new states."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import command, luck, score
from pbem.games.nce.cards import hands
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, PROVINCES, UNITS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import EffectBegins
from pbem.games.nce.events_field import ForceDestroyed, Retreated
from pbem.games.nce.events_powers import (
    CountryJoins,
    DiplomacyTried,
    PieceBuilt,
    ProtectorateMade,
    StateCreated,
    WarDeclared,
)
from pbem.games.nce.events_views import ForecastTalks
from pbem.games.nce.land import aftermath
from pbem.games.nce.orders import Negotiate
from pbem.games.nce.powers.withdrawal import give_way, nearest_free
from pbem.games.nce.reactions import may_remain, may_stand
from pbem.games.nce.sea.naval_flight import go_to_port
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import (
    ASIDE,
    COALITION,
    EMPIRE,
    NEUTRAL,
    PEACE,
    POOL,
    SEATS,
    Force,
    State,
    enemy,
)
from pbem.kernel.event import Modifier
from pbem.kernel.plan import Refused

SUCCESS = 6
FREE_TALKS = 3
SECOND_CORPS = 2
PROTECTABLE = ("danemark", "egypte", "naples", "portugal", "suede", "saxe")


def target_problem(
    state: State, side: str, country: str, *, minors_only: bool, free: bool = False, beaten: bool = False
) -> tuple[str, str]:
    """9.2.1, 9.2.2, 9.2.3: why a country is no target; nothing where it is one. The free attempts of a broken
    peace, and 49C, reach beaten powers too; the free ones are not counted among the majors of the year (9.1.3e).
    """
    record = COUNTRIES[country]
    if record.kind not in ("major", "minor") or not record.diplomacy:
        return "no_target", "9.2"
    if state.flag(f"ban_{side}_{country}"):
        return "talks_banned", "7.3"
    status = state.status[country]
    if record.major:
        if minors_only:
            return "majors_in_phase", "9.2.1"
        peace = state.peace.get(country)
        reached = free or (beaten and (peace is None or peace.by != side))
        if status in ("forced_peace", "forced_alliance") and not reached:
            return "beaten_power", "9.2.1"
        if status not in ("neutral", "forced_peace", "forced_alliance"):
            return "not_neutral", "9.2.1"
        if state.flag(f"talked_{side}") and not free:
            return "one_major", "9.2.1"
        return "", ""
    if status == "neutral":
        return "", ""
    if side == COALITION and status == "ally_france":
        if _member(state, country):
            return "protected", "9.2.2"
        if state.period == "chatiments" or not _guarded(state, country):
            return "", ""
        return "guarded", "9.2.2"
    return "not_neutral", "9.2.2"


def _member(state: State, country: str) -> bool:
    """9.3.1: members of a protected confederation are out of reach."""
    return any(
        state.status.get(union) == "protectorate" and country in COUNTRIES[union].members
        for union in ("confederation_rhin", "westphalie")
    )


def _guarded(state: State, country: str) -> bool:
    return any(state.owner_of(force.zone) == country and force.strength for force in state.of(EMPIRE))


def history(state: State, side: str, country: str) -> int:
    """9.2.5: a major beaten before."""
    if not COUNTRIES[country].major:
        return 0
    value = 2 if state.beaten[enemy(side)].get(country) else 0
    return value - (1 if state.beaten[side].get(country) else 0)


def targets(state: State, side: str, card: str, *, minors_only: bool) -> list[str]:
    """9.2: the countries on which a side may act with a card, for who named a wrong one."""
    return [
        country
        for country in COUNTRIES
        if not target_problem(state, side, country, minors_only=minors_only)[0]
        and hands.card_value(state, side, card) >= min_card(country)
    ]


def negotiate(
    desk: Desk,
    side: str,
    country: str,
    *,
    bonus: int = 0,
    against: int = 0,
    free: bool = False,
    at: tuple[str, ...] = (),
) -> bool:
    """9.2.5, 9.2.6: one die; six or more. A beaten power won over by a free attempt leaves its victor later."""
    state = desk.state
    reasons = [
        Modifier("table", COUNTRIES[country].bonus.get(side, 0), "9.2.5"),
        Modifier("card", bonus, "7.3"),
        Modifier("broken_peace", 2 if free else 0, "9.1.3"),
        Modifier("history", history(state, side, country), "9.2.5"),
        Modifier("enemy_card", against, "7.3"),
    ]
    if COUNTRIES[country].major and not free:
        state.flags[f"talked_{side}"] = state.year * 10 + 9
    if desk.dry:
        chance = luck.percent(SUCCESS, sum(m.value for m in reasons))
        desk.note(ForecastTalks(country=country, chance=chance, rule="9.2.5"))
        return False
    label, (die,) = desk.roll("diplomacy", side, country, rule="9.2.5", seat=side)
    total = die + sum(m.value for m in reasons)
    desk.tell(
        DiplomacyTried(
            side=side,
            country=country,
            die=die,
            total=total,
            success=total >= SUCCESS,
            modifiers=tuple(m for m in reasons if m.value),
            draws=(label,),
            rule="9.2.5",
        )
    )
    if total >= SUCCESS and state.side_of(country) != PEACE:
        join_side(desk, country, side, at=at)
    return total >= SUCCESS


def declare_problem(state: State, side: str, country: str) -> tuple[str, str]:
    """6.1.1, 6.1.7, 9.1.3c, 9.1.4: on whom war may be declared; the other side may attack whom a victor shields."""
    record = COUNTRIES[country]
    if record.kind not in ("major", "minor"):
        return "no_target", "6.1.1"
    status = state.status[country]
    if status == "neutral":
        return "", ""
    patron = status[5:] if status.startswith("ally_") else country
    if state.status.get(patron) in ("forced_peace", "forced_alliance"):
        peace = state.peace.get(patron)
        by = peace.by if peace else EMPIRE
        return ("peace_lasts", "6.1.7") if by == side else ("", "")
    if status.startswith("ally_") and state.side_of(country) == NEUTRAL:
        return "", ""
    return "already_at_war", "6.1.1"


def attacked(state: State, country: str) -> str:
    """6.1.2: who is at war when war is declared on a country: the power that it is allied to, if that has none yet."""
    status = state.status[country]
    return (
        status[5:] if status.startswith("ally_") and state.side_of(country) in (NEUTRAL, PEACE) else country
    )


def declare(desk: Desk, side: str, country: str) -> None:
    """6.1.2, 6.1.3, 6.1.5: the attacked joins the other side, with its allies."""
    state = desk.state
    desk.tell(WarDeclared(side=side, country=country, rule="6.1.1"))
    target = attacked(state, country)
    if state.beaten[side].get(target) and COUNTRIES[target].major:
        state.flags[f"double_{target}"] = state.year * 10 + 9
        state.free_talks[enemy(side)] = FREE_TALKS
        desk.tell(EffectBegins(name="attacked_again", about=target, rule="9.1.3"))
        hands.chatiments(desk)
    score.first_time(desk, target)
    join_side(desk, target, enemy(side), cards=False)


def join_side(
    desk: Desk,
    country: str,
    side: str,
    *,
    cards: bool = True,
    at: tuple[str, ...] = (),
    keep: frozenset[str] = frozenset(),
    in_port: bool = False,
) -> None:
    """9.2.6, 9.2.7, 9.2.8, 6.4.2: a country enters a side: status, cards, forces, those of its minor allies, at
    the zones that its new side names; nobody gives way in the zones to keep, and fleets in its ports may be left
    to sail by 15.2.4.
    """
    state = desk.state
    before = set(hands.sources(state, side)) if cards else set()
    leaving = COUNTRIES[country].kind == "minor" and state.side_of(country) == EMPIRE and side == COALITION
    if COUNTRIES[country].major:
        score.first_time(desk, country)
        state.status[country] = side
        state.peace.pop(country, None)
    else:
        state.status[country] = "ally_france" if side == EMPIRE else "ally_angleterre"
    desk.tell(CountryJoins(country=country, side=side, status=state.status[country], rule="9.2.6"))
    if leaving:
        defect(desk, country)
    realign(desk, keep, in_port=in_port)
    for minor in _brought(state, country) if not leaving else ():
        deploy(desk, minor, at)
    if cards:
        new = set(hands.sources(state, side)) - before
        hands.draw(desk, side, len(new))


def _brought(state: State, country: str) -> list[str]:
    return [
        c.id
        for c in COUNTRIES.values()
        if c.kind == "minor" and (c.id == country or state.status[c.id] == f"ally_{country}")
    ]


def realign(desk: Desk, keep: frozenset[str] = frozenset(), *, in_port: bool = False) -> None:
    """Forces follow the side of their commander's country; those left among enemies give way, fleets too unless
    they are left in port with who blockades them.
    """
    state = desk.state
    for force in state.forces.values():
        power = force.power
        if any(piece in force.units for piece in borrowed(state)):
            continue
        side = state.side_of(power)
        force.side = side if side in SEATS else NEUTRAL
    for zone in list(state.control):
        if state.home_side(zone) == state.control[zone] or state.home_side(zone) in (NEUTRAL,):
            del state.control[zone]
    separate(desk, keep)
    dissolve_unions(state)
    for fleet, place in list(state.fleets.items()):
        kind, _, where = place.partition(":")
        side = state.side_of(FLEETS[fleet].power)
        if in_port and kind in ("port", "box") and {side, state.controller(where)} <= set(SEATS):
            continue
        if kind == "port" and side in SEATS and state.controller(where) == enemy(side):
            go_to_port(desk, fleet, ZONES[where].port)
        elif (
            kind == "port"
            and side in SEATS
            and state.controller(where) != side
            and not may_stand(state, where, side)
        ):
            go_to_port(desk, fleet, ZONES[where].port, most=99)
        elif kind == "box" and side in SEATS and state.controller(where) != enemy(side):
            state.fleets[fleet] = f"sea:{ZONES[where].port}"
        elif kind in ("sea", "box") and side not in SEATS:
            go_to_port(desk, fleet, ZONES[where].port if kind == "box" else where, most=99)


def borrowed(state: State) -> list[str]:
    """40F: corps of a forced ally under French command."""
    return [unit for unit in UNITS if state.flags.get(f"lent_{unit}", 0) > 0]


def dissolve_unions(state: State) -> None:
    """9.3.1, 9.3.2: a union ends for good when all its members are conquered by or allied to the Coalition."""
    for union in ("confederation_rhin", "westphalie"):
        record = COUNTRIES[union]
        lost = all(state.side_of(member) == COALITION for member in record.members) and all(
            state.home_side(PROVINCES[province].zones[0]) == COALITION for province in record.member_provinces
        )
        if state.status[union] == "protectorate" and lost:
            state.status[union] = "absent"
            for unit in record.units:
                _disband(state, unit)


def _disband(state: State, unit: str) -> None:
    """9.3.1, 9.3.2: the corps of a union that is no more leaves the game."""
    force = state.force_with(unit)
    state.units[unit] = ASIDE
    state.returning.pop(unit, None)
    if force is None:
        return
    del force.units[unit]
    command.shrink(state, force)


def separate(desk: Desk, keep: frozenset[str] = frozenset()) -> None:
    """9.2.9: where both sides stand after a change of side, the guest shelters, leaves or is lost; who stands on
    ground that is closed to his new side leaves it.
    """
    state = desk.state
    zones = {force.zone for force in state.forces.values()}
    for zone in sorted(zones - keep):
        for force in state.at(zone):
            if force.side in SEATS and not may_remain(state, force):
                give_way(desk, force)
        for host in SEATS:
            guests = state.at(zone, enemy(host))
            if guests and state.at(zone, host):
                home = state.home_side(zone)
                for force in guests if home == host else state.at(zone, host):
                    give_way(desk, force)
        for side in SEATS:
            aftermath.settle(desk, zone, side)


def defect(desk: Desk, country: str) -> None:
    """9.2.9: a French ally goes over: abroad its corps slips away to the Coalition or is lost; at home it and the
    French of its stack lose step for step; its fortresses are its own again, but where French stand alone.
    """
    state = desk.state
    for unit in COUNTRIES[country].units:
        force = state.force_with(unit)
        if force is None or (len(force.units) == 1 and not force.general):
            continue
        steps = force.units.pop(unit)
        state.units[unit] = POOL
        if not force.units:
            command.dissolve(state, force)
        if state.owner_of(force.zone) == country:
            steps = _at_blows(state, force, steps)
        else:
            steps = _slips_away(desk, unit, steps, force)
        if force.id in state.forces:
            command.release_generals(state, force)
            command.trim(state, force)
        if steps and state.owner_of(force.zone) == country:
            place(desk, unit, force.zone, COALITION, steps)
    for zone in ZONES:
        here = state.at(zone, inside=None)
        alone = bool(here) and all(force.side == EMPIRE and force.power != country for force in here)
        if state.owner_of(zone) == country and alone and ZONES[zone].city:
            state.control[zone] = EMPIRE


def _at_blows(state: State, force: Force, steps: int) -> int:
    """9.2.9: one for one; the steps that the minor has left."""
    while steps and force.id in state.forces and force.units:
        weakest = min(force.units, key=lambda u: (UNITS[u].stars, UNITS[u].morale, u))
        command.lose_step(state, force, weakest)
        steps -= 1
    return steps if force.id not in state.forces else 0


def _slips_away(desk: Desk, unit: str, steps: int, force: Force) -> int:
    """9.2.9: to the nearest Coalition zone within its movement factor; nothing is left where there is none."""
    state = desk.state
    probe = Force(id="", side=COALITION, zone=force.zone, units={unit: steps})
    goal = nearest_free(state, probe, UNITS[unit].movement)
    if goal:
        place(desk, unit, goal, COALITION, steps)
        desk.tell(Retreated(force=unit, start=force.zone, to=goal, rule="9.2.9"))
        return steps
    desk.tell(ForceDestroyed(force=unit, zone=force.zone, side=COALITION, rule="9.2.9"))
    return 0


def deploy(desk: Desk, country: str, at: tuple[str, ...] = ()) -> None:
    """9.2.8: the forces of a minor take the field on its own soil, where its side says, else in the capital first."""
    state = desk.state
    side = state.side_of(country)
    if side not in SEATS:
        return
    own = [
        zone
        for zone in (COUNTRIES[country].capital, *COUNTRIES[country].zones)
        if state.owner_of(zone) == country and state.controller(zone) == side
    ]
    free = [*(zone for zone in at if zone in own), *own]
    for unit in COUNTRIES[country].units:
        if state.units[unit] != POOL:
            continue
        spot = next((z for z in free if not state.at(z, inside=None)), "")
        if spot:
            place(desk, unit, spot, side)
    for fleet in COUNTRIES[country].fleets:
        if state.fleets[fleet] != POOL:
            continue
        port = next((z for z in free if ZONES[z].port and len(state.fleets_at(f"port:{z}")) < 3), "")
        if port:
            state.fleets[fleet] = f"port:{port}"


def place(desk: Desk, unit: str, zone: str, side: str, steps: int = 0, *, general: str = "") -> Force:
    """A unit appears on the map as a force of its own, or with friends that can lead it, or be led."""
    state = desk.state
    new = Force(id="", side=side, zone=zone, general=general, units={unit: steps or UNITS[unit].steps})
    force = state.add(new)
    settle_places(state, force)
    desk.tell(
        PieceBuilt(power=UNITS[unit].power, piece=unit, zone=zone, steps=force.units[unit], rule="6.3.6")
    )
    friends = [other for other in state.at(zone, side) if other is not force]
    for other in friends:
        if not command.may_join(other, force)[0]:
            return command.join(state, other, force)[0]
    return force


def protect_problem(state: State, country: str) -> tuple[str, str]:
    """9.1.5: which minors may be bound."""
    if country not in PROTECTABLE:
        return "no_protectorate", "9.1.5"
    if state.status[country] != "ally_france":
        return "not_french_ally", "9.1.5"
    return "", ""


def protect(desk: Desk, country: str) -> None:
    """9.1.5: a protectorate, +1 VP and +1 escalation."""
    desk.state.status[country] = "protectorate"
    desk.tell(ProtectorateMade(country=country, rule="9.1.5"))
    score.table_score(desk, "protectorate", country)


def create(desk: Desk, state_id: str) -> None:
    """9.3: a new state."""
    state = desk.state
    if state_id == "royaume_baviere":
        state.status[state_id] = "created"
    else:
        state.status[state_id] = "protectorate"
    desk.tell(StateCreated(country=state_id, rule="9.3"))
    if state_id == "confederation_rhin":
        command.enters_pool(state, ["rhin"])
    elif state_id == "westphalie":
        command.enters_pool(state, ["westphalie"])
    elif state_id == "pologne":
        _poland(desk)


def _poland(desk: Desk) -> None:
    """9.3.5: general and first corps; the second with two more Polish provinces."""
    state = desk.state
    if state.generals["poniatowski"] == ASIDE:
        state.generals["poniatowski"] = POOL
    command.enters_pool(state, ["pologne_1"])
    if not state.flags.get("polish_escalation"):
        score.score(desk, "pologne", 0, 2)
    grow_poland(desk)


def polish_provinces(state: State) -> int:
    """The Polish provinces that belong to Poland."""
    return sum("P" in p.marks and state.owner.get(p.id) == "pologne" for p in PROVINCES.values())


def grow_poland(desk: Desk) -> None:
    """9.3.5: the point with Mazovie and one more province, the second corps with two more."""
    state = desk.state
    if state.status["pologne"] != "protectorate":
        return
    provinces = polish_provinces(state)
    if provinces > 1 and not state.flag("polish_point"):
        state.flags["polish_point"] = 99999
        score.score(desk, "pologne", 1, 0)
    if provinces > SECOND_CORPS:
        command.enters_pool(state, ["pologne_2"])


def min_card(country: str) -> int:
    """9.2.4: the value that an action needs."""
    record = COUNTRIES[country]
    return 3 if record.major else record.min_card


def check_soil(state: State, country: str, at: Sequence[str]) -> None:
    """9.2.8: who joins takes the field on its own soil, and the minors that a great power brings on theirs."""
    brought = _brought(state, country)
    soil = [zone for zone in ZONES if state.owner_of(zone) in brought]
    for zone in at:
        if zone not in soil:
            raise Refused("not_its_soil", "9.2.8", zone=zone, country=country, zones=tuple(soil))


def check_action(
    state: State, side: str, country: str, card: str, *, minors_only: bool, at: Sequence[str] = ()
) -> None:
    """9.2.4: a card of the hand, high enough, on a legal target."""
    code, rule = target_problem(state, side, country, minors_only=minors_only)
    held = card in state.hands[side]
    if code and held:
        able = targets(state, side, card, minors_only=minors_only)
        nearest = tuple(Negotiate(c, card) for c in able[:1])
        raise Refused(code, rule, nearest=nearest, country=country, countries=tuple(able))
    value = min_card(country)
    if not held or hands.card_value(state, side, card) < value:
        high = [c for c in state.hands[side] if c in CARDS and hands.card_value(state, side, c) >= value]
        least = sorted(high, key=lambda c: (CARDS[c].value, c))[:1]
        nearest = tuple(Negotiate(country, c) for c in least if not code)
        raise Refused("card_too_low" if held else "card_not_held", "9.2.4", nearest=nearest, card=card)
    try:
        check_soil(state, country, at)
    except Refused as refused:
        refused.suggest((Negotiate(country, card),))
        raise
