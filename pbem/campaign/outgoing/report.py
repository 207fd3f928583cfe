"""A dispatch becomes a report: events and notes as sentences, questions as forms, in the seat's language.

All of it is made from the seat's view and from the events that the seat may know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from pbem.campaign.house_rules import DRAWN
from pbem.campaign.outgoing.dice_lines import throws
from pbem.campaign.outgoing.dispatch import NOTICE, OVER, REPLY, REPORT, START, Dispatch, Note, Waits
from pbem.campaign.outgoing.unchanged import shortened
from pbem.campaign.table.tables import MASTER_ROLE, Person
from pbem.kernel.event import Event, Told
from pbem.kernel.game import DEFAULT, LETTER, MASTER, ONLY, STANDING, SUBSTITUTE, WITHDRAWN, Game, Given
from pbem.kernel.order import Order, from_data
from pbem.kernel.rules import Rules
from pbem.letters.forms import write_form
from pbem.orders.forms import form_lines
from pbem.reports import dates
from pbem.reports.catalogue import Catalogue, catalogue, enumeration, sentence
from pbem.reports.report import STRONG, Form, Line, Report, Section, Throw
from pbem.store.tables import SeatRow

_NOTES_TITLE = {START: "genesis", NOTICE: "note"}


LONG_REPORT = 40
"""From so many lines on a report is made short."""
MOST_LINES = 100
"""What a report tells of at most: with form, status and list a letter stays below 150 lines."""


class Reader(msgspec.Struct, frozen=True):
    """Whom a letter is for."""

    seat: str
    player: str
    lang: str
    role: str = ""
    """What somebody beside the table is: game master, observer."""
    sighted: bool = False
    """Whether a game master sees everything."""
    forum: bool = False
    """Whether it is read on a board."""

    @property
    def viewer(self) -> str | None:
        """Whose view it is."""
        return None if self.role else self.seat

    def view(self, game: Game[Any]) -> Any:
        """The position as this reader may know it."""
        return game.state if self.sighted else game.view(self.viewer)

    def name(self, words: Catalogue) -> str:
        """The seat's name, or what the reader is."""
        return words.phrase("roles", self.role) if self.role else words.seat(self.seat)


def reader_of(row: SeatRow, lang: str = "", *, forum: bool = False) -> Reader:
    """Whoever sits on a seat, or beside the table."""
    person = row.read(Person)
    sighted = person.role == MASTER_ROLE and not person.blind
    return Reader(row.seat, row.name, lang or row.lang, person.role, sighted, forum)


class Position(msgspec.Struct, frozen=True):
    """Where the game stood when a dispatch was written down."""

    name: str
    scenario: str
    game: Game[Any]
    saved: int = 0
    resigned: str = ""
    agreed: str = ""
    """How the players have agreed to end it."""


def note_text(words: Catalogue, note: Note) -> str:
    """A note as a sentence."""
    return sentence(words.phrase("notes", note.code, **note.params))


def event_lines(
    words: Catalogue, told: Iterable[Told], seat: str | None, dice: Collection[int] = ()
) -> tuple[Line, ...]:
    """The events that a seat may know, as numbered lines; `dice` are the numbers of those that dice decided.

    A line that only goes on with the one before is told with it, under the number of the first.
    """
    join = words.rules.join if words.rules is not None else None
    found: list[tuple[int, Event]] = []
    for item in told:
        if not item.known_to(seat):
            continue
        both = join(found[-1][1], item.event) if join is not None and found and item.n not in dice else None
        if both is not None:
            found[-1] = (found[-1][0], both)
        else:
            found.append((item.n, item.event))
    return tuple(
        Line.of(words.event(event, seat or ""), n, n in dice, words.table(event)) for n, event in found
    )


