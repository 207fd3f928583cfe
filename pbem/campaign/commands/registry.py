"""All commands. Each is declared in its own file; here they stand in the order in which HELP shows them."""

from __future__ import annotations

from pbem.campaign.commands import (
    agreements,
    attendance,
    help,
    history,
    join,
    list_games,
    orders,
    own_seat,
    preferences,
    press,
    rule_pages,
    standing,
    status,
    votes,
    why,
)
from pbem.campaign.commands.game_master import by_letter, objections
from pbem.campaign.intake.request import Request
from pbem.orders.commands import CommandGrammar

COMMANDS: CommandGrammar[Request] = CommandGrammar(
    (
        orders.CHECK,
        status.STATUS,
        history.MAP,
        history.HISTORY,
        why.WHY,
        rule_pages.RULES,
        why.DICE,
        standing.STANDING,
        orders.CLEAR,
        attendance.WAIT,
        attendance.READY,
        attendance.ABSENT,
        attendance.SUBSTITUTE,
        attendance.ADDRESS,
        press.PRESS,
        agreements.PROPOSE,
        agreements.SIGN,
        agreements.UNSIGN,
        agreements.DENOUNCE,
        votes.VOTE,
        objections.OBJECT,
        attendance.LEAVE,
        list_games.LIST,
        join.JOIN,
        status.RESEND,
        status.REPORT,
        own_seat.SALT,
        own_seat.READING,
        preferences.LANGUAGE,
        preferences.ZONE,
        preferences.CALENDAR,
        preferences.BRIEF,
        preferences.VERBOSE,
        help.HELP,
        own_seat.RESIGN,
        own_seat.CONFIRM,
        own_seat.NEWTOKEN,
        orders.ORDERS,
        *by_letter.COMMANDS,
    )
)
