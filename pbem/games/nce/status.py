"""How things stand, at a glance: clock, powers, hand, forces with their supply, the enemy, the fleets."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import score
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, MAJORS
from pbem.games.nce.events_views import (
    Part,
    Squadron,
    StandsCard,
    StandsClock,
    StandsDuty,
    StandsEnemy,
    StandsFleets,
    StandsForce,
    StandsKeys,
    StandsPower,
    StandsSide,
    StandsSiege,
    StandsTitle,
    StandsVictory,
)
from pbem.games.nce.fog import shown, strength, veiled
from pbem.games.nce.land.lines import line
from pbem.games.nce.land.supply import Network, supplied
from pbem.games.nce.land.tempo import cost
from pbem.games.nce.orders import Activate
from pbem.games.nce.plan import austrian_duty
from pbem.games.nce.powers.falling import conquered, key_zones
from pbem.games.nce.powers.ledger import accounts
from pbem.games.nce.state import COALITION, EMPIRE, SEATS, Force, State, enemy
from pbem.kernel.event import Event

STAGES = {"war": "A1", "hands": "A2", "budget": "A3", "diplomacy": "A4", "redeployment": "A6"}
"""6: the parts of the interphase as the rules number them."""


def moment(state: State) -> str:
    """Year and round, or part of the interphase, and whose it is, for a subject line: 1805.3E, 1806.A3."""
    whose = state.active[:1].upper() if state.phase in ("rounds", "war", "diplomacy") else ""
    return f"{state.year}.{STAGES.get(state.phase, state.round)}{whose}"


def status(view: State, seat: str | None) -> list[Event]:
    """11.1: the position of a view; supply is traced for every force of the reader."""
    found: list[Event] = [
        StandsClock(
            year=view.year,
            round=view.round,
            phase=view.phase,
            side=view.active,
            vp=view.vp if score.counted(view) else None,
            escalation=view.escalation,
            period=view.period,
        )
    ]
    if score.counted(view) and not view.over:
        par = score.par(view) if view.on("on_points") else None
        found.append(StandsVictory(year=view.end_year, wanting=score.wanting(view), par=par, rule="17.2"))
    for side in SEATS:
        found.append(
            StandsSide(
                side=side,
                powers=tuple(view.majors(side)),
                cards=len(view.hands[side]),
                reserve=view.reserve[side],
                steps=strength(view, view.of(side), seat),
                fleets=sum(
                    ":" in place and view.side_of(FLEETS[fleet].power) == side
                    for fleet, place in view.fleets.items()
                ),
                minors=tuple(
                    country.id
                    for country in COUNTRIES.values()
                    if not country.major and view.side_of(country.id) == side
                ),
            )
        )
    found += [
        StandsPower(power=power, status=view.status[power], rule="9.1")
        for power in MAJORS
        if view.status.get(power) in ("neutral", "forced_peace", "forced_alliance")
    ]
    if austrian_duty(view, COALITION):
        found.append(StandsDuty(rule="18"))
    found += _keys(view)
    if seat in SEATS:
        cards = [StandsCard(card=card, value=CARDS[card].value, rule="1.8") for card in view.hands[seat]]
        known: dict[str, Network] = {}
        found += _titled("budgets", accounts(view, seat))
        found += _titled("hand", cards)
        found += _titled("forces", _forces(view, seat, known))
        found += _titled("enemies", _enemies(view, enemy(seat), seat, known))
    fleets: list[Event] = [
        StandsFleets(side=side, squadrons=squadrons, rule="15.1")
        for side in SEATS
        if (squadrons := _squadrons(view, side, seat))
    ]
    fleets += [StandsSiege(zone=zone, marker=marker, rule="13.2") for zone, marker in view.siege.items()]
    return [*found, *_titled("fleets", fleets)]


def _titled(what: str, events: Sequence[Event]) -> list[Event]:
    return [StandsTitle(what=what), *events] if events else []


def _keys(view: State) -> list[Event]:
    """16.4: powers at war of whose key zones the enemy holds some."""
    found: list[Event] = []
    for power in (*view.majors(EMPIRE), *view.majors(COALITION)):
        by = enemy(view.side_of(power))
        keys = key_zones(view, power)
        held = tuple(zone for zone in keys if view.control.get(zone) == by)
        falls = conquered(view, power, by)
        if held or falls:
            free = tuple(zone for zone in keys if zone not in held)
            found.append(StandsKeys(power=power, by=by, held=held, free=free, falls=falls, rule="16.4"))
    return found


def _by_strength(view: State, side: str) -> list[Force]:
    return sorted(view.of(side), key=lambda force: (-force.strength, force.zone))


def _forces(view: State, side: str, known: dict[str, Network]) -> list[Event]:
    """11.1: supply is traced for every force, to what feeds it."""
    return [
        StandsForce(
            force=force.name,
            zone=force.zone,
            steps=force.strength,
            points=cost(Activate(force.name)),
            army=force.army,
            parts=_parts(force),
            subs=tuple(force.subs),
            depots=len(force.depots),
            supplied=bool(fed := line(view, force, known)),
            source=fed[0] if fed and fed[0] != force.zone else "",
            demoralised=force.demoralised,
            besieged=force.inside,
            rule="11.1",
        )
        for force in _by_strength(view, side)
    ]


def _parts(force: Force) -> tuple[Part, ...]:
    if force.name in force.units:
        return ()
    return (*(Part(unit, steps) for unit, steps in force.units.items()), *map(Part, force.special))


def _enemies(view: State, side: str, seat: str, known: dict[str, Network]) -> list[Event]:
    """1.9: in the fog the commander of a stack alone is seen."""
    return [
        StandsEnemy(
            force=force.name,
            zone=force.zone,
            steps=0 if (unseen := veiled(view, force, seat)) else force.strength,
            army=force.army,
            subs=() if unseen else tuple(force.subs),
            depots=0 if unseen else len(force.depots),
            supplied=supplied(view, force, known=known),
            demoralised=force.demoralised,
            besieged=force.inside,
            rule="1.8",
        )
        for force in _by_strength(view, side)
    ]


def _squadrons(view: State, side: str, seat: str | None) -> tuple[Squadron, ...]:
    together: dict[str, list[str]] = {}
    for fleet, place in view.fleets.items():
        if ":" in place and view.side_of(FLEETS[fleet].power) == side:
            together.setdefault(place, []).append(fleet)
    found = []
    for place, fleets in sorted(together.items()):
        how, _, where = place.partition(":")
        found.append(Squadron(how, where, shown(view, fleets, seat)))
    return tuple(found)
