"""7.5: battles on the board: who fights, dice by dice, and what is left of it."""

from __future__ import annotations

import pytest

from pbem.games.eia.battle_events import (
    CombatEnds,
    CombatOpened,
    NightFalls,
    OutflankTried,
    Pursued,
    ReinforcementTried,
    Retreated,
    TakenShelter,
    WithdrawTried,
)
from pbem.games.eia.battle_orders import (
    AttackBy,
    BringUp,
    DefendBy,
    Habit,
    HorseAway,
    IntoCity,
    OutflankWith,
    RetreatBy,
    StayIf,
)
from tests.games.eia.fields import corps, depot, empty, horse, play


def test_a_battle_is_won_and_the_beaten_retreat() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "30 I, 6 C", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "16 I, 4 C", "mack")
    depot(state, "austria", "munich")
    # assault v defend: 3-1 v 4-1; no commander chart. 5 on 3-1: 10 % of 36 = 4, 1.1; level 3.2.
    played = play(
        state,
        {
            "augsburg/r1/att": 5,
            "augsburg/r1/def": 1,
            "augsburg/r2/att": 6,
            "augsburg/r2/def": 1,
            "augsburg/r3/att": 6,
            "augsburg/r3/def": 1,
            "augsburg/pursuit/att": 6,
        },
    )
    opened = played.told(CombatOpened)[0]
    assert (opened.attacker_level, opened.defender_level) == (4.0, 3.2)
    rounds = played.rounds()
    assert [(one.attacker.table, one.defender.table) for one in rounds] == [
        ("3-1", "4-1"),
        ("3-1", "4-2"),
        ("2-1", "4-3"),
    ]
    assert [one.attacker.morale for one in rounds] == [1.1, 1.5, 1.1]
    assert [one.defender.morale_left for one in rounds] == [2.1, 0.6, 0.0]
    end = played.told(CombatEnds)[0]
    assert (end.winner, end.loser, end.points) == ("france", "austria", (("austria", -1), ("france", 1)))
    # France lost 0.2 + 0.7 + 1.0 = 1.9 and he broke in round 3: class 3; die 6 = 25 % of 6 riders.
    chase = played.told(Pursued)[0]
    assert (chase.grade, chase.percent, chase.cavalry) == (3, 25, 6)
    assert chase.equivalents == 2
    assert played.told(Retreated)[0].way == ("augsburg", "munich")
    assert state.corps["au_1"].area == "munich"
    assert state.corps["fr_3"].area == "augsburg"
    assert state.losses["austria"] == 20 - state.corps["au_1"].size
    assert {"au_1", "fr_3"} <= set(state.fought)


def test_a_retreat_goes_on_where_enemies_stand() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
    corps(state, "fr_4", "munich", "5 I")
    corps(state, "au_1", "augsburg", "9 I", "mack")
    depot(state, "austria", "salzburg")
    dice = {f"augsburg/r{n}/{side}": 6 if side == "att" else 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, dice, {"france": [Habit("alone"), Habit("let_go")]})
    gone = played.told(Retreated)[0]
    # Munich is nearest to the depot, and Innsbruck as near; the winner takes the first, and on from there.
    assert gone.way in (("augsburg", "innsbruck"), ("augsburg", "munich", "salzburg"))


def test_the_winner_chooses_among_equal_ways() -> None:
    for wish in ("munich", "innsbruck"):
        state = empty()
        corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
        corps(state, "au_1", "augsburg", "9 I", "mack")
        depot(state, "austria", "salzburg")
        dice = {
            f"augsburg/r{n}/{side}": 6 if side == "att" else 1 for n in (1, 2, 3) for side in ("att", "def")
        }
        plan = [Habit("let_go"), RetreatBy((wish,))]
        assert play(state, dice, {"france": plan}).told(Retreated)[0].way == ("augsburg", wish)


def test_an_army_without_a_way_out_is_taken() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "9 I", "mack")
    state.in_play = ["lower_austria"]
    dice = {f"augsburg/r{n}/{side}": 6 if side == "att" else 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, dice, {"france": [Habit("let_go")]})
    gone = played.told(Retreated)[0]
    assert gone.captured
    assert gone.leaders == ("mack",)
    assert "au_1" not in state.corps
    assert state.leaders["mack"].captor == "france"
    assert state.losses["austria"] == 9  # six in battle, three taken


