"""Merkle trees: one hash that stands for a whole deck or a whole mailbag, and short proofs of membership.

A leaf is `H(0x00 + data)`, a node is `H(0x01 + left + right)`, so that neither can pass for the other; a
node without a neighbour moves up unchanged; the tree of nothing is `H("")`. A proof lists the neighbours
from the leaf upwards. Left or right follows from the position and the size, so a proof also proves the
position.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.dice.draw.streams import sha256


def _leaf(data: bytes) -> bytes:
    return sha256(b"\x00" + data)


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right)


class Tree:
    """A tree over some data, in their order."""

    def __init__(self, data: Sequence[bytes]) -> None:
        self.size = len(data)
        level = [_leaf(each) for each in data]
        self._levels = [level]
        while len(level) > 1:
            above = [_node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
            if len(level) % 2:
                above.append(level[-1])
            self._levels.append(above)
            level = above

    @property
    def root(self) -> bytes:
        """The hash that stands for all of it."""
        return self._levels[-1][0] if self.size else sha256(b"")

    def path(self, position: int) -> tuple[bytes, ...]:
        """The proof for the data at `position`."""
        if not 0 <= position < self.size:
            raise IndexError(f"position {position} in a tree of {self.size}")
        neighbours = []
        for level in self._levels[:-1]:
            neighbour = position ^ 1
            if neighbour < len(level):
                neighbours.append(level[neighbour])
            position >>= 1
        return tuple(neighbours)


def root_of(data: Sequence[bytes]) -> bytes:
    """The root of a tree over some data."""
    return Tree(data).root


def verify(root: bytes, size: int, position: int, data: bytes, path: Sequence[bytes]) -> bool:
    """Whether the data stand at that position of the tree with that root and size."""
    if not 0 <= position < size:
        return False
    remaining = list(path)
    link = _leaf(data)
    while size > 1:
        if position ^ 1 < size:
            if not remaining:
                return False
            neighbour = remaining.pop(0)
            link = _node(neighbour, link) if position % 2 else _node(link, neighbour)
        position >>= 1
        size = (size + 1) >> 1
    return not remaining and link == root
