"""One roll by hand: everything that goes into it, and one line of Python that anyone can run.

The line needs Python and nothing else, and no part of this project. Only the standard library is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.dice.draw import streams
from pbem.dice.log import fields
from pbem.dice.log.fields import Fault, Json

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_MOST_BLOCKS = 1_000


@dataclass(frozen=True)
class ByHand:
    """An open draw with what it was made of."""

    game: str
    k: int
    seed: str
    beacon: str
    label: str
    rule: str
    seat: str
    sides: int
    values: tuple[int, ...]
    before: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    entry: int = 0

    @property
    def again(self) -> tuple[int, ...] | tuple[str, ...]:
        """The draw, worked out again."""
        seed, beacon = bytes.fromhex(self.seed), bytes.fromhex(self.beacon)
        key = streams.step_key(seed, self.game, self.k, beacon)
        if self.before:
            return streams.shuffle(key, self.label, self.before)
        return streams.roll(key, self.label, len(self.values), self.sides)

    @property
    def good(self) -> bool:
        """Whether the log has what comes out."""
        return self.again == (self.items if self.before else self.values)

    @property
    def command(self) -> str:
        """A line for a shell that prints the dice again; empty for a shuffle."""
        if self.before:
            return ""
        seed, beacon = bytes.fromhex(self.seed), bytes.fromhex(self.beacon)
        stream = streams.Stream(streams.step_key(seed, self.game, self.k, beacon), self.label)
        for _ in self.values:
            stream.die(self.sides)
        if stream.blocks > _MOST_BLOCKS:
            return ""
        size = max(1, ((self.sides - 1).bit_length() + 7) // 8)
        limit = 256**size - 256**size % self.sides
        name = f"b'pbem-step/1|{self.game}|{self.k}|'"
        if not _PLAIN_NAME.fullmatch(self.game):
            name = f"f('{f'pbem-step/1|{self.game}|{self.k}|'.encode().hex()}')"
        key = f"k=h(f('{self.seed}'),{name}+f('{self.beacon}'),'sha256')"
        if stream.blocks <= 1:
            blocks = f"s=h(k,b'pbem-roll/1|{self.label}|0','sha256')"
        else:
            block = f"h(k,b'pbem-roll/1|{self.label}|%d'%c,'sha256')"
            blocks = f"s=b''.join({block} for c in range({stream.blocks}))"
        numbers = "s"
        if size > 1:
            numbers = f"[int.from_bytes(s[i:i+{size}],'big') for i in range(0,len(s)-{size - 1},{size})]"
        dice = f"print([b%{self.sides}+1 for b in {numbers} if b<{limit}][:{len(self.values)}])"
        return f'python3 -c "from hmac import digest as h;f=bytes.fromhex;{key};{blocks};{dice}"'


def find(lines: Iterable[bytes], label: str) -> ByHand | None:
    """An open draw of a log that has been audited; of several (after a rollback), the last."""
    found: ByHand | None = None
    try:
        records = (fields.parse(line, whole=True) for line in lines)
        for draw in open_draws(((record.get("kind"), record.get("body")) for record in records), label):
            found = draw
    except Fault:
        return found
    return found


def open_draws(
    entries: Iterable[tuple[object, object]], label: str = "", *, within: str = ""
) -> Iterator[ByHand]:
    """The open draws of a log, given as kinds and bodies: of one label, or of all that begin with `within`.

    Raises Fault where the log is not as it should be; it is to be audited before.
    """
    game = ""
    beacons: dict[int, str] = {}
    for entry, (kind, body) in enumerate(entries, 1):
        if not isinstance(body, dict):
            raise Fault("fields", "body")
        if kind == "genesis":
            game = fields.text(body, "game", 200)
        elif kind == "close" and "beacon" in body:
            beacons = {fields.number(body, "k", 1, 1 << 20): fields.digest(body, "beacon").hex()}
        elif kind == "result":
            yield from _in_result(body, game, beacons, (label, within), entry)


def _in_result(
    body: Json, game: str, beacons: dict[int, str], wanted: tuple[str, str], entry: int
) -> Iterator[ByHand]:
    k = fields.number(body, "k", 1, 1 << 20)
    beacon = beacons.get(k, "")
    if "signature" in body:
        beacon = streams.sha256(fields.raw(body["signature"], "signature", 48)).hex()
    for shown in fields.many(body, "draws", 1_000_000):
        if not isinstance(shown, dict) or shown.get("secret"):
            continue
        label = fields.text(shown, "label", 1_000)
        if not label.startswith(wanted[1]) or label != (wanted[0] or label):
            continue
        roll = shown.get("kind") == "roll"
        yield ByHand(
            game,
            k,
            fields.digest(body, "seed").hex(),
            beacon,
            label,
            fields.text(shown, "rule", 200),
            fields.text(shown, "seat", 200) if roll else "",
            fields.size(shown, "sides", 1, 1_000_000) if roll else 0,
            fields.numbers(fields.many(shown, "values", 10_000), 1_000_000) if roll else (),
            () if roll else fields.texts(fields.many(shown, "before", 10_000)),
            () if roll else fields.texts(fields.many(shown, "items", 10_000)),
            entry,
        )
