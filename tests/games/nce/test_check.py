"""CHECK: the way and its cost, supply, interception, evasion, the exact odds of battles, sieges over tries."""

from __future__ import annotations

import pytest

from pbem import bench
from pbem.games.nce import RULES, battle, siege
from pbem.games.nce.events_views import (
    ForecastBattle,
    ForecastEvasion,
    ForecastInterception,
    ForecastMarch,
    ForecastSiege,
)
from pbem.games.nce.foresight import percent
from pbem.games.nce.orders import Activate, Besiege, Go, Lead, NoCard, Second
from pbem.games.nce.rounds import forecast
from pbem.games.nce.state import State, view
from pbem.kernel.event import Event
from pbem.kernel.order import Order
from pbem.reports.catalogue import catalogue
from tests.games.nce.play import position, the

FORCES = [
    "empire ulm napoleon grande_armee: fr_garde, fr_i_corps, fr_ii_corps; subs davout",
    "coalition munich charles: au_i_corps, au_ii_corps",
    "coalition salzbourg jean: au_iii_corps",
]


def checked(state: State, *steps: Order) -> list[Event]:
    return list(forecast(view(state, "empire"), "empire", (NoCard(), Activate("napoleon"), *steps)))


def at_war() -> State:
    return position(
        hands={"empire": ["4F"], "coalition": ["7C"]}, control={"munich": "coalition"}, forces=FORCES
    )


def test_the_way_its_cost_and_supply() -> None:  # rule 10.1.2, 11.1
    state = position(hands={"empire": ["4F"], "coalition": []}, forces=FORCES[:1])
    (end,) = checked(state, Go(("munich",)))
    assert isinstance(end, ForecastMarch)
    assert (end.path, end.cost, end.left, end.supplied) == (("munich",), 1, 3, True)
    (far,) = checked(state, Go(("munich", "nuremberg", "pilsen")))
    assert isinstance(far, ForecastMarch)
    assert far.path == ("munich", "nuremberg", "pilsen")
    assert far.cost == 4 - far.left
    assert not far.supplied


def test_who_may_intercept_and_who_may_evade() -> None:  # rule 10.3.3, 10.4.3
    first, second, *_ = checked(at_war(), Go(("munich",)))
    assert isinstance(first, ForecastInterception)
    assert (first.force, first.start, first.zone, first.steps) == ("jean", "salzbourg", "munich", 2)
    assert isinstance(second, ForecastEvasion)
    assert second.force == "charles"
    # Neither is quicker than Napoléon, nor has he more horse.
    assert (first.chance, second.chance) == (percent(0), percent(0)) == (33, 33)


def test_no_card_no_interception() -> None:  # rule 10.3.2
    state = at_war()
    state.hands["coalition"] = []
    assert not any(isinstance(event, ForecastInterception) for event in checked(state, Go(("munich",))))


@pytest.mark.parametrize(("bonus", "chance"), [(-2, 0), (-1, 17), (0, 33), (1, 50), (2, 67), (4, 100)])
def test_chances_of_five_or_more(bonus: int, chance: int) -> None:
    assert percent(bonus) == chance


def test_the_odds_are_those_of_the_tables_with_the_plan_of_the_letter() -> None:  # rule 12.7
    def win(*plan: Order) -> int:
        found = [e for e in checked(at_war(), Go(("munich",)), *plan) if isinstance(e, ForecastBattle)]
        assert len(found) == 1
        return found[0].win

    def exact(attack: int) -> int:
        return round(100 * battle.chances(6, 4, attack, 2)["win"])

    state = at_war()
    assert the(state, "napoleon").strength == 6
    assert the(state, "charles").strength == 4
    stars = 2
    assert win(Second("nobody")) == exact(3)
    assert win() == exact(3 + 2)
    assert win(Second("davout")) == exact(3 + 2)
    assert win(Lead("fr_garde"), Second("davout")) == exact(3 + 2 + stars)


def test_a_siege_over_several_tries() -> None:  # rule 13.2.3
    state = position(hands={"empire": ["4F"], "coalition": []}, forces=[FORCES[0].replace("ulm", "munich")])
    found = [e for e in checked(state, Go(("salzbourg",)), Besiege(3)) if isinstance(e, ForecastSiege)]
    there = the(state, "napoleon")
    there.zone = "salzbourg"
    assert found[0].chances == tuple(
        round(100 * chance) for chance in siege.odds(state, there, "salzbourg", 3)
    )
    assert found[0].chances[0] < found[0].chances[1] <= found[0].chances[2]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("marches by Munich (1 point)", "might intercept at Munich", "might evade from Munich")),
        (
            "fr",
            ("passe par Munich (1 point)", "pourrait intercepter à Munich", "pourrait esquiver de Munich"),
        ),
    ],
)
def test_a_check_is_said_in_both_languages(lang: str, said: tuple[str, ...]) -> None:
    words = catalogue(lang, RULES)
    text = " ".join(str(words.event(event, "empire")) for event in checked(at_war(), Go(("munich",))))
    for phrase in said:
        assert phrase in text.replace("\u00a0", " ")


def test_the_bench_checks_a_letter_with_ten_forces() -> None:
    first, median, longest = bench.checks(3)
    assert bench.TEN_FORCES.count("activate") == 10
    assert 0 < median.value <= longest.value
    assert first.unit == "ms"
