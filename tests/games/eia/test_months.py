"""A month in one letter: who is asked what, what is kept secret, macros, and the three tempos."""

from __future__ import annotations

import msgspec
import pytest

from pbem.games.eia import RULES
from pbem.games.eia.board import COUNTERS
from pbem.games.eia.orders import AsLastMonth, Besiege, March, Nothing, Pay, Ready, Toward
from pbem.games.eia.questions import Month
from pbem.games.eia.slot import expanded
from pbem.games.eia.state import HIDDEN
from pbem.games.eia.view import view
from pbem.kernel.order import AskMe
from tests.games.eia.play import give, new, play_out, standing, waiting

TWO = {"france": "sensible", "austria": "sensible"}
THREE = {**TWO, "russia": "sensible"}


@pytest.mark.parametrize(("scenario", "robots"), [("1805", TWO), ("1805-three", THREE), ("1809", TWO)])
def test_one_letter_a_side_and_month(scenario: str, robots: dict[str, str]) -> None:
    # rule 3.0, 3.2, 7.1.2
    game = new(3, scenario)
    asked = play_out(game, robots)
    months = game.state.turn
    for kinds in asked.values():
        assert [kind for kind in kinds if kind != "insurrection"] == ["month"] * months


def test_strict_asks_for_reinforcements_together_and_for_marches_in_turn() -> None:
    # rule 3.4, 7.1.3
    game = new(3, tempo="strict")
    assert {question.kind() for question in game.questions.values()} == {"muster"}
    for _ in range(2):
        give(game, waiting(game), (Nothing(),))
    assert [(q.seat, q.kind()) for q in game.questions.values()] == [("france", "campaign")]
    give(game, waiting(game), (Nothing(),))
    assert [(q.seat, q.kind()) for q in game.questions.values()] == [("austria", "campaign")]


def test_who_wants_to_be_asked_gets_a_second_look_when_he_was_struck() -> None:
    game = new(3)
    give(game, game.questions["1805-09/month/austria"], (Nothing(),))
    french = (March(("fr_2", "fr_3", "fr_4", "fr_5", "fr_6"), ("ulm",)),)

    def wishes(seat: str) -> list[object]:
        return [AskMe("revise"), *standing(seat)] if seat == "austria" else list(standing(seat))

    question = game.questions["1805-09/month/france"]
    game.give(_given(question, french))
    game.settle(wishes)  # type: ignore[arg-type]
    assert [(q.seat, q.kind()) for q in game.questions.values()] == [("austria", "revise")]


def test_blitz_knows_no_second_look() -> None:
    game = new(3, tempo="blitz")
    give(game, game.questions["1805-09/month/austria"], (Nothing(),))
    question = game.questions["1805-09/month/france"]
    game.give(_given(question, (March(("fr_2", "fr_3", "fr_4", "fr_5", "fr_6"), ("ulm",)),)))
    game.settle(lambda seat: [AskMe("revise"), *standing(seat)])
    assert {q.kind() for q in game.questions.values()} == {"month"}


def _given(question: object, answer: object) -> object:
    from pbem.kernel.game import LETTER, Given

    return Given(question.key, question.seat, answer, LETTER)  # type: ignore[attr-defined,arg-type]


def test_as_last_month_goes_on_towards_the_ends() -> None:
    game = new(1)
    last = (March(("fr_3",), ("karlsruhe", "vienna")), Pay((), 4), Besiege(("ulm",)), Nothing())
    letter = expanded(game.state, "france", (AsLastMonth(),), last)
    assert letter == (Toward(("fr_3",), "vienna", ""), Pay((), 4), Besiege(("ulm",)))


def test_the_sealed_orders_are_nobody_elses() -> None:
    game = new(1)
    give(game, game.questions["1805-09/month/france"], (March(("fr_3",), ("stuttgart",)),))
    game.state.letters["france"] = "secret"
    game.state.last["france"] = "secret"
    game.state.armies["france"] = {"ney": ["fr_3"]}
    for seat in ("austria", None):
        seen = view(game.state, seat)
        assert not seen.letters
        assert not seen.last
        assert not seen.armies


@pytest.mark.parametrize("scenario", RULES.scenarios)
def test_no_enemy_corps_is_known_by_its_counter(scenario: str) -> None:
    game = new(2, scenario)
    play_out(game, dict.fromkeys(RULES.scenarios[scenario].seats, "sensible"), 2)
    state = game.state
    for seat in RULES.scenarios[scenario].seats:
        seen = msgspec.json.encode(view(state, seat)).decode()
        friends = state.with_seat(seat)
        for corps in state.corps.values():
            # The counters of minors bear the names of their countries, which are on the map.
            if corps.power not in friends and corps.nation == corps.power:
                assert f'"{corps.id}"' not in seen
        for power in state.powers:
            if power not in state.of_seat(seat):
                assert view(state, seat).powers[power].money == -1


def test_what_is_hidden_has_no_factors_and_no_name() -> None:
    # rule 2.4.1, 2.4.2
    seen = view(new(1).state, "france")
    enemies = [corps for corps in seen.corps.values() if corps.power != "france"]
    assert enemies
    assert all(corps.id.startswith(HIDDEN) and not corps.factors for corps in enemies)
    assert {corps.looks for corps in enemies} == {"infantry", "cavalry"}
    assert not any(corps.id in COUNTERS for corps in enemies)


def test_the_austrian_light_corps_looks_like_cavalry_and_the_grenadiers_like_infantry() -> None:
    seen = view(new(1, "1809").state, "france")
    at_karlstadt = [corps.looks for corps in seen.corps.values() if corps.area == "karlstadt"]
    assert at_karlstadt == ["cavalry"]
    assert {corps.looks for corps in seen.corps.values() if corps.area == "linz"} == {"infantry"}


def test_allies_of_one_side_know_each_others_corps() -> None:
    seen = view(new(1, "1805-three").state, "russia")
    assert seen.corps["au_1"].factors
    assert not any(corps.startswith(HIDDEN + "austria") for corps in seen.corps)


def test_set_up_is_asked_in_the_order_of_the_scenario_and_the_template_is_legal() -> None:
    # rule 13.1.1, 13.1.1.1, 13.1.1.2
    game = new(1, deploy="yes")
    question = waiting(game)
    assert (question.seat, question.kind()) == ("austria", "set_up")
    for answer in question.legal(game.view("austria")):
        assert not question.check(game.view("austria"), answer)
    give(game, question, (Ready(),))
    assert waiting(game).seat == "france"


def test_a_letter_with_nothing_wrong_is_foreseen() -> None:
    game = new(1)
    question = game.questions["1805-09/month/france"]
    assert isinstance(question, Month)
    seen = game.view("france")
    answer = (March(("fr_3",), ("stuttgart",)),)
    assert not question.check(seen, answer)
    told = {event.kind() for event in RULES.forecast(seen, "france", answer)} if RULES.forecast else set()
    assert {"forecast_march", "forecast_supply", "forecast_money"} <= told


def test_winter_is_felt_but_in_the_south() -> None:
    # rule 9.2
    from pbem.games.eia.board import winter_zone

    assert winter_zone("vienna")
    assert not winter_zone("palma")
    assert not winter_zone("cairo")
