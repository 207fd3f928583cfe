import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice.draw.streams import sha256
from pbem.dice.log.merkle import Tree, root_of, verify

DATA = st.lists(st.binary(max_size=8), min_size=1, max_size=40)


@given(DATA)
def test_every_position_is_proved(data: list[bytes]) -> None:
    tree = Tree(data)
    assert all(verify(tree.root, len(data), n, each, tree.path(n)) for n, each in enumerate(data))


@given(DATA, st.data())
def test_nothing_else_is_proved(data: list[bytes], pick: st.DataObject) -> None:
    tree = Tree(data)
    position = pick.draw(st.integers(0, len(data) - 1))
    path = tree.path(position)
    card = data[position]
    assert not verify(tree.root, len(data), position, card + b"x", path)
    assert not verify(tree.root, len(data), position, card, (*path, bytes(32)))
    assert not verify(sha256(tree.root), len(data), position, card, path)
    assert not verify(tree.root, len(data), -1, card, path)
    assert not verify(tree.root, position, position, card, path)
    if path:
        assert not verify(tree.root, len(data), position, card, path[:-1])
        assert not verify(tree.root, len(data), position, card, (bytes(32), *path[1:]))


@given(st.integers(2, 40), st.data())
def test_a_proof_holds_for_one_position_only(size: int, pick: st.DataObject) -> None:
    data = [bytes([n]) for n in range(size)]
    tree = Tree(data)
    position = pick.draw(st.integers(0, size - 1))
    elsewhere = pick.draw(st.integers(0, size - 1).filter(lambda n: n != position))
    assert not verify(tree.root, size, elsewhere, data[position], tree.path(position))


def test_a_node_cannot_pass_for_a_leaf() -> None:
    left, right = sha256(b"\x00a"), sha256(b"\x00b")
    assert root_of([b"a", b"b"]) == sha256(b"\x01" + left + right)
    assert root_of([left + right]) != root_of([b"a", b"b"])


def test_the_tree_of_nothing() -> None:
    assert root_of([]) == sha256(b"")
    with pytest.raises(IndexError):
        Tree([]).path(0)
