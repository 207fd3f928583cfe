"""The whole service under load: letters waiting in a mailbox, read, played, answered and sent.

    pbem bench mail                                   the embedded server
    python -m tests.servers -- pbem bench mail        Dovecot and Postfix
    PBEM_BENCH_LETTERS=10000 PBEM_BENCH_STORE=postgresql://… PBEM_BENCH_WORKERS=2 PBEM_BENCH_PEER=…

Beside it, in the same run, the floor: a loop that only fetches, commits and sends, with the same libraries, to the
same servers, as many letters of the same size. Pictures are left out of both: drawing is measured by «pbem bench map».
"""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import os
import random
import resource
import signal
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import imapclient
import msgspec
from sqlmodel import func, select

from pbem import games
from pbem.bench.figure import CannotMeasure, Figure
from pbem.bench.mailman import NoPeer, peer
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.letters.composing import Outgoing, compose, reply_address
from pbem.letters.message import Cursor, Message
from pbem.post.embedded import EmbeddedPost, MissingExtra
from pbem.post.imap import ImapInbox
from pbem.post.outlet_thread import Beside
from pbem.post.settings import ImapSettings, Security, SmtpSettings
from pbem.post.smtp import SmtpOutlet
from pbem.server.daemon import Daemon, utc_now
from pbem.store.engine import open_engine
from pbem.store.intake import Intake
from pbem.store.records import Sending
from pbem.store.store import Store
from pbem.store.tables import Base, DispatchRow, LetterRow

SERVERS, LETTERS, STORE, WORKERS = (
    "PBEM_BENCH_MAIL",
    "PBEM_BENCH_LETTERS",
    "PBEM_BENCH_STORE",
    "PBEM_BENCH_WORKERS",
)
ADDRESS = "moderator@pbem.example"
PLAYERS = {"french": "alice@pbem.example", "allied": "bob@pbem.example"}
ACCOUNTS = {ADDRESS: "secret", **dict.fromkeys(PLAYERS.values(), "secret")}
OF_EACH_GAME = 10
FOR_PEER = 500
SOURCE = "bench"
_SPAWN = multiprocessing.get_context("spawn")
_CANNOT = "cannot: "
_WORKER = "a worker of the measurement"


class Site(msgspec.Struct, frozen=True):
    """The servers, the store and how many workers."""

    imap: ImapSettings
    smtp: SmtpSettings
    url: str
    workers: int
    name: str


def mail() -> Iterator[Figure]:
    """Backlog against the floor, then replies under a steady stream."""
    letters = int(os.environ.get(LETTERS, "1000"))
    with tempfile.TemporaryDirectory() as folder, _site(Path(folder)) as site:
        raws, size, replies = _rehearse(Path(folder), letters)
        yield Figure(f"mail: {site.name}, letters waiting", len(raws), "letters")
        yield Figure("mail: letters out for each letter in", replies, "letters")
        floor, cost = _floor(site, raws, size, replies)
        yield Figure("mail: floor (fetch, commit, send)", floor, "letters/s")
        yield Figure("mail: floor, processor time of the loop", cost, "ms a letter")
        for workers in range(1, site.workers + 1):
            rate, memory, cost = _backlog(site, raws, workers)
            what = f"mail: {workers} worker{'s' if workers > 1 else ''}"
            yield Figure(f"{what}, read, play, commit, reply", rate, "letters/s", rate / floor)
            yield Figure(f"{what}, processor time of all", cost, "ms a letter")
            yield Figure(f"{what}, largest process", memory, "MB")
        try:
            rate = peer(Path(folder) / "peer", site.smtp, raws[:FOR_PEER], PLAYERS["french"])
            yield Figure("mail: peer (Mailman 3: read, rewrite, pass on)", rate, "letters/s", rate / floor)
        except NoPeer as reason:
            yield Figure(f"mail: peer (Mailman 3) {reason}", 0, "letters/s")
        pace = max(1.0, min(20.0, floor / 20))
        delays = sorted(_stream(site, raws[: min(len(raws), 200)], pace))
        for share in (50, 99):
            at = delays[min(len(delays) - 1, math.ceil(len(delays) * share / 100) - 1)]
            yield Figure(f"mail: reply after, {share}th percentile at {pace:.0f}/s", at, "s")


