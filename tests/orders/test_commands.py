"""The commands of a letter, and what in it is none."""

from __future__ import annotations

import pytest

from pbem.campaign.commands.registry import COMMANDS
from pbem.orders.commands import Command, OrderLine, standing_cleared

classify, command, nearest_command, split = (
    COMMANDS.classify,
    COMMANDS.command,
    COMMANDS.nearest,
    COMMANDS.split,
)


@pytest.mark.parametrize(
    ("line", "name", "argument"),
    [
        ("CHECK", "check", ""),
        ("check draw pile; draw row 2", "check", "draw pile; draw row 2"),
        ("Vérifier", "check", ""),
        ("CONTRÔLER", "check", ""),
        ("stat", "status", ""),
        ("État", "status", ""),
        ("carte", "map", ""),
        ("hist", "history", ""),
        ("HISTORIQUE 3", "history", "3"),
        ("WHY 12", "why", "12"),
        ("pourquoi [12] ?", "why", "[12] ?"),
        ("Dés", "dice", ""),
        ("standing", "standing", ""),
        ("CONSIGNES", "standing", ""),
        ("READY t3", "ready", "t3"),
        ("prêt", "ready", ""),
        ("attendre", "wait", ""),
        ("ANNULER", "clear", ""),
        ("ABSENT 2026-03-01 to 2026-03-08", "absent", "2026-03-01 to 2026-03-08"),
        ("PRESS TO allied", "press", "allied"),
        ("message à allied", "press", "allied"),
        ("renvoyer", "resend", ""),
        ("help move", "help", "move"),
        ("abandonner", "resign", ""),
        ("SALT swordfish", "salt", "swordfish"),
        ("START t0", "start", "t0"),
        ("Prolonger 3", "extend", "3"),
        ("ACT FOR french", "act", "french"),
        ("agir pour french", "act", "french"),
        ("STATUS:", "status", ""),
    ],
)
def test_commands(line: str, name: str, argument: str) -> None:
    found = command(line)
    assert found is not None
    assert found.problem is None
    assert (found.name, found.argument) == (name, argument)


@pytest.mark.parametrize(
    "line",
    [
        "draw pile",
        "Ready when you are, my friend",
        "why not?",
        "des nouvelles du front ?",
        "Des nouvelles",
        "st",
        "press the attack",
        "resig",
        "",
        "12",
        "#",
        "check" + "k" * 600,
    ],
)
def test_no_commands(line: str) -> None:
    assert command(line) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("WHY", "command_argument"),
        ("WHY not", "command_argument"),
        ("READY when you are", "command_argument"),
        ("PRESS", "command_argument"),
        ("PRESS allied", "command_argument"),
        ("PRESS TO", "command_argument"),
        ("ACT french", "command_argument"),
        ("SALT", "command_argument"),
        ("sta", "ambiguous_command"),
    ],
)
def test_malformed_commands_say_so(line: str, code: str) -> None:
    found = command(line)
    assert found is not None
    assert found.problem is not None
    assert found.problem.code == code


def test_every_name_is_its_own() -> None:
    words = [word for spec in COMMANDS.types for word in {*spec.en, *spec.fr}]
    assert len(words) == len(set(words))


def test_the_game_comes_first() -> None:
    item = classify("wait", lambda line: line == "wait")
    assert item == OrderLine("wait", also=Command("wait", text="wait"))
    assert classify("wait", lambda line: False) == Command("wait", text="wait")
    assert classify("draw pile") == OrderLine("draw pile")


def letter(text: str) -> list[object]:
    def is_order(line: str) -> bool:
        return line.startswith(("draw", "tirer"))

    def is_standing(line: str) -> bool:
        return line.startswith("reveal order")

    parts = split(text.splitlines(), is_order, is_standing)
    return [
        (item.name, item.argument, item.lines) if isinstance(item, Command) else (item.text, item.trial)
        for item in parts.items
    ]


