"""HELP: what is printed on a card or a counter, and what lies round a zone, where a player names it."""

from __future__ import annotations

from pbem.games.nce import board
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, GENERALS, SEAS, UNITS, ZONES
from pbem.games.nce.events_views import (
    Border,
    CardShown,
    CountryShown,
    FleetShown,
    GeneralShown,
    SeaShown,
    UnitShown,
    ZoneShown,
)
from pbem.kernel.event import Event


def lookup(kind: str, id: str) -> list[Event]:
    """The printed face of a thing; nothing of other things. What the table of a player would show, whoever he is."""
    found = _FACES.get(kind)
    return [found(id)] if found is not None else []


def _card(id: str) -> Event:
    """7.2.1: the face of a card."""
    card = CARDS[id]
    return CardShown(
        card=id,
        value=card.value,
        phases=card.phases,
        windows=tuple(window for window in card.windows if window != "action"),
        leaves=card.after_event == "removed",
        once=card.after_event.startswith("event once"),
        rule="7.2.1",
    )


def _general(id: str) -> Event:
    """2.2: the counter of a general."""
    record = GENERALS[id]
    return GeneralShown(
        general=id,
        country=record.power,
        initiative=record.initiative,
        attack=record.attack,
        defence=record.defence,
        command=record.command,
        rank=record.rank,
        cavalry=record.cavalry,
        rule="2.2",
    )


def _unit(id: str) -> Event:
    """2.1: the counter of a unit."""
    record = UNITS[id]
    return UnitShown(
        unit=id,
        steps=record.steps,
        morale=record.morale,
        movement=record.movement,
        stars=record.stars,
        cost=f"{record.cost_per_step:g}",
        cavalry=record.cavalry,
        home=record.home_only,
        army=record.army_only,
        rule="2.1",
    )


def _fleet(id: str) -> Event:
    """2.6: both sides of the counter of a fleet."""
    record = FLEETS[id]
    return FleetShown(
        fleet=id,
        country=record.power,
        initiative=record.initiative,
        tactical=record.tactical,
        movement=record.movement,
        rule="2.6",
    )


def _zone(id: str) -> Event:
    """3.1: a zone and its borders, with what each step costs."""
    record = ZONES[id]
    steps = tuple(
        Border(to, board.crossing(id, to), 0 if board.crossing(id, to) == "full" else board.step_cost(id, to))
        for to in board.neighbours(id)
    )
    return ZoneShown(
        zone=id,
        country=record.country,
        province=record.province,
        fortress=record.fortress,
        key=record.key,
        poor=record.poor,
        marsh=record.terrain == "marsh",
        port=record.port,
        steps=steps,
        rule="3.1",
    )


def _sea(id: str) -> Event:
    """3.1, 15.2: a sea, its neighbours and its ports."""
    record = SEAS[id]
    return SeaShown(sea=id, seas=record.neighbours, ports=record.ports, ice=record.ice, rule="15.2")


def _country(id: str) -> Event:
    """9.1: what of a country never changes."""
    record = COUNTRIES[id]
    return CountryShown(
        country=id,
        capital=record.capital,
        keys=record.key_zones,
        units=record.units if not record.major else (),
        card=record.min_card if record.diplomacy else 0,
        rule="9.1",
    )


_FACES = {
    "card": _card,
    "general": _general,
    "unit": _unit,
    "fleet": _fleet,
    "zone": _zone,
    "sea": _sea,
    "country": _country,
}
