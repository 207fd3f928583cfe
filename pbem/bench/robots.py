"""Whole games between two sensible robots: how many letters a turn costs, and who wins.

    PBEM_BENCH_GAMES=50 PBEM_BENCH_SEED=100 pbem bench roundtrips balance

Games are independent of each other: they are shared among the cores.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

import msgspec

from pbem import games
from pbem.bench.chosen import chosen
from pbem.bench.figure import Figure
from pbem.console import bar
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.game import LETTER, Game, Given

DECIDED = 2
"""So many campaigns of each scenario are enough for a first look at who wins."""

NOBODY = "nobody"

T = TypeVar("T")


class Letters(msgspec.Struct):
    """How many letters each turn of a game needed, and how many answers needed none."""

    turns: dict[str, int] = msgspec.field(default_factory=dict)
    spared: int = 0


def roundtrips() -> Iterator[Figure]:
    """Robot games in which the default standing orders answer: how many turns need more than one letter.

    What is asked of both sides at once (sealed) is one round trip.
    """
    for name, wanted in chosen().items():
        if wanted.roundtrips is None:
            continue
        number = _number(wanted.roundtrips.games)
        scenarios = wanted.roundtrips.scenarios or tuple(games.load(name).scenarios)
        played = _play(partial(letters_of, name, scenarios), number, f"letters of {name}")
        counts = [count for each in played for count in each.turns.values()]
        turns, second = len(counts), sum(count > 1 for count in counts)
        spared = sum(each.spared for each in played)
        head = f"roundtrips {name}"
        yield Figure(f"{head}: turns of {number} robot games", turns, "turns")
        yield Figure(f"{head}: letters a turn", sum(counts) / turns, "letters")
        yield Figure(f"{head}: turns that need a second letter", 100 * second / turns, "%")
        yield Figure(f"{head}: answered without a letter, a turn", spared / turns, "answers")


def letters_of(name: str, scenarios: tuple[str, ...], seed: int) -> Letters:
    """Play one game, counting the letters of each turn."""
    rules = games.load(name)
    game = Game.start(rules, scenarios[seed % len(scenarios)], {}, Seeded(seed))
    rng = random.Random(seed)
    letters = Letters()
    while not game.over:
        letters.spared += len(game.settle(lambda seat: list(rules.defaults)))
        waiting = [question for key, question in game.questions.items() if not game.answered(key)]
        if waiting:
            moment = rules.moment(game.state)
            letters.turns[moment] = letters.turns.get(moment, 0) + 1
        for question in waiting:
            if question.key not in game.questions:
                continue
            answer = rules.robots["sensible"](game.view(question.seat), question, rng)
            game.give(Given(question.key, question.seat, answer, LETTER))
    return letters


def balance() -> Iterator[Figure]:
    """Whole campaigns: who wins by the rules, and who stands ahead at the end."""
    for name in (name for name, wanted in chosen().items() if wanted.balance):
        yield from _balance(name)


def _balance(name: str) -> Iterator[Figure]:
    number = _number(DECIDED)
    for scenario, record in games.load(name).scenarios.items():
        played = _play(partial(winners, name, scenario), number, f"campaigns of {scenario}")
        won = Counter(by_rules for by_rules, _ in played)
        above = Counter(by_points for _, by_points in played)
        for side in (*record.seats, NOBODY):
            share, head = 100 / number, f"balance {name} {scenario}: {side}"
            yield Figure(f"{head} wins, of {number}", share * won[side], "%")
            yield Figure(f"{head}, decided on points", share * above[side], "%")


def winners(name: str, scenario: str, seed: int) -> tuple[str, str]:
    """Who wins a campaign by the rules, and who if it is decided on points."""
    rules = games.load(name)
    game = Game.start(rules, scenario, {}, Seeded(seed))
    rng = random.Random(seed)
    while not game.over:
        question = next(question for key, question in game.questions.items() if not game.answered(key))
        answer = rules.robots["sensible"](game.view(question.seat), question, rng)
        game.give(Given(question.key, question.seat, answer, LETTER))
    outcome = rules.outcome(game.state)
    won = ", ".join(outcome.winners) if outcome is not None else ""
    ahead = rules.ahead(game.state) if rules.ahead is not None else ""
    return won or NOBODY, won or ahead or NOBODY


def _number(usual: int) -> int:
    return int(os.environ.get("PBEM_BENCH_GAMES", usual))


def _play(play: Callable[[int], T], number: int, what: str) -> list[T]:
    """The games of so many seeds, with a bar that shows how far they are."""
    first = int(os.environ.get("PBEM_BENCH_SEED", "0"))
    processes = min(os.cpu_count() or 1, number)
    with bar() as progress, ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        games_played = pool.map(play, range(first, first + number))
        return list(progress.track(games_played, total=number, description=what))
