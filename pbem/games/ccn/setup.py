"""2: scenarios and set-up."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

from pbem.games.ccn import board, charts
from pbem.games.ccn.state import ALLIED, FRENCH, SEATS, Leader, Objective, State, Unit
from pbem.kernel.rules import Option, Scenario


class BadScenario(ValueError):
    """A set-up that the rules do not allow; the message names the file's scenario and the key."""


@cache
def tables() -> dict[str, dict[str, Any]]:
    """2.1: all set-ups by id: our six battles first, then those after the published booklet."""
    rows: list[dict[str, Any]] = list(charts.table("scenarios")["scenario"])
    for file in charts.DATA.names("published"):
        rows += charts.table(file)["scenario"]
    return {row["id"]: row for row in rows}


@cache
def scenarios() -> dict[str, Scenario]:
    """The set-ups to choose."""
    return {
        id: Scenario(id, row.get("title_en", row["title"]), row.get("title_fr", row["title"]), SEATS)
        for id, row in tables().items()
    }


def slug(name: str) -> str:
    """A leader's id from his name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")


def leader_names() -> dict[str, str]:
    """The leaders of all scenarios: id and name."""
    return {
        slug(leader["name"]): leader["name"] for row in tables().values() for leader in row.get("leaders", ())
    }


def bottom_seat(row: dict[str, Any]) -> str:
    """2.2: which army is at the bottom."""
    return FRENCH if row["bottom_army"] == "french" else ALLIED


def setup(scenario: str, options: dict[str, str]) -> State:
    """2.2, 2.3, 2.4, 2.6, 2.10: the position before the cards are dealt; a side may have several nations."""
    row = tables()[scenario]
    state = read(row, {option.name: option.values[0] for option in OPTIONS} | options)
    wrong = faults(state)
    if wrong:
        raise BadScenario(f"{scenario}: " + "; ".join(wrong))
    return state


def read(row: dict[str, Any], options: dict[str, str]) -> State:
    """A position from a scenario's table; one symbol is one whole unit."""
    bottom = bottom_seat(row)
    top = FRENCH if bottom == ALLIED else ALLIED
    seats = {"bottom": bottom, "top": top, "both": "both"}
    units: dict[str, Unit] = {}
    for number, item in enumerate(row["units"], 1):
        side = seats[item["side"]]
        full = charts.kinds()[item["type"]].blocks
        unit = Unit(f"{side}-{number}", side, item["type"], item["hex"], item.get("blocks", full))
        units[unit.id] = unit
    leaders = {
        slug(item["name"]): Leader(slug(item["name"]), seats[item["side"]], item["nation"], item["hex"])
        for item in row.get("leaders", ())
    }
    works = {item["hex"]: list(item["toward"]) for item in row.get("fieldwork_sides", ())}
    terrain = {hex: kind for kind, hexes in row["terrain"].items() if kind != "fieldwork" for hex in hexes}
    return State(
        scenario=row["id"],
        options=options,
        bottom=bottom,
        first=seats[row["first_player"]],
        goal=row["victory_banners"],
        cards={seats[place]: number for place, number in row["cards"].items()},
        terrain=terrain,
        works=works,
        units=units,
        leaders=leaders,
        objectives=[
            Objective(
                tuple(item.get("hexes") or [item["hex"]]),
                seats[item["side"]],
                item.get("banners", 1),
                item.get("kind", "temporary"),
            )
            for item in row.get("objectives", ())
        ],
        exits={seats[place]: list(hexes) for place, hexes in row.get("exit_hexes", {}).items()},
        hands={seat: [] for seat in SEATS},
        tracks={seat: {} for seat in SEATS},
        won={seat: [] for seat in SEATS},
        held={seat: [] for seat in SEATS},
        exited={seat: [] for seat in SEATS},
    )


