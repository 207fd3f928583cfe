"""Twenty-four examples of combat, worked out by hand from the rulebook and its charts before they were tried."""

from __future__ import annotations

from pbem.games.eia.battle_events import (
    CityFalls,
    CombatEnds,
    CombatOpened,
    LeaderTested,
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
    CommitGuard,
    DefendBy,
    Habit,
    IntoCity,
    LoseFirst,
    OutflankWith,
    Sally,
    SiegeHabit,
    StayIf,
)
from pbem.games.eia.board import AREAS, borders
from pbem.games.eia.state import MAP, Power, pair
from tests.games.eia.fields import Played, besiege, corps, depot, empty, play

ON = "yes"


def dice(area: str, *rounds: tuple[int, int], kind: str = "", day: int = 1) -> dict[str, int]:
    """The dice of a day: attacker and defender, round by round."""
    where = "/".join(part for part in (area, kind, f"d{day}" if day > 1 else "") if part)
    found: dict[str, int] = {}
    for number, (attack, defence) in enumerate(rounds, 1):
        found[f"{where}/r{number}/att"], found[f"{where}/r{number}/def"] = attack, defence
    return found


def allies(*lines: object) -> dict[str, list[object]]:
    return {"austria": list(lines)}


# rule 7.5, 7.5.2.6.1.1, 7.5.2.6.3, 7.5.2.7.3.1, 7.5.2.4
def test_1_forest() -> None:
    # Munich is forest. Assault v counterattack is 3-1, 4-2, 3-2 for both: in forest 2-1, 3-2, 2-2.
    state = empty()
    corps(state, "fr_3", "munich", "20 I", "davout", came="augsburg")
    corps(state, "au_1", "munich", "15 I, 1 C", "charles")
    played = play(state, dice("munich", (1, 1), (1, 1), (1, 1)), allies(DefendBy("counterattack")))
    assert [one.attacker.table for one in played.rounds()] == ["2-1", "3-2", "2-2"]
    assert [one.defender.table for one in played.rounds()] == ["2-1", "3-2", "2-2"]
    opened = played.told(CombatOpened)[0]
    # (15 x 3 + 1 x 4) / 16 = 3.0625, rounded up.
    assert opened.defender_level == 3.1
    assert (opened.attackers[0].corps, opened.attackers[0].factors) == ("fr_3", "20 I")


# rule 7.5.2.7.3, 7.5.2.7.3.2
def test_2_mountains_weaken_the_attacker_alone() -> None:
    state = empty()
    corps(state, "fr_3", "salzburg", "20 I", "davout", came="munich")
    corps(state, "au_1", "salzburg", "15 I", "charles")
    played = play(state, dice("salzburg", (1, 1), (1, 1), (1, 1)), allies(DefendBy("counterattack")))
    assert [(one.attacker.table, one.defender.table) for one in played.rounds()] == [
        ("2-1", "3-1"),
        ("3-2", "4-2"),
        ("2-2", "3-2"),
    ]


# rule 7.5.2.7.3.3, 7.5.2.7.3.4
def test_3_marsh_and_desert_move_both_levels() -> None:
    from pbem.games.eia import charts
    from pbem.games.eia.charts import Tables

    assert charts.on_ground(Tables("1-2", "5-5"), "marsh") == ("1-3", "4-5")
    assert charts.on_ground(Tables("2-2", "3-5"), "desert") == ("2-3", "3-5")


# rule 7.5.2.10.1.3, 7.5.2.10.1.3.2, 10.6.1.2.2, 7.5.2.9.1, 7.5.2.9.1.1
def test_4_napoleon_wins_three_corps_one_of_them_large() -> None:
    # He breaks in round 1: escalated assault v escalated counterattack 4-1; Napoleon 5 v Mack 1: +1 and -1.
    # Die 6 + 1 on 4-1: 2.4 (level 3.0 - 0.0): not yet; round 2, 5-2: die 5 + 1 = 2.8: broken at 5.2.
    # Three corps, one of 21: 4 halves = 2 points; Napoleon one more. Austria pays 2.
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "napoleon", came="ulm")
    corps(state, "au_1", "augsburg", "21 I", "mack")
    corps(state, "au_2", "augsburg", "10 I")
    corps(state, "au_3", "augsburg", "5 I")
    plans = {
        "france": [AttackBy("escalated_assault"), Habit("let_go")],
        **allies(DefendBy("escalated_counterattack")),
    }
    played = play(state, dice("augsburg", (6, 1), (5, 1)), plans)
    first = played.rounds()[0]
    assert {m.name: m.value for m in first.attacker.modifiers} == {"commanders": 1}
    assert first.attacker.morale == 2.4
    assert len(played.rounds()) == 2
    assert played.told(CombatEnds)[0].points == (("austria", -2), ("france", 3))