def status_section(
    words: Catalogue,
    rules: Rules[Any],
    game: Game[Any],
    seat: str | None,
    seen: Mapping[str, str] | None = None,
) -> Section:
    """How things stand, at a glance; of lines that the reader has `seen` in his last letter only how many they are."""
    lines = []
    for event, left_out, since in shortened(rules.status(game.view(seat), seat), seen or {}):
        if event is None:
            lines.append(Line(words.phrase("notes", "unchanged", n=left_out, since=since)))
            continue
        text = words.event(event, seat or "")
        lines.append(Line(text, STRONG) if event.heading else Line.of(text))
    return Section(words.phrase("titles", "status"), tuple(lines))


def status_sections(
    words: Catalogue,
    game: Game[Any],
    scenario: str,
    reader: Reader,
    seen: Mapping[str, str] | None = None,
) -> list[Section]:
    """How things stand for a reader: as he sees them; for a game master who sees everything, as each seat does."""
    if not reader.sighted:
        return [status_section(words, game.rules, game, reader.viewer, seen)]
    found = []
    for seat in game.rules.scenarios[scenario].seats:
        section = status_section(words, game.rules, game, seat)
        title = words.phrase("titles", "status_of", seat=words.seat(seat))
        found.append(msgspec.structs.replace(section, title=title))
    return found


def waiting_section(words: Catalogue, game: Game[Any], over: bool = False) -> Section:
    """Who is asked what; of sealed questions also whether the answer is in."""
    lines = []
    for question in () if over else game.questions.values():
        code = "waiting_sealed" if game.answered(question.key) else "waiting_for"
        name, seat = words.question_name(question), words.seat(question.seat)
        lines.append(Line(words.phrase("notes", code, seat=seat, question=name)))
    if not lines:
        lines.append(Line(words.phrase("notes", "waiting_none")))
    return Section(words.phrase("titles", "waiting"), tuple(lines))


def forms(
    words: Catalogue, position: Position, seat: str, drafts: Mapping[str, Sequence[str]]
) -> tuple[Form, ...]:
    """The order forms of the seat's open questions, filled with the player's drafts or with what silence means."""
    game = position.game
    written = []
    for question in game.open_to(seat):
        view = game.view(seat)
        filled, menu = form_lines(question, view, words.vocabulary, words.lang)
        lines = [line.replace("[[", "").replace("]]", "") for line in drafts.get(question.key, filled)]
        block = write_form(position.name, question.key, lines, words.lang)
        written.append(
            Form(words.question_name(question), words.question(question, view), tuple(block), tuple(menu))
        )
    return tuple(written)


def settled_line(words: Catalogue, rules: Rules[Any], given: Given, question: str) -> Line:
    """An answer that was given for the seat, and why."""
    answer = "; ".join(words.order(order) for order in given.answer)
    name = words.vocabulary.say("question", question, words.lang)
    code = USED.get(given.origin, "default_used")
    params = {"question": name, "answer": answer}
    if given.origin == STANDING:
        order = standing_order(given.by, rules)
        params["text"] = words.order(order)
        code = "usual_used" if order in rules.defaults else code
    return Line(words.phrase("notes", code, **params))


def standing_order(data: str, rules: Rules[Any]) -> Order:
    """The standing order that an answer names as its origin."""
    return from_data(msgspec.json.decode(data), rules.orders)


