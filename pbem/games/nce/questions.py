"""6, 16, 21: the decision points of the interphase and of the peace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from pbem.games.nce.cards.hands import KEPT
from pbem.games.nce.cards.reaction_cards import unheld
from pbem.games.nce.charts import COUNTRIES
from pbem.games.nce.orders import (
    Garrison,
)
from pbem.games.nce.powers import diplomacy, peace
from pbem.games.nce.replies import (
    Annex,
    ClaimMinor,
    Declare,
    Discard,
    Done,
    ForceAlliance,
    GoHome,
    Refuse,
    Spoils,
    Tilsit,
)
from pbem.games.nce.standing import GarrisonPolicy, KeepPolicy, PeacePolicy, QuietPolicy, UsualPolicy
from pbem.games.nce.state import EMPIRE, HIDDEN, State, copied
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.plan import Refused
from pbem.kernel.policy import Policy, as_said, keeps_for_player, usual
from pbem.kernel.problem import Params, Problem
from pbem.kernel.question import Question


def _is_meant(question: Question[State], view: State, order: QuietPolicy) -> bool:
    return order.what == question.kind()


QUIET = Policy(QuietPolicy, (Done(),), given=_is_meant)


class Quiet(Question[State], frozen=True, kw_only=True):
    """A part of the interphase that silence leaves as it is."""

    discreet = True
    policies: ClassVar[tuple[Policy, ...]] = (QUIET,)

    def default(self, view: State) -> Answer:
        return (Done(),)


class War(Quiet, frozen=True, kw_only=True):
    """6.1: P1: declarations of war."""

    year: int
    most_orders = 10
    orders = (Declare, Done)
    policies = (Policy(Declare, as_said), QUIET)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for country in COUNTRIES:
            if not diplomacy.declare_problem(view, self.seat, country)[0]:
                yield (Declare(country),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """6.1.1, 6.1.2: a neutral, or who is beaten by the other side; war on one is war on all its allies."""
        problems = []
        able = [c for c in COUNTRIES if not diplomacy.declare_problem(view, self.seat, c)[0]]
        named: set[str] = set()
        for number, order in enumerate(answer):
            if isinstance(order, Declare):
                code, rule = diplomacy.declare_problem(view, self.seat, order.country)
                whole = diplomacy.attacked(view, order.country)
                if not code and whole in named:
                    code, rule = "already_declared", "6.1.2"
                named.add(whole)
                if code:
                    params: Params = {
                        "country": order.country,
                        "countries": tuple(able),
                    }
                    problems.append(Problem(code, rule, params=params, nearest=(Done(),), order=number))
        return problems

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"year": self.year, "cards": len(view.hands[self.seat])}


class Hand(Quiet, frozen=True, kw_only=True):
    """6.2.1: P2: cards to discard before the new hand is drawn."""

    year: int
    orders = (Discard, Done)

    def _free(self, view: State) -> list[str]:
        return [card for card in view.hands[self.seat] if card != HIDDEN and card not in KEPT]

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for card in self._free(view):
            yield (Discard((card,)),)
        if len(self._free(view)) > 1:
            yield (Discard(tuple(self._free(view))),)

    def count(self, view: State) -> tuple[int, int]:
        return (1, max(1, len(view.hands[self.seat])))

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """6.2.1: each card is in hand, named once, and none that must be kept; the others may go."""
        held = list(view.hands[self.seat])
        for number, order in enumerate(answer):
            good: list[str] = []
            wrong: dict[str, str] = {}
            for card in order.cards if isinstance(order, Discard) else ():
                code = "must_keep" if card in KEPT else "" if card in held else "card_not_held"
                if code:
                    wrong.setdefault(card, code)
                else:
                    held.remove(card)
                    good.append(card)
            for card, code in wrong.items():
                nearest: Answer = (Discard(tuple(good)),) if good else (Done(),)
                return [Problem(code, "6.2.1", params={"card": card}, nearest=nearest, order=number)]
        return []

    def _keep(self, view: State, standing: KeepPolicy) -> Answer:
        others = tuple(card for card in self._free(view) if card not in standing.cards)
        return (Discard(others),) if others else (Done(),)

    policies = (Policy(KeepPolicy, _keep), QUIET)


class Fate(Question[State], frozen=True, kw_only=True):
    """16.3.4: a minor without units is conquered: ally or annexed."""

    country: str
    orders = (ClaimMinor,)
    policies = (Policy(ClaimMinor, as_said), Policy(UsualPolicy, usual))

    def legal(self, view: State) -> Iterator[Answer]:
        yield (ClaimMinor(self.country, "ally"),)
        yield (ClaimMinor(self.country, "annexed"),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"country": self.country}


class Refusal(Question[State], frozen=True, kw_only=True):
    """16.4.2: D18: Tambours de guerre, offered alike whether or not the card is held."""

    power: str
    orders = (Refuse, Done)
    policies = (Policy(Refuse, as_said), Policy(UsualPolicy, usual))
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        if "27C" in view.hands[self.seat]:
            yield (Refuse(self.power),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        return unheld(view, self.seat, "27C", answer, self.rule) or super().check(view, answer)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"power": self.power}


class Treaty(Question[State], frozen=True, kw_only=True):
    """16.4.2: D18: Tilsit, offered alike whether or not the card is held."""

    powers: tuple[str, ...]
    orders = (Tilsit, Done)
    policies = (Policy(Tilsit, as_said), Policy(UsualPolicy, usual))
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        if "26F" in view.hands[self.seat]:
            yield from ((Tilsit(power),) for power in self.powers)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        return unheld(view, self.seat, "26F", answer, self.rule) or super().check(view, answer)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"cards": len(view.hands[self.seat])}


class Terms(Question[State], frozen=True, kw_only=True):
    """16.5.7: D18: the terms of a peace."""

    power: str
    most: int
    tilsit: bool = False
    fresh: tuple[str, ...] = ()
    """16.5.3: minors that the loser has just conquered."""
    most_orders = 9
    orders = (Annex, ClaimMinor, Spoils, GoHome, ForceAlliance, Done)
    standing = (Annex, ClaimMinor, Spoils, GoHome, ForceAlliance, PeacePolicy)

    def legal(self, view: State) -> Iterator[Answer]:
        yield self.default(view)
        yield (Done(),)
        yield (GoHome(),)
        if not self.tilsit:
            yield (Spoils(),)

    def menu(self, view: State) -> list[Order]:
        """16.5.2: all that may be had, then what goes with it."""
        provinces = peace.open_provinces(view, self.power, self.seat)
        minors = [c for c in COUNTRIES if not peace.minor_problem(view, self.power, c, self.fresh)[0]]
        return list(
            dict.fromkeys([*self.default(view), *provinces, *map(ClaimMinor, minors), *super().menu(view)])
        )

    def default(self, view: State) -> Answer:
        return peace.default_terms(copied(view), self.power, self.seat, self.most) or (Done(),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        try:
            peace.check_terms(
                copied(view), self.power, self.seat, answer, self.most, tilsit=self.tilsit, fresh=self.fresh
            )
        except Refused as refused:
            return [refused.at(int(refused.args[1]) if len(refused.args) > 1 else 0)]
        return []

    def follow(self, view: State, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        """The wishes among the standing orders that can be had of this power, as many as may be; else it is asked."""
        wishes = [order for order in standing if isinstance(order, self.standing)]
        others = [order for order in standing if not isinstance(order, self.standing)]
        asked, facts = super().follow(view, others), self.facts(view)
        if asked is not None or any(keeps_for_player(self, order, facts) for order in others):
            return asked
        chosen: Answer = ()
        for wish in wishes:
            if not isinstance(wish, PeacePolicy) and not self.check(view, (*chosen, wish)):
                chosen = (*chosen, wish)
        if chosen:
            return chosen, chosen[0]
        usual = next((order for order in wishes if isinstance(order, PeacePolicy)), None)
        return (self.default(view), usual) if usual is not None else None

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"power": self.power, "provinces": self.most, "empire": self.seat == EMPIRE}


class Garrisoning(Question[State], frozen=True, kw_only=True):
    """13.4.2: D13: the fortress just taken: active again with a depot, with a step, or not."""

    force: str
    zone: str
    orders = (Garrison, Done)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        force = view.forces[self.force]
        if force.power in force.depots:
            yield (Garrison("depot"),)
        if force.strength > 1:
            yield (Garrison("step"),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        force = view.forces[self.force]
        return {
            "zone": self.zone,
            "force": force.name,
            "steps": force.strength,
            "depots": len(force.depots),
        }

    def _by(self, view: State, standing: GarrisonPolicy) -> Answer:
        return (Garrison(standing.by),) if standing.by != "never" else (Done(),)

    policies = (Policy(GarrisonPolicy, _by),)
