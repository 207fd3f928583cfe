"""How good a position looks: what the sensible robot knows of the art of war.

The value is in points, seen from the French side: what is on the track, what the missions promise, and how
far armies are from being placed. Missions that the side does not know are weighed by their chance.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from pbem.games.leipzig.board import BATTLES, BOARD, UNKNOWN, kind_of
from pbem.games.leipzig.charts import past
from pbem.games.leipzig.scoring import power
from pbem.games.leipzig.state import MARCHING, PLACED, WAITING, State, side_of, tiles
from pbem.kernel.graph import within

_NEAR = (0.80, 0.42, 0.16, 0.06)
"""The chance that an army ends on a zone, by its nearest marker's distance."""
_WAITING_NEAR = (0.55, 0.30, 0.12)
_PROGRESS = {1: 1.3, 2: 0.75, 3: 0.35, 4: 0.2}
"""What an army with so many markers is worth on its way to a tile's point and scout card."""


DISTANCE = {start: within([start], lambda zone: BOARD.zones[zone].neighbours) for start in BOARD.zones}


def mission_weights(view: State) -> dict[str, float]:
    """How likely each mission is one of Napoléon's: certain where known, by district where not."""
    known = [mission for mission in (*view.revealed, *view.missions) if mission in BOARD.missions]
    known.sort(key=lambda mission: -BOARD.missions[mission].french_points)
    weights = dict.fromkeys(known, 1.0)
    if UNKNOWN in view.missions:
        districts = {BOARD.missions[mission].district for mission in known}
        for mission in BOARD.missions.values():
            if mission.district not in districts:
                weights[mission.id] = 0.2
    return weights


@lru_cache(maxsize=20_000)
def _marching_reach(markers: tuple[str, ...]) -> dict[str, float]:
    """The zones where an army may end, by its nearest marker."""
    reach: dict[str, float] = {}
    for marker in markers:
        for zone, distance in DISTANCE[marker].items():
            if distance >= len(_NEAR):
                break
            reach[zone] = max(reach.get(zone, 0.0), _NEAR[distance])
    return reach


@lru_cache(maxsize=200)
def _waiting_reach(army: str, early: bool) -> dict[str, float]:
    """The zones where an army may end whose card is not yet played."""
    card = BOARD.armies[army]
    doubt = (0.5 if len(card.start) > card.markers else 1.0) * (0.5 if early else 1.0)
    reach: dict[str, float] = {}
    for village in card.start:
        for zone, distance in DISTANCE[village].items():
            if distance >= len(_WAITING_NEAR):
                break
            reach[zone] = max(reach.get(zone, 0.0), _WAITING_NEAR[distance] * doubt)
    return reach


class _Outlook:
    """Where armies may come to stand: the French on each zone, the allied threat to it, who contests it."""

    def __init__(self, view: State) -> None:
        self.french: dict[str, list[tuple[float, str]]] = {}
        self.threat: dict[str, float] = {}
        self.contest: dict[str, float] = {}
        for army in BOARD.of("french"):
            piece = view.armies[army]
            if piece.status == MARCHING:
                reach = _marching_reach(tuple(piece.markers))
            elif piece.status == WAITING:
                reach = _waiting_reach(army, not past(view.time, BOARD.armies[army].not_before))
            else:
                continue
            for zone, chance in reach.items():
                self.french.setdefault(zone, []).append((chance, army))
        for army in BOARD.of("allied"):
            piece = view.armies[army]
            if piece.status != MARCHING:
                continue
            share = piece.strength * 0.5 / len(piece.markers)
            bar = 0.75 if len(piece.markers) > 2 else 0.55
            for marker in piece.markers:
                self.contest[marker] = self.contest.get(marker, 1.0) * bar
                for zone in BOARD.zones[marker].neighbours:
                    self.threat[zone] = self.threat.get(zone, 0.0) + share


