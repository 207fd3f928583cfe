"""A change of source: from the next close on, another public beacon, or another delay, for the dice of a game.

Whether dice hang on a beacon at all is fixed when a game begins. While a closed step waits for its round nothing
changes: whoever dislikes a round could otherwise claim that the beacon was down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.campaign.commands.game_master.acts import tell_all
from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.table.transaction import Turn
from pbem.dice.beacon.rounds import DELAYS, QUICKNET, Network, Source
from pbem.dice.log import entries as dicelog

_DELAY = re.compile(r"(\d{1,7})(s|m|min|h)?\Z", re.IGNORECASE)
_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_CHAIN = re.compile(r"[0-9a-f]{8,64}\Z")
_MODES = ("chain", "chaine", "chaîne", "salt", "sel")
_QUICKNET = "quicknet"


def read_source(text: str, present: Source, networks: Sequence[Network]) -> tuple[Source, str]:
    """`[network] [delay] reason` as the new source and the reason. Raises Refused."""
    words = text.split()
    network, delay = present.network, present.delay
    named = _named(words[0].lower(), networks) if words else None
    if named is not None:
        network = named
        del words[0]
    match = _DELAY.match(words[0]) if words else None
    if match is not None:
        delay = int(match[1]) * _SECONDS[(match[2] or "").lower()]
        del words[0]
    if named is None and match is None:
        raise Refused("source_what", networks=", ".join(map(short, networks)))
    if not max(DELAYS[0], 2 * network.period) <= delay <= DELAYS[1]:
        raise Refused("source_delay", least=2 * network.period, most=DELAYS[1])
    return Source(network, delay), " ".join(words).strip(" :")


def _named(word: str, networks: Sequence[Network]) -> Network | None:
    """The network of that name or hash, if the word is one. Raises Refused where nobody here knows it."""
    if word in _MODES:
        raise Refused("source_mode")
    if word != _QUICKNET and (word.isdecimal() or not _CHAIN.match(word)):
        return None
    chain = QUICKNET.chain if word == _QUICKNET else word
    found = [network for network in networks if network.chain.startswith(chain)]
    if len(found) != 1:
        raise Refused("source_unknown", name=word[:16], networks=", ".join(map(short, networks)))
    return found[0]


def short(network: Network) -> str:
    """A network's name for people."""
    return _QUICKNET if network == QUICKNET else network.chain[:16]


def change_source(turn: Turn, by: str, text: str) -> None:
    """Change the beacon or its delay, with a reason that all will read. Raises Refused."""
    live = turn.live
    if live.over:
        raise Refused("game_over")
    present = live.croupier.source
    if present is None:
        raise Refused("source_mode")
    if live.affairs.awaited is not None:
        raise Refused("awaiting_busy")
    source, reason = read_source(text, present, turn.campaign.tables.networks)
    if not reason:
        raise Refused("gm_reason")
    if source == present:
        raise Refused("source_same")
    turn.log("source", dicelog.change_of_source(author=by, reason=reason[:2000], source=source))
    live.croupier.source = source
    live.affairs.source = dict(source.body())
    facts: dict[str, str | int] = {"network": short(source.network), "delay": source.delay}
    turn.journal.act(by, "source", {"reason": reason, **facts})
    tell_all(turn, "gm_source", reason=reason, **facts)
