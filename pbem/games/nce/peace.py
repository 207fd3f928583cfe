"""9.1.3, 16.5, 16.6: peace terms, and what follows from them."""

from __future__ import annotations

from pbem.games.nce import board, command, diplomacy
from pbem.games.nce.charts import COUNTRIES, FLEETS, POWERS, PROVINCES, ZONES
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.events import PeaceSigned, PeaceTested, ProvinceTaken
from pbem.games.nce.places import home_ports
from pbem.games.nce.replies import Annex, ClaimMinor, ForceAlliance, GoHome, Spoils
from pbem.games.nce.state import EMPIRE, NEUTRAL, SEATS, Force, Peace, State, enemy
from pbem.games.nce.withdrawal import move, nearest_free
from pbem.kernel.order import Answer, Order


def province_problem(
    state: State, power: str, by: str, order: Annex, *, tilsit: bool = False
) -> tuple[str, str]:
    """16.5.2, 16.5.4: whether a province may be taken, and by whom."""
    record = PROVINCES.get(order.province)
    if record is None or state.owner_of(record.zones[0]) != power:
        return "not_his_province", "16.5.2"
    to_poland = order.to == "pologne" and "P" in record.marks and by == EMPIRE
    if not record.annexable and not to_poland:
        return "not_annexable", "16.5.2"
    if order.province == "mazovie" and order.to != "pologne":
        return "not_annexable", "16.5.2"
    if to_poland:
        return "", ""
    if order.to not in COUNTRIES or state.side_of(order.to) != by or COUNTRIES[order.to].kind == "entity":
        return "not_your_side", "16.5.4"
    touching = any(
        state.home_side(near) == by
        for zone in record.zones
        for near in board.neighbours(zone)
        if state.owner_of(near) != power
    )
    del tilsit
    return ("", "") if touching else ("must_touch", "16.5.4")


def take_province(state: State, order: Annex) -> None:
    """16.5.2: the province changes hands."""
    state.owner[order.province] = order.to
    for zone in PROVINCES[order.province].zones:
        state.control.pop(zone, None)
        if zone in state.empty:
            state.empty.remove(zone)
        state.siege.pop(zone, None)


def minor_problem(state: State, power: str, country: str) -> tuple[str, str]:
    """16.5.3: a minor still allied to the loser may stand for a province."""
    if COUNTRIES[country].kind != "minor" or state.status[country] != f"ally_{power}":
        return "not_his_minor", "16.5.3"
    return "", ""


def check_terms(state: State, power: str, by: str, answer: Answer, most: int, *, tilsit: bool) -> None:
    """16.5.2, 22.7: the terms one after the other on a copy, for a province just taken counts for the next (22.7)."""
    taken = 0
    for number, order in enumerate(answer):
        code, rule = _one(state, power, by, order, tilsit=tilsit)
        if not code and isinstance(order, (Annex, ClaimMinor)):
            taken += 1
            if taken > most:
                code, rule = "too_many_provinces", "16.5.2"
        if code:
            refused = Refused(code, rule, most=most)
            refused.args = (code, number)
            raise refused
        if isinstance(order, Annex):
            take_province(state, order)
        elif isinstance(order, ClaimMinor):
            state.status[order.country] = "ally_france" if by == EMPIRE else "ally_angleterre"


def _one(state: State, power: str, by: str, order: Order, *, tilsit: bool) -> tuple[str, str]:
    if isinstance(order, Annex):
        return province_problem(state, power, by, order, tilsit=tilsit)
    if isinstance(order, ClaimMinor):
        return minor_problem(state, power, order.country)
    if isinstance(order, ForceAlliance):
        if by != EMPIRE or tilsit or not alliance_possible(state, power):
            return "no_alliance", "9.1.4"
        if order.card not in state.hands[by]:
            return "card_not_held", "9.1.4"
    if isinstance(order, Spoils) and tilsit:
        return "no_spoils", "16.5.6"
    return "", ""


