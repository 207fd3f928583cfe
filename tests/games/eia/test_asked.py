"""ASK ME: a battle waits for the plan of who wants to be asked; nothing of the siege tells more than is seen."""

from __future__ import annotations

import msgspec

from pbem.dice.draw.seeded import Seeded
from pbem.games.eia import RULES
from pbem.games.eia.battle_events import CityFalls, CombatOpened, SortieMade
from pbem.games.eia.battle_orders import AttackBy, SiegeHabit
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
