"""Sign-up: a game is announced, players JOIN with ranked wishes, seats go by best assignment, all muster, it begins.

A JOIN needs no token: the muster letter brings it, and only an answer with it confirms. Whoever does not confirm in
time is struck off, and the game looks for players again. An observer may join at any time; so may a replacement.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import msgspec

from pbem import games
from pbem.campaign.campaign import Campaign
from pbem.campaign.commands import list_games, rule_pages
from pbem.campaign.commands.game_master import acts
from pbem.campaign.commands.preferences import language_named
from pbem.campaign.commands.registry import COMMANDS
from pbem.campaign.deadlines.calendar import Calendar, Refused
from pbem.campaign.house_rules import Customs
from pbem.campaign.intake import tokens
from pbem.campaign.outgoing import arrangements
from pbem.campaign.outgoing.dispatch import MUSTER, START, STRANGER, Dispatch, Note
from pbem.campaign.seat_names import seat_named
from pbem.campaign.signup import auction, eligible
from pbem.campaign.signup.beginning import begin
from pbem.campaign.signup.new_game import Player, anchors_note, dice_note, staff_rows
from pbem.campaign.table.tables import OBSERVER, Affairs, Candidate, Live, Person, Signup, source_of
from pbem.campaign.table.transaction import Turn
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.seeds import STEPS, seeds_of
from pbem.kernel.rules import Rules
from pbem.letters.addresses import mailbox
from pbem.letters.letter import Letter
from pbem.letters.names import harmless, person_name
from pbem.orders.commands import Command
from pbem.orders.words import fold
from pbem.reports import dates
from pbem.reports.catalogue import Catalogue, catalogue
from pbem.store.engine import NoSuchGame
from pbem.store.journal import Journal
from pbem.store.records import Sending
from pbem.store.store import Store
from pbem.store.tables import GameRow, SeatRow

MOST_CANDIDATES = 50
MOST_OBSERVERS = 20
_UNWISHED = 10
_MOST_LISTED = 15
"""Games in a letter to somebody whom we do not know: he must not make us send much with little."""
MOST_WORD = 200
_READY = ("ready", "pret", "prete", "salt", "sel")
_OBSERVE = ("observer", "observateur", "observatrice", "watch", "observer1")


def best_assignment(wishes: Sequence[Sequence[str]], seats: Sequence[str]) -> tuple[str, ...]:
    """Which seat each gets: the fewest disappointments in all, and of equals the kindest to whoever came first."""

    def cost(wish: Sequence[str], seat: str) -> int:
        if not wish:
            return 0
        return wish.index(seat) if seat in wish else _UNWISHED

    def disappointment(given: tuple[str, ...]) -> tuple[int, tuple[int, ...]]:
        costs = tuple(cost(wish, seat) for wish, seat in zip(wishes, given, strict=True))
        return sum(costs), costs

    return min(permutations(seats, len(wishes)), key=disappointment)


class Joining:
    """Sign-up for the games of a campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._store = campaign.store

    def announce(
        self,
        journal: Journal,
        row: GameRow,
        *,
        calendar: Calendar | None,
        invited: Sequence[str] = (),
        masters: Sequence[Mapping[str, str]] = (),
        sighted: bool = False,
        steps: int,
        customs: Customs,
        source: Source | None = None,
        known: Sequence[Candidate] = (),
    ) -> None:
        """A game that looks for players; those invited are told. Where they are `known`, they are to `muster`."""
        signup = Signup(
            invited=[address.strip().lower() for address in invited],
            masters=[dict(one) for one in masters],
            sighted=sighted,
            candidates=list(known),
            begins=bool(known),
        )
        affairs = Affairs(
            steps=steps,
            source=dict(source.body()) if source else None,
            calendar=calendar,
            public=not invited,
            signup=signup,
            customs=customs,
            invited=signup.invited,
        )
        row.data = msgspec.json.encode(affairs).decode()
        roots = self._campaign.new_roots()
        journal.create(row, (), root=roots.root, zroot=roots.zroot)
        for address in signup.invited:
            if not known:
                self._write(
                    journal, row, address, "en", Note("invited", self._what(row, "en")), dice_note(affairs)
                )

    def take(
        self, journal: Journal, row: GameRow | None, letter: Letter, items: Sequence[Command], lang: str
    ) -> str:
        """A letter that asks for a seat, the list of games, a language or a rule; how it went.

        One game a letter: of several JOINs the first is done, and the others are answered.
        """
        joins = [item for item in items if item.name == "join"]
        notes = [Note("language_set")] if _settles_language(items) else []
        for item in items:
            if item.name == "rules":
                notes += [
                    Note("plain", {"text": line}) for line in rule_pages.for_stranger(item.argument, lang)
                ]
        if row is None or not joins:
            listed = bool(joins) or any(item.name != "rules" for item in items)
            notes += [Note("join_what")] if joins else []
            notes += self.listed(letter.sender, lang) if listed else []
            self._reply(journal, None, letter, lang, notes)
            return "done"
        others = [Note("join_one", {"line": harmless(item.text, 80)}) for item in joins[1:]]
        try:
            note = self._join(journal, row, letter, joins[0], lang)
        except Refused as refused:
            self._reply(journal, row, letter, lang, [Note(refused.code, refused.params), *others, *notes])
            return "refused"
        if note is not None:
            self._reply(journal, row, letter, lang, [note, *others, *notes, dice_note(row.read(Affairs))])
        elif others:
            self._reply(journal, row, letter, lang, others)
        return "done"

    def listed(self, address: str, lang: str) -> list[Note]:
        """The games of somebody without a seat here, and those that he may join."""
        lines = list_games.lines(self._store, address, catalogue(lang))
        notes = [Note("plain", {"text": line}) for line in lines[:_MOST_LISTED]]
        if len(lines) > _MOST_LISTED:
            notes.append(Note("problems_more", {"n": len(lines) - _MOST_LISTED}))
        return [*notes, Note("list_how", {"game": games.usual()})]

    def _join(self, journal: Journal, row: GameRow, letter: Letter, item: Command, lang: str) -> Note | None:
        rules = games.load(row.rules)
        affairs = row.read(Affairs)
        parts = item.argument.split(maxsplit=1)
        rest = parts[1] if len(parts) > 1 else ""
        name = person_name(letter.sender_name, letter.sender.partition("@")[0].replace(".", " "))
        if row.status in ("running", "paused"):
            return self._join_running(journal, row, affairs, letter, rest, lang)
        signup = affairs.signup
        if row.status != "open" or signup is None:
            raise Refused("join_over", game=row.id)
        if signup.invited and not _invited(signup.invited, letter.sender):
            raise Refused("join_invited", game=row.id)
        if signup.muster_until is not None:
            raise Refused("join_muster", game=row.id)
        seats = rules.scenarios[row.scenario].seats
        bids = auction.read_bids(rest, rules, seats)
        wishes = read_wishes(rest, rules, seats) if bids is None else []
        others = [one for one in signup.candidates if mailbox(one.address) != mailbox(letter.sender)]
        if len(others) >= MOST_CANDIDATES:
            raise Refused("join_full", game=row.id)
        signup.candidates = [*others, Candidate(letter.sender, name, lang, wishes, bids or {})]
        needed = len(rules.scenarios[row.scenario].seats)
        if len(signup.candidates) >= needed:
            self._muster(journal, row, affairs)
            return None
        self._keep(journal, affairs, None)
        words = catalogue(lang, rules)
        shown = ", ".join(f"{words.seat(seat)} {n}" for seat, n in (bids or {}).items())
        shown = shown or ", ".join(words.seat(seat) for seat in wishes) or "–"
        missing = needed - len(signup.candidates)
        return Note("joined", {**self._what(row, lang), "wishes": shown, "missing": missing})

    def _join_running(
        self, journal: Journal, row: GameRow, affairs: Affairs, letter: Letter, rest: str, lang: str
    ) -> Note | None:
        """A replacement for a seat that is looked for, or an observer of a public game: asked to confirm first."""
        live = self._campaign.tables.table(row.id, journal)
        if any(mailbox(letter.sender) in map(mailbox, live.addresses(seat)) for seat in live.people):
            raise Refused("join_already", game=live.id)
        if not affairs.public and not _invited(affairs.invited, letter.sender):
            # Not even whether a seat is vacant.
            raise Refused("join_invited", game=live.id)
        want = OBSERVER
        if fold(rest).strip() not in _OBSERVE:
            if not affairs.wanted:
                raise Refused("join_taken", game=live.id)
            want = seat_named(rest, live.rules, list(live.seats)) or "" if rest.strip() else affairs.wanted[0]
            if not want:
                raise Refused("no_such_seat", seat=harmless(rest, 40), seats=", ".join(live.seats))
        token = tokens.parse(letter.token) if letter.token else None
        self._check_join(live, want, letter.sender)
        # A board has made sure who writes; a mail has still to show that it can be answered.
        if letter.posted is not None or tokens.joins(token, live.roots.root, letter.sender) == (lang, want):
            self._let_in(journal, live, letter, lang, want)
            return None
        seat = "" if want == OBSERVER else catalogue(lang, live.rules).seat(want)
        self._reply(
            journal,
            row,
            letter,
            lang,
            [Note("join_confirm", {**self._what(row, lang), "seat": seat})],
            f"{lang}-{want}",
        )
        return None

    def _check_join(self, live: Live, want: str, address: str) -> None:
        """Whether somebody may look on, or take a seat. Raises Refused."""
        affairs = live.affairs
        if not affairs.public and (want == OBSERVER or not _invited(affairs.invited, address)):
            raise Refused("join_invited", game=live.id)
        if want == OBSERVER:
            if sum(live.person(other).role == OBSERVER for other in live.staff) >= MOST_OBSERVERS:
                raise Refused("join_full", game=live.id)
            return
        if want not in affairs.wanted or live.over:
            raise Refused("join_taken", game=live.id)
        eligible.check(self._store, live, want, address)

    def confirm_join(self, journal: Journal, row: GameRow, letter: Letter, token: tokens.Token) -> str:
        """An answer to our letter about a JOIN: READY lets its writer in."""
        live = self._campaign.tables.table(row.id, journal)
        asked = tokens.joins(token, live.roots.root, letter.sender)
        if asked is None:
            return "unknown"
        lang, want = asked
        said = {
            found.name
            for line in (*letter.lines, letter.topic)
            if (found := COMMANDS.command(line)) is not None
        }
        if not said & {"ready", "confirm", "join"}:
            # It was asked clearly enough; more letters would be somebody's nuisance.
            return "refused"
        try:
            if any(mailbox(letter.sender) in map(mailbox, live.addresses(seat)) for seat in live.people):
                raise Refused("join_already", game=live.id)
            self._check_join(live, want, letter.sender)
        except Refused as refused:
            self._reply(journal, row, letter, lang, [Note(refused.code, refused.params)])
            return "refused"
        self._let_in(journal, live, letter, lang, want)
        return "done"

    def _let_in(self, journal: Journal, live: Live, letter: Letter, lang: str, want: str) -> None:
        name = person_name(letter.sender_name, letter.sender.partition("@")[0].replace(".", " "))
        turn = Turn(self._campaign, journal, live, letter_id=None)
        if want == OBSERVER:
            self._observe(turn, letter.sender, name, lang)
        else:
            acts.replace(turn, "moderator", want, letter.sender, name, lang)
        turn.write()

    def _observe(self, turn: Turn, address: str, name: str, lang: str) -> None:
        live = turn.live
        # Whoever has left keeps his number, so that his token stays worthless.
        ever = (*live.staff, *self._store.seats(live.id))
        numbers = [int(seat[8:]) for seat in ever if seat.startswith("observer") and seat[8:].isdigit()]
        seat = f"observer{max(numbers, default=0) + 1}"
        data = msgspec.json.encode(Person(role=OBSERVER)).decode()
        live.staff[seat] = SeatRow(
            game_id=live.id, seat=seat, name=name, address=address, lang=lang, data=data
        )
        turn.journal.set_seat(live.staff[seat])
        acts.written_down(turn, "moderator", "observer")
        live.affairs.reported[seat] = turn.journal.position.events
        turn.say(seat, Dispatch(START, picture=True, sections=(arrangements.customs_section(live, lang),)))

    def muster(self, journal: Journal, row: GameRow) -> None:
        """Ask the players of a game who are known from the start."""
        self._muster(journal, row, row.read(Affairs))

    def _muster(self, journal: Journal, row: GameRow, affairs: Affairs) -> None:
        """Enough have joined: seats by best assignment, and everyone is asked to confirm."""
        signup = affairs.signup
        assert signup is not None
        rules = games.load(row.rules)
        seats = rules.scenarios[row.scenario].seats
        chosen = signup.candidates[: len(seats)]
        by_auction = any(one.bids for one in chosen)
        if by_auction:
            given = auction.best_bids([one.bids for one in chosen], seats)
        else:
            given = best_assignment([one.wishes for one in chosen], seats)
        signup.assigned = {seat: one.address for one, seat in zip(chosen, given, strict=True)}
        signup.confirmed, signup.words = [], {}
        signup.generation += 1
        signup.muster_until = journal.at + timedelta(hours=signup.muster_hours)
        self._keep(journal, affairs, signup.muster_until)
        person = msgspec.json.encode(Person(generation=signup.generation)).decode()
        zone = (affairs.calendar or Calendar()).zone
        roots = self._store.secret(row.id)
        anchors = anchors_note(seeds_of(row.id, roots.root, roots.zroot, STEPS), affairs)
        for one, seat in zip(chosen, given, strict=True):
            journal.set_seat(
                SeatRow(
                    game_id=row.id, seat=seat, name=one.name, address=one.address, lang=one.lang, data=person
                )
            )
            params = {**self._what(row, one.lang), "seat": catalogue(one.lang, rules).seat(seat)}
            until = dates.long(catalogue(one.lang), signup.muster_until, zone)
            note = Note("muster", {**params, "until": until})
            if by_auction:
                opened = _opened(catalogue(one.lang, rules), chosen, given)
                price = one.bids.get(seat, 0)
                note = Note("muster_auction", {**params, "until": until, "price": price, "bids": opened})
            what = f"muster{signup.generation}"
            notes = (Note("muster_word"), dice_note(affairs), anchors)
            self._write(journal, row, one.address, one.lang, note, *notes, seat=seat, what=what)

    def confirm(self, journal: Journal, row: GameRow, letter: Letter, token: tokens.Token | None) -> str:
        """A letter of somebody who has a seat in a game that has not begun: READY confirms, RESIGN gives it up.

        What stands behind READY is the player's word for the dice: nobody else may choose it.
        """
        affairs = row.read(Affairs)
        signup = affairs.signup
        root = self._store.secret(row.id).root
        if signup is None or signup.muster_until is None:
            return "unknown"
        if letter.posted is not None:
            # The board vouches for who wrote.
            held = next((seat for seat, held in signup.assigned.items() if held == letter.sender), "")
        elif token is not None and tokens.valid(token, root, signup.generation):
            held = token.seat if signup.assigned.get(token.seat) == letter.sender else ""
        else:
            held = ""
        if not held:
            return "unknown"
        items = [
            found for line in (*letter.lines, letter.topic) if (found := COMMANDS.command(line)) is not None
        ]
        said = {item.name for item in items}
        lang = next((one.lang for one in signup.candidates if one.address == letter.sender), "en")
        chosen = next((language_named(item.argument) for item in items if item.name == "language"), "")
        if chosen and chosen != lang:
            lang = chosen
            signup.candidates = [
                msgspec.structs.replace(one, lang=lang) if one.address == letter.sender else one
                for one in signup.candidates
            ]
            seat = self._store.seats(row.id)[held]
            seat.lang = lang
            journal.set_seat(seat)
            self._keep(journal, affairs, signup.muster_until)
        if "resign" in said:
            self._strike_off(journal, row, affairs, [held], {letter.sender})
            return "done"
        word = word_for_the_dice(letter)
        if word:
            signup.words[held] = word
        elif not said & {"ready", "confirm", "join"}:
            note, what = Note("muster_what", self._what(row, lang)), f"re{letter.digest[:12]}"
            self._write(journal, row, letter.sender, lang, note, seat=held, what=what)
            return "done"
        if held not in signup.confirmed:
            signup.confirmed.append(held)
        if set(signup.confirmed) == set(signup.assigned):
            self._begin(journal, row, affairs)
            return "done"
        self._keep(journal, affairs, signup.muster_until)
        waiting = len(signup.assigned) - len(signup.confirmed)
        note, what = Note("confirmed_seat", {"game": row.id, "waiting": waiting}), f"re{letter.digest[:12]}"
        given = signup.words.get(held, "")
        heard = Note("word_taken", {"word": given}) if given else Note("muster_word")
        self._write(journal, row, letter.sender, lang, note, heard, seat=held, what=what)
        return "done"

    def start(self, journal: Journal, row: GameRow) -> None:
        """Begin without waiting for the rest of the muster. Raises Refused where players are missing."""
        affairs = row.read(Affairs)
        signup = affairs.signup
        if row.status != "open" or signup is None:
            raise Refused("gm_started")
        rules = games.load(row.rules)
        missing = len(rules.scenarios[row.scenario].seats) - len(signup.candidates)
        if missing > 0:
            raise Refused("start_missing", missing=missing)
        if not signup.assigned:
            self._muster(journal, row, affairs)
        self._begin(journal, row, affairs)

    def strike(self, journal: Journal, row: GameRow) -> None:
        """The muster is over: whoever has not confirmed is struck off."""
        affairs = row.read(Affairs)
        signup = affairs.signup
        if signup is None or signup.muster_until is None or signup.muster_until > journal.at:
            self._keep(journal, affairs, None if signup is None else signup.muster_until)
            return
        if signup.begins and signup.assigned:
            self._begin(journal, row, affairs)
            return
        silent = [seat for seat in signup.assigned if seat not in signup.confirmed]
        self._strike_off(journal, row, affairs, silent)

    def _strike_off(
        self,
        journal: Journal,
        row: GameRow,
        affairs: Affairs,
        seats: list[str],
        resigned: Set[str] = frozenset(),
    ) -> None:
        signup = affairs.signup
        assert signup is not None
        gone = {signup.assigned[seat] for seat in seats}
        heard = {signup.assigned[seat] for seat in signup.confirmed} | resigned | set(signup.invited)
        for one in signup.candidates:
            if one.address not in heard:
                # An address that has never answered is sent no more: its JOIN may have been forged.
                continue
            code = "struck_off" if one.address in gone else "muster_failed"
            note = Note(code, self._what(row, one.lang))
            self._write(journal, row, one.address, one.lang, note, what=f"off{signup.generation}")
        for seat in signup.assigned:
            journal.set_seat(SeatRow(game_id=row.id, seat=seat))
        signup.candidates = [one for one in signup.candidates if one.address not in gone]
        signup.assigned, signup.confirmed, signup.muster_until = {}, [], None
        needed = len(games.load(row.rules).scenarios[row.scenario].seats)
        if len(signup.candidates) >= needed:
            self._muster(journal, row, affairs)
        else:
            self._keep(journal, affairs, None)

    def _begin(self, journal: Journal, row: GameRow, affairs: Affairs) -> None:
        signup = affairs.signup
        assert signup is not None
        known = {one.address: one for one in signup.candidates}
        person = msgspec.json.encode(Person(generation=signup.generation)).decode()
        seats = {
            seat: SeatRow(
                game_id=row.id,
                seat=seat,
                name=known[address].name,
                address=address,
                lang=known[address].lang,
                salt=signup.words.get(seat, ""),
                data=person,
            )
            for seat, address in signup.assigned.items()
        }
        masters = [msgspec.convert(one, Player) for one in signup.masters]
        staff = staff_rows(row.id, masters, set(signup.assigned.values()), signup.sighted, affairs.customs)
        for sits in staff.values():
            journal.set_seat(sits)
        roots = self._store.secret(row.id)
        bids = {one.address: one.bids for one in signup.candidates}
        if any(bids[address] for address in signup.assigned.values()):
            affairs.prices = auction.prices(signup.assigned, bids)
        affairs.signup = None
        source = source_of(affairs, self._campaign.tables.networks)
        live = begin(self._campaign, journal, row, seats, staff, roots, affairs, source)
        self._campaign.tables.put(live)

    def _keep(self, journal: Journal, affairs: Affairs, next_at: datetime | None) -> None:
        journal.update(data=affairs, next_at=next_at)

    def _what(self, row: GameRow, lang: str) -> dict[str, str | int]:
        rules: Rules[Any] = games.load(row.rules)
        scenario = rules.scenarios[row.scenario]
        return {
            "game": row.id,
            "title": rules.titles[lang if lang in rules.titles else "en"],
            "scenario": scenario.fr if lang == "fr" else scenario.en,
            "seats": ", ".join(catalogue(lang, rules).seat(seat) for seat in scenario.seats),
        }

    def _reply(
        self,
        journal: Journal,
        row: GameRow | None,
        letter: Letter,
        lang: str,
        notes: list[Note],
        join: str = "",
    ) -> None:
        if self._campaign.silenced_stranger(letter.sender, journal.at):
            return
        dispatch = Dispatch(STRANGER, notes=tuple(notes), lang=lang, join=join)
        name = row.id if row is not None else "list"
        identifier = f"<join.{name}.{letter.digest[:24]}@{self._campaign.settings.host}>"
        journal.dispatch(Sending(letter.answer_to, STRANGER, identifier, dispatch, None, letter.message_id))

    def _write(
        self,
        journal: Journal,
        row: GameRow,
        address: str,
        lang: str,
        *notes: Note,
        seat: str | None = None,
        what: str = "invited",
    ) -> None:
        dispatch = Dispatch(MUSTER if seat else STRANGER, notes=notes, lang=lang)
        digest = re.sub(r"[^0-9a-f]", "", address.encode().hex())[:24]
        identifier = f"<{what}.{row.id}.{digest}@{self._campaign.settings.host}>"
        journal.dispatch(Sending(address, dispatch.kind, identifier, dispatch, seat))


