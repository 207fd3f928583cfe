"""One letter a turn: standing orders answer, the defaults are enough, and nothing betrays a hand."""

import dataclasses
import random

import pytest

from pbem import games
from pbem.bench import figures, robots
from pbem.bench.chosen import Chosen, Roundtrips
from pbem.games.ccn import RULES, build
from pbem.games.ccn.orders import GiveWay, Melee, Play, Square, Stand, Strike
from pbem.games.ccn.questions import Flags, Reaction
from pbem.games.ccn.setup import OPTIONS
from pbem.games.ccn.standing import (
    ALWAYS,
    CAREFUL,
    DEFAULTS,
    NEVER,
    AdvancePolicy,
    BackPolicy,
    FlagPolicy,
    RetirePolicy,
    RetreatPolicy,
    SquarePolicy,
    StandPolicy,
    StrikePolicy,
)
from pbem.games.ccn.state import State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Checkpoint, Game, Given, state_bytes
from pbem.kernel.order import AskMe, Condition, Order, Test, When
from tests.games.ccn.play import Pseudo, new

SWITCHES = {option.name: option.values[0] for option in OPTIONS}
UNITS = ["french fr_heavy_cavalry D6", "allied br_line E6"]


def at(**given: object) -> Game[State]:
    state = build("rolica_1808", SWITCHES, dict(given))
    return Game(RULES, Checkpoint(0, 0, state_bytes(state)), Recorded(beyond=Pseudo(1)))


def attack(game: Game[State]) -> None:
    letter = (Play("probe_center"), Melee("D6", ("E6",)))
    game.give(Given("t1/turn", "french", letter, LETTER))


def reaction(
    *standing: Order, hand: tuple[str, ...] = ("probe_left", "probe_right", "forward", "rally")
) -> object:
    game = at(units=UNITS, hands={"allied": list(hand)})
    attack(game)
    question = next(iter(game.questions.values()))
    assert isinstance(question, Reaction)
    followed = question.follow(game.view("allied"), list(standing))
    return followed[0] if followed else None


def test_silence_neither_strikes_first_nor_retires() -> None:
    # rules 8.1, 8.5: what the specification makes of silence; a careful player asks for both
    assert not [order for order in DEFAULTS if isinstance(order, StrikePolicy | RetirePolicy)]
    assert {type(order) for order in CAREFUL} - {type(order) for order in DEFAULTS} == {
        StrikePolicy,
        RetirePolicy,
    }


@pytest.mark.parametrize("seed", range(3))
def test_with_the_default_standing_orders_a_turn_is_one_letter(seed: int) -> None:
    # rule 13
    game = new(seed, "talavera_1809")
    whim = random.Random(seed)
    turns = letters = 0
    while not game.over:
        game.settle(lambda seat: list(DEFAULTS))
        if game.over:
            break
        (question,) = game.questions.values()
        turns += question.kind() == "turn"
        letters += 1
        answer = RULES.robots["sensible"](game.view(question.seat), question, whim)
        game.give(Given(question.key, question.seat, answer, LETTER))
    assert turns
    assert letters <= turns * 1.05


def test_the_bench_counts_the_letters_of_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "chosen", lambda: {"ccn": Chosen(Roundtrips(2, ()))})
    turns, letters, second, spared = figures.roundtrips()
    assert turns.value > 10
    assert letters.value >= 1
    assert second.value <= 5
    assert spared.value > 0
    monkeypatch.setattr(games, "load", lambda name: dataclasses.replace(RULES, defaults=(StandPolicy(),)))
    assert max(robots.letters_of("ccn", tuple(RULES.scenarios), 0).turns.values()) > 1


def test_of_each_kind_the_first_policy_that_concerns_the_unit_decides() -> None:
    # rule 8.2.1, 8.4
    assert reaction(*DEFAULTS) == (Square(),)
    assert reaction(SquarePolicy(NEVER), *DEFAULTS) == (Stand(),)
    assert reaction(SquarePolicy(NEVER, whose="D9"), *DEFAULTS) == (Square(),)
    assert reaction(SquarePolicy(NEVER, whose="infantry"), SquarePolicy(ALWAYS), *DEFAULTS) == (Stand(),)
    assert reaction(SquarePolicy("heavy", hand=5), *DEFAULTS) == (Stand(),)
    assert reaction() is None


