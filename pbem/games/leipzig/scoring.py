"""6: the end of the game: missions, support, contact and points."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product

from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.charts import terrain_value
from pbem.games.leipzig.events import MissionScored, Share
from pbem.games.leipzig.state import State, contacts, side_of, tiles
from pbem.kernel.event import Modifier

MOST = 2000
"""How many assignments are tried for the default."""


def power(state: State, army: str) -> int:
    """6.1, 7: the strength of a tile, with its terrain value in the advanced game."""
    tile = state.armies[army]
    return tile.strength + (terrain_value(tile.arm, tile.zone) if state.advanced else 0)


def holders(state: State) -> dict[str, str]:
    """6.1: the French tile on each mission zone that has one."""
    at = tiles(state)
    found: dict[str, str] = {}
    for mission in state.revealed:
        army = at.get(BOARD.missions[mission].zone) if mission in BOARD.missions else None
        if army and side_of(army) == "french":
            found[mission] = army
    return found


def supporters(state: State) -> dict[str, tuple[str, ...]]:
    """6.1, 8.4: for each French tile the missions that it could support.

    It stands beside the tile on the mission zone, and both touch the same enemy tile. A tile that stands on
    a mission zone itself counts for that mission only (ruling).
    """
    held, touching = holders(state), contacts(state)
    found: dict[str, tuple[str, ...]] = {}
    for army, enemies in touching.items():
        if side_of(army) != "french" or army in held.values():
            continue
        missions = tuple(
            mission
            for mission, holder in held.items()
            if BOARD.adjacent(state.armies[army].zone, state.armies[holder].zone)
            and any(enemy in touching[holder] for enemy in enemies)
        )
        if missions:
            found[army] = missions
    return found


def opponents(state: State) -> dict[str, tuple[str, ...]]:
    """6.2: for each allied tile the missions whose French tile it touches."""
    held, touching = holders(state), contacts(state)
    found: dict[str, tuple[str, ...]] = {}
    for army, enemies in touching.items():
        if side_of(army) == "allied":
            missions = tuple(mission for mission, holder in held.items() if holder in enemies)
            if missions:
                found[army] = missions
    return found


def open_choices(counts: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """6.1, 8.5: the tiles that could count for several missions."""
    return {army: missions for army, missions in counts.items() if len(missions) > 1}


def _totals(state: State, counts: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    totals = dict.fromkeys(state.revealed, 0)
    for army, missions in counts.items():
        for mission in missions:
            totals[mission] += power(state, army)
    return totals


def _points(state: State, french: Mapping[str, int], allied: Mapping[str, int]) -> dict[str, int]:
    """The mission points of each side, if the tiles on mission zones get so much help and so many foes."""
    held = holders(state)
    points = {"french": 0, "allied": 0}
    for mission in state.revealed:
        card = BOARD.missions.get(mission)
        if card is None:
            continue
        stands = mission in held and power(state, held[mission]) + french[mission] >= allied[mission]
        if stands:
            points["french"] += card.french_points
        else:
            points["allied"] += card.allied_points
    return points


def _best(state: State, choices: Mapping[str, tuple[str, ...]], side: str) -> dict[str, str]:
    """The assignment that is best for a side if the other side counts everywhere it can."""
    support, contact = supporters(state), opponents(state)
    mine = support if side == "french" else contact
    theirs = _totals(state, contact if side == "french" else support)
    best: tuple[tuple[int, int], dict[str, str]] | None = None
    for choice in islice(product(*choices.values()), MOST):
        chosen = dict(zip(choices, choice, strict=True))
        totals = _totals(state, {army: (chosen[army],) if army in chosen else mine[army] for army in mine})
        french, allied = (totals, theirs) if side == "french" else (theirs, totals)
        points = _points(state, french, allied)
        value = (2 * points[side] - sum(points.values()), points[side])
        if best is None or value > best[0]:
            best = (value, chosen)
    return best[1] if best else {}


def best_support(state: State, choices: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """6.1: what silence means for Napoléon: the most points, should every allied tile count everywhere."""
    return _best(state, choices, "french")


def best_contact(state: State, choices: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """8.5: what silence means for Schwarzenberg: most points, should all French tiles count everywhere."""
    return _best(state, choices, "allied")


def score_missions(
    state: State, support: Mapping[str, str], contact: Mapping[str, str]
) -> list[MissionScored]:
    """6.1–6.3: each mission with the power of both sides and who scores it."""
    held, helpers, against = holders(state), supporters(state), opponents(state)
    scored: list[MissionScored] = []
    for mission in state.revealed:
        card, holder = BOARD.missions[mission], held.get(mission, "")
        french: list[Share] = []
        modifiers: list[Modifier] = []

        def add(shares: list[Share], army: str, role: str, modifiers: list[Modifier], rule: str) -> None:
            shares.append(Share(army, power(state, army), role))
            modifiers.append(Modifier(f"{role}_{army}", state.armies[army].strength, rule))
            terrain = power(state, army) - state.armies[army].strength
            if terrain:
                modifiers.append(Modifier(f"terrain_{army}", terrain, "7"))

        if holder:
            add(french, holder, "stands", modifiers, "6.1")
        for army, missions in helpers.items():
            if mission in missions and support.get(army, mission) == mission:
                add(french, army, "supports", modifiers, "6.1")
        allied: list[Share] = []
        for army, missions in against.items():
            if mission in missions and contact.get(army, mission) == mission:
                add(allied, army, "against", modifiers, "6.2")
        ours, theirs = sum(s.value for s in french), sum(s.value for s in allied)
        won = bool(holder) and ours >= theirs
        scored.append(
            MissionScored(
                mission=mission,
                zone=card.zone,
                holder=holder,
                french=ours,
                allied=theirs,
                french_shares=tuple(french),
                allied_shares=tuple(allied),
                winner="french" if won else "allied",
                points=card.french_points if won else card.allied_points,
                rule="6.3",
                modifiers=tuple(modifiers),
            )
        )
    return scored
