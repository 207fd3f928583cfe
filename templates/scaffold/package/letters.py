"""What letters show: names, the state of things, the map."""

from __future__ import annotations

from NAME.board import TOWNS
from NAME.events import Stands
from NAME.state import HIDDEN, SEATS, State

from pbem.kernel.drawing import (
    Banners,
    Block,
    Drawing,
    HexBoard,
    HexPlace,
    HexSheet,
    HexTerrain,
    Lang,
    Objective,
    Stake,
    Tint,
)
from pbem.kernel.event import Event
from pbem.kernel.order import Vocabulary
from pbem.kernel.words import load

_WORDS = load("NAME")
_WORDS.known("town", TOWNS)
VOCABULARY = Vocabulary({kind: _WORDS.kind(kind) for kind in _WORDS.names}, _WORDS.verbs)
TINTS: dict[str, Tint] = {"red": "great_britain", "blue": "france"}


def moment(state: State) -> str:
    """Where the game stands, for a subject line."""
    return f"t{min(state.turn, state.last)}"


def status(view: State, seat: str | None) -> list[Event]:
    """How things stand, for one seat."""
    return [
        Stands(
            turn=min(view.turn, view.last),
            last=view.last,
            red=view.at["red"],
            blue=view.at["blue"],
            red_points=view.points("red"),
            blue_points=view.points("blue"),
            strength=view.strength.get(seat or "", HIDDEN),
        )
    ]


def drawing(view: State, seat: str | None, lang: str) -> Drawing:
    """The map: towns with who holds them, and the corps."""
    tongue: Lang = "fr" if lang == "fr" else "en"
    ground = tuple(HexTerrain(town.hex, "town") for town in TOWNS.values())
    places = tuple(HexPlace(town.hex, VOCABULARY.say("town", town.id, lang)) for town in TOWNS.values())
    held = tuple(
        Objective(
            town.hex,
            tuple(Stake(TINTS[side], str(town.points)) for side in SEATS),
            TINTS[view.holder[town.id]] if town.id in view.holder else "neutral",
        )
        for town in TOWNS.values()
    )
    corps = tuple(
        Block(
            TOWNS[view.at[side]].hex,
            TINTS[side],
            "infantry",
            side[:1].upper(),
            max(1, view.strength[side]) if view.strength[side] != HIDDEN else 3,
            3,
        )
        for side in SEATS
    )
    most = sum(town.points for town in TOWNS.values()) // 2 + 1
    red, blue = (
        Banners(TINTS[side], VOCABULARY.say("seat", side, lang), view.points(side), most) for side in SEATS
    )
    return Drawing(
        board="NAME",
        title="TITLE",
        subtitle=f"{'tour' if tongue == 'fr' else 'turn'} {min(view.turn, view.last)}",
        lang=tongue,
        hexes=HexSheet(HexBoard(ground, places, columns=7, rows=5, sections=()), (*held, *corps), red, blue),
    )
