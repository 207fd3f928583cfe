"""35C, 50F, 53F: towns of France that change hands by themselves; and gates that open to whoever stands before them."""

from __future__ import annotations

import pytest

from pbem.games.nce import score
from pbem.games.nce.cards import interpreter as cards
from pbem.games.nce.cards import loyalty
from pbem.games.nce.charts import CARDS, POWERS, ZONES
from pbem.games.nce.events_field import ForcesJoined
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.state import State
from pbem.kernel.plan import Refused
from tests.games.nce.play import position
from tests.games.nce.test_cards import live, play

EMPIRE, COALITION = "empire", "coalition"
CLEAR = ["paris", "bordeaux", "lyon", "anvers", "lille", "bruxelles", "metz", "strasbourg"]


def france(*forces: str, flag: str = "decheance", **control: str) -> State:
    """France at the end of 1814, with these forces and markers."""
    return position(
        set_up=True,
        year=1814,
        clear=CLEAR,
        forces=list(forces),
        control=control,
        flags={flag: 18149} if flag else {},
        hands={EMPIRE: [], COALITION: []},
    )


def test_what_few_hold_is_french_again_as_long_as_paris_stands() -> None:  # rule 7.3, 13.4.1
    few = ("coalition bordeaux: uk_i_corps", "coalition anvers inside moore: uk_ii_corps")
    state = france(*few, flag="corps_francs", bordeaux=COALITION, lyon=COALITION, anvers=COALITION)
    loyalty.waver(live(state))
    assert state.controller("bordeaux") == EMPIRE  # two steps stand there
    assert state.controller("lyon") == EMPIRE  # nobody does
    assert state.controller("anvers") == EMPIRE  # its garrison is turned out
    assert "anvers" in state.empty
    assert [force.inside for force in state.at("anvers", COALITION)] == [False]


def test_a_garrison_that_is_turned_out_joins_who_stands_before_its_town_and_it_is_told() -> (
    None
):  # rule 4.3.2
    both = ("coalition anvers inside moore: uk_ii_corps", "coalition anvers: uk_i_corps")
    desk = live(france(*both, flag="corps_francs", anvers=COALITION))
    loyalty.waver(desk)
    assert desk.table is not None
    joined = [told.event for told in desk.table.told if isinstance(told.event, ForcesJoined)]
    assert [(event.zone, event.force) for event in joined] == [("anvers", "moore")]


def test_without_paris_nobody_rises() -> None:  # rule 7.3
    state = france(flag="corps_francs", bordeaux=COALITION, paris=COALITION)
    loyalty.waver(live(state))
    assert state.controller("bordeaux") == COALITION


@pytest.mark.parametrize(
    ("zone", "steps", "holds"),
    [("anvers", 6, True), ("anvers", 5, False), ("bordeaux", 6, False)],  # nothing comes to Bordeaux
)
def test_six_steps_in_supply_hold_a_town_against_its_people(
    zone: str, steps: int, holds: bool
) -> None:  # rule 7.3
    guard = f"coalition {zone} moore: uk_i_corps, uk_ii_corps, uk_iii_corps"
    state = france(guard, flag="corps_francs", lille=COALITION, bruxelles=COALITION, **{zone: COALITION})
    state.at(zone, COALITION)[0].units["uk_iii_corps"] = steps - 4
    loyalty.waver(live(state))
    assert (state.controller(zone) == COALITION) is holds


@pytest.mark.parametrize(("roads", "fallen"), [(True, True), (False, False)])
def test_the_senate_gives_up_with_another_key_zone_in_supply(
    roads: bool, fallen: bool
) -> None:  # rule 7.3, 3.2.6
    keys = POWERS["france"].key_zones
    towns = [z for z, r in ZONES.items() if r.country == "france" and r.city and z not in keys]
    state = france(**dict.fromkeys((*(towns if roads else ()), "lyon"), COALITION))
    assert score.held(state, "lyon", COALITION) is roads
    loyalty.waver(live(state))
    assert (state.controller("paris") == COALITION) is fallen
    assert state.flag("deposed") is fallen


def test_nothing_happens_without_the_card() -> None:  # rule 7.3
    state = france(flag="", lyon=COALITION, paris=COALITION, anvers=COALITION)
    loyalty.waver(live(state))
    assert state.controller("lyon") == COALITION
    assert state.controller("bordeaux") == EMPIRE


