"""Lines to orders, in two languages, with typing errors; plans; standing orders; hostile lines."""

from __future__ import annotations

import random
import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel.order import AskMe, Condition, If, Order, Test, When
from pbem.kernel.problem import AMBIGUOUS, ILLEGAL, UNREADABLE
from pbem.orders.nearest import nearest
from pbem.orders.parser import parse_line, parse_orders, parse_standing, reads_exactly
from tests.orders.sample import (
    ACTIONS,
    ALL,
    QUESTIONS,
    VOCABULARY,
    Draw,
    Fire,
    March,
    Move,
    Place,
    Play,
    Reveal,
    RevealOrder,
    Row,
)


def read(text: str, **more: object) -> object:
    return parse_line(text, ACTIONS, VOCABULARY, plans=True, **more)  # type: ignore[arg-type]


MOVE = Move("yorck", "mockau", "wachau")


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("move Yorck from Wachau to Mockau", MOVE),
        ("MOVE YORCK FROM WACHAU TO MOCKAU.", MOVE),
        ("Please move the Yorck from Wachau, to Mockau", MOVE),
        ("move Yorck to Mockau from Wachau", MOVE),
        ("move Yorck Wachau Mockau", MOVE),
        ("move Yorck Wachau -> Mockau", MOVE),
        ("mvoe York form Wachau to Mockua", MOVE),
        ("mov yor fr wach to mockau", MOVE),
        ("déplacer Yorck de Wachau vers Mockau", MOVE),
        ("deplacer Yorck vers Mockau", Move("yorck", "mockau")),
        ("déplacer d'Erlon vers Möckern", Move("derlon", "mockern")),
        ("move D’Erlon to la Haye Sainte", Move("derlon", "haye_sainte")),
        ("draw from pile", Draw()),
        ("draw from the pile", Draw()),
        ("draw the pile", Draw()),
        ("draw row 2", Row(2)),
        ("draw row two", Row(2)),
        ("piocher la rangée deux", Row(2)),
        ("play La Grande Manœuvre", Play("grande")),
        ("jouer grande manoeuvre", Play("grande")),
        ("place Ney first", Place("ney")),
        ("place Ney", Place("ney")),
        ("placer Ney d’abord", Place("ney")),
        ("light cavalry 3 fires at C6", Fire("light_cavalry_3", "C6")),
        ("cavalerie légère 3 tire sur c6", Fire("light_cavalry_3", "C6")),
        ("march C6 by C7, D7 and D8", March("C6", ("C7", "D7", "D8"))),
        ("march C6 by C7 D7 > D8", March("C6", ("C7", "D7", "D8"))),
    ],
)
def test_an_order(text: str, order: Order) -> None:
    assert read(text) == order


def problem(text: str, **more: object) -> tuple[str, str, dict[str, object], tuple[Order, ...]]:
    result = read(text, **more)
    assert isinstance(result, list)
    (one,) = result
    return one.code, one.kind, one.params, one.nearest


def test_unreadable() -> None:
    assert problem("sing a song") == ("unreadable", UNREADABLE, {"text": "sing a song"}, ())


def test_unknown_name_suggests() -> None:
    code, kind, params, near = problem("move Yorck from Wachau to Protsheydenn")
    assert (code, kind, params["word"]) == ("unknown_name", UNREADABLE, "Protsheydenn")
    assert params["expected"] == ("zone",)
    assert params["candidates"] == ("Probstheida",)
    assert near == (Move("yorck", "probstheida", "wachau"),)


def test_ambiguous_name_lists_what_it_may_mean_in_the_language_asked() -> None:
    code, kind, params, _ = problem("move Yorck to Wiederitzsch")
    assert (code, kind, params["word"]) == ("ambiguous_name", AMBIGUOUS, "Wiederitzsch")
    assert params["candidates"] == ("Klein-Wiederitzsch", "Groß-Wiederitzsch")
    _, _, params, _ = problem("light 3 fires at C6", lang="fr")
    assert params["candidates"] == ("Cavalerie légère 3", "Infanterie légère 3")


def test_what_follows_decides_between_abbreviations() -> None:
    assert read("pla Ney") == Place("ney")
    assert read("pla hill") == Play("hill")


