"""How the sensible robot raises, gathers, feeds and ships its troops, and which cards it keeps."""

from __future__ import annotations

import random

from pbem.games.nce.orders import Carry, FixDepot, Go, Leave, Mark, Play, PlayEvent, Sail
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment
from pbem.games.nce.questions import Hand
from pbem.games.nce.replies import Assign, Build, Discard, Redeploy
from pbem.games.nce.robot import appraisal, crossings, generalship, muster
from pbem.games.nce.robot.eye import Eye
from pbem.games.nce.robot.sensible import sensible
from pbem.games.nce.rounds import Act
from pbem.games.nce.state import State
from pbem.games.nce.view import view
from tests.games.nce.play import position

MOORE = "coalition londres moore: uk_i_corps, uk_ii_corps"
SQUADRON = {"saumarez": "port:londres", "keith": "port:londres"}


def eye(state: State, side: str) -> Eye:
    return Eye(view(state, side), side)


def act(state: State, seat: str) -> Act:
    return Act(key="a", seat=seat, year=state.year, round=state.round)


def test_an_army_sails_to_where_it_is_wanted() -> None:  # rule 15.7
    state = position(
        forces=[MOORE],
        fleets=SQUADRON,
        active="coalition",
        hands={"coalition": ["22C"], "empire": []},
        events=["25F"],
        year=1809,
    )
    voyages = [plan for plan in crossings.crossings(eye(state, "coalition")) if plan.force == "moore"]
    assert [type(order) for order in voyages[0].orders] == [Sail, Carry, Sail]
    letter = sensible(view(state, "coalition"), act(state, "coalition"), random.Random(1))
    assert Carry(("moore",)) in letter
    assert not act(state, "coalition").check(view(state, "coalition"), letter)


def test_no_army_sails_without_ships_or_to_a_closed_peninsula() -> None:  # rule 10.1.7, 15.7.1
    few = position(forces=[MOORE], fleets={"keith": "port:londres"}, events=["25F"], year=1809)
    assert not list(crossings.crossings(eye(few, "coalition")))
    closed = position(forces=[MOORE], fleets=SQUADRON, year=1806)
    goals = {plan.goal for plan in crossings.crossings(eye(closed, "coalition"))}
    assert "lisbonne" not in goals


def test_a_raider_on_the_line_of_supply_is_driven_off() -> None:  # rule 11.3.4
    forces = [
        "empire vienne napoleon grande_armee: fr_garde, fr_i_corps, fr_ii_corps, fr_iii_corps; subs davout",
        "coalition ulm jean: au_i_corps 1",
        "empire strasbourg marmont: fr_iv_corps, fr_v_corps, fr_vi_corps",
    ]
    state = position(forces=forces, control={"vienne": "empire", "salzbourg": "empire"}, siege={"ulm": 0})
    seen = eye(state, "empire")
    napoleon = state.force_with("napoleon")
    assert napoleon is not None
    assert not seen.feeds(napoleon, "vienne")
    assert "ulm" in seen.cuts
    plans = [plan for plan in generalship.plans(seen) if plan.force == "marmont"]
    assert max(plans, key=lambda plan: plan.value).goal == "ulm"
    state.forces = {id: force for id, force in state.forces.items() if force.general != "jean"}
    state.siege = {}
    assert not eye(state, "empire").cuts


def test_militia_does_not_tie_an_army_down() -> None:  # rule 2.1.6
    forces = [
        "coalition bilbao wellington: uk_i_corps, uk_ii_corps",
        "coalition pampelune: sp_milice_1",
        "coalition burgos: uk_iii_corps",
    ]
    state = position(forces=forces, status={"espagne": "coalition"}, year=1810, phase="redeployment")
    state.flags["war_of_liberation"] = 99999
    moves = Redeployment(key="m", seat="coalition", year=1810)
    moved = {
        order.force
        for order in sensible(view(state, "coalition"), moves, random.Random(1))
        if isinstance(order, Redeploy)
    }
    assert "uk_iii_corps" in moved
    assert "sp_milice_1" not in moved


