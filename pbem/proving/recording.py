"""Whole games by letters, written down so that two versions of the code can be compared answer by answer.

A recorded game goes through the real intake: robots write letters, some of them as trials with a mistake in them, and
leave standing orders. Written down are every answer with its draws and the hash of the position behind it, and the
hash of every letter that a seat receives (text, HTML, attachments, what the map shows). Hashes within a letter (heads
of the log, message identifiers) are left out of it: they are compared by what they stand for. The games of a recording
share a store, whose letters are numbered through: one letter more or less shows in all games after it.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from sqlalchemy import event

from pbem import games
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import Live
from pbem.kernel.chance import Draw, Recorded
from pbem.kernel.drawing import Drawing
from pbem.kernel.game import Game
from pbem.kernel.order import LANGUAGES, Answer, Order, answer_to_data
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.letters.composing import reply_address
from pbem.letters.forms import write_form
from pbem.letters.message import Message
from pbem.store.store import Store

ADDRESS = "moderator@pbem.test"
BEGIN = datetime(2026, 3, 9, 8, tzinfo=UTC)
MIXED = "mixed"
MOST_LETTERS = 20_000
TRIALS = 0.2
"""The share of letters before which the robot asks whether orders with a mistake would stand."""
_HASH = re.compile(rb"[0-9a-f]{12,}")
_CHECK = {"en": "CHECK", "fr": "VÉRIFIER"}
_STANDING = {"en": "STANDING", "fr": "CONSIGNES"}


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a recording: an answer, or a letter that a seat received."""

    game: str
    n: int
    seat: str
    key: str = ""
    origin: str = ""
    by: str = ""
    answer: list[dict[str, Any]] = []
    draws: list[Draw] = []
    state: str = ""
    letter: str = ""
    """The hash of a letter; the other fields of an answer are then empty."""


class Shown:
    """A renderer that paints nothing: its picture is the hash of what it would show."""

    async def png(self, drawing: Drawing, width: int = 0) -> bytes:
        return hashlib.sha256(msgspec.json.encode(drawing)).digest()

    async def crop(self, drawing: Drawing, areas: Iterable[str], width: int = 0) -> bytes:
        return hashlib.sha256(msgspec.json.encode((drawing, list(areas)))).digest()

    def close(self) -> None:
        """Nothing to put away."""


class Stuck(RuntimeError):
    """A robot's letter has led nowhere."""


