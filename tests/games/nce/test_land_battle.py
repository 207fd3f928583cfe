"""12: battle: odds, morale, modifiers, losses, demoralisation, pursuit, rally and retreat."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.nce import charts, command
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.events_field import (
    BattleFought,
    ForceDestroyed,
    MoraleTested,
    Overrun,
    Pursued,
    Rallied,
    Retreated,
    StepsLost,
    WoundTested,
)
from pbem.games.nce.land import aftermath, battle
from pbem.games.nce.state import State
from tests.games.nce.field import Field
from tests.games.nce.play import position, the
from tests.games.nce.test_rules import live

CARD = {"empire": ["4F"], "coalition": []}
GO = "play 4F\nactivate {}\ngo to Munich\nsubordinate nobody"


def fought(
    dice: dict[str, list[int]], *forces: str, who: str = "Davout", more: str = "", **given: Any
) -> Field:
    """An Empire attack from Ulm on Munich."""
    dice = {f"battle/munich/{k}" if k in ("attack", "defence") else k: v for k, v in dice.items()}
    field = Field(dice, hands=given.pop("hands", CARD), forces=list(forces), **given)
    field.order("empire", f"{GO.format(who)}\n{more}".strip())
    if "coalition response" in field.asked():
        field.order("coalition", "stay")
    return field


DAVOUT = "empire ulm davout: fr_viii_corps, fr_ix_corps"
LONE = "coalition munich: au_i_corps"


def test_the_order_of_a_battle() -> None:  # rule 12, 12.1
    field = fought(
        {
            "countermarch/jean/munich": [5],
            "attrition/jean/munich": [1],
            "attack": [6, 6],
            "defence": [1, 1],
            "wound/soult": [2],
            "morale/charles": [6],
            "pursuit/napoleon": [1],
        },
        "empire ulm napoleon grande_armee: fr_viii_corps, fr_ix_corps, fr_x_corps, fr_xi_corps; subs soult",
        "coalition munich charles: au_i_corps, au_ii_corps",
        "coalition salzbourg jean: au_iii_corps, au_iv_corps",
        who="Napoléon",
        more="subordinate Soult",
    )
    field.order("coalition", "countermarch Jean\nretreat to Salzbourg")
    kinds = [type(event).__name__ for event in field.told]
    wanted = [
        "CountermarchTried",
        "AttritionTested",
        "BattleFought",
        "WoundTested",
        "StepsLost",
        "MoraleTested",
        "Pursued",
        "Retreated",
    ]
    rest = iter(kinds)
    assert all(kind in rest for kind in wanted), kinds


def test_at_five_to_one_either_side_is_wholly_destroyed() -> None:  # rule 12.3
    five = fought(
        {},
        "empire ulm ney: fr_i_corps, fr_ii_corps, fr_iii_corps 1",
        "coalition munich: au_i_corps 1",
        who="Ney",
    )
    assert five.events(Overrun)[0].odds == "5/1"
    assert five.where("au_i_corps") == ""
    down = fought(
        {},
        "empire ulm ney: fr_viii_corps 1",
        "coalition munich charles: au_i_corps, au_ii_corps, au_iii_corps 1",
        who="Ney",
    )
    assert down.events(Overrun)[0].odds == "1/5"
    assert down.state.generals["ney"] == "wait"
    half = fought(
        {},
        "empire ulm davout: fr_i_corps, fr_ii_corps, fr_iii_corps, fr_iv_corps 1, fr_v_corps 1, fr_vi_corps 1",
        LONE,
    )
    assert half.events(Overrun)[0].odds == "5/1"


def test_special_units_do_not_count_for_odds() -> None:  # rule 12.3, 12.4, 2.2.3
    field = fought(
        {"attack": [3, 3], "defence": [1, 1]},
        "empire ulm napoleon grande_armee: fr_viii_corps; special cavalerie_garde",
        LONE,
        who="Napoléon",
    )
    assert (field.events(BattleFought)[0].attacking, field.events(BattleFought)[0].size) == (2, "skirmish")


TIED = "empire ulm davout: fr_i_corps, fr_viii_corps"


@pytest.mark.parametrize(("chosen", "lost"), [("", "fr_i_corps"), ("morale 4", "fr_viii_corps")])
def test_on_a_tie_the_player_chooses_the_morale_and_its_units_bear_half(
    chosen: str, lost: str
) -> None:  # rule 12.5.1, 12.9.2
    field = fought(
        {"attack": [1, 1], "defence": [6, 5], "morale/davout": [1]},
        TIED,
        "coalition munich charles: au_i_corps, au_ii_corps",
        more=chosen,
    )
    pieces = field.events(StepsLost)[0].pieces
    assert pieces.count(lost) * 2 >= len(pieces)
    threshold = field.events(MoraleTested)[0].threshold
    assert threshold == (4 if chosen else 5) + 2 - (field.events(BattleFought)[0].suffered)


def test_a_morale_that_is_not_tied_cannot_be_chosen() -> None:  # rule 12.5.1
    field = Field(
        hands={"empire": ["4F"], "coalition": ["24C"]}, forces=[DAVOUT, "coalition munich: au_i_corps"]
    )
    field.order("empire", GO.format("Davout"))
    problem = field.problem("coalition", "morale 5")
    assert (problem.code, problem.rule) == ("no_such_morale", "12.5.1")


def test_the_capital_lost_lowers_morale() -> None:  # rule 12.5.3
    def morale(power: str, *units: str, **control: str) -> int:
        state = position(control=control, forces=[f"coalition brunn: {units[0]}"])
        assert power
        return command.morale(state, [the(state, units[0])])

    assert morale("autriche", "au_i_corps") == 3
    assert morale("autriche", "au_i_corps", vienne="empire") == 2
    full = morale("russie", "ru_i_corps")
    assert morale("russie", "ru_i_corps", moscou="empire") == full
    assert morale("russie", "ru_i_corps", moscou="empire", saint_petersbourg="empire") == full - 1
    spain = position(
        control={"madrid": "empire"}, status={"espagne": "coalition"}, forces=["coalition cadix: sp_i_corps"]
    )
    low = command.morale(spain, [the(spain, "sp_i_corps")])
    spain.flags["war_of_liberation"] = 99999
    assert command.morale(spain, [the(spain, "sp_i_corps")]) == low + 1


def test_losses_look_at_the_morale_as_it_is_now() -> None:  # rule 12.5.3, 12.9.2
    state = position(
        control={"vienne": "empire"},
        forces=["coalition brunn charles: au_i_corps, au_ii_corps, ru_i_corps 1"],
    )
    side = Side(live(state), "defender", [the(state, "charles")])
    side.settle_morale()
    assert side.morale == 2
    assert side.steady("au_i_corps")


@pytest.mark.parametrize(
    ("came", "army", "value"),
    [
        ("nuremberg", "", {"bridge": -1}),
        ("innsbruck", "", {"pass": -1}),
        ("pilsen", "", {"mountain": -2}),
        ("ulm", "", {}),
    ],
)
def test_borders_weigh_on_who_crosses_them(
    came: str, army: str, value: dict[str, int]
) -> None:  # rule 12.6.3
    state = position(forces=[f"empire munich davout {army}: fr_i_corps".replace(" :", ":"), LONE])
    side = Side(live(state), "attacker", [the(state, "davout")], came=came)
    assert {m.name: m.value for m in battle._terrain(side, "munich", came, bridged=False) if m.value} == value


def test_an_army_suffers_less_at_a_river() -> None:  # rule 12.6.3, 2.5.3
    for army, value in (("", -2), (" grande_armee", -1)):
        state = position(forces=[f"empire ulm davout{army}: fr_i_corps"])
        side = Side(live(state), "attacker", [the(state, "davout")], came="nuremberg")
        assert [m.value for m in battle._terrain(side, "ulm", "nuremberg", bridged=False)] == [value]


def test_a_marsh_weighs_on_the_attacker() -> None:  # rule 12.6.3
    field = Field(
        {"battle/mantoue/attack": [3, 3], "battle/mantoue/defence": [1, 1]},
        hands=CARD,
        forces=["empire milan ney: fr_viii_corps", "coalition mantoue: au_i_corps"],
        control={"mantoue": "coalition"},
        empty=["mantoue"],
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Mantoue\nsubordinate nobody")
    assert field.modifiers(BattleFought, name="attacker_modifiers") == {"marsh": -1}


def test_lead_special_units_subordinate_and_cavalry() -> None:  # rule 12.6.2, 12.6.4, 12.6.5, 12.8
    field = fought(
        {"attack": [1, 1], "defence": [6, 6], "wound/soult": [6], "morale/napoleon": [1]},
        "empire ulm napoleon grande_armee: fr_garde, fr_viii_corps, fr_ix_corps; subs soult; special cavalerie_garde",
        "coalition munich charles: au_i_corps, au_ii_corps, au_iii_corps",
        who="Napoléon",
        more="lead with fr_garde\nengage cavalerie_garde\nsubordinate Soult",
    )
    mods = field.modifiers(BattleFought, name="attacker_modifiers")
    assert (mods["commander"], mods["subordinate"], mods["elite_lead"], mods["special_units"]) == (3, 2, 2, 2)
    assert mods["cavalry_superiority"] == 1
    assert field.events(StepsLost)[0].pieces[:2] == ("fr_garde", "cavalerie_garde")
    assert field.events(WoundTested)[0].wounded
    assert field.state.generals["soult"] == "wait"
    assert field.state.specials["cavalerie_garde"] == "pool"


def test_half_of_the_losses_without_those_of_special_units_fall_on_good_units() -> (
    None
):  # rule 12.9.1, 12.9.2
    state = position(
        forces=[
            "empire munich napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_viii_corps; special cavalerie_garde"
        ]
    )
    side = Side(live(state), "attacker", [the(state, "napoleon")])
    side.settle_morale()
    side.engaged, side.loss_order = ("cavalerie_garde",), ("fr_viii_corps",)
    aftermath.allocate(side.desk, side, 3)
    assert the(state, "napoleon").units == {"fr_i_corps": 1, "fr_ii_corps": 2, "fr_viii_corps": 1}


def test_nobody_inflicts_more_than_he_has_steps() -> None:  # rule 12.7.3
    field = fought({"attack": [1, 1], "defence": [6, 6]}, DAVOUT, "coalition munich charles: au_i_corps 1")
    assert field.events(BattleFought)[0].suffered <= 1


@pytest.mark.parametrize(
    ("attack", "defence", "winner"),
    [([1, 2], [1, 1], "coalition"), ([4, 4], [1, 1], "empire"), ([4, 4], [6, 2], "coalition")],
)
def test_a_tie_goes_to_the_only_plus_else_to_the_defender(
    attack: list[int], defence: list[int], winner: str
) -> None:  # rule 12.7.2
    field = fought(
        {"attack": attack, "defence": defence, "morale/ney": [1]},
        "empire ulm ney: fr_viii_corps",
        LONE,
        who="Ney",
    )
    (one,) = field.events(BattleFought)
    assert one.inflicted == one.suffered
    assert one.winner == winner


def test_the_higher_result_wins_before_losses_are_limited() -> None:  # rule 12.7.2, 12.7.3
    """One step that rolls a 2 against a 1 with a plus has won, though it can inflict no more than 1."""
    two, one = charts.battle_result(15, "skirmish"), charts.battle_result(13, "skirmish")
    assert (two.losses, two.plus, one.losses, one.plus) == (2, False, 1, True)
    assert battle.prevails(two, one)
    assert not battle.prevails(one, two)


def test_c_takes_a_step_of_cavalry() -> None:  # rule 12.7.4
    state = position(forces=["coalition munich charles armee_allemagne: au_i_corps, au_ii_corps, au_res_cav"])
    side = Side(live(state), "defender", [the(state, "charles")])
    side.settle_morale()
    aftermath.allocate(side.desk, side, 2, cavalry=True)
    assert the(state, "charles").units["au_res_cav"] == 1


def broken(state: State, *, die: int, loser: str = "charles", losses: tuple[int, int] = (3, 0)) -> Side:
    desk = live(state, {f"test/morale/{loser}": [die], "test/pursuit/napoleon": [1]})
    beaten = Side(desk, "defender", state.at("munich", "coalition"))
    winner = Side(desk, "attacker", state.at("munich", "empire"), came="ulm")
    beaten.other, winner.other = winner, beaten
    beaten.settle_morale()
    beaten.losses, winner.losses = losses
    coroutine = aftermath.follow_up(desk, "munich", winner, beaten, "minor", landing=False)
    with pytest.raises(StopIteration):
        coroutine.send(None)
    return beaten


@pytest.mark.parametrize(("die", "demoralised"), [(1, False), (2, True)])
def test_e41_blucher_beaten_by_three_more(die: int, demoralised: bool) -> None:  # rule 12.10.1
    state = position(
        status={"prusse": "coalition"},
        forces=[
            "coalition munich blucher: pr_i_corps, pr_ii_corps, pr_iii_corps",
            "empire munich napoleon grande_armee: fr_i_corps, fr_ii_corps",
        ],
    )
    assert command.morale(state, state.at("munich", "coalition")) == 3
    broken(state, die=die, loser="blucher")
    assert the(state, "blucher").demoralised == demoralised


def test_no_test_after_a_skirmish() -> None:  # rule 12.10.1
    field = fought({"attack": [6, 6], "defence": [1, 1]}, DAVOUT, "coalition munich mack: au_i_corps")
    assert field.events(BattleFought)[0].size == "skirmish"
    assert not field.events(MoraleTested)


def test_two_armies_are_pursued_by_the_overall_commander_alone() -> None:  # rule 12.10.3, 12.10.4
    state = position(
        forces=[
            "coalition munich charles: au_i_corps, au_ii_corps, au_iii_corps",
            "empire munich napoleon grande_armee: fr_i_corps, fr_res_cav; subs murat",
            "empire munich massena armee_italie: fr_ii_corps",
        ]
    )
    desk = live(state, {"test/pursuit/napoleon": [3]})
    winner = Side(desk, "attacker", state.at("munich", "empire"), came="ulm")
    loser = Side(desk, "defender", state.at("munich", "coalition"))
    winner.other, loser.other = loser, winner
    aftermath._pursue(desk, winner, loser)
    assert desk.table is not None
    (event,) = [told.event for told in desk.table.told if isinstance(told.event, Pursued)]
    assert (event.total, event.losses) == (3 + 3 + 2 + 1, 3)
    assert sum(force.strength for force in state.at("munich", "coalition")) == 3


def test_the_option_of_a_cavalry_screen() -> None:  # rule 12.10.2, 19
    state = position(
        forces=[
            "coalition munich charles armee_allemagne: au_i_corps, au_ii_corps, au_res_cav",
            "empire munich davout: fr_i_corps",
        ]
    )
    state.options["screen"] = "yes"
    desk = live(state, {"test/pursuit/davout": [6]})
    winner = Side(desk, "attacker", state.at("munich", "empire"), came="ulm")
    loser = Side(desk, "defender", state.at("munich", "coalition"))
    winner.other, loser.other = loser, winner
    aftermath._pursue(desk, winner, loser)
    assert the(state, "charles").strength == 6


def test_depots_go_first_in_a_pursuit_unless_ordered_otherwise() -> None:  # rule 12.10.2
    for order, depots, steps in (((), 0, 2), (("au_i_corps",), 1, 1)):
        state = position(forces=["coalition munich mack: au_i_corps; depots 1"])
        side = Side(live(state), "defender", [the(state, "mack")])
        side.loss_order = order
        aftermath.lose_freely(side.desk, side, 1, "12.10.2")
        assert (len(the(state, "mack").depots), the(state, "mack").strength) == (depots, steps)


def test_demoralised_again_is_destroyed_of_two_armies_each_on_its_own() -> None:  # rule 12.11.3, 12.11.1
    state = position(
        forces=[
            "coalition munich charles armee_allemagne: au_i_corps, au_ii_corps",
            "coalition munich koutouzov iere_armee demoralised: ru_i_corps",
            "empire munich napoleon grande_armee: fr_i_corps, fr_ii_corps",
        ]
    )
    lead = command.lead(state.at("munich", "coalition")).general
    broken(state, die=6, loser=lead)
    assert state.force_with("koutouzov") is None
    assert the(state, "charles").demoralised


def test_stacking_with_the_demoralised_demoralises() -> None:  # rule 12.11.1
    field = Field(
        hands=CARD, forces=["empire ulm davout: fr_i_corps", "empire munich demoralised: fr_ii_corps"]
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich")
    assert the(field.state, "davout").demoralised


def test_a_victory_rallies() -> None:  # rule 12.11.6
    field = fought(
        {"attack": [6, 6], "defence": [1, 1]}, DAVOUT.replace("davout:", "davout demoralised:"), LONE
    )
    assert field.modifiers(BattleFought, name="attacker_modifiers")["demoralised"] == -1
    assert not the(field.state, "davout").demoralised
    crushed = fought(
        {},
        "empire ulm davout demoralised: fr_i_corps, fr_ii_corps, fr_iii_corps",
        "coalition munich: au_i_corps 1",
    )
    assert crushed.events(Overrun)
    assert not the(crushed.state, "davout").demoralised


def test_rally_two_points_a_try() -> None:  # rule 12.11.5
    field = Field(
        {"rally/mack": [4], "attrition/mack/vienne": [1]},
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=["coalition salzbourg mack demoralised: au_i_corps, au_ii_corps"],
    )
    problem = field.problem("coalition", "play 22C\nactivate Mack\ngo to Vienne\ngo to Presbourg\nrally")
    assert (problem.code, problem.rule) == ("not_enough_points", "12.11.5")
    field = Field(
        {"rally/mack": [4]},
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=["coalition salzbourg mack demoralised: au_i_corps, au_ii_corps"],
    )
    field.order("coalition", "play 22C\nactivate Mack\nrally up to 2 times\ngo to Vienne")
    assert [event.success for event in field.events(Rallied)] == [False]
    assert field.where("mack") == "vienne"


def loser_at(state: State, zone: str, came: str = "ulm", role: str = "defender") -> Side:
    desk = live(state)
    loser = Side(desk, role, state.at(zone, "coalition"), came=came if role == "attacker" else "")
    winner = Side(desk, "attacker" if role == "defender" else "defender", state.at(zone, "empire"), came=came)
    loser.other = winner
    return loser


def test_classes_of_retreat() -> None:  # rule 12.12.2, 12.12.3
    forces = [
        "coalition salzbourg charles: au_i_corps, au_ii_corps, au_iii_corps",
        "empire salzbourg davout: fr_i_corps",
    ]
    closed = dict.fromkeys(("vienne", "innsbruck", "klagenfurt"), "empire")
    guards = ["empire graz: fr_ii_corps", "empire pilsen: fr_iii_corps 1"]
    state = position(forces=forces)
    assert aftermath.retreat_goal(state, loser_at(state, "salzbourg", "munich"), "salzbourg")[0] != "munich"
    state = position(forces=[*forces, *guards], control=closed)
    assert aftermath.retreat_goal(state, loser_at(state, "salzbourg", "munich"), "salzbourg") == (
        "salzbourg",
        True,
    )
    state = position(forces=[*forces, *guards], control={**closed, "salzbourg": "empire"}, empty=["vienne"])
    assert aftermath.retreat_goal(state, loser_at(state, "salzbourg", "munich"), "salzbourg") == (
        "vienne",
        False,
    )
    state = position(forces=[*forces, *guards], control={**closed, "salzbourg": "empire"})
    assert aftermath.retreat_goal(state, loser_at(state, "salzbourg", "munich"), "salzbourg") == (
        "pilsen",
        False,
    )
    state = position(
        forces=[*forces, guards[0], "empire pilsen: fr_iii_corps"], control={**closed, "salzbourg": "empire"}
    )
    assert aftermath.retreat_goal(state, loser_at(state, "salzbourg", "munich"), "salzbourg") == ("", False)


def test_who_is_overrun_in_a_retreat_is_destroyed() -> None:  # rule 12.12.2
    state = position(
        forces=[
            "coalition salzbourg charles: au_i_corps, au_ii_corps, au_iii_corps",
            "empire salzbourg davout: fr_i_corps",
            "empire pilsen: fr_iii_corps 1",
        ],
        control={"salzbourg": "empire"},
    )
    loser = loser_at(state, "salzbourg", "munich")
    aftermath.retreat(loser.desk, loser, "salzbourg", "pilsen", False, 1)
    assert state.force_with("fr_iii_corps") is None
    assert (the(state, "charles").zone, the(state, "charles").strength) == ("pilsen", 5)


def test_a_beaten_attacker_goes_back_over_the_river_and_loses_one_more() -> None:  # rule 12.12.1, 12.12.4
    field = Field(
        {
            "attrition/charles/ulm": [1],
            "star/charles/ulm": [1],
            "battle/ulm/attack": [1, 1],
            "battle/ulm/defence": [4, 4],
            "morale/charles": [1],
        },
        side="coalition",
        hands={"empire": [], "coalition": ["22C"]},
        forces=[
            "coalition nuremberg charles: au_i_corps, au_ii_corps, au_iii_corps",
            "empire ulm: fr_viii_corps",
        ],
    )
    field.order("coalition", "play 22C\nactivate Charles\ngo to Ulm\nsubordinate nobody\nlosses au_i_corps")
    field.order("empire", "stay")
    (one,) = field.events(BattleFought)
    assert field.events(Retreated)[0].to == "nuremberg"
    assert field.steps("charles") == 6 - one.suffered - 1
    assert field.events(MoraleTested)[0].threshold == 3 + 1 - (one.suffered + 1 - one.inflicted)


def test_nowhere_to_go_is_the_end_of_a_force() -> None:  # rule 12.12.3
    field = fought(
        {"attack": [4, 4], "defence": [1, 1]},
        DAVOUT,
        "coalition munich mack: au_i_corps",
        "empire nuremberg: fr_x_corps",
        "empire pilsen: fr_xi_corps",
        control={"salzbourg": "empire", "innsbruck": "empire", "munich": "coalition"},
    )
    assert field.events(ForceDestroyed)
    assert field.state.generals["mack"] == "wait"


@pytest.mark.parametrize(
    ("line", "code", "rule"),
    [
        ("lead with fr_viii_corps", "cannot_lead", "12.6.4"),
        ("engage cavalerie_garde", "no_such_special", "12.6.4"),
        ("subordinate Soult", "no_such_subordinate", "12.6.5"),
        ("countermarch Jean", "cannot_countermarch", "12.2.1"),
        ("countermarch Murat", "name_his_units", "12.2.1"),
    ],
)
def test_a_letter_prepares_only_what_can_be(line: str, code: str, rule: str) -> None:  # rule 12.6.4, 12.6.5
    field = Field(
        hands=CARD,
        forces=[
            DAVOUT,
            "empire nuremberg napoleon grande_armee: fr_i_corps, fr_ii_corps; subs murat",
            "coalition munich charles: au_i_corps",
        ],
    )
    problem = field.problem("empire", f"{GO.format('Davout')}\n{line}")
    assert (problem.code, problem.rule, problem.order) == (code, rule, 4)
