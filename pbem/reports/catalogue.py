"""The words of a game: a phrase for every event, question, problem and note, in English and French.

Phrases are Jinja2 one-liners in `templates/<language>/<book>.toml`, found by section and key; a long book goes on in
`<book>_….toml` beside it. A record's fields are the phrase's variables; `name('army')` turns an identifier into its
name in the reader's language, `names('zone')` a list of them into an enumeration, `phrase('cards')` a key into the
phrase of that section, `order` an order as data into its text, `problem(params)` a code into what was wrong;
`many('card')` counts; French names take `of` and `at` for de and à. A missing variable is an error, never
an empty space.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import msgspec
from jinja2 import Environment, StrictUndefined, Template

from pbem import paths
from pbem.kernel.agreement import Clause
from pbem.kernel.event import Event, Modifier
from pbem.kernel.order import LANGUAGES, Order, Vocabulary, from_data
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules

CORE = ("core", "orders", "life", "customs", "agreements", "forum", "calendar", "welcome")
_INSIDE, _OUTSIDE, _BEFORE = re.compile(r"«\s*"), re.compile(r"\s*»"), re.compile(r" ([;:!?])")
_CODE = re.compile(r"`([^`\n]*)`")
"""Words to be written as they stand: letters show them in quotes, for HTML knows no backticks."""
_ELIDES = re.compile(r"[aeiouyàâäéèêëîïôöùûüœ]\w*[^\W\d]", re.IGNORECASE)
_CORPS = re.compile(r"(?:[IVX]+ )?corps\b", re.IGNORECASE)
_GUARD = re.compile(r"(?:[IVX]+(?:re|e)? |\d+e )?(?:garde|milice|landwehr|res cav)\b", re.IGNORECASE)
_AND = {"en": "and", "fr": "et"}


class MissingPhrase(LookupError):
    """The catalogue has no such phrase."""


def enumeration(items: Sequence[str], lang: str) -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {_AND[lang]} {items[-1]}"


def french_spaces(text: str) -> str:
    """French typography: the space before ; : ! ? » and behind « never breaks a line."""
    text = _INSIDE.sub("«\u00a0", text)
    text = _OUTSIDE.sub("\u00a0»", text)
    return _BEFORE.sub("\u00a0\\1", text)


def sentence(text: str) -> str:
    """With a capital at its beginning; the name of a game, as war-1, stays as it is."""
    first = text.split(None, 1)[0] if text.strip() else ""
    return text if any(char.isdigit() for char in first) or "@" in first else text[:1].upper() + text[1:]


def many(count: object, noun: str, lang: str) -> str:
    """`1 step`, `2 steps`; in French none is singular too."""
    single = str(count) == "1" or (lang == "fr" and str(count) == "0")
    return f"{count} {noun}" if single else f"{count} {noun}s"


def of(name: str) -> str:
    """French `de` before a name: d'Ulm, du Caire, de Hanovre, du IX corps; a square such as E5 is no word."""
    if _CORPS.match(name):
        return f"du {name}"
    if _GUARD.match(name):
        return f"de la {name}"
    for article, joined in (("le ", "du "), ("les ", "des ")):
        if name.lower().startswith(article):
            return joined + name[len(article) :]
    return f"d'{name}" if _ELIDES.match(name) else f"de {name}"


def at(name: str) -> str:
    """French `à` before a name: à Ulm, au Caire."""
    for article, joined in (("le ", "au "), ("les ", "aux ")):
        if name.lower().startswith(article):
            return joined + name[len(article) :]
    return f"à {name}"


@cache
def _book(lang: str, name: str) -> Mapping[str, Mapping[str, Any]]:
    first = paths.game_phrases(name, lang)
    found: dict[str, dict[str, Any]] = {}
    for file in (first, *sorted(first.parent.glob(f"{first.stem}_*.toml"))):
        if file.is_file():
            for section, phrases in tomllib.loads(file.read_text("utf-8")).items():
                found.setdefault(section, {}).update(phrases)
    return found


def _environment(vocabulary: Vocabulary, lang: str) -> Environment:
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)

    def name(id: str, kind: str) -> str:
        return vocabulary.say(kind, id, lang)

    def names(ids: Iterable[str], kind: str) -> str:
        return enumeration([vocabulary.say(kind, id, lang) for id in ids], lang)

    def listed(items: Iterable[Any]) -> str:
        return enumeration([str(item) for item in items], lang)

    def signed(value: int) -> str:
        return f"{value:+d}".replace("-", "−")

    environment.filters.update(
        name=name, names=names, listed=listed, signed=signed, many=partial(many, lang=lang)
    )
    if lang == "fr":
        environment.filters.update(of=of, at=at)
    return environment


def fields(record: msgspec.Struct) -> dict[str, Any]:
    """A record's fields by name."""
    return {name: getattr(record, name) for name in record.__struct_fields__}


