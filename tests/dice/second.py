"""A second reader of PBEM-DICE/1, written after the published specification.

It shares no line with pbem/dice and goes other ways where it can, but whoever wrote it knew that code: the
published vectors, not this file, are the independent check. It checks the arithmetic of a log (seeds, keys, streams,
dice, shuffles, commitments, Merkle roots), not the bookkeeping around it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any


def h(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def chain(game: str, root: bytes, n: int) -> list[bytes]:
    """s_0 to s_n."""
    seeds = [h(b"pbem-seed/1|", game.encode(), b"|", root)]
    for _ in range(n):
        seeds.insert(0, h(b"pbem-chain/1|", seeds[0]))
    return seeds


def step_key(seed: bytes, game: str, k: int, beacon: bytes) -> bytes:
    return mac(seed, f"pbem-step/1|{game}|{k}|".encode() + beacon)


def stream(key: bytes, label: str) -> Iterator[int]:
    c = 0
    while True:
        yield from mac(key, f"pbem-roll/1|{label}|{c}".encode())
        c += 1


def die(source: Iterator[int], sides: int) -> int:
    width = 1
    while 256**width < sides:
        width += 1
    fair = 256**width // sides * sides
    while True:
        value = 0
        for _ in range(width):
            value = value * 256 + next(source)
        if value < fair:
            return value % sides + 1


def roll(key: bytes, label: str, dice: int, sides: int) -> list[int]:
    source = stream(key, label)
    return [die(source, sides) for _ in range(dice)]


def shuffle(key: bytes, label: str, cards: list[Any]) -> list[Any]:
    source, left, placed = stream(key, label), list(cards), []
    while len(left) > 1:
        chosen = die(source, len(left)) - 1
        left[chosen], left[-1] = left[-1], left[chosen]
        placed.insert(0, left.pop())
    return left + placed


def merkle(data: list[bytes]) -> bytes:
    if not data:
        return h(b"")
    row = [h(b"\0", each) for each in data]
    while len(row) > 1:
        pairs = [row[at : at + 2] for at in range(0, len(row), 2)]
        row = [h(b"\1", *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return row[0]


def salt(seed: bytes, label: str, position: int) -> bytes:
    return mac(seed, f"pbem-salt/1|{label}|{position}".encode())[:16]


def wrong(log: bytes) -> list[str]:
    """What the arithmetic of a finished log gets wrong: label by label, or `seed k`; nothing in a good log."""
    entries = [json.loads(line) for line in log.splitlines()]
    genesis, end = entries[0]["body"], next(e["body"] for e in entries if e["kind"] == "end")
    game, n = genesis["game"], genesis["steps"]
    open_seeds, secret_seeds = ([bytes.fromhex(end[name])] for name in ("seed", "secret_seed"))
    for seeds in (open_seeds, secret_seeds):
        while len(seeds) <= n:
            seeds.insert(0, h(b"pbem-chain/1|", seeds[0]))
    found = []
    if [open_seeds[0].hex(), secret_seeds[0].hex()] != [genesis["anchor"], genesis["secret_anchor"]]:
        found.append("seed 0")
    decks = {(deck["k"], deck["label"]): deck["before"] for deck in end["decks"]}
    beacon = b""
    for entry in entries:
        body = entry["body"]
        if entry["kind"] == "close" and "salts" in body:
            words = sorted(word.encode() for word in body["salts"].values())
            beacon = h(b"|".join([b"pbem-salts/1", *words]))
        if (
            entry["kind"] == "close"
            and merkle([bytes.fromhex(x) for x in body["leaves"]]).hex() != body["root"]
        ):
            found.append(f"leaves {body['k']}")
        if entry["kind"] != "result":
            continue
        k = body["k"]
        if "signature" in body:
            beacon = h(bytes.fromhex(body["signature"]))
        if body["seed"] != open_seeds[k].hex():
            found.append(f"seed {k}")
        for draw in body["draws"]:
            seed = (secret_seeds if draw["secret"] else open_seeds)[k]
            key = step_key(seed, game, k, beacon)
            if _shown(draw, key, seed, decks.get((k, draw["label"]), [])) != _logged(draw):
                found.append(draw["label"])
    return found


def _logged(draw: dict[str, Any]) -> list[Any]:
    names = ("values", "commits", "items", "root")
    return [draw[name] for name in names if name in draw]


def _shown(draw: dict[str, Any], key: bytes, seed: bytes, deck: list[str]) -> list[Any]:
    label = draw["label"]
    if draw["kind"] == "roll":
        size = len(draw.get("values", draw.get("commits")))
        values = roll(key, label, size, draw["sides"])
        hidden = [h(salt(seed, label, n), str(value).encode()) for n, value in enumerate(values)]
        return [[each.hex() for each in hidden]] if draw["secret"] else [values]
    cards = shuffle(key, label, deck if draw["secret"] else draw["before"])
    hidden = [h(salt(seed, label, n), card.encode()) for n, card in enumerate(cards)]
    return [merkle(hidden).hex()] if draw["secret"] else [cards]
