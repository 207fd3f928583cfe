"""Without PostgreSQL's programs its half of the suite is skipped, but never silently in CI."""

from __future__ import annotations

import pytest

from tests.servers import postgres


def test_missing_programs_are_skipped_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "binaries", lambda: None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="not installed"):
        postgres.require()


def test_missing_programs_fail_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "binaries", lambda: None)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="not installed"):
        postgres.require()
