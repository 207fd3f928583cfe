"""What the outlet of a board has to find again after a crash: floors of letters, and topics."""

from __future__ import annotations

from pbem.letters.posted import Place
from pbem.post.forum.writer import Home
from pbem.store.engine import plain
from pbem.store.store import Store


class Topics:
    """The ledger of the boards, in the store. Each note is a transaction of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def floor(self, message_id: str) -> str:
        """What was noted before a letter was first offered; empty: it never was."""
        found = self._store.do("floor read", plain(message_id, 500))
        return str(found[0][0]) if found else ""

    def note_floor(self, message_id: str, floor: str) -> None:
        """Note it."""
        self._store.do("floor", floor, plain(message_id, 500))

    def home(self, board: str, game: str, account: str) -> Home | None:
        """The topic of an account about a game."""
        found = self._store.do("topic of account", board, game, account)
        return Home(Place(found[0][0], bool(found[0][1])), found[0][2]) if found else None

    def note_home(self, board: str, game: str, account: str, home: Home) -> None:
        """Note it."""
        self._store.do("topic", board, home.place.id, home.place.private, game, account, home.first)
