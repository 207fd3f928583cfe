"""A whole battle by real letters through the embedded mail server: one letter a turn, and the log checks."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from pbem.campaign.archive.audit import audit_log
from pbem.demo import output_folder
from pbem.demo import play as demo
from pbem.demo.mailbox import opened
from pbem.demo.players import members
from pbem.games.ccn.state import SEATS


def test_a_whole_battle_by_letters(tmp_path: Path) -> None:
    async def play() -> tuple[int, int, str, int]:
        cast = members(SEATS, play=False, seat="", lang="en")
        output_folder.prepare(tmp_path)
        async with demo.staged("ccn", tmp_path, 1808, cast, scenario="rolica_1808") as game:
            await game.perform(None, stalled=60)
            text = output_folder.leave(game, tmp_path, "en")
            row = game.moderator.store.game(game.game_id)
            assert row.status == "over"
            turns = int(game.moment().removeprefix("t"))
            return len(game.chronicle.written), turns, text, row.answers

    written, turns, text, answers = asyncio.run(play())
    assert "won." in text
    audited = audit_log(tmp_path / output_folder.LOG, sorted(tmp_path.glob("mail/*/*.eml")))
    assert audited.ok
    assert audited.replay == "replayed"
    # A trial and a line that nobody can read from each robot, once a game; else one letter a turn.
    assert turns <= written <= turns + 4
    assert answers > turns
    received = [opened(file.read_bytes()) for file in tmp_path.glob("mail/*/*.eml")]
    mine = [letter.text for letter in received if letter.sender.endswith("<moderator@demo.localhost>")]
    assert any(re.search(r"^Enemy, your center:", letter, re.MULTILINE) for letter in mine)
    assert any(re.search(r"^Ennemi, votre centre\s:", letter, re.MULTILINE) for letter in mine)