def test_a_when_and_an_ask_me_go_before_the_defaults() -> None:
    # rule 13
    heavy = Condition((Test("heavy", "=", "yes"),))
    assert reaction(When("reaction", heavy, (Stand(),)), *DEFAULTS) == (Stand(),)
    assert reaction(AskMe("reaction", Condition((Test("blocks", ">=", 4),))), *DEFAULTS) is None


def test_first_strike_by_policy_needs_the_card_and_the_dice() -> None:
    # rule 8.5.1
    with_card = ("first_strike", "probe_left")
    assert reaction(StrikePolicy(ALWAYS, dice=4), hand=with_card) == (Strike(),)
    assert reaction(StrikePolicy(ALWAYS, dice=5), hand=with_card) is None
    assert reaction(StrikePolicy(ALWAYS), hand=("probe_right", "probe_left")) is None


def test_a_reaction_is_put_alike_whether_or_not_the_card_is_held() -> None:
    # rule 8.4, 1.10
    units = ["french fr_line D6", "allied br_line E6"]
    seen = []
    for hand in (["first_strike", "probe_left"], ["probe_right", "probe_left"]):
        game = at(units=units, hands={"allied": hand})
        attack(game)
        assert game.settle(lambda seat: []) == []
        (question,) = game.questions.values()
        view = game.view("allied")
        seen.append((question, list(question.legal(view)), question.only(view), dict(question.facts(view))))
    assert seen[0] == seen[1]


def test_retreats_go_left_or_right_as_seen_from_the_seat_and_flags_are_a_policy_of_their_own() -> None:
    # rule 7.5.2, 7.6.1
    state = build("rolica_1808", SWITCHES, {"units": ["french fr_line C6", "allied br_line E6"]})
    state.leaders.update(build("", {}, {"leaders": ["allied hill E6"]}).leaders)
    question = Flags(key="x", seat="allied", unit="allied-2", flags=1, may_ignore=1)

    def answer(*standing: Order) -> object:
        followed = question.follow(state, [*standing, *DEFAULTS])
        return followed[0] if followed else None

    assert answer() == (GiveWay(1, ()),)
    assert answer(FlagPolicy("none"), RetreatPolicy("left")) == (GiveWay(0, ("F6",)),)
    assert answer(RetreatPolicy("right"), FlagPolicy("none")) == (GiveWay(0, ("F5",)),)
    assert answer(FlagPolicy("none", whose="french")) == (GiveWay(1, ()),)


def test_a_scout_without_a_wish_keeps_the_better_card_unless_its_player_wants_to_be_asked() -> None:
    # rule 9.2
    letter = (Play("scout_center"),)
    for own, open_kinds in (([], "turn"), ([AskMe("scout", Condition(()))], "scout")):
        game = at(
            units=["french fr_line C6", "allied br_line I1"],
            hands={"french": ["scout_center", "probe_left"]},
            pile=["probe_right", "forward"],
        )
        game.give(Given("t1/turn", "french", letter, LETTER))
        game.settle(lambda seat, own=own: [*own, *DEFAULTS])  # type: ignore[misc]
        assert [question.kind() for question in game.questions.values()] == [open_kinds]
        if open_kinds == "turn":
            assert "forward" in [item.card for item in game.state.hands["french"]]


def test_what_the_letter_leaves_open_is_answered_by_policy() -> None:
    # rule 7.1.1, 6.7.1
    game = at(units=["french fr_line D6", "allied br_line E6 1", "allied br_line I1"])
    attack(game)
    standing: dict[str, list[Order]] = {
        "french": [AdvancePolicy(ALWAYS)],
        "allied": [BackPolicy(NEVER), *DEFAULTS],
    }
    game.settle(lambda seat: list(standing[seat]))
    assert all(question.kind() == "turn" for question in game.questions.values())
