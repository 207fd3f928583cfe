"""Whether each answer of a replayed game is the one that its reason gives, by the rules.

That a reason is there at all, the log shows by itself (`pbem.dice.audit.reasons`). Here the rules say whether the
standing orders in force gave just this answer on this view, whether silence means it, whether there was no choice.
"""

from __future__ import annotations

import random
from typing import Any

from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.archive.replay import Finished
from pbem.dice.audit.reasons import Answer as Claim
from pbem.dice.audit.reasons import Reasons
from pbem.kernel.agreement import DEPOSIT
from pbem.kernel.game import DEFAULT, ONLY, STANDING, SUBSTITUTE, Game, Given
from pbem.kernel.order import Answer, Order, from_data
from pbem.kernel.question import Question


class Unreasoned(Exception):
    """An answer that its reason does not give; `params` say which, and why."""

    def __init__(self, answer: Claim, why: str) -> None:
        super().__init__(why)
        self.params: dict[str, str | int] = {
            "entry": answer.cause or answer.since,
            "n": answer.n,
            "seat": answer.seat,
            "key": answer.key,
            "why": why,
        }


class Judge:
    """Looks at a game before each of its answers. Without anything to go by (first edition) it finds nothing."""

    def __init__(self, finished: Finished) -> None:
        self.finished = finished
        self.asked_since: dict[str, int] = {}
        """By open question, the entry that led to it."""
        self._silence = 0
        self._meant: dict[str, Answer] = {}
        """What the silence at an entry meant, by question: on the views before any of its answers."""

    def next(self, game: Game[Any]) -> None:
        """The game as it stands before its next answer. Raises Unreasoned."""
        reasons, number = self.finished.reasons, game.answers
        if reasons is None:
            return
        before = self.finished.given[number - 1].since if number else 1
        self.asked_since = {key: self.asked_since.get(key, before) for key in game.questions}
        if number == len(self.finished.given):
            return
        answer = self.finished.given[number]
        if game.rules.agreements is not None and answer.key.startswith(DEPOSIT):
            # A signature answers no question; the log has its receipt.
            return
        question = game.questions.get(answer.key)
        if question is None or question.seat != answer.seat:
            raise Unreasoned(answer, "nobody asked that seat so")
        given = playbacks.given(self.finished.playback.answers[number], game.rules)
        if given.origin in (STANDING, ONLY):
            self._without_letter(game, question, given, answer, reasons)
        elif answer.cause in reasons.silences:
            self._silent(game, given, answer, reasons)

    def _without_letter(
        self, game: Game[Any], question: Question[Any], given: Given, answer: Claim, reasons: Reasons
    ) -> None:
        """A standing order, or the only choice: what the game does by itself, with the orders in force."""
        kinds = game.rules.orders
        for said in reasons.standing(answer):
            orders: list[Order] = [from_data(one, kinds) for one in said if isinstance(one, dict)]
            found = game.without_letter(question, [*orders, *game.rules.defaults])
            if found == given:
                return
        why = "the standing orders in force" if given.origin == STANDING else "the rules"
        raise Unreasoned(answer, f"{why} do not give this answer")

    def _silent(self, game: Game[Any], given: Given, answer: Claim, reasons: Reasons) -> None:
        """What silence means, after a deadline that was set for what is asked now."""
        if answer.cause != self._silence:
            self._silence = answer.cause
            self._meant = {
                one.key: self._meaning(game, one, given.origin) for one in game.open_to(answer.seat)
            }
            keys = [key for key in reasons.silences[answer.cause].keys if key in self.asked_since]
            overdue = any(reasons.overdue(answer.cause, self.asked_since[key]) for key in keys)
            if given.origin == DEFAULT and not overdue:
                raise Unreasoned(answer, "no deadline for this question had passed")
        if given.answer != self._meant.get(given.key):
            raise Unreasoned(answer, "silence does not mean this")

    def _meaning(self, game: Game[Any], question: Question[Any], origin: str) -> Answer:
        """What silence, or the caretaker, answers to a question."""
        view = game.view(question.seat)
        robot = game.rules.caretaker if origin == SUBSTITUTE else None
        if robot is not None:
            chosen = robot(view, question, random.Random(f"{self.finished.name}|{question.key}"))
            if not question.check(view, chosen):
                return chosen
        return question.default(view)
