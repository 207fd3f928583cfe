"""Board, dice, pieces, cards and scenarios as data."""

from collections import Counter

import pytest

from pbem.games.ccn import RULES, board, charts
from pbem.games.ccn.setup import BadScenario, faults, read, tables
from pbem.games.ccn.state import invariants
from tests.games.ccn.play import new


def test_the_board_has_113_hexes_and_no_half_hexes() -> None:
    # rule 1.1, 1.2, 1.4
    assert len(board.HEXES) == 113
    assert "B13" not in board.HEXES
    for hex in board.HEXES:
        assert all(hex in board.NEIGHBOURS[near] for near in board.NEIGHBOURS[hex])
        assert all(board.distance(hex, near) == 1 for near in board.NEIGHBOURS[hex])
    assert board.NEIGHBOURS["E6"] == ("E7", "F6", "F5", "E5", "D5", "D6")
    shared = sorted(hex for hex in board.HEXES if len(board.PHYSICAL[hex]) == 2)
    assert shared == ["B4", "B9", "D4", "D9", "F4", "F9", "H4", "H9"]


def test_left_and_right_are_named_from_each_seat() -> None:
    # rule 1.3
    assert board.sections("A2", board.BOTTOM) == ("left",)
    assert board.sections("A2", board.TOP) == ("right",)
    assert board.sections("D4", board.TOP) == ("center", "right")


def test_lines_of_sight_are_the_same_both_ways() -> None:
    # rule 6.3.1, 6.3.2
    for a in board.HEXES:
        for b in board.HEXES:
            if a != b and board.distance(a, b) <= 5:
                there, back = board.line(a, b), board.line(b, a)
                assert set(there.between) == set(back.between)
                assert {frozenset(pair) for pair in there.pairs} == {frozenset(pair) for pair in back.pairs}
                assert 1 <= len(board.entry(a, b)) <= 2
    assert board.line("A1", "C1").pairs == ((None, "B1"),)
    assert board.line("C6", "F7").between == ("D6", "E7")


def test_six_faces_and_as_many_dice_as_are_needed() -> None:
    # rule 1.5
    assert Counter(charts.faces()[1:]) == {
        "infantry": 2,
        "cavalry": 1,
        "artillery": 1,
        "flag": 1,
        "sabre": 1,
    }


def test_twenty_nine_unit_types_of_four_qualities_and_leaders_who_are_no_units() -> None:
    # rule 1.6, 1.7, 1.8, 12
    kinds = charts.kinds()
    assert len(kinds) == 29
    assert sum(kind.blocks * kind.units_in_box for kind in kinds.values() if kind.arm == "infantry") == 180
    assert sum(kind.blocks * kind.units_in_box for kind in kinds.values() if kind.arm == "cavalry") == 77
    assert {kind.id for kind in kinds.values() if kind.guard} == {
        "fr_young_guard",
        "fr_old_guard",
        "fr_guard_heavy_cavalry",
        "fr_guard_foot_artillery",
        "br_guard_grenadier",
        "br_guard_heavy_cavalry",
    }
    assert {kind.id for kind in kinds.values() if kind.troop == "militia"} == {"fr_militia", "pt_militia"}
    state = new(0).state
    assert not set(state.leaders) & set(state.units)


def test_seventy_cards_of_twenty_nine_kinds() -> None:
    # rule 2.5, 10.2
    assert len(charts.deck()) == 70
    assert len(set(charts.deck())) == 29
    section = [card for card in charts.deck() if charts.cards()[card].kind == "section"]
    assert len(section) == 48


@pytest.mark.parametrize("scenario", sorted(RULES.scenarios))
def test_every_scenario_can_be_set_up(scenario: str) -> None:
    # rule 2.1, 2.2, 2.3, 2.4, 2.6, 2.10
    game = new(1, scenario)
    state = game.state
    row = tables()[scenario]
    assert not invariants(state)
    assert {seat: len(hand) for seat, hand in state.hands.items()} == state.cards
    assert state.active == state.first
    assert len(state.units) == len(row["units"])
    assert all(unit.blocks == unit.kind.blocks for unit in state.units.values())
    assert len(state.leaders) == len(row["leaders"])
    nations = {unit.kind.nation for unit in state.army("allied")}
    assert "french" not in nations
    (question,) = game.questions.values()
    assert question.kind() == "turn"
    assert question.seat == state.first


@pytest.mark.parametrize("scenario", sorted(RULES.scenarios))
def test_no_side_wins_less_than_35_in_100_measured_battles(scenario: str) -> None:
    balance = tables()[scenario]["balance"]
    assert balance["games"] >= 100
    assert balance["allied"] + balance["french"] == pytest.approx(100)
    assert min(balance["allied"], balance["french"]) >= 35


def test_a_bad_scenario_is_named() -> None:
    # rule 2.3
    row = dict(tables()["rolica_1808"])
    row["units"] = [*row["units"], {"side": "top", "type": "fr_line", "hex": "F6"}]
    row["terrain"] = {**row["terrain"], "river": ["A2"]}
    wrong = faults(read(row, {}))
    assert "two units in F6" in wrong
    assert any("A2" in line for line in wrong)
    assert issubclass(BadScenario, ValueError)
