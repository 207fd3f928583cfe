"""Which rules of a game have code, which have a test.

The rules are the numbered paragraphs of `docs/rules/<game>.md`. Code counts where it says so itself: by
`rule="3.2"`, by a constant named after rules, or by a docstring that begins with the numbers. A remark
does not count. A test counts as `rule = ["3.2"]` of a case, or `# rule 3.2` in a test of the game.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from pbem import paths

_PACKAGE = Path(__file__).resolve().parent.parent
_NUMBER = r"\d+(?:\.\d+)*[a-z]?"
_RULE_LINE = re.compile(rf"\s*(?:[-*]\s+)?\*\*({_NUMBER})\.?\*\*")
_IS_NUMBER = re.compile(rf"{_NUMBER}\Z")
_DOCSTRING = re.compile(
    rf"\s*(?:rules?\s+)?({_NUMBER}(?:\s*(?:,|and|–|-)\s*{_NUMBER})*)\s*(?::|$)", re.IGNORECASE
)
_TEST_REMARK = re.compile(rf"#\s*rules?\s+({_NUMBER}(?:\s*(?:,|and)\s*{_NUMBER})*)", re.IGNORECASE)


class Coverage(msgspec.Struct, frozen=True):
    """The rule numbers of a game: all, those with code, those with a test, those without one of the two."""

    game: str
    rules: tuple[str, ...]
    with_code: tuple[str, ...]
    with_test: tuple[str, ...]
    missing: tuple[str, ...]


def coverage(
    game: str, *, tests: Path | None = None, code: Path | None = None, text: Path | None = None
) -> Coverage:
    """How far the rules of a game are coded and tested. Raises FileNotFoundError without a rules text."""
    rules = rule_numbers((text or paths.game_rules(game, "en")).read_text("utf-8"))
    code = code or paths.game_package(game)
    tests = tests or (_PACKAGE.parent if code.is_relative_to(_PACKAGE) else Path.cwd()) / "tests"
    coded = set(mentions_in_code(code.rglob("*.py")))
    tested = set(mentions_in_tests(tests, game))
    with_code, with_test = _covered(rules, coded), _covered(rules, tested)
    missing = tuple(rule for rule in rules if rule not in with_code or rule not in with_test)
    return Coverage(game, rules, with_code, with_test, missing)


def _covered(rules: tuple[str, ...], mentioned: set[str]) -> tuple[str, ...]:
    """The rules mentioned, and the headings all of whose rules are."""

    def is_covered(rule: str) -> bool:
        below = [
            other
            for other in rules
            if other.startswith(f"{rule}.") or (other[:-1] == rule and other[-1].isalpha())
        ]
        return rule in mentioned or (bool(below) and all(map(is_covered, below)))

    return tuple(filter(is_covered, rules))


def rule_numbers(text: str) -> tuple[str, ...]:
    """The numbers of the rules in a rules text, in its order."""
    found = (match[1] for line in text.splitlines() if (match := _RULE_LINE.match(line)))
    return tuple(dict.fromkeys(found))


def mentions_in_code(files: Iterable[Path]) -> Iterator[str]:
    """The rules that code names as its own."""
    for file in sorted(files):
        try:
            tree = ast.parse(file.read_text("utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(tree):
            yield from _named(node)


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.keyword) and node.arg == "rule":
        yield from _strings(node.value)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(map(_speaks, targets)):
            yield from _strings(node.value)
    elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        match = _DOCSTRING.match(ast.get_docstring(node) or "")
        if match:
            yield from re.findall(_NUMBER, match[1])


def _speaks(target: ast.AST) -> bool:
    """Whether a name speaks of rules: `rule`, `RULE_MOVE`, `_RULES_BY_KIND`."""
    return isinstance(target, ast.Name) and not {"rule", "rules"}.isdisjoint(target.id.lower().split("_"))


def _strings(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and _IS_NUMBER.match(inner.value):
            yield inner.value


def mentions_in_tests(tests: Path, game: str) -> Iterator[str]:
    """The rules that cases and tests of the game name."""
    for file in sorted((tests / "cases" / game).rglob("*.toml")):
        try:
            cases = tomllib.loads(file.read_text("utf-8")).get("case", [])
        except (UnicodeDecodeError, tomllib.TOMLDecodeError):
            continue
        for case in cases if isinstance(cases, list) else ():
            named = case.get("rule", []) if isinstance(case, dict) else []
            yield from (str(rule) for rule in (named if isinstance(named, list) else [named]))
    for file in sorted((tests / "games" / game).rglob("*.py")):
        for numbers in _TEST_REMARK.findall(file.read_text("utf-8")):
            yield from re.findall(_NUMBER, numbers)
