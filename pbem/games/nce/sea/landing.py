"""15.7, 15.8: maritime assaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.nce.cards.reaction_cards import siege_card
from pbem.games.nce.charts import FLEETS, SEAS, ZONES
from pbem.games.nce.events_field import Landed, PortAttacked
from pbem.games.nce.events_views import ForecastSiege
from pbem.games.nce.land import aftermath, battle, siege
from pbem.games.nce.land.tempo import now
from pbem.games.nce.orders import Blockade, Land
from pbem.games.nce.sea import cargo, foresight_sea, naval_battle
from pbem.games.nce.sea.naval_flight import MOST_IN_PORT
from pbem.games.nce.sea.waters import sea_of
from pbem.games.nce.state import Force, enemy
from pbem.kernel.plan import Refused

if TYPE_CHECKING:
    from pbem.games.nce.sea.naval import Voyage


async def assault(voyage: Voyage, port: str) -> None:
    """15.8.1, 15.8.2, 15.8.5: first the fleets in the port, or its guns; then the landing."""
    state, side = voyage.state, voyage.side
    if state.weather() == "winter":
        raise Refused("no_winter_assault", "14.2", zone=port)
    if voyage.assaulted:
        raise Refused("one_assault", "15.8.4")
    if not ZONES[port].port or ZONES[port].port != sea_of(voyage.place) or voyage.place.startswith("port:"):
        raise Refused("port_not_here", "15.2.1", zone=port)
    if state.controller(port) != enemy(side):
        foes = [z for z in SEAS[ZONES[port].port].ports if state.controller(z) == enemy(side)]
        raise Refused("port_not_enemy", "15.8.1", nearest=tuple(Land(z) for z in foes[:1]), zone=port)
    voyage.thaw()
    fleets = state.fleets_at(f"port:{port}", enemy(side))
    attacked = f"attacked_{port}"
    if fleets and state.flags.get(attacked) == now(state):
        raise Refused("port_attacked_once", "15.10.6", zone=port)
    if not fleets and not voyage.cargo and not voyage.fought:
        raise Refused("nothing_there", "15.8.1", nearest=(Blockade(port),), zone=port)
    force = state.forces.get(voyage.cargo[0]) if voyage.cargo else None
    if force is not None:
        if voyage.no_landing:
            raise Refused("assaults_used", "7.3", zone=port)
        if state.flag("truce") and (state.at(port, enemy(side), inside=None) or state.fortress(port)):
            raise Refused("truce", "7.3", zone=port)
        if state.fortress(port) and state.flag(f"siege_ban_{port}"):
            raise Refused("siege_banned", "7.3", zone=port)
        if force.steps > voyage.steps_max:
            raise Refused("landing_too_big", "15.8.1", most=voyage.steps_max)
        problem = cargo.landing_problem(state, force, port)
        if problem is not None:
            raise problem
    voyage.pay((0 if voyage.place == f"box:{port}" else 1) + 1 + (1 if force is not None else 0))
    voyage.assaulted = True
    voyage.landed = force is not None
    if fleets:
        state.flags[attacked] = now(state)
    if voyage.desk.dry:
        if fleets:
            foresight_sea.battle(voyage, fleets, port, "port", state.fortress(port))
        elif state.fortress(port) and force is not None:
            foresight_sea.guns(voyage, port)
        if force is not None:
            force.zone = port
            voyage.cargo = []
            await _foresee(voyage, force, port)
        return
    if fleets:
        cleared = await naval_battle.in_port(voyage, fleets, port)
        cargo.fit(voyage)
        if not cleared:
            return
    elif state.fortress(port) and force is not None and not _guns(voyage, port):
        return
    if force is not None and force.id in state.forces and voyage.fleets:
        voyage.cargo.remove(force.id)
        await _land(voyage, force, port)


async def _foresee(voyage: Voyage, force: Force, port: str) -> None:
    """15.8.3, 15.8.4: the battle ashore, then the tries on the fortress."""
    desk, state = voyage.desk, voyage.state
    enemies = state.at(port, enemy(voyage.side))
    if enemies:
        await battle.fight(desk, port, [force], enemies, came="", landing=True)
    if state.fortress(port) and force.strength >= siege.steps_needed(state, port):
        chances = siege.odds(state, force, port, _tries(voyage))
        percent = tuple(round(100 * chance) for chance in chances)
        desk.note(ForecastSiege(zone=port, force=force.name, chances=percent, rule="15.8.4"))


def _tries(voyage: Voyage) -> int:
    """15.8.4, 9C: siege attempts of a landing."""
    return 3 if voyage.steps_max > 2 else 2


def _guns(voyage: Voyage, port: str) -> bool:
    """15.8.2: the port's dice against the squadron; equal rolls are rolled again."""
    state, desk = voyage.state, voyage.desk
    bonus = sum(FLEETS[f].tactical for f in voyage.fleets)
    for _ in range(20):
        label, mine = desk.roll(
            "guns", port, "fleet", rule="15.8.2", seat=voyage.side, dice=len(voyage.fleets)
        )
        other, theirs = desk.roll(
            "guns", port, "port", rule="15.8.2", seat=enemy(voyage.side), dice=state.fortress(port)
        )
        total, guns = sum(mine) + bonus, sum(theirs)
        if total != guns:
            break
    desk.tell(
        PortAttacked(
            zone=port,
            fleet_total=total,
            port_total=guns,
            success=total > guns,
            draws=(label, other),
            rule="15.8.2",
        )
    )
    return total > guns


async def _land(voyage: Voyage, force: Force, port: str) -> None:
    """15.7.4, 15.8.3, 15.8.4, 15.8.5: battle at -3, in supply, then two siege attempts; unless the zone is taken the
    force is lost. The fleets are then in the port.
    """
    desk, state = voyage.desk, voyage.state
    force.zone = port
    force.unsupplied = False
    name = force.name
    enemies = state.at(port, enemy(voyage.side))
    if enemies:
        outcome = await battle.fight(desk, port, [force], enemies, came="", landing=True)
        if not outcome.won or force.id not in state.forces:
            desk.tell(Landed(force=name, zone=port, success=False, rule="15.8.3"))
            if force.id in state.forces:
                cargo.drown(desk, force)
            return
    if state.fortress(port):
        for _ in range(_tries(voyage)):
            if force.id not in state.forces or siege.besiegers(state, port, voyage.side) < siege.steps_needed(
                state, port
            ):
                break
            helped = await siege_card(desk, force)
            if await siege.attempt(desk, force, event=helped, landing=True) in ("honneurs", "breche"):
                break
    elif ZONES[port].city:
        siege.mark(desk, port, voyage.side)
    taken = state.controller(port) == voyage.side
    desk.tell(Landed(force=name, zone=port, success=taken, rule="15.8.4"))
    if not taken and force.id in state.forces:
        cargo.drown(desk, force)
        state.siege.pop(port, None)
        return
    if force.id in state.forces:
        aftermath.settle(voyage.desk, port, voyage.side)
    if taken and len(state.fleets_at(f"port:{port}")) + len(voyage.fleets) <= MOST_IN_PORT:
        voyage.put(f"port:{port}")
