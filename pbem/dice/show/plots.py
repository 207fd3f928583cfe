"""Small pictures of luck, as SVG in the colours of our letters: paper, ink, a red that prints.

`faces` shows how often each face came, with the fair height and the band in which nineteen of twenty fair
dice end; `course` shows each seat's luck die by die inside the same band, `balance` what battles gave against
what they give on average. Seats differ by their dashes, not
only by their colours. Texts are escaped; nothing else is needed to show them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

from pbem.dice.audit.verdicts import Spread
from pbem.dice.show.luck import Balance

PAPER, INK, RED, FAINT, BAND = "#f9f4e7", "#2e2418", "#7d2a22", "#a8977a", "#ece4d0"
LINES = ((RED, ""), ("#24466b", "6 3"), ("#2c5a2e", "2 2"), (INK, "8 2 2 2"), ("#7a5c12", "4 1"))
MOST_FACES = 100
MOST_POINTS = 400
WIDTH, HEIGHT = 360, 150

_FONT = 'font-family="Georgia, \'Source Serif Pro\', serif" font-size="11"'


def faces(spread: Spread, title: str = "") -> str:
    """A picture of one kind of die; empty for dice with more faces than a picture can show."""
    if spread.sides > MOST_FACES or not spread.count:
        return ""
    fair = spread.count / spread.sides
    stray = 1.96 * math.sqrt(fair * (1 - 1 / spread.sides))
    most = max(*spread.counts, fair + stray, 1) * 1.08
    left, right, top, bottom = 30, WIDTH - 10, 24, HEIGHT - 20
    step = (right - left) / spread.sides

    def height(count: float) -> float:
        return bottom - (bottom - top) * min(max(count, 0), most) / most

    high, low = height(fair + stray), height(fair - stray)
    parts = [
        f'<rect x="{left}" y="{high:.1f}" width="{right - left}" height="{low - high:.1f}" fill="{BAND}"/>'
    ]
    for n, count in enumerate(spread.counts):
        x, y = left + n * step + step * 0.15, height(count)
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{step * 0.7:.1f}" height="{bottom - y:.1f}" fill="{RED}">'
            f"<title>{n + 1}: {count}</title></rect>"
        )
        if spread.sides <= 20 or (n + 1) % 10 == 0:
            parts.append(_text(x + step * 0.35, bottom + 13, str(n + 1), "middle"))
    parts.append(_line(left, height(fair), right, height(fair), INK, "2 3"))
    parts.append(_line(left, bottom, right, bottom, INK))
    parts.append(_text(left - 4, height(fair) + 4, f"{fair:.0f}" if fair >= 10 else f"{fair:.1f}", "end"))
    return _picture(parts, title)


def course(paths: Mapping[str, Sequence[float]], title: str = "", name: Callable[[str], str] = str) -> str:
    """A picture of the luck of each seat, die by die; empty where there is nothing to show."""
    longest = max((len(path) for path in paths.values()), default=0)
    if longest < 2:
        return ""
    edge = 1.96 * math.sqrt(longest - 1)
    most = max(edge, *(abs(value) for path in paths.values() for value in path)) * 1.08
    left, right, top, bottom = 30, WIDTH - 10, 24, HEIGHT - 20
    middle = (top + bottom) / 2

    def place(n: float, value: float) -> str:
        return f"{left + (right - left) * n / (longest - 1):.1f},{middle - (bottom - top) / 2 * value / most:.1f}"

    ticks = [n * (longest - 1) / 40 for n in range(41)]
    band = [place(n, 1.96 * math.sqrt(n)) for n in ticks]
    band += [place(n, -1.96 * math.sqrt(n)) for n in reversed(ticks)]
    parts = [
        f'<polygon points="{" ".join(band)}" fill="{BAND}"/>',
        _line(left, middle, right, middle, FAINT, "2 3"),
    ]
    for n, (seat, path) in enumerate(paths.items()):
        colour, dashes = LINES[n % len(LINES)]
        every = max(1, len(path) // MOST_POINTS)
        shown = [*range(0, len(path) - 1, every), len(path) - 1]
        points = " ".join(place(at, path[at]) for at in shown)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')
        x = left + n * (right - left) / max(len(paths), 1)
        parts.append(_line(x, bottom + 10, x + 18, bottom + 10, colour, dashes))
        parts.append(_text(x + 22, bottom + 14, name(seat)[:24]))
    parts.append(_text(left - 4, middle + 4, "0", "end"))
    return _picture(parts, title)


def balance(rows: Sequence[tuple[str, Balance]], title: str = "") -> str:
    """A picture of what battles gave against what they give on average, a row for each name; empty without any."""
    if not rows:
        return ""
    left, right, middle, step, top = 20, WIDTH - 20, WIDTH / 2, 34, 30
    bottom = top + step * len(rows)
    most = max(3.0, *(abs(each.z or 0.0) for _, each in rows)) * 1.05

    def place(z: float) -> float:
        return middle + (right - left) / 2 * z / most

    parts = [
        f'<rect x="{place(-1.96):.1f}" y="{top - 6}" width="{place(1.96) - place(-1.96):.1f}" '
        f'height="{bottom - top}" fill="{BAND}"/>',
    ]
    for n, (name, each) in enumerate(rows):
        y = top + step * n
        parts.append(_text(left, y + 6, f"{name}: {each.got:g} ({each.mean:.1f})"))
        parts.append(_line(left, y + 18, right, y + 18, FAINT))
        parts.append(_line(middle, y + 12, middle, y + 24, INK))
        if each.z is not None:
            parts.append(_line(middle, y + 18, place(each.z), y + 18, RED))
            parts.append(
                f'<circle cx="{place(each.z):.1f}" cy="{y + 18}" r="4" fill="{RED}">'
                f"<title>z {each.z:+.1f}</title></circle>"
            )
    return _picture(parts, title, bottom + 4)


def _picture(parts: Sequence[str], title: str, height: int = HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" {_FONT}><title>{escape(title)}</title>'
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>{_text(10, 15, title)}{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}">{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, dashes: str = "") -> str:
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" '
        f'stroke-width="1.2"{dash}/>'
    )
