"""What everything in a campaign shares: the store, the settings, the clock, the games in memory, the transaction."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Protocol

import msgspec

from pbem.campaign.table.tables import Tables
from pbem.dice.beacon.rounds import QUICKNET, Network
from pbem.dice.draw.seeds import new_root
from pbem.letters.addresses import domain, mailbox
from pbem.store.engine import NoSuchGame
from pbem.store.journal import Journal
from pbem.store.records import Roots, Sending
from pbem.store.store import Store

_MOST_STRANGERS = 10_000
_MOST_NOTICES = 10
"""Of letters that were held, to one player in an hour: whoever forges them must not fill his mailbox."""
Clock = Callable[[], datetime]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the moderator presents itself."""

    address: str
    name: str = "pbem"
    plus_address: bool = True
    lang: str = "en"
    letters_per_hour: int = 60
    strangers_per_hour: int = 10
    """Letters to one mailbox that has no seat."""
    domain_per_hour: int = 60
    """Letters to all mailboxes of one domain that have no seat."""
    outage_minutes: int = 60
    """A longer time without letters taken in is given back to the players."""
    rules_url: str = ""
    """Where the rules stand as a page, with {game} and {lang}: https://example.org/{game}.{lang}.html."""
    keeper: str = ""
    """The host's own address: who is told of letters that a person has to look at."""

    @property
    def outage(self) -> timedelta:
        """The same as a span of time."""
        return timedelta(minutes=self.outage_minutes)

    @property
    def host(self) -> str:
        """The domain of our Message-IDs."""
        return self.address.partition("@")[2] or "localhost"


class LetterWriter(Protocol):
    """Puts what is to be said into words."""

    def at_once(self, journal: Journal, sending: Sending) -> bytes | None:
        """The letter, inside the transaction that brings it about; None where it is written later."""
        ...


class Campaign:
    """The games of a store, and what it takes to run them."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock,
        *,
        entropy: Callable[[], bytes] = new_root,
        networks: Sequence[Network] = (QUICKNET,),
    ) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.tables = Tables(store, networks=networks)
        self.tally: Counter[str] = Counter()
        """How often what was done, since the start: reminders, defaults, letters on time and late."""
        self.writer: LetterWriter | None = None
        """Who puts letters into words before a transaction ends; without one they are written when they are sent."""
        self._entropy = entropy
        self._strangers: dict[str, deque[datetime]] = {}
        """When strangers were last written to, by mailbox and by domain."""

    def has_game(self, game_id: str) -> bool:
        """Whether there is a game of that name."""
        if self.tables.get(game_id) is not None:
            return True
        try:
            self.store.game(game_id)
        except NoSuchGame:
            return False
        return True

    @contextmanager
    def transaction(self, game_id: str | None, at: datetime | None = None) -> Iterator[Journal]:
        """One transaction about a game, or about none: what is written, its letters put into words, all or nothing.

        Where it fails, the game in memory is forgotten: what it did was not written down.
        """
        try:
            with self.store.journal(game_id, self.clock() if at is None else at) as journal:
                yield journal
                self.put_into_words(journal)
        except Exception:
            self.tables.drop(game_id)
            raise

    def put_into_words(self, journal: Journal) -> None:
        """Give the letters of a transaction their text, as far as that can be done at once."""
        if self.writer is not None:
            journal.put_into_words(self.writer.at_once)

    def new_roots(self) -> Roots:
        """Fresh seeds."""
        return Roots(self._entropy(), self._entropy())

    def silenced(self, address: str, now: datetime) -> bool:
        """Whether an address has had as many letters in an hour as it may have (MAIL 2)."""
        return self.store.sent_to(address, now - timedelta(hours=1)) >= self.settings.letters_per_hour

    def silenced_stranger(self, address: str, now: datetime) -> bool:
        """Whether somebody whom we do not know has had as many letters as he may have; asked, one more is counted.

        Counted by mailbox, whatever its extension, and by domain: nobody's mailbox is filled through us.
        """
        keys = {mailbox(address): self.settings.strangers_per_hour}
        keys["@" + domain(address)] = self.settings.domain_per_hour
        since = now - timedelta(hours=1)
        for key, most in keys.items():
            times = self._strangers.setdefault(key, deque(maxlen=most))
            while times and times[0] <= since:
                times.popleft()
        if any(len(self._strangers[key]) >= most for key, most in keys.items()):
            return True
        for key in keys:
            self._strangers[key].append(now)
        if len(self._strangers) > _MOST_STRANGERS:
            self._strangers = {
                key: times for key, times in self._strangers.items() if times and times[-1] > since
            }
        return self.silenced(address, now)

    def silenced_notice(self, address: str, now: datetime) -> bool:
        """Whether a player has been asked often enough about letters in his name; asked, one more is counted."""
        since = now - timedelta(hours=1)
        times = self._strangers.setdefault(f"notice {address}", deque(maxlen=_MOST_NOTICES))
        while times and times[0] <= since:
            times.popleft()
        if len(times) >= _MOST_NOTICES:
            return True
        times.append(now)
        return self.silenced(address, now)

    def next_id(self, name: str) -> str:
        """A name for a new game."""
        return self.store.free_id(name)
