"""A view at a glance, as events that say how things stand."""

from __future__ import annotations

from pbem.games.leipzig.board import BOARD, SIDES, UNKNOWN, kind_of
from pbem.games.leipzig.charts import date_of, next_date, steps_to_next
from pbem.games.leipzig.events import (
    StandsArmies,
    StandsClock,
    StandsEnemyHand,
    StandsHand,
    StandsMarching,
    StandsMissions,
    StandsPlaced,
    StandsRow,
    StandsScore,
    Tile,
    Track,
)
from pbem.games.leipzig.state import LOST, MARCHING, PLACED, WAITING, State, actions_left, contacts
from pbem.kernel.event import Event


def status(view: State, seat: str | None) -> list[Event]:
    """How things stand, for one seat."""
    mine = view.roles.get(seat) if seat else None
    lines: list[Event] = [
        StandsClock(
            turn=view.turn,
            side=view.side,
            left=actions_left(view),
            date=date_of(view.time),
            next=next_date(view.time),
            steps=steps_to_next(view.time),
            over=view.phase == "over",
        ),
        StandsScore(french=view.points["french"], allied=view.points["allied"]),
    ]
    for side in SIDES:
        groups: dict[str, list[str]] = {PLACED: [], MARCHING: [], WAITING: [], LOST: []}
        for id in BOARD.of(side):
            groups[view.armies[id].status].append(id)
        lines.append(
            StandsArmies(
                side=side,
                placed=tuple(groups[PLACED]),
                marching=tuple(groups[MARCHING]),
                waiting=tuple(groups[WAITING]),
                lost=tuple(groups[LOST]),
            )
        )
    touching = contacts(view)
    for side in SIDES:
        armies = [(id, view.armies[id]) for id in BOARD.of(side)]
        placed = tuple(
            Tile(id, one.zone, one.strength, bool(touching.get(id))) for id, one in armies if one.zone
        )
        marching = tuple(Track(id, tuple(one.markers), one.strength) for id, one in armies if one.markers)
        if placed:
            lines.append(StandsPlaced(side=side, armies=placed))
        if marching:
            lines.append(StandsMarching(side=side, armies=marching))
    known = tuple(mission for mission in view.missions if mission != UNKNOWN)
    lines.append(StandsMissions(revealed=tuple(view.revealed), hidden=len(view.missions), mine=known))
    for side in SIDES:
        cards = tuple(kind_of(held.card) for held in view.hands[side])
        if side == mine:
            lines.append(StandsHand(side=side, cards=cards, scouts=view.scouts[side]))
        else:
            lines.append(StandsEnemyHand(side=side, cards=len(cards), scouts=view.scouts[side]))
    row = tuple(kind_of(card) for card in view.row if card)
    lines.append(StandsRow(cards=row, pile=len(view.pile), supply=view.supply))
    return lines


def moment(state: State) -> str:
    """Where the game stands, for a subject line."""
    return f"g2t{state.turn}" if state.game > 1 else f"t{state.turn}"
