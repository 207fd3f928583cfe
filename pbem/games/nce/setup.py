"""18: the three set-ups, as their files say."""

from __future__ import annotations

from typing import Any

from pbem.games.nce.charts import (
    ARMIES,
    CARDS,
    COUNTRIES,
    FLEETS,
    GENERALS,
    SCENARIOS,
    SPECIALS,
    UNITS,
    read,
)
from pbem.games.nce.state import (
    ASIDE,
    COALITION,
    EMPIRE,
    MAP,
    NEUTRAL,
    OUT,
    POOL,
    RESERVE,
    SEATS,
    Entry,
    Force,
    Peace,
    State,
)
from pbem.kernel.data import BadData
from pbem.kernel.deck import Deck
from pbem.kernel.rules import Option, Scenario

OPTIONS = (
    Option(
        "deploy",
        ("no", "yes"),
        "Both sides may vary the set-up within its limits before the first round (rule 18).",
        "Les deux camps peuvent varier la mise en place dans ses limites avant le premier round (règle 18).",
    ),
    Option(
        "fog",
        ("no", "yes"),
        "Fog of war: of an enemy stack only the commander shows, of an enemy fleet its front (rule 1.9).",
        "Brouillard de guerre : d'une pile ennemie on ne voit que le chef, d'une flotte la face (règle 1.9).",
    ),
    Option(
        "grenadiers",
        ("no", "yes"),
        "The Austrian Grenadiers enter at once with 3C (rule 19).",
        "Les Grenadiers autrichiens entrent aussitôt avec 3C (règle 19).",
    ),
    Option(
        "lone_corps",
        ("no", "yes"),
        "A lone corps pays 2 points to enter a zone that its side does not control (rule 8.3.1).",
        "Un corps seul paie 2 points pour entrer dans une zone que son camp ne contrôle pas (règle 8.3.1).",
    ),
    Option(
        "screen",
        ("no", "yes"),
        "The loser's cavalry reduces the pursuit (rule 12.10.2).",
        "La cavalerie du vaincu réduit la poursuite (règle 12.10.2).",
    ),
    Option(
        "prussian_border",
        ("no", "yes"),
        "From 1805 the Prussian army stays next to enemy territory until an enemy enters Prusse (rule 19).",
        "Dès 1805 l'armée prussienne reste à côté du territoire ennemi tant qu'il n'entre pas en Prusse (règle 19).",
    ),
    Option(
        "on_points",
        ("no", "yes"),
        "A campaign that nobody has won at its end is decided on points, against the par of its scenario (rule 17.2).",
        "Une campagne que personne n'a gagnée à sa fin est jugée aux points, face au niveau du scénario (règle 17.2).",
    ),
)


def scenarios() -> dict[str, Scenario]:
    """The set-ups to choose from."""
    titles = {
        "1815": ("The Hundred Days, 1815", "Les Cent-Jours, 1815"),
        "1805": ("The grand campaign, 1805-1814", "La grande campagne, 1805-1814"),
        "1809": ("The campaign of 1809-1814", "La campagne de 1809-1814"),
    }
    return {name: Scenario(name, en, fr, SEATS) for name, (en, fr) in titles.items()}


def setup(scenario: str, options: dict[str, str]) -> State:
    """18, 19: the position before any draw."""
    if scenario not in SCENARIOS:
        raise BadData(f"there is no scenario {scenario}")
    data = read(scenario)
    state = bare(scenario, options)
    for row in data["placement"]:
        _place(state, row)
    for choice in data.get("choice", ()):
        for item in choice["default"]:
            _add_choice(state, item)
    _decks(state, data["decks"])
    state.phase = "setup" if state.on("deploy") else "rounds"
    return state


def bare(scenario: str, options: dict[str, str]) -> State:
    """The board of a scenario with no force on it: statuses, territory, cards aside, dates."""
    data = read(scenario)
    head = data["scenario"]
    state = State(
        scenario=scenario,
        options=dict(options),
        year=int(head["start_year"]),
        round=int(head["start_round"]),
        last_round=6,
        end_year=int(head["end_year"]),
        phase="rounds",
        active=str(head["first_player"]),
        period=str(head["period"]),
        first=str(head["first_player"]),
        reserve=dict.fromkeys(SEATS, 0),
        bonus_cards=dict.fromkeys(SEATS, 0),
    )
    state.status = {c.id: c.start.get(scenario, "absent") for c in COUNTRIES.values()}
    state.owner = {province: str(country) for province, country in data["territory"]["change"].items()}
    state.control = {zone: str(side) for zone, side in data["control"]["markers"].items()}
    if head.get("victory") or head.get("escalation"):
        state.entries.append(
            Entry(state.year, "start", int(head.get("victory", 0)), int(head.get("escalation", 0)))
        )
    state.vp = sum(entry.vp for entry in state.entries)
    state.escalation = sum(entry.escalation for entry in state.entries)
    played = data.get("events", {})
    state.events = [str(card) for card in played.get("played", ())]
    state.flags = dict.fromkeys((str(name) for name in played.get("flags", ())), 99999)
    # 18: a permanent card whose event was played before the scenario begins is left for its points alone.
    state.flags |= {f"spent_{card}": 99999 for card in state.events if CARDS[card].permanent}
    state.beaten = {EMPIRE: {p: int(n) for p, n in played.get("beaten", {}).items()}, COALITION: {}}
    state.reforms = [str(power) for power in played.get("reforms", ())]
    for power in played.get("forced_peace", {}):
        state.peace[power] = Peace(year=1809, by=EMPIRE)
    if state.status["pologne"] == "protectorate":
        state.flags["polish_point"] = 99999
    state.entered = [c.id for c in COUNTRIES.values() if c.major and state.side_of(c.id) != NEUTRAL]
    _counters(state, data)
    _cards_aside(state, data)
    return state


