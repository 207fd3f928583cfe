"""What lies on a hex board: blocks, leaders, ways, fights, losses, banners."""

from __future__ import annotations

import math
from itertools import pairwise

from pbem.kernel.drawing import Banners, Block, HexFight, HexLeader, HexLoss, HexMove, Objective, Tint
from pbem.reports.map.hexes.grid import RADIUS, WIDE, outline
from pbem.reports.map.marks import pieces, signs
from pbem.reports.map.paint.geometry import Box, Point, around, leave, union
from pbem.reports.map.paint.ink import Piece, circle, fitted, group, num, path, rect, text, width
from pbem.reports.map.paint.style import (
    BLACK,
    BLOOD,
    BOLD,
    CLOTH,
    EDGE,
    GOLD,
    HALO,
    INK,
    REGULAR,
    SEPIA,
    Cloth,
)

TILE_WIDE, TILE_HIGH, TILE_UP = 66.0, 54.0, 3.0
"""A tile's size, and how far above its hex's middle it lies."""
_PILL_DOWN, _PILL, _LABEL, _NAME_ROOM = 34.0, 0.86, 0.8, 84.0
_HEX_BOX: Box = (-WIDE / 2 - 6, -RADIUS - 4, WIDE / 2 + 6, RADIUS + 4)
_FALLEN = ((-34.0, -31.0), (34.0, -31.0), (-34.0, 31.0), (34.0, 31.0))
_BICORNE = "M-19 7C-17-3-9-4-6-9-3-13 3-13 6-9 9-4 17-3 19 7 8 2-8 2-19 7z"


def _dark(ink: str) -> bool:
    """Whether a cloth is so light that it is printed in dark ink."""
    return ink != "#ffffff"


def _square(left: float, top: float) -> str:
    """A unit in square: a hedge of bayonets on all four sides."""
    teeth = []
    for i in range(8):
        x = left + 4 + i * (TILE_WIDE - 8) / 7
        teeth += [f"M{num(x)} {num(top)}v-8", f"M{num(x)} {num(top + TILE_HIGH)}v8"]
    for i in range(6):
        y = top + 5 + i * (TILE_HIGH - 10) / 5
        teeth += [f"M{num(left)} {num(y)}h-8", f"M{num(left + TILE_WIDE)} {num(y)}h8"]
    d = "".join(teeth)
    return path(d, stroke=HALO, width=5, cap="round") + path(d, stroke=EDGE, width=2.4)


def tile(block: Block) -> str:
    """A unit's tile: arm and letters on the left, blocks left on the right, and a row of blocks below."""
    cloth, left, top = CLOTH[block.tint], -TILE_WIDE / 2, -TILE_HIGH / 2 - TILE_UP
    rim = f'stroke="{GOLD}" stroke-width="2"' if block.guard else f'stroke="{cloth.ink}" stroke-opacity=".5"'
    parts = [_square(left, top)] if block.square else []
    if block.ordered:
        parts.append(rect(left - 4, top - 4, TILE_WIDE + 8, TILE_HIGH + 8, GOLD, f'stroke="{EDGE}"', 8))
    parts += [
        rect(left + 2.2, top + 2.8, TILE_WIDE, TILE_HIGH, "#000", 'opacity=".3"', 5),
        rect(left, top, TILE_WIDE, TILE_HIGH, cloth.fill, f'stroke="{EDGE}" stroke-width="2"', 5),
        rect(
            left + 3,
            top + 3,
            TILE_WIDE - 6,
            TILE_HIGH - 6,
            "none",
            rim,
            3,
        ),
        signs.arm(block.arm, left + 20, top + 15, 1.32, cloth.ink) if block.arm else "",
    ]
    code, size = fitted(block.code, 15, 30, BOLD, least=0.6)
    parts.append(text(left + 20, top + 37, code, size, BOLD, cloth.ink))
    parts.append(text(left + 48, top + 37, str(block.strength), 40, BLACK, cloth.ink))
    full = max(block.full, block.strength, 1)
    step = min(11.5, (TILE_WIDE - 12) / full)
    for i in range(full):
        x, y = left + TILE_WIDE / 2 + (i - full / 2) * step + 1, top + TILE_HIGH - 11.5
        there = f'stroke="{cloth.ink}" stroke-width="1.1"'
        parts.append(rect(x, y, step - 2.4, 5.6, cloth.ink if i < block.strength else "none", there))
    return "".join(parts)