class Catalogue:
    """The phrases of one language, of the moderator (`core`) and, where given, of a game."""

    def __init__(self, lang: str, rules: Rules[Any] | None = None, forum: bool = False) -> None:
        self.lang = lang if lang in LANGUAGES else "en"
        self.forum = forum
        """Whether it speaks on a board: a phrase has another form there where its key has one with «_forum»."""
        self.rules = rules
        self.vocabulary = rules.vocabulary if rules else Vocabulary({})
        self._environment = _environment(self.vocabulary, self.lang)
        self._environment.filters["phrase"] = lambda key, section: self.phrase(section, key)
        self._environment.filters["order"] = self._order_of
        self._environment.filters["problem"] = self._problem_of
        self._environment.filters["clauses"] = self._clauses_of
        names = (rules.name, *CORE) if rules else CORE
        self._books = [_book(self.lang, name) for name in names]
        self._templates: dict[tuple[str, str], Template] = {}
        self._fixed: dict[tuple[str, str], str] = {}
        """Phrases without anything to fill in."""
        # Handing the globals over as they are spares each of a letter's dozens of phrases a merge of mappings.
        self._globals: dict[str, Any] = dict(self._environment.globals)

    def has(self, section: str, key: str) -> bool:
        """Whether there is such a phrase."""
        return any(key in book.get(section, {}) for book in self._books)

    def sources(self, section: str) -> dict[str, str]:
        """The phrases of a section as they are written, with their placeholders."""
        return {key: text for book in reversed(self._books) for key, text in book.get(section, {}).items()}

    def phrase(self, section: str, key: str, /, **context: Any) -> str:
        """The phrase, filled in. Raises MissingPhrase."""
        fixed = self._fixed.get((section, key))
        if fixed is not None:
            return fixed
        template = self._templates.get((section, key))
        if template is None:
            source = self._source(section, key)
            if source is None:
                raise MissingPhrase(f"{self.lang}: [{section}] {key}")
            if "{" not in source:
                self._fixed[section, key] = self._spaced(source)
                return self._fixed[section, key]
            template = self._templates[section, key] = self._environment.from_string(source)
        filled = template.new_context({**self._globals, **context}, shared=True)
        return self._spaced("".join(template.root_render_func(filled)))

    def _source(self, section: str, key: str) -> str | None:
        for wanted in (f"{key}_forum", key) if self.forum else (key,):
            for book in self._books:
                if wanted in book.get(section, {}):
                    source: str = book[section][wanted]
                    return source
        return None

    def _spaced(self, text: str) -> str:
        text = _CODE.sub("«\\1»", text.strip())
        return french_spaces(text) if self.lang == "fr" else text

    def event(self, event: Event, me: str = "") -> str:
        """What happened, as a sentence for seat `me`; whatever stands first in it, it begins with a capital."""
        return sentence(self.phrase("events", event.kind(), me=me, **fields(event)))

    def table(self, event: Event) -> tuple[tuple[str, ...], ...]:
        """An event as a table, its head first, for mail that can show one; nothing where it has none."""
        if not self.has("tables", event.kind()):
            return ()
        rows = self.phrase("tables", event.kind(), **fields(event)).split("\n")
        return tuple(tuple(cell.strip() for cell in row.split("|")) for row in rows if row.strip())

    def question(self, question: Question[Any], view: Any) -> str:
        """What is asked."""
        facts = question.facts(view)
        return self.phrase("questions", question.kind(), facts=facts, me=question.seat, **fields(question))

    def question_name(self, question: Question[Any]) -> str:
        """The short name of a question."""
        return self.vocabulary.say("question", question.kind(), self.lang)

    def modifier(self, modifier: Modifier) -> str:
        """The name of one reason for a figure."""
        if self.has("modifiers", modifier.name):
            return self.phrase("modifiers", modifier.name)
        return modifier.name

    def problem(self, problem: Problem) -> str:
        """What is wrong, which rule says so, and the nearest legal thing."""
        nearest = "; ".join(self.order(order) for order in problem.nearest)
        text = self.phrase("problems", problem.code, nearest=nearest, rule=problem.rule, **problem.params)
        text = sentence(text)
        if problem.rule and problem.rule not in text:
            text += " " + self.phrase("words", "rule_in_brackets", rule=problem.rule)
        if nearest and nearest not in text:
            text += " " + self.phrase("words", "nearest", nearest=nearest)
        return text

    def _order_of(self, data: Mapping[str, Any]) -> str:
        """The text of an order that an event carries as data."""
        return self.order(from_data(data, self.rules.orders if self.rules else ()))

    def _clauses_of(self, clauses: Iterable[Clause]) -> str:
        """Clauses: what the rules carry out in the reader's language, the rest as it was written."""
        return "; ".join(self.clause(one) for one in clauses)

    def clause(self, clause: Clause) -> str:
        """One clause of an agreement."""
        order = clause.decoded(self.rules.clauses) if self.rules else None
        return clause.text if order is None else self.order(order)

    def _problem_of(self, code: str, params: Mapping[str, Any]) -> str:
        """What was wrong, where an event carries a problem; without rule and nearest legal thing."""
        return self.phrase("problems", code, **{"nearest": "", "rule": "", **params})

    def order(self, order: Order) -> str:
        """An order's canonical text."""
        return order.text(self.vocabulary, self.lang)

    def command(self, name: str) -> str:
        """How a command is written: the word with which its line of help begins."""
        first = self.phrase("commands", name).split()[0] if self.has("commands", name) else name.upper()
        return first.strip(" ,:")

    def seat(self, seat: str) -> str:
        """The name of a seat."""
        return self.vocabulary.say("seat", seat, self.lang)


@cache
def catalogue(lang: str, rules: Rules[Any] | None = None, forum: bool = False) -> Catalogue:
    """The catalogue of a language and a game, by letter or on a board; compiled once."""
    return Catalogue(lang, rules, forum)
