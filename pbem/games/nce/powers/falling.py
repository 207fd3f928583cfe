"""16.4: when a major power is conquered: its key zones and its army at home."""

from __future__ import annotations

from pbem.games.nce.charts import POWERS
from pbem.games.nce.land import supply
from pbem.games.nce.state import State, enemy


def conquered(state: State, power: str, by: str) -> bool:
    """16.4.1, 16.4.2, 16.4.3, 16.4.4: all key zones; or all but one with the capital and no
    undemoralised army at home.
    """
    if state.side_of(power) != enemy(by):
        return False
    if power == "espagne" and state.flag("war_of_liberation"):
        return False
    keys = key_zones(state, power)
    known: dict[str, supply.Network] = {}
    lost = [z for z in keys if _lost_key(state, z, by, known)]
    if not keys or len(lost) == len(keys):
        return bool(keys)
    capitals = [zone for zone in POWERS[power].capitals if zone in keys]
    if len(lost) < len(keys) - 1 or not capitals or not all(zone in lost for zone in capitals):
        return False
    return not any(
        force.army and force.power == power and not force.demoralised and state.national(force.zone, power)
        for force in state.forces.values()
    )


def key_zones(state: State, power: str) -> list[str]:
    """16.4.1, 16.4.3, 16.4.4: the key zones that count; London alone, and Varsovie no longer where Poland is."""
    keys = [zone for zone in POWERS[power].key_zones if state.owner_of(zone) == power or zone == "anvers"]
    if power == "angleterre":
        keys = ["londres"]
    if state.status.get("pologne") == "protectorate":
        keys = [zone for zone in keys if not (power == "prusse" and zone == "varsovie")]
    return keys


def _lost_key(state: State, zone: str, by: str, known: dict[str, supply.Network]) -> bool:
    if state.home_side(zone) == by:
        return True
    return state.control.get(zone) == by and supply.held(state, zone, by, known)
