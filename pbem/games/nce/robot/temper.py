"""How the sensible robot weighs things, side by side: figures chosen by watching it play against itself."""

from __future__ import annotations

import msgspec

from pbem.games.nce.state import COALITION, EMPIRE


class Temper(msgspec.Struct, frozen=True):
    """What prizes, steps and risks are worth to a side."""

    first: float = 30.0
    """Beating a great power for the first time."""
    last: float = 50.0
    """9.3.1: beating the only power that is still wanting for the Confédération du Rhin."""
    again: float = 20.0
    """Beating it once more."""
    france: float = 40.0
    """The French key zones together."""
    naples: float = 18.0
    """9.3.2, 16.3.2: Naples, without which there is no Europe Napoléonienne."""
    hold: float = 8.0
    """A key zone of one's own."""
    denial: float = 4.0
    """A key zone of the enemy by itself."""
    stone: float = 0.5
    """A fortress on the way to a great prize, as a part of that prize."""
    focus: float = 0.6
    """What the powers that are not the aim keep of their worth."""
    aside: float = 0.3
    """What a main army cares for prizes that are not near its aim."""
    scale: float = 2.0
    """Prizes, and coming nearer to them, against steps."""
    patience: float = 0.94
    """What a prize keeps of its worth with each movement point that it is away."""
    steps_won: float = 1.0
    steps_lost: float = 0.8
    """Steps in battle."""
    victory: float = 2.0
    """A battle won."""
    courage: float = 0.55
    """The least chance at which it attacks."""
    toll: float = 2.0
    """A step lost on the march."""
    hunger: float = 0.4
    """Each step out of supply."""
    peril: float = 0.6
    """Each step in danger."""
    guard: float = 1.0
    """What leaving a key zone costs."""
    post: float = 1.0
    """What making a key zone safe is worth in the last year."""
    dispatch: float = 0.5
    """How little the cost of an activation counts: plans are ranked by their worth for each point and so much."""


TEMPERS = {EMPIRE: Temper(), COALITION: Temper()}
LAST_EFFORT = msgspec.structs.replace(
    TEMPERS[COALITION], france=100.0, hold=2.0, peril=0.2, courage=0.45, toll=1.0, patience=0.96
)
"""17.2: in the last two years only the French key zones count for the Coalition."""
CROWNED = msgspec.structs.replace(TEMPERS[EMPIRE], hold=30.0, first=15.0, again=10.0, naples=4.0)
"""17.2, 18: with Europe Napoléonienne played, and in 1815, what is France's has to be held to the end."""


def temper(side: str, late: bool, crowned: bool) -> Temper:
    """How a side is minded: as the end draws near by what alone counts then."""
    if late and side == COALITION:
        return LAST_EFFORT
    return CROWNED if late and crowned and side == EMPIRE else TEMPERS[side]
