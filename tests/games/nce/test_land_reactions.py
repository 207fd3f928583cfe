"""10.3, 10.4, 12.2: interception, evasion and countermarch."""

from __future__ import annotations

from typing import Any

from pbem.games.nce import charts
from pbem.games.nce.events_field import (
    AttritionTested,
    BattleFought,
    CountermarchTried,
    Evaded,
    EvasionTried,
    InterceptionTried,
    Retreated,
)
from pbem.games.nce.reactions import Interception, countermarchers, interceptors
from pbem.games.nce.replies import Done, Intercept
from tests.games.nce.field import Field
from tests.games.nce.play import position, the

EAST: dict[str, Any] = {"year": 1809, "status": {"prusse": "coalition"}}
BOTH = {"empire": ["4F"], "coalition": ["18C", "24C"]}


def test_interception_die_and_what_adds_to_it() -> None:  # rule 10.3.2, 10.3.3, 10.5
    field = Field(
        {"interception/blucher/wittemberg": [3]},
        hands=BOTH,
        forces=["empire leipzig davout: fr_i_corps", "coalition berlin blucher: pr_i_corps, pr_ii_corps"],
        **EAST,
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Wittemberg")
    field.order("coalition", "intercept with Blücher using 18C")
    (tried,) = field.events(InterceptionTried)
    assert (tried.total, tried.success) == (4, False)
    assert field.modifiers(InterceptionTried) == {"cavalry_superiority": 1}
    assert "18C" in field.state.played["coalition"]


def test_a_lone_corps_is_slower_than_any_general_and_difficult_ground_hinders() -> (
    None
):  # rule 10.3.3, 10.3.8
    field = Field(
        {"interception/charles/innsbruck": [1]},
        hands=BOTH,
        forces=["empire zurich: fr_i_corps", "coalition salzbourg charles: au_i_corps"],
    )
    field.order("empire", "play 4F\nactivate fr_i_corps\ngo to Innsbruck")
    field.order("coalition", "intercept with Charles using 18C")
    assert field.modifiers(InterceptionTried) == {"initiative": 1, "difficult": -1}


def test_the_card_must_be_worth_the_initiative() -> None:  # rule 10.3.2
    field = Field(
        hands={"empire": ["4F"], "coalition": ["5C"]},
        forces=["empire ulm ney: fr_i_corps", "coalition salzbourg charles: au_i_corps"],
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich")
    problem = field.problem("coalition", "intercept with Charles using 5C")
    assert (problem.code, problem.rule) == ("card_too_low", "10.3.2")


def test_part_of_the_interceptor_stays_under_a_subordinate() -> None:  # rule 10.3.4
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
        "wound/jean": [1],
    }
    forces = [
        "empire ulm ney: fr_i_corps",
        "coalition salzbourg charles armee_allemagne: au_i_corps, au_ii_corps, au_iii_corps, au_iv_corps; subs jean",
    ]
    field = Field(dice, hands=BOTH, forces=forces)
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\nsubordinate nobody")
    alone = field.problem("coalition", "intercept with Charles using 18C leaving au_iii_corps, au_iv_corps")
    assert (alone.code, alone.rule) == ("cannot_stay", "10.3.4")
    field.order("coalition", "intercept with Charles using 18C leaving Jean, au_iii_corps, au_iv_corps")
    field.order("coalition", "nothing")
    assert (field.where("jean"), field.steps("jean")) == ("salzbourg", 4)
    assert field.modifiers(BattleFought, name="defender_modifiers")["interception"] == 1
    assert (field.where("charles"), field.where("ney")) == ("munich", "ulm")


def test_the_interceptor_tests_before_he_moves_and_may_spend_a_depot() -> None:  # rule 10.3.4, 11.4, 11.6.1
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
    }
    field = Field(
        dice,
        hands=BOTH,
        forces=["empire ulm ney: fr_i_corps", "coalition salzbourg charles: au_i_corps; depots 1"],
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "intercept with Charles using 18C")
    assert field.asked() == ["coalition test"]
    field.order("coalition", "test with depot").order("coalition", "nothing")
    assert field.modifiers(AttritionTested) == {"depot_spent": -2}
    assert not the(field.state, "charles").depots