@pytest.mark.parametrize(
    ("taken", "fallen"),
    [
        (("paris", "anvers"), True),
        (("paris",), True),  # 3.2.6: though nothing comes there without Anvers
        (("anvers",), True),  # 11.3.3: the sea feeds it
        ((), False),
    ],
)
def test_the_senate_gives_up_with_paris(taken: tuple[str, ...], fallen: bool) -> None:  # rule 7.3
    state = france("empire lyon: fr_i_corps", **dict.fromkeys((*taken, "lille", "bruxelles"), COALITION))
    loyalty.waver(live(state))
    assert (state.controller("bordeaux") == COALITION) is fallen
    assert state.flag("deposed") is fallen
    if fallen:
        assert state.controller("lyon") == COALITION
        assert not state.at("lyon", inside=None)
        assert state.units["fr_i_corps"] == "wait"  # 13.2.5: home, and back in the next budget
        assert state.returning["fr_i_corps"] == 2


def test_the_emperor_himself_goes_home() -> None:  # rule 7.3
    taken = dict.fromkeys(("paris", "anvers", "lille", "bruxelles"), COALITION)
    state = france("empire lyon napoleon: fr_i_corps", **taken)
    loyalty.waver(live(state))
    assert state.controller("lyon") == COALITION
    assert state.force_with("napoleon") is None


def test_the_emperor_deposed_leaves_the_army_that_he_has_in_the_field() -> None:  # rule 7.3, 4.4.5
    state = france("empire reims napoleon: fr_i_corps", paris=COALITION)
    loyalty.waver(live(state))
    assert state.force_with("napoleon") is None
    assert state.generals["napoleon"] == "out"
    assert [f.side for f in state.at("reims")] == [EMPIRE]


def test_in_1815_anvers_does_not_count_and_paris_decides() -> None:  # rule 7.3, 18
    state = position("1815", set_up=True, flags={"decheance": 18159})
    state.phase = "conquest"
    loyalty.waver(live(state))
    assert state.force_with("napoleon") is not None  # Anvers is not French any more
    state.control["paris"] = COALITION
    loyalty.waver(live(state))
    score.victory_phase(live(state))
    assert state.winner == COALITION


@pytest.mark.parametrize(("year", "options"), [(1813, ("a", "b")), (1814, ("a", "b", "c"))])
def test_the_emperor_is_deposed_in_the_last_year_only(
    year: int, options: tuple[str, ...]
) -> None:  # rule 7.3
    state = france(flag="")
    state.year, state.hands[COALITION] = year, ["35C"]
    assert tuple(cards.usable_options(state, COALITION, CARDS["35C"], "diplomacy")) == options
    if "c" not in options:
        with pytest.raises(Refused) as refused:
            play(state, COALITION, PlayEvent("35C", option="c"), "diplomacy")
        assert refused.value.problem.code == "choose_option"
        assert state.hands[COALITION] == ["35C"]


@pytest.mark.parametrize("deposed", [True, False])
def test_an_emperor_deposed_loses_also_where_supply_is_wanting(deposed: bool) -> None:  # rule 17.2, 3.2.6
    state = france(flag="", **dict.fromkeys(POWERS["france"].key_zones, COALITION))
    state.year = state.end_year
    state.flags = {"deposed": state.year * 10 + 9} if deposed else {}
    assert not score.held(state, "lyon", COALITION)
    score.victory_phase(live(state))
    assert state.winner == (COALITION if deposed else "")


def test_trahison_opens_a_fortress_without_units_only() -> None:  # rule 7.3, 13.4.1
    taken = {"anvers": COALITION, "bruxelles": COALITION}
    state = france(flag="", **taken)
    state.hands[COALITION] = ["35C"]
    play(state, COALITION, PlayEvent("35C", option="b", zones=("lille",)))
    assert state.controller("lille") == COALITION
    assert "lille" in state.empty
    manned = france("empire lille inside: fr_i_corps", flag="", **taken)
    manned.hands[COALITION] = ["35C"]
    with pytest.raises(Refused):
        play(manned, COALITION, PlayEvent("35C", option="b", zones=("lille",)))


def test_the_cards_set_their_marks_until_the_end_of_the_year() -> None:  # rule 7.3
    state = france("empire metz: fr_i_corps", flag="")
    state.forces[next(id for id, f in state.forces.items() if "fr_i_corps" in f.units)].units[
        "fr_i_corps"
    ] = 1
    state.hands = {EMPIRE: ["53F"], COALITION: ["35C"]}
    play(state, EMPIRE, PlayEvent("53F", units=("fr_i_corps",)))
    play(state, COALITION, PlayEvent("35C", option="c"), "diplomacy")
    assert state.flags["corps_francs"] == state.flags["decheance"] == 18149
