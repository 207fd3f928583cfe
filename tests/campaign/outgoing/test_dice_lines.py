"""Lines that dice decided: marked in the text, linked in the HTML, explained by WHY d12."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from pbem import games
from pbem.campaign.outgoing.dice_lines import explained
from pbem.campaign.table import tables
from pbem.kernel.event import Event, Modifier
from pbem.reports.catalogue import catalogue
from tests.campaign.conftest import Desk


@pytest.fixture
def battle(tmp_path: Path) -> Iterator[Desk]:
    """A battle of ccn, played until somebody has rolled dice."""
    desk = Desk(f"sqlite:///{tmp_path}/ccn.db", game="ccn", scenario="rolica_1808")
    whim = random.Random(4)
    while "[d" not in desk.text("french") or "[d" not in desk.text("allied"):
        live = desk.live
        assert not live.over
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
        desk.send(question.seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))
    yield desk
    desk.store.close()


def marked(text: str) -> list[int]:
    """The numbers of lines with dice; the foot names one of them again."""
    return [int(n) for n in re.findall(r"(?m)^\[d(\d+)\]", text.partition("\r\n--\r\n")[0])]


def web(desk: Desk, address: str) -> str:
    part = desk.received[address][-1].get_body(("html",))
    assert part is not None
    content: str = part.get_content()
    return content


def test_lines_with_dice_are_marked_and_the_foot_says_what_for(battle: Desk) -> None:
    text = battle.text("french")
    numbers = marked(text)
    rows = {row.n: row for row in battle.store.events(battle.game)}
    told = {one.n: one for one in tables.told(list(rows.values()), "ccn")}
    assert numbers
    for n in numbers:
        assert told[n].event.draws
    for n in map(int, re.findall(r"(?m)^\[(\d+)\]", text)):
        drawn = [battle.store.draw(battle.game, label) for label in told[n].event.draws]
        assert all(draw is None or draw.secret for draw in drawn)
    words = battle.words("french")
    assert f"[d{numbers[0]}] was decided by dice: WHY d{numbers[0]} shows them" in words
    assert "pbem_verify.py" not in text


def test_every_mark_leads_to_its_dice_and_back(battle: Desk) -> None:
    page = web(battle, "bob@pbem.test")
    numbers = marked(battle.text("allied"))
    assert re.findall(r'href="#d(\d+)"', page) == list(map(str, numbers))
    for n in numbers:
        assert page.count(f'id="d{n}"') == page.count(f'href="#l{n}"') == page.count(f'id="l{n}"') == 1
    shown = unescape(page)
    for told in tables.told(battle.store.events(battle.game), "ccn"):
        for label in told.event.draws if told.n in numbers else ():
            draw = battle.store.draw(battle.game, label)
            assert draw is not None
            assert f"--roll {label}" in shown
            assert ", ".join(map(str, draw.values)) in shown
    assert "Les dés" in shown


def test_a_letter_without_dice_has_none_of_it(battle: Desk) -> None:
    battle.send("french", "status")
    assert "decided by dice" not in battle.text("french")
    assert "href" not in web(battle, "anne@pbem.test")


@pytest.mark.parametrize("written", ["WHY d{n}", "why [d{n}]?", "Pourquoi D{n}"])
def test_why_shows_the_dice_and_a_command_that_works_them_out(battle: Desk, written: str) -> None:
    n = marked(battle.text("french"))[0]
    (told,) = tables.told(battle.store.events(battle.game, n - 1, n), "ccn")
    battle.send("french", written.format(n=n))
    text = battle.text("french")
    assert f"THE DICE OF [D{n}]" in text
    draws = [battle.store.draw(battle.game, label) for label in told.event.draws]
    assert all(draw is not None and draw.label in text for draw in draws)
    commands = re.findall(r'(?m)^  \$ python3 (-c ".*")\r$', text)
    rolled = [list(draw.values) for draw in draws if draw is not None]
    done = [
        subprocess.run(
            f"{sys.executable} {command}", shell=True, capture_output=True, text=True
        ).stdout.strip()
        for command in commands
    ]
    assert done == list(map(str, rolled))


def test_why_of_a_line_without_dice(battle: Desk) -> None:
    battle.send("french", "WHY d1\nWHY d99999\nWHY dx")
    words = battle.words("french")
    assert "No open dice lie behind line [1]." in words
    assert "99999" in words


def test_the_same_letter_however_late(battle: Desk) -> None:
    """The words are made in the transaction or from the journal, after a restart: the same numbers either way."""
    numbers = marked(battle.text("french"))
    battle.restart()
    battle.send("french", "resend")
    assert set(numbers) <= set(marked(battle.text("french")))


class Clash(Event, frozen=True):
    """A battle with a list of reasons for each of its rolls."""

    attack: tuple[Modifier, ...] = ()
    defence: tuple[Modifier, ...] = ()


def test_reasons_stand_with_the_roll_that_they_changed() -> None:
    words = catalogue("en", games.load("nce"))
    one_sided = Clash(draws=("a", "d"), defence=(Modifier("commander", 1),))
    found = explained(words, one_sided, one_sided.draws)
    assert (found["a"].modifiers, found["d"].modifiers) == ((), ("+1 commander",))
    together = Clash(draws=("a",), modifiers=(Modifier("odds", 2),), defence=(Modifier("commander", -1),))
    assert explained(words, together, ("a",))["a"].modifiers == ("+2 odds", "-1 commander")
    assert explained(words, Clash(), ()) == {}
