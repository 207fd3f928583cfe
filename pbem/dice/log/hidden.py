"""Secret draws of a log: what it shows of them at once, the cards that are shown one by one, and the end.

Of a secret roll the log has `H(salt + value)` for each die, of a secret deck the Merkle root over `H(salt +
card)` from the top. A card that is shown comes with its salt and its path to the root; the end reveals
the seed that all of it was made from. Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.dice.audit.mailbox import Proof
from pbem.dice.audit.verdicts import AuditedDraw
from pbem.dice.draw import streams
from pbem.dice.log import fields, merkle
from pbem.dice.log.fields import Fault


@dataclass
class Secret:
    """A secret draw that waits for the end."""

    entry: int
    k: int
    beacon: bytes
    label: str
    draw: AuditedDraw
    commits: tuple[bytes, ...] = ()
    root: bytes = b""
    before: bytes = b""

    def shows(self, position: int, salt: bytes, card: str, path: Sequence[bytes]) -> bool:
        """Whether that card, or that die, is at that position."""
        committed = streams.commit(salt, card)
        if not 0 <= position < self.draw.size:
            return False
        if self.draw.kind == "roll":
            return not path and self.commits[position] == committed
        return merkle.verify(self.root, self.draw.size, position, committed, path)

    def proved(self, proof: Proof) -> bool:
        """Whether a card that a player was dealt is the one in the log, by the deck that the log has."""
        path = [bytes.fromhex(link) for link in proof.path]
        root, size = self.root, self.draw.size
        if self.draw.kind == "roll":
            size = 0
            root = self.commits[proof.position] if proof.position < self.draw.size else b""
        if (proof.root, proof.size) != (root.hex(), size):
            return False
        return self.shows(proof.position, bytes.fromhex(proof.salt), proof.card, path)

    def unseal(self, game: str, seed: bytes, before: tuple[str, ...]) -> None:
        """Work the draw out again from the seed that the end reveals. Raises Fault."""
        key = streams.step_key(seed, game, self.k, self.beacon)
        draw, label = self.draw, self.label
        if draw.kind == "roll":
            draw.values = streams.roll(key, label, draw.size, draw.sides)
            if _commits(seed, label, map(str, draw.values)) != list(self.commits):
                raise Fault("secret-dice", label, self.entry)
            return
        salt = streams.secret_salt(seed, label, -1)
        draw.before, draw.items = before, streams.shuffle(key, label, before)
        root = merkle.root_of(_commits(seed, label, draw.items))
        digest = streams.sha256(salt + fields.canonical(list(before)))
        if (len(before), root, digest) != (draw.size, self.root, self.before):
            raise Fault("secret-deck", label, self.entry)


def _commits(seed: bytes, label: str, values: Iterable[str]) -> list[bytes]:
    return [streams.commit(streams.secret_salt(seed, label, n), value) for n, value in enumerate(values)]
