"""The two chains of seeds that a game commits to before its first draw.

`s_n = H("pbem-seed/1|" + game + "|" + root)` and `s_{k-1} = H("pbem-chain/1|" + s_k)`; the root is 32
random bytes. Genesis publishes the anchor s_0; step k is drawn with s_k, which its result reveals, so that
anyone can check that it hashes to s_{k-1} and was fixed from the start. The z-chain, with a root of its
own, serves secret draws; it is revealed only when the game ends.

A chain can only be walked downwards, while a game climbs it. Every 128th link is therefore kept, and the
links between two kept ones are worked out when the game gets there. The default of 16,384 steps outlasts a
campaign of 10,000 answers (an answer needs at most one step). Making both chains takes some fifteen
milliseconds, once per game and process, and waits for the first draw: taking up a game after a restart needs none.
The number of steps is part of genesis.
"""

from __future__ import annotations

import secrets
from functools import cached_property, lru_cache

import msgspec

from pbem.dice.draw.streams import first_seed, link_below, step_key

STEPS = 16_384
_STRIDE = 128
_BLOCKS_KEPT = 8


class Exhausted(RuntimeError):
    """The game has used all the steps its genesis committed to."""


class Step(msgspec.Struct, frozen=True):
    """The keys of one draw step: `key` for open draws, `secret_key` for hidden ones."""

    k: int
    key: bytes
    secret_key: bytes


class Chain:
    """The links s_0 to s_n of one chain."""

    def __init__(self, game: str, root: bytes, steps: int = STEPS) -> None:
        if steps < 1:
            raise ValueError("a chain needs at least one step")
        self.steps = steps
        self._first = first_seed(game, root)
        self._blocks: dict[int, list[bytes]] = {}

    @cached_property
    def _kept(self) -> dict[int, bytes]:
        """The links from which the others are worked out, made when the first is asked for."""
        link = self._first
        kept = {self.steps: link}
        for k in range(self.steps - 1, -1, -1):
            link = link_below(link)
            if k % _STRIDE == 0:
                kept[k] = link
        return kept

    def __getitem__(self, k: int) -> bytes:
        """s_k."""
        if not 0 <= k <= self.steps:
            raise Exhausted(f"step {k} of a chain of {self.steps}")
        kept = self._kept.get(k)
        if kept is not None:
            return kept
        number = k // _STRIDE
        block = self._blocks.get(number)
        if block is None:
            block = self._block(number)
            if len(self._blocks) >= _BLOCKS_KEPT:
                del self._blocks[next(iter(self._blocks))]
            self._blocks[number] = block
        return block[k % _STRIDE]

    def _block(self, number: int) -> list[bytes]:
        top = min((number + 1) * _STRIDE, self.steps)
        links = [self._kept[top]]
        for _ in range(top - number * _STRIDE):
            links.append(link_below(links[-1]))
        links.reverse()
        return links


class Seeds:
    """Both chains of a game. Whoever holds the roots can foresee its draws: keep them from everyone."""

    def __init__(self, game: str, root: bytes, secret_root: bytes, steps: int = STEPS) -> None:
        if not game or "|" in game:
            raise ValueError(f"not a game id: {game!r}")
        if len(root) != 32 or len(secret_root) != 32:
            raise ValueError("a root is 32 bytes")
        self.game = game
        self.root = root
        self.secret_root = secret_root
        self.steps = steps
        self.open = Chain(game, root, steps)
        self.secret = Chain(game, secret_root, steps)

    @property
    def anchor(self) -> str:
        """s_0, for genesis."""
        return self.open[0].hex()

    @property
    def secret_anchor(self) -> str:
        """z_0, for genesis."""
        return self.secret[0].hex()

    def step(self, k: int, beacon: bytes) -> Step:
        """The keys of draw step k (1 is the first)."""
        if k < 1:
            raise Exhausted(f"step {k}: steps are numbered from 1")
        return Step(
            k,
            step_key(self.open[k], self.game, k, beacon),
            step_key(self.secret[k], self.game, k, beacon),
        )


def new_root() -> bytes:
    """A root that nobody can guess."""
    return secrets.token_bytes(32)


@lru_cache(maxsize=256)
def seeds_of(game: str, root: bytes, secret_root: bytes, steps: int = STEPS) -> Seeds:
    """The seeds of a game, made once per process."""
    return Seeds(game, root, secret_root, steps)
