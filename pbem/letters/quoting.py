"""Which lines of a reply are new: quotations, attributions, signatures and footers fall away, forms stay.

What mail programs write is data (`heads`); our own letters are known by their shape (`ours`). Where something
looks like a head that neither knows, the letter is doubtful from there on: see `Clean.doubt`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from pbem.letters import heads, ours
from pbem.letters.forms import TextLine, find_forms, wrapped
from pbem.letters.letter import Form

# Some programs put the writer's initials before the mark; a bar is one too, and stands before our own examples.
_MARKS = re.compile(r"(?:(?: {0,2}[>|])++|[A-Z]{1,3}>++(?= |$)) ?")
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----|Hash: SHA\d[\w, -]{0,60}")
_SIGNATURE = re.compile(r"--\s*+")
_RULE = re.compile(r"[-_=*~]{3,}+")
_THE_END = re.compile(r"\*{0,2}(?:END|FIN)\*{0,2}[.!]?", re.IGNORECASE)
_WROTE_LINES = 4
_HEAD_LINES = 6


class Why(StrEnum):
    """What a line of a letter is."""

    NEW = "new"
    QUOTED = "quoted"
    TAIL = "tail of a quoted line"
    ATTRIBUTION = "attribution"
    OLDER = "older letter"
    OURS = "our own letter"
    FORM = "form"
    SIGNATURE = "signature"
    FOOTER = "footer"
    ARMOUR = "armour"
    END = "end"


class Clean(NamedTuple):
    """The new lines of a letter and the forms that came with it."""

    lines: tuple[str, ...]
    forms: tuple[Form, ...]
    doubt: int | None = None
    """The new line from which on the text may be a quotation after all; None where nothing looks like one.

    The number of all new lines, where something looks like one but nobody can say from where on.
    """


class Labelled(NamedTuple):
    """A line, what it is, and whether it looks like the head of a quotation that nobody knows."""

    text: str
    why: Why
    headlike: bool = False


def clean(text: str, most_forms: int = 20) -> Clean:
    """The new text and the forms of a letter's plain text."""
    reading = _Reading(text, most_forms)
    return reading.clean()


def explain(text: str) -> list[Labelled]:
    """Every line of a letter's plain text with what it was taken for."""
    reading = _Reading(text, 20)
    reading.clean()
    return [
        Labelled(original, why, reading.headlike(index))
        for index, (original, why) in enumerate(zip(text.split("\n"), reading.labels, strict=True))
    ]


def _measure(line: str) -> TextLine:
    match = _MARKS.match(line)
    if not match:
        return TextLine(0, line.strip(), len(line.rstrip()))
    marks = match.group()
    return TextLine(marks.count(">") + marks.count("|"), line[match.end() :].strip(), len(line.rstrip()))


def _latest(candidates: list[tuple[int, Form]]) -> tuple[Form, ...]:
    """The forms of the most recent letter quoted: those at the lowest level, the first for each question."""
    if not candidates:
        return ()
    lowest = min(level for level, _ in candidates)
    chosen: dict[tuple[str, str], Form] = {}
    for level, form in candidates:
        if level == lowest:
            chosen.setdefault((form.game, form.key), form)
    return tuple(chosen.values())


