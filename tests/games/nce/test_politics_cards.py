"""7.2: what is printed on a card, or known of it in public, stays as it is; only cards of ours may be changed."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.games.nce.charts import CARDS

ROOT = Path(__file__).parents[3]
ROWS: dict[str, dict[str, Any]] = {
    row["id"]: row
    for row in tomllib.loads((ROOT / "scenarios" / "nce" / "cards.toml").read_text("utf-8"))["card"]
}
FACE = (
    "number", "side", "deck", "name", "value", "phases", "window", "cc", "ge", "permanent", "undiscardable",
    "after_event", "esc", "vp", "in_1815", "removed_1809", "requires", "effect", "text",
)  # fmt: skip
PRINTED = {
    "1F": "c54d4abf", "3F": "5e845cc7", "5F": "bfdf1c8e", "7F": "51f359c1", "8F": "3ff41062", "14F": "a5ad0827",
    "20F": "d125439c", "22F": "307ff557", "24F": "5da1469a", "25F": "e6fb6cef", "26F": "0751d71f",
    "27F": "93dc0913", "29F": "a453d04b", "31F": "0f3f4b9c", "34F": "5c688bb7", "35F": "1496acb2",
    "45F": "6dc463e4", "52F": "641abcb7", "54F": "0f86ba98", "1C": "b3317fab", "2C": "8b701be0", "3C": "3b9ecfbc",
    "4C": "5e84e92c", "7C": "7cf391b6", "9C": "ca4fb9a0", "10C": "c119f6a7", "14C": "d55a2b42", "15C": "20ffc538",
    "16C": "937adb55", "17C": "06a30939", "18C": "3dbc1459", "19C": "5303a0cc", "20C": "7da73895",
    "24C": "a1b8116a", "27C": "dc087e77", "46C": "6b5a261e", "52C": "8e9a1ef5",
}  # fmt: skip
"""The faces of the cards that are printed or public."""
BY_RULING = {"45C": "prusse", "47C": "autriche"}
"""9.1.3: printed, but what the rulebook leaves open («unless an event») is our ruling."""
PARTLY = {
    "2F": {"value": 1}, "4F": {"value": 3}, "10F": {"value": 2}, "11F": {"esc": 1}, "13F": {"value": 2},
    "21F": {"value": 2}, "38F": {"vp": 1}, "49F": {"vp": 1}, "6C": {"value": 2},
}  # fmt: skip
"""Figures that are printed on cards whose rest is ours."""


def face(row: dict[str, Any]) -> str:
    """A short digest of all that a card says."""
    said = {name: row[name] for name in FACE if name in row}
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:8]


def test_nothing_printed_was_changed() -> None:  # rule 7.2.1
    printed = {id for id, row in ROWS.items() if row["status"] != "reconstructed"}
    assert printed == set(PRINTED) | set(BY_RULING)
    assert {id: face(ROWS[id]) for id in PRINTED} == PRINTED


def test_printed_figures_of_other_cards_were_not_changed_either() -> None:  # rule 7.2.1
    found = {
        id: {name: row.get(name, 0) for name in ("value", "esc", "vp") if name in row.get("text_fields", ())}
        for id, row in ROWS.items()
        if row["status"] == "reconstructed"
    }
    assert {id: figures for id, figures in found.items() if figures} == PARTLY


@pytest.mark.parametrize(("id", "power"), BY_RULING.items())
def test_what_a_ruling_adds_to_a_printed_card_is_all_it_adds(
    id: str, power: str
) -> None:  # rule 9.1.3, 9.1.4
    card = CARDS[id]
    assert (card.value, card.after_event) == (3, "removed")
    assert {effect["op"] for effect in card.effect} <= {"reform", "break_forced_alliance"}
    assert {effect["country"] for effect in card.effect} == {power}


@pytest.mark.parametrize("file", ["nce.md", "nce.fr.md"])
def test_the_ruling_stands_in_the_rules(file: str) -> None:  # rule 9.1.3
    text = (ROOT / "docs" / "rules" / file).read_text("utf-8")
    (rule,) = re.findall(r"^\*\*9\.1\.3\*\*.*$", text, re.M)
    assert "45C" in rule
    assert "47C" in rule
