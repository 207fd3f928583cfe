"""A small game for the kernel's tests: two duels a turn, side by side, with sealed bids and dice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from pbem.kernel.drawing import Drawing
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, Fact, Name, Number, Order, Vocabulary, Word
from pbem.kernel.question import Question
from pbem.kernel.rules import Outcome, Rules, Scenario
from pbem.kernel.table import Table

SEATS = ("red", "blue")
PLACES = ("hill", "mill")


class State(msgspec.Struct):
    turn: int = 1
    last: int = 3
    points: dict[str, int] = {}
    deck: list[str] = []
    over: bool = False


class Bid(Order, frozen=True):
    amount: int
    words = {"en": ("bid {amount}",), "fr": ("miser {amount}",)}
    slots = {"amount": Number(0, 3)}


class Go(Order, frozen=True):
    place: str
    words = {"en": ("go to {place}", "march {place}"), "fr": ("aller à {place}",)}
    slots = {"place": Name("place")}


class Bidding(Question, frozen=True):
    place: str
    orders = (Bid,)

    def legal(self, view: State) -> Iterator[Answer]:
        return ((Bid(n),) for n in range(4))

    def facts(self, view: State) -> dict[str, Fact]:
        return {"turn": view.turn, "place": self.place}


class Going(Question, frozen=True):
    orders = (Go,)

    def legal(self, view: State) -> Iterator[Answer]:
        return ((Go(place),) for place in PLACES)


class Won(Event, frozen=True):
    seat: str
    place: str


async def duel(table: Table[State], place: str) -> str:
    turn = table.state.turn
    bids = await table.ask_all(
        [Bidding(key=f"t{turn}/{place}/{seat}", seat=seat, place=place, sealed=True) for seat in SEATS]
    )
    scores = {}
    for seat in SEATS:
        (die,) = table.roll(f"t{turn}/{place}/{seat}", 1, 6, rule="1", seat=seat)
        (bid,) = bids[seat]
        assert isinstance(bid, Bid)
        scores[seat] = die + bid.amount
    return max(SEATS, key=lambda seat: scores[seat])


async def play(table: Table[State]) -> None:
    state = table.state
    while state.turn <= state.last:
        (go,) = await table.ask(Going(key=f"t{state.turn}/go", seat="red"))
        assert isinstance(go, Go)
        state.deck = table.shuffle(f"t{state.turn}/deck", ["a", "b", "c"], rule="2")
        winners = await table.gather(*(duel(table, place) for place in PLACES))
        for place, winner in zip(PLACES, winners, strict=True):
            state.points[winner] = state.points.get(winner, 0) + (2 if place == go.place else 1)
            table.tell(Won(seat=winner, place=place, rule="3"))
        state.turn += 1
        await table.checkpoint()
    state.over = True


def view(state: State, seat: str | None) -> State:
    return msgspec.structs.replace(state, deck=["?"] * len(state.deck))


def lazy(view: State, question: Question, whim: random.Random) -> Answer:
    return whim.choice(list(question.legal(view)))


RULES = Rules(
    name="toy",
    titles={"en": "Toy", "fr": "Jouet"},
    state=State,
    orders=(Bid, Go),
    standing=(),
    events=(Won,),
    questions=(Bidding, Going),
    scenarios={"toy": Scenario("toy", "Toy", "Jouet", SEATS)},
    options=(),
    setup=lambda scenario, options: State(last=int(options.get("turns", 3))),
    play=play,
    view=view,
    vocabulary=Vocabulary(
        {
            "place": [Word("hill", "Hill", "Colline"), Word("mill", "Mill", "Moulin")],
            "fact": [Word("turn", "turn", "tour"), Word("place", "place", "lieu")],
            "question": [Word("bidding", "bidding", "mise"), Word("going", "going", "marche")],
        }
    ),
    invariants=lambda state: [],
    outcome=lambda state: Outcome(("red",), state.points) if state.over else None,
    drawing=lambda view, seat, lang: Drawing(board="toy"),
    status=lambda view, seat: [],
    moment=lambda state: f"t{state.turn}",
    robots={"random": lazy},
)


class Pseudo:
    """Draws for tests, from the label alone."""

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        whim = random.Random(label)
        return tuple(whim.randint(1, sides) for _ in range(dice))

    def shuffle(self, label: str, items: object, *, rule: str, secret: bool = False) -> tuple[str, ...]:
        cards = list(items)  # type: ignore[call-overload]
        random.Random(label).shuffle(cards)
        return tuple(cards)

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        return None
