"""Pieces of SVG text: numbers, escaped words, paths, and how wide a word is in our font."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import escape as escape_markup
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont

from pbem.reports.map.paint.geometry import Box, Point
from pbem.reports.map.paint.style import BLACK, BOLD, INK, REGULAR, SEMIBOLD

FONTS = Path(__file__).parents[1] / "fonts"
_FACES = {REGULAR: "Regular", SEMIBOLD: "Semibold", BOLD: "Bold", BLACK: "Black"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MEASURE = 200


class Piece(NamedTuple):
    """A part of the position that can be painted by itself, drawn about its own origin."""

    svg: str
    box: Box
    """All that it covers, about its origin."""
    at: Point | None = None
    """Where its origin lies on the sheet, to the nearest pixel; None: exactly at the sheet's own origin."""

    def placed(self) -> str:
        if self.at is None:
            return self.svg
        return f'<g transform="translate({num(self.at[0])} {num(self.at[1])})">{self.svg}</g>'


def num(value: float) -> str:
    """A number on the 0.1 grid, as short as can be."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def escape(text: str) -> str:
    """Text fit for an XML document, whatever was in it."""
    return escape_markup(_NOT_XML.sub("", text))


@cache
def _face(weight: int, italic: bool) -> ImageFont.FreeTypeFont:
    name = "Italic" if italic else _FACES[weight]
    return ImageFont.truetype(FONTS / f"PbemSerif-{name}.ttf", _MEASURE, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(4096)
def width(
    text: str, size: float, weight: int = SEMIBOLD, italic: bool = False, spacing: float = 0.0
) -> float:
    """How long a line of text is."""
    return _face(weight, italic).getlength(text) * size / _MEASURE + spacing * len(text)


def fitted(
    text: str, size: float, room: float, weight: int = SEMIBOLD, least: float = 0.72
) -> tuple[str, float]:
    """The text and size with which it fits: smaller down to `least` of the size, then cut short."""
    text = " ".join(_NOT_XML.sub("", text).split())[:200]
    wide = width(text, size, weight)
    if wide <= room:
        return text, size
    if wide * least <= room:
        return text, size * room / wide
    return cut(text, size * least, room, weight), size * least


def cut(text: str, size: float, room: float, weight: int, italic: bool = False) -> str:
    """The text, or as much of its beginning as has room."""
    if width(text, size, weight, italic) <= room:
        return text
    kept = bisect_left(
        range(len(text)), True, key=lambda n: width(text[:n] + "…", size, weight, italic) > room
    )
    return text[: max(0, kept - 1)].rstrip() + "…"


def wrapped(
    text: str, size: float, room: float, lines: int, weight: int = REGULAR, italic: bool = False
) -> list[str]:
    """The text on at most so many lines; what is left over is dropped."""
    words = _NOT_XML.sub("", text)[:400].split()
    done: list[str] = []
    while words and len(done) < lines:
        line = words.pop(0)
        while words and width(f"{line} {words[0]}", size, weight, italic) <= room:
            line += " " + words.pop(0)
        done.append(line)
    if words:
        done[-1] += " …"
        while " " in done[-1] and width(done[-1], size, weight, italic) > room:
            done[-1] = done[-1].rsplit(" ", 2)[0] + " …"
    return [cut(line, size, room, weight, italic) for line in done]


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    weight: int = SEMIBOLD,
    fill: str = INK,
    anchor: str = "middle",
    italic: bool = False,
    spacing: float = 0.0,
    halo: str = "",
    halo_width: float = 0.0,
) -> str:
    """A line of text; with a halo it stays legible on any ground."""
    extra = ' font-style="italic"' if italic else ""
    if spacing:
        extra += f' letter-spacing="{num(spacing)}"'
    if halo:
        extra += (
            f' stroke="{halo}" stroke-width="{num(halo_width)}" stroke-linejoin="round" paint-order="stroke"'
        )
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" font-weight="{weight}" fill="{fill}"'
        f' text-anchor="{anchor}"{extra}>{escape(words)}</text>'
    )


def path(
    d: str,
    fill: str = "none",
    stroke: str = "",
    width: float = 1.0,
    opacity: float = 1.0,
    dash: str = "",
    cap: str = "",
    extra: str = "",
) -> str:
    """A path with round joins. Opacity of fill and stroke, not of the whole: that would cost a layer."""
    out = f'<path d="{d}" fill="{fill}"'
    if stroke:
        out += f' stroke="{stroke}" stroke-width="{num(width)}" stroke-linejoin="round"'
    if dash:
        out += f' stroke-dasharray="{dash}"'
    if cap:
        out += f' stroke-linecap="{cap}"'
    if opacity != 1.0:
        out += f' fill-opacity="{opacity}"' if fill != "none" else ""
        out += f' stroke-opacity="{opacity}"' if stroke else ""
    return f"{out}{' ' + extra if extra else ''}/>"


def rect(x: float, y: float, w: float, h: float, fill: str, extra: str = "", radius: float = 0.0) -> str:
    round_ = f' rx="{num(radius)}"' if radius else ""
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}"{round_} fill="{fill}"'
        f"{' ' + extra if extra else ''}/>"
    )


def circle(x: float, y: float, radius: float, fill: str, extra: str = "") -> str:
    return (
        f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" fill="{fill}"{" " + extra if extra else ""}/>'
    )


def group(attributes: str, parts: Iterable[str]) -> str:
    return f"<g {attributes}>{''.join(parts)}</g>"


def line(points: Sequence[Point]) -> str:
    """Path data through the points."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)
