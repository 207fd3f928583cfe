"""A robot that conducts a campaign: it concentrates, keeps its chain, attacks where it is stronger, besieges cities.

It sees no more than its view: an enemy corps is worth what corps of its look are worth on the average.
"""

from __future__ import annotations

import random

from pbem.games.eia.battle_orders import AttackBy, DefendBy, LoseFirst, SiegeHabit, Storm
from pbem.games.eia.board import LEADERS, POWERS, city, distances, land_distances
from pbem.games.eia.march import allowance, ways
from pbem.games.eia.orders import (
    Besiege,
    BuildDepot,
    CallUp,
    Detach,
    Enter,
    Forage,
    ForageOrder,
    March,
    Nothing,
)
from pbem.games.eia.questions import Letter, Month, Muster, Revise
from pbem.games.eia.robot.whim import trimmed
from pbem.games.eia.setup import data
from pbem.games.eia.state import Corps, State
from pbem.games.eia.supply.chains import Lines
from pbem.games.eia.supply.depots import why_not
from pbem.games.eia.supply.feeding import Intents, modifiers, value
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

WORTH = {"I": 3.0, "M": 2.0, "C": 4.0, "Gd": 5.0, "A": 4.0, "FI": 2.0, "FC": 2.0, "CK": 1.0, "FK": 1.0}
UNSEEN = {"infantry": 8.0, "cavalry": 4.0}
"""How many factors are taken for an enemy corps of which only the look is known."""
SPIRIT = 3.0
"""The morale with which the worth of foot is reckoned; better troops are worth more."""
BOLD, WARY = 1.1, 1.6
"""By how much the stronger side attacks: who must win ground, and who only keeps it."""
NEAR = 3
"""How many areas away an enemy is a threat."""
HURRY = 6.0
"""From which haste on the city that decides goes before all battles."""
KEEP = 2
"""Points of money that are not spent on depots."""
PLAN: tuple[Order, ...] = (
    AttackBy("outflank"),
    AttackBy("echelon"),
    DefendBy("defend"),
    DefendBy("withdraw", odds="200"),
    LoseFirst(("M", "I", "C")),
    ForageOrder(("M", "I")),
    Storm("200"),
    SiegeHabit("grant_honours"),
)
"""The battle plan of every month."""


def sensible(view: State, question: Question[State], whim: random.Random) -> Answer:
    """A month as a staff would order it; all else as the plan and the usual policies say."""
    del whim
    if isinstance(question, (Revise, Muster)) or not isinstance(question, Letter):
        return question.default(view)
    orders = Staff(view, question.seat).letter()
    if not isinstance(question, Month):
        orders = [order for order in orders if isinstance(order, question.orders)]
    return trimmed(view, question, orders)


def _worst(view: State, corps: Corps) -> int:
    """7.4.1: what the worst die would cost a corps that stays where it is."""
    intents = Intents()
    return 6 + sum(m.value for m in modifiers(view, corps, intents)) - value(view, corps)


def spirit(power: str) -> float:
    """7.5.2.6: how much more a power's troops are worth than others'."""
    return POWERS[power].infantry_morale / SPIRIT


