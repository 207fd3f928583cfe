"""A short game by letters, played with a daemon that keeps dying, and what is to be compared afterwards."""

from __future__ import annotations

import asyncio
import email
import email.policy
import multiprocessing
import os
import random
import re
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from pbem import games
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.post.embedded import EmbeddedPost
from pbem.store.store import Store
from tests.crash.life import Plan, live
from tests.servers.mail import RealPost

MODERATOR = "moderator@pbem.example"
PLAYERS = {"french": "alice@pbem.example", "allied": "bob@pbem.example"}
ACCOUNTS = {MODERATOR: "tambour", **dict.fromkeys(PLAYERS.values(), "major")}
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONGEST_LIFE = 60.0

_SPAWN = multiprocessing.get_context("forkserver")
_SPAWN.set_forkserver_preload(["tests.crash.life", "pbem.games.leipzig"])
_OUR_ID = re.compile(r"<[a-z0-9-]+\.[a-z0-9_-]+\.\d+\.[0-9a-f]+@[^>\s]+>")


def open_game(url: str) -> Moderator:
    """A moderator whose game always has the same seeds."""
    store = Store.open(url)
    store.migrate()
    numbers = iter(range(1, 1000))
    moderator = Moderator(
        store, Settings(MODERATOR), lambda: NOW, entropy=lambda: next(numbers).to_bytes(32, "big")
    )
    players = {seat: Player(seat, address) for seat, address in PLAYERS.items()}
    moderator.opening.open_game("leipzig", "battle", {}, players, "leipzig-1")
    return moderator


def rehearse(folder: Path, number: int) -> list[bytes]:
    """The letters of a robot game: orders, now and then a question or a machine's reply, some of them twice."""
    moderator = open_game(f"sqlite:///{folder / 'rehearsal.db'}")
    game = moderator.tables.at_hand("leipzig-1")
    whim = random.Random(1813)
    robot = games.load("leipzig").robots["sensible"]
    letters: list[bytes] = []
    while len(letters) < number and not game.over:
        question = next(q for key, q in game.game.questions.items() if not game.game.answered(key))
        answer = robot(game.game.view(question.seat), question, whim)
        text = "\n".join(order.text(game.rules.vocabulary) for order in answer)
        raw = _letter(
            question.seat, reply_address(MODERATOR, game.token(question.seat).text()), text, len(letters)
        )
        assert moderator.handle(Message(raw)).status == "done", text
        letters.append(raw)
        if len(letters) % 5 == 0:
            letters += [raw, _letter("french", MODERATOR, "I am away", len(letters), machine=True)]
    moderator.store.close()
    return letters


def _letter(seat: str, to: str, text: str, number: int, machine: bool = False) -> bytes:
    message = EmailMessage()
    message["From"] = PLAYERS[seat]
    message["To"] = to
    message["Subject"] = "Re: orders"
    message["Date"] = "Thu, 01 Jan 2026 12:00:00 +0000"
    message["Message-ID"] = f"<{number}.{machine}@players.example>"
    if machine:
        message["Auto-Submitted"] = "auto-replied"
    message.set_content(text)
    return bytes(message)


@dataclass
class End:
    """What a campaign leaves behind."""

    answers: int
    state: str
    draws: list[tuple[str, int, str]]
    log: list[str]
    boxes: dict[str, dict[str, str]]
    """For each player the letters by Message-ID: their text, other Message-IDs taken out."""
    copies: int
    """How many letters arrived more than once under one Message-ID."""
    kills: int = 0
    unsent: int = 0

    def words(self) -> dict[str, list[str]]:
        """What each player has read, whatever the letters' names."""
        return {address: sorted(box.values()) for address, box in self.boxes.items()}


Kill = tuple[str, int] | float
"""A named point and its count, or the seconds after which to kill."""


