"""Ways to cheat, each by somebody who can write the whole log anew with every hash right again.

`cases()` gives them all, in both modes; `python -m tests.dice.audit.forgeries FOLDER` writes them as files, with a
`manifest.json` that says what each one is and what a verifier must find: the corpus that the package, the
stand-alone verifier and the page in a browser are held against.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from pbem.dice.beacon.rounds import seconds
from pbem.dice.draw import streams
from pbem.dice.draw.croupier import Croupier, DealtCard
from pbem.dice.draw.seeds import Seeds
from pbem.dice.log.entries import Entry, statistics
from pbem.dice.log.merkle import root_of
from pbem.dice.log.receipts import leaf_digest
from tests.dice.beacon.drand import OURS, public_key, sign
from tests.dice.sample import (
    CARDS,
    CHANGED_TO,
    ROOT,
    SALTS,
    SOURCE,
    Part,
    SampleGame,
    answered_game,
    export,
    nth,
    place,
    rehash,
    stamp,
    unhashed,
    verdict_on,
    whole_game,
)

CHAIN, BEACON, CHANGED = "chain", "beacon", "changed"
"""Modes, and a game in `beacon` mode whose source was changed on the way."""
ANSWERED = "answered"
"""A finished game whose answers came from letters, standing orders, silences, deputies and a game master."""
Forge = Callable[[list[Part]], None]
Letters = Callable[[list[Entry], list[Entry]], bytes]


@dataclass(frozen=True)
class Case:
    """A log and the letters of a player; `code` is what must be found, empty for an honest one."""

    name: str
    mode: str
    code: str
    log: bytes
    letters: bytes
    about: str


@dataclass(frozen=True)
class _Forgery:
    forge: Forge
    code: str
    modes: tuple[str, ...]
    letters: Letters | None


FORGERIES: list[_Forgery] = []


def forgery(
    code: str, modes: tuple[str, ...] = (CHAIN, BEACON), letters: Letters | None = None
) -> Callable[[Forge], Forge]:
    def note(forge: Forge) -> Forge:
        FORGERIES.append(_Forgery(forge, code, modes, letters))
        return forge

    return note


@cache
def sample(mode: str) -> SampleGame:
    """The game whose log is forged."""
    if mode == ANSWERED:
        return answered_game()
    return whole_game(None if mode == CHAIN else SOURCE, CHANGED_TO if mode == CHANGED else None)


def honest(mode: str) -> tuple[Entry, ...]:
    """The log that is forged."""
    return tuple(sample(mode).entries)


def cases() -> Iterator[Case]:
    """The honest logs with their letters, then every forgery."""
    for mode in (CHAIN, BEACON, CHANGED, ANSWERED):
        entries = list(honest(mode))
        letters = all_letters(entries, entries) + cards_letter(*sample(mode).dealt)
        yield Case(f"{mode}-honest", mode, "", export(entries), letters, "Nothing.")
    for each in FORGERIES:
        for mode in each.modes:
            entries = list(honest(mode))
            parts = unhashed(entries)
            each.forge(parts)
            _count_again(parts, entries)
            forged = rehash(parts)
            letters = each.letters(entries, forged) if each.letters else b""
            name = f"{mode}-{each.forge.__name__.replace('_', '-')}"
            yield Case(name, mode, each.code, export(forged), letters, each.forge.__doc__ or "")


def _count_again(parts: list[Part], entries: list[Entry]) -> None:
    """A careful forger has the statistics fit his dice, unless it is them that he forges."""
    if parts[-1].body != entries[-1].body:
        return
    verdict = verdict_on(rehash(parts[:-1]), signatures=False)
    if verdict.ok:
        parts[-1].body = statistics(verdict.spreads)


def write(folder: Path) -> None:
    """Write the corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "network.json").write_text(json.dumps(OURS.body()), encoding="utf-8")
    manifest = []
    for case in cases():
        (folder / f"{case.name}.jsonl").write_bytes(case.log)
        (folder / f"{case.name}.eml").write_bytes(case.letters)
        manifest.append({"name": case.name, "mode": case.mode, "code": case.code, "about": case.about})
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def letter(words: str, received: int) -> bytes:
    """A letter of a player's mailbox; the uppermost stamp is his own server's."""
    when = stamp(received).replace("T", " ").replace("Z", " +0000")
    year, month, day = when[:10].split("-")
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    date = f"{day} {months[int(month) - 1]} {year} {when[11:]}"
    return (
        f"From game Thu Jan  1 00:00:00 1970\nReceived: from mx by home; {date}\n"
        f"Received: from game by mx; 1 Jan 2001 00:00:00 +0000\nSubject: your game\n"
        f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{words}\n\n"
    ).encode()


