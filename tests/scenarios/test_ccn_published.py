"""The published battles of ccn: our layouts agree with every public fact, and are legal."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pbem import paths

CCN = paths.scenarios() / "ccn"
FILES = sorted((CCN / "published").glob("*.toml"))
ROWS, WIDE = "ABCDEFGHI", "ACEGI"
WATER = ("river", "ford", "bridge")
DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")


def table(name: str) -> dict[str, Any]:
    return dict(tomllib.loads((CCN / f"{name}.toml").read_text(encoding="utf-8")))


BOX = {unit["id"]: unit for unit in table("units")["unit"]}
LEADERS = {nation["id"]: nation["leaders_in_box"] for nation in table("nations")["nation"]}
GROUND = {ground["id"]: ground for ground in table("terrain")["terrain"]}
FACTS: dict[int, dict[str, Any]] = {entry["number"]: entry for entry in table("published_facts")["scenario"]}


def load(file: Path) -> dict[str, Any]:
    (entry,) = tomllib.loads(file.read_text(encoding="utf-8"))["scenario"]
    return dict(entry)


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def scenario(request: pytest.FixtureRequest) -> dict[str, Any]:
    return load(request.param)


@pytest.fixture
def facts(scenario: dict[str, Any]) -> dict[str, Any]:
    return FACTS[scenario["number"]]


def with_fact(key: str) -> pytest.MarkDecorator:
    """The battles of which this is known."""
    known = [file for file in FILES if key in FACTS[load(file)["number"]]]
    return pytest.mark.parametrize(
        "scenario", [load(file) for file in known], ids=[file.stem for file in known]
    )


def goal_hexes(goal: dict[str, Any]) -> list[str]:
    return list(goal.get("hexes", [goal.get("hex")]))


def legal(hex_: str) -> bool:
    row, column = hex_[0], hex_[1:]
    return row in ROWS and column in map(str, range(1, 14 if row in WIDE else 13))


def neighbours(hex_: str) -> dict[str, str]:
    """The neighbours on the board, by direction."""
    row, column = ROWS.index(hex_[0]), int(hex_[1:])
    left = column - 1 if hex_[0] in WIDE else column
    around = {
        "E": (row, column + 1),
        "W": (row, column - 1),
        "NE": (row + 1, left + 1),
        "NW": (row + 1, left),
        "SE": (row - 1, left + 1),
        "SW": (row - 1, left),
    }
    found = {way: f"{ROWS[r]}{c}" for way, (r, c) in around.items() if 0 <= r < len(ROWS)}
    return {way: name for way, name in found.items() if legal(name)}


def distance(a: str, b: str) -> int:
    reached, steps = {a}, 0
    while b not in reached:
        reached |= {name for hex_ in reached for name in neighbours(hex_).values()}
        steps += 1
    return steps


def terrain_at(scenario: dict[str, Any]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for kind, hexes in scenario["terrain"].items():
        for hex_ in hexes:
            found.setdefault(hex_, set()).add(kind)
    return found


def test_there_is_a_file_for_each_battle_of_which_something_is_known() -> None:
    assert {load(file)["number"] for file in FILES} == FACTS.keys()
    assert all(file.stem == f"{load(file)['number']:02d}_{load(file)['id']}" for file in FILES)
    ids = [load(file)["id"] for file in FILES]
    assert len(ids) == len(set(ids)) == 10


def test_every_hex_is_on_the_board(scenario: dict[str, Any]) -> None:
    named = [unit["hex"] for unit in scenario["units"]] + [leader["hex"] for leader in scenario["leaders"]]
    named += [hex_ for hexes in scenario["terrain"].values() for hex_ in hexes]
    named += list(scenario.get("places", {}))
    named += [
        hex_ for goal in scenario.get("objectives", []) for hex_ in goal.get("hexes", [goal.get("hex")])
    ]
    assert [hex_ for hex_ in named if not legal(hex_)] == []


def test_no_two_terrains_share_a_hex_but_works_on_a_hill(scenario: dict[str, Any]) -> None:
    assert scenario["terrain"].keys() <= GROUND.keys() - {"clear"}
    for hexes in scenario["terrain"].values():
        assert len(hexes) == len(set(hexes))
    doubled = {hex_: kinds for hex_, kinds in terrain_at(scenario).items() if len(kinds) > 1}
    assert all(kinds == {"hill", "fieldwork"} for kinds in doubled.values()), doubled


def test_one_unit_a_hex_on_ground_that_bears_it(scenario: dict[str, Any]) -> None:
    hexes = [unit["hex"] for unit in scenario["units"]]
    assert [hex_ for hex_, count in Counter(hexes).items() if count > 1] == []
    ground = terrain_at(scenario)
    for unit in scenario["units"]:
        kinds = ground.get(unit["hex"], set())
        assert all(GROUND[kind]["passable"] for kind in kinds), unit
        arm = BOX[unit["type"]]["arm"]
        assert all(arm not in GROUND[kind].get("impassable_for", ()) for kind in kinds), unit


def test_units_fit_the_box_and_their_side(scenario: dict[str, Any]) -> None:
    used = Counter(unit["type"] for unit in scenario["units"])
    assert {kind: count for kind, count in used.items() if count > BOX[kind]["units_in_box"]} == {}
    for unit in scenario["units"]:
        assert unit["side"] == ("top" if unit["type"].startswith("fr_") else "bottom")


def test_leaders_fit_the_box_and_stand_apart(scenario: dict[str, Any]) -> None:
    leaders, ground = scenario["leaders"], terrain_at(scenario)
    side_at = {unit["hex"]: unit["side"] for unit in scenario["units"]}
    used = Counter(leader["nation"] for leader in leaders)
    assert all(used[nation] <= LEADERS[nation] for nation in used)
    assert (
        len({leader["hex"] for leader in leaders})
        == len(leaders)
        == len({leader["name"] for leader in leaders})
    )
    for leader in leaders:
        assert leader["side"] == ("top" if leader["nation"] == "french" else "bottom")
        assert side_at.get(leader["hex"], leader["side"]) == leader["side"]
        assert all(GROUND[kind]["passable"] for kind in ground.get(leader["hex"], ()))


def test_the_lines_face_each_other_out_of_contact(scenario: dict[str, Any]) -> None:
    ours = [unit["hex"] for unit in scenario["units"] if unit["side"] == "bottom"]
    theirs = [unit["hex"] for unit in scenario["units"] if unit["side"] == "top"]
    nearest = [min(distance(a, b) for b in theirs) for a in ours]
    assert min(nearest) >= 2
    assert sum(gap >= 3 for gap in nearest) >= 0.75 * len(nearest)
    assert min(nearest) <= 4
    assert max(a[0] for a in ours) <= min(b[0] for b in theirs)


def test_a_fieldwork_faces_neighbours(scenario: dict[str, Any]) -> None:
    sides = {entry["hex"]: entry["toward"] for entry in scenario.get("fieldwork_sides", [])}
    assert sides.keys() == set(scenario["terrain"].get("fieldwork", []))
    for hex_, toward in sides.items():
        assert set(toward) <= set(neighbours(hex_).values())


def test_water_runs_on_from_hex_to_hex(scenario: dict[str, Any]) -> None:
    water = {hex_ for kind in WATER for hex_ in scenario["terrain"].get(kind, [])}
    alone = [hex_ for hex_ in water if not water & set(neighbours(hex_).values())]
    assert alone == []


def test_words_are_there_in_both_languages(scenario: dict[str, Any]) -> None:
    for key in ("title", "history", "status"):
        assert scenario[key].strip()
        assert scenario[f"{key}_fr"].strip()
    assert scenario["history"] != scenario["history_fr"]
    assert all(goal["when"] and goal["when_fr"] for goal in scenario.get("objectives", []))


def test_numbers_for_play_are_sensible(scenario: dict[str, Any]) -> None:
    assert scenario["first_player"] in ("bottom", "top")
    assert all(4 <= scenario["cards"][side] <= 6 for side in ("bottom", "top"))
    assert 5 <= scenario["victory_banners"] <= 9


def public(facts: dict[str, Any]) -> set[str]:
    """What a scenario file may call public: `cards`, or `cards.bottom` when one side's only are known."""
    names = {"moves_first": "first_player", "banners": "victory_banners"}
    told = {"date", "commanders", "cards", "moves_first", "banners", "terrain", "objectives", "special"}
    found = {names.get(key, key) for key in told & facts.keys()}
    for key in ("cards", "units", "leaders"):
        if key in facts:
            found.discard(key)
            found.add(key if "french" in facts[key] else f"{key}.bottom")
    return found


