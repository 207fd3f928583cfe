"""The game master's commands by letter: done with the letter, or answered with why they cannot be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.campaign.commands.game_master import acts as master
from pbem.campaign.commands.game_master import dice_source, going_back, objections
from pbem.campaign.commands.game_master import press_mode as press_modes
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.transaction import Turn
from pbem.orders.commands import (
    ANYTHING,
    MASTERS,
    MESSAGE,
    ONE_WORD,
    ORDERS_BELOW,
    SOMETHING,
    Command,
)


def _later(request: Request, item: Command, act: Callable[[Turn], object]) -> None:
    """An act that is done with the letter, or refused with the reason."""

    def do(turn: Turn) -> None:
        try:
            if turn.live.affairs.awaited is not None and request.commands.type(item.name).waits_for_dice:
                raise Refused("awaiting_busy")
            act(turn)
        except Refused as refused:
            request.refuse(item.text, Note(refused.code, refused.params))
        else:
            request.result.notes.append(Note("gm_done", {"command": item.name.upper()}))

    request.result.changes.append(do)


def pause(request: Request, item: Command) -> None:
    """PAUSE [reason]."""
    _later(request, item, lambda turn: master.pause(turn, request.seat, item.argument))


def resume(request: Request, item: Command) -> None:
    """RESUME [reason]."""
    _later(request, item, lambda turn: master.resume(turn, request.seat, item.argument))


def extend(request: Request, item: Command) -> None:
    """EXTEND [seat] 24 [reason]: hours, or days as 2d."""
    words = item.argument.split()

    def do(turn: Turn) -> None:
        at = 0 if words[0][0].isdigit() else 1
        if at >= len(words):
            raise Refused("gm_span")
        seat = words[0] if at else ""
        master.extend(turn, request.seat, master.span(words[at]), " ".join(words[at + 1 :]), seat)

    _later(request, item, do)


def deadline(request: Request, item: Command) -> None:
    """DEADLINE 48h reason: how much time there is for each decision, from the next one on."""

    def do(turn: Turn) -> None:
        time, _, reason = item.argument.strip().partition(" ")
        master.set_time(turn, request.seat, master.span(time), reason.strip())

    _later(request, item, do)


def process(request: Request, item: Command) -> None:
    """PROCESS t3 [reason]: do not wait any longer."""
    moment, _, reason = item.argument.partition(" ")
    _later(request, item, lambda turn: master.process(turn, request.seat, moment, reason.strip()))


def replace(request: Request, item: Command) -> None:
    """REPLACE seat BY address [name]."""

    def do(turn: Turn) -> None:
        seat, who = master.split_by(item.argument)
        address, _, name = who.partition(" ")
        master.replace(turn, request.seat, seat, address, name.strip())

    _later(request, item, do)


def act(request: Request, item: Command) -> None:
    """ACT FOR seat, and orders below."""
    _later(
        request,
        item,
        lambda turn: master.act_for(turn, request.seat, item.argument, item.lines, request.commands),
    )


def announce(request: Request, item: Command) -> None:
    """ANNOUNCE text."""
    _later(request, item, lambda turn: master.announce(turn, request.seat, item.lines))


def rollback(request: Request, item: Command) -> None:
    """ROLLBACK 12 reason, or ROLLBACK t3 reason."""
    to, _, reason = item.argument.partition(" ")
    _later(request, item, lambda turn: going_back.rollback(turn, request.seat, to, reason.strip(" :")))


def correct(request: Request, item: Command) -> None:
    """CORRECT points.french = 12 because …"""

    def do(turn: Turn) -> None:
        path, value, reason = going_back.read_correction(item.argument)
        objections.correct(turn, request.seat, path, value, reason)

    _later(request, item, do)


def uphold(request: Request, item: Command) -> None:
    """UPHOLD CORRECTION 1 reason."""
    _later(request, item, lambda turn: objections.upheld(turn, request.seat, item.argument))


def withdraw(request: Request, item: Command) -> None:
    """WITHDRAW CORRECTION 1 reason."""
    _later(request, item, lambda turn: objections.withdrawn(turn, request.seat, item.argument))


def pressmode(request: Request, item: Command) -> None:
    """PRESS MODE anonymous, with results, 5 a day."""
    _later(request, item, lambda turn: press_modes.set_mode(turn, request.seat, item.argument))


def source(request: Request, item: Command) -> None:
    """SOURCE 900 reason, or SOURCE quicknet 900 reason."""
    _later(request, item, lambda turn: dice_source.change_source(turn, request.seat, item.argument))


def start(request: Request, item: Command) -> None:
    """START: only of a game that has not begun; here it has."""
    request.refuse(item.text, Note("gm_started"))


def _declared(
    name: str,
    handler: Callable[[Request, Command], None],
    en: str,
    fr: Sequence[str],
    argument: str,
    *,
    linking: tuple[str, ...] = (),
    body: str = "",
    whole: bool = False,
    waits_for_dice: bool = False,
    numbered: str = "",
) -> Declaration:
    """A command of the game master: nobody else may give it, and what it does stays done."""
    return Declaration(
        *(name, handler, (en,), tuple(fr), argument, linking),
        body=body,
        whole=whole,
        waits_for_dice=waits_for_dice,
        numbered=numbered,
        who=MASTERS,
        irrevocable=True,
        never_freed=True,
        listed=False,
    )


_NAMED = ("correction", "the", "la")
_SOURCE = r"(?i:quicknet|cha[iî]n|[0-9a-f]{8,64}\b|\d)"
"""«Source of all my worries…» is no command."""
COMMANDS = (
    _declared("start", start, "start", ("commencer", "demarrer"), ONE_WORD),
    _declared("pause", pause, "pause", ("pause", "suspendre"), ANYTHING),
    _declared("resume", resume, "resume", ("reprendre",), ANYTHING, whole=True),
    _declared("extend", extend, "extend", ("prolonger",), SOMETHING),
    _declared("deadline", deadline, "deadline", ("echeance", "delai"), SOMETHING),
    _declared("replace", replace, "replace", ("remplacer",), SOMETHING),
    _declared(
        *("act", act, "act", ("agir",), SOMETHING),
        linking=("for", "pour"),
        body=ORDERS_BELOW,
        waits_for_dice=True,
    ),
    _declared("process", process, "process", ("traiter",), ANYTHING, whole=True, waits_for_dice=True),
    _declared("rollback", rollback, "rollback", ("revenir",), SOMETHING, whole=True, waits_for_dice=True),
    _declared("correct", correct, "correct", ("corriger",), SOMETHING, whole=True, waits_for_dice=True),
    _declared("source", source, "source", ("source", "balise"), _SOURCE, whole=True, waits_for_dice=True),
    _declared(
        *("uphold", uphold, "uphold", ("maintenir",), SOMETHING),
        linking=_NAMED,
        whole=True,
        waits_for_dice=True,
    ),
    _declared(
        *("withdraw", withdraw, "withdraw", ("retirer",), SOMETHING),
        linking=_NAMED,
        whole=True,
        numbered="unsign",
    ),
    _declared("pressmode", pressmode, "pressmode", ("mode",), SOMETHING, whole=True),
    _declared("announce", announce, "announce", ("annoncer",), ANYTHING, body=MESSAGE),
)
