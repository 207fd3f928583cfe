"""1805 by written letters: the Empire in English, the Coalition in French; sealed lists, standing orders, silence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.deadlines.calendar import Calendar
from pbem.campaign.intake.moderator import Player
from pbem.kernel.game import DEFAULT, LETTER, STANDING
from tests.campaign.conftest import Desk

ANNE, BOB = "anne@pbem.test", "bob@pbem.test"
ATTACK = "no card\nactivate Masséna\ngo to Venise\nsubordinate Lannes"
CALENDAR = Calendar(zone="Europe/Paris", hours=48, reminders=(6,), grace=12, floor=6)


class War(Desk):
    """A desk with a game of 1805."""

    def __init__(self, url: str) -> None:
        super().__init__(url, CALENDAR)
        players = {"empire": Player("Anne", ANNE, "en"), "coalition": Player("Bob", BOB, "fr")}
        self.game = self.moderator.opening.open_game("nce", "1805", {}, players, calendar=CALENDAR)
        self.deliver()

    @property
    def moment(self) -> str:
        return str(self.live.rules.moment(self.live.game.state))

    def origins(self, seat: str) -> list[tuple[str, str]]:
        """What each answer of a seat was to, and where it came from."""
        rows = [row for row in self.store.answers(self.game) if row.seat == seat]
        return [(row.kind, row.origin) for row in rows]


@pytest.fixture
def war(tmp_path: Path) -> Iterator[War]:
    made = War(f"sqlite:///{tmp_path}/nce.db")
    yield made
    made.store.close()


def test_a_year_of_letters_with_standing_orders_and_silence(war: War) -> None:
    war.send("coalition", "PERMANENTS\nCharles esquive vers Klagenfurt\ncartes scellées 5C dès 3 pas ennemis")
    assert "Charles esquive vers Klagenfurt" in war.words(BOB)
    war.send("empire", "CHECK\n" + ATTACK)
    assert "Charles might evade from Venise" in war.words(ANNE)
    assert war.moment == "1805.2E"
    war.send("empire", ATTACK)
    assert war.moment == "1805.2C"
    assert [item for item in war.origins("empire") if item[1] == LETTER] == [("act", LETTER)]
    assert ("response", STANDING) in war.origins("coalition")
    assert not [item for item in war.origins("coalition") if item[1] != STANDING]
    assert "Charles esquive vers Klagenfurt" in war.all_words(BOB)
    war.pass_time(hours=48 + 13)
    assert war.moment == "1805.3E"
    assert war.origins("coalition")[-1] == ("act", DEFAULT)
    assert war.live.game.state.reserve["coalition"] == 1
    letters = 0
    while war.moment.startswith("1805"):
        if war.moment.endswith("E"):
            war.send("empire", "no card\nactivate VII CORPS France\ngo to Nantes" if letters == 0 else "pass")
        else:
            war.send("coalition", "sans carte")
        letters += 1
        assert letters < 10
    # One letter from each side in each of the rounds 3 to 6.
    assert letters == 8
    assert war.moment == "1806.A1C"


def test_who_wants_to_be_asked_is_asked_and_writes_a_second_letter(war: War) -> None:
    war.send("coalition", "PERMANENTS\ndemander attaqué si ennemi = Masséna")
    war.send("empire", ATTACK)
    assert war.moment == "1805.2E"
    assert "Masséna" in war.words(BOB)
    assert "esquiver" in war.words(BOB)
    war.send("coalition", "rester")
    assert war.moment == "1805.2C"
    assert ("response", LETTER) in war.origins("coalition")


@pytest.mark.parametrize(
    ("seat", "letter", "said"),
    [
        ("empire", "play 1C", "8.1.1"),
        ("empire", "no card\nactivate Mack", "8.3.1"),
        ("empire", "no card\nactivate Masséna\ngo to Berlin", "10.1"),
        ("empire", "no card\nactivate Napoléon\nleave Davout", "2.4.3"),
        ("empire", "no card\nactivate Masséna\nsiege", "13.2"),
        ("empire", "activate Masséna", "8.1"),
    ],
)
def test_a_letter_that_cannot_stand_changes_nothing_and_names_the_rule(
    war: War, seat: str, letter: str, said: str
) -> None:
    war.send(seat, letter)
    assert war.moment == "1805.2E"
    assert war.answers() == 0
    assert said in war.words(ANNE)


def test_fleets_of_two_ports_are_told_which_can_sail_together(war: War) -> None:  # rule 15.2.3
    war.send("empire", "no card\nsail Villeneuve, Gravina, Cisneros to Atlantique Sud")
    assert "15.2.3" in war.words(ANNE)
    assert "Legal would be: sail Villeneuve, Gravina to Atlantique Sud" in war.words(ANNE)


def test_what_is_offered_instead_costs_the_least(war: War) -> None:  # rule 8.3.1
    war.send("empire", "no card\nactivate XVI CORPS France")
    assert "Legal would be: activate Napoléon" in war.words(ANNE)


def test_help_tells_what_is_asked_now_and_where_the_rest_is(war: War) -> None:
    war.send("empire", "HELP")
    short = war.text(ANNE)
    assert "activate <general or unit>" in short
    assert "build <general or unit>" not in short
    assert "HELP ALL" in short
    war.send("empire", "HELP ALL")
    assert len(war.text(ANNE).splitlines()) > 2 * len(short.splitlines())
    war.send("coalition", "AIDE siege")
    assert "siège [jusqu'à <1-6> fois]" in war.words(BOB)
    war.send("coalition", "AIDE budget")
    assert "par exemple : envoyer 4" in war.words(BOB)


def test_an_order_of_another_decision_is_told_where_it_belongs(war: War) -> None:
    war.send("empire", "build V CORPS France at Paris")
    assert "not open to you now (budget)" in war.words(ANNE)
    war.send("coalition", "jouer 1C\nprendre le controle")
    assert "Aucune décision ne vous est demandée" in war.words(BOB)
    assert "Vouliez-vous dire" not in war.words(BOB)


def test_a_standing_order_that_nobody_gave_is_not_called_his(war: War) -> None:
    war.send("empire", ATTACK)
    assert "(par défaut : « tenir les positions »)" in war.all_words(BOB).replace("\u00a0", " ")
    assert "votre consigne" not in war.all_words(BOB)


def test_a_battle_is_told_side_by_side(war: War) -> None:
    war.send("empire", ATTACK)
    lines = war.text(ANNE).splitlines()
    battle = next(n for n, line in enumerate(lines) if "Battle of Venise" in line)
    assert any(line.startswith("    Masséna: dice ") for line in lines[battle : battle + 4])
    assert any(line.startswith("    Charles: dice ") for line in lines[battle : battle + 5])


def test_own_forces_are_told_with_their_units_and_sides_with_their_minors(war: War) -> None:
    war.send("empire", "STATUS")
    assert "Masséna at Milan: 5 steps (VIII CORPS France 2, IX CORPS France 1, corps Italie 2)" in war.words(
        ANNE
    )
    assert "(with Kingdom of Italy, Switzerland, Holland, Bavaria" in war.words(ANNE)
    assert "Charles at Venise, 7 steps" in war.words(ANNE)
    assert "IV corps Autriche" not in war.words(ANNE)


def into_the_budget(war: War) -> None:
    """A year in which nobody does anything, up to the budgets of the next."""
    while war.moment != "1806.A3":
        for seat, order in (("empire", "pass"), ("coalition", "passer")):
            if war.live.open_to(seat):
                war.send(seat, order if war.moment.startswith("1805") else "nothing")


def test_a_budget_is_told_with_what_there_is_to_spend(war: War) -> None:  # rule 6.3.2
    into_the_budget(war)
    war.send("empire", "STATUS")
    said = war.words(ANNE)
    assert "Budget of France: 14 to spend. To raise (cost a step): XV CORPS France 2 at 1" in said
    assert "Prices: a depot 0.5, an army 2, a fleet 5" in said
    assert "Budget of Austria" not in said
    war.send("empire", "CHECK\ndepot for Napoléon")
    assert "Budget of France: 14, spent 0.5, lost 13.5." in war.words(ANNE)


@pytest.mark.parametrize(
    ("seat", "letter", "said"),
    [
        ("empire", "build GARDE France at Paris", "Legal would be: restore GARDE France"),
        ("empire", "build VII CORPS France at Paris", "Legal would be: build XV CORPS France at Paris"),
        (
            "empire",
            "build XV CORPS France at Paris\nbuild XVI CORPS France at Paris",
            "Legal would be: build XVI CORPS France at",
        ),
        (
            "coalition",
            "envoyer 4 d'Angleterre à la Russie\nenvoyer 4 d'Angleterre à l'Autriche",
            "Serait permis : envoyer 2 d'Angleterre à Autriche",
        ),
    ],
)
def test_a_budget_that_is_refused_is_told_the_nearest_legal_thing(
    war: War, seat: str, letter: str, said: str
) -> None:
    into_the_budget(war)
    war.send(seat, letter)
    assert said in war.words(ANNE if seat == "empire" else BOB).replace("\u00a0", " ")


def test_a_redeployment_that_is_barred_is_told_where_it_may_go(war: War) -> None:  # rule 6.6.2
    into_the_budget(war)
    while war.moment != "1806.A6":
        for seat in ("empire", "coalition"):
            if war.live.open_to(seat) and war.moment != "1806.A6":
                war.send(seat, "nothing")
    war.send("empire", "redeploy Napoléon to Berlin")
    assert "Legal would be: redeploy Napoléon to" in war.words(ANNE)
    offered = war.words(ANNE).split("Legal would be: ")[1].split(".")[0]
    war.send("empire", offered)
    assert "are sealed until" in war.words(ANNE)


@pytest.mark.parametrize(
    ("letter", "said"),
    [
        ("armée pour Koutouzov", "Koutouzov est déjà une armée"),
        ("général Mack à Vienne", "Mack n'est pas en réserve ; y sont"),
        ("général Liechtenstein à Londres", "Liechtenstein ne peut prendre un commandement là (Londres)"),
    ],
)
def test_a_commander_that_is_refused_is_told_why(
    war: War, letter: str, said: str
) -> None:  # rule 6.3.8, 6.3.10
    into_the_budget(war)
    war.send("coalition", letter)
    assert said in war.words(BOB).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("letter", "said"),
    [
        (
            "no card\nactivate Masséna\nsubordinate Davout\ngo to Venise",
            "The subordinates are Ney and Lannes. (rule 12.6.5) Legal would be: subordinate Ney",
        ),
        (
            "no card\nembark XIV corps\nsail Emériau to Golfe du Lion",
            "Legal would be: sail Emériau to Toulon; embark XIV CORPS France",
        ),
        (
            "play 1F\nsail Emériau to Gulf of Lion\nblockade Naples",
            "Legal would be: sail Emériau to Mer Tyrrhénienne; blockade Naples",
        ),
        ("no card\nhunt corsairs with Emériau", "Only the Coalition can do that. (rule 15.9)"),
        ("no card\nactivate Masséna\ntake VI CORPS France", "No friendly force stands there (Milan)"),
        (
            "no card\nactivate Masséna\ncombat cards 6F",
            "it is played when a force tries to evade: «against evasion CARD»",
        ),
    ],
)
def test_a_refusal_says_what_would_be_legal(war: War, letter: str, said: str) -> None:
    war.send("empire", letter)
    assert war.answers() == 0
    assert said in war.words(ANNE)


def test_the_odds_count_the_subordinate_who_would_serve(war: War) -> None:  # rule 12.6.5
    found = []
    for more in ("", "\nsubordinate Lannes", "\nsubordinate nobody"):
        war.send("empire", "CHECK\nno card\nactivate Masséna\ngo to Venise" + more)
        found.append(war.words(ANNE).split("Masséna wins in ")[1].split(" ")[0])
    assert found[0] == found[1] > found[2]


def test_an_event_that_lets_nobody_act_is_not_wasted(war: War) -> None:  # rule 7.3
    war.send("empire", "event 1F")
    assert war.answers() == 0
    assert "1F Génie Napoléon lets forces act, and your letter names none" in war.words(ANNE)
    war.send("empire", "event 1F\nactivate Napoléon\ngo to Metz")
    assert war.answers() > 0


@pytest.mark.parametrize(
    ("letter", "said"),
    [
        (
            "play 1F\nsail Missiessy to Golfe de Gascogne, Mer du Nord",
            "Legal would be: sail Missiessy to Golfe de Gascogne, Atlantique Nord, Mer du Nord",
        ),
        (
            "play 1F\nsail Emériau to Naples",
            "Legal would be: sail Emériau to Mer Tyrrhénienne; blockade Naples",
        ),
    ],
)
def test_a_squadron_is_told_the_way(war: War, letter: str, said: str) -> None:  # rule 15.2.1
    war.send("empire", letter)
    assert said in war.words(ANNE)


def test_a_trial_of_talks_tells_the_chance(war: War) -> None:  # rule 9.2.5
    into_the_budget(war)
    while war.moment != "1806.A4E":
        for seat in ("empire", "coalition"):
            if war.live.open_to(seat) and war.moment != "1806.A4E":
                war.send(seat, "nothing")
    war.send("empire", "CHECK\nnegotiate with Denmark using 1F")
    assert "Talks with Denmark: won over in 33 of 100" in war.words(ANNE)
    assert war.moment == "1806.A4E"


def test_with_the_option_both_sides_are_asked_for_their_set_up(tmp_path: Path) -> None:  # rule 18
    war = War(f"sqlite:///{tmp_path}/deploy.db")
    players = {"empire": Player("Anne", ANNE, "en"), "coalition": Player("Bob", BOB, "fr")}
    war.game = war.moderator.opening.open_game("nce", "1805", {"deploy": "yes"}, players, calendar=CALENDAR)
    war.deliver()
    seats = []
    while (question := next(iter(war.live.game.questions.values()))).kind() == "set_up":
        seats.append(question.seat)
        war.send(question.seat, "Cathcart instead of Moore" if question.seat == "coalition" else "nothing")
    assert sorted(seats) == ["coalition", "empire"]
    assert war.live.game.state.generals["moore"] == "pool"
    war.store.close()


def test_a_word_of_many_decisions_is_not_told_with_all_of_them(war: War) -> None:
    war.send("empire", "done")
    assert "a decision that is not open to you now, so they were not used: done" in war.words(ANNE)
