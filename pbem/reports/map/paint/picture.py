"""Sheets as PNG files small enough for the mail: the base from a cache, the position painted over it.

A piece is painted once and kept, because most pieces come back in the next picture. Colours are chosen in two
parts, those of the base once and those of the position each time, so that a palette costs little.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageColor

from pbem.kernel.drawing import Drawing
from pbem.reports.map.area import sheet as area_sheet
from pbem.reports.map.area.sheet import View
from pbem.reports.map.countries import layers
from pbem.reports.map.paint import base_cache
from pbem.reports.map.paint.base_cache import default_cache
from pbem.reports.map.paint.geometry import Box, grown, touches
from pbem.reports.map.paint.ink import Piece
from pbem.reports.map.paint.raster import pixels
from pbem.reports.map.paint.style import CLOTH
from pbem.reports.map.sheets import Sheet, sheet_of, with_near

WIDTH, CROP_WIDTH = 1200, 1600
_LEAST, _MOST = 200, 4000
_BASE_COLOURS, _COLOURS = 144, 256
_KEPT_PIECE = 80_000
"""Pixels of the largest piece worth keeping."""
_COMPRESSION = 5
_PLAIN = Image.Dither.NONE


class Base:
    """A painted base, in the colours that it will keep in every picture."""

    def __init__(self, indexed: Image.Image) -> None:
        self.indexed = indexed
        self.colours = (indexed.getpalette() or [])[: 3 * _BASE_COLOURS]
        self.rgb = indexed.convert("RGB")


def _paint_base(sheet: Sheet, view: View, width: int) -> Image.Image:
    defs, parts = sheet.printed(view)
    painted = pixels(area_sheet.document(view, defs, parts, width)).convert("RGB")
    own = _BASE_COLOURS - len(CLOTH)
    colours = (painted.quantize(own, dither=_PLAIN).getpalette() or [])[: 3 * own]
    return painted.quantize(palette=_palette(_with_cloths(colours)), dither=_PLAIN)


def _with_cloths(colours: list[int]) -> list[int]:
    """Colours of a print and those of all counters, as many as a base may have."""
    cloths = [part for cloth in CLOTH.values() for part in ImageColor.getrgb(cloth.fill)[:3]]
    room = 3 * _BASE_COLOURS - len(colours) - len(cloths)
    return colours + cloths + colours[:3] * (room // 3)


def _palette(colours: list[int]) -> Image.Image:
    """A palette filled up with its own first colour, so that what is left over is never chosen."""
    palette = Image.new("P", (1, 1))
    palette.putpalette((colours + colours[:3] * _COLOURS)[: 3 * _COLOURS])
    return palette


@lru_cache(12)
def _base(sheet: Sheet, view: View, width: int, folder: Path | None) -> Base:
    painted = sheet.painted(view, width, folder)
    if painted is not None:
        return Base(painted.quantize(palette=_palette(_with_cloths(layers.colours())), dither=_PLAIN))
    if folder is None or not view.margins:
        return Base(_paint_base(sheet, view, width))
    file = folder / base_cache.name(f"{sheet.name()}-{sheet.lang}-{width}", f"{sheet.facts()} {width}")
    found = base_cache.read(file, (width, area_sheet.pixels_high(view, width)), "P")
    if found is None:
        found = _paint_base(sheet, view, width)
        base_cache.write(file, found)
    return Base(found)


Sprite = tuple[Image.Image, int, int]


def _paint_piece(svg: str, box: Box, scale: float, shift: tuple[float, float]) -> Sprite:
    """A piece in pixels, and its corner as seen from its origin; `shift` is the origin's part of a pixel."""
    left, top = math.floor(box[0] * scale + shift[0]) - 1, math.floor(box[1] * scale + shift[1]) - 1
    right, bottom = math.ceil(box[2] * scale + shift[0]) + 1, math.ceil(box[3] * scale + shift[1]) + 1
    view = (
        (left - shift[0]) / scale,
        (top - shift[1]) / scale,
        (right - left) / scale,
        (bottom - top) / scale,
    )
    return pixels(area_sheet.fragment(view, svg, (right - left, bottom - top))), left, top


_kept_piece = lru_cache(400)(_paint_piece)


