"""The battle plan: which line counts, what a letter adds, who is asked."""

from __future__ import annotations

import msgspec
import pytest

from pbem.games.eia import RULES
from pbem.games.eia.battle_orders import (
    DEFAULTS,
    PLAN,
    AttackBy,
    BringUp,
    CommitGuard,
    DefendBy,
    Habit,
    IntoCity,
    LoseFirst,
    OutflankWith,
    SiegeHabit,
    Sortie,
    StayIf,
    Storm,
    Surrender,
)
from pbem.games.eia.battle_questions import Fight, SiegeMatter, TakeShelter
from pbem.games.eia.land import plan
from pbem.games.eia.orders import March
from pbem.games.eia.view import view
from pbem.kernel.order import AskMe, Condition, If, Order, Test, When, answer_to_data
from pbem.orders.parser import parse_standing
from tests.games.eia.fields import corps, empty, play


def fight(**more: object) -> Fight:
    given: dict[str, object] = {
        "key": "k",
        "seat": "france",
        "sealed": True,
        "area": "ulm",
        "role": "attacker",
        "mine": ("fr_3", "fr_4"),
        "enemy_corps": 1,
        "leaders": ("davout",),
        "may_outflank": True,
        "guard": 2,
    }
    return Fight(**{**given, **more})  # type: ignore[arg-type]


def chosen(question: Fight, *lines: Order) -> plan.Plan:
    state = empty()
    found = question.follow(state, [*lines, *DEFAULTS])
    assert found is not None
    return question.plan(found[0])


def test_the_narrowest_line_counts() -> None:
    lines = (
        AttackBy("probe"),
        AttackBy("assault", leader="davout"),
        AttackBy("echelon", place="ulm"),
        AttackBy("outflank", place="linz"),
    )
    assert chosen(fight(), *lines).chit == "echelon"
    assert chosen(fight(area="linz"), *lines).chit == "outflank"
    assert chosen(fight(area="graz"), *lines).chit == "assault"
    assert chosen(fight(area="graz", leaders=()), *lines).chit == "probe"
    assert chosen(fight()).chit == "echelon"


def test_odds_decide_among_lines() -> None:
    lines = (AttackBy("assault", odds="200"), AttackBy("escalated_assault", odds="300"), AttackBy("probe"))
    assert chosen(fight(), *lines).chit == "assault"
    assert chosen(fight(mine=("a", "b", "c")), *lines).chit == "escalated_assault"
    assert chosen(fight(enemy_corps=2), *lines).chit == "probe"
    assert chosen(fight(own_factors=30, enemy_factors=9), *lines).chit == "escalated_assault"
    defence = (DefendBy("withdraw", odds="200"), DefendBy("cordon"))
    assert chosen(fight(role="defender", enemy_corps=4), *defence).chit == "withdraw"
    assert chosen(fight(role="defender", enemy_corps=3), *defence).chit == "cordon"


def test_what_is_not_possible_here_is_passed_over() -> None:
    assert chosen(fight(may_outflank=False), AttackBy("outflank"), AttackBy("probe")).chit == "probe"
    assert chosen(fight(guard=1), CommitGuard(2)).guard is None
    assert chosen(fight(), OutflankWith(("fr_9",))).outflank == ()


def test_habits_and_what_is_set_against_them() -> None:
    assert chosen(fight(), Habit("leave")).stay is None
    assert chosen(fight(), Habit("leave"), StayIf(5, place="ulm")).stay == 5
    assert chosen(fight(), StayIf(5), Habit("leave", place="ulm")).stay is None
    assert not chosen(fight(), Habit("let_go")).pursue
    assert chosen(fight(), Habit("let_go"), Habit("pursue", place="ulm")).pursue
    assert not chosen(fight(), Habit("alone")).reinforce
    assert chosen(fight(), Habit("alone"), BringUp(("linz",), place="ulm")).reinforce_from == ("linz",)
    assert chosen(fight(), CommitGuard(2, 3, 10), Habit("keep_guard", place="ulm")).guard is None
    assert chosen(fight(), LoseFirst(("C", "I"))).order == ("C", "I")


def test_a_condition_is_decided_when_the_battle_comes() -> None:
    strong = Condition((Test("enemy_corps", ">=", 2),))
    branch = If(strong, (AttackBy("probe"),), (AttackBy("assault"),))
    state = empty()
    state.letters["france"] = msgspec.json.encode(
        answer_to_data((March(("fr_3",), ("ulm",)), branch, LoseFirst(("I",))))
    ).decode()
    question = fight()
    assert question.plan(question.default(state)).chit == "assault"
    assert question.plan(question.default(state)).order == ("I",)
    many = fight(enemy_corps=3)
    assert many.plan(many.default(state)).chit == "probe"
    when = When("fight", strong, (AttackBy("outflank"),), (AttackBy("probe"),))
    assert chosen(fight(enemy_corps=2), when).chit == "outflank"


def test_a_condition_that_holds_comes_before_a_plain_line() -> None:
    strong = Condition((Test("enemy_corps", ">=", 2),))
    lines = (AttackBy("assault", place="ulm"), If(strong, (AttackBy("probe", place="ulm"),)))
    assert chosen(fight(enemy_corps=2), *lines).chit == "assault"  # an IF is for letters
    state = empty()
    state.letters["france"] = msgspec.json.encode(answer_to_data(lines)).decode()
    many, one = fight(enemy_corps=2), fight(enemy_corps=1)
    assert many.plan(many.default(state)).chit == "probe"
    assert one.plan(one.default(state)).chit == "assault"


