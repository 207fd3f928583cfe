"""The secretary puts a dispatch into words and pictures, when the post takes it away.

Written from the journal alone, so that the same dispatch gives the same letter however late it is written.
"""

from __future__ import annotations

import io

import msgspec

from pbem.campaign import live as tables
from pbem.campaign import writing
from pbem.campaign.dispatch import MUSTER, STRANGER, Dispatch
from pbem.campaign.live import MASTER_ROLE, Person, Tables
from pbem.campaign.moderator import Moderator
from pbem.campaign.tokens import make
from pbem.dice import log as dicelog
from pbem.kernel.game import Given
from pbem.kernel.order import answer_from_data
from pbem.letters.composing import Attachment, Outgoing, Picture, compose
from pbem.reports.catalogue import catalogue
from pbem.reports.map.renderer import Renderer
from pbem.reports.report import Line, Report, Section, html, text
from pbem.store.store import Store
from pbem.store.tables import DispatchRow, SeatRow

CID = "map"


class Secretary:
    """Writes the letters of a moderator."""

    def __init__(self, moderator: Moderator, renderer: Renderer | None, width: int = 1200) -> None:
        self.settings = moderator.settings
        self.store: Store = moderator.store
        self.tables: Tables = moderator.tables
        self.renderer = renderer
        self.width = width

    async def write(self, row: DispatchRow) -> bytes:
        """The letter that a dispatch asks for."""
        dispatch = row.read(Dispatch)
        if dispatch.kind in (STRANGER, MUSTER) or row.game_id is None or row.seat is None:
            return self._to_stranger(row, dispatch)
        seat = self.store.seats(row.game_id)[row.seat]
        position = self._position(row.game_id, dispatch)
        rules = position.game.rules
        told = tables.told(self.store.events(row.game_id, dispatch.after, dispatch.upto), rules.name)
        settled = [
            (Given("", row.seat, answer_from_data(s.answer, rules.orders), s.origin, s.by), s.question)
            for s in dispatch.settled
        ]
        person = seat.read(Person)
        sighted = person.role == MASTER_ROLE and not person.blind
        reader = writing.Reader(row.seat, seat.name, seat.lang, person.role, sighted)
        shown = position
        if dispatch.picture_at >= 0:
            shown = self._past(row.game_id, dispatch.picture_at)
        picture = await self._picture(shown, reader) if dispatch.picture and self.renderer else b""
        report = writing.report(position, reader, dispatch, told, settled, CID if picture else "")
        words = catalogue(seat.lang, rules)
        token = make(self._root(row.game_id), row.game_id, row.seat, person.generation)
        name = f"{row.game_id}-{rules.moment(position.game.state)}"
        return compose(
            Outgoing(
                sender=self.settings.address,
                sender_name=self.settings.name,
                recipient=row.address,
                recipient_name=seat.name,
                subject=writing.subject(words, position, reader, dispatch),
                message_id=row.message_id,
                date=row.created_at,
                text=text(report),
                html=html(report),
                pictures=(Picture(CID, f"{name}.png", picture, attached=False),) if picture else (),
                attachments=self._attachments(row, seat, dispatch),
                in_reply_to=row.in_reply_to,
                references=self._references(row),
                replied=bool(row.in_reply_to),
                token=token.text(),
                plus_address=self.settings.plus_address,
                list_id=f"{row.game_id}.{self.settings.host}",
                list_name=row.game_id,
            )
        )

    def _root(self, game_id: str) -> bytes:
        live = self.tables.get(game_id)
        return live.roots.root if live is not None else self.store.secret(game_id).root

    def _position(self, game_id: str, dispatch: Dispatch) -> writing.Position:
        live = self.tables.at(game_id, dispatch.answers)
        if live is None:
            past = self._past(game_id, dispatch.answers)
            return msgspec.structs.replace(past, saved=dispatch.saved, resigned=dispatch.resigned)
        return writing.Position(game_id, live.scenario, live.game, dispatch.saved, dispatch.resigned)

    def _past(self, game_id: str, answers: int) -> writing.Position:
        """An earlier position. One that a rollback has undone is gone: the last one before it is shown."""
        row = self.store.game(game_id)
        loaded = self.store.load(game_id, at_answer=min(answers, row.answers))
        return writing.Position(game_id, row.scenario, tables.position(loaded))

    async def _picture(self, position: writing.Position, reader: writing.Reader) -> bytes:
        assert self.renderer is not None
        game = position.game
        drawing = game.rules.drawing(reader.view(game), reader.eye, reader.lang)
        return await self.renderer.png(drawing, self.width)

    def _references(self, row: DispatchRow) -> tuple[str, ...]:
        """The first letter to the seat holds the thread together."""
        assert row.game_id is not None
        first = self.store.first_message_id(row.game_id, row.seat or "")
        return (first,) if first and first != row.message_id else ()

    def _attachments(self, row: DispatchRow, seat: SeatRow, dispatch: Dispatch) -> tuple[Attachment, ...]:
        assert row.game_id is not None
        attached: list[Attachment] = []
        if dispatch.proofs:
            cards = set(dispatch.proofs)
            proofs = self.store.proofs(row.game_id, seat.seat)
            found = [proof.data for proof in proofs if (proof.label, proof.step, proof.position) in cards]
            lines = "\n".join(found) + "\n"
            attached.append(Attachment(f"{row.game_id}-proofs.jsonl", lines.encode(), "application/jsonl"))
        if dispatch.log:
            file = io.BytesIO()
            entries = (entry for entry in self.store.entries(row.game_id) if entry.n <= dispatch.log)
            dicelog.export(entries, file)
            attached.append(Attachment(f"{row.game_id}-log.jsonl", file.getvalue(), "application/jsonl"))
        return tuple(attached)

    def _muster_token(self, row: DispatchRow) -> str:
        """The token of a seat in a game that has not begun; whoever has no seat gets none."""
        if row.game_id is None or row.seat is None:
            return ""
        seat = self.store.seats(row.game_id)[row.seat]
        if seat.address != row.address:
            return ""
        return make(self._root(row.game_id), row.game_id, row.seat, seat.read(Person).generation).text()

    def _to_stranger(self, row: DispatchRow, dispatch: Dispatch) -> bytes:
        words = catalogue(dispatch.lang)
        lines = tuple(Line(writing.note_text(words, note)) for note in dispatch.notes)
        report = Report(
            lang=words.lang,
            title=self.settings.name,
            sections=(Section(words.phrase("titles", "note"), lines),),
        )
        return compose(
            Outgoing(
                sender=self.settings.address,
                sender_name=self.settings.name,
                recipient=row.address,
                subject=words.phrase("subjects", "muster" if row.seat else "unknown", game=row.game_id),
                message_id=row.message_id,
                date=row.created_at,
                text=text(report),
                html=html(report),
                in_reply_to=row.in_reply_to,
                replied=True,
                token=self._muster_token(row),
                plus_address=self.settings.plus_address,
            )
        )
