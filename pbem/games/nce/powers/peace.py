"""9.1.3, 16.5, 16.6.5: peace terms, and how long a peace lasts."""

from __future__ import annotations

from collections.abc import Collection

from pbem.games.nce import board, command
from pbem.games.nce.charts import COUNTRIES, PROVINCES, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_powers import PeaceSigned, PeaceTested, ProvinceTaken
from pbem.games.nce.land import depots
from pbem.games.nce.powers import diplomacy, settlement
from pbem.games.nce.replies import Annex, ClaimMinor, Done, ForceAlliance, GoHome, Spoils
from pbem.games.nce.state import EMPIRE, Peace, State
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Refused

FOR_A_PROVINCE = FOR_A_CARD = 4


def most_provinces(state: State, power: str) -> int:
    """16.5.2: three, or four after Tambours de guerre."""
    return 4 if state.flags.get(f"drums_{power}") else 3


def province_problem(state: State, power: str, by: str, order: Annex) -> tuple[str, str]:
    """16.5.2, 16.5.3, 16.5.4, 9.3.5: whether a province may be taken, and by whom."""
    record = PROVINCES.get(order.province)
    owner = state.owner_of(record.zones[0]) if record else ""
    if record is None or (owner != power and state.status.get(owner) != f"ally_{power}"):
        return "not_his_province", "16.5.2"
    if order.to == "pologne" and by == EMPIRE:
        return _polish_problem(state, order.province)
    if order.province == "mazovie" or not (record.annexable or record.minor):
        return "not_annexable", "16.5.2"
    if not _recipient(state, order.to, by):
        return "not_your_side", "16.5.4"
    return ("", "") if _touches(state, order.province, power, by) else ("must_touch", "16.5.4")


def _polish_problem(state: State, province: str) -> tuple[str, str]:
    """9.3.5: Mazovie makes Poland, and Poland grows by Polish provinces, wherever they lie (16.5.4)."""
    if "P" not in PROVINCES[province].marks:
        return "not_polish", "9.3.5"
    exists = state.status["pologne"] == "protectorate" or state.owner.get("mazovie") == "pologne"
    return ("", "") if province == "mazovie" or exists else ("no_poland", "9.3.5")


def _recipient(state: State, country: str, by: str) -> bool:
    """16.5.4: any country of the victor's side, also a union that exists."""
    return (
        country in COUNTRIES
        and country not in ("royaume_baviere", "pologne")
        and state.side_of(country) == by
    )


def _touches(state: State, province: str, power: str, by: str) -> bool:
    """16.5.4: beside land of the victor's side; an island, which touches nothing, may be taken all the same."""
    own = PROVINCES[province].zones
    shores = [
        (zone, near)
        for zone in own
        for near in board.neighbours(zone)
        if near not in own and board.crossing(zone, near) != "strait"
    ]
    return not shores or any(
        state.home_side(near) == by and state.owner_of(near) != power for _, near in shores
    )


def still_to_be_had(state: State, power: str, by: str) -> int:
    """16.5.5: the provinces and minors that the victor might yet take."""
    leader = "france" if by == EMPIRE else "angleterre"
    provinces = sum(
        state.owner_of(p.zones[0]) == power and not province_problem(state, power, by, Annex(p.id, leader))[0]
        for p in PROVINCES.values()
    )
    minors = sum(not minor_problem(state, power, country)[0] for country in COUNTRIES)
    poland = by == EMPIRE and not province_problem(state, power, by, Annex("mazovie", "pologne"))[0]
    return provinces + minors + int(poland)


def open_provinces(state: State, power: str, by: str) -> list[Annex]:
    """16.5.2: the provinces that the victor may take now, for the power that leads his side; Mazovie for Poland."""
    leader = "france" if by == EMPIRE else "angleterre"
    wishes = [Annex(province, leader) for province in PROVINCES] + [Annex("mazovie", "pologne")]
    return [wish for wish in wishes if not province_problem(state, power, by, wish)[0]]


def take_province(state: State, order: Annex) -> None:
    """16.5.2, 16.5.3: the province changes hands; a minor of which nothing is left is annexed with it."""
    loser = state.owner_of(PROVINCES[order.province].zones[0])
    state.owner[order.province] = order.to
    for zone in PROVINCES[order.province].zones:
        state.control.pop(zone, None)
        if zone in state.empty:
            state.empty.remove(zone)
        state.siege.pop(zone, None)
    if COUNTRIES[loser].kind == "minor" and not any(state.owner_of(zone) == loser for zone in ZONES):
        state.status[loser] = f"annexed_{order.to}"


