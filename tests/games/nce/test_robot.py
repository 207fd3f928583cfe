"""The sensible robot plays both sides, every phase, to win."""

from __future__ import annotations

import dataclasses
import random

import pytest

from pbem.bench import robots
from pbem.games.nce import RULES
from pbem.games.nce.charts import read
from pbem.games.nce.orders import Activate, Besiege, Go, Negotiate, PickUp, Play, PlayEvent
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment, Talks
from pbem.games.nce.questions import Terms, War
from pbem.games.nce.replies import Annex, Declare, Done, FreeTalk, Redeploy, Restore
from pbem.games.nce.robot import appraisal, generalship
from pbem.games.nce.robot.sensible import sensible
from pbem.games.nce.rounds import Act
from pbem.games.nce.score import on_points
from pbem.games.nce.view import view
from tests.games.nce.play import new, play_out, position

GRANDE_ARMEE = (
    "empire munich napoleon grande_armee: fr_garde, fr_i_corps, fr_ii_corps, fr_iii_corps, fr_iv_corps; "
    "subs davout, soult; depots 2"
)


def act(seat: str = "empire") -> Act:
    return Act(key="a", seat=seat, year=1805, round=3)


def test_it_takes_more_than_a_robot_without_a_plan() -> None:
    taken = {"sensible": 0, "random": 0}
    for seed in range(5):
        for robot in taken:
            game = new(seed, "1815")
            play_out(game, {"empire": "random", "coalition": robot}, seed)
            taken[robot] += sum(side == "coalition" for side in game.state.control.values())
    assert taken["sensible"] > taken["random"]


@pytest.mark.parametrize("seed", range(3))
def test_it_beats_a_robot_without_a_plan(seed: int) -> None:
    game = new(seed, "1815")
    play_out(game, {"empire": "sensible", "coalition": "random"}, seed)
    assert game.state.winner == "empire"


def test_an_army_marches_on_the_key_zone_and_besieges_it() -> None:
    state = position(
        hands={"empire": ["4F"], "coalition": []}, forces=[GRANDE_ARMEE.replace("munich", "salzbourg")]
    )
    state.control["salzbourg"] = "empire"
    letter = sensible(view(state, "empire"), act(), random.Random(1))
    assert not act().check(view(state, "empire"), letter)
    assert Go(("vienne",)) in letter
    assert any(isinstance(order, Besiege) for order in letter)


def test_it_does_not_attack_who_is_stronger_and_gathers_before_it_does() -> None:
    weak = position(
        hands={"empire": ["4F"], "coalition": []},
        forces=[
            GRANDE_ARMEE,
            "coalition nuremberg mack: au_i_corps",
            "coalition salzbourg charles: au_ii_corps",
        ],
    )
    plans = generalship.plans(generalship.Eye(view(weak, "coalition"), "coalition"))
    assert not any(plan.fights for plan in plans)
    near = position(
        hands={"empire": ["4F"], "coalition": []},
        forces=[
            GRANDE_ARMEE,
            "empire ulm ney: fr_v_corps, fr_vi_corps",
            "coalition salzbourg mack: au_i_corps",
        ],
    )
    gathered = [
        plan
        for plan in generalship.plans(generalship.Eye(view(near, "empire"), "empire"))
        if plan.force == "napoleon"
    ]
    assert any(PickUp(("ney",)) in plan.orders for plan in gathered)


def test_a_key_zone_in_danger_is_not_left() -> None:
    state = position(
        forces=[
            "coalition vienne charles: au_i_corps, au_ii_corps",
            GRANDE_ARMEE.replace("munich", "salzbourg"),
        ]
    )
    state.control["salzbourg"] = "empire"
    plans = generalship.plans(generalship.Eye(view(state, "coalition"), "coalition"))
    assert not any(
        isinstance(order, Go) for plan in plans if plan.force == "charles" for order in plan.orders
    )


def test_a_depot_is_left_on_the_way_where_supply_would_end() -> None:
    state = position(hands={"empire": ["4F"], "coalition": []}, forces=[GRANDE_ARMEE])
    eye = generalship.Eye(view(state, "empire"), "empire")
    force = eye.friends[0]
    assert not eye.feeds(force, "pilsen")
    assert generalship._stage(eye, force, "pilsen") == "nuremberg"
    assert generalship._stage(eye, force, "prague") == ""
    force.depots = []
    assert generalship._stage(eye, force, "pilsen") == ""


