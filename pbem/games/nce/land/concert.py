"""10.7: Campagne majeure: forces that move before battles are resolved, and fight together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pbem.games.nce import command
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.cards.reaction_cards import might_hold, wrong_cards
from pbem.games.nce.charts import CARDS, GENERALS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent
from pbem.games.nce.land import aftermath, battle
from pbem.games.nce.land.tempo import now
from pbem.games.nce.orders import Activate, CombatCards, Go, RetreatTo
from pbem.games.nce.replies import Done
from pbem.games.nce.standing import LinesPolicy, UsualPolicy
from pbem.games.nce.state import State, enemy
from pbem.kernel.order import Answer, Fact, If, Order
from pbem.kernel.policy import Policy, usual
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question

if TYPE_CHECKING:
    from pbem.games.nce.land.encounter import Entry

LINES = 2
"""10.7.4: the defensive value that lets a general fight on interior lines."""


CAMPAIGN = tuple(card.id for card in CARDS.values() if "campaign_battle" in card.windows)


class InteriorLines(Question[State], frozen=True, kw_only=True):
    """10.7.4: D4: several forces attack mine: Lignes intérieures, or Génie Napoléon."""

    zone: str
    forces: int
    most_orders = 2
    orders = (CombatCards, RetreatTo, Done)
    discreet = True
    policies = (
        Policy(
            LinesPolicy,
            lambda self, view, order: (CombatCards((order.card,)),),
            at_least={"forces": "forces"},
        ),
        Policy(UsualPolicy, usual),
    )

    def check(self, view: State, answer: Answer) -> list[Problem]:
        """The card first; where to go after the first battle may follow it."""
        first, nearest = answer[0], (Done(),)
        if isinstance(first, RetreatTo) or (len(answer) > 1 and not isinstance(answer[1], RetreatTo)):
            return [Problem("one_response", "10.7.4", nearest=nearest)]
        if not isinstance(first, CombatCards):
            return []
        return wrong_cards(view, self.seat, first.cards, CAMPAIGN)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for card in CAMPAIGN:
            if card in view.hands[self.seat]:
                yield (CombatCards((card,)),)

    def facts(self, view: State) -> Mapping[str, Fact]:
        return {"zone": self.zone, "forces": self.forces, "cards": len(view.hands[self.seat])}


class Concert:
    """10.7.1: the forces that wait for their common battle, by zone."""

    def __init__(self, desk: Desk, side: str) -> None:
        self.desk, self.side = desk, side
        self.waiting: dict[str, list[Entry]] = {}
        self.fought = False
        self.entered: set[str] = set()
        """10.7.4: where the first force stood already when the first battle of the activation was fought."""

    def join(self, entry: Entry) -> None:
        """10.7.2: a force has met the enemy; others may come."""
        self.waiting.setdefault(entry.zone, []).append(entry)

    def more_coming(self, entry: Entry) -> bool:
        """10.7.1: whether the plan still sends a force there; else each is played one after the other."""
        if entry.march.at_once:
            return False
        later = entry.march.ahead()
        first = next((n for n, order in enumerate(later) if isinstance(order, Activate)), len(later))
        return any(_goes(order, entry.zone) for order in later[first:])

    async def resolve(self) -> None:
        """10.7.1: battles whose last force has not come are fought at the end of the plan."""
        for zone in list(self.waiting):
            march = self.waiting[zone][-1].march
            march.over = march.waiting = False
            march.arrived(zone, await self.fight(zone))
            if march.forces:
                await march.finish()

    async def fight(self, zone: str) -> str:
        """10.7.3: each force tests its own attrition; then they fight as one, or each on its own (10.7.4)."""
        entries = self.waiting.pop(zone)
        caller = entries[-1].march
        for entry in entries:
            entry.march.check_for_battle(entry.came, entry.interceptor_from)
            await entry.march.test()
        alive = [entry for entry in entries if entry.march.forces]
        if not alive:
            return "lost"
        in_time = not self.fought or zone in self.entered
        if not self.fought:
            self.fought, self.entered = True, set(self.waiting)
        lines = in_time and len(alive) > 1 and not self.desk.dry and await self._lines(zone, len(alive))
        if lines:
            forces = await self._one_by_one(zone, alive, lines)
        else:
            forces = await self._together(zone, alive)
        for entry in entries:
            entry.march.over = entry.march is not caller
            entry.march.waiting = False
            for force in entry.march.forces:
                force.acted = now(self.desk.state)
        if not forces:
            return "lost"
        caller.follow(forces)
        caller.left = min(entry.march.left for entry in alive)
        return "won"

    async def _together(self, zone: str, entries: list[Entry]) -> list[str]:
        """10.7.3, 4.5.3: the forces that won, consolidated; two armies may then stay together."""
        state = self.desk.state
        defenders = state.at(zone, enemy(self.side))
        attackers = [force for entry in entries for force in entry.march.forces]
        if not defenders:
            aftermath.settle(self.desk, zone, self.side)
            return [force.id for force in state.at(zone, self.side)]
        for entry in entries:
            entry.march.pay_to_fight()
        if self.desk.dry:
            command.consolidate(state, zone, self.side)
            attackers = state.at(zone, self.side)
        outcome = await battle.fight(
            self.desk,
            zone,
            attackers,
            defenders,
            came=entries[-1].came,
            ways={id: entry.came for entry in entries for id in entry.march.ids},
            prepared=tuple(order for entry in reversed(entries) for order in entry.march.prepared),
            interceptor_from=next((e.interceptor_from for e in entries if e.interceptor_from), ""),
            bridged=entries[-1].march.grant.bridged,
            caught=min(entry.caught for entry in entries),
        )
        return outcome.forces if outcome.won else []

    async def _one_by_one(self, zone: str, entries: list[Entry], lines: Answer) -> list[str]:
        """10.7.4: the defender fights each in turn, in the order of the plan; he may leave after the first."""
        state, won = self.desk.state, list[str]()
        for entry in entries[1:]:
            for force in entry.march.forces:
                force.zone = entry.came
        for number, entry in enumerate(entries):
            forces = entry.march.forces
            for force in forces:
                force.zone = zone
            if number == 1:
                self._leave(zone, entry, lines)
            defenders = state.at(zone, enemy(self.side))
            if not forces:
                continue
            if not defenders:
                won += [force.id for force in forces]
                continue
            entry.march.pay_to_fight()
            outcome = await battle.fight(
                self.desk,
                zone,
                forces,
                defenders,
                ways=dict.fromkeys(entry.march.ids, entry.came),
                prepared=tuple(entry.march.prepared),
                bridged=entry.march.grant.bridged,
                caught=entry.caught,
            )
            won += outcome.forces if outcome.won else []
        if not won:
            return []
        aftermath.settle(self.desk, zone, self.side)
        return [force.id for force in state.at(zone, self.side)]

    def _leave(self, zone: str, entry: Entry, lines: Answer) -> None:
        """10.7.4: after the first battle the defender may retreat from the others."""
        wanted = next((order.zones for order in lines if isinstance(order, RetreatTo)), ())
        defenders = self.desk.state.at(zone, enemy(self.side))
        if not wanted or not defenders:
            return
        side = Side(self.desk, "defender", defenders)
        side.other = Side(self.desk, "attacker", entry.march.forces, came=entry.came)
        side.retreat = wanted
        goal, fortress = aftermath.retreat_goal(self.desk.state, side, zone)
        if goal:
            aftermath.retreat(self.desk, side, zone, goal, fortress, 0)

    async def _lines(self, zone: str, number: int) -> Answer:
        """10.7.4: D4: before the first battle, for a defender of tactical value 2 or 3 attacked by several."""
        state, other = self.desk.state, enemy(self.side)
        if not might_hold(state, other, [card for card in CAMPAIGN if CARDS[card].side == other]):
            return ()
        able = [f for f in state.at(zone, other) if f.general and GENERALS[f.general].defence >= LINES]
        if not able:
            return ()
        answer = await self.desk.ask(
            InteriorLines(
                key=self.desk.label("lines", zone), seat=other, rule="10.7.4", zone=zone, forces=number
            )
        )
        order = answer[0]
        if not isinstance(order, CombatCards):
            return ()
        card = order.cards[0]
        if card not in state.hands[other] or card not in CAMPAIGN:
            return ()
        state.spend_card(other, card)
        self.desk.tell(CardSpent(side=other, card=card, use="campaign", rule="10.7.4"))
        return answer


def _goes(order: Order, zone: str) -> bool:
    """Whether a step of the plan leads into a zone."""
    if isinstance(order, If):
        return any(_goes(one, zone) for one in (*order.then, *order.otherwise))
    return isinstance(order, Go) and zone in order.path
