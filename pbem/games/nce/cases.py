"""Positions for rule cases: built from a few words, and compared with what a case expects.

forces = ["empire lille napoleon grande_armee: fr_garde 1, fr_i_corps; subs davout, murat; depots 2"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pbem.games.nce.charts import ARMIES, CARDS, FLEETS, GENERALS, UNITS
from pbem.games.nce.setup import bare, settle_places, setup
from pbem.games.nce.state import EMPIRE, NEUTRAL, POOL, SEATS, Entry, Force, Peace, State


def build(scenario: str, options: dict[str, str], given: Mapping[str, Any]) -> State:
    """A position: the scenario's board, empty unless `set_up`, with what the case gives."""
    state = setup(scenario, options) if given.get("set_up") else bare(scenario, options)
    state.shuffles = 1
    state.bonus_cards = dict.fromkeys(SEATS, 0)
    for name in ("year", "round", "last_round", "phase", "active", "period", "end_year"):
        if name in given:
            setattr(state, name, given[name])
    state.first = EMPIRE
    state.spoiled = ["free"] if not given.get("duty") else []
    for table in ("status", "owner", "control", "siege", "flags", "reserve", "next_resources", "bonus_cards"):
        getattr(state, table).update(given.get(table, {}))
    state.control = {zone: side for zone, side in state.control.items() if side != state.home_side(zone)}
    for force in state.forces.values():
        side = state.side_of(force.power)
        force.side = side if side in SEATS else NEUTRAL
    for side, powers in given.get("beaten", {}).items():
        state.beaten[side].update(powers)
    state.empty += given.get("empty", [])
    state.events += given.get("events", [])
    state.reforms += given.get("reforms", [])
    for power, peace in given.get("peace", {}).items():
        state.peace[power] = msgspec.convert({"year": state.year, **peace}, Peace)
    for zone in given.get("clear", []):
        for force in state.at(zone, inside=None):
            _remove(state, force)
    for line in given.get("forces", []):
        _force(state, str(line))
    for fleet, place in state.fleets.items():
        kind, _, port = place.partition(":")
        if kind == "port" and {state.side_of(FLEETS[fleet].power), state.controller(port)} == set(SEATS):
            state.fleets[fleet] = POOL
    for fleet, place in given.get("fleets", {}).items():
        state.fleets[fleet] = place
    for general, place in given.get("generals", {}).items():
        state.generals[general] = place
    for unit, place in given.get("units", {}).items():
        state.units[unit] = place
    for zone, powers in given.get("fixed", {}).items():
        state.fixed[zone] = list(powers)
    for side, cards in given.get("hands", {}).items():
        _hand(state, side, [str(card) for card in cards])
    for side, cards in given.get("pile", {}).items():
        _pile(state, side, [str(card) for card in cards])
    for name in ("vp", "escalation"):
        if name in given:
            difference = int(given[name]) - getattr(state, name)
            state.entries.append(Entry(state.year, "given", **{name: difference}))
            setattr(state, name, int(given[name]))
    return state


def _remove(state: State, force: Force) -> None:
    for unit in force.units:
        state.units[unit] = POOL
    for general in force.generals:
        state.generals[general] = POOL
    if force.army:
        state.armies[force.army] = POOL
    for special in force.special:
        state.specials[special] = POOL
    del state.forces[force.id]


def _take(state: State, piece: str) -> None:
    """A counter that stands elsewhere comes along."""
    force = state.force_with(piece)
    if force is None:
        return
    if piece in force.units:
        del force.units[piece]
    elif piece in force.subs:
        force.subs.remove(piece)
    elif piece == force.general:
        force.general = ""
    elif piece == force.army:
        force.army = ""
    elif piece in force.special:
        force.special.remove(piece)
    if not force.units:
        _remove(state, force)


def _force(state: State, line: str) -> None:
    head, _, rest = line.partition(":")
    side, zone, *names = head.split()
    parts = [part.strip() for part in rest.split(";")]
    units: dict[str, int] = {}
    for item in parts[0].split(","):
        name, *number = item.split()
        units[name] = int(number[0]) if number else UNITS[name].steps
    force = Force(id="", side=side, zone=zone, units=units)
    for name in names:
        if name in GENERALS:
            force.general = name
        elif name == "inside":
            force.inside = True
        elif name == "demoralised":
            force.demoralised = True
        elif name == "unsupplied":
            force.unsupplied = True
        elif name in ARMIES:
            force.army = name
        else:
            raise ValueError(f"no general, no army: {name}")
    for part in parts[1:]:
        what, _, value = part.partition(" ")
        if what == "subs":
            force.subs = [name.strip() for name in value.split(",")]
        elif what == "special":
            force.special = [name.strip() for name in value.split(",")]
        elif what == "depots":
            force.depots = [force.power] * int(value)
    for piece in (*force.generals, *force.units, *force.special, force.army):
        if piece:
            _take(state, piece)
    settle_places(state, state.add(force))


