"""No modules of pbem import each other in a circle, also not by way of an import inside a function.

What is imported for types only does not count: it is gone at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbem.kernel.graph import within

TOP = Path(__file__).parent.parent.parent
STILL_ALLOWED: frozenset[frozenset[str]] = frozenset(
    {frozenset({"pbem.games.eia.deployment", "pbem.games.eia.setup"})}
)
"""Circles that are there yet; nothing may be added."""


@cache
def modules() -> dict[str, Path]:
    files = sorted((TOP / "pbem").rglob("*.py"))
    return {
        ".".join(file.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__"): file
        for file in files
    }


def statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        yield from statements(child)


def imported(source: str) -> Iterator[str]:
    for statement in statements(ast.parse(source)):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif statement.module:
            for alias in statement.names:
                inner = f"{statement.module}.{alias.name}"
                yield inner if inner in modules() else statement.module


@cache
def imports(name: str) -> tuple[str, ...]:
    found = set(imported(modules()[name].read_text("utf-8")))
    return tuple(sorted(found & modules().keys() - {name}))


def circles() -> set[frozenset[str]]:
    reached = {name: set(within(imports(name), imports)) for name in modules()}
    return {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in modules()
        if name in reached[name]
    }


def test_imports_are_seen_wherever_they_stand() -> None:
    source = """
from pbem.kernel import graph
if TYPE_CHECKING:
    from pbem.kernel.table import Table
def late():
    if graph:
        import pbem.paths
    from pbem.kernel.order import Seat
"""
    assert list(imported(source)) == ["pbem.kernel.graph", "pbem.paths", "pbem.kernel.order"]
    assert "pbem.kernel.question" in imports("pbem.kernel.game")


def test_no_modules_import_each_other_in_a_circle() -> None:
    found = circles()
    assert not [sorted(circle) for circle in found - STILL_ALLOWED]
    assert not [sorted(circle) for circle in STILL_ALLOWED - found], "gone: take it off the list"
