"""The rulebook's worked examples that need no letter: odds, sizes, morale, cavalry, hands, costs."""

from __future__ import annotations

import pytest

from pbem.games.nce import board, charts, command
from pbem.games.nce.cards import hands
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.cases import build
from pbem.games.nce.desk import Desk
from pbem.games.nce.land import battle, siege
from pbem.games.nce.land.supply import supplied
from pbem.games.nce.powers import conquest, income, peace, places
from pbem.games.nce.replies import Annex
from pbem.games.nce.state import State


def position(**given: object) -> State:
    return build("1805", {}, dict(given))


def full(**given: object) -> State:
    return position(set_up=True, **given)


def test_e1_a_general_who_retires_another() -> None:  # rule 2.4.2, 6.3.10
    state = full(year=1809)
    income._dated_generals(state)
    assert state.generals["blucher"] in ("pool", "map")
    assert state.generals["brunswick"] == "out"
    assert state.force_with("brunswick") is None


def test_e3_nobody_is_robbed_outside_a_peace() -> None:  # rule 3.2.8
    state = position(status={"prusse": "forced_alliance"})
    order = Annex("mazovie", "pologne")
    assert peace.province_problem(state, "autriche", "empire", order)[0] == "not_his_province"


@pytest.mark.parametrize(
    ("attacker", "defender", "ratio"),
    [(9, 6, (2, 1)), (8, 10, (1, 1)), (6, 8, (1, 1)), (5, 8, (1, 2)), (5, 12, (1, 2))],
)
def test_e4_e36_odds(attacker: int, defender: int, ratio: tuple[int, int]) -> None:  # rule 1.7, 12.3, 12.6.1
    assert charts.odds(attacker, defender) == ratio


def test_e5_e9_hands() -> None:  # rule 6.2.3
    state = full()
    assert hands.entitlement(state, "empire") >= 6
    state.status.update(russie="neutral", autriche="neutral")
    assert len(hands.sources(state, "coalition")) == 4
    assert hands.entitlement(state, "coalition") == 6


def test_e8_a_declaration_of_war_changes_the_hand() -> None:  # rule 6.1.6, 6.1.2
    state = full()
    before = len(hands.sources(state, "coalition"))
    state.status["prusse"] = "coalition"
    assert len(hands.sources(state, "coalition")) == before + 2


def test_e11_the_french_cavalry_reserve_costs_five() -> None:  # rule 6.3.4, 6.3.7
    assert charts.UNITS["fr_res_cav"].cost_per_step * 2 == 5


def test_e12_minor_steps() -> None:  # rule 6.3.12
    state = full(status={"prusse": "coalition"})
    assert income.minor_steps(state, "coalition") == 2


def test_e14_e15_reinforcements_need_land_and_are_not_for_overseas() -> None:  # rule 6.3.6
    state = full(owner={"frioul": "france", "illyrie": "france"})
    assert "trieste" not in places.reinforcement_zones(state, "france")
    assert "paris" in places.reinforcement_zones(state, "france")
    assert not {"gibraltar", "la_valette"} & set(places.reinforcement_zones(state, "angleterre"))


def test_e24_the_slowest_unit() -> None:  # rule 10.1.1
    state = position(
        forces=[
            "empire ulm napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_iii_corps, fr_iv_corps, baviere"
        ]
    )
    force = state.force_with("napoleon")
    assert force is not None
    assert force.movement == 3


def test_e26_corners_do_not_connect() -> None:  # rule 3.1.4
    assert not board.crossing("milan", "bologne")
    assert board.crossing("milan", "mantoue")
    assert board.crossing("mantoue", "bologne")


def test_e33_a_mixed_force_follows_its_commander() -> None:  # rule 11.3.6
    state = full(
        status={"prusse": "coalition"},
        clear=["lublin"],
        forces=["coalition lublin koutouzov iere_armee: ru_v_corps, ru_vi_corps, pr_i_corps 1"],
    )
    force = state.force_with("pr_i_corps")
    assert force is not None
    assert force.power == "russie"
    assert supplied(state, force)


def test_e37_size() -> None:  # rule 12.4
    assert charts.battle_size(6, 8) == "minor"
    assert charts.battle_size(3, 4) == "skirmish"
    assert charts.battle_size(13, 9) == "minor"
    assert charts.battle_size(12, 10) == "major"


