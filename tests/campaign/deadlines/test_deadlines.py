"""Deadlines in play: reminder, notice, grace, silence; the ladder; lost time given back; clocks that stand still."""

from __future__ import annotations

import io
import itertools
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import BadGame, Player
from pbem.dice.log import entries as dicelog
from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.orders import DrawPile, PlayArmy
from pbem.kernel.game import DEFAULT, LETTER, SUBSTITUTE
from tests.campaign.conftest import ADDRESS, Desk

DAY = timedelta(days=1)


def origins(desk: Desk) -> list[str]:
    return [row.origin for row in desk.store.answers(desk.game) if row.origin != "only"]


def log_of(desk: Desk, folder: Path) -> Path:
    buffer = io.BytesIO()
    dicelog.export(desk.store.entries(desk.game), buffer)
    file = folder / "log.jsonl"
    file.write_bytes(buffer.getvalue())
    return file


def test_without_a_calendar_nothing_is_ever_due(desk: Desk) -> None:
    assert desk.store.next_game_at() is None
    desk.now += timedelta(days=400)
    assert desk.moderator.timekeeper.tick() == 0


def test_reminder_notice_grace_and_silence(timed: Desk) -> None:
    assert timed.store.next_game_at() == timed.now + timedelta(hours=42)
    timed.pass_time(hours=43)
    assert "A reminder: your orders are due by Saturday 3 January 2026, 13:00 (Europe/Paris)" in timed.words(
        "french"
    )
    assert timed.text("allied") == ""
    timed.pass_time(hours=4)
    assert timed.received == {}
    timed.pass_time(hours=2)
    assert "has passed without your orders" in timed.words("french")
    assert "still taken until Sunday 4 January 2026, 01:00" in timed.words("french")
    assert timed.answers() == 0
    timed.pass_time(hours=12)
    assert origins(timed) == [DEFAULT]
    assert "(no orders came in time: this is what silence means)" in timed.words("french")
    assert timed.live.record("french").missed == 1


def test_each_warning_comes_once_however_often_the_clock_is_asked(timed: Desk) -> None:
    timed.now += timedelta(hours=43)
    for _ in range(5):
        timed.moderator.timekeeper.tick()
        timed.restart()
    timed.deliver()
    assert len(timed.received["anne@pbem.test"]) == 1


def test_a_letter_in_time_and_a_late_one(timed: Desk) -> None:
    timed.pass_time(hours=30)
    timed.send("french", "1")
    assert (timed.live.record("french").on_time, timed.live.record("french").late) == (1, 0)
    timed.pass_time(hours=50)
    timed.send("french", "draw pile")
    assert (timed.live.record("french").on_time, timed.live.record("french").late) == (1, 1)
    timed.send("allied", "état")
    assert "Napoléon : 1 à l'heure, 1 en retard, 0 manquées" in timed.words("allied")


def test_the_ladder_ends_with_a_caretaker_and_a_call_and_a_letter_ends_it(timed: Desk) -> None:
    timed.send("french", "1")
    timed.pass_time(days=20)
    assert "a caretaker, who only defends" in timed.all_words("french")
    assert timed.live.person("french").acting == "caretaker"
    assert SUBSTITUTE in origins(timed)
    assert timed.live.affairs.wanted == ["french"] or timed.live.affairs.paused
    timed.send("french", "status")
    assert timed.live.person("french").acting == ""
    assert timed.live.affairs.wanted == []
    assert timed.live.record("french").silent == 0


def test_the_rungs_of_the_ladder_come_in_their_order(timed: Desk) -> None:
    timed.send("french", "1")
    timed.send("french", "SUBSTITUTE sub@pbem.test")
    for _ in range(60):
        timed.pass_time(days=1)
        live = timed.live
        if "allied" in {q.seat for key, q in live.game.questions.items() if not live.game.answered(key)}:
            timed.send("allied", "piocher pile 5 fois")
        if live.affairs.wanted:
            break
    acts = [entry.body["act"] for entry in timed.store.entries(timed.game) if entry.kind == "act"]
    told = [act for act in acts if act in ("silence", "substitute", "caretaker", "wanted")]
    assert list(dict.fromkeys(told)) == ["silence", "substitute", "caretaker", "wanted"]
    assert timed.live.affairs.wanted == ["french"]
    by_caretaker = [
        order
        for row in timed.store.answers(timed.game)
        if row.origin == SUBSTITUTE and row.kind == "actions"
        for order in row.given(timed.live.rules.orders).answer
    ]
    assert any(isinstance(order, PlayArmy) for order in by_caretaker), "armies are called up"
    assert all(isinstance(order, (PlayArmy, DrawPile)) for order in by_caretaker), "and nothing is risked"


