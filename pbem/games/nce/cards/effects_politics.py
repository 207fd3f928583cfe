"""7.3: operations of events on powers, treasuries, hands and the calendar."""

from __future__ import annotations

from pbem.games.nce import command
from pbem.games.nce.cards import conditions, hands
from pbem.games.nce.cards.effects import Effect, Result, until
from pbem.games.nce.cards.reaction_cards import police
from pbem.games.nce.charts import CARDS, COUNTRIES, FLEETS, GENERALS, MAJORS, POWERS, UNITS
from pbem.games.nce.choices import Draft, worth_least
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardRemoved, CardReturned, CardsDiscarded, EffectBegins
from pbem.games.nce.events_field import FleetGone
from pbem.games.nce.events_powers import ForeignWar, PieceBuilt, ResourcesChanged
from pbem.games.nce.land.supply import held
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.powers import diplomacy, parting
from pbem.games.nce.powers.places import reinforcement_zones
from pbem.games.nce.replies import SendAbroad
from pbem.games.nce.state import (
    ASIDE,
    BOX,
    COALITION,
    EMPIRE,
    NEUTRAL,
    OUT,
    POOL,
    SEATS,
    State,
    War,
)
from pbem.kernel.order import Answer
from pbem.kernel.plan import Refused

WINTER_QUARTERS = 5


