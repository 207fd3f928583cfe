"""Agreements by letter: PROPOSE and SIGN, WITHDRAW and DENOUNCE, and what LIST says of them.

A proposal has a number and goes the way of press: at once, with the results, or by courier, who may be taken. SIGN
with a number puts the whole text into the game as an order, sealed; SIGN with other words, or with an addressee, is a
proposal that its writer has signed already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from pbem.campaign.commands import press
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.house_rules import ANONYMOUS, NO_PRESS, WITH_RESULTS
from pbem.campaign.intake import tokens
from pbem.campaign.intake.request import Declaration, Request
from pbem.campaign.outgoing import couriers
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import Live, Proposed
from pbem.campaign.table.transaction import Turn
from pbem.kernel.agreement import (
    MOST_CLAUSES,
    Agreement,
    Agreements,
    Clause,
    Denounce,
    Sign,
    Withdraw,
    deposit_key,
)
from pbem.kernel.game import LETTER, Given
from pbem.kernel.order import Order, to_data
from pbem.kernel.problem import Problem
from pbem.orders.commands import ANYTHING, CLAUSES, NUMBER, PLAYERS, SOMETHING, Command
from pbem.orders.parser import parse_orders
from pbem.orders.words import clip
from pbem.reports.catalogue import Catalogue, catalogue
from pbem.reports.report import Line, Section

MOST_OPEN = 12
OPEN_FOR = 3
"""For how many of the game's rounds a proposal can be signed."""
_LONGEST = 300
_TERM = re.compile(
    r"\s?\b(?:for|pour|pendant)\s+(\d{1,3})\s+(?:turns?|months?|rounds?|years?|tours?|mois|ans?)\b",
    re.IGNORECASE,
)
_TO = re.compile(r"\A\s*+(?:to|with|à|a|au|aux|avec)\s++", re.IGNORECASE)
_NUMBERS = re.compile(r"\s*+[\[#]?\d{1,6}\]?(?:\s*+(?:,|;|and|et|\s)\s*+[\[#]?\d{1,6}\]?){0,20}\s*+\Z")


def book_of(live: Live) -> Agreements | None:
    """The game's agreements as its rules keep them; None where it has none."""
    return live.rules.agreements(live.game.state) if live.rules.agreements is not None else None


def _try(request: Request, item: Command, deed: Callable[[Request, Command, Agreements], None]) -> None:
    book = book_of(request.live)
    request.trying = item.trial or request.result.trial
    try:
        if book is None:
            raise Refused("agreements_none")
        if request.live.over:
            raise Refused("game_over")
        if request.live.affairs.paused:
            raise Refused("paused_no_orders")
        deed(request, item, book)
    except Refused as refused:
        request.refuse(item.text, Note(refused.code, refused.params))


def propose(request: Request, item: Command) -> None:
    """PROPOSE TO … : clauses."""
    _try(request, item, lambda request, item, book: _new(request, item, signed=False))


def sign(request: Request, item: Command) -> None:
    """SIGN n; SIGN n: other clauses; SIGN TO … : clauses."""
    _try(request, item, _sign)


def _sign(request: Request, item: Command, book: Agreements) -> None:
    if not _NUMBERS.fullmatch(item.argument):
        _new(request, item, signed=True)
        return
    numbers = [int(n) for n in re.findall(r"\d+", item.argument)]
    for n in numbers:
        found = open_to(request.live, request.seat).get(n)
        if found is None:
            raise Refused("sign_what", n=n)
        if any(line.strip() for line in item.lines):
            _counter(request, item, found)
        else:
            _deposit(request, book, Sign(found.agreement))
            params: dict[str, str | int] = {"n": n, "text": text_of(request.words, found.agreement)}
            parties = _names(request.words, found.agreement.parties)
            request.result.notes.append(Note("agreement_signed", {**params, "parties": parties}))


def unsign(request: Request, item: Command) -> None:
    """WITHDRAW n."""

    def deed(request: Request, item: Command, book: Agreements) -> None:
        n = int(re.sub(r"\D", "", item.argument))
        _deposit(request, book, Withdraw(n))
        request.result.notes.append(Note("agreement_withdrawn", {"n": n}))

    _try(request, item, deed)


def denounce(request: Request, item: Command) -> None:
    """DENOUNCE n."""

    def deed(request: Request, item: Command, book: Agreements) -> None:
        n = int(re.sub(r"\D", "", item.argument))
        _deposit(request, book, Denounce(n))
        request.result.notes.append(Note("agreement_denounced", {"n": n}))

    _try(request, item, deed)


