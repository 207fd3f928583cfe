"""Measurements: figures, and ratios to a floor of the same run, so that they mean something on any machine."""

from __future__ import annotations

import copy
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import partial
from pathlib import Path

from pbem import games
from pbem.bench.chosen import Check, chosen, endless
from pbem.bench.dice_audit import audit_figures
from pbem.bench.figure import Figure
from pbem.bench.store import store_figures
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.table.tables import Live, take_up
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Game, Given
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.letters.reading import read
from pbem.orders.parser import parse_orders
from pbem.proving import fuzz
from pbem.reports import map as maps
from pbem.store.records import Sending
from pbem.store.store import Store

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ADDRESS = "moderator@pbem.test"


def _moderator(folder: Path, name: str) -> Moderator:
    """A moderator whose games always get the same seeds, so that the same letters fit them."""
    numbers = iter(range(1, 1_000_000))
    store = Store.open(f"sqlite:///{folder / name}.db")
    store.migrate()
    return Moderator(store, Settings(ADDRESS), lambda: NOW, entropy=lambda: next(numbers).to_bytes(32, "big"))


def _open(moderator: Moderator, number: int, game: str = "") -> list[str]:
    game = game or games.usual()
    rules = games.load(game)
    scenario = next(iter(rules.scenarios))
    players = {seat: Player(seat, f"{seat}@pbem.test") for seat in rules.scenarios[scenario].seats}
    return [moderator.opening.open_game(game, scenario, {}, players) for _ in range(number)]


def letter_of(live: Live, seat: str, text: str, number: int) -> bytes:
    """A plain letter as a player's mail program would send it."""
    message = EmailMessage()
    message["From"] = f"{seat} <{live.seats[seat].address}>"
    message["To"] = reply_address(ADDRESS, live.token(seat).text())
    message["Subject"] = f"Re: [{live.id}] your orders, please"
    message["Message-ID"] = f"<bench.{live.id}.{number}@pbem.test>"
    message.set_content(f"{text}\n\n> an old line\n> another old line\n\n-- \n{seat}\n")
    return bytes(message)


def _recorded_letters(folder: Path, number: int) -> list[bytes]:
    """The letters of whole robot games, written as text, one turn a letter, several games side by side."""
    moderator = _moderator(folder, "recording")
    ids = _open(moderator, 4)
    rng = random.Random(1813)
    robot = games.load(games.usual()).robots["sensible"]
    letters: list[bytes] = []
    n = 0
    while len(letters) < number:
        moved = False
        for game_id in ids:
            live = moderator.tables.at_hand(game_id)
            asked = [q for key, q in live.game.questions.items() if not live.game.answered(key)]
            if live.over or not asked:
                continue
            question = asked[0]
            answer = robot(live.game.view(question.seat), question, rng)
            text = "\n".join(order.text(live.rules.vocabulary) for order in answer)
            n += 1
            raw = letter_of(live, question.seat, text, n)
            if moderator.handle(Message(raw)).status != "done":
                raise RuntimeError(f"the letter was not taken: {text}")
            letters.append(raw)
            moved = True
        if not moved:
            break
    moderator.store.close()
    return letters[:number]


