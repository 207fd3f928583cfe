"""The tools that need no moderator: orders checked, cases, fuzz, replays, audits, maps, rules, figures."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import typer

from pbem import games
from pbem.console import GAME_HELP, AsJson, Lang, bar, fail, first_scenario, known_game, options_of, out


def check(
    game: Annotated[str, typer.Argument(help=GAME_HELP)],
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
    """Check orders against a position without any moderator: what stands, what does not and why, what may come."""
    from pbem.proving.check import check_text

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


def read(
    files: Annotated[list[Path], typer.Argument(help="Raw letters (.eml); - for standard input.")],
    address: Annotated[
        str, typer.Option(help="The moderator's own address, by which tokens are found.")
    ] = "",
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Show what the reader makes of letters: sender, token, machine, kept lines, and why others were left out."""
    from pbem.letters import explaining

    for file in files:
        try:
            raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        except OSError as error:
            fail(f"{file}: {error.strerror}")
        told = explaining.explain(raw, address or _addressed_to(raw), lang)
        if as_json:
            print(msgspec.json.encode(told).decode())
            continue
        if len(files) > 1:
            print(f"== {file}")
        for line in explaining.shown(told):
            print(line)


def _addressed_to(raw: bytes) -> str:
    """The address that a letter went to, without its token."""
    from pbem.letters.reading import read as read_letter

    found = next((one for one in read_letter(raw, own_address="").recipients if "+" in one), "")
    local, _, host = found.partition("@")
    return f"{local.partition('+')[0]}@{host}" if found else ""


def case(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Rule cases as TOML; folders are searched for them.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name the cases that pass, too.")] = False,
    refusals: Annotated[str, typer.Option(help="List what `refused` may name in this game's cases.")] = "",
) -> None:
    """Run rule cases: given a position, orders and dice, then a position. Ends with «N passed, N failed»."""
    from pbem.proving import cases

    if refusals:
        known_game(refusals)
        for code, text in cases.refusals(refusals):
            out.print(f"{code}: {text}", highlight=False, soft_wrap=True, markup=False)
        return
    if not files:
        raise typer.BadParameter("name a file or a folder, or --refusals GAME")
    found = [path for file in files for path in (sorted(file.rglob("*.toml")) if file.is_dir() else [file])]
    passed = failed = 0
    for path in found:
        for result in cases.run(path):
            passed += result.passed
            failed += not result.passed
            if verbose or not result.passed:
                out.print(f"{'ok    ' if result.passed else 'FAILED'} {path}: {result.name}")
            if not result.passed:
                for reason in result.failures:
                    out.print(f"       {reason}")
    out.print(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed or not passed else 0)


def fuzz(
    game: Annotated[str, typer.Argument(help=GAME_HELP)],
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="The first game's seed; the others count up.")] = 1,
    scenario: Annotated[str, typer.Option(help="The set-up; the game's first if not given.")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE.")] = None,
    robot: Annotated[str, typer.Option(help="Who plays: random, sensible…")] = "random",
    pairs: Annotated[
        int,
        typer.Option(
            "--pairs",
            min=0,
            help="Instead: so many pairs of games by letter that differ only in what is hidden from a seat; "
            "its letters must be the same.",
        ),
    ] = 0,
    folder: Annotated[Path, typer.Option("--out", help="Where failures are written.")] = Path(
        "fuzz-failures"
    ),
    as_json: AsJson = False,
) -> None:
    """Play random legal games and check every step: invariants, storage, replay, views, dead ends, words.

    A failure is written as a file that «pbem replay» plays again.
    """
    from pbem.campaign.archive import game_file as playbacks
    from pbem.proving import fuzz as fuzzing

    known_game(game)
    if pairs:
        _pairs(game, scenario, pairs, seed, as_json)
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


def _pairs(game: str, scenario: str, number: int, seed: int, as_json: bool) -> NoReturn:
    """Pairs of games, and the end of the command."""
    from pbem import games
    from pbem.proving import pairs as proving

    scenarios = [first_scenario(game, scenario)] if scenario else list(games.load(game).scenarios)
    letters = secrets = steps = 0
    leaks = []
    with bar() as progress:
        task = progress.add_task(f"pairs of {game}", total=number)
        for pair in proving.pairs(game, scenarios, number, seed):
            letters, secrets, steps = letters + pair.letters, secrets + pair.secrets, steps + pair.steps
            leaks += [pair.leak] if pair.leak is not None else []
            progress.advance(task)
    if as_json:
        counts = {"game": game, "pairs": number, "letters": letters, "secrets": secrets, "steps": steps}
        out.print(json.dumps(counts | {"leaks": msgspec.to_builtins(leaks)}))
    else:
        for leak in leaks:
            out.print(
                f"{leak.scenario}, seed {leak.seed}, to {leak.eye}: {leak.what}\n  {leak.first}\n  {leak.second}"
            )
        out.print(
            f"{number} pairs of {game}: {steps} steps, {secrets} secrets, "
            f"{letters} letters compared, {len(leaks)} leaks"
        )
    raise typer.Exit(1 if leaks else 0)


