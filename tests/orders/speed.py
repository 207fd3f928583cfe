"""How long letters of natural clauses take: `python -m tests.orders.speed`. The figures stand in docs/figures.md."""

from __future__ import annotations

import statistics
import time

from tests.orders.corpus.reading import read

SENTENCES = {
    "ccn": (
        "The rifles in C1 march to D1, then B2 goes to C2.",
        "C1 attacks E5, taking ground, and A2 goes to B2.",
    ),
    "leipzig": (
        "Please deploy Murat, then move him from Wachau to Dölitz.",
        "Draw two cards and take the hill.",
    ),
    "nce": ("Davout marches to Lille and lays siege.", "Mortier goes to Reims, then Troyes, please."),
}
"""Two clauses each."""
ROUNDS = 15


def letter(game: str, clauses: int) -> str:
    """A letter of so many clauses, a sentence a line."""
    said = SENTENCES[game]
    return "\n".join(said[n % len(said)] for n in range(clauses // 2))


def seconds(game: str, clauses: int) -> float:
    """The processor time that reading such a letter takes, the median of some times; the first is not counted."""
    text = letter(game, clauses)
    read(game, text)
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        read(game, text)
        taken.append(time.process_time() - began)
    return statistics.median(taken)


if __name__ == "__main__":
    for name in SENTENCES:
        print(
            name, *(f"{clauses} clauses: {seconds(name, clauses) * 1000:.1f} ms" for clauses in (10, 20, 40))
        )