def test_a_letter_comes_before_what_stands() -> None:
    state = empty()
    state.letters["france"] = msgspec.json.encode(answer_to_data((AttackBy("probe"),))).decode()
    found = fight().follow(state, [AttackBy("assault"), *DEFAULTS])
    assert found is not None
    assert fight().plan(found[0]).chit == "probe"


def test_who_writes_ask_me_is_asked() -> None:
    state = empty()
    assert fight().follow(state, [AskMe("fight"), AttackBy("assault")]) is None
    great = AskMe("fight", Condition((Test("corps", ">=", 3),)))
    assert fight().follow(state, [great, AttackBy("assault")]) is not None
    assert fight(mine=("a", "b", "c")).follow(state, [great, AttackBy("assault")]) is None
    assert Fight.on_wish


def test_plans_are_sealed_and_asked_of_both() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "12 I", "mack")
    dice = {f"augsburg/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    asked = [one for one in play(state, dice).questions if isinstance(one, Fight)]
    assert [(one.seat, one.sealed, one.role) for one in asked] == [
        ("france", True, "attacker"),
        ("austria", True, "defender"),
    ]
    # Neither question says more of the enemy than his number of corps and his leader.
    for seat, other in (("france", "au_1"), ("austria", "fr_3")):
        question = next(one for one in asked if one.seat == seat)
        assert other not in msgspec.json.encode(question).decode()
        assert question.enemy_factors == 0


def test_every_answer_that_is_offered_is_taken() -> None:
    state = empty()
    for question in (
        fight(),
        fight(role="defender"),
        fight(may_outflank=False, guard=0),
        fight(trivial=True),
    ):
        for answer in question.legal(state):
            assert question.check(state, answer) == []
    for matter in ("storm", "sortie", "ask", "grant", "yield", "sally"):
        question = SiegeMatter(
            key="k", seat="france", area="ulm", matter=matter, besiegers=3, garrison=5, odds=100
        )
        assert [question.said(answer) for answer in question.legal(state)] == [False, True]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (DefendBy("cordon"), "not_your_chit"),
        (OutflankWith(("fr_9",)), "outflank_not_here"),
        (OutflankWith(("fr_3", "fr_4")), "outflank_nobody_in_front"),
        (CommitGuard(2), "guard_not_so_strong"),
        (AttackBy("outflank"), "no_outflank"),
    ],
)
def test_a_bad_answer_is_named(line: Order, code: str) -> None:
    question = fight(guard=1, may_outflank=False)
    assert [problem.code for problem in question.check(empty(), (line,))] == [code]


def test_sieges_by_the_plan() -> None:
    def says(matter: str, *lines: Order, garrison: int = 5, odds: int = 100) -> bool:
        question = SiegeMatter(
            key="k", seat="france", area="ulm", matter=matter, besiegers=3, garrison=garrison, odds=odds
        )
        found = question.follow(empty(), [*lines, *DEFAULTS])
        assert found is not None
        return question.said(found[0])

    assert says("storm", odds=300)
    assert not says("storm", odds=299)
    assert not says("storm", SiegeHabit("no_storm"), odds=900)
    assert says("storm", SiegeHabit("no_storm"), Storm("100", place="ulm"), odds=100)
    assert says("sortie")
    assert not says("sortie", garrison=3)
    assert not says("sortie", Sortie(9))
    assert says("yield", garrison=2)
    assert not says("yield", garrison=3)
    assert not says("yield", Surrender(0), garrison=1)
    assert says("ask")
    assert says("grant")
    assert not says("grant", SiegeHabit("refuse_honours"))
    assert not says("sally", odds=900)


def test_shelter_by_the_plan() -> None:
    def goes(*lines: Order, odds: int) -> bool:
        question = TakeShelter(key="k", seat="austria", area="ulm", odds=odds, room=15, size=9)
        found = question.follow(empty(), [*lines, *DEFAULTS])
        assert found is not None
        return question.wants(found[0])

    assert goes(odds=200)
    assert not goes(odds=199)
    assert not goes(IntoCity("field"), odds=900)
    assert goes(IntoCity("city", place="ulm"), IntoCity("field"), odds=10)
    assert goes(IntoCity("field"), IntoCity("city", odds="300"), odds=300)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", PLAN)
def test_examples_are_read_and_say_themselves(kind: type[Order], lang: str) -> None:
    text = kind.example[lang]
    order = parse_standing(text, RULES.standing, RULES.vocabulary, RULES.questions, lang=lang)
    assert isinstance(order, kind), order
    again = parse_standing(
        order.text(RULES.vocabulary, lang), RULES.standing, RULES.vocabulary, RULES.questions, lang=lang
    )
    assert again == order


@pytest.mark.parametrize("line", DEFAULTS)
def test_the_usual_plan_can_be_written(line: Order) -> None:
    for lang in ("en", "fr"):
        text = line.text(RULES.vocabulary, lang)
        assert parse_standing(text, RULES.standing, RULES.vocabulary, RULES.questions, lang=lang) == line


def test_a_view_holds_no_enemys_plan() -> None:
    state = empty()
    state.letters = {
        seat: msgspec.json.encode(answer_to_data((AttackBy("probe"),))).decode()
        for seat in ("france", "austria")
    }
    assert list(view(state, "france").letters) == ["france"]
    assert plan.written(view(state, "austria"), "france") == []
