"""What a benchmark gives: a measured number with its name and unit."""

from __future__ import annotations

from typing import Any

import msgspec


class CannotMeasure(RuntimeError):
    """A measurement that cannot be made here; the text says why."""


class Figure(msgspec.Struct, frozen=True):
    """One measurement."""

    name: str
    value: float
    unit: str
    ratio: float | None = None

    def data(self) -> dict[str, Any]:
        """For scripts."""
        data: dict[str, Any] = {"name": self.name, "value": round(self.value, 3), "unit": self.unit}
        return data if self.ratio is None else {**data, "ratio": round(self.ratio, 3)}
