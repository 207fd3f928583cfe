"""Letters in by IMAP: nothing lost, nothing acknowledged too early, every hang-up survived."""

import asyncio
from collections.abc import Callable

import imapclient
import msgspec
import pytest

from pbem.letters.message import Cursor, Message
from pbem.post import imap
from pbem.post.embedded import EmbeddedPost
from pbem.post.imap import ImapInbox
from pbem.post.inbox import InboxTrouble
from pbem.post.outcome import Sent
from pbem.post.settings import ImapSettings, Security
from pbem.post.smtp import SmtpOutlet
from tests.post.conftest import ALICE, MODERATOR, AnyPost


def raw(number: int) -> bytes:
    return f"From: alice@pbem.example\r\nSubject: {number}\r\n\r\nletter {number}\r\n".encode()


async def fetch(inbox: ImapInbox, cursor: Cursor) -> list[Message]:
    return [fetched async for fetched in inbox.letters(cursor)]


def numbers(letters: list[Message]) -> list[int]:
    return [int(letter.raw.rsplit(b"letter ")[-1]) for letter in letters]


async def look(settings: ImapSettings, work: Callable[[imapclient.IMAPClient], object]) -> object:
    """What a second mail program sees."""

    def inside() -> object:
        with imapclient.IMAPClient(settings.host, port=settings.port, ssl=False) as client:
            client.starttls(settings.tls_context())
            client.login(settings.username, settings.password)
            return work(client)

    return await asyncio.to_thread(inside)


def seen(client: imapclient.IMAPClient) -> list[int]:
    client.select_folder("INBOX", readonly=True)
    return list(client.search(["SEEN"]))


def in_folder(client: imapclient.IMAPClient, folder: str) -> int:
    return len(client.search()) if client.folder_exists(folder) and client.select_folder(folder) else 0


async def test_round_trip_over_tls(any_post: AnyPost) -> None:
    async with (
        ImapInbox(any_post.imap_settings(MODERATOR)) as inbox,
        SmtpOutlet(any_post.smtp_settings(ALICE)) as outlet,
    ):
        assert await fetch(inbox, Cursor()) == []
        cursor = Cursor()
        for number in range(3):
            waiting = asyncio.create_task(inbox.wait(30))
            assert isinstance(await outlet.send(raw(number), ALICE, [MODERATOR]), Sent)
            assert await waiting
            letters = await fetch(inbox, cursor)
            assert numbers(letters) == [number]
            await inbox.acknowledge(letters)
            cursor = letters[-1].cursor
        assert not await inbox.wait(0)


async def test_letters_come_in_order_and_in_batches(any_post: AnyPost) -> None:
    for number in range(25):
        await any_post.deliver(raw(number), MODERATOR)
    settings = msgspec.structs.replace(any_post.imap_settings(MODERATOR), batch=10)
    async with ImapInbox(settings) as inbox:
        letters = await fetch(inbox, Cursor())
        assert numbers(letters) == list(range(25))
        assert numbers(await fetch(inbox, letters[9].cursor)) == list(range(10, 25))
        assert await fetch(inbox, letters[-1].cursor) == []


async def test_the_time_of_arrival_comes_with_a_letter(post: EmbeddedPost) -> None:
    await post.deliver(raw(1), MODERATOR)
    async with ImapInbox(post.imap_settings(MODERATOR)) as inbox:
        (letter,) = await fetch(inbox, Cursor())
    assert letter.internal_date.isoformat() == "2025-03-03T17:02:00+00:00"


async def test_large_letters_come_in_smaller_batches(any_post: AnyPost) -> None:
    for number in range(4):
        await any_post.deliver(b"X: " + b"y" * 900 + b"\r\n" + raw(number), MODERATOR)
    settings = msgspec.structs.replace(any_post.imap_settings(MODERATOR), batch_bytes=1000)
    async with ImapInbox(settings) as inbox:
        assert numbers(await fetch(inbox, Cursor())) == [0, 1, 2, 3]


