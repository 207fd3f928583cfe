"""A map of countries: seas, realms, mountains, waters, borders, towns and names, in the order of painting.

It is painted in three layers, because control changes: `shore` lies under the realms and `land` with its
`letters` over them, so that a new colour of a country costs no new drawing of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from random import Random

from pbem.kernel.drawing import Lang, Tint, Wash
from pbem.reports.map.area.scatter import crests, scatter
from pbem.reports.map.board import Board, River
from pbem.reports.map.countries import town_signs
from pbem.reports.map.countries.areas import Atlas
from pbem.reports.map.marks import signs
from pbem.reports.map.marks.lettering import area_name, label_box, obstacles, river_names
from pbem.reports.map.paint.geometry import Box, Point, grown, hull, length, rings, touches
from pbem.reports.map.paint.ink import circle, group, line, num, path, rect, text
from pbem.reports.map.paint.style import (
    BOLD,
    CAPITAL,
    CLOTH,
    COAST,
    FORT,
    FORT_FILL,
    HALO,
    INK,
    KEY,
    LAKE,
    LAND_OUT,
    LIMIT,
    MARSH,
    MINOR_LINE,
    MINORS,
    NATION_LINE,
    PAPER,
    POOR_NAME,
    PORT,
    PROVINCE_LINE,
    REALM,
    RELIEF,
    RIDGE,
    RIVER,
    RIVER_BORDER,
    SAND,
    SEA,
    SEA_INK,
    SEA_LINE,
    SEPIA,
    WATERLINES,
    ZONE_LINE,
)

BORDERS = (
    (ZONE_LINE, 1.3, "", 0.9),
    (PROVINCE_LINE, 2.1, "", 0.9),
    (MINOR_LINE, 2.3, "7 2.4", 0.95),
    (NATION_LINE, 3.1, "9 2.8 2.4 2.8", 0.95),
)
"""Lines within a province, between provinces, between minor countries, and of a power: ink, width, dash."""
RIVER_CASE = 5.0
_RIVERS = ((3, 0.9, 0.55), (2, 1.6, 0.75), (1, 3.0, 0.95))
"""Grade, width and opacity; the smallest first."""


def atlas_of(board: Board) -> Atlas:
    """The atlas, of a board that has one."""
    if board.atlas is None:
        raise ValueError(f"the board of {board.slug} has no countries")
    return board.atlas


def _coast(board: Board, box: Box) -> str:
    return "".join(d for d, shown in board.coast if touches(shown, box))


@lru_cache(4)
def shore(board: Board, box: Box, pen: float) -> str:
    """Sea, water-lining and the land that is out of play, as far as a box shows them."""
    wide, high = board.shapes.size
    parts = [rect(0, 0, wide, high, SEA)]
    parts += [path(_coast(board, box), stroke=colour, width=w * pen) for w, colour in WATERLINES]
    limits = "".join(d for _, _, d in board.shapes.sea_borders)
    parts.append(path(limits, stroke=SEA_LINE, width=1.8 * pen, dash="8 5"))
    parts.append(path(board.shapes.land_out, LAND_OUT, extra='fill-rule="evenodd"'))
    return "".join(parts)


def dyes() -> list[str]:
    """All colours in which a map of countries is printed, and what lies between them on the edge of a line.

    They are chosen here and not found by counting, because a count would sacrifice the few red stars to the
    many shades of the shores.
    """
    tints: list[Tint] = [tint for tint in REALM if tint not in ("sweden", "portugal", "allied", "neutral")]
    grounds = [*REALM.values(), *(fill for fill, _ in MINORS)]
    found = [SEA, *(colour for _, colour in WATERLINES), PAPER, HALO, INK, *grounds]
    found += [ground(tint, True) for tint in tints]
    for colour in dict.fromkeys([REALM[tint] for tint in tints] + [fill for fill, _ in MINORS]):
        found += [mixed(colour, INK, 0.66), mixed(colour, INK, 0.33)]
    found += [mixed(REALM[tint], CLOTH[tint].wash, 0.5) for tint in tints]
    found += [mixed(fill, edge, 0.5) for fill, edge in MINORS]
    found += [
        mixed(SEA, COAST, 0.66),
        mixed(SEA, COAST, 0.33),
        mixed(HALO, INK, 0.66),
        mixed(HALO, INK, 0.33),
    ]
    found += [mixed(RIVER, REALM[tint], 0.5) for tint in ("france", "austria", "russia", "turkey")]
    found += [
        mixed(CAPITAL, PAPER, 0.5),
        LAND_OUT,
        LAKE,
        RIVER,
        RIVER_BORDER,
        SEA_LINE,
        SEA_INK,
        COAST,
        RELIEF,
    ]
    found += [
        RIDGE,
        SAND,
        MARSH,
        CAPITAL,
        FORT,
        *FORT_FILL,
        KEY,
        PORT,
        SEPIA,
        ZONE_LINE,
        PROVINCE_LINE,
        POOR_NAME,
    ]
    return list(dict.fromkeys(found))


def mixed(colour: str, other: str, part: float) -> str:
    """So much of a colour, the rest of another."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


