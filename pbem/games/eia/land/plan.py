"""7.5.2: a side's plan for one day of combat, made of the lines that its player has written, the narrowest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from pbem.games.eia.battle_orders import (
    BATTLE,
    PLAN,
    AttackBy,
    BringUp,
    CommitGuard,
    DefendBy,
    Habit,
    LoseFirst,
    OutflankWith,
    RetreatBy,
    StayIf,
)
from pbem.games.eia.charts import ATTACKER, Role
from pbem.games.eia.land.sides import KINDS
from pbem.games.eia.state import State
from pbem.kernel.order import Answer, Fact, If, Order, When, answer_from_data

OUTFLANK = "outflank"
USUAL: dict[Role, str] = {"attacker": "echelon", "defender": "defend"}
"""The chits of who says nothing."""
WITHDRAW = "withdraw"
KEEP_GUARD, ALONE, LEAVE, LET_GO, SKIRMISH, PURSUE = (
    "keep_guard",
    "alone",
    "leave",
    "let_go",
    "skirmish",
    "pursue",
)
"""What a habit may be."""
_TAGS = {kind.kind() for kind in PLAN} | {"if"}
Kind = TypeVar("Kind", bound=Order)


class Plan(msgspec.Struct, frozen=True):
    """What a side does in a day of combat."""

    chit: str
    outflank: tuple[str, ...] = ()
    """The corps that go round; none: the usual split."""
    order: tuple[str, ...] = KINDS
    guard: CommitGuard | None = None
    reinforce: bool = True
    reinforce_from: tuple[str, ...] = ()
    """The areas from which they come; none: all."""
    reinforce_round: int = 1
    stay: int | None = 1
    """7.5.2.13: by how many tenths of morale it must be ahead to stay; None: it leaves."""
    pursue: bool = True
    retreat: tuple[str, ...] = ()
    skirmish: bool = False


def of(answer: Answer, role: Role) -> Plan:
    """The plan that a composed answer means; what it does not say is as usual."""
    found = {type(order): order for order in answer}
    habits = {order.habit for order in answer if isinstance(order, Habit)}
    chit = USUAL[role]
    attack, defend = found.get(AttackBy), found.get(DefendBy)
    if role == ATTACKER and isinstance(attack, AttackBy):
        chit = attack.chit
    elif role != ATTACKER and isinstance(defend, DefendBy):
        chit = defend.chit
    round_flank, losses, guard = found.get(OutflankWith), found.get(LoseFirst), found.get(CommitGuard)
    bring, stay, retreat = found.get(BringUp), found.get(StayIf), found.get(RetreatBy)
    margin: int | None = stay.margin if isinstance(stay, StayIf) else 1
    return Plan(
        chit,
        outflank=round_flank.corps if isinstance(round_flank, OutflankWith) else (),
        order=losses.factors if isinstance(losses, LoseFirst) else KINDS,
        guard=guard if isinstance(guard, CommitGuard) and KEEP_GUARD not in habits else None,
        reinforce=ALONE not in habits,
        reinforce_from=bring.areas if isinstance(bring, BringUp) else (),
        reinforce_round=bring.round if isinstance(bring, BringUp) else 1,
        stay=None if LEAVE in habits else margin,
        pursue=LET_GO not in habits,
        retreat=retreat.areas if isinstance(retreat, RetreatBy) else (),
        skirmish=SKIRMISH in habits,
    )


def written(view: State, seat: str) -> list[Order]:
    """The lines of a plan among a seat's orders of the month."""
    text = view.letters.get(seat)
    if not text:
        return []
    rows = msgspec.json.decode(text, type=list[dict[str, object]])
    kept = [_only_plan(row) for row in rows if row.get("order") in _TAGS]
    return list(answer_from_data([row for row in kept if row], PLAN))


