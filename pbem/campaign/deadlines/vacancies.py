"""Seats that nobody plays any more: given up, or out of the game.

Whoever resigns at a table of more than two leaves his seat to the caretaker, at once; a replacement is called, and the
game goes on. Whoever is out is told so, gets the public report like an observer, and may leave.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from pbem.campaign.deadlines import missed
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.table.tables import CARETAKER_ACTS, Live, Person
from pbem.dice.log import entries as dicelog

if TYPE_CHECKING:
    from pbem.campaign.table.transaction import Turn

_MOST_ROUNDS = 100
"""So many times in a row nothing but empty seats is asked, at most."""


def left_without(live: Live, seat: str) -> int:
    """How many players are left when that one goes."""
    dead = live.rules.dead(live.game.state)
    return sum(one not in dead and one != seat and not live.person(one).vacant for one in live.seats)


def vacate(turn: Turn, seat: str) -> None:
    """The caretaker takes a seat over, and somebody else is looked for."""
    live = turn.live
    affairs, person = live.affairs, live.person(seat)
    person.acting, person.vacant, person.unreachable = CARETAKER_ACTS, True, None
    person.substitute = person.second = ""
    turn.journal.set_seat(live.change_person(seat, person))
    turn.log("act", dicelog.act("moderator", "caretaker", seat=seat))
    affairs.absences.pop(seat, None)
    affairs.drafts.pop(seat, None)
    affairs.waiting = [waits for waits in affairs.waiting if waits != seat]
    for key in [key for key, due in affairs.dues.items() if due.seat == seat]:
        del affairs.dues[key]
    for other in live.people:
        if other != seat:
            turn.note(other, Note("vacated", {"seat": seat}))
    if seat not in live.rules.dead(live.game.state):
        missed.call_for_replacement(turn, seat, "wanted_resigned")
    turn.live.standing.pop(seat, None)
    turn.journal.standing(seat, [])


def leave_empty(turn: Turn, seat: str) -> None:
    """The last letter to its player is written: the seat has no address now, and its old token is worthless."""
    row = turn.live.seats[seat]
    person = turn.live.person(seat)
    row.address, row.salt = "", ""
    kept = Person(generation=person.generation + 1, acting=person.acting, vacant=True)
    turn.journal.set_seat(turn.live.change_person(seat, kept))


def play(turn: Turn) -> bool:
    """The caretaker answers for empty seats, as long as they are asked; whether he did."""
    live = turn.live
    played = False
    for _ in range(_MOST_ROUNDS):
        if live.over or live.affairs.paused or live.affairs.awaited is not None:
            break
        asked = [seat for seat in live.seats if live.person(seat).vacant and turn.asked(seat)]
        if not asked:
            break
        if missed.nobody_plays(live):
            missed.stand_still(turn)
            break
        missed.answer_for(turn, asked[0])
        played = True
    return played


def tell_the_dead(turn: Turn, before: Collection[str]) -> None:
    """Whoever is out of the game since this turn learns what that means for him."""
    live = turn.live
    for seat in live.rules.dead(live.game.state):
        if seat in before or live.over:
            continue
        live.affairs.wanted = [one for one in live.affairs.wanted if one != seat]
        if not live.person(seat).vacant:
            turn.note(seat, Note("eliminated", {"game": live.id}))
            turn.say(seat, Dispatch(NOTICE, picture=True))
