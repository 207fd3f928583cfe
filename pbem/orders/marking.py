"""Where sentences and the parts of lists end, and what belongs together, as people mark it.

Full stops and dashes; numbered parts («1. … 2. …», «(a) … (b) …»); a telegram's STOP; signs that were dictated as
words («comma», «virgule»); arrows drawn as dashes («Davout-Lille»); names cut apart by whoever speaks («C one»).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from pbem.orders.words import Tokens, fold, is_word, spoken_number, tokens

ASKED = "questionmark"
"""Stands for the sign at the end of what is asked and not ordered: a word that nothing accounts for."""
_ABBREVIATED = frozenset(
    [
        "st",
        "gen",
        "mar",
        "mgal",
        "adm",
        "mr",
        "m",
        "no",
        "nr",
        "ft",
        "vs",
        "etc",
        "inf",
        "cav",
        "art",
        "hvy",
        "col",
        "lt",
        "capt",
        "maj",
        "fr",
        "sq",
        "bn",
        "div",
        "kl",
        "gr",
        "pr",
        "max",
        "min",
    ]
)
_STOP = re.compile(r"(?:(?<!\w)(\w++)|(?<![\w.!?…]))([.!?…]++)(?=\s|\Z|[)\"»”])")
_HEX_DASH = re.compile(r"\b([A-Za-z]\d{1,2})\s*[-–—]\s*(?=[A-Za-z]\d{1,2}\b)")
_HEX_TAKES = re.compile(r"\b([A-Za-z]\d{1,2})\s?([x×])\s?(?=[A-Za-z]\d{1,2}\b)")
_DASH = re.compile(r"(?:(?<=\s)|\A)[-–—*•]+(?=\s)|—|–(?!\d)")
_BOUND = re.compile(r"\b([^\W\d_]{3,30}+)[-–](?=([^\W\d_]{3,30}+))")
_GLUED = re.compile(r"\b([^\W\d_]{3,30}+)(\d{1,2})\b")
_POLITE = re.compile(
    r"\b(?:could|can|would|will|may) (?:you|we|i\b.*\bplease)\b|\bplease\b|\bkindly\b"
    r"|\b(?:pour(?:riez|rais)|pouvez|peux)[ -](?:vous|tu)"
    r"|\bs.il (?:vous|te) plait|\bsvp\b|\bstp\b|\bpls\b|\bplz\b"
)
_TAGS = frozenset(("ok", "okay", "right", "alright", "accord", "please", "stp", "svp", "hm"))
"""Words at the end that ask for no more than assent: «…, ok?»."""
_LONGEST_SENTENCE = 300
_TELEGRAM = re.compile(r"\bSTOP\b")
_SPOKEN = (
    (re.compile(r"(?<=\w) (?:comma|virgule)(?= )", re.IGNORECASE), ","),
    (re.compile(r"(?<=\w) (?:full stop|semicolon|point virgule|point final)(?= |\Z)", re.IGNORECASE), " ;"),
    (re.compile(r"(?<=\w)(?<! un)(?<! 1) point(?=\s*\Z)", re.IGNORECASE), " ;"),
    (re.compile(r"(?<=[^\W\d_]{5}) (?:colon|deux points)(?= \w)", re.IGNORECASE), " :"),
)
_LABEL = re.compile(
    r"\b(?:action|article|art|step|[ée]tape|item|paragraphe?|ordre|order) (?:no |n[°º] ?)?\d{1,2}\s*[:.)–-](?=\s)",
    re.IGNORECASE,
)
_AND = re.compile(r"(?<=\w) n (?=\w)")
_NUMBERED = re.compile(r"\b(?:no|nr|n[°ºo])\.?\s?(?=\d)", re.IGNORECASE)
_ROMAN_STOP = re.compile(r"\b([IVX]+)\.(?= [Cc]orps)")
_PART = re.compile(
    r"(?:(?<=[\s,;:.!?])|\A)(?:\((\d{1,2}|[a-h]|[ivx]{1,4})\)|(\d{1,2}|[a-h])\)|(\d{1,2})\.)(?=\s)"
)
_ROMANS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_MOST_PARTS = 30


def prepared(text: str, named: Callable[[str], bool]) -> Tokens:
    """A text as tokens, a sign for the end of each sentence among them; `named` tells the words of the game."""
    text = text.replace(ASKED, "")
    text = _TELEGRAM.sub(" ; ", text)
    for spoken, sign in _SPOKEN:
        text = spoken.sub(sign, text)
    text = _AND.sub(" & ", text)
    text = _NUMBERED.sub("number ", text)
    text = _ROMAN_STOP.sub(r"\1", text)
    text = _LABEL.sub(" ; ", text)
    text = _parts(text)
    text = _HEX_DASH.sub(r"\1 > ", text)
    text = _HEX_TAKES.sub(r"\1 \2 ", text)
    text = _BOUND.sub(partial(_arrow, named), text)
    text = _GLUED.sub(partial(_apart, named), text)
    return _together(tokens(_STOP.sub(_stop, _DASH.sub(" , ", text))), named)


def _stop(match: re.Match[str]) -> str:
    word = match[1] or ""
    if match[2] == "." and (word.casefold() in _ABBREVIATED or (len(word) == 1 and word.isalpha())):
        return match[0].replace(".", " ")
    if (
        "?" in match[2]
        and word.casefold() not in _TAGS
        and not _POLITE.search(fold(match.string[: match.start()])[-_LONGEST_SENTENCE:])
    ):
        return f"{word} {ASKED} ; "
    return f"{word} ; "


def _parts(text: str) -> str:
    """The text with a sign for an end in place of the numbers of its parts, where they count up in order."""
    marks = [(found, next(filter(None, found.groups()))) for found in _PART.finditer(text)][:_MOST_PARTS]
    if not marks:
        return text
    for names in ([str(n) for n in range(1, 31)], list("abcdefgh"), list(_ROMANS[1:])):
        chosen: list[re.Match[str]] = []
        at = (
            0 if marks[0][1] == names[0] else 1
        )  # the first one may have been taken off with the line's own mark
        for n, name in enumerate(names[at:], at):
            after = chosen[-1].end() if chosen else 0
            here = [found for found, label in marks if label == name and found.start() >= after]
            following = names[n + 1] if n + 1 < len(names) else ""
            ends = [found.start() for found, label in marks if label == following]
            here = [one for one in here if not ends or one.start() < ends[-1]]
            if not here:
                break
            parted = [one for one in here if text[: one.start()].rstrip()[-1:] in ("", *".;,:!?)")]
            chosen.append((parted or here)[0])
        if len(chosen) + at >= 2:
            low, pieces = 0, []
            for one in chosen:
                pieces += [text[low : one.start()], " ; "]
                low = one.end()
            return "".join((*pieces, text[low:]))
    return text


def _arrow(named: Callable[[str], bool], match: re.Match[str]) -> str:
    left, right = fold(match[1]), fold(match[2])
    if named(left) and named(right) and not named(left + right):
        return f"{match[1]} > "
    return match[0]


def _apart(named: Callable[[str], bool], match: re.Match[str]) -> str:
    return match[0] if named(fold(match[0])) else f"{match[1]} {match[2]}"


def _together(line: Tokens, named: Callable[[str], bool]) -> Tokens:
    """Names of a letter and a number that somebody spoke, or typed with a space between them, made whole."""
    at = 0
    while at + 1 < len(line):
        letter, count = line.raws[at], at + 1
        if len(letter) == 1 and letter.isalpha() and (letter.isupper() or letter not in "aàyà"):
            value, end = spoken_number(line.norms, count)
            whole = f"{line.norms[at]}{value}"
            digit = line.norms[count].isdecimal()
            if end and named(whole) and (letter.isupper() or digit):
                line = line.replaced(at, end, (letter + str(value),))
                at += 1
                continue
        if is_word(line.norms[at]):
            value, end = spoken_number(line.norms, at)
            if end and end < len(line) and len(line.raws[end]) == 1 and line.raws[end].isalpha():
                whole = f"{value}{line.norms[end]}"
                if named(whole):
                    line = line.replaced(at, end + 1, (whole,))
        at += 1
    return line