def _only_plan(row: dict[str, object]) -> dict[str, object]:
    """An IF of a letter with those of its steps that belong to a plan; nothing where none do."""
    if row.get("order") != "if":
        return row
    branches = {}
    for name in ("then", "otherwise"):
        steps = row.get(name) or []
        assert isinstance(steps, list)
        branches[name] = [_only_plan(step) for step in steps if step.get("order") in _TAGS]
    return {**row, **branches} if any(branches.values()) else {}


def unfolded(lines: Iterable[Order], facts: Mapping[str, Fact], question: str) -> list[Order]:
    """Lines without conditions: the branch of each IF and WHEN that holds, before those that stand without one."""
    chosen: list[Order] = []
    plain: list[Order] = []
    for line in lines:
        if isinstance(line, If):
            chosen += unfolded(line.chosen(facts), facts, question)
        elif isinstance(line, When):
            if line.question == question:
                branch = line.then if line.condition.holds(facts) else line.otherwise
                chosen += unfolded(branch, facts, question)
        else:
            plain.append(line)
    return chosen + plain


def narrowness(line: Order) -> int:
    """How narrowly a line fits: for a place before for a leader before for all."""
    return (2 if getattr(line, "place", "") else 0) + (1 if getattr(line, "leader", "") else 0)


def fits(line: Order, place: str, leaders: Iterable[str]) -> bool:
    """Whether a line is about a combat at that place, with those own leaders."""
    at, under = getattr(line, "place", ""), getattr(line, "leader", "")
    return (not at or at == place) and (not under or under in leaders)


def best(
    lines: Iterable[Order], kind: type[Kind], legal: Callable[[Kind], bool] = lambda line: True
) -> Kind | None:
    """The line of a kind that counts: the narrowest, of equals the one with the highest odds, of equals the first."""
    found = [line for line in lines if isinstance(line, kind) and legal(line)]
    if not found:
        return None
    return min(found, key=lambda line: (-narrowness(line), -_odds(line)))


def _odds(line: Order) -> int:
    return int(getattr(line, "odds", "") or 0)


def composed(
    lines: Sequence[Order],
    role: Role,
    place: str,
    leaders: Sequence[str],
    odds: int,
    legal: Callable[[Order], bool],
) -> Answer:
    """The lines that make the plan of a day: of each kind the one that counts.

    `odds` is a hundred times this side's strength over the other's, as far as it may know.
    """
    usable = [
        line for line in lines if isinstance(line, BATTLE) and fits(line, place, leaders) and legal(line)
    ]
    chosen: list[Order | None] = []
    if role == ATTACKER:
        chosen.append(best(usable, AttackBy, lambda line: not line.odds or odds >= int(line.odds)))
    else:
        against = 10000 // odds if odds else 0
        chosen.append(best(usable, DefendBy, lambda line: not line.odds or against >= int(line.odds)))
    for kind in (OutflankWith, LoseFirst, CommitGuard, BringUp, StayIf, RetreatBy):
        chosen.append(best(usable, kind))
    for habit in (KEEP_GUARD, ALONE, LEAVE, LET_GO, SKIRMISH):
        chosen.append(_habit(usable, habit))
    return tuple(line for line in chosen if line is not None)


_AGAINST: dict[str, tuple[type[Order] | None, str]] = {
    KEEP_GUARD: (CommitGuard, ""),
    ALONE: (BringUp, ""),
    LEAVE: (StayIf, ""),
    LET_GO: (None, PURSUE),
    SKIRMISH: (None, ""),
}
"""What a habit is set against: a line of that kind, or another habit."""


def _habit(lines: Sequence[Order], name: str) -> Order | None:
    """A habit that holds: none that is written more narrowly, or before it, says the contrary."""
    kind, contrary = _AGAINST[name]
    about = [
        line
        for line in lines
        if (isinstance(line, Habit) and line.habit in (name, contrary))
        or (kind is not None and isinstance(line, kind))
    ]
    first = min(about, key=lambda line: -narrowness(line), default=None)
    return first if isinstance(first, Habit) and first.habit == name else None