def faults(state: State) -> list[str]:
    """What is wrong with a set-up: hexes, double occupancy, impassable ground, too small hands."""
    wrong: list[str] = []
    named = [*state.terrain, *state.works, *(unit.hex for unit in state.units.values())]
    named += [leader.hex for leader in state.leaders.values()]
    named += [hex for objective in state.objectives for hex in objective.hexes]
    wrong += [f"{hex} is not on the board" for hex in named if hex not in board.ROW]
    if wrong:
        return wrong
    for kind in state.terrain.values():
        if kind not in charts.grounds():
            wrong.append(f"unknown terrain {kind}")
    seen: set[str] = set()
    for unit in state.units.values():
        ground = charts.grounds()[state.ground(unit.hex)]
        if unit.hex in seen:
            wrong.append(f"two units in {unit.hex}")
        if not ground.passable or unit.arm in ground.impassable_for:
            wrong.append(f"{unit.type} on impassable {unit.hex}")
        seen.add(unit.hex)
    posts = [leader.hex for leader in state.leaders.values()]
    wrong += [f"two leaders in {hex}" for hex in sorted(set(posts)) if posts.count(hex) > 1]
    for leader in state.leaders.values():
        unit_here = state.unit_at(leader.hex)
        if unit_here is not None and unit_here.side != leader.side:
            wrong.append(f"{leader.id} stands with the enemy")
    for hex, faces in state.works.items():
        wrong += [f"works of {hex} face {face}" for face in faces if face not in board.NEIGHBOURS[hex]]
    wrong += [f"{seat} has {number} cards" for seat, number in state.cards.items() if number < 4]
    return wrong


YES_NO, NO_YES = ("yes", "no"), ("no", "yes")
OPTIONS: tuple[Option, ...] = (
    Option(
        "grenadier_fire_bonus",
        ("text", "card"),
        "R17: every grenadier unit fires with one more die (text), or the British only (card)",
        "R17 : tous les grenadiers tirent avec un dé de plus (text), ou les seuls Britanniques (card)",
    ),
    Option(
        "cuirass_saves_one_fire_hit",
        NO_YES,
        "cuirassiers ignore one hit of infantry fire",
        "les cuirassiers ignorent une perte d'un tir d'infanterie",
    ),
    Option(
        "horse_artillery_moved_max_range",
        ("3", "4", "2"),
        "R20: how far horse guns fire after moving one hex",
        "R20 : portée de l'artillerie à cheval qui a bougé d'une case",
    ),
    Option(
        "guard_foot_artillery_fire_bonus",
        ("0", "1"),
        "R61: extra dice of the guard battery in fire",
        "R61 : dés supplémentaires de la batterie de la garde au tir",
    ),
    Option(
        "guard_foot_artillery_flags",
        ("1", "2"),
        "R61: flags that the guard battery may ignore",
        "R61 : drapeaux que la batterie de la garde peut ignorer",
    ),
    Option(
        "portuguese_light_are_rifles",
        NO_YES,
        "R62: Portuguese light infantry are rifles: range 3, sabres do not hit",
        "R62 : l'infanterie légère portugaise a des carabines : portée 3, sabres sans effet",
    ),
    Option(
        "terrain_reductions_cumulative",
        YES_NO,
        "R56: dice lost for leaving and for entering terrain are added",
        "R56 : les dés perdus en sortie et en entrée de terrain s'ajoutent",
    ),
    Option(
        "stop_terrain_forbids_take_ground",
        YES_NO,
        "R24: a unit that entered stop terrain this turn cannot take ground",
        "R24 : une unité entrée en terrain d'arrêt ce tour ne prend pas le terrain",
    ),
    Option(
        "first_strike_unit_may_battle_back",
        YES_NO,
        "R45: a unit that struck first may also battle back",
        "R45 : une unité qui a frappé en embuscade peut aussi riposter",
    ),
    Option(
        "first_strike_with_square",
        NO_YES,
        "R42: First Strike may be played together with forming square",
        "R42 : l'embuscade peut être jouée en formant le carré",
    ),
    Option(
        "hill_units_block_los_on_plateau",
        YES_NO,
        "R16: units on a hill block the sight between two hill hexes",
        "R16 : les unités sur une colline bloquent la vue entre deux cases de colline",
    ),
    Option(
        "max_squares_per_player",
        ("4", "3", "2", "1"),
        "R36: squares that a side may have at once",
        "R36 : carrés qu'un camp peut avoir en même temps",
    ),
)
