"""What the store hands out besides rows."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from pbem.dice.draw.croupier import Drawn
from pbem.dice.log.entries import Entry
from pbem.kernel.event import Told
from pbem.kernel.game import Checkpoint
from pbem.store.tables import AnswerRow, CheckpointRow, EntryRow, GameRow, SeatRow, StandingRow

_LEVEL = 1

Card = tuple[str, int, int]
"""A card that was dealt: the label of its draw, the step, its position."""


class Received(msgspec.Struct, frozen=True):
    """A letter in the store. `status` is `new` also for a known letter that nobody has handled yet."""

    id: int
    is_new: bool
    status: str


class Sending(msgspec.Struct, frozen=True):
    """A dispatch to be put into the outbox."""

    address: str
    kind: str
    message_id: str
    data: Any = None
    """What to say, for the reports to put into words when it is sent."""
    seat: str | None = None
    in_reply_to: str = ""
    raw: bytes | None = None


class Roots(msgspec.Struct, frozen=True):
    """The seeds of a game; they do not show when printed."""

    root: bytes
    zroot: bytes

    def __repr__(self) -> str:
        return "Roots(…)"


class Draws(Mapping[str, Drawn]):
    """The live draws of a game by label: those at hand, and the others looked up when they are asked for."""

    def __init__(
        self,
        at_hand: Mapping[str, Drawn],
        find: Callable[[str], Drawn | None],
        every: Callable[[], Mapping[str, Drawn]],
    ) -> None:
        self._at_hand = dict(at_hand)
        self._find = find
        self._every: Callable[[], Mapping[str, Drawn]] = every

    def __getitem__(self, label: str) -> Drawn:
        drawn = self._at_hand.get(label)
        if drawn is None:
            drawn = self._find(label)
            if drawn is None:
                raise KeyError(label)
            self._at_hand[label] = drawn
        return drawn

    def __iter__(self) -> Iterator[str]:
        self._at_hand |= self._every()
        return iter(self._at_hand)

    def __len__(self) -> int:
        self._at_hand |= self._every()
        return len(self._at_hand)


@dataclass(frozen=True)
class Loaded:
    """A game with what it takes to go on: the last checkpoint and everything since."""

    game: GameRow
    seats: dict[str, SeatRow]
    checkpoint: Checkpoint | None
    """None for a game that has none yet; it starts from its set-up."""
    moment: str
    answers: list[AnswerRow]
    """Those since the checkpoint."""
    recorded: Draws
    """Those since the checkpoint are at hand."""
    kept: dict[str, Drawn]
    standing: dict[str, list[StandingRow]]
    last_entry: Entry | None
    """The last entry of the log."""


@dataclass
class Position:
    """How far a game has come, as the journal keeps count."""

    answers: int
    events: int
    steps: int
    log_n: int
    log_hash: str
    status: str
    data: str
    lang: str
    next_at: Any = None
    """As the driver has it."""
    changed: bool = False


def read_told(rows: Iterable[Any], events: msgspec.json.Decoder[Any]) -> list[Told]:
    """Events from their number, data and readers, as the driver has them; see `EventRow.told`."""
    return [
        Told(n, events.decode(data), None if to is None else msgspec.json.decode(to, type=tuple[str, ...]))
        for n, data, to in rows
    ]


def read_proofs(rows: Iterable[Any], cards: Iterable[Card]) -> list[str]:
    """The proofs of those cards, a line each, from what the driver has of a seat's."""
    wanted = set(cards)
    return [data for label, step, position, data in rows if (label, step, position) in wanted]


def deflate(state: bytes) -> bytes:
    """A checkpoint's state for keeping."""
    return zlib.compress(state, _LEVEL)


def inflate(state: bytes) -> bytes:
    """A checkpoint's state as it was."""
    return zlib.decompress(state)


def to_checkpoint(row: CheckpointRow) -> Checkpoint:
    """The checkpoint as the kernel takes it."""
    return Checkpoint(row.answers, row.events, inflate(row.state))


def to_entry(row: EntryRow) -> Entry:
    """The entry as the log knows it."""
    body = msgspec.json.decode(row.body, type=dict[str, object])
    return Entry(row.n, row.kind, row.at, body, row.prev, row.hash)
