"""The host's commands for the life of games: announce, gm, games, chronicle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import msgspec
import typer
from rich.table import Table

from pbem.console import GAME_HELP, AsJson, ConfigFile, err, fail, moderator_of, out

if TYPE_CHECKING:
    from pbem.campaign.deadlines.calendar import Calendar
    from pbem.campaign.house_rules import Customs
    from pbem.campaign.intake.moderator import Player
    from pbem.dice.beacon.rounds import Source
    from pbem.server.config import Config


CalendarFile = Annotated[
    Path | None,
    typer.Option("--calendar", help="A TOML file of deadlines; deploy/calendar.toml explains every field."),
]
Deadline = Annotated[
    str,
    typer.Option(
        "--deadline",
        help="The time for each decision, 48h or 3d, or «none»; unless given, as [calendar] of the "
        "configuration says, or else 72h.",
    ),
]
Masters = Annotated[
    list[str] | None, typer.Option("--master", help="ADDRESS[,NAME[,LANG]] of a game master; none is needed.")
]

Press = Annotated[
    str, typer.Option("--press", help="What players may write to each other: white, anonymous (too) or none.")
]
Release = Annotated[str, typer.Option("--release", help="When press goes: once (at once) or results.")]
Limit = Annotated[int, typer.Option("--press-limit", help="How many messages a day a player may write.")]
Riders = Annotated[
    str,
    typer.Option(
        "--couriers",
        help="Press by courier: HOURS[,RISK], the hours and the per cent of capture for each stage; 6,5.",
    ),
]
Objections = Annotated[
    int,
    typer.Option("--objections", help="HOURS in which a correction of the position can be objected to."),
]
Votes = Annotated[
    str, typer.Option("--votes", help="How players decide together: unanimous, majority or none.")
]
Onlookers = Annotated[
    bool, typer.Option("--observers-write", help="Whoever only looks on may write to the players.")
]


Thread = Annotated[
    str, typer.Option("--thread", help="BOARD[,LANG]: the board on which the game has a public thread.")
]
OrdersWhere = Annotated[
    str, typer.Option("--orders", help="Where orders count on a board: private, public or either.")
]
Edits = Annotated[
    str, typer.Option("--edits", help="A post that is changed after it was read: ignore, reread or void.")
]


def calendar_of(file: Path | None, deadline: str, usual: Calendar) -> Calendar | None:
    """The deadlines of a new game: of a file, or the usual ones; with another time for decisions, or none at all."""
    from pbem.campaign.deadlines.calendar import NO_SPAN, BadCalendar, read_calendar, read_span

    try:
        calendar = usual if file is None else read_calendar(file.read_text(encoding="utf-8"))
        if deadline.strip().lower() == "none":
            return None
        if deadline:
            hours = read_span(deadline)
            if hours is None:
                fail(f"--deadline: {NO_SPAN}, not {deadline!r}")
            calendar = msgspec.structs.replace(calendar, hours=hours, phases={})
        calendar.check()
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except (UnicodeDecodeError, BadCalendar) as error:
        fail(f"{file or 'calendar'}: {error}")
    return calendar


def say_when(calendar: Calendar | None) -> None:
    """Tell the host what deadlines a game has."""
    if calendar is None:
        err.print("pbem: without deadlines nothing is ever due; a player who vanishes stops this game.")
        err.print("      --deadline 48h sets them; later, «pbem gm GAME DEADLINE 48h reason».")
        return
    snap = f", then the next {calendar.snap}" if calendar.snap else ""
    barred = f", never on {', '.join(calendar.barred)}" if calendar.barred else ""
    err.print(
        f"Deadlines: {calendar.hours} hours for each decision{snap} ({calendar.zone}){barred}; "
        f"{calendar.grace} hours of grace. deploy/calendar.toml tells what else can be set."
    )


def customs_of(
    press: str,
    release: str,
    limit: int,
    couriers: str,
    objections: int,
    votes: str,
    observers: bool,
    thread: str,
    orders: str,
    edits: str,
) -> Customs:
    """What holds in a game besides its rules, or the end of the command."""
    from pbem.campaign.house_rules import AT_ONCE, BadCustoms, Couriers, Customs

    ride = None
    if couriers:
        hours, _, risk = couriers.partition(",")
        try:
            ride = Couriers(int(hours), int(risk or Couriers().risk))
        except ValueError:
            fail(f"couriers are written HOURS,RISK as 6,5, not {couriers!r}")
    when = AT_ONCE if release == "once" else release
    board, _, lang = thread.partition(",")
    customs = Customs(
        press, when, limit, ride, objections, votes, observers, board, lang or "en", orders, edits
    )
    try:
        customs.check()
    except BadCustoms as error:
        fail(str(error))
    return customs


class Opened(TypedDict):
    """How a game is opened, besides what it is and who plays."""

    calendar: Calendar | None
    masters: list[Player]
    sighted: bool
    source: Source | None
    customs: Customs


Dice = Annotated[
    str,
    typer.Option(
        help="beacon: public randomness of the internet; chain: none; auto: the beacon where it answers. "
        "The configuration's if not given."
    ),
]


def dice_told(chosen: Source | None, asked: str, config: Config) -> str:
    """What the host is told of the dice of a game just made."""
    if chosen is not None:
        return "Its dice hang on the public beacon."
    if (asked or config.dice.mode) == "auto":
        return (
            "Its dice are in chain mode, as the public beacon does not answer; --dice beacon insists on it."
        )
    return "Its dice are in chain mode."


def check_thread(settings: Config, thread: str) -> None:
    """The end of the command where a game would have its thread on a board that is not there."""
    board = thread.partition(",")[0]
    known = [one.name for one in settings.boards]
    if board and board not in known:
        fail(f"there is no board {board!r}; there are: {', '.join(known) or 'none'}")


def people_of(texts: list[str] | None) -> list[Player]:
    """`ADDRESS,NAME,LANG` texts as people."""
    from pbem.campaign.intake.moderator import Player

    people = []
    for text in texts or []:
        address, _, more = text.partition(",")
        name, _, lang = more.partition(",")
        if "@" not in address:
            fail(f"somebody is written ADDRESS,NAME,LANG, not {text!r}")
        people.append(Player(name or address.partition("@")[0], address, lang or "en"))
    return people


def announce(
    game: Annotated[str, typer.Argument(help=GAME_HELP)],
    scenario: Annotated[str, typer.Option(help="The set-up; the game's first if not given.")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE.")] = None,
    invite: Annotated[
        list[str] | None, typer.Option("--invite", help="An address; without any, all may join.")
    ] = None,
    calendar: CalendarFile = None,
    deadline: Deadline = "",
    master: Masters = None,
    sighted: Annotated[bool, typer.Option("--sighted", help="The game master sees everything.")] = False,
    name: Annotated[str, typer.Option(help="The name of this game.")] = "",
    dice: Dice = "",
    press: Press = "white",
    release: Release = "once",
    limit: Limit = 20,
    couriers: Riders = "",
    objections: Objections = 0,
    votes: Votes = "unanimous",
    observers: Onlookers = False,
    thread: Thread = "",
    orders: OrdersWhere = "either",
    edits: Edits = "ignore",
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Announce a game: players JOIN by letter, and it begins when all seats are taken and confirmed."""
    from pbem import games
    from pbem.campaign.intake.moderator import BadGame
    from pbem.server import config as configs
    from pbem.server.wiring import source

    if game not in games.names():
        fail(f"there is no game {game!r}; there are: {', '.join(games.names())}")
    options = dict(pair.partition("=")[::2] for pair in option or [])
    try:
        settings = configs.load(configs.find(config), without=configs.MAIL)
        when = calendar_of(calendar, deadline, settings.calendar)
        chosen = source(settings, dice)
        made = moderator_of(config).opening.announce(
            game,
            scenario or next(iter(games.load(game).scenarios)),
            options,
            game_id=name,
            calendar=when,
            invited=invite or [],
            masters=people_of(master),
            sighted=sighted,
            customs=customs_of(
                press, release, limit, couriers, objections, votes, observers, thread, orders, edits
            ),
            source=chosen,
        )
    except (configs.BadConfig, BadGame) as error:
        fail(str(error))
    out.print(json.dumps({"game": made}) if as_json else f"{made} looks for players: JOIN {made}")
    if not as_json:
        say_when(when)
        out.print(dice_told(chosen, dice, settings))


