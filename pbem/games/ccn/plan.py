"""13: the plan of a turn. One reading of it serves to check it and to carry it out, line by line."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from pbem.games.ccn import advice, battle, board, cards, effects, movement, squares, supply
from pbem.games.ccn.cards import Claims
from pbem.games.ccn.charts import FIRE, MELEE
from pbem.games.ccn.events import LeaderMoved, LeftSquare, Moved, Skipped
from pbem.games.ccn.orders import (
    Activate,
    Bonus,
    Fire,
    Halt,
    Keep,
    LeaderMove,
    LeaderStay,
    LeaveSquare,
    Melee,
    Move,
    Play,
    Rank,
    SendBack,
    TakeGround,
)
from pbem.games.ccn.state import Leader, Played, State, Unit, copy
from pbem.kernel.event import Event
from pbem.kernel.order import Answer, Condition, Fact, If, Order
from pbem.kernel.plan import Refused, refuse
from pbem.kernel.problem import AMBIGUOUS, Params, Problem

FOLLOW = (TakeGround, Bonus, Halt)


class Combat:
    """One combat of the plan: who, the order, the guns that join, and what follows a victory."""

    def __init__(self, unit: str, order: Fire | Melee, guns: tuple[str, ...], line: int) -> None:
        self.unit = unit
        self.order = order
        self.guns = guns
        self.follow: list[Order] = []
        self.line = line


class Branch:
    """An IF of the plan, decided when its turn comes."""

    def __init__(self, condition: Condition, then: list[Bound], otherwise: list[Bound]) -> None:
        self.condition = condition
        self.then = then
        self.otherwise = otherwise


Bound = Combat | Branch
"""What is to be done in the combat phase, bound to its units before the dice."""


def facts(state: State, seat: str, vacated: bool = False) -> Mapping[str, Fact]:
    """What a plan may test: who stands in a hex, whether the last melee was won, banners and cards."""
    known: dict[str, Fact] = dict.fromkeys(board.HEXES, "empty")
    for piece in state.pieces():
        if piece.hex:
            known[piece.hex] = "own" if piece.side == seat else "enemy"
    known["vacated"] = vacated
    known["banners"] = state.banners(seat)
    known["enemy_banners"] = state.banners(state.enemy(seat))
    known["hand"] = len(state.hands[seat])
    return known


class TurnPlan:
    """The plan of a turn being applied to a position. Problems are kept by line; play skips the lines that have one."""

    def __init__(self, state: State, seat: str, answer: Answer) -> None:
        self.state = state
        self.seat = seat
        self.answer = answer
        self.problems: list[Problem] = []
        self.events: list[Event] = []
        self.combats: list[Bound] = []
        self.wishes: tuple[str, ...] = tuple(
            card for order in answer if isinstance(order, Keep) for card in order.cards
        )
        self.start = {unit.hex: unit.id for unit in state.army(seat)}
        self.starting_leaders = {leader.hex: leader.id for leader in state.staff(seat)}
        self.detaching: list[str] = []
        self.planned: list[str] = []
        self.named: list[str] = []
        self.claims = Claims(state, seat)

    def play_card(self) -> Play | None:
        """3.1: the one card of the plan."""
        plays = [(line, order) for line, order in enumerate(self.answer) if isinstance(order, Play)]
        if len(plays) != 1:
            code = "two_cards" if plays else "no_card"
            self._note(Problem(code, "3.1", nearest=self._first_card()), plays[1][0] if plays else 0)
            return None
        line, play = plays[0]
        if cards.held(self.state, self.seat, play.card) is None:
            params: Params = {"card": play.card, "hand": self._hand()}
            self._note(Problem("card_not_held", "3.1", params=params, nearest=self._first_card()), line)
            return None
        return play

    def lay(self, play: Play) -> None:
        """3.1, 4.8: bring the card into force, read the section and the choice that the plan implies."""
        effect = cards.takes_effect_as(self.state, self.seat, play.card, play.section)
        section = self._march_section(play, effect) if effect.card == cards.FORCE_MARCH else ""
        one_unit = effect.card == cards.MANOEUVRE and any(
            isinstance(order, (Fire, Melee, If, LeaveSquare)) for order in self.answer
        )
        cards.lay(self.state, self.seat, play.card, section, one_unit)
        if effect.card == cards.FORCE_MARCH:
            self.state.command = Played(effect.card, section)
        self.claims = Claims(self.state, self.seat)
        self.detaching = self.detach_list()
        if self.claims.force.everyone:
            for unit in self.state.army(self.seat):
                leader = self.state.leader_of(unit)
                stays = leader is None or leader.id not in self.detaching
                leads = isinstance(self.claims.force, effects.Leadership)
                unit.ordered = self.claims.force.finds(self.state, unit) and (stays or not leads)

    def extend(self, answer: Answer) -> None:
        """4.6: the plan goes on, now that the dice are known."""
        self.answer = (*self.answer, *answer)
        self.detaching = self.detach_list()

    def grant(self, ids: list[str]) -> None:
        """4.6: only these units and leaders are ordered; a leader whom they leave out goes with his unit."""
        self.claims.granted = ids
        self.detaching = [id for id in self.detaching if id in ids]

    def carry_out(self, *, check: bool) -> None:
        """4, 5, 6: orders and moves in the order of the plan; then the combats are bound to their units."""
        real: list[tuple[int, Order]] = []
        for line, order in enumerate(self.answer):
            beyond = advice.beyond(order)
            if beyond:
                self._note(advice.not_on_board(self.state, self.seat, order, beyond), line)
                continue
            real.append((line, order))
            if isinstance(order, SendBack) and not check:
                continue  # carried out in the order phase, before the moves
            try:
                self._move_phase(order)
            except Refused as refused:
                self._note(advice.nearest(self.state, self.seat, order, refused.problem), line)
        self.combats = self._bind(real, check=check, sure=True)

    def _note(self, problem: Problem, line: int) -> None:
        self.problems.append(Refused.because(problem).at(line))

    def _hand(self) -> tuple[str, ...]:
        return tuple(item.card for item in self.state.hands[self.seat])

    def _first_card(self) -> tuple[Order, ...]:
        return tuple(Play(card) for card in self._hand()[:1])

    def _march_section(self, play: Play, effect: Played) -> str:
        """10.3.8: the section of a FORCE MARCH: named, copied, or where the units of the plan stand."""
        if effect.section:
            return effect.section
        place = self.state.place(self.seat)
        counts = dict.fromkeys(board.SECTIONS, 0)
        for unit in self.state.army(self.seat):
            for section in board.sections(unit.hex, place):
                counts[section] += unit.arm == "infantry"
        named = [hex for order in self.answer for hex in _hexes(order) if hex in self.start]
        common = [
            section
            for section in board.SECTIONS
            if all(section in board.sections(hex, place) for hex in named)
        ]
        return max(common or board.SECTIONS, key=lambda section: counts[section])

    def detach_list(self) -> list[str]:
        """5.9.6, 5.9.8: the leaders who leave their units in this plan."""
        found = []
        for order in self.answer:
            if isinstance(order, (LeaderMove, LeaderStay)):
                leader = self._leader(order.leader)
                if leader is not None:
                    found.append(leader.id)
        return found

    def _leader(self, name: str) -> Leader | None:
        leader = self.state.leaders.get(self.starting_leaders.get(name, name))
        return leader if leader is not None and leader.side == self.seat and leader.hex else None

    def _his_leader(self, name: str) -> Leader:
        leader = self._leader(name)
        if leader is None:
            raise Refused("no_leader_there", "4.4", leader=name)
        return leader

    def _nobody(self, hex: str) -> Problem:
        code = "no_unit_there" if self.state.unit_at(hex) is None else "enemy_unit"
        return Problem(code, "4.1", params={"hex": hex})

    def _unit(self, hex: str) -> Unit:
        """The player's unit in a hex at this point of the plan. Raises Refused."""
        unit = self.state.unit_at(hex)
        if unit is None or unit.side != self.seat:
            raise Refused.because(self._nobody(hex))
        return unit

    def fighter(self, hex: str) -> Unit | None:
        """The unit that a combat means: the one that stands there after the moves, else who started there."""
        unit = self.state.unit_at(hex)
        if unit is not None and unit.side == self.seat:
            return unit
        started = self.state.units.get(self.start.get(hex, ""))
        return started if started is not None and started.hex else None

    def _move_phase(self, order: Order) -> None:
        if isinstance(order, Activate):
            self._activate(order)
        elif isinstance(order, LeaveSquare):
            self._leave_square(order)
        elif isinstance(order, Move):
            self._move(order)
        elif isinstance(order, LeaderMove):
            self._lead(order)
        elif isinstance(order, LeaderStay):
            refuse(self.claims.order_leader(self._his_leader(order.leader)))
        elif isinstance(order, SendBack):
            self._send_back(order)
        elif isinstance(order, Rank):
            for hex in order.units:
                unit = self.state.unit_at(hex)
                if unit is None or unit.side != self.seat:
                    raise Refused("no_unit_there", "4.6", hex=hex)

    def _activate(self, order: Activate) -> None:
        for hex in order.units:
            unit = self._unit(hex)
            if unit.id in self.named:
                raise Refused("ordered_twice", "4.2", hex=hex)
            self.named.append(unit.id)
            refuse(self.claims.order(unit, order.section))

    def _leave_square(self, order: LeaveSquare) -> None:
        unit = self._unit(order.unit)
        refuse(squares.why_not_leave(self.state, unit) or self.claims.order(unit))
        squares.leave(self.state, unit)
        self.events.append(LeftSquare(seat=self.seat, unit=unit.type, hex=unit.hex, rule="8.2.9"))

    def _move(self, order: Move) -> None:
        unit = self._unit(order.unit)
        refuse(movement.why_no_move(self.state, unit) or self.claims.order(unit))
        leader = self.state.leader_of(unit)
        detaches = leader is not None and leader.id in self.detaching and not leader.moved
        if detaches and leader is not None:
            refuse(self.claims.order_leader(leader))
        led = leader is not None and not detaches
        path, problem = movement.find_path(self.state, unit, order.path, led)
        refuse(problem)
        start = unit.hex
        movement.move_unit(self.state, unit, path, carry=not detaches)
        with_him = leader.id if leader is not None and led else ""
        self.events.append(
            Moved(seat=self.seat, unit=unit.type, hex=start, path=path, leader=with_him, rule="5.8")
        )

    def _lead(self, order: LeaderMove) -> None:
        leader = self._his_leader(order.leader)
        if leader.moved:
            raise Refused("has_moved", "5.9.1", hex=leader.hex)
        refuse(self.claims.order_leader(leader))
        path, problem = movement.find_ride(self.state, leader, order.path)
        refuse(problem)
        start = leader.hex
        movement.move_leader(self.state, leader, path)
        unit = self.state.unit_at(leader.hex)
        joins = unit.type if unit else ""
        self.events.append(
            LeaderMoved(seat=self.seat, leader=leader.id, hex=start, path=path, joins=joins, rule="5.9")
        )

    def _send_back(self, order: SendBack) -> None:
        """10.3.13: the choice of SHORT SUPPLY; the card itself is carried out in the order phase."""
        unit = self.state.unit_at(order.unit)
        code, free = "", list[str]()
        if self.state.command is None or self.state.command.card != cards.SUPPLY:
            code = "not_short_supply"
        elif next(line for line in self.answer if isinstance(line, SendBack)) is not order:
            code = "card_orders_fewer"
        elif unit is None:
            code = "no_unit_there"
        elif unit.square:
            code = "in_square"
        elif order.to and unit.side != self.seat:
            code = "owner_picks"
        elif order.to and order.to not in (free := list(supply.hexes(self.state, unit))):
            code = "not_its_baseline"
        if code:
            nearest = (SendBack(order.unit, free[0]),) if free else ()
            raise Refused(code, "10.3.13", nearest, hex=order.unit, to=order.to, most=1)

    def _bind(self, lines: list[tuple[int, Order]], *, check: bool, sure: bool) -> list[Bound]:
        steps: list[Bound] = []
        dropped = False
        for line, order in lines:
            branch = self._branch(line, order, check) if isinstance(order, If) else None
            if branch is not None:
                steps.append(branch)
                dropped = False
            elif isinstance(order, (If, *FOLLOW)):
                # What follows a melee that does not take place belongs to no other one.
                if not dropped:
                    self._follow(line, order, steps)
            elif isinstance(order, (Fire, Melee)):
                combat = self._combat(line, order, check and sure)
                dropped = combat is None
                steps += [] if combat is None else [combat]
        return steps

    def _follow(self, line: int, order: Order, steps: list[Bound]) -> None:
        """7.1, 7.3.2: what follows a victory belongs to the melee before it; guns named there are ordered."""
        if not (steps and isinstance(steps[-1], Combat) and isinstance(steps[-1].order, Melee)):
            self._note(Problem("nothing_to_follow", "7.1.1", AMBIGUOUS), line)
            return
        before = (steps[-1].order, *steps[-1].follow)
        if (
            self.claims.granted is None
            and isinstance(order, (Bonus, TakeGround))
            and any(map(_stays, before))
        ):
            self._note(Problem("stay_no_bonus", "7.3.1", AMBIGUOUS), line)
        steps[-1].follow.append(order)
        inside = (*order.then, *order.otherwise) if isinstance(order, If) else (order,)
        for hex in (hex for item in inside if isinstance(item, (Bonus, TakeGround)) for hex in item.guns):
            gun = self.fighter(hex)
            problem = self._nobody(hex) if gun is None else self._why_no_joining(gun)
            if problem is not None and self.claims.granted is None:
                self._note(problem, line)

    def _why_no_joining(self, gun: Unit) -> Problem | None:
        if gun.arm != "artillery":
            return Problem("not_a_battery", "8.3.1", params={"hex": gun.hex})
        return self.claims.order(gun)

    def _branch(self, line: int, order: If, check: bool) -> Branch | None:
        """A condition over combats is a branch; over what follows a melee it belongs to that melee."""
        inside = (*order.then, *order.otherwise)
        if inside and all(isinstance(item, FOLLOW) for item in inside):
            return None
        for item in inside:
            if not isinstance(item, (Fire, Melee, If, *FOLLOW)):
                self._note(Problem("only_combats_may_wait", "13", params={}), line)
                return Branch(order.condition, [], [])
        return Branch(
            order.condition,
            self._bind([(line, item) for item in order.then], check=check, sure=False),
            self._bind([(line, item) for item in order.otherwise], check=check, sure=False),
        )

    def _combat(self, line: int, order: Fire | Melee, check: bool) -> Combat | None:
        unit = self.fighter(order.unit)
        if unit is None:
            self._note(advice.nearest(self.state, self.seat, order, self._nobody(order.unit)), line)
            return None
        problem = self.claims.order(unit)
        guns: list[Unit] = []
        for hex in dict.fromkeys(order.guns) if isinstance(order, Melee) else ():
            gun = self.fighter(hex)
            stuck = self._nobody(hex) if gun is None else self.claims.order(gun)
            if gun is not None and stuck is None:
                guns += [gun] if gun not in guns else []
            elif check or self.claims.granted is None:
                problem = problem or stuck
        first = unit.id not in self.planned
        if problem is None and self.claims.granted is None and _stays(order) and _goes_on(order):
            entering = msgspec.structs.replace(order, advance="take_ground")
            self._note(Problem("stay_no_bonus", "7.3.1", AMBIGUOUS, nearest=(entering,)), line)
            return None
        if problem is None and check and first:
            problem = self._why_no_combat(unit, order, guns)
        self.planned.append(unit.id)
        if problem is not None:
            self._note(advice.nearest(self.state, self.seat, order, problem, unit), line)
            return None
        return Combat(unit.id, order, tuple(gun.id for gun in guns), line)

    def _why_no_combat(self, unit: Unit, order: Fire | Melee, guns: list[Unit]) -> Problem | None:
        how = FIRE if isinstance(order, Fire) else MELEE
        stuck = battle.why_no_battle(self.state, unit, how)
        if stuck is not None:
            return stuck
        found: list[Problem] = []
        for target in order.targets:
            if isinstance(order, Fire):
                problem = battle.why_no_fire(self.state, unit, target)
            else:
                problem = battle.why_no_melee(self.state, unit, target, guns)
            if problem is None:
                return None
            found.append(problem)
        return found[0] if found else Problem("no_target", "6.1.1", params={"hex": unit.hex, "target": ""})

    def skipped(self) -> list[Skipped]:
        """13: the lines that could not be carried out, each unit once."""
        found = [Skipped(str(problem.params.get("hex", "")), problem.code) for problem in self.problems]
        return list(dict.fromkeys(found))


