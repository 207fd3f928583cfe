"""Press: letters between players through the moderator, so that no address is ever shown.

To one, several, all or the game master; white, or anonymous where the game allows it; at once, with the results of the
turn, or by courier. A diary is written to oneself. It is opened in the chronicle when the game is over, and so are
letters that were captured.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.house_rules import ANONYMOUS, NO_PRESS, WITH_RESULTS
from pbem.campaign.intake import tokens
from pbem.campaign.outgoing import couriers
from pbem.campaign.outgoing.couriers import Riding
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.seat_names import seat_named
from pbem.campaign.table.tables import MASTER_ROLE, OBSERVER, Letterbox, Live
from pbem.orders.commands import Command
from pbem.orders.words import fold
from pbem.reports.catalogue import catalogue
from pbem.reports.report import Line, Section

if TYPE_CHECKING:
    from pbem.campaign.intake.seat_letter import Errands
    from pbem.campaign.table.transaction import Turn

MOST_CHARACTERS = 4000
_ALL = ("all", "everyone", "everybody", "tous", "toutes", "tout le monde")
_MASTERS = (
    "gm",
    "master",
    "game master",
    "umpire",
    "maitre",
    "maitre du jeu",
    "mj",
    "arbitre",
    "le maitre du jeu",
)
_DIARY = ("diary", "my diary", "journal", "mon journal", "carnet", "mon carnet")
_UNSIGNED = re.compile(r"[\s,(]*\b(?:anonymous(?:ly)?|anonyme(?:ment)?)\b[\s)]*", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;&+]|\s+(?:and|et)\s+")


def press(errands: Errands, item: Command) -> None:
    """PRESS TO … : and a text."""
    try:
        _press(errands, item)
    except Refused as refused:
        errands.outcome.replies.append(errands.refuse(item.text, Note(refused.code, refused.params)))


def _press(errands: Errands, item: Command) -> None:
    live, seat = errands.live, errands.seat
    text = tokens.hidden("\n".join(line.rstrip() for line in item.lines).strip())
    to, unsigned = _UNSIGNED.subn(" ", item.argument)
    if not text:
        raise Refused("press_empty")
    if len(text) > MOST_CHARACTERS:
        raise Refused("press_long", limit=MOST_CHARACTERS)
    since = errands.now - timedelta(days=1)
    today = [
        row
        for row in errands.store.acts(live.id)
        if row.by == seat and row.kind == "press" and row.at > since
    ]
    customs = live.affairs.customs
    if len(today) + len(errands.outcome.deeds) >= customs.limit:
        raise Refused("press_limit", limit=customs.limit)
    if fold(to).strip() in _DIARY:
        errands.outcome.notes.append(Note("diary"))
        errands.outcome.deeds.append(lambda turn: _written(turn, "diary", seat, [], text, False))
        return
    recipients = _recipients(live, seat, to)
    staff_only = all(one in live.staff for one in recipients)
    if customs.press == NO_PRESS and not staff_only:
        raise Refused("press_forbidden")
    onlooker = seat in live.staff and live.person(seat).role == OBSERVER
    if onlooker and not customs.observers and not staff_only:
        raise Refused("press_observer")
    if unsigned and customs.press != ANONYMOUS:
        raise Refused("press_signed")
    rides = customs.couriers is not None and not staff_only
    if rides:
        most = len(live.affairs.rides) + len(live.seats) * (len(errands.outcome.deeds) + 1)
        if couriers.die(live.croupier, most) is None:
            raise Refused("press_no_courier")
    later = customs.release == WITH_RESULTS and not staff_only and not rides
    names = ", ".join(_name(live, one, errands.words.lang) for one in recipients)
    code = "press_courier" if rides else "press_later" if later else "press_sent"
    errands.outcome.notes.append(Note(code, {"to": names}))
    errands.outcome.deeds.append(
        lambda turn: _written(turn, "press", seat, recipients, text, bool(unsigned), later=later)
    )


def _recipients(live: Live, seat: str, text: str) -> list[str]:
    """Whom a message is for. Raises Refused."""
    found: list[str] = []
    for part in _BETWEEN.split(text):
        name = fold(part.strip(" .:"))
        if not name:
            continue
        if name in _ALL:
            found += [one for one in live.seats if one != seat]
        elif name in _MASTERS:
            masters = [one for one in live.staff if live.person(one).role == MASTER_ROLE and one != seat]
            if not masters:
                raise Refused("press_no_master")
            found += masters
        else:
            one = seat_named(part, live.rules, list(live.seats))
            if one is None:
                raise Refused("no_such_seat", seat=part.strip()[:40], seats=", ".join(live.seats))
            if one == seat:
                raise Refused("press_self")
            found.append(one)
    if not found:
        raise Refused("press_nobody")
    return list(dict.fromkeys(found))


def _written(
    turn: Turn, kind: str, seat: str, to: list[str], text: str, unsigned: bool, *, later: bool = False
) -> None:
    turn.journal.act(seat, kind, {"to": to, "text": text, "anonymous": unsigned})
    if turn.live.affairs.customs.couriers is not None:
        riding = [one for one in to if one in turn.live.seats]
        for one in riding:
            _send_courier(turn, seat, one, text, unsigned)
        to = [one for one in to if one not in riding]
    if not to:
        return
    box = Letterbox("" if unsigned else seat, to, text)
    if later:
        turn.live.affairs.letterbox.append(box)
    else:
        hand_over(turn, box)


def _send_courier(turn: Turn, seat: str, to: str, text: str, unsigned: bool) -> None:
    """A courier leaves; how he will fare is settled, and told to nobody."""
    live = turn.live
    affairs, custom = live.affairs, live.affairs.customs.couriers
    assert custom is not None
    n = len(affairs.rides) + 1
    value = couriers.die(live.croupier, n)
    assert value is not None
    stages = live.rules.stages(live.game.view(None), seat, to)
    seats = live.rules.scenarios[live.scenario].seats
    affairs.rides.append(couriers.ride(custom, seat, to, stages, live.game.answers, value, seats))
    at = couriers.arrival(custom, stages, turn.journal.at)
    affairs.road.append(Riding(n, seat, to, text, at, unsigned))


def next_arrival(live: Live) -> datetime | None:
    """When the next courier arrives, or is taken."""
    return min((one.at for one in live.affairs.road), default=None)


def arrive(turn: Turn) -> None:
    """Couriers whose time has come bring their letters: to whom they were for, or to whoever captured them."""
    affairs = turn.live.affairs
    there = [one for one in affairs.road if one.at <= turn.journal.at or turn.live.over]
    affairs.road = [one for one in affairs.road if one not in there]
    for one in there:
        ride = affairs.rides[one.n - 1]
        box = Letterbox("" if one.anonymous else one.sender, [one.to], one.text)
        if not ride.captured:
            hand_over(turn, box)
        elif ride.captor:
            hand_over(turn, box, captor=ride.captor)


def tell_captures(turn: Turn) -> None:
    """The game is over: whoever wrote learns which of his couriers never arrived."""
    live = turn.live
    for ride in live.affairs.rides:
        if ride.captured:
            lang = live.people[ride.sender].lang
            captor = _name(live, ride.captor, lang) if ride.captor else ""
            note = Note("press_captured", {"to": _name(live, ride.to, lang), "captor": captor})
            turn.note(ride.sender, note)


def hand_over(turn: Turn, box: Letterbox, captor: str = "") -> None:
    """A message to each of its recipients, and to nobody else; a captured one to its captor alone."""
    live = turn.live
    for seat in [captor] if captor else box.to:
        row = live.people.get(seat)
        if row is None:
            continue
        words = catalogue(row.lang)
        several = [_name(live, one, row.lang) for one in box.to]
        kind = "captured" if captor else "press"
        if box.sender:
            title = words.phrase("titles", kind, sender=_name(live, box.sender, row.lang), to=several)
        else:
            title = words.phrase("titles", f"{kind}_anonymous", to=several)
        lines = tuple(Line(line) for line in box.text.split("\n"))
        turn.say(seat, Dispatch(NOTICE, sections=(Section(title, lines),)))


def release(turn: Turn) -> None:
    """Messages that waited for the results of the turn."""
    boxes, turn.live.affairs.letterbox = turn.live.affairs.letterbox, []
    for box in boxes:
        hand_over(turn, box)


def _name(live: Live, seat: str, lang: str) -> str:
    if seat in live.seats:
        return catalogue(lang, live.rules).seat(seat)
    role = live.person(seat).role if seat in live.staff else MASTER_ROLE
    return catalogue(lang).phrase("roles", role)


def diary(acts_data: str) -> str:
    """The text of an entry of a diary or of a message."""
    return str(msgspec.json.decode(acts_data).get("text", ""))


PRESS: dict[str, Callable[[Errands, Command], None]] = {"press": press}
