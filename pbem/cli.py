"""The command line. `pbem --help` lists the tools; `pbem TOOL --help` teaches each."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from pbem import __version__, games, hosting
from pbem.store.engine import NoSuchGame, StoreError

app = typer.Typer(
    name="pbem",
    help="A neutral moderator for board wargames played by mail, with dice that anyone can verify.\n\n"
    "Start with «pbem demo», which plays a whole game by real letters on this machine; then «pbem new» and "
    "«pbem serve» to run games of your own.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
out = Console(soft_wrap=True, highlight=False, markup=False)
err = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)

ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="The configuration file (default: $PBEM_CONFIG or ./pbem.toml)."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Lang = Annotated[str, typer.Option("--lang", help="en or fr.")]


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
    if name not in games.NAMES:
        fail(f"there is no game {name!r}; there are: {', '.join(games.NAMES)}")
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
) -> None:
    """Run the moderator: fetch letters, play, send reports, until interrupted."""
    from pbem import config as configs
    from pbem.service import build

    try:
        settings = configs.load(configs.find(config))
    except configs.BadConfig as error:
        fail(str(error))

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
    game: Annotated[str, typer.Argument(help="leipzig, …")],
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", help="SEAT=ADDRESS[,NAME[,LANG]]; once for each seat."),
    ] = None,
    scenario: Annotated[str, typer.Option(help="The set-up; the game's first if not given.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE; see pbem rules GAME.")
    ] = None,
    name: Annotated[str, typer.Option(help="The name of this game; leipzig-1, -2… if not given.")] = "",
    dice: Annotated[
        str, typer.Option(help="chain, or beacon: public randomness, for hosts that reach the internet.")
    ] = "",
    calendar: hosting.CalendarFile = None,
    master: hosting.Masters = None,
    sighted: Annotated[bool, typer.Option("--sighted", help="The game master sees everything.")] = False,
    press: hosting.Press = "white",
    release: hosting.Release = "once",
    limit: hosting.Limit = 20,
    couriers: hosting.Riders = "",
    objections: hosting.Objections = 0,
    votes: hosting.Votes = "unanimous",
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Begin a game: its players get their first letters as soon as «pbem serve» runs.

    Example: pbem new leipzig --seat french=anne@example.org,Anne,fr --seat allied=bob@example.org,Bob
    """
    from pbem import config as configs
    from pbem.campaign.moderator import BadGame, Player
    from pbem.service import moderator, source

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
        settings = configs.load(configs.find(config))
        made = moderator(settings).open_game(
            game,
            first_scenario(game, scenario),
            options_of(option),
            players,
            name,
            calendar=hosting.calendar_of(calendar),
            masters=hosting.people_of(master),
            sighted=sighted,
            source=source(settings, dice),
            customs=hosting.customs_of(press, release, limit, couriers, objections, votes),
        )
    except (configs.BadConfig, BadGame) as error:
        fail(str(error))
    out.print(
        json.dumps({"game": made}) if as_json else f"{made} begins; its first letters are in the outbox."
    )


