"""The corpus of letters: each read in a position of its game, and told how it was understood."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import Order
from pbem.kernel.question import Question
from pbem.orders.parser import parse_orders
from pbem.orders.reading import Reading, read_answer

FOLDER = Path(__file__).parent
DECISION = {"leipzig": "actions", "ccn": "turn", "nce": "act"}
UNDERSTOOD, ASKED, REFUSED, MISREAD = "understood", "asked", "refused", "misread"


class Entry(msgspec.Struct, frozen=True):
    """A letter, and what it means."""

    game: str
    seat: str
    half: str
    by: str
    say: str
    orders: str


@cache
def corpus() -> tuple[Entry, ...]:
    """All letters."""
    found = []
    for file in sorted(FOLDER.glob("*.toml")):
        data = tomllib.loads(file.read_text("utf-8"))
        for one in data["letter"]:
            found.append(
                Entry(data["game"], data["seat"], data["half"], one["by"], one["say"], one["orders"])
            )
    return tuple(found)


@cache
def position(name: str) -> tuple[Game[Any], Question, Any]:
    """The first great decision of a game."""
    rules = games.load(name)
    options = {option.name: option.values[0] for option in rules.options}
    game = Game.start(rules, next(iter(rules.scenarios)), options, Recorded(beyond=Seeded(1)))
    while True:
        question = next(one for key, one in game.questions.items() if not game.answered(key))
        view = game.view(question.seat)
        if question.kind() == DECISION[name]:
            return game, question, view
        game.give(Given(question.key, question.seat, question.default(view), LETTER))


def read(name: str, text: str) -> Reading:
    """A text as the answer to that decision."""
    game, question, view = position(name)
    rules = game.rules
    return read_answer(
        text.split("\n"),
        question,
        view,
        rules.vocabulary,
        others=rules.orders,
        own=rules.owned(view, question.seat),
        called=rules.seen(view, question.seat),
    )


def meant(entry: Entry) -> tuple[Order, ...]:
    """The orders that the letter means."""
    game, question, _ = position(entry.game)
    if not entry.orders:
        return ()
    vocabulary = game.rules.vocabulary
    own = game.rules.owned(game.view(question.seat), question.seat)
    parsed = parse_orders(entry.orders, question.orders, vocabulary, plans=True, own=own)
    assert not parsed.problems, (entry, parsed.problems)
    return parsed.orders


def judge(entry: Entry) -> tuple[str, Reading]:
    """How the letter was understood."""
    reading, right = read(entry.game, entry.say), spread(meant(entry))
    if not reading.problems:
        if spread(reading.orders) == right:
            return UNDERSTOOD, reading
        return (REFUSED if forbidden(entry.game, reading.orders) else MISREAD), reading
    for way in ways(reading):
        if spread(way) == right:
            return ASKED, reading
    return REFUSED, reading


def spread(orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """Orders, «twice the same» written as two: it is the same."""
    found: list[Order] = []
    for order in orders:
        times = getattr(order, "times", 0) if "times" in order.slots and len(order.slots) == 1 else 0
        found += [msgspec.structs.replace(order, times=0)] * times if times else [order]
    return tuple(found)


def forbidden(name: str, orders: tuple[Order, ...]) -> bool:
    """Whether nothing would be done: the rules do not allow the orders, and the answer would say so."""
    _, question, view = position(name)
    return bool(question.check(view, orders))


def ways(reading: Reading) -> list[tuple[Order, ...]]:
    """The readings of the whole letter that are shown to choose from."""
    found: list[tuple[Order, ...]] = [()]
    for line in reading.lines:
        parts = line.choices or ((line.orders,) if not line.problems else ())
        found = [(*one, *part) for one in found for part in parts][:20]
    return found
