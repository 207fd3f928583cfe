"""Conquest and peace: who conquered, what may be taken, who goes where, what the score says."""

from __future__ import annotations

import pytest

from pbem.games.nce import score
from pbem.games.nce.cards import hands
from pbem.games.nce.charts import ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.land import siege, supply
from pbem.games.nce.powers import budget, conquest, diplomacy, income, parting, peace
from pbem.games.nce.questions import Terms
from pbem.games.nce.replies import Annex, Build, ClaimMinor, Done, GoHome, Restore
from pbem.games.nce.state import Peace, State, War
from pbem.kernel.chance import Given, Recorded
from pbem.kernel.plan import Refused, rehearse
from pbem.kernel.table import Table
from tests.games.nce.play import Pseudo, position, the


def live(state: State, rolls: dict[str, list[int]] | None = None) -> Desk:
    return Desk(state, Table(state, Recorded(beyond=Given(rolls or {}, {}, Pseudo(1)))), "test")


def test_missing_provinces_are_paid_for_only_where_there_are_none_left() -> None:  # rule 16.5.5
    state = position(status={"angleterre": "coalition"})
    for minor in [c for c, status in state.status.items() if status == "ally_angleterre"]:
        state.status[minor] = "neutral"
    assert peace.still_to_be_had(state, "angleterre", "empire") == 0
    peace.sign(live(state), "angleterre", "empire", (Done(),))
    assert state.next_resources["angleterre"] == -12
    assert state.bonus_cards["empire"] == 1


def test_islands_may_be_taken_and_rocks_may_not() -> None:  # rule 16.5.2
    state = position()
    for province in ("sicile", "sardaigne"):
        assert peace.province_problem(state, "angleterre", "empire", Annex(province, "france")) == ("", "")
    for province in ("gibraltar", "irlande", "malte"):
        code, _ = peace.province_problem(state, "angleterre", "empire", Annex(province, "france"))
        assert code == "not_annexable"


def test_poland_is_made_of_mazovie_first() -> None:  # rule 9.3.5
    state = position(status={"prusse": "coalition"})
    posnanie, mazovie = Annex("posnanie", "pologne"), Annex("mazovie", "pologne")
    assert peace.province_problem(state, "prusse", "empire", posnanie)[0] == "no_poland"
    assert peace.province_problem(state, "prusse", "empire", Annex("silesie", "pologne"))[0] == "not_polish"
    assert peace.province_problem(state, "prusse", "empire", Annex("mazovie", "france"))[0] == "not_annexable"
    peace.check_terms(state, "prusse", "empire", (mazovie, posnanie), 3, tilsit=False)


def test_the_polish_point_comes_with_the_second_province_whenever_that_is() -> None:  # rule 9.3.5
    state = position(status={"prusse": "coalition", "russie": "coalition"}, vp=5)
    peace.sign(live(state), "prusse", "empire", (Annex("mazovie", "pologne"),))
    assert (state.vp, state.escalation) == (5, 2)
    assert state.units["pologne_1"] == "pool"
    peace.sign(live(state), "russie", "empire", (Annex("polesie", "pologne"), Annex("volhynie", "pologne")))
    assert state.vp == 6
    assert state.units["pologne_2"] == "pool"


def test_polish_units_are_not_rebuilt_while_varsovie_is_lost() -> None:  # rule 9.3.5
    state = position(
        status={"pologne": "protectorate"},
        owner={"mazovie": "pologne", "posnanie": "pologne"},
        control={"varsovie": "coalition"},
        units={"pologne_2": "pool"},
        forces=["empire posen poniatowski: pologne_1 1"],
        phase="budget",
    )
    state.resources = {"minors_empire": 4.0}
    for order in (Build("pologne_2", "posen"), Restore("pologne_1")):
        desk = Desk(state, None, "test")
        rehearse(budget.Treasury(desk, "empire").run((order,)))
        assert [problem.code for problem in desk.problems] == ["varsovie_lost"]


