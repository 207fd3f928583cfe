"""Press: letters between players through the moderator, so that no address is ever shown.

To one, several, all or the game master; white, or anonymous where the game allows it; at once, with the results of the
turn, or by courier. A diary is written to oneself. It is opened in the chronicle when the game is over, and so are
letters that were captured.
"""

from __future__ import annotations

import re
from datetime import timedelta

from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.house_rules import ANONYMOUS, NO_PRESS, WITH_RESULTS
from pbem.campaign.intake import tokens
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing import couriers, press_delivery
from pbem.campaign.outgoing.couriers import Riding
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.seat_names import seat_named
from pbem.campaign.table.tables import MASTER_ROLE, OBSERVER, Letterbox, Live
from pbem.campaign.table.transaction import Turn
from pbem.orders.commands import ANYTHING, MESSAGE, Command
from pbem.orders.words import fold

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
UNSIGNED = re.compile(r"[\s,(]?\b(?:anonymous(?:ly)?|anonyme(?:ment)?)\b[\s)]*+", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;&+]|\s(?:and|et)\s++")


def press(request: Request, item: Command) -> None:
    """PRESS TO … : and a text."""
    try:
        _press(request, item)
    except Refused as refused:
        request.refuse(item.text, Note(refused.code, refused.params))


def _press(request: Request, item: Command) -> None:
    live, seat = request.live, request.seat
    text = tokens.hidden("\n".join(line.rstrip() for line in item.lines).strip())
    to, unsigned = UNSIGNED.subn(" ", item.argument)
    if not text:
        raise Refused("press_empty")
    if len(text) > MOST_CHARACTERS:
        raise Refused("press_long", limit=MOST_CHARACTERS)
    within_limit(request)
    customs = live.affairs.customs
    if fold(to).strip() in _DIARY:
        request.note("diary")
        request.result.changes.append(lambda turn: written(turn, "diary", seat, [], text, False))
        return
    to_whom = recipients(live, seat, to)
    staff_only = all(one in live.staff for one in to_whom)
    if customs.press == NO_PRESS and not staff_only:
        raise Refused("press_forbidden")
    onlooker = seat in live.staff and live.person(seat).role == OBSERVER
    if onlooker and not customs.observers and not staff_only:
        raise Refused("press_observer")
    if unsigned and customs.press != ANONYMOUS:
        raise Refused("press_signed")
    rides = customs.couriers is not None and not staff_only
    if rides:
        most = len(live.affairs.rides) + len(live.seats) * (len(request.result.changes) + 1)
        if couriers.die(live.croupier, most) is None:
            raise Refused("press_no_courier")
    later = customs.release == WITH_RESULTS and not staff_only and not rides
    names = ", ".join(press_delivery.name_of(live, one, request.words.lang) for one in to_whom)
    code = "press_courier" if rides else "press_later" if later else "press_sent"
    request.result.notes.append(Note(code, {"to": names}))
    request.result.changes.append(
        lambda turn: written(turn, "press", seat, to_whom, text, bool(unsigned), later=later)
    )


def within_limit(request: Request) -> None:
    """Whether a seat may send one more message today. Raises Refused."""
    live, since = request.live, request.now - timedelta(days=1)
    today = [
        row
        for row in request.store.acts(live.id)
        if row.by == request.seat and row.kind == "press" and row.at > since
    ]
    limit = live.affairs.customs.limit
    if len(today) + len(request.result.changes) >= limit:
        raise Refused("press_limit", limit=limit)


def recipients(live: Live, seat: str, text: str) -> list[str]:
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


def written(
    turn: Turn,
    kind: str,
    seat: str,
    to: list[str],
    text: str,
    unsigned: bool,
    *,
    later: bool = False,
    proposal: int = 0,
) -> None:
    """A message is on record, and on its way to whom it is for: at once, later, or by courier."""
    turn.journal.act(seat, kind, {"to": to, "text": text, "anonymous": unsigned})
    if turn.live.affairs.customs.couriers is not None:
        riding = [one for one in to if one in turn.live.seats]
        for one in riding:
            _send_courier(turn, seat, one, text, unsigned, proposal)
        to = [one for one in to if one not in riding]
    if not to:
        return
    box = Letterbox("" if unsigned else seat, to, text, proposal)
    if later:
        turn.live.affairs.letterbox.append(box)
    else:
        for one, dispatch in press_delivery.handed_over(turn.live, box):
            turn.say(one, dispatch)


def _send_courier(turn: Turn, seat: str, to: str, text: str, unsigned: bool, proposal: int = 0) -> None:
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
    affairs.road.append(Riding(n, seat, to, text, at, unsigned, proposal))


PRESS = Declaration(
    "press",
    press,
    ("press",),
    ("message", "presse", "courrier"),
    ANYTHING,
    linking=("to", "a", "au", "aux", "pour"),
    other=("mode", "pressmode"),
    body=MESSAGE,
    irrevocable=True,
)
