"""The decisions besides the five actions: missions, tiles, reveals, discards, damage, support (rule 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product

from pbem.games.leipzig import scoring
from pbem.games.leipzig.board import ARMS, BOARD, UNKNOWN, kind_of
from pbem.games.leipzig.charts import date_of, terrain_value
from pbem.games.leipzig.orders import (
    AsArm,
    CascadeRank,
    DiscardCards,
    DiscardOrder,
    EngageWith,
    FixedArm,
    KeepMissions,
    KeepRank,
    MissionRank,
    PlaceFirst,
    RevealMission,
    RevealOrder,
    Sacrifice,
    SacrificeOrder,
    SupportWith,
)
from pbem.games.leipzig.state import HAND_LIMIT, State, contacts, hand_size, side_of, tiles
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.policy import Policy, first_fit
from pbem.kernel.problem import ILLEGAL, Params, Problem
from pbem.kernel.question import Question

MOST = 400
"""How many legal answers are listed, where there are very many."""


def day(view: State) -> int:
    """The day of October 1813 that the time marker has reached."""
    date = date_of(view.time)
    return int(date[:2]) if date else 13


def common_facts(view: State, side: str) -> dict[str, Fact]:
    """What every standing order may test."""
    enemy = "allied" if side == "french" else "french"
    return {
        "turn": view.turn,
        "time": view.time,
        "day": day(view),
        "points": view.points[side],
        "enemy_points": view.points[enemy],
        "scouts": view.scouts[side],
        "hand": hand_size(view, side),
        "my_turn": view.side == side,
    }


def zone_facts(view: State) -> dict[str, Fact]:
    """Whose tile stands in each zone."""
    at = tiles(view)
    return {zone: side_of(at[zone]) if zone in at else "none" for zone in BOARD.zones}


class Keep(Question[State], frozen=True):
    """2.2: which mission of each pair Napoléon keeps."""

    orders = (KeepMissions,)

    def legal(self, view: State) -> Iterator[Answer]:
        """Every choice of one card a pair."""
        pairs = [sorted(pair, key=easiness) for pair in view.offered]
        return ((KeepMissions(tuple(choice)),) for choice in product(*pairs))

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """One mission of each pair, in any order."""
        chosen = [m for order in answer if isinstance(order, KeepMissions) for m in order.missions]
        nearest = self.default(view)
        for pair in view.offered:
            have = sum(mission in chosen for mission in pair)
            if have != 1:
                params: Params = {"missions": tuple(pair), "chosen": have}
                return [Problem("keep_one_of", self.rule, ILLEGAL, params, nearest)]
        if len(chosen) != len(view.offered):
            return [Problem("not_offered", self.rule, ILLEGAL, {"missions": tuple(chosen)}, nearest)]
        return []

    def _preferred(self, view: State, standing: KeepRank) -> Answer | None:
        """The better ranked of each pair."""
        chosen = tuple(first_fit(standing.missions, pair) or "" for pair in view.offered)
        return (KeepMissions(chosen),) if all(chosen) else None

    policies = (Policy(KeepRank, _preferred),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        """The common facts."""
        return common_facts(view, "french")


def easiness(mission: str) -> tuple[int, int]:
    """2.2: the cheaper to reach comes first: steps from the nearest French village, then points."""
    if mission == UNKNOWN:
        return (0, 0)
    card = BOARD.missions[mission]
    return (_REACH[card.zone], card.french_points)


def _reach() -> dict[str, int]:
    distance = {zone: 0 for id in BOARD.of("french") for zone in BOARD.armies[id].start}
    edge = list(distance)
    for zone in edge:
        for near in BOARD.zones[zone].neighbours:
            if near not in distance:
                distance[near] = distance[zone] + 1
                edge.append(near)
    return distance


_REACH = _reach()


class Cascade(Question[State], frozen=True):
    """3.8: whose tile is placed first, where several armies are due."""

    due: tuple[str, ...]
    orders = (PlaceFirst,)

    def legal(self, view: State) -> Iterator[Answer]:
        """Each army that is due, as listed on the board."""
        return ((PlaceFirst(army),) for army in self.due)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """One of the armies that are due."""
        (order,) = answer
        if isinstance(order, PlaceFirst) and order.army in self.due:
            return []
        nearest = tuple(PlaceFirst(army) for army in self.due)
        return [Problem("not_due", self.rule, ILLEGAL, {"armies": self.due}, nearest)]

    def _preferred(self, view: State, standing: CascadeRank) -> Answer | None:
        """The first army of the rank that is due."""
        army = first_fit(standing.armies, self.due)
        return None if army is None else (PlaceFirst(army),)

    policies = (Policy(CascadeRank, _preferred),)

    def only(self, view: State) -> Answer | None:
        """No choice where the order changes nothing: separate zones, with nobody else's markers in them."""
        zones = {view.armies[id].markers[0] for id in self.due if view.armies[id].markers}
        strangers = any(
            zones.intersection(army.markers) for id, army in view.armies.items() if id not in self.due
        )
        if len(zones) == len(self.due) and not strangers:
            return self.default(view)
        return super().only(view)

    def facts(self, view: State) -> Mapping[str, Fact]:
        """The common facts and which armies are due."""
        return {**common_facts(view, view.roles[self.seat]), **dict.fromkeys(self.due, True)}


