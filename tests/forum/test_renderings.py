"""What a post shows is what the letter says: Markdown and BBCode against the plain text, word by word."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import AsyncIterator
from pathlib import Path

import bbcode
import msgspec
import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from pbem.post.outcome import Outcome
from pbem.reports.markup import escape_bbcode, escape_markdown
from tests.forum.robots import Table
from tests.forum.sites import MemorySite, opened

GAMES = [("leipzig", "battle"), ("ccn", ""), ("nce", "")]


def words(text: str) -> list[str]:
    """The words of a text, whatever stands between them."""
    return re.findall(r"\w+", text.casefold().replace("\u200b", ""))


def shown(html: str) -> list[str]:
    """The words that a browser shows; pictures have none."""
    tree = LexborHTMLParser(f"<div>{html}</div>")
    return words(tree.text(separator=" "))


def rendered(kind: str, text: str) -> list[str]:
    """The words that a board shows of a post."""
    if kind == "text/markdown":
        return shown(MarkdownIt("commonmark", {"html": True}).render(text))
    parser = bbcode.Parser(newline="\n", replace_links=False, replace_cosmetic=False)
    parser.add_simple_formatter("img", "", strip=True)
    parser.add_simple_formatter("spoiler", "%(value)s")
    return shown(parser.format(text))


async def letters(
    tmp_path: Path, game: str, scenario: str, **facts: object
) -> AsyncIterator[tuple[str, str, str]]:
    """The plain text and the post of every letter of the beginning of a game."""
    from pbem import games

    async with opened(MemorySite) as site:
        site.robot.facts = msgspec.structs.replace(site.robot.facts, **facts)
        table = Table(site, f"sqlite:///{tmp_path}/{game}.db")
        caught: list[bytes] = []
        send = table.daemon.outlet.send

        async def catch(raw: bytes, sender: str, recipients: list[str]) -> Outcome:
            caught.append(raw)
            return await send(raw, sender, recipients)

        table.daemon.outlet.send = catch  # type: ignore[method-assign,assignment]
        scenario = scenario or next(iter(games.load(game).scenarios))
        seats = games.load(game).scenarios[scenario].seats
        await table.begin(game, scenario, dict(zip(seats, ("alice", "bob"), strict=True)), thread_lang="fr")
        await table.play(6)
        table.store.close()
    for raw in caught:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        parts = {part.get_content_type(): part for part in message.walk()}
        kind = next(kind for kind in ("text/markdown", "text/x-bbcode") if kind in parts)
        plain = parts["text/plain"].get_content()
        data = parts[kind].get_payload(decode=True)
        assert isinstance(data, bytes)
        yield plain, kind, data.decode()


@pytest.mark.parametrize("fold", ["", "details", "discourse", "spoiler"])
@pytest.mark.parametrize(("game", "scenario"), GAMES)
async def test_a_post_in_markdown_says_what_the_letter_says(
    tmp_path: Path, game: str, scenario: str, fold: str
) -> None:
    number = 0
    async for plain, kind, post in letters(tmp_path, game, scenario, fold=fold):
        said = rendered(kind, re.sub(r'\[/?(?:spoiler|details)(?:="([^"\n]*)")?\]', r"\1", post))
        assert said == words(plain)
        assert "\n# " not in post
        number += 1
    assert number >= 6


@pytest.mark.parametrize(("game", "scenario"), GAMES)
async def test_a_post_in_bbcode_says_what_the_letter_says(tmp_path: Path, game: str, scenario: str) -> None:
    number = 0
    async for plain, kind, post in letters(tmp_path, game, scenario, dialect="bbcode", fold="spoiler"):
        assert kind == "text/x-bbcode"
        assert rendered(kind, post) == words(plain)
        number += 1
    assert number >= 6


@pytest.mark.parametrize(
    "text",
    [
        "*stars* and _lines_ and `ticks` and [b]tags[/b] and <i>tags</i> and &amp; entities &lt;",
        "# no heading",
        "## no heading",
        "> no quotation",
        "- no list",
        "1. no list",
        "+ no list",
        "[a](http://b) is no link, ![c](d) no picture",
        "a\\b ~~c~~ *",
        "www.example.org and nce.fr",
    ],
)
def test_what_a_player_writes_stays_what_it_is(text: str) -> None:
    assert rendered("text/markdown", escape_markdown(text)) == words(text)
    assert rendered("text/x-bbcode", escape_bbcode(text)) == words(text)
