"""Draws: the only sources of chance a game has.

A draw is named by what it is for (its label), never by a running number, so that its value does not depend
on the order in which things happen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

LABEL = re.compile(r"[a-z0-9_./-]+\Z")


class Draw(msgspec.Struct, frozen=True, omit_defaults=True):
    """A draw as it happened."""

    label: str
    kind: str
    rule: str
    secret: bool = False
    sides: int = 0
    values: tuple[int, ...] = ()
    before: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    seat: str = ""


class Chance(Protocol):
    """Whatever rolls dice and shuffles cards."""

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """The values of `dice` dice of `sides` sides."""

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """The items in a new order, top first."""

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Note that a card of a secret deck has been shown."""


class UnknownDraw(LookupError):
    """A replay asked for a draw that is not on record."""


class LabelUsed(ValueError):
    """A label names one draw only; it was asked for again with other contents."""


class Recorded:
    """Draws already on record, by label; what is not on record comes from `beyond`, if there is one."""

    def __init__(self, draws: Iterable[Draw] = (), beyond: Chance | None = None) -> None:
        self.draws: dict[str, Draw] = {draw.label: draw for draw in draws}
        self.beyond = beyond
        self.asked: list[str] = []

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """The recorded dice of that label."""
        self.asked.append(label)
        draw = self.draws.get(label)
        if draw is None:
            if self.beyond is None:
                raise UnknownDraw(label)
            values = self.beyond.roll(label, dice, sides, rule=rule, seat=seat, secret=secret)
            self.draws[label] = Draw(label, "roll", rule, secret, sides, tuple(values), seat=seat)
            return values
        if draw.kind != "roll" or draw.sides != sides or len(draw.values) != dice:
            raise LabelUsed(label)
        return draw.values

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """The recorded order of that label."""
        self.asked.append(label)
        draw = self.draws.get(label)
        if draw is None:
            if self.beyond is None:
                raise UnknownDraw(label)
            order = self.beyond.shuffle(label, items, rule=rule, secret=secret)
            self.draws[label] = Draw(label, "shuffle", rule, secret, before=tuple(items), items=tuple(order))
            return order
        if draw.kind != "shuffle" or draw.before != tuple(items):
            raise LabelUsed(label)
        return draw.items

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Deals are on record with the letters that showed them; only new ones are passed on."""
        if self.beyond is not None:
            self.beyond.deal(label, position, to=to)


class Given:
    """Draws whose values are given, for rule cases; a label that is not given comes from `beyond`."""

    def __init__(
        self,
        rolls: Mapping[str, Sequence[int]],
        decks: Mapping[str, Sequence[str]],
        beyond: Chance | None = None,
    ) -> None:
        self.rolls = rolls
        self.decks = decks
        self.beyond = beyond

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """The given dice."""
        if label in self.rolls:
            values = tuple(self.rolls[label])
            if len(values) != dice or not all(1 <= value <= sides for value in values):
                raise ValueError(f"{label}: {dice} dice of {sides} sides needed, {values} given")
            return values
        if self.beyond is None:
            raise UnknownDraw(label)
        return self.beyond.roll(label, dice, sides, rule=rule, seat=seat, secret=secret)

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """The given cards first, the others behind them as they were."""
        if label in self.decks:
            first = list(self.decks[label])
            rest = list(items)
            for card in first:
                rest.remove(card)
            return (*first, *rest)
        if self.beyond is None:
            return tuple(items)
        return self.beyond.shuffle(label, items, rule=rule, secret=secret)

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Given decks need no proof."""
