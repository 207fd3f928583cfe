"""Objections: a correction is proposed, waits for its window, and takes effect unless somebody objects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.house_rules import Customs
from pbem.campaign.intake.moderator import Player
from tests.campaign.commands.game_master.test_acts import MASTER_ADDRESS, Court, export

CORRECT = "CORRECT points.french = 2 because a point was forgotten"


class Assembly(Court):
    """A game whose corrections can be objected to for a day."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        players = {"french": Player("Anne", "anne@pbem.test"), "allied": Player("Bob", "bob@pbem.test", "fr")}
        self.game = self.moderator.opening.open_game(
            "leipzig",
            "battle",
            {},
            players,
            masters=[Player("Gus", MASTER_ADDRESS)],
            customs=Customs(objections=24),
        )
        self.deliver()

    @property
    def points(self) -> int:
        points: int = self.live.game.state.points["french"]
        return points


@pytest.fixture
def assembly(tmp_path: Path) -> Iterator[Assembly]:
    made = Assembly(f"sqlite:///{tmp_path}/assembly.db")
    made.send("french", "1")
    yield made
    made.store.close()


def test_the_first_letter_tells_of_objections(tmp_path: Path) -> None:
    made = Assembly(f"sqlite:///{tmp_path}/first.db")
    assert "For 24 hours any player may OBJECT" in made.words("french")
    assert "tout joueur peut s'y OPPOSER" in made.words("allied")
    made.store.close()


def test_without_an_objection_it_takes_effect_after_the_window(assembly: Assembly, tmp_path: Path) -> None:
    assembly.send("master", CORRECT)
    for seat, words in (("french", "points.french: 0 → 2"), ("allied", "propose de corriger la position")):
        assert words in assembly.words(seat)
    assert "a point was forgotten" in assembly.words("allied")
    assert assembly.points == 0
    assembly.pass_time(hours=23)
    assert assembly.points == 0
    assembly.restart()
    assembly.pass_time(hours=2)
    assert assembly.points == 2
    assert "has corrected the position" in assembly.all_words("french")
    assert assembly.acts() == ["propose", "correct"]
    assembly.pass_time(days=9)
    assert assembly.acts() == ["propose", "correct"]
    assembly.send("french", f"resign {assembly.game}")
    audited = audit_log(export(assembly, tmp_path))
    assert audited.ok, audited.report()


def test_an_objection_stops_it_until_the_master_speaks(assembly: Assembly) -> None:
    assembly.send("master", CORRECT)
    assembly.send("allied", "OPPOSER 1 ce point était perdu")
    assert "Votre objection à la correction 1 est notée" in assembly.words("allied")
    assert "Schwarzenberg objects to correction 1" in assembly.words("french")
    assert "ce point était perdu" in assembly.words(MASTER_ADDRESS)
    assembly.pass_time(days=9)
    assert assembly.points == 0
    assembly.send("allied", "objection 1")
    assert "déjà opposé" in assembly.words("allied")
    assembly.send("master", "UPHOLD CORRECTION 1 the record is clear")
    assert assembly.points == 2
    assert "Reason: the record is clear" in assembly.words("french")
    assert assembly.acts() == ["propose", "object", "uphold", "correct"]
    assembly.send("french", "history")
    for words in ("proposed to correct the position (correction 1)", "objected to correction 1", "upheld"):
        assert words in assembly.words("french")


def test_a_master_withdraws(assembly: Assembly) -> None:
    assembly.send("master", CORRECT)
    assembly.send("french", "object because I do not want it")
    assembly.send("master", "WITHDRAW CORRECTION 1")
    assert "withdraws correction 1" in assembly.words("french")
    assembly.pass_time(days=3)
    assert assembly.points == 0
    assert assembly.acts() == ["propose", "object", "withdraw"]


def test_a_proposal_that_cannot_be_made_any_more_is_dropped(assembly: Assembly) -> None:
    assembly.send("master", CORRECT)
    assembly.send("french", "draw pile 5 times")
    assembly.live.affairs.proposals[0].path = "nowhere.at.all"
    with assembly.store.journal(assembly.game, assembly.now) as journal:
        journal.update(data=assembly.moderator.tables.at_hand(assembly.game).affairs)
    assembly.pass_time(days=2)
    assert "Correction 1 cannot be made any more" in assembly.all_words("french")
    assert assembly.acts() == ["propose", "lapsed"]


@pytest.mark.parametrize(
    ("seat", "text", "words"),
    [
        ("french", "OBJECT", "There is no such correction waiting"),
        ("french", "OBJECT 7", "There is no such correction waiting"),
        ("french", "UPHOLD CORRECTION 1", "UPHOLD is for the game master"),
        ("master", "OBJECT 1", "OBJECT is for players"),
        ("master", "UPHOLD CORRECTION 1", "There is no such correction waiting"),
        ("master", "WITHDRAW CORRECTION 3", "There is no such correction waiting"),
        ("master", "CORRECT points.french = -3 because why not", "a position that the rules forbid"),
        ("master", "CORRECT points.french = 2", "Write: CORRECT"),
    ],
)
def test_what_is_refused_changes_nothing(assembly: Assembly, seat: str, text: str, words: str) -> None:
    assembly.send(seat, text)
    assert words in assembly.words(MASTER_ADDRESS if seat == "master" else seat)
    assert assembly.acts() == []
    assert assembly.live.affairs.proposals == []


def test_a_proposal_nobody_objects_to_is_not_upheld_early(assembly: Assembly) -> None:
    assembly.send("master", CORRECT)
    assembly.send("master", "UPHOLD CORRECTION 1")
    assert "it takes effect by itself" in assembly.words(MASTER_ADDRESS)
    assert assembly.points == 0


def test_not_more_than_five_at_once(assembly: Assembly) -> None:
    for _ in range(6):
        assembly.send("master", CORRECT)
    assert "5 corrections are waiting already" in assembly.words(MASTER_ADDRESS)
    assert len(assembly.live.affairs.proposals) == 5


def test_a_proposal_survives_a_rollback(assembly: Assembly) -> None:
    assembly.send("master", CORRECT)
    assembly.send("french", "draw pile")
    assembly.send("master", "ROLLBACK 1 a slip")
    assembly.pass_time(days=2)
    assert assembly.points == 2
