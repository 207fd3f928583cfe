"""Checks an exported log without the moderator.

`auditor` goes through it entry by entry; the verdict names the first that is wrong. Whether the log has
*exactly* the draws that the rules demand needs the rules: `compare` does that with the draws of a replay.
A verdict is returned whatever the input is. Only the standard library is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pbem.dice.audit.auditor import Auditor, Demands
from pbem.dice.audit.mailbox import Mailbox
from pbem.dice.audit.verdicts import AuditedDraw, Verdict
from pbem.dice.beacon.rounds import QUICKNET, Network
from pbem.dice.log.fields import Fault

if TYPE_CHECKING:
    from pbem.kernel.chance import Draw

LINE = 16 << 20

_HEAD_LINE = re.compile(r"log #(\d{1,12}) head=([0-9a-f]{16})")


def audit(
    source: BinaryIO,
    *,
    heads: Iterable[tuple[int, str]] = (),
    collect: bool = False,
    signatures: bool = True,
    networks: Iterable[Network] = (QUICKNET,),
    mailbox: Mailbox | None = None,
    game: str = "",
) -> Verdict:
    """The verdict on an export. `heads` are numbers and heads (or whole hashes) from a player's letters.

    `mailbox` holds all that his letters say. Without `signatures`, those of the beacon are taken on trust;
    `networks` are the beacons that count as such. With `collect` the verdict holds the draws of every step,
    for `compare`. `game` is the game it must be the log of.
    """
    letters = mailbox or Mailbox()
    known = replace(letters, heads=[*letters.heads, *heads])
    auditor = Auditor(known, Demands(collect, signatures, tuple(networks), game))
    fault: Fault | None = None
    try:
        while line := source.readline(LINE + 1):
            if len(line) > LINE:
                raise Fault("limits", entry=auditor.entries + 1)
            auditor.take(line)
        auditor.close()
    except Fault as found:
        fault = found
    except OSError as error:
        fault = Fault("file", str(error.strerror or ""))
    try:
        auditor.signatures.check()
    except Fault as found:
        if fault is None or found.entry <= (fault.entry or auditor.entries):
            fault = found
    return auditor.verdict(fault)


def audit_file(
    path: Path,
    *,
    heads: Iterable[tuple[int, str]] = (),
    collect: bool = False,
    signatures: bool = True,
    networks: Iterable[Network] = (QUICKNET,),
    mailbox: Mailbox | None = None,
    game: str = "",
) -> Verdict:
    """The verdict on an exported file."""
    try:
        with path.open("rb") as source:
            return audit(
                source,
                heads=heads,
                collect=collect,
                signatures=signatures,
                networks=networks,
                mailbox=mailbox,
                game=game,
            )
    except OSError as error:
        return Verdict(False, "file", detail=str(error.strerror or ""))


def heads_in(text: str) -> list[tuple[int, str]]:
    """The heads of the log that stand in some letters, with their numbers."""
    return [(int(number), head) for number, head in _HEAD_LINE.findall(text)]


def compare(verdict: Verdict, draws: Iterable[Draw]) -> Verdict:
    """The verdict after a replay: the log must have exactly the draws that the rules demanded.

    The verdict comes from an audit with `collect`; a sealed secret draw is compared by size.
    """
    if not verdict.ok:
        return verdict
    entry_of = {step.k: step.entry for step in verdict.steps}
    logged = {draw.label: draw for step in verdict.steps for draw in step.draws if draw.live}
    for wanted in {draw.label: draw for draw in draws}.values():
        found = logged.pop(wanted.label, None)
        if found is None:
            return replace(verdict, ok=False, code="roll-missing", entry=0, detail=wanted.label)
        if not _agrees(found, wanted):
            entry = entry_of[found.step]
            return replace(verdict, ok=False, code="roll-differs", entry=entry, detail=wanted.label)
    for extra in logged.values():
        entry = entry_of[extra.step]
        return replace(verdict, ok=False, code="roll-extra", entry=entry, detail=extra.label)
    return verdict


def _agrees(found: AuditedDraw, wanted: Draw) -> bool:
    size = len(wanted.values) if wanted.kind == "roll" else len(wanted.before)
    same = (wanted.kind, wanted.rule, wanted.secret, wanted.sides, wanted.seat, size)
    if same != (found.kind, found.rule, found.secret, found.sides, found.seat, found.size):
        return False
    if found.secret and not found.values and not found.items:
        return True
    return (wanted.values, wanted.before, wanted.items) == (found.values, found.before, found.items)
