"""What a reader has seen before: lines of the position that stand as they stood in his last letter.

Only what stands under a heading of the position is left out, so that short positions stay whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from pbem.campaign.outgoing.dispatch import OVER, REPLY, REPORT, START, Dispatch
from pbem.campaign.table.tables import Live
from pbem.kernel.event import Event

_LEAST = 3
"""So few lines under a heading are not worth leaving out."""


def digest(event: Event) -> str:
    """What tells one line of the position from another."""
    return hashlib.blake2s(msgspec.json.encode(event), digest_size=5).hexdigest()


def noted(live: Live, seat: str, dispatch: Dispatch) -> dict[str, str]:
    """The lines that a letter leaves out, with since when they stand so; what it shows is kept for the next."""
    person = live.person(seat)
    shows = dispatch.kind in (START, OVER) or (
        dispatch.kind in (REPORT, REPLY) and dispatch.form and dispatch.upto > dispatch.after
    )
    if person.role or not shows or live.over:
        return {}
    view = live.game.view(seat)
    events = live.rules.status(view, seat)
    if not any(event.heading for event in events):
        return {}
    before = live.affairs.seen.get(seat, {})
    moment = live.rules.moment(view)
    now = {key: before.get(key, moment) for key in map(digest, events)}
    live.affairs.seen[seat] = now
    if dispatch.kind == START or person.brief is False or dispatch.whole:
        return {}
    return {key: since for key, since in now.items() if key in before}


def shortened(events: Sequence[Event], seen: Mapping[str, str]) -> list[tuple[Event | None, int, str]]:
    """The lines that are shown; in place of those left out None, how many they were, and since when at the latest."""
    shown: list[tuple[Event | None, int, str]] = []
    for group in _groups(events):
        old = [seen[key] for event in group[1:] if (key := digest(event)) in seen]
        if not group[0].heading or len(old) < _LEAST:
            shown += [(event, 0, "") for event in group]
            continue
        shown += [(event, 0, "") for n, event in enumerate(group) if not n or digest(event) not in seen]
        shown.append((None, len(old), old[-1] if len(set(old)) == 1 else ""))
    return shown


def _groups(events: Sequence[Event]) -> list[list[Event]]:
    groups: list[list[Event]] = []
    for event in events:
        if event.heading or not groups:
            groups.append([])
        groups[-1].append(event)
    return groups
