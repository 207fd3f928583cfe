"""PRESS MODE: how players may write to each other from now on, as the game master sets it."""

from __future__ import annotations

import re

import msgspec

from pbem.campaign.commands.game_master.acts import written_down
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.house_rules import ANONYMOUS, AT_ONCE, MOST_A_DAY, NO_PRESS, WHITE, WITH_RESULTS, Customs
from pbem.campaign.outgoing import arrangements
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.transaction import Turn
from pbem.orders.words import fold

_MODES = {
    **dict.fromkeys(("white", "signed", "blanche", "signee", "signees"), WHITE),
    **dict.fromkeys(("anonymous", "anonyme", "anonymes"), ANONYMOUS),
    **dict.fromkeys(("none", "aucune", "off", "no"), NO_PRESS),
}
_RELEASES = {
    **dict.fromkeys(("once", "immediately", "aussitot", "immediatement"), AT_ONCE),
    **dict.fromkeys(("results", "result", "resultats"), WITH_RESULTS),
}
_FILLING = {
    "at",
    "with",
    "avec",
    "les",
    "the",
    "a",
    "day",
    "par",
    "jour",
    "and",
    "et",
    "press",
    "presse",
    "de",
}
_FILLING |= {
    "la",
    "most",
    "au",
    "plus",
    "messages",
    "message",
    "per",
    "only",
    "seulement",
    "allowed",
    "limit",
}


def read_mode(text: str, customs: Customs) -> Customs:
    """What `anonymous, with results, 5 a day` makes of the customs. Raises Refused."""
    changes: dict[str, str | int] = {}
    for word in re.findall(r"\w+", fold(text)):
        if word in _MODES:
            name, value = "press", _MODES[word]
        elif word in _RELEASES:
            name, value = "release", _RELEASES[word]
        elif word.isdecimal() and len(word) <= 3 and 1 <= int(word) <= MOST_A_DAY:
            changes["limit"] = int(word)
            continue
        elif word in _FILLING:
            continue
        else:
            raise Refused("pressmode_what")
        if changes.setdefault(name, value) != value:
            raise Refused("pressmode_what")
    if not changes:
        raise Refused("pressmode_what")
    return msgspec.structs.replace(customs, **changes)


def set_mode(turn: Turn, by: str, text: str) -> None:
    """The game master's word on press; everyone is told what holds now."""
    live = turn.live
    customs = read_mode(text, live.affairs.customs)
    live.affairs.customs = customs
    written_down(turn, by, "pressmode", press=customs.press, release=customs.release, limit=customs.limit)
    for seat, row in live.people.items():
        rules = " ".join(arrangements.press_lines(live, row.lang))
        turn.note(seat, Note("gm_press", {"rules": rules}))