def all_letters(before: list[Entry], after: list[Entry]) -> bytes:
    """A letter for every third entry and every close of the log that the players were told of."""
    told = [entry for entry in before if entry.n % 3 == 0 or entry.kind == "close"]
    return b"".join(letter(f"Sir,\n\n{entry.head}", seconds(entry.at) + 5) for entry in told)


def last_letter(before: list[Entry], after: list[Entry]) -> bytes:
    """The last letter that the players got."""
    return letter(f"> {before[-1].head}", seconds(before[-1].at) + 5)


def own_receipt(before: list[Entry], after: list[Entry]) -> bytes:
    """A receipt, in French, that the moderator has given."""
    given = next(entry for entry in before if entry.kind == "receipt")
    leaf = str(given.body["leaf"])[:16]
    return letter(f"reçu : journal n° {given.n} · feuille {leaf} · sel {'0' * 32}", seconds(given.at) + 5)


def letters_after_the_round(before: list[Entry], after: list[Entry]) -> bytes:
    """The close was mailed only once its round was public."""
    close = [entry for entry in after if entry.kind == "close"][1]
    due = OURS.time_of(int(str(close.body["round"])))
    return letter(close.head, due + 1)


def cards_letter(*dealt: DealtCard) -> bytes:
    """A letter with dealt cards and their proofs, as the moderator attaches them."""
    lines = b"".join(msgspec.json.encode(card) + b"\n" for card in dealt)
    attached = base64.encodebytes(lines).decode()
    return (
        "From game Thu Jan  1 00:00:00 1970\nSubject: your cards\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="cut"\n\n--cut\n'
        "Content-Type: text/plain; charset=utf-8\n\nYou draw a card.\n--cut\n"
        'Content-Type: application/jsonl\nContent-Disposition: attachment; filename="sample-1-proofs.jsonl"\n'
        f"Content-Transfer-Encoding: base64\n\n{attached}--cut--\n\n"
    ).encode()


def dealt_in(entries: list[Entry], n: int = 0) -> DealtCard:
    """The nth card (1: the die) that a player of that game was dealt."""
    mode = next(mode for mode in (CHAIN, BEACON, CHANGED) if list(honest(mode)) == entries)
    return sample(mode).dealt[n]


def own_cards(before: list[Entry], after: list[Entry]) -> bytes:
    """The cards as they were dealt."""
    return cards_letter(dealt_in(before), dealt_in(before, 1))


def with_another_card(before: list[Entry], after: list[Entry]) -> bytes:
    card = dealt_in(before)
    return cards_letter(msgspec.structs.replace(card, card="card6" if card.card != "card6" else "card5"))


def with_another_place(before: list[Entry], after: list[Entry]) -> bytes:
    return cards_letter(msgspec.structs.replace(dealt_in(before), position=4))


def with_the_card_of_another_place(before: list[Entry], after: list[Entry]) -> bytes:
    card = dealt_in(before)
    game = next(sample(mode) for mode in (CHAIN, BEACON, CHANGED) if list(honest(mode)) == before)
    drawn = game.croupier._new[card.label]
    other = game.croupier.prove(drawn, 5, to="french")
    return cards_letter(msgspec.structs.replace(other, position=card.position))


def from_another_deck(before: list[Entry], after: list[Entry]) -> bytes:
    """A card with a proof that holds, for a deck that is not the one in the log."""
    dice = Croupier(Seeds("sample-1", ROOT, bytes(32), 20))
    dice.begin()
    dice.shuffle("setup/missions", CARDS, rule="3.1", secret=True)
    dice.deal("setup/missions", 3, to="french")
    (card,) = dice.proofs
    assert card.holds()
    return cards_letter(card)


def from_no_deck(before: list[Entry], after: list[Entry]) -> bytes:
    return cards_letter(msgspec.structs.replace(dealt_in(before), label="setup/reserve"))


def with_another_die(before: list[Entry], after: list[Entry]) -> bytes:
    die = dealt_in(before, 1)
    return cards_letter(msgspec.structs.replace(die, card=str(int(die.card) % 10 + 1)))


def draw(parts: list[Part], label: str) -> dict[str, Any]:
    for part in parts:
        for each in part.body["draws"] if part.kind == "result" else ():
            if each["label"] == label:
                return each  # type: ignore[no-any-return]
    raise LookupError(label)


