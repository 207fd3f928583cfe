"""Everything that `pbem serve` is made of, put together: letters read in a process of their own, and noted as sent."""

from __future__ import annotations

from pathlib import Path

from pbem.campaign.campaign import Settings
from pbem.campaign.intake.moderator import Player
from pbem.letters.composing import reply_address
from pbem.post.embedded import EmbeddedPost
from pbem.server import wiring
from pbem.server.config import Config, MaildirConfig, StoreConfig

MODERATOR, ALICE, BOB = "moderator@pbem.example", "alice@pbem.example", "bob@pbem.example"


async def test_a_letter_goes_through_the_whole_service(tmp_path: Path) -> None:
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
        built = wiring.build(config)
        async with built as daemon:
            moderator = daemon.moderator
            game = moderator.opening.open_game(
                "leipzig", "battle", {}, {"french": Player("Anne", ALICE), "allied": Player("Bob", BOB)}
            )
            while await daemon.send_due():
                pass
            before = len(post.messages(ALICE))
            token = moderator.tables.at_hand(game).token("french").text()
            head = f"From: {ALICE}\nTo: {reply_address(MODERATOR, token)}\nMessage-ID: <1@x.example>\n"
            letter = f"{head}\nstatus\n"
            (box / "new" / "1").write_text(letter, encoding="utf-8")
            assert await daemon.fetch() == 1
            assert built._reader.pid is not None
            while await daemon.send_due():
                pass
            assert len(post.messages(ALICE)) == before + 1
            notes = list((tmp_path / "pbem.db-sent").iterdir())
            assert [file.read_bytes() for file in notes] == [b""], "the outbox knows of all"
        assert built._reader.pid is None
        assert not list((tmp_path / "pbem.db-sent").iterdir())
