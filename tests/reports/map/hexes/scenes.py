"""Hex sheets for the tests: a scenario file as a drawing, and a turn in the middle of a battle."""

from __future__ import annotations

import tomllib
from typing import Any

from pbem import paths
from pbem.kernel.drawing import (
    Banners,
    Block,
    Drawing,
    Edge,
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

CCN = paths.scenarios() / "ccn"
TINTS: dict[str, Tint] = {"french": "france", "british": "great_britain", "portuguese": "portugal"}
SIDES: dict[str, Tint] = {"bottom": "great_britain", "top": "france"}


def table(name: str) -> dict[str, Any]:
    return dict(tomllib.loads((CCN / f"{name}.toml").read_text(encoding="utf-8")))


KINDS = {unit["id"]: unit for unit in table("units")["unit"]}


def scenarios() -> dict[str, dict[str, Any]]:
    """All set-ups of ccn by id."""
    rows = list(table("scenarios")["scenario"])
    for file in sorted((CCN / "published").glob("*.toml")):
        rows += table(f"published/{file.stem}")["scenario"]
    return {row["id"]: row for row in rows}


def board(row: dict[str, Any], near: Edge = "bottom") -> HexBoard:
    """A scenario's ground and the names on it."""
    works = {entry["hex"]: tuple(entry["toward"]) for entry in row.get("fieldwork_sides", ())}
    terrain = [
        HexTerrain(hex, kind, works[hex] if kind == "fieldwork" else ())
        for kind, hexes in row["terrain"].items()
        for hex in hexes
    ]
    places = [HexPlace(hex, name) for hex, name in row.get("places", {}).items()]
    return HexBoard(tuple(terrain), tuple(places), near=near)


def block(unit: dict[str, Any], leader: str = "", **changes: Any) -> Block:
    kind = KINDS[unit["type"]]
    facts: dict[str, Any] = {
        "hex": unit["hex"],
        "tint": TINTS[kind["nation"]],
        "arm": kind["arm"],
        "code": kind["code"].removeprefix("P-"),
        "strength": kind["blocks"],
        "full": kind["blocks"],
        "leader": leader,
        "guard": kind.get("guard", False),
    }
    return Block(**facts | changes)


def opening(
    row: dict[str, Any],
    lang: Lang = "en",
    near: Edge = "bottom",
    changes: dict[str, dict[str, Any] | None] | None = None,
    happened: tuple[HexMark, ...] = (),
) -> Drawing:
    """A set-up as a drawing; `changes` to units go by the hex where they began, None removes one."""
    leaders = {leader["hex"]: leader for leader in row["leaders"]}
    marks: list[HexMark] = []
    for unit in row["units"]:
        changed = (changes or {}).get(unit["hex"], {})
        leader = leaders.pop(unit["hex"], {"name": ""})
        if changed is not None:
            marks.append(block(unit, leader["name"], **changed))
    marks += [HexLeader(hex, TINTS[man["nation"]], man["name"]) for hex, man in leaders.items()]
    for goal in row.get("objectives", ()):
        tint: Tint = SIDES.get(goal["side"], "neutral")
        for hex in goal.get("hexes") or [goal["hex"]]:
            marks.append(Objective(hex, (Stake(tint, str(goal["banners"])),), tint))
    goal, cards = row["victory_banners"], row["cards"]
    note = "{} cartes" if lang == "fr" else "{} cards"
    return Drawing(
        board="ccn",
        title=row["title_fr"] if lang == "fr" and "title_fr" in row else row["title"],
        subtitle=str(row["date"].year),
        lang=lang,
        hexes=HexSheet(
            board(row, near),
            (*marks, *happened),
            Banners("great_britain", row["commanders"]["bottom"], 2, goal, note.format(cards["bottom"])),
            Banners("france", row["commanders"]["top"], 1, goal, note.format(cards["top"])),
        ),
    )


def salamanca(lang: Lang = "en", near: Edge = "bottom") -> Drawing:
    """Le Marchant's charge: every kind of mark is on this sheet."""
    acted = {"ordered": True}
    changes: dict[str, dict[str, Any] | None] = {
        "G8": {"hex": "F7", "strength": 2},
        "F8": None,
        "B8": {"hex": "E8", **acted},
        "B7": {"hex": "E7", "strength": 2, **acted},
        "D11": {"hex": "F10", **acted},
        "C11": {"hex": "D11", **acted},
        "C12": {"hex": "D12", "strength": 3, **acted},
        "G11": {"strength": 1},
        "H11": {"hex": "I12", "strength": 3},
        "G6": {"square": True, "strength": 3},
        "G12": {"strength": 2},
        "C13": {"hex": "E13", **acted},
    }
    britain: Tint = "great_britain"
    happened: tuple[HexMark, ...] = (
        HexMove(("B8", "C8", "D8", "E8"), britain),
        HexMove(("B7", "C7", "D7", "E7"), britain),
        HexMove(("D11", "E11", "F10"), britain),
        HexMove(("C11", "D11"), britain),
        HexMove(("C12", "D12"), "portugal"),
        HexMove(("C13", "D12", "E13"), "portugal"),
        HexMove(("H11", "I12"), "france", retreat=True),
        HexFight("E8", "F8", britain, melee=True, label="4"),
        HexLoss("F8", "france", "LT"),
        HexFight("F10", "G11", britain, melee=True, label="3"),
        HexFight("E7", "F7", britain, melee=True, label="2"),
        HexFight("C10", "G12", britain, label="1"),
        HexFight("F6", "D5", "france", label="–1"),
    )
    drawing = opening(scenarios()["salamanca_left"], lang, near, changes, happened)
    words = "22 juillet 1812 · tour 4" if lang == "fr" else "22 July 1812 · turn 4"
    return Drawing("ccn", drawing.title, words, lang=lang, hexes=drawing.hexes)
