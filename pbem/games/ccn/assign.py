"""4.6: what the dice of ELAN and RALLY give, by the ranking of a plan: the same to check it and to play it."""

from __future__ import annotations

from pbem.games.ccn import cards
from pbem.games.ccn.charts import ARMS
from pbem.games.ccn.orders import (
    Activate,
    Fire,
    Halt,
    LeaderMove,
    LeaderStay,
    LeaveSquare,
    Melee,
    Move,
    Rank,
)
from pbem.games.ccn.plan import TurnPlan, wishes
from pbem.games.ccn.state import State, copy
from pbem.kernel.order import Answer, If

_SAYS_WHO = (Activate, Move, LeaderMove, LeaderStay, LeaveSquare, Fire, Melee, Rank, If)
NOBODY: Answer = (Halt(),)
"""The answer of somebody whom no face of the dice helps."""


def leaves_open(answer: Answer) -> bool:
    """4.6: whether a plan says nothing of whom the dice shall order: then its player sees them first."""
    return not any(isinstance(order, _SAYS_WHO) for order in answer)


def _priorities(plan: TurnPlan) -> list[str]:
    """The units of the priority list; one that is named twice stands there twice."""
    units = [
        plan.state.unit_at(hex)
        for order in plan.answer
        for hex in (order.units if isinstance(order, Rank) else ())
    ]
    return [unit.id for unit in units if unit is not None and unit.side == plan.seat]


def _ranking(plan: TurnPlan) -> list[str]:
    """The units of the priority list, then all whom the plan uses, in its order; leaders among them."""
    return list(dict.fromkeys([*_priorities(plan), *wishes(plan)]))


def elan(plan: TurnPlan, faces: tuple[str, ...]) -> list[str]:
    """10.3.5: an arm's face orders a unit of that arm, a flag any unit or leader; sabres nothing."""
    left = {face: faces.count(face) for face in (*ARMS, "flag")}
    ranking, granted = _ranking(plan), []
    for id in ranking:
        unit = plan.state.units.get(id)
        if unit is not None and left[unit.arm]:
            left[unit.arm] -= 1
            granted.append(id)
    for id in ranking:
        if id not in granted and left["flag"]:
            left["flag"] -= 1
            granted.append(id)
    return granted


def rally(plan: TurnPlan, faces: tuple[str, ...]) -> dict[str, int]:
    """10.3.12: each face of an arm gives a block back to a unit of that arm, up to its strength (R54).

    First as the priority list says, then to those whom the plan uses and to the weakest, in turns.
    """
    state = plan.state
    weakest = sorted(state.army(plan.seat), key=lambda unit: (unit.blocks - unit.kind.blocks, unit.hex))
    ranking = list(dict.fromkeys([*_ranking(plan), *(unit.id for unit in weakest)]))
    first = _priorities(plan)
    rounds = [first + [id for id in ranking if id not in first]] + [ranking] * len(faces)
    gained: dict[str, int] = {}
    for arm in ARMS:
        left = faces.count(arm)
        for unit in (state.units[id] for ids in rounds for id in ids if id in state.units):
            if left and unit.arm == arm and unit.blocks < unit.kind.blocks:
                unit.blocks += 1
                gained[unit.id] = gained.get(unit.id, 0) + 1
                left -= 1
    return gained


def after_dice(view: State, seat: str, faces: tuple[str, ...], answer: Answer) -> TurnPlan:
    """Orders given when the dice are known, applied to a copy of the position: what is wrong with them."""
    plan = TurnPlan(copy(view), seat, answer)
    if answer == NOBODY:
        return plan
    plan.detaching = plan.detach_list()
    by_elan = view.command is not None and view.command.card == cards.ELAN
    plan.grant(elan(plan, faces) if by_elan else list(rally(plan, faces)))
    plan.carry_out(check=True)
    return plan
