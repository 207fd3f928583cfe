"""Receipts for orders, and the leaves that seal them.

A leaf is `H("leaf|" + player + "|" + salt + "|" + orders)`: it shows nobody what was ordered, and binds the
moderator to it. The log gets one receipt per letter with orders (digest of the raw letter, leaf); the
player gets the salt with the receipt, so that he can check his own leaf. The close of a draw step names the
leaves it froze. When the rules reveal orders, an `opened` entry gives them with their salts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from pbem.dice.log.entries import Body


class Leaf(msgspec.Struct, frozen=True):
    """Sealed orders: whose, the salt that hides them, the text."""

    player: str
    salt: str
    orders: str

    @property
    def digest(self) -> bytes:
        """The hash that stands in the log."""
        return leaf_digest(self.player, self.salt, self.orders)


def leaf_digest(player: str, salt: str, orders: str) -> bytes:
    """The leaf of some orders. Player and salt cannot contain the bar that ends them."""
    if "|" in player or "|" in salt:
        raise ValueError("neither a player nor a salt may contain '|'")
    return hashlib.sha256(f"leaf|{player}|{salt}|{orders}".encode()).digest()


def receipt(player: str, raw: bytes, leaf: Leaf) -> Body:
    """The body of a `receipt` entry: the letter came in, and these orders are sealed."""
    return {"player": player, "letter": hashlib.sha256(raw).hexdigest(), "leaf": leaf.digest.hex()}


def opened_orders(leaves: Iterable[Leaf]) -> Body:
    """The body of an `opened` entry that shows sealed orders to everyone."""
    return {"orders": [{"player": leaf.player, "salt": leaf.salt, "orders": leaf.orders} for leaf in leaves]}
