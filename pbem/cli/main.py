"""The command line. `pbem --help` lists the tools; `pbem TOOL --help` teaches each."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from pbem import __version__, games
from pbem.cli import beginning, hosting, tools
from pbem.console import (
    GAME_HELP,
    AsJson,
    ConfigFile,
    err,
    fail,
    first_scenario,
    known_game,
    moderator_of,
    options_of,
    out,
)

app = typer.Typer(
    name="pbem",
    help="A neutral moderator for board wargames played by mail, with dice that anyone can verify.\n\n"
    "Start with «pbem demo», which plays a whole game by real letters on this machine; then «pbem init», "
    "«pbem serve» and «pbem announce» or «pbem new» to run games of your own.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more while working.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Set the tone of what follows."""
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(levelname)s %(message)s"
    )
    if version:
        out.print(f"pbem {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        out.print(context.get_help(), markup=False, highlight=False)
        raise typer.Exit(2)


@app.command()
def serve(
    config: ConfigFile = None,
    once: Annotated[
        bool, typer.Option("--once", help="Take in what lies there, send what is due, and end.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only what goes wrong.")] = False,
) -> None:
    """Run the moderator: fetch letters, play, send reports, until interrupted.

    Each letter is told of in one line, in or out, never what it says.
    """
    import asyncio
    import signal

    from pbem.server import config as configs
    from pbem.server.wiring import build

    try:
        settings = configs.load(configs.find(config))
    except configs.BadConfig as error:
        fail(str(error))

    if not quiet:
        logging.getLogger("pbem").setLevel(logging.INFO)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    async def run() -> None:
        service = build(settings)
        async with service as daemon:
            if once:
                await daemon.fetch()
                await daemon.draw()
                daemon.tick()
                while await daemon.send_due():
                    pass
                return
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, daemon.stop)
            err.print(f"pbem {__version__}: serving {settings.moderator.address}; Ctrl-C ends.")
            await daemon.run()

    asyncio.run(run())