def test_the_conqueror_is_who_took_the_capital() -> None:  # rule 16.3.1, 16.5.3
    state = position(forces=["coalition munich charles: au_i_corps"], status={"baviere": "ally_france"})
    siege.mark(live(state), "munich", "coalition")
    assert conquest.conqueror_of(state, "baviere", "coalition") == "autriche"
    assert conquest.conqueror_of(state, "wurtemberg", "coalition") == "angleterre"
    state.status["baviere"] = "annexed_autriche"
    assert peace.minor_problem(state, "autriche", "baviere")[0] == "not_his_minor"
    assert peace.minor_problem(state, "autriche", "baviere", ("baviere",)) == ("", "")


def test_some_of_the_victors_stay_and_some_leave() -> None:  # rule 16.6.1
    state = position(
        set_up=True,
        clear=["salzbourg", "venise", "innsbruck", "budapest"],
        forces=["empire vienne davout: fr_v_corps", "empire graz marmont: fr_vi_corps"],
    )
    peace.sign(live(state), "autriche", "empire", (GoHome(forces=("davout",)),))
    assert ZONES[the(state, "davout").zone].country != "autriche"
    assert the(state, "marmont").zone == "graz"


def test_from_england_the_french_go_to_a_fortress_on_the_channel() -> None:  # rule 16.6.1
    state = position(set_up=True, clear=["londres"], forces=["empire londres davout: fr_v_corps"])
    peace.sign(live(state), "angleterre", "empire", (GoHome(),))
    zone = the(state, "davout").zone
    assert ZONES[zone].port == "manche"
    assert ZONES[zone].fortress
    assert state.owner_of(zone) == "france"


def test_england_goes_back_to_war_and_who_is_still_there_is_lost() -> None:  # rule 9.1.3
    state = position(
        year=1807,
        status={"angleterre": "forced_peace"},
        forces=["empire londres davout: fr_v_corps"],
        fixed={"plymouth": ["france"]},
    )
    state.peace["angleterre"] = Peace(year=1806, by="empire")
    peace.tests(live(state, {"test/peace/angleterre": [5]}))
    assert state.status["angleterre"] == "coalition"
    assert state.force_with("davout") is None
    assert state.fixed == {}


def test_the_first_conquest_counts_even_after_tilsit() -> None:  # rule 17.3
    state = position(set_up=True)
    peace.sign(live(state), "autriche", "empire", (Done(),), tilsit=True)
    assert state.beaten["empire"]["autriche"] == 1
    assert state.bonus_cards["empire"] == 0
    assert state.flags["tilsit_autriche"] == 1


def test_a_power_beaten_twice_is_at_peace_for_good() -> None:  # rule 9.1.3, 17.7
    state = position(set_up=True, beaten={"empire": {"autriche": 1}})
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert state.peace["autriche"].forever
    state.year += 3
    peace.tests(live(state))
    assert state.status["autriche"] == "forced_peace"
    income.open_budgets(live(state))
    assert "autriche" in state.reforms


def test_a_forced_alliance_needs_a_second_defeat_or_the_drums() -> None:  # rule 9.1.4
    state = position(set_up=True)
    assert not peace.alliance_possible(state, "autriche")
    state.flags["drums_autriche"] = 99999
    assert peace.alliance_possible(state, "autriche")
    assert peace.most_provinces(state, "autriche") == 4
    del state.flags["drums_autriche"]
    state.beaten["empire"]["autriche"] = 1
    assert peace.alliance_possible(state, "autriche")


def test_the_war_of_liberation_is_won_with_madrid_and_the_ports() -> None:  # rule 17.6, 16.4.2
    zones = ("barcelone", "bilbao", "cadix", "carthagene", "la_corogne", "lisbonne", "porto", "valence")
    state = position(
        status={"espagne": "coalition", "portugal": "ally_angleterre"},
        flags={"war_of_liberation": 99999},
        control=dict.fromkeys(("madrid", *zones), "empire"),
    )
    assert not conquest.conquered(state, "espagne", "empire")
    question = Terms(key="t", seat="empire", rule="16.5", power="espagne", most=3)
    assert not question.check(state, question.default(state))


