"""The year's end: what counts as conquered, and how a peace takes the armies apart."""

from __future__ import annotations

from typing import Any

from pbem.games.nce import score
from pbem.games.nce.cards import hands
from pbem.games.nce.charts import UNITS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.land import siege, supply
from pbem.games.nce.powers import conquest, diplomacy, parting, peace, tyrol
from pbem.games.nce.replies import Done
from pbem.games.nce.soundness import invariants
from pbem.games.nce.state import State
from pbem.kernel.chance import Given, Recorded
from pbem.kernel.plan import rehearse
from pbem.kernel.table import Table
from tests.games.nce.field import Field
from tests.games.nce.play import Pseudo, position, the


def live(state: State, rolls: dict[str, list[int]] | None = None) -> Desk:
    return Desk(state, Table(state, Recorded(beyond=Given(rolls or {}, {}, Pseudo(1)))), "test")


def test_the_markers_of_the_beaten_power_leave_the_rest_of_the_map() -> None:  # rule 3.2.5
    state = position(set_up=True, clear=["munich"], control={"munich": "coalition", "stuttgart": "coalition"})
    state.takers.update(munich="autriche", stuttgart="russie")
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert state.controller("munich") == "empire"
    assert state.controller("stuttgart") == "coalition"


def test_a_marker_stays_where_an_ally_of_the_beaten_power_stands() -> None:  # rule 3.2.5
    state = position(
        set_up=True,
        clear=["munich"],
        control={"munich": "coalition"},
        forces=["coalition munich koutouzov: ru_i_corps"],
    )
    state.takers["munich"] = "autriche"
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert state.controller("munich") == "coalition"
    assert state.takers["munich"] == "russie"


def test_units_of_the_beaten_power_leave_the_armies_of_their_allies() -> None:  # rule 16.6.3
    state = position(
        set_up=True,
        forces=["coalition brunn koutouzov iere_armee: ru_i_corps, ru_ii_corps, au_i_corps; subs hiller"],
    )
    peace.sign(live(state), "autriche", "empire", (Done(),))
    russians, corps = the(state, "koutouzov"), the(state, "au_i_corps")
    assert {UNITS[unit].power for unit in russians.units} == {"russie"}
    assert "hiller" not in russians.subs
    assert corps is not russians
    assert corps.side == "neutral"
    assert state.owner_of(corps.zone) == "autriche"


def test_allies_leave_the_army_of_the_beaten_power() -> None:  # rule 16.6.2
    state = position(
        set_up=True,
        clear=["salzbourg"],
        forces=["coalition brunn charles armee_allemagne: au_i_corps, au_ii_corps, ru_i_corps"],
    )
    peace.sign(live(state), "autriche", "empire", (Done(),))
    corps = the(state, "ru_i_corps")
    assert corps.side == "coalition"
    assert state.home_side(corps.zone) == "coalition"
    assert {UNITS[unit].power for unit in the(state, "charles").units} == {"autriche"}


def test_minors_of_the_beaten_power_take_their_corps_off_the_map() -> None:  # rule 16.6, 22.5
    state = position(
        set_up=True,
        status={"prusse": "coalition", "saxe": "ally_prusse"},
        clear=["berlin"],
        forces=["coalition berlin blucher: pr_i_corps, saxe"],
    )
    peace.sign(live(state), "prusse", "empire", (Done(),))
    assert state.force_with("saxe") is None
    assert state.units["saxe"] == "pool"
    assert the(state, "blucher").units == {"pr_i_corps": 2}


def test_fleets_of_the_beaten_power_leave_the_ports_of_its_allies() -> None:  # rule 16.6.3
    state = position(set_up=True, fleets={"hanikov": "port:portsmouth"})
    peace.sign(live(state), "russie", "empire", (Done(),))
    kind, _, port = state.fleets["hanikov"].partition(":")
    assert kind == "port"
    assert state.owner_of(port) == "russie"


def test_sieges_of_the_beaten_power_are_raised_before_the_budget() -> None:  # rule 13.3.1, 16.6.3
    state = position(
        set_up=True,
        phase="end",
        round=7,
        clear=["salzbourg", "venise", "innsbruck", "budapest", "munich"],
        control={"salzbourg": "empire", "vienne": "empire", "prague": "empire"},
        siege={"mantoue": 1},
        forces=[
            "coalition mantoue charles: au_iv_corps, au_v_corps, au_vi_corps",
            "empire vienne napoleon grande_armee: fr_i_corps, fr_ii_corps",
            "empire munich ney: fr_iii_corps",
        ],
        hands={"empire": [], "coalition": []},
    )
    assert conquest.conquered(state, "autriche", "empire")
    rehearse(conquest.conquest_phase(Desk(state, None, "test")))
    assert state.status["autriche"] == "forced_peace"
    assert "mantoue" not in state.siege


