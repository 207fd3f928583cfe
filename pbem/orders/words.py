"""Words as people type them: folded to one spelling, cut into tokens, forgiven small errors.

Folding drops case, accents and ligatures, so that `Möckern`, `MOCKERN` and `mockern` are one word; `Moeckern`
is made equal by the lexicon, which knows each name in both spellings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

LONGEST_LINE = 500

_TOKEN = re.compile(
    r"['’`´]s\b"
    r"|(?<![^\W_])-\d+"
    r"|[^\W_]+"
    r"|<=|>=|=<|=>|<>|!=|==|->"
    r"|[;:,()<>=&+/≤≥≠→]"
)
_SAME = {"->": ">", "→": ">", "=>": ">=", "=<": "<=", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!=", "==": "="}
_LETTERS = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ſ": "s"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{1,3}|v)|x{1,3}")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ARTICLES = _set("the le la les l der die das den dem un une an")
PLEASANTRIES = _set("please svp stp my our mon ma mes notre nos i we je nous")
MARKS = frozenset((",", ":", "(", ")", ">", "/"))
SKIPPED = ARTICLES | PLEASANTRIES | MARKS
"""What may stand anywhere without meaning."""
RELATIONS = _set(
    "to from at in on with by of into for onto a vers de d du des au aux en sur dans avec par depuis pour"
)
"""Small words that a pattern may hold; a player may leave them out, never exchange them."""
SEPARATORS = frozenset((",", ">", "&", "+", "/", "and", "et", "und", "puis"))
"""What stands between the names of a list."""

_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "zero",
            "one un une",
            "two deux",
            "three trois",
            "four quatre",
            "five cinq",
            "six",
            "seven sept",
            "eight huit",
            "nine neuf",
            "ten dix",
            "eleven onze",
            "twelve douze",
        )
    )
    for word in words.split()
}


def fold(text: str) -> str:
    """The text in lower case without accents and ligatures."""
    text = text.casefold()
    if text.isascii():
        return text
    stripped = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(letter for letter in stripped if not unicodedata.combining(letter))


def spellings(text: str) -> tuple[str, ...]:
    """The text folded, and once more with ä, ö, ü written ae, oe, ue where it has any."""
    plain = unicodedata.normalize("NFC", text)
    spelt = fold(plain.casefold().translate(_UMLAUTS))
    folded = fold(plain)
    return (folded,) if spelt == folded else (folded, spelt)


class Tokens:
    """A line cut into words, numbers and signs: `norms` folded, `raws` as they were written."""

    __slots__ = ("_line", "_spans", "norms", "raws")

    def __init__(self, line: str, spans: list[tuple[int, int]]) -> None:
        self._line = line
        self._spans = spans
        self.raws = [line[start:end] for start, end in spans]
        self.norms = [_SAME.get(raw) or fold(raw) for raw in self.raws]

    def __len__(self) -> int:
        return len(self.norms)

    def text(self, low: int, high: int) -> str:
        """The words from `low` to `high` as they were written, cut to a length fit for an answer."""
        spans = self._spans[low:high]
        return clip(self._line[spans[0][0] : spans[-1][1]]) if spans else ""

    def part(self, low: int, high: int) -> Tokens:
        """Some of its words, as a line of their own."""
        return Tokens(self._line, self._spans[low:high])

    def replaced(self, low: int, high: int, words: Sequence[str]) -> Tokens:
        """The same line with other words in place of some."""
        line, spans = "", []
        for raw in (*self.raws[:low], *words, *self.raws[high:]):
            spans.append((len(line), len(line) + len(raw)))
            line += f"{raw} "
        return Tokens(line, spans)


@lru_cache(maxsize=512)
def tokens(text: str) -> Tokens:
    """The line as tokens; signs that mean nothing are gone."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return Tokens(text, [found.span() for found in _TOKEN.finditer(text) if found[0][0] not in "'’`´"])


def clip(text: str, length: int = 60) -> str:
    """The text without control characters, cut to a length fit for an answer."""
    clean = text[: length * 4]
    if not clean.isprintable():
        clean = "".join(letter if letter.isprintable() else " " for letter in clean)
    clean = " ".join(clean.split())
    return clean if len(clean) <= length else clean[: length - 1] + "…"


def is_word(norm: str) -> bool:
    """Whether a token is a word or a number, not a sign."""
    return norm[-1].isalnum()


def number(norm: str) -> int | None:
    """The whole number that a token writes, in digits or in words up to twelve."""
    if norm.lstrip("-").isdecimal():
        return int(norm) if len(norm) <= 9 else 999_999_999
    return _NUMBERS.get(norm)


_TEENS = {
    word: number
    for number, words in enumerate(
        (
            "thirteen treize",
            "fourteen quatorze",
            "fifteen quinze",
            "sixteen seize",
            "seventeen",
            "eighteen",
            "nineteen",
        ),
        13,
    )
    for word in words.split()
}
_TENS = {"dix": 10, "twenty": 20, "vingt": 20, "thirty": 30, "trente": 30, "forty": 40, "quarante": 40}
_TENS |= {"fifty": 50, "cinquante": 50}


def spoken_number(norms: Sequence[str], i: int) -> tuple[int, int]:
    """The number that words spell at a place, up to fifty-nine, and where it ends; 0 and 0 where none stands."""
    if i >= len(norms):
        return 0, 0
    tens = _TENS.get(norms[i])
    if tens is not None:
        at = i + 2 if norms[i + 1 : i + 2] == ["et"] else i + 1
        more = _NUMBERS.get(norms[at]) if at < len(norms) else None
        if more is not None and 1 <= more <= 9:
            return tens + more, at + 1
        return tens, i + 1
    if norms[i] in _TEENS:
        return _TEENS[norms[i]], i + 1
    value = number(norms[i])
    return (value, i + 1) if value is not None and 0 <= value < 100 else (0, 0)


def digits(text: str) -> tuple[str, ...]:
    """The numbers inside a word: two names that differ in them are never the same name mistyped."""
    return tuple(_DIGITS.findall(text))


def numerals(parts: Iterable[str]) -> tuple[str, ...]:
    """The Roman numerals among words: like digits, they are never abbreviated or mistyped."""
    return tuple(part for part in parts if _ROMAN.fullmatch(part))


def tolerance(length: int) -> int:
    """How many typing errors a word of that length may hold."""
    return 0 if length < 4 else 1 if length < 6 else 2 if length < 10 else 3


def singular(word: str) -> tuple[str, ...]:
    """What the word may be the plural of, and its own simple plural."""
    ends = [word + "s"]
    for end in ("s", "x", "es", "n", "en"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            ends.append(word[: -len(end)])
    return tuple(ends)


def mistyped(word: str, keys: Iterable[str]) -> list[tuple[int, str]]:
    """The keys that the word may be a mistyping of, nearest first, with the number of errors."""
    allowed = tolerance(len(word))
    inside = digits(word)
    if not allowed:
        # So short a word is another word with any letter changed; two letters exchanged can be told.
        twisted = sorted(word) if len(word) == 3 and not inside else []
        return [(1, key) for key in keys if sorted(key) == twisted and OSA.distance(word, key) == 1]
    near: list[tuple[int, str]] = []
    for key in keys:
        if abs(len(key) - len(word)) > allowed or len(key) < 3:
            continue
        errors = OSA.distance(word, key, score_cutoff=allowed)
        if errors <= allowed and digits(key) == inside:
            near.append((errors, key))
    return sorted(near)