def ground(tint: Tint, pale: bool) -> str:
    """The colour of a power's own countries, or of those that follow it."""
    return mixed(REALM[tint], "#f6f0e2", 0.68) if pale else REALM[tint]


@lru_cache(4)
def _minors(board: Board) -> dict[str, tuple[str, str]]:
    """Ground and frontier of each minor country; those that touch differ."""
    sites = atlas_of(board).sites
    near: dict[str, set[str]] = {}
    for a, b, _ in board.shapes.borders:
        here, there = sites[a].country, sites[b].country
        if here != there:
            near.setdefault(here, set()).add(there)
            near.setdefault(there, set()).add(here)
    chosen: dict[str, int] = {}
    minors = {site.country for site in sites.values() if site.home is None}
    for country in sorted(minors, key=lambda c: (-len(near.get(c, ())), c)):
        used = {chosen.get(other) for other in near.get(country, ())}
        taken = list(chosen.values())
        free = [i for i in range(len(MINORS)) if i not in used] or range(len(MINORS))
        chosen[country] = min(free, key=lambda i: (taken.count(i), i))
    return {country: MINORS[i] for country, i in chosen.items()}


def realms(board: Board, box: Box, pen: float, washes: Iterable[Wash] = ()) -> tuple[str, str]:
    """Land in the colours of its powers and a broad brush along their frontiers, as (defs, parts).

    Only what the box shows is drawn. A wash puts an area under another power than the board prints. Raises
    ValueError for an unknown area.
    """
    held = {wash.area: wash for wash in washes}
    for name in held:
        board.area(name)
    minors, sites = _minors(board), atlas_of(board).sites
    members: dict[tuple[str, str, str], set[str]] = {}
    for name, site in sites.items():
        if not touches(board.areas[name].bbox, box):
            continue
        tint = held[name].tint if name in held else site.home
        pale = name in held and held[name].pale
        if tint is None:
            colours = (site.country, *minors[site.country])
        else:
            colours = (f"{tint}{'-pale' if pale else ''}", ground(tint, pale), CLOTH[tint].wash)
        members.setdefault(colours, set()).add(name)
    fills, defs, brush = [], [], []
    frontiers = board.shapes.borders + board.shapes.blocked
    for (key, fill, edge), names in sorted(members.items()):
        outline = "".join(board.areas[name].path for name in sorted(names))
        fills.append(path(outline, fill, fill, 0.8, extra='fill-rule="evenodd"'))
        limits = "".join(d for a, b, d in frontiers if (a in names) != (b in names))
        if limits:
            defs.append(f'<clipPath id="in-{key}"><path d="{outline}" clip-rule="evenodd"/></clipPath>')
            stroke = path(limits, stroke=edge, width=14 * pen, extra='stroke-opacity=".5"')
            brush.append(group(f'clip-path="url(#in-{key})"', [stroke]))
    return "".join(defs), "".join(fills + brush)


