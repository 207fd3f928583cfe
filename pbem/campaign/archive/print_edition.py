"""The print edition of a chronicle: a document ready to be made a PDF by any browser.

One self-contained file: a title page, the contents, a chapter for each moment with its map as it ended, then dice,
diaries and captured letters. Page numbers and running heads come from the style's page rules, so that nothing has to
be set up when printing: «chromium --headless --print-to-pdf=chronicle.pdf chronicle-print.html» will do.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

import msgspec

from pbem.reports.catalogue import Catalogue


class Chapter(msgspec.Struct, frozen=True):
    """One moment of the game: its map, its orders, what happened."""

    moment: str
    picture: bytes
    orders: list[str]
    events: list[str]
    dice: list[int]
    """For each event its number if dice decided it, else 0."""


class Tale(msgspec.Struct, frozen=True):
    """A finished game, ready to be told."""

    title: str
    scenario: str
    players: list[str]
    outcome: list[str]
    chapters: list[Chapter]
    appendices: list[tuple[str, str]]
    """The title and the inner HTML of what follows the chapters."""


def listed(lines: Sequence[object], kind: str = "events") -> str:
    """Lines as a list; nothing where there are none."""
    items = "".join(f"<li>{escape(str(line))}</li>" for line in lines)
    return f'<ul class="{kind}">{items}</ul>' if lines else ""


def picture(chapter: Chapter) -> str:
    """A chapter's map, inside the page."""
    data = base64.b64encode(chapter.picture).decode()
    return f'<img alt="{escape(chapter.moment)}" src="data:image/png;base64,{data}">'


def edition(tale: Tale, words: Catalogue) -> str:
    """The whole document."""
    contents = [chapter.moment for chapter in tale.chapters] + [title for title, _ in tale.appendices]
    entries = "".join(f'<li><a href="#c{n}">{escape(title)}</a></li>' for n, title in enumerate(contents, 1))
    parts = [
        f'<header><h1>{escape(tale.title)}</h1><p class="scenario">{escape(tale.scenario)}</p>',
        listed(tale.players, "players") + listed(tale.outcome, "outcome"),
        picture(tale.chapters[-1]) if tale.chapters else "",
        "</header>",
        f"<nav><h2>{escape(words.phrase('titles', 'contents'))}</h2><ol>{entries}</ol></nav>",
    ]
    for n, chapter in enumerate(tale.chapters, 1):
        parts += [
            f'<section id="c{n}"><h2>{escape(chapter.moment)}</h2>',
            f"<figure>{picture(chapter)}</figure>",
            _titled(words, "ordered", listed(chapter.orders, "orders")),
            _titled(words, "happened", listed(chapter.events)),
            "</section>",
        ]
    for n, (title, inner) in enumerate(tale.appendices, len(tale.chapters) + 1):
        parts.append(f'<section id="c{n}"><h2>{escape(title)}</h2>{inner}</section>')
    body = "\n".join(filter(None, parts))
    style = _STYLE.replace("RUNNING", _quoted(tale.title))
    return (
        f'<!doctype html>\n<html lang="{words.lang}"><head><meta charset="utf-8">'
        f"<title>{escape(tale.title)}</title><style>{style}</style></head><body>\n{body}\n</body></html>\n"
    )


def _titled(words: Catalogue, title: str, inner: str) -> str:
    return f"<h3>{escape(words.phrase('titles', title))}</h3>{inner}" if inner else ""


def _quoted(text: str) -> str:
    """A text as a string of a style sheet, whatever is in it."""
    return '"' + "".join(f"\\{ord(char):x} " if char in '"\\<>&\n\r' else char for char in text) + '"'


_STYLE = """
@page {
  size: A4; margin: 20mm 18mm 22mm;
  @top-right { content: RUNNING; font: italic 8pt Georgia, serif; color: #777; }
  @bottom-center { content: counter(page) " / " counter(pages); font: 9pt Georgia, serif; color: #555; }
}
@page :first { @top-right { content: none; } @bottom-center { content: none; } }
html { font: 10.5pt/1.45 Georgia, "DejaVu Serif", serif; color: #1c1c1c; }
body { margin: 0; } @media screen { body { max-width: 180mm; margin: 2rem auto; } }
h1 { font-size: 26pt; font-weight: normal; margin: 30mm 0 4mm; } .scenario { font-size: 14pt; font-style: italic; }
h2 { font-size: 17pt; font-weight: normal; border-bottom: 0.4pt solid #999; padding-bottom: 1mm; }
h3 { font-size: 11pt; font-variant: small-caps; margin: 4mm 0 1mm; break-after: avoid; }
header, nav, section { break-after: page; } section:last-child { break-after: auto; }
header img { max-height: 110mm; } figure { margin: 0; break-inside: avoid; }
img { display: block; max-width: 100%; max-height: 135mm; margin: 3mm auto; object-fit: contain; }
svg { max-width: 100%; height: auto; break-inside: avoid; }
ul { margin: 0; padding-left: 5mm; } li { break-inside: avoid; orphans: 2; widows: 2; }
ul.players, ul.outcome { list-style: none; padding: 0; font-size: 12pt; margin-top: 6mm; }
ul.orders { font-style: italic; color: #444; columns: 2; column-gap: 8mm; }
nav a { color: inherit; text-decoration: none; }
"""