def report(
    position: Position,
    reader: Reader,
    dispatch: Dispatch,
    told: Sequence[Told],
    settled: Sequence[tuple[Given, str]],
    image: str,
) -> Report:
    """The letter that a dispatch asks for. `settled` are its answered-for-you answers with their question kinds."""
    game = position.game
    rules = game.rules
    words = catalogue(reader.lang, rules, reader.forum)
    view = reader.view(game)
    if reader.sighted:
        told = [msgspec.structs.replace(one, to=None) for one in told]
    sections: list[Section] = []
    if dispatch.replies or dispatch.notes:
        notes = tuple(Line(note_text(words, note)) for note in dispatch.notes)
        title = _NOTES_TITLE.get(dispatch.kind, "letter")
        sections.append(Section(words.phrase("titles", title), (*dispatch.replies, *notes)))
    sections.extend(dispatch.sections)
    told, all_told = told if dispatch.whole else digested(told, position, reader, view), told
    thrown = throws(words, game, told, reader.viewer, position.name)
    happened = event_lines(words, told, reader.viewer, {throw.n for throw in thrown})
    if told is not all_told or (len(happened) > MOST_LINES and not dispatch.whole):
        more = len(happened) - MOST_LINES
        hint = words.phrase("notes", "report_cut" if more > 0 else "report_short", n=max(0, more))
        happened = (*happened[:MOST_LINES], Line(hint))
    if happened:
        sections.append(Section(words.phrase("titles", "happened"), happened))
    if settled:
        counted = Counter(settled_line(words, rules, given, kind) for given, kind in settled)
        lines = tuple(Line(f"{n} × {line.text}") if n > 1 else line for line, n in counted.items())
        sections.append(Section(words.phrase("titles", "standing"), lines))
    if dispatch.kind == OVER:
        sections.append(outcome_section(words, position))
    if dispatch.kind in (START, OVER) or (happened and (dispatch.form or reader.role)):
        sections.extend(status_sections(words, game, position.scenario, reader, dispatch.unchanged))
    written = forms(words, position, reader.seat, dispatch.drafts) if dispatch.form else ()
    help = words.phrase("words", "reply_hint")
    if dispatch.due is not None:
        code = "form_late" if dispatch.late else "form_due"
        help = f"{words.phrase('words', code, at=due_text(words, dispatch))} {help}"
    return Report(
        lang=words.lang,
        title=f"{rules.titles[words.lang]} · {position.name}",
        subtitle=f"{reader.name(words)[:1].upper()}{reader.name(words)[1:]} · {rules.moment(view)}",
        lead=(*_due(words, dispatch), *_lead(words, position, reader, dispatch)),
        sections=tuple(sections),
        forms=written,
        forms_title=words.phrase("titles", "form"),
        forms_help=help,
        menu_title=words.phrase("titles", "menu"),
        image=image,
        image_title=words.phrase("titles", "map", game=position.name),
        footer=_footer(words, position, dispatch, thrown),
        throws=thrown,
        throws_title=words.phrase("titles", "throws"),
    )


def digested(told: Sequence[Told], position: Position, reader: Reader, view: Any) -> Sequence[Told]:
    """A long report of more than two seats made short, where the game can do that: others' affairs in a line each."""
    rules = position.game.rules
    if rules.digest is None or len(rules.scenarios[position.scenario].seats) < 3:
        return told
    known = [one for one in told if one.known_to(reader.viewer)]
    return told if len(known) <= LONG_REPORT else rules.digest(view, reader.viewer or "", known)


def outcome_section(words: Catalogue, position: Position) -> Section:
    """Who won."""
    rules, game = position.game.rules, position.game
    title = words.phrase("titles", "result")
    if position.resigned:
        seats = rules.scenarios[position.scenario].seats
        resigned = position.resigned.split()
        gone = {*resigned, *(rules.dead(game.state) if len(seats) > 2 else ())}
        left = [words.seat(seat) for seat in seats if seat not in gone]
        won = words.phrase("outcome", "won", seats=left)
        how = words.phrase("notes", "resigned", seat=enumeration(list(map(words.seat, resigned)), words.lang))
        return Section(title, (Line(won, STRONG), Line(how)))
    if position.agreed:
        drawn = position.agreed == DRAWN
        won = words.phrase("outcome", "nobody") if drawn else ""
        won = won or words.phrase("outcome", "won", seats=[words.seat(position.agreed)])
        return Section(title, (Line(won, STRONG), Line(words.phrase("outcome", "agreed"))))
    outcome = rules.outcome(game.state)
    if outcome is None:
        return Section(title, ())
    winners = [words.seat(seat) for seat in outcome.winners]
    first = words.phrase("outcome", "won", seats=winners) if winners else words.phrase("outcome", "nobody")
    points = [
        Line(words.phrase("outcome", "points", seat=words.seat(seat), points=value))
        for seat, value in outcome.points.items()
    ]
    return Section(title, (Line(first, STRONG), *points))


