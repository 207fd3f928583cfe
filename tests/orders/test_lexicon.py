"""Names: exact, abbreviated, mistyped, and never guessed."""

from __future__ import annotations

import pytest

from pbem.kernel.order import Vocabulary, Word
from pbem.orders.lexicon import ABBREVIATED, EXACT, MISTYPED, PLURAL, clashes, lexicon
from pbem.orders.words import fold, number, tokens
from tests.orders.sample import VOCABULARY


def find(kind: str, text: str) -> tuple[tuple[str, ...], int] | None:
    return lexicon(VOCABULARY, kind).find(tokens(text).norms)


@pytest.mark.parametrize(
    ("kind", "text", "id", "cost"),
    [
        ("zone", "Wachau", "wachau", EXACT),
        ("zone", "WACHAU", "wachau", EXACT),
        ("zone", "Mockern", "mockern", EXACT),
        ("zone", "Moeckern", "mockern", EXACT),
        ("zone", "klein wiederitzsch", "klein_wiederitzsch", EXACT),
        ("zone", "kleinwiederitzsch", "klein_wiederitzsch", EXACT),
        ("zone", "klein—wiederitzsch", "klein_wiederitzsch", EXACT),
        ("zone", "gross-wiederitzsch", "gross_wiederitzsch", EXACT),
        ("zone", "gross_wiederitzsch", "gross_wiederitzsch", EXACT),
        ("zone", "haye sainte", "haye_sainte", EXACT),
        ("zone", "la haye sainte", "haye_sainte", EXACT),
        ("zone", "monarchs' hill", "probstheida", EXACT),
        ("zone", "wach", "wachau", ABBREVIATED),
        ("zone", "kw", "klein_wiederitzsch", ABBREVIATED),
        ("zone", "k. wieder", "klein_wiederitzsch", ABBREVIATED),
        ("zone", "sainte", "haye_sainte", ABBREVIATED),
        ("zone", "Wahcau", "wachau", MISTYPED + 1),
        ("zone", "Probsteida", "probstheida", MISTYPED + 1),
        ("zone", "Propstaida", "probstheida", MISTYPED + 3),
        ("army", "york", "yorck", EXACT),
        ("army", "Napoleon", "napoleon", EXACT),
        ("army", "l’empereur", "napoleon", EXACT),
        ("army", "emperor", "napoleon", EXACT),
        ("army", "derlon", "derlon", EXACT),
        ("army", "d’Erlon", "derlon", EXACT),
        ("army", "Erlon", "derlon", ABBREVIATED),
        ("terrain", "plains", "plain", PLURAL),
        ("terrain", "collines", "hill", PLURAL),
        ("card", "grande manoeuvre", "grande", EXACT),
        ("hex", "c6", "C6", EXACT),
        ("hex", "c 6", "C6", EXACT),
        ("unit", "lt cav 3", None, 0),
        ("unit", "light cav 3", "light_cavalry_3", ABBREVIATED),
        ("unit", "cavalerie légère 3", "light_cavalry_3", EXACT),
        ("unit", "line 1", "line_1", EXACT),
    ],
)
def test_one_meaning(kind: str, text: str, id: str | None, cost: int) -> None:
    assert find(kind, text) == (None if id is None else ((id,), cost))


def test_two_meanings_are_both_returned() -> None:
    assert find("zone", "wiederitzsch") == (("klein_wiederitzsch", "gross_wiederitzsch"), ABBREVIATED)
    assert find("zone", "mock") == (("mockau", "mockern"), ABBREVIATED)
    assert find("unit", "light 3") == (("light_cavalry_3", "light_infantry_3"), ABBREVIATED)


def test_numbers_are_never_mistyped() -> None:
    assert find("hex", "c66") is None
    assert find("hex", "j6") is None
    assert find("hex", "c31") is None
    assert find("unit", "line 2") is None
    assert find("unit", "lime 12") == (("line_12",), MISTYPED + 1)


def test_short_words_and_small_words_are_not_guessed() -> None:
    assert find("army", "nay") is None
    assert find("army", "nye") == (("ney",), MISTYPED + 1)
    assert find("zone", "w") is None
    assert find("army", "to") is None


def test_own_names_win_over_nicknames_and_identifiers() -> None:
    words = Vocabulary({"x": [Word("b", "Alpha", "Alpha"), Word("alpha", "Beta", "Bêta", ("alpha",))]})
    found = lexicon(words, "x").find(["alpha"])
    assert found == (("b",), EXACT)
    assert clashes(words) == []


def test_clashes_are_listed() -> None:
    words = Vocabulary({"x": [Word("a", "Hill", "Colline"), Word("b", "Mount", "Hill")]})
    assert clashes(words) == ["x: hill is a and b"]
    assert clashes(VOCABULARY) == []


def test_lexicons_are_compiled_once() -> None:
    assert lexicon(VOCABULARY, "zone") is lexicon(VOCABULARY, "zone")


def test_suggestions() -> None:
    assert lexicon(VOCABULARY, "zone").suggest("prostheyde")[0] == "probstheida"
    assert lexicon(VOCABULARY, "zone").suggest("xyz") == ()


def test_folding() -> None:
    assert fold("Straße ŒUVRE Éclaireur Łódź") == "strasse oeuvre eclaireur lodz"
    assert tokens("move Yorck's marker, l’armée -> C6; bid -2").norms == [
        "move", "yorck", "marker", ",", "l", "armee", ">", "c6", ";", "bid", "-2",
    ]  # fmt: skip


def test_numbers() -> None:
    assert [number(word) for word in ("7", "-3", "deux", "twelve", "c6", "9" * 40)] == [
        7,
        -3,
        2,
        12,
        None,
        999_999_999,
    ]
