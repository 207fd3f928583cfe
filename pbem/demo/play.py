"""The demo itself: an embedded mail server, the daemon, robots with mailboxes of their own, and perhaps a person."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from pbem import games
from pbem.campaign.intake.moderator import Moderator, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.demo import output_folder, webmail
from pbem.demo.counters import Chronicle
from pbem.demo.mail_robot import Correspondent, Stuck
from pbem.demo.pages import say
from pbem.demo.players import MODERATOR, Member, accounts, members, robot_of
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.game import LETTER, Game, Given
from pbem.kernel.rules import Rules
from pbem.post.embedded import EmbeddedPost, MissingExtra
from pbem.post.imap import ImapInbox
from pbem.post.smtp import SmtpOutlet
from pbem.reports.map.paint.renderer import PoolRenderer, Renderer
from pbem.server.daemon import Daemon, utc_now
from pbem.store.store import Store

STALLED = 120.0
_REHEARSAL = 3.0


class Stage:
    """A game of a demo while it is played."""

    def __init__(
        self, post: EmbeddedPost, moderator: Moderator, cast: dict[str, Member], game_id: str, seed: int
    ) -> None:
        self.post = post
        self.moderator = moderator
        self.cast = cast
        self.game_id = game_id
        self.seed = seed
        self.seconds = 0.0
        self.rules: Rules[Any] = games.load(moderator.store.game(game_id).rules)
        self.robots = [
            Correspondent(
                member, post, moderator.store, game_id, random.Random(f"{seed}/{member.seat}"), utc_now
            )
            for member in cast.values()
            if not member.human
        ]
        self._moment = ""
        self.chronicle = Chronicle(tuple(cast), self.moment)

    def moment(self) -> str:
        """Where the game stands."""
        row = self.moderator.store.game(self.game_id)
        live = self.moderator.tables.at(self.game_id, row.answers)
        if live is not None:
            self._moment = self.rules.moment(live.game.state)
        return self._moment

    async def perform(self, renderer: Renderer | None, *, stalled: float | None = STALLED) -> None:
        """Let daemon and robots work until everybody knows that the game is over. Raises Stuck."""
        moderator, chronicle = self.moderator, self.chronicle
        daemon = Daemon(
            moderator,
            Secretary(moderator.campaign, renderer),
            ImapInbox(self.post.imap_settings(MODERATOR)),
            SmtpOutlet(self.post.smtp_settings(MODERATOR)),
            on_letter=chronicle.letter_in,
            on_sent=chronicle.letter_out,
        )
        started = time.monotonic()
        serving = asyncio.create_task(daemon.run())
        playing = [asyncio.create_task(robot.play()) for robot in self.robots]
        ending = asyncio.create_task(self._ending(stalled))
        try:
            await asyncio.wait([serving, *playing, ending], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.seconds = time.monotonic() - started
            for task in [*playing, ending]:
                task.cancel()
            daemon.stop()
            results = await asyncio.gather(ending, *playing, serving, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _ending(self, stalled: float | None) -> None:
        chronicle = self.chronicle
        while not chronicle.over.is_set():
            chronicle.moved.clear()
            try:
                async with asyncio.timeout(stalled):
                    await chronicle.moved.wait()
            except TimeoutError:
                raise Stuck(f"no letter has moved for {stalled:.0f} seconds: {chronicle.now}") from None


@asynccontextmanager
async def staged(
    name: str,
    folder: Path,
    seed: int,
    cast: dict[str, Member],
    *,
    play: bool = False,
    scenario: str = "",
    options: dict[str, str] | None = None,
) -> AsyncIterator[Stage]:
    """A mail server and a game just opened, whose first letters wait in the outbox."""
    rules = games.load(name)
    async with AsyncExitStack() as stack:
        boxes = accounts(cast, random.SystemRandom())
        certificate = folder / output_folder.CERTIFICATE if play else None
        stack.callback(shutil.rmtree, folder / output_folder.CERTIFICATE, ignore_errors=True)
        post = EmbeddedPost(boxes, certificate, plain_too=True)
        try:
            await stack.enter_async_context(post)
        except MissingExtra as error:
            raise ValueError(str(error)) from error
        store = Store.open(f"sqlite:///{folder / output_folder.STORE}")
        stack.callback(store.close)
        store.migrate()
        moderator = Moderator(store, Settings(MODERATOR, letters_per_hour=100_000), utc_now)
        players = {seat: member.player() for seat, member in cast.items()}
        game_id = moderator.opening.open_game(
            name, scenario or next(iter(rules.scenarios)), options or {}, players
        )
        yield Stage(post, moderator, cast, game_id, seed)


async def run(
    game: str,
    folder: Path,
    seed: int,
    *,
    play: bool,
    seat: str,
    lang: str,
    console: Console,
    scenario: str = "",
) -> None:
    """Play a whole game by letters and leave a folder to look at. Raises ValueError, OSError."""
    rules = games.load(game)
    chosen = rules.scenarios[scenario] if scenario else next(iter(rules.scenarios.values()))
    robot_of(rules)
    cast = members(chosen.seats, play=play, seat=seat, lang=lang)
    output_folder.prepare(folder)
    expected = 0 if play else rehearse(rules, chosen.name, seed)
    renderer = PoolRenderer(1)
    try:
        async with staged(game, folder, seed, cast, play=play, scenario=chosen.name) as stage:
            if play:
                await _perform_with_person(stage, renderer, folder, lang, console)
                return
            begin = say(lang, "console", "begin", game=rules.titles[lang], folder=folder)
            console.print(begin, markup=False)
            try:
                await _perform_with_bar(stage, renderer, expected, console)
            finally:
                # Also after an interrupt: what has been played can be looked at.
                console.print(output_folder.leave(stage, folder, lang), markup=False)
    finally:
        renderer.close()


async def _perform_with_person(
    stage: Stage, renderer: Renderer, folder: Path, lang: str, console: Console
) -> None:
    person = next(member for member in stage.cast.values() if member.human)
    async with webmail.served(stage, person, folder, lang) as (mailbox, welcome):
        console.print(welcome, markup=False)
        try:
            await stage.perform(renderer, stalled=None)
        finally:
            console.print(output_folder.leave(stage, folder, lang), markup=False)
        await mailbox.left()


async def _perform_with_bar(stage: Stage, renderer: Renderer, expected: int, console: Console) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} letters"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(stage.game_id, total=max(1, expected))

        def changed() -> None:
            done = len(stage.chronicle.written)
            text = f"{stage.game_id} {stage.chronicle.now}"
            progress.update(task, completed=done, total=max(expected, done + 1), description=text)

        stage.chronicle.changed = changed
        await stage.perform(renderer)


def rehearse(rules: Rules[Any], scenario: str, seed: int) -> int:
    """How many letters such a game takes, by a game without letters; what was counted when time is up."""
    rng = random.Random(seed)
    robot = robot_of(rules)
    options = {option.name: option.values[0] for option in rules.options}
    game = Game.start(rules, scenario, options, Seeded(seed))
    started = time.monotonic()
    letters = 0
    while not game.over and time.monotonic() - started < _REHEARSAL:
        game.settle(lambda seat: [])
        question = next((q for key, q in game.questions.items() if not game.answered(key)), None)
        if question is None:
            break
        answer = robot(game.view(question.seat), question, rng)
        game.give(Given(question.key, question.seat, answer, LETTER))
        letters += 1
    return letters
