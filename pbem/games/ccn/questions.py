"""8.4, 13: the decision points. All work on the seat's view; none shows whether a card is held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.ccn import assign, battle, board, cards, cavalry, effects, plan, routes, squares, supply
from pbem.games.ccn.orders import (
    AFTER_DICE,
    TURN,
    Activate,
    BattleBack,
    GiveWay,
    Halt,
    Keep,
    NoBattleBack,
    Play,
    Retire,
    Ride,
    Settle,
    Square,
    Stand,
    Strike,
    TakeGround,
)
from pbem.games.ccn.standing import (
    ALL,
    ALWAYS,
    CLEAR,
    FAR,
    HEAVY,
    LEAVE,
    LEFT,
    NEVER,
    RIGHT,
    AdvancePolicy,
    BackPolicy,
    FlagPolicy,
    LeaderPolicy,
    RetirePolicy,
    RetreatPolicy,
    ScoutPolicy,
    SquarePolicy,
    StandPolicy,
    StrikePolicy,
    SupplyPolicy,
    concerns,
)
from pbem.games.ccn.state import Leader, State, Unit
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.plan import Planned
from pbem.kernel.policy import Policy, as_said, usual
from pbem.kernel.problem import Params, Problem
from pbem.kernel.question import Question


class Turn(Planned[State], frozen=True, kw_only=True):
    """3, 4, 5, 6, 7: a whole turn in one plan: card, orders, moves, and the plan of the combats."""

    turn: int = 0
    most_orders = 60
    orders = TURN
    plans = True
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        """Every card by itself; robots write whole plans."""
        for card in dict.fromkeys(item.card for item in view.hands[self.seat]):
            yield (Play(card),)

    def rehearsed(self, view: State, answer: Answer) -> list[Problem]:
        return plan.rehearsed(view, self.seat, answer).problems

    def default(self, view: State) -> Answer:
        """Silence: the card that is worth least and asks for nothing more, and everybody holds."""
        hand = [item.card for item in view.hands[self.seat]]
        return (Play(min(hand, key=lambda card: (card in (cards.ELAN, cards.RALLY), worth(card)))),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return plan.facts(view, self.seat)


def worth(card: str) -> tuple[int, str]:
    """A rough rank of the cards, the least first: what silence plays, and what a Scout keeps last."""
    force = effects.effect(card, "center", 4)
    base = force.most + (3 if force.everyone or force.by_dice else 0)
    return base + (4 if card in _KEPT_BACK else 0), card


_KEPT_BACK = ("first_strike", "la_grande_manoeuvre", "short_supply", "counter_attack")


class Assign(Planned[State], frozen=True, kw_only=True):
    """4.6: whom the dice of ELAN or RALLY order and what these do, where the plan has left it open."""

    card: str
    faces: tuple[str, ...]
    most_orders = 60
    orders = AFTER_DICE
    plans = True

    def legal(self, view: State) -> Iterator[Answer]:
        """Nobody, or any one unit; robots and people who want more have written it before the dice."""
        yield assign.NOBODY
        for unit in view.army(self.seat):
            answer = (Activate((unit.hex,)),)
            if not self.check(view, answer):
                yield answer

    def rehearsed(self, view: State, answer: Answer) -> list[Problem]:
        return assign.after_dice(view, self.seat, self.faces, answer).problems

    def facts(self, view: State) -> Mapping[str, Fact]:
        return plan.facts(view, self.seat)


class Reply(Question[State], frozen=True, kw_only=True):
    """A question that policies answer: of each kind the first that concerns the piece (13)."""

    first_of_kind = True

    def piece(self, view: State) -> Unit | None:
        """The unit that the question is about."""
        return None

    def concerns(self, view: State, standing: Order) -> bool:
        piece = self.piece(view)
        return piece is None or concerns(standing, piece)


def _always(question: Question[State], view: State, order: RetirePolicy) -> bool:
    return order.when == ALWAYS


class Reaction(Reply, frozen=True, kw_only=True):
    """8.4: the answer to a declared melee: stand, first strike, retire or square (R42)."""

    attacker: str
    unit: str
    bonus: bool = False
    orders = (Stand, Strike, Square, Retire)

    def _forms_square(self, view: State, order: SquarePolicy) -> bool:
        return order.when == ALWAYS or (order.when == HEAVY and bool(self.facts(view)["heavy"]))

    def _strikes_first(self, view: State, order: StrikePolicy) -> bool:
        return order.when == ALWAYS and cards.held(view, self.seat, cards.FIRST_STRIKE) is not None

    policies = (
        Policy(
            SquarePolicy,
            (Square(),),
            at_least={"hand": "hand"},
            given=_forms_square,
        ),
        Policy(
            StrikePolicy,
            (Strike(),),
            at_least={"dice": "dice"},
            given=_strikes_first,
        ),
        Policy(RetirePolicy, (Retire(),), below={"blocks": "blocks"}, given=_always),
        Policy(StandPolicy, (Stand(),)),
    )

    def count(self, view: State) -> tuple[int, int]:
        return (1, 2 if view.on("first_strike_with_square") else 1)

    def piece(self, view: State) -> Unit | None:
        return view.units[self.unit]

    def _may_strike(self, view: State) -> bool:
        """8.5.1: offered alike whether or not the card is held; not where a square strikes first anyway."""
        unit, attacker = view.units[self.unit], view.units[self.attacker]
        return bool(view.hands[self.seat]) and not (unit.square and attacker.arm == "cavalry")

    def _ways(self, view: State) -> list[tuple[str, ...]]:
        unit, attacker = view.units[self.unit], view.units[self.attacker]
        if unit.arm != "cavalry" or attacker.arm != "infantry":
            return []
        return routes.retires(view, unit)

    def _may_square(self, view: State) -> bool:
        return squares.may_form(view, view.units[self.unit], view.units[self.attacker])

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Stand(),)
        if self._may_strike(view):
            yield (Strike(),)
        if self._may_square(view):
            yield (Square(),)
            if view.on("first_strike_with_square"):
                yield (Square(), Strike())
        for way in self._ways(view):
            yield (Retire(way),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        if answer == (Retire(),) and self._ways(view):
            return []
        problems = super().check(view, answer)
        if not problems:
            return []
        asked = answer[0] if answer else Stand()
        hex = view.units[self.unit].hex
        code = {Square: "no_square", Retire: "no_retire"}.get(type(asked), "not_possible")
        rule = {"no_square": "8.2.2", "no_retire": "8.1.2"}.get(code, "8.4")
        return [Problem(code, rule, params={"hex": hex}, nearest=(Stand(),))]

    def default(self, view: State) -> Answer:
        """Square with four cards or more in hand; otherwise stand."""
        if self._may_square(view) and len(view.hands[self.seat]) >= 4:
            return (Square(),)
        return (Stand(),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        unit, attacker = view.units[self.unit], view.units[self.attacker]
        return {
            "attacker": attacker.type,
            "attacker_hex": attacker.hex,
            "attacker_arm": attacker.arm,
            "heavy": attacker.kind.heavy_type,
            "attacker_blocks": attacker.blocks,
            "attack_dice": battle.melee_dice(view, attacker, unit.hex, bonus=self.bonus).number,
            "unit": unit.type,
            "hex": unit.hex,
            "arm": unit.arm,
            "blocks": unit.blocks,
            "dice": battle.melee_dice(view, unit, attacker.hex, back=True).number,
            "hand": len(view.hands[self.seat]),
            "leader": view.leader_of(unit) is not None,
            "bonus": self.bonus,
        }


class Flags(Reply, frozen=True, kw_only=True):
    """7.5, 7.6: flags to ignore and the way of the retreat."""

    unit: str
    flags: int
    may_ignore: int
    orders = (GiveWay,)
    policies = (Policy(FlagPolicy, usual), Policy(RetreatPolicy, usual))

    def piece(self, view: State) -> Unit | None:
        return view.units[self.unit]

    def steps(self, view: State, ignored: int) -> int:
        """7.5.1, 7.6.3: hexes to retreat when so many flags are ignored (R29: militia three each)."""
        return (self.flags - ignored) * view.units[self.unit].kind.retreat_per_flag

    def legal(self, view: State) -> Iterator[Answer]:
        unit = view.units[self.unit]
        for ignored in range(min(self.flags, self.may_ignore), -1, -1):
            for way in routes.retreats(view, unit, self.steps(view, ignored)):
                yield (GiveWay(ignored, way),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        problems = super().check(view, answer)
        order = answer[0] if answer else None
        if problems and isinstance(order, GiveWay) and order.ignore > self.may_ignore:
            params: Params = {"most": self.may_ignore}
            return [Problem("too_many_ignored", "7.6.1", params=params, nearest=self.default(view))]
        if problems:
            return [Problem("no_such_retreat", "7.5.2", nearest=self.default(view))]
        return []

    def default(self, view: State) -> Answer:
        return self._give(view, min(self.flags, self.may_ignore), "")

    def _give(self, view: State, ignored: int, way: str) -> Answer:
        unit, steps = view.units[self.unit], self.steps(view, ignored)
        ways = routes.retreats(view, unit, steps)
        best = routes.safest(view, unit, steps, ways)
        if way in (LEFT, RIGHT):
            hand = 1 if (way == RIGHT) == (view.place(self.seat) == board.BOTTOM) else -1
            least = routes.missing(view, unit, steps, best)
            ways = [one for one in ways if routes.missing(view, unit, steps, one) == least]
            best = max(ways, key=lambda one: hand * sum(board.X[hex] for hex in one))
        return (GiveWay(ignored, best),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        unit = view.units[self.unit]
        return {
            "flags": self.flags,
            "may_ignore": self.may_ignore,
            "unit": unit.type,
            "arm": unit.arm,
            "hex": unit.hex,
            "blocks": unit.blocks,
            "leader": view.leader_of(unit) is not None,
        }

    def follow(self, view: State, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        """How many flags and which way are two policies; one answer follows both."""
        found = super().follow(view, standing)
        if found is None or not isinstance(found[1], (FlagPolicy, RetreatPolicy)):
            return found
        mine = [order for order in standing if self.concerns(view, order)]
        flags = next((order.how for order in mine if isinstance(order, FlagPolicy)), ALL)
        way = next((order.way for order in mine if isinstance(order, RetreatPolicy)), "")
        ignored = min(self.flags, self.may_ignore) if flags == ALL else 0
        return self._give(view, ignored, way), found[1]


class LeaderWay(Reply, frozen=True, kw_only=True):
    """7.7, 7.8: where a leader rides who cannot stay."""

    leader: str
    orders = (Ride,)

    def man(self, view: State) -> Leader:
        """The leader."""
        return view.leaders[self.leader]

    def legal(self, view: State) -> Iterator[Answer]:
        return ((Ride(way),) for way in routes.leader_ways(view, self.man(view)))

    def default(self, view: State) -> Answer:
        leader = self.man(view)
        return (Ride(routes.safest_ride(view, leader, routes.leader_ways(view, leader))),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        ways = routes.leader_ways(view, self.man(view))
        least = min((routes.danger(view, self.man(view), way) for way in ways), default=0)
        return {"leader": self.leader, "hex": self.man(view).hex, "danger": least}

    def _ride(self, view: State, standing: LeaderPolicy) -> Answer:
        leader = self.man(view)
        ways = routes.leader_ways(view, leader)
        safe = min(routes.danger(view, leader, way) for way in ways)
        ways = [way for way in ways if routes.danger(view, leader, way) == safe]
        off = [way for way in ways if way[-1] == board.OFF]
        if standing.how == LEAVE and off:
            return (Ride(min(off, key=len)),)
        stay = [way for way in ways if way[-1] != board.OFF]
        if standing.how == FAR and stay:
            return (Ride(max(stay, key=lambda way: (len(way), -routes.off_centre(way[-1])))),)
        return (Ride(routes.safest_ride(view, leader, ways)),)

    policies = (Policy(LeaderPolicy, _ride),)


class Riposte(Reply, frozen=True, kw_only=True):
    """6.7: whether a unit battles back."""

    unit: str
    attacker: str
    orders = (BattleBack, NoBattleBack)
    policies = (
        Policy(
            BackPolicy,
            (BattleBack(),),
            at_least={"dice": "dice"},
            given=lambda self, view, order: order.when != NEVER,
            otherwise=(NoBattleBack(),),
        ),
    )

    def piece(self, view: State) -> Unit | None:
        return view.units[self.unit]

    def legal(self, view: State) -> Iterator[Answer]:
        yield (BattleBack(),)
        yield (NoBattleBack(),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        unit, attacker = view.units[self.unit], view.units[self.attacker]
        return {
            "attacker": attacker.type,
            "attacker_hex": attacker.hex,
            "attacker_arm": attacker.arm,
            "unit": unit.type,
            "hex": unit.hex,
            "blocks": unit.blocks,
            "dice": battle.melee_dice(view, unit, attacker.hex, back=True).number,
        }


class Advance(Reply, frozen=True, kw_only=True):
    """7.1, 7.2, 7.3: what a victorious unit does, where its player's plan does not say."""

    unit: str
    hex: str
    bonus: bool = False
    orders = (TakeGround, Halt)

    def piece(self, view: State) -> Unit | None:
        return view.units[self.unit]

    def legal(self, view: State) -> Iterator[Answer]:
        return ((order,) for order in cavalry.choices(view, view.units[self.unit], self.hex, self.bonus))

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """One of the choices; guns that have not battled may join the bonus melee (R25)."""
        order = answer[0] if len(answer) == 1 else None
        if not (isinstance(order, TakeGround) and order.bonus and order.guns) or self.bonus:
            return super().check(view, answer)
        stuck = cavalry.why_no_bonus_with(view, view.units[self.unit], self.hex, order)
        return [stuck] if stuck is not None else []

    def facts(self, view: State) -> Mapping[str, Fact]:
        unit = view.units[self.unit]
        return {
            "unit": unit.type,
            "arm": unit.arm,
            "hex": unit.hex,
            "blocks": unit.blocks,
            "vacated": self.hex,
            "ground": view.ground(self.hex),
        }

    def _advance(self, view: State, standing: AdvancePolicy) -> Answer:
        go = standing.when == ALWAYS or (standing.when == CLEAR and view.ground(self.hex) == "clear")
        possible = any(answer == (TakeGround(),) for answer in self.legal(view))
        return (TakeGround(),) if go and possible else (Halt(),)

    policies = (Policy(AdvancePolicy, _advance),)


