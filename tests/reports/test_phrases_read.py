"""Every phrase of the catalogues has a reader: a piece of code, or another phrase, that names it."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import pbem
from pbem import games, paths
from pbem.campaign.commands.registry import COMMANDS

BOOKS = sorted(path.stem for path in (paths.templates() / "en").glob("*.toml"))
_FREE = r"[\w:.-]*"
GROWING = ("agreements", "eia")
"""Books whose words are there before all of the code that reads them; a book leaves this line when it stands."""


@cache
def named() -> tuple[frozenset[str], re.Pattern[str]]:
    """All strings that the code holds, and a pattern for those that it puts together."""
    literals: set[str] = set()
    made: set[str] = set()
    for path in Path(pbem.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
                fixed = "".join(part for part in parts if isinstance(part, str))
                if re.fullmatch(r"[a-z0-9_:.-]{3,}", fixed):
                    made.add("".join(_FREE if part is None else re.escape(str(part)) for part in parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
                if re.fullmatch(r"[a-z_]{3,}_", node.value):
                    made.add(node.value + _FREE)
    return frozenset(literals), re.compile("|".join(sorted(made)))


@cache
def declared() -> frozenset[str]:
    """What is known by its kind: orders, events, questions, words of the games' vocabularies, commands."""
    found = {one.name for one in COMMANDS.types}
    for name in games.names():
        rules = games.load(name)
        for kinds in (rules.orders, rules.events, rules.questions):
            found |= {kind.kind() for kind in kinds}
        for words in rules.vocabulary.kinds.values():
            found |= set(words)
        found |= set(rules.scenarios) | {option.name for option in rules.options}
        found |= {value for option in rules.options for value in option.values}
    return frozenset(found)


def in_data(book: str) -> str:
    """The data of a game, whose words may name phrases."""
    folder = paths.scenarios() / book
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.toml")))


def put_together(key: str) -> bool:
    """Whether it is made of a word of the code and the name of a thing: `supports_ney`."""
    halves = [(key[:at], key[at + 1 :]) for at, sign in enumerate(key) if sign == "_"]
    return any(left in named()[0] and right in declared() for left, right in halves)


def unread(book: str) -> list[str]:
    """The phrases of a book that nobody names."""
    literals, made = named()
    text = (paths.templates() / "en" / f"{book}.toml").read_text(encoding="utf-8")
    templates = "\n".join(
        file.read_text(encoding="utf-8")
        for file in paths.templates().rglob("*")
        if file.suffix in (".jinja", ".js")
    )
    others = set(re.findall(r"[\w:.-]+", in_data(book) + templates))
    quoted = set(re.findall(r"['\"]([\w:.-]+)['\"]", text))
    found: list[str] = []

    def look(section: str, phrases: dict[str, Any]) -> None:
        for key, value in phrases.items():
            if isinstance(value, dict):
                look(f"{section}.{key}", value)
            elif not (
                key in literals
                or key in declared()
                or key in others
                or key in quoted
                or made.fullmatch(key)
                or put_together(key)
            ):
                found.append(f"{section}.{key}")

    for section, phrases in tomllib.loads(text).items():
        look(section, phrases)
    return found


@pytest.mark.parametrize("book", [book for book in BOOKS if book not in GROWING])
def test_every_phrase_has_a_reader(book: str) -> None:
    assert unread(book) == []


def test_a_phrase_that_nobody_names_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "made.toml").write_text('[notes]\nready = "ready"\nnobody_reads_this = "lost"\n')
    monkeypatch.setattr(paths, "templates", lambda: tmp_path)
    assert unread("made") == ["notes.nobody_reads_this"]
