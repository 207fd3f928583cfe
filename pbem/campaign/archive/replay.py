"""Recorded games played again: game files, and the logs of finished games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.archive.game_file import Playback, Turn
from pbem.campaign.house_rules import Couriers
from pbem.campaign.outgoing.couriers import Ride
from pbem.campaign.table.corrections import Correction
from pbem.dice.audit import audit
from pbem.dice.audit.reasons import Answer, Reasons
from pbem.dice.audit.verdicts import Verdict
from pbem.dice.draw.demanded import Demanded
from pbem.dice.log import entries as dicelog
from pbem.reports.catalogue import catalogue


class NotFinished(ValueError):
    """The log's game is not over: its orders and secret draws are still sealed."""


@dataclass(frozen=True)
class Finished:
    """A finished game from its log: the playback, the hash of its last position, the orders as they were sealed."""

    playback: Playback
    state: str
    sealed: list[tuple[str, str]]
    rides: list[Ride]
    couriers: Couriers | None
    """How press rode in this game, where it did."""
    reasons: Reasons | None
    """What the log has to show for every answer; a log of the first edition shows nothing."""
    given: list[Answer]
    name: str
    """Of the game."""


def from_log(file: Path, verdict: Verdict | None = None) -> Finished:
    """A finished game from its log alone. Raises ValueError, BrokenLog, OSError.

    The draws are those that the audit found; secret ones were drawn again from the seeds that the end reveals.
    """
    found = verdict or audit.audit_file(file, collect=True, signatures=False)
    if not found.ok:
        raise ValueError(f"{file.name} is not a good log: {found.reason()}")
    genesis: dict[str, Any] = {}
    turns: list[Turn] | None = None
    before: list[Turn] = []
    """The answers of a long game stand in several entries."""
    sealed: list[tuple[str, str]] = []
    corrections: list[Correction] = []
    rides: list[Ride] = []
    state = ""
    reasons = Reasons() if found.edition > 1 else None
    given: list[Answer] = []
    with file.open("rb") as stream:
        for entry in dicelog.read(stream):
            body: dict[str, Any] = entry.body
            if reasons is not None:
                reasons.take(entry.n, entry.kind, entry.at, entry.body)
            if entry.kind == "genesis":
                genesis = body
            elif entry.kind == "act" and body.get("act") == "answers":
                before += msgspec.convert(body["answers"], list[Turn])
            elif entry.kind == "act" and body.get("act") == "journal":
                turns = before + msgspec.convert(body["answers"], list[Turn])
                state = str(body["state"])
                corrections = msgspec.convert(body.get("corrections", []), list[Correction])
                rides = msgspec.convert(body.get("couriers", []), list[Ride])
                given = reasons.answers(body, entry.n) if reasons is not None else []
            elif entry.kind == "opened" and "orders" in body:
                sealed += [(leaf["player"], leaf["orders"]) for leaf in body["orders"]]
    if turns is None or not found.ended:
        raise NotFinished("the game of this log is not over: its orders are still sealed")
    draws = list(Demanded(draw for step in found.steps for draw in step.draws if draw.live).draws.values())
    setup = genesis["setup"]
    playback = Playback(
        setup["game"], setup["scenario"], dict(setup["options"]), turns, draws, corrections=corrections
    )
    custom = setup.get("couriers")
    how = None if custom is None else msgspec.convert(custom, Couriers)
    return Finished(playback, state, sealed, rides, how, reasons, given, str(genesis["game"]))


def load(file: Path) -> Playback:
    """A playback from a game file or from a log. Raises ValueError, OSError."""
    with file.open("rb") as stream:
        first = stream.readline(1_000_000)
    return from_log(file).playback if b'"genesis"' in first and b'"prev"' in first else playbacks.read(file)


def tell(file: Path, seat: str | None, upto: int | None, lang: str, save: Path | None) -> Iterator[str]:
    """A recorded game, answer by answer, as lines; as one seat saw it, or all of it."""
    playback = load(file)
    if playback.game not in games.names():
        raise ValueError(f"{file.name} is a game of {playback.game!r}, which is not here")
    if upto is not None:
        playback = msgspec.structs.replace(playback, answers=playback.answers[:upto])
    words = catalogue(lang, playback.rules())
    seats = playback.rules().scenarios[playback.scenario].seats
    if seat is not None and seat not in seats:
        raise ValueError(f"the seats are {', '.join(seats)}, not {seat!r}")
    game = None
    for n, game in enumerate(playbacks.steps(playback)):
        if n:
            turn = playback.answers[n - 1]
            if seat is None or turn.seat == seat:
                given = playbacks.given(turn, playback.rules())
                answer = "; ".join(words.order(order) for order in given.answer)
                yield f"#{n} {words.seat(turn.seat)}, {turn.key}: {answer}"
            else:
                yield f"#{n} {words.seat(turn.seat)}"
        for told in game.take_told():
            if seat is None or told.known_to(seat):
                yield f"    [{told.n}] {words.event(told.event, seat or '')}"
    assert game is not None
    if save is not None:
        playbacks.write(playback, save)
    yield f"state {game.hash()}" + (" (over)" if game.over else "")
    if playback.failure:
        yield f"this game was recorded because it failed:\n{playback.failure}"