class Arm(Question[State], frozen=True):
    """1.3: which arm Napoléon or Schwarzenberg is, once placed."""

    army: str
    zone: str
    orders = (AsArm,)
    policies = (Policy(FixedArm, lambda self, view, order: (AsArm(order.arm),)),)

    def legal(self, view: State) -> Iterator[Answer]:
        """The best arm for the terrain first in the advanced game, otherwise infantry."""
        arms = BOARD.armies[self.army].arms
        if view.advanced:
            arms = tuple(sorted(arms, key=lambda arm: (-terrain_value(arm, self.zone), ARMS.index(arm))))
        return ((AsArm(arm),) for arm in arms)

    def only(self, view: State) -> Answer | None:
        """In the basic game an arm changes nothing any more, so nobody is asked."""
        return None if view.advanced else self.default(view)

    def concerns(self, view: State, standing: Order) -> bool:
        """Only the fixed arm of this army."""
        return isinstance(standing, FixedArm) and standing.army == self.army

    def facts(self, view: State) -> Mapping[str, Fact]:
        """The common facts, the army and the terrain of its zone."""
        terrain = BOARD.zones[self.zone].terrain
        return {**common_facts(view, view.roles[self.seat]), "army": self.army, "terrain": terrain}


class Reveal(Question[State], frozen=True):
    """4.2: which mission Napoléon reveals."""

    date: str
    orders = (RevealMission,)

    def legal(self, view: State) -> Iterator[Answer]:
        """Each mission not yet revealed, the least valuable first."""
        missions = sorted(view.missions, key=lambda m: BOARD.missions[m].french_points if m != UNKNOWN else 0)
        return ((RevealMission(mission),) for mission in missions)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """A mission of his that is not yet revealed."""
        (order,) = answer
        if isinstance(order, RevealMission) and order.mission in view.missions:
            return []
        nearest = tuple(order for legal in self.legal(view) for order in legal)
        return [Problem("not_your_mission", self.rule, ILLEGAL, {"missions": tuple(view.missions)}, nearest)]

    def _preferred(self, view: State, standing: RevealOrder) -> Answer | None:
        """The first mission of the order that is not yet revealed."""
        mission = first_fit(standing.missions, view.missions)
        return None if mission is None else (RevealMission(mission),)

    policies = (Policy(RevealOrder, _preferred),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        """The common facts and whose tile stands in each zone."""
        return {**common_facts(view, "french"), **zone_facts(view)}


class Discard(Question[State], frozen=True):
    """3.7: which cards leave a hand of more than eight."""

    excess: int
    orders = (DiscardCards,)

    def _unwanted(self, view: State, order: DiscardOrder) -> Answer | None:
        return self._worst(view, order.cards)

    policies = (Policy(DiscardOrder, _unwanted),)

    def count(self, view: State) -> tuple[int, int]:
        """All cards in one order, or one order a card."""
        return (1, max(1, self.excess))

    def menu(self, view: State) -> list[Order]:
        """The hand, card by card, the worst first."""
        hand = self._hand(view)
        everything = Discard(key=self.key, seat=self.seat, excess=len(hand))._worst(view)
        return [DiscardCards((card,)) for card in dict.fromkeys(discarded(everything))]

    def _hand(self, view: State) -> list[str]:
        side = view.roles[self.seat]
        kinds = [kind_of(held.card) for held in view.hands[side]]
        return kinds + ["scout"] * view.scouts[side]

    def _worst(self, view: State, rank: Sequence[str] = ()) -> Answer:
        """By the rank, then time cards, then duplicates, then what is left; scouts last."""
        hand, chosen = self._hand(view), []
        for _ in range(self.excess):
            count = Counter(hand)
            first = first_fit(rank, hand)
            if first is None:
                first = min(hand, key=lambda kind: (kind == "scout", kind != "time", -count[kind], kind))
            hand.remove(first)
            chosen.append(first)
        return (DiscardCards(tuple(chosen)),)

    def legal(self, view: State) -> Iterator[Answer]:
        """Every choice of kinds, the worst cards first."""
        default = self._worst(view)
        yield default
        seen = {tuple(sorted(default[0].cards))}  # type: ignore[attr-defined]
        for cards in islice(combinations(sorted(self._hand(view)), self.excess), MOST):
            if cards not in seen:
                seen.add(cards)
                yield (DiscardCards(cards),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """Exactly the excess, all from the hand."""
        cards = discarded(answer)
        nearest = self._worst(view)
        missing = Counter(cards) - Counter(self._hand(view))
        params: Params = {"cards": tuple(missing.elements())}
        if missing:
            return [Problem("not_in_hand", self.rule, ILLEGAL, params, nearest)]
        if len(cards) != self.excess:
            params = {"needed": self.excess, "given": len(cards)}
            return [Problem("wrong_number_of_cards", self.rule, ILLEGAL, params, nearest)]
        return []

    def facts(self, view: State) -> Mapping[str, Fact]:
        """The common facts and the number of cards of each kind."""
        count = Counter(self._hand(view))
        return {**common_facts(view, view.roles[self.seat]), **count, "excess": self.excess}


def discarded(answer: Answer) -> tuple[str, ...]:
    """All cards that an answer discards."""
    return tuple(card for order in answer if isinstance(order, DiscardCards) for card in order.cards)


class Allocate(Question[State], frozen=True):
    """5.1: which tile takes the point of each enemy tile that touches several."""

    date: str
    choices: dict[str, tuple[str, ...]]
    """For each such enemy tile the own tiles that it touches."""
    orders = (Sacrifice,)

    def _ranked(self, view: State, order: SacrificeOrder) -> Answer | None:
        return self._answer(self.allocation(view, rank=order.armies))

    policies = (Policy(SacrificeOrder, _ranked),)

    def count(self, view: State) -> tuple[int, int]:
        """At most one order an enemy tile."""
        return (1, len(self.choices))

    def allocation(self, view: State, answer: Answer = (), rank: Sequence[str] = ()) -> dict[str, str]:
        """For each enemy tile of a choice the tile that suffers; the rest follows rank and default."""
        chosen: dict[str, str] = {}
        for order in answer:
            if isinstance(order, Sacrifice) and order.enemy:
                chosen[order.enemy] = order.army
        for order in answer:
            if isinstance(order, Sacrifice) and not order.enemy:
                for enemy, candidates in self.choices.items():
                    if order.army in candidates:
                        chosen.setdefault(enemy, order.army)
        side = view.roles[self.seat]
        left = {army: view.armies[army].strength for army in BOARD.of(side)}
        for enemy, touched in contacts(view).items():
            if side_of(enemy) != side and touched:
                sure = chosen.get(enemy) if enemy in self.choices else touched[0]
                if sure:
                    left[sure] -= 1
        for enemy, candidates in self.choices.items():
            if enemy not in chosen:
                army = first_fit(rank, candidates) or _strongest_survivor(candidates, left)
                chosen[enemy] = army
                left[army] -= 1
        return chosen

    def _answer(self, chosen: Mapping[str, str]) -> Answer:
        return tuple(Sacrifice(chosen[enemy], enemy) for enemy in self.choices)

    def legal(self, view: State) -> Iterator[Answer]:
        """The default, then every allocation."""
        default = self._answer(self.allocation(view))
        yield default
        for choice in islice(product(*self.choices.values()), MOST):
            answer = self._answer(dict(zip(self.choices, choice, strict=True)))
            if answer != default:
                yield answer

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """Each order names an own tile and an enemy tile that touches it."""
        problems: list[Problem] = []
        for n, order in enumerate(answer):
            assert isinstance(order, Sacrifice)
            touching = [enemy for enemy, candidates in self.choices.items() if order.army in candidates]
            if not touching or (order.enemy and order.enemy not in touching):
                nearest = self._answer(self.allocation(view))
                params: Params = {
                    "army": order.army,
                    "enemies": tuple(self.choices),
                }
                problems.append(Problem("cannot_take_damage", self.rule, ILLEGAL, params, nearest, n))
        return problems

    def facts(self, view: State) -> Mapping[str, Fact]:
        """The common facts and the strength of each own tile concerned."""
        concerned = {army for candidates in self.choices.values() for army in candidates}
        strengths = {army: view.armies[army].strength for army in sorted(concerned)}
        return {**common_facts(view, view.roles[self.seat]), **strengths}


def _strongest_survivor(candidates: Sequence[str], left: Mapping[str, int]) -> str:
    survivors = [army for army in candidates if left[army] > 1]
    if survivors:
        return max(survivors, key=lambda army: left[army])
    return min(candidates, key=lambda army: left[army])


class _Scoring(Question[State], frozen=True):
    """6.1, 8.5: for each tile that could count for several missions, the one for which it counts."""

    choices: dict[str, tuple[str, ...]]

    def count(self, view: State) -> tuple[int, int]:
        """At most one order a tile."""
        return (1, len(self.choices))

    def _order(self, mission: str, army: str) -> Order:
        raise NotImplementedError

    def _best(self, view: State) -> dict[str, str]:
        raise NotImplementedError

    def _answer(self, chosen: Mapping[str, str]) -> Answer:
        return tuple(self._order(chosen[army], army) for army in self.choices)

    def chosen(self, view: State, answer: Answer) -> dict[str, str]:
        """The mission of each tile; what is not said follows the default."""
        said = {order.army: order.mission for order in answer}  # type: ignore[attr-defined]
        if len(said) == len(self.choices):
            return said
        return {**self._best(view), **said}

    def legal(self, view: State) -> Iterator[Answer]:
        """The default, then every assignment."""
        default = self._answer(self._best(view))
        yield default
        for choice in islice(product(*self.choices.values()), MOST):
            answer = self._answer(dict(zip(self.choices, choice, strict=True)))
            if answer != default:
                yield answer

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """Each order names a tile with a choice, once, and one of its missions."""
        problems: list[Problem] = []
        named: set[str] = set()
        for n, order in enumerate(answer):
            army, mission = order.army, order.mission  # type: ignore[attr-defined]
            nearest = tuple(self._order(option, army) for option in self.choices.get(army, ()))
            params: Params = {"army": army, "mission": mission}
            if army in named:
                problems.append(Problem("army_named_twice", self.rule, ILLEGAL, params, order=n))
            elif mission not in self.choices.get(army, ()):
                nearest = nearest or self.default(view)
                problems.append(Problem("cannot_count_there", self.rule, ILLEGAL, params, nearest, n))
            named.add(army)
        return problems

    def _preferred(self, view: State, standing: MissionRank) -> Answer:
        """The best ranked mission of each tile."""
        best = self._best(view)
        return self._answer(
            {a: first_fit(standing.missions, missions) or best[a] for a, missions in self.choices.items()}
        )

    policies = (Policy(MissionRank, _preferred),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        """The common facts and whose tile stands in each zone."""
        return {**common_facts(view, view.roles[self.seat]), **zone_facts(view)}


class Support(_Scoring, frozen=True):
    """6.1: which mission each French tile supports."""

    orders = (SupportWith,)

    def _order(self, mission: str, army: str) -> Order:
        return SupportWith(mission, army)

    def _best(self, view: State) -> dict[str, str]:
        return scoring.best_support(view, self.choices)


class Contact(_Scoring, frozen=True):
    """8.5: against which mission each allied tile counts."""

    orders = (EngageWith,)

    def _order(self, mission: str, army: str) -> Order:
        return EngageWith(mission, army)

    def _best(self, view: State) -> dict[str, str]:
        return scoring.best_contact(view, self.choices)


def excess_cards(view: State, side: str) -> int:
    """3.7: how many cards a hand holds above the limit."""
    return max(0, hand_size(view, side) - HAND_LIMIT)
