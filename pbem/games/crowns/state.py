"""The position, what a seat may know of it, and what is wrong with one that no play may reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.games.crowns.board import AREAS, BOARD, POWERS
from pbem.kernel.agreement import Agreements
from pbem.kernel.order import Seat
from pbem.kernel.rounds import Round

HIDDEN = -1
CIPHERS = ("Aquila", "Basilisk", "Chimera", "Dragon", "Eagle Owl", "Firebird", "Griffin")
CROWN_EVERY = 3


class Power(msgspec.Struct):
    """A power, and whose it is."""

    hand: Seat
    """The seat that gives its orders; nobody's, if empty."""
    gold: int = 6
    grain: int = 4
    crowns: int = 0
    price: int = 0
    """The victory points that its player has paid for it."""
    cipher: str = ""
    """Known to its player alone."""
    out: bool = False


class Contest(msgspec.Struct):
    """Regiments of one power before a province of another."""

    area: str
    power: str
    start: str
    regiments: int


class State(msgspec.Struct):
    """The whole position."""

    seats: list[Seat]
    last: int
    powers: dict[str, Power]
    owner: dict[str, str]
    """Of each province; nobody's, if empty."""
    troops: dict[str, int]
    """The regiments of its owner in each province."""
    turn: int = 1
    phase: str = "cabinet"
    contests: list[Contest] = []
    round: Round = msgspec.field(default_factory=Round)
    bids: dict[str, int] = {}
    agreements: Agreements = msgspec.field(default_factory=Agreements)
    over: bool = False

    def hand(self, power: str) -> Seat:
        """Whose a power is; nobody's, if empty."""
        return self.powers[power].hand if power else ""

    def living(self) -> list[str]:
        """The powers that are not out."""
        return [power for power, one in self.powers.items() if not one.out]

    def played(self) -> list[str]:
        """Those of them that a player has."""
        return [power for power in self.living() if self.hand(power)]

    def of(self, seat: Seat) -> list[str]:
        """The living powers of a seat."""
        return [power for power in self.living() if seat and self.hand(power) == seat]

    def held(self, power: str) -> list[str]:
        """The provinces of a power."""
        return [area for area in AREAS if self.owner[area] == power]

    def regiments(self, power: str) -> int:
        """All regiments of a power."""
        before = sum(one.regiments for one in self.contests if one.power == power)
        return before + sum(self.troops[area] for area in self.held(power))

    def dead(self) -> list[Seat]:
        """The seats without a living power."""
        return [seat for seat in self.seats if not self.of(seat)]

    def points(self, seat: Seat) -> int:
        """Victory points: a province one, a capital two more, a crown three, less what was paid at sign-up."""
        total = 0
        for power, one in self.powers.items():
            if one.hand != seat:
                continue
            held = self.held(power)
            total += len(held) + 2 * sum(area in BOARD.capitals.values() for area in held)
            total += 3 * one.crowns - one.price
        return total

    def crown_is_sold(self) -> bool:
        """Whether a crown is auctioned this turn."""
        return self.turn % CROWN_EVERY == 0


def fresh(scenario: str, turns: int, prices: Mapping[str, int]) -> State:
    """The position before any draw."""
    hands = {power: seat for seat, powers in BOARD.scenarios[scenario].seats.items() for power in powers}
    powers = {
        power: Power(hands.get(power, ""), cipher=cipher, price=prices.get(power, 0))
        for power, cipher in zip(POWERS, CIPHERS, strict=True)
    }
    homes = {capital: power for power, capital in BOARD.capitals.items()}
    return State(
        seats=list(BOARD.scenarios[scenario].seats),
        last=turns,
        powers=powers,
        owner={area: homes.get(area, "") for area in AREAS},
        troops={area: 3 if area in homes else BOARD.minors[area] for area in AREAS},
    )


def view(state: State, seat: Seat | None) -> State:
    """Gold, grain, ciphers and the strength of regiments are known to their player alone; so are plans and bids."""

    def own(power: str) -> bool:
        return not power or not state.hand(power) or state.hand(power) == seat

    powers = {
        power: one if own(power) else msgspec.structs.replace(one, gold=HIDDEN, grain=HIDDEN, cipher="?")
        for power, one in state.powers.items()
    }
    for power, one in powers.items():
        if not one.hand:
            powers[power] = msgspec.structs.replace(one, cipher="?")
    return msgspec.structs.replace(
        state,
        powers=powers,
        troops={area: n if own(state.owner[area]) else HIDDEN for area, n in state.troops.items()},
        contests=[
            one if own(one.power) else msgspec.structs.replace(one, regiments=HIDDEN)
            for one in state.contests
        ],
        round=state.round.seen_by([power for power in state.powers if seat and state.hand(power) == seat]),
        bids={power: n for power, n in state.bids.items() if seat and state.hand(power) == seat},
        agreements=state.agreements.seen_by(seat),
    )


def invariants(state: State) -> Sequence[str]:
    """What is wrong with a position."""
    wrong = [f"{area}: {n} regiments" for area, n in state.troops.items() if n < 0]
    wrong += [f"{power}: {one.gold} gold" for power, one in state.powers.items() if one.gold < 0]
    wrong += [f"{power}: {one.grain} grain" for power, one in state.powers.items() if one.grain < 0]
    wrong += [
        f"{area} belongs to {power}"
        for area, power in state.owner.items()
        if power and state.powers[power].out
    ]
    if len({one.area for one in state.contests}) < len(state.contests):
        wrong.append("two contests for one province")
    if sum(one.crowns for one in state.powers.values()) > state.turn // CROWN_EVERY:
        wrong.append("more crowns than were sold")
    return wrong
