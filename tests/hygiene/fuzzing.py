"""Mutated letters and random bytes through the whole intake: python -m tests.hygiene.fuzzing --letters 100000."""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import sqlalchemy as sa

from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.store.store import Store
from tests.letters.test_fuzz import CORPUS, mutate

ADDRESS = "moderator@pbem.example"
SEATS = {"french": "anne@players.example", "allied": "bob@players.example"}
ORDERS = [
    b"keep M\xc3\xb6lkau, St\xc3\xb6tteritz",
    b"1",
    b"status",
    b"draw pile",
    b"STANDING WHEN attacked THEN withdraw",
    b"PRESS TO allied: hello",
    b"CHECK draw pile",
    b"absent 2026-02-01 2026-02-07",
    b"why 1",
    b"clear",
    b"newtoken",
    b"history",
    b"help",
    b"LIST",
    b"JOIN leipzig-1 observer",
    b"SUBSTITUTE jo(e@example.org",
    b"ADDRESS anne2@players.example",
    b"CONFIRM 1",
]


@dataclass
class Result:
    """What a run of the fuzz has found."""

    letters: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    replies: int = 0
    slowest: float = 0.0
    slowest_letter: bytes = b""
    failures: list[tuple[str, bytes]] = field(default_factory=list)
    grown: float = 0.0
    """By how many MB the process grew after the first tenth."""


class Fuzz:
    """A moderator with two games, and letters that nobody would send."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.dice = random.Random(seed)
        self.loop = asyncio.Runner()
        store = Store.open(f"sqlite:///{folder}/fuzz.db")
        store.migrate()
        # A fuzz may lose its database with the power.
        sa.event.listen(
            store.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF")
        )
        store.engine.dispose()
        settings = Settings(ADDRESS, letters_per_hour=1_000_000)
        self.moderator = Moderator(store, settings, lambda: self.now)
        self.secretary = Secretary(self.moderator.campaign, None)
        self.moderator.campaign.writer = self.secretary
        players = {seat: Player(seat, address) for seat, address in SEATS.items()}
        self.games = [self.moderator.opening.open_game("leipzig", "battle", {}, players) for _ in range(2)]

    def letter(self) -> bytes:
        """Random bytes, a mutated letter of the corpus, or a player's own letter, mutated or not."""
        dice = self.dice
        what = dice.random()
        if what < 0.1:
            return dice.randbytes(dice.randrange(600))
        if what < 0.5:
            return mutate(dice.choice(CORPUS), dice)
        game, seat = dice.choice(self.games), dice.choice(list(SEATS))
        token = self.moderator.tables.at_hand(game).token(seat).text()
        head = f"From: {SEATS[seat]}\nTo: {reply_address(ADDRESS, token)}\nMessage-ID: <{dice.random()}@x>\n"
        lines = b"\n".join(dice.choices(ORDERS, k=dice.randint(1, 4)))
        if dice.random() < 0.5:
            lines = mutate(lines, dice)
        raw = head.encode() + b"Content-Type: text/plain; charset=utf-8\n\n" + lines
        return mutate(raw, dice) if dice.random() < 0.2 else raw

    def hand_in(self, raw: bytes, result: Result) -> None:
        """One letter and the answers to it."""
        started = time.thread_time()
        try:
            handled = self.moderator.handle(Message(raw))
            result.statuses[handled.status] += 1
            for row in self.moderator.store.outbox.due(self.now, 50):
                assert row.id is not None
                self.moderator.store.outbox.mark_sent(row.id, self.now)
                # Every tenth is written a second time, as after a restart.
                if row.raw is None or result.replies % 10 == 0:
                    self.loop.run(self.secretary.write(row))
                result.replies += 1
        except Exception as error:
            result.failures.append((f"{type(error).__name__}: {error}", raw))
        seconds = time.thread_time() - started
        if seconds > result.slowest:
            result.slowest, result.slowest_letter = seconds, raw
        result.letters += 1
        self.now += timedelta(seconds=30)


def fuzz(folder: Path, number: int, seed: int, minutes: float = 0) -> Result:
    """So many letters, one after the other; at most so many minutes of them, unless that is 0."""
    machine, result, early = Fuzz(folder, seed), Result(), 0.0
    until = time.monotonic() + 60 * minutes
    for n in range(number):
        if minutes and time.monotonic() > until:
            break
        machine.hand_in(machine.letter(), result)
        if n == number // 10:
            early = _megabytes()
    result.grown = _megabytes() - early
    machine.moderator.store.close()
    machine.loop.close()
    return result


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--letters", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1813)
    parser.add_argument("--minutes", type=float, default=0, help="stop after so many; 0: when all are done")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"))
    arguments = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = fuzz(Path(folder), arguments.letters, arguments.seed, arguments.minutes)
    for n, (reason, raw) in enumerate(result.failures):
        arguments.keep.mkdir(exist_ok=True)
        (arguments.keep / f"letter-{n}.eml").write_bytes(raw)
        print(f"letter-{n}.eml: {reason}")
    print(
        f"{result.letters} letters, {len(result.failures)} failures, {result.replies} replies, "
        f"{msgspec.json.encode(dict(result.statuses)).decode()}, slowest {result.slowest * 1000:.0f} ms of "
        f"processor time, grown by {result.grown:.0f} MB, {time.monotonic() - started:.0f} s"
    )
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
