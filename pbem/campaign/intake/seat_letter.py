"""A seat's letter, read: commands carried out as far as they only ask, order lines read into answers.

Nothing here changes a game. The result says what is to be changed and what is to be answered; both are written down
together. A failed line stops nothing but itself, except that the orders for one question stand together or not at
all.
"""

from __future__ import annotations

from pbem.campaign.intake.doubts import Doubts
from pbem.campaign.intake.letter_result import LetterResult
from pbem.campaign.intake.order_lines import OrderLines
from pbem.campaign.intake.request import Request
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import MASTER_ROLE
from pbem.letters.letter import Letter
from pbem.orders.commands import MASTERS, PLAYERS, Command, OrderLine
from pbem.orders.words import clip
from pbem.reports.report import PLAIN, REFUSED, Line

MOST_COMMANDS = 50
UNSAFE = frozenset({"truncated", "several-senders"})
"""Troubles that leave some of the text readable, but not safe to act upon."""
ALSO_ORDERS = ("wait", "ready")
"""Commands that a game may have an order for as well."""


class SeatLetter:
    """A letter of one seat, read against the game as it stands."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._orders = OrderLines(request)

    def read(self, letter: Letter, vouched: bool = False) -> LetterResult:
        """Everything that the letter asks for.

        `vouched`: its player has confirmed what was held of it; that, and nothing else, is carried out.
        """
        request, outcome = self._request, self._request.result
        live, known = request.live, request.commands
        request.digest = letter.digest
        request.stands_in = letter.sender == live.person(request.seat).substitute
        for trouble in letter.troubles:
            if trouble.code == "no-text":
                continue
            mark = REFUSED if trouble.blocking or trouble.code in UNSAFE else PLAIN
            outcome.replies.append(Line(trouble.text(request.words.lang), mark))
        if letter.blocked or any(trouble.code in UNSAFE for trouble in letter.troubles):
            return outcome
        lines, place = list(letter.lines), letter.doubt
        topic = known.command(letter.topic)
        if (
            topic is not None
            and topic.problem is None
            and (topic.name == "check" or not any(map(str.strip, lines)))
        ):
            lines.insert(0, letter.topic)
            place = place + 1 if place is not None else None
        names = (letter.sender_name, *(row.name for row in live.people.values()))
        doubts = Doubts(request, lines, place, names)
        if vouched:
            for item in doubts.irrevocable:
                self._command(item)
            return outcome
        parts = doubts.parts
        commands = parts.commands
        outcome.trial = parts.trial
        outcome.held = doubts.held
        outcome.notes += doubts.notes
        for item in commands[:MOST_COMMANDS]:
            if not doubts.holds(item):
                self._command(item)
        if len(commands) > MOST_COMMANDS:
            outcome.notes.append(Note("too_many_lines", {"limit": MOST_COMMANDS}))
        if self._orders.chosen(parts.orders):
            return outcome
        orders = list(doubts.orders)
        orders = self._unequivocal(orders, letter)
        if self._orders.overtaken(orders, letter):
            outcome.notes.append(Note("stale_numbers"))
            orders = []
        self._orders.read([item for item in orders if item.trial], trial=True)
        self._orders.read(
            [item for item in orders if not item.trial], self._orders.forms(letter), trial=parts.trial
        )
        if outcome.empty and not outcome.confirmed and not outcome.held:
            outcome.notes.append(Note("empty_letter"))
        return outcome

    def _unequivocal(self, orders: list[OrderLine], letter: Letter) -> list[OrderLine]:
        """The order lines without those that mean a command: WAIT and READY, where a game has such an order too.

        As an order it counts only where it could stand; alone it could still mean both, and is asked about.
        """
        doubtful = [
            item for item in orders if item.also and item.also.name in ALSO_ORDERS and not item.also.argument
        ]
        if not doubtful or any(form.edited for form in letter.forms):
            return orders
        stands = self._orders.stands([item.text for item in orders], doubtful[0].text)
        if stands is None:
            for item in doubtful:
                assert item.also is not None
                self._command(item.also)
            return [item for item in orders if item not in doubtful]
        if len(orders) > 1:
            return orders
        text = doubtful[0].text
        name = self._request.words.order(stands)
        moment = self._request.rules.moment(self._request.live.game.view(self._request.seat))
        params: dict[str, str | int] = {"text": clip(text), "order": name, "moment": moment}
        self._request.result.notes.append(Note("two_meanings", params))
        return []

    def _may(self, name: str) -> bool:
        """Whether whoever writes may give a command: players play, masters moderate, anyone may look."""
        request = self._request
        role = request.live.person(request.seat).role
        found = request.commands.type(name)
        if request.stands_in and found.owner_only:
            request.note("not_substitute", command=name.upper())
        elif request.freed and found.never_freed:
            request.note("not_freed", command=name.upper())
        elif found.who == MASTERS and role != MASTER_ROLE:
            request.note("not_master", command=name.upper())
        elif role and found.who == PLAYERS:
            request.note("not_seated", command=name.upper())
        else:
            return True
        return False

    def _command(self, item: Command) -> None:
        request = self._request
        if item.problem is not None:
            request.result.replies.append(request.refused(item.text, [item.problem]))
        elif self._may(item.name):
            found = request.commands.type(item.name)
            found.handler(request, item)
            name = request.words.command(item.name)
            if name not in request.result.commands:
                request.result.commands.append(name)

    def follow_up(self) -> bool:
        """Answer what the letter's own orders have raised with its later lines; whether anything was."""
        return self._orders.follow_up()
