"""The position of a rule case, in a few short words, and what of a position is not as a case expects.

corps = ["fr_3 ulm I12 C1", "au_1 ulm I8 inside"]     # all others leave the map
garrisons = ["ulm austria I3", "ulm france I2 depot"]
horse = ["ck_russia_1 brunn"]
depots = ["strasbourg france"]
leaders = { napoleon = "fr_3" }                       # all others are off the map
sieges = { ulm = "france" }
money = { france = 3.5 }
month = "1805-12"
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.eia.board import AREAS, COUNTERS
from pbem.games.eia.deployment import horse
from pbem.games.eia.events import said
from pbem.games.eia.setup import setup
from pbem.games.eia.state import (
    MAP,
    OFF,
    Control,
    Corps,
    Depot,
    Garrison,
    Horse,
    Leader,
    Power,
    Siege,
    State,
    pair,
)

_FACTOR = re.compile(r"(I|M|C|Gd|A|FI|FC)(\d+)\Z")


class BadCase(ValueError):
    """A case that says what is not there."""


def _bag(words: Sequence[str]) -> dict[str, int]:
    found = (_FACTOR.match(word) for word in words)
    return {match[1]: int(match[2]) for match in found if match}


def _area(name: str) -> str:
    if name not in AREAS:
        raise BadCase(f"there is no area {name}")
    return name


def build(scenario: str, options: dict[str, str], given: Mapping[str, Any]) -> State:
    """The position of a case: the set-up of a scenario without the forces that the case replaces."""
    state = setup(scenario, {**options, "deploy": str(given.get("deploy", "no"))})
    state.done.append("begun")
    state.month = str(given.get("month", state.month))
    state.done += [str(mark) for mark in given.get("done", ())]
    for power, more in given.get("powers", {}).items():
        state.powers[power] = Power(seat=more["seat"], side=more["side"], money=0, depots=9)
        state.available.setdefault(power, [])
    if "wars" in given:
        state.wars = [pair(*war.split("|")) for war in given["wars"]]
    if "alliances" in given:
        state.alliances = [pair(*one.split("|")) for one in given["alliances"]]
    for province, held in given.get("control", {}).items():
        power, _, how = held.partition(" ")
        state.control[province] = Control(power, how or "conquered")
        if province not in state.in_play:
            state.in_play.append(province)
    if "slots" in given:
        state.slots = [list(slot) for slot in given["slots"]]
    _forces(state, given)
    for power, points in given.get("money", {}).items():
        state.powers[power].money = 0
        state.pay(power, int(2 * points) - _booked(state, power), "case")
        state.powers[power].money = int(2 * points)
    for area, power in given.get("sieges", {}).items():
        state.sieges[_area(area)] = Siege(area, [power], state.month)
    for name, number in given.get("losses", {}).items():
        state.losses[name] = int(number)
    return state


def _booked(state: State, power: str) -> int:
    """What the treasury would hold by the books."""
    from pbem.games.eia.setup import data

    treasury = data(state).treasury.get(power, 0)
    return 2 * treasury + sum(e.number for e in state.books if e.power == power and e.what == "money")


def _forces(state: State, given: Mapping[str, Any]) -> None:
    if "corps" in given:
        for corps in list(state.corps.values()):
            del state.corps[corps.id]
            if not corps.counter.full:
                state.available[corps.power].append(corps.id)
        for leader in state.leaders.values():
            leader.where, leader.corps = OFF, ""
        for line in given["corps"]:
            words = str(line).split()
            _corps(state, words[0], _area(words[1]), words[2:])
    if "garrisons" in given:
        state.garrisons = [_garrison(str(line).split()) for line in given["garrisons"]]
    if "depots" in given:
        state.depots = [Depot(_area(line.split()[0]), line.split()[1]) for line in given["depots"]]
    if "horse" in given or "corps" in given:
        state.horse = {}
        for line in given.get("horse", ()):
            id, area, *rest = str(line).split()
            kind, power, _ = id.split("_")
            made = horse(state, power, kind.upper(), _area(area))
            del state.horse[made.id]
            state.horse[id] = Horse(id, power, kind.upper(), area, inside="inside" in rest)
    if "levies" in given:
        state.levies = {corps: _bag(str(bag).split()) for corps, bag in given["levies"].items()}
    for name, corps in given.get("leaders", {}).items():
        if corps not in state.corps:
            raise BadCase(f"{name} is with {corps}, which is not on the map")
        state.leaders[name] = Leader(name, state.corps[corps].power, MAP, corps)


def _corps(state: State, id: str, area: str, words: Sequence[str]) -> None:
    if id not in COUNTERS:
        raise BadCase(f"there is no corps {id}")
    power = next((word for word in words if word in state.powers), "")
    if not power:
        held = [name for name, off in state.available.items() if id in off]
        power = held[0] if held else COUNTERS[id].nation
    for off in state.available.values():
        if id in off:
            off.remove(id)
    state.levies.pop(id, None)
    state.corps[id] = Corps(id, power, area, _bag(words), inside="inside" in words)


def _garrison(words: Sequence[str]) -> Garrison:
    area, power, *rest = words
    nation = next((word.partition("=")[2] for word in rest if word.startswith("nation=")), power)
    return Garrison(_area(area), power, nation, _bag(rest), "depot" in rest)


def verify(state: State, expected: Mapping[str, Any]) -> Sequence[str]:
    """What is otherwise."""
    wrong: list[str] = []

    def differs(what: str, have: object, wanted: object) -> None:
        if have != wanted:
            wrong.append(f"{what}: {have}, not {wanted}")

    for id, wanted in expected.get("corps", {}).items():
        differs(id, _told(state, id), wanted)
    for area, wanted in expected.get("garrisons", {}).items():
        differs(f"garrison of {area}", _inside(state, area, depot=False), wanted)
    for area, wanted in expected.get("depot_garrisons", {}).items():
        differs(f"garrison of the depot of {area}", _inside(state, area, depot=True), wanted)
    for power, wanted in expected.get("depots", {}).items():
        differs(
            f"depots of {power}", sorted(d.area for d in state.depots if d.power == power), sorted(wanted)
        )
    for power, wanted in expected.get("money", {}).items():
        differs(f"money of {power}", state.powers[power].money / 2, float(wanted))
    for power, wanted in expected.get("losses", {}).items():
        differs(f"losses of {power}", state.losses.get(power, 0), wanted)
    for name, wanted in expected.get("leaders", {}).items():
        leader = state.leaders[name]
        differs(name, leader.corps or leader.area or leader.where, wanted)
    for id, wanted in expected.get("horse", {}).items():
        differs(id, state.horse[id].area if id in state.horse else "gone", wanted)
    for area, wanted in expected.get("sieges", {}).items():
        differs(f"siege of {area}", " ".join(state.sieges[area].by) if area in state.sieges else "", wanted)
    for power, wanted in expected.get("pp", {}).items():
        differs(f"political points of {power}", state.powers[power].pp, wanted)
    if "winner" in expected:
        differs("winner", state.winner, expected["winner"])
    if "over" in expected:
        differs("over", state.over, expected["over"])
    if "month" in expected:
        differs("month", state.month, expected["month"])
    return wrong


def _told(state: State, id: str) -> str:
    """A corps in the words of a case: «ulm I8 C1 inside», or «gone»."""
    corps = state.corps.get(id)
    if corps is None:
        return "gone"
    return _words(corps.area, said(corps.factors), inside=corps.inside)


def _inside(state: State, area: str, *, depot: bool) -> str:
    some = state.garrisons_at(area, depot=depot)
    return " ".join(_words(found.power, said(found.factors), inside=False) for found in some)


def _words(first: str, factors: str, *, inside: bool) -> str:
    bag = [part.split()[1] + part.split()[0] for part in factors.split(", ") if part]
    return " ".join([first, *bag, *(["inside"] if inside else [])])
