"""The game master by letter: every act is done, written down and told to all, or refused with the reason."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import Player
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import MASTER
from tests.campaign.conftest import Desk

MASTER_ADDRESS = "gm@pbem.test"


class Court(Desk):
    """A desk whose second game has a game master, blind unless said otherwise."""

    def __init__(self, url: str, *, sighted: bool = False) -> None:
        super().__init__(url)
        players = {"french": Player("Anne", "anne@pbem.test"), "allied": Player("Bob", "bob@pbem.test", "fr")}
        self.game = self.moderator.opening.open_game(
            "leipzig",
            "battle",
            {},
            players,
            calendar=Calendar(hours=48, grace=12, reminders=(6,), floor=1),
            masters=[Player("Gus", MASTER_ADDRESS)],
            sighted=sighted,
        )
        self.deliver()

    def letter(self, seat: str, text: str, **how: str) -> bytes:  # type: ignore[override]
        if seat == "master":
            how.setdefault("sender", MASTER_ADDRESS)
        return super().letter(seat, text, **how)  # type: ignore[arg-type]

    def acts(self) -> list[str]:
        return [row.kind for row in self.store.acts(self.game)]


@pytest.fixture
def court(tmp_path: Path) -> Iterator[Court]:
    made = Court(f"sqlite:///{tmp_path}/court.db")
    yield made
    made.store.close()


def export(desk: Desk, folder: Path) -> Path:
    buffer = io.BytesIO()
    dicelog.export(desk.store.entries(desk.game), buffer)
    file = folder / "log.jsonl"
    file.write_bytes(buffer.getvalue())
    return file


def test_the_master_is_welcomed_and_sees_what_everyone_may_see(court: Court) -> None:
    court.send("master", "status\nhistory\nhelp\nlist")
    assert "HOW THINGS STAND" in court.text(MASTER_ADDRESS)
    assert "you play master" in court.words(MASTER_ADDRESS)


def test_a_blind_master_sees_no_orders_and_a_sighted_one_does(court: Court, tmp_path: Path) -> None:
    court.send("french", "1")
    court.send("master", "history")
    assert "keep missions" in court.words(MASTER_ADDRESS)
    assert "keep missions: keep" not in court.words(MASTER_ADDRESS)
    seeing = Court(f"sqlite:///{tmp_path}/sighted.db", sighted=True)
    seeing.send("french", "1")
    seeing.send("master", "history")
    assert "keep missions: keep" in seeing.words(MASTER_ADDRESS)
    seeing.store.close()


def test_a_master_who_plays_is_blind(tmp_path: Path, court: Court) -> None:
    players = {"french": Player("Anne", "anne@x.test"), "allied": Player("Bob", "bob@x.test")}
    game = court.moderator.opening.open_game(
        "leipzig", "battle", {}, players, masters=[Player("Anne", "anne@x.test")], sighted=True
    )
    assert '"blind":false' not in court.store.seats(game)["master"].data


def test_players_are_no_masters_and_masters_no_players(court: Court) -> None:
    court.send("french", "pause\nrollback 0 because\nannounce hello")
    assert "PAUSE is for the game master" in court.words("french")
    assert court.acts() == []
    court.send("master", "ready\nabsent 2026-01-03\nresign " + court.game)
    assert "READY is for players" in court.words(MASTER_ADDRESS)
    assert not court.live.over


def test_pause_and_resume(court: Court) -> None:
    before = court.live.affairs.dues["g1/keep"].at
    court.send("master", "PAUSE the server moves")
    assert "Reason: the server moves" in court.words("french")
    assert court.store.game(court.game).status == "paused"
    court.send("french", "1")
    assert "no orders are taken" in court.words("french")
    court.send("master", "pause")
    assert "paused already" in court.words(MASTER_ADDRESS)
    court.pass_time(days=10)
    court.send("master", "RESUME")
    assert court.live.affairs.dues["g1/keep"].at >= before + timedelta(days=10)
    court.send("french", "1")
    assert court.answers() > 0
    court.send("allied", "historique")
    assert "master : a suspendu la partie (the server moves)" in court.words("allied")


def test_extend_moves_deadlines(court: Court) -> None:
    before = court.live.affairs.dues["g1/keep"].at
    court.send("master", "EXTEND 2d a holiday\nEXTEND soon\nEXTEND french 3\nEXTEND turkish 3\nEXTEND 99999")
    assert court.live.affairs.dues["g1/keep"].at == before + timedelta(hours=51)
    words = court.words(MASTER_ADDRESS)
    assert "There is no seat «turkish»" in words
    assert "24 (hours) or 2d (days)" in words


def test_a_stale_process_is_refused_and_a_right_one_advances(court: Court) -> None:
    court.send("master", "PROCESS\nPROCESS t7")
    assert "That order is for t7" in court.words(MASTER_ADDRESS)
    assert court.answers() == 0
    moment = court.live.rules.moment(court.live.game.state)
    court.send("master", f"PROCESS {moment} he is on holiday")
    assert court.answers() > 0
    assert "silence means" in court.words("french")


def test_replace_gives_a_new_token_and_tells_the_old_player(court: Court) -> None:
    court.send("french", "standing\nwhen discard then discard time\n\nsalt fleur")
    old = court.live.token("french").text()
    court.send("master", "REPLACE french BY carl@pbem.test Carl")
    assert "Somebody else plays your seat" in court.words("french")
    assert "Welcome, Carl" in court.words("carl@pbem.test")
    assert "a désormais un autre joueur" in court.words("allied")
    assert "carl@pbem.test" not in court.text("allied")
    assert court.send("french", "status", sender="anne@pbem.test", token=old).status == "unknown"
    assert court.send("french", "1", sender="carl@pbem.test").status == "done"


@pytest.mark.parametrize(
    "text",
    [
        "REPLACE french BY bob@pbem.test",
        "REPLACE french BY nobody",
        "REPLACE nobody BY x@y.test",
        "REPLACE french",
    ],
)
def test_replacements_that_are_refused(court: Court, text: str) -> None:
    court.send("master", text)
    assert "! REPLACE" in court.text(MASTER_ADDRESS)
    assert court.live.seats["french"].address == "anne@pbem.test"


def test_act_for_a_seat_tells_its_player(court: Court) -> None:
    court.send("master", "ACT FOR french\n1")
    assert court.store.answers(court.game)[0].origin == MASTER
    assert "The game master has given orders in your place" in court.words("french")
    assert "ordered by the game master" in court.words("french")
    court.send("master", "ACT FOR french\nfly to the moon")
    assert "! ACT FOR french" in court.text(MASTER_ADDRESS)
    court.send("master", "ACT FOR allied\ndraw pile")
    assert "! ACT FOR allied" in court.text(MASTER_ADDRESS)


def test_announce_reaches_all_and_is_kept(court: Court) -> None:
    court.send("master", "ANNOUNCE: happy new year\nto all of you\nEND ANNOUNCEMENT\nannounce")
    assert "happy new year" in court.words("french")
    assert "DU MAÎTRE DU JEU" in court.text("allied")
    assert "! announce" in court.text(MASTER_ADDRESS) or "ANNOUNCE" in court.text(MASTER_ADDRESS)
    assert court.acts() == ["announce"]


def play_on(court: Court, letters: int) -> None:
    for _ in range(letters):
        game = court.live.game
        question = next(iter(game.questions.values()))
        lines = [
            order.text(court.live.rules.vocabulary, "en")
            for order in question.default(game.view(question.seat))
        ]
        assert court.send(question.seat, "\n".join(lines)).status == "done"


def draws(court: Court) -> dict[str, tuple[object, ...]]:
    return {row.label: (row.drawn().values, row.drawn().items) for row in court.store.draws(court.game)}


def test_rollback_keeps_the_draws_and_the_audit_is_good(court: Court, tmp_path: Path) -> None:
    play_on(court, 9)
    before, drawn = court.live.game.hash(), draws(court)
    answers = court.answers()
    court.send("master", "ROLLBACK 3 a misunderstanding")
    assert court.answers() <= 3
    assert "Reason: a misunderstanding" in court.words("french")
    assert "Raison : a misunderstanding" in court.words("allied")
    upto = court.answers()
    court.restart()
    assert court.answers() == upto
    while court.answers() < answers:
        play_on(court, 1)
    assert court.live.game.hash() == before
    assert draws(court) == drawn
    court.send("french", "history")
    assert f"took the game back from answer {answers} to answer {upto}" in court.words("french")
    court.send("french", f"resign {court.game}")
    verdict = audit_log(export(court, tmp_path), [])
    assert verdict.ok, verdict.report()
    assert verdict.replay == "replayed"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ROLLBACK 99 please", "answers have been given so far"),
        ("ROLLBACK t9 please", "is no point to go back to"),
        ("ROLLBACK 1", "needs a reason"),
    ],
)
def test_rollbacks_that_are_refused_change_nothing(court: Court, text: str, words: str) -> None:
    play_on(court, 3)
    before, answers = court.live.game.hash(), court.answers()
    court.send("master", text)
    assert words in court.words(MASTER_ADDRESS)
    assert (court.live.game.hash(), court.answers()) == (before, answers)
    assert court.acts() == []


def test_a_correction_is_told_to_all_and_can_be_audited(court: Court, tmp_path: Path) -> None:
    play_on(court, 4)
    court.send("master", "CORRECT points.french = 5 because I miscounted")
    assert court.live.game.state.points["french"] == 5
    assert "points.french: 0 → 5" in court.words("french")
    assert "Raison : I miscounted" in court.words("allied")
    court.restart()
    assert court.live.game.state.points["french"] == 5
    play_on(court, 4)
    court.send("french", f"resign {court.game}")
    verdict = audit_log(export(court, tmp_path), [])
    assert verdict.ok, verdict.report()
    assert verdict.replay == "replayed"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("CORRECT points.french = 5", "CORRECT path = value because reason"),
        ("CORRECT points.turkish.x = 5 because x", "no such place"),
        ("CORRECT nonsense = 5 because x", "no such place"),
        ("CORRECT points.french = many because x", "no such place"),
        ("CORRECT armies.ney.strength = -7 because x", "forbid"),
    ],
)
def test_corrections_that_are_refused_change_nothing(court: Court, text: str, words: str) -> None:
    play_on(court, 3)
    before, answers = court.live.game.hash(), court.answers()
    court.send("master", text)
    assert words in court.words(MASTER_ADDRESS)
    assert (court.live.game.hash(), court.answers()) == (before, answers)
    assert court.acts() == []


def test_a_secret_correction_shows_each_seat_only_what_it_may_see(court: Court) -> None:
    play_on(court, 2)
    hand = court.live.game.state.hands["french"]
    other = next(card for card in court.live.game.state.pile if card != hand[0].card)
    court.send("master", f'CORRECT hands.french.0.card = "{other}" because of a slip')
    assert other not in court.text("allied")


def test_history_speaks_in_words(court: Court) -> None:
    play_on(court, 3)
    court.send("french", "history\nmap t1\nmap t99")
    words = court.words("french")
    assert "1. Napoléon, " in words
    assert "g1/" not in words.split("HISTORY")[1].split("YOUR ORDERS")[0]
    assert "as it was at t1" in words
    assert "There is no «t99»" in words
