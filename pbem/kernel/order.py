"""Orders: what a player can write, declared once for parser, canonical text, help and form.

An order kind is a frozen record with its words in each language:

    class Move(Order):
        army: str
        to: str
        words = {"en": ("move {army} to {to}",), "fr": ("déplacer {army} vers {to}",)}
        slots = {"army": Name("army"), "to": Name("zone")}

The first pattern of a language is its canonical text; `[…]` in a pattern may be left out, and is left out
of the canonical text when its slot is empty.

For whoever writes in his own words an order is an action with roles:

        bare = True

Its verbs (nouns and phrases too) stand in the game's `words.toml` beside its names, and are understood in all their
forms, besides those of the patterns; `bare` says that the verb may be left out («Yorck to Wachau»). The slots are
the roles; the words before them in the patterns, and others of the same sense, introduce them, in any order that the
language allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import ClassVar, TypeVar, Union, cast

import msgspec

Seat = str
LANGUAGES = ("en", "fr")
_ELIDED = re.compile(r"\bde (?=[aeiouyàâéèêëîïôöùûüœ])(?![ivx]+\b)", re.IGNORECASE)
"""French `de` before a vowel, but not before a Roman numeral."""
Fact = int | str | bool


def snake(name: str) -> str:
    """The tag of a record class: `ArmyPlayed` is `army_played`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name.rsplit(".", 1)[-1]).lower()


class Slot(msgspec.Struct, frozen=True):
    """What may stand in a pattern's braces: a name of `vocabulary`, a number, or nested orders."""

    kind: str
    vocabulary: str = ""
    many: bool = False
    low: int = 0
    high: int = 0
    own: bool = False
    """Whether only a thing of the writer's own can be meant: a name that others bear too means his."""
    foe: bool = False
    """Whether only a thing that is not the writer's own can be meant."""
    role: str = ""
    """Its part in a sentence (`ROLES`); where it is not said, it follows from the word before it in the patterns."""


ROLES = ("who", "what", "to", "from", "at", "via", "with", "against", "as", "for", "times", "only")
"""What a slot can be in a sentence: who acts, upon what, where to, where from, where, by which way, with what…;
`only`: nothing but what its own words introduce."""


def Name(vocabulary: str, *, own: bool = False, foe: bool = False, role: str = "") -> Slot:
    """One name of that vocabulary."""
    return Slot("name", vocabulary, own=own, foe=foe, role=role)


def Names(vocabulary: str, *, own: bool = False, foe: bool = False, role: str = "") -> Slot:
    """One or more names of that vocabulary, separated by commas, `and`, `et` or `>`."""
    return Slot("name", vocabulary, many=True, own=own, foe=foe, role=role)


def Number(low: int, high: int, *, role: str = "") -> Slot:
    """A whole number between the two."""
    return Slot("number", low=low, high=high, role=role)


class Word(msgspec.Struct, frozen=True):
    """How a thing is called: its identifier, its name in each language, and other names that are understood."""

    id: str
    en: str
    fr: str
    also: tuple[str, ...] = ()

    def name(self, lang: str) -> str:
        """The name in that language."""
        return self.fr if lang == "fr" else self.en


class Vocabulary:
    """The names of a game, by kind: army, zone, card, fact, question…"""

    def __init__(
        self,
        kinds: Mapping[str, Iterable[Word]],
        verbs: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
        compared: Sequence[str] = ("value",),
    ) -> None:
        self.verbs = verbs or {}
        """What actions are called, by order kind and language; `quit:start` acts upon the slot `start`."""
        self.kinds: dict[str, dict[str, Word]] = {
            kind: {word.id: word for word in words} for kind, words in kinds.items()
        }
        others = (
            kind for kind in self.kinds if kind not in (*compared, "condition", "fact", "question", "kind")
        )
        self.compared = [*(kind for kind in compared if kind in self.kinds), *others]
        """The kinds of names that a fact is compared with, in the order in which they are tried."""

    def say(self, kind: str, id: str, lang: str) -> str:
        """The name of a thing; the identifier itself where it has no name."""
        word = self.kinds.get(kind, {}).get(id)
        return word.name(lang) if word else id

    def words(self, kind: str) -> Iterable[Word]:
        """All words of a kind."""
        return self.kinds.get(kind, {}).values()


