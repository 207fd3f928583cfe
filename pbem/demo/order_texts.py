"""How a robot puts its orders on paper: as people do, now in words, now by number, now in the quoted form.

Whatever the style, the letter is read back with the moderator's own reader before it is sent; where the slips
of the pen change its meaning, the plain words are sent instead.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from pbem.demo.mailbox import Incoming, Reply, compose
from pbem.kernel.order import Answer, Order, Vocabulary
from pbem.kernel.question import Question
from pbem.letters.reading import read
from pbem.orders.reading import Reading, menu_numbers, read_answer

PLAIN, LOWER, SLIP, NUMBERS, FORM = "plain", "lower", "slip", "numbers", "form"
_STYLES = {PLAIN: 5, LOWER: 3, SLIP: 2, NUMBERS: 3, FORM: 3}
_BEGIN = re.compile(r"\[\[(?:orders|ordres) (\S+) (\S+)[^\]]*\]\]", re.IGNORECASE)
_END = re.compile(r"\[\[(?:end|fin)\]\]", re.IGNORECASE)
_LONG_WORD = re.compile(r"[a-zà-ÿ]{6,}", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouyà-ÿ]", re.IGNORECASE)
_CHECK = {"en": "CHECK", "fr": "VÉRIFIER"}
_STANDING = {"en": "STANDING", "fr": "CONSIGNES"}
_WHY = {"en": "WHY", "fr": "POURQUOI"}
_DAYS = {"en": "Mon Tue Wed Thu Fri Sat Sun", "fr": "lun. mar. mer. jeu. ven. sam. dim."}
_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
}


class Asked(msgspec.Struct, frozen=True):
    """A question, as its seat may see it, with the answer to be written."""

    question: Question[Any]
    view: Any
    answer: Answer


class Pen:
    """One player's way of writing."""

    def __init__(self, reply: Reply, vocabulary: Vocabulary) -> None:
        self._reply = reply
        self._vocabulary = vocabulary

    def letter(
        self,
        received: Incoming,
        asked: Sequence[Asked],
        at: datetime,
        rng: random.Random,
        extra: Sequence[str],
    ) -> bytes:
        """The reply that gives these answers; `extra` lines (commands) stand below the orders."""
        style = rng.choices(list(_STYLES), list(_STYLES.values()))[0]
        # Only a form says by itself which of several questions it answers.
        for tried in [FORM, PLAIN] if len(asked) > 1 else [style, PLAIN]:
            raw = self._written(received, asked, at, rng, tried, extra)
            if self._says(raw, asked, len(extra)):
                return raw
        return raw

    def trial(self, received: Incoming, asked: Sequence[Asked], at: datetime, rng: random.Random) -> bytes:
        """A reply that only asks whether the orders would stand."""
        return self._written(received, asked, at, rng, PLAIN, (), before=[_CHECK[self._reply.lang]])

    def blunder(self, received: Incoming, asked: Sequence[Asked], at: datetime) -> bytes | None:
        """A reply that cannot stand: an order given twice where it can be given once, or a mangled word."""
        if len(asked) > 1:
            return None
        item = asked[0]
        first, *rest = self._lines(item.answer)
        twice = (item.answer[0], *item.answer)[: item.question.count(item.view)[1]]
        if len(twice) > 1 and item.question.check(item.view, twice):
            return compose(self._reply, received, self._body(received, self._lines(twice)), at)
        mangled = _LONG_WORD.sub(lambda word: _VOWEL.sub("", word[0]), first, count=1)
        if not self._read(item, [mangled]).problems:
            return None
        return compose(self._reply, received, self._body(received, [mangled, *rest]), at)

    def why(self, number: str) -> list[str]:
        """The line that asks for the reasons behind a line of a report."""
        return [f"{_WHY[self._reply.lang]} {number}"]

    def standing(self, orders: Sequence[Order]) -> list[str]:
        """The lines that leave standing orders; nothing where there are none."""
        return ["", _STANDING[self._reply.lang], *self._lines(tuple(orders))] if orders else []

    def _written(
        self,
        received: Incoming,
        asked: Sequence[Asked],
        at: datetime,
        rng: random.Random,
        style: str,
        extra: Sequence[str],
        before: Sequence[str] = (),
    ) -> bytes:
        quoted = received.text
        lines: list[str] = []
        for item in asked:
            if style == FORM:
                quoted = fill_form(quoted, item.question.key, self._lines(item.answer))
            else:
                lines += self._styled(item, style, rng)
        body = self._body(received, [*before, *lines, *extra], quoted)
        return compose(self._reply, received, body, at)

    def _body(self, received: Incoming, lines: Sequence[str], quoted: str = "") -> str:
        below = "\n".join(f"> {line}".rstrip() for line in (quoted or received.text).splitlines())
        wrote = attribution(received, self._reply.lang)
        above = "\n".join(lines) + "\n\n" if lines else ""
        return f"{above}{wrote}\n{below}\n"

    def _lines(self, answer: Answer) -> list[str]:
        return [order.text(self._vocabulary, self._reply.lang) for order in answer]

    def _styled(self, item: Asked, style: str, rng: random.Random) -> list[str]:
        if style == NUMBERS:
            numbers = {order: n for n, order in menu_numbers(item.question.menu(item.view)).items()}
            if all(order in numbers for order in item.answer):
                return [" ".join(str(numbers[order]) for order in item.answer)]
        lines = self._lines(item.answer)
        if style == LOWER:
            return [bare(line) for line in lines]
        if style == SLIP:
            n = rng.randrange(len(lines))
            lines[n] = self._slip(item, n, lines[n], rng)
        return lines

    def _slip(self, item: Asked, n: int, line: str, rng: random.Random) -> str:
        """The line with one letter gone astray, where it can still be read."""
        words = list(_LONG_WORD.finditer(line))
        if not words:
            return line
        word = rng.choice(words)
        at = rng.randrange(word.start() + 1, word.end() - 2)
        slipped = line[:at] + line[at + 1] + line[at] + line[at + 2 :]
        return slipped if self._read(item, [slipped]).orders == item.answer[n : n + 1] else line

    def _read(self, item: Asked, lines: Sequence[str]) -> Reading:
        return read_answer(lines, item.question, item.view, self._vocabulary, lang=self._reply.lang)

    def _says(self, raw: bytes, asked: Sequence[Asked], extra: int) -> bool:
        """Whether the moderator would read the letter as it was meant."""
        letter = read(raw, own_address=self._reply.moderator)
        lines = letter.lines[: len(letter.lines) - extra]
        forms = {form.key: form.lines for form in letter.forms if form.edited}
        for item in asked:
            written = forms.get(item.question.key, lines if len(asked) == 1 else ())
            if self._read(item, written).orders != item.answer:
                return False
        return True


