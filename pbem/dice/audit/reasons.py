"""Why each answer of a finished game was given: what the log has to show for it.

The `journal` at the end of a log says of every answer where it came from. That is a claim; the log bears it out,
or there is a fault. A letter has its receipt, and the orders opened at the end are these answers and no others. A
standing order came in a letter of the seat's, sealed before, and was in force. Silence was written down after a
deadline that had been written down itself, or after a game master had said to go on. A caretaker or a substitute
had taken over. A game master's act is an entry with its orders sealed. Whether a standing order, a default or the
only choice gives just *this* answer is for the rules to say: a replay asks them.

Only logs of the second edition (`pbem-dice/2`) hold all of that. Only the standard library is used.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from pbem.dice.beacon import rounds
from pbem.dice.draw import streams
from pbem.dice.log import fields
from pbem.dice.log.fields import Fault, Json

ANSWERS = 1_000_000
LONGEST = 16 << 20
SUBSTITUTE_ACTS, CARETAKER_ACTS = "substitute", "caretaker"

MISSING = object()
"""An answer that the journal does not say."""

_BY = re.compile(r"(receipt|silence|master):([1-9][0-9]{0,8})")
_ABOUT_A_SEAT = ("deadline", "silence", "act_for", SUBSTITUTE_ACTS, CARETAKER_ACTS, "back", "replace")
_LETTERS = ("letter", "withdrawn", "substitute")


@dataclass(frozen=True)
class Silence:
    """A seat was silent: when, and what it was asked."""

    seat: str
    at: int
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """An answer of the journal, with the entry that it names as its cause (0: none of its own).

    It was given after entry `since` and before entry `until`: those are the causes around it.
    """

    n: int
    key: str
    seat: str
    origin: str
    by: str
    said: object
    cause: int = 0
    since: int = 1
    until: int = 0

    def fault(self, why: str) -> Fault:
        """What is wrong with it."""
        detail = ascii(f"#{self.n} {self.seat} {self.key}: {why}")[1:-1]
        return Fault("answer", detail[:200], self.cause)


@dataclass
class Reasons:
    """What the entries of a log say about who played which seat, and why."""

    receipts: dict[int, tuple[str, str]] = field(default_factory=dict)
    """By entry: the player, and the leaf of his orders."""
    silences: dict[int, Silence] = field(default_factory=dict)
    deadlines: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """By seat: the entry, and from when on silence may speak."""
    gone_on: list[int] = field(default_factory=list)
    """The entries with which a game master did not wait any longer."""
    masters: dict[int, tuple[str, str]] = field(default_factory=dict)
    """By entry: the seat that a game master played for, and the leaf of what he ordered."""
    corrected: dict[int, tuple[int, str]] = field(default_factory=dict)
    """By entry: after how many answers a game master changed the position, and the leaf of what he changed."""
    acting: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By seat: from which entry on who plays in its place."""
    undone: set[int] = field(default_factory=set)
    opened: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By leaf: whose, and what it sealed."""
    before: list[object] = field(default_factory=list)
    """The answers of a long game that stand in entries before the journal."""
    defaults: list[object] = field(default_factory=list)
    """The standing orders that the game gives everybody."""
    _sets: dict[str, list[tuple[int, list[object]]]] | None = None
    _spans: dict[tuple[str, bytes], list[tuple[int, float]]] = field(default_factory=dict)

    def take(self, n: int, kind: str, at: str, body: Json) -> None:
        """One more entry. Raises Fault."""
        if kind == "genesis":
            setup = body.get("setup")
            defaults = setup.get("standing") if isinstance(setup, dict) else None
            self.defaults = defaults if isinstance(defaults, list) else []
        elif kind == "receipt":
            self.receipts[n] = fields.text(body, "player", 200), fields.text(body, "leaf", 64)
        elif kind == "rollback":
            target = fields.number(body, "target", 1, n)
            self.undone.update(entry for entry in self.receipts if entry > target)
            self.undone.update(entry for entry in self.masters if entry > target)
        elif kind == "opened" and "orders" in body:
            for shown in fields.many(body, "orders", ANSWERS):
                if not isinstance(shown, dict):
                    raise Fault("fields", "orders")
                player, salt, orders = (
                    fields.text(shown, name, LONGEST) for name in ("player", "salt", "orders")
                )
                leaf = streams.sha256(f"leaf|{player}|{salt}|{orders}".encode()).hex()
                self.opened[leaf] = player, orders
        elif kind == "act":
            self._act(n, at, body)

    def _act(self, n: int, at: str, body: Json) -> None:
        act = body.get("act")
        if act in _ABOUT_A_SEAT:
            seat = fields.text(body, "seat", 200)
        if act == "deadline":
            until = rounds.seconds(fields.text(body, "until", 40))
            grace = fields.number(body, "grace", 0, 100_000)
            self.deadlines.setdefault(seat, []).append((n, until + grace * 3600))
        elif act == "silence":
            keys = fields.texts(fields.many(body, "keys", ANSWERS))
            self.silences[n] = Silence(seat, rounds.seconds(at), keys)
        elif act == "answers":
            self.before += fields.many(body, "answers", ANSWERS)
        elif act == "process":
            self.gone_on.append(n)
        elif act == "act_for":
            self.masters[n] = seat, fields.text(body, "leaf", 64)
        elif act == "correct":
            self.corrected[n] = fields.number(body, "answers", 0, ANSWERS), fields.text(body, "leaf", 64)
        elif act in (SUBSTITUTE_ACTS, CARETAKER_ACTS, "back", "replace"):
            plays = str(act) if act in (SUBSTITUTE_ACTS, CARETAKER_ACTS) else ""
            self.acting.setdefault(seat, []).append((n, plays))

    def leaves(self, n: int) -> str:
        """The leaf that an entry of a game master's seals; empty where it seals nothing."""
        for sealed in (self.masters.get(n), self.corrected.get(n)):
            if sealed is not None:
                return str(sealed[-1])
        return ""

    def plays(self, seat: str, n: int) -> str:
        """Who played in a seat's place at an entry; nobody, if empty."""
        changes = self.acting.get(seat, [])
        at = bisect_right(changes, (n, "\uffff"))
        return changes[at - 1][1] if at else ""

    def due(self, seat: str, n: int) -> tuple[int, int] | None:
        """The last deadline that was written down for a seat before an entry: its entry, and when silence may speak."""
        deadlines = self.deadlines.get(seat, [])
        at = bisect_right(deadlines, (n, 0))
        return deadlines[at - 1] if at else None

    def overdue(self, n: int, since: int = 0) -> bool:
        """Whether the silence at an entry had its reason: a deadline that had passed, or a game master's word.

        Neither may be older than entry `since`, the one that led to the question.
        """
        silence = self.silences[n]
        if any(since < entry < n for entry in self.gone_on):
            return True
        due = self.due(silence.seat, n)
        return due is not None and due[0] > since and due[1] <= silence.at

    def standing(self, answer: Answer) -> list[list[object]]:
        """The standing orders of its seat that were in force when an answer was given: before and after each change."""
        sets = self._standing_sets().get(answer.seat, [])
        first = bisect_right(sets, answer.since, key=lambda change: change[0])
        end = bisect_right(sets, answer.until, key=lambda change: change[0])
        before = [sets[first - 1][1]] if first else [[]]
        return before + [orders for _, orders in sets[first:end]]

    def _standing_sets(self) -> dict[str, list[tuple[int, list[object]]]]:
        """By seat, the standing orders of each of its letters that set any; from when to when each order held."""
        if self._sets is None:
            self._sets = {}
            for n, (player, leaf) in self.receipts.items():
                orders = standing_in(self.opened[leaf][1]) if leaf in self.opened else None
                if orders is not None:
                    self._sets.setdefault(player, []).append((n, orders))
            for seat, sets in self._sets.items():
                ends = [float(n) for n, _ in sets[1:]] + [math.inf]
                for (n, orders), end in zip(sets, ends, strict=True):
                    for order in orders:
                        self._spans.setdefault((seat, fields.canonical(order)), []).append((n, end))
        return self._sets

    def _held(self, answer: Answer, order: object) -> bool:
        """Whether a standing order was in force when an answer was given."""
        self._standing_sets()
        spans = self._spans.get((answer.seat, fields.canonical(order)), [])
        at = bisect_left(spans, answer.until, key=lambda span: span[0])
        return at > 0 and spans[at - 1][1] > answer.since

    def answers(self, journal: Json, n: int) -> list[Answer]:
        """The answers of the journal, which is entry `n`, each with the causes around it. Raises Fault."""
        found: list[Answer] = []
        for number, turn in enumerate([*self.before, *fields.many(journal, "answers", ANSWERS)], 1):
            if not isinstance(turn, dict):
                raise Fault("fields", "answers")
            texts = [fields.text(turn, name, 100_000) for name in ("key", "seat", "origin", "by")]
            key, seat, origin, by = texts
            named = _BY.fullmatch(by)
            cause = int(named[2]) if named and int(named[2]) < n else 0
            since = max(cause, found[-1].since if found else 1)
            answer = Answer(number, key, seat, origin, by, turn.get("answer", MISSING), cause, since)
            if cause and cause < since:
                raise answer.fault("it comes after a later one")
            found.append(answer)
        until = n
        ordered: list[Answer] = []
        for answer in reversed(found):
            ordered.append(Answer(**(vars(answer) | {"until": until})))
            until = answer.cause or until
        return ordered[::-1]

    def check(self, journal: Json, n: int) -> list[Answer]:
        """The answers of the journal, if the log bears out where each came from. Raises Fault."""
        answers = self.answers(journal, n)
        together: dict[int, list[Answer]] = {}
        for answer in answers:
            self._origin(answer)
            if answer.cause and answer.cause not in self.silences:
                together.setdefault(answer.cause, []).append(answer)
        for same in together.values():
            self._as_sealed(same)
        self._nothing_lost(set(together))
        self._corrections(journal)
        return answers

    def _origin(self, answer: Answer) -> None:
        origin, named = answer.origin, answer.by.partition(":")[0] if answer.cause else ""
        if origin == "only" and not answer.by:
            return
        if origin == "standing":
            self._by_standing(answer)
        elif origin in _LETTERS and named == "receipt":
            if self.receipts.get(answer.cause, ("",))[0] != answer.seat:
                raise answer.fault("no receipt for a letter of that seat")
            if origin == "substitute" and self.plays(answer.seat, answer.cause) != SUBSTITUTE_ACTS:
                raise answer.fault("no substitute had taken over")
        elif origin in ("default", "substitute") and named == "silence":
            self._by_silence(answer)
        elif origin == "master" and named == "master":
            if self.masters.get(answer.cause, ("",))[0] != answer.seat:
                raise answer.fault("no game master acted for that seat")
        else:
            raise answer.fault(f"{origin[:20]} without a reason")

    def _by_standing(self, answer: Answer) -> None:
        order = fields.value_in(answer.by)
        if order is None or not (order in self.defaults or self._held(answer, order)):
            raise answer.fault("no such standing order of that seat was sealed before")

    def _by_silence(self, answer: Answer) -> None:
        silence = self.silences.get(answer.cause)
        if silence is None or silence.seat != answer.seat or answer.key not in silence.keys:
            raise answer.fault("no silence of that seat was written down")
        caretaker = self.plays(answer.seat, answer.cause) == CARETAKER_ACTS
        if caretaker != (answer.origin == "substitute"):
            raise answer.fault("not the answer of whoever played that seat")
        if not caretaker and not self.overdue(answer.cause):
            raise answer.fault("no deadline of that seat had passed")

    def _as_sealed(self, same: list[Answer]) -> None:
        """Whether the answers of one letter, or of one act, are what it sealed."""
        first = same[0]
        leaf = self.receipts.get(first.cause, ("", ""))[1] or self.leaves(first.cause)
        if leaf not in self.opened:
            raise Fault("unopened", f"log #{first.cause}", first.cause)
        if any(answer.said is MISSING for answer in same):
            raise Fault("fields", "answers")
        written = fields.canonical([[answer.key, answer.said] for answer in same]).decode()
        if self.opened[leaf][1] != written:
            raise first.fault("not the orders that were sealed")

    def _nothing_lost(self, played: set[int]) -> None:
        """Whether all that was sealed has been opened, and what was ordered has been played."""
        for n in sorted((self.receipts.keys() | self.masters.keys()) - self.undone):
            leaf = self.receipts[n][1] if n in self.receipts else self.leaves(n)
            if leaf not in self.opened:
                raise Fault("unopened", f"log #{n}", n)
            if n not in played and standing_in(self.opened[leaf][1]) is None:
                raise Fault("unplayed", f"log #{n}", n)

    def _corrections(self, journal: Json) -> None:
        made = {
            (answers, self.opened[leaf][1])
            for answers, leaf in self.corrected.values()
            if leaf in self.opened
        }
        for one in fields.many(journal, "corrections", ANSWERS) if "corrections" in journal else ():
            if not isinstance(one, dict) or "value" not in one:
                raise Fault("fields", "corrections")
            what = fields.canonical([fields.text(one, "path", 1_000), one["value"]]).decode()
            if (fields.number(one, "answers", 0, ANSWERS), what) not in made:
                raise Fault("correction", ascii(what)[:120])


def standing_text(orders: list[object]) -> str:
    """Standing orders as their leaf seals them."""
    return fields.canonical({"standing": orders}).decode()


def standing_in(text: str) -> list[object] | None:
    """The standing orders that a leaf sealed; None where it sealed answers."""
    if not text.startswith("{"):
        return None
    said = fields.value_in(text)
    orders = said.get("standing") if isinstance(said, dict) else None
    return orders if isinstance(orders, list) else None
