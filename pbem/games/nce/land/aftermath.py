"""12.9-12.12: losses, demoralisation, pursuit and retreat."""

from __future__ import annotations

from collections.abc import Collection

from pbem.games.nce import board, charts, command
from pbem.games.nce.cards import combat_cards
from pbem.games.nce.cards.combat_cards import Side
from pbem.games.nce.charts import CROSSING, GENERALS, UNITS
from pbem.games.nce.desk import Desk
from pbem.games.nce.events_field import (
    ForceDestroyed,
    ForcesJoined,
    MoraleTested,
    Pursued,
    Retreated,
    StepsLost,
)
from pbem.games.nce.land import depots, dismissal, iberia
from pbem.games.nce.land.attrition import preference
from pbem.games.nce.land.supply import Network
from pbem.games.nce.reactions import may_stand, strait_closed
from pbem.games.nce.state import Force, State, enemy
from pbem.kernel.event import Modifier

DEPOTS = "depots"
DIE = 6
CRUSHING = 5


def allocate(desk: Desk, side: Side, number: int, *, cavalry: bool = False) -> int:
    """12.9.1, 12.9.2, 12.7.4: the lead first, then each engaged special unit; half on good morale;
    a horse where due.
    """
    state, taken, gone = desk.state, [], []
    zone = side.forces[0].zone
    name = side.name
    forced = [side.lead] if side.lead else []
    forced += list(side.engaged)
    bearing = number - max(0, min(len(side.engaged), number - (1 if side.lead else 0)))
    good_needed = (bearing + 1) // 2
    ridden = not cavalry
    for turn in range(number):
        side.alive()
        if not side.forces:
            break
        held = {unit: force for force in side.forces for unit in (*force.units, *force.special)}
        choice = next((unit for unit in forced if unit in held), "")
        if choice:
            forced.remove(choice)
        elif not ridden and any(unit in UNITS and UNITS[unit].army_only for unit in held):
            choice = next(unit for unit in held if unit in UNITS and UNITS[unit].army_only)
        else:
            choice = _choose(side, held, good_needed, number - turn)
        if choice in UNITS:
            ridden = ridden or UNITS[choice].army_only
            if side.steady(choice):
                good_needed -= 1
        taken.append(choice)
        if command.lose_step(state, held[choice], choice):
            gone.append(choice)
    side.alive()
    if taken:
        desk.tell(StepsLost(force=name, zone=zone, pieces=tuple(taken), gone=tuple(gone), rule="12.9"))
    return len(taken)


def _choose(side: Side, held: dict[str, Force], good_needed: int, left: int) -> str:
    """12.9.2: at least half of the losses on units of the force's morale or better."""
    units = [unit for unit in held if unit in UNITS]
    if not units:
        return next(iter(held))
    good = [unit for unit in units if side.steady(unit)]
    if good and good_needed >= left:
        units = good
    return min(units, key=lambda unit: preference(held[unit], unit, side.loss_order))


def destroy(desk: Desk, side: Side) -> None:
    """12.3: the whole side is gone; its generals go to the reserve."""
    for force in list(side.forces):
        desk.tell(ForceDestroyed(force=force.name, zone=force.zone, side=force.side, rule="12.3"))
        command.dissolve(desk.state, force)
    side.forces = []


async def follow_up(desk: Desk, zone: str, winner: Side, loser: Side, size: str, *, landing: bool) -> None:
    """12.10.1, 12.11.3, 12.12.5: test, pursuit, retreat."""
    if not loser.forces:
        return
    if landing:
        destroy(desk, loser)
        return
    state = desk.state
    goal, fortress = retreat_goal(state, loser, zone)
    extra = _crossing_loss(zone, goal) if goal else 0
    if size != "skirmish" and _demoralised(desk, loser, winner, extra):
        _break(desk, loser)
        if not loser.forces:
            return
        await _disgrace(desk, winner, loser)
        _pursue(desk, winner, loser)
        if not loser.forces:
            return
    retreat(desk, loser, zone, goal, fortress, extra)


def _break(desk: Desk, loser: Side) -> None:
    """12.11.1, 12.11.3: the marker; who had it already is wholly destroyed, of two armies each on its own."""
    for force in list(loser.forces):
        if force.demoralised:
            desk.tell(ForceDestroyed(force=force.name, zone=force.zone, side=force.side, rule="12.11.3"))
            command.dissolve(desk.state, force)
        force.demoralised = True
    loser.alive()


def bystanders_leave(desk: Desk, zone: str, side: Side) -> None:
    """10.3.5: a friend who stood by goes back with the beaten mover, to where that came from."""
    state = desk.state
    for id in sorted(side.apart & set(state.forces)):
        force = state.forces[id]
        if not state.at(zone, enemy(side.seat)):
            return
        stand = Side(desk, side.role, [force], came=side.came)
        stand.other, stand.retreat = side.other, side.retreat
        goal, fortress = retreat_goal(state, stand, zone)
        retreat(desk, stand, zone, goal, fortress, _crossing_loss(zone, goal) if goal else 0)