def rank_like(item: Asked) -> Order | None:
    """«And do it so from now on»: the game's own standing order that ranks the things asked about, if it has one.

    What the answer names comes first, what else could have been named after it.
    """
    for kind in item.question.standing:
        slots = [(name, slot) for name, slot in kind.slots.items() if slot.kind == "name" and slot.many]
        if len(kind.slots) != 1 or not slots:
            continue
        name, slot = slots[0]
        ranked: dict[str, None] = {}
        for order in (*item.answer, *item.question.menu(item.view)):
            field = next((f for f, s in order.slots.items() if s.vocabulary == slot.vocabulary), "")
            value = getattr(order, field) if field else ()
            ranked.update(dict.fromkeys(value if isinstance(value, tuple) else (value,)))
        standing = kind(**{name: tuple(ranked)})
        if len(ranked) > 1 and item.question.answer_by(item.view, standing) is not None:
            return standing
    return None


def bare(line: str) -> str:
    """In small letters and without accents, as it is typed on a telephone."""
    decomposed = unicodedata.normalize("NFD", line.lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def fill_form(text: str, key: str, lines: Sequence[str]) -> str:
    """The text with the form of a question filled in anew."""
    out: list[str] = []
    inside = False
    for line in text.splitlines():
        begin = _BEGIN.match(line.strip())
        if inside and not _END.match(line.strip()):
            continue
        inside = False
        out.append(line)
        if begin and begin[2] == key:
            out += [f"{n}: {order}" for n, order in enumerate(lines, 1)] if len(lines) > 1 else lines
            inside = True
    return "\n".join(out)


def attribution(received: Incoming, lang: str) -> str:
    """«On … wrote:», as mail programs put it above a quotation."""
    when = received.date
    day = _DAYS[lang].split()[when.weekday()]
    month = _MONTHS[lang].split()[when.month - 1]
    if lang == "fr":
        return f"Le {day} {when.day} {month} {when.year} à {when:%H:%M}, {received.sender} a écrit :"
    return f"On {day}, {when.day} {month} {when.year} at {when:%H:%M}, {received.sender} wrote:"
