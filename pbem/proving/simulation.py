"""A simulated month: many games at once, players of all types, an injected clock, the real intake.

Every letter goes through `Moderator.handle` as raw bytes, every answer is written by the secretary and read by its
player. In the middle the moderator is out of reach for some hours. At the end every game is over, or stands where
it should; and nobody who writes in time has been marked late.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from tempfile import TemporaryDirectory

import msgspec
from sqlalchemy import event

from pbem import games
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.deadlines.missed import NOBODY
from pbem.campaign.intake.moderator import PULSE, Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.signup.new_game import default_options
from pbem.campaign.table.tables import CARETAKER_ACTS, Live
from pbem.letters.message import Message
from pbem.proving import player_types
from pbem.proving.player_types import KEEPS_DEADLINES, PLAYER_TYPES, Person
from pbem.store.store import Store

ADDRESS = "moderator@pbem.test"
BEGIN = datetime(2026, 3, 9, 8, tzinfo=UTC)
"""The month holds a change of the clocks."""
OUTAGE = timedelta(hours=9)
CALENDAR = Calendar(
    zone="Europe/Paris", hours=48, snap="20:00", barred=("sun",), reminders=(12,), grace=24, floor=6
)
_CLAIM = timedelta(minutes=5)
_LETTER, _RETURN = "letter", "return"


class Summary(msgspec.Struct, frozen=True):
    """What came of it."""

    games: int
    days: int
    seats: int
    """In all games together."""
    letters_in: int
    letters_out: int
    round_trips: int
    """Letters whose orders were taken."""
    handled: dict[str, int]
    """What became of the letters."""
    tally: dict[str, int]
    """Reminders, notices, answers on time and late, defaults, the caretaker's answers, bounces."""
    standing: dict[str, int]
    """How the games stand at the end."""
    answers: int
    seconds: float
    faults: list[str]
    """What should not have happened; nothing."""