class Order(msgspec.Struct, frozen=True, tag_field="order", tag=snake, omit_defaults=True):
    """Something a player can write. Subclasses declare `words` and `slots`."""

    words: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    slots: ClassVar[Mapping[str, Slot]] = {}
    example: ClassVar[Mapping[str, str]] = {}
    bare: ClassVar[bool] = False
    """Whether it may be said without any verb."""
    opens: ClassVar[bool] = False
    """Whether it comes first in an answer, wherever somebody says it in his own words."""
    led_by: ClassVar[str] = ""
    """The kind of order that names who acts, where this one does not itself: «Mack marches» is two orders."""
    about: ClassVar[tuple[str, ...]] = ()
    """The fields that tell what a standing order is about; a new one replaces the old one about the same thing."""

    @classmethod
    def kind(cls) -> str:
        """The name of this order kind."""
        return snake(cls.__name__)

    def subject(self) -> tuple[object, ...]:
        """What a standing order is about: its kind, and the force, card or power that it names."""
        return (self.kind(), *(getattr(self, name) for name in self.about))

    def text(self, vocabulary: Vocabulary, lang: str = "en") -> str:
        """The canonical text."""
        pattern = self.words.get(lang, self.words["en"])[0]
        values = self.__struct_defaults__
        unsaid = dict(zip(self.__struct_fields__[-len(values) :], values, strict=True)) if values else {}

        def fill(part: str) -> str:
            return re.sub(r"\{(\w+)\}", lambda match: self._slot_text(match[1], vocabulary, lang), part)

        def optional(match: re.Match[str]) -> str:
            names = re.findall(r"\{(\w+)\}", match[1])
            empty = any(getattr(self, name) in ("", (), None, 0, unsaid.get(name)) for name in names)
            return "" if empty or not names else fill(match[1])

        text = " ".join(fill(re.sub(r"\[([^\]]*)\]", optional, pattern)).split())
        return _ELIDED.sub("d'", text) if lang == "fr" else text

    def _slot_text(self, name: str, vocabulary: Vocabulary, lang: str) -> str:
        slot, value = self.slots[name], getattr(self, name)
        if slot.kind == "number":
            return str(value)
        if slot.many:
            return ", ".join(vocabulary.say(slot.vocabulary, item, lang) for item in value)
        return vocabulary.say(slot.vocabulary, value, lang)


Answer = tuple[Order, ...]

_JOIN = {"en": {"and": "and", "or": "or"}, "fr": {"and": "et", "or": "ou"}}


class Test(msgspec.Struct, frozen=True):
    """One comparison of a fact with a value."""

    __test__: ClassVar[bool] = False

    fact: str
    op: str
    value: int | str

    def holds(self, facts: Mapping[str, Fact]) -> bool:
        """Whether it is so; a fact that is not known is never so."""
        have = facts.get(self.fact)
        if have is None:
            return False
        if isinstance(have, bool):
            have = "yes" if have else "no"
        if self.op in ("=", "!="):
            same = str(have) == str(self.value)
            return same if self.op == "=" else not same
        if not isinstance(have, int) or not isinstance(self.value, int):
            return False
        return {
            "<": have < self.value,
            "<=": have <= self.value,
            ">": have > self.value,
            ">=": have >= self.value,
        }[self.op]

    def text(self, vocabulary: Vocabulary, lang: str) -> str:
        """The comparison as it is written."""
        value = str(self.value)
        if lang == "fr":
            value = {"yes": "oui", "no": "non"}.get(value, value)
        for kind in vocabulary.compared:
            if self.value in vocabulary.kinds[kind]:
                value = vocabulary.say(kind, str(self.value), lang)
                break
        return f"{vocabulary.say('fact', self.fact, lang)} {self.op} {value}"


class Condition(msgspec.Struct, frozen=True):
    """Comparisons joined by `and` or by `or`; none at all always holds."""

    tests: tuple[Test, ...] = ()
    join: str = "and"

    def holds(self, facts: Mapping[str, Fact]) -> bool:
        """Whether it is so."""
        results = [test.holds(facts) for test in self.tests]
        return any(results) if self.join == "or" and results else all(results)

    def text(self, vocabulary: Vocabulary, lang: str) -> str:
        """The condition as it is written."""
        word = _JOIN.get(lang, _JOIN["en"])[self.join]
        return f" {word} ".join(test.text(vocabulary, lang) for test in self.tests)


def _lines(orders: Sequence[Order], vocabulary: Vocabulary, lang: str) -> str:
    texts = (order.text(vocabulary, lang) for order in orders)
    # An IF takes all that follows it, so that one inside another needs its end shown.
    return "; ".join(
        f"({text})" if isinstance(order, If) else text for order, text in zip(orders, texts, strict=True)
    )


