"""The printed tables: time track, and terrain values of the advanced game."""

from __future__ import annotations

from pbem.games.leipzig.board import BATTLES, BOARD, DATES


def date_of(time: int) -> str:
    """The last date that the time marker has reached; empty before the first."""
    reached = ""
    for date in DATES:
        if time >= BOARD.dates[date]:
            reached = date
    return reached


def next_date(time: int) -> str:
    """The date that the time marker will reach next; empty after the last."""
    return next((date for date in DATES if time < BOARD.dates[date]), "")


def steps_to_next(time: int) -> int:
    """How many steps away the next date is, or, at the last, the step that ends the game (4.4); then 0."""
    date = next_date(time)
    return BOARD.dates[date] - time if date else max(0, BOARD.last() + 1 - time)


def past(time: int, date: str) -> bool:
    """3.1: whether the time marker has passed a date; no date is always passed."""
    return not date or time > BOARD.dates[date]


def ended(time: int) -> bool:
    """4.4: whether the time marker has passed 19.10."""
    return time > BOARD.last()


def battles_due(time: int, fought: list[str]) -> list[str]:
    """4.3: the battle dates that have been reached or passed and have not been fought."""
    return [date for date in BATTLES if time >= BOARD.dates[date] and date not in fought]


def terrain_value(arm: str, zone: str) -> int:
    """7: what the terrain of a zone adds to the strength of a tile of that arm."""
    return BOARD.terrain_values[arm][BOARD.zones[zone].terrain] if arm else 0
