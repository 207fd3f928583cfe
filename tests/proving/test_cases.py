"""The runner of rule cases, tried on the toy game."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from pbem import paths
from pbem.proving.cases import CaseResult, refusals, run
from tests.kernel import toy


def build(scenario: str, options: Mapping[str, str], given: Mapping[str, Any]) -> toy.State:
    return msgspec.convert(dict(given), toy.State)


def verify(state: toy.State, then: Mapping[str, Any]) -> list[str]:
    data = msgspec.to_builtins(state)
    return [
        f"{key} is {data.get(key)!r}, not {value!r}" for key, value in then.items() if data.get(key) != value
    ]


@pytest.fixture(autouse=True)
def _toy_game(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("pbem.games.toy")
    module.RULES = replace(toy.RULES, build=build, verify=verify)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pbem.games.toy", module)
    found = {**paths.games(), "toy": "pbem.games.toy:RULES"}
    monkeypatch.setattr(paths, "games", lambda: found)


def results(tmp_path: Path, text: str) -> list[CaseResult]:
    file = tmp_path / "case.toml"
    file.write_text(text, "utf-8")
    return run(file)


def failures(tmp_path: Path, text: str) -> tuple[str, ...]:
    (result,) = results(tmp_path, text)
    return result.failures


GOOD = """
game = "toy"
[[case]]
name = "a turn"
rule = ["1", "3"]
[case.given]
turn = 3
[[case.orders]]
seat = "red"
text = "got ot hill"
refused = "unreadable"
[[case.orders]]
seat = "red"
text = "go to hill"
then = { turn = 3 }
[[case.orders]]
seat = "red"
text = "2"
[[case.orders]]
seat = "red"
text = "miser 0"
[[case.orders]]
seat = "blue"
default = true
[[case.orders]]
seat = "blue"
text = "bid 9"
refused = "number_out_of_range"
[[case.orders]]
seat = "blue"
text = "bid 3"
[case.dice]
"t3/deck" = ["c"]
"t3/hill/red" = [6]
"t3/hill/blue" = [1]
"t3/mill/red" = [1]
"t3/mill/blue" = [2]
[case.then]
points = { red = 2, blue = 1 }
deck = ["c", "a", "b"]
events = ["won", "won"]
open = []
"""


def test_a_case_that_passes(tmp_path: Path) -> None:
    (result,) = results(tmp_path, GOOD)
    assert result.failures == ()
    assert result.passed
    assert (result.game, result.name, result.rules) == ("toy", "a turn", ("1", "3"))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("red = 2, blue = 1", "red = 3", "points is {'red': 2, 'blue': 1}, not {'red': 3}"),
        ('events = ["won", "won"]', 'events = ["won", "lost"]', "expected won, lost; told were won, won"),
        ("open = []", 'open = ["going"]', "open: expected going; are nothing"),
        ('"t3/mill/blue" = [2]', "", "the draw t3/mill/blue (1 × 6 sides) is not given under [case.dice]"),
        ('"t3/deck" = ["c"]', "", "the draw t3/deck (shuffle of 3) is not given under [case.dice]"),
        ('"t3/deck" = ["c"]', '"t3/deck" = ["z"]', "t3/deck: not among the cards to shuffle: z"),
        ('"t3/mill/blue" = [2]', '"t3/mill/blue" = [7]', "1 dice of 6 sides needed, (7,) given"),
        ("[case.then]", '"t9/x" = [1]\n[case.then]', "dice given but never drawn: t9/x; drawn were: t3/deck"),
        ('"t3/mill/blue"', '"t3/mill/bleu"', "[case.dice]; given but not drawn: t3/mill/bleu"),
        ('"bid 3"', '"bid 3"\nrefused = "x"', "blue «bid 3»: taken, but should be refused (x)"),
        ('"number_out_of_range"', '"x"', "blue «bid 9»: refused for number_out_of_range, not for x"),
        ('rule = ["1", "3"]', 'scenario = "moon"', "there is no scenario 'moon': toy"),
        ('rule = ["1", "3"]', "options = { fog = true }", "option fog = True is not known"),
        ('rule = ["1", "3"]', 'standing = { red = ["gobble"] }', "standing order «gobble»: unreadable"),
        ("then = { turn = 3 }", "then = { turn = 4 }", "after red «go to hill»: turn is 3, not 4"),
        ('text = "go to hill"', 'text = "gallop"', "red «gallop»: unreadable"),
        ('seat = "blue"\ntext = "bid 3"', 'seat = "green"\ntext = "bid 3"', "nothing is asked of green; blue is asked"),
    ],
)  # fmt: skip
def test_a_case_that_fails_says_why(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in GOOD
    assert reason in "\n".join(failures(tmp_path, GOOD.replace(old, new)))


def test_what_may_be_refused_is_listed() -> None:
    codes = dict(refusals("leipzig"))
    assert "number_out_of_range" in codes
    assert "{{" in codes["unknown_name"]


def test_a_seed_stands_for_the_dice_that_are_not_given(tmp_path: Path) -> None:
    text = GOOD.replace('"t3/deck" = ["c"]', "").replace('rule = ["1", "3"]', "seed = 4")
    text = text.replace('deck = ["c", "a", "b"]\n', "")
    assert failures(tmp_path, text) == ()


def test_standing_orders_answer(tmp_path: Path) -> None:
    text = """
game = "toy"
[[case]]
name = "standing"
seed = 1
given = { turn = 3 }
then = { turn = 4, over = true, events = ["won"] }
[case.standing]
red = ["when bidding then bid 3", "when going then go to mill"]
blue = ["when bidding then bid 0"]
"""
    assert failures(tmp_path, text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "game = 3",
        'game = "toy"',
        'game = "toy"\ncase = 3',
        'game = "toy"\ncase = [3]',
        "not toml at all [",
        'game = "chess"\n[[case]]\nname = "x"',
        'game = "../toy"\n[[case]]\nname = "x"',
        'game = "toy"\n[[case]]\nname = "x"\nsurprise = 1',
        'game = "toy"\n[[case]]\nname = "x"\norders = [{ text = "no seat" }]',
        'game = "toy"\n[[case]]\nname = "x"\ngiven = { turn = "three" }',
        'game = "toy"\n[[case]]\nname = "x"\ndice = { a = 3 }',
        'game = "toy"\n[[case]]\nname = "x"\nthen = { events = 3 }',
    ],
)
def test_a_badly_written_file_is_a_failed_case(tmp_path: Path, text: str) -> None:
    (reason,) = failures(tmp_path, text)
    assert reason


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (result,) = run(tmp_path / "nowhere.toml")
    assert not result.passed
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    assert not run(tmp_path / "binary.toml")[0].passed
