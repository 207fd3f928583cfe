"""A game's data: TOML files read into records, with every error naming file and key.

data = Data.of("mygame")
ZONES = data.records("zones", "zone", Zone)
for zone in ZONES.values():
    where = data.at("zones", "zone", zone.id)
    need(zone.terrain in TERRAINS, f"{where}.terrain", f"no such terrain: {zone.terrain}")
mutual(ZONES, lambda zone: zone.neighbours, data.at("zones", "zone"))
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from pbem import paths

T = TypeVar("T")


class BadData(ValueError):
    """A file of a game is wrong: the message names file and key."""


def need(condition: bool, where: str, what: str) -> None:
    """Raises BadData where a condition does not hold."""
    if not condition:
        raise BadData(f"{where}: {what}")


def known(names: Iterable[str], among: Collection[str], where: str) -> None:
    """Raises BadData at the first name that is not among those that there are."""
    for name in names:
        need(name in among, where, f"there is no {name}")


def mutual(records: Mapping[str, T], beside: Callable[[T], Collection[str]], where: str) -> None:
    """Borders: all neighbours are known, none is a place itself, and each has the border back, or BadData."""
    for id, record in records.items():
        here = f"{where} {id}.neighbours"
        known(beside(record), records, here)
        need(id not in beside(record), here, "a place has no border with itself")
        for other in beside(record):
            need(id in beside(records[other]), here, f"{other} has no border back")


def plain(path: Path, name: str) -> dict[str, object]:
    """A TOML file. Raises BadData, under that name, where it cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadData(f"{name}: {error}") from error


def convert(value: object, kind: type[T], where: str) -> T:
    """A value as a record or any other type. Raises BadData where it does not fit."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadData(f"{where}: {error}") from error


class Data:
    """The data files of a game, each read once."""

    def __init__(self, folder: Path, name: str = "") -> None:
        """`name` is how messages call the folder."""
        self.folder = folder
        self.name = name
        self._read: dict[str, dict[str, object]] = {}

    @classmethod
    def of(cls, game: str) -> Data:
        """The files of an installed game."""
        return cls(paths.game_data(game), f"scenarios/{game}/")

    def at(self, file: str, key: str = "", id: str = "") -> str:
        """How messages call a place in a file."""
        return f"{self.name}{file}.toml {key} {id}".rstrip().replace("  ", " ")

    def names(self, folder: str = "") -> list[str]:
        """The files of a folder, in alphabetical order, as the other methods want them named."""
        found = sorted((self.folder / folder).glob("*.toml"))
        return [path.relative_to(self.folder).with_suffix("").as_posix() for path in found]

    def file(self, file: str, kind: type[T]) -> T:
        """A whole file as that type. Raises BadData where it does not fit."""
        return convert(self.read(file), kind, self.at(file))

    def value(self, file: str, key: str, kind: type[T]) -> T:
        """What stands in a file under a key, as that type. Raises BadData where it is missing or does not fit."""
        rows = self.read(file)
        need(key in rows, self.at(file), f"{key} is missing")
        return convert(rows[key], kind, self.at(file, key))

    def records(
        self,
        file: str,
        key: str,
        kind: type[T],
        *,
        id: str = "id",
        also: Callable[[str, T], None] | None = None,
    ) -> dict[str, T]:
        """The entries `[[key]]` of a file by their identifier; `also` looks at each, with its place in the file.

        Raises BadData where an entry does not fit, or has no identifier, or another's.
        """
        found: dict[str, T] = {}
        for number, row in enumerate(
            convert(self.read(file).get(key, []), list[dict[str, object]], self.at(file, key)), 1
        ):
            where = self.at(file, key, str(row.get(id, number)))
            name = convert(row.get(id), str, f"{where}.{id}")
            need(name not in found, where, f"{id} appears twice")
            found[name] = convert(row, kind, where)
            if also is not None:
                also(where, found[name])
        return found

    def read(self, file: str) -> dict[str, object]:
        """A file as plain data. Raises BadData where it cannot be read."""
        if file not in self._read:
            self._read[file] = plain(self.folder / f"{file}.toml", self.at(file))
        return self._read[file]
