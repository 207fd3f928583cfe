"""Seven Crowns: a small game for two to seven players, to learn pbem by and to prove it with.

Sealed letters, moves in an order that varies, agreements, a market, an auction, hidden holdings, players with two
powers and powers that are nobody's. Its rules are docs/rules/crowns.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.crowns.board import BOARD
from pbem.games.crowns.cases import build, verify
from pbem.games.crowns.drawing import drawing
from pbem.games.crowns.events import EVENTS
from pbem.games.crowns.orders import CABINET, CLAUSES, FIGHT, Pay
from pbem.games.crowns.questions import Battle, Cabinet, Revise
from pbem.games.crowns.robots import at_random, caretaker, sensible
from pbem.games.crowns.sequence import outcome, play
from pbem.games.crowns.state import State, fresh, invariants, view
from pbem.games.crowns.status import digest, moment, own, stages, status
from pbem.games.crowns.words import VOCABULARY
from pbem.kernel.order import Order, Seat
from pbem.kernel.problem import Problem
from pbem.kernel.rules import Option, Rules, Scenario
from pbem.kernel.words import fitting, load

__all__ = ["RULES"]


def setup(scenario: str, options: dict[str, str]) -> State:
    """The position before any draw; `price.<seat>` is what a player has bid for his seat at sign-up."""
    prices = {name[6:]: int(value) for name, value in options.items() if name.startswith("price.")}
    return fresh(scenario, int(options.get("turns", "8")), prices)


def check_clause(view: State, parties: Sequence[Seat], clause: Order) -> Sequence[Problem]:
    """5.2: only the parties' powers pay, and to one another."""
    if not isinstance(clause, Pay):
        return []
    hands = [view.hand(clause.payer), view.hand(clause.payee)]
    if clause.payer == clause.payee or any(hand not in parties for hand in hands):
        return [Problem("pay_between_parties", "5.2")]
    return []


RULES: Rules[State] = Rules(
    name="crowns",
    titles={"en": "Seven Crowns", "fr": "Sept couronnes"},
    state=State,
    orders=(*CABINET, *FIGHT),
    standing=(),
    events=EVENTS,
    questions=(Cabinet, Revise, Battle),
    scenarios={
        name: Scenario(name, one.en, one.fr, tuple(one.seats)) for name, one in BOARD.scenarios.items()
    },
    options=(
        Option(
            "turns",
            ("8", "4", "12", "20"),
            "How many turns the game lasts (rule 7.2).",
            "Le nombre de tours (règle 7.2).",
        ),
    ),
    setup=setup,
    play=play,
    view=view,
    vocabulary=VOCABULARY,
    invariants=invariants,
    outcome=outcome,
    drawing=drawing,
    status=status,
    moment=moment,
    robots={"random": at_random, "sensible": sensible, "caretaker": caretaker},
    distance=stages,
    own=own,
    eliminated=lambda state: state.dead(),
    agreements=lambda state: state.agreements,
    clauses=CLAUSES,
    check_clause=check_clause,
    digest=digest,
    auctioned=True,
    build=build,
    verify=verify,
)
fitting(load("crowns"), (*RULES.orders, *CLAUSES))
