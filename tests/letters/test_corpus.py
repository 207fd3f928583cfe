"""Letters as mail programs really write them, each with what must be read from it."""

import importlib.util
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.letters.reading import read

CORPUS = Path(__file__).parent / "corpus"
NAMES = sorted(path.stem for path in CORPUS.glob("*.eml"))
OWN = "moderator@pbem.example"


def _expected(name: str) -> dict[str, Any]:
    return tomllib.loads((CORPUS / f"{name}.toml").read_text(encoding="utf-8"))


def test_corpus_is_whole() -> None:
    assert len(NAMES) >= 150
    assert sorted(path.stem for path in CORPUS.glob("*.toml")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_letter_is_read_as_expected(name: str) -> None:
    expected = _expected(name)
    letter = read((CORPUS / f"{name}.eml").read_bytes(), own_address=OWN)

    assert list(letter.lines) == expected["lines"]
    forms = [
        {"game": f.game, "key": f.key, "edited": f.edited, "closed": f.closed, "lines": list(f.lines)}
        for f in letter.forms
    ]
    assert forms == [{"closed": True, **form} for form in expected.get("forms", [])]
    assert (letter.auto.kind if letter.auto else None) == expected.get("auto")
    assert [trouble.code for trouble in letter.troubles] == expected.get("troubles", [])
    for field in ("sender", "token", "topic"):
        if field in expected:
            assert getattr(letter, field) == expected[field]
    bounces = letter.auto.bounces if letter.auto else ()
    assert len(bounces) == len(expected.get("bounces", []))
    for bounce, wanted in zip(bounces, expected.get("bounces", []), strict=True):
        assert {field: getattr(bounce, field) for field in wanted} == wanted


@pytest.mark.parametrize("name", NAMES)
def test_line_ends_do_not_matter(name: str) -> None:
    raw = (CORPUS / f"{name}.eml").read_bytes().replace(b"\r\n", b"\n")
    unix, internet = (read(r, own_address=OWN) for r in (raw, raw.replace(b"\n", b"\r\n")))
    assert (unix.lines, unix.forms, unix.sender, unix.auto) == (
        internet.lines,
        internet.forms,
        internet.sender,
        internet.auto,
    )


def _library_messages() -> list[Path]:
    """The messages that the standard library tests itself with, where its tests are installed."""
    spec = importlib.util.find_spec("test.test_email") if importlib.util.find_spec("test") else None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return sorted(path for folder in folders for path in Path(folder).glob("data/msg_*.txt"))


@pytest.mark.parametrize("path", _library_messages(), ids=lambda path: path.stem)
def test_the_standard_librarys_own_messages_are_read(path: Path) -> None:
    letter = read(path.read_bytes(), own_address=OWN)
    assert "unreadable" not in [trouble.code for trouble in letter.troubles]
    assert letter.lines or letter.troubles or letter.auto or not letter.text
