"""10.7: Campagne majeure: forces that move before battles are resolved, fight together, and go on."""

from __future__ import annotations

from pbem.games.nce.events import CardSpent
from pbem.games.nce.events_field import AttritionTested, BattleFought, Moved, Retreated
from tests.games.nce.field import Field
from tests.games.nce.play import the

HANDS = {"empire": [], "coalition": ["14C"]}
FORCES = [
    "coalition salzbourg charles: au_i_corps, au_ii_corps",
    "coalition innsbruck jean: au_iii_corps",
    "empire munich davout: fr_viii_corps",
]
TOGETHER = """
event 14C
activate Jean
go to Munich
activate Charles
go to Munich
subordinate nobody
go to Nuremberg
"""
WIN = {"battle/munich/attack": [6, 6], "battle/munich/defence": [1, 1]}


def test_two_forces_fight_together_and_go_on_with_the_fewest_points() -> None:  # rule 10.7.1, 10.7.3
    field = Field(WIN, side="coalition", hands=HANDS, forces=FORCES)
    field.order("coalition", TOGETHER).order("empire", "stay")
    (battle,) = field.events(BattleFought)
    assert (battle.attacker, battle.attacking) == ("charles", 6)
    last = field.events(Moved)[-1]
    assert (last.to, last.left) == ("nuremberg", 0)
    assert field.steps("charles") == 5
    assert field.state.generals["jean"] == "wait"


def test_e32_two_and_three_points_left_are_two() -> None:  # rule 10.7.3
    dice = {**WIN, "attrition/jean/munich": [1], "attrition/charles/munich": [1]}
    field = Field(dice, side="coalition", hands=HANDS, forces=FORCES)
    text = TOGETHER.replace("activate Jean", "activate Jean forced march 1")
    field.order("coalition", text.replace("activate Charles", "activate Charles forced march 1"))
    field.order("empire", "stay")
    assert [(event.to, event.left) for event in field.events(Moved)] == [
        ("munich", 2),
        ("munich", 3),
        ("nuremberg", 1),
    ]


def test_what_follows_the_battle_stands_under_the_last_force() -> None:  # rule 10.7.3
    field = Field(side="coalition", hands=HANDS, forces=FORCES)
    text = TOGETHER.replace("go to Munich\nactivate Charles", "go to Munich\ngo to Ulm\nactivate Charles")
    problem = field.problem("coalition", text)
    assert (problem.code, problem.rule) == ("waits_for_battle", "10.7.3")


def test_each_force_may_be_played_one_after_the_other() -> None:  # rule 10.7.1
    field = Field(WIN, side="coalition", hands=HANDS, forces=FORCES)
    field.order(
        "coalition",
        """
        event 14C
        activate Charles
        go to Munich
        subordinate nobody
        go to Nuremberg
        activate Jean
        go to Salzbourg
        """,
    )
    field.order("empire", "stay")
    assert field.events(BattleFought)[0].attacking == 4
    assert (field.where("charles"), field.where("jean")) == ("nuremberg", "salzbourg")


def test_two_forces_may_attack_the_same_enemy_one_after_the_other() -> None:  # rule 10.7.1
    dice = {
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [4, 4],
        "battle/munich/attack/2": [6, 6],
        "battle/munich/defence/2": [1, 1],
    }
    field = Field(dice, side="coalition", hands=HANDS, forces=FORCES)
    text = TOGETHER.replace("activate Jean", "activate Jean\nfight at once").replace(
        "\nactivate Charles", "\nsubordinate nobody\nactivate Charles"
    )
    field.order("coalition", text).order("empire", "stay").order("empire", "stay")
    assert [event.attacking for event in field.events(BattleFought)] == [2, 4]
    assert (field.where("jean"), field.where("charles")) == ("innsbruck", "nuremberg")


