"""Fuzz as a habit: random legal games, checked on the way.

Checked after each step: the game's own invariants; every question has a legal answer, and its default is one.
Checked at a share of the steps, drawn from the game's seed: the position survives the store's encoding; views
hide the same things however often they are taken; every event has its words; a game taken up from its last
checkpoint stands where the live one stands. Checked at the end: all of it, and that there is an outcome.
A failure comes with the playback that reproduces it.
"""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pbem import games
from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.archive.game_file import Playback
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.agreement import Agreement, Clause, Denounce, Sign, Withdraw, deposit_key
from pbem.kernel.chance import Recorded
from pbem.kernel.event import Told
from pbem.kernel.game import LETTER, Game, Given, state_bytes
from pbem.kernel.order import LANGUAGES
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.reports.catalogue import catalogue

SIGNED = 0.1
"""The share of steps with a signature, in games that know agreements."""
LOOKED_INTO, RESUMED = 0.15, 0.1
"""The shares of steps with the dear checks."""


class Wrong(AssertionError):
    """Something that no play may lead to."""


class Played(msgspec.Struct, frozen=True):
    """One fuzzed game: how many decisions it took, and the playback if it failed."""

    seed: int
    decisions: int
    seconds: float
    outcome: str
    failure: Playback | None = None


def fuzz(
    name: str, scenario: str, options: Mapping[str, str], number: int, seed: int, robot: str = "random"
) -> Iterator[Played]:
    """Play that many games."""
    for n in range(number):
        yield play_one(name, scenario, options, seed + n, robot)


def play_one(
    name: str, scenario: str, options: Mapping[str, str], seed: int, robot: str = "random"
) -> Played:
    """One game from that seed, checked on the way."""
    rules = games.load(name)
    game = Game.start(rules, scenario, options, Recorded(beyond=Seeded(seed)))
    answers: list[Given] = []
    started = time.perf_counter()
    try:
        seats = rules.scenarios[scenario].seats
        _play(rules, game, seats, answers, random.Random(seed), robot)
    except Exception:
        failure = playbacks.of(game, scenario, dict(options), answers, traceback.format_exc(limit=6))
        return Played(seed, len(answers), time.perf_counter() - started, "failed", failure)
    outcome = rules.outcome(game.state)
    winners = ",".join(outcome.winners) if outcome else ""
    return Played(seed, len(answers), time.perf_counter() - started, winners)


def _play(
    rules: Rules[Any],
    game: Game[Any],
    seats: tuple[str, ...],
    answers: list[Given],
    rng: random.Random,
    robot: str,
) -> None:
    while not game.over:
        _ensure(len(answers) < rules.most_decisions, f"no end after {rules.most_decisions} decisions")
        _ensure(bool(game.questions), "dead end: the game is not over and nobody is asked")
        check_step(rules, game, seats)
        told = game.take_told()
        if rng.random() < LOOKED_INTO:
            look_into(rules, game, seats, told)
        if rules.agreements is not None and rng.random() < SIGNED:
            _sign(rules, game, seats, answers, rng)
        waiting = [question for key, question in game.questions.items() if not game.answered(key)]
        question = rng.choice(waiting)
        answer = _choose(rules, game, question, rng, robot)
        if rng.random() < LOOKED_INTO:
            fresh = state_bytes(rules.view(game.state, question.seat))
            _ensure(state_bytes(game.view(question.seat)) == fresh, f"{question.seat}'s view was changed")
        answers.append(Given(question.key, question.seat, answer, LETTER))
        game.give(answers[-1])
        if rng.random() < RESUMED or game.over:
            check_resumed(rules, game)
    check_step(rules, game, seats)
    look_into(rules, game, seats, game.take_told())
    _ensure(rules.outcome(game.state) is not None, "the game is over without an outcome")


def _sign(
    rules: Rules[Any], game: Game[Any], seats: tuple[str, ...], answers: list[Given], rng: random.Random
) -> None:
    """A seat signs something new, or what another has signed; or it withdraws or denounces."""
    assert rules.agreements is not None
    book = rules.agreements(game.state)
    alive = [seat for seat in seats if seat not in rules.dead(game.state)]
    seat = rng.choice(alive)
    offered, binding = (one.agreement for one in book.offers), (one.agreement for one in book.binding)
    known = [one for one in (*offered, *binding) if seat in one.parties]
    order: Sign | Withdraw | Denounce
    if known and rng.random() < 0.6:
        one = rng.choice(known)
        order = rng.choice((Sign(one), Sign(one), Withdraw(one.n), Denounce(one.n)))
        n = one.n
    else:
        n = len(answers) + 1
        parties = {seat, *rng.sample(alive, min(len(alive), 2))}
        in_order = tuple(one for one in seats if one in parties)
        order = Sign(Agreement(n, in_order, (Clause(f"words {n}"),), term=rng.randint(0, 3)))
    if len(alive) < 2 or book.problem(seat, order) is not None:
        return
    answers.append(Given(deposit_key(n, seat), seat, (order,), LETTER))
    game.give(answers[-1])


def _choose(
    rules: Rules[Any], game: Game[Any], question: Question[Any], rng: random.Random, robot: str
) -> Any:
    view = game.view(question.seat)
    default = question.default(view)
    _ensure(not question.check(view, default), f"the default of {question.key} is not legal: {default}")
    answer = default if rng.random() < 0.02 else rules.robots[robot](view, question, rng)
    problems = question.check(view, answer)
    _ensure(not problems, f"the robot's answer to {question.key} is not legal: {answer}: {problems}")
    return answer


def check_step(rules: Rules[Any], game: Game[Any], seats: tuple[str, ...]) -> None:
    """What must hold of every position."""
    broken = rules.invariants(game.state)
    _ensure(not broken, f"invariant: {'; '.join(broken[:3])}")


def look_into(rules: Rules[Any], game: Game[Any], seats: tuple[str, ...], news: Sequence[Told]) -> None:
    """What must hold of every position and of what was told, and takes longer to see."""
    encoded = state_bytes(game.state)
    again = msgspec.json.decode(encoded, type=rules.state)
    _ensure(state_bytes(again) == encoded, "the position changes when it is stored")
    public = state_bytes(rules.view(game.state, None))
    for seat in seats:
        view = rules.view(game.state, seat)
        _ensure(state_bytes(rules.view(view, seat)) == state_bytes(view), f"{seat}'s view of a view differs")
        _ensure(
            state_bytes(rules.view(view, None)) == public,
            f"{seat}'s view hides what is public, or shows more",
        )
    for told in news:
        for lang in LANGUAGES:
            words = catalogue(lang, rules)
            for seat in seats:
                if told.known_to(seat):
                    _ensure(bool(words.event(told.event, seat)), f"no words for {told.event}")


def check_resumed(rules: Rules[Any], game: Game[Any]) -> None:
    """A game taken up from its last checkpoint stands where the live one stands."""
    assert isinstance(game.table.chance, Recorded)
    resumed = Game.resume(rules, game.last_checkpoint, game.since, Recorded(game.table.chance.draws.values()))
    _ensure(resumed.hash() == game.hash(), "a resumed game stands elsewhere")
    _ensure(list(resumed.questions) == list(game.questions), "a resumed game asks something else")


def _ensure(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Wrong(otherwise)


Progress = Callable[[Played], None]
