"""One letter a round: standing orders answer, the defaults are enough, and nothing betrays a hand."""

from __future__ import annotations

import dataclasses
import random

import pytest

from pbem import games
from pbem.bench import figures, robots
from pbem.bench.chosen import Chosen, Roundtrips
from pbem.games.nce import RULES
from pbem.games.nce.cards.reaction_cards import Police
from pbem.games.nce.fight import Fight
from pbem.games.nce.land.concert import InteriorLines
from pbem.games.nce.orders import CombatCards, Engage, Garrison, Lead, LossOrder, RetreatTo, Second
from pbem.games.nce.powers.interphase_questions import Budget
from pbem.games.nce.questions import Fate, Garrisoning, Hand, Refusal, Terms, Treaty, War
from pbem.games.nce.reactions import Interception, Response, Test
from pbem.games.nce.replies import (
    Annex,
    ClaimMinor,
    CounterMarch,
    Declare,
    Discard,
    Done,
    Evade,
    FleetReply,
    Intercept,
    IntoFortress,
    LetPass,
    Refuse,
    SpendOn,
    Spoils,
    Stand,
    Tilsit,
)
from pbem.games.nce.sea.admiralty import Fleets
from pbem.games.nce.standing import (
    DEFAULTS,
    BattlePolicy,
    CardPolicy,
    EvadePolicy,
    FleetPolicy,
    FortressPolicy,
    GarrisonPolicy,
    HoldPolicy,
    InterceptPolicy,
    KeepPolicy,
    LinesPolicy,
    MarchPolicy,
    PeacePolicy,
    PolicePolicy,
    TestPolicy,
    UsualPolicy,
)
from pbem.games.nce.state import State
from pbem.games.nce.view import view
from pbem.kernel import order as kernel
from pbem.kernel.game import LETTER, Given
from pbem.kernel.order import AskMe, Condition, Order, When
from pbem.kernel.question import Question
from tests.games.nce.play import new, position, the

MACK = "coalition ulm mack armee_allemagne: au_i_corps, au_ii_corps, au_iii_corps; subs ferdinand; depots 1"
NAPOLEON = (
    "empire munich napoleon grande_armee: fr_garde, fr_i_corps, fr_ii_corps, fr_res_cav; "
    "subs davout, soult; special cavalerie_garde; depots 2"
)


def answer(question: Question, state: State, *standing: Order) -> object:
    followed = question.follow(view(state, question.seat), [*standing, *DEFAULTS])
    return followed[0] if followed else None


def fact(name: str, op: str, value: int | str) -> Condition:
    return Condition((kernel.Test(name, op, value),))


@pytest.mark.parametrize(("scenario", "seed"), [("1815", 1), ("1815", 2)])
def test_with_the_default_standing_orders_a_round_is_one_letter(scenario: str, seed: int) -> None:
    # rule 21
    game = new(seed, scenario)
    whim = random.Random(seed)
    saved = 0
    while not game.over:
        saved += len(game.settle(lambda seat: list(DEFAULTS)))
        for question in list(game.questions.values()):
            assert question.kind() == "act"
            reply = RULES.robots["sensible"](game.view(question.seat), question, whim)
            game.give(Given(question.key, question.seat, reply, LETTER))
    assert saved > 10


def test_the_bench_counts_the_second_letters_of_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "chosen", lambda: {"nce": Chosen(Roundtrips(2, ("1815",)))})
    turns, letters, second, spared = figures.roundtrips()
    assert turns.value == 20
    assert letters.value <= 1.05
    assert second.value <= 5
    assert spared.value > 1


def test_a_turn_in_which_something_is_asked_again_needs_a_second_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(games, "load", lambda name: dataclasses.replace(RULES, defaults=()))
    letters = robots.letters_of("nce", ("1815",), 1)
    assert max(letters.turns.values()) > 1


