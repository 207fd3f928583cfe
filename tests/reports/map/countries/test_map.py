"""Maps of countries: the board of nce, its realms, its marks, and the pictures made of them."""

import io
import math
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from PIL import Image, ImageColor

from pbem import paths
from pbem.kernel.drawing import (
    Battle,
    Control,
    Counter,
    Depot,
    Drawing,
    Fleet,
    Lang,
    March,
    Mark,
    Siege,
    Supply,
    Wash,
    Works,
)
from pbem.reports.map import crop, png, svg
from pbem.reports.map.board import load
from pbem.reports.map.countries import base, layers
from pbem.reports.map.marks.lettering import label_at
from pbem.reports.map.marks.placing import place
from pbem.reports.map.paint import picture
from pbem.reports.map.paint.geometry import centre, inside, overlap, rings
from pbem.reports.map.paint.style import CAPITAL, CLOTH, REALM
from tests.reports.map.countries.scenes import autumn_1805, table

SMALL = 300
HOSTILE = "<script>&\"'\x00\ud800 ]]>" + "é" * 300
EVERYWHERE = (-1e9, -1e9, 1e9, 1e9)


def words(document: str) -> list[str]:
    tree = ElementTree.fromstring(document)
    return [element.text or "" for element in tree.iter("{http://www.w3.org/2000/svg}text")]


def drawn(*marks: Mark) -> Drawing:
    return Drawing("nce", marks=marks)


def test_every_zone_and_sea_has_a_shape_round_its_stack_point() -> None:
    board = load("nce")
    zones = {zone["id"]: zone for zone in table("zones")["zone"]}
    seas = {sea["id"] for sea in table("seas")["sea"]}
    assert set(board.land) == set(zones)
    assert set(board.shapes.seas) == seas
    for name, area in board.areas.items():
        assert inside(board.outlines[name], *area.stack), name
        assert board.at_sea(*area.stack) == (name in seas), name


def test_borders_are_drawn_as_the_tables_have_them() -> None:
    atlas = load("nce").atlas
    assert atlas is not None
    for zone in table("zones")["zone"]:
        for other, crossing in zone["neighbours"].items():
            expected = crossing if crossing in ("river", "bridge", "pass", "mountain") else "clear"
            assert atlas.crossing(zone["id"], other) == expected


def test_shores_are_where_land_meets_water_and_nowhere_else() -> None:
    board = load("nce")
    shore = {point for d, _ in board.coast for chain in rings(d) for point in chain}
    for a, b, border in board.shapes.borders:
        if {a, b} <= {"munich", "ulm", "nuremberg", "vienne", "brunn", "prague"}:
            assert not shore & {point for chain in rings(border) for point in chain}
    assert sum(board.at_sea(x + 6, y) or board.at_sea(x - 6, y) for x, y in shore) > len(shore) / 2


@pytest.mark.parametrize(("lang", "expected"), [("en", "AUSTRIA"), ("fr", "AUTRICHE")])
def test_the_sheet_shows_names_key_and_position(lang: Lang, expected: str) -> None:
    shown = words(svg(autumn_1805(lang)))
    for word in (expected, "Napoléon", "Manche", "Ulm", "15", "Keith"):
        assert word in shown
    assert ("citadelle" if lang == "fr" else "citadel") in shown
    assert len([word for word in shown if word == "15"]) == 1


def test_a_wash_colours_its_area_and_no_other() -> None:
    board = load("nce")
    _, plain = base.realms(board, EVERYWHERE, 1.0)
    _, washed = base.realms(board, EVERYWHERE, 1.0, [Wash("lisbonne", "spain", True)])
    pale = base.ground("spain", True)
    assert pale not in plain
    assert board.areas["lisbonne"].path in washed.split(f'fill="{pale}"')[0].rsplit("<path", 1)[1]
    assert REALM["spain"] in washed
    with pytest.raises(ValueError, match="nce has no area 'elba'"):
        svg(drawn(Wash("elba", "france")))


@pytest.mark.parametrize(
    "mark",
    [
        Counter("elba", "france", "1"),
        Fleet("elba", "france", "1"),
        Control("elba", "france"),
        Siege("elba", "france"),
        Works("elba", 1),
        Depot("elba", "france"),
        March(("ulm", "elba"), "france"),
        Supply(("elba", "ulm"), "france"),
        Battle("elba", "elba"),
    ],
)
def test_a_mark_off_the_board_is_refused_by_name(mark: Mark) -> None:
    with pytest.raises(ValueError, match="nce has no area 'elba'"):
        svg(drawn(mark))


