"""13, 16.1: fortresses and sieges, what covers them, relief and capture; 3.2: control."""

from __future__ import annotations

import pytest

from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import (
    AttritionTested,
    BattleFought,
    ControlTaken,
    EnteredFortress,
    ForcesJoined,
    FortressActive,
    FortressTaken,
    Retreated,
    SiegeLaid,
    SiegeRaised,
    SiegeTried,
)
from pbem.games.nce.land import siege, supply
from pbem.games.nce.orders import Garrison
from pbem.games.nce.powers import conquest
from pbem.games.nce.powers.income import open_budgets
from pbem.kernel.plan import rehearse
from tests.games.nce.field import Field
from tests.games.nce.play import position, the
from tests.games.nce.test_rules import live

CARD = {"empire": ["4F"], "coalition": []}
AT_MUNICH = {"munich": "empire"}
NEY = "empire munich ney: fr_i_corps, fr_ii_corps"
GO = "play 4F\nactivate Ney\ngo to Salzbourg\n"


def test_twice_the_level_besieges() -> None:  # rule 13.1.1, 13.2.1
    state = position()
    assert (siege.steps_needed(state, "salzbourg"), siege.steps_needed(state, "mantoue")) == (2, 4)
    few = Field(hands=CARD, control=AT_MUNICH, forces=["empire munich ney: fr_i_corps 1"])
    problem = few.problem("empire", GO + "siege")
    assert (problem.code, problem.rule, problem.params["needed"]) == ("too_few_besiegers", "13.2.1", 2)
    few.order("empire", GO)
    assert not few.state.siege
    assert few.where("ney") == "salzbourg"


def test_an_attempt_costs_a_point_and_raises_the_marker_to_three_at_most() -> None:  # rule 13.2.2, 13.2.4
    field = Field(
        {f"siege/salzbourg{n}": [2] for n in ("", "/2", "/3")},
        hands=CARD,
        control=AT_MUNICH,
        forces=[NEY],
    )
    field.order("empire", GO + "siege up to 6 times")
    assert [event.marker for event in field.events(SiegeTried)] == [1, 2, 3]
    assert [event.total for event in field.events(SiegeTried)] == [2, 3, 4]
    again = Field(
        {"siege/salzbourg": [2], "siege/salzbourg/2": [3]},
        hands=CARD,
        control=AT_MUNICH,
        forces=["empire salzbourg ney: fr_i_corps, fr_ii_corps"],
        siege={"salzbourg": 3},
    )
    again.order("empire", "play 4F\nactivate Ney\nsiege up to 2 times")
    assert [(event.total, event.result) for event in again.events(SiegeTried)] == [
        (5, "stable"),
        (6, "honneurs"),
    ]


def test_the_modifiers_of_an_attempt() -> None:  # rule 13.2.3
    state = position(
        forces=[
            "empire mantoue napoleon grande_armee: fr_i_corps, fr_ii_corps",
            "coalition mantoue charles inside: au_i_corps",
        ],
        control={"mantoue": "coalition"},
        siege={"mantoue": 2},
    )
    found = {m.name: m.value for m in siege.modifiers(state, the(state, "napoleon"), "mantoue")}
    assert found == {"besieger_value": 3, "besieged_value": -2, "army": 1, "citadel": -2, "siege_marker": 2}
    lone = position(forces=["empire salzbourg: fr_i_corps"])
    assert not siege.modifiers(lone, the(lone, "fr_i_corps"), "salzbourg")


def test_enemies_outside_bar_a_siege() -> None:  # rule 13.2.1
    state = position(forces=["empire salzbourg ney: fr_i_corps", "coalition salzbourg: au_i_corps"])
    assert not siege.lay(live(state), the(state, "ney"))


def test_a_won_battle_gives_one_free_attempt() -> None:  # rule 13.2.2
    field = Field(
        {
            "battle/salzbourg/attack": [6, 6],
            "battle/salzbourg/defence": [1, 1],
            "siege/salzbourg": [1],
            "siege/salzbourg/2": [2],
            "siege/salzbourg/3": [1],
        },
        round=5,
        hands=CARD,
        control=AT_MUNICH,
        forces=["empire munich soult: fr_viii_corps, fr_ix_corps", "coalition salzbourg: au_i_corps"],
    )
    field.order("empire", "play 4F\nactivate Soult\ngo to Salzbourg\nsubordinate nobody\nsiege up to 6 times")
    field.order("coalition", "stay")
    assert [event.marker for event in field.events(SiegeTried)] == [1, 2, 3]


