"""Attributions, dividers and footers of more mail programs than the corpus has whole letters of."""

import pytest

from pbem.letters.quoting import clean
from pbem.letters.text import plain

REPLIES = {
    "usenet": ("pass\n\nIn article <abc123@news.example>, pbem writes\n\nmarch", ["pass"]),
    "usenet, wrote": ("pass\n\nIn article <abc@x.ex>, pbem <m@p.ex> wrote:\n\nmarch", ["pass"]),
    "mh": ("pass\n\nIn message <abc@x.ex> you write:\n\nmarch", ["pass"]),
    "gnus": ("pass\n\nIn <abc@x.ex> pbem writes:\n\nmarch", ["pass"]),
    "orange.fr": (
        "piocher\n\n> Message du 03/03/25 17:02\n> De : M <m@p.ex>\n> Objet : Tour\n>\n> march",
        ["piocher"],
    ),
    "K-9": (
        "ziehen\n\nAm 3. März 2025 17:02:00 MEZ schrieb M <m@p.ex>:\n>Zug 3\n>march\n\n-- \nK-9",
        ["ziehen"],
    ),
    "roundcube": ("draw\n\nOn 2025-03-03 17:02, Moderator wrote:\n> turn 3\n> march", ["draw"]),
    "roundcube fr": (
        "piocher\n\nLe 2025-03-03 17:02, Modérateur a écrit :\n\n> tour 3\n> march",
        ["piocher"],
    ),
    "gmx web": (
        "draw\n \n\nGesendet: Montag, 3. März 2025\nVon: M <m@p.ex>\nAn: f@g.ex\nBetreff: Zug\nmarch",
        ["draw"],
    ),
    "zimbra": (
        "piocher\n\n----- Mail original -----\nDe: M <m@p.ex>\nÀ: Ed\nEnvoyé: Lundi\nObjet: Tour 3\n\nmarch",
        ["piocher"],
    ),
    "hotmail": ("pass\n\nDate: Mon, 3 Mar 2025\nFrom: m@p.ex\nTo: b@x.ex\nSubject: Turn\n\nmarch", ["pass"]),
    "outlook ios": (
        "pass\n\nGet Outlook for iOS<https://x.example>\n____________________\nFrom: M\nSent: x\n\nmarch",
        ["pass"],
    ),
    "outlook bold": ("pass\n\n*From:* M <m@p.ex>\n*Sent:* Monday\n*To:* B\n*Subject:* x\n\nmarch", ["pass"]),
    "gmail nl": ("pass\n\nOp ma 3 mrt 2025 om 17:02 schreef M <m@p.ex>:\n\n> march", ["pass"]),
    "gmail es": ("paso\n\nEl lun, 3 mar 2025 a las 17:02, M (<m@p.ex>) escribió:\n\n> march", ["paso"]),
    "gmail it": (
        "passo\n\nIl giorno lun 3 mar 2025 alle ore 17:02 M <m@p.ex> ha\nscritto:\n\n> march",
        ["passo"],
    ),
    "gmail de": ("Stapel\n\nM <m@p.ex> schrieb am Mo., 3. März 2025, 17:02:\n\n> Zug", ["Stapel"]),
    "gmail, three lines": (
        "pass\n\nOn Mon, Mar 3, 2025 at 5:02 PM The Moderator of the Game With a Long\n"
        "Name <moderator+leipzig-7.k3x9qa.long.token@pbem.example>\nwrote:\n\n> march",
        ["pass"],
    ),
    "apple, unmarked": ("pass\n\nOn Mar 3, 2025, at 5:02 PM, M <m@p.ex> wrote:\n\nmarch", ["pass"]),
    "yahoo android": (
        "pass\n\nSent from Yahoo Mail on Android \n \n On Mon, 3 Mar 2025 at 17:02, M<m@p.ex> wrote:   march",
        ["pass"],
    ),
    "laposte.net": (
        "passer\n\nenvoyé : 3 mars 2025 à 17:02\nde : M <m@p.ex>\nà : ed\nobjet : T\n\nmarch",
        ["passer"],
    ),
    "windows mail": (
        "pass\n\nSent from Mail for Windows\n\nFrom: M\nSent: 3 March\nTo: B\n\nmarch",
        ["pass"],
    ),
    "thunderbird forward fr": (
        "voir\n\n-------- Message transféré --------\nSujet : T\nDe : m@p\n\nmarch",
        ["voir"],
    ),
    "proton fr": (
        "piocher\n\nEnvoyé avec la messagerie Proton Mail.\n\nLe 3 mars 2025 à 17:02, M a écrit :\n\n> x",
        ["piocher"],
    ),
    "tutanota": ("pass\n-- \nSent with Tuta\n\nMar 3, 2025, 17:02 by m@p.ex:\n\n> march", ["pass"]),
    "fairemail": ("pass\n\nMar 3, 2025 5:02:00 PM Moderator <m@p.ex>:\n\n> march", ["pass"]),
    "emacs": ("Moderator <m@p.ex> writes:\n\n> turn 3\n\npass", ["pass"]),
    "apple forward": ("look\n\nBegin forwarded message:\n\n> From: x", ["look"]),
    "apple forward fr": ("voici\n\nDébut du message réexpédié :\n\nDe: x", ["voici"]),
}