def test_two_equally_good_readings_are_not_guessed() -> None:
    class Push(Order, frozen=True):
        army: str
        words = {"en": ("attack {army}",)}
        slots = Place.slots

    class Attach(Order, frozen=True):
        army: str
        words = {"en": ("attach {army}",)}
        slots = Place.slots

    result = parse_line("atta Ney", (Push, Attach), VOCABULARY)
    assert isinstance(result, list)
    assert (result[0].code, result[0].kind) == ("ambiguous_order", AMBIGUOUS)
    assert result[0].params["candidates"] == ("attack Ney", "attach Ney")
    assert parse_line("attac Ney", (Push, Attach), VOCABULARY) != parse_line(
        "attach Ney", (Push, Attach), VOCABULARY
    )


def test_small_words_are_not_exchanged() -> None:
    class Swap(Order, frozen=True):
        a: str
        b: str
        words = {"en": ("swap from {a} to {b}",)}
        slots = {"a": Move.slots["to"], "b": Move.slots["to"]}

    assert isinstance(parse_line("swap to Wachau from Mockau", (Swap,), VOCABULARY), list)
    assert parse_line("swap Wachau to Mockau", (Swap,), VOCABULARY) == Swap("wachau", "mockau")


def test_a_name_is_not_changed_by_the_word_behind_it() -> None:
    assert problem("place York xq")[0] == "extra_words"


def test_number_out_of_range() -> None:
    code, kind, params, _ = problem("draw row 7")
    assert (code, kind, params["word"], params["low"], params["high"]) == (
        "number_out_of_range",
        ILLEGAL,
        "7",
        1,
        4,
    )
    assert problem("draw row -2")[0] == "number_out_of_range"


def test_missing_and_superfluous_parts() -> None:
    code, _, params, _ = problem("move Yorck from Wachau to")
    assert (code, params["expected"]) == ("missing_part", ("zone",))
    code, _, params, _ = problem("draw row 2 quickly")
    assert (code, params["word"]) == ("extra_words", "quickly")
    assert params["forms"] == ("draw row <1-4>",)


def test_an_order_of_another_kind_is_recognised() -> None:
    code, kind, params, _ = problem("reveal Wachau", others=ALL)
    assert (code, kind, params["order"]) == ("wrong_kind_here", ILLEGAL, "reveal Wachau")


def test_several_orders_on_a_line() -> None:
    parsed = parse_orders("draw pile; draw row 2;; place Ney;", ACTIONS, VOCABULARY)
    assert parsed.orders == (Draw(), Row(2), Place("ney"))
    assert problem("draw pile; draw pile")[0] == "several_orders"


def test_a_bad_order_among_good_ones_is_named() -> None:
    parsed = parse_orders("draw pile; gobble; draw row 2", ACTIONS, VOCABULARY)
    assert [one.params["text"] for one in parsed.problems] == ["gobble"]


TIME = Test("time", ">=", 17)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("time >= 17", Condition((TIME,))),
        ("time => 17", Condition((TIME,))),
        ("the time is at least 17", Condition((TIME,))),
        ("temps au moins 17", Condition((TIME,))),
        ("temps est supérieur ou égal à 17", Condition((TIME,))),
        ("not time < 17", Condition((TIME,))),
        ("time > 17", Condition((Test("time", ">", 17),))),
        ("temps plus de 17", Condition((Test("time", ">", 17),))),
        ("time is not 17", Condition((Test("time", "!=", 17),))),
        ("temps n’est pas 17", Condition((Test("time", "!=", 17),))),
        ("drawn = hill", Condition((Test("drawn", "=", "hill"),))),
        ("it is terrain hill", Condition((Test("drawn", "=", "hill"),))),
        ("piochée est colline", Condition((Test("drawn", "=", "hill"),))),
        ("drawn is Napoléon", Condition((Test("drawn", "=", "napoleon"),))),
        ("drawn is none", Condition((Test("drawn", "=", "none"),))),
        ("rain", Condition((Test("rain", "=", "yes"),))),
        ("not rain", Condition((Test("rain", "=", "no"),))),
        ("pluie = oui", Condition((Test("rain", "=", "yes"),))),
        (
            "enemy corps > 2 and time >= 17",
            Condition((Test("enemy_corps", ">", 2), TIME)),
        ),
        (
            "corps ennemis > 2 ou temps >= 17",
            Condition((Test("enemy_corps", ">", 2), TIME), "or"),
        ),
    ],
)
def test_conditions(text: str, condition: Condition) -> None:
    assert read(f"if {text} then draw pile") == If(condition, (Draw(),))


