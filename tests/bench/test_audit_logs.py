"""The figures of the audit: logs of robots' games that are checked whole, in few draws here."""

from __future__ import annotations

import io

from pbem.bench import audit_logs
from pbem.dice.audit.audit import audit


def test_the_figures_of_the_replay() -> None:
    figures = {name: (value, unit) for name, value, unit in audit_logs.replays(draws=60, answers=60)}
    assert len(figures) == 8
    (draws,) = (value for name, (value, _) in figures.items() if name.endswith("games of robots, draws"))
    assert draws >= 60
    assert all(value > 0 for value, _ in figures.values())


def test_a_long_log_ends_with_a_resignation_and_is_good() -> None:
    played = audit_logs.endless(40)
    verdict = audit(io.BytesIO(played.data))
    assert (verdict.ok, verdict.ended, verdict.draws) == (True, True, played.draws)
    assert played.answers == 40
