"""7.5.2.11: reinforcements: who may march to the guns, and whether they arrive."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.games.eia import board
from pbem.games.eia.battle_events import ReinforcementTried
from pbem.games.eia.board import AREAS
from pbem.games.eia.desk import Desk
from pbem.games.eia.land import muster, sides
from pbem.games.eia.land.plan import Plan
from pbem.games.eia.land.rounds import Clash
from pbem.games.eia.land.sides import Body, Side
from pbem.games.eia.state import Arrow, Corps, State

ROUGH = ("forest", "mountain", "marsh")


class Group(msgspec.Struct):
    """Forces in one area, in its field or in its city, that may come together."""

    area: str
    inside: bool
    side: Side
    harder: int
    """7.5.2.11.2.1: what is added to the die."""


def groups(state: State, clash: Clash, side: Side, plan: Plan) -> Iterator[Group]:
    """7.5.2.11b, 7.5.2.11.1, 7.5.2.11.2a, 7.5.2.11.1.3: forces beside the battle, or in a city there.

    Besiegers, and those who face an enemy, stay where they are; besiegers go where the plan names their area.
    """
    powers = [
        power
        for power in state.powers
        if any(state.allied(power, own) for own in side.powers())
        and all(state.at_war(power, other) for other in clash.other(side).powers())
    ]
    here = clash.area
    for area in (here, *board.by_land(here)):
        named = area in plan.reinforce_from
        if plan.reinforce_from and not named:
            continue
        for inside in (False, True):
            if (area == here and not inside) or (inside and area in state.sieges):
                continue
            if not inside and (area in state.sieges and not named):
                continue
            if not inside and _engaged(state, area, powers):
                continue
            corps = [one for one in state.at(area, powers, inside=inside) if one.id not in state.fought]
            corps = [one for one in corps if not _cannot_enter(state, one)]
            if not corps:
                continue
            horse = [one for one in state.horse_at(area, powers, inside=inside) if one.id not in state.fought]
            made = muster.side(state, side.role, area, corps, horse)
            yield Group(area, inside, made, _harder(area, here))


def _engaged(state: State, area: str, powers: list[str]) -> bool:
    """Whether enemies of theirs stand in the field of that area."""
    return any(state.at_war(power, corps.power) for power in powers for corps in state.at(area))


def _cannot_enter(state: State, corps: Corps) -> bool:
    """10.1.4.1.4, 10.1.5: a corps called up this month does not move."""
    return corps.placed == state.month or corps.type == "insurrection"


def _harder(area: str, here: str) -> int:
    """7.5.2.11.2.1a: whether the die is worse from there."""
    if area == here:
        return 0
    return int(AREAS[area].terrain in ROUGH or board.crossing(area, here) == "river")


def reinforce(desk: Desk, clash: Clash, side: Side, plan: Plan) -> None:
    """7.5.2.11a, 7.5.2.11.2b: each commander rolls for those with him; without one, each corps."""
    if not plan.reinforce or clash.round < plan.reinforce_round:
        return
    for group in list(groups(desk.state, clash, side, plan)):
        command = sides.commander(group.side, corps_leaders=False)
        if command.leader:
            _try(desk, clash, side, group, group.side.bodies, command.strategic, "")
            continue
        for number, body in enumerate(group.side.corps, 1):
            _try(desk, clash, side, group, [body], body.strategic, number)


def _try(
    desk: Desk,
    clash: Clash,
    side: Side,
    group: Group,
    bodies: list[Body],
    rating: int,
    number: int | str,
) -> None:
    where = (clash.area, f"d{clash.day}" if clash.day > 1 else "", f"r{clash.round}", "reinforce", group.area)
    label, dice = desk.roll(*where, "city" if group.inside else "", number, rule="7.5.2.11.2")
    die = dice[0] + group.harder
    success = die <= rating
    clash.later.append(
        ReinforcementTried(
            area=clash.area,
            start=group.area,
            power=bodies[0].power,
            round=clash.round,
            die=die,
            rating=rating,
            success=success,
            corps=sum(body.corps for body in bodies),
            factors=sum(body.size for body in bodies) if success else 0,
            draws=(label,),
            rule="7.5.2.11",
        )
    )
    if success:
        _join(desk, clash, side, group, bodies)


def _join(desk: Desk, clash: Clash, side: Side, group: Group, bodies: list[Body]) -> None:
    """7.5.2.11.2.1b, 7.5.2.11.2.1c, 10.6.1.1.3: they join the pinning force; their leader may take the command."""
    state = desk.state
    ids = {body.id for body in bodies}
    leaders = {leader.id for leader in state.leaders_with(ids)}
    for body in bodies:
        thing = state.corps.get(body.id) or state.horse.get(body.id)
        assert thing is not None
        thing.area, thing.inside = clash.area, False
        thing.came = group.area if group.area != clash.area else thing.came
        body.came = group.area
    if group.area != clash.area:
        state.arrows.append(Arrow("march", bodies[0].power, (group.area, clash.area), len(bodies)))
    side.bodies += bodies
    for power, halves in sides.stakes(Side(side.role, bodies)).items():
        side.engaged[power] = side.engaged.get(power, 0) + halves
    command = clash.commands[side.role]
    for chief in [one for one in group.side.chiefs if one.id in leaders]:
        takes_over = sides.takes_over(side, command, chief)
        side.chiefs.append(chief)
        if takes_over:
            command = sides.under(side, chief)
    clash.commands[side.role] = sides.again(side, command)
    state.tidy()
