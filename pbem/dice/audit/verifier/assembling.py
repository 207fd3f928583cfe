"""Puts the chapters of the verifier together: imports first, then each chapter as it stands.

All chapters come to share one namespace, so no two may use the same name at their top level, and a chapter
that says `streams.roll` finds itself: `streams` is the file. Whoever reads the file finds every line of it
in the package, in the same order.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

from pbem.dice.audit import sentences
from pbem.dice.beacon import bls, rounds

DICE = Path(__file__).parents[2]
CHAPTERS = (
    "log/fields",
    "draw/streams",
    "log/merkle",
    "beacon/bls",
    "beacon/rounds",
    "audit/mailbox",
    "audit/sentences",
    "audit/verdicts",
    "log/hidden",
    "audit/reasons",
    "audit/auditor",
    "audit/audit",
    "show/byhand",
    "audit/verifier/command",
)
_NAMES = frozenset(chapter.rpartition("/")[2] for chapter in CHAPTERS)

PAGE_CHAPTERS = (
    *("hashing", "canonical", "fields", "streams", "tally", "mailbox"),
    *("reasons", "auditor", "audit", "byhand", "bls", "plots", "view"),
)

_HEAD = '''#!/usr/bin/env python3
"""Checks the dice of a game by mail. Needs Python 3.11 or later and nothing else.

    python3 pbem_verify.py game.jsonl                         the log of a game
    python3 pbem_verify.py game.jsonl --letters mails/        and your own letters about it
    python3 pbem_verify.py game.jsonl --roll t1/land/ulm/att  one roll, by hand

Put together from the chapters of pbem/dice; change those, not this file.
"""

# ruff: noqa
# mypy: ignore-errors
# fmt: off
from __future__ import annotations

import sys

if sys.version_info < (3, 11):
    sys.exit("pbem_verify needs Python 3.11 or later")

'''


class Clash(ValueError):
    """Two chapters use one name."""


def program() -> str:
    """The verifier as one file."""
    imports: dict[str, set[str]] = {}
    namespaces: set[str] = set()
    owners: dict[str, str] = {}
    parts = []
    for chapter in CHAPTERS:
        source = (DICE / f"{chapter}.py").read_text(encoding="utf-8")
        tree = ast.parse(source)
        lines = source.splitlines()
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom) or _is_for_types(node):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pbem.dice"):
                    namespaces.update(name.name for name in node.names if name.name in _NAMES)
                elif isinstance(node, ast.Import):
                    imports.update((name.name, set()) for name in node.names)
                elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("pbem."):
                    imports.setdefault(f"from {node.module}", set()).update(each.name for each in node.names)
                _blank(lines, node)
            for name in _defined(node):
                if owners.setdefault(name, chapter) != chapter:
                    raise Clash(f"{name} stands in {owners[name]} and in {chapter}")
        about = ast.get_docstring(tree) or ""
        _blank(lines, tree.body[0])
        comment = "\n".join(f"# {line}".rstrip() for line in about.splitlines())
        parts.append(f"{comment}\n\n{chr(10).join(lines).strip()}\n")
    clash = namespaces & set(owners)
    if clash:
        raise Clash(f"{min(clash)} is a chapter and a name")
    plain = [f"import {name}" for name in sorted(imports) if not imports[name] and name != "sys"]
    named = [
        f"{module} import {', '.join(sorted(names - {'TYPE_CHECKING'}))}"
        for module, names in sorted(imports.items())
        if names and module != "from __future__"
    ]
    this = f"{' = '.join(sorted(namespaces))} = sys.modules[__name__]\n"
    end = 'if __name__ == "__main__":\n    sys.exit(main())\n'
    return _HEAD + "\n".join([*plain, *named]) + f"\n\n{this}\n\n" + "\n\n".join([*parts, end])


def web_page() -> str:
    """The page as one file: the template with its sentences, constants and beacon filled in."""
    parts = DICE / "audit" / "verifier" / "page"
    page = (parts / "page.html").read_text(encoding="utf-8")
    facts = {
        "reasons": sentences.REASONS,
        "words": sentences.WORDS,
        "networks": [rounds.QUICKNET.body()],
        "curve": {
            "p": hex(bls.P),
            "order": hex(bls.ORDER),
            "x": hex(bls.X),
            "beta": hex(bls.BETA),
            "g2": [[hex(part) for part in coordinate] for coordinate in bls.G2],
            "a": hex(bls.SSWU_A),
            "b": hex(bls.SSWU_B),
            "kernel": [hex(part) for part in bls.KERNEL],
            "dst": bls.DST.decode(),
        },
    }
    said = json.dumps(facts, ensure_ascii=False, sort_keys=True, indent=1).replace("</", "<\\/")
    page = page.replace("/*FACTS*/", f"const FACTS = {said};")
    scripts = [(parts / f"{chapter}.js").read_text(encoding="utf-8").strip() for chapter in PAGE_CHAPTERS]
    return page.replace("/*CHAPTERS*/", "\n\n".join(scripts))


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def _blank(lines: list[str], node: ast.stmt) -> None:
    for number in range(node.lineno - 1, node.end_lineno or node.lineno):
        lines[number] = ""
