"""Rules that need no letter: pieces, control, command, supply, morale, retreat, seas, scores."""

from __future__ import annotations

import pytest

from pbem.games.nce import board, charts, command, fight, plan, reactions, score
from pbem.games.nce.cards import combat_cards, hands
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.cards.interpreter import event_problem
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_views import ForecastBattle, ForecastMarch, ForecastSiege
from pbem.games.nce.land import aftermath, attrition, iberia, siege, supply
from pbem.games.nce.land.march import March
from pbem.games.nce.land.tempo import Grant
from pbem.games.nce.orders import Activate, Besiege, Go, NoCard, PlayEvent
from pbem.games.nce.plan import RoundPlan
from pbem.games.nce.powers import conquest, diplomacy, income, peace
from pbem.games.nce.replies import Annex, ClaimMinor, Done, Spoils
from pbem.games.nce.rounds import forecast
from pbem.games.nce.sea import cargo, landing, naval, naval_battle, waters
from pbem.games.nce.state import Peace, State
from pbem.games.nce.view import view
from pbem.kernel.chance import Given, Recorded
from pbem.kernel.plan import Refused
from pbem.kernel.table import Table
from tests.games.nce.play import Pseudo, position, the


def dry(state: State) -> Desk:
    return Desk(state, None, "test")


def live(state: State, rolls: dict[str, list[int]] | None = None) -> Desk:
    return Desk(state, Table(state, Recorded(beyond=Given(rolls or {}, {}, Pseudo(1)))), "test")


def test_two_sides_and_seven_powers() -> None:  # rule 1.1, 1.2, 2.5.1, 2.4.1, 2.6.1, 1.6
    state = position(set_up=True)
    assert state.majors("empire") == ["espagne", "france"]
    assert state.majors("coalition") == ["autriche", "russie", "angleterre"]
    armies = [army.power for army in charts.ARMIES.values()]
    assert armies.count("france") == 2
    assert "espagne" not in armies
    assert len(charts.CARDS) == 110
    assert charts.GENERALS["napoleon"].command == 9
    assert charts.FLEETS["ball"].tactical == 2


def test_steps_and_what_becomes_of_lost_units() -> None:  # rule 2.1.1, 2.1.2, 2.1.4
    state = position(forces=["empire paris ney: fr_i_corps, fr_viii_corps 1"])
    force = the(state, "ney")
    assert force.strength == 3
    assert not command.lose_step(state, force, "fr_i_corps")
    assert command.lose_step(state, force, "fr_i_corps")
    assert state.units["fr_i_corps"] == "pool"
    assert charts.UNITS["fr_garde"].stars == 2


def test_special_units_and_cavalry_serve_in_an_army_alone() -> None:  # rule 2.1.5, 2.2.1, 2.2.3, 2.2.4, 2.2.5
    state = position(
        forces=["empire paris napoleon grande_armee: fr_i_corps, fr_res_cav; special cavalerie_garde"]
    )
    force = the(state, "napoleon")
    assert (force.steps, force.strength) == (5, 4)
    assert fight.special_bonus(force.special) == 2
    force.army = ""
    assert command.command_problem(force)[0] == "cavalry_needs_army"
    force.army = "grande_armee"
    command.dissolve(state, force)
    assert state.specials["cavalerie_garde"] == "pool"
    assert state.armies["grande_armee"] == "wait"


def test_an_army_doubles_command_and_there_are_two_at_most() -> None:  # rule 2.5.2, 2.5.4
    state = position(
        forces=[
            "empire paris napoleon grande_armee: fr_i_corps",
            "empire paris massena armee_italie: fr_ii_corps",
        ]
    )
    assert command.limit(the(state, "napoleon")) == 18
    command.consolidate(state, "paris", "empire")
    assert len(state.at("paris", "empire")) == 2


