"""Rounds in an order that the rules set: one acts after the other, each from a plan that was written before.

    state.round = Round.of(order, plans)                # by power: whose plan is whose the game knows
    await in_turn(table, state.round, RULES.orders, act, revise)

`act(actor, plan)` is the game's coroutine. `revise(actor, plan)` gives the question that an actor's seat is asked just
before it acts, where something has struck it since it wrote; None where nothing has. Such a question says
`on_wish = True`: it is put to nobody but whoever has written ASK ME, for everyone else its default, the plan as it was
written, is the answer. The position holds the `Round`, so a game can be taken up between any two of its actors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import TypeVar

import msgspec

from pbem.kernel.order import Answer, Order, answer_from_data, answer_to_data
from pbem.kernel.question import Question
from pbem.kernel.table import Table

S = TypeVar("S")


class Round(msgspec.Struct, omit_defaults=True):
    """Who acts in which order, how many have, and the plans of those who have not: plain data of a position."""

    order: list[str] = []
    """The rules may change what of it lies ahead."""
    done: int = 0
    plans: dict[str, str] = {}
    """By actor, as JSON."""

    @classmethod
    def of(cls, order: Sequence[str], plans: Mapping[str, Answer]) -> Round:
        """A round that begins."""
        written = {actor: msgspec.json.encode(answer_to_data(plan)).decode() for actor, plan in plans.items()}
        return cls(list(order), 0, written)

    @property
    def over(self) -> bool:
        """Whether everyone has acted."""
        return self.done >= len(self.order)

    def plan(self, actor: str, kinds: tuple[type[Order], ...]) -> Answer:
        """What an actor wants to do; nothing, where it has no plan."""
        return answer_from_data(msgspec.json.decode(self.plans.get(actor, "[]")), kinds)

    def seen_by(self, actors: Collection[str]) -> Round:
        """The round without the plans of all others."""
        return Round(
            self.order, self.done, {actor: plan for actor, plan in self.plans.items() if actor in actors}
        )


async def in_turn(
    table: Table[S],
    round: Round,
    kinds: tuple[type[Order], ...],
    act: Callable[[str, Answer], Coroutine[object, object, None]],
    revise: Callable[[str, Answer], Question[S] | None] | None = None,
    *,
    checkpoints: bool = True,
) -> None:
    """Everyone acts who has not acted yet; after each of them the game can be taken up again."""
    while not round.over:
        actor = round.order[round.done]
        plan = round.plan(actor, kinds)
        question = revise(actor, plan) if revise is not None else None
        if question is not None:
            plan = await table.ask(question)
        await act(actor, plan)
        round.plans.pop(actor, None)
        round.done += 1
        if checkpoints:
            await table.checkpoint()
