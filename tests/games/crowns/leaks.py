"""Random games of seven with planted secrets: whatever a seat is shown is searched for the secrets of the others.

python -m tests.games.crowns.leaks 1000 1         # so many games, from that seed
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from pbem import games
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.agreement import Agreement, Clause, Denounce, Sign, Withdraw, deposit_key
from pbem.kernel.chance import Recorded
from pbem.kernel.event import Told
from pbem.kernel.game import LETTER, Game, Given, state_bytes
from pbem.orders.forms import form_lines
from pbem.reports.catalogue import catalogue

SHARE = 0.2
"""Of the steps after which everything is searched."""
PLANTED = 70_000


def shown(game: Game[Any], seat: str | None, told: list[Told], lang: str) -> Iterator[str]:
    """Everything that a letter to a seat is made of."""
    rules, view, words = game.rules, game.view(seat), catalogue(lang, game.rules)
    yield state_bytes(view).decode()
    yield from (words.event(one.event, seat or "") for one in told if one.known_to(seat))
    yield from (words.event(event, seat or "") for event in rules.status(view, seat))
    yield msgspec.json.encode(rules.drawing(view, seat, lang)).decode()
    if rules.digest is not None:
        known = [one for one in told if one.known_to(seat)]
        yield from (words.event(one.event, seat or "") for one in rules.digest(view, seat or "", known))
    for question in game.open_to(seat) if seat else ():
        yield words.question(question, view)
        for lines in form_lines(question, view, rules.vocabulary, lang):
            yield from lines
    for question in game.questions.values():
        yield words.question_name(question)


def secrets(game: Game[Any], sealed: dict[str, set[str]]) -> dict[str, set[str]]:
    """What nobody but each seat may see."""
    found: dict[str, set[str]] = {seat: set(sealed.get(seat, ())) for seat in game.state.seats}
    for power in game.state.powers.values():
        if power.hand:
            found[power.hand] |= {power.cipher, *([str(power.gold)] if power.gold > PLANTED / 2 else [])}
    return found


def treaty(game: Game[Any], rng: random.Random, n: int, sealed: dict[str, set[str]]) -> None:
    """A seat signs, withdraws or denounces something."""
    state = game.state
    alive = [seat for seat in state.seats if seat not in state.dead()]
    seat = rng.choice(alive)
    offers = [one.agreement for one in state.agreements.offers if seat in one.agreement.parties]
    order: Sign | Withdraw | Denounce
    if offers and rng.random() < 0.5:
        order = Sign(rng.choice(offers))
    elif offers and rng.random() < 0.3:
        order = Withdraw(offers[0].n)
    elif state.agreements.binding and rng.random() < 0.3:
        order = Denounce(state.agreements.binding[0].agreement.n)
    elif len(alive) > 1:
        parties = rng.sample(alive, rng.choice((2, min(3, len(alive)))))
        clauses = [Clause("peace", '{"order":"peace"}'), Clause(f"promise {n} sealed by {seat}s hand")]
        order = Sign(
            Agreement(n, tuple(one for one in state.seats if one in {*parties, seat}), tuple(clauses))
        )
        if len(order.agreement.parties) < 2:
            return
    else:
        return
    number = order.agreement.n if isinstance(order, Sign) else order.n
    if state.agreements.problem(seat, order) is None:
        game.give(Given(deposit_key(number, seat), seat, (order,), LETTER))


def sealed_words(game: Game[Any]) -> dict[str, set[str]]:
    """The words of agreements that are not in force, with those who have signed them."""
    found: dict[str, set[str]] = {}
    for offer in game.state.agreements.offers:
        for seat in game.state.seats:
            if seat in offer.signed:
                found.setdefault(seat, set()).add(offer.agreement.clauses[-1].text)
    return found


def play(seed: int) -> int:
    """A game, searched on its way; how many decisions it took. Raises AssertionError where something leaks."""
    rules = games.load("crowns")
    rng = random.Random(seed)
    scenario = rng.choice(("seven", "seven", "seven", "five", "three"))
    game = Game.start(rules, scenario, {"turns": "4"}, Recorded(beyond=Seeded(seed)))
    for n, power in enumerate(game.state.powers.values()):
        power.gold = PLANTED + 1013 * n
    game.forget_views()
    told: list[Told] = []
    steps = 0
    while not game.over:
        told += game.take_told()
        if rng.random() < 0.3:
            treaty(game, rng, steps + 1, {})
        if rng.random() < SHARE:
            search(game, told[-80:], rng.choice(("en", "fr")))
        question = rng.choice([q for q in game.questions.values() if not game.answered(q.key)])
        answer = rules.robots["random"](game.view(question.seat), question, rng)
        assert not question.check(game.view(question.seat), answer), answer
        game.give(Given(question.key, question.seat, answer, LETTER))
        broken = rules.invariants(game.state)
        assert not broken, broken
        steps += 1
    search(game, told[-200:], "en")
    return steps


def search(game: Game[Any], told: list[Told], lang: str) -> None:
    """Whether anything that is shown to a seat, or to somebody without one, holds a secret of another."""
    hidden = secrets(game, {})
    sealed = sealed_words(game)
    for reader in (*game.state.seats, None):
        text = "\n".join(shown(game, reader, told, lang))
        for owner, words in hidden.items():
            if owner != reader:
                for word in words:
                    assert word not in text, f"{reader} sees {word!r} of {owner}"
        for owner, words in sealed.items():
            for word in words:
                if owner != reader and word not in sealed.get(reader or "", ()):
                    assert word not in text, f"{reader} sees {word!r}, which {owner} has sealed"


if __name__ == "__main__":
    number, first = int(sys.argv[1]), int(sys.argv[2])
    decisions = sum(play(first + n) for n in range(number))
    print(f"{number} games from seed {first}, {decisions} decisions: no leak")
