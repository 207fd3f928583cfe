"""The examples in the kernel's docstrings come out as they say."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

from pbem import kernel

MODULES = [f"{kernel.__name__}.{module.name}" for module in pkgutil.iter_modules(kernel.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