def test_a_letter_is_taken_apart_in_order() -> None:
    assert letter("draw pile\n\nSTATUS\ndraw row 2\nMAP") == [
        ("draw pile", False),
        ("status", "", ()),
        ("draw row 2", False),
        ("map", "", ()),
    ]


def test_check_in_front_makes_the_letter_a_trial() -> None:
    parts = split(["", "Check", "draw pile"])
    assert parts.trial
    assert parts.orders == (OrderLine("draw pile", trial=True),)
    assert split(["draw pile"], trial=True).orders[0].trial
    later = split(["draw pile", "CHECK", "draw row 2"])
    assert not later.trial
    assert [line.trial for line in later.orders] == [False, True]
    line = split(["CHECK draw pile", "draw row 2"])
    assert not line.trial
    assert [one.trial for one in line.orders] == [False]


def test_standing_orders_run_to_an_empty_line_or_a_command() -> None:
    assert letter("STANDING\nreveal order Wachau\nwhen x then y\n\ndraw pile") == [
        ("standing", "", ("reveal order Wachau", "when x then y")),
        ("draw pile", False),
    ]
    assert letter("STANDING\nwhen x then y\nSTATUS") == [
        ("standing", "", ("when x then y",)),
        ("status", "", ()),
    ]
    assert letter("STANDING\n\ndraw pile") == [("standing", "", ()), ("draw pile", False)]
    assert letter("CONSIGNES :\n\nquand x alors y\n") == [("standing", "", ("quand x alors y",))]
    assert letter("STANDING when x then y\nwhen z then y\ndraw pile") == [
        ("standing", "", ("when x then y", "when z then y")),
        ("draw pile", False),
    ]
    assert letter("STANDING CLEAR 2\nwhen x then y") == [
        ("standing", "CLEAR 2", ()),
        ("when x then y", False),
    ]


@pytest.mark.parametrize(
    ("argument", "number"), [("CLEAR", 0), ("clear 2", 2), ("annuler #3", 3), ("", None), ("when x", None)]
)
def test_standing_clear(argument: str, number: int | None) -> None:
    assert standing_cleared(Command("standing", argument)) == number


def test_press() -> None:
    assert letter("PRESS TO allied\nPeace?\nThink.\n\ndraw pile") == [
        ("press", "allied", ("Peace?", "Think.")),
        ("draw pile", False),
    ]
    assert letter("PRESS TO allied, gm: Peace?\nWait for me.") == [
        ("press", "allied, gm", ("Peace?", "Wait for me."))
    ]
    assert letter("MESSAGE À allied\nPaix ?\n\nOui.\nFIN MESSAGE\ntirer") == [
        ("press", "allied", ("Paix ?", "", "Oui.")),
        ("tirer", False),
    ]


def test_a_message_never_carries_orders_or_commands_along() -> None:
    assert letter("PRESS TO allied\nPeace?\ndraw pile\nSTATUS") == [
        ("press", "allied", ("Peace?",)),
        ("draw pile", False),
        ("status", "", ()),
    ]


def test_press_without_addressee_sends_nothing_and_its_text_is_no_order() -> None:
    parts = split(["PRESS", "I will move north.", "", "draw pile"])
    (press,) = parts.commands
    assert press.problem is not None
    assert [line.text for line in parts.orders] == ["draw pile"]


def test_the_game_master_acts_for_a_seat() -> None:
    assert letter("ACT FOR french: draw pile\ndraw row 2\n\nPAUSE holiday") == [
        ("act", "french", ("draw pile", "draw row 2")),
        ("pause", "holiday", ()),
    ]
    assert letter("ANNOUNCE Server moves on Sunday\nPlease wait.") == [
        ("announce", "", ("Server moves on Sunday", "Please wait."))
    ]


def test_mistyped_commands_are_guessed_for_the_answer_only() -> None:
    assert command("STAUTS") is None
    assert nearest_command("STAUTS") == "STATUS"
    assert nearest_command("historque 3") == "HISTORIQUE"
    assert nearest_command("draw pile") == ""
    assert nearest_command("") == ""
