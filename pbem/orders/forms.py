"""The lines of a pre-filled form, and the numbered menu beside it.

The form holds what silence would mean, so that sending it back unchanged changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from pbem.kernel.order import Order, Vocabulary
from pbem.kernel.question import Question
from pbem.orders.reading import menu_numbers

WIDTH = 78
MOST_IN_MENU = 200
_FORM_LINES = 5
_GUTTER = "  "


def form_lines(
    question: Question[Any], view: Any, vocabulary: Vocabulary, lang: str = "en"
) -> tuple[list[str], list[str]]:
    """The form filled with the default answer, and the menu's lines."""
    answer = [order.text(vocabulary, lang) for order in question.default(view)]
    _, most = question.count(view)
    if most > 1 or len(answer) > 1:
        answer += [""] * (min(most, _FORM_LINES) - len(answer))
        answer = [f"{n}: {text}".rstrip() for n, text in enumerate(answer, 1)]
    return answer, menu_lines(question.menu(view), vocabulary, lang)


def menu_lines(menu: Sequence[Order], vocabulary: Vocabulary, lang: str = "en") -> list[str]:
    """The menu, numbered, one block a kind of order, in columns where there is room."""
    numbered = [(n, order, _said(order, vocabulary, lang)) for n, order in menu_numbers(menu).items()]
    shown = numbered[:MOST_IN_MENU]
    wide = len(str(max((n for n, _, _ in shown), default=0)))
    lines: list[str] = []
    for _, group in groupby(shown, key=lambda entry: type(entry[1])):
        entries = [f"[{n}]{' ' * (wide - len(str(n)))} {text}" for n, _, text in group]
        lines += _columns(entries)
    if len(numbered) > len(shown):
        lines.append(f"[…] +{len(numbered) - len(shown)}")
    return lines


@lru_cache(maxsize=20_000)
def _said(order: Order, vocabulary: Vocabulary, lang: str) -> str:
    """An order's text: the menus of a game's letters are much alike."""
    return order.text(vocabulary, lang)


def _columns(entries: Sequence[str]) -> list[str]:
    width = max(map(len, entries))
    across = max(1, (WIDTH + len(_GUTTER)) // (width + len(_GUTTER)))
    down = -(-len(entries) // across)
    lines = []
    for row in range(down):
        cells = entries[row::down]
        padded = _GUTTER.join(cell.ljust(width) for cell in cells).rstrip()
        lines += _wrapped(padded)
    return lines


def _wrapped(line: str) -> list[str]:
    lines = []
    while len(line) > WIDTH:
        cut = line.rfind(" ", 8, WIDTH + 1)
        cut = cut if cut > 0 else WIDTH
        lines.append(line[:cut])
        line = "     " + line[cut:].lstrip()
    return [*lines, line]
