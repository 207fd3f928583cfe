"""Every event, with whims for its choices, out of positions that games have reached: it is refused with nothing
changed, or carried out whole; cards, pieces and points are all there afterwards."""

from __future__ import annotations

import random
from functools import cache

import msgspec
import pytest

from pbem.games.nce import RULES, board, soundness
from pbem.games.nce.charts import CARDS, COUNTRIES, SEAS, UNITS, ZONES, Card
from pbem.games.nce.orders import PlayEvent
from pbem.games.nce.state import State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Checkpoint, Game, Given
from tests.games.nce.play import Pseudo, answer_one, new

TRIES = 6
ACTIONS = [card for card in CARDS.values() if "action" in card.windows and "activation" in card.phases]


@cache
def reached(scenario: str, decisions: int) -> bytes:
    """A position at the beginning of an action, after so many decisions of robots."""
    game, whim = new(7, scenario), random.Random(7)
    done = 0
    while done < decisions or not any(q.kind() == "act" for q in game.questions.values()):
        answer_one(game, "random", whim)
        done += 1
    return msgspec.json.encode(game.state)


def dealt(scenario: str, card: Card, whim: random.Random) -> State:
    """Such a position, with the card in the hand of the side to act, and more events behind it than there were."""
    state = msgspec.json.decode(reached(scenario, 25), type=State)
    side = card.side
    for place in (
        state.played[side], state.removed[side], state.set_aside[side], state.permanent[side],
        state.piles[side].cards, state.hands[side],
    ):  # fmt: skip
        if card.id in place:
            place.remove(card.id)
    state.hands[side].append(card.id)
    state.wars = [war for war in state.wars if war.card != card.id]
    state.active, state.war_played = side, {}
    state.period = whim.choice(("epopee", "chatiments"))
    state.round = whim.choice((2, 5, 6))
    state.events = [c for c in (*state.events, "2C", "20F", "24F", "25F", "37F") if c != card.id]
    state.flags.setdefault("war_of_liberation", 99999 if state.side_of("espagne") == "coalition" else 0)
    for power in ("autriche", "prusse"):
        state.beaten["empire"].setdefault(power, whim.choice((0, 1)))
    return state


def whimsical(state: State, card: Card, whim: random.Random) -> PlayEvent:
    """The card as event, with choices out of the blue."""
    names = [force.name for force in state.forces.values()]
    force = whim.choice(["", *names])
    moved = state.force_with(force) if force else None
    targets = [e["targets"] for e in card.effect if isinstance(e.get("targets"), list)]
    places = [*SEAS, *ZONES] if card.id != "10F" else list(SEAS)
    return PlayEvent(
        card.id,
        option=whim.choice(["", *card.options]),
        country=whim.choice(targets[0] if targets else ["", *COUNTRIES]),
        force=force,
        other=whim.choice(["", "", *names]),
        to=whim.choice(board.neighbours(moved.zone)) if moved else "",
        zones=tuple(whim.sample(places, whim.choice((0, 0, 1, 2)))),
        units=tuple(whim.sample(sorted(UNITS), whim.choice((0, 0, 1, 2)))),
    )


def settle(game: Game[State], side: str) -> None:
    """Standing orders answer until the next side is to act."""
    game.settle(lambda seat: list(RULES.defaults) if game.state.active == side else [])


@pytest.mark.parametrize("card", ACTIONS, ids=[card.id for card in ACTIONS])
def test_an_event_is_refused_or_carried_out_whole(card: Card) -> None:  # rule 7.3, 7.3.4, 7.2.2
    whim = random.Random(card.id)
    for number in range(TRIES):
        state = dealt(whim.choice(("1805", "1809")), card, whim)
        game = Game(RULES, Checkpoint(0, 0, msgspec.json.encode(state)), Recorded(beyond=Pseudo(number)))
        (question,) = game.questions.values()
        order = whimsical(state, card, whim)
        before = game.hash()
        if question.check(game.view(card.side), (order,)):
            assert game.hash() == before
            continue
        game.give(Given(question.key, card.side, (order,), LETTER))
        settle(game, card.side)
        assert not RULES.invariants(game.state), order
        gone = card.id not in game.state.hands[card.side]
        assert gone, order
        assert (card.id in game.state.removed[card.side]) == (card.after_event == "removed"), order


@pytest.mark.parametrize(("scenario", "seed"), [("1805", 3), ("1809", 4), ("1815", 5)])
def test_no_card_is_where_it_may_not_be(scenario: str, seed: int) -> None:  # rule 7.1.1, 7.1.2, 7.2.2
    game, whim = new(seed, scenario), random.Random(seed)
    for _ in range(70):
        if game.over:
            break
        answer_one(game, "random", whim)
        assert not soundness.decks(game.state)
        assert not RULES.invariants(game.state)


def test_the_second_deck_comes_in_with_escalation_fifteen() -> None:  # rule 7.1.3
    state = msgspec.json.decode(reached("1805", 25), type=State)
    state.score("given", escalation=15 - state.escalation)
    state.phase, state.round, state.year = "interphase", 0, state.year + 1
    aside = {side: set(state.set_aside[side]) for side in state.hands}
    game = Game(RULES, Checkpoint(0, 0, msgspec.json.encode(state)), Recorded(beyond=Pseudo(1)))
    whim = random.Random(1)
    while any(question.kind() in ("war", "hand") for question in game.questions.values()):
        answer_one(game, "random", whim)
    assert game.state.period == "chatiments"
    for side, cards in aside.items():
        live = {*game.state.hands[side], *game.state.piles[side].cards, *game.state.played[side]}
        assert cards <= live
        assert not game.state.set_aside[side]
    assert not soundness.decks(game.state)
    assert not RULES.invariants(game.state)
