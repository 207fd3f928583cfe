"""`pbem init` and `pbem list`: what somebody needs who begins."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.console import AsJson, ConfigFile, Lang, fail, known_game, out

if TYPE_CHECKING:
    from pbem.kernel.rules import Rules
    from pbem.server.first_config import Choices

PASSWORD_FILE = "mail-password"


def init(
    address: Annotated[str, typer.Option(help="The mailbox that players write to.")] = "",
    imap: Annotated[str, typer.Option(help="HOST[:PORT] of the server that letters are fetched from.")] = "",
    smtp: Annotated[str, typer.Option(help="HOST[:PORT] of the server that letters are sent by.")] = "",
    maildir: Annotated[str, typer.Option(help="A Maildir instead of IMAP.")] = "",
    user: Annotated[str, typer.Option(help="The name to log in by; the address if not given.")] = "",
    password_env: Annotated[
        str, typer.Option(help="The environment variable that will hold the password.")
    ] = "",
    password_file: Annotated[str, typer.Option(help="A file of mode 600 that holds the password.")] = "",
    ca_file: Annotated[
        str, typer.Option(help="The authority's certificate, where the servers have one of their own.")
    ] = "",
    plus: Annotated[
        bool | None,
        typer.Option("--plus/--no-plus", help="Whether moderator+ANYTHING@ reaches the mailbox too."),
    ] = None,
    lang: Annotated[str, typer.Option(help="en or fr: of letters to strangers.")] = "",
    dice: Annotated[str, typer.Option(help="auto, beacon or chain; see docs/dice.md.")] = "",
    keeper: Annotated[str, typer.Option(help="Your own address, for what a person has to look at.")] = "",
    database: Annotated[str, typer.Option(help="Its URL; SQLite beside the configuration if none.")] = "",
    config: ConfigFile = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a configuration that is there.")] = False,
    check: Annotated[bool, typer.Option("--check/--no-check", help="Try it with the doctor.")] = True,
) -> None:
    """Write a first configuration, try it, and say what comes next. It asks for what no switch says.

    Example: pbem init --address moderator@example.org --imap mail.example.org --smtp mail.example.org:587
    """
    from pbem.server import config as configs
    from pbem.server import first_config

    file = configs.find(config)
    if file.exists() and not force:
        fail(f"{file} is there already; --force writes over it, -c FILE writes another")
    asks = _somebody_there()
    try:
        address = first_config.check_address(address or _asked(asks, "Address of the moderator", "--address"))
        known = first_config.provider_of(address)
        if asks and known.advice:
            out.print(known.advice)
        if not maildir:
            imap = imap or _asked(asks, "IMAP server, HOST:PORT", "--imap", known.imap)
        smtp = smtp or _asked(asks, "SMTP server, HOST:PORT", "--smtp", known.smtp)
        user = user or (typer.prompt("User name", address) if asks else address)
        if not password_env and not password_file:
            password_file = _password(asks, file.parent)
        if plus is None:
            question = f"Do letters to {address.replace('@', '+test@', 1)} arrive there too"
            plus = typer.confirm(question, known.plus_address) if asks else known.plus_address
        lang = _one_of("Language of letters to strangers", lang, ("en", "fr"), asks, "--lang")
        dice = _one_of("Dice", dice, ("auto", "beacon", "chain"), asks, "--dice")
        if asks and not keeper:
            keeper = typer.prompt("Your own address, for what a person has to look at (may be empty)", "")
        choices = first_config.Choices(
            address,
            file.parent,
            imap,
            smtp,
            maildir,
            user,
            password_env,
            password_file,
            ca_file,
            plus,
            lang,
            dice,
            keeper,
            database,
            known.authserv_id,
        )
        first_config.write(file, first_config.text_of(choices))
    except (first_config.BadChoice, OSError) as error:
        fail(str(error))
    out.print(f"{file} is written.")
    good = _tried(file) if check else True
    for line in _next(choices, file, good=good):
        out.print(line)
    raise typer.Exit(0 if good else 1)


def _somebody_there() -> bool:
    """Whether questions would be answered."""
    return sys.stdin.isatty()


def _asked(asks: bool, text: str, switch: str, usual: str = "") -> str:
    """What is answered to a question; where nobody can be asked, what is usual, or the end of the command."""
    if asks:
        said: str = typer.prompt(text, usual or None)
        return said
    if not usual:
        fail(f"{switch} is missing, and there is nobody to ask")
    return usual


def _one_of(text: str, chosen: str, values: tuple[str, ...], asks: bool, switch: str) -> str:
    chosen = chosen or (typer.prompt(f"{text} ({', '.join(values)})", values[0]) if asks else values[0])
    if chosen not in values:
        fail(f"{switch} is one of {', '.join(values)}, not {chosen!r}")
    return chosen


def _password(asks: bool, folder: Path) -> str:
    """The name of a file with the password that was asked for. Raises OSError."""
    from pbem.server import first_config

    file = folder / PASSWORD_FILE
    if not asks:
        if file.exists():
            return str(file)
        fail("--password-env or --password-file is missing, and there is nobody to ask")
    if file.exists() and typer.confirm(f"Use the password in {file}", True):
        return str(file)
    first_config.write(file, typer.prompt("Password of the mailbox (not shown)", hide_input=True) + "\n")
    out.print(f"It is kept in {file}, which only you can read.")
    return str(file)


def _tried(file: Path) -> bool:
    """Whether the doctor finds nothing wrong; what he finds is printed."""
    import asyncio

    from pbem.server import doctor

    findings = asyncio.run(doctor.examine(file))
    for finding in findings:
        out.print(doctor.told(finding))
    return all(finding.ok for finding in findings)


def _next(choices: Choices, file: Path, *, good: bool) -> list[str]:
    """What to do after the configuration is written."""
    from pbem import games
    from pbem.server.config import DEFAULT_FILE

    switch = "" if file == DEFAULT_FILE else f" -c {file}"
    game = games.usual()
    lines = [""]
    if not good:
        lines.append(f"First mend what is BAD: edit {file}, and try again with: pbem doctor{switch}")
    lines.append("Next:")
    if choices.password_env:
        lines.append(f"  export {choices.password_env}=…            (the password of the mailbox)")
    return [
        *lines,
        f"  pbem serve{switch}            (leave it running)",
        "  pbem list                        (games, scenarios, options)",
        f"  pbem announce {game}{switch}            (players JOIN by letter to {choices.address})",
        "or, with the players at hand, one --seat for each (pbem new --help):",
        f"  pbem new {game}{switch} {_seats(game)}",
    ]


def _seats(game: str) -> str:
    from pbem import games

    if not game:
        return "--seat SEAT=ADDRESS,NAME,LANG"
    scenario = next(iter(games.load(game).scenarios.values()))
    return " ".join(f"--seat {seat}=ADDRESS,NAME,LANG" for seat in scenario.seats)


def list_games(
    game: Annotated[str, typer.Argument(help="Only this game.")] = "",
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """List what can be played: games, their scenarios with the seats, and their options, one a line."""
    from pbem import games

    chosen = [known_game(game)] if game else list(games.names())
    for name in chosen:
        rules = games.load(name)
        if as_json:
            out.print(json.dumps(_data(rules)))
        else:
            for line in _told(rules, "fr" if lang == "fr" else "en"):
                out.print(line)


def _told(rules: Rules[object], lang: str) -> list[str]:
    """A game's lines: the scenario first named is the one that is played where none is chosen."""
    lines = [f"{rules.name}: {rules.titles[lang]}"]
    for scenario in rules.scenarios.values():
        said = scenario.fr if lang == "fr" else scenario.en
        lines.append(f"  --scenario {scenario.name:16} {said} ({', '.join(scenario.seats)})")
    for option in rules.options:
        said = option.fr if lang == "fr" else option.en
        values = "|".join(option.values) or "VALUE"
        lines.append(f"  --option {option.name}={values}  {said}")
    return lines


def _data(rules: Rules[object]) -> dict[str, object]:
    return {
        "game": rules.name,
        "titles": dict(rules.titles),
        "scenarios": [
            {"name": one.name, "en": one.en, "fr": one.fr, "seats": list(one.seats)}
            for one in rules.scenarios.values()
        ],
        "options": [
            {"name": one.name, "values": list(one.values), "en": one.en, "fr": one.fr}
            for one in rules.options
        ],
    }


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(init)
    app.command("list")(list_games)
