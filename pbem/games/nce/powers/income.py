"""6.3: what each power has to spend: income, minors' steps, what comes back, who is dated this year, what is owed."""

from __future__ import annotations

from pbem.games.nce import command, score
from pbem.games.nce.cards import effects_politics
from pbem.games.nce.charts import COSTS, COUNTRIES, FLEETS, GENERALS, MAJORS, POWERS, UNITS
from pbem.games.nce.command import DEPOT
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_powers import DebtPaid
from pbem.games.nce.land.supply import held
from pbem.games.nce.powers import diplomacy
from pbem.games.nce.powers.places import home_ports, reinforcement_zones, supplied_armies
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import ASIDE, BOX, COALITION, EMPIRE, OUT, POOL, SEATS, WAIT, Force, State, enemy

NEW_STATES = ("confederation_rhin", "westphalie", "pologne")
REVOLTS = ("tyroliens", "chouans", "serbes")
FOR_A_KEY_ZONE = 4


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
        if held(state, zone, enemy(side)):
            base -= FOR_A_KEY_ZONE
    if state.flag(f"double_{power}"):
        base *= 2
    extra = state.next_resources.get(power, 0)
    if score.blockade_in_place(state):
        # 44F takes more where the blockade is in place when the budget is made.
        extra += state.next_resources.get(f"blockade_{power}", 0)
    return max(0, base + extra)


def minor_steps(state: State, side: str) -> int:
    """6.3.12, 17.8: half the allied minors with units; Poland and the unions count too, revolts while they hold
    their home.
    """
    count = sum(COUNTRIES[minor].has_units for minor in state.minors(side))
    if side == EMPIRE:
        count += sum(state.status[union] == "protectorate" for union in NEW_STATES)
    else:
        count += sum(
            state.status[r] == "revolt" and any(state.controller(z) == COALITION for z in COUNTRIES[r].zones)
            for r in REVOLTS
        )
    return count // 2


def open_budgets(desk: Desk) -> None:
    """6.3.2, 6.3.10, 6.3.13, 6.3.15, 6.3.16: what comes back, who is dated this year, what each power has."""
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
    _debts(desk)


def _come_back(desk: Desk) -> None:
    """6.3.13: the wounded, markers, garrisons with honours, units and fleets of ended wars; 6.3.11: the withdrawn."""
    state = desk.state
    for places in (state.generals, state.armies):
        for piece, place in places.items():
            if place == WAIT:
                places[piece] = POOL
    depots: dict[str, int] = {}
    for piece, steps in list(state.returning.items()):
        del state.returning[piece]
        if piece in FLEETS:
            ports = home_ports(state, piece)
            state.fleets[piece] = f"port:{ports[0]}" if ports else POOL
        elif piece.startswith(DEPOT):
            depots[piece.removeprefix(DEPOT)] = steps
        else:
            _unit_back(desk, piece, steps)
    for power, number in depots.items():
        _depots_back(state, power, number)
    for unit, place in state.units.items():
        if place == WAIT:
            state.units[unit] = POOL
    for fleet, place in state.fleets.items():
        if place == WAIT:
            state.fleets[fleet] = POOL
    if state.flags.pop("polish_gift", 0) and state.controller("varsovie") == EMPIRE:
        _polish_gift(desk)


def _depots_back(state: State, power: str, number: int) -> None:
    """13.2.5, 6.3.9: depots that marched out with honours come to a supplied army, or to a general at home."""
    homes = reinforcement_zones(state, power)
    at_home = [
        force
        for force in state.forces.values()
        if force.general and force.power == power and force.zone in homes and not force.army
    ]
    takers = [*supplied_armies(state, power), *at_home]
    if takers:
        takers[0].depots += [power] * number


def _unit_back(desk: Desk, unit: str, steps: int) -> None:
    state, power = desk.state, UNITS[unit].power
    side = state.side_of(power)
    state.units[unit] = POOL
    zones = [z for z in reinforcement_zones(state, power) if _room(state, z, side, unit, steps)]
    if zones:
        owner = side if side in SEATS else "neutral"
        diplomacy.place(desk, unit, zones[0], owner, steps)


def _room(state: State, zone: str, side: str, unit: str, steps: int) -> bool:
    """4.1.1, 4.1.2: whether a unit may stand in a zone; a conqueror who shares it is no hindrance."""
    camp = side if side in SEATS else "neutral"
    here = state.at(zone, camp, inside=None)
    probe = Force(id="", side=camp, zone=zone, units={unit: steps})
    return not here or any(not command.may_join(other, probe)[0] for other in here)


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


def _debts(desk: Desk) -> None:
    """6.3.15, 22.8, 7.4.4: forces that an event asked for in vain are built and given up, as far as the money goes."""
    state = desk.state
    still = []
    for war in state.wars:
        for kind in war.owed:
            piece = _cheapest(state, war.power, kind)
            cost = COSTS["fleet"] if kind == "fleet" else _cost(piece)
            if not piece or cost > state.resources[war.power]:
                still.append(kind)
                continue
            state.resources[war.power] -= cost
            if kind == "fleet":
                state.fleets[piece] = BOX
                war.fleets.append(piece)
            else:
                state.units[piece] = BOX
                war.units[piece] = UNITS[piece].steps
            desk.tell(DebtPaid(power=war.power, piece=piece, cost=f"{cost:g}", card=war.card, rule="6.3.15"))
        war.owed, still = still, []


def _cost(unit: str) -> float:
    return UNITS[unit].cost_per_step * UNITS[unit].steps if unit else 0.0


def _cheapest(state: State, power: str, kind: str) -> str:
    """A fleet or a corps of the pool that costs least."""
    if kind == "fleet":
        fleets = [f for f, place in state.fleets.items() if place == POOL and FLEETS[f].power == power]
        return min(fleets, key=lambda f: (FLEETS[f].tactical, f), default="")
    units = [
        u
        for u, place in state.units.items()
        if place == POOL and UNITS[u].power == power and UNITS[u].type == "corps"
    ]
    return min(units, key=lambda u: (_cost(u), u), default="")
