"""A robot that plays sensibly: it weighs what each card lets its units do, and what the enemy can do then."""

from __future__ import annotations

import random
from functools import cache

from pbem.games.ccn import battle, board, cards, charts, effects, movement, squares, terrain
from pbem.games.ccn.charts import FIRE, MELEE
from pbem.games.ccn.effects import Effect
from pbem.games.ccn.odds import hit_faces, roll
from pbem.games.ccn.orders import Fire, Keep, LeaveSquare, Melee, Move, Play, Rank, SendBack
from pbem.games.ccn.plan import TurnPlan
from pbem.games.ccn.questions import Turn, worth
from pbem.games.ccn.retreat import may_ignore
from pbem.games.ccn.standing import CAREFUL
from pbem.games.ccn.state import State, Unit, copy
from pbem.kernel.order import Answer, Order
from pbem.kernel.question import Question

BANNER = 3.2
"""What an eliminated unit is worth, in blocks."""


@cache
def strike(dice: int, faces: int, blocks: int, ignored: int) -> tuple[float, float, float]:
    """Blocks to expect, and the chances to destroy and to drive off, of a roll."""
    expected = kill = drive = 0.0
    for (hits, flags), chance in roll(dice, faces).items():
        share = float(chance)
        expected += min(hits, blocks) * share
        if hits >= blocks:
            kill += share
        elif flags > ignored:
            drive += share
    return expected, kill, drive


Weighed = tuple[float, tuple[str, ...], list[Order]]
_ALIKE = (Effect, effects.Section, effects.Rally)


class Action:
    """What one unit could do: a move, fights in order of preference, and what that is worth."""

    __slots__ = ("fights", "path", "score", "unit")

    def __init__(self, unit: Unit, score: float, path: tuple[str, ...], fights: list[Order]) -> None:
        self.unit = unit
        self.score = score
        self.path = path
        self.fights = fights


