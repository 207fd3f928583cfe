"""Who takes part in a demo: a person or a robot on each seat, each with a mailbox of the embedded server."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.campaign.intake.moderator import Player
from pbem.kernel.order import LANGUAGES
from pbem.kernel.rules import Robot, Rules

HOST = "demo.localhost"
MODERATOR = f"moderator@{HOST}"
_NAMES = {
    "en": ("Harriet", "William", "Charlotte", "Edward"),
    "fr": ("Juliette", "Antoine", "Camille", "Rémi"),
}
_PASSWORD = "abcdefghijkmnpqrstuvwxyz23456789"


class Member(msgspec.Struct, frozen=True):
    """A player of the demo."""

    seat: str
    name: str
    address: str
    lang: str
    human: bool = False

    def player(self) -> Player:
        """As the moderator knows them."""
        return Player(self.name, self.address, self.lang)


def members(seats: Sequence[str], *, play: bool, seat: str, lang: str) -> dict[str, Member]:
    """The players by seat: the first writes French, the next English, and so on; a person writes what they like.

    Raises ValueError where the person's seat or language does not exist.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"the language is one of {', '.join(LANGUAGES)}, not {lang!r}")
    mine = (seat or seats[0]) if play else ""
    if play and mine not in seats:
        raise ValueError(f"the seats are {', '.join(seats)}, not {mine!r}")
    if seat and not play:
        raise ValueError("--seat goes with --play")
    found: dict[str, Member] = {}
    for n, each in enumerate(seats):
        language = ("fr", "en")[n % 2]
        if each == mine:
            language = lang
        elif play:
            language = "fr" if lang == "en" else "en"
        name = _NAMES[language][n % 4]
        found[each] = Member(each, name, f"{each}@{HOST}".lower(), language, human=each == mine)
    return found


def accounts(cast: Mapping[str, Member], rng: random.Random) -> dict[str, str]:
    """The mailboxes with their passwords."""
    addresses = [MODERATOR, *(member.address for member in cast.values())]
    return {address: "".join(rng.choices(_PASSWORD, k=10)) for address in addresses}


def robot_of(rules: Rules[Any]) -> Robot[Any]:
    """The best robot that a game has. Raises ValueError where it has none."""
    robots = rules.robots
    robot = robots.get("sensible") or robots.get("random")
    if robot is None:
        raise ValueError(f"{rules.name} has no robot that could play it")
    return robot
