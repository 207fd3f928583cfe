"""Commands & Colors: Napoleonics, in one letter a turn."""

from __future__ import annotations

from pbem.games.ccn.calling import called, own
from pbem.games.ccn.caretaker import caretaker
from pbem.games.ccn.cases import build, verify
from pbem.games.ccn.drawing import draw
from pbem.games.ccn.events import EVENTS
from pbem.games.ccn.headquarters import distance
from pbem.games.ccn.odds import asked, consult, forecast
from pbem.games.ccn.orders import REACTIONS, TURN
from pbem.games.ccn.questions import QUESTIONS
from pbem.games.ccn.robot import anything
from pbem.games.ccn.sensible import sensible as careful
from pbem.games.ccn.sequence import play
from pbem.games.ccn.setup import OPTIONS, scenarios
from pbem.games.ccn.setup import setup as set_up
from pbem.games.ccn.standing import DEFAULTS, POLICIES
from pbem.games.ccn.state import State, invariants, view
from pbem.games.ccn.status import moment, outcome
from pbem.games.ccn.status import status as stands
from pbem.games.ccn.words import vocabulary
from pbem.kernel.rules import Rules
from pbem.kernel.words import fitting, load

RULES: Rules[State] = Rules(
    name="ccn",
    titles={"en": "Commands & Colors: Napoleonics", "fr": "Commands & Colors: Napoleonics"},
    state=State,
    orders=tuple(dict.fromkeys((*TURN, *REACTIONS, *POLICIES))),
    standing=POLICIES,
    events=EVENTS,
    questions=QUESTIONS,
    scenarios=scenarios(),
    options=OPTIONS,
    setup=set_up,
    play=play,
    view=view,
    vocabulary=vocabulary(),
    invariants=invariants,
    outcome=outcome,
    drawing=draw,
    status=stands,
    moment=moment,
    robots={"random": anything, "sensible": careful, "caretaker": caretaker},
    defaults=DEFAULTS,
    forecast=forecast,
    consult=asked,
    distance=distance,
    build=build,
    verify=verify,
    own=own,
    called=called,
)
fitting(load("ccn"), RULES.orders)

__all__ = ["DEFAULTS", "RULES", "build", "consult", "forecast"]
