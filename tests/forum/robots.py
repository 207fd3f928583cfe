"""Robots that play a game by posting on a board, as its members."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pbem.campaign.house_rules import Customs
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import position
from pbem.demo.players import robot_of
from pbem.kernel.drawing import Drawing
from pbem.letters.forms import write_form
from pbem.letters.posted import Place, account_address
from pbem.post.exchange import Exchange
from pbem.post.forum.board import Board
from pbem.post.forum.reader import ForumInbox
from pbem.post.forum.writer import ForumOutlet
from pbem.server.daemon import Daemon
from pbem.server.topics import Topics
from pbem.store.store import Store
from tests.forum.campaign import Postman
from tests.forum.sites import Site
from tests.forum.test_contract import PNG


class Painter:
    """Paints the same little picture of everything."""

    async def png(self, drawing: Drawing, width: int) -> bytes:
        return PNG

    async def crop(self, drawing: Drawing, part: Any, width: int) -> bytes:
        return PNG


class Table:
    """A game on a board, whose seats are held by robots with accounts there."""

    def __init__(self, site: Site, url: str, *, renderer: Any = None, settle: float = 0.0) -> None:
        self.site = site
        self.url = url
        self.renderer = renderer or Painter()
        self.settle = settle
        self.whim = random.Random(7)
        self.mail = Postman()
        self.players: dict[str, str] = {}
        self.orders = 0
        self.game = ""
        self.daemon = self._daemon()

    def _daemon(self) -> Daemon:
        store = Store.open(self.url)
        store.migrate()
        moderator = Moderator(store, Settings("moderator@pbem.test"), lambda: datetime.now(UTC))
        boards: Mapping[str, Board] = {"consim": self.site.robot}
        return Daemon(
            moderator,
            Secretary(moderator.campaign, self.renderer, 600, boards=boards),
            None,
            Exchange(self.mail, {"consim": ForumOutlet(self.site.robot, Topics(store))}),  # type: ignore[arg-type]
            boards=[ForumInbox(self.site.robot, settle=self.settle)],
        )

    def restart(self) -> None:
        """The daemon dies and another takes its place."""
        self.daemon.store.close()
        self.daemon = self._daemon()

    @property
    def store(self) -> Store:
        return self.daemon.store

    async def begin(self, game: str, scenario: str, seats: Mapping[str, str], **customs: Any) -> None:
        """Open the game and deliver its first letters."""
        await self.daemon.fetch_posts()
        players = {}
        for seat, name in seats.items():
            if "@" in name:
                players[seat] = Player(seat.title(), name, "en")
                continue
            account = await self.site.as_(name).account()
            players[seat] = Player(name.title(), account_address("consim", account.id), "en")
        self.players = dict(seats)
        name = f"{game}-{time.time_ns() % 10**8}"
        self.game = self.daemon.moderator.opening.open_game(
            game, scenario, {}, players, name, customs=Customs(thread="consim", **customs)
        )
        await self.deliver()

    async def deliver(self) -> None:
        """Send what is due."""
        while await self.daemon.send_due():
            pass

    async def play(self, most: int = 400, public: bool = False) -> str:
        """Play until the game is over, or so many posts have been written; how the game stands then."""
        while self.orders < most and self.store.game(self.game).status == "running":
            moved = False
            for seat, name in self.players.items():
                text = self.answer(seat)
                if text and self.orders < most and self.store.game(self.game).status == "running":
                    await self.post(seat, name, text, public)
                    await self.daemon.fetch_posts()
                    self.daemon.tick()
                    await self.deliver()
                    moved = True
            if not moved:
                break
        return self.store.game(self.game).status

    async def look(self) -> None:
        """Once more at the board, which may show a post late, and whatever follows from it."""
        await self.daemon.fetch_posts()
        self.daemon.tick()
        await self.deliver()

    async def post(self, seat: str, name: str, text: str, public: bool) -> None:
        """A seat's orders: where its player has his topic, in the thread, or by mail."""
        self.orders += 1
        account = await self.site.as_(name).account()
        rows = [one for one in self.store.topics(self.game) if one.private is not public]
        row = next(one for one in rows if public or one.account == account.id)
        place = Place(row.topic, row.private)
        await self.site.meet(name, place)
        said = f"@pbem\n{text}" if public else text
        await self.site.as_(name).write(place, said, f"order{time.time_ns()}")

    def answer(self, seat: str) -> str:
        """What a seat's robot would post now; empty where it is asked nothing."""
        game = position(self.store.load(self.game))
        view, robot = game.view(seat), robot_of(game.rules)
        blocks: list[str] = []
        for question in game.open_to(seat):
            if not game.answered(question.key):
                orders = robot(view, question, self.whim)
                lines = [order.text(game.rules.vocabulary, "en") for order in orders]
                first, *_, last = write_form(self.game, question.key, ["-"], "en")
                blocks += [first, *lines, last, ""]
        return "\n".join(blocks)


def log_file(store: Store, game: str, folder: Path) -> Path:
    """The log of a game as a file."""
    from pbem.dice.log import entries

    file = folder / f"{game}.jsonl"
    with file.open("wb") as stream:
        entries.export(store.entries(game), stream)
    return file