def letters(number: int = 400) -> Iterator[Figure]:
    """Parse → rules → commit → outbox on SQLite, against a floor that only stores letter and reply."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        raws = _recorded_letters(folder, number)
        rates: dict[str, list[float]] = {"floor": [], "whole": []}
        for turn in range(3):
            rates["floor"].append(len(raws) / _floor(folder, f"floor{turn}", raws))
            moderator = _moderator(folder, f"whole{turn}")
            _open(moderator, 4)
            rates["whole"].append(len(raws) / _timed(partial(_handle_all, moderator, raws)))
            moderator.store.close()
        floor, whole = statistics.median(rates["floor"]), statistics.median(rates["whole"])
        reading = len(raws) / _timed(lambda: [read(raw, own_address=ADDRESS) for raw in raws])
    yield Figure("letters: floor (store letter and reply)", floor, "letters/s")
    yield Figure("letters: parse, rules, commit, outbox", whole, "letters/s", whole / floor)
    yield Figure("letters: reading alone", reading, "letters/s")


def _handle_all(moderator: Moderator, raws: list[bytes]) -> None:
    for raw in raws:
        moderator.handle(Message(raw))


def _floor(folder: Path, name: str, raws: list[bytes]) -> float:
    store = Store.open(f"sqlite:///{folder / name}.db")
    store.migrate()

    def run() -> None:
        for n, raw in enumerate(raws):
            with store.journal(None, NOW) as journal:
                received = journal.receive(Message(raw, "bench"), digest=str(n), message_id=f"<{n}@x>")
                journal.handled(received.id, "done")
                journal.dispatch(Sending("a@pbem.test", "reply", f"<r{n}@x>", {"text": "taken"}))

    seconds = _timed(run)
    store.close()
    return seconds


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def campaign(answers: int = 10_000) -> Iterator[Figure]:
    """The cost of one letter in a long campaign and in a young one, taken in turns so that load hits both alike."""
    with tempfile.TemporaryDirectory() as name:
        old, young = _Drawing(Path(name), "old"), _Drawing(Path(name), "young")
        while old.live.game.answers < answers:
            old.letter()
        for _ in range(20):
            young.letter()
        pairs = [(old.letter(), young.letter()) for _ in range(300)]
        late, early = (statistics.median(seconds) for seconds in zip(*pairs, strict=True))
        game_id, store = old.live.id, old.moderator.store
        seconds = _timed(lambda: take_up(store.load(game_id), store.secret(game_id)))
        old.moderator.store.close()
        young.moderator.store.close()
    yield Figure("campaign: a letter at the start", early * 1000, "ms")
    yield Figure(f"campaign: a letter after {answers:,} answers", late * 1000, "ms", late / early)
    yield Figure(f"campaign: taking up a game of {answers:,} answers", seconds * 1000, "ms")


class _Drawing:
    """A campaign that never ends: each letter draws a card."""

    def __init__(self, folder: Path, name: str) -> None:
        self.moderator = _moderator(folder, name)
        game, self._how = endless()
        (game_id,) = _open(self.moderator, 1, game)
        self.live = self.moderator.tables.at_hand(game_id)
        self._letters = 0

    def letter(self) -> float:
        """Send the next letter; the seconds it took."""
        question = next(iter(self.live.game.questions.values()))
        text = self._how.text if question.kind() == self._how.question else _default_text(self.live)
        self._letters += 1
        raw = letter_of(self.live, question.seat, text, self._letters)
        return _timed(lambda: self.moderator.handle(Message(raw)))


def _default_text(live: Live) -> str:
    question = next(iter(live.game.questions.values()))
    answer = question.default(live.game.view(question.seat))
    return "\n".join(order.text(live.rules.vocabulary) for order in answer)


def pictures(number: int = 20) -> Iterator[Figure]:
    """A map of 1200 px after the first, from positions of a robot game."""
    rules = games.load(games.usual())
    game = Game.start(rules, next(iter(rules.scenarios)), {}, Recorded(beyond=Seeded(5)))
    rng = random.Random(5)
    drawings = []
    while not game.over:
        question = next(q for key, q in game.questions.items() if not game.answered(key))
        answer = rules.robots["sensible"](game.view(question.seat), question, rng)
        game.give(Given(question.key, question.seat, answer, LETTER))
        drawings.append(rules.drawing(game.view(question.seat), question.seat, "en"))
    chosen = drawings[:: max(1, len(drawings) // number)]
    with tempfile.TemporaryDirectory() as name:
        first = _timed(lambda: maps.png(chosen[0], 1200, cache_dir=Path(name)))
        times, sizes = [], []
        for drawing in chosen[1:]:
            started = time.perf_counter()
            sizes.append(len(maps.png(drawing, 1200, cache_dir=Path(name))))
            times.append(time.perf_counter() - started)
    yield Figure("map: the first, board drawn", first * 1000, "ms")
    yield Figure("map: after the first, median", statistics.median(times) * 1000, "ms")
    yield Figure("map: after the first, longest", max(times) * 1000, "ms")
    yield Figure("map: largest", max(sizes) / 1000, "kB")


def fuzzing(number: int = 20) -> Iterator[Figure]:
    """Random legal games, every step checked."""
    for name in games.names():
        rules = games.load(name)
        played = list(fuzz.fuzz(name, next(iter(rules.scenarios)), {}, number, 1))
        failed = sum(one.failure is not None for one in played)
        seconds = sum(one.seconds for one in played)
        yield Figure(
            f"fuzz {name}: decisions, checked", sum(p.decisions for p in played) / seconds, "decisions/s"
        )
        yield Figure(f"fuzz {name}: failures in {number} games", failed, "games")


def audits() -> Iterator[Figure]:
    """Checking the log of a long campaign, and playing a finished game again from its log."""
    from pbem.bench import audit_logs

    for name, value, unit in (*audit_figures(), *audit_logs.replays()):
        yield Figure(f"audit: {name}", value, unit)


def mail() -> Iterator[Figure]:
    """The whole service on mail servers: letters waiting in a mailbox, until the last reply is out."""
    from pbem.bench import mail as mail_module

    return mail_module.mail()


def roundtrips() -> Iterator[Figure]:
    """How many letters a turn costs."""
    from pbem.bench import robots

    return robots.roundtrips()


def balance() -> Iterator[Figure]:
    """Who wins."""
    from pbem.bench import robots

    return robots.balance()


def seven() -> Iterator[Figure]:
    """What seven seats cost."""
    from pbem.bench.seven import seven_seats

    return seven_seats()


def checks(number: int = 40) -> Iterator[Figure]:
    """A long letter, read, rehearsed and foreseen as CHECK does."""
    for name, wanted in chosen().items():
        if wanted.check is not None:
            yield from _check(name, wanted.check, number)


def _check(name: str, wanted: Check, number: int) -> Iterator[Figure]:
    rules = games.load(name)
    game = Game.start(rules, wanted.scenario, {}, Seeded(1))
    question = next(iter(game.questions.values()))
    view = copy.deepcopy(game.view(question.seat))
    for table, entries in wanted.state.items():
        getattr(view, table).update(entries)
    times = []
    for _ in range(number + 1):
        started = time.perf_counter()
        parsed = [
            parse_orders(line, question.orders, rules.vocabulary, plans=True)
            for line in wanted.letter.strip().splitlines()
        ]
        orders = tuple(order for line in parsed for order in line.orders)
        problems = [problem for line in parsed for problem in line.problems]
        problems += question.check(view, orders)
        if problems or rules.forecast is None or not rules.forecast(view, question.seat, orders):
            raise RuntimeError(f"the letter does not stand: {problems}")
        times.append(time.perf_counter() - started)
    first, *later = times
    head = f"check {name}: {wanted.name}"
    yield Figure(f"{head}, the first", first * 1000, "ms")
    yield Figure(f"{head}, median", statistics.median(later) * 1000, "ms")
    yield Figure(f"{head}, longest", max(later) * 1000, "ms")


ALL: dict[str, Callable[[], Iterator[Figure]]] = {
    "letters": letters,
    "campaign": campaign,
    "map": pictures,
    "check": checks,
    "fuzz": fuzzing,
    "audit": audits,
    "store": store_figures,
    "roundtrips": roundtrips,
    "balance": balance,
    "mail": mail,
    "seven": seven,
}