def test_a_withdrawal_before_a_probe_needs_no_die() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "16 I", "mack")
    played = play(
        state,
        {},
        {
            "france": [AttackBy("probe")],
            "allies": [DefendBy("withdraw"), RetreatBy(("innsbruck",))],
            "austria": [DefendBy("withdraw")],
        },
    )
    assert played.told(WithdrawTried)[0].success
    assert played.rounds() == []
    assert state.corps["au_1"].area != "augsburg"
    assert played.told(CombatEnds) == []


@pytest.mark.parametrize(("die", "away"), [(1, True), (2, False)])
def test_a_withdrawal_by_the_commanders_rating(die: int, away: bool) -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "16 I", "mack")
    dice = {
        "augsburg/withdraw": die,
        **{f"augsburg/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")},
    }
    played = play(state, dice, {"austria": [DefendBy("withdraw")]})
    tried = played.told(WithdrawTried)[0]
    assert tried.rating == 1
    assert tried.success is away
    assert bool(played.rounds()) is not away


def test_into_the_city_when_outnumbered() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout", came="stuttgart")
    corps(state, "fr_4", "ulm", "20 I", came="stuttgart")
    corps(state, "au_1", "ulm", "9 I", "mack")
    played = play(state, {"siege/ulm": 3})
    assert played.told(TakenShelter)[0].corps == 1
    assert state.corps["au_1"].inside
    assert state.sieges["ulm"].by == ["france"]


def test_no_shelter_where_there_is_no_room() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout", came="stuttgart")
    corps(state, "fr_4", "ulm", "20 I", came="stuttgart")
    corps(state, "au_1", "ulm", "16 I", "mack")
    dice = {f"ulm/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, dice, {"austria": [IntoCity("city")]})
    assert played.told(TakenShelter) == []


def test_outflanking_arrives_in_the_second_round() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "napoleon", came="ulm")
    corps(state, "fr_4", "augsburg", "10 I", came="ulm")
    corps(state, "au_1", "augsburg", "16 I", "mack")
    dice = {f"augsburg/r{n}/{side}": 3 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(
        state,
        {**dice, "augsburg/r1/outflank/att": 6, "augsburg/r2/outflank/att": 6},
        {"france": [AttackBy("outflank"), OutflankWith(("fr_4",))]},
    )
    tries = played.told(OutflankTried)
    # Napoleon 5, +1 against Defend: 6; so the first die suffices.
    assert [(one.rating, one.success) for one in tries] == [(6, True)]
    rounds = played.rounds()
    assert rounds[0].attacker.factors == 20
    assert rounds[1].attacker.factors == rounds[0].attacker.left + 20
    assert rounds[1].attacker.table == "2-4"


def test_outflank_needs_a_leader() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", came="ulm")
    corps(state, "fr_4", "augsburg", "10 I", came="ulm")
    corps(state, "au_1", "augsburg", "16 I", "mack")
    dice = {f"augsburg/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, dice, {"france": [AttackBy("outflank")]})
    assert played.told(CombatOpened)[0].attacker_chit == "assault"


def test_reinforcements_march_to_the_guns() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "fr_4", "ulm", "10 I", "soult")
    corps(state, "au_1", "augsburg", "16 I", "mack")
    corps(state, "au_2", "munich", "12 I")
    dice = {f"augsburg/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    more = {
        "augsburg/r1/reinforce/ulm": 2,
        "augsburg/r1/reinforce/munich/1": 1,
        "augsburg/r2/reinforce/munich/1": 1,
        "augsburg/r3/reinforce/munich/1": 1,
    }
    played = play(state, {**dice, **more})
    tries = played.told(ReinforcementTried)
    # Munich lies in a forest: 1 + 1 against the Austrian counter's 1.
    assert [(one.start, one.die, one.success) for one in tries] == [
        ("ulm", 2, True),
        ("munich", 2, False),
        ("munich", 2, False),
        ("munich", 2, False),
    ]
    assert played.rounds()[1].attacker.factors == played.rounds()[0].attacker.left + 10
    assert any(arrow.way == ("ulm", "augsburg") for arrow in state.arrows)
    assert "fr_4" in state.fought


def test_the_plan_says_who_marches_to_the_guns() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "fr_4", "ulm", "10 I", "soult")
    corps(state, "au_1", "augsburg", "16 I", "mack")
    dice = {f"augsburg/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")}
    assert play(state, dice, {"france": [Habit("alone")]}).told(ReinforcementTried) == []
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "fr_4", "ulm", "10 I", "soult")
    corps(state, "au_1", "augsburg", "16 I", "mack")
    late = play(state, {**dice, "augsburg/r3/reinforce/ulm": 6}, {"france": [BringUp(("ulm",), 3)]})
    assert [one.round for one in late.told(ReinforcementTried)] == [3]


