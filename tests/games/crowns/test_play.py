"""The rules of Seven Crowns: market, auction, order of moves, Revise, battles, agreements, elimination, the end."""

from __future__ import annotations

from typing import Any

import pytest

from pbem import games
from pbem.games.crowns.orders import Assault, BidCrown, Buy, Hold, March, Raise, Retire, Sell
from pbem.games.crowns.questions import Cabinet, Revise
from pbem.games.crowns.state import HIDDEN
from pbem.kernel.agreement import Agreement, AgreementBroken, Clause, Sign, deposit_key
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import Answer, AskMe, Order
from tests.kernel.toy import Pseudo

RULES = games.load("crowns")


def begun(scenario: str = "seven") -> Game[Any]:
    return Game.start(RULES, scenario, {}, Pseudo())


def play(
    game: Game[Any], wishes: dict[str, tuple[Order, ...]] | None = None, asks: tuple[str, ...] = ()
) -> None:
    """One turn: what powers want, and for all else what silence means. `asks`: who wants to be asked to revise."""
    turn = game.state.turn
    standing = {seat: [AskMe("revise")] for seat in asks}
    while not game.over and game.state.turn == turn:
        game.settle(lambda seat: list(standing.get(seat, ())))
        question = next((q for q in game.questions.values() if not game.answered(q.key)), None)
        if question is None or game.state.turn != turn:
            break
        if isinstance(question, Revise):
            break
        answer: Answer = question.default(game.view(question.seat))
        if isinstance(question, Cabinet):
            answer = (wishes or {}).get(question.power, (Hold(),))
        assert not question.check(game.view(question.seat), answer)
        game.give(Given(question.key, question.seat, answer, LETTER))


def test_a_free_hand_for_each_number_of_players() -> None:  # rule 1
    for name, scenario in RULES.scenarios.items():
        state = RULES.setup(name, {})
        assert set(scenario.seats) == set(state.seats)
        assert all(state.of(seat)[0] == seat or seat in state.of(seat) for seat in scenario.seats)
    assert RULES.setup("two", {}).of("france") == ["france", "spain"]
    assert RULES.setup("two", {}).hand("russia") == ""


def test_others_hands_are_hidden() -> None:  # rule 1
    view = begun().view("france")
    assert view.powers["austria"].gold == HIDDEN
    assert view.troops["vienna"] == HIDDEN
    assert view.troops["munich"] == 2


@pytest.mark.parametrize(
    ("orders", "code"),
    [
        ((Raise(4),), "no_gold"),
        ((March(1, "vienna", "zara"),), "not_yours"),
        ((March(1, "paris", "naples"),), "not_adjacent"),
        ((March(4, "paris", "munich"),), "too_few"),
        ((Sell(5, 1),), "no_grain"),
        ((Raise(1), Buy(5, 1)), "no_gold"),
        ((BidCrown(1),), "no_crown"),
    ],
)
def test_what_cannot_be_ordered(orders: tuple[Order, ...], code: str) -> None:  # rule 2
    game = begun()
    question = game.questions["t1/cabinet/france"]
    assert code in {problem.code for problem in question.check(game.view("france"), orders)}


def test_regiments_just_raised_may_march() -> None:  # rule 2.1
    game = begun()
    play(game, {"france": (Raise(1), March(4, "paris", "munich"))})
    assert game.state.owner["munich"] == "france"


def test_one_price_for_all_who_meet() -> None:  # rule 2.3
    game = begun()
    wishes = {"france": (Buy(1, 4),), "spain": (Buy(1, 2),), "russia": (Sell(1, 1),), "turkey": (Sell(1, 3),)}
    play(game, wishes)
    gold = {power: one.gold for power, one in game.state.powers.items()}
    assert gold["france"] == gold["austria"] - 1
    assert gold["russia"] == gold["austria"] + 1
    assert gold["spain"] == gold["turkey"] == gold["austria"]


def test_the_highest_bid_wins_the_crown_and_is_paid() -> None:  # rule 2.4
    game = begun()
    play(game)
    play(game)
    play(game, {"france": (BidCrown(4),), "russia": (BidCrown(5),)})
    assert game.state.powers["russia"].crowns == 1
    assert game.state.powers["russia"].gold == game.state.powers["france"].gold - 5


