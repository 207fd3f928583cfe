"""Letters that machines send, and letters that come twice, late or in the wrong order."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import imapclient
import pytest

from pbem.letters.automatic import LOOP_HEADER
from pbem.letters.letter import Letter, Trouble
from pbem.letters.reading import read_head
from tests.hygiene.conftest import ALICE, BOB, MODERATOR, Office, replace

REPORT = """From: MAILER-DAEMON@mail.example
To: moderator@pbem.example
Subject: Undelivered Mail Returned to Sender
Message-ID: <dsn{n}@mail.example>
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
MIME-Version: 1.0

--b

I'm sorry.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}

--b
Content-Type: text/rfc822-headers

Message-ID: {message_id}

--b--
"""


def report(address: str, message_id: str, action: str = "failed", status: str = "5.1.1") -> bytes:
    text = REPORT.format(n=1, address=address, message_id=message_id, action=action, status=status)
    return text.replace("\n", "\r\n").encode()


async def silent(office: Office) -> None:
    before = {address: len(office.post.messages(address)) for address in (ALICE, BOB)}
    assert await office.round() == ["ignored"]
    assert {address: len(office.post.messages(address)) for address in (ALICE, BOB)} == before
    assert office.answers() == 0


@pytest.mark.parametrize(
    "head",
    [
        {LOOP_HEADER.replace("-", "_"): MODERATOR},
        {"From": MODERATOR},
        {"From": "moderator+leipzig-1.x@pbem.example"},
        {"Auto_Submitted": "auto-replied (vacation)"},
        {"X_Autoreply": "yes"},
        {"Subject": "Out of Office: Re: orders"},
        {"Subject": "Réponse automatique : Re: orders"},
        {"Precedence": "bulk"},
        {"List_Id": "<wargames.lists.example>"},
        {"From": "MAILER-DAEMON@mail.example"},
    ],
)
async def test_machines_get_silence_even_with_the_right_token(office: Office, head: dict[str, str]) -> None:
    await office.arrive(office.letter("french", "1", **head))
    await silent(office)


async def test_an_empty_return_path_gets_silence(office: Office) -> None:
    await office.arrive(office.letter("french", "1"), sender="")
    await silent(office)


async def test_our_own_letter_sent_back_to_us_starts_no_loop(office: Office) -> None:
    (ours,) = office.post.messages(ALICE)
    await office.arrive(ours)
    await silent(office)


async def test_copies_that_came_by_different_ways_count_once(office: Office) -> None:
    raw = office.letter("french", "status", Cc=MODERATOR)
    await office.arrive(raw, trace="by mx1.example; Thu, 1 Jan 2026 12:00:00 +0000")
    await office.arrive(raw, trace="by mx2.example; Thu, 1 Jan 2026 12:00:07 +0000")
    assert await office.round() == ["done", "duplicate"]
    await office.arrive(raw, trace="by mx3.example, after a day of greylisting")
    assert await office.round() == ["duplicate"]
    assert len(office.texts(ALICE)) == 2


async def test_another_letter_under_the_same_message_id_is_another_letter(office: Office) -> None:
    raw = office.letter("french", "status")
    await office.arrive(raw)
    await office.arrive(raw.replace(b"status", b"map"))
    assert await office.round() == ["done", "done"]


async def test_letters_in_the_wrong_order_are_judged_as_they_come(office: Office) -> None:
    first, second = office.letter("french", "1"), office.letter("french", "draw pile\ndraw pile\ndraw pile")
    await office.arrive(second)
    await office.arrive(first)
    assert await office.round() == ["done", "done"]
    assert len(office.texts(ALICE)) >= 3
    assert office.store.unhandled() == []


async def test_a_bounce_of_ours_marks_the_address_and_a_forged_one_does_not(office: Office) -> None:
    ours = office.store.first_message_id(office.game, "french")
    await office.arrive(report(ALICE, "<leipzig-1.french.0.0123456789ab@pbem.example>"), sender="")
    await office.arrive(report(BOB, ours), sender="")
    await office.round()
    seats = office.store.seats(office.game)
    assert "unreachable" not in seats["french"].data
    assert "unreachable" not in seats["allied"].data
    await office.arrive(report(ALICE, ours), sender="")
    await office.round()
    assert "duplicate" not in [handled.status for handled in office.handled]
    assert "unreachable" in office.store.seats(office.game)["french"].data


async def test_a_delay_is_no_bounce(office: Office) -> None:
    ours = office.store.first_message_id(office.game, "french")
    await office.arrive(report(ALICE, ours, action="delayed", status="4.4.1"), sender="")
    assert await office.round() == ["ignored"]
    assert "unreachable" not in office.store.seats(office.game)["french"].data


async def test_a_report_for_people_that_only_quotes_our_message_id_counts(office: Office) -> None:
    ours = office.store.first_message_id(office.game, "french")
    words = f"Sorry, your mail could not be delivered.\r\n\r\nMessage-ID: {ours}\r\n"
    head = (
        "From: postmaster@mx.example\r\nSubject: Undeliverable: orders\r\nMessage-ID: <x@mx.example>\r\n\r\n"
    )
    await office.arrive((head + words).encode(), sender="")
    assert await office.round() == ["ignored"]
    assert "unreachable" in office.store.seats(office.game)["french"].data


async def test_what_came_back_for_now_is_sent_again_and_nobody_is_marked(office: Office) -> None:
    ours = office.store.first_message_id(office.game, "french")
    before = len(office.post.messages(ALICE))
    await office.arrive(report(ALICE, ours, status="4.2.2"), sender="")
    assert await office.round() == ["ignored"]
    assert "unreachable" not in office.store.seats(office.game)["french"].data
    assert len(office.post.messages(ALICE)) == before
    office.now += timedelta(hours=7)
    await office.round()
    again = office.post.messages(ALICE)[before:]
    assert [ours.encode() in raw for raw in again] == [True]
    await office.arrive(report(ALICE, "<forged@pbem.example>", status="4.2.2"), sender="")
    await office.round()
    office.now += timedelta(hours=7)
    await office.round()
    assert len(office.post.messages(ALICE)) == before + 1


async def test_a_letter_beyond_its_budget_gets_a_clear_answer(office: Office) -> None:
    def costly(raw: bytes, *, own_address: str) -> Letter:
        return read_head(raw, Trouble("too-costly"), own_address=own_address)

    office.moderator.reader = costly
    await office.arrive(office.letter("french", "resign leipzig-1"))
    assert await office.round() == ["done"]
    assert "more time or memory than a letter may" in office.texts(ALICE)[-1]
    assert office.store.game(office.game).status == "running"


async def test_letters_are_moved_by_what_became_of_them_and_none_is_deleted(office: Office) -> None:
    office.imap = replace(office.imap, processed_folder="Processed", refused_folder="Refused")
    await office.restart()
    await office.arrive(office.letter("french", "status"))
    await office.arrive(office.letter("french", "hello", to=MODERATOR, From="eve@evil.example"))
    await office.arrive(office.letter("french", "away", Auto_Submitted="auto-replied"))
    assert await office.round() == ["done", "unknown", "ignored"]
    settings = office.imap

    def count() -> dict[str, int]:
        with imapclient.IMAPClient(settings.host, port=settings.port, ssl=False) as client:
            client.login(settings.username, settings.password)
            names = ("INBOX", "Processed", "Refused")
            return {name: client.select_folder(name, readonly=True)[b"EXISTS"] for name in names}

    assert await asyncio.to_thread(count) == {"INBOX": 0, "Processed": 1, "Refused": 2}
