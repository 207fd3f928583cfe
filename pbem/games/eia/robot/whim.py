"""A robot that does anything legal."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import islice

from pbem.games.eia.board import borders, city
from pbem.games.eia.march import allowance, may_force, ways
from pbem.games.eia.orders import (
    Absorb,
    Besiege,
    BuildDepot,
    Detach,
    Enter,
    Forage,
    March,
    Nothing,
    Pay,
    Place,
    Raise,
    Toward,
)
from pbem.games.eia.questions import Campaign, Letter, Month, Muster, Revise
from pbem.games.eia.state import Corps, State
from pbem.games.eia.supply.depots import why_not
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

TRIES = 4
SOME = 40


def at_random(view: State, question: Question[State], whim: random.Random) -> Answer:
    """Anything legal."""
    if isinstance(question, Letter):
        return trimmed(view, question, _letter(view, question, whim))
    answers = list(islice(question.legal(view), SOME))
    return whim.choice(answers)


def trimmed(view: State, question: Question[State], orders: Iterable[Order]) -> Answer:
    """A letter without what is wrong in it."""
    answer = tuple(orders) or question.default(view)
    for _ in range(TRIES):
        wrong = {problem.order for problem in question.check(view, answer)}
        if not wrong:
            return answer
        answer = tuple(order for n, order in enumerate(answer) if n not in wrong) or question.default(view)
    return question.default(view)


def _letter(view: State, question: Letter, whim: random.Random) -> list[Order]:
    orders: list[Order] = []
    seat = question.seat
    if isinstance(question, (Month, Muster)):
        orders += _reinforcements(view, seat, whim)
    if isinstance(question, Muster):
        return orders or [Nothing()]
    powers = view.of_seat(seat)
    own = [corps for power in powers for corps in view.of(power)]
    for power in powers:
        near = {corps.area for corps in own if corps.power == power}
        around = sorted(near | {other for area in near for other, _ in borders(area)})
        good = [area for area in around if why_not(view, power, area) is None]
        if good and whim.random() < 0.5:
            orders.append(BuildDepot((whim.choice(good),), power))
    whim.shuffle(own)
    for corps in own:
        if whim.random() < 0.7:
            orders += _moves(view, corps, whim)
    for horse in view.horse.values():
        if horse.power in powers and not horse.inside and whim.random() < 0.5:
            reached = sorted(ways(view, horse, most=allowance(horse)).cost)
            orders.append(March((horse.id,), (whim.choice(reached),)))
    held = sorted({thing.area for thing in view.garrisons if view.seat_of(thing.power) != seat})
    orders += [Besiege((area,)) for area in held if whim.random() < 0.7]
    if whim.random() < 0.2 and own:
        orders.append(Forage((whim.choice(own).id,)))
    if whim.random() < 0.2:
        orders.append(Pay((), whim.randint(1, 6)))
    if isinstance(question, (Campaign, Revise)):
        orders = [order for order in orders if not isinstance(order, (Place, Raise))]
    return orders


def _moves(view: State, corps: Corps, whim: random.Random) -> list[Order]:
    if not view.free(corps):
        return []
    forced = may_force(corps) and whim.random() < 0.2
    reached = sorted(ways(view, corps, most=allowance(corps) + forced).cost)
    goal = whim.choice(reached)
    orders: list[Order] = []
    if whim.random() < 0.1:
        orders.append(Toward((corps.id,), whim.choice(sorted(view.control and _towns(view)))))
    elif goal != corps.area:
        orders.append(March((corps.id,), (goal,), "forced" if forced else ""))
    if whim.random() < 0.3 and corps.size > 1 and not corps.fixed:
        kind = whim.choice(sorted(corps.factors))
        orders.append(Detach(whim.randint(1, 3), kind, corps.id, whim.choice([goal, ""])))
    if whim.random() < 0.1:
        orders.append(Absorb(1, "I", corps.id, goal))
    if whim.random() < 0.1 and city(goal):
        orders.append(Enter((corps.id,)))
    return orders


def _towns(view: State) -> list[str]:
    from pbem.games.eia.board import AREAS

    return [area.id for area in AREAS.values() if area.city and view.plays(area.id)]


def _reinforcements(view: State, seat: str, whim: random.Random) -> list[Order]:
    """What may come, wherever it may go; what does not come is left out as wrong."""
    orders: list[Order] = []
    for power in view.of_seat(seat):
        off = view.available.get(power, [])
        here = view.of(power)
        if off and here and whim.random() < 0.3:
            orders.append(Raise(whim.choice(off), whim.choice(here).area))
        for corps in here:
            if whim.random() < 0.2:
                orders.append(Place(whim.randint(1, 3), whim.choice(("I", "M", "C")), corps.id))
    return orders
