"""Accounts that say why: sums made of entries, each with its reason and rule.

>>> book = Ledger({"france": 20})
>>> book.add("france", 12, "taxes", "8.2.1")
32
>>> book.add("france", -5, "corps", "8.5", what="III Corps")
27
>>> [entry.amount for entry in book.of("france")]
[12, -5]
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pbem.kernel.event import Modifier


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of an account."""

    account: str
    amount: int
    reason: str
    rule: str = ""
    what: str = ""
    """The thing that it was for, by identifier."""


class Overdrawn(ValueError):
    """More was spent than there is."""


class Ledger(msgspec.Struct):
    """Accounts by name. It is plain data: a position may hold it."""

    balance: dict[str, int] = {}
    entries: list[Entry] = []
    """Since they were last closed."""

    def have(self, account: str) -> int:
        """What an account holds; nought where nothing was ever entered."""
        return self.balance.get(account, 0)

    def add(self, account: str, amount: int, reason: str, rule: str = "", what: str = "") -> int:
        """Enter an amount, negative or not; what the account then holds. Nothing is entered where it is nought."""
        if amount:
            self.balance[account] = self.have(account) + amount
            self.entries.append(Entry(account, amount, reason, rule, what))
        return self.have(account)

    def spend(self, account: str, amount: int, reason: str, rule: str = "", what: str = "") -> int:
        """Take an amount off an account. Raises Overdrawn, with nothing changed, where it does not hold so much."""
        if amount > self.have(account):
            raise Overdrawn(account)
        return self.add(account, -amount, reason, rule, what)

    def move(self, source: str, to: str, amount: int, reason: str, rule: str = "", what: str = "") -> None:
        """From one account to another. Raises Overdrawn, with nothing changed."""
        self.spend(source, amount, reason, rule, what)
        self.add(to, amount, reason, rule, what)

    def clamp(self, account: str, least: int, most: int, reason: str, rule: str = "") -> int:
        """Bring an account back between its bounds; what it then holds."""
        return self.add(account, min(max(self.have(account), least), most) - self.have(account), reason, rule)

    def of(self, account: str) -> list[Entry]:
        """The entries of an account since they were last closed."""
        return [entry for entry in self.entries if entry.account == account]

    def close(self) -> list[Entry]:
        """The entries, which are then forgotten; the balances stay."""
        closed, self.entries = self.entries, []
        return closed


def reasons(entries: Iterable[Entry]) -> tuple[Modifier, ...]:
    """Entries as an event tells them: equal reasons are one line."""
    summed: dict[tuple[str, str], int] = {}
    for entry in entries:
        key = (entry.reason, entry.rule)
        summed[key] = summed.get(key, 0) + entry.amount
    return tuple(Modifier(reason, amount, rule) for (reason, rule), amount in summed.items() if amount)
