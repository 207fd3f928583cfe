"""The secretary puts a dispatch into words and pictures: words at once, where the table is at hand, pictures later.

Written from the journal alone, so that the same dispatch gives the same letter however late it is written.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from pbem.campaign.campaign import Campaign
from pbem.campaign.intake.tokens import make, to_join
from pbem.campaign.outgoing import report as wording
from pbem.campaign.outgoing.dispatch import MUSTER, STRANGER, Dispatch
from pbem.campaign.outgoing.subjects import stranger_subject, subject
from pbem.campaign.table import tables
from pbem.campaign.table.tables import Live, Person, Tables
from pbem.dice.log import entries as dicelog
from pbem.faults import noted
from pbem.kernel.drawing import Drawing
from pbem.kernel.event import Told
from pbem.kernel.game import Given
from pbem.kernel.order import answer_from_data
from pbem.letters.calendar_entry import Entry
from pbem.letters.composing import Attachment, Outgoing, Picture, compose
from pbem.reports.catalogue import catalogue
from pbem.reports.map.paint.renderer import Renderer
from pbem.reports.report import Line, Report, Section, html, text
from pbem.store.engine import StoreError
from pbem.store.journal import Journal
from pbem.store.records import Sending
from pbem.store.store import Store
from pbem.store.tables import DispatchRow, SeatRow

logger = logging.getLogger(__name__)

CID = "map"
_MOST_DRAFTS = 100
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


class Secretary:
    """Writes the letters of a campaign."""

    def __init__(
        self,
        campaign: Campaign,
        renderer: Renderer | None,
        width: int = 1200,
        sign: Callable[[bytes], bytes] | None = None,
    ) -> None:
        self.settings = campaign.settings
        self.store: Store = campaign.store
        self.tables: Tables = campaign.tables
        self.renderer = renderer
        self.width = width
        self.sign = sign
        self._drafts: OrderedDict[str, _Draft] = OrderedDict()
        """In words already, by Message-ID: what is not there any more is written from the journal."""
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
        if not isinstance(dispatch, Dispatch) or dispatch.kind == MUSTER or dispatch.log:
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
        thread = self._thread(slip)
        return self._draft(slip, self._standing(live, dispatch), live.people[slip.seat], told, proofs, thread)

    async def write(self, row: DispatchRow) -> bytes:
        """The letter that a dispatch asks for."""
        draft = self._drafts.pop(row.message_id, None) or self._written_late(row)
        letter = draft.letter
        if draft.drawing is not None and self.renderer is not None:
            png = await self.renderer.png(draft.drawing, self.width)
            picture = Picture(CID, f"{draft.picture_name}.png", png, attached=False)
            letter = msgspec.structs.replace(letter, pictures=(picture,))
            if draft.drawing.theatre:
                close = await self.renderer.crop(draft.drawing, draft.drawing.theatre, self.width)
                near = Attachment(f"{draft.picture_name}-close.png", close, "image/png")
                letter = msgspec.structs.replace(letter, attachments=(*letter.attachments, near))
        raw = compose(letter)
        return raw if self.sign is None else await asyncio.to_thread(self.sign, raw)

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
        if dispatch.kind in (STRANGER, MUSTER) or row.game_id is None or row.seat is None:
            return self._stranger_draft(slip)
        seat = self.store.seats(row.game_id)[row.seat]
        position = self._position(row.game_id, dispatch)
        decoder = tables.event_decoder(position.game.rules.name)
        told = self.store.told(row.game_id, dispatch.after, dispatch.upto, decoder)
        proofs = self.store.proof_lines(row.game_id, row.seat, dispatch.proofs) if dispatch.proofs else ()
        return self._draft(slip, position, seat, told, proofs, self._thread(slip))

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
        reader = wording.reader_of(seat)
        drawing = None
        if dispatch.picture and self.renderer is not None:
            shown = position if dispatch.picture_at < 0 else self._past(slip.game_id, dispatch.picture_at)
            drawing = rules.drawing(reader.view(shown.game), reader.viewer, reader.lang)
        report = wording.report(position, reader, dispatch, told, settled, CID if drawing is not None else "")
        token = make(self._root(slip.game_id), slip.game_id, seat.seat, person.generation)
        letter = Outgoing(
            sender=self.settings.address,
            sender_name=self.settings.name,
            recipient=slip.address,
            recipient_name=seat.name,
            subject=subject(catalogue(seat.lang, rules), position, reader, dispatch),
            message_id=slip.message_id,
            date=slip.created_at,
            text=text(report),
            html=html(report),
            attachments=(
                *self._attachments(slip.game_id, dispatch, proofs),
                *_calendar_entry(position, reader, dispatch, person, self.settings.host),
            ),
            in_reply_to=slip.in_reply_to,
            references=(thread,) if thread and thread != slip.message_id else (),
            replied=bool(slip.in_reply_to),
            token=token.text(),
            plus_address=self.settings.plus_address,
            list_id=f"{slip.game_id}.{self.settings.host}",
            list_name=slip.game_id,
        )
        return _Draft(letter, drawing, f"{slip.game_id}-{rules.moment(position.game.state)}")

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

    def _thread(self, slip: _Slip) -> str:
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
        words = catalogue(dispatch.lang)
        lines = tuple(Line(wording.note_text(words, note)) for note in dispatch.notes)
        report = Report(
            lang=words.lang,
            title=self.settings.name,
            sections=(Section(words.phrase("titles", "note"), lines),),
        )
        return _Draft(
            Outgoing(
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
        )


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
