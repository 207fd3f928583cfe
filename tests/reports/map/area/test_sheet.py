"""The sheet as SVG: the board's data, what marks become, and what is refused."""

import tomllib
from xml.etree import ElementTree

import pytest

from pbem import paths
from pbem.kernel.drawing import (
    Arrow,
    Battle,
    Counter,
    Drawing,
    Mark,
    Marker,
    Objective,
    Panel,
    Row,
    Score,
    Stake,
    Step,
    Track,
    Wash,
)
from pbem.reports.map import svg
from pbem.reports.map.board import load
from pbem.reports.map.marks.lettering import label_box
from pbem.reports.map.marks.placing import counter_form, place
from pbem.reports.map.paint.geometry import centre, inside, overlap
from pbem.reports.map.paint.style import MARKER
from pbem.reports.map.phrases import phrase

HOSTILE = "<script>&\"'\x00\x0b\ud800 ]]> \uffff" + "é" * 500


def words(document: str) -> list[str]:
    tree = ElementTree.fromstring(document)
    return [element.text or "" for element in tree.iter("{http://www.w3.org/2000/svg}text")]


def test_every_zone_has_a_shape_around_its_stack_point_and_a_place_for_its_name() -> None:
    board = load("leipzig")
    zones = tomllib.loads((paths.scenarios() / "leipzig" / "zones.toml").read_text("utf-8"))["zone"]
    assert {zone["id"] for zone in zones} == set(board.areas)
    for zone in zones:
        area = board.areas[zone["id"]]
        assert inside(board.outlines[zone["id"]], *area.stack)
        assert " ".join(area.lines).replace("- ", "-") == zone["name"]
        assert area.terrain == zone["terrain"]
        assert board.neighbours[zone["id"]] == set(zone["neighbours"])


def test_the_sheet_shows_names_legend_and_what_the_game_says() -> None:
    drawing = Drawing(
        "leipzig",
        title="Partie 12",
        marks=(Counter("wachau", "france", "4", pill="Murat"), Marker("wahren", "prussia", "Yo", "square")),
        track=Track("Octobre", (Step(), Step("16.", battle=True, reveal=True), Step()), current=99),
        scores=(Score("france", "Français", "11"),),
        panels=(Panel("Réserve", (Row("Bennigsen", "17.", "russia"),)),),
        lang="fr",
    )
    shown = words(svg(drawing))
    for expected in (
        "Partie 12",
        "Murat",
        "Yo",
        "16.",
        "11",
        "Bennigsen",
        "RÉSERVE",
        "Liebertwolkwitz",
        "colline",
    ):
        assert expected in shown


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_hostile_words_stay_words(lang: str) -> None:
    drawing = Drawing(
        "leipzig",
        title=HOSTILE,
        subtitle=HOSTILE,
        marks=(
            Counter("wachau", "france", HOSTILE, pill=HOSTILE, title=HOSTILE),
            Marker("wahren", "prussia", HOSTILE),
            Objective("taucha", (Stake("france", HOSTILE),)),
            Arrow("wachau", "taucha", "france", HOSTILE),
            Battle("wachau", "taucha", HOSTILE),
            Wash("gohlis", "russia"),
        ),
        track=Track(HOSTILE, (Step(HOSTILE),), 0),
        scores=(Score("france", HOSTILE, HOSTILE),),
        panels=(Panel(HOSTILE, (Row(HOSTILE, HOSTILE, "russia", label=HOSTILE),)),),
        lang=lang,  # type: ignore[arg-type]
    )
    document = svg(drawing)
    ElementTree.fromstring(document)
    document.encode()
    assert "<script" not in document


@pytest.mark.parametrize(
    "mark",
    [
        Counter("elba", "france", "1"),
        Marker("elba", "france", "N"),
        Objective("elba"),
        Wash("elba", "france"),
        Arrow("wachau", "elba", "france"),
        Battle("wachau", "elba"),
    ],
)
def test_a_mark_off_the_board_is_refused_by_name(mark: Mark) -> None:
    with pytest.raises(ValueError, match="leipzig has no area 'elba'"):
        svg(Drawing("leipzig", marks=(mark,)))


@pytest.mark.parametrize("slug", ["atlantis", "../leipzig", ""])
def test_an_unknown_board_is_refused(slug: str) -> None:
    with pytest.raises(ValueError, match="no board is known"):
        svg(Drawing(slug))


def test_eight_markers_in_one_zone_stand_apart() -> None:
    board = load("leipzig")
    marks = tuple(Marker("zuckelhausen", "france" if i % 2 else "russia", f"M{i}") for i in range(8))
    found = [at for at, _ in place(board, Drawing("leipzig", marks=marks), 1.0).markers]
    assert len(found) == 8
    for i, (x, y) in enumerate(found):
        for other_x, other_y in found[i + 1 :]:
            assert max(abs(x - other_x), abs(y - other_y)) >= MARKER - 0.1


@pytest.mark.parametrize("pill", ["Ney", "Schwarzenberg"])
def test_a_tile_alone_stands_in_its_zone_and_leaves_its_name_readable(pill: str) -> None:
    board = load("leipzig")
    for name in board.areas:
        mark = Counter(name, "france", "5", pill=pill)
        ((box, _),) = place(board, Drawing("leipzig", marks=(mark,)), 1.0).counters
        body, foot = counter_form(mark, 1.0).parts(*centre(box))
        label = label_box(board, name)
        hidden = overlap(body, label) + overlap(foot, label)
        assert hidden < 0.2 * (label[2] - label[0]) * (label[3] - label[1]), name
        assert inside(board.outlines[name], *centre(body)), name


def test_a_long_panel_counts_what_it_cannot_show() -> None:
    rows = tuple(Row(f"row {i}") for i in range(80))
    shown = words(svg(Drawing("leipzig", panels=(Panel("Long", rows),))))
    (more,) = (line for line in shown if line.startswith("and "))
    assert sum(line.startswith("row ") for line in shown) + int(more.split()[1]) == 80


def test_both_languages_say_everything() -> None:
    catalogue = tomllib.loads((paths.templates() / "map" / "phrases.toml").read_text("utf-8"))
    assert set(catalogue["en"]) == set(catalogue["fr"])
    for lang in ("en", "fr"):
        assert all(value for value in catalogue[lang].values())
    assert phrase("fr", "forest") == "forêt"
    assert phrase("en", "capital", "atlantis") == ""
