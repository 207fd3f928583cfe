"""A game of 1805 as its players meet it: letters in, letters out."""

from __future__ import annotations

import asyncio
import email
import email.policy
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from pbem.campaign.intake.moderator import Moderator, Player, Settings
from pbem.campaign.outgoing.rendering import Secretary
from pbem.games.nce import RULES
from pbem.games.nce.charts import SEAS
from pbem.games.nce.digest import joined
from pbem.games.nce.events_field import BattleFought, FleetsMoved, Moved, StepsLost
from pbem.games.nce.events_views import Sailed, StandsForce, StandsKeys
from pbem.games.nce.land import lines
from pbem.games.nce.land.supply import Network
from pbem.games.nce.state import State
from pbem.kernel.event import Modifier
from pbem.letters.composing import reply_address
from pbem.letters.message import Message
from pbem.reports.catalogue import catalogue
from pbem.reports.report import Line, Report, Section, html, text
from pbem.store.store import Store
from tests.games.nce.play import position, the

ADDRESS = "moderator@pbem.test"


class Post:
    """A moderator with a game of nce; the Empire writes French, the Coalition English."""

    def __init__(self, url: str, options: Mapping[str, str]) -> None:
        self.now = datetime(2026, 1, 1, 12, tzinfo=UTC)
        numbers = iter(range(1, 1000))
        self.moderator = Moderator(
            Store.open(url),
            Settings(ADDRESS),
            lambda: self.now,
            entropy=lambda: next(numbers).to_bytes(32, "big"),
        )
        self.store.migrate()
        players = {
            "empire": Player("Juliette", "empire@pbem.test", "fr"),
            "coalition": Player("William", "coalition@pbem.test", "en"),
        }
        self.game = self.moderator.opening.open_game("nce", "1805", dict(options), players)
        self.written = 0
        self.received: dict[str, str] = {}
        self._deliver()

    @property
    def store(self) -> Store:
        return self.moderator.store

    def send(self, seat: str, text: str) -> dict[str, str]:
        """A letter of a seat; what came of it, by seat, each on one line."""
        self.written += 1
        self.now += timedelta(minutes=1)
        with self.store.journal(self.game, self.now) as journal:
            token = self.moderator.tables.table(self.game, journal).token(seat).text()
        message = EmailMessage()
        message["From"] = f"{seat}@pbem.test"
        message["To"] = reply_address(ADDRESS, token)
        message["Subject"] = "Re: orders"
        message["Message-ID"] = f"<{self.written}@players.test>"
        message.set_content(text)
        assert self.moderator.handle(Message(bytes(message))).status == "done"
        self._deliver()
        return self.received

    def _deliver(self) -> None:
        secretary = Secretary(self.moderator.campaign, None)
        self.received = {}
        for row in self.store.outbox.due(self.now, 100):
            raw = asyncio.run(secretary.write(row))
            opened = email.message_from_bytes(raw, policy=email.policy.default)
            part = opened.get_body(("plain",))
            assert part is not None
            assert row.seat is not None
            assert row.id is not None
            self.received[row.seat] = " ".join(part.get_content().split())
            self.store.outbox.mark_sent(row.id, self.now)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    made = Post(f"sqlite:///{tmp_path}/nce.db", {})
    yield made
    made.store.close()


def test_whoever_is_asked_next_gets_a_letter_though_there_is_nothing_to_tell(post: Post) -> None:
    for _ in range(2, 7):
        post.send("empire", "sans carte")
        post.send("coalition", "no card")
    answered = post.send("coalition", "nothing")
    assert "declarations" in answered["coalition"]
    assert "à qui déclarez-vous la guerre" in answered["empire"]
    # Sealed discards: both are asked at once, and the first answer is nobody else's business.
    asked = post.send("empire", "rien")
    assert "which cards do you discard" in asked["coalition"]
    assert "quelles cartes défaussez-vous" in asked["empire"]
    assert "coalition" not in post.send("empire", "rien")


