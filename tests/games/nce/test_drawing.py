"""The map shows owners, control, forces, fleets, sieges, depots and the moves of the last action."""

from __future__ import annotations

import asyncio
import email
import random
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.bench.figures import letter_of
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.games.nce import RULES
from pbem.games.nce.drawing import MOST_ROWS, THEATRES, drawing, theatre
from pbem.games.nce.events_views import StandsEnemy, StandsForce
from pbem.games.nce.view import view
from pbem.kernel.drawing import (
    Battle,
    Control,
    Counter,
    Depot,
    Drawing,
    Fleet,
    March,
    Siege,
    Supply,
    Wash,
    Works,
)
from pbem.letters.message import Message
from pbem.reports.map import svg
from pbem.store.store import Store
from tests.games.nce.field import Field
from tests.games.nce.play import answer_one, new, position, the


def test_a_set_up_shows_forces_fleets_depots_and_whom_countries_follow() -> None:
    state = position("1805", set_up=True)
    sheet = drawing(view(state, "empire"), "empire", "en")
    washes = {mark.area: mark for mark in sheet.marks if isinstance(mark, Wash)}
    assert (washes["paris"].tint, washes["paris"].pale) == ("france", False)
    assert (washes["munich"].tint, washes["munich"].pale) == ("france", True)
    assert washes["berlin"].tint == "prussia"
    assert washes["copenhague"].tint == "neutral"
    counters = [mark for mark in sheet.marks if isinstance(mark, Counter)]
    assert len(counters) == len(state.forces)
    (napoleon,) = (mark for mark in counters if mark.pill == "Napoléon")
    assert (napoleon.area, napoleon.value, napoleon.depth) == ("lille", "15", 2)
    fleets = [mark for mark in sheet.marks if isinstance(mark, Fleet)]
    assert sum(int(mark.value) for mark in fleets) == sum(":" in place for place in state.fleets.values())
    assert any(mark.blockade and mark.area == "brest" for mark in fleets)
    assert Depot("lille", "france", 2, mobile=True) in sheet.marks


def test_markers_of_war() -> None:
    state = position(
        control={"ulm": "coalition", "erfurt": "empire"},
        forces=["coalition strasbourg mack: au_i_corps, au_ii_corps", "empire strasbourg: fr_vi_corps"],
    )
    state.siege["strasbourg"] = 2
    state.empty.append("ulm")
    the(state, "fr_vi_corps").inside = True
    state.moves = [
        ("bade", "ulm", "coalition"),
        ("ulm", "munich", "coalition"),
        ("munich", "salzbourg", "empire"),
    ]
    marks = drawing(state, None, "fr").marks
    assert Control("ulm", "allied") in marks
    assert Works("ulm", 0) in marks
    assert Siege("strasbourg", "austria", "2") in marks
    assert March(("bade", "ulm", "munich"), "allied") in marks
    assert March(("munich", "salzbourg"), "france", retreat=True) in marks
    (inside,) = (mark for mark in marks if isinstance(mark, Counter) and mark.tint == "france")
    assert inside.faded


def test_a_battle_has_its_sign_and_whoever_lost_it_retreats() -> None:
    state = position()
    state.moves = [
        ("milan", "mantoue", "empire"),
        ("mantoue", "venise", "empire"),
        ("venise", "venise", "coalition"),
        ("venise", "mantoue", "empire"),
        ("ulm", "munich", "empire"),
        ("munich", "munich", "empire"),
        ("munich", "salzbourg", "coalition"),
        ("munich", "nuremberg", "empire"),
    ]
    marks = drawing(state, None, "fr").marks
    assert [mark.area_a for mark in marks if isinstance(mark, Battle)] == ["venise", "munich"]
    assert [mark for mark in marks if isinstance(mark, March)] == [
        March(("milan", "mantoue", "venise"), "france"),
        March(("venise", "mantoue"), "france", retreat=True),
        March(("ulm", "munich"), "france"),
        March(("munich", "salzbourg"), "allied", retreat=True),
        March(("munich", "nuremberg"), "france"),
    ]
    state.moves = [(start, to, side) for start, to, side in state.moves if "munich" not in (start, to)]
    assert theatre(state) == THEATRES["italy"]


def test_a_battle_in_play_is_noted_with_its_winner() -> None:
    field = Field(
        {"battle/munich/attack": [6, 6], "battle/munich/defence": [1, 1], "morale/charles": [1]},
        forces=[
            "empire ulm davout: fr_i_corps, fr_ii_corps",
            "coalition munich charles: au_i_corps, au_ii_corps",
        ],
    )
    field.order("empire", "no card\nactivate Davout\ngo to Munich\nsubordinate nobody")
    field.game.settle(lambda seat: list(RULES.defaults))
    assert ("munich", "munich", "empire") in field.state.moves