def due_text(words: Catalogue, dispatch: Dispatch) -> str:
    """The deadline of a letter in its reader's time."""
    assert dispatch.due is not None
    return dates.long(words, dispatch.due, dispatch.zone)


def _waits(words: Catalogue, one: Waits, dispatch: Dispatch) -> str:
    seat = words.seat(one.seat)
    if one.due is None:
        return words.phrase("lead", "waits", seat=seat, player=one.name)
    return words.phrase(
        "lead", "waits_until", seat=seat, player=one.name, at=dates.long(words, one.due, dispatch.zone)
    )


def _due(words: Catalogue, dispatch: Dispatch) -> tuple[str, ...]:
    """By when orders are due, at the top of every letter to whoever is asked for them; to others, who is."""
    if len(dispatch.waits) > 1 and dispatch.kind in (START, REPORT, REPLY):
        names = enumeration([words.seat(one.seat) for one in dispatch.waits], words.lang)
        first = min((one.due for one in dispatch.waits if one.due is not None), default=None)
        at = dates.long(words, first, dispatch.zone) if first is not None else ""
        return (words.phrase("lead", "waits_several", seats=names, at=at),)
    if dispatch.waits and dispatch.kind in (START, REPORT, REPLY):
        return tuple(_waits(words, one, dispatch) for one in dispatch.waits)
    if dispatch.due is None:
        return ()
    return (words.phrase("lead", "late" if dispatch.late else "due", at=due_text(words, dispatch)),)


def _lead(words: Catalogue, position: Position, reader: Reader, dispatch: Dispatch) -> tuple[str, ...]:
    rules = position.game.rules
    if dispatch.kind == OVER:
        return (words.phrase("lead", "over"),)
    if dispatch.kind != START:
        return ()
    scenario = rules.scenarios[position.scenario]
    names = dict(dispatch.players)
    others = [
        f"{words.seat(seat)} ({names[seat]})" if names.get(seat) else words.seat(seat)
        for seat in scenario.seats
        if seat != reader.seat
    ]
    name = scenario.fr if words.lang == "fr" else scenario.en
    title = rules.titles[words.lang]
    if reader.role:
        seats = [words.seat(seat) for seat in scenario.seats]
        role = reader.name(words)
        return (
            words.phrase(
                "lead", "beside", player=reader.player, role=role, title=title, scenario=name, seats=seats
            ),
        )
    seat = words.seat(reader.seat)
    return (
        words.phrase(
            "lead",
            "start",
            player=reader.player,
            seat=seat,
            title=title,
            scenario=name,
            others=others,
            asked=dispatch.asked,
        ),
    )


def _footer(
    words: Catalogue, position: Position, dispatch: Dispatch, thrown: Sequence[Throw]
) -> tuple[str, ...]:
    lines = []
    if thrown:
        lines.append(words.phrase("words", "dice_hint", n=thrown[0].n))
    if dispatch.receipt is not None:
        receipt = dispatch.receipt
        lines.append(words.phrase("words", "receipt", n=receipt.n, leaf=receipt.leaf[:16], salt=receipt.salt))
    if position.saved:
        lines.append(words.phrase("words", "saved", n=position.saved))
    if dispatch.step:
        lines.append(words.phrase("words", "dice_step", k=dispatch.step))
    lines.append(words.phrase("words", "log", head=dispatch.head))
    return tuple(lines)


USED = {
    STANDING: "standing_used",
    ONLY: "only_used",
    SUBSTITUTE: "caretaker_used",
    MASTER: "master_used",
}
ORIGINS = {
    SUBSTITUTE: "history_origin_substitute",
    WITHDRAWN: "history_origin_withdrawn",
    STANDING: "history_origin_standing",
    ONLY: "history_origin_only",
    DEFAULT: "history_origin_default",
    LETTER: "history_origin_letter",
    MASTER: "history_origin_master",
}
