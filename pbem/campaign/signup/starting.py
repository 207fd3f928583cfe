"""Founding games: opened at once for known players, or announced, joined and begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

import pbem
from pbem import games
from pbem.campaign.context import Context
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.house_rules import Customs
from pbem.campaign.outgoing import arrangements, couriers
from pbem.campaign.outgoing.dispatch import START, Dispatch
from pbem.campaign.signup import joining
from pbem.campaign.signup.new_game import (
    BadGame,
    Player,
    check_calendar,
    check_customs,
    check_options,
    check_setup,
    genesis_note,
    rules_digest,
    staff_rows,
)
from pbem.campaign.table.tables import Affairs, Live
from pbem.campaign.table.transaction import Turn, orders_data, stamp
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.croupier import AwaitBeacon, Croupier
from pbem.dice.draw.seeds import STEPS, seeds_of
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import Game
from pbem.store.journal import Journal
from pbem.store.records import Roots
from pbem.store.tables import GameRow, SeatRow


class Founding(Context):
    """How games begin."""

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
        game_id = game_id or self.next_id(name)
        now = self.clock()
        roots = self.new_roots()
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
        staff = staff_rows(game_id, masters, playing, sighted)
        with self.transaction(None, now) as journal:
            journal.create(row, (seats | staff).values(), root=roots.root, zroot=roots.zroot)
            live = self.begin(journal, row, seats, staff, roots, affairs, source)
        self.tables.put(live)
        return game_id

    def begin(
        self,
        journal: Journal,
        row: GameRow,
        seats: dict[str, SeatRow],
        staff: dict[str, SeatRow],
        roots: Roots,
        affairs: Affairs,
        source: Source | None = None,
    ) -> Live:
        """The first entry of the log, the set-up, and the first letters of a game whose players are known."""
        rules, chosen = games.load(row.rules), row.choices()
        seeds = seeds_of(row.id, roots.root, roots.zroot, STEPS)
        croupier = Croupier(seeds, source=source)
        setup: dict[str, object] = {
            "game": row.rules,
            "scenario": row.scenario,
            "options": chosen,
            "seats": list(seats),
            "standing": orders_data(rules.defaults),
        }
        custom = affairs.customs.couriers
        if custom is not None:
            setup["couriers"] = msgspec.structs.asdict(custom)
        genesis = dicelog.genesis(
            seeds, rules=rules_digest(row.rules), engine=pbem.__version__, setup=setup, source=source
        )
        affairs.edition = dicelog.EDITION
        entry = dicelog.append(None, "genesis", stamp(journal.at), genesis)
        journal.entries([entry])
        first = Game.first_checkpoint(rules, row.scenario, chosen)
        journal.checkpoint(first, rules.moment(Game.unbegun(rules, first, croupier).state))
        croupier.begin(now=int(journal.at.timestamp()))
        awaited = None
        try:
            if custom is not None:
                couriers.provide(croupier, 0)
            game = Game(rules, first, croupier)
        except AwaitBeacon as waits:
            awaited, game = waits, Game.unbegun(rules, first, croupier)
        live = Live(
            row.id, row.scenario, rules, game, croupier, roots, seats, {}, entry, affairs, "running", staff
        )
        turn = Turn(self, journal, live, letter_id=None)
        if awaited is None:
            turn.go_on()
            self._welcome(turn, genesis)
        else:
            turn.wait((), None, start=True)
            for seat in live.people:
                turn.note(seat, genesis_note(genesis))
        turn.write()
        return live

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
    ) -> str:
        """Announce a game that looks for players, to all or to those invited; its name. Raises BadGame."""
        chosen = check_options(name, scenario, options)
        check_calendar(calendar)
        customs = check_customs(customs)
        if any("@" not in address for address in invited):
            raise BadGame("an invitation needs an address")
        now = self.clock()
        row = GameRow(
            id=game_id or self.next_id(name),
            rules=name,
            scenario=scenario,
            options=msgspec.json.encode(chosen).decode(),
            status="open",
            created_at=now,
        )
        with self.transaction(None, now) as journal:
            joining.Desk(self).announce(
                journal,
                row,
                calendar=calendar,
                invited=invited,
                masters=[msgspec.to_builtins(one) for one in masters],
                sighted=sighted,
                steps=STEPS,
                customs=customs,
            )
        return row.id

    def start(self, game_id: str) -> None:
        """Begin an announced game without waiting for the rest of its muster. Raises Refused, NoSuchGame."""
        with self.transaction(game_id) as journal:
            joining.Desk(self).start(journal, self.store.game(game_id))

    def _welcome(self, turn: Turn, genesis: dicelog.Body) -> None:
        """The first letter to everyone."""
        for seat, row in turn.live.people.items():
            sections = (arrangements.customs_section(turn.live, row.lang),)
            notes = (genesis_note(genesis),)
            turn.say(seat, Dispatch(START, form=True, picture=True, notes=notes, sections=sections))
