"""Where the files that come along are: beside the package in a checkout, inside it in a wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


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
    """The folder of the rules in our own words, one Markdown file a game."""
    return _folder("_rules", "docs/rules")


def game_data(game: str) -> Path:
    """The folder of a game's board, pieces, cards and set-ups."""
    return scenarios() / game
