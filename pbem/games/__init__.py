"""The games, each a folder of rules that knows the kernel and nothing else."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Any

from pbem.kernel.rules import Rules

_MODULES = {
    "ccn": "pbem.games.ccn",
    "crowns": "pbem.games.crowns",
    "leipzig": "pbem.games.leipzig",
    "nce": "pbem.games.nce",
}
NAMES = tuple(_MODULES)
_settled: set[str] = set()


def load(name: str) -> Rules[Any]:
    """The rules of a game. Raises LookupError where there is no game of that name."""
    module = _MODULES.get(name)
    if module is None:
        raise LookupError(f"no game is called {name!r}; there are: {', '.join(NAMES)}")
    rules: Rules[Any] = import_module(module).RULES
    if name not in _settled:
        # Charts live as long as the process: the collector need not look at them again and again.
        _settled.add(name)
        gc.freeze()
    return rules
