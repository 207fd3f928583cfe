"""Random games: invariants, replay, resumption, no dead end, no leak."""

from __future__ import annotations

import msgspec
import pytest

from pbem.games.leipzig import RULES
from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.state import SEATS, State
from pbem.kernel.chance import Recorded
from pbem.kernel.event import Told
from pbem.kernel.game import Checkpoint, Game, Given
from pbem.kernel.question import Question
from tests.games.leipzig.helpers import Pseudo, new, play_out

OPTIONS: tuple[dict[str, str], ...] = ({}, {"advanced": "yes"}, {"match": "yes"})


@pytest.mark.parametrize("seed", range(10))
def test_random_games_keep_the_invariants_and_replay_to_the_same_position(seed: int) -> None:
    options = OPTIONS[seed % 3]
    game = new(seed, options)

    def look(game: Game[State], given: Given) -> None:
        assert RULES.invariants(game.state) == []
        again = msgspec.json.decode(msgspec.json.encode(game.state), type=State)
        assert again == game.state

    answers = play_out(game, seed, after=look)
    assert RULES.outcome(game.state) is not None
    assert isinstance(game.table.chance, Recorded)
    replay = Game.start(RULES, "battle", options, Recorded(game.table.chance.draws.values()))
    for given in answers:
        replay.give(given)
    assert replay.hash() == game.hash()


@pytest.mark.parametrize("options", [{}, {"match": "yes"}])
def test_resuming_after_every_decision_gives_the_position_of_playing_through(options: dict[str, str]) -> None:
    answers = play_out(new(21, options), 21)
    live = new(21, options)
    checkpoint: Checkpoint = live.last_checkpoint
    since = 0
    for n, given in enumerate(answers, 1):
        live.give(given)
        if passed := live.take_checkpoints():
            checkpoint, since = passed[-1], n
        assert isinstance(live.table.chance, Recorded)
        again = Game.resume(RULES, checkpoint, answers[since:n], Recorded(live.table.chance.draws.values()))
        assert again.hash() == live.hash()
        assert list(again.questions) == list(live.questions)


def secrets_of(state: State, seat: str | None) -> set[str]:
    """1.5: the identifiers that a seat must not find in its view."""
    side = state.roles.get(seat) if seat else None
    hidden = set(state.pile)
    for other, hand in state.hands.items():
        if other != side:
            hidden |= {held.card for held in hand}
    if side != "french":
        hidden |= {*state.missions, *(mission for pair in state.offered for mission in pair)}
    return hidden


@pytest.mark.parametrize("seed", [1, 2])
def test_a_view_and_what_is_said_hold_nothing_that_the_seat_may_not_know(seed: int) -> None:
    """Cards and missions get names that can stand nowhere by chance; none may reach the wrong seat."""

    def look(game: Game[State], given: Given) -> None:
        told = game.take_told()
        for seat in (*SEATS, None):
            text = msgspec.json.encode(game.view(seat)).decode()
            for secret in secrets_of(game.state, seat):
                assert f'"{secret}"' not in text, (seat, secret)
        check_told(game, told)
        for question in game.questions.values():
            check_question(game, question)

    play_out(new(seed), seed, after=look)


PRIVATE = {"card_drawn", "card_drawn_hidden", "hand_dealt", "missions_dealt", "missions_kept", "order_failed"}


def check_told(game: Game[State], told: list[Told]) -> None:
    for entry in told:
        assert (entry.to is not None and len(entry.to) == 1) == (entry.event.kind() in PRIVATE)
        text = msgspec.json.encode(entry.event).decode()
        for seat in (*SEATS, None):
            if entry.known_to(seat) and (seat is None or game.state.roles[seat] != "french"):
                for mission in game.state.missions:
                    assert f'"{mission}"' not in text, (seat, entry)


def check_question(game: Game[State], question: Question) -> None:
    """Nothing that a question says depends on what its seat may not know."""
    seat = question.seat
    twin = msgspec.json.decode(msgspec.json.encode(game.state), type=State)
    twin.pile.reverse()
    for side, hand in twin.hands.items():
        if side != twin.roles[seat]:
            hand.reverse()
    if twin.roles[seat] != "french":
        twin.missions = [m for m in BOARD.missions if m not in twin.revealed][-len(twin.missions) :]
    mine, other = game.view(seat), RULES.view(twin, seat)
    assert question.default(mine) == question.default(other)
    assert question.facts(mine) == question.facts(other)
    assert question.menu(mine) == question.menu(other)


def test_every_card_that_becomes_known_is_dealt_with_its_place() -> None:
    """2.2, 2.3, 3.7, 4.2: whoever sees a card of a secret deck first gets its proof, and so do all when it is shown."""
    chance = Pseudo(4)
    recorded = Recorded(beyond=chance)
    game = Game.start(RULES, "battle", {}, recorded)
    play_out(game, 4)
    shown: dict[str, set[str | None]] = {}
    for label, position, to in chance.deals:
        shown.setdefault(recorded.draws[label].items[position], set()).add(to)
    for mission in game.state.revealed:
        assert shown[mission] == {"french", None}
    for card in (*game.state.removed, *game.state.discard):
        assert None in shown[card]
    for seat in SEATS:
        for held in game.state.hands[game.state.roles[seat]]:
            assert shown[held.card] & {seat, None}


def test_every_listed_order_stands_and_the_default_too() -> None:
    game = new(8)

    def look(game: Game[State], given: Given) -> None:
        for question in game.questions.values():
            view = game.view(question.seat)
            before = msgspec.json.encode(view)
            for answer in question.legal(view):
                assert question.check(view, answer) == [], answer
            assert question.check(view, question.default(view)) == []
            assert msgspec.json.encode(view) == before

    play_out(game, 8, after=look)


def test_the_sensible_robot_beats_the_random_one_from_both_sides() -> None:
    won = 0
    for seed in range(4):
        side = SEATS[seed % 2]
        game = new(seed)
        play_out(game, seed, robots={side: "sensible"})
        outcome = RULES.outcome(game.state)
        assert outcome is not None
        won += outcome.winners == (side,)
    assert won >= 3
