"""Opening a game: whether it can be played as asked, who takes part, and what it commits to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from pbem import games
from pbem.campaign.deadlines.calendar import BadCalendar, Calendar
from pbem.campaign.house_rules import BadCustoms, Customs
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import MASTER_ROLE, OBSERVER, THREAD, Affairs, Person
from pbem.dice.draw.seeds import Seeds
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import state_bytes
from pbem.letters.addresses import can_be_written_to
from pbem.letters.posted import thread_address
from pbem.store.tables import SeatRow

_NAME = re.compile(r"[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?")


class Player(msgspec.Struct, frozen=True):
    """Who sits down."""

    name: str
    address: str
    lang: str = "en"


class BadGame(ValueError):
    """A game that cannot be opened as asked; the text says why."""


def rules_digest(name: str) -> str:
    """The digest of a game's rules as printed in genesis: of their edition, words, orders and scenarios."""
    rules = games.load(name)
    kinds = {kind: sorted(words) for kind, words in rules.vocabulary.kinds.items()}
    orders = sorted(order.kind() for order in rules.orders)
    scenarios = {
        scenario: hashlib.sha256(state_bytes(rules.setup(scenario, default_options(name)))).hexdigest()
        for scenario in rules.scenarios
    }
    return hashlib.sha256(dicelog.canonical([name, rules.edition, kinds, orders, scenarios])).hexdigest()


def check_name(game_id: str, taken: bool) -> None:
    """Raises BadGame where a game cannot have that name: it stands in addresses, subjects and file names."""
    if _NAME.fullmatch(game_id) is None:
        raise BadGame(
            "a game is named with a-z, 0-9 and hyphens, at most 40, a letter first, like war-7; "
            f"not {game_id[:80]!r}"
        )
    if taken:
        raise BadGame(f"there is a game {game_id} already")


def check_addresses(addresses: Iterable[str]) -> None:
    """Raises BadGame where one cannot be written to."""
    for address in addresses:
        if not can_be_written_to(address):
            raise BadGame(f"an address is written name@example.org, not {address[:100]!r}")


def check_calendar(calendar: Calendar | None) -> None:
    """Raises BadGame where a calendar cannot be kept."""
    if calendar is None:
        return
    try:
        calendar.check()
    except BadCalendar as error:
        raise BadGame(str(error)) from error


def check_customs(customs: Customs | None) -> Customs:
    """The customs of a game, the usual ones if none are given. Raises BadGame where they cannot be kept."""
    customs = customs or Customs()
    try:
        customs.check()
    except BadCustoms as error:
        raise BadGame(str(error)) from error
    return customs


def default_options(name: str) -> dict[str, str]:
    """The options of a game as they are unless chosen otherwise."""
    return {option.name: option.values[0] for option in games.load(name).options}


def check_setup(
    name: str, scenario: str, options: Mapping[str, str], players: Mapping[str, Player]
) -> dict[str, str]:
    """All options of a game to be opened. Raises BadGame."""
    chosen = check_options(name, scenario, options)
    seats = games.load(name).scenarios[scenario].seats
    if set(players) != set(seats):
        raise BadGame(f"{scenario} has the seats {', '.join(seats)}; given: {', '.join(players) or 'none'}")
    addresses = [player.address.strip().lower() for player in players.values()]
    check_addresses(addresses)
    return chosen


def check_options(name: str, scenario: str, options: Mapping[str, str]) -> dict[str, str]:
    """All options of a game. Raises BadGame."""
    rules = games.load(name)
    if scenario not in rules.scenarios:
        raise BadGame(f"{name} has no scenario {scenario!r}; it has: {', '.join(rules.scenarios)}")
    chosen = default_options(name)
    for option, value in options.items():
        values = next((known.values for known in rules.options if known.name == option), None)
        if values is None:
            raise BadGame(f"{name} has no option {option!r}; it has: {', '.join(chosen) or 'none'}")
        if value not in values:
            raise BadGame(f"option {option} is one of {', '.join(values)}, not {value!r}")
        chosen[option] = value
    return chosen


def staff_rows(
    game_id: str, masters: Sequence[Player], playing: set[str], sighted: bool, customs: Customs
) -> dict[str, SeatRow]:
    """The seats beside the table: of game masters, one who plays as well is blind; of the public thread."""
    rows = {}
    if customs.thread:
        rows[THREAD] = SeatRow(
            game_id=game_id,
            seat=THREAD,
            name=THREAD,
            address=thread_address(customs.thread),
            lang=customs.thread_lang,
            data=msgspec.json.encode(Person(role=OBSERVER)).decode(),
        )
    for n, player in enumerate(masters, 1):
        seat = "master" if n == 1 else f"master{n}"
        address = player.address.strip().lower()
        check_addresses([address])
        person = Person(role=MASTER_ROLE, blind=not sighted or address in playing)
        rows[seat] = SeatRow(
            game_id=game_id,
            seat=seat,
            name=player.name,
            address=address,
            lang=player.lang,
            data=msgspec.json.encode(person).decode(),
        )
    return rows


def genesis_note(genesis: dicelog.Body) -> Note:
    """The anchors of a game, for a letter."""
    return Note(
        "genesis",
        {
            "anchor": str(genesis["anchor"]),
            "secret_anchor": str(genesis["secret_anchor"]),
            "steps": int(str(genesis["steps"])),
            "mode": str(genesis["mode"]),
        },
    )


def anchors_note(seeds: Seeds, affairs: Affairs) -> Note:
    """The anchors of a game that has not begun: what is fixed before any player says a word for the dice."""
    mode = "beacon" if affairs.source else "chain"
    return genesis_note(
        {
            "anchor": seeds.anchor,
            "secret_anchor": seeds.secret_anchor,
            "steps": seeds.steps,
            "mode": mode,
        }
    )


def dice_note(affairs: Affairs) -> Note:
    """Where the dice of a game come from, and what that proves."""
    if affairs.source is None:
        return Note("dice_chain")
    minutes = -(-int(affairs.source["delay"]) // 60)
    return Note("dice_beacon", {"minutes": minutes})
