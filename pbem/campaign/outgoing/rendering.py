"""The secretary puts a dispatch into words and pictures: words at once, where the table is at hand, pictures later.

Written from the journal alone, so that the same dispatch gives the same letter however late it is written.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.intake.tokens import make, to_join
from pbem.campaign.outgoing import report as wording
from pbem.campaign.outgoing import thread
from pbem.campaign.outgoing.dispatch import INDEX, MUSTER, OVER, REPORT, START, STRANGER, Dispatch
from pbem.campaign.outgoing.subjects import stranger_subject, subject
from pbem.campaign.table import tables
from pbem.campaign.table.tables import THREAD, Live, Person, Tables
from pbem.dice.log import entries as dicelog
from pbem.faults import noted
from pbem.kernel.drawing import Drawing
from pbem.kernel.event import Told
from pbem.kernel.game import Given
from pbem.kernel.order import answer_from_data
from pbem.letters.calendar_entry import Entry
from pbem.letters.composing import Attachment, Outgoing, Picture, compose
from pbem.letters.posted import GAME, TITLE, Place, board_of
from pbem.letters.posted import INDEX as INDEX_POST
from pbem.post.forum.board import BBCODE, Board, Facts
from pbem.reports.catalogue import catalogue
from pbem.reports.map.paint.renderer import Renderer
from pbem.reports.map.paint.salt import salted
from pbem.reports.markup import bbcode, markdown
from pbem.reports.report import Line, Report, Section, html, text
from pbem.store.engine import StoreError
from pbem.store.journal import Journal
from pbem.store.records import Sending
from pbem.store.store import Store
from pbem.store.tables import DispatchRow, SeatRow

logger = logging.getLogger(__name__)

CID = "map"
_MOST_DRAFTS = 100
_BRIEF_WIDTH = 900
"""Of the map of a whole continent in a letter that is to be short."""
_MOST_THREADS = 10_000


class _Slip(msgspec.Struct, frozen=True):
    """A dispatch and where it goes."""

    dispatch: Dispatch
    game_id: str | None
    seat: str | None
    address: str
    message_id: str
    in_reply_to: str
    created_at: datetime


class _Draft(msgspec.Struct, frozen=True):
    """A letter in words; its picture has still to be painted."""

    letter: Outgoing
    drawing: Drawing | None = None
    picture_name: str = ""
    near: bool = False
    """Whether the picture is the part of the map where things happen."""
    verbose: bool = False
    """Whether both go along, the whole map and that part of it."""
    public: bool = True
    """Whether the picture shows what everybody may see."""


class Secretary:
    """Writes the letters of a campaign."""

    def __init__(
        self,
        campaign: Campaign,
        renderer: Renderer | None,
        width: int = 1200,
        sign: Callable[[bytes], bytes] | None = None,
        boards: Mapping[str, Board] = MappingProxyType({}),
    ) -> None:
        self.settings = campaign.settings
        self.store: Store = campaign.store
        self.tables: Tables = campaign.tables
        self.renderer = renderer
        self.width = width
        self.sign = sign
        self.boards = boards
        self._drafts: OrderedDict[str, _Draft] = OrderedDict()
        """In words already, by Message-ID: what is not there any more is written from the journal."""
        self._maps: dict[tuple[str, str, str], bytes] = {}
        """The last map that each topic on a board was sent."""
        self._threads: dict[tuple[str, str], str] = {}

    def at_once(self, journal: Journal, sending: Sending) -> bytes | None:
        """The letter, in the transaction that brings it about; None where a picture or a signature takes longer.

        Then the words are kept for `write`: the table stands where the letter tells of only now.
        """
        try:
            return self._at_once(journal, sending)
        except StoreError:
            raise
        except Exception as error:
            # Nobody's orders are lost because they cannot be put into words; it is tried again when it is sent.
            noted(logger, f"a letter about {journal.game_id} cannot be put into words now", error)
            return None

    def _at_once(self, journal: Journal, sending: Sending) -> bytes | None:
        self._drafts.pop(sending.message_id, None)
        dispatch = sending.data
        if not isinstance(dispatch, Dispatch) or dispatch.kind in (MUSTER, INDEX) or dispatch.log:
            return None
        slip = _Slip(
            dispatch,
            journal.game_id,
            sending.seat,
            sending.address,
            sending.message_id,
            sending.in_reply_to,
            journal.at,
        )
        draft = self._stranger_draft(slip) if dispatch.kind == STRANGER else self._draft_now(journal, slip)
        if draft is None or (draft.drawing is None and self.sign is None):
            return None if draft is None else compose(draft.letter)
        self._drafts[sending.message_id] = draft
        if len(self._drafts) > _MOST_DRAFTS:
            self._drafts.popitem(last=False)
        return None

    def _draft_now(self, journal: Journal, slip: _Slip) -> _Draft | None:
        """In words, if the table stands where the transaction does."""
        dispatch, position = slip.dispatch, journal.position
        live = self.tables.get(slip.game_id or "")
        if live is None or slip.seat not in live.people or dispatch.picture_at >= 0:
            return None
        here = (live.game.answers, live.last_entry.hash)
        if here != (position.answers, position.log_hash) or dispatch.answers != position.answers:
            return None
        told = journal.told(dispatch.after, dispatch.upto, tables.event_decoder(live.rules.name))
        proofs = journal.proof_lines(slip.seat, dispatch.proofs) if dispatch.proofs else ()
        thread = self._first_letter(slip)
        return self._draft(slip, self._standing(live, dispatch), live.people[slip.seat], told, proofs, thread)

    async def write(self, row: DispatchRow) -> bytes:
        """The letter that a dispatch asks for."""
        draft = self._drafts.pop(row.message_id, None) or self._written_late(row)
        letter = draft.letter
        if draft.drawing is not None and self.renderer is not None:
            board = board_of(letter.recipient)
            theatre = () if board else draft.drawing.theatre
            wide = self.width if draft.verbose or not theatre else min(self.width, _BRIEF_WIDTH)
            if theatre and draft.near:
                png = await self.renderer.crop(draft.drawing, theatre, wide)
            else:
                png = await self.renderer.png(draft.drawing, wide)
            if board and not draft.public:
                # The same map as somebody else's must not be known by its bytes, nor its address be guessed.
                picture = Picture(CID, f"{secrets.token_hex(12)}.png", salted(png), attached=False)
            else:
                picture = Picture(CID, f"{draft.picture_name}.png", png, attached=False)
            letter = msgspec.structs.replace(letter, pictures=(picture,))
            if theatre and draft.verbose:
                close = await self.renderer.crop(draft.drawing, draft.drawing.theatre, self.width)
                near = Attachment(f"{draft.picture_name}-close.png", close, "image/png")
                letter = msgspec.structs.replace(letter, attachments=(*letter.attachments, near))
        raw = compose(letter)
        return (
            raw
            if self.sign is None or board_of(letter.recipient)
            else await asyncio.to_thread(self.sign, raw)
        )

    def _written_late(self, row: DispatchRow) -> _Draft:
        """In words, from the journal."""
        slip = _Slip(
            row.read(Dispatch),
            row.game_id,
            row.seat,
            row.address,
            row.message_id,
            row.in_reply_to,
            row.created_at,
        )
        dispatch = slip.dispatch
        if dispatch.kind == INDEX:
            return self._index_draft(slip)
        if dispatch.kind in (STRANGER, MUSTER) or row.game_id is None or row.seat is None:
            return self._stranger_draft(slip)
        seat = self.store.seats(row.game_id)[row.seat]
        position = self._position(row.game_id, dispatch)
        decoder = tables.event_decoder(position.game.rules.name)
        told = self.store.told(row.game_id, dispatch.after, dispatch.upto, decoder)
        proofs = self.store.proof_lines(row.game_id, row.seat, dispatch.proofs) if dispatch.proofs else ()
        return self._draft(slip, position, seat, told, proofs, self._first_letter(slip))

    def _draft(
        self,
        slip: _Slip,
        position: wording.Position,
        seat: SeatRow,
        told: Sequence[Told],
        proofs: Sequence[str],
        thread: str,
    ) -> _Draft:
        dispatch, rules = slip.dispatch, position.game.rules
        assert slip.game_id is not None
        settled = [
            (Given("", seat.seat, answer_from_data(s.answer, rules.orders), s.origin, s.by), s.question)
            for s in dispatch.settled
        ]
        person = seat.read(Person)
        board = board_of(slip.address)
        reader = wording.reader_of(seat, forum=bool(board))
        drawing = None
        if dispatch.picture and self.renderer is not None:
            shown = position if dispatch.picture_at < 0 else self._past(slip.game_id, dispatch.picture_at)
            drawing = rules.drawing(reader.view(shown.game), reader.viewer, reader.lang)
            if board and (told or dispatch.kind == REPORT) and self._shown_before(slip, drawing):
                # The same map twice in a topic says nothing.
                drawing = None
        report = wording.report(position, reader, dispatch, told, settled, CID if drawing is not None else "")
        if board and proofs:
            words = catalogue(reader.lang, rules, True)
            proved = Section(words.phrase("titles", "proofs"), tuple(map(Line, proofs)), plain=True)
            report = msgspec.structs.replace(report, sections=(*report.sections, proved))
        verbose = person.brief is False
        near = not (verbose or dispatch.whole_map or dispatch.kind in (START, OVER))
        if near and drawing is not None and drawing.theatre and not board:
            note = catalogue(reader.lang, rules).phrase("words", "map_near")
            report = msgspec.structs.replace(report, image_note=note)
        token = "" if board else self._token(slip.game_id, seat.seat, person)
        letter = Outgoing(
            sender=self.settings.address,
            sender_name=self.settings.name,
            recipient=slip.address,
            recipient_name=seat.name,
            subject=subject(catalogue(seat.lang, rules, bool(board)), position, reader, dispatch),
            message_id=slip.message_id,
            date=slip.created_at,
            text=text(report),
            html="" if board else html(report),
            attachments=()
            if board
            else (
                *self._attachments(slip.game_id, dispatch, proofs),
                *_calendar_entry(position, reader, dispatch, person, self.settings.host),
            ),
            in_reply_to=slip.in_reply_to,
            references=(thread,) if thread and thread != slip.message_id else (),
            replied=bool(slip.in_reply_to),
            token=token,
            plus_address=self.settings.plus_address,
            list_id=f"{slip.game_id}.{self.settings.host}",
            list_name=slip.game_id,
        )
        if board:
            letter = self._for_board(letter, report, slip.game_id)
        public = bool(
            board
            and drawing is not None
            and drawing == rules.drawing(shown.game.view(None), None, reader.lang)
        )
        name = f"{slip.game_id}-{rules.moment(position.game.state)}"
        return _Draft(letter, drawing, name, near, verbose, public)

    def _token(self, game_id: str, seat: str, person: Person) -> str:
        return make(self._root(game_id), game_id, seat, person.generation).text()

    def _for_board(
        self, letter: Outgoing, report: Report, game_id: str | None, index: bool = False
    ) -> Outgoing:
        """The letter as its board takes it: in the board's dialect, with what its outlet has to know."""
        board = self.boards.get(board_of(letter.recipient))
        facts = board.facts if board is not None else Facts(kind="")
        bb = facts.dialect == BBCODE
        public = letter.recipient.startswith(THREAD)
        words = catalogue(report.lang)
        headers = []
        if game_id is not None:
            title = report.title if public else ""
            player = letter.recipient_name or letter.recipient.partition("@")[0]
            title = title or words.phrase("thread", "private", game=game_id, player=player)
            headers = [(GAME, game_id), (TITLE, title)]
        if index:
            headers.append((INDEX_POST, "yes"))
        return msgspec.structs.replace(
            letter,
            markup=bbcode(report, facts.fold) if bb else markdown(report, facts.fold),
            markup_type="text/x-bbcode" if bb else "text/markdown",
            headers=tuple(headers),
            html="",
            token="",
        )

    def _index_draft(self, slip: _Slip) -> _Draft:
        """The index of a public thread, as the game stands when it is written."""
        assert slip.game_id is not None
        live = self.tables.get(slip.game_id)
        if live is None:
            live = tables.take_up(
                self.store.load(slip.game_id), self.store.secret(slip.game_id), self.tables.networks
            )
        name = board_of(slip.address)
        board = self.boards.get(name)
        home = next(
            (one for one in self.store.topics(slip.game_id) if (one.board, one.private) == (name, False)),
            None,
        )

        def link(post: str) -> str:
            return board.link(Place(home.topic), post) if board is not None and home is not None else ""

        posts = [row for row in self.store.dispatches(slip.game_id, THREAD) if row.kind in thread.REPORTS]
        report = thread.index(live, live.staff[THREAD].lang, posts, link)
        letter = Outgoing(
            sender=self.settings.address,
            sender_name=self.settings.name,
            recipient=slip.address,
            subject=report.title,
            message_id=slip.message_id,
            date=slip.created_at,
            text=text(report),
        )
        return _Draft(self._for_board(letter, report, slip.game_id, index=True))

    def _shown_before(self, slip: _Slip, drawing: Drawing) -> bool:
        """Whether a topic shows that very map already, as far as this life knows."""
        key = (slip.game_id or "", slip.seat or "", slip.address)
        digest = hashlib.sha256(msgspec.json.encode(drawing, order="deterministic")).digest()
        known, self._maps[key] = self._maps.get(key), digest
        return known == digest

    def _root(self, game_id: str) -> bytes:
        live = self.tables.get(game_id)
        return live.roots.root if live is not None else self.store.secret(game_id).root

    def _position(self, game_id: str, dispatch: Dispatch) -> wording.Position:
        live = self.tables.at(game_id, dispatch.answers)
        if live is not None:
            return self._standing(live, dispatch)
        past = self._past(game_id, dispatch.answers)
        return msgspec.structs.replace(
            past, saved=dispatch.saved, resigned=dispatch.resigned, agreed=dispatch.agreed
        )

    def _standing(self, live: Live, dispatch: Dispatch) -> wording.Position:
        return wording.Position(
            live.id, live.scenario, live.game, dispatch.saved, dispatch.resigned, dispatch.agreed
        )

    def _past(self, game_id: str, answers: int) -> wording.Position:
        """An earlier position. One that a rollback has undone is gone: the last one before it is shown."""
        row = self.store.game(game_id)
        loaded = self.store.load(game_id, at_answer=min(answers, row.answers))
        return wording.Position(game_id, row.scenario, tables.position(loaded))

    def _first_letter(self, slip: _Slip) -> str:
        """The first letter to the seat, which holds the thread together."""
        key = (slip.game_id or "", slip.seat or "")
        first = self._threads.get(key) or self.store.first_message_id(*key)
        if first:
            if len(self._threads) >= _MOST_THREADS:
                self._threads.clear()
            self._threads[key] = first
        return first

    def _attachments(self, game_id: str, dispatch: Dispatch, proofs: Sequence[str]) -> tuple[Attachment, ...]:
        attached: list[Attachment] = []
        if dispatch.proofs:
            lines = "\n".join(proofs) + "\n"
            attached.append(Attachment(f"{game_id}-proofs.jsonl", lines.encode(), "application/jsonl"))
        if dispatch.log:
            file = io.BytesIO()
            entries = (entry for entry in self.store.entries(game_id) if entry.n <= dispatch.log)
            dicelog.export(entries, file)
            attached.append(Attachment(f"{game_id}-log.jsonl", file.getvalue(), "application/jsonl"))
        return tuple(attached)

    def _muster_token(self, row: _Slip) -> str:
        """The token of a seat in a game that has not begun, or with which a JOIN is confirmed; otherwise none."""
        if row.game_id is not None and row.dispatch.join:
            lang, want = row.dispatch.join.split("-")
            return to_join(self._root(row.game_id), row.game_id, lang, want, row.address).text()
        if row.game_id is None or row.seat is None:
            return ""
        seat = self.store.seats(row.game_id)[row.seat]
        if seat.address != row.address:
            return ""
        return make(self._root(row.game_id), row.game_id, row.seat, seat.read(Person).generation).text()

    def _stranger_draft(self, row: _Slip) -> _Draft:
        dispatch = row.dispatch
        board = board_of(row.address)
        words = catalogue(dispatch.lang, None, bool(board))
        lines = tuple(Line(wording.note_text(words, note)) for note in dispatch.notes)
        report = Report(
            lang=words.lang,
            title=self.settings.name,
            sections=(Section(words.phrase("titles", "note"), lines),),
        )
        letter = Outgoing(
            sender=self.settings.address,
            sender_name=self.settings.name,
            recipient=row.address,
            subject=stranger_subject(words, dispatch, row.game_id),
            message_id=row.message_id,
            date=row.created_at,
            # No more than words: whoever has not answered yet is sent as little as can be.
            text=text(report),
            in_reply_to=row.in_reply_to,
            replied=True,
            token=self._muster_token(row),
            plus_address=self.settings.plus_address,
        )
        return _Draft(self._for_board(letter, report, row.game_id) if board else letter)


def _calendar_entry(
    position: wording.Position, reader: wording.Reader, dispatch: Dispatch, person: Person, host: str
) -> tuple[Attachment, ...]:
    """The deadline as an entry for a calendar, for whoever wants it."""
    if not person.calendar or dispatch.due is None or dispatch.at is None:
        return ()
    rules = position.game.rules
    words = catalogue(reader.lang, rules)
    entry = Entry(
        uid=f"{position.name}.{reader.seat}@{host}",
        made=dispatch.at,
        due=dispatch.due,
        summary=words.phrase("calendar", "summary", title=rules.titles[words.lang], game=position.name),
        description=words.phrase("calendar", "description", seat=reader.name(words)),
    )
    return (Attachment(f"{position.name}.ics", entry.text().encode(), "text/calendar"),)
