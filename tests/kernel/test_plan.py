"""Plans: steps in order, IF decided in its turn, a refusal that ends its unit only, rehearsals without a table."""

from __future__ import annotations

import pytest

from pbem.kernel.order import Condition, If, Order, Test
from pbem.kernel.plan import Plan, Refused, Rehearsal, nearest, refuse, rehearse, singles
from pbem.kernel.problem import Problem


class Begin(Order, frozen=True):
    name: str = ""


class Walk(Order, frozen=True):
    to: str = ""
    by: str = ""


def carry_out(plan: Plan, *, known: dict[str, int] | None = None) -> tuple[list[Order], list[Problem]]:
    """What is done of a plan in which nobody can walk to the sea, and what is refused."""
    done: list[Order] = []
    problems: list[Problem] = []

    async def step(order: Order) -> None:
        if isinstance(order, Walk) and order.to == "sea":
            raise Refused("wet", "1.2", zone="sea")
        done.append(order)

    def failed(number: int, order: Order, refused: Refused) -> None:
        problems.append(refused.at(number))
        plan.end_unit()

    rehearse(plan.run(step, failed, lambda order: order.chosen(known or {})))
    return done, problems


def test_a_refused_step_ends_its_unit_and_not_the_plan() -> None:
    answer = (Begin("a"), Walk("sea"), Walk("hill"), Begin("b"), Walk("mill"))
    done, problems = carry_out(Plan(enumerate(answer), (Begin,)))
    assert done == [Begin("a"), Begin("b"), Walk("mill")]
    assert problems == [Problem("wet", "1.2", params={"zone": "sea"}, order=1)]


def test_without_units_only_the_refused_step_is_left_out() -> None:
    done, problems = carry_out(Plan(enumerate((Walk("sea"), Walk("hill")))))
    assert done == [Walk("hill")]
    assert [problem.order for problem in problems] == [0]


def test_an_if_is_decided_in_its_turn_and_its_steps_bear_its_number() -> None:
    choice = If(Condition((Test("depth", "<", 3),)), (Walk("sea"),), (Walk("hill"), Walk("mill")))
    answer = (Walk("inn"), choice, Walk("farm"))
    assert carry_out(Plan(enumerate(answer)), known={"depth": 9})[0] == [
        Walk("inn"),
        Walk("hill"),
        Walk("mill"),
        Walk("farm"),
    ]
    done, problems = carry_out(Plan(enumerate(answer)), known={"depth": 1})
    assert done == [Walk("inn"), Walk("farm")]
    assert [problem.order for problem in problems] == [1]


def test_what_is_ahead_can_be_looked_at_and_taken() -> None:
    plan = Plan(enumerate((Walk("a"), Walk("b"), Begin("x"), Walk("c"))), (Begin,))
    assert plan.ahead((Begin,)) == [Walk("a"), Walk("b")]
    assert plan.take() == (0, Walk("a"))
    assert plan.take_while((Walk,)) == [(1, Walk("b"))]
    assert plan.ahead() == [Begin("x"), Walk("c")]
    branch = plan.branch((Walk("d"),))
    assert [order for _, order in branch.steps] == [Walk("d"), Begin("x"), Walk("c")]
    plan.stop()
    assert not plan
    assert branch


def test_a_refusal_says_what_would_be_legal_once() -> None:
    refused = Refused("wet", "1.2", zone="sea")
    refused.suggest((Walk("hill"),))
    refused.suggest((Walk("mill"),))
    assert refused.problem.nearest == (Walk("hill"),)
    refuse(None)
    with pytest.raises(Refused) as caught:
        refuse(refused.problem)
    assert caught.value.problem is refused.problem


def test_a_rehearsal_that_waits_is_a_fault() -> None:
    table = Rehearsal({"cards": 3})
    assert table.shuffle("deck", ["a", "b"], rule="1") == ["?", "?"]

    async def waits() -> None:
        await table.checkpoint()

    with pytest.raises(RuntimeError):
        rehearse(waits())


def test_the_nearest_orders_are_those_most_alike() -> None:
    legal = [Begin("a"), Walk("mill"), Walk("hill", "road"), Walk("farm", "road")]
    weights = {"to": 3, "by": 1}
    assert nearest(Walk("hill", "road"), legal, weights)[0] == Walk("hill", "road")
    assert Begin("a") not in nearest(Walk("sea", "road"), legal, weights)
    assert list(singles([Walk("a"), Walk("b")], (Walk("b"),))) == [(Walk("b"),), (Walk("a"),)]
