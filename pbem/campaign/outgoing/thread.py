"""A game's public thread on a board: a report a turn, and one index post that is kept up to date.

The thread is an observer like any other. It is told once a turn, and its first post, edited in place, says how the
game stands, whom we wait for and until when, where each turn's report is, and how anyone can verify the dice.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pbem.campaign.intake import sender
from pbem.campaign.outgoing import arrangements, report
from pbem.campaign.outgoing.dispatch import INDEX, OVER, REPORT, START, Dispatch
from pbem.campaign.table.tables import THREAD, Live
from pbem.reports.catalogue import Catalogue, catalogue
from pbem.reports.report import Line, Report, Section
from pbem.store.records import Sending
from pbem.store.tables import DispatchRow

if TYPE_CHECKING:
    from pbem.campaign.table.transaction import Turn

REPORTS = (START, REPORT, OVER)
DONE = "post:"
"""Before the number of its post in the row of a letter that has been posted."""
Link = Callable[[str], str]
"""The address of a post of the thread, by its number; empty where it is not known."""


def tell(turn: Turn) -> None:
    """The report of a turn that has ended; not of every half of one."""
    live = turn.live
    moment = live.rules.moment(live.game.view(None))
    if turn.boundary and moment != live.affairs.thread_moment:
        turn.say(THREAD, Dispatch(REPORT, picture=True, moment=live.affairs.thread_moment or moment))
        live.affairs.thread_moment = moment


def write_index(turn: Turn) -> None:
    """The index is to be written anew; one that is not on its way yet is replaced by this one."""
    live = turn.live
    turn.journal.replace_index()
    name = f"index|{turn.letter_id or 0}|{live.last_entry.n}|{turn.journal.at.isoformat()}"
    secret = hmac.new(live.roots.root, name.encode(), hashlib.sha256).hexdigest()
    identifier = sender.message_id(live.id, THREAD, secret, turn.campaign.settings.host)
    said = Dispatch(INDEX, answers=live.game.answers, head=_head(live))
    address = live.staff[THREAD].address
    turn.journal.dispatch(Sending(address, INDEX, identifier, said, THREAD))


def index(live: Live, lang: str, posts: Sequence[DispatchRow], link: Link) -> Report:
    """The index as it is now. `posts` are the letters that the thread has had."""
    words = catalogue(lang, live.rules, True)
    view = live.game.view(None)
    title = live.rules.titles[words.lang]
    position = report.Position(
        live.id, live.scenario, live.game, resigned=live.affairs.resigned, agreed=live.affairs.agreed
    )
    sections = [report.outcome_section(words, position)] if live.over else []
    sections.append(report.status_section(words, live.rules, live.game, None))
    sections.append(report.waiting_section(words, live.game, live.over))
    sections += arrangements.status_sections(words, live, THREAD)
    sections.append(_turns(words, posts, link))
    sections.append(_read(words, live, link))
    sections.append(_dice(words, live))
    return Report(
        lang=words.lang,
        title=f"{title} · {live.id}",
        subtitle=live.rules.moment(view),
        lead=(words.phrase("thread", "index", game=live.id),),
        sections=tuple(section for section in sections if section.lines),
        footer=(words.phrase("words", "log", head=_head(live)),),
    )


def _turns(words: Catalogue, posts: Sequence[DispatchRow], link: Link) -> Section:
    """Where each turn's report stands."""
    lines = []
    for row in posts:
        if row.kind not in REPORTS or not row.floor.startswith(DONE):
            continue
        where = link(row.floor.removeprefix(DONE))
        said = row.read(Dispatch)
        name = words.phrase("thread", row.kind) if row.kind != REPORT else said.moment
        lines.append(Line(f"{name}: {where}" if where else name))
    return Section(words.phrase("titles", "turns"), tuple(lines))


def _read(words: Catalogue, live: Live, link: Link) -> Section:
    """Whose orders were read last, and which posts were changed afterwards."""
    lines = [
        Line(words.phrase("thread", "read", seat=words.seat(seat), n=one.receipt))
        for seat, one in live.affairs.posts_read.items()
        if seat in live.seats and not one.private
    ]
    lines += [Line(words.phrase("thread", "changed", n=n)) for n in live.affairs.posts_changed]
    return Section(words.phrase("titles", "read"), tuple(lines))


def _head(live: Live) -> str:
    """The head of the log as everybody may know it: how many letters somebody has written is nobody's business."""
    return live.last_entry.head if live.over else live.affairs.shown.head


def _dice(words: Catalogue, live: Live) -> Section:
    """How anyone can verify the dice."""
    lines = [
        Line(words.phrase("thread", "log", head=_head(live))),
        Line(words.phrase("thread", "verify", game=live.id)),
    ]
    return Section(words.phrase("titles", "verify"), tuple(lines))
