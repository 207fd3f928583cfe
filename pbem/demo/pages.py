"""The words and the templates of the demo's pages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, partial
from html import escape
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem import paths
from pbem.demo.mailbox import Incoming
from pbem.reports.catalogue import at, many, of

_CID = re.compile(r"cid:([A-Za-z0-9._@-]+)")


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(paths.templates()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _phrases(lang: str) -> Mapping[str, Mapping[str, str]]:
    with (paths.templates() / lang / "demo.toml").open("rb") as stream:
        return tomllib.load(stream)


@cache
def _phrase(lang: str, section: str, key: str) -> Any:
    # As plain text: the page that a phrase goes into escapes it.
    environment = Environment(undefined=StrictUndefined)
    environment.filters.update(many=partial(many, lang=lang), of=of, at=at)
    return environment.from_string(_phrases(lang)[section][key])


def say(lang: str, section: str, key: str, /, **context: object) -> str:
    """A phrase of the demo, filled in."""
    return str(_phrase(lang, section, key).render(context))


def page(lang: str, template: str, **context: object) -> str:
    """A page; everything that is put into it is escaped."""
    found = _environment().get_template(f"demo/{template}.html.jinja")
    return found.render(lang=lang, say=partial(say, lang), **context)


@cache
def fitting_script() -> Markup:
    """The script that gives a letter's frame the height of the letter."""
    return Markup((paths.templates() / "demo" / "fit.js").read_text("utf-8"))


def framed(letter: Incoming, addresses: Mapping[str, str]) -> str:
    """A letter's HTML with its pictures from these addresses instead of from inside the letter."""
    return _CID.sub(lambda match: escape(addresses.get(match[1], "")), letter.html)
