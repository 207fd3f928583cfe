"""What the command line's chapters share: how it speaks, how it fails, and the switches that many tools have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pbem import games

out = Console(soft_wrap=True, highlight=False, markup=False)
err = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)

ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="The configuration file (default: $PBEM_CONFIG or ./pbem.toml)."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Lang = Annotated[str, typer.Option("--lang", help="en or fr.")]
GAME_HELP = f"The name of its rules: {', '.join(games.names())}."


def fail(text: str) -> NoReturn:
    """Say what is wrong and end with status 1."""
    err.print(f"pbem: {text}")
    raise typer.Exit(1)


def bar() -> Progress:
    """The progress bar of long work, on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True)


def known_game(name: str) -> str:
    """A game that exists, or the end of the command."""
    if name not in games.names():
        fail(f"there is no game {name!r}; there are: {', '.join(games.names())}")
    return name


def options_of(pairs: list[str] | None) -> dict[str, str]:
    """`name=value` pairs as a dictionary."""
    options = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            fail(f"an option is written name=value, not {pair!r}")
        options[name] = value
    return options


def first_scenario(game: str, scenario: str) -> str:
    """The scenario named, or the game's first."""
    scenarios = games.load(game).scenarios
    if not scenario:
        return next(iter(scenarios))
    if scenario not in scenarios:
        fail(f"{game} has no scenario {scenario!r}; it has: {', '.join(scenarios)}")
    return scenario


def moderator_of(config: Path | None) -> Any:
    """The moderator that a configuration describes, or the end of the command."""
    from pbem.server import config as configs
    from pbem.server.wiring import moderator

    try:
        return moderator(configs.load(configs.find(config), without=configs.POST))
    except configs.BadConfig as error:
        fail(str(error))