# rule 7.5.2.10.1.3.2, 10.6.3
def test_5_napoleon_beaten_costs_two_more() -> None:
    # Assault v cordon: Austrians on 2-1, 2-1, 3-1. A French level of 2.0 (militia). Charles 4 against Napoleon 5: the
    # chart gives the defender nothing: 1.1 a round: broken in round 2. One corps: half a point, so one; two more.
    state = empty()
    corps(state, "fr_3", "augsburg", "20 M", "napoleon", came="ulm")
    corps(state, "au_1", "augsburg", "15 I", "charles")
    state.leaders["charles"].power = "austria"
    played = play(state, dice("augsburg", (1, 6), (1, 6)), allies(DefendBy("cordon"), Habit("let_go")))
    modifiers = [m.value for m in played.rounds()[0].defender.modifiers]
    ratings = played.told(CombatOpened)[0]
    assert (ratings.attacker_tactical, ratings.defender_tactical) == (5, 4)
    assert modifiers == []
    assert played.rounds()[1].attacker.morale_left == 0
    assert played.told(CombatEnds)[0].points == (("austria", 1), ("france", -3))


# rule 7.5.2.12, 7.5.2.12.1, 7.5.2.12.1.1, 7.5.2.12.1.2, 7.5.2.12.1.3, 7.5.2.3.2, 7.5.2.7.2
def test_6_outflanking_in_the_forest() -> None:
    # Davout 4; against a counterattack the chart adds nothing; forest -1: 3 after round 1, 5 after round 2.
    state = empty()
    corps(state, "fr_3", "munich", "10 I", "davout", came="augsburg")
    corps(state, "fr_4", "munich", "8 I", came="augsburg")
    corps(state, "au_1", "munich", "12 I", "mack")
    plans = {
        "france": [AttackBy("outflank"), OutflankWith(("fr_4",))],
        **allies(DefendBy("counterattack"), IntoCity("field")),
    }
    more = {"munich/r1/outflank/att": 4, "munich/r2/outflank/att": 5}
    played = play(state, {**dice("munich", (1, 1), (1, 1), (1, 1)), **more}, plans)
    assert [(one.rating, one.success) for one in played.told(OutflankTried)] == [(3, False), (5, True)]
    tables = [(one.attacker.table, one.defender.table) for one in played.rounds()]
    # 2-1 / 2-3 and 2-1 / 3-3, then 4-4 / 3-1, each a level lower in losses.
    assert tables == [("1-1", "1-3"), ("1-1", "2-3"), ("3-4", "2-1")]
    third = played.rounds()[2]
    assert third.attacker.factors == played.rounds()[1].attacker.left + 2 * 8


# rule 7.5.2.2
def test_7_nobody_goes_round_a_cordon() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "10 I", "davout", came="ulm")
    corps(state, "fr_4", "augsburg", "8 I", came="ulm")
    corps(state, "au_1", "augsburg", "12 I", "mack")
    plans = {"france": [AttackBy("outflank")], **allies(DefendBy("cordon"))}
    played = play(state, dice("augsburg", (1, 1), (1, 1), (1, 1)), plans)
    assert played.told(OutflankTried) == []
    assert played.rounds()[0].attacker.factors == 18
    assert [one.attacker.table for one in played.rounds()] == ["2-1", "3-1", "2-1"]