def minor_problem(state: State, power: str, country: str, fresh: Collection[str] = ()) -> tuple[str, str]:
    """16.5.3: a minor still allied to the loser, or that he has just conquered, may stand for a province."""
    if COUNTRIES[country].kind != "minor" or (
        state.status[country] != f"ally_{power}" and country not in fresh
    ):
        return "not_his_minor", "16.5.3"
    return "", ""


def check_terms(
    state: State,
    power: str,
    by: str,
    answer: Answer,
    most: int,
    *,
    tilsit: bool,
    fresh: Collection[str] = (),
) -> None:
    """16.5.2, 22.7: the terms one after the other on a copy, for a province just taken counts for the next (22.7)."""
    taken = 0
    good: list[Order] = []
    guests = _guests(state, power, by)
    for number, order in enumerate(answer):
        code, rule = _one(state, power, by, order, tilsit=tilsit, fresh=fresh, guests=guests)
        if not code and isinstance(order, (Annex, ClaimMinor)):
            taken += 1
            if taken > most:
                code, rule = "too_many_provinces", "16.5.2"
        if code:
            others = open_provinces(state, power, by) if taken < most else []
            nearest: Answer = tuple(others[:1]) or tuple(good) or (Done(),)
            names = {
                name: str(getattr(order, name))
                for name in ("province", "country", "card", "to")
                if hasattr(order, name)
            }
            if isinstance(order, GoHome):
                nearest = (GoHome(forces=tuple(name for name in order.forces if name in guests)),)
            provinces = tuple(other.province for other in others)
            names["power"] = power
            refused = Refused(code, rule, nearest, most=most, provinces=provinces, **names)
            refused.args = (code, number)
            raise refused
        good.append(order)
        if isinstance(order, Annex):
            take_province(state, order)
        elif isinstance(order, ClaimMinor):
            state.status[order.country] = "ally_france" if by == EMPIRE else "ally_angleterre"


def _one(
    state: State,
    power: str,
    by: str,
    order: Order,
    *,
    tilsit: bool,
    fresh: Collection[str],
    guests: Collection[str],
) -> tuple[str, str]:
    if isinstance(order, Annex):
        return province_problem(state, power, by, order)
    if isinstance(order, ClaimMinor):
        return minor_problem(state, power, order.country, fresh)
    if isinstance(order, ForceAlliance):
        if by != EMPIRE or tilsit or not alliance_possible(state, power):
            return "no_alliance", "9.1.4"
        if order.card not in state.hands[by]:
            return "card_not_held", "9.1.4"
    if isinstance(order, Spoils) and tilsit:
        return "no_spoils", "16.5.6"
    if isinstance(order, GoHome) and order.to and not _border_fortress(state, order.to, by):
        return "no_border_fortress", "16.6.1"
    if isinstance(order, GoHome) and not set(order.forces) <= set(guests):
        return "nobody_there", "16.6.1"
    return "", ""


def _guests(state: State, power: str, side: str) -> set[str]:
    """16.6.1: who of the victor's side stands in the beaten country."""
    there = [force for force in state.of(side) if state.owner_of(force.zone) == power]
    return {piece for force in there for piece in (*force.generals, *force.units)}


def _border_fortress(state: State, zone: str, side: str) -> bool:
    """16.6.1: whether forces that leave a beaten country may be meant to go there."""
    return bool(ZONES[zone].fortress) and state.home_side(zone) == state.controller(zone) == side


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
    """16.5.2, 16.5.5, 16.5.6: the terms, the status, and everybody's way home (16.6)."""
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
    if tilsit:
        state.flags[f"tilsit_{power}"] = state.flags.get(f"tilsit_{power}", 0) + 1
    else:
        missing = most_provinces(state, power) - taken - still_to_be_had(state, power, by)
        if missing > 0:
            state.next_resources[power] = state.next_resources.get(power, 0) - FOR_A_PROVINCE * missing
        if any(isinstance(order, Spoils) for order in terms):
            bank = "france" if by == EMPIRE else "angleterre"
            state.next_resources[bank] = state.next_resources.get(bank, 0) + FOR_A_CARD
        else:
            state.bonus_cards[by] += 1
    times = state.beaten[by][power] = state.beaten[by].get(power, 0) + 1
    state.status[power] = "forced_alliance" if alliance else "forced_peace"
    state.peace[power] = Peace(year=state.year, by=by, forever=times >= 2)
    desk.tell(PeaceSigned(power=power, side=by, alliance=alliance, rule="16.5"))
    _new_states(desk, power)
    settlement.settle(desk, power, by, [order for order in terms if isinstance(order, GoHome)])


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
        if force.side == by and state.owner_of(force.zone) == power:
            command.dissolve(state, force)
    for zone in [zone for zone in state.fixed if state.owner_of(zone) == power]:
        for owner in depots.fixed_of(state, zone, by):
            depots.take_off(state, zone, owner)
    diplomacy.realign(desk)
