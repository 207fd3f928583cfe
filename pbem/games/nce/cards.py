"""7.3: events, by the vocabulary of the card table: each operation is a function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from pbem.games.nce import attrition, board, command, conditions, diplomacy, hands, score, siege
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, GENERALS, UNITS, ZONES, Card
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.events import (
    CardRemoved,
    CardsDiscarded,
    DepotTaken,
    EffectBegins,
    EventPlayed,
    ForeignWar,
    PieceBuilt,
    StepsLost,
)
from pbem.games.nce.march import Grant, now
from pbem.games.nce.naval_flight import go_to_port
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.places import reinforcement_zones, restorable, supplied_armies
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import (
    ASIDE,
    BOX,
    COALITION,
    EMPIRE,
    MAP,
    OUT,
    POOL,
    Force,
    State,
    War,
    enemy,
)
from pbem.kernel.event import Modifier

Effect = dict[str, Any]


class Result(msgspec.Struct):
    """What an event gives its player to go on with in this action."""

    points: int = 0
    grants: list[Grant] = []
    campaign: bool = False
    naval: str = ""
    """Whose fleets sail without points: a power, or empty."""
    amphibious: int = 0
    bridged: bool = False


def event_problem(state: State, side: str, order: PlayEvent, phase: str) -> tuple[str, str]:
    """7.3.3: why an event may not be played now; nothing where it may."""
    card = CARDS.get(order.card)
    if card is None or card.side != side or order.card not in state.hands[side]:
        return "card_not_held", "7.3"
    if phase not in card.phases or "action" not in card.windows:
        return "event_not_now", "7.3.3"
    if card.after_event == "event once, card stays" and card.id in state.events:
        return "event_once", "7.2.2"
    if card.ge and state.war_played.get(side) == state.year:
        return "one_war", "7.4.1"
    if card.id == "44C" and state.flag("no_44C"):
        return "event_not_now", "7.3.3"
    if not all(conditions.holds(state, side, c) for c in card.requires):
        return "event_conditions", "7.3"
    option = chosen_option(state, side, card, order.option)
    if card.options and not option:
        return "choose_option", "7.2"
    return "", ""


def chosen_option(state: State, side: str, card: Card, wanted: str) -> str:
    """The option of the order; the only one left where the others are for other moments."""
    usable = []
    for option in card.options:
        effects = [e for e in card.effect if e.get("option") == option]
        if all(e["op"] in OPS for e in effects) and any(
            all(conditions.holds(state, side, c) for c in e.get("needs", ())) for e in effects
        ):
            usable.append(option)
    if wanted:
        return wanted if wanted in usable else ""
    return usable[0] if len(usable) == 1 else ""


async def play_event(desk: Desk, side: str, order: PlayEvent, phase: str) -> Result:
    """7.3: the effects of an event in their order; then where the card goes (7.2.2)."""
    state = desk.state
    code, rule = event_problem(state, side, order, phase)
    if code:
        raise Refused(code, rule, card=order.card)
    card = CARDS[order.card]
    option = chosen_option(state, side, card, order.option)
    desk.tell(EventPlayed(side=side, card=card.id, option=option, rule="7.3"))
    result = Result()
    boxed = card.ge
    if not boxed:
        removed = card.after_event == "removed"
        state.spend_card(side, card.id, removed=removed)
        if removed:
            desk.tell(CardRemoved(side=side, card=card.id, rule="7.2.2"))
    state.events.append(card.id)
    for effect in card.effect:
        if effect.get("option", option) != option:
            continue
        if not all(conditions.holds(state, side, c) for c in effect.get("needs", ())):
            continue
        operation = OPS.get(effect["op"])
        if operation is not None:
            await operation(desk, side, effect, order, result)
    if boxed:
        state.war_played[side] = state.year
        if card.id in state.hands[side]:
            state.hands[side].remove(card.id)
    for why, amount_vp, amount_esc in ((card.id, card.vp, card.esc),):
        if card.id == "22F":
            break
        score.score(desk, f"card_{why}", amount_vp, amount_esc, card.id)
    return result


def until(state: State, word: str) -> int:
    """The moment after which an effect ends."""
    return {
        "end_of_turn": state.year * 10 + 9,
        "end_of_next_turn": (state.year + 1) * 10 + 9,
        "end_of_next_round": state.year * 10 + state.round + 1,
        "end_of_next_enemy_action": state.year * 10 + state.round + 1,
    }.get(word, 99999)


async def _activate(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    for _ in range(int(effect["count"])):
        result.grants.append(
            Grant(
                who=str(effect["who"]),
                march=int(effect.get("forced_march_max", 3)),
                no_attrition=bool(effect.get("no_attrition", False)),
                extra=int(effect.get("extra_mp", 0)),
                attrition=int(effect.get("attrition_mod", 0)),
            )
        )


async def _campaign(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """10.7: several forces, of any initiative."""
    result.campaign = True
    result.grants += [Grant(who="own_force")] * int(effect["count"])


async def _ap(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.points += int(effect["n"])


async def _bridging(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.bridged = True


async def _naval(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.naval = str(effect["power"])


async def _amphibious(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    result.naval, result.amphibious = "angleterre", int(effect["steps_max"])


async def _flag(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    name = str(effect["name"])
    desk.state.flags[name] = until(desk.state, str(effect.get("until", "")))
    desk.tell(EffectBegins(name=name, rule="7.3"))


async def _resources(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Resources now, in the budget that is being made; or in the next one."""
    state, power, number = desk.state, str(effect["power"]), int(effect["n"])
    if effect.get("per"):
        majors = [p for p in COUNTRIES.values() if p.major and p.id != "france"]
        held = sum(
            state.status[p.id] == "forced_peace" or state.controller(p.capital) == EMPIRE for p in majors
        )
        number = min(int(effect["max"]), number * held)
    if effect.get("n_if_blockade") and score.blockade_in_place(state):
        number = int(effect["n_if_blockade"])
    if effect["when"] == "now" and state.phase == "budget":
        state.resources[power] = max(0.0, state.resources.get(power, 0.0) + number)
    else:
        state.next_resources[power] = state.next_resources.get(power, 0) + number


