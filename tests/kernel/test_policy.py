"""Policies: the first standing order that concerns the question, reaches its threshold and stands decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.kernel.order import Answer, AskMe, Condition, Fact, Order, Test, When
from pbem.kernel.policy import Policy, as_said, first_fit, usual
from pbem.kernel.question import Question


class Hold(Order, frozen=True):
    """Stay."""


class Flee(Order, frozen=True):
    to: str = ""


class FleePolicy(Order, frozen=True):
    ways: tuple[str, ...] = ()
    steps: int = 0
    unit: str = ""


class WeakPolicy(Order, frozen=True):
    blocks: int = 0


class UsualPolicy(Order, frozen=True):
    """As silence."""


class Attacked(Question, frozen=True, kw_only=True):
    unit: str = "guard"
    steps: int = 4
    ways: tuple[str, ...] = ("mill",)
    orders = (Hold, Flee)

    def legal(self, view: Any) -> Iterator[Answer]:
        yield (Hold(),)
        yield from ((Flee(way),) for way in self.ways)

    def facts(self, view: Any) -> Mapping[str, Fact]:
        return {"steps": self.steps}

    def concerns(self, view: Any, standing: Order) -> bool:
        return getattr(standing, "unit", "") in ("", self.unit)

    def _flee(self, view: Any, standing: FleePolicy) -> Answer | None:
        way = first_fit(standing.ways, self.ways)
        return None if way is None else (Flee(way),)

    policies = (
        Policy(FleePolicy, _flee, at_least={"steps": "steps"}),
        Policy(WeakPolicy, (Flee("mill"),), below={"blocks": "steps"}, otherwise=(Hold(),)),
        Policy(Flee, as_said),
        Policy(UsualPolicy, usual),
    )


class Strict(Attacked, frozen=True, kw_only=True):
    first_of_kind = True


class Secret(Attacked, frozen=True, kw_only=True):
    discreet = True


ASKED = Attacked(key="a", seat="red")


def test_the_kinds_of_standing_orders_follow_from_the_policies() -> None:
    assert Attacked.standing == (FleePolicy, WeakPolicy, Flee, UsualPolicy)
    assert Strict.standing == Attacked.standing


def test_the_first_that_concerns_and_fits_decides() -> None:
    other, far, near = FleePolicy(("mill",), unit="line"), FleePolicy(("inn",)), FleePolicy(("inn", "mill"))
    assert ASKED.follow(None, [other, far, near, UsualPolicy()]) == ((Flee("mill"),), near)
    assert ASKED.follow(None, [FleePolicy(("mill",), steps=5), UsualPolicy()]) == ((Hold(),), UsualPolicy())
    assert ASKED.follow(None, [other]) is None


def test_of_each_kind_only_the_first_where_the_question_says_so() -> None:
    far, near = FleePolicy(("inn",)), FleePolicy(("mill",))
    assert Strict(key="a", seat="red").follow(None, [far, near]) is None
    assert ASKED.follow(None, [far, near]) == ((Flee("mill"),), near)


def test_thresholds_below_and_their_other_answer() -> None:
    assert ASKED.answer_by(None, WeakPolicy(5)) == (Flee("mill"),)
    assert ASKED.answer_by(None, WeakPolicy(4)) == (Hold(),)
    assert ASKED.answer_by(None, WeakPolicy()) == (Flee("mill"),)


def test_an_answer_that_does_not_stand_is_passed_over() -> None:
    assert ASKED.follow(None, [Flee("sea"), Flee("mill")]) == ((Flee("mill"),), Flee("mill"))


def test_ask_me_and_when_come_in_their_turn() -> None:
    many = Condition((Test("steps", ">", 3),))
    ask = AskMe("attacked", many)
    when = When("attacked", many, (Flee("mill"),))
    assert ASKED.follow(None, [ask, UsualPolicy()]) is None
    assert ASKED.follow(None, [UsualPolicy(), ask]) == ((Hold(),), UsualPolicy())
    assert ASKED.follow(None, [when, UsualPolicy()]) == ((Flee("mill"),), when)


def test_a_discreet_question_is_asked_even_where_there_is_no_choice() -> None:
    assert Attacked(key="a", seat="red", ways=()).only(None) == (Hold(),)
    assert Secret(key="a", seat="red", ways=()).only(None) is None
