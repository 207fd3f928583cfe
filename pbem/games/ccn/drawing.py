"""Counters and marks on the map: the ground, the blocks, the banners, and what the last turn did."""

from __future__ import annotations

from functools import cache
from typing import cast

from pbem.games.ccn import board, charts, setup, trail
from pbem.games.ccn.charts import Kind
from pbem.games.ccn.state import FRENCH, SEATS, State, Trace, Unit
from pbem.kernel.drawing import (
    Banners,
    Block,
    Drawing,
    Edge,
    Ground,
    HexBoard,
    HexFight,
    HexLeader,
    HexLoss,
    HexMark,
    HexMove,
    HexPlace,
    HexSheet,
    HexTerrain,
    Lang,
    Objective,
    Stake,
    Tint,
)

TINTS: dict[str, Tint] = {"french": "france", "british": "great_britain", "portuguese": "portugal"}
_ENGLISH = "January February March April May June July August September October November December"
_FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
MONTHS = {"en": tuple(_ENGLISH.split(" ")), "fr": tuple(_FRENCH.split(" "))}
MOST_TRACES = 60
_CODES = ("LN", "LT", "RL", "GR", "GG", "YG", "OG", "MI", "LC", "HC", "CU", "GHC", "FA", "HA", "GFA")
"""The letters on the blocks, in the order of the key."""


def side_tint(seat: str) -> Tint:
    """The colour of a side: that of its first nation."""
    return "france" if seat == FRENCH else "great_britain"


@cache
def _names() -> dict[str, str]:
    return setup.leader_names()


def _name(leader: str) -> str:
    return _names().get(leader, leader.replace("_", " ").title())


def _ground(view: State, near: Edge) -> HexBoard:
    """The ground of the scenario, as it lies; works look at the hexes that they face."""
    terrain = [HexTerrain(hex, cast(Ground, kind)) for hex, kind in view.terrain.items() if kind != "clear"]
    terrain += [HexTerrain(hex, "fieldwork", tuple(faces)) for hex, faces in view.works.items()]
    row = setup.tables().get(view.scenario, {})
    places = tuple(HexPlace(hex, name) for hex, name in row.get("places", {}).items())
    there = {unit.kind.code.removeprefix("P-") for unit in view.units.values()}
    codes = tuple(code for code in _CODES if code in there)
    return HexBoard(tuple(terrain), places, codes=codes, near=near)


def _block(view: State, unit: Unit) -> Block:
    kind: Kind = unit.kind
    leader = view.leader_of(unit)
    acted = any(trace.hexes[-1] == unit.hex and trace.kind == trail.MOVE for trace in view.trail)
    acted = acted or any(trace.hexes[0] == unit.hex and trace.kind != trail.MOVE for trace in view.trail)
    return Block(
        hex=unit.hex,
        tint=TINTS[kind.nation],
        arm=kind.arm,
        code=kind.code.removeprefix("P-"),
        strength=unit.blocks,
        full=kind.blocks,
        leader=_name(leader.id) if leader else "",
        guard=kind.guard,
        square=unit.square > 0,
        ordered=acted and unit.side != view.active,
    )


def _trace(view: State, trace: Trace) -> HexMark:
    kind = charts.kinds().get(trace.piece)
    nation = kind.nation if kind else view.leaders[trace.piece].nation
    tint = TINTS[nation]
    if trace.kind == trail.LOSS:
        return HexLoss(trace.hexes[0], tint, kind.code.removeprefix("P-") if kind else "★")
    if trace.kind in (trail.FIRE, trail.MELEE):
        melee = trace.kind == trail.MELEE
        return HexFight(trace.hexes[0], trace.hexes[1], tint, melee=melee, label=trace.label)
    return HexMove(trace.hexes, tint, retreat=trace.kind == trail.RETREAT)


def _banners(view: State, seat: str, lang: Lang) -> Banners:
    hand = len(view.hands[seat])
    names = {"en": ("French", "Allies"), "fr": ("Français", "Alliés")}[lang]
    cards = (
        f"{hand} carte{'s' if hand > 1 else ''}" if lang == "fr" else f"{hand} card{'s' if hand != 1 else ''}"
    )
    return Banners(side_tint(seat), names[seat != FRENCH], view.banners(seat), view.goal, cards)


def _titles(view: State, lang: Lang) -> tuple[str, str]:
    scenario = setup.scenarios().get(view.scenario)
    title = (scenario.fr if lang == "fr" else scenario.en) if scenario else view.scenario
    date = setup.tables().get(view.scenario, {}).get("date")
    turn = f"{'tour' if lang == 'fr' else 'turn'} {max(1, view.turn)}"
    if date is None:
        return title, turn
    return title, f"{date.day} {MONTHS[lang][date.month - 1]} {date.year} · {turn}"


def draw(view: State, seat: str | None, lang: str) -> Drawing:
    """The position as a seat may know it, seen from its own edge of the board."""
    tongue: Lang = "fr" if lang == "fr" else "en"
    near: Edge = "top" if seat in SEATS and view.place(seat) == board.TOP else "bottom"
    marks: list[HexMark] = [_block(view, unit) for unit in view.units.values() if unit.hex]
    marks += [
        HexLeader(leader.hex, TINTS[leader.nation], _name(leader.id))
        for leader in view.leaders.values()
        if leader.hex and view.unit_at(leader.hex) is None
    ]
    for number, objective in enumerate(view.objectives):
        sides = SEATS if objective.side == "both" else (objective.side,)
        holder = next((side for side in SEATS if number in view.held.get(side, ())), "")
        stakes = tuple(Stake(side_tint(side), str(objective.banners)) for side in sides)
        tint: Tint = side_tint(holder) if holder else "neutral"
        marks += [Objective(hex, stakes, tint) for hex in objective.hexes]
    marks += [_trace(view, trace) for trace in view.trail[:MOST_TRACES]]
    other = view.enemy(view.bottom)
    title, subtitle = _titles(view, tongue)
    return Drawing(
        board="ccn",
        title=title,
        subtitle=subtitle,
        lang=tongue,
        hexes=HexSheet(
            _ground(view, near),
            tuple(marks),
            _banners(view, view.bottom, tongue),
            _banners(view, other, tongue),
        ),
    )
