"""The catalogues: every phrase in both languages, with the same variables, and nothing left empty."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, meta

from pbem import games, paths
from pbem.kernel.event import Event
from pbem.kernel.problem import Problem
from pbem.reports.catalogue import Catalogue, MissingPhrase, at, catalogue, enumeration, many, of
from pbem.reports.report import REFUSED, TAKEN, Form, Line, Report, Section, fold, html, text

BOOKS = sorted(path.name for path in (paths.templates() / "en").glob("*.toml"))


def book(lang: str, name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((paths.templates() / lang / name).read_text(encoding="utf-8"))


def variables(source: str) -> set[str]:
    environment = Environment(autoescape=False)
    for name in ("name", "names", "listed", "signed", "many", "of", "at", "phrase"):
        environment.filters[name] = str
    return meta.find_undeclared_variables(environment.parse(source))


def test_both_languages_have_the_same_books() -> None:
    assert sorted(path.name for path in (paths.templates() / "fr").glob("*.toml")) == BOOKS


@pytest.mark.parametrize("name", BOOKS)
def test_no_phrase_is_missing_empty_or_with_other_variables(name: str) -> None:
    english, french = book("en", name), book("fr", name)
    assert english.keys() == french.keys()
    for section, phrases in english.items():
        assert phrases.keys() == french[section].keys(), section
        for key, source in phrases.items():
            if isinstance(source, str):
                other = french[section][key]
                assert other.strip() or not source.strip(), (section, key)
                if section not in ("events", "questions"):
                    assert variables(source) == variables(other), (section, key)


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_event_and_question_of_a_game_has_its_words(name: str, lang: str) -> None:
    rules = games.load(name)
    words = catalogue(lang, rules)
    assert not [event.kind() for event in rules.events if not words.has("events", event.kind())]
    assert not [
        question.kind() for question in rules.questions if not words.has("questions", question.kind())
    ]
    for question in rules.questions:
        assert question.kind() in rules.vocabulary.kinds["question"]


def test_a_phrase_that_is_not_there_is_an_error_and_so_is_a_variable() -> None:
    words = Catalogue("en")
    with pytest.raises(MissingPhrase):
        words.phrase("notes", "no_such_note")

    class Strange(Event, frozen=True):
        pass

    with pytest.raises(MissingPhrase):
        words.event(Strange())


def test_enumerations_and_problems_read_well() -> None:
    assert enumeration([], "en") == ""
    assert enumeration(["a"], "en") == "a"
    assert enumeration(["a", "b", "c"], "fr") == "a, b et c"
    words = catalogue("en", games.load("leipzig"))
    problem = Problem("unreadable", rule="3.2", params={"text": "dance"})
    assert words.problem(problem).endswith("(rule 3.2)")


HOSTILE = '<script>alert(1)</script> & "quotes"'


def report() -> Report:
    lines = (Line(HOSTILE, REFUSED, n=7, under=("because",)), Line("fine", TAKEN))
    form = Form("title", "What now?", ("[[orders g k #00000000]]", "1: wait", "[[end]]"), ("[1] wait",))
    return Report(
        lang="en",
        title=HOSTILE,
        sections=(Section("Your letter", lines), Section("Columns", (Line("a   b"),), plain=True)),
        forms=(form,),
        forms_title="Orders",
        forms_help="Reply.",
        menu_title="Choose:",
        image="map",
        image_title="A map",
        footer=("log #1 head=0",),
    )


def test_text_is_folded_and_html_is_escaped() -> None:
    plain = text(report())
    assert all(len(line) <= 78 for line in plain.splitlines())
    assert "[7] ! <script>" in plain
    assert "a   b" in plain
    page = html(report())
    assert "<script>" not in page
    assert 'src="cid:map"' in page


def test_folding_keeps_long_words_whole() -> None:
    assert fold("x" * 100) == "x" * 100
    assert fold("one two", "  ", "- ") == "- one two"


def test_templates_are_where_the_package_looks_for_them() -> None:
    assert (Path(paths.templates()) / "letter.txt.jinja").is_file()


@pytest.mark.parametrize(
    ("name", "of_it", "at_it"),
    [
        ("Ulm", "d'Ulm", "à Ulm"),
        ("Anvers", "d'Anvers", "à Anvers"),
        ("Étaples", "d'Étaples", "à Étaples"),
        ("Hanovre", "de Hanovre", "à Hanovre"),
        ("Le Caire", "du Caire", "au Caire"),
        ("La Corogne", "de La Corogne", "à La Corogne"),
        ("l'Empire", "de l'Empire", "à l'Empire"),
        ("E5", "de E5", "à E5"),
    ],
)
def test_french_names_take_their_preposition(name: str, of_it: str, at_it: str) -> None:
    assert (of(name), at(name)) == (of_it, at_it)


def test_one_of_a_thing_is_singular_and_in_french_none_too() -> None:
    assert [many(n, "step", "en") for n in range(3)] == ["0 steps", "1 step", "2 steps"]
    assert [many(n, "carte", "fr") for n in range(3)] == ["0 carte", "1 carte", "2 cartes"]


def test_french_corps_and_numerals() -> None:
    assert of("IX CORPS France") == "du IX CORPS France"
    assert of("corps Italie") == "du corps Italie"
    assert of("Ire milice Russie") == "de la Ire milice Russie"
    assert of("GARDE France") == "de la GARDE France"
    assert of("Innsbruck") == "d'Innsbruck"