async def test_nothing_is_marked_before_it_is_acknowledged(any_post: AnyPost) -> None:
    settings = any_post.imap_settings(MODERATOR)
    for number in range(3):
        await any_post.deliver(raw(number), MODERATOR)
    async with ImapInbox(settings) as inbox:
        letters = await fetch(inbox, Cursor())
        assert await look(settings, seen) == []
        await inbox.acknowledge(letters[:2])
        await inbox.acknowledge(letters[:2])
        assert await look(settings, seen) == [letter.uid for letter in letters[:2]]


async def test_acknowledged_letters_are_moved(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.imap_settings(MODERATOR), processed_folder="Processed")
    for number in range(3):
        await any_post.deliver(raw(number), MODERATOR)
    async with ImapInbox(settings) as inbox:
        letters = await fetch(inbox, Cursor())
        await inbox.acknowledge(letters[:2])
        assert await look(settings, lambda client: in_folder(client, "Processed")) == 2
        assert numbers(await fetch(inbox, Cursor())) == [2]


async def test_foreign_uidvalidity_reads_all_again_but_acknowledges_nothing(any_post: AnyPost) -> None:
    settings = any_post.imap_settings(MODERATOR)
    await any_post.deliver(raw(1), MODERATOR)
    async with ImapInbox(settings) as inbox:
        (letter,) = await fetch(inbox, Cursor(uidvalidity=1, uid=10**6))
        await inbox.acknowledge([msgspec.structs.replace(letter, uidvalidity=1)])
        assert await look(settings, seen) == []


async def test_dropped_connections_are_replaced(any_post: AnyPost) -> None:
    async with ImapInbox(any_post.imap_settings(MODERATOR)) as inbox:
        await any_post.deliver(raw(1), MODERATOR)
        letters = await fetch(inbox, Cursor())
        any_post.drop_connections()
        await inbox.acknowledge(letters)
        any_post.drop_connections()
        await any_post.deliver(raw(2), MODERATOR)
        assert numbers(await fetch(inbox, letters[-1].cursor)) == [2]


async def test_connection_lost_while_waiting(any_post: AnyPost) -> None:
    async with ImapInbox(any_post.imap_settings(MODERATOR)) as inbox:
        await fetch(inbox, Cursor())
        waiting = asyncio.create_task(inbox.wait(30))
        await look(any_post.imap_settings(MODERATOR), lambda client: client.noop())
        any_post.drop_connections()
        assert not await waiting
        await any_post.deliver(raw(1), MODERATOR)
        assert numbers(await fetch(inbox, Cursor())) == [1]


async def test_letter_that_came_between_fetch_and_wait_is_not_overlooked(any_post: AnyPost) -> None:
    async with ImapInbox(any_post.imap_settings(MODERATOR)) as inbox:
        await any_post.deliver(raw(1), MODERATOR)
        letters = await fetch(inbox, Cursor())
        await any_post.deliver(raw(2), MODERATOR)
        await inbox.acknowledge(letters)
        assert await inbox.wait(30)
        assert numbers(await fetch(inbox, letters[-1].cursor)) == [2]


async def test_old_letters_before_the_cursor_do_not_end_the_wait(any_post: AnyPost) -> None:
    settings = any_post.imap_settings(MODERATOR)
    await any_post.deliver(raw(1), MODERATOR)
    async with ImapInbox(settings) as before:
        cursor = (await fetch(before, Cursor()))[-1].cursor
    async with ImapInbox(settings) as after:
        assert await fetch(after, cursor) == []
        assert not await after.wait(0)


async def test_server_that_forgets_at_idle_what_came_before_it(
    post: EmbeddedPost, monkeypatch: pytest.MonkeyPatch
) -> None:
    del post._boxes[MODERATOR].update_selected
    monkeypatch.setattr(imap, "_FIRST_IDLE", 0.01)
    loop = asyncio.get_running_loop()
    async with ImapInbox(post.imap_settings(MODERATOR)) as inbox:
        await fetch(inbox, Cursor())
        idle = inbox._idle
        lengths: list[float] = []

        def letter_just_before_idle(client: imapclient.IMAPClient, seconds: float) -> tuple[bool, bool]:
            if not lengths:
                asyncio.run_coroutine_threadsafe(post.deliver(raw(1), MODERATOR), loop).result()
            lengths.append(seconds)
            return idle(client, seconds)

        monkeypatch.setattr(inbox, "_idle", letter_just_before_idle)
        assert await inbox.wait(600)
        assert lengths == [0.01]


