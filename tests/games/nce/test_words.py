"""Every order can be written in both languages, and its canonical text reads back as itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.games.nce import RULES, charts, exonyms
from pbem.games.nce.orders import Activate, Besiege, Go, PlayEvent, Sail
from pbem.games.nce.replies import Annex
from pbem.kernel.order import Order
from pbem.orders.parser import parse_orders, parse_standing
from tests.games.nce.play import position


def read(text: str, kind: type[Order]) -> object:
    if kind in RULES.standing:
        return parse_standing(text, RULES.standing, RULES.vocabulary, RULES.questions)
    parsed = parse_orders(text, (kind,), RULES.vocabulary)
    return parsed.orders[0] if parsed.orders else parsed


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", RULES.orders, ids=[kind.kind() for kind in RULES.orders])
def test_examples_are_read_and_read_back(kind: type[Order], lang: str) -> None:
    order = read(kind.example[lang], kind)
    assert isinstance(order, kind), order
    for again in ("en", "fr"):
        assert read(order.text(RULES.vocabulary, again), kind) == order


def test_the_standing_orders_of_the_players_page_can_be_read() -> None:
    page = (Path(__file__).parents[3] / "docs" / "nce.md").read_text("utf-8")
    rows = [line.split("|")[2] for line in page.splitlines() if re.match(r"\| (D\d|interphase)", line)]
    texts = [text for row in rows for text in re.findall("`([^`]*)`", row) if not text.startswith(("…", "["))]
    assert len(texts) > 25
    for text in texts:
        for written in (re.sub(r" \[[^\]]*\]", "", text), text.replace("[", "").replace("]", "")):
            read = parse_standing(written, RULES.standing, RULES.vocabulary, RULES.questions)
            assert isinstance(read, Order), written


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_blanks_of_the_help_have_names(lang: str) -> None:
    kinds = {
        slot.vocabulary for kind in RULES.orders for slot in kind.slots.values() if slot.kind != "number"
    }
    named = RULES.vocabulary.kinds["kind"]
    assert not kinds - set(named)
    assert all("_" not in named[kind].name(lang) for kind in kinds)


@pytest.mark.parametrize(
    ("seat", "written", "meant"),
    [
        ("empire", "VII corps", "fr_vii_corps"),
        ("empire", "VI corps", "fr_vi_corps"),
        ("empire", "7e corps", "fr_vii_corps"),
        ("empire", "7th corps", "fr_vii_corps"),
        ("empire", "St Cyr", "saint_cyr"),
        ("coalition", "V corps Russie", "ru_v_corps"),
    ],
)
def test_a_name_that_others_bear_too_means_the_writers_own(seat: str, written: str, meant: str) -> None:
    own = RULES.owned(position("1805", set_up=True), seat)
    assert parse_orders(f"activate {written}", (Activate,), RULES.vocabulary, own=own).orders == (
        Activate(meant),
    )


def test_a_name_that_several_of_the_writer_bear_is_asked() -> None:
    own = RULES.owned(position("1805", set_up=True), "coalition")
    (problem,) = parse_orders("activate VII corps", (Activate,), RULES.vocabulary, own=own).problems
    assert problem.params["candidates"] == ("VII corps Autriche", "VII CORPS Russie")


@pytest.mark.parametrize("written", ["XVIII CORPS France", "XX CORPS France", "IIV CORPS France"])
def test_a_numeral_is_never_taken_for_another(written: str) -> None:
    parsed = parse_orders(f"activate {written}", (Activate,), RULES.vocabulary)
    assert parsed.problems
    assert not parsed.orders


def test_an_enemy_may_be_meant_where_a_card_asks_for_one() -> None:
    own = RULES.owned(position("1805", set_up=True), "empire")
    (problem,) = parse_orders("event 48F units III corps", (PlayEvent,), RULES.vocabulary, own=own).problems
    assert "III corps Autriche" in problem.params["candidates"]


@pytest.mark.parametrize(
    "written", ["siege up to 3 times", "siege 3 times", "siège 3 fois", "assieger jusqu'a 3 fois"]
)
def test_sieges_are_counted_in_plain_words(written: str) -> None:
    assert parse_orders(written, (Besiege,), RULES.vocabulary).orders == (Besiege(3),)


def test_what_goes_without_saying_is_not_said() -> None:
    assert Besiege(1).text(RULES.vocabulary, "en") == "siege"
    assert Besiege(2).text(RULES.vocabulary, "fr") == "siège jusqu'à 2 fois"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("London", "londres"),
        ("Warsaw", "varsovie"),
        ("Antwerp", "anvers"),
        ("Genoa", "genes"),
        ("St Petersburg", "saint_petersbourg"),
        ("Corunna", "la_corogne"),
    ],
)
def test_english_names_of_places_are_understood(written: str, meant: str) -> None:
    assert parse_orders(f"go to {written}", (Go,), RULES.vocabulary).orders == (Go((meant,)),)


def test_english_names_of_seas_people_and_provinces_are_understood() -> None:
    read = [
        parse_orders(text, RULES.orders, RULES.vocabulary).orders
        for text in (
            "sail Keith to Bay of Biscay, English Channel",
            "activate Kutuzov",
            "annex Bohemia to Bavaria",
        )
    ]
    assert read == [
        (Sail(("keith",), ("golfe_de_gascogne", "manche")),),
        (Activate("koutouzov"),),
        (Annex("boheme", "baviere"),),
    ]


def test_a_province_of_austria_is_not_taken_for_the_power() -> None:
    assert parse_orders("annexer Autriche à Bavière", (Annex,), RULES.vocabulary).orders == (
        Annex("autriche_province", "baviere"),
    )


def test_every_foreign_name_belongs_to_something() -> None:
    pairs = (
        (exonyms.ZONES, charts.ZONES),
        (exonyms.SEAS, charts.SEAS),
        (exonyms.GENERALS, charts.GENERALS),
        (exonyms.COUNTRIES, charts.COUNTRIES),
        (exonyms.PROVINCES, charts.PROVINCES),
    )
    for names, things in pairs:
        assert set(names) <= set(things)