def test_what_the_defaults_say() -> None:  # rule 21, 10.3, 10.4, 12.6.5, 11.4
    state = position(forces=[NAPOLEON, MACK], hands={"coalition": ["7C", "22C"], "empire": ["8F"]})
    mack, napoleon = the(state, "mack").id, the(state, "napoleon").id
    came = Response(
        key="r", seat="coalition", force=mack, zone="ulm", came="munich", mover="napoleon", steps=9
    )
    seen = Interception(key="i", seat="coalition", zone="munich", mover="napoleon", steps=9)
    fight = Fight(key="f", seat="empire", zone="ulm", role="attacker", mine=(napoleon,), theirs=(mack,))
    assert answer(seen, state) == (LetPass(),)
    assert answer(came, state) == (Stand(),)
    assert answer(fight, state) == (Second("davout"),) == fight.default(state)
    assert answer(Test(key="t", seat="coalition", force=mack), state) == (Done(),)
    assert answer(Garrisoning(key="g", seat="empire", force=napoleon, zone="ulm"), state) == (Done(),)
    at_sea = Fleets(
        key="s", seat="empire", sea="manche", kind_of="evasion", movers=("keith",), mine=("ganteaume",),
        ways=("brest", "golfe_de_gascogne"),
    )  # fmt: skip
    assert answer(at_sea, state) == (FleetReply("evade", to="brest"),)
    assert answer(Fate(key="m", seat="empire", country="thuringe"), state) == (
        ClaimMinor("thuringe", "ally"),
    )


def test_a_force_evades_shelters_or_holds_as_it_was_told() -> None:  # rule 10.4, 10.4.2
    state = position(forces=[NAPOLEON, MACK], hands={"coalition": ["30C"]})
    question = Response(
        key="r", seat="coalition", force=the(state, "mack").id, zone="ulm", came="munich", mover="napoleon", steps=9
    )  # fmt: skip
    stuttgart = EvadePolicy("mack", ("vienne", "stuttgart"))
    assert answer(question, state, stuttgart) == (Evade(("stuttgart",)),)
    assert answer(question, state, EvadePolicy("mack", ("stuttgart",), steps=10)) == (Stand(),)
    assert answer(question, state, EvadePolicy("mack", ("stuttgart",), help="30C")) == (
        Evade(("stuttgart",), "30C"),
    )
    assert answer(question, state, EvadePolicy("charles")) == (Stand(),)
    assert answer(question, state, HoldPolicy("mack"), stuttgart) == (Stand(),)
    assert answer(question, state, FortressPolicy()) == (Stand(),)
    home = position(forces=[NAPOLEON, MACK.replace("ulm", "innsbruck")])
    inside = Response(
        key="r", seat="coalition", force=the(home, "mack").id, zone="innsbruck", came="munich", mover="napoleon",
        steps=9,
    )  # fmt: skip
    assert answer(inside, home, FortressPolicy(steps=9)) == (IntoFortress(),)
    assert answer(inside, home, FortressPolicy(steps=10)) == (Stand(),)
    assert answer(inside, home, AskMe("response", fact("mover", "=", "napoleon"))) is None


def test_an_interception_is_paid_with_a_card_of_the_value_allowed() -> None:  # rule 10.3.2
    state = position(
        forces=[NAPOLEON, MACK.replace("mack", "charles")], hands={"coalition": ["7C", "22C", "25C"]}
    )
    question = Interception(key="i", seat="coalition", zone="munich", mover="napoleon", steps=9)
    assert answer(question, state, InterceptPolicy("charles", 12, 3)) == (Intercept("charles", "22C"),)
    assert answer(question, state, InterceptPolicy("charles", 12, 3, "25C")) == (
        Intercept("charles", "22C", "25C"),
    )
    assert answer(question, state, InterceptPolicy("charles", 12, 2)) == (LetPass(),)
    assert answer(question, state, InterceptPolicy("charles", 8, 3)) == (LetPass(),)


