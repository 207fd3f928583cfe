"""What every board has to do: the same cases on each, so that a gap shows."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from pbem.letters.message import Cursor, Message
from pbem.letters.posted import Place, account_address, place_address, thread_address
from pbem.post.forum.board import Account, Board
from pbem.post.forum.reader import ForumInbox
from pbem.post.forum.writer import ForumOutlet, marker
from pbem.post.outcome import Outcome, Sent
from tests.forum.letters import MemoryLedger, index_letter, letter
from tests.forum.sites import DELETE, EDIT, LONG, MODERATE, PRIVATE, UPLOAD, Site

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
)
NAMES = iter(range(10_000))


def needs(site: Site, *what: str) -> None:
    """End the case on a board that has no such thing."""
    missing = set(what) - site.can
    if missing:
        pytest.skip(f"{site.name} has no {', '.join(sorted(missing))}")


def title(what: str = "A game") -> str:
    """A title that nobody else uses."""
    return f"{what} {time.time_ns() % 10**9}-{next(NAMES)}"


async def topic(site: Site, who: str = "pbem", text: str = "The first post of a topic.") -> Place:
    place, _ = await site.as_(who).open(title(), text, (), f"k{time.time_ns()}")
    await site.meet("pbem", place)
    return place


async def private(site: Site, who: str = "alice", text: str = "This is between you and me.") -> Place:
    """A private topic that a member has opened with us."""
    needs(site, PRIVATE)
    us = await site.us()
    place, _ = await site.as_(who).open(title("Secret"), text, [us], f"k{time.time_ns()}")
    return place


async def say(site: Site, place: Place, text: str, who: str = "alice") -> str:
    await site.meet(who, place)
    return await site.as_(who).write(place, text, f"k{time.time_ns()}")


async def now(board: Board) -> str:
    return (await board.changes("")).mark


# Reading


async def test_the_first_look_only_says_where_we_are(site: Site) -> None:
    await topic(site)
    changes = await site.robot.changes("")
    assert changes.posts == ()
    assert changes.mark


async def test_a_reply_is_told_once(site: Site) -> None:
    place = await topic(site)
    mark = await now(site.robot)
    post = await say(site, place, "Good morning to everybody here.")
    first = await site.robot.changes(mark)
    assert [one.id for one in first.posts] == [post]
    assert (await site.robot.changes(first.mark)).posts == ()


async def test_replies_come_in_their_order(site: Site) -> None:
    place = await topic(site)
    mark = await now(site.robot)
    posts = [await say(site, place, f"This is reply number {n}, to be read in order.") for n in range(4)]
    assert [one.id for one in (await site.robot.changes(mark)).posts] == posts


async def test_our_own_posts_are_not_told(site: Site) -> None:
    place = await topic(site)
    mark = await now(site.robot)
    await say(site, place, "A report of ours, which nobody asked for.", who="pbem")
    assert (await site.robot.changes(mark)).posts == ()


async def test_a_new_topic_is_told(site: Site) -> None:
    mark = await now(site.robot)
    place = await topic(site, "alice", "I open a topic of my own, and this is it.")
    (post,) = (await site.robot.changes(mark)).posts
    assert post.place == place


async def test_several_topics_at_once(site: Site) -> None:
    places = [await topic(site) for _ in range(3)]
    mark = await now(site.robot)
    posts = {await say(site, place, "A word in each of the topics here.") for place in places}
    found = (await site.robot.changes(mark)).posts
    assert {one.id for one in found} == posts
    assert {one.place for one in found} == set(places)


async def test_more_than_a_page_is_read_whole(site: Site) -> None:
    place = await topic(site)
    mark = await now(site.robot)
    posts = [await say(site, place, f"One of very many posts in here: {n}.") for n in range(33)]
    assert [one.id for one in (await site.robot.changes(mark)).posts] == posts


async def test_who_wrote_is_an_account_that_can_be_found_by_its_name(site: Site) -> None:
    place = await topic(site)
    mark = await now(site.robot)
    await say(site, place, "Who am I? Somebody should know it.")
    (post,) = (await site.robot.changes(mark)).posts
    found = await site.robot.find_account(post.name)
    assert found is not None
    assert found.id == post.author == (await site.as_("alice").account()).id


async def test_nobody_has_that_name(site: Site) -> None:
    assert await site.robot.find_account("nobody-of-that-name") is None


async def test_the_stamp_is_the_boards_own(site: Site) -> None:
    place = await topic(site)
    mark = await now(site.robot)
    await say(site, place, "What time is it, please, by the board?")
    (post,) = (await site.robot.changes(mark)).posts
    assert post.at.tzinfo is not None
    assert abs(post.at - datetime.now(UTC)) < timedelta(seconds=30)


async def test_the_text_is_what_was_written(site: Site) -> None:
    place = await topic(site)
    text = '**bold** _line_ [b]x[/b] <i>not html</i> & "quotes" -> arrow\n\n```\nMOVE Ney: Mayence -> Ulm\n```\nend'
    post = await say(site, place, text)
    (found,) = await site.robot.again(place, [post])
    assert found.raw
    assert found.text.strip() == text


async def test_accents_and_signs_survive(site: Site) -> None:
    place = await topic(site)
    text = "Prêt à Würzburg: œuvre, Łódź, Бородино, ⚔ et « guillemets »."
    post = await say(site, place, text)
    (found,) = await site.robot.again(place, [post])
    assert found.text.strip() == text


async def test_an_idle_poll_costs_the_same_however_many_topics_there_are(site: Site) -> None:
    pace = getattr(site.robot, "pace", None)
    for _ in range(2):
        await topic(site)
    mark = await now(site.robot)

    async def cost() -> int:
        before = pace.calls if pace else 0
        assert (await site.robot.changes(mark)).posts == ()
        return (pace.calls if pace else 0) - before

    few = await cost()
    for _ in range(8):
        await topic(site)
    mark = await now(site.robot)
    assert await cost() == few <= 3


# In private


async def test_a_private_topic_with_us_is_told_as_private(site: Site) -> None:
    mark = await now(site.robot)
    place = await private(site)
    (post,) = (await site.robot.changes(mark)).posts
    assert post.place == place
    assert post.place.private


async def test_a_third_member_sees_nothing_of_it(site: Site) -> None:
    needs(site, PRIVATE)
    mark = await now(site.as_("bob"))
    await private(site)
    assert (await site.as_("bob").changes(mark)).posts == ()


async def test_we_open_a_private_topic_and_its_member_answers(site: Site) -> None:
    needs(site, PRIVATE)
    alice = await site.robot.find_account((await site.as_("alice").account()).name)
    assert alice is not None
    place, first = await site.robot.open(title("Orders"), "Your orders, please, in here.", [alice], "k")
    assert place.private
    assert first
    mark = await now(site.robot)
    post = await say(site, place, "Here they are: nobody moves today.")
    assert [one.id for one in (await site.robot.changes(mark)).posts] == [post]


async def test_a_private_topic_opens_by_the_accounts_id_alone(site: Site) -> None:
    needs(site, PRIVATE)
    alice = await site.as_("alice").account()
    mark = await now(site.as_("alice"))
    place, _ = await site.robot.open(
        title("Orders"), "For you, whatever you are called.", [Account(alice.id, "")], "k"
    )
    (post,) = (await site.as_("alice").changes(mark)).posts
    assert post.place == place


# Changes


async def test_an_edit_shows_when_the_post_is_looked_at_again(site: Site) -> None:
    needs(site, EDIT)
    place = await topic(site)
    post = await say(site, place, "MOVE Ney to Leipzig, and quickly.")
    await site.robot.again(place, [post])
    await site.as_("alice").rewrite(place, post, "MOVE Ney to Dresden, but slowly.")
    (found,) = await site.robot.again(place, [post])
    assert found.text.strip() == "MOVE Ney to Dresden, but slowly."
    assert found.editor in ("", found.author)


async def test_a_deleted_post_is_gone(site: Site) -> None:
    needs(site, DELETE)
    place = await topic(site)
    post = await say(site, place, "I wish that I had never said this.")
    await say(site, place, "Something else is said in here as well.")
    await site.delete(place, post, "alice")
    (found,) = await site.robot.again(place, [post])
    assert found.gone


async def test_what_a_moderator_has_changed_is_told(site: Site) -> None:
    needs(site, MODERATE)
    place = await topic(site)
    post = await say(site, place, "MOVE Ney to Leipzig, and quickly.")
    await site.moderate(place, post, "MOVE Ney to Dresden, says the warden.")
    (found,) = await site.robot.again(place, [post])
    assert found.editor not in ("", found.author)


# Writing


async def test_what_we_write_stands_there(site: Site) -> None:
    place = await topic(site)
    post = await say(site, place, "The report of the third turn.", who="pbem")
    (found,) = await site.robot.again(place, [post])
    assert found.text.strip() == "The report of the third turn."
    assert found.author == (await site.robot.account()).id


async def test_others_read_what_we_write(site: Site) -> None:
    place = await topic(site)
    await site.meet("alice", place)
    mark = await now(site.as_("alice"))
    post = await say(site, place, "The report of the fourth turn.", who="pbem")
    assert [one.id for one in (await site.as_("alice").changes(mark)).posts] == [post]


async def test_a_post_of_ours_is_edited_in_place(site: Site) -> None:
    needs(site, EDIT)
    place, first = await site.robot.open(title(), "Index: turn 1, the French to act.", (), "k")
    await say(site, place, "A word between the two versions.")
    await site.robot.rewrite(place, first, "Index: turn 2, the Allies to act.")
    (found,) = await site.robot.again(place, [first])
    assert found.text.strip() == "Index: turn 2, the Allies to act."


async def test_the_top_is_the_last_post(site: Site) -> None:
    place = await topic(site)
    post = await say(site, place, "This is the last post so far.")
    assert await site.robot.top(place) == post


async def test_a_long_report_fits(site: Site) -> None:
    needs(site, LONG)
    place = await topic(site)
    length = min(site.robot.facts.longest, 16_000) - 200
    text = ("The army marches on. " * 1000)[:length].strip()
    post = await say(site, place, text, who="pbem")
    (found,) = await site.robot.again(place, [post])
    assert len(found.text.strip()) == len(text)


async def test_a_picture_can_be_shown(site: Site) -> None:
    needs(site, UPLOAD)
    place = await topic(site)
    where = await site.robot.upload(place, "map.png", PNG)
    assert where
    post = await say(site, place, f"The map of the turn:\n\n![map]({where})", who="pbem")
    (found,) = await site.robot.again(place, [post])
    assert where in found.text


async def test_the_same_key_writes_once_where_the_board_knows_keys(site: Site) -> None:
    if not site.robot.facts.idempotent:
        pytest.skip(f"{site.name} knows no keys")
    place = await topic(site)
    first = await site.robot.write(place, "A report that is sent twice.", "same-key")
    assert await site.robot.write(place, "A report that is sent twice.", "same-key") == first


# Finding


async def test_our_post_is_found_by_its_marker(site: Site) -> None:
    place = await topic(site)
    floor = await site.robot.top(place)
    mark = marker(f"<{time.time_ns()}@x>")
    post = await say(site, place, f"A report with a footer.\n\n`{mark}`", who="pbem")
    await say(site, place, "Thank you, moderator, well done.")
    assert await site.robot.find(place, mark, floor) == post


async def test_it_is_found_behind_more_than_a_page_of_other_posts(site: Site) -> None:
    place = await topic(site)
    floor = await site.robot.top(place)
    mark = marker(f"<{time.time_ns()}@x>")
    post = await say(site, place, f"A report with a footer.\n\n`{mark}`", who="pbem")
    for n in range(33):
        await say(site, place, f"Chat, chat and chat again: number {n}.")
    assert await site.robot.find(place, mark, floor) == post


async def test_what_was_never_posted_is_not_found(site: Site) -> None:
    place = await topic(site)
    floor = await site.robot.top(place)
    await say(site, place, "Somebody else says something here.")
    assert await site.robot.find(place, marker("<never@x>"), floor) == ""


async def test_a_marker_in_somebody_elses_post_is_not_ours(site: Site) -> None:
    place = await topic(site)
    floor = await site.robot.top(place)
    mark = marker(f"<{time.time_ns()}@x>")
    await say(site, place, f"I can write that, too: `{mark}`, see?")
    assert await site.robot.find(place, mark, floor) == ""


async def test_a_topic_of_ours_is_found_by_its_title(site: Site) -> None:
    name = title()
    place, first = await site.robot.open(name, "The first post of a topic.", (), "k")
    await topic(site)
    assert await site.robot.find_topic(name, private=False) == (place, first)
    assert await site.robot.find_topic(title("Not opened"), private=False) is None


async def test_a_private_topic_of_ours_is_found_by_its_title(site: Site) -> None:
    needs(site, PRIVATE)
    name = title("Orders")
    place, first = await site.robot.open(
        name, "Your orders, please, in here.", [await site.as_("alice").account()], "k"
    )
    assert await site.robot.find_topic(name, private=True) == (place, first)
    assert await site.robot.find_topic(title("Not opened"), private=True) is None


# As a source of letters


class Reading:
    """A reader with a clock of its own, and the mark that it would have in the store."""

    def __init__(self, site: Site, settle: float = 120.0) -> None:
        self.ahead = 0.0
        self.site, self.settle, self.mark = site, settle, ""
        self.inbox = self._inbox()

    def _inbox(self) -> ForumInbox:
        return ForumInbox(
            self.site.robot, settle=self.settle, rescan=0, clock=lambda: time.time() + self.ahead
        )

    def restart(self) -> None:
        self.inbox = self._inbox()

    async def poll(self) -> list[Message]:
        found = [one async for one in self.inbox.letters(Cursor(mark=self.mark))]
        self.mark = self.inbox.mark
        return found


async def test_a_post_is_read_when_it_has_settled(site: Site) -> None:
    reading = Reading(site)
    place = await topic(site)
    await reading.poll()
    await say(site, place, "@pbem MOVE Ney to Leipzig, please.")
    assert await reading.poll() == []
    reading.ahead = 130
    (found,) = await reading.poll()
    assert b"MOVE Ney to Leipzig" in found.raw
    assert await reading.poll() == []


async def test_what_is_put_right_before_it_settles_is_read_as_put_right(site: Site) -> None:
    needs(site, EDIT)
    reading = Reading(site)
    place = await topic(site)
    await reading.poll()
    post = await say(site, place, "@pbem MOVE Ney to Lepizig, please.")
    assert await reading.poll() == []
    await site.as_("alice").rewrite(place, post, "@pbem MOVE Ney to Leipzig, please.")
    reading.ahead = 130
    (found,) = await reading.poll()
    assert b"Leipzig" in found.raw
    assert b"Lepizig" not in found.raw


async def test_a_post_and_its_change_in_one_round_are_one_letter(site: Site) -> None:
    needs(site, EDIT)
    reading = Reading(site, settle=0)
    place = await topic(site)
    await reading.poll()
    post = await say(site, place, "@pbem MOVE Ney to Lepizig, please.")
    await site.as_("alice").rewrite(place, post, "@pbem MOVE Ney to Leipzig, please.")
    (found,) = await reading.poll()
    assert b"Leipzig" in found.raw
    assert b"Lepizig" not in found.raw
    assert await reading.poll() == []


async def test_ready_needs_no_settling(site: Site) -> None:
    reading = Reading(site)
    place = await topic(site)
    await reading.poll()
    await say(site, place, "@pbem my orders are these:\nMOVE Ney to Leipzig\nREADY")
    (found,) = await reading.poll()
    assert b"READY" in found.raw


async def test_at_a_deadline_nothing_waits(site: Site) -> None:
    reading = Reading(site)
    place = await topic(site)
    await reading.poll()
    await say(site, place, "@pbem MOVE Ney to Leipzig, just in time.")
    reading.inbox.hurry = True
    (found,) = await reading.poll()
    assert b"just in time" in found.raw


async def test_chat_is_not_for_us(site: Site) -> None:
    reading = Reading(site, settle=0)
    place = await topic(site)
    await reading.poll()
    await say(site, place, "What a fine day for a battle, pbem!")
    assert await reading.poll() == []


async def test_a_block_of_orders_is_for_us(site: Site) -> None:
    reading = Reading(site, settle=0)
    place = await topic(site)
    await reading.poll()
    await say(site, place, "I say nothing more.\n[orders]\nMOVE Ney to Leipzig\n[/orders]")
    assert len(await reading.poll()) == 1


async def test_in_private_everything_is_for_us(site: Site) -> None:
    reading = Reading(site, settle=0)
    place = await private(site)
    await reading.poll()
    await say(site, place, "MOVE Ney to Leipzig, and keep it quiet.")
    (found,) = await reading.poll()
    assert place_address("consim", place).split("@")[0].encode() in found.raw


async def test_an_edit_after_reading_is_told_once(site: Site) -> None:
    needs(site, EDIT)
    reading = Reading(site, settle=0)
    place = await topic(site)
    await reading.poll()
    post = await say(site, place, "@pbem MOVE Ney to Leipzig, please.")
    assert len(await reading.poll()) == 1
    await site.as_("alice").rewrite(place, post, "@pbem MOVE Ney to Dresden, please.")
    (found,) = await reading.poll()
    assert b"X-Pbem-Change: edited\n" in found.raw
    assert b".r1@" in found.raw
    assert await reading.poll() == []


async def test_a_deletion_after_reading_is_told_once(site: Site) -> None:
    needs(site, DELETE)
    reading = Reading(site, settle=0)
    place = await topic(site)
    await reading.poll()
    post = await say(site, place, "@pbem MOVE Ney to Leipzig, please.")
    await say(site, place, "Whatever he says, I shall be there.", who="bob")
    assert len(await reading.poll()) == 1
    await site.delete(place, post, "alice")
    (found,) = await reading.poll()
    assert b"X-Pbem-Change: deleted" in found.raw
    assert await reading.poll() == []


async def test_what_a_moderator_wrote_into_a_post_is_nobodys_orders(site: Site) -> None:
    needs(site, MODERATE)
    reading = Reading(site)
    place = await topic(site)
    await reading.poll()
    post = await say(site, place, "@pbem MOVE Ney to Leipzig, please.")
    await site.moderate(place, post, "@pbem MOVE Ney to Dresden, please.")
    reading.ahead = 130
    assert await reading.poll() == []
    assert await reading.poll() == []


async def test_a_restart_reads_nothing_twice_and_misses_nothing(site: Site) -> None:
    reading = Reading(site)
    place = await topic(site)
    await reading.poll()
    await say(site, place, "@pbem the first of two, READY\nREADY")
    assert len(await reading.poll()) == 1
    await say(site, place, "@pbem the second of two, not settled.")
    await reading.poll()
    reading.restart()
    reading.ahead = 130
    (found,) = await reading.poll()
    assert b"the second of two" in found.raw


# As an outlet


async def send(site: Site, raw: bytes, address: str, ledger: MemoryLedger) -> Outcome:
    outlet = ForumOutlet(site.robot, ledger)
    return await outlet.send(raw, "moderator@pbem.test", [address])


async def count(site: Site, place: Place, mark: str) -> int:
    """How many posts of a topic carry a marker, as another member finds them."""
    found = await site.robot.find(place, mark, "")
    posts = 0
    while found and posts < 9:
        posts += 1
        (post,) = await site.robot.again(place, [found])
        await site.robot.rewrite(place, found, post.text.replace(mark, "counted, this one"))
        found = await site.robot.find(place, mark, "")
    return posts


async def test_a_letter_becomes_a_post(site: Site) -> None:
    place = await topic(site)
    name = f"<leipzig-1.thread.1.{time.time_ns():x}@h>"
    raw = letter(name, place_address("consim", place), "The report of the turn.")
    outcome = await send(site, raw, place_address("consim", place), MemoryLedger())
    assert isinstance(outcome, Sent)
    (post,) = await site.robot.again(place, [outcome.response])
    assert "The report of the turn." in post.text
    assert marker(name) in post.text


async def test_after_a_crash_the_letter_is_not_posted_again(site: Site) -> None:
    needs(site, EDIT)
    place, ledger = await topic(site), MemoryLedger()
    name = f"<leipzig-1.thread.1.{time.time_ns():x}@h>"
    raw, address = letter(name, place_address("consim", place), "A report."), place_address("consim", place)
    first = await send(site, raw, address, ledger)
    for n in range(33):
        await say(site, place, f"More than a page of other posts: {n}.")
    assert await send(site, raw, address, ledger) == first
    assert await count(site, place, marker(name)) == 1


async def test_a_letter_begun_and_never_posted_is_posted(site: Site) -> None:
    place, ledger = await topic(site), MemoryLedger()
    name = f"<leipzig-1.thread.1.{time.time_ns():x}@h>"
    ledger.note_floor(name, await site.robot.top(place))
    raw, address = letter(name, place_address("consim", place), "A report."), place_address("consim", place)
    assert isinstance(await send(site, raw, address, ledger), Sent)
    assert await site.robot.find(place, marker(name), "")


async def test_a_seats_topic_is_opened_once(site: Site) -> None:
    needs(site, PRIVATE)
    ledger, stamp = MemoryLedger(), time.time_ns()
    alice = await site.as_("alice").account()
    address = account_address("consim", alice.id)
    for n in (1, 2):
        name = f"<g{stamp}.french.{n}.{n:x}@h>"
        raw = letter(name, address, f"Report {n} to the French.", title=f"Orders {stamp}")
        assert isinstance(await send(site, raw, address, ledger), Sent)
    home = ledger.home("consim", f"g{stamp}", alice.id)
    assert home is not None
    assert home.place.private
    assert await site.robot.find(home.place, marker(f"<g{stamp}.french.2.2@h>"), "")


async def test_a_crash_after_opening_a_topic_opens_no_second(site: Site) -> None:
    needs(site, PRIVATE)
    ledger, stamp = MemoryLedger(), time.time_ns()
    address = account_address("consim", (await site.as_("alice").account()).id)
    name = f"<g{stamp}.french.1.1@h>"
    raw = letter(name, address, "Report 1 to the French.", title=f"Orders {stamp}")
    first = await send(site, raw, address, ledger)
    ledger.homes.clear()
    mark = await now(site.as_("alice"))
    assert await send(site, raw, address, ledger) == first
    assert (await site.as_("alice").changes(mark)).posts == ()


async def test_a_thread_begins_with_its_index(site: Site) -> None:
    needs(site, EDIT)
    ledger, stamp = MemoryLedger(), time.time_ns()
    address = thread_address("consim")
    report = letter(f"<g{stamp}.thread.1.1@h>", address, "The first report.", title=f"Thread {stamp}")
    index = index_letter(f"<g{stamp}.thread.0.2@h>", address, "Index: turn 1.", title=f"Thread {stamp}")
    assert isinstance(await send(site, report, address, ledger), Sent)
    assert isinstance(await send(site, index, address, ledger), Sent)
    assert isinstance(await send(site, index, address, ledger), Sent)
    home = ledger.home("consim", f"g{stamp}", "thread")
    assert home is not None
    (first,) = await site.robot.again(home.place, [home.first])
    assert first.text.strip() == "Index: turn 1."
    found = await site.robot.find(home.place, marker(f"<g{stamp}.thread.1.1@h>"), "")
    assert found != home.first


async def test_a_picture_goes_along(site: Site) -> None:
    needs(site, UPLOAD)
    place = await topic(site)
    name = f"<leipzig-1.thread.1.{time.time_ns():x}@h>"
    address = place_address("consim", place)
    raw = letter(name, address, "The map:\n\n![map](cid:map)", picture=PNG)
    outcome = await send(site, raw, address, MemoryLedger())
    assert isinstance(outcome, Sent)
    (post,) = await site.robot.again(place, [outcome.response])
    assert "cid:" not in post.text
    assert "![map](" in post.text
