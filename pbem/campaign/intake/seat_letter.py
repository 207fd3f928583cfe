"""What a seat's letter asks for: commands carried out, order lines read into answers.

Nothing here changes a game. The outcome says what is to be changed and what is to be answered; the moderator
writes both down together. A failed line stops nothing but itself, except that the orders for one question stand
together or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from pbem.campaign.commands import help
from pbem.campaign.intake import confirming
from pbem.campaign.intake.doubts import Doubts
from pbem.campaign.intake.letter_result import Outcome
from pbem.campaign.intake.order_lines import Answering
from pbem.campaign.outgoing import arrangements, report
from pbem.campaign.outgoing.dispatch import Note
from pbem.campaign.table.tables import MASTER_ROLE, Live
from pbem.kernel.game import WITHDRAWN, Given
from pbem.letters.letter import Letter
from pbem.orders.commands import Command, OrderLine, command, spec
from pbem.orders.words import clip, fold
from pbem.reports.report import PLAIN, REFUSED, Line
from pbem.store.store import Store

MOST_COMMANDS = 50
UNSAFE = frozenset({"truncated", "several-senders"})
"""Troubles that leave some of the text readable, but not safe to act upon."""
ALSO_ORDERS = ("wait", "ready")
"""Commands that a game may have an order for as well."""
OWNERS_ONLY = {"vote", "object", "resign", "newtoken", "address", "substitute", "confirm"}

PLAYERS_ONLY = {
    *("check", "orders", "standing", "ready", "wait", "clear", "absent", "salt", "resign", "substitute"),
    *("resend", "vote", "object", "reading"),
}

_SALT = re.compile(r"\S[^\x00-\x1f]{0,79}")


class Errands(Answering):
    """A letter of one seat, read against the game as it stands."""

    def __init__(
        self,
        store: Store,
        live: Live,
        seat: str,
        now: datetime,
        requests: Mapping[str, Callable[[Errands, Command], None]] | None = None,
    ) -> None:
        super().__init__(store, live, seat, now)
        self.requests = requests or {}
        """What can be asked for besides the play itself."""
        self.digest = ""
        """Of the letter that is read."""
        self.stands_in = False
        """Whether the letter is the substitute's, who plays but does not own the seat."""
        self.freed = False
        """Whether the letter was held for its origin, and its player has said that it is his."""

    def run(self, letter: Letter, vouched: bool = False) -> Outcome:
        """Everything that the letter asks for.

        `vouched`: its player has confirmed what was held of it; that, and nothing else, is carried out.
        """
        outcome = self.outcome
        self.digest = letter.digest
        self.stands_in = letter.sender == self.live.person(self.seat).substitute
        for trouble in letter.troubles:
            if trouble.code == "no-text":
                continue
            mark = REFUSED if trouble.blocking or trouble.code in UNSAFE else PLAIN
            outcome.replies.append(Line(trouble.text(self.words.lang), mark))
        if letter.blocked or any(trouble.code in UNSAFE for trouble in letter.troubles):
            return outcome
        lines, place = list(letter.lines), letter.doubt
        topic = command(letter.topic)
        if (
            topic is not None
            and topic.problem is None
            and (topic.name == "check" or not any(map(str.strip, lines)))
        ):
            lines.insert(0, letter.topic)
            place = place + 1 if place is not None else None
        names = (letter.sender_name, *(row.name for row in self.live.people.values()))
        doubts = Doubts(self, lines, place, names)
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
        if self.chosen(parts.orders):
            return outcome
        orders = list(doubts.orders)
        orders = self._unequivocal(orders, letter)
        if self.overtaken(orders, letter):
            outcome.notes.append(Note("stale_numbers"))
            orders = []
        self._orders([item for item in orders if item.trial], [], trial=True)
        self._orders([item for item in orders if not item.trial], self._forms(letter), trial=parts.trial)
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
        stands = self._stands([item.text for item in orders], doubtful[0].text)
        if stands is None:
            for item in doubtful:
                assert item.also is not None
                self._command(item.also)
            return [item for item in orders if item not in doubtful]
        if len(orders) > 1:
            return orders
        text = doubtful[0].text
        name = self.words.order(stands)
        moment = self.rules.moment(self.live.game.view(self.seat))
        params: dict[str, str | int] = {"text": clip(text), "order": name, "moment": moment}
        self.outcome.notes.append(Note("two_meanings", params))
        return []

    def _may(self, name: str) -> bool:
        """Whether whoever writes may give a command: players play, masters moderate, anyone may look."""
        role = self.live.person(self.seat).role
        if self.stands_in and name in OWNERS_ONLY:
            self.outcome.notes.append(Note("not_substitute", {"command": name.upper()}))
        elif self.freed and confirming.never_freed(name):
            self.outcome.notes.append(Note("not_freed", {"command": name.upper()}))
        elif spec(name).master and role != MASTER_ROLE:
            self.outcome.notes.append(Note("not_master", {"command": name.upper()}))
        elif role and name in PLAYERS_ONLY:
            self.outcome.notes.append(Note("not_seated", {"command": name.upper()}))
        else:
            return True
        return False

    def _command(self, item: Command) -> None:
        if item.problem is not None:
            self.outcome.replies.append(self.refused(item.text, [item.problem]))
            return
        if not self._may(item.name):
            return
        carry_out: Callable[[Command], None] | None = getattr(self, f"_do_{item.name}", None)
        request = self.requests.get(item.name)
        if request is not None:
            request(self, item)
            return
        if carry_out is None:
            self.outcome.notes.append(Note("unknown_command", {"command": item.name.upper()}))
            return
        carry_out(item)

    def _do_check(self, item: Command) -> None:
        if not item.argument:
            return
        self._orders([OrderLine(item.argument, trial=True)], [], trial=True)

    def _do_orders(self, item: Command) -> None:
        """ORDERS only announces what follows."""

    def _do_status(self, item: Command) -> None:
        live = self.live
        if live.over:
            ended = report.Position(
                live.id, live.scenario, live.game, resigned=live.affairs.resigned, agreed=live.affairs.agreed
            )
            self.outcome.sections.append(report.outcome_section(self.words, ended))
        self.outcome.sections += [
            report.status_section(self.words, self.rules, self.live.game, self.eye),
            report.waiting_section(self.words, self.live.game, self.live.over),
            *arrangements.status_sections(self.words, self.live),
        ]

    def _do_resend(self, item: Command) -> None:
        self.outcome.resend = self.outcome.picture = True
        self.outcome.notes.append(Note("resent"))

    def _do_clear(self, item: Command) -> None:
        game = self.live.game
        waiting = [q for q in self._open() if game.answered(q.key)]
        for question in waiting:
            self.outcome.givens.append(Given(question.key, self.seat, (), WITHDRAWN))
            self.outcome.notes.append(Note("withdrawn", {"question": self.words.question_name(question)}))
        kept = self.live.affairs.drafts.get(self.seat)
        if kept:
            self.outcome.notes.append(Note("draft_cleared"))
            self.outcome.deeds.append(lambda turn: turn.live.affairs.drafts.__setitem__(self.seat, []))
        elif not waiting:
            self.outcome.notes.append(Note("nothing_to_clear"))

    def _do_salt(self, item: Command) -> None:
        match = _SALT.fullmatch(item.argument.strip())
        if match is None:
            self.outcome.notes.append(Note("salt_what"))
            return
        self.outcome.salt = match[0]
        self.outcome.notes.append(Note("salt_set"))

    def _do_reading(self, item: Command) -> None:
        """READING strict: whatever is not in the words of the form is asked about; READING free: it is read."""
        strict = fold(item.argument.strip()).startswith("strict")
        if item.argument.strip():
            self.outcome.deeds.append(lambda turn: turn.read_strictly(self.seat, strict))
        else:
            strict = self.live.person(self.seat).strict
        self.outcome.notes.append(Note("reading_strict" if strict else "reading_free"))

    def _do_newtoken(self, item: Command) -> None:
        self.outcome.new_token = True
        self.outcome.notes.append(Note("new_token"))

    def _do_confirm(self, item: Command) -> None:
        self.outcome.confirmed = int(re.sub(r"\D", "", item.argument))

    def _do_resign(self, item: Command) -> None:
        if self.live.over:
            self.outcome.notes.append(Note("game_over"))
        elif item.argument.strip().lower() != self.live.id:
            self.outcome.notes.append(Note("resign_confirm", {"game": self.live.id}))
        else:
            self.outcome.resigned = True
            self.outcome.notes.append(Note("resigned", {"seat": self.words.seat(self.seat)}))

    def _do_help(self, item: Command) -> None:
        asked = tuple(dict.fromkeys(type(question) for question in self._open()))
        self.outcome.sections.append(help.page(self.words, self.rules, item.argument, asked))
