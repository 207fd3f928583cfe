"""The games that are installed: each declares itself as an entry point `pbem.games`, ours in pyproject.toml.

A game is a package that knows the kernel and nothing else; what it gives to the rest of the system is its `Rules`.
"""

from __future__ import annotations

import gc
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbem import paths

if TYPE_CHECKING:
    from pbem.kernel.rules import Rules

_settled: set[str] = set()


def names() -> tuple[str, ...]:
    """The games that are installed, in alphabetical order."""
    return tuple(sorted(paths.games()))


def usual() -> str:
    """The game that is shown to whoever names none; empty where none is installed."""
    return paths.usual_game()


def load(name: str) -> Rules[Any]:
    """The rules of a game. Raises LookupError where there is no game of that name."""
    found = paths.games().get(name)
    if found is None:
        raise LookupError(f"no game is called {name!r}; there are: {', '.join(names())}")
    module, _, attribute = found.partition(":")
    rules: Rules[Any] = getattr(import_module(module), attribute)
    if name not in _settled:
        # Charts live as long as the process: the collector need not look at them again and again.
        _settled.add(name)
        gc.freeze()
    return rules
