"""Orders as plain data and back."""

from __future__ import annotations

import pytest

from pbem import games
from pbem.games.nce.replies import Withdraw as TakeOff
from pbem.kernel import agreement
from pbem.kernel.order import Order, from_data, to_data


def test_a_game_may_call_an_order_as_the_kernel_calls_one_of_agreements() -> None:
    order = TakeOff(("mack",))
    assert from_data(to_data(order), (TakeOff,)) == order
    taken_back = agreement.Withdraw(7)
    assert from_data(to_data(taken_back), ()) == taken_back


@pytest.mark.parametrize("name", games.names())
def test_a_game_with_agreements_has_no_order_of_that_name_of_its_own(name: str) -> None:
    rules = games.load(name)
    mine = {kind.kind() for kind in rules.orders if not kind.__module__.startswith("pbem.kernel")}
    shared: set[type[Order]] = {agreement.Sign, agreement.Withdraw, agreement.Denounce}
    assert rules.agreements is None or not mine & {kind.kind() for kind in shared}
