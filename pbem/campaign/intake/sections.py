"""Section heads: «RUSSIA:» or «at Ulm:» above some lines says which of several open questions they answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pbem.kernel.order import LANGUAGES, Vocabulary
from pbem.kernel.question import Question
from pbem.orders.words import fold

_HEAD = re.compile(r"\s*([^:;]{1,80}):\s*(.*)\Z", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")
_ENGLISH = ("for", "at", "in", "of", "the", "my", "orders", "power", "and")
_FRENCH = (
    "pour",
    "a",
    "au",
    "aux",
    "en",
    "de",
    "du",
    "des",
    "d",
    "la",
    "le",
    "les",
    "l",
    "mes",
    "ordres",
    "et",
)
_FILLERS = frozenset((*_ENGLISH, *_FRENCH))


class Placed(NamedTuple):
    """A line, the questions that it may answer, and whether a head above it said so."""

    text: str
    among: tuple[Question[Any], ...]
    headed: bool


class Heads:
    """The heads that open questions can have."""

    def __init__(
        self,
        questions: Sequence[Question[Any]],
        vocabulary: Vocabulary,
        known: Sequence[type[Question[Any]]] = (),
    ) -> None:
        """`known` are all kinds of questions of the game: what they are about is a head too, though not asked now."""
        self.questions = tuple(questions)
        kinds = {kind for question in questions for kind in question.about.values()}
        kinds |= {kind for question in known for kind in question.about.values()}
        self._names: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for kind in (*sorted(kinds), "question") if kinds else ():
            for word in vocabulary.words(kind):
                for name in {word.en, word.fr, *word.also}:
                    self._names.setdefault(_words(name), []).append((kind, word.id))

    def read(self, line: str) -> tuple[tuple[Question[Any], ...], str] | None:
        """The questions that a head means, perhaps none, and what stands behind it; None where it is no head."""
        match = _HEAD.match(line) if self._names else None
        if match is None:
            return None
        subjects = self._subjects(_words(match[1]))
        if not subjects:
            return None
        meant = tuple(
            question
            for question in self.questions
            if all(
                any(one in (*question.subjects(), ("question", question.kind())) for one in named)
                for named in subjects
            )
        )
        return meant, match[2].strip()

    def place(self, lines: Sequence[str]) -> Iterator[Placed]:
        """Each line with the questions that it may answer; heads themselves are left out."""
        among, headed = self.questions, False
        for line in lines:
            head = self.read(line)
            if head is None:
                yield Placed(line, among, headed)
                continue
            among, headed = head[0], True
            if head[1]:
                yield Placed(head[1], among, True)
            elif not among:
                yield Placed(line, (), True)

    def _subjects(self, words: tuple[str, ...]) -> list[list[tuple[str, str]]]:
        """What the words name, one name after the other; nothing where anything else is among them."""
        found: list[list[tuple[str, str]]] = []
        at = 0
        while at < len(words):
            for end in range(len(words), at, -1):
                if words[at:end] in self._names:
                    found.append(self._names[words[at:end]])
                    at = end
                    break
            else:
                if words[at] not in _FILLERS:
                    return []
                at += 1
        return found


def head_of(question: Question[Any], vocabulary: Vocabulary, lang: str) -> str:
    """The head that a player can write above his lines for a question."""
    if lang not in LANGUAGES:
        lang = "en"
    names = [vocabulary.say(kind, id, lang) for kind, id in question.subjects()]
    return f"{', '.join(names).upper()}:" if names else ""


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(fold(text)))
