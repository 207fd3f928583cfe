"""Bad input of budgets, diplomacy, peace and the seas: each is named with its rule and the nearest legal thing, and
nothing changes.
"""

from __future__ import annotations

import msgspec
import pytest

from pbem.games.nce import RULES
from pbem.games.nce.orders import (
    Attack,
    Blockade,
    Carry,
    EndWar,
    Land,
    Negotiate,
    NoCard,
    Play,
    PlayEvent,
    Protect,
    Sail,
)
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment, Talks
from pbem.games.nce.questions import Hand, Terms, War
from pbem.games.nce.replies import (
    Annex,
    Assign,
    Build,
    BuildFleet,
    BuyCard,
    BuyDepot,
    BuySpecial,
    ClaimMinor,
    CreateArmy,
    Declare,
    Discard,
    ForceAlliance,
    FreeTalk,
    MoveFleet,
    Redeploy,
    Restore,
    Send,
    Spoils,
    Withdraw,
)
from pbem.games.nce.rounds import Act
from pbem.games.nce.state import State
from pbem.kernel.order import Order
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.reports.catalogue import Catalogue
from tests.games.nce.play import position


def refused(state: State, question: Question, *orders: Order) -> Problem:
    """The one problem of an answer; the position stays as it was, and what is proposed would be taken."""
    before = msgspec.json.encode(state)
    (problem,) = question.check(state, orders)
    assert msgspec.json.encode(state) == before
    assert problem.rule
    if problem.nearest:
        assert not question.check(state, problem.nearest), problem
    return problem


def year_1806() -> State:
    state = position(
        set_up=True, year=1806, round=0, hands={"empire": ["5F", "8F"], "coalition": ["22C", "4C"]}
    )
    state.resources = {
        "turquie": 4.0,
        "espagne": 4.0,
        "prusse": 5.0,
        "autriche": 12.0,
        "russie": 12.0,
        "angleterre": 6.0,
        "france": 14.0,
        "minors_empire": 3.0,
        "minors_coalition": 1.0,
    }
    return state


def budget(seat: str) -> Budget:
    return Budget(key="b", seat=seat, rule="6.3", year=1806)


@pytest.mark.parametrize(
    ("seat", "orders", "code", "rule"),
    [
        ("empire", (Build("fr_xv_corps", "munich"),), "not_a_reinforcement_zone", "6.3.6"),
        ("coalition", (Build("uk_ii_corps", "gibraltar"),), "not_a_reinforcement_zone", "6.3.6"),
        ("empire", (Build("fr_i_corps", "paris"),), "not_in_pool", "6.3.4"),
        ("empire", (Build("ru_viii_corps", "moscou"),), "not_your_power", "6.3.1"),
        ("coalition", (Build("ru_res_cav", "moscou"),), "cavalry_needs_army", "6.3.7"),
        ("empire", (Build("hesse", "kassel"),), "not_your_power", "6.3.1"),
        ("empire", (Restore("fr_i_corps"),), "not_reduced", "6.3.4"),
        ("empire", (Restore("fr_xv_corps"),), "not_on_map", "6.3.4"),
        ("coalition", (BuildFleet("gambier", "toulon"),), "not_a_home_port", "6.3.6"),
        ("empire", (BuildFleet("gambier", "londres"),), "not_your_power", "6.3.1"),
        (
            "coalition",
            (Send(4, "angleterre", "autriche"), Send(1, "russie", "autriche")),
            "too_much_sent",
            "6.3.3",
        ),
        ("empire", (Send(2, "espagne", "france"),), "spain_sends_nothing", "6.3.3"),
        ("coalition", (Send(2, "angleterre", "prusse"),), "not_your_power", "6.3.3"),
        (
            "coalition",
            (Send(4, "angleterre", "autriche"), BuyCard("bought")),
            "not_enough_resources",
            "6.3.2",
        ),
        ("empire", (BuyCard("bought"),), "coalition_only", "6.3.5"),
        ("coalition", (BuyCard("instead"), BuyCard("instead")), "free_fleet_taken", "6.3.5"),
        ("coalition", (BuyCard("bought"), BuyCard("bought")), "one_card", "6.3.5"),
        ("empire", (CreateArmy("saint_cyr"),), "no_army_marker", "6.3.8"),
        ("empire", (CreateArmy("castanos"),), "no_army_marker", "6.3.8"),
        ("empire", (BuyDepot("wurtemberg"),), "no_depot_there", "6.3.9"),
        ("empire", (Assign("davout", "paris"),), "not_in_reserve", "6.3.10"),
        ("empire", (Assign("mortier", "dijon"),), "no_units_there", "6.3.10"),
        ("empire", (BuySpecial("cavalerie_garde", "napoleon"),), "not_in_pool", "2.2.2"),
        ("empire", (Withdraw(("fr_xi_corps",)),), "general_alone", "2.4.3"),
        ("coalition", (Withdraw(("napoleon",)),), "not_your_power", "6.3.1"),
        ("empire", (PlayEvent("9F"),), "card_not_held", "7.3"),
    ],
)
def test_budget(seat: str, orders: tuple[Order, ...], code: str, rule: str) -> None:  # rule 6.3.4, 6.3.6
    problem = refused(year_1806(), budget(seat), *orders)
    assert (problem.code, problem.rule, problem.order) == (code, rule, len(orders) - 1)


