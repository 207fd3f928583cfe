"""7.5.2: one round of a combat at a time; the long battle of the rulebook die by die."""

from __future__ import annotations

import pytest

from pbem.games.eia import charts
from pbem.games.eia.land import losses, morale, rounds
from pbem.games.eia.land.rounds import Clash, Commit, Ground
from pbem.games.eia.land.sides import (
    Chief,
    Side,
    commander,
    points,
    split,
    stakes,
    superior_cavalry,
    usual_split,
)
from tests.games.eia.hosts import Rolled, body, clash, side


def the_long_battle() -> Clash:
    turks = side(
        "attacker",
        body("f1", "turkey", "18 FI", kind="feudal_infantry", tactical=2),
        body("f2", "turkey", "18 FC", kind="feudal_cavalry", tactical=2),
        body("j", "turkey", "14 I", tactical=2),
        chiefs=[Chief("pasha", "turkey", 2, 2, 9)],
    )
    russians = side(
        "defender",
        body("g", "russia", "6 Gd", kind="guard"),
        body("r1", "russia", "17 I, 1 C"),
        body("r2", "russia", "13 M"),
        chiefs=[Chief("kutusov", "russia", 2, 2, 9)],
    )
    found = clash(turks, russians)
    found.cell = charts.combination("assault", "cordon")
    for one in found.sides:
        one.level = morale.level(one, 1)
    return found


# rule 7.5.2.15, 7.5.2.9, 7.5.2.9.2
def test_the_long_battle_begins() -> None:
    found = the_long_battle()
    assert (found.attack.level, found.defence.level) == (23, 30)
    first = rounds.play(found, Rolled({"fire attacker": [3], "fire defender": [3]}))
    assert (first.attacker.table, first.defender.table) == ("4-1", "2-1")
    assert [m.name for m in first.attacker.modifiers] == ["cavalry"]
    assert first.defender.modifiers == ()
    assert (first.attacker.percent, first.attacker.morale) == (10, 10)
    assert (first.defender.percent, first.defender.morale) == (5, 2)
    assert first.defender_lost == {"M": 5}
    assert first.attacker_lost == {"FI": 2}
    assert (first.attacker_left, first.defender_left) == (48, 32)
    assert not rounds.over(found)
    # Round 2 on 4-3 and 2-1, with 48 and 32 factors.
    second = rounds.play(found, Rolled({"fire attacker": [2], "fire defender": [4]}))
    assert (second.attacker.table, second.defender.table) == ("4-3", "2-1")
    assert (second.attacker.percent, second.attacker.morale) == (10, 16)
    # 10 % of 48 = 2 + 2 + 1; 5 % of 32 = 1 + 1.
    assert (sum(second.defender_lost.values()), sum(second.attacker_lost.values())) == (5, 2)
    # 2.6 of 3.0 lost: militia may no longer be chosen.
    assert "M" not in second.defender_lost
    assert second.defender_morale == 4


def test_militia_goes_last_once_morale_has_sunk() -> None:
    host = side("defender", body("a", "russia", "3 I, 9 M"))
    host.morale_lost = 20
    assert losses.lose(host, 5, free=host.morale_lost < losses.FREE_BELOW) == {"I": 3, "M": 2}
    host = side("defender", body("a", "russia", "3 I, 9 M"))
    host.morale_lost = 19
    assert losses.lose(host, 5, free=host.morale_lost < losses.FREE_BELOW) == {"M": 5}


def test_the_owner_says_what_is_lost() -> None:
    host = side("defender", body("a", "france", "8 I, 4 C, 3 Gd, 2 M"), order=("I", "Gd"))
    assert losses.lose(host, 10, free=True) == {"I": 8, "Gd": 2}


# rule 7.5.2.9.2.1b, 7.5.2.10.1, 7.5.2.10.1.1
def test_one_who_breaks_loses_a_rider() -> None:
    found = clash(
        side("attacker", body("a", "france", "60 I"), level=40),
        side("defender", body("b", "austria", "20 I, 2 C"), level=5),
        ground=Ground(superiority=False),
    )
    found.cell = charts.combination("assault", "defend")
    round = rounds.play(found, Rolled({"fire attacker": [6], "fire defender": [1]}))
    assert found.defence.broken
    assert round.defender_lost["C"] == 1
    assert rounds.winner(found) is found.attack


def test_no_rider_where_nothing_is_lost() -> None:
    found = clash(
        side("attacker", body("a", "france", "3 I"), level=40),
        side("defender", body("b", "austria", "20 I, 2 C"), level=5),
        ground=Ground(superiority=False),
    )
    found.cell = charts.combination("assault", "defend")
    round = rounds.play(found, Rolled({"fire attacker": [5], "fire defender": [1]}))
    assert found.defence.broken
    assert round.defender_lost == {}


