"""3: the question for the five actions, and the rehearsal that checks an answer on the seat's view.

The rehearsal plays the orders with the very code of the game, on a copy of the view. What is hidden stays
unknown: a card from the pile is `?`, questions in between get their default. Where a step of a plan depends
on an unknown card, both branches are rehearsed, each with what its condition says about the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.leipzig.actions import act, cost
from pbem.games.leipzig.board import ARMS, BOARD, UNKNOWN, arms_of, kind_of
from pbem.games.leipzig.choices import kinds_in_hand, single_orders
from pbem.games.leipzig.orders import (
    ACTIONS,
    BluffMove,
    BluffTerrain,
    DrawPile,
    Jump,
    Move,
    PlayTerrain,
    Wait,
)
from pbem.games.leipzig.questions import common_facts, zone_facts
from pbem.games.leipzig.state import State, actions_left, copy, other
from pbem.kernel.deck import Held
from pbem.kernel.order import Answer, Condition, Fact, If, Order, Test
from pbem.kernel.plan import Plan, Planned, Refused, Rehearsal, nearest, rehearse, singles
from pbem.kernel.problem import ILLEGAL, Problem

PATHS = 64
"""How many ways through a plan are rehearsed."""


def facts(state: State, side: str) -> dict[str, Fact]:
    """What a plan may test: only what the side knows."""
    kinds = kinds_in_hand(state, side)
    held = [kind_of(card.card) for card in state.hands[side]]
    enemy = other(side)
    known: dict[str, Fact] = {
        **common_facts(state, side),
        **zone_facts(state),
        "actions": actions_left(state),
        "drawn": state.drawn or "none",
        "drawn_type": card_type(state.drawn) or "none",
        "enemy_hand": len(state.hands[enemy]) + state.scouts[enemy],
        "enemy_scouts": state.scouts[enemy],
        "supply": state.supply,
        "tiles": sum(bool(state.armies[id].zone) for id in BOARD.of(side)),
        "enemy_tiles": sum(bool(state.armies[id].zone) for id in BOARD.of(enemy)),
        "time_cards": kinds["time"],
        "terrain_cards": sum(kinds[kind] for kind in BOARD.terrain_cards),
        "movement_cards": sum(kinds[kind] for kind in BOARD.movement_cards),
        "unknown_cards": held.count(UNKNOWN),
    }
    for kind in BOARD.terrain_cards:
        known[kind] = kinds[kind]
    for arm in ARMS:
        known[arm] = sum(kinds[kind] for kind in BOARD.movement_cards if arm in arms_of(kind))
    for number, card in enumerate(state.row, 1):
        known[f"row{number}"] = kind_of(card) or "none"
    return known


def card_type(kind: str) -> str:
    """Terrain, movement or time; nothing for a card that is not known."""
    if kind in BOARD.terrain_cards:
        return "terrain"
    if kind in BOARD.movement_cards:
        return "movement"
    return kind if kind in ("time", UNKNOWN) else ""


_COUNTS = frozenset((*BOARD.terrain_cards, *ARMS, "time_cards", "terrain_cards", "movement_cards"))


def _verdict(test: Test, known: Mapping[str, Fact]) -> bool | None:
    """Whether a comparison holds; None where it hangs on a card that is not known."""
    if test.fact in ("drawn", "drawn_type"):
        return None if known["drawn"] == UNKNOWN else test.holds(known)
    if test.fact in _COUNTS and known["unknown_cards"]:
        most = int(known[test.fact]) + int(known["unknown_cards"])
        low, high = test.holds(known), test.holds({**known, test.fact: most})
        return low if low == high and test.op not in ("=", "!=") else None
    return test.holds(known)


def judge(condition: Condition, known: Mapping[str, Fact]) -> bool | None:
    """Whether a condition holds; None where that is not known yet."""
    verdicts = [_verdict(test, known) for test in condition.tests]
    if condition.join == "or" and verdicts:
        return True if True in verdicts else (None if None in verdicts else False)
    return False if False in verdicts else (None if None in verdicts else True)


def assume(state: State, side: str, condition: Condition) -> None:
    """Turn unknown cards of a hand into those that a condition names."""
    if condition.join == "or" and len(condition.tests) > 1:
        return
    for test in condition.tests:
        kind = str(test.value)
        if test.fact == "drawn" and test.op == "=" and state.drawn == UNKNOWN and kind in _KINDS:
            _reveal_card(state, side, kind)
            state.drawn = kind
        elif test.fact in _FACT_KINDS and test.op in (">", ">=", "=") and isinstance(test.value, int):
            kind = _FACT_KINDS[test.fact]
            wanted = test.value + (test.op == ">") - kinds_in_hand(state, side)[kind]
            for _ in range(max(0, wanted)):
                _reveal_card(state, side, kind)


_KINDS = frozenset((*BOARD.terrain_cards, *BOARD.movement_cards, "time"))
_FACT_KINDS = {**{kind: kind for kind in BOARD.terrain_cards}, "time_cards": "time"}


def _reveal_card(state: State, side: str, kind: str) -> None:
    hand = state.hands[side]
    for n in range(len(hand) - 1, -1, -1):
        if hand[n].card == UNKNOWN:
            hand[n] = Held(f"{kind}-0")
            return


class _Rehearsing:
    """One check of an answer."""

    def __init__(self, side: str) -> None:
        self.side = side
        self.problems: dict[tuple[int, str], Problem] = {}
        self.paths = 0
        self.shortest = 99

    def walk(self, state: State, plan: Plan, acted: int) -> None:
        """Rehearse a plan on a position of its own."""
        table = Rehearsal(state)

        async def step(order: Order) -> None:
            nonlocal acted
            acted += 1
            if not isinstance(order, ACTIONS):
                raise Refused("not_an_action", "3")
            await act(table, order)

        def failed(number: int, order: Order, refused: Refused) -> None:
            code = refused.problem.code
            if (number, code) not in self.problems:
                refused.suggest(nearest(order, single_orders(state), _LIKENESS))
                self.problems[number, code] = refused.at(number)
            # Counted as done, so that the lines after it are judged as the player meant them.
            state.done = min(state.done + cost(order), 5) if code != "too_many_actions" else state.done

        def decide(order: If) -> Sequence[Order]:
            verdict = judge(order.condition, facts(state, self.side))
            if verdict is None and self.paths < PATHS:
                self.paths += 1
                likely = copy(state)
                assume(likely, self.side, order.condition)
                self.walk(likely, plan.branch(order.then), acted)
            return order.then if verdict else order.otherwise

        rehearse(plan.run(step, failed, decide))
        self.shortest = min(self.shortest, acted)


_LIKENESS = {"army": 3, "zone": 2, "to": 2, "start": 1, "over": 1, "card": 1, "pair": 1}


def _deed(order: Order) -> tuple[object, ...]:
    """What an order does on the board, whatever card it is done with."""
    if isinstance(order, Move | BluffMove):
        return ("move", order.army, order.start, order.to)
    if isinstance(order, PlayTerrain | BluffTerrain):
        return ("remove", order.army, order.zone)
    if isinstance(order, Jump):
        return ("jump", order.army, order.start, order.to)
    return (order,)


class Actions(Planned[State], frozen=True):
    """3: the actions of a turn: one order or several, applied in order; what is left is asked again."""

    left: int
    turn: int
    orders = ACTIONS
    plans = True

    def count(self, view: State) -> tuple[int, int]:
        """At least one order, at most one an action."""
        return (1, max(1, self.left))

    def legal(self, view: State) -> Iterator[Answer]:
        """Every single order; what silence means comes first."""
        return singles(single_orders(view), self.default(view))

    def menu(self, view: State) -> list[Order]:
        """Single orders; of several cards that do the same only the first, as the form cannot show them all."""
        shown: dict[tuple[object, ...], Order] = {}
        for (order,) in self.legal(view):
            shown.setdefault(_deed(order), order)
        return list(shown.values())

    def rehearsed(self, view: State, answer: Answer) -> list[Problem]:
        """Rehearse the whole answer on a copy of the view."""
        if not answer:
            return [Problem("no_orders", "3", ILLEGAL, {"left": self.left}, self.default(view))]
        rehearsing = _Rehearsing(view.side)
        rehearsing.walk(copy(view), Plan(enumerate(answer)), 0)
        problems = [rehearsing.problems[key] for key in sorted(rehearsing.problems)]
        if not problems and not rehearsing.shortest:
            problems = [Problem("plan_may_do_nothing", "3", ILLEGAL, {}, self.default(view), 0)]
        return problems

    def default(self, view: State) -> Answer:
        """3, 9: draw from the pile; where it is empty, whatever else can be done first."""
        drawable = min(self.left, len(view.pile) + len(view.discard))
        if drawable:
            return (DrawPile(drawable if drawable > 1 else 0),)
        first = next(iter(single_orders(view)), None)
        return (first or Wait(),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        """What plans and standing orders may test."""
        return facts(view, view.side)
