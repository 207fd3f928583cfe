"""A daemon killed again and again while it posts on a real Misago: nothing is lost, nothing stands there twice.

Between a death and the next life others post more than a page, so that looking at the last page would not do.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.letters.posted import Place, place_address
from pbem.post.forum.misago import Misago
from pbem.post.forum.writer import marker
from pbem.store.records import Sending
from pbem.store.store import Store
from tests.forum.letters import letter
from tests.servers import misago as misago_server

PAGE = 20
KILLS = int(os.environ.get("PBEM_KILLS", "3"))


@pytest.mark.xdist_group("misago")
async def test_killed_while_posting(misago: misago_server.Misago, tmp_path: Path) -> None:
    robot = Misago("consim", misago.url, "pbem", misago_server.PASSWORD)
    alice = Misago("consim", misago.url, "alice", misago_server.PASSWORD)
    url = f"sqlite:///{tmp_path}/outbox.db"
    store = Store.open(url)
    store.migrate()
    place, _ = await robot.open(f"Kills {time.time_ns()}", "A thread for many accidents.", (), "k")
    names: list[str] = []
    whim = random.Random(1813)
    waited = 0.4
    life = lives = 0

    def more(count: int) -> None:
        """More letters to be posted."""
        with store.journal(None, datetime.now(UTC)) as journal:
            for _ in range(count):
                names.append(f"<leipzig-1.thread.0.{len(names):x}a@pbem.test>")
                address = place_address("consim", place)
                raw = letter(names[-1], address, f"Report number {len(names)} of the campaign.")
                journal.dispatch(Sending(address, "report", names[-1], None, None, raw=raw))

    def begin() -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "tests.forum.life",
            url,
            misago.url,
            misago_server.PASSWORD,
            str(life),
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        return process

    while lives < KILLS:
        life += 1
        more(3)
        process = await asyncio.to_thread(begin)
        await asyncio.sleep(whim.uniform(0, waited))
        if process.poll() is None:
            process.kill()
            lives += 1
            waited *= 1.1
        else:
            waited *= 0.8
        waited = min(max(waited, 0.2), 6.0)
        process.wait()
        for n in range(PAGE):
            await alice.write(place, f"Idle talk, number {n} of life {life}.", "k")
    said = ""
    while said != "all sent\n":
        life += 1
        process = await asyncio.to_thread(begin)
        assert process.stdout is not None
        said = await asyncio.to_thread(process.stdout.readline)
        process.wait()
    shown = [one["content"] for one in await robot._back_to(place, 0)]
    found = {name: sum(marker(name) in (text or "") for text in shown) for name in names}
    assert {name: times for name, times in found.items() if times != 1} == {}
    assert Place(place.id) == place
    for board in (robot, alice):
        await board.close()
    store.close()