def _hexes(order: Order) -> tuple[str, ...]:
    if isinstance(order, (Move, LeaveSquare, Fire, Melee)):
        return (order.unit,)
    return order.units if isinstance(order, Activate) else ()


def wishes(plan: TurnPlan) -> list[str]:
    """4.6: the ids of all whom a plan wants to order, in its order, as if the dice allowed everything."""
    trial = TurnPlan(copy(plan.state), plan.seat, plan.answer)
    trial.detaching = trial.detach_list()
    trial.carry_out(check=False)
    return [piece.id for claim in trial.claims.claims for piece in (claim.unit, claim.leader) if piece]


def rehearsed(state: State, seat: str, answer: Answer) -> TurnPlan:
    """A plan applied to a copy of the position: its problems, and whom it would order in which order."""
    plan = TurnPlan(copy(state), seat, answer)
    play = plan.play_card()
    if play is not None:
        plan.lay(play)
        plan.carry_out(check=True)
    return plan


def _stays(order: Order) -> bool:
    """Whether a victor is told to stay where he is."""
    return isinstance(order, Halt) or (isinstance(order, Melee) and order.advance == "stay")


def _goes_on(order: Order) -> bool:
    """Whether a melee is to be followed by what only a unit can do that has entered the vacated hex."""
    return isinstance(order, Melee) and bool(order.onward or order.bonus)
