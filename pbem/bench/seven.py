"""What seven seats cost: a long letter against a large position, and the reports of a turn with their maps."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

from pbem import games
from pbem.bench.figure import Figure
from pbem.campaign.campaign import Settings
from pbem.campaign.intake.moderator import Moderator
from pbem.campaign.intake.sections import head_of
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.signup.new_game import Player
from pbem.campaign.table.tables import Live
from pbem.kernel.agreement import Agreement, Binding, Clause
from pbem.kernel.game import Checkpoint, Game, state_bytes
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.reports.map.paint.renderer import InlineRenderer
from pbem.store.store import Store

ADDRESS = "moderator@pbem.test"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LINES, POSITION = 60, 60_000


def seven_seats() -> Iterator[Figure]:
    """The figures. Raises LookupError where no game of seven seats with agreements is installed."""
    name, scenario = _game()
    with tempfile.TemporaryDirectory() as folder:
        table = _Table(Path(folder), name, scenario)
        yield from table.letters()
        table = _Table(Path(folder) / "maps", name, scenario)
        yield from table.reports()


def _game() -> tuple[str, str]:
    for name in games.names():
        rules = games.load(name)
        for scenario in rules.scenarios.values():
            if len(scenario.seats) == 7 and rules.agreements is not None:
                return name, scenario.name
    raise LookupError("no game of seven seats with agreements is here")


class _Table:
    """A game of seven by mail."""

    def __init__(self, folder: Path, name: str, scenario: str) -> None:
        folder.mkdir(exist_ok=True)
        numbers = iter(range(1, 1_000_000))
        store = Store.open(f"sqlite:///{folder / 'seven.db'}")
        store.migrate()
        self.moderator = Moderator(
            store,
            Settings(ADDRESS, letters_per_hour=100_000),
            lambda: NOW,
            entropy=lambda: next(numbers).to_bytes(32, "big"),
        )
        self.secretary = Secretary(self.moderator.campaign, InlineRenderer())
        self.moderator.campaign.writer = self.secretary
        self.seats = games.load(name).scenarios[scenario].seats
        players = {seat: Player(seat, f"{seat}@pbem.test") for seat in self.seats}
        self.game = self.moderator.opening.open_game(name, scenario, {}, players)
        self.number = self.pictures = 0
        self.write_all()

    @property
    def live(self) -> Live:
        return self.moderator.tables.at_hand(self.game)

    def write_all(self) -> int:
        """Write what lies in the outbox; how many letters."""
        rows = self.moderator.store.outbox.due(NOW, 1000)
        for row in rows:
            self.pictures += b"image/png" in asyncio.run(self.secretary.write(row))
            assert row.id is not None
            self.moderator.store.outbox.mark_sent(row.id, NOW)
        return len(rows)

    def letter(self, seat: str, lines: list[str]) -> bytes:
        """A plain letter of a seat."""
        self.number += 1
        message = EmailMessage()
        message["From"], message["Subject"] = f"{seat}@pbem.test", "Re: orders"
        message["To"] = reply_address(ADDRESS, self.live.token(seat).text())
        message["Message-ID"] = f"<seven.{self.number}@pbem.test>"
        message.set_content("\n".join(lines))
        return bytes(message)

    def letters(self, number: int = 20) -> Iterator[Figure]:
        """Letters of sixty lines, each read, rehearsed and answered in words, against a position of 60 kB."""
        self._grow()
        seat = self.seats[0]
        question = self.live.open_to(seat)[0]
        view = self.live.game.view(seat)
        texts = [
            "; ".join(order.text(self.live.rules.vocabulary) for order in answer)
            for answer, _ in zip(question.legal(view), range(LINES), strict=False)
        ]
        orders = (texts * LINES)[: LINES - 1]
        head = head_of(question, self.live.rules.vocabulary, "en")
        times = []
        for _ in range(number):
            raw = self.letter(seat, ["CHECK", head, *orders])
            started = time.perf_counter()
            if self.moderator.handle(Message(raw)).status != "done":
                raise RuntimeError("the letter was not taken")
            times.append(time.perf_counter() - started)
            self.write_all()
        size = len(state_bytes(self.live.game.state)) / 1000
        name = f"seven: a letter of {LINES} lines, a position of {size:.0f} kB"
        yield Figure(f"{name}, median", statistics.median(times) * 1000, "ms")
        yield Figure(f"{name}, longest", max(times) * 1000, "ms")

    def _grow(self) -> None:
        """A position of 60 kB, as a long campaign has it: agreements of many words."""
        live = self.live
        assert live.rules.agreements is not None
        book = live.rules.agreements(live.game.state)
        n = 1000
        while len(state_bytes(live.game.state)) < POSITION:
            n += 1
            text = f"what both have promised each other in the letter of the {n}th day of the war"
            book.binding.append(Binding(Agreement(n, self.seats[:2], (Clause(text), Clause("words"))), 0))
        grown = Checkpoint(0, 0, state_bytes(live.game.state))
        live.game = Game(live.rules, grown, live.croupier)

    def reports(self) -> Iterator[Figure]:
        """The reports of a turn's end to all seven, words, pages and maps."""
        rules = self.live.rules
        for seat in (*self.seats, *self.seats):
            for question in self.live.open_to(seat):
                if self.live.game.answered(question.key):
                    continue
                lines = [head_of(question, rules.vocabulary, "en")]
                lines += [
                    order.text(rules.vocabulary) for order in question.default(self.live.game.view(seat))
                ]
                self.moderator.handle(Message(self.letter(seat, lines)))
            if self.live.affairs.bulletins:
                break
            self.write_all()
        self.pictures = 0
        started = time.process_time()
        self.write_all()
        seconds = time.process_time() - started
        yield Figure(f"seven: {self.pictures} reports with map, CPU", seconds, "s")