def _counters(state: State, data: dict[str, Any]) -> None:
    """Every counter somewhere: pool, reserve, set aside or out."""
    removed = set(data.get("removed", {}).get("generals", ())) | set(
        data.get("removed", {}).get("fleets", ())
    )
    also = {*data["pool"].get("also", ()), *data["pool"].get("reserve_also", ())}
    for unit in UNITS.values():
        marked = unit.mark in ("E", "V", "2P") and unit.id not in also
        absent = state.status[unit.power] in ("absent", "dissolved")
        state.units[unit.id] = ASIDE if marked or absent else POOL
    for general in GENERALS.values():
        early = general.entry <= state.year < general.retires
        if general.id in removed or state.year >= general.retires:
            state.generals[general.id] = OUT
        elif general.id in also or (early and not general.mark):
            state.generals[general.id] = RESERVE
        else:
            state.generals[general.id] = ASIDE
    for general in GENERALS.values():
        if general.replaces and general.entry <= state.year:
            state.generals[general.replaces] = OUT
    state.armies = dict.fromkeys(ARMIES, POOL)
    state.specials = dict.fromkeys(SPECIALS, ASIDE)
    for fleet in FLEETS.values():
        state.fleets[fleet.id] = OUT if fleet.id in removed else POOL


def _cards_aside(state: State, data: dict[str, Any]) -> None:
    decks = data["decks"]
    for side in SEATS:
        fixed = [str(card) for card in decks[f"hand_includes_{side}"]]
        pile = [str(card) for card in decks[f"draw_{side}"]]
        aside = [str(card) for card in decks.get(f"set_aside_{side}", ())]
        everything = [card.id for card in CARDS.values() if card.side == side]
        rest = [card for card in everything if card not in {*fixed, *pile, *aside}]
        permanent = [card for card in rest if CARDS[card].permanent and state.scenario != "1815"]
        state.hands[side], state.piles[side] = list(fixed), Deck(cards=pile)
        state.played[side], state.set_aside[side] = [], aside
        state.permanent[side] = permanent
        state.removed[side] = [card for card in rest if card not in permanent]


def _decks(state: State, decks: dict[str, Any]) -> None:
    state.bonus_cards = {side: int(decks[f"hand_{side}"]) for side in SEATS}


def _place(state: State, row: dict[str, Any]) -> None:
    power = str(row["power"])
    side = state.side_of(power)
    for fleet in row.get("fleets", ()):
        if "zone" in row:
            state.fleets[fleet] = f"port:{row['zone']}"
        else:
            state.fleets[fleet] = f"sea:{row['sea']}" if "sea" in row else f"box:{row['blockade']}"
    units = {str(u["id"]): int(u.get("steps", UNITS[u["id"]].steps)) for u in row.get("units", ())}
    if not units:
        return
    zone = str(row["zone"])
    here = [force for force in state.at(zone, side, inside=None) if force.power and side in SEATS]
    if here and "commander" not in row:
        force = here[0]
        force.units.update(units)
    else:
        force = state.add(Force(id="", side=side, zone=zone, units=units))
    if "commander" in row:
        force.general = str(row["commander"])
    force.army = str(row.get("army", force.army))
    force.subs += [str(general) for general in row.get("generals", ())]
    force.special += [str(unit) for unit in row.get("special_units", ())]
    force.depots += [force.power] * int(row.get("mobile_depots", 0))
    settle_places(state, force)


def _add_choice(state: State, item: dict[str, Any]) -> None:
    (force,) = state.at(str(item["zone"]), EMPIRE)
    if "depot" in item:
        force.depots += [force.power] * int(item["depot"])
        return
    force.subs.append(str(item["general"]))
    settle_places(state, force)


def settle_places(state: State, force: Force) -> None:
    """Note that the counters of a force are on the map."""
    for unit in force.units:
        state.units[unit] = MAP
    for general in force.generals:
        state.generals[general] = MAP
    for special in force.special:
        state.specials[special] = MAP
    if force.army:
        state.armies[force.army] = MAP
