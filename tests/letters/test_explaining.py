"""What a host is shown of a letter: every line, and what it was taken for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.main import app
from pbem.letters.explaining import explain, shown
from pbem.letters.reading import read
from tests.letters.table import LETTERS, OURS, OWN

CORPUS = Path(__file__).parent / "corpus"


def test_the_kept_lines_are_those_that_the_reader_keeps() -> None:
    for made in LETTERS:
        letter, told = read(made.raw, own_address=OWN), explain(made.raw, OWN)
        assert told.kept == tuple(line for line in letter.lines if line), made.name
        assert told.machine == (made.kind or "")
        assert shown(told)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pass\n\n> older", "quoted"),
        ("pass\n\nOn Mon, Mar 3, 2025 at 5:02 PM M <m@p.ex> wrote:\n\nolder", "attribution"),
        ("pass\n\n-----Original Message-----\nolder", "older letter"),
        ("pass\n-- \nAnne", "signature"),
        ("pass\nSent from my iPhone", "footer"),
        ("pass\nEND\nmore", "end"),
        ("pass\n\nBattle · leipzig-1\nNey · t1\n==========\nx", "our own letter"),
        ("[[orders g k #00000000]]\n1: pass\n[[end]]", "form"),
    ],
)
def test_why_a_line_was_left_out(text: str, why: str) -> None:
    told = explain(f"From: a@b.example\n\n{text}".encode())
    assert why in {line.taken_for for line in told.lines}


def test_the_command() -> None:
    file = CORPUS / "gmail-edited-quoted-form.eml"
    result = CliRunner().invoke(app, ["read", "--json", str(file)])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["sender"] == "alice.moreau@gmail.example"
    assert told["game"] == "leipzig-7"
    assert told["forms"][0]["edited"]
    two = CliRunner().invoke(app, ["read", str(file), str(CORPUS / "auto-dsn-postfix.eml")])
    assert "(for good)" in two.stdout
    assert "form     t3/actions of leipzig-7, edited" in two.stdout
    assert CliRunner().invoke(app, ["read", "nowhere.eml"]).exit_code != 0


def test_a_doubtful_line_is_marked() -> None:
    told = explain(
        f"From: a@b.example\n\npass\n\npbem <m@p.example> 3.3.2025 17:02\n\nRESIGN {OURS}".encode()
    )
    assert told.doubtful_from == 2
    assert [line.text for line in told.lines if line.doubtful] == ["pbem <m@p.example> 3.3.2025 17:02"]
