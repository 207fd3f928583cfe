"""Seats by auction: everyone bids victory points for each seat, sealed, and all bids are opened together.

JOIN game-1 BID france 6, britain 4. The seats go so that the bids for them are as high as can be in all, of equals to
the kindest for whoever came first; everyone pays what he has bid for the seat that he gets, and it is handed to the
game's set-up. A seat that was not bid for costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pbem.campaign.deadlines.calendar import Refused
from pbem.campaign.seat_names import seat_named
from pbem.kernel.rules import Rules
from pbem.orders.words import clip

MOST_BID = 99
PRICE = "price."
"""How the options of a set-up begin that say what was paid for a seat."""
_BID = re.compile(r"\s*+(?:bids?|bidding|offre|offrir|mise)\b\s*+:?\s*+", re.IGNORECASE)
_ONE = re.compile(r"(.*?\S)\s*+[:=]?\s*+(\d{1,4})\Z", re.DOTALL)


def read_bids(text: str, rules: Rules[Any], seats: Sequence[str]) -> dict[str, int] | None:
    """What somebody bids for which seats; None where he does not bid. Raises Refused."""
    opening = _BID.match(text)
    if opening is None:
        return None
    if not rules.auctioned:
        raise Refused("bid_none")
    bids: dict[str, int] = {}
    for part in re.split(r"[,;]|\band\b|\bet\b", text[opening.end() :]):
        if not part.strip(" ."):
            continue
        match = _ONE.match(part.strip(" ."))
        if match is None:
            raise Refused("bid_what", text=clip(part.strip()))
        seat = seat_named(match[1], rules, seats)
        if seat is None:
            raise Refused("no_such_seat", seat=clip(match[1], 40), seats=", ".join(seats))
        if int(match[2]) > MOST_BID:
            raise Refused("bid_most", most=MOST_BID)
        bids[seat] = int(match[2])
    if not bids:
        raise Refused("bid_what", text=clip(text))
    return bids


def best_bids(bids: Sequence[Mapping[str, int]], seats: Sequence[str]) -> tuple[str, ...]:
    """Which seat each bidder gets: the most that is bid in all, and of equals the best for whoever came first."""

    @cache
    def best(at: int, taken: int) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
        if at == len(bids):
            return 0, (), ()
        found: tuple[int, tuple[int, ...], tuple[str, ...]] | None = None
        for n, seat in enumerate(seats):
            if taken & (1 << n):
                continue
            total, each, given = best(at + 1, taken | (1 << n))
            mine = bids[at].get(seat, 0)
            one = (total + mine, (mine, *each), (seat, *given))
            # Of equals the first seat in the order of the table.
            if found is None or one[:2] > found[:2]:
                found = one
        assert found is not None
        return found

    return best(0, 0)[2]


def prices(given: Mapping[str, str], bids: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    """What each seat costs its player, as options of the set-up. `given`: the bidder of each seat."""
    return {f"{PRICE}{seat}": str(bids.get(bidder, {}).get(seat, 0)) for seat, bidder in given.items()}
