"""Everything that can be said is said in both languages."""

import random
import re
from pathlib import Path

import pytest

from pbem.campaign.commands.rules import rulebook
from pbem.games import ccn
from pbem.games.ccn import RULES, charts
from pbem.games.ccn.odds import consult
from pbem.games.ccn.orders import Fire, Melee
from pbem.reports.catalogue import Catalogue
from tests.games.ccn.play import answer_one, new, play_out

LANGUAGES = ("en", "fr")
CODES = re.compile(r"Problem\(\s*\"([a-z_]+)\"")
MODIFIERS = re.compile(r"Modifier\(\"([a-z_]+)\"")


def sources() -> str:
    folder = Path(ccn.__file__).parent
    return "\n".join(file.read_text("utf-8") for file in sorted(folder.glob("*.py")))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_question_problem_modifier_and_card_has_words(lang: str) -> None:
    catalogue = Catalogue(lang, RULES)
    missing = [
        f"events.{event.kind()}" for event in RULES.events if not catalogue.has("events", event.kind())
    ]
    for question in RULES.questions:
        for section in ("questions", "questions_short"):
            if not catalogue.has(section, question.kind()):
                missing.append(f"{section}.{question.kind()}")
    codes = {*CODES.findall(sources()), "two_cards", "no_card", "occupied", "enemy_leader"}
    codes |= {"no_square", "no_retire", "card_forbids_melee"}
    missing += [f"problems.{code}" for code in sorted(codes) if not catalogue.has("problems", code)]
    names = {*MODIFIERS.findall(sources())}
    names |= {
        f"{way}_{ground}" for way in ("into", "out_of") for ground in ("forest", "hill", "town", "ford")
    }
    missing += [f"modifiers.{name}" for name in sorted(names) if not catalogue.has("modifiers", name)]
    missing += [f"cards.{card}" for card in charts.cards() if not catalogue.has("cards", card)]
    assert not missing


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_whole_game_can_be_told_and_asked(lang: str) -> None:
    catalogue = Catalogue(lang, RULES)
    game = new(4, "vimeiro_1808")
    play_out(game, {"allied": "random", "french": "random"}, 4, watch=False)
    told = game.take_told()
    kinds = set()
    for item in told:
        for me in ("allied", "french"):
            if item.known_to(me):
                text = catalogue.event(item.event, me)
                assert text
                assert "_" not in text, text
        kinds.add(item.event.kind())
        for modifier in item.event.modifiers:
            assert catalogue.has("modifiers", modifier.name), modifier.name
    assert {"moved", "fired", "melee_fought", "lost", "destroyed", "retreated", "battle_won"} <= kinds
    for seat in ("allied", "french", None):
        assert all(catalogue.event(event) for event in RULES.status(game.view(seat), seat))


def test_the_status_is_enough_to_write_a_turn_without_the_map() -> None:
    # rule 1.3, 10, 10.3.4
    given = {
        "units": ["french fr_line C6 3", "french fr_foot_artillery D4", "allied br_line E6 square"],
        "leaders": ["french ney C6", "allied hill F11"],
        "terrain": {"hill": ["C6"]},
        "works": {"C6": ["D6"]},
        "hands": {"french": ["bombard", "bombard", "cavalry_charge", "counter_attack", "probe_right"]},
        "last": {"allied": "probe_left"},
        "objectives": [{"hexes": ["E6"], "side": "french"}],
    }
    state = ccn.build("rolica_1808", {}, given)
    english, french = Catalogue("en", RULES), Catalogue("fr", RULES)
    text = [english.event(event, "french") for event in RULES.status(RULES.view(state, "french"), "french")]
    assert "Yours, left/center: D4 French Foot Art 3." in text
    assert "Yours, center: C6 French Line 3 with Ney." in text
    assert "Enemy, your center: E6 British Line 4 in square." in text
    assert "Enemy, your right: F11 Hill." in text
    assert "Ground: hill C6. Fieldworks: C6 toward D6." in text
    assert "You gain 1 banner for E6, as long as held." in text
    hand = [line for line in text if "rders" in line]
    assert hand[0].startswith("Bombard (×2): Orders up to four batteries")
    assert hand[0].endswith("Now: D4.")
    assert hand[1].endswith("You have none: it orders one unit of your choice.")
    assert any(line.endswith("Now: Probe Right Flank. Now: nobody.") for line in text)
    assert hand[-1] == "Probe Right Flank: Orders two units or leaders on your right. Now: nobody."
    seen = [french.event(event, "allied") for event in RULES.status(RULES.view(state, "allied"), "allied")]
    assert "Ennemi, votre centre/droite : D4 Art. à pied française 3." in [
        line.replace("\u00a0", " ") for line in seen
    ]
    assert not any("Bombardement" in line for line in seen)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_odds_read_as_a_sentence(lang: str) -> None:
    catalogue = Catalogue(lang, RULES)
    given = {"units": ["french fr_line D6", "french fr_light C8", "allied br_line E6", "allied br_line E8"]}
    state = ccn.build("rolica_1808", {}, given)
    for order in (Melee("D6", ("E6",)), Fire("C8", ("E8",)), Fire("D6", ("E8",)), Fire("A1", ("E8",))):
        assert catalogue.event(consult(state, "french", order))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_open_question_of_a_game_reads_as_a_sentence(lang: str) -> None:
    catalogue = Catalogue(lang, RULES)
    seen = set()
    for seed in (1, 2, 6):
        game = new(seed, "salamanca_1812")
        while not game.over:
            question = next(iter(game.questions.values()))
            view = game.view(question.seat)
            assert catalogue.question(question, view)
            facts = question.facts(view)
            assert catalogue.phrase(
                "questions_short",
                question.kind(),
                facts=facts,
                **{name: getattr(question, name) for name in question.__struct_fields__},
            )
            seen.add(question.kind())
            if len(seen) == 8:
                return
            answer_one(game, "random", random.Random(f"{seed}/{question.key}"))
    assert {"turn", "reaction", "flags", "riposte", "advance"} <= seen


def test_the_rules_have_the_same_numbers_in_both_languages() -> None:
    english, french = rulebook("ccn", "en").rules, rulebook("ccn", "fr").rules
    assert list(english) == list(french)
    assert all(english.values())
    assert all(french.values())
