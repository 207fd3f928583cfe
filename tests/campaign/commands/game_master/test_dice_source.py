"""A change of source by the game master: from the next close on, in the log, told to all, and audited."""

from __future__ import annotations

import hashlib
import io
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.commands.game_master.by_host import by_host
from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.dice.beacon.client import Beacon
from pbem.dice.beacon.rounds import Network, Source
from pbem.dice.draw.croupier import Round
from pbem.dice.log import entries as dicelog
from pbem.dice.log.entries import Entry
from pbem.post.inbox import Inbox
from pbem.post.smtp import SmtpOutlet
from pbem.server.config import BadConfig, parse
from pbem.server.daemon import Daemon
from pbem.server.wiring import beacons
from pbem.store.store import Store
from tests.campaign.conftest import ADDRESS, Desk
from tests.dice.audit.verifier_file import PROGRAM
from tests.dice.beacon.drand import KEY, OURS, mirror, sign
from tests.dice.sample import rehash, unhashed

SECOND = Network(hashlib.sha256(b"another test network").hexdigest(), KEY, genesis=1_500_000_000, period=30)
MASTER = "gm@pbem.test"


class Bench(Desk):
    """A desk whose second game has a game master, and hangs on the test beacon."""

    def __init__(self, url: str, source: Source | None = Source(OURS, 600)) -> None:  # noqa: B008
        super().__init__(url)
        players = {
            "french": Player("Anne", "anne@pbem.test"),
            "allied": Player("Bob", "bob@pbem.test", "fr"),
        }
        self.game = self.moderator.opening.open_game(
            "leipzig", "battle", {}, players, masters=[Player("Gus", MASTER)], source=source
        )
        self.deliver()

    def _open(self) -> Moderator:
        store = Store.open(self.url)
        networks = (OURS, SECOND)
        return Moderator(store, Settings(ADDRESS), lambda: self.now, entropy=self._entropy, networks=networks)

    def letter(self, seat: str, text: str, **how: str) -> bytes:  # type: ignore[override]
        if seat == "master":
            how.setdefault("sender", MASTER)
        return super().letter(seat, text, **how)

    def round_comes(self) -> None:
        awaited = self.live.affairs.awaited
        assert awaited is not None
        self.now = max(self.now, awaited.at) + timedelta(seconds=1)
        for game_id, number in self.moderator.timekeeper.awaiting():
            self.moderator.timekeeper.draw(game_id, Round(number, sign(number)))
        self.deliver()

    def play_until(self, *, waiting: bool) -> None:
        """Robots play until dice wait for their round, or the game is over."""
        whim = random.Random(5)
        while not self.live.over:
            live = self.live
            if live.affairs.awaited is not None:
                if waiting:
                    return
                self.round_comes()
                continue
            question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
            answer = live.rules.robots["sensible"](live.game.view(question.seat), question, whim)
            self.send(question.seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))

    def entries(self) -> list[Entry]:
        return list(self.store.entries(self.game))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(f"sqlite:///{tmp_path}/bench.db")
    yield made
    made.store.close()


def written(entries: list[Entry], folder: Path) -> Path:
    file = io.BytesIO()
    dicelog.export(entries, file)
    path = folder / "game.jsonl"
    path.write_bytes(file.getvalue())
    return path


def test_another_delay_counts_from_the_next_close_on(bench: Bench) -> None:
    bench.round_comes()
    bench.send("master", "SOURCE 20m the mail is slow")
    assert "1200 seconds after the close" in bench.words("french")
    assert "1200 secondes après la clôture" in bench.words("allied")
    assert "Raison : the mail is slow" in bench.words("allied")
    source = bench.entries()[-1]
    assert (source.kind, source.body["delay"], source.body["reason"]) == ("source", 1200, "the mail is slow")
    bench.restart()
    bench.play_until(waiting=True)
    awaited = bench.live.affairs.awaited
    assert awaited is not None
    assert timedelta(seconds=1197) <= awaited.at - bench.now <= timedelta(seconds=1203)
    bench.send("allied", "historique")
    assert "a changé la source des dés" in bench.words("allied")


