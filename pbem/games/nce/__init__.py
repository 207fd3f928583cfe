"""Napoléon contre l'Europe: two seats, a year a turn, card by card."""

from __future__ import annotations

from pbem.games.nce.cards.reaction_cards import Chase, Choice, Police, Sapping
from pbem.games.nce.cases import build, verify
from pbem.games.nce.choices import Draft, Parting
from pbem.games.nce.deployment import SetUp
from pbem.games.nce.digest import joined
from pbem.games.nce.drawing import drawing
from pbem.games.nce.events import EVENTS
from pbem.games.nce.faces import lookup
from pbem.games.nce.fight import Fight
from pbem.games.nce.headquarters import called, distance, own
from pbem.games.nce.land.concert import InteriorLines
from pbem.games.nce.orders import LETTER
from pbem.games.nce.powers.interphase_questions import Budget, Redeployment, Talks
from pbem.games.nce.powers.regroup import Regroup
from pbem.games.nce.questions import Fate, Garrisoning, Hand, Refusal, Terms, Treaty, War
from pbem.games.nce.reactions import Interception, Response, Test
from pbem.games.nce.replies import INTERPHASE, PEACE_TERMS, REACTIONS
from pbem.games.nce.robot.caretaker import caretaker
from pbem.games.nce.robot.sensible import sensible
from pbem.games.nce.robot.whim import at_random
from pbem.games.nce.rounds import Act, forecast
from pbem.games.nce.score import on_points
from pbem.games.nce.sea.admiralty import Fleets, Sinking
from pbem.games.nce.sea.nelson import Reroll
from pbem.games.nce.sequence import outcome, play
from pbem.games.nce.setup import OPTIONS, scenarios, setup
from pbem.games.nce.sites import sites
from pbem.games.nce.soundness import invariants
from pbem.games.nce.standing import DEFAULTS, STANDING
from pbem.games.nce.state import State
from pbem.games.nce.status import moment, status
from pbem.games.nce.view import view
from pbem.games.nce.words import VOCABULARY
from pbem.kernel.rules import Rules
from pbem.kernel.words import fitting, load

__all__ = ["RULES"]

QUESTIONS = (
    Act,
    Interception,
    Response,
    Fight,
    Test,
    Fleets,
    InteriorLines,
    Police,
    Garrisoning,
    Chase,
    Choice,
    Reroll,
    Sapping,
    War,
    Hand,
    Budget,
    Talks,
    Redeployment,
    Fate,
    Refusal,
    Treaty,
    Terms,
    SetUp,
    Draft,
    Sinking,
    Parting,
    Regroup,
)

RULES: Rules[State] = Rules(
    name="nce",
    edition=2,
    titles={"en": "Napoleon against Europe", "fr": "Napoléon contre l'Europe"},
    state=State,
    orders=tuple(dict.fromkeys((*LETTER, *REACTIONS, *INTERPHASE, *PEACE_TERMS, *STANDING))),
    standing=STANDING,
    events=EVENTS,
    questions=QUESTIONS,
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
    lookup=lookup,
    join=joined,
    distance=distance,
    sites=sites,
    ahead=on_points,
    build=build,
    verify=verify,
    own=own,
    called=called,
)
fitting(load("nce"), RULES.orders)
