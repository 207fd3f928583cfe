"""The commands of a letter, in English and French: CHECK, STATUS, MAP, PRESS TO …, and the game master's.

A command is the first word of a line, in full or shortened as long as only one fits. A line that is an order
of an open question stays an order: the game comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from pbem.kernel.problem import AMBIGUOUS, UNREADABLE, Problem
from pbem.orders.words import LONGEST_LINE, clip, fold, tolerance

_SHORTEST = 3
_WORD = re.compile(r"\s*([^\W\d_]+)\s*(:?)\s*(.*)\Z", re.DOTALL)
_NOTHING = r"\Z"
_ANYTHING = r".*"
_SOMETHING = r"\S"
_ONE_WORD = r"\S*+\s*+\Z"
_SOURCE = r"(?i:quicknet|cha[iî]n|[0-9a-f]{8,64}\b|\d)"
"""«Source of all my worries…» is no command."""
_NUMBER = r"\[?#?\d{1,9}\]?\s*+\Z"


_CORRECTION = ("correction", "the", "la")


class Spec(msgspec.Struct, frozen=True):
    """A command: its names in both languages, what may follow it, and who may give it."""

    name: str
    en: tuple[str, ...]
    fr: tuple[str, ...]
    argument: str = _NOTHING
    linking: tuple[str, ...] = ()
    """Words of which one has to follow the first: PRESS TO, ACT FOR."""
    body: bool = False
    """Whether the lines that follow belong to it."""
    whole: bool = False
    """Whether it has to be written in full: it cannot be taken back."""
    master: bool = False


SPECS = (
    Spec("join", ("join",), ("rejoindre", "inscription"), _ANYTHING),
    Spec("orders", ("orders",), ("ordres",), _ONE_WORD),
    Spec("check", ("check",), ("verifier", "controler", "controle", "essai"), _ANYTHING),
    Spec("status", ("status",), ("etat", "situation"), _ONE_WORD),
    Spec("map", ("map",), ("carte",), _ONE_WORD),
    Spec("history", ("history",), ("historique",), r"(?:\S++\s*+){0,3}\Z"),
    Spec("why", ("why",), ("pourquoi",), r"\[?#?[dD]?\d{1,9}\]?\s*+\??\s*+\Z"),
    Spec("dice", ("dice",), ("des",), _ONE_WORD),
    Spec(
        "standing", ("standing",), ("permanent", "permanents", "consignes", "consigne"), _ANYTHING, body=True
    ),
    Spec("ready", ("ready",), ("pret", "prete"), _ONE_WORD),
    Spec("wait", ("wait",), ("attendre",), _ONE_WORD),
    Spec("clear", ("clear",), ("annuler", "effacer"), _ONE_WORD, whole=True),
    Spec("absent", ("absent", "absence"), ("absent", "absence"), _ANYTHING),
    Spec(
        "press",
        ("press",),
        ("message", "presse", "courrier"),
        _ANYTHING,
        linking=("to", "a", "au", "aux", "pour"),
        body=True,
    ),
    Spec("propose", ("propose",), ("proposer",), _ANYTHING, body=True),
    Spec("sign", ("sign",), ("signer",), _SOMETHING, body=True),
    Spec("unsign", ("unsign",), ("designer",), _NUMBER),
    Spec("denounce", ("denounce",), ("denoncer",), _NUMBER),
    Spec("vote", ("vote",), ("voter",), _ANYTHING),
    Spec("object", ("object", "objection"), ("objecter", "opposer"), _ANYTHING),
    Spec("leave", ("leave", "unsubscribe"), ("quitter",), whole=True),
    Spec("list", ("list",), ("liste", "parties"), _ONE_WORD),
    Spec("substitute", ("substitute",), ("suppleant", "suppleante"), _SOMETHING),
    Spec("address", ("address",), ("adresse",), _SOMETHING),
    Spec("resend", ("resend",), ("renvoyer",), _ONE_WORD),
    Spec("help", ("help",), ("aide",), _ANYTHING),
    Spec("resign", ("resign",), ("abandonner", "demissionner"), _ONE_WORD, whole=True),
    Spec("salt", ("salt",), ("sel",), _SOMETHING),
    Spec("reading", ("reading",), ("lecture",), r"(?i:strict|stricte|free|libre)?\s*\Z"),
    Spec("confirm", ("confirm",), ("confirmer",), _NUMBER),
    Spec("newtoken", ("newtoken",), ("nouveaujeton",), whole=True),
    Spec("start", ("start",), ("commencer", "demarrer"), _ONE_WORD, master=True),
    Spec("pause", ("pause",), ("pause", "suspendre"), _ANYTHING, master=True),
    Spec("resume", ("resume",), ("reprendre",), _ANYTHING, whole=True, master=True),
    Spec("extend", ("extend",), ("prolonger",), _SOMETHING, master=True),
    Spec("replace", ("replace",), ("remplacer",), _SOMETHING, master=True),
    Spec("act", ("act",), ("agir",), _SOMETHING, linking=("for", "pour"), body=True, master=True),
    Spec("process", ("process",), ("traiter",), _ANYTHING, whole=True, master=True),
    Spec("rollback", ("rollback",), ("revenir",), _SOMETHING, whole=True, master=True),
    Spec("correct", ("correct",), ("corriger",), _SOMETHING, whole=True, master=True),
    Spec("source", ("source",), ("source", "balise"), _SOURCE, whole=True, master=True),
    Spec("uphold", ("uphold",), ("maintenir",), _SOMETHING, _CORRECTION, whole=True, master=True),
    Spec("withdraw", ("withdraw",), ("retirer",), _SOMETHING, _CORRECTION, whole=True, master=True),
    Spec("pressmode", ("pressmode",), ("mode",), _SOMETHING, whole=True, master=True),
    Spec("announce", ("announce",), ("annoncer",), _ANYTHING, body=True, master=True),
)
_BY_WORD: dict[str, Spec] = {word: spec for spec in SPECS for word in (*spec.en, *spec.fr)}
_STANDING_STARTS = ("when ", "whenever ", "quand ", "lorsque ", "ask me ", "demander ", "demande")
_PRESS = ("press", "de la presse")
_END_OF_BODY = re.compile(
    r"\s*+(?:end|fin)[\s_-]*+(?:(?:of|de|du|des)[\s_-]*+)?"
    r"(?:presse?|message|announcement|annonce|courrier)\s*+\.?\s*+\Z",
    re.IGNORECASE,
)
_LONGEST_BODY = 400


class Command(msgspec.Struct, frozen=True):
    """A command as it was given: its name, what followed on the line, and the lines that belong to it."""

    name: str
    argument: str = ""
    lines: tuple[str, ...] = ()
    text: str = ""
    problem: Problem | None = None
    """What is wrong with it; it is then not to be carried out."""
    trial: bool = False
    """Whether CHECK stands above it: it is looked at, and changes nothing."""


class OrderLine(msgspec.Struct, frozen=True):
    """A line that is no command: an order, or so we hope. In a trial nothing of it is carried out."""

    text: str
    trial: bool = False
    also: Command | None = None
    """The command that the line could be as well; the order goes first."""


class Parts(msgspec.Struct, frozen=True):
    """A letter taken apart, in the order of its lines."""

    items: tuple[Command | OrderLine, ...] = ()
    trial: bool = False
    """Whether the whole letter is a trial: its subject or its first line says CHECK and nothing else."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands."""
        return tuple(item for item in self.items if isinstance(item, Command))

    @property
    def orders(self) -> tuple[OrderLine, ...]:
        """The other lines."""
        return tuple(item for item in self.items if isinstance(item, OrderLine))


