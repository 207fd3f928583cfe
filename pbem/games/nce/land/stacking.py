"""4.5, 8.4: what a force in its activation picks up, leaves, takes and exchanges on its way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.games.nce import board, command
from pbem.games.nce.events_field import GeneralDismissed, PickedUp, UnitsLeft, UnitsTaken
from pbem.games.nce.land import aftermath
from pbem.games.nce.land.tempo import now
from pbem.games.nce.orders import Activate, Go, Leave, PickUp, Take
from pbem.games.nce.state import WAIT, Force
from pbem.kernel.plan import Refused

if TYPE_CHECKING:
    from pbem.games.nce.land.march import March

BARRED = ("", "river", "pass", "mountain")
"""8.4, 22.1: borders over which an army gathers nobody."""


def pick_up(march: March, names: Sequence[str]) -> None:
    """8.4, 2.5.3: forces of adjacent zones join the army; it then starts with one point less, once."""
    force = march.force
    if not force.army:
        raise Refused("not_an_army", "8.4", force=force.name)
    if march.entered:
        raise Refused("pick_up_first", "8.4")
    for name in names:
        other = march.state.force_with(name)
        problem = _pick_up_problem(march, name, other)
        if problem is not None:
            raise problem
        assert other is not None
        zone = other.zone
        absorb(march, other)
        march.desk.tell(PickedUp(force=march.force.name, other=name, zone=zone, rule="8.4"))
    if not march.gathered:
        march.pay(1, "8.4")
        march.gathered = True
    march.slower()
    march.count()


def _pick_up_problem(march: March, name: str, other: Force | None) -> Refused | None:
    """8.4: not an army, nor a part of one, nor a force beyond a river without bridge or a mountain."""
    force = march.force
    able = _gatherable(march)
    nearest = (PickUp(tuple(able[:1])),) if able else ()
    if other is None or other.side != march.side or other.id in march.ids:
        return Refused("no_such_force", "8.4", nearest=nearest, force=name)
    if other.army:
        return Refused("two_armies", "8.4", nearest=nearest, force=name)
    if not board.crossing(other.zone, force.zone):
        return Refused("not_next_door", "8.4", nearest=nearest, force=name)
    if _barred(march, other.zone, force.zone):
        return Refused("pick_up_barred", "8.4", nearest=nearest, force=name)
    if other.inside and other.zone in march.state.siege:
        return Refused("besieged", "13.2.7", nearest=nearest, force=name)
    if other.acted == now(march.state):
        return Refused("already_acted", "4.5.4", nearest=nearest, force=name)
    problem = march.border_problem(other, other.zone, force.zone)
    if problem is not None:
        return problem
    if not command.may_absorb(force, other):
        return Refused("lower_rank", "4.3.4", nearest=nearest, force=name)
    code, rule = command.may_join(force, other)
    return Refused(code, rule, nearest=nearest, force=name) if code else None


def _gatherable(march: March) -> list[str]:
    """The forces next door that the army could gather: what to write instead."""
    force, found = march.force, []
    for other in march.state.of(march.side):
        if other.id in march.ids or other.army or other.inside or other.acted == now(march.state):
            continue
        if _barred(march, other.zone, force.zone) or not command.may_absorb(force, other):
            continue
        if not command.may_join(force, other)[0]:
            found.append(other.name)
    return sorted(found)


def _barred(march: March, here: str, there: str) -> bool:
    """8.4, 22.1: no gathering over a river without bridge (36F bridges them), a pass or a mountain."""
    kind = board.crossing(here, there)
    return kind in BARRED and not (kind == "river" and march.grant.bridged)


def absorb(march: March, other: Force) -> None:
    """11.5: each part keeps its state of supply until the next check; the whole goes by half of its steps."""
    if other.unsupplied:
        march.short |= set(other.units)
        march.hungry |= set(other.units)
    merged, _ = command.join(march.state, march.force, other)
    merged.unsupplied = _half_short(march, merged)


def _half_short(march: March, force: Force) -> bool:
    """11.5: whether at least half of its steps are out of supply."""
    short = sum(steps for unit, steps in force.units.items() if unit in march.hungry)
    return short > 0 and 2 * short >= force.strength


def leave(march: March, order: Leave) -> None:
    """4.5.1, 4.5.6, 8.3.2: units stay here, alone, under a subordinate, or with a force that stands here."""
    state, force = march.state, march.force
    chosen = command.part(force, order.pieces)
    if chosen is None:
        raise Refused("not_with_force", "4.5.1", nearest=_droppable(force), force=force.name)
    units, generals = chosen
    if not units:
        raise Refused("general_alone", "2.4.3", nearest=_droppable(force), force=force.name)
    if len(units) >= len(force.units):
        raise Refused("someone_must_stay", "4.5.1", nearest=_droppable(force), force=force.name)
    zone, name = force.zone, force.name
    friend = _receiver(march, order.force)
    code, rule = ("", "")
    if friend is None:
        code, rule = command.split_problem(force, order.pieces)
        if code:
            raise Refused(code, rule, nearest=_droppable(force), force=name)
    left = command.detach(state, force, units, generals)
    left.acted = now(state) if march.entered else 0
    if friend is not None:
        code, rule = command.may_join(friend, left)
        if code:
            raise Refused(code, rule, force=friend.name)
        left, _ = command.join(state, friend, left)
        code, rule = command.command_problem(force)
        if code:
            raise Refused(code, rule, force=name)
    if left.id in march.ids:
        march.count()
    else:
        march.dropped.add(left.id)
    march.quicker()
    march.desk.tell(UnitsLeft(force=name, pieces=tuple(order.pieces), zone=zone, rule="4.5.1"))


def _receiver(march: March, name: str) -> Force | None:
    """Who takes what is left: the force named, the other army before the move (8.3.2), else who stands here."""
    state = march.state
    others = [other for other in state.at(march.force.zone, march.side) if other.id != march.id]
    if name:
        named = state.force_with(name)
        if named is None or named not in others:
            raise Refused("no_such_force", "4.5.1", force=name)
        if named.id == march.pair and march.entered:
            raise Refused("exchange_first", "8.3.2", force=name)
        return named
    return next((other for other in others if other.id not in march.ids), None)


def _droppable(force: Force) -> tuple[Leave, ...]:
    for unit in force.units:
        if not command.split_problem(force, [unit])[0]:
            return (Leave((unit,)),)
    return ()


def take(march: March, pieces: Sequence[str]) -> None:
    """4.5.1, 4.5.3, 4.5.6, 4.5.7: absorb units of the zone, or all of a force."""
    state, force = march.state, march.force
    friends = [other for other in state.at(force.zone, march.side) if other.id != march.id]
    if march.entered:
        friends = [other for other in friends if other.id != march.pair]
    if not friends:
        raise Refused("nobody_to_take", "4.5.1", zone=force.zone)
    other = next((f for f in friends if any(p in f.units or p in f.generals for p in pieces)), friends[0])
    problem = _take_problem(march, other, pieces)
    if problem is not None:
        raise problem
    if _whole(other, pieces):
        names = tuple(other.units)
        absorb(march, other)
    else:
        names = tuple(pieces)
        _take_part(march, other, pieces)
    march.slower()
    march.desk.tell(UnitsTaken(force=march.force.name, pieces=names, zone=march.force.zone, rule="4.5.1"))


def _whole(other: Force, pieces: Sequence[str]) -> bool:
    return not pieces or set(other.units) <= set(pieces)


def _take_problem(march: March, other: Force, pieces: Sequence[str]) -> Refused | None:
    """4.5.3, 4.5.4, 4.5.6: rank, armies, and units that have moved already; 8.3.2: two armies exchange freely."""
    force, exchange = march.force, other.id == march.pair
    if other.acted == now(march.state):
        return Refused("already_acted", "4.5.4", force=other.name)
    if other.army and (not force.army or _whole(other, pieces)):
        return Refused("army_keeps_its_own", "4.5.3", nearest=_one_of(other, force), force=other.name)
    if not exchange and not command.may_absorb(force, other):
        if other.army:
            return Refused("army_keeps_its_own", "4.5.3", force=other.name)
        return Refused("lower_rank", "4.5.6", nearest=_onwards(march), force=other.name)
    if _whole(other, pieces):
        code, rule = command.may_join(force, other)
        nearest = (*_one_of(other, force), *_onwards(march))
        return Refused(code, rule, nearest=nearest, force=force.name) if code else None
    if command.part(other, pieces) is None:
        return Refused("not_with_force", "4.5.1", nearest=_one_of(other, force), force=other.name)
    return None


def _one_of(other: Force, force: Force) -> tuple[Take, ...]:
    """A unit that could be taken instead."""
    for unit, steps in other.units.items():
        one = Force(id="", side=force.side, zone=force.zone, units={unit: steps})
        if (len(other.units) > 1 or not other.army) and force.general and not command.may_join(force, one)[0]:
            return (Take((unit,)),)
    return ()


def _onwards(march: March) -> tuple[Go, ...]:
    """4.5.5: who cannot absorb moves on."""
    near = march.reachable()
    return (Go((near[0],)),) if near else ()


def _take_part(march: March, other: Force, pieces: Sequence[str]) -> None:
    """4.5.1, 4.5.8, 12.11.1: some units, and subordinates of an army for an army; the demoralised demoralise who
    takes them.
    """
    force = march.force
    force.demoralised = force.demoralised or other.demoralised
    chosen = command.part(other, pieces)
    assert chosen is not None
    units, generals = chosen
    for unit in units:
        force.units[unit] = other.units.pop(unit)
        if other.unsupplied:
            march.short.add(unit)
            march.hungry.add(unit)
    force.unsupplied = _half_short(march, force)
    for general in generals:
        if not command.may_serve(force, general):
            raise Refused("too_many_generals", "4.2.4", force=general)
        other.subs.remove(general)
        force.subs.append(general)
    for one in (force, other):
        code, rule = command.command_problem(one)
        if code:
            raise Refused(code, rule, force=one.name)


def send_back(march: March, general: str) -> None:
    """4.4.2: a subordinate goes to the reserve."""
    for force in march.forces:
        if general in force.subs:
            force.subs.remove(general)
            march.state.generals[general] = WAIT
            march.desk.tell(GeneralDismissed(general=general, rule="4.4.2"))
            return
    raise Refused("no_such_subordinate", "4.4.2", generals=tuple(march.force.subs))


def settle_down(march: March, force: Force) -> None:
    """4.5.4, 4.5.5, 4.3.4: at the end it becomes one with who stands there; who cannot may not stay."""
    state, desk = march.state, march.desk
    friends = [other for other in state.at(force.zone, march.side) if other.id not in march.ids]
    if not friends:
        return
    other = friends[0]
    if len(friends) == 1 and force.army and other.army and not march.pair:
        return
    if desk.dry:
        code, rule = _stay_problem(march, force, friends)
        if code:
            raise Refused(
                "stacking", rule, nearest=_onwards(march), zone=force.zone, force=other.name, why=code
            )
    aftermath.settle(desk, force.zone, march.side)
    stack = state.at(force.zone, march.side)
    if stack:
        march.follow([one.id for one in stack])


def _stay_problem(march: March, force: Force, friends: Sequence[Force]) -> tuple[str, str]:
    if len(friends) > 1 or (friends[0].army and march.pair):
        return "two_armies", "4.1.1"
    other = friends[0]
    if force.army and other.general and not other.army and not command.may_absorb(force, other):
        return "lower_rank", "4.3.4"
    return command.may_join(force, other)


def led_by(force: Force, general: str, march: int = 0) -> tuple[Activate, ...]:
    """8.3.3: a subordinate with units that he could lead: what to write."""
    for unit in force.units:
        if not command.split_problem(force, [general, unit])[0]:
            return (Activate(general, march, (unit,)),)
    return ()


def cover(force: Force, needed: int) -> tuple[Leave, ...]:
    """13.1.3: units, alone or under a subordinate, that could cover a fortress: what to write."""
    for general in ("", *reversed(force.subs)):
        chosen: list[str] = []
        for unit in sorted(force.units, key=lambda one: (-force.units[one], one)):
            chosen.append(unit)
            pieces = [*([general] if general else []), *chosen]
            enough = sum(force.units[one] for one in chosen) >= needed
            if enough and not command.split_problem(force, pieces)[0]:
                return (Leave(tuple(pieces)),)
    return ()
