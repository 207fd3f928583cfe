"""3.1: what the map prints on each zone and between zones."""

from __future__ import annotations

from pbem.games.nce.charts import MAJORS, ZONES, Zone
from pbem.kernel.drawing import Crossing, Rank, Site, Sites

_CROSSINGS: dict[str, Crossing] = {
    "river": "river",
    "bridge": "bridge",
    "pass": "pass",
    "mountain": "mountain",
}


def _rank(zone: Zone) -> Rank:
    if zone.capital_of or zone.key:
        return "capital" if zone.capital_of in MAJORS else "chief"
    return "town" if zone.city else "none"


def sites() -> Sites:
    """The zones and the borders between them."""
    return Sites(
        {
            zone.id: Site(
                _rank(zone),
                zone.country,
                zone.province,
                fortress=zone.fortress,
                port=bool(zone.port),
                key=zone.key,
                poor=zone.poor,
                terrain=zone.terrain,
            )
            for zone in ZONES.values()
        },
        tuple(
            (zone.id, other, _CROSSINGS[kind])
            for zone in ZONES.values()
            for other, kind in zone.neighbours.items()
            if kind in _CROSSINGS
        ),
    )
