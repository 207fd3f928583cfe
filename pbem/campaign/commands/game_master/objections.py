"""Objections: where a game has the custom, a correction of its position is proposed before it takes effect.

Everyone is told the reason and what would change in what he sees. After the window it takes effect by itself, unless a
player objects; then the game master has to uphold it or to withdraw it. Every step is an entry of journal and log.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import msgspec

from pbem.campaign.commands.game_master import going_back
from pbem.campaign.commands.game_master.acts import tell_all, written_down
from pbem.campaign.deadlines import clock
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing.dispatch import NOTICE, Dispatch, Note
from pbem.campaign.table.tables import Live, Proposal
from pbem.campaign.table.transaction import Turn
from pbem.dice.log.receipts import Leaf
from pbem.orders.commands import ANYTHING, PLAYERS, Command

_MOST_PROPOSALS = 5
_NUMBER = re.compile(r"\s*(?:correction\s*)?#?(\d{1,4})\b\s*[:,.]?\s*(.*)\Z", re.IGNORECASE | re.DOTALL)


def correct(turn: Turn, by: str, path: str, value: Any, reason: str) -> None:
    """A correction: at once, or, where the game has the custom, as a proposal."""
    hours = turn.live.affairs.customs.objections
    if not hours:
        going_back.correct(turn, by, path, value, reason)
        return
    live = turn.live
    affairs = live.affairs
    if len(affairs.proposals) >= _MOST_PROPOSALS:
        raise Refused("proposals_many", limit=_MOST_PROPOSALS)
    examined = going_back.examine(turn, path, value)
    until = turn.journal.at + timedelta(hours=hours)
    affairs.proposed += 1
    n = affairs.proposed
    affairs.proposals.append(Proposal(n, by, path, value, reason, until))
    said = msgspec.json.encode([path, value]).decode()
    leaf = Leaf(by, turn.salt(f"propose|{live.last_entry.n + 1}"), said).digest.hex()
    written_down(turn, by, "propose", reason, n=n, leaf=leaf)
    for seat in live.people:
        viewer = seat if seat in live.seats else None
        changes = going_back.changes(live, examined, viewer)
        params: dict[str, str | int] = {"n": n, "reason": reason, "changes": changes}
        turn.note(seat, Note("proposed", params | {"until": clock.when(live, until, seat)}))
        turn.say(seat, Dispatch(NOTICE))


def next_due(live: Live) -> datetime | None:
    """When the next proposal takes effect by itself."""
    return min((one.until for one in live.affairs.proposals if not one.objected), default=None)


def fall_due(turn: Turn) -> None:
    """Proposals whose window has passed without an objection take effect; one that cannot any more falls."""
    for one in list(turn.live.affairs.proposals):
        if turn.live.over:
            turn.live.affairs.proposals.clear()
            return
        if not one.objected and one.until <= turn.journal.at:
            _take_effect(turn, one, one.by)


def _take_effect(turn: Turn, one: Proposal, by: str) -> None:
    turn.live.affairs.proposals = [other for other in turn.live.affairs.proposals if other.n != one.n]
    try:
        going_back.correct(turn, by, one.path, one.value, one.reason)
    except Refused as refused:
        written_down(turn, "moderator", "lapsed", n=one.n, why=refused.code)
        tell_all(turn, "proposal_lapsed", n=one.n)


def upheld(turn: Turn, by: str, text: str) -> None:
    """UPHOLD CORRECTION n: it takes effect in spite of an objection."""
    one, reason = _named(turn.live, text)
    if not one.objected:
        raise Refused("uphold_unopposed", n=one.n, until=clock.when(turn.live, one.until, by))
    going_back.examine(turn, one.path, one.value)
    written_down(turn, by, "uphold", reason, n=one.n)
    tell_all(turn, "proposal_upheld", n=one.n, reason=reason)
    _take_effect(turn, one, by)


def withdrawn(turn: Turn, by: str, text: str) -> None:
    """WITHDRAW CORRECTION n: nothing is changed."""
    one, reason = _named(turn.live, text)
    turn.live.affairs.proposals.remove(one)
    written_down(turn, by, "withdraw", reason, n=one.n)
    tell_all(turn, "proposal_withdrawn", n=one.n, reason=reason)


def _named(live: Live, text: str) -> tuple[Proposal, str]:
    """The proposal that a number names, and what is said besides; the only one, if no number is given."""
    match = _NUMBER.match(text)
    proposals = live.affairs.proposals
    if match is None and len(proposals) == 1:
        return proposals[0], text.strip(" :")
    found = [one for one in proposals if match is not None and one.n == int(match[1])]
    if not found:
        raise Refused("no_proposal", numbers=", ".join(str(one.n) for one in proposals) or "–")
    assert match is not None
    return found[0], match[2].strip()


def object_to(request: Request, item: Command) -> None:
    """OBJECT n reason: the correction does not take effect before the game master has spoken again."""
    live, seat = request.live, request.seat
    try:
        one, reason = _named(live, item.argument)
        if seat in one.objected:
            raise Refused("objected_already", n=one.n)
        if seat in live.rules.dead(live.game.state):
            raise Refused("vote_dead")
    except Refused as refused:
        request.refuse(item.text, Note(refused.code, refused.params))
        return
    request.result.notes.append(Note("objected", {"n": one.n}))
    request.result.changes.append(lambda turn: _objected(turn, seat, one, reason))


def _objected(turn: Turn, seat: str, one: Proposal, reason: str) -> None:
    if seat in one.objected:
        return
    one.objected.append(seat)
    written_down(turn, seat, "object", reason[:500], n=one.n)
    for other in turn.live.people:
        if other != seat:
            params: dict[str, str | int] = {"n": one.n, "seat": seat, "reason": reason[:500]}
            turn.note(other, Note("objected_other", params))


OBJECT = Declaration(
    "object",
    object_to,
    ("object", "objection"),
    ("objecter", "opposer"),
    ANYTHING,
    who=PLAYERS,
    owner_only=True,
    irrevocable=True,
)