def _demoralised(desk: Desk, loser: Side, winner: Side, extra: int) -> bool:
    """12.10.1: the die against morale, commander's value and the difference of losses."""
    threshold = loser.morale + loser.tactical() - (loser.losses + extra - winner.losses)
    if -1 <= threshold < DIE:
        # 2F is kept where no die could tell the difference.
        card = combat_cards.play_if_held(loser, "morale_mod", "battle.morale_test", "self")
        threshold += int(card["value"]) if card else 0
    label, (die,) = desk.roll("morale", loser.name, rule="12.10.1", seat=loser.seat)
    failed = die > threshold
    desk.tell(
        MoraleTested(
            force=loser.name, die=die, threshold=threshold, demoralised=failed, draws=(label,), rule="12.10.1"
        )
    )
    return failed


async def _disgrace(desk: Desk, winner: Side, loser: Side) -> None:
    """29C, 4.4.5: the beaten commander is dismissed, Napoléon excepted; his owner may name another."""
    force = loser.commander
    if not force.general or force.general == "napoleon":
        return
    if combat_cards.play_if_held(winner, "dismiss", "battle.after_morale_test"):
        await dismissal.dismiss(desk, force, winner.spent[-1])
        for one in list(loser.forces):
            command.trim(desk.state, one)
        loser.alive()


def _pursue(desk: Desk, winner: Side, loser: Side) -> None:
    """12.10.2, 12.10.3, 12.10.4: points above six are further losses, depots first unless the plan says otherwise."""
    if not winner.forces or not loser.forces:
        return
    head = winner.commander
    own = combat_cards.pursuit_bonus(winner)
    played = combat_cards.play_if_held(winner, "pursuit_mod", "battle.pursuit", "self")
    own += int(played["value"]) if played else 0
    reasons = {
        "commander": GENERALS[head.general].attack if head.general else 0,
        "horse": _horse(winner),
        "screen": -_horse(loser) if desk.state.on("screen") else 0,
        "own_card": own,
    }
    if sum(reasons.values()) > 0:
        # Without a bonus no die is above six, and the loser keeps his card.
        against = combat_cards.play_if_held(loser, "pursuit_mod", "battle.pursuit", "enemy")
        reasons["enemy_card"] = int(against["value"]) if against else 0
    label, (die,) = desk.roll("pursuit", winner.name, rule="12.10.2", seat=winner.seat)
    total = die + sum(reasons.values())
    losses = max(0, total - 6)
    desk.tell(
        Pursued(
            force=winner.name,
            die=die,
            total=total,
            losses=losses,
            modifiers=tuple(Modifier(name, value) for name, value in reasons.items() if value),
            draws=(label,),
            rule="12.10.2",
        )
    )
    lose_freely(desk, loser, losses, "12.10.2")


def _horse(side: Side) -> int:
    """12.10.2: steps of cavalry reserves, and what leaders of horse are worth."""
    steps = sum(n for f in side.forces for u, n in f.units.items() if UNITS[u].army_only)
    return steps + sum(GENERALS[g].cavalry for f in side.forces for g in f.generals)


def lose_freely(desk: Desk, side: Side, number: int, rule: str, why: str = "") -> None:
    """12.10.2, 12.12.4: steps or depots, as the owner orders."""
    depots_first = DEPOTS in side.loss_order or not side.loss_order
    taken: list[str] = []
    gone: list[str] = []
    name, zone = side.name, side.forces[0].zone
    for _ in range(number):
        side.alive()
        if not side.forces:
            break
        carrier = next((force for force in side.forces if force.depots), None)
        if depots_first and carrier is not None:
            carrier.depots.pop()
            taken.append("depot")
            continue
        held = {unit: force for force in side.forces for unit in force.units}
        unit = min(held, key=lambda one: preference(held[one], one, side.loss_order))
        taken.append(unit)
        if command.lose_step(desk.state, held[unit], unit):
            gone.append(unit)
    side.alive()
    if taken:
        desk.tell(StepsLost(force=name, zone=zone, pieces=tuple(taken), gone=tuple(gone), why=why, rule=rule))


def _crossing_loss(zone: str, goal: str) -> int:
    """12.12.4: one more loss over an unbridged river or a mountain without pass."""
    kind = board.crossing(zone, goal)
    return int(CROSSING[kind].get("retreat_extra_loss", 0)) if kind else 0


