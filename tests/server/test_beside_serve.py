"""What another process does beside a running daemon: its letters go soon, and each is told of in the log."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from pathlib import Path

import pytest

from pbem.campaign.campaign import Settings
from pbem.campaign.intake.moderator import Player
from pbem.letters.composing import reply_address
from pbem.post.embedded import EmbeddedPost
from pbem.server import config as configs
from pbem.server import daemon as daemons
from pbem.server import wiring
from pbem.server.config import Config, MaildirConfig, StoreConfig
from pbem.store.tables import DispatchRow

MODERATOR, ALICE, BOB = "moderator@pbem.example", "alice@pbem.example", "bob@pbem.example"
FOR_EVER = 60.0


async def test_a_game_begun_by_another_process_is_told_of_at_once_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(daemons, "LOOK_AGAIN", 0.01)
    caplog.set_level(logging.INFO)
    box = tmp_path / "box"
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    async with EmbeddedPost({MODERATOR: "tambour", ALICE: "major", BOB: "trumpet"}) as post:
        config = Config(
            moderator=Settings(MODERATOR),
            store=StoreConfig(f"sqlite:///{tmp_path}/pbem.db"),
            maildir=MaildirConfig(str(box)),
            smtp=post.smtp_settings(MODERATOR),
        )
        async with wiring.build(config) as daemon:
            told, looked = asyncio.Event(), asyncio.Event()
            sent: list[str] = []

            def count(row: DispatchRow) -> None:
                sent.append(row.address)
                if len(sent) == 2:
                    told.set()

            def look() -> datetime | None:
                looked.set()
                return next_due()

            next_due = daemon.store.outbox.next_due
            monkeypatch.setattr(daemon.store.outbox, "next_due", look)
            daemon._on_sent = count
            serving = asyncio.create_task(daemon.run())
            # It has found nothing to send, and waits: for five minutes, were it not for the other process.
            await looked.wait()
            beside = wiring.moderator(config)
            game = beside.opening.open_game(
                "leipzig", "battle", {}, {"french": Player("Anne", ALICE), "allied": Player("Bob", BOB)}
            )
            async with asyncio.timeout(FOR_EVER):
                await told.wait()
            daemon.stop()
            await serving
            assert sorted(sent) == [ALICE, BOB]
            token = beside.tables.at_hand(game).token("french").text()
            head = f"From: {ALICE}\nTo: {reply_address(MODERATOR, token)}\nMessage-ID: <1@x.example>\n"
            (box / "new" / "1").write_text(f"{head}\nthe secret plan\n", encoding="utf-8")
            assert await daemon.fetch() == 1
            beside.store.close()
    lines = [record.getMessage() for record in caplog.records if record.name == "pbem"]
    assert sum(f"{game} french, start" in line and line.startswith("out ") for line in lines) == 1
    assert sum(f"{game} french, done" in line and line.startswith("in ") for line in lines) == 1
    assert "secret plan" not in "\n".join(lines)


def test_what_only_looks_into_the_store_needs_no_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBEM_MAIL_PASSWORD", raising=False)
    file = tmp_path / "pbem.toml"
    server = 'host = "mail.example.org"\nusername = "m"\npassword_env = "PBEM_MAIL_PASSWORD"\n'
    file.write_text(f'[moderator]\naddress = "{MODERATOR}"\n[imap]\n{server}[smtp]\n{server}')
    with pytest.raises(configs.BadConfig, match="PBEM_MAIL_PASSWORD"):
        configs.load(file)
    assert configs.load(file, without=configs.POST).moderator.address == MODERATOR
