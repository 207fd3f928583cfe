"""7.3: events, by the vocabulary of the card table: each operation is a function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pbem.games.nce import conditions, score
from pbem.games.nce import effects_field as field
from pbem.games.nce import effects_politics as politics
from pbem.games.nce.charts import CARDS, Card
from pbem.games.nce.desk import Desk, Refused
from pbem.games.nce.effects import Effect, Result
from pbem.games.nce.events import (
    CardRemoved,
    EventPlayed,
)
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.state import (
    State,
)

OPS: dict[str, Callable[[Desk, str, Effect, PlayEvent, Result], Awaitable[None]]] = {
    "activate": field.op_activate,
    "amphibious": field.op_amphibious,
    "annex": politics.op_annex,
    "ap": field.op_ap,
    "attrition_test": field.op_attrition,
    "break_forced_alliance": politics.op_break,
    "bridging": field.op_bridging,
    "campaign": field.op_campaign,
    "combat": field.op_lasting_combat,
    "control": field.op_control,
    "create": politics.op_create,
    "depots": field.op_depots,
    "destroy_depot": field.op_destroy_depot,
    "diplomacy": politics.op_diplomacy,
    "diplomacy_ban": politics.op_ban,
    "discard_random": politics.op_random_card,
    "draw": politics.op_draw,
    "flag": politics.op_flag,
    "foreign_war": politics.op_foreign_war,
    "hand_limit": politics.op_nothing,
    "iberia_entry": politics.op_nothing,
    "join": politics.op_join,
    "lose_steps": field.op_lose_steps,
    "minor_steps": politics.op_minor_steps,
    "move_enemy_force": field.op_move_enemy,
    "mp_mod": field.op_mud,
    "naval_activate": field.op_naval,
    "peace_test_skip": politics.op_skip,
    "place_fleet": field.op_place_fleet,
    "place_special": field.op_place_special,
    "place_unit": field.op_place_unit,
    "protectorate": politics.op_protectorate,
    "rally_auto": field.op_rally,
    "reform": politics.op_reform,
    "remove_card": politics.op_remove_card,
    "remove_fleet": politics.op_remove_fleet,
    "remove_general": politics.op_remove_general,
    "resources": politics.op_resources,
    "return_general": politics.op_return_general,
    "rounds": politics.op_rounds,
    "scorched_earth": field.op_scorched,
    "siege_ban": field.op_siege_ban,
    "steal_random": politics.op_random_card,
    "steps": field.op_steps,
    "storm": field.op_storm,
    "take_over": field.op_take_over,
    "transfer": politics.op_transfer,
    "truce": field.op_truce,
    "war_of_liberation": politics.op_liberation,
    "weather": field.op_weather,
}


def event_problem(state: State, side: str, order: PlayEvent, phase: str) -> tuple[str, str]:
    """7.3.3, 7.4.1, 7.2.2: why an event may not be played now; nothing where it may."""
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
    """7.3.1, 1.10: the effects of an event in their order; then where the card goes (7.2.2)."""
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