def retreat_goal(state: State, side: Side, zone: str, *, fed: bool = False) -> tuple[str, bool]:
    """12.12.1, 12.12.2: where the loser goes; nowhere where he is destroyed. True for the zone's fortress.

    `fed`: who lifts a siege seeks supply first (13.3.1).
    """
    if side.came and board.crossing(zone, side.came) and not state.at(side.came, enemy(side.seat)):
        return side.came, False
    closed = side.other.entries if side.role == "defender" else set()
    ways = [z for z in board.neighbours(zone) if z not in closed and _may_retreat(state, side, zone, z)]
    empty = [
        z for z in ways if not state.at(z, enemy(side.seat)) and not state.hostile_fortress(z, side.seat)
    ]
    if fed:
        empty = [z for z in empty if _fed(state, side, z)] or empty
    friendly = [z for z in empty if state.controller(z) == side.seat or state.free_passage(z)]
    if friendly:
        return _prefer(state, side, friendly), False
    if _own_fortress(state, side, zone):
        return zone, True
    if empty:
        return _prefer(state, side, empty), False
    crushed = [z for z in ways if z not in empty and _could_overrun(state, side, z)]
    return (_prefer(state, side, crushed), False) if crushed else ("", False)


def _may_retreat(state: State, side: Side, here: str, there: str) -> bool:
    if not may_stand(state, there, side.seat) or strait_closed(state, here, there, side.seat):
        return False
    return not any(
        command.stuck_at_home(state, force, there) or iberia.problem(state, force, there, also=side.forces)
        for force in side.forces
    )


def _fed(state: State, side: Side, zone: str) -> bool:
    network = Network(state, side.seat, side.commander.power)
    return network.supplies(zone)


def _own_fortress(state: State, side: Side, zone: str) -> bool:
    return bool(state.fortress(zone)) and state.controller(zone) == side.seat and zone not in state.siege


def _could_overrun(state: State, side: Side, zone: str) -> bool:
    """12.12.2, class 4: an enemy-occupied zone where five to one is reached."""
    theirs = sum(force.strength for force in state.at(zone, enemy(side.seat)))
    crushing = charts.odds(side.strength, theirs)[0] >= CRUSHING
    return theirs > 0 and crushing and not state.hostile_fortress(zone, side.seat)


def _prefer(state: State, side: Side, zones: list[str]) -> str:
    """D11: the player's order, then towards supply, then one's own ground, then by name."""
    for zone in side.retreat:
        if zone in zones:
            return zone
    power = side.commander.power
    joined = Network(state, side.seat, power).joined if side.seat in ("empire", "coalition") else set()

    def worth(zone: str) -> tuple[bool, bool, bool, int, str]:
        crowd = any(command.may_join(f, o)[0] for f in state.at(zone, side.seat) for o in side.forces)
        near = min((board.distance(zone, s) for s in joined), default=board.FAR) if joined else 0
        return (crowd, zone not in joined, state.controller(zone) != side.seat, near, zone)

    return min(zones, key=worth)


def retreat(desk: Desk, side: Side, zone: str, goal: str, fortress: bool, extra: int) -> None:
    """12.12.3, 12.12.4: the loser leaves, or is destroyed where he cannot."""
    state = desk.state
    if not goal:
        destroy(desk, side)
        return
    if fortress:
        for force in side.forces:
            force.inside = True
            desk.tell(Retreated(force=force.name, start=zone, to=zone, rule="12.12.2"))
        settle(desk, zone, side.seat, inside=True)
        return
    for other in state.at(goal, enemy(side.seat)):
        desk.tell(ForceDestroyed(force=other.name, zone=goal, side=other.side, rule="12.12.2"))
        command.dissolve(state, other)
    if extra:
        lose_freely(desk, side, extra, "12.12.4", "crossing")
    for force in side.forces:
        depots.go_along(desk, force, zone)
        force.zone = goal
        state.moves.append((zone, goal, force.side))
        desk.tell(Retreated(force=force.name, start=zone, to=goal, rule="12.12"))
    if side.forces:
        settle(desk, goal, side.seat)


def settle(
    desk: Desk,
    zone: str,
    side: str,
    *,
    inside: bool = False,
    strict: bool = True,
    apart: Collection[str] = (),
) -> None:
    """4.3.2, 12.2.5: forces of a side that meet in a zone are one, and what that costs is told."""

    def stack() -> list[Force]:
        return [one for one in desk.state.at(zone, side, inside=inside) if one.id not in apart]

    before = stack()
    steps = {unit: number for one in before for unit, number in one.units.items()}
    lost, spare = command.consolidate(desk.state, zone, side, inside=inside, strict=strict, apart=apart)
    after = stack()
    if not after:
        return
    name = command.lead(after).name
    if lost or spare or len(after) < len(before):
        desk.tell(ForcesJoined(zone=zone, force=name, spare=tuple(spare), lost=tuple(lost), rule="4.3.2"))
    left = {unit: number for one in after for unit, number in one.units.items()}
    fewer = tuple(unit for unit in left for _ in range(steps[unit] - left[unit]))
    if fewer:
        desk.tell(StepsLost(force=name, zone=zone, pieces=fewer, gone=(), rule="4.2.5"))
