"""Where the files that come along are: beside the package in a checkout, inside it in a wheel.

The files of a game lie with ours under its name (`scenarios/<game>`, `templates/<lang>/<game>.toml`, `docs/rules`), or,
where the game is a package of its own, in that package: `data`, `phrases/<lang>.toml`, `rules/<lang>.md`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
GAMES, USUAL = "pbem.games", "pbem.usual"
"""The groups of entry points: the games, and the one that is shown to whoever names none."""


def _folder(inside: str, beside: str) -> Path:
    packed = _PACKAGE / inside
    return packed if packed.is_dir() else _PACKAGE.parent / beside


def templates() -> Path:
    """The folder of Jinja2 templates and phrase catalogues."""
    return _folder("_templates", "templates")


def scenarios() -> Path:
    """The folder of boards, pieces, cards and set-ups, one sub-folder a game."""
    return _folder("_scenarios", "scenarios")


def rules() -> Path:
    """The folder of the rules in our own words, one Markdown file a game and language."""
    return _folder("_rules", "docs/rules")


@cache
def _declared(group: str) -> dict[str, str]:
    """What is declared under a group: name and `module:attribute`; in a checkout pyproject.toml has the last word."""
    found = {point.name: point.value for point in entry_points(group=group)}
    file = _PACKAGE.parent / "pyproject.toml"
    if not (_PACKAGE / "_templates").is_dir() and file.is_file():
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        found.update(project["entry-points"].get(group, {}))
    return found


def games() -> dict[str, str]:
    """The games that are installed, each with its rules as `module:attribute`."""
    return dict(_declared(GAMES))


def usual_game() -> str:
    """The game that is shown to whoever names none; empty where none is installed."""
    return next(iter({**_declared(USUAL), **_declared(GAMES)}), "")


@cache
def game_package(game: str) -> Path:
    """The folder of a game's code. Raises LookupError where no such game is installed."""
    spec = find_spec(games()[game].partition(":")[0])
    if spec is None or spec.origin is None:
        raise LookupError(game)
    return Path(spec.origin).parent


def _of_game(game: str, ours: Path, inside: str) -> Path:
    return game_package(game) / inside if game in games() and not ours.exists() else ours


def game_data(game: str) -> Path:
    """The folder of a game's board, pieces, cards, words and set-ups."""
    return _of_game(game, scenarios() / game, "data")


def game_phrases(game: str, lang: str) -> Path:
    """The file of what a game's letters say in a language."""
    return _of_game(game, templates() / lang / f"{game}.toml", f"phrases/{lang}.toml")


def game_rules(game: str, lang: str) -> Path:
    """The file of a game's rules in a language, in our own words."""
    return _of_game(
        game, rules() / (f"{game}.md" if lang == "en" else f"{game}.{lang}.md"), f"rules/{lang}.md"
    )
