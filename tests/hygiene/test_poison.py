"""A letter that ends the program is put aside unread after a few tries; the host is told, the others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import imapclient
import pytest
from sqlmodel import select

from pbem.campaign.intake.carrying_out import SeatLetters
from pbem.letters.letter import Letter
from pbem.letters.reading import read
from pbem.post.embedded import EmbeddedPost
from pbem.post.maildir import MaildirInbox
from pbem.post.outcome import Sent
from pbem.server.workers import MOST_TRIES, Shared
from pbem.store.engine import Unavailable
from pbem.store.intake import Intake
from pbem.store.tables import LetterRow
from tests.hygiene.conftest import ALICE, BOB, MODERATOR, Office, replace
from tests.servers import postgres
from tests.store.conftest import _create

Offices = Callable[..., Awaitable[Office]]
POISON = "poison-for-the-parser"


class Killed(BaseException):
    """What the rest of the program never sees: the process is gone."""


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading such a letter is the end."""

    def ends(raw: bytes, own_address: str = "") -> Letter:
        if POISON.encode() in raw:
            raise Killed
        return read(raw, own_address=own_address)

    monkeypatch.setattr("pbem.campaign.intake.moderator.read", ends)
    monkeypatch.setattr("pbem.campaign.intake.moderator.read", ends)


async def folders(post: EmbeddedPost) -> dict[str, list[bytes]]:
    return await asyncio.to_thread(_folders, post)


def _folders(post: EmbeddedPost) -> dict[str, list[bytes]]:
    with imapclient.IMAPClient("127.0.0.1", post.imap_port, ssl=False) as client:
        client.login(MODERATOR, "tambour")
        found = {}
        for _, _, name in client.list_folders():
            client.select_folder(name, readonly=True)
            answer = client.fetch(client.search(), ["BODY.PEEK[]"]) if client.search() else {}
            found[name] = [parts[b"BODY[]"] for parts in answer.values()]
        return found


async def test_it_is_put_aside_and_the_others_are_answered(office: Office, deadly: None) -> None:
    office.imap = replace(office.imap, processed_folder="Processed", refused_folder="Refused")
    await office.restart(keeper=BOB)
    for text in ("status", POISON, "map"):
        await office.arrive(office.letter("french", text))
    for life in range(MOST_TRIES):
        with pytest.raises(Killed):
            await office.round()
        assert [one.status for one in office.handled] == (["done"] if not life else [])
        await office.restart(keeper=BOB)
    assert await office.round() == ["poison", "done"]
    assert await office.round() == []
    assert len(office.texts(ALICE)) == 3
    assert "ended the program" in office.texts(BOB)[-1]
    lying = await folders(office.post)
    assert [POISON.encode() in raw for raw in lying["Refused"]] == [True]
    assert len(lying["Processed"]) == 2
    (row,) = [row for row in _letters(office) if POISON.encode() in row.raw]
    assert (row.status, row.note) == ("refused", "poison")


def _letters(office: Office) -> list[LetterRow]:
    with office.store.reading() as session:
        return list(session.exec(select(LetterRow)))


