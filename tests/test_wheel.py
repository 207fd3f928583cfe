"""Installed as a wheel, templates, scenarios, rules, fonts and migrations come along."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

TOP = Path(__file__).parent.parent

TRY = """
import pbem, sys
from pathlib import Path
from pbem import games, paths
here = Path(sys.argv[1])
assert Path(pbem.__file__).is_relative_to(here), pbem.__file__
assert all(path.is_relative_to(here) for path in (paths.templates(), paths.scenarios(), paths.rules()))
from pbem.proving.check import stand
from pbem.campaign.commands.rules import rulebook
from pbem.reports.catalogue import catalogue
from pbem.store.store import Store
assert {"ccn", "crowns", "leipzig", "nce"} <= set(games.names())
game = stand("leipzig", None)
assert catalogue("fr", game.rules).has("events", game.rules.events[0].kind())
assert rulebook("leipzig").rules
store = Store.open(f"sqlite:///{here}/x.db")
store.migrate()
assert store.check() == "current"
from pbem.reports import map as maps
assert maps.png(game.rules.drawing(game.view(None), None, "en"), 300, cache_dir=here).startswith(b"\\x89PNG")
print("all there")
"""


def test_the_wheel_holds_all_that_the_program_needs(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=TOP,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        file.extractall(installed)
    assert not [name for name in names if "SOURCE" in name or name.startswith("tests/")]
    done = subprocess.run(
        [sys.executable, "-c", TRY, str(installed)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "all there" in done.stdout