class Scout(Reply, frozen=True, kw_only=True):
    """9.2: which of two cards to keep; only its seat sees them, and nobody may see that they are alike."""

    orders = (Keep,)
    discreet = True

    def legal(self, view: State) -> Iterator[Answer]:
        for card in dict.fromkeys(item.card for item in view.drawn):
            yield (Keep((card,)),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """Any list of cards will do: the first that was drawn is kept."""
        return [] if len(answer) == 1 and isinstance(answer[0], Keep) else [Problem("not_possible", "9.2")]

    def _better(self, view: State, standing: Order) -> Answer:
        return (Keep((max((item.card for item in view.drawn), key=worth),)),)

    policies = (Policy(Keep, as_said), Policy(ScoutPolicy, _better))


class SupplyHex(Reply, frozen=True, kw_only=True):
    """10.3.13: where a unit goes that SHORT SUPPLY sends back; its owner decides."""

    unit: str
    orders = (Settle,)
    policies = (Policy(SupplyPolicy, usual),)

    def piece(self, view: State) -> Unit | None:
        return view.units[self.unit]

    def legal(self, view: State) -> Iterator[Answer]:
        return ((Settle(hex),) for hex in supply.hexes(view, view.units[self.unit]))

    def facts(self, view: State) -> Mapping[str, Fact]:
        unit = view.units[self.unit]
        return {"unit": unit.type, "hex": unit.hex}


QUESTIONS: tuple[type[Question[State]], ...] = (
    Turn,
    Assign,
    Reaction,
    Flags,
    LeaderWay,
    Riposte,
    Advance,
    Scout,
    SupplyHex,
)
