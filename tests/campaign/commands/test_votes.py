"""Votes: what players decide together; and every vote that does not count is refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem import games
from pbem.campaign.archive.audit import audit_log
from pbem.campaign.commands.votes import electors
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.house_rules import MAJORITY, NO_VOTES, Customs
from pbem.campaign.intake.moderator import Player
from pbem.campaign.table.tables import CARETAKER_ACTS, SUBSTITUTE_ACTS, Motion
from tests.campaign.commands.game_master.test_acts import MASTER_ADDRESS, Court, export


class Council(Court):
    """A game with customs of its own."""

    def __init__(self, url: str, customs: Customs) -> None:
        super().__init__(url)
        players = {"french": Player("Anne", "anne@pbem.test"), "allied": Player("Bob", "bob@pbem.test", "fr")}
        self.game = self.moderator.opening.open_game(
            "leipzig",
            "battle",
            {},
            players,
            calendar=Calendar(hours=24 * 20, reminders=(1,)),
            masters=[Player("Gus", MASTER_ADDRESS)],
            customs=customs,
        )
        self.deliver()

    @property
    def motion(self) -> Motion | None:
        return self.live.affairs.motion


@pytest.fixture
def council(tmp_path: Path) -> Iterator[Council]:
    made = Council(f"sqlite:///{tmp_path}/council.db", Customs())
    yield made
    made.store.close()


def test_a_draw_needs_everybody(council: Council, tmp_path: Path) -> None:
    council.send("french", "VOTE DRAW")
    assert "Your own vote is yes" in council.words("french")
    assert "Napoléon met aux voix : la partie finit ici, et personne ne gagne" in council.words("allied")
    council.restart()
    council.send("allied", "voter oui")
    assert council.live.over
    assert "Personne n'a gagné" in council.words("allied")
    assert "by agreement of the players" in council.words("french")
    assert council.store.game(council.game).status == "over"
    assert council.acts() == ["motion", "voted", "voted", "passed"]
    audited = audit_log(export(council, tmp_path))
    assert audited.ok, audited.report()
    council.send("french", "history\n1")
    assert "a vote passed: draw" in council.words("french")
    assert "This game is over" in council.words("french")


def test_a_victory_can_be_agreed_on(council: Council) -> None:
    council.send("french", "vote victory for Schwarzenberg")
    council.send("allied", "VOTE YES")
    assert council.live.over
    assert "Schwarzenberg won." in council.words("french")


def test_one_no_is_enough_where_all_must_agree(council: Council) -> None:
    council.send("allied", "VOTER PAUSE")
    council.send("french", "vote no")
    assert "Le vote est rejeté" in council.words("allied")
    assert not council.live.affairs.paused
    assert council.motion is None


def test_pause_resume_and_more_time_by_vote(council: Council) -> None:
    before = council.live.affairs.dues["g1/keep"].at
    council.send("french", "vote extend 2d")
    council.send("allied", "vote extend 48")
    assert council.live.affairs.dues["g1/keep"].at == before + timedelta(days=2)
    council.send("french", "vote pause")
    council.send("allied", "vote yes")
    assert council.live.affairs.paused
    assert "By vote of the players the game is paused" in council.words("french")
    council.send("allied", "voter reprendre")
    council.send("french", "vote yes")
    assert not council.live.affairs.paused


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("VOTE", "Nothing is being voted on"),
        ("VOTE YES", "Nothing is being voted on"),
        ("VOTE NO", "Nothing is being voted on"),
        ("VOTE cake", "That cannot be voted on"),
        ("VOTE VICTORY Turkey", "There is no seat «Turkey»"),
        ("VOTE EXTEND for ever", "A span of time"),
        ("VOTE EXTEND 60d", "A span of time"),
        ("VOTE RESUME", "The game is not paused"),
    ],
)
def test_votes_that_are_refused_change_nothing(council: Council, text: str, words: str) -> None:
    council.send("french", text)
    assert words in council.words("french")
    assert council.text("allied") == ""
    assert council.acts() == []
    assert council.motion is None


def test_a_second_vote_and_another_motion_are_refused(council: Council) -> None:
    council.send("french", "vote draw")
    council.send("french", "vote no")
    assert "You have voted already" in council.words("french")
    council.send("allied", "voter pause")
    assert "Autre chose est mis aux voix" in council.words("allied")
    council.send("allied", "voter")
    assert "Oui : Napoléon. Non : –." in council.words("allied")
    assert council.motion is not None
    assert council.motion.yes == ["french"]
    council.send("allied", "vote yes\nvote no")
    assert council.live.over


def test_masters_and_substitutes_have_no_vote(council: Council) -> None:
    council.send("master", "vote draw")
    assert "VOTE is for players" in council.words(MASTER_ADDRESS)
    live = council.live
    person = live.person("french")
    person.substitute, person.acting = "sub@pbem.test", SUBSTITUTE_ACTS
    with council.store.journal(council.game, council.now) as journal:
        journal.set_seat(live.change_person("french", person))
    council.send("french", "vote draw", sender="sub@pbem.test")
    assert "VOTE is for the player of this seat" in council.words("french")
    assert council.motion is None


def test_a_dead_seat_has_no_vote(council: Council, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = replace(games.load("leipzig"), eliminated=lambda state: ("allied",))
    council.live.rules = rules
    council.send("allied", "voter nulle")
    assert "Votre place est hors jeu" in council.words("allied")
    assert council.motion is None
    council.send("french", "vote draw")
    assert council.live.over, "nobody else is left to ask"


def test_after_a_resignation_nobody_votes(council: Council) -> None:
    council.send("french", f"resign {council.game}")
    council.send("french", "vote draw\nstatus")
    assert "This game is over" in council.words("french")
    assert "HOW THINGS STAND" in council.text("french")
    council.send("allied", "voter oui")
    assert "Cette partie est finie" in council.words("allied")
    assert council.motion is None


def test_a_caretakers_seat_is_not_waited_for(council: Council) -> None:
    live = council.live
    person = live.person("allied")
    person.acting = CARETAKER_ACTS
    live.change_person("allied", person)
    assert electors(live) == ["french"]


def test_a_motion_lapses(council: Council) -> None:
    council.send("french", "vote draw")
    council.pass_time(days=6)
    assert council.motion is not None
    council.pass_time(days=2)
    assert council.motion is None
    assert "Le vote est rejeté" in council.all_words("allied")
    assert not council.live.over


def test_majority_and_no_votes(tmp_path: Path) -> None:
    most = Council(f"sqlite:///{tmp_path}/most.db", Customs(votes=MAJORITY))
    most.send("french", "vote draw")
    assert most.motion is not None
    most.send("allied", "vote no")
    assert most.motion is None
    most.store.close()
    none = Council(f"sqlite:///{tmp_path}/none.db", Customs(votes=NO_VOTES))
    assert "VOTE" not in none.words("french")
    none.send("french", "vote draw")
    assert "there are no votes" in none.words("french")
    none.store.close()
