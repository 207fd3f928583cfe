"""How long it takes to read a letter: `python -m tests.letters.speed`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from pbem.letters.reading import read
from tests.letters.table import LETTERS, OWN, head

CORPUS = Path(__file__).parent / "corpus"
_TIMES = 7
_LINES = (100, 200, 400, 800)


def milliseconds(raw: bytes) -> float:
    """The processor time of reading one letter, the least of several readings."""
    times = []
    for _ in range(_TIMES):
        began = time.process_time_ns()
        read(raw, own_address=OWN)
        times.append(time.process_time_ns() - began)
    return min(times) / 1e6


def spread(letters: Sequence[bytes]) -> tuple[float, float, float]:
    """The median, the 95th percentile and the most of what letters take."""
    times = sorted(map(milliseconds, letters))
    return statistics.median(times), times[len(times) * 95 // 100], times[-1]


def growing(lines: int) -> bytes:
    """A letter of so many lines, half of them quoted."""
    own = "keep Mölkau, Stötteritz and hold whatever can be held\n" * (lines // 2)
    quoted = "> We were at Leipzig, and the rain had not ended yet\n" * (lines // 2)
    return (head("long") + own + "\nOn 03/03/2025 17:02, pbem wrote:\n" + quoted).encode()


def main() -> None:
    """Print the figures."""
    whole = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))]
    for name, letters in (("corpus", whole), ("table", [made.raw for made in LETTERS])):
        print(
            f"{name}: {len(letters)} letters",
            "median {:.2f}, 95 % {:.2f}, most {:.2f} ms".format(*spread(letters)),
        )
    for lines in _LINES:
        raw = growing(lines)
        print(f"{lines} lines, {len(raw) / 1000:.0f} kB: {milliseconds(raw):.2f} ms")


if __name__ == "__main__":
    main()
