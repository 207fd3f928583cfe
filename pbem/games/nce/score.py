"""17: victory points, escalation, the blockade and the end of the game."""

from __future__ import annotations

from pbem.games.nce import board
from pbem.games.nce.charts import COUNTRIES, GENERALS, POWERS, REGIONS, SCORE, read
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import GameEnds, Scored
from pbem.games.nce.events_views import Wanting
from pbem.games.nce.land.supply import Network, held
from pbem.games.nce.powers.falling import conquered
from pbem.games.nce.state import COALITION, EMPIRE, State

AUTOMATIC = 20
CHATIMENTS = 15
CROWN = "45F"
"""17.2: the event that the Empire cannot win without at the end."""


def counted(state: State) -> bool:
    """17.1, 18: whether the scenario has a victory marker: 1815 has none."""
    return "victory" in read(state.scenario)["scenario"]


def score(desk: Desk, why: str, vp: int = 0, escalation: int = 0, about: str = "") -> None:
    """17.3: an entry, told to all."""
    state = desk.state
    if not counted(state) or not (vp or escalation):
        return
    state.score(why, vp, escalation, about)
    desk.tell(
        Scored(
            why=why,
            vp=vp,
            escalation=escalation,
            about=about,
            total_vp=state.vp,
            total_escalation=state.escalation,
            rule="17.3",
        )
    )


def table_score(desk: Desk, id: str, about: str = "", *, vp: bool = True) -> None:
    """17.3: a row of the table."""
    escalation, points = SCORE[id]
    score(desk, id, points if vp else 0, escalation, about)


def first_time(desk: Desk, power: str) -> None:
    """6.1.4, 9.2.6: war on a major, or its alliance, counts once."""
    if COUNTRIES[power].major and power not in desk.state.entered:
        desk.state.entered.append(power)
        table_score(desk, "war_or_alliance_major", power)


def blockade_in_place(state: State) -> bool:
    """17.4: every port from Saint-Pétersbourg to Zara is closed."""
    if "25F" not in state.events:
        return False
    ports = set(REGIONS["ports_du_blocus"])
    if state.side_of("espagne") == COALITION and all(
        state.controller(zone) == EMPIRE for zone in REGIONS["frontiere_pyreneenne"]
    ):
        ports -= {zone for zone in ports if board.in_region(zone, "peninsule_iberique")}
    known: dict[str, Network] = {}
    return all(_closed(state, zone, known) for zone in sorted(ports))


def _closed(state: State, zone: str, known: dict[str, Network]) -> bool:
    """16.5.1, 17.4: held by the Empire in supply (3.2.6), or by a power that it has beaten and that is not at war."""
    if state.controller(zone) == EMPIRE:
        return held(state, zone, EMPIRE, known)
    owner = state.patron(state.owner_of(zone))
    status = state.status.get(owner, "")
    if status == "forced_alliance" and zone not in state.control:
        return True
    beaten = state.beaten[EMPIRE].get(owner, 0) > 0
    return beaten and status in ("forced_peace", "neutral") and zone not in state.control


def victory_phase(desk: Desk) -> None:
    """17.1, 17.2, 17.6: what the year adds, and whether the game is over."""
    state = desk.state
    if state.flag("war_of_liberation"):
        vp = 0
        if state.period == "chatiments":
            vp = -2 if state.flag("emperor_in_spain") or _emperor_there(state) else -1
        score(desk, "liberation", vp, 1)
    if state.scenario == "1815":
        _hundred_days(desk)
        return
    if state.vp >= AUTOMATIC:
        end(desk, EMPIRE, "twenty_points")
    elif state.vp <= 0:
        end(desk, COALITION, "no_points")
    elif state.year >= state.end_year:
        _last_year(desk)


def _emperor_there(state: State) -> bool:
    """17.6: Napoléon, or two leaders of initiative 1, in the peninsula."""
    leaders = [
        general
        for force in state.of(EMPIRE)
        if board.in_region(force.zone, "peninsule_iberique")
        for general in force.generals
    ]
    return "napoleon" in leaders or sum(GENERALS[general].initiative == 1 for general in leaders) >= 2


def note_emperor(state: State) -> None:
    """17.6: whether he, or two such leaders, have been in the peninsula at any time of the year."""
    if state.flag("war_of_liberation") and _emperor_there(state):
        state.flags["emperor_in_spain"] = state.year * 10 + 9


def _last_year(desk: Desk) -> None:
    """17.2: the end of the last year."""
    state = desk.state
    empire, coalition = wanting(state)
    if not coalition.aims:
        end(desk, COALITION, "france")
    elif not empire.aims:
        end(desk, EMPIRE, "europe")
    elif state.on("on_points"):
        end(desk, on_points(state), "points")
    else:
        end(desk, "", "nobody")


def wanting(state: State) -> tuple[Wanting, Wanting]:
    """17.2: what each side lacks for its victory at the end of the last year, the Empire first."""
    keys = POWERS["france"].key_zones
    known: dict[str, Network] = {}
    lost = [zone for zone in (*keys, "mantoue") if not held(state, zone, EMPIRE, known)]
    crown = [] if CROWN in state.events else [CROWN]
    free = [zone for zone in keys if not _taken(state, zone, known)]
    return Wanting(EMPIRE, (*lost, *crown)), Wanting(COALITION, tuple(free))


def _taken(state: State, zone: str, known: dict[str, Network]) -> bool:
    """17.2: a key zone of France held by the Coalition; 35C: with the Emperor deposed it needs no supply."""
    return held(state, zone, COALITION, known) or (
        bool(state.flag("deposed")) and state.controller(zone) == COALITION
    )


def on_points(state: State) -> str:
    """17.2, by choice: the Empire has to do better than the par of the scenario."""
    return EMPIRE if state.vp > par(state) else COALITION


def par(state: State) -> int:
    """The points that the scenario's file thinks even."""
    return int(read(state.scenario)["scenario"].get("par", 0))


def french_armies(state: State) -> list[str]:
    """Undemoralised French armies."""
    return [f.id for f in state.of(EMPIRE) if f.army and f.power == "france" and not f.demoralised]


def _hundred_days(desk: Desk) -> None:
    """18, 1815: the year decides. Napoléon off the map is out of the game: no budget follows that could bring him
    back.
    """
    state = desk.state
    fallen = conquered(state, "france", COALITION)
    if state.force_with("napoleon") is None:
        end(desk, COALITION, "napoleon_out")
    elif fallen and not french_armies(state):
        end(desk, COALITION, "france_fallen")
    elif not fallen and french_armies(state):
        end(desk, EMPIRE, "france_stands")
    else:
        end(desk, "", "draw")


def end(desk: Desk, winner: str, why: str) -> None:
    """The game is over."""
    state = desk.state
    state.winner, state.over, state.phase = winner, True, "over"
    lacking = wanting(state) if why in ("nobody", "points") else ()
    desk.tell(
        GameEnds(
            winner=winner, vp=state.vp if counted(state) else None, why=why, wanting=lacking, rule="17.2"
        )
    )
