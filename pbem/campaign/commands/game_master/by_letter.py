"""The game master's commands by letter: what they say becomes deeds, and what cannot be done is answered with why."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.commands.game_master import acts as master
from pbem.campaign.commands.game_master import dice_source, going_back, objections
from pbem.campaign.commands.game_master import press_mode as press_modes
from pbem.campaign.commands.history import act_lines
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.intake.letter_result import Outcome
from pbem.campaign.intake.seat_letter import Errands
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.signup.opening import Opening
from pbem.campaign.table.tables import Live
from pbem.campaign.table.transaction import Turn
from pbem.orders.commands import Command, spec, split
from pbem.reports.catalogue import catalogue

_HOSTS_PRESS = re.compile(r"\A\s*press(?:\s+mode)?\s+(?!to\b)", re.IGNORECASE)
BUSY = ("process", "act", "rollback", "correct", "uphold", "source")
"""What cannot be done while dice wait for their round."""


def _deed(errands: Errands, item: Command, deed: Callable[[Turn], object]) -> None:
    """An act that is done with the letter, or refused with the reason."""

    def do(turn: Turn) -> None:
        try:
            if turn.live.affairs.awaited is not None and item.name in BUSY:
                raise Refused("awaiting_busy")
            deed(turn)
        except Refused as refused:
            errands.outcome.replies.append(errands.refuse(item.text, Note(refused.code, refused.params)))
        else:
            errands.outcome.notes.append(Note("gm_done", {"command": item.name.upper()}))

    errands.outcome.deeds.append(do)


def pause(errands: Errands, item: Command) -> None:
    """PAUSE [reason]."""
    _deed(errands, item, lambda turn: master.pause(turn, errands.seat, item.argument))


def resume(errands: Errands, item: Command) -> None:
    """RESUME [reason]."""
    _deed(errands, item, lambda turn: master.resume(turn, errands.seat, item.argument))


def extend(errands: Errands, item: Command) -> None:
    """EXTEND [seat] 24 [reason]: hours, or days as 2d."""
    words = item.argument.split()

    def deed(turn: Turn) -> None:
        at = 0 if words[0][0].isdigit() else 1
        if at >= len(words):
            raise Refused("gm_span")
        seat = words[0] if at else ""
        master.extend(turn, errands.seat, master.span(words[at]), " ".join(words[at + 1 :]), seat)

    _deed(errands, item, deed)


def process(errands: Errands, item: Command) -> None:
    """PROCESS t3 [reason]: do not wait any longer."""
    moment, _, reason = item.argument.partition(" ")
    _deed(errands, item, lambda turn: master.process(turn, errands.seat, moment, reason.strip()))


def replace(errands: Errands, item: Command) -> None:
    """REPLACE seat BY address [name]."""

    def deed(turn: Turn) -> None:
        seat, who = master.split_by(item.argument)
        address, _, name = who.partition(" ")
        master.replace(turn, errands.seat, seat, address, name.strip())

    _deed(errands, item, deed)


def act(errands: Errands, item: Command) -> None:
    """ACT FOR seat, and orders below."""
    _deed(errands, item, lambda turn: master.act_for(turn, errands.seat, item.argument, item.lines))


def announce(errands: Errands, item: Command) -> None:
    """ANNOUNCE text."""
    _deed(errands, item, lambda turn: master.announce(turn, errands.seat, item.lines))


def rollback(errands: Errands, item: Command) -> None:
    """ROLLBACK 12 reason, or ROLLBACK t3 reason."""
    to, _, reason = item.argument.partition(" ")
    _deed(errands, item, lambda turn: going_back.rollback(turn, errands.seat, to, reason.strip(" :")))


def correct(errands: Errands, item: Command) -> None:
    """CORRECT points.french = 12 because …"""

    def deed(turn: Turn) -> None:
        path, value, reason = going_back.read_correction(item.argument)
        objections.correct(turn, errands.seat, path, value, reason)

    _deed(errands, item, deed)


def uphold(errands: Errands, item: Command) -> None:
    """UPHOLD CORRECTION 1 reason."""
    _deed(errands, item, lambda turn: objections.upheld(turn, errands.seat, item.argument))


def withdraw(errands: Errands, item: Command) -> None:
    """WITHDRAW CORRECTION 1 reason."""
    _deed(errands, item, lambda turn: objections.withdrawn(turn, errands.seat, item.argument))


def pressmode(errands: Errands, item: Command) -> None:
    """PRESS MODE anonymous, with results, 5 a day."""
    _deed(errands, item, lambda turn: press_modes.set_mode(turn, errands.seat, item.argument))


def source(errands: Errands, item: Command) -> None:
    """SOURCE 900 reason, or SOURCE quicknet 900 reason."""
    _deed(errands, item, lambda turn: dice_source.change_source(turn, errands.seat, item.argument))


def start(errands: Errands, item: Command) -> None:
    """START: only of a game that has not begun; here it has."""
    errands.outcome.replies.append(errands.refuse(item.text, Note("gm_started")))


MASTERS: dict[str, Callable[[Errands, Command], None]] = {
    "pause": pause,
    "resume": resume,
    "extend": extend,
    "process": process,
    "replace": replace,
    "act": act,
    "announce": announce,
    "rollback": rollback,
    "correct": correct,
    "uphold": uphold,
    "withdraw": withdraw,
    "pressmode": pressmode,
    "source": source,
    "start": start,
}


class Done(msgspec.Struct, frozen=True):
    """What came of a host's command, as lines."""

    good: bool
    lines: list[str]


class Host(Errands):
    """The host at the command line: a game master without a seat, as blind as everyone."""

    def __init__(self, campaign: Campaign, live: Live, now: datetime, lang: str) -> None:
        self.store, self.live, self.now = campaign.store, live, now
        self.seat, self.eye, self.requests = "host", None, MASTERS
        self.rules, self.words, self.outcome = live.rules, catalogue(lang, live.rules), Outcome()

    def said(self) -> Done:
        """What was done, and what was not."""
        lines = [f"! {line.text}: {' '.join(line.under)}" for line in self.outcome.replies]
        good = not lines
        lines += [report.note_text(self.words, note) for note in self.outcome.notes]
        for section in self.outcome.sections:
            lines += [section.title, *(f"  {line.text}" for line in section.lines)]
        return Done(good and bool(lines), lines)


def by_host(campaign: Campaign, game_id: str, text: str, lang: str = "en") -> Done:
    """A game master's command from the command line. Raises StoreError."""
    # The host never writes press himself, so his PRESS is about its customs.
    text = _HOSTS_PRESS.sub("pressmode ", text.replace("\\n", "\n"))
    found = split(text.split("\n")).commands
    item = found[0] if found else None
    if item is None or item.problem is not None or not (spec(item.name).master or item.name == "history"):
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
        host = Host(campaign, turn.live, journal.at, lang)
        if item.name == "history":
            acts = act_lines(host.words, turn.live, campaign.store.acts(game_id))
            return Done(True, acts or ["–"])
        MASTERS[item.name](host, item)
        for deed in host.outcome.deeds:
            deed(turn)
        turn.write()
    return host.said()