class Staff:
    """A seat's appraisal of its position, and the orders that follow."""

    def __init__(self, view: State, seat: str) -> None:
        self.view, self.seat = view, seat
        self.powers = view.of_seat(seat)
        self.foes = {enemy for power in self.powers for enemy in view.enemies(power)}
        self.own = [
            corps
            for power in self.powers
            for corps in view.of(power)
            if view.free(corps) and corps.placed != view.month
        ]
        self.goal, self.attacks = self._goal()
        if self.attacks and self.goal in view.sieges:
            # Who besieges the city that decides stays before it.
            self.own = [corps for corps in self.own if corps.area != self.goal]
        self.haste = 3.0 + (2.5 * view.turn if self.attacks else 0.0)
        """What an area nearer to the goal is worth: the more, the later it is."""
        self.seen: dict[str, float] = {}
        for corps in view.corps.values():
            if corps.power in self.foes and not corps.inside:
                worth = UNSEEN[corps.looks] * SPIRIT * spirit(corps.power)
                self.seen[corps.area] = self.seen.get(corps.area, 0) + worth
        self.reach = {corps.id: ways(view, corps, most=allowance(corps)).cost for corps in self.own}
        self.lines = {power: Lines(view, power) for power in self.powers}

    def _goal(self) -> tuple[str, bool]:
        """The city that decides, and whether it is to be won; where none does, the enemy's or one's own capital."""
        view = self.view
        sides = {view.side_of(power) for power in self.powers}
        for row in data(view).victory:
            for place in row.test.cities:
                return place, row.test.side in sides
        invader = "france" in self.powers
        capital = sorted(self.foes)[0] if invader else self.powers[0]
        return POWERS[capital].capitals[0], invader

    def strength(self, corps: Corps) -> float:
        """What an own corps is worth, with the leader who is with it."""
        total = sum(WORTH[kind] * number for kind, number in corps.factors.items())
        skill = max((LEADERS[one.id].tactical for one in self.view.leaders_with([corps.id])), default=0)
        return total * spirit(corps.power) * (1.15 if skill >= 4 else 1.0)

    def _rank(self, corps: Corps) -> int:
        """How good the leader is who is with a corps."""
        return max(
            (
                LEADERS[one.id].strategic + LEADERS[one.id].tactical
                for one in self.view.leaders_with([corps.id])
            ),
            default=0,
        )

    def threat(self, area: str) -> float:
        """What the enemy can bring to a place."""
        far = land_distances(area)
        return sum(worth for place, worth in self.seen.items() if far.get(place, 99) <= NEAR)

    def letter(self) -> list[Order]:
        """The orders of the month."""
        orders: list[Order] = [*PLAN, *self._depots()]
        if "au_tyrol" in self.view.levies and "austria" in self.powers:
            orders.append(CallUp("au_tyrol", "innsbruck"))
        left = {corps.id: corps for corps in self.own}
        first = target = self._target(list(left.values()))
        for _ in range(3):
            if target is None:
                break
            group = self._group(target, list(left.values()))
            orders += self._march(group, target)
            for corps in group:
                left.pop(corps.id, None)
            target = self._target(list(left.values())) if left else None
        rally = self._rally(list(left.values())) if target is None and len(left) == len(self.own) else first
        for corps in left.values():
            orders += self._close_up(corps, rally)
        held = {garrison.area for garrison in self.view.garrisons if garrison.power in self.foes}
        held |= {
            corps.area for corps in self.view.corps.values() if corps.power in self.foes and corps.inside
        }
        orders += [Besiege((area,)) for area in sorted(held)]
        orders += self._garrisons(orders)
        orders += self._bread(orders, held)
        return orders or [Nothing()]

    def _target(self, corps: list[Corps]) -> str | None:
        """The enemy force that is most worth attacking with what can reach it; the goal itself where it lies open."""
        best: tuple[float, str] | None = None
        margin = BOLD if self.attacks else WARY
        if self.attacks and self.haste > HURRY:
            open_goal = self._open_goal(corps)
            if open_goal:
                return open_goal
        far = distances(self.goal)
        front = far.get(self._mass(), 20)
        for area, worth in sorted(self.seen.items()):
            if self.attacks and far.get(area, 20) >= front:
                continue
            mine = sum(self.strength(one) for one in corps if area in self.reach[one.id])
            if mine < margin * worth:
                continue
            near = far.get(area, 20)
            score = worth + mine / max(1.0, worth) - self.haste * near
            if best is None or score > best[0]:
                best = (score, area)
        if best is not None:
            return best[1]
        return self._open_goal(corps) if self.attacks else None

    def _open_goal(self, corps: list[Corps]) -> str | None:
        """The city that decides, where no enemy stands before it and enough can reach it."""
        able = [one for one in corps if self.goal in self.reach[one.id] and one.area != self.goal]
        strong = sum(self.strength(one) for one in able) > self.threat(self.goal)
        return self.goal if able and strong and self.goal not in self.seen else None

    def _group(self, area: str, corps: list[Corps]) -> list[Corps]:
        """Who goes there: the strongest first, until it is enough by far."""
        able = sorted(
            (one for one in corps if area in self.reach[one.id]),
            key=lambda one: (-self._rank(one), -self.strength(one)),
        )
        wanted = 2.5 * self.seen.get(area, 40.0)
        group: list[Corps] = []
        for one in able:
            if sum(self.strength(other) for other in group) >= wanted:
                break
            group.append(one)
        return group

    def _march(self, group: list[Corps], area: str) -> list[Order]:
        going = tuple(corps.id for corps in group if corps.area != area)
        return [March(going, (area,))] if going else []

    def _mass(self) -> str:
        """Where most of one's strength stands."""
        held: dict[str, float] = {}
        for corps in self.own:
            held[corps.area] = held.get(corps.area, 0.0) + self.strength(corps)
        return max(sorted(held), key=lambda area: held[area]) if held else self.goal

    def _rally(self, corps: list[Corps]) -> str:
        """Where the army goes together: towards the goal, as far as it is fed and not outnumbered."""
        mass = self._mass()
        army = [one for one in corps if one.area == mass]
        power = sum(self.strength(one) for one in army)
        able = [
            area
            for area in sorted(set().union(*(self.reach[one.id] for one in army)))
            if area not in self.seen
        ]

        def score(area: str) -> float:
            coming = sum(self.strength(one) for one in army if area in self.reach[one.id])
            danger = max(0.0, self.threat(area) - 1.1 * coming)
            prices = [self.lines[one.power].price(area) for one in army[:1]]
            hungry = sum(2.5 if price is None else price[0] / 4 for price in prices)
            return (
                -self.haste * distances(area).get(self.goal, 20) - danger / 8 - hungry - (power - coming) / 10
            )

        return max([mass, *able], key=score)

    def _close_up(self, corps: Corps, rally: str | None) -> list[Order]:
        """Towards where the army is, not beyond what can be fed, and never alone before a stronger enemy."""
        reach = self.reach[corps.id]
        lines = self.lines[corps.power]
        goal = rally or self.goal
        mine = self.strength(corps)

        def score(area: str) -> float:
            if area in self.seen:
                return -1000.0
            if area == goal:
                return 0.0
            price = lines.price(area)
            alone = max(0.0, self.threat(area) - mine)
            hungry = 1.5 if price is None else price[0] / 6
            return -2.0 * distances(area).get(goal, 20) - min(6.0, alone / 15) - hungry - 0.1 * reach[area]

        best = max(sorted(reach), key=score)
        if best == corps.area or score(best) <= score(corps.area) + 0.5:
            return []
        return [March((corps.id,), (best,))]

    def _depots(self) -> list[Order]:
        """A depot where several corps stand that none feeds cheaply."""
        orders: list[Order] = []
        for power in self.powers:
            money = self.view.powers[power].money // 2
            areas: dict[str, int] = {}
            for corps in self.view.of(power):
                areas[corps.area] = areas.get(corps.area, 0) + 1
            for area, number in sorted(areas.items(), key=lambda item: (-item[1], item[0])):
                price = self.lines[power].price(area)
                dear = price is None or price[0] * number > 2 * number
                if money > KEEP and dear and number > 1 and why_not(self.view, power, area) is None:
                    orders.append(BuildDepot((area,), power))
                    money -= 1
        return orders

    def _bread(self, orders: list[Order], held: set[str]) -> list[Order]:
        """Who stays where no die can hurt him lives off the land, and leaves the money to the others."""
        going = {name for order in orders if isinstance(order, March) for name in order.who}
        stays = [corps for corps in self.own if corps.id not in going and corps.area not in held]
        safe = [corps.id for corps in stays if _worst(self.view, corps) <= 0]
        return [Forage(tuple(safe))] if safe else []

    def _garrisons(self, letter: list[Order]) -> list[Order]:
        """Who stands before the city that decides goes in when it is open, or leaves a garrison."""
        orders: list[Order] = []
        where = city(self.goal)
        every = [corps for power in self.powers for corps in self.view.of(power)]
        going = {
            name
            for order in letter
            if isinstance(order, March) and order.way[-1] == self.goal
            for name in order.who
        }
        there = [corps for corps in every if corps.id in going or corps.area == self.goal]
        if where is None or not there:
            return orders
        foot = [corps for corps in there if corps.factors.get("I", 0) > 4 and not corps.fixed]
        if foot and (self.attacks or not self.view.in_city(self.goal)):
            giver = max(foot, key=lambda corps: corps.factors.get("I", 0))
            if giver.nation == giver.power:
                orders.append(Detach(min(4, giver.factors["I"] - 1), "I", giver.id, self.goal))
            else:
                orders.append(Enter((giver.id,)))
        return orders
