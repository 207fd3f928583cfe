"""A year of 1805 by real letters through the embedded mail server: one letter a round, in French and English."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from pbem.campaign.archive.audit import audit_log
from pbem.demo import output_folder
from pbem.demo import play as demo
from pbem.demo.mailbox import opened
from pbem.demo.players import members
from pbem.games.nce.state import SEATS

ROUNDS = [f"1805.{number}{side}" for number in range(2, 7) for side in "EC"]
PEACE = "1805.7"


def test_a_year_of_1805_by_letters(tmp_path: Path) -> None:
    async def play() -> tuple[dict[str, dict[str, int]], int]:
        cast = members(SEATS, play=False, seat="", lang="en")
        output_folder.prepare(tmp_path)
        async with demo.staged("nce", tmp_path, 1805, cast, scenario="1805") as game:

            def changed() -> None:
                if game.moment().startswith("1806"):
                    game.chronicle.over.set()
                    game.chronicle.moved.set()

            game.chronicle.changed = changed
            await game.perform(None, stalled=60)
            output_folder.leave(game, tmp_path, "en")
            return game.chronicle.by_moment(), game.moderator.store.game(game.game_id).answers

    written, answers = asyncio.run(play())
    rounds = {moment: row for moment, row in written.items() if moment.startswith("1805")}
    # 16.5: the year ends with a letter of the victor's, about the terms of his peace.
    assert sum(rounds.pop(PEACE, {}).values()) <= 2
    assert list(rounds) == ROUNDS
    for moment, row in rounds.items():
        active, other = ("empire", "coalition") if moment.endswith("E") else ("coalition", "empire")
        assert row[active] >= 1
        assert row[other] == 0
    # A trial and a line that nobody can read from each robot, once a game; else one letter a round.
    assert sum(sum(row.values()) for row in rounds.values()) <= len(ROUNDS) + 4
    # What the enemy's marches asked was answered by standing orders.
    assert answers > len(ROUNDS) + 5
    audited = audit_log(tmp_path / output_folder.LOG, sorted(tmp_path.glob("mail/*/*.eml")))
    assert audited.ok
    received = [opened(file.read_bytes()) for file in tmp_path.glob("mail/*/*.eml")]
    mine = [letter.text for letter in received if letter.sender.endswith("<moderator@demo.localhost>")]
    assert any(re.search(r"marches from \w+ to", text) for text in mine)
    assert any(re.search(r"marche d[e'’]", text) for text in mine)
