"""The beacon's client against a server on loopback, and the croupier that waits for its rounds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import pytest

from pbem.dice.beacon.client import Beacon, Unavailable
from pbem.dice.beacon.rounds import QUICKNET, Source
from pbem.dice.draw.croupier import AwaitBeacon, Croupier, NotBegun, Round
from pbem.dice.draw.seeds import Exhausted, Seeds
from pbem.dice.log import entries as entries_module
from pbem.dice.log.receipts import Leaf
from tests.dice.beacon.drand import OURS, REAL_ROUND, REAL_SIGNATURE, Mirror, mirror, round_json, sign
from tests.dice.sample import (
    CARDS,
    ROOT,
    SECRET_ROOT,
    SOURCE,
    START,
    SampleGame,
    verdict_on,
    whole_game,
)

STATE = "cd" * 32


@pytest.fixture
def mirrors() -> Iterator[tuple[Mirror, Mirror]]:
    with mirror() as one, mirror() as two:
        yield one, two


def client(*mirrors: Mirror) -> Beacon:
    return Beacon(OURS, [each.url for each in mirrors], timeout=5)


def test_the_recorded_round_of_the_real_network(mirrors: tuple[Mirror, Mirror]) -> None:
    beacon = Beacon(QUICKNET, [mirrors[0].url])
    assert beacon.fetch(REAL_ROUND) == Round(REAL_ROUND, REAL_SIGNATURE)
    with pytest.raises(Unavailable):
        beacon.fetch(REAL_ROUND + 1)


async def test_a_round_is_asked_for_once(mirrors: tuple[Mirror, Mirror]) -> None:
    beacon = client(*mirrors)
    first, again = await asyncio.gather(beacon.arrived(5), beacon.arrived(6))
    assert (first, again) == (Round(5, sign(5)), Round(6, sign(6)))
    assert await beacon.arrived(5) is first
    assert sorted(mirrors[0].asked) == [5, 6]
    assert mirrors[1].asked == []


LIES = [
    (404, b""),
    (500, b"oops"),
    (200, b""),
    (200, b"<html>"),
    (200, b"[" * 50_000),
    (200, b"x" * 100_000),
    (200, b"{}"),
    (200, b'{"round":5,"signature":7}'),
    (200, round_json(5, bytes(48))),
    (200, round_json(5, sign(4))),
    (200, round_json(5, sign(5, 99))),
    (200, round_json(4, sign(4))),
    (200, round_json("5", sign(5))),
    (200, round_json(5, sign(5) + b"\0")),
]


@pytest.mark.parametrize("lie", LIES, ids=range(len(LIES)))
def test_a_mirror_that_fails_or_lies_is_passed_over(
    lie: tuple[int, bytes], mirrors: tuple[Mirror, Mirror]
) -> None:
    liar, honest = mirrors
    liar.says[5] = lie
    assert client(liar, honest).fetch(5).signature == sign(5)
    with pytest.raises(Unavailable) as caught:
        client(liar).fetch(5)
    assert list(caught.value.reasons) == [liar.url]


def test_a_mirror_that_worked_is_asked_first(mirrors: tuple[Mirror, Mirror]) -> None:
    mirrors[0].says[5] = (404, b"")
    beacon = client(*mirrors)
    beacon.fetch(5)
    beacon.fetch(6)
    assert (mirrors[0].asked, mirrors[1].asked) == ([5], [5, 6])


def test_a_round_that_is_late_comes_in_the_end(mirrors: tuple[Mirror, Mirror]) -> None:
    beacon = client(*mirrors)
    for each in mirrors:
        each.latest = 4
    for _ in range(2):
        with pytest.raises(Unavailable, match="round 5"):
            beacon.fetch(5)
    mirrors[1].latest = 5
    assert beacon.fetch(5).signature == sign(5)


def test_nobody_there() -> None:
    with mirror() as gone:
        beacon = client(gone)
    with pytest.raises(Unavailable):
        beacon.fetch(5)


def test_mirrors_are_asked_over_https() -> None:
    assert Beacon().network == QUICKNET
    for mirrors in (["http://api.drand.sh"], ["ftp://127.0.0.2"], []):
        with pytest.raises(ValueError):
            Beacon(QUICKNET, mirrors)


@pytest.fixture
def seeds() -> Seeds:
    return Seeds("croupier-1", ROOT, SECRET_ROOT, 10)


def test_a_draw_waits_for_its_round(seeds: Seeds) -> None:
    croupier = Croupier(seeds, source=SOURCE)
    croupier.begin([Leaf("a", "00", "ATTACK")], now=START)
    with pytest.raises(AwaitBeacon) as awaited:
        croupier.roll("x", 2, 6, rule="7")
    with pytest.raises(AwaitBeacon):
        croupier.shuffle("y", CARDS, rule="7")
    number = awaited.value.round
    assert START < awaited.value.at <= START + SOURCE.delay
    assert number == OURS.round_for(START, SOURCE.delay)
    with pytest.raises(RuntimeError, match="suspend"):
        croupier.finish(STATE)
    ((kind, close),) = croupier.suspend()
    assert (kind, close["k"], close["round"]) == ("close", 1, number)
    assert set(close) == {"k", "leaves", "root", "round"}
    assert croupier.awaited is not None
    assert croupier.awaited.round == number
    with pytest.raises(RuntimeError, match="waits"):
        croupier.begin((), now=START)
    with pytest.raises(NotBegun):
        croupier.roll("x", 2, 6, rule="7")


def test_a_restart_between_close_and_round_changes_nothing(seeds: Seeds) -> None:
    def draw(croupier: Croupier) -> object:
        return croupier.roll("x", 9, 6, rule="7"), croupier.shuffle("d", CARDS, rule="8", secret=True)

    first = Croupier(seeds, source=SOURCE)
    first.begin((), now=START)
    with pytest.raises(AwaitBeacon) as awaited:
        draw(first)
    ((_, close),) = first.suspend()
    beacon = Round(awaited.value.round, sign(awaited.value.round))
    stored = msgspec.json.decode(msgspec.json.encode(close))
    outcomes = []
    for croupier in (first, Croupier(seeds, source=SOURCE, pending=stored)):
        croupier.take_up(stored, beacon)
        values = draw(croupier)
        entries = croupier.finish(STATE)
        assert [kind for kind, _ in entries] == ["result"]
        assert entries[0][1]["signature"] == beacon.signature.hex()
        assert (croupier.pending, croupier.last_step) == (None, 1)
        outcomes.append((values, entries))
    assert outcomes[0] == outcomes[1]


def test_the_dice_hang_on_the_round(seeds: Seeds) -> None:
    rolls = set()
    for number in (1, 2):
        croupier = Croupier(seeds, source=SOURCE)
        croupier.take_up({"k": 1, "round": number}, Round(number, sign(number)))
        rolls.add(croupier.roll("x", 9, 6, rule="7"))
    assert len(rolls) == 2


def test_an_abandoned_step_still_waits(seeds: Seeds) -> None:
    close: entries_module.Body = {"k": 1, "round": 5, "leaves": [], "root": ""}
    croupier = Croupier(seeds, source=SOURCE, pending=close)
    croupier.take_up(close, Round(5, sign(5)))
    values = croupier.roll("x", 9, 6, rule="7")
    croupier.finish(STATE)
    croupier.abandon()
    assert (croupier.pending, croupier.last_step) == (close, 0)
    croupier.take_up(close, Round(5, sign(5)))
    assert croupier.roll("x", 9, 6, rule="7") == values


def test_only_the_awaited_round_will_do(seeds: Seeds) -> None:
    croupier = Croupier(seeds, source=SOURCE)
    for close in ({"k": 1, "round": 6}, {"k": 2, "round": 5}):
        with pytest.raises(ValueError):
            croupier.take_up(dict(close), Round(5, sign(5)))
    with pytest.raises(NotBegun):
        croupier.suspend()
    with pytest.raises(ValueError):
        croupier.begin()


def test_a_step_without_draws_needs_no_round(seeds: Seeds) -> None:
    croupier = Croupier(seeds, source=SOURCE)
    croupier.begin([Leaf("a", "00", "HOLD")], now=START)
    assert croupier.finish(STATE) == []


def test_the_chain_ends_with_a_beacon_too() -> None:
    croupier = Croupier(Seeds("x", ROOT, ROOT, 1), last_step=1, source=SOURCE)
    croupier.begin((), now=START)
    with pytest.raises(Exhausted):
        croupier.roll("x", 1, 6, rule="")


def test_an_honest_log_with_a_beacon_passes() -> None:
    game = whole_game(SOURCE)
    verdict = verdict_on(game.entries, collect=True)
    assert verdict.ok, verdict.reason()
    assert (verdict.mode, verdict.rounds, verdict.step_count) == ("beacon", 3, 3)
    assert "0 of 3 closes reached your own mail server" in verdict.report()
    assert "could have been dated back unseen" in verdict.report()
    assert "nobody, the operator" not in verdict.report()
    assert "antidatées" in verdict.report("fr")


def test_level_one_leaves_the_signatures_alone() -> None:
    verdict = verdict_on(whole_game(SOURCE).entries, signatures=False)
    assert (verdict.ok, verdict.rounds) == (True, 0)
    assert "not checked" in verdict.report()


def test_an_unknown_network_is_no_beacon() -> None:
    verdict = verdict_on(whole_game(SOURCE).entries, networks=(QUICKNET,))
    assert (verdict.code, verdict.entry) == ("source", 1)


def test_a_game_that_waits_for_its_round_is_in_order() -> None:
    game = SampleGame(source=SOURCE)
    game.letter("french", "ATTACK")
    game.croupier.begin(game.leaves, now=game.now + 60)
    with pytest.raises(AwaitBeacon) as awaited:
        game.croupier.roll("x", 1, 6, rule="7")
    for kind, body in game.croupier.suspend():
        game.add(kind, body)
    game.letter("allies", "a letter that comes while the step waits")
    verdict = verdict_on(game.entries)
    assert verdict.ok, verdict.reason()
    assert verdict.waiting == (1, awaited.value.round, awaited.value.at)
    assert f"waits for round {awaited.value.round}, due 2026-" in verdict.report()


def test_a_change_of_source_before_the_next_close() -> None:
    game = SampleGame(source=SOURCE)
    game.play(lambda dice: dice.roll("x", 1, 6, rule="7"))
    slower = Source(OURS, delay=3600)
    game.add("source", entries_module.change_of_source(author="gm", reason="mail is slow", source=slower))
    game.croupier.source = game.source = slower
    game.play(lambda dice: dice.roll("y", 1, 6, rule="7"))
    assert verdict_on(game.entries).ok
    game.croupier.source = SOURCE
    game.play(lambda dice: dice.roll("z", 1, 6, rule="7"))
    assert verdict_on(game.entries).code == "round"