def _settles_language(items: Sequence[Command]) -> bool:
    return any(item.name == "language" and language_named(item.argument) for item in items)


def word_for_the_dice(letter: Letter) -> str:
    """What a player says behind READY (or SALT) for the dice; empty if he says nothing."""
    for line in (*letter.lines, letter.topic):
        first, _, word = line.strip().partition(" ")
        if fold(first).strip(".:,!") in _READY:
            return " ".join(word.split()).strip(" .:«»\"'")[:MOST_WORD]
    return ""


def _opened(words: Catalogue, chosen: Sequence[Candidate], given: Sequence[str]) -> str:
    """All bids, by the seat that each bidder gets."""
    lines = []
    for one, seat in zip(chosen, given, strict=True):
        bids = ", ".join(f"{words.seat(other)} {n}" for other, n in one.bids.items()) or "–"
        lines.append(f"{words.seat(seat)} ({bids})")
    return "; ".join(lines)


def read_wishes(text: str, rules: Rules[Any], seats: Sequence[str]) -> list[str]:
    """Seats in the order in which they are wished for, by their names in either language. Raises Refused."""
    wishes: list[str] = []
    for part in re.split(r"[,;>]|\bthen\b|\bpuis\b", text):
        if not part.strip(" ."):
            continue
        seat = seat_named(part, rules, seats)
        if seat is None:
            raise Refused("no_such_seat", seat=harmless(part, 40), seats=", ".join(seats))
        if seat not in wishes:
            wishes.append(seat)
    return wishes


def _invited(invited: Sequence[str], address: str) -> bool:
    return mailbox(address) in map(mailbox, invited)


def named_game(store: Store, item: Command) -> str:
    """The game that a JOIN means: the one it names, or the only one that is open to all."""
    name = item.argument.split(maxsplit=1)[0].strip(" ,.«»\"'").lower() if item.argument.strip() else ""
    if name:
        try:
            return store.game(name).id
        except NoSuchGame:
            return ""
    open_to_all = [row.id for row in store.games("open") if row.read(Affairs).public]
    return open_to_all[0] if len(open_to_all) == 1 else ""