def test_who_is_intercepted_beside_a_friend_fights_alone() -> None:  # rule 10.3.5
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "battle/munich/attack": [6, 6],
        "battle/munich/defence": [1, 1],
    }
    field = Field(
        dice,
        hands=BOTH,
        forces=[
            "empire ulm davout: fr_i_corps, fr_ii_corps",
            "empire munich: baviere",
            "coalition salzbourg charles: au_i_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody\ngo to Nuremberg")
    field.order("coalition", "intercept with Charles using 18C").order("coalition", "nothing")
    assert field.events(BattleFought)[0].attacking == 4
    assert (field.where("davout"), field.where("baviere")) == ("nuremberg", "munich")


def test_the_friend_may_march_to_the_guns_in_his_own_zone() -> None:  # rule 10.3.5, 12.2.1
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "countermarch/ney/munich": [5],
        "attrition/ney/munich": [1],
        "battle/munich/attack": [6, 6],
        "battle/munich/defence": [1, 1],
        "morale/charles": [1],
    }
    field = Field(
        dice,
        hands=BOTH,
        forces=[
            "empire ulm davout: fr_i_corps, fr_ii_corps",
            "empire munich ney: fr_iii_corps",
            "coalition salzbourg charles: au_i_corps, au_ii_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\ncountermarch Ney")
    field.order("coalition", "intercept with Charles using 18C").order("coalition", "nothing")
    assert not field.modifiers(CountermarchTried)
    assert field.events(BattleFought)[0].attacking == 6
    assert field.state.generals["ney"] == "wait"
    assert "fr_iii_corps" in the(field.state, "davout").units


def test_a_beaten_mover_takes_the_friend_with_him() -> None:  # rule 10.3.5, 12.12.1
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
    }
    field = Field(
        dice,
        hands=BOTH,
        forces=[
            "empire ulm davout: fr_i_corps",
            "empire munich: baviere",
            "coalition salzbourg charles: au_i_corps, au_ii_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "intercept with Charles using 18C").order("coalition", "nothing")
    assert [event.to for event in field.events(Retreated)] == ["ulm", "ulm"]
    assert field.where("baviere") == "ulm"
    assert not field.state.at("munich", "empire")


def test_an_interceptor_joins_who_stands_there_and_nobody_evades() -> None:  # rule 10.3.5, 10.3.6
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [1, 1],
    }
    field = Field(
        dice,
        hands=BOTH,
        control={"munich": "coalition"},
        forces=[
            "empire ulm davout: fr_i_corps",
            "coalition munich: au_iii_corps",
            "coalition salzbourg charles: au_i_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "intercept with Charles using 18C")
    assert field.asked() == ["coalition fight"]
    field.order("coalition", "nothing")
    assert field.events(BattleFought)[0].defending == 4
    assert not field.events(EvasionTried)


def test_a_beaten_interceptor_goes_back_to_where_he_came_from() -> None:  # rule 12.12.1
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "battle/munich/attack": [6, 6],
        "battle/munich/defence": [1, 1],
    }
    field = Field(
        dice,
        hands=BOTH,
        forces=["empire ulm davout: fr_i_corps", "coalition salzbourg charles: au_i_corps, au_ii_corps"],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "intercept with Charles using 18C").order("coalition", "nothing")
    assert field.events(Retreated)[0].to == "salzbourg"


def test_who_cannot_intercept() -> None:  # rule 10.3.1, 10.3.7, 10.3.9, 12.11.2
    state = position(
        forces=[
            "coalition salzbourg charles demoralised: au_i_corps",
            "coalition innsbruck jean: au_ii_corps",
            "coalition pilsen ferdinand: au_iii_corps",
            "empire ulm ney: fr_i_corps",
        ]
    )
    assert [f.general for f in interceptors(state, "coalition", "munich")] == ["jean", "ferdinand"]
    the(state, "jean").inside = True
    assert [f.general for f in interceptors(state, "coalition", "munich")] == ["ferdinand"]
    assert not countermarchers(state, "coalition", "munich", "defender")


def test_no_interception_over_a_closed_strait_nor_into_the_peninsula() -> None:  # rule 10.1.3, 10.1.7
    state = position(
        status={"naples": "ally_france"},
        forces=["empire reggio ney: fr_i_corps", "empire bayonne soult: fr_ii_corps"],
        fleets={"ball": "sea:mer_tyrrhenienne"},
    )
    assert not interceptors(state, "empire", "palerme")
    assert not interceptors(state, "empire", "bilbao")
    state.fleets["ball"] = "port:londres"
    assert [f.general for f in interceptors(state, "empire", "palerme")] == ["ney"]


def test_evasion_die_and_what_adds_to_it() -> None:  # rule 10.4.3, 10.4.4
    field = Field(
        {"evasion/jean/innsbruck": [3]},
        hands={"empire": ["4F"], "coalition": []},
        forces=["empire zurich: fr_i_corps", "coalition innsbruck jean: au_i_corps"],
    )
    field.order("empire", "play 4F\nactivate fr_i_corps\ngo to Innsbruck\nsubordinate nobody")
    there = field.problem("coalition", "evade to Zurich")
    assert (there.code, there.rule) == ("cannot_evade_there", "10.4.4")
    field.order("coalition", "evade to Salzbourg")
    assert field.modifiers(EvasionTried) == {"initiative": 1, "difficult": 1}
    assert field.where("jean") == "salzbourg"
    assert field.where("fr_i_corps") == "innsbruck"


def test_the_mover_goes_on_and_the_evader_evades_again() -> None:  # rule 10.4.1, 10.4.5, 10.6
    field = Field(
        {"evasion/mack/munich": [6], "evasion/mack/salzbourg": [5]},
        hands={"empire": ["4F"], "coalition": []},
        forces=["empire ulm davout: fr_i_corps", "coalition munich mack: au_i_corps"],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich, Salzbourg\nsubordinate nobody")
    field.order("coalition", "evade to Salzbourg").order("coalition", "evade to Vienne")
    assert [event.to for event in field.events(Evaded)] == ["salzbourg", "vienne"]
    assert (field.where("davout"), field.where("mack")) == ("salzbourg", "vienne")


def test_a_lone_corps_evades_only_into_a_fortress_or_demoralised() -> None:  # rule 10.4.1, 10.4.2
    hands = {"empire": ["4F"], "coalition": []}
    dice = {"battle/munich/attack": [1, 1], "battle/munich/defence": [1, 1]}
    field = Field(dice, hands=hands, forces=["empire ulm davout: fr_i_corps", "coalition munich: au_i_corps"])
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    assert field.events(BattleFought)
    broken = Field(
        hands=hands, forces=["empire ulm davout: fr_i_corps", "coalition munich demoralised: au_i_corps"]
    )
    broken.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    broken.order("coalition", "evade to Salzbourg")
    assert broken.where("au_i_corps") == "salzbourg"
    assert not broken.events(EvasionTried)


def test_no_way_to_evade() -> None:  # rule 10.4.7
    field = Field(
        {"battle/munich/attack": [1, 1], "battle/munich/defence": [1, 1]},
        hands={"empire": ["4F"], "coalition": []},
        control={"salzbourg": "empire", "innsbruck": "empire"},
        forces=[
            "empire ulm davout: fr_i_corps",
            "empire nuremberg: fr_ii_corps",
            "empire pilsen: fr_iii_corps",
            "coalition munich mack: au_i_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    assert field.asked() == ["coalition act"]


def test_part_goes_into_the_fortress_and_the_rest_evades_or_retreats_there() -> None:  # rule 10.4.6, 13.1.2
    dice = {
        "evasion/charles/salzbourg": [1],
        "battle/salzbourg/attack": [4, 4],
        "battle/salzbourg/defence": [1, 1],
    }
    field = Field(
        dice,
        hands={"empire": ["4F"], "coalition": []},
        control={"munich": "empire", "vienne": "empire", "klagenfurt": "empire", "innsbruck": "empire"},
        empty=["vienne"],
        forces=[
            "empire munich davout: fr_i_corps, fr_ii_corps",
            "empire graz: fr_iii_corps",
            "empire pilsen: fr_iv_corps",
            "coalition salzbourg charles armee_allemagne: au_i_corps, au_ii_corps 1, au_iii_corps 1; subs jean",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Salzbourg\nsubordinate nobody")
    bad = field.problem("coalition", "into fortress with au_i_corps, au_ii_corps\nevade to Vienne")
    assert (bad.code, bad.rule) == ("cannot_split", "10.4.6")
    field.order("coalition", "into fortress with Jean, au_i_corps\nevade to Vienne")
    assert the(field.state, "jean").inside
    assert the(field.state, "charles") is the(field.state, "jean")
    assert field.state.siege == {"salzbourg": 0}


def test_countermarch_with_part_of_a_force_and_a_subordinate_alone() -> None:  # rule 12.2.1, 12.2.4
    dice = {
        "countermarch/jean/munich": [5],
        "attrition/jean/munich": [1],
        "countermarch/ferdinand/munich": [6],
        "attrition/ferdinand/munich": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
        "morale/davout": [1],
    }
    field = Field(
        dice,
        hands={"empire": ["4F"], "coalition": []},
        control={"munich": "coalition"},
        forces=[
            "empire ulm davout: fr_i_corps, fr_ii_corps, fr_iii_corps",
            "coalition munich charles: au_i_corps",
            "coalition salzbourg mack armee_allemagne: au_ii_corps, au_iii_corps, au_iv_corps; subs ferdinand",
            "coalition innsbruck jean: au_v_corps, au_vi_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "stay")
    nobody = field.problem("coalition", "countermarch Ferdinand")
    assert (nobody.code, nobody.rule) == ("name_his_units", "12.2.1")
    field.order("coalition", "countermarch Jean with au_v_corps\ncountermarch Ferdinand with au_ii_corps")
    assert field.events(BattleFought)[0].defending == 6
    assert (field.where("au_vi_corps"), field.where("au_iii_corps")) == ("innsbruck", "salzbourg")
    assert field.modifiers(CountermarchTried, 0) == {"tactical_value": 1, "difficult": -1}
    assert field.modifiers(AttritionTested, 0)["countermarch"] == 2
    assert field.modifiers(AttritionTested, 1)["countermarch"] == 1
    assert field.state.generals["jean"] == "wait"


def test_the_attacker_marches_first_and_uses_the_army_generals_value() -> None:  # rule 12.2.1, 12.2.3
    dice = {
        "countermarch/marmont/munich": [2],
        "attrition/marmont/munich": [1],
        "countermarch/jean/munich": [1],
        "battle/munich/attack": [6, 6],
        "battle/munich/defence": [1, 1],
    }
    field = Field(
        dice,
        hands={"empire": ["4F"], "coalition": []},
        control={"munich": "coalition"},
        forces=[
            "empire ulm napoleon grande_armee: fr_i_corps",
            "empire nuremberg marmont: fr_ii_corps",
            "coalition munich charles: au_i_corps",
            "coalition salzbourg jean: au_v_corps",
        ],
    )
    field.order(
        "empire", "play 4F\nactivate Napoléon\ngo to Munich\nsubordinate nobody\ncountermarch Marmont"
    )
    field.order("coalition", "stay").order("coalition", "countermarch Jean")
    assert [event.force for event in field.events(CountermarchTried)] == ["marmont", "jean"]
    assert field.modifiers(CountermarchTried)["tactical_value"] == 3
    assert (field.where("marmont"), field.steps("napoleon")) == ("munich", 4)


def test_no_countermarch_over_a_mountain_a_strait_or_demoralised() -> None:  # rule 12.2.2
    state = position(
        status={"naples": "ally_france"},
        forces=[
            "coalition pilsen charles: au_i_corps",
            "coalition salzbourg jean demoralised: au_ii_corps",
            "empire reggio ney: fr_i_corps",
        ],
    )
    assert not countermarchers(state, "coalition", "munich", "defender")
    assert not countermarchers(state, "empire", "palerme", "attacker")


def test_a_failed_interceptor_may_still_march_to_the_guns() -> None:  # rule 12.2.1
    dice = {
        "interception/charles/munich": [1],
        "countermarch/charles/munich": [3],
        "attrition/charles/munich": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [1, 1],
    }
    field = Field(
        dice,
        hands=BOTH,
        control={"munich": "coalition"},
        forces=[
            "empire ulm davout: fr_i_corps",
            "coalition munich: au_iii_corps",
            "coalition salzbourg charles: au_i_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "intercept with Charles using 18C").order("coalition", "countermarch Charles")
    assert field.events(BattleFought)[0].defending == 4
    assert field.steps("charles") == 4


def test_two_armies_evade_as_one_force() -> None:  # rule 2.7, 10.4.1, 10.4.3
    field = Field(
        {"evasion/charles/munich": [4]},
        hands={"empire": ["4F"], "coalition": []},
        control={"munich": "coalition"},
        forces=[
            "empire ulm mortier: fr_viii_corps",
            "coalition munich charles armee_allemagne: au_i_corps, au_res_cav",
            "coalition munich koutouzov iere_armee: ru_i_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Mortier\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "evade to Salzbourg")
    assert len(field.events(EvasionTried)) == 1
    assert field.modifiers(EvasionTried) == {"cavalry_superiority": 1}
    assert (field.where("charles"), field.where("koutouzov")) == ("salzbourg", "salzbourg")


def test_a_depot_that_a_beaten_corps_leaves_is_lost() -> None:  # rule 2.3.2
    field = Field(
        {"battle/munich/attack": [4, 4], "battle/munich/defence": [1, 1]},
        hands={"empire": ["4F"], "coalition": []},
        forces=["empire ulm davout: fr_viii_corps", "coalition munich: au_i_corps"],
        fixed={"munich": ["autriche"]},
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody")
    assert field.where("davout") == "munich"
    assert not field.state.fixed


def test_two_armies_intercept_together() -> None:  # rule 2.7, 10.3.1, 11.6.6
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "attrition/koutouzov/salzbourg": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
    }
    field = Field(
        dice,
        hands=BOTH,
        forces=[
            "empire ulm ney: fr_viii_corps",
            "coalition salzbourg charles armee_allemagne: au_i_corps, au_ii_corps",
            "coalition salzbourg koutouzov iere_armee: ru_i_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\nsubordinate nobody")
    alone = field.problem("coalition", "intercept with Charles using 18C together with Jean")
    assert (alone.code, alone.rule) == ("no_army_beside", "10.3.1")
    field.order("coalition", "intercept with Charles using 18C together with Koutouzov")
    field.order("coalition", "nothing")
    assert field.modifiers(AttritionTested)["two_armies"] == 2
    assert field.events(BattleFought)[0].defending == 6
    assert (field.where("charles"), field.where("koutouzov")) == ("munich", "munich")


def test_two_generals_of_one_army_march_by_two_orders() -> None:  # rule 12.2.1
    dice = {
        "countermarch/bellegarde/munich": [6],
        "attrition/bellegarde/munich": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
        "morale/davout": [1],
    }
    field = Field(
        dice,
        hands={"empire": ["4F"], "coalition": []},
        control={"munich": "coalition"},
        forces=[
            "empire ulm davout: fr_viii_corps, fr_ix_corps",
            "coalition munich charles: au_i_corps",
            "coalition salzbourg mack armee_allemagne: au_ii_corps, au_iii_corps; subs ferdinand, bellegarde",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nsubordinate nobody").order(
        "coalition", "stay"
    )
    both = field.problem("coalition", "countermarch Bellegarde, Ferdinand with au_ii_corps")
    assert (both.code, both.rule) == ("name_his_units", "12.2.1")
    field.order(
        "coalition", "countermarch Bellegarde with au_ii_corps\ncountermarch Ferdinand with au_ii_corps"
    )
    assert [event.force for event in field.events(CountermarchTried)] == ["bellegarde"]
    assert field.where("ferdinand") == "salzbourg"


def test_what_stays_behind_joins_who_stands_there() -> None:  # rule 10.3.4, 4.1.1
    dice = {
        "interception/charles/munich": [6],
        "attrition/charles/salzbourg": [1],
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
    }
    field = Field(
        dice,
        hands=BOTH,
        forces=[
            "empire ulm ney: fr_viii_corps",
            "coalition salzbourg charles armee_allemagne: au_i_corps, au_ii_corps",
            "coalition salzbourg koutouzov iere_armee: ru_i_corps, ru_ii_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\nsubordinate nobody")
    field.order("coalition", "intercept with Charles using 18C leaving au_ii_corps").order(
        "coalition", "nothing"
    )
    assert field.steps("koutouzov") == 6
    assert len(field.state.at("salzbourg", "coalition")) == 1


def test_the_grand_coalition_intercepts_with_cards_worth_one_more() -> None:  # rule 10.3.2, 7.2.3
    five = dict.fromkeys(("angleterre", "autriche", "russie", "prusse", "espagne"), "coalition")
    given = {"forces": ["coalition vienne charles: au_i_corps"], "hands": {"empire": [], "coalition": ["8C"]}}
    assert (charts.CARDS["8C"].value, charts.GENERALS["charles"].initiative) == (1, 2)
    question = Interception(key="i", seat="coalition", rule="10.3", zone="salzbourg", mover="davout", steps=2)
    early = position(**given, status=five)
    assert [p.code for p in question.check(early, (Intercept("charles", "8C"),))] == ["card_too_low"]
    late = position(**given, status=five, period="chatiments")
    assert question.check(late, (Intercept("charles", "8C"),)) == []
    assert (Intercept("charles", "8C"),) in list(question.legal(late))


def test_a_refused_interception_or_plan_shows_what_would_be_taken() -> None:  # rule 10.3.2, 12.2.1, 12.6.5
    field = Field(
        hands={"empire": ["4F"], "coalition": ["1C", "4C", "7C"]},
        forces=[
            "empire munich davout: fr_viii_corps, fr_ix_corps",
            "coalition salzbourg mack armee_allemagne: au_i_corps, au_ii_corps; subs ferdinand",
            "coalition vienne bellegarde: au_iv_corps, au_v_corps",
            "coalition budapest jean: au_iii_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Salzbourg\nsubordinate nobody")
    for card in ("7C", "14C"):
        assert field.problem("coalition", f"intercept with Bellegarde using {card}").nearest == (
            Intercept("bellegarde", "4C"),
        )
    field.order("coalition", "let pass")
    field.order("coalition", "stay")
    for text in ("countermarch Jean", "subordinate Bellegarde", "morale 5"):
        assert field.problem("coalition", text).nearest != (Done(),)
        assert not field.mended("coalition", text)
    assert field.problem("coalition", "lead with au_i_corps").nearest == (Done(),)
