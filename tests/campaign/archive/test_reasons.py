"""Whose answer was it? Fresh logs of all games, by a verifier written from the page; and answers nobody gave."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.campaign.archive.audit import audit_log
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import Player
from pbem.dice.log import entries as dicelog
from tests.campaign.conftest import Desk
from tests.dice import from_the_page
from tests.dice.sample import export

Body = dict[str, Any]


def fresh(folder: Path, name: str, answers: int = 25) -> list[dicelog.Entry]:
    """The log of a game by robots, given up after some answers."""
    desk = Desk(f"sqlite:///{folder}/pbem.db")
    rules = games.load(name)
    scenario = next(iter(rules.scenarios))
    players = {seat: Player(seat, f"{seat}@x.test") for seat in rules.scenarios[scenario].seats}
    desk.game = desk.moderator.opening.open_game(name, scenario, {}, players)
    whim = random.Random(3)
    for _ in range(answers):
        live = desk.live
        if live.over:
            break
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        answer = rules.robots["sensible"](live.game.view(question.seat), question, whim)
        desk.hand_in(desk.letter(question.seat, "\n".join(order.text(rules.vocabulary) for order in answer)))
    if not desk.live.over:
        seat = next(iter(players))
        desk.hand_in(desk.letter(seat, f"resign {desk.game}"))
    entries = list(desk.store.entries(desk.game))
    desk.store.close()
    return entries


@pytest.mark.parametrize("name", ["leipzig", "ccn", "nce"])
def test_a_verifier_written_from_the_page_agrees_on_fresh_logs(name: str, tmp_path: Path) -> None:
    entries = fresh(tmp_path, name)
    assert entries[-1].kind == "end"
    page = from_the_page.check(export(entries))
    file = tmp_path / "game.jsonl"
    file.write_bytes(export(entries))
    audited = audit_log(file)
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"
    assert page.draws == audited.verdict.draws > 0
    assert page.answers == sum(count for _, _, count in audited.verdict.answers) > 0
    assert "every roll in the log was used, none is missing" in " ".join(audited.report())
    assert "Every answer has its reason" in " ".join(audited.report())


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> list[dicelog.Entry]:
    """A game with letters, standing orders, silences, and a game master's act."""
    calendar = Calendar(zone="Europe/Paris", hours=48, reminders=(6,), grace=12, floor=6)
    desk = Desk(f"sqlite:///{tmp_path_factory.mktemp('reasons')}/pbem.db", calendar)
    whim = random.Random(5)
    for n in range(24):
        live = desk.live
        if live.over:
            break
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        if n % 6 == 5:
            desk.pass_time(hours=72)
            continue
        answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
        desk.send(question.seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))
    desk.send("french", f"resign {desk.game}")
    entries = list(desk.store.entries(desk.game))
    desk.store.close()
    return entries


def audited(entries: list[dicelog.Entry], change: Callable[[str, Body], None], folder: Path) -> Any:
    file, last = folder / "log.jsonl", None
    with file.open("wb") as stream:
        for entry in entries:
            body: Body = deepcopy(entry.body)
            change(entry.kind, body)
            last = dicelog.append(last, entry.kind, entry.at, body)
            stream.write(last.line() + b"\n")
    return audit_log(file)


def test_an_honest_game_with_silences_has_a_reason_for_every_answer(
    finished: list[dicelog.Entry], tmp_path: Path
) -> None:
    found = audited(finished, lambda kind, body: None, tmp_path)
    assert found.ok, found.report()
    assert {origin for _, origin, _ in found.verdict.answers} >= {"letter", "default"}
    assert any(entry.body.get("act") == "deadline" for entry in finished)


def journal(change: Callable[[list[Body]], None]) -> Callable[[str, Body], None]:
    def forge(kind: str, body: Body) -> None:
        if body.get("act") == "journal":
            change(body["answers"])

    return forge


def another_default(answers: list[Body]) -> None:
    letter = next(turn for turn in answers if turn["origin"] == "letter")
    next(turn for turn in answers if turn["origin"] == "default")["answer"] = letter["answer"]


def a_default_as_the_only_choice(answers: list[Body]) -> None:
    next(turn for turn in answers if turn["origin"] == "default").update(origin="only", by="")


def no_deadline(kind: str, body: Body) -> None:
    if body.get("act") == "deadline":
        body["until"] = "2099-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("change", "code", "replay"),
    [
        (journal(another_default), "", "unreasoned"),
        (journal(a_default_as_the_only_choice), "", "unreasoned"),
        (no_deadline, "answer", "not_over"),
    ],
)
def test_an_answer_that_its_reason_does_not_give_is_found(
    finished: list[dicelog.Entry],
    tmp_path: Path,
    change: Callable[[str, Body], None],
    code: str,
    replay: str,
) -> None:
    found = audited(finished, change, tmp_path)
    assert not found.ok
    assert (found.verdict.code, found.replay) == (code, replay)
    assert "entry" in " ".join(found.report()).lower()