def draw_again(parts: list[Part], n: int) -> None:
    """Make the open dice of the nth result fit its seed and its beacon."""
    result, close = nth(parts, "result", n), nth(parts, "close", n)
    signature = result.get("signature")
    beacon = streams.sha256(bytes.fromhex(signature)) if signature else bytes.fromhex(close["beacon"])
    key = streams.step_key(bytes.fromhex(result["seed"]), "sample-1", result["k"], beacon)
    for each in result["draws"]:
        if "values" in each:
            each["values"] = list(streams.roll(key, each["label"], len(each["values"]), each["sides"]))
        elif "items" in each:
            each["items"] = list(streams.shuffle(key, each["label"], each["before"]))


@forgery("seed")
def swapped_seed(parts: list[Part]) -> None:
    """Another seed for a step, and the dice that it gives."""
    nth(parts, "result", 2)["seed"] = "00" * 32
    draw_again(parts, 2)


@forgery("seed")
def new_anchor(parts: list[Part]) -> None:
    """Another start of the chain."""
    nth(parts, "genesis")["anchor"] = "00" * 32


@forgery("close-twice")
def second_close(parts: list[Part]) -> None:
    """A second close for a step, without the orders of the first."""
    again = dict(nth(parts, "close", 1), leaves=[], root=root_of([]).hex())
    parts.insert(place(parts, "result", 1), Part("close", again))


@forgery("close-twice")
def step_again(parts: list[Part]) -> None:
    """A step that was drawn is closed again."""
    parts.insert(place(parts, "end"), Part("close", nth(parts, "close", 1)))


@forgery("close-order")
def skipped_step(parts: list[Part]) -> None:
    """A step is left out, seed and all."""
    nth(parts, "close", 2)["k"] = 4


@forgery("dice")
def changed_value(parts: list[Part]) -> None:
    """One die shows something else."""
    values = draw(parts, "t1/land/lindenau/att")["values"]
    values[0] = values[0] % 6 + 1


@forgery("dice")
def renamed_label(parts: list[Part]) -> None:
    """A roll gets another name."""
    draw(parts, "t2/land/mockern/att")["label"] = "t2/land/mockern/att2"


@forgery("dice")
def swapped_labels(parts: list[Part]) -> None:
    """Attacker and defender change their dice."""
    ours, theirs = draw(parts, "t1/land/lindenau/att"), draw(parts, "t1/land/lindenau/def")
    ours["label"], theirs["label"] = theirs["label"], ours["label"]


@forgery("head", letters=all_letters)
def extra_dice(parts: list[Part]) -> None:
    """The best two of three, as seed and label give them."""
    draw(parts, "t1/land/lindenau/att")["values"].append(0)
    draw_again(parts, 1)


@forgery("dice", (CHAIN,))
def other_salt_word(parts: list[Part]) -> None:
    """A player's word is changed after the fact."""
    salts = dict(SALTS, french="jena")
    nth(parts, "close", 2).update(salts=salts, beacon=streams.salt_beacon(salts.values()).hex())


@forgery("close-beacon", (CHAIN,))
def free_beacon(parts: list[Part]) -> None:
    """A beacon that no words give."""
    nth(parts, "close", 2)["beacon"] = "00" * 32


@forgery("shuffle")
def stacked_deck(parts: list[Part]) -> None:
    """An open deck in another order."""
    draw(parts, "setup/tiles")["items"].reverse()


@forgery("label-twice")
def repeated_roll(parts: list[Part]) -> None:
    """A roll counts twice."""
    body = nth(parts, "result", 1)
    body["draws"].append(dict(body["draws"][0]))


@forgery("label-twice")
def rolled_again_later(parts: list[Part]) -> None:
    """A roll is repeated in a later step."""
    nth(parts, "result", 2)["draws"].append(dict(draw(parts, "t1/land/lindenau/att")))
    draw_again(parts, 2)


@forgery("label-twice")
def peeked_deck_shuffled_again(parts: list[Part]) -> None:
    """Somebody looked into the sealed deck, disliked it, and shuffled it anew."""
    again = dict(draw(parts, "setup/missions"), root="11" * 32)
    nth(parts, "result", 2)["draws"].append(again)


@forgery("leaf")
def changed_order_leaf(parts: list[Part]) -> None:
    """The close names orders that nobody sent."""
    leaf = leaf_digest("french", "00", "RETREAT")
    nth(parts, "close", 1).update(leaves=[leaf.hex()], root=root_of([leaf]).hex())


@forgery("close-root")
def dropped_leaf(parts: list[Part]) -> None:
    """Orders vanish from a close whose root stays."""
    nth(parts, "close", 1)["leaves"].pop()


@forgery("leaf-missing")
def orders_left_out(parts: list[Part]) -> None:
    """Orders with a receipt vanish from the close, root and all."""
    close = nth(parts, "close", 1)
    close["leaves"].pop()
    close["root"] = root_of([bytes.fromhex(leaf) for leaf in close["leaves"]]).hex()


