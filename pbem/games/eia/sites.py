"""1.2: what the map prints on each area and between areas."""

from __future__ import annotations

from pbem.games.eia.board import AREAS, Area, province
from pbem.kernel.drawing import Rank, Site, Sites


def _rank(area: Area) -> Rank:
    if area.city is None:
        return "none"
    if area.city.capital == "national":
        return "capital"
    return "chief" if area.city.capital == "province" else "town"


def sites() -> Sites:
    """The areas, and the rivers between them."""
    return Sites(
        {
            area.id: Site(
                _rank(area),
                province(area.id).owner,
                area.province,
                fortress=area.city.fortress if area.city else 0,
                port=area.port is not None,
                terrain=area.terrain,
            )
            for area in AREAS.values()
        },
        tuple(
            (area.id, other, "river")
            for area in AREAS.values()
            for other, kind in area.neighbours.items()
            if kind == "river" and area.id < other
        ),
    )
