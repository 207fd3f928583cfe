"""The auditor: takes a log line by line and raises a `Fault` for the first thing that is wrong.

Every entry: canonical form, number, hash of the one before, own hash, and what players found in their own
letters. Every step: one close with all the orders that had receipts, then one result whose seed hashes to
the seed before it; every label once, every die and every shuffle worked out again. With a public beacon
also: the round that the time of the close demands, and its signature. A rollback lets labels be drawn
again, unless it keeps them. Cards shown, to all or to the player whose letters are at hand, are checked
against their deck's root. Once the `end` reveals z_n, all secret dice and decks are worked out as well.

Memory is bounded by the limits below, since a line is forgotten once it is checked. Only the standard
library is used.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from dataclasses import dataclass

from pbem.dice.audit.mailbox import Mailbox, Proof
from pbem.dice.audit.reasons import Reasons
from pbem.dice.audit.verdicts import AuditedDraw, AuditedStep, Tally, Verdict
from pbem.dice.beacon import rounds
from pbem.dice.beacon.rounds import QUICKNET, Network, Signatures
from pbem.dice.draw import streams
from pbem.dice.log import fields, merkle
from pbem.dice.log.fields import Fault, Json
from pbem.dice.log.hidden import Secret

ENTRIES = 2_000_000
LABELS = 1_000_000
DICE = 10_000
SIDES = 1_000_000
CARDS = 10_000
STEPS = 1 << 20
CHANGES = 1_000
"""How many changes of source are named."""
TEXT = 16 << 20
CLOSES = 10
"""How many closes that no letter witnesses are named."""
EDITIONS = ("pbem-dice/1", "pbem-dice/2")
"""What a log says of itself: from the second on it has to show for every answer where it came from."""

_LABEL = re.compile(r"[a-z0-9_./-]{1,1000}")
_FIELDS = {"at", "body", "hash", "kind", "n", "prev"}


@dataclass
class _Known:
    """A label that was drawn: by which entry and step, from which input, and whether it still stands."""

    entry: int
    step: int
    asked: tuple[object, ...]
    standing: str
    draw: AuditedDraw | None


@dataclass
class _Close:
    """A close that waits for its result; in `beacon` mode the beacon comes with the result."""

    entry: int
    k: int
    beacon: bytes = b""
    round: int = 0


@dataclass(frozen=True)
class Demands:
    """What is asked of an audit besides the log itself."""

    collect: bool = False
    signatures: bool = True
    networks: tuple[Network, ...] = (QUICKNET,)
    game: str = ""


class Auditor:
    """An audit under way."""

    def __init__(self, mailbox: Mailbox, demands: Demands) -> None:
        self.heads: dict[int, set[str]] = {}
        for number, head in mailbox.heads:
            self.heads.setdefault(number, set()).add(head.lower())
        self.compared = 0
        """How many heads of a player's letters are in the log."""
        self.promised: dict[int, list[str]] = {}
        for number, leaf in mailbox.receipts:
            self.promised.setdefault(number, []).append(leaf)
        self.due: list[str] = []
        """Leaves of the player's receipts that must come before the next close."""
        self.seen: list[tuple[int, ...]] = sorted(mailbox.seen)
        self.proofs: dict[tuple[int, str], list[Proof]] = {}
        for proof in mailbox.proofs:
            self.proofs.setdefault((proof.step, proof.label), []).append(proof)
        self.demands = demands
        self.collect = demands.collect
        self.mode = ""
        self.network = QUICKNET
        self.delay = 0
        self.now = 0
        self.signatures = Signatures()
        self.sources: list[int] = []
        self.witnessed = self.receipts = self.cards = 0
        self.unwitnessed: list[int] = []
        self.edition = 0
        self.reasons = Reasons()
        self.answers: dict[tuple[str, str], int] = {}
        self.words: tuple[str, ...] = ()
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
        self.unsealed: set[bytes] = set()
        self.labels: dict[str, _Known] = {}
        self.stack: list[tuple[int, str]] = []
        self.secrets: dict[tuple[int, str], Secret] = {}
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
            mode=self.mode,
            rounds=self.signatures.checked,
            signatures=self.demands.signatures,
            sources=tuple(self.sources),
            waiting=self._waiting(),
            witnessed=self.witnessed,
            unwitnessed=tuple(self.unwitnessed),
            compared=self.compared,
            edition=self.edition,
            words=self.words,
            wordless=self._wordless(),
            answers=tuple((*who, count) for who, count in sorted(self.answers.items())),
            receipts=self.receipts,
            cards=self.cards,
            spreads=self.tally.spreads(),
            steps=tuple(self.steps),
        )

    def _wordless(self) -> tuple[str, ...]:
        """The seats that had given no word before the first draw of a game in `chain` mode."""
        setup = self.genesis.get("setup")
        seats = setup.get("seats") if isinstance(setup, dict) else None
        if self.mode != "chain" or not self.k or not isinstance(seats, list):
            return ()
        return tuple(seat for seat in seats[:1_000] if isinstance(seat, str) and seat not in self.words)

    def _waiting(self) -> tuple[int, int, int] | None:
        if self.pending is None or self.mode != "beacon":
            return None
        return self.pending.k, self.pending.round, self.network.time_of(self.pending.round)

    def take(self, raw: bytes) -> None:
        """Check one line."""
        self.entries += 1
        if self.entries > ENTRIES:
            raise Fault("limits")
        line = raw.rstrip(b"\r\n")
        entry = fields.parse(line, whole=len(line) < len(raw))
        kind, body = self._entry(entry, line)
        self._receipts(kind, body)
        if kind == "genesis":
            self._genesis(body)
            self.reasons.take(self.entries, kind, str(entry["at"]), body)
            return
        if self.entries == 1:
            raise Fault("genesis")
        if self.mode == "beacon":
            self._clock(str(entry["at"]))
        check = getattr(self, f"_{kind}", None) if kind in _CHECKED else None
        if check is not None:
            if self.ended and kind in _PLAY:
                raise Fault("after-end", kind)
            check(body)
            if self.edition > 1:
                self._reason(kind, str(entry["at"]), body)
        else:
            raise Fault("kind", kind[:40])

    def _reason(self, kind: str, at: str, body: Json) -> None:
        """Who played which seat, and why: what a log of the second edition has to show for it."""
        self.reasons.take(self.entries, kind, at, body)
        leaf = self.reasons.leaves(self.entries)
        if leaf:
            self._leaf(fields.raw(leaf, "leaf"))
        if kind == "act" and body.get("act") == "journal":
            self.answers = {}
            for answer in self.reasons.check(body, self.entries):
                who = (answer.seat, answer.origin)
                self.answers[who] = self.answers.get(who, 0) + 1

    def _clock(self, at: str) -> None:
        now = rounds.seconds(at)
        if now < self.now:
            raise Fault("time", at)
        self.now = now

    def close(self) -> None:
        """Check that nothing is missing after the last line."""
        if not self.entries:
            raise Fault("empty")
        if self.pending is not None:
            if self.mode != "beacon":
                raise Fault("truncated", f"step {self.pending.k} has no result")
            self._witness(self.pending, self.entries + 1)
        beyond = [number for number in (*self.heads, *self.promised) if number > self.entries]
        if beyond:
            raise Fault("truncated", f"a letter names entry {min(beyond)}")
        if self.due:
            raise Fault("truncated", f"leaf {self.due[0]}")
        for k, label in sorted(self.proofs):
            raise Fault("proof" if k <= self.k else "truncated", f"{label}, step {k}"[:80])

    def _receipts(self, kind: str, body: Json) -> None:
        """The player's receipts: each stands at the entry that his letter names, or behind it and before a close."""
        if kind == "close" and self.due:
            raise Fault("receipt", f"log #{self.entries} leaf {self.due[0]}")
        self.due += self.promised.pop(self.entries, ())
        if kind == "receipt":
            kept = [leaf for leaf in self.due if not str(body.get("leaf")).startswith(leaf)]
            self.receipts += len(self.due) - len(kept)
            self.due = kept

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
        # The body stands before the hash: what follows it is all that has to be written anew.
        after = {name: entry[name] for name in ("hash", "kind", "n", "prev")}
        body_end = len(line) - len(fields.canonical(after)) + 1
        del after["hash"]
        bare = line[:body_end] + fields.canonical(after)[1:]
        self.head = hashlib.sha256(b"pbem-log/1|" + bare).hexdigest()
        if entry["hash"] != self.head:
            raise Fault("hash")
        for told in self.heads.get(number, ()):
            if len(told) < 16 or not self.head.startswith(told):
                raise Fault("head", f"log #{number} head={told[:64]}")
            self.compared += 1
        body = entry["body"]
        if not isinstance(body, dict):
            raise Fault("fields", "body")
        return kind, body

    def _genesis(self, body: Json) -> None:
        if body.get("format") not in EDITIONS:
            raise Fault("format", ascii(body.get("format"))[:80])
        if self.entries != 1:
            raise Fault("genesis")
        if body.get("mode") not in ("chain", "beacon"):
            raise Fault("mode", ascii(body.get("mode"))[:80])
        self.edition = EDITIONS.index(str(body["format"])) + 1
        self.mode = fields.text(body, "mode", 20)
        self.game = fields.text(body, "game", 200)
        if self.demands.game and self.game != self.demands.game:
            raise Fault("game", ascii(self.game)[:80])
        self.seed, self.secret_anchor = fields.digest(body, "anchor"), fields.digest(body, "secret_anchor")
        self.most_steps = fields.number(body, "steps", 1, STEPS)
        self.genesis = body
        if self.mode == "beacon":
            self._source_is(body)

    def _source_is(self, body: Json) -> None:
        self.network, self.delay = rounds.network_in(body, self.demands.networks)

    def _source(self, body: Json) -> None:
        fields.text(body, "author", 200), fields.text(body, "reason", 10_000)
        if self.mode != "beacon":
            raise Fault("mode", "chain")
        if self.pending is not None:
            raise Fault("source-pending", f"step {self.pending.k}")
        self._source_is(body)
        if len(self.sources) < CHANGES:
            self.sources.append(self.entries)

    def _act(self, body: Json) -> None:
        if body.get("act") != "statistics":
            return
        counted = [
            {"seat": spread.seat, "sides": spread.sides, "counts": list(spread.counts)}
            for spread in self.tally.spreads()
        ]
        if body.get("dice") != counted:
            raise Fault("statistics")

    def _receipt(self, body: Json) -> None:
        fields.text(body, "player", 200)
        fields.digest(body, "letter")
        self._leaf(fields.digest(body, "leaf"))

    def _leaf(self, leaf: bytes) -> None:
        """Sealed orders: they belong into the next close."""
        if len(self.leaves) >= LABELS:
            raise Fault("limits")
        if not self.leaves.setdefault(leaf, False):
            self.unsealed.add(leaf)

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
        self.unsealed.difference_update(leaves)
        if self.unsealed:
            raise Fault("leaf-missing", min(self.unsealed).hex()[:16])
        if self.mode == "beacon":
            number = fields.number(body, "round", 1, 1 << 62)
            wanted = self.network.round_for(self.now, self.delay)
            if number != wanted:
                raise Fault("round", f"{number}, not {wanted}")
            self.pending = _Close(self.entries, k, round=number)
            return
        salts = body.get("salts")
        if not isinstance(salts, dict):
            raise Fault("fields", "salts")
        beacon = fields.digest(body, "beacon")
        if streams.salt_beacon(fields.text(salts, seat, 1_000) for seat in salts) != beacon:
            raise Fault("close-beacon")
        self.pending = _Close(self.entries, k, beacon)
        if k == 1:
            self.words = tuple(sorted(seat for seat in salts if salts[seat]))[:1_000]

    def _result(self, body: Json) -> None:
        k = fields.number(body, "k", 1, STEPS)
        close, self.pending = self.pending, None
        if close is None or close.k != k:
            raise Fault("result-order", f"step {k}")
        seed = fields.digest(body, "seed")
        if streams.link_below(seed) != self.seed:
            raise Fault("seed", f"step {k}")
        if self.mode == "beacon":
            self._round(body, close)
        self.k, self.seed = k, seed
        key = streams.step_key(seed, self.game, k, close.beacon)
        step = AuditedStep(k, self.entries, fields.text(body, "state", 64), [])
        for shown in fields.many(body, "draws", LABELS):
            if not isinstance(shown, dict):
                raise Fault("fields", "draws")
            step.draws.append(self._draw(shown, close, key))
        if self.collect:
            self.steps.append(step)

    def _round(self, body: Json, close: _Close) -> None:
        signature = fields.raw(body.get("signature"), "signature", rounds.SIGNATURE_BYTES)
        if self.now < self.network.time_of(close.round):
            raise Fault("early", f"round {close.round}")
        if self.demands.signatures:
            self.signatures.add(self.entries, self.network, close.round, signature)
        close.beacon = streams.sha256(signature)
        self._witness(close, self.entries)

    def _witness(self, close: _Close, until: int) -> None:
        """A letter that names the close but not yet its result must have come before the round."""
        first, end = bisect_left(self.seen, (close.entry,)), bisect_left(self.seen, (until,))
        came = [letter[1] for letter in self.seen[first:end]]
        if came and min(came) >= self.network.time_of(close.round):
            raise Fault("late", f"step {close.k}, round {close.round}", close.entry)
        self.witnessed += bool(came)
        if not came and len(self.unwitnessed) < CLOSES:
            self.unwitnessed.append(close.entry)

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
        secret = Secret(self.entries, close.k, close.beacon, draw.label, draw)
        if draw.kind == "roll":
            secret.commits = tuple(
                fields.raw(hidden, "commits") for hidden in fields.sized(shown, "commits", DICE)
            )
            draw.size = len(secret.commits)
        else:
            secret.root, secret.before = fields.digest(shown, "root"), fields.digest(shown, "before")
            draw.size = fields.size(shown, "size", 0, CARDS)
        self.secrets[close.k, draw.label] = secret
        for proof in self.proofs.pop((close.k, draw.label), ()):
            if not secret.proved(proof):
                raise Fault("proof", f"{draw.label}, {proof.card}"[:80])
            self.cards += 1

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
        self.unsealed.clear()
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
            player, salt, orders = (fields.text(shown, name, TEXT) for name in ("player", "salt", "orders"))
            leaf = streams.sha256(f"leaf|{player}|{salt}|{orders}".encode())
            if "|" in player or "|" in salt or leaf not in self.leaves:
                raise Fault("opened-orders", ascii(player)[:80])

    def _opened_card(self, body: Json) -> None:
        label, card = fields.text(body, "label", 1_000), fields.text(body, "card", 10_000)
        secret = self.secrets.get((fields.number(body, "k", 1, STEPS), label))
        position = fields.number(body, "position", 0, CARDS)
        salt = fields.raw(body.get("salt"), "salt", streams.SALT_BYTES)
        path = [fields.raw(link, "path") for link in fields.many(body, "path", 64)]
        if secret is None or not secret.shows(position, salt, card, path):
            raise Fault("opened-card", ascii(label)[:80])

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

    def _unseal(self, secret: Secret, seed: bytes, before: tuple[str, ...] | None) -> None:
        draw = secret.draw
        if draw.kind == "shuffle" and before is None:
            known = self.labels[secret.label]
            if known.standing == "live" and known.step == secret.k:
                raise Fault("deck-unrevealed", secret.label, secret.entry)
            return
        secret.unseal(self.game, seed, before or ())
        if draw.kind == "roll":
            self.tally.add(draw.seat, draw.sides, draw.values)


_PLAY = {"close", "result", "kept", "rollback", "source", "end"}
_CHECKED = _PLAY | {"receipt", "opened", "source", "act"}
