"""The kernel: a game is a function of its set-up, draws and answers."""

import random

import pytest

from pbem.kernel.chance import LabelUsed, Recorded, UnknownDraw
from pbem.kernel.game import DEFAULT, LETTER, WITHDRAWN, Game, Given, NoSuchQuestion
from pbem.kernel.order import AskMe, Condition, Test, When
from tests.kernel.toy import RULES, Bid, Go, Pseudo, State


def new(turns: int = 3) -> Game[State]:
    return Game.start(RULES, "toy", {"turns": str(turns)}, Recorded(beyond=Pseudo()))


def bid(key: str, amount: int) -> Given:
    return Given(key, key.rsplit("/", 1)[1], (Bid(amount),), LETTER)


def go(turn: int, place: str = "hill") -> Given:
    return Given(f"t{turn}/go", "red", (Go(place),), LETTER)


def play_out(game: Game[State], seed: int) -> list[Given]:
    whim = random.Random(seed)
    given: list[Given] = []
    while not game.over:
        open_keys = [key for key in game.questions if not game.answered(key)]
        question = game.questions[whim.choice(open_keys)]
        answer = RULES.robots["random"](game.view(question.seat), question, whim)
        given.append(Given(question.key, question.seat, answer, LETTER))
        game.give(given[-1])
    return given


@pytest.mark.parametrize("seed", range(5))
def test_resuming_after_every_single_decision_gives_the_position_of_playing_through(seed: int) -> None:
    answers = play_out(new(), seed)
    live = new()
    checkpoint, since = live.last_checkpoint, 0
    for n, given in enumerate(answers, 1):
        live.give(given)
        passed = live.take_checkpoints()
        if passed:
            checkpoint, since = passed[-1], n
        assert isinstance(live.table.chance, Recorded)
        again = Game.resume(RULES, checkpoint, answers[since:n], Recorded(live.table.chance.draws.values()))
        assert again.hash() == live.hash()
        assert list(again.questions) == list(live.questions)
        assert again.answers == live.answers == n


def test_sub_games_under_gather_may_be_answered_in_any_order() -> None:
    keys = [f"t1/{place}/{seat}" for place in ("hill", "mill") for seat in ("red", "blue")]
    hashes = set()
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]):
        game = new(turns=1)
        game.give(go(1))
        assert set(game.questions) == set(keys)
        for n in order:
            game.give(bid(keys[n], n))
        assert game.over
        hashes.add(game.hash())
    assert len(hashes) == 1


def test_a_sealed_answer_may_be_replaced_until_all_are_in() -> None:
    game = new()
    game.give(go(1))
    game.give(bid("t1/hill/red", 0))
    assert game.answered("t1/hill/red")
    game.give(bid("t1/hill/red", 3))
    game.give(bid("t1/hill/blue", 1))
    with pytest.raises(NoSuchQuestion):
        game.give(bid("t1/hill/red", 2))


def test_a_sealed_answer_may_be_taken_back() -> None:
    game = new()
    game.give(go(1))
    game.give(bid("t1/hill/red", 0))
    game.give(Given("t1/hill/red", "red", (), WITHDRAWN))
    assert not game.answered("t1/hill/red")
    game.give(bid("t1/hill/blue", 1))
    assert "t1/hill/red" in game.questions


def test_a_rollback_is_a_shorter_journal_and_keeps_its_draws() -> None:
    game = new()
    answers = play_out(game, 1)
    assert isinstance(game.table.chance, Recorded)
    draws = game.table.chance.draws
    first = Game.start(RULES, "toy", {"turns": "3"}, Recorded(draws.values()))
    for given in answers[:5]:
        first.give(given)
    assert first.state.turn == 2
    assert first.state.points == {"red": 2, "blue": 1} or sum(first.state.points.values()) == 3


def test_a_what_if_does_not_touch_the_game() -> None:
    game = new()
    before = game.hash()
    copy = game.fork((), Pseudo())
    copy.give(go(1))
    assert copy.hash() != before
    assert game.hash() == before
    assert list(game.questions) == ["t1/go"]


def test_a_replay_without_its_draws_stops_and_a_label_means_one_draw() -> None:
    game = Game.start(RULES, "toy", {}, Recorded())
    with pytest.raises(UnknownDraw):
        game.give(go(1))
    recorded = Recorded(beyond=Pseudo())
    recorded.roll("a", 1, 6, rule="")
    with pytest.raises(LabelUsed):
        recorded.roll("a", 2, 6, rule="")


def test_standing_orders_answer_from_facts_and_may_keep_a_question() -> None:
    late = Condition((Test("turn", ">=", 2),))
    standing = {
        "red": [AskMe("bidding", late), When("bidding", Condition(), (Bid(2),))],
        "blue": [When("bidding", Condition((Test("place", "=", "hill"),)), (Bid(3),), (Bid(0),))],
    }
    game = new()
    game.give(go(1))
    settled = game.settle(lambda seat: list(standing[seat]))
    assert {(given.key, given.answer[0]) for given in settled} == {
        ("t1/hill/red", Bid(2)),
        ("t1/mill/red", Bid(2)),
        ("t1/hill/blue", Bid(3)),
        ("t1/mill/blue", Bid(0)),
    }
    game.give(Given("t2/go", "red", (Go("mill"),), DEFAULT))
    settled = game.settle(lambda seat: list(standing[seat]))
    assert {given.seat for given in settled} == {"blue"}
    assert [key for key in game.questions if not game.answered(key)] == ["t2/hill/red", "t2/mill/red"]


def test_orders_have_a_canonical_text_in_both_languages() -> None:
    order = When("bidding", Condition((Test("turn", ">=", 2),)), (Bid(2),), (Go("hill"),))
    assert order.text(RULES.vocabulary, "en") == "when bidding if turn >= 2 then bid 2 else go to Hill"
    assert order.text(RULES.vocabulary, "fr") == "quand mise si tour >= 2 alors miser 2 sinon aller à Colline"