def _never(line: str) -> bool:
    return False


def spec(name: str) -> Spec:
    """The command of that name."""
    return next(one for one in SPECS if one.name == name)


def command(line: str) -> Command | None:
    """The command that a line gives, if it gives one."""
    if len(line) > LONGEST_LINE:
        return None
    match = _WORD.match(line)
    if match is None:
        return None
    typed, colon, rest = match.groups()
    word = fold(typed)
    shouted = bool(colon) or typed.isupper()
    if word == "des" and not shouted and typed.isascii() and rest:
        return None  # «des nouvelles ?» asks for no dice
    if word == "mode" and not fold(rest).startswith(_PRESS):
        return None
    found = _BY_WORD.get(word)
    if found is None:
        candidates = _shortened(word)
        if len(candidates) > 1 and not rest:
            names = tuple(one.name.upper() for one in candidates)
            params: dict[str, str | int | tuple[str, ...]] = {"text": clip(line), "candidates": names}
            return Command("", text=line, problem=Problem("ambiguous_command", kind=AMBIGUOUS, params=params))
        if len(candidates) != 1:
            return None
        found = candidates[0]
    return _with_argument(found, line, rest.strip(), shouted)


@lru_cache(maxsize=1024)
def _shortened(word: str) -> tuple[Spec, ...]:
    if len(word) < _SHORTEST:
        return ()
    fitting = {one.name: one for key, one in _BY_WORD.items() if key.startswith(word) and not one.whole}
    return tuple(fitting.values())


