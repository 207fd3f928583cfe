"""Numbers that no program likes: too long to be read, too great to be stored. Kind answers, nothing more."""

from __future__ import annotations

import pytest

from tests.campaign.commands.game_master.test_acts import Court, court

__all__ = ["court"]

COMMANDS = (
    *("WHY {}", "WHY d{}", "MAP {}", "MAP #{}", "HISTORY {}", "CONFIRM {}", "CHECK {}", "OBJECT {} no", "{}"),
    *(
        "ABSENT {}",
        "ABSENT 2026-02-{}",
        "VOTE EXTEND {}",
        "SALT {}",
        "STANDING {}",
        "RESEND {}",
        "DICE {}",
        "[{}]",
    ),
)
MASTERS = (
    *(
        "EXTEND {}",
        "EXTEND french {}",
        "ROLLBACK {} x",
        "CORRECT points.french = {} because x",
        "SOURCE {} x",
    ),
    *("UPHOLD CORRECTION {}", "WITHDRAW CORRECTION {}", "PROCESS t{}", "PRESS MODE anonymous, {} a day"),
)


@pytest.mark.parametrize("number", ["9" * 12, "9" * 19, "9" * 30, "9" * 5000, "٣" * 20, "-1", "0", "1e999"])
def test_no_number_is_a_fault(court: Court, number: str) -> None:
    for seat, commands in (("french", COMMANDS), ("master", MASTERS)):
        for command in commands:
            assert court.send(seat, command.format(number)).status == "done", command
