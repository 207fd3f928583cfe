"""Looking back by letter: HISTORY of answers and acts in words, MAP of any past turn."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

import msgspec

from pbem.campaign.deadlines.clock import when
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing import report
from pbem.campaign.outgoing.dispatch import Dispatch, Note
from pbem.campaign.table.tables import MASTER_ROLE, Live
from pbem.kernel.agreement import DEPOSIT
from pbem.orders.commands import ONE_WORD, Command
from pbem.reports.catalogue import Catalogue
from pbem.reports.report import Line, Section
from pbem.store.store import Store
from pbem.store.tables import ActRow

MOST_LINES = 300
SHOWN = (
    "pause",
    "resume",
    "extend",
    "process",
    "replace",
    "act_for",
    "rollback",
    "correct",
    "source",
    "announce",
    "absent",
    "pressmode",
    "propose",
    "object",
    "uphold",
    "withdraw",
    "lapsed",
    "motion",
    "passed",
    "rejected",
)
"""The acts that everyone may know of."""


class Moments:
    """Which moment of the game an answer belongs to."""

    def __init__(self, store: Store, game: str) -> None:
        self.points = [(answers, moment) for answers, moment, _ in store.checkpoints(game)]
        self._answers = [answers for answers, _ in self.points]

    def of(self, answer: int) -> str:
        """The moment at which an answer was given."""
        at = bisect_left(self._answers, answer) - 1
        return self.points[max(at, 0)][1] if self.points else ""


def history(request: Request, item: Command) -> None:
    """HISTORY [moment]: the answers so far, and what was done to the game."""
    live, words = request.live, request.words
    person = live.person(request.seat)
    everything = live.over or (person.role == MASTER_ROLE and not person.blind)
    wanted = item.argument.strip().lower()
    moments = Moments(request.store, live.id)
    lines = []
    for row in request.store.answers(live.id):
        moment = moments.of(row.n)
        if wanted and moment.lower() != wanted:
            continue
        given = row.given(live.rules.orders)
        signature = given.key.startswith(DEPOSIT)
        if signature and not everything and given.seat != request.seat:
            # That somebody has signed anything is sealed.
            continue
        question = words.vocabulary.say("question", row.kind, words.lang) if row.kind else given.key
        if signature:
            question = words.phrase("titles", "agreements")
        params = {
            "n": row.n,
            "seat": words.seat(given.seat),
            "question": f"{moment}, {question}" if moment else question,
            "origin": words.phrase("notes", report.ORIGINS.get(given.origin, "history_origin_letter")),
        }
        if everything or given.seat == request.seat:
            answer = "; ".join(words.order(order) for order in given.answer)
            lines.append(Line(words.phrase("notes", "history_answer", answer=answer, **params)))
        else:
            # Where an answer came from can tell what is in a hand.
            lines.append(Line(words.phrase("notes", "history_hidden", **params | {"origin": ""})))
    if wanted and not lines:
        request.result.notes.append(
            Note("no_such_moment", {"moment": wanted[:40], "moments": _some(moments)})
        )
        return
    left_out = len(lines) - MOST_LINES
    if left_out > 0:
        lines = [Line(words.phrase("notes", "problems_more", n=left_out)), *lines[left_out:]]
    request.result.sections.append(Section(words.phrase("titles", "history"), tuple(lines)))
    if not wanted:
        acts = act_lines(words, live, request.store.acts(live.id), request.seat)
        if acts:
            title = words.phrase("titles", "acts")
            request.result.sections.append(Section(title, tuple(Line(line) for line in acts)))


def act_lines(words: Catalogue, live: Live, acts: list[ActRow], reader: str) -> list[str]:
    """What was done to a game, one act a line."""
    lines = []
    for row in acts:
        if row.kind not in SHOWN:
            continue
        data = msgspec.json.decode(row.data) or {}
        by = words.seat(row.by) if row.by in live.seats else row.by
        topic = words.phrase("topics", data["topic"]) if "topic" in data else ""
        what = words.phrase("acts", row.kind, seat=data.get("seat", ""), data=data, topic=topic)
        reason = str(data.get("reason", ""))
        lines.append(
            words.phrase(
                "notes", "act_line", at=when(live, row.at, reader), by=by, what=what, reason=reason[:500]
            )
        )
    return lines


def _some(moments: Moments) -> str:
    names = list(dict.fromkeys(moment for _, moment in moments.points if moment))
    return ", ".join(names if len(names) <= 12 else [*names[:5], "…", *names[-5:]])


def past_map(request: Request, item: Command) -> None:
    """MAP [moment or answer]: the map as it stands, or as it stood."""
    wanted = item.argument.strip().lower().lstrip("#")
    request.result.picture = True
    if not wanted:
        return
    moments = Moments(request.store, request.live.id)
    if re.fullmatch(r"\d{1,9}", wanted) and int(wanted) <= request.live.game.answers:
        request.result.picture_at = int(wanted)
    else:
        found = [answers for answers, moment in moments.points if moment.lower() == wanted]
        if not found:
            request.result.picture = False
            request.result.notes.append(
                Note("no_such_moment", {"moment": wanted[:40], "moments": _some(moments)})
            )
            return
        request.result.picture_at = min(found)
    request.result.notes.append(Note("past_map", {"moment": wanted}))


def last_report(store: Store, game: str, seat: str) -> Dispatch | None:
    """The last letter to a seat that told what had happened."""
    for row in store.sent_before(game, seat):
        dispatch = msgspec.json.decode(row.data, type=Dispatch)
        if dispatch.upto > dispatch.after:
            return dispatch
    return None


LOOKING_BACK: dict[str, Callable[[Request, Command], None]] = {"history": history, "map": past_map}


HISTORY = Declaration("history", history, ("history",), ("historique",), r"(?:\S++\s*+){0,3}\Z")
MAP = Declaration("map", past_map, ("map",), ("carte",), ONE_WORD)