def _fits(owned: Callable[[float, float], bool], x: float, y: float, r: float) -> bool:
    return all(owned(x + dx, y + dy) for dx, dy in ((-r, 0), (r, 0), (0, -r), (0, r)))


def _terrain(board: Board, chance: Random, fine: bool, shown: Box, pen: float) -> str:
    """Reeds on marshy ground, trees in forests, heights in mountains; in fine drawings dots on poor ground."""
    boxes = obstacles(board)
    marshes: list[tuple[float, float, float]] = []
    sands: list[tuple[float, float, float]] = []
    woods: list[tuple[float, float, float]] = []
    heights: list[tuple[float, float, float]] = []
    for name, site in atlas_of(board).sites.items():
        if not touches(board.areas[name].bbox, shown):
            continue
        fits = partial(_fits, board.owns(name))
        x0, y0, x1, y1 = box = board.areas[name].bbox
        near = [b for b in boxes if b[0] < x1 + 20 and b[2] > x0 - 20 and b[1] < y1 + 20 and b[3] > y0 - 20]
        if site.terrain == "marsh":
            marshes += scatter(box, fits, near, chance, 25, 1.0)
        elif site.terrain == "forest":
            woods += scatter(box, fits, near, chance, 21, 0.62)
        elif site.terrain == "mountain":
            heights += scatter(box, fits, near, chance, 22, 0.66)
        elif site.terrain == "desert" or (site.poor and fine):
            sands += scatter(box, fits, near, chance, 33, 0.8)
    grown_over = signs.hills(heights) + signs.trees(woods) if heights or woods else ""
    return town_signs.marshes(marshes) + town_signs.sands(sands, pen) + grown_over


def _waters(board: Board, fine: bool, shown: Box, pen: float) -> str:
    parts = [path(lake.path, LAKE, RIVER, 0.9, extra='fill-rule="evenodd"') for lake in board.shapes.lakes]
    rivers = [river for river in board.shapes.rivers if touches(hull(river.points), shown)]
    for grade, wide, opacity in _RIVERS if fine else _RIVERS[1:]:
        d = "".join(line(river.points) for river in rivers if river.grade == grade)
        parts.append(path(d, stroke=RIVER, width=wide * pen, opacity=opacity, cap="round"))
    return "".join(parts)


def _level(atlas: Atlas, a: str, b: str) -> int:
    """Which of the kinds of border two areas have between them."""
    here, there = atlas.sites[a], atlas.sites[b]
    if here.country == there.country:
        return int(here.province != there.province)
    return 2 if here.home is None and there.home is None else 3


def _borders(board: Board, shown: Box, pen: float) -> str:
    atlas = atlas_of(board)
    near = {name for name, area in board.land.items() if touches(area.bbox, shown)}
    levels: list[list[str]] = [[] for _ in BORDERS]
    rivers, crossings = [], []
    for a, b, d in board.shapes.borders + board.shapes.blocked:
        if a in near and b in near:
            levels[_level(atlas, a, b)].append(d)
    for a, b, d in board.shapes.borders:
        kind = atlas.crossing(a, b)
        if kind == "clear" or a not in near or b not in near:
            continue
        longest = max(rings(d), key=length)
        if kind in ("river", "bridge"):
            rivers.append(d)
        if kind == "bridge":
            crossings.append(town_signs.span(longest, pen))
        elif kind in ("pass", "mountain"):
            crossings.append(town_signs.ridge(longest, kind == "pass", pen))
    parts = [path("".join(rivers), stroke=RIVER_BORDER, width=RIVER_CASE * pen, opacity=0.8, cap="round")]
    for found, (colour, wide, dash, opacity) in zip(levels, BORDERS, strict=True):
        cap = "" if dash else "round"
        parts.append(
            path(
                "".join(found),
                stroke=colour,
                width=wide * pen,
                opacity=opacity,
                dash=scaled(dash, pen),
                cap=cap,
            )
        )
    return "".join(parts + crossings)