def test_it_says_what_is_public_and_what_is_ours(scenario: dict[str, Any], facts: dict[str, Any]) -> None:
    assert set(scenario["public"]) == public(facts)
    assert {"map", "deployment"} <= set(scenario["ours"])
    told = {name.partition(".")[0] for name in [*scenario["public"], *scenario["ours"]]}
    assert {"cards", "first_player", "victory_banners", "units", "leaders"} <= told
    assert not set(scenario["public"]) & set(scenario["ours"])


def test_the_notes_agree_with_the_facts(scenario: dict[str, Any], facts: dict[str, Any]) -> None:
    side = {"british": "bottom", "french": "top"}
    assert scenario["date"] == facts["date"]
    assert {side[nation]: name for nation, name in facts["commanders"].items()} == scenario["commanders"]
    for nation, count in facts.get("cards", {}).items():
        assert scenario["cards"][side[nation]] == count
    if "moves_first" in facts:
        assert scenario["first_player"] == side[facts["moves_first"]]
    if "banners" in facts:
        assert scenario["victory_banners"] == facts["banners"]
    assert scenario.get("special", []) == facts.get("special", [])


def test_units_and_leaders_agree_with_the_facts(scenario: dict[str, Any], facts: dict[str, Any]) -> None:
    laid: dict[str, Counter[str]] = {nation: Counter() for nation in LEADERS}
    for unit in scenario["units"]:
        kind = BOX[unit["type"]]
        laid[kind["nation"]][kind["code"].removeprefix("P-")] += 1
    for nation, expected in facts.get("units", {}).items():
        found = dict(laid[nation])
        if nation in facts.get("units_cut", ()):
            found = {code: count for code, count in found.items() if code in expected}
        assert found == expected, nation
    leaders = Counter(leader["nation"] for leader in scenario["leaders"])
    for nation, count in facts.get("leaders", {}).items():
        assert leaders[nation] == count, nation


