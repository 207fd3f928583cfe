"""The page of a game's dice: every line of the chronicle that dice decided leads to its rolls."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem import games
from pbem.campaign.archive.chronicle import write
from pbem.campaign.archive.dice_page import Dice
from pbem.dice.show import plots
from pbem.dice.show.luck import Balance
from pbem.reports.catalogue import catalogue
from tests.campaign.conftest import Desk


@pytest.fixture
def fought(tmp_path: Path) -> Iterator[Desk]:
    """Some turns of a battle."""
    desk = Desk(f"sqlite:///{tmp_path}/ccn.db", game="ccn", scenario="rolica_1808")
    whim = random.Random(4)
    while desk.answers() < 12:
        live = desk.live
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
        desk.send(question.seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))
    yield desk
    desk.store.close()


def dice_of(desk: Desk, lang: str) -> Dice:
    return Dice(desk.store, desk.store.game(desk.game), catalogue(lang, desk.live.rules))


def test_links_of_the_chronicle_lead_somewhere(fought: Desk, tmp_path: Path) -> None:
    fought.send("french", f"resign {fought.game}")
    files = {path.name: path for path in write(fought.store, fought.game, tmp_path / "out", "en", 300)}
    chronicle, dice = (files[name].read_text(encoding="utf-8") for name in ("chronicle.html", "dice.html"))
    links = re.findall(r'href="dice\.html#(d\d+)"', chronicle)
    assert len(links) > 3
    assert links == re.findall(r'<article id="(d\d+)">', dice)
    shown = unescape(dice)
    for roll in dice_of(fought, "en").rolls.values():
        assert roll.good
        assert f"{roll.label} · " in shown
        assert roll.command in shown
    assert "@pbem.test" not in dice
    assert "hits" in chronicle
    assert chronicle.count("<svg") == dice.count("<svg") >= 4


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_of_a_game_in_play_only_what_everyone_may_know(fought: Desk, lang: str) -> None:
    dice = dice_of(fought, lang)
    assert all(item.to is None for item in dice.told)
    page = dice.page()
    assert "<script" not in page
    assert catalogue(lang).phrase("titles", "throws") in page
    secret = {row.label for row in fought.store.draws(fought.game) if row.drawn().secret}
    assert secret
    assert not secret & set(dice.rolls)


def test_a_picture_of_what_the_battles_would_have_given() -> None:
    rows = [
        ("Français <1>, hits", Balance("french", "hits", 20, 31, 25.0, 9.0)),
        ("Alliés, hits", Balance("allied", "hits", 12, 3, 8.5, 4.0)),
        ("Alliés, banners", Balance("allied", "banners", 1, 1, 0.5, 0.0)),
    ]
    text = plots.balance(rows, "Luck & skill")
    picture = ElementTree.fromstring(text)
    words = [each.text for each in picture.iter() if each.tag.endswith("text")]
    assert "Luck & skill" in words
    assert "Français <1>, hits: 31 (25.0)" in words
    # Without a variance nobody can say how far the third strays.
    marks = [each for each in picture.iter() if each.tag.endswith("circle")]
    high, low = (float(each.get("cx", "0")) for each in marks)
    assert high > plots.WIDTH / 2 > low
    assert plots.balance([]) == ""


@pytest.mark.parametrize(
    ("game", "counted"),
    [("leipzig", ["pairs"]), ("ccn", ["hits"]), ("nce", ["inflicted", "battles", "sieges", "fleets"])],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_battles_gave_has_words(game: str, counted: list[str], lang: str) -> None:
    words = catalogue(lang, games.load(game))
    assert all(words.has("luck", what) for what in counted)
