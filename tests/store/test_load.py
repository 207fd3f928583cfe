"""Taking a game up again, and taking it back."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from pbem.kernel.game import Checkpoint
from pbem.store import OutOfStep, Store
from pbem.store.tables import KEPT, UNDONE
from tests.store.samples import GAME, NOW, drawn, given, new_game, play, told


@pytest.fixture
def played(store: Store) -> Store:
    """Eight answers; checkpoints after 0, 3 and 6."""
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        play(journal, 8)
    return store


def test_from_the_last_checkpoint(played: Store) -> None:
    loaded = played.load(GAME)
    assert loaded.checkpoint == Checkpoint(6, 12, b'{"turn":6}')
    assert loaded.moment == "turn 6"
    assert [row.n for row in loaded.answers] == [7, 8]
    assert loaded.game.choices() == {"advanced": "yes"}
    assert list(loaded.seats) == ["allied", "french"]


@pytest.mark.parametrize(
    ("upto", "checkpoint", "answers"), [(0, 0, []), (2, 0, [1, 2]), (3, 3, []), (7, 6, [7])]
)
def test_as_it_stood(played: Store, upto: int, checkpoint: int, answers: list[int]) -> None:
    loaded = played.load(GAME, at_answer=upto)
    assert loaded.checkpoint is not None
    assert loaded.checkpoint.answers == checkpoint
    assert [row.n for row in loaded.answers] == answers


@pytest.mark.parametrize("upto", [-1, 9])
def test_as_it_never_stood(played: Store, upto: int) -> None:
    with pytest.raises(OutOfStep):
        played.load(GAME, at_answer=upto)
    with pytest.raises(OutOfStep), played.journal(GAME, NOW) as journal:
        journal.rollback_to(answers=upto, by="gm", reason="")


def test_a_game_without_a_checkpoint_starts_from_its_answers(store: Store) -> None:
    new_game(store)
    with store.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM checkpoint"))
    with store.journal(GAME, NOW) as journal:
        play(journal, 2)
    loaded = store.load(GAME)
    assert loaded.checkpoint is None
    assert [row.n for row in loaded.answers] == [1, 2]


def test_the_later_of_two_checkpoints_at_one_answer_stands(store: Store) -> None:
    new_game(store)
    with store.journal(GAME, NOW) as journal:
        journal.events([told(1), told(2)])
        journal.checkpoint(Checkpoint(0, 1, b'"earlier"'))
        journal.checkpoint(Checkpoint(0, 2, b'"later"'))
    assert store.load(GAME).checkpoint == Checkpoint(0, 2, b'"later"')


def test_draws_since_the_checkpoint_are_at_hand_and_older_ones_are_found(
    played: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = played.load(GAME).recorded
    asked: list[str] = []
    real = played.draw

    def counting(game_id: str, label: str) -> object:
        asked.append(label)
        return real(game_id, label)

    monkeypatch.setattr(played, "draw", counting)
    assert recorded["turn/7"] == drawn("turn/7", 7)
    assert asked == []
    assert recorded["turn/1"] == drawn("turn/1", 1)
    assert recorded["turn/1"] == drawn("turn/1", 1)
    assert "turn/99" not in recorded
    assert asked == ["turn/1", "turn/99"]
    assert sorted(recorded) == [f"turn/{n}" for n in range(1, 9)]
    assert len(recorded) == 8


def test_loading_reads_no_more_at_the_end_of_a_campaign(store: Store) -> None:
    new_game(store)
    rows: list[int] = []
    for upto in (300, 3000):
        with store.journal(GAME, NOW) as journal:
            play(journal, upto + 1, checkpoint_every=10)
        loaded = store.load(GAME)
        rows.append(len(loaded.answers) + len(loaded.recorded._at_hand))
    assert rows[0] == rows[1]
    with store.engine.connect() as connection:
        if store.sql.sqlite:
            explain, whole = "EXPLAIN QUERY PLAN ", "SCAN"
        else:
            connection.execute(sa.text("ANALYZE"))
            explain, whole = "EXPLAIN ", "Seq Scan on"
        for query in (
            "SELECT * FROM answer WHERE game_id = 'leipzig-7' AND n > 3000 AND n <= 3001 ORDER BY n",
            "SELECT * FROM draw WHERE game_id = 'leipzig-7' AND fate = 'live' AND answer >= 3000",
            "SELECT * FROM draw WHERE game_id = 'leipzig-7' AND fate = 'kept' ORDER BY step",
            "SELECT * FROM event WHERE game_id = 'leipzig-7' AND n > 6000 ORDER BY n",
            "SELECT * FROM checkpoint WHERE game_id = 'leipzig-7' AND answers <= 3001 "
            "ORDER BY answers DESC LIMIT 1",
            store.sql["draw by label"].replace("?", "%s").replace("%s", "'x'"),
        ):
            plan = " ".join(str(row) for row in connection.execute(sa.text(explain + query)))
            assert whole not in plan, plan


def test_rollback_takes_back_the_play_and_keeps_the_dice(played: Store) -> None:
    log_before = list(played.entries(GAME))
    with played.journal(GAME, NOW) as journal:
        act = journal.rollback_to(answers=4, by="gm", reason="misread order")
        assert (journal.position.answers, journal.position.events, journal.position.steps) == (4, 8, 8)
    assert act == 1
    loaded = played.load(GAME)
    assert loaded.checkpoint is not None
    assert (loaded.checkpoint.answers, [row.n for row in loaded.answers]) == (3, [4])
    assert [row.n for row in played.events(GAME, after=6)] == [7, 8]
    assert list(played.entries(GAME)) == log_before
    assert sorted(loaded.kept) == ["turn/5", "turn/6", "turn/7", "turn/8"]
    assert "turn/4" in loaded.recorded
    assert "turn/5" not in loaded.recorded
    [row] = played.acts(GAME)
    assert (row.kind, row.by) == ("rollback", "gm")
    assert row.read(dict[str, object]) == {"from": 8, "to": 4, "reason": "misread order", "keep": True}


def test_after_a_rollback_kept_draws_count_again_or_are_drawn_anew(played: Store) -> None:
    with played.journal(GAME, NOW) as journal:
        journal.rollback_to(answers=4, by="gm", reason="misread order")
        journal.answer(given(5))
        journal.draws([drawn("turn/5", 5), drawn("turn/6", 9, 1, 1)])
        journal.events([told(9)])
    loaded = played.load(GAME)
    assert loaded.recorded["turn/5"] == drawn("turn/5", 5)
    assert loaded.recorded["turn/6"] == drawn("turn/6", 9, 1, 1)
    assert [row.label for row in played.draws(GAME, KEPT)] == ["turn/6", "turn/7", "turn/8"]
    with played.journal(GAME, NOW) as journal:
        journal.rollback_to(answers=4, by="gm", reason="once more")
    assert played.load(GAME).kept["turn/6"] == drawn("turn/6", 9, 1, 1)


def test_a_rollback_that_keeps_no_dice_leaves_them_for_the_audit(played: Store) -> None:
    with played.journal(GAME, NOW) as journal:
        journal.rollback_to(answers=6, by="gm", reason="first")
    with played.journal(GAME, NOW) as journal:
        journal.rollback_to(answers=5, by="gm", reason="second", keep=False)
    assert played.load(GAME).kept == {}
    assert [row.label for row in played.draws(GAME, UNDONE)] == ["turn/6", "turn/7", "turn/8"]
    assert len(played.draws(GAME, None)) == 8
    with played.journal(GAME, NOW) as journal:
        journal.answer(given(6))
        journal.draws([drawn("turn/6", 9, 5, 5)])
    assert played.draw(GAME, "turn/6") == drawn("turn/6", 9, 5, 5)


def test_places_to_go_back_to(played: Store) -> None:
    assert played.checkpoints(GAME) == [(0, "set-up", NOW), (3, "turn 3", NOW), (6, "turn 6", NOW)]