def test_when_nobody_plays_the_game_stands_still(timed: Desk) -> None:
    timed.pass_time(days=60)
    assert timed.live.affairs.paused == "nobody"
    assert not timed.live.over
    assert timed.store.game(timed.game).status == "paused"
    assert timed.store.next_game_at() is None
    assert "stands still until one of its players writes" in timed.all_words("french")
    timed.send("allied", "état")
    assert timed.live.affairs.paused == ""
    assert timed.store.next_game_at() is not None


def test_a_floor_under_automatic_advancing(timed: Desk) -> None:
    timed.pass_time(days=60)
    silences = [row.at for row in timed.store.answers(timed.game) if row.origin in (DEFAULT, SUBSTITUTE)]
    strokes = sorted(set(silences))
    assert len(strokes) > 3
    assert all(b - a >= timedelta(hours=6) for a, b in itertools.pairwise(strokes))


def test_the_substitute_plays_after_two_silences(timed: Desk) -> None:
    timed.send("french", "SUBSTITUTE carl@pbem.test")
    assert "carl@pbem.test plays for you" in timed.words("french")
    timed.pass_time(days=6)
    assert timed.live.person("french").acting == "substitute"
    assert "[[orders" in timed.text("carl@pbem.test")
    timed.send("french", "draw pile", sender="carl@pbem.test")
    assert origins(timed)[-1] == SUBSTITUTE
    timed.send("french", "status")
    assert timed.live.person("french").acting == ""
    assert timed.send("french", "status", sender="carl@pbem.test").status == "held"


def test_the_substitute_plays_but_does_not_own_the_seat(timed: Desk) -> None:
    timed.send("french", "SUBSTITUTE carl@pbem.test")
    timed.pass_time(days=6)
    for command in ("ADDRESS carl@home.test", "NEWTOKEN", "RESIGN leipzig-1", "SUBSTITUTE dora@pbem.test"):
        timed.send("french", command, sender="carl@pbem.test")
        assert "is for the player of this seat" in timed.words("carl@pbem.test")
    person = timed.live.person("french")
    assert (person.second, person.generation, person.substitute) == ("", 0, "carl@pbem.test")
    assert not timed.live.over


def test_a_substitute_who_is_the_opponent_is_refused(timed: Desk) -> None:
    timed.send("french", "SUBSTITUTE bob@pbem.test")
    assert "belongs to somebody in this game already" in timed.words("french")
    assert timed.live.person("french").substitute == ""
    timed.send("french", "SUBSTITUTE anne@pbem.test")
    assert "your own address" in timed.words("french")
    timed.send("french", "SUBSTITUTE somebody")
    assert "name@example.org" in timed.words("french")


def test_a_second_address_counts_and_both_are_answered(timed: Desk) -> None:
    timed.send("french", "ADDRESS anne@work.test")
    timed.send("french", "status", sender="anne@work.test")
    assert set(timed.received) == {"anne@pbem.test", "anne@work.test"}
    assert timed.send("french", "status", sender="anne@elsewhere.test").status == "held"


def test_an_absence_moves_deadlines_behind_it_and_everyone_knows(timed: Desk) -> None:
    timed.send("french", "ABSENT 2026-01-03 to 2026-01-08")
    assert "You are away from 2026-01-03 to 2026-01-08 (6 days)" in timed.words("french")
    assert "Napoléon est absent du 2026-01-03 au 2026-01-08" in timed.words("allied")
    timed.pass_time(days=6)
    assert timed.text("french") == ""
    timed.pass_time(days=2.5)
    assert "has passed without your orders" in timed.all_words("french")


def test_an_absence_does_not_rescue_from_a_deadline_that_is_upon_one(timed: Desk) -> None:
    timed.pass_time(hours=40)
    timed.send("french", "ABSENT 2026-01-03 to 2026-01-08")
    timed.pass_time(hours=12)
    assert "has passed without your orders" in timed.all_words("french")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ABSENT 2025-12-01 to 2025-12-08", "is past"),
        ("ABSENT 2026-02-01 to 2027-01-31", "365 days are too long"),
        ("ABSENT 03/04/2026", "may mean 2026-04-03 or 2026-03-04"),
        ("ABSENT soon", "ABSENT needs one day"),
    ],
)
def test_absences_that_are_refused_change_nothing(timed: Desk, text: str, words: str) -> None:
    before = timed.store.next_game_at()
    timed.send("french", text)
    assert words in timed.words("french")
    assert timed.live.affairs.absences == {}
    assert timed.store.next_game_at() == before