async def op_flag(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    name = str(effect["name"])
    desk.state.flags[name] = until(desk.state, str(effect.get("until", "")))
    desk.tell(EffectBegins(name=name, rule="7.3"))


async def op_resources(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Resources now, in the budget that is being made; or in the next one, more if the blockade is in place then."""
    state, power, number = desk.state, str(effect["power"]), int(effect["n"])
    if effect.get("per"):
        number = min(int(effect["max"]), number * len(contributors(state)))
    if effect["when"] == "now":
        state.resources[power] = max(0.0, state.resources.get(power, 0.0) + number)
    else:
        state.next_resources[power] = state.next_resources.get(power, 0) + number
    if "n_if_blockade" in effect:
        key = f"blockade_{power}"
        state.next_resources[key] = state.next_resources.get(key, 0) + int(effect["n_if_blockade"]) - number
    when = str(effect["when"])
    desk.tell(ResourcesChanged(power=power, amount=number, when=when, card=order.card, rule="7.3"))


def contributors(state: State) -> list[str]:
    """18F: majors in forced peace with the Empire, or enemies whose capital it holds."""
    found = []
    for power in MAJORS:
        peace = state.peace.get(power)
        forced = state.status[power] == "forced_peace" and (peace is None or peace.by == EMPIRE)
        capitals = POWERS[power].capitals
        taken = state.side_of(power) == COALITION and all(held(state, z, EMPIRE) for z in capitals)
        if forced or taken:
            found.append(power)
    return found


async def op_transfer(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """22C: resources for one ally of Angleterre that nobody pays."""
    allies = [power for power in desk.state.majors(COALITION) if power != "angleterre"]
    if order.country not in allies:
        raise Refused("name_a_country", "7.3", card=order.card, countries=tuple(allies))
    have = desk.state.resources.get(order.country, 0.0)
    desk.state.resources[order.country] = have + float(effect["n"])
    desk.tell(
        ResourcesChanged(
            power=order.country, amount=int(effect["n"]), when="now", card=order.card, rule="7.3"
        )
    )


async def op_draw(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    hands.draw(desk, side, int(effect["n"]))


async def op_fetch(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """7.3: a card that all may know of is looked for and taken in hand."""
    hands.fetch(desk, side, str(effect["card"]))


async def op_diplomacy(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """9.2: a diplomatic action with a bonus; the Empire may answer it (D21)."""
    state, country = desk.state, order.country
    code, rule = "name_a_country", "7.3"
    if country:
        code, rule = _target_problem(state, side, country, effect, order.card)
    if code:
        able = tuple(c for c in COUNTRIES if not _target_problem(state, side, c, effect, order.card)[0])
        raise Refused(code, rule, country=country, card=order.card, countries=able)
    diplomacy.check_soil(state, country, order.zones)
    against = await police(desk, side, country)
    won = diplomacy.negotiate(
        desk, side, country, bonus=int(effect["bonus"]), against=against, at=order.zones
    )
    if won:
        await parting.break_up(desk, country, side)
    result.failed = not won


def _target_problem(state: State, side: str, country: str, effect: Effect, card: str) -> tuple[str, str]:
    """Why an event cannot be aimed at a country: by the words of the card, then by 9.2."""
    wanted, record = effect["targets"], COUNTRIES[country]
    if isinstance(wanted, list) and country not in wanted:
        return "no_target", "9.2"
    if wanted == "minor_marked_R_any_status":
        allied = record.kind == "minor" and "R" in record.marks and state.side_of(country) == EMPIRE
        annexed = state.status[country].startswith(("annexed_", "part_of_"))
        return ("", "") if allied and not annexed else ("no_target", "9.2")
    code, rule = diplomacy.target_problem(
        state, side, country, minors_only=state.phase == "rounds", beaten=wanted == "legal_or_beaten"
    )
    if code:
        return code, rule
    if wanted == "neutral_minor_with_port" and not (
        record.kind == "minor" and record.ports and state.status[country] == "neutral"
    ):
        return "no_target", "9.2"
    if not effect["waive_min"] and hands.card_value(state, side, card) < diplomacy.min_card(country):
        return "card_too_low", "9.2.4"
    return "", ""


async def op_remove_fleet(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """17C: the fleet of the minor that refused leaves the game."""
    if result.failed and not desk.dry:
        for fleet in COUNTRIES[order.country].fleets:
            if desk.state.fleets[fleet] != OUT:
                desk.state.fleets[fleet] = OUT
                desk.tell(FleetGone(fleet=fleet, rule="7.3"))


async def op_ban(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    name = f"ban_{effect['side']}_{effect['country']}"
    desk.state.flags[name] = until(desk.state, str(effect["until"]))
    desk.tell(EffectBegins(name="talks_banned", about=str(effect["country"]), rule="7.3"))


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
    command.shrink(state, force)


async def op_minor_steps(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    key = f"minors_{effect['side']}"
    desk.state.resources[key] = desk.state.resources.get(key, 0.0) + float(effect["n"])


async def op_reform(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """17.7: the E units of a beaten power enter the pool; of one that the player names, where the card says so."""
    state = desk.state
    if "country" in effect:
        reform(desk, str(effect["country"]))
        return
    able = tuple(power for power in effect["countries"] if state.beaten[EMPIRE].get(power))
    if order.country not in able:
        raise Refused("name_a_country", "17.7", card=order.card, countries=able)
    reform(desk, order.country)


def grenadiers(desk: Desk) -> None:
    """19: optional: whatever 3C is played for as event, the Grenadiers take the field at once."""
    state, unit = desk.state, "au_grenadiers"
    if not state.on("grenadiers") or state.units[unit] not in (ASIDE, POOL):
        return
    side = state.side_of("autriche")
    free = [zone for zone in reinforcement_zones(state, "autriche") if not state.at(zone, inside=None)]
    if free:
        diplomacy.place(desk, unit, free[0], side if side in SEATS else NEUTRAL)


def reform(desk: Desk, power: str) -> None:
    """17.7: military reform."""
    if power not in desk.state.reforms:
        desk.state.reforms.append(power)
        desk.tell(EffectBegins(name="reform", about=power, rule="17.7"))
    command.enters_pool(desk.state, [u.id for u in UNITS.values() if u.power == power and u.mark == "E"])


async def op_rounds(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """1.3: the last round of this turn; after 54F the winter campaign is void (7.3)."""
    state, last = desk.state, int(effect["last"])
    if last == WINTER_QUARTERS:
        state.flags["quarters"] = until(state, "end_of_turn")
    elif state.flag("quarters"):
        raise Refused("winter_quarters", "7.3", card=order.card)
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
        # 9.3.5a: the war must be with the owner of Mazovie.
        if desk.state.home_side("varsovie") != COALITION:
            raise Refused("event_conditions", "9.3.5", card=order.card)
        desk.state.flags["walewska"] = desk.state.flags["polish_escalation"] = 99999
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
    desk.tell(CardReturned(side=other, card=card, points=CARDS[card].value, rule="7.3"))
    hands.shuffle(desk, other, [*state.piles[other].cards, card])
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
    """51C: a general removed by a card or by the scenario; not one who has retired or was replaced."""
    state = desk.state
    replaced = {g.replaces for g in GENERALS.values() if g.replaces and g.entry <= state.year}
    lost = sorted(
        g
        for g, place in state.generals.items()
        if place == OUT
        and state.side_of(GENERALS[g].power) == side
        and state.year < GENERALS[g].retires
        and g not in replaced
    )
    if not lost or (order.force and order.force not in lost):
        raise Refused("no_general_to_recall", "7.3", card=order.card, generals=tuple(lost))
    general = order.force or lost[0]
    state.generals[general] = POOL
    desk.tell(PieceBuilt(power=GENERALS[general].power, piece=general, zone="", rule="7.3"))


async def op_join(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    if desk.state.side_of(str(effect["country"])) != effect["side"]:
        diplomacy.join_side(desk, str(effect["country"]), str(effect["side"]))


async def op_annex(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    desk.state.status[str(effect["country"])] = f"annexed_{effect['by']}"
    desk.tell(EffectBegins(name="annexed", about=str(effect["country"]), rule="7.3"))
    diplomacy.realign(desk)


async def op_break(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """45C, 47C: a beaten power comes back from a bond that would last."""
    country = str(effect["country"])
    if not desk.dry and conditions.bound(desk.state, country):
        await parting.break_up(desk, country, str(effect["side"]))


async def op_liberation(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """19C: the card says how many cards are drawn, so Madrid gives none."""
    if not desk.dry:
        await parting.rise(desk)


async def op_nothing(desk: Desk, side: str, effect: Effect, order: PlayEvent, result: Result) -> None:
    """Operations whose whole effect is that the card was played as event (24F, 25F, 52C)."""