# rule 7.5.2.5, 7.5.2.5.2, 7.5.2.5.2.2, 7.5.2.5.1
def test_8_without_a_leader_each_corps_slips_away_by_itself() -> None:
    # Austrian counters have 1; escalated assault changes nothing: 1 gets away, 2 does not.
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "12 I")
    corps(state, "au_2", "augsburg", "9 I")
    plans = {"france": [AttackBy("escalated_assault")], **allies(DefendBy("withdraw"))}
    more = {"augsburg/withdraw/1": 1, "augsburg/withdraw/2": 2}
    played = play(state, {**dice("augsburg", (1, 1), (1, 1), (1, 1)), **more}, plans)
    assert [one.success for one in played.told(WithdrawTried)] == [True, False]
    assert state.corps["au_1"].area != "augsburg"
    assert [one.attacker.table for one in played.rounds()] == ["5-2", "5-2", "5-3"]
    # The withdrawn corps did not fight: one corps engaged.
    assert [shown.corps for shown in played.told(CombatOpened)[0].defenders] == ["au_2"]


# rule 7.5.2.12.2
def test_9_who_wants_to_withdraw_goes_when_the_flank_is_missed() -> None:
    # Withdrawal rating 1 + 1 against outflank: a 3 fails. The outflankers (Davout 4) miss with a 5: the rest goes.
    state = empty()
    corps(state, "fr_3", "augsburg", "10 I", "davout", came="ulm")
    corps(state, "fr_4", "augsburg", "8 I", came="ulm")
    corps(state, "au_1", "augsburg", "12 I", "mack")
    plans = {"france": [AttackBy("outflank")], **allies(DefendBy("withdraw"))}
    more = {"augsburg/withdraw": 3, "augsburg/r1/outflank/att": 5}
    played = play(state, {**dice("augsburg", (1, 1)), **more}, plans)
    assert [(one.rating, one.success) for one in played.told(WithdrawTried)] == [(2, False), (0, True)]
    assert len(played.rounds()) == 1
    assert played.told(Pursued) == []
    assert state.corps["au_1"].area != "augsburg"
    assert state.corps["fr_3"].area == "augsburg"


# rule 7.5.2.11a, 7.5.2.11b, 7.5.2.11.2b, 7.5.2.11.2.1a, 7.5.2.11.2.1b, 7.5.2.11.2.1c, 10.6.1.1.3
def test_10_a_better_letter_takes_over() -> None:
    # Ney (C or D) fights, Napoleon (A) comes from Ulm (clear, no river): die 5 is not above 5.
    state = empty()
    corps(state, "fr_3", "augsburg", "10 I", "ney", came="innsbruck")
    corps(state, "fr_4", "ulm", "8 I", "napoleon")
    corps(state, "au_1", "augsburg", "12 I", "mack")
    plans = {"france": [AttackBy("assault")], **allies(DefendBy("cordon"))}
    played = play(state, {**dice("augsburg", (1, 1), (1, 1), (1, 1)), "augsburg/r1/reinforce/ulm": 5}, plans)
    came = played.told(ReinforcementTried)[0]
    assert (came.die, came.rating, came.success, came.factors) == (5, 5, True, 8)
    # From round 2 Napoleon's 5 against Mack's 1 counts.
    assert [m.value for m in played.rounds()[1].attacker.modifiers] == [1]
    assert played.rounds()[1].attacker.factors == played.rounds()[0].attacker.left + 8


