"""Bad letters through the moderator: each line named with its rule and the nearest legal thing; all of it waits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaign.conftest import Desk

HEAD = "play Assault Center\n"
BAD = {
    "a unit not in the section": (
        HEAD + "G2 to F2",
        "! G2 to F2 G2 is not in the center section. (rule 3.2) Legal would be: order G5.",
    ),
    "a unit ordered twice": (
        HEAD + "order G6\norder G6",
        "! order G6 The unit at G6 is ordered twice. (rule 4.2) Legal would be: order G5.",
    ),
    "a unit moved twice": (
        HEAD + "G6 to F5\nF5 to E4",
        "! F5 to E4 F5 has moved already. (rule 4.2)",
    ),
    "more units than the card orders": (
        "play Scout Center\nG6 to F5\nG7 to F7",
        "! G7 to F7 The card orders 1 at most; G7 is one too many. (rule 4.1)",
    ),
    "a path that is too long": (
        HEAD + "G6 to E5",
        "! G6 to E5 E5 is 2 hexes away; 1 at most. (rule 5.8) Legal would be: G6 to F5.",
    ),
    "a path that is blocked": (
        HEAD + "I6 to H6",
        "! I6 to H6 H6 is occupied. (rule 5.2) Legal would be: I6 to I5.",
    ),
    "a path through stopping ground": (
        HEAD + "G6 to F6, E5",
        "! G6 to F6, E5 At F6 the move ends. (rule 5.6) Legal would be: G6 to F5.",
    ),
    "a path with a gap": (
        HEAD + "I8 to I9, G9",
        "! I8 to I9, G9 G9 is not beside I9. (rule 5.1) Legal would be: I8 to I9, H9.",
    ),
    "a target out of sight": (
        HEAD + "H8 fire D7",
        "! H8 fire D7 H8 does not see D7. (rule 6.3) Legal would be: order H8.",
    ),
    "a target out of range": (
        HEAD + "G8 fire D7",
        "! G8 fire D7 D7 is 3 hexes away, the range is 2. (rule 6.2.3) Legal would be: order G8.",
    ),
    "nobody at the target": (
        HEAD + "G9 fire E8",
        "! G9 fire E8 There is no enemy at E8 to attack. (rule 6.2.1) Legal would be: G9 fire D7.",
    ),
    "a melee over a distance": (
        HEAD + "G9 melee D8",
        "! G9 melee D8 G9 is not beside D8. (rule 6.5.1) Legal would be: G9 fire D7.",
    ),
    "fire after a move that forbids it": (
        HEAD + "H8 to H9\nH9 fire D8",
        "! H9 fire D8 After its move the unit at H9 cannot battle this turn. (rule 5.8) Legal would be: order H9.",
    ),
    "a card that is not held": (
        "play Bombard\nH8 fire E7",
        "! play Bombard You do not hold Bombard; your hand is Flank Attack, Probe Right Flank, Assault Left "
        "Flank, Assault Center and Scout Center. (rule 3.1) Legal would be: play Flank Attack.",
    ),
    "no card": (
        "G6 to F5",
        "The letter plays no card. (rule 3.1) Legal would be: play Flank Attack.",
    ),
    "a dead half hex": (
        HEAD + "G6 to F13",
        "! G6 to F13 There is no hex F13: row F has the hexes 1 to 12. (rule 1.2) Legal would be: G6 to F6.",
    ),
    "a column off the board": (
        HEAD + "G14 to F12",
        "! G14 to F12 There is no hex G14: row G has the hexes 1 to 13. (rule 1.2) Legal would be: order G9.",
    ),
    "a wrong letter for a row": (
        HEAD + "G9 fire K7",
        "! G9 fire K7 There is no hex K7: the rows are A to I. (rule 1.2) Legal would be: G9 fire D6.",
    ),
    "an order for the enemy's unit": (
        HEAD + "D6 to E5",
        "! D6 to E5 The unit at D6 is not yours. (rule 4.1) Legal would be: order G5.",
    ),
    "an order for nobody": (
        HEAD + "F8 to E8",
        "! F8 to E8 No unit of yours stands at F8. (rule 4.1) Legal would be: order G8.",
    ),
    "a leader who cannot get there": (
        HEAD + "leader Junot to C7",
        "! leader Junot to C7 Junot cannot reach C7; he rides 3 hexes at most. (rule 5.9.1)",
    ),
}


@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    made = Desk(f"sqlite:///{tmp_path_factory.mktemp('bad')}/ccn.db", None, "ccn", "vimeiro_1808")
    yield made
    made.store.close()


@pytest.mark.parametrize("what", BAD)
def test_it_is_named_and_the_whole_letter_waits(battle: Desk, what: str) -> None:
    letter, expected = BAD[what]
    battle.send("french", letter)
    words = battle.words("french")
    assert expected in words, words
    assert "your orders for «turn» are not accepted" in words
    assert battle.answers() == 0
    assert battle.text("allied") == ""
    form = battle.text("french").partition("[[orders")[2]
    assert all(line in form for line in letter.splitlines())


def test_all_bad_lines_of_a_letter_are_named_together(battle: Desk) -> None:
    battle.send("french", HEAD + "G2 to F2\nG6 to E5\nB13 to C13\nH8 fire D7")
    words = battle.words("french")
    assert words.count("! ") == 4
    assert all(rule in words for rule in ("rule 3.2", "rule 5.8", "rule 1.2", "rule 6.3"))
    assert battle.answers() == 0


def test_check_names_them_too_and_nothing_is_kept(battle: Desk) -> None:
    battle.send("french", "CHECK\n" + HEAD + "G6 to F13\nG8 fire K7")
    assert "There is no hex F13" in battle.words("french")
    battle.send("french", "CHECK\nG8 fire K7")
    assert "not possible, there is no such hex" in battle.words("french")
    assert battle.answers() == 0


def test_steps_of_a_plan_that_become_impossible_are_told_in_one_line(tmp_path: Path) -> None:
    desk = Desk(f"sqlite:///{tmp_path}/ccn.db", None, "ccn", "vimeiro_1808")
    plan = "if D8 = enemy then H6 melee D8\nif D8 = enemy then H5 fire B7\nif D8 = enemy then H7 melee D7"
    desk.send("french", "play Assault Center\norder G6\n" + plan)
    assert desk.answers() == 1
    told = "Not carried out: H6 against D8, H7 against D7 (the target is not adjacent); H5 against B7 (the target"
    assert told in desk.words("french")
    assert desk.words("french").count("Not carried out") == 1
    assert "Non exécuté : H6 contre D8" in desk.words("allied").replace("\u00a0", " ")
    desk.store.close()
