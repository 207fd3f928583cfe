"""Seven views and planted secrets: nothing of a seat is shown to another."""

from __future__ import annotations

from typing import Any

import pytest

from pbem import games
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.game import Game
from tests.games.crowns import leaks


@pytest.mark.parametrize("seed", range(1, 9))
def test_random_games_leak_nothing(seed: int) -> None:
    assert leaks.play(seed) > 20


def test_a_leak_would_be_found() -> None:
    game: Game[Any] = Game.start(games.load("crowns"), "seven", {}, Seeded(1))
    leaks.search(game, [], "en")
    game._views["france"] = game.state
    with pytest.raises(AssertionError, match="france sees"):
        leaks.search(game, [], "en")
