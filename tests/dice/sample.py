"""A small game with everything a log can hold, in both modes, and the means to forge it."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pbem.dice.audit.audit import audit
from pbem.dice.audit.verdicts import Verdict
from pbem.dice.beacon.rounds import QUICKNET, Source
from pbem.dice.draw.croupier import AwaitBeacon, Croupier, DealtCard, Round
from pbem.dice.draw.seeds import Seeds
from pbem.dice.log import entries as entries_module
from pbem.dice.log.entries import Entry
from pbem.dice.log.receipts import Leaf, opened_orders, receipt
from tests.dice.beacon.drand import OURS, sign

ROOT = bytes(range(32))
SECRET_ROOT = bytes(range(32, 64))
SALTS = {"french": "austerlitz", "allies": "корсика"}
CARDS = tuple(f"card{n}" for n in range(7))
SOURCE = Source(OURS)
START = 1_792_152_000
NETWORKS = (QUICKNET, OURS)
CHANGED_TO = Source(OURS, 1_200)


def stamp(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class SampleGame:
    """A game in play with its croupier and its log; with a source, in `beacon` mode."""

    def __init__(self, steps: int = 20, source: Source | None = None) -> None:
        self.seeds = Seeds("sample-1", ROOT, SECRET_ROOT, steps)
        self.source = source
        self.croupier = Croupier(self.seeds, salts=SALTS, source=source)
        self.entries: list[Entry] = []
        self.leaves: list[Leaf] = []
        self.dealt: list[DealtCard] = []
        self.now = START
        setup = {"scenario": "1813"}
        genesis = entries_module.genesis(
            self.seeds, rules="ab" * 32, engine="0.1.0", setup=setup, source=source
        )
        self.add("genesis", genesis)

    def add(self, kind: str, body: dict[str, Any]) -> Entry:
        before = self.entries[-1] if self.entries else None
        self.now += 60
        self.entries.append(entries_module.append(before, kind, stamp(self.now), body))
        return self.entries[-1]

    def letter(self, player: str, orders: str) -> Leaf:
        leaf = Leaf(player, f"{len(self.entries):032x}", orders)
        self.add("receipt", receipt(player, f"From: {player}\r\n\r\n{orders}".encode(), leaf))
        self.leaves.append(leaf)
        return leaf

    def play(self, draw: Callable[[Croupier], object]) -> None:
        self.croupier.begin(self.leaves, now=self.now + 60)
        try:
            draw(self.croupier)
        except AwaitBeacon as awaited:
            self.wait_for(awaited)
            draw(self.croupier)
        self.dealt += self.croupier.proofs
        for kind, body in self.croupier.finish("cd" * 32):
            if kind == "close":
                self.leaves = []
            self.add(kind, body)

    def wait_for(self, awaited: AwaitBeacon) -> None:
        """What the moderator does: commits the close, waits, comes back with the round."""
        ((kind, close),) = self.croupier.suspend()
        self.add(kind, close)
        self.leaves = []
        self.now = awaited.at + 2
        self.croupier.take_up(close, Round(awaited.round, sign(awaited.round)))


def whole_game(source: Source | None = None, then: Source | None = None) -> SampleGame:
    """Public and secret rolls and decks, cards shown, orders opened, notes, the end.

    With `then` the game master changes the source before the last step.
    """
    game = SampleGame(source=source)

    def set_up(dice: Croupier) -> None:
        dice.shuffle("setup/missions", CARDS, rule="3.1", secret=True)
        dice.shuffle("setup/tiles", ["a", "b", "c", "d"], rule="3.2")

    def attack(dice: Croupier) -> None:
        dice.roll("t1/land/lindenau/att", 2, 6, rule="7.2", seat="french")
        dice.roll("t1/land/lindenau/def", 2, 6, rule="7.2", seat="allies")
        dice.roll("t1/scout", 3, 10, rule="9.1", seat="allies", secret=True)
        dice.deal("setup/missions", 2, to=None)
        dice.deal("setup/missions", 3, to="french")
        dice.deal("t1/scout", 0, to="allies")

    game.play(set_up)
    leaf = game.letter("french", "MOVE NEY TO LINDENAU")
    game.letter("allies", "HOLD\nWHEN attacked THEN stand")
    game.play(attack)
    game.add("opened", opened_orders([leaf]))
    game.add("act", entries_module.act("allies", "standing", text="WHEN attacked THEN stand — «très bien»"))
    if then is not None:
        game.add(
            "source", entries_module.change_of_source(author="gm", reason="the mail is slow", source=then)
        )
        game.croupier.source = then
    game.letter("allies", "MOVE BLUCHER TO MOCKERN")
    game.play(lambda dice: dice.roll("t2/land/mockern/att", 4, 6, rule="7.2", seat="allies"))
    game.play(lambda dice: dice.deal("t1/scout", 1, to=None))
    game.add("end", game.croupier.end())
    game.add("act", entries_module.statistics(verdict_on(game.entries).spreads))
    return game


ORDER, STANDING = [{"order": "move", "to": "lindenau"}], {"order": "hold", "losses": 2}
CORRECTION = ["points.french", 3]


def answered_game() -> SampleGame:
    """A finished game in which an answer came from everything that an answer can come from."""
    game = SampleGame()
    game.entries.clear()
    setup = {"seats": ["french", "allies"], "standing": [{"order": "usual"}]}
    game.add("genesis", entries_module.genesis(game.seeds, rules="ab" * 32, engine="0.1.0", setup=setup))
    sealed: list[Leaf] = []
    answers: list[dict[str, Any]] = []

    def seal(player: str, data: object) -> str:
        sealed.append(Leaf(player, f"{len(sealed):032x}", entries_module.canonical(data).decode()))
        game.leaves.append(sealed[-1])
        return sealed[-1].digest.hex()

    def letter(player: str, data: object) -> str:
        game.add("receipt", {"player": player, "letter": "11" * 32, "leaf": seal(player, data)})
        return f"receipt:{len(game.entries)}"

    def act(what: str, **facts: object) -> int:
        return game.add("act", entries_module.act("moderator", what, **facts)).n

    def answer(key: str, seat: str, origin: str, by: str = "") -> None:
        answers.append({"key": key, "seat": seat, "answer": ORDER, "origin": origin, "by": by})

    def late(seat: str, key: str) -> str:
        game.now += 3 * 3600
        return f"silence:{act('silence', seat=seat, keys=[key])}"

    def deadline(seat: str) -> None:
        act("deadline", seat=seat, until=stamp(game.now + 3600), grace=1)

    standing = entries_module.canonical(STANDING).decode()
    answer("t0/usual", "allies", "standing", '{"order":"usual"}')
    letter("allies", {"standing": [STANDING]})
    answer("t1/move", "french", "letter", letter("french", [["t1/move", ORDER]]))
    answer("t1/losses", "allies", "standing", standing)
    game.play(lambda dice: dice.roll("t1/att", 2, 6, rule="7.2"))
    answer("t1/retreat", "french", "only")
    letter("allies", {"standing": []})
    deadline("french")
    answer("t2/move", "french", "default", late("french", "t2/move"))
    deadline("french")
    act("substitute", seat="french")
    answer("t3/move", "french", "substitute", letter("french", [["t3/move", ORDER]]))
    act("caretaker", seat="french")
    answer("t4/move", "french", "substitute", late("french", "t4/move"))
    act("back", seat="french")
    acted = act("act_for", seat="allies", leaf=seal("allies", [["t4/aid", ORDER]]))
    answer("t4/aid", "allies", "master", f"master:{acted}")
    undone = letter("french", [["t5/move", ORDER]])
    target = len(game.entries) - 1
    game.add("rollback", entries_module.rollback(author="gm", reason="a slip", target=target, keep=True))
    assert undone == f"receipt:{target + 1}"
    act("correct", answers=len(answers), leaf=seal("moderator", CORRECTION))
    answer("t5/move", "french", "letter", letter("french", [["t5/move", ORDER]]))
    act("process", reason="holidays")
    answer("t5/aid", "allies", "default", f"silence:{act('silence', seat='allies', keys=['t5/aid'])}")
    game.play(lambda dice: dice.roll("t5/att", 2, 6, rule="7.2"))
    game.add("opened", opened_orders(sealed))
    corrections = [{"answers": 8, "path": CORRECTION[0], "value": CORRECTION[1]}]
    act("journal", answers=answers, state="00" * 32, corrections=corrections)
    game.add("end", game.croupier.end())
    return game


def export(entries: Iterable[Entry]) -> bytes:
    file = io.BytesIO()
    entries_module.export(entries, file)
    return file.getvalue()


def verdict_on(entries: Iterable[Entry], **options: Any) -> Verdict:
    return audit(io.BytesIO(export(entries)), **{"networks": NETWORKS, **options})


@dataclass
class Part:
    """An entry without its place and hash, free to be changed; without a time it takes the one before."""

    kind: str
    body: dict[str, Any]
    at: str = ""


def unhashed(entries: Iterable[Entry]) -> list[Part]:
    return [Part(entry.kind, copy.deepcopy(entry.body), entry.at) for entry in entries]


def rehash(parts: Iterable[Part]) -> list[Entry]:
    """A log in which all hashes are right again, as a careful forger would leave it."""
    entries: list[Entry] = []
    for part in parts:
        before = entries[-1] if entries else None
        at = part.at or (before.at if before else stamp(START))
        entries.append(entries_module.append(before, part.kind, at, part.body))
    return entries


def place(parts: list[Part], kind: str, n: int = 0) -> int:
    """Where the nth entry of a kind stands."""
    return [number for number, part in enumerate(parts) if part.kind == kind][n]


def nth(parts: list[Part], kind: str, n: int = 0) -> dict[str, Any]:
    """The body of the nth entry of a kind."""
    return parts[place(parts, kind, n)].body
