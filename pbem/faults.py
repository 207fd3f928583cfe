"""What can be said of a fault in a log."""

from __future__ import annotations

import traceback


def places(error: BaseException) -> str:
    """What went wrong and where in the program; the text of an error may quote a letter, and is left out."""
    found = [f"{place.name}:{place.lineno}" for place in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} at {' > '.join(found)}"