def test_minors_without_limit_and_allied_majors_with_one() -> None:  # rule 4.2.2, 4.2.3
    state = position(forces=["empire ulm ney: fr_i_corps 1, baviere, wurtemberg"])
    assert command.command_problem(the(state, "ney")) == ("", "")
    state = position(forces=["coalition vienne charles: au_i_corps 1, ru_i_corps"])
    assert command.command_problem(the(state, "charles"))[0] == "too_many_allies"


def test_who_leads_allies() -> None:  # rule 4.3.5, 4.3.2
    state = position(
        forces=["coalition vienne charles: au_i_corps", "coalition vienne koutouzov iere_armee: ru_i_corps"]
    )
    head = command.lead(state.at("vienne", "coalition"))
    assert head.general == "koutouzov"
    command.consolidate(state, "vienne", "coalition")
    assert len(state.at("vienne", "coalition")) == 1


def test_a_dismissed_commander_is_replaced() -> None:  # rule 4.4.5, 4.4.3
    state = position(set_up=True)
    command.general_home(state, "mack")
    assert the(state, "ferdinand").general == "ferdinand"
    assert state.generals["mack"] == "wait"


def test_free_passage_and_control() -> None:  # rule 3.2.1, 3.2.2, 3.1.1
    state = position(set_up=True)
    assert state.free_passage("plock")
    assert state.controller("paris") == "empire"
    assert state.controller("vienne") == "coalition"
    assert not charts.ZONES["bristol"].fortress
    assert charts.ZONES["bristol"].city


def test_errata_and_marks_of_the_map() -> None:  # rule 3.1.2, 3.1.5, 3.1.6
    assert board.crossing("trieste", "venise") not in ("mountain", "pass")
    assert "R" in charts.COUNTRIES["baviere"].marks
    assert "P" in charts.PROVINCES["mazovie"].marks
    assert charts.SEAS["manche"].ports


def test_an_enemy_marker_bars_a_supply_line_even_over_friends() -> None:  # rule 3.2.9, 11.3.4, 11.3.5
    state = position(set_up=True)
    network = supply.Network(state, "empire", "france")
    assert not network.shut("lille")
    state.control["reims"] = "coalition"
    assert supply.Network(state, "empire", "france").shut("reims")


def test_sources_and_relays() -> None:  # rule 11.1, 11.2, 11.3.3, 22.2
    state = position(set_up=True)
    sources = supply.sources(state, "empire", "france")
    assert {"paris", "strasbourg"} <= sources
    assert "vienne" not in sources
    state.siege["strasbourg"] = 0
    assert "strasbourg" not in supply.sources(state, "empire", "france")
    english = supply.Network(state, "coalition", "angleterre")
    assert english.supplies("lisbonne")
    assert "londres" in english.by_sea("lisbonne")


def test_in_battle_the_line_goes_through_the_zone_of_entry() -> None:  # rule 11.3.8
    state = position(set_up=True)
    network = supply.Network(state, "empire", "france")
    assert network.reach("ulm", via="bade") != network.reach("ulm")


def test_a_besieged_fortress_is_fed_by_sea_alone() -> None:  # rule 11.3.7
    state = position(
        forces=["empire genes inside: fr_i_corps", "coalition genes charles: au_i_corps, au_ii_corps"]
    )
    state.siege["genes"] = 0
    state.control["genes"] = "empire"
    del state.control["genes"]
    force = the(state, "fr_i_corps")
    assert supply.supplied(state, force) == bool(supply.Network(state, "empire", "france").by_sea("genes"))
    state.fleets["ball"] = "box:genes"
    assert not supply.supplied(state, force)


def test_a_conqueror_may_cross_a_beaten_country_but_its_enemies_may_not() -> (
    None
):  # rule 11.3.10, 9.2.3, 22.5
    state = position(status={"autriche": "forced_peace"})
    state.peace["autriche"] = Peace(year=1805, by="empire")
    assert reactions.may_stand(state, "vienne", "empire")
    assert not reactions.may_stand(state, "vienne", "coalition")
    assert state.side_of("papaute") == "peace"
    assert diplomacy.target_problem(state, "empire", "danemark", minors_only=True) == ("", "")
    assert diplomacy.target_problem(state, "empire", "baviere", minors_only=True)[0]


