"""7.5.1.2: who takes part in a combat, taken from the position, and what is written back into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from pbem.games.eia.board import LEADERS, MINORS, POLES, POWERS, province, read
from pbem.games.eia.charts import Role, tenths
from pbem.games.eia.land.losses import Lost
from pbem.games.eia.land.sides import KINDS, LIGHT_HORSE, Body, Chief, Side
from pbem.games.eia.setup import data
from pbem.games.eia.state import CAPTURED, COSSACK, MAP, Corps, Garrison, Horse, Leader, State

_HORSE = {True: "cossack", False: "freikorps"}
DECLINE = "12.3.7.3"


@cache
def morale(nation: str) -> dict[str, int]:
    """7.5.2.6: the morale of a nation's factors, in tenths."""
    common = read("units")["morale"]["common"]
    if nation in POWERS:
        infantry, cavalry = POWERS[nation].infantry_morale, POWERS[nation].cavalry_morale
    else:
        row = read("units")["morale"]["minor"][nation]
        infantry, cavalry = row["infantry"], row["cavalry"]
    values = {
        "I": infantry,
        "A": infantry,
        "C": cavalry,
        "M": common["militia"],
        "Gd": common["guard"],
        "FI": common["feudal"],
        "FC": common["feudal"],
        "CK": common["cossack"],
        "FK": common["freikorps"],
        "Gr": common["guerrilla"],
    }
    return {kind: tenths(value) for kind, value in values.items()}


def of_corps(state: State, corps: Corps) -> Body:
    """A corps as a body; a minor's has the ratings of its controller (10.6.1)."""
    intrinsic = POWERS[corps.power].intrinsic
    nation = corps.nation or corps.power
    return Body(
        corps.id,
        corps.power,
        nation,
        corps.type,
        dict(corps.factors),
        morale(nation),
        seat=state.seat_of(corps.power),
        strategic=intrinsic.strategic,
        tactical=intrinsic.tactical,
        start=corps.size,
        came=corps.came,
        inside=corps.inside,
    )


def of_horse(state: State, horse: Horse) -> Body:
    """A counter of cossacks or freikorps as a body."""
    return Body(
        horse.id,
        horse.power,
        horse.power,
        _HORSE[horse.kind == COSSACK],
        {horse.kind: 1},
        morale(horse.power),
        seat=state.seat_of(horse.power),
        start=1,
        came=horse.came,
        inside=horse.inside,
    )


def of_garrison(state: State, garrison: Garrison) -> Body:
    """A garrison as a body."""
    kind = "depot" if garrison.depot else "garrison"
    return Body(
        f"{kind}/{garrison.area}/{garrison.power}/{garrison.nation}",
        garrison.power,
        garrison.nation,
        kind,
        dict(garrison.factors),
        morale(garrison.nation),
        seat=state.seat_of(garrison.power),
        start=garrison.size,
        inside=not garrison.depot,
    )


def chief(state: State, leader: Leader, area: str) -> Chief:
    """12.3.7.3: a leader with his ratings in that area."""
    printed = LEADERS[leader.id]
    strategic, tactical = printed.strategic, printed.tactical
    if leader.id == "napoleon" and state.on(DECLINE) and province(area).owner != "france":
        if state.month >= "1809-01":
            tactical = min(tactical, 4)
        if state.month >= "1812-01":
            strategic = min(strategic, 4)
    surprise = data(state).special("french_surprise")
    if surprise is not None and surprise.turn == state.month and leader.power == "france":
        strategic = max(0, strategic + surprise.leader_strategic_modifier)
    return Chief(
        leader.id,
        leader.power,
        strategic,
        tactical,
        printed.tactical_max,
        printed.seniority,
        printed.cavalry,
    )


def side(
    state: State,
    role: Role,
    area: str,
    corps: Iterable[Corps],
    horse: Iterable[Horse] = (),
    garrisons: Iterable[Garrison] = (),
) -> Side:
    """A side made of those forces, with the leaders that are with them."""
    corps = list(corps)
    bodies = [of_corps(state, one) for one in corps if one.hidden or one.size]
    bodies += [of_horse(state, one) for one in horse]
    bodies += [of_garrison(state, one) for one in garrisons]
    leaders = state.leaders_with([one.id for one in corps])
    return Side(role, bodies, [chief(state, leader, area) for leader in leaders])


def field(state: State, role: Role, area: str, powers: Sequence[str]) -> Side:
    """7.5.1.2: all that some powers have in the field of an area: corps, light horse, depot garrisons."""
    garrisons = [one for one in state.garrisons_at(area, depot=True) if one.power in powers]
    return side(state, role, area, state.at(area, powers), state.horse_at(area, powers), garrisons)


def city(state: State, role: Role, area: str) -> Side:
    """All that stands in the city of an area; leaders left there without a corps too (7.3.3.4)."""
    found = side(
        state,
        role,
        area,
        state.at(area, inside=True),
        state.horse_at(area, inside=True),
        state.garrisons_at(area),
    )
    alone = [one for one in state.leaders.values() if one.where == MAP and one.area == area]
    found.chiefs += [chief(state, leader, area) for leader in alone]
    return found


def _garrison(state: State, body: Body) -> Garrison | None:
    kind, area, power, nation = body.id.split("/")
    for found in state.garrisons_at(area, depot=kind == "depot"):
        if (found.power, found.nation) == (power, nation):
            return found
    return None


def settle(state: State, side: Side, area: str, why: str) -> None:
    """Take what a side has lost out of the position, with the reason; empty counters stay till the day ends (7.5.5)."""
    for body in side.bodies:
        lost, body.lost = body.lost, {}
        if not lost:
            continue
        if body.id in state.corps:
            state.lose(state.corps[body.id], lost, why, area=area)
        elif body.kind in LIGHT_HORSE:
            state.horse.pop(body.id, None)
            state.lost(body.power, body.nation, lost, why, area=area)
        else:
            garrison = _garrison(state, body)
            if garrison is not None:
                state.lose(garrison, lost, why, area=area)


def take_leaders(state: State, leaders: Iterable[str], captor: str) -> list[str]:
    """10.6.3: leaders fall into the hands of a power; which of them."""
    taken = []
    for id in leaders:
        leader = state.leaders.get(id)
        if leader is not None and leader.where == MAP:
            leader.where, leader.corps, leader.area, leader.captor = CAPTURED, "", "", captor
            taken.append(id)
    return taken


def surrender(state: State, side: Side, area: str, why: str, captor: str) -> list[str]:
    """All that is left of a side is taken prisoner, its leaders too; which leaders."""
    leaders = take_leaders(state, [one.id for one in side.chiefs], captor)
    for body in side.bodies:
        for kind, number in list(body.factors.items()):
            body.take(kind, number)
    settle(state, side, area, why)
    return leaders


def said(bag: Lost) -> str:
    """Factors as the counters say them, light horse too."""
    return ", ".join(f"{bag[kind]} {kind}" for kind in KINDS if bag.get(kind))


def minor(nation: str) -> bool:
    """Whether factors are a minor's."""
    return nation in MINORS or nation == POLES
