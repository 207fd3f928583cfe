"""What the map of a view shows: whose land it is, corps and garrisons as they are seen, leaders, depots and their
chains, sieges, and what the month has brought: marches, retreats, battles.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Sequence

from pbem.games.eia import board
from pbem.games.eia.board import AREAS, POWERS
from pbem.games.eia.state import HOME, MAP, Corps, State
from pbem.games.eia.supply.chains import Lines
from pbem.games.eia.words import VOCABULARY
from pbem.kernel.drawing import (
    Battle,
    Control,
    Counter,
    Depot,
    Drawing,
    Lang,
    March,
    Mark,
    Marker,
    Panel,
    Row,
    Siege,
    Supply,
    Tint,
    Wash,
)

TINTS: dict[str, Tint] = {
    "france": "france",
    "austria": "austria",
    "prussia": "prussia",
    "russia": "russia",
    "great_britain": "great_britain",
    "spain": "spain",
    "turkey": "turkey",
}
THEATRES: dict[str, tuple[str, ...]] = {
    "germany": ("ulm", "stuttgart", "munich", "nuremberg", "regensburg", "wurzburg", "salzburg"),
    "danube": ("vienna", "linz", "brunn", "pressburg", "graz", "prague", "budweis"),
    "italy": ("venice", "verona", "milan", "mantua", "trieste", "laibach"),
    "rhine": ("mainz", "strasbourg", "cologne", "mannheim", "metz", "frankfurt"),
    "galicia": ("krakow", "lemberg", "lublin", "warsaw", "brest_litovsk", "kaschau"),
    "france": ("paris", "lyon", "orleans", "boulogne", "troyes"),
}
"""Close-ups: always the same, so that they are painted fast."""
MOST_ROWS = 12
_TEXTS = {
    "en": {
        "corps": "corps",
        "factors": "factors",
        "depots": "depots",
        "lost": "lost",
        "money": "points",
        "garrison": "garrisons",
        "others": "{} others",
        "besieged": "besieged",
    },
    "fr": {
        "corps": "corps",
        "factors": "facteurs",
        "depots": "dépôts",
        "lost": "perdus",
        "money": "points",
        "garrison": "garnisons",
        "others": "{} autres",
        "besieged": "assiégé",
    },
}


_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}


def month_name(month: str, lang: str) -> str:
    """`1805-09` as September 1805."""
    names = _MONTHS["fr" if lang == "fr" else "en"].split()
    return f"{names[int(month[5:]) - 1]} {month[:4]}"


def tint(power: str) -> Tint:
    """The colour of a power; minors that follow nobody look alike."""
    return TINTS.get(power, "neutral")


def _ground(view: State, area: str) -> Wash:
    """10.2: the colour of who holds it: his home in full, what else he holds paler; so is what is not in play."""
    held = view.holder(area)
    if held is not None:
        return Wash(area, tint(held.power), pale=held.how != HOME)
    owner = board.province(area).owner
    return Wash(area, tint(owner), pale=owner in TINTS)


def _stacks(view: State, lang: str) -> list[Mark]:
    """2.4.2: corps of a power in an area are one counter: one's own with their factors, others with their number."""
    groups: dict[tuple[str, str, bool], list[Corps]] = {}
    for corps in view.corps.values():
        groups.setdefault((corps.area, corps.power, corps.inside), []).append(corps)
    marks: list[Mark] = []
    for (area, power, inside), some in groups.items():
        known = not any(corps.hidden for corps in some)
        leaders = view.leaders_with([corps.id for corps in some])
        names = [VOCABULARY.say("leader", leader.id, lang) for leader in sorted(leaders, key=_seniority)]
        pill = names[0] + (f" +{len(names) - 1}" if len(names) > 1 else "") if names else ""
        marks.append(
            Counter(
                area=area,
                tint=tint(power),
                value=str(sum(corps.size for corps in some)) if known else f"{len(some)}c",
                pill=pill,
                arm="cavalry" if all(corps.looks == "cavalry" for corps in some) else "infantry",
                depth=min(3, len(some)),
                faded=inside,
            )
        )
    return marks


def _seniority(leader: object) -> tuple[str, str]:
    id = str(getattr(leader, "id", ""))
    return (board.LEADERS[id].seniority, id)


def _garrisons(view: State) -> list[Mark]:
    """7.3.3.3: garrisons with their factors, in cities and on depots; light horse."""
    marks: list[Mark] = []
    sums: Tally[tuple[str, str, bool]] = Tally()
    for garrison in view.garrisons:
        sums[garrison.area, garrison.power, garrison.depot] += garrison.size
    marks += [
        Marker(area, tint(power), str(size), shape="disc" if depot else "square")
        for (area, power, depot), size in sums.items()
    ]
    riders: Tally[tuple[str, str, str]] = Tally()
    for horse in view.horse.values():
        riders[horse.area, horse.power, horse.kind] += 1
    marks += [Marker(area, tint(power), kind) for area, power, kind in riders]
    return marks


def _held(view: State) -> Iterable[Mark]:
    """10.3.2: cities in the hands of another than the holder of their province."""
    for area in sorted({garrison.area for garrison in view.garrisons if not garrison.depot}):
        held, inside = view.holder(area), view.city_holder(area)
        if held is not None and inside != held.power and not view.allied(inside, held.power):
            yield Control(area, tint(inside))


def _sieges(view: State) -> Iterable[Mark]:
    for area, siege in view.sieges.items():
        yield Siege(area, tint(siege.by[0]) if siege.by else "neutral")


