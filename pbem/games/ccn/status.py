"""How a battle stands, for somebody without the map, and how it ended."""

from __future__ import annotations

from collections import Counter

from pbem.games.ccn import board, cards, charts, effects
from pbem.games.ccn.events import (
    CardHeld,
    GroundCounts,
    GroundLies,
    LastCards,
    Post,
    Ranks,
    Score,
    Stretch,
    TrackHeld,
    Works,
)
from pbem.games.ccn.state import SEATS, State
from pbem.kernel.event import Event
from pbem.kernel.rules import Outcome

_FOR_ANYBODY = (
    *("forward", "recon_in_force", "coordinated_advance"),
    *("elan", "la_grande_manoeuvre", "first_strike", "short_supply", "force_march"),
)
"""Cards of which no list of units says more than their text."""


def outcome(state: State) -> Outcome | None:
    """2.9: the winner and the banners of both sides."""
    if not state.winner:
        return None
    return Outcome((state.winner,), {seat: state.banners(seat) for seat in SEATS})


def moment(state: State) -> str:
    """The turn, for a subject line."""
    return f"t{state.turn}"


def status(view: State, seat: str | None) -> list[Event]:
    """Banners, who stands where, the ground, and one's own cards: enough to write a turn without the map."""
    found: list[Event] = [_score(view, side) for side in SEATS]
    found += [_counts(view, number) for number in range(len(view.objectives))]
    found += [LastCards(seat=side, card=view.last[side].card) for side in SEATS if side in view.last]
    reader = seat if seat in SEATS else None
    for side in (reader, view.enemy(reader)) if reader else SEATS:
        found += _ranks(view, side, view.place(reader or side))
    found.append(_ground(view))
    if reader and not view.winner:
        found += _hand(view, reader)
    return found


def _score(view: State, side: str) -> Score:
    return Score(
        seat=side,
        banners=view.banners(side),
        goal=view.goal,
        hand=len(view.hands[side]),
        units=len(list(view.army(side))),
        squares=len(view.tracks[side]),
        leaders=len(list(view.staff(side))),
        rule="2.8",
    )


def _counts(view: State, number: int) -> GroundCounts:
    objective = view.objectives[number]
    side = objective.side if objective.side in SEATS else ""
    leaving = objective.kind == "exit"
    return GroundCounts(
        seat=side, hexes=objective.hexes, banners=objective.banners, leaving=leaving, rule="2.8"
    )


def _ranks(view: State, side: str, place: str) -> list[Event]:
    """The pieces of a side from the reader's left to his right, row by row from his own edge."""
    groups: dict[tuple[str, ...], list[Post]] = {}
    for hex in board.HEXES if place == board.BOTTOM else reversed(board.HEXES):
        unit, leader = view.unit_at(hex), view.leader_at(hex)
        here = unit or leader
        if here is None or here.side != side:
            continue
        name = leader.id if leader else ""
        post = Post(hex, unit.type, unit.blocks, name, bool(unit.square)) if unit else Post(hex, leader=name)
        groups.setdefault(board.sections(hex, place), []).append(post)
    order = sorted(groups, key=lambda names: sum(map(board.SECTIONS.index, names)) / len(names))
    return [Ranks(seat=side, sections=names, posts=tuple(groups[names]), rule="1.3") for names in order]


def _ground(view: State) -> GroundLies:
    kinds: dict[str, list[str]] = {}
    for hex in board.HEXES:
        if hex in view.terrain:
            kinds.setdefault(view.terrain[hex], []).append(hex)
    stretches = tuple(Stretch(kind, tuple(kinds[kind])) for kind in charts.grounds() if kind in kinds)
    works = tuple(Works(hex, tuple(view.works[hex])) for hex in board.HEXES if hex in view.works)
    return GroundLies(stretches=stretches, works=works, rule="11")


def _hand(view: State, seat: str) -> list[Event]:
    copies = Counter(item.card for item in view.hands[seat])
    found: list[Event] = [_card(view, seat, card, number) for card, number in copies.items()]
    track = tuple(view.tracks[seat][number].card for number in sorted(view.tracks[seat]))
    return found + ([TrackHeld(seat=seat, cards=track, rule="8.2.3")] if track else [])


def _card(view: State, seat: str, card: str, copies: int) -> CardHeld:
    played = cards.takes_effect_as(view, seat, card, "")
    copied = played.card if card == cards.COUNTER and view.enemy(seat) in view.last else ""
    free = effects.finds_nobody(view, seat, played)
    listed = played.card not in _FOR_ANYBODY and not free
    return CardHeld(
        seat=seat,
        card=card,
        copies=copies,
        as_card=copied,
        listed=listed,
        hexes=_found(view, seat, played.card) if listed else (),
        free=free,
        rule="10",
    )


def _found(view: State, seat: str, card: str) -> tuple[str, ...]:
    """Where units stand that a card could order."""
    force = effects.effect(card, "", 0)
    place = view.place(seat)
    hexes = [unit.hex for unit in view.army(seat) if force.finds(view, unit)]
    if isinstance(force, effects.Section):
        hexes = [hex for hex in hexes if any(name in force.quotas for name in board.sections(hex, place))]
    return tuple(sorted(hexes))
