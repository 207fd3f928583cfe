"""3, 4, 9: hands, the command phase, orders within the card, and drawing."""

from __future__ import annotations

from pbem.games.ccn import board, charts, effects
from pbem.games.ccn.effects import Effect, Section
from pbem.games.ccn.events import CardDrawn, CardsDrawn, PileShuffled
from pbem.games.ccn.state import Held, Leader, Played, State, Unit
from pbem.kernel.problem import Params, Problem
from pbem.kernel.table import Table

COUNTER, FORCE_MARCH, FIRST_STRIKE = "counter_attack", "force_march", "first_strike"
ELAN, RALLY, SUPPLY, MANOEUVRE = "elan", "rally", "short_supply", "la_grande_manoeuvre"


def held(state: State, seat: str, card: str) -> Held | None:
    """The first copy of a card in a hand."""
    return next((item for item in state.hands[seat] if item.card == card), None)


def takes_effect_as(state: State, seat: str, card: str, section: str) -> Played:
    """10.3.4: a COUNTER-ATTACK is read as the card that it copies, on the same physical side (R49)."""
    if card != COUNTER:
        return Played(card, section if card == FORCE_MARCH else "")
    copied = state.last.get(state.enemy(seat))
    if copied is None:
        return Played(FIRST_STRIKE)
    name = copied.card
    for near, far in (("left", "right"), ("right", "left")):
        if copied.card.endswith(f"_{near}"):
            name = f"{copied.card.removesuffix(near)}{far}"
    return Played(name, board.MIRROR.get(copied.section, ""))


def command_strength(state: State, seat: str) -> int:
    """3.4: cards in hand, the one about to be played included; not those on the square track (R07)."""
    return len(state.hands[seat])


def lay(state: State, seat: str, card: str, section: str, one_unit: bool) -> Held:
    """3.1, 3.2: put a card on the table and bring it into force. It is known to be in the hand."""
    item = held(state, seat, card)
    assert item is not None
    state.strength = command_strength(state, seat)
    state.command = takes_effect_as(state, seat, card, section)
    state.fallback = one_unit or effects.finds_nobody(state, seat, state.command)
    state.hands[seat] = [other for other in state.hands[seat] if other is not item]
    state.table = [*state.table, item]
    return item


class Claim:
    """4.1: an order given to a unit or a leader, charged to a section where the player says so (R47)."""

    __slots__ = ("leader", "section", "sections", "unit")

    def __init__(
        self, sections: tuple[str, ...], unit: Unit | None, leader: Leader | None, section: str = ""
    ) -> None:
        self.sections = sections
        self.unit = unit
        self.leader = leader
        self.section = section


class Claims:
    """4: the orders of a turn, within the card in force."""

    def __init__(self, state: State, seat: str) -> None:
        self.state = state
        self.seat = seat
        self.force: Effect = effects.in_force(state)
        self.claims: list[Claim] = []
        self.granted: list[str] | None = None
        """4.6: units and leaders whom the dice of ELAN or RALLY have ordered; None before the dice."""
        place = state.place(seat)
        self.sections = {
            piece.id: board.sections(piece.hex, place) for piece in state.pieces() if piece.side == seat
        }

    def order(self, unit: Unit, section: str = "") -> Problem | None:
        """4.1, 4.2, 4.3, 4.5: order a unit, its leader with it; what forbids it, if anything."""
        known = next((claim for claim in self.claims if claim.unit is unit), None)
        if known is not None:
            return None
        params: Params = {"hex": unit.hex}
        if self.force.everyone:
            return None if unit.ordered else Problem("card_does_not_order", self.force.rule, params=params)
        if self.granted is not None:
            if unit.id not in self.granted:
                return Problem("not_ordered", "4.6", params=params)
            unit.ordered = True
            return None
        if not self.force.finds(self.state, unit):
            return Problem("card_does_not_order", self.force.rule, params=params)
        claim = Claim(self.sections[unit.id], unit, None, section)
        problem = self._admit(claim, params)
        if problem is None:
            unit.ordered = True
        return problem

    def order_leader(self, leader: Leader) -> Problem | None:
        """4.4, 4.7, 4.8: order a leader by himself (R08)."""
        params: Params = {"hex": leader.hex, "leader": leader.id}
        if leader.ordered:
            return None
        unit = self.state.unit_at(leader.hex)
        if not self.force.leaders:
            return Problem("card_without_bicorne", "4.4", params=params)
        if unit is not None and unit.square:
            return Problem("leader_in_square", "4.7", params=params)
        if self.granted is not None:
            if leader.id not in self.granted:
                return Problem("not_ordered", "4.6", params=params)
            leader.ordered = True
            return None
        problem = None
        if not self.force.everyone:
            problem = self._admit(Claim(self.sections[leader.id], None, leader), params)
        if problem is None:
            leader.ordered = True
        return problem

    def _admit(self, claim: Claim, params: Params) -> Problem | None:
        force = self.force
        if isinstance(force, Section):
            if claim.section and claim.section not in claim.sections:
                return Problem("not_in_section", "4.5", params={**params, "section": claim.section})
            if not any(section in force.quotas for section in claim.sections):
                where = tuple(force.quotas)
                return Problem("not_in_section", "3.2", params={**params, "section": where[0]})
            if not self._fits([*self.claims, claim], force.quotas):
                return Problem("card_orders_fewer", "4.1", params={**params, "most": force.most})
        elif force.by_dice:
            if force.leaders is False and claim.leader is not None:
                return Problem("card_without_bicorne", "4.4", params=params)
        elif not force.everyone and len(self.claims) >= force.most:
            return Problem("card_orders_fewer", force.rule, params={**params, "most": force.most})
        self.claims.append(claim)
        return None

    def _fits(self, claims: list[Claim], quotas: dict[str, int]) -> bool:
        """R47: whether the claims can be charged to the sections, each to one that it lies in."""
        charged: dict[str, list[Claim]] = {section: [] for section in quotas}

        def charge(claim: Claim, seen: set[str]) -> bool:
            for section in (claim.section,) if claim.section else claim.sections:
                if section not in quotas or section in seen:
                    continue
                seen.add(section)
                if len(charged[section]) < quotas[section]:
                    charged[section].append(claim)
                    return True
                for other in charged[section]:
                    if charge(other, seen):
                        charged[section].remove(other)
                        charged[section].append(claim)
                        return True
            return False

        return all(charge(claim, set()) for claim in claims)