def test_the_parts_of_a_battle_come_each_from_its_own_order() -> None:  # rule 12, 7.5, 12.2
    state = position(
        forces=[NAPOLEON, MACK, "empire stuttgart marmont: fr_v_corps"],
        hands={"empire": ["8F", "23F", "13F", "5F"]},
    )
    napoleon, mack = the(state, "napoleon").id, the(state, "mack").id
    fight = Fight(key="f", seat="empire", zone="ulm", role="attacker", mine=(napoleon,), theirs=(mack,))
    losses, retreat = LossOrder(("fr_ii_corps",)), RetreatTo(("munich",), "napoleon")
    assert answer(fight, state, losses, retreat) == (losses, retreat, Second("davout"))
    assert answer(fight, state, RetreatTo(("munich",), "massena")) == (Second("davout"),)
    assert answer(fight, state, BattlePolicy("plain")) == (Done(),)
    assert answer(fight, state, BattlePolicy("lead")) == (Lead("fr_garde"), Second("davout"))
    everything = answer(fight, state, BattlePolicy("everything"))
    assert isinstance(everything, tuple)
    assert Engage(("cavalerie_garde",)) in everything
    sealed = CardPolicy(("8F", "23F", "42F"), steps=6)
    assert answer(fight, state, sealed) == (Second("davout"), CombatCards(("8F", "23F")))
    assert answer(fight, state, CardPolicy(("8F",), steps=7)) == (Second("davout"),)
    assert answer(fight, state, CardPolicy(("8F",), general="mack")) == (
        Second("davout"),
        CombatCards(("8F",)),
    )
    assert answer(fight, state, CardPolicy(("8F",), general="charles")) == (Second("davout"),)
    assert answer(fight, state, MarchPolicy(("marmont", "massena"), "13F")) == (
        CounterMarch(("marmont",), "13F"),
        Second("davout"),
    )
    when = When("fight", fact("enemy_steps", ">=", 6), (Lead("fr_i_corps"),))
    assert answer(fight, state, losses, when) == (Lead("fr_i_corps"),)
    assert answer(fight, state, losses, AskMe("fight")) is None


def test_small_decisions_have_their_orders() -> None:  # rule 10.7.4, 7.3, 13.4.2, 11.4, 15.4
    state = position(
        forces=[NAPOLEON, MACK],
        hands={"empire": ["55F", "1F", "32F"], "coalition": ["15C"]},
        fleets={"keith": "sea:manche"},
    )
    napoleon = the(state, "napoleon").id
    lines = InteriorLines(key="l", seat="coalition", zone="ulm", forces=2)
    assert answer(lines, state) == (Done(),)
    assert answer(lines, state, LinesPolicy("15C")) == (CombatCards(("15C",)),)
    assert answer(lines, state, LinesPolicy("15C", 3)) == (Done(),)
    police = Police(key="p", seat="empire", country="baviere")
    assert answer(police, state) == (Done(),)
    assert answer(police, state, PolicePolicy("saxe")) == (Done(),)
    assert answer(police, state, PolicePolicy()) == (CombatCards(("55F",)),)
    garrison = Garrisoning(key="g", seat="empire", force=napoleon, zone="munich")
    assert answer(garrison, state, GarrisonPolicy("depot")) == (Garrison("depot"),)
    assert answer(garrison, state, GarrisonPolicy("step")) == (Garrison("step"),)
    the(state, "napoleon").depots = []
    assert answer(garrison, state, GarrisonPolicy("depot")) == (Done(),)
    test = Test(key="t", seat="empire", force=napoleon)
    assert answer(test, state, TestPolicy("32F", "napoleon")) == (SpendOn("32F"),)
    assert answer(test, state, TestPolicy("32F", "massena")) == (Done(),)
    seen = Fleets(
        key="s",
        seat="coalition",
        sea="manche",
        kind_of="interception",
        movers=("ganteaume",),
        mine=("keith",),
    )
    assert answer(seen, state) == (FleetReply("nothing"),)
    assert answer(seen, state, FleetPolicy("intercept", "keith")) == (FleetReply("intercept"),)
    assert answer(seen, state, FleetPolicy("intercept", "nelson")) == (FleetReply("nothing"),)
    assert answer(seen, state, FleetPolicy("intercept", place="manche")) == (FleetReply("intercept"),)
    assert answer(seen, state, FleetPolicy("intercept", place="baltique")) == (FleetReply("nothing"),)