@contextmanager
def _site(folder: Path) -> Iterator[Site]:
    url = os.environ.get(STORE, f"sqlite:///{folder}/bench.db")
    workers = int(os.environ.get(WORKERS, "1" if url.startswith("sqlite") else "2"))
    named = os.environ.get(SERVERS)
    if named:
        data = tomllib.loads(Path(named).read_text(encoding="utf-8"))
        imap = msgspec.convert(data["imap"], ImapSettings)
        yield Site(imap, msgspec.convert(data["smtp"], SmtpSettings), url, workers, "given servers")
        return
    process, line = _started(_embedded)
    imap_port, smtp_port = _told(line, "the embedded mail server")
    plain = {"host": "127.0.0.1", "username": ADDRESS, "password": "secret", "security": Security.PLAIN}
    try:
        yield Site(
            msgspec.convert({**plain, "port": imap_port}, ImapSettings),
            msgspec.convert({**plain, "port": smtp_port}, SmtpSettings),
            url,
            workers,
            "embedded server",
        )
    finally:
        process.terminate()
        process.join()


def _started(target: Callable[..., None], *arguments: object) -> tuple[SpawnProcess, Connection]:
    """A process and the line to it. Our own end of its line is closed: when it dies, we hear of it."""
    here, there = _SPAWN.Pipe()
    process = _SPAWN.Process(target=target, args=(*arguments, there), daemon=True)
    process.start()
    there.close()
    return process, here


def _told(line: Connection, who: str) -> Any:
    """What a process says. Raises CannotMeasure with its reason, or where it has died without one."""
    try:
        said = line.recv()
    except (EOFError, OSError):
        raise CannotMeasure(f"{who} has died") from None
    if isinstance(said, str) and said.startswith(_CANNOT):
        raise CannotMeasure(f"{who} cannot run: {said.removeprefix(_CANNOT)}")
    return said


def _embedded(line: Connection) -> None:
    async def run() -> None:
        async with EmbeddedPost(ACCOUNTS) as post:
            line.send((post.imap_port, post.smtp_port))
            await asyncio.Event().wait()

    try:
        asyncio.run(run())
    except MissingExtra as missing:
        line.send(f"{_CANNOT}{missing}")


