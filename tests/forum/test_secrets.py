"""What is private stays private on a board: pictures, file names, titles, tokens, and who gets what."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from pbem.campaign.intake.tokens import hidden
from pbem.reports.map.paint.salt import salted
from tests.forum.robots import Table
from tests.forum.sites import MemorySite, opened
from tests.forum.test_contract import PNG


def test_a_salted_picture_looks_the_same_and_never_has_the_same_bytes() -> None:
    made = {salted(PNG) for _ in range(50)}
    assert len(made) == 50
    for one in made:
        assert Image.open(io.BytesIO(one)).tobytes() == Image.open(io.BytesIO(PNG)).tobytes()


def test_what_is_no_picture_is_left_alone() -> None:
    assert salted(b"not a picture") == b"not a picture"


@pytest.mark.parametrize("game", ["leipzig", "nce"])
async def test_planted_secrets_reach_nobody_else(tmp_path: Path, game: str) -> None:
    """Each seat sends itself a word in a private question; no post, title, file name or byte elsewhere has it."""
    from pbem import games

    scenario, seats = next((name, one.seats) for name, one in games.load(game).scenarios.items())
    async with opened(MemorySite) as site:
        assert isinstance(site, MemorySite)
        table = Table(site, f"sqlite:///{tmp_path}/{game}.db")
        names = dict(zip(seats, ("alice", "bob"), strict=True))
        await table.begin(game, scenario, names)
        planted = {}
        for n in range(4):
            await table.play(3 * (n + 1))
            for seat, name in names.items():
                word = f"Zq{seat}{n}xylophone"
                planted[word] = name
                await table.post(seat, name, f"MOVE {word} to nowhere\nCHECK\nMOVE {word}", public=False)
                await table.daemon.fetch_posts()
                await table.deliver()
        forum = site.forum
        for word, name in planted.items():
            readers = {forum.member(name), forum.member("pbem")}
            for topic in forum.topics.values():
                if not (topic.members and topic.members <= readers):
                    assert all(word.casefold() not in one.text.casefold() for one in topic.posts)
                    assert word not in topic.title
            for where, (file, data) in forum.files.items():
                assert word not in where + file
                assert word.encode() not in data
        table.store.close()


async def test_a_private_picture_has_a_name_of_chance_unless_it_shows_what_all_may_see(
    tmp_path: Path,
) -> None:
    async with opened(MemorySite) as site:
        assert isinstance(site, MemorySite)
        table = Table(site, f"sqlite:///{tmp_path}/game.db")
        await table.begin("nce", "1805", {"empire": "alice", "coalition": "bob"})
        await table.play(8)
        table.store.close()
        forum = site.forum
        pattern = r"\]\((/files/[^)]+)\)"
        private = {where for text in forum.texts(private=True) for where in re.findall(pattern, text)}
        public = {where for text in forum.texts(private=False) for where in re.findall(pattern, text)}
        secret = {where for where in private if re.fullmatch(r"/files/\d+/[0-9a-f]{24}\.png", where)}
        assert len(secret) >= 2
        assert not secret & public
        assert len({forum.files[where][1] for where in secret}) == len(secret)
        assert all("/nce-" in where for where in private - secret)
        assert all(hidden(text) == text for text in forum.texts())
