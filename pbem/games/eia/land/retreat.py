"""7.5.2.10.3: a force goes back, led by the winner, or by its owner where nobody has beaten it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.eia import board
from pbem.games.eia.battle_events import Retreated
from pbem.games.eia.board import FAR, POWERS
from pbem.games.eia.desk import Desk
from pbem.games.eia.land import muster
from pbem.games.eia.land.sides import LIGHT_HORSE, Body, Side
from pbem.games.eia.state import Arrow, State


def goals(state: State, area: str, bodies: Sequence[Body]) -> list[str]:
    """7.5.2.10.3.1: the depots of a nationality of the force, none in the battle area; else its capitals."""
    powers = {body.power for body in bodies}
    depots = sorted({depot.area for depot in state.depots if depot.power in powers and depot.area != area})
    return depots or sorted(capital for power in powers for capital in POWERS[power].capitals)


def nearest(state: State, area: str, targets: Sequence[str], used: Sequence[str]) -> list[str]:
    """7.5.2.10.3.1, 7.5.2.10.3.4, 7.5.2.10.3.5: the adjacent areas nearest to a target, by land, not used before."""
    best: dict[str, int] = {}
    for other in board.by_land(area):
        if other in used or not state.plays(other):
            continue
        far = board.land_distances(other)
        best[other] = min((far.get(target, FAR) for target in targets), default=FAR)
    least = min(best.values(), default=FAR)
    return sorted(other for other, distance in best.items() if distance == least)


def held(state: State, area: str, enemies: Sequence[str]) -> bool:
    """7.5.2.10.3.3: whether enemies stand in the field there: corps, light horse, depot garrisons."""
    return bool(
        [corps for corps in state.at(area, enemies, inside=None) if state.free(corps)]
        or state.horse_at(area, enemies)
        or [found for found in state.garrisons_at(area, depot=True) if found.power in enemies]
    )


def path(
    state: State, area: str, bodies: Sequence[Body], wish: Sequence[str], enemies: Sequence[str]
) -> tuple[str, ...]:
    """7.5.2.10.3, 7.5.2.10.3.2, 7.5.2.10.3.6: the areas through which a force goes; nothing where there is no way out.

    `wish` decides between areas that are equally near.
    """
    targets, used = goals(state, area, bodies), [area]
    while True:
        found = nearest(state, used[-1], targets, used)
        if not found:
            return ()
        used.append(next((one for one in wish if one in found), found[0]))
        if not held(state, used[-1], enemies):
            return tuple(used)


def go(
    desk: Desk,
    area: str,
    bodies: Sequence[Body],
    wish: Sequence[str],
    *,
    enemies: Sequence[str],
    captor: str = "",
) -> tuple[str, ...]:
    """7.5.2.10.3: a force retreats together, or is taken where it finds no way; depot garrisons cannot go (7.5.3.4)."""
    state = desk.state
    able = [body for body in bodies if (body.corps or body.kind in LIGHT_HORSE) and body.size]
    if not able:
        return ()
    way = path(state, area, able, wish, enemies)
    power = max(able, key=lambda body: body.size).power
    corps = sum(body.corps for body in able)
    if not way:
        taken = Side("defender", list(able))
        taken.chiefs = [
            muster.chief(state, leader, area) for leader in state.leaders_with([body.id for body in able])
        ]
        size = taken.total
        leaders = muster.surrender(state, taken, area, "captured", captor or enemies[0])
        state.tidy()
        desk.tell(
            Retreated(
                power=power,
                way=(area,),
                corps=corps,
                factors=size,
                captured=True,
                leaders=tuple(leaders),
                rule="7.5.2.10.3.6",
            )
        )
        return ()
    for body in able:
        thing = state.corps.get(body.id) or state.horse.get(body.id)
        if thing is not None:
            thing.area, thing.inside, thing.came = way[-1], False, ""
    state.arrows.append(Arrow("retreat", power, way, corps))
    desk.tell(Retreated(power=power, way=way, corps=corps, rule="7.5.2.10.3"))
    return way


def back(desk: Desk, area: str, bodies: Sequence[Body]) -> None:
    """7.5.4.2.3: relievers who have failed go back, each force to the area from which it came."""
    state = desk.state
    by_area: dict[str, list[Body]] = {}
    for body in bodies:
        if body.size and body.came and (body.corps or body.kind in LIGHT_HORSE):
            by_area.setdefault(body.came, []).append(body)
    for came, force in sorted(by_area.items()):
        for body in force:
            thing = state.corps.get(body.id) or state.horse.get(body.id)
            if thing is not None:
                thing.area, thing.inside, thing.came = came, False, ""
        power, corps = force[0].power, sum(body.corps for body in force)
        state.arrows.append(Arrow("retreat", power, (area, came), corps))
        desk.tell(Retreated(power=power, way=(area, came), corps=corps, rule="7.5.4.2.3"))