def test_e38_morale_of_a_mixed_force() -> None:  # rule 12.5.1
    state = position(
        forces=[
            "coalition vienne charles armee_allemagne: au_i_corps, au_ii_corps, naples, au_landwehr 1, uk_i_corps"
        ]
    )
    force = state.force_with("charles")
    assert force is not None
    assert command.morale(state, [force]) == 3


def test_e39_cavalry_superiority() -> None:  # rule 10.5
    state = position(
        forces=[
            "empire paris napoleon grande_armee: fr_res_cav 1; subs murat",
            "coalition vienne charles armee_allemagne: au_res_cav 1",
            "coalition berlin blucher: pr_i_corps",
        ]
    )
    one, two, three = (state.force_with(name) for name in ("napoleon", "charles", "blucher"))
    assert one is not None
    assert two is not None
    assert three is not None
    assert command.cavalry([one]) > command.cavalry([two])
    assert command.cavalry([three]) == 1


def test_e46_naval_losses() -> None:  # rule 15.10.2
    assert [charts.naval_losses(n, 3) for n in (1, 3, 4, 7, 8, 11, 12)] == [0, 0, 1, 1, 2, 2, 3]


def test_the_guns_of_a_port_cancel_the_first_loss_and_no_more() -> None:  # rule 15.10.6
    for fleets in (1, 2, 3):
        lost = [charts.naval_losses(n, fleets, shelter=1) for n in (3, 4, 7, 8, 11, 12)]
        assert lost == [0, 0, 0, 1, 1, fleets]


def test_e47_surrender_with_one_key_zone_left() -> None:  # rule 16.4.1
    line = "coalition prague charles armee_allemagne demoralised: au_i_corps"
    given = {"control": {"vienne": "empire", "salzbourg": "empire"}, "clear": ["salzbourg", "innsbruck"]}
    state = full(forces=[line, "empire vienne napoleon grande_armee: fr_i_corps"], **given)
    assert conquest.conquered(state, "autriche", "empire")
    army = state.force_with("charles")
    assert army is not None
    army.demoralised = False
    assert not conquest.conquered(state, "autriche", "empire")


def test_e49_provinces_that_may_be_annexed() -> None:  # rule 16.5.2
    assert not charts.PROVINCES["gibraltar"].annexable
    assert not charts.PROVINCES["irlande"].annexable


def test_e51_a_chain_of_provinces() -> None:  # rule 16.5.4, 22.7
    state = position()
    order = Annex("illyrie", "france")
    assert peace.province_problem(state, "autriche", "empire", order)[0] == "must_touch"
    peace.check_terms(
        state,
        "autriche",
        "empire",
        (Annex("venetie", "royaume_italie"), Annex("frioul", "france"), Annex("illyrie", "france")),
        3,
        tilsit=False,
    )


def test_tables_are_clamped_at_both_ends() -> None:  # rule 12.7.1, 13.2.3, 11.6.2
    assert charts.battle_result(-5, "major") == charts.battle_result(0, "major")
    assert charts.battle_result(30, "minor") == charts.battle_result(16, "minor")
    assert charts.siege_result(-2) == "repousse"
    assert charts.siege_result(14) == "breche"
    assert charts.attrition_result(20, 6) == (3, True)


def test_exact_chances_of_a_battle_add_up() -> None:  # rule 12.7.2
    even = battle.chances(10, 10, 0, 0)
    assert 0.3 < even["win"] < 0.5
    assert battle.chances(10, 2, 0, 0)["win"] == 1
    assert battle.chances(10, 10, 3, 0)["win"] > even["win"]


def test_siege_chances_grow_with_the_tries() -> None:  # rule 13.2.4
    state = full(clear=["venise"], forces=["coalition mantoue charles: au_iv_corps, au_v_corps"])
    force = state.force_with("charles")
    assert force is not None
    one, two, three = siege.odds(state, force, "mantoue", 3)
    assert 0 <= one < two < three < 1


def test_a_force_half_of_which_is_unsupplied() -> None:  # rule 11.5
    state = full()
    desk = Desk(state, None, "test")
    force = state.force_with("napoleon")
    assert force is not None
    side = Side(desk, "attacker", [force])
    battle._supply_check(side, force.zone, set())
    assert side.supplied
