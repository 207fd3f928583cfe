"""7.5: battles on the board: who fights, dice by dice, and what is left of it."""

from __future__ import annotations

import pytest

from pbem.games.eia import RULES, charts
from pbem.games.eia.battle_events import (
    CombatEnds,
    CombatOpened,
    DayFought,
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
from pbem.games.eia.land import muster, retreat
from pbem.reports.catalogue import catalogue
from tests.games.eia.fields import corps, depot, empty, horse, play


# rule 7.5.2.10.2, 7.5.2.10.2.1, 7.5.2.10.2.3
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


# rule 7.5.2.10.3, 7.5.2.10.3.3, 7.5.2.10.3.2, 7.5.2.10.3.4
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


# rule 7.5.2.10.3.6
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


# rule 7.5.2.5.2.1
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


# rule 7.5.3.2
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


# rule 12.3.10
def test_overwhelming_odds_are_a_trivial_combat() -> None:
    state = empty(**{"12.3.10": "yes"})
    corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "6 I", "mack")
    played = play(state, {"augsburg/withdraw": 1}, {"austria": [DefendBy("withdraw")]})
    assert played.told(WithdrawTried)[0].success
    assert state.corps["au_1"].area != "augsburg"


# rule 7.5.2.9.1.2
def test_a_lower_rating_would_never_help() -> None:
    for attacker in range(1, 6):
        for defender in range(6):
            mine, his = charts.commander_dice(attacker, defender)
            lower, other = charts.commander_dice(attacker - 1, defender)
            assert mine - his >= lower - other
    for defender in range(1, 6):
        for attacker in range(6):
            his, mine = charts.commander_dice(attacker, defender)
            other, lower = charts.commander_dice(attacker, defender - 1)
            assert mine - his >= lower - other


# rule 7.5.2.10.2.2, 7.5.2.10.2.2.1, 7.5.2.10.2.2.2, 7.5.2.10.2.2.3, 7.5.2.10.2.2.4
@pytest.mark.parametrize(
    ("area", "leader", "grade"),
    [("augsburg", "davout", 3), ("augsburg", "murat", 4), ("munich", "davout", 2)],
)
def test_what_changes_the_class_of_a_pursuit(area: str, leader: str, grade: int) -> None:
    state = empty()
    corps(state, "fr_3", area, "30 I, 3 C", leader, came="ulm")
    corps(state, "au_1", area, "15 M", "mack")
    rolls = {f"{area}/r{n}/{side}": 6 if side == "att" else 1 for n in (1, 2, 3) for side in ("att", "def")}
    played = play(state, {**rolls, f"{area}/pursuit/att": 1}, {"austria": [IntoCity("field")]})
    chase = played.told(Pursued)[0]
    broke = len(played.rounds())
    lost = sum(round(10 * one.defender.morale) for one in played.rounds())
    assert chase.grade == charts.pursuit_class(lost, broke) + {3: 0, 4: 1, 2: -1}[grade]


def test_marsh_and_low_classes_allow_no_pursuit() -> None:
    assert charts.pursuit_shift("marsh") == -2
    assert charts.pursuit_shift("clear") == 0
    assert charts.pursuit_percent(0, 6) == 0


# rule 7.5.2.10.3.5
def test_no_retreat_over_a_strait() -> None:
    from pbem.games.eia.board import AREAS, by_land

    straits = [(a.id, b) for a in AREAS.values() for b, kind in a.neighbours.items() if kind == "strait"]
    assert straits
    for area, other in straits:
        assert other not in retreat.nearest(empty(), area, [other], [area])
        assert other not in by_land(area)


# rule 12.3.5.2
def test_guns_may_not_take_militia_late() -> None:
    state = empty(**{"12.3.5": "yes"})
    corps(state, "fr_art", "augsburg", "5 A", came="ulm")
    corps(state, "fr_3", "augsburg", "15 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "12 I, 3 M", "mack")
    # Escalated assault v escalated counterattack: 4-1 with +1: die 6: 2.4 of 2.8; then the guns of round 2.
    rolls = {f"augsburg/r{n}/guns/att": 6 for n in (1, 2)}
    rolls |= {"augsburg/r1/att": 6, "augsburg/r1/def": 1, "augsburg/r2/att": 1, "augsburg/r2/def": 1}
    plans = {
        "france": [AttackBy("escalated_assault"), Habit("let_go")],
        "austria": [DefendBy("escalated_counterattack")],
    }
    played = play(state, rolls, plans)
    second = played.rounds()[1].defender
    assert "M" not in second.lost


# rule 12.3.7.3
@pytest.mark.parametrize(
    ("month", "area", "tactical", "strategic"),
    [
        ("1805-09", "ulm", 5, 5),
        ("1809-04", "ulm", 4, 5),
        ("1812-06", "ulm", 4, 4),
        ("1812-06", "paris", 5, 5),
    ],
)
def test_napoleon_declines(month: str, area: str, tactical: int, strategic: int) -> None:
    state = empty()
    corps(state, "fr_3", area, "9 I", "napoleon")
    state.month = month
    found = muster.chief(state, state.leaders["napoleon"], area)
    assert (found.tactical, found.strategic) == (tactical, strategic)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_day_is_a_table_by_rounds(lang: str) -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "12 I", "mack")
    dice = {f"augsburg/r{n}/{side}": 3 for n in (1, 2, 3) for side in ("att", "def")}
    day = play(state, dice).told(DayFought)[0]
    rows = catalogue(lang, RULES).table(day)
    assert {len(row) for row in rows} == {8}
    assert [row[0] for row in rows[1:]] == ["1", "1", "2", "2", "3", "3"]
    assert rows[1][2:4] == ("3-1", "3")
