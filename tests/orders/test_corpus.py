"""Letters in people's own words: how many are understood as meant, and that none is misread, mutated ones neither."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.kernel.order import If, Order
from pbem.orders.actions import FUNCTION
from pbem.orders.lexicon import lexicon
from pbem.orders.speech import NEGATIONS
from pbem.orders.words import fold
from tests.orders.corpus.reading import (
    ASKED,
    MISREAD,
    UNDERSTOOD,
    Entry,
    corpus,
    forbidden,
    judge,
    meant,
    position,
    read,
    spread,
)

MUTATIONS = 300
UNDERSTOOD_OF = {"fourth": 0.7}
"""The share of a part that is understood at least; of the fourth, whose writer had seen docs and letters only and
wrote without the reader at hand, what `docs/figures.md` tells."""
REFUSALS = {word for phrase in NEGATIONS for word in phrase}


@pytest.mark.parametrize("half", sorted({entry.half for entry in corpus()}))
def test_letters_are_understood_and_none_is_misread(half: str) -> None:
    entries = [entry for entry in corpus() if entry.half == half]
    judged = {entry: judge(entry)[0] for entry in entries}
    counted = Counter(judged.values())
    assert [entry.say for entry, how in judged.items() if how == MISREAD] == []
    assert counted[UNDERSTOOD] >= UNDERSTOOD_OF.get(half, 0.85) * len(entries), counted
    assert counted[UNDERSTOOD] + counted[ASKED] <= len(entries)


def mutated(entry: Entry, whim: random.Random) -> tuple[str, str, str]:
    """The letter with one word dropped, exchanged with its neighbour or misspelt: how, which word, and the text."""
    words = entry.say.split(" ")
    at = whim.randrange(len(words))
    how = whim.choice(("dropped", "swapped", "misspelt"))
    word = words[at]
    if how == "dropped":
        words[at : at + 1] = []
    elif how == "swapped" and at + 1 < len(words):
        words[at : at + 2] = [words[at + 1], words[at]]
        word = f"{word} {words[at]}"
    else:
        how = "misspelt"
        letters = list(word)
        place = whim.randrange(len(letters)) if letters else 0
        change = whim.choice(("drop", "double", "twist", "other"))
        if change == "drop" and letters:
            del letters[place]
        elif change == "double" and letters:
            letters.insert(place, letters[place])
        elif change == "twist" and place + 1 < len(letters):
            letters[place], letters[place + 1] = letters[place + 1], letters[place]
        elif letters:
            letters[place] = whim.choice("abcdefghijklmnopqrstuvwxyz")
        words[at] = word = "".join(letters)
    return how, word, " ".join(words)


def facts(orders: tuple[Order, ...]) -> Iterator[tuple[str, str, Any]]:
    """What orders say, piece by piece."""
    for order in orders:
        if isinstance(order, If):
            yield "if", "condition", order.condition
            yield from facts(order.then)
            yield from facts(order.otherwise)
            continue
        yield order.kind(), "", ""
        for name in order.slots:
            value = getattr(order, name)
            for one in value if isinstance(value, tuple) else (value,):
                yield order.kind(), name, one


def known(entry: Entry, word: str) -> bool:
    """Whether a word is exactly another word of the game or the language: then it says what it says."""
    vocabulary = position(entry.game)[0].rules.vocabulary
    kinds = [kind for kind in vocabulary.kinds if kind not in ("kind", "order")]
    return all(
        len(bare) < 4 or bare in FUNCTION or any(bare in lexicon(vocabulary, kind).exact for kind in kinds)
        for bare in re.findall(r"[^\W_]+", fold(word))
    )


def sound(entry: Entry, how: str, word: str, text: str) -> str:
    """What is wrong with how a mutated letter was taken; nothing, where a human could take it so."""
    reading = read(entry.game, text)
    right = meant(entry)
    if reading.problems or spread(reading.orders) == spread(right):
        return ""
    if forbidden(entry.game, reading.orders):
        return ""  # nothing is done: the answer says which rule forbids it
    if any(reading.orders == meant(other) for other in corpus() if other.say.strip(" .") == text.strip(" .")):
        return ""
    if re.fullmatch(r"\W*\d+\W*", text):
        return ""  # a number alone is one of the menu's
    if how == "dropped" and re.sub(r"\W", "", fold(word)) in REFUSALS:
        return ""  # without «no» it says the contrary
    new = set(facts(reading.orders)) - set(facts(right))
    vocabulary = position(entry.game)[0].rules.vocabulary
    said = "; ".join(order.text(vocabulary, "en") for order in reading.orders)
    blame = f"{how} {word!r}: {text!r} was taken as {said}"
    if how == "misspelt" and not known(entry, word):
        return blame
    values = {value for _, _, value in facts(right)}
    # A number left out is what silence means.
    fresh = [fact for fact in new if fact[1] and fact[2] and fact[2] not in values and fact[2] != 1]
    return blame if fresh and how != "misspelt" else ""


def check(count: int, seed: int = 17) -> list[str]:
    """The mutations, of so many, that were taken as no human would take them."""
    whim = random.Random(seed)
    entries = corpus()
    found = []
    for _ in range(count):
        entry = whim.choice(entries)
        found.append(sound(entry, *mutated(entry, whim)))
    return [one for one in found if one]


def test_no_mutation_is_misread() -> None:
    assert check(MUTATIONS) == []
