"""How long it takes to check the log of a long campaign."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

from pbem.dice.audit.audit import audit
from pbem.dice.beacon import bls
from pbem.dice.beacon.rounds import QUICKNET
from pbem.dice.draw.croupier import Croupier
from pbem.dice.draw.seeds import Seeds
from pbem.dice.log import entries
from pbem.dice.log.entries import Entry
from pbem.dice.log.receipts import Leaf, receipt

PER_STEP = 4
ROUND = 657_413
SIGNATURE = bytes.fromhex(
    "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
)


def long_log(draws: int) -> bytes:
    """The log of a campaign with so many draws of two dice, four to a step, a letter for each step."""
    file = io.BytesIO()
    entries.export(_entries(draws), file)
    return file.getvalue()


def _entries(draws: int) -> Iterator[Entry]:
    seeds = Seeds("bench-1", bytes(32), bytes(32), draws // PER_STEP + 1)
    croupier = Croupier(seeds)
    last = entries.append(None, "genesis", "", entries.genesis(seeds, rules="", engine=""))
    yield last
    for step in range(draws // PER_STEP):
        leaf = Leaf("french", f"{step:032x}", "MOVE NEY TO LINDENAU")
        last = entries.append(last, "receipt", "", receipt("french", b"", leaf))
        yield last
        croupier.begin([leaf])
        for n in range(PER_STEP):
            croupier.roll(f"t{step}/land/b{n}/att", 2, 6, rule="7.2", seat="french" if n % 2 else "allies")
        for kind, body in croupier.finish("00" * 32):
            last = entries.append(last, kind, "", body)
            yield last
    yield entries.append(last, "end", "", croupier.end())


def audit_figures(draws: int = 10_000, rounds: int = 64) -> list[tuple[str, float, str]]:
    """Name, value and unit: level 1 for so many draws, twice as many against it, and a round of the beacon."""
    half, whole = long_log(draws // 2), long_log(draws)
    seconds = []
    for data in (half, whole):
        started = time.perf_counter()
        verdict = audit(io.BytesIO(data))
        seconds.append(time.perf_counter() - started)
        if not verdict.ok:
            raise RuntimeError(verdict.reason())
    started = time.perf_counter()
    if bls.first_bad_round(bytes.fromhex(QUICKNET.key), [(ROUND, SIGNATURE)] * rounds) is not None:
        raise RuntimeError("the beacon's own signature was refused")
    together = time.perf_counter() - started
    return [
        (f"audit of {draws} draws, level 1", seconds[1], "s"),
        ("the same per draw", seconds[1] / draws * 1e6, "µs"),
        ("twice the draws cost", seconds[1] / seconds[0], "times"),
        ("size of the log", len(whole) / 1e6, "MB"),
        (f"a round of the beacon, {rounds} together", together / rounds * 1e3, "ms"),
    ]
