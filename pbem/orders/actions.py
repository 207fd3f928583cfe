"""Order declarations compiled into actions with roles, for whoever writes in his own words.

The verbs come from the patterns and from the vocabulary; the roles are the slots, each with the words that may
introduce it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from pbem.kernel.order import LANGUAGES, Order, Slot, Vocabulary
from pbem.orders.lexicon import MISTYPED, Lexicon, lexicon
from pbem.orders.patterns import Hole, Word, ways
from pbem.orders.speech import FILLERS, MARKERS, NEGATIONS, NOUNS, REASONS, THEN, UNITS
from pbem.orders.verbs import forms
from pbem.orders.words import ARTICLES, fold, is_word, tokens

Phrase = tuple[str, ...]

_ROLE_OF = {
    "to": "to",
    "into": "to",
    "vers": "to",
    "from": "from",
    "depuis": "from",
    "with": "with",
    "avec": "with",
    "using": "with",
    "over": "via",
    "by": "via",
    "at": "at",
    "as": "as",
    "comme": "as",
    "for": "for",
    "pour": "for",
    "against": "against",
    "contre": "against",
    "in": "at",
    "on": "at",
}


VIA = frozenset(
    {("via",), ("through",), ("by", "way", "of"), ("en", "passant", "par"), ("passing", "through"), ("par",)}
)
"""What begins a way that ends elsewhere: «via Reims to Metz»."""


LEADS = "*"
"""Behind the name of a slot of the order that names who acts, where the led order has a slot of that name too."""


class Verb(NamedTuple):
    """One way to call an action: the words that have to come later, and the slot acted upon where not the usual."""

    tail: Phrase = ()
    upon: str = ""


class Role(NamedTuple):
    """A slot as a part of a sentence."""

    name: str
    slot: Slot
    names: Lexicon | None
    markers: frozenset[Phrase]
    """The phrases that may introduce it."""
    own: frozenset[Phrase]
    """Those of them that only this order has."""
    before: bool
    """Whether it may stand before the verb without any word that introduces it."""
    after: bool
    """Whether it may stand behind the verb so."""
    part: str
    required: bool
    lead: bool = False
    """Whether it belongs to the order that names who acts."""


class Action(NamedTuple):
    """An order kind as an action."""

    kind: type[Order]
    roles: tuple[Role, ...]
    lead: type[Order] | None
    extras: frozenset[str]
    """Words of its patterns that may be said or left out."""

    @property
    def who(self) -> Role | None:
        """The role of who acts, where it has one."""
        return next((role for role in self.roles if role.part == "who"), None)


_LIMITS = (("up", "to"), ("jusqu", "a"))
"""How a number begins that is a limit."""


class _Found:
    """What the patterns of a kind say about its verbs and slots."""

    def __init__(self) -> None:
        self.verbs: set[tuple[Phrase, str, Verb]] = set()
        self.markers: dict[str, set[Phrase]] = {}
        self.before: set[str] = set()
        self.after: set[str] = set()
        self.extras: set[str] = set()


def _patterns(kind: type[Order], vocabulary: Vocabulary) -> _Found:
    found = _Found()
    for lang in LANGUAGES:
        for text in kind.words.get(lang, ()):
            for parts in ways(kind, text, vocabulary):
                _pattern(parts, lang, found)
    return found


def _pattern(parts: Sequence[Word | Hole], lang: str, found: _Found) -> None:
    """A pattern taken apart: the first run of strong words is the verb, what stands before a slot introduces it."""
    head: list[str] = []
    tail: list[str] = []
    run: list[Word] = []
    seen_hole = False
    named = False
    for part in (*parts, None):
        if isinstance(part, Word):
            run.append(part)
            continue
        strong = [word.key for word in run if not word.weak]
        rest = [word.key for word in run]
        if strong and not head:
            first = next(n for n, word in enumerate(run) if not word.weak)
            last = max(n for n, word in enumerate(run) if not word.weak)
            while last > first and part is not None and tuple(rest[last:]) in _LIMITS:
                last -= 1
            head = rest[first : last + 1]
            rest = rest[last + 1 :]
            named = True
        elif part is None and strong:
            tail = strong
        if part is None:
            break
        found.markers.setdefault(part.name, set())
        if rest:
            found.markers[part.name].add(tuple(rest))
        else:
            (found.after if named else found.before).add(part.name)
        seen_hole = True
        run = []
    tail = [word for word in tail if (word,) not in UNITS]
    if head:
        found.verbs.add((tuple(head), lang, Verb(tuple(tail))))
    elif not seen_hole and tail:
        found.verbs.add((tuple(tail), lang, Verb()))


def _declared(kind: type[Order], found: _Found, vocabulary: Vocabulary) -> None:
    for lang, phrases in vocabulary.verbs.get(kind.kind(), {}).items():
        for one in phrases:
            phrase, _, upon = one.strip().partition(":")
            head, _, tail = phrase.partition(" ... ")
            norms = word_keys(head)
            if norms:
                found.verbs.add((norms, lang, Verb(word_keys(tail), upon)))


def _role(kind: type[Order], name: str, found: _Found, vocabulary: Vocabulary, lead: bool) -> Role:
    slot = kind.slots[name]
    own = found.markers.get(name, set())
    part = slot.role
    before, after = name in found.before, name in found.after
    if not part:
        classes = [_ROLE_OF[word] for phrase in own for word in phrase if word in _ROLE_OF]
        first = name == next(iter(kind.slots))
        part = "times" if slot.kind == "number" else classes[0] if classes else "what"
        part = "who" if before and first else part
    if part == "times" and _required(kind, name):
        own = own | MARKERS["number"]
    if part == "to" and slot.many:
        own = own | VIA
    markers = set(own) | set(MARKERS.get(part, ()))  # a part that is none of these has its own words only
    if part == "who":
        before = after = True
    elif part in ("what", "against", "times"):
        after = after or before or part != "what" or not own
        before = after and (before or not found.before)
    else:
        before = False
    if lead and part == "times":
        before = after = False
    names = lexicon(vocabulary, slot.vocabulary) if slot.kind == "name" else None
    required = _required(kind, name)
    special = frozenset(phrase for phrase in own if not any(phrase in some for some in MARKERS.values()))
    marks = frozenset(markers)
    return Role(name, slot, names, marks, special, before, after, part, required and not lead, lead)


def _required(kind: type[Order], name: str) -> bool:
    fields = kind.__struct_fields__
    return fields.index(name) < len(fields) - len(kind.__struct_defaults__)


def by_first(phrases: Iterable[Phrase]) -> dict[str, tuple[Phrase, ...]]:
    """Phrases by their first word, the longest first."""
    found: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0], []).append(phrase)
    return {word: tuple(sorted(some, key=lambda one: (-len(one), one))) for word, some in found.items()}


class Actions:
    """Some order kinds compiled as actions with a vocabulary."""

    def __init__(self, kinds: Sequence[type[Order]], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.actions: list[Action] = []
        self.verbs: dict[str, dict[Phrase, list[tuple[int, Verb]]]] = {}
        by_kind = {kind.kind(): kind for kind in kinds}
        markers: set[Phrase] = set()
        for kind in kinds:
            if kind.kind() not in vocabulary.verbs:
                continue
            found = _patterns(kind, vocabulary)
            _declared(kind, found, vocabulary)
            lead = by_kind.get(kind.led_by) if kind.led_by else None
            roles = [_role(kind, name, found, vocabulary, False) for name in kind.slots]
            if lead is not None:
                others = _patterns(lead, vocabulary)
                taken = {role.name for role in roles}
                extra = [_role(lead, name, others, vocabulary, True) for name in lead.slots]
                extra = [one._replace(name=one.name + LEADS) if one.name in taken else one for one in extra]
                extra[0] = extra[0]._replace(part="who", before=True, after=True)
                roles += extra
            if any(role.part == "who" for role in roles):
                roles = [role._replace(before=False) if role.part == "what" else role for role in roles]
            if any(role.part == "against" and role.after for role in roles):
                # «attack D6» names whom; who attacks stands before it, or behind «with».
                roles = [role._replace(after=False) if role.part == "who" else role for role in roles]
            index = len(self.actions)
            extras = frozenset(
                word for phrase, _, _ in found.verbs for word in phrase if word not in FUNCTION
            )
            self.actions.append(Action(kind, tuple(roles), lead, extras))
            for role in roles:
                markers |= role.markers
            for said, lang, verb in sorted(found.verbs):
                # «se porter» is conjugated in its second word; «se» itself says nothing.
                phrase = said[1:] if said[0] in ("se", "s") and len(said) > 1 else said
                for form in forms(phrase[0], lang):
                    self._add((form, *phrase[1:]), index, verb)
        self.markers = by_first(markers)
        self.heads = frozenset(word for word in self.verbs if len(word) >= 4 and word not in FUNCTION)
        beginning = [
            role
            for one in self.actions
            if one.kind.bare or one.lead is not None
            for role in one.roles
            if role.names is not None and (role.part == "who" or (one.who is None and role.required))
        ]
        self.first = tuple(dict.fromkeys(role.names for role in beginning if role.names is not None))
        """The names that may begin an order without any verb."""
        self.acting = tuple(dict.fromkeys(role.slot.vocabulary for role in beginning if role.part == "who"))
        """The kinds of names of whoever acts in them."""
        self.bare = tuple(n for n, action in enumerate(self.actions) if action.kind.bare)
        things = [kind for kind in vocabulary.kinds if kind not in ("kind", "order")]
        self._lexicons = [lexicon(vocabulary, kind) for kind in things]
        self._known: dict[str, bool] = {}
        self._near: dict[str, bool] = {}

    def _add(self, phrase: Phrase, index: int, verb: Verb) -> None:
        values = self.verbs.setdefault(phrase[0], {}).setdefault(phrase, [])
        if (index, verb) not in values:
            values.append((index, verb))

    def begins(self, norm: str, index: int) -> bool:
        """Whether a word begins a verb of an action."""
        return any(n == index for values in self.verbs.get(norm, {}).values() for n, _ in values)

    def function(self, norm: str) -> bool:
        """Whether a word is one of the language or of an action: never a name mistyped."""
        return norm in FUNCTION or norm in self.verbs

    def thing(self, norm: str) -> bool:
        """Whether a word is a name that one of the orders may hold."""
        return any(
            norm in role.names.exact for one in self.actions for role in one.roles if role.names is not None
        )

    def near_name(self, norm: str) -> bool:
        """Whether a word may be a name of anything, mistyped."""
        near = self._near.get(norm)
        if near is None:
            if len(self._near) > 5000:
                self._near.clear()
            near = any(found is not None for found in (names.find((norm,)) for names in self._lexicons))
            self._near[norm] = near
        return near

    def mistaken(self, norm: str) -> bool:
        """Whether a word may be a name that one of the orders may hold, mistyped."""
        found = (
            role.names.find((norm,)) for one in self.actions for role in one.roles if role.names is not None
        )
        return any(one is not None and one.cost >= MISTYPED for one in found)

    def named(self, norm: str) -> bool:
        """Whether a word is exactly a name of anything in the game."""
        known = self._known.get(norm)
        if known is None:
            if len(self._known) > 20_000:
                self._known.clear()
            known = self._known[norm] = any(norm in names.exact for names in self._lexicons)
        return known


FUNCTION = frozenset(
    word
    for phrases in (*MARKERS.values(), UNITS, THEN, FILLERS, NOUNS, REASONS, NEGATIONS)
    for phrase in phrases
    for word in phrase
)
"""All words that belong to the language and not to a game."""

_compiled: WeakKeyDictionary[Vocabulary, dict[tuple[type[Order], ...], Actions]] = WeakKeyDictionary()


def actions(kinds: Sequence[type[Order]], vocabulary: Vocabulary) -> Actions:
    """Those order kinds, compiled once for each vocabulary."""
    known = _compiled.get(vocabulary)
    if known is None:
        known = _compiled[vocabulary] = {}
    key = tuple(kinds)
    found = known.get(key)
    if found is None:
        found = known[key] = Actions(key, vocabulary)
    return found


Called = Mapping[str, Mapping[str, tuple[str, ...]]]
"""What a seat may call things by what it sees: by kind and name, the things; under `where:` + kind, places that tell
them apart («on the left»)."""


def word_keys(text: str) -> Phrase:
    """The words of a name, folded, without articles."""
    return tuple(norm for norm in tokens(fold(text)).norms if is_word(norm) and norm not in ARTICLES)
