"""17.2, 18: a letter tells what each side lacks for its victory, and the last one why the game was won."""

from __future__ import annotations

import pytest

from pbem.games.nce import RULES, score
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import GameEnds, Scored
from pbem.games.nce.events_views import StandsVictory
from pbem.games.nce.state import State
from pbem.games.nce.status import status
from pbem.kernel.event import Event
from pbem.reports.catalogue import catalogue
from tests.games.nce.play import position

FRANCE = ("paris", "bordeaux", "lyon", "anvers")


class Ears(Desk):
    """Hears what is told, and plays nothing."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.heard: list[Event] = []

    def tell(self, event: Event, *_: object, **__: object) -> None:
        self.heard.append(event)


def ending(state: State) -> GameEnds:
    ears = Ears(state)
    score.victory_phase(ears)
    (end,) = (event for event in ears.heard if isinstance(event, GameEnds))
    return end


def last_year(**given: object) -> State:
    return position("1805", set_up=True, year=1814, vp=9, **given)


def test_what_each_side_lacks() -> None:  # rule 17.2
    empire, coalition = score.wanting(position("1805", set_up=True))
    assert empire.aims == ("45F",)
    assert coalition.aims == FRANCE
    lost = last_year(events=["45F"], control={"mantoue": "coalition", "lyon": "coalition"})
    assert score.wanting(lost)[0].aims == ("lyon", "mantoue")


@pytest.mark.parametrize(
    ("lang", "empire", "coalition", "lost", "decided"),
    [
        ("en", "(it lacks 45F", "(it lacks Paris, Bordeaux, Lyon and Anvers)", "lacks Anvers)", "more than 7 points"),
        ("fr", "(il manque 45F", "(il manque Paris, Bordeaux, Lyon et Anvers)", "manque Anvers)", "plus de 7 points"),
    ],
)  # fmt: skip
def test_a_letter_tells_what_wins_and_what_is_lacking(
    lang: str, empire: str, coalition: str, lost: str, decided: str
) -> None:  # rule 17.1, 17.2
    state = position("1805", set_up=True)

    def told() -> str:
        (found,) = (event for event in status(state, "empire") if isinstance(event, StandsVictory))
        return catalogue(lang, RULES).event(found)

    assert empire in told()
    assert coalition in told()
    assert decided not in told()
    state.control["anvers"] = "coalition"
    state.events.append("45F")
    state.options["on_points"] = "yes"
    assert lost in told()
    assert decided in told()


@pytest.mark.parametrize(
    ("given", "winner", "why"),
    [
        ({}, "", "nobody"),
        ({"events": ["45F"]}, "empire", "europe"),
        ({"vp": 20}, "empire", "twenty_points"),
        ({"vp": 0}, "coalition", "no_points"),
    ],
)
def test_why_a_long_campaign_is_won(
    given: dict[str, object], winner: str, why: str
) -> None:  # rule 17.1, 17.2
    end = ending(position("1805", set_up=True, **{"year": 1814, "vp": 9, **given}))
    assert (end.winner, end.why) == (winner, why)
    assert bool(end.wanting) == (winner == "")


def test_the_last_letter_says_what_nobody_had() -> None:  # rule 17.2
    text = catalogue("en", RULES).event(ending(last_year()))
    assert "The Empire lacks 45F Europe Napoléonienne." in text
    assert "The Coalition lacks Paris" in text
    assert text.endswith("Victory points: 9.")


def test_the_hundred_days_count_no_points() -> None:  # rule 18
    state = position("1815", set_up=True)
    ears = Ears(state)
    score.table_score(ears, "paris_conquered")
    assert state.vp == 0
    assert not [event for event in ears.heard if isinstance(event, Scored)]
    assert not [event for event in status(state, None) if isinstance(event, StandsVictory)]
    end = ending(state)
    assert (end.winner, end.why, end.vp) == ("empire", "france_stands", None)
    assert "oint" not in catalogue("fr", RULES).event(end)


def test_without_napoleon_the_hundred_days_are_over() -> None:  # rule 18
    end = ending(position("1815", set_up=True, clear=["soissons"]))
    assert (end.winner, end.why) == ("coalition", "napoleon_out")