def replay(
    file: Annotated[Path, typer.Argument(help="A game file, or the log of a finished game (JSON Lines).")],
    seat: Annotated[str, typer.Option(help="Tell it as this seat saw it; all of it if not given.")] = "",
    upto: Annotated[int, typer.Option(help="Stop after so many answers.")] = -1,
    save: Annotated[Path | None, typer.Option(help="Write the game up to there as a game file.")] = None,
    lang: Lang = "en",
) -> None:
    """Play a recorded game again and tell what happens, answer by answer."""
    from pbem.campaign.archive import replay as replays

    try:
        for line in replays.tell(file, seat or None, None if upto < 0 else upto, lang, save):
            out.print(line)
    except (OSError, ValueError, LookupError) as error:
        fail(str(error))


def record(
    game: Annotated[str, typer.Argument(help="The game to play; with --compare: the first recording.")],
    second: Annotated[
        Path | None, typer.Argument(help="With --compare: the second recording.", show_default=False)
    ] = None,
    scenario: Annotated[
        str, typer.Option(help="The set-up, or «all» in turn; the game's first if not given.")
    ] = "",
    number: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 10,
    seed: Annotated[int, typer.Option(help="The first game's seed; the others count up.")] = 1,
    robot: Annotated[str, typer.Option(help="Who plays: random, sensible, mixed…")] = "mixed",
    file: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")] = Path("record.jsonl"),
    comparing: Annotated[bool, typer.Option("--compare", help="Compare two recordings.")] = False,
) -> None:
    """Record robot games by letters: every answer, draw, hash of the position and hash of a letter, a line each.

    Two versions of the code that play alike write the same file; «pbem record --compare A B» says where they part.
    """
    from pbem import games
    from pbem.proving import recording

    if comparing:
        try:
            found = recording.compare(Path(game), second or Path("record.jsonl"))
        except (OSError, ValueError) as error:
            fail(str(error))
        for difference in found.differences:
            out.print(difference, markup=False, highlight=False)
        out.print(
            f"{found.games} games in both, {found.answers} answers, {found.letters} letters; "
            f"{len(found.differences)} games differ"
        )
        raise typer.Exit(1 if found.differences or not found.games else 0)
    known_game(game)
    scenarios = tuple(games.load(game).scenarios) if scenario == "all" else (first_scenario(game, scenario),)
    answers = letters = 0
    with bar() as progress, file.open("wb") as stream:
        task = progress.add_task(f"record {game}", total=number)
        for lines in recording.record(game, scenarios, number, seed, robot):
            recording.write(lines, stream)
            letters += sum(bool(line.letter) for line in lines)
            answers += sum(not line.letter for line in lines)
            progress.advance(task)
    out.print(f"{file}: {number} games, {answers} answers, {letters} letters")


