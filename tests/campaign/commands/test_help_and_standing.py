"""Every command has its page in both languages; standing orders can be tried on what has happened."""

from __future__ import annotations

import pytest

from pbem.campaign.commands.registry import COMMANDS
from pbem.reports.catalogue import catalogue
from tests.campaign.conftest import Desk


@pytest.mark.parametrize("name", [spec.name for spec in COMMANDS.types])
def test_every_command_has_its_page_in_both_languages(name: str) -> None:
    pages = [catalogue(lang).phrase("pages", name) for lang in ("en", "fr")]
    assert all(len(page) > 20 for page in pages)
    assert pages[0] != pages[1]


def test_help_about_one_command(desk: Desk) -> None:
    desk.send("french", "HELP ABSENT\nhelp rollback")
    assert "ABSENT 2026-03-01 to 2026-03-08" in desk.words("french")
    assert "ROLLBACK 12 reason" in desk.words("french")
    desk.send("allied", "aide presse")
    assert "MESSAGE À CARNET" in desk.words("allied")


def test_standing_orders_tried_on_what_has_happened(desk: Desk) -> None:
    desk.send("french", "standing test")
    assert "You have no standing orders." in desk.words("french")
    desk.send("french", "1")
    hand = desk.live.game.state.hands["french"]
    desk.send("french", f"draw pile 5 times\ndiscard {hand[0].card.rpartition('-')[0]}")
    before = desk.answers()
    desk.send("french", "STANDING TEST\nwhen discard then discard time")
    words = desk.words("french")
    assert "you would have been asked; it was: draw" in words
    assert "discard" in words
    assert desk.live.standing.get("french", []) == []
    assert desk.answers() == before
    desk.send("french", "STANDING\nwhen keep missions then keep Wachau")
    desk.send("french", "STANDING TEST\nwhen nonsense then fly")
    assert "! when nonsense then fly" in desk.text("french")
    desk.send("allied", "PERMANENTS ESSAI\nquand défausse alors défausser temps")
    assert "aucune décision" in desk.words("allied")