def _moderator(url: str) -> Moderator:
    """A moderator whose games always get the same seeds, on an empty store."""
    engine = open_engine(url)
    Base.metadata.drop_all(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
    engine.dispose()
    store = Store.open(url)
    store.migrate()
    numbers = iter(range(1, 10_000_000))
    return Moderator(store, Settings(ADDRESS), utc_now, entropy=lambda: next(numbers).to_bytes(32, "big"))


def _open(moderator: Moderator, letters: int) -> list[str]:
    scenario = next(iter(games.load(games.usual()).scenarios))
    players = {seat: Player(seat, address) for seat, address in PLAYERS.items()}
    number = max(1, letters // OF_EACH_GAME)
    return [
        moderator.opening.open_game(games.usual(), scenario, {}, players, f"bench-{n + 1}")
        for n in range(number)
    ]


def _rehearse(folder: Path, number: int) -> tuple[list[bytes], int, float]:
    """Letters of robot games, several for each, all games in turns; the usual size of a reply, and how many."""
    moderator = _moderator(f"sqlite:///{folder}/rehearsal.db")
    ids = _open(moderator, number)
    before = sum(len(moderator.store.dispatches(game_id)) for game_id in ids)
    rng = random.Random(1813)
    robot = games.load(games.usual()).robots["sensible"]
    raws: list[bytes] = []
    while len(raws) < number:
        for game_id in ids:
            with moderator.store.journal(game_id, utc_now()) as journal:
                live = moderator.tables.table(game_id, journal)
            asked = [q for key, q in live.game.questions.items() if not live.game.answered(key)]
            if live.over or not asked or len(raws) >= number:
                continue
            answer = robot(live.game.view(asked[0].seat), asked[0], rng)
            text = "\n".join(order.text(live.rules.vocabulary) for order in answer)
            raws.append(_letter(live.token(asked[0].seat).text(), asked[0].seat, text, len(raws)))
            moderator.handle(Message(raws[-1]))
    rows = moderator.store.dispatches(ids[0])[-6:]
    sizes = [len(asyncio.run(Secretary(moderator.campaign, None).write(row))) for row in rows]
    out = sum(len(moderator.store.dispatches(game_id)) for game_id in ids) - before
    moderator.store.close()
    return raws, sum(sizes) // len(sizes), out / len(raws)


def _letter(token: str, seat: str, text: str, number: int) -> bytes:
    message = EmailMessage()
    message["From"] = PLAYERS[seat]
    message["To"] = reply_address(ADDRESS, token)
    message["Subject"] = "Re: your orders, please"
    message["Message-ID"] = f"<bench.{number}@players.example>"
    message.set_content(f"{text}\n\n> an old line\n> another old line\n\n-- \n{seat}\n")
    return bytes(message).replace(b"\n", b"\r\n")


def _fill(site: Site, raws: list[bytes]) -> None:
    """The mailbox with just these letters."""
    imap = site.imap
    tls = imap.security is Security.TLS
    with imapclient.IMAPClient(
        imap.host, imap.port, ssl=tls, ssl_context=imap.tls_context() if tls else None
    ) as client:
        if imap.security is Security.STARTTLS:
            client.starttls(imap.tls_context())
        client.login(imap.username, imap.password)
        client.select_folder(imap.folder)
        if found := client.search():
            client.delete_messages(found, silent=True)
            client.expunge()
        batch = 200 if client.has_capability("MULTIAPPEND") else 1
        for start in range(0, len(raws), batch):
            if batch > 1:
                client.multiappend(imap.folder, raws[start : start + batch])
            else:
                client.append(imap.folder, raws[start])


def _floor(site: Site, raws: list[bytes], size: int, replies: float) -> tuple[float, float]:
    """Letters a second of a loop that only fetches, commits and sends; its processor time for each, in ms."""
    _fill(site, raws)
    store = _moderator(site.url).store
    started, used = time.perf_counter(), time.process_time()
    asyncio.run(_bare(site, store, size, replies))
    seconds, used = time.perf_counter() - started, time.process_time() - used
    store.close()
    return len(raws) / seconds, 1000 * used / len(raws)


async def _bare(site: Site, store: Store, size: int, replies: float) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)

    async def reply(outlet: SmtpOutlet, number: int) -> None:
        letter = Outgoing(
            sender=ADDRESS,
            recipient=PLAYERS["french"],
            subject="taken",
            message_id=f"<floor.{number}@pbem.example>",
            date=now,
            text="taken\n" * max(1, size // 6),
        )
        await outlet.send(compose(letter), ADDRESS, [PLAYERS["french"]])

    four = msgspec.structs.replace(site.smtp, connections=4)
    async with ImapInbox(site.imap) as inbox, SmtpOutlet(four) as outlet:
        batch: list[Message] = []
        sending: list[asyncio.Task[None]] = []
        number = 0
        async for fetched in inbox.letters(Cursor()):
            with store.journal(None, now) as journal:
                name = f"<{number}@x>"
                received = journal.receive(Message(fetched.raw, SOURCE), digest=str(number), message_id=name)
                journal.handled(received.id, "done")
                journal.dispatch(Sending(ADDRESS, "reply", f"<r{number}@x>", {"text": "taken"}))
            batch.append(fetched)
            number += 1
            while len(sending) < number * replies:
                sending.append(asyncio.create_task(reply(outlet, len(sending))))
            await asyncio.sleep(0)
            if len(batch) == 50:
                await inbox.acknowledge(batch)
                batch = []
        await inbox.acknowledge(batch)
        await asyncio.gather(*sending)


def _backlog(site: Site, raws: list[bytes], workers: int) -> tuple[float, float, float]:
    """Letters a second until the last reply is out; the largest worker's memory in MB; all processor time in ms."""
    _fill(site, raws)
    moderator = _moderator(site.url)
    _open(moderator, len(raws))
    _no_first_letters(moderator.store)
    with _serving(site, workers) as (lines, processes):
        started = time.perf_counter()
        for line in lines:
            line.send("go")
        _until_done(moderator.store, len(raws), processes)
        seconds = time.perf_counter() - started
    moderator.store.close()
    told = [_told(line, _WORKER) for line in lines]
    used = sum(cost for _, cost in told)
    return len(raws) / seconds, max(memory for memory, _ in told), 1000 * used / len(raws)


def _no_first_letters(store: Store) -> None:
    """The games' first letters are not what is measured."""
    with store.writing() as (_, cursor):
        cursor.execute("UPDATE dispatch SET status = 'sent'")


def _until_done(store: Store, letters: int, processes: list[SpawnProcess]) -> None:
    """Wait until so many letters are handled and answered. Raises CannotMeasure when a worker dies."""
    handled = select(func.count()).where(LetterRow.status == "done")
    while True:
        if not all(process.is_alive() for process in processes):
            raise CannotMeasure(f"{_WORKER} has died")
        with store.reading() as session:
            if session.exec(handled).one() >= letters and store.outbox.next_due() is None:
                return
        time.sleep(0.05)


@contextmanager
def _serving(site: Site, workers: int) -> Iterator[tuple[list[Connection], list[SpawnProcess]]]:
    """Daemons in processes of their own, ready and waiting for «go»; afterwards each tells what it has used."""
    begun = [_started(_serve, site) for _ in range(workers)]
    processes, lines = [process for process, _ in begun], [line for _, line in begun]
    try:
        for line in lines:
            _told(line, _WORKER)
        yield lines, processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(30)


def _serve(site: Site, line: Connection) -> None:
    store = Store.open(site.url)
    moderator = Moderator(store, Settings(ADDRESS), utc_now)
    used = 0.0

    async def run() -> None:
        nonlocal used
        intake = None if store.sql.sqlite else Intake(store)
        secretary = Secretary(moderator.campaign, None)
        outlet = Beside(lambda: SmtpOutlet(msgspec.structs.replace(site.smtp, connections=4)))
        inbox = ImapInbox(site.imap)
        daemon = Daemon(moderator, secretary, inbox, outlet, source=SOURCE, intake=intake)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, daemon.stop)
        games.load(games.usual())
        line.send("ready")
        line.recv()
        used = time.process_time()
        await daemon.run()

    asyncio.run(run())
    used = time.process_time() - used
    store.close()
    line.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, used))