class Simulation:
    """A month of games on a store of its own."""

    def __init__(self, store: Store, number: int, days: int, *, game: str, seed: int = 1) -> None:
        self.store = store
        self.number = number
        self.days = days
        self.game = game
        self.seed = seed
        self.now = BEGIN
        self.end = BEGIN + timedelta(days=days)
        roots = itertools.count(1)
        self.moderator = Moderator(
            store,
            Settings(ADDRESS, letters_per_hour=1000),
            lambda: self.now,
            entropy=lambda: next(roots).to_bytes(32, "big"),
        )
        self.secretary = Secretary(self.moderator.campaign, None)
        self.moderator.campaign.writer = self.secretary
        self.people: dict[str, Person] = {}
        self.games: list[str] = []
        self.handled: Counter[str] = Counter()
        self.letters_out = 0
        self.faults: list[str] = []
        self._queue: list[tuple[datetime, int, str, bytes]] = []
        self._numbers = itertools.count(1)

    async def run(self) -> Summary:
        """The whole month."""
        started = time.perf_counter()
        self._open()
        await self._deliver()
        outage = BEGIN + timedelta(days=self.days) / 2
        await self._until(outage)
        await self._outage(outage)
        await self._until(self.end)
        self.now = self.end
        self._judge()
        return self._summary(time.perf_counter() - started)

    async def _until(self, end: datetime) -> None:
        while (at := self._next()) is not None and at < end:
            self.now = max(self.now, at)
            await self._step()

    def _open(self) -> None:
        rules = games.load(self.game)
        scenarios = itertools.cycle(rules.scenarios.values())
        first = next(iter(rules.scenarios.values()))
        # Every pair of types meets, and the same ones too; of more than two players each is of any.
        pairs = itertools.islice(itertools.cycle(itertools.product(PLAYER_TYPES, repeat=2)), 0, None, 7)
        rng = random.Random(self.seed)
        for n, pair in zip(range(1, self.number + 1), pairs, strict=False):
            name = f"sim-{n}"
            scenario = next(scenarios) if rules.agreements is not None and n % 3 == 0 else first
            chosen = pair if len(scenario.seats) == 2 else rng.choices(PLAYER_TYPES, k=len(scenario.seats))
            players = {}
            for at, (seat, kind) in enumerate(zip(scenario.seats, chosen, strict=True)):
                lang = ("en", "fr")[(n + at) % 2]
                person = Person(name, seat, kind, lang, ADDRESS, f"{self.seed}|{name}|{seat}")
                self.people[person.address] = person
                players[seat] = Player(person.address, person.address, lang)
            self.moderator.opening.open_game(
                self.game, scenario.name, default_options(self.game), players, name, CALENDAR
            )
            self.games.append(name)

    def _next(self) -> datetime | None:
        stroke = self.store.next_game_at()
        letter = self._queue[0][0] if self._queue else None
        return min((at for at in (stroke, letter) if at is not None), default=None)

    async def _step(self) -> None:
        if self._queue and self._queue[0][0] <= self.now:
            _, _, kind, raw = heapq.heappop(self._queue)
            if kind == _RETURN:
                self._come_back(raw.decode())
            else:
                self.handled[self.moderator.handle(Message(raw)).status] += 1
        else:
            self.moderator.timekeeper.tick()
        await self._deliver()

    async def _outage(self, at: datetime) -> None:
        """Nobody is at the desk for some hours; letters pile up, and are taken in before any clock strikes."""
        self.store.beat(PULSE, at)
        self.now = at + OUTAGE
        self.moderator.timekeeper.wake()
        while self._queue and self._queue[0][0] <= self.now:
            await self._step()
        await self._deliver()

    async def _deliver(self) -> None:
        """Whatever lies in the outbox is written and read."""
        sent: list[int] = []
        for row in self.store.outbox.claim(self.now, self.now + _CLAIM, 10_000):
            raw = row.raw or await self.secretary.write(row)
            assert row.id is not None
            sent.append(row.id)
            self.letters_out += 1
            person = self.people.get(row.address)
            if person is None:
                self.faults.append(f"a letter to {row.address}, whom nobody knows")
            elif person.reachable(self.now):
                self._read(person, raw)
            else:
                self._bounce(person, row.message_id)
        if sent:
            self.store.outbox.all_sent(sent, self.now)

    def _read(self, person: Person, raw: bytes) -> None:
        letter = player_types.opened(raw)
        live = self._live(person.game)
        token = live.token(person.seat).text()
        for sending in person.read(letter, live.game, token, self.now):
            self._push(sending.at, _LETTER, sending.raw)

    def _bounce(self, person: Person, message_id: str) -> None:
        report = player_types.bounce(person.address, ADDRESS, message_id, next(self._numbers))
        self._push(self.now + timedelta(minutes=1), _LETTER, report)
        assert person.unreachable_until is not None
        self._push(person.unreachable_until, _RETURN, person.address.encode())

    def _come_back(self, address: str) -> None:
        person = self.people[address]
        live = self._live(person.game)
        if live.person(person.seat).unreachable is not None:
            sending = person.returned(live.token(person.seat).text(), self.now)
            self._push(self.now, _LETTER, sending.raw)

    def _push(self, at: datetime, kind: str, raw: bytes) -> None:
        heapq.heappush(self._queue, (at, next(self._numbers), kind, raw))

    def _live(self, game: str) -> Live:
        try:
            return self.moderator.tables.at_hand(game)
        except KeyError:
            with self.store.journal(game, self.now) as journal:
                return self.moderator.tables.table(game, journal)

    def _judge(self) -> None:
        """Whatever should not be so."""
        for person in self.people.values():
            record = self._live(person.game).affairs.records.get(person.seat)
            if record is None or person.kind not in KEEPS_DEADLINES:
                continue
            if record.late or record.missed:
                self.faults.append(f"{person.address} ({person.kind}) is marked late, by our fault")
        for name in self.games:
            self._judge_game(name)

    def _judge_game(self, name: str) -> None:
        live, row = self._live(name), self.store.game(name)
        wrong = live.rules.invariants(live.game.state)
        if wrong:
            self.faults.append(f"{name}: {wrong[0]}")
        if live.over or live.affairs.paused == NOBODY:
            if row.next_at is not None:
                self.faults.append(f"{name} is at rest, and its clock runs")
            if live.affairs.paused and not all(
                live.person(seat).acting == CARETAKER_ACTS for seat in live.seats
            ):
                self.faults.append(f"{name} stands still, and somebody plays")
            return
        unreachable = any(live.person(seat).unreachable is not None for seat in live.seats)
        if row.next_at is None and not unreachable:
            self.faults.append(f"{name} waits, and nothing will ever happen")
        if row.next_at is not None and row.next_at <= self.end - timedelta(minutes=1):
            self.faults.append(f"{name} was due at {row.next_at}, and nothing happened")

    def _standing(self, name: str) -> str:
        live = self._live(name)
        if live.over:
            return "over"
        if live.affairs.paused:
            return "stands still: nobody plays"
        if live.affairs.wanted:
            return "running, a replacement is wanted"
        if any(live.person(seat).unreachable is not None for seat in live.seats):
            return "running, a clock is stopped"
        if any(live.person(seat).acting for seat in live.seats):
            return "running, with a caretaker"
        return "running"

    def _summary(self, seconds: float) -> Summary:
        tally = dict(sorted(self.moderator.campaign.tally.items()))
        return Summary(
            games=self.number,
            days=self.days,
            seats=len(self.people),
            letters_in=sum(self.handled.values()),
            letters_out=self.letters_out,
            round_trips=tally.get("on_time", 0) + tally.get("late", 0),
            handled=dict(sorted(self.handled.items())),
            tally=tally,
            standing=dict(sorted(Counter(self._standing(name) for name in self.games).items())),
            answers=sum(self.store.game(name).answers for name in self.games),
            seconds=round(seconds, 2),
            faults=self.faults,
        )


