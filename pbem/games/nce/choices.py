"""7.4.2, 9.1.4: D19 and the draft of a foreign war: small decisions that silence can take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from pbem.games.nce import board
from pbem.games.nce.charts import FLEETS, UNITS, ZONES
from pbem.games.nce.replies import AtOdds, SendAbroad
from pbem.games.nce.standing import UsualPolicy
from pbem.games.nce.state import Force, State, enemy
from pbem.kernel.order import Answer, Fact
from pbem.kernel.policy import Policy, usual
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question

MOST = 30


class Small(Question[State], frozen=True, kw_only=True):
    """A decision that the order to go on as usual takes."""

    policies = (Policy(UsualPolicy, usual),)


class Draft(Small, frozen=True, kw_only=True):
    """7.4.2: a foreign war takes units of a power: the Coalition says which."""

    power: str
    corps: int
    fleets: int
    units: tuple[str, ...]
    """Corps that may go, those worth least first; then fleets."""
    ships: tuple[str, ...]
    orders = (SendAbroad,)

    def legal(self, view: State) -> Iterator[Answer]:
        for number, corps in enumerate(combinations(self.units, self.corps)):
            for ships in combinations(self.ships, self.fleets):
                yield (SendAbroad((*corps, *ships)),)
            if number > MOST:
                return

    def check(self, view: State, answer: Answer) -> list[Problem]:
        (order,) = answer
        assert isinstance(order, SendAbroad)
        corps = [piece for piece in order.pieces if piece in self.units]
        ships = [piece for piece in order.pieces if piece in self.ships]
        right = len(set(corps)) == self.corps and len(set(ships)) == self.fleets
        if right and len(order.pieces) == self.corps + self.fleets:
            return []
        pieces = (*self.units, *self.ships)
        return [Problem("wrong_draft", "7.4.2", params={"pieces": pieces}, nearest=self.default(view))]

    def default(self, view: State) -> Answer:
        return (SendAbroad((*self.units[: self.corps], *self.ships[: self.fleets])),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"power": self.power}


def worth_least(view: State, pieces: Sequence[str]) -> list[str]:
    """Corps by quality and steps, fleets by their value; the least first."""

    def key(piece: str) -> tuple[int, int, str]:
        if piece in FLEETS:
            return FLEETS[piece].tactical, FLEETS[piece].initiative, piece
        force = view.force_with(piece)
        return UNITS[piece].stars, force.units[piece] if force else 0, piece

    return sorted(pieces, key=key)


FORTRESS, LEAVE, FIGHT = "fortress", "leave", "fight"


class Parting(Small, frozen=True, kw_only=True):
    """9.1.4: D19: a forced alliance is broken: where both sides stand the French shelter, leave or fight."""

    power: str
    zones: tuple[str, ...]
    orders = (AtOdds,)

    def count(self, view: State) -> tuple[int, int]:
        return (1, max(1, len(self.zones)))

    def legal(self, view: State) -> Iterator[Answer]:
        yield self.default(view)
        for zone in self.zones:
            for order in self.choices(view, zone):
                yield (order,)

    def choices(self, view: State, zone: str) -> list[AtOdds]:
        """What may be done in a zone, in the order in which silence would choose."""
        (force, *_) = view.at(zone, self.seat)
        found = [AtOdds(zone, FORTRESS)] if walls(view, zone, self.seat) else []
        found += [AtOdds(zone, LEAVE, to) for to in ways_out(view, force, self.power)]
        return [*found, AtOdds(zone, FIGHT)]

    def check(self, view: State, answer: Answer) -> list[Problem]:
        for number, order in enumerate(answer):
            assert isinstance(order, AtOdds)
            if order.zone not in self.zones:
                return [self._wrong("not_at_odds", order, view, number)]
            if order.how == FORTRESS and not walls(view, order.zone, self.seat):
                return [self._wrong("no_fortress_here", order, view, number)]
            (force, *_) = view.at(order.zone, self.seat)
            ways = ways_out(view, force, self.power)
            if order.how == LEAVE and (not ways or (order.to and order.to not in ways)):
                return [self._wrong("cannot_leave_there", order, view, number, ways)]
        return []

    def _wrong(self, code: str, order: AtOdds, view: State, number: int, ways: Sequence[str] = ()) -> Problem:
        zone = order.zone if order.zone in self.zones else self.zones[0]
        nearest = (self.choices(view, zone)[0],)
        return Problem(
            code, "9.1.4", params={"zone": order.zone, "zones": tuple(ways)}, nearest=nearest, order=number
        )

    def default(self, view: State) -> Answer:
        """D19: into the fortress where there is one, else away, else a battle."""
        return tuple(self.choices(view, zone)[0] for zone in self.zones)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"power": self.power, "zones": len(self.zones)}


def walls(view: State, zone: str, side: str) -> bool:
    """9.1.4: whether a fortress of the zone is open to a side: not where the enemy holds it, besieged or not."""
    return bool(view.fortress(zone)) and view.controller(zone) != enemy(side)


def ways_out(view: State, force: Force, power: str) -> list[str]:
    """9.1.4: adjacent zones that the Coalition will not control and that no enemy holds."""
    other = enemy(force.side)
    found = []
    for zone in board.neighbours(force.zone):
        lost = view.owner_of(zone) == power and ZONES[zone].city and not view.at(zone, force.side)
        if lost or view.controller(zone) == other or view.at(zone, other) or view.at(zone, "neutral"):
            continue
        if view.home_side(zone) == "neutral":
            continue
        found.append(zone)
    return sorted(found, key=lambda zone: (view.controller(zone) != force.side, zone))
