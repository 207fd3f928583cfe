"""Random letters of land orders, with reactions in all their forms: nothing breaks, and stacks stand as they may."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbem.games.nce import RULES, board
from pbem.games.nce.charts import CARDS
from pbem.games.nce.fight import Fight
from pbem.games.nce.orders import (
    Activate,
    AtOnce,
    Besiege,
    CarryDepot,
    FixDepot,
    Garrison,
    Go,
    Leave,
    LossOrder,
    Mark,
    NoCard,
    PickUp,
    Play,
    PlayEvent,
    Rally,
    RetreatTo,
    SendBack,
    SpendDepot,
    Spirit,
    Take,
)
from pbem.games.nce.reactions import Interception, Response, marchers
from pbem.games.nce.replies import CounterMarch, Evade, Intercept, IntoFortress
from pbem.games.nce.rounds import Act
from pbem.games.nce.state import Force, State, crowded
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question
from tests.games.nce.play import new

CAMPAIGNS = ("14C", "19F")


class Whim:
    """A player who tries everything that the land rules know."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def answer(self, view: State, question: Question) -> Answer:
        tries = {
            Act: self._letter,
            Interception: self._intercept,
            Response: self._respond,
            Fight: self._fight,
        }
        for kind, write in tries.items():
            if isinstance(question, kind):
                for _ in range(12):
                    answer = write(view, question)
                    if answer and not question.check(view, answer):
                        return answer
        return RULES.robots["random"](view, question, self.chance)

    def _some(self, items: list[str], most: int = 3) -> tuple[str, ...]:
        return tuple(self.chance.sample(items, min(len(items), self.chance.randint(1, most))))

    def _letter(self, view: State, question: Question) -> Answer:
        side = question.seat
        hand = [card for card in view.hands[side] if CARDS[card].value >= 2]
        campaigns = [card for card in CAMPAIGNS if card in view.hands[side]]
        first: Order = NoCard()
        if campaigns and self.chance.random() < 0.7:
            first = PlayEvent(campaigns[0])
        elif hand:
            first = Play(self.chance.choice(hand))
        orders: list[Order] = [first]
        for force in self.chance.sample(view.of(side), min(len(view.of(side)), self.chance.randint(1, 3))):
            orders += self._activation(view, force)
        return tuple(orders)

    def _activation(self, view: State, force: Force) -> Iterator[Order]:
        who, units = force.name, tuple[str, ...]()
        beside = [f.general for f in view.at(force.zone, force.side) if f.army and f.id != force.id]
        if force.army and beside:
            units = (beside[0],)
        elif force.subs and self.chance.random() < 0.3:
            who, units = self.chance.choice(force.subs), self._some(list(force.units), 2)
        yield Activate(who, self.chance.choice((0, 0, 1, 3)), units)
        here = force.zone
        for _ in range(self.chance.randint(1, 5)):
            here, order = self._step(view, force, here)
            yield order

    def _step(self, view: State, force: Force, here: str) -> tuple[str, Order]:
        near = list(board.neighbours(here))
        roll = self.chance.random()
        if roll < 0.5:
            there = self.chance.choice(near)
            return there, Go((there,))
        others = [f.name for f in view.of(force.side) if f.zone in near and f.id != force.id]
        steps: list[Order] = [
            Besiege(2),
            Mark(),
            Take(),
            Rally(),
            FixDepot(),
            CarryDepot(),
            SpendDepot(),
            AtOnce(),
        ]
        steps += [
            Garrison("step"),
            Garrison("depot"),
            RetreatTo(tuple(near[:2])),
            Spirit(self.chance.randint(2, 5)),
        ]
        steps += [Leave(self._some([*force.units, *force.subs])), LossOrder(self._some(list(force.units)))]
        steps += [PickUp(self._some(others, 2))] if others else []
        steps += [SendBack(force.subs[0])] if force.subs else []
        steps += [CounterMarch(self._some(others, 2))] if others else []
        return here, self.chance.choice(steps)

    def _intercept(self, view: State, question: Question) -> Answer:
        chosen = [a for a in question.legal(view) if isinstance(a[0], Intercept)]
        if not chosen:
            return ()
        order = self.chance.choice(chosen)[0]
        assert isinstance(order, Intercept)
        force = view.force_with(order.force)
        stay = self._some([*force.units, *force.subs]) if force and self.chance.random() < 0.5 else ()
        return (Intercept(order.force, order.card, stay=stay),)

    def _respond(self, view: State, question: Question) -> Answer:
        assert isinstance(question, Response)
        force = view.forces[question.force]
        part = IntoFortress(self._some([*force.units, *force.subs], 3))
        return self.chance.choice([(part,), (part, Evade()), (Evade(),), ()])

    def _fight(self, view: State, question: Question) -> Answer:
        assert isinstance(question, Fight)
        able = marchers(view, question.seat, question.zone, question.mine)
        if not able:
            return ()
        names = self._some(list(able), 2)
        units = self._some([unit for name in names for unit in able[name].units])
        whole: Answer = (CounterMarch(names),)
        return self.chance.choice([whole, (CounterMarch(names, units=units),)])


def play(seed: int, scenario: str, letters: int) -> Game[State]:
    game, whims = new(seed, scenario), Whim(seed)
    while not game.over and letters:
        question = next(q for key, q in game.questions.items() if not game.answered(key))
        if isinstance(question, Act):
            letters -= 1
            assert not list(crowded(game.state)), list(crowded(game.state))
        answer = whims.answer(game.view(question.seat), question)
        game.give(Given(question.key, question.seat, answer, LETTER))
        assert not RULES.invariants(game.state), (question, answer, RULES.invariants(game.state))
    return game


@pytest.mark.parametrize(("scenario", "seed"), [("1815", 1), ("1805", 2), ("1809", 3)])
def test_random_letters_break_nothing(scenario: str, seed: int) -> None:  # rule 4.1.1, 4.1.2, 8.3.4
    assert play(seed, scenario, 10).state.year
