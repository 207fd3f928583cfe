"""The audit of a whole game: what the rules demand is what the log has, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.dice.log import entries as dicelog
from pbem.letters.message import Message
from tests.campaign.conftest import Desk

Body = dict[str, Any]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> list[dicelog.Entry]:
    """The log of a whole game between robots."""
    desk = Desk(f"sqlite:///{tmp_path_factory.mktemp('audit')}/pbem.db")
    whim = random.Random(7)
    while not desk.live.over:
        live = desk.live
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
        lines = [order.text(live.rules.vocabulary) for order in answer]
        assert desk.moderator.handle(Message(desk.letter(question.seat, "\n".join(lines)))).status == "done"
    entries = list(desk.store.entries(desk.game))
    desk.store.close()
    return entries


def forged(entries: list[dicelog.Entry], change: Callable[[dicelog.Entry, Body], None], folder: Path) -> Path:
    """The log with a change, hashed anew from end to end, as a careful forger would do it."""
    file = folder / "log.jsonl"
    last: dicelog.Entry | None = None
    with file.open("wb") as stream:
        for entry in entries:
            body: Body = deepcopy(entry.body)
            change(entry, body)
            last = dicelog.append(last, entry.kind, entry.at, body)
            stream.write(last.line() + b"\n")
    return file


def test_an_honest_game_is_replayed_to_its_end(finished: list[dicelog.Entry], tmp_path: Path) -> None:
    audited = audit_log(forged(finished, lambda entry, body: None, tmp_path))
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"


def another_rule(entry: dicelog.Entry, body: Body) -> None:
    if entry.kind == "result":
        for draw in body["draws"]:
            draw["rule"] = "9.9"


def another_answer(entry: dicelog.Entry, body: Body) -> None:
    if entry.kind == "act" and body.get("act") == "journal":
        for turn in body["answers"]:
            for order in turn["answer"]:
                if order["order"] == "draw_row":
                    order["number"] = order["number"] % 4 + 1
                    return


def another_end(entry: dicelog.Entry, body: Body) -> None:
    if entry.kind == "act" and body.get("act") == "journal":
        body["state"] = "0" * 64


def no_answer(entry: dicelog.Entry, body: Body) -> None:
    if entry.kind == "act" and body.get("act") == "journal":
        body["answers"].pop()


def someone_elses_answer(entry: dicelog.Entry, body: Body) -> None:
    if entry.kind == "act" and body.get("act") == "journal":
        next(turn for turn in body["answers"] if turn["by"])["by"] = ""


def rubbish(entry: dicelog.Entry, body: Body) -> None:
    if entry.kind == "act" and body.get("act") == "journal":
        body["answers"] = "none of your business"


@pytest.mark.parametrize(
    ("change", "code", "replay"),
    [
        (another_rule, "roll-differs", "replayed"),
        (another_answer, "answer", "not_over"),
        (another_end, "", "elsewhere"),
        (no_answer, "", "elsewhere"),
        (someone_elses_answer, "answer", "not_over"),
        (rubbish, "fields", "not_over"),
    ],
)
def test_a_careful_forger_is_found_by_the_replay(
    finished: list[dicelog.Entry],
    tmp_path: Path,
    change: Callable[[dicelog.Entry, Body], None],
    code: str,
    replay: str,
) -> None:
    audited = audit_log(forged(finished, change, tmp_path))
    assert not audited.ok
    assert (audited.verdict.code, audited.replay) == (code, replay)
    assert all(isinstance(line, str) for line in audited.report("fr"))