def test_what_is_closed_is_not_touched(bench: Bench) -> None:
    before = bench.entries()
    bench.send("master", "SOURCE 900 I do not like this round")
    assert "until they are drawn this cannot be changed" in bench.words(MASTER)
    assert bench.entries() == before


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("SOURCE", "I did not carry out SOURCE: something has to follow it"),
        ("SOURCE because I want to", "I cannot read «because I want to» after it"),
        ("SOURCE 15x because", "Write: SOURCE delay reason"),
        ("SOURCE 900", "needs a reason"),
        ("SOURCE 600 nothing new", "already"),
        ("SOURCE 3 at once", "at least 6 seconds"),
        ("SOURCE 9999h never", "at most 2592000"),
        ("SOURCE chain 600 simpler", "fixed when a game begins"),
        ("SOURCE quicknet 600 better", "No beacon «quicknet» is known here"),
        (f"SOURCE {'ab' * 8} 600 mine", "No beacon «abababababababab» is known here"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(bench: Bench, text: str, answer: str) -> None:
    bench.round_comes()
    before = bench.entries()
    bench.send("master", text)
    assert answer in bench.words(MASTER)
    assert bench.entries() == before


def test_only_masters_and_never_after_the_end(bench: Bench) -> None:
    bench.round_comes()
    before = bench.entries()
    bench.send("french", "SOURCE 900 please")
    assert "SOURCE is for the game master" in bench.words("french")
    bench.send("french", "Source of all my worries is Lindenau.")
    assert "game master" not in bench.words("french")
    assert bench.entries() == before
    bench.send("french", f"resign {bench.game}")
    ended = bench.entries()
    bench.send("master", "SOURCE 900 too late")
    assert "over" in bench.words(MASTER)
    assert bench.entries() == ended


def test_a_chain_stays_a_chain(tmp_path: Path) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/chain.db", source=None)
    before = bench.entries()
    bench.send("master", f"SOURCE {OURS.chain[:12]} 600 better dice")
    assert "fixed when a game begins" in bench.words(MASTER)
    assert bench.entries() == before
    bench.store.close()


def test_the_host_does_it_at_the_command_line(bench: Bench) -> None:
    bench.round_comes()
    done = by_host(bench.moderator.campaign, bench.game, f"source {SECOND.chain[:12]} 900 our own is down")
    assert done.good, done.lines
    assert bench.entries()[-1].body["author"] == "host"
    assert bench.moderator.timekeeper.chain_of(bench.game) == SECOND.chain
    refused = by_host(bench.moderator.campaign, bench.game, "source 1 now")
    assert not refused.good
    assert "at least 60 seconds" in " ".join(refused.lines)
    assert "SOURCE" in " ".join(by_host(bench.moderator.campaign, bench.game, "nonsense").lines)


def test_a_rollback_keeps_the_new_source(bench: Bench) -> None:
    bench.round_comes()
    bench.send("french", "1")
    bench.send("master", f"SOURCE {SECOND.chain[:12]} 900 our own is down")
    bench.send("master", "ROLLBACK 0 a mistake")
    source = bench.live.croupier.source
    assert source == Source(SECOND, 900)


def alone(path: Path, trust: list[Path]) -> dict[str, Any]:
    command = [sys.executable, "-I", "-S", str(PROGRAM), str(path), "--json", "--level", "3"]
    for network in trust:
        command += ["--trust", str(network)]
    done = subprocess.run(command, capture_output=True, timeout=120)
    assert done.stderr == b""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_game_with_two_sources_is_audited_by_package_and_file(bench: Bench, tmp_path: Path) -> None:
    bench.round_comes()
    bench.send("master", f"SOURCE {SECOND.chain[:12]} 900 our own is down")
    bench.play_until(waiting=False)
    entries = bench.entries()
    path = written(entries, tmp_path)
    audited = audit_log(path, networks=(OURS, SECOND))
    assert audited.ok, audited.report()
    assert audited.replay == "replayed"
    changed = next(entry.n for entry in entries if entry.kind == "source")
    assert audited.verdict.sources == (changed,)
    assert f"The source of the dice was changed at entry {changed}." in audited.report()
    trust = []
    for name, network in (("one", OURS), ("two", SECOND)):
        trust.append(tmp_path / f"{name}.json")
        trust[-1].write_text(json.dumps(network.body()))
    assert alone(path, trust)["ok"]
    assert alone(path, trust)["sources"] == [changed]
    assert alone(path, trust[:1])["code"] == "source"
    parts = unhashed(entries)
    del parts[changed - 1]
    assert alone(written(rehash(parts), tmp_path), trust)["code"] == "round"


async def test_the_daemon_asks_the_beacon_that_the_game_hangs_on(bench: Bench) -> None:
    with mirror() as ours:
        idle, right = (Beacon(network, [ours.url], timeout=5) for network in (SECOND, OURS))
        awaited = bench.live.affairs.awaited
        assert awaited is not None
        bench.now = awaited.at + timedelta(seconds=1)
        for beacons, drawn in (((idle,), 0), ((idle, right), 1)):
            daemon = Daemon(
                bench.moderator,
                Secretary(bench.moderator.campaign, None),
                cast(Inbox, None),
                cast(SmtpOutlet, None),
                clock=lambda: bench.now,
                beacons=beacons,
            )
            assert await daemon.draw() == drawn
    assert bench.live.affairs.awaited is None


def test_networks_of_a_host() -> None:
    network = {"chain": SECOND.chain, "key": KEY, "genesis": 1, "period": 30, "mirrors": ["https://a.test"]}
    config = parse({"moderator": {"address": "a@b.test"}, "dice": {"networks": [network]}})
    assert [one.network.period for one in beacons(config)] == [3, 30]
    for broken in ({"key": "00"}, {"period": 0}, {"chain": "zz"}, {"mirrors": ["http://a.test"]}):
        config = parse({"moderator": {"address": "a@b.test"}, "dice": {"networks": [network | broken]}})
        with pytest.raises(BadConfig):
            beacons(config)