def block(mark: Block, at: Point) -> Piece:
    """A unit's tile on its hex."""
    return Piece(tile(mark), (-46, -45, 46, 40), at)


def name(words: str, tint: Tint, at: Point) -> Piece:
    """A leader's name under his unit or his hat; it lies on top of what happens around."""
    cloth = CLOTH[tint]
    pill = pieces.pill(0, _PILL_DOWN, words, cloth.fill, cloth.ink, _PILL, EDGE if _dark(cloth.ink) else GOLD)
    half = pieces.pill_width(words, _PILL) / 2 + 2
    return Piece(pill, (-half, _PILL_DOWN - 11, half, _PILL_DOWN + 11), at)


def hat(fill: str, ink: str) -> str:
    """A leader's medallion: a bicorne on his colours."""
    disc = circle(0, 0, 23, fill, f'stroke="{EDGE}" stroke-width="6"')
    rim = circle(0, 0, 23, "none", f'stroke="{GOLD}" stroke-width="3"')
    cockade = circle(0, -3, 3, GOLD)
    return disc + rim + path(_BICORNE, ink, ink, 1) + cockade


def leader(mark: HexLeader, at: Point) -> Piece:
    """A leader alone: his hat."""
    cloth = CLOTH[mark.tint]
    return Piece(signs.at(0, -4, hat(cloth.fill, cloth.ink)), (-30, -34, 30, 26), at)


def _tile_box(at: Point) -> Box:
    return around(at[0], at[1] - TILE_UP, TILE_WIDE + 8, TILE_HIGH + 8)


def _smooth(points: list[Point]) -> str:
    """Path data: corners rounded off."""
    d = f"M{num(points[0][0])} {num(points[0][1])}"
    for here, after in pairwise(points[1:]):
        half = ((here[0] + after[0]) / 2, (here[1] + after[1]) / 2)
        d += f"Q{num(here[0])} {num(here[1])} {num(half[0])} {num(half[1])}"
    return d + f"L{num(points[-1][0])} {num(points[-1][1])}"


def _head(tip: Point, before: Point, size: float) -> tuple[str, Point]:
    """Path data of an arrow's head, and where its neck is."""
    span = math.dist(before, tip) or 1.0
    ux, uy = (tip[0] - before[0]) / span, (tip[1] - before[1]) / span
    neck = (tip[0] - ux * size, tip[1] - uy * size)
    half = size * 0.62
    d = (
        f"M{num(tip[0])} {num(tip[1])}L{num(neck[0] - uy * half)} {num(neck[1] + ux * half)}"
        f"L{num(neck[0] + uy * half)} {num(neck[1] - ux * half)}z"
    )
    return d, neck


def move(mark: HexMove, way: list[Point]) -> Piece:
    """An arrow from hex to hex, ending at the edge of the tile that went there."""
    cloth = CLOTH[mark.tint]
    tip = leave(_tile_box(way[-1]), way[-2])
    head, neck = _head(tip, way[-2], 23)
    line = _smooth([*way[:-1], neck])
    edge = EDGE if _dark(cloth.ink) else HALO
    dash = "13 9" if mark.retreat else ""
    x, y = way[0]
    parts = [
        path(line, stroke=edge, width=12.5, cap="butt" if dash else "round"),
        path(head, edge, edge, 5),
        path(line, stroke=cloth.fill, width=8, dash=dash),
        circle(x, y, 8.5, cloth.fill, f'stroke="{edge}" stroke-width="2.4"'),
        path(head, cloth.fill),
    ]
    xs, ys = [p[0] for p in way], [p[1] for p in way]
    return Piece(group('opacity=".94"', parts), (min(xs) - 26, min(ys) - 26, max(xs) + 26, max(ys) + 26))


