"""6.3: budgets at their edges: limits of command, and zones that a beaten power shares with its conqueror."""

from __future__ import annotations

from pbem.games.nce.desk import Desk
from pbem.games.nce.land import supply
from pbem.games.nce.powers import budget, income
from pbem.games.nce.replies import Build, BuyDepot, Restore
from pbem.games.nce.state import State
from pbem.kernel.order import Order
from pbem.kernel.plan import rehearse
from tests.games.nce.play import position, the


def spend(state: State, seat: str, *orders: Order) -> list[str]:
    desk = Desk(state, None, "test")
    rehearse(budget.Treasury(desk, seat).run(orders))
    return [problem.code for problem in desk.problems]


def test_restoring_keeps_the_limits_of_command() -> None:  # rule 6.3.4, 4.2.3
    army = "coalition brest_litovsk koutouzov iere_armee: ru_i_corps, ru_ii_corps, au_i_corps, au_ii_corps 1"
    state = position(phase="budget", forces=[army])
    state.resources = {"autriche": 8.0, "russie": 8.0}
    assert spend(state, "coalition", Restore("au_ii_corps")) == ["too_many_allies"]


def test_the_beaten_raise_corps_where_their_conqueror_stands() -> None:  # rule 6.3.6, 9.1.3, 4.1.2
    state = position(
        phase="budget", status={"autriche": "forced_peace"}, forces=["empire vienne: fr_i_corps"]
    )
    state.resources = {"autriche": 8.0}
    assert spend(state, "coalition", Build("au_i_corps", "vienne")) == []
    assert the(state, "au_i_corps").side == "neutral"
    assert the(state, "au_i_corps") is not the(state, "fr_i_corps")


def test_garrisons_come_back_where_the_conqueror_stands() -> None:  # rule 6.3.13, 4.1.2
    state = position(
        phase="budget",
        year=1806,
        status={"turquie": "forced_peace"},
        forces=["empire constantinople: fr_i_corps"],
    )
    assert income._room(state, "constantinople", "peace", "tu_i_corps", 1)


def test_a_besieged_army_gets_nothing_even_by_sea() -> None:  # rule 6.3.6, 13.2.7
    state = position(
        phase="budget",
        siege={"lisbonne": 0},
        generals={"clinton": "pool"},
        forces=[
            "coalition lisbonne wellington armee_peninsule inside: uk_i_corps 1, uk_ii_corps",
            "empire lisbonne soult: fr_i_corps, fr_ii_corps",
        ],
    )
    state.resources = {"angleterre": 8.0}
    assert supply.supplied(state, the(state, "wellington"))
    assert spend(state, "coalition", Restore("uk_i_corps")) == ["cannot_restore_there"]
    assert spend(state, "coalition", BuyDepot("wellington")) == ["no_depot_there"]
    state.siege.clear()
    del state.forces[the(state, "soult").id]
    assert spend(state, "coalition", Restore("uk_i_corps"), BuyDepot("wellington")) == []


def test_a_union_raises_nobody_in_a_capital_that_the_enemy_owns() -> None:  # rule 6.3.6, 9.3.1
    state = position(
        phase="budget",
        status={"confederation_rhin": "protectorate", "thuringe": "ally_france"},
        units={"rhin": "pool"},
    )
    state.resources = {"minors_empire": 4.0}
    assert spend(state, "empire", Build("rhin", "erfurt")) == []
    lost = position(
        phase="budget",
        status={"confederation_rhin": "protectorate", "thuringe": "ally_angleterre"},
        units={"rhin": "pool"},
    )
    lost.resources = {"minors_empire": 4.0}
    assert spend(lost, "empire", Build("rhin", "erfurt")) == ["not_a_reinforcement_zone"]
