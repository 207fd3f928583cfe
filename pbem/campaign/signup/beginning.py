"""How a game begins whose players are known: the first entry of its log, the set-up, the first letters."""

from __future__ import annotations

import msgspec

import pbem
from pbem import games
from pbem.campaign.campaign import Campaign
from pbem.campaign.commands import rule_pages
from pbem.campaign.outgoing import arrangements, couriers
from pbem.campaign.outgoing.dispatch import START, Dispatch, Note
from pbem.campaign.signup.new_game import (
    dice_note,
    genesis_note,
    rules_digest,
)
from pbem.campaign.table.tables import Affairs, Live, Shown
from pbem.campaign.table.transaction import Turn, orders_data, stamp
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.croupier import AwaitBeacon, Croupier
from pbem.dice.draw.seeds import STEPS, seeds_of
from pbem.dice.log import entries as dicelog
from pbem.kernel.game import Game
from pbem.store.journal import Journal
from pbem.store.records import Roots
from pbem.store.tables import GameRow, SeatRow


def begin(
    campaign: Campaign,
    journal: Journal,
    row: GameRow,
    seats: dict[str, SeatRow],
    staff: dict[str, SeatRow],
    roots: Roots,
    affairs: Affairs,
    source: Source | None = None,
) -> Live:
    """The first entry of the log, the set-up, and the first letters of a game whose players are known."""
    rules, chosen = games.load(row.rules), row.choices() | affairs.prices
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
    affairs.shown = Shown(entry.n, entry.head)
    first = Game.first_checkpoint(rules, row.scenario, chosen)
    journal.checkpoint(first, rules.moment(Game.unbegun(rules, first, croupier).state))
    words = {row.seat: row.salt for row in seats.values() if row.salt}
    croupier.begin(salts=words, now=int(journal.at.timestamp()))
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
    turn = Turn(campaign, journal, live, letter_id=None)
    if awaited is None:
        turn.go_on()
        welcome(turn, genesis)
    else:
        turn.wait((), None, start=True)
        for seat in live.people:
            turn.note(seat, genesis_note(genesis))
    turn.write()
    return live


def welcome(turn: Turn, genesis: dicelog.Body) -> None:
    """The first letter to everyone."""
    for seat, row in turn.live.people.items():
        sections = (arrangements.customs_section(turn.live, row.lang),)
        rules = Note("rules_how", {"game": turn.live.rules.name})
        url = rule_pages.link(turn.campaign.settings.rules_url, turn.live.rules.name, row.lang)
        notes = (
            rules,
            *([url] if url is not None else []),
            genesis_note(genesis),
            dice_note(turn.live.affairs),
        )
        turn.say(seat, Dispatch(START, form=True, picture=True, notes=notes, sections=sections))
