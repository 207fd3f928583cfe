"""11.6: attrition tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.nce import charts
from pbem.games.nce.charts import CARDS, GENERALS, UNITS, ZONES
from pbem.games.nce.command import foreign_steps, lose_step, release_generals, trim
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import CardSpent
from pbem.games.nce.events_field import AttritionTested, StepsLost, TestCancelled
from pbem.games.nce.state import Force, State
from pbem.kernel.event import Modifier

DEPOT = "depot"


def national_bonus(state: State, force: Force, counted: Sequence[str]) -> Modifier | None:
    """11.6: all French, mostly French, all Russian."""
    steps = {unit: force.units[unit] for unit in counted if unit in force.units}
    total = sum(steps.values())
    if not total:
        return None
    french = sum(n for unit, n in steps.items() if UNITS[unit].power == "france")
    if french == total:
        return Modifier("all_french", -1 if state.flag("conscription") else -2, "11.6")
    if french * 2 > total:
        return Modifier("majority_french", -1, "11.6")
    if all(UNITS[unit].power == "russie" for unit in steps):
        return Modifier("all_russian", -1, "11.6")
    return None


def poor(state: State, zone: str, side: str) -> bool:
    """3.3, 11.6.4: a poor zone; all of Russie for the Empire while the earth is scorched."""
    scorched = side == "empire" and state.flag("scorched_earth") and state.owner_of(zone) == "russie"
    return ZONES[zone].poor or scorched


def poor_marsh(state: State, zone: str, side: str) -> bool:
    """11.6: a marsh in a poor zone."""
    return ZONES[zone].terrain == "marsh" and poor(state, zone, side)


def depot_counts(state: State, force: Force) -> bool:
    """11.4: whether a depot in the zone may be spent: of the commander's nation."""
    if force.side == "empire" and state.flag("scorched_earth") and state.owner_of(force.zone) == "russie":
        return False
    return force.power in force.depots or force.power in state.fixed.get(force.zone, ())


def spend_depot(state: State, force: Force) -> None:
    """11.4: the depot is gone."""
    if force.power in force.depots:
        force.depots.remove(force.power)
        return
    state.fixed[force.zone].remove(force.power)
    if not state.fixed[force.zone]:
        del state.fixed[force.zone]


def cancels(state: State, force: Force, card: str) -> bool:
    """32F: whether a card that is held cancels a test of a force: one under a general of its power."""
    if card not in CARDS or card not in state.hands[force.side] or not force.general:
        return False
    power = GENERALS[force.general].power
    return any(e["op"] == "attrition_cancel" and e["who"] == f"force:{power}" for e in CARDS[card].effect)


async def suffer(
    desk: Desk,
    force: Force,
    modifiers: Iterable[Modifier],
    *,
    counted: Sequence[str] | None = None,
    spend: str = "",
    losses: Sequence[str] = (),
    rallied: bool = False,
    ignore: Sequence[str] = (),
) -> int:
    """11.6.2, 11.6.7: one test: the die, the column, the star; steps lost by the owner's order (11.6.5)."""
    if desk.dry:
        return 0
    state = desk.state
    units = [unit for unit in (counted if counted is not None else force.units) if unit in force.units]
    steps = sum(force.units[unit] for unit in units) + len(force.special)
    reasons = [modifier for modifier in modifiers if modifier.value]
    nation = national_bonus(state, force, units)
    if nation is not None and nation.name not in ignore:
        reasons.append(nation)
    if cancels(state, force, spend):
        state.spend_card(force.side, spend)
        desk.tell(CardSpent(side=force.side, card=spend, use="attrition", rule="7.3"))
        desk.tell(TestCancelled(force=force.name, card=spend, rule="11.6"))
        return 0
    if spend == DEPOT and depot_counts(state, force):
        spend_depot(state, force)
        reasons.append(Modifier("depot_spent", -2, "11.4"))
    column = charts.attrition_column(steps)
    if force.demoralised and not rallied:
        column = min(6, column + 3)
    label, (die,) = desk.roll("attrition", force.name, force.zone, rule="11.6.2", seat=force.side)
    total = die + sum(modifier.value for modifier in reasons)
    lost, star = charts.attrition_result(total, column)
    draws, second = [label], 0
    if star:
        extra, (second,) = desk.roll("star", force.name, force.zone, rule="11.6.2", seat=force.side)
        draws.append(extra)
        lost += second >= 4
    lost = min(lost, steps)
    desk.tell(
        AttritionTested(
            force=force.name,
            zone=force.zone,
            steps=steps,
            die=die,
            total=total,
            losses=lost,
            star=second,
            modifiers=tuple(reasons),
            draws=tuple(draws),
            rule="11.6.2",
        )
    )
    first_french = nation is not None and nation.name == "majority_french" and nation in reasons
    lose(desk, force, lost, units, losses, first_french=first_french)
    return lost


