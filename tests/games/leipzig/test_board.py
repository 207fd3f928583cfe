"""The board's files, and what is said when they are wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem import paths
from pbem.games import load, names
from pbem.games.leipzig.board import BOARD, read
from pbem.kernel.data import BadData, Data


def test_the_board_has_what_the_rules_count() -> None:
    # rule 1.1, 1.2, 1.4
    assert len(BOARD.zones) == 47
    assert {zone.terrain for zone in BOARD.zones.values()} == {"river", "hill", "forest", "plain"}
    assert [len(BOARD.of(side)) for side in ("french", "allied")] == [8, 11]
    assert {id for id, army in BOARD.armies.items() if army.markers == 2} == {
        "napoleon",
        "ney",
        "schwarzenberg",
        "bernadotte",
    }
    assert len(BOARD.cards) == len(set(BOARD.cards)) == 40
    assert len(BOARD.missions) == 25
    assert BOARD.scouts == 6
    assert BOARD.armies["langeron"].start == ("breitenfeld", "plosen", "klein_wiederitzsch")


def test_the_errata_hold() -> None:
    # rule 8.1
    assert BOARD.armies["friedrich"].arms == ("infantry",)
    assert BOARD.armies["marmont"].markers == 3


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("zones.toml", 'terrain = "river"', 'terrain = "swamp"', "zones.toml zone leipzig.terrain"),
        ("zones.toml", '"connewitz", "eutritzsch"', '"atlantis"', "zones.toml zone leipzig.neighbours"),
        ("armies.toml", "strength = 5", "strength = 0", "armies.toml army napoleon.strength"),
        ("armies.toml", 'side = "french"', 'side = "blue"', "armies.toml army napoleon.side"),
        ("armies.toml", 'arms = ["art"]\nstrength = 3', "strength = 3", "armies.toml army drouot"),
        (
            "missions.toml",
            "french_points = 4",
            "french_points = 9",
            "missions.toml mission m01.french_points",
        ),
        ("action_cards.toml", "time = 5", "time = 6", "action_cards.toml: 40 cards needed, 41 found"),
        ("action_cards.toml", "murat = 1", "nobody = 1", "action_cards.toml: movement.nobody"),
        ("track.toml", '"15.10" = 9', '"15.10" = 99', "track.toml dates"),
        ("terrain_values.toml", "forest = 1", "forest = 7", "terrain_values.toml: infantry.forest"),
        ("zones.toml", "[[zone]]", "[[zone", "zones.toml: "),
    ],
)
def test_a_wrong_file_is_named_with_its_key(
    tmp_path: Path, file: str, old: str, new: str, named: str
) -> None:
    shutil.copytree(paths.scenarios() / "leipzig", tmp_path / "leipzig")
    target = tmp_path / "leipzig" / file
    text = target.read_text(encoding="utf-8")
    assert old in text
    target.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadData) as error:
        read(Data(tmp_path / "leipzig"))
    assert str(error.value).startswith(named)


def test_a_game_is_loaded_by_name() -> None:
    assert "leipzig" in names()
    assert load("leipzig").name == "leipzig"
    with pytest.raises(LookupError, match="atlantis"):
        load("atlantis")