def _chains(view: State, seat: str | None) -> list[Mark]:
    """7.2.3: the chains of one's own depots, link by link; a depot that nothing feeds ends in a cross."""
    marks: list[Mark] = []
    for power in view.of_seat(seat) if seat else ():
        lines = Lines(view, power)
        for depot, source in sorted(lines.ways.items()):
            way = _between(source, depot)
            if len(way) > 1:
                marks.append(Supply(way, tint(power)))
        fed = {*lines.sources, *lines.ways}
        for depot in lines.depots:
            near = [other for other in lines.depots if other != depot]
            way = min((_between(other, depot) for other in near), key=lambda way: (len(way), way), default=())
            if depot not in fed and 1 < len(way) <= 1 + CHAIN:
                marks.append(Supply(way, tint(power), cut=True))
    return marks


CHAIN = 3
"""7.2.3.2: the areas from depot to depot."""


def _between(start: str, goal: str) -> tuple[str, ...]:
    """The shortest way between two areas."""
    came = {start: ""}
    todo = [start]
    for here in todo:
        if here == goal:
            break
        for there, _ in board.borders(here):
            if there not in came:
                came[there] = here
                todo.append(there)
    way = [goal] if goal in came else []
    while way and came[way[-1]]:
        way.append(came[way[-1]])
    return tuple(reversed(way))


def _arrows(view: State) -> list[Mark]:
    """The month's marches, retreats and battles; like ones of a power as one line."""
    marks: dict[Mark, None] = {}
    for arrow in view.arrows:
        if arrow.kind == "battle":
            marks[Battle(arrow.way[0], arrow.way[0])] = None
        elif len(arrow.way) > 1:
            marks[March(arrow.way, tint(arrow.power), retreat=arrow.kind == "retreat")] = None
    return list(marks)


def _nearest(area: str) -> str:
    """The theatre to which an area belongs."""
    far = board.land_distances(area)
    return min(THEATRES, key=lambda name: min(far.get(place, board.FAR) for place in THEATRES[name]))


def theatre(view: State) -> tuple[str, ...]:
    """The part of Europe where it was fought, or where the marches ended; else where most enemies stand close."""
    votes: Tally[str] = Tally()
    for arrow in view.arrows:
        votes[_nearest(arrow.way[-1])] += 10 if arrow.kind == "battle" else 1
    if not votes:
        sides: dict[str, Tally[str]] = {}
        for corps in view.corps.values():
            sides.setdefault(view.side_of(corps.power), Tally())[_nearest(corps.area)] += 1
        for one in sides.values():
            votes = one if not votes else votes & one or votes
    return THEATRES[votes.most_common(1)[0][0]] if votes else ()


def _panels(view: State, seat: str | None, lang: str) -> list[Panel]:
    """The powers at a glance, and one's own corps."""
    words = _TEXTS["fr" if lang == "fr" else "en"]
    rows = []
    for power, record in view.powers.items():
        corps = view.of(power)
        depots = sum(depot.power == power for depot in view.depots)
        parts = [f"{len(corps)} {words['corps']}", f"{depots} {words['depots']}"]
        if view.losses.get(power):
            parts.append(f"{view.losses[power]} {words['lost']}")
        if record.money >= 0 and record.seat == seat:
            parts.append(f"{record.money / 2:g} {words['money']}")
        rows.append(Row(VOCABULARY.say("power", power, lang), " · ".join(parts), tint=tint(power)))
    panels = [Panel(month_name(view.month, lang), tuple(rows))]
    for power in view.of_seat(seat) if seat else ():
        own = sorted(view.of(power), key=lambda corps: (-corps.size, corps.id))
        shown = [_row(view, corps, lang) for corps in own[:MOST_ROWS]]
        if len(own) > MOST_ROWS:
            rest = own[MOST_ROWS - 1 :]
            shown = [
                *shown[: MOST_ROWS - 1],
                Row(words["others"].format(len(rest)), str(sum(corps.size for corps in rest))),
            ]
        if shown:
            panels.append(Panel(VOCABULARY.say("power", power, lang), tuple(shown)))
    return panels


def _row(view: State, corps: Corps, lang: str) -> Row:
    name, area = VOCABULARY.say("corps", corps.id, lang), VOCABULARY.say("area", corps.area, lang)
    adjectives = (POWERS[corps.power].adjective, POWERS[corps.power].adjective_fr)
    for adjective in adjectives:
        name = name.replace(f"{adjective} ", "").replace(f" {adjective}", "")
    return Row(f"{name}, {area}", str(corps.size), tint=tint(corps.power), faded=not view.free(corps))


def marks(view: State, seat: str | None, lang: str) -> Sequence[Mark]:
    """All marks of a view but the chains of depots."""
    found: list[Mark] = [_ground(view, area) for area in AREAS]
    found += _held(view)
    found += _sieges(view)
    found += [Depot(depot.area, tint(depot.power)) for depot in view.depots]
    found += _garrisons(view)
    found += _stacks(view, lang)
    alone = [leader for leader in view.leaders.values() if leader.where == MAP and leader.area]
    found += [
        Counter(leader.area, tint(leader.power), "", VOCABULARY.say("leader", leader.id, lang), faded=True)
        for leader in alone
    ]
    return [*found, *_arrows(view)]


def drawing(view: State, seat: str | None, lang: str) -> Drawing:
    """The map of a view."""
    shown: Lang = "fr" if lang == "fr" else "en"
    return Drawing(
        board="eia",
        title="Empires in Arms",
        subtitle=month_name(view.month, lang),
        marks=tuple(marks(view, seat, lang)),
        panels=tuple(_panels(view, seat, lang)),
        lang=shown,
        theatre=theatre(view),
        near=tuple(_chains(view, seat)),
    )