def test_the_close_up_has_the_readers_lines_of_supply() -> None:
    state = position(
        control={"vienne": "empire", "salzbourg": "empire"},
        forces=[
            "empire vienne davout: fr_i_corps",
            "empire moscou ney: fr_ii_corps",
            "coalition kiev tormassov: ru_i_corps",
        ],
    )
    sheet = drawing(view(state, "empire"), "empire", "en")
    fed, cut = sheet.near
    assert isinstance(fed, Supply)
    assert isinstance(cut, Supply)
    assert (fed.path[-1], fed.cut, cut.path[-1], cut.cut) == ("vienne", False, "moscou", True)
    assert not any(isinstance(mark, Supply) for mark in sheet.marks)
    assert drawing(state, "coalition", "en").near == ()  # Kiev feeds who stands there
    assert drawing(state, None, "en").near == ()


def test_who_is_out_of_the_war_is_paler_and_long_lists_say_so() -> None:
    state = position("1805", set_up=True)
    sheet = drawing(view(state, "coalition"), "coalition", "fr")
    pale = {mark.area: mark.pale for mark in sheet.marks if isinstance(mark, Wash)}
    assert (pale["berlin"], pale["vienne"], pale["paris"]) == (True, False, False)
    generals = [force for force in state.of("coalition") if force.general]
    last = sheet.panels[2].rows[-1]
    assert len(sheet.panels[2].rows) == MOST_ROWS
    assert last.text == f"{len(generals) - MOST_ROWS + 1} autres"


@pytest.mark.parametrize("scenario", ["1805", "1809", "1815"])
def test_every_scenario_can_be_drawn_in_play(scenario: str) -> None:
    game = new(4, scenario)
    whim = random.Random(4)
    for _ in range(6):
        answer_one(game, "sensible", whim)
    for lang in ("en", "fr"):
        sheet = RULES.drawing(game.view("coalition"), "coalition", lang)
        assert len(sheet.panels) == 3
        assert "<svg" in svg(sheet)


class Painter:
    """A renderer that notes what it was asked to paint."""

    def __init__(self) -> None:
        self.close: list[tuple[str, ...]] = []

    async def png(self, drawing: Drawing, width: int = 1200) -> bytes:
        return b"whole"

    async def crop(self, drawing: Drawing, areas: Iterable[str], width: int = 1600) -> bytes:
        self.close.append(tuple(areas))
        return b"close"

    def close_down(self) -> None: ...


def test_a_report_brings_the_theatre_of_the_last_moves_close_up(tmp_path: Path) -> None:
    state = position("1805", set_up=True)
    # Before anybody has moved: where the armies face each other.
    assert theatre(state) == THEATRES["germany"]
    assert theatre(position()) == ()
    state.moves = [
        ("lille", "paris", "empire"),
        ("ulm", "munich", "empire"),
        ("munich", "nuremberg", "empire"),
    ]
    assert theatre(state) == THEATRES["germany"]
    now = datetime(2026, 1, 1, tzinfo=UTC)
    store = Store.open(f"sqlite:///{tmp_path / 'nce.db'}")
    store.migrate()
    moderator = Moderator(store, Settings("moderator@pbem.test"), lambda: now)
    players = {seat: Player(seat, f"{seat}@pbem.test") for seat in ("empire", "coalition")}
    game_id = moderator.opening.open_game("nce", "1805", {}, players)
    letter = letter_of(
        moderator.tables.at_hand(game_id), "empire", "no card\nactivate Masséna\ngo to Mantoue", 1
    )
    moderator.handle(Message(letter))
    painter = Painter()
    secretary = Secretary(moderator.campaign, painter)  # type: ignore[arg-type]
    rows = store.dispatches(game_id)
    letters = [email.message_from_bytes(asyncio.run(secretary.write(row))) for row in rows]
    store.close()
    pictures = [part.get_payload(decode=True) for letter in letters for part in letter.walk()]
    assert b"close" in pictures, "the theatre is the picture in the body of a letter after a move"
    assert THEATRES["italy"] in painter.close


def test_the_map_shows_points_where_they_count() -> None:  # rule 17.1, 18
    counted, plain = (RULES.drawing(RULES.setup(name, {}), None, "en").scores for name in ("1805", "1815"))
    assert [(one.label, one.value) for one in counted] == [("Victory points", "5"), ("Escalation", "0")]
    assert plain == ()


def test_letter_and_map_count_the_steps_of_a_force_alike() -> None:  # rule 2.2.3, 12.3
    state = RULES.setup("1815", {})
    assert the(state, "napoleon").special
    told = {
        e.force: str(e.steps)
        for e in RULES.status(state, "empire")
        if isinstance(e, StandsForce | StandsEnemy)
    }
    sheet = RULES.drawing(state, "empire", "en")
    drawn = {mark.pill: mark.value for mark in sheet.marks if isinstance(mark, Counter)}
    assert told["napoleon"] == drawn["Napoléon"] == "10"
    assert told["wellington"] == drawn["Wellington"] == "7"
