"""Votes: what the players of a game may decide together, without a game master.

A player moves; the motion passes when all agree, or more than half, as the custom of the game is. Whoever is out of
the game has no vote, and a seat that a caretaker plays is not waited for.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from pbem.campaign.commands.game_master import acts
from pbem.campaign.commands.game_master.acts import tell_all, written_down
from pbem.campaign.deadlines import clock
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.house_rules import DRAWN, NO_VOTES, UNANIMOUS
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.seat_names import seat_named
from pbem.campaign.table.tables import CARETAKER_ACTS, Live, Motion
from pbem.campaign.table.transaction import Turn
from pbem.orders.commands import ANYTHING, PLAYERS, Command
from pbem.orders.words import fold
from pbem.reports import dates
from pbem.reports.catalogue import catalogue
from pbem.reports.report import Line, Section

OPEN_FOR = timedelta(days=7)
DRAW, VICTORY, EXTEND, PAUSE, RESUME = "draw", "victory", "extend", "pause", "resume"
_TOPICS = {
    **dict.fromkeys(("draw", "end", "nulle", "fin", "match nul"), DRAW),
    **dict.fromkeys(("victory", "win", "victoire", "gain"), VICTORY),
    **dict.fromkeys(("extend", "prolonger", "delai"), EXTEND),
    **dict.fromkeys(("pause", "suspendre"), PAUSE),
    **dict.fromkeys(("resume", "reprendre", "continue", "continuer"), RESUME),
}
_YES = ("yes", "aye", "for", "oui", "pour", "y")
_NO = ("no", "nay", "against", "non", "contre", "n")
_WORDS = re.compile(r"\s*([^\W\d_]+)\s*[:,]?\s*(.*)\Z", re.DOTALL)
MOST_HOURS = 24 * 14


def vote(request: Request, item: Command) -> None:
    """VOTE: shows what is voted on; VOTE DRAW and the like moves, VOTE YES and VOTE NO answer."""
    try:
        _vote(request, item.argument)
    except Refused as refused:
        request.refuse(item.text, Note(refused.code, refused.params))


def _vote(request: Request, text: str) -> None:
    live, seat = request.live, request.seat
    affairs = live.affairs
    if affairs.customs.votes == NO_VOTES:
        raise Refused("vote_none")
    if live.over:
        raise Refused("game_over")
    if seat in live.rules.dead(live.game.state):
        raise Refused("vote_dead")
    match = _WORDS.match(text)
    if match is None:
        _show(request)
        return
    if affairs.awaited is not None:
        raise Refused("awaiting_busy")
    word, motion = fold(match[1]), affairs.motion
    if word in _YES or word in _NO:
        if motion is None:
            raise Refused("vote_nothing")
        wanted, agrees = motion, word in _YES
    else:
        wanted, agrees = _moved(request, word, match[2]), True
        if motion is not None and (motion.topic, motion.about) != (wanted.topic, wanted.about):
            raise Refused("vote_busy", motion=said(motion, request))
    if motion is not None and seat in (*motion.yes, *motion.no):
        raise Refused("vote_twice")
    code = "voted" if motion is not None else "moved"
    request.result.notes.append(Note(code, {"motion": said(wanted, request)}))
    request.result.changes.append(lambda turn: _cast(turn, seat, wanted, agrees))


def _show(request: Request) -> None:
    motion = request.live.affairs.motion
    if motion is None:
        raise Refused("vote_nothing")
    words, live = request.words, request.live
    until = clock.when(live, motion.until, request.seat)
    line = words.phrase("notes", "vote_open", motion=said(motion, request), until=until)
    seats = {"yes": [words.seat(one) for one in motion.yes], "no": [words.seat(one) for one in motion.no]}
    lines = (line, words.phrase("notes", "vote_count", **seats))
    title = words.phrase("titles", "vote")
    request.result.sections.append(Section(title, tuple(Line(text) for text in lines)))


def _moved(request: Request, word: str, rest: str) -> Motion:
    """What a player moves. Raises Refused where there is no such motion, or nothing could come of it."""
    live, now = request.live, request.now
    topic = _TOPICS.get(word)
    if topic is None:
        raise Refused("vote_what")
    about = ""
    if topic == VICTORY:
        seat = seat_named(
            re.sub(r"(?i)\b(?:for|of|pour|de|du|des)\b", " ", rest), live.rules, list(live.seats)
        )
        if seat is None:
            raise Refused("no_such_seat", seat=rest.strip()[:40], seats=", ".join(live.seats))
        about = seat
    if topic == EXTEND:
        span = acts.span(rest or "48")
        if span > timedelta(hours=MOST_HOURS):
            raise Refused("gm_span")
        if not live.affairs.dues:
            raise Refused("gm_nothing_due")
        about = str(int(span.total_seconds() // 3600))
    if topic == PAUSE and live.affairs.paused:
        raise Refused("gm_paused_already")
    if topic == RESUME and not live.affairs.paused:
        raise Refused("gm_not_paused")
    return Motion(topic, about, request.seat, now + OPEN_FOR)


def said(motion: Motion, request: Request) -> str:
    """A motion in words, for the letter that is read."""
    return motion_text(motion, request.live, request.words.lang)


def motion_text(motion: Motion, live: Live, lang: str) -> str:
    """A motion in words."""
    words = catalogue(lang, live.rules)
    about = words.seat(motion.about) if motion.topic == VICTORY else motion.about
    return words.phrase("motions", motion.topic, about=about)


def electors(live: Live) -> list[str]:
    """The seats whose votes count: alive, and with somebody who could vote."""
    dead = live.rules.dead(live.game.state)
    return [seat for seat in live.seats if seat not in dead and live.person(seat).acting != CARETAKER_ACTS]


def _cast(turn: Turn, seat: str, wanted: Motion, agrees: bool) -> None:
    live = turn.live
    motion = live.affairs.motion
    if motion is None:
        live.affairs.motion = motion = wanted
        written_down(turn, seat, "motion", topic=motion.topic, about=motion.about)
        _tell(turn, "vote_asked", motion, seat)
    if seat in (*motion.yes, *motion.no):
        return
    (motion.yes if agrees else motion.no).append(seat)
    turn.journal.act(seat, "voted", {"agrees": agrees})
    voters = electors(live)
    yes, no = (sum(one in voters for one in side) for side in (motion.yes, motion.no))
    if live.affairs.customs.votes == UNANIMOUS:
        passed, failed = yes == len(voters), no > 0
    else:
        passed, failed = 2 * yes > len(voters), 2 * no >= len(voters)
    if passed or failed:
        _decided(turn, motion, passed)


def _decided(turn: Turn, motion: Motion, passed: bool) -> None:
    live = turn.live
    live.affairs.motion = None
    facts: dict[str, Any] = {"topic": motion.topic, "about": motion.about, "yes": motion.yes, "no": motion.no}
    written_down(turn, acts.PLAYERS, "passed" if passed else "rejected", **facts)
    _tell(turn, "vote_passed" if passed else "vote_rejected", motion)
    if not passed:
        return
    try:
        _carry_out(turn, motion)
    except Refused as refused:
        tell_all(turn, refused.code, **refused.params)


def _carry_out(turn: Turn, motion: Motion) -> None:
    if motion.topic == DRAW:
        turn.agree(DRAWN)
        turn.spread()
    elif motion.topic == VICTORY:
        turn.agree(motion.about)
        turn.spread()
    elif motion.topic == EXTEND:
        acts.extend(turn, acts.PLAYERS, timedelta(hours=int(motion.about)))
    elif motion.topic == PAUSE:
        acts.pause(turn, acts.PLAYERS)
    else:
        acts.resume(turn, acts.PLAYERS)


def next_due(live: Live) -> datetime | None:
    """When the motion lapses that is voted on."""
    return live.affairs.motion.until if live.affairs.motion is not None else None


def lapse(turn: Turn) -> None:
    """A motion that has not passed in time has failed."""
    motion = turn.live.affairs.motion
    if motion is not None and motion.until <= turn.journal.at:
        _decided(turn, motion, False)


def _tell(turn: Turn, code: str, motion: Motion, by: str = "") -> None:
    live, now = turn.live, turn.journal.at
    for seat, row in live.people.items():
        if seat == by:
            continue
        params: dict[str, str | int] = {"motion": motion_text(motion, live, row.lang)}
        if by:
            params |= {"seat": by, "until": clock.when(live, motion.until, seat)}
        turn.note(seat, Note(code, params))
        topic = Note("vote", {"at": dates.short(catalogue(row.lang), motion.until, live.zone(seat), now)})
        turn.say(seat, Dispatch(NOTICE, topic=topic if by else None))


VOTE = Declaration(
    "vote", vote, ("vote",), ("voter",), ANYTHING, who=PLAYERS, owner_only=True, irrevocable=True
)
