"""Sides for tests of combat, in one line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.eia.charts import Role
from pbem.games.eia.land.rounds import Clash, Ground
from pbem.games.eia.land.sheets import SHEETS
from pbem.games.eia.land.sides import Body, Chief, Side, commander

MORALE = {
    "france": {"I": 40, "C": 40, "Gd": 50, "M": 20, "A": 40},
    "russia": {"I": 30, "C": 40, "Gd": 50, "M": 20, "A": 30, "CK": 10},
    "austria": {"I": 30, "C": 40, "Gd": 50, "M": 20, "FK": 10},
    "turkey": {"I": 30, "C": 30, "FI": 20, "FC": 20},
    "bavaria": {"I": 20, "C": 30, "M": 20},
}


def body(
    id: str,
    nation: str,
    factors: str,
    *,
    kind: str = "infantry",
    power: str = "",
    tactical: int = 2,
    strategic: int = 1,
) -> Body:
    """A body from `17 I, 6 Gd`."""
    bag: dict[str, int] = {}
    for part in factors.split(","):
        number, name = part.split()
        bag[name] = bag.get(name, 0) + int(number)
    return Body(
        id,
        power or nation,
        nation,
        kind,
        bag,
        MORALE[nation],
        seat=power or nation,
        strategic=strategic,
        tactical=tactical,
        start=sum(bag.values()),
    )


def side(
    role: Role, *bodies: Body, chiefs: Sequence[Chief] = (), level: int = 99, order: Sequence[str] = ()
) -> Side:
    """A side of these bodies."""
    made = Side(role, list(bodies), list(chiefs), level=level)
    if order:
        made.order = tuple(order)
    return made


def clash(attack: Side, defence: Side, *, what: str = "battle", ground: Ground | None = None) -> Clash:
    """A combat of two sides, its commanders chosen."""
    made = Clash("ulm", SHEETS[what], ground or Ground(), attack, defence)
    made.commands = {one.role: commander(one) for one in (attack, defence)}
    return made


class Rolled:
    """Dice by what they are for and for whom: `fire attacker`; each list is used up in turn."""

    def __init__(self, dice: Mapping[str, Sequence[int]]) -> None:
        self.dice = {name: list(values) for name, values in dice.items()}

    def __call__(self, what: str, rule: str, side: str) -> int:
        return self.dice[f"{what} {side}"].pop(0)