def _with_argument(found: Spec, line: str, rest: str, shouted: bool) -> Command | None:
    """The command with what follows it; None where the line reads rather like a sentence."""
    if found.name == "withdraw" and re.match(_NUMBER, rest):
        found = spec("unsign")
    if found.linking:
        link, _, after = rest.partition(" ")
        if found.name == "press" and fold(link) == "mode":
            return _with_argument(spec("pressmode"), line, after.strip(), shouted)
        if fold(link) not in found.linking:
            return _malformed(found, line, rest) if shouted or not rest else None
        rest = after.strip(" :") if found.name != "press" else after.strip()
        if not rest.strip(" :"):
            return _malformed(found, line, rest)
    if re.match(found.argument, rest):
        return Command(found.name, rest, text=line)
    return _malformed(found, line, rest) if shouted or not rest else None


def _malformed(found: Spec, line: str, rest: str) -> Command:
    params: dict[str, str | int | tuple[str, ...]] = {
        "text": clip(line),
        "word": clip(rest),
        "command": found.name.upper(),
    }
    return Command(found.name, text=line, problem=Problem("command_argument", kind=UNREADABLE, params=params))


def classify(
    line: str, parse_order: Callable[[str], bool] = _never, without: Collection[str] = ()
) -> Command | OrderLine:
    """Whether a line is a command or an order; `parse_order` says whether it is an order of an open question.

    `parse_order` should forgive nothing (`pbem.orders.parser.reads_exactly`), else a command might be taken
    for a mistyped order.
    """
    found = command(line)
    if found is None or found.name in without:
        return OrderLine(line)
    return OrderLine(line, also=found) if parse_order(line) else found


def nearest_command(line: str) -> str:
    """The command that the line's first word may be a mistyping of, in the language of that word; else nothing."""
    match = _WORD.match(line[:LONGEST_LINE])
    word = fold(match[1]) if match else ""
    if tolerance(len(word)) == 0:
        return ""
    best = process.extractOne(word, list(_BY_WORD), scorer=OSA.distance, score_cutoff=tolerance(len(word)))
    return best[0].upper() if best else ""


def split(
    lines: Sequence[str],
    parse_order: Callable[[str], bool] = _never,
    parse_standing: Callable[[str], bool] = _never,
    *,
    trial: bool = False,
    without: Collection[str] = (),
) -> Parts:
    """A letter's lines taken apart; `trial` when its subject already says CHECK; `without`: commands unknown here."""
    items: list[Command | OrderLine] = []
    whole = trial
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        if not line:
            continue
        item = classify(line, parse_order, without)
        if isinstance(item, OrderLine):
            items.append(OrderLine(line, trial, item.also))
            continue
        if item.problem is None and item.name == "check" and not item.argument:
            trial = True
            whole = whole or not items
        # A message without addressee is not sent, and its text is not taken for orders either.
        if item.name in _BODIES and (item.problem is None or item.name == "press"):
            body, at = _BODIES[item.name](item, lines, at, parse_order, parse_standing)
            item = msgspec.structs.replace(item, lines=body)
            if item.problem is None:
                item = _addressed(item)
        items.append(msgspec.structs.replace(item, trial=trial))
    return Parts(tuple(items), whole)


_Body = tuple[tuple[str, ...], int]


