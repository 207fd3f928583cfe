"""11, 14: supply, depots, attrition and weather."""

from __future__ import annotations

import pytest

from pbem.games.nce.events_field import AttritionTested, BattleFought, DepotChanged, DepotTaken, SupplyLost
from pbem.games.nce.land import attrition, supply
from pbem.games.nce.state import Peace
from tests.games.nce.field import Field
from tests.games.nce.play import position, the

CARD = {"empire": ["4F"], "coalition": []}


def test_sources_are_ones_own_and_fortified_capitals_of_minors() -> None:  # rule 11.2, 11.3.6
    state = position(status={"prusse": "coalition", "hanovre": "ally_angleterre"})
    russian = supply.sources(state, "coalition", "russie")
    assert {"moscou", "saint_petersbourg"} <= russian
    assert not {"vienne", "prague", "berlin", "londres"} & russian
    assert "dresde" in russian
    assert "berlin" in supply.sources(state, "coalition", "prusse")
    austrian = supply.sources(state, "coalition", "autriche")
    assert {"vienne", "prague"} <= austrian
    assert "moscou" not in austrian
    bavarian = supply.sources(state, "empire", "baviere")
    assert {"munich", "paris", "strasbourg"} <= bavarian


def test_a_besieged_fortress_and_an_empty_one_are_no_sources_but_the_capital_is() -> None:  # rule 11.2
    state = position(siege={"prague": 0}, empty=["salzbourg", "vienne"])
    found = supply.sources(state, "coalition", "autriche")
    assert not {"prague", "salzbourg"} & found
    assert "vienne" in found
    state.siege["vienne"] = 1
    assert "vienne" not in supply.sources(state, "coalition", "autriche")


def network(state: object, side: str, power: str, **more: object) -> supply.Network:
    return supply.Network(state, side, power, **more)  # type: ignore[arg-type]


def test_relays_are_fortresses_of_the_side_and_depots_of_the_nation() -> None:  # rule 11.3.1, 2.3.1
    state = position(fixed={"munich": ["france"], "nuremberg": ["autriche"]}, control={"munich": "empire"})
    french = network(state, "empire", "france")
    assert french.is_relay("munich")
    assert french.is_relay("bade")
    assert not french.is_relay("nuremberg")
    assert network(state, "empire", "baviere").is_relay("munich")
    assert not network(state, "empire", "espagne").is_relay("munich")
    minor = position(status={"saxe": "ally_prusse", "prusse": "coalition"}, fixed={"pilsen": ["autriche"]})
    assert network(minor, "coalition", "saxe").is_relay("pilsen")


def test_two_points_between_two_links() -> None:  # rule 11.3.2, 22.2
    state = position(forces=["empire munich ney: fr_i_corps"])
    assert supply.supplied(state, the(state, "ney"))
    far = position(forces=["empire brunn ney: fr_i_corps"])
    assert not supply.supplied(far, the(far, "ney"))
    chain = position(
        forces=["empire salzbourg ney: fr_i_corps"], control={"salzbourg": "empire", "munich": "empire"}
    )
    assert supply.supplied(chain, the(chain, "ney"))


def test_what_a_line_may_not_cross() -> None:  # rule 11.3.4, 11.3.5
    state = position(
        forces=[
            "coalition nuremberg: au_i_corps",
            "empire salzbourg ney: fr_i_corps",
            "coalition salzbourg inside: au_ii_corps",
        ],
        control={"stuttgart": "coalition"},
        siege={"salzbourg": 0},
    )
    french = network(state, "empire", "france", closed=["ulm"])
    assert french.shut("nuremberg")
    assert french.shut("stuttgart")
    assert french.shut("vienne")
    assert french.shut("ulm")
    assert french.shut("kassel")
    assert not french.shut("salzbourg")
    assert not french.shut("graz")


def test_an_enemy_on_the_way_cuts_the_line() -> None:  # rule 11.3.4, 11.3.2
    for more in ([], ["coalition ulm: au_i_corps"]):
        state = position(forces=["empire munich ney: fr_i_corps", *more], empty=["ulm", "wurtzburg"])
        assert supply.supplied(state, the(state, "ney")) == (not more)


def test_a_mountain_without_pass_bars_a_line() -> None:  # rule 11.3.4, 22.1
    state = position(
        forces=["empire pilsen ney: fr_i_corps"], fixed={"munich": ["france"]}, control={"munich": "empire"}
    )
    assert not network(state, "empire", "france").reach("pilsen") & {"munich"}


