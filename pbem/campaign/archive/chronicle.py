"""The chronicle of a finished game: one web page, a print edition, maps turn by turn, and an animated map.

Everything in it is public by then: all orders, all events, the diaries. No address is.
"""

from __future__ import annotations

import io
from html import escape
from itertools import groupby
from pathlib import Path

import msgspec
from PIL import Image

from pbem import games
from pbem.campaign.archive.dice_page import PAGE as DICE_PAGE
from pbem.campaign.archive.dice_page import Dice
from pbem.campaign.archive.print_edition import Chapter, Tale, edition, listed, picture
from pbem.campaign.commands.history import Moments
from pbem.campaign.outgoing import report
from pbem.campaign.table import tables
from pbem.campaign.table.tables import Affairs
from pbem.kernel.event import Told
from pbem.reports import map as maps
from pbem.reports.catalogue import Catalogue, catalogue
from pbem.store.store import Store
from pbem.store.tables import AnswerRow, GameRow

PAGE, PRINT, FILM = "chronicle.html", "chronicle-print.html", "chronicle.png"
_FRAME_MILLISECONDS = 900
_FILM_WIDTH = 700
_MOST_MAPS = 200


class NotOver(ValueError):
    """The game is not over: its secrets are not to be told."""


def write(store: Store, game_id: str, folder: Path, lang: str = "en", width: int = 900) -> list[Path]:
    """Write page, print edition, animated map and dice; the files. Raises NoSuchGame, NotOver, OSError."""
    row = store.game(game_id)
    if row.status != "over":
        raise NotOver(f"{game_id} is not over; its chronicle would betray it")
    rules = games.load(row.rules)
    words = catalogue(lang, rules)
    dice = Dice(store, row, words)
    tale = tell(store, row, words, width, dice)
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / PAGE, folder / PRINT]
    files[0].write_text(page(tale, words.lang), encoding="utf-8")
    files[1].write_text(edition(tale, words), encoding="utf-8")
    if len(tale.chapters) > 1:
        files.append(folder / FILM)
        files[2].write_bytes(film([chapter.picture for chapter in tale.chapters]))
    if rolls := dice.page():
        files.append(folder / DICE_PAGE)
        files[-1].write_text(rolls, encoding="utf-8")
    return files


def _chapters(store: Store, row: GameRow, words: Catalogue, width: int, thrown: set[int]) -> list[Chapter]:
    """A chapter for each moment; its map shows how it ended."""
    moments = Moments(store, row.id)
    answers = store.answers(row.id)
    told: dict[int, list[Told]] = {}
    for event, one in zip(rows := store.events(row.id), tables.told(rows, row.rules), strict=True):
        told.setdefault(event.answer, []).append(one)
    chapters: list[Chapter] = []
    for moment, group in groupby(answers, key=lambda answer: moments.of(answer.n)):
        given = list(group)
        if len(chapters) >= _MOST_MAPS:
            break
        first = 0 if not chapters else given[0].n
        happened = [one for n in range(first, given[-1].n + 1) for one in told.get(n, ())]
        events = [words.event(one.event, "") for one in happened]
        dice = [one.n if one.n in thrown else 0 for one in happened]
        orders = [line for answer in given if (line := _order(words, answer))]
        picture = _picture(store, row, given[-1].n, words.lang, width)
        chapters.append(Chapter(moment, picture, orders, events, dice))
    return chapters


def _order(words: Catalogue, row: AnswerRow) -> str:
    assert words.rules is not None
    given = row.given(words.rules.orders)
    if not given.answer:
        return ""
    name = words.vocabulary.say("question", row.kind, words.lang) if row.kind else ""
    origin = words.phrase("notes", report.ORIGINS.get(given.origin, "history_origin_letter"))
    answer = "; ".join(words.order(order) for order in given.answer)
    return f"{words.seat(given.seat)}, {name}: {answer} {origin}".strip()


def _picture(store: Store, row: GameRow, answers: int, lang: str, width: int) -> bytes:
    game = tables.position(store.load(row.id, at_answer=answers))
    return maps.png(game.rules.drawing(game.state, None, lang), width)


