import hashlib
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.dice.log import entries as entries_module
from pbem.dice.log import fields
from pbem.dice.log.receipts import Leaf, leaf_digest, receipt
from tests.dice.sample import export, whole_game

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


def test_an_entry_hashes_what_it_says_and_the_one_before() -> None:
    first = entries_module.append(None, "genesis", "1805-12-02T07:00:00Z", {"b": 1, "a": "é"})
    second = entries_module.append(first, "act", "1805-12-02T08:00:00Z", {})
    bare = b'{"at":"1805-12-02T07:00:00Z","body":{"a":"\xc3\xa9","b":1},"kind":"genesis","n":1,"prev":"%s"}'
    assert first.hash == hashlib.sha256(b"pbem-log/1|" + bare % (b"0" * 64)).hexdigest()
    assert second.prev == first.hash
    assert second.head == f"log #2 head={second.hash[:16]}"


def test_a_log_has_one_genesis_and_known_kinds() -> None:
    first = entries_module.append(None, "genesis", "", {})
    for before, kind in ((None, "act"), (first, "genesis"), (first, "gossip")):
        with pytest.raises(ValueError):
            entries_module.append(before, kind, "", {})


@given(JSON)
def test_moderator_and_auditor_agree_on_canonical_json(value: object) -> None:
    assert entries_module.canonical(value) == fields.canonical(value)


def test_an_export_is_read_again_as_it_was() -> None:
    entries = whole_game().entries
    data = export(entries)
    assert list(entries_module.read(io.BytesIO(data))) == entries
    assert all(json.loads(line)["n"] == n for n, line in enumerate(data.splitlines(), 1))


@pytest.mark.parametrize("spoil", [b"", b"[1]", b"{", b"\xff\xfe", b'{"n":2}', b"[" * 100_000])
def test_reading_refuses_what_is_no_entry(spoil: bytes) -> None:
    lines = export(whole_game().entries).splitlines(keepends=True)
    lines[1] = spoil + b"\n"
    with pytest.raises(entries_module.BrokenLog, match="line 2"):
        list(entries_module.read(lines))


def test_reading_refuses_a_gap() -> None:
    lines = export(whole_game().entries).splitlines(keepends=True)
    with pytest.raises(entries_module.BrokenLog, match="line 3"):
        list(entries_module.read(lines[:2] + lines[3:]))


def test_a_receipt_seals_orders() -> None:
    leaf = Leaf("french", "00ff", "MOVE|NEY")
    body = receipt("french", b"raw", leaf)
    assert body["leaf"] == hashlib.sha256(b"leaf|french|00ff|MOVE|NEY").hexdigest()
    assert body["letter"] == hashlib.sha256(b"raw").hexdigest()
    assert "MOVE" not in str(body)
    for player, salt in (("a|b", "00"), ("a", "0|0")):
        with pytest.raises(ValueError):
            leaf_digest(player, salt, "")
