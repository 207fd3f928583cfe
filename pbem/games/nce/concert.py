"""10.7: Campagne majeure: forces that move before battles are resolved, and fight together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pbem.games.nce import aftermath, battle
from pbem.games.nce.charts import CARDS, GENERALS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent
from pbem.games.nce.orders import CombatCards
from pbem.games.nce.replies import Done
from pbem.games.nce.standing import LinesPolicy, UsualPolicy
from pbem.games.nce.state import Force, State, enemy
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.question import Question

if TYPE_CHECKING:
    from pbem.games.nce.march import March


class InteriorLines(Question, frozen=True, kw_only=True):
    """10.7.4: D4: several forces attack mine: Lignes intérieures, or Génie Napoléon."""

    zone: str
    forces: int
    orders = (CombatCards, Done)
    standing = (LinesPolicy, UsualPolicy)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for card in ("15C", "1F"):
            if card in view.hands[self.seat]:
                yield (CombatCards((card,)),)

    def only(self, view: State) -> Answer | None:
        """1.8: asked alike whether or not the card is held."""
        return None

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"zone": self.zone, "forces": self.forces, "cards": len(view.hands[self.seat])}

    def rank(self, view: State, standing: Order) -> Answer | None:
        if isinstance(standing, LinesPolicy) and self.forces >= standing.forces:
            return (CombatCards((standing.card,)),)
        return self.default(view) if isinstance(standing, UsualPolicy) else None


class Concert:
    """10.7.1: the forces that wait for their common battle, by zone."""

    def __init__(self, desk: Desk, side: str) -> None:
        self.desk, self.side = desk, side
        self.waiting: dict[str, list[March]] = {}

    def join(self, zone: str, march: March) -> None:
        """10.7.2: a force has met the enemy and waits for the others."""
        self.waiting.setdefault(zone, []).append(march)

    async def resolve(self) -> None:
        """10.7.3: each force tests its own attrition, then they fight as one."""
        for zone, marches in self.waiting.items():
            for march in marches:
                if march.id in self.desk.state.forces:
                    await march.test()
            alive = [march for march in marches if march.id in self.desk.state.forces]
            if not alive:
                continue
            if len(alive) > 1 and await self._apart(zone, len(alive)):
                await self._one_by_one(zone, alive)
            else:
                await self._together(zone, alive)
            for march in alive:
                march.waiting = False
                if march.id in self.desk.state.forces:
                    await march.finish()

    async def _together(self, zone: str, marches: list[March]) -> None:
        state = self.desk.state
        defenders = state.at(zone, enemy(self.side))
        if not defenders:
            aftermath.settle(self.desk, zone, self.side)
            return
        first = marches[0]
        await battle.fight(
            self.desk,
            zone,
            state.at(zone, self.side),
            defenders,
            came=first.came,
            prepared=tuple(first.prepared),
            bridged=first.grant.bridged,
        )

    async def _one_by_one(self, zone: str, marches: list[March]) -> None:
        """10.7.4: the defender fights each in turn, in the order of the letter."""
        state = self.desk.state
        held: list[Force] = [state.forces[march.id] for march in marches]
        for force in held[1:]:
            force.zone = marches[held.index(force)].came
        for march, force in zip(marches, held, strict=True):
            defenders = state.at(zone, enemy(self.side))
            if force.id not in state.forces:
                continue
            force.zone = zone
            if not defenders:
                aftermath.settle(self.desk, zone, self.side)
                continue
            await battle.fight(
                self.desk,
                zone,
                [force],
                defenders,
                came=march.came,
                prepared=tuple(march.prepared),
                bridged=march.grant.bridged,
            )

    async def _apart(self, zone: str, number: int) -> bool:
        state, other = self.desk.state, enemy(self.side)
        if not state.hands[other]:
            return False
        able = [f for f in state.at(zone, other) if f.general and GENERALS[f.general].defence >= 2]
        if not able:
            return False
        (order,) = await self.desk.ask(
            InteriorLines(
                key=self.desk.label("lines", zone), seat=other, rule="10.7.4", zone=zone, forces=number
            )
        )
        if not isinstance(order, CombatCards):
            return False
        card = order.cards[0]
        if card not in state.hands[other] or "campaign_battle" not in CARDS[card].windows:
            return False
        state.spend_card(other, card)
        self.desk.tell(CardSpent(side=other, card=card, use="campaign", rule="10.7.4"))
        return True