def test_a_line_by_sea_needs_two_open_ports() -> None:  # rule 11.3.3
    state = position()
    assert "londres" in network(state, "coalition", "angleterre").by_sea("lisbonne")
    state.fleets["emeriau"] = "box:lisbonne"
    assert not network(state, "coalition", "angleterre").by_sea("lisbonne")
    state.fleets["emeriau"] = "box:londres"
    assert "londres" not in network(state, "coalition", "angleterre").by_sea("lisbonne")
    state.fleets["emeriau"] = "port:toulon"
    state.siege["londres"] = 0
    assert "londres" not in network(state, "coalition", "angleterre").by_sea("lisbonne")


def test_in_forced_peace_lines_cross_and_in_forced_alliance_fortresses_are_relays() -> None:  # rule 11.3.10
    state = position(status={"prusse": "forced_peace"})
    state.peace["prusse"] = Peace(year=1806, by="empire")
    french = network(state, "empire", "france")
    assert not french.shut("magdebourg")
    assert not french.is_relay("magdebourg")
    assert network(state, "coalition", "russie").shut("magdebourg")
    state.status["prusse"] = "forced_alliance"
    allied = network(state, "empire", "france")
    assert allied.is_relay("magdebourg")
    assert not allied.is_source("magdebourg")


def test_the_attackers_line_goes_through_the_zone_he_entered_from() -> None:  # rule 11.3.8, 12.6.6
    def fight(**more: object) -> Field:
        dice = {"battle/munich/attack": [1, 1], "battle/munich/defence": [1, 1], "morale/davout": [1]}
        dice["attrition/davout/munich"] = [1]
        field = Field(
            dice,
            hands=CARD,
            forces=["empire salzbourg davout: fr_viii_corps, fr_ix_corps", "coalition munich: au_i_corps"],
            **more,  # type: ignore[arg-type]
        )
        return field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")

    field = fight(control={"salzbourg": "empire"}, fixed={"salzbourg": ["france"]})
    assert field.modifiers(BattleFought, name="attacker_modifiers")["unsupplied"] == -3


def test_the_defenders_line_may_not_go_through_it() -> None:  # rule 11.3.4
    dice = {
        "attrition/charles/munich": [1],
        "star/charles/munich": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [1, 1],
        "morale/charles": [1],
    }
    for came, short in (("ulm", True), ("nuremberg", False)):
        field = Field(
            dice,
            side="coalition",
            hands={"empire": [], "coalition": ["22C"]},
            forces=[f"coalition {came} charles: au_i_corps, au_ii_corps", "empire munich: fr_viii_corps"],
            control={"wurtzburg": "coalition"},
        )
        field.order("coalition", "play 22C\nactivate Charles\ngo to Munich\nsubordinate nobody")
        assert ("unsupplied" in field.modifiers(BattleFought, name="defender_modifiers")) == short


def test_an_unsupplied_force_tests_fights_worse_and_lays_siege_without_attempts() -> (
    None
):  # rule 11.5, 11.6.1
    forces = ["empire brunn ney: fr_viii_corps"]
    field = Field({"attrition/ney/olmutz": [1]}, hands=CARD, forces=forces)
    problem = field.problem("empire", "play 4F\nactivate Ney\ngo to Prague\nsiege")
    assert (problem.code, problem.rule) == ("siege_unsupplied", "11.5")
    field.order("empire", "play 4F\nactivate Ney\ngo to Olmütz")
    assert field.events(SupplyLost)
    assert field.modifiers(AttritionTested) == {"unsupplied": 3, "all_french": -2}
    both = Field({"attrition/ney/prague": [1]}, hands=CARD, forces=forces)
    both.order("empire", "play 4F\nactivate Ney forced march 2\ngo to Prague")
    assert len(both.events(AttritionTested)) == 1
    assert both.modifiers(AttritionTested) == {"forced_march": 2, "unsupplied": 3, "all_french": -2}
    assert both.state.siege == {"prague": 0}
    low = Field(hands=CARD, forces=["empire brunn ney demoralised: fr_viii_corps"])
    assert low.problem("empire", "play 4F\nactivate Ney\nrally").code == "cannot_rally"


def test_only_the_unsupplied_part_of_a_force_tests() -> None:  # rule 11.5
    field = Field(
        {"attrition/napoleon/munich": [1]},
        hands=CARD,
        forces=[
            "empire munich napoleon grande_armee: fr_i_corps, fr_ii_corps",
            "empire salzbourg: fr_iii_corps",
        ],
        control={"munich": "empire"},
    )
    field.state.forces["f2"].unsupplied = True
    field.order("empire", "play 4F\nactivate Napoléon\npick up fr_iii_corps\ngo to Ulm, Munich")
    (test,) = field.events(AttritionTested)
    assert test.steps == 2
    assert field.modifiers(AttritionTested) == {"unsupplied": 3, "all_french": -2}


