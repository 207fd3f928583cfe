"""7.3: operations of events on powers, treasuries, hands and the calendar."""

from __future__ import annotations

from pbem.games.nce import command, diplomacy, hands, parting, score
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, GENERALS, UNITS
from pbem.games.nce.choices import Draft, worth_least
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.effects import Effect, Result, until
from pbem.games.nce.events import (
    CardRemoved,
    CardsDiscarded,
    EffectBegins,
    ForeignWar,
    PieceBuilt,
)
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.places import reinforcement_zones
from pbem.games.nce.replies import SendAbroad
from pbem.games.nce.state import (
    BOX,
    COALITION,
    EMPIRE,
    OUT,
    POOL,
    State,
    War,
)
from pbem.kernel.order import Answer


async def op_flag(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    name = str(effect["name"])
    desk.state.flags[name] = until(desk.state, str(effect.get("until", "")))
    desk.tell(EffectBegins(name=name, rule="7.3"))


async def op_resources(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
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


async def op_transfer(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if order.country not in desk.state.majors(COALITION):
        raise Refused("name_a_country", "7.3", card=order.card)
    have = desk.state.resources.get(order.country, 0.0)
    desk.state.resources[order.country] = have + float(effect["n"])


async def op_draw(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    hands.draw(desk, side, int(effect["n"]))


async def op_diplomacy(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
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


async def op_remove_fleet(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """17C: the fleet of the minor that refused."""
    if desk.state.flags.get("last_talk_failed") and order.country in COUNTRIES:
        for fleet in COUNTRIES[order.country].fleets:
            desk.state.fleets[fleet] = OUT


async def op_ban(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    name = f"ban_{effect['side']}_{effect['country']}"
    desk.state.flags[name] = until(desk.state, str(effect["until"]))


async def op_skip(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    peace = desk.state.peace.get(str(effect["country"]))
    if peace is not None:
        peace.skip += int(effect["count"])


async def op_foreign_war(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """7.4.2: units of the power go to the box, as the Coalition chooses; what is not there is owed (22.8)."""
    state, power = desk.state, str(effect["power"])
    war = War(order.card, power)
    wanted = {"corps": 0, "fleet": 0}
    for want in effect["units"]:
        wanted["fleet" if want["type"] == "fleet" else "corps"] += int(want["count"])
    state.wars.append(war)
    state.hands[side].remove(order.card)
    await draft(desk, war, wanted["corps"], wanted["fleet"], order.units if side == COALITION else ())
    names = (*war.units, *war.fleets)
    desk.tell(ForeignWar(card=order.card, power=power, units=names, rule="7.4.2"))


async def draft(desk: Desk, war: War, corps: int, fleets: int, named: tuple[str, ...] = ()) -> None:
    """7.4.2, 6.3.15: the Coalition chooses among what stands on the map; the rest is owed in the next budget."""
    state = desk.state
    units = worth_least(state, _corps_of(state, war.power))
    ships = worth_least(state, _fleets_of(state, war.power))
    war.owed += ["corps"] * (corps - len(units)) + ["fleet"] * (fleets - len(ships))
    corps, fleets = min(corps, len(units)), min(fleets, len(ships))
    if not corps and not fleets:
        return
    question = Draft(
        key=desk.label("draft", war.card),
        seat=COALITION,
        rule="7.4.2",
        power=war.power,
        corps=corps,
        fleets=fleets,
        units=tuple(units) if corps else (),
        ships=tuple(ships) if fleets else (),
    )
    chosen: Answer = (SendAbroad(named),)
    if not named or question.check(state, chosen):
        chosen = await desk.ask(question)
    (order,) = chosen
    assert isinstance(order, SendAbroad)
    for piece in order.pieces:
        if piece in FLEETS:
            state.fleets[piece] = BOX
            war.fleets.append(piece)
        else:
            _corps_abroad(state, war, piece)


def _fleets_of(state: State, power: str) -> list[str]:
    """7.4.4: fleets of a power; those of its minor allies only where it has none of its own at sea or in port."""
    standing = [f for f, place in state.fleets.items() if ":" in place]
    own = [f for f in standing if FLEETS[f].power == power]
    return own or [f for f in standing if state.patron(FLEETS[f].power) == power and state.at_war(power)]


def _corps_of(state: State, power: str) -> list[str]:
    return [
        unit
        for force in state.forces.values()
        for unit in force.units
        if UNITS[unit].power == power and UNITS[unit].type == "corps" and not force.inside
    ]


def _corps_abroad(state: State, war: War, unit: str) -> None:
    """22.8: a corps goes with the steps it has."""
    force = state.force_with(unit)
    assert force is not None
    war.units[unit] = force.units.pop(unit)
    state.units[unit] = BOX
    if not force.units:
        command.dissolve(state, force)
    else:
        command.release_generals(state, force)
        command.trim(state, force)


async def op_minor_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    key = f"minors_{effect['side']}"
    desk.state.resources[key] = desk.state.resources.get(key, 0.0) + float(effect["n"])


async def op_reform(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
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


async def op_rounds(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state = desk.state
    last = int(effect["last"])
    if last == 5:
        state.flags["quarters"] = state.year * 10 + 9
    if not (last == 7 and state.flag("quarters")):
        state.last_round = last
    desk.tell(EffectBegins(name=f"rounds_{last}", rule="14"))


async def op_protectorate(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    code, rule = (
        diplomacy.protect_problem(desk.state, order.country) if order.country else ("name_a_country", "7.3")
    )
    if code:
        raise Refused(code, rule, country=order.country, card=order.card)
    diplomacy.protect(desk, order.country)


async def op_create(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if "when" in effect:
        desk.state.flags["walewska"] = 99999
        return
    diplomacy.create(desk, str(effect["id"]))


async def op_random_card(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
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


async def op_remove_card(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state, card = desk.state, str(effect["card"])
    other = CARDS[card].side
    for place in (state.hands[other], state.played[other], state.permanent[other], state.piles[other].cards):
        if card in place:
            place.remove(card)
            state.removed[other].append(card)
            desk.tell(CardRemoved(side=other, card=card, rule="7.3"))


async def op_remove_general(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    command.general_home(desk.state, str(effect["id"]), gone=True)
    for force in list(desk.state.forces.values()):
        command.trim(desk.state, force)


async def op_return_general(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    state = desk.state
    lost = [
        g for g, place in state.generals.items() if place == OUT and state.side_of(GENERALS[g].power) == side
    ]
    wanted = order.force if order.force in lost else (sorted(lost)[0] if lost else "")
    if wanted:
        state.generals[wanted] = POOL
        desk.tell(PieceBuilt(power=GENERALS[wanted].power, piece=wanted, zone="", rule="7.3"))


async def op_join(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if desk.state.side_of(str(effect["country"])) != effect["side"]:
        diplomacy.join_side(desk, str(effect["country"]), str(effect["side"]))


async def op_annex(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.status[str(effect["country"])] = f"annexed_{effect['by']}"
    diplomacy.realign(desk)


async def op_break(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    country = str(effect["country"])
    if not desk.dry and desk.state.status[country] == "forced_alliance":
        await parting.break_up(desk, country, str(effect["side"]))


async def op_liberation(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if not desk.dry:
        diplomacy.liberation(desk)


async def op_nothing(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Operations whose whole effect is that the card was played as event (24F, 25F, 52C)."""