@app.command()
def new(
    game: Annotated[str, typer.Argument(help=GAME_HELP)],
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", help="SEAT=ADDRESS[,NAME[,LANG]]; once for each seat."),
    ] = None,
    scenario: Annotated[str, typer.Option(help="The set-up; the game's first if not given.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE; see pbem rules GAME.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="The name of this game; its rules with a number if not given.")
    ] = "",
    dice: hosting.Dice = "",
    muster: Annotated[
        bool, typer.Option("--muster", help="Ask the players first, and for a word that goes into the dice.")
    ] = False,
    calendar: hosting.CalendarFile = None,
    deadline: hosting.Deadline = "",
    master: hosting.Masters = None,
    sighted: Annotated[bool, typer.Option("--sighted", help="The game master sees everything.")] = False,
    press: hosting.Press = "white",
    release: hosting.Release = "once",
    limit: hosting.Limit = 20,
    couriers: hosting.Riders = "",
    objections: hosting.Objections = 0,
    votes: hosting.Votes = "unanimous",
    observers: hosting.Onlookers = False,
    thread: hosting.Thread = "",
    orders: hosting.OrdersWhere = "either",
    edits: hosting.Edits = "ignore",
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Begin a game: its players get their first letters as soon as «pbem serve» runs.

    Example: pbem new GAME --seat french=anne@example.org,Anne,fr --seat allied=bob@example.org,Bob. A member of
    a board is written NAME@BOARD: --seat allied=bob@consim,Bob
    """
    import asyncio

    from pbem.campaign.intake.moderator import BadGame, Player
    from pbem.server import config as configs
    from pbem.server.forums import address_of
    from pbem.server.wiring import moderator, source

    known_game(game)
    players: dict[str, Player] = {}
    for text in seat or []:
        which, equals, rest = text.partition("=")
        address, _, more = rest.partition(",")
        person, _, lang = more.partition(",")
        if not equals or not address:
            fail(f"a seat is written SEAT=ADDRESS,NAME,LANG, not {text!r}")
        players[which] = Player(person or address.partition("@")[0], address, lang or "en")
    try:
        settings = configs.load(configs.find(config), without=configs.MAIL)
        players = {
            which: msgspec.structs.replace(player, address=asyncio.run(address_of(settings, player.address)))
            for which, player in players.items()
        }
        hosting.check_thread(settings, thread)
        opening, scenario = moderator(settings).opening, first_scenario(game, scenario)
        how: hosting.Opened = {
            "calendar": hosting.calendar_of(calendar, deadline, settings.calendar),
            "masters": hosting.people_of(master),
            "sighted": sighted,
            "source": (chosen := source(settings, dice)),
            "customs": hosting.customs_of(
                press, release, limit, couriers, objections, votes, observers, thread, orders, edits
            ),
        }
        if muster:
            made = opening.announce(game, scenario, options_of(option), game_id=name, players=players, **how)
        else:
            made = opening.open_game(game, scenario, options_of(option), players, name, **how)
    except (configs.BadConfig, BadGame) as error:
        fail(str(error))
    said = "musters; its letters" if muster else "begins; its first letters"
    out.print(json.dumps({"game": made}) if as_json else f"{made} {said} are in the outbox.")
    if not as_json:
        hosting.say_when(how["calendar"])
        out.print(hosting.dice_told(chosen, dice, settings))


@app.command("log")
def export_log(
    game: Annotated[str, typer.Argument(help="The name of a game: war-7.")],
    file: Annotated[Path, typer.Option("--out", "-o", help="Where to; - for standard output.")] = Path("-"),
    config: ConfigFile = None,
) -> None:
    """Export a game's log as JSON Lines: what «pbem audit» and anybody else can check. It holds no secret."""
    import io

    from pbem.dice.log import entries as dicelog
    from pbem.store.engine import NoSuchGame, StoreError

    store = moderator_of(config).store
    buffer = io.BytesIO()
    try:
        dicelog.export(store.entries(store.game(game).id), buffer)
    except StoreError as error:
        fail(f"no game {error}" if isinstance(error, NoSuchGame) else str(error))
    if str(file) == "-":
        sys.stdout.buffer.write(buffer.getvalue())
    else:
        file.write_bytes(buffer.getvalue())
        err.print(f"{file}: {buffer.getvalue().count(10)} entries")


@app.command("import")
def import_letters(
    files: Annotated[
        list[Path], typer.Argument(help="Letters as .eml files, folders of them, or a Maildir.")
    ],
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Take in letters from files, as if they had come by mail. A letter that came before changes nothing."""
    from pbem.letters.message import Message

    moderator = moderator_of(config)
    for path in files:
        folders = [path / "new", path / "cur"] if (path / "new").is_dir() else [path]
        found = [
            file for folder in folders for file in (sorted(folder.iterdir()) if folder.is_dir() else [folder])
        ]
        for file in found:
            if not file.is_file():
                fail(f"{file}: there is no such file")
            handled = moderator.handle(Message(file.read_bytes(), f"file:{file.name}"))
            if as_json:
                out.print(json.dumps({"file": file.name, "status": handled.status, "game": handled.game}))
            else:
                out.print(f"{file.name}: {handled.status} {handled.game}".rstrip())


@app.command()
def backup(
    file: Annotated[
        Path, typer.Argument(help="The file to write; it holds the seeds of all games: keep it secret.")
    ],
    config: ConfigFile = None,
) -> None:
    """Write everything the moderator knows to one file, while it runs, from either database."""
    from pbem.store import backup as backups
    from pbem.store.engine import StoreError

    try:
        summary = backups.backup(moderator_of(config).store, file)
    except (StoreError, OSError) as error:
        fail(str(error))
    out.print(f"{file}: {summary.games} games, {summary.rows} rows")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that «pbem backup» wrote.")],
    config: ConfigFile = None,
) -> None:
    """Fill an empty database with a back-up, all or nothing; also from SQLite to PostgreSQL and back."""
    from pbem.store import backup as backups
    from pbem.store.engine import StoreError

    try:
        summary = backups.restore(file, moderator_of(config).store)
    except (StoreError, OSError) as error:
        fail(str(error))
    out.print(f"{summary.games} games, {summary.rows} rows")


@app.command()
def doctor(config: ConfigFile = None, as_json: AsJson = False) -> None:
    """Check configuration, database, mail login, clock and fonts, and say what to do."""
    import asyncio

    from pbem.server import doctor as doctors

    findings = asyncio.run(doctors.examine(config))
    for finding in findings:
        if as_json:
            out.print(
                json.dumps(
                    {"what": finding.what, "ok": finding.ok, "text": finding.text, "do": finding.remedy}
                )
            )
        else:
            out.print(doctors.told(finding))
    raise typer.Exit(0 if all(finding.ok for finding in findings) else 1)


@app.command()
def demo(
    game: Annotated[str, typer.Argument(help=GAME_HELP)] = games.usual(),
    scenario: Annotated[str, typer.Option(help="The first one if not given.")] = "",
    folder: Annotated[Path, typer.Option("--out", help="The folder to leave behind.")] = Path("demo-out"),
    seed: Annotated[int, typer.Option(help="Of the robots' whims; the dice are the game's own.")] = 1813,
    play: Annotated[
        bool, typer.Option("--play", help="Take a seat yourself, by your mail program or a web page.")
    ] = False,
    seat: Annotated[str, typer.Option(help="With --play: your seat; the first if not given.")] = "",
    lang: Annotated[
        str, typer.Option(help="Of the pages, and with --play of your letters: en or fr.")
    ] = "en",
) -> None:
    """Play a whole game by real letters: robots, an embedded mail server, the daemon, and the audit at the end."""
    import asyncio

    from pbem import demo as demos

    known_game(game)
    chosen = first_scenario(game, scenario)
    try:
        asyncio.run(
            demos.run(game, folder, seed, play=play, seat=seat, lang=lang, console=err, scenario=chosen)
        )
    except KeyboardInterrupt:
        err.print("ended.")
    except (OSError, ValueError) as error:
        fail(str(error))


beginning.register(app)
tools.register(app)
hosting.register(app)


def main() -> None:
    """The entry point."""
    app()
