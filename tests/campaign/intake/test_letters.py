"""The way of a letter: orders taken, refused, tried, replaced, explained; nothing lost, nothing twice."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.intake.moderator import BadGame, Player
from pbem.dice.log import entries as dicelog
from pbem.letters.message import Cursor, Message
from tests.campaign.conftest import Desk


def keep(desk: Desk) -> None:
    desk.send("french", "1")


def test_the_first_letters_bring_genesis_form_and_token(desk: Desk) -> None:
    desk.restart()
    rows = desk.store.dispatches(desk.game)
    assert [row.kind for row in rows] == ["start", "start"]
    genesis = next(iter(desk.store.entries(desk.game)))
    assert genesis.kind == "genesis"
    assert desk.live.last_entry.n == desk.store.game(desk.game).log_n


def test_a_number_answers_and_the_next_question_comes_with_the_reply(desk: Desk) -> None:
    assert desk.send("french", "1").status == "done"
    text = desk.text("french")
    assert "+ keep " in text
    assert f"[[orders {desk.game} g1/t1/french/actions/0 #" in text
    assert "receipt: after log #" in text
    assert desk.text("allied") == ""


def test_a_whole_turn_in_one_letter_and_the_discard_with_it(desk: Desk) -> None:
    keep(desk)
    hand = desk.live.game.state.hands["french"]
    desk.send("french", f"draw pile\ndraw pile\n3x draw pile\ndiscard {hand[0].card.rpartition('-')[0]}")
    assert "Your orders for «discard» are accepted." in desk.words("french")
    assert "t1 : à vous de jouer" in str(desk.received["bob@pbem.test"][0]["Subject"])
    assert "piochent" in desk.text("allied")


def test_one_bad_line_of_five_and_none_stands(desk: Desk) -> None:
    keep(desk)
    before = desk.answers()
    desk.send("french", "draw pile\ndraw pile\ndraw row 9\ndraw pile\ndraw pile")
    assert "! draw row 9" in desk.text("french")
    assert "your orders for «actions» are not accepted" in desk.words("french")
    assert desk.answers() == before
    form = desk.text("french").split("[[orders", 1)[1].split("[[end]]", 1)[0]
    assert "draw row 9" in form, "the next form begins with what was written"


def test_an_illegal_line_names_its_rule_and_something_legal(desk: Desk) -> None:
    keep(desk)
    desk.send("french", "army Napoleon")
    words = desk.words("french")
    assert "! army Napoleon" in words
    assert "(rule 3." in words
    assert "Legal would be:" in words


def test_check_does_everything_but_order(desk: Desk) -> None:
    keep(desk)
    before = desk.answers()
    desk.send("french", "CHECK\narmy Ney\ndraw pile")
    assert "nothing has been ordered" in desk.words("french")
    desk.send("french", "check draw pile; draw pile")
    assert "would be accepted" in desk.words("french")
    assert desk.answers() == before


def test_the_same_letter_twice_changes_nothing_and_is_not_answered(desk: Desk) -> None:
    raw = desk.letter("french", "1")
    assert desk.hand_in(raw).status == "done"
    before = desk.answers()
    assert desk.hand_in(raw).status == "duplicate"
    assert desk.answers() == before
    assert desk.received == {}


def test_an_edited_form_counts_and_an_unedited_one_does_not(desk: Desk) -> None:
    keep(desk)
    form = desk.text("french").split("[[orders", 1)[1].split("[[end]]", 1)[0]
    block = f"[[orders{form}[[end]]"
    quoted = "\n".join("> " + line for line in block.splitlines())
    before = desk.answers()
    desk.send("french", f"On Mon, 5 Jan 2026 at 10:00, pbem wrote:\n{quoted}")
    assert "nothing to do" in desk.words("french")
    assert desk.answers() == before
    edited = quoted.replace("draw pile 5 times", "draw row 1")
    desk.send("french", f"On Mon, 5 Jan 2026 at 10:00, pbem wrote:\n{edited}")
    assert "+ draw row 1" in desk.text("french")
    assert desk.answers() == before + 1


def test_a_form_of_an_earlier_decision_is_named_and_not_used(desk: Desk) -> None:
    stale = f"[[orders {desk.game} g1/keep]]\nkeep Wachau, Mockau\n[[end]]"
    keep(desk)
    before = desk.answers()
    desk.send("french", stale)
    assert "earlier decision (g1/keep)" in desk.words("french")
    assert desk.answers() == before


def test_orders_when_nothing_is_asked_and_for_the_others_armies(desk: Desk) -> None:
    keep(desk)
    before = desk.answers()
    desk.send("allied", "piocher pioche")
    assert "Aucune décision" in desk.words("allied")
    desk.send("french", "army Yorck")
    assert "! army Yorck" in desk.text("french")
    assert desk.answers() == before


def test_standing_orders_are_set_shown_used_and_cleared(desk: Desk) -> None:
    desk.send("french", "STANDING\nreveal order Schönefeld, Probstheida\nwhen discard then discard time")
    assert "Standing order 2" in desk.words("french")
    desk.send("french", "standing")
    assert "1. reveal order" in desk.text("french")
    desk.send("french", "STANDING\nreveal ordre Xyzzyville")
    assert "!" in desk.text("french")
    assert len(desk.live.standing["french"]) == 2
    desk.send("french", "standing clear 1")
    assert len(desk.live.standing["french"]) == 1
    desk.restart()
    assert len(desk.live.standing["french"]) == 1


def test_why_quotes_the_rule_and_hides_what_is_not_yours(desk: Desk) -> None:
    keep(desk)
    desk.send("french", "why 3")
    assert "Rule 2.2:" in desk.words("french")
    desk.send("allied", "pourquoi 3")
    assert "Il n'y a pas de ligne [3]" in desk.words("allied")


def test_status_history_help_dice_and_map_in_one_letter(desk: Desk) -> None:
    desk.send("allied", "état\nhistorique\naide\ndés\ncarte")
    text = desk.text("allied")
    for title in ("LA SITUATION", "QUI LA PARTIE ATTEND", "HISTORIQUE", "AIDE", "DÉS"):
        assert title in text
    names = [part.get_filename() for part in desk.received["bob@pbem.test"][0].iter_attachments()]
    assert f"{desk.game}-log.jsonl" in names


def test_a_failed_command_stops_nothing_but_itself(desk: Desk) -> None:
    desk.send("french", "why\nstatus\nplease do something nice")
    text = desk.text("french")
    assert "HOW THINGS STAND" in text
    assert "WHY" in text


def test_a_letter_while_the_daemon_was_down_is_taken_up_where_the_game_stood(desk: Desk) -> None:
    keep(desk)
    raw = desk.letter("french", "draw pile")
    before = desk.live.game.hash()
    desk.restart()
    assert desk.live.game.hash() == before
    assert desk.hand_in(raw).status == "done"


def test_an_exception_leaves_nothing_behind(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(desk)
    before, head = desk.live.game.hash(), desk.live.last_entry.hash
    raw = desk.letter("french", "draw pile")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.store.journal.Journal.dispatch", _fail)
        with pytest.raises(RuntimeError, match="disk full"):
            desk.moderator.handle(Message(raw))
    assert (desk.live.game.hash(), desk.live.last_entry.hash) == (before, head)
    assert desk.hand_in(raw).status == "done"


def _fail(*_: object, **__: object) -> None:
    raise RuntimeError("disk full")


def test_a_letter_that_breaks_us_is_kept_and_its_sender_told(desk: Desk) -> None:
    handled = desk.moderator.keep(Message(desk.letter("french", "draw pile"), "inbox", 1, 7))
    assert handled.status == "fault"
    desk.deliver()
    assert "fault of mine" in desk.words("french")
    assert desk.store.cursor("inbox") == Cursor(1, 7)


def test_resigning_needs_the_games_name_and_opens_the_log(desk: Desk, tmp_path: Path) -> None:
    keep(desk)
    desk.send("french", "resign")
    assert f"RESIGN {desk.game}" in desk.words("french")
    desk.send("french", f"resign {desk.game}")
    assert "Schwarzenberg won." in desk.words("french")
    assert "abandonne" in desk.words("allied")
    desk.send("french", "draw pile")
    assert "This game is over" in desk.words("french")
    assert audit_log(_export(desk, tmp_path), []).ok


def _export(desk: Desk, folder: Path) -> Path:
    buffer = io.BytesIO()
    dicelog.export(desk.store.entries(desk.game), buffer)
    file = folder / "log.jsonl"
    file.write_bytes(buffer.getvalue())
    return file


def test_a_game_played_by_its_defaults_ends_and_its_audit_and_replay_are_good(
    desk: Desk, tmp_path: Path
) -> None:
    for _ in range(400):
        if desk.live.over:
            break
        game = desk.live.game
        question = next(q for key, q in game.questions.items() if not game.answered(key))
        robot = desk.live.rules.robots["sensible"]
        answer = robot(game.view(question.seat), question, random.Random(len(game.since)))
        lang = "en" if question.seat == "french" else "fr"
        lines = [order.text(desk.live.rules.vocabulary, lang) for order in answer]
        assert desk.send(question.seat, "\n".join(lines)).status == "done"
        if game.answers % 5 == 0:
            desk.restart()
    assert desk.live.over
    assert "won." in desk.words("french")
    verdict = audit_log(_export(desk, tmp_path), [])
    assert verdict.ok, verdict.report()
    assert verdict.replay == "replayed"


def test_games_that_cannot_be_opened_say_why(desk: Desk) -> None:
    players = {"french": Player("A", "a@x.test"), "allied": Player("B", "b@x.test")}
    for scenario, options, seats, word in (
        ("waterloo", {}, players, "scenario"),
        ("battle", {"snow": "yes"}, players, "option"),
        ("battle", {}, {"french": players["french"]}, "seats"),
        ("battle", {}, {**players, "allied": Player("B", "nowhere")}, "address"),
    ):
        with pytest.raises(BadGame, match=word):
            desk.moderator.opening.open_game("leipzig", scenario, options, seats)


def test_courtesies_do_not_spoil_orders(desk: Desk) -> None:
    desk.send("french", "Hello,\n\nkeep Mölkau, Stötteritz\n\nThanks, all the best\nAnne")
    assert "+ keep Mölkau, Stötteritz" in desk.text("french")
    assert desk.answers() == 1
    desk.send("french", "Merci !\nAnne")
    assert "found nothing to do" in desk.words("french")


def test_an_edited_form_stands_whatever_is_said_beside_it(desk: Desk) -> None:
    edited = desk.text("french").replace("keep Mölkau, Stötteritz\r\n[[", "keep Taucha, Eutritzsch\r\n[[")
    quoted = "\n".join(f"> {line}" for line in edited.splitlines())
    desk.send(
        "french", f"I hope this will do it.\n\nOn 1 Jan 2026 at 10:00, pbem <a@b.test> wrote:\n{quoted}"
    )
    assert "+ keep Taucha, Eutritzsch" in desk.text("french")
    assert "These lines beside it were not: I hope this will do it." in desk.words("french")
    assert desk.answers() == 1


def test_lines_that_stand_beside_an_edited_form_are_taken_and_named(desk: Desk) -> None:
    edited = desk.text("french").replace("keep Mölkau, Stötteritz\r\n[[", "keep Taucha, Eutritzsch\r\n[[")
    quoted = "\n".join(f"> {line}" for line in edited.splitlines())
    desk.send(
        "french", f"keep Mölkau, Eutritzsch\n\nOn 1 Jan 2026 at 10:00, pbem <a@b.test> wrote:\n{quoted}"
    )
    assert "+ keep Mölkau, Eutritzsch" in desk.text("french")
    assert "taken instead of the orders in the form: keep Mölkau, Eutritzsch" in desk.words("french")
    assert desk.answers() == 1


def test_what_is_illegal_before_an_unreadable_line_is_said_in_the_same_letter(desk: Desk) -> None:
    keep(desk)
    desk.send("french", "army Napoleon\nfrobnicate the reserve\ndraw pile")
    words = desk.words("french")
    assert "! army Napoleon" in words
    assert "(rule 3." in words
    assert "! frobnicate the reserve" in words
    assert "! draw pile" not in words


def test_too_many_orders_are_still_checked_as_far_as_they_may_go(desk: Desk) -> None:
    keep(desk)
    desk.send("french", "army Napoleon\n6x draw pile")
    words = desk.words("french")
    assert "takes at most 5 orders" in words
    assert "(rule 3." in words


def test_a_mistyped_command_is_recognised(desk: Desk) -> None:
    desk.send("french", "hlep")
    assert "Did you mean HELP?" in desk.words("french")


def test_help_about_one_thing(desk: Desk) -> None:
    desk.send("french", "HELP WHY")
    assert "WHY n:" in desk.text("french")
    assert "NEWTOKEN" not in desk.text("french")
    desk.send("allied", "aide révélation")
    assert "révéler <mission>" in desk.text("allied")
    assert "piocher" not in desk.text("allied")


def test_too_many_orders_are_said_to_be_too_many(desk: Desk) -> None:
    desk.send("french", "1")
    desk.send("french", "6x draw pile")
    assert "takes at most 5 orders; you have sent 6. Your orders" in desk.words("french")


def test_the_subject_of_a_held_letter_asks_to_confirm(desk: Desk) -> None:
    desk.send("french", "status", sender="evil@x.test")
    assert "please confirm" in str(desk.received["anne@pbem.test"][0]["Subject"])


def test_long_lines_come_back_short(desk: Desk) -> None:
    desk.send("allied", "x" * 400)
    assert max(map(len, desk.text("allied").splitlines())) <= 78
