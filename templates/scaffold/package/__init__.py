"""TITLE: two corps, four turns, orders written secretly and carried out together."""

from __future__ import annotations

from NAME.cases import build, verify
from NAME.events import EVENTS
from NAME.letters import VOCABULARY, drawing, moment, status
from NAME.orders import Hold, March
from NAME.questions import Marching
from NAME.robot import at_random, caretaker, sensible
from NAME.sequence import outcome, play
from NAME.state import SEATS, State, fresh, invariants, view

from pbem.kernel.rules import Option, Rules, Scenario
from pbem.kernel.words import fitting, load

__all__ = ["RULES"]

RULES: Rules[State] = Rules(
    name="NAME",
    titles={"en": "TITLE", "fr": "TITLE"},
    state=State,
    orders=(March, Hold),
    standing=(),
    events=EVENTS,
    questions=(Marching,),
    scenarios={"campaign": Scenario("campaign", "The campaign", "La campagne", SEATS)},
    options=(
        Option(
            "long",
            ("no", "yes"),
            "Six turns instead of four (rule 1.2).",
            "Six tours au lieu de quatre (règle 1.2).",
        ),
    ),
    setup=fresh,
    play=play,
    view=view,
    vocabulary=VOCABULARY,
    invariants=invariants,
    outcome=outcome,
    drawing=drawing,
    status=status,
    moment=moment,
    robots={"random": at_random, "sensible": sensible, "caretaker": caretaker},
    build=build,
    verify=verify,
)
fitting(load("NAME"), RULES.orders)
