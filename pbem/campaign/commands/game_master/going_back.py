"""Going back, and putting right: rollback to an earlier answer, and correction of a position.

Both take the game up anew from the store, in the same transaction. The draws that a rollback undoes are kept: where
the same is rolled again it falls as it fell, so that nobody gains new dice by going back.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from pbem.campaign.commands.game_master.acts import tell_all, written_down
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.outgoing.couriers import unmoored
from pbem.campaign.outgoing.dispatch import REPORT, Dispatch, Note
from pbem.campaign.table import tables
from pbem.campaign.table.corrections import Correction, corrected
from pbem.campaign.table.tables import Live
from pbem.campaign.table.transaction import Turn
from pbem.dice.log import entries as dicelog
from pbem.dice.log.receipts import Leaf
from pbem.kernel.game import Checkpoint, Game, state_bytes
from pbem.store.tables import AnswerRow

_ENTRY = re.compile(r"(?:receipt|silence|master):(\d+)\Z")
_CORRECTION = re.compile(
    r"(?P<path>[\w.-]{1,200})\s*=\s*(?P<value>.+?)\s+(?:because|car|parce que|reason|raison)\b\s*:?\s*(?P<reason>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


def rollback(turn: Turn, by: str, to: str, reason: str) -> int:
    """Take the game back to after an answer (its number in HISTORY) or to a moment; to which answer it went."""
    if turn.live.over:
        raise Refused("rollback_over")
    if not reason.strip():
        raise Refused("gm_reason")
    answers = turn.journal.answers()
    wanted = _wanted(turn, to.strip().lower(), len(answers))
    upto, target = _boundary(answers, wanted, turn.live.last_entry.n)
    _back(turn, by, upto, target, reason)
    turn.live.affairs.corrections = [one for one in turn.live.affairs.corrections if one.answers <= upto]
    moment = turn.live.rules.moment(turn.live.game.state)
    tell_all(turn, "gm_rollback", n=upto, moment=moment, reason=reason)
    for seat in turn.live.seats:
        turn.say(seat, Dispatch(REPORT, picture=True, form=True))
    return upto


def _wanted(turn: Turn, to: str, answers: int) -> int:
    number = re.fullmatch(r"#?(\d{1,9})", to)
    if number is not None:
        if int(number[1]) >= answers:
            raise Refused("rollback_future", n=int(number[1]), answers=answers)
        return int(number[1])
    found = [n for n, moment, _ in turn.campaign.store.checkpoints(turn.live.id) if moment.lower() == to]
    if not found:
        raise Refused("rollback_what", to=to[:40])
    if min(found) >= answers:
        raise Refused("rollback_future", n=min(found), answers=answers)
    return min(found)


def _boundary(answers: list[AnswerRow], wanted: int, log_n: int) -> tuple[int, int]:
    """The last point at or before an answer at which a letter began: answers before it, entries before it."""
    for upto in range(wanted, -1, -1):
        first = _ENTRY.match(answers[upto].by)
        before = answers[upto - 1].by if upto else ""
        if first is not None and answers[upto].by != before:
            return upto, int(first[1]) - 1
    raise Refused("rollback_what", to=str(wanted))


def _back(turn: Turn, by: str, upto: int, target: int, reason: str) -> None:
    before = turn.live
    turn.journal.rollback_to(answers=upto, by=by, reason=reason)
    turn.log("rollback", dicelog.rollback(author=by, reason=reason[:2000], target=target, keep=True))
    affairs = before.affairs
    # What was ordered since is undone; standing orders and corrections are not, and a close has still to freeze them.
    kept = {turn.leaf_of(one) for one in affairs.sealed}
    affairs.pending = [leaf for leaf in affairs.pending if leaf in kept]
    affairs.dues.clear()
    affairs.noted.clear()
    affairs.drafts.clear()
    affairs.readings.clear()
    affairs.last_advance = None
    affairs.rides = unmoored(affairs.rides, upto)
    events = turn.journal.position.events
    affairs.reported = {seat: min(upto_event, events) for seat, upto_event in affairs.reported.items()}
    _take_up(turn)


def _take_up(turn: Turn) -> None:
    """The live table anew, as the transaction has it; what the campaign keeps beside it stays."""
    before = turn.live
    live: Live = tables.take_up(turn.journal.load(), before.roots, turn.campaign.tables.networks)
    live.affairs, live.last_entry = before.affairs, before.last_entry
    live.seats, live.staff = before.seats, before.staff
    turn.live = live
    turn.campaign.tables.put(live)


def read_correction(text: str) -> tuple[str, Any, str]:
    """`points.french = 12 because …` as path, value and reason. Raises Refused."""
    match = _CORRECTION.fullmatch(text.strip())
    if match is None:
        raise Refused("correct_what")
    value: Any = match["value"].strip()
    try:
        value = msgspec.json.decode(value)
    except msgspec.DecodeError:
        value = value.strip("\"'«» ")
    return match["path"], value, match["reason"].strip()


class Examined(msgspec.Struct, frozen=True):
    """A correction that can be made: of which position, what comes of it, and how far the game has to go back."""

    correction: Correction
    before: Checkpoint
    after: Checkpoint
    target: int
    """The log entry to go back to; 0 if the turn has just begun."""


def examine(turn: Turn, path: str, value: Any) -> Examined:
    """Whether a correction can be made. Raises Refused."""
    live, rules = turn.live, turn.live.rules
    if live.over:
        raise Refused("game_over")
    checkpoint = live.game.last_checkpoint
    correction = Correction(checkpoint.answers, path, value)
    try:
        state = corrected(rules, checkpoint.state, correction)
    except (LookupError, TypeError, ValueError) as error:
        raise Refused("correct_path", path=path[:80], why=str(error)[:200]) from error
    wrong = rules.invariants(state)
    if wrong:
        raise Refused("correct_invariant", what=wrong[0][:300])
    changed = Checkpoint(checkpoint.answers, checkpoint.events, msgspec.json.encode(state))
    return Examined(correction, checkpoint, changed, _playable(turn, checkpoint, changed))


def changes(live: Live, examined: Examined, viewer: str | None) -> str:
    """What a correction changes in what somebody sees."""
    views = [
        _plain(live.rules.view(msgspec.json.decode(one.state, type=live.rules.state), viewer))
        for one in (examined.before, examined.after)
    ]
    return "; ".join(differences(*views)[:10]) or "–"


def correct(turn: Turn, by: str, path: str, value: Any, reason: str) -> None:
    """Change one thing in the position as it was when the present turn began; what was ordered since is asked anew.

    The position must keep the game's invariants. Everyone is told the reason, and what changed in what they see.
    """
    examined = examine(turn, path, value)
    live, checkpoint = turn.live, examined.before
    views = {seat: _plain(live.game.view(seat)) for seat in (*live.seats, None)}
    if examined.target:
        _back(turn, by, checkpoint.answers, examined.target, reason)
    state = msgspec.json.decode(examined.after.state, type=live.rules.state)
    turn.journal.checkpoint(examined.after, live.rules.moment(state))
    _take_up(turn)
    turn.live.affairs.corrections.append(examined.correction)
    turn.live.affairs.rides = unmoored(turn.live.affairs.rides, checkpoint.answers - 1)
    said = dicelog.canonical([path, value]).decode()
    if turn.live.affairs.edition > 1:
        leaf, _ = turn.seal_text(by, said)
    else:
        leaf = Leaf(by, turn.salt(f"correct|{turn.live.last_entry.n + 1}"), said).digest.hex()
    written_down(turn, by, "correct", reason, answers=checkpoint.answers, leaf=leaf)
    for seat in turn.live.people:
        viewer = seat if seat in live.seats else None
        found = differences(views[viewer], _plain(turn.live.game.view(viewer)))
        shown = "; ".join(found[:10]) or "–"
        turn.note(seat, Note("gm_correct", {"reason": reason, "changes": shown}))
    for seat in turn.live.seats:
        turn.say(seat, Dispatch(REPORT, picture=True, form=True))


def _playable(turn: Turn, checkpoint: Checkpoint, changed: Checkpoint) -> int:
    """The log entry to go back to, 0 if the turn has just begun; refused where the rules could not go on."""
    rules, journal = turn.live.rules, turn.journal
    on_record = tables.OnRecord(journal.load(at_answer=checkpoint.answers))
    try:
        said = [Game(rules, one, on_record).table.events for one in (checkpoint, changed)]
    except Exception as error:  # whatever the rules make of such a position, it is the correction's fault
        raise Refused("correct_unplayable") from error
    if said[0] != said[1]:
        raise Refused("correct_unplayable")
    answers = journal.answers()
    if len(answers) == checkpoint.answers:
        return 0
    first = _ENTRY.match(answers[checkpoint.answers].by)
    if first is None:
        raise Refused("correct_unplayable")
    return int(first[1]) - 1


def _plain(state: Any) -> Any:
    return msgspec.json.decode(state_bytes(state))


def differences(before: Any, after: Any, path: str = "") -> list[str]:
    """What differs between two positions, as `path: old → new`."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = sorted(set(before) | set(after))
        return [
            line
            for key in keys
            for line in differences(before.get(key), after.get(key), f"{path}.{key}".lstrip("."))
        ]
    return [] if before == after else [f"{path}: {_short(before)} → {_short(after)}"]


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"