def test_losses_fall_on_the_nations_by_their_share() -> None:
    host = side(
        "defender",
        body("a", "france", "15 I"),
        body("b", "bavaria", "5 I", power="france"),
    )
    assert losses.lose(host, 4, free=True) == {"I": 4}
    assert [one.size for one in host.bodies] == [12, 4]
    assert losses.shares({"a": 10, "b": 10}, 3) == {"a": 2, "b": 1}
    assert losses.shares({"a": 10, "b": 10}, 3, lambda names, number: names[-number:]) == {"a": 1, "b": 2}
    assert losses.shares({"a": 3, "b": 0}, 9) == {"a": 3}


# rule 7.5.2.9.2.3
def test_no_counter_leaves_before_it_must() -> None:
    host = side("defender", body("a", "france", "1 I"), body("b", "france", "5 I"))
    losses.lose(host, 4, free=True)
    assert [one.size for one in host.bodies] == [1, 1]


@pytest.mark.parametrize(
    ("mine", "his", "superior"),
    [
        ("4 I, 2 C", "3 I, 1 C", True),
        ("4 I, 3 C", "3 I, 2 C", False),
        ("9 I", "3 I", False),
        ("4 C", "1 C", False),
        ("4 I, 1 C", "9 I", True),
    ],
)
def test_superior_cavalry(mine: str, his: str, superior: bool) -> None:
    attack = side("attacker", body("a", "france", mine))
    assert superior_cavalry(attack, side("defender", body("b", "austria", his))) is superior


def test_modifiers_never_pass_one() -> None:
    attack = side(
        "attacker", body("a", "france", "20 I, 4 C"), chiefs=[Chief("n", "france", 5, 5, 6)], level=40
    )
    found = clash(attack, side("defender", body("b", "austria", "20 I, 1 C", tactical=1), level=40))
    found.cell = charts.combination("assault", "cordon")
    round = rounds.play(found, Rolled({"fire attacker": [6], "fire defender": [1]}))
    assert {m.name: m.value for m in round.attacker.modifiers} == {"commanders": 1, "cavalry": 1}
    assert (round.attacker.percent, round.attacker.morale) == charts.result("4-1", 7)
    assert (round.defender.percent, round.defender.morale) == charts.result("2-1", 0)


def test_too_many_corps_for_a_leader() -> None:
    three = [body(str(n), "austria", "5 I") for n in range(7)]
    mack = Chief("mack", "austria", 1, 3, 3)
    assert commander(side("attacker", *three[:3], chiefs=[mack])).tactical == 3
    assert commander(side("attacker", *three[:4], chiefs=[mack])).tactical == 2
    assert commander(side("attacker", *three[:6], chiefs=[mack])).tactical == 2
    assert commander(side("attacker", *three[:7], chiefs=[mack])).tactical == 1
    weak = Chief("john", "austria", 1, 1, 1)
    assert commander(side("attacker", *three[:3], chiefs=[weak])).tactical == 0


# rule 12.3.7.1, 10.6.1.1.2
def test_who_commands() -> None:
    davout, napoleon = Chief("davout", "france", 4, 5, 3, "C"), Chief("napoleon", "france", 5, 5, 6, "A")
    host = side(
        "attacker", body("a", "france", "9 I"), body("b", "austria", "12 I"), chiefs=[davout, napoleon]
    )
    assert commander(host).leader == "napoleon"
    host.chiefs.append(Chief("charles", "austria", 5, 4, 5, "A"))
    assert commander(host).leader == "charles"
    assert commander(side("attacker", body("a", "france", "9 I"), body("b", "france", "9 I"))).tactical == 0
    assert (
        commander(
            side("attacker", body("a", "france", "9 I"), body("b", "france", "9 I")), corps_leaders=False
        ).tactical
        == 2
    )
    assert commander(side("attacker", body("a", "france", "9 I"))).tactical == 2


# rule 7.5.2.7.2, 7.5.2.3.2
def test_outflanking_counts_twice_when_it_has_come() -> None:
    attack = side("attacker", body("a", "france", "10 I"), body("b", "france", "6 I"), level=40)
    split(attack, ["b"])
    found = clash(attack, side("defender", body("c", "austria", "10 I"), level=30))
    found.cell = charts.combination("outflank", "defend")
    first = rounds.play(found, Rolled({"fire attacker": [3], "fire defender": [3]}))
    assert (first.attacker.table, first.attacker.factors) == ("2-1", 10)
    for one in attack.bodies:
        one.doubled, one.outflanks = one.outflanks, False
    attack.arrived = True
    second = rounds.play(found, Rolled({"fire attacker": [3], "fire defender": [3]}))
    assert (second.attacker.table, second.defender.table) == ("2-4", "1-1")
    assert second.attacker.factors == first.attacker_left + 12


