"""The worked examples of politics, economy and the seas that need no letter, to the figure."""

from __future__ import annotations

import pytest

from pbem.games.nce import score
from pbem.games.nce.cards import hands
from pbem.games.nce.charts import CARDS
from pbem.games.nce.desk import Desk
from pbem.games.nce.powers import conquest, diplomacy, income, peace
from pbem.games.nce.powers.interphase_questions import Redeployment
from pbem.games.nce.replies import Done, GoHome, Redeploy
from pbem.games.nce.state import Peace, State
from pbem.kernel.chance import Given, Recorded
from pbem.kernel.table import Table
from tests.games.nce.play import Pseudo, position, the


def live(state: State, rolls: dict[str, list[int]] | None = None) -> Desk:
    return Desk(state, Table(state, Recorded(beyond=Given(rolls or {}, {}, Pseudo(1)))), "test")


def test_e5_building_a_hand() -> None:  # rule 6.2.4, 6.2.5
    state = position(
        set_up=True,
        status={"royaume_baviere": "created"},
        owner={"tyrol": "baviere"},
        hands={"empire": ["8F", "9F"], "coalition": []},
    )
    wanted = {"paris", "bordeaux", "anvers", "lyon", "madrid", "mantoue", "royaume_baviere"}
    assert set(hands.sources(state, "empire")) == wanted
    hands.build_hand(live(state), "empire")
    assert len(state.hands["empire"]) == 7
    assert {"1F", "8F", "9F"} <= set(state.hands["empire"])
    assert not any(CARDS[card].permanent for card in state.hands["empire"] if card != "1F")


def test_e8_a_declaration_brings_two_cards() -> None:  # rule 6.1.6, 6.1.2, 6.1.4
    state = position(set_up=True, year=1806)
    before = len(hands.sources(state, "coalition"))
    diplomacy.declare(live(state), "empire", "prusse")
    assert state.status["prusse"] == "coalition"
    assert len(hands.sources(state, "coalition")) == before + 2
    assert state.escalation == 1


def test_e9_the_least_hand_is_six() -> None:  # rule 6.2.3
    state = position(set_up=True, status={"russie": "neutral", "autriche": "neutral"})
    found = {"londres", "lisbonne", "gibraltar_malte", "deux_siciles"}
    assert set(hands.sources(state, "coalition")) == found
    assert hands.entitlement(state, "coalition") == 6


def test_the_largest_hand_is_ten_but_for_the_miseries_of_war() -> None:  # rule 6.2.3
    state = position(set_up=True, bonus_cards={"coalition": 9})
    assert hands.entitlement(state, "coalition") == 10
    state.events.append("52C")
    assert hands.entitlement(state, "coalition") > 10


def test_corsairs_take_a_card_unless_they_are_hunted() -> None:  # rule 6.2.7, 15.9
    state = position(set_up=True)
    before = hands.entitlement(state, "coalition")
    state.flags["corsaires"] = 99999
    assert hands.entitlement(state, "coalition") == before - 1
    state.fleets["calder"] = "corsaires"
    assert hands.entitlement(state, "coalition") == before


def test_a_lost_capital_keeps_the_permanent_card_away() -> None:  # rule 6.2.4
    state = position(set_up=True, clear=["salzbourg"])
    assert set(hands.permanent_cards(state, "coalition")) == {"1C", "2C", "3C"}
    state.control["vienne"] = "empire"
    state.control["salzbourg"] = "empire"
    assert set(hands.permanent_cards(state, "coalition")) == {"1C", "2C"}
    state.control.clear()
    state.status["autriche"] = "empire"
    assert set(hands.permanent_cards(state, "coalition")) == {"1C", "2C"}
    assert hands.permanent_cards(state, "empire") == ["1F"]


def test_a_key_zone_denied_to_its_owner_gives_the_victor_nothing() -> None:  # rule 6.2.2, 3.2.6
    state = position(
        set_up=True,
        status={"prusse": "coalition"},
        control={"berlin": "empire"},
        clear=["magdebourg", "berlin"],
    )
    state.control.update(dict.fromkeys(("magdebourg", "wittemberg", "kassel", "erfurt"), "empire"))
    assert "berlin_koenigsberg" not in hands.sources(state, "coalition")
    assert "berlin_koenigsberg" not in hands.sources(state, "empire")
    assert "varsovie" in hands.sources(state, "coalition")


def test_a_forced_ally_gives_no_cards() -> None:  # rule 6.2.2, 9.1.4
    state = position(set_up=True, status={"prusse": "forced_alliance"})
    for side in ("empire", "coalition"):
        assert not {"berlin_koenigsberg", "varsovie"} & set(hands.sources(state, side))


def test_minor_steps_of_the_empire() -> None:  # rule 6.3.12
    state = position(set_up=True, status={"egypte": "neutral"})
    assert income.minor_steps(state, "empire") == 3
    assert income.minor_steps(state, "coalition") == 1
    state.status.update(confederation_rhin="protectorate", pologne="protectorate")
    assert income.minor_steps(state, "empire") == 4


def test_incomes_of_1806() -> None:  # rule 6.3.2
    state = position(set_up=True, clear=["salzbourg"])
    wanted = {
        "turquie": 4,
        "espagne": 4,
        "prusse": 5,
        "autriche": 12,
        "russie": 12,
        "angleterre": 6,
        "france": 14,
    }
    assert {power: income.income(state, power) for power in wanted} == wanted
    state.control.update(vienne="empire", salzbourg="empire")
    assert income.income(state, "autriche") == 8
    state.flags["double_prusse"] = 18059
    assert income.income(state, "prusse") == 10
    state.flags["war_of_liberation"] = 99999
    state.control["madrid"] = "coalition"
    assert income.income(state, "espagne") == 6


