"""15, 21: D14-D17: the decisions of squadrons: interception, evasion, sortie, withdrawal, retreat and losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from pbem.games.nce.charts import FLEETS
from pbem.games.nce.choices import Small
from pbem.games.nce.replies import FleetReply, LoseFleets
from pbem.games.nce.standing import FleetPolicy, PassPolicy, UsualPolicy
from pbem.games.nce.state import State
from pbem.kernel.order import Answer, Fact
from pbem.kernel.policy import Policy, usual
from pbem.kernel.problem import Params, Problem
from pbem.kernel.question import Question

INTERCEPTION, EVASION, SORTIE, TIE, RETREAT = "interception", "evasion", "sortie", "tie", "retreat"
FOLLOW = "follow"
SUCCESS = 6
"""15.4.2, 15.5.1: what the die of an interception or an evasion at sea has to come to."""
ANSWERS = {INTERCEPTION: "intercept", SORTIE: "sortie", TIE: "withdraw", FOLLOW: "follow"}


class Fleets(Question[State], frozen=True, kw_only=True):
    """15.4, 15.5, 15.6, 15.10: D14, D15, D16, D20: what my fleets do when a squadron comes, or after a battle."""

    sea: str
    kind_of: str
    """`interception`, `evasion`, `sortie`, `tie`, `retreat` or `follow`."""
    movers: tuple[str, ...]
    mine: tuple[str, ...]
    ways: tuple[str, ...] = ()
    orders = (FleetReply,)

    def legal(self, view: State) -> Iterator[Answer]:
        if self.kind_of == RETREAT:
            yield from ((FleetReply("retreat", to=way),) for way in self.ways)
            return
        yield (FleetReply("nothing"),)
        if self.kind_of == EVASION:
            yield from ((FleetReply("evade", to=way),) for way in self.ways)
        else:
            yield (FleetReply(ANSWERS[self.kind_of]),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """15.4.1: an interception may name the fleets that try it."""
        (order,) = answer
        assert isinstance(order, FleetReply)
        named = order.fleets
        if named and (order.what != "intercept" or not set(named) <= set(self.mine)):
            params: Params = {"fleets": self.mine}
            return [Problem("wrong_fleets", "15.4.1", params=params, nearest=self.default(view))]
        return super().check(view, (FleetReply(order.what, to=order.to),))

    def default(self, view: State) -> Answer:
        """D14-D16: no interception, evasion into port, no sortie, no withdrawal."""
        if self.kind_of == EVASION and self.ways:
            return (FleetReply("evade", to=self.ways[0]),)
        return next(self.legal(view))

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {
            "sea": self.sea,
            "enemy_fleets": len(self.movers),
            "fleets": len(self.mine),
            "what": self.kind_of,
        }

    def _places(self, view: State) -> list[str]:
        return [view.fleets[fleet].partition(":")[2] for fleet in self.mine if fleet in view.fleets]

    def _reply(self, view: State, standing: FleetPolicy) -> Answer | None:
        if standing.fleet not in ("", *self.mine):
            return None
        if standing.place not in ("", self.sea, *self._places(view)):
            return None
        for answer in self.legal(view):
            if isinstance(answer[0], FleetReply) and answer[0].what == standing.what:
                return answer
        return None

    def _intercepts(self, view: State, order: PassPolicy) -> bool:
        return self.kind_of == INTERCEPTION

    policies = (
        Policy(FleetPolicy, _reply),
        Policy(PassPolicy, (FleetReply("nothing"),), given=_intercepts),
        Policy(UsualPolicy, usual),
    )


class Sinking(Small, frozen=True, kw_only=True):
    """15.10.2, 15.7.3: D17: which fleets are lost; empty ones before those that carry troops."""

    place: str
    count_lost: int
    empty: tuple[str, ...]
    loaded: tuple[str, ...]
    orders = (LoseFleets,)

    def legal(self, view: State) -> Iterator[Answer]:
        for answer in combinations((*self.empty, *self.loaded), self.count_lost):
            if self._fits(answer):
                yield (LoseFleets(answer),)

    def _fits(self, fleets: Sequence[str]) -> bool:
        loaded = [fleet for fleet in fleets if fleet in self.loaded]
        return not loaded or set(self.empty) <= set(fleets)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        (order,) = answer
        assert isinstance(order, LoseFleets)
        mine = (*self.empty, *self.loaded)
        known = len(set(order.fleets)) == self.count_lost and set(order.fleets) <= set(mine)
        if known and len(order.fleets) == self.count_lost and self._fits(order.fleets):
            return []
        code = "empty_fleets_first" if known else "wrong_losses"
        return [Problem(code, "15.7.3", params={"fleets": mine}, nearest=self.default(view))]

    def default(self, view: State) -> Answer:
        """D17: the lowest tactical value, empty first."""
        order = (*by_value(self.empty), *by_value(self.loaded))
        return (LoseFleets(order[: self.count_lost]),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"fleets": self.count_lost}


def by_value(fleets: Sequence[str]) -> list[str]:
    """The least tactical value first."""
    return sorted(fleets, key=lambda fleet: (FLEETS[fleet].tactical, fleet))
