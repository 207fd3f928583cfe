"""Pairs of games that differ only in what is hidden from one seat: its letters must be the same to the byte.

Two moderators with the same seeds play the same game. One seat, the eye, writes the same letters in both. The others
differ in what the eye may not know: what they write for themselves alone (trials, questions, diaries, other standing
orders), and answers whose consequences the eye does not see. After each step the eye asks for everything that can be
asked for. Where its view of the position differs the secret has come to light, and the pair is over.

Left out of the comparison are hashes, which seal what they hide and have the same length whatever it is.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import hashlib
import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from sqlalchemy import event

from pbem import games
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import Live, event_decoder
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given, state_bytes
from pbem.kernel.order import LANGUAGES, Answer
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.letters.composing import reply_address
from pbem.letters.forms import write_form
from pbem.letters.message import Message
from pbem.proving.recording import ADDRESS, BEGIN, Shown, options_of
from pbem.store.store import Store

STEPS = 40
"""Answers in a pair at most."""
ASKING = (
    "status",
    "history",
    "map",
    "dice",
    "help",
    "list",
    "why 1",
    "resend",
    "standing",
    "votes",
    "check 1",
)
PRIVATE = (
    *("CHECK 1", "HELP", "STATUS", "HISTORY", "DICE", "WHY 1", "MAP", "LIST", "STANDING", "CLEAR", "RESEND"),
    *("PRESS TO DIARY: a secret", "READING strict", "READING free", "nonsense of no use", "NEWTOKEN"),
)
_HASH = re.compile(r"[0-9a-f]{12,64}")
_TRIES = 8


class Leak(msgspec.Struct, frozen=True):
    """A letter that tells what its seat may not know."""

    game: str
    scenario: str
    seed: int
    eye: str
    step: int
    what: str
    """What was done of which the eye may know nothing."""
    first: str
    second: str
    """The first lines that differ."""


class Pair(msgspec.Struct, frozen=True):
    """What was compared in one pair of games."""

    game: str
    scenario: str
    options: dict[str, str]
    seed: int
    eye: str
    steps: int
    letters: int
    secrets: int
    """Times that the two games differed in what the eye does not see."""
    leak: Leak | None = None


class _World:
    """One of the two: a store, a moderator, and what the eye receives."""

    def __init__(self, store: Store, name: str, eye: str) -> None:
        self.store, self.name, self.eye = store, name, eye
        self.now = BEGIN
        roots = (hashlib.sha256(f"{name}|{n}".encode()).digest() for n in itertools.count())
        settings = Settings(ADDRESS, letters_per_hour=1_000_000)
        self.moderator = Moderator(store, settings, lambda: self.now, entropy=lambda: next(roots))
        self.secretary = Secretary(self.moderator.campaign, Shown())
        self.moderator.campaign.writer = self.secretary
        self.loop = asyncio.Runner()
        self.sent: dict[str, int] = {}

    @property
    def live(self) -> Live:
        with self.store.journal(self.name, self.now) as journal:
            return self.moderator.tables.table(self.name, journal)

    def write(self, seat: str, lines: Sequence[str]) -> None:
        """A letter of a seat."""
        live = self.live
        self.sent[seat] = self.sent.get(seat, 0) + 1
        person = live.people[seat]
        head = [
            f"From: {person.address}",
            f"To: {reply_address(ADDRESS, live.token(seat).text())}",
            "Subject: orders",
            f"Message-ID: <{self.sent[seat]}.{person.address}>",
            "MIME-Version: 1.0",
            'Content-Type: text/plain; charset="utf-8"',
            "Content-Transfer-Encoding: 8bit",
        ]
        self.moderator.handle(Message("\r\n".join([*head, "", *lines, ""]).encode()))

    def received(self) -> list[str]:
        """What the eye is sent now, as it can be compared."""
        found = []
        for row in self.store.outbox.claim(self.now, self.now + timedelta(minutes=5), 10_000):
            raw = row.raw or self.loop.run(self.secretary.write(row))
            assert row.id is not None
            self.store.outbox.all_sent([row.id], self.now)
            if row.seat == self.eye:
                found.append(comparable(raw))
        return found

    def view(self) -> object:
        """What the eye may know: its view of the position, what was told to it, who is asked what."""
        live = self.live
        game = live.game
        decoder = event_decoder(live.rules.name)
        told = [
            item.event for item in self.store.told(self.name, 0, 1 << 31, decoder) if item.known_to(self.eye)
        ]
        asked = [(q.key, q.seat, game.answered(q.key)) for q in game.questions.values()]
        return state_bytes(game.view(self.eye)), told, asked, live.over

    def close(self) -> None:
        self.loop.close()
        self.store.close()


def comparable(raw: bytes) -> str:
    """A letter with its size, and with every attachment in clear; hashes by their length."""
    message = email.message_from_bytes(raw, policy=email.policy.compat32)
    said = [f"{len(raw)} bytes", *(f"{name}: {value}" for name, value in message.items())]
    for part in message.walk():
        if not part.is_multipart():
            data = part.get_payload(decode=True)
            kind = part.get_content_type()
            shown = data.decode("utf-8", "replace") if isinstance(data, bytes) else ""
            said += [
                f"--- {kind} {part.get_filename()}",
                shown if not kind.startswith("image/") else hashlib.md5(shown.encode()).hexdigest()[:8],
            ]
    return _HASH.sub(lambda found: "#" * len(found[0]), "\n".join(said))


class _Playing:
    """One pair."""

    def __init__(self, worlds: tuple[_World, _World], rules: Rules[Any], seed: int, eye: str) -> None:
        self.worlds, self.rules, self.seed, self.eye = worlds, rules, seed, eye
        self.whim = random.Random(f"pair|{seed}")
        self.letters = self.steps = self.secrets = 0
        self.light = False
        """Whether the two games now differ in what the eye may know."""
        self.what = "the beginning"

    def both(self, work: Callable[[_World, int], None]) -> tuple[str, str] | None:
        """Something in both games; the first difference of what the eye then receives."""
        said = []
        for n, world in enumerate(self.worlds):
            world.now += timedelta(minutes=10)
            work(world, n)
            said.append(world.received())
        if self.worlds[0].view() != self.worlds[1].view() or self.worlds[0].live.over:
            self.light = True
            return None
        self.letters += sum(map(len, said))
        return difference(*said)

    def play(self) -> tuple[str, str] | None:
        """Until the secret comes to light; the first difference before that."""
        found = self.both(lambda world, n: None)
        while found is None and self.steps < STEPS and not self.light:
            game = self.worlds[0].live.game
            question = self.whim.choice([q for key, q in game.questions.items() if not game.answered(key)])
            found = self._aside(question)
            if found is None and not self.light:
                found = self._answer(question)
                self.steps += 1
            if found is None and not self.light and self.whim.random() < 0.5:
                found = self._ask()
        return found

    def _ask(self) -> tuple[str, str] | None:
        """Everything that the eye can ask for."""
        asked = self.whim.sample(ASKING, 5)
        self.what += f"; then the eye asked for {', '.join(asked)}"
        return self.both(lambda world, n: world.write(self.eye, asked))

    def _aside(self, question: Question[Any]) -> tuple[str, str] | None:
        """Somebody else writes what is his own business: in one game this, in the other that, or nothing."""
        other = self.whim.choice([seat for seat in self.worlds[0].live.seats if seat != self.eye])
        standing = [kind.example["en"] for kind in self.rules.standing if kind.example]
        done = [self.whim.choice(PRIVATE) if self.whim.random() < 0.7 else "" for _ in range(2)]
        if standing and self.whim.random() < 0.3 and question.seat == self.eye:
            # Other ones, taken back before anybody else can be asked anything. That there were some is in the log,
            # which everybody has from the next close on.
            done = [f"STANDING\n{self.whim.choice(standing)}" for _ in range(2)]
        self.what = f"{other} wrote {done[0]!r} or {done[1]!r}"

        def work(world: _World, n: int) -> None:
            if done[n]:
                world.write(other, done[n].split("\n"))
            if done[n].startswith("STANDING\n"):
                world.write(other, ["STANDING", "none"])

        self.secrets += done[0] != done[1]
        return self.both(work)

    def _answer(self, question: Question[Any]) -> tuple[str, str] | None:
        """An answer: the same in both games, or two that the eye cannot tell apart."""
        first = self._choose(self.worlds[0], question, self.whim.random())
        second = first if question.seat == self.eye else self._other(question, first)
        if second != first:
            self.secrets += 1
        self.what = f"{question.seat} answered {question.key} with {first} or {second}"
        answers = (first, second)
        return self.both(lambda world, n: self._give(world, question, answers[n]))

    def _choose(self, world: _World, question: Question[Any], whim: float) -> Answer:
        robots = [
            robot for name, robot in sorted(self.rules.robots.items()) if name in ("random", "sensible")
        ]
        robot = robots[int(whim * 1000) % len(robots)]
        return robot(world.live.game.view(question.seat), question, random.Random(whim))

    def _other(self, question: Question[Any], first: Answer) -> Answer:
        """Another answer that leaves what the eye sees as it is, if one is found."""
        seen = self._seen_after(self.worlds[0], question, first)
        for _ in range(_TRIES):
            other = self._choose(self.worlds[1], question, self.whim.random())
            if other != first and self._seen_after(self.worlds[1], question, other) == seen is not None:
                return other
        return first

    def _seen_after(self, world: _World, question: Question[Any], answer: Answer) -> object:
        """What the eye would see of an answer, tried on a copy; None where it cannot be given."""
        live = world.live
        draws = [row.drawn() for row in world.store.draws(world.name)]
        game: Game[Any] = live.game.fork(draws, Seeded(self.seed))
        if question.check(game.view(question.seat), answer):
            return None
        game.give(Given(question.key, question.seat, answer, LETTER))
        game.settle(lambda seat: [*live.standing.get(seat, ()), *live.rules.defaults])
        told = [item.event for item in game.take_told() if item.known_to(self.eye)]
        chance = game.table.chance
        open_draws = [
            (draw.label, draw.values, draw.items)
            for draw in (chance.draws.values() if isinstance(chance, Recorded) else ())
            if not draw.secret
        ]
        asked = [(q.seat, q.kind(), game.answered(q.key)) for q in game.questions.values()]
        return state_bytes(game.view(self.eye)), told, open_draws, asked, game.over

    def _give(self, world: _World, question: Question[Any], answer: Answer) -> None:
        live = world.live
        lang = live.people[question.seat].lang
        lines = [order.text(self.rules.vocabulary, lang) for order in answer]
        form = write_form(live.id, question.key, lines, lang)
        form[0] = re.sub(r" #[0-9a-f]{8}", "", form[0])
        world.write(question.seat, form)


def difference(first: Sequence[str], second: Sequence[str]) -> tuple[str, str] | None:
    """The first line in which what was received differs."""
    if list(first) == list(second):
        return None
    if len(first) != len(second):
        return f"{len(first)} letters", f"{len(second)} letters"
    for one, other in zip(first, second, strict=True):
        for line, line2 in itertools.zip_longest(one.split("\n"), other.split("\n"), fillvalue=""):
            if line != line2 and not (line.endswith(" bytes") and one.count("\n") > 1):
                return line, line2
    return first[0].split("\n")[0], second[0].split("\n")[0]


def play_one(name: str, scenario: str, options: Mapping[str, str], seed: int) -> Pair:
    """One pair of games from that seed."""
    rules = games.load(name)
    seats = rules.scenarios[scenario].seats
    eye = seats[seed % len(seats)]
    game_id = f"{name}-pair-{seed}"
    with TemporaryDirectory(prefix="pbem-pairs-") as folder:
        worlds = tuple(_World(_store(f"{folder}/{n}.db"), game_id, eye) for n in range(2))
        try:
            players = {
                seat: Player(seat.title(), f"{seat}@pairs.test", LANGUAGES[(n + seed) % len(LANGUAGES)])
                for n, seat in enumerate(seats)
            }
            for world in worlds:
                world.moderator.opening.open_game(name, scenario, options, players, game_id)
            playing = _Playing((worlds[0], worlds[1]), rules, seed, eye)
            found = playing.play()
        finally:
            for world in worlds:
                world.close()
    leak = None
    if found is not None:
        leak = Leak(name, scenario, seed, eye, playing.steps, playing.what, found[0][:500], found[1][:500])
    return Pair(
        name, scenario, dict(options), seed, eye, playing.steps, playing.letters, playing.secrets, leak
    )


def pairs(name: str, scenarios: Sequence[str], number: int, seed: int) -> Iterator[Pair]:
    """Play that many pairs, of the scenarios in turn, every other with options by chance."""
    rules = games.load(name)
    for n in range(seed, seed + number):
        yield play_one(name, scenarios[n // 2 % len(scenarios)], options_of(rules, n), n)


def _store(file: str) -> Store:
    store = Store.open(f"sqlite:///{file}")
    # Nothing of it is kept, so nothing has to be safe on the disk.
    event.listen(store.engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous=OFF"))
    store.migrate()
    return store
