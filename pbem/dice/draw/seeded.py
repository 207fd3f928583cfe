"""Draws from a bare seed, for robots, fuzzing and rule cases: the same streams, nothing to verify."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.dice.draw import streams


class Seeded:
    """Chance from a seed and the label alone."""

    def __init__(self, seed: int | str) -> None:
        self._key = streams.sha256(f"pbem-seeded|{seed}".encode())

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """The dice of a label."""
        return streams.roll(self._key, label, dice, sides)

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """The items of a label in their new order."""
        return tuple(streams.shuffle(self._key, label, tuple(items)))

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Nothing to prove."""