def test_the_only_corps_of_an_ally_stays_to_keep_it_loyal() -> None:  # rule 9.2.2
    state = position(
        forces=["empire munich: baviere", "empire ulm ney: fr_i_corps, fr_ii_corps"],
        status={"baviere": "ally_france"},
    )
    seen = eye(state, "empire")
    alone = next(force for force in seen.friends if not force.general)
    assert not seen.keeps_faith(alone)
    state.forces = {id: force for id, force in state.forces.items() if force.general != "ney"}
    assert eye(state, "empire").keeps_faith(alone)
    assert not [plan for plan in generalship.plans(eye(state, "empire")) if plan.force == "baviere"]


def test_new_corps_stand_under_a_general_and_some_go_to_naples() -> None:  # rule 6.3.6, 6.3.10
    state = position("1805", set_up=True, year=1806, status={"autriche": "forced_peace"})
    state.phase = "budget"
    state.resources = {"france": 20.0, "espagne": 4.0, "turquie": 4.0}
    state.forces = {id: f for id, f in state.forces.items() if f.general not in ("saint_cyr", "massena")}
    state.units["fr_xi_corps"] = state.units["fr_x_corps"] = state.units["fr_v_corps"] = "pool"
    state.generals["saint_cyr"] = "pool"
    spent = muster.spends(view(state, "empire"), Budget(key="b", seat="empire", year=1806), random.Random(1))
    places = [order.at for order in spent if isinstance(order, Build) and order.unit.startswith("fr_")]
    led = {order.at for order in spent if isinstance(order, Assign)}
    assert "florence" in places
    assert any(places.count(zone) > 1 and zone in led for zone in places)


def test_the_corps_before_naples_are_not_called_to_another_front() -> None:  # rule 6.6, 9.3.2
    state = position(
        year=1810,
        forces=["coalition naples: naples", "empire florence lannes: fr_ii_corps, fr_iii_corps"],
    )
    state.status["naples"] = "ally_angleterre"
    state.beaten["empire"] = {"autriche": 1, "prusse": 1}
    question = Redeployment(key="r", seat="empire", year=1810)
    answer = muster.redeploys(view(state, "empire"), question)
    assert not any(isinstance(order, Redeploy) and order.force == "lannes" for order in answer)
    state.status["naples"] = "ally_france"
    state.forces.pop(next(id for id, force in state.forces.items() if force.name == "naples"))
    answer = muster.redeploys(view(state, "empire"), question)
    assert any(isinstance(order, Redeploy) and order.force == "lannes" for order in answer)


def test_cards_of_victory_are_neither_spent_nor_thrown_away() -> None:  # rule 9.3.1, 9.3.2
    state = position("1805", set_up=True, hands={"empire": ["20F", "45F", "2F"], "coalition": []})
    letter = sensible(view(state, "empire"), act(state, "empire"), random.Random(1))
    assert not {order.card for order in letter if isinstance(order, (Play, PlayEvent))} & {"20F", "45F"}
    thrown = sensible(view(state, "empire"), Hand(key="h", seat="empire", year=1806), random.Random(1))
    assert thrown == (Discard(("2F",)),)


def test_a_march_that_costs_steps_is_not_made_for_little() -> None:  # rule 11.6
    state = position(
        forces=["empire lille napoleon grande_armee: fr_garde, fr_i_corps, fr_ii_corps, fr_iii_corps"]
    )
    seen = eye(state, "empire")
    napoleon = seen.friends[0]
    assert seen.toll(napoleon, "metz", 0, False) == 0
    assert seen.toll(napoleon, "metz", 2, False) > seen.toll(napoleon, "metz", 1, False) > 0
    assert seen.toll(napoleon, "metz", 0, True) > seen.toll(napoleon, "metz", 1, False)
    far = [plan for plan in generalship.plans(seen) if Go(("metz",)) in plan.orders]
    assert all(plan.value < 60 for plan in far)


def test_the_militia_stays_ashore_when_its_army_sails() -> None:  # rule 2.1.6, 15.7.1
    state = position(
        forces=["coalition londres moore: uk_milice_1, uk_i_corps, uk_ii_corps"],
        fleets=SQUADRON,
        active="coalition",
        hands={"coalition": ["22C"], "empire": []},
        events=["25F"],
        year=1809,
    )
    letter = sensible(view(state, "coalition"), act(state, "coalition"), random.Random(1))
    assert Carry(("moore", "uk_i_corps", "uk_ii_corps")) in letter
    assert not act(state, "coalition").check(view(state, "coalition"), letter)