def _deposit(request: Request, book: Agreements, order: Sign | Withdraw | Denounce) -> None:
    """A signature and the like as an answer of its own. Raises Refused where it cannot be given."""
    live, seat = request.live, request.seat
    if live.affairs.awaited is not None:
        raise Refused("awaiting_busy")
    problem = book.problem(seat, order)
    if problem is not None:
        params = {name: value for name, value in problem.params.items() if isinstance(value, (str, int))}
        raise Refused(problem.code, **params)
    n = order.agreement.n if isinstance(order, Sign) else order.n
    if not request.trying:
        request.result.deposits.append(Given(deposit_key(n, seat), seat, (order,), LETTER))


def _new(request: Request, item: Command, *, signed: bool) -> None:
    """A proposal to others, by its own words."""
    live, seat, customs = request.live, request.seat, request.live.affairs.customs
    to, term = item.argument, 0
    match = _TERM.search(to)
    if match is not None:
        to, term = to[: match.start()] + to[match.end() :], int(match[1])
    to, unsigned = press.UNSIGNED.subn(" ", to)
    if unsigned and customs.press != ANONYMOUS:
        raise Refused("press_signed")
    lines = [line for line in item.lines if line.strip()]
    if not lines:
        raise Refused("propose_what")
    others = press.recipients(live, seat, _TO.sub("", to, count=1)) if to.strip(" :") else []
    others = [one for one in others if one in live.seats]
    dead = live.rules.dead(live.game.state)
    if not others or any(one in dead for one in (*others, seat)):
        left = [one for one in live.seats if one not in dead and one != seat]
        raise Refused("propose_nobody", seats=_names(request.words, left))
    _made(request, (seat, *others), lines, term, signed=signed, unsigned=bool(unsigned))


def _counter(request: Request, item: Command, found: Proposed) -> None:
    """Other words under an old number: a proposal of one's own to the same parties, signed."""
    parties = found.agreement.parties
    lines = [line for line in item.lines if line.strip()]
    unsigned = found.anonymous and request.live.affairs.customs.press == ANONYMOUS
    order = (request.seat, *(one for one in parties if one != request.seat))
    _made(request, order, lines, found.agreement.term, signed=True, unsigned=unsigned)


def _made(
    request: Request,
    parties: tuple[str, ...],
    lines: Iterable[str],
    term: int,
    *,
    signed: bool,
    unsigned: bool,
) -> None:
    live, seat, words = request.live, request.seat, request.words
    customs = live.affairs.customs
    if customs.press == NO_PRESS:
        raise Refused("propose_forbidden")
    press.within_limit(request)
    written = [part.strip() for line in lines for part in line.split(";") if part.strip()]
    if len(written) > MOST_CLAUSES or any(len(one) > _LONGEST for one in written):
        raise Refused("propose_long", limit=MOST_CLAUSES, length=_LONGEST)
    mine = sum(one.by == seat for one in live.affairs.proposed_agreements if is_open(live, one))
    here = sum(
        note.code in ("agreement_proposed", "agreement_proposed_signed") for note in request.result.notes
    )
    if mine + here >= MOST_OPEN:
        raise Refused("propose_limit", limit=MOST_OPEN)
    if customs.couriers is not None:
        most = len(live.affairs.rides) + len(live.seats) * (len(request.result.changes) + 1)
        if couriers.die(live.croupier, most) is None:
            raise Refused("press_no_courier")
    clauses = tuple(_clause(request, parties, tokens.hidden(one)) for one in written)
    # All letters name the parties in the order of the table, so that nothing says who proposed.
    in_order = tuple(one for one in live.seats if one in parties)
    n = live.affairs.agreements_numbered + here + 1
    agreement = Agreement(n, in_order, clauses, term)
    told = " ".join(
        words.phrase("notes", f"clause_{'rules' if one.order else 'words'}", n=at, text=words.clause(one))
        for at, one in enumerate(clauses, 1)
    )
    to = _names(words, [one for one in parties if one != seat])
    request.result.notes.append(
        Note(
            "agreement_proposed_signed" if signed else "agreement_proposed",
            {"n": n, "to": to, "clauses": told},
        )
    )
    if request.trying:
        return
    request.result.changes.append(lambda turn: _sent(turn, seat, agreement, unsigned))
    if signed:
        book = book_of(live)
        assert book is not None
        _deposit(request, book, Sign(agreement))