@forgery("leaf")
def receipt_after_the_close(parts: list[Part]) -> None:
    """Orders that came after the close are said to have been in it."""
    receipt = parts.pop(place(parts, "receipt"))
    receipt.at = parts[place(parts, "result", 1)].at
    parts.insert(place(parts, "result", 1) + 1, receipt)


@forgery("opened-orders")
def other_orders_shown(parts: list[Part]) -> None:
    """Orders are changed after the close."""
    nth(parts, "opened", 1)["orders"][0]["orders"] = "RETREAT"


@forgery("opened-orders")
def orders_of_another_player(parts: list[Part]) -> None:
    """Orders are shown as somebody else's."""
    nth(parts, "opened", 1)["orders"][0]["player"] = "allies"


@forgery("opened-card")
def replaced_card(parts: list[Part]) -> None:
    """Another card than the one in the deck is shown."""
    shown = nth(parts, "opened", 0)
    shown["card"] = "card6" if shown["card"] != "card6" else "card5"


@forgery("opened-card")
def card_of_another_place(parts: list[Part]) -> None:
    """Somebody looked into the deck and dealt from its middle, saying it was the top."""
    nth(parts, "opened", 0)["position"] = 3


@forgery("opened-card")
def replaced_proof(parts: list[Part]) -> None:
    """The proof of a card is that of another deck."""
    shown = nth(parts, "opened", 0)
    shown["path"] = ["00" * 32, *shown["path"][1:]]


@forgery("opened-card")
def shortened_proof(parts: list[Part]) -> None:
    """The proof of a card ends early."""
    nth(parts, "opened", 0)["path"].pop()


@forgery("opened-card")
def replaced_secret_die(parts: list[Part]) -> None:
    """A hidden die is shown with another face."""
    shown = nth(parts, "opened", 2)
    shown["card"] = str(int(shown["card"]) % 10 + 1)


@forgery("result-order")
def result_before_its_close(parts: list[Part]) -> None:
    """First the dice, then the orders."""
    at = place(parts, "close", 2)
    parts[at], parts[at + 1] = parts[at + 1], parts[at]
    parts[at].at, parts[at + 1].at = "", parts[at].at


@forgery("truncated", (CHAIN,))
def close_without_result(parts: list[Part]) -> None:
    """The log ends before a result that somebody dislikes."""
    del parts[place(parts, "result", 2) :]


@forgery("truncated", letters=last_letter)
def cut_short(parts: list[Part]) -> None:
    """The last entries are taken away."""
    del parts[place(parts, "receipt", 2) :]


@forgery("head", letters=last_letter)
def dropped_roll(parts: list[Part]) -> None:
    """A roll is taken out, as if it had never been."""
    del nth(parts, "result", 1)["draws"][0]


@forgery("head", letters=all_letters)
def added_roll(parts: list[Part]) -> None:
    """A roll that nobody asked for, with the dice that seed and label give."""
    result = nth(parts, "result", 1)
    result["draws"].append(dict(draw(parts, "t1/land/lindenau/att"), label="t1/land/lindenau/reroll"))
    draw_again(parts, 1)


@forgery("head", letters=all_letters)
def forked_log(parts: list[Part]) -> None:
    """One player is told another story than the others."""
    parts[place(parts, "act")].body["text"] = "WHEN attacked THEN retreat"


@forgery("receipt", letters=own_receipt)
def denied_letter(parts: list[Part]) -> None:
    """A letter that had a receipt was never received."""
    gone = parts.pop(place(parts, "receipt"))
    close = nth(parts, "close", 1)
    close["leaves"].remove(gone.body["leaf"])
    close["root"] = root_of([bytes.fromhex(leaf) for leaf in close["leaves"]]).hex()
    parts[place(parts, "opened", 1)].body["orders"].clear()


@forgery("proof", letters=with_another_card)
def dealt_another_card(parts: list[Part]) -> None:
    """A player is told another card than the deck had for him."""


@forgery("proof", letters=with_another_place)
def dealt_from_another_place(parts: list[Part]) -> None:
    """A card is said to have been at another place of the deck."""


@forgery("proof", letters=with_the_card_of_another_place)
def dealt_the_card_of_another_place(parts: list[Part]) -> None:
    """The operator looked into the deck, and deals a player a worse card as if it had been the next one."""


@forgery("proof", letters=from_another_deck)
def dealt_from_another_deck(parts: list[Part]) -> None:
    """A player's cards come from a deck of their own, with proofs that hold for that one."""


