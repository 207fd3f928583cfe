"""How things stand, at a glance: the clock, both sides, one's own hand and forces with their supply."""

from __future__ import annotations

from pbem.games.nce.charts import FLEETS
from pbem.games.nce.events import StandsClock, StandsForce, StandsHand, StandsSide, StandsSiege
from pbem.games.nce.state import SEATS, State
from pbem.games.nce.supply import Network, supplied
from pbem.kernel.event import Event


def moment(state: State) -> str:
    """Year and round, for a subject line."""
    return f"{state.year}.{state.round}"


def status(view: State, seat: str | None) -> list[Event]:
    """11.1: the position of a view; supply is traced for every force of the reader."""
    found: list[Event] = [
        StandsClock(
            year=view.year,
            round=view.round,
            phase=view.phase,
            side=view.active,
            vp=view.vp,
            escalation=view.escalation,
            period=view.period,
        )
    ]
    for side in SEATS:
        found.append(
            StandsSide(
                side=side,
                powers=tuple(view.majors(side)),
                cards=len(view.hands[side]),
                reserve=view.reserve[side],
                steps=sum(force.strength for force in view.of(side)),
                fleets=sum(
                    ":" in place and view.side_of(FLEETS[fleet].power) == side
                    for fleet, place in view.fleets.items()
                ),
            )
        )
    if seat in SEATS:
        found.append(StandsHand(cards=tuple(view.hands[seat]), rule="1.8"))
        known: dict[str, Network] = {}
        for force in sorted(view.of(seat), key=lambda f: (-f.strength, f.zone)):
            found.append(
                StandsForce(
                    force=force.name,
                    zone=force.zone,
                    steps=force.steps,
                    army=force.army,
                    subs=tuple(force.subs),
                    depots=len(force.depots),
                    supplied=supplied(view, force, known=known),
                    demoralised=force.demoralised,
                    besieged=force.inside,
                    rule="11.1",
                )
            )
    found += [StandsSiege(zone=zone, marker=marker, rule="13.2") for zone, marker in view.siege.items()]
    return found
