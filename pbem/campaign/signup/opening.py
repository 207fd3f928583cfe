"""Opening games: at once for players who are known, or announced for whoever joins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.house_rules import Customs
from pbem.campaign.signup.beginning import begin
from pbem.campaign.signup.joining import Joining
from pbem.campaign.signup.new_game import (
    Player,
    check_addresses,
    check_calendar,
    check_customs,
    check_name,
    check_options,
    check_setup,
    staff_rows,
)
from pbem.campaign.table.tables import Affairs, Candidate
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.seeds import STEPS
from pbem.store.tables import GameRow, SeatRow


class Opening:
    """Opens games: at once for known players, or announced to those who may join."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._joining = Joining(campaign)

    def open_game(
        self,
        name: str,
        scenario: str,
        options: Mapping[str, str],
        players: Mapping[str, Player],
        game_id: str = "",
        calendar: Calendar | None = None,
        masters: Sequence[Player] = (),
        sighted: bool = False,
        source: Source | None = None,
        customs: Customs | None = None,
    ) -> str:
        """Begin a game and write to its players; the game's name. Raises BadGame.

        With a `source` its dice hang on rounds of that public beacon; the first letters follow the first round.
        """
        chosen = check_setup(name, scenario, options, players)
        check_calendar(calendar)
        customs = check_customs(customs)
        game_id = game_id or self._campaign.next_id(name)
        check_name(game_id, self._campaign.has_game(game_id))
        now = self._campaign.clock()
        roots = self._campaign.new_roots()
        affairs = Affairs(
            steps=STEPS,
            calendar=calendar,
            source=dict(source.body()) if source else None,
            customs=customs,
        )
        row = GameRow(
            id=game_id,
            rules=name,
            scenario=scenario,
            options=msgspec.json.encode(chosen).decode(),
            mode="beacon" if source else "chain",
            status="running",
            created_at=now,
            data=msgspec.json.encode(affairs).decode(),
        )
        seats = {
            seat: SeatRow(
                game_id=game_id,
                seat=seat,
                name=player.name,
                address=player.address.strip().lower(),
                lang=player.lang,
            )
            for seat, player in players.items()
        }
        playing = {row.address for row in seats.values()}
        staff = staff_rows(game_id, masters, playing, sighted, customs)
        with self._campaign.transaction(None, now) as journal:
            journal.create(row, (seats | staff).values(), root=roots.root, zroot=roots.zroot)
            live = begin(self._campaign, journal, row, seats, staff, roots, affairs, source)
        self._campaign.tables.put(live)
        return game_id

    def announce(
        self,
        name: str,
        scenario: str,
        options: Mapping[str, str],
        *,
        game_id: str = "",
        calendar: Calendar | None = None,
        invited: Sequence[str] = (),
        masters: Sequence[Player] = (),
        sighted: bool = False,
        customs: Customs | None = None,
        source: Source | None = None,
        players: Mapping[str, Player] | None = None,
    ) -> str:
        """Announce a game that looks for players, to all or to those invited; its name. Raises BadGame.

        With `players` for all its seats these muster at once: each confirms, with a word for the dice, before
        anything is drawn; at the end of the muster the game begins in any case.
        """
        if players:
            chosen = check_setup(name, scenario, options, players)
            invited = [player.address for player in players.values()]
        else:
            chosen = check_options(name, scenario, options)
        check_calendar(calendar)
        customs = check_customs(customs)
        check_addresses(address.strip().lower() for address in invited)
        staff_rows("", masters, set(), sighted, customs)
        game_id = game_id or self._campaign.next_id(name)
        check_name(game_id, self._campaign.has_game(game_id))
        now = self._campaign.clock()
        row = GameRow(
            id=game_id,
            rules=name,
            scenario=scenario,
            options=msgspec.json.encode(chosen).decode(),
            mode="beacon" if source else "chain",
            status="open",
            created_at=now,
        )
        with self._campaign.transaction(None, now) as journal:
            self._joining.announce(
                journal,
                row,
                calendar=calendar,
                invited=invited,
                masters=[msgspec.to_builtins(one) for one in masters],
                sighted=sighted,
                steps=STEPS,
                customs=customs,
                source=source,
                known=[
                    Candidate(player.address.strip().lower(), player.name, player.lang, [seat])
                    for seat, player in (players or {}).items()
                ],
            )
        if players:
            with self._campaign.transaction(row.id, now) as journal:
                self._joining.muster(journal, self._campaign.store.game(row.id))
        return row.id

    def start(self, game_id: str) -> None:
        """Begin an announced game without waiting for the rest of its muster. Raises Refused, NoSuchGame."""
        with self._campaign.transaction(game_id) as journal:
            self._joining.start(journal, self._campaign.store.game(game_id))
