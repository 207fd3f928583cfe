"""16: end of activations, conquests, peace."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.nce import command, score
from pbem.games.nce.cards import conditions, effects_politics, loyalty
from pbem.games.nce.cards.reaction_cards import might_hold, siege_card
from pbem.games.nce.charts import COUNTRIES, MAJORS, REGIONS, ZONES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardRemoved, CardSpent
from pbem.games.nce.events_field import ControlTaken, FortressActive, SupplyFound, SupplyLost
from pbem.games.nce.events_powers import MajorConquered, MinorConquered
from pbem.games.nce.land import attrition, march_attrition, siege, supply
from pbem.games.nce.powers import diplomacy, peace
from pbem.games.nce.powers.falling import conquered
from pbem.games.nce.powers.regroup import regroup
from pbem.games.nce.questions import Fate, Refusal, Terms, Treaty
from pbem.games.nce.reactions import Test
from pbem.games.nce.replies import ClaimMinor, ForceAlliance, Refuse, Tilsit
from pbem.games.nce.sea.exodus import leave_captured_ports
from pbem.games.nce.state import COALITION, EMPIRE, OUT, POOL, SEATS, Force, State, enemy
from pbem.kernel.order import Answer


async def end_of_activations(desk: Desk) -> None:
    """16.1.1, 16.1.2, 16.1.3, 16.1.5, 8.2.3, 14.3: supply, free sieges, attrition, fortresses,
    reserves. The demoralised keep their marker until the conquests are looked at.
    """
    state = desk.state
    for id, short in supply.check_all(state):
        force = state.forces[id]
        kind = SupplyLost if short else SupplyFound
        desk.tell(kind(force=force.name, zone=force.zone, rule="16.1.1"))
    siege.raise_sieges(desk)
    for zone in list(state.siege):
        fed = [force for force in state.at(zone, enemy(state.controller(zone))) if not force.unsupplied]
        banned = state.flag("truce") or (zone == "lisbonne" and state.flag("siege_ban_lisbonne"))
        if not fed or banned:
            continue
        force = command.lead(fed)
        if siege.besiegers(state, zone, force.side) >= siege.steps_needed(state, zone):
            await siege.attempt(desk, force, event=await siege_card(desk, force))
    siege.raise_sieges(desk)
    for force in list(state.forces.values()):
        if force.id in state.forces and force.side in SEATS and _suffers(state, force):
            await _final_test(desk, force)
    siege.raise_sieges(desk)
    _reactivate_supplied(desk)
    await leave_captured_ports(desk)
    for side in SEATS:
        state.reserve[side] = 0


def _suffers(state: State, force: Force) -> bool:
    """11.6.1e: unsupplied, besieged or demoralised."""
    return force.unsupplied or force.demoralised or (force.inside and force.zone in state.siege)


async def _final_test(desk: Desk, force: Force) -> None:
    answer = await desk.ask(
        Test(key=desk.label("final", force.id, force.zone), seat=force.side, rule="11.4", force=force.id)
    )
    spend, losses = march_attrition.chosen(answer)
    mods = attrition.standing_modifiers(desk.state, force, winter=False, final=True)
    await attrition.suffer(desk, force, mods, spend=spend, losses=losses)


def _reactivate_supplied(desk: Desk) -> None:
    """13.4.3: supplied conquered fortresses become full ones."""
    state = desk.state
    for zone in list(state.empty):
        side = state.controller(zone)
        scorched = side == EMPIRE and state.flag("scorched_earth") and state.owner_of(zone) == "russie"
        if side in SEATS and not scorched and supply.zone_supplied(state, zone, side):
            state.empty.remove(zone)
            desk.tell(FortressActive(zone=zone, side=side, rule="13.4.3"))


async def conquest_phase(desk: Desk) -> None:
    """16.2: markers, minors, majors, cards, peace, tests."""
    state = desk.state
    _markers(desk)
    await leave_captured_ports(desk)
    fresh: list[str] = []
    for side in (COALITION, EMPIRE):
        for minor in [c.id for c in COUNTRIES.values() if c.kind == "minor"]:
            if minor not in fresh and minor_conquered(state, minor, side):
                await _take_minor(desk, minor, side)
                fresh.append(minor)
    if supply.held(state, "paris", COALITION) and not state.flags.get("paris_fell"):
        state.flags["paris_fell"] = 99999
        score.table_score(desk, "paris_conquered")
    if state.scenario == "1815":
        await _waver(desk)
        return
    _walewska(desk)
    await _majors(desk, fresh)
    diplomacy.dissolve_unions(state)
    await _waver(desk)
    await _liberation_won(desk)
    siege.raise_sieges(desk)
    _reactivate_supplied(desk)
    _take_heart(state)
    peace.tests(desk)


async def _waver(desk: Desk) -> None:
    """35C, 50F, 53F: once peace is made, France stands up or gives up; fleets leave what is lost (15.2.4)."""
    loyalty.waver(desk)
    await leave_captured_ports(desk)


def _take_heart(state: State) -> None:
    """12.11.4, 16.1.4: the demoralised recover, unless they are out of supply; beaten powers do so at home."""
    for force in state.forces.values():
        if not force.unsupplied or force.side not in SEATS:
            force.demoralised = False


def _markers(desk: Desk) -> None:
    """3.2.3b, 3.2.4: supplied forces mark what they stand on; owners take back their own."""
    state = desk.state
    known: dict[str, supply.Network] = {}
    for force in list(state.forces.values()):
        zone, side = force.zone, force.side
        if side not in SEATS or force.inside or not ZONES[zone].city or state.at(zone, enemy(side)):
            continue
        if (
            state.control.get(zone) == enemy(side)
            and state.home_side(zone) == side
            and not state.fortress(zone)
        ):
            del state.control[zone]
            desk.tell(ControlTaken(zone=zone, side=side, rule="3.2.4"))
        elif state.controller(zone) != enemy(side) or state.fortress(zone):
            continue
        elif supply.supplied(state, force, known=known):
            siege.mark(desk, zone, side)


def minor_conquered(state: State, minor: str, side: str) -> bool:
    """16.3.1, 16.3.2, 16.3.3: capital and fortresses enemy-held in supply; of Naples the capital alone."""
    record = COUNTRIES[minor]
    if record.kind != "minor" or state.side_of(minor) != enemy(side):
        return False
    if state.status[minor].startswith(("annexed_", "part_of_")):
        return False
    zones = {record.capital}
    if minor != "naples":
        zones |= {z for z in ZONES if ZONES[z].fortress and state.owner_of(z) == minor}
    return all(state.control.get(zone) == side and supply.held(state, zone, side) for zone in zones)


async def _take_minor(desk: Desk, minor: str, side: str) -> None:
    """16.3.4, 16.3.5, 16.3.6, 16.3.7: an ally, or annexed where it has no units; its troops are gone."""
    state, record = desk.state, COUNTRIES[minor]
    fate = "ally"
    if not record.has_units and not (minor == "sicile" and side == EMPIRE):
        (order,) = await desk.ask(
            Fate(key=desk.label("fate", minor), seat=side, rule="16.3.4", country=minor)
        )
        fate = order.fate if isinstance(order, ClaimMinor) else "ally"
    if state.status[minor] == "protectorate" and side == COALITION:
        score.table_score(desk, "protectorate_conquered", minor)
    for unit in record.units:
        remove_unit(state, unit)
    own = [zone for zone in ZONES if state.owner_of(zone) == minor]
    conqueror = conqueror_of(state, minor, side)
    state.status[minor] = f"ally_{conqueror}" if fate == "ally" else f"annexed_{conqueror}"
    desk.tell(MinorConquered(country=minor, side=side, fate=fate, rule="16.3.4"))
    for fleet in record.fleets:
        await _lose_fleet(desk, fleet)
    if minor == "naples" and state.status["sicile"] == "part_of_naples":
        state.status["sicile"] = "ally_angleterre" if side == EMPIRE else "part_of_naples"
        state.owner["sicile"] = "sicile" if side == EMPIRE else state.owner.get("sicile", "naples")
    if minor == "sicile" and side == EMPIRE:
        state.status["sicile"] = "part_of_naples"
        state.owner["sicile"] = "naples"
    for zone in own:
        if zone in state.empty and state.controller(zone) == side:
            state.empty.remove(zone)
    diplomacy.realign(desk, in_port=True)
    await leave_captured_ports(desk)


def conqueror_of(state: State, minor: str, side: str) -> str:
    """16.3.1: the power that took the capital."""
    taker = state.takers.get(COUNTRIES[minor].capital, "")
    if taker in MAJORS and state.side_of(taker) == side:
        return taker
    return "france" if side == EMPIRE else "angleterre"


async def _lose_fleet(desk: Desk, fleet: str) -> None:
    """16.3.5, 7.4.4: gone for good, also from a foreign war, to which its protector must send one of his own."""
    state = desk.state
    state.fleets[fleet] = OUT
    for war in state.wars:
        if fleet in war.fleets:
            war.fleets.remove(fleet)
            await effects_politics.draft(desk, war, 0, 1)


def remove_unit(state: State, unit: str) -> None:
    """16.3.5: a unit leaves the map, or the way home with honours, for the pool."""
    if state.returning.pop(unit, 0):
        state.units[unit] = POOL
    force = state.force_with(unit)
    if force is None or unit not in force.units:
        return
    del force.units[unit]
    state.units[unit] = POOL
    command.shrink(state, force)


async def _majors(desk: Desk, fresh: Sequence[str]) -> None:
    """16.2: majors by the Coalition, then by the Empire; 27C; 26F; peace terms."""
    state = desk.state
    for power in MAJORS:
        if power != "france" and conquered(state, power, COALITION):
            await _beat(desk, power, COALITION, fresh)
    falling = [power for power in MAJORS if conquered(state, power, EMPIRE)]
    for power in falling:
        if await _refused(desk, power):
            desk.tell(MajorConquered(power=power, side=EMPIRE, refused=True, rule="16.4.2"))
            continue
        await _beat(desk, power, EMPIRE, fresh)
    await _tilsit(desk)


async def _refused(desk: Desk, power: str) -> bool:
    """16.4.2: Tambours de guerre; asked alike with and without the card."""
    state = desk.state
    if not might_hold(state, COALITION, ("27C",)):
        return False
    (order,) = await desk.ask(
        Refusal(key=desk.label("drums", power), seat=COALITION, rule="16.4.2", power=power)
    )
    if not isinstance(order, Refuse) or "27C" not in state.hands[COALITION]:
        return False
    state.spend_card(COALITION, "27C", removed=True)
    state.events.append("27C")
    desk.tell(CardSpent(side=COALITION, card="27C", use="refusal", rule="16.4.2"))
    desk.tell(CardRemoved(side=COALITION, card="27C", rule="7.2.2"))
    state.flags[f"drums_{power}"] = 99999
    score.score(desk, "card_27C", 0, 1)
    return True


async def _tilsit(desk: Desk) -> None:
    """16.4.2: a peace without conquest."""
    state = desk.state
    able = tilsit_targets(state)
    if not able or not might_hold(state, EMPIRE, ("26F",)):
        return
    (order,) = await desk.ask(
        Treaty(key=desk.label("tilsit"), seat=EMPIRE, rule="16.4.2", powers=tuple(able))
    )
    if not isinstance(order, Tilsit) or "26F" not in state.hands[EMPIRE]:
        return
    state.spend_card(EMPIRE, "26F", removed=True)
    state.events.append("26F")
    desk.tell(CardSpent(side=EMPIRE, card="26F", use="tilsit", rule="16.4.2"))
    desk.tell(CardRemoved(side=EMPIRE, card="26F", rule="7.2.2"))
    answer = await desk.ask(
        Terms(
            key=desk.label("terms", order.power),
            seat=EMPIRE,
            rule="16.5",
            power=order.power,
            most=1,
            tilsit=True,
        )
    )
    peace.sign(desk, order.power, EMPIRE, answer, tilsit=True)
    await regroup(desk, order.power)


def tilsit_targets(state: State) -> list[str]:
    """26F: Coalition majors, not Angleterre, with a key zone lost or without army."""
    return [
        power
        for power in state.majors(COALITION)
        if power != "angleterre"
        and conditions.key_zone_lost(state, power)
        and not (power == "espagne" and state.flag("war_of_liberation"))
    ]


async def _beat(desk: Desk, power: str, by: str, fresh: Sequence[str]) -> None:
    """16.5: a power is beaten: points, terms, peace. The score of 17.3 knows no points for Espagne."""
    state = desk.state
    desk.tell(MajorConquered(power=power, side=by, rule="16.4"))
    if by == EMPIRE and power != "espagne":
        row = {"russie": "conquest_russie", "angleterre": "conquest_angleterre"}.get(
            power, "conquest_autriche_prusse_turquie"
        )
        first = state.beaten[EMPIRE].get(power, 0) <= state.flags.get(f"tilsit_{power}", 0)
        score.table_score(desk, row, power, vp=first or power in ("russie", "angleterre"))
    answer = await _terms(desk, power, by, fresh)
    for order in answer:
        if isinstance(order, ForceAlliance) and order.card in state.hands[by]:
            state.spend_card(by, order.card)
            desk.tell(CardSpent(side=by, card=order.card, use="alliance", rule="9.1.4"))
    peace.sign(desk, power, by, answer)
    await regroup(desk, power)
    if state.beaten[EMPIRE].get(power, 0) >= 2 and power in ("autriche", "prusse"):
        effects_politics.reform(desk, power)


async def _terms(desk: Desk, power: str, by: str, fresh: Sequence[str] = ()) -> Answer:
    """16.5.7: the terms in one order; a minor that the loser has just conquered may be among them (16.5.3)."""
    state = desk.state
    lost = tuple(m for m in fresh if state.status[m] in (f"ally_{power}", f"annexed_{power}"))
    return await desk.ask(
        Terms(
            key=desk.label("terms", power),
            seat=by,
            rule="16.5",
            power=power,
            most=peace.most_provinces(state, power),
            fresh=lost,
        )
    )


def _walewska(desk: Desk) -> None:
    """9.3.5a: Poland, if Varsovie is still held in the conquest phase, before a peace takes the markers away."""
    state = desk.state
    if not state.flags.pop("walewska", 0) or state.status["pologne"] == "protectorate":
        return
    if state.controller("varsovie") == EMPIRE:
        state.owner["mazovie"] = "pologne"
        diplomacy.create(desk, "pologne")
        state.flags["polish_gift"] = 99999
        diplomacy.realign(desk)


async def _liberation_won(desk: Desk) -> None:
    """17.6: Madrid and all Iberian ports but Gibraltar French-held: peace terms and a free forced alliance."""
    state = desk.state
    if not state.flag("war_of_liberation"):
        return
    known: dict[str, supply.Network] = {}
    zones = ("madrid", *REGIONS["ports_iberiques"])
    if all(supply.held(state, zone, EMPIRE, known) for zone in zones):
        state.flags.pop("war_of_liberation")
        desk.tell(MajorConquered(power="espagne", side=EMPIRE, rule="17.6"))
        score.table_score(desk, "liberation_won")
        answer = await _terms(desk, "espagne", EMPIRE)
        peace.sign(desk, "espagne", EMPIRE, answer, alliance=True)
        await regroup(desk, "espagne")
