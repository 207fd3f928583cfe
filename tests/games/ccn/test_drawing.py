"""The map shows the position, the turn that was played, and nothing that is hidden."""

import random

from pbem.games.ccn import RULES
from pbem.games.ccn.drawing import draw
from pbem.games.ccn.standing import DEFAULTS
from pbem.kernel.drawing import Block, HexFight, HexLoss, HexMove, Objective
from pbem.reports.map import svg
from tests.games.ccn.play import answer_one, new


def test_blocks_leaders_objectives_and_banners_of_a_set_up() -> None:
    state = new(1, "salamanca_1812").state
    sheet = draw(RULES.view(state, "french"), "french", "fr").hexes
    assert sheet is not None
    blocks = [mark for mark in sheet.marks if isinstance(mark, Block)]
    assert len(blocks) == len(state.units)
    assert {block.leader for block in blocks if block.leader} >= {"Marmont", "Wellington", "Thomières"}
    assert {mark.area for mark in sheet.marks if isinstance(mark, Objective)} == {"F4", "D7"}
    assert sheet.board.near == "top"
    assert sheet.bottom is not None
    assert (sheet.bottom.label, sheet.bottom.target) == ("Alliés", 7)


def test_a_turn_leaves_its_moves_fights_and_losses_on_the_map() -> None:
    kinds = set()
    game = new(3, "salamanca_1812")
    whim = random.Random(3)
    for _ in range(12):
        game.settle(lambda seat: list(DEFAULTS))
        if game.over:
            break
        answer_one(game, "sensible", whim)
        sheet = draw(game.view("allied"), "allied", "en").hexes
        assert sheet is not None
        kinds |= {type(mark) for mark in sheet.marks}
    assert {HexMove, HexFight, HexLoss} <= kinds
    assert "<svg" in svg(draw(game.view("allied"), "allied", "en"))


def test_the_map_is_the_same_for_all_but_for_the_edge() -> None:
    # rule 1.10
    game = new(2)
    one, two = (draw(game.view(seat), None, "en") for seat in ("allied", "french"))
    assert one == two
