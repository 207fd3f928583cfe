"""What an audit has to say: a verdict with the first offending entry, and the statistics of the dice.

Only the standard library is used, here as in all that the verifier in a single file is made of (see
`verifier`). The chi-square compares how often each face came with how often it
should have; `p` is the chance that fair dice stray at least so far (after Wilson and Hilferty), given once
each face could have come five times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

FACES = 1_000
"""The largest die that is counted face by face."""

GROUPS = 1_000
"""How many different dice and seats are counted: a forged log shall not fill the memory."""

REASONS: dict[str, dict[str, str]] = {
    "en": {
        "file": "the file cannot be read",
        "empty": "there is no entry in it",
        "unreadable": "this is not a line of JSON as a log has it",
        "truncated": "the log breaks off",
        "limits": "this is larger than any honest log",
        "fields": "a field is missing or of the wrong kind",
        "canonical": "the line is not in canonical form",
        "number": "entries are missing, doubled or out of order",
        "chain": "the entry does not hold the hash of the one before it",
        "hash": "the entry was changed after it was written: its hash is another",
        "head": "the log a player was told of is another one (forked)",
        "format": "this is a log of another format",
        "genesis": "a log has one genesis, as its first entry",
        "mode": "this source of chance cannot be checked here",
        "kind": "no such kind of entry",
        "close-twice": "a draw step was closed twice",
        "close-order": "a draw step was closed out of turn",
        "close-root": "the Merkle root is not that of the sealed orders",
        "close-beacon": "the beacon is not that of the SALT words",
        "leaf": "sealed orders without a receipt",
        "result-order": "a result without its close",
        "seed": "the seed is not the one fixed at the start",
        "label": "this is not a label",
        "label-twice": "a label was drawn twice",
        "label-kept": "a draw that was to be kept after the rollback was drawn again",
        "dice": "the dice are not those that seed and label give",
        "shuffle": "the order is not the one that seed and label give",
        "absurd": "no game has such dice or decks",
        "kept": "this draw was not there to be kept",
        "rollback": "a rollback that cannot be",
        "opened-card": "the card shown is not the one in the sealed deck",
        "opened-orders": "the orders shown are not those that were sealed",
        "end-seed": "the seed revealed at the end does not lead to the one fixed at the start",
        "end-secret-seed": "the secret seed revealed at the end does not lead to the one fixed at the start",
        "secret-dice": "the secret dice were not those that seed and label give",
        "secret-deck": "the secret deck was not the one that seed and label give",
        "deck-unrevealed": "a secret deck was not revealed at the end",
        "after-end": "play went on after the end",
        "source": "the beacon is not one that is known here: its keeper could choose the dice",
        "source-pending": "the beacon was changed while a step waited for its round",
        "time": "the times of the entries run backwards or cannot be read",
        "round": "the close does not name the round that its time demands",
        "early": "the result is dated before its round existed",
        "late": "the close reached you only after its round was public",
        "signature": "this is not the beacon's signature of that round",
        "leaf-missing": "orders with a receipt were left out of the close",
        "receipt": "a receipt that a player was given is not in the log",
        "proof": "a card that a player was dealt is not the one in the log",
        "statistics": "the statistics are not those of the dice",
        "game": "this is the log of another game",
        "roll-missing": "the rules demand a draw that is not in the log",
        "roll-extra": "the log has a draw that the rules do not demand",
        "roll-differs": "the rules demand another draw under this label",
    },
    "fr": {
        "file": "le fichier est illisible",
        "empty": "il ne contient aucune entrée",
        "unreadable": "ce n'est pas une ligne de JSON telle qu'en a un registre",
        "truncated": "le registre s'interrompt",
        "limits": "c'est plus grand qu'aucun registre honnête",
        "fields": "un champ manque ou n'est pas du bon genre",
        "canonical": "la ligne n'est pas sous forme canonique",
        "number": "des entrées manquent, sont en double ou en désordre",
        "chain": "l'entrée ne porte pas l'empreinte de la précédente",
        "hash": "l'entrée a été changée après coup : son empreinte est autre",
        "head": "le registre annoncé à un joueur en est un autre (dédoublé)",
        "format": "c'est un registre d'un autre format",
        "genesis": "un registre a une seule genèse, en première entrée",
        "mode": "cette source de hasard ne peut être vérifiée ici",
        "kind": "ce genre d'entrée n'existe pas",
        "close-twice": "une étape de tirage a été close deux fois",
        "close-order": "une étape de tirage a été close hors de son tour",
        "close-root": "la racine de Merkle n'est pas celle des ordres scellés",
        "close-beacon": "la balise n'est pas celle des mots SALT",
        "leaf": "des ordres scellés sans reçu",
        "result-order": "un résultat sans sa clôture",
        "seed": "la graine n'est pas celle fixée au départ",
        "label": "ce n'est pas une étiquette",
        "label-twice": "une étiquette a été tirée deux fois",
        "label-kept": "un tirage à conserver après le retour en arrière a été refait",
        "dice": "les dés ne sont pas ceux que donnent la graine et l'étiquette",
        "shuffle": "l'ordre n'est pas celui que donnent la graine et l'étiquette",
        "absurd": "aucun jeu n'a de tels dés ou de tels paquets",
        "kept": "ce tirage n'était pas là pour être conservé",
        "rollback": "un retour en arrière impossible",
        "opened-card": "la carte montrée n'est pas celle du paquet scellé",
        "opened-orders": "les ordres montrés ne sont pas ceux qui étaient scellés",
        "end-seed": "la graine révélée à la fin ne mène pas à celle fixée au départ",
        "end-secret-seed": "la graine secrète révélée à la fin ne mène pas à celle fixée au départ",
        "secret-dice": "les dés secrets n'étaient pas ceux que donnent la graine et l'étiquette",
        "secret-deck": "le paquet secret n'était pas celui que donnent la graine et l'étiquette",
        "deck-unrevealed": "un paquet secret n'a pas été révélé à la fin",
        "after-end": "le jeu a continué après la fin",
        "source": "la balise n'est pas de celles connues ici : son maître pourrait choisir les dés",
        "source-pending": "la balise a été changée pendant qu'une étape attendait son tour",
        "time": "les dates des entrées reculent ou sont illisibles",
        "round": "la clôture ne nomme pas le tour que sa date exige",
        "early": "le résultat est daté d'avant l'existence de son tour",
        "late": "la clôture ne vous est parvenue qu'une fois son tour public",
        "signature": "ce n'est pas la signature de la balise pour ce tour",
        "leaf-missing": "des ordres pourvus d'un reçu manquent à la clôture",
        "receipt": "un reçu donné à un joueur n'est pas au registre",
        "proof": "une carte donnée à un joueur n'est pas celle du registre",
        "statistics": "les statistiques ne sont pas celles des dés",
        "game": "c'est le registre d'une autre partie",
        "roll-missing": "les règles exigent un tirage qui n'est pas au registre",
        "roll-extra": "le registre a un tirage que les règles n'exigent pas",
        "roll-differs": "les règles exigent un autre tirage sous cette étiquette",
    },
}

WORDS = {
    "en": {
        "good": "Everything checks: {entries} entries, {steps} draw steps, {draws} draws, game {game}.",
        "bad": "Entry {entry}: {reason}",
        "sealed": "{sealed} secret draws stay sealed until the game ends.",
        "foresee": "Mode chain: nobody could change these dice after the start, but the operator could foresee them.",
        "public": "Mode beacon: nobody could choose these dice, and nobody, the operator included, could know "
        "them before the orders were closed. {rounds} signatures of the beacon are good.",
        "unsigned": "Mode beacon, but the signatures of the beacon were not checked.",
        "sources": "The source of the dice was changed at entry {entries}.",
        "waiting": "Step {k} waits for round {round}, due {due}.",
        "witnessed": "{n} closes came to you before their rounds; {receipts} of your receipts are in the log.",
        "cards": "{n} cards and dice that were dealt to you are those in the log.",
        "spread": "{who} d{sides}: {count} dice, mean {mean:.2f} (fair {fair:.2f}), χ² {chi:.1f} ({df} df)",
        "runs": "runs {runs} (fair {fair:.1f}, z {z:+.1f})",
        "all": "all",
    },
    "fr": {
        "good": "Tout est juste : {entries} entrées, {steps} étapes, {draws} tirages, partie {game}.",
        "bad": "Entrée {entry} : {reason}",
        "sealed": "{sealed} tirages secrets restent scellés jusqu'à la fin de la partie.",
        "foresee": "Mode chain : nul ne pouvait changer ces dés après le début, mais l'opérateur pouvait les prévoir.",
        "public": "Mode beacon : nul ne pouvait choisir ces dés et nul, pas même l'opérateur, ne pouvait les "
        "connaître avant la clôture des ordres. {rounds} signatures de la balise sont bonnes.",
        "unsigned": "Mode beacon, mais les signatures de la balise n'ont pas été vérifiées.",
        "sources": "La source des dés a été changée à l'entrée {entries}.",
        "waiting": "L'étape {k} attend le tour {round}, prévu {due}.",
        "witnessed": "{n} clôtures vous sont parvenues avant leur tour ; "
        "{receipts} de vos reçus sont au registre.",
        "cards": "{n} cartes et dés qui vous ont été donnés sont ceux du registre.",
        "spread": "{who} d{sides} : {count} dés, moyenne {mean:.2f} (juste {fair:.2f}), "
        "χ² {chi:.1f} ({df} ddl)",
        "runs": "suites {runs} (juste {fair:.1f}, z {z:+.1f})",
        "all": "tous",
    },
}


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
            ]
        if self.head:
            lines.append(f"log #{self.entries} head={self.head[:16]}")
        if self.ok and self.sources:
            lines.append(words["sources"].format(entries=", ".join(map(str, self.sources))))
        if self.ok and self.waiting:
            k, number, due = self.waiting
            when = datetime.fromtimestamp(due, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            lines.append(words["waiting"].format(k=k, round=number, due=when))
        if self.ok and (self.witnessed or self.receipts):
            lines.append(words["witnessed"].format(n=self.witnessed, receipts=self.receipts))
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
