"""ASK ME: a battle waits for the plan of who wants to be asked; nothing of the siege tells more than is seen."""

from __future__ import annotations

import msgspec

from pbem.dice.draw.seeded import Seeded
from pbem.games.eia import RULES
from pbem.games.eia.battle_events import CityFalls, CombatOpened, SortieMade
from pbem.games.eia.battle_orders import AttackBy, Habit, IntoCity, LoseFirst, SiegeHabit
from pbem.games.eia.battle_questions import Fight
from pbem.games.eia.orders import March, Nothing
from pbem.kernel.game import LETTER, Checkpoint, Game, Given
from pbem.kernel.order import AskMe, Order
from tests.games.eia.fields import besiege, corps, depot, empty, play


def game(**standing: list[Order]) -> tuple[Game[object], list[Given]]:
    state = empty()
    state.done.append("begun")
    state.phase = "orders"
    corps(state, "fr_3", "stuttgart", "20 I", "davout")
    corps(state, "au_1", "ulm", "12 I", "mack")
    depot(state, "france", "stuttgart")
    depot(state, "austria", "vienna")
    begun: Game[object] = Game(RULES, Checkpoint(0, 0, msgspec.json.encode(state)), Seeded("ask"))
    letters = {"france": (March(("fr_3",), ("ulm",)),), "austria": (Nothing(),)}
    for question in list(begun.questions.values()):
        begun.give(Given(question.key, question.seat, letters[question.seat], LETTER))
    settled = begun.settle(lambda seat: [*standing.get(seat, ()), *RULES.defaults])
    return begun, settled


def test_nobody_is_asked_by_the_usual_plan() -> None:
    played, _ = game()
    assert {question.kind() for question in played.questions.values()} <= {"month", "revise"}
    assert any(isinstance(told.event, CombatOpened) for told in played.take_told())


def test_who_wants_is_asked_and_the_battle_waits() -> None:
    played, settled = game(austria=[AskMe("fight")])
    asked = [question for question in played.questions.values() if isinstance(question, Fight)]
    waiting = [question for question in asked if not played.answered(question.key)]
    assert [question.seat for question in waiting] == ["austria"]
    assert not any(isinstance(told.event, CombatOpened) for told in played.take_told())
    assert any(given.seat == "france" for given in settled)
    question = waiting[0]
    wrong = played.check(question.key, (AttackBy("assault"),))
    assert [problem.code for problem in wrong] == ["not_your_chit"]
    answer = next(answer for answer in question.legal(played.view("austria")) if "cordon" in str(answer))
    played.give(Given(question.key, "austria", answer, LETTER))
    opened = next(told.event for told in played.take_told() if isinstance(told.event, CombatOpened))
    assert opened.defender_chit == "cordon"


def test_a_sortie_shows_its_kind_to_the_owner_alone() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "10 I, 3 C", "davout")
    state.garrison("ulm", "austria", "austria", {"I": 5})
    besiege(state, "ulm", "france")
    played = play(state, {"siege/ulm": 1, "siege/ulm/sortie": 2}, {"france": [SiegeHabit("storm")]})
    assert sorted(event.lost for event in played.told(SortieMade)) == ["", "1 I"]


def test_corps_march_out_unseen() -> None:
    state = empty()
    corps(state, "fr_3", "ulm", "20 I", "davout")
    corps(state, "au_1", "ulm", "7 I", "mack", inside=True)
    besiege(state, "ulm", "france")
    played = play(state, {"siege/ulm": 6}, {"france": [SiegeHabit("storm")]})
    assert sorted(event.factors for event in played.told(CityFalls)) == [0, 7]


def test_two_players_of_a_side_each_choose_their_own_losses() -> None:
    state = empty("1805-three", **{"12.3.6": "yes"})
    corps(state, "fr_3", "brunn", "20 I", "davout", came="vienna")
    corps(state, "au_1", "brunn", "10 I, 5 M", "mack")
    corps(state, "ru_1", "brunn", "10 I, 5 M")
    plans = {
        "austria": [LoseFirst(("I",)), Habit("leave"), IntoCity("field")],
        "russia": [LoseFirst(("M",)), IntoCity("field")],
    }
    # Assault v defend 3-1: die 5: 10 % of 20 = 2, one each; then nothing.
    dice = {f"brunn/r{n}/{side}": 1 for n in (1, 2, 3) for side in ("att", "def")} | {"brunn/r1/att": 5}
    played = play(state, dice, {**plans, "france": [Habit("let_go")]})
    asked = {question.seat: question for question in played.questions if isinstance(question, Fight)}
    assert asked.keys() == {"france", "austria", "russia"}
    assert (asked["austria"].command, asked["russia"].command) == (True, False)
    assert asked["austria"].mine == ("au_1",)
    assert asked["russia"].mine == ("ru_1",)
    assert state.corps["au_1"].factors == {"I": 9, "M": 5}
    assert state.corps["ru_1"].factors == {"I": 10, "M": 4}
