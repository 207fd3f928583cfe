"""18: as an option, what each side may vary of its set-up before the first round."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from typing import Any

import msgspec

from pbem.games.nce import command
from pbem.games.nce.charts import FLEETS, GENERALS, PROVINCES, SEAS, ZONES, read
from pbem.games.nce.desk import Desk, Rehearsed
from pbem.games.nce.events import SetUpChanged
from pbem.games.nce.replies import BuyDepot, Done, Instead, Station
from pbem.games.nce.sea.naval_flight import MOST_IN_PORT
from pbem.games.nce.setup import settle_places
from pbem.games.nce.state import POOL, SEATS, Force, State, enemy
from pbem.kernel.order import Answer, Order
from pbem.kernel.plan import Plan, Refused

Row = dict[str, Any]


MOST_PLACES = 4
"""Of each piece in the menu."""


class SetUp(Rehearsed, frozen=True, kw_only=True):
    """18: what a side changes of its set-up, and of that of the neutrals it manages.

    Asked of the player himself: before the first letter he has no standing orders, and the defaults are not for it.
    """

    most_orders = 30
    orders = (Station, Instead, BuyDepot, Done)

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        for row in rows(view, self.seat):
            piece = str(row.get("commander") or next(iter(_pieces(row))))
            for place in places(view, row):
                if not self.check(view, (Station(piece, place),)):
                    yield (Station(piece, place),)

    def only(self, view: State) -> Answer | None:
        """A side that the scenario leaves any choice is asked, of places or of generals."""
        return None if any(rows(view, self.seat)) else (Done(),)

    def menu(self, view: State) -> list[Order]:
        """Some places of each piece, then the generals who may change."""
        shown: list[Order] = []
        for order in super().menu(view):
            same = [one for one in shown if isinstance(one, Station) and isinstance(order, Station)]
            if sum(one.piece == getattr(order, "piece", "") for one in same) < MOST_PLACES:
                shown.append(order)
        reserve = [general for general, place in view.generals.items() if place == POOL]
        for row in rows(view, self.seat):
            old = str(row.get("commander") or "")
            if old and "general" in row.get("choice", {}):
                changes = (Instead(new, old) for new in reserve if GENERALS[new].power == GENERALS[old].power)
                shown += [order for order in changes if not self.check(view, (order,))]
        return shown

    def carry_out(self, desk: Desk, answer: Answer) -> Coroutine[Any, Any, None]:
        return vary(desk, self.seat, answer)


async def choose(desk: Desk) -> None:
    """18: in the order of the scenario; each manager with his neutrals."""
    order = [side for side in read(desk.state.scenario)["scenario"]["setup_order"] if side in SEATS]
    for seat in order:
        answer = await desk.ask(SetUp(key=desk.label("place", seat), seat=seat, rule="18"))
        await vary(desk, seat, answer)


async def vary(desk: Desk, seat: str, answer: Answer) -> None:
    """18: each order in turn."""
    given: list[str] = []

    async def step(order: Order) -> None:
        if isinstance(order, Station):
            if order.piece in GENERALS and desk.state.generals[order.piece] == POOL:
                _from_reserve(desk, seat, order, given)
            else:
                _station(desk, seat, order)
        elif isinstance(order, Instead):
            _instead(desk, seat, order)
        elif isinstance(order, BuyDepot):
            _depot(desk, seat, order)

    await desk.carry_out(seat, Plan(enumerate(answer)), step)


def rows(state: State, seat: str) -> list[Row]:
    """The rows of the scenario that leave a choice to a seat."""
    return [
        row
        for row in read(state.scenario)["placement"]
        if "choice" in row and state.manager(state.patron(str(row["power"]))) == seat
    ]


def _pieces(row: Row) -> list[str]:
    units = [str(unit["id"]) for unit in row.get("units", ())]
    generals = [str(general) for general in row.get("generals", ())]
    commander = [str(row["commander"])] if "commander" in row else []
    return [*commander, *generals, *units, *(str(fleet) for fleet in row.get("fleets", ()))]


def places(state: State, row: Row) -> list[str]:
    """Where the forces of a row may stand: the zones that the scenario lists, or those that its words describe."""
    wanted = row["choice"].get("zones", ())
    if not isinstance(wanted, str):
        return [str(zone) for zone in wanted]
    power = str(row["power"])
    ports = [zone for zone, record in ZONES.items() if record.port and state.owner_of(zone) == power]
    basins = {
        "any Black Sea port": ("mer_noire",),
        "any Baltic port": ("baltique",),
        "any Mediterranean port of France": ("mediterranee",),
        "Atlantic or Channel ports of France": ("atlantique",),
    }
    if wanted in basins:
        return [zone for zone in ports if SEAS[ZONES[zone].port].basin in basins[wanted]]
    if wanted == "any Spanish port":
        return ports
    if wanted == "any sea zone, blockade box or English port":
        foes = [z for z, record in ZONES.items() if record.port and state.controller(z) == enemy("coalition")]
        return [*SEAS, *ports, *foes]
    if wanted == "any zone of Angleterre":
        return list(PROVINCES["angleterre"].zones)
    return [zone for province in PROVINCES.values() if "P" in province.marks for zone in province.zones]


def _row(state: State, seat: str, piece: str, what: str) -> Row:
    for row in rows(state, seat):
        if piece in _pieces(row) and what in row["choice"]:
            return row
    raise Refused("no_choice", "18", piece=piece)


def _station(desk: Desk, seat: str, order: Station) -> None:
    """18: a force, or fleets, of a row stand elsewhere within the limits of the scenario."""
    state = desk.state
    row = _row(state, seat, order.piece, "zones")
    open_to = places(state, row)
    if order.to not in open_to:
        nearest = (Station(order.piece, open_to[0]),)
        raise Refused("not_in_set_up", "18", nearest=nearest, zone=order.to, zones=tuple(open_to[:8]))
    if order.piece in FLEETS:
        _moor(state, seat, order)
    else:
        _march(state, row, order)
    desk.tell(SetUpChanged(piece=order.piece, to=order.to, rule="18"))


def _moor(state: State, seat: str, order: Station) -> None:
    if order.to in SEAS:
        place = f"sea:{order.to}"
    else:
        kind = "port" if state.controller(order.to) == seat else "box"
        place = f"{kind}:{order.to}"
    if len(state.fleets_at(place, seat)) >= MOST_IN_PORT:
        raise Refused("port_full", "15.3.1", zone=order.to)
    state.fleets[order.piece] = place


def _march(state: State, row: Row, order: Station) -> None:
    force = state.force_with(order.piece)
    assert force is not None
    mine = [str(unit["id"]) for unit in row.get("units", ())]
    others = {unit: steps for unit, steps in force.units.items() if unit not in mine}
    friends = [other for other in state.at(order.to, force.side) if other.id != force.id]
    if others:
        stay = Force(id="", side=force.side, zone=force.zone, units=others)
        if command.command_problem(stay)[0]:
            raise Refused("stacking", "4.1.1", zone=force.zone, force=force.name, why="no_general")
        force.units = {unit: steps for unit, steps in force.units.items() if unit in mine}
        state.add(stay)
    force.zone = order.to
    for friend in friends:
        code, rule = command.may_join(friend, force)
        if code:
            raise Refused("stacking", rule, zone=order.to, force=friend.name, why=code)
        command.join(state, friend, force)


def _instead(desk: Desk, seat: str, order: Instead) -> None:
    """18: another general of the reserve where the scenario says «a general»."""
    state = desk.state
    row = _row(state, seat, order.old, "general")
    force = state.force_with(order.old)
    old, new = GENERALS[order.old], GENERALS[order.new]
    free = state.generals[order.new] == POOL and new.power == old.power and force is not None
    six = row["choice"]["general"] == "one of command 6" and new.command != 6
    subordinate = row["choice"]["general"] == "any subordinate" and order.old == row["commander"]
    if not free or six or subordinate:
        able = tuple(
            g for g, place in state.generals.items() if place == POOL and GENERALS[g].power == old.power
        )
        raise Refused("not_in_set_up", "18", general=order.new, generals=able)
    assert force is not None
    changed = msgspec.structs.replace(
        force,
        general=order.new if force.general == order.old else force.general,
        subs=[order.new if general == order.old else general for general in force.subs],
    )
    code, rule = command.command_problem(changed)
    if not code and any(GENERALS[g].rank < GENERALS[changed.general].rank for g in changed.subs):
        code, rule = "lower_rank", "4.3.1"
    if code:
        raise Refused(code, rule, force=order.new)
    force.general, force.subs = changed.general, changed.subs
    state.generals[order.old] = POOL
    settle_places(state, force)
    desk.tell(SetUpChanged(piece=order.new, to=force.zone, rule="18"))


def _reserve_rows(state: State, key: str) -> list[Row]:
    """The free additions of the scenario: generals of the reserve, or depots, as the board has them by default."""
    return [item for row in read(state.scenario).get("choice", ()) for item in row["default"] if key in item]


def _french(state: State, seat: str, zone: str) -> Force:
    here = [force for force in state.at(zone, seat) if force.steps_of("france")]
    if not here:
        raise Refused("no_units_there", "18", zone=zone)
    return here[0]


def _from_reserve(desk: Desk, seat: str, order: Station, given: list[str]) -> None:
    """18: a French general of the reserve with French units, instead of one that the set-up has by default."""
    state = desk.state
    spare = [str(item["general"]) for item in _reserve_rows(state, "general")]
    spare = [general for general in spare if general not in given]
    if seat != "empire" or not spare or GENERALS[order.piece].power != "france":
        raise Refused("no_choice", "18", piece=order.piece)
    if order.to not in ZONES:
        raise Refused("no_units_there", "18", zone=order.to)
    taker = _french(state, seat, order.to)
    leaver = spare[-1]
    given.append(leaver)
    home = state.force_with(leaver)
    if home is not None:
        command.general_home(state, leaver)
    state.generals[leaver] = POOL
    if not taker.general:
        changed = msgspec.structs.replace(taker, general=order.piece)
    elif command.may_serve(taker, order.piece):
        changed = msgspec.structs.replace(taker, subs=[*taker.subs, order.piece])
    else:
        raise Refused("already_led", "4.4.1", force=taker.name)
    code, rule = command.command_problem(changed)
    if code:
        raise Refused(code, rule, force=taker.name)
    taker.general, taker.subs = changed.general, changed.subs
    settle_places(state, taker)
    desk.tell(SetUpChanged(piece=order.piece, to=order.to, rule="18"))


def _depot(desk: Desk, seat: str, order: BuyDepot) -> None:
    """18: the extra mobile depot stands with other French units."""
    state = desk.state
    defaults = _reserve_rows(state, "depot")
    force = state.force_with(order.force)
    if (
        seat != "empire"
        or not defaults
        or force is None
        or not force.steps_of("france")
        or force.side != seat
    ):
        raise Refused("no_choice", "18", piece=order.force)
    (before, *_) = state.at(str(defaults[0]["zone"]), seat)
    if "france" in before.depots:
        before.depots.remove("france")
        force.depots.append("france")
        desk.tell(SetUpChanged(piece="depot", to=force.zone, rule="18"))