def test_wait_keeps_orders_back_until_ready(timed: Desk) -> None:
    timed.send("french", "WAIT\n1")
    assert "until your READY or the deadline" in timed.words("french")
    assert timed.answers() == 0
    timed.restart()
    timed.send("french", "2")
    assert timed.answers() == 0
    timed.send("french", "READY t9")
    assert "That order is for t9" in timed.words("french")
    timed.send("french", "READY")
    assert origins(timed) == [LETTER]
    timed.send("french", "draw pile")
    assert origins(timed) == [LETTER, LETTER]


def test_orders_kept_back_are_final_at_the_deadline_and_on_time(timed: Desk) -> None:
    timed.send("french", "WAIT\n1")
    timed.now += timedelta(hours=49)
    timed.moderator.timekeeper.tick()
    timed.moderator.timekeeper.tick()
    assert origins(timed) == [LETTER]
    assert (timed.live.record("french").on_time, timed.live.record("french").late) == (1, 0)


def test_wait_on_ones_own_turn_is_about_deadlines_where_the_games_own_could_not_stand(timed: Desk) -> None:
    timed.send("french", "1")
    answers = timed.answers()
    timed.send("french", "WAIT")
    assert "they are not final before your READY or the deadline (Saturday 3 January 2026" in timed.words(
        "french"
    )
    timed.send("french", "WAIT\ndraw pile")
    assert timed.answers() == answers
    assert len(timed.live.affairs.drafts["french"]) == 1
    timed.send("french", "READY")
    assert timed.answers() > answers


def test_a_lone_wait_that_has_two_meanings_is_asked_about(desk: Desk) -> None:
    desk.send("french", "1")
    state = desk.live.game.state
    for id, army in state.armies.items():
        if BOARD.armies[id].side == "french":
            army.status, army.markers, army.zone = "lost", [], ""
    desk.live.game.forget_views()
    answers = desk.answers()
    desk.send("french", "WAIT")
    assert "«WAIT» has two meanings here" in desk.words("french")
    assert "write «end turn»" in desk.words("french")
    assert "write «WAIT t1»" in desk.words("french")
    assert desk.answers() == answers
    assert desk.live.affairs.waiting == []
    desk.send("french", "WAIT t1")
    assert desk.live.affairs.waiting == ["french"]


def test_wait_and_ready_without_a_calendar_speak_of_no_deadline(desk: Desk) -> None:
    desk.send("french", "READY")
    assert "what you have sent is final anyway" in desk.words("french")
    desk.send("french", "WAIT")
    assert "they are not final before your READY." in desk.words("french")
    assert "deadline" not in desk.words("french")
    desk.send("french", "READY")
    assert "You had kept no orders back" in desk.words("french")
    desk.send("french", "WAIT\n1")
    assert "may be replaced, until your READY." in desk.words("french")
    desk.send("french", "READY")
    assert "Ready: your orders are final." in desk.words("french")
    assert desk.answers() > 0


def test_status_after_a_resignation_says_how_it_ended(desk: Desk) -> None:
    desk.send("french", f"resign {desk.game}")
    desk.send("allied", "état")
    assert "Napoléon abandonne" in desk.words("allied")
    assert "Schwarzenberg" in desk.words("allied")


def test_clear_throws_orders_away_that_were_kept_back(timed: Desk) -> None:
    timed.send("french", "WAIT\n1")
    timed.send("french", "CLEAR")
    assert "thrown away" in timed.words("french")
    timed.send("french", "READY")
    assert timed.answers() == 0


def bounce(desk: Desk, address: str, status: str = "5.1.1", message_id: str = "") -> bytes:
    original = message_id or desk.store.dispatches(desk.game, "french")[0].message_id
    raw = (
        f"From: MAILER-DAEMON@mx.test\r\nTo: {ADDRESS}\r\nSubject: Undelivered\r\n"
        f"Message-ID: <b{desk.now.timestamp()}@mx.test>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nno such user\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: {status}\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {original}\r\n\r\n--b--\r\n"
    )
    return raw.encode()


def test_a_bounce_stops_that_players_clock_visibly(timed: Desk) -> None:
    assert timed.hand_in(bounce(timed, "anne@pbem.test")).status == "ignored"
    assert "est revenue" in timed.words("allied")
    assert timed.text("french") == ""
    timed.pass_time(days=5)
    assert timed.answers() == 0
    assert timed.live.record("french").missed == 0
    timed.send("allied", "état")
    assert "l'horloge de cette place est arrêtée" in timed.words("allied")
    timed.send("french", "1")
    assert timed.live.person("french").unreachable is None
    assert timed.live.record("french").late == 0


