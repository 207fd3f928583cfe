"""Wiring: from a configuration to a moderator with its store, and to a daemon with its post."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from pathlib import Path

from pbem.campaign.intake.authenticity import Authenticity
from pbem.campaign.intake.moderator import Moderator
from pbem.campaign.outgoing.rendering import Secretary
from pbem.dice.beacon.client import Beacon, Unavailable
from pbem.dice.beacon.rounds import DELAYS, QUICKNET, Network, Source, network_in
from pbem.dice.log.fields import Fault
from pbem.letters.worker import BoundedReader
from pbem.post.dkim import DkimError, Signer
from pbem.post.exchange import Exchange
from pbem.post.forum.reader import ForumInbox
from pbem.post.forum.writer import ForumOutlet
from pbem.post.imap import ImapInbox
from pbem.post.inbox import Inbox
from pbem.post.maildir import MaildirInbox
from pbem.post.outlet_thread import Beside
from pbem.post.sent import SentJournal, folder_for
from pbem.post.smtp import SmtpOutlet
from pbem.reports.map.paint.renderer import PoolRenderer
from pbem.server.config import BadConfig, Config
from pbem.server.daemon import Daemon, utc_now
from pbem.server.forums import boards
from pbem.server.topics import Topics
from pbem.store.engine import StoreError
from pbem.store.intake import Intake
from pbem.store.store import Store

_BEACON_SECONDS = 4.0
"""So long each mirror of the beacon is waited for when a game is made."""


def moderator(config: Config, checking: Authenticity | None = None) -> Moderator:
    """A moderator on the configured store, its tables up to date. Raises BadConfig."""
    try:
        store = Store.open(config.store.url)
        store.migrate()
    except StoreError as error:
        raise BadConfig(f"[store] url: {error}") from error
    known = tuple(one.network for one in beacons(config))
    return Moderator(store, config.moderator, utc_now, authenticity=checking, networks=known)


def authenticity(config: Config) -> Authenticity | None:
    """Who is asked where a letter comes from; None where nobody is. Raises BadConfig."""
    settings = config.authentication
    if not (settings.authserv_id or settings.dkim or settings.strict):
        return None
    for library in ("authres", "dkim"):
        if importlib.util.find_spec(library) is None:
            raise BadConfig(f"[authentication] needs the package {library!r}: install pbem[auth]")
    return Authenticity(settings)


def signer(config: Config) -> Signer | None:
    """What signs our letters. Raises BadConfig."""
    if config.dkim is None:
        return None
    try:
        return Signer(config.dkim)
    except DkimError as error:
        raise BadConfig(f"[dkim] key_file: {error}") from error


def beacons(config: Config) -> list[Beacon]:
    """The public beacons, for games whose dice hang on one: quicknet first. Raises BadConfig."""
    found = []
    named = [(QUICKNET, config.dice.mirrors)]
    named += [
        (Network(one.chain, one.key, one.genesis, one.period), one.mirrors) for one in config.dice.networks
    ]
    for network, mirrors in named:
        try:
            network_in(Source(network, DELAYS[1]).body(), (network,))
            found.append(Beacon(network, mirrors))
        except Fault as fault:
            raise BadConfig(f"[[dice.networks]] {network.chain[:16]}: {fault.detail}") from fault
        except ValueError as error:
            raise BadConfig(f"[dice] mirrors: {error}") from error
    return found


def source(config: Config, mode: str, reach: Callable[[Config], bool] | None = None) -> Source | None:
    """Where the dice of a new game come from: a beacon, or None for a chain. Raises BadConfig.

    With `auto` the beacon is asked for its last round; `reach` says whether it answered.
    """
    chosen = mode or config.dice.mode
    if chosen not in ("auto", "chain", "beacon"):
        raise BadConfig(f"dice come from a chain or a beacon, or auto, not from {chosen!r}")
    if config.dice.delay < 0:
        raise BadConfig("[dice] delay: a round cannot come before its close")
    if chosen == "auto":
        chosen = "beacon" if (reach or beacon_answers)(config) else "chain"
    return Source(QUICKNET, config.dice.delay) if chosen == "beacon" else None


def beacon_answers(config: Config) -> bool:
    """Whether the public beacon gives its last but one round within a few seconds. Raises BadConfig."""
    beacon = beacons(config)[0]
    beacon.timeout = _BEACON_SECONDS
    try:
        beacon.fetch(QUICKNET.round_for(int(time.time()), -2 * QUICKNET.period))
    except Unavailable:
        return False
    return True


class Service:
    """A daemon and everything it holds open."""

    def __init__(self, config: Config) -> None:
        smtp = config.smtp
        if smtp is None and not config.boards:
            raise BadConfig("[smtp] is missing: letters could not be sent")
        signing = signer(config)
        checking = authenticity(config)
        self._moderator = moderator(config, checking)
        self._reader = BoundedReader()
        self._moderator.reader = self._reader
        store = self._moderator.store
        cache = Path(config.maps.cache) if config.maps.cache else None
        self._renderer = PoolRenderer(config.maps.processes, cache)
        sign = signing.sign if signing else None
        self._boards = boards(config)
        secretary = Secretary(
            self._moderator.campaign, self._renderer, config.maps.width, sign, boards=self._boards
        )
        inbox, source = _inbox(config)
        sent = self._sent = SentJournal(folder_for(config.store.url))
        mail = None if smtp is None else Beside(lambda: SmtpOutlet(smtp, sent.note))
        topics = Topics(store)
        forums = {name: ForumOutlet(board, topics, sent.note) for name, board in self._boards.items()}
        timing = {one.name: one for one in config.boards}
        self.inboxes = [
            ForumInbox(board, settle=timing[name].settle, poll=timing[name].poll)
            for name, board in self._boards.items()
        ]
        self.daemon = Daemon(
            self._moderator,
            secretary,
            inbox,
            Exchange(mail, forums),
            boards=self.inboxes,
            source=source,
            prepare=self._prepared(checking if config.authentication.dkim else None),
            intake=None if store.sql.sqlite else Intake(store),
            beacons=beacons(config),
            sent=sent,
        )

    def _prepared(self, checking: Authenticity | None) -> Callable[[bytes], None]:
        """What takes a while with a letter, done beside the daemon's loop: it is read, and its signatures checked."""
        address = self._moderator.settings.address

        def prepare(raw: bytes) -> None:
            self._reader.prepare(raw, address)
            if checking is not None:
                checking.prepare(raw)

        return prepare

    async def __aenter__(self) -> Daemon:
        return self.daemon

    async def __aexit__(self, *_: object) -> None:
        for inbox in self.daemon.inboxes():
            await inbox.close()
        await self.daemon.outlet.close()
        self._renderer.close()
        self._reader.close()
        self._sent.close()
        self._moderator.store.close()


def build(config: Config) -> Service:
    """Everything that `pbem serve` needs. Raises BadConfig."""
    return Service(config)


def _inbox(config: Config) -> tuple[Inbox | None, str]:
    if config.imap is not None:
        imap = config.imap
        return ImapInbox(imap), f"imap:{imap.username}@{imap.host}/{imap.folder}"
    if config.maildir is not None:
        return MaildirInbox(Path(config.maildir.path)), f"maildir:{config.maildir.path}"
    if config.boards:
        return None, ""
    raise BadConfig("neither [imap] nor [maildir] is there: letters could not be fetched")