def test_plans() -> None:
    hill = Condition((Test("drawn", "=", "hill"),))
    assert read("if drawn = hill then play hill; draw pile else draw row 2") == If(
        hill, (Play("hill"), Draw()), (Row(2),)
    )
    assert read("si piochée = colline alors jouer colline sinon piocher") == If(
        hill, (Play("hill"),), (Draw(),)
    )
    assert read("if it is hill, play hill otherwise draw pile") == If(hill, (Play("hill"),), (Draw(),))
    assert read("if it is hill play hill else draw pile") == If(hill, (Play("hill"),), (Draw(),))
    parsed = parse_orders("(if drawn = hill then play hill); draw pile", ACTIONS, VOCABULARY, plans=True)
    assert parsed.orders == (If(hill, (Play("hill"),)), Draw())


def test_else_belongs_to_the_nearest_if() -> None:
    text = "if rain then if time > 3 then draw pile else draw row 1"
    inner = If(Condition((Test("time", ">", 3),)), (Draw(),), (Row(1),))
    assert read(text) == If(Condition((Test("rain", "=", "yes"),)), (inner,))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("if weather = 3 then draw pile", "unknown_fact"),
        ("if time > then draw pile", "unknown_name"),
        ("if time >", "missing_part"),
        ("if time > 3", "missing_part"),
        ("if time > 3 then gobble", "unreadable"),
        ("if time > 3 and rain or drawn = hill then draw pile", "mixed_condition"),
        ("if", "missing_part"),
        ("if drawn = gobbledygook then draw pile", "unknown_name"),
        ("if rain then if rain then if rain then if rain then draw pile", "too_deep"),
        ("(((((((draw pile)))))))", "too_deep"),
    ],
)
def test_bad_plans(text: str, code: str) -> None:
    assert problem(text)[0] == code


def test_plans_only_where_they_are_allowed() -> None:
    result = parse_line("if rain then draw pile", ACTIONS, VOCABULARY)
    assert isinstance(result, list)
    assert (result[0].code, result[0].kind) == ("no_plans_here", ILLEGAL)


def standing(text: str) -> object:
    return parse_standing(text, (RevealOrder,), VOCABULARY, QUESTIONS)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("when reveal then reveal Wachau", When("revealing", Condition(), (Reveal("wachau"),))),
        (
            "WHEN reveal IF time >= 17 THEN reveal Wachau ELSE reveal Mockau",
            When("revealing", Condition((TIME,)), (Reveal("wachau"),), (Reveal("mockau"),)),
        ),
        (
            "quand révélation si temps >= 17 alors révéler Wachau",
            When("revealing", Condition((TIME,)), (Reveal("wachau"),)),
        ),
        (
            "when actions then if time >= 17 then draw pile else draw row 1",
            When("acting", Condition(), (If(Condition((TIME,)), (Draw(),), (Row(1),)),)),
        ),
        ("ask me reveal", AskMe("revealing")),
        ("ask me before reveal if time >= 17", AskMe("revealing", Condition((TIME,)))),
        ("demander révélation si temps >= 17", AskMe("revealing", Condition((TIME,)))),
        ("reveal order: Wachau > Mockau", RevealOrder(("wachau", "mockau"))),
        ("reveal order Wachau, Mockau;", RevealOrder(("wachau", "mockau"))),
        ("ordre de révélation: Wachau puis Mockau", RevealOrder(("wachau", "mockau"))),
    ],
)
def test_standing_orders(text: str, order: Order) -> None:
    assert standing(text) == order


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("when dinner then reveal Wachau", "unknown_question"),
        ("when reveal then draw pile", "wrong_kind_here"),
        ("when reveal", "missing_part"),
        ("when", "unknown_question"),
        ("when reveal if rain then if rain then reveal Wachau", "no_plans_here"),
        ("ask me reveal then reveal Wachau", "extra_words"),
        ("reveal Wachau", "wrong_kind_here"),
        ("gobble", "unreadable"),
        ("", "unreadable"),
        ("x" * 501, "too_long"),
    ],
)
def test_bad_standing_orders(text: str, code: str) -> None:
    result = standing(text)
    assert isinstance(result, list)
    assert result[0].code == code


def anything(kind: type[Order], whim: random.Random) -> Order:
    fields: dict[str, object] = {}
    optional = {field.name for field in msgspec.structs.fields(kind) if not field.required}
    for name, slot in kind.slots.items():
        if name in optional and whim.random() < 0.5:
            continue
        if slot.kind == "number":
            fields[name] = whim.randint(slot.low, slot.high)
            continue
        ids = list(VOCABULARY.kinds[slot.vocabulary])
        fields[name] = tuple(whim.sample(ids, min(len(ids), 4))) if slot.many else whim.choice(ids)
    return kind(**fields)