def test_spending_beyond_resources_says_what_is_left() -> None:  # rule 6.3.2
    state = year_1806()
    state.resources["france"] = 1.0
    problem = refused(state, budget("empire"), Build("fr_xv_corps", "paris"))
    assert problem.code == "not_enough_resources"
    assert (problem.params["needed"], problem.params["left"]) == ("2", "1")


def test_what_was_received_is_not_sent_on() -> None:  # rule 6.3.3
    state = year_1806()
    state.resources["russie"] = 1.0
    sent = Send(4, "autriche", "russie")
    problem = refused(state, budget("coalition"), sent, Send(2, "russie", "angleterre"))
    assert (problem.code, problem.rule, problem.params["left"]) == ("not_enough_resources", "6.3.3", "1")
    assert not budget("coalition").check(state, (sent, Send(1, "russie", "angleterre")))


def test_a_wrong_place_is_answered_with_the_nearest_right_one() -> None:  # rule 6.3.6
    problem = refused(year_1806(), budget("empire"), Build("fr_xv_corps", "bade"))
    assert problem.nearest == (Build("fr_xv_corps", "strasbourg"),)


@pytest.mark.parametrize(
    ("seat", "orders", "code", "rule"),
    [
        ("coalition", (Negotiate("prusse", "4C"),), "card_too_low", "9.2.4"),
        ("coalition", (Negotiate("prusse", "24C"),), "card_not_held", "9.2.4"),
        ("coalition", (Negotiate("espagne", "22C"),), "not_neutral", "9.2.1"),
        ("coalition", (Negotiate("suede", "22C"),), "not_neutral", "9.2.2"),
        ("coalition", (Negotiate("suisse", "22C"),), "not_neutral", "9.2.2"),
        ("coalition", (Negotiate("royaume_italie", "22C"),), "not_neutral", "9.2.2"),
        ("coalition", (Negotiate("baviere", "22C"),), "guarded", "9.2.2"),
        ("empire", (Negotiate("baviere", "5F"),), "not_neutral", "9.2.2"),
        ("empire", (Protect("baviere", "5F"),), "no_protectorate", "9.1.5"),
        ("empire", (Protect("danemark", "5F"),), "not_french_ally", "9.1.5"),
        ("coalition", (Protect("danemark", "22C"),), "empire_only", "9.1.5"),
        ("coalition", (EndWar("4F", "22C"),), "no_such_war", "7.4.3"),
        ("empire", (EndWar("4F", "5F"),), "coalition_only", "7.4.3"),
        ("coalition", (FreeTalk("prusse"),), "no_free_talks", "9.1.3"),
    ],
)
def test_diplomacy(seat: str, orders: tuple[Order, ...], code: str, rule: str) -> None:  # rule 9.2.1, 9.2.2
    question = Talks(key="t", seat=seat, rule="6.4", year=1806)
    problem = refused(year_1806(), question, *orders)
    assert (problem.code, problem.rule) == (code, rule)


def test_a_second_great_power_and_a_third_card() -> None:  # rule 9.2.1, 6.4.1
    state = position(set_up=True, year=1806, hands={"coalition": ["22C", "10C", "14C"], "empire": []})
    question = Talks(key="t", seat="coalition", rule="6.4", year=1806)
    three = (Negotiate("danemark", "22C"), Negotiate("hanse", "10C"), Negotiate("egypte", "14C"))
    assert refused(state, question, *three).code == "two_cards"
    state.flags["talked_coalition"] = 18069
    assert refused(state, question, Negotiate("prusse", "22C")).code == "one_major"


