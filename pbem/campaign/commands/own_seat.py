"""What a player settles about his own seat: SALT, READING, NEWTOKEN, CONFIRM and RESIGN."""

from __future__ import annotations

import re

from pbem.campaign.deadlines import vacancies
from pbem.campaign.intake.request import Declaration, Request
from pbem.orders.commands import NUMBER, ONE_WORD, PLAYERS, SOMETHING, Command
from pbem.orders.words import fold

_SALT = re.compile(r"\S[^\x00-\x1f]{0,79}")


def salt(request: Request, item: Command) -> None:
    """SALT word: it goes into all later dice."""
    match = _SALT.fullmatch(item.argument.strip())
    if match is None:
        request.note("salt_what")
        return
    request.result.salt = match[0]
    request.note("salt_set")


def reading(request: Request, item: Command) -> None:
    """READING strict: whatever is not in the words of the form is asked about; READING free: it is read."""
    strict = fold(item.argument.strip()).startswith("strict")
    if item.argument.strip():
        request.result.changes.append(lambda turn: turn.read_strictly(request.seat, strict))
    else:
        strict = request.live.person(request.seat).strict
    request.note("reading_strict" if strict else "reading_free")


def newtoken(request: Request, item: Command) -> None:
    """NEWTOKEN: the old reply address is worthless."""
    request.result.new_token = True
    request.note("new_token")


def confirm(request: Request, item: Command) -> None:
    """CONFIRM n: a held letter is carried out."""
    request.result.confirmed = int(re.sub(r"\D", "", item.argument))


def resign(request: Request, item: Command) -> None:
    """RESIGN game: it has to be named."""
    if request.live.over:
        request.note("game_over")
    elif item.argument.strip().lower() != request.live.id:
        request.note("resign_confirm", game=request.live.id)
    else:
        request.result.resigned = True
        code = "resigned" if vacancies.left_without(request.live, request.seat) < 2 else "you_vacate"
        request.note(code, seat=request.words.seat(request.seat))


SALT = Declaration("salt", salt, ("salt",), ("sel",), SOMETHING, who=PLAYERS)
READING = Declaration(
    "reading",
    reading,
    ("reading",),
    ("lecture",),
    r"(?i:strict|stricte|free|libre)?\s*\Z",
    who=PLAYERS,
)
NEWTOKEN = Declaration(
    "newtoken",
    newtoken,
    ("newtoken",),
    ("nouveaujeton",),
    whole=True,
    owner_only=True,
    irrevocable=True,
)
CONFIRM = Declaration(
    "confirm", confirm, ("confirm",), ("confirmer",), NUMBER, owner_only=True, never_freed=True
)
RESIGN = Declaration(
    "resign",
    resign,
    ("resign",),
    ("abandonner", "demissionner"),
    ONE_WORD,
    whole=True,
    who=PLAYERS,
    owner_only=True,
    irrevocable=True,
    never_freed=True,
)
