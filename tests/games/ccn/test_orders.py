"""Orders are read as they are written, in both languages, and back."""

import random

import pytest

from pbem.games.ccn import RULES, board, charts
from pbem.games.ccn import orders as o
from pbem.games.ccn import standing as s
from pbem.games.ccn.questions import QUESTIONS
from pbem.kernel.order import AskMe, Condition, If, Order, Test, When
from pbem.orders.parser import parse_orders, parse_standing
from pbem.reports.catalogue import Catalogue
from tests.games.ccn.play import new

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
    o.TakeGround("", ("F8",), ("B4", "B5")),
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
    *s.CAREFUL,
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


def nonsense(whim: random.Random, hand: list[str]) -> tuple[Order, ...]:
    """A letter that reads well and means nothing."""
    hexes, cards = list(board.HEXES), list(charts.cards())
    leaders = [*RULES.vocabulary.kinds["leader"]]

    def some(most: int) -> tuple[str, ...]:
        return tuple(whim.choices(hexes, k=whim.randint(1, most)))

    lines: list[Order] = [o.Play(whim.choice(hand), whim.choice(["", "left", "right"]))]
    for _ in range(whim.randint(0, 8)):
        here = whim.choice(hexes)
        fight = whim.choice(
            [o.Fire(here, some(3)), o.Melee(here, some(2), some(2), "take_ground", "", some(2))]
        )
        lines.append(
            whim.choice(
                [
                    o.Play(whim.choice(cards)),
                    o.Activate(some(4), whim.choice(["", "center"])),
                    o.Move(here, some(4)),
                    o.Move(here, (*some(1), "off")),
                    o.LeaderMove(whim.choice(leaders), some(3)),
                    o.LeaderStay(whim.choice(leaders)),
                    o.LeaveSquare(here),
                    fight,
                    If(Condition((Test(here, "=", "enemy"),)), (fight,), (o.Move(here, some(1)),)),
                    o.TakeGround(here, some(2)),
                    o.Bonus(some(2)),
                    o.Halt(),
                    o.Rank(some(5)),
                    o.SendBack(here, here),
                    o.Keep((whim.choice(cards),)),
                ]
            )
        )
    return tuple(lines)


def test_nonsense_is_answered_with_problems_in_words() -> None:
    # rule 4.1, 5.1, 6.1.1
    whim = random.Random(7)
    english, french = Catalogue("en", RULES), Catalogue("fr", RULES)
    codes = set()
    for number in range(400):
        game = new(number % 5, sorted(RULES.scenarios)[number % len(RULES.scenarios)])
        question = next(iter(game.questions.values()))
        view = game.view(question.seat)
        before = game.hash()
        letter = nonsense(whim, [item.card for item in view.hands[question.seat]])
        problems = question.check(view, letter)
        assert game.hash() == before
        for problem in problems:
            assert problem.rule
            assert 0 <= problem.order < len(letter)
            assert english.problem(problem)
            assert french.problem(problem)
            codes.add(problem.code)
    assert len(codes) > 12
