"""A game's own order keeps its name, also where the kernel knows one of that name."""

from __future__ import annotations

import msgspec
import pytest

from pbem import games
from pbem.kernel import order as orders


@pytest.mark.parametrize("name", games.names())
def test_every_order_of_a_game_comes_back_as_it_was(name: str) -> None:
    rules = games.load(name)
    read = 0
    for kind in rules.orders:
        try:
            order = kind()
        except TypeError:
            # It has slots that must be filled.
            continue
        again = orders.from_data(
            msgspec.json.decode(msgspec.json.encode(orders.to_data(order))), rules.orders
        )
        assert again == order
        assert type(again) is kind
        read += 1
    assert read


def test_the_games_own_comes_first() -> None:
    kinds = games.load("nce").orders
    (own,) = [kind for kind in kinds if kind.kind() == "withdraw"]
    slots = {field.name: [] for field in msgspec.structs.fields(own)}
    assert type(orders.from_data({"order": "withdraw"} | slots, kinds)) is own