def _clause(request: Request, parties: tuple[str, ...], text: str) -> Clause:
    """One clause as an order that the rules carry out, or as mere words. Raises Refused where rules forbid it."""
    rules = request.rules
    parsed = parse_orders(text, rules.clauses, rules.vocabulary, lang=request.words.lang)
    if parsed.problems or len(parsed.orders) != 1:
        return Clause(text)
    order = parsed.orders[0]
    view = request.live.game.view(request.seat)
    problems = rules.check_clause(view, parties, order) if rules.check_clause is not None else ()
    for problem in problems:
        raise Refused("clause_refused", text=clip(text), problem=_said(request.words, problem))
    return Clause(_canonical(request, order), msgspec.json.encode(to_data(order)).decode())


def _canonical(request: Request, order: Order) -> str:
    return order.text(request.rules.vocabulary, request.words.lang)


def _said(words: Catalogue, problem: Problem) -> str:
    return words.problem(problem)


def _sent(turn: Turn, seat: str, agreement: Agreement, unsigned: bool) -> None:
    """The proposal is numbered, and goes to the others."""
    affairs = turn.live.affairs
    book = book_of(turn.live)
    assert book is not None
    affairs.agreements_numbered = max(affairs.agreements_numbered, agreement.n)
    kept = [one for one in affairs.proposed_agreements if is_open(turn.live, one)]
    affairs.proposed_agreements = [*kept, Proposed(agreement, seat, book.round, [seat], unsigned)]
    later = affairs.customs.release == WITH_RESULTS and affairs.customs.couriers is None
    to = [one for one in agreement.parties if one != seat]
    press.written(turn, "press", seat, to, agreement.words(), unsigned, later=later, proposal=agreement.n)


def is_open(live: Live, one: Proposed) -> bool:
    """Whether a proposal can still be signed."""
    book = book_of(live)
    bound = book is not None and any(other.agreement.n == one.agreement.n for other in book.binding)
    return book is not None and not bound and book.round - one.round < OPEN_FOR


def open_to(live: Live, seat: str) -> dict[int, Proposed]:
    """The proposals that a seat knows and can sign, by number."""
    return {
        one.agreement.n: one
        for one in live.affairs.proposed_agreements
        if seat in one.known and is_open(live, one)
    }


def text_of(words: Catalogue, agreement: Agreement) -> str:
    """The clauses, in the reader's language where the rules know them."""
    return "; ".join(words.clause(one) for one in agreement.clauses)


def _names(words: Catalogue, seats: Iterable[str]) -> str:
    return ", ".join(words.seat(one) for one in seats)


def section(live: Live, seat: str, lang: str) -> Section | None:
    """What binds a seat, and what it can sign; None where the game knows no agreements."""
    book = book_of(live)
    if book is None:
        return None
    words = catalogue(lang, live.rules)
    mine = book.seen_by(seat)
    lines = []
    for bound in mine.binding:
        agreement = bound.agreement
        if seat in agreement.parties:
            others = _names(words, [one for one in agreement.parties if one != seat])
            until = bound.since + agreement.term if agreement.term else 0
            text = text_of(words, agreement)
            lines.append(
                words.phrase("notes", "agreement_binds", n=agreement.n, others=others, until=until, text=text)
            )
    signed = {offer.agreement.n for offer in mine.offers}
    for n, one in open_to(live, seat).items():
        others = _names(words, [other for other in one.agreement.parties if other != seat])
        left = OPEN_FOR - (book.round - one.round)
        text = text_of(words, one.agreement)
        context = {"n": n, "others": others, "signed": n in signed, "left": left, "text": text}
        lines.append(words.phrase("notes", "agreement_open", **context))
    lines = lines or [words.phrase("notes", "agreements_nothing")]
    return Section(words.phrase("titles", "agreements"), tuple(Line(line) for line in lines))


PROPOSE = Declaration(
    "propose",
    propose,
    ("propose",),
    ("proposer",),
    ANYTHING,
    body=CLAUSES,
    who=PLAYERS,
    needs="agreements",
    irrevocable=True,
)
SIGN = Declaration(
    "sign",
    sign,
    ("sign",),
    ("signer",),
    SOMETHING,
    body=CLAUSES,
    who=PLAYERS,
    needs="agreements",
    irrevocable=True,
)
UNSIGN = Declaration("unsign", unsign, ("unsign",), ("designer",), NUMBER, who=PLAYERS, needs="agreements")
DENOUNCE = Declaration(
    "denounce",
    denounce,
    ("denounce",),
    ("denoncer",),
    NUMBER,
    who=PLAYERS,
    needs="agreements",
    irrevocable=True,
)