def river_pieces(scenario: dict[str, Any]) -> tuple[Counter[str], int]:
    """Water hexes by the shape of tile that they need, and how many at the edge fit a straight or a bend."""
    water = {hex_: kind for kind in WATER for hex_ in scenario["terrain"].get(kind, [])}
    shapes: Counter[str] = Counter()
    either = 0
    for hex_, kind in water.items():
        ways = [DIRECTIONS.index(way) for way, name in neighbours(hex_).items() if name in water]
        suffix = "_bridge" if kind == "bridge" else ""
        if len(ways) == 3:
            shapes["river_y_right" + suffix] += 1
        elif len(ways) == 2:
            turn = min((ways[0] - ways[1]) % 6, (ways[1] - ways[0]) % 6)
            shapes[{3: "river", 2: "river_bend", 1: "river_sharp"}[turn] + suffix] += 1
        elif len(neighbours(hex_)) < 6:
            either += 1
        else:
            shapes["river_end" + suffix] += 1
    return shapes, either


@with_fact("terrain")
def test_terrain_agrees_with_the_facts(scenario: dict[str, Any], facts: dict[str, Any]) -> None:
    expected = dict(facts["terrain"])
    laid = {kind: len(hexes) for kind, hexes in scenario["terrain"].items()}
    tiles = {"hill_rugged": "rugged_hill", "entrenchments": "fieldwork", "town_windmill": "windmill"}
    rivers = {tile: expected.pop(tile) for tile in list(expected) if tile.startswith("river")}
    assert {tiles.get(tile, tile): count for tile, count in expected.items()} == {
        kind: count for kind, count in laid.items() if kind not in WATER
    }
    shapes, either = river_pieces(scenario)
    missing = Counter(rivers)
    missing.subtract(shapes)
    assert all(count >= 0 for count in missing.values()), missing
    assert set(+missing) <= {"river", "river_bend"}
    assert sum(missing.values()) == either
    if "all_streams_fordable" in facts.get("special", ()):
        assert "river" not in scenario["terrain"]


@with_fact("objectives")
def test_objectives_agree_with_the_facts(scenario: dict[str, Any], facts: dict[str, Any]) -> None:
    side = {"british": "bottom", "french": "top"}
    goals = scenario["objectives"]
    for fact in facts["objectives"]:
        mine = [goal for goal in goals if goal["side"] == side[fact["side"]]]
        hexes = [hex_ for goal in mine for hex_ in goal_hexes(goal)]
        assert len(hexes) == fact["hexes"]
        assert set(hexes) <= set(scenario["terrain"][fact["terrain"]])
        assert all(hex_[0] == fact["row"] for hex_ in hexes if "row" in fact)
        if "banners_together" in fact:
            assert [goal["banners"] for goal in mine] == [fact["banners_together"]]
        else:
            assert all(goal["banners"] == fact["banners_each"] for goal in mine)