def test_costs_of_borders_and_the_desert_road() -> None:  # rule 10.1.2, 10.1.6, 22.1
    assert board.step_cost("venise", "mantoue") == 2
    assert board.step_cost("alexandretta", "acre", 3) == 3
    assert board.supply_step("alexandretta", "acre") == 0
    assert board.supply_step("munich", "pilsen") == board.FAR


def test_an_enemy_fleet_closes_a_strait() -> None:  # rule 10.1.3, 3.2.7
    straits = [
        (z.id, n, z.strait_sea[n]) for z in charts.ZONES.values() for n in z.strait_sea if z.strait_sea[n]
    ]
    here, there, sea = straits[0]
    state = position()
    state.fleets["ball"] = f"sea:{sea}"
    assert reactions.strait_closed(state, here, there, "empire")
    assert not reactions.strait_closed(state, here, there, "coalition")


def test_who_can_intercept() -> None:  # rule 10.3.7, 10.3.8, 10.3.9
    state = position(
        forces=[
            "empire milan massena: fr_i_corps",
            "empire turin: fr_ii_corps",
            "coalition venise: au_i_corps",
        ]
    )
    assert [f.general for f in reactions.interceptors(state, "empire", "mantoue")] == ["massena"]
    assert reactions.initiative(the(state, "fr_ii_corps")) == 9
    the(state, "massena").inside = True
    assert not reactions.interceptors(state, "empire", "mantoue")


def test_countermarch_is_barred_by_mountains_and_demoralisation() -> None:  # rule 12.2.2, 12.11.2
    state = position(forces=["coalition pilsen charles: au_i_corps"])
    assert not reactions.countermarchers(state, "coalition", "munich", "defender")
    state = position(forces=["coalition salzbourg charles: au_i_corps"])
    assert reactions.countermarchers(state, "coalition", "munich", "defender")
    the(state, "charles").demoralised = True
    assert not reactions.countermarchers(state, "coalition", "munich", "defender")


def test_slower_units_cost_the_difference_at_once() -> None:  # rule 10.2.3
    state = position(forces=["empire ulm ney: fr_i_corps", "empire stuttgart: wurtemberg"])
    march = March(dry(state), the(state, "ney"), 0, Grant())
    assert march.left == 4
    march.force.units["wurtemberg"] = 1
    march.slower()
    assert march.left == 3


def test_two_armies_and_the_season_in_attrition() -> None:  # rule 11.6.6, 14.3
    state = position(
        round=6,
        forces=[
            "empire paris napoleon grande_armee: fr_i_corps",
            "empire paris massena armee_italie: fr_ii_corps",
        ],
    )
    names = [m.name for m in attrition.standing_modifiers(state, the(state, "napoleon"), winter=True)]
    assert {"two_armies", "winter_round"} <= set(names)
    final = [
        m.name for m in attrition.standing_modifiers(state, the(state, "napoleon"), winter=False, final=True)
    ]
    assert "winter_round" not in final


def test_morale_of_two_armies_is_one_value() -> None:  # rule 12.5.2, 12.11.1
    state = position(
        forces=[
            "empire paris napoleon grande_armee: fr_i_corps, fr_ii_corps",
            "empire paris massena armee_italie demoralised: fr_viii_corps",
        ]
    )
    stack = state.at("paris", "empire")
    assert command.morale(state, stack) == 5
    assert not Side(dry(state), "attacker", stack).demoralised


