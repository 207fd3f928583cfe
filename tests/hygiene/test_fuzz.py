"""Whatever comes in: no exception, every reply can be written, and no letter takes long or much memory."""

from __future__ import annotations

from pathlib import Path

from tests.hygiene.fuzzing import fuzz


def test_two_thousand_letters_that_nobody_would_send(tmp_path: Path) -> None:
    result = fuzz(tmp_path, 2000, seed=7)
    assert result.failures == []
    assert result.letters == 2000
    assert {"done", "unknown", "ignored"} <= set(result.statuses)
    assert result.statuses["done"] > 300
    assert result.replies > 1000
    assert result.slowest < 1.0, result.slowest_letter[:500]
    assert result.grown < 100
