"""What a table of seven changes for everything else: votes, objections, press, couriers, silence, substitutes, masters,
receipts, forms, STATUS and maps."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.commands.votes import electors
from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.deadlines.missed import NOBODY
from pbem.campaign.house_rules import MAJORITY, Couriers, Customs
from pbem.campaign.intake.moderator import Player
from pbem.campaign.outgoing.rendering import Secretary
from pbem.campaign.table.tables import CARETAKER_ACTS, SUBSTITUTE_ACTS
from pbem.dice.log import entries as dicelog
from pbem.reports.map.paint.renderer import InlineRenderer
from tests.campaign.conftest import Congress

MASTER = "gm@pbem.test"
CALENDAR = Calendar(zone="Europe/Paris", hours=48, reminders=(6,), grace=12, floor=6)


class Hall(Congress):
    """Seven seats with a game master."""

    def letter(self, seat: str, text: str, **how: str) -> bytes:  # type: ignore[override]
        if seat == "master":
            how.setdefault("sender", MASTER)
        return super().letter(seat, text, **how)  # type: ignore[arg-type]

    def address(self, seat: str) -> str:
        return MASTER if seat == "master" else super().address(seat)


def hall(folder: Path, calendar: Calendar | None = None, *, sighted: bool = False, **customs: object) -> Hall:
    return Hall(
        f"sqlite:///{folder}/hall.db",
        calendar=calendar,
        masters=[Player("Gus", MASTER)],
        sighted=sighted,
        customs=Customs(**customs),  # type: ignore[arg-type]
    )


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Hall]:
    made = hall(tmp_path, CALENDAR)
    yield made
    made.store.close()


def all_but(desk: Congress, silent: str) -> None:
    """A turn in which everybody but one writes, and the clock strikes for him."""
    turn = desk.live.game.state.turn
    desk.all_hold(silent)
    for _ in range(20):
        if desk.live.game.state.turn > turn:
            return
        desk.pass_time(hours=6)


def outlive(desk: Congress, victim: str) -> None:
    """A power loses all that it has, and is out at the end of the turn."""
    state = desk.live.game.state
    for area in state.held(victim):
        state.owner[area], state.troops[area] = "france", 1
    desk.live.game.forget_views()
    desk.all_hold()
    assert victim in desk.live.rules.dead(desk.live.game.state)


def test_a_draw_needs_all_seven(congress: Congress) -> None:
    congress.send("france", "VOTE DRAW")
    for seat in ("great_britain", "austria", "russia", "prussia", "spain"):
        congress.send(seat, "VOTE YES")
        assert not congress.live.over
    congress.send("turkey", "VOTE YES")
    assert congress.live.over
    assert "Nobody won" in congress.words("russia")


def test_four_of_seven_are_a_majority_and_three_are_none(tmp_path: Path) -> None:
    desk = hall(tmp_path, votes=MAJORITY)
    desk.send("france", "VOTE VICTORY russia")
    desk.send("austria", "VOTE NO")
    desk.send("spain", "VOTE NO")
    for seat in ("prussia", "turkey"):
        desk.send(seat, "VOTE YES")
        assert not desk.live.over
    desk.send("russia", "VOTE YES")
    assert desk.live.over
    assert "Russia won" in desk.words("turkey")
    desk.store.close()


def test_the_dead_and_the_vacant_have_no_vote(congress: Congress) -> None:
    outlive(congress, "spain")
    congress.send("turkey", f"RESIGN {congress.game}")
    assert sorted(electors(congress.live)) == ["austria", "france", "great_britain", "prussia", "russia"]
    congress.send("spain", "VOTE DRAW")
    assert congress.live.affairs.motion is None
    congress.send("france", "VOTE DRAW")
    for seat in ("great_britain", "austria", "prussia", "russia"):
        congress.send(seat, "VOTE YES")
    assert congress.live.over


def test_one_of_seven_objects_to_a_correction(tmp_path: Path) -> None:
    desk = hall(tmp_path, objections=24)
    desk.send("master", "CORRECT powers.spain.gold = 9 because of a slip")
    assert desk.live.affairs.proposals
    desk.send("turkey", "OBJECT 1 it was no slip")
    desk.pass_time(days=2)
    assert desk.live.game.state.powers["spain"].gold == 6
    assert any("no slip" in desk.all_words(seat) for seat in ("master", "spain", "france")) or (
        desk.live.affairs.proposals[0].objected == ["turkey"]
    )
    desk.store.close()


def test_without_objection_of_seven_it_takes_effect(tmp_path: Path) -> None:
    desk = hall(tmp_path, objections=24)
    desk.send("master", "CORRECT powers.spain.gold = 9 because of a slip")
    desk.pass_time(days=2)
    assert desk.live.game.state.powers["spain"].gold == 9
    assert "9" not in " ".join(desk.all_words("turkey").replace("2026", "").split("gold")[:1]), (
        "it is Spain's own"
    )
    desk.store.close()


def test_press_to_a_group_reaches_the_group_alone(congress: Congress) -> None:
    congress.send("france", "PRESS TO Austria, Russia and Turkey: a league")
    got = {seat for seat in congress.players if "a league" in congress.all_words(seat)}
    assert got == {"austria", "russia", "turkey"}
    congress.send("france", "PRESS TO all: peace everywhere")
    got = {seat for seat in congress.players if "peace everywhere" in congress.all_words(seat)}
    assert got == set(congress.players) - {"france"}


def test_a_captured_letter_goes_to_one_of_the_five_others(tmp_path: Path) -> None:
    desk = hall(tmp_path, couriers=Couriers(hours=1, risk=50))
    captors: Counter[str] = Counter()
    for n in range(15):
        desk.send("france", f"PRESS TO Turkey: number {n}.")
        desk.pass_time(days=2)
        ride = desk.live.affairs.rides[-1]
        readers = [seat for seat in desk.players if f"number {n}." in desk.all_words(seat)]
        assert readers == ([ride.captor] if ride.captured else ["turkey"])
        captors[ride.captor] += 1
    del captors[""]
    assert not {"france", "turkey"} & set(captors)
    assert len(captors) > 1
    desk.store.close()


def test_six_do_not_wait_for_ever_for_the_seventh(timed: Hall) -> None:
    timed.all_hold("spain")
    assert timed.live.game.state.turn == 1
    timed.pass_time(days=4)
    assert timed.live.game.state.turn == 2
    records = timed.live.affairs.records
    assert records["spain"].missed == 1
    assert all(records[seat].on_time == 1 for seat in timed.players if seat != "spain")
    timed.send("france", "STATUS")
    assert "Spain" in timed.words("france")


def test_only_who_is_late_is_reminded(timed: Hall) -> None:
    timed.all_hold("spain", "turkey")
    timed.pass_time(hours=46)
    reminded = {seat for seat in timed.players if timed.all_words(seat)}
    assert reminded == {"spain", "turkey"}


def test_three_silences_bring_a_caretaker_and_a_call_and_the_game_goes_on(timed: Hall) -> None:
    for turn in range(2, 7):
        all_but(timed, "spain")
        assert timed.live.game.state.turn == turn
    assert timed.live.person("spain").acting == CARETAKER_ACTS
    assert timed.live.affairs.wanted == ["spain"]
    assert not timed.live.affairs.paused


def test_seven_silent_players_stand_still(timed: Hall) -> None:
    timed.pass_time(days=40)
    assert timed.live.affairs.paused == NOBODY
    turn = timed.live.game.state.turn
    timed.send("russia", "hold")
    assert not timed.live.affairs.paused
    timed.pass_time(days=8)
    assert timed.live.game.state.turn > turn


def test_a_substitute_of_one_of_seven_plays_that_seat_alone(timed: Hall) -> None:
    timed.send("spain", "SUBSTITUTE sub@pbem.test")
    all_but(timed, "spain")
    timed.all_hold("spain")
    for _ in range(20):
        if timed.live.person("spain").acting:
            break
        timed.pass_time(hours=6)
    assert timed.live.person("spain").acting == SUBSTITUTE_ACTS
    turn = timed.live.game.state.turn
    timed.send("spain", "raise 1", sender="sub@pbem.test")
    assert timed.live.game.state.turn == turn + 1, "all the others had written"
    assert timed.live.game.state.troops["madrid"] == 4
    timed.send("spain", f"RESIGN {timed.game}", sender="sub@pbem.test")
    assert not timed.live.person("spain").vacant


def test_a_blind_master_sees_no_hand_of_the_seven_and_a_sighted_one_all(tmp_path: Path) -> None:
    (tmp_path / "blind").mkdir()
    for sighted, folder in ((False, tmp_path / "blind"), (True, tmp_path)):
        desk = hall(folder, sighted=sighted)
        for seat in desk.players:
            desk.send(seat, "raise 2" if seat == "russia" else "hold")
        if desk.live.game.state.turn < 2:
            desk.all_hold()
        words = desk.all_words("master")
        assert words
        assert ("raises 2 regiments" in words) is sighted, (
            "a blind master is told nothing that a seat alone is"
        )
        desk.send("master", "STATUS")
        assert ("Basilisk" in desk.all_words("master")) is sighted
        eye = desk.live.person("master")
        assert eye.blind is not sighted
        desk.store.close()


def test_every_letter_of_seven_has_its_own_receipt_and_the_log_bears_it_out(
    congress: Congress, tmp_path: Path
) -> None:
    receipts = {}
    for seat in congress.players:
        congress.send(seat, "hold")
        found = re.search(r"log #(\d+)", congress.words(seat)) or re.search(
            r"journal n[°o] ?(\d+)", congress.words(seat)
        )
        assert found is not None, seat
        receipts[seat] = int(found[1])
    entries = {entry.n: entry for entry in congress.store.entries(congress.game)}
    said = [entry.body["player"] for entry in entries.values() if entry.kind == "receipt"]
    assert said == list(congress.players)
    file = tmp_path / "log.jsonl"
    with file.open("wb") as stream:
        dicelog.export(iter(entries.values()), stream)
    audited = audit_log(file)
    assert audited.verdict.ok, audited.report()


def test_a_seat_with_two_powers_gets_two_forms_and_both_answers_count(two_powers: Congress) -> None:
    text = two_powers.text("france")
    forms = re.findall(r"\[\[orders \S+ (\S+)", text)
    assert forms == ["t1/cabinet/france", "t1/cabinet/spain"]
    blocks = re.findall(r"\[\[orders.*?\[\[end\]\]", text, re.DOTALL)
    answers = [block.replace("1: hold", f"1: raise {n}") for n, block in enumerate(blocks, 1)]
    quoted = "\n\n".join(answers).replace("\n", "\n> ")
    two_powers.send("france", f"> {quoted}\n")
    two_powers.answer("great_britain")
    state = two_powers.live.game.state
    assert (state.troops["paris"], state.troops["madrid"]) == (4, 5)


def test_status_shows_all_powers_who_is_asked_and_what_is_ones_own(congress: Congress) -> None:
    congress.send("austria", "tenir")
    congress.send("france", "STATUS")
    words = congress.words("france")
    for name in ("Great Britain", "Austria", "Russia", "Prussia", "Spain", "Turkey"):
        assert f"{name}: " in words
    assert "Austria: cabinet (sealed answer received)" in words
    assert "Spain: cabinet" in words
    assert "cipher Aquila" in words
    for other in ("Basilisk", "Chimera", "Dragon", "Eagle Owl", "Firebird", "Griffin"):
        assert other not in words


def test_who_is_waited_for_is_one_line_however_many_they_are(congress: Congress) -> None:
    congress.send("france", "hold")
    assert "Great Britain, Austria, Russia, Prussia, Spain and Turkey have to give orders" in congress.words(
        "france"
    )
    assert congress.words("france").count("not your turn") == 1


def test_each_of_seven_gets_a_map_of_what_he_knows(congress: Congress) -> None:
    rules, game = congress.live.rules, congress.live.game
    drawings = {seat: rules.drawing(game.view(seat), seat, "en") for seat in congress.players}
    assert len({str(one) for one in drawings.values()}) == 7
    for seat, one in drawings.items():
        known = {mark.area for mark in one.marks if getattr(mark, "value", "?") not in ("?", "1", "2")}
        assert known == set(game.state.held(seat))
    congress.send("france", "MAP")
    secretary = Secretary(congress.moderator.campaign, InlineRenderer(), width=500)
    rows = list(congress.store.dispatches(congress.game, "france"))
    assert b"image/png" in asyncio.run(secretary.write(rows[-1]))


@pytest.mark.parametrize("scenario", ["two", "three", "four", "five", "six", "seven"])
def test_every_number_of_players_can_play_a_whole_game_by_mail(tmp_path: Path, scenario: str) -> None:
    desk = Congress(f"sqlite:///{tmp_path}/{scenario}.db", scenario)
    for _ in range(60):
        if desk.live.over:
            break
        desk.all_hold()
    assert desk.live.over
    desk.store.close()
