"""Empires in Arms: the land war of 1805 and 1809, a month a turn, in letters."""

from __future__ import annotations

from collections.abc import Collection

from pbem.games.eia import battle_events, battle_questions
from pbem.games.eia.board import COUNTERS
from pbem.games.eia.cases import build, verify
from pbem.games.eia.drawing import drawing
from pbem.games.eia.events import EVENTS
from pbem.games.eia.events_views import VIEWS
from pbem.games.eia.headquarters import distance
from pbem.games.eia.invariants import invariants
from pbem.games.eia.orders import DEFAULTS, ORDERS, STANDING
from pbem.games.eia.parties import Defend, GiveWay
from pbem.games.eia.questions import Campaign, Month, Muster, Revise, SetUp, forecast
from pbem.games.eia.reactions import Burn, Insurrection
from pbem.games.eia.robot.caretaker import caretaker
from pbem.games.eia.robot.sensible import sensible
from pbem.games.eia.robot.whim import at_random
from pbem.games.eia.sequence import play
from pbem.games.eia.setup import OPTIONS, scenarios, setup
from pbem.games.eia.sites import sites
from pbem.games.eia.state import State
from pbem.games.eia.status import moment, status
from pbem.games.eia.victory import outcome
from pbem.games.eia.view import view
from pbem.games.eia.words import VOCABULARY
from pbem.kernel.rules import Rules
from pbem.kernel.words import fitting, load

__all__ = ["RULES"]


def own(state: State, seat: str) -> Collection[str]:
    """What a name means that others bear too: the counters and leaders of the seat's powers; those on the map first."""
    powers = state.of_seat(seat)
    corps = [corps.id for corps in state.corps.values() if corps.power in powers]
    taken = {COUNTERS[id].name for id in corps if id in COUNTERS}
    off = [counter for power in powers for counter in state.available.get(power, ())]
    off += [counter for counter in state.levies if "austria" in powers]
    corps += [counter for counter in off if COUNTERS[counter].name not in taken]
    horse = [horse.id for horse in state.horse.values() if horse.power in powers]
    return [*corps, *horse, *(leader.id for leader in state.leaders.values() if leader.power in powers)]


RULES: Rules[State] = Rules(
    name="eia",
    titles={"en": "Empires in Arms", "fr": "Empires in Arms"},
    state=State,
    orders=ORDERS,
    standing=STANDING,
    events=(*EVENTS, *battle_events.EVENTS, *VIEWS),
    questions=(
        SetUp,
        Month,
        Muster,
        Campaign,
        Revise,
        Burn,
        Insurrection,
        Defend,
        GiveWay,
        *battle_questions.QUESTIONS,
    ),
    scenarios=scenarios(),
    options=OPTIONS,
    setup=setup,
    play=play,
    view=view,
    vocabulary=VOCABULARY,
    invariants=invariants,
    outcome=outcome,
    drawing=drawing,
    status=status,
    moment=moment,
    robots={"random": at_random, "sensible": sensible, "caretaker": caretaker},
    defaults=DEFAULTS,
    forecast=forecast,
    distance=distance,
    sites=sites,
    own=own,
    build=build,
    verify=verify,
)
fitting(load("eia"), RULES.orders)