def test_a_way_needs_two_areas() -> None:
    with pytest.raises(ValueError, match="at least two areas"):
        svg(drawn(March(("ulm",), "france")))


def test_hostile_words_stay_words() -> None:
    document = svg(
        drawn(
            Fleet("brest", "france", HOSTILE, HOSTILE),
            Siege("ulm", "france", HOSTILE),
            March(("ulm", "munich"), "france", HOSTILE),
        )
    )
    ElementTree.fromstring(document)
    assert "<script" not in document


def test_fleets_in_and_before_a_port_lie_on_the_water_beside_it_and_apart() -> None:
    board = load("nce")
    marks = (Fleet("brest", "great_britain", "2", blockade=True), Fleet("brest", "france", "2", "Ganteaume"))
    found = place(board, drawn(*marks), board.k).fleets
    assert len(found) == 2
    for box, port, _ in found:
        assert port == board.areas["brest"].port
        assert board.at_sea(*centre(box))
        assert math.dist(centre(box), port or (0, 0)) < 120
    assert not overlap(found[0][0], found[1][0])


def test_a_force_alone_stands_in_its_zone_or_on_the_water_beside_it() -> None:
    board = load("nce")
    for name in list(board.land)[::6]:
        mark = Counter(name, "france", "5", pill="Masséna")
        ((box, _),) = place(board, drawn(mark), board.k).counters
        at = centre(box)
        assert inside(board.outlines[name], *at) or math.dist(at, board.areas[name].stack) < 40, name


def test_close_up_a_name_draws_nearer_to_its_town() -> None:
    board = load("nce")
    town = board.areas["ulm"].city
    assert town is not None
    far, near = (math.dist(label_at(board, "ulm", k), town) for k in (board.k, board.k / 2))
    assert near == pytest.approx(far / 2)


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def near(found: Image.Image, colour: str) -> int:
    """How many pixels have nearly that colour."""
    wanted = ImageColor.getrgb(colour)
    counted = found.convert("RGB").getcolors(257) or []
    return sum(
        n
        for n, c in counted
        if isinstance(c, tuple) and max(abs(a - b) for a, b in zip(c, wanted, strict=True)) < 6
    )


def test_the_map_of_europe_is_small_enough_for_the_mail_and_keeps_its_rare_colours(tmp_path: Path) -> None:
    data = png(autumn_1805("en"), cache_dir=tmp_path)
    found = opened(data)
    assert len(data) <= 250_000
    assert found.mode == "P"
    assert found.size[0] == 1200
    assert near(found, CLOTH["france"].fill) > 2000
    assert near(found, CAPITAL) > 50
    assert near(found, REALM["russia"]) > 20_000


def test_layers_from_the_cache_give_the_same_map_and_damaged_ones_are_painted_again(tmp_path: Path) -> None:
    picture._base.cache_clear()
    layers._kept.cache_clear()
    fresh = png(autumn_1805(), SMALL, cache_dir=tmp_path)
    under, over = sorted(tmp_path.iterdir(), reverse=True)
    assert under.name.startswith("nce-fr-300-under")
    over.write_bytes(b"\x89PNG damaged")
    picture._base.cache_clear()
    layers._kept.cache_clear()
    assert png(autumn_1805(), SMALL, cache_dir=tmp_path) == fresh
    assert over.read_bytes() != b"\x89PNG damaged"


def test_a_change_of_control_changes_the_realm_and_paints_no_layer_again(tmp_path: Path) -> None:
    before = autumn_1805()
    after = msgspec.structs.replace(before, marks=(*before.marks, Wash("madrid", "france")))
    first = png(before, SMALL, cache_dir=tmp_path)
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert png(after, SMALL, cache_dir=tmp_path) != first
    assert {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == kept


def test_a_theatre_close_up_shows_land_and_sea(tmp_path: Path) -> None:
    found = opened(crop(autumn_1805(), ["brest", "manche"], 400, cache_dir=tmp_path))
    assert found.size[0] == 400
    assert 1.3 <= found.size[0] / found.size[1] <= 2.1
    assert not list(tmp_path.iterdir())


def test_both_languages_name_all_signs() -> None:
    catalogue = tomllib.loads((paths.templates() / "map" / "phrases.toml").read_text("utf-8"))
    assert set(catalogue["en"]["countries"]) == set(catalogue["fr"]["countries"])
    for lang in ("en", "fr"):
        assert all(catalogue[lang]["countries"].values())
