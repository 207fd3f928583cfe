"""The long run: python -m tests.crash --kills 300 --server real --database postgresql."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from pbem.post.embedded import EmbeddedPost
from tests.crash.campaign import ACCOUNTS, End, Kill, campaign, rehearse
from tests.crash.life import POINTS
from tests.servers import postgres
from tests.servers.mail import servers
from tests.store.conftest import _create


async def run(kills: int, server: str, database: str, seed: int) -> int:
    """Play campaigns with twelve kills each until there have been so many; 0 when all ended alike."""
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        letters = rehearse(folder, 30)
        async with AsyncExitStack() as stack:
            address = stack.enter_context(postgres.server()) if database == "postgresql" else ""
            real = stack.enter_context(servers(ACCOUNTS)) if server == "real" else None

            async def play(name: str, chosen: list[Kill]) -> End:
                url = address + name if address else f"sqlite:///{folder}/{name}.db"
                if address:
                    _create(address, name)
                if real is not None:
                    real.empty()
                    return await campaign(real, url, letters, chosen)
                async with EmbeddedPost(ACCOUNTS) as embedded:
                    return await campaign(embedded, url, letters, chosen)

            calm = await play("calm", [])
            done, copies, bad, started = 0, 0, 0, time.monotonic()
            while done < kills:
                chosen: list[Kill] = [
                    (dice.choice(POINTS), dice.randint(1, 2))
                    if dice.random() < 0.6
                    else dice.uniform(0.02, 0.5)
                    for _ in range(12)
                ]
                end = await play(f"campaign_{done}_{seed}", chosen)
                same = (end.answers, end.state, end.draws, end.log, end.words(), end.unsent) == (
                    *(calm.answers, calm.state, calm.draws, calm.log, calm.words(), 0),
                )
                bad += not same
                done += end.kills
                copies += end.copies
                print(
                    f"{done} kills, {'the same end' if same else f'ANOTHER END after {chosen}'}", flush=True
                )
            letters_out = sum(len(box) for box in calm.boxes.values())
            print(
                f"{server}, {database}: {done} kills, {bad} campaigns with another end, {letters_out} letters a "
                f"campaign, {copies} second copies under the same Message-ID, {time.monotonic() - started:.0f} s"
            )
    return 1 if bad else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--server", choices=["embedded", "real"], default="real")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
    parser.add_argument("--seed", type=int, default=1813)
    arguments = parser.parse_args()
    return asyncio.run(run(arguments.kills, arguments.server, arguments.database, arguments.seed))


if __name__ == "__main__":
    sys.exit(main())
