"""The game master's acts. Each is an entry of the journal and of the log, and is mailed to all.

A game needs no master. By letter a master writes PAUSE, EXTEND, REPLACE, ACT FOR, PROCESS, ANNOUNCE, CORRECT,
ROLLBACK; the host does the same with `pbem gm`. An act that cannot be done raises Refused, and nothing changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec

from pbem.campaign.commands import agreements
from pbem.campaign.commands.attendance import MAIL_ADDRESS
from pbem.campaign.deadlines import clock, missed
from pbem.campaign.deadlines.calendar import USUAL, Calendar, Refused, read_span
from pbem.campaign.intake import tokens
from pbem.campaign.intake.order_lines import OrderLines
from pbem.campaign.intake.request import Request
from pbem.campaign.outgoing import arrangements
from pbem.campaign.outgoing.dispatch import NOTICE, REPORT, START, STRANGER, Dispatch, Note
from pbem.campaign.seat_names import seat_named
from pbem.campaign.signup import eligible
from pbem.campaign.table.tables import Person, Record
from pbem.campaign.table.transaction import Turn
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import MASTER
from pbem.orders.commands import CommandGrammar, OrderLine
from pbem.reports.catalogue import catalogue
from pbem.reports.report import Line, Section
from pbem.store.records import Sending

MOST_ANNOUNCED = 8000
PLAYERS = "players"
"""The author of what is decided by vote."""
_BY = re.compile(r"\s(?:by|with|par|avec)\s++", re.IGNORECASE)


def written_down(turn: Turn, by: str, kind: str, reason: str = "", **facts: Any) -> int:
    """An act in the journal and in the log; its number."""
    data = {"reason": reason, **facts} if reason else facts
    turn.log("act", dicelog.act(by, kind, **data))
    return turn.journal.act(by, kind, data)


def _told(by: str, what: str) -> str:
    """The phrase that tells of an act: of the game master's, or of the players' by their vote."""
    return f"players_{what}" if by == PLAYERS else f"gm_{what}"


def tell_all(turn: Turn, code: str, **params: str | int) -> None:
    """A note to everyone."""
    for seat in turn.live.people:
        turn.note(seat, Note(code, dict(params)))


def pause(turn: Turn, by: str, reason: str = "") -> None:
    """Stop the game: no clock runs, no orders are taken."""
    affairs = turn.live.affairs
    _not_over(turn)
    if affairs.paused:
        raise Refused("gm_paused_already")
    affairs.paused, affairs.paused_at = by, turn.journal.at
    written_down(turn, by, "pause", reason)
    tell_all(turn, _told(by, "pause"), reason=reason)


def resume(turn: Turn, by: str, reason: str = "") -> None:
    """Go on: every deadline moves by the time that the pause lasted."""
    affairs = turn.live.affairs
    if not affairs.paused:
        raise Refused("gm_not_paused")
    lost = turn.journal.at - (affairs.paused_at or turn.journal.at)
    affairs.paused, affairs.paused_at = "", None
    if affairs.calendar is not None:
        for due in affairs.dues.values():
            due.at = affairs.calendar.shifted(due.at, lost)
    written_down(turn, by, "resume", reason)
    tell_all(turn, _told(by, "resume"), reason=reason)
    for seat in turn.live.seats:
        turn.say(seat, Dispatch(NOTICE, form=True))


def span(text: str) -> timedelta:
    """24, 24h or 2d. Raises Refused."""
    hours = read_span(text)
    if hours is None:
        raise Refused("gm_span")
    return timedelta(hours=hours)


def extend(turn: Turn, by: str, time: timedelta, reason: str = "", seat: str = "") -> None:
    """More time for what is asked, of one seat or of all."""
    live = turn.live
    calendar = _calendar(turn)
    if seat:
        seat = known_seat(turn, seat)
    dues = [due for due in live.affairs.dues.values() if not seat or due.seat == seat]
    if not dues:
        raise Refused("gm_nothing_due")
    for due in dues:
        due.at = calendar.shifted(max(due.at, turn.journal.at), time)
        due.noticed = False
        due.reminded = sum(when <= turn.journal.at for when in calendar.reminders_before(due.at))
    latest = max(due.at for due in dues)
    written_down(turn, by, "extend", reason, hours=int(time.total_seconds() // 3600), seat=seat)
    for other in live.people:
        deadline = clock.when(live, latest, other)
        turn.note(other, Note(_told(by, "extend"), {"deadline": deadline, "reason": reason}))


def set_time(turn: Turn, by: str, time: timedelta, reason: str = "") -> None:
    """How much time there is for each decision from now on; a game without deadlines gets them."""
    live = turn.live
    _not_over(turn)
    hours = int(time.total_seconds() // 3600)
    first = live.affairs.calendar is None
    live.affairs.calendar = msgspec.structs.replace(live.affairs.calendar or USUAL, hours=hours, phases={})
    written_down(turn, by, "deadline", reason, hours=hours)
    if not first:
        tell_all(turn, "gm_deadline", hours=hours, reason=reason)
        return
    clock.wind(live, turn.journal.at)
    dues = live.affairs.dues.values()
    until = min((due.at for due in dues), default=turn.journal.at + time)
    for seat in live.people:
        said: dict[str, str | int] = {"hours": hours, "reason": reason}
        said["deadline"] = clock.when(live, until, seat)
        turn.note(seat, Note("gm_deadline_first", said))


def process(turn: Turn, by: str, moment: str, reason: str = "") -> None:
    """Do not wait any longer: silence speaks for whoever is asked. It has to name the present moment."""
    live = turn.live
    _not_over(turn)
    now = live.rules.moment(live.game.view(None))
    if moment.strip().lower() != now.lower():
        raise Refused("stale_phase", asked=moment.strip()[:40] or "?", now=now)
    written_down(turn, by, "process", reason, moment=now)
    tell_all(turn, "gm_process", moment=now, reason=reason)
    for seat in live.seats:
        if turn.asked(seat) and not turn.release(seat):
            missed.answer_for(turn, seat)
    turn.spread()


def replace(turn: Turn, by: str, seat: str, address: str, name: str = "", lang: str = "") -> None:
    """Another player for a seat. The old token is worthless; what was said to the old player is not shown."""
    live = turn.live
    _not_over(turn)
    seat = known_seat(turn, seat)
    match = MAIL_ADDRESS.fullmatch(address.strip())
    if match is None:
        raise Refused("address_what")
    wanted = match[1].lower()
    eligible.check(turn.campaign.store, live, seat, wanted)
    row, old = live.seats[seat], live.person(seat)
    turn.journal.withdraw(seat, "another player sits there now")
    before, spoken = row.address, row.lang
    row.name, row.address, row.salt = name or wanted.partition("@")[0], wanted, ""
    row.lang = lang if lang in ("en", "fr") else row.lang
    turn.journal.set_seat(live.change_person(seat, Person(generation=old.generation + 1)))
    live.affairs.records[seat] = Record()
    live.affairs.absences.pop(seat, None)
    live.affairs.drafts.pop(seat, None)
    live.affairs.waiting = [waits for waits in live.affairs.waiting if waits != seat]
    live.affairs.wanted = [one for one in live.affairs.wanted if one != seat]
    if live.affairs.paused == missed.NOBODY:
        live.affairs.paused, live.affairs.paused_at = "", None
    clock.restart(live, seat, turn.journal.at)
    written_down(turn, by, "replace", seat=seat)
    for other in live.people:
        if other != seat:
            turn.note(other, Note("gm_replace", {"seat": seat}))
    if live.affairs.bulletins:
        # A newcomer is told what has happened since the bulletin before the last.
        live.affairs.reported[seat] = live.affairs.bulletins[0]
    bound = agreements.section(live, seat, row.lang)
    sections = (arrangements.customs_section(live, row.lang), *((bound,) if bound is not None else ()))
    turn.say(seat, Dispatch(START, form=True, picture=True, sections=sections))
    if not before:
        return
    farewell = Dispatch(STRANGER, notes=(Note("replaced", {"game": live.id}),), lang=spoken)
    turn.journal.dispatch(Sending(before, STRANGER, turn.extra_id(f"farewell|{seat}"), farewell))


def act_for(
    turn: Turn, by: str, seat: str, lines: Sequence[str], commands: CommandGrammar[Request], reason: str = ""
) -> list[Line]:
    """Orders in a seat's place: its player is told, and gets a copy. What the lines were read as."""
    live = turn.live
    _not_over(turn)
    seat = known_seat(turn, seat)
    request = Request(turn.campaign.store, live, seat, turn.journal.at, commands)
    OrderLines(request).read([OrderLine(line) for line in lines])
    if not request.result.givens:
        problems = "; ".join(under for line in request.result.replies for under in line.under) or "; ".join(
            line.text for line in request.result.replies
        )
        raise Refused("gm_act_bad", seat=seat, problems=problems[:500] or "; ".join(lines)[:200])
    n = live.last_entry.n + 1
    sealed = {}
    if live.affairs.edition > 1:
        sealed["leaf"], _ = turn.seal_orders(seat, request.result.givens)
    written_down(turn, by, "act_for", reason, seat=seat, **sealed)
    givens = [
        msgspec.structs.replace(given, origin=MASTER, by=f"master:{n}") for given in request.result.givens
    ]
    turn.give(givens)
    for other in live.people:
        if other != seat:
            turn.note(other, Note("gm_act", {"seat": seat, "reason": reason}))
    turn.note(seat, Note("gm_act_you", {"reason": reason}))
    turn.say(seat, Dispatch(REPORT, picture=True, form=True))
    turn.spread(seat)
    return request.result.replies


