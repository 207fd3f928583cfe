"""6.5, 6.6, 6.7, 6.8: a melee from its announcement to the last die; the tactics of 8."""

from __future__ import annotations

from pbem.games.ccn import battle, cards, leaders, movement, routes, squares
from pbem.games.ccn.battle import Dice
from pbem.games.ccn.charts import faces
from pbem.games.ccn.events import Attack, FirstStrikePlayed, MeleeFought, Retired
from pbem.games.ccn.leaders import SABRE, expected, roll
from pbem.games.ccn.orders import BattleBack, Retire, Square, Strike
from pbem.games.ccn.questions import Reaction, Riposte
from pbem.games.ccn.retreat import Blow, suffer
from pbem.games.ccn.state import Held, Leader, State, Unit
from pbem.games.ccn.trail import tell
from pbem.games.ccn.victory import drop_objectives
from pbem.kernel.order import Answer
from pbem.kernel.table import Table

ATTACK, BACK, STRIKE, SQUARE, RETIRE = "attack", "back", "strike", "square", "retire"
ROLL_RULES = {ATTACK: "6.8.1", BACK: "6.7.2", STRIKE: "8.5.2", SQUARE: "8.2.5", RETIRE: "8.1.3"}


class Fight:
    """One melee: attacker, target hex, the guns that join in (8.3), and the label of its draws."""

    def __init__(
        self, table: Table[State], label: str, attacker: Unit, target: str, guns: list[Unit], bonus: bool
    ) -> None:
        self.table = table
        self.state = table.state
        self.label = label
        self.attacker = attacker
        self.target = target
        self.guns = guns
        self.bonus = bonus

    async def fight(self) -> bool:
        """6.5.2, 8.1.0, 8.2.7, 8.2.8: fight it out; whether the target's hex is vacated by the attack."""
        self.attacker.battled = True
        for gun in self.guns:
            gun.battled = True
        defender = self.state.unit_at(self.target)
        if defender is None:
            leader = self.state.leader_at(self.target)
            assert leader is not None
            return await self._hunt(leader)
        answer = await self._reaction(defender)
        if any(isinstance(order, Square) for order in answer):
            squares.form(self.table, defender, self.label)
        held = cards.held(self.state, defender.side, cards.FIRST_STRIKE)
        strikes = held is not None and any(isinstance(order, Strike) for order in answer)
        if held is not None and strikes and await self._first_strike(defender, held):
            return False
        for order in answer:
            if isinstance(order, Retire):
                return await self._retire(defender, order.path)
        if defender.square and self.attacker.arm == "cavalry":
            return await self._against_square(defender)
        if await self._attack(defender):
            return True
        if not strikes or self.state.on("first_strike_unit_may_battle_back"):
            await self._battle_back(defender)
        return False

    async def _reaction(self, defender: Unit) -> Answer:
        """8.4: the one question about a declared melee."""
        question = Reaction(
            key=f"{self.label}/reaction",
            seat=defender.side,
            attacker=self.attacker.id,
            unit=defender.id,
            bonus=self.bonus,
            rule="8.4",
        )
        return await self.table.ask(question)

    async def _strike(
        self, role: str, striker: Unit, target: Unit, dice: Dice, *, firm: bool = False
    ) -> bool:
        """6.8.1, 8.3.4: one roll of one unit against the other; whether the target has left or died."""
        hitting = [target.arm]
        if role != RETIRE and battle.sabres_hit(self.state, striker.kind):
            hitting.append(SABRE)
        flags_count = role != RETIRE
        label, hits, flags = self._roll(role, striker, target.type, target.hex, dice, hitting, flags_count)
        blow = Blow(label, target, striker.hex, hits=hits, flags=flags, firm=firm)
        return await suffer(self.table, blow)

    def _roll(
        self,
        role: str,
        striker: Unit,
        target: str,
        hex: str,
        dice: Dice,
        hitting: list[str],
        flags_count: bool,
    ) -> tuple[str, int, int]:
        """6.5.2: the dice, with those of the guns; their label, hits and flags."""
        label = self.label if role == ATTACK else f"{self.label}/{role}"
        guns = self.guns if role in (ATTACK, RETIRE) else []
        added = [(gun, battle.gun_dice(self.state, gun, self.target, self.bonus).number) for gun in guns]
        total = dice.number + sum(number for _, number in added)
        shown = roll(self.table, label, total, rule=ROLL_RULES[role], seat=striker.side)
        hits = sum(shown.count(face) for face in hitting)
        flags = shown.count("flag") if flags_count else 0
        likely = sum(faces().count(face) for face in hitting)
        tell(
            self.table,
            MeleeFought(
                seat=striker.side,
                role=role,
                unit=striker.type,
                hex=striker.hex,
                target=target,
                target_hex=hex,
                dice=total,
                faces=shown,
                hits=hits,
                flags=flags,
                guns=tuple(Attack(gun.type, gun.hex, number) for gun, number in added),
                bonus=self.bonus,
                rule=ROLL_RULES[role],
                draws=(label,) if total else (),
                modifiers=dice.modifiers,
                luck=expected(striker.side, total, likely, hits),
            ),
        )
        return label, hits, flags

    def _firm(self, striker: Unit, target: Unit) -> bool:
        """7.6.2: cavalry cannot ignore the flags of a square."""
        return striker.square > 0 and target.arm == "cavalry"

    async def _attack(self, defender: Unit) -> bool:
        """8.3.3, 8.3.6: the attacker's roll, guns included."""
        dice = battle.melee_dice(self.state, self.attacker, self.target, bonus=self.bonus)
        return await self._strike(
            ATTACK, self.attacker, defender, dice, firm=self._firm(self.attacker, defender)
        )

    async def _battle_back(self, defender: Unit) -> None:
        """6.7.1, 6.7.2, 6.7.3, 6.7.4, 11.6: a defender who stayed may hit back at the lead unit alone."""
        dice = battle.melee_dice(self.state, defender, self.attacker.hex, back=True)
        if dice.number == 0:
            return
        question = Riposte(
            key=f"{self.label}/riposte",
            seat=defender.side,
            unit=defender.id,
            attacker=self.attacker.id,
            rule="6.7.1",
        )
        (order,) = await self.table.ask(question)
        if isinstance(order, BattleBack):
            firm = self._firm(defender, self.attacker)
            await self._strike(BACK, defender, self.attacker, dice, firm=firm)

    async def _against_square(self, square: Unit) -> bool:
        """8.2.5, 8.2.6: the square rolls first; cavalry that is still there has one die, and guns (R37)."""
        dice = battle.melee_dice(self.state, square, self.attacker.hex, back=True)
        if dice.number and await self._strike(SQUARE, square, self.attacker, dice, firm=True):
            return False
        return await self._attack(square)

    async def _first_strike(self, defender: Unit, item: Held) -> bool:
        """8.5.2, 8.5.3, 8.5.4, 8.3.5: FIRST STRIKE; whether the attacker is gone and the combat over."""
        self.state.hands[defender.side].remove(item)
        self.state.table.append(item)
        self.state.struck.append(defender.side)
        cards.show(self.table, item)
        self.table.tell(
            FirstStrikePlayed(seat=defender.side, unit=defender.type, hex=defender.hex, rule="8.5.1")
        )
        dice = battle.melee_dice(self.state, defender, self.attacker.hex, back=True)
        firm = self._firm(defender, self.attacker)
        return await self._strike(STRIKE, defender, self.attacker, dice, firm=firm)

    async def _retire(self, defender: Unit, way: tuple[str, ...]) -> bool:
        """8.1.3, 8.1.4, 8.1.5: only cavalry symbols hit; then the survivors go back two hexes."""
        dice = battle.melee_dice(self.state, self.attacker, self.target, bonus=self.bonus)
        await self._strike(RETIRE, self.attacker, defender, dice)
        if not defender.hex:
            return True
        path = way or routes.safest(self.state, defender, 2, routes.retires(self.state, defender))
        start = defender.hex
        movement.place_unit(self.state, defender, path[-1])
        tell(self.table, Retired(seat=defender.side, unit=defender.type, hex=start, path=path, rule="8.1.3"))
        drop_objectives(self.table)
        return True

    async def _hunt(self, leader: Leader) -> bool:
        """6.8.2, 6.7.6: a melee against a lone leader: any sabre kills, otherwise he has to ride off."""
        dice = battle.melee_dice(self.state, self.attacker, self.target, bonus=self.bonus)
        _, sabres, _ = self._roll(ATTACK, self.attacker, leader.id, leader.hex, dice, [SABRE], False)
        if sabres:
            leaders.kill(self.table, leader)
        else:
            await leaders.retreat(self.table, leader, self.label)
        return True
