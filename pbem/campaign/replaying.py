"""Recorded games played again: game files, and the logs of finished games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.campaign import playback as playbacks
from pbem.campaign.playback import Playback, Turn
from pbem.dice import log as dicelog
from pbem.dice import streams
from pbem.kernel.chance import Draw
from pbem.reports.catalogue import catalogue


class NotFinished(ValueError):
    """The log's game is not over: its orders and secret draws are still sealed."""


class Finished(msgspec.Struct, frozen=True):
    """A finished game from its log: the playback, the hash of its last position, the orders as they were sealed."""

    playback: Playback
    state: str
    sealed: list[tuple[str, str]]


def from_log(file: Path) -> Finished:
    """A finished game from its log alone. Raises ValueError, BrokenLog, OSError.

    Open draws stand in the log; secret ones are drawn again from the seeds that the end reveals.
    """
    genesis: dict[str, Any] = {}
    turns: list[Turn] | None = None
    end: dict[str, Any] | None = None
    beacons: dict[int, bytes] = {}
    shown: list[tuple[int, dict[str, Any]]] = []
    sealed: list[tuple[str, str]] = []
    state = ""
    with file.open("rb") as stream:
        for entry in dicelog.read(stream):
            body: dict[str, Any] = entry.body
            if entry.kind == "genesis":
                genesis = body
            elif entry.kind == "close":
                beacons[body["k"]] = bytes.fromhex(body["beacon"])
            elif entry.kind == "result":
                shown += [(body["k"], draw) for draw in body["draws"]]
            elif entry.kind == "act" and body.get("act") == "journal":
                turns, state = msgspec.convert(body["answers"], list[Turn]), str(body["state"])
            elif entry.kind == "opened" and "orders" in body:
                sealed += [(leaf["player"], leaf["orders"]) for leaf in body["orders"]]
            elif entry.kind == "end":
                end = body
    if turns is None or end is None:
        raise NotFinished("the game of this log is not over: its orders are still sealed")
    draws = [_draw(genesis, end, beacons, k, draw) for k, draw in shown]
    setup = genesis["setup"]
    playback = Playback(setup["game"], setup["scenario"], dict(setup["options"]), turns, draws)
    return Finished(playback, state, sealed)


def _draw(
    genesis: dict[str, Any], end: dict[str, Any], beacons: dict[int, bytes], k: int, shown: dict[str, Any]
) -> Draw:
    label, rule, secret = shown["label"], shown["rule"], shown["secret"]
    if not secret:
        if shown["kind"] == "roll":
            return Draw(
                label, "roll", rule, False, shown["sides"], tuple(shown["values"]), seat=shown["seat"]
            )
        return Draw(label, "shuffle", rule, False, before=tuple(shown["before"]), items=tuple(shown["items"]))
    seed = bytes.fromhex(end["secret_seed"])
    for _ in range(int(genesis["steps"]) - k):
        seed = streams.link_below(seed)
    key = streams.step_key(seed, genesis["game"], k, beacons[k])
    if shown["kind"] == "roll":
        values = streams.roll(key, label, len(shown["commits"]), shown["sides"])
        return Draw(label, "roll", rule, True, shown["sides"], values, seat=shown["seat"])
    before = next(tuple(deck["before"]) for deck in end["decks"] if (deck["k"], deck["label"]) == (k, label))
    return Draw(label, "shuffle", rule, True, before=before, items=tuple(streams.shuffle(key, label, before)))


def load(file: Path) -> Playback:
    """A playback from a game file or from a log. Raises ValueError, OSError."""
    with file.open("rb") as stream:
        first = stream.readline(1_000_000)
    return from_log(file).playback if b'"genesis"' in first and b'"prev"' in first else playbacks.read(file)


def tell(file: Path, seat: str | None, upto: int | None, lang: str, save: Path | None) -> Iterator[str]:
    """A recorded game, answer by answer, as lines; as one seat saw it, or all of it."""
    playback = load(file)
    if playback.game not in games.NAMES:
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
