"""1.9: in the fog nobody sees the back of enemy fleets nor into stacks: not in views, events, questions or maps."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.nce import RULES, fog
from pbem.games.nce.charts import FLEETS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import Activated, FleetsMoved, ForcesJoined, NavalBattle, StepsLost
from pbem.games.nce.events_powers import PieceBuilt
from pbem.games.nce.events_views import StandsEnemy
from pbem.games.nce.reactions import Interception, Response
from pbem.games.nce.sea.admiralty import INTERCEPTION, Fleets
from pbem.games.nce.sea.naval import Voyage
from pbem.games.nce.sea.naval_contact import question
from pbem.games.nce.standing import InterceptPolicy
from pbem.games.nce.state import State
from pbem.games.nce.view import view
from pbem.kernel.drawing import Counter, Depot
from pbem.kernel.event import Event
from pbem.kernel.plan import Refused
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


def heard(field: Field, seat: str, lang: str) -> list[str]:
    """All that a seat may read of what has happened, of how things stand, and on its map."""
    seen, words = field.game.view(seat), Catalogue(lang, RULES)
    told = [words.event(each.event, seat) for each in field.heard if each.known_to(seat)]
    told += [words.event(event, seat) for event in RULES.status(seen, seat)]
    return [*told, *map(str, RULES.drawing(seen, seat, lang).marks)]


ALIKE_STACKS = ("au_i_corps, au_ii_corps", "au_iii_corps, au_iv_corps")
"""Two stacks that differ in nothing but the names of their corps."""


def marched(stack: str) -> Field:
    """11.6: Charles comes out of supply by a forced march, and loses steps."""
    dice = {"attrition/charles/munich": [6], "star/charles/munich": [6]}
    field = Field(dice, side="coalition", forces=[f"coalition innsbruck charles: {stack}"])
    field.state.options["fog"] = "yes"
    field.state.spoiled.append("free")
    field.state.reserve["coalition"] = 9
    return field.order("coalition", "no card\nactivate Charles forced march 2\ngo to Munich")


def besieged(stack: str) -> Field:
    """13.2.3: Mack is repulsed before Ulm."""
    field = Field(
        {"siege/ulm": [1], "attrition/mack/ulm": [1]},
        side="coalition",
        forces=[f"coalition ulm mack: {stack}"],
        control={"munich": "coalition"},
    )
    field.state.options["fog"] = "yes"
    field.state.spoiled.append("free")
    field.state.reserve["coalition"] = 9
    return field.order("coalition", "no card\nactivate Mack\nsiege")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("case", [marched, besieged])
def test_steps_lost_out_of_battle_are_counted_and_not_named(case: Any, lang: str) -> None:
    one, other = case(ALIKE_STACKS[0]), case(ALIKE_STACKS[1])
    lost = [event for event in one.events(StepsLost) if event.pieces]
    assert lost
    assert heard(one, "empire", lang) == heard(other, "empire", lang)
    assert heard(one, "coalition", lang) != heard(other, "coalition", lang)
    (known,) = [
        each.event for each in one.heard if isinstance(each.event, StepsLost) and each.known_to("empire")
    ]
    assert (known.pieces, known.gone, known.steps) == ((), (), len(lost[0].pieces))


def test_battles_show_who_falls() -> None:
    listener: Any = Listener()
    event = StepsLost(force="charles", zone="ulm", pieces=("au_i_corps",), rule="12.9")
    Desk(sea(), listener, "test").tell(event)
    assert listener.told == [(event, None)]


def test_the_losses_of_a_pursuit_are_counted() -> None:
    listener: Any = Listener()
    event = StepsLost(force="charles", zone="ulm", pieces=("au_i_corps", "depot"), rule="12.10.2")
    Desk(sea(), listener, "test").tell(event)
    (mine, to_me), (theirs, to_them) = listener.told
    assert (mine, to_me) == (event, ("coalition",))
    assert (theirs.pieces, theirs.steps, to_them) == ((), 2, ("empire",))


@pytest.mark.parametrize(
    ("event", "seen"),
    [
        (
            PieceBuilt(power="france", piece="fr_i_corps", zone="munich", steps=2, rule="6.3.4"),
            PieceBuilt(power="france", piece="", zone="munich", rule="6.3.4"),
        ),
        (
            ForcesJoined(zone="munich", force="davout", spare=("ney",), lost=("fr_i_corps",)),
            ForcesJoined(zone="munich", force="davout", spare=("ney",)),
        ),
    ],
)
def test_what_enters_a_stack_or_falls_out_of_it_is_not_named(event: Event, seen: Event) -> None:
    listener: Any = Listener()
    state = position(forces=["empire munich davout: fr_i_corps, fr_ii_corps", "empire ulm: fr_iii_corps"])
    state.options["fog"] = "yes"
    Desk(state, listener, "test").tell(event)
    assert listener.told == [(event, ("empire",)), (seen, ("coalition",))]
    for lang in ("en", "fr"):
        assert "I CORPS" not in Catalogue(lang, RULES).event(seen)
    # A corps alone shows itself.
    alone = PieceBuilt(power="france", piece="fr_iii_corps", zone="ulm", steps=2, rule="6.3.6")
    Desk(state, listener, "test").tell(alone)
    assert listener.told[-1] == (alone, None)


def test_subordinates_and_depots_of_a_stack_are_not_seen() -> None:
    field = Field(forces=["coalition vienne mack armee_allemagne: au_i_corps; subs ferdinand; depots 1"])
    for fog_, known in (("no", True), ("yes", False)):
        field.state.options["fog"] = fog_
        seen = field.game.view("empire")
        (enemy,) = [event for event in RULES.status(seen, "empire") if isinstance(event, StandsEnemy)]
        assert (bool(enemy.subs), bool(enemy.depots)) == (known, known)
        marks = RULES.drawing(seen, "empire", "en").marks
        assert any(isinstance(mark, Depot) for mark in marks) is known


def test_a_trial_says_no_more_of_a_stack_than_a_letter() -> None:
    desk = Desk(sea(), None, "rehearsal")
    refused = Refused("fortress_holds", "10.1.3", zone="ulm", needed=7)
    assert desk.covered(refused.problem).params == {"zone": "ulm", "needed": ()}


def test_a_limit_of_steps_is_not_tested_on_what_nobody_knows() -> None:
    asked = Interception(key="i", seat="coalition", rule="10.3", zone="munich", mover="davout", steps=0)
    state = position(
        forces=["coalition salzbourg charles: au_i_corps"], hands={"empire": [], "coalition": ["5C"]}
    )
    assert asked.answer_by(state, InterceptPolicy("charles", 6, 3)) is None