def test_repulsed_besiegers_lose_a_step_and_withdraw_when_too_few() -> None:  # rule 13.2.5, 13.3.1
    field = Field(
        {"siege/salzbourg": [1]}, hands=CARD, control=AT_MUNICH, forces=["empire munich ney: fr_viii_corps"]
    )
    field.order("empire", GO + "siege\nretreat to Pilsen")
    assert field.events(SiegeRaised)
    assert field.events(Retreated)[0].to == "munich"
    assert field.steps("ney") == 1
    enough = Field({"siege/salzbourg": [1]}, hands=CARD, control=AT_MUNICH, forces=[NEY])
    enough.order("empire", GO + "siege")
    assert (enough.where("ney"), enough.state.siege) == ("salzbourg", {"salzbourg": 1})


def test_honours_send_the_garrison_home_with_its_depots() -> None:  # rule 13.2.5, 6.3.13
    field = Field(
        {"siege/salzbourg": [6]},
        hands=CARD,
        control=AT_MUNICH,
        forces=[
            "empire salzbourg ney: fr_i_corps",
            "coalition salzbourg mack inside: au_i_corps 1; depots 1",
        ],
        siege={"salzbourg": 0},
    )
    field.order("empire", "play 4F\nactivate Ney\nsiege")
    assert field.events(FortressTaken)[0].result == "honneurs"
    state = field.state
    assert state.returning == {"au_i_corps": 1, "depot:autriche": 1}
    assert (state.units["au_i_corps"], state.generals["mack"]) == ("wait", "wait")
    at_home = position(forces=["coalition vienne charles armee_allemagne: au_ii_corps"])
    at_home.returning = {"au_i_corps": 1, "depot:autriche": 1}
    at_home.units["au_i_corps"] = "wait"
    open_budgets(live(at_home))
    assert the(at_home, "charles").depots == ["autriche"]
    assert the(at_home, "au_i_corps").units["au_i_corps"] == 1


def test_a_breach_destroys_the_garrison() -> None:  # rule 13.2.5
    field = Field(
        {"siege/salzbourg": [6]},
        hands=CARD,
        control=AT_MUNICH,
        forces=["empire salzbourg massena: fr_i_corps", "coalition salzbourg: au_i_corps"],
        siege={"salzbourg": 0},
    )
    the(field.state, "au_i_corps").inside = True
    field.order("empire", "play 4F\nactivate Masséna\nsiege")
    assert field.events(FortressTaken)[0].result == "breche"
    assert field.state.units["au_i_corps"] == "pool"
    assert not field.state.returning


def test_who_takes_the_besiegers_over_keeps_the_marker() -> None:  # rule 13.2.6
    field = Field(
        {"siege/salzbourg": [1]},
        hands=CARD,
        control=AT_MUNICH,
        forces=["empire munich massena: fr_i_corps", "empire salzbourg ney: fr_ii_corps"],
        siege={"salzbourg": 2},
    )
    field.order("empire", "play 4F\nactivate Masséna\ngo to Salzbourg\ntake\nsiege")
    assert field.events(SiegeTried)[0].total == 1 + 2 + 2
    assert field.steps("massena") == 4


def test_a_besieged_fortress_neither_feeds_nor_helps() -> None:  # rule 13.2.7
    state = position(siege={"salzbourg": 0})
    network = supply.Network(state, "coalition", "autriche")
    assert not network.is_source("salzbourg")
    assert not network.is_relay("salzbourg")


def test_the_rest_goes_on_while_some_cover_and_those_do_not_attempt() -> None:  # rule 13.1.3
    field = Field(
        hands=CARD,
        control=AT_MUNICH,
        forces=["empire munich napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_iii_corps; subs davout"],
    )
    text = "play 4F\nactivate Napoléon\ngo to Salzbourg\nleave Davout, fr_iii_corps\ngo to Graz\n"
    field.order("empire", text)
    assert field.state.siege == {"salzbourg": 0}
    assert [event.force for event in field.events(SiegeLaid)] == ["davout"]
    assert the(field.state, "davout").covering


def test_old_besiegers_are_cover_enough_and_may_still_attempt() -> None:  # rule 13.1.3
    field = Field(
        {"siege/salzbourg": [2]},
        hands=CARD,
        control=AT_MUNICH,
        forces=["empire munich massena: fr_i_corps", "empire salzbourg davout: fr_ii_corps"],
        siege={"salzbourg": 0},
    )
    field.order("empire", "play 4F\nactivate Masséna\ngo to Salzbourg, Graz\nactivate Davout\nsiege")
    assert field.where("massena") == "graz"
    assert field.events(SiegeTried)


