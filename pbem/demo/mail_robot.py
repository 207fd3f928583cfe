"""A robot that plays by post: it waits for its letters by IMAP and sends its orders by SMTP, like anybody.

It looks at the game only through its seat's view, which holds what its letters tell.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import datetime

from pbem.campaign.table.tables import position
from pbem.demo.mailbox import Incoming, Reply, opened
from pbem.demo.order_texts import Asked, Pen, rank_like
from pbem.demo.players import MODERATOR, Member, robot_of
from pbem.kernel.order import Order
from pbem.letters.message import Cursor
from pbem.post.embedded import EmbeddedPost
from pbem.post.imap import ImapInbox
from pbem.post.outcome import Sent
from pbem.post.smtp import SmtpOutlet
from pbem.store.store import Store

WAIT = 60.0
_MOST_REFUSALS = 3
_NUMBERED = re.compile(r"^\[(\d+)\] ", re.MULTILINE)


class Stuck(ValueError):
    """A robot whose letters lead nowhere: a fault of the game or of the moderator."""


class Correspondent:
    """One robot with its mailbox."""

    def __init__(
        self,
        member: Member,
        post: EmbeddedPost,
        store: Store,
        game_id: str,
        rng: random.Random,
        clock: Callable[[], datetime],
    ) -> None:
        self.member = member
        self._post = post
        self._store = store
        self._game_id = game_id
        self._rng = rng
        self._clock = clock
        self._game = position(store.load(game_id))
        self._robot = robot_of(self._game.rules)
        rules = self._game.rules
        reply = Reply(member.name, member.address, member.lang, MODERATOR)
        self._pen = Pen(reply, rules.vocabulary)
        self._last: Incoming | None = None
        self._unanswered = ""
        """The Message-ID of our last letter, while the moderator has not answered it."""
        self._asked = ""
        self._tries = 0
        self._letters = 0
        self._settled: set[str] = set()

    async def play(self) -> None:
        """Answer letters until cancelled. Raises Stuck."""
        address = self.member.address
        async with (
            ImapInbox(self._post.imap_settings(address)) as inbox,
            SmtpOutlet(self._post.smtp_settings(address)) as outlet,
        ):
            cursor = Cursor()
            while True:
                batch = [fetched async for fetched in inbox.letters(cursor)]
                for fetched in batch:
                    self.receive(fetched.raw)
                if batch:
                    cursor = batch[-1].cursor
                    await inbox.acknowledge(batch)
                raw = self.write()
                if raw is not None:
                    outcome = await outlet.send(raw, address, [self._to()])
                    if not isinstance(outcome, Sent):
                        raise Stuck(f"{address} could not send a letter: {outcome.reason}")
                await inbox.wait(WAIT)

    def receive(self, raw: bytes) -> None:
        """A letter from the moderator."""
        letter = opened(raw)
        self._last = letter
        if letter.in_reply_to == self._unanswered:
            self._unanswered = ""

    def write(self) -> bytes | None:
        """The letter to be written now, if there is one."""
        if self._last is None or self._unanswered or self._store.game(self._game_id).status == "over":
            return None
        asked = self._questions()
        if not asked:
            return None
        self._count(" ".join(item.question.key for item in asked))
        raw = self._letter(self._last, asked)
        self._unanswered = opened(raw).message_id
        return raw

    def _to(self) -> str:
        assert self._last is not None
        return self._last.reply_to

    def _questions(self) -> list[Asked]:
        self._game = game = position(self._store.load(self._game_id))
        seat = self.member.seat
        view = game.view(seat)
        return [
            Asked(question, view, self._robot(view, question, self._rng))
            for question in game.open_to(seat)
            if not game.answered(question.key)
        ]

    def _count(self, keys: str) -> None:
        self._tries = self._tries + 1 if keys == self._asked else 0
        self._letters += self._tries == 0
        self._asked = keys
        if self._tries > _MOST_REFUSALS:
            raise Stuck(f"{self.member.seat} has answered {keys} {self._tries} times and is asked again")

    def _letter(self, last: Incoming, asked: list[Asked]) -> bytes:
        """Mostly orders at once; once in a game a trial first, once a line that nobody can read."""
        now = self._clock()
        if self._tries == 0 and self._letters == 2:
            return self._pen.trial(last, asked, now, self._rng)
        if self._tries == 0 and self._letters == 4:
            blunder = self._pen.blunder(last, asked, now)
            if blunder is not None:
                return blunder
        extra: list[str] = []
        numbers = _NUMBERED.findall(last.text)
        if numbers and self._letters % 6 == 3:
            extra += self._pen.why(self._rng.choice(numbers))
        extra += self._pen.standing(self._standing(asked))
        return self._pen.letter(last, asked, now, self._rng, extra)

    def _standing(self, asked: list[Asked]) -> list[Order]:
        """Whoever has been asked such a thing once leaves word how to answer it from then on."""
        orders: list[Order] = []
        for item in asked:
            kind = item.question.kind()
            order = rank_like(item) if kind not in self._settled and self._letters > 1 else None
            self._settled.add(kind)
            if order is not None:
                orders.append(order)
        return orders
