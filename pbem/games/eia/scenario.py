"""13.1: what the scenario files say, as records."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from pbem.games.eia.board import AREAS, PROVINCES, BadBoard, read

TYPES = {
    "I": ("infantry",),
    "C": ("cavalry",),
    "Gd": ("guard",),
    "A": ("artillery",),
    "Lt": ("light",),
    "insurrection": ("insurrection",),
    "tyrol": ("infantry",),
}
"""How the files call types of corps."""


class At(msgspec.Struct, frozen=True, rename={"inside": "in", "except_": "except"}):
    """A place, or a choice of places."""

    area: str = ""
    city: str = ""
    each: tuple[str, ...] = ()
    each_city: tuple[str, ...] = ()
    minors: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()
    controlled_by: tuple[str, ...] = ()
    with_corps_of: tuple[str, ...] = ()
    or_cities_of_minors: tuple[str, ...] = ()
    corps: str = ""
    rule: str = ""
    pick: str = ""
    inside: str = ""
    except_: tuple[str, ...] = ()
    template: tuple[str, ...] = ()

    def areas(self) -> tuple[str, ...]:
        """The areas between which the owner chooses; the only one, where he does not."""
        if self.area or self.city:
            return (self.area or self.city,)
        if self.each or self.each_city:
            return self.each or self.each_city
        wanted = [province for province in PROVINCES.values() if province.id in self.provinces]
        wanted += [province for province in PROVINCES.values() if province.owner in self.minors]
        found = (area for province in wanted for area in province.areas if area not in self.except_)
        return tuple(area for area in found if self.inside != "city" or AREAS[area].city)


class Force(msgspec.Struct, frozen=True):
    """13.1.1: a listed force."""

    ref: str
    power: str
    at: At
    nation: str = ""
    corps: dict[str, int] = {}
    factors: dict[str, int] = {}
    leaders: tuple[str, ...] = ()
    form: str = ""

    @property
    def of(self) -> str:
        """The nation of its counters."""
        return self.nation or self.power


class DepotRow(msgspec.Struct, frozen=True):
    """Depots of the set-up."""

    ref: str
    power: str
    count: int
    at: At


class ControlRow(msgspec.Struct, frozen=True):
    """13.1.3: who holds what."""

    power: str
    home: bool = False
    home_except: tuple[str, ...] = ()
    ceded_provinces: tuple[str, ...] = ()
    conquered: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    poland_provinces: tuple[str, ...] = ()


class Reinforcement(msgspec.Struct, frozen=True, rename={"since": "from"}):
    """13.1.4: what comes, when and where."""

    ref: str
    power: str
    nation: str = ""
    every: str = ""
    when: str = ""
    since: str = ""
    until: str = ""
    money: int = 0
    factors: dict[str, int] = {}
    corps: dict[str, int] = {}
    new_corps: int = 0
    at: At = At()
    condition: str = ""
    note: str = ""

    @property
    def of(self) -> str:
        """The nation of its factors."""
        return self.nation or self.power

    def due(self, month: str) -> bool:
        """Whether it comes in that month."""
        if self.when:
            return month == self.when
        if not self.every:
            return False
        return (not self.since or month >= self.since) and (not self.until or month <= self.until)


class Test(msgspec.Struct, frozen=True):
    """13.1.7: the machine form of a victory condition."""

    kind: str
    side: str = ""
    cities: tuple[str, ...] = ()
    leader: str = ""
    over: int = 0
    austrian_over: int = 0
    french_under: int = 0


class Victory(msgspec.Struct, frozen=True):
    """13.1.7: a victory condition; they are tried in their order."""

    ref: str
    winner: str
    when: str
    condition: str
    test: Test


class InPlay(msgspec.Struct, frozen=True):
    """13.1.3: the territory that is used."""

    homes: tuple[str, ...] = ()
    minors: tuple[str, ...] = ()
    provinces: tuple[str, ...] = ()

    def all(self) -> Iterator[str]:
        """The provinces."""
        for province in PROVINCES.values():
            if province.owner in (*self.homes, *self.minors) or province.id in self.provinces:
                yield province.id


class Special(msgspec.Struct, frozen=True):
    """A rule of one scenario."""

    id: str
    turn: str = ""
    leader_strategic_modifier: int = 0
    factors: dict[str, int] = {}
    city: str = ""


class ScenarioFile(msgspec.Struct, frozen=True):
    """A scenario of two sides."""

    id: str
    start: str
    end: str
    setup_order: tuple[str, ...]
    land_order: tuple[str, ...]
    sides: dict[str, tuple[str, ...]]
    treasury: dict[str, int]
    in_play: InPlay
    force: tuple[Force, ...]
    depot: tuple[DepotRow, ...]
    control: tuple[ControlRow, ...]
    reinforcement: tuple[Reinforcement, ...]
    victory: tuple[Victory, ...]
    special_rule: tuple[Special, ...] = ()
    limits: dict[str, Any] = {}

    def special(self, id: str) -> Special | None:
        """A special rule, where this scenario has it."""
        return next((rule for rule in self.special_rule if rule.id == id), None)


@cache
def scenario_file(name: str) -> ScenarioFile:
    """The file of a scenario. Raises BadBoard where it cannot be read."""
    try:
        return msgspec.convert(read(f"setups/{name}"), ScenarioFile)
    except msgspec.ValidationError as error:
        raise BadBoard(f"scenarios/eia/setups/{name}.toml: {error}") from None
