"""A whole campaign by letter: announced, joined, mustered, played to its end with robots' orders, chronicled."""

from __future__ import annotations

import io
import random
from pathlib import Path

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.archive.chronicle import write
from pbem.campaign.deadlines.calendar import Calendar
from pbem.dice.log import entries as dicelog
from tests.campaign.signup.test_joining import Hall, hall

__all__ = ["hall"]


def test_from_join_to_the_chronicle(hall: Hall, tmp_path: Path) -> None:
    game = hall.moderator.opening.announce("leipzig", "battle", {}, calendar=Calendar(hours=72, grace=24))
    hall.game = game
    hall.write("carl@x.test", f"JOIN {game} french", name="Carl")
    hall.write("dora@x.test", f"JOIN {game} allied", name="Dora")
    hall.reply("carl@x.test", "READY")
    hall.reply("dora@x.test", "READY")
    whim = random.Random(1813)
    for _ in range(400):
        live = hall.live
        if live.over:
            break
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        answer = live.rules.robots["random"](live.game.view(question.seat), question, whim)
        lines = [order.text(live.rules.vocabulary, "en") for order in answer]
        assert hall.reply(live.seats[question.seat].address, "\n".join(lines)).status == "done"
        hall.pass_time(hours=5)
        hall.deliver()
    assert hall.live.over
    assert hall.live.record("french").late == hall.live.record("allied").late == 0
    assert hall.store.next_game_at() is None
    buffer = io.BytesIO()
    dicelog.export(hall.store.entries(game), buffer)
    log = tmp_path / "log.jsonl"
    log.write_bytes(buffer.getvalue())
    verdict = audit_log(log, [])
    assert verdict.ok, verdict.report()
    assert verdict.replay == "replayed"
    files = write(hall.store, game, tmp_path / "chronicle", "en", 300)
    page = files[0].read_text(encoding="utf-8")
    assert "Napoléon: Carl" in page
    assert page.count("<section>") > 5
    assert "@x.test" not in page