def _seen(piece: Piece, view: View) -> Piece | None:
    """What a view shows of a piece; of a large one no more than that is painted."""
    x, y = piece.at or (0.0, 0.0)
    box, shown = piece.box, grown(view.box(), 8)
    if not touches((box[0] + x, box[1] + y, box[2] + x, box[3] + y), shown):
        return None
    if piece.at is not None:
        return piece
    low = (max(box[0], shown[0]), max(box[1], shown[1]))
    return piece._replace(box=(*low, min(box[2], shown[2]), min(box[3], shown[3])))


def _sprite(piece: Piece, view: View, scale: float) -> Sprite:
    """A piece's pixels and the corner of the picture where they go."""
    across, down = (piece.box[2] - piece.box[0]) * scale, (piece.box[3] - piece.box[1]) * scale
    paint = _kept_piece if across * down <= _KEPT_PIECE else _paint_piece
    x, y = piece.at or (0.0, 0.0)
    x, y = (x - view.left) * scale, (y - view.top) * scale
    whole_x, whole_y = round(x), round(y)
    shift = (0.0, 0.0) if piece.at is not None else (round(x - whole_x, 3), round(y - whole_y, 3))
    painted, left, top = paint(piece.svg, piece.box, scale, shift)
    return painted, whole_x + left, whole_y + top


def _whole_palette(painted: Image.Image, touched: Image.Image, base: Base) -> Image.Image:
    """The base's colours, and those that the position needs most; one pixel in sixteen tells enough."""
    small = (max(1, painted.width // 4), max(1, painted.height // 4))
    sample = painted.resize(small, Image.Resampling.NEAREST)
    plain = Image.new("RGB", small, tuple(base.colours[:3]))
    plain.paste(sample, (0, 0), touched.resize(small, Image.Resampling.NEAREST))
    own = plain.quantize(_COLOURS - _BASE_COLOURS, dither=_PLAIN).getpalette() or []
    return _palette(base.colours + own)


def _compose(drawing: Drawing, sheet: Sheet, view: View, width: int, folder: Path | None) -> bytes:
    found = sheet.position(drawing, view)
    base = _base(sheet, view, width, folder)
    painted, touched = base.rgb.copy(), Image.new("L", base.rgb.size, 0)
    for piece in (seen for piece in found if (seen := _seen(piece, view)) is not None):
        sprite, x, y = _sprite(piece, view, width / view.wide)
        painted.paste(sprite, (x, y), sprite)
        touched.paste(255, (x, y, x + sprite.width, y + sprite.height), sprite.getchannel("A"))
    touched = touched.point(lambda alpha: 255 if alpha else 0)
    palette = _whole_palette(painted, touched, base)
    picture = base.indexed.copy()
    picture.putpalette(palette.getpalette() or [])
    picture.paste(painted.quantize(palette=palette, dither=_PLAIN), (0, 0), touched)
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=_COMPRESSION)
    return out.getvalue()


def _checked(width: int) -> int:
    if not _LEAST <= width <= _MOST:
        raise ValueError(f"a map is {_LEAST} to {_MOST} pixels wide, not {width}")
    return width


def png(drawing: Drawing, width: int = WIDTH, *, cache_dir: Path | None = None) -> bytes:
    """The whole sheet. Raises ValueError for an unknown board, area or hex."""
    sheet = sheet_of(drawing)
    return _compose(drawing, sheet, sheet.whole(), _checked(width), cache_dir or default_cache())


def crop(
    drawing: Drawing, areas: Iterable[str], width: int = CROP_WIDTH, *, cache_dir: Path | None = None
) -> bytes:
    """Some areas or hexes close up, not wider than they need to be read with ease.

    Raises ValueError for an unknown board, area or hex, or when none is named.
    """
    drawing = with_near(drawing)
    sheet = sheet_of(drawing)
    view = sheet.close_up(areas)
    wide = max(_LEAST, sheet.widest(view, _checked(width)))
    return _compose(drawing, sheet, view, wide, cache_dir or default_cache())


def svg(drawing: Drawing) -> str:
    """The whole sheet as a document of its own, for the web. Raises ValueError as `png` does."""
    sheet = sheet_of(drawing)
    view = sheet.whole()
    defs, parts = sheet.printed(view)
    return area_sheet.document(
        view, defs, parts + "".join(piece.placed() for piece in sheet.position(drawing, view))
    )