def gm(
    game: Annotated[str, typer.Argument(help="The name of a game: war-1.")],
    act: Annotated[list[str], typer.Argument(help="A game master's command, as in a letter.")],
    config: ConfigFile = None,
) -> None:
    """Act as game master from the command line: the same commands as by letter, done by «host».

    START · PAUSE reason · RESUME · EXTEND 24 reason · EXTEND seat 2d · REPLACE seat BY address name · PROCESS t3 ·
    ACT FOR seat: orders · ANNOUNCE text · ROLLBACK 12 reason · CORRECT path = value because reason ·
    UPHOLD CORRECTION 1 · WITHDRAW CORRECTION 1 · PRESS anonymous, with results, 5 a day · SOURCE 900 reason · HISTORY

    Example: pbem gm war-1 EXTEND 24 the server was down
    """
    from pbem.campaign.commands.game_master.by_host import by_host
    from pbem.store.engine import StoreError

    try:
        done = by_host(moderator_of(config).campaign, game.lower(), " ".join(act))
    except StoreError as error:
        fail(f"{type(error).__name__}: {error}")
    for line in done.lines:
        out.print(line)
    raise typer.Exit(0 if done.good else 1)


def games_list(config: ConfigFile = None, as_json: AsJson = False) -> None:
    """List the games of the store: how they stand, whom each waits for, since when and until when."""
    from pbem.campaign.table.overview import overview

    store = moderator_of(config).store
    rows = [overview(store, row) for row in store.games()]
    if as_json:
        for row in rows:
            out.print(json.dumps(row.data()))
        return
    table = Table("game", "rules", "status", "now", "waits for", "since", "until", box=None, pad_edge=False)
    for row in rows:
        for n, waits in enumerate(row.waits or [None]):
            first = (row.game, row.rules, row.status, row.moment) if n == 0 else ("", "", "", "")
            table.add_row(*first, *(waits.cells() if waits is not None else (row.missing, "", "")))
    out.print(table if rows else "There are no games yet: «pbem new» or «pbem announce» begins one.")


