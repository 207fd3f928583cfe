"""Things to put into a store, each in one line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.dice.draw.croupier import Drawn
from pbem.dice.log import entries
from pbem.kernel.event import Event, Told
from pbem.kernel.game import Checkpoint, Given
from pbem.kernel.order import Order
from pbem.store import Journal, Sending, Store
from pbem.store.tables import GameRow, SeatRow

NOW = datetime(1813, 10, 16, 9, 0, tzinfo=UTC)
GAME = "leipzig-7"


class March(Order, frozen=True):
    army: str
    to: str


class Marched(Event, frozen=True):
    army: str
    to: str


def later(**delta: float) -> datetime:
    return NOW + timedelta(**delta)


def new_game(store: Store, game_id: str = GAME) -> None:
    """A game of two seats, with its genesis and the checkpoint of its set-up."""
    with store.journal(None, NOW) as journal:
        journal.create(
            GameRow(
                id=game_id, rules="leipzig", scenario="battle", options='{"advanced":"yes"}', created_at=NOW
            ),
            [
                SeatRow(seat=seat, name=name, address=f"{seat}@example.org", token_hash=f"{game_id}/{seat}")
                for seat, name in (("french", "Ney"), ("allied", "Blücher"))
            ],
            root=b"r" * 32,
            zroot=b"z" * 32,
        )
        journal.entries([entries.append(None, "genesis", "1813-10-16T09:00:00Z", {"game": game_id})])
        journal.checkpoint(Checkpoint(0, 0, b'{"turn":0}'), "set-up")


def given(n: int, seat: str = "french") -> Given:
    return Given(f"turn/{n}", seat, (March("Ney", f"zone-{n}"),), "letter")


def told(n: int, to: tuple[str, ...] | None = None) -> Told:
    return Told(n, Marched(army="Ney", to=f"zone-{n}", rule="4.2"), to)


def drawn(label: str, step: int, *values: int) -> Drawn:
    return Drawn(label, "roll", "7.1", False, 6, values or (3, 4), step=step)


def sending(name: str, seat: str | None = "french") -> Sending:
    return Sending(f"{seat}@example.org", "report", f"<{name}@pbem.example>", {"say": name}, seat=seat)


def play(journal: Journal, upto: int, *, checkpoint_every: int = 3) -> None:
    """Answers up to that number, each with one draw and two events, and a checkpoint now and then."""
    for n in range(journal.position.answers + 1, upto + 1):
        journal.answer(given(n))
        journal.draws([drawn(f"turn/{n}", n)])
        journal.events([told(2 * n - 1), told(2 * n, ("french",))])
        journal.update(steps=max(n, journal.position.steps))
        if n % checkpoint_every == 0:
            journal.checkpoint(Checkpoint(n, 2 * n, b'{"turn":%d}' % n), f"turn {n}")
