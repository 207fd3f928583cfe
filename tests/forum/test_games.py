"""Games played on boards by robots, with real servers; audited from the log, and from the thread alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.campaign.archive.audit import audit_log
from pbem.campaign.archive.thread_posts import ThreadPost, as_letters
from pbem.campaign.intake.tokens import hidden
from pbem.letters.posted import Place
from tests.forum.robots import Table, log_file
from tests.forum.sites import PRIVATE, Site

SHORT = 10
"""Posts of a game in the usual run; -m slow plays to the end."""


async def thread_of(table: Table) -> list[ThreadPost]:
    """The posts of the public thread as a member reads them."""
    (row,) = [one for one in table.store.topics(table.game) if not one.private]
    place = Place(row.topic)
    rows = table.store.dispatches(table.game, "thread")
    ids = [one.floor.removeprefix("post:") for one in rows if one.floor.startswith("post:")]
    posts = await table.site.robot.again(place, [row.first, *ids])
    return [ThreadPost(post.at, post.text) for post in posts]


async def played(site: Site, tmp_path: Path, most: int, **customs: str) -> Table:
    if PRIVATE not in site.can:
        pytest.skip(f"{site.name} has no private topics: its seats play by mail")
    table = Table(site, f"sqlite:///{tmp_path}/game.db")
    await table.begin("leipzig", "battle", {"french": "alice", "allied": "bob"}, **customs)
    await table.play(most)
    return table


async def checked(table: Table, tmp_path: Path) -> None:
    """The audit of the log agrees with every head in the thread; nothing waits; no token was posted."""
    posts = await thread_of(table)
    folder = tmp_path / "thread"
    folder.mkdir()
    verdict = audit_log(log_file(table.store, table.game, tmp_path), as_letters(posts, folder))
    assert verdict.ok, verdict.report()
    assert verdict.heads >= 2
    assert all(hidden(post.text) == post.text for post in posts)
    assert table.store.outbox.next_due() is None
    table.store.close()


async def test_a_short_game_by_robots(site: Site, tmp_path: Path) -> None:
    table = await played(site, tmp_path, SHORT)
    await table.look()
    assert table.orders == SHORT
    assert table.store.game(table.game).answers >= SHORT
    await checked(table, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["leipzig", "ccn", "nce"])
async def test_a_whole_game_by_robots(site: Site, tmp_path: Path, game: str) -> None:
    if PRIVATE not in site.can:
        pytest.skip(f"{site.name} has no private topics: its seats play by mail")
    from pbem import games

    scenario, seats = next((name, one.seats) for name, one in games.load(game).scenarios.items())
    table = Table(site, f"sqlite:///{tmp_path}/game.db")
    await table.begin(game, scenario, dict(zip(seats, ("alice", "bob"), strict=True)))
    assert await table.play(2000) == "over"
    await checked(table, tmp_path)


def further_parts(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What goes out in second and later parts, on a board whose `longest_private` is too short for a report."""
    found: list[str] = []
    write = site.robot.write

    async def noted(place: Place, text: str, key: str) -> str:
        part = re.search(r"(?m)^(\d+)/\d+$", text)
        if place.private and site.robot.facts.longest_private and part is not None and int(part[1]) > 1:
            found.append(text)
        return await write(place, text, key)

    monkeypatch.setattr(site.robot, "write", noted)
    return found


async def test_orders_cost_few_calls_and_idleness_none_more(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pace = getattr(site.robot, "pace", None)
    if pace is None or PRIVATE not in site.can:
        pytest.skip(f"{site.name} counts no calls, or has no private topics")
    table = await played(site, tmp_path, 0)
    await table.daemon.fetch_posts()
    idle = pace.calls
    await table.daemon.fetch_posts()
    idle = pace.calls - idle
    further = further_parts(site, monkeypatch)
    before, orders = pace.calls, table.orders
    await table.play(orders + 6)
    polls = idle * (table.orders - orders)
    # Measured on Misago: 8.7 before public maps were shared between topics; six is the aim.
    assert (pace.calls - before - polls - len(further)) / (table.orders - orders) <= 9
    table.store.close()
