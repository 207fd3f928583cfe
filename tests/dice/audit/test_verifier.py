"""The stand-alone verifier as a player calls it, and its fourth level on a whole game of leipzig."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.dice.audit.audit import audit_file, compare
from pbem.dice.audit.mailbox import Mailbox, read_letters
from pbem.dice.audit.verdicts import Verdict
from pbem.dice.audit.verifier import assembling, write
from pbem.dice.audit.verifier.command import main
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw import streams
from pbem.dice.draw.croupier import Croupier
from pbem.dice.draw.demanded import Demanded
from pbem.dice.log import entries as entries_module
from pbem.dice.show.byhand import ByHand, find
from pbem.kernel.chance import Draw
from pbem.kernel.game import Game, Given
from pbem.kernel.order import answer_from_data
from tests.dice.audit.forgeries import BEACON, CHAIN, all_letters, cases, honest, letter
from tests.dice.audit.forgeries import write as write_corpus
from tests.dice.audit.verifier_file import PROGRAM
from tests.dice.beacon.drand import OURS
from tests.dice.played import played
from tests.dice.sample import SOURCE, Part, SampleGame, export, rehash, unhashed, verdict_on


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(export(honest(CHAIN)))
    return path


def alone(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The file by itself: no site packages, no pbem, nothing from the environment."""
    command = [sys.executable, "-I", "-S", str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, encoding="utf-8")