def test_what_stands_is_told_under_headings(post: Post) -> None:
    stands = post.send("empire", "ÉTAT")["empire"]
    heads = [
        "Votre main",
        "Vos forces (pas, points pour activer, ravitaillement)",
        "L'ennemi",
        "Flottes et sièges",
    ]
    assert [stands.count(head) for head in heads] == [1, 1, 1, 1]
    assert sorted(heads, key=stands.index) == heads


def besieging_vienna() -> State:
    return position(
        control={"vienne": "empire", "salzbourg": "empire"},
        forces=[
            "empire vienne napoleon grande_armee: fr_garde, fr_i_corps",
            "empire strasbourg ney: fr_ii_corps",
            "coalition prague charles: au_i_corps",
        ],
    )


def test_supply_is_traced_zone_by_zone_to_its_source() -> None:  # rule 11.3
    state = besieging_vienna()
    known: dict[str, Network] = {}
    path = lines.line(state, the(state, "napoleon"), known)
    network = known["empire/france"]
    assert path[-1] == "vienne"
    assert network.is_source(path[0])
    assert not any(network.shut(zone) for zone in path)
    assert lines.line(state, the(state, "ney"), known) == ("strasbourg",)
    (fed,) = [
        e for e in RULES.status(state, "empire") if isinstance(e, StandsForce) and e.force == "napoleon"
    ]
    assert (fed.supplied, fed.source) == (True, path[0])


def test_a_line_over_the_sea_comes_from_the_nearest_source_sea_by_sea() -> None:  # rule 11.3.3
    state = position(
        set_up=True,
        clear=["la_corogne"],
        control={"la_corogne": "coalition"},
        forces=["coalition la_corogne moore: uk_ii_corps"],
    )
    source, *seas, goal = lines.line(state, the(state, "moore"), {})
    assert goal == "la_corogne"
    assert source == "lisbonne"
    assert seas == ["atlantique_sud", "golfe_de_gascogne"]
    state.control["lisbonne"] = "empire"
    farther = lines.line(state, the(state, "moore"), {})
    assert farther[0] != "lisbonne"
    assert all(there in SEAS[here].neighbours for here, there in pairwise(farther[1:-1]))


def test_who_is_cut_off_sees_where_he_would_be_fed_from() -> None:  # rule 11.1
    state = besieging_vienna()
    for zone in ("salzbourg", "munich", "ulm"):
        state.control[zone] = "coalition"
    force = the(state, "napoleon")
    assert lines.line(state, force, {}) == ()
    path = lines.severed(state, force)
    assert path[-1] == "vienne"
    assert len(path) > 1


def test_a_power_about_to_surrender_is_told_to_both_with_what_the_victor_may_do() -> None:  # rule 16.4
    state = besieging_vienna()
    (keys,) = [event for event in RULES.status(state, "empire") if isinstance(event, StandsKeys)]
    assert (keys.power, keys.by, keys.held, keys.falls) == ("autriche", "empire", ("vienne",), True)
    said = {seat: catalogue("en", RULES).event(keys, seat) for seat in ("empire", "coalition")}
    assert all("Austria would surrender" in text for text in said.values())
    assert "STANDING" in said["empire"]
    assert "STANDING" not in said["coalition"]
    # An army at home, undemoralised, and it fights on (16.4.2).
    the(state, "charles").army = "armee_allemagne"
    (still,) = [event for event in RULES.status(state, "empire") if isinstance(event, StandsKeys)]
    assert not still.falls


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("Ney", ("initiative 2, attack 0, defence 1, command 6",)),
        (
            "vienna",
            ("Vienne (Austria", "), fortress, key zone", "Brünn 2 (river)", "Leopoldstadt 1 (bridge)"),
        ),
        ("VII corps", ("VII CORPS France: 2 steps, morale 5", "VII corps Autriche")),
        ("Naples", ("Kingdom of Naples: capital Naples", "port of Mer Tyrrhénienne")),
        ("North Sea", ("Mer du Nord: next to",)),
        ("Nelson", ("10C Nelson, 3 points", "Nelson (England): initiative")),
        ("siege", ("siege [up to",)),
    ],
)
def test_help_shows_what_is_printed_on_counters_and_places(
    post: Post, topic: str, said: tuple[str, ...]
) -> None:
    helped = post.send("coalition", f"HELP {topic}")["coalition"].replace(" | ", " ")
    for phrase in said:
        assert phrase in helped


