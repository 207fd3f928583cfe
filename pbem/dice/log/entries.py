"""The log of a game: numbered entries, each holding the hash of the one before.

An entry is `{"at", "body", "hash", "kind", "n", "prev"}` in canonical JSON (sorted keys, no spaces, UTF-8,
no fractions), one a line in an export. Its hash is `H("pbem-log/1|" + the entry's canonical JSON without
"hash")`, and `prev` is the hash of entry n - 1 (64 zeros before the first). The kinds:

`genesis` what the game commits to · `receipt` a letter with orders came in · `close` a draw step froze its
orders · `result` the step's seed and draws · `kept` draws that outlived a rollback and count again ·
`opened` a card or orders shown to everyone · `source` another public beacon from the next close on ·
`rollback` the game goes back to an earlier entry · `act` anything else that somebody did: a standing order,
a game master's edit, a note · `end` the seeds of everything secret.

Nothing here reads a clock or a file by itself: times come from the caller, the store keeps the entries.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

import msgspec

from pbem.dice.audit.verdicts import Spread
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.seeds import Seeds

Body = dict[str, object]

EDITION = 2
"""From the second on, a log shows where every answer came from."""
FORMAT = f"pbem-dice/{EDITION}"
BEFORE_THE_FIRST = "0" * 64
KINDS = frozenset(
    {"genesis", "receipt", "close", "result", "kept", "opened", "source", "rollback", "act", "end"}
)

_CANONICAL = msgspec.json.Encoder(order="sorted")


class BrokenLog(ValueError):
    """A line that is no entry, or an entry that does not follow the one before it."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the log."""

    n: int
    kind: str
    at: str
    body: Body
    prev: str
    hash: str

    @property
    def head(self) -> str:
        """The line that ends every letter out."""
        return f"log #{self.n} head={self.hash[:16]}"

    def line(self) -> bytes:
        """The entry as it stands in an export, without the end of the line."""
        return _CANONICAL.encode(self)


def canonical(value: object) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8."""
    return _CANONICAL.encode(value)


def append(before: Entry | None, kind: str, at: str, body: Body) -> Entry:
    """The entry that follows `before` (None: the first)."""
    if kind not in KINDS:
        raise ValueError(f"no such kind of entry: {kind!r}")
    if (before is None) != (kind == "genesis"):
        raise ValueError("a log begins with its genesis, and has only one")
    n, prev = (1, BEFORE_THE_FIRST) if before is None else (before.n + 1, before.hash)
    return Entry(n, kind, at, body, prev, _hash(n, kind, at, body, prev))


def follows(before: Entry | None, entry: Entry) -> bool:
    """Whether an entry is whole and stands where it says."""
    n, prev = (1, BEFORE_THE_FIRST) if before is None else (before.n + 1, before.hash)
    if (entry.n, entry.prev) != (n, prev):
        return False
    return entry.hash == _hash(entry.n, entry.kind, entry.at, entry.body, entry.prev)


def _hash(n: int, kind: str, at: str, body: Body, prev: str) -> str:
    bare = _CANONICAL.encode({"at": at, "body": body, "kind": kind, "n": n, "prev": prev})
    return hashlib.sha256(b"pbem-log/1|" + bare).hexdigest()


def export(entries: Iterable[Entry], file: BinaryIO) -> int:
    """Write entries as JSON Lines; how many there were."""
    count = 0
    for entry in entries:
        file.write(entry.line() + b"\n")
        count += 1
    return count


def read(file: Iterable[bytes]) -> Iterator[Entry]:
    """The entries of an export, each checked to follow the one before. Raises BrokenLog."""
    before: Entry | None = None
    for number, line in enumerate(file, 1):
        try:
            entry = msgspec.json.decode(line, type=Entry)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BrokenLog(f"line {number} is no entry: {error}") from error
        if not follows(before, entry):
            raise BrokenLog(f"line {number} does not follow the one before it")
        yield entry
        before = entry


def genesis(
    seeds: Seeds,
    *,
    rules: str,
    engine: str,
    setup: Mapping[str, object] | None = None,
    source: Source | None = None,
) -> Body:
    """The body of the first entry: digest of the rules, version of the engine, anchors of both chains.

    With a `source` the game's mode is `beacon`, otherwise `chain`; it is fixed once and for all.
    """
    beacon: Body = {} if source is None else source.body()
    return beacon | {
        "format": FORMAT,
        "game": seeds.game,
        "mode": "chain" if source is None else "beacon",
        "rules": rules,
        "engine": engine,
        "setup": dict(setup or {}),
        "anchor": seeds.anchor,
        "secret_anchor": seeds.secret_anchor,
        "steps": seeds.steps,
    }


def rollback(*, author: str, reason: str, target: int, keep: bool) -> Body:
    """The body of a `rollback`: whatever came after entry `target` is undone.

    With `keep`, a draw that is asked for again under its old label and with its old input keeps its value.
    """
    return {"author": author, "reason": reason, "target": target, "keep": keep}


def change_of_source(*, author: str, reason: str, source: Source) -> Body:
    """The body of a `source` entry: from the next close on, another beacon or another delay counts."""
    return source.body() | {"author": author, "reason": reason}


def statistics(spreads: Iterable[Spread]) -> Body:
    """The body of an `act` that says how the dice fell so far; an audit counts them again."""
    dice = [{"seat": spread.seat, "sides": spread.sides, "counts": list(spread.counts)} for spread in spreads]
    return act("moderator", "statistics", dice=dice)


def act(author: str, what: str, **facts: object) -> Body:
    """The body of an `act`: who did what, and the facts of it."""
    return {"author": author, "act": what, **facts}
