"""What an audit has to say: a verdict with the first offending entry, and the statistics of the dice.

Only the standard library is used, here as in `audit`, `fields`, `streams` and `merkle`: these five are what
a verifier in a single file is made of. The chi-square compares how often each face came with how often it
should have; `p` is the chance that fair dice stray at least so far (after Wilson and Hilferty), given once
each face could have come five times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

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
        "roll-missing": "les règles exigent un tirage qui n'est pas au registre",
        "roll-extra": "le registre a un tirage que les règles n'exigent pas",
        "roll-differs": "les règles exigent un autre tirage sous cette étiquette",
    },
}

_WORDS = {
    "en": {
        "good": "Everything checks: {entries} entries, {steps} draw steps, {draws} draws, game {game}.",
        "bad": "Entry {entry}: {reason}",
        "sealed": "{sealed} secret draws stay sealed until the game ends.",
        "foresee": "Mode chain: nobody could choose these dice, but the operator could foresee them.",
        "spread": "{who} d{sides}: {count} dice, mean {mean:.2f} (fair {fair:.2f}), χ² {chi:.1f} ({df} df)",
        "all": "all",
    },
    "fr": {
        "good": "Tout est juste : {entries} entrées, {steps} étapes, {draws} tirages, partie {game}.",
        "bad": "Entrée {entry} : {reason}",
        "sealed": "{sealed} tirages secrets restent scellés jusqu'à la fin de la partie.",
        "foresee": "Mode chain : nul ne pouvait choisir ces dés, mais l'opérateur pouvait les prévoir.",
        "spread": "{who} d{sides} : {count} dés, moyenne {mean:.2f} (juste {fair:.2f}), "
        "χ² {chi:.1f} ({df} ddl)",
        "all": "tous",
    },
}


@dataclass(frozen=True)
class Spread:
    """How the dice of one size fell, for one seat or (empty) for all."""

    seat: str
    sides: int
    counts: tuple[int, ...]

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


class Tally:
    """Counts dice by size and seat."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int], list[int]] = {}

    def add(self, seat: str, sides: int, values: Sequence[int]) -> None:
        """Count some dice, for everyone and for their seat."""
        if sides > FACES:
            return
        for who in {"", seat}:
            counts = self._counts.get((who, sides))
            if counts is None:
                if len(self._counts) >= GROUPS:
                    continue
                counts = self._counts[who, sides] = [0] * sides
            for value in values:
                counts[value - 1] += 1

    def spreads(self) -> tuple[Spread, ...]:
        """What was counted, by size and seat."""
        ordered = sorted(self._counts.items(), key=lambda item: (item[0][1], item[0][0]))
        return tuple(Spread(seat, sides, tuple(counts)) for (seat, sides), counts in ordered if any(counts))


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
        words = _WORDS.get(lang, _WORDS["en"])
        if not self.ok:
            lines = [words["bad"].format(entry=self.entry, reason=self.reason(lang))]
        else:
            lines = [
                words["good"].format(
                    entries=self.entries, steps=self.step_count, draws=self.draws, game=self.game
                ),
                words["foresee"],
            ]
        if self.head:
            lines.append(f"log #{self.entries} head={self.head[:16]}")
        if self.sealed:
            lines.append(words["sealed"].format(sealed=self.sealed))
        for spread in self.spreads:
            line = words["spread"].format(
                who=spread.seat or words["all"],
                sides=spread.sides,
                count=spread.count,
                mean=spread.mean,
                fair=(spread.sides + 1) / 2,
                chi=spread.chi_square,
                df=spread.sides - 1,
            )
            lines.append(line if spread.p is None else f"{line}, p {spread.p:.3f}")
        return "\n".join(lines)