@app.command()
def check(
    game: Annotated[str, typer.Argument(help="leipzig, …")],
    file: Annotated[
        Path, typer.Argument(help="Orders as a player would write them, one a line; - for standard input.")
    ],
    playback: Annotated[
        Path | None,
        typer.Option("--position", help="A game file (pbem fuzz, pbem replay --save) to stand at its end."),
    ] = None,
    seat: Annotated[str, typer.Option(help="Whose orders; the first seat that is asked if not given.")] = "",
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Check orders against a position without any moderator: what stands, what does not, and why."""
    from pbem.campaign.checking import check_text

    known_game(game)
    text = sys.stdin.read() if str(file) == "-" else _read(file)
    try:
        result = check_text(game, text, playback, seat, lang)
    except ValueError as error:
        fail(str(error))
    if as_json:
        out.print(msgspec.json.encode(result).decode())
    else:
        for line in result.lines:
            out.print(line)
    raise typer.Exit(0 if result.good else 1)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        fail(f"{file}: {error.strerror}")


@app.command()
def case(
    files: Annotated[list[Path], typer.Argument(help="Rule cases as TOML; folders are searched for them.")],
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name the cases that pass, too.")] = False,
) -> None:
    """Run rule cases: given a position, orders and dice, then a position. Ends with «N passed, N failed»."""
    from pbem.campaign import cases

    found = [path for file in files for path in (sorted(file.rglob("*.toml")) if file.is_dir() else [file])]
    passed = failed = 0
    for path in found:
        for result in cases.run(path):
            passed += result.passed
            failed += not result.passed
            if verbose or not result.passed:
                out.print(f"{'ok    ' if result.passed else 'FAILED'} {path.name}: {result.name}")
            if not result.passed:
                for reason in result.failures:
                    out.print(f"       {reason}")
    out.print(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed or not passed else 0)


@app.command()
def fuzz(
    game: Annotated[str, typer.Argument(help="leipzig, …")],
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="The first game's seed; the others count up.")] = 1,
    scenario: Annotated[str, typer.Option(help="The set-up; the game's first if not given.")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE.")] = None,
    robot: Annotated[str, typer.Option(help="Who plays: random, sensible…")] = "random",
    folder: Annotated[Path, typer.Option("--out", help="Where failures are written.")] = Path(
        "fuzz-failures"
    ),
    as_json: AsJson = False,
) -> None:
    """Play random legal games and check every step: invariants, storage, replay, views, dead ends, words.

    A failure is written as a file that «pbem replay» plays again.
    """
    from pbem.campaign import fuzz as fuzzing
    from pbem.campaign import playback as playbacks

    known_game(game)
    name = first_scenario(game, scenario)
    results = []
    with bar() as progress:
        task = progress.add_task(f"fuzz {game}", total=number)
        for played in fuzzing.fuzz(game, name, options_of(option), number, seed, robot):
            results.append(played)
            progress.advance(task)
            if played.failure is not None:
                playbacks.write(played.failure, folder / f"{game}-{played.seed}.json")
    failures = [played for played in results if played.failure is not None]
    decisions, seconds = sum(p.decisions for p in results), sum(p.seconds for p in results)
    summary: dict[str, Any] = {
        "game": game,
        "games": len(results),
        "failures": len(failures),
        "decisions": decisions,
        "decisions_per_second": round(decisions / seconds) if seconds else 0,
        "outcomes": {
            key: sum(p.outcome == key for p in results) for key in sorted({p.outcome for p in results})
        },
    }
    if as_json:
        out.print(json.dumps(summary))
    else:
        for played in failures:
            assert played.failure is not None
            out.print(f"seed {played.seed} failed, see {folder / f'{game}-{played.seed}.json'}")
            out.print(played.failure.failure)
        out.print(
            f"{len(results)} games, {decisions} decisions, {summary['decisions_per_second']} decisions a second; "
            f"outcomes {summary['outcomes']}"
        )
        out.print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    raise typer.Exit(1 if failures else 0)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A game file, or the log of a finished game (JSON Lines).")],
    seat: Annotated[str, typer.Option(help="Tell it as this seat saw it; all of it if not given.")] = "",
    upto: Annotated[int, typer.Option(help="Stop after so many answers.")] = -1,
    save: Annotated[Path | None, typer.Option(help="Write the game up to there as a game file.")] = None,
    lang: Lang = "en",
) -> None:
    """Play a recorded game again and tell what happens, answer by answer."""
    from pbem.campaign import replaying

    try:
        for line in replaying.tell(file, seat or None, None if upto < 0 else upto, lang, save):
            out.print(line)
    except (OSError, ValueError, LookupError) as error:
        fail(str(error))


@app.command()
def audit(
    file: Annotated[
        Path, typer.Argument(help="An exported log (JSON Lines), as attached to the last letter.")
    ],
    letters: Annotated[
        list[Path] | None,
        typer.Option("--letter", help="Letters of your own (.eml, .txt) whose log heads must be in it."),
    ] = None,
    trust: Annotated[
        list[Path] | None,
        typer.Option("--trust", help="A drand network besides quicknet (JSON: chain, key, genesis, period)."),
    ] = None,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Check a log: entries, seeds, labels, dice, decks; of a finished game also a full replay of its rules."""
    from pbem.campaign.auditing import audit_log
    from pbem.dice.rounds import QUICKNET
    from pbem.dice.verifier.command import read_network

    try:
        networks = [QUICKNET, *map(read_network, trust or [])]
    except (OSError, ValueError, TypeError, LookupError) as error:
        fail(f"--trust: {error}")
    try:
        verdict = audit_log(file, letters or [], networks=networks)
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    if as_json:
        out.print(json.dumps(verdict.data()))
    else:
        for line in verdict.report(lang):
            out.print(line)
    raise typer.Exit(0 if verdict.ok else 1)


@app.command()
def verifier(
    folder: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")] = Path("."),
) -> None:
    """Write the stand-alone verifier for players: pbem_verify.py (Python alone) and verify.html (a browser alone)."""
    from pbem.dice import verifier as verifiers

    try:
        for file in verifiers.write(folder):
            out.print(str(file))
    except OSError as error:
        fail(f"{folder}: {error.strerror}")


@app.command("log")
def export_log(
    game: Annotated[str, typer.Argument(help="The name of a game: leipzig-7.")],
    file: Annotated[Path, typer.Option("--out", "-o", help="Where to; - for standard output.")] = Path("-"),
    config: ConfigFile = None,
) -> None:
    """Export a game's log as JSON Lines: what «pbem audit» and anybody else can check. It holds no secret."""
    import io

    from pbem.dice import log as dicelog

    store = _moderator(config).store
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
    moderator = _moderator(config)
    for path in files:
        folders = [path / "new", path / "cur"] if (path / "new").is_dir() else [path]
        found = [
            file for folder in folders for file in (sorted(folder.iterdir()) if folder.is_dir() else [folder])
        ]
        for file in found:
            if not file.is_file():
                fail(f"{file}: there is no such file")
            handled = moderator.handle(file.read_bytes(), source=f"file:{file.name}")
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

    try:
        summary = backups.backup(_moderator(config).store, file)
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

    try:
        summary = backups.restore(file, _moderator(config).store)
    except (StoreError, OSError) as error:
        fail(str(error))
    out.print(f"{summary.games} games, {summary.rows} rows")


def _moderator(config: Path | None) -> Any:
    from pbem import config as configs
    from pbem.service import moderator

    try:
        return moderator(configs.load(configs.find(config)))
    except configs.BadConfig as error:
        fail(str(error))


@app.command("map")
def draw_map(
    game: Annotated[str, typer.Argument(help="leipzig, …")],
    file: Annotated[Path, typer.Option("--out", "-o", help="map.png or map.svg.")] = Path("map.png"),
    playback: Annotated[
        Path | None, typer.Option("--position", help="A game file; its set-up if not given.")
    ] = None,
    seat: Annotated[str, typer.Option(help="As this seat may know it; as the public may if not given.")] = "",
    width: Annotated[int, typer.Option(min=300, max=4000)] = 1200,
    lang: Lang = "en",
) -> None:
    """Draw a position as PNG or SVG."""
    from pbem.campaign.checking import stand
    from pbem.reports import map as maps

    known_game(game)
    try:
        position = stand(game, playback)
        drawing = position.rules.drawing(position.view(seat or None), seat or None, lang)
        data = maps.svg(drawing).encode() if file.suffix == ".svg" else maps.png(drawing, width)
        file.write_bytes(data)
    except (OSError, ValueError) as error:
        fail(str(error))
    out.print(f"{file}: {len(data) // 1024} kB")


@app.command()
def rules(
    game: Annotated[str, typer.Argument(help="leipzig, …")],
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Which rules have code, a test, neither.")
    ] = False,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Print a game's rules in our own words, numbered as WHY and the error replies quote them."""
    from pbem.campaign import coverage as coverages
    from pbem.campaign import rulebook

    known_game(game)
    if not coverage:
        book = rulebook.rulebook(game, lang)
        out.print(json.dumps(book.rules) if as_json else book.text)
        return
    try:
        found = coverages.coverage(game)
    except OSError as error:
        fail(f"coverage needs a checkout with docs and tests: {error.strerror}: {error.filename}")
    if as_json:
        data = {
            "rules": list(found.rules),
            "code": sorted(found.with_code),
            "test": sorted(found.with_test),
            "missing": list(found.missing),
        }
        out.print(json.dumps(data))
    else:
        for number in found.rules:
            marks = (
                ("code" if number in found.with_code else "—"),
                ("test" if number in found.with_test else "—"),
            )
            out.print(f"{number:8} {marks[0]:5} {marks[1]}")
        out.print(f"{len(found.rules)} rules, {len(found.missing)} without code or test")
    raise typer.Exit(1 if found.missing else 0)


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="letters, campaign, map, fuzz…; all if none is named.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure: each figure and, where there is one, its ratio to a floor of the same run."""
    from pbem import bench as benches

    unknown = set(names or ()) - set(benches.ALL)
    if unknown:
        fail(f"no such measurement: {', '.join(sorted(unknown))}; there are: {', '.join(benches.ALL)}")
    for name in names or benches.ALL:
        for figure in benches.ALL[name]():
            if as_json:
                out.print(json.dumps(figure.data()))
            else:
                ratio = f"  ratio {figure.ratio:.2f}" if figure.ratio is not None else ""
                out.print(f"{figure.name:42} {figure.value:>12,.2f} {figure.unit}{ratio}")


@app.command()
def simulate(
    number: Annotated[int, typer.Option("--games", "-n", min=1, max=10_000, help="How many games.")] = 10,
    days: Annotated[int, typer.Option("--days", "-d", min=1, max=400, help="How many days.")] = 30,
    game: Annotated[str, typer.Option(help="leipzig, …")] = "leipzig",
    seed: Annotated[int, typer.Option(help="Of the players' whims.")] = 1,
    processes: Annotated[
        int, typer.Option("--processes", "-p", min=0, max=64, help="How many at once; 0: one a core.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Simulate a month of games with players of all tempers: punctual, late, absent, vanishing, double-sending,
    quoting, bouncing, mistyping, on a telephone. Through the real intake, with a clock that runs fast.
    """
    import os

    from pbem.campaign.simulation import simulate as run

    known_game(game)
    summary = run(number, days, game=game, seed=seed, processes=min(processes or os.cpu_count() or 1, number))
    if as_json:
        out.print(msgspec.json.encode(summary).decode())
    else:
        out.print(
            f"{summary.games} games, {summary.days} days, in {summary.seconds:.0f} seconds: "
            f"{summary.letters_in} letters in, {summary.letters_out} out, "
            f"{summary.round_trips} round trips, {summary.answers} answers"
        )
        for title, counts in (
            ("letters", summary.handled),
            ("clock", summary.tally),
            ("games", summary.standing),
        ):
            out.print(f"{title}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
        for fault in summary.faults:
            out.print(f"FAULT {fault}")
        out.print(f"{len(summary.faults)} faults")
    raise typer.Exit(1 if summary.faults else 0)


@app.command()
def doctor(config: ConfigFile = None, as_json: AsJson = False) -> None:
    """Check configuration, database, mail login, clock and fonts, and say what to do."""
    from pbem import doctor as doctors

    findings = asyncio.run(doctors.examine(config))
    for finding in findings:
        if as_json:
            out.print(
                json.dumps(
                    {"what": finding.what, "ok": finding.ok, "text": finding.text, "do": finding.remedy}
                )
            )
        else:
            out.print(f"{'ok  ' if finding.ok else 'BAD '} {finding.what}: {finding.text}")
            if finding.remedy:
                out.print(f"     → {finding.remedy}")
    raise typer.Exit(0 if all(finding.ok for finding in findings) else 1)


@app.command()
def demo(
    game: Annotated[str, typer.Argument(help="leipzig, …")] = "leipzig",
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
    from pbem import demo as demos

    known_game(game)
    try:
        asyncio.run(demos.run(game, folder, seed, play=play, seat=seat, lang=lang, console=err))
    except KeyboardInterrupt:
        err.print("ended.")
    except (OSError, ValueError) as error:
        fail(str(error))


hosting.register(app)


def main() -> None:
    """The entry point."""
    app()
