"""8: activations: two armies together, a subordinate apart, a lone corps, the pick-up of an army."""

from __future__ import annotations

from pbem.games.nce.events_field import Activated, AttritionTested, BattleFought, Rallied, UnitsLeft
from pbem.games.nce.orders import Activate, Go, PickUp
from tests.games.nce.field import Field

TWO_ARMIES = [
    "empire ulm napoleon grande_armee: fr_i_corps, fr_ii_corps; subs davout",
    "empire ulm massena armee_italie: fr_viii_corps, fr_ix_corps",
]


def test_two_armies_cost_one_point_more_and_move_as_one() -> None:  # rule 8.3.2, 2.7
    field = Field(hands={"empire": ["4F"], "coalition": []}, forces=TWO_ARMIES)
    field.order("empire", "play 4F\nactivate Napoléon with Masséna\ngo to Munich")
    (event,) = field.events(Activated)
    assert (event.cost, event.steps, event.rule) == (2, 8, "8.3.2")
    assert (field.where("napoleon"), field.where("massena")) == ("munich", "munich")
    assert field.state.reserve["empire"] == 1
    assert len(field.state.at("munich", "empire")) == 2


def test_the_commander_of_two_armies_sets_their_price() -> None:  # rule 8.3.2
    field = Field(hands={"empire": [], "coalition": []}, reserve={"empire": 1}, forces=TWO_ARMIES)
    field.order("empire", "no card\nactivate Masséna with Napoléon\ngo to Munich")
    assert field.events(Activated)[0].cost == 2
    dear = Field(
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=[
            "coalition vienne mack armee_allemagne: au_i_corps, au_ii_corps",
            "coalition vienne koutouzov iere_armee: ru_i_corps",
        ],
    )
    dear.order("coalition", "play 22C\nactivate Mack with Koutouzov\ngo to Salzbourg")
    assert dear.events(Activated)[0].cost == 3


def test_armies_exchange_units_before_they_move_and_only_then() -> None:  # rule 8.3.2
    field = Field(hands={"empire": ["4F"], "coalition": []}, forces=TWO_ARMIES)
    late = "play 4F\nactivate Napoléon with Masséna\ngo to Munich\nleave fr_i_corps with Masséna"
    problem = field.problem("empire", late)
    assert (problem.code, problem.rule) == ("exchange_first", "8.3.2")
    field.order(
        "empire",
        """
        play 4F
        activate Napoléon with Masséna
        leave fr_ii_corps with Masséna
        take units fr_ix_corps
        go to Munich
        """,
    )
    assert set(field.state.force_with("napoleon").units) == {"fr_i_corps", "fr_ix_corps"}  # type: ignore[union-attr]
    assert set(field.state.force_with("massena").units) == {"fr_viii_corps", "fr_ii_corps"}  # type: ignore[union-attr]


def test_two_armies_take_in_who_stands_at_their_goal() -> None:  # rule 8.3.2, 4.5.4
    field = Field(
        hands={"empire": ["4F"], "coalition": []}, forces=["empire munich: fr_x_corps", *TWO_ARMIES]
    )
    field.order("empire", "play 4F\nactivate Napoléon with Masséna\ngo to Munich")
    assert (field.steps("napoleon"), field.steps("massena")) in ((6, 4), (4, 6))
    again = [force.acted for force in field.state.at("munich", "empire")]
    assert again == [18052, 18052]


def test_an_army_of_two_may_act_alone_and_the_other_after_it() -> None:  # rule 8.3.2, 4.5.4
    field = Field(hands={"empire": ["4F"], "coalition": []}, forces=TWO_ARMIES)
    field.order("empire", "play 4F\nactivate Masséna\ngo to Munich\nactivate Napoléon\ngo to Stuttgart")
    assert (field.where("napoleon"), field.where("massena")) == ("stuttgart", "munich")


def test_the_march_may_be_said_before_or_after_the_units() -> None:  # rule 8.3.3, 10.2.1
    forces = ["empire metz napoleon grande_armee: fr_i_corps, fr_ii_corps; subs davout"]
    for line in (
        "activate Davout forced march 1 with fr_i_corps",
        "activate Davout with fr_i_corps forced march 1",
        "activer Davout avec fr_i_corps marche forcée 1",
    ):
        field = Field(
            {"attrition/davout/reims": [1]}, hands={"empire": ["4F"], "coalition": []}, forces=forces
        )
        field.order("empire", f"play 4F\n{line}\ngo to Reims")
        assert (field.events(Activated)[0].march, field.where("davout")) == (1, "reims")


def test_no_army_beside() -> None:  # rule 8.3.2
    field = Field(
        hands={"empire": ["4F"], "coalition": []},
        forces=[TWO_ARMIES[0], TWO_ARMIES[1].replace("ulm", "bade")],
    )
    assert field.problem("empire", "play 4F\nactivate Napoléon with Masséna").code == "no_army_beside"


