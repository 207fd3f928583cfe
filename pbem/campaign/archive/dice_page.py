"""The dice of a game as a page: how they fell for whom, and every open roll with what it was for.

Each line of the chronicle that dice decided leads to its place here (`dice.html#d12`). Of a game in play the page
shows what everyone may know.
"""

from __future__ import annotations

from html import escape

from pbem import games
from pbem.campaign.archive.print_edition import listed
from pbem.campaign.outgoing.couriers import PREFIX
from pbem.campaign.outgoing.dice_lines import explained
from pbem.campaign.table import tables
from pbem.dice.show import luck, plots, readable
from pbem.dice.show.readable import Explained, Roll
from pbem.kernel.event import Told
from pbem.reports.catalogue import Catalogue
from pbem.store.store import Store
from pbem.store.tables import GameRow

PAGE = "dice.html"


class Dice:
    """The open draws of a game, and the events that they decided."""

    def __init__(self, store: Store, row: GameRow, words: Catalogue) -> None:
        self.store, self.row, self.words = store, row, words
        self.over = row.status == "over"
        told = tables.told(store.events(row.id), row.rules)
        self.told = [item for item in told if self.over or item.to is None]
        reasons: dict[str, Explained] = {}
        for item in self.told:
            reasons |= explained(words, item.event, item.event.draws)
        rolls = readable.battle(
            store.entries(row.id),
            "",
            lang=words.lang,
            seat=words.seat,
            explained=reasons,
            file=f"{row.id}-log.jsonl",
        )
        # Of a label that a rollback let be drawn again, the last draw counts.
        self.rolls = {roll.label: roll for roll in rolls}

    def behind(self, told: Told) -> list[Roll]:
        """The open rolls behind an event."""
        return [self.rolls[label] for label in told.event.draws if label in self.rolls]

    def numbers(self) -> set[int]:
        """The numbers of the events that dice decided."""
        return {item.n for item in self.told if self.behind(item)}

    def luck(self) -> str:
        """How the dice fell for whom, in words and pictures; nothing for a game without dice."""
        words = self.words
        draws = [row.drawn() for row in self.store.draws(self.row.id) if not row.label.startswith(PREFIX)]
        events = [item.event for item in self.told]
        found = luck.fortunes(draws, secrets=self.over)
        balance = luck.balance(events)
        if not any(fortune.spread.count for fortune in found) and not balance:
            return ""
        lines = luck.lines(
            draws, events, lang=words.lang, seat=words.seat, what=self._counted, secrets=self.over
        )
        title = words.phrase("titles", "luck")
        pictures = [
            plots.course(luck.course(draws, secrets=self.over), name=words.seat),
            plots.balance(
                [(f"{words.seat(each.seat)}, {self._counted(each.what)}", each) for each in balance], title
            ),
        ]
        for fortune in found:
            seat = fortune.spread.seat
            pictures.append(plots.faces(fortune.spread, words.seat(seat) if seat else ""))
        return "\n".join([listed(lines), *filter(None, pictures)])

    def _counted(self, what: str) -> str:
        return self.words.phrase("luck", what) if self.words.has("luck", what) else what

    def page(self) -> str:
        """The whole page; empty for a game without open draws."""
        if not self.rolls:
            return ""
        words = self.words
        title = f"{games.load(self.row.rules).titles[words.lang]} · {self.row.id}"
        left = dict(self.rolls)
        parts = [
            f"<h1>{escape(title)}</h1>",
            f"<section><h2>{escape(words.phrase('titles', 'dice'))}</h2>{self.luck()}</section>",
            f"<section><h2>{escape(words.phrase('titles', 'throws'))}</h2>",
        ]
        for item in self.told:
            rolls = self.behind(item)
            for roll in rolls:
                left.pop(roll.label, None)
            if rolls:
                sentence = escape(words.event(item.event, ""))
                mark = f'<a href="#d{item.n}">[d{item.n}]</a>'
                parts.append(
                    f'<article id="d{item.n}"><p>{mark} {sentence}</p>{_rolls(rolls, words.lang)}</article>'
                )
        if left:
            parts.append(f"<article>{_rolls(list(left.values()), words.lang)}</article>")
        body = "\n".join([*parts, "</section>"])
        return (
            f'<!doctype html>\n<html lang="{words.lang}"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
        )


def _rolls(rolls: list[Roll], lang: str) -> str:
    return f"<pre>{escape(chr(10).join(readable.text(rolls, lang=lang)))}</pre>"


_STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1, h2 { font-weight: normal; } p { margin: .8rem 0 .2rem; } a { color: #7d2a22; }
pre { font: 12px/1.45 Menlo, Consolas, monospace; color: #5b4630; white-space: pre-wrap; overflow-wrap: anywhere;
  margin: 0 0 0 1.4rem; }
article:target { background: #f3ead2; }
"""
