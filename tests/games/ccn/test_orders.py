"""Orders are read as they are written, in both languages, and back."""

import pytest

from pbem.games.ccn import RULES
from pbem.games.ccn import orders as o
from pbem.games.ccn import standing as s
from pbem.games.ccn.questions import QUESTIONS
from pbem.kernel.order import AskMe, Condition, If, Order, Test, When
from pbem.orders.parser import parse_orders, parse_standing

LANGUAGES = ("en", "fr")
TURN: list[Order] = [
    *(o.Play(card) for card in RULES.vocabulary.kinds["card"]),
    o.Play("force_march", "left"),
    o.Activate(("D4", "C6"), "left"),
    o.Activate(("D4",)),
    o.Move("C6", ("D6",)),
    o.Move("C6", ("D6", "E6", "F6")),
    o.Move("I6", ("off",)),
    o.LeaderMove("wellesley", ("D6", "D7")),
    o.LeaderMove("C6", ("D6",)),
    o.LeaderStay("wellesley"),
    o.LeaveSquare("C6"),
    o.Fire("C6", ("E7",)),
    o.Fire("C6", ("E7", "E8")),
    o.Melee("C6", ("D7",)),
    o.Melee("C6", ("D7", "D6"), ("B4", "B5"), "take_ground", "E8", ("F8", "F9")),
    o.Melee("C6", ("D7",), advance="stay"),
    o.Melee("C6", ("D7",), bonus=("E8",)),
    o.TakeGround("E8", ("F8",)),
    o.TakeGround(),
    o.Bonus(("E8",), ("B4",)),
    o.Halt(),
    o.Rank(("C6", "D7")),
    o.SendBack("C6"),
    o.SendBack("C6", "A6"),
    o.Keep(("rally", "elan")),
]
REPLIES: list[tuple[type, Order]] = [
    (question, order)
    for question in QUESTIONS
    for order in (
        o.Stand(),
        o.Strike(),
        o.Square(),
        o.Retire(),
        o.Retire(("C6", "B6")),
        o.GiveWay(1, ("C6", "B6")),
        o.GiveWay(2),
        o.GiveWay(0, ("C6",)),
        o.Ride(("C6", "off")),
        o.BattleBack(),
        o.NoBattleBack(),
        o.TakeGround("E8", ("F8",)),
        o.Settle("A4"),
    )
    if isinstance(order, question.orders)
]
POLICIES: list[Order] = [
    *s.DEFAULTS,
    s.SquarePolicy("heavy", 5, "D7"),
    s.SquarePolicy("never", whose="portuguese"),
    s.RetirePolicy("always", 3, "light"),
    s.StrikePolicy("always", 4, "br_line"),
    s.FlagPolicy("none", "old_guard"),
    s.RetreatPolicy("left", "cavalry"),
    s.BackPolicy("always", 2, "infantry"),
    s.LeaderPolicy("leave"),
    s.AdvancePolicy("clear", "cavalry"),
    o.Keep(("rally", "first_strike")),
    When(
        "reaction", Condition((Test("heavy", "=", "yes"), Test("hand", ">=", 5))), (o.Square(),), (o.Stand(),)
    ),
    AskMe("advance", Condition((Test("arm", "=", "cavalry"),))),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("order", TURN, ids=lambda order: order.text(RULES.vocabulary))
def test_the_lines_of_a_turn(order: Order, lang: str) -> None:
    text = order.text(RULES.vocabulary, lang)
    parsed = parse_orders(text, o.TURN, RULES.vocabulary, plans=True, lang=lang)
    assert parsed.orders == (order,), (text, parsed.problems)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("question", "order"), REPLIES)
def test_the_replies(question: type, order: Order, lang: str) -> None:
    text = order.text(RULES.vocabulary, lang)
    parsed = parse_orders(text, question.orders, RULES.vocabulary, lang=lang)  # type: ignore[attr-defined]
    assert parsed.orders == (order,), (text, parsed.problems)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("order", POLICIES, ids=lambda order: order.text(RULES.vocabulary))
def test_the_standing_orders(order: Order, lang: str) -> None:
    text = order.text(RULES.vocabulary, lang)
    assert parse_standing(text, RULES.standing, RULES.vocabulary, RULES.questions, lang=lang) == order, text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_plan_with_a_condition(lang: str) -> None:
    # rule 13
    plan = If(
        Condition((Test("D7", "=", "empty"),)),
        (o.Fire("C6", ("E7",)),),
        (o.Melee("C6", ("D7",), advance="take_ground"),),
    )
    text = plan.text(RULES.vocabulary, lang)
    assert parse_orders(text, o.TURN, RULES.vocabulary, plans=True, lang=lang).orders == (plan,), text


def test_forgiving_writing() -> None:
    for text, order in (
        ("c6 TO d6", o.Move("C6", ("D6",))),
        ("move c6 to d6 > e6", o.Move("C6", ("D6", "E6"))),
        ("C6 attaque D7 avec B5", o.Melee("C6", ("D7",), ("B5",))),
        ("C6 fires at E7", o.Fire("C6", ("E7",))),
        ("play cold steel", o.Play("give_them_the_cold_steel")),
        ("carte marche forcee section gauche", o.Play("force_march", "left")),
    ):
        assert parse_orders(text, o.TURN, RULES.vocabulary, plans=True).orders == (order,), text
