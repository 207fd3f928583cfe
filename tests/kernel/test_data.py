"""A game's data files: what is wrong with one is told with file and key."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from pbem.kernel.data import BadData, Data, known, mutual, need


class Village(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    houses: int
    neighbours: tuple[str, ...] = ()


GOOD = """
rounds = 3
[[village]]
id = "ash"
houses = 4
neighbours = ["birch"]
[[village]]
id = "birch"
houses = 2
neighbours = ["ash"]
"""


def data(folder: Path, text: str = GOOD) -> Data:
    (folder / "board.toml").write_text(text, "utf-8")
    return Data(folder, "scenarios/toy/")


def test_records_by_their_identifier(tmp_path: Path) -> None:
    villages = data(tmp_path).records("board", "village", Village)
    assert villages == {"ash": Village("ash", 4, ("birch",)), "birch": Village("birch", 2, ("ash",))}
    mutual(villages, lambda village: village.neighbours, "board")


def test_values_and_whole_files_are_typed(tmp_path: Path) -> None:
    files = data(tmp_path)
    assert files.value("board", "rounds", int) == 3
    assert files.names() == ["board"]
    with pytest.raises(BadData, match=re.escape("scenarios/toy/board.toml: turns is missing")):
        files.value("board", "turns", int)
    with pytest.raises(BadData, match=re.escape("scenarios/toy/board.toml rounds: Expected `str`")):
        files.value("board", "rounds", str)
    with pytest.raises(BadData, match=r"board\.toml: "):
        files.file("board", dict[str, int])


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("houses = 2", 'houses = "two"', "board.toml village birch: Expected `int`, got `str` - at `$.houses`"),
        ("houses = 2", "", "board.toml village birch: Object missing required field `houses`"),
        ('id = "birch"', 'id = "ash"', "board.toml village ash: id appears twice"),
        ('id = "birch"', "", "board.toml village 2.id: "),
        ("houses = 2", "huts = 2", "village birch: Object contains unknown field `huts`"),
        ("houses = 2", "houses = ", "scenarios/toy/board.toml: "),
        ("[[village]]", "[village]", "board.toml: Cannot"),
    ],
)  # fmt: skip
def test_what_is_wrong_names_file_and_key(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    with pytest.raises(BadData, match=re.escape(said)):
        data(tmp_path, GOOD.replace(was, becomes)).records("board", "village", Village)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"scenarios/toy/units\.toml: "):
        data(tmp_path).records("units", "unit", Village)


def test_each_record_can_be_looked_at(tmp_path: Path) -> None:
    def big(where: str, village: Village) -> None:
        need(village.houses > 3, f"{where}.houses", "a village has four houses at least")

    with pytest.raises(BadData, match=re.escape("board.toml village birch.houses: a village has four")):
        data(tmp_path).records("board", "village", Village, also=big)


@pytest.mark.parametrize(
    ("neighbours", "said"),
    [
        ('["ash", "fir"]', "there is no fir"),
        ("[]", "ash.neighbours: birch has no border back"),
        ('["ash", "birch"]', "no border with itself"),
    ],
)
def test_borders_are_mutual(tmp_path: Path, neighbours: str, said: str) -> None:
    text = GOOD.replace('["ash"]', neighbours)
    with pytest.raises(BadData, match=re.escape(said)):
        mutual(data(tmp_path, text).records("board", "village", Village), lambda one: one.neighbours, "board")


def test_references_are_known() -> None:
    known(["ash"], {"ash": 1}, "board")
    with pytest.raises(BadData, match="board: there is no oak"):
        known(["ash", "oak"], ["ash"], "board")