async def test_trouble_that_the_program_survives_does_not_count(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.arrive(office.letter("french", "status"))

    def full(*_: object, **__: object) -> None:
        raise Unavailable("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(office.moderator, "handle", full)
        for _ in range(3 * MOST_TRIES):
            with pytest.raises(Unavailable):
                await office.round()
    assert await office.round() == ["done"]


async def test_a_letter_that_only_waits_to_be_acknowledged_is_not_suspect(
    office: Office, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    box = tmp_path / "box"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    (box / "new" / "1").write_bytes(office.letter("french", "status"))

    async def killed(*_: object, **__: object) -> None:
        raise Killed

    for _ in range(MOST_TRIES + 4):
        await office.restart()
        office.daemon.inbox = MaildirInbox(box)
        monkeypatch.setattr(office.daemon.inbox, "acknowledge", killed)
        with pytest.raises(Killed):
            await office.round()
    await office.restart()
    office.daemon.inbox = MaildirInbox(box)
    assert await office.round() == ["duplicate"]
    assert office.store.aside() == []


class _Slow:
    """An outlet that is at a letter until it is let go."""

    def __init__(self, order: list[str]) -> None:
        self.order = order
        self.at_it, self.go_on = asyncio.Event(), asyncio.Event()

    async def send(self, *_: object) -> Sent:
        self.at_it.set()
        await self.go_on.wait()
        self.order.append("sent")
        return Sent()

    async def close(self) -> None: ...


async def test_no_letter_is_begun_with_care_while_others_are_sent(
    office: Office, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever dies while sending has not died of the letter that came in meanwhile."""
    box = tmp_path / "box"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    (box / "new" / "1").write_bytes(office.letter("french", "status"))
    await office.arrive(office.letter("french", "map"))
    await office.daemon.fetch()
    order: list[str] = []
    office.daemon.inbox, office.daemon.outlet = MaildirInbox(box), (slow := _Slow(order))
    attempt = office.store.attempt
    monkeypatch.setattr(office.store, "attempt", lambda *of: (order.append("begun"), attempt(*of))[1])
    sending = asyncio.create_task(office.daemon.send_due())
    await slow.at_it.wait()
    fetching = asyncio.create_task(office.daemon.fetch())
    done, _ = await asyncio.wait([fetching], timeout=0.2)
    assert not done
    assert order == []
    slow.go_on.set()
    await asyncio.gather(sending, fetching)
    assert order == ["sent", "begun"]


async def test_in_a_maildir_too_behind_letters_that_are_known(
    office: Office, deadly: None, tmp_path: Path
) -> None:
    box = tmp_path / "box"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    for n, text in enumerate(("status", "map", POISON, "status")):
        (box / "new" / f"{n}").write_bytes(office.letter("french", text))
    for _ in range(MOST_TRIES):
        await office.restart()
        office.daemon.inbox = MaildirInbox(box)
        with pytest.raises(Killed):
            await office.round()
    await office.restart()
    office.daemon.inbox = MaildirInbox(box)
    assert await office.round() == ["poison", "done"]
    assert not list((box / "new").iterdir())


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres.server() as address:
        _create(address, "poison")
        yield address + "poison"


async def shared(office: Office, **more: object) -> None:
    """The office as one of several workers."""
    await office.restart(**more)
    office.daemon._shared = Shared(office.daemon, Intake(office.store))


async def end(office: Office) -> None:
    """The worker is gone, and its connections with it."""
    assert office.daemon._shared is not None
    office.daemon._shared.close()


@pytest.mark.xdist_group("postgresql")
async def test_several_workers_put_it_aside_and_sort_what_they_refuse(
    offices: Offices, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = await offices(database)
    await office.round()
    office.imap = replace(office.imap, processed_folder="Processed", refused_folder="Refused")
    take = SeatLetters.take

    def deadly(*arguments: object) -> bool:
        if POISON in arguments[4].text:  # type: ignore[attr-defined]
            raise Killed
        return take(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(SeatLetters, "take", deadly)
    await shared(office, keeper=BOB)
    assert office.daemon._shared is not None
    for raw in (
        office.letter("french", POISON),
        office.letter("allied", "status"),
        office.letter("french", "hello", to=MODERATOR, From="eve@evil.example"),
    ):
        await office.arrive(raw)
    await office.daemon.fetch()
    assert all(not lying for name, lying in (await folders(office.post)).items() if name != "INBOX")
    for _ in range(MOST_TRIES):
        with pytest.raises(Killed):
            await office.daemon._shared.handle_waiting()
        await end(office)
        await shared(office, keeper=BOB)
    assert {row.tries for row in _letters(office) if POISON.encode() not in row.raw} == {0}
    office.handled.clear()
    while await office.daemon._shared.handle_waiting():
        pass
    assert sorted(one.status for one in office.handled) == ["done", "poison", "unknown"]
    assert office.daemon.inbox is not None
    assert not await office.daemon._shared.file(office.daemon.inbox)
    while await office.daemon.send_due():
        pass
    lying = await folders(office.post)
    assert len(lying["INBOX"]) == 0
    assert len(lying["Processed"]) == 1
    assert len(lying["Refused"]) == 2
    assert any("ended the program" in text for text in office.texts(BOB))
    await end(office)
