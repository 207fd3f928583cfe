"""The names of things, in English and French."""

from __future__ import annotations

from pbem.kernel import words
from pbem.kernel.order import Vocabulary

_WORDS = words.load("crowns")
VOCABULARY = Vocabulary({kind: _WORDS.kind(kind) for kind in _WORDS.names}, _WORDS.verbs)
