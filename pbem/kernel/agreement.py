"""Agreements: what players bind themselves to in writing, and what of it the rules carry out.

A proposal has a number, parties and clauses. A clause is an order of a kind that the game declares
(`Rules.clauses`), which the rules can execute, or mere words. Whoever signs gives the whole text into the game as an
order, so that the journal holds the treaty and no reference to one. Signatures are sealed until the game says
`table.conclude(…)`; then whatever all its parties have signed is in force.

    made = table.conclude(state.agreements, patience=2)     # tells, too, what was made, lapsed, ended and broken
    for agreement in made:
        for clause in agreement.orders(RULES.clauses): ...

The position holds an `Agreements`; `Rules.agreements` says where, and the view keeps `seen_by(seat)` of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from pbem.kernel.event import Event
from pbem.kernel.order import Order, Seat, Vocabulary, from_data, of_the_kernel
from pbem.kernel.problem import Problem

DEPOSIT = "agreement/"
"""How the keys of answers begin that answer no question: signatures, which may be given at any time."""
MOST_CLAUSES = 20
MOST_OFFERS = 200


class Clause(msgspec.Struct, frozen=True, omit_defaults=True):
    """One clause: as it is written, and as an order in JSON where the rules can carry it out."""

    text: str
    order: str = ""

    def decoded(self, kinds: tuple[type[Order], ...]) -> Order | None:
        """The clause as an order; None where it is mere words."""
        return from_data(msgspec.json.decode(self.order), kinds) if self.order else None


class Agreement(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole text of an agreement."""

    n: int
    parties: tuple[Seat, ...]
    clauses: tuple[Clause, ...]
    term: int = 0
    """For how many of the game's rounds it binds; 0: until it is broken."""

    def orders(self, kinds: tuple[type[Order], ...]) -> list[Order]:
        """The clauses that the rules carry out."""
        return [order for clause in self.clauses if (order := clause.decoded(kinds)) is not None]

    def words(self) -> str:
        """The clauses as one line."""
        return "; ".join(clause.text for clause in self.clauses)


@of_the_kernel
class Sign(Order, frozen=True):
    """A signature, with everything that is signed."""

    agreement: Agreement

    def text(self, vocabulary: Vocabulary, lang: str = "en") -> str:
        """The canonical text."""
        names = ", ".join(vocabulary.say("seat", seat, lang) for seat in self.agreement.parties)
        verb = "signer" if lang == "fr" else "sign"
        return f"{verb} {self.agreement.n} ({names}): {self.agreement.words()}"


@of_the_kernel
class Withdraw(Order, frozen=True):
    """A signature is taken back, as long as not all have signed."""

    n: int

    def text(self, vocabulary: Vocabulary, lang: str = "en") -> str:
        """The canonical text."""
        return f"{'retirer' if lang == 'fr' else 'withdraw'} {self.n}"


@of_the_kernel
class Denounce(Order, frozen=True):
    """A party does not hold itself bound any more."""

    n: int

    def text(self, vocabulary: Vocabulary, lang: str = "en") -> str:
        """The canonical text."""
        return f"{'denoncer' if lang == 'fr' else 'denounce'} {self.n}"


class AgreementMade(Event, frozen=True):
    """All have signed."""

    n: int
    parties: tuple[Seat, ...]
    clauses: tuple[Clause, ...]
    term: int = 0


class AgreementLapsed(Event, frozen=True):
    """Not all have signed in time; told to whoever had."""

    n: int
    parties: tuple[Seat, ...]


class AgreementEnded(Event, frozen=True):
    """Its term is over."""

    n: int
    parties: tuple[Seat, ...]


class AgreementBroken(Event, frozen=True):
    """A party has broken it, by a deed or by saying so."""

    n: int
    seat: Seat
    parties: tuple[Seat, ...]
    denounced: bool = False


EVENTS: tuple[type[Event], ...] = (AgreementMade, AgreementLapsed, AgreementEnded, AgreementBroken)
"""What a game with agreements lists among its events."""


class Offer(msgspec.Struct, omit_defaults=True):
    """An agreement that some have signed, and since when."""

    agreement: Agreement
    signed: list[Seat]
    since: int


class Binding(msgspec.Struct, omit_defaults=True):
    """An agreement in force, and since when."""

    agreement: Agreement
    since: int
    denounced: list[Seat] = []
    """Who has denounced it since the game last concluded."""


class Concluded(msgspec.Struct, frozen=True):
    """What came of all signatures, withdrawals and denunciations."""

    made: list[Agreement]
    lapsed: list[Offer]
    ended: list[Agreement]
    broken: list[tuple[Agreement, Seat]]


