"""8.4, 13: the decision points. All work on the seat's view; none shows whether a card is held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.ccn import assign, battle, board, cards, cavalry, effects, letter, routes, squares, supply
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
    POLICIES,
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
from pbem.kernel.order import Answer, AskMe, Fact, Order, When
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question


class Turn(Question, frozen=True, kw_only=True):
    """3, 4, 5, 6, 7: a whole turn in one letter: card, orders, moves, and the plan of the combats."""

    turn: int = 0
    orders = TURN
    plans = True

    def count(self, view: State) -> tuple[int, int]:
        return (1, 60)

    def legal(self, view: State) -> Iterator[Answer]:
        """Every card by itself; robots write whole letters."""
        for card in dict.fromkeys(item.card for item in view.hands[self.seat]):
            yield (Play(card),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """What is wrong with the letter, line by line: the letter is tried out on a copy of the position."""
        return letter.dry_run(view, self.seat, answer).problems

    def default(self, view: State) -> Answer:
        """Silence: the card that is worth least and asks for nothing more, and everybody holds."""
        hand = [item.card for item in view.hands[self.seat]]
        return (Play(min(hand, key=lambda card: (card in (cards.ELAN, cards.RALLY), worth(card)))),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return letter.facts(view, self.seat)

    def only(self, view: State) -> Answer | None:
        return None


def worth(card: str) -> tuple[int, str]:
    """A rough rank of the cards, the least first: what silence plays, and what a Scout keeps last."""
    force = effects.effect(card, "center", 4)
    base = force.most + (3 if force.everyone or force.by_dice else 0)
    return base + (4 if card in _KEPT_BACK else 0), card


_KEPT_BACK = ("first_strike", "la_grande_manoeuvre", "short_supply", "counter_attack")


class Assign(Question, frozen=True, kw_only=True):
    """4.6: whom the dice of ELAN or RALLY order and what these do, where the letter has left it open."""

    card: str
    faces: tuple[str, ...]
    orders = AFTER_DICE
    plans = True

    def count(self, view: State) -> tuple[int, int]:
        return (1, 60)

    def legal(self, view: State) -> Iterator[Answer]:
        """Nobody, or any one unit; robots and people who want more have written it before the dice."""
        yield assign.NOBODY
        for unit in view.army(self.seat):
            answer = (Activate((unit.hex,)),)
            if not self.check(view, answer):
                yield answer

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """What is wrong with the orders, line by line: they are tried out with these dice."""
        return assign.after_dice(view, self.seat, self.faces, answer).problems

    def facts(self, view: State) -> Mapping[str, Fact]:
        return letter.facts(view, self.seat)


class Reply(Question, frozen=True, kw_only=True):
    """A question that policies answer: of each kind the first that concerns the piece (13)."""

    def piece(self, view: State) -> Unit | None:
        """The unit that the question is about."""
        return None

    def only(self, view: State) -> Answer | None:
        answers = [answer for _, answer in zip(range(2), self.legal(view), strict=False)]
        return answers[0] if len(answers) == 1 else None

    def follow(self, view: State, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        piece = self.piece(view)
        first: dict[type[Order], Order] = {}
        kept: list[Order] = []
        for order in standing:
            if isinstance(order, POLICIES):
                if piece is not None and not concerns(order, view, piece):
                    continue
                if first.setdefault(type(order), order) is not order:
                    continue
            elif not isinstance(order, (When, AskMe)):
                continue
            kept.append(order)
        return super().follow(view, kept)


class Reaction(Reply, frozen=True, kw_only=True):
    """8.4: the answer to a declared melee: stand, first strike, retire or square (R42)."""

    attacker: str
    unit: str
    bonus: bool = False
    orders = (Stand, Strike, Square, Retire)
    standing = (SquarePolicy, StrikePolicy, RetirePolicy, StandPolicy)

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

    def rank(self, view: State, standing: Order) -> Answer | None:
        known = self.facts(view)
        if isinstance(standing, SquarePolicy) and self._may_square(view):
            willing = standing.when == ALWAYS or (standing.when == HEAVY and known["heavy"])
            return (Square(),) if willing and len(view.hands[self.seat]) >= standing.hand else None
        if isinstance(standing, StrikePolicy) and self._may_strike(view):
            has = cards.held(view, self.seat, cards.FIRST_STRIKE) is not None
            return (Strike(),) if has and standing.when == ALWAYS and _many(known, standing.dice) else None
        if isinstance(standing, RetirePolicy) and self._ways(view):
            few = not standing.blocks or view.units[self.unit].blocks < standing.blocks
            return (Retire(),) if few and standing.when == ALWAYS else None
        return (Stand(),) if isinstance(standing, StandPolicy) else None


def _many(known: Mapping[str, Fact], dice: int) -> bool:
    have = known["dice"]
    return isinstance(have, int) and have >= dice


class Flags(Reply, frozen=True, kw_only=True):
    """7.5, 7.6: flags to ignore and the way of the retreat."""

    unit: str
    flags: int
    may_ignore: int
    orders = (GiveWay,)
    standing = (FlagPolicy, RetreatPolicy)

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
            params: dict[str, str | int | tuple[str, ...]] = {"most": self.may_ignore}
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

    def rank(self, view: State, standing: Order) -> Answer | None:
        return self.default(view) if isinstance(standing, (FlagPolicy, RetreatPolicy)) else None

    def follow(self, view: State, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        """How many flags and which way are two policies; one answer follows both."""
        found = super().follow(view, standing)
        if found is None or not isinstance(found[1], (FlagPolicy, RetreatPolicy)):
            return found
        mine = [order for order in standing if concerns(order, view, view.units[self.unit])]
        flags = next((order.how for order in mine if isinstance(order, FlagPolicy)), ALL)
        way = next((order.way for order in mine if isinstance(order, RetreatPolicy)), "")
        ignored = min(self.flags, self.may_ignore) if flags == ALL else 0
        return self._give(view, ignored, way), found[1]


class LeaderWay(Reply, frozen=True, kw_only=True):
    """7.7, 7.8: where a leader rides who cannot stay."""

    leader: str
    orders = (Ride,)
    standing = (LeaderPolicy,)

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

    def rank(self, view: State, standing: Order) -> Answer | None:
        if not isinstance(standing, LeaderPolicy):
            return None
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


class Riposte(Reply, frozen=True, kw_only=True):
    """6.7: whether a unit battles back."""

    unit: str
    attacker: str
    orders = (BattleBack, NoBattleBack)
    standing = (BackPolicy,)

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

    def rank(self, view: State, standing: Order) -> Answer | None:
        if not isinstance(standing, BackPolicy):
            return None
        back = standing.when != NEVER and _many(self.facts(view), standing.dice)
        return (BattleBack(),) if back else (NoBattleBack(),)


class Advance(Reply, frozen=True, kw_only=True):
    """7.1, 7.2, 7.3: what a victorious unit does, where its player's letter does not say."""

    unit: str
    hex: str
    bonus: bool = False
    orders = (TakeGround, Halt)
    standing = (AdvancePolicy,)

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

    def rank(self, view: State, standing: Order) -> Answer | None:
        if not isinstance(standing, AdvancePolicy):
            return None
        go = standing.when == ALWAYS or (standing.when == CLEAR and view.ground(self.hex) == "clear")
        possible = any(answer == (TakeGround(),) for answer in self.legal(view))
        return (TakeGround(),) if go and possible else (Halt(),)


