"""A whole game as a file: set-up, answers and draws, to be played again by anyone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.campaign.table.corrections import Correction, corrected
from pbem.kernel.chance import Chance, Draw, Recorded
from pbem.kernel.game import Checkpoint, Game, Given
from pbem.kernel.order import answer_from_data, answer_to_data
from pbem.kernel.rules import Rules

FORMAT = "pbem-game/1"


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer of a playback."""

    key: str
    seat: str
    answer: list[dict[str, Any]]
    origin: str = "letter"
    by: str = ""


class Playback(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game as its answers."""

    game: str
    scenario: str
    options: dict[str, str] = {}
    answers: list[Turn] = []
    draws: list[Draw] = []
    failure: str = ""
    format: str = FORMAT
    corrections: list[Correction] = []

    def rules(self) -> Rules[Any]:
        """The rules of the game."""
        return games.load(self.game)


def turn(given: Given) -> Turn:
    """An answer for a playback."""
    return Turn(given.key, given.seat, answer_to_data(given.answer), given.origin, given.by)


def given(turn: Turn, rules: Rules[Any]) -> Given:
    """An answer of a playback, as the kernel takes it."""
    return Given(turn.key, turn.seat, answer_from_data(turn.answer, rules.orders), turn.origin, turn.by)


def steps(playback: Playback, chance: Chance | None = None) -> Iterator[Game[Any]]:
    """The game after its set-up, and after each answer: the same object, unless a position was corrected."""
    rules = playback.rules()
    chance = chance or Recorded(playback.draws)
    game = _put_right(Game.start(rules, playback.scenario, playback.options, chance), playback, chance)
    yield game
    for item in playback.answers:
        game.give(given(item, rules))
        game = _put_right(game, playback, chance)
        yield game


def _put_right(game: Game[Any], playback: Playback, chance: Chance) -> Game[Any]:
    for correction in playback.corrections:
        if correction.answers == game.answers:
            before = game.last_checkpoint
            state = msgspec.json.encode(corrected(game.rules, before.state, correction))
            game = Game(game.rules, Checkpoint(before.answers, before.events, state), chance)
    return game


def play(playback: Playback, chance: Chance | None = None) -> Game[Any]:
    """The game after its last answer, with the draws on record unless another source is given."""
    (game,) = deque(steps(playback, chance), maxlen=1)
    return game


def of(
    game: Game[Any], scenario: str, options: dict[str, str], answers: Sequence[Given], failure: str = ""
) -> Playback:
    """The playback of a game in play whose draws are all on record."""
    draws = list(game.table.chance.draws.values()) if isinstance(game.table.chance, Recorded) else []
    return Playback(
        game.rules.name, scenario, dict(options), [turn(item) for item in answers], draws, failure
    )


def write(playback: Playback, file: Path) -> None:
    """Write a playback."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.json.format(msgspec.json.encode(playback), indent=1))


def read(file: Path) -> Playback:
    """Read a playback. Raises ValueError with what is wrong."""
    try:
        playback = msgspec.json.decode(file.read_bytes(), type=Playback)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{file.name} is not a game: {error}") from error
    if playback.format != FORMAT:
        raise ValueError(f"{file.name} has the format {playback.format!r}, not {FORMAT!r}")
    return playback