def test_each_of_two_armies_makes_its_own_test_with_two_more() -> None:  # rule 11.6.6
    field = Field(
        {"attrition/napoleon/munich": [1], "attrition/massena/munich": [5]},
        hands={"empire": ["4F"], "coalition": []},
        forces=TWO_ARMIES,
    )
    field.order("empire", "play 4F\nactivate Napoléon forced march 1 with Masséna\ngo to Munich")
    tests = field.events(AttritionTested)
    assert [test.force for test in tests] == ["napoleon", "massena"]
    assert field.modifiers(AttritionTested) == {"forced_march": 1, "two_armies": 2, "all_french": -2}


def test_two_armies_fight_as_one_and_go_on() -> None:  # rule 12.5.2, 12.6.5, 8.3.2
    field = Field(
        {
            "battle/munich/attack": [6, 6],
            "battle/munich/defence": [1, 1],
            "wound/davout": [1],
            "morale/charles": [1],
        },
        hands={"empire": ["4F"], "coalition": []},
        forces=[*TWO_ARMIES, "coalition munich charles: au_i_corps, au_ii_corps"],
    )
    field.order(
        "empire", "play 4F\nactivate Napoléon with Masséna\ngo to Munich\nsubordinate Davout\ngo to Nuremberg"
    )
    field.order("coalition", "stay")
    (battle,) = field.events(BattleFought)
    assert battle.attacking == 8
    mods = field.modifiers(BattleFought, name="attacker_modifiers")
    assert (mods["commander"], mods["subordinate"]) == (3, 2)
    assert (field.where("napoleon"), field.where("massena")) == ("nuremberg", "nuremberg")


def test_each_of_two_armies_rallies_on_its_own() -> None:  # rule 12.11.5
    field = Field(
        {"rally/napoleon": [6], "rally/massena": [6]},
        hands={"empire": ["4F"], "coalition": []},
        forces=[
            "empire ulm napoleon grande_armee demoralised: fr_i_corps",
            "empire ulm massena armee_italie demoralised: fr_gn_1",
        ],
        owner={"baviere": "france"},
    )
    field.order("empire", "play 4F\nactivate Napoléon with Masséna\nrally")
    assert [(event.force, event.success) for event in field.events(Rallied)] == [
        ("napoleon", True),
        ("massena", False),
    ]


def test_a_subordinate_acts_apart_and_may_come_back_to_move_with_his_army() -> None:  # rule 8.3.3, 4.5.4
    field = Field(
        hands={"empire": ["4F"], "coalition": []},
        forces=["empire metz napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_iii_corps; subs davout"],
    )
    problem = field.problem("empire", "play 4F\nactivate Davout\ngo to Reims")
    assert (problem.code, problem.rule) == ("name_his_units", "8.3.3")
    assert problem.nearest == (Activate("davout", 0, ("fr_i_corps",)),)
    field.order(
        "empire",
        """
        play 4F
        activate Davout with fr_iii_corps
        go to Reims, Metz
        activate Napoléon
        go to Strasbourg
        """,
    )
    assert (field.where("davout"), field.steps("davout")) == ("strasbourg", 6)
    assert [event.cost for event in field.events(Activated)] == [1, 1]


def test_a_lone_corps_needs_a_second_point_and_pays_it_when_it_fights() -> None:  # rule 8.3.1, 8.3.6
    forces = ["empire ulm: fr_i_corps", "coalition munich mack: au_i_corps"]
    poor = Field(forces=forces)
    problem = poor.problem("empire", "no card\nactivate fr_i_corps\ngo to Munich")
    assert (problem.code, problem.rule) == ("second_point", "8.3.6")
    assert isinstance(problem.nearest[0], Go)
    gone = Field({"evasion/mack/munich": [6]}, hands={"empire": ["4F"], "coalition": []}, forces=forces)
    gone.order("empire", "play 4F\nactivate fr_i_corps\ngo to Munich").order(
        "coalition", "evade to Salzbourg"
    )
    assert gone.state.reserve["empire"] == 2
    fought = Field(
        {"battle/munich/attack": [6, 6], "battle/munich/defence": [1, 1]},
        hands={"empire": ["4F"], "coalition": []},
        forces=forces,
    )
    fought.order("empire", "play 4F\nactivate fr_i_corps\ngo to Munich\nsubordinate nobody").order(
        "coalition", "stay"
    )
    assert fought.state.reserve["empire"] == 1
    march = Field(hands={"empire": [], "coalition": []}, forces=forces)
    assert march.problem("empire", "no card\nactivate fr_i_corps forced march 1").code == "not_enough_ap"


def test_the_option_of_two_points_on_foreign_ground() -> None:  # rule 8.3.1, 19
    field = Field(forces=["empire ulm: fr_i_corps"], control={"munich": "coalition"})
    field.state.options["lone_corps"] = "yes"
    assert field.problem("empire", "no card\nactivate fr_i_corps\ngo to Munich").code == "second_point"