def lose(
    desk: Desk,
    force: Force,
    number: int,
    among: Sequence[str],
    losses: Sequence[str] = (),
    *,
    first_french: bool = False,
) -> None:
    """11.6.5: the owner's steps, in his order, else reduced line first; the first a French one where due."""
    state, name, zone = desk.state, force.name, force.zone
    taken: list[str] = []
    gone: list[str] = []
    for turn in range(number):
        choices = [unit for unit in among if unit in force.units] + list(force.special)
        if first_french and turn == 0:
            choices = [unit for unit in choices if unit in UNITS and UNITS[unit].power == "france"] or choices
        if not choices:
            break
        unit = min(
            choices, key=lambda one: (_parts_allies(force, one, losses), preference(force, one, losses))
        )
        taken.append(unit)
        if lose_step(state, force, unit):
            gone.append(unit)
        release_generals(state, force)
    if force.id in state.forces:
        # 4.2.3: allies who are now too many go at once.
        before = dict(force.units)
        gone += trim(state, force, strict=False)
        taken += [unit for unit, steps in before.items() for _ in range(steps - force.units.get(unit, 0))]
    if taken:
        desk.tell(StepsLost(force=name, zone=zone, pieces=tuple(taken), gone=tuple(gone), rule="11.6.5"))


def _parts_allies(force: Force, unit: str, losses: Sequence[str]) -> bool:
    """4.2.3: whether the loss of a step would cost allied steps as well, where the owner has not asked for it."""
    if unit in losses or unit not in UNITS or UNITS[unit].power != force.power:
        return False
    allied = foreign_steps(force)
    return 0 < allied >= force.steps_of(force.power) - 1


def preference(force: Force, unit: str, losses: Sequence[str]) -> tuple[int, int, int, int, int, str]:
    """Who loses first: the owner's list, then line before elite, reduced before full, the lower morale."""
    named = losses.index(unit) if unit in losses else len(losses)
    if unit not in UNITS:
        return (named, 9, 9, 0, 0, unit)
    record = UNITS[unit]
    return (named, record.stars, 1 if record.army_only else 0, force.units.get(unit, 0), record.morale, unit)


def standing_modifiers(
    state: State, force: Force, *, winter: bool, final: bool = False, alone: bool = False
) -> list[Modifier]:
    """11.6.4, 11.6.6: what does not depend on a march: supply, season, siege, two armies unless one goes alone, a
    poor zone at the end.
    """
    found = []
    if force.unsupplied:
        found.append(Modifier("unsupplied", 3, "11.6"))
    if winter and state.weather() == "winter":
        found.append(Modifier("winter_round", 2, "14.1"))
    if force.inside and force.zone in state.siege and state.siege[force.zone]:
        found.append(Modifier("besieged", state.siege[force.zone], "11.6"))
    beside = state.at(force.zone, force.side, inside=force.inside)
    if force.army and not alone and any(other.army and other is not force for other in beside):
        found.append(Modifier("two_armies", 2, "11.6.6"))
    if final and poor(state, force.zone, force.side):
        found.append(Modifier("poor_zone_crossed", 2, "11.6.4"))
    if final and state.national(force.zone, force.power):
        found.append(Modifier("national_territory", -2, "11.6"))
    return found
