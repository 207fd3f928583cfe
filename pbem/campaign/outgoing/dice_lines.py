"""The dice behind the lines of a report: each line that dice decided, with its rolls as a person wants to see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

from pbem.dice.draw.croupier import Croupier, Drawn
from pbem.dice.show import readable
from pbem.dice.show.readable import Explained
from pbem.kernel.chance import Chance, Draw, Recorded
from pbem.kernel.event import Event, Modifier, Told
from pbem.kernel.game import Game
from pbem.reports.catalogue import Catalogue
from pbem.reports.report import Throw


def throws(
    words: Catalogue, game: Game[Any], told: Iterable[Told], seat: str | None, name: str
) -> tuple[Throw, ...]:
    """The open draws behind the events that a seat may know; `name` is the game's."""
    chance = game.table.chance
    found = []
    for item in told:
        if not item.event.draws or not item.known_to(seat):
            continue
        drawn = open_draws(chance, item.event.draws)
        if drawn:
            found.append(throw(words, item, seat, drawn, name))
    return tuple(found)


def throw(words: Catalogue, told: Told, seat: str | None, drawn: Sequence[Draw], name: str) -> Throw:
    """One line of a report with its draws."""
    reasons = explained(words, told.event, [draw.label for draw in drawn])
    file = f"{name}-log.jsonl"
    rolls = [
        readable.shown(
            draw,
            draw.step if isinstance(draw, Drawn) else 0,
            lang=words.lang,
            seat=words.seat,
            explained=reasons.get(draw.label, Explained()),
            file=file,
        )
        for draw in drawn
    ]
    return Throw(told.n, words.event(told.event, seat or ""), tuple(readable.text(rolls, lang=words.lang)))


def open_draws(chance: Chance, labels: Iterable[str]) -> list[Draw]:
    """The draws of these labels that everyone may see; those that are not on record any more are left out."""
    found: list[Draw] = []
    for label in labels:
        draw: Draw | None = None
        if isinstance(chance, Croupier):
            draw = chance.drawn(label)
        elif isinstance(chance, Recorded):
            draw = chance.draws.get(label)
        if draw is not None and not draw.secret:
            found.append(draw)
    return found


def explained(words: Catalogue, event: Event, labels: Sequence[str]) -> dict[str, Explained]:
    """What was added to and taken off each roll. An event with a list for each of its rolls has them in order."""
    names = _lists(type(event))
    lists = [getattr(event, name) for name in names] if len(names) == len(labels) else []
    if not lists:
        lists = [(*event.modifiers, *(modifier for name in names for modifier in getattr(event, name)))]
    return {
        label: Explained(modifiers=tuple(f"{each.value:+d} {words.modifier(each)}" for each in modifiers))
        for label, modifiers in zip(labels, lists, strict=False)
    }


@cache
def _lists(kind: type[Event]) -> tuple[str, ...]:
    """The fields of an event that hold modifiers, besides the one that every event has."""
    fields = msgspec.structs.fields(kind)
    return tuple(
        field.name for field in fields if field.type == tuple[Modifier, ...] and field.name != "modifiers"
    )
