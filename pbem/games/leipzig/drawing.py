"""What the map of a view shows."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.leipzig.board import BATTLES, BOARD, REVEALS, UNKNOWN, kind_of
from pbem.games.leipzig.charts import date_of
from pbem.games.leipzig.state import LOST, PLACED, WAITING, State, hand_size, side_of
from pbem.games.leipzig.words import VOCABULARY
from pbem.kernel.drawing import Arm as ArmSign
from pbem.kernel.drawing import (
    Arrow,
    Counter,
    Drawing,
    Lang,
    Mark,
    Marker,
    Objective,
    Panel,
    Row,
    Score,
    Shape,
    Stake,
    Step,
    Tint,
    Track,
)

_TINTS: dict[str, Tint] = {"french": "france", "allied": "allied"}
_NATIONS: dict[str, Tint] = {
    "france": "france",
    "austria": "austria",
    "prussia": "prussia",
    "russia": "russia",
    "sweden": "sweden",
}
_SHAPES: dict[str, Shape] = {"french": "disc", "allied": "square"}
_ARM_SIGNS: dict[str, ArmSign] = {"infantry": "infantry", "cavalry": "cavalry", "artillery": "artillery"}
_TEXTS = {
    "en": {
        "title": "Leipzig 1813",
        "turn": "Turn {turn} · {side} to play · {date}",
        "over": "The battle is over",
        "clock": "October 1813",
        "french": "Napoléon",
        "allied": "Schwarzenberg",
        "missions": "Missions",
        "hidden": "not yet revealed: {count}",
        "secret": "{zone} (secret)",
        "row": "Face-up cards",
        "empty": "—",
        "cards": "Cards",
        "hand": "{side}: hand (scouts)",
        "pile": "hidden pile (scouts)",
        "waiting": "Still to come",
        "many": "{side}: armies",
        "lost": "Lost",
        "from": "from {date}",
    },
    "fr": {
        "title": "Leipzig 1813",
        "turn": "Tour {turn} · aux {side} de jouer · {date}",
        "over": "La bataille est finie",
        "clock": "Octobre 1813",
        "french": "Napoléon",
        "allied": "Schwarzenberg",
        "missions": "Missions",
        "hidden": "pas encore révélées : {count}",
        "secret": "{zone} (secrète)",
        "row": "Cartes visibles",
        "empty": "—",
        "cards": "Cartes",
        "hand": "{side} : main (éclaireurs)",
        "pile": "pioche (éclaireurs)",
        "waiting": "Encore à venir",
        "many": "{side} : armées",
        "lost": "Perdues",
        "from": "dès le {date}",
    },
}
MOST_WAITING = 3
"""How many armies of a side are listed one by one beside the map."""
_ABBREVIATIONS = {
    "napoleon": "Na",
    "ney": "Ne",
    "murat": "Mu",
    "marmont": "Ma",
    "macdonald": "Mc",
    "bertrand": "Be",
    "poniatowski": "Po",
    "drouot": "Dr",
    "schwarzenberg": "Sc",
    "blucher": "Bl",
    "bernadotte": "Bd",
    "bennigsen": "Bn",
    "yorck": "Yo",
    "langeron": "La",
    "platow": "Pl",
    "friedrich": "Fr",
    "wittgenstein": "Wi",
    "gyulai": "Gy",
    "bulow": "Bü",
}


def abbreviation(army: str) -> str:
    """Two letters for an army's markers."""
    return _ABBREVIATIONS.get(army) or BOARD.armies[army].name[:2]


def drawing(view: State, seat: str | None, lang: str) -> Drawing:
    """The map of a view."""
    language: Lang = "fr" if lang == "fr" else "en"
    texts = _TEXTS[language]
    if view.phase == "over":
        subtitle = texts["over"]
    else:
        subtitle = texts["turn"].format(
            turn=view.turn,
            side=VOCABULARY.say("side", view.side, language),
            date=VOCABULARY.say("date", date_of(view.time), language),
        )
    return Drawing(
        board="leipzig",
        title=texts["title"],
        subtitle=subtitle,
        marks=tuple(_marks(view)),
        track=_track(view, texts["clock"]),
        scores=tuple(Score(_TINTS[side], texts[side], str(view.points[side])) for side in _TINTS),
        panels=tuple(_panels(view, language)),
        lang=language,
    )