def film(pictures: list[bytes]) -> bytes:
    """The maps one after another, as an animated PNG."""
    frames = []
    for data in pictures:
        image = Image.open(io.BytesIO(data)).convert("RGB")
        height = round(image.height * _FILM_WIDTH / image.width)
        frames.append(image.resize((_FILM_WIDTH, height), Image.Resampling.LANCZOS))
    # One palette for all frames: they differ little, and the file stays small.
    palette = frames[0].quantize(128)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    out = io.BytesIO()
    durations = [_FRAME_MILLISECONDS] * (len(small) - 1) + [4 * _FRAME_MILLISECONDS]
    small[0].save(
        out, "PNG", save_all=True, append_images=small[1:], duration=durations, loop=0, optimize=True
    )
    return out.getvalue()


def tell(store: Store, row: GameRow, words: Catalogue, width: int, dice: Dice) -> Tale:
    """A finished game, ready to be told on the page and in print."""
    rules = games.load(row.rules)
    scenario = rules.scenarios[row.scenario]
    affairs = row.read(Affairs)
    position = report.Position(
        row.id,
        row.scenario,
        tables.position(store.load(row.id)),
        sum(affairs.spared.values()),
        affairs.resigned,
        affairs.agreed,
    )
    players = [
        f"{words.seat(seat)}: {sits.name}"
        for seat, sits in store.seats(row.id).items()
        if seat in scenario.seats
    ]
    diaries = [
        f"{words.seat(act.by)}: {msgspec.json.decode(act.data).get('text', '')}"
        for act in store.acts(row.id)
        if act.kind == "diary"
    ]
    appendices = [
        ("dice", dice.luck()),
        ("diaries", listed(diaries)),
        ("captures", listed(_captures(store, row, words))),
    ]
    return Tale(
        title=f"{rules.titles[words.lang]} · {row.id}",
        scenario=scenario.fr if words.lang == "fr" else scenario.en,
        players=players,
        outcome=[line.text for line in report.outcome_section(words, position).lines],
        chapters=_chapters(store, row, words, width, dice.numbers()),
        appendices=[(words.phrase("titles", title), inner) for title, inner in appendices if inner],
    )


def page(tale: Tale, lang: str) -> str:
    """The whole chronicle as one page, maps inside, styled for screen and paper."""
    parts = [
        f"<h1>{escape(tale.title)}</h1>",
        f"<p>{escape(tale.scenario)}</p>",
        listed(tale.players),
        listed(tale.outcome),
    ]
    for chapter in tale.chapters:
        parts += [
            f"<section><h2>{escape(chapter.moment)}</h2>{picture(chapter)}",
            listed(chapter.orders, "orders"),
            _events(chapter),
            "</section>",
        ]
    parts += [f"<section><h2>{escape(title)}</h2>{inner}</section>" for title, inner in tale.appendices]
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(tale.title)}</title><style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _events(chapter: Chapter) -> str:
    """What happened; a line that dice decided leads to them."""
    items = []
    for text, n in zip(chapter.events, chapter.dice, strict=True):
        mark = f'<a href="{DICE_PAGE}#d{n}">[d{n}]</a> ' if n else ""
        items.append(f"<li>{mark}{escape(text)}</li>")
    return f'<ul class="events">{"".join(items)}</ul>' if items else ""


def _captures(store: Store, row: GameRow, words: Catalogue) -> list[str]:
    """The letters whose couriers were captured: from whom to whom, who had them, what they said."""
    rides = iter(row.read(Affairs).rides)
    seats = games.load(row.rules).scenarios[row.scenario].seats
    said = []
    for act in store.acts(row.id) if row.read(Affairs).rides else ():
        if act.kind != "press":
            continue
        data = msgspec.json.decode(act.data)
        for to in data["to"]:
            ride = next(rides, None) if to in seats else None
            if ride is not None and ride.captured:
                captor = f" ({words.seat(ride.captor)})" if ride.captor else ""
                said.append(f"{words.seat(act.by)} → {words.seat(to)}{captor}: {data['text']}")
    return said


_STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1, h2 { font-weight: normal; } img { width: 100%; border: 1px solid #ccc; }
ul { padding-left: 1.2rem; } ul.orders { font-style: italic; color: #555; }
@page { size: A4; margin: 18mm; }
@media print {
  body { font-size: 10pt; margin: 0; max-width: none; }
  section { break-before: page; } img { max-height: 150mm; object-fit: contain; }
}
"""