def test_forces_of_a_campaign_attack_together() -> None:
    forces = [
        "coalition ulm charles armee_allemagne: au_i_corps, au_ii_corps, au_iii_corps, au_iv_corps",
        "coalition salzbourg jean: au_v_corps, au_vi_corps, au_vii_corps",
        "empire munich marmont: fr_i_corps, fr_ii_corps",
    ]
    state = position(hands={"coalition": ["14C"], "empire": []}, forces=forces)
    worth, orders = generalship.together(generalship.Eye(view(state, "coalition"), "coalition"))
    assert worth > 0
    assert {order.force for order in orders if isinstance(order, Activate)} == {"charles", "jean"}


def test_the_spanish_adventure_waits_for_its_reward() -> None:
    state = position("1805", set_up=True)
    assert appraisal.event_worth(state, "24F") == 0
    state.events.append("20F")
    assert appraisal.event_worth(state, "24F") > 10


def test_the_interphase_is_played() -> None:
    state = position(
        "1805",
        set_up=True,
        year=1806,
        hands={
            "empire": ["4F", "5F", "9F", "14F", "2F", "3F", "6F", "12F"],
            "coalition": ["49C", "22C", "1C"],
        },
    )
    state.phase = "war"
    whim = random.Random(1)
    empire, coalition = view(state, "empire"), view(state, "coalition")
    war = War(key="w", seat="empire", year=1806)
    assert sensible(empire, war, whim) in ((Done(),), (Declare("prusse"),))
    talks = Talks(key="t", seat="coalition", year=1806)
    assert not talks.check(coalition, sensible(coalition, talks, whim))
    state.resources = {"france": 14.0, "espagne": 4.0, "turquie": 4.0}
    budget = Budget(key="b", seat="empire", year=1806)
    spent = sensible(view(state, "empire"), budget, whim)
    assert any(isinstance(order, Restore) for order in spent)
    moves = Redeployment(key="m", seat="empire", year=1806)
    assert any(isinstance(order, Redeploy) for order in sensible(empire, moves, whim))
    terms = sensible(empire, Terms(key="p", seat="empire", power="autriche", most=3), whim)
    assert Annex("tyrol", "baviere") in terms


def test_cards_that_promise_more_are_kept() -> None:
    state = position("1805", set_up=True, hands={"empire": ["38F", "4F"], "coalition": []})
    assert appraisal.price(state, "38F") > appraisal.price(state, "4F")
    letter = sensible(view(state, "empire"), act(), random.Random(2))
    assert isinstance(letter[0], (Play, PlayEvent))
    assert "38F" not in [order.card for order in letter if isinstance(order, Play)]


def test_what_a_broken_peace_gives_is_used_on_a_beaten_power_first() -> None:  # rule 9.1.3
    state = position("1805", set_up=True, year=1809, hands={"empire": [], "coalition": ["35C"]})
    state.phase, state.status["prusse"] = "diplomacy", "forced_alliance"
    state.beaten["empire"]["prusse"] = 2
    state.free_talks["coalition"] = 3
    talks = Talks(key="t", seat="coalition", year=1809)
    letter = sensible(view(state, "coalition"), talks, random.Random(1))
    assert not talks.check(view(state, "coalition"), letter)
    assert letter[0] == FreeTalk("prusse")
    assert sum(isinstance(order, FreeTalk) for order in letter) == 3


def test_a_great_power_is_courted_before_a_small_event_is_played() -> None:  # rule 9.2
    hand = ["37C", "52C", "1C", "14C", "16C", "39C", "42C", "48C"]
    state = position("1805", set_up=True, year=1811, hands={"empire": [], "coalition": hand})
    state.phase, state.period = "diplomacy", "chatiments"
    state.beaten["empire"]["prusse"] = 1
    letter = sensible(view(state, "coalition"), Talks(key="t", seat="coalition", year=1811), random.Random(1))
    assert isinstance(letter[0], Negotiate)
    assert letter[0].country == "prusse"


@pytest.mark.parametrize(
    ("card", "year", "kept"), [("35C", 1813, True), ("35C", 1808, False), ("5C", 1813, False)]
)
def test_trahison_is_kept_for_the_end(card: str, year: int, kept: bool) -> None:
    state = position("1805", set_up=True, year=year, hands={"empire": [], "coalition": [card]})
    state.period = "chatiments" if year > 1810 else "epopee"
    assert appraisal.treasured(state, card) is kept


