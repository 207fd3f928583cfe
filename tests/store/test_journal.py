"""One transaction: everything of a letter, or nothing."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from pbem.dice.draw.croupier import DealtCard
from pbem.dice.log import entries as entries_module
from pbem.kernel.game import Checkpoint
from pbem.letters.message import Cursor, Message
from pbem.store import Conflict, Journal, NoSuchGame, OutOfStep, Store
from pbem.store.tables import Base, SeatRow
from tests.store.samples import GAME, NOW, March, Marched, drawn, given, later, new_game, play, sending, told


class PowerCut(Exception):
    """Whatever ends a journal in the middle."""


def counts(store: Store) -> dict[str, int]:
    with store.engine.connect() as connection:
        return {
            name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for name, table in Base.metadata.tables.items()
        }


def a_whole_letter(store: Store, number: int = 1) -> None:
    with store.journal(GAME, NOW) as journal:
        received = journal.receive(Message(b"raw", "inbox", 1, 9), digest=f"d{number}", message_id="<1@x>")
        journal.answer(given(1), letter_id=received.id)
        journal.draws([drawn("a", 1), drawn("b", 1)])
        journal.events([told(1), told(2, ("french",))])
        head = next(store.entries(GAME))
        journal.entries([entries_module.append(head, "receipt", "1813-10-16T09:00:00Z", {"digest": "d1"})])
        journal.checkpoint(Checkpoint(1, 2, b'{"turn":1}'), "turn 1")
        journal.standing("french", [(March("Ney", "Wachau"), "march Ney to Wachau")])
        journal.proofs([DealtCard("french", "deck", 1, 0, 3, "hill", "00", (), "00")])
        journal.dispatch(sending("one"))
        journal.dispatch(sending("two", "allied"))
        journal.act("gm", "note", {"text": "hello"})
        journal.update(status="running", steps=1, data={"deadline": "tomorrow"})
        journal.handled(received.id, "done", seat="french")


def test_a_letter_is_stored_whole(store: Store) -> None:
    new_game(store)
    a_whole_letter(store)
    loaded = store.load(GAME)
    assert loaded.game.status == "running"
    assert loaded.game.read(dict[str, str]) == {"deadline": "tomorrow"}
    assert (loaded.game.answers, loaded.game.events, loaded.game.steps, loaded.game.log_n) == (1, 2, 1, 2)
    assert loaded.checkpoint == Checkpoint(1, 2, b'{"turn":1}')
    assert loaded.answers == []
    assert loaded.last_entry is not None
    assert loaded.last_entry.hash == loaded.game.log_hash
    assert [row.text for row in loaded.standing["french"]] == ["march Ney to Wachau"]
    assert loaded.standing["french"][0].read(March) == March("Ney", "Wachau")
    assert [row.read(dict[str, Any])["card"] for row in store.proofs(GAME, "french")] == ["hill"]
    assert store.proofs(GAME, "allied") == []
    assert [row.message_id for row in store.outbox.due(NOW)] == ["<one@pbem.example>", "<two@pbem.example>"]
    assert store.cursor("inbox") == Cursor(1, 9)
    [letter] = store.letters(GAME)
    assert (letter.raw, letter.status, letter.seat, letter.uid) == (b"raw", "done", "french", 9)
    [act] = store.acts(GAME)
    assert (act.n, act.by, act.kind) == (1, "gm", "note")


def test_answers_and_events_come_back_as_the_kernel_knows_them(store: Store) -> None:
    new_game(store)
    a_whole_letter(store)
    [answer] = store.answers(GAME)
    assert answer.given((March,)) == given(1)
    decoder = msgspec.json.Decoder(Marched)
    assert [row.told(decoder) for row in store.events(GAME)] == [told(1), told(2, ("french",))]
    assert [row.n for row in store.events(GAME, after=1, upto=2)] == [2]
    assert [row.drawn() for row in store.draws(GAME)] == [drawn("a", 1), drawn("b", 1)]


def test_an_exception_in_the_middle_leaves_nothing(store: Store) -> None:
    new_game(store)
    before = counts(store)

    def cut_short(journal: Journal) -> None:
        journal.receive(Message(b"raw", "inbox"), digest="d", message_id="<1@x>")
        play(journal, 4)
        journal.flush()
        journal.dispatch(sending("one"))
        raise PowerCut

    with pytest.raises(PowerCut), store.journal(GAME, NOW) as journal:
        cut_short(journal)
    assert counts(store) == before
    assert store.game(GAME).answers == 0
    with store.journal(GAME, NOW) as journal:
        play(journal, 1)
    assert store.game(GAME).answers == 1


def test_an_error_of_the_database_leaves_nothing(store: Store) -> None:
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        journal.dispatch(sending("one"))
    before = counts(store)

    def twice(journal: Journal) -> None:
        play(journal, 2)
        journal.dispatch(sending("one"))

    with pytest.raises(Conflict), store.journal(GAME, NOW) as journal:
        twice(journal)
    assert counts(store) == before


def test_a_second_copy_of_a_letter_changes_nothing(store: Store) -> None:
    with store.journal(None, NOW) as journal:
        first = journal.receive(Message(b"raw", "inbox"), digest="d", message_id="<1@x>")
        again = journal.receive(Message(b"raw", "inbox"), digest="d", message_id="<1@x>")
    assert (first.is_new, again.is_new, again.id) == (True, False, first.id)
    assert [row.id for row in store.unhandled()] == [first.id]
    with store.journal(None, NOW) as journal:
        journal.handled(first.id, "ignored", note="out of office")
    third = store.receive(Message(b"raw again", "other"), later(hours=1), digest="d", message_id="<1@x>")
    assert (third.is_new, third.id, third.status) == (False, first.id, "ignored")
    assert store.known("<1@x>", "d") == third
    assert store.known("<1@x>", "e") is None
    assert store.unhandled() == []
    letter = store.letter(first.id)
    assert letter is not None
    assert (letter.raw, letter.source, letter.note, letter.received_at) == (
        b"raw",
        "inbox",
        "out of office",
        NOW,
    )
    other = store.receive(Message(b"another", "inbox"), NOW, digest="e", message_id="<1@x>")
    assert other.is_new


def test_what_strangers_write_can_always_be_kept(store: Store) -> None:
    nasty = "<\0\udcff" + "é" * 5000 + "@x>"
    first = store.receive(
        Message(b"\0\xff", "inbox", 2**32 - 1, 2**32 - 1), NOW, digest="d", message_id=nasty
    )
    assert first.is_new
    assert store.receive(Message(b"\0\xff", "inbox"), NOW, digest="d", message_id=nasty).id == first.id
    with store.journal(None, NOW) as journal:
        journal.handled(first.id, "refused", note="\0bad\udcff")
    letter = store.letter(first.id)
    assert letter is not None
    assert (letter.raw, letter.uid) == (b"\0\xff", 2**32 - 1)
    assert "bad" in letter.note
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        journal.set_seat(SeatRow(seat="allied", name="\0Yorck", salt="\udcff", address="y\0@x"))
    assert store.seats(GAME)["allied"].name.endswith("Yorck")
    assert store.seats_at("\0\udcff") == []
    with pytest.raises(NoSuchGame):
        store.game("\0")


def test_times_come_back_in_utc(store: Store) -> None:
    paris = timezone(timedelta(hours=2))
    at = datetime(2026, 7, 14, 0, 30, 0, 123456, tzinfo=paris)
    received = store.receive(Message(b"raw", "inbox"), at, digest="d")
    letter = store.letter(received.id)
    assert letter is not None
    assert letter.received_at == at
    assert letter.received_at.tzinfo is UTC
    assert letter.received_at.isoformat() == "2026-07-13T22:30:00.123456+00:00"
    with pytest.raises(ValueError, match="zone"):
        store.receive(Message(b"raw", "inbox"), datetime(2026, 7, 14), digest="e")


def test_entries_must_follow_one_another(store: Store) -> None:
    new_game(store)
    [head] = store.entries(GAME)
    forged = entries_module.append(entries_module.append(head, "act", "t", {}), "act", "t", {})
    with pytest.raises(OutOfStep), store.journal(GAME, NOW) as journal:
        journal.entries([forged])
    other = entries_module.append(entries_module.append(None, "genesis", "t", {"another": 1}), "act", "t", {})
    with pytest.raises(OutOfStep), store.journal(GAME, NOW) as journal:
        journal.entries([other])
    assert [entry.n for entry in store.entries(GAME)] == [1]


def test_the_log_comes_back_to_the_letter(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.store.store._BATCH", 4)
    new_game(store)
    entries = list(store.entries(GAME))
    for n in range(9):
        body: dict[str, object] = {"z": n, "a": ["é", "\0", None, True], "b": {"d": 1, "c": 2}}
        entries.append(entries_module.append(entries[-1], "act", "1813-10-16T09:00:00.000001Z", body))
    with store.journal(GAME, NOW) as journal:
        journal.entries(entries[1:])
    assert list(store.entries(GAME)) == entries
    assert [entry.n for entry in store.entries(GAME, after=8)] == [9, 10]
    for before, entry in zip([None, *entries], store.entries(GAME), strict=False):
        assert entries_module.follows(before, entry)


def test_events_must_follow_one_another(store: Store) -> None:
    new_game(store)
    with pytest.raises(OutOfStep), store.journal(GAME, NOW) as journal:
        journal.events([told(2)])
    with pytest.raises(OutOfStep), store.journal(GAME, NOW) as journal:
        journal.checkpoint(Checkpoint(1, 0, b"{}"))


def test_a_label_is_drawn_once(store: Store) -> None:
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        journal.draws([drawn("a", 1, 6)])
    for again in (drawn("a", 1, 6), drawn("a", 1, 1), drawn("a", 2, 1)):
        with pytest.raises(Conflict), store.journal(GAME, NOW) as journal:
            journal.draws([drawn("fresh", 2), again])
    assert store.draw(GAME, "a") == drawn("a", 1, 6)
    assert store.draw(GAME, "fresh") is None


def test_steps_never_go_back(store: Store) -> None:
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        journal.update(steps=5)
    with pytest.raises(OutOfStep), store.journal(GAME, NOW) as journal:
        journal.update(steps=4)


def test_a_game_that_is_not_there(store: Store) -> None:
    with pytest.raises(NoSuchGame), store.journal("atlantis-1", NOW):
        pytest.fail("there is no such game")
    with pytest.raises(NoSuchGame):
        store.load("atlantis-1")
    with pytest.raises(NoSuchGame):
        store.secret("atlantis-1")
    with pytest.raises(NoSuchGame), store.journal(None, NOW) as journal:
        journal.answer(given(1))


def test_a_game_is_made_once(store: Store) -> None:
    new_game(store)
    before = counts(store)
    with pytest.raises(Conflict):
        new_game(store)
    assert counts(store) == before
    assert [game.id for game in store.games()] == [GAME]
    assert store.games("running") == []


def test_seats_are_found_and_changed(store: Store) -> None:
    new_game(store)
    new_game(store, "leipzig-8")
    assert store.seats("leipzig-8")["allied"].name == "Blücher"
    assert [row.game_id for row in store.seats_at("allied@example.org")] == [GAME, "leipzig-8"]
    with store.journal("leipzig-8", NOW) as journal:
        journal.set_seat(
            SeatRow(seat="allied", name="Yorck", address="yorck@example.org", token_hash="renewed")
        )
    assert [row.name for row in store.seats("leipzig-8").values()] == ["Yorck", "Ney"]
    with pytest.raises(Conflict), store.journal(GAME, NOW) as journal:
        journal.set_seat(SeatRow(seat="allied", token_hash="renewed"))


def test_standing_orders_are_replaced(store: Store) -> None:
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        journal.standing("french", [(March("Ney", "A"), "a"), (March("Ney", "B"), "b")])
        journal.standing("french", [(March("Ney", "C"), "c"), (March("Ney", "D"), "d")])
        journal.standing("allied", [(March("Yorck", "E"), "e")])
    with store.journal(GAME, NOW) as journal:
        journal.standing("allied", [])
    standing = store.load(GAME).standing
    assert {seat: [row.text for row in rows] for seat, rows in standing.items()} == {"french": ["c", "d"]}


def test_seeds_stay_where_they_are(store: Store) -> None:
    new_game(store)
    roots = store.secret(GAME)
    assert (roots.root, roots.zroot) == (b"r" * 32, b"z" * 32)
    assert "rrrr" not in repr(roots)
    assert "rrrr" not in repr(store.load(GAME))


def test_two_workers_take_turns_on_a_game(store: Store, reopen: Callable[[], Store]) -> None:
    new_game(store)
    other = reopen()
    begun, seen = threading.Event(), list[int]()

    def second() -> None:
        begun.set()
        with other.journal(GAME, NOW) as journal:
            seen.append(journal.position.answers)
            play(journal, 2)

    thread = threading.Thread(target=second)
    with store.journal(GAME, NOW) as journal:
        thread.start()
        assert begun.wait(10)
        play(journal, 1)
        assert seen == []
    thread.join(20)
    assert seen == [1]
    assert store.game(GAME).answers == 2


def test_readers_do_not_wait_for_a_journal(store: Store, reopen: Callable[[], Store]) -> None:
    new_game(store)
    other = reopen()
    with store.journal(GAME, NOW) as journal:
        play(journal, 3)
        journal.flush()
        assert other.load(GAME).game.answers == 0
        assert journal.load().game.answers == 3
        assert journal.load().moment == "turn 3"
    assert other.load(GAME).game.answers == 3


def test_a_journal_is_still_whole_after_looking_into_it(store: Store) -> None:
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        play(journal, 2)
        journal.load()
        play(journal, 4)
    assert [row.n for row in store.answers(GAME)] == [1, 2, 3, 4]

    def cut_short(journal: Journal) -> None:
        play(journal, 5)
        journal.load()
        raise PowerCut

    with pytest.raises(PowerCut), store.journal(GAME, NOW) as journal:
        cut_short(journal)
    assert store.game(GAME).answers == 4


def test_a_killed_process_leaves_what_was_committed(tmp_path: Path, sqlite_template: Path) -> None:
    # The files as they lie on the disk in the middle of a journal are what a killed process leaves behind.
    work, left = tmp_path / "work.db", tmp_path / "left.db"
    work.write_bytes(sqlite_template.read_bytes())
    store = Store.open(f"sqlite:///{work}")
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        play(journal, 3)
    with store.journal(GAME, NOW) as journal:
        play(journal, 6)
        journal.flush()
        wal = Path(f"{work}-wal")
        assert wal.stat().st_size > 0
        left.write_bytes(work.read_bytes())
        Path(f"{left}-wal").write_bytes(wal.read_bytes())
    store.close()
    revived = Store.open(f"sqlite:///{left}")
    assert revived.load(GAME).game.answers == 3
    with revived.journal(GAME, NOW) as journal:
        play(journal, 4)
    revived.close()
    with sqlite3.connect(left) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("SELECT count(*) FROM answer").fetchone() == (4,)
    plain.close()
