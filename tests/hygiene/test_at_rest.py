"""Secrets at rest: no token is stored anywhere but in the letters themselves, as they came."""

from __future__ import annotations

import sqlite3

from tests.hygiene.conftest import ALICE, Office


async def test_no_table_holds_a_token(office: Office) -> None:
    live = office.moderator.tables.at_hand(office.game)
    secrets = [live.token(seat).text().rpartition(".")[2] for seat in live.seats]
    for text in ("status", "NEWTOKEN", "STANDING", "press to allied\nhello"):
        await office.arrive(office.letter("french", text))
        await office.round()
    live = office.moderator.tables.at_hand(office.game)
    secrets += [live.token(seat).text().rpartition(".")[2] for seat in live.seats]
    assert len(set(secrets)) == 3
    assert len(office.texts(ALICE)) >= 5
    found: dict[str, int] = {}
    with sqlite3.connect(office.url.removeprefix("sqlite:///")) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            for row in database.execute(f"SELECT * FROM {table}"):
                for column, value in zip(columns, row, strict=True):
                    words = value if isinstance(value, bytes) else str(value).encode()
                    if any(secret.encode() in words for secret in secrets):
                        found[f"{table}.{column}"] = found.get(f"{table}.{column}", 0) + 1
    database.close()
    assert set(found) <= {"letter.raw"}
    assert found["letter.raw"] == 4