def test_names_as_people_write_them(post: Post) -> None:
    tried = post.send(
        "empire",
        "ESSAI\njouer 1F\nactiver Napoléon\nmarcher sur Mayence\nen tête Garde\n"
        "appareiller Emériau vers Golfe du Lion",
    )["empire"]
    for line in ("? aller à Mayence", "? en tête GARDE France", "? naviguer Emériau vers Golfe du Lion"):
        assert line in tried
    assert "seraient acceptés" in tried


REFUSED = [
    ("activer Masséna\nsiège", "forteresse ennemie active (Milan). (règle 13.2.1) Serait permis : aller à "),
    ("activer VI corps\naller à Magdebourg", "Magdebourg : ce sol (Prusse) n'est ni allié ni en guerre"),
    ("activer Napoléon\naller à Mayence\nassaut Brest", "Nommez d'abord l'escadre"),
    ("naviguer Emériau vers Golfe du Lion\nsiège", "Activez d'abord une force"),
    ("activer Napoléon\naller à Munich", "en 4 points : le moins cher, par Anvers, Liège"),
    ("activer Masséna\naller à Vienne", "barré à Innsbruck"),
    (
        "activer Napoléon\nactiver Masséna\nactiver Marmont",
        "demande 2 points d'activation ; il en reste 1. (règle 8.3.1) Serait permis : activer VI CORPS France",
    ),
    (
        "activer Napoléon\nactiver Masséna\nnaviguer Villeneuve, Gravina vers Golfe de Cadix",
        "il en reste 1. (règle 15.1) Serait permis : naviguer Villeneuve vers Golfe de Cadix",
    ),
]


@pytest.mark.parametrize(("letter", "why"), REFUSED)
def test_a_refusal_says_why_and_what_would_be_legal(post: Post, letter: str, why: str) -> None:
    tried = post.send("empire", f"ESSAI\njouer 1F\n{letter}")["empire"]
    assert "ne seraient pas acceptés" in tried
    assert why in tried


def test_what_a_letter_says_is_not_told_as_answered_for_its_player(post: Post) -> None:
    letter = "jouer 1F\nactiver Masséna\naller à Venise\nsubordonné Ney"
    told = post.send("empire", letter)["empire"]
    assert "Bataille de Venise" in told
    assert "subordonné Lannes" not in told


def test_the_steps_of_a_march_and_of_a_voyage_are_one_line(post: Post) -> None:
    letter = "jouer 1F\nactiver Napoléon\naller à Wurtzburg\nnaviguer Emériau vers Golfe du Lion"
    told = post.send("empire", letter)
    assert (
        "Napoléon marche de Lille à Wurtzburg par Anvers, Liège et Mayence (4 points ; reste 0)."
        in told["empire"]
    )
    assert "by Anvers, Liège and Mayence to Wurtzburg (4 points; 0 left)." in told["coalition"]
    assert "15 steps, 4 movement points, in supply." in told["coalition"]
    assert "Napoléon at Lille is in supply" not in told["coalition"]
    assert "Emériau fait voile vers le Golfe du Lion." in told["empire"]
    # Each step can still be asked about by its own number.
    assert "d'Anvers à Liège" in post.send("empire", "POURQUOI 13")["empire"]