def deal_hands(table: Table[State]) -> None:
    """2.5: shuffle the seventy cards and deal each side its number."""
    state = table.state
    shuffle(table, "deck", list(charts.deck()), rule="2.5")
    for seat in (state.first, state.enemy(state.first)):
        for _ in range(state.cards[seat]):
            state.hands[seat].append(take(table, seat))
        _tell_drawn(table, seat, [item.card for item in state.hands[seat]])


def shuffle(table: Table[State], label: str, cards: list[str], *, rule: str) -> None:
    """9.3: a new pile, in an order that nobody knows."""
    state = table.state
    state.pile = table.shuffle(label, sorted(cards), rule=rule, secret=True)
    state.pile_label, state.dealt = label, 0
    table.tell(PileShuffled(cards=len(state.pile), rule=rule, draws=(label,)))


def take(table: Table[State], seat: str) -> Held:
    """The top card of the pile, shown to its drawer; an empty pile is made anew from the discards."""
    state = table.state
    if not state.pile:
        cards, state.discards = state.discards, []
        shuffle(table, f"t{state.turn}/deck", cards, rule="9.3")
    item = Held(state.pile.pop(0), state.pile_label, state.dealt)
    state.dealt += 1
    table.deal(item.pile, item.place, to=seat)
    return item


def show(table: Table[State], item: Held) -> None:
    """1.10: a card that everyone sees from now on, with its proof (R04)."""
    if item.pile:
        table.deal(item.pile, item.place, to=None)


def draw(table: Table[State], seat: str) -> None:
    """9.1: draw one card."""
    item = take(table, seat)
    table.state.hands[seat].append(item)
    _tell_drawn(table, seat, [item.card])


def _tell_drawn(table: Table[State], seat: str, cards: list[str]) -> None:
    hand = len(table.state.hands[seat])
    table.tell(CardDrawn(seat=seat, cards=tuple(cards), hand=hand, rule="9.1"), to=[seat])
    others = [table.state.enemy(seat)]
    table.tell(CardsDrawn(seat=seat, number=len(cards), hand=hand, rule="9.1"), to=others)


def discard_table(table: Table[State]) -> None:
    """9.1, 9.3: the cards played are discarded; ELAN then shuffles pile and discards together (R46)."""
    state = table.state
    state.discards += [item.card for item in state.table]
    state.table = []
    if state.command is not None and state.command.card == ELAN and not state.fallback:
        cards, state.discards = state.pile + state.discards, []
        shuffle(table, f"t{state.turn}/deck", cards, rule="9.3")


def scouts(state: State) -> bool:
    """9.2: whether the card in force lets its player draw two and keep one."""
    return state.command is not None and state.command.card.startswith(effects.SCOUT)


def best_kept(cards: list[str], wishes: tuple[str, ...]) -> str:
    """9.2: which of the drawn cards a list of wishes keeps: the first one listed, else the first drawn."""
    ranked = [card for card in wishes if card in cards]
    return ranked[0] if ranked else cards[0]