def fight(mark: HexFight, start: Point, end: Point) -> Piece:
    """Shot flying to its target, or swords where two units meet."""
    return _melee(CLOTH[mark.tint], start, end) if mark.melee else _fire(CLOTH[mark.tint], start, end)


def _melee(cloth: Cloth, start: Point, end: Point) -> Piece:
    """Swords on a drop of the attacker's colours that points at whom he attacks."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    span = math.dist(start, end) or 1.0
    ux, uy = (end[0] - start[0]) / span, (end[1] - start[1]) / span
    radius, reach = 20.0, 33.0
    along, beside = radius * radius / reach, radius * math.sqrt(1 - (radius / reach) ** 2)
    one = (x + ux * along - uy * beside, y + uy * along + ux * beside)
    two = (x + ux * along + uy * beside, y + uy * along - ux * beside)
    drop = (
        f"M{num(x + ux * reach)} {num(y + uy * reach)}L{num(one[0])} {num(one[1])}"
        f"A{num(radius)} {num(radius)} 0 1 1 {num(two[0])} {num(two[1])}z"
    )
    art = path(drop, cloth.fill, EDGE if _dark(cloth.ink) else HALO, 3) + signs.swords(x, y, 14.5)
    return Piece(art, around(x, y, 84, 84))


def _flight(start: Point, end: Point) -> tuple[Point, Point]:
    """Where shot leaves the tile that fires and strikes the other."""
    return leave(_tile_box(start), end), leave(_tile_box(end), start)


def _fire(cloth: Cloth, start: Point, end: Point) -> Piece:
    muzzle, struck = _flight(start, end)
    d = f"M{num(muzzle[0])} {num(muzzle[1])}L{num(struck[0])} {num(struck[1])}"
    smoke = "".join(
        circle(muzzle[0] + dx, muzzle[1] + dy, r, HALO, f'stroke="{SEPIA}" stroke-width="1.2"')
        for dx, dy, r in ((-6, 2, 6.5), (6, 3, 6), (0, -4, 7.5))
    )
    parts = [
        path(d, stroke=HALO, width=8, opacity=0.85, cap="round"),
        path(d, stroke=cloth.fill, width=4.6, dash="1 9", cap="round"),
        smoke,
        path(signs.star(*struck, 15, 9, 0.5), "#e8a23a", EDGE, 1.6),
        path(signs.star(*struck, 8, 9, 0.5), "#fbe9a8"),
    ]
    return Piece("".join(parts), union([around(*muzzle, 40, 40), around(*struck, 40, 40)]))


def fight_label(mark: HexFight, start: Point, end: Point) -> Piece:
    """What a fight cost, or its number: in the middle of the shot's way, beside or under the swords."""
    half = pieces.pill_width(mark.label, _LABEL) / 2
    if mark.melee:
        aside = abs(end[1] - start[1]) > RADIUS
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        x, y = (x + 20 + half, y) if aside else (x, y + 31)
    else:
        muzzle, struck = _flight(start, end)
        x, y = (muzzle[0] + struck[0]) / 2, (muzzle[1] + struck[1]) / 2
    edge = BLOOD if mark.melee else CLOTH[mark.tint].fill
    pill = pieces.pill(0, 0, mark.label, HALO, INK, _LABEL, edge)
    return Piece(pill, around(0, 0, 2 * half + 6, 24), (x, y))


def loss(mark: HexLoss, at: Point, place: int, alone: bool) -> Piece:
    """A struck-out tile: in the hex's middle when it is empty now, else at its lower corners."""
    cloth = CLOTH[mark.tint]
    k = 1.0 if alone and place == 0 else 0.66
    x, y = (0.0, -TILE_UP) if alone and place == 0 else _FALLEN[place % 4]
    code, size = fitted(mark.code, 17, 40, BOLD, least=0.6)
    parts = [
        group(
            'opacity=".55"',
            [
                rect(-24, -19, 48, 38, cloth.fill, f'stroke="{EDGE}" stroke-width="2"', 4),
                text(0, size * 0.34, code, size, BOLD, cloth.ink),
            ],
        ),
        path("M-21-16L21 16M-21 16L21-16", stroke=HALO, width=9, cap="round"),
        path("M-21-16L21 16M-21 16L21-16", stroke=BLOOD, width=5, cap="round"),
    ]
    return Piece(signs.at(x, y, *parts, scale=k), (-58, -60, 58, 62), at)


