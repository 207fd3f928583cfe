"""Maps of hex boards: geometry, ground, pieces, and pictures small enough for the mail."""

from __future__ import annotations

import io
import math
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace
from PIL import Image

from pbem import paths
from pbem.kernel.drawing import (
    Banners,
    Block,
    Drawing,
    Ground,
    HexBoard,
    HexFight,
    HexLeader,
    HexLoss,
    HexMark,
    HexMove,
    HexPlace,
    HexSheet,
    HexTerrain,
    Objective,
    Stake,
)
from pbem.reports.map import crop, png, svg
from pbem.reports.map.hexes import ground as ground_module
from pbem.reports.map.hexes import pieces, water
from pbem.reports.map.hexes import sheet as sheet_module
from pbem.reports.map.hexes.grid import DIRECTIONS, WIDE, Grid
from pbem.reports.map.paint import picture
from pbem.reports.map.paint.style import CLOTH
from tests.reports.map.hexes.scenes import board, opening, salamanca, scenarios, table

SMALL = 300
UNIT = Block("D6", "france", "infantry", "LN", 3, 4)


def sheet(*marks: HexMark, **board_facts: object) -> Drawing:
    ground = HexBoard(**board_facts)  # type: ignore[arg-type]
    return Drawing("ccn", "Try", lang="en", hexes=HexSheet(ground, tuple(marks)))


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def words_of(drawing: Drawing) -> list[str]:
    return [
        found.text or "" for found in ET.fromstring(svg(drawing)).iter("{http://www.w3.org/2000/svg}text")
    ]


def test_the_board_has_its_113_hexes_and_eight_halves() -> None:
    grid = Grid(HexBoard())
    assert len(grid.centres) == 113
    assert len(grid.halves) == 8
    assert {"A1", "A13", "B12", "I13"} <= grid.centres.keys()
    assert not {"B13", "A14", "J1", "A0"} & grid.centres.keys()


def test_neighbours_lie_one_hex_away_over_the_right_side() -> None:
    for near in ("bottom", "top"):
        grid = Grid(HexBoard(near=near))
        for hex, (x, y) in grid.centres.items():
            for direction, other in enumerate(grid.around(hex)):
                if other is None:
                    continue
                dx, dy = grid.centres[other][0] - x, grid.centres[other][1] - y
                assert math.isclose(math.hypot(dx, dy), WIDE, rel_tol=1e-6)
                assert round(math.degrees(math.atan2(-dy, dx)) / 60) % DIRECTIONS == direction
                assert grid.neighbour(other, (direction + 3) % DIRECTIONS) == hex


def test_neighbours_agree_with_the_rules() -> None:
    grid = Grid(HexBoard())
    assert set(grid.around("C5")) == {"C4", "C6", "B4", "B5", "D4", "D5"}
    assert set(grid.around("B4")) == {"B3", "B5", "A4", "A5", "C4", "C5"}
    assert {name for name in grid.around("A1") if name} == {"A2", "B1"}


def test_a_board_seen_from_the_top_is_turned_and_keeps_its_names() -> None:
    near, far = Grid(HexBoard()), Grid(HexBoard(near="top"))
    assert near.centres["A1"][0] < near.centres["A13"][0]
    assert far.centres["A1"][0] > far.centres["A13"][0]
    assert near.centres["A1"][1] > near.centres["I1"][1]
    assert far.centres["A1"][1] < far.centres["I1"][1]


def test_the_dotted_lines_run_between_the_sections() -> None:
    grid = Grid(HexBoard())
    for after in grid.board.sections:
        x = after * WIDE
        assert math.isclose(grid.centres[f"B{after}"][0], x)
        assert grid.centres[f"A{after}"][0] < x < grid.centres[f"A{after + 1}"][0]


@pytest.mark.parametrize("bad", ["B13", "A14", "J1", "a1", "A01", "", "A", "Ａ1", "<b>"])
def test_a_hex_that_is_not_on_the_board_is_named(bad: str) -> None:
    marks: tuple[HexMark, ...] = (
        replace(UNIT, hex=bad),
        HexLeader(bad, "france", "Ney"),
        HexMove(("A1", bad), "france"),
        HexFight("A1", bad, "france"),
        HexLoss(bad, "france", "LN"),
        Objective(bad),
    )
    for mark in marks:
        with pytest.raises(ValueError, match="no hex"):
            svg(sheet(mark))
    with pytest.raises(ValueError, match="no hex"):
        svg(sheet(terrain=(HexTerrain(bad, "hill"),)))
    with pytest.raises(ValueError, match="no hex"):
        svg(sheet(places=(HexPlace(bad, "Nowhere"),)))
    with pytest.raises(ValueError, match="no hex"):
        crop(sheet(UNIT), [bad])


