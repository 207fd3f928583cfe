"""A small game with everything a log can hold, and the means to forge it."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Iterable
from typing import Any

from pbem.dice import log
from pbem.dice.audit import audit
from pbem.dice.croupier import Croupier
from pbem.dice.log import Entry
from pbem.dice.receipts import Leaf, opened_orders, receipt
from pbem.dice.seeds import Seeds
from pbem.dice.verdicts import Verdict

ROOT = bytes(range(32))
SECRET_ROOT = bytes(range(32, 64))
SALTS = {"french": "austerlitz", "allies": "корсика"}
CARDS = tuple(f"card{n}" for n in range(7))

Unhashed = tuple[str, dict[str, Any]]


class SampleGame:
    """A game in play with its croupier and its log."""

    def __init__(self, steps: int = 20) -> None:
        self.seeds = Seeds("sample-1", ROOT, SECRET_ROOT, steps)
        self.croupier = Croupier(self.seeds, salts=SALTS)
        self.entries: list[Entry] = []
        self.leaves: list[Leaf] = []
        self.add(
            "genesis", log.genesis(self.seeds, rules="ab" * 32, engine="0.1.0", setup={"scenario": "1813"})
        )

    def add(self, kind: str, body: dict[str, Any]) -> Entry:
        before = self.entries[-1] if self.entries else None
        at = f"1813-10-16T{len(self.entries):02}:00:00Z"
        self.entries.append(log.append(before, kind, at, body))
        return self.entries[-1]

    def letter(self, player: str, orders: str) -> Leaf:
        leaf = Leaf(player, f"{len(self.entries):032x}", orders)
        self.add("receipt", receipt(player, f"From: {player}\r\n\r\n{orders}".encode(), leaf))
        self.leaves.append(leaf)
        return leaf

    def play(self, draw: Callable[[Croupier], object]) -> None:
        self.croupier.begin(self.leaves)
        draw(self.croupier)
        for kind, body in self.croupier.finish("cd" * 32):
            if kind == "close":
                self.leaves = []
            self.add(kind, body)


def whole_game() -> SampleGame:
    """Public and secret rolls and decks, cards shown, orders opened, notes, the end."""
    game = SampleGame()

    def set_up(dice: Croupier) -> None:
        dice.shuffle("setup/missions", CARDS, rule="3.1", secret=True)
        dice.shuffle("setup/tiles", ["a", "b", "c", "d"], rule="3.2")

    def attack(dice: Croupier) -> None:
        dice.roll("t1/land/lindenau/att", 2, 6, rule="7.2", seat="french")
        dice.roll("t1/land/lindenau/def", 2, 6, rule="7.2", seat="allies")
        dice.roll("t1/scout", 3, 10, rule="9.1", seat="allies", secret=True)
        dice.deal("setup/missions", 2, to=None)
        dice.deal("setup/missions", 3, to="french")

    game.play(set_up)
    leaf = game.letter("french", "MOVE NEY TO LINDENAU")
    game.letter("allies", "HOLD\nWHEN attacked THEN stand")
    game.play(attack)
    game.add("opened", opened_orders([leaf]))
    game.add("act", log.act("allies", "standing", text="WHEN attacked THEN stand — «très bien»"))
    game.letter("allies", "MOVE BLUCHER TO MOCKERN")
    game.play(lambda dice: dice.roll("t2/land/mockern/att", 4, 6, rule="7.2", seat="allies"))
    game.play(lambda dice: dice.deal("t1/scout", 1, to=None))
    game.add("end", game.croupier.end())
    return game


def export(entries: Iterable[Entry]) -> bytes:
    file = io.BytesIO()
    log.export(entries, file)
    return file.getvalue()


def verdict_on(entries: Iterable[Entry], **options: Any) -> Verdict:
    return audit(io.BytesIO(export(entries)), **options)


def unhashed(entries: Iterable[Entry]) -> list[Unhashed]:
    """Kinds and bodies, free to be changed."""
    return [(entry.kind, copy.deepcopy(entry.body)) for entry in entries]


def rehash(parts: Iterable[Unhashed]) -> list[Entry]:
    """A log in which all hashes are right again, as a careful forger would leave it."""
    entries: list[Entry] = []
    for n, (kind, body) in enumerate(parts):
        entries.append(log.append(entries[-1] if entries else None, kind, f"1813-10-16T{n:02}:00:00Z", body))
    return entries


def nth(parts: list[Unhashed], kind: str, n: int = 0) -> dict[str, Any]:
    """The body of the nth entry of a kind."""
    return [body for each, body in parts if each == kind][n]
