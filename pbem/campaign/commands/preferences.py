"""How a reader wants his letters: ZONE, CALENDAR, LANGUAGE, VERBOSE and BRIEF. Observers and game masters may, too."""

from __future__ import annotations

from typing import Any

from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.table.transaction import Turn
from pbem.kernel.order import LANGUAGES
from pbem.letters.names import harmless
from pbem.orders.commands import ONE_WORD, Command
from pbem.orders.words import fold
from pbem.reports.catalogue import catalogue
from pbem.reports.dates import zone_named

_ON, _OFF = ("on", "yes", "oui", "actif"), ("off", "no", "none", "non", "aucun", "inactif")
_LANGUAGES = {
    **dict.fromkeys(("en", "english", "anglais", "anglaise"), "en"),
    **dict.fromkeys(("fr", "french", "francais", "francaise"), "fr"),
}


def language_named(text: str) -> str:
    """The language that somebody names in either language; empty where it is none of ours."""
    named = _LANGUAGES.get(fold(text.strip(" .:!«»\"'")), "")
    return named if named in LANGUAGES else ""


def _set(request: Request, **fields: Any) -> None:
    """A preference of whoever writes, kept with his seat."""

    def change(turn: Turn) -> None:
        person = turn.live.person(request.seat)
        for name, value in fields.items():
            setattr(person, name, value)
        turn.journal.set_seat(turn.live.change_person(request.seat, person))

    request.result.changes.append(change)


def zone(request: Request, item: Command) -> None:
    """ZONE Paris: whose time letters show."""
    asked = item.argument.strip()
    if not asked:
        request.note("zone_is", zone=request.live.zone(request.seat))
        return
    found = zone_named(asked)
    if not found:
        request.note("zone_what", text=harmless(asked, 40))
        return
    _set(request, zone=found)
    request.note("zone_set", zone=found)


def calendar(request: Request, item: Command) -> None:
    """CALENDAR ON, CALENDAR OFF: deadlines as entries for a calendar."""
    asked = fold(item.argument.strip(" .!"))
    wanted = asked in _ON if asked else request.live.person(request.seat).calendar
    if asked:
        _set(request, calendar=wanted)
    request.note("calendar_on" if wanted else "calendar_off")


def language(request: Request, item: Command) -> None:
    """LANGUAGE French: of all letters from now on, this answer included."""
    wanted = language_named(item.argument)
    if not wanted:
        request.note("language_what")
        return

    def change(turn: Turn) -> None:
        row = turn.live.people[request.seat]
        row.lang = wanted
        turn.journal.set_seat(row)

    request.words = catalogue(wanted, request.rules)
    request.result.changes.append(change)
    request.note("language_set")


def verbose(request: Request, item: Command) -> None:
    """VERBOSE: letters with everything, also what has not changed."""
    _set(request, brief=False)
    request.note("verbose")


def brief(request: Request, item: Command) -> None:
    """BRIEF: what has not changed since the last letter is one line."""
    _set(request, brief=True)
    request.note("brief")


_SWITCH = rf"(?i:{'|'.join((*_ON, *_OFF))})?\s*[.!]?\s*\Z"
ZONE = Declaration("zone", zone, ("zone", "timezone"), ("fuseau", "zone"), r"[\w/+. '’-]*\Z")
CALENDAR = Declaration("calendar", calendar, ("calendar",), ("calendrier", "agenda"), _SWITCH)
LANGUAGE = Declaration("language", language, ("language",), ("langue",), ONE_WORD)
VERBOSE = Declaration("verbose", verbose, ("verbose",), ("complet",), whole=True)
BRIEF = Declaration("brief", brief, ("brief",), ("bref", "court"), whole=True)