NOT_QUOTES = {
    "a memo": "To: Blücher\nFrom: Schwarzenberg\nSubject: tomorrow\n\nWe attack.",
    "decoration": "--- My orders ---\npass\n--- end ---\n~~ Orders ~~\n**keep Taucha**\n__pass__",
    "headings": "ORDERS\n------\npass",
    "rules": "pass\n==========\ndraw pile",
    "a bar inside a line": "move a | b",
    "press": "Dear all,\n\nOn 3 March we shall meet:\nLe 3 mars, rendez-vous :\nFrom: the Emperor\n-- two",
    "orders that end with a colon": "Le corps 3 attaque :\nNey a écrit :\npasser",
    "names that are keywords": "END game now\nFinish\nfin de partie\nsent Ney to Halle\nDe Wette: 3",
}


@pytest.mark.parametrize("name", REPLIES)
def test_reply_is_freed_of_what_it_quotes(name: str) -> None:
    text, expected = REPLIES[name]
    assert list(clean(plain(text)).lines) == expected


@pytest.mark.parametrize("name", NOT_QUOTES)
def test_new_text_is_left_alone(name: str) -> None:
    text = NOT_QUOTES[name]
    assert list(clean(plain(text)).lines) == text.split("\n")


@pytest.mark.parametrize("name", ["decoration", "a memo", "press"])
def test_new_text_is_not_doubted(name: str) -> None:
    assert clean(plain(NOT_QUOTES[name])).doubt is None


@pytest.mark.parametrize(
    "head",
    [
        "pbem <m@p.example> 3.3.2025 17:02",
        "3/3/2025 17:02:00 pbem:",
        "From: pbem <m@p.example>",
        "~~ forwarded ~~ pbem (m@p.example) 17:02",
        "--- Urtext ---",
        "pbem <m@p.example>:",
        "Foo Bar escribió:",
        "~~ forwarded ~~",
        "~~ pbem ~~",
        "== pbem, Monday ==",
        "++ Urtext ++",
        "Quoting pbem:",
        "Zitat von pbem:",
        "pbem <m@p.example> wrote",
        "[Foo Bar wrote on Thu 12.Feb'15 at 10:22:11 +0100]",
        "Date: Thu, 12 Feb 2015 10:22:11 +0100",
    ],
)
def test_what_looks_like_a_head_is_doubted_from_there(head: str) -> None:
    found = clean(plain(f"pass\n\n{head}\n\nresign"))
    assert found.lines == ("pass", "", head, "", "resign")
    assert found.doubt == 2


@pytest.mark.parametrize(
    "head", ["pbem wrote:", "pbem <m@p.example>:", "Thus spake pbem (m@p.example):", "--- Urtext ---"]
)
def test_any_head_above_quote_marks_is_one(head: str) -> None:
    found = clean(f"{head}\n> resign\n\npass")
    assert found.lines == ("pass",)
    assert found.doubt is None


def test_tail_of_a_broken_quotation_is_not_new() -> None:
    quoted = "> " + "word " * 14 + "end"
    assert clean(f"{quoted}\ntail of it\n> more\n\nnew").lines == ("new",)


def test_short_answer_under_a_short_question_is_new() -> None:
    assert clean("> First action?\ndraw pile\n> Second?\npass").lines == ("draw pile", "pass")
