"""7.2: the conditions of events, as the card table words them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.nce.charts import COUNTRIES, MAJORS, PROVINCES
from pbem.games.nce.land.supply import held
from pbem.games.nce.state import EMPIRE, SEATS, State, enemy

Condition = dict[str, Any]


def holds(state: State, side: str, condition: Condition) -> bool:
    """Whether a condition of an event in one's own action holds for the player of the card."""
    return _CHECKS[str(condition["cond"])](state, side, condition)


def _any(state: State, side: str, c: Condition) -> bool:
    return any(holds(state, side, one) for one in c["of"])


def _ally(state: State, side: str, c: Condition) -> bool:
    del side
    return bool(state.side_of(c["country"]) == c["side"])


def _minors(state: State, side: str, c: Condition) -> bool:
    del side
    if "mark" in c:
        names = [country.id for country in COUNTRIES.values() if c["mark"] in country.marks]
    else:
        names = list(c["countries"])
    return sum(_belongs(state, name, c["side"]) for name in names) >= int(c["min"])


def _belongs(state: State, name: str, side: str) -> bool:
    if name in COUNTRIES:
        return state.side_of(name) == side
    return state.home_side(PROVINCES[name].zones[0]) == side


def _enemy_steps(state: State, side: str, c: Condition) -> bool:
    there = [force for force in state.of(enemy(side)) if state.owner_of(force.zone) == c["country"]]
    return sum(force.strength for force in there) >= int(c["min"])


def _enemy_in(state: State, side: str, c: Condition) -> bool:
    del side
    return any(
        state.owner_of(force.zone) == c["country"] and force.power != c["country"]
        for force in state.of(c["side"])
    )


def _outside(state: State, side: str, c: Condition) -> bool:
    del side
    force = state.force_with(c["general"])
    return force is not None and not state.national(force.zone, force.power)


def _at_war_with(state: State, side: str, c: Condition) -> bool:
    del side
    sides = {state.side_of(c["a"]), state.side_of(c["b"])}
    return sides == set(SEATS)


def bound(state: State, power: str) -> bool:
    """9.1.3f, 9.1.4: whether only an event can bring a beaten power back: a forced alliance, or the forced peace of
    a second defeat.
    """
    twice = state.beaten[EMPIRE].get(power, 0) > 1
    return state.status[power] == "forced_alliance" or (state.status[power] == "forced_peace" and twice)


def key_zone_lost(state: State, power: str) -> bool:
    """26F: a key zone of the power is lost, or it has no undemoralised army of its own."""
    keys = [zone for zone in COUNTRIES[power].key_zones if state.owner_of(zone) == power]
    lost = any(held(state, zone, EMPIRE) for zone in keys)
    army = any(f.army and f.power == power and not f.demoralised for f in state.forces.values())
    return lost or not army


_CHECKS: dict[str, Callable[[State, str, Condition], bool]] = {
    "any": _any,
    "ally": _ally,
    "minors_allied": _minors,
    "enemy_steps_in": _enemy_steps,
    "enemy_in": _enemy_in,
    "outside": _outside,
    "power_at_war_with": _at_war_with,
    "at_war": lambda s, _, c: s.side_of(c["power"]) == c["side"],
    "bound": lambda s, _, c: bound(s, c["country"]),
    "beaten": lambda s, _, c: s.beaten[EMPIRE].get(c["power"], 0) >= int(c["times"]),
    "controls": lambda s, _, c: held(s, c["zone"], c["side"]),
    "entity": lambda s, _, c: s.status.get(c["id"]) in ("created", "protectorate"),
    "event_played": lambda s, _, c: c["card"] in s.events,
    "forced_alliance": lambda s, _, c: any(s.status[p] == "forced_alliance" for p in MAJORS),
    "liberation": lambda s, _, c: s.flag("war_of_liberation"),
    "majors_in": lambda s, _, c: len(s.majors(c["side"])) >= int(c["min"]),
    "neutral": lambda s, _, c: s.status[c["power"]] == "neutral",
    "not_neutral_enemy": lambda s, side, c: s.side_of(c["power"]) in ("neutral", side),
    "period": lambda s, _, c: s.period == c["is"],
    "last_year": lambda s, _, c: s.year >= s.end_year,
    "round": lambda s, _, c: s.round in c["in"],
    "round_max": lambda s, _, c: s.round <= int(c["n"]),
    "status": lambda s, _, c: s.status.get(c["country"]) == c["is"],
    # 48C: looked at in the battle that its lasting effect touches.
    "role": lambda s, _, c: True,
    "min_steps": lambda s, side, c: any(f.steps >= int(c["n"]) for f in s.of(enemy(side))),
}
