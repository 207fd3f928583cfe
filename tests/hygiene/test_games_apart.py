"""A game touches its own folders only: nothing else knows any game by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import paths

TOP = Path(__file__).parent.parent.parent
GAMES = TOP / "pbem" / "games"
NAMES = sorted({*paths.games(), *(path.name for path in GAMES.iterdir() if (path / "__init__.py").is_file())})


def files_of_nobody() -> Iterator[Path]:
    for folder, kinds in (("pbem", ".py"), ("templates", ".toml .jinja .js .html .py .md"), ("deploy", "")):
        for path in sorted((TOP / folder).rglob("*")):
            own = path.stem in NAMES or any(path.is_relative_to(GAMES / name) for name in NAMES)
            if path.is_file() and not own and (not kinds or path.suffix in kinds.split()):
                yield path


def test_there_are_games_to_look_for() -> None:
    assert {"leipzig", "ccn", "nce"} <= set(NAMES)
    assert len(list(files_of_nobody())) > 200


@pytest.mark.parametrize("name", NAMES)
def test_nothing_knows_a_game_by_name(name: str) -> None:
    word = re.compile(rf"\b{name}(-\d+)?\b|\b{name}_|_{name}\b")
    found = [
        f"{path.relative_to(TOP)}:{number}: {line.strip()[:80]}"
        for path in files_of_nobody()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if word.search(line)
    ]
    assert not found, "\n".join(found)