def test_peace_and_interphase_have_theirs() -> None:  # rule 16.4.2, 16.5.7, 16.3.4, 6.1, 6.2.1, 6.3.14
    state = position(hands={"coalition": ["27C", "7C"], "empire": ["26F", "5F"]})
    refusal = Refusal(key="d", seat="coalition", power="autriche")
    assert answer(refusal, state) == (Done(),)
    assert answer(refusal, state, Refuse("prusse")) == (Done(),)
    assert answer(refusal, state, Refuse("prusse"), Refuse("autriche")) == (Refuse("autriche"),)
    treaty = Treaty(key="t", seat="empire", powers=("russie",))
    assert answer(treaty, state) == (Done(),)
    assert answer(treaty, state, Tilsit("russie")) == (Tilsit("russie"),)
    fate = Fate(key="m", seat="empire", country="thuringe")
    assert answer(fate, state, ClaimMinor("thuringe", "annexed")) == (ClaimMinor("thuringe", "annexed"),)
    terms = Terms(key="p", seat="empire", power="autriche", most=3)
    wishes = (
        Annex("tyrol", "baviere"),
        Annex("venetie", "royaume_italie"),
        Annex("silesie", "saxe"),
        Spoils(),
    )
    assert answer(terms, state, *wishes) == (wishes[0], wishes[1], wishes[3])
    # The terms are the victor's own: nothing answers them but what he has written himself.
    assert answer(terms, state) is None
    assert answer(terms, state, UsualPolicy()) is None
    assert answer(terms, state, PeacePolicy()) == terms.default(state)
    assert answer(terms, state, *wishes, AskMe("terms", fact("power", "=", "autriche"))) is None
    war = War(key="w", seat="empire", year=1806)
    assert answer(war, state) is None
    assert answer(war, state, Declare("france"), Declare("prusse")) == (Declare("prusse"),)
    hand = Hand(key="h", seat="coalition", year=1806)
    assert answer(hand, state, KeepPolicy(("27C",))) == (Discard(("7C",)),)
    assert answer(Budget(key="b", seat="coalition", year=1806), state) is None
    again = Budget(key="b2", seat="coalition", year=1806, again=True)
    assert answer(again, state) == (Done(),)
    assert answer(again, state, AskMe("budget", fact("new_cards", "=", "yes"))) is None


def test_silence_is_the_same_with_and_without_the_card() -> None:  # rule 1.8
    hands = {"with": ["27C", "30C", "11C", "15C"], "without": ["7C", "22C", "1C", "2C"]}
    answers: dict[str, list[object]] = {}
    for name, hand in hands.items():
        state = position(forces=[NAPOLEON, MACK], hands={"coalition": hand})
        mack, napoleon = the(state, "mack").id, the(state, "napoleon").id
        questions: list[Question] = [
            Interception(key="i", seat="coalition", zone="munich", mover="napoleon", steps=9),
            Response(
                key="r", seat="coalition", force=mack, zone="ulm", came="munich", mover="napoleon", steps=9
            ),
            Fight(key="f", seat="coalition", zone="ulm", role="defender", mine=(mack,), theirs=(napoleon,)),
            InteriorLines(key="l", seat="coalition", zone="ulm", forces=2),
            Refusal(key="d", seat="coalition", power="autriche"),
        ]
        seen = view(state, "coalition")
        answers[name] = [
            (question.only(seen), question.default(seen), answer(question, state)) for question in questions
        ]
    assert answers["with"] == answers["without"]


def test_a_new_order_for_one_force_leaves_those_for_others() -> None:
    evades = EvadePolicy("mack", ("vienne",))
    assert evades.subject() == EvadePolicy("mack").subject()
    assert evades.subject() != EvadePolicy("charles").subject()
    assert FortressPolicy().subject() != FortressPolicy("mack").subject()
