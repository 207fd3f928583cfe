"""How things stand, at a glance: clock, powers, hand, forces with their supply, the enemy, the fleets."""

from __future__ import annotations

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
    StandsPower,
    StandsSide,
    StandsSiege,
    StandsVictory,
)
from pbem.games.nce.fog import shown, strength, veiled
from pbem.games.nce.ledger import accounts
from pbem.games.nce.letter import austrian_duty
from pbem.games.nce.orders import Activate
from pbem.games.nce.state import COALITION, SEATS, Force, State, enemy
from pbem.games.nce.supply import Network, supplied
from pbem.games.nce.tempo import cost
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
        found.append(StandsVictory(year=view.end_year, wanting=score.wanting(view), rule="17.2"))
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
    if seat in SEATS:
        found += accounts(view, seat)
        found += [StandsCard(card=card, value=CARDS[card].value, rule="1.8") for card in view.hands[seat]]
        found += _forces(view, seat)
        found += _enemies(view, enemy(seat), seat)
    found += [
        StandsFleets(side=side, squadrons=squadrons, rule="15.1")
        for side in SEATS
        if (squadrons := _squadrons(view, side, seat))
    ]
    found += [StandsSiege(zone=zone, marker=marker, rule="13.2") for zone, marker in view.siege.items()]
    return found


def _by_strength(view: State, side: str) -> list[Force]:
    return sorted(view.of(side), key=lambda force: (-force.strength, force.zone))


def _forces(view: State, side: str) -> list[Event]:
    known: dict[str, Network] = {}
    return [
        StandsForce(
            force=force.name,
            zone=force.zone,
            steps=force.steps,
            points=cost(Activate(force.name)),
            army=force.army,
            parts=_parts(force),
            subs=tuple(force.subs),
            depots=len(force.depots),
            supplied=supplied(view, force, known=known),
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


def _enemies(view: State, side: str, seat: str) -> list[Event]:
    """1.9: in the fog the commander of a stack alone is seen."""
    return [
        StandsEnemy(
            force=force.name,
            zone=force.zone,
            steps=0 if (unseen := veiled(view, force, seat)) else force.steps,
            army=force.army,
            subs=() if unseen else tuple(force.subs),
            depots=0 if unseen else len(force.depots),
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
