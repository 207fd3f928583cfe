"""18: what is special about 1809 and 1815: set-ups, cards, how they end."""

from __future__ import annotations

import pytest

from pbem.games.nce import hundred_days, score
from pbem.games.nce.cards import hands
from pbem.games.nce.cards import interpreter as cards
from pbem.games.nce.cards.hands import card_value
from pbem.games.nce.charts import CARDS
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.powers import peace
from pbem.kernel.plan import Refused, rehearse
from tests.games.nce.play import new, position, the
from tests.games.nce.test_politics_peace import live

FRENCH = dict.fromkeys(("paris", "lyon", "bordeaux"), "coalition")
NEAR = dict.fromkeys(
    ("lille", "soissons", "reims", "metz", "rouen", "rochefort", "nantes", "grenoble", "marseille"),
    "coalition",
)
NAPOLEON = "empire troyes napoleon grande_armee: fr_garde, fr_i_corps"


@pytest.mark.parametrize(
    ("control", "forces", "winner"),
    [
        ({}, [NAPOLEON], "empire"),
        (FRENCH, [NAPOLEON], ""),
        (FRENCH, ["empire troyes napoleon: fr_garde"], "coalition"),
        (FRENCH, ["empire troyes napoleon grande_armee demoralised: fr_garde, fr_i_corps"], "coalition"),
        ({"paris": "coalition", "lyon": "coalition"}, ["empire troyes napoleon: fr_garde"], "coalition"),
        ({"lyon": "coalition", "bordeaux": "coalition"}, ["empire troyes napoleon: fr_garde"], ""),
        (
            {"paris": "coalition"},
            ["empire troyes napoleon grande_armee demoralised: fr_garde, fr_i_corps"],
            "",
        ),
        ({}, ["empire troyes davout: fr_garde, fr_i_corps"], "coalition"),
    ],
)
def test_how_the_hundred_days_end(control: dict[str, str], forces: list[str], winner: str) -> None:  # rule 18
    """Conquered or not, an undemoralised army or none, Napoléon in the field or not; Anvers counts as lost."""
    fixed = {zone: ["angleterre"] for zone in ("rochefort", "rouen", "marseille")}
    state = position("1815", control={**control, **(NEAR if control else {})}, forces=forces, fixed=fixed)
    for zone in control:
        assert score.held(state, zone, "coalition"), zone
    score.victory_phase(live(state))
    assert (state.over, state.winner) == (True, winner)


def test_replacements_of_1815_restore_the_cavalry_too() -> None:  # rule 18, 6.3.9
    state = position(
        "1815", forces=["empire paris napoleon grande_armee: fr_garde, fr_i_corps 1, fr_res_cav 1"]
    )
    hundred_days.replacements(live(state), the(state, "napoleon"))
    assert the(state, "napoleon").units == {"fr_garde": 2, "fr_i_corps": 2, "fr_res_cav": 2}


def test_the_decks_of_1815() -> None:  # rule 18
    state = new(2, "1815").state
    for side, numbers, hand in (
        ("empire", (1, 2, 3, 6, 8, 13, 19, 27, 28, 29, 31, 32, 43, 47, 50), 6),
        ("coalition", (1, 4, 5, 11, 12, 14, 15, 16, 25, 28, 29, 30, 31, 32, 35, 39, 42, 43, 54), 8),
    ):
        dealt = [*state.hands[side], *state.piles[side].cards]
        assert sorted(int(card[:-1]) for card in dealt) == list(numbers)
        assert len(state.hands[side]) == hand
    assert card_value(state, "coalition", "42C") == CARDS["42C"].value + 1


def test_the_cards_of_1809() -> None:  # rule 18
    state = new(2, "1809").state
    gone = {
        "empire": (4, 5, 7, 9, 11, 12, 14, 15, 16, 17, 18, 20, 22, 23, 24, 25, 26, 27),
        "coalition": (6, 10, 17, 18, 19, 20, 22, 24, 27),
    }
    for side, numbers in gone.items():
        assert sorted(int(card[:-1]) for card in state.removed[side]) == list(numbers)
    assert len(state.hands["empire"]) == 9
    assert {"1F", "29F", "36F"} <= set(state.hands["empire"])
    assert len(state.hands["coalition"]) == 7
    assert {"1C", "3C", "9C", "42C"} <= set(state.hands["coalition"])
    assert (state.vp, state.period, state.round, state.active) == (15, "chatiments", 1, "coalition")


@pytest.mark.parametrize("option", ["a", "b", "c"])
def test_in_1809_saint_empire_is_good_for_its_points_alone(option: str) -> None:  # rule 18, 7.2.2
    state = new(2, "1809").state
    with pytest.raises(Refused) as refused:
        rehearse(cards.play_event(live(state), "coalition", PlayEvent("3C", option=option), "activation"))
    assert refused.value.problem.rule
    assert "3C" in state.hands["coalition"]


@pytest.mark.parametrize(("year", "status"), [(1809, "forced_peace"), (1810, "forced_alliance")])
def test_prusse_of_1809_is_at_peace_to_the_end_of_1810_then_bound(year: int, status: str) -> None:  # rule 18
    state = new(2, "1809").state
    state.year = year
    peace.tests(live(state))
    assert state.status["prusse"] == status


@pytest.mark.parametrize(
    ("given", "cards_"),
    [
        ({}, True),
        ({"status": {"autriche": "coalition"}}, False),
        ({"status": {"thuringe": "ally_france"}}, True),
        ({"status": {"thuringe": "ally_france"}, "control": {"erfurt": "coalition"}}, True),
        ({"status": {"thuringe": "ally_france", "saxe": "ally_prusse", "prusse": "coalition"}}, True),
        (
            {
                "status": {"thuringe": "ally_france", "saxe": "ally_prusse", "prusse": "coalition"},
                "control": {"erfurt": "coalition"},
            },
            False,
        ),
    ],
)
def test_the_confederation_gives_its_card_unless_the_coalition_holds_erfurt(
    given: dict[str, dict[str, str]], cards_: bool
) -> None:  # rule 6.2.2, 9.3.1, 3.2.6
    """Also with Thuringe outside it, allied to a beaten Autriche; and a marker out of supply denies nothing."""
    status = {
        "autriche": "forced_peace", "prusse": "forced_peace", "confederation_rhin": "protectorate",
        "hesse": "ally_france", "saxe": "ally_france", **given.get("status", {}),
    }  # fmt: skip
    state = position(status=status, control=given.get("control", {}), beaten={"empire": {"autriche": 1}})
    assert ("confederation_rhin" in hands.sources(state, "empire")) == cards_