def test_points_may_stay_in_the_reserve_but_not_pay_for_a_campaign() -> None:  # rule 8.2.1, 8.2.2
    field = Field(
        side="coalition",
        hands={"empire": [], "coalition": ["14C"]},
        reserve={"coalition": 5},
        forces=[
            f"coalition {zone}: {unit}"
            for zone, unit in (
                ("vienne", "au_i_corps"),
                ("graz", "au_ii_corps"),
                ("presbourg", "au_iii_corps"),
                ("brunn", "au_iv_corps"),
            )
        ],
    )
    text = "event 14C\nactivate au_i_corps\nactivate au_ii_corps\nactivate au_iii_corps"
    assert field.problem("coalition", text + "\nactivate au_iv_corps").code == "not_enough_ap"
    field.order("coalition", text)
    assert field.state.reserve["coalition"] == 5


ARMY = "empire ulm napoleon grande_armee: fr_i_corps"


def test_who_can_be_picked_up() -> None:  # rule 8.4, 22.1
    field = Field(
        hands={"empire": ["4F"], "coalition": []},
        forces=[
            ARMY,
            "empire stuttgart marmont: fr_ii_corps",
            "empire nuremberg ney: fr_iii_corps",
            "empire munich massena armee_italie: fr_iv_corps",
            "empire innsbruck: fr_v_corps",
        ],
    )
    start = "play 4F\nactivate Napoléon\n"
    barred = field.problem("empire", start + "pick up Ney")
    assert (barred.code, barred.rule) == ("pick_up_barred", "8.4")
    assert barred.nearest == (PickUp(("fr_v_corps",)),)
    assert field.problem("empire", start + "pick up Masséna").code == "two_armies"
    assert field.problem("empire", start + "go to Bade\npick up Marmont").code == "pick_up_first"
    assert field.problem("empire", "play 4F\nactivate Marmont\npick up fr_v_corps").code == "not_an_army"
    far = field.problem("empire", start + "pick up Marmont, fr_v_corps\ngo to Bade, Strasbourg, Metz")
    assert far.code == "not_enough_points"
    field.order("empire", start + "pick up Marmont, fr_v_corps\ngo to Bade, Strasbourg")
    assert (field.where("marmont"), field.steps("napoleon")) == ("strasbourg", 6)


def test_a_pick_up_keeps_rank_and_command_and_what_has_acted_stays() -> None:  # rule 8.4, 4.3.4, 4.5.4
    field = Field(
        hands={"empire": ["4F"], "coalition": []},
        forces=[
            "empire ulm ney grande_armee: fr_i_corps, fr_ii_corps, fr_iii_corps, fr_iv_corps, fr_v_corps",
            "empire stuttgart davout: fr_vi_corps",
            "empire bade marmont: fr_vii_corps, fr_viii_corps",
        ],
    )
    assert field.problem("empire", "play 4F\nactivate Ney\npick up Davout").code == "lower_rank"
    assert field.problem("empire", "play 4F\nactivate Ney\npick up Marmont").code == "over_command"
    acted = Field(
        hands={"empire": ["4F"], "coalition": []},
        forces=[ARMY, "empire bade marmont: fr_vii_corps"],
    )
    text = "play 4F\nactivate Marmont\ngo to Stuttgart\nactivate Napoléon\npick up Marmont"
    assert acted.problem("empire", text).code == "already_acted"


def test_what_was_left_on_the_way_does_not_move_again() -> None:  # rule 4.5.4
    field = Field(
        hands={"empire": ["4F"], "coalition": []},
        forces=["empire metz ney: fr_i_corps, fr_ii_corps"],
    )
    text = "play 4F\nactivate Ney\ngo to Reims\nleave fr_ii_corps\ngo to Paris\nactivate fr_ii_corps"
    problem = field.problem("empire", text)
    assert (problem.code, problem.rule) == ("already_acted", "4.5.4")
    field.order(
        "empire", "play 4F\nactivate Ney\nleave fr_ii_corps\ngo to Paris\nactivate fr_ii_corps\ngo to Reims"
    )
    assert (field.where("ney"), field.where("fr_ii_corps")) == ("paris", "reims")
    assert field.events(UnitsLeft)[0].zone == "metz"


def test_a_unit_that_was_absorbed_is_not_ordered_again() -> None:  # rule 4.5.4, 8.3.4
    field = Field(
        hands={"empire": ["4F"], "coalition": []},
        forces=["empire metz davout: fr_i_corps", "empire reims: fr_ii_corps", "empire paris: fr_iii_corps"],
    )
    text = "play 4F\nactivate Davout\ngo to Reims\ntake\nactivate fr_ii_corps\ngo to Soissons"
    problem = field.problem("empire", text)
    assert (problem.code, problem.rule) == ("already_acted", "4.5.4")
    assert problem.nearest == (Activate("fr_iii_corps"),)
