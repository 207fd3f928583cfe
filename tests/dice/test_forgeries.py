"""Forgeries by somebody who can write the whole log anew, with every hash right again."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from pbem.dice import streams
from pbem.dice.audit import audit
from pbem.dice.merkle import root_of
from pbem.dice.receipts import leaf_digest
from tests.dice.sample import SALTS, Unhashed, export, nth, rehash, unhashed, verdict_on, whole_game

Forgery = Callable[[list[Unhashed]], None]
FORGERIES: list[tuple[str, Forgery]] = []


def forgery(code: str) -> Callable[[Forgery], Forgery]:
    def note(forge: Forgery) -> Forgery:
        FORGERIES.append((code, forge))
        return forge

    return note


def draw(parts: list[Unhashed], label: str) -> dict[str, Any]:
    for kind, body in parts:
        for each in body["draws"] if kind == "result" else ():
            if each["label"] == label:
                return each  # type: ignore[no-any-return]
    raise LookupError(label)


def place(parts: list[Unhashed], kind: str, n: int = 0) -> int:
    return [number for number, (each, _) in enumerate(parts) if each == kind][n]


def roll_with(parts: list[Unhashed], seed: bytes, result: int) -> None:
    """Make the dice of a result fit another seed."""
    body = nth(parts, "result", result)
    beacon = bytes.fromhex(nth(parts, "close", result)["beacon"])
    key = streams.step_key(seed, "sample-1", body["k"], beacon)
    for each in body["draws"]:
        if "values" in each:
            each["values"] = list(streams.roll(key, each["label"], len(each["values"]), each["sides"]))
    body["seed"] = seed.hex()


@forgery("seed")
def swapped_seed(parts: list[Unhashed]) -> None:
    roll_with(parts, bytes(32), 2)


@forgery("seed")
def new_anchor(parts: list[Unhashed]) -> None:
    nth(parts, "genesis")["anchor"] = "00" * 32


@forgery("close-twice")
def second_close(parts: list[Unhashed]) -> None:
    at = place(parts, "result", 1)
    parts.insert(at, ("close", dict(nth(parts, "close", 1), leaves=[], root=root_of([]).hex())))


@forgery("close-twice")
def step_again(parts: list[Unhashed]) -> None:
    parts.insert(place(parts, "end"), ("close", nth(parts, "close", 1)))


@forgery("close-order")
def skipped_step(parts: list[Unhashed]) -> None:
    nth(parts, "close", 2)["k"] = 4


@forgery("dice")
def changed_value(parts: list[Unhashed]) -> None:
    values = draw(parts, "t1/land/lindenau/att")["values"]
    values[0] = values[0] % 6 + 1


@forgery("dice")
def renamed_label(parts: list[Unhashed]) -> None:
    draw(parts, "t2/land/mockern/att")["label"] = "t2/land/mockern/att2"


@forgery("dice")
def other_salt_word(parts: list[Unhashed]) -> None:
    salts = dict(SALTS, french="jena")
    nth(parts, "close", 2).update(salts=salts, beacon=streams.salt_beacon(salts.values()).hex())


@forgery("close-beacon")
def free_beacon(parts: list[Unhashed]) -> None:
    nth(parts, "close", 2)["beacon"] = "00" * 32


@forgery("shuffle")
def stacked_deck(parts: list[Unhashed]) -> None:
    draw(parts, "setup/tiles")["items"].reverse()


@forgery("label-twice")
def repeated_roll(parts: list[Unhashed]) -> None:
    body = nth(parts, "result", 1)
    body["draws"].append(dict(body["draws"][0]))


@forgery("leaf")
def changed_order_leaf(parts: list[Unhashed]) -> None:
    leaf = leaf_digest("french", "00", "RETREAT")
    nth(parts, "close", 1).update(leaves=[leaf.hex()], root=root_of([leaf]).hex())


@forgery("close-root")
def dropped_leaf(parts: list[Unhashed]) -> None:
    nth(parts, "close", 1)["leaves"].pop()


@forgery("leaf")
def receipt_after_the_close(parts: list[Unhashed]) -> None:
    receipt = parts.pop(place(parts, "receipt"))
    parts.insert(place(parts, "result", 1) + 1, receipt)


@forgery("opened-orders")
def other_orders_shown(parts: list[Unhashed]) -> None:
    nth(parts, "opened", 1)["orders"][0]["orders"] = "RETREAT"


@forgery("opened-card")
def replaced_card(parts: list[Unhashed]) -> None:
    shown = nth(parts, "opened", 0)
    shown["card"] = "card6" if shown["card"] != "card6" else "card5"


@forgery("opened-card")
def card_of_another_place(parts: list[Unhashed]) -> None:
    nth(parts, "opened", 0)["position"] = 3


@forgery("opened-card")
def replaced_secret_die(parts: list[Unhashed]) -> None:
    shown = nth(parts, "opened", 2)
    shown["card"] = str(int(shown["card"]) % 10 + 1)


@forgery("result-order")
def result_before_its_close(parts: list[Unhashed]) -> None:
    at = place(parts, "close", 2)
    parts[at], parts[at + 1] = parts[at + 1], parts[at]


@forgery("truncated")
def close_without_result(parts: list[Unhashed]) -> None:
    del parts[place(parts, "result", 2) :]


@forgery("secret-dice")
def chosen_secret_dice(parts: list[Unhashed]) -> None:
    del parts[place(parts, "opened", 2)]
    draw(parts, "t1/scout")["commits"][0] = streams.commit(bytes(16), "10").hex()


@forgery("secret-deck")
def stacked_secret_deck(parts: list[Unhashed]) -> None:
    del parts[place(parts, "opened")]
    draw(parts, "setup/missions")["root"] = "00" * 32


@forgery("secret-deck")
def other_cards_in_the_deck(parts: list[Unhashed]) -> None:
    nth(parts, "end")["decks"][0]["before"][0] = "card9"


@forgery("deck-unrevealed")
def concealed_deck(parts: list[Unhashed]) -> None:
    nth(parts, "end")["decks"].clear()


@forgery("end-secret-seed")
def other_secret_seed(parts: list[Unhashed]) -> None:
    nth(parts, "end")["secret_seed"] = "00" * 32


@forgery("end-seed")
def other_end_seed(parts: list[Unhashed]) -> None:
    nth(parts, "end")["seed"] = "00" * 32


@forgery("after-end")
def play_after_the_end(parts: list[Unhashed]) -> None:
    parts.append(("close", dict(nth(parts, "close", 2), k=4)))


@forgery("absurd")
def absurd_sides(parts: list[Unhashed]) -> None:
    draw(parts, "t1/land/lindenau/att")["sides"] = 10**30


@forgery("absurd")
def no_sides(parts: list[Unhashed]) -> None:
    draw(parts, "t1/land/lindenau/att")["sides"] = 0


@forgery("absurd")
def too_many_dice(parts: list[Unhashed]) -> None:
    draw(parts, "t1/land/lindenau/att")["values"] = [1] * 20_000


@forgery("fields")
def true_for_one(parts: list[Unhashed]) -> None:
    draw(parts, "t1/land/lindenau/att")["values"] = [True, True]


@forgery("label")
def label_of_another_alphabet(parts: list[Unhashed]) -> None:
    draw(parts, "t1/land/lindenau/att")["label"] = "t1/land/lindenаu/att"


@forgery("format")
def another_format(parts: list[Unhashed]) -> None:
    nth(parts, "genesis")["format"] = "pbem-dice/9"


@forgery("mode")
def another_mode(parts: list[Unhashed]) -> None:
    nth(parts, "genesis")["mode"] = "beacon"


@pytest.mark.parametrize(("code", "forge"), FORGERIES, ids=[forge.__name__ for _, forge in FORGERIES])
def test_a_careful_forgery_is_found(code: str, forge: Forgery) -> None:
    honest = whole_game().entries
    parts = unhashed(honest)
    forge(parts)
    forged = rehash(parts)
    verdict = verdict_on(forged)
    assert verdict.code == code, verdict.reason()
    assert 1 <= verdict.entry <= len(forged)
    told = [(honest[-1].n, honest[-1].hash[:16])]
    assert not verdict_on(forged, heads=told).ok


def test_a_dropped_roll_is_found_by_a_players_head() -> None:
    honest = whole_game().entries
    parts = unhashed(honest)
    del nth(parts, "result", 1)["draws"][0]
    forged = rehash(parts)
    assert verdict_on(forged).ok
    verdict = verdict_on(forged, heads=[(honest[-1].n, honest[-1].hash[:16])])
    assert (verdict.code, verdict.entry) == ("head", honest[-1].n)


def test_two_heads_for_one_entry_are_a_fork() -> None:
    honest = whole_game().entries
    assert verdict_on(honest, heads=[(3, honest[2].hash[:16]), (3, "0" * 16)]).code == "head"


def test_a_head_beyond_the_end_shows_that_the_log_was_cut() -> None:
    honest = whole_game().entries
    verdict = verdict_on(honest[:5], heads=[(9, honest[8].hash[:16])])
    assert verdict.code == "truncated"


CARELESS: list[tuple[str, Callable[[list[bytes]], list[bytes]]]] = [
    ("hash", lambda lines: [*lines[:1], lines[1].replace(b'"k":1', b'"k":2'), *lines[2:]]),
    ("number", lambda lines: [lines[0], lines[2], lines[1], *lines[3:]]),
    ("number", lambda lines: lines[:4] + lines[5:]),
    ("number", lambda lines: [lines[0], *lines]),
    ("canonical", lambda lines: [lines[0].replace(b",", b", ", 1), *lines[1:]]),
    ("canonical", lambda lines: [lines[0].replace(b'{"at"', b'{"at":"x","at"', 1), *lines[1:]]),
    ("truncated", lambda lines: [*lines[:-1], lines[-1][:100]]),
    ("unreadable", lambda lines: [*lines[:3], b"\n", *lines[3:]]),
]


@pytest.mark.parametrize(("code", "spoil"), CARELESS)
def test_a_careless_forgery_is_found(code: str, spoil: Callable[[list[bytes]], list[bytes]]) -> None:
    lines = export(whole_game().entries).splitlines(keepends=True)
    assert audit(io.BytesIO(b"".join(spoil(lines)))).code == code


def test_an_entry_of_another_log_does_not_fit() -> None:
    honest = whole_game().entries
    parts = unhashed(honest)
    nth(parts, "genesis")["engine"] = "0.2.0"
    other = rehash(parts)
    verdict = verdict_on([*honest[:4], *other[4:]])
    assert (verdict.code, verdict.entry) == ("chain", 5)