# rule 7.5.2.10.1.2, 7.5.2.10.1.2.1, 7.5.2.10.1.2.2, 10.6.3
def test_the_pinning_force_dies_before_they_come() -> None:
    attack = side(
        "attacker",
        body("a", "france", "1 I"),
        body("b", "france", "6 I"),
        chiefs=[Chief("ney", "france", 3, 4, 2)],
        level=40,
    )
    split(attack, ["b"])
    found = clash(attack, side("defender", body("c", "austria", "40 I"), level=30))
    found.cell = charts.combination("outflank", "counterattack")
    rounds.play(found, Rolled({"fire attacker": [1], "fire defender": [6]}))
    assert attack.broken
    assert attack.captured == ["ney"]
    # 2-3, die 6: 10 % of 40 = 4; one in front, three on their way.
    assert [one.size for one in attack.bodies] == [0, 3]


# rule 7.5.2.8, 12.3.4, 12.3.4.6
def test_guard_wins_or_breaks() -> None:
    def fresh() -> Clash:
        found = clash(
            side(
                "attacker", body("g", "france", "4 Gd", kind="guard"), body("a", "france", "20 I"), level=40
            ),
            side("defender", body("b", "austria", "24 I"), level=30),
        )
        found.cell = charts.combination("assault", "counterattack")
        return found

    found = fresh()
    assert rounds.guard_ready(found, found.attack) == Commit("france", 2)
    found.defence.morale_lost = 10
    dice = Rolled({"guard attacker": [3], "fire attacker": [4], "fire defender": [2]})
    round = rounds.play(found, dice, (Commit("france", 2), None))
    assert round.attacker.table == "3-3"
    assert (round.attacker.guard_lost, found.attack.count(["Gd"])) == (2, 2)
    # 3-3, die 4: 1.8; 2.8 of 3.0: not broken, so the guard breaks.
    assert not found.defence.broken
    assert found.attack.broken
    assert rounds.winner(found) is found.defence
    found = fresh()
    found.defence.morale_lost = 20
    dice = Rolled({"guard attacker": [3], "fire attacker": [4], "fire defender": [2]})
    rounds.play(found, dice, (Commit("france", 2), None))
    assert rounds.winner(found) is found.attack
    assert rounds.guard_ready(found, found.attack) is None


# rule 12.3.4.5
def test_a_guard_that_dies_does_not_fire() -> None:
    found = clash(
        side("attacker", body("g", "france", "2 Gd, 9 I", kind="guard"), level=40),
        side("defender", body("b", "austria", "24 I"), level=30),
    )
    found.cell = charts.combination("assault", "counterattack")
    round = rounds.play(
        found, Rolled({"guard attacker": [4], "fire defender": [6]}), (Commit("france", 2), None)
    )
    assert round.attacker.die == 0
    assert round.defender.die == 6
    assert rounds.winner(found) is found.defence


# rule 12.3.5.3, 12.3.5.1
def test_guns_before_the_fire() -> None:
    guns = body("art", "france", "5 A", kind="artillery")
    found = clash(
        side("attacker", guns, body("a", "france", "20 I"), level=40),
        side("defender", body("b", "austria", "3 M, 9 I"), level=30),
    )
    found.cell = charts.combination("assault", "counterattack")
    round = rounds.play(found, Rolled({"guns attacker": [4], "fire attacker": [1], "fire defender": [1]}))
    # 5-5, die 4: 20 % of 5 factors = 1.
    assert (round.attacker.bombard_die, round.attacker.bombarded) == (4, 1)
    assert round.defender.factors == 11
    assert round.defender_lost == {"M": 1}
    marsh = clash(found.attack, found.defence, ground=Ground("marsh"))
    marsh.cell = found.cell
    round = rounds.play(marsh, Rolled({"fire attacker": [1], "fire defender": [1]}))
    assert round.attacker.bombard_die == 0


# rule 12.3.5.5
def test_guns_alone_are_broken() -> None:
    found = clash(
        side(
            "attacker", body("art", "france", "5 A", kind="artillery"), body("a", "france", "1 I"), level=40
        ),
        side("defender", body("b", "austria", "24 I"), level=30),
        ground=Ground(artillery=False),
    )
    found.attack.order = ("I", "A")
    found.cell = charts.combination("assault", "counterattack")
    rounds.play(found, Rolled({"fire attacker": [1], "fire defender": [6]}))
    assert found.attack.broken


def test_both_break() -> None:
    found = clash(
        side("attacker", body("a", "france", "20 I"), level=5),
        side("defender", body("b", "austria", "20 I"), level=5),
    )
    found.cell = charts.combination("assault", "counterattack")
    rounds.play(found, Rolled({"fire attacker": [6], "fire defender": [6]}))
    assert rounds.over(found)
    assert rounds.winner(found) is None