def test_after_a_week_of_bounces_a_replacement_is_called_for(timed: Desk) -> None:
    timed.hand_in(bounce(timed, "anne@pbem.test"))
    timed.pass_time(days=8)
    assert timed.live.affairs.wanted == ["french"]
    assert timed.store.next_game_at() is None


def test_a_temporary_failure_and_a_report_about_a_letter_that_is_not_ours_stop_nothing(timed: Desk) -> None:
    timed.hand_in(bounce(timed, "anne@pbem.test", status="4.2.2"))
    timed.hand_in(bounce(timed, "anne@pbem.test", message_id="<forged@elsewhere.test>"))
    assert timed.live.person("french").unreachable is None


def test_our_own_outage_moves_every_deadline_and_says_so(timed: Desk) -> None:
    timed.moderator.timekeeper.wake()
    before = timed.live.affairs.dues["g1/keep"].at
    timed.now += timedelta(minutes=30)
    assert timed.moderator.timekeeper.wake() == timedelta()
    timed.now += timedelta(days=3)
    assert timed.moderator.timekeeper.wake() == timedelta(days=3)
    assert timed.live.affairs.dues["g1/keep"].at == before + timedelta(days=3)
    assert timed.moderator.timekeeper.tick() == 0
    timed.deliver()
    assert "That time is given back" in timed.words("french")
    assert "Ce temps est rendu" in timed.words("allied")
    timed.send("french", "1")
    assert timed.live.record("french").late == 0


@pytest.mark.parametrize("back", [timedelta(hours=3), timedelta(days=40)])
def test_a_clock_set_back_moves_nothing_and_says_so(timed: Desk, tmp_path: Path, back: timedelta) -> None:
    timed.moderator.timekeeper.wake()
    timed.pass_time(hours=43)
    assert "A reminder" in timed.words("french")
    timed.moderator.timekeeper.wake()
    before = timed.live.affairs.dues["g1/keep"].at
    timed.store.beat("letters", timed.now)
    timed.now -= back
    assert timed.moderator.timekeeper.wake() == timedelta()
    timed.deliver()
    assert f"set back by {int(back.total_seconds() // 60)} minutes" in timed.words("french")
    assert "Aucune échéance n'a bougé" in timed.words("allied")
    assert timed.live.affairs.dues["g1/keep"].at == before
    assert timed.moderator.timekeeper.tick() == 0
    timed.deliver()
    assert timed.received == {}
    timed.moderator.timekeeper.wake()
    timed.deliver()
    assert timed.received == {}, "said once"
    timed.send("french", "1")
    assert timed.live.record("french").on_time == 1
    timed.send("french", f"resign {timed.game}")
    times = [entry.at for entry in timed.store.entries(timed.game)]
    assert times == sorted(times)
    assert audit_log(log_of(timed, tmp_path), []).ok


def test_a_letter_of_ours_that_did_not_go_out_makes_nobody_late(timed: Desk) -> None:
    timed.send("french", "1")
    with timed.store.writing() as (_, cursor):
        cursor.execute(
            "UPDATE dispatch SET status = 'deferred', next_at = '2030-01-01' WHERE seat = 'french'"
        )
    timed.pass_time(days=3)
    assert timed.live.record("french").missed == 0
    assert timed.answers() == 1


def test_a_game_played_by_silence_can_be_audited(timed: Desk, tmp_path: Path) -> None:
    timed.send("french", "WAIT\n1")
    timed.send("french", "READY")
    timed.pass_time(days=30)
    timed.send("french", "status")
    timed.send("allied", f"abandonner {timed.game}")
    assert timed.live.over
    verdict = audit_log(log_of(timed, tmp_path), [])
    assert verdict.ok, verdict.report()
    assert verdict.replay == "replayed"


def test_a_clock_that_breaks_is_tried_again_later_and_hurts_no_other_game(
    timed: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed.now += timedelta(hours=43)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.campaign.deadlines.reminders.strike", _fail)
        timed.moderator.timekeeper.tick()
    assert timed.store.next_game_at() == timed.now + timedelta(hours=1)
    timed.pass_time(hours=1)
    assert "A reminder" in timed.words("french")


def _fail(*_: object) -> None:
    raise LookupError("broken")


def test_a_bad_calendar_opens_no_game(desk: Desk) -> None:
    players = {"french": Player("A", "a@x.test"), "allied": Player("B", "b@x.test")}
    with pytest.raises(BadGame, match="zone"):
        desk.moderator.opening.open_game("leipzig", "battle", {}, players, calendar=Calendar(zone="Mars"))