def test_a_demoralised_army_does_not_save_its_country() -> None:  # rule 16.4.1, 16.2, 12.11.4
    state = position(
        set_up=True,
        phase="end",
        round=7,
        clear=["salzbourg", "venise", "innsbruck", "budapest", "munich"],
        control={"salzbourg": "empire", "vienne": "empire"},
        forces=[
            "coalition prague charles armee_allemagne demoralised: au_iv_corps, au_v_corps, au_vi_corps",
            "empire vienne napoleon grande_armee: fr_i_corps, fr_ii_corps",
            "empire munich ney: fr_iii_corps",
        ],
        hands={"empire": [], "coalition": []},
    )
    assert supply.supplied(state, the(state, "charles"))
    rehearse(conquest.end_of_activations(Desk(state, None, "test")))
    rehearse(conquest.conquest_phase(Desk(state, None, "test")))
    assert state.status["autriche"] == "forced_peace"
    assert not the(state, "charles").demoralised


def test_poland_is_made_although_its_owner_makes_peace() -> None:  # rule 9.3.5, 16.2
    state = position(
        set_up=True,
        phase="end",
        round=7,
        status={"prusse": "coalition"},
        clear=["berlin", "varsovie", "magdebourg", "breslau"],
        control=dict.fromkeys(
            ("berlin", "koenigsberg", "varsovie", "posen", "magdebourg", "stettin"), "empire"
        ),
        flags={"walewska": 99999},
        hands={"empire": [], "coalition": []},
    )
    assert conquest.conquered(state, "prusse", "empire")
    rehearse(conquest.conquest_phase(Desk(state, None, "test")))
    assert state.status["prusse"] == "forced_peace"
    assert state.status["pologne"] == "protectorate"
    assert state.owner_of("varsovie") == "pologne"


def test_a_besieged_fortress_holds_nothing_for_its_side() -> None:  # rule 3.2.6, 11.3.7
    state = position(
        set_up=True,
        clear=["salzbourg", "munich"],
        control={"salzbourg": "empire", "vienne": "empire"},
        forces=["empire munich ney: fr_iii_corps"],
    )
    assert score.held(state, "vienne", "empire")
    assert "vienne" not in hands.sources(state, "coalition")
    state = position(
        set_up=True,
        clear=["salzbourg", "munich"],
        control={"salzbourg": "empire", "vienne": "empire"},
        siege={"vienne": 0},
        forces=["empire munich ney: fr_iii_corps", "coalition vienne charles: au_i_corps, au_ii_corps"],
    )
    assert not score.held(state, "vienne", "empire")
    assert "vienne" in hands.sources(state, "coalition")


def test_an_empty_fortress_does_not_wake_under_the_feet_of_the_enemy() -> None:  # rule 13.4.3, 3.2.6
    state = position(
        set_up=True,
        clear=["salzbourg", "munich"],
        control={"salzbourg": "empire", "vienne": "empire"},
        empty=["vienne"],
        forces=["empire munich ney: fr_iii_corps", "coalition vienne charles: au_i_corps, au_ii_corps"],
    )
    conquest._reactivate_supplied(live(state))
    assert "vienne" in state.empty
    conquest._markers(live(state))
    assert state.controller("vienne") == "coalition"
    assert ZONES["vienne"].fortress


def test_mantoue_counts_for_the_empire_only_in_supply() -> None:  # rule 17.2, 3.2.6
    given = {
        "set_up": True,
        "year": 1814,
        "events": ["45F"],
        "owner": {"lombardie": "autriche"},
        "control": {"mantoue": "empire", "milan": "empire"},
        "clear": ["venise", "milan", "mantoue"],
    }
    fed = position(**given)
    score._last_year(live(fed))
    assert fed.winner == "empire"
    beset = position(
        **given, siege={"mantoue": 0}, forces=["coalition mantoue charles: au_i_corps, au_ii_corps"]
    )
    score._last_year(live(beset))
    assert beset.winner == ""


