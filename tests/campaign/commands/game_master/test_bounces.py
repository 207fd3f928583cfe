"""A player whose letters come back: his game master is told."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.commands.game_master.test_acts import MASTER_ADDRESS, Court
from tests.campaign.deadlines.test_deadlines import bounce


def test_the_game_master_is_told_whose_letters_come_back(tmp_path: Path) -> None:
    court = Court(f"sqlite:///{tmp_path}/pbem.db")
    assert court.hand_in(bounce(court, "anne@pbem.test", "4.2.2")).status == "ignored"
    assert not court.text(MASTER_ADDRESS)
    assert court.hand_in(bounce(court, "anne@pbem.test")).status == "ignored"
    told = court.words(MASTER_ADDRESS)
    assert "A letter to Napoléon came back as undeliverable" in told
    court.store.close()