def _stream(site: Site, raws: list[bytes], pace: float) -> list[float]:
    """The seconds from handing in each letter by SMTP until the server has taken our reply to it."""
    _fill(site, [])
    moderator = _moderator(site.url)
    _open(moderator, len(raws) * OF_EACH_GAME)
    _no_first_letters(moderator.store)
    # Letters of the first round of each game: none has to wait for an answer to another.
    sent: dict[str, datetime] = {}
    with _serving(site, 1) as ((line,), processes):
        line.send("go")
        time.sleep(1.0)
        asyncio.run(_hand_in(site, raws, pace, sent))
        _until_done(moderator.store, len(raws), processes)
    with moderator.store.reading() as session:
        rows = session.exec(select(DispatchRow).where(DispatchRow.kind != "start")).all()
    moderator.store.close()
    delays: dict[str, timedelta] = {}
    for row in rows:
        if row.sent_at is not None and row.in_reply_to in sent:
            at = row.sent_at if row.sent_at.tzinfo else row.sent_at.replace(tzinfo=UTC)
            delays[row.in_reply_to] = at - sent[row.in_reply_to]
    return [delay.total_seconds() for delay in delays.values()]


async def _hand_in(site: Site, raws: list[bytes], pace: float, sent: dict[str, datetime]) -> None:
    started = time.perf_counter()
    async with SmtpOutlet(site.smtp) as outlet:
        tasks = []
        for number, raw in enumerate(raws):
            await asyncio.sleep(max(0.0, started + number / pace - time.perf_counter()))
            sent[f"<bench.{number}@players.example>"] = utc_now()
            tasks.append(asyncio.create_task(outlet.send(raw, ADDRESS, [ADDRESS])))
        await asyncio.gather(*tasks)
