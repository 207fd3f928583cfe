"""Positions for rule cases: built from a few words, and compared with what a case expects.

units = ["french fr_line C6", "allied br_line D6 3 blocks", "allied br_line E6 square"]
leaders = ["french ney C6"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.ccn import charts
from pbem.games.ccn.state import FRENCH, SEATS, Held, Leader, Objective, Played, State, Unit

USUAL_HAND = ("probe_left", "probe_center", "probe_right", "attack_left", "attack_center")


def build(scenario: str, options: dict[str, str], given: Mapping[str, Any]) -> State:
    """A position: nothing of the scenario stands but its name."""
    bottom = str(given.get("bottom", FRENCH))
    state = State(
        scenario=scenario,
        options=options,
        bottom=bottom,
        first=str(given.get("active", FRENCH)),
        goal=int(given.get("goal", 5)),
        cards=dict.fromkeys(SEATS, 5),
        terrain={hex: kind for kind, hexes in given.get("terrain", {}).items() for hex in hexes},
        works={hex: list(faces) for hex, faces in given.get("works", {}).items()},
        units={},
        leaders={},
        objectives=[
            Objective(tuple(row["hexes"]), row["side"], row.get("banners", 1), row.get("kind", "temporary"))
            for row in given.get("objectives", ())
        ],
        exits={seat: list(hexes) for seat, hexes in given.get("exits", {}).items()},
        turn=int(given.get("turn", 1)),
        active=str(given.get("active", FRENCH)),
        won={seat: [] for seat in SEATS},
        held={seat: [] for seat in SEATS},
        exited={seat: [] for seat in SEATS},
        tracks={seat: {} for seat in SEATS},
    )
    rest = list(charts.deck())
    state.hands = {seat: _hand(given, seat, rest) for seat in SEATS}
    _place(state, given, rest)
    for card in given.get("discards", ()):
        rest.remove(card)
        state.discards.append(card)
    top = [str(card) for card in given.get("pile", ())]
    for card in top:
        rest.remove(card)
    state.pile, state.pile_label = ([*top] if given.get("pile_ends") else [*top, *rest]), "deck"
    if given.get("pile_ends"):
        state.discards += rest
    for seat, text in given.get("last", {}).items():
        card, *section = text.split()
        state.last[seat] = Played(card, section[0] if section else "")
    return state


def _hand(given: Mapping[str, Any], seat: str, rest: list[str]) -> list[Held]:
    names = [str(card) for card in given.get("hands", {}).get(seat, USUAL_HAND)]
    for card in names:
        rest.remove(card)
    return [Held(card, "deck", 0) for card in names]


def _place(state: State, given: Mapping[str, Any], rest: list[str]) -> None:
    for number, line in enumerate(given.get("units", ()), 1):
        side, kind, hex, *more = str(line).split()
        blocks = int(more[0]) if more and more[0].isdigit() else charts.kinds()[kind].blocks
        unit = Unit(f"{side}-{number}", side, kind, hex, blocks)
        if "square" in more:
            unit.square = len(state.tracks[side]) + 1
            state.tracks[side][str(unit.square)] = Held(rest.pop(), "deck", 0)
        state.units[unit.id] = unit
    for line in given.get("leaders", ()):
        side, name, hex = str(line).split()
        nation = "french" if side == FRENCH else "british"
        state.leaders[name] = Leader(name, side, nation, hex)
    for seat, number in given.get("banners", {}).items():
        loser = state.enemy(seat)
        for n in range(number):
            kind = "fr_line" if loser == FRENCH else "br_line"
            fallen = Unit(f"{loser}-fallen-{n}", loser, kind, "", 0)
            state.units[fallen.id] = fallen
            state.won[seat].append(fallen.id)


def verify(state: State, then: Mapping[str, Any]) -> list[str]:
    """What is not as a case expects."""
    wrong: list[str] = []
    for hex, text in then.get("units", {}).items():
        unit = state.unit_at(hex)
        found = f"{unit.type} {unit.blocks}" + (" square" if unit.square else "") if unit else "empty"
        if found != text:
            wrong.append(f"{hex}: expected {text}, is {found}")
    for name, hex in then.get("leaders", {}).items():
        leader = state.leaders[name]
        found = leader.hex or ("killed" if leader.killed else "off")
        if found != hex:
            wrong.append(f"{name}: expected {hex}, is {found}")
    for seat, number in then.get("banners", {}).items():
        if state.banners(seat) != number:
            wrong.append(f"banners of {seat}: expected {number}, are {state.banners(seat)}")
    for seat, number in then.get("hand", {}).items():
        if len(state.hands[seat]) != number:
            wrong.append(f"hand of {seat}: expected {number}, is {len(state.hands[seat])}")
    for seat, cards in then.get("holds", {}).items():
        held = [item.card for item in state.hands[seat]]
        wrong += [f"{seat} does not hold {card}" for card in cards if card not in held]
    for seat, number in then.get("track", {}).items():
        if len(state.tracks[seat]) != number:
            wrong.append(f"square track of {seat}: expected {number}, is {len(state.tracks[seat])}")
    plain = {"winner": state.winner, "active": state.active, "turn": state.turn, "pile": len(state.pile)}
    for name, value in plain.items():
        if name in then and then[name] != value:
            wrong.append(f"{name}: expected {then[name]}, is {value}")
    wrong += [f"{card} is not discarded" for card in then.get("discards", ()) if card not in state.discards]
    known = {"units", "leaders", "banners", "hand", "holds", "track", "discards", *plain}
    return wrong + [f"{name} is nothing that a case can expect" for name in then if name not in known]
