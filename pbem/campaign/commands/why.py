"""WHY and DICE: the rule, the reasons and the dice behind a line of a report, and how all dice fell."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.campaign.commands.rules import rulebook
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.couriers import PREFIX
from pbem.campaign.outgoing.dice_lines import explained
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table import tables
from pbem.dice.show import luck as fortune
from pbem.dice.show import readable
from pbem.kernel.event import Told
from pbem.orders.commands import Command
from pbem.reports.report import Line, Section

if TYPE_CHECKING:
    from pbem.campaign.intake.seat_letter import Errands


def dice(errands: Errands, item: Command) -> None:
    """DICE: the log, and how the dice fell for whom."""
    draws = errands.store.draws(errands.live.id)
    note = Note(
        "dice_summary",
        {
            "steps": errands.live.croupier.last_step,
            "draws": len(draws),
            "entries": errands.live.affairs.shown.n,
        },
    )
    lines = [Line(report.note_text(errands.words, note))]
    told = tables.told(errands.store.events(errands.live.id), errands.rules.name)
    known = [item.event for item in told if item.known_to(errands.seat)]
    luck = fortune.lines(
        [row.drawn() for row in draws if not row.label.startswith(PREFIX)],
        known,
        lang=errands.words.lang,
        seat=errands.words.seat,
        what=lambda what: _counted(errands, what),
        secrets=errands.live.over,
    )
    lines += [Line(line) for line in luck]
    errands.outcome.sections.append(Section(errands.words.phrase("titles", "dice"), tuple(lines)))
    errands.outcome.dice = True


def _counted(errands: Errands, what: str) -> str:
    """The name of what battles gave, in the game's own words."""
    return errands.words.phrase("luck", what) if errands.words.has("luck", what) else what


def why(errands: Errands, item: Command) -> None:
    """WHY 12: what is behind a line; WHY d12 its dice alone."""
    number = re.search(r"\d+", item.argument)
    if number is None:
        errands.outcome.notes.append(Note("why_what"))
        return
    n = int(number[0])
    found = tables.told(errands.store.events(errands.live.id, n - 1, n), errands.rules.name)
    if not found or not found[0].known_to(errands.eye):
        errands.outcome.notes.append(Note("no_such_event", {"n": n}))
        return
    if "d" in item.argument.lower():
        _show_dice(errands, found[0])
        return
    title = errands.words.phrase("titles", "why", n=n)
    errands.outcome.sections.append(Section(title, tuple(_explain(errands, found[0]))))


def _show_dice(errands: Errands, told: Told) -> None:
    """WHY d12: the rolls behind a line, each with the command that works it out by hand."""
    words, labels = errands.words, told.event.draws
    reasons = explained(words, told.event, labels)
    rolls = [
        roll
        for label in labels
        for roll in readable.battle(
            errands.store.entries(errands.live.id),
            label,
            lang=words.lang,
            seat=words.seat,
            explained=reasons,
            file=f"{errands.live.id}-log.jsonl",
        )
        if roll.label == label
    ]
    if not rolls:
        errands.outcome.notes.append(Note("why_no_dice", {"n": told.n}))
        return
    lines = [words.event(told.event, errands.seat), "", *readable.text(rolls, lang=words.lang)]
    title = words.phrase("titles", "why_dice", n=told.n)
    errands.outcome.sections.append(Section(title, tuple(map(Line, lines)), plain=True))


def _explain(errands: Errands, told: Told) -> list[Line]:
    words, event = errands.words, told.event
    lines = [Line.of(words.event(event, errands.seat), told.n)]
    for modifier in event.modifiers:
        lines.append(Line(f"{modifier.value:+d}  {words.modifier(modifier)}"))
    book = rulebook(errands.rules.name, words.lang)
    for number in re.findall(r"\d+(?:\.\d+)*", event.rule):
        lines.append(Line(words.phrase("notes", "why_rule", rule=number, text=book.quote(number))))
    if not event.rule:
        lines.append(Line(words.phrase("notes", "why_no_rule")))
    for label in event.draws:
        drawn = errands.store.draw(errands.live.id, label)
        if drawn is None:
            continue
        where = {
            "label": label,
            "step": drawn.step,
            "entry": errands.store.result_entry(errands.live.id, drawn.step),
        }
        if drawn.secret:
            lines.append(Line(words.phrase("notes", "why_secret", **where)))
        elif drawn.kind == "shuffle":
            lines.append(Line(words.phrase("notes", "why_shuffle", size=len(drawn.items), **where)))
        else:
            values = list(drawn.values)
            params = {"dice": len(values), "sides": drawn.sides, "values": values, **where}
            lines.append(Line(words.phrase("notes", "why_draw", **params), under=_by_hand(errands, label)))
    return lines


def _by_hand(errands: Errands, label: str) -> tuple[str, ...]:
    """How anyone can work one roll out for himself."""
    rolls = readable.battle(
        errands.store.entries(errands.live.id),
        label,
        lang=errands.words.lang,
        file=f"{errands.live.id}-log.jsonl",
    )
    found = next((roll for roll in rolls if roll.label == label), None)
    command = found.with_log if found else ""
    return (errands.words.phrase("notes", "why_check", command=command),) if command else ()


REASONS: dict[str, Callable[[Errands, Command], None]] = {"why": why, "dice": dice}
