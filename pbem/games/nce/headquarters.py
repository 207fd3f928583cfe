"""Who commands what: the pieces of a side, and how far the headquarters of the two are from each other."""

from __future__ import annotations

from pbem.games.nce import board
from pbem.games.nce.charts import COUNTRIES, FLEETS, GENERALS, UNITS
from pbem.games.nce.state import EMPIRE, State
from pbem.games.nce.words import VOCABULARY

POINTS_A_STAGE = 4
_FARTHEST = 12


def headquarters(view: State, seat: str) -> str:
    """The Emperor's zone; the Coalition's is its strongest force's. Without them, the capital."""
    if seat == EMPIRE:
        guard = view.force_with("napoleon")
        return guard.zone if guard is not None else COUNTRIES["france"].capital
    forces = [force for force in view.of(seat) if force.general]
    chief = max(forces, key=lambda force: (force.strength, force.id), default=None)
    return chief.zone if chief is not None else COUNTRIES["autriche"].capital


def distance(view: State, sender: str, to: str) -> int:
    """Stages of four movement points from one headquarters to the other; by sea it is far."""
    points = board.distance(headquarters(view, sender), headquarters(view, to))
    return min(_FARTHEST, -(-points // POINTS_A_STAGE))


def own(view: State, seat: str) -> frozenset[str]:
    """9.1: the pieces of the powers of a side: «III corps» in its letter means one of them, in the Empire's the
    French one; another is called by its country too.
    """
    return frozenset(
        piece.id
        for pieces in (UNITS.values(), GENERALS.values(), FLEETS.values())
        for piece in pieces
        if piece.power in COUNTRIES
        and view.side_of(piece.power) == seat
        and not (seat == EMPIRE and piece.id in _NAMESAKES)
    )


def called(view: State, seat: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The zones that a seat's forces stand in, by name, with what stands there: «from Lille»."""
    standing: dict[str, list[str]] = {}
    for force in view.of(seat):
        standing.setdefault(force.zone, []).extend((force.general, *force.subs, *force.units))
    names: dict[str, tuple[str, ...]] = {}
    for zone, ids in standing.items():
        word = VOCABULARY.kinds["zone"].get(zone)
        for name in (word.en, word.fr, *word.also) if word is not None else ():
            names[name] = tuple(filter(None, ids))
    return {"from:force": names}


_FRENCH = {unit.name.lower() for unit in UNITS.values() if unit.power == "france"}
_NAMESAKES = {unit.id for unit in UNITS.values() if unit.power != "france" and unit.name.lower() in _FRENCH}