def announce(turn: Turn, by: str, text: Sequence[str]) -> None:
    """A word to all."""
    said = [tokens.hidden(line.rstrip()[:1000]) for line in text]
    if not any(said):
        raise Refused("gm_announce_what")
    if sum(map(len, said)) > MOST_ANNOUNCED:
        raise Refused("press_long", limit=MOST_ANNOUNCED)
    written_down(turn, by, "announce", text="\n".join(said))
    for seat, row in turn.live.people.items():
        title = catalogue(row.lang).phrase("titles", "announcement")
        section = Section(title, tuple(Line(line) for line in said))
        turn.say(seat, Dispatch(NOTICE, sections=(section,)))


def known_seat(turn: Turn, text: str) -> str:
    """The seat that is meant, by its name in either language. Raises Refused."""
    live = turn.live
    seat = seat_named(text, live.rules, list(live.seats))
    if seat is not None:
        return seat
    raise Refused("no_such_seat", seat=text.strip()[:40], seats=", ".join(live.seats))


def split_by(argument: str) -> tuple[str, str]:
    """`french by carl@example.org` in its two parts. Raises Refused."""
    parts = _BY.split(argument.strip(), maxsplit=1)
    if len(parts) != 2:
        parts = argument.strip().split(maxsplit=1)
    if len(parts) != 2:
        raise Refused("gm_replace_what")
    return parts[0], parts[1]


def _calendar(turn: Turn) -> Calendar:
    _not_over(turn)
    calendar = turn.live.affairs.calendar
    if calendar is None:
        raise Refused("gm_no_calendar")
    return calendar


def _not_over(turn: Turn) -> None:
    if turn.live.over:
        raise Refused("game_over")