class Agreements(msgspec.Struct, omit_defaults=True):
    """All agreements of a game: plain data that its position holds."""

    round: int = 0
    """How often the game has concluded."""
    offers: list[Offer] = []
    binding: list[Binding] = []
    last: int = 0
    """The highest number that was ever signed."""

    def problem(self, seat: Seat, order: Order) -> Problem | None:
        """Why a seat cannot sign, withdraw or denounce that; None where it can."""
        n = order.agreement.n if isinstance(order, Sign) else getattr(order, "n", 0)
        bound = next((one for one in self.binding if one.agreement.n == n), None)
        if isinstance(order, Denounce):
            party = bound is not None and seat in bound.agreement.parties
            return None if party else Problem("agreement_not_bound", params={"n": n})
        if bound is not None:
            return Problem("agreement_in_force", params={"n": n})
        offer = next((one for one in self.offers if one.agreement.n == n), None)
        if isinstance(order, Withdraw):
            signed = offer is not None and seat in offer.signed
            return None if signed else Problem("agreement_not_signed", params={"n": n})
        assert isinstance(order, Sign)
        if seat not in order.agreement.parties:
            return Problem("agreement_no_party", params={"n": n})
        if offer is not None and offer.agreement != order.agreement:
            return Problem("agreement_other_text", params={"n": n})
        if offer is None and len(self.offers) >= MOST_OFFERS:
            return Problem("agreement_too_many", params={"n": n})
        return None

    def deposit(self, seat: Seat, order: Order) -> None:
        """A signature, a withdrawal or a denunciation; what cannot be is nothing."""
        if self.problem(seat, order) is not None:
            return
        if isinstance(order, Denounce):
            bound = next(one for one in self.binding if one.agreement.n == order.n)
            bound.denounced = [*(one for one in bound.denounced if one != seat), seat]
            return
        n = order.agreement.n if isinstance(order, Sign) else getattr(order, "n", 0)
        offer = next((one for one in self.offers if one.agreement.n == n), None)
        if isinstance(order, Withdraw):
            assert offer is not None
            offer.signed.remove(seat)
            self.offers = [one for one in self.offers if one.signed]
        elif isinstance(order, Sign):
            self.last = max(self.last, n)
            if offer is None:
                self.offers.append(Offer(order.agreement, [seat], self.round))
            elif seat not in offer.signed:
                offer.signed.append(seat)

    def conclude(self, *, patience: int = 2, dead: Collection[Seat] = ()) -> Concluded:
        """A round is over: what all have signed is in force; what has waited `patience` rounds lapses."""
        self.round += 1
        ended = [one.agreement for one in self.binding if self._over(one, dead)]
        broken = [(one.agreement, seat) for one in self.binding for seat in one.denounced]
        gone = {one.n for one in ended} | {one.n for one, _ in broken}
        self.binding = [one for one in self.binding if one.agreement.n not in gone]
        made = [one for one in self.offers if set(one.signed) == set(one.agreement.parties)]
        late = [
            one
            for one in self.offers
            if one not in made
            and (self.round - one.since >= patience or any(seat in dead for seat in one.agreement.parties))
        ]
        self.offers = [one for one in self.offers if one not in made and one not in late]
        self.binding += [Binding(one.agreement, self.round) for one in made]
        ended = [one for one in ended if one.n not in {other.n for other, _ in broken}]
        return Concluded([one.agreement for one in made], late, ended, broken)

    def _over(self, one: Binding, dead: Collection[Seat]) -> bool:
        term = one.agreement.term
        alive = [seat for seat in one.agreement.parties if seat not in dead]
        return len(alive) < 2 or (term > 0 and self.round - one.since >= term)

    def cancel(self, n: int) -> Agreement | None:
        """An agreement binds nobody any more: a rule has seen it broken, or carried out; the agreement, if it did."""
        found = next((one.agreement for one in self.binding if one.agreement.n == n), None)
        self.binding = [one for one in self.binding if one.agreement.n != n]
        return found

    def between(self, *seats: Seat) -> list[Agreement]:
        """The agreements in force to which all these seats are parties."""
        return [one.agreement for one in self.binding if set(seats) <= set(one.agreement.parties)]

    def seen_by(self, seat: Seat | None, *, public: bool = True) -> Agreements:
        """What a seat may know: its own signatures, and what is in force: all of it, or only what binds the seat."""
        offers = [
            Offer(one.agreement, [seat], one.since)
            for one in self.offers
            if seat is not None and seat in one.signed
        ]
        binding = [
            Binding(one.agreement, one.since, [one for one in one.denounced if one == seat])
            for one in self.binding
            if public or seat in one.agreement.parties
        ]
        return Agreements(self.round, offers, binding, 0)


def deposit_key(n: int, seat: Seat) -> str:
    """The key under which a seat's signature, withdrawal or denunciation goes into the journal."""
    return f"{DEPOSIT}{n}/{seat}"


def news(concluded: Concluded, *, public: bool) -> Iterable[tuple[Event, tuple[Seat, ...] | None]]:
    """What is to be told of it, and to whom (None: everyone)."""
    for one in concluded.made:
        told = AgreementMade(n=one.n, parties=one.parties, clauses=one.clauses, term=one.term)
        yield told, None if public else one.parties
    for offer in concluded.lapsed:
        agreement = offer.agreement
        yield AgreementLapsed(n=agreement.n, parties=agreement.parties), tuple(offer.signed)
    for one in concluded.ended:
        yield AgreementEnded(n=one.n, parties=one.parties), None if public else one.parties
    for one, seat in concluded.broken:
        event = AgreementBroken(n=one.n, seat=seat, parties=one.parties, denounced=True)
        yield event, None if public else one.parties
