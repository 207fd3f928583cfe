"""1.9: in the fog nobody sees the back of enemy fleets: not in views, events, questions, labels, words or maps."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.nce import RULES, fronts
from pbem.games.nce.admiralty import INTERCEPTION, Fleets
from pbem.games.nce.charts import FLEETS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import FleetsMoved, NavalBattle
from pbem.games.nce.naval import Voyage
from pbem.games.nce.naval_contact import question
from pbem.games.nce.state import State, view
from pbem.reports.catalogue import Catalogue
from tests.games.nce.play import new, play_out, position
from tests.games.nce.test_failures import Listener

ALIKE = ("keith", "ball")
"""Two English fleets with one front and other backs."""


def sea(fog: bool = True, **fleets: str) -> State:
    state = position(set_up=True)
    state.options["fog"] = "yes" if fog else "no"
    state.fleets.update(fleets)
    return state


def test_fleets_that_look_alike_cannot_be_told_apart() -> None:
    assert fronts.front("keith") == fronts.front("ball")
    assert FLEETS["keith"].tactical != FLEETS["ball"].tactical
    one = sea(keith="sea:manche", ball="port:londres")
    other = sea(keith="port:londres", ball="sea:manche")
    assert view(one, "empire") == view(other, "empire")
    assert view(one, None) == view(other, None)
    assert view(one, "coalition") != view(other, "coalition")
    assert sorted(view(one, "empire").fleets.values()) == sorted(one.fleets.values())


def test_without_the_option_all_are_known() -> None:
    state = sea(fog=False, keith="sea:manche")
    assert view(state, "empire").fleets == state.fleets
    assert fronts.shown(state, ALIKE, "empire") == ALIKE


def test_a_squadron_that_sails_is_named_to_its_owner_alone() -> None:
    listener: Any = Listener()
    Desk(sea(), listener, "test").tell(FleetsMoved(fleets=ALIKE, to="manche"))
    (mine, to_me), (theirs, to_them) = listener.told
    assert (mine.fleets, to_me) == (ALIKE, ("coalition",))
    assert (set(theirs.fleets), to_them) == ({fronts.front("keith")}, ("empire",))
    for lang, said in (("en", "a fleet of England 2-5"), ("fr", "une flotte 2-5 (Angleterre)")):
        assert said in Catalogue(lang, RULES).event(theirs)


def test_a_battle_shows_everybody() -> None:
    listener: Any = Listener()
    event = NavalBattle(
        place="manche",
        attackers=("keith",),
        defenders=("villeneuve",),
        attacker_dice=(1,),
        defender_dice=(1,),
        attacker_total=2,
        defender_total=1,
        winner="coalition",
    )
    Desk(sea(), listener, "test").tell(event)
    assert listener.told == [(event, None)]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_asked_tells_the_front_and_its_key_no_name(lang: str) -> None:
    state = sea(keith="sea:manche")
    asked: Fleets = question(
        Voyage(Desk(state, None, "test"), "coalition", ["keith"]), "manche", INTERCEPTION, ()
    )
    assert "keith" not in asked.key
    text = Catalogue(lang, RULES).question(asked, view(state, "empire"))
    assert "Keith" not in text
    assert "2-5" in text


def test_dice_are_not_called_by_a_fleet() -> None:
    assert "keith" not in Desk(sea(), None, "test").label("naval-interception", "keith", "manche")
    assert "keith" in Desk(sea(fog=False), None, "test").label("naval-interception", "keith", "manche")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_status_and_map_name_only_ones_own(lang: str) -> None:
    state = sea(saumarez="sea:manche")
    words = Catalogue(lang, RULES)
    for seat, known in (("empire", False), ("coalition", True)):
        seen = view(state, seat)
        said = " ".join(words.event(event) for event in RULES.status(seen, seat))
        assert ("Saumarez" in said) is known
        assert (
            any(getattr(mark, "name", "") == "Saumarez" for mark in RULES.drawing(seen, seat, lang).marks)
            is known
        )
        assert ("Villeneuve" in said) is not known


def test_a_year_in_the_fog_can_be_played() -> None:
    game = new(3, "1815", {"fog": "yes"})
    play_out(game, {"empire": "sensible", "coalition": "sensible"}, 3)
    admirals = {fleet.id for fleet in FLEETS.values() if fleet.power == "angleterre"}
    for told in game.take_told():
        if isinstance(told.event, FleetsMoved) and told.to == ("empire",):
            assert not admirals & set(told.event.fleets)
