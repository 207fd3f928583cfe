"""Positions for tests of battles and sieges, and a way to play them through: standing orders answer, dice are given."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TypeVar

from pbem.games.eia.battle_events import DayFought, RoundFought
from pbem.games.eia.battle_orders import DEFAULTS, AttackBy
from pbem.games.eia.board import COUNTERS
from pbem.games.eia.desk import Desk
from pbem.games.eia.land.phase import land_combat
from pbem.games.eia.setup import bare
from pbem.games.eia.state import MAP, Corps, Depot, Horse, Leader, Siege, State
from pbem.games.eia.view import view
from pbem.kernel.chance import Given
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question
from pbem.kernel.table import Asking, Table

OFF = {
    "12.7": "no",
    "12.3.3.1": "no",
    "12.3.4": "no",
    "12.3.5": "no",
    "12.3.7.1": "no",
    "12.3.10": "no",
}
"""Options that a test switches on where it is about them."""


def empty(scenario: str = "1805", **options: str) -> State:
    """The board of a scenario without any force."""
    return bare(scenario, {**OFF, **options})


def bag(factors: str) -> dict[str, int]:
    """Factors from `17 I, 6 Gd`."""
    return {part.split()[1]: int(part.split()[0]) for part in factors.split(",") if part.strip()}


def corps(
    state: State,
    id: str,
    area: str,
    factors: str,
    *leaders: str,
    came: str = "",
    inside: bool = False,
    power: str = "",
) -> Corps:
    """A corps on the map, with leaders."""
    made = Corps(id, power or COUNTERS[id].nation, area, bag(factors), inside, came=came)
    state.corps[id] = made
    for leader in leaders:
        state.leaders[leader] = Leader(leader, made.power, MAP, id)
    return made


def horse(
    state: State, id: str, area: str, *, power: str = "russia", kind: str = "CK", came: str = ""
) -> Horse:
    """A counter of light horse."""
    state.horse[id] = Horse(id, power, kind, area, came=came)
    return state.horse[id]


def depot(state: State, power: str, *areas: str) -> None:
    """Depots of a power."""
    state.depots += [Depot(area, power) for area in areas]


def besiege(state: State, area: str, *powers: str) -> None:
    """A siege that has begun before."""
    state.sieges[area] = Siege(area, list(powers), "1805-08")


Told = TypeVar("Told", bound=Event)


class Played:
    """What came of a test: the position, the events, the questions that were put."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.questions: list[Question[State]] = []

    def told(self, kind: type[Told]) -> list[Told]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def rounds(self) -> list[RoundFought]:
        """The rounds of all combats."""
        return [round for event in self.events if isinstance(event, DayFought) for round in event.rounds]


def play(
    state: State,
    dice: Mapping[str, Sequence[int] | int],
    standing: Mapping[str, Sequence[Order]] | None = None,
    powers: Sequence[str] = ("france",),
    run: Callable[[Desk], Coroutine[object, object, None]] | None = None,
) -> Played:
    """The combats of a slot, with the dice given by the end of their labels: `ulm/r1/att`."""
    given = {
        f"t/{label}": [value] if isinstance(value, int) else list(value) for label, value in dice.items()
    }
    table: Table[State] = Table(state, Given(given, {}))
    desk = Desk(state, table, "t")
    played = Played(state)
    coroutine = run(desk) if run is not None else land_combat(desk, powers)
    answers: dict[str, Answer] | None = None
    while True:
        try:
            request = coroutine.send(answers)
        except StopIteration:
            break
        assert isinstance(request, Asking)
        played.questions += request.questions
        answers = {
            question.key: _answer(state, question, (standing or {}).get(question.seat, ()))
            for question in request.questions
        }
    played.events = [told.event for told in table.told]
    return played


def _answer(state: State, question: Question[State], standing: Sequence[Order]) -> Answer:
    seen = view(state, question.seat)
    followed = question.follow(seen, [*standing, AttackBy("assault"), *DEFAULTS])
    answer = followed[0] if followed is not None else question.default(seen)
    assert question.check(seen, answer) == [], answer
    return answer