def simulate(number: int, days: int, *, game: str = "", seed: int = 1, processes: int = 1) -> Summary:
    """A month of that many games, shared among processes; their summaries together."""
    game = game or games.usual()
    started = time.perf_counter()
    shares = [number // processes + (n < number % processes) for n in range(processes)]
    tasks = [(share, days, game, seed + n) for n, share in enumerate(shares) if share]
    if len(tasks) == 1:
        return _share(*tasks[0])
    with ProcessPoolExecutor(len(tasks), mp_context=get_context("spawn")) as pool:
        summaries = list(pool.map(_share, *zip(*tasks, strict=True)))
    return Summary(
        games=number,
        days=days,
        seats=sum(one.seats for one in summaries),
        letters_in=sum(one.letters_in for one in summaries),
        letters_out=sum(one.letters_out for one in summaries),
        round_trips=sum(one.round_trips for one in summaries),
        handled=_added(one.handled for one in summaries),
        tally=_added(one.tally for one in summaries),
        standing=_added(one.standing for one in summaries),
        answers=sum(one.answers for one in summaries),
        seconds=round(time.perf_counter() - started, 2),
        faults=[fault for one in summaries for fault in one.faults],
    )


def _share(number: int, days: int, game: str, seed: int) -> Summary:
    with TemporaryDirectory(prefix="pbem-simulate-") as folder:
        store = Store.open(f"sqlite:///{folder}/pbem.db")
        # Nothing of it is kept, so nothing has to be safe on the disk.
        event.listen(store.engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous=OFF"))
        store.migrate()
        try:
            return asyncio.run(Simulation(store, number, days, game=game, seed=seed).run())
        finally:
            store.close()


def _added(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(sorted(total.items()))
