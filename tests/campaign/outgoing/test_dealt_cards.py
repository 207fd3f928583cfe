"""Level 3 with real letters: the cards that a player was dealt are those of the decks in the log."""

from __future__ import annotations

import email
import email.policy
import io
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.dice.audit.mailbox import read_letters
from pbem.dice.log import entries as dicelog
from tests.campaign.conftest import Desk
from tests.dice.audit.verifier_file import PROGRAM


class Archive(Desk):
    """A desk whose players keep every letter."""

    def __init__(self, url: str, game: str) -> None:
        self.kept: dict[str, list[bytes]] = {}
        scenario = "battle" if game == "leipzig" else "rolica_1808"
        super().__init__(url, game=game, scenario=scenario)

    def deliver(self, keep: bool = False) -> None:
        super().deliver(keep)
        for address, messages in self.received.items():
            self.kept.setdefault(address, []).extend(map(bytes, messages))

    def play(self, answers: int) -> None:
        whim = random.Random(11)
        while not self.live.over and self.answers() < answers:
            live = self.live
            question = next(q for key, q in live.game.questions.items() if not live.game.answered(key))
            answer = live.rules.robots["random"](live.game.view(question.seat), question, whim)
            self.send(question.seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))

    def write(self, folder: Path) -> tuple[Path, Path]:
        """The log, and the letters of the French player."""
        log, letters = folder / "game.jsonl", folder / "letters"
        file = io.BytesIO()
        dicelog.export(self.store.entries(self.game), file)
        log.write_bytes(file.getvalue())
        letters.mkdir(exist_ok=True)
        for n, raw in enumerate(self.kept["anne@pbem.test"]):
            (letters / f"{n}.eml").write_bytes(raw)
        return log, letters


@pytest.fixture(params=["leipzig", "ccn"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archive]:
    made = Archive(f"sqlite:///{tmp_path}/pbem.db", request.param)
    made.play(12)
    yield made
    made.store.close()


def alone(log: Path, letters: Path) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-I", "-S", str(PROGRAM), str(log), "--json", "--letters", str(letters)]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.stderr == b""
    return done.returncode, json.loads(done.stdout)


def test_every_card_of_a_players_letters_is_in_the_log(archive: Archive, tmp_path: Path) -> None:
    log, letters = archive.write(tmp_path)
    dealt = archive.store.proofs(archive.game, "french")
    proofs = read_letters([letters]).proofs
    assert len(dealt) == len(proofs) > 3
    audited = audit_log(log, [letters])
    assert audited.ok, audited.report()
    assert audited.verdict.cards == len(dealt)
    assert f"{len(dealt)} cartes et dés qui vous ont été donnés" in "\n".join(audited.report("fr"))
    code, data = alone(log, letters)
    assert (code, data["cards"]) == (0, len(dealt))


def swapped(raw: bytes) -> bytes:
    """The letter with another card in the proof that hangs on it; raw again where none does."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    for part in message.iter_attachments():
        if str(part.get_filename()).endswith("-proofs.jsonl"):
            first, *others = part.get_content().decode().splitlines()
            card = json.loads(first)
            card["card"] += "x"
            lines = "\n".join([json.dumps(card), *others]) + "\n"
            part.set_content(lines.encode(), "application", "jsonl", filename=part.get_filename())
            return bytes(message)
    return raw


def test_a_letter_with_another_card_is_found(archive: Archive, tmp_path: Path) -> None:
    log, letters = archive.write(tmp_path)
    path = next(path for path in sorted(letters.iterdir()) if swapped(path.read_bytes()) != path.read_bytes())
    path.write_bytes(swapped(path.read_bytes()))
    audited = audit_log(log, [letters])
    assert (audited.ok, audited.verdict.code) == (False, "proof")
    code, data = alone(log, letters)
    assert (code, data["code"], data["entry"]) == (1, "proof", audited.verdict.entry)


def test_the_file_of_proofs_by_itself_will_do(archive: Archive, tmp_path: Path) -> None:
    log, _ = archive.write(tmp_path)
    file = tmp_path / "my-proofs.jsonl"
    file.write_text("\n".join(proof.data for proof in archive.store.proofs(archive.game, "allied")))
    assert audit_log(log, [file]).verdict.cards > 3


@pytest.mark.parametrize(
    "line",
    [
        '{"salt":1,"path":[]}',
        '["salt","path"]',
        '{"label":"a","card":"b","salt":"zz","root":"00","step":1,"position":0,"size":1,"path":[]}',
        '{"label":"a","card":"b","salt":"' + "0" * 32 + '","root":"' + "0" * 64 + '","step":true,'
        '"position":0,"size":1,"path":[]}',
        '{"label":"a","card":"b","salt":"' + "0" * 32 + '","root":"' + "0" * 64 + '","step":1,'
        '"position":-1,"size":1,"path":[7]}',
        '{"salt":' + "[" * 5000 + '"path"',
    ],
)
def test_what_is_no_proof_is_passed_over(line: str, tmp_path: Path) -> None:
    path = tmp_path / "strange"
    path.write_text(line)
    assert read_letters([path]).proofs == {}