def test_a_good_log(good: Path) -> None:
    done = alone(good, "--lang", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("GOOD\nEverything checks: 16 entries")
    assert "pbem is not installed here" in done.stdout


def test_a_forged_log_in_french(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    name = tmp_path / "beacon-no-point-for-a-signature"
    trust = tmp_path / "network.json"
    done = alone(f"{name}.jsonl", "--trust", trust, "--lang", "fr")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("MAUVAIS\nEntrée 13 : ce n'est pas la signature de la balise pour ce tour")
    assert alone(f"{name}.jsonl", "--trust", trust, "--level", "1").returncode == 0


def test_the_corpus_on_disk(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert len(manifest) == len(list(cases()))
    assert all((tmp_path / f"{case['name']}.jsonl").stat().st_size for case in manifest)


def test_for_programs(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(good), "--json", "--level", "3", "--roll", "t2/land/mockern/att"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["ok"], data["entries"], data["mode"]) == (True, 16, "chain")
    assert data["levels"] == {"1": "good", "2": "chain", "3": "no_letters", "4": "not_asked"}
    assert data["roll"]["same"]
    assert [each["counts"] for each in data["dice"] if each["seat"] == ""]


def test_nothing_to_check(tmp_path: Path, good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert main([str(tmp_path)]) == 2
    assert main([str(good), "--trust", str(good)]) == 2
    assert main([str(good), "--level", "1", "--roll", "no/such/label"]) == 1
    assert "no/such/label" in capsys.readouterr().out
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2


def test_the_log_of_another_game(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(good), "--level", "1", "--game", "sample-1"]) == 0
    assert main([str(good), "--level", "1", "--game", "sample-2", "--lang", "en"]) == 1
    assert "this is the log of another game [game]: 'sample-1'" in capsys.readouterr().out


def test_letters_of_the_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = list(honest(BEACON))
    path, mails, trust = tmp_path / "game.jsonl", tmp_path / "mails", tmp_path / "trust.json"
    path.write_bytes(export(entries))
    trust.write_text(json.dumps(OURS.body()))
    mails.mkdir()
    given = next(entry for entry in entries if entry.kind == "receipt")
    note = f"receipt: log #{given.n} · leaf {str(given.body['leaf'])[:16]} · salt 00"
    (mails / "all.mbox").write_bytes(all_letters(entries, entries))
    (mails / "one.eml").write_bytes(letter(note, 0).partition(b"\n")[2])
    call = [str(path), "--trust", str(trust), "--level", "3", "--lang", "en", "--letters", str(mails)]
    assert main(call) == 0
    said = capsys.readouterr().out
    assert "All 3 closes reached your own mail server before their rounds existed" in said
    assert "1 of your receipts are in the log." in said
    assert "3 your letters (7)" in said
    (mails / "fork.txt").write_text("they told me: log #3 head=" + "0" * 16)
    assert main([*call, str(tmp_path / "nowhere")]) == 1
    said = capsys.readouterr().out
    assert "Entry 3: the log a player was told of is another one" in said
    assert "not read: nowhere" in said


def test_letters_as_mail_programs_keep_them(tmp_path: Path) -> None:
    head = "log #12 head=3f9a0c5d7e21b846"
    quoted = "> On Monday you wrote:\n> log #13\n> head=3f9a0c5d7e21b847\n"
    for name, body, encoding in (
        ("plain", f"{head}\n\n{quoted}", "7bit"),
        ("qp", "log #12 head=3D3f9a0c5d7e21=\nb846\nlog #13 head=3D3f9a0c5d7e21b847", "quoted-printable"),
        (
            "base64",
            "bG9nICMxMiBoZWFkPTNmOWEwYzVkN2UyMWI4NDYKbG9nICMxMyBoZWFkPTNmOWEwYzVkN2UyMWI4NDc=",
            "base64",
        ),
    ):
        stamps = (
            "Received: by home;\n\tMon, 1 Jan 2024 10:00:00 +0100\nReceived: by game; 1 Jan 2020 00:00:00 Z\n"
        )
        header = f"{stamps}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n"
        (tmp_path / name).write_text(f"{header}\n{body}\n")
    for path in tmp_path.iterdir():
        mailbox = read_letters([path])
        assert mailbox.heads == [(12, "3f9a0c5d7e21b846"), (13, "3f9a0c5d7e21b847")], path.name
        assert mailbox.seen == [(13, 1_704_099_600)]
    strange = Mailbox()
    for raw in (
        b"",
        b"\xff" * 50,
        b"Received: no date at all\n\n" + head.encode(),
        b"Content-Type: text/plain; charset=no-such\n\nlog",
        b"Received: ; Mon, 99 Foo 99999 99:99:99 +9999\n\nlog #1 head=" + b"a" * 16,
    ):
        strange.add(raw)
    assert (strange.letters, strange.seen) == (5, [])
    assert len(strange.heads) == 2


@pytest.mark.parametrize(
    ("sides", "dice", "game"),
    [(6, 2, "g-1"), (6, 60, "g-1"), (256, 3, "g"), (1000, 5, "g"), (1, 1, "g"), (70_000, 40, "jeu d'été $x")],
)
def test_a_roll_by_hand(sides: int, dice: int, game: str) -> None:
    seed, beacon = streams.sha256(b"seed"), streams.sha256(b"beacon")
    values = streams.roll(streams.step_key(seed, game, 3, beacon), "a/b", dice, sides)
    roll = ByHand(game, 3, seed.hex(), beacon.hex(), "a/b", "7", "x", sides, values)
    assert roll.good
    command = roll.command.replace("python3", sys.executable, 1)
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout) == list(values), done.stderr


@pytest.mark.parametrize("mode", [CHAIN, BEACON])
def test_draws_are_found_in_a_log(mode: str) -> None:
    lines = export(honest(mode)).splitlines(keepends=True)
    for label in ("t1/land/lindenau/att", "setup/tiles", "t2/land/mockern/att"):
        found = find(lines, label)
        assert found is not None
        assert found.good
    deck = find(lines, "setup/tiles")
    assert deck is not None
    assert (deck.command, sorted(deck.again)) == ("", ["a", "b", "c", "d"])
    assert find(lines, "t1/scout") is None
    assert find([b"x", b"y"], "a") is None


def level_four(entries: list[entries_module.Entry], folder: Path) -> tuple[int, dict[str, Any]]:
    path = folder / "game.jsonl"
    path.write_bytes(export(entries))
    program = folder / "pbem_verify.py"
    program.write_bytes(PROGRAM.read_bytes())
    done = subprocess.run(
        [sys.executable, str(program), str(path), "--json"],
        capture_output=True,
        timeout=120,
        cwd=Path(__file__).parents[3],
        env={"PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONIOENCODING": "utf-8"},
    )
    assert done.stderr == b""
    return done.returncode, json.loads(done.stdout)


def test_level_four_replays_the_game(tmp_path: Path) -> None:
    code, data = level_four(list(played()), tmp_path)
    assert (code, data["levels"]["4"]) == (0, "good")
    assert "every roll in the log was used, none is missing" in data["replay"][0]


def rolls(parts: list[Part]) -> list[dict[str, Any]]:
    return [part.body for part in parts if part.kind == "result" and part.body["draws"]]


def dropped_roll(parts: list[Part]) -> None:
    shown = {part.body.get("label") for part in parts if part.kind == "opened"}
    draws, gone = next((r["draws"], d) for r in rolls(parts) for d in r["draws"] if d["label"] not in shown)
    draws.remove(gone)
    end = parts[-1].body
    end["decks"] = [deck for deck in end["decks"] if deck["label"] != gone["label"]]


def added_roll(parts: list[Part]) -> None:
    result = rolls(parts)[1]
    close = next(part.body for part in parts if part.kind == "close" and part.body["k"] == result["k"])
    beacon = bytes.fromhex(close["beacon"])
    key = streams.step_key(bytes.fromhex(result["seed"]), "leipzig-1", result["k"], beacon)
    extra = {"label": "x/reroll", "kind": "roll", "rule": "1", "secret": False, "sides": 6, "seat": "french"}
    result["draws"].append(extra | {"values": list(streams.roll(key, "x/reroll", 2, 6))})


def another_rule(parts: list[Part]) -> None:
    rolls(parts)[0]["draws"][0]["rule"] = "99.9"


def another_answer(parts: list[Part]) -> None:
    journal = next(part.body for part in parts if part.body.get("act") == "journal")
    journal["answers"].pop()


def test_an_answer_left_out_is_found_without_the_rules() -> None:
    parts = unhashed(played())
    another_answer(parts)
    assert verdict_on(rehash(parts)).code == "unplayed"


@pytest.mark.parametrize("forge", [dropped_roll, added_roll])
def test_level_four_finds_what_only_the_rules_know(
    forge: Callable[[list[Part]], None], tmp_path: Path
) -> None:
    parts = unhashed(played())
    forge(parts)
    forged = rehash(parts)
    assert verdict_on(forged).ok
    code, data = level_four(forged, tmp_path)
    assert (code, data["ok"], data["levels"]["4"]) == (1, False, "failed")
    assert data["replay"]


def replayed(entries: tuple[entries_module.Entry, ...], verdict: Verdict) -> list[Draw]:
    """What the rules demand when the game of a log is played again with its draws and answers."""
    body: dict[str, Any] = next(entry.body for entry in entries if entry.body.get("act") == "journal")
    rules, setup = games.load("leipzig"), verdict.genesis["setup"]
    assert isinstance(setup, dict)
    chance = Demanded(draw for step in verdict.steps for draw in step.draws)
    game = Game.start(rules, setup["scenario"], setup["options"], chance)
    for turn in body["answers"]:
        answer = answer_from_data(turn["answer"], rules.orders)
        game.give(Given(turn["key"], turn["seat"], answer, turn["origin"], turn["by"]))
    assert game.over
    return list(chance.demanded.values())


@pytest.mark.parametrize("source", [None, SOURCE])
def test_a_whole_game_has_the_draws_that_the_rules_demand(source: Source | None) -> None:
    entries = played(source)
    verdict = verdict_on(entries, collect=True)
    assert verdict.ok, verdict.reason()
    assert verdict.rounds == (verdict.step_count if source else 0)
    assert compare(verdict, replayed(entries, verdict)).ok


def test_a_replay_demands_the_rule_as_well() -> None:
    parts = unhashed(played())
    another_rule(parts)
    entries = tuple(rehash(parts))
    verdict = verdict_on(entries, collect=True)
    assert verdict.ok
    found = compare(verdict, replayed(entries, verdict))
    assert (found.code, found.entry > 0) == ("roll-differs", True)


def test_a_file_of_a_hundred_megabytes_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(100 << 20)
    tracemalloc.start()
    assert audit_file(path).code == "limits"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 << 20


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    game = SampleGame()
    path = tmp_path / "long"
    with path.open("wb") as file:
        last = game.entries[0]
        file.write(last.line() + b"\n")
        for n in range(2_000):
            last = entries_module.append(
                last, "act", last.at, entries_module.act("x", "note", text="é" * 1_000, n=n)
            )
            file.write(last.line() + b"\n")
    assert path.stat().st_size > 4_000_000
    tracemalloc.start()
    assert audit_file(path).ok
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


def test_writing_the_verifier_out(tmp_path: Path) -> None:
    program, page = write(tmp_path / "new")
    assert program.name == "pbem_verify.py"
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_two_chapters_cannot_use_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembling, "CHAPTERS", ("log/fields", "draw/streams", "log/entries"))
    with pytest.raises(assembling.Clash):
        assembling.program()


def test_every_chapter_is_played_by_the_croupier_too() -> None:
    assert Croupier.roll.__globals__["streams"] is streams