def test_who_stays_the_night_fights_on() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "20 I", "mack")
    dice = {f"augsburg/{d}r{n}/{side}": 1 for d in ("", "d2/") for n in (1, 2, 3) for side in ("att", "def")}
    stay = {"france": [StayIf(0)], "austria": [StayIf(0)]}
    # 0.0 + 0.0 + 0.0 against 0.2 + 0.4 + 0.5: the French are ahead by 4.0 - 1.3 - 3.0 = -0.3: they leave.
    played = play(state, dice, stay)
    night = played.told(NightFalls)[0]
    assert (night.attacker_stays, night.defender_stays) == (False, True)
    assert played.told(CombatEnds) == []
    assert state.corps["fr_3"].area != "augsburg"


def test_a_second_day_costs_half_a_point() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "20 I", "mack")
    dice = {f"augsburg/{d}r{n}/{side}": 1 for d in ("", "d2/") for n in (1, 2, 3) for side in ("att", "def")}
    played = play(
        state,
        dice,
        {"france": [StayIf(0), DefendBy("cordon")], "austria": [StayIf(0), DefendBy("counterattack")]},
    )
    days = played.told(CombatOpened)
    # Assault v counterattack is even: 3.0 against 4.0 at dusk, and the weaker leaves.
    assert len(days) == 1
    assert played.told(NightFalls)[0].attacker_stays


def test_a_trivial_combat_against_a_depot() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    depot(state, "austria", "augsburg")
    state.garrison("augsburg", "austria", "austria", {"I": 2}, depot=True)
    dice = {"augsburg/trivial/r1/att": 6, "augsburg/trivial/r1/def": 1}
    played = play(state, dice, {"france": [Habit("alone")]})
    opened = played.told(CombatOpened)[0]
    assert (opened.what, opened.attacker_chit) == ("trivial", "")
    assert played.rounds()[0].attacker.table == "5-2"
    assert played.told(CombatEnds)[0].points == ()
    assert state.garrisons_at("augsburg", depot=True) == []
    assert state.fought == []


def test_light_horse_rides_away() -> None:
    state = empty()
    corps(state, "fr_1c", "brunn", "6 C", came="vienna")
    horse(state, "ck_1", "brunn")
    assert play(state, {"brunn/ride": 4}).state.horse["ck_1"].area != "brunn"
    state = empty()
    corps(state, "fr_3", "brunn", "6 I", came="vienna")
    horse(state, "ck_1", "brunn")
    dice = {"brunn/trivial/r1/att": 6, "brunn/trivial/r1/def": 1}
    played = play(
        state,
        dice,
        {"allies": [HorseAway("stand")], "russia": [HorseAway("stand")], "austria": [HorseAway("stand")]},
    )
    assert "ck_1" not in state.horse
    assert played.told(CombatEnds)[0].how == "destroyed"


def test_overwhelming_odds_are_a_trivial_combat() -> None:
    state = empty(**{"12.3.10": "yes"})
    corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "6 I", "mack")
    played = play(state, {"augsburg/withdraw": 1}, {"austria": [DefendBy("withdraw")]})
    assert played.told(WithdrawTried)[0].success
    assert state.corps["au_1"].area != "augsburg"