# rule 7.5.2.11.2a, 7.5.2.11.1
def test_11_who_has_fought_does_not_march_to_the_guns() -> None:
    state = empty()
    corps(state, "fr_3", "augsburg", "10 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "12 I", "mack")
    corps(state, "au_2", "munich", "12 I")
    state.fought = ["au_2"]
    played = play(state, dice("augsburg", (1, 1), (1, 1), (1, 1)))
    assert played.told(ReinforcementTried) == []


# rule 7.5.2.11.1.3
def test_12_an_ally_at_peace_with_the_enemy_stays_away() -> None:
    def at(wars: list[str]) -> Played:
        state = empty()
        state.wars = wars
        corps(state, "fr_3", "krakow", "10 I", "davout", came="breslau")
        corps(state, "au_1", "krakow", "12 I", "mack")
        corps(state, "ru_1", "radom", "9 I")
        rolls = {f"krakow/r{n}/reinforce/radom/1": 6 for n in (1, 2, 3)}
        return play(state, {**dice("krakow", (1, 1), (1, 1), (1, 1)), **rolls})

    assert "radom" in dict(borders("krakow"))
    assert len(at([pair("austria", "france"), pair("russia", "france")]).told(ReinforcementTried)) == 3
    assert at([pair("austria", "france")]).told(ReinforcementTried) == []


# rule 7.5.2.13, 7.5.2.13.2, 7.5.2.13.2.1, 7.5.2.13.2.2, 7.5.2.6.2, 7.5.2.10.2.1, 7.5.5
def test_13_a_second_day() -> None:
    # Equal armies of infantry 4.0, tactical 4 each: +1 for both. A die of 1 on 3-1, 4-2, 3-2: 0.2, 1.0, 0.6 for both.
    state = empty()
    state.powers["spain"] = Power("spain", "spain")
    state.wars = [pair("france", "austria")]
    corps(state, "fr_3", "augsburg", "20 I", "massena", came="ulm")
    made = corps(state, "fr_4", "augsburg", "20 I", power="austria")
    made.power = "austria"
    state.leaders["charles"].where, state.leaders["charles"].corps = MAP, "fr_4"
    plans = {"france": [StayIf(0)], **allies(DefendBy("counterattack"), StayIf(0))}
    first, second = [(1, 1), (1, 1), (1, 1)], [(1, 6), (1, 6), (1, 6)]
    rolls = {**dice("augsburg", *first), **dice("augsburg", *second, day=2)}
    played = play(state, {**rolls, "augsburg/d2/pursuit/def": 1}, plans)
    nights = played.told(NightFalls)
    assert (nights[0].attacker_stays, nights[0].defender_stays) == (True, True)
    assert [one.attacker_level for one in played.told(CombatOpened)] == [4.0, 3.5]
    # Day 2, 6 + 1: 1.9 on 3-1 and 2.8 on 4-2: 4.7 of 3.5: broken in round 2.
    assert played.told(CombatEnds)[0].winner == "austria"
    assert played.rounds()[4].attacker.morale_left == 0


# rule 7.5.2.10.4.2
def test_14_both_break_and_the_attacker_goes() -> None:
    # Militia of 2.0 on both sides; escalated assault v escalated counterattack: 4-1 die 6 1.9, 5-2 die 1 0.8.
    state = empty()
    corps(state, "fr_3", "augsburg", "20 M", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "15 M", "charles")
    plans = {"france": [AttackBy("escalated_assault")], **allies(DefendBy("escalated_counterattack"))}
    played = play(state, dice("augsburg", (5, 6), (2, 2)), plans)
    end = played.told(CombatEnds)[0]
    assert (end.how, end.points) == ("both", ())
    assert [one.power for one in played.told(Retreated)] == ["france"]
    assert state.corps["au_1"].area == "augsburg"


# rule 7.5.2.9.2.1a, 7.5.2.9.2, 7.5.2.9.3
def test_15_militia_is_spared_by_no_list_once_morale_is_low() -> None:
    # 4-1 die 6 (no commanders' effect at 4 v 4 but +1 for the attacker): 15 % of 20 = 3, 2.4 of 2.8: above 2.0 at once.
    state = empty()
    corps(state, "fr_3", "augsburg", "20 I", "massena", came="ulm")
    corps(state, "au_1", "augsburg", "12 I, 3 M", "charles")
    plans = {"france": [AttackBy("assault")], **allies(DefendBy("cordon"), LoseFirst(("M", "I")))}
    played = play(state, dice("augsburg", (6, 1), (1, 1), (1, 1)), plans)
    assert played.told(CombatOpened)[0].defender_level == 2.8
    assert played.rounds()[0].defender.lost == "3 I"


# rule 12.3.3.1
def test_16_superior_cavalry() -> None:
    state = empty(**{"12.3.3.1": ON})
    corps(state, "fr_3", "augsburg", "10 I, 2 C", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "12 I, 1 C", "mack")
    plans = {"france": [Habit("let_go")], **allies(Habit("let_go"))}
    played = play(state, dice("augsburg", (1, 1), (1, 1), (1, 1)), plans)
    # No commanders on assault v defence: the cavalry alone.
    assert [m.name for m in played.rounds()[0].attacker.modifiers] == ["cavalry"]


# rule 12.3.4, 12.3.4.1, 12.3.4.2, 12.3.4.4, 12.3.4.6
def test_17_the_guard_goes_in_when_the_plan_says_so() -> None:
    # Round 3 of assault v counterattack is 3-2: with the guard 3-4. The enemy (3.0) has lost 0.7 (4-2 die 1) before:
    # not below the 1.2 of the plan in any round: 3.0 - 0.0, then 2.3: it stays back. With 24 tenths it goes in.
    def at(left: int) -> Played:
        state = empty(**{"12.3.4": ON})
        corps(state, "fr_guard", "augsburg", "6 Gd", "davout", came="ulm")
        corps(state, "fr_3", "augsburg", "14 I", came="ulm")
        corps(state, "au_1", "augsburg", "15 I", "charles")
        plans = {"france": [CommitGuard(2, 3, left)], **allies(DefendBy("counterattack"), Habit("let_go"))}
        rolls = dice("augsburg", (1, 1), (1, 1), (1, 1))
        return play(state, {**rolls, "augsburg/r3/guard/att": 3}, plans)

    assert [one.attacker.guard for one in at(12).rounds()] == [0, 0, 0]
    gone = at(24)
    third = gone.rounds()[2].attacker
    # A 3 costs two guards. 3-4 die 1 (+ 0): 1.1: 0.7 + 1.1 = 1.8 of 3.0: not broken: the French are.
    assert (third.guard, third.guard_lost, third.table) == (2, 2, "3-4")
    assert gone.told(CombatEnds)[0].winner == "austria"


# rule 12.3.5, 12.3.5.1, 12.3.5.4
def test_18_guns() -> None:
    state = empty(**{"12.3.5": ON})
    corps(state, "fr_art", "augsburg", "4 A", came="ulm")
    corps(state, "fr_3", "augsburg", "16 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "15 I", "mack")
    # 5-5 die 5: 20 % of 4 = 1: fourteen fire.
    rolls = {f"augsburg/r{n}/guns/att": 5 for n in (1, 2, 3)}
    played = play(state, {**dice("augsburg", (1, 1), (1, 1), (1, 1)), **rolls})
    first = played.rounds()[0]
    assert (first.attacker.guns, first.defender.factors) == (1, 14)
    # The guns fire with the others too.
    assert first.attacker.factors == 20


# rule 12.3.6
def test_19_an_ally_bears_his_share() -> None:
    # Ten French and five Bavarian foot lose 3: two and one.
    state = empty(**{"12.3.6": ON})
    corps(state, "fr_3", "augsburg", "10 I", "davout", came="ulm")
    corps(state, "bavaria", "augsburg", "5 I", came="ulm", power="france")
    corps(state, "au_1", "augsburg", "15 I", "mack")
    corps(state, "au_2", "augsburg", "15 I")
    # 4-1 die 4: 10 % of 30 = 3.
    play(state, dice("augsburg", (1, 4), (1, 1), (1, 1)), {"france": [Habit("leave"), Habit("alone")]})
    assert (state.corps["fr_3"].size, state.corps["bavaria"].size) != (10, 5)
    assert state.losses["france"] >= 3
    lost = {entry.what: -entry.number for entry in state.books[:2]}
    assert lost == {"france": 2, "bavaria": 1}


# rule 12.7
def test_20_a_leader_falls() -> None:
    state = empty(**{"12.7": ON})
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "15 I")
    rolls = {"augsburg/casualty/att": [6, 6], "augsburg/casualty/att/months": [4]}
    played = play(state, {**dice("augsburg", (1, 1), (1, 1), (1, 1)), **rolls}, {"france": [StayIf(0)]})
    hit = played.told(LeaderTested)[0]
    assert (hit.leader, hit.months, hit.dead) == ("davout", 4, False)
    assert (state.leaders["davout"].where, state.leaders["davout"].since) == ("later", "1806-01")


# rule 7.5.1.2, 7.5.1.1.1, 7.5.1.3
def test_21_part_goes_inside_and_the_rest_fights() -> None:
    # Ulm holds 15: the corps of ten goes in, the one of eight finds no room. Corps inside take no part.
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout", came="stuttgart")
    corps(state, "au_1", "ulm", "10 I", "mack")
    corps(state, "au_2", "ulm", "8 I")
    played = play(
        state,
        {**dice("ulm", (6, 1), (6, 1), (6, 1)), "siege/ulm": 2},
        allies(IntoCity("city"), Habit("alone")),
    )
    assert played.told(TakenShelter)[0].corps == 1
    assert [shown.corps for shown in played.told(CombatOpened)[0].defenders] == ["au_2"]
    assert state.corps["au_1"].inside


# rule 7.5.4.2.3.1.1, 7.5.4.2.3.1.2, 7.5.4.2.3.3
def test_22_relief_from_two_areas_goes_back_to_both() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout")
    corps(state, "au_1", "ulm", "8 I", "charles", came="augsburg")
    corps(state, "au_2", "ulm", "8 I", came="chur")
    state.garrison("ulm", "austria", "austria", {"I": 5})
    besiege(state, "ulm", "france")
    played = play(
        state, dice("ulm", (1, 1), (1, 1), (1, 1)), allies(Sally("33")), powers=("austria", "russia")
    )
    assert sorted(one.way for one in played.told(Retreated)) == [("ulm", "augsburg"), ("ulm", "chur")]
    assert played.told(CombatEnds) == []
    assert played.told(Pursued) == []
    assert state.garrisons_at("ulm")[0].size == 5


# rule 7.5.4.1.2.4.2, 7.5.4.1.3.5, 10.6.3
def test_23_a_leader_is_taken_with_the_city() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout")
    corps(state, "au_1", "ulm", "2 I", "mack", inside=True)
    besiege(state, "ulm", "france")
    plans = {"france": [SiegeHabit("storm"), SiegeHabit("refuse_honours")]}
    played = play(state, {"siege/ulm": 5}, plans)
    fallen = played.told(CityFalls)[0]
    assert (fallen.how, fallen.captured, fallen.factors, fallen.points) == ("surrender", ("mack",), 2, ())
    assert state.leaders["mack"].captor == "france"


# rule 7.5.2.14, 7.5.2.10.3.1
def test_24_the_depot_of_the_beaten_is_lost_and_does_not_draw_them() -> None:
    # The depot on the battlefield is no goal; the nearest other one is at Salzburg: Munich or Innsbruck.
    state = empty()
    corps(state, "fr_3", "augsburg", "30 I", "davout", came="ulm")
    corps(state, "au_1", "augsburg", "9 I", "mack")
    depot(state, "austria", "augsburg", "salzburg")
    played = play(state, dice("augsburg", (6, 1), (6, 1)), {"france": [Habit("let_go")]})
    assert played.told(Retreated)[0].way[-1] in ("munich", "innsbruck")
    assert state.depot_at("augsburg", "austria") is None


# rule 10.6.1, 10.6.1.1, 10.6.1.1.1, 10.6.1.1.2, 10.6.1.2, 10.6.1.2.1
def test_25_who_commands_an_allied_army() -> None:
    # Twelve Austrian factors against nine Russian: an Austrian; Charles (better letter than Mack).
    state = empty()
    corps(state, "fr_3", "brunn", "9 I", "davout", came="vienna")
    corps(state, "au_1", "brunn", "12 I", "mack", "charles")
    corps(state, "ru_1", "brunn", "9 I", "kutusov")
    played = play(state, dice("brunn", (1, 1), (1, 1), (1, 1)), allies(IntoCity("field")))
    assert played.told(CombatOpened)[0].defender_leader == "charles"


# rule 12.3.10, 12.3.3.2
def test_26_riders_withdraw_more_easily() -> None:
    state = empty(**{"12.3.3.2": ON})
    corps(state, "fr_3", "augsburg", "20 I", "davout", came="ulm")
    corps(state, "au_1c", "augsburg", "5 C", "mack")
    played = play(state, {"augsburg/withdraw": 2}, allies(DefendBy("withdraw")))
    # Mack 1, +1 for riders: 2.
    assert (played.told(WithdrawTried)[0].rating, played.told(WithdrawTried)[0].success) == (2, True)


def test_areas_of_the_examples_are_as_supposed() -> None:
    assert AREAS["munich"].terrain == "forest"
    assert AREAS["salzburg"].terrain == "mountain"
    assert AREAS["augsburg"].terrain == "clear"
