"""How a player may call units by what he sees: by type, by arm, by the leader with them, by where they stand."""

from __future__ import annotations

from pbem.games.ccn import board
from pbem.games.ccn.setup import leader_names
from pbem.games.ccn.state import State
from pbem.games.ccn.words import NATIONS, SEEN_AS, SEEN_WHERE


def own(view: State, seat: str) -> frozenset[str]:
    """The hexes where a seat has units: what «the rifles» means where he speaks of his own."""
    return frozenset(unit.hex for unit in view.army(seat))


def called(view: State, seat: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """The hexes that a name may mean: types and arms of both sides, leaders; and the sections to tell them apart."""
    names: dict[str, list[str]] = {}
    for unit in sorted(view.units.values(), key=lambda one: one.hex):
        if not unit.hex:
            continue
        nation, kind = unit.type.split("_", 1)
        for name in (*SEEN_AS.get(kind, ()), *SEEN_AS.get(unit.arm, ())):
            for said in (name, *(form.format(name) for form in NATIONS.get(nation, ()))):
                names.setdefault(said, []).append(unit.hex)
    known = leader_names()
    for leader in view.leaders.values():
        if leader.hex and view.unit_at(leader.hex) is not None:
            name = known.get(leader.id, leader.id)
            for said in (name, f"{name}'s"):
                names.setdefault(said, []).append(leader.hex)
    place = view.place(seat)
    where = {
        said: tuple(hex for hex in board.HEXES if section in board.sections(hex, place))
        for section, some in SEEN_WHERE.items()
        for said in some
    }
    return {"hex": {name: tuple(dict.fromkeys(hexes)) for name, hexes in names.items()}, "where:hex": where}