@forgery("proof", letters=from_no_deck)
def dealt_from_no_deck(parts: list[Part]) -> None:
    """A player's card is of a deck that the log does not have."""


@forgery("proof", letters=with_another_die)
def dealt_another_die(parts: list[Part]) -> None:
    """A hidden die is told to its player with another face."""


@forgery("proof", letters=own_cards)
def deck_swapped_after_the_deal(parts: list[Part]) -> None:
    """The deck in the log is another one than the players were dealt from."""
    del parts[place(parts, "end") :]
    del parts[place(parts, "opened")]
    draw(parts, "setup/missions")["root"] = "22" * 32


@forgery("truncated", letters=own_cards)
def cut_before_the_deal(parts: list[Part]) -> None:
    """The log ends before the step of a die that a player holds."""
    del parts[place(parts, "close", 1) :]


@forgery("statistics")
def edited_statistics(parts: list[Part]) -> None:
    """The counts of the dice are made to look fair."""
    parts[-1].body["dice"][0]["counts"] = [2, 1, 1, 1, 1, 2]


@forgery("head", letters=last_letter)
def dice_of_another_seat(parts: list[Part]) -> None:
    """The sixes are put down to the other side."""
    draw(parts, "t1/land/lindenau/att")["seat"] = "allies"


@forgery("secret-dice")
def chosen_secret_dice(parts: list[Part]) -> None:
    """Hidden dice that no seed gives."""
    del parts[place(parts, "opened", 2)]
    draw(parts, "t1/scout")["commits"][0] = streams.commit(bytes(16), "10").hex()


@forgery("secret-deck")
def stacked_secret_deck(parts: list[Part]) -> None:
    """A hidden deck in an order that no seed gives."""
    del parts[place(parts, "opened")]
    draw(parts, "setup/missions")["root"] = "00" * 32


@forgery("secret-deck")
def other_cards_in_the_deck(parts: list[Part]) -> None:
    """At the end the hidden deck is said to have had other cards."""
    nth(parts, "end")["decks"][0]["before"][0] = "card9"


@forgery("deck-unrevealed")
def concealed_deck(parts: list[Part]) -> None:
    """At the end a hidden deck is passed over."""
    nth(parts, "end")["decks"].clear()


@forgery("end-secret-seed")
def other_secret_seed(parts: list[Part]) -> None:
    """Another secret seed is revealed than was fixed."""
    nth(parts, "end")["secret_seed"] = "00" * 32


@forgery("end-seed")
def other_end_seed(parts: list[Part]) -> None:
    """Another last seed is revealed than was fixed."""
    nth(parts, "end")["seed"] = "00" * 32


@forgery("after-end")
def play_after_the_end(parts: list[Part]) -> None:
    """Play goes on once all seeds are known."""
    parts.append(Part("close", dict(nth(parts, "close", 2), k=4)))


@forgery("label-kept")
def rolled_again_after_a_rollback(parts: list[Part]) -> None:
    """The game goes back, promises to keep the dice, and rolls again."""
    del parts[place(parts, "end") :]
    again, result = (dict(nth(parts, kind, 2), k=3) for kind in ("close", "result"))
    del parts[place(parts, "close", 2) :]
    undo = {"author": "gm", "reason": "a letter was lost", "target": 2, "keep": True}
    first = [dict(shown) for shown in nth(parts, "result", 1)["draws"][:1]]
    parts += [Part("rollback", undo), Part("close", dict(again, leaves=[], root=root_of([]).hex()))]
    if "round" in again:
        parts[-1].body["round"] = OURS.round_for(seconds(parts[-3].at), SOURCE.delay)
        result["signature"] = sign(parts[-1].body["round"]).hex()
        late = stamp(OURS.time_of(parts[-1].body["round"]))
    else:
        late = ""
    parts.append(Part("result", dict(result, draws=first), late))
    draw_again(parts, 2)


@forgery("rollback")
def rollback_of_a_closed_step(parts: list[Part]) -> None:
    """The game goes back once the beacon is known, before the dice are shown."""
    undo = {"author": "gm", "reason": "", "target": 3, "keep": False}
    parts.insert(place(parts, "result", 1), Part("rollback", undo))


@forgery("absurd")
def absurd_sides(parts: list[Part]) -> None:
    """A die that no computer could roll."""
    draw(parts, "t1/land/lindenau/att")["sides"] = 10**30


@forgery("absurd")
def no_sides(parts: list[Part]) -> None:
    """A die without sides."""
    draw(parts, "t1/land/lindenau/att")["sides"] = 0