def test_depots_become_fixed_and_mobile_on_the_way() -> None:  # rule 11.4, 2.3.4
    field = Field(
        hands=CARD,
        forces=["empire ulm ney: fr_i_corps; depots 1", "empire metz: fr_ii_corps"],
        fixed={"metz": ["france"]},
    )
    problem = field.problem("empire", "play 4F\nactivate fr_ii_corps\ncarry depot")
    assert (problem.code, problem.rule) == ("depot_needs_general", "2.3.4")
    field.order(
        "empire", "play 4F\nactivate Ney\ngo to Munich\nfix depot\ncarry depot\ngo to Nuremberg\nfix depot"
    )
    assert [event.what for event in field.events(DepotChanged)] == ["fixed", "mobile", "fixed"]
    assert field.state.fixed == {"metz": ["france"], "nuremberg": ["france"]}


def test_one_depot_of_the_commanders_nation_helps_one_test() -> None:  # rule 11.4
    field = Field(
        {"attrition/ney/ulm": [1]}, hands=CARD, forces=["empire stuttgart ney: fr_i_corps; depots 2"]
    )
    field.order("empire", "play 4F\nactivate Ney forced march 1\ngo to Ulm\ndepot against attrition")
    assert field.modifiers(AttritionTested) == {"forced_march": 1, "all_french": -2, "depot_spent": -2}
    assert len(the(field.state, "ney").depots) == 1
    state = position(forces=["empire ulm ney: fr_i_corps"])
    the(state, "ney").depots = ["espagne"]
    assert not attrition.depot_counts(state, the(state, "ney"))


