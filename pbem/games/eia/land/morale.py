"""7.5.2.6: the morale level of a side, by both methods; in tenths."""

from __future__ import annotations

from collections import Counter as Tally

from pbem.games.eia.charts import Combination, charts
from pbem.games.eia.land.sides import CAVALRY, Side
from pbem.kernel.event import Modifier

PER_DAY = -5
MOST, LEAST = 5, -10
"""7.5.2.6.1.2: how far method 2 moves from its base."""
LOW = ("M", "CK", "FK", "Gr", "FI", "FC")
LOW_MORALE = 20


def mean(side: Side) -> int:
    """7.5.2.6.1.1: the mean morale of all factors, rounded up to a tenth; those on their way round count."""
    count = weight = 0
    for body in side.bodies:
        for kind, number in body.factors.items():
            count += number
            weight += number * body.morale[kind]
    return -(-weight // count) if count else 0


def based(side: Side) -> int:
    """7.5.2.6.1.2: the value of the power with most corps, better by guards and worse by poor troops."""
    corps = Tally(body.power for body in side.corps) or Tally(body.power for body in side.bodies)
    if not corps:
        return 0
    most = max(corps.values())
    base = min(charts().base_morale[power] for power, number in corps.items() if number == most)
    adjust = 0
    for body in side.bodies:
        minor = body.nation != body.power
        for kind, number in body.factors.items():
            if kind == "Gd":
                adjust += number
            elif kind in LOW or (minor and body.morale[kind] <= LOW_MORALE):
                adjust -= number
    return base + max(LEAST, min(MOST, adjust))


def level(side: Side, method: int) -> int:
    """7.5.2.6, 7.5.2.6.1, 7.5.4.1.3.2, 7.5.4.2.1.2: the level of a fresh side."""
    return mean(side) if method == 1 else based(side)


def modifiers(side: Side, cell: Combination | None, power: str, day: int) -> list[Modifier]:
    """7.5.2.6.2: what the tactical chart and the days before add, in tenths. `power` is the commander's."""
    found = [Modifier("day", PER_DAY * (day - 1), "7.5.2.6.2")]
    if cell is not None:
        if power == "turkey":
            found.append(
                Modifier("turkish_commander", round(10 * cell.turkish_commander_morale), "7.5.2.6.2")
            )
        if power == "russia" and side.role == "defender":
            found.append(Modifier("russian_defender", round(10 * cell.russian_defender_morale), "7.5.2.6.2"))
    return [modifier for modifier in found if modifier.value]


def is_mounted(side: Side) -> bool:
    """12.3.3.2: whether a side is cavalry alone."""
    return bool(side.bodies) and side.count(CAVALRY, side.bodies) == side.total
