"""7.5.2: what is wrong with the lines of a battle plan in a letter, as far as the writer can know."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.games.eia import charts
from pbem.games.eia.battle_orders import AttackBy, CommitGuard, DefendBy, OutflankWith
from pbem.games.eia.land import muster, plan, sides
from pbem.games.eia.state import MAP, State
from pbem.kernel.order import Answer
from pbem.kernel.problem import ILLEGAL, Problem


def problems(state: State, seat: str, letter: Answer) -> list[Problem]:
    """What is wrong with the plan in a letter; `state` is the seat's view with its marches done."""
    found: list[Problem] = []
    for number, line in enumerate(letter):
        if isinstance(line, (AttackBy, DefendBy, OutflankWith, CommitGuard)):
            about = _place(state, seat, line) or _leader(state, seat, line) or _able(state, seat, line)
            found += [msgspec.structs.replace(about, order=number)] if about is not None else []
    return found


Line = AttackBy | DefendBy | OutflankWith | CommitGuard


def _own(state: State, seat: str, area: str) -> list[str]:
    return [corps.id for corps in state.at(area, state.of_seat(seat), inside=None)]


def _place(state: State, seat: str, line: Line) -> Problem | None:
    """A plan for a battle that does not come: none of one's corps will be there."""
    if not line.place or isinstance(line, DefendBy) or _own(state, seat, line.place):
        return None
    nearest = tuple(
        msgspec.structs.replace(line, place=area)
        for area in sorted(set(_fronts(state, seat)))
        if area != line.place
    )
    return Problem("nobody_there", "7.5.1", ILLEGAL, {"area": line.place}, nearest[:3])


def _fronts(state: State, seat: str) -> Iterator[str]:
    """Where one's corps will stand before the enemy."""
    for power in state.of_seat(seat):
        for corps in state.of(power):
            if state.field_enemies(corps.area, power):
                yield corps.area


def _leader(state: State, seat: str, line: Line) -> Problem | None:
    if not line.leader:
        return None
    leader = state.leaders.get(line.leader)
    if leader is None or leader.where != MAP or state.seat_of(leader.power) != seat:
        return Problem("leader_off_map", "10.6", ILLEGAL, {"leader": line.leader})
    return None


def _able(state: State, seat: str, line: Line) -> Problem | None:
    """What chit, outflanking force and guard need."""
    if isinstance(line, CommitGuard):
        most = max(map(_guard, state.of_seat(seat)), default=0)
        if line.shift > most:
            nearest = (msgspec.structs.replace(line, shift=most),) if most else ()
            return Problem("guard_not_so_strong", "12.3.4.3", ILLEGAL, {"most": most}, nearest)
        return None
    if isinstance(line, OutflankWith):
        return _outflankers(state, seat, line)
    if line.chit != plan.OUTFLANK or not line.place or not _own(state, seat, line.place):
        return None
    if sides.may_outflank(muster.field(state, "attacker", line.place, state.of_seat(seat))):
        return None
    usual = plan.USUAL["attacker" if isinstance(line, AttackBy) else "defender"]
    return Problem("no_outflank", "7.5.2.1", ILLEGAL, {}, (msgspec.structs.replace(line, chit=usual),))


def _guard(power: str) -> int:
    """12.3.4.3: the strongest commitment of a power."""
    return charts.guard_shift(power, guards=99)


def _outflankers(state: State, seat: str, line: OutflankWith) -> Problem | None:
    if not line.place:
        return None
    there = _own(state, seat, line.place)
    strangers = tuple(corps for corps in line.corps if corps not in there)
    kept = tuple(corps for corps in line.corps if corps in there)
    if strangers:
        nearest = (msgspec.structs.replace(line, corps=kept),) if kept and len(kept) < len(there) else ()
        return Problem("outflank_not_here", "7.5.2.3", ILLEGAL, {"corps": strangers}, nearest)
    if len(line.corps) >= len(there):
        nearest = (msgspec.structs.replace(line, corps=line.corps[:-1]),) if len(line.corps) > 1 else ()
        return Problem("outflank_nobody_in_front", "7.5.2.3.1", ILLEGAL, {}, nearest)
    return None
