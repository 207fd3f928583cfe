"""Orders checked against a position on this machine, without a moderator: `pbem check`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.archive import replay
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.chance import Recorded
from pbem.kernel.game import Game
from pbem.orders.reading import read_answer
from pbem.reports.catalogue import catalogue


class Checked(msgspec.Struct, frozen=True):
    """Whether the orders stand, for which question, a line about each, and what may come of them as CHECK tells it."""

    good: bool
    question: str
    lines: list[str]


def stand(name: str, file: Path | None) -> Game[Any]:
    """A position: the end of a recorded game, or the set-up of a new one. Raises ValueError, OSError."""
    if file is not None:
        playback = replay.load(file)
        if playback.game != name:
            raise ValueError(f"{file.name} is a game of {playback.game}, not of {name}")
        return playbacks.play(playback)
    rules = games.load(name)
    options = {option.name: option.values[0] for option in rules.options}
    return Game.start(rules, next(iter(rules.scenarios)), options, Recorded(beyond=Seeded(0)))


def check_text(name: str, text: str, file: Path | None, seat: str, lang: str) -> Checked:
    """Check orders as a seat would send them. Raises ValueError, OSError."""
    game = stand(name, file)
    words = catalogue(lang, game.rules)
    questions = [q for q in game.questions.values() if not seat or q.seat == seat]
    if not questions:
        raise ValueError(f"nothing is asked of {seat or 'anybody'} in that position")
    question = questions[0]
    view = game.view(question.seat)
    own = game.rules.owned(view, question.seat)
    called = game.rules.seen(view, question.seat)
    reading = read_answer(
        text.splitlines(),
        question,
        view,
        game.rules.vocabulary,
        lang=words.lang,
        own=own,
        called=called,
    )
    low, high = question.count(view)
    lines = [f"{words.seat(question.seat)}, {words.question(question, view)}"]
    fits = low <= len(reading.orders) <= high
    if not reading.problems and fits:
        reading = reading.checked(question.check(view, reading.orders))
    for line in reading.lines:
        orders = "; ".join(words.order(order) for order in line.orders)
        lines.append(f"{'!' if line.problems else '+'} {line.text}" + (f"  →  {orders}" if orders else ""))
        lines += [f"    {words.problem(problem)}" for problem in line.problems]
    if not fits:
        code = "incomplete" if len(reading.orders) < low else "too_many"
        name_ = words.question_name(question)
        have = len(reading.orders)
        lines.append(words.phrase("notes", code, question=name_, low=low, high=high, have=have))
    good = fits and not reading.problems
    if good and game.rules.forecast is not None:
        foreseen = game.rules.forecast(view, question.seat, reading.orders)
        lines += [words.event(event, question.seat) for event in foreseen]
    return Checked(good, question.kind(), lines)