def alliance_possible(state: State, power: str) -> bool:
    """9.1.4: after Tambours de guerre, or beaten a second time."""
    return bool(state.flags.get(f"drums_{power}")) or state.beaten[EMPIRE].get(power, 0) >= 1


def default_terms(state: State, power: str, by: str, most: int) -> Answer:
    """D18: the first provinces by name, each to the power that leads the side."""
    to = "france" if by == EMPIRE else "angleterre"
    chosen: list[Order] = []
    for province in PROVINCES.values():
        if len(chosen) >= most:
            break
        order = Annex(province.id, to)
        if not province_problem(state, power, by, order)[0]:
            chosen.append(order)
            take_province(state, order)
    return tuple(chosen)


def sign(
    desk: Desk, power: str, by: str, terms: Answer, *, tilsit: bool = False, alliance: bool = False
) -> None:
    """16.5.2, 16.5.5, 16.5.6, 16.6.4: the terms, the status, and everybody's way home."""
    state = desk.state
    alliance = alliance or any(isinstance(order, ForceAlliance) for order in terms)
    taken = 0
    for order in terms:
        if isinstance(order, Annex):
            taken += 1
            take_province(state, order)
            desk.tell(ProvinceTaken(province=order.province, loser=power, to=order.to, rule="16.5.2"))
        elif isinstance(order, ClaimMinor):
            taken += 1
            conqueror = "france" if by == EMPIRE else "angleterre"
            head = "ally" if order.fate == "ally" else "annexed"
            state.status[order.country] = f"{head}_{conqueror}"
            desk.tell(ProvinceTaken(province=order.country, loser=power, to=conqueror, rule="16.5.3"))
    if (not tilsit and not alliance) or (alliance and terms):
        most = 4 if state.flags.get(f"drums_{power}") else 3
        if taken < most:
            state.next_resources[power] = state.next_resources.get(power, 0) - 4 * (most - taken)
        if any(isinstance(order, Spoils) for order in terms):
            bank = "france" if by == EMPIRE else "angleterre"
            state.next_resources[bank] = state.next_resources.get(bank, 0) + 4
        else:
            state.bonus_cards[by] += 1
    times = state.beaten[by][power] = state.beaten[by].get(power, 0) + 1
    state.status[power] = "forced_alliance" if alliance else "forced_peace"
    state.peace[power] = Peace(year=state.year, by=by, forever=times >= 2)
    desk.tell(PeaceSigned(power=power, side=by, alliance=alliance, rule="16.5"))
    _new_states(desk, power)
    _clear_markers(state, power)
    _ways_home(desk, power, by, next((order for order in terms if isinstance(order, GoHome)), None))
    diplomacy.realign(desk)
    for zone in list(state.empty):
        if state.owner_of(zone) == power:
            state.empty.remove(zone)
    _fleets_home(desk, power)


def _new_states(desk: Desk, power: str) -> None:
    """9.3.3, 9.3.4, 9.3.5b: what the terms create."""
    state = desk.state
    if state.owner.get("tyrol") == "baviere" and state.status["royaume_baviere"] == "absent":
        diplomacy.create(desk, "royaume_baviere")
    if state.owner.get("venetie") == "royaume_italie":
        command.enters_pool(state, ["italie_2"])
    if state.owner.get("mazovie") == "pologne" and state.status["pologne"] == "absent":
        diplomacy.create(desk, "pologne")
    diplomacy.grow_poland(desk)
    del power


def _clear_markers(state: State, power: str) -> None:
    """3.2.5: the conqueror's markers leave the country, and its own the rest of the map."""
    for zone in list(state.control):
        if state.owner_of(zone) == power:
            del state.control[zone]
            if zone in state.empty:
                state.empty.remove(zone)
    for zone in list(state.siege):
        if state.owner_of(zone) == power:
            del state.siege[zone]


