"""Odds are exact: they are compared with all rolls, counted one by one, and with what the rules do."""

import itertools
from fractions import Fraction

from pbem.games.ccn import build, cards, charts
from pbem.games.ccn.events import Share
from pbem.games.ccn.odds import SCALE, asked, consult, forecast, hit_faces, roll
from pbem.games.ccn.orders import Fire, Melee, Move, Play
from pbem.games.ccn.setup import OPTIONS
from pbem.games.ccn.state import State, view

SWITCHES = {option.name: option.values[0] for option in OPTIONS}


def position(**given: object) -> State:
    return build("rolica_1808", SWITCHES, dict(given))


def shares(chances: tuple[Share, ...]) -> dict[int, int]:
    return {share.number: share.chance for share in chances}


def test_the_distribution_of_three_dice_counted_one_by_one() -> None:
    # rule 1.5
    counted: dict[tuple[int, int], int] = {}
    for values in itertools.product(range(1, 7), repeat=3):
        faces = [charts.faces()[value] for value in values]
        result = (faces.count("infantry") + faces.count("sabre"), faces.count("flag"))
        counted[result] = counted.get(result, 0) + 1
    exact = roll(3, hit_faces("infantry", True))
    assert {result: Fraction(number, 216) for result, number in counted.items()} == dict(exact)


def test_fire_tells_sight_range_dice_and_chances() -> None:
    # rule 6.4.1, 13
    state = position(units=["french fr_light C6", "allied br_line E6 1"])
    odds = consult(view(state, "french"), "french", Fire("C6", ("E6",)))
    assert (odds.sight, odds.distance, odds.dice, odds.problem) == (True, 2, 5, "")
    hit = 1 - Fraction(4, 6) ** 5
    assert shares(odds.hits) == {0: round((1 - hit) * SCALE), 1: round(hit * SCALE)}
    five_flags_and_four_rows = Fraction(1, 6) ** 5
    assert odds.destroyed == round((hit + five_flags_and_four_rows) * SCALE)
    assert sum(shares(odds.hits).values()) in range(SCALE - 2, SCALE + 3)


def test_a_shot_that_is_not_possible_says_why() -> None:
    # rule 6.3.1
    state = position(units=["french fr_light C6", "allied br_line E7"], terrain={"forest": ["D6"]})
    odds = consult(view(state, "french"), "french", Fire("C6", ("E7",)))
    assert (odds.problem, odds.dice, odds.sight) == ("no_sight", 0, False)


def test_melee_tells_the_battle_back_too() -> None:
    # rule 6.7.1, 6.7.2
    state = position(units=["french fr_line D6 1", "allied br_line E6 2"])
    odds = consult(view(state, "french"), "french", Melee("D6", ("E6",)))
    assert odds.dice == 2
    assert odds.destroyed == round(Fraction(1, 4) * SCALE)
    one_or_more_flags = 1 - Fraction(5, 6) ** 2
    assert odds.driven_off == round(one_or_more_flags * SCALE)
    stays = 1 - Fraction(1, 4) - one_or_more_flags
    assert shares(odds.back_dice)[0] == round((1 - stays) * SCALE)
    both_miss = Fraction(2, 6) ** 2
    assert shares(odds.back_dice)[2] == round(both_miss * SCALE)
    assert shares(odds.back_dice)[1] == round((stays - both_miss) * SCALE)
    assert "first_strike" in odds.answers


def test_a_leader_and_support_keep_a_unit_in_place() -> None:
    # rule 7.6.1, 6.9.2
    plain = position(units=["french fr_line D6", "allied br_line E6"])
    led = position(units=["french fr_line D6", "allied br_line E6"], leaders=["allied hill E6"])
    order = Melee("D6", ("E6",))
    assert consult(led, "french", order).driven_off < consult(plain, "french", order).driven_off


def test_cavalry_against_a_square_first_takes_its_die() -> None:
    # rule 8.2.5, 8.2.6
    state = position(units=["french fr_light_cavalry D6", "allied br_line E6 square"])
    odds = consult(view(state, "french"), "french", Melee("D6", ("E6",)))
    assert odds.dice == 1
    assert shares(odds.back_dice) == {1: SCALE}
    hit = Fraction(5, 6) * Fraction(3, 6)
    assert shares(odds.hits)[1] == round(hit * SCALE)


def test_a_lone_leader_dies_of_a_sabre() -> None:
    # rule 6.8.2
    state = position(units=["french fr_militia D6"], leaders=["allied hill E6"])
    odds = consult(view(state, "french"), "french", Melee("D6", ("E6",)))
    assert odds.destroyed == round((1 - Fraction(5, 6) ** 4) * SCALE)


def test_the_odds_do_not_depend_on_hidden_cards() -> None:
    # rule 1.10, 8.4
    units = ["french fr_line D6", "allied br_line E6"]
    holds = position(units=units, hands={"allied": ["first_strike", "probe_left"]})
    lacks = position(units=units, hands={"allied": ["probe_right", "probe_left"]})
    order = Melee("D6", ("E6",))
    assert consult(view(holds, "french"), "french", order) == consult(view(lacks, "french"), "french", order)


def test_a_letter_is_forecast_after_its_moves_and_with_its_card() -> None:
    # rule 10.3.3, 13
    state = position(
        units=["french fr_heavy_cavalry B6", "allied br_line E6", "french fr_light C9", "allied br_line E9"],
        hands={"french": ["cavalry_charge", "attack_center"]},
    )
    charge = (Play("cavalry_charge"), Move("B6", ("C6", "D6")), Melee("D6", ("E6",)))
    (odds,) = forecast(view(state, "french"), "french", charge)
    assert (odds.hex, odds.dice) == ("D6", 6)
    attack = (Play("attack_center"), Move("B6", ("C6", "D6")), Melee("B6", ("E6",)), Fire("C9", ("E9",)))
    melee, fire = forecast(view(state, "french"), "french", attack)
    assert (melee.hex, melee.dice, fire.dice) == ("D6", 5, 5)


def test_after_the_dice_of_elan_the_odds_count_its_die_and_the_moves() -> None:
    # rule 4.6, 10.3.5, 13
    state = position(
        units=["french fr_light C6", "allied br_line E6"], hands={"french": ["elan", "probe_left"]}
    )
    cards.lay(state, "french", "elan", "", False)
    seen = view(state, "french")
    letter = (Move("C6", ("D6",)), Melee("D6", ("E6",)))
    assert [odds.dice for odds in forecast(seen, "french", letter)] == [5]
    assert asked(seen, "french", (Fire("C6", ("E6",)),)) == []
    assert [odds.dice for odds in forecast(seen, "french", (Fire("C6", ("E6",)),))] == [6]
