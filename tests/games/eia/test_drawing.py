"""What the map shows, and what it does not show to whom."""

from __future__ import annotations

from pbem.games.eia.board import AREAS
from pbem.games.eia.drawing import THEATRES, drawing, month_name
from pbem.games.eia.sites import sites
from pbem.games.eia.state import Arrow, State
from pbem.games.eia.view import view
from pbem.kernel.drawing import Battle, Control, Counter, Depot, March, Marker, Siege, Supply, Wash
from tests.games.eia.fields import besiege, corps, depot, empty, horse


def scene() -> State:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout", "ney")
    corps(state, "fr_1c", "ulm", "5 C")
    corps(state, "au_1", "ulm", "9 I", "mack", inside=True)
    corps(state, "au_2", "munich", "8 I")
    state.garrison("ulm", "austria", "austria", {"I": 3})
    state.garrison("strasbourg", "france", "france", {"I": 2}, depot=True)
    horse(state, "ck_russia_1", "brunn")
    depot(state, "france", "strasbourg", "stuttgart", "augsburg")
    depot(state, "austria", "vienna")
    besiege(state, "ulm", "france")
    state.arrows = [
        Arrow("march", "france", ("stuttgart", "ulm")),
        Arrow("battle", "france", ("ulm",), won="france"),
        Arrow("retreat", "austria", ("ulm", "munich")),
    ]
    return state


def shown(seat: str | None, kind: type) -> list[object]:
    state = scene()
    return [mark for mark in drawing(view(state, seat), seat, "en").marks if isinstance(mark, kind)]


def test_own_corps_show_factors_and_enemies_their_number() -> None:
    french = {(mark.area, mark.tint): mark for mark in shown("france", Counter)}
    assert french["ulm", "france"].value == "25"
    assert french["ulm", "france"].pill == "Davout +1"
    assert french["munich", "austria"].value == "1c"
    assert french["ulm", "austria"].faded
    austrian = {(mark.area, mark.tint): mark for mark in shown("austria", Counter)}
    assert austrian["ulm", "france"].value == "2c"
    assert austrian["munich", "austria"].value == "8"
    nobody = {mark.value for mark in shown(None, Counter)}
    assert nobody == {"2c", "1c"}


def test_garrisons_light_horse_depots_and_sieges_stand_openly() -> None:
    assert Marker("ulm", "austria", "3", "square") in shown("france", Marker)
    assert Marker("strasbourg", "france", "2") in shown("austria", Marker)
    assert Marker("brunn", "russia", "CK") in shown("france", Marker)
    assert shown(None, Siege) == [Siege("ulm", "france")]
    assert {mark.area for mark in shown(None, Depot)} == {"strasbourg", "stuttgart", "augsburg", "vienna"}


def test_marches_retreats_and_battles() -> None:
    assert shown(None, Battle) == [Battle("ulm", "ulm")]
    assert [(mark.path, mark.retreat) for mark in shown(None, March)] == [
        (("stuttgart", "ulm"), False),
        (("ulm", "munich"), True),
    ]


def test_every_area_has_its_colour() -> None:
    washes = {mark.area: mark for mark in shown(None, Wash)}
    assert washes.keys() == AREAS.keys()
    assert (washes["paris"].tint, washes["paris"].pale) == ("france", False)
    assert (washes["munich"].tint, washes["munich"].pale) == ("france", True)
    assert washes["berlin"].pale
    assert washes["naples"].tint == "neutral"


def test_a_city_in_other_hands_is_hatched() -> None:
    assert shown(None, Control) == [Control("ulm", "austria")]


def test_chains_are_their_owners_business() -> None:
    state = scene()
    chains = drawing(view(state, "france"), "france", "en").near
    assert [(mark.path[0], mark.path[-1]) for mark in chains if isinstance(mark, Supply)] == [
        ("stuttgart", "augsburg")
    ]
    assert drawing(view(state, "austria"), "austria", "en").near == ()
    assert drawing(view(state, None), None, "en").near == ()


def test_the_close_up_is_where_it_was_fought() -> None:
    state = scene()
    assert drawing(view(state, "france"), "france", "en").theatre == THEATRES["germany"]
    state.arrows = []
    assert drawing(view(state, "france"), "france", "en").theatre in THEATRES.values()
    assert drawing(view(empty(), None), None, "fr").theatre == ()


def test_theatres_and_sites_are_on_the_board() -> None:
    assert {area for areas in THEATRES.values() for area in areas} <= AREAS.keys()
    found = sites()
    assert found.areas.keys() == AREAS.keys()
    assert found.areas["vienna"].rank == "capital"
    assert found.areas["ulm"].fortress == 1
    assert all(a < b for a, b, _ in found.crossings)


def test_months_have_names() -> None:
    assert month_name("1805-09", "en") == "September 1805"
    assert month_name("1806-01", "fr") == "janvier 1806"
