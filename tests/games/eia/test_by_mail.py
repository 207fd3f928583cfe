"""The campaign of 1805 by real letters through the embedded mail server, in French and English, and audited."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from pbem.campaign.archive.audit import audit_log
from pbem.demo import output_folder
from pbem.demo import play as demo
from pbem.demo.mailbox import opened
from pbem.demo.players import members

SEATS = ("france", "austria")
MONTHS = ("1805-09", "1805-10", "1805-11", "1805-12")


def test_1805_by_letters(tmp_path: Path) -> None:
    async def play() -> tuple[dict[str, dict[str, int]], list[str]]:
        cast = members(SEATS, play=False, seat="", lang="en")
        output_folder.prepare(tmp_path)
        async with demo.staged("eia", tmp_path, 1805, cast, scenario="1805") as game:
            await game.perform(None, stalled=60)
            output_folder.leave(game, tmp_path, "en")
            return game.chronicle.by_moment(), list(game.cast)

    written, seats = asyncio.run(play())
    # 3.2: one letter a side and month, after the set-up; a trial and a line that nobody can read from each, once.
    for month in MONTHS:
        orders = written[f"{month}o"]
        assert set(orders) == set(seats)
        assert all(number >= 1 for number in orders.values())
    months = sum(sum(row.values()) for moment, row in written.items() if moment[:7] in MONTHS)
    assert months <= len(seats) * (len(MONTHS) + 1 + 4)
    # Battles and sieges ask for no letter of their own: the plan of the month answers.
    assert {moment[7:] for moment in written} <= {"s", "o", "e"}
    audited = audit_log(tmp_path / output_folder.LOG, sorted(tmp_path.glob("mail/*/*.eml")))
    assert audited.ok
    received = [opened(file.read_bytes()) for file in tmp_path.glob("mail/*/*.eml")]
    texts = [letter.text for letter in received if letter.sender.endswith("<moderator@demo.localhost>")]
    assert any("October 1805" in text for text in texts)
    assert any("octobre 1805" in text for text in texts)
    # What decided a battle is named: a line of its plan, or the letter, never a line about something else.
    fights = [
        why
        for text in texts
        for why in re.findall(r"\b(?:fight|combat) ?: [^()]*\([^«]*« ?([^»]*?) ?»", " ".join(text.split()))
    ]
    assert fights
    assert not [why for why in fights if "siege" in why or "sièges" in why]
    assert any(re.search(r"forages at|pays [\d.]+ for the supply", text) for text in texts)
    assert any(re.search(r"fourrage à|paie [\d.]+ pour ravitailler", text) for text in texts)
    # 2.4.2: the French letters name no Austrian corps before a battle shows it, and the other way round.
    first = [text for text in texts if "1805-09o" in text]
    assert any(re.search(r"Austrian [IVX]+ Corps", text) for text in first)
    assert not any(re.search(r"[IVX]+ corps autrichien", text) for text in first if "VOS ORDRES" in text)
