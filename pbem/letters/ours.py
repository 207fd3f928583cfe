"""Our own letters, known by their shape however they come back: wrapped, without quote marks, in part.

    The Long War · war-1                          the title, and whose letter it is
    Napoléon · t1
    ==========================================
    WHAT HAPPENED                                 heads of sections
    -------------
    [d2] Napoléon looks at …                      numbered lines
    [[orders war-1 t1/keep #6b8f1f95]]            forms
    log #7 head=c9f855c4d09691ea                  the last line

One of these may be anybody's; two of different kinds are ours, from the first of them to the last line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.letters.forms import TextLine

_RULE = re.compile(r"={8,}+")
_TITLE = re.compile(r"[^·]{1,100} · [^·\s]{1,60}")
_LOG = re.compile(r"log #\d{1,9} head=[0-9a-f]{8,64}")
_DASHES = re.compile(r"-{3,}+")
_FORM = re.compile(r"\[\[(?:orders|ordres) \S{1,100} \S{1,100} #[0-9a-f]{8}\]\]", re.IGNORECASE)
_EVENT = re.compile(r"\[d?\d{1,6}\] \S")
_LONGEST = 200


class Found(NamedTuple):
    """The lines that are ours, and whether something looks as if more were."""

    lines: frozenset[int]
    hint: bool
    place: int | None = None
    """Where heads of sections begin that may be ours, or anybody's."""


def find(lines: Sequence[TextLine]) -> Found:
    """The lines of unmarked copies of our own letters."""
    marked: dict[int, str] = {}
    for index, line in enumerate(lines):
        if line.text and not line.depth and len(line.text) <= _LONGEST:
            kind = _kind(lines, index)
            if kind:
                marked[index] = kind
    if not marked:
        return Found(frozenset(), False)
    found: set[int] = set()
    hint, place = False, None
    for part in _parts(sorted(marked), marked):
        kinds = {marked[index] for index in part}
        sections = sum(marked[index] == "section" for index in part)
        # A pasted form may be its writer's own, and so may be lines with numbers in brackets.
        strong = kinds - {"event"} - ({"form"} if kinds <= {"form", "event"} else set())
        if len(strong) > 1 or (strong and "event" in kinds):
            first = _beginning(lines, part[0], marked)
            last = part[-1] if marked[part[-1]] == "log" else _end(lines, part[-1])
            found.update(range(first, last + 1))
        elif sections > 1 and place is None:
            place = part[0]
        elif strong:
            hint = True
    return Found(frozenset(found), hint, place)


def _kind(lines: Sequence[TextLine], index: int) -> str:
    text = lines[index].text
    first = text[0]
    if first == "=" and _RULE.fullmatch(text):
        return "rule"
    if first == "l" and _LOG.fullmatch(text):
        return "log"
    if first == "[":
        return "form" if _FORM.match(text) else "event" if _EVENT.match(text) else ""
    if "·" in text and _TITLE.fullmatch(text):
        return "title"
    if text == text.upper() and index + 1 < len(lines):
        under = lines[index + 1].text
        if len(under) == len(text) and _DASHES.fullmatch(under) and any(map(str.isalpha, text)):
            return "section"
    return ""


def _parts(places: list[int], marked: dict[int, str]) -> list[list[int]]:
    """The marks of each copy: one ends with its last line."""
    parts: list[list[int]] = [[]]
    for place in places:
        parts[-1].append(place)
        if marked[place] == "log":
            parts.append([])
    return [part for part in parts if part]


def _beginning(lines: Sequence[TextLine], first: int, marked: dict[int, str]) -> int:
    """The first line of the copy: a title above the rule belongs to it, and the first half of a broken title."""
    if marked[first] == "rule" and first and lines[first - 1].text and not lines[first - 1].depth:
        first -= 1
    for above in range(first - 1, max(-1, first - 4), -1):
        if not lines[above].text or lines[above].depth:
            break
        if lines[above].text.endswith("·"):
            return above
    return first


def _end(lines: Sequence[TextLine], last: int) -> int:
    """A copy without its last line goes on to where quote marks begin, or to the end."""
    while last + 1 < len(lines) and not lines[last + 1].depth:
        last += 1
    return last