class _Recorder:
    """One store, in which one game after the other is played."""

    def __init__(self, store: Store, robot: str) -> None:
        self.store = store
        self.robot = robot
        self.now = BEGIN
        self.roots: Iterator[bytes] = iter(())
        self.moderator = Moderator(
            store,
            Settings(ADDRESS, letters_per_hour=1_000_000),
            lambda: self.now,
            entropy=lambda: next(self.roots),
        )
        self.secretary = Secretary(self.moderator.campaign, Shown())
        self.moderator.campaign.writer = self.secretary
        self.sent = itertools.count(1)
        self.lines: list[Line] = []
        """The letters of the game that is being played."""

    def play(self, rules: Rules[Any], scenario: str, options: Mapping[str, str], seed: int) -> list[Line]:
        """One game from its first letter to its last."""
        name, rng = f"{rules.name}-{scenario}-{seed}".replace("_", "-"), random.Random(seed)
        self.now, self.sent = BEGIN, itertools.count(1)
        self.roots = (hashlib.sha256(f"{name}|{n}".encode()).digest() for n in itertools.count())
        seats = rules.scenarios[scenario].seats
        players = {
            seat: Player(seat.title(), f"{seat}@{name}.test", LANGUAGES[(n + seed) % len(LANGUAGES)])
            for n, seat in enumerate(seats)
        }
        self.moderator.opening.open_game(rules.name, scenario, options, players, name)
        self.lines = []
        self._deliver(name)
        robots = {seat: self._robot_of(rules, n + seed) for n, seat in enumerate(seats)}
        word = {seat: self._standing(rules, rng) if seed % 3 else [] for seat in seats}
        while not (live := self._live(name)).over:
            question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
            seat, lang = question.seat, players[question.seat].lang
            answer = rules.robots[robots[seat]](live.game.view(seat), question, rng)
            if rng.random() < TRIALS:
                self._write(live, seat, [_CHECK[lang], *_text(rules, mistaken(rules, answer, rng), lang)])
                self._deliver(name)
            self._answer(live, question, _text(rules, answer, lang), word.pop(seat, []), lang)
            self._deliver(name)
            if next(self.sent) > MOST_LETTERS:
                raise Stuck(f"{name} does not end")
        return [*self._answers(name, rules, scenario), *self.lines]

    def _robot_of(self, rules: Rules[Any], n: int) -> str:
        return self.robot if self.robot != MIXED else ("sensible", "random")[n // 2 % 2]

    def _standing(self, rules: Rules[Any], rng: random.Random) -> list[type[Order]]:
        """Some of the game's own standing orders, as their help shows them."""
        shown = [kind for kind in rules.standing if kind.example]
        return rng.sample(shown, rng.randint(0, len(shown) // 2))

    def _live(self, name: str) -> Live:
        try:
            return self.moderator.tables.at_hand(name)
        except KeyError:
            with self.store.journal(name, self.now) as journal:
                return self.moderator.tables.table(name, journal)

    def _answer(
        self,
        live: Live,
        question: Question[Any],
        lines: Sequence[str],
        standing: Sequence[type[Order]],
        lang: str,
    ) -> None:
        """Orders in plain words; where they are not understood, in the form."""
        below = ["", _STANDING[lang], *(kind.example[lang] for kind in standing)] if standing else []
        before = live.game.answers
        several = len(live.open_to(question.seat)) > 1
        form = write_form(live.id, question.key, lines, lang)
        form[0] = re.sub(r" #[0-9a-f]{8}", "", form[0])
        for written in [form] if several else [lines, form]:
            self._write(live, question.seat, [*written, *below])
            if self._live(live.id).game.answers > before:
                return
        raise Stuck(f"{live.id}: {question.key} is not answered by {list(lines)}")

    def _write(self, live: Live, seat: str, lines: Sequence[str]) -> None:
        self.now += timedelta(minutes=10)
        person = live.people[seat]
        head = [
            f"From: {person.address}",
            f"To: {reply_address(ADDRESS, live.token(seat).text())}",
            "Subject: orders",
            f"Message-ID: <{next(self.sent)}.{person.address}>",
            "MIME-Version: 1.0",
            'Content-Type: text/plain; charset="utf-8"',
            "Content-Transfer-Encoding: 8bit",
        ]
        try:
            self.moderator.handle(Message("\r\n".join([*head, "", *lines, ""]).encode()))
        except Exception as error:  # A fault of ours is recorded like any other outcome.
            self.lines.append(Line(live.id, len(self.lines) + 1, seat, letter=f"fault: {error!r}"))

    def _deliver(self, name: str) -> None:
        for row in self.store.outbox.claim(self.now, self.now + timedelta(minutes=5), 10_000):
            raw = row.raw or asyncio.run(self.secretary.write(row))
            assert row.id is not None
            self.store.outbox.all_sent([row.id], self.now)
            said = hashlib.sha256(_HASH.sub(b"#", raw)).hexdigest()
            self.lines.append(Line(name, len(self.lines) + 1, row.seat or "", letter=said))

    def _answers(self, name: str, rules: Rules[Any], scenario: str) -> Iterator[Line]:
        """The answers of a game that is over, played again from its set-up."""
        draws: dict[str, Draw] = {row.label: row.drawn() for row in self.store.draws(name)}
        chance = Recorded(draws.values())
        game = Game.start(rules, scenario, self._options(name), chance)
        for row in self.store.answers(name):
            given = row.given(rules.orders)
            asked = len(chance.asked)
            game.give(given)
            drawn = [draws[label] for label in chance.asked[asked:]]
            answer = answer_to_data(given.answer)
            yield Line(name, row.n, row.seat, row.key, row.origin, row.by, answer, drawn, game.hash())

    def _options(self, name: str) -> dict[str, str]:
        genesis = next(iter(self.store.entries(name)))
        setup: dict[str, Any] = genesis.body["setup"]  # type: ignore[assignment]
        return dict(setup["options"])


def _text(rules: Rules[Any], answer: Answer, lang: str) -> list[str]:
    return [order.text(rules.vocabulary, lang) for order in answer]


def mistaken(rules: Rules[Any], answer: Answer, rng: random.Random) -> Answer:
    """An answer in which one order names another thing; the same answer where no order names any."""
    places = [
        (n, name, slot)
        for n, order in enumerate(answer)
        for name, slot in order.slots.items()
        if slot.kind == "name" and getattr(order, name) and rules.vocabulary.kinds.get(slot.vocabulary)
    ]
    if not places:
        return answer
    n, name, slot = rng.choice(places)
    other = rng.choice(sorted(rules.vocabulary.kinds[slot.vocabulary]))
    value = getattr(answer[n], name)
    new = (other, *value[1:]) if isinstance(value, tuple) else other
    changed: Order = msgspec.structs.replace(answer[n], **{name: new})
    return (*answer[:n], changed, *answer[n + 1 :])


def options_of(rules: Rules[Any], seed: int) -> dict[str, str]:
    """Every other game as usual, the others with options by chance."""
    rng = random.Random(f"options|{seed}")
    return {
        option.name: rng.choice(option.values) if seed % 2 else option.values[0] for option in rules.options
    }


def record(
    name: str, scenarios: Sequence[str], number: int, seed: int, robot: str = MIXED
) -> Iterator[list[Line]]:
    """Play that many games, of the scenarios in turn; the lines of each. Raises Stuck."""
    rules = games.load(name)
    with TemporaryDirectory(prefix="pbem-record-") as folder:
        store = Store.open(f"sqlite:///{folder}/pbem.db")
        # Nothing of it is kept, so nothing has to be safe on the disk.
        event.listen(store.engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous=OFF"))
        store.migrate()
        try:
            recorder = _Recorder(store, robot)
            for n in range(seed, seed + number):
                scenario = scenarios[n % len(scenarios)]
                yield recorder.play(rules, scenario, options_of(rules, n), n)
        finally:
            store.close()


def write(lines: Iterable[Line], file: Any) -> None:
    """Add lines to an open file of bytes."""
    for line in lines:
        file.write(msgspec.json.encode(line) + b"\n")


class Comparison(msgspec.Struct, frozen=True):
    """What two recordings have in common: how many games, and how they differ; nothing where they are alike."""

    games: int
    answers: int
    letters: int
    differences: list[str]


def compare(first: Path, second: Path) -> Comparison:
    """Two recordings, by the games that both have; of each its first difference. Raises ValueError, OSError."""
    before, after = _games(first), _games(second)
    common = [game for game in before if game in after]
    found = []
    for game in common:
        different = [pair for pair in itertools.zip_longest(before[game], after[game]) if pair[0] != pair[1]]
        if different:
            old, new = (msgspec.json.encode(line).decode() for line in different[0])
            found.append(f"{game}: {len(different)} lines differ, the first:\n  {old}\n  {new}")
    lines = [line for game in common for line in before[game]]
    letters = sum(bool(line.letter) for line in lines)
    return Comparison(len(common), len(lines) - letters, letters, found)


def _games(file: Path) -> dict[str, list[Line]]:
    """The lines of a recording by game. Raises ValueError, OSError."""
    found: dict[str, list[Line]] = {}
    with file.open("rb") as stream:
        for text in stream:
            line = msgspec.json.decode(text, type=Line)
            found.setdefault(line.game, []).append(line)
    return found