def test_terms_beyond_the_limit_name_what_would_be_legal() -> None:  # rule 16.5.2
    state = position()
    question = Terms(key="t", seat="empire", rule="16.5", power="autriche", most=2)
    wanted = (Annex("tyrol", "baviere"), Annex("venetie", "royaume_italie"), Annex("frioul", "france"))
    (problem,) = question.check(state, wanted)
    assert (problem.code, problem.rule, problem.order) == ("too_many_provinces", "16.5.2", 2)
    assert problem.nearest == wanted[:2]


def test_a_minor_fleet_lost_in_a_foreign_war_is_replaced_by_its_protector() -> None:  # rule 7.4.4, 16.3.5
    state = position(set_up=True)
    state.wars.append(War("34F", "angleterre", {}, ["fleet_portugal"]))
    state.fleets["fleet_portugal"] = "abroad"
    rehearse(conquest._lose_fleet(Desk(state, None, "test"), "fleet_portugal"))
    assert state.fleets["fleet_portugal"] == "out"
    (fleet,) = state.wars[0].fleets
    assert state.fleets[fleet] == "abroad"
    assert fleet != "fleet_portugal"


def test_what_an_event_asked_in_vain_is_built_and_given_up() -> None:  # rule 6.3.15, 22.8
    state = position(year=1806)
    state.wars.append(War("4F", "russie", {}, [], ["corps"]))
    income.open_budgets(live(state))
    (unit,) = state.wars[0].units
    assert state.units[unit] == "abroad"
    assert state.resources["russie"] == 12 - 2
    assert state.wars[0].owed == []
    state.wars[0].owed = ["fleet"]
    state.next_resources["russie"] = -12
    income.open_budgets(live(state))
    assert state.wars[0].owed == ["fleet"]


def test_control_without_supply_counts_for_nobody() -> None:  # rule 3.2.6, 6.2.2
    state = position(
        set_up=True, control={"mantoue": "coalition"}, clear=["venise", "innsbruck", "salzbourg"]
    )
    state.control.update(dict.fromkeys(("venise", "trieste", "klagenfurt", "innsbruck", "zara"), "empire"))
    assert not supply.zone_supplied(state, "mantoue", "coalition")
    assert "mantoue" in hands.sources(state, "empire")
    assert "mantoue" not in hands.sources(state, "coalition")


def test_the_blockade_counts_supplied_control_and_the_beaten() -> None:  # rule 17.4, 16.5.1
    state = position(set_up=True, events=["25F"])
    assert not score.blockade_in_place(state)
    for country in [c for c in state.status if state.side_of(c) != "empire"]:
        state.status[country] = "neutral" if country in ("autriche", "russie", "prusse") else "ally_france"
    state.beaten["empire"].update(autriche=1, russie=1)
    assert not score.blockade_in_place(state)
    state.beaten["empire"]["prusse"] = 1
    state.status["angleterre"] = state.status["turquie"] = "neutral"
    assert score.blockade_in_place(state)


def test_nobody_is_parted_where_nobody_shares_a_zone() -> None:  # rule 9.1.4
    state = position(
        status={"prusse": "forced_alliance"},
        beaten={"empire": {"prusse": 2}},
        forces=["neutral berlin blucher: pr_i_corps", "empire stettin davout: fr_i_corps"],
        year=1812,
    )
    rehearse(parting.break_up(live(state), "prusse", "coalition"))
    assert state.status["prusse"] == "coalition"
    assert state.controller("stettin") == "empire"
    assert the(state, "blucher").side == "coalition"


def test_unions_end_with_their_last_member() -> None:  # rule 9.3.1, 9.3.2
    members = ("bade", "baviere", "berg", "hesse", "palatinat", "saxe", "thuringe", "wurtemberg")
    state = position(
        status={"confederation_rhin": "protectorate", **dict.fromkeys(members, "ally_angleterre")}
    )
    state.status["bade"] = "ally_france"
    diplomacy.dissolve_unions(state)
    assert state.status["confederation_rhin"] == "protectorate"
    state.status["bade"] = "ally_angleterre"
    diplomacy.dissolve_unions(state)
    assert state.status["confederation_rhin"] == "absent"


def test_a_wrong_minor_is_refused() -> None:  # rule 16.5.3
    with pytest.raises(Refused):
        peace.check_terms(position(), "autriche", "empire", (ClaimMinor("saxe"),), 3, tilsit=False)
