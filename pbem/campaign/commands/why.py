"""WHY and DICE: the rule, the reasons and the dice behind a line of a report, and how all dice fell."""

from __future__ import annotations

import re

from pbem.campaign.commands.rules import rulebook
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.couriers import PREFIX
from pbem.campaign.outgoing.dice_lines import explained
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.signup.new_game import dice_note
from pbem.campaign.table import tables
from pbem.dice.show import luck as fortune
from pbem.dice.show import readable
from pbem.kernel.event import Told
from pbem.orders.commands import ONE_WORD, Command
from pbem.reports.report import Line, Section


def dice(request: Request, item: Command) -> None:
    """DICE: the log, and how the dice fell for whom."""
    draws = request.store.draws(request.live.id)
    note = Note(
        "dice_summary",
        {
            "steps": request.live.croupier.last_step,
            "draws": len(draws),
            "entries": request.live.affairs.shown.n,
        },
    )
    source = dice_note(request.live.affairs)
    lines = [Line(report.note_text(request.words, one)) for one in (note, source)]
    told = tables.told(request.store.events(request.live.id), request.rules.name)
    known = [item.event for item in told if item.known_to(request.seat)]
    luck = fortune.lines(
        [row.drawn() for row in draws if not row.label.startswith(PREFIX)],
        known,
        lang=request.words.lang,
        seat=request.words.seat,
        what=lambda what: _counted(request, what),
        secrets=request.live.over,
    )
    lines += [Line(line) for line in luck]
    request.result.sections.append(Section(request.words.phrase("titles", "dice"), tuple(lines)))
    request.result.dice = True


def _counted(request: Request, what: str) -> str:
    """The name of what battles gave, in the game's own words."""
    return request.words.phrase("luck", what) if request.words.has("luck", what) else what


def why(request: Request, item: Command) -> None:
    """WHY 12: what is behind a line; WHY d12 its dice alone."""
    number = re.search(r"\d+", item.argument)
    if number is None:
        request.note("why_what")
        return
    n = int(number[0])
    found = tables.told(request.store.events(request.live.id, n - 1, n), request.rules.name)
    if not found or not found[0].known_to(request.viewer):
        request.result.notes.append(Note("no_such_event", {"n": n}))
        return
    if "d" in item.argument.lower():
        _show_dice(request, found[0])
        return
    title = request.words.phrase("titles", "why", n=n)
    request.result.sections.append(Section(title, tuple(_explain(request, found[0]))))


def _show_dice(request: Request, told: Told) -> None:
    """WHY d12: the rolls behind a line, each with the command that works it out by hand."""
    words, labels = request.words, told.event.draws
    reasons = explained(words, told.event, labels)
    rolls = [
        roll
        for label in labels
        for roll in readable.battle(
            request.store.entries(request.live.id),
            label,
            lang=words.lang,
            seat=words.seat,
            explained=reasons,
            file=f"{request.live.id}-log.jsonl",
        )
        if roll.label == label
    ]
    if not rolls:
        request.result.notes.append(Note("why_no_dice", {"n": told.n}))
        return
    lines = [words.event(told.event, request.seat), "", *readable.text(rolls, lang=words.lang)]
    title = words.phrase("titles", "why_dice", n=told.n)
    request.result.sections.append(Section(title, tuple(map(Line, lines)), plain=True))


def _explain(request: Request, told: Told) -> list[Line]:
    words, event = request.words, told.event
    lines = [Line.of(words.event(event, request.seat), told.n)]
    for modifier in event.modifiers:
        lines.append(Line(f"{modifier.value:+d}  {words.modifier(modifier)}"))
    book = rulebook(request.rules.name, words.lang)
    for number in re.findall(r"\d+(?:\.\d+)*", event.rule):
        lines.append(Line(words.phrase("notes", "why_rule", rule=number, text=book.quote(number))))
    if not event.rule:
        lines.append(Line(words.phrase("notes", "why_no_rule")))
    for label in event.draws:
        drawn = request.store.draw(request.live.id, label)
        if drawn is None:
            continue
        where = {
            "label": label,
            "step": drawn.step,
            "entry": request.store.result_entry(request.live.id, drawn.step),
        }
        if drawn.secret:
            lines.append(Line(words.phrase("notes", "why_secret", **where)))
        elif drawn.kind == "shuffle":
            lines.append(Line(words.phrase("notes", "why_shuffle", size=len(drawn.items), **where)))
        else:
            values = list(drawn.values)
            params = {"dice": len(values), "sides": drawn.sides, "values": values, **where}
            lines.append(Line(words.phrase("notes", "why_draw", **params), under=_by_hand(request, label)))
    return lines


def _by_hand(request: Request, label: str) -> tuple[str, ...]:
    """How anyone can work one roll out for himself."""
    rolls = readable.battle(
        request.store.entries(request.live.id),
        label,
        lang=request.words.lang,
        file=f"{request.live.id}-log.jsonl",
    )
    found = next((roll for roll in rolls if roll.label == label), None)
    command = found.with_log if found else ""
    return (request.words.phrase("notes", "why_check", command=command),) if command else ()


WHY = Declaration("why", why, ("why",), ("pourquoi",), r"\[?#?[dD]?\d{1,9}\]?\s*+\??\s*+\Z")
DICE = Declaration("dice", dice, ("dice",), ("des",), ONE_WORD)