def test_a_voyage_over_several_seas_is_one_line_and_dice_are_never_joined() -> None:
    start = FleetsMoved(fleets=("nelson",), to="golfe_de_cadix")
    onward = FleetsMoved(fleets=("nelson",), to="mediterranee_occidentale")
    both = RULES.join and RULES.join(start, onward)
    assert isinstance(both, Sailed)
    further = joined(both, FleetsMoved(fleets=("nelson",), to="golfe_du_lion"))
    assert isinstance(further, Sailed)
    said = "Nelson fait voile par le Golfe de Cadix et la Méditerranée occidentale vers le Golfe du Lion."
    assert catalogue("fr", RULES).event(further) == said
    assert joined(start, FleetsMoved(fleets=("keith",), to="manche")) is None
    march = Moved(force="ney", start="metz", to="strasbourg", cost=1, left=2)
    assert joined(march, Moved(force="ney", start="ulm", to="munich", cost=1, left=1)) is None
    assert joined(march, msgspec.structs.replace(march, start="strasbourg", to="bade", draws=("a",))) is None


@pytest.mark.parametrize(("lang", "head"), [("en", "steps inflicted"), ("fr", "pas infligés")])
def test_a_battle_is_a_table_of_modifiers(lang: str, head: str) -> None:  # rule 12.6, 12.7
    battle = BattleFought(
        zone="salzbourg",
        attacker="napoleon",
        defender="mack",
        attacking=16,
        defending=7,
        odds="2/1",
        size="minor",
        attacker_dice=5,
        defender_dice=9,
        attacker_total=9,
        defender_total=11,
        inflicted=3,
        suffered=2,
        winner="empire",
        attacker_modifiers=(Modifier("odds", 1), Modifier("commander", 3)),
        defender_modifiers=(Modifier("commander", 2),),
    )
    rows = catalogue(lang, RULES).table(battle)
    assert rows[0] == ("", "Napoléon", "Mack")
    assert [row[1:] for row in rows[1:]] == [
        ("16", "7"),
        ("5", "9"),
        ("+1", ""),
        ("+3", "+2"),
        ("9", "11"),
        ("3", "2"),
    ]
    assert rows[-1][0] == head
    line = Line.of(catalogue(lang, RULES).event(battle), 1, True, rows)
    report = Report(lang=lang, title="t", sections=(Section("s", (line,)),))
    assert html(report).count("<tr>") == len(rows)
    assert "<tr>" not in text(report)
    assert "+3" in text(report)


def test_a_trial_foresees_what_stands_before_the_first_wrong_line(post: Post) -> None:
    letter = "ESSAI\njouer 1F\nactiver Masséna\naller à Venise\nactiver Napoléon\naller à Vienne\nbavarder"
    tried = post.send("empire", letter)["empire"]
    assert "ne seraient pas acceptés" in tried
    assert "Masséna passe par Mantoue et Venise (3 points)" in tried
    assert "Napoléon passe" not in tried


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "Corps Wurtemberg at Ulm loses 2 depots and 1 step of I CORPS France; eliminated: I CORPS France.",
        ),
        ("fr", "Corps Wurtemberg à Ulm perd 2 dépôts et 1 pas du I CORPS France ; éliminé : I CORPS France."),
    ],
)
def test_lost_depots_are_no_steps_and_a_sentence_begins_with_a_capital(lang: str, said: str) -> None:
    pieces = ("depot", "depot", "fr_i_corps")
    event = StepsLost(force="wurtemberg", zone="ulm", pieces=pieces, gone=("fr_i_corps",))
    assert catalogue(lang, RULES).event(event).replace("\u00a0", " ") == said


def test_a_corps_of_the_empire_is_the_french_one_unless_its_country_is_named(post: Post) -> None:
    tried = post.send("empire", "ESSAI\njouer 1F\nactiver Davout avec III corps, IV corps\naller à Soissons")[
        "empire"
    ]
    assert "? activer Davout avec III CORPS France, IV CORPS France" in tried
    spanish = post.send("empire", "ESSAI\njouer 1F\nactiver III corps Espagne")["empire"]
    assert "activer III corps Espagne" in spanish
    assert "III CORPS France" not in spanish.split("VOS ORDRES")[0]