def _places(state: State, side: str) -> list[list[str]]:
    return [
        state.hands[side],
        state.piles[side].cards,
        state.played[side],
        state.removed[side],
        state.set_aside[side],
        state.permanent[side],
    ]


def _hand(state: State, side: str, cards: list[str]) -> None:
    for card in list(state.hands[side]):
        state.hands[side].remove(card)
        home = state.permanent[side] if CARDS[card].permanent else state.piles[side].cards
        home.append(card)
    for card in cards:
        for place in _places(state, side):
            if card in place:
                place.remove(card)
        state.hands[side].append(card)


def _pile(state: State, side: str, cards: list[str]) -> None:
    for card in cards:
        for place in _places(state, side)[1:]:
            if card in place:
                place.remove(card)
    state.piles[side].cards = [*cards, *state.piles[side].cards]


def verify(state: State, then: Mapping[str, Any]) -> list[str]:
    """What is not as a case expects."""
    wrong: list[str] = []

    def expect(what: str, wanted: object, found: object) -> None:
        if wanted != found:
            wrong.append(f"{what}: expected {wanted}, is {found}")

    for name, text in then.get("forces", {}).items():
        expect(name, text, _describe(state, name))
    for unit, steps in then.get("steps", {}).items():
        force = state.force_with(unit)
        expect(unit, steps, force.units[unit] if force else 0)
    for table in (
        "status",
        "owner",
        "control",
        "siege",
        "fleets",
        "generals",
        "reserve",
        "units",
        "next_resources",
        "specials",
        "fixed",
    ):
        for key, value in then.get(table, {}).items():
            expect(f"{table} {key}", value, getattr(state, table).get(key, ""))
    for zone, side in then.get("controller", {}).items():
        expect(f"controller of {zone}", side, state.controller(zone))
    for side, number in then.get("hand", {}).items():
        expect(f"hand of {side}", number, len(state.hands[side]))
    for side, cards in then.get("holds", {}).items():
        for card in cards:
            name, wanted = card.removeprefix("-"), not card.startswith("-")
            if (name in state.hands[side]) is not wanted:
                wrong.append(f"{side} {'does not hold' if wanted else 'still holds'} {name}")
    for side, cards in then.get("removed", {}).items():
        wrong += [f"{card} is not removed" for card in cards if card not in state.removed[side]]
    for side, cards in then.get("played", {}).items():
        wrong += [f"{card} is not in the played pile" for card in cards if card not in state.played[side]]
    for zone in then.get("active_fortress", []):
        expect(f"fortress of {zone}", True, bool(state.fortress(zone)))
    for zone in then.get("empty_fortress", []):
        expect(f"fortress of {zone}", False, bool(state.fortress(zone)))
    for flag in then.get("flags", []):
        expect(f"flag {flag}", True, state.flag(flag))
    for name in ("vp", "escalation", "year", "round", "phase", "active", "period", "winner", "last_round"):
        if name in then:
            expect(name, then[name], getattr(state, name))
    known = {
        "forces", "steps", "status", "owner", "control", "siege", "fleets", "generals", "reserve", "units",
        "next_resources", "controller", "hand", "holds", "removed", "played", "active_fortress", "empty_fortress",
        "flags", "specials", "fixed", "vp", "escalation", "year", "round", "phase", "active", "period", "winner",
        "last_round",
    }  # fmt: skip
    return wrong + [f"{name} is nothing that a case can expect" for name in then if name not in known]


def _describe(state: State, name: str) -> str:
    """`zone steps` with what is special about the force; `gone` where it is not on the map."""
    force = state.force_with(name)
    if force is None:
        return "gone"
    words = [force.zone, str(force.strength)]
    words += ["demoralised"] if force.demoralised else []
    words += ["inside"] if force.inside else []
    words += ["unsupplied"] if force.unsupplied else []
    words += [f"depots {len(force.depots)}"] if force.depots else []
    return " ".join(words)
