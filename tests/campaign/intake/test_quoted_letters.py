"""The letters of the table through the whole desk, and our own letters quoted under every head of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import pytest

from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.intake.letter_result import LetterResult
from pbem.campaign.intake.request import Request
from pbem.campaign.intake.seat_letter import SeatLetter
from pbem.letters.letter import Letter
from pbem.letters.reading import read
from tests.campaign.conftest import ADDRESS, Desk
from tests.letters.table import LETTERS, SENDER, TABLE, TOKEN, Made

HEADS = {name: head for name, head in TABLE["heads"] if name != "orange"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(f"sqlite:///{tmp_path_factory.mktemp('table')}/pbem.db")
    yield desk
    desk.store.close()


def as_anne(desk: Desk, raw: bytes) -> bytes:
    """The letter as if a player of our game had written it."""
    for old, new in (
        (TOKEN, desk.live.token("french").text()),
        ("moderator@pbem.example", ADDRESS),
        (SENDER, "anne@pbem.test"),
        ("leipzig-7", desk.game),
    ):
        raw = raw.replace(old.encode(), new.encode())
    return raw


def outcome_of(desk: Desk, letter: Letter) -> LetterResult:
    return SeatLetter(Request(desk.store, desk.live, "french", desk.now, COMMANDS)).read(letter)


def nothing_done(outcome: LetterResult) -> None:
    assert not outcome.givens
    assert not outcome.changes
    assert not outcome.resigned
    assert not outcome.new_token
    assert not outcome.confirmed
    assert not outcome.salt
    assert outcome.standing is None
    assert outcome.wait is None


@pytest.mark.parametrize("made", [made for made in LETTERS if made.kind is None], ids=lambda made: made.name)
def test_the_order_comes_out_and_nothing_that_is_quoted(shared: Desk, made: Made) -> None:
    outcome = outcome_of(shared, read(as_anne(shared, made.raw), own_address=ADDRESS))
    given = [order.text(shared.live.rules.vocabulary) for one in outcome.givens for order in one.answer]
    assert given == made.orders
    outcome.givens.clear()
    nothing_done(outcome)
    assert not outcome.held


def test_machines_are_met_with_silence(shared: Desk) -> None:
    for made in LETTERS:
        if made.kind is not None:
            before = shared.answers()
            assert shared.hand_in(as_anne(shared, made.raw)).status == "ignored", made.name
            assert shared.received == {}, made.name
            assert shared.answers() == before


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One letter of each kind that we send, in both languages, as it was sent."""
    desk = Desk(f"sqlite:///{tmp_path_factory.mktemp('ours')}/pbem.db")
    found = {"start": desk.text("french"), "start-fr": desk.text("allied")}
    asked = (
        "help",
        "help absent",
        "help resign",
        "status",
        "history",
        "dice",
        "why 1",
        "why d2",
        "list",
        "check\n1",
    )
    for what in (
        *asked,
        "standing",
        "fly to the moon",
        "press to allied: hello",
        f"resign {desk.game}\nhmm what",
    ):
        desk.send("french", what)
        found[what] = desk.text("french")
    for what in ("aide", "aide abandonner", "état", "historique", "dés", "consignes"):
        desk.send("allied", what)
        found[what] = desk.text("allied")
    desk.send("french", "status", token="")
    found["held"] = desk.text("french")
    desk.send("french", "hello", sender="stranger@elsewhere.test", token="")
    found["stranger"] = desk.text("stranger@elsewhere.test")
    desk.send("french", "1")
    found |= {"taken": desk.text("french"), "report": desk.text("allied")}
    desk.send("french", f"resign {desk.game}")
    found |= {"over": desk.text("french"), "over-fr": desk.text("allied")}
    desk.store.close()
    return {name: text for name, text in found.items() if text}


def quoting(desk: Desk, text: str) -> Letter:
    return read(desk.letter("french", text), own_address=ADDRESS)


def test_there_is_a_letter_of_each_kind(ours: dict[str, str]) -> None:
    assert len(ours) >= 25


@pytest.mark.parametrize("head", HEADS)
def test_nothing_of_our_own_letters_is_carried_out_under_any_head(
    shared: Desk, ours: dict[str, str], head: str
) -> None:
    for name, text in ours.items():
        letter = quoting(shared, f"Thanks!\n\n{HEADS[head]}\n\n{text}")
        assert letter.lines == ("Thanks!",), (head, name)
        nothing_done(outcome_of(shared, letter))


