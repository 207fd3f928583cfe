"""Silence: what happens when a deadline and its grace have passed without a letter.

Standing orders have answered long before. Then, silence after silence: what the question says silence means; the
substitute; a caretaker who only defends; a call for a replacement. A letter of the player's ends it all.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from pbem.campaign.deadlines import clock
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.table.tables import CARETAKER_ACTS, SUBSTITUTE_ACTS, Live
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import DEFAULT, SUBSTITUTE, Given
from pbem.kernel.question import Question

if TYPE_CHECKING:
    from pbem.campaign.table.transaction import Turn

DEFAULTS, HANDOVER, CARETAKER, CALL = 1, 2, 3, 4
"""The rungs of the ladder, by silences in a row."""
NOBODY = "nobody"
_MOST_ANSWERS = 300


def fall(turn: Turn, seat: str) -> None:
    """A seat is silent."""
    live = turn.live
    record, person = live.record(seat), live.person(seat)
    record.silent += 1
    if person.acting != CARETAKER_ACTS:
        record.missed += 1
    live.affairs.waiting = [waits for waits in live.affairs.waiting if waits != seat]
    if record.silent == HANDOVER and person.substitute and not person.acting:
        _hand_over(turn, seat)
        return
    if record.silent >= CARETAKER and person.acting != CARETAKER_ACTS:
        person.acting = CARETAKER_ACTS
        turn.journal.set_seat(live.change_person(seat, person))
        turn.log("act", dicelog.act("moderator", "caretaker", seat=seat))
        for other in live.seats:
            turn.note(other, Note("caretaker", {"seat": seat}))
    if record.silent == CALL:
        call_for_replacement(turn, seat, "wanted_silent")
    if nobody_plays(live):
        stand_still(turn)
        return
    answer_for(turn, seat)


def nobody_plays(live: Live) -> bool:
    """Whether a caretaker plays every seat that is not out of the game."""
    dead = live.rules.dead(live.game.state)
    return all(live.person(seat).acting == CARETAKER_ACTS for seat in live.seats if seat not in dead)


def _hand_over(turn: Turn, seat: str) -> None:
    """The substitute plays until the player writes again."""
    live = turn.live
    person = live.person(seat)
    person.acting = SUBSTITUTE_ACTS
    turn.journal.set_seat(live.change_person(seat, person))
    turn.log("act", dicelog.act("moderator", "substitute", seat=seat))
    clock.restart(live, seat, turn.journal.at)
    for other in live.seats:
        turn.note(other, Note("substitute_acts", {"seat": seat}))
        turn.say(other, Dispatch(NOTICE, form=other == seat, picture=other == seat))


def answer_for(turn: Turn, seat: str) -> None:
    """Answers in the seat's place: one round of questions, or, by the caretaker, up to the end of the turn."""
    live = turn.live
    caretaker = live.person(seat).acting == CARETAKER_ACTS
    live.affairs.last_advance = turn.journal.at
    moment = live.rules.moment(live.game.state)
    for _ in range(_MOST_ANSWERS):
        game = live.game
        questions = [q for q in game.open_to(seat) if not game.answered(q.key)]
        if live.over or not questions or live.rules.moment(game.state) != moment:
            return
        entry = turn.log(
            "act", dicelog.act("moderator", "silence", seat=seat, keys=[q.key for q in questions])
        )
        by = f"silence:{entry.n}"
        givens = [answer(turn, question, by, caretaker) for question in questions]
        turn.counted("caretaker" if caretaker else "default", len(givens))
        turn.give(givens)
        if not caretaker:
            return


def answer(turn: Turn, question: Question[Any], by: str, caretaker: bool) -> Given:
    """What silence means; the caretaker's answer, where the game has a caretaker."""
    live = turn.live
    view = live.game.view(question.seat)
    robot = live.rules.caretaker if caretaker else None
    if robot is not None:
        rng = random.Random(f"{live.id}|{question.key}")
        chosen = robot(view, question, rng)
        if not question.check(view, chosen):
            return Given(question.key, question.seat, chosen, SUBSTITUTE, by)
    origin = SUBSTITUTE if caretaker else DEFAULT
    return Given(question.key, question.seat, question.default(view), origin, by)


def call_for_replacement(turn: Turn, seat: str, code: str) -> None:
    """Look for somebody else for a seat; the game's open seats are listed by LIST."""
    live = turn.live
    if seat in live.affairs.wanted:
        return
    live.affairs.wanted.append(seat)
    turn.log("act", dicelog.act("moderator", "wanted", seat=seat, why=code))
    for other in live.people:
        turn.note(other, Note(code, {"seat": seat, "game": live.id, "public": int(live.affairs.public)}))
        turn.say(other, Dispatch(NOTICE))


def stand_still(turn: Turn) -> None:
    """No player is left: the game waits for one instead of playing with itself."""
    live = turn.live
    live.affairs.paused, live.affairs.paused_at = NOBODY, turn.journal.at
    turn.log("act", dicelog.act("moderator", "pause", why=NOBODY))
    for seat in live.people:
        turn.note(seat, Note("stands_still", {"game": live.id}))
        turn.say(seat, Dispatch(NOTICE))


def heard(turn: Turn, seat: str) -> None:
    """The player of a seat has written: whoever acted in his place stands back."""
    live = turn.live
    live.record(seat).silent = 0
    person = live.person(seat)
    changed = bool(person.acting) or person.unreachable is not None
    if changed:
        person.acting, person.unreachable = "", None
        turn.journal.set_seat(live.change_person(seat, person))
        turn.log("act", dicelog.act("moderator", "back", seat=seat))
        clock.restart(live, seat, turn.journal.at)
        for other in live.seats:
            turn.note(other, Note("back", {"seat": seat}))
    if seat in live.affairs.wanted:
        live.affairs.wanted.remove(seat)
    if live.affairs.paused == NOBODY:
        live.affairs.paused, live.affairs.paused_at = "", None
        clock.restart(live, seat, turn.journal.at)