@pytest.mark.parametrize(
    ("seat", "country", "code", "rule"),
    [
        ("empire", "autriche", "already_at_war", "6.1.1"),
        ("empire", "baviere", "already_at_war", "6.1.1"),
        ("coalition", "pologne", "no_target", "6.1.1"),
    ],
)
def test_declarations(seat: str, country: str, code: str, rule: str) -> None:  # rule 6.1.1
    problem = refused(year_1806(), War(key="w", seat=seat, rule="6.1", year=1806), Declare(country))
    assert (problem.code, problem.rule) == (code, rule)


def test_discards() -> None:  # rule 6.2.1
    state = position(hands={"empire": ["25F", "8F"], "coalition": []})
    question = Hand(key="h", seat="empire", rule="6.2.1", year=1806)
    assert refused(state, question, Discard(("25F",))).code == "must_keep"
    assert refused(state, question, Discard(("9F",))).code == "card_not_held"
    assert refused(state, question, Discard(("8F", "8F"))).code == "card_not_held"


@pytest.mark.parametrize(
    ("order", "code", "rule"),
    [
        (Annex("boheme", "france"), "not_annexable", "16.5.2"),
        (Annex("silesie", "france"), "not_his_province", "16.5.2"),
        (Annex("transylvanie", "france"), "must_touch", "16.5.4"),
        (Annex("tyrol", "prusse"), "not_your_side", "16.5.4"),
        (ClaimMinor("saxe"), "not_his_minor", "16.5.3"),
        (ForceAlliance("8F"), "no_alliance", "9.1.4"),
    ],
)
def test_peace_terms(order: Order, code: str, rule: str) -> None:  # rule 16.5.2, 16.5.4
    state = position(hands={"empire": ["8F"], "coalition": []})
    question = Terms(key="t", seat="empire", rule="16.5", power="autriche", most=3)
    problem = refused(state, question, order)
    assert (problem.code, problem.rule) == (code, rule)


def test_tilsit_gives_no_spoils() -> None:  # rule 16.5.6
    question = Terms(key="t", seat="empire", rule="16.5", power="autriche", most=1, tilsit=True)
    assert refused(position(), question, Spoils()).code == "no_spoils"


FLEETS = {
    "calder": "port:londres",
    "keith": "sea:manche",
    "stirling": "sea:mer_noire",
    "emeriau": "port:toulon",
    "ball": "sea:golfe_du_lion",
}


@pytest.mark.parametrize(
    ("orders", "code", "rule"),
    [
        ((Sail(("stirling",), ("mer_de_marmara",)),), "bosphorus_closed", "15.3.2"),
        ((Sail(("keith",), ("golfe_du_lion",)),), "seas_apart", "15.2.1"),
        ((Sail(("keith",), ("cherbourg",)),), "port_not_friendly", "15.2.1"),
        ((Sail(("keith",), ("toulon",)),), "port_not_here", "15.2.1"),
        ((Sail(("emeriau",), ("golfe_du_lion",)),), "not_your_fleet", "15.1"),
        ((Sail(("keith", "calder"), ("manche",)),), "not_together", "15.2.3"),
        ((Sail(("ball",), ("golfe_du_lion",)), Blockade("cagliari")), "port_not_enemy", "15.6.1"),
        ((Sail(("ball",), ("golfe_du_lion",)), Blockade("brest")), "port_not_here", "15.2.1"),
        ((Sail(("ball",), ("golfe_du_lion",)), Attack()), "no_fleet_here", "15.4.3"),
        ((Sail(("ball",), ("golfe_du_lion",)), Land("genes")), "nothing_there", "15.8.1"),
        ((Sail(("ball",), ("golfe_du_lion",)), Carry(("moore",))), "embark_in_port", "15.7.2"),
        (
            (
                Sail(
                    ("keith",),
                    (
                        "mer_du_nord",
                        "atlantique_nord",
                        "golfe_de_gascogne",
                        "manche",
                        "mer_du_nord",
                        "detroit",
                    ),
                ),
            ),
            "not_enough_points",
            "15.2.1",
        ),
    ],
)
def test_fleets(orders: tuple[Order, ...], code: str, rule: str) -> None:  # rule 15.2.1, 15.3.2
    state = position(
        fleets=FLEETS,
        status={"turquie": "empire"},
        hands={"coalition": ["22C"], "empire": []},
        active="coalition",
        forces=["coalition londres moore: uk_i_corps"],
    )
    question = Act(key="a", seat="coalition", rule="8.1", year=1805, round=2)
    problem = refused_letter(state, question, Play("22C"), *orders)
    assert (problem.code, problem.rule) == (code, rule)


def refused_letter(state: State, question: Question, *orders: Order) -> Problem:
    """As above; what is proposed stands for the order that failed."""
    before = msgspec.json.encode(state)
    (problem,) = question.check(state, orders)
    assert msgspec.json.encode(state) == before
    if problem.nearest:
        assert not question.check(state, (*orders[: problem.order], *problem.nearest)), problem
    return problem


