"""The log of a game with seven seats: agreements, a seat that was given up, silence; its end in pieces."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.campaign.archive import replay
from pbem.campaign.archive.audit import audit_log
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.table import transaction
from pbem.dice.log import entries as dicelog
from tests.campaign.conftest import Congress

Body = dict[str, Any]
PIECE = 10


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> list[dicelog.Entry]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "PIECE", PIECE)
        calendar = Calendar(hours=24, grace=6, floor=1, reminders=())
        desk = Congress(f"sqlite:///{tmp_path_factory.mktemp('log')}/seven.db", calendar=calendar)
        desk.send("france", "SIGN TO Austria: peace; friendship")
        desk.send("austria", "SIGN 1")
        desk.send("spain", f"RESIGN {desk.game}")
        rng = Random(3)
        while not desk.live.over:
            for seat in desk.players:
                live = desk.live
                open_now = [q for q in live.open_to(seat) if not live.game.answered(q.key)]
                if not open_now or seat == "turkey":
                    continue
                answer = live.rules.robots["sensible"](live.game.view(seat), open_now[0], rng)
                desk.send(seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))
            if not desk.live.over:
                desk.pass_time(days=2)
        entries = list(desk.store.entries(desk.game))
        desk.store.close()
    return entries


def written(entries: list[dicelog.Entry], folder: Path, change: Callable[[Body, str], None]) -> Path:
    """The log with a change, hashed anew from end to end."""
    file = folder / "log.jsonl"
    last: dicelog.Entry | None = None
    with file.open("wb") as stream:
        for entry in entries:
            body: Body = deepcopy(entry.body)
            change(body, entry.kind)
            last = dicelog.append(last, entry.kind, entry.at, body)
            stream.write(last.line() + b"\n")
    return file


def test_it_is_replayed_to_its_end(finished: list[dicelog.Entry], tmp_path: Path) -> None:
    audited = audit_log(written(finished, tmp_path, lambda body, kind: None))
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"


def test_the_end_is_written_in_pieces(finished: list[dicelog.Entry], tmp_path: Path) -> None:
    sizes = [
        len(entry.body["answers"])
        for entry in finished
        if entry.kind == "act" and entry.body.get("act") in ("answers", "journal")
    ]
    assert len(sizes) > 3
    assert all(0 < size <= PIECE for size in sizes)
    file = written(finished, tmp_path, lambda body, kind: None)
    assert len(replay.from_log(file).playback.answers) == sum(sizes)
    opened = [len(entry.body["orders"]) for entry in finished if "orders" in entry.body]
    assert len(opened) > 3
    assert max(opened) <= PIECE


def test_a_treaty_that_nobody_sealed_is_found(finished: list[dicelog.Entry], tmp_path: Path) -> None:
    def forge(body: Body, kind: str) -> None:
        for turn in body.get("answers", ()) if kind == "act" else ():
            if isinstance(turn, dict) and turn["key"].startswith("agreement/"):
                turn["answer"][0]["agreement"]["clauses"][1]["text"] = "war"

    assert not audit_log(written(finished, tmp_path, forge)).ok


def test_a_caretaker_whom_nobody_called_is_found(finished: list[dicelog.Entry], tmp_path: Path) -> None:
    def forge(body: Body, kind: str) -> None:
        if kind == "act" and body.get("act") == "caretaker" and body.get("seat") == "spain":
            body["seat"] = "france"

    assert not audit_log(written(finished, tmp_path, forge)).ok