# rule 7.5.2.10.4.1, 7.5.2.10.4
def test_who_breaks_while_he_kills_the_last_wins() -> None:
    found = clash(
        side("attacker", body("a", "france", "80 I"), level=1),
        side("defender", body("b", "austria", "2 I"), level=30),
    )
    found.cell = charts.combination("assault", "defend")
    found.attack.morale_lost = 1
    rounds.play(found, Rolled({"fire attacker": [6], "fire defender": [6]}))
    assert found.attack.broken
    assert rounds.winner(found) is found.attack


# rule 7.5.4.1.3.3, 7.5.4.1.3.1
def test_an_assault_knows_no_limits() -> None:
    found = clash(
        side("attacker", body("a", "france", "20 I, 6 M"), chiefs=[Chief("n", "france", 5, 5, 6)], level=40),
        side("defender", body("b", "austria", "9 I", kind="garrison"), level=30),
        what="assault",
        ground=Ground("mountain"),
    )
    found.attack.morale_lost = 25
    round = rounds.play(found, Rolled({"fire attacker": [3], "fire defender": [6]}))
    assert (round.attacker.table, round.defender.table) == ("5-1", "5-2")
    assert round.attacker.modifiers == ()
    assert set(round.attacker_lost) <= {"M"}


def test_stakes() -> None:
    host = side(
        "attacker", body("a", "france", "21 I"), body("b", "france", "5 I"), body("c", "austria", "20 I")
    )
    assert stakes(host) == {"france": 3, "austria": 1}
    assert [points(halves) for halves in (1, 2, 3, 6, 9)] == [1, 1, 2, 3, 3]


@pytest.mark.parametrize(
    ("factors", "expected"),
    [({"a": 21, "b": 20, "c": 10}, 38)],
)
def test_morale_by_the_first_method(factors: dict[str, int], expected: int) -> None:
    made = body("x", "france", "21 M, 20 I, 10 Gd")
    made.morale = {"M": 30, "I": 40, "Gd": 50}
    assert morale.level(side("attacker", made), 1) == expected


# rule 7.5.2.6.1.2, 7.5.2.6.1, 7.5.2.6
def test_morale_by_the_second_method() -> None:
    host = side(
        "attacker", body("a", "france", "20 I, 3 Gd"), body("b", "bavaria", "2 I, 4 C", power="france")
    )
    # 4.0, three guards +0.3, two Bavarian foot of morale 2 -0.2.
    assert morale.level(host, 2) == 41
    assert morale.level(side("attacker", body("a", "russia", "20 M")), 2) == 25
    mixed = side("attacker", body("a", "france", "9 I"), body("b", "austria", "9 I"))
    assert morale.level(mixed, 2) == 35


# rule 7.5.2.6.2
def test_morale_of_later_days_and_of_the_chart() -> None:
    host: Side = side("defender", body("a", "russia", "9 I"))
    cell = charts.combination("assault", "defend")
    assert {m.name: m.value for m in morale.modifiers(host, cell, "russia", 1)} == {"russian_defender": 10}
    assert {m.name: m.value for m in morale.modifiers(host, cell, "france", 2)} == {"day": -5}
    turk = charts.combination("assault", "counterattack")
    assert [m.value for m in morale.modifiers(host, turk, "turkey", 3)] == [-10, 10]


def test_the_usual_split_leaves_half_in_front() -> None:
    host = side(
        "attacker",
        body("a", "france", "20 I"),
        body("b", "france", "12 I"),
        body("c", "france", "8 I"),
        body("k", "russia", "1 CK", kind="cossack"),
        body("g", "france", "5 A", kind="artillery"),
    )
    assert usual_split(host) == ("b", "c")
    split(host, usual_split(host))
    assert [one.id for one in host.away] == ["b", "c", "k"]


# rule 7.5.2.10.2.3
@pytest.mark.parametrize(
    ("factors", "equivalents", "lost"),
    [
        ("9 I, 2 C", 1, {"I": 3}),
        ("7 M, 2 C", 1, {"M": 6}),
        ("7 M, 2 C", 2, {"M": 6, "C": 1}),
        ("2 I, 2 C", 1, {"C": 1}),
        ("2 I, 1 Gd", 1, {"I": 2, "Gd": 1}),
        ("2 I", 1, {"I": 2}),
        ("9 I, 2 C", 9, {"I": 9, "C": 2}),
        ("3 M, 2 I", 1, {"M": 3, "I": 2}),
    ],
)
def test_what_pursuit_costs(factors: str, equivalents: int, lost: dict[str, int]) -> None:
    host = side("defender", body("a", "austria", factors))
    assert losses.pursued(host, equivalents) == lost