class Mind:
    """One turn's thinking."""

    def __init__(self, view: State, seat: str, whim: random.Random) -> None:
        self.view = view
        self.seat = seat
        self.whim = whim
        self.enemy = view.enemy(seat)
        self.enemies = list(view.army(self.enemy))
        self.threat = self._threat()
        self._banners = view.banners(seat)
        self._targets = [piece for piece in view.pieces() if piece.side != seat]
        self._held = {enemy.hex for enemy in self.enemies}
        self._contact = {hex for enemy in self.enemies for hex in board.NEIGHBOURS[enemy.hex]}
        self._firm: dict[tuple[str, str], int] = {}
        self._grounds: dict[tuple[str, int, str], float] = {}
        self._weighed: dict[tuple[str, str], Weighed] = {}
        self.goals = {
            hex
            for objective in view.objectives
            if objective.side in (seat, "both") and objective.kind != "exit"
            for hex in objective.hexes
        }

    def _threat(self) -> dict[str, float]:
        """Dice that the enemy could bring against each hex next turn, roughly: he orders but a few units."""
        threat = dict.fromkeys(board.HEXES, 0.0)
        for unit in self.enemies:
            reach = unit.kind.move_battle + 1
            far = max(reach, unit.kind.range)
            for hex in board.HEXES:
                near = board.DISTANCE[unit.hex][hex]
                if near > far:
                    continue
                if unit.arm == "artillery":
                    threat[hex] += 0.3 * charts.gun_dice(unit.kind.troop, unit.blocks == 1, max(1, near))
                elif near <= reach:
                    threat[hex] += 0.3 * (unit.blocks + unit.kind.melee_bonus)
                else:
                    threat[hex] += 0.2 * unit.blocks
        return threat

    def ground(self, unit: Unit, hex: str) -> float:
        """What it is worth to stand there: near the enemy, on an objective, in cover, not too exposed."""
        key = (unit.arm, unit.blocks, hex)
        if key not in self._grounds:
            self._grounds[key] = self._worth(unit, hex)
        return self._grounds[key]

    def _worth(self, unit: Unit, hex: str) -> float:
        near = min((board.DISTANCE[enemy.hex][hex] for enemy in self.enemies), default=1)
        value: float = -0.22 * max(0, near - (2 if unit.arm != "cavalry" else 3))
        if unit.arm == "artillery":
            value -= 0.5 * (near == 1)
        cover = charts.grounds()[self.view.ground(hex)].dice_into.get("infantry", {}).get("ranged", 0)
        hits = self.threat[hex] * (0.3 if not cover else 0.2)
        doom = min(1.0, float(hits / max(1, unit.blocks)) ** 1.6)
        value -= 0.35 * hits + BANNER * 0.6 * doom
        if unit.arm == "infantry" and cover:
            value += 0.15 * cover
        if hex in self.goals:
            value += 1.6 if self.view.unit_at(hex) is None else 0.0
        return value

    def fight_score(self, state: State, unit: Unit, target: str, how: str) -> float:
        """What an attack is worth: blocks, banners and ground, less the battle back."""
        enemy = state.unit_at(target)
        if enemy is None:
            dice = battle.melee_dice(state, unit, target).number
            return 2.0 * float(1 - (5 / 6) ** dice)
        last = BANNER + (4.0 if self._banners + 1 >= state.goal else 0.0)
        key = (enemy.id, unit.hex)
        if key not in self._firm:
            self._firm[key] = may_ignore(state, enemy, unit.hex)
        firm = self._firm[key]
        if how == FIRE:
            dice = battle.fire_dice(state, unit, target).number
            blocks, kill, drive = strike(dice, hit_faces(enemy.arm, False), enemy.blocks, firm)
            return blocks + last * kill + 0.25 * drive
        dice = battle.melee_dice(state, unit, target).number
        sabres = battle.sabres_hit(state, unit.kind)
        blocks, kill, drive = strike(dice, hit_faces(enemy.arm, sabres), enemy.blocks, firm)
        back = battle.melee_dice(state, enemy, unit.hex, back=True).number
        stays = max(0.0, 1 - kill - drive)
        lost, dead, _ = strike(
            back, hit_faces(unit.arm, battle.sabres_hit(state, enemy.kind)), unit.blocks, 9
        )
        weak = max(0.3, 1 - blocks / (2 * enemy.blocks))
        score = blocks + last * kill + 0.5 * drive - stays * weak * (lost + BANNER * dead)
        if squares.may_form(state, enemy, unit) and len(state.hands[self.enemy]) >= 4:
            return 0.35 * score - 0.1
        return score

    def fights(self, state: State, unit: Unit) -> list[tuple[float, Order]]:
        """The attacks open to a unit where it stands, the best first."""
        if unit.barred or not effects.in_force(state).battles:
            return []
        reach, here = unit.kind.range, board.DISTANCE[unit.hex]
        may_fire = reach > 1 and battle.why_no_battle(state, unit, FIRE) is None
        may_fire = may_fire and unit.hex not in self._contact
        may_melee = battle.why_no_battle(state, unit, MELEE) is None
        found: list[tuple[float, Order]] = []
        for enemy in self._targets:
            near = here[enemy.hex]
            if near > max(1, reach):
                continue
            if near == 1 and may_melee and battle.why_no_melee(state, unit, enemy.hex, []) is None:
                score = self.fight_score(state, unit, enemy.hex, MELEE)
                found.append((score, self._melee(state, unit, enemy.hex)))
            if near == 1 or not may_fire or enemy.hex not in self._held:
                continue
            if not battle.why_out_of_reach(state, unit, enemy.hex, reach):
                score = self.fight_score(state, unit, enemy.hex, FIRE)
                found.append((score, Fire(unit.hex, (enemy.hex,))))
        found = [item for item in found if item[0] > 0.1]
        found.sort(key=lambda item: -item[0])
        return list({order: (score, order) for score, order in reversed(found)}.values())[::-1]

    def _melee(self, state: State, unit: Unit, target: str) -> Melee:
        """7.1, 7.2, 7.3: advance where the ground is not much worse; cavalry goes on to the weakest enemy beside it."""
        if unit.arm == "artillery" or unit.square:
            return Melee(unit.hex, (target,))
        gain = self.ground(unit, target) - self.ground(unit, unit.hex)
        if unit.arm == "infantry":
            return Melee(unit.hex, (target,), advance="take_ground" if gain > -0.3 else "stay")
        prey = [
            enemy
            for enemy in self.enemies
            if board.DISTANCE[enemy.hex][target] == 1 and enemy.hex != target and enemy.blocks <= 3
        ]
        prey.sort(key=lambda enemy: enemy.blocks)
        if prey and unit.blocks > 1:
            bonus = tuple(enemy.hex for enemy in prey[:2])
            return Melee(unit.hex, (target,), advance="take_ground", bonus=bonus)
        return Melee(unit.hex, (target,), advance="take_ground" if gain > -0.2 else "stay")

    def best(self, state: State, unit: Unit, force: Effect) -> Action:
        """The best move and fight of one ordered unit; it is put back where it was."""
        here, led, ordered = unit.hex, state.leader_of(unit), unit.ordered
        still = self.ground(unit, here)
        unit.ordered = True
        fights = self.fights(state, unit)
        best = Action(unit, fights[0][0] if fights else 0.0, (), [order for _, order in fights[:2]])
        most, battle_reach = force.reach(state, unit)
        if most and not unit.square and not unit.joined and force.moves:
            for hex, path in movement.reachable(state, unit, most).items():
                unit.hex, unit.moved = hex, len(path)
                if led is not None:
                    led.hex = hex
                unit.barred = len(path) > battle_reach or terrain.bars_battle(state, hex, unit)
                score = self.ground(unit, hex) - still
                hot = [] if unit.barred or self.threat[hex] == 0 else self.fights(state, unit)
                if hot:
                    score += hot[0][0]
                if score > best.score + 0.01:
                    best = Action(unit, score, path, [order for _, order in hot[:2]])
                unit.hex, unit.moved, unit.barred = here, 0, False
                if led is not None:
                    led.hex = here
        unit.ordered = ordered
        return best

    def plan(self, card: str, section: str = "") -> tuple[float, list[Order]]:
        """What a card is worth, and the plan that makes the most of it."""
        play = Play(card, section)
        plan = TurnPlan(copy(self.view), self.seat, (play,))
        plan.lay(play)
        state, claims, force = plan.state, plan.claims, plan.claims.force
        lines: list[Order] = [play]
        total = 0.0
        if state.command is not None and state.command.card == cards.SUPPLY and not state.fallback:
            return self._supply(lines)
        wanted = [unit for unit in state.army(self.seat) if unit.ordered or force.finds(state, unit)]
        actions = [action for unit in wanted if (action := self._first(state, unit, force)).score > 0.05]
        actions.sort(key=lambda action: -action.score)
        acting: list[Unit] = []
        for action in actions:
            unit = action.unit
            if claims.order(unit) is not None:
                continue
            fresh = self._with_square(state, unit, force) if acting else action
            unit.ordered = True
            if fresh.score <= 0.05:
                continue
            if unit.square and fresh.path == () and squares.why_not_leave(state, unit) is None:
                lines.append(LeaveSquare(unit.hex))
                squares.leave(state, unit)
                fresh = self.best(state, unit, force)
                unit.ordered = True
            if fresh.path:
                lines.append(Move(unit.hex, fresh.path))
                movement.move_unit(state, unit, fresh.path)
            total += fresh.score
            acting.append(unit)
        attacks = [fights[:2] for unit in acting if (fights := self.fights(state, unit))]
        attacks.sort(key=lambda fights: (not isinstance(fights[0][1], Fire), -fights[0][0]))
        lines += [order for fights in attacks for _, order in fights]
        if force.by_dice:
            return self._by_dice(force, total, len(acting), lines, actions)
        return total, lines

    def _first(self, state: State, unit: Unit, force: Effect) -> Action:
        """What a unit could do before anybody has moved: all cards without rules of their own are alike."""
        key = (unit.id, type(force).__name__ if type(force) not in _ALIKE else "")
        if key not in self._weighed:
            found = self._with_square(state, unit, force)
            self._weighed[key] = (found.score, found.path, found.fights)
        return Action(unit, *self._weighed[key])

    def _with_square(self, state: State, unit: Unit, force: Effect) -> Action:
        """8.2.9: a square is weighed as if it had left, where it can and no enemy cavalry is about."""
        if not unit.square or squares.why_not_leave(state, unit) is not None:
            return self.best(state, unit, force)
        about = any(
            enemy.arm == "cavalry" and board.DISTANCE[enemy.hex][unit.hex] <= 3 for enemy in self.enemies
        )
        action = self.best(state, unit, force)
        return Action(unit, action.score + (0.0 if about else 0.6), (), action.fights)

    def _by_dice(
        self, force: Effect, total: float, room: int, lines: list[Order], actions: list[Action]
    ) -> tuple[float, list[Order]]:
        """10.3.5, 10.3.12: the ranking, and a share of what all could do, as the dice will order but a few."""
        strength = len(self.view.hands[self.seat])
        ranked = tuple(dict.fromkeys(action.unit.id for action in actions))
        hexes = tuple(self.view.units[id].hex for id in ranked)
        if isinstance(force, effects.Rally):
            hurt = [unit for unit in self.view.army(self.seat) if unit.blocks < unit.kind.blocks]
            hurt.sort(key=lambda unit: (unit.blocks, unit.hex))
            lost = sum(unit.kind.blocks - unit.blocks for unit in hurt)
            hexes = tuple(unit.hex for unit in hurt)
            total = min(lost, strength * 0.6) + 0.3 * total
        elif room:
            total *= min(1.0, 0.75 * strength / room)
        if hexes:
            lines.insert(1, Rank(hexes))
        return total, lines

    def _supply(self, lines: list[Order]) -> tuple[float, list[Order]]:
        """10.3.13: send back the enemy unit that is farthest from home."""
        free = [unit for unit in self.enemies if not unit.square]
        if not free:
            return 0.0, lines
        home = board.BASELINE[self.view.place(self.enemy)]
        far = max(
            free,
            key=lambda unit: (
                abs(ord(unit.hex[0]) - ord(home)) + unit.blocks + 4 * self._on_goal(unit),
                unit.id,
            ),
        )
        return 1.2 + 2.0 * self._on_goal(far), [*lines, SendBack(far.hex)]

    def _on_goal(self, unit: Unit) -> bool:
        return any(unit.hex in objective.hexes for objective in self.view.objectives)

    def turn(self) -> Answer:
        """The best plan of the hand; cards are spent for what they bring and kept for what they may bring."""
        hand = [item.card for item in self.view.hands[self.seat]]
        best: tuple[float, list[Order]] = (-9.0, [Play(min(hand, key=worth))])
        for card in dict.fromkeys(hand):
            if card == cards.FIRST_STRIKE:
                continue
            sections = board.SECTIONS if card == cards.FORCE_MARCH else ("",)
            for section in sections:
                value, lines = self.plan(card, section)
                value -= 0.12 * worth(card)[0] - 0.05 * self.whim.random()
                if value > best[0]:
                    best = value, lines
        played = best[1][0]
        assert isinstance(played, Play)
        effect = cards.takes_effect_as(self.view, self.seat, played.card, played.section)
        if not effect.card.startswith(effects.SCOUT):
            return tuple(best[1])
        wishes = sorted(charts.cards(), key=lambda card: worth(card), reverse=True)
        return (*best[1], Keep(tuple(wishes[:12])))


def sensible(view: State, question: Question[State], whim: random.Random) -> Answer:
    """The answer of a careful player; reactions as the default standing orders say."""
    if isinstance(question, Turn):
        answer = Mind(view, question.seat, whim).turn()
        problems = question.check(view, answer)
        while problems and len(answer) > 1:
            bad = {problem.order for problem in problems}
            answer = tuple(order for line, order in enumerate(answer) if line not in bad)
            problems = question.check(view, answer) if answer else problems
        return question.default(view) if problems else answer
    followed = question.follow(view, CAREFUL)
    return followed[0] if followed is not None else question.default(view)
