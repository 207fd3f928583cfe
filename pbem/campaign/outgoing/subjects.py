"""The subject of a letter: the game, where it stands, and what has happened or is wanted, with its deadline."""

from __future__ import annotations

from typing import Any

from pbem.campaign.outgoing.dispatch import NOTICE, OVER, REPLY, REPORT, START, Dispatch
from pbem.campaign.outgoing.report import Position, Reader
from pbem.reports import dates
from pbem.reports.catalogue import Catalogue
from pbem.reports.report import REFUSED

_ACCEPTED = ("taken", "sealed", "kept_back", "kept_back_open", "awaiting_kept")
_TURNED_DOWN = (
    "all_or_nothing",
    "none_stands",
    "incomplete",
    "too_many",
    "paused_no_orders",
    "stale_numbers",
)


def subject(words: Catalogue, position: Position, reader: Reader, dispatch: Dispatch) -> str:
    """`[war-1] t3: your turn: orders due Fri 20:00`."""
    what, params = _what(dispatch)
    due = dispatch.due
    if due is not None and dispatch.at is not None:
        params["at"] = dates.short(words, due, dispatch.zone, dispatch.at)
    moment = position.game.rules.moment(reader.view(position.game))
    text = words.phrase("subjects", what, **params)
    return words.phrase("subjects", "turn", game=position.name, moment=moment, what=text)


def _what(dispatch: Dispatch) -> tuple[str, dict[str, Any]]:
    """The phrase that says what a letter is about, and what stands in it."""
    codes = [note.code for note in dispatch.notes]
    if dispatch.kind in (START, OVER):
        return ("start" if dispatch.kind == START else "over"), {}
    if dispatch.kind == REPLY:
        return _answer(dispatch, codes)
    if any(code.startswith("held") for code in codes):
        return "held", {}
    if "reminder" in codes:
        return "reminder_due", {}
    if "notice" in codes:
        return "late", {}
    if dispatch.topic is not None:
        return dispatch.topic.code, dict(dispatch.topic.params)
    if dispatch.kind == REPORT and dispatch.asked:
        return _turn(dispatch), {}
    return ("notice" if dispatch.kind == NOTICE else "report"), {}


def _turn(dispatch: Dispatch) -> str:
    if dispatch.due is None:
        return "no_due"
    return "late" if dispatch.late else "due"


def _answer(dispatch: Dispatch, codes: list[str]) -> tuple[str, dict[str, Any]]:
    """Of the answer to somebody's own letter: whether his orders were accepted."""
    errors = sum(line.mark == REFUSED for line in dispatch.replies)
    turned_down = any(code in _TURNED_DOWN for code in codes)
    if "trial" in codes or "trial_bad" in codes:
        bad = errors or turned_down or "trial_bad" in codes
        return ("trial_bad", {"errors": max(errors, 1)}) if bad else ("trial_good", {})
    if errors or turned_down:
        return "refused", {"errors": max(errors, 1)}
    if any(code in _ACCEPTED for code in codes):
        if not dispatch.asked:
            return "accepted", {}
        return ("accepted_no_due" if dispatch.due is None or dispatch.late else "accepted_due"), {}
    if any(code.startswith("held") for code in codes):
        return "held", {}
    if dispatch.topic is not None:
        return dispatch.topic.code, dict(dispatch.topic.params)
    return "reply", {}


_STRANGERS = {
    "joined": "joined",
    "join_taken": "join_taken",
    "join_what": "join_what",
    "join_one": "join_one",
    "join_confirm": "join",
    "muster": "muster",
    "muster_auction": "muster",
    "muster_what": "muster",
    "confirmed_seat": "confirmed",
    "struck_off": "struck_off",
    "muster_failed": "muster_failed",
    "invited": "invited",
    "replaced": "replaced",
    "internal_error": "fault",
    "unknown_sender": "welcome",
    "letter_ended_me": "keeper",
    "letter_beyond_me": "keeper",
}


def stranger_subject(words: Catalogue, dispatch: Dispatch, game: str | None) -> str:
    """The subject of a letter to somebody without a seat: what came of his JOIN, or what there is to join."""
    first = dispatch.notes[0] if dispatch.notes else None
    what = _STRANGERS.get(first.code, "") if first is not None else ""
    if not what:
        what = "join_refused" if game is not None and not dispatch.join else "list"
    named = game or (str(first.params.get("game", "")) if first is not None else "")
    return words.phrase("subjects", "join" if dispatch.join else what, game=named)
