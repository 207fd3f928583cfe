"""Luck: how the dice of a game fell, for whom, and what the same battles would have given on average.

Counts say whether dice were fair; they do not say who profited, since a six is not always good. Therefore an
event may carry `luck` values (see the kernel): what a battle gave a seat, what it gives on average, and
the variance. `balance` adds those up. Nothing here judges: the figures come with the chance that fair dice
would stray as far.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import msgspec

from pbem.dice.audit.verdicts import Spread, Tally
from pbem.kernel.chance import Draw
from pbem.kernel.event import Event

Name = Callable[[str], str]

_PHRASES = {
    "en": {
        "all": "all",
        "nobody": "nobody",
        "die": "{who}, d{sides}: {count} dice, mean {mean:.2f} (fair {fair:.2f}, {pips:+.1f} pips, z {z:+.1f})",
        "chi": "χ² {chi:.1f} ({df} df), p {p:.2f}",
        "runs": "runs {runs} (fair {fair:.0f}, z {z:+.1f})",
        "balance": "{who}, {what}: {got:g} in {times}, on average {mean:.1f} ({more:+.1f}{z})",
        "fair": "Fair dice stray beyond z ±2 one time in twenty; with many rows, some will.",
        "none": "No open dice yet.",
    },
    "fr": {
        "all": "tous",
        "nobody": "personne",
        "die": "{who}, d{sides} : {count} dés, moyenne {mean:.2f} (juste {fair:.2f}, {pips:+.1f} points, "
        "z {z:+.1f})",
        "chi": "χ² {chi:.1f} ({df} ddl), p {p:.2f}",
        "runs": "suites {runs} (juste {fair:.0f}, z {z:+.1f})",
        "balance": "{who}, {what} : {got:g} en {times}, en moyenne {mean:.1f} ({more:+.1f}{z})",
        "fair": "Des dés justes dépassent z ±2 une fois sur vingt ; sur beaucoup de lignes, il y en aura.",
        "none": "Pas encore de dés ouverts.",
    },
}


class Fortune(msgspec.Struct, frozen=True):
    """How one kind of die fell for one seat; `seat` is empty for all of them together."""

    spread: Spread

    @property
    def seat(self) -> str:
        """Whose dice."""
        return self.spread.seat

    @property
    def fair_mean(self) -> float:
        """The mean of a fair die."""
        return (self.spread.sides + 1) / 2

    @property
    def pips(self) -> float:
        """How many pips more than average there were in all."""
        return (self.spread.mean - self.fair_mean) * self.spread.count

    @property
    def z(self) -> float:
        """How many standard deviations the sum strays."""
        variance = (self.spread.sides**2 - 1) / 12 * self.spread.count
        return self.pips / math.sqrt(variance) if variance else 0.0


class Balance(msgspec.Struct, frozen=True):
    """What all battles of a seat gave, and what they give on average."""

    seat: str
    what: str
    times: int
    got: float
    mean: float
    variance: float

    @property
    def z(self) -> float | None:
        """How many standard deviations that strays; None where the variance is not known."""
        return (self.got - self.mean) / math.sqrt(self.variance) if self.variance > 0 else None


def fortunes(draws: Iterable[Draw], *, secrets: bool = False) -> list[Fortune]:
    """By size and seat, all seats first; secret dice only once the game is over."""
    tally = Tally()
    for draw in draws:
        if draw.kind == "roll" and draw.sides > 1 and (secrets or not draw.secret):
            tally.add(draw.seat, draw.sides, draw.values)
    return [Fortune(spread) for spread in tally.spreads()]


def balance(events: Iterable[Event]) -> list[Balance]:
    """What the battles gave, by seat and by what was counted."""
    totals: dict[tuple[str, str], list[float]] = {}
    for event in events:
        for each in event.luck:
            total = totals.setdefault((each.seat, each.what), [0, 0.0, 0.0, 0.0])
            for n, value in enumerate((1, each.got, each.mean, each.variance)):
                total[n] += value
    return [
        Balance(seat, what, int(times), got, mean, variance)
        for (seat, what), (times, got, mean, variance) in sorted(totals.items())
    ]


def course(draws: Iterable[Draw], *, secrets: bool = False) -> dict[str, list[float]]:
    """For each seat, die by die: the sum so far of how many standard deviations each die strayed."""
    paths: dict[str, list[float]] = {}
    for draw in draws:
        if draw.kind != "roll" or draw.sides < 2 or not draw.seat or (draw.secret and not secrets):
            continue
        spread = math.sqrt((draw.sides**2 - 1) / 12)
        path = paths.setdefault(draw.seat, [0.0])
        for value in draw.values:
            path.append(path[-1] + (value - (draw.sides + 1) / 2) / spread)
    return paths


def lines(
    draws: Iterable[Draw],
    events: Iterable[Event] = (),
    *,
    lang: str = "en",
    seat: Name = str,
    what: Name = str,
    secrets: bool = False,
) -> list[str]:
    """Luck in words; `seat` and `what` give names their words in the reader's language."""
    say = _PHRASES.get(lang, _PHRASES["en"])
    found = fortunes(draws, secrets=secrets)
    said = [_die(fortune, say, seat) for fortune in found if fortune.spread.count]
    for each in balance(events):
        z = "" if each.z is None else f", z {each.z:+.1f}"
        said.append(
            say["balance"].format(
                who=seat(each.seat),
                what=what(each.what),
                times=each.times,
                got=each.got,
                mean=each.mean,
                more=each.got - each.mean,
                z=z,
            )
        )
    return [*said, say["fair"]] if said else [say["none"]]


def _die(fortune: Fortune, say: dict[str, str], seat: Name) -> str:
    spread = fortune.spread
    parts = [
        say["die"].format(
            who=seat(spread.seat) if spread.seat else say["all"],
            sides=spread.sides,
            count=spread.count,
            mean=spread.mean,
            fair=fortune.fair_mean,
            pips=fortune.pips,
            z=fortune.z,
        )
    ]
    if spread.p is not None:
        parts.append(say["chi"].format(chi=spread.chi_square, df=spread.sides - 1, p=spread.p))
    if spread.runs_z is not None:
        parts.append(say["runs"].format(runs=spread.runs, fair=spread.fair_runs, z=spread.runs_z))
    return "; ".join(parts)