@pytest.mark.parametrize(
    "above", ["", "Thanks!\n\n", "Somebody of the Moderators told us this\n", "xx yy zz:\n\n"]
)
def test_nor_under_a_head_that_nobody_knows(shared: Desk, ours: dict[str, str], above: str) -> None:
    for name, text in ours.items():
        for width in (0, 70, 60, 48, 36):
            lines = text.splitlines()
            if width:
                lines = [part for line in lines for part in textwrap.wrap(line, width) or [""]]
            letter = quoting(shared, above + "\n".join(lines))
            outcome = outcome_of(shared, letter)
            try:
                nothing_done(outcome)
            except AssertionError:
                raise AssertionError((name, width, letter.lines, letter.doubt)) from None


def test_nor_in_pieces(shared: Desk, ours: dict[str, str]) -> None:
    """A copy of which somebody has cut off the beginning or the end."""
    for name, text in ours.items():
        lines = text.splitlines()
        for first in range(0, len(lines), max(1, len(lines) // 12)):
            outcome = outcome_of(shared, quoting(shared, "\n".join(lines[first:])))
            try:
                assert not outcome.resigned
                assert not outcome.confirmed
                assert not outcome.new_token
                assert not outcome.changes
            except AssertionError:
                raise AssertionError((name, first, lines[first : first + 5])) from None


def test_commands_of_a_doubtful_letter_wait_for_one_word(desk: Desk) -> None:
    text = f"RESIGN {desk.game}\n\nsome words that nobody can read\n"
    assert desk.send("french", text).status == "done"
    number = desk.store.letters(desk.game)[-1].id
    assert f"CONFIRM {number}" in desk.words("french")
    assert f"RESIGN {desk.game}" in desk.words("french")
    assert not desk.live.over
    notice = desk.text("french")
    desk.send("french", f"What is that?\n\nUnheard of head\n\n{notice}")
    assert not desk.live.over, "our own notice sent back confirms nothing"
    desk.send("allied", f"CONFIRM {number}")
    assert not desk.live.over, "nobody confirms another's letter"
    desk.send("french", f"CONFIRM {number}")
    assert desk.live.over


def test_orders_in_front_of_the_doubtful_place_count_and_those_behind_it_do_not(desk: Desk) -> None:
    head = "De parte de pbem <moderator@pbem.test> 3.3.2025 17:02"
    desk.send("french", f"keep Mölkau, Stötteritz\n\n{head}\n\nkeep Taucha, Eutritzsch\nVOTE DRAW")
    assert desk.answers() == 1
    words = desk.words("french")
    assert "looks like a quotation" in words
    assert "VOTE DRAW" in words
    assert desk.live.affairs.motion is None
    assert "draw" not in desk.words("allied").lower()


def test_a_trial_by_subject_keeps_the_doubtful_place(desk: Desk) -> None:
    head = "De parte de pbem <moderator@pbem.test> 3.3.2025 17:02"
    desk.send("french", f"keep Mölkau, Stötteritz\n{head}\nkeep Taucha, Eutritzsch", subject="check")
    assert "? keep Mölkau, Stötteritz" in desk.text("french")
    assert desk.answers() == 0


def test_every_command_that_cannot_be_taken_back_is_held(desk: Desk) -> None:
    for what in (f"resign {desk.game}", "vote draw", "press to allied: hello", "absent 2026-03-01 to 2026-03-08",
                 "substitute x@example.org", "address y@example.org", "newtoken"):  # fmt: skip
        outcome = outcome_of(desk, quoting(desk, f"{what}\n\nnobody can read this line"))
        nothing_done(outcome)
        assert outcome.held, what
        assert COMMANDS.type(what.split()[0]).irrevocable
        assert not outcome_of(desk, quoting(desk, what)).held


@pytest.mark.parametrize("width", [0, 70, 60, 48, 36])
def test_our_own_letters_are_known_by_their_shape(shared: Desk, ours: dict[str, str], width: int) -> None:
    for name, text in ours.items():
        lines = text.splitlines()
        if width:
            lines = [part for line in lines for part in textwrap.wrap(line, width) or [""]]
        letter = quoting(shared, "Thanks!\n\n" + "\n".join(lines) + "\n\nkeep Mölkau, Stötteritz")
        assert letter.lines[0] == "Thanks!"
        # What stands below our last line is new; a letter without one goes on to the end.
        rest = [line for line in letter.lines[1:] if line]
        assert rest in (["keep Mölkau, Stötteritz"], []), (name, width, rest[:3])