@pytest.mark.parametrize(
    ("path", "points", "legal"),
    [
        (("nantes", "le_mans", "paris", "reims"), 4, True),
        (("nantes", "le_mans", "paris", "reims", "metz"), 5, True),
        (("nantes", "le_mans", "paris", "reims", "metz", "strasbourg", "metz", "reims"), 8, True),
        (("nantes", "le_mans", "paris", "reims", "metz", "strasbourg", "metz", "reims", "paris"), 9, False),
    ],
)
def test_e16_redeployment(path: tuple[str, ...], points: int, legal: bool) -> None:  # rule 6.6.3
    state = position(forces=["empire brest mortier: fr_vii_corps"], year=1806, round=0)
    question = Redeployment(key="r", seat="empire", rule="6.6", year=1806)
    problems = question.check(state, (Redeploy("mortier", path),))
    assert (not problems) == legal
    if problems:
        assert (problems[0].code, problems[0].params["needed"]) == ("not_enough_points", points)


def test_e18_cards_for_a_new_ally() -> None:  # rule 9.2.7
    held = ["1C", "2C", "4C", "5C", "7C", "8C", "22C"]
    state = position(set_up=True, year=1806, hands={"coalition": held, "empire": []})
    state.spend_card("coalition", "22C")
    assert diplomacy.negotiate(live(state, {"test/diplomacy/coalition/prusse": [4]}), "coalition", "prusse")
    assert len(state.hands["coalition"]) == 8


def test_history_counts_in_talks() -> None:  # rule 9.2.5
    state = position(beaten={"empire": {"prusse": 1}})
    assert diplomacy.history(state, "coalition", "prusse") == 2
    assert diplomacy.history(state, "empire", "prusse") == -1
    assert diplomacy.history(state, "empire", "danemark") == 0


def test_e48_a_power_with_an_army_or_a_second_key_zone_fights_on() -> None:  # rule 16.4.1, 16.4.3, 16.4.4
    state = position(
        status={"russie": "coalition"},
        control=dict.fromkeys(("moscou", "odessa", "kiev", "smolensk", "minsk", "vilna", "grodno"), "empire"),
        owner={"mazovie": "france"},
    )
    assert not conquest.conquered(state, "russie", "empire")


def test_e52_the_way_home_after_a_peace() -> None:  # rule 16.6.1, 16.6.2
    state = position(
        set_up=True,
        clear=["salzbourg", "venise", "innsbruck", "budapest", "lublin", "brest_litovsk", "lille"],
        forces=[
            "coalition brunn koutouzov iere_armee: ru_v_corps, ru_vi_corps",
            "empire vienne napoleon grande_armee: fr_i_corps, fr_ii_corps",
        ],
    )
    peace.sign(live(state), "autriche", "empire", (GoHome(),))
    assert the(state, "koutouzov").zone == "brest_litovsk"
    assert the(state, "napoleon").zone == "ulm"


@pytest.mark.parametrize(
    ("tests", "die", "ended"), [(0, 4, False), (0, 5, True), (1, 3, True), (1, 2, False), (2, 1, True)]
)
def test_e53_a_forced_peace_grows_weaker_every_year(tests: int, die: int, ended: bool) -> None:  # rule 16.6.5
    state = position(year=1807 + tests, status={"autriche": "forced_peace"})
    state.peace["autriche"] = Peace(year=1806, by="empire", tests=tests)
    peace.tests(live(state, {"test/peace/autriche": [die]}))
    assert (state.status["autriche"] == "neutral") == ended


def test_the_year_of_the_conquest_is_not_tested() -> None:  # rule 16.6.5
    state = position(year=1806, status={"autriche": "forced_peace"})
    state.peace["autriche"] = Peace(year=1806, by="empire")
    peace.tests(live(state))
    assert state.peace["autriche"].tests == 0


def test_e54_points_come_and_go() -> None:  # rule 17.3, 9.1.5, 16.3.7
    state = position(status={"danemark": "ally_france"}, vp=5)
    diplomacy.protect(live(state), "danemark")
    assert (state.vp, state.escalation) == (6, 1)
    score.table_score(live(state), "protectorate_conquered", "danemark")
    assert state.vp == 5


def test_the_war_of_liberation_costs_each_year() -> None:  # rule 17.6
    state = position("1809", set_up=True, flags={"war_of_liberation": 99999})
    before = state.vp, state.escalation
    score.note_emperor(state)
    score.victory_phase(live(state))
    assert (state.vp, state.escalation) == (before[0] - 1, before[1] + 1)
    the(state, "napoleon").zone = "madrid"
    score.note_emperor(state)
    the(state, "napoleon").zone = "paris"
    score.victory_phase(live(state))
    assert state.vp == before[0] - 3


@pytest.mark.parametrize(("vp", "winner"), [(20, "empire"), (0, "coalition"), (10, "")])
def test_automatic_victory_is_seen_in_the_victory_phase(vp: int, winner: str) -> None:  # rule 17.1
    state = position(set_up=True, vp=vp, year=1807)
    score.victory_phase(live(state))
    assert state.winner == winner
    assert state.over == bool(winner)


def test_the_last_year() -> None:  # rule 17.2
    state = position(set_up=True, year=1814, vp=10)
    score.victory_phase(live(state))
    assert (state.over, state.winner) == (True, "")
    state = position(set_up=True, year=1814, vp=10, events=["45F"])
    score.victory_phase(live(state))
    assert state.winner == "empire"


def test_peace_ends_a_power_as_a_neutral_again() -> None:  # rule 9.1.1, 9.1.3
    state = position(set_up=True)
    peace.sign(live(state), "autriche", "empire", (Done(),))
    assert state.status["autriche"] == "forced_peace"
    assert state.manager("autriche") == "coalition"
