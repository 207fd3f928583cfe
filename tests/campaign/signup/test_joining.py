"""Sign-up by letter: announced, joined with wishes, assigned, mustered, begun; and everything that can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.campaign.commands.game_master import acts
from pbem.campaign.deadlines.calendar import Calendar, Refused
from pbem.campaign.intake.moderator import BadGame, Handled, Player
from pbem.campaign.signup.joining import best_assignment
from pbem.campaign.table.transaction import Turn
from pbem.dice.audit.audit import audit_file
from pbem.dice.beacon.rounds import QUICKNET, Source
from pbem.dice.draw.streams import salt_beacon, shuffle
from tests.campaign.conftest import ADDRESS, Desk
from tests.campaign.deadlines.test_deadlines import bounce


class Hall(Desk):
    """A desk at which strangers write."""

    def write(self, sender: str, text: str, *, to: str = ADDRESS, name: str = "") -> Handled:
        self.letters += 1
        raw = (
            f"From: {name} <{sender}>\r\nTo: {to}\r\nSubject: hello\r\nMessage-ID: <{self.letters}@s.test>\r\n"
            f'MIME-Version: 1.0\r\nContent-Type: text/plain; charset="utf-8"\r\n'
            f"Content-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
        )
        return self.hand_in(raw.encode())

    def reply(self, sender: str, text: str) -> Handled:
        """Reply to the last letter, wherever it says."""
        return self.write(sender, text, to=str(self.kept[sender]["Reply-To"]))

    def deliver(self, keep: bool = False) -> None:
        super().deliver(keep)
        self.kept = getattr(self, "kept", {}) | {
            address: messages[-1] for address, messages in self.received.items()
        }


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(f"sqlite:///{tmp_path}/hall.db")
    yield made
    made.store.close()


def announce(hall: Hall, **how: object) -> str:
    return hall.moderator.opening.announce("leipzig", "battle", {}, calendar=Calendar(hours=48), **how)  # type: ignore[arg-type]


def observe(hall: Hall, address: str, game: str) -> None:
    """Somebody asks to look on, and answers the letter that asks whether it was he."""
    assert (
        hall.write(address, f"JOIN {game} observer", name=address.partition("@")[0].title()).status == "done"
    )
    assert "Reply READY" in hall.words(address)
    assert hall.reply(address, "ready").status == "done"


def test_from_join_to_the_first_letters(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", "LIST")
    assert f"JOIN {game}" in hall.words("carl@x.test")
    assert hall.write("carl@x.test", f"JOIN {game} french, allied", name="Carl").status == "done"
    assert "Players still missing: 1" in hall.words("carl@x.test")
    hall.write("dora@x.test", f"Rejoindre {game} français\nmerci bonjour", name="Dora")
    assert "vous avez la place Napoléon" in hall.words("dora@x.test")
    assert "READY by" in hall.words("carl@x.test")
    assert "PRÊT avant" in hall.words("dora@x.test")
    assert "carl@x.test" not in hall.text("dora@x.test")
    assert hall.reply("carl@x.test", "ready").status == "done"
    assert "is confirmed" in hall.words("carl@x.test")
    assert hall.store.game(game).status == "open"
    assert hall.reply("dora@x.test", "prêt").status == "done"
    assert hall.store.game(game).status == "running"
    assert "Welcome, Carl. You play Schwarzenberg" in hall.words("carl@x.test")
    assert "Bienvenue, Dora" in hall.words("dora@x.test")
    hall.game = game
    assert hall.store.next_game_at() is not None
    assert hall.reply("dora@x.test", "1").status == "done"
    assert hall.store.game(game).answers > 0


def test_whoever_does_not_confirm_is_struck_off_and_the_place_is_open_again(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game}")
    hall.write("dora@x.test", f"JOIN {game}")
    hall.reply("carl@x.test", "READY")
    old = str(hall.kept["dora@x.test"]["Reply-To"])
    hall.pass_time(hours=80)
    assert hall.text("dora@x.test") == "", (
        "she has never answered: nobody knows whether it was she who joined"
    )
    assert "You stay on the list" in hall.words("carl@x.test")
    assert hall.write("dora@x.test", "READY", to=old).status == "unknown"
    hall.write("emil@x.test", f"JOIN {game}")
    hall.reply("carl@x.test", "READY")
    hall.reply("emil@x.test", "READY")
    assert hall.store.game(game).status == "running"
    assert {row.address for row in hall.store.seats(game).values()} == {"carl@x.test", "emil@x.test"}


def test_a_seat_can_be_given_up_before_the_game_begins(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game}")
    hall.write("dora@x.test", f"JOIN {game}")
    hall.reply("dora@x.test", "what is this?")
    assert "READY to confirm" in hall.words("dora@x.test")
    hall.reply("carl@x.test", "READY")
    hall.reply("dora@x.test", "RESIGN")
    assert "you are off the list" in hall.words("dora@x.test")
    assert "You stay on the list" in hall.words("carl@x.test")


def test_by_invitation(hall: Hall) -> None:
    game = announce(hall, invited=["carl@x.test", "dora@x.test"])
    hall.deliver()
    assert f"Reply JOIN {game}" in hall.words("carl@x.test")
    assert hall.write("emil@x.test", f"JOIN {game}").status == "refused"
    assert "by invitation" in hall.words("emil@x.test")
    hall.write("emil@x.test", "LIST")
    assert game not in hall.text("emil@x.test")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("JOIN nowhere-7", "which game you mean"),
        ("JOIN {game} turkish", "no seat «turkish»"),
        ("JOIN leipzig-1", "by invitation only"),
        ("JOIN leipzig-1 observer", "by invitation only"),
    ],
)
def test_joins_that_are_refused(hall: Hall, text: str, words: str) -> None:
    game = announce(hall)
    hall.write("carl@x.test", text.format(game=game))
    assert words in hall.words("carl@x.test")
    assert hall.store.game(game).status == "open"


def test_a_bare_join_means_the_only_open_game(hall: Hall) -> None:
    announce(hall)
    hall.write("carl@x.test", "join")
    assert "You have joined" in hall.words("carl@x.test")
    hall.write("carl@x.test", "join")
    assert "Players still missing: 1" in hall.words("carl@x.test")


def test_observers_see_the_public_side_only(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game}")
    hall.write("dora@x.test", f"JOIN {game}")
    hall.reply("carl@x.test", "ready")
    hall.reply("dora@x.test", "ready")
    observe(hall, "otto@x.test", game)
    assert "You are observer of" in hall.words("otto@x.test")
    hall.reply("otto@x.test", "status\nhistory\ndraw pile\nabsent 2026-02-01")
    assert "HOW THINGS STAND" in hall.text("otto@x.test")
    assert "ABSENT is for players" in hall.words("otto@x.test")


def test_an_observer_leaves_and_the_place_stays_empty(hall: Hall) -> None:
    game = announce(hall)
    for who in ("carl@x.test", "dora@x.test"):
        hall.write(who, f"JOIN {game}")
    for who in ("carl@x.test", "dora@x.test"):
        hall.reply(who, "ready")
    observe(hall, "otto@x.test", game)
    old = str(hall.kept["otto@x.test"]["Reply-To"])
    hall.reply("carl@x.test", "LEAVE")
    assert "LEAVE is for observers" in hall.words("carl@x.test")
    hall.reply("otto@x.test", "QUITTER")
    assert f"You have left {game}" in hall.words("otto@x.test")
    assert hall.write("otto@x.test", "status", to=old).status == "unknown"
    hall.restart()
    observe(hall, "pia@x.test", game)
    assert "You are observer of" in hall.words("pia@x.test")
    assert set(hall.store.seats(game)) == {"french", "allied", "observer1", "observer2"}
    assert hall.write("otto@x.test", "status", to=old).status == "unknown"
    hall.reply("carl@x.test", f"resign {game}")
    assert hall.text("otto@x.test") == ""
    assert "game is over" in hall.words("pia@x.test")


def test_a_replacement_joins_a_wanted_seat(timed: Desk) -> None:
    vacate(timed, public=True)
    assert hand_in(timed, "Carl <carl@x.test>", "JOIN leipzig-1").status == "done"
    asked = timed.received["carl@x.test"][0]
    assert "take the seat Napoléon" in timed.words("carl@x.test")
    assert hand_in(timed, "Carl <carl@x.test>", "READY", to=str(asked["Reply-To"])).status == "done"
    assert "Welcome, Carl" in timed.words("carl@x.test")
    assert "Somebody else plays your seat" in timed.words("french")
    assert timed.live.affairs.wanted == []


def vacate(desk: Desk, *, public: bool = False, invited: tuple[str, ...] = ()) -> None:
    """The French seat is vacant, and the game looks for somebody."""
    with desk.store.journal(desk.game, desk.now) as journal:
        affairs = desk.moderator.tables.table(desk.game, journal).affairs
        affairs.public, affairs.invited = public, list(invited)
        journal.update(data=affairs)
    desk.hand_in(bounce(desk, "anne@pbem.test"))
    desk.pass_time(days=8)
    assert desk.live.affairs.wanted == ["french"]
    assert desk.live.affairs.public is public


def hand_in(desk: Desk, sender: str, text: str, to: str = ADDRESS) -> Handled:
    desk.letters += 1
    head = f"From: {sender}\r\nTo: {to}\r\nSubject: x\r\nMessage-ID: <{desk.letters}@h.test>\r\n"
    return desk.hand_in(f"{head}\r\n{text}\r\n".encode())


@pytest.mark.parametrize("text", ["JOIN leipzig-1", "JOIN leipzig-1 french", "JOIN leipzig-1 observer"])
def test_a_vacant_seat_of_a_private_game_is_nobodys_business(timed: Desk, text: str) -> None:
    vacate(timed)
    hand_in(timed, "carl@x.test", "LIST")
    assert "leipzig-1" not in timed.words("carl@x.test")
    assert hand_in(timed, "carl@x.test", text).status == "refused"
    assert "by invitation only" in timed.words("carl@x.test")


def test_a_vacant_seat_of_a_private_game_goes_to_whoever_was_invited(timed: Desk) -> None:
    vacate(timed, invited=("carl@x.test",))
    hand_in(timed, "carl+games@x.test", "LIST")
    assert "JOIN leipzig-1" in timed.words("carl+games@x.test")
    assert hand_in(timed, "dora@x.test", "JOIN leipzig-1").status == "refused"
    assert hand_in(timed, "carl@x.test", "JOIN leipzig-1").status == "done"
    asked = timed.received["carl@x.test"][0]
    assert hand_in(timed, "dora@x.test", "READY", to=str(asked["Reply-To"])).status == "unknown"
    assert hand_in(timed, "carl@x.test", "READY", to=str(asked["Reply-To"])).status == "done"
    assert timed.live.seats["french"].address == "carl@x.test"


@pytest.mark.parametrize(
    ("field", "address", "joins"),
    [
        ("second", "bob2@x.test", "bob2@x.test"),
        ("second", "bob2@x.test", "bob2+other@x.test"),
        ("substitute", "friend@x.test", "Friend@X.test"),
        ("", "", "bob+french@pbem.test"),
    ],
)
def test_nobody_takes_the_enemys_seat_from_another_address_of_his(
    timed: Desk, field: str, address: str, joins: str
) -> None:
    vacate(timed, public=True)
    if field:
        with timed.store.journal(timed.game, timed.now) as journal:
            live = timed.moderator.tables.table(timed.game, journal)
            person = live.person("allied")
            setattr(person, field, address)
            journal.set_seat(live.change_person("allied", person))
    assert hand_in(timed, joins, "JOIN leipzig-1 french").status == "refused"
    assert timed.live.affairs.wanted == ["french"]


def test_nobody_takes_a_seat_who_has_played_the_other(timed: Desk) -> None:
    """Bob gives his seat to Carl; then the French seat is vacant, and he would like that."""
    with timed.store.journal(timed.game, timed.now) as journal:
        turn = Turn(
            timed.moderator.campaign, journal, timed.moderator.tables.table(timed.game, journal), None
        )
        acts.replace(turn, "host", "allied", "carl@x.test")
        turn.write()
    vacate(timed, public=True)
    assert hand_in(timed, "bob@pbem.test", "JOIN leipzig-1 french").status == "refused"
    assert "lettres d'un autre camp" in timed.words("bob@pbem.test")
    with timed.store.journal(timed.game, timed.now) as journal:
        turn = Turn(
            timed.moderator.campaign, journal, timed.moderator.tables.table(timed.game, journal), None
        )
        with pytest.raises(Refused, match="address_has_seen"):
            acts.replace(turn, "host", "french", "Bob+again@pbem.test")


def test_start_begins_with_whoever_is_there_or_says_who_is_missing(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game}")
    with pytest.raises(Refused):
        hall.moderator.opening.start(game)
    hall.write("dora@x.test", f"JOIN {game}")
    hall.moderator.opening.start(game)
    assert hall.store.game(game).status == "running"
    with pytest.raises(Refused):
        hall.moderator.opening.start(game)


def test_the_master_of_an_announced_game_is_there_when_it_begins(hall: Hall) -> None:
    game = announce(hall, masters=[Player("Gus", "gus@x.test")])
    hall.write("carl@x.test", f"JOIN {game}")
    hall.write("dora@x.test", f"JOIN {game}")
    hall.moderator.opening.start(game)
    hall.deliver()
    assert "You are game master of" in hall.words("gus@x.test")


def test_announcements_that_cannot_be_made(hall: Hall) -> None:
    with pytest.raises(BadGame):
        hall.moderator.opening.announce("leipzig", "nowhere", {})
    with pytest.raises(BadGame):
        hall.moderator.opening.announce("leipzig", "battle", {}, invited=["nobody"])
    with pytest.raises(BadGame):
        hall.moderator.opening.announce("leipzig", "battle", {}, calendar=Calendar(hours=0))


def test_a_join_that_comes_twice_counts_once(hall: Hall) -> None:
    announce(hall)
    raw = b"From: carl@x.test\r\nTo: m@pbem.test\r\nSubject: x\r\nMessage-ID: <1@x>\r\n\r\nJOIN\r\n"
    assert hall.hand_in(raw).status == "done"
    assert hall.hand_in(raw).status == "duplicate"
    hall.now += timedelta(hours=1)


SEATS = ("a", "b", "c", "d")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.sampled_from(SEATS), unique=True), min_size=4, max_size=4))
def test_the_best_assignment(wishes: list[list[str]]) -> None:
    found = best_assignment(wishes, SEATS)
    assert sorted(found) == list(SEATS)
    firsts = [wish[0] for wish in wishes if wish]
    if len(firsts) == len(set(firsts)):
        assert all(not wish or seat == wish[0] for wish, seat in zip(wishes, found, strict=True))


def test_of_two_equal_wishes_the_first_comer_has_it() -> None:
    assert best_assignment([["a"], ["a"], []], ("a", "b", "c"))[0] == "a"


@pytest.mark.parametrize(
    "name", ["../../x", "a\nb", "Leipzig-7", "a b", "-a", "a-", "7", "x" * 41, "a.b", "é", "a/b", "a\x00"]
)
def test_a_game_has_a_name_that_fits_addresses_and_files(hall: Hall, name: str) -> None:
    players = {"french": Player("A", "a@x.test"), "allied": Player("B", "b@x.test")}
    before = [row.id for row in hall.store.games()]
    with pytest.raises(BadGame, match="named with a-z"):
        hall.moderator.opening.open_game("leipzig", "battle", {}, players, name)
    with pytest.raises(BadGame, match="named with a-z"):
        announce(hall, game_id=name)
    assert [row.id for row in hall.store.games()] == before


def test_a_name_is_given_once(hall: Hall) -> None:
    with pytest.raises(BadGame, match="already"):
        announce(hall, game_id=hall.game)


@pytest.mark.parametrize("address", ["jo(e@x.test", "x@exa_mple.org", "nobody", "@x.test"])
def test_whoever_is_invited_or_seated_can_be_written_to(hall: Hall, address: str) -> None:
    with pytest.raises(BadGame, match="address"):
        announce(hall, invited=[address])
    with pytest.raises(BadGame, match="address"):
        announce(hall, masters=[Player("Gus", address)])
    players = {"french": Player("A", address), "allied": Player("B", "b@x.test")}
    with pytest.raises(BadGame, match="address"):
        hall.moderator.opening.open_game("leipzig", "battle", {}, players)


def begun_with(hall: Hall, first: str, second: str) -> str:
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game} french")
    hall.write("dora@x.test", f"JOIN {game} allied")
    hall.reply("carl@x.test", first)
    hall.reply("dora@x.test", second)
    assert hall.store.game(game).status == "running"
    return game


def test_the_anchor_comes_before_the_words_and_the_words_before_the_first_draw(hall: Hall) -> None:
    game = announce(hall)
    hall.write("carl@x.test", f"JOIN {game} french")
    assert "chain mode" in hall.words("carl@x.test"), "what the dice prove is told before anybody confirms"
    hall.write("dora@x.test", f"JOIN {game} allied")
    asked = hall.words("carl@x.test")
    assert "Write a word of your own behind READY" in asked
    assert not list(hall.store.entries(game)), "nothing is drawn yet"
    hall.reply("carl@x.test", "READY fleur de lys, 1805!")
    assert "«fleur de lys, 1805!»" in hall.words("carl@x.test")
    hall.reply("dora@x.test", "READY")
    genesis, close = [next(e for e in hall.store.entries(game) if e.kind == k) for k in ("genesis", "close")]
    assert str(genesis.body["anchor"]) in asked.replace(" ", "")
    assert str(genesis.body["secret_anchor"]) in asked.replace(" ", "")
    assert (close.body["k"], close.body["salts"]) == (1, {"french": "fleur de lys, 1805!"})


def test_another_word_deals_other_cards(hall: Hall) -> None:
    """The same seeds, another word: whoever tried seeds before the words came has tried them in vain."""
    game = begun_with(hall, "READY one", "READY two")
    keys = [
        hall.moderator.campaign.tables.at_hand(game).croupier.seeds.step(1, salt_beacon(words)).secret_key
        for words in (["one", "two"], ["one", "three"])
    ]
    assert keys[0] != keys[1]
    result: Any = next(entry.body for entry in hall.store.entries(game) if entry.kind == "result")
    labels = [draw["label"] for draw in result["draws"] if draw["kind"] == "shuffle" and draw["secret"]]
    decks = [hall.moderator.campaign.tables.at_hand(game).croupier.drawn(label) for label in labels]
    dealt, otherwise = (
        [shuffle(key, deck.label, deck.before) for deck in decks if deck is not None] for key in keys
    )
    assert dealt == [deck.items for deck in decks if deck is not None]
    assert dealt != otherwise


def test_a_verdict_names_who_gave_a_word_and_who_did_not(hall: Hall, tmp_path: Path) -> None:
    said = []
    for first, second in (("READY one", "READY"), ("ready", "READY")):
        file = tmp_path / "game.jsonl"
        file.write_bytes(
            b"".join(e.line() + b"\n" for e in hall.store.entries(begun_with(hall, first, second)))
        )
        said.append(audit_file(file).report())
    assert "so that no seed could be chosen to suit: french" in said[0]
    assert "No word before the first draw came from: allied" in said[0]
    assert "No player gave a word before the first draw" in said[1]


def test_known_players_muster_and_begin_at_its_end_all_the_same(hall: Hall) -> None:
    players = {"french": Player("Carl", "carl@x.test", "en"), "allied": Player("Dora", "dora@x.test", "fr")}
    game = announce(hall, players=players)
    hall.deliver()
    assert "your seat" in str(hall.kept["carl@x.test"]["Subject"])
    assert not list(hall.store.entries(game))
    hall.reply("carl@x.test", "READY austerlitz")
    assert hall.store.game(game).status == "open"
    hall.pass_time(hours=80)
    assert hall.store.game(game).status == "running"
    close = next(entry for entry in hall.store.entries(game) if entry.kind == "close")
    assert close.body["salts"] == {"french": "austerlitz"}


def test_an_announced_game_takes_its_dice_from_where_it_was_announced(hall: Hall) -> None:
    game = announce(hall, source=Source(QUICKNET, 900))
    hall.write("carl@x.test", f"JOIN {game} french")
    assert "beacon mode" in hall.words("carl@x.test")
    hall.write("dora@x.test", f"JOIN {game} allied")
    assert "mode balise" in hall.words("dora@x.test") or "beacon mode" in hall.words("dora@x.test")
    hall.reply("carl@x.test", "READY")
    hall.reply("dora@x.test", "READY")
    genesis, close = list(hall.store.entries(game))[:2]
    assert (genesis.body["mode"], genesis.body["delay"]) == ("beacon", 900)
    assert close.body["round"]
    assert hall.store.game(game).mode == "beacon"