@pytest.mark.parametrize(
    ("card", "role", "value"),
    [
        ("8F", "attacker", 1),
        ("28F", "attacker", 2),
        ("29F", "attacker", 1),
        ("23F", "attacker", 2),
        ("29F", "defender", 0),
    ],
)
def test_combat_cards_add_what_they_say(
    card: str, role: str, value: int
) -> None:  # rule 7.5.3, 12.6.6, 7.3.4
    state = position(
        hands={"empire": [card]},
        forces=["empire paris napoleon grande_armee: fr_garde, fr_i_corps", "coalition metz: au_i_corps"],
    )
    side = Side(dry(state), role, [the(state, "napoleon")])
    side.other = Side(dry(state), "defender", [the(state, "au_i_corps")])
    side.cards, side.size = [card], "minor"
    assert sum(m.value for m in combat_cards.before_roll(side, "paris")) == value
    assert (card in state.hands["empire"]) == (value == 0)
    state.hands["empire"] = [card]
    side.cards, side.supplied = [card], False
    unsupplied = sum(m.value for m in combat_cards.before_roll(side, "paris"))
    assert unsupplied == (0 if card in ("8F", "28F") else value)


def test_where_a_beaten_defender_goes() -> None:  # rule 12.12.2, 12.12.4
    state = position(
        forces=["coalition munich charles: au_i_corps", "empire ulm napoleon grande_armee: fr_i_corps"]
    )
    loser = Side(dry(state), "defender", [the(state, "charles")])
    loser.other = Side(dry(state), "attacker", [the(state, "napoleon")], came="ulm")
    goal, fortress = aftermath.retreat_goal(state, loser, "munich")
    assert goal != "ulm"
    assert not fortress
    assert state.controller(goal) == "coalition" or state.free_passage(goal)
    assert aftermath._crossing_loss("ulm", "nuremberg") == 1
    assert aftermath._crossing_loss("ulm", "munich") == 0


def test_demoralised_twice_is_destroyed() -> None:  # rule 12.11.3, 12.10.4
    state = position(
        forces=[
            "coalition munich charles demoralised: au_i_corps, au_ii_corps",
            "empire munich napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_res_cav",
        ]
    )
    desk = live(state, {"test/morale/charles": [6]})
    loser = Side(desk, "defender", [the(state, "charles")])
    winner = Side(desk, "attacker", [the(state, "napoleon")], came="ulm")
    loser.other, winner.other, loser.morale = winner, loser, 3
    coroutine = aftermath.follow_up(desk, "munich", winner, loser, "minor", landing=False)
    with pytest.raises(StopIteration):
        coroutine.send(None)
    assert state.force_with("charles") is None


def test_sieges_end_without_besiegers_and_the_besieged_come_out() -> (
    None
):  # rule 13.3.2, 13.3.3, 13.3.4, 13.2.0
    state = position(forces=["coalition ulm mack inside: au_i_corps"], control={"ulm": "coalition"})
    state.siege["ulm"] = 2
    siege.raise_sieges(live(state))
    assert "ulm" not in state.siege
    assert not the(state, "mack").inside


def test_the_bosphorus() -> None:  # rule 15.3.2, 15.3.1
    state = position()
    way = ("mer_de_marmara", "mer_noire")
    assert waters.passage_problem(state, "empire", *way, ["emeriau"]) == ("", "")
    state.status["turquie"] = "coalition"
    assert waters.passage_problem(state, "empire", *way, ["emeriau"])[0] == "bosphorus_closed"
    with pytest.raises(Refused):
        naval.Voyage(dry(state), "coalition", ["ball", "keith", "calder", "stirling"])


def test_refuges_of_a_squadron() -> None:  # rule 15.5.2, 15.10.5
    state = position(fleets={"emeriau": "sea:golfe_du_lion"})
    ways = naval_battle.refuges(state, ["emeriau"], "golfe_du_lion", "mer_tyrrhenienne")
    assert "toulon" in ways
    assert "mer_tyrrhenienne" not in ways


def test_events_at_their_moment() -> None:  # rule 7.3.3, 7.2.1, 8.1.2, 1.10
    state = position(hands={"empire": ["16F", "8F", "4F"]})
    assert event_problem(state, "empire", PlayEvent("16F"), "activation")[0] == "event_not_now"
    assert event_problem(state, "empire", PlayEvent("16F"), "budget") == ("", "")
    assert event_problem(state, "empire", PlayEvent("8F"), "activation")[0] == "event_window"
    assert event_problem(state, "empire", PlayEvent("5F"), "diplomacy")[0] == "card_not_held"
    state.war_played["empire"] = state.year
    assert event_problem(state, "empire", PlayEvent("4F"), "activation")[0] == "one_war"


