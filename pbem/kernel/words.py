"""The words of a game, read from `scenarios/<game>/words.toml` and checked: names of things, and verbs of orders.

[verbs.move]                      what an order is called, by language
en = ["march", "leave:start"]
[names.terrain]                   things by kind: their names in each language, and others that are understood
hill = ["hill", "colline", "heights"]
[also.army]                       other names of things that are named elsewhere
napoleon = ["the Emperor", "l'Empereur"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import cache

import msgspec

from pbem import paths
from pbem.kernel.order import LANGUAGES, Order, Word


class BadWords(ValueError):
    """A words file that cannot be used; the message names file and key."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a words file says."""

    verbs: dict[str, dict[str, tuple[str, ...]]] = {}
    names: dict[str, dict[str, tuple[str, ...]]] = {}
    also: dict[str, dict[str, tuple[str, ...]]] = {}

    def kind(self, kind: str) -> list[Word]:
        """The things of a kind, in the order of the file."""
        return [Word(id, some[0], some[1], some[2:]) for id, some in self.names[kind].items()]

    def pairs(self, kind: str) -> dict[str, tuple[str, str]]:
        """The names of a kind in both languages, by identifier."""
        return {id: (some[0], some[1]) for id, some in self.names[kind].items()}

    def others(self, kind: str, id: str) -> tuple[str, ...]:
        """The other names of a thing."""
        return self.also.get(kind, {}).get(id, ())

    def known(self, kind: str, ids: Collection[str], file: str = "words.toml") -> None:
        """Raise `BadWords` where the file names something of a kind that does not exist."""
        for id in self.also.get(kind, {}):
            if id not in ids:
                raise BadWords(f"{file} [also.{kind}] {id}: there is no such thing")


@cache
def load(game: str) -> Words:
    """The words of a game. Raises `BadWords` with the file and the key."""
    file = f"scenarios/{game}/words.toml"
    try:
        text = (paths.game_data(game) / "words.toml").read_text("utf-8")
    except OSError as error:
        raise BadWords(f"{file}: {error}") from None
    return read(text, file)


def read(text: str, file: str = "words.toml") -> Words:
    """The words of a file's text. Raises `BadWords` with the file and the key."""
    try:
        words = msgspec.convert(tomllib.loads(text), Words)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadWords(f"{file}: {error}") from None
    for kind, verbs in words.verbs.items():
        for lang in verbs:
            if lang not in LANGUAGES:
                raise BadWords(f"{file} [verbs.{kind}] {lang}: no such language")
    for kind, names in words.names.items():
        for id, some in names.items():
            if len(some) < len(LANGUAGES):
                raise BadWords(f"{file} [names.{kind}] {id}: a name in each language is needed")
        _distinct(f"{file} [names.{kind}]", {id: some[2:] for id, some in names.items()})
    for kind, names in words.also.items():
        _distinct(f"{file} [also.{kind}]", names, shared=kind in _SHARED)
    return words


_SHARED = ("unit",)
"""Kinds whose things may bear one name on both sides, each side meaning its own."""


def _distinct(where: str, names: Mapping[str, tuple[str, ...]], *, shared: bool = False) -> None:
    """Raise where two things of a kind have one other name."""
    taken: dict[str, str] = {}
    for id, some in names.items():
        for name in dict.fromkeys(one.casefold() for one in some):
            if not name.strip():
                raise BadWords(f"{where} {id}: an empty name")
            if taken.setdefault(name, id) != id and not shared:
                raise BadWords(f"{where} {id}: «{name}» is {taken[name]} already")


def fitting(words: Words, orders: Collection[type[Order]], file: str = "words.toml") -> None:
    """Raise `BadWords` where verbs are given for an order or a slot that does not exist."""
    kinds = {order.kind(): order for order in orders}
    for kind, verbs in words.verbs.items():
        if kind not in kinds:
            raise BadWords(f"{file} [verbs.{kind}]: there is no such order")
        for lang, phrases in verbs.items():
            for phrase in phrases:
                slot = phrase.partition(":")[2]
                if slot and slot not in kinds[kind].slots:
                    raise BadWords(f"{file} [verbs.{kind}] {lang}: {phrase}: there is no such slot")
