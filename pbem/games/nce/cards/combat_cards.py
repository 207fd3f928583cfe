"""7.5: a side in battle, and the combat cards it plays, each at its moment."""

from __future__ import annotations

from typing import Any

from pbem.games.nce import command
from pbem.games.nce.charts import CARDS, COUNTRIES, GENERALS, UNITS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardRemoved, CardSpent
from pbem.games.nce.events_field import StepsLost
from pbem.games.nce.fight import NOBODY
from pbem.games.nce.orders import CombatCards, Engage, Lead, LossOrder, RetreatTo, Second, Spirit
from pbem.games.nce.replies import CounterMarch
from pbem.games.nce.state import POOL, Force, State
from pbem.kernel.event import Modifier
from pbem.kernel.order import Answer


class Side:
    """One side of a battle: its forces, its plan, and what has become of it."""

    other: Side

    def __init__(self, desk: Desk, role: str, forces: list[Force], *, came: str = "") -> None:
        self.desk, self.role, self.forces, self.came = desk, role, forces, came
        self.ways: dict[str, str] = {force.id: came for force in forces}
        """11.3.8: the zone from which each force has entered."""
        self.apart: set[str] = set()
        """10.3.5: friends in the zone who take no part."""
        self.seat = forces[0].side
        self.name = command.lead(forces).name
        self.lead = ""
        self.engaged: tuple[str, ...] = ()
        self.second = ""
        self.cards: list[str] = []
        self.target = ""
        """55C: the corps that shall leave the enemy."""
        self.spent: list[str] = []
        self.loss_order: tuple[str, ...] = ()
        self.retreat: tuple[str, ...] = ()
        self.marches: list[CounterMarch] = []
        self.spirit = 0
        """12.5.1: the morale that the player chose on a tie."""
        self.supplied = True
        self.size = ""
        self.morale = 0
        self.tied = False
        self.losses = 0
        self.planned = False

    def read(self, answer: Answer) -> None:
        """Take the plan from the orders; without one, the best subordinate only (D7)."""
        for order in answer:
            if isinstance(order, Lead):
                self.lead = order.unit
            elif isinstance(order, Engage):
                self.engaged = order.units
            elif isinstance(order, Second):
                self.second = order.general
            elif isinstance(order, CombatCards):
                self.cards += [card for card in order.cards if card not in self.cards]
                self.target = order.on or self.target
            elif isinstance(order, LossOrder):
                self.loss_order = order.pieces
            elif isinstance(order, RetreatTo):
                self.retreat = order.zones
            elif isinstance(order, Spirit):
                self.spirit = order.morale
            elif isinstance(order, CounterMarch):
                self.marches.append(order)

    @property
    def state(self) -> State:
        """The position."""
        return self.desk.state

    @property
    def commander(self) -> Force:
        """4.3.5: the force that leads."""
        return command.lead(self.forces)

    @property
    def strength(self) -> float:
        """12.3: combat value."""
        return sum(force.strength for force in self.forces)

    @property
    def demoralised(self) -> bool:
        """12.11.1: with two armies only if the demoralised part has more steps."""
        low = sum(force.strength for force in self.forces if force.demoralised)
        return low * 2 > self.strength

    def value_of(self, general: str) -> int:
        """A general's tactical value in this role."""
        return GENERALS[general].value(self.role)

    def tactical(self) -> int:
        """12.6.5: the commander's value."""
        general = self.commander.general
        return self.value_of(general) if general else 0

    def gather(self, zone: str) -> None:
        """12.2.5: the forces as they are consolidated; what the plan names and is not there is left out."""
        self.forces = [force for force in self.state.at(zone, self.seat) if force.id not in self.apart]
        if not self.forces:
            return
        self.name = self.commander.name
        self.fit()

    def fit(self) -> None:
        """12.6.4, 12.6.5: what the plan names and is not there is left out; the best subordinate stands in."""
        units = {unit for force in self.forces for unit in force.units}
        specials = {special for force in self.forces for special in force.special}
        subs = [general for force in self.forces for general in force.subs]
        self.lead = self.lead if self.lead in units else ""
        self.engaged = tuple(special for special in self.engaged if special in specials)
        if self.second != NOBODY and self.second not in subs:
            best = sorted(subs, key=lambda general: (-self.value_of(general), general))
            self.second = best[0] if best and self.value_of(best[0]) > 0 else ""

    @property
    def entries(self) -> set[str]:
        """12.12.2, 11.3.4: the zones from which it has come into the battle."""
        return {zone for zone in self.ways.values() if zone}

    def settle_morale(self) -> None:
        """12.5.1, 12.5.2: the morale that most steps have; on a tie the player's choice, else the higher."""
        values = command.morales(self.state, self.forces)
        self.tied = len(values) > 1
        self.morale = self.spirit if self.spirit in values else values[0]

    def steady(self, unit: str) -> bool:
        """12.9.2, 12.5.1: whether a loss on a unit counts for the half that good units bear."""
        value = command.unit_morale(self.state, unit)
        return value == self.morale if self.tied else value >= self.morale

    def alive(self) -> None:
        """Forget forces that are gone."""
        self.forces = [force for force in self.forces if force.id in self.state.forces]


