"""Dice from a public beacon: orders are closed before their round exists, and drawn when it is there."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.house_rules import Couriers, Customs
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.croupier import Round
from pbem.dice.log import entries as dicelog
from pbem.store.store import Store
from tests.campaign.conftest import ADDRESS, Desk
from tests.dice.beacon.drand import OURS as NETWORK
from tests.dice.beacon.drand import sign

DELAY = 600


class BeaconDesk(Desk):
    """A desk whose game hangs on the test beacon."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        players = {
            "french": Player("Anne", "anne@pbem.test", "en"),
            "allied": Player("Bob", "bob@pbem.test", "fr"),
        }
        source = Source(NETWORK, DELAY)
        self.game = self.moderator.opening.open_game("leipzig", "battle", {}, players, source=source)
        self.deliver()

    def _open(self) -> Moderator:
        store = Store.open(self.url)
        return Moderator(
            store, Settings(ADDRESS), lambda: self.now, entropy=self._entropy, networks=(NETWORK,)
        )

    def round_comes(self) -> int:
        """Time goes on to the awaited round, which is then drawn; how many games went on."""
        awaited = self.live.affairs.awaited
        assert awaited is not None
        self.now = max(self.now, awaited.at) + timedelta(seconds=1)
        drawn = 0
        for game_id, number in self.moderator.timekeeper.awaiting():
            drawn += self.moderator.timekeeper.draw(game_id, Round(number, sign(number)))
        self.deliver()
        return drawn


@pytest.fixture
def beacon(tmp_path: Path) -> Iterator[BeaconDesk]:
    made = BeaconDesk(f"sqlite:///{tmp_path}/pbem.db")
    yield made
    made.store.close()


def kinds(desk: Desk) -> list[str]:
    return [entry.kind for entry in desk.store.entries(desk.game)]


def test_a_game_opens_with_a_close_and_begins_with_its_round(beacon: BeaconDesk) -> None:
    assert kinds(beacon) == ["genesis", "close"]
    assert "round" in beacon.words("french")
    assert "secret anchor" in beacon.words("french")
    assert beacon.live.game.questions == {}
    beacon.restart()
    assert beacon.live.game.questions == {}
    assert beacon.round_comes() == 1
    assert "Welcome, Anne" in beacon.words("french")
    assert "Dice of step" in beacon.words("french")
    assert list(beacon.live.game.questions) == ["g1/keep"]
    assert kinds(beacon)[:3] == ["genesis", "close", "result"]


def test_a_round_is_drawn_once_and_another_one_not_at_all(beacon: BeaconDesk) -> None:
    awaited = beacon.live.affairs.awaited
    assert awaited is not None
    assert beacon.moderator.timekeeper.awaiting() == []
    assert not beacon.moderator.timekeeper.draw(
        beacon.game, Round(awaited.round + 1, sign(awaited.round + 1))
    )
    beacon.round_comes()
    assert not beacon.moderator.timekeeper.draw(beacon.game, Round(awaited.round, sign(awaited.round)))


def exhaust_the_pile(desk: BeaconDesk) -> None:
    """Draw until an order needs a shuffle, which needs a round."""
    whim = random.Random(3)
    while desk.live.affairs.awaited is None:
        live = desk.live
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
        desk.send(question.seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))


def test_couriers_and_a_clock_set_back_do_not_disturb_the_beacon(beacon: BeaconDesk, tmp_path: Path) -> None:
    players = {"french": Player("Anne", "anne@pbem.test"), "allied": Player("Bob", "bob@pbem.test", "fr")}
    customs = Customs(couriers=Couriers(hours=1, risk=0))
    beacon.game = beacon.moderator.opening.open_game(
        "leipzig", "battle", {}, players, source=Source(NETWORK, DELAY), customs=customs
    )
    beacon.round_comes()
    assert "Welcome, Anne" in beacon.words("french")
    beacon.send("french", "PRESS TO allied: until Wachau")
    beacon.pass_time(hours=20)
    assert "until Wachau" in beacon.all_words("allied")
    beacon.now -= timedelta(days=2)
    exhaust_the_pile(beacon)
    assert beacon.round_comes() >= 1
    beacon.send("french", f"resign {beacon.game}")
    buffer = io.BytesIO()
    dicelog.export(beacon.store.entries(beacon.game), buffer)
    file = tmp_path / "log.jsonl"
    file.write_bytes(buffer.getvalue())
    audited = audit_log(file, networks=(NETWORK,))
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"


def test_orders_that_need_dice_are_closed_and_played_when_the_round_is_there(beacon: BeaconDesk) -> None:
    beacon.round_comes()
    exhaust_the_pile(beacon)
    before = beacon.answers()
    assert kinds(beacon)[-2:] == ["receipt", "close"]
    heads = {message["Subject"] for messages in beacon.received.values() for message in messages}
    assert len(beacon.received) == 2, heads
    beacon.restart()
    assert beacon.answers() == before
    assert beacon.round_comes() == 1
    assert beacon.answers() > before
    assert "result" in kinds(beacon)[-4:]


def test_while_dice_wait_nothing_changes(beacon: BeaconDesk) -> None:
    beacon.round_comes()
    exhaust_the_pile(beacon)
    seat = next(q.seat for q in beacon.live.game.questions.values())
    before = beacon.live.last_entry.hash
    for text in ("draw pile", "READY", "WAIT t7", "draw pile", "READY", "CLEAR"):
        beacon.send(seat, text)
        assert "[[ord" not in beacon.text(seat)
    assert not beacon.live.affairs.drafts.get(seat)
    beacon.send(seat, f"resign {beacon.game}")
    assert not beacon.live.over
    beacon.send(seat, "STANDING\nwhen discard then discard time")
    assert beacon.live.standing.get(seat) is None
    assert beacon.live.last_entry.hash == before
    beacon.round_comes()
    assert seat not in beacon.live.affairs.drafts


def test_a_beacon_that_is_late_is_waited_for_without_a_fall_back(beacon: BeaconDesk) -> None:
    awaited = beacon.live.affairs.awaited
    assert awaited is not None
    beacon.now = awaited.at + timedelta(days=3)
    for _ in range(3):
        beacon.moderator.timekeeper.tick()
        beacon.now += timedelta(minutes=1)
    assert beacon.live.affairs.awaited == awaited
    assert kinds(beacon) == ["genesis", "close"]
    assert beacon.round_comes() == 1


def test_a_whole_game_by_the_beacon_is_audited_to_its_signatures(beacon: BeaconDesk, tmp_path: Path) -> None:
    beacon.round_comes()
    whim = random.Random(5)
    while not beacon.live.over:
        live = beacon.live
        if live.affairs.awaited is not None:
            beacon.round_comes()
            continue
        question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
        answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
        text = "\n".join(order.text(live.rules.vocabulary) for order in answer)
        assert beacon.send(question.seat, text).status == "done"
    buffer = io.BytesIO()
    dicelog.export(beacon.store.entries(beacon.game), buffer)
    file = tmp_path / "log.jsonl"
    file.write_bytes(buffer.getvalue())
    audited = audit_log(file, networks=(NETWORK,))
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"
    assert audited.verdict.mode == "beacon"