class Judge:
    """One side's judgement; the missions' weights are the same for all positions of a turn."""

    def __init__(self, view: State, side: str) -> None:
        self.side = side
        self.weights = mission_weights(view)
        self.left = max(0.0, min(1.0, (BOARD.last() + 1 - view.time) / 20))
        """How much may still change before the end."""

    def value(self, view: State) -> float:
        """The position in points, for the side that judges."""
        at = tiles(view)
        battles = sum(date not in view.fought for date in BATTLES)
        total = float(view.points["french"] - view.points["allied"])
        total += self._missions(view, at, battles)
        for id, army in view.armies.items():
            sign = 1 if side_of(id) == "french" else -1
            if army.status == MARCHING:
                total += sign * _PROGRESS[len(army.markers)] * (0.4 + 0.6 * self.left)
            elif army.status == PLACED:
                total += sign * (0.35 + 0.1 * army.strength)
            elif army.status == WAITING:
                total -= sign * 0.25
        total = total if self.side == "french" else -total
        return total + self._cards(view)

    def _missions(self, view: State, at: dict[str, str], battles: int) -> float:
        total = 0.0
        taken: set[str] = set()
        outlook = _Outlook(view)
        for mission, weight in self.weights.items():
            card = BOARD.missions[mission]
            chance = self._chance(view, at, battles, card.zone, outlook, taken if weight == 1.0 else None)
            total += weight * (chance * (card.french_points + card.allied_points) - card.allied_points)
        return total

    def _chance(
        self,
        view: State,
        at: dict[str, str],
        battles: int,
        zone: str,
        outlook: _Outlook,
        taken: set[str] | None,
    ) -> float:
        """The chance that the French win a mission on a zone."""
        holder = at.get(zone)
        if holder is not None and side_of(holder) == "allied":
            return 0.12 if view.armies[holder].strength <= battles else 0.02
        allied = french = foes = 0
        for other in BOARD.zones[zone].neighbours:
            army = at.get(other)
            if army is None:
                continue
            if side_of(army) == "allied":
                allied += power(view, army)
                foes += 1
            else:
                french += power(view, army)
        against = allied + outlook.threat.get(zone, 0.0) * self.left
        if holder is not None:
            wear = min(foes, 2) * 0.6 * battles
            strength = power(view, holder) - wear - (2 if view.armies[holder].strength <= wear else 0)
            return _odds(strength + french * (0.5 if foes else 0.2) - against)
        best, who = 0.0, ""
        for chance, army in outlook.french.get(zone, ()):
            if taken is not None and army in taken:
                continue
            chance *= _odds(BOARD.armies[army].strength - against)
            if chance > best:
                best, who = chance, army
        if taken is not None and who:
            taken.add(who)
        return best * outlook.contest.get(zone, 1.0) * (0.35 + 0.65 * self.left)

    def _cards(self, view: State) -> float:
        """What the hand is good for: removing what is not wanted, moving what is."""
        useful: dict[str, int] = {}
        movers = 0
        for army in BOARD.of(self.side):
            piece = view.armies[army]
            if piece.status == MARCHING:
                movers += 1
                for zone in piece.markers:
                    terrain = BOARD.zones[zone].terrain
                    useful[terrain] = useful.get(terrain, 0) + 1
        total = 0.5 * view.scouts[self.side]
        for held in view.hands[self.side]:
            total += self._card(kind_of(held.card), useful, movers)
        excess = len(view.hands[self.side]) + view.scouts[self.side] - 8
        return total - 0.6 * max(0, excess)

    def _card(self, kind: str, useful: dict[str, int], movers: int) -> float:
        if kind in BOARD.terrain_cards:
            if useful.get(kind, 0) > 0:
                useful[kind] -= 1
                return 0.42
            return 0.16
        if kind in BOARD.movement_cards:
            return 0.26 if movers else 0.14
        return 0.1 if kind == "time" else 0.27


def _odds(margin: float) -> float:
    return 1 / (1 + exp(-(margin + 0.6) / 1.3))