def open_lists(attack: Side, defence: Side) -> None:
    """7.5.2: the attacker's list is opened first; a card that has no effect here stays in the hand."""
    for side in (attack, defence):
        side.cards = [card for card in side.cards if card in side.state.hands[side.seat]]


def holds(side: Side, condition: dict[str, Any], zone: str) -> bool:
    """[cond] of the card table, as far as battles need it."""
    kind, head = condition["cond"], side.commander
    if kind == "supplied":
        return side.supplied
    if kind == "army":
        return any(force.army for force in side.forces)
    if kind == "role":
        return bool(side.role == condition["is"])
    if kind == "battle":
        return side.size != "skirmish"
    if kind == "cavalry":
        return command.cavalry(side.forces) > 0
    if kind == "home":
        return side.state.national(zone, head.power)
    if kind == "unit":
        return any(condition["id"] in force.units for force in side.forces)
    if kind == "commander":
        return _commander(head, condition)
    if kind == "minor_steps_in_enemy":
        return bool(deserters(side.other))
    return bool(kind == "enemy_demoralised")


def _commander(head: Force, condition: dict[str, Any]) -> bool:
    if not head.general:
        return False
    record = GENERALS[head.general]
    if "id" in condition and record.id != condition["id"]:
        return False
    if "power" in condition and record.power != condition["power"]:
        return False
    if record.id == condition.get("not"):
        return False
    return record.defence >= int(condition.get("min_defence", 0))


def deserters(side: Side) -> list[str]:
    """55C: minor corps that may go over, Polish ones excepted."""
    return [
        unit
        for force in side.forces
        for unit in force.units
        if not COUNTRIES[UNITS[unit].power].major and UNITS[unit].power != "pologne"
    ]


def _fits(side: Side, card: str, zone: str, ops: tuple[str, ...]) -> list[dict[str, Any]]:
    """7.5.3: the effects of a card that apply to this side now."""
    record = CARDS[card]
    if not all(holds(side, condition, zone) for condition in record.requires):
        return []
    if side.state.rain and card in ("8F", "28F", "28C"):
        return []
    return [
        effect
        for effect in record.effect
        if effect["op"] in ops and all(holds(side, condition, zone) for condition in effect.get("needs", ()))
    ]


def spend(side: Side, card: str, use: str = "battle") -> None:
    """7.5.1: the card is shown and leaves the hand."""
    side.cards.remove(card)
    side.spent.append(card)
    removed = CARDS[card].after_event == "removed"
    side.state.spend_card(side.seat, card, removed=removed)
    side.state.events.append(card)
    side.desk.tell(CardSpent(side=side.seat, card=card, use=use, rule="7.5.1"))
    if removed:
        side.desk.tell(CardRemoved(side=side.seat, card=card, rule="7.2.2"))


def before_roll(side: Side, zone: str) -> list[Modifier]:
    """7.5: cards of step 6: their bonus, desertions; a card that would change nothing stays in the hand."""
    found: list[Modifier] = []
    for card in list(side.cards):
        if "battle.before_roll" not in CARDS[card].windows or not side.other.forces:
            continue
        effects = _fits(side, card, zone, ("combat", "cancel_cavalry_superiority", "desert", "pursuit_mod"))
        if not effects:
            continue
        spend(side, card)
        for effect in effects:
            if effect["op"] == "combat":
                found.append(Modifier("card", int(effect["value"]), "7.5"))
            elif effect["op"] == "desert":
                _desert(side)
    return found


def _desert(side: Side) -> None:
    """55C: a minor corps leaves the enemy force for the pool: the one that the player names, else the best."""
    leaving = deserters(side.other)
    best = max(leaving, key=lambda one: (UNITS[one].morale, one))
    unit = side.target if side.target in leaving else best
    force = next(force for force in side.other.forces if unit in force.units)
    name, zone = force.name, force.zone
    del force.units[unit]
    side.state.units[unit] = POOL
    command.shrink(side.state, force, strict=False)
    if side.other.lead == unit:
        side.other.lead = ""
    side.other.alive()
    side.desk.tell(StepsLost(force=name, zone=zone, pieces=(unit,), gone=(unit,), rule="7.5"))


def no_superiority(attack: Side, defence: Side) -> bool:
    """5C: nobody has cavalry superiority."""
    for side in (attack, defence):
        for card in side.cards:
            if _fits(side, card, "", ("cancel_cavalry_superiority",)):
                return True
    return False


def play_if_held(side: Side, op: str, window: str, who: str = "") -> dict[str, Any] | None:
    """A card of the side's sealed list at a later moment of the battle, if one fits; for its own die or the enemy's."""
    for card in list(side.cards):
        if window not in CARDS[card].windows:
            continue
        effects = [e for e in _fits(side, card, "", (op,)) if not who or e.get("who") == who]
        if effects:
            spend(side, card)
            return effects[0]
    return None


def pursuit_bonus(side: Side) -> int:
    """32C: the horse that fought also pursues, if there is still one."""
    return sum(
        int(effect["value"])
        for card in side.spent
        if "battle.before_roll" in CARDS[card].windows
        for effect in _fits(side, card, "", ("pursuit_mod",))
    )