def _lines(words: str) -> list[str]:
    """A name on one line if it fits there, else broken near its middle."""
    spaces = [i for i, letter in enumerate(words) if letter == " "]
    if not spaces or width(words, 17, REGULAR, italic=True) * 0.8 <= _NAME_ROOM:
        return [words]
    middle = min(spaces, key=lambda i: abs(i - len(words) / 2))
    return [words[:middle], words[middle + 1 :]]


def place_name(words: str, at: Point, below_pill: bool) -> Piece:
    """A place's name at the foot of its hex, over whatever stands there."""
    parts, lines = [], _lines(" ".join(words.split())[:60])
    low = (57.0 if below_pill else 45.0) - 14 * (0 if below_pill else len(lines) - 1)
    for i, line in enumerate(lines):
        shown, size = fitted(line, 17 if len(lines) == 1 else 15, _NAME_ROOM, REGULAR, least=0.6)
        parts.append(text(0, low + 14 * i, shown, size, REGULAR, INK, italic=True, halo=HALO, halo_width=3.8))
    return Piece("".join(parts), (-_NAME_ROOM / 2 - 8, low - 18, _NAME_ROOM / 2 + 8, low + 24), at)


def goal_ring(at: Point) -> Piece:
    """The outline of a hex worth banners."""
    d = outline((0, 0), RADIUS - 3)
    ring = path(d, GOLD, EDGE, 7, extra='fill-opacity=".14" stroke-opacity=".7"') + path(
        d, stroke=GOLD, width=4
    )
    return Piece(ring, _HEX_BOX, at)


def goal_flag(mark: Objective, at: Point) -> Piece:
    """A flag at the hex's upper right, with what the ground is worth."""
    wide, high = pieces.flag_size(mark, 0.78)
    box = (23.0, -49.0, 23.0 + wide, -49.0 + high)
    return Piece(pieces.flag(box, (23.0, -21.0), mark, 0.78), (18, -58, 28 + wide, -16), at)


def banner(x: float, y: float, fill: str, won: bool) -> str:
    """A swallow-tailed banner on its pole; only its outline while it is still to be won."""
    cloth = "M0-15H20V13L10 6 0 13z"
    pole = path("M0-19V24", stroke=EDGE if won else "#a08e6c", width=2.6, cap="round")
    if not won:
        return signs.at(x, y, pole, path(cloth, "#eadfc4", "#a08e6c", 1.6))
    knob = circle(0, -20, 3, GOLD, f'stroke="{EDGE}"')
    return signs.at(
        x, y, pole, path(cloth, fill, EDGE, 1.8), path("M3.5-11.5H16.5", stroke=GOLD, width=2.2), knob
    )


def banner_track(side: Banners, right: float, top: float, high: float) -> tuple[str, float]:
    """A side's banners against a right edge; gives also where they begin."""
    cloth = CLOTH[side.tint]
    count = min(max(side.target, side.won, 1), 12)
    step = min(32.0, 288 / count)
    left = right - 18 - count * step
    middle = top + high / 2
    parts = [banner(left + i * step + 3, middle + 12, cloth.fill, i < side.won) for i in range(count)]
    score, size = f"{side.won} / {side.target}", 27.0
    parts.append(text(left - 18, middle + 22, score, size, BLACK, INK, "end"))
    label_left = left - 18 - width(score, size, BLACK) - 18
    label, label_size = fitted(side.label, 21, 230, BOLD)
    note, note_size = fitted(side.note, 16, 230, REGULAR)
    lowered = 6.0 if not side.note else 0.0
    parts.append(text(label_left, middle + 4 + lowered, label, label_size, BOLD, cloth.fill, "end"))
    if note:
        parts.append(text(label_left, middle + 25, note, note_size, REGULAR, SEPIA, "end"))
    used = max(width(label, label_size, BOLD), width(note, note_size, REGULAR) if note else 0.0)
    return "".join(parts), label_left - used
