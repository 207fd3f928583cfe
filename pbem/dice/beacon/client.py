"""The public beacon, asked over the network: several mirrors in turn, believed only after the signature.

Which mirror answers does not matter, since every answer is checked; a mirror that is down, slow, wrong or
lying costs a moment, and the next one is asked. If none has the round, the game waits: there is no other
source to turn to, by design, or an operator who dislikes a value could claim an outage.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import urllib.error
import urllib.request
from collections import OrderedDict
from collections.abc import Sequence
from urllib.parse import urlsplit

from pbem.dice.beacon import pairing
from pbem.dice.beacon.rounds import QUICKNET, SIGNATURE_BYTES, Network
from pbem.dice.draw.croupier import Round

MIRRORS = (
    "https://api.drand.sh",
    "https://api2.drand.sh",
    "https://api3.drand.sh",
    "https://drand.cloudflare.com",
)
TIMEOUT = 10.0

_ANSWER = 64 << 10
_KEPT = 256

logger = logging.getLogger(__name__)


class Unavailable(Exception):
    """No mirror has the round; `reasons` says for each mirror why."""

    def __init__(self, number: int, reasons: dict[str, str]) -> None:
        said = "; ".join(f"{mirror}: {reason}" for mirror, reason in reasons.items())
        super().__init__(f"round {number} of the beacon is not to be had ({said})")
        self.number = number
        self.reasons = reasons


class BadAnswer(ValueError):
    """What a mirror said is not the round that it was asked for."""


class Beacon:
    """The rounds of a network, fetched and checked; those fetched last are remembered."""

    def __init__(
        self, network: Network = QUICKNET, mirrors: Sequence[str] = MIRRORS, *, timeout: float = TIMEOUT
    ) -> None:
        for mirror in mirrors:
            parts = urlsplit(mirror)
            if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
                raise ValueError(f"a mirror of the beacon is asked over https: {mirror!r}")
        if not mirrors:
            raise ValueError("a beacon needs at least one mirror")
        self.network = network
        self.timeout = timeout
        self._mirrors = [mirror.rstrip("/") for mirror in mirrors]
        self._known: OrderedDict[int, Round] = OrderedDict()
        self._lock = threading.Lock()

    def fetch(self, number: int) -> Round:
        """A round. Raises Unavailable where no mirror has it (yet)."""
        known = self._known.get(number)
        if known is not None:
            return known
        reasons: dict[str, str] = {}
        for mirror in list(self._mirrors):
            try:
                found = self._ask(mirror, number)
            except urllib.error.HTTPError as error:
                error.close()
                reasons[mirror] = f"HTTP {error.code}"
            except (OSError, ValueError) as error:
                reasons[mirror] = str(error)
                if isinstance(error, BadAnswer):
                    logger.warning("beacon: %s, round %d: %s", mirror, number, error)
            else:
                self._remember(mirror, found)
                return found
        raise Unavailable(number, reasons)

    async def arrived(self, number: int) -> Round:
        """A round, without keeping anyone else waiting. Raises Unavailable."""
        return await asyncio.to_thread(self.fetch, number)

    def _ask(self, mirror: str, number: int) -> Round:
        address = f"{mirror}/{self.network.chain}/public/{number}"
        request = urllib.request.Request(
            address, headers={"Accept": "application/json", "User-Agent": "pbem"}
        )
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:
            data: bytes = answer.read(_ANSWER + 1)
        if len(data) > _ANSWER:
            raise BadAnswer("too long an answer")
        try:
            said = json.loads(data)
            told, signature = said["round"], bytes.fromhex(said["signature"])
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise BadAnswer("no round in the answer") from error
        if told != number or isinstance(told, bool):
            raise BadAnswer("another round")
        if len(signature) != SIGNATURE_BYTES or not pairing.signed(self.network, number, signature):
            raise BadAnswer("a forged signature")
        return Round(number, signature)

    def _remember(self, mirror: str, found: Round) -> None:
        with self._lock:
            self._mirrors.remove(mirror)
            self._mirrors.insert(0, mirror)
            self._known[found.number] = found
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
