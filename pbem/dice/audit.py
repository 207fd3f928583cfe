"""Checks an exported log without the moderator, line by line.

Every entry: canonical form, number, hash of the one before, own hash, and the heads that players found in
their letters. Every step: one close with orders that had receipts, then one result whose seed hashes to the
seed before it; every label once, every die and every shuffle worked out again. A rollback lets labels be
drawn again, unless it keeps them. Cards shown are checked against their deck's root. Once the `end` reveals
z_n, all secret dice and decks are worked out as well. Whether the log has *exactly* the draws that the
rules demand needs the rules: `compare` does that with the draws of a replay.

A verdict is returned whatever the input is; memory is bounded by the limits below, since a line is
forgotten once it is checked. Only the standard library is used.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pbem.dice import fields, merkle, streams
from pbem.dice.fields import Fault, Json
from pbem.dice.verdicts import AuditedDraw, AuditedStep, Tally, Verdict

if TYPE_CHECKING:
    from pbem.kernel.chance import Draw

LINE = 16 << 20
ENTRIES = 2_000_000
LABELS = 1_000_000
DICE = 10_000
SIDES = 1_000_000
CARDS = 10_000
STEPS = 1 << 20

_LABEL = re.compile(r"[a-z0-9_./-]{1,1000}")
_FIELDS = {"at", "body", "hash", "kind", "n", "prev"}
_HEAD = re.compile(r"log #(\d{1,12}) head=([0-9a-f]{16})")


def audit(source: BinaryIO, *, heads: Iterable[tuple[int, str]] = (), collect: bool = False) -> Verdict:
    """The verdict on an export. `heads` are numbers and heads (or whole hashes) from a player's letters.

    With `collect` the verdict holds the draws of every step, for `compare`.
    """
    auditor = _Auditor(heads, collect)
    try:
        while line := source.readline(LINE + 1):
            if len(line) > LINE:
                raise Fault("limits")
            auditor.take(line)
        auditor.close()
    except Fault as fault:
        return auditor.verdict(fault)
    except OSError as error:
        return auditor.verdict(Fault("file", str(error.strerror or "")))
    return auditor.verdict(None)


def audit_file(path: Path, *, heads: Iterable[tuple[int, str]] = (), collect: bool = False) -> Verdict:
    """The verdict on an exported file."""
    try:
        with path.open("rb") as source:
            return audit(source, heads=heads, collect=collect)
    except OSError as error:
        return Verdict(False, "file", detail=str(error.strerror or ""))


def heads_in(text: str) -> list[tuple[int, str]]:
    """The heads of the log that stand in some letters, with their numbers."""
    return [(int(number), head) for number, head in _HEAD.findall(text)]


def compare(verdict: Verdict, draws: Iterable[Draw]) -> Verdict:
    """The verdict after a replay: the log must have exactly the draws that the rules demanded.

    The verdict comes from an audit with `collect`; a sealed secret draw is compared by size.
    """
    if not verdict.ok:
        return verdict
    entry_of = {step.k: step.entry for step in verdict.steps}
    logged = {draw.label: draw for step in verdict.steps for draw in step.draws if draw.live}
    for wanted in {draw.label: draw for draw in draws}.values():
        found = logged.pop(wanted.label, None)
        if found is None:
            return replace(verdict, ok=False, code="roll-missing", entry=0, detail=wanted.label)
        if not _agrees(found, wanted):
            entry = entry_of[found.step]
            return replace(verdict, ok=False, code="roll-differs", entry=entry, detail=wanted.label)
    for extra in logged.values():
        entry = entry_of[extra.step]
        return replace(verdict, ok=False, code="roll-extra", entry=entry, detail=extra.label)
    return verdict


def _agrees(found: AuditedDraw, wanted: Draw) -> bool:
    size = len(wanted.values) if wanted.kind == "roll" else len(wanted.before)
    same = (wanted.kind, wanted.rule, wanted.secret, wanted.sides, wanted.seat, size)
    if same != (found.kind, found.rule, found.secret, found.sides, found.seat, found.size):
        return False
    if found.secret and not found.values and not found.items:
        return True
    return (wanted.values, wanted.before, wanted.items) == (found.values, found.before, found.items)


@dataclass
class _Known:
    """A label that was drawn: by which entry and step, from which input, and whether it still stands."""

    entry: int
    step: int
    asked: tuple[object, ...]
    standing: str
    draw: AuditedDraw | None


@dataclass
class _Secret:
    """A secret draw that waits for the end."""

    entry: int
    k: int
    beacon: bytes
    label: str
    draw: AuditedDraw
    commits: tuple[bytes, ...] = ()
    root: bytes = b""
    before: bytes = b""


@dataclass(frozen=True)
class _Close:
    k: int
    beacon: bytes


class _Auditor:
    def __init__(self, heads: Iterable[tuple[int, str]], collect: bool) -> None:
        self.heads: dict[int, set[str]] = {}
        for number, head in heads:
            self.heads.setdefault(number, set()).add(head.lower())
        self.collect = collect
        self.entries = 0
        self.head = ""
        self.genesis: Json = {}
        self.game = ""
        self.seed = self.secret_anchor = b""
        self.most_steps = 0
        self.k = 0
        self.pending: _Close | None = None
        self.ended = False
        self.draws = 0
        self.tally = Tally()
        self.steps: list[AuditedStep] = []
        self.leaves: dict[bytes, bool] = {}
        self.labels: dict[str, _Known] = {}
        self.stack: list[tuple[int, str]] = []
        self.secrets: dict[tuple[int, str], _Secret] = {}
        self.redrawn: list[tuple[int, int, int, str]] = []

    def verdict(self, fault: Fault | None) -> Verdict:
        """The outcome as far as the audit came."""
        return Verdict(
            ok=fault is None,
            code=fault.code if fault else "",
            entry=(fault.entry or self.entries) if fault else 0,
            detail=fault.detail if fault else "",
            game=self.game,
            genesis=self.genesis,
            head=self.head,
            entries=self.entries,
            draws=self.draws,
            sealed=0 if self.ended else len(self.secrets),
            ended=self.ended,
            step_count=self.k,
            spreads=self.tally.spreads(),
            steps=tuple(self.steps),
        )

    def take(self, raw: bytes) -> None:
        """Check one line."""
        self.entries += 1
        if self.entries > ENTRIES:
            raise Fault("limits")
        line = raw.rstrip(b"\r\n")
        entry = fields.parse(line, whole=len(line) < len(raw))
        kind, body = self._entry(entry, line)
        if kind == "genesis":
            self._genesis(body)
            return
        if self.entries == 1:
            raise Fault("genesis")
        check = getattr(self, f"_{kind}", None) if kind in _CHECKED else None
        if check is not None:
            if self.ended and kind in _PLAY:
                raise Fault("after-end", kind)
            check(body)
        elif kind != "act":
            raise Fault("kind", kind[:40])

    def close(self) -> None:
        """Check that nothing is missing after the last line."""
        if not self.entries:
            raise Fault("empty")
        if self.pending is not None:
            raise Fault("truncated", f"step {self.pending.k} has no result")
        beyond = [number for number in self.heads if number > self.entries]
        if beyond:
            raise Fault("truncated", f"a letter names entry {min(beyond)}")

    def _entry(self, entry: Json, line: bytes) -> tuple[str, Json]:
        if set(entry) != _FIELDS:
            raise Fault("fields")
        kind, _ = fields.text(entry, "kind", 40), fields.text(entry, "at", 80)
        if line != fields.canonical(entry):
            raise Fault("canonical")
        number = fields.number(entry, "n", 0, ENTRIES)
        if number != self.entries:
            raise Fault("number", f"{number} stands in place of {self.entries}")
        if entry["prev"] != (self.head or "0" * 64):
            raise Fault("chain")
        bare = fields.canonical({name: value for name, value in entry.items() if name != "hash"})
        self.head = hashlib.sha256(b"pbem-log/1|" + bare).hexdigest()
        if entry["hash"] != self.head:
            raise Fault("hash")
        for told in self.heads.get(number, ()):
            if len(told) < 16 or not self.head.startswith(told):
                raise Fault("head", f"log #{number} head={told[:64]}")
        body = entry["body"]
        if not isinstance(body, dict):
            raise Fault("fields", "body")
        return kind, body

    def _genesis(self, body: Json) -> None:
        if body.get("format") != "pbem-dice/1":
            raise Fault("format")
        if self.entries != 1:
            raise Fault("genesis")
        if body.get("mode") != "chain":
            raise Fault("mode")
        self.game = fields.text(body, "game", 200)
        self.seed, self.secret_anchor = fields.digest(body, "anchor"), fields.digest(body, "secret_anchor")
        self.most_steps = fields.number(body, "steps", 1, STEPS)
        self.genesis = body

    def _receipt(self, body: Json) -> None:
        fields.text(body, "player", 200)
        fields.digest(body, "letter")
        if len(self.leaves) >= LABELS:
            raise Fault("limits")
        self.leaves.setdefault(fields.digest(body, "leaf"), False)

    def _close(self, body: Json) -> None:
        k = fields.number(body, "k", 1, STEPS)
        if k <= self.k or (self.pending is not None and k == self.pending.k):
            raise Fault("close-twice", f"step {k}")
        if self.pending is not None or k != self.k + 1 or k > self.most_steps:
            raise Fault("close-order", f"step {k} after step {self.k}")
        leaves = [fields.raw(leaf, "leaves") for leaf in fields.many(body, "leaves", LABELS)]
        if merkle.root_of(leaves) != fields.digest(body, "root"):
            raise Fault("close-root")
        for leaf in leaves:
            if leaf not in self.leaves:
                raise Fault("leaf", leaf.hex()[:16])
            self.leaves[leaf] = True
        salts = body.get("salts")
        if not isinstance(salts, dict):
            raise Fault("fields", "salts")
        beacon = fields.digest(body, "beacon")
        if streams.salt_beacon(fields.text(salts, seat, 1_000) for seat in salts) != beacon:
            raise Fault("close-beacon")
        self.pending = _Close(k, beacon)

    def _result(self, body: Json) -> None:
        k = fields.number(body, "k", 1, STEPS)
        close, self.pending = self.pending, None
        if close is None or close.k != k:
            raise Fault("result-order", f"step {k}")
        seed = fields.digest(body, "seed")
        if streams.link_below(seed) != self.seed:
            raise Fault("seed", f"step {k}")
        self.k, self.seed = k, seed
        key = streams.step_key(seed, self.game, k, close.beacon)
        step = AuditedStep(k, self.entries, fields.text(body, "state", 64), [])
        for shown in fields.many(body, "draws", LABELS):
            if not isinstance(shown, dict):
                raise Fault("fields", "draws")
            step.draws.append(self._draw(shown, close, key))
        if self.collect:
            self.steps.append(step)

    def _draw(self, shown: Json, close: _Close, key: bytes) -> AuditedDraw:
        label = shown.get("label")
        if not isinstance(label, str) or not _LABEL.fullmatch(label):
            raise Fault("label", ascii(label)[:80])
        self.draws += 1
        if self.draws > LABELS:
            raise Fault("limits")
        secret, kind = shown.get("secret"), shown.get("kind")
        if not isinstance(secret, bool) or kind not in ("roll", "shuffle"):
            raise Fault("fields", label)
        draw = AuditedDraw(close.k, label, str(kind), fields.text(shown, "rule", 200), secret, 0)
        if kind == "roll":
            draw.sides = fields.size(shown, "sides", 1, SIDES)
            draw.seat = fields.text(shown, "seat", 200)
        if secret:
            self._seal(shown, close, draw)
        elif kind == "roll":
            self._roll(shown, key, draw)
        else:
            self._shuffle(shown, key, draw)
        self._register(draw)
        return draw

    def _roll(self, shown: Json, key: bytes, draw: AuditedDraw) -> None:
        values = fields.numbers(fields.sized(shown, "values", DICE), SIDES)
        draw.size = len(values)
        draw.values = streams.roll(key, draw.label, draw.size, draw.sides)
        if draw.values != values:
            raise Fault("dice", f"{draw.label}: {fields.few(values)}, not {fields.few(draw.values)}")
        self.tally.add(draw.seat, draw.sides, draw.values)

    def _shuffle(self, shown: Json, key: bytes, draw: AuditedDraw) -> None:
        draw.before = fields.texts(fields.sized(shown, "before", CARDS))
        draw.size = len(draw.before)
        draw.items = streams.shuffle(key, draw.label, draw.before)
        if draw.items != fields.texts(fields.sized(shown, "items", CARDS)):
            raise Fault("shuffle", draw.label)

    def _seal(self, shown: Json, close: _Close, draw: AuditedDraw) -> None:
        secret = _Secret(self.entries, close.k, close.beacon, draw.label, draw)
        if draw.kind == "roll":
            secret.commits = tuple(
                fields.raw(hidden, "commits") for hidden in fields.sized(shown, "commits", DICE)
            )
            draw.size = len(secret.commits)
        else:
            secret.root, secret.before = fields.digest(shown, "root"), fields.digest(shown, "before")
            draw.size = fields.size(shown, "size", 0, CARDS)
        self.secrets[close.k, draw.label] = secret

    def _register(self, draw: AuditedDraw) -> None:
        digest = hashlib.sha256(fields.canonical(list(draw.before))).digest()
        asked = (draw.kind, draw.secret, draw.sides, draw.size, digest)
        old = self.labels.get(draw.label)
        if old is not None and old.standing == "live":
            raise Fault("label-twice", draw.label)
        if old is not None and old.standing == "kept" and old.asked == asked:
            if draw.kind == "roll" or not draw.secret:
                raise Fault("label-kept", draw.label)
            self.redrawn.append((self.entries, old.step, draw.step, draw.label))
        self.labels[draw.label] = _Known(
            self.entries, draw.step, asked, "live", draw if self.collect else None
        )
        self.stack.append((self.entries, draw.label))

    def _rollback(self, body: Json) -> None:
        fields.text(body, "author", 200), fields.text(body, "reason", 10_000)
        target, keep = body.get("target"), body.get("keep")
        if not isinstance(keep, bool) or type(target) is not int:
            raise Fault("fields")
        if self.pending is not None or not 1 <= target < self.entries:
            raise Fault("rollback", f"to entry {target}")
        while self.stack and self.stack[-1][0] > target:
            known = self.labels[self.stack.pop()[1]]
            known.standing = "kept" if keep else "void"
            if known.draw is not None:
                known.draw.live = False

    def _kept(self, body: Json) -> None:
        for again in fields.many(body, "draws", LABELS):
            if not isinstance(again, dict):
                raise Fault("fields", "draws")
            label = fields.text(again, "label", 1_000)
            known = self.labels.get(label)
            if known is None or known.standing != "kept" or known.step != fields.number(again, "k", 1, STEPS):
                raise Fault("kept", ascii(label)[:80])
            known.standing, known.entry = "live", self.entries
            if known.draw is not None:
                known.draw.live = True
            self.stack.append((self.entries, label))

    def _opened(self, body: Json) -> None:
        if "orders" not in body:
            self._opened_card(body)
            return
        for shown in fields.many(body, "orders", LABELS):
            if not isinstance(shown, dict):
                raise Fault("fields", "orders")
            player, salt, orders = (fields.text(shown, name, LINE) for name in ("player", "salt", "orders"))
            leaf = streams.sha256(f"leaf|{player}|{salt}|{orders}".encode())
            if "|" in player or "|" in salt or not self.leaves.get(leaf):
                raise Fault("opened-orders", ascii(player)[:80])

    def _opened_card(self, body: Json) -> None:
        label, card = fields.text(body, "label", 1_000), fields.text(body, "card", 10_000)
        secret = self.secrets.get((fields.number(body, "k", 1, STEPS), label))
        position = fields.number(body, "position", 0, CARDS)
        hidden = streams.commit(fields.raw(body.get("salt"), "salt", streams.SALT_BYTES), card)
        path = [fields.raw(link, "path") for link in fields.many(body, "path", 64)]
        if secret is None or position >= secret.draw.size:
            raise Fault("opened-card", ascii(label)[:80])
        if secret.draw.kind == "roll":
            good = not path and secret.commits[position] == hidden
        else:
            good = merkle.verify(secret.root, secret.draw.size, position, hidden, path)
        if not good:
            raise Fault("opened-card", label)

    def _end(self, body: Json) -> None:
        if self.pending is not None:
            raise Fault("truncated", f"step {self.pending.k} has no result")
        link = fields.digest(body, "seed")
        for _ in range(self.most_steps - self.k):
            link = streams.link_below(link)
        if link != self.seed:
            raise Fault("end-seed")
        needed = {secret.k for secret in self.secrets.values()} | {step.k for step in self.steps}
        seeds: dict[int, bytes] = {}
        link = fields.digest(body, "secret_seed")
        for k in range(self.most_steps, 0, -1):
            if k in needed:
                seeds[k] = link
            link = streams.link_below(link)
        if link != self.secret_anchor:
            raise Fault("end-secret-seed")
        decks: dict[tuple[int, str], tuple[str, ...]] = {}
        for deck in fields.many(body, "decks", LABELS):
            if not isinstance(deck, dict):
                raise Fault("fields", "decks")
            name = (fields.number(deck, "k", 1, STEPS), fields.text(deck, "label", 1_000))
            decks[name] = fields.texts(fields.sized(deck, "before", CARDS))
        for name, secret in self.secrets.items():
            self._unseal(secret, seeds[secret.k], decks.get(name))
        for entry, old, new, label in self.redrawn:
            if (old, label) in decks and decks[old, label] == decks.get((new, label)):
                raise Fault("label-kept", label, entry)
        for step in self.steps:
            step.state_salt = streams.secret_salt(seeds[step.k], "", 0).hex()
        self.ended = True

    def _unseal(self, secret: _Secret, seed: bytes, before: tuple[str, ...] | None) -> None:
        key = streams.step_key(seed, self.game, secret.k, secret.beacon)
        draw, label = secret.draw, secret.label
        if draw.kind == "roll":
            draw.values = streams.roll(key, label, draw.size, draw.sides)
            if _commits(seed, label, map(str, draw.values)) != list(secret.commits):
                raise Fault("secret-dice", label, secret.entry)
            self.tally.add(draw.seat, draw.sides, draw.values)
            return
        if before is None:
            known = self.labels[label]
            if known.standing == "live" and known.step == secret.k:
                raise Fault("deck-unrevealed", label, secret.entry)
            return
        salt = streams.secret_salt(seed, label, -1)
        draw.before, draw.items = before, streams.shuffle(key, label, before)
        root = merkle.root_of(_commits(seed, label, draw.items))
        digest = streams.sha256(salt + fields.canonical(list(before)))
        if (len(before), root, digest) != (draw.size, secret.root, secret.before):
            raise Fault("secret-deck", label, secret.entry)


_PLAY = {"close", "result", "kept", "rollback", "end"}
_CHECKED = _PLAY | {"receipt", "opened"}


def _commits(seed: bytes, label: str, values: Iterable[str]) -> list[bytes]:
    return [streams.commit(streams.secret_salt(seed, label, n), value) for n, value in enumerate(values)]
