"""Games on a board: venues, what counts where, changes of posts, and whose they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign.intake.tokens import hidden
from pbem.letters.message import Message
from pbem.letters.posted import Place
from pbem.post.forum.envelope import wrap
from pbem.post.forum.writer import marker
from tests.forum.campaign import Club
from tests.forum.memory import Topic

ORDERS = "army Poniatowski\narmy Bertrand\narmy Murat\narmy Drouot\narmy Ney"


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    made = Club(f"sqlite:///{tmp_path}/club.db")
    yield made
    made.store.close()


def asked(club: Club, game: str, seat: str) -> list[str]:
    """The questions of a seat that wait for an answer."""
    live = club.live(game)
    return [one.key for one in live.game.open_to(seat) if not live.game.answered(one.key)]


def one_order(club: Club, game: str) -> tuple[str, str, str]:
    """A seat that is asked something, its player, and a line that answers."""
    live = club.live(game)
    seat = next(seat for seat in live.seats if asked(club, game, seat))
    question = next(one for one in live.game.open_to(seat))
    answer = next(question.legal(live.game.view(seat)))
    line = "\n".join(order.text(live.rules.vocabulary, "en") for order in answer)
    return seat, {"french": "alice", "allied": "bob"}[seat], line


async def test_a_game_opens_its_thread_and_a_private_topic_for_each_player(club: Club) -> None:
    game = await club.open()
    thread = club.thread(game)
    assert "The public thread of" in thread.posts[0].text
    assert marker("x")[:5] in thread.posts[1].text
    for name in ("alice", "bob"):
        topic = club.private(game, name)
        assert topic.members == {club.forum.member(name), club.forum.member("pbem")}
        assert game in topic.title
        assert "Whoever administers this board can read it" in club.words(topic)


async def test_orders_in_private_need_no_token_and_are_answered_there(club: Club) -> None:
    game = await club.open()
    seat, name, line = one_order(club, game)
    before = club.store.game(game).answers
    said = await club.say(club.private(game, name), name, line)
    assert club.store.game(game).answers > before
    assert "Your post" in said
    assert club.private(game, name).posts[-1].author == club.forum.member("pbem")
    assert club.handled[-1].seat == seat


async def test_orders_in_the_thread_count_where_the_game_allows_it(club: Club) -> None:
    game = await club.open(orders="either")
    _, name, line = one_order(club, game)
    before = club.store.game(game).answers
    await club.say(club.thread(game), name, f"All hail!\n[orders]\n{line}\n[/orders]\nand good night")
    assert club.store.game(game).answers > before
    assert "orders read; log entry" in club.thread(game).posts[0].text


async def test_orders_in_the_thread_do_not_count_where_they_are_private(club: Club) -> None:
    game = await club.open(orders="private")
    _, name, line = one_order(club, game)
    before = club.store.game(game).answers
    said = await club.say(club.thread(game), name, f"@pbem\n{line}")
    assert club.store.game(game).answers == before
    assert "orders are given in your private topic" in said
    assert line not in club.words(club.thread(game))


async def test_orders_in_private_do_not_count_where_they_are_public(club: Club) -> None:
    game = await club.open(orders="public")
    _, name, line = one_order(club, game)
    before = club.store.game(game).answers
    said = await club.say(club.private(game, name), name, line)
    assert club.store.game(game).answers == before
    assert "orders are given in the public thread" in said


async def test_sealed_orders_are_never_taken_from_a_public_post(club: Club) -> None:
    game = await club.open("crowns", "two", seats={"france": "alice", "great_britain": "bob"})
    live = club.live(game)
    sealed = [(seat, one) for seat in live.seats for one in live.game.open_to(seat) if one.sealed]
    seat, question = sealed[0]
    answer = next(question.legal(live.game.view(seat)))
    line = "\n".join(order.text(live.rules.vocabulary, "en") for order in answer)
    name = {"france": "alice", "great_britain": "bob"}[seat]
    form = f"[[orders {game} {question.key}]]\n{line}\n[[end]]"
    said = await club.say(club.thread(game), name, f"@pbem\n{form}")
    assert not club.live(game).game.answered(question.key)
    assert "were to be sealed" in said


async def test_chat_in_the_thread_is_not_answered(club: Club) -> None:
    game = await club.open()
    assert await club.say(club.thread(game), "carol", "What a battle, what a map!") == ""
    assert await club.say(club.thread(game), "alice", "Wait for my next move, Bob.") == ""


async def test_anybody_may_ask_in_the_thread_and_is_answered_there(club: Club) -> None:
    game = await club.open()
    said = await club.say(club.thread(game), "carol", "@pbem STATUS")
    assert "Points" in said or "How things stand" in said
    assert club.thread(game).posts[-1].text in said
    said = await club.say(club.thread(game), "alice", "@pbem STATUS")
    assert club.thread(game).posts[-1].text in said


async def test_whoever_has_no_seat_cannot_order(club: Club) -> None:
    game = await club.open()
    _, _, line = one_order(club, game)
    before = club.store.game(game).answers
    said = await club.say(club.thread(game), "carol", f"@pbem\n{line}")
    assert club.store.game(game).answers == before
    assert "you have no seat in this game" in said


async def test_a_member_cannot_order_for_another(club: Club) -> None:
    game = await club.open()
    seat, name, line = one_order(club, game)
    other = {"alice": "bob", "bob": "alice"}[name]
    before = club.store.game(game).answers
    await club.say(club.private(game, other), other, line)
    await club.say(club.thread(game), other, f"@pbem\n{line}")
    assert club.store.game(game).answers == before
    assert asked(club, game, seat)


async def test_a_mail_from_a_boards_address_is_dropped(club: Club) -> None:
    game = await club.open()
    _, name, line = one_order(club, game)
    await club.say(club.private(game, name), name, "STATUS")
    topic = club.private(game, name)
    (post,) = await club.board.again(Place(str(topic.id), True), [str(topic.posts[-2].id)])
    raw = wrap("consim", club.board.facts, post, reading=0).replace(b".r0@", b".r7@") + line.encode()
    before = club.store.game(game).answers
    for source in ("imap:moderator@x/INBOX", "", "board:other"):
        handled = club.moderator.handle(Message(raw + source.encode(), source))
        assert handled.status == "ignored"
    assert club.store.game(game).answers == before
    assert not club.mail.sent


async def test_the_index_is_edited_in_place_and_says_who_is_waited_for(club: Club) -> None:
    game = await club.open()
    first = club.thread(game).posts[0]
    before = first.text
    _, name, line = one_order(club, game)
    await club.say(club.private(game, name), name, line)
    assert club.thread(game).posts[0] is first
    assert first.text != before
    assert club.live(game).affairs.shown.head in first.text
    assert "pbem audit --thread" in first.text


# Changes


async def read_then_change(club: Club, text: str, **customs: str) -> tuple[str, Topic, str]:
    game = await club.open(**customs)
    _, name, line = one_order(club, game)
    topic = club.private(game, name)
    await club.say(topic, name, line)
    post = next(one for one in reversed(topic.posts) if one.author == club.forum.member(name))
    post.text, post.edits = text, 1
    before = len(topic.posts)
    await club.round()
    return game, topic, " ".join(one.text for one in topic.posts[before:])


async def test_a_later_edit_changes_nothing_and_is_noted(club: Club) -> None:
    game, _, said = await read_then_change(club, "something else entirely")
    assert "changed after it had been read" in said
    assert "was changed after it had been read" not in club.thread(game).posts[0].text
    assert any(entry.body.get("act") == "post changed" for entry in club.store.entries(game))
    answers = club.store.game(game).answers
    await club.round()
    assert club.store.game(game).answers == answers


async def test_a_deleted_post_stands_as_it_was_read(club: Club) -> None:
    game = await club.open()
    _, name, line = one_order(club, game)
    topic = club.private(game, name)
    await club.say(topic, name, line)
    answers = club.store.game(game).answers
    post = next(one for one in reversed(topic.posts) if one.author == club.forum.member(name))
    post.gone = True
    await club.round()
    assert "counts all the same" in club.words(topic)
    assert club.store.game(game).answers == answers


async def test_a_post_of_which_nothing_was_taken_is_read_again(club: Club) -> None:
    game = await club.open()
    _, name, line = one_order(club, game)
    topic = club.private(game, name)
    await club.say(topic, name, "arny Ponitowskx to nowhere at all")
    before = club.store.game(game).answers
    post = next(one for one in reversed(topic.posts) if one.author == club.forum.member(name))
    post.text, post.edits = line, 1
    await club.round()
    assert club.store.game(game).answers > before


async def test_commands_are_never_carried_out_twice(club: Club) -> None:
    game = await club.open(edits="reread")
    topic = club.private(game, "alice")
    await club.say(topic, "alice", "PRESS TO allied\nGood evening.\nEND PRESS")
    post = next(one for one in reversed(topic.posts) if one.author == club.forum.member("alice"))
    post.text, post.edits = "PRESS TO allied\nGood evening, twice.\nEND PRESS", 1
    await club.round()
    assert "twice" not in club.words(club.private(game, "bob"))


# Sign-up


async def test_a_game_is_joined_in_the_lobby_and_confirmed_in_private(club: Club) -> None:
    await club.round()
    game = club.moderator.opening.announce("leipzig", "battle", {})
    lobby = Topic(90, "Looking for players", club.forum.member("carol"))
    club.forum.topics[90] = lobby
    said = await club.say(lobby, "alice", f"@pbem JOIN {game} french")
    assert lobby.posts[-1].text in said
    await club.say(lobby, "bob", f"@pbem\nJOIN {game}")
    for name in ("alice", "bob"):
        topic = club.private(game, name)
        assert "READY" in club.words(topic)
        await club.say(topic, name, "READY")
    assert club.store.game(game).status == "running"
    assert club.store.seats(game)["french"].address == club.account("alice")


async def test_nobody_gets_a_token_on_a_board(club: Club) -> None:
    game = await club.open()
    _, name, line = one_order(club, game)
    await club.say(club.private(game, name), name, line)
    await club.say(club.thread(game), "carol", "@pbem HELP")
    for text in club.forum.texts():
        assert hidden(text) == text


# Time


async def test_a_post_made_in_time_and_read_too_late_is_in_time(club: Club) -> None:
    from pbem.campaign.deadlines.calendar import Calendar

    game = await club.open(calendar=Calendar(zone="Europe/Paris", hours=48, reminders=(), grace=12, floor=6))
    seat, name, line = one_order(club, game)
    due = min(one.at for one in club.live(game).affairs.dues.values())
    while club.now < due - timedelta(minutes=20):
        club.now = min(due - timedelta(minutes=20), club.now + timedelta(minutes=50))
        await club.round()
    club.now = due - timedelta(minutes=1)
    club.forum.post(club.private(game, name), club.forum.member(name), line)
    club.now = due + timedelta(minutes=3)
    await club.round()
    record = club.live(game).affairs.records[seat]
    assert (record.on_time, record.late) == (1, 0)


async def test_a_board_that_is_down_stops_the_clock_of_its_players(club: Club) -> None:
    from pbem.campaign.deadlines.calendar import Calendar
    from pbem.post.forum.board import BoardTrouble
    from pbem.post.inbox import InboxTrouble

    game = await club.open(calendar=Calendar(zone="Europe/Paris", hours=48, reminders=(), grace=0, floor=6))
    due = min(one.at for one in club.live(game).affairs.dues.values())
    club.now = due - timedelta(hours=3)
    await club.round()
    club.now = due + timedelta(hours=2)
    club.forum.fail_next = [BoardTrouble("down")]
    with pytest.raises(InboxTrouble):
        await club.daemon.fetch_posts()
    club.daemon.tick()
    assert club.store.game(game).answers == 0
    await club.round()
    assert min(one.at for one in club.live(game).affairs.dues.values()) > club.now