def _marks(view: State) -> Iterator[Mark]:
    for id, army in view.armies.items():
        card = BOARD.armies[id]
        tint = _NATIONS[card.nation]
        if army.zone:
            yield Counter(
                army.zone,
                tint,
                str(army.strength),
                pill=card.name,
                arm=_ARM_SIGNS.get(army.arm, ""),
                worn=army.strength < card.strength,
            )
        for zone in army.markers:
            yield Marker(zone, tint, abbreviation(id), _SHAPES[side_of(id)])
    for mission in view.revealed:
        if mission == UNKNOWN:
            continue
        objective = BOARD.missions[mission]
        holder = next((id for id, army in view.armies.items() if army.zone == objective.zone), "")
        stakes = (
            Stake("france", str(objective.french_points)),
            Stake("allied", str(objective.allied_points)),
        )
        held = bool(holder) and side_of(holder) == "french"
        yield Objective(objective.zone, stakes, "france" if held else "allied" if holder else "neutral")
    for mission in view.missions:
        if mission != UNKNOWN:
            objective = BOARD.missions[mission]
            yield Objective(objective.zone, (Stake("france", f"({objective.french_points})"),))
    for step in view.steps:
        yield Arrow(step.start, step.to, _TINTS[side_of(step.army)], abbreviation(step.army))


def _track(view: State, title: str) -> Track:
    last = BOARD.last() + 1
    steps = tuple(
        Step(
            label=f"{date}." if (date := BOARD.steps.get(n, "")) else "",
            battle=date in BATTLES,
            reveal=date in REVEALS,
        )
        for n in range(last + 1)
    )
    return Track(title, steps, min(view.time, last))


def _panels(view: State, lang: str) -> Iterator[Panel]:
    texts = _TEXTS[lang]
    yield Panel(texts["missions"], tuple(_mission_rows(view, texts)))
    if view.row:
        cards = tuple(
            Row(VOCABULARY.say("card", kind_of(card), lang) if card else texts["empty"], str(n))
            for n, card in enumerate(view.row, 1)
        )
        yield Panel(texts["row"], cards)
    rows = [
        Row(
            texts["hand"].format(side=texts[side]),
            f"{hand_size(view, side)} ({view.scouts[side]})",
            _TINTS[side],
        )
        for side in _TINTS
    ]
    rows.append(Row(texts["pile"], f"{len(view.pile)} ({view.supply})"))
    yield Panel(texts["cards"], tuple(rows))
    waiting = tuple(row for side in _TINTS for row in _waiting_rows(view, side, texts))
    if waiting:
        yield Panel(texts["waiting"], waiting)
    lost = [id for id, army in view.armies.items() if army.status == LOST]
    if lost:
        yield Panel(texts["lost"], tuple(_army_row(view, id, texts) for id in lost))


def _waiting_rows(view: State, side: str, texts: dict[str, str]) -> Iterator[Row]:
    """Each army that has still to come; only their number while there are many."""
    waiting = [id for id in BOARD.of(side) if view.armies[id].status == WAITING]
    if len(waiting) > MOST_WAITING:
        yield Row(texts["many"].format(side=texts[side]), str(len(waiting)), _TINTS[side], _SHAPES[side])
        return
    for id in waiting:
        yield _army_row(view, id, texts)


def _mission_rows(view: State, texts: dict[str, str]) -> Iterator[Row]:
    for mission in view.revealed:
        if mission != UNKNOWN:
            card = BOARD.missions[mission]
            yield Row(BOARD.zones[card.zone].name, f"{card.french_points} : {card.allied_points}", "france")
    secret = [mission for mission in view.missions if mission != UNKNOWN]
    for mission in secret:
        card = BOARD.missions[mission]
        name = texts["secret"].format(zone=BOARD.zones[card.zone].name)
        yield Row(name, f"{card.french_points} : {card.allied_points}", "france", faded=True)
    if view.missions and not secret:
        yield Row(texts["hidden"].format(count=len(view.missions)), faded=True)


def _army_row(view: State, id: str, texts: dict[str, str]) -> Row:
    card, side = BOARD.armies[id], side_of(id)
    status = view.armies[id].status
    early = status not in (PLACED, LOST) and card.not_before and view.time <= BOARD.dates[card.not_before]
    name = f"{card.name} ({texts['from'].format(date=card.not_before + '.')})" if early else card.name
    return Row(
        name,
        str(card.strength),
        _NATIONS[card.nation],
        _SHAPES[side],
        abbreviation(id),
        faded=bool(early) or status == LOST,
    )