def chronicle(
    game: Annotated[str, typer.Argument(help="The name of a finished game: war-1.")],
    folder: Annotated[Path, typer.Option("--out", help="The folder to write into.")] = Path("chronicle"),
    lang: Annotated[str, typer.Option("--lang", help="en or fr.")] = "en",
    width: Annotated[int, typer.Option(min=300, max=2000, help="Of the maps.")] = 900,
    config: ConfigFile = None,
) -> None:
    """Write the chronicle of a finished game: a web page, a print edition ready for PDF, and an animated map."""
    from pbem.campaign.archive.chronicle import NotOver, write
    from pbem.store.engine import NoSuchGame

    try:
        files = write(moderator_of(config).store, game.lower(), folder, lang, width)
    except NoSuchGame:
        fail(f"there is no game {game!r}")
    except (NotOver, OSError) as error:
        fail(str(error))
    for file in files:
        out.print(f"{file}: {file.stat().st_size // 1024} kB")


def dice(
    game: Annotated[str, typer.Argument(help="The name of a game: war-1.")],
    file: Annotated[Path, typer.Option("--out", "-o", help="The page to write.")] = Path("dice.html"),
    lang: Annotated[str, typer.Option("--lang", help="en or fr.")] = "en",
    config: ConfigFile = None,
) -> None:
    """Write the dice of a game as a page: luck in figures and pictures, every open roll, and how to check it."""
    from pbem import games
    from pbem.campaign.archive.dice_page import Dice
    from pbem.reports.catalogue import catalogue
    from pbem.store.engine import NoSuchGame

    store = moderator_of(config).store
    try:
        row = store.game(game.lower())
        page = Dice(store, row, catalogue(lang, games.load(row.rules))).page()
        if not page:
            fail(f"{row.id} has no open draw yet")
        file.write_text(page, encoding="utf-8")
    except NoSuchGame:
        fail(f"there is no game {game!r}")
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    out.print(f"{file}: {file.stat().st_size // 1024} kB")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(announce)
    app.command()(gm)
    app.command("games")(games_list)
    app.command()(chronicle)
    app.command()(dice)