def _ways_home(desk: Desk, power: str, by: str, leave: GoHome | None) -> None:
    """16.6.1, 16.6.2, 16.6.3: the conqueror stays or leaves, former allies leave, the loser goes to his key zones."""
    state = desk.state
    for force in list(state.forces.values()):
        if force.id not in state.forces:
            continue
        inside = state.owner_of(force.zone) == power
        if force.power == power:
            force.inside = False
            if not inside:
                _to_key_zone(desk, force, power)
        elif inside and force.side == enemy(by):
            _to_border(desk, force)
        elif inside and force.side == by and leave is not None:
            _to_border(desk, force, leave.to)


def _to_border(desk: Desk, force: Force, wanted: str = "") -> None:
    """16.6.1: the nearest zone of one's side with a fortress."""
    state = desk.state
    if force.side not in SEATS:
        return
    goal = nearest_free(state, force, board.FAR - 1, fortress=True, wanted=wanted)
    if goal:
        move(desk, force, goal)
    else:
        command.dissolve(state, force)


def _to_key_zone(desk: Desk, force: Force, power: str) -> None:
    """16.6.3: to a key zone of the loser, reorganised."""
    state = desk.state
    keys = [z for z in POWERS[power].key_zones if state.owner_of(z) == power] or [
        z for z in ZONES if state.owner_of(z) == power and ZONES[z].fortress
    ]
    force.side = NEUTRAL
    for zone in sorted(keys, key=lambda z: board.distance(force.zone, z)):
        friends = [other for other in state.at(zone, inside=None) if other.power == power]
        fits = [not command.may_join(other, force)[0] for other in friends]
        if not friends or any(fits):
            force.zone = zone
            if friends:
                other = next(o for o, ok in zip(friends, fits, strict=True) if ok)
                command.join(state, other, force)
            return
    spare = [z for z in ZONES if state.owner_of(z) == power and not state.at(z, inside=None)]
    if spare:
        force.zone = min(spare, key=lambda z: board.distance(force.zone, z))
    else:
        command.dissolve(state, force)


def _fleets_home(desk: Desk, power: str) -> None:
    """16.6.3: its fleets may go to home ports."""
    state = desk.state
    for fleet, place in list(state.fleets.items()):
        if FLEETS[fleet].power != power or ":" not in place or place.startswith("port:"):
            continue
        ports = home_ports(state, fleet)
        state.fleets[fleet] = f"port:{ports[0]}" if ports else "pool"


def tests(desk: Desk) -> None:
    """16.6.5: at the end of each year after the conquest: five or more ends a forced peace."""
    state = desk.state
    for power, peace in list(state.peace.items()):
        if state.status[power] != "forced_peace" or peace.year >= state.year or peace.forever:
            continue
        if state.scenario == "1809" and power == "prusse" and peace.year == 1809:
            if state.year >= 1810:
                state.status[power] = "forced_alliance"
                desk.tell(PeaceSigned(power=power, side=EMPIRE, alliance=True, rule="18"))
            continue
        if peace.skip:
            peace.skip -= 1
            continue
        label, (die,) = desk.roll("peace", power, rule="16.6.5", seat=peace.by)
        total = die + 2 * peace.tests
        peace.tests += 1
        ended = total >= 5
        desk.tell(PeaceTested(power=power, die=die, total=total, ended=ended, draws=(label,), rule="16.6.5"))
        if ended:
            _end(desk, power, peace.by)


def _end(desk: Desk, power: str, by: str) -> None:
    """9.1.3d, 9.1.3h: neutral again; who is still there is lost; Angleterre goes back to the war."""
    state = desk.state
    del state.peace[power]
    state.status[power] = "coalition" if power == "angleterre" else "neutral"
    for force in list(state.forces.values()):
        if force.side == by and state.owner_of(force.zone) == power and power != "angleterre":
            command.dissolve(state, force)
    diplomacy.realign(desk)
