"""The croupier draws in live play and writes what the log needs.

`begin(leaves)` hands over the sealed orders that nothing has been drawn on yet. The first new draw after it
opens step k = last + 1: a `close` (k, the leaves with their Merkle root, the SALT words and the beacon made
of them). `finish(state_hash)` gives the entries to append: `close`, `result` (s_k, every draw, the state),
`kept`, `opened`; none at all if nothing was drawn or shown. Everything between `begin` and `finish` is one
step, however many labels it has, because nobody decides anything in between.

Of a secret roll the log gets `H(salt + value)` per die, of a secret deck the Merkle root over `H(salt +
card)`, its size and a salted hash of the cards before the shuffle. The state's hash is salted too: a bare
one would let a player try out what he does not know. All salts come from z_k, so that the end of the game
opens everything.

With a `source`, a public beacon, the dice of a step hang on a round that does not exist when the step is
closed. The first new draw then raises `AwaitBeacon` out of the rules; `suspend()` gives the `close` to
append, and the moderator commits it with the answers it froze. Once the round is there, the moderator takes
the game up again from before those answers, calls `take_up(close, round)` in place of `begin`, and gives
the answers again: now the draws fall, and `finish` gives the `result`. Nobody may decide anything in
between, so letters that come while a step waits belong to the next one.

Outside `begin` and `finish` the croupier sleeps: draws on record are given, deals are old news, and a new
draw is an error, so that a game taken up again after a restart can never draw by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NoReturn, Protocol

import msgspec

from pbem.dice.beacon.rounds import Source
from pbem.dice.draw import streams
from pbem.dice.draw.seeds import Exhausted, Seeds, Step
from pbem.dice.log import merkle
from pbem.dice.log.entries import Body, canonical
from pbem.kernel.chance import LABEL, Draw, LabelUsed, UnknownDraw

BEFORE = -1
"""The position under which the salt for the cards before a shuffle is made."""

_TREES_KEPT = 64
_SALT_LENGTH = 200
_Same = Callable[["Drawn"], bool]


class NotBegun(RuntimeError):
    """A new draw was asked for while the croupier was asleep."""


class AwaitBeacon(Exception):
    """The draw hangs on a round that does not exist yet; `at` is when it will, in seconds since 1970."""

    def __init__(self, number: int, at: int) -> None:
        super().__init__(f"round {number}, due at {at}")
        self.round = number
        self.at = at


class Round(msgspec.Struct, frozen=True):
    """A round of the beacon whose signature has been checked."""

    number: int
    signature: bytes


class Drawn(Draw, frozen=True):
    """A draw with the step it was drawn in."""

    step: int = 0


class Leaves(Protocol):
    """Whatever knows the digest of sealed orders."""

    @property
    def digest(self) -> bytes:
        """The hash that stands in the log."""


class Sealed(msgspec.Struct, frozen=True):
    """A leaf of which only the digest is at hand."""

    digest: bytes


class DealtCard(msgspec.Struct, frozen=True):
    """A card (or a die) of a secret draw, with the proof that it was in the log all along.

    `size` is the deck's, 0 for a die; `root` is the deck's root, for a die its `H(salt + value)`.
    """

    to: str | None
    label: str
    step: int
    position: int
    size: int
    card: str
    salt: str
    path: tuple[str, ...]
    root: str

    def holds(self) -> bool:
        """Whether the proof leads to the root."""
        try:
            root = bytes.fromhex(self.root)
            hidden = streams.commit(bytes.fromhex(self.salt), self.card)
            path = [bytes.fromhex(link) for link in self.path]
        except ValueError:
            return False
        if self.size == 0:
            return hidden == root
        return merkle.verify(root, self.size, self.position, hidden, path)

    def body(self) -> Body:
        """The body of an `opened` entry."""
        return {
            "label": self.label,
            "k": self.step,
            "position": self.position,
            "card": self.card,
            "salt": self.salt,
            "path": list(self.path),
        }


class Croupier:
    """Chance for live play.

    `recorded` are the draws of the game as it stands; `kept` those that a rollback undid but kept. Both may
    be lazy mappings. A label on record gives its value again, and is refused with other contents; a kept one
    gives its value if its input is unchanged, and is drawn anew otherwise. `pending` is the close of a step
    that waits for its round.
    """

    def __init__(
        self,
        seeds: Seeds,
        *,
        last_step: int = 0,
        recorded: Mapping[str, Drawn] | None = None,
        kept: Mapping[str, Drawn] | None = None,
        salts: Mapping[str, str] | None = None,
        source: Source | None = None,
        pending: Body | None = None,
    ) -> None:
        self.seeds = seeds
        self.source = source
        """The public beacon; None in `chain` mode. A change of source replaces it between two steps."""
        self.pending = pending
        self.last_step = last_step
        self.recorded: Mapping[str, Drawn] = recorded if recorded is not None else {}
        self.kept: Mapping[str, Drawn] = kept if kept is not None else {}
        self.draws: list[Drawn] = []
        """What was drawn since `begin`, kept draws included."""
        self.proofs: list[DealtCard] = []
        """What was shown to single seats since `begin`."""
        self._salts = _clean(salts or {})
        self._new: dict[str, Drawn] = {}
        self._trees: dict[tuple[int, str], merkle.Tree] = {}
        self._leaves: tuple[Leaves, ...] = ()
        self._opened: list[DealtCard] = []
        self._awake = False
        self._step: Step | None = None
        self._close: Body = {}
        self._taken_up: Body | None = None
        self._signature = b""
        self._now = 0

    @property
    def awaited(self) -> AwaitBeacon | None:
        """What the closed step waits for, if one does."""
        if self.pending is None or self.source is None:
            return None
        number = int(str(self.pending["round"]))
        return AwaitBeacon(number, self.source.network.time_of(number))

    def begin(
        self, leaves: Iterable[Leaves] = (), salts: Mapping[str, str] | None = None, *, now: int = 0
    ) -> None:
        """Wake up. `leaves` are all the sealed orders since the last close, not only the newest.

        `now` is the time that the entries will bear; a public beacon needs it.
        """
        if self._awake:
            raise RuntimeError("a step has begun and not been finished or abandoned")
        if self.pending is not None:
            raise RuntimeError("a closed step waits for its round")
        if self.source is not None and now < self.source.network.genesis:
            raise ValueError("a public beacon needs the time")
        self._now = now
        self._leaves = tuple(leaves)
        if salts is not None:
            self._salts = _clean(salts)
        self._wake()

    def take_up(self, close: Body, beacon: Round) -> None:
        """Wake up for a step that was closed before, now that its round is there."""
        if self._awake:
            raise RuntimeError("a step has begun and not been finished or abandoned")
        if close["k"] != self.last_step + 1 or close["round"] != beacon.number:
            raise ValueError(f"round {beacon.number} is not the one that step {close['k']} waits for")
        self._wake()
        self.pending = self._taken_up = close
        self._signature = beacon.signature
        self._step = self.seeds.step(self.last_step + 1, streams.sha256(beacon.signature))

    def suspend(self) -> list[tuple[str, Body]]:
        """Go to sleep until the round is there; the `close` to append to the log."""
        if self._step is not None or not self._awake or not self._close:
            raise NotBegun("no step waits for a round")
        close = self._close
        self.abandon()
        self.pending = close
        return [("close", close)]

    def _wake(self) -> None:
        self.draws, self.proofs, self._opened = [], [], []
        self._step, self._close, self._signature, self._taken_up = None, {}, b"", None
        self._awake = True

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """The dice of a label."""
        asked = ("roll", sides, dice, secret)
        found = self._find(label, lambda old: (old.kind, old.sides, len(old.values), old.secret) == asked)
        if found is not None:
            return found.values
        step = self._open(label)
        values = streams.roll(step.secret_key if secret else step.key, label, dice, sides)
        self._add(Drawn(label, "roll", rule, secret, sides, values, seat=seat, step=step.k))
        return values

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """The items of a label in their new order, top first."""
        before = tuple(items)
        asked = ("shuffle", before, secret)
        found = self._find(label, lambda old: (old.kind, old.before, old.secret) == asked)
        if found is not None:
            return found.items
        step = self._open(label)
        order = streams.shuffle(step.secret_key if secret else step.key, label, before)
        self._add(Drawn(label, "shuffle", rule, secret, before=before, items=order, step=step.k))
        return order

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Show a card of a secret deck, or a secret die, to a seat or to everyone, with its proof."""
        if not self._awake:
            return
        drawn = self._on_record(label)
        if drawn is None:
            raise UnknownDraw(label)
        if not drawn.secret:
            return
        dealt = self.prove(drawn, position, to=to)
        (self._opened if to is None else self.proofs).append(dealt)

    def prove(self, drawn: Drawn, position: int, *, to: str | None) -> DealtCard:
        """A card or die of a secret draw with its proof."""
        values = _values(drawn)
        if not 0 <= position < len(values):
            raise IndexError(f"{drawn.label} has no position {position}")
        card = values[position]
        salt = streams.secret_salt(self.seeds.secret[drawn.step], drawn.label, position)
        size = 0
        path: tuple[bytes, ...] = ()
        root = streams.commit(salt, card)
        if drawn.kind == "shuffle":
            tree = self._tree(drawn)
            size, path, root = tree.size, tree.path(position), tree.root
        return DealtCard(
            to,
            drawn.label,
            drawn.step,
            position,
            size,
            card,
            salt.hex(),
            tuple(link.hex() for link in path),
            root.hex(),
        )

    def finish(self, state_hash: str) -> list[tuple[str, Body]]:
        """Go to sleep; the entries to append to the log, in their order."""
        if not self._awake:
            raise NotBegun("nothing has begun")
        if self._close and self._step is None:
            raise RuntimeError("a step waits for its round: suspend it")
        self._awake = False
        entries: list[tuple[str, Body]] = []
        if self._step is not None:
            if self.pending is None:
                entries.append(("close", self._close))
            entries.append(("result", self._result(self._step, state_hash)))
            self.last_step, self.pending = self._step.k, None
        new = self._step.k if self._step is not None else None
        again = [{"label": drawn.label, "k": drawn.step} for drawn in self.draws if drawn.step != new]
        if again:
            entries.append(("kept", {"draws": again}))
        entries += [("opened", dealt.body()) for dealt in self._opened]
        return entries

    def abandon(self) -> None:
        """Forget everything since the last `begin`, as when its transaction failed."""
        for drawn in self.draws:
            del self._new[drawn.label]
            self._trees.pop((drawn.step, drawn.label), None)
        if self._step is not None:
            self.last_step = self._step.k - 1
        self.pending = self._taken_up or self.pending
        self._wake()
        self._awake = False

    def end(self, others: Iterable[Drawn] = ()) -> Body:
        """The body of the `end` entry: both seeds, and the cards of each secret deck before its shuffle.

        Every secret deck of the game must be in it. `others` are those that this croupier was not given:
        from before the checkpoint at which the game was taken up, or from play that was rolled back.
        """
        decks: dict[tuple[int, str], Drawn] = {}
        for source in (self.recorded.values(), self.kept.values(), self._new.values(), others):
            for drawn in source:
                if drawn.secret and drawn.kind == "shuffle":
                    decks[drawn.step, drawn.label] = drawn
        return {
            "seed": self.seeds.open[self.seeds.steps].hex(),
            "secret_seed": self.seeds.secret[self.seeds.steps].hex(),
            "decks": [
                {"k": k, "label": label, "before": list(drawn.before)}
                for (k, label), drawn in sorted(decks.items(), key=lambda deck: deck[0])
            ],
        }

    def known(self, label: str) -> Drawn | None:
        """A draw that counts, or that a rollback has undone and kept."""
        return self._on_record(label) or self.kept.get(label)

    def drawn(self, label: str) -> Drawn | None:
        """The draw of a label as the game has it; None where nothing was drawn under it."""
        return self._on_record(label)

    def _on_record(self, label: str) -> Drawn | None:
        return self._new.get(label) or self.recorded.get(label)

    def _find(self, label: str, same: _Same) -> Drawn | None:
        drawn = self._on_record(label)
        if drawn is not None:
            if not same(drawn):
                raise LabelUsed(label)
            return drawn
        kept = self.kept.get(label)
        if kept is None or not same(kept):
            return None
        if not self._awake:
            raise NotBegun(label)
        self._add(kept)
        return kept

    def _add(self, drawn: Drawn) -> None:
        self._new[drawn.label] = drawn
        self.draws.append(drawn)

    def _open(self, label: str) -> Step:
        if not LABEL.match(label):
            raise ValueError(f"not a label: {label!r}")
        if not self._awake:
            raise NotBegun(label)
        if self._step is None:
            digests = [leaf.digest for leaf in self._leaves]
            self._close = {
                "k": self.last_step + 1,
                "leaves": [digest.hex() for digest in digests],
                "root": merkle.root_of(digests).hex(),
            }
            if self.source is not None:
                self._await(self.source)
            beacon = streams.salt_beacon(self._salts.values())
            self._step = self.seeds.step(self.last_step + 1, beacon)
            self._close |= {"salts": self._salts, "beacon": beacon.hex()}
        return self._step

    def _await(self, source: Source) -> NoReturn:
        if self.last_step >= self.seeds.steps:
            raise Exhausted(f"step {self.last_step + 1} of a chain of {self.seeds.steps}")
        number = source.network.round_for(self._now, source.delay)
        self._close["round"] = number
        raise AwaitBeacon(number, source.network.time_of(number))

    def _result(self, step: Step, state_hash: str) -> Body:
        salt = streams.secret_salt(self.seeds.secret[step.k], "", 0)
        signed: Body = {"signature": self._signature.hex()} if self.pending is not None else {}
        return signed | {
            "k": step.k,
            "seed": self.seeds.open[step.k].hex(),
            "draws": [self._shown(drawn) for drawn in self.draws if drawn.step == step.k],
            "state": streams.commit(salt, state_hash).hex(),
        }

    def _shown(self, drawn: Drawn) -> Body:
        shown: Body = {"label": drawn.label, "kind": drawn.kind, "rule": drawn.rule, "secret": drawn.secret}
        if drawn.kind == "roll":
            shown |= {"sides": drawn.sides, "seat": drawn.seat}
            if drawn.secret:
                shown["commits"] = [hidden.hex() for hidden in self._hidden(drawn)]
            else:
                shown["values"] = list(drawn.values)
        elif drawn.secret:
            salt = streams.secret_salt(self.seeds.secret[drawn.step], drawn.label, BEFORE)
            tree = self._tree(drawn)
            shown |= {"size": tree.size, "root": tree.root.hex(), "before": deck_digest(salt, drawn.before)}
        else:
            shown |= {"before": list(drawn.before), "items": list(drawn.items)}
        return shown

    def _hidden(self, drawn: Drawn) -> list[bytes]:
        seed = self.seeds.secret[drawn.step]
        return [
            streams.commit(streams.secret_salt(seed, drawn.label, position), value)
            for position, value in enumerate(_values(drawn))
        ]

    def _tree(self, drawn: Drawn) -> merkle.Tree:
        name = (drawn.step, drawn.label)
        tree = self._trees.get(name)
        if tree is None:
            if len(self._trees) >= _TREES_KEPT:
                del self._trees[next(iter(self._trees))]
            tree = self._trees[name] = merkle.Tree(self._hidden(drawn))
        return tree


def deck_digest(salt: bytes, before: Sequence[str]) -> str:
    """The salted hash of a deck before its shuffle."""
    return streams.sha256(salt + canonical(list(before))).hex()


def _values(drawn: Drawn) -> tuple[str, ...]:
    return tuple(map(str, drawn.values)) if drawn.kind == "roll" else drawn.items


def _clean(salts: Mapping[str, str]) -> dict[str, str]:
    """SALT words as they can stand in the log: players may write anything there."""
    return {
        seat: word.encode("utf-8", "replace").decode()[:_SALT_LENGTH] for seat, word in sorted(salts.items())
    }