class _Marks:
    """Where one letter ends and an older one begins."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self._lines = lines
        self._wrote: dict[int, int] = {}
        self._dividers: set[int] = set()
        self._labels = [heads.label(line.text) for line in lines]
        for index, line in enumerate(lines):
            if not line.text or len(line.text) > heads.LONGEST:
                continue
            start = self._wrote_start(index)
            if start is not None:
                self._wrote[start] = index + 1
            elif heads.divider(line.text) or self._is_head(index):
                self._dividers.add(index)
        starts = sorted(self._dividers | self._wrote.keys())
        # A rule directly above «From: … Sent: …» belongs to it and is no letter of its own.
        self._starts = [s for i, s in enumerate(starts) if i == 0 or not self._adjoins(starts[i - 1], s)]

    def _adjoins(self, first: int, second: int) -> bool:
        if second - first > _HEAD_LINES:
            return False
        between = self._lines[first + 1 : second]
        return all(not line.text or heads.label(line.text) for line in between)

    def level(self, index: int) -> int:
        """How old the letter is that a line belongs to: the heads above it plus its quote marks."""
        return sum(start <= index for start in self._starts) + self._lines[index].depth

    def wrote(self, index: int) -> int | None:
        """The line after an attribution that begins here."""
        return self._wrote.get(index)

    def divides(self, index: int) -> bool:
        """True at the head of an older letter that comes without quote marks."""
        return index in self._dividers

    def _wrote_start(self, last: int) -> int | None:
        """Where an attribution that ends at this line begins: at the nearest line that can begin one."""
        lines = self._lines
        if not heads.ends_attribution(lines[last].text):
            return None
        weak: int | None = None
        whole = ""
        for first in range(last, max(-1, last - _WROTE_LINES), -1):
            line = lines[first]
            if not line.text or line.depth != lines[last].depth:
                break
            if first < last and line.text.endswith(":"):
                break
            whole = f"{line.text} {whole}".rstrip()
            if len(whole) > heads.LONGEST:
                break
            if heads.begins_attribution(line.text):
                return first if heads.attribution(whole) else weak
            if weak is None and heads.attribution(whole):
                weak = first
        return weak

    def _is_head(self, index: int) -> bool:
        """«From: … Sent: … Subject: …» in any language and order: the sender and something else."""
        kind = self._labels[index]
        if not kind:
            return False
        depth = self._lines[index].depth
        below = range(index, min(len(self._lines), index + _HEAD_LINES))
        kinds = {self._labels[at] for at in below if self._lines[at].depth == depth} - {""}
        if kind == heads.FROM and self._lines[index].text.endswith(":"):
            return False
        if heads.FROM not in kinds or len(kinds) < 2:
            return False
        if heads.SENT not in kinds and not any(
            "@" in self._lines[at].text for at in below if self._labels[at]
        ):
            # «To: Blücher, From: Schwarzenberg, Subject: tomorrow» is how people write each other.
            return False
        # Whoever writes «To: all», a text and «From: Ney» far below it has written no head.
        nearest = next(at for at in below if self._labels[at] == heads.FROM)
        if kind == heads.FROM:
            return bool(kinds & {heads.SENT, heads.SUBJECT})
        return nearest - index <= 2 or len(kinds) > 2


class _Reading:
    """The lines of a letter, and what each of them is."""

    def __init__(self, text: str, most_forms: int) -> None:
        self.lines = [_measure(line) for line in text.split("\n")]
        self.marks = _Marks(self.lines)
        self.blocks = find_forms(self.lines, most_forms) if "[[" in text else []
        self.in_forms = {index for block in self.blocks for index in range(block.start, block.stop)}
        self.ours = ours.find(self.lines)
        self.labels = [Why.OLDER] * len(self.lines)

    def headlike(self, index: int) -> bool:
        """Whether a line that was taken for new looks like a head of a quotation."""
        return self.labels[index] is Why.NEW and heads.headlike(self.lines[index].text)

    def clean(self) -> Clean:
        """Label every line; the new ones, the forms, and where doubt begins."""
        end = self._label()
        new: list[str] = []
        doubt: int | None = None
        for index, why in enumerate(self.labels):
            if why is not Why.NEW:
                continue
            text = self.lines[index].text
            if doubt is None and text and (index == self.ours.place or heads.headlike(text)):
                doubt = sum(map(bool, new))
            new.append(text)
        if doubt is None and self.ours.hint:
            doubt = sum(map(bool, new))
        candidates = [
            (self.marks.level(block.start), block.form) for block in self.blocks if block.start < end
        ]
        lines = _trim(new)
        return Clean(tuple(lines), _latest(candidates), None if doubt is None else _place(lines, doubt))

    def _label(self) -> int:
        """Say of each line what it is; returns the line of an END beyond which nothing is the writer's."""
        lines, labels = self.lines, self.labels
        index = 0
        while index < len(lines):
            line = lines[index]
            if index in self.in_forms or line.depth or index in self.ours.lines:
                labels[index] = Why.FORM if index in self.in_forms else Why.QUOTED if line.depth else Why.OURS
                index += 1
                continue
            after = self.marks.wrote(index)
            if after is not None:
                labels[index:after] = [Why.ATTRIBUTION] * (after - index)
                if not self._quoted_next(after):
                    break
                index = after
                continue
            if self.marks.divides(index):
                break
            if line.text and heads.headlike(line.text) and self._quoted_directly(index + 1):
                # Whatever it says, it stands above a quotation.
                labels[index] = Why.ATTRIBUTION
                index += 1
                continue
            if _SIGNATURE.fullmatch(line.text):
                labels[index:] = [Why.SIGNATURE] * (len(lines) - index)
                break
            if _THE_END.fullmatch(line.text):
                labels[index:] = [Why.END] * (len(lines) - index)
                return index
            if heads.footer(line.text):
                self._footer(index)
                if not self._quotation_follows(index + 1):
                    break
            elif self._tail_of_quote(index):
                labels[index] = Why.TAIL
            elif _ARMOUR.fullmatch(line.text):
                labels[index] = Why.ARMOUR
            else:
                labels[index] = Why.NEW
            index += 1
        return len(lines)

    def _footer(self, index: int) -> None:
        """A footer, with the rule above it."""
        self.labels[index] = Why.FOOTER
        above = index - 1
        while above >= 0 and not self.lines[above].text and not self.lines[above].depth:
            above -= 1
        if above >= 0 and self.labels[above] is Why.NEW and _RULE.fullmatch(self.lines[above].text):
            self.labels[above] = Why.FOOTER

    def _skip_empty(self, index: int) -> int:
        lines = self.lines
        while index < len(lines) and not lines[index].text and not lines[index].depth:
            index += 1
        return index

    def _quoted_next(self, index: int) -> bool:
        index = self._skip_empty(index)
        return index < len(self.lines) and self.lines[index].depth > 0

    def _quoted_directly(self, index: int) -> bool:
        """Whether quote marks follow, with one empty line between at most."""
        return any(line.depth for line in self.lines[index : index + 2]) and self._quoted_next(index)

    def _quotation_follows(self, index: int) -> bool:
        index = self._skip_empty(index)
        after = self.marks.wrote(index)
        return self._quoted_next(index if after is None else after)

    def _tail_of_quote(self, index: int) -> bool:
        """True for the rest of a quoted line that the mail program broke without a new quote mark."""
        if index == 0 or index + 1 >= len(self.lines):
            return False
        previous, line, following = self.lines[index - 1 : index + 2]
        return bool(line.text) and previous.depth > 0 and following.depth > 0 and wrapped(previous, line)


def _place(lines: Sequence[str], filled: int) -> int:
    """Where the line stands that has so many lines with words before it."""
    for index, line in enumerate(lines):
        if line:
            if filled == 0:
                return index
            filled -= 1
    return len(lines)


def _trim(lines: list[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and not lines[first]:
        first += 1
    while last > first and not lines[last - 1]:
        last -= 1
    return [line for i, line in enumerate(lines[first:last], first) if line or lines[i - 1]]
