"""Cards: a case for each, no word too many about the hand, and what needs more than one phase."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.campaign.commands import help
from pbem.campaign.commands.registry import COMMANDS
from pbem.games.nce import RULES, score
from pbem.games.nce.cards import hands, reaction_cards
from pbem.games.nce.cards import interpreter as cards
from pbem.games.nce.cases import build
from pbem.games.nce.charts import CARDS
from pbem.games.nce.desk import Desk
from pbem.games.nce.orders import Play, PlayEvent
from pbem.games.nce.powers import income, peace
from pbem.games.nce.state import Peace, State
from pbem.games.nce.view import view as seen_by
from pbem.kernel.chance import Given as GivenDraws
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Checkpoint, Game, Given
from pbem.kernel.order import Order
from pbem.kernel.plan import Refused, rehearse
from pbem.kernel.table import Table
from pbem.orders.parser import parse_standing
from pbem.orders.reading import read_answer
from pbem.reports.catalogue import Catalogue
from tests.games.nce.play import Pseudo, position

CASES = Path(__file__).parents[2] / "cases" / "nce"
EMPIRE, COALITION = "empire", "coalition"


def live(state: State, rolls: dict[str, list[int]] | None = None) -> Desk:
    return Desk(state, Table(state, Recorded(beyond=GivenDraws(rolls or {}, {}, Pseudo(1)))), "test")


def play(state: State, side: str, order: PlayEvent, phase: str = "activation") -> Desk:
    desk = live(state)
    rehearse(cards.play_event(desk, side, order, phase))
    return desk


def test_every_card_has_a_case() -> None:  # rule 7.2.1
    named: set[str] = set()
    for file in CASES.glob("cards_*.toml"):
        for case in tomllib.loads(file.read_text("utf-8"))["case"]:
            named |= set(re.findall(r"\b\d+[FC]\b", case["name"].partition(":")[0]))
    assert named == set(CARDS)


def test_every_operation_and_condition_of_the_table_is_known() -> None:  # rule 7.3
    played_elsewhere = {
        "attrition_cancel", "cancel_cavalry_superiority", "combat", "counter_campaign", "countermarch_auto",
        "desert", "diplomacy_mod", "dismiss", "evasion_mod", "general_test", "interception_mod", "morale_mod",
        "naval_reroll", "no_evasion", "peace_without_conquest", "pursuit_mod", "refuse_surrender", "siege_mod",
    }  # fmt: skip
    for card in CARDS.values():
        for effect in card.effect:
            assert effect["op"] in cards.OPS or effect["op"] in played_elsewhere, (card.id, effect)


FRENCH = "empire ulm napoleon grande_armee: fr_garde, fr_i_corps, fr_ii_corps, fr_res_cav; subs murat, soult"
CHARLES = (
    "charles armee_allemagne: au_i_corps, au_ii_corps, au_iii_corps, au_iv_corps, au_res_cav; subs ferdinand"
)
CLEAR = ["salzbourg", "lille", "venise", "innsbruck"]
MARCH = "no card\nactivate Napoléon\ngo to Munich"
ATTACK = "play 22C\nactivate Charles\ngo to Munich"
LATER = {"period": "chatiments"}
FIELD = {"clear": CLEAR, "active": EMPIRE, "forces": [FRENCH, f"coalition munich {CHARLES}"]}
PASSING = {"clear": CLEAR, "active": EMPIRE, "forces": [FRENCH, f"coalition salzbourg {CHARLES}"]}
DEFENDED = {
    "clear": CLEAR,
    "active": COALITION,
    "forces": ["empire munich ney: fr_viii_corps, fr_ix_corps, fr_x_corps", f"coalition salzbourg {CHARLES}"],
}
CAMPAIGN = {**FIELD, "forces": [*FIELD["forces"], "empire nuremberg marmont: fr_v_corps, fr_vi_corps"]}
SURRENDER = {
    "active": EMPIRE,
    "phase": "end",
    "round": 7,
    "clear": ["salzbourg", "innsbruck", "lille", "budapest", "venise"],
    "control": {"vienne": EMPIRE, "salzbourg": EMPIRE},
    "forces": ["empire vienne napoleon grande_armee: fr_garde, fr_i_corps"],
}
TREATY = {
    "active": EMPIRE,
    "phase": "end",
    "round": 7,
    "clear": ["lublin", "brest_litovsk"],
    "forces": ["coalition lublin koutouzov: ru_v_corps, ru_vi_corps"],
}
HUNGRY = {
    "active": COALITION,
    "round": 6,
    "clear": CLEAR,
    "forces": ["empire munich ney demoralised: fr_viii_corps"],
}
AT_SEA = {"active": COALITION, "fleets": {"nelson": "sea:golfe_de_cadix", "villeneuve": "sea:golfe_de_cadix"}}
BESIEGED = {
    "active": COALITION,
    "round": 6,
    "siege": {"rome": 1},
    "clear": ["florence"],
    "forces": ["empire rome saint_cyr: fr_xi_corps"],
}
TALK = {"active": COALITION, **LATER}
EVADES = {COALITION: ["Charles evades to Salzbourg"]}
INTERCEPTS = {COALITION: ["Charles intercepts up to 20 steps with value 3"]}
SAIL = "play 22C\nsail Nelson to Golfe de Cadix\nattack fleets"
CAMPAIGN_LETTER = "event 19F\nactivate Napoléon\ngo to Munich\nactivate Marmont\ngo to Munich"
DOUBLE = "event 14C\nactivate Charles\ngo to Munich\nactivate Mack\ngo to Munich"
TWO = {**DEFENDED, "forces": [
    "empire munich napoleon: fr_i_corps, fr_ii_corps, fr_iii_corps",
    f"coalition salzbourg {CHARLES}",
    "coalition innsbruck mack: au_v_corps, au_vi_corps",
]}  # fmt: skip

WINDOWS: list[tuple[str, str, dict[str, Any], list[str], str, dict[str, list[str]]]] = [
    ("3F", "8F", FIELD, [], MARCH, EVADES),
    ("6F", "8F", FIELD, [], MARCH, EVADES),
    ("47F", "28F", {**PASSING, **LATER}, ["22C"], MARCH, INTERCEPTS),
    ("25C", "4C", PASSING, [], MARCH, {}),
    ("30C", "4C", {**FIELD, **LATER}, [], MARCH, {}),
    ("15C", "4C", CAMPAIGN, ["19F"], CAMPAIGN_LETTER, {}),
    ("1F", "8F", TWO, ["14C"], DOUBLE, {}),
    ("13F", "16F", DEFENDED, ["22C"], ATTACK, {}),
    ("43C", "45C", {**FIELD, **LATER}, [], MARCH, {}),
    ("4C", "20C", FIELD, [], MARCH, {}),
    ("29C", "45C", {**FIELD, **LATER}, [], MARCH, {}),
    ("2F", "16F", DEFENDED, ["22C"], ATTACK, {}),
    ("31F", "41F", {**DEFENDED, **LATER}, ["22C"], ATTACK, {}),
    ("12C", "20C", FIELD, [], MARCH, {}),
    ("21F", "16F", DEFENDED, ["22C"], ATTACK, {}),
    ("21F", "16F", BESIEGED, [], "pass", {}),
    ("32F", "41F", {**HUNGRY, **LATER}, [], "pass", {}),
    ("27C", "20C", SURRENDER, [], "", {}),
    ("26F", "16F", TREATY, ["4C"], "", {}),
    ("55F", "41F", TALK, ["22C"], "negotiate with Berg using 22C", {}),
    ("10C", "20C", AT_SEA, ["22C"], SAIL, {EMPIRE: ["always fleets nothing"]}),
]
"""A card, another that does nothing there, the position, what the others hold, the letter, standing orders."""


def watched(
    held: str,
    card: str,
    given: dict[str, Any],
    others: list[str],
    letter: str,
    standing: dict[str, list[str]],
    *,
    usual: bool,
) -> tuple[list[tuple[str, str]], list[str], list[bytes]]:
    """What the other side sees of a reaction that its owner lets pass, or has not answered yet: who was asked what,
    what still waits, and what was told.
    """
    owner = CARDS[card].side
    other = COALITION if owner == EMPIRE else EMPIRE
    mine = [held] + [c for c in others if CARDS[c].side == owner]
    deal = {owner: mine, other: [c for c in others if CARDS[c].side == other]}
    pile = {owner: [c for c in (card,) if c != held]}
    state = build("1805", {}, {"set_up": True, **given, "hands": deal, "pile": pile})
    game = Game(RULES, Checkpoint(0, 0, msgspec.json.encode(state)), Recorded(beyond=Pseudo(4)))
    asked: list[tuple[str, str]] = []
    orders = {
        seat: [
            parse_standing(line, RULES.standing, RULES.vocabulary, RULES.questions)
            for line in standing.get(seat, [])
        ]
        for seat in (EMPIRE, COALITION)
    }
    if letter:
        (question,) = game.questions.values()
        view = game.view(question.seat)
        reading = read_answer(letter.splitlines(), question, view, RULES.vocabulary, others=RULES.orders)
        assert not reading.problems, reading
        assert not question.check(view, reading.orders)
        game.give(Given(question.key, question.seat, reading.orders, LETTER))
    done = {question.key for question in game.questions.values() if question.kind() == "act"}

    def note(given: Given) -> None:
        asked.append((given.key, given.seat))

    behind = RULES.defaults if usual else ()
    game.settle(lambda seat: [] if done & set(game.questions) else [*orders[seat], *behind], note=note)
    told = [t.event for t in game.take_told() if t.to is None or other in t.to]
    return asked, sorted(game.questions), [msgspec.json.encode(event) for event in told]


@pytest.mark.parametrize(
    ("card", "dummy", "given", "others", "letter", "standing"),
    WINDOWS,
    ids=[f"{row[0]}-{n}" for n, row in enumerate(WINDOWS)],
)
def test_silence_looks_the_same_with_and_without_the_card(
    card: str,
    dummy: str,
    given: dict[str, Any],
    others: list[str],
    letter: str,
    standing: dict[str, list[str]],
) -> None:  # rule 1.8
    for usual in (True, False):
        with_it = watched(card, card, given, others, letter, standing, usual=usual)
        without = watched(dummy, card, given, others, letter, standing, usual=usual)
        assert with_it == without
        assert with_it[0] or with_it[1], "a question was put"


def test_nobody_is_asked_for_a_card_that_all_know_to_be_elsewhere() -> None:  # rule 1.8
    state = position(set_up=True, hands={EMPIRE: ["8F"], COALITION: []})
    assert reaction_cards.might_hold(state, EMPIRE, ("3F",))
    assert not reaction_cards.might_hold(state, EMPIRE, ("55F",)), "still set aside"
    state.piles[EMPIRE].cards.remove("3F")
    state.played[EMPIRE].append("3F")
    assert not reaction_cards.might_hold(state, EMPIRE, ("3F",))
    hidden = seen_by(state, COALITION)
    assert reaction_cards.might_hold(hidden, EMPIRE, ("4F",)) == reaction_cards.might_hold(
        state, EMPIRE, ("4F",)
    )


def test_an_event_that_cannot_be_carried_out_is_not_begun() -> None:  # rule 7.3.1
    state = position(
        set_up=True,
        hands={EMPIRE: ["40F"], COALITION: []},
        status={"autriche": "forced_alliance"},
        clear=["lille", "milan", "florence", "amsterdam"],
        forces=["neutral salzbourg: au_i_corps"],
    )
    before = msgspec.json.encode(state)
    desk = live(state)
    with pytest.raises(Refused):
        rehearse(cards.play_event(desk, EMPIRE, PlayEvent("40F", units=("au_i_corps",)), "activation"))
    assert msgspec.json.encode(state) == before
    assert desk.table is not None
    assert not desk.table.told


def test_44f_takes_more_where_the_blockade_is_in_place_then(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position(set_up=True, hands={EMPIRE: ["44F"], COALITION: []}, events=["25F"])
    plain = income.income(state, "angleterre")
    play(state, EMPIRE, PlayEvent("44F"))
    assert income.income(state, "angleterre") == plain - 3
    monkeypatch.setattr(score, "blockade_in_place", lambda state: True)
    assert income.income(state, "angleterre") == plain - 5


def test_37f_spares_the_next_two_tests_of_the_peace() -> None:  # rule 16.6.5
    state = position(
        set_up=True,
        year=1807,
        hands={EMPIRE: ["37F"], COALITION: []},
        status={"autriche": "forced_peace"},
        beaten={EMPIRE: {"autriche": 1}},
    )
    state.peace["autriche"] = Peace(year=1805, by=EMPIRE)
    play(state, EMPIRE, PlayEvent("37F"), "diplomacy")
    for year in (1807, 1808):
        state.year = year
        desk = live(state, {"test/peace/autriche": [6]})
        peace.tests(desk)
        assert state.status["autriche"] == "forced_peace"
    state.year = 1809
    peace.tests(live(state, {"test/peace/autriche": [6]}))
    assert state.status["autriche"] != "forced_peace"


def test_35f_and_52c_change_the_hand_of_the_coalition() -> None:  # rule 6.2.3, 6.2.7, 15.9
    state = position(set_up=True, hands={EMPIRE: ["35F"], COALITION: ["52C"]}, bonus_cards={COALITION: 6})
    assert hands.entitlement(state, COALITION) == 10
    full = len(hands.sources(state, COALITION)) + 6
    assert full > 10
    play(state, COALITION, PlayEvent("52C"))
    assert hands.entitlement(state, COALITION) == full
    play(state, EMPIRE, PlayEvent("35F"))
    assert hands.entitlement(state, COALITION) == full - 1
    state.fleets["keith"] = "corsaires"
    assert hands.entitlement(state, COALITION) == full


def test_23c_lasts_to_the_next_action_of_the_empire() -> None:
    state = position(set_up=True, round=6, last_round=6, hands={EMPIRE: [], COALITION: ["23C"]})
    play(state, COALITION, PlayEvent("23C"))
    state.year, state.round = 1806, 1
    assert state.flag("mud"), "played in the last round it meets the first action of the next year"
    state.round = 2
    assert not state.flag("mud")


def test_a_card_comes_back_once_its_general_is_gone_for_good() -> None:
    """51C: by a card or by the scenario; not who has retired or was replaced."""
    state = position(set_up=True, year=1809, phase="budget", hands={EMPIRE: [], COALITION: ["51C"]})
    state.generals["moore"], state.generals["brunswick"] = "out", "out"
    with pytest.raises(Refused):
        play(state, COALITION, PlayEvent("51C", option="a", force="brunswick"), "budget")
    play(state, COALITION, PlayEvent("51C", option="a", force="moore"), "budget")
    assert state.generals["moore"] == "pool"


@pytest.mark.parametrize(
    ("lang", "topic"), [("en", "card 24F"), ("fr", "carte 24F"), ("en", "piege de bayonne")]
)
def test_help_shows_a_card(lang: str, topic: str) -> None:
    words = Catalogue(lang, RULES)
    text = " ".join(line.text.removeprefix("| ") for line in help.page(COMMANDS, words, RULES, topic).lines)
    assert text.startswith("24F Piège de Bayonne, 2 points")
    assert words.phrase("cards", "24F") in text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_help_of_every_card_says_when_it_is_played(lang: str) -> None:
    words = Catalogue(lang, RULES)
    for card in CARDS.values():
        text = " ".join(
            line.text.removeprefix("| ") for line in help.page(COMMANDS, words, RULES, card.id).lines
        )
        assert words.phrase("cards", card.id) in text
        for window in card.windows:
            if window != "action":
                assert words.vocabulary.say("window", window, lang).split(":")[0].strip() in text, (
                    card.id,
                    window,
                )


@pytest.mark.parametrize(
    ("order", "near"),
    [
        (PlayEvent("5F", country="suede"), PlayEvent("5F", country="prusse")),
        (PlayEvent("8C", zones=("paris",)), PlayEvent("8C", zones=("poitiers",))),
        (PlayEvent("53C", force="massena"), PlayEvent("53C", force="napoleon")),
        (PlayEvent("53F", units=("fr_ix_corps",)), PlayEvent("53F", units=("fr_garde",))),
        (PlayEvent("3F"), Play("3F")),
        (PlayEvent("16F"), Play("16F")),
    ],
    ids=lambda order: getattr(order, "card", ""),
)
def test_a_refused_event_comes_with_the_nearest_that_can_be_played(order: PlayEvent, near: Order) -> None:
    side = CARDS[order.card].side
    state = position(set_up=True, active=side, hands={side: [order.card]})
    phase = "diplomacy" if order.card == "5F" else "activation"
    state.phase = "diplomacy" if phase == "diplomacy" else "rounds"
    with pytest.raises(Refused) as refused:
        play(state, side, order, phase)
    assert refused.value.problem.nearest == (near,)
    assert refused.value.problem.rule
    if isinstance(near, PlayEvent):
        rehearse(cards.play_event(Desk(state, None, "test"), side, near, phase))


def test_a_choice_that_nothing_asks_for_is_refused_not_passed_over() -> None:  # rule 7.3
    state = position("1805", set_up=True, phase="budget", hands={"coalition": ["20C"], "empire": []})
    order = PlayEvent("20C", country="baviere", zones=("paris",))
    with pytest.raises(Refused) as refused:
        rehearse(cards.play_event(Desk(state, None, "test"), "coalition", order, "budget"))
    problem = refused.value.problem
    assert (problem.code, problem.rule) == ("needless_choice", "7.3")
    assert problem.params["choices"] == ("country", "zones")
    assert problem.nearest == (PlayEvent("20C"),)
    assert "20C" in state.hands["coalition"]
    assert cards.trimmed(state, "coalition", order, "budget") == PlayEvent("20C")