def test_who_holds_least_moves_first() -> None:  # rule 3.1
    game = begun()
    play(game, {"france": (March(3, "paris", "munich"),)})
    play(game)
    assert game.state.round.order[-1] == "france"


def test_only_who_wants_it_is_asked_to_revise_and_silence_keeps_the_plan() -> None:  # rule 3.2
    attack = {
        power: (March(3, "berlin", "petersburg"),) if power == "prussia" else (Hold(),)
        for power in ("prussia", "russia")
    }
    for asks in ((), ("russia",)):
        game = begun()
        play(game, {**attack, "russia": (March(1, "petersburg", "warsaw"),)}, asks)
        order = game.state.round.order
        assert order.index("prussia") < order.index("russia")
        revise = [q for q in game.questions.values() if isinstance(q, Revise)]
        assert bool(revise) == bool(asks)
    assert revise[0].default(game.view("russia")) == (March(1, "petersburg", "warsaw"),)


def test_two_battles_of_one_seat_are_asked_at_once() -> None:  # rule 4
    game = begun("two")
    for power, orders in (
        ("france", (March(3, "paris", "munich"),)),
        ("spain", (March(3, "madrid", "milan"),)),
        ("great_britain", (Hold(),)),
        ("austria", (Hold(),)),
    ):
        key = f"t1/cabinet/{power}"
        game.give(Given(key, game.questions[key].seat, orders, LETTER))
    assert [question.area for question in game.open_to("france")] == ["munich", "milan"] or [
        question.area for question in game.open_to("france")
    ] == ["milan", "munich"]
    munich, milan = "t1/battle/munich/france", "t1/battle/milan/spain"
    game.give(Given(milan, "france", (Retire(),), LETTER))
    game.give(Given(munich, "france", (Assault(),), LETTER))
    assert game.state.troops["madrid"] == 3


def sign(game: Game[Any], agreement: Agreement) -> None:
    for seat in agreement.parties:
        game.give(Given(deposit_key(agreement.n, seat), seat, (Sign(agreement),), LETTER))


PEACE = Agreement(1, ("russia", "prussia"), (Clause("peace", '{"order":"peace"}'),))


def test_who_marches_on_a_party_breaks_the_peace() -> None:  # rule 5.1
    game = begun()
    sign(game, PEACE)
    play(game)
    assert game.state.agreements.binding
    game.take_told()
    play(game, {"prussia": (March(3, "berlin", "petersburg"),)})
    assert not game.state.agreements.binding
    broken = [one.event for one in game.take_told() if isinstance(one.event, AgreementBroken)]
    assert [one.seat for one in broken] == ["prussia"]


def test_a_payment_is_made_as_far_as_there_is_gold() -> None:  # rule 5.2
    game = begun()
    pay = Clause("pay", '{"order":"pay","payer":"russia","amount":30,"payee":"prussia"}')
    sign(game, Agreement(2, ("russia", "prussia"), (pay,)))
    play(game)
    assert game.state.powers["prussia"].gold == game.state.powers["russia"].gold + 12


def test_hungry_regiments_go_home() -> None:  # rule 6
    game = begun()
    game.state.powers["france"].grain = 0
    game.state.troops["paris"] = 9
    play(game)
    assert game.state.troops["paris"] == 2


def test_a_seat_is_out_only_with_its_last_power() -> None:  # rule 7.1
    game = begun("two")
    state = game.state
    for area in state.held("spain"):
        state.owner[area], state.troops[area] = "austria", 1
    game.forget_views()
    play(game)
    assert state.powers["spain"].out
    assert RULES.dead(state) == []
    assert [question.power for question in game.open_to("france")] == ["france"]


def test_the_last_seat_has_won() -> None:  # rule 7.2
    game = begun("two")
    state = game.state
    for area in (*state.held("austria"), *state.held("great_britain")):
        state.owner[area], state.troops[area] = "france", 1
    game.forget_views()
    play(game)
    assert game.over
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert outcome.winners == ("france",)


def test_what_was_paid_at_sign_up_counts_against_a_seat() -> None:  # rule 7.2
    state = RULES.setup("seven", {"turns": "8", "price.france": "6"})
    assert state.points("france") == state.points("austria") - 6