def test_who_declined_to_evade_has_lost_that_right() -> None:  # rule 10.7.2
    field = Field(WIN, side="coalition", hands=HANDS, forces=FORCES)
    field.order("coalition", TOGETHER)
    assert field.asked() == ["empire response"]
    field.order("empire", "stay")
    assert field.events(BattleFought)


def test_who_evades_the_first_is_not_there_for_the_second() -> None:  # rule 10.7.2
    field = Field({"evasion/davout/munich": [5]}, side="coalition", hands=HANDS, forces=FORCES)
    field.order("coalition", TOGETHER).order("empire", "evade to Ulm")
    assert not field.events(BattleFought)
    assert (field.where("davout"), field.where("charles")) == ("ulm", "nuremberg")


def test_each_force_makes_its_own_test_first() -> None:  # rule 10.7.3, 11.6.1
    dice = {**WIN, "attrition/jean/munich": [1], "attrition/charles/munich": [1]}
    field = Field(dice, side="coalition", hands=HANDS, forces=FORCES)
    text = TOGETHER.replace("activate Jean", "activate Jean forced march 1").replace(
        "activate Charles", "activate Charles forced march 2"
    )
    field.order("coalition", text).order("empire", "stay")
    assert [(test.force, test.steps) for test in field.events(AttritionTested)] == [
        ("jean", 2),
        ("charles", 4),
    ]
    assert field.modifiers(AttritionTested, 1) == {"forced_march": 2}
    kinds = [type(event) for event in field.told]
    assert kinds.index(BattleFought) > kinds.index(AttritionTested)


def test_two_armies_join_after_a_battle_of_a_campaign() -> None:  # rule 4.5.3, 10.7.3
    field = Field(
        {**WIN, "attrition/koutouzov/munich": [1], "morale/davout": [1]},
        side="coalition",
        hands=HANDS,
        forces=[
            "coalition salzbourg charles armee_allemagne: au_i_corps, au_ii_corps",
            "coalition nuremberg koutouzov iere_armee: ru_v_corps",
            "empire munich davout: fr_viii_corps",
        ],
    )
    field.order(
        "coalition",
        """
        event 14C
        activate Koutouzov
        go to Munich
        activate Charles
        go to Munich
        subordinate nobody
        go to Ulm
        """,
    )
    field.order("empire", "stay")
    assert field.events(BattleFought)[0].attacking == 6
    assert (field.where("charles"), field.where("koutouzov")) == ("ulm", "ulm")


def test_interior_lines_fight_each_in_turn() -> None:  # rule 10.7.4
    dice = {
        "battle/munich/attack": [1, 1],
        "battle/munich/defence": [5, 5],
        "battle/munich/attack/2": [1, 1],
        "battle/munich/defence/2": [5, 5],
        "morale/charles": [1],
    }
    field = Field(
        dice,
        side="coalition",
        hands={"empire": ["1F"], "coalition": ["14C"]},
        forces=[*FORCES[:2], "empire munich davout: fr_viii_corps, fr_ix_corps"],
    )
    field.order(
        "coalition", TOGETHER.replace("go to Munich\nactivate", "go to Munich\nsubordinate nobody\nactivate")
    )
    field.order("empire", "stay")
    assert field.asked() == ["empire interior_lines"]
    bad = field.problem("empire", "retreat to Ulm")
    assert bad.rule == "10.7.4"
    field.order("empire", "combat cards 1F")
    while "empire fight" in field.asked():
        field.order("empire", "nothing")
    assert [event.attacking for event in field.events(BattleFought)] == [2, 4]
    assert field.events(CardSpent)[0].use == "campaign"


