"""What must hold of the board of nce: links, distances, routes and supply lines of the examples; decks; set-ups."""

from __future__ import annotations

import itertools
import json

import pytest

from pbem import paths
from pbem.games.nce import board
from pbem.games.nce.cards import hands
from pbem.games.nce.charts import (
    CARDS,
    COUNTRIES,
    FLEETS,
    GENERALS,
    MAJORS,
    POWERS,
    PROVINCES,
    REGIONS,
    SCENARIOS,
    SEAS,
    UNITS,
    ZONES,
    read,
)
from pbem.games.nce.command import command_problem
from pbem.games.nce.land import supply
from pbem.games.nce.setup import setup
from pbem.games.nce.state import SEATS, crowded, invariants

ROUTES = {
    "E56": (5, "amsterdam groningue hanovre dusseldorf erfurt wurtzburg"),
    "E57": (2, "venise mantoue"),
    "E58": (2, "florence rome"),
    "E59": (2, "salzbourg munich ulm"),
    "E60": (6, "lille soissons metz strasbourg bade ulm"),
    "E60 Jean": (1, "innsbruck ulm"),
    "E62": (5, "lublin tarnow cracovie olmutz brunn leopoldstadt"),
    "E63": (2, "munich salzbourg vienne"),
    "E67": (2, "graz salzbourg vienne"),
    "E67 Russians": (2, "vienne leopoldstadt altsohl"),
    "E74 Espagne": (3, "madrid burgos leon"),
    "E74 Breslau": (2, "breslau dresde wittemberg"),
    "E74 Italie": (5, "milan zurich bade mayence"),
    "E74 Brest": (4, "brest nantes le_mans paris reims"),
    "E74 Toulon": (4, "toulon nice genes florence"),
}


@pytest.mark.parametrize("name", ROUTES)
def test_the_routes_of_the_examples_cost_what_they_say(name: str) -> None:
    points, text = ROUTES[name]
    way = text.split()
    assert all(board.crossing(a, b) for a, b in itertools.pairwise(way))
    assert sum(board.step_cost(a, b) for a, b in itertools.pairwise(way)) == points


def test_the_board_is_whole() -> None:
    assert len(ZONES) == 205
    assert {zone.id for zone in ZONES.values() if zone.fortress == 2} == {
        "gibraltar",
        "mantoue",
        "constantinople",
    }
    assert sorted(zone for province in PROVINCES.values() for zone in province.zones) == sorted(ZONES)
    assert all(not (zone.fortress or zone.port) or zone.city for zone in ZONES.values())
    assert all(zone.id in SEAS[zone.port].ports for zone in ZONES.values() if zone.port)
    assert all(sea.id in SEAS[near].neighbours for sea in SEAS.values() for near in sea.neighbours)
    assert len(board.sea_distances("manche")) == len(SEAS)
    straits = [(z, n) for z in ZONES.values() for n, kind in z.neighbours.items() if kind == "strait"]
    assert all(n in z.strait_sea for z, n in straits)


def test_every_zone_is_reached_by_land_or_has_a_port() -> None:
    left = set(ZONES)
    while left:
        part = set(board.distances(next(iter(left)), board.FAR - 1).cost)
        left -= part
        assert len(part) > 100 or any(ZONES[zone].port for zone in part)


def test_facts_of_the_map() -> None:
    assert board.crossing("milan", "bologne") == ""
    assert board.step_cost("strasbourg", "bade") == 2
    assert board.crossing("ulm", "nuremberg") == "river"
    assert board.nearest(
        "brunn", [z for z in ZONES if ZONES[z].country == "russie" and ZONES[z].fortress]
    ) == ["brest_litovsk"]
    assert {"saint_petersbourg", "zara", "copenhague"} <= set(REGIONS["ports_du_blocus"])
    assert not {"palerme", "gibraltar", "odessa"} & set(REGIONS["ports_du_blocus"])


def test_the_seven_powers() -> None:
    assert {c.id for c in COUNTRIES.values() if c.major} == set(MAJORS) == set(POWERS)
    assert tuple(POWERS) == MAJORS
    assert COUNTRIES["prusse"].bonus["coalition"] == 2
    assert COUNTRIES["egypte"].bonus["empire"] == 1


def test_the_cards() -> None:
    assert len(CARDS) == 110
    for letter, side in (("F", "empire"), ("C", "coalition")):
        mine = [card for card in CARDS.values() if card.side == side]
        assert sorted(int(card.id[:-1]) for card in mine) == list(range(1, 56))
        assert all(card.id.endswith(letter) for card in mine)
        assert all((int(card.id[:-1]) <= 27) == (card.deck == "epopee") for card in mine)
    known = set(read("cards")["op"])
    assert {effect["op"] for card in CARDS.values() for effect in card.effect} <= known
    permanent = {card.permanent: card.id for card in CARDS.values() if card.permanent}
    assert permanent == {"france": "1F", "angleterre": "1C", "russie": "2C", "autriche": "3C"}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_set_ups_stand(scenario: str) -> None:
    state = setup(scenario, {})
    assert not invariants(state)
    assert not list(crowded(state))
    for force in state.forces.values():
        assert command_problem(force) == ("", ""), force
        assert all(GENERALS[g].entry <= state.year for g in force.generals)
        for unit in force.units:
            assert not UNITS[unit].home_only or state.national(force.zone, UNITS[unit].power)
    assert not supply.check_all(state)
    english = sum(
        ":" in place for fleet, place in state.fleets.items() if FLEETS[fleet].power == "angleterre"
    )
    assert english == {"1805": 9, "1809": 10, "1815": 9}[scenario]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_decks_are_whole(scenario: str) -> None:
    decks = read(scenario)["decks"]
    for side in SEATS:
        pile, fixed = decks[f"draw_{side}"], decks[f"hand_includes_{side}"]
        assert len(set(pile)) == len(pile)
        assert not set(pile) & set(fixed)
        assert len(pile) >= decks[f"hand_{side}"] - len(fixed) > 0


def test_hands_of_1806() -> None:
    state = setup("1805", {})
    state.status.update(autriche="forced_peace", thuringe="ally_france", papaute="annexed_france")
    state.status["royaume_baviere"] = "created"
    state.owner.update(tyrol="baviere", venetie="royaume_italie", frioul="france")
    state.bonus_cards = {"empire": 1, "coalition": 0}
    assert hands.entitlement(state, "empire") == 8
    assert hands.entitlement(state, "coalition") == 7


def test_every_zone_has_a_shape() -> None:
    shapes = json.loads((paths.scenarios() / "nce" / "shapes.json").read_text("utf-8"))
    assert set(ZONES) <= set(shapes["areas"])
