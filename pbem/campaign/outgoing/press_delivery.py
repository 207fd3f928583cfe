"""Messages between players that arrive: at once, with the results of a turn, or by courier. What is said to whom."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import msgspec

from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.table.tables import MASTER_ROLE, Letterbox, Live
from pbem.reports.catalogue import catalogue
from pbem.reports.report import Line, Section

Said = tuple[str, Dispatch]
"""A letter and the seat that it is for."""


def next_arrival(live: Live) -> datetime | None:
    """When the next courier arrives, or is taken."""
    return min((one.at for one in live.affairs.road), default=None)


def arrivals(live: Live, now: datetime) -> Iterator[Said]:
    """Couriers whose time has come bring their letters: to whom they were for, or to whoever captured them."""
    affairs = live.affairs
    there = [one for one in affairs.road if one.at <= now or live.over]
    affairs.road = [one for one in affairs.road if one not in there]
    for one in there:
        ride = affairs.rides[one.n - 1]
        box = Letterbox("" if one.anonymous else one.sender, [one.to], one.text, one.proposal)
        if not ride.captured:
            yield from handed_over(live, box)
        elif ride.captor:
            yield from handed_over(live, box, captor=ride.captor)


def captures(live: Live) -> Iterator[tuple[str, Note]]:
    """The game is over: whoever wrote learns which of his couriers never arrived."""
    for ride in live.affairs.rides:
        if ride.captured:
            lang = live.people[ride.sender].lang
            captor = name_of(live, ride.captor, lang) if ride.captor else ""
            params: dict[str, str | int] = {"to": name_of(live, ride.to, lang), "captor": captor}
            yield ride.sender, Note("press_captured", params)


def released(live: Live) -> Iterator[Said]:
    """Messages that waited for the results of the turn."""
    boxes, live.affairs.letterbox = live.affairs.letterbox, []
    for box in boxes:
        yield from handed_over(live, box)


def handed_over(live: Live, box: Letterbox, captor: str = "") -> Iterator[Said]:
    """A message to each of its recipients, and to nobody else; a captured one to its captor alone."""
    for seat in [captor] if captor else box.to:
        row = live.people.get(seat)
        if row is None:
            continue
        words = catalogue(row.lang)
        several = [name_of(live, one, row.lang) for one in box.to]
        kind = "captured" if captor else "press"
        if box.sender:
            title = words.phrase("titles", kind, sender=name_of(live, box.sender, row.lang), to=several)
        else:
            title = words.phrase("titles", f"{kind}_anonymous", to=several)
        lines = tuple(Line(line) for line in box.text.split("\n"))
        if box.proposal:
            lines = _proposal(live, box.proposal, seat, row.lang, lines, captured=bool(captor))
        topic = Note("message_unsigned")
        if captor:
            topic = Note("captured")
        elif box.sender:
            topic = Note("message", {"sender": name_of(live, box.sender, row.lang)})
        yield seat, Dispatch(NOTICE, sections=(Section(title, lines),), topic=topic)


def _proposal(
    live: Live, n: int, seat: str, lang: str, lines: tuple[Line, ...], *, captured: bool
) -> tuple[Line, ...]:
    """A proposal as its reader sees it: number, parties and clauses; its parties can sign it from now on."""
    one = next((one for one in live.affairs.proposed_agreements if one.agreement.n == n), None)
    if one is None:
        return lines
    words = catalogue(lang, live.rules)
    agreement = one.agreement
    params = {"n": n, "term": agreement.term}
    head = words.phrase("notes", "proposal_head", parties=list(map(words.seat, agreement.parties)), **params)
    clauses = tuple(Line(f"- {words.clause(clause)}") for clause in agreement.clauses)
    if captured:
        return (Line(head), *clauses)
    one.known = [*(other for other in one.known if other != seat), seat]
    return (Line(head), *clauses, Line(words.phrase("notes", "agreement_how", n=n)))


def name_of(live: Live, seat: str, lang: str) -> str:
    """A seat's name, or what somebody beside the table is."""
    if seat in live.seats:
        return catalogue(lang, live.rules).seat(seat)
    role = live.person(seat).role if seat in live.staff else MASTER_ROLE
    return catalogue(lang).phrase("roles", role)


def diary(acts_data: str) -> str:
    """The text of an entry of a diary or of a message."""
    return str(msgspec.json.decode(acts_data).get("text", ""))
