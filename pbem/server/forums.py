"""Boards as the host has set them up: made, looked up, examined."""

from __future__ import annotations

import re

from pbem.letters.posted import account_address
from pbem.post.forum.board import Board, BoardTrouble, PostRefused
from pbem.post.forum.kinds import make
from pbem.server.config import BadConfig, Config
from pbem.server.finding import Finding

_MEMBER = re.compile(r"([^@\s,]{1,80})@([a-z0-9][a-z0-9-]{0,30})")


def boards(config: Config) -> dict[str, Board]:
    """The boards, by name. Raises BadConfig."""
    made = {}
    for one in config.boards:
        try:
            made[one.name] = make(
                one.kind,
                one.name,
                one.url,
                username=one.username,
                password=one.password,
                token=one.token,
                category=one.category,
                description=one.description,
                calls_a_minute=one.calls_a_minute,
            )
        except ValueError as error:
            raise BadConfig(f"[[boards]] {one.name}: {error}") from error
    return made


async def address_of(config: Config, text: str) -> str:
    """The address that somebody is written by: a member NAME@BOARD of a board becomes his account's address.

    Raises BadConfig where the board has no such member, or no private topics to write to him.
    """
    match = _MEMBER.fullmatch(text.strip())
    if match is None or match[2] not in {one.name for one in config.boards}:
        return text
    board = boards(config)[match[2]]
    try:
        account = await board.find_account(match[1])
    except (BoardTrouble, PostRefused) as error:
        raise BadConfig(f"{match[2]} cannot be asked for {match[1]!r}: {error}") from error
    finally:
        await board.close()
    if account is None:
        raise BadConfig(f"{match[2]} has no member {match[1]!r}")
    if not board.facts.private:
        raise BadConfig(f"{match[2]} has no private topics: {match[1]} needs a mail address")
    return account_address(match[2], account.id)


async def examine(config: Config) -> list[Finding]:
    """What `pbem doctor` says about the boards: each thing looked at, and what the board's owner must set."""
    findings: list[Finding] = []
    try:
        made = boards(config)
    except BadConfig as error:
        return [Finding("boards", False, str(error), "correct that key; deploy/pbem.toml shows all of them")]
    for name, board in made.items():
        try:
            for what, well, text in await board.check():
                remedy = "" if well else "tell the owner of the board, or choose mail for that part"
                findings.append(Finding(f"{name}: {what}", well, text, remedy))
            facts = board.facts
            shortest = f"posts have at least {facts.shortest} characters; " if facts.shortest else ""
            said = f"{shortest}at most {facts.longest}; a look every {_poll(config, name):.0f} s"
            findings.append(Finding(f"{name}: limits", True, said))
        except (BoardTrouble, PostRefused) as error:
            remedy = "check url, username and password or token of that board, and that it answers"
            findings.append(Finding(name, False, str(error), remedy))
        finally:
            await board.close()
    return findings


def _poll(config: Config, name: str) -> float:
    return next(one.poll for one in config.boards if one.name == name)
