"""13.1: the set-ups: the board of a scenario, and the template that the owners may change (deployment.py)."""

from __future__ import annotations

from pbem.games.eia import deployment
from pbem.games.eia.board import COUNTERS, LEADERS, MINORS, POLES, POWERS, PROVINCES, BadBoard
from pbem.games.eia.scenario import ScenarioFile, scenario_file
from pbem.games.eia.state import CEDED, CONQUERED, FREE, HOME, LATER, Control, Leader, Power, State, pair
from pbem.kernel.rules import Option, Scenario

FILES = {"1805": "1805", "1805-three": "1805", "1809": "1809"}
"""The file of each set-up."""
SEATS = {
    "1805": {"france": "france", "austria": "austria", "russia": "austria"},
    "1805-three": {"france": "france", "austria": "austria", "russia": "russia"},
    "1809": {"france": "france", "austria": "austria"},
}
"""Who gives the orders of each power: a seat is a player, and bears the name of his first power."""


def _option(name: str, en: str, fr: str, *values: str) -> Option:
    return Option(name, values or ("yes", "no"), en, fr)


OPTIONS = (
    _option(
        "tempo",
        "plan: all orders of a month in one letter; strict: each side is asked when its turn comes; blitz: as plan, "
        "without a second look (rule 7.1).",
        "plan : tous les ordres du mois en une lettre ; strict : chaque camp est interrogé à son tour ; blitz : comme "
        "plan, sans second regard (règle 7.1).",
        "plan",
        "strict",
        "blitz",
    ),
    _option(
        "deploy",
        "The sides may vary the listed set-up (rule 13.1.1).",
        "Les camps peuvent varier la mise en place indiquée (règle 13.1.1).",
    ),
    _option(
        "morale",
        "Morale of a side: mean of its factors, or the base of its power (rule 7.5.2.6).",
        "Moral d'un camp : moyenne des facteurs, ou base de la puissance (règle 7.5.2.6).",
        "mean",
        "base",
    ),
    _option(
        "chain_distance",
        "How far from a depot the next of a chain may be built (rule 7.2.3).",
        "À quelle distance d'un dépôt le suivant d'une chaîne peut être établi (règle 7.2.3).",
        "3",
        "2",
    ),
    _option(
        "12.3.1",
        "A depot feeds at most four corps.",
        "Un dépôt nourrit au plus quatre corps.",
    ),
    _option(
        "12.3.3.1",
        "Twice the enemy's cavalry adds 1 to the die.",
        "Le double de la cavalerie ennemie ajoute 1 au dé.",
    ),
    _option(
        "12.3.3.2",
        "A mounted force withdraws more easily.",
        "Une force montée se retire plus aisément.",
    ),
    _option("12.3.4", "Guards may be committed.", "La garde peut donner."),
    _option(
        "12.3.5",
        "Artillery corps bombard.",
        "Les corps d'artillerie bombardent.",
    ),
    _option(
        "12.3.6",
        "Losses in proportion to nationality.",
        "Pertes en proportion des nationalités.",
    ),
    _option(
        "12.3.7.1",
        "Corps without a leader fight as under a poor one.",
        "Les corps sans chef combattent comme sous un chef médiocre.",
    ),
    _option(
        "12.3.7.3",
        "Napoleon's ratings fall from 1809 on.",
        "Les valeurs de Napoléon baissent dès 1809.",
    ),
    _option(
        "12.3.10",
        "At five to one a battle is a trivial combat.",
        "À cinq contre un une bataille est une escarmouche.",
    ),
    _option(
        "12.7",
        "Leaders may fall in combat.",
        "Les chefs peuvent tomber au combat.",
    ),
    _option(
        "12.3.8",
        "Factors of minors may be garrisons outside their country.",
        "Les facteurs des pays mineurs peuvent tenir garnison hors de chez eux.",
        "no",
        "yes",
    ),
)


