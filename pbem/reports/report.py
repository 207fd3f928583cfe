"""A report as data, and its renderings: plain text for any mail program, HTML for most of them.

Everything in a `Report` is already in the reader's language; here it only gets its shape.
"""

from __future__ import annotations

import re
import textwrap
from functools import cache

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem import paths

WIDTH = 76

TAKEN, REFUSED, TRIAL, PLAIN, STRONG = "taken", "refused", "trial", "plain", "strong"
_SIGNS = {TAKEN: "+ ", REFUSED: "! ", TRIAL: "? ", PLAIN: "", STRONG: ""}


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a section: its text, its mark, the number under which WHY explains it, and what hangs under it."""

    text: str
    mark: str = PLAIN
    n: int = 0
    under: tuple[str, ...] = ()
    dice: bool = False
    """Whether dice decided it: WHY d12 shows those of line 12."""
    table: tuple[tuple[str, ...], ...] = ()
    """What hangs under it as a table, its head first, in the HTML."""

    @classmethod
    def of(cls, text: str, n: int = 0, dice: bool = False, table: tuple[tuple[str, ...], ...] = ()) -> Line:
        """A phrase as a line; its further lines hang under the first."""
        first, *under = text.split("\n")
        return cls(first, n=n, dice=dice, under=tuple(under), table=table)

    @property
    def number(self) -> str:
        """The number as the reader sees it; empty where the line has none."""
        return f"[{'d' if self.dice else ''}{self.n}]" if self.n else ""


class Section(msgspec.Struct, frozen=True, omit_defaults=True):
    """A headed part of a report; `plain` sections keep their line breaks and columns."""

    title: str
    lines: tuple[Line, ...]
    plain: bool = False


class Throw(msgspec.Struct, frozen=True):
    """The dice behind the line of that number: its sentence, and its rolls as lines."""

    n: int
    text: str
    lines: tuple[str, ...]


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question: what is asked, the block to edit, and the things to choose from by number."""

    title: str
    prompt: str
    block: tuple[str, ...]
    menu: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole letter to one seat, in that seat's language."""

    lang: str
    title: str
    subtitle: str = ""
    lead: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    forms: tuple[Form, ...] = ()
    forms_title: str = ""
    forms_help: str = ""
    menu_title: str = ""
    image: str = ""
    """The content-id of the map, if there is one."""
    image_title: str = ""
    image_note: str = ""
    """What is said under the map."""
    footer: tuple[str, ...] = ()
    throws: tuple[Throw, ...] = ()
    """Only in the HTML, where the numbers of lines lead to it; the plain text stays short."""
    throws_title: str = ""


# What wrapping would leave as it is: no white space at its ends, none but blanks within.
_ONE_LINE = re.compile(r"[^\s]+(?: +[^\s]+)*")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(paths.templates()),
        autoescape=lambda name: bool(name and ".html" in name),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fold"] = fold
    environment.filters["sign"] = _SIGNS.__getitem__
    return environment


def fold(text: str, indent: str = "", first: str | None = None) -> str:
    """The text in lines of a mail's width, the lines after the first behind `indent`."""
    begin = indent if first is None else first
    if len(begin) + len(text) <= WIDTH and text and _ONE_LINE.fullmatch(text):
        return begin + text
    return "\n".join(
        textwrap.wrap(
            text,
            WIDTH,
            initial_indent=begin,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def text(report: Report) -> str:
    """The report as plain text."""
    return _environment().get_template("letter.txt.jinja").render(r=report).rstrip() + "\n"


def html(report: Report) -> str:
    """The report as HTML with its styles inside, as mail programs want it."""
    return _environment().get_template("letter.html.jinja").render(r=report)
