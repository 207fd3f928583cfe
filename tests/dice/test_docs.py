import contextlib
import io
import re
from pathlib import Path

import pytest

from pbem.dice.beacon.rounds import QUICKNET, Source
from pbem.dice.draw.seeds import Seeds
from pbem.dice.draw.streams import roll, sha256, shuffle
from tests.dice.beacon.drand import REAL_SIGNATURE
from tests.dice.sample import SOURCE, export, whole_game

PAGE = Path(__file__).parents[2] / "docs" / "dice.md"
PAPER = PAGE.with_name("dice-paper.md")


@pytest.mark.parametrize("source", [None, SOURCE])
def test_the_page_checks_a_roll_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Source | None
) -> None:
    monkeypatch.chdir(tmp_path)
    game = whole_game(source)
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
    for entry in (*whole_game().entries, *whole_game(SOURCE).entries):
        assert f"| `{entry.kind}` |" in page
        if entry.kind != "act":
            assert all(f"`{name}`" in page for name in entry.body)
    assert all(f"`{name}`" in page for name in SOURCE.network.body())


def test_the_vectors_of_the_paper() -> None:
    paper = PAPER.read_text(encoding="utf-8")
    beacon = sha256(REAL_SIGNATURE)
    seeds = Seeds("eia-1", bytes(range(32)), bytes(32), 4)
    key = [seeds.step(k, beacon).key for k in (1, 2, 3)]
    for value in (QUICKNET.chain, QUICKNET.key, REAL_SIGNATURE.hex(), beacon.hex(), seeds.anchor):
        assert f"`{value}`" in paper
    assert f"| s₁ | `{seeds.open[1].hex()}` |" in paper
    for k, label, dice, sides in (
        (1, "1805-04/land/ulm/r1/att", 2, 6),
        (1, "1805-04/land/ulm/r1/def", 2, 6),
        (2, "1805-04/attrition/napoleon", 3, 10),
    ):
        values = ", ".join(map(str, roll(key[k - 1], label, dice, sides)))
        assert f"| step {k}, `{label}`, {dice}d{sides} | {values} |" in paper
    order = ", ".join(map(str, shuffle(key[2], "deck/command", range(1, 11))))
    assert f"| step 3, shuffle `deck/command` of 1 to 10 | {order} |" in paper
