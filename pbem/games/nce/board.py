"""3.1, 10.1: the map: borders, costs, distances and ports. Nothing here changes in play."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache

from pbem.games.nce.charts import CROSSING, REGIONS, SEAS, ZONES
from pbem.kernel import graph
from pbem.kernel.graph import Reach, reach, within

FAR = 999


@cache
def crossing(start: str, to: str) -> str:
    """3.1.4: what lies between two zones; nothing at all where they do not touch."""
    return ZONES[start].neighbours.get(to, "")


@cache
def step_cost(start: str, to: str, full: int = 4) -> int:
    """10.1.2: the cost of the zone and of its border; the desert road takes the whole factor (10.1.6)."""
    kind = crossing(start, to)
    if kind == "full":
        return full
    zone = 2 if ZONES[to].terrain == "marsh" else 1
    return zone + (int(CROSSING[kind]["movement"]) if CROSSING[kind]["kind"] == "border" else 0)


def difficult(start: str, to: str) -> bool:
    """3.3: difficult terrain is a move that costs 2 or more."""
    return step_cost(start, to) >= 2


@cache
def neighbours(zone: str) -> tuple[str, ...]:
    """The zones that share a border, in alphabetical order."""
    return tuple(sorted(ZONES[zone].neighbours))


def distances(start: str, most: int, may: Callable[[str, str], bool] | None = None) -> Reach[str]:
    """How far each zone is, up to `most` points, and by which way; `may` bars steps."""

    def cost(here: str, there: str) -> int | None:
        return step_cost(here, there) if may is None or may(here, there) else None

    return reach([start], neighbours, cost, most=most)


@cache
def all_distances(start: str) -> dict[str, int]:
    """How far each zone is on an open map."""
    return distances(start, FAR - 1).cost


@cache
def near(start: str, most: int) -> dict[str, int]:
    """The zones within so many points on an open map."""
    return distances(start, most).cost


def distance(start: str, to: str) -> int:
    """The points from one zone to another on an open map."""
    return all_distances(start).get(to, FAR)


def path(start: str, to: str, most: int, may: Callable[[str, str], bool] | None = None) -> tuple[str, ...]:
    """The cheapest way, without its start; empty where there is none within `most` points."""
    return distances(start, most, may).way(to)


def nearest(start: str, among: Collection[str]) -> list[str]:
    """16.6.1: the nearest of some zones by movement points; several where equal, in alphabetical order."""
    return graph.nearest({zone: distance(start, zone) for zone in among}, among)


@cache
def supply_step(start: str, to: str) -> int:
    """11.3.2, 22.2: what a supply line pays for a step; never over a mountain without pass."""
    kind = crossing(start, to)
    if kind == "mountain":
        return FAR
    return 0 if kind == "full" else step_cost(start, to)


@cache
def in_region(zone: str, region: str) -> bool:
    """3.3: whether a zone lies in one of the regions that the rules name."""
    return zone in REGIONS[region]


def ports_of(sea: str) -> tuple[str, ...]:
    """The ports on a sea zone."""
    return SEAS[sea].ports


@cache
def sea_distances(start: str) -> dict[str, int]:
    """How many moves apart sea zones are."""
    return within([start], lambda sea: SEAS[sea].neighbours)