def audit(
    file: Annotated[
        Path, typer.Argument(help="An exported log (JSON Lines), as attached to the last letter.")
    ],
    letters: Annotated[
        list[Path] | None,
        typer.Option("--letter", help="Letters of your own (.eml, .txt) whose log heads must be in it."),
    ] = None,
    thread: Annotated[
        list[str] | None,
        typer.Option("--thread", help="The game's public thread, a saved page or its address; page by page."),
    ] = None,
    trust: Annotated[
        list[Path] | None,
        typer.Option("--trust", help="A drand network besides quicknet (JSON: chain, key, genesis, period)."),
    ] = None,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Check a log: entries, seeds, labels, dice, decks; of a finished game also a full replay of its rules."""
    from pbem.campaign.archive.audit import audit_log
    from pbem.campaign.archive.thread_posts import as_letters, read_thread
    from pbem.dice.audit.verifier.command import read_network
    from pbem.dice.beacon.rounds import QUICKNET

    try:
        networks = [QUICKNET, *map(read_network, trust or [])]
    except (OSError, ValueError, TypeError, LookupError) as error:
        fail(f"--trust: {error}")
    try:
        posts = [post for where in thread or [] for post in read_thread(where)]
    except OSError as error:
        fail(str(error))
    if thread and not posts:
        fail("there is no head of a log in that thread")
    try:
        with tempfile.TemporaryDirectory() as folder:
            papers = [*(letters or []), *as_letters(posts, Path(folder))]
            verdict = audit_log(file, papers, networks=networks)
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    edited = sum(post.edited for post in posts)
    if thread and not as_json:
        out.print(
            f"{len(posts)} posts of the thread show a head of the log; {edited} of them were edited later."
        )
    if as_json:
        out.print(json.dumps(verdict.data()))
    else:
        for line in verdict.report(lang):
            out.print(line)
    raise typer.Exit(0 if verdict.ok else 1)


def verifier(
    folder: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")] = Path("."),
) -> None:
    """Write the stand-alone verifier for players: pbem_verify.py (Python alone) and verify.html (a browser alone)."""
    from pbem.dice.audit import verifier as verifiers

    try:
        for file in verifiers.write(folder):
            out.print(str(file))
    except OSError as error:
        fail(f"{folder}: {error.strerror}")


def draw_map(
    game: Annotated[str, typer.Argument(help=GAME_HELP)],
    file: Annotated[Path, typer.Option("--out", "-o", help="map.png or map.svg.")] = Path("map.png"),
    playback: Annotated[
        Path | None, typer.Option("--position", help="A game file; its set-up if not given.")
    ] = None,
    seat: Annotated[str, typer.Option(help="As this seat may know it; as the public may if not given.")] = "",
    width: Annotated[int, typer.Option(min=300, max=4000)] = 1200,
    lang: Lang = "en",
) -> None:
    """Draw a position as PNG or SVG."""
    from pbem.proving.check import stand
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


def rules(
    game: Annotated[str, typer.Argument(help=GAME_HELP)],
    topic: Annotated[
        list[str] | None, typer.Argument(help="A number, 11.5, or a word; without one, everything.")
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Which rules have code, a test, neither.")
    ] = False,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Print a game's rules in our own words, numbered as WHY and the error replies quote them.

    Example: pbem rules GAME 11.5, pbem rules GAME supply
    """
    from pbem.campaign.commands import rules as rulebooks
    from pbem.proving import coverage as coverages

    known_game(game)
    if topic:
        lines = rulebooks.pages(game, " ".join(topic), lang)
        if not lines:
            fail(
                f"the rules of {game} say nothing about {' '.join(topic)!r}; «pbem rules {game}» prints them all"
            )
        out.print(json.dumps(lines) if as_json else "\n\n".join(lines))
        return
    if not coverage:
        book = rulebooks.rulebook(game, lang)
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


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="letters, campaign, map, fuzz…; all if none is named.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure: each figure and, where there is one, its ratio to a floor of the same run."""
    from pbem.bench import figures as benches
    from pbem.bench.figure import CannotMeasure

    unknown = set(names or ()) - set(benches.ALL)
    if unknown:
        fail(f"no such measurement: {', '.join(sorted(unknown))}; there are: {', '.join(benches.ALL)}")
    try:
        for name in names or benches.ALL:
            for figure in benches.ALL[name]():
                if as_json:
                    out.print(json.dumps(figure.data()))
                else:
                    ratio = f"  ratio {figure.ratio:.2f}" if figure.ratio is not None else ""
                    out.print(f"{figure.name:42} {figure.value:>12,.2f} {figure.unit}{ratio}")
    except CannotMeasure as error:
        fail(str(error))


def simulate(
    number: Annotated[int, typer.Option("--games", "-n", min=1, max=10_000, help="How many games.")] = 10,
    days: Annotated[int, typer.Option("--days", "-d", min=1, max=400, help="How many days.")] = 30,
    game: Annotated[str, typer.Option(help=GAME_HELP)] = games.usual(),
    seed: Annotated[int, typer.Option(help="Of the players' whims.")] = 1,
    processes: Annotated[
        int, typer.Option("--processes", "-p", min=0, max=64, help="How many at once; 0: one a core.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Simulate a month of games with players of all types: punctual, late, absent, vanishing, double-sending,
    quoting, bouncing, mistyping, on a telephone. Through the real intake, with a clock that runs fast.
    """
    import os

    from pbem.proving.simulation import simulate as run

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
        reminders = summary.tally.get("reminder", 0) + summary.tally.get("notice", 0)
        out.print(
            f"a seat: {summary.letters_in / summary.seats:.1f} letters in, "
            f"{summary.letters_out / summary.seats:.1f} out, {reminders / summary.seats:.1f} reminders"
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


def scaffold(
    name: Annotated[str, typer.Argument(help="What the game is called in commands: small letters and _.")],
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to; a folder of that name if not given.")
    ] = None,
    title: Annotated[str, typer.Option(help="What it is called in letters.")] = "",
) -> None:
    """Write the package of a new game to begin with: rules, data, words in both languages, a case, robots, tests."""
    from pbem.scaffold import scaffold as write

    target = folder or Path(name)
    try:
        files = write(name, target, title)
    except (ValueError, OSError) as error:
        fail(str(error))
    out.print(f"{len(files)} files in {target}. Next:")
    for command in (f"pip install -e {target}", f"pytest {target}", f"pbem demo {name}"):
        out.print(f"  {command}")


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(check)
    app.command()(read)
    app.command()(case)
    app.command()(fuzz)
    app.command()(replay)
    app.command()(record)
    app.command()(audit)
    app.command()(verifier)
    app.command("map")(draw_map)
    app.command()(rules)
    app.command()(bench)
    app.command()(simulate)
    app.command()(scaffold)
