"""STATUS and RESEND: how things stand, and the last letter once more."""

from __future__ import annotations

from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing import arrangements, report
from pbem.orders.commands import ONE_WORD, PLAYERS, Command


def status(request: Request, item: Command) -> None:
    """STATUS: the position, who is asked what, and what holds in this game."""
    live, words = request.live, request.words
    if live.over:
        ended = report.Position(
            live.id, live.scenario, live.game, resigned=live.affairs.resigned, agreed=live.affairs.agreed
        )
        request.result.sections.append(report.outcome_section(words, ended))
    request.result.sections += [
        *report.status_sections(words, live.game, live.scenario, request.reader),
        report.waiting_section(words, live.game, live.over),
        *arrangements.status_sections(words, live, request.seat),
    ]


def resend(request: Request, item: Command) -> None:
    """RESEND: the last report once more."""
    request.result.resend = request.result.picture = True
    request.note("resent")


def report_all(request: Request, item: Command) -> None:
    """REPORT ALL: the report of the last turn with nothing left out; REPORT: as it was."""
    request.result.resend = request.result.picture = True
    request.result.whole = bool(item.argument.strip())
    request.note("resent")


STATUS = Declaration("status", status, ("status",), ("etat", "situation"), ONE_WORD)
RESEND = Declaration("resend", resend, ("resend",), ("renvoyer",), ONE_WORD, who=PLAYERS)
REPORT = Declaration(
    "report", report_all, ("report",), ("rapport",), r"(?i:all|tout|complet)?\s*+\Z", who=PLAYERS
)
