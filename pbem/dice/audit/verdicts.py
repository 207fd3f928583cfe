"""What an audit has to say: a verdict with the first offending entry, and the statistics of the dice.

Only the standard library is used, here as in all that the verifier in a single file is made of (see
`verifier`). The chi-square compares how often each face came with how often it
should have; `p` is the chance that fair dice stray at least so far (after Wilson and Hilferty), given once
each face could have come five times.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbem.dice.audit.sentences import REASONS, WORDS

FACES = 1_000
"""The largest die that is counted face by face."""

GROUPS = 1_000
"""How many different dice and seats are counted: a forged log shall not fill the memory."""


@dataclass(frozen=True)
class Spread:
    """How the dice of one size fell, for one seat or (empty) for all."""

    seat: str
    sides: int
    counts: tuple[int, ...]
    high: int = 0
    """How many were above the middle, and `low`, how many below it; one just in the middle is neither."""
    low: int = 0
    runs: int = 0
    """How often, in the order of the draws, high and low came in unbroken rows."""

    @property
    def count(self) -> int:
        """How many dice there were."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Their mean; a fair one is (sides + 1) / 2."""
        return sum(face * count for face, count in enumerate(self.counts, 1)) / self.count

    @property
    def chi_square(self) -> float:
        """How far the counts stray from equal ones."""
        fair = self.count / self.sides
        return sum((count - fair) ** 2 for count in self.counts) / fair

    @property
    def p(self) -> float | None:
        """The chance that fair dice stray at least so far; None while there are too few to say."""
        freedom = self.sides - 1
        if freedom == 0 or self.count < 5 * self.sides:
            return None
        spread = 2 / (9 * freedom)
        away = ((self.chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
        return math.erfc(away / math.sqrt(2)) / 2

    @property
    def fair_runs(self) -> float:
        """How many runs so many high and low dice have on average."""
        total = self.high + self.low
        return 1 + 2 * self.high * self.low / total if total else 0.0

    @property
    def runs_z(self) -> float | None:
        """How many standard deviations the runs stray (Wald and Wolfowitz); below -3, streaks are long."""
        total, product = self.high + self.low, 2 * self.high * self.low
        if min(self.high, self.low) < 10:
            return None
        variance = product * (product - total) / (total * total * (total - 1))
        return (self.runs - self.fair_runs) / math.sqrt(variance)


class _Count:
    """The faces of one kind of die for one seat, as they come."""

    def __init__(self, sides: int) -> None:
        self.faces = [0] * sides
        self.high = self.low = self.runs = self.last = 0

    def add(self, values: Sequence[int]) -> None:
        middle = len(self.faces) + 1
        for value in values:
            self.faces[value - 1] += 1
            side = 2 * value - middle
            if side > 0:
                self.high += 1
                self.runs += self.last <= 0
                self.last = 1
            elif side < 0:
                self.low += 1
                self.runs += self.last >= 0
                self.last = -1


class Tally:
    """Counts dice by size and seat."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int], _Count] = {}

    def add(self, seat: str, sides: int, values: Sequence[int]) -> None:
        """Count some dice, for everyone and for their seat."""
        if sides > FACES:
            return
        for who in {"", seat}:
            count = self._counts.get((who, sides))
            if count is None:
                if len(self._counts) >= GROUPS:
                    continue
                count = self._counts[who, sides] = _Count(sides)
            count.add(values)

    def spreads(self) -> tuple[Spread, ...]:
        """What was counted, by size and seat."""
        ordered = sorted(self._counts.items(), key=lambda item: (item[0][1], item[0][0]))
        return tuple(
            Spread(seat, sides, tuple(count.faces), count.high, count.low, count.runs)
            for (seat, sides), count in ordered
            if any(count.faces)
        )


@dataclass
class AuditedDraw:
    """A draw as the log has it; the values of a secret one are empty until the end reveals them.

    `live` is false for a draw that a rollback undid and that was not kept since.
    """

    step: int
    label: str
    kind: str
    rule: str
    secret: bool
    size: int
    sides: int = 0
    seat: str = ""
    values: tuple[int, ...] = ()
    before: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    live: bool = True


@dataclass
class AuditedStep:
    """The draws of one step; `state` is `H(state_salt + hash of the state)`, the salt known after the end."""

    k: int
    entry: int
    state: str
    draws: list[AuditedDraw]
    state_salt: str = ""


@dataclass(frozen=True)
class Verdict:
    """The outcome of an audit."""

    ok: bool
    code: str = ""
    entry: int = 0
    detail: str = ""
    game: str = ""
    genesis: dict[str, object] = field(default_factory=dict)
    head: str = ""
    entries: int = 0
    draws: int = 0
    sealed: int = 0
    ended: bool = False
    step_count: int = 0
    mode: str = ""
    rounds: int = 0
    """How many signatures of the beacon were checked and are good."""
    signatures: bool = True
    """Whether signatures were to be checked."""
    sources: tuple[int, ...] = ()
    """The entries at which another beacon or another delay was chosen."""
    waiting: tuple[int, int, int] | None = None
    """A closed step that waits for its round: step, round, time of the round."""
    witnessed: int = 0
    """How many closes came before their rounds by the player's own letters."""
    unwitnessed: tuple[int, ...] = ()
    """The entries of the first closes that no letter witnesses."""
    compared: int = 0
    """How many heads in the player's letters are those of the log."""
    edition: int = 0
    """Of the log: from the second on it shows where every answer came from."""
    words: tuple[str, ...] = ()
    """The seats that gave a word before the first draw, in `chain` mode."""
    wordless: tuple[str, ...] = ()
    """And those that gave none."""
    answers: tuple[tuple[str, str, int], ...] = ()
    """How many answers of each seat came from where; known once the game is over."""
    receipts: int = 0
    """How many receipts in the player's letters are in the log."""
    cards: int = 0
    """How many cards and dice that were dealt to the player are those in the log."""
    spreads: tuple[Spread, ...] = ()
    steps: tuple[AuditedStep, ...] = ()

    def reason(self, lang: str = "en") -> str:
        """What is wrong, in a sentence; empty if nothing is."""
        if self.ok:
            return ""
        text = REASONS.get(lang, REASONS["en"]).get(self.code, self.code)
        return f"{text} [{self.code}]" + (f": {self.detail}" if self.detail else "")

    def report(self, lang: str = "en") -> str:
        """The verdict with its statistics, as plain text."""
        words = WORDS.get(lang, WORDS["en"])
        if not self.ok:
            lines = [words["bad"].format(entry=self.entry, reason=self.reason(lang))]
        else:
            lines = [
                words["good"].format(
                    entries=self.entries, steps=self.step_count, draws=self.draws, game=self.game
                ),
                self.trust(lang),
                *self._qualified(words),
            ]
        if self.head:
            lines.append(f"log #{self.entries} head={self.head[:16]}")
        if self.ok and self.sources:
            lines.append(words["sources"].format(entries=", ".join(map(str, self.sources))))
        if self.ok and self.waiting:
            k, number, due = self.waiting
            when = datetime.fromtimestamp(due, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            lines.append(words["waiting"].format(k=k, round=number, due=when))
        if self.ok and self.receipts:
            lines.append(words["receipts"].format(receipts=self.receipts))
        if self.ok and self.cards:
            lines.append(words["cards"].format(n=self.cards))
        if self.sealed:
            lines.append(words["sealed"].format(sealed=self.sealed))
        return "\n".join([*lines, *(self._spread(spread, words) for spread in self.spreads)])

    def trust(self, lang: str = "en") -> str:
        """What the mode of the dice means, in a sentence."""
        words = WORDS.get(lang, WORDS["en"])
        if self.mode != "beacon":
            return words["foresee"]
        return words["public" if self.signatures else "unsigned"].format(rounds=self.rounds)

    def _qualified(self, words: dict[str, str]) -> Iterator[str]:
        """What was witnessed and what was not, each in a sentence."""
        if self.mode == "beacon":
            closes = self.step_count + (self.waiting is not None)
            if self.unwitnessed:
                entries = ", ".join(f"#{entry}" for entry in self.unwitnessed)
                more = "…" if closes - self.witnessed > len(self.unwitnessed) else ""
                yield words["unwitnessed"].format(n=self.witnessed, closes=closes, entries=entries + more)
            elif closes:
                yield words["all_witnessed"].format(closes=closes)
        elif self.words:
            yield words["words"].format(seats=", ".join(self.words))
            if self.wordless:
                yield words["wordless"].format(seats=", ".join(self.wordless))
        elif self.step_count:
            yield words["no_word"]
        yield words["compared"].format(n=self.compared) if self.compared else words["uncompared"]
        if self.answers:
            each = [
                f"{seat} {count} {words.get(f'by_{origin}', origin)}" for seat, origin, count in self.answers
            ]
            yield words["answers"].format(answers=", ".join(each))
        elif self.edition == 1 and self.ended:
            yield words["first_edition"]

    @staticmethod
    def _spread(spread: Spread, words: dict[str, str]) -> str:
        line = words["spread"].format(
            who=spread.seat or words["all"],
            sides=spread.sides,
            count=spread.count,
            mean=spread.mean,
            fair=(spread.sides + 1) / 2,
            chi=spread.chi_square,
            df=spread.sides - 1,
        )
        if spread.p is not None:
            line += f", p {spread.p:.3f}"
        if spread.runs_z is not None:
            line += ", " + words["runs"].format(runs=spread.runs, fair=spread.fair_runs, z=spread.runs_z)
        return line

    def data(self) -> dict[str, object]:
        """The verdict for programs."""
        return {
            "ok": self.ok,
            "code": self.code,
            "entry": self.entry,
            "detail": self.detail,
            "game": self.game,
            "mode": self.mode,
            "head": self.head,
            "entries": self.entries,
            "steps": self.step_count,
            "draws": self.draws,
            "sealed": self.sealed,
            "ended": self.ended,
            "rounds": self.rounds,
            "signatures": self.signatures,
            "sources": list(self.sources),
            "waiting": self.waiting and dict(zip(("step", "round", "due"), self.waiting, strict=True)),
            "witnessed": self.witnessed,
            "unwitnessed": list(self.unwitnessed),
            "compared": self.compared,
            "edition": self.edition,
            "words": list(self.words),
            "wordless": list(self.wordless),
            "answers": [list(each) for each in self.answers],
            "receipts": self.receipts,
            "cards": self.cards,
            "dice": [
                {
                    "seat": spread.seat,
                    "sides": spread.sides,
                    "counts": list(spread.counts),
                    "mean": round(spread.mean, 4),
                    "chi_square": round(spread.chi_square, 3),
                    "p": spread.p and round(spread.p, 4),
                    "runs": spread.runs,
                    "runs_z": spread.runs_z and round(spread.runs_z, 3),
                }
                for spread in self.spreads
            ],
        }