class If(Order, frozen=True):
    """`if drawn = hill then … else …`: a step of a plan, decided when its turn comes."""

    condition: Condition
    then: tuple[Order, ...]
    otherwise: tuple[Order, ...] = ()

    def chosen(self, facts: Mapping[str, Fact]) -> tuple[Order, ...]:
        """The branch that applies."""
        return self.then if self.condition.holds(facts) else self.otherwise

    def text(self, vocabulary: Vocabulary, lang: str = "en") -> str:
        """The canonical text."""
        words = ("si", "alors", "sinon") if lang == "fr" else ("if", "then", "else")
        condition = self.condition.text(vocabulary, lang)
        text = f"{words[0]} {condition} {words[1]} {_lines(self.then, vocabulary, lang)}"
        return text + (f" {words[2]} {_lines(self.otherwise, vocabulary, lang)}" if self.otherwise else "")


class When(Order, frozen=True):
    """A standing order: `when reveal if time >= 17 then reveal Wachau else …`."""

    question: str
    condition: Condition = Condition()
    then: tuple[Order, ...] = ()
    otherwise: tuple[Order, ...] = ()

    def text(self, vocabulary: Vocabulary, lang: str = "en") -> str:
        """The canonical text."""
        when, if_, then, else_ = (
            ("quand", "si", "alors", "sinon") if lang == "fr" else ("when", "if", "then", "else")
        )
        text = f"{when} {vocabulary.say('question', self.question, lang)}"
        if self.condition.tests:
            text += f" {if_} {self.condition.text(vocabulary, lang)}"
        text += f" {then} {_lines(self.then, vocabulary, lang)}"
        return text + (f" {else_} {_lines(self.otherwise, vocabulary, lang)}" if self.otherwise else "")


class AskMe(Order, frozen=True):
    """A standing order that keeps a question for its player: `ask me reveal if …`."""

    question: str
    condition: Condition = Condition()

    def text(self, vocabulary: Vocabulary, lang: str = "en") -> str:
        """The canonical text."""
        text = f"{'demander' if lang == 'fr' else 'ask me'} {vocabulary.say('question', self.question, lang)}"
        if self.condition.tests:
            text += f" {'si' if lang == 'fr' else 'if'} {self.condition.text(vocabulary, lang)}"
        return text


NESTED: tuple[type[Order], ...] = (If, When, AskMe)

_KERNEL: dict[str, type[Order]] = {}
Kind = TypeVar("Kind", bound=Order)


def of_the_kernel(kind: type[Kind]) -> type[Kind]:
    """An order kind that every game knows without declaring it."""
    _KERNEL[kind.kind()] = kind
    return kind


@cache
def _union(kinds: tuple[type[Order], ...]) -> type[Order]:
    return cast(type[Order], Union[kinds]) if len(kinds) > 1 else kinds[0]  # noqa: UP007  built at run time


@cache
def _tags(kinds: tuple[type[Order], ...]) -> frozenset[str]:
    """What a game calls its own kinds: «withdraw» of an army is no agreement's."""
    return frozenset(kind.kind() for kind in kinds)


def to_data(order: Order) -> dict[str, object]:
    """The order as plain data."""
    return cast(dict[str, object], msgspec.to_builtins(order))


def from_data(data: Mapping[str, object], kinds: tuple[type[Order], ...]) -> Order:
    """The order that `to_data` wrote. Raises msgspec.ValidationError where it is none of `kinds`."""
    tag = data.get("order")
    if tag in _KERNEL and tag not in _tags(kinds):
        return msgspec.convert(data, _KERNEL[tag])
    if tag not in ("if", "when", "ask_me"):
        return msgspec.convert(data, _union(kinds))
    condition = msgspec.convert(data.get("condition", {}), Condition)
    then = tuple(from_data(item, kinds) for item in _branch(data, "then"))
    otherwise = tuple(from_data(item, kinds) for item in _branch(data, "otherwise"))
    if tag == "if":
        return If(condition, then, otherwise)
    question = msgspec.convert(data.get("question"), str)
    return AskMe(question, condition) if tag == "ask_me" else When(question, condition, then, otherwise)


def _branch(data: Mapping[str, object], name: str) -> list[dict[str, object]]:
    return msgspec.convert(data.get(name, ()), list[dict[str, object]])


def answer_to_data(answer: Answer) -> list[dict[str, object]]:
    """An answer as plain data."""
    return [to_data(order) for order in answer]


def answer_from_data(data: Iterable[Mapping[str, object]], kinds: tuple[type[Order], ...]) -> Answer:
    """The answer that `answer_to_data` wrote."""
    return tuple(from_data(item, kinds) for item in data)