@pytest.mark.parametrize(("columns", "rows"), [(0, 9), (13, 0), (13, 27), (4000, 9)])
def test_a_board_that_cannot_be_drawn_is_refused(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        svg(sheet(columns=columns, rows=rows))


@pytest.mark.parametrize("id", list(scenarios()))
def test_every_scenario_can_be_drawn_in_both_languages(id: str) -> None:
    row = scenarios()[id]
    for lang in ("en", "fr"):
        shown = words_of(opening(row, lang))
        assert {unit["hex"] for unit in row["units"]} <= set(shown)
        assert {leader["name"] for leader in row["leaders"]} <= set(shown)
        assert all(word in shown for name in row.get("places", {}).values() for word in pieces._lines(name))


def test_every_ground_of_the_rules_has_its_look_and_its_words() -> None:
    grounds = set(get_args(Ground))
    assert {row["id"] for row in table("terrain")["terrain"]} - {"clear"} <= grounds
    assert ground_module.TINTS.keys() | {"fieldwork"} == grounds
    words = tomllib.loads((paths.templates() / "map" / "hexes.toml").read_text(encoding="utf-8"))
    assert words["en"].keys() == words["fr"].keys() >= grounds
    plain = svg(sheet())
    looks = {kind: svg(sheet(terrain=(HexTerrain("E7", kind, ("F7",)),))) for kind in get_args(Ground)}
    assert len({plain, *looks.values()}) == len(looks) + 1


def test_the_key_tells_only_of_ground_that_is_there() -> None:
    shown = words_of(sheet(terrain=(HexTerrain("E7", "forest"),)))
    assert "forest" in shown
    assert "marsh" not in shown
    assert "forêt" in words_of(replace(sheet(terrain=(HexTerrain("E7", "forest"),)), lang="fr"))


def test_water_flows_on_and_leaves_the_board_at_its_edge() -> None:
    row = scenarios()["corunna"]
    grid, wet = Grid(board(row)), set(row["terrain"]["ford"])
    ways = {hex: water._exits(grid, hex, wet) for hex in wet}
    assert len(ways["E8"]) == 3
    assert len(ways["H9"]) == len(ways["E12"]) == 1
    assert sorted(ways["G1"]) == [0, 3]
    assert all(len(found) == 2 for hex, found in ways.items() if hex not in ("E8", "H9", "E12"))


def test_a_bridge_lies_across_the_river() -> None:
    assert water._across([3, 0]) % 180 == 90
    assert water._across([1, 4]) % 180 == pytest.approx(30)


def test_works_stand_only_on_the_sides_they_face() -> None:
    facing = [HexTerrain("E7", "fieldwork", found) for found in ((), ("F6",), ("F6", "F7"))]
    teeth = [ground_module.land(Grid(HexBoard((entry,)))).count(ground_module._WORKS) for entry in facing]
    assert teeth == [0, 1, 2]


def test_a_tile_shows_blocks_left_and_lost() -> None:
    for left in range(5):
        tile = pieces.tile(replace(UNIT, strength=left))
        blocks = tile.count('height="5.6"')
        hollow = tile.count('height="5.6" fill="none"')
        assert (blocks, blocks - hollow) == (4, left)
        assert f">{left}</text>" in tile


def test_every_state_of_a_unit_can_be_seen() -> None:
    states = [UNIT, *(replace(UNIT, **{state: True}) for state in ("guard", "square", "ordered"))]
    assert len({pieces.tile(state) for state in states}) == 4


def test_each_arm_has_its_sign() -> None:
    arms = ("infantry", "cavalry", "artillery")
    assert len({pieces.tile(replace(UNIT, arm=arm)) for arm in arms}) == 3


def test_names_lie_over_what_happens_and_labels_over_all() -> None:
    fight = HexFight("D6", "C7", "france", melee=True, label="number 7")
    drawn = svg(sheet(fight, replace(UNIT, leader="Foy")))
    drop = drawn.rindex("A20 20")
    assert drop < drawn.index(">Foy<") < drawn.index(">number 7<")


def test_a_loss_lies_beside_whoever_stands_there_now() -> None:
    grid = sheet_module.load(HexBoard())
    lost = HexLoss("D6", "portugal", "MI")

    def at(*marks: HexMark) -> list[str]:
        found = sheet_module.position(grid, sheet(*marks), sheet_module.close_up(grid, ["D6"]))
        return [piece.svg.split(">")[0] for piece in found if ">MI<" in piece.svg]

    (alone,), (beside,) = at(lost), at(lost, UNIT)
    assert alone != beside
    assert len(set(at(lost, lost))) == 2


def test_a_way_of_one_hex_is_no_way() -> None:
    grid = sheet_module.load(HexBoard())
    view = sheet_module.close_up(grid, ["D6"])
    assert sheet_module.position(grid, sheet(HexMove(("D6",), "france"), HexMove((), "france")), view) == []


def test_the_banners_of_the_far_side_stand_above() -> None:
    sides = Banners("great_britain", "Wellington", 3, 6), Banners("france", "Marmont", 5, 6)

    def heights(near: str) -> tuple[float, float]:
        drawing = sheet(near=near)
        assert drawing.hexes is not None
        drawing = replace(drawing, hexes=replace(drawing.hexes, bottom=sides[0], top=sides[1]))
        found = {e.text: e for e in ET.fromstring(svg(drawing)).iter("{http://www.w3.org/2000/svg}text")}
        assert found["3 / 6"] is not None
        return float(found["Wellington"].get("y", 0)), float(found["Marmont"].get("y", 0))

    below, above = heights("bottom")
    assert below > above
    below, above = heights("top")
    assert below < above


def test_banners_without_number_stay_on_the_sheet() -> None:
    for won, target in ((0, 0), (40, 5), (3, 400)):
        track, begin = pieces.banner_track(Banners("france", "N" * 300, won, target, "m" * 300), 1351, 0, 92)
        assert begin > 0
        assert track


def test_strange_words_do_no_harm() -> None:
    nasty = "</text><script>&\x00\ud800" + "W" * 500
    drawing = sheet(
        replace(UNIT, leader=nasty, code=nasty),
        HexLeader("A1", "france", nasty),
        HexLoss("A2", "france", nasty),
        HexFight("A3", "A5", "france", label=nasty),
        Objective("A7", (Stake("france", nasty),)),
        places=(HexPlace("C3", nasty),),
    )
    drawing = replace(drawing, title=nasty, subtitle=nasty)
    assert "script" not in {found.tag for found in ET.fromstring(svg(drawing)).iter()}
    assert opened(png(drawing, SMALL)).size[0] == SMALL


def test_a_turn_in_full_is_small_enough_for_the_mail_and_keeps_its_colours(tmp_path: Path) -> None:
    data = png(salamanca(), cache_dir=tmp_path)
    found = opened(data)
    assert len(data) <= 250_000
    assert (found.size[0], found.mode) == (1200, "P")
    colours = found.convert("RGB").getcolors(257)
    assert colours is not None
    for tint in ("france", "great_britain", "portugal"):
        cloth = tuple(int(CLOTH[tint].fill[i : i + 2], 16) for i in (1, 3, 5))
        near = sum(
            count
            for count, colour in colours
            if isinstance(colour, tuple) and max(abs(a - b) for a, b in zip(colour, cloth, strict=True)) < 6
        )
        assert near > 3000, tint


def test_the_next_turn_is_painted_on_the_same_base(tmp_path: Path) -> None:
    picture._base.cache_clear()
    first = png(opening(scenarios()["salamanca_left"]), SMALL, cache_dir=tmp_path)
    second = png(salamanca(), SMALL, cache_dir=tmp_path)
    assert first != second
    assert picture._base.cache_info().misses == 1
    assert len(list(tmp_path.iterdir())) == 1
    png(salamanca(near="top"), SMALL, cache_dir=tmp_path)
    png(salamanca("fr"), SMALL, cache_dir=tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_map_from_the_cache_is_the_same_to_the_byte(tmp_path: Path) -> None:
    picture._base.cache_clear()
    fresh = png(salamanca(), SMALL, cache_dir=tmp_path)
    picture._base.cache_clear()
    picture._kept_piece.cache_clear()
    assert png(salamanca(), SMALL, cache_dir=tmp_path) == fresh


def test_a_close_up_shows_the_fight_and_what_is_around_it() -> None:
    grid = sheet_module.load(board(scenarios()["salamanca_left"]))
    for names in (["E8", "F8"], ["A1"], ["I13"], ["A1", "I13"]):
        view = sheet_module.close_up(grid, names)
        for name in names:
            x, y = grid.centre(name)
            assert view.left < x < view.left + view.wide
            assert view.top < y < view.top + view.high
        assert 4 / 3 - 0.01 <= view.wide / view.high <= 2.01
    found = opened(crop(salamanca(), ["E8", "F8"]))
    assert 600 <= found.size[0] <= 1000
    assert opened(crop(salamanca(), ["E8", "F8"], 400)).size[0] == 400


def test_a_close_up_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one hex"):
        crop(salamanca(), [])
