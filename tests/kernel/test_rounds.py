"""Several questions to one seat, rounds in an order of the rules, bulletins, and views that are made once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from pbem.kernel.event import Event
from pbem.kernel.game import LETTER, ONLY, Game, Given
from pbem.kernel.order import Answer, AskMe
from pbem.kernel.question import Question
from pbem.kernel.rounds import Round, in_turn
from pbem.kernel.rules import Rules
from pbem.kernel.table import Table
from tests.kernel import toy
from tests.kernel.toy import Bid, Bidding, Go, Pseudo


class Position(msgspec.Struct):
    round: Round = msgspec.field(default_factory=Round)
    acted: list[str] = []
    asked: bool = False


class Revise(Question, frozen=True):
    plan: Answer
    orders = (Go,)
    on_wish = True

    def legal(self, view: Position) -> Iterator[Answer]:
        yield self.plan
        yield from ((Go(place),) for place in toy.PLACES)


class Hit(Event, frozen=True):
    what: str


async def play(table: Table[Position]) -> None:
    state = table.state
    if not state.asked:
        both = [Bidding(key=f"bid/{place}", seat="red", place=place, sealed=True) for place in toy.PLACES]
        answers = await table.ask_each(both)
        state.acted += [f"{key}={bid.amount}" for key, (bid,) in answers.items() if isinstance(bid, Bid)]
        state.asked = True
        state.round = Round.of(
            ["france", "russia", "prussia"],
            {"france": (Go("hill"),), "russia": (Go("hill"),), "prussia": ()},
        )
        await table.checkpoint()

    async def act(actor: str, plan: Answer) -> None:
        state.acted.append(f"{actor}:{','.join(go.place for go in plan if isinstance(go, Go))}")
        table.tell(Hit(what=actor), strikes=["blue"])

    def revise(actor: str, plan: Answer) -> Question | None:
        return Revise(key=f"revise/{actor}", seat="blue", plan=plan) if actor == "russia" else None

    await in_turn(table, state.round, (Go,), act, revise)
    await table.bulletin()


RULES: Rules[Any] = dataclasses.replace(
    toy.RULES,
    state=Position,
    play=play,
    setup=lambda scenario, options: Position(),
    view=lambda state, seat: msgspec.structs.replace(
        state, round=state.round.seen_by(["russia"] if seat == "blue" else [])
    ),
)


def begun() -> Game[Any]:
    game: Game[Any] = Game.start(RULES, "toy", {}, Pseudo())
    game.give(Given("bid/mill", "red", (Bid(2),), LETTER))
    game.give(Given("bid/hill", "red", (Bid(1),), LETTER))
    return game


def test_two_questions_to_one_seat_lose_no_answer() -> None:
    assert begun().state.acted[:2] == ["bid/mill=2", "bid/hill=1"]


def test_asking_a_seat_twice_by_seat_is_refused() -> None:
    async def twice(table: Table[Any]) -> None:
        await table.ask_all([Bidding(key=str(n), seat="red", place="hill") for n in (1, 2)])

    with pytest.raises(ValueError, match="ask_each"):
        Game.start(dataclasses.replace(RULES, play=twice), "toy", {}, Pseudo())


def test_whoever_did_not_want_to_be_asked_keeps_his_plan() -> None:
    game = begun()
    (settled,) = game.settle(lambda seat: [])
    assert (settled.origin, settled.answer) == (ONLY, (Go("hill"),))
    assert game.over
    assert game.state.acted[2:] == ["france:hill", "russia:hill", "prussia:"]


def test_whoever_wanted_to_be_asked_is_asked_and_may_change_his_plan() -> None:
    game = begun()
    assert game.settle(lambda seat: [AskMe("revise")]) == []
    assert list(game.questions) == ["revise/russia"]
    game.give(Given("revise/russia", "blue", (Go("mill"),), LETTER))
    assert game.state.acted[3] == "russia:mill"


def test_silence_means_that_the_plan_is_kept() -> None:
    game = begun()
    question = game.questions["revise/russia"]
    assert question.default(game.view("blue")) == (Go("hill"),)


def test_a_round_is_taken_up_between_two_actors() -> None:
    game = begun()
    taken_up = Game.resume(RULES, game.last_checkpoint, game.since, Pseudo())
    assert (taken_up.hash(), list(taken_up.questions)) == (game.hash(), list(game.questions))
    assert taken_up.state.acted[-1] == "france:hill"


def test_plans_of_others_are_not_seen() -> None:
    game = begun()
    assert list(game.view("blue").round.plans) == ["russia"]
    assert list(game.view(None).round.plans) == []


def test_a_bulletin_is_a_checkpoint_that_is_reported() -> None:
    game = begun()
    game.settle(lambda seat: [])
    assert [one.report for one in game.take_checkpoints()] == [False, False, False, False, True]


def test_whom_an_event_strikes_is_said() -> None:
    assert begun().take_told()[0].strikes == ("blue",)


def test_a_view_is_made_once_until_the_next_answer() -> None:
    made = []

    def view(state: Position, seat: str | None) -> Position:
        made.append(seat)
        return RULES.view(state, seat)

    game: Game[Any] = Game.start(dataclasses.replace(RULES, view=view), "toy", {}, Pseudo())
    for _ in range(3):
        game.view("red")
        game.view(None)
    assert made == ["red", None]
    game.give(Given("bid/mill", "red", (Bid(2),), LETTER))
    game.view("red")
    assert made == ["red", None, "red"]
