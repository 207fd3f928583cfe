"""4.5, 8.4, 11.6.6: what a force takes up on its way, and what that costs it."""

from __future__ import annotations

from pbem.games.nce.cards.effects_units import restorable
from pbem.games.nce.events_field import AttritionTested
from tests.games.nce.field import Field
from tests.games.nce.play import position, the

CARD = {"empire": ["4F"], "coalition": []}
ARMY = "empire ulm napoleon grande_armee: fr_i_corps"


def test_who_takes_units_of_the_demoralised_is_demoralised() -> None:  # rule 12.11.1, 4.5.1
    field = Field(
        hands=CARD,
        forces=["empire ulm davout: fr_i_corps", "empire munich ney demoralised: fr_ii_corps, fr_iii_corps"],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\ntake units fr_ii_corps\ngo to Nuremberg")
    assert the(field.state, "davout").demoralised


def test_units_left_with_friends_do_not_demoralise_who_leaves_them() -> None:  # rule 12.11.1
    field = Field(
        hands=CARD,
        forces=["empire ulm davout: fr_i_corps, fr_iv_corps", "empire munich ney demoralised: fr_ii_corps"],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Munich\nleave fr_iv_corps\ngo to Nuremberg")
    assert not the(field.state, "davout").demoralised
    assert the(field.state, "fr_iv_corps").demoralised


def test_two_orders_to_pick_up_cost_one_point() -> None:  # rule 8.4
    field = Field(
        hands=CARD,
        forces=[ARMY, "empire stuttgart marmont: fr_ii_corps", "empire innsbruck: fr_v_corps"],
    )
    field.order(
        "empire",
        "play 4F\nactivate Napoléon\npick up Marmont\npick up fr_v_corps\ngo to Bade, Strasbourg",
    )
    assert (field.where("napoleon"), field.steps("napoleon")) == ("strasbourg", 6)


def test_an_army_that_marches_to_the_guns_without_its_neighbour_is_one_army() -> None:  # rule 11.6.6
    field = Field(
        {
            "countermarch/massena/munich": [6],
            "attrition/massena/munich": [1],
            "battle/munich/attack": [6, 6],
            "battle/munich/defence": [1, 1],
            "wound/davout": [1],
            "morale/charles": [1],
        },
        hands=CARD,
        forces=[
            "empire ulm napoleon grande_armee: fr_i_corps, fr_ii_corps",
            "empire ulm massena armee_italie: fr_viii_corps, fr_ix_corps",
            "empire stuttgart davout: fr_iii_corps, fr_iv_corps",
            "coalition munich charles: au_i_corps, au_ii_corps",
        ],
    )
    field.order("empire", "play 4F\nactivate Davout\ngo to Ulm, Munich\ncountermarch Masséna")
    field.order("coalition", "stay")
    assert "two_armies" not in field.modifiers(AttritionTested)


def test_a_corps_without_general_leaves_its_depot_behind() -> None:  # rule 2.3.4
    field = Field(hands=CARD, forces=["empire ulm: fr_i_corps; depots 1"])
    field.order("empire", "play 4F\nactivate fr_i_corps\ngo to Munich")
    assert the(field.state, "fr_i_corps").depots == []
    assert field.state.fixed == {"ulm": ["france"]}


def test_an_event_restores_no_ally_beyond_what_the_general_may_lead() -> None:  # rule 4.2.3
    effect = {"types": ["corps"], "where": ["supplied"]}
    for own, restored in (("au_i_corps, au_ii_corps", ["ru_i_corps"]), ("au_i_corps", [])):
        state = position(forces=[f"coalition vienne charles: {own}, ru_i_corps 1"])
        assert restorable(state, "coalition", effect) == restored
