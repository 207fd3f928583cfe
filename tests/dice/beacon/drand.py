"""A drand network of our own: a key that signs any round, and a server that can be told to misbehave."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pbem.dice.beacon import bls
from pbem.dice.beacon.rounds import QUICKNET, Network

SECRET = 0x1813_1016_1018_1019
REAL_ROUND = 657_413
REAL_SIGNATURE = bytes.fromhex(
    "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
)


def _compressed(point: bls.Point) -> bytes:
    x, y = point
    data = bytearray(x.to_bytes(48, "big"))
    data[0] |= 0x80 | (0x20 if y > bls.P // 2 else 0)
    return bytes(data)


def _compressed2(point: bls.Point2) -> bytes:
    (low, high), y = point
    data = bytearray(high.to_bytes(48, "big") + low.to_bytes(48, "big"))
    data[0] |= 0x80 | (0x20 if (y[1] or y[0]) > bls.P // 2 else 0)
    return bytes(data)


def public_key(secret: int = SECRET) -> bytes:
    return _compressed2(bls.multiple2(bls.G2, secret))


@lru_cache(maxsize=4096)
def sign(number: int, secret: int = SECRET) -> bytes:
    """The signature of a round, by the test key unless another is given."""
    signed = bls._sum([bls.hash_to_curve(bls.round_message(number))], [secret])
    assert signed is not None
    return _compressed(signed)


KEY = public_key().hex()
OURS = Network(hashlib.sha256(b"pbem test network").hexdigest(), KEY, genesis=1_072_000_000, period=3)


class Mirror:
    """What a stand-in server says, round by round; `says` overrides with (status, body)."""

    def __init__(self) -> None:
        self.says: dict[int, tuple[int, bytes]] = {}
        self.latest = 1 << 40
        self.asked: list[int] = []
        self.url = ""

    def answer(self, chain: str, number: int) -> tuple[int, bytes]:
        self.asked.append(number)
        if number in self.says:
            return self.says[number]
        if number > self.latest:
            return 404, b'{"error":"Requested future beacon"}'
        if chain == QUICKNET.chain:
            signature = REAL_SIGNATURE if number == REAL_ROUND else None
        else:
            signature = sign(number) if chain == OURS.chain else None
        if signature is None:
            return 404, b""
        return 200, round_json(number, signature)


def round_json(number: object, signature: bytes) -> bytes:
    randomness = hashlib.sha256(signature).hexdigest()
    return json.dumps({"round": number, "randomness": randomness, "signature": signature.hex()}).encode()


@contextmanager
def mirror() -> Iterator[Mirror]:
    """A stand-in for the network's servers, on loopback."""
    told = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = self.path.split("/")
            status, body = told.answer(parts[1], int(parts[3]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