def test_the_grand_coalition() -> None:  # rule 7.2.3
    state = position("1815")
    assert plan.card_points(state, "coalition", "39C") == 4
    assert plan.card_points(state, "coalition", "5C") == 1
    state.period = "epopee"
    assert plan.card_points(state, "coalition", "39C") == 3


def test_an_empty_pile_is_made_anew_without_permanent_cards() -> None:  # rule 7.1.1, 7.1.2
    state = position(set_up=True)
    desk = live(state)
    state.played["empire"] = [*state.piles["empire"].cards]
    state.piles["empire"].cards = []
    hands.put_permanents_aside(state)
    assert len(hands.draw(desk, "empire", 2)) == 2
    assert not any(charts.CARDS[c].permanent for c in state.piles["empire"].cards)


def test_what_comes_back_in_the_budget() -> None:  # rule 6.3.13, 6.3.16
    state = position(set_up=True, generals={"bernadotte": "wait"})
    state.units["fr_xv_corps"] = "wait"
    state.returning["fr_xv_corps"] = 1
    income.open_budgets(live(state))
    assert state.generals["bernadotte"] == "pool"
    assert the(state, "fr_xv_corps").units["fr_xv_corps"] == 1
    assert not score.blockade_in_place(state)
    assert state.resources["france"] == 14


def test_key_zones_of_overseas_do_not_count_for_england() -> None:  # rule 22.6, 16.4.3, 16.4.4
    assert charts.POWERS["angleterre"].key_zones == ("londres",)
    assert {"odessa", "kiev"} <= set(charts.POWERS["russie"].key_zones)
    state = position(set_up=True, control={"moscou": "empire", "odessa": "empire", "kiev": "empire"})
    assert not conquest.conquered(state, "russie", "empire")


def test_territories_of_the_board() -> None:  # rule 22.3, 22.4
    state = position(set_up=True)
    assert state.owner_of("turin") == "france"
    assert state.owner_of("palerme") == "naples"
    assert state.owner_of("stralsund") == "suede"
    assert state.owner_of("ajaccio") == "france"


def test_terms_of_a_peace() -> None:  # rule 16.5.3, 16.5.5, 16.5.6, 16.5.7, 3.2.5
    state = position(set_up=True, control={"vienne": "empire"})
    peace.sign(live(state), "autriche", "empire", (ClaimMinor("thuringe"), Spoils()))
    assert state.status["thuringe"] == "ally_france"
    assert "autriche" not in state.next_resources
    assert state.next_resources["france"] == 4
    assert "vienne" not in state.control
    assert state.bonus_cards["empire"] == 0


def test_too_many_provinces_and_a_minor_of_another() -> None:  # rule 16.5.2
    state = position()
    with pytest.raises(Refused):
        peace.check_terms(state, "autriche", "empire", (ClaimMinor("saxe"),), 3, tilsit=False)
    with pytest.raises(Refused):
        peace.check_terms(
            state,
            "autriche",
            "empire",
            (Annex("tyrol", "baviere"), Annex("venetie", "royaume_italie")),
            1,
            tilsit=False,
        )


def test_the_loser_goes_to_his_key_zones() -> None:  # rule 16.6.3
    state = position(set_up=True, clear=["venise"], forces=["coalition mantoue charles: au_iv_corps"])
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert the(state, "au_iv_corps").zone in charts.POWERS["autriche"].key_zones
    assert the(state, "au_iv_corps").side == "neutral"


def test_the_end_of_the_game() -> None:  # rule 17.2, 17.1
    for points, winner in ((20, "empire"), (0, "coalition")):
        state = position(set_up=True, vp=points)
        score.victory_phase(live(state))
        assert state.winner == winner
    state = position(set_up=True, year=1814)
    score.victory_phase(live(state))
    assert state.over
    assert not state.winner


