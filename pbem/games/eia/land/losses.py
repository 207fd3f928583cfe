"""7.5.2.9.2, 12.3.6: which factors a side loses: by its owner's list, within the limits of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.games.eia.land.sides import CAVALRY, KINDS, LAST, Body, Side
from pbem.kernel.losses import proportional

FREE_BELOW = 20
"""7.5.2.9.2.1: militia may be chosen while the morale lost, this round's included, is below 2.0."""
EQUIVALENT = {"M": 6}
"""7.5.2.10.2.3: what pays for one lost cavalry factor: six militia, three other foot."""
FOOT_EQUIVALENT = 3
Lost = dict[str, int]
"""Factors by kind."""
Shares = dict[str, int]
"""Factors by nation."""
Settle = Callable[[Sequence[str], int], Sequence[str]]
"""12.3.6: which of equal nations lose the factors in dispute, so many of them."""


def in_turn(nations: Sequence[str], number: int) -> Sequence[str]:
    """The first of them; for forecasts, where no die is rolled."""
    return nations[:number]


def shares(counts: Shares, number: int, settle: Settle = in_turn) -> Shares:
    """12.3.6: losses in proportion to nationality, to the nearest; `settle` decides between equal claims."""
    total, ordered = sum(counts.values()), sorted(counts)
    forward = proportional({nation: counts[nation] for nation in ordered}, number)
    backward = proportional({nation: counts[nation] for nation in reversed(ordered)}, number)
    if forward == backward:
        return forward
    doubtful = next(nation for nation in ordered if forward.get(nation, 0) != backward.get(nation, 0))
    claim = number * counts[doubtful] % total
    equal = [nation for nation in ordered if number * counts[nation] % total == claim]
    places = sum(forward.get(nation, 0) - number * counts[nation] // total for nation in equal)
    first = list(settle(equal, places))
    return proportional({nation: counts[nation] for nation in dict.fromkeys([*first, *ordered])}, number)


def full_order(order: Iterable[str]) -> tuple[str, ...]:
    """A player's list, with all kinds that he left out behind it."""
    said = tuple(dict.fromkeys(kind for kind in order if kind in KINDS))
    return (*said, *(kind for kind in KINDS if kind not in said))


def order_of(side: Side, body: Body) -> tuple[str, ...]:
    """The list that decides about a body's factors: its owner's, else the commander's."""
    return side.orders.get(body.seat, side.order)


def lose(
    side: Side,
    number: int,
    *,
    bodies: Sequence[Body] | None = None,
    free: bool,
    cavalry: bool = False,
    by_nation: bool = True,
    settle: Settle = in_turn,
) -> Lost:
    """7.5.2.9.2, 7.5.2.9.2.1b: take factors from bodies that fight, or from those given; what was lost.

    `free`: militia may be chosen at will. `cavalry`: one of them must be cavalry, where there is any (7.5.2.9.2.2).
    """
    chosen = [body for body in (side.fighting if bodies is None else bodies) if body.size]
    number = min(number, sum(body.size for body in chosen))
    counts: Shares = {}
    for body in chosen:
        counts[body.nation] = counts.get(body.nation, 0) + body.size
    quota = shares(counts, number, settle) if by_nation else {"": number}
    lost: Lost = {}
    needed = cavalry and number > 0 and any(body.factors.get(kind) for body in chosen for kind in CAVALRY)
    if needed:
        riders = [body for body in chosen if any(body.factors.get(kind) for kind in CAVALRY)]
        body = next((b for b in riders if quota.get(b.nation if by_nation else "", 0)), riders[0])
        nation = body.nation if by_nation else ""
        if not quota.get(nation):
            # No nation with cavalry loses anything by its share: the rule of the cavalry comes first.
            giver = max(quota, key=lambda name: (quota[name], name))
            quota[giver] -= 1
            quota[nation] = 1
        rider = [b for b in riders if b.nation == body.nation or not by_nation]
        _take(side, rider, 1, CAVALRY, lost)
        quota[nation] -= 1
    for nation, share in quota.items():
        own = [body for body in chosen if not nation or body.nation == nation]
        for kinds in _choices(side, own, free=free):
            if share <= 0:
                break
            share -= _take(side, own, share, kinds, lost)
    return lost


def _choices(side: Side, bodies: Sequence[Body], *, free: bool) -> list[tuple[str, ...]]:
    """7.5.2.9.2.1a: the kinds to lose in turn: by the owner's list, militia last once it may no longer be chosen."""
    order = order_of(side, bodies[0]) if bodies else KINDS
    order = full_order(order)
    if not free:
        order = (*(kind for kind in order if kind not in LAST), *(kind for kind in order if kind in LAST))
    return [(kind,) for kind in order]


def _take(side: Side, bodies: Sequence[Body], number: int, kinds: Sequence[str], lost: Lost) -> int:
    """Factors of some kinds, each from the body that has most of them; returns how many were found."""
    taken = 0
    wanted = [kind for kind in full_order(side.order) if kind in kinds]
    for kind in wanted:
        while taken < number:
            have = [body for body in bodies if body.factors.get(kind)]
            if not have:
                break
            # Whoever has a factor beside it first: no counter leaves the map before it must.
            body = max(have, key=lambda body: (body.size > 1, body.factors[kind], body.size, body.id))
            body.take(kind, 1)
            lost[kind] = lost.get(kind, 0) + 1
            taken += 1
    return taken


def price(kind: str) -> int:
    """7.5.2.10.2.3: how many factors of a kind pay for one cavalry-equivalent."""
    return 1 if kind in CAVALRY else EQUIVALENT.get(kind, FOOT_EQUIVALENT)


def pursued(side: Side, equivalents: int) -> Lost:
    """7.5.2.10.2.3: a beaten side pays so many cavalry-equivalents, by its list; what pays no whole one is lost."""
    lost: Lost = {}
    for _ in range(equivalents):
        if not _pay(side, lost):
            for body in side.bodies:
                for kind, number in list(body.factors.items()):
                    body.take(kind, number)
                    lost[kind] = lost.get(kind, 0) + number
            break
    return lost


def _pay(side: Side, lost: Lost) -> bool:
    """One equivalent: of the first kind on the list that can pay it alone; foot of several kinds together else."""
    bodies = [body for body in side.bodies if body.size]
    order = full_order(side.order)
    for kind in order:
        if sum(body.factors.get(kind, 0) for body in bodies) >= price(kind):
            _take(side, bodies, price(kind), (kind,), lost)
            return True
    foot = [kind for kind in order if price(kind) == FOOT_EQUIVALENT]
    if sum(body.factors.get(kind, 0) for body in bodies for kind in foot) >= FOOT_EQUIVALENT:
        _take(side, bodies, FOOT_EQUIVALENT, foot, lost)
        return True
    return _mixed(bodies, order, lost)


def _mixed(bodies: Sequence[Body], order: Sequence[str], lost: Lost) -> bool:
    """Militia and other foot together: two militia stand for one of the others."""
    worth = sum(body.factors.get(kind, 0) * 6 // price(kind) for body in bodies for kind in order)
    if worth < 6:
        return False
    paid = 0
    for kind in order:
        for body in bodies:
            while paid < 6 and body.factors.get(kind):
                body.take(kind, 1)
                lost[kind] = lost.get(kind, 0) + 1
                paid += 6 // price(kind)
    return True
