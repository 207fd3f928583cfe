"""Which rules count as coded and tested, and which only seem to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.proving.coverage import coverage

RULES = """# A game
**1** Pieces
**1.1** A board.
**1.2** Armies.
**2** Set-up
**2.1** Shuffle. See **9.9** there.
- **2.2** Deal.
**3.8** Tiles.
**10** All by itself.
**10.1a** Lettered.
Nothing **4.4** here.
"""
CODE = '''"""1.1, 1.2: the board and the armies."""

RULE_DEAL = "2.2"
# rule="2.1" in a remark does not count


def shuffle(table):
    """Shuffles, by 2.1."""
    text = 'rule="2.1"'
    table.roll("x", rule="3.8")


class Lettered:
    """10.1a: lettered."""
'''


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def test_coverage(tmp_path: Path) -> None:
    text = write(tmp_path, "rules.md", RULES)
    write(tmp_path, "code/a.py", CODE)
    write(tmp_path, "code/broken.py", "def (")
    write(tmp_path, "tests/cases/g/a.toml", '[[case]]\nrule = ["1.1"]\n[[case]]\nrule = ["2.2", "2.1"]\n')
    write(tmp_path, "tests/cases/g/broken.toml", "[[")
    write(tmp_path, "tests/cases/other/a.toml", '[[case]]\nrule = ["3.8"]')
    write(tmp_path, "tests/games/g/test_a.py", "# rule 1.2 and 10.1a\n# see 3.8\n")
    found = coverage("g", tests=tmp_path / "tests", code=tmp_path / "code", text=text)
    assert found.rules == ("1", "1.1", "1.2", "2", "2.1", "2.2", "3.8", "10", "10.1a")
    assert found.with_code == ("1", "1.1", "1.2", "2.2", "3.8", "10", "10.1a")
    assert found.with_test == ("1", "1.1", "1.2", "2", "2.1", "2.2", "10", "10.1a")
    assert found.missing == ("2", "2.1", "3.8")


def test_a_game_without_rules_text(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        coverage("g", text=tmp_path / "none.md")
