"""The host at the command line: a game master without a seat, as blind as everyone."""

from __future__ import annotations

import re

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands.history import act_lines
from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.intake.request import Request
from pbem.campaign.outgoing import report
from pbem.campaign.signup.opening import Opening
from pbem.campaign.table.transaction import Turn
from pbem.orders.commands import (
    MASTERS,
)
from pbem.reports.catalogue import catalogue

_HOSTS_PRESS = re.compile(r"\A\s*press(?:\s+mode)?\s+(?!to\b)", re.IGNORECASE)


class Done(msgspec.Struct, frozen=True):
    """What came of a host's command, as lines."""

    good: bool
    lines: list[str]


def _said(request: Request) -> Done:
    """What was done, and what was not."""
    result = request.result
    lines = [f"! {line.text}: {' '.join(line.under)}" for line in result.replies]
    good = not lines
    lines += [report.note_text(request.words, note) for note in result.notes]
    for section in result.sections:
        lines += [section.title, *(f"  {line.text}" for line in section.lines)]
    return Done(good and bool(lines), lines)


def by_host(campaign: Campaign, game_id: str, text: str, lang: str = "en") -> Done:
    """A game master's command from the command line. Raises StoreError."""
    # The host never writes press himself, so his PRESS is about its customs.
    text = _HOSTS_PRESS.sub("pressmode ", text.replace("\\n", "\n"))
    found = COMMANDS.split(text.split("\n")).commands
    item = found[0] if found else None
    if (
        item is None
        or item.problem is not None
        or not (COMMANDS.type(item.name).who == MASTERS or item.name == "history")
    ):
        return Done(False, [catalogue(lang).phrase("notes", "gm_what")])
    row = campaign.store.game(game_id)
    if row.status == "open":
        try:
            Opening(campaign).start(game_id)
        except Refused as refused:
            return Done(False, [catalogue(lang).phrase("notes", refused.code, **refused.params)])
        return Done(True, [f"{game_id}: {catalogue(lang).phrase('status', 'running')}"])
    with campaign.transaction(game_id) as journal:
        turn = Turn(campaign, journal, campaign.tables.table(game_id, journal), letter_id=None)
        request = Request(campaign.store, turn.live, "host", journal.at, COMMANDS, lang=lang)
        if item.name == "history":
            acts = act_lines(request.words, turn.live, campaign.store.acts(game_id), "host")
            return Done(True, acts or ["–"])
        COMMANDS.type(item.name).handler(request, item)
        for change in request.result.changes:
            change(turn)
        turn.write()
    return _said(request)
