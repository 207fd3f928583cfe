"""Rounds of a public beacon: which one a close must name, when it exists, whether its signature is good.

A network publishes round n at `genesis + (n - 1) * period`. A close at time t names the round `(t + delay -
genesis) // period + 1`, which does not exist yet; the dice hang on its signature. A log says which network
it uses, but only a network that the reader knows by itself is proof of anything: whoever invents a network
knows all its rounds. Only the standard library is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from pbem.dice.beacon import bls
from pbem.dice.log import fields
from pbem.dice.log.fields import Fault, Json

SIGNATURE_BYTES = 48
KEY_BYTES = 96
DELAYS = (2, 30 * 86_400)
"""How many seconds there may be between a close and its round."""

_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_TOGETHER = 256


@dataclass(frozen=True)
class Network:
    """A drand network: chain hash and key (hex), the time of round 1, the seconds between two rounds."""

    chain: str
    key: str
    genesis: int
    period: int

    def round_for(self, at: int, delay: int) -> int:
        """The round that a close at that time must name."""
        return (at + delay - self.genesis) // self.period + 1

    def time_of(self, number: int) -> int:
        """When a round is published."""
        return self.genesis + (number - 1) * self.period

    def body(self) -> Json:
        """The network as it stands in a log."""
        return {"chain": self.chain, "genesis": self.genesis, "key": self.key, "period": self.period}


@dataclass(frozen=True)
class Source:
    """The beacon of a game, and how many seconds after a close its round comes."""

    network: Network
    delay: int = 600

    def body(self) -> Json:
        """The source as it stands in a log."""
        return {"beacon": self.network.body(), "delay": self.delay}


QUICKNET = Network(
    chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    key="83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    genesis=1_692_803_367,
    period=3,
)


def network_in(body: Json, known: Iterable[Network]) -> tuple[Network, int]:
    """The network and the delay that an entry of a log commits to. It must be a known network."""
    said = body.get("beacon")
    if not isinstance(said, dict):
        raise Fault("fields", "beacon")
    network = Network(
        fields.digest(said, "chain").hex(),
        fields.raw(said.get("key"), "key", KEY_BYTES).hex(),
        fields.number(said, "genesis", 0, 1 << 40),
        fields.number(said, "period", 1, 86_400),
    )
    if network not in tuple(known):
        raise Fault("source", network.chain[:16])
    delay = fields.number(body, "delay", *DELAYS)
    if delay < 2 * network.period:
        raise Fault("absurd", f"delay {delay}")
    return network, delay


def seconds(at: str) -> int:
    """The time of an entry, in seconds since 1970."""
    try:
        if not _AT.fullmatch(at):
            raise ValueError(at)
        return int(datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError) as error:
        raise Fault("time", ascii(at)[:40]) from error


class Signatures:
    """Signatures that wait to be checked together, with the entries that showed them."""

    def __init__(self) -> None:
        self.checked = 0
        self._waiting: list[tuple[int, str, int, bytes]] = []

    def add(self, entry: int, network: Network, number: int, signature: bytes) -> None:
        """One more signature. Raises Fault where enough have come together and one of them is wrong."""
        self._waiting.append((entry, network.key, number, signature))
        if len(self._waiting) >= _TOGETHER:
            self.check()

    def check(self) -> None:
        """Check what waits. Raises Fault for the first wrong one."""
        waiting, self._waiting = self._waiting, []
        while waiting:
            key = waiting[0][1]
            same = [each for each in waiting if each[1] == key]
            waiting = [each for each in waiting if each[1] != key]
            bad = bls.first_bad_round(bytes.fromhex(key), [(number, signed) for _, _, number, signed in same])
            if bad is not None:
                raise Fault("signature", f"round {same[bad][2]}", same[bad][0])
            self.checked += len(same)
