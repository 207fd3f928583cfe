"""What the map of a view shows."""

from __future__ import annotations

from collections import Counter as Tally

from pbem.games.nce import board, score
from pbem.games.nce.charts import COUNTRIES, FLEETS, UNITS, ZONES
from pbem.games.nce.fog import shown, veiled
from pbem.games.nce.land import lines
from pbem.games.nce.land.supply import Network
from pbem.games.nce.state import COALITION, EMPIRE, SEATS, Force, State, enemy
from pbem.games.nce.words import VOCABULARY
from pbem.kernel.drawing import (
    Battle,
    Control,
    Counter,
    Depot,
    Drawing,
    Fleet,
    Lang,
    March,
    Mark,
    Panel,
    Row,
    Score,
    Siege,
    Supply,
    Tint,
    Wash,
    Works,
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
MOST_ROWS = 9
THEATRES: dict[str, tuple[str, ...]] = {
    "france": ("paris", "lille", "lyon", "strasbourg", "bordeaux"),
    "germany": ("stuttgart", "hanovre", "wurtzburg", "munich", "leipzig"),
    "danube": ("vienne", "salzbourg", "prague", "budapest", "agram"),
    "italy": ("milan", "venise", "florence", "naples", "turin"),
    "iberia": ("madrid", "lisbonne", "saragosse", "seville", "barcelone"),
    "poland": ("berlin", "varsovie", "koenigsberg", "cracovie", "vilna"),
    "russia": ("moscou", "smolensk", "kiev", "saint_petersbourg", "odessa"),
    "levant": ("constantinople", "belgrade", "salonique", "smyrne"),
}
_SIDE: dict[str, Tint] = {EMPIRE: "france", COALITION: "allied"}
_TEXTS = {
    "en": {
        "vp": "Victory points",
        "esc": "Escalation",
        "cards": "cards",
        "reserve": "reserve",
        "round": "round",
        "others": "{} others",
    },
    "fr": {
        "vp": "Points de victoire",
        "esc": "Escalade",
        "cards": "cartes",
        "reserve": "réserve",
        "round": "round",
        "others": "{} autres",
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


def _ground(view: State, zone: str) -> Wash:
    """9.1: the colour of its owner; paler where that one follows another, or is a great power out of the war; minors
    that follow nobody look alike.
    """
    owner = view.owner_of(zone)
    if COUNTRIES[owner].major:
        return Wash(zone, tint(view, owner), pale=view.side_of(owner) not in SEATS)
    if view.side_of(owner) not in SEATS:
        return Wash(zone, "neutral")
    patron = view.patron(owner)
    return Wash(zone, _TINTS.get(patron, "neutral"), pale=True)


def _known(view: State, force: Force, seat: str | None) -> str:
    """1.9: its steps, where the reader may know them."""
    return "?" if veiled(view, force, seat) else str(force.strength)


def _counter(view: State, force: Force, seat: str | None, lang: str) -> Counter:
    kind = "general" if force.general else "unit"
    return Counter(
        area=force.zone,
        tint=tint(view, force.power),
        value=_known(view, force, seat),
        pill=VOCABULARY.say(kind, force.name, lang) if force.general else "",
        arm="cavalry" if all(UNITS[unit].army_only for unit in force.units) else "infantry",
        depth=2 if force.army else 1,
        worn=force.demoralised,
        faded=force.inside,
    )


def _fleets(view: State, seat: str | None, lang: str) -> list[Mark]:
    """15.3, 1.9: the fleets of a power at one place are one counter; one alone bears its admiral's name, if known."""
    squadrons: dict[tuple[str, Tint], list[str]] = {}
    for fleet, place in view.fleets.items():
        if ":" in place:
            squadrons.setdefault((place, tint(view, FLEETS[fleet].power)), []).append(fleet)
    marks: list[Mark] = []
    for (place, colour), fleets in squadrons.items():
        kind, _, where = place.partition(":")
        known = shown(view, fleets, seat) == tuple(fleets)
        alone = len(fleets) == 1 and kind == "sea"
        name = VOCABULARY.say("fleet", fleets[0], lang) if alone and known else ""
        marks.append(Fleet(where, colour, str(len(fleets)), name, blockade=kind == "box"))
    return marks


def _depots(view: State, seat: str | None) -> list[Mark]:
    """11.4, 1.9: fixed ones, and those that forces carry, where the reader may know it."""
    marks: list[Mark] = []
    for zone, powers in view.fixed.items():
        marks += [Depot(zone, tint(view, power), count) for power, count in Tally(powers).items()]
    carried: Tally[tuple[str, str]] = Tally()
    for force in view.forces.values():
        if veiled(view, force, seat):
            continue
        carried.update((force.zone, power) for power in force.depots)
    marks += [Depot(zone, tint(view, power), n, mobile=True) for (zone, power), n in carried.items()]
    return marks


def _marches(view: State) -> list[Mark]:
    """The moves of the last action, those of one side that go on from each other as one line, and its battles.

    Whoever leaves a battle that the other side has won retreats; so does who moves in the enemy's action.
    """
    marks: list[Mark] = []
    winners: dict[str, str] = {}
    ways: list[tuple[list[str], str, bool]] = []
    active = next((side for start, to, side in view.moves if start != to), "")
    for start, to, side in view.moves:
        if start == to:
            winners[to] = side
            marks.append(Battle(to, to))
            continue
        beaten = winners.get(start, side) != side or side != active
        if ways and ways[-1][0][-1] == start and ways[-1][1:] == (side, beaten):
            ways[-1][0].append(to)
        else:
            ways.append(([start, to], side, beaten))
    marks += [March(tuple(path), _SIDE.get(side, "neutral"), retreat=beaten) for path, side, beaten in ways]
    return marks


def _nearest(zone: str) -> str:
    """The theatre to which a zone belongs."""
    far = board.all_distances(zone)
    return min(THEATRES, key=lambda name: min(far.get(place, board.FAR) for place in THEATRES[name]))


def theatre(view: State) -> tuple[str, ...]:
    """The part of Europe where it was fought, or where most of the last moves ended; where nobody has moved, where
    the armies face each other. Always the same few, so that they are painted fast.
    """
    votes: Tally[str] = Tally()
    followed = {start for start, to, _ in view.moves if start != to}
    for start, to, _ in view.moves:
        if to in ZONES:
            votes[_nearest(to)] += 10 if start == to else 1 if to in followed else 3
    if not votes:
        sides = {side: Tally(_nearest(force.zone) for force in view.of(side)) for side in SEATS}
        votes = sides[EMPIRE] & sides[COALITION]
    return THEATRES[votes.most_common(1)[0][0]] if votes else ()


def _supply(view: State, seat: str | None) -> tuple[Mark, ...]:
    """11.3: the lines of the reader's own forces, and where one is cut."""
    known: dict[str, Network] = {}
    found: dict[tuple[str, ...], Mark] = {}
    for force in view.of(seat) if seat in SEATS else ():
        path = lines.line(view, force, known)
        cut = not path
        path = path or lines.severed(view, force)
        if len(path) > 1:
            found[path] = Supply(path, tint(view, force.power), cut)
    return tuple(found.values())


def drawing(view: State, seat: str | None, lang: str) -> Drawing:
    """Owners by tint, control, fortresses and sieges, forces with strength and general, fleets, depots, marches."""
    words = _TEXTS["fr" if lang == "fr" else "en"]
    marks: list[Mark] = [_ground(view, zone) for zone in ZONES]
    marks += [Control(zone, _SIDE[side]) for zone, side in view.control.items()]
    marks += [Works(zone, 0) for zone in view.empty]
    for zone, marker in view.siege.items():
        besieger = next(iter(view.at(zone, enemy(view.controller(zone)))), None)
        marks.append(Siege(zone, tint(view, besieger.power) if besieger else "neutral", str(marker or "")))
    marks += _depots(view, seat)
    marks += _fleets(view, seat, lang)
    marks += [_counter(view, force, seat, lang) for force in view.forces.values()]
    marks += _marches(view)
    shown: Lang = "fr" if lang == "fr" else "en"
    when = f"{view.year} · {words['round']} {view.round}" if view.round else str(view.year)
    points = (
        Score("france", words["vp"], str(view.vp)),
        Score("neutral", words["esc"], str(view.escalation)),
    )
    return Drawing(
        board="nce",
        title="Napoléon contre l'Europe",
        subtitle=when,
        marks=tuple(marks),
        scores=points if score.counted(view) else (),
        panels=tuple(_panels(view, seat, lang)),
        lang=shown,
        theatre=theatre(view),
        near=_supply(view, seat),
    )


def _panels(view: State, seat: str | None, lang: str) -> list[Panel]:
    """Both sides at a glance, the powers, and the armies of each side."""
    words = _TEXTS["fr" if lang == "fr" else "en"]
    sides = [
        Row(
            VOCABULARY.say("side_first", side, lang),
            f"{len(view.hands[side])} {words['cards']} · {view.reserve[side]} {words['reserve']}",
            tint=_SIDE[side],
        )
        for side in SEATS
    ]
    powers = [
        Row(VOCABULARY.say("country", c.id, lang), _standing(view, c.id, lang), tint=tint(view, c.id))
        for c in COUNTRIES.values()
        if c.major
    ]
    panels = [Panel(str(view.year), (*sides, *powers))]
    for side in SEATS:
        forces = sorted((f for f in view.of(side) if f.general), key=lambda f: (-f.strength, f.general))
        rows = tuple(
            Row(
                f"{VOCABULARY.say('general', force.general, lang)}, {VOCABULARY.say('zone', force.zone, lang)}",
                _known(view, force, seat),
                tint=tint(view, force.power),
                faded=force.inside,
            )
            for force in forces[:MOST_ROWS]
        )
        if len(forces) > MOST_ROWS:
            others = forces[MOST_ROWS - 1 :]
            known = [_known(view, force, seat) for force in others]
            total = "?" if "?" in known else str(sum(map(int, known)))
            rows = (*rows[: MOST_ROWS - 1], Row(words["others"].format(len(others)), total))
        if rows:
            panels.append(Panel(VOCABULARY.say("side_first", side, lang), rows))
    return panels


def _standing(view: State, power: str, lang: str) -> str:
    side = view.side_of(power)
    if side in SEATS:
        return VOCABULARY.say("side_first", side, lang)
    names = {
        "neutral": ("neutral", "neutre"),
        "forced_peace": ("forced peace", "paix forcée"),
        "forced_alliance": ("forced alliance", "alliance forcée"),
    }
    return names.get(view.status[power], ("", ""))[lang == "fr"]