def test_a_general_abroad_leaves_the_militia_that_joined_him() -> None:  # rule 2.1.6
    state = position(
        forces=["coalition bilbao moore: uk_i_corps, sp_milice_1"],
        status={"espagne": "coalition"},
        control={"bayonne": "coalition"},
        events=["24F", "25F"],
        year=1813,
    )
    plans = [plan for plan in generalship.plans(eye(state, "coalition")) if plan.goal == "bayonne"]
    assert plans
    assert all(Leave(("sp_milice_1",)) in plan.orders for plan in plans)


def test_a_fleet_in_another_port_is_called_for_the_army() -> None:  # rule 15.2.1
    state = position(
        forces=[MOORE],
        fleets={"saumarez": "port:portsmouth", "keith": "port:londres"},
        events=["25F"],
        year=1809,
    )
    called = [plan for plan in crossings.crossings(eye(state, "coalition")) if plan.force == "saumarez"]
    assert called
    assert called[0].goal == "londres"


def test_an_open_port_is_taken_with_a_depot_that_the_sea_feeds() -> None:  # rule 11.3.3, 3.2.3
    state = position(
        forces=["coalition bruxelles blucher: pr_i_corps, pr_ii_corps; depots 1"],
        status={"prusse": "coalition"},
        empty=["anvers"],
        year=1813,
    )
    seen = eye(state, "coalition")
    force = seen.friends[0]
    assert not seen.feeds(force, "anvers")
    assert seen.docks(force, "anvers")
    best = max((p for p in generalship.plans(seen) if p.goal == "anvers"), key=lambda plan: plan.value)
    kinds = [type(order) for order in best.orders]
    assert kinds.index(FixDepot) < kinds.index(Mark)
    force.depots = []
    assert not seen.docks(force, "anvers")


def test_a_depot_brings_a_key_zone_that_was_taken_into_supply() -> None:  # rule 3.2.6, 11.3
    state = position(
        forces=[
            "coalition bayonne blake: sp_i_corps, sp_ii_corps; depots 1",
            "coalition bordeaux: uk_i_corps",
        ],
        status={"espagne": "coalition"},
        control={"bordeaux": "coalition", "bayonne": "coalition"},
        empty=["bayonne"],
        events=["19C", "24F"],
        year=1813,
    )
    seen = eye(state, "coalition")
    assert "bordeaux" in seen.starved
    lines = [plan for plan in generalship.plans(seen) if plan.force == "blake" and FixDepot() in plan.orders]
    assert "bayonne" in {plan.goal for plan in lines}


def test_cards_are_spent_when_their_event_can_no_longer_come() -> None:  # rule 9.1.3, 17.2
    bound = position(status={"prusse": "forced_alliance"}, beaten={"empire": {"prusse": 2}}, year=1814)
    free = position(year=1814)
    assert appraisal.treasured(bound, "45C")
    assert not appraisal.treasured(free, "45C")
    assert not appraisal.treasured(free, "20F")
    assert appraisal.treasured(position(year=1810), "20F")


def test_last_blows_wait_for_the_round_that_nobody_can_answer() -> None:  # rule 17.2
    early, late = position(year=1814), position(year=1814)
    early.phase = late.phase = "rounds"
    early.round, late.round = 2, late.last_round
    early.hands["coalition"] = late.hands["coalition"] = ["35C", "42C"]
    assert appraisal.treasured(early, "42C")
    assert not appraisal.treasured(late, "42C")
    assert not appraisal.treasured(position(year=1812), "42C")


def test_a_last_blow_that_finds_trahison_does_not_wait() -> None:  # rule 7.3, 17.2
    state = position(year=1814, hands={"coalition": ["42C", "14C"], "empire": []})
    state.phase, state.round = "rounds", 2
    assert not appraisal.waits(state, "42C")
    assert appraisal.waits(state, "14C")
    state.flags["decheance"] = 18149
    assert appraisal.waits(state, "42C")


def test_a_fetcher_of_the_crown_is_played_before_anything_else() -> None:  # rule 9.3.2
    state = position(hands={"empire": ["39F"], "coalition": []}, year=1811)
    assert appraisal.event_worth(state, "39F") > appraisal.event_worth(state, "25F")
    state.events.append("45F")
    assert appraisal.event_worth(state, "39F") < 10