@forgery("absurd")
def too_many_dice(parts: list[Part]) -> None:
    """More dice than any box has."""
    draw(parts, "t1/land/lindenau/att")["values"] = [1] * 20_000


@forgery("fields")
def true_for_one(parts: list[Part]) -> None:
    """Values that only look like numbers."""
    draw(parts, "t1/land/lindenau/att")["values"] = [True, True]


@forgery("label")
def label_of_another_alphabet(parts: list[Part]) -> None:
    """A label that looks like another: one letter is Cyrillic."""
    draw(parts, "t1/land/lindenau/att")["label"] = "t1/land/lindenаu/att"


@forgery("format")
def another_format(parts: list[Part]) -> None:
    """A log of an older format."""
    nth(parts, "genesis")["format"] = "pbem-dice/0"


@forgery("mode")
def another_mode(parts: list[Part]) -> None:
    """A source of chance that is none."""
    nth(parts, "genesis")["mode"] = "oracle"


@forgery("round", (BEACON,))
def earlier_round(parts: list[Part]) -> None:
    """The close names a round that was known already."""
    known = nth(parts, "close", 1)["round"] - 1_000
    nth(parts, "close", 1)["round"] = known
    nth(parts, "result", 1)["signature"] = sign(known).hex()
    draw_again(parts, 1)


@forgery("round", (BEACON,))
def later_round(parts: list[Part]) -> None:
    """The close names a round of the operator's liking."""
    liked = nth(parts, "close", 1)["round"] + 1
    nth(parts, "close", 1)["round"] = liked
    nth(parts, "result", 1)["signature"] = sign(liked).hex()
    draw_again(parts, 1)


@forgery("signature", (BEACON,))
def signature_of_another_round(parts: list[Part]) -> None:
    """The dice hang on a neighbouring round."""
    nth(parts, "result", 1)["signature"] = sign(nth(parts, "close", 1)["round"] - 1).hex()
    draw_again(parts, 1)


@forgery("signature", (BEACON,))
def forged_signature(parts: list[Part]) -> None:
    """The operator signs the round himself."""
    nth(parts, "result", 1)["signature"] = sign(nth(parts, "close", 1)["round"], secret=99).hex()
    draw_again(parts, 1)


@forgery("signature", (BEACON,))
def no_point_for_a_signature(parts: list[Part]) -> None:
    """Bytes that are no signature at all."""
    nth(parts, "result", 2)["signature"] = "00" * 48
    draw_again(parts, 2)


@forgery("source", (BEACON,))
def beacon_of_his_own(parts: list[Part]) -> None:
    """The operator runs a beacon of his own, whose every round he knows."""
    nth(parts, "genesis")["beacon"]["key"] = public_key(99).hex()


@forgery("source", (BEACON,))
def change_to_a_beacon_of_his_own(parts: list[Part]) -> None:
    """The operator claims an outage and turns to a beacon of his own."""
    own = dict(OURS.body(), key=public_key(99).hex())
    body = {"author": "gm", "reason": "outage", "beacon": own, "delay": 600}
    parts.insert(place(parts, "close", 2), Part("source", body))


@forgery("source-pending", (BEACON,))
def change_of_source_after_the_close(parts: list[Part]) -> None:
    """The operator dislikes a round and changes the source before he shows the dice."""
    body = SOURCE.body() | {"author": "gm", "reason": "outage"}
    parts.insert(place(parts, "result", 2), Part("source", body))


@forgery("round", (CHANGED,))
def change_of_source_concealed(parts: list[Part]) -> None:
    """The delay was changed, and nobody is to know."""
    del parts[place(parts, "source")]


@forgery("round", (CHANGED,))
def change_of_source_not_kept(parts: list[Part]) -> None:
    """A longer delay is announced, and the close names a round of the old one all the same."""
    close, result = nth(parts, "close", 2), nth(parts, "result", 2)
    close["round"] = OURS.round_for(seconds(parts[place(parts, "close", 2)].at), SOURCE.delay)
    result["signature"] = sign(close["round"]).hex()
    draw_again(parts, 2)


@forgery("round", (CHANGED,))
def change_of_source_for_a_closed_step(parts: list[Part]) -> None:
    """The change is put down before a close that it did not yet hold for."""
    moved = parts.pop(place(parts, "source"))
    parts.insert(place(parts, "close", 1), Part("source", moved.body))


@forgery("absurd", (CHANGED,))
def change_to_no_delay(parts: list[Part]) -> None:
    """From now on the rounds are there as soon as the closes."""
    nth(parts, "source")["delay"] = 3


@forgery("fields", (CHANGED,))
def change_of_source_by_nobody(parts: list[Part]) -> None:
    """A change of source that nobody wants to have made."""
    del nth(parts, "source")["author"]