async def campaign(
    post: EmbeddedPost | RealPost, url: str, letters: Sequence[bytes], kills: Sequence[Kill] = ()
) -> End:
    """Open the game, put the letters into the mailbox, serve, and kill as often as asked."""
    open_game(url).store.close()
    with tempfile.TemporaryDirectory() as sent:
        return await _campaign(post, url, letters, kills, sent)


async def _campaign(
    post: EmbeddedPost | RealPost, url: str, letters: Sequence[bytes], kills: Sequence[Kill], sent: str
) -> End:
    plan = Plan(url, post.imap_settings(MODERATOR), post.smtp_settings(MODERATOR), NOW, 0, sent=sent)
    died = delivered = 0
    for n, kill in enumerate([*kills, None], 1):
        # A few letters for each life: each has something to do, and something left over from the last.
        upto = len(letters) * n // (len(kills) + 1)
        for raw in letters[delivered:upto]:
            await post.deliver(raw, MODERATOR, sender="player@pbem.example")
        delivered = upto
        plan = msgspec.structs.replace(plan, letters=len(set(letters[:upto])))
        died += await _one_life(plan, kill)
    return await _end(post, url, died)


def begin(plan: Plan) -> BaseProcess:
    """A daemon in a process of its own."""
    process = _SPAWN.Process(target=live, args=(plan,))
    process.start()
    return process


async def _one_life(plan: Plan, kill: Kill | None) -> bool:
    """Whether the daemon was killed; otherwise it ended with its work."""
    named = kill if isinstance(kill, tuple) else ("", 1)
    life = msgspec.structs.replace(plan, point=named[0], count=named[1])
    process = begin(life)
    await asyncio.to_thread(_wait, process, kill if isinstance(kill, float) else LONGEST_LIFE, kill)
    if process.exitcode not in ((0, -signal.SIGKILL) if kill else (0,)):
        raise AssertionError(f"the daemon ended with {process.exitcode}")
    return process.exitcode != 0


def _wait(process: BaseProcess, seconds: float, kill: Kill | None) -> None:
    process.join(seconds)
    if process.exitcode is None:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        if not isinstance(kill, float):
            raise AssertionError(f"the daemon did not end in {seconds} s ({kill})")


async def _end(post: EmbeddedPost | RealPost, url: str, kills: int) -> End:
    store = Store.open(url)
    rows = store.dispatches("leipzig-1")
    boxes: dict[str, dict[str, str]] = {}
    copies = 0
    for seat, address in PLAYERS.items():
        wanted = {row.message_id for row in rows if row.seat == seat}
        raws = await _all(post, address, wanted)
        copies += len(raws) - len(wanted)
        boxes[address] = {_id(raw): _words(raw) for raw in raws}
        if set(boxes[address]) != wanted:
            raise AssertionError(f"{address} has {len(boxes[address])} of {len(wanted)} letters")
    loaded = store.load("leipzig-1")
    moderator = Moderator(store, Settings(MODERATOR), lambda: NOW)
    with store.journal("leipzig-1", NOW) as journal:
        state = moderator.tables.table("leipzig-1", journal).game.hash()
    end = End(
        answers=loaded.game.answers,
        state=state,
        draws=sorted((row.label, row.step, row.data) for row in store.draws("leipzig-1")),
        log=[entry.hash for entry in store.entries("leipzig-1")],
        boxes=boxes,
        copies=copies,
        kills=kills,
        unsent=sum(row.status != "sent" for row in rows),
    )
    store.close()
    return end


async def _all(post: EmbeddedPost | RealPost, address: str, wanted: set[str]) -> list[bytes]:
    if isinstance(post, RealPost):
        return await post.arrived(address, len(wanted))
    return post.messages(address)


def _id(raw: bytes) -> str:
    return str(email.message_from_bytes(raw, policy=email.policy.default)["Message-ID"])


def _words(raw: bytes) -> str:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain",))
    assert part is not None
    return f"{message['Subject']}\n{_OUR_ID.sub('<id>', part.get_content())}"
