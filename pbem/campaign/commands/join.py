"""JOIN: how to come into a game. It begins a letter of its own; pbem.campaign.signup.joining carries it out."""

from __future__ import annotations

from pbem.campaign.intake.request import Declaration, Request
from pbem.orders.commands import ANYTHING, Command


def join(request: Request, item: Command) -> None:
    """JOIN within a letter about a game asks for nothing."""
    request.note("unknown_command", command=item.name.upper())


JOIN = Declaration("join", join, ("join",), ("rejoindre", "inscription"), ANYTHING)
