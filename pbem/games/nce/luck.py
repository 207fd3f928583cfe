"""12.7, 13.2.3, 15.10: what battles, sieges and fights at sea gave each side, and what they give on average.

Exact, from the same tables: every total of the dice with its chance. The figures tell nothing that the event
itself does not tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import msgspec

from pbem.games.nce import charts
from pbem.kernel.event import Expected


class Blow(msgspec.Struct, frozen=True):
    """One side's roll in a battle: its modifiers, the size of the battle, the most that it may inflict."""

    seat: str
    bonus: int
    size: str
    most: int
    inflicted: int

    def results(self) -> list[tuple[float, int, bool]]:
        """Each total of its two dice: the chance, the steps of the table, whether with a plus; depots inflict none."""
        found = []
        for total, chance in sums(2).items():
            cell = charts.battle_result(total + self.bonus, self.size)
            found.append((chance, cell.losses if self.most else 0, cell.plus))
        return found


@cache
def sums(dice: int) -> dict[int, float]:
    """The chance of each sum of so many dice."""
    found = {0: 1.0}
    for _ in range(dice):
        more: dict[int, float] = {}
        for total, chance in found.items():
            for face in range(1, 7):
                more[total + face] = more.get(total + face, 0.0) + chance / 6
        found = more
    return found


def percent(needed: int, bonus: int) -> int:
    """The chance in percent that a die and what is added come to so much."""
    return round(100 * sum(die + bonus >= needed for die in range(1, 7)) / 6)


def battle(attack: Blow, defence: Blow, *, won: bool) -> tuple[Expected, ...]:
    """12.7: steps inflicted by both sides, and whose battle it was; `won` by the attacker."""
    chance = sum(
        mine * theirs
        for mine, hits, plus in attack.results()
        for theirs, others, their_plus in defence.results()
        if hits > others or (hits == others and plus and not their_plus)
    )
    return (
        *(_steps(blow) for blow in (attack, defence) if blow.most),
        even(attack.seat, "battles", won, chance),
        even(defence.seat, "battles", not won, 1 - chance),
    )


def _steps(blow: Blow) -> Expected:
    return _expected(
        blow.seat,
        "inflicted",
        blow.inflicted,
        ((chance, min(hits, blow.most)) for chance, hits, _ in blow.results()),
    )


def siege(seat: str, bonus: int, *, taken: bool) -> Expected:
    """13.2.3: one attempt on a fortress."""
    return even(seat, "sieges", taken, falls(bonus))


def falls(bonus: int) -> float:
    """13.2.3: the chance that one attempt takes a fortress."""
    return sum(charts.siege_result(die + bonus) in ("honneurs", "breche") for die in range(1, 7)) / 6


class Squadron(msgspec.Struct, frozen=True):
    """15.10: one side of a fight at sea: its dice, its tactical values, its fleets, those it lost."""

    seat: str
    dice: int
    bonus: int
    fleets: int
    lost: int
    shelter: int = 0
    """15.10.8: fleets that the guns of a fortress save, unless the defeat is crushing."""


def naval(attack: Squadron, defence: Squadron) -> tuple[Expected, ...]:
    """15.10.2: fleets sunk by both sides in one exchange."""
    sunk: list[tuple[float, int]] = []
    missed: list[tuple[float, int]] = []
    for mine, chance in sums(attack.dice).items():
        for theirs, other in sums(defence.dice).items():
            difference = mine + attack.bonus - theirs - defence.bonus
            sunk.append((chance * other, _losses(difference, defence)))
            missed.append((chance * other, _losses(-difference, attack)))
    return (
        _expected(attack.seat, "fleets", defence.lost, sunk),
        _expected(defence.seat, "fleets", attack.lost, missed),
    )


def _losses(difference: int, beaten: Squadron) -> int:
    return charts.naval_losses(difference, beaten.fleets, beaten.shelter) if difference > 0 else 0


def even(seat: str, what: str, happened: bool, chance: float) -> Expected:
    """Something that happens or not."""
    return Expected(seat, what, float(happened), chance, max(0.0, chance * (1 - chance)))


def _expected(seat: str, what: str, got: int, results: Iterable[tuple[float, int]]) -> Expected:
    mean = square = 0.0
    for chance, value in results:
        mean += chance * value
        square += chance * value * value
    return Expected(seat, what, got, mean, max(0.0, square - mean * mean))
