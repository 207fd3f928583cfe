"""Letters of nce are short: what its reader knows is one line, the picture is the theatre, all stays under 250 kB."""

from __future__ import annotations

import asyncio
import email
import email.policy
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.outgoing.rendering import Secretary
from pbem.reports.map.paint.renderer import InlineRenderer
from tests.games.nce.test_player import Post

MOST = 250_000


class Weighed(Post):
    """The same, with real pictures; `bytes` and `parts` are those of the last letters, by seat."""

    def _deliver(self) -> None:
        renderer = InlineRenderer()
        secretary = Secretary(self.moderator.campaign, renderer, 1200)
        self.received, self.weights, self.files = {}, {}, {}
        for row in self.store.outbox.due(self.now, 100):
            raw = asyncio.run(secretary.write(row))
            opened = email.message_from_bytes(raw, policy=email.policy.default)
            part = opened.get_body(("plain",))
            assert part is not None
            assert row.seat is not None
            assert row.id is not None
            self.received[row.seat] = part.get_content()
            self.weights[row.seat] = len(raw)
            self.files[row.seat] = [one.get_filename() for one in opened.walk() if one.get_filename()]
            self.store.outbox.mark_sent(row.id, self.now)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Weighed]:
    made = Weighed(f"sqlite:///{tmp_path}/nce.db", {})
    yield made
    made.store.close()


def test_letters_stay_short_and_light(post: Weighed) -> None:
    assert max(post.weights.values()) < MOST, post.weights
    assert "unchanged" not in post.received["coalition"]
    post.send("empire", "sans carte")
    said = post.send("coalition", "no card")
    asked = said.get("empire") or post.send("empire", "ÉTAT")["empire"]
    assert "sans changement" in asked
    assert "CARTE envoie la carte entière" in " ".join(asked.split())
    assert max(post.weights.values()) < MOST, post.weights
    whole = post.send("empire", "ÉTAT")["empire"]
    assert "sans changement" not in whole
    assert len(whole.splitlines()) > len(asked.splitlines()) + 30


def test_whoever_wants_everything_gets_it(post: Weighed) -> None:
    post.send("empire", "COMPLET")
    post.send("empire", "sans carte")
    said = post.send("coalition", "no card")
    assert "sans changement" not in said["empire"]
    post.send("empire", "BREF")
