"""By when: at the top of every letter that asks for orders, in its form, in its subject, in the reader's own time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.campaign.commands.game_master.by_host import by_host
from pbem.campaign.deadlines.calendar import BadCalendar, Calendar, read_calendar, read_span
from pbem.campaign.table.overview import overview
from pbem.reports.catalogue import catalogue
from pbem.reports.dates import short, zone_named
from tests.campaign.conftest import Desk

ADDRESSES = {"french": "anne@pbem.test", "allied": "bob@pbem.test"}


def subject(desk: Desk, seat: str) -> str:
    """The subject of the last letter to a seat, without the game and the moment."""
    return str(desk.received[ADDRESSES[seat]][-1]["Subject"]).partition("] ")[2]


def entry(desk: Desk, seat: str) -> str:
    """The calendar entry of the last letter to a seat; empty where it has none."""
    for part in desk.received[ADDRESSES[seat]][-1].iter_attachments():
        if part.get_content_type() == "text/calendar":
            content: str = part.get_content()
            return content.replace("\r\n ", "").replace("\n ", "")
    return ""


def test_the_first_letter_says_by_when_and_what_deadlines_mean(timed: Desk) -> None:
    words = timed.words("french")
    due = "due by Saturday 3 January 2026, 13:00 (Europe/Paris)"
    assert words.index(f"Your orders are {due}.") < words.index("Welcome, Anne")
    assert words.index(f"YOUR ORDERS ----------- D{due[1:]}") > words.index("Welcome, Anne")
    assert "Deadlines: 48 hours for each decision (Europe/Paris)." in words
    assert "up to 12 hours after it are late, but still taken" in words


def test_whoever_is_asked_reads_the_deadline_first_and_in_the_subject(timed: Desk) -> None:
    timed.send("french", "1")
    timed.send("french", "time")
    hand = timed.live.game.state.hands["french"]
    assert hand
    timed.pass_time(days=3)
    timed.restart()
    letters = [message for box in timed.received.values() for message in box]
    asking = [message for message in letters if "[[" in message.get_body(("plain",)).get_content()]
    assert asking
    for message in asking:
        text = message.get_body(("plain",)).get_content().replace("\r\n", "\n")
        top = text[text.index("=====") :].split("\n\n")[1]
        assert top.startswith(("Your orders are", "Vos ordres sont")), text[:400]
        assert "2026" in text[text.index("[[") - 500 : text.index("[[")]


def test_the_other_learns_by_when_in_his_own_language_and_subject(timed: Desk) -> None:
    timed.send("french", "1")
    assert subject(timed, "french") == "t1: orders accepted; the next are due Sat 13:01"
    timed.send("french", "draw pile\ndraw pile\n3x draw pile")
    assert subject(timed, "french").startswith("t1: ")
    timed.pass_time(hours=43)
    assert subject(timed, "french") == "t1: reminder: orders due Sat 13:02"


def test_a_late_letter_says_until_when_it_still_counts(timed: Desk) -> None:
    timed.pass_time(hours=49)
    assert subject(timed, "french") == "t1: your orders are late: last chance Sun 01:00"
    assert "they are still taken until Sunday 4 January 2026, 01:00 (Europe/Paris)" in timed.words("french")
    timed.send("french", "STATUS")
    assert "Your orders are late; they are still taken until Sunday" in timed.words("french")


def test_everybody_reads_times_as_his_own_clock_shows_them(timed: Desk) -> None:
    timed.send("french", "ZONE new york")
    assert "the time of America/New_York" in timed.words("french")
    assert "due by Saturday 3 January 2026, 07:00 (America/New_York)" in timed.words("french")
    timed.restart()
    timed.pass_time(hours=43)
    assert "due by Saturday 3 January 2026, 07:00 (America/New_York)" in timed.words("french")
    timed.send("allied", "FUSEAU Montréal")
    assert "à l'heure de America/Montreal" in timed.words("allied")
    timed.send("allied", "ÉTAT")
    assert "attendus avant samedi 3 janvier 2026 à 07:00 (America/Montreal)" in timed.words("allied")
    timed.send("french", "ZONE ../../etc/passwd")
    assert "I know no time zone «" in timed.words("french")
    timed.send("french", "ZONE")
    assert "the time of America/New_York" in timed.words("french")


def test_deadlines_go_into_a_calendar_where_that_is_wanted(timed: Desk) -> None:
    timed.send("french", "STATUS")
    assert entry(timed, "french") == ""
    timed.send("french", "calendar on")
    first = entry(timed, "french")
    assert "BEGIN:VEVENT" in first
    assert "DTSTART:20260103T120000Z" in first
    assert "TRIGGER:-P1D" in first
    timed.send("french", "1")
    second = entry(timed, "french")
    uid = next(line for line in first.splitlines() if line.startswith("UID:"))
    assert uid in second
    assert "DTSTART:20260103T120000Z" not in second
    timed.send("french", "CALENDAR OFF")
    assert entry(timed, "french") == ""
    timed.send("allied", "calendrier oui")
    assert "votre agenda" in timed.words("allied")


def test_a_game_without_deadlines_says_so_and_gets_them_by_a_word_of_its_master(desk: Desk) -> None:
    assert "Deadlines: none. Nothing is ever due" in desk.words("french")
    assert "Your orders are due" not in desk.words("french")
    assert by_host(desk.moderator.campaign, desk.game, "DEADLINE 2d the players asked").good
    desk.deliver()
    assert "48 hours for each decision. The first is Saturday 3 January 2026, 20:00 (UTC)" in desk.words(
        "french"
    )
    assert "Your orders are due by Saturday 3 January 2026, 20:00 (UTC)." in desk.words("french")
    assert "Raison : the players asked" in desk.words("allied")
    assert by_host(desk.moderator.campaign, desk.game, "DEADLINE 24h").good
    desk.deliver()
    assert "to 24 hours, from the next decision on" in desk.words("french")
    assert not by_host(desk.moderator.campaign, desk.game, "DEADLINE soon").good
    desk.pass_time(days=4)
    assert desk.answers() > 0


def test_the_host_sees_whom_each_game_waits_for_since_when_and_until_when(timed: Desk) -> None:
    seen = overview(timed.store, timed.store.game(timed.game))
    assert (seen.moment, [(one.name, one.until) for one in seen.waits]) == (
        "t1",
        [("Anne", "Sat 03 Jan 13:00")],
    )
    game = timed.moderator.opening.announce("leipzig", "battle", {})
    assert overview(timed.store, timed.store.game(game)).missing == "2 more to join"


def test_a_calendar_says_which_fields_there_are() -> None:
    assert read_calendar('zone = "Europe/Paris"\nhours = 24\n') == Calendar(zone="Europe/Paris", hours=24)
    with pytest.raises(BadCalendar, match=r"hour.*; the fields are zone, hours, phases, snap, barred"):
        read_calendar("hour = 24")
    with pytest.raises(BadCalendar):
        read_calendar("hours = ")


SPANS = {"48": 48, "48h": 48, "3d": 72, "2 jours": 48, "soon": None, "0h": None, "99d": None}
ZONES = {
    "Europe/Paris": "Europe/Paris",
    "paris": "Europe/Paris",
    "utc": "UTC",
    "São Paulo": "America/Sao_Paulo",
    "Ulm": "",
    "": "",
}


@pytest.mark.parametrize(("text", "hours"), SPANS.items())
def test_spans_of_time(text: str, hours: int | None) -> None:
    assert read_span(text) == hours


@pytest.mark.parametrize(("text", "zone"), ZONES.items())
def test_time_zones_by_their_cities(text: str, zone: str) -> None:
    assert zone_named(text) == zone


def test_a_date_far_off_is_named_in_a_subject_by_its_day(timed: Desk) -> None:
    later = timed.now + timedelta(days=20)
    assert short(catalogue("en"), later, "UTC", timed.now) == "Wed 21 Jan"
    assert short(catalogue("fr"), later, "UTC", timed.now) == "mer. 21 janv."
