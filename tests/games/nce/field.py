"""A position played by letters, with dice by label: for tests that look at modifiers, refusals and what is near."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from pbem.games.nce import RULES
from pbem.games.nce.state import State
from pbem.kernel.chance import Given as GivenDraws
from pbem.kernel.event import Event, Told
from pbem.kernel.game import LETTER, Checkpoint, Game, Given
from pbem.kernel.problem import Problem
from pbem.orders.reading import read_answer
from pbem.proving.cases import Strict
from tests.games.nce.play import position

E = TypeVar("E", bound=Event)


class Field:
    """A game from a few words. Dice are named by the end of their label; a draw that is not given is an error."""

    def __init__(
        self, dice: Mapping[str, Sequence[int]] | None = None, *, side: str = "empire", **given: Any
    ) -> None:
        given.setdefault("hands", {"empire": [], "coalition": []})
        state = position(active=side, **given)
        where = f"{state.year}/r{state.round}/{side}"
        rolls = {f"{where}/{label}": list(values) for label, values in (dice or {}).items()}
        draws = GivenDraws(rolls, {}, Strict())
        self.game: Game[State] = Game(RULES, Checkpoint(0, 0, msgspec.json.encode(state)), draws)
        self.game.settle(lambda seat: [])
        self.told: list[Event] = []
        self.heard: list[Told] = []
        """The same with who may know it."""

    @property
    def state(self) -> State:
        """The position now; whoever asks may change it."""
        self.game.forget_views()
        return self.game.state

    def asked(self) -> list[str]:
        """The open questions: seat and kind."""
        return [
            f"{q.seat} {q.kind()}" for key, q in self.game.questions.items() if not self.game.answered(key)
        ]

    def problems(self, seat: str, text: str) -> list[Problem]:
        """What is wrong with a letter."""
        return self._read(seat, text)[2]

    def problem(self, seat: str, text: str) -> Problem:
        """The one thing that is wrong with a letter; the position is untouched."""
        before = self.game.hash()
        (problem,) = self.problems(seat, text)
        assert self.game.hash() == before
        return problem

    def mended(self, seat: str, text: str) -> list[Problem]:
        """What is still wrong when the order that is refused is written as the refusal suggests."""
        question, orders, (problem,) = self._read(seat, text)
        better = (*orders[: problem.order], *problem.nearest, *orders[problem.order + 1 :])
        return list(question.check(self.game.view(seat), better))

    def order(self, seat: str, text: str) -> Field:
        """A letter that stands."""
        question, orders, problems = self._read(seat, text)
        assert not problems, problems
        self.game.give(Given(question.key, seat, orders, LETTER))
        self.game.settle(lambda seat: [])
        self.heard += (heard := self.game.take_told())
        self.told += [told.event for told in heard]
        assert not RULES.invariants(self.state), RULES.invariants(self.state)
        return self

    def _read(self, seat: str, text: str) -> tuple[Any, Any, list[Problem]]:
        question = next(
            q for key, q in self.game.questions.items() if q.seat == seat and not self.game.answered(key)
        )
        view = self.game.view(seat)
        lines = [line.strip() for line in text.strip().splitlines()]
        own = RULES.owned(view, seat)
        reading = read_answer(lines, question, view, RULES.vocabulary, others=RULES.orders, own=own)
        problems = list(reading.problems) or question.check(view, reading.orders)
        return question, reading.orders, problems

    def events(self, kind: type[E]) -> list[E]:
        """What was told of a kind."""
        return [event for event in self.told if isinstance(event, kind)]

    def modifiers(self, kind: type[E], number: int = 0, name: str = "modifiers") -> dict[str, int]:
        """The modifiers of an event."""
        return {m.name: m.value for m in getattr(self.events(kind)[number], name)}

    def where(self, piece: str) -> str:
        """Where a piece stands; nothing where it is off the map."""
        force = self.state.force_with(piece)
        return force.zone if force else ""

    def steps(self, piece: str) -> int:
        """The combat steps of the force that holds a piece."""
        force = self.state.force_with(piece)
        return force.strength if force else 0