def test_corps_lent_by_a_forced_ally_go_home_when_it_breaks_away() -> None:  # rule 9.1.4
    state = position(
        status={"prusse": "forced_alliance", "saxe": "ally_france"},
        beaten={"empire": {"prusse": 2}},
        flags={"lent_pr_i_corps": 99999},
        forces=["empire dresde davout: fr_i_corps, fr_ii_corps, pr_i_corps"],
        year=1812,
    )
    rehearse(parting.break_up(Desk(state, None, "test"), "prusse", "coalition"))
    corps = the(state, "pr_i_corps")
    assert corps is not the(state, "davout")
    assert corps.side == "coalition"


def test_a_minor_that_goes_over_keeps_what_its_own_corps_guards() -> None:  # rule 9.2.9
    state = position(status={"saxe": "ally_france"}, forces=["empire dresde: saxe"])
    diplomacy.join_side(live(state), "saxe", "coalition")
    assert state.controller("dresde") == "coalition"
    french = position(status={"saxe": "ally_france"}, forces=["empire dresde davout: fr_i_corps"])
    diplomacy.join_side(live(french), "saxe", "coalition")
    assert french.controller("dresde") == "empire"


def test_a_garrison_on_its_way_home_is_lost_with_its_country() -> None:  # rule 16.3.5
    state = position(
        set_up=True, clear=["munich", "ulm"], control={"munich": "coalition", "ulm": "coalition"}
    )
    state.units["baviere"], state.returning["baviere"] = "wait", 2
    rehearse(conquest._take_minor(Desk(state, None, "test"), "baviere", "coalition"))
    assert "baviere" not in state.returning
    assert state.units["baviere"] == "pool"


def test_paris_cut_off_is_no_conquest_of_paris() -> None:  # rule 17.3, 3.2.6
    cut_off = position(set_up=True, control={"paris": "coalition"}, hands={"empire": [], "coalition": []})
    rehearse(conquest.conquest_phase(Desk(cut_off, None, "test")))
    assert not cut_off.flags.get("paris_fell")
    held = position(
        set_up=True,
        control={"paris": "coalition", "rouen": "coalition"},
        fixed={"rouen": ["angleterre"]},
        hands={"empire": [], "coalition": []},
        vp=9,
    )
    rehearse(conquest.conquest_phase(Desk(held, None, "test")))
    assert held.vp == 8


def test_allies_leave_the_minors_of_the_beaten_power_too() -> None:  # rule 16.6.2, 9.1.3
    state = position(set_up=True, forces=["coalition rome: naples"])
    assert state.status["papaute"] == "ally_autriche"
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert state.home_side(the(state, "naples").zone) == "coalition"


def uprising(**given: Any) -> Field:
    """Dos de Mayo is played while the forces stand as given."""
    field = Field(
        side="coalition",
        year=1808,
        events=["24F"],
        hands={"empire": ["4F"], "coalition": ["19C"]},
        **given,
    )
    field.order("coalition", "event 19C zones Cadix, Seville, Barcelone, Leon")
    return field


def test_espagne_is_nobodys_while_the_empire_chooses_how_to_part() -> None:  # rule 17.6, 9.1.4
    field = uprising(
        forces=["empire madrid davout: fr_i_corps, fr_ii_corps, sp_i_corps", "coalition orense: portugal"],
    )
    assert field.asked() == ["empire parting"]
    assert field.state.side_of("espagne") == "peace"


def test_who_besieges_with_spaniards_does_not_shelter_among_the_besieged() -> None:  # rule 17.6, 9.1.4
    field = uprising(
        control={"vienne": "empire"},
        siege={"prague": 0},
        forces=[
            "empire prague davout: fr_i_corps, fr_ii_corps, sp_i_corps 1",
            "coalition prague bagration inside: ru_i_corps",
        ],
    )
    problem = field.problem("empire", "at Prague into the fortress")
    assert (problem.code, problem.rule) == ("no_fortress_here", "9.1.4")
    field.order("empire", "at Prague fight")
    assert field.state.controller("prague") == "coalition"
    assert not invariants(field.state)


def test_spaniards_leave_the_soil_of_a_power_that_the_empire_has_beaten() -> None:  # rule 17.6, 9.1.4, 9.2.9
    field = uprising(
        status={"prusse": "forced_peace", "saxe": "ally_prusse"},
        forces=[
            "empire dresde davout: fr_i_corps, fr_ii_corps, sp_i_corps 1",
            "coalition prague: ru_i_corps",
        ],
    )
    assert field.asked() != ["empire parting"]
    assert the(field.state, "sp_i_corps").zone != "dresde"
    assert not the(field.state, "davout").inside
    assert not invariants(field.state)


