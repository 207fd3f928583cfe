"""What the map of a view shows."""

from __future__ import annotations

from typing import cast

from pbem.games.crowns.board import AREAS, POWERS
from pbem.games.crowns.state import HIDDEN, State
from pbem.games.crowns.words import VOCABULARY
from pbem.kernel.drawing import Arrow, Counter, Drawing, Lang, Mark, Panel, Row, Step, Tint, Track, Wash
from pbem.kernel.order import Seat

_TEXTS = {
    "en": {"turn": "Turn", "crowns": "Crowns", "powers": "Powers", "gold": "gold", "grain": "grain"},
    "fr": {"turn": "Tour", "crowns": "Couronnes", "powers": "Puissances", "gold": "or", "grain": "grain"},
}


def tint(power: str) -> Tint:
    """The colour of a power."""
    return cast(Tint, power) if power in POWERS else "neutral"


def drawing(view: State, seat: Seat | None, lang: str) -> Drawing:
    """Who holds what with how many regiments, as far as the reader knows; who stands before whose gates."""
    words = _TEXTS[lang]
    marks: list[Mark] = [Wash(area, tint(view.owner[area])) for area in AREAS if view.owner[area]]
    for area in AREAS:
        n = view.troops[area]
        if n:
            marks.append(
                Counter(area, tint(view.owner[area]), "?" if n == HIDDEN else str(n), arm="infantry")
            )
    for one in view.contests:
        label = "?" if one.regiments == HIDDEN else str(one.regiments)
        marks.append(Arrow(one.start, one.area, tint(one.power), label))
    rows = tuple(
        Row(
            VOCABULARY.say("power", power, lang),
            f"{len(view.held(power))}"
            + (f" +{view.powers[power].crowns}♕" if view.powers[power].crowns else ""),
            tint(power),
            faded=view.powers[power].out,
        )
        for power in POWERS
    )
    own = tuple(
        Row(
            VOCABULARY.say("power", power, lang),
            f"{view.powers[power].gold} {words['gold']}, {view.powers[power].grain} {words['grain']}",
            tint(power),
        )
        for power in view.of(seat or "")
    )
    panels = [Panel(words["powers"], rows)]
    if own:
        panels.append(Panel(VOCABULARY.say("seat", seat or "", lang), own))
    steps = tuple(Step(str(n)) for n in range(1, view.last + 1))
    return Drawing(
        board="crowns",
        title="Sept couronnes" if lang == "fr" else "Seven crowns",
        subtitle=f"{words['turn']} {min(view.turn, view.last)}",
        marks=tuple(marks),
        track=Track(words["turn"], steps, min(view.turn, view.last) - 1),
        panels=tuple(panels),
        lang=cast(Lang, lang),
    )
