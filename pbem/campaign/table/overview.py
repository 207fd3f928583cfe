"""A game at a glance, for its host: how it stands, whom it waits for, since when and until when. Nothing secret."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from pbem import games
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.table import tables
from pbem.campaign.table.tables import Affairs
from pbem.store.tables import GameRow

if TYPE_CHECKING:
    from pbem.store.store import Store


class Waits(msgspec.Struct, frozen=True):
    """Somebody whose answer a game waits for."""

    seat: str
    name: str
    since: str
    until: str
    """Empty where nothing is ever due."""

    def cells(self) -> tuple[str, str, str]:
        """For a table."""
        return f"{self.seat} ({self.name})" if self.name else self.seat, self.since, self.until or "–"


class Overview(msgspec.Struct, frozen=True):
    """A game at a glance."""

    game: str
    rules: str
    status: str
    answers: int
    moment: str = ""
    waits: tuple[Waits, ...] = ()
    missing: str = ""
    """What else keeps it from going on."""

    def data(self) -> dict[str, object]:
        """The same for a script."""
        made: dict[str, object] = msgspec.to_builtins(self)
        return made


def overview(store: Store, row: GameRow) -> Overview:
    """How a game stands. One that has ended, or has no players yet, waits for nobody's orders."""
    affairs = row.read(Affairs)
    calendar = affairs.calendar or Calendar()
    seats = store.seats(row.id)

    def local(at: datetime | None) -> str:
        return f"{at.astimezone(ZoneInfo(calendar.zone)):%a %d %b %H:%M}" if at is not None else ""

    made = Overview(row.id, row.rules, row.status, row.answers)
    if row.status == "over":
        return made
    if affairs.signup is not None:
        signup = affairs.signup
        until = local(signup.muster_until)
        waits = tuple(
            Waits(seat, seats[seat].name, "", until)
            for seat in signup.assigned
            if seat not in signup.confirmed and seat in seats
        )
        wanted = len(games.load(row.rules).scenarios[row.scenario].seats) - len(signup.candidates)
        return msgspec.structs.replace(
            made, waits=waits, missing=f"{wanted} more to join" if not waits else ""
        )
    game = tables.position(store.load(row.id), begun=affairs.awaited is None or not affairs.awaited.start)
    last = store.answers(row.id)
    since = last[-1].at if last else row.created_at
    asked: dict[str, datetime | None] = {}
    for question in game.questions.values():
        due = affairs.dues.get(question.key)
        if not game.answered(question.key):
            before = asked.get(question.seat)
            now = due.at if due is not None else None
            asked[question.seat] = min(filter(None, (before, now)), default=None)
    waits = tuple(Waits(seat, seats[seat].name, local(since), local(at)) for seat, at in asked.items())
    paused = "paused" if affairs.paused else ""
    dice = "a round of the beacon" if affairs.awaited is not None else ""
    moment = game.rules.moment(game.state)
    return msgspec.structs.replace(made, moment=moment, waits=waits, missing=paused or dice)
