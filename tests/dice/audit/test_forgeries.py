"""The corpus of forgeries against the package and the stand-alone verifier, and forgeries by careless hands."""

from __future__ import annotations

import importlib.util
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pbem.dice.audit.audit import audit
from pbem.dice.audit.mailbox import read_letters
from tests.dice.audit.forgeries import BEACON, CHAIN, Case, cases, honest
from tests.dice.audit.verifier_file import PROGRAM
from tests.dice.sample import NETWORKS, export, nth, rehash, unhashed, verdict_on, whole_game

CASES = {case.name: case for case in cases()}


@pytest.fixture(scope="module")
def alone() -> ModuleType:
    """The verifier as a file of its own."""
    spec = importlib.util.spec_from_file_location("pbem_verify_alone", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_there_are_many_ways_to_cheat() -> None:
    for mode in (CHAIN, BEACON):
        assert len({case.name for case in CASES.values() if case.mode == mode and case.code}) >= 40
    assert all(case.about for case in CASES.values())


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_package_names_what_is_wrong(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "letters"
    path.write_bytes(case.letters)
    verdict = audit(io.BytesIO(case.log), networks=NETWORKS, mailbox=read_letters([path]))
    assert verdict.code == case.code, verdict.reason()
    assert verdict.ok == (not case.code)
    assert verdict.ok or 1 <= verdict.entry <= case.log.count(b"\n")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_verifier_alone_agrees(case: Case, alone: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "letters"
    path.write_bytes(case.letters)
    networks = (alone.QUICKNET, alone.Network(**NETWORKS[1].body()))
    here = audit(io.BytesIO(case.log), networks=NETWORKS, mailbox=read_letters([path]))
    there = alone.audit(io.BytesIO(case.log), networks=networks, mailbox=alone.read_letters([path]))
    assert there.data() == here.data()
    assert there.report("fr") == here.report("fr")


def test_a_forgery_without_letters_is_found_by_a_head_as_well() -> None:
    """Where the log itself is forged, that is, and not what a player was dealt."""
    for case in CASES.values():
        if case.code and case.mode == CHAIN and case.log != export(honest(CHAIN)):
            told = [(honest(CHAIN)[-1].n, honest(CHAIN)[-1].hash[:16])]
            assert not audit(io.BytesIO(case.log), heads=told).ok


def test_two_heads_for_one_entry_are_a_fork() -> None:
    log = honest(CHAIN)
    assert verdict_on(log, heads=[(3, log[2].hash[:16]), (3, "0" * 16)]).code == "head"


CARELESS: list[tuple[str, Callable[[list[bytes]], list[bytes]]]] = [
    ("hash", lambda lines: [*lines[:1], lines[1].replace(b'"k":1', b'"k":2'), *lines[2:]]),
    ("number", lambda lines: [lines[0], lines[2], lines[1], *lines[3:]]),
    ("number", lambda lines: lines[:4] + lines[5:]),
    ("number", lambda lines: [lines[0], *lines]),
    ("canonical", lambda lines: [lines[0].replace(b",", b", ", 1), *lines[1:]]),
    ("canonical", lambda lines: [lines[0].replace(b'{"at"', b'{"at":"x","at"', 1), *lines[1:]]),
    ("truncated", lambda lines: [*lines[:-1], lines[-1][:100]]),
    ("unreadable", lambda lines: [*lines[:3], b"\n", *lines[3:]]),
]


@pytest.mark.parametrize(("code", "spoil"), CARELESS)
def test_a_careless_forgery_is_found(code: str, spoil: Callable[[list[bytes]], list[bytes]]) -> None:
    lines = export(honest(CHAIN)).splitlines(keepends=True)
    assert audit(io.BytesIO(b"".join(spoil(lines)))).code == code


def test_an_entry_of_another_log_does_not_fit() -> None:
    log = whole_game().entries
    parts = unhashed(log)
    nth(parts, "genesis")["engine"] = "0.2.0"
    other = rehash(parts)
    verdict = verdict_on([*log[:4], *other[4:]])
    assert (verdict.code, verdict.entry) == ("chain", 5)