class Scout(Reply, frozen=True, kw_only=True):
    """9.2: which of two cards to keep; only its seat sees them."""

    orders = (Keep,)
    standing = (Keep, ScoutPolicy)

    def legal(self, view: State) -> Iterator[Answer]:
        for card in dict.fromkeys(item.card for item in view.drawn):
            yield (Keep((card,)),)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """Any list of cards will do: the first that was drawn is kept."""
        return [] if len(answer) == 1 and isinstance(answer[0], Keep) else [Problem("not_possible", "9.2")]

    def only(self, view: State) -> Answer | None:
        """Never by itself: that the two cards are alike must not show."""
        return None

    def rank(self, view: State, standing: Order) -> Answer | None:
        if isinstance(standing, ScoutPolicy):
            return (Keep((max((item.card for item in view.drawn), key=worth),)),)
        return (standing,) if isinstance(standing, Keep) else None


class SupplyHex(Reply, frozen=True, kw_only=True):
    """10.3.13: where a unit goes that SHORT SUPPLY sends back; its owner decides."""

    unit: str
    orders = (Settle,)
    standing = (SupplyPolicy,)

    def piece(self, view: State) -> Unit | None:
        return view.units[self.unit]

    def legal(self, view: State) -> Iterator[Answer]:
        return ((Settle(hex),) for hex in supply.hexes(view, view.units[self.unit]))

    def facts(self, view: State) -> Mapping[str, Fact]:
        unit = view.units[self.unit]
        return {"unit": unit.type, "hex": unit.hex}

    def rank(self, view: State, standing: Order) -> Answer | None:
        return self.default(view) if isinstance(standing, SupplyPolicy) else None


QUESTIONS: tuple[type[Question], ...] = (
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
