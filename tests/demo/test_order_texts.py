"""Robots' letters: written as people do, read as they were meant."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import msgspec
import pytest

from pbem import games
from pbem.demo import order_texts as pens
from pbem.demo.mailbox import Incoming, Reply, opened
from pbem.demo.order_texts import Asked, Pen, attribution, bare, fill_form, rank_like
from pbem.dice.draw.seeded import Seeded
from pbem.kernel.game import LETTER, Game, Given
from pbem.letters.forms import write_form
from pbem.letters.reading import read
from pbem.orders.forms import form_lines
from pbem.orders.reading import read_answer
from tests.kernel import toy

AT = datetime(2026, 3, 5, 10, 12, tzinfo=UTC)
RECEIVED = Incoming(
    raw=b"",
    message_id="<leipzig-1.french.0.abc@demo.localhost>",
    in_reply_to="",
    references="",
    sender="pbem <moderator@demo.localhost>",
    recipient="Juliette <french@demo.localhost>",
    reply_to="moderator+leipzig-1.french.abcdefghijkl@demo.localhost",
    subject="[leipzig-1] t1: your orders, please",
    date=AT,
    text="",
)


def reply(lang: str = "en") -> Reply:
    return Reply("Juliette", "french@demo.localhost", lang, "moderator@demo.localhost")


def asking(question: object, view: object, lang: str, vocabulary: object, game: str = "leipzig-1") -> str:
    filled, _ = form_lines(question, view, vocabulary, lang)  # type: ignore[arg-type]
    return "\n".join(["What happened", "", *write_form(game, question.key, filled, lang)])  # type: ignore[attr-defined]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("style", [pens.PLAIN, pens.LOWER, pens.SLIP, pens.NUMBERS, pens.FORM])
def test_orders_in_every_style_are_read_as_they_were_meant(
    lang: str, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pens, "_STYLES", {style: 1})
    rules = games.load("leipzig")
    whim = random.Random(7)
    game = Game.start(rules, "battle", {"advanced": "no", "match": "no"}, Seeded(7))
    pen = Pen(reply(lang), rules.vocabulary)
    for _ in range(6):
        question = next(iter(game.questions.values()))
        view = game.view(question.seat)
        answer = rules.robots["random"](view, question, whim)
        text = asking(question, view, lang, rules.vocabulary)
        received = msgspec.structs.replace(RECEIVED, text=text)
        raw = pen.letter(received, [Asked(question, view, answer)], AT, whim, [])
        letter = read(raw, own_address="moderator@demo.localhost")
        edited = [form.lines for form in letter.forms if form.edited]
        lines = edited[0] if edited else letter.lines
        assert read_answer(lines, question, view, rules.vocabulary, lang=lang).orders == answer
        assert letter.token == "leipzig-1.french.abcdefghijkl"
        game.give(Given(question.key, question.seat, answer, LETTER))


def test_several_questions_are_answered_in_their_forms() -> None:
    rules = toy.RULES
    game = Game.start(rules, "toy", {}, toy.Pseudo())
    game.give(Given("t1/go", "red", (toy.Go("mill"),), LETTER))
    view = game.view("red")
    asked = [Asked(q, view, (toy.Bid(n),)) for n, q in enumerate(game.open_to("red"), 1)]
    text = "\n\n".join(asking(item.question, view, "en", rules.vocabulary, "toy-1") for item in asked)
    pen = Pen(reply(), rules.vocabulary)
    raw = pen.letter(msgspec.structs.replace(RECEIVED, text=text), asked, AT, random.Random(1), [])
    forms = {form.key: form.lines for form in read(raw, own_address="moderator@demo.localhost").forms}
    assert forms == {"t1/hill/red": ("bid 1",), "t1/mill/red": ("bid 2",)}


def test_a_blunder_cannot_stand() -> None:
    rules = games.load("leipzig")
    game = Game.start(rules, "battle", {"advanced": "no", "match": "no"}, Seeded(7))
    question = next(iter(game.questions.values()))
    view = game.view(question.seat)
    item = Asked(question, view, question.default(view))
    raw = Pen(reply(), rules.vocabulary).blunder(RECEIVED, [item], AT)
    assert raw is not None
    lines = read(raw, own_address="moderator@demo.localhost").lines
    reading = read_answer(lines, question, view, rules.vocabulary)
    assert reading.problems or question.check(view, reading.orders)


def test_who_was_asked_once_leaves_a_rank_for_the_next_time() -> None:
    rules = games.load("leipzig")
    game = Game.start(rules, "battle", {"advanced": "no", "match": "no"}, Seeded(7))
    question = next(iter(game.questions.values()))
    view = game.view(question.seat)
    answer = list(question.legal(view))[-1]
    standing = rank_like(Asked(question, view, answer))
    assert standing is not None
    assert isinstance(standing, rules.standing)
    assert question.answer_by(view, standing) == answer


def test_no_rank_where_a_game_has_no_such_standing_order() -> None:
    game = Game.start(toy.RULES, "toy", {}, toy.Pseudo())
    question = next(iter(game.questions.values()))
    assert rank_like(Asked(question, game.view("red"), (toy.Go("mill"),))) is None


def test_only_the_form_of_the_question_is_filled() -> None:
    text = "Hello\n[[orders g a #11111111]]\n1: wait\n2:\n[[end]]\n[[orders g b]]\nwait\n[[end]]\nBye"
    assert fill_form(text, "b", ["draw", "time"]) == (
        "Hello\n[[orders g a #11111111]]\n1: wait\n2:\n[[end]]\n"
        "[[orders g b]]\n1: draw\n2: time\n[[end]]\nBye"
    )


def test_attributions_are_those_of_mail_programs() -> None:
    assert (
        attribution(RECEIVED, "en") == "On Thu, 5 Mar 2026 at 10:12, pbem <moderator@demo.localhost> wrote:"
    )
    assert attribution(RECEIVED, "fr") == (
        "Le jeu. 5 mars 2026 à 10:12, pbem <moderator@demo.localhost> a écrit :"
    )


def test_a_telephone_knows_no_accents() -> None:
    assert (
        bare("Déplacer Blücher vers Gülden­gossa".replace("\xad", "")) == "deplacer blucher vers guldengossa"
    )


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe\x00garbage",
        b"Subject: =?utf-8?b?!!!?=\r\nDate: yesterday\r\n\r\nhello",
        b"Content-Type: text/plain; charset=klingon\r\n\r\nqapla'",
        b"Content-Type: multipart/mixed\r\n\r\nno boundary",
    ],
)
def test_any_bytes_can_be_opened(raw: bytes) -> None:
    assert opened(raw).raw == raw