def scaled(dash: str, pen: float) -> str:
    """A pattern of dashes for another breadth of the line."""
    return " ".join(num(float(part) * pen) for part in dash.split())


def dashed(points: Iterable[Point], colour: str, dash: str) -> str:
    """A link over water: a broken line with a dot at each end."""
    found = list(points)
    d = line(found)
    parts = [path(d, stroke=HALO, width=5.6, cap="round"), path(d, stroke=colour, width=2.8, dash=dash)]
    return "".join(parts + [circle(x, y, 3, colour) for x, y in (found[0], found[-1])])


def _links(board: Board) -> str:
    shapes = board.shapes
    parts = []
    for (_, _, points), kind in zip(shapes.links, shapes.link_kinds, strict=True):
        usual = kind in ("strait", "crossing", "land")
        parts.append(dashed(points, CAPITAL if usual else SEPIA, "4.4 2.8" if usual else "2.4 3.4"))
    for _, _, points in shapes.sea_links:
        d = line(points)
        parts.append(path(d, stroke=SEA_INK, width=2.4, dash="6 4.6"))
        parts += [circle(x, y, 3.4, SEA_INK) for x, y in (points[0], points[-1])]
    return "".join(parts)


@lru_cache(4)
def land(board: Board, fine: bool, box: Box, pen: float) -> str:
    """All that lies over the realms and has no letters; what the box shows, brooks in fine drawings only."""
    chance = Random(1805)
    limits = "".join(d for _, d in board.shapes.limits)
    ranges = [crest for crest in board.shapes.ranges if touches(hull(crest.points), box)]
    return "".join(
        [
            path(limits, stroke=LIMIT, width=1.2, dash="2 3"),
            _terrain(board, chance, fine, box, pen),
            crests(ranges, chance, 9, 4.4 * pen, 0.6, pen),
            _waters(board, fine, box, pen),
            _borders(board, box, pen),
            path(_coast(board, box), stroke=COAST, width=1.7 * pen),
            _links(board),
        ]
    )


def _named_rivers(board: Board, box: Box) -> list[River]:
    """The longest piece of each river that is named and shown."""
    longest: dict[str, River] = {}
    for river in board.shapes.rivers:
        if river.name not in atlas_of(board).chart.rivers or not touches(hull(river.points), box):
            continue
        if river.name not in longest or length(river.points) > length(longest[river.name].points):
            longest[river.name] = river
    return list(longest.values())


def town(board: Board, name: str, k: float) -> str:
    """The town of an area with its works and its anchor; nothing where there is none."""
    area, site = board.areas[name], atlas_of(board).sites.get(name)
    if area.city is None or site is None or site.rank == "none":
        return ""
    parts = []
    if site.port and area.port is not None:
        parts.append(town_signs.anchor(*town_signs.anchor_at(area.city, area.port, k), k))
    return "".join([*parts, town_signs.town(*area.city, site, k)])


@lru_cache(8)
def letters(board: Board, lang: Lang, k: float, box: Box) -> tuple[str, str]:
    """Names and towns that a box shows, as (defs, parts)."""
    parts = []
    near = [name for name in board.areas if touches(grown(label_box(board, name, k), 20), box)]
    for large in atlas_of(board).chart.large:
        x, y = large.at
        words = text(0, 0, large.words(lang), large.size, BOLD, SEPIA, spacing=large.spacing)
        # Letter by letter, a fill that lets light through costs no layer of its own.
        faint = words.replace("<text ", '<text fill-opacity=".34" ', 1)
        parts.append(signs.at(x, y, faint, turn=large.turn))
    defs, rivers = river_names(_named_rivers(board, box), obstacles(board), 16.7, k, 6 * k / board.k)
    parts.append(rivers)
    parts += [area_name(board, name, k) for name in near if board.is_sea(name)]
    parts += [town(board, name, k) for name in near if name in board.land]
    parts += [area_name(board, name, k) for name in near if name in board.land]
    return defs, "".join(parts)