def _standing_body(
    item: Command,
    lines: Sequence[str],
    at: int,
    parse_order: Callable[[str], bool],
    parse_standing: Callable[[str], bool],
) -> _Body:
    """The lines up to the next empty line or command; a bare STANDING may have one empty line below it."""

    def standing(line: str) -> bool:
        return fold(line).startswith(_STANDING_STARTS) or parse_standing(line)

    if standing_cleared(item) is not None:
        return (), at
    if item.argument:
        return _paragraph(lines, at, lambda line: not standing(line))
    following = at
    while following < len(lines) and not lines[following].strip():
        following += 1
    if following > at and following < len(lines):
        if not standing(lines[following].strip()):
            return (), at
        at = following
    return _paragraph(lines, at, lambda line: not standing(line) and command(line) is not None)


def _text_body(
    item: Command,
    lines: Sequence[str],
    at: int,
    parse_order: Callable[[str], bool],
    parse_standing: Callable[[str], bool],
) -> _Body:
    """A message up to END PRESS; without it, up to an empty line, a command or an order.

    Better to cut a message short, which its writer is told, than to mail somebody's orders to the enemy.
    """
    for end in range(at, min(len(lines), at + _LONGEST_BODY)):
        if len(lines[end]) <= LONGEST_LINE and _END_OF_BODY.match(lines[end]):
            return tuple(line.rstrip() for line in lines[at:end]), end + 1
    return _paragraph(lines, at, lambda line: parse_order(line) or _certainly(line))


def _act_body(
    item: Command,
    lines: Sequence[str],
    at: int,
    parse_order: Callable[[str], bool],
    parse_standing: Callable[[str], bool],
) -> _Body:
    return _paragraph(lines, at, lambda line: not parse_order(line) and command(line) is not None)


def _clauses_body(
    item: Command,
    lines: Sequence[str],
    at: int,
    parse_order: Callable[[str], bool],
    parse_standing: Callable[[str], bool],
) -> _Body:
    """The clauses of an agreement: what stands behind the colon, or else the lines up to an empty line.

    Where something stands behind the colon nothing else belongs to it: orders below are never sent to others.
    """
    if item.argument.partition(":")[2].strip() or not item.argument.rstrip().endswith(":"):
        return (), at
    return _paragraph(lines, at, lambda line: parse_order(line) or _certainly(line))


def _certainly(line: str) -> bool:
    """Whether a line inside a message is a command after all: written large and in full."""
    match = _WORD.match(line)
    return match is not None and match[1].isupper() and fold(match[1]) in _BY_WORD


def _paragraph(lines: Sequence[str], at: int, stops: Callable[[str], bool]) -> _Body:
    body: list[str] = []
    while at < len(lines) and lines[at].strip() and not stops(lines[at].strip()):
        body.append(lines[at].strip())
        at += 1
    return tuple(body), at


_BODIES: dict[
    str,
    Callable[[Command, Sequence[str], int, Callable[[str], bool], Callable[[str], bool]], _Body],
] = {
    "standing": _standing_body,
    "press": _text_body,
    "announce": _text_body,
    "act": _act_body,
    "propose": _clauses_body,
    "sign": _clauses_body,
}


def _addressed(item: Command) -> Command:
    """The command with only its addressee as argument; what else stands on its line goes before its lines."""
    if item.name == "standing":
        to, text = (item.argument, "") if standing_cleared(item) is not None else ("", item.argument)
    elif item.name == "announce":
        to, text = "", item.argument
    else:
        to, colon, text = item.argument.partition(":")
        if not colon and item.name == "act":
            to, _, text = item.argument.partition(" ")
    lines = (text.strip(), *item.lines) if text.strip() else item.lines
    return msgspec.structs.replace(item, argument=to.strip(), lines=lines)


def standing_cleared(item: Command) -> int | None:
    """For STANDING CLEAR [n]: the number of the one to clear, 0 for all; None for another STANDING."""
    match = re.fullmatch(r"(?:clear|annuler|effacer)(?:\s+\[?#?(\d{1,4})\]?)?", fold(item.argument.strip()))
    return None if match is None else int(match[1] or 0)
