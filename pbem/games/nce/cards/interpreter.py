"""7.3: events, by the vocabulary of the card table: each operation is a function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import msgspec

from pbem.games.nce import score
from pbem.games.nce.cards import conditions, reaction_cards
from pbem.games.nce.cards import effects_field as field
from pbem.games.nce.cards import effects_politics as politics
from pbem.games.nce.cards import effects_units as units
from pbem.games.nce.cards.effects import Effect, Result
from pbem.games.nce.charts import CARDS, Card
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardRemoved, EventPlayed
from pbem.games.nce.orders import NoCard, Play, PlayEvent
from pbem.games.nce.replies import Done
from pbem.games.nce.state import State, copied
from pbem.kernel.order import Order
from pbem.kernel.plan import Refused, rehearse

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
    "depots": units.op_depots,
    "destroy_depot": field.op_destroy_depot,
    "diplomacy": politics.op_diplomacy,
    "diplomacy_ban": politics.op_ban,
    "discard_random": politics.op_random_card,
    "draw": politics.op_draw,
    "fetch": politics.op_fetch,
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
    "place_fleet": units.op_place_fleet,
    "place_special": units.op_place_special,
    "place_unit": units.op_place_unit,
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
    "steps": units.op_steps,
    "storm": field.op_storm,
    "take_over": field.op_take_over,
    "transfer": politics.op_transfer,
    "truce": field.op_truce,
    "war_of_liberation": politics.op_liberation,
    "weather": field.op_weather,
}


IN_BUDGET = ("minor_steps", "transfer")
"""Operations that mean something only while budgets are being made; so do resources given at once."""


def event_problem(state: State, side: str, order: PlayEvent, phase: str) -> tuple[str, str]:
    """7.3, 7.3.3, 7.4.1, 7.2.2: why an event may not be played now; nothing where it may."""
    code = reaction_cards.holding_problem(state, side, order.card)
    if code:
        return code, "7.3"
    card = CARDS[order.card]
    if "action" not in card.windows:
        return "event_window", "7.3.3"
    if phase not in card.phases:
        return "event_not_now", "7.3.3"
    once = card.after_event == "event once, card stays" and card.id in state.events
    if once or state.flag(f"spent_{card.id}"):
        return "event_once", "7.2.2"
    if card.ge and state.war_played.get(side) == state.year:
        return "one_war", "7.4.1"
    if state.flag(f"no_{card.id}"):
        return "event_forbidden", "7.3"
    if not all(conditions.holds(state, side, c) for c in card.requires):
        return "event_conditions", "7.3"
    if order.option and not card.options:
        return "no_options", "7.2"
    if card.options and not chosen_option(state, side, card, order.option, phase):
        return "choose_option", "7.2"
    return "", ""


def usable_options(state: State, side: str, card: Card, phase: str) -> list[str]:
    """The options of a card that are possible now; others are for other moments, or their conditions fail."""
    usable = []
    for option in card.options:
        effects = [e for e in card.effect if e.get("option") == option]
        if all(_in_phase(e, phase) for e in effects) and any(
            all(conditions.holds(state, side, c) for c in e.get("needs", ())) for e in effects
        ):
            usable.append(option)
    return usable


def _in_phase(effect: Effect, phase: str) -> bool:
    now = effect["op"] in IN_BUDGET or (effect["op"] == "resources" and effect["when"] == "now")
    later = effect["op"] == "diplomacy"
    return effect["op"] in OPS and not (later if phase == "budget" else now)


def chosen_option(state: State, side: str, card: Card, wanted: str, phase: str) -> str:
    """The option of the order; the only one left where the others cannot be chosen."""
    usable = usable_options(state, side, card, phase)
    if wanted:
        return wanted if wanted in usable else ""
    return usable[0] if len(usable) == 1 else ""


def instead(state: State, side: str, order: PlayEvent, phase: str) -> tuple[Order, ...]:
    """The nearest thing that may be done with a card that cannot be an event now."""
    card = CARDS.get(order.card)
    if card is not None and order.card in state.hands[side] and order.option and not card.options:
        return (msgspec.structs.replace(order, option=""),)
    if phase != "activation":
        return (Done(),)
    if card is None or order.card not in state.hands[side]:
        return (NoCard(),)
    options = usable_options(state, side, card, phase)
    if options and phase in card.phases and all(conditions.holds(state, side, c) for c in card.requires):
        return (msgspec.structs.replace(order, option=options[0]),)
    return (Play(order.card),)


def playable(state: State, side: str, card: str, phase: str) -> list[PlayEvent]:
    """The event of a card, option by option, where phase and conditions are there; what it asks for is not tried."""
    code, _ = event_problem(state, side, PlayEvent(card), phase)
    if code == "choose_option":
        return [PlayEvent(card, option=option) for option in usable_options(state, side, CARDS[card], phase)]
    return [] if code else [PlayEvent(card)]


MARCHING = ("activate", "campaign", "naval_activate", "amphibious", "counter_campaign")
"""Effects that in a round do nothing but let forces act."""


def only_activates(card: str, option: str = "") -> bool:
    """Whether the event of a card, or an option of it, would change nothing without activations behind it."""
    effects = [e for e in CARDS[card].effect if not option or e.get("option", option) == option]
    return all(effect["op"] in MARCHING for effect in effects)


def only_marches(card: str) -> bool:
    """Whether the event of a card does nothing but let forces march."""
    return all(effect["op"] in ("activate", "campaign") for effect in CARDS[card].effect)


async def play_event(desk: Desk, side: str, order: PlayEvent, phase: str) -> Result:
    """7.3.1, 1.10: the effects of an event in their order; then where the card goes (7.2.2).

    It is tried on a copy first, so that an event that cannot be carried out whole is not begun.
    """
    state = desk.state
    code, rule = event_problem(state, side, order, phase)
    if code:
        options = usable_options(state, side, CARDS[order.card], phase) if code == "choose_option" else []
        raise Refused(
            code,
            rule,
            instead(state, side, order, phase),
            card=order.card,
            option=order.option,
            options=tuple(options),
            window=CARDS[order.card].windows[0],
            phases=CARDS[order.card].phases,
        )
    try:
        _try(state, side, order, phase)
    except Refused as refused:
        if not refused.problem.nearest:
            near = _nearest(state, side, order, phase, refused.problem.params)
            refused.problem = msgspec.structs.replace(refused.problem, nearest=near)
        raise
    return await _carry_out(desk, side, order, phase)


class _Watched:
    """An order that notes which of its choices are looked at."""

    def __init__(self, order: PlayEvent) -> None:
        self.order = order
        self.seen: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.seen.add(name)
        return getattr(self.order, name)


def _try(state: State, side: str, order: PlayEvent, phase: str) -> None:
    """Carry the event out on a copy; a choice that nothing asks for is refused, not passed over."""
    watched = _Watched(order)
    rehearse(_carry_out(Desk(copied(state), None, "rehearsal"), side, cast(PlayEvent, watched), phase))
    needless = tuple(name for name in ALL_CHOICES if getattr(order, name) and name not in watched.seen)
    if needless:
        plain = msgspec.structs.replace(order, **{name: ALL_CHOICES[name] for name in needless})
        raise Refused("needless_choice", "7.3", (plain,), card=order.card, choices=needless)


def trimmed(state: State, side: str, order: PlayEvent, phase: str) -> PlayEvent:
    """The same event without the choices that nothing asks for; as it is where it cannot be carried out."""
    if event_problem(state, side, order, phase)[0]:
        return order
    try:
        _try(state, side, order, phase)
    except Refused as refused:
        if refused.problem.code == "needless_choice":
            (plain,) = refused.problem.nearest
            assert isinstance(plain, PlayEvent)
            return plain
    return order


ALL_CHOICES = {
    field.name: field.default
    for field in msgspec.structs.fields(PlayEvent)
    if field.name not in ("card", "option")
}
"""All that an event may leave to choose beside its option, with what stands for no choice."""


CHOICES = {"forces": "force", "generals": "force", "countries": "country", "units": "units", "zones": "zones"}
"""The choice of an event that each list of a refusal would fill."""


def _nearest(
    state: State, side: str, order: PlayEvent, phase: str, params: Mapping[str, str | int | tuple[str, ...]]
) -> tuple[Order, ...]:
    """The event with another choice of those that the refusal names, if it can be carried out; else without it."""
    for name, choice in CHOICES.items():
        found = params.get(name)
        if not isinstance(found, tuple) or not found:
            continue
        slot = "to" if choice == "zones" and "left" in params else choice
        value = found[:1] if slot in ("units", "zones") else found[0]
        other = msgspec.structs.replace(order, **{slot: value})
        try:
            _try(state, side, other, phase)
        except Refused:
            continue
        return (other,)
    return (Play(order.card),) if phase == "activation" else (Done(),)


async def _carry_out(desk: Desk, side: str, order: PlayEvent, phase: str) -> Result:
    state, card = desk.state, CARDS[order.card]
    option = chosen_option(state, side, card, order.option, phase)
    desk.tell(EventPlayed(side=side, card=card.id, option=option, rule="7.3"))
    result = Result()
    if not card.ge:
        removed = card.after_event == "removed"
        state.spend_card(side, card.id, removed=removed)
        if removed:
            desk.tell(CardRemoved(side=side, card=card.id, rule="7.2.2"))
    state.events.append(card.id)
    for effect in card.effect:
        if effect.get("option", option) != option:
            continue
        if not all(conditions.holds(state, side, c) for c in effect.get("needs", ())):
            if "choose" in effect:
                raise Refused("event_conditions", "17.7", card=card.id)
            continue
        await OPS[effect["op"]](desk, side, effect, order, result)
    if card.ge:
        state.war_played[side] = state.year
    if card.permanent == "autriche":
        politics.grenadiers(desk)
    vp = 0 if card.id == "22F" else card.vp
    score.score(desk, f"card_{card.id}", vp, card.esc)
    return result
