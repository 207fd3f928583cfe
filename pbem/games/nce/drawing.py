"""What the map of a view shows."""

from __future__ import annotations

from pbem.games.nce.charts import COUNTRIES, FLEETS, UNITS, ZONES
from pbem.games.nce.state import COALITION, EMPIRE, SEATS, Force, State
from pbem.games.nce.words import VOCABULARY
from pbem.kernel.drawing import (
    Arrow,
    Battle,
    Counter,
    Drawing,
    Lang,
    Mark,
    Marker,
    Objective,
    Panel,
    Row,
    Score,
    Tint,
    Wash,
)

_TINTS: dict[str, Tint] = {
    "france": "france",
    "autriche": "austria",
    "prusse": "prussia",
    "russie": "russia",
    "suede": "sweden",
    "angleterre": "great_britain",
    "espagne": "spain",
    "portugal": "portugal",
    "turquie": "turkey",
}
_SIDE: dict[str, Tint] = {EMPIRE: "france", COALITION: "allied"}
_TEXTS = {
    "en": {
        "vp": "Victory points",
        "esc": "Escalation",
        "cards": "cards",
        "reserve": "reserve",
        "sieges": "Sieges",
    },
    "fr": {
        "vp": "Points de victoire",
        "esc": "Escalade",
        "cards": "cartes",
        "reserve": "réserve",
        "sieges": "Sièges",
    },
}


def tint(view: State, country: str) -> Tint:
    """The colour of a country: its own, or that of the power it follows."""
    if country in _TINTS:
        return _TINTS[country]
    side = view.side_of(country)
    if side == EMPIRE:
        return "france"
    return _TINTS.get(view.patron(country), "allied") if side == COALITION else "neutral"


def _counter(view: State, force: Force, lang: str) -> Counter:
    kind = "general" if force.general else "unit"
    return Counter(
        area=force.zone,
        tint=tint(view, force.power),
        value=str(force.strength),
        pill=VOCABULARY.say(kind, force.name, lang),
        arm="cavalry" if any(UNITS[unit].army_only for unit in force.units) else "infantry",
        depth=2 if force.army else 1,
        worn=force.demoralised,
        faded=force.inside,
    )


def drawing(view: State, seat: str | None, lang: str) -> Drawing:
    """Owners by tint, forces with strength and general, fleets, sieges, the moves of the last action."""
    words = _TEXTS["fr" if lang == "fr" else "en"]
    marks: list[Mark] = []
    for zone in ZONES:
        marks.append(Wash(zone, tint(view, view.owner_of(zone))))
    for zone, side in view.control.items():
        marks.append(Objective(zone, tint=_SIDE[side]))
    marks += [_counter(view, force, lang) for force in view.forces.values()]
    for fleet, place in view.fleets.items():
        kind, _, where = place.partition(":")
        if kind in ("port", "box") and where in ZONES:
            label = "F" if kind == "port" else "B"
            marks.append(Marker(where, tint(view, FLEETS[fleet].power), label, shape="square"))
        elif kind == "sea":
            marks.append(Marker(where, tint(view, FLEETS[fleet].power), "F", shape="square"))
    for zone in view.siege:
        marks.append(Battle(zone, zone, str(view.siege[zone])))
    for start, to, side in view.moves:
        marks.append(Arrow(start, to, _SIDE.get(side, "neutral")))
    shown: Lang = "fr" if lang == "fr" else "en"
    rows = [
        Row(
            VOCABULARY.say("side", side, lang),
            f"{len(view.hands[side])} {words['cards']} · {view.reserve[side]} {words['reserve']}",
            tint=_SIDE[side],
        )
        for side in SEATS
    ]
    rows += [
        Row(VOCABULARY.say("country", c.id, lang), _standing(view, c.id, lang), tint=tint(view, c.id))
        for c in COUNTRIES.values()
        if c.major
    ]
    del seat
    return Drawing(
        board="nce",
        title="Napoléon contre l'Europe",
        subtitle=f"{view.year} · {view.round}",
        marks=tuple(marks),
        scores=(
            Score("france", words["vp"], str(view.vp)),
            Score("neutral", words["esc"], str(view.escalation)),
        ),
        panels=(Panel(str(view.year), tuple(rows)),),
        lang=shown,
    )


def _standing(view: State, power: str, lang: str) -> str:
    side = view.side_of(power)
    if side in SEATS:
        return VOCABULARY.say("side", side, lang)
    names = {
        "neutral": ("neutral", "neutre"),
        "forced_peace": ("forced peace", "paix forcée"),
        "forced_alliance": ("forced alliance", "alliance forcée"),
    }
    return names.get(view.status[power], ("", ""))[lang == "fr"]
