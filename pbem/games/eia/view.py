"""2.4.1, 2.4.2: what a seat may know. The only place that redacts.

Of an enemy corps its owner, the colour of the counter, whether it looks like infantry or cavalry, and its movement are
seen, and where it stands and goes; who it is and what it holds is its owner's business until a battle shows it.
Garrisons, cossacks, freikorps, guerrillas, depots and leaders stand openly on the map.
"""

from __future__ import annotations

import msgspec

from pbem.games.eia.board import MINORS, POLES
from pbem.games.eia.state import HIDDEN, UNKNOWN, Corps, Entry, State, copied


def view(state: State, seat: str | None) -> State:
    """The position as a seat may know it; `None` is somebody without a seat."""
    seen = copied(state)
    known = set(state.with_seat(seat)) if seat else set()
    mine = set(state.of_seat(seat)) if seat else set()
    masks = _masks(state, known)
    own = {id: corps for id, corps in seen.corps.items() if id not in masks}
    seen.corps = own | {mask: _masked(seen.corps[id], mask) for id, mask in masks.items()}
    for leader in seen.leaders.values():
        leader.corps = masks.get(leader.corps, leader.corps)
    seen.fought = sorted(masks.get(id, id) for id in seen.fought)
    for power in seen.powers:
        if power not in known:
            seen.available.pop(power, None)
        if power not in mine:
            seen.powers[power].money = UNKNOWN
    seen.books = [_entry(entry, entry.power in known, entry.power in mine) for entry in seen.books]
    seen.books = [entry for entry in seen.books if entry.what != "money" or entry.power in mine]
    for held in (seen.letters, seen.last, seen.armies):
        for other in list(held):
            if other != seat:
                del held[other]
    return seen


def _masks(state: State, known: set[str]) -> dict[str, str]:
    """2.4.2: what corps are called that the seat does not know: by owner, place, look and number.

    The number follows from what is seen, so that the name says no more than that.
    """
    leaders: dict[str, list[str]] = {}
    for leader in state.leaders.values():
        if leader.corps:
            leaders.setdefault(leader.corps, []).append(leader.id)

    def seen(corps: Corps) -> tuple[str, bytes]:
        plain = msgspec.json.encode(_masked(corps, ""))
        more = [*sorted(leaders.get(corps.id, ())), "fought" if corps.id in state.fought else ""]
        return _name(corps), plain + msgspec.json.encode(more)

    masks: dict[str, str] = {}
    count: dict[str, int] = {}
    for corps in sorted((one for one in state.corps.values() if one.power not in known), key=seen):
        name = _name(corps)
        count[name] = count.get(name, 0) + 1
        masks[corps.id] = f"{name}/{count[name]}"
    return masks


def _name(corps: Corps) -> str:
    return f"{HIDDEN}{corps.power}/{corps.area}/{corps.looks}"


def _minor(corps: Corps) -> bool:
    return corps.minor if corps.hidden else corps.nation in MINORS or corps.nation == POLES


def _masked(corps: Corps, mask: str) -> Corps:
    road = None
    if corps.march is not None:
        road = msgspec.structs.replace(corps.march, detached={})
    return msgspec.structs.replace(
        corps,
        id=mask,
        factors={},
        shown=corps.looks,
        minor=_minor(corps),
        speed=corps.move,
        march=road,
    )


def _entry(entry: Entry, known: bool, mine: bool) -> Entry:
    """Of an enemy's losses the number is public, and not the kinds nor whose they were."""
    if known or entry.what in ("money", "pp"):
        return entry
    return msgspec.structs.replace(entry, factors={}, what="factors")
