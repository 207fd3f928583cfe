from xml.etree import ElementTree

import pytest

from pbem.dice.audit.verdicts import Spread, Tally
from pbem.dice.draw.streams import roll
from pbem.dice.show import luck, plots, readable
from pbem.dice.show.readable import Explained
from pbem.kernel.chance import Draw
from pbem.kernel.event import Event, Expected
from tests.dice.sample import SOURCE, whole_game


class Battle(Event, frozen=True):
    """A battle of a game that counts its luck."""


def dice(label: str, seat: str, *values: int, sides: int = 6, secret: bool = False) -> Draw:
    return Draw(label, "roll", "7", secret, sides, values, seat=seat)


DRAWS = [
    dice("a", "french", 6, 6, 5),
    dice("b", "allies", 1, 2),
    dice("c", "allies", 10, sides=10),
    dice("d", "allies", 6, secret=True),
    Draw("e", "shuffle", "7", before=("x", "y"), items=("y", "x")),
    dice("f", "", 3),
]


def test_fortunes_by_seat_and_die() -> None:
    found = {(each.seat, each.spread.sides): each for each in luck.fortunes(DRAWS)}
    assert {name: each.spread.count for name, each in found.items()} == {
        ("", 6): 6,
        ("allies", 6): 2,
        ("french", 6): 3,
        ("", 10): 1,
        ("allies", 10): 1,
    }
    french = found["french", 6]
    assert french.pips == pytest.approx(6.5)
    assert french.z == pytest.approx(6.5 / (3 * 35 / 12) ** 0.5)
    with_secrets = {(each.seat, each.spread.sides): each for each in luck.fortunes(DRAWS, secrets=True)}
    assert with_secrets["allies", 6].spread.count == 3


def test_runs() -> None:
    tally = Tally()
    tally.add("a", 6, (1, 2, 6, 5, 4, 1, 6))
    (_, mine) = tally.spreads()
    assert (mine.runs, mine.high, mine.low, mine.runs_z) == (4, 4, 3, None)
    tally.add("b", 3, (2, 2, 1, 2, 1, 3))
    odd = tally.spreads()[0]
    assert (odd.sides, odd.runs, odd.high, odd.low) == (3, 2, 1, 2)
    streaks, changes = Tally(), Tally()
    streaks.add("", 6, [1] * 50 + [6] * 50)
    changes.add("", 6, [1, 6] * 50)
    low, high = streaks.spreads()[0].runs_z, changes.spreads()[0].runs_z
    assert low is not None
    assert high is not None
    assert low < -9 < 9 < high
    fair = Tally()
    fair.add("", 6, roll(bytes(32), "x", 10_000, 6))
    spread = fair.spreads()[0]
    assert spread.fair_runs == pytest.approx(5_000, abs=5)
    assert spread.runs_z is not None
    assert abs(spread.runs_z) < 4


def test_what_the_battles_would_have_given() -> None:
    events = [
        Battle(luck=(Expected("french", "hits", 5, 3.0, 2.0), Expected("allies", "hits", 1, 2.5, 1.5))),
        Battle(),
        Battle(luck=(Expected("french", "hits", 2, 3.0, 2.0),)),
    ]
    allies, french = luck.balance(events)
    assert (french.times, french.got, french.mean, french.z) == (2, 7, 6, pytest.approx(0.5))
    assert allies.z == pytest.approx(-1.5 / 1.5**0.5)
    (unknown,) = luck.balance([Battle(luck=(Expected("french", "hits", 5, 3.0),))])
    assert unknown.z is None


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_luck_in_words(lang: str) -> None:
    events = [Battle(luck=(Expected("french", "hits", 5, 3.0, 2.0),))]
    names = {"french": "Les Français", "allies": "Les Alliés"}
    said = luck.lines(DRAWS, events, lang=lang, seat=lambda seat: names[seat])
    assert any(line.startswith("Les Français, d6") and "+6.5" in line for line in said)
    assert any("hits" in line and "+2.0" in line and "z +1.4" in line for line in said)
    assert luck.lines([], lang=lang) == [luck._PHRASES[lang]["none"]]
    assert luck.lines(DRAWS, lang="xx") == luck.lines(DRAWS, lang="en")
    many = luck.lines([dice("m", "french", *roll(bytes(32), "m", 600, 6))], lang=lang)
    assert "χ²" in many[0]
    assert "z" in many[0].rpartition(";")[2]


def svg(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return root


def test_pictures() -> None:
    (everyone, french) = luck.fortunes([dice("m", "french", *roll(bytes(32), "m", 600, 6))])
    assert everyone.spread.count == 600
    picture = svg(plots.faces(french.spread, "<Ney> & co"))
    assert len([each for each in picture.iter() if each.tag.endswith("rect")]) == 8
    assert "<Ney> & co" in [each.text for each in picture.iter()]
    assert plots.faces(Spread("", 1000, (1,) * 1000)) == ""
    assert plots.faces(Spread("", 6, (0,) * 6)) == ""
    paths = luck.course([*DRAWS, dice("m", "french", *roll(bytes(32), "m", 2_000, 6))])
    assert set(paths) == {"french", "allies"}
    assert len(paths["allies"]) == 4
    text = plots.course(paths, "Luck", lambda seat: seat.title() + " <>")
    assert len(text) < 20_000
    lines = [each for each in svg(text).iter() if each.tag.endswith("polyline")]
    assert len({each.get("stroke-dasharray") for each in lines}) == 2
    assert plots.course({}) == ""
    assert plots.course({"french": [0.0]}) == ""
    assert svg(plots.faces(Spread("", 2, (1, 0)))) is not None


@pytest.mark.parametrize("source", [None, SOURCE])
def test_the_log_of_a_battle_for_people(source: object) -> None:
    game = whole_game(SOURCE if source else None)
    told = {"t1/land/lindenau/att": Explained("Ney takes Lindenau", ("+1 cavalry",))}
    rolls = readable.battle(
        game.entries, "t1/land/", seat=str.title, explained=told, lang="fr", file="partie.jsonl"
    )
    assert [each.label for each in rolls] == ["t1/land/lindenau/att", "t1/land/lindenau/def"]
    assert all(each.good for each in rolls)
    assert rolls[0].with_log == "python3 pbem_verify.py partie.jsonl --roll t1/land/lindenau/att"
    lines = readable.text(rolls, lang="fr")
    assert lines[0] == "t1/land/lindenau/att · French · règle 7.2 · registre n° 7, étape 2"
    values = game.croupier.roll("t1/land/lindenau/att", 2, 6, rule="7.2")
    assert lines[1] == f"  2d6 : {values[0]}, {values[1]} = {sum(values)}"
    assert lines[2:4] == ["  +1 cavalry", "  → Ney takes Lindenau"]
    assert lines[4] == "  À vérifier, avec Python seul :"
    assert lines[5].startswith('  $ python3 -c "')
    cards = readable.text(readable.battle(game.entries, "setup/"))
    assert cards[0] == "setup/tiles · rule 3.2 · log #3, step 1"
    assert cards[-1].endswith("--roll setup/tiles")
    assert readable.text([], "t9") == ["No open draw of this log begins with t9."]
