"""Players for a simulated month, each of a type: what they write when, as raw letters.

They read their letters as people do, decide with the game's robot, and write as people do: late, twice, with the
whole letter quoted below, with typing errors, from a telephone, or not at all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from email.header import Header, decode_header, make_header
from email.parser import HeaderParser
from typing import Any

import msgspec

from pbem.campaign.intake.sections import head_of
from pbem.kernel.game import Game
from pbem.letters.composing import reply_address

PUNCTUAL, LATE, ABSENT, VANISHING, DOUBLE, QUOTING, BOUNCING, MISTYPING, PHONE = (
    "punctual",
    "late",
    "absent",
    "vanishing",
    "double",
    "quoting",
    "bouncing",
    "mistyping",
    "phone",
)
PLAYER_TYPES = (PUNCTUAL, LATE, ABSENT, VANISHING, DOUBLE, QUOTING, BOUNCING, MISTYPING, PHONE)
KEEPS_DEADLINES = (PUNCTUAL, DOUBLE, QUOTING, MISTYPING, PHONE)
"""Those who always write in time: if one of them is late, it is our fault."""
_HOURS = {PUNCTUAL: (1, 14), LATE: (30, 66), PHONE: (1, 5), MISTYPING: (2, 10)}
_LETTERS_BEFORE_VANISHING = 4
_DAYS_OF_BOUNCES = 3
_DAYS_AWAY = 6
_MOST_SLIPS = 2
"""So often in a row somebody mistypes one letter; more would be his own delay, and not ours."""


_PROPOSAL = re.compile(r"\[(\d+)\]\s*:\s*SIGN")
"""How a proposal says that it can be signed."""


class Opened(msgspec.Struct, frozen=True):
    """A letter of the moderator's as its reader sees it."""

    subject: str
    message_id: str
    text: str


def opened(raw: bytes) -> Opened:
    """A letter of the moderator's, opened."""
    # Only as much as a reader looks at: a month has thousands of letters, and their pages and pictures are long.
    head = HeaderParser().parsestr(raw[: raw.index(b"\r\n\r\n") + 4].decode("utf-8", "replace"))
    # A long subject is encoded and folded on the way; its reader sees one line of words, and so does who he answers.
    subject, message_id = str(make_header(decode_header(head["Subject"]))), str(head["Message-ID"])
    at = 0 if head.get_content_type() == "text/plain" else raw.index(b"Content-Type: text/plain")
    start = raw.index(b"\r\n\r\n", at)
    # No line of a quoted-printable text can begin so.
    end = raw.find(b"\r\n--=_", start) if at else len(raw)
    part = HeaderParser().parsestr(raw[at : start + 4].decode("utf-8", "replace"))
    part.set_payload(raw[start + 4 : end].decode("utf-8", "replace"))
    payload = part.get_payload(decode=True)
    text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return Opened(subject, message_id, text)


class Sending(msgspec.Struct, frozen=True):
    """A letter that a player will send."""

    at: datetime
    raw: bytes