def test_the_besieger_may_leave_deeper_and_is_not_intercepted_by_the_besieged() -> (
    None
):  # rule 13.3.3, 10.3.7
    field = Field(
        hands={"empire": ["4F"], "coalition": ["22C"]},
        control=AT_MUNICH,
        forces=["empire salzbourg ney: fr_i_corps", "coalition salzbourg charles inside: au_i_corps"],
        siege={"salzbourg": 1},
    )
    field.order("empire", "play 4F\nactivate Ney\ngo to Graz")
    assert field.asked() == ["coalition act"]
    assert not field.state.siege
    assert not the(field.state, "charles").inside


RELIEF = [
    "coalition vienne charles: au_ii_corps, au_iii_corps",
    "coalition salzbourg mack inside: au_i_corps",
    "empire salzbourg ney: fr_viii_corps, fr_ix_corps",
]
RELIEVE = "play 22C\nactivate Charles\ngo to Salzbourg\nsubordinate nobody"
HANDS = {"empire": [], "coalition": ["22C"]}


def test_relief_the_besieged_take_no_part_and_join_afterwards() -> None:  # rule 13.3.2
    field = Field(
        {"battle/salzbourg/attack": [6, 6], "battle/salzbourg/defence": [1, 1], "morale/ney": [1]},
        side="coalition",
        hands=HANDS,
        control=AT_MUNICH,
        forces=RELIEF,
        siege={"salzbourg": 2},
    )
    field.order("coalition", RELIEVE).order("empire", "stay")
    assert field.events(BattleFought)[0].attacking == 4
    assert not field.state.siege
    assert field.state.generals["mack"] == "wait"
    assert field.steps("charles") == 6


def test_relief_beaten_off_leaves_the_siege() -> None:  # rule 13.3.2
    field = Field(
        {"battle/salzbourg/attack": [1, 1], "battle/salzbourg/defence": [6, 6], "morale/charles": [1]},
        side="coalition",
        hands=HANDS,
        control=AT_MUNICH,
        forces=RELIEF,
        siege={"salzbourg": 2},
    )
    field.order("coalition", RELIEVE).order("empire", "stay")
    assert field.state.siege == {"salzbourg": 2}
    assert the(field.state, "mack").inside


def test_a_besieger_who_wins_but_is_too_weak_lifts_the_siege() -> None:  # rule 13.3.1, 13.3.2
    field = Field(
        {"battle/salzbourg/attack": [5, 5], "battle/salzbourg/defence": [6, 6]},
        side="coalition",
        hands=HANDS,
        control=AT_MUNICH,
        forces=[
            "coalition vienne charles: au_ii_corps",
            "coalition salzbourg mack inside: au_i_corps",
            "empire salzbourg ney: fr_viii_corps",
        ],
        siege={"salzbourg": 2},
    )
    field.order("coalition", RELIEVE).order("empire", "stay")
    (one,) = field.events(BattleFought)
    assert (one.winner, one.inflicted) == ("empire", 1)
    assert field.events(SiegeRaised)
    assert field.where("ney") == "munich"
    assert not the(field.state, "mack").inside


def test_a_fortress_taken_gives_the_marker_and_lies_empty() -> None:  # rule 13.4.1, 13.2.0, 3.2.3
    field = Field({"siege/salzbourg": [6]}, hands=CARD, control=AT_MUNICH, forces=[NEY])
    field.order("empire", GO + "siege")
    if "empire garrisoning" in field.asked():
        field.order("empire", "nothing")
    assert field.state.control["salzbourg"] == "empire"
    assert field.state.fortress("salzbourg") == 0
    assert not supply.Network(field.state, "empire", "france").is_relay("salzbourg")


@pytest.mark.parametrize(("by", "steps", "depots"), [("depot", 4, 0), ("step", 3, 1)])
def test_a_depot_or_a_step_reactivates_it_at_once(by: str, steps: int, depots: int) -> None:  # rule 13.4.2
    field = Field({"siege/salzbourg": [6]}, hands=CARD, control=AT_MUNICH, forces=[f"{NEY}; depots 1"])
    field.order("empire", GO + f"siege\ngarrison with {by}")
    assert field.events(FortressActive)
    assert (field.steps("ney"), len(the(field.state, "ney").depots)) == (steps, depots)
    assert supply.Network(field.state, "empire", "france").is_relay("salzbourg")


def test_a_garrison_needs_a_depot_or_a_step_to_spare() -> None:  # rule 13.4.2, 2.4.3
    field = Field(hands=CARD, control=AT_MUNICH, forces=[NEY])
    problem = field.problem("empire", GO + "siege\ngarrison with depot")
    assert (problem.code, problem.rule, problem.nearest) == ("no_depot", "13.4.2", (Garrison("step"),))
    last = Field(
        hands=CARD,
        control={"salzbourg": "empire", **AT_MUNICH},
        empty=["salzbourg"],
        forces=["empire salzbourg ney: fr_i_corps 1"],
    )
    assert last.problem("empire", "play 4F\nactivate Ney\ngarrison with step").code == "no_step_to_spare"


