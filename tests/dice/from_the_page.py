"""A verifier written from docs/dice.md alone, to see that the page is enough: `check(log)` raises where it is not so.

Chain mode; it shares no line with pbem, and reads nothing but the exported log.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]


def h(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def root(data: list[bytes]) -> bytes:
    row = [h(b"\0", each) for each in data]
    while len(row) > 1:
        row = [h(b"\1", *row[at : at + 2]) if at + 1 < len(row) else row[at] for at in range(0, len(row), 2)]
    return row[0] if row else h(b"")


def climb(leaf: bytes, place: int, size: int, path: list[bytes]) -> bytes:
    link, rest = h(b"\0", leaf), iter(path)
    while size > 1:
        if place % 2:
            link = h(b"\1", next(rest), link)
        elif place + 1 < size:
            link = h(b"\1", link, next(rest))
        place, size = place // 2, (size + 1) // 2
    assert next(rest, None) is None
    return link


class Page:
    """A log being checked."""

    def __init__(self) -> None:
        self.leaves: dict[str, bool] = {}
        self.waiting: set[str] = set()
        self.entries: dict[int, tuple[str, Body]] = {}
        self.opened: dict[str, str] = {}
        self.secret: dict[tuple[int, str], tuple[Body, bytes]] = {}
        self.labels: set[str] = set()
        self.close: Body = {}
        self.k = 0
        self.draws = self.cards = self.answers = 0

    def stream(self, key: bytes, label: str) -> Iterator[int]:
        c = 0
        while True:
            yield from hmac.digest(key, f"pbem-roll/1|{label}|{c}".encode(), "sha256")
            c += 1

    def die(self, stream: Iterator[int], sides: int) -> int:
        size = max(1, -(-(sides - 1).bit_length() // 8))
        while True:
            number = int.from_bytes(bytes(next(stream) for _ in range(size)), "big")
            if number < 256**size - 256**size % sides:
                return number % sides + 1

    def roll(self, key: bytes, label: str, dice: int, sides: int) -> list[int]:
        stream = self.stream(key, label)
        return [self.die(stream, sides) for _ in range(dice)]

    def shuffle(self, key: bytes, label: str, cards: list[str]) -> list[str]:
        cards, stream = list(cards), self.stream(key, label)
        for i in range(len(cards) - 1, 0, -1):
            j = self.die(stream, i + 1) - 1
            cards[i], cards[j] = cards[j], cards[i]
        return cards

    def key(self, seed: bytes, k: int, beacon: bytes) -> bytes:
        return hmac.digest(seed, f"pbem-step/1|{self.game}|{k}|".encode() + beacon, "sha256")

    def read(self, log: bytes) -> Page:
        last = "0" * 64
        for n, line in enumerate(log.decode().splitlines(), 1):
            entry = json.loads(line)
            said = entry.pop("hash")
            assert (entry["n"], entry["prev"]) == (n, last)
            assert h(b"pbem-log/1|", plain(entry).encode()).hex() == said
            last = said
            self.entries[n] = entry["kind"], entry["body"]
            getattr(self, f"take_{entry['kind']}")(n, entry["body"])
        return self

    def take_genesis(self, n: int, body: Body) -> None:
        assert n == 1
        assert (body["format"], body["mode"]) == ("pbem-dice/2", "chain")
        self.game, self.seed = body["game"], bytes.fromhex(body["anchor"])
        self.zero, self.steps, self.defaults = (
            bytes.fromhex(body["secret_anchor"]),
            body["steps"],
            body["setup"]["standing"],
        )

    def leaf(self, leaf: str) -> None:
        self.leaves[leaf] = True
        self.waiting.add(leaf)

    def take_receipt(self, n: int, body: Body) -> None:
        self.leaf(body["leaf"])

    def take_act(self, n: int, body: Body) -> None:
        if body["act"] in ("act_for", "correct"):
            self.leaf(body["leaf"])
        if body["act"] == "journal":
            self.journal(n, body)

    def take_close(self, n: int, body: Body) -> None:
        leaves = body["leaves"]
        assert set(leaves) == self.waiting
        assert root([bytes.fromhex(leaf) for leaf in leaves]).hex() == body["root"]
        words = sorted(word.encode() for word in body["salts"].values())
        assert h(b"|".join([b"pbem-salts/1", *words])).hex() == body["beacon"]
        assert body["k"] == self.k + 1
        self.waiting, self.close = set(), body

    def take_result(self, n: int, body: Body) -> None:
        seed, beacon = bytes.fromhex(body["seed"]), bytes.fromhex(self.close["beacon"])
        assert h(b"pbem-chain/1|", seed) == self.seed
        assert body["k"] == self.close["k"]
        self.seed, self.k = seed, body["k"]
        for draw in body["draws"]:
            self.draws += 1
            label = draw["label"]
            assert label not in self.labels
            self.labels.add(label)
            if draw["secret"]:
                self.secret[self.k, label] = draw, beacon
            elif draw["kind"] == "roll":
                key = self.key(seed, self.k, beacon)
                assert self.roll(key, label, len(draw["values"]), draw["sides"]) == draw["values"]
            else:
                assert self.shuffle(self.key(seed, self.k, beacon), label, draw["before"]) == draw["items"]

    def take_opened(self, n: int, body: Body) -> None:
        if "orders" not in body:
            draw, _ = self.secret[body["k"], body["label"]]
            hidden = h(bytes.fromhex(body["salt"]), body["card"].encode())
            path = [bytes.fromhex(link) for link in body["path"]]
            if draw["kind"] == "roll":
                assert hidden.hex() == draw["commits"][body["position"]]
            else:
                assert climb(hidden, body["position"], draw["size"], path).hex() == draw["root"]
            self.cards += 1
            return
        for one in body["orders"]:
            leaf = h(f"leaf|{one['player']}|{one['salt']}|{one['orders']}".encode()).hex()
            assert leaf in self.leaves
            self.opened[leaf] = one["orders"]

    def journal(self, n: int, body: Body) -> None:
        last, letters = 1, {}
        for answer in body["answers"]:
            self.answers += 1
            origin, by = answer["origin"], answer["by"]
            cause = 0 if origin in ("only", "standing") else int(by.partition(":")[2])
            kind, entry = self.entries[cause or 1]
            assert not cause or cause >= last
            last = cause or last
            if origin == "standing":
                held = [self.defaults, *self.sets(answer["seat"], n)]
                assert any(json.loads(by) in orders for orders in held)
            elif by.startswith("receipt:"):
                assert (kind, entry["player"]) == ("receipt", answer["seat"])
            elif cause:
                acts = {"silence": "silence", "master": "act_for"}
                assert (entry["act"], entry["seat"]) == (acts[by.partition(":")[0]], answer["seat"])
            if cause and not by.startswith("silence:"):
                letters.setdefault(cause, []).append([answer["key"], answer["answer"]])
            if by.startswith("silence:"):
                assert answer["key"] in entry["keys"]
        for cause, answers in letters.items():
            assert self.opened[self.entries[cause][1]["leaf"]] == plain(answers)
        for number, (kind, entry) in self.entries.items():
            if kind == "receipt":
                text = self.opened[entry["leaf"]]
                assert number in letters or text.startswith('{"standing":')

    def sets(self, seat: str, n: int) -> Iterator[list[Any]]:
        for kind, body in self.entries.values():
            text = self.opened.get(body.get("leaf", ""), "") if kind == "receipt" else ""
            if text.startswith("{") and body["player"] == seat:
                yield json.loads(text)["standing"]

    def take_end(self, n: int, body: Body) -> None:
        seed, z = bytes.fromhex(body["seed"]), bytes.fromhex(body["secret_seed"])
        for _ in range(self.steps - self.k):
            seed = h(b"pbem-chain/1|", seed)
        assert seed == self.seed
        secret = {}
        for k in range(self.steps, 0, -1):
            secret[k], z = z, h(b"pbem-chain/1|", z)
        assert z == self.zero
        before = {(deck["k"], deck["label"]): deck["before"] for deck in body["decks"]}
        for (k, label), (draw, beacon) in self.secret.items():
            key = self.key(secret[k], k, beacon)

            def salt(position: int, k: int = k, label: str = label) -> bytes:
                return hmac.digest(secret[k], f"pbem-salt/1|{label}|{position}".encode(), "sha256")[:16]

            if draw["kind"] == "roll":
                values = self.roll(key, label, len(draw["commits"]), draw["sides"])
                found = [h(salt(at), str(value).encode()).hex() for at, value in enumerate(values)]
                assert found == draw["commits"]
                continue
            cards = before[k, label]
            assert h(salt(-1), plain(cards).encode()).hex() == draw["before"]
            items = self.shuffle(key, label, cards)
            assert root([h(salt(at), card.encode()) for at, card in enumerate(items)]).hex() == draw["root"]


def check(log: bytes) -> Page:
    """The log, checked; raises AssertionError, LookupError or ValueError for a bad one."""
    return Page().read(log)
