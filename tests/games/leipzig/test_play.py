"""What a case cannot say: problems with their nearest orders, plans, letters that stop, scores with their reasons."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from pbem.games.leipzig import RULES
from pbem.games.leipzig import cases as positions
from pbem.games.leipzig.board import BOARD
from pbem.games.leipzig.cases import BadCase, verify
from pbem.games.leipzig.choices import single_orders
from pbem.games.leipzig.events import MissionScored, OrderFailed
from pbem.games.leipzig.orders import (
    DrawPile,
    Move,
    PlaceFirst,
    PlayArmy,
    PlayScout,
    PlayTerrain,
    PlayTime,
    RevealOrder,
    Take,
)
from pbem.games.leipzig.plan import Actions
from pbem.games.leipzig.scoring import score_missions
from pbem.games.leipzig.state import State
from pbem.kernel.chance import Recorded
from pbem.kernel.drawing import Arrow, Counter, Marker, Objective
from pbem.kernel.game import LETTER, Checkpoint, Game, Given
from pbem.kernel.order import Answer, Condition, If, Test
from tests.games.leipzig.helpers import Pseudo, new, play_out

build = partial(positions.build, "battle", {})


def take_up(state: State, seed: int = 1) -> Game[State]:
    return Game(RULES, Checkpoint(0, 0, msgspec.json.encode(state)), Recorded(beyond=Pseudo(seed)))


def give(game: Game[State], answer: Answer) -> None:
    question = next(q for key, q in game.questions.items() if not game.answered(key))
    assert question.check(game.view(question.seat), answer) == []
    game.give(Given(question.key, question.seat, answer, LETTER))


def actions(game: Game[State]) -> Actions:
    (question,) = game.questions.values()
    assert isinstance(question, Actions)
    return question


def test_exactly_three_destinations_are_open_to_langeron() -> None:
    # rule 3.3: example E3
    state = build(
        {
            "side": "allied",
            "markers": {"langeron": ["breitenfeld", "klein_wiederitzsch"]},
            "hands": {"allied": ["infantry_or_cavalry"]},
        }
    )
    found = {o.to for o in single_orders(state) if isinstance(o, Move) and o.start == "breitenfeld"}
    assert found == {"lindenthal", "podelwitz", "radefeld"}


def test_problems_name_the_line_the_rule_and_the_nearest_legal_orders() -> None:
    # rule 3
    state = build(
        {"markers": {"murat": ["wachau", "zuckelhausen"]}, "hands": {"french": ["cavalry", "hill"]}}
    )
    game = take_up(state)
    question = actions(game)
    answer = (DrawPile(), Move("murat", "leipzig", "wachau"), PlayTerrain("murat", "zuckelhausen", "plain"))
    problems = question.check(game.view("french"), answer)
    assert [(p.code, p.rule, p.order) for p in problems] == [
        ("not_adjacent", "3.3", 1),
        ("card_unknown", "3.2", 2),
    ]
    nearest = problems[0].nearest[0]
    assert isinstance(nearest, Move)
    assert (nearest.army, nearest.start) == ("murat", "wachau")
    assert problems[1].nearest[0] == PlayTerrain("murat", "wachau", "hill")


def test_both_branches_of_a_plan_are_rehearsed() -> None:
    # rule 3
    state = build({"markers": {"murat": ["wachau", "zuckelhausen"]}, "row": ["hill"], "pile": ["forest"]})
    game = take_up(state)
    question, view = actions(game), game.view("french")
    if_hill = Condition((Test("drawn", "=", "hill"),))
    good = (DrawPile(), If(if_hill, (PlayTerrain("murat", "wachau", "hill"),), (Take("hill"),)))
    assert question.check(view, good) == []
    wrong_then = (DrawPile(), If(if_hill, (PlayTerrain("murat", "wachau", "plain"),), (Take("hill"),)))
    assert [(p.code, p.order) for p in question.check(view, wrong_then)] == [("wrong_terrain", 1)]
    wrong_else = (DrawPile(), If(if_hill, (Take("hill"),), (Take("river"),)))
    assert [(p.code, p.order) for p in question.check(view, wrong_else)] == [("not_in_row", 1)]
    enough = If(Condition((Test("hill", ">=", 1),)), (PlayTerrain("murat", "wachau"),), (DrawPile(),))
    assert question.check(view, (DrawPile(), enough)) == []
    nothing = (If(Condition((Test("time", ">", 40),)), (PlayTime(),)),)
    assert [p.code for p in question.check(view, nothing)] == ["plan_may_do_nothing"]


def test_an_order_that_is_no_longer_possible_stops_the_letter_and_the_rest_is_asked_anew() -> None:
    # rule 3
    markers = {
        "murat": ["wachau", "zuckelhausen"],
        "ney": ["zuckelhausen", "gohlis"],
        "yorck": ["zuckelhausen", "gohlis"],
        "bertrand": ["leipzig", "lindenau", "leutzsch"],
        "macdonald": ["holzhausen", "baalsdorf", "liebertwolkwitz"],
    }
    game = take_up(build({"markers": markers, "hands": {"french": ["hill"]}}))
    # The rehearsal places Ney, as silence would, whose scout card serves the last line; but then the player
    # lets Yorck be placed first, and Ney is lost.
    scouts = (PlayScout("bertrand", "leipzig"), PlayScout("macdonald", "holzhausen"))
    give(game, (PlayTerrain("murat", "wachau"), *scouts))
    game.take_told()
    give(game, (PlaceFirst("yorck"),))
    assert game.state.armies["ney"].status == "lost"
    assert game.state.armies["bertrand"].markers == ["lindenau", "leutzsch"]
    assert len(game.state.armies["macdonald"].markers) == 3
    (failed,) = [told for told in game.take_told() if isinstance(told.event, OrderFailed)]
    assert isinstance(failed.event, OrderFailed)
    assert (failed.to, failed.event.number, failed.event.code) == (("french",), 3, "no_scout")
    assert (actions(game).key, actions(game).left) == ("g1/t1/french/actions/2", 3)


def test_a_question_asked_again_at_the_same_point_has_another_key() -> None:
    # rule 3
    markers = {"murat": ["wachau", "zuckelhausen"], "ney": ["zuckelhausen", "gohlis"]}
    game = take_up(build({"markers": markers, "hands": {"french": ["hill"]}}))
    first = actions(game)
    game.give(Given(first.key, "french", (PlayTime(),), LETTER))
    assert actions(game).key == f"{first.key}/1"


def test_the_reasons_of_a_score_add_up() -> None:
    # rule 6.1, 6.2: examples E8 and E9
    e8 = build(
        {
            "tiles": {
                "poniatowski": "wachau",
                "ney": "liebertwolkwitz",
                "macdonald": "dolitz",
                "langeron": "guldengossa",
                "bennigsen": "gautzsch",
            },
            "strengths": {"poniatowski": 2, "ney": 4, "langeron": 3},
            "revealed": ["m07"],
        }
    )
    (scored,) = score_missions(e8, {}, {})
    assert (scored.french, scored.allied, scored.winner) == (6, 3, "french")
    assert [share.army for share in scored.french_shares] == ["poniatowski", "ney"]
    assert [(m.name, m.value) for m in scored.modifiers] == [
        ("stands_poniatowski", 2),
        ("supports_ney", 4),
        ("against_langeron", 3),
    ]
    e9 = build(
        {
            "tiles": {
                "bertrand": "mockau",
                "schwarzenberg": "portitz",
                "poniatowski": "klein_wiederitzsch",
                "ney": "eutritzsch",
                "macdonald": "lindenthal",
                "langeron": "mockern",
                "bennigsen": "gohlis",
            },
            "revealed": ["m01", "m02"],
        }
    )
    bertrand, poniatowski = score_missions(e9, {}, {})
    assert [share.army for share in bertrand.french_shares] == ["bertrand"]
    assert [share.army for share in bertrand.allied_shares] == ["schwarzenberg"]
    assert {share.army for share in poniatowski.french_shares} == {"poniatowski", "ney", "macdonald"}
    assert [share.army for share in poniatowski.allied_shares] == ["langeron"]


def test_every_score_of_a_game_is_the_sum_of_its_reasons() -> None:
    # rule 6.3, 7
    game = new(12, {"advanced": "yes"})
    play_out(game, 12, robots={"french": "sensible", "allied": "sensible"})
    scored = [told.event for told in game.take_told() if isinstance(told.event, MissionScored)]
    assert len(scored) == 5
    for event in scored:
        against = {share.army for share in event.allied_shares}
        french = sum(m.value for m in event.modifiers if m.name.split("_", 1)[1] not in against)
        allied = sum(m.value for m in event.modifiers if m.name.split("_", 1)[1] in against)
        assert (french, allied) == (event.french, event.allied)


def test_standing_orders_settle_a_turn_without_a_letter() -> None:
    # rule 4.2, 9
    given = {"time": 8, "side": "allied", "missions": ["m01", "m06", "m11", "m16", "m21"]}
    game = take_up(build({**given, "hands": {"allied": ["time"]}}))
    give(game, (PlayTime(),))
    settled = game.settle(lambda seat: [RevealOrder(("m16",))] if seat == "french" else [])
    assert [(s.seat, s.origin) for s in settled] == [("french", "standing")]
    assert game.state.revealed == ["m16"]


def test_a_match_exchanges_the_sides_and_compares_napoleons() -> None:
    # rule 6.5
    game = new(2, {"match": "yes"})
    play_out(game, 2)
    state = game.state
    assert [result.napoleon for result in state.results] == ["french", "allied"]
    outcome = RULES.outcome(state)
    assert outcome is not None
    assert outcome.points == {"french": state.results[0].french, "allied": state.results[1].french}
    equal = msgspec.structs.replace(
        state, results=[msgspec.structs.replace(r, french=9) for r in state.results]
    )
    drawn = RULES.outcome(equal)
    assert drawn is not None
    assert drawn.winners == ()


def test_nothing_legal_loses_the_rest_of_the_turn() -> None:
    # rule 3
    others = [army for army in BOARD.armies if army != "murat"]
    state = build({"markers": {"murat": ["wachau", "zuckelhausen"]}, "lost": others, "rest": "discard"})
    state.removed, state.discard = state.discard, []
    game = take_up(state)
    told = [entry.event.kind() for entry in game.take_told()]
    assert told[:2] == ["turn_begins", "actions_lost"]
    assert game.state.side == "allied"


def test_the_map_shows_what_the_seat_may_know() -> None:
    # rule 1.5
    state = build(
        {
            "tiles": {"murat": "wachau"},
            "strengths": {"murat": 3},
            "markers": {"yorck": ["mockern", "wahren"]},
            "missions": ["m06", "m11", "m16", "m21"],
            "revealed": ["m07"],
            "time": 10,
            "row": ["hill", "time", "plain", "river"],
            "steps": [{"army": "yorck", "start": "lindenthal", "to": "mockern"}],
        }
    )
    french = RULES.drawing(RULES.view(state, "french"), "french", "fr")
    allied = RULES.drawing(RULES.view(state, "allied"), "allied", "en")

    def areas(marks: tuple[object, ...]) -> set[str]:
        return {mark.area for mark in marks if isinstance(mark, Objective)}

    assert areas(french.marks) == {"wachau", "probstheida", "lindenau", "molkau", "leipzig"}
    assert areas(allied.marks) == {"wachau"}
    (counter,) = [mark for mark in allied.marks if isinstance(mark, Counter)]
    assert (counter.value, counter.pill, counter.worn) == ("3", "Murat", True)
    assert {m.area for m in allied.marks if isinstance(m, Marker)} == {"mockern", "wahren"}
    assert [(m.from_area, m.to_area) for m in allied.marks if isinstance(m, Arrow)] == [
        ("lindenthal", "mockern")
    ]
    assert allied.track is not None
    assert allied.track.steps[allied.track.current].label == ""
    assert allied.track.steps[9].label == "15.10."


def test_cases_name_what_is_not_there() -> None:
    with pytest.raises(BadCase, match="atlantis"):
        build({"tiles": {"murat": "atlantis"}})
    with pytest.raises(BadCase, match="nobody"):
        build({"tiles": {"nobody": "wachau"}})
    state = build({"tiles": {"murat": "wachau"}})
    assert verify(state, {"tiles": {"wachau": "murat"}, "time": 0}) == []
    assert verify(state, {"tiles": {"wachau": "ney"}}) == ["tiles.wachau is 'murat', not 'ney'"]
    assert PlayArmy("ney").text(RULES.vocabulary, "fr") == "armée Ney"
