"""«Did you mean»: of the orders that would do, the one whose words look most like what was written."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, process

from pbem.kernel.order import LANGUAGES, Order, Vocabulary
from pbem.orders.words import LONGEST_LINE, fold, is_word, tokens

_SUGGESTED = 60.0


def nearest(
    text: str, orders: Sequence[Order], vocabulary: Vocabulary, alike: float = _SUGGESTED
) -> Order | None:
    """The order whose words look most like the text, if any looks `alike` enough (of 100)."""
    texts = [fold(order.text(vocabulary, lang)) for lang in LANGUAGES for order in orders]
    query = " ".join(norm for norm in tokens(text[:LONGEST_LINE]).norms if is_word(norm))
    if not query or not texts:
        return None
    best = process.extractOne(query, texts, scorer=fuzz.token_sort_ratio, score_cutoff=alike)
    return orders[best[2] % len(orders)] if best is not None else None
