"""1.9: in the fog nobody sees the back of enemy fleets nor into stacks: not in views, events, questions or maps."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.nce import RULES, fog
from pbem.games.nce.admiralty import INTERCEPTION, Fleets
from pbem.games.nce.charts import FLEETS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import Activated, FleetsMoved, NavalBattle
from pbem.games.nce.events_views import StandsEnemy
from pbem.games.nce.naval import Voyage
from pbem.games.nce.naval_contact import question
from pbem.games.nce.reactions import Interception, Response
from pbem.games.nce.standing import InterceptPolicy
from pbem.games.nce.state import State, view
from pbem.kernel.drawing import Counter
from pbem.reports.catalogue import Catalogue
from tests.games.nce.field import Field
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
    assert fog.front("keith") == fog.front("ball")
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
    assert fog.shown(state, ALIKE, "empire") == ALIKE


def test_a_squadron_that_sails_is_named_to_its_owner_alone() -> None:
    listener: Any = Listener()
    Desk(sea(), listener, "test").tell(FleetsMoved(fleets=ALIKE, to="manche"))
    (mine, to_me), (theirs, to_them) = listener.told
    assert (mine.fleets, to_me) == (ALIKE, ("coalition",))
    assert (set(theirs.fleets), to_them) == ({fog.front("keith")}, ("empire",))
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


def test_an_enemy_stack_that_marches_shows_nothing_of_its_strength() -> None:
    forces = [
        "empire munich davout: fr_viii_corps, fr_v_corps",
        "coalition salzbourg charles: au_i_corps, au_ii_corps",
    ]
    field = Field(forces=forces)
    field.state.options["fog"] = "yes"
    field.order("empire", "no card\nactivate Davout\ngo to Salzbourg")
    (asked,) = [q for q in field.game.questions.values() if q.seat == "coalition"]
    assert isinstance(asked, Response)
    assert asked.steps == 0
    assert {event.steps for event in field.events(Activated)} == {0, 4}
    seen = field.game.view("coalition")
    status = [event for event in RULES.status(seen, "coalition") if isinstance(event, StandsEnemy)]
    assert [(event.force, event.steps) for event in status] == [("davout", 0)]
    for lang in ("en", "fr"):
        assert "4" not in Catalogue(lang, RULES).question(asked, seen)
        marks = RULES.drawing(seen, "coalition", lang).marks
        assert sorted(mark.value for mark in marks if isinstance(mark, Counter)) == ["4", "?"]


def test_a_limit_of_steps_is_not_tested_on_what_nobody_knows() -> None:
    asked = Interception(key="i", seat="coalition", rule="10.3", zone="munich", mover="davout", steps=0)
    state = position(
        forces=["coalition salzbourg charles: au_i_corps"], hands={"empire": [], "coalition": ["5C"]}
    )
    assert asked.rank(state, InterceptPolicy("charles", 6, 3)) is None
