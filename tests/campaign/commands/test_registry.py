"""The contract of commands: each is declared once, with words, a handler, help and a place in the docs."""

from __future__ import annotations

import re

import pytest

from pbem import paths
from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.intake.request import Declaration
from pbem.orders.commands import EVERYONE, MASTERS, PLAYERS
from pbem.reports.catalogue import catalogue

EACH = pytest.mark.parametrize("declared", COMMANDS.types, ids=lambda one: one.name)
DOCS = paths.rules().parent
SAID = {"act": "ACT FOR", "pressmode": "PRESS MODE"}


def test_no_name_and_no_word_stands_for_two_commands() -> None:
    names = [one.name for one in COMMANDS.types]
    assert len(names) == len(set(names))
    owner: dict[str, str] = {}
    for one in COMMANDS.types:
        for word in {*one.en, *one.fr}:
            assert owner.setdefault(word, one.name) == one.name, word


@EACH
def test_it_has_words_that_are_understood_and_a_handler(declared: Declaration) -> None:
    assert declared.en
    assert declared.fr
    assert declared.handler.__doc__
    assert declared.who in (EVERYONE, PLAYERS, MASTERS)
    for word in (*declared.en, *declared.fr):
        found = COMMANDS.command(word.upper() + (" de la presse" if word == "mode" else ""))
        assert found is not None, word
        assert found.name == declared.name


@EACH
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_it_has_help(declared: Declaration, lang: str) -> None:
    words = catalogue(lang)
    assert words.phrase("pages", declared.name).strip()
    assert not declared.listed or words.phrase("commands", declared.name).strip()


@EACH
def test_the_docs_tell_of_it(declared: Declaration) -> None:
    name = SAID.get(declared.name, declared.name.upper())
    file = "game-master.md" if declared.who == MASTERS else "player.md"
    assert re.search(rf"\b{name}\b", (DOCS / file).read_text(encoding="utf-8")), f"{name} is not in {file}"


def test_what_only_a_game_master_may_do_cannot_be_taken_back() -> None:
    assert all(one.irrevocable and one.never_freed for one in COMMANDS.types if one.who == MASTERS)