@forgery("source", (CHANGED,))
def change_to_another_key(parts: list[Part]) -> None:
    """The network keeps its name, and gets a key of the operator's."""
    nth(parts, "source")["beacon"]["key"] = public_key(99).hex()


@forgery("head", (CHANGED,), letters=last_letter)
def change_for_another_reason(parts: list[Part]) -> None:
    """The reason that everyone was told is replaced by a better one."""
    nth(parts, "source")["reason"] = "the players asked for it"


@forgery("mode", (CHAIN,))
def beacon_in_a_game_without(parts: list[Part]) -> None:
    """A game without a beacon gets one on the way."""
    body = SOURCE.body() | {"author": "gm", "reason": "better"}
    parts.insert(place(parts, "close", 2), Part("source", body))


@forgery("early", (BEACON,))
def result_before_its_round(parts: list[Part]) -> None:
    """The dice are dated before the beacon could have been known."""
    parts[place(parts, "result", 1)].at = parts[place(parts, "close", 1)].at


@forgery("time", (BEACON,))
def back_dated_close(parts: list[Part]) -> None:
    """A close is dated before the entry that it follows, to reach a round that is known."""
    at = place(parts, "close", 2)
    early = seconds(parts[at - 1].at) - 600
    parts[at].at = stamp(early)
    parts[at].body["round"] = OURS.round_for(early, SOURCE.delay)


@forgery("time", (BEACON,))
def no_time_at_all(parts: list[Part]) -> None:
    """A close at a time that is none."""
    parts[place(parts, "close", 1)].at = "2026-13-45T00:00:00Z"


@forgery("late", (BEACON,), letters=letters_after_the_round)
def close_after_its_round(parts: list[Part]) -> None:
    """The operator waits for the beacon, then chooses which late letter to accept, and dates the close back."""


@forgery("absurd", (BEACON,))
def no_delay(parts: list[Part]) -> None:
    """A round that is there as soon as the close."""
    nth(parts, "genesis")["delay"] = 3


def journal(parts: list[Part]) -> dict[str, Any]:
    return next(part.body for part in parts if part.body.get("act") == "journal")


def given(parts: list[Part], key: str) -> dict[str, Any]:
    return next(turn for turn in journal(parts)["answers"] if turn["key"] == key)


def acts(parts: list[Part], what: str) -> list[dict[str, Any]]:
    return [part.body for part in parts if part.body.get("act") == what]


def sealed(parts: list[Part], key: str) -> dict[str, Any]:
    opened = next(part.body for part in parts if part.kind == "opened")
    return next(leaf for leaf in opened["orders"] if key in leaf["orders"])


@forgery("answer", (ANSWERED,))
def played_a_seat_without_a_reason(parts: list[Part]) -> None:
    """An answer that names no letter."""
    given(parts, "t1/move")["by"] = ""


@forgery("answer", (ANSWERED,))
def played_a_seat_under_a_new_label(parts: list[Part]) -> None:
    """An answer that came from «the operator»."""
    given(parts, "t1/retreat")["origin"] = "operator"


@forgery("answer", (ANSWERED,))
def a_choice_of_one_by_a_letter(parts: list[Part]) -> None:
    """A choice of one that names a letter as well."""
    given(parts, "t1/retreat")["by"] = given(parts, "t1/move")["by"]


@forgery("answer", (ANSWERED,))
def standing_order_that_nobody_sealed(parts: list[Part]) -> None:
    """An answer by a standing order that its player never sent."""
    given(parts, "t1/losses")["by"] = '{"losses":3,"order":"hold"}'


@forgery("answer", (ANSWERED,))
def standing_order_of_the_enemy(parts: list[Part]) -> None:
    """An answer by a standing order of somebody else."""
    given(parts, "t1/losses")["seat"] = "french"


@forgery("answer", (ANSWERED,))
def standing_order_after_it_was_cleared(parts: list[Part]) -> None:
    """A standing order that its player had taken back long before."""
    turns = journal(parts)["answers"]
    turns.append(given(parts, "t1/losses") | {"key": "t6/losses"})


@forgery("answer", (ANSWERED,))
def standing_order_before_it_came(parts: list[Part]) -> None:
    """A standing order that came only after the answer it is said to have given."""
    turns = journal(parts)["answers"]
    receipts = [part for part in parts if part.kind == "receipt" and part.body["player"] == "allies"]
    first = place(parts, "receipt", 0)
    assert parts[first] is receipts[0]
    turns.insert(0, given(parts, "t1/losses") | {"key": "t0/losses"})
    move = parts.pop(first)
    result = place(parts, "result")
    leaf = move.body["leaf"]
    close = nth(parts, "close")
    close["leaves"].remove(leaf)
    close["root"] = root_of([bytes.fromhex(each) for each in close["leaves"]]).hex()
    parts.insert(result + 1, move)
    late = nth(parts, "close", 1)
    late["leaves"].append(leaf)
    late["root"] = root_of([bytes.fromhex(each) for each in late["leaves"]]).hex()
    given(parts, "t1/move")["by"] = f"receipt:{first + 1}"


