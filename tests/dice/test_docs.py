import contextlib
import io
import re
from pathlib import Path

import pytest

from tests.dice.sample import export, whole_game

PAGE = Path(__file__).parents[2] / "docs" / "dice.md"


def test_the_page_checks_a_roll_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = whole_game()
    Path("game.jsonl").write_bytes(export(game.entries))
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(program, {})
    values = list(game.croupier.roll("t1/land/lindenau/att", 2, 6, rule="7.2"))
    assert said.getvalue().splitlines() == [
        "seed was fixed: True",
        f"dice: {values} log: {values} same: True",
    ]


def test_the_page_names_every_field_of_every_body() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for entry in whole_game().entries:
        assert f"| `{entry.kind}` |" in page
        if entry.kind != "act":
            assert all(f"`{name}`" in page for name in entry.body)