def test_the_end_of_activations_free_attempts_then_attrition() -> None:  # rule 13.2.2, 13.4.3, 16.1.2, 16.1.3
    dice = {"1805/end/siege/salzbourg": [2], "1805/end/attrition/mack/salzbourg": [6]}
    field = Field(
        side="coalition",
        round=6,
        control={"vienne": "empire", **AT_MUNICH},
        empty=["vienne"],
        forces=["empire salzbourg ney: fr_viii_corps", "coalition salzbourg mack inside: au_i_corps"],
        siege={"salzbourg": 1},
    )
    field.game.table.chance.rolls.update(dice)  # type: ignore[attr-defined]
    field.order("coalition", "pass")
    assert field.events(SiegeTried)[0].total == 2 + 1
    assert field.modifiers(AttritionTested) == {"unsupplied": 3, "besieged": 2, "national_territory": -2}


def test_into_the_fortress_without_a_die_even_alone() -> None:  # rule 10.4.2, 13.1.2
    field = Field(hands=CARD, control=AT_MUNICH, forces=[NEY, "coalition salzbourg: au_i_corps"])
    field.order("empire", GO).order("coalition", "into fortress")
    assert field.events(EnteredFortress)
    assert field.state.siege == {"salzbourg": 0}


def test_control_by_a_point_only_in_supply_and_without_fortress() -> None:  # rule 3.2.3, 10.1.8
    field = Field(hands=CARD, control={"munich": "coalition"}, forces=["empire ulm ney: fr_i_corps"])
    field.order("empire", "play 4F\nactivate Ney\ngo to Munich\ntake control")
    assert field.events(ControlTaken)
    far = Field(hands=CARD, forces=["empire koniggratz ney: fr_i_corps"])
    assert far.problem("empire", "play 4F\nactivate Ney\ngo to Brunn\ntake control").code == "unsupplied"
    free = Field(hands=CARD, forces=["empire ulm ney: fr_i_corps"])
    assert (
        free.problem("empire", "play 4F\nactivate Ney\ngo to Nuremberg\ntake control").code
        == "nothing_to_control"
    )


def test_stacks_that_cannot_be_one_are_cut_to_one() -> None:  # rule 4.1.1, 13.3.2
    field = Field(
        side="coalition",
        hands=HANDS,
        control=AT_MUNICH,
        forces=["coalition salzbourg: au_i_corps", "coalition vienne charles: au_ii_corps"],
    )
    field.order("coalition", "play 22C\nactivate Charles\ngo to Salzbourg")
    assert field.events(ForcesJoined)[0].lost == ()
    assert field.steps("charles") == 4


def test_a_fortress_that_is_not_besieged_lets_its_force_out() -> None:  # rule 13.2.1, 13.2.7
    field = Field(
        side="coalition",
        hands=HANDS,
        control=AT_MUNICH,
        forces=["coalition salzbourg mack inside: au_i_corps", "empire salzbourg: fr_viii_corps 1"],
    )
    field.order("coalition", "play 22C\nactivate Mack\ngo to Vienne")
    assert field.where("mack") == "vienne"
    assert not the(field.state, "mack").inside


def test_a_siege_ends_when_the_owner_of_the_fortress_leaves_the_war() -> None:  # rule 13.3.1, 16.1.2
    field = Field(
        hands={"empire": [], "coalition": []},
        round=6,
        side="coalition",
        forces=["empire rome saint_cyr: fr_xi_corps"],
        siege={"rome": 1},
        status={"autriche": "forced_peace", "papaute": "ally_autriche"},
    )
    assert field.state.controller("rome") == "peace"
    field.order("coalition", "pass")
    assert not field.state.siege
    assert not field.events(SiegeTried)
    assert field.where("saint_cyr") == "rome"


def test_at_the_year_s_end_a_besieger_in_supply_leads_the_attempt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # rule 13.2.2, 16.1.2
    state = position(
        set_up=True,
        clear=["ulm"],
        control={"ulm": "empire"},
        siege={"ulm": 1},
        forces=[
            "coalition ulm charles armee_allemagne: au_i_corps, au_ii_corps",
            "coalition ulm: au_iii_corps",
        ],
        hands={"empire": [], "coalition": []},
    )
    the(state, "charles").unsupplied = True
    monkeypatch.setattr(supply, "check_all", lambda state: [])
    rehearse(conquest.end_of_activations(Desk(state, None, "test")))
    assert state.controller("ulm") == "coalition"
