"""What can be said of a fault in a log, and how one is kept from ending more than what it hit."""

from __future__ import annotations

import contextlib
import logging
import traceback


def places(error: BaseException) -> str:
    """What went wrong and where in the program; the text of an error may quote a letter, and is left out."""
    found = [f"{place.name}:{place.lineno}" for place in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} at {' > '.join(found)}"


def noted(logger: logging.Logger, what: str, error: BaseException) -> None:
    """A fault in the log: what could not be done, and where in the program. Never raises."""
    with contextlib.suppress(Exception):
        logger.error("%s: %s", what, places(error))