@forgery("answer", (ANSWERED,))
def standing_order_that_is_no_order(parts: list[Part]) -> None:
    """A standing order that cannot be read."""
    given(parts, "t1/losses")["by"] = "{"


@forgery("answer", (ANSWERED,))
def silence_before_the_deadline(parts: list[Part]) -> None:
    """A silence that was written down while the player still had time."""
    acts(parts, "deadline")[0]["until"] = "2030-01-01T00:00:00Z"


@forgery("answer", (ANSWERED,))
def silence_without_a_deadline(parts: list[Part]) -> None:
    """A silence where nobody had been given a deadline."""
    for deadline in acts(parts, "deadline"):
        deadline["seat"] = "allies"


@forgery("answer", (ANSWERED,))
def silence_about_another_question(parts: list[Part]) -> None:
    """An answer for a player who had not been silent about this question."""
    acts(parts, "silence")[0]["keys"] = ["t9/move"]


@forgery("answer", (ANSWERED,))
def silence_of_another_seat(parts: list[Part]) -> None:
    """An answer for one player because another was silent."""
    acts(parts, "silence")[0]["seat"] = "allies"


@forgery("answer", (ANSWERED,))
def no_word_of_a_game_master(parts: list[Part]) -> None:
    """A silence before its time, where no game master had said to go on."""
    acts(parts, "process")[0]["act"] = "announce"


@forgery("answer", (ANSWERED,))
def substitute_who_had_not_taken_over(parts: list[Part]) -> None:
    """A letter of a substitute's before he played the seat."""
    acts(parts, "substitute")[0]["seat"] = "allies"


@forgery("answer", (ANSWERED,))
def caretaker_who_had_not_taken_over(parts: list[Part]) -> None:
    """A caretaker's answer in the seat of somebody who plays himself."""
    acts(parts, "caretaker")[0]["act"] = "back"


@forgery("answer", (ANSWERED,))
def master_who_acted_for_another_seat(parts: list[Part]) -> None:
    """A game master's orders for a seat that he had not acted for."""
    acts(parts, "act_for")[0]["seat"] = "french"


@forgery("answer", (ANSWERED,))
def letter_of_another_player(parts: list[Part]) -> None:
    """An answer in one seat by the letter of another."""
    given(parts, "t5/move")["by"] = next(turn["by"] for turn in journal(parts)["answers"] if turn["by"])


@forgery("answer", (ANSWERED,))
def another_answer_than_the_letter(parts: list[Part]) -> None:
    """Other orders than those that were sealed."""
    given(parts, "t1/move")["answer"] = [{"order": "move", "to": "wachau"}]


@forgery("answer", (ANSWERED,))
def another_answer_than_the_master(parts: list[Part]) -> None:
    """Other orders than those that the game master gave."""
    given(parts, "t4/aid")["answer"] = []


@forgery("unopened", (ANSWERED,))
def letter_never_opened(parts: list[Part]) -> None:
    """A letter that is not opened at the end, and its answers left out."""
    opened = next(part.body for part in parts if part.kind == "opened")
    opened["orders"].remove(sealed(parts, "t1/move"))
    journal(parts)["answers"].remove(given(parts, "t1/move"))


@forgery("unplayed", (ANSWERED,))
def letter_never_played(parts: list[Part]) -> None:
    """A letter whose orders were not played."""
    journal(parts)["answers"].remove(given(parts, "t3/move"))


@forgery("leaf-missing", (ANSWERED,))
def standing_orders_left_out_of_the_close(parts: list[Part]) -> None:
    """Standing orders that no close has frozen."""
    close = nth(parts, "close")
    del close["leaves"][0]
    close["root"] = root_of([bytes.fromhex(each) for each in close["leaves"]]).hex()


@forgery("correction", (ANSWERED,))
def position_changed_in_secret(parts: list[Part]) -> None:
    """A change of the position that no act of a game master's bears out."""
    journal(parts)["corrections"][0]["value"] = 30


@forgery("fields", (ANSWERED,))
def answer_without_words(parts: list[Part]) -> None:
    """An answer that says nothing."""
    del given(parts, "t1/move")["answer"]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
