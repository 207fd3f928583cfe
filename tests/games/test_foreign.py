"""A game that comes as a package of its own is found, played by letters, checked and drawn: the one of `pbem scaffold`.

It is put beside everything else as an installer would do it: a folder with the package and its dist-info. No file of
ours knows of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.scaffold import scaffold

NAME = "two_towns"
METADATA = f"Metadata-Version: 2.1\nName: pbem-game-{NAME}\nVersion: 0.1.0\n"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foreign") / NAME
    scaffold(NAME, folder, "Two Towns")
    return folder


@pytest.fixture(scope="module")
def site(package: Path) -> Path:
    site = package.parent / "site"
    info = site / f"pbem_game_{NAME}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(METADATA, "utf-8")
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{NAME} = {NAME}:RULES\n", "utf-8")
    shutil.copytree(package / NAME, site / NAME)
    return site


def python(site: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_its_own_tests_pass_with_a_whole_game_by_letters(package: Path, site: Path) -> None:
    done = python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", folder=package)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "9 passed" in done.stdout


def test_the_commands_know_it(site: Path, tmp_path: Path) -> None:
    found = python(site, "-c", "from pbem import games; print(games.names(), games.usual())", folder=tmp_path)
    assert f"'leipzig', 'nce', '{NAME}'" in found.stdout
    assert found.stdout.rstrip().endswith(" leipzig")
    rules = python(site, "-m", "pbem", "rules", NAME, folder=tmp_path)
    assert "Five towns are joined by roads" in rules.stdout, rules.stderr
    (tmp_path / "orders.txt").write_text("go to the market town\n", "utf-8")
    check = python(site, "-m", "pbem", "check", NAME, "orders.txt", folder=tmp_path)
    assert check.returncode == 0, check.stdout + check.stderr
    assert "march to Market" in check.stdout


@pytest.mark.parametrize("name", ["leipzig", "Ours", "two-towns", "class", "1805", "", "a/b"])
def test_a_name_that_is_taken_or_none_is_refused_and_nothing_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"game"):
        scaffold(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(FileExistsError):
        scaffold("duel", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