def test_a_control_marker_takes_the_enemys_depots_alone() -> None:  # rule 3.2.3, 2.3.2
    field = Field(
        hands=CARD,
        control={"munich": "coalition"},
        forces=["empire ulm ney: fr_i_corps, fr_ii_corps; depots 1"],
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\nfix depot\ntake control")
    assert field.state.fixed == {"munich": ["france"]}


@pytest.mark.parametrize(
    ("corps", "dice", "standing"),
    [
        ("fr_i_corps, fr_ii_corps", {}, False),
        ("fr_i_corps", {"attack": [1, 1], "defence": [1, 1]}, True),
        ("fr_i_corps", {"attack": [6, 6], "defence": [1, 1]}, False),
    ],
)
def test_a_depot_alone_is_half_a_point(
    corps: str, dice: dict[str, list[int]], standing: bool
) -> None:  # rule 2.3.2, 12.3
    field = Field(
        {f"battle/munich/{side}": values for side, values in dice.items()},
        hands=CARD,
        forces=[f"empire ulm ney: {corps}"],
        fixed={"munich": ["autriche"]},
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\nsubordinate nobody")
    assert ("munich" in field.state.fixed) == standing
    assert bool(field.events(DepotTaken)) != standing
    assert field.where("ney") == ("ulm" if standing else "munich")
    if dice:
        (battle,) = field.events(BattleFought)
        assert (battle.odds, battle.size, battle.suffered) == ("4/1", "skirmish", 0)


def test_a_fixed_depot_goes_along_with_a_retreat_and_an_evasion() -> None:  # rule 2.3.2
    field = Field(
        {"evasion/mack/munich": [6]},
        hands=CARD,
        forces=["empire ulm davout: fr_viii_corps", "coalition munich mack: au_i_corps"],
        fixed={"munich": ["autriche"]},
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "evade to Salzbourg")
    assert the(field.state, "mack").depots == ["autriche"]
    assert not field.state.fixed
    beaten = Field(
        {"battle/munich/attack": [3, 3], "battle/munich/defence": [1, 1]},
        hands=CARD,
        forces=["empire ulm davout: fr_viii_corps, fr_ix_corps", "coalition munich mack: au_i_corps"],
        fixed={"munich": ["autriche"]},
    )
    beaten.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    beaten.order("coalition", "stay")
    assert the(beaten.state, "mack").depots == ["autriche"]


def test_what_a_way_adds_to_the_test() -> None:  # rule 11.6.2, 11.6.4, 14.1
    field = Field(
        {"attrition/charles/innsbruck": [1], "star/charles/innsbruck": [1]},
        side="coalition",
        round=6,
        hands={"empire": [], "coalition": ["22C"]},
        forces=["coalition salzbourg charles: au_i_corps, au_ii_corps"],
    )
    field.order("coalition", "play 22C\nactivate Charles forced march 1\ngo to Innsbruck")
    assert field.modifiers(AttritionTested) == {
        "forced_march": 1,
        "poor_zone_crossed": 2,
        "national_territory": -2,
        "winter_round": 2,
    }
    start = Field(
        {"attrition/charles/ulm": [1]},
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=["coalition innsbruck charles: au_i_corps"],
        control={"ulm": "coalition"},
    )
    start.order("coalition", "play 22C\nactivate Charles forced march 1\ngo to Ulm")
    assert start.modifiers(AttritionTested) == {"forced_march": 1}


def test_a_mountain_without_pass_adds_one() -> None:  # rule 11.6.2, 22.1
    field = Field(
        {"attrition/ney/pilsen": [1]},
        hands=CARD,
        control={"munich": "empire"},
        forces=["empire munich ney: fr_i_corps"],
    )
    field.order("empire", "play 4F\nactivate Ney forced march 1\ngo to Pilsen")
    assert field.modifiers(AttritionTested)["mountain_crossed"] == 1
    over = Field(
        {"attrition/ney/innsbruck": [1]},
        hands=CARD,
        control={"munich": "empire"},
        forces=["empire munich ney: fr_i_corps"],
    )
    over.order("empire", "play 4F\nactivate Ney forced march 1\ngo to Innsbruck")
    assert "mountain_crossed" not in over.modifiers(AttritionTested)


@pytest.mark.parametrize(
    ("units", "bonus"),
    [
        ("fr_i_corps, fr_ii_corps", {"all_french": -2}),
        ("fr_i_corps, baviere 1", {"majority_french": -1}),
        ("fr_i_corps, baviere", {}),
    ],
)
def test_nations_in_a_test(units: str, bonus: dict[str, int]) -> None:  # rule 11.6.2, 11.6.5
    field = Field({"attrition/ney/ulm": [1]}, hands=CARD, forces=[f"empire stuttgart ney: {units}"])
    field.order("empire", "play 4F\nactivate Ney forced march 1\ngo to Ulm")
    assert field.modifiers(AttritionTested) == {"forced_march": 1, **bonus}


def test_the_first_loss_of_a_french_majority_is_french() -> None:  # rule 11.6.5
    field = Field(
        {"attrition/davout/ulm": [6]},
        hands=CARD,
        forces=["empire bade davout: fr_i_corps, fr_ii_corps, baviere 1"],
    )
    field.order("empire", "play 4F\nactivate Davout forced march 1\ngo to Ulm\nlosses baviere")
    assert the(field.state, "davout").units["baviere"] == 1
    assert field.steps("davout") == 4


def test_demoralised_forces_test_three_columns_to_the_right() -> None:  # rule 11.6.7, 12.11.2
    def lost(rally: str, dice: dict[str, list[int]]) -> int:
        field = Field(
            {"attrition/davout/brunn": [3], **dice},
            hands=CARD,
            forces=["empire brunn davout demoralised: fr_i_corps, fr_ii_corps"],
        )
        field.order("empire", f"play 4F\nactivate Davout{rally}")
        return field.events(AttritionTested)[0].losses

    assert lost("", {"star/davout/brunn": [1]}) == 1


def test_the_weather_of_the_rounds() -> None:  # rule 14.1, 14.3
    state = position()
    seen = []
    for round in range(1, 8):
        state.round = round
        seen.append(state.weather())
    assert seen == ["fair"] * 4 + ["bad", "winter", "winter"]


def test_the_owner_says_which_steps_are_lost_out_of_his_turn() -> None:  # rule 11.6.5
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [6],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
        "morale/ney": [1],
    }
    field = Field(
        dice,
        round=6,
        hands={"empire": ["4F"], "coalition": ["18C", "24C"]},
        forces=[
            "empire ulm ney: fr_viii_corps, fr_ix_corps",
            "coalition salzbourg charles: au_i_corps, au_ii_corps, au_iii_corps 1; depots 1",
        ],
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "intercept with Charles using 18C")
    assert field.problem("coalition", "test with depot\nnothing").code == "one_response"
    field.order("coalition", "test with depot\nlosses au_ii_corps")
    assert field.modifiers(AttritionTested) == {"winter_round": 2, "depot_spent": -2}
    assert the(field.state, "charles").units == {"au_i_corps": 2, "au_ii_corps": 1, "au_iii_corps": 1}
