"""SQLModel tables, migrations and the journal: nothing is lost, nothing happens twice."""

from pbem.store.engine import BadUrl, Conflict, NoSuchGame, OutOfStep, StoreError, Unavailable
from pbem.store.journal import Journal
from pbem.store.outbox import Outbox
from pbem.store.records import Draws, Loaded, Received, Roots, Sending
from pbem.store.store import Store

__all__ = [
    "BadUrl",
    "Conflict",
    "Draws",
    "Journal",
    "Loaded",
    "NoSuchGame",
    "OutOfStep",
    "Outbox",
    "Received",
    "Roots",
    "Sending",
    "Store",
    "StoreError",
    "Unavailable",
]