def test_tyrol_rises_where_only_a_marker_was_the_empires() -> None:  # rule 9.3.3, 3.2.3
    state = position(status={"baviere": "ally_angleterre"}, owner={"tyrol": "baviere"})
    state.control["innsbruck"] = "empire"
    rehearse(tyrol.rises(Desk(state, None, "test")))
    assert state.controller("innsbruck") == "coalition"
    assert "innsbruck" not in state.control


def test_sieges_and_markers_leave_the_minors_of_the_beaten_power() -> None:  # rule 3.2.5, 13.3.1
    state = position(
        set_up=True,
        siege={"rome": 2},
        control={"ancone": "empire"},
        forces=["empire rome saint_cyr: fr_xi_corps"],
    )
    assert state.owner_of("ancone") == state.owner_of("rome") == "papaute"
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert "rome" not in state.siege
    assert "ancone" not in state.control
    rehearse(conquest.end_of_activations(Desk(state, None, "test")))


def test_a_siege_ends_with_the_war() -> None:  # rule 13.3.1
    state = position(
        siege={"rome": 2}, status={"papaute": "neutral"}, forces=["empire rome saint_cyr: fr_xi_corps"]
    )
    siege.raise_sieges(live(state))
    assert state.siege == {}


def test_the_corps_of_a_union_goes_with_it() -> None:  # rule 9.3.1, 9.3.2
    members = ("bade", "baviere", "berg", "hesse", "palatinat", "saxe", "thuringe", "wurtemberg")
    state = position(
        status={"confederation_rhin": "protectorate", **dict.fromkeys(members, "ally_angleterre")},
        forces=["empire mayence davout: fr_i_corps, rhin"],
    )
    diplomacy.dissolve_unions(state)
    assert state.force_with("rhin") is None
    assert state.units["rhin"] == "aside"
    assert the(state, "davout").units == {"fr_i_corps": 2}


def test_a_spanish_general_who_led_only_allies_is_left_without_troops() -> None:  # rule 17.6, 2.4.3
    state = position(
        status={"portugal": "ally_france"},
        year=1808,
        events=["24F"],
        forces=["empire ciudad_rodrigo blake: portugal"],
    )
    rehearse(parting.rise(Desk(state, None, "test")))
    assert state.force_with("blake") is None
    assert the(state, "portugal").units == {"portugal": 2}


def test_a_permanent_card_is_never_shuffled_in() -> None:  # rule 7.1.1, 7.1.2
    state = position(hands={"empire": [], "coalition": []})
    state.piles["coalition"].cards = []
    state.permanent["coalition"].remove("1C")
    state.played["coalition"] = ["1C", "22C"]
    assert hands.draw(live(state), "coalition", 2) == ["22C"]
    assert "1C" in state.permanent["coalition"]


def test_a_named_card_is_fetched_from_the_played_cards_the_pile_untouched() -> None:  # rule 7.3
    state = position(hands={"empire": [], "coalition": []})
    state.set_aside["empire"].remove("45F")
    state.played["empire"] = ["45F"]
    before = list(state.piles["empire"].cards)
    hands.fetch(live(state), "empire", "45F")
    assert state.hands["empire"] == ["45F"]
    assert state.piles["empire"].cards == before
    hands.fetch(live(state), "empire", "45F")
    assert state.hands["empire"] == ["45F"]


def test_a_named_card_is_fetched_from_the_pile_which_is_shuffled_again() -> None:  # rule 7.3, 7.1
    state = position(hands={"empire": [], "coalition": []})
    state.set_aside["empire"].remove("45F")
    before = [*state.piles["empire"].cards]
    state.piles["empire"].cards = [*before[:3], "45F", *before[3:]]
    label = state.piles["empire"].label
    hands.fetch(live(state), "empire", "45F")
    assert state.hands["empire"] == ["45F"]
    assert sorted(state.piles["empire"].cards) == sorted(before)
    assert state.piles["empire"].label != label


def test_a_besieged_conqueror_comes_out_of_the_fortress_at_the_peace() -> None:  # rule 16.6.1, 13.3.2
    state = position(
        set_up=True,
        clear=["salzbourg"],
        control={"salzbourg": "empire"},
        siege={"salzbourg": 1},
        forces=[
            "empire salzbourg inside: fr_v_corps",
            "coalition salzbourg charles: au_i_corps, au_ii_corps",
        ],
    )
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert not the(state, "fr_v_corps").inside
