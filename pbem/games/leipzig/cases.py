"""Positions for rule cases, and what is checked afterwards.

`given` is the state's own data, every part optional, with shorter ways to say the usual things:

    tiles = { yorck = "wachau" }                    the army's tile stands there
    strengths = { yorck = 2 }
    markers = { langeron = ["breitenfeld", …] }     the army's markers stand there
    lost = ["platow"]
    hands = { french = ["hill", "hill", "time"] }   kinds; the cards are taken from the pile
    row = ["hill", …]                               kinds, likewise
    pile = ["hill", …]                              kinds that lie on top of the pile
    rest = "discard"                                all other cards lie in the discard, not in the pile
    date = "16.10"                                  or time = 17
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pbem.games.leipzig.board import BOARD, SIDES, kind_of
from pbem.games.leipzig.state import LOST, MARCHING, PLACED, State, fresh, tiles
from pbem.kernel.deck import Held


class BadCase(ValueError):
    """A case names something that is not there."""


_SHORT = ("tiles", "strengths", "markers", "lost", "hands", "row", "pile", "date", "missions", "rest")


def build(scenario: str, options: dict[str, str], given: Mapping[str, Any]) -> State:
    """The position of a case; what is not given is as at the beginning of a game, with no cards dealt."""
    state = fresh(advanced=options.get("advanced") == "yes", match=options.get("match") == "yes")
    state.phase = "turn"
    for army, strength in given.get("strengths", {}).items():
        state.armies[_army(army)].strength = strength
    for army, zone in given.get("tiles", {}).items():
        tile = state.armies[_army(army)]
        tile.status, tile.zone, tile.arm = PLACED, _zone(zone), BOARD.armies[army].arms[0]
    for army, zones in given.get("markers", {}).items():
        state.armies[_army(army)].status = MARCHING
        state.armies[army].markers = [_zone(zone) for zone in zones]
    for army in given.get("lost", ()):
        state.armies[_army(army)].status = LOST
    _cards(state, given)
    if "date" in given:
        state.time = BOARD.dates[given["date"]]
    state.revealed = list(given.get("revealed", ()))
    left = [mission for mission in BOARD.missions if mission not in state.revealed]
    state.missions = list(given.get("missions", left[: 5 - len(state.revealed)]))
    rest = {key: value for key, value in given.items() if key not in _SHORT}
    data = msgspec.to_builtins(state)
    for key, value in rest.items():
        if key not in data:
            raise BadCase(f"given.{key}: no such thing in a position")
        data[key] = {**data[key], **value} if isinstance(value, dict) else value
    state = msgspec.convert(data, State)
    if "supply" not in given:
        state.supply = BOARD.scouts - sum(state.scouts.values())
    return state


def _army(id: str) -> str:
    if id not in BOARD.armies:
        raise BadCase(f"no such army: {id}")
    return id


def _zone(id: str) -> str:
    if id not in BOARD.zones:
        raise BadCase(f"no such zone: {id}")
    return id


def _cards(state: State, given: Mapping[str, Any]) -> None:
    left = list(BOARD.cards)

    def take(kind: str) -> str:
        for card in left:
            if card == kind or kind_of(card) == kind:
                left.remove(card)
                return card
        raise BadCase(f"no {kind} card is left")

    for side in SIDES:
        state.hands[side] = [Held(take(kind)) for kind in given.get("hands", {}).get(side, ())]
    state.row = [take(kind) if kind else "" for kind in given.get("row", ())]
    top = [take(kind) for kind in given.get("pile", ())]
    if given.get("rest", "pile") == "discard":
        state.discard, left = left, []
    state.pile = top + left
    state.pile_label = "case/pile"


def verify(state: State, then: Mapping[str, Any]) -> list[str]:
    """What in a position differs from what a case expects.

    Dotted paths into the state (`armies.yorck.strength`), and: `tiles.<zone>` (army or ""), `markers.<zone>`
    (armies, sorted), `hand.<side>` (kinds, sorted), `row` and `discard` (kinds).
    """
    data = msgspec.to_builtins(state)
    wrong: list[str] = []
    for path, expected in _leaves(then):
        have = _look_up(state, data, path)
        if have != expected:
            wrong.append(f"{path} is {have!r}, not {expected!r}")
    return wrong


def _leaves(then: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in then.items():
        if not prefix and key in ("events", "open"):
            continue
        path = f"{prefix}.{key}" if prefix else key
        found += _leaves(value, path) if isinstance(value, dict) and value else [(path, value)]
    return found


def _look_up(state: State, data: Any, path: str) -> Any:
    head, _, rest = path.partition(".")
    if head == "tiles":
        return tiles(state).get(_zone(rest), "")
    if head == "markers":
        return sorted(id for id, army in state.armies.items() if _zone(rest) in army.markers)
    if head == "hand":
        return sorted(kind_of(held.card) for held in state.hands[rest])
    if path in ("row", "discard", "removed"):
        return [kind_of(card) for card in getattr(state, path)]
    if head == "armies":
        army, _, field = rest.partition(".")
        return getattr(state.armies[_army(army)], field, f"no {field}")
    here = data
    for part in path.split("."):
        if isinstance(here, list) and part.isdigit() and int(part) < len(here):
            here = here[int(part)]
        elif isinstance(here, dict) and part in here:
            here = here[part]
        else:
            return f"nothing at {path}"
    return here
