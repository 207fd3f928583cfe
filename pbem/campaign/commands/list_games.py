"""LIST: a player's games, the games that look for players, and how reliable a player has been."""

from __future__ import annotations

from pbem import games
from pbem.campaign.commands import agreements
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.table.tables import Affairs, Person, Record
from pbem.letters.addresses import mailbox
from pbem.orders.commands import ONE_WORD, Command
from pbem.reports.catalogue import Catalogue, catalogue
from pbem.reports.report import Line, Section
from pbem.store.store import Store
from pbem.store.tables import GameRow

MOST = 50


def lines(store: Store, address: str, words: Catalogue) -> list[str]:
    """Both lists, one game a line."""
    mine = {row.game_id: row.seat for row in store.seats_at(address)}
    asked = {mailbox(address)}
    said = [_line(words, row, "list_mine", mine[row.id]) for row in store.games_of(address, MOST)]
    for row in store.games_going_on():
        if row.id in mine:
            continue
        affairs = row.read(Affairs)
        if row.status == "open" and affairs.public:
            said.append(_line(words, row, "list_open"))
        elif row.status in ("running", "paused") and (
            affairs.public or asked & set(map(mailbox, affairs.invited))
        ):
            said += [_line(words, row, "list_wanted", seat) for seat in affairs.wanted]
    return said[: 2 * MOST] or [words.phrase("notes", "list_none")]


def _line(words: Catalogue, row: GameRow, code: str, seat: str = "") -> str:
    rules = games.load(row.rules)
    known = catalogue(words.lang, rules)
    scenario = rules.scenarios[row.scenario]
    return words.phrase(
        "notes",
        code,
        game=row.id,
        title=rules.titles[words.lang],
        scenario=scenario.fr if words.lang == "fr" else scenario.en,
        seat=known.seat(seat) if seat in scenario.seats else seat,
        status=words.phrase("status", row.status),
        seats=[known.seat(one) for one in scenario.seats],
        mode=row.mode,
    )


def reliability(store: Store, address: str) -> Record:
    """How a player has kept deadlines in all games played from that address."""
    total = Record()
    for row in store.seats_at(address):
        if row.read(Person).role:
            continue
        record = store.game(row.game_id).read(Affairs).records.get(row.seat)
        if record is not None:
            total.on_time += record.on_time
            total.late += record.late
            total.missed += record.missed
    return total


def list_games(request: Request, item: Command) -> None:
    """LIST: the player's games, and those that look for players."""
    words = request.words
    if request.seat in request.live.seats:
        bound = agreements.section(request.live, request.seat, words.lang)
        request.result.sections += [bound] if bound is not None else []
    found = lines(request.store, request.live.people[request.seat].address, words)
    request.result.sections.append(
        Section(words.phrase("titles", "games"), tuple(Line(line) for line in found))
    )


LIST = Declaration("list", list_games, ("list",), ("liste", "parties"), ONE_WORD)
