"""Press by courier: late by the way, perhaps captured, by dice that anyone can check when the game is over."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from pbem import games
from pbem.campaign.archive.audit import audit_log
from pbem.campaign.archive.chronicle import write
from pbem.campaign.house_rules import Couriers, Customs
from pbem.campaign.intake.moderator import BadGame, Player
from pbem.campaign.outgoing import couriers
from pbem.campaign.outgoing.couriers import Ride
from pbem.dice.audit import verifier
from pbem.dice.log import entries as dicelog
from tests.campaign.conftest import Desk

TEXT = "Let us meet at Wachau xyzzy"
PLAYERS = {"french": Player("Anne", "anne@pbem.test"), "allied": Player("Bob", "bob@pbem.test", "fr")}


class Post(Desk):
    """A desk whose game sends press by courier."""

    def __init__(self, url: str, risk: int = 5, game: str = "leipzig") -> None:
        super().__init__(url)
        customs = Customs(couriers=Couriers(hours=2, risk=risk))
        scenario = next(iter(games.load(game).scenarios))
        self.game = self.moderator.opening.open_game(
            game, scenario, {}, PLAYERS, customs=customs, masters=[Player("Gus", "gm@pbem.test")]
        )
        self.deliver()

    @property
    def rides(self) -> list[Ride]:
        return self.live.affairs.rides

    def write_until(self, captured: bool) -> None:
        """Send couriers until one fares so."""
        for _ in range(60):
            self.now += timedelta(hours=2)
            self.send("french", f"PRESS TO allied: {TEXT}")
            if self.rides[-1].captured == captured:
                return
        raise AssertionError("they all fared alike")

    def log(self, folder: Path) -> Path:
        buffer = io.BytesIO()
        dicelog.export(self.store.entries(self.game), buffer)
        file = folder / "log.jsonl"
        file.write_bytes(buffer.getvalue())
        return file


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(f"sqlite:///{tmp_path}/post.db")
    yield made
    made.store.close()


def test_the_first_letter_tells_of_couriers(post: Post) -> None:
    assert "Messages go by courier: 2 hours for each stage" in post.words("french")
    assert "Les messages vont par courrier" in post.words("allied")


def test_a_courier_takes_his_time_and_survives_a_restart(post: Post) -> None:
    post.write_until(captured=False)
    assert "A courier has left" in post.words("french")
    assert post.text("allied") == ""
    stages = post.rides[-1].stages
    assert stages == post.live.rules.stages(post.live.game.view(None), "french", "allied") > 1
    post.restart()
    post.pass_time(hours=2 * stages - 1)
    assert TEXT not in post.all_words("allied")
    post.pass_time(hours=2)
    assert TEXT in post.all_words("allied")
    assert "MESSAGE DE NAPOLÉON" in post.text("allied")
    post.pass_time(days=30)
    assert post.received == {}


def test_a_captured_courier_does_not_arrive_and_his_sender_learns_nothing_before_the_end(
    post: Post, tmp_path: Path
) -> None:
    post.write_until(captured=True)
    taken = len(post.rides)
    assert "A courier has left" in post.words("french")
    post.pass_time(days=30)
    arrived = sum(TEXT in str(message) for message in post.received.get("bob@pbem.test", []))
    assert arrived == sum(not ride.captured for ride in post.rides[:taken])
    for command in ("history", "status", "dice"):
        post.send("french", command)
        assert "never arrived" not in post.words("french")
    post.send("french", f"resign {post.game}")
    assert "Your courier to Schwarzenberg never arrived" in post.words("french")
    assert "never arrived" not in post.words("allied")
    (page, *_) = write(post.store, post.game, tmp_path / "chronicle", width=300)
    assert "Letters that never arrived" in page.read_text(encoding="utf-8")


def test_a_captured_letter_goes_to_its_captor_alone(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(couriers, "captors", lambda seats, sender, to: [to])
    post.write_until(captured=True)
    post.pass_time(days=30)
    assert "UNE LETTRE INTERCEPTÉE, DE NAPOLÉON" in post.text("allied")
    assert TEXT not in post.all_words("french")
    assert TEXT not in post.all_words("gm@pbem.test")


@pytest.mark.parametrize("value", range(1, 101))
def test_the_die_says_who_is_captured_and_by_whom(value: int) -> None:
    ride = couriers.ride(Couriers(6, 5), "red", "blue", 4, 7, value, ("red", "blue", "green", "white"))
    assert ride.captured == (value <= 20)
    assert ride.captor in (("green", "white") if ride.captured else ("",))
    assert not couriers.ride(Couriers(6, 0), "red", "blue", 9, 0, value, ("red", "blue")).captured


def test_the_log_shows_neither_that_somebody_rides_nor_how_it_ends(post: Post, tmp_path: Path) -> None:
    before = post.log(tmp_path).read_bytes()
    post.write_until(captured=True)
    assert post.log(tmp_path).read_bytes() == before
    sheets = [draw for row in post.store.draws(post.game) if (draw := row.drawn()).label.startswith("press/")]
    assert [draw.label for draw in sheets] == ["press/road/1"]
    assert sheets[0].secret


def finished(post: Post, tmp_path: Path) -> Path:
    """A game with couriers, a rollback and more couriers, at its end."""
    post.send("french", "1")
    post.write_until(captured=True)
    post.send("french", "draw pile")
    post.write_until(captured=False)
    post.send("master", "ROLLBACK 1 a slip of the pen", sender="gm@pbem.test")
    post.write_until(captured=True)
    post.send("french", "draw pile")
    post.write_until(captured=False)
    post.send("french", f"resign {post.game}")
    return post.log(tmp_path)


def test_couriers_outlive_a_rollback_and_the_audit_checks_them(post: Post, tmp_path: Path) -> None:
    audited = audit_log(finished(post, tmp_path))
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"
    assert couriers.SOMEWHERE in {ride.answers for ride in post.rides}
    assert {ride.answers for ride in post.rides} - {couriers.SOMEWHERE}


def test_the_stand_alone_verifier_agrees(post: Post, tmp_path: Path) -> None:
    file = finished(post, tmp_path)
    (program, _) = verifier.write(tmp_path / "tools")
    done = subprocess.run(
        [sys.executable, str(program), str(file)], capture_output=True, text=True, check=True
    )
    assert "GOOD" in done.stdout
    assert "every roll in the log was used, none is missing" in done.stdout


@pytest.mark.parametrize("what", ["captured", "stages"])
def test_a_forged_ride_is_found(
    post: Post, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = finished(post, tmp_path)
    original = msgspec.convert

    def forged(value: object, type: object) -> object:
        made = original(value, type)
        if type == list[Ride] and made:
            wrong = {"captured": not made[-1].captured} if what == "captured" else {"stages": 19}
            made[-1] = msgspec.structs.replace(made[-1], **wrong)
        return made

    monkeypatch.setattr("pbem.campaign.archive.replay.msgspec.convert", forged)
    audited = audit_log(file)
    assert not audited.ok
    assert audited.replay == "couriers"
    assert f"courier {len(post.rides)}" in audited.report()[-1]


def test_more_couriers_than_a_sheet_has_dice(post: Post) -> None:
    post.send("french", "1")
    affairs = post.live.affairs
    affairs.rides = [Ride("french", "allied", 2, 0)] * 97
    with post.store.journal(post.game, post.now) as journal:
        journal.update(data=affairs)
    post.send("allied", f"message à french: {TEXT}")
    assert "Un courrier est parti" in post.words("allied")
    post.send("french", f"PRESS TO allied: {TEXT}\nEND PRESS\nPRESS TO allied: {TEXT}\nEND PRESS")
    assert "No courier is left" in post.words("french")
    post.send("french", "draw pile")
    post.send("french", f"PRESS TO allied: {TEXT}")
    assert "A courier has left" in post.words("french")
    assert len({row.label for row in post.store.draws(post.game) if row.label.startswith("press/")}) == 2


@pytest.mark.parametrize("game", ["ccn", "nce"])
def test_couriers_ride_in_every_game(tmp_path: Path, game: str) -> None:
    seats = games.load(game).scenarios[next(iter(games.load(game).scenarios))].seats
    assert len(seats) == 2
    made = Desk(f"sqlite:///{tmp_path}/other.db")
    players = dict(zip(seats, PLAYERS.values(), strict=True))
    customs = Customs(couriers=Couriers(hours=1, risk=0))
    scenario = next(iter(games.load(game).scenarios))
    made.game = made.moderator.opening.open_game(game, scenario, {}, players, customs=customs)
    made.send(seats[0], f"PRESS TO {seats[1]}: {TEXT}")
    made.pass_time(hours=13)
    assert TEXT in made.all_words("bob@pbem.test")
    made.store.close()


@pytest.mark.parametrize(
    "customs",
    [
        Customs(press="red"),
        Customs(release="never"),
        Customs(votes="some"),
        Customs(limit=0),
        Customs(objections=-1),
        Customs(couriers=Couriers(hours=0)),
        Customs(couriers=Couriers(risk=51)),
    ],
)
def test_customs_that_cannot_be_kept_open_no_game(desk: Desk, customs: Customs) -> None:
    with pytest.raises(BadGame):
        desk.moderator.opening.open_game("leipzig", "battle", {}, PLAYERS, customs=customs)
    assert len(desk.store.games()) == 1


def test_a_courier_arrives_when_his_way_is_over() -> None:
    now = datetime(2026, 1, 1)
    assert couriers.arrival(Couriers(hours=6), 3, now) == now + timedelta(hours=18)