class Person:
    """One player of one game."""

    def __init__(self, game: str, seat: str, kind: str, lang: str, own: str, seed: str) -> None:
        self.game = game
        self.seat = seat
        self.kind = kind
        self.lang = lang
        self.address = f"{seat}@{game}.test"
        self.rng = random.Random(seed)
        self.received = self.sent = 0
        self.away_until: datetime | None = None
        self.writing_until: datetime | None = None
        """Until then an answer is on its way, and what comes meanwhile is only read."""
        self.unreachable_until: datetime | None = None
        self._moderator = own
        self._announced = False
        self._slips = 0

    def reachable(self, now: datetime) -> bool:
        """Whether a letter to the player arrives; the address of a bouncing one fails once, for some days."""
        if self.kind != BOUNCING:
            return True
        if self.unreachable_until is None and self.received >= 2:
            self.unreachable_until = now + timedelta(days=_DAYS_OF_BOUNCES)
        return self.unreachable_until is None or now >= self.unreachable_until

    def read(self, letter: Opened, game: Game[Any], token: str, now: datetime) -> Iterator[Sending]:
        """A letter has come; the letters with which the player answers it."""
        self.received += 1
        text = letter.text
        if "[[" not in text or self._gone() or (self.writing_until is not None and now < self.writing_until):
            return
        asked = game.open_to(self.seat)
        questions = [question for question in asked if not game.answered(question.key)]
        if not questions:
            return
        several = len(asked) > 1 and bool(questions[0].about)
        at = now + self._delay()
        if self.kind == ABSENT and not self._announced:
            self._announced = True
            first, last = (now + timedelta(days=1)).date(), (now + timedelta(days=_DAYS_AWAY)).date()
            yield self._write(now + timedelta(hours=1), [f"ABSENT {first} to {last}"], token, letter)
            self.away_until = now + timedelta(days=_DAYS_AWAY + 1.2)
        if self.away_until is not None and at < self.away_until:
            at = self.away_until
        self.writing_until = at
        lines = [*self._diplomacy(game, text), *self._letter(game, questions, text, several)]
        slips = self.kind == MISTYPING and self._slips < _MOST_SLIPS and self.rng.random() < 0.4
        self._slips = self._slips + 1 if slips else 0
        if slips:
            yield self._write(at, ["atack evrywhere at dawm", *lines[:1]], token, letter)
            return
        sending = self._write(at, lines, token, letter)
        yield sending
        if self.kind == DOUBLE:
            yield msgspec.structs.replace(sending, at=at + timedelta(minutes=2))
            if self.rng.random() < 0.3:
                other = self._letter(game, questions, text, several)
                self.writing_until = at + timedelta(minutes=5)
                yield self._write(self.writing_until, other, token, letter)

    def returned(self, token: str, now: datetime) -> Sending:
        """Letters arrive again: the player asks what has happened meanwhile."""
        return self._write(now, ["STATUS", "RESEND"], token, None)

    def _gone(self) -> bool:
        return self.kind == VANISHING and self.sent >= _LETTERS_BEFORE_VANISHING

    def _delay(self) -> timedelta:
        low, high = _HOURS.get(self.kind, (1, 20))
        return timedelta(hours=self.rng.uniform(low, high))

    def _letter(self, game: Game[Any], questions: Sequence[Any], text: str, several: bool) -> list[str]:
        """The orders for the first question, or for each under a head of its own, where several are asked.

        What is answered already is asked until all have answered, and could be meant too by a line without a head.
        """
        if not several:
            return self._orders(game, questions[0], text)
        lines = []
        for question in questions:
            lines.append(head_of(question, game.rules.vocabulary, self.lang))
            lines += self._orders(game, question, "")
        return lines

    def _diplomacy(self, game: Game[Any], text: str) -> list[str]:
        """Now and then a proposal, or a signature under one that has come."""
        if game.rules.agreements is None:
            return []
        open_to_me = _PROPOSAL.findall(text)
        if open_to_me and self.rng.random() < 0.6:
            return [f"SIGN {open_to_me[-1]}", ""]
        others = sorted({question.seat for question in game.questions.values()} - {self.seat})
        if others and self.rng.random() < 0.25:
            to = game.rules.vocabulary.say("seat", self.rng.choice(others), self.lang)
            clause = "peace" if self.lang == "en" else "paix"
            how = self.rng.choice(("PROPOSE TO", "SIGN TO"))
            return [f"{how} {to} for 2 turns:", clause, "friendship", ""]
        return []

    def _orders(self, game: Game[Any], question: Any, text: str) -> list[str]:
        if self.kind == PHONE and "\n1. " in text.replace("\n 1. ", "\n1. ") and self.rng.random() < 0.7:
            return ["1"]
        robots = game.rules.robots
        robot = robots.get("random") or next(iter(robots.values()))
        answer = robot(game.view(self.seat), question, self.rng)
        return [order.text(game.rules.vocabulary, self.lang) for order in answer]

    def _write(self, at: datetime, lines: list[str], token: str, letter: Opened | None) -> Sending:
        self.sent += 1
        subject = letter.subject if letter is not None else "?"
        subject = subject if subject.startswith("Re:") else f"Re: {subject}"
        body, kind = "\n".join(lines) + f"\n-- \n{self.seat}\n", "plain"
        if self.kind == QUOTING and letter is not None:
            quoted = "\n".join(f"> {line}" for line in letter.text.splitlines())
            body = "\n".join(lines) + f"\n\nOn Mon, 5 Jan 2026 at 10:00, pbem wrote:\n{quoted}\n"
        elif self.kind == PHONE:
            kind = "html"
            body = f"<html><body><div>{'<br>'.join(lines)}</div><br>Sent from my iPhone</body></html>"
        head = [
            f"From: {self.address}",
            f"To: {reply_address(self._moderator, token)}",
            f"Subject: {Header(subject, header_name='Subject').encode()}",
            f"Message-ID: <{self.sent}.{self.address}>",
            "MIME-Version: 1.0",
            f'Content-Type: text/{kind}; charset="utf-8"',
            "Content-Transfer-Encoding: 8bit",
        ]
        if letter is not None:
            head.append(f"In-Reply-To: {letter.message_id}")
        text = "\n".join([*head, "", body])
        return Sending(at, text.replace("\n", "\r\n").encode())


def bounce(address: str, own: str, message_id: str, number: int) -> bytes:
    """The delivery report that a mail server writes about a letter of ours."""
    return (
        f"From: MAILER-DAEMON@mx.test\r\nTo: {own}\r\nSubject: Undelivered\r\n"
        f"Message-ID: <bounce.{number}@mx.test>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nThe mailbox does not exist.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {message_id}\r\n\r\n--b--\r\n"
    ).encode()