def scenarios() -> dict[str, Scenario]:
    """The set-ups to choose from."""
    titles = {
        "1805": ("The campaign of 1805, two players", "La campagne de 1805, à deux"),
        "1805-three": ("The campaign of 1805, three players", "La campagne de 1805, à trois"),
        "1809": ("The Danube, 1809", "Le Danube, 1809"),
    }
    return {name: Scenario(name, *titles[name], tuple(dict.fromkeys(SEATS[name].values()))) for name in FILES}


def setup(scenario: str, options: dict[str, str]) -> State:
    """13.1: the position before any draw, set up as the template says."""
    if scenario not in FILES:
        raise BadBoard(f"there is no scenario {scenario}")
    state = bare(scenario, options)
    for power in data(state).setup_order:
        deployment.put(state, power, deployment.template(state, power))
    if not state.on("deploy"):
        state.phase = "orders"
    return state


def data(state: State) -> ScenarioFile:
    """The file of the scenario that is played."""
    return scenario_file(FILES[state.scenario])


def bare(scenario: str, options: dict[str, str]) -> State:
    """13.1.2, 13.1.3: the board of a scenario without any force, with everyone's money."""
    file = scenario_file(FILES[scenario])
    given = {option.name: option.values[0] for option in OPTIONS} | options
    state = State(scenario=scenario, options=given, month=file.start, end=file.end)
    for side, powers in file.sides.items():
        for power in powers:
            state.powers[power] = Power(
                seat=SEATS[scenario][power],
                side=side,
                money=2 * file.treasury[power],
                depots=file.limits.get(f"{power}_depots", POWERS[power].depots),
            )
    names = list(state.powers)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            friends = state.side_of(one) == state.side_of(other)
            (state.alliances if friends else state.wars).append(pair(one, other))
    state.slots = [[power for power in names if state.side_of(power) == side] for side in file.land_order]
    state.in_play = sorted(file.in_play.all())
    _territory(state, file)
    _counters(state, file)
    return state


def _territory(state: State, file: ScenarioFile) -> None:
    """13.1.3: home nations, ceded provinces, conquered minors and free states; in the end all that is used is held."""
    for row in file.control:
        for province in PROVINCES.values():
            how = ""
            if province.owner == row.power and row.home and province.id not in row.home_except:
                how = HOME
            elif province.id in row.ceded_provinces:
                how = CEDED
            elif province.owner in row.conquered:
                how = CONQUERED
            elif province.owner in row.free or province.id in row.poland_provinces:
                how = FREE
            if how:
                state.control[province.id] = Control(row.power, how)
        if row.poland_provinces:
            state.entities[POLES] = list(row.poland_provinces)


def _counters(state: State, file: ScenarioFile) -> None:
    """13.1.6.5: the counters of each power and of its free states, all off the map; leaders of the scenario too."""
    for power in state.powers:
        nations = {power, *(force.of for force in file.force if force.power == power)}
        state.available[power] = [counter.id for counter in COUNTERS.values() if counter.nation in nations]
    for power, counters in state.available.items():
        called = {counter for counter in counters if COUNTERS[counter].full}
        state.available[power] = [counter for counter in counters if counter not in called]
        for row in file.reinforcement:
            for name in row.corps if row.power == power and row.at.rule else ():
                free = [
                    c for c in sorted(called) if deployment.fits(COUNTERS[c], name) and c not in state.levies
                ]
                state.levies[free[-1]] = dict(row.factors)
    named = {leader for force in file.force for leader in force.leaders}
    for leader in LEADERS.values():
        if leader.id in named:
            state.leaders[leader.id] = Leader(leader.id, leader.power, LATER)


def nations_of(state: State, power: str) -> list[str]:
    """The nations whose factors a power commands: its own, and its free states."""
    file = data(state)
    found = [force.of for force in file.force if force.power == power]
    return list(dict.fromkeys([power, *(nation for nation in found if nation in (*MINORS, POLES))]))
