"""The market for grain, and the auction of crowns."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.crowns.events import CrownSold, MarketClosed, Traded
from pbem.games.crowns.orders import Buy, Sell
from pbem.games.crowns.state import State
from pbem.kernel.order import Answer
from pbem.kernel.table import Table


def trade(table: Table[State], plans: Mapping[str, Answer]) -> None:
    """2.3: the dearest who buy meet the cheapest who sell; all pay one price, that of the last seller who finds one."""
    state = table.state
    asks = sorted(
        (order.price, power)
        for power, plan in plans.items()
        for order in plan
        if isinstance(order, Sell)
        for _ in range(order.n)
    )
    bids = sorted(
        (
            (-order.price, power)
            for power, plan in plans.items()
            for order in plan
            if isinstance(order, Buy)
            for _ in range(order.n)
        ),
    )
    pairs = [(ask, bid) for ask, bid in zip(asks, bids, strict=False) if ask[0] <= -bid[0]]
    if not pairs:
        return
    price = pairs[-1][0][0]
    sold, bought = [ask[1] for ask, _ in pairs], [bid[1] for _, bid in pairs]
    # A payment by agreement may have come in between; whoever cannot pay or deliver any more spoils only his own deal.
    amount = 0
    done: dict[str, list[int]] = {power: [0, 0] for power in (*sold, *bought)}
    for seller, buyer in zip(sold, bought, strict=True):
        if state.powers[seller].grain and state.powers[buyer].gold >= price:
            state.powers[seller].grain -= 1
            state.powers[seller].gold += price
            state.powers[buyer].grain += 1
            state.powers[buyer].gold -= price
            done[seller][0] += 1
            done[buyer][1] += 1
            amount += 1
    table.tell(MarketClosed(price=price, amount=amount, rule="2.3"))
    for power, (out, into) in done.items():
        if out or into:
            event = Traded(power=power, sold=out, bought=into, price=price, rule="2.3")
            table.tell(event, [state.hand(power)])


def sell_crown(table: Table[State]) -> None:
    """2.4: every third turn the highest bid wins a crown and is paid; a die decides among equals."""
    state = table.state
    bids = {power: n for power, n in state.bids.items() if state.powers[power].gold >= n}
    state.bids = {}
    if not bids or not state.crown_is_sold():
        return
    best = max(bids.values())
    tied = sorted(power for power, n in bids.items() if n == best)
    winner = tied[0]
    draws: tuple[str, ...] = ()
    if len(tied) > 1:
        draws = (f"t{state.turn}/crown",)
        winner = tied[(table.roll(draws[0], 1, 60, rule="2.4")[0] - 1) % len(tied)]
    state.powers[winner].gold -= best
    state.powers[winner].crowns += 1
    table.tell(CrownSold(power=winner, paid=best, rule="2.4", draws=draws))
