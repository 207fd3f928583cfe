"""Sheets as PNG files small enough for the mail: the base from a cache, the position painted over it.

A piece is painted once and kept, because most pieces come back in the next picture. Colours are chosen in two
parts, those of the base once and those of the position each time, so that a palette costs little.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import math
import os
import tempfile
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageColor

from pbem.kernel.drawing import Drawing, Lang

from . import hexes, phrases, sheet
from .board import Board, load
from .geometry import Box
from .hexgrid import Grid
from .ink import FONTS, Piece
from .raster import pixels
from .sheet import View
from .style import CLOTH

WIDTH, CROP_WIDTH = 1200, 1600
_LEAST, _MOST = 200, 4000
_BASE_COLOURS, _COLOURS = 144, 256
_KEPT_PIECE = 80_000
"""Pixels of the largest piece worth keeping."""
_COMPRESSION = 5


def default_cache() -> Path | None:
    """The folder for cached bases, by the custom of the platform; None where nobody is at home."""
    given = os.environ.get("XDG_CACHE_HOME")
    if given and Path(given).is_absolute():
        return Path(given) / "pbem"
    try:
        return Path.home() / ".cache" / "pbem"
    except RuntimeError:
        return None


@cache
def _fingerprint() -> bytes:
    """Changes whenever the code, the fonts or the words do."""
    digest = hashlib.sha256(phrases.raw() + hexes.raw())
    for file in sorted([*Path(__file__).parent.glob("*.py"), *FONTS.glob("*.ttf")]):
        digest.update(file.read_bytes())
    return digest.digest()


class Base:
    """A painted base, in the colours that it will keep in every picture."""

    def __init__(self, indexed: Image.Image) -> None:
        self.indexed = indexed
        self.colours = (indexed.getpalette() or [])[: 3 * _BASE_COLOURS]
        self.rgb = indexed.convert("RGB")


def _printed(board: Board | Grid, lang: Lang, with_track: bool, view: View) -> tuple[str, str]:
    """The base as SVG, in (defs, parts)."""
    if isinstance(board, Grid):
        return hexes.base(board, lang, view)
    return sheet.base(board, lang, with_track, view)


def _position(board: Board | Grid, drawing: Drawing, view: View) -> list[Piece]:
    if isinstance(board, Grid):
        return hexes.position(board, drawing, view)
    return sheet.position(board, drawing, view)


def _paint_base(board: Board | Grid, lang: Lang, with_track: bool, view: View, width: int) -> Image.Image:
    defs, parts = _printed(board, lang, with_track, view)
    painted = pixels(sheet.document(view, defs, parts, width)).convert("RGB")
    own = _BASE_COLOURS - len(CLOTH)
    colours = (painted.quantize(own, dither=Image.Dither.NONE).getpalette() or [])[: 3 * own]
    for cloth in CLOTH.values():
        colours += ImageColor.getrgb(cloth.fill)
    return painted.quantize(palette=_palette(colours), dither=Image.Dither.NONE)


def _palette(colours: list[int]) -> Image.Image:
    """A palette filled up with its own first colour, so that what is left over is never chosen."""
    palette = Image.new("P", (1, 1))
    palette.putpalette((colours + colours[:3] * _COLOURS)[: 3 * _COLOURS])
    return palette


def _read(file: Path, size: tuple[int, int]) -> Image.Image | None:
    try:
        found = Image.open(io.BytesIO(file.read_bytes()))
        found.load()
    except (OSError, ValueError, SyntaxError):
        return None
    return found if found.mode == "P" and found.size == size else None


def _write(file: Path, picture: Image.Image) -> None:
    """Whole or not at all; a folder that cannot be written to is no misfortune."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            try:
                picture.save(part, "PNG")
                part.close()
                os.replace(part.name, file)
            except OSError:
                Path(part.name).unlink(missing_ok=True)


@lru_cache(12)
def _base(
    board: Board | Grid, lang: Lang, with_track: bool, view: View, width: int, folder: Path | None
) -> Base:
    if folder is None or not view.margins:
        return Base(_paint_base(board, lang, with_track, view, width))
    key = hashlib.sha256(_fingerprint() + f"{board.digest} {lang} {with_track} {width}".encode()).hexdigest()
    file = folder / f"{board.slug}-{lang}-{width}-{key[:20]}.png"
    found = _read(file, (width, sheet.pixels_high(view, width)))
    if found is None:
        found = _paint_base(board, lang, with_track, view, width)
        _write(file, found)
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
    return pixels(sheet.fragment(view, svg, (right - left, bottom - top))), left, top


_kept_piece = lru_cache(400)(_paint_piece)


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
    own = plain.quantize(_COLOURS - _BASE_COLOURS, dither=Image.Dither.NONE).getpalette() or []
    return _palette(base.colours + own)


def _compose(drawing: Drawing, board: Board | Grid, view: View, width: int, folder: Path | None) -> bytes:
    found = _position(board, drawing, view)
    base = _base(board, drawing.lang, drawing.track is not None, view, width, folder)
    painted, touched = base.rgb.copy(), Image.new("L", base.rgb.size, 0)
    for piece in found:
        sprite, x, y = _sprite(piece, view, width / view.wide)
        painted.paste(sprite, (x, y), sprite)
        touched.paste(255, (x, y, x + sprite.width, y + sprite.height), sprite.getchannel("A"))
    touched = touched.point(lambda alpha: 255 if alpha else 0)
    palette = _whole_palette(painted, touched, base)
    picture = base.indexed.copy()
    picture.putpalette(palette.getpalette() or [])
    picture.paste(painted.quantize(palette=palette, dither=Image.Dither.NONE), (0, 0), touched)
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=_COMPRESSION)
    return out.getvalue()


def _checked(width: int) -> int:
    if not _LEAST <= width <= _MOST:
        raise ValueError(f"a map is {_LEAST} to {_MOST} pixels wide, not {width}")
    return width


def _whole(drawing: Drawing) -> tuple[Board | Grid, View]:
    if drawing.hexes is not None:
        grid = hexes.load(drawing.hexes.board)
        return grid, hexes.whole(grid)
    board = load(drawing.board)
    return board, sheet.whole(board, drawing.track is not None)


def png(drawing: Drawing, width: int = WIDTH, *, cache_dir: Path | None = None) -> bytes:
    """The whole sheet. Raises ValueError for an unknown board, area or hex."""
    board, view = _whole(drawing)
    return _compose(drawing, board, view, _checked(width), cache_dir or default_cache())


def crop(
    drawing: Drawing, areas: Iterable[str], width: int = CROP_WIDTH, *, cache_dir: Path | None = None
) -> bytes:
    """Some areas or hexes close up, not wider than they need to be read with ease.

    Raises ValueError for an unknown board, area or hex, or when none is named.
    """
    if drawing.hexes is not None:
        grid = hexes.load(drawing.hexes.board)
        view = hexes.close_up(grid, areas)
        enough = max(_LEAST, round(view.wide * hexes.CLOSE))
        return _compose(drawing, grid, view, min(_checked(width), enough), None)
    board = load(drawing.board)
    return _compose(
        drawing, board, sheet.close_up(board, areas), _checked(width), cache_dir or default_cache()
    )


def svg(drawing: Drawing) -> str:
    """The whole sheet as a document of its own, for the web. Raises ValueError as `png` does."""
    board, view = _whole(drawing)
    defs, parts = _printed(board, drawing.lang, drawing.track is not None, view)
    return sheet.document(view, defs, parts + "".join(p.placed() for p in _position(board, drawing, view)))