def any_plan(whim: random.Random, depth: int) -> Order:
    if depth == 0 or whim.random() < 0.4:
        return anything(whim.choice(ACTIONS), whim)
    tests = tuple(
        whim.choice(
            (
                Test("time", whim.choice(("=", "!=", "<", "<=", ">", ">=")), whim.randint(0, 40)),
                Test("drawn", whim.choice(("=", "!=")), whim.choice(("hill", "grande", "none", "ney"))),
                Test("enemy_corps", ">", 2),
            )
        )
        for _ in range(whim.randint(1, 3))
    )
    join = whim.choice(("and", "or")) if len(tests) > 1 else "and"

    def branch(low: int) -> tuple[Order, ...]:
        return tuple(any_plan(whim, depth - 1) for _ in range(whim.randint(low, 2)))

    return If(Condition(tests, join), branch(1), branch(0))


@given(st.integers(), st.sampled_from(("en", "fr")))
@settings(max_examples=300, deadline=None)
def test_canonical_text_is_read_as_the_same_order(seed: int, lang: str) -> None:
    order = any_plan(random.Random(seed), 3)
    text = order.text(VOCABULARY, lang)
    if len(text) <= 500:
        assert read(text) == order


@given(st.integers(), st.sampled_from(("en", "fr")))
@settings(max_examples=100, deadline=None)
def test_canonical_text_of_standing_orders(seed: int, lang: str) -> None:
    whim = random.Random(seed)
    plan = any_plan(whim, 2)
    order: Order = When("acting", Condition((TIME,)), (plan,), (Draw(),))
    if whim.random() < 0.3:
        order = AskMe("acting", Condition((TIME, Test("rain", "=", "no")), "or"))
    text = order.text(VOCABULARY, lang)
    if len(text) <= 500:
        assert standing(text) == order


@given(st.integers())
@settings(max_examples=150, deadline=None)
def test_a_typing_error_gives_the_order_or_a_problem_never_another_order(seed: int) -> None:
    whim = random.Random(seed)
    order = Move("yorck", whim.choice(("wachau", "probstheida", "haye_sainte")))
    text = order.text(VOCABULARY)
    at = whim.randrange(len("move Yorck to "), len(text) - 1)
    text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    result = read(text)
    assert result == order or isinstance(result, list)


HOSTILE = [
    "",
    ";" * 500,
    "(" * 500,
    ")" * 500,
    "\x00\x01\x02\xff" * 100,
    "if " * 160,
    "if rain then " * 38,
    "if rain and " * 40,
    "march C6 by " + "C7 " * 160,
    "march " + "light " * 80,
    "move Yorck " * 45,
    "move " + "klein wiederitzsch " * 25,
    "a " * 250,
    "9" * 500,
    "draw row " + "9" * 480,
    "ﷺ" * 100,
    "é\u0301" * 200,
    "{army} [x] {0} %s %n ${jndi}",
    "x" * 1_000_000,
    "\u202eelip ward",
    "𝒹𝓇𝒶𝓌 " * 50,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_lines_are_answered_in_bounded_time(text: str) -> None:
    began = time.process_time()
    parse_orders(text, ACTIONS, VOCABULARY, plans=True, others=ALL)
    standing(text)
    assert time.process_time() - began < 2


@given(st.text(max_size=520))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_orders_or_problems(text: str) -> None:
    parsed = parse_orders(text, ACTIONS, VOCABULARY, plans=True, others=ALL)
    assert parsed.orders or parsed.problems or not text.strip("();,: \t\r\n")
    for one in parsed.problems:
        for value in one.params.values():
            assert all(map(str.isprintable, [value] if isinstance(value, str) else []))


def test_nearest_order() -> None:
    orders = (Draw(), Row(2), MOVE)
    assert nearest("drow row 2", orders, VOCABULARY) == Row(2)
    assert nearest("rangée deux piocher", orders, VOCABULARY) == Row(2)
    assert nearest("zzzz", orders, VOCABULARY) is None


def test_reads_exactly() -> None:
    assert reads_exactly("Draw  PILE", ACTIONS, VOCABULARY)
    assert not reads_exactly("draw pil", ACTIONS, VOCABULARY)
    assert not reads_exactly("", ACTIONS, VOCABULARY)