def test_moves_before_the_rounds() -> None:  # rule 6.6.2, 6.6.3, 6.5.3
    state = year_1806()
    question = Redeployment(key="r", seat="empire", rule="6.6", year=1806)
    assert refused(state, question, Redeploy("napoleon", ("vienne",))).code == "no_way"
    assert refused(state, question, Redeploy("brunswick", ("berlin",))).code == "not_your_power"
    assert refused(state, question, Redeploy("mack", ("vienne",))).code == "not_your_force"
    assert refused(
        state, question, Redeploy("fr_vii_corps", ("nantes", "le_mans", "paris", "reims", "metz"))
    ).code == ("not_enough_points")
    assert refused(state, question, MoveFleet("emeriau", "marseille")).code == "not_your_fleet"


def test_a_minor_in_two_rounds_running() -> None:  # rule 8.1.8
    state = position(hands={"coalition": ["22C"], "empire": []}, active="coalition", round=4)
    state.talks["coalition"] = 18053
    question = Act(key="a", seat="coalition", rule="8.1", year=1805, round=4)
    problem = refused_letter(state, question, Negotiate("danemark", "22C"))
    assert (problem.code, problem.rule) == ("talked_last_round", "8.1.8")
    state.talks["coalition"] = 18052
    assert not question.check(state, (Negotiate("danemark", "22C"),))
    assert not question.check(state, (NoCard(),))


def test_the_menu_of_a_peace_lists_all_that_may_be_had() -> None:  # rule 16.5.2
    state = position(set_up=True)
    question = Terms(key="t", seat="empire", rule="16.5", power="autriche", most=3)
    menu = question.menu(state)
    assert menu[:3] == list(question.default(state))
    provinces = [order for order in menu if isinstance(order, Annex)]
    assert len(provinces) > 3
    assert all(not question.check(state, (order,)) for order in menu)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Bohême cannot be annexed so; open are"),
        ("fr", "Bohême ne peut être annexée ainsi ; possibles"),
    ],
)
def test_terms_that_are_refused_name_the_province_and_offer_one(lang: str, said: str) -> None:
    state = position(set_up=True)
    question = Terms(key="t", seat="empire", rule="16.5", power="autriche", most=3)
    problem = refused(state, question, Annex("boheme", "france"))
    assert said in Catalogue(lang, RULES).problem(problem).replace("\u00a0", " ")
    assert not question.check(state, problem.nearest)


def test_the_menu_of_a_budget_lists_what_may_be_raised() -> None:  # rule 6.3.4
    state = position(set_up=True, phase="budget")
    state.resources = {"france": 14.0, "espagne": 4.0, "turquie": 4.0, "minors_empire": 3.0}
    question = Budget(key="b", seat="empire", rule="6.3", year=1806)
    raised = [order for order in question.menu(state) if isinstance(order, Build)]
    assert Build("fr_xv_corps", "anvers") in raised
    assert all(not question.check(state, (order,)) for order in raised)


def test_the_menu_of_a_round_lists_events_whose_time_it_is() -> None:  # rule 7.3
    hand = ["1F", "6F", "27F", "20F"]
    state = position(set_up=True, phase="rounds", round=2, hands={"empire": hand, "coalition": []})
    menu = Act(key="a", seat="empire", rule="8", year=1805, round=2).menu(state)
    assert [order for order in menu if isinstance(order, PlayEvent)] == [
        PlayEvent("1F"),
        PlayEvent("27F"),
    ]


def test_the_menu_of_diplomacy_lists_each_country_once_with_the_cheapest_card() -> None:  # rule 9.2.4
    hands = {"empire": ["1F", "8F", "27F", "4F"], "coalition": []}
    state = position(set_up=True, phase="diplomacy", hands=hands)
    question = Talks(key="t", seat="empire", rule="6.4", year=1806)
    offers = [order for order in question.menu(state) if isinstance(order, Negotiate)]
    assert len(offers) == len({order.country for order in offers}) > 3
    assert all(not question.check(state, (order,)) for order in offers)
    assert len(offers) < sum(isinstance(answer[0], Negotiate) for answer in question.legal(state))


def test_countries_have_their_article_in_french() -> None:
    said = [
        RULES.vocabulary.say("the_country", id, "fr") for id in ("autriche", "prusse", "danemark", "corfou")
    ]
    assert said == ["l'Autriche", "la Prusse", "le Danemark", "Corfou"]