def test_the_peninsula_opens_by_steps() -> None:  # rule 10.1.7
    state = position(
        events=["25F"], forces=["empire bayonne napoleon grande_armee: fr_i_corps, fr_ii_corps, fr_iii_corps"]
    )
    assert iberia.limits(state) == (4, 1)
    assert iberia.problem(state, the(state, "napoleon"), "bilbao") == "peninsula_full"
    state.period = "chatiments"
    assert iberia.problem(state, the(state, "napoleon"), "bilbao") == ""


def test_a_letter_without_orders_keeps_a_point() -> None:  # rule 5, 22.9
    state = position(set_up=True)
    coroutine = RoundPlan(live(state), "empire", (NoCard(),)).run()
    with pytest.raises(StopIteration):
        coroutine.send(None)
    assert state.reserve["empire"] == 1


def test_poland_falls_only_with_france() -> None:  # rule 16.3.3
    state = position("1809", set_up=True, control={"varsovie": "coalition", "posen": "coalition"})
    assert not conquest.minor_conquered(state, "pologne", "coalition")


def test_a_squadron_loses_its_cargo_with_its_fleets() -> None:  # rule 15.7.3, 2.6.2
    state = position(
        fleets={"calder": "port:londres", "keith": "port:londres"},
        forces=["coalition londres moore: uk_i_corps, uk_ii_corps"],
    )
    voyage = naval.Voyage(live(state), "coalition", ["calder", "keith"])
    voyage._embark(("moore",))
    voyage.fleets = ["calder"]
    cargo.fit(voyage)
    assert the(state, "moore").strength == 2
    voyage.fleets = []
    cargo.fit(voyage)
    assert state.force_with("moore") is None
    assert not voyage.cargo


def test_an_unopposed_landing_takes_an_open_port() -> None:  # rule 15.7.4, 15.8.5
    state = position(fleets={"calder": "sea:manche"}, forces=["coalition londres: uk_i_corps"])
    voyage = naval.Voyage(live(state), "coalition", ["calder"])
    voyage.cargo = [the(state, "uk_i_corps").id]
    coroutine = landing.assault(voyage, "rouen")
    with pytest.raises(StopIteration):
        coroutine.send(None)
    assert state.controller("rouen") == "coalition"
    assert voyage.left == 2
    assert not voyage.over


def test_a_check_tells_where_a_force_ends_and_its_chances() -> None:  # rule 12.7.5
    state = position(
        hands={"empire": ["4F"], "coalition": []},
        control={"munich": "coalition"},
        forces=[
            "empire ulm napoleon grande_armee: fr_i_corps, fr_ii_corps",
            "coalition munich charles: au_i_corps, au_ii_corps",
        ],
    )
    answer = (NoCard(), Activate("napoleon"), Go(("munich", "salzbourg")), Besiege(1))
    _, fight, attack, end = forecast(view(state, "empire"), "empire", answer)
    assert isinstance(fight, ForecastBattle)
    assert 50 < fight.win <= 100
    assert isinstance(attack, ForecastSiege)
    assert attack.chances[0] < attack.chances[2]
    assert isinstance(end, ForecastMarch)
    assert end.zone == "salzbourg"
    assert the(state, "napoleon").zone == "ulm"


def test_generals_of_two_powers_who_meet_keep_what_one_can_lead() -> None:  # rule 4.2.3, 4.2.5
    state = position(
        forces=[
            "coalition ulm ferdinand: au_vi_corps, au_vii_corps, au_iii_corps",
            "coalition ulm tormassov: ru_iii_corps, ru_iv_corps, ru_ix_corps",
        ]
    )
    command.consolidate(state, "ulm", "coalition")
    (force,) = state.at("ulm", "coalition")
    assert not command.command_problem(force)[0]
    assert force.steps == command.limit(force) == 6