async def test_quiet_wait_idles_longer_and_longer(
    post: EmbeddedPost, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = msgspec.structs.replace(post.imap_settings(MODERATOR), idle_renewal=3.0)
    async with ImapInbox(settings) as inbox:
        await fetch(inbox, Cursor())
        lengths: list[float] = []

        def silent(client: imapclient.IMAPClient, seconds: float) -> tuple[bool, bool]:
            lengths.append(seconds)
            return len(lengths) == 5, False

        monkeypatch.setattr(inbox, "_idle", silent)
        assert not await inbox.wait(600)
        assert lengths == [0.5, 1.0, 2.0, 3.0, 3.0]


async def test_polling_where_there_is_no_idle(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.imap_settings(MODERATOR), idle=False, poll_interval=0.01)
    async with ImapInbox(settings) as inbox:
        await fetch(inbox, Cursor())
        waiting = asyncio.create_task(inbox.wait(30))
        await any_post.deliver(raw(1), MODERATOR)
        assert await waiting


async def test_idle_is_renewed_and_still_wakes(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.imap_settings(MODERATOR), idle_renewal=0.005)
    async with ImapInbox(settings) as inbox:
        await fetch(inbox, Cursor())
        assert not await inbox.wait(0.05)
        waiting = asyncio.create_task(inbox.wait(30))
        await any_post.deliver(raw(1), MODERATOR)
        assert await waiting


async def test_close_ends_a_wait(any_post: AnyPost) -> None:
    inbox = ImapInbox(any_post.imap_settings(MODERATOR))
    await fetch(inbox, Cursor())
    waiting = asyncio.create_task(inbox.wait(600))
    await asyncio.sleep(0)
    await inbox.close()
    assert not await waiting
    assert not await inbox.wait(600)
    with pytest.raises(InboxTrouble, match="closed"):
        await fetch(inbox, Cursor())


async def test_cancelled_wait_leaves_the_inbox_usable(any_post: AnyPost) -> None:
    async with ImapInbox(any_post.imap_settings(MODERATOR)) as inbox:
        await fetch(inbox, Cursor())
        waiting = asyncio.create_task(inbox.wait(600))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await any_post.deliver(raw(1), MODERATOR)
        assert numbers(await fetch(inbox, Cursor())) == [1]


async def test_wrong_password_is_permanent(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.imap_settings(MODERATOR), password="wrong")
    async with ImapInbox(settings) as inbox:
        with pytest.raises(InboxTrouble, match="refused the login") as caught:
            await fetch(inbox, Cursor())
        assert caught.value.permanent


async def test_no_server_is_trouble_and_the_wait_rests(unused_tcp_port: int) -> None:
    settings = ImapSettings(host="127.0.0.1", port=unused_tcp_port, security=Security.PLAIN, timeout=2)
    async with ImapInbox(settings) as inbox:
        with pytest.raises(InboxTrouble) as caught:
            await fetch(inbox, Cursor())
        assert not caught.value.permanent
        assert not await inbox.wait(0.01)


async def test_certificate_is_checked(any_post: AnyPost) -> None:
    settings = msgspec.structs.replace(any_post.imap_settings(MODERATOR), ca_file="")
    async with ImapInbox(settings) as inbox:
        with pytest.raises(InboxTrouble, match=r"(?i)certificate"):
            await fetch(inbox, Cursor())


async def test_check_says_what_the_server_is(any_post: AnyPost) -> None:
    async with ImapInbox(any_post.imap_settings(MODERATOR)) as inbox:
        assert "ready" in await inbox.check()
