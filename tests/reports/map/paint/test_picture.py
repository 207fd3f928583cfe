"""Pictures for the mail: size, colours, cache, and the processes that paint them."""

import io
from pathlib import Path

import pytest
from PIL import Image

from pbem.kernel.drawing import Arrow, Battle, Counter, Drawing, Marker, Objective, Stake, Step, Track
from pbem.reports.map import InlineRenderer, PoolRenderer, crop, png
from pbem.reports.map.board import load
from pbem.reports.map.paint import picture
from pbem.reports.map.paint.raster import pixels
from pbem.reports.map.paint.style import CLOTH

SMALL = 300


def busy() -> Drawing:
    """A tile or three markers on every zone, flags, arrows and battles."""
    marks: list[Counter | Marker | Objective | Arrow | Battle] = []
    for i, name in enumerate(load("leipzig").areas):
        if i % 3 == 0:
            marks.append(Counter(name, "france", "4", "Poniatowski", "cavalry", worn=i % 2 == 0))
        else:
            marks += [Marker(name, tint, "Bn", "square") for tint in ("russia", "austria", "sweden")]
        if i % 9 == 0:
            marks.append(Objective(name, (Stake("france", "6"), Stake("allied", "4"))))
    marks += [Arrow("taucha", "portitz", "prussia", "Bü"), Battle("wachau", "guldengossa")]
    return Drawing(
        "leipzig", marks=tuple(marks), track=Track("October", (Step("14."), Step(), Step("15.")), 1)
    )


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_a_busy_map_is_small_enough_for_the_mail_and_keeps_its_colours(tmp_path: Path) -> None:
    data = png(busy(), cache_dir=tmp_path)
    found = opened(data)
    assert len(data) <= 250_000
    assert found.size[0] == 1200
    assert found.mode == "P"
    colours = found.convert("RGB").getcolors(257)
    assert colours is not None
    blue = tuple(int(CLOTH["france"].fill[i : i + 2], 16) for i in (1, 3, 5))
    near = sum(
        n
        for n, c in colours
        if isinstance(c, tuple) and max(abs(a - b) for a, b in zip(c, blue, strict=True)) < 6
    )
    assert near > 5000


def test_a_map_from_the_cache_is_the_same_to_the_byte(tmp_path: Path) -> None:
    picture._base.cache_clear()
    fresh = png(busy(), SMALL, cache_dir=tmp_path)
    (kept,) = tmp_path.iterdir()
    picture._base.cache_clear()
    picture._kept_piece.cache_clear()
    assert png(busy(), SMALL, cache_dir=tmp_path) == fresh
    kept.write_bytes(b"\x89PNG damaged")
    picture._base.cache_clear()
    assert png(busy(), SMALL, cache_dir=tmp_path) == fresh
    assert kept.read_bytes() != b"\x89PNG damaged"


def test_the_base_leaves_the_colours_of_the_position_free(tmp_path: Path) -> None:
    png(Drawing("leipzig"), SMALL, cache_dir=tmp_path)
    (kept,) = tmp_path.iterdir()
    _, highest = Image.open(kept).getextrema()
    assert highest < picture._BASE_COLOURS


def test_a_folder_that_cannot_be_written_to_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    assert opened(png(Drawing("leipzig"), SMALL, cache_dir=file / "below")).size[0] == SMALL


def test_the_position_changes_the_picture_and_the_language_the_legend(tmp_path: Path) -> None:
    plain = png(Drawing("leipzig"), SMALL, cache_dir=tmp_path)
    tile = png(Drawing("leipzig", marks=(Counter("wachau", "france", "4"),)), SMALL, cache_dir=tmp_path)
    french = png(Drawing("leipzig", lang="fr"), SMALL, cache_dir=tmp_path)
    assert len({plain, tile, french}) == 3


def test_a_close_up_shows_the_named_areas_only(tmp_path: Path) -> None:
    found = opened(crop(busy(), ["wachau", "guldengossa"], 400, cache_dir=tmp_path))
    assert found.size[0] == 400
    assert 1.3 <= found.size[0] / found.size[1] <= 2.1
    with pytest.raises(ValueError, match="no area 'elba'"):
        crop(busy(), ["elba"], 400, cache_dir=tmp_path)
    with pytest.raises(ValueError, match="at least one area"):
        crop(busy(), [], 400, cache_dir=tmp_path)


@pytest.mark.parametrize("width", [0, -5, 100_000])
def test_widths_out_of_reason_are_refused(width: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        png(Drawing("leipzig"), width, cache_dir=tmp_path)


@pytest.mark.parametrize(
    "broken", ["", "<svg", "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='0'/>"]
)
def test_a_broken_document_is_a_value_error(broken: str) -> None:
    with pytest.raises(ValueError, match="unreadable SVG"):
        pixels(broken)


async def test_the_pool_paints_the_same_and_survives_a_bad_drawing(tmp_path: Path) -> None:
    pool = PoolRenderer(cache_dir=tmp_path)
    try:
        with pytest.raises(ValueError, match="no area 'elba'"):
            await pool.png(Drawing("leipzig", marks=(Counter("elba", "france", "1"),)), SMALL)
        painted = await pool.png(busy(), SMALL)
    finally:
        pool.close()
    assert painted == await InlineRenderer(tmp_path).png(busy(), SMALL)
