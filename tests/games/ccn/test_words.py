"""Everything that can be said is said in both languages."""

import random
import re
from pathlib import Path

import pytest

from pbem.campaign.rulebook import rulebook
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
