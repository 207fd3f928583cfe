"""The log of a battle as a person wants to see it: who, why, by which rule, the dice, what came of it.

The dice come from the log, the words from whoever knows the game's (`explained`: for a label, the sentence of
its event and the modifiers). Each roll ends with the command that works it out again by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from pbem.dice.log.entries import Entry
from pbem.dice.show.byhand import ByHand, open_draws
from pbem.kernel.chance import Draw

_PHRASES = {
    "en": {
        "rule": "rule {rule}",
        "log": "log #{entry}, step {k}",
        "step": "step {k}",
        "sum": "{dice}d{sides}: {values} = {total}",
        "one": "d{sides}: {values}",
        "cards": "{n} cards, top first: {values}",
        "check": "Check it, with Python alone:",
        "file": "Check it, with the log:",
        "nobody": "nobody's dice",
        "none": "No open draw of this log begins with {label}.",
    },
    "fr": {
        "rule": "règle {rule}",
        "log": "registre n° {entry}, étape {k}",
        "step": "étape {k}",
        "sum": "{dice}d{sides} : {values} = {total}",
        "one": "d{sides} : {values}",
        "cards": "{n} cartes, du dessus : {values}",
        "check": "À vérifier, avec Python seul :",
        "file": "À vérifier, avec le registre :",
        "nobody": "dés de personne",
        "none": "Aucun tirage ouvert de ce registre ne commence par {label}.",
    },
}


class Explained(msgspec.Struct, frozen=True):
    """What a game has to say about a draw: the sentence of its event, and the modifiers as lines."""

    result: str = ""
    modifiers: tuple[str, ...] = ()


class Roll(msgspec.Struct, frozen=True):
    """One draw, ready to be shown."""

    label: str
    who: str
    rule: str
    dice: str
    where: str
    modifiers: tuple[str, ...]
    result: str
    with_log: str
    """Works this one roll out from the log, with the verifier."""
    command: str = ""
    """Does the same by hand, with Python alone; empty for shuffles and very many dice, and without the log."""
    good: bool = True


def battle(
    entries: Iterable[Entry],
    within: str,
    *,
    lang: str = "en",
    seat: Callable[[str], str] = str,
    explained: Mapping[str, Explained] | None = None,
    file: str = "game.jsonl",
) -> list[Roll]:
    """The open draws whose labels begin with `within`, in the order of the log. Raises Fault (forged log)."""
    say = _PHRASES.get(lang, _PHRASES["en"])
    known = explained or {}
    found = open_draws(((entry.kind, entry.body) for entry in entries), within=within)
    return [_roll(draw, say, seat, known.get(draw.label, Explained()), file) for draw in found]


def shown(
    draw: Draw,
    step: int,
    *,
    lang: str = "en",
    seat: Callable[[str], str] = str,
    explained: Explained | None = None,
    file: str = "game.jsonl",
) -> Roll:
    """An open draw as the moderator has it on record, without the log at hand."""
    say = _PHRASES.get(lang, _PHRASES["en"])
    made = ByHand(
        "", step, "", "", draw.label, draw.rule, draw.seat, draw.sides, draw.values, draw.before, draw.items
    )
    where = say["step"].format(k=step) if step else ""
    return _written(made, say, seat, explained or Explained(), file, where)


def text(rolls: Iterable[Roll], within: str = "", *, lang: str = "en", commands: bool = True) -> list[str]:
    """The same as lines of text."""
    say = _PHRASES.get(lang, _PHRASES["en"])
    lines: list[str] = []
    for roll in rolls:
        rule = say["rule"].format(rule=roll.rule) if roll.rule else ""
        lines.append(" · ".join(filter(None, (roll.label, roll.who, rule, roll.where))))
        lines.append(f"  {roll.dice}")
        lines += [f"  {modifier}" for modifier in roll.modifiers]
        if roll.result:
            lines.append(f"  → {roll.result}")
        if commands:
            lines += ["  " + say["check" if roll.command else "file"], f"  $ {roll.command or roll.with_log}"]
    return lines or [say["none"].format(label=within)]


def _roll(
    draw: ByHand, say: dict[str, str], seat: Callable[[str], str], explained: Explained, file: str
) -> Roll:
    where = say["log"].format(entry=draw.entry, k=draw.k)
    roll = _written(draw, say, seat, explained, file, where)
    return msgspec.structs.replace(roll, command=draw.command, good=draw.good)


def _written(
    draw: ByHand,
    say: dict[str, str],
    seat: Callable[[str], str],
    explained: Explained,
    file: str,
    where: str,
) -> Roll:
    values = ", ".join(map(str, draw.items if draw.before else draw.values))
    if draw.before or not draw.sides:
        dice = say["cards"].format(n=len(draw.items), values=values)
    elif len(draw.values) == 1:
        dice = say["one"].format(sides=draw.sides, values=values)
    else:
        dice = say["sum"].format(
            dice=len(draw.values), sides=draw.sides, values=values, total=sum(draw.values)
        )
    return Roll(
        label=draw.label,
        who=seat(draw.seat) if draw.seat else "" if draw.before else say["nobody"],
        rule=draw.rule,
        dice=dice,
        where=where,
        modifiers=explained.modifiers,
        result=explained.result,
        with_log=f"python3 pbem_verify.py {file} --roll {draw.label}",
    )