async def _transfer(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if order.country not in desk.state.majors(COALITION):
        raise Refused("name_a_country", "7.3", card=order.card)
    have = desk.state.resources.get(order.country, 0.0)
    desk.state.resources[order.country] = have + float(effect["n"])


async def _draw(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    hands.draw(desk, side, int(effect["n"]))


async def _diplomacy(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """A diplomatic action with a bonus."""
    state, country = desk.state, order.country
    if not country:
        raise Refused("name_a_country", "7.3", card=order.card)
    wanted = effect["targets"]
    if isinstance(wanted, list) and country not in wanted:
        raise Refused("no_target", "9.2", country=country)
    record = COUNTRIES[country]
    if wanted == "minor_marked_R_any_status":
        if "R" not in record.marks or state.side_of(country) != EMPIRE:
            raise Refused("no_target", "9.2", country=country)
    else:
        code, rule = diplomacy.target_problem(state, side, country, minors_only=state.phase == "rounds")
        if code:
            raise Refused(code, rule, country=country)
        if wanted == "neutral_minor_with_port" and not (record.ports and state.status[country] == "neutral"):
            raise Refused("no_target", "9.2", country=country)
        if not effect["waive_min"] and CARDS[order.card].value < diplomacy.min_card(state, country):
            raise Refused("card_too_low", "9.2.4", card=order.card)
    won = diplomacy.negotiate(desk, side, country, bonus=int(effect["bonus"]))
    state.flags["last_talk_failed"] = 0 if won else 99999


async def _remove_fleet(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """17C: the fleet of the minor that refused."""
    if desk.state.flags.get("last_talk_failed") and order.country in COUNTRIES:
        for fleet in COUNTRIES[order.country].fleets:
            desk.state.fleets[fleet] = OUT


async def _ban(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    name = f"ban_{effect['side']}_{effect['country']}"
    desk.state.flags[name] = until(desk.state, str(effect["until"]))


async def _skip(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    peace = desk.state.peace.get(str(effect["country"]))
    if peace is not None:
        peace.skip += int(effect["count"])


async def _foreign_war(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """7.4.2: units of the power go to the box; those on the map that are worth least, else from the pool (22.8)."""
    state, power = desk.state, str(effect["power"])
    war = War(order.card, power)
    for want in effect["units"]:
        for _ in range(int(want["count"])):
            if want["type"] == "fleet":
                _send_fleet(state, war, power)
            else:
                _send_corps(state, war, power, order.units)
    state.wars.append(war)
    state.hands[side].remove(order.card)
    names = (*war.units, *war.fleets)
    desk.tell(ForeignWar(card=order.card, power=power, units=names, rule="7.4.2"))


def _send_fleet(state: State, war: War, power: str) -> None:
    fleets = [f for f, place in state.fleets.items() if FLEETS[f].power == power and ":" in place]
    fleets += [f for f, place in state.fleets.items() if FLEETS[f].power == power and place == POOL]
    if fleets:
        fleet = min(fleets, key=lambda f: (state.fleets[f] == POOL, FLEETS[f].tactical, f))
        state.fleets[fleet] = BOX
        war.fleets.append(fleet)


def _send_corps(state: State, war: War, power: str, wanted: tuple[str, ...]) -> None:
    standing = {
        unit: force
        for force in state.forces.values()
        for unit in force.units
        if UNITS[unit].power == power and UNITS[unit].type == "corps" and not force.inside
    }
    pool = [u for u, place in state.units.items() if place == POOL and UNITS[u].power == power]
    if standing:
        named = [unit for unit in wanted if unit in standing]
        unit = named[0] if named else min(standing, key=lambda u: (UNITS[u].stars, standing[u].units[u], u))
        force = standing[unit]
        war.units[unit] = force.units.pop(unit)
        state.units[unit] = BOX
        if not force.units:
            command.dissolve(state, force)
        else:
            command.trim(state, force)
    elif pool:
        war.units[pool[0]] = UNITS[pool[0]].steps
        state.units[pool[0]] = BOX


async def _place_unit(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Units appear at full strength, free."""
    state = desk.state
    units = [u for u in effect["units"] if state.units[u] in (ASIDE, POOL)]
    if effect.get("of") == "chosen_country":
        units = [u for u in units if UNITS[u].power == order.country]
    general = str(effect.get("general", ""))
    for number, unit in enumerate(units):
        power = UNITS[unit].power
        owner = state.side_of(power) if COUNTRIES[power].kind != "revolt" else COALITION
        if COUNTRIES[power].kind == "revolt":
            state.status[power] = "revolt"
        zone = _site(state, effect, order, power, owner, number)
        if not zone:
            state.units[unit] = POOL
            continue
        force = diplomacy.place(desk, unit, zone, owner)
        if COUNTRIES[power].kind == "revolt" and not state.fortress(zone):
            siege.mark(desk, zone, COALITION)
        if general and state.generals[general] in (ASIDE, POOL) and not force.general:
            force.general = general
            settle_places(state, force)
            general = ""
    if general and state.generals[general] == ASIDE:
        _bring_general(state, general)
    if units and units[0] == "tyrol":
        diplomacy.separate(desk)


def _bring_general(state: State, general: str) -> None:
    """A general enters with his country's lone corps, else his reserve."""
    power = GENERALS[general].power
    state.generals[general] = POOL
    for force in state.forces.values():
        if force.power == power and not force.general:
            force.general = general
            state.generals[general] = MAP
            return


def _site(state: State, effect: Effect, order: PlayEvent, power: str, side: str, number: int) -> str:
    """The zone for a new unit: the player's choice among the legal ones, else the first."""
    legal: list[str] = []
    for where in effect["where"]:
        if where in ZONES:
            legal.append(where)
        elif where == "reinforcement_zone":
            legal += reinforcement_zones(state, power)
        elif where == "home_city_free":
            legal += [
                z
                for z, r in ZONES.items()
                if r.city and state.owner_of(z) == power and state.controller(z) == side
            ]
    open_ = [z for z in legal if not state.at(z, enemy(side), inside=None)]
    if effect.get("no_unit_of"):
        open_ = [z for z in open_ if not any(f.power == effect["no_unit_of"] for f in state.at(z))]
    free = [z for z in open_ if not state.at(z, side, inside=None)] or [
        z for z in open_ if any(f.general for f in state.at(z, side))
    ]
    wanted = [z for z in order.zones if z in free]
    if wanted:
        return wanted[min(number, len(wanted) - 1)]
    return free[0] if free else ""


async def _place_special(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """2.2.2: a special unit enters a supplied army of its power."""
    state, unit = desk.state, str(effect["unit"])
    armies = [f for f in supplied_armies(state, str(effect["power"])) if f.steps < command.limit(f)]
    named = [f for f in armies if f.general == order.force]
    if not armies:
        raise Refused("no_supplied_army", "2.2.2", card=order.card)
    force = (named or armies)[0]
    force.special.append(unit)
    state.specials[unit] = MAP
    desk.tell(PieceBuilt(power=str(effect["power"]), piece=unit, zone=force.zone, rule="2.2.2"))


async def _place_fleet(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state = desk.state
    port = str(effect["where"][0])
    fleets = [f for f, p in state.fleets.items() if FLEETS[f].power == effect["power"] and p in (POOL, OUT)]
    if fleets and state.controller(port) == side and len(state.fleets_at(f"port:{port}")) < 3:
        fleet = next((f for f in fleets if state.fleets[f] == POOL), fleets[0])
        state.fleets[fleet] = f"port:{port}"
        desk.tell(PieceBuilt(power=str(effect["power"]), piece=fleet, zone=port, rule="7.3"))


async def _steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Steps restored or built free."""
    state = desk.state
    left = int(effect["n"])
    powers = {str(effect["power"])} if "power" in effect else set()
    owner = str(effect.get("side", side))
    if effect["mode"] in ("restore", "both"):
        for force, unit in restorable(state, owner, powers, effect):
            if left and force.steps < command.limit(force):
                force.units[unit] += 1
                left -= 1
                desk.tell(
                    PieceBuilt(
                        power=UNITS[unit].power,
                        piece=unit,
                        zone=force.zone,
                        steps=force.units[unit],
                        rule="7.3",
                    )
                )
    if effect["mode"] in ("build", "both"):
        for unit, place in list(state.units.items()):
            record = UNITS[unit]
            if left <= 0 or place != POOL or record.power not in powers or record.type not in effect["types"]:
                continue
            zones = reinforcement_zones(state, record.power)
            free = [
                z for z in zones if not state.at(z, owner) or any(_room(f, unit) for f in state.at(z, owner))
            ]
            if free:
                steps = min(left, record.steps)
                diplomacy.place(desk, unit, free[0], owner, steps)
                left -= steps


def _room(force: Force, unit: str) -> bool:
    probe = Force(id="", side=force.side, zone=force.zone, units={unit: UNITS[unit].steps})
    return not command.may_join(force, probe)[0]


async def _depots(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    armies = supplied_armies(desk.state, str(effect["power"]))
    for number in range(int(effect["n"])):
        if armies:
            armies[number % len(armies)].depots.append(str(effect["power"]))


async def _minor_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    key = f"minors_{effect['side']}"
    desk.state.resources[key] = desk.state.resources.get(key, 0.0) + float(effect["n"])


async def _reform(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """17.7: the E units of a power enter the pool."""
    state = desk.state
    powers = [str(effect["country"])] if "country" in effect else [order.country]
    for power in powers:
        if power not in ("autriche", "prusse") or not state.beaten[EMPIRE].get(power):
            if "countries" in effect:
                raise Refused("name_a_country", "17.7", card=order.card)
            continue
        reform(desk, power)
        if power == "autriche" and order.card == "3C" and state.on("grenadiers"):
            zones = [z for z in reinforcement_zones(state, power) if not state.at(z)]
            if state.units["au_grenadiers"] == POOL and zones:
                diplomacy.place(desk, "au_grenadiers", zones[0], state.side_of(power))


def reform(desk: Desk, power: str) -> None:
    """17.7: military reform."""
    if power not in desk.state.reforms:
        desk.state.reforms.append(power)
        desk.tell(EffectBegins(name="reform", about=power, rule="17.7"))
    command.enters_pool(desk.state, [u.id for u in UNITS.values() if u.power == power and u.mark == "E"])


async def _rounds(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state = desk.state
    last = int(effect["last"])
    if last == 5:
        state.flags["quarters"] = state.year * 10 + 9
    if not (last == 7 and state.flag("quarters")):
        state.last_round = last
    desk.tell(EffectBegins(name=f"rounds_{last}", rule="14"))


async def _protectorate(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    code, rule = (
        diplomacy.protect_problem(desk.state, order.country) if order.country else ("name_a_country", "7.3")
    )
    if code:
        raise Refused(code, rule, country=order.country, card=order.card)
    diplomacy.protect(desk, order.country)


async def _create(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if "when" in effect:
        desk.state.flags["walewska"] = 99999
        return
    diplomacy.create(desk, str(effect["id"]))


async def _storm(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """10F: in one sea the fleets of a side run for port."""
    state, other = desk.state, str(effect["side"])
    seas = [zone for zone in order.zones if zone not in ZONES]
    if not seas:
        raise Refused("name_a_sea", "7.3", card=order.card)
    sea = seas[0]
    fleets = state.fleets_at(f"sea:{sea}", other)
    fleets += [f for port in board.ports_of(sea) for f in state.fleets_at(f"box:{port}", other)]
    for fleet in fleets:
        go_to_port(desk, fleet, sea, most=99)


async def _random_card(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """14F, 35C: a random card of the other hand."""
    state, other = desk.state, str(effect["from"])
    if desk.table is None:
        result.points += 3 if effect["op"] == "steal_random" else 0
        return
    hand = sorted(
        card
        for card in state.hands[other]
        if not CARDS[card].permanent and card not in effect.get("exclude", ())
    )
    if not hand:
        return
    label = desk.label("random-card", order.card)
    card = desk.table.shuffle(label, hand, rule="7.3")[0]
    desk.table.deal(label, 0, to=None)
    if effect["op"] == "discard_random":
        state.spend_card(other, card)
        desk.tell(CardsDiscarded(side=other, cards=(card,), rule="7.3"))
        return
    state.hands[other].remove(card)
    hands.shuffle(desk, other, [*state.piles[other].cards, card])
    desk.tell(CardsDiscarded(side=other, cards=(card,), rule="7.3"))
    result.points += CARDS[card].value


async def _remove_card(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state, card = desk.state, str(effect["card"])
    other = CARDS[card].side
    for place in (state.hands[other], state.played[other], state.permanent[other], state.piles[other].cards):
        if card in place:
            place.remove(card)
            state.removed[other].append(card)
            desk.tell(CardRemoved(side=other, card=card, rule="7.3"))


async def _remove_general(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    command.general_home(desk.state, str(effect["id"]), gone=True)
    for force in list(desk.state.forces.values()):
        command.trim(desk.state, force)


async def _return_general(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state = desk.state
    lost = [
        g for g, place in state.generals.items() if place == OUT and state.side_of(GENERALS[g].power) == side
    ]
    wanted = order.force if order.force in lost else (sorted(lost)[0] if lost else "")
    if wanted:
        state.generals[wanted] = POOL
        desk.tell(PieceBuilt(power=GENERALS[wanted].power, piece=wanted, zone="", rule="7.3"))


async def _join(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if desk.state.side_of(str(effect["country"])) != effect["side"]:
        diplomacy.join_side(desk, str(effect["country"]), str(effect["side"]))


async def _annex(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.status[str(effect["country"])] = f"annexed_{effect['by']}"
    diplomacy.realign(desk)


async def _break(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if not desk.dry:
        diplomacy.break_alliance(desk, str(effect["country"]), str(effect["side"]))


async def _liberation(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if not desk.dry:
        diplomacy.liberation(desk)


async def _rally(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    force = desk.state.force_with(order.force) if order.force else None
    if force is None or force.side != side or not force.demoralised or force.power != "france":
        raise Refused("name_a_force", "7.3", card=order.card)
    force.demoralised = False


async def _attrition(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Enemy forces make an attrition test."""
    state = desk.state
    other = enemy(side)
    able = [f for f in state.of(other) if _exposed(state, f, effect)]
    if effect["target"] != "each_enemy_force":
        named = state.force_with(order.force) if order.force else None
        if named is None or named not in able:
            raise Refused("name_a_force", "7.3", card=order.card)
        able = [named] * int(effect.get("count", 1))
    for force in able:
        if force.id not in state.forces:
            continue
        mods = attrition.standing_modifiers(state, force, winter=False, final=True)
        extra = int(effect.get("mod", 0))
        if extra:
            mods.append(Modifier("card", extra, "7.3"))
        await attrition.suffer(desk, force, mods, ignore=tuple(effect.get("ignore", ())))


def _exposed(state: State, force: Force, effect: Effect) -> bool:
    zone = force.zone
    if "countries" in effect or "provinces" in effect:
        owner = state.owner_of(zone)
        inside = owner in effect.get("countries", ()) or ZONES[zone].province in effect.get("provinces", ())
        if not inside:
            return False
    if "region" in effect and not board.in_region(zone, str(effect["region"])):
        return False
    if effect.get("adjacent_to") == "force:russie":
        near = board.neighbours(zone)
        if not any(f.power == "russie" and f.zone in near for f in state.of(COALITION)):
            return False
    if effect.get("not_on") == "supply_source":
        from pbem.games.nce.supply import sources

        if zone in sources(state, force.side, force.power):
            return False
    return force.strength >= int(effect.get("min_steps", 0))


async def _destroy_depot(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """21C: a depot near a Russian force."""
    state = desk.state
    near: set[str] = set()
    for force in state.of(side):
        if force.power == "russie":
            near |= set(board.distances(force.zone, int(effect["within_mp"]))[0])
    for force in state.of(enemy(side)):
        if force.zone in near and force.depots and order.force in ("", *force.generals, *force.units):
            force.depots.pop()
            desk.tell(DepotTaken(zone=force.zone, side=side, rule="7.3"))
            return
    for zone in sorted(near & set(state.fixed)):
        if any(state.side_of(power) == enemy(side) for power in state.fixed[zone]):
            del state.fixed[zone]
            desk.tell(DepotTaken(zone=zone, side=side, rule="7.3"))
            return


async def _lose_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """48F: a step of Spanish milice near an Empire general."""
    state = desk.state
    near: set[str] = set()
    for force in state.of(side):
        if force.general and state.owner_of(force.zone) == effect["country"]:
            near |= {force.zone, *board.neighbours(force.zone)}
    for force in state.of(enemy(side)):
        units = [u for u in force.units if UNITS[u].type in effect["types"]]
        if force.zone in near and units and not force.inside:
            name, zone = force.name, force.zone
            gone = command.lose_step(state, force, units[0])
            desk.tell(
                StepsLost(
                    force=name, zone=zone, pieces=(units[0],), gone=(units[0],) if gone else (), rule="7.3"
                )
            )
            return


async def _control(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """33F: markers in Spanish zones beside one's own."""
    state = desk.state
    number = 0
    for zone in order.zones:
        fits = (
            zone in ZONES
            and state.owner_of(zone) == effect["country"]
            and ZONES[zone].city
            and not ZONES[zone].fortress
            and not state.at(zone)
            and any(score.held(state, near, side) for near in board.neighbours(zone))
        )
        if not fits or number >= int(effect["zones"]):
            raise Refused("cannot_mark_there", "7.3", zone=zone)
        siege.mark(desk, zone, side)
        number += 1
    if not number:
        raise Refused("name_zones", "7.3", card=order.card)


async def _move_enemy(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """27F: an enemy force is led astray by its base movement factor."""
    from pbem.games.nce.march import weather_loss
    from pbem.games.nce.reactions import may_stand

    state = desk.state
    force = state.force_with(order.force) if order.force else None
    if force is None or force.side != enemy(side) or force.inside:
        raise Refused("name_a_force", "7.3", card=order.card)
    most = force.movement - weather_loss(state, force)

    def may(here: str, there: str) -> bool:
        free = not state.at(there, inside=None)
        ground = state.controller(there) == force.side or state.free_passage(there)
        return free and ground and may_stand(state, there, force.side)

    far, _ = board.distances(force.zone, most, may)
    if order.to not in far:
        raise Refused("no_way", "7.3", zone=order.to, left=most)
    state.moves.append((force.zone, order.to, force.side))
    force.zone = order.to
    if not desk.dry:
        siege.raise_sieges(desk)


async def _mud(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags["mud"] = until(desk.state, str(effect["until"]))
    desk.tell(EffectBegins(name="mud", rule="7.3"))


async def _truce(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags["truce"] = until(desk.state, str(effect["until"]))
    desk.tell(EffectBegins(name="truce", rule="7.3"))


async def _weather(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags[f"rain_{desk.state.round}"] = now(desk.state)
    desk.tell(EffectBegins(name="rain", rule="14"))


async def _siege_ban(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags[f"siege_ban_{effect['zone']}"] = until(desk.state, str(effect["until"]))


async def _lasting_combat(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """48C: two more for the defender of Lisbonne until the end of the turn."""
    if "until" in effect:
        desk.state.flags["torres_vedras"] = until(desk.state, str(effect["until"]))


async def _scorched(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.flags["scorched_earth"] = until(desk.state, str(effect["until"]))
    desk.tell(EffectBegins(name="scorched_earth", rule="7.3"))


async def _take_over(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """40F: corps of a forced ally serve with the nearest force that can lead them."""
    state = desk.state
    wanted = [u for u in order.units if u in UNITS and state.status.get(UNITS[u].power) == "forced_alliance"]
    if not wanted or len(wanted) > int(effect["corps"]) or len({UNITS[u].power for u in wanted}) > 1:
        raise Refused("name_units", "7.3", card=order.card)
    for unit in wanted:
        owner = state.force_with(unit)
        if owner is None or not state.national(owner.zone, UNITS[unit].power):
            raise Refused("name_units", "7.3", card=order.card)
        part = owner if len(owner.units) == 1 and not owner.general else None
        if part is None:
            if len(owner.units) == 1:
                raise Refused("general_alone", "2.4.3", force=owner.name)
            part = command.detach(state, owner, [unit])
        able = [f for f in state.of(EMPIRE) if f.general and not command.may_join(f, part)[0]]
        if not able:
            raise Refused("no_force_for_units", "4.2.3", card=order.card)
        far, _ = board.distances(part.zone, board.FAR - 1)
        goal = min(able, key=lambda f: (far.get(f.zone, board.FAR), f.id))
        state.flags[f"lent_{unit}"] = 99999
        part.side, part.zone = EMPIRE, goal.zone
        command.join(state, goal, part)


async def _nothing(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Operations whose whole effect is that the card was played as event (24F, 25F, 52C)."""


OPS: dict[str, Callable[[Desk, str, Effect, PlayEvent, Result], Awaitable[None]]] = {
    "activate": _activate,
    "amphibious": _amphibious,
    "annex": _annex,
    "ap": _ap,
    "attrition_test": _attrition,
    "break_forced_alliance": _break,
    "bridging": _bridging,
    "campaign": _campaign,
    "combat": _lasting_combat,
    "control": _control,
    "create": _create,
    "depots": _depots,
    "destroy_depot": _destroy_depot,
    "diplomacy": _diplomacy,
    "diplomacy_ban": _ban,
    "discard_random": _random_card,
    "draw": _draw,
    "flag": _flag,
    "foreign_war": _foreign_war,
    "hand_limit": _nothing,
    "iberia_entry": _nothing,
    "join": _join,
    "lose_steps": _lose_steps,
    "minor_steps": _minor_steps,
    "move_enemy_force": _move_enemy,
    "mp_mod": _mud,
    "naval_activate": _naval,
    "peace_test_skip": _skip,
    "place_fleet": _place_fleet,
    "place_special": _place_special,
    "place_unit": _place_unit,
    "protectorate": _protectorate,
    "rally_auto": _rally,
    "reform": _reform,
    "remove_card": _remove_card,
    "remove_fleet": _remove_fleet,
    "remove_general": _remove_general,
    "resources": _resources,
    "return_general": _return_general,
    "rounds": _rounds,
    "scorched_earth": _scorched,
    "siege_ban": _siege_ban,
    "steal_random": _random_card,
    "steps": _steps,
    "storm": _storm,
    "take_over": _take_over,
    "transfer": _transfer,
    "truce": _truce,
    "war_of_liberation": _liberation,
    "weather": _weather,
}
