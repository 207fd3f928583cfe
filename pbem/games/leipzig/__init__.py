"""Bataille des Nations 1813: Leipzig, two seats, five actions a turn."""

from __future__ import annotations

from pbem.games.leipzig.caretaker import caretaker
from pbem.games.leipzig.cases import build, verify
from pbem.games.leipzig.drawing import drawing
from pbem.games.leipzig.events import EVENTS
from pbem.games.leipzig.headquarters import distance
from pbem.games.leipzig.orders import ACTIONS, ANSWERS, STANDING
from pbem.games.leipzig.plan import Actions
from pbem.games.leipzig.questions import Allocate, Arm, Cascade, Contact, Discard, Keep, Reveal, Support
from pbem.games.leipzig.robot import at_random, sensible
from pbem.games.leipzig.sequence import outcome, play
from pbem.games.leipzig.state import SEATS, State, fresh, invariants, view
from pbem.games.leipzig.status import moment, status
from pbem.games.leipzig.words import VOCABULARY
from pbem.kernel.rules import Option, Rules, Scenario
from pbem.kernel.words import fitting, load

__all__ = ["RULES"]


def setup(scenario: str, options: dict[str, str]) -> State:
    """The position before any draw."""
    return fresh(advanced=options.get("advanced", "no") == "yes", match=options.get("match", "no") == "yes")


RULES: Rules[State] = Rules(
    name="leipzig",
    edition=2,
    titles={"en": "Battle of the Nations 1813", "fr": "Bataille des Nations 1813"},
    state=State,
    orders=(*ACTIONS, *ANSWERS, *STANDING),
    standing=STANDING,
    events=EVENTS,
    questions=(Keep, Actions, Cascade, Arm, Reveal, Discard, Allocate, Support, Contact),
    scenarios={"battle": Scenario("battle", "The Battle of the Nations", "La bataille des Nations", SEATS)},
    options=(
        Option(
            "advanced",
            ("no", "yes"),
            "Terrain values count in the final scoring (rule 7).",
            "Les valeurs de terrain comptent au décompte final (règle 7).",
        ),
        Option(
            "match",
            ("no", "yes"),
            "Two games with sides exchanged; who scores more as Napoléon wins (rule 6.5).",
            "Deux parties en échangeant les camps ; qui marque le plus avec Napoléon gagne (règle 6.5).",
        ),
    ),
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
    distance=distance,
    build=build,
    verify=verify,
)
fitting(load("leipzig"), RULES.orders)