@pytest.mark.parametrize(("holder", "worth"), [("coalition", appraisal.DECISIVE), ("empire", 0.0)])
def test_in_the_last_round_trahison_decides_with_paris(holder: str, worth: float) -> None:  # rule 17.2
    state = position("1805", set_up=True, year=1814, hands={"empire": [], "coalition": ["35C"]})
    state.period, state.phase, state.round = "chatiments", "rounds", state.last_round
    if holder == "coalition":
        state.control["paris"] = "coalition"
    assert appraisal.event_worth(state, "35C") == worth
    state.year -= 1
    assert appraisal.event_worth(state, "35C") == 0.0


@pytest.mark.parametrize(
    ("round", "taken", "worth"),
    [(4, "paris", 0.0), (5, "", appraisal.DECISIVE), (6, "", 0.0), (6, "paris", appraisal.DECISIVE)],
)
def test_in_1815_trahison_leaves_the_last_blow(round: int, taken: str, worth: float) -> None:  # rule 7.3, 18
    state = position("1815", set_up=True, hands={"empire": [], "coalition": ["35C"]})
    state.phase, state.round, state.last_round = "rounds", round, 6
    state.control |= {taken: "coalition"} if taken else {}
    assert appraisal.treasured(state, "35C")
    assert appraisal.event_worth(state, "35C") == worth


def _worth(zone: str, **more: object) -> float:
    state = position("1805", set_up=True, year=1810)
    for name, value in more.items():
        setattr(state, name, value)
    state.status |= {"naples": "ally_angleterre", "prusse": "coalition", "hesse": "ally_prusse"}
    return generalship.Eye(view(state, "empire"), "empire").prizes[zone]


def test_the_power_that_is_wanting_for_the_union_is_the_first_aim() -> None:  # rule 9.3.1
    once = {"empire": {"autriche": 1}, "coalition": {}}
    both = {"empire": {"autriche": 1, "prusse": 1}, "coalition": {}}
    assert _worth("berlin", beaten=once) > _worth("berlin") > _worth("berlin", beaten=both)
    assert _worth("kassel", beaten=both) > _worth("kassel", beaten=once) > _worth("kassel")


def test_what_is_wanting_for_the_crown_is_taken_before_the_last_year() -> None:  # rule 9.3.2, 16.3
    both = {"empire": {"autriche": 1, "prusse": 1}, "coalition": {}}
    before = _worth("naples", beaten=both)
    assert _worth("naples", beaten=both, events=["20F"]) > before
    assert _worth("naples", beaten=both, events=["20F"], year=1814) < before
    assert _worth("naples", beaten=both, events=["20F", "45F"]) < before


def test_in_1815_france_is_held_to_the_end() -> None:  # rule 18
    state = position("1815", set_up=True)
    assert generalship.Eye(view(state, "empire"), "empire").temper.hold == 30.0


def test_every_robot_is_known() -> None:
    assert {"random", "sensible"} <= set(RULES.robots)


def test_the_bench_tells_who_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    short = dataclasses.replace(RULES, scenarios={"1815": RULES.scenarios["1815"]})
    measured = {"nce": robots.chosen()["nce"]}
    monkeypatch.setattr(robots, "chosen", lambda: measured)
    monkeypatch.setattr(robots.games, "load", lambda name: short)
    monkeypatch.setenv("PBEM_BENCH_GAMES", "2")
    monkeypatch.setenv("PBEM_BENCH_SEED", "5")
    figures = {figure.name: figure.value for figure in robots.balance()}
    assert sum(value for name, value in figures.items() if "wins" in name) == 100
    assert sum(value for name, value in figures.items() if "on points" in name) == 100


@pytest.mark.parametrize("scenario", ["1805", "1815"])
def test_both_sides_have_won_campaigns_enough(scenario: str) -> None:  # rule 17.2
    balance = read(scenario)["scenario"]["balance"]
    assert balance["games"] >= 50
    assert balance["empire"] + balance["coalition"] + balance["nobody"] == pytest.approx(100)
    assert min(balance["empire"], balance["coalition"]) >= 35


def test_a_campaign_without_a_winner_can_be_decided_on_points() -> None:  # rule 17.2
    state = position("1805", set_up=True)
    state.vp = 20
    assert on_points(state) == "empire"
    state.vp = 0
    assert on_points(state) == "coalition"
    state.vp = int(read("1805")["scenario"]["par"])
    assert on_points(state) == "coalition"


def test_the_random_robot_stands_on_an_island_without_neighbours() -> None:
    state = position(forces=["empire ajaccio massena: fr_i_corps", "coalition ulm mack: au_i_corps"])
    seen = view(state, "empire")
    moves = Redeployment(key="r", seat="empire", year=1805)
    for seed in range(40):
        for question in (act(), moves):
            answer = RULES.robots["random"](seen, question, random.Random(seed))
            assert not question.check(seen, answer)
