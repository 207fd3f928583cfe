"""10.1, 10.2, 10.6: movement: costs, stops, closed ground, forced marches; each refusal with what is near."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.nce.events_field import AttritionTested, Moved
from pbem.games.nce.land.march import March
from pbem.games.nce.land.tempo import Grant
from pbem.games.nce.orders import Besiege, Go, Leave, Take
from pbem.kernel.order import Order
from tests.games.nce.field import Field
from tests.games.nce.play import the
from tests.games.nce.test_rules import dry

CARD = {"empire": ["4F"], "coalition": []}


def moved(field: Field) -> list[tuple[str, int, int]]:
    return [(event.to, event.cost, event.left) for event in field.events(Moved)]


def test_a_force_moves_with_its_slowest_unit_less_one_in_bad_weather_and_winter() -> (
    None
):  # rule 10.1.1, 14.1
    forces = ["empire ulm ney: fr_i_corps, baviere"]
    for round, points in ((4, 3), (5, 2), (6, 2), (7, 2)):
        field = Field(round=round, last_round=7, forces=forces)
        march = March(dry(field.state), the(field.state, "ney"), 0, Grant())
        assert march.left == points


def test_borders_add_to_the_zone() -> None:  # rule 10.1.2, 3.3
    field = Field(hands=CARD, forces=["empire strasbourg ney: fr_i_corps"])
    field.order("empire", "play 4F\nactivate Ney\ngo to Bade, Stuttgart, Ulm")
    assert moved(field) == [("bade", 2, 2), ("stuttgart", 1, 1), ("ulm", 1, 0)]


def test_no_more_points_than_it_has() -> None:  # rule 10.1.2
    field = Field(
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=["coalition venise charles: au_iv_corps"],
    )
    text = "play 22C\nactivate Charles\ngo to Klagenfurt, Innsbruck"
    problem = field.problem("coalition", text)
    assert (problem.code, problem.rule) == ("not_enough_points", "10.1.2")
    assert (problem.params["needed"], problem.params["left"]) == (2, 1)
    assert problem.nearest == (Go(("graz",)),)


def test_the_nearest_way_is_shown_where_there_is_none_to_the_goal() -> None:  # rule 3.1.4, 10.1.2
    field = Field(hands=CARD, forces=["empire milan massena: fr_i_corps"])
    problem = field.problem("empire", "play 4F\nactivate Masséna\ngo to Vienne")
    assert (problem.code, problem.rule) == ("no_way", "10.1.2")
    (go,) = problem.nearest
    assert isinstance(go, Go)
    field.order("empire", f"play 4F\nactivate Masséna\ngo to {go.path[0]}")
    assert field.where("massena") == go.path[0]


def test_a_corner_is_no_border_and_the_way_round_is_found() -> None:  # rule 3.1.4
    field = Field(hands=CARD, forces=["empire milan massena: fr_i_corps"])
    field.order("empire", "play 4F\nactivate Masséna\ngo to Bologne")
    assert [zone for zone, _, _ in moved(field)] == ["genes", "bologne"]
    other = Field(hands=CARD, forces=["empire milan massena: fr_i_corps"])
    other.order("empire", "play 4F\nactivate Masséna\ngo to Mantoue, Bologne")
    assert moved(other) == [("mantoue", 2, 2), ("bologne", 1, 1)]


def test_the_desert_road_takes_the_whole_factor_of_the_weather() -> None:  # rule 10.1.6
    forces = ["coalition alexandretta: tu_i_corps"]
    status = {"turquie": "coalition", "egypte": "ally_france"}
    for round, left in ((2, 0), (5, 0)):
        dice = {"attrition/tu_i_corps/acre": [1], "star/tu_i_corps/acre": [1]}
        field = Field(dice, side="coalition", round=round, status=status, forces=forces)
        field.order("coalition", "no card\nactivate tu_i_corps\ngo to Acre")
        assert moved(field) == [("acre", 3 if round == 2 else 2, left)]


def test_an_enemy_fleet_at_sea_closes_a_strait_but_not_the_danish_one() -> None:  # rule 10.1.3
    state: dict[str, Any] = {"status": {"naples": "ally_france", "danemark": "ally_france"}, "hands": CARD}
    field = Field(forces=["empire reggio ney: fr_i_corps"], fleets={"ball": "sea:mer_tyrrhenienne"}, **state)
    problem = field.problem("empire", "play 4F\nactivate Ney\ngo to Palerme")
    assert (problem.code, problem.rule) == ("strait_closed", "10.1.3")
    for place in ("port:palerme", "box:naples"):
        field = Field(forces=["empire reggio ney: fr_i_corps"], fleets={"ball": place}, **state)
        field.order("empire", "play 4F\nactivate Ney\ngo to Palerme")
    field = Field(forces=["empire aarhus ney: fr_i_corps"], fleets={"ball": "sea:detroit"}, **state)
    field.order("empire", "play 4F\nactivate Ney\ngo to Copenhague")
    assert field.where("ney") == "copenhague"


def test_an_enemy_fortress_holds_who_enters_and_the_cover_is_shown() -> None:  # rule 10.1.4, 13.1.3
    field = Field(
        hands=CARD,
        control={"munich": "empire"},
        forces=["empire munich napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_iii_corps; subs davout"],
    )
    problem = field.problem("empire", "play 4F\nactivate Napoléon\ngo to Salzbourg\ngo to Vienne")
    assert (problem.code, problem.rule, problem.params["needed"]) == ("fortress_holds", "13.1.3", 2)
    assert problem.nearest == (Leave(("fr_i_corps",)),)


def test_the_cheapest_way_goes_round_a_fortress_and_an_enemy() -> None:  # rule 10.1.4
    field = Field(hands=CARD, forces=["empire metz ney: fr_i_corps", "coalition reims: au_i_corps"])
    field.order("empire", "play 4F\nactivate Ney\ngo to Paris")
    assert [zone for zone, _, _ in moved(field)] in (["soissons", "paris"], ["troyes", "paris"])


@pytest.mark.parametrize(
    ("forces", "text", "code", "rule", "near"),
    [
        (["empire hanovre ney: fr_i_corps"], "activate Ney\ngo to Kassel", "neutral_ground", "10.1.5", Go),
        (["empire strasbourg: fr_gn_1"], "activate fr_gn_1\ngo to Bade", "militia_at_home", "2.1.6", Go),
        (["empire bayonne ney: fr_i_corps"], "activate Ney\ngo to Bilbao", "peninsula_closed", "10.1.7", Go),
        (
            [
                "empire metz ney: fr_i_corps, fr_ii_corps",
                "empire reims marmont: fr_iii_corps, fr_iv_corps 1",
            ],
            "activate Ney\ngo to Reims\ntake",
            "over_command",
            "4.2.1",
            Take,
        ),
        (
            ["empire metz ney: fr_i_corps", "empire reims davout: fr_iii_corps"],
            "activate Ney\ngo to Reims\ntake",
            "lower_rank",
            "4.5.6",
            Go,
        ),
        (
            ["empire metz massena: fr_i_corps", "empire reims ney armee_italie: fr_iii_corps, fr_iv_corps"],
            "activate Masséna\ngo to Reims\ntake units fr_iii_corps",
            "army_keeps_its_own",
            "4.5.3",
            Order,
        ),
        (
            ["empire metz: fr_i_corps", "empire reims: fr_iii_corps"],
            "activate fr_i_corps\ngo to Reims",
            "stacking",
            "4.1.1",
            Go,
        ),
        (
            ["empire metz ney grande_armee: fr_i_corps", "empire reims davout: fr_iii_corps"],
            "activate Ney\ngo to Reims",
            "stacking",
            "4.3.4",
            Go,
        ),
        (
            ["empire metz ney: fr_i_corps"],
            "activate Ney\nleave fr_i_corps",
            "someone_must_stay",
            "4.5.1",
            Order,
        ),
        (
            ["empire metz ney: fr_i_corps, fr_ii_corps, fr_iii_corps"],
            "activate Ney\nleave fr_ii_corps, fr_iii_corps",
            "no_general",
            "4.1.1",
            Leave,
        ),
        (
            ["empire metz napoleon grande_armee: fr_i_corps, fr_res_cav"],
            "activate Napoléon\nleave fr_res_cav",
            "cavalry_needs_army",
            "2.1.5",
            Leave,
        ),
        (["empire metz ney: fr_i_corps"], "activate fr_i_corps", "general_alone", "2.4.3", Order),
        (
            ["empire munich ney: fr_i_corps"],
            "activate Ney\ngo to Salzbourg\ntake control",
            "fortress_first",
            "3.2.3",
            Besiege,
        ),
    ],
)
def test_every_refusal_names_its_rule_and_what_is_near(
    forces: list[str], text: str, code: str, rule: str, near: type[Order]
) -> None:  # rule 4.2.1, 4.5.5, 10.1.5, 10.1.7
    field = Field(hands=CARD, forces=forces, control={"munich": "empire"})
    problem = field.problem("empire", f"play 4F\n{text}")
    assert (problem.code, problem.rule) == (code, rule)
    if near is not Order:
        assert isinstance(problem.nearest[0], near)
        assert not field.mended("empire", f"play 4F\n{text}")


def test_who_serves_as_a_subordinate() -> None:  # rule 4.2.4, 4.3.3, 4.3.4
    field = Field(
        hands=CARD,
        status={"pologne": "protectorate"},
        forces=[
            "empire metz napoleon grande_armee: fr_i_corps; subs davout, murat",
            "empire reims ney: fr_ii_corps",
            "empire troyes soult: fr_iii_corps",
            "empire strasbourg poniatowski: pologne_1",
        ],
    )
    field.order("empire", "play 4F\nactivate Napoléon\npick up Ney, Soult, Poniatowski")
    army = the(field.state, "napoleon")
    assert army.subs == ["davout", "murat", "ney"]
    assert field.state.generals["soult"] == field.state.generals["poniatowski"] == "wait"
    assert "pologne_1" in army.units
    allied = Field(
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=[
            "coalition brunn koutouzov iere_armee: ru_i_corps, ru_ii_corps",
            "coalition prague jean: au_i_corps",
        ],
    )
    allied.order("coalition", "play 22C\nactivate Jean\ngo to Brunn")
    assert the(allied.state, "koutouzov").subs == ["jean"]


def test_allied_steps_are_fewer_than_ones_own() -> None:  # rule 4.2.3
    field = Field(
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=["coalition brunn koutouzov iere_armee: ru_i_corps", "coalition prague jean: au_i_corps"],
    )
    problem = field.problem("coalition", "play 22C\nactivate Jean\ngo to Brunn")
    assert (problem.code, problem.rule, problem.params["why"]) == ("stacking", "4.2.3", "too_many_allies")


def test_the_peninsula_is_closed_to_each_other_as_well() -> None:  # rule 10.1.7
    forces = ["empire badajoz castanos: sp_i_corps", "coalition elvas: portugal"]
    field = Field(hands={"empire": ["4F"], "coalition": []}, forces=forces)
    assert field.problem("empire", "play 4F\nactivate Castaños\ngo to Elvas").code == "peninsula_closed"
    portuguese = Field(side="coalition", forces=forces)
    text = "no card\nactivate portugal\ngo to Badajoz"
    assert portuguese.problem("coalition", text).code == "peninsula_closed"


def test_one_card_opens_portugal_and_spain_by_numbers() -> None:  # rule 10.1.7
    force = "empire bayonne napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_iii_corps"
    closed = Field(hands=CARD, events=["25F"], forces=[force])
    assert closed.problem("empire", "play 4F\nactivate Napoléon\ngo to Bilbao").code == "peninsula_full"
    opened = Field(hands=CARD, events=["25F"], forces=[force])
    opened.order("empire", "play 4F\nactivate Napoléon\nleave fr_iii_corps\ngo to Bilbao")
    assert opened.where("napoleon") == "bilbao"


def test_a_forced_march_is_announced_and_tested_even_where_no_point_of_it_is_used() -> (
    None
):  # rule 10.2.1, 10.2.2
    field = Field({"attrition/ney/bade": [4]}, hands=CARD, forces=["empire ulm ney: fr_i_corps"])
    problem = field.problem("empire", "play 4F\nactivate Ney forced march 4")
    assert problem.code == "march_too_long"
    field.order("empire", "play 4F\nactivate Ney forced march 2\ngo to Bade")
    assert field.modifiers(AttritionTested) == {"forced_march": 2, "all_french": -2}


def test_slower_units_on_the_way_cost_the_difference_at_once() -> None:  # rule 10.2.3
    field = Field(hands=CARD, forces=["empire strasbourg ney: fr_i_corps", "empire bade: bade"])
    problem = field.problem("empire", "play 4F\nactivate Ney\ngo to Bade\ntake\ngo to Stuttgart, Ulm")
    assert (problem.code, problem.params["left"]) == ("not_enough_points", 0)
    field.order("empire", "play 4F\nactivate Ney\ngo to Bade\ntake\ngo to Stuttgart")
    assert moved(field)[-1] == ("stuttgart", 1, 0)


def test_a_slow_unit_left_behind_gives_nothing_back_and_a_second_costs_nothing_more() -> None:  # rule 10.2.3
    field = Field(
        {"attrition/davout/wurtzburg": [1]},
        hands=CARD,
        forces=["empire strasbourg davout: fr_i_corps", "empire bade: bade", "empire stuttgart: wurtemberg"],
    )
    field.order(
        "empire",
        """
        play 4F
        activate Davout forced march 2
        go to Bade
        take
        leave bade
        go to Stuttgart
        take
        go to Wurtzburg
        """,
    )
    assert moved(field)[-1] == ("wurtzburg", 1, 1)


def test_the_test_comes_before_a_step_is_left_in_the_last_fortress() -> None:  # rule 10.2.2, 11.6.3, 13.4.2
    forces = ["empire munich ney: fr_i_corps, fr_ii_corps, fr_iii_corps"]
    field = Field(
        {"siege/salzbourg": [6], "attrition/ney/salzbourg": [3]},
        hands=CARD,
        control={"munich": "empire"},
        forces=forces,
    )
    field.order("empire", "play 4F\nactivate Ney forced march 1\ngo to Salzbourg\nsiege\ngarrison with step")
    assert field.events(AttritionTested)[0].steps == 6
    assert field.steps("ney") == 5
    later = Field(
        {"siege/salzbourg": [6], "siege/vienne": [2], "attrition/ney/vienne": [1]},
        hands=CARD,
        control={"munich": "empire"},
        forces=forces,
    )
    later.order(
        "empire",
        """
        play 4F
        activate Ney forced march 1
        go to Salzbourg
        siege
        garrison with step
        go to Vienne
        siege
        """,
    )
    assert [(test.zone, test.steps) for test in later.events(AttritionTested)] == [("vienne", 5)]


def test_what_is_left_on_the_way_and_what_is_found_there_does_not_test() -> None:  # rule 11.6.3
    field = Field(
        {"attrition/davout/paris": [1]},
        hands=CARD,
        forces=[
            "empire strasbourg davout: fr_i_corps, fr_ii_corps",
            "empire metz: fr_iii_corps",
            "empire paris: fr_iv_corps",
        ],
    )
    field.order(
        "empire",
        """
        play 4F
        activate Davout forced march 2
        go to Metz
        take
        leave fr_i_corps
        go to Reims, Paris
        """,
    )
    assert field.events(AttritionTested)[0].steps == 4
    assert field.steps("davout") == 6


def test_a_way_that_is_too_long_is_cut_where_the_points_end() -> None:  # rule 10.1.2
    letter = "play 1F\nactivate Davout\ngo to Nuremberg, Munich, Nuremberg, Munich, Nuremberg, Munich"
    field = Field(forces=["empire munich davout: fr_viii_corps"], hands={"empire": ["1F"], "coalition": []})
    problem = field.problem("empire", letter)
    assert problem.code == "not_enough_points"
    assert problem.nearest
    assert not field.mended("empire", letter)