def test_a_small_battle_elsewhere_does_not_spend_the_right_to_interior_lines() -> None:  # rule 10.7.4
    small = {"battle/ulm/attack": [1, 1], "battle/ulm/defence": [5, 5], "morale/jean": [1]}
    forces = [
        "coalition salzbourg charles: au_i_corps, au_ii_corps",
        "coalition innsbruck jean: au_iii_corps, au_iv_corps",
        "coalition pilsen ferdinand: au_v_corps",
        "empire munich davout: fr_viii_corps, fr_ix_corps",
        "empire ulm ney: fr_x_corps, fr_xi_corps",
    ]
    hands = {"empire": ["1F"], "coalition": ["14C"]}
    charles = "activate Charles\ngo to Munich\nsubordinate nobody\n"
    jean = "activate Jean\ngo to Ulm\nsubordinate nobody\n"
    ferdinand = "activate Ferdinand forced march 1\ngo to Munich\nsubordinate nobody"
    for letter, asked in ((charles + jean + ferdinand, True), (jean + charles + ferdinand, False)):
        dice = {**small, "attrition/ferdinand/munich": [1], "star/ferdinand/munich": [1]}
        field = Field(dice, side="coalition", hands=hands, forces=forces)
        field.order("coalition", "event 14C\n" + letter)
        while field.asked() and field.asked()[0] in ("empire response", "empire interception"):
            field.order("empire", "stay" if "response" in field.asked()[0] else "let pass")
            while "empire fight" in field.asked() and not field.events(BattleFought):
                field.order("empire", "nothing")
        assert (field.asked() == ["empire interior_lines"]) == asked
        assert [battle.zone for battle in field.events(BattleFought)] == ["ulm"]


def test_interior_lines_may_retreat_after_the_first_battle() -> None:  # rule 10.7.4
    dice = {"battle/munich/attack": [1, 1], "battle/munich/defence": [5, 5]}
    field = Field(
        dice,
        side="coalition",
        hands={"empire": ["1F"], "coalition": ["14C"]},
        forces=[*FORCES[:2], "empire munich davout: fr_viii_corps, fr_ix_corps"],
    )
    field.order(
        "coalition", TOGETHER.replace("go to Munich\nactivate", "go to Munich\nsubordinate nobody\nactivate")
    )
    field.order("empire", "stay")
    field.order("empire", "combat cards 1F\nretreat to Ulm")
    while "empire fight" in field.asked():
        field.order("empire", "nothing")
    assert len(field.events(BattleFought)) == 1
    assert field.where("davout") == "ulm"
    assert [event.to for event in field.events(Retreated)][-1] == "ulm"
    assert field.where("charles") in ("munich", "nuremberg")


def test_a_general_of_little_skill_has_no_interior_lines() -> None:  # rule 10.7.4
    field = Field(
        {**WIN, "morale/ney": [1]},
        side="coalition",
        hands={"empire": ["1F"], "coalition": ["14C"]},
        forces=[*FORCES[:2], "empire munich ney: fr_viii_corps"],
    )
    field.order("coalition", TOGETHER).order("empire", "stay")
    assert field.asked() == ["empire fight"]


def test_the_beaten_defender_goes_to_none_of_the_zones_they_came_from() -> None:  # rule 12.12.2
    field = Field(
        {
            "battle/munich/attack": [4, 4],
            "battle/munich/defence": [1, 1],
            "morale/davout": [1],
            "attrition/jean/munich": [1],
        },
        side="coalition",
        hands=HANDS,
        control={"innsbruck": "empire"},
        forces=[
            "coalition salzbourg charles: au_i_corps, au_ii_corps",
            "coalition ulm jean: au_iii_corps",
            "empire munich davout: fr_viii_corps, fr_ix_corps",
        ],
    )
    field.order("coalition", TOGETHER.replace("\ngo to Nuremberg", "")).order("empire", "stay")
    assert field.events(Retreated)[0].to in ("nuremberg", "innsbruck")


def test_forces_that_find_nobody_any_more_are_one_force() -> None:  # rule 4.1.1, 10.7.3
    field = Field(WIN, side="coalition", hands=HANDS, forces=FORCES)
    field.order("coalition", TOGETHER.replace("\ngo to Nuremberg", "")).order("empire", "stay")
    assert len(field.state.at("munich", "coalition")) == 1
    assert the(field.state, "charles").acted
    assert field.where("charles") == "munich"
