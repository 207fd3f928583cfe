"""Which lines of a reply are new: quotations, attributions, signatures and footers fall away, forms stay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.letters.forms import TextLine, find_forms, wrapped
from pbem.letters.letter import Form

# Some programs put the writer's initials before the mark.
_MARKS = re.compile(r"(?:(?: {0,2}>)++|[A-Z]{1,3}>++(?= |$)) ?")
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----|Hash: SHA\d[\w, -]{0,60}")
_SIGNATURE = re.compile(r"--\s*")
_THE_END = re.compile(r"\*{0,2}(?:END|FIN)\*{0,2}[.!]?", re.IGNORECASE)
_FOOTER = re.compile(
    r"""
      sent\ (?:from|via|with|using)\ (?:my|your|mail|yahoo|outlook|samsung|proton|gmail|the|an?|blackberry|aol
            |android|iphone|ipad|mobile|e-?mail|k-9|fairemail|spark|windows|huawei|vodafone)\b.*
    | (?:get|download)\ outlook\ for\b.*
    | (?:obtenir|obtenez|télécharger|téléchargez)\ outlook\ pour\b.*
    | (?:holen\ sie\ sich\ )?outlook\ für\ (?:ios|android|mac|windows)\b.*
    | envoyée?\ (?:de|depuis|à\ partir\ d[eu'])\b.*
    | envoyé\ avec\ (?:la\ messagerie|proton|l'application|mon|gmail|yahoo)\b.*
    | (?:provenance|télécharg\w+)\ ?:\ courrier\b.*
    | gesendet\ (?:von|mit|aus|über)\b.*
    | von\ mein(?:em|er)\b.{1,80}\bgesendet.*
    | diese\ (?:nachricht|e-?mail)\ wurde\ (?:von|mit)\b.{1,120}\bgesendet.*
    | enviado\ desde\b.* | inviato\ da\b.* | verzonden\ vanaf\b.*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WROTE_HEAD = re.compile(r"(?:on|le|am|el|il|op|em)\b", re.IGNORECASE)
_WROTE_TAIL = re.compile(
    r".*(?:\bwrote|\bwrites|\ba écrit|\bécrivait|\bécrit|\bschrieb(?:en)?\b[^:]{0,120}"
    r"|\bescribió|\bha scritto|\bschreef\b[^:]{0,120})\s?:",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b(?:wrote|writes|a écrit|écrit|schrieb|schreibt)\b", re.IGNORECASE)
_WHEN = re.compile(r"\s(?:on|le|am)\s", re.IGNORECASE)
_CLOCK = re.compile(r"\d:\d\d")
_FROM = re.compile(r"\*?(?:from|de|von|da|van|expéditeur)\s?:\*?\s?\S", re.IGNORECASE)
_SENT = re.compile(
    r"\*?(?:sent|date|envoyé(?: le)?|gesendet|datum|inviato|enviado|verzonden|subject|objet|betreff)\s?:",
    re.IGNORECASE,
)
_DIVIDER = re.compile(
    r"""
      -{2,}\s*(?:(?:original|forwarded|reply)\s(?:e-?mail|message|appointment)
        | (?:message|mail)\s(?:d'origine|original|transféré|initial|transmis|réexpédié)
        | (?:ursprüngliche|weitergeleitete|original)[\s-]?nachricht
        | urspr\.?\s?nachricht)\s*(?:\bvon\b.{0,80})?-{2,}.{0,40}
    | (?:begin|start\ of)\ forwarded\ message\s?:
    | début\ du\ message\ (?:réexpédié|transféré)\s?:
    | anfang\ der\ weitergeleiteten\ (?:nachricht|e-?mail)\s?:
    | _{10,}
    | -----BEGIN\ PGP\ (?:SIGNATURE|PUBLIC\ KEY\ BLOCK)-----
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_MARK = 400
_WROTE_LINES = 3


class Clean(NamedTuple):
    """The new lines of a letter and the forms that came with it."""

    lines: tuple[str, ...]
    forms: tuple[Form, ...]


def clean(text: str, most_forms: int = 20) -> Clean:
    """The new text and the forms of a letter's plain text."""
    lines = [_measure(line) for line in text.split("\n")]
    marks = _Marks(lines)
    blocks = find_forms(lines, most_forms) if "[[" in text else []
    in_forms = {index for block in blocks for index in range(block.start, block.stop)}
    new, end = _new_lines(lines, marks, in_forms)
    candidates = [(marks.level(block.start), block.form) for block in blocks if block.start < end]
    return Clean(tuple(new), _latest(candidates))


def _measure(line: str) -> TextLine:
    match = _MARKS.match(line)
    if not match:
        return TextLine(0, line.strip(), len(line.rstrip()))
    return TextLine(match.group().count(">"), line[match.end() :].strip(), len(line.rstrip()))


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
        for index, line in enumerate(lines):
            if not line.text or len(line.text) > _LONGEST_MARK:
                continue
            start = self._wrote_start(index)
            if start is not None:
                self._wrote[start] = index + 1
            elif _DIVIDER.fullmatch(line.text) or self._is_outlook_head(index):
                self._dividers.add(index)
        starts = sorted(self._dividers | self._wrote.keys())
        # A rule directly above «From: … Sent: …» belongs to it and is no letter of its own.
        self._starts = [s for i, s in enumerate(starts) if i == 0 or not self._adjoins(starts[i - 1], s)]

    def _adjoins(self, first: int, second: int) -> bool:
        return all(not line.text for line in self._lines[first + 1 : second])

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
        text = self._lines[last].text
        if not text.endswith(":"):
            return None
        for first in range(last, max(-1, last - _WROTE_LINES), -1):
            head = self._lines[first]
            same_paragraph = head.text and head.depth == self._lines[last].depth
            if not same_paragraph or (first < last and head.text.endswith(":")):
                break
            if _WROTE_HEAD.match(head.text):
                whole = " ".join(line.text for line in self._lines[first : last + 1])
                dated = any(char.isdigit() for char in head.text)
                if dated and len(whole) < _LONGEST_MARK and _WROTE_TAIL.fullmatch(whole):
                    return first
                break
        return last if _sender_first(text) else None

    def _is_outlook_head(self, index: int) -> bool:
        line = self._lines[index]
        if _FROM.match(line.text):
            return self._below(index, 5, _SENT)
        return bool(_SENT.match(line.text)) and self._below(index, 2, _FROM)

    def _below(self, index: int, reach: int, pattern: re.Pattern[str]) -> bool:
        depth = self._lines[index].depth
        below = self._lines[index + 1 : index + 1 + reach]
        return any(line.depth == depth and pattern.match(line.text) for line in below)


def _sender_first(text: str) -> bool:
    """True for «A. Name <a@b> wrote:», «Name wrote on 3 March:», «3 March 10:12 A. Name <a@b>:».

    Step by step rather than by one pattern, whose time could grow with the square of a hostile line.
    """
    before, _, last_word = text.rstrip(": ").rpartition(" ")
    if "@" in last_word and (_CLOCK.search(before) or before.lower().startswith("quoting ")):
        return True
    verb = _VERB.search(text)
    if verb is None or verb.start() == 0:
        return False
    name, rest = text[: verb.start()].rstrip(), text[verb.end() :]
    if not rest.strip(": "):
        return (name.endswith(">") and "@" in name) or (name.endswith(" you") and bool(_CLOCK.search(name)))
    when = _WHEN.search(rest)
    return when is not None and when.start() < 20 and any(char.isdigit() for char in rest)


def _new_lines(lines: Sequence[TextLine], marks: _Marks, in_forms: set[int]) -> tuple[list[str], int]:
    """The new lines, and the line of an END beyond which nothing is the writer's."""
    new: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        if index in in_forms or line.depth:
            index += 1
            continue
        after = marks.wrote(index)
        if after is not None:
            if not _quoted_next(lines, after):
                break
            index = after
            continue
        if marks.divides(index) or _SIGNATURE.fullmatch(line.text):
            break
        if _THE_END.fullmatch(line.text):
            return _trim(new), index
        if _FOOTER.fullmatch(line.text) and len(line.text) < _LONGEST_MARK:
            if not _quotation_follows(lines, index + 1, marks):
                break
        elif not _tail_of_quote(lines, index) and not _ARMOUR.fullmatch(line.text):
            new.append(line.text)
        index += 1
    return _trim(new), len(lines)


def _quoted_next(lines: Sequence[TextLine], index: int) -> bool:
    while index < len(lines) and not lines[index].text and not lines[index].depth:
        index += 1
    return index < len(lines) and lines[index].depth > 0


def _quotation_follows(lines: Sequence[TextLine], index: int, marks: _Marks) -> bool:
    while index < len(lines) and not lines[index].text and not lines[index].depth:
        index += 1
    after = marks.wrote(index)
    return _quoted_next(lines, index if after is None else after)


def _tail_of_quote(lines: Sequence[TextLine], index: int) -> bool:
    """True for the rest of a quoted line that the mail program broke without a new quote mark."""
    if index == 0 or index + 1 >= len(lines):
        return False
    previous, line, following = lines[index - 1 : index + 2]
    return bool(line.text) and previous.depth > 0 and following.depth > 0 and wrapped(previous, line)


def _trim(lines: list[str]) -> list[str]:
    first, last = 0, len(lines)
    while first < last and not lines[first]:
        first += 1
    while last > first and not lines[last - 1]:
        last -= 1
    return [line for i, line in enumerate(lines[first:last], first) if line or lines[i - 1]]
