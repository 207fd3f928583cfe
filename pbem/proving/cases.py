"""Rule cases as data: a position, orders as a player would write them, dice by label, and what must follow.

    game = "…"
    [[case]]
    name = "Yorck against two"
    rule = ["5.1"]
    [case.given]                # the position, in the game's own words
    [[case.orders]]
    seat = "french"
    text = "sacrifice Bertrand"
    then = { }                  # the position after this letter, where the case stops to look
    [case.dice]
    "t3/battle" = [4]
    [case.then]
    events = ["damage"]         # told in this order, others may stand between
    told = [{ event = "damage", steps = 2 }]   # the same with what they say
    untold = ["retreat"]        # never told
    open = ["actions"]          # the kinds of questions open at the end

A case that is badly written fails with the reason; nothing is raised.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.kernel.chance import Given as GivenDraws
from pbem.kernel.chance import UnknownDraw
from pbem.kernel.event import Event
from pbem.kernel.game import DEFAULT, LETTER, Checkpoint, Game, Given
from pbem.kernel.order import Order
from pbem.kernel.problem import Problem
from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.orders.parser import parse_standing
from pbem.orders.reading import read_answer
from pbem.reports.catalogue import catalogue

_MOST_STEPS = 1000
_ON, _OFF = ("yes", "on", "true"), ("no", "off", "false")


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """What one seat writes: an answer that stands, or one that must be refused; or nothing (`default`)."""

    seat: str
    text: str = ""
    refused: str = ""
    default: bool = False
    then: dict[str, Any] = {}


class Case(msgspec.Struct, forbid_unknown_fields=True):
    """One case, as its file gives it."""

    name: str
    rule: list[str] = []
    scenario: str = ""
    options: dict[str, str | int | bool] = {}
    seed: int | None = None
    given: dict[str, Any] = {}
    standing: dict[str, list[str]] = {}
    """Standing orders by seat."""
    usual: bool = False
    """Whether the game's own standing orders stand behind them."""
    orders: list[Step] = []
    dice: dict[str, list[int | str]] = {}
    then: dict[str, Any] = {}


class CaseResult(msgspec.Struct, frozen=True):
    """How a case went: nothing in `failures` when it passed."""

    game: str
    name: str
    file: str
    rules: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all came as the case says."""
        return not self.failures


class Wrong(Exception):
    """A case that did not go as written."""


def run(path: Path | str) -> list[CaseResult]:
    """The results of all cases of a file."""
    path = Path(path)

    def failed(reason: str, game: str = "", name: str = "", rules: tuple[str, ...] = ()) -> CaseResult:
        return CaseResult(game, name or path.name, str(path), rules, (reason,))

    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return [failed(f"cannot be read: {error}")]
    game, cases = data.get("game"), data.get("case")
    if not isinstance(game, str) or not isinstance(cases, list) or not cases:
        return [failed('needs `game = "…"` and at least one [[case]]')]
    try:
        rules = _rules(game)
    except Wrong as error:
        return [failed(str(error), game)]
    results = []
    for n, item in enumerate(cases, 1):
        name = str(item.get("name", f"case {n}")) if isinstance(item, dict) else f"case {n}"
        try:
            case = msgspec.convert(item, Case)
        except msgspec.ValidationError as error:
            results.append(failed(f"badly written: {error}", game, name))
            continue
        results.append(CaseResult(game, name, str(path), tuple(case.rule), tuple(_failures(rules, case))))
    return results


def refusals(game: str) -> list[tuple[str, str]]:
    """What `refused` may name in a case of a game: the codes of its refusals, with their phrases."""
    return sorted(catalogue("en", _rules(game)).sources("problems").items())


def _rules(game: str) -> Rules[Any]:
    try:
        rules = games.load(game)
    except LookupError as error:
        raise Wrong(str(error)) from None
    missing = [name for name in ("build", "verify") if getattr(rules, name) is None]
    if missing:
        raise Wrong(f"{game} has no {', '.join(missing)}: its cases cannot be run")
    return rules


def _failures(rules: Rules[Any], case: Case) -> list[str]:
    try:
        play = _Play(rules, case)
    except Wrong as error:
        return [str(error)]
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    try:
        return play.failures()
    except Wrong as error:
        return [str(error)]
    except UnknownDraw as error:
        unused = play.unused()
        given = f"; given but not drawn: {', '.join(unused)}" if unused else ""
        return [f"the draw {error} is not given under [case.dice]{given}"]
    except Exception as error:
        # The rules or the position of the case broke down: that is the case's failure, not the runner's.
        return [f"{type(error).__name__}: {error}"]


class Strict:
    """Draws that are not given are an error."""

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """Never any dice."""
        raise UnknownDraw(f"{label} ({dice} × {sides} sides)")

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """Never any cards."""
        raise UnknownDraw(f"{label} (shuffle of {len(items)})")

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Cases need no proofs."""


class Seeded:
    """Draws from a seed and the label alone."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """Dice that are always the same for seed and label."""
        rng = random.Random(f"{self.seed}|{label}")
        return tuple(rng.randint(1, sides) for _ in range(dice))

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """An order of cards that is always the same for seed and label."""
        cards = list(items)
        random.Random(f"{self.seed}|{label}").shuffle(cards)
        return tuple(cards)

    def deal(self, label: str, position: int, *, to: str | None) -> None:
        """Cases need no proofs."""


class _Draws(GivenDraws):
    """The case's draws, noting which of them were asked for."""

    def __init__(self, case: Case) -> None:
        rolls = {label: values for label, values in case.dice.items() if _are(values, int)}
        decks = {label: values for label, values in case.dice.items() if _are(values, str) and values}
        beyond = Strict() if case.seed is None else Seeded(case.seed)
        super().__init__(rolls, decks, beyond)  # type: ignore[arg-type]
        self.asked: set[str] = set()
        """The labels drawn, given or not."""

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        self.asked.add(label)
        return super().roll(label, dice, sides, rule=rule, seat=seat, secret=secret)

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        self.asked.add(label)
        strange = set(self.decks.get(label, ())) - set(items)
        if strange:
            raise Wrong(f"{label}: not among the cards to shuffle: {', '.join(sorted(strange))}")
        return super().shuffle(label, items, rule=rule, secret=secret)


def _are(values: Sequence[Any], type: type) -> bool:
    return all(isinstance(value, type) for value in values)


class _Play:
    """One case being played."""

    def __init__(self, rules: Rules[Any], case: Case) -> None:
        assert rules.build is not None
        assert rules.verify is not None
        self.case = case
        self.rules = rules
        self.verify = rules.verify
        scenario = case.scenario or next(iter(self.rules.scenarios))
        if scenario not in self.rules.scenarios:
            raise Wrong(f"there is no scenario {scenario!r}: {', '.join(self.rules.scenarios)}")
        state = rules.build(scenario, self._options(), case.given)
        self.draws = _Draws(case)
        self.standing = {seat: self._standing(lines) for seat, lines in case.standing.items()}
        self.game: Game[Any] = Game(self.rules, Checkpoint(0, 0, msgspec.json.encode(state)), self.draws)

    def _options(self) -> dict[str, str]:
        known = {option.name: option.values for option in self.rules.options}
        options = {name: values[0] for name, values in known.items()}
        for name, value in self.case.options.items():
            texts = (_ON if value else _OFF) if isinstance(value, bool) else (str(value),)
            fitting = [text for text in known.get(name, ()) if text in texts]
            if not fitting:
                raise Wrong(f"option {name} = {value!r} is not known")
            options[name] = fitting[0]
        return options

    def _standing(self, lines: Sequence[str]) -> list[Order]:
        orders = []
        for line in lines:
            order = parse_standing(line, self.rules.standing, self.rules.vocabulary, self.rules.questions)
            if not isinstance(order, Order):
                raise Wrong(f"standing order «{line}»: {_codes(order)}")
            orders.append(order)
        return orders

    def failures(self) -> list[str]:
        """What did not come as the case says."""
        self._settle()
        for step in self.case.orders[:_MOST_STEPS]:
            self._step(step)
            self._settle()
            differences = self.verify(self.game.state, step.then)
            if differences:
                return [f"after {_quoted(step)}: {difference}" for difference in differences]
        records = [told.event for told in self.game.take_told()]
        told = [record.kind() for record in records]
        expected = dict(self.case.then)
        failures = []
        events, opened = expected.pop("events", None), expected.pop("open", None)
        if events is not None and not _subsequence(events, told):
            failures.append(f"events: expected {', '.join(events)}; told were {', '.join(told) or 'none'}")
        heard, silent = expected.pop("told", ()), expected.pop("untold", ())
        said = [_said(record) for record in records]
        missing = _unheard(heard, said)
        if missing is not None:
            failures.append(f"told: expected {missing}; told were {_alike(missing, said)}")
        failures += [f"told: {kind}, which should not be" for kind in silent if kind in told]
        kinds = [question.kind() for question in self._open()]
        if opened is not None and sorted(opened) != sorted(kinds):
            failures.append(
                f"open: expected {', '.join(opened) or 'nothing'}; are {', '.join(kinds) or 'nothing'}"
            )
        failures += [str(difference) for difference in self.verify(self.game.state, expected)]
        failures += [f"invariant: {broken}" for broken in self.rules.invariants(self.game.state)]
        unused = self.unused()
        if unused:
            drawn = ", ".join(sorted(self.draws.asked)) or "none"
            failures.append(f"dice given but never drawn: {', '.join(unused)}; drawn were: {drawn}")
        return failures

    def unused(self) -> list[str]:
        """The labels of dice that the case gives and nothing has drawn."""
        return sorted(set(self.case.dice) - self.draws.asked)

    def _settle(self) -> None:
        behind = self.rules.defaults if self.case.usual else ()
        self.game.settle(lambda seat: [*self.standing.get(seat, ()), *behind])

    def _open(self) -> list[Question[Any]]:
        return [question for key, question in self.game.questions.items() if not self.game.answered(key)]

    def _step(self, step: Step) -> None:
        open_ = [question for question in self._open() if question.seat == step.seat]
        what = _quoted(step)
        if not open_:
            asked = ", ".join(f"{one.seat} is asked {one.kind()}" for one in self._open())
            raise Wrong(f"{what}: nothing is asked of {step.seat}; {asked or 'nobody is asked anything'}")
        if step.default:
            view = self.game.view(step.seat)
            self.game.give(Given(open_[0].key, step.seat, open_[0].default(view), DEFAULT))
            return
        if step.refused:
            self._refused(step, open_, what)
            return
        problems: list[Problem] = []
        for question in open_:
            answer, wrong = self._read(step, question)
            if not wrong:
                self.game.give(Given(question.key, step.seat, answer, LETTER))
                return
            problems = problems or wrong
        raise Wrong(f"{what}: {_codes(problems)}")

    def _read(self, step: Step, question: Question[Any]) -> tuple[tuple[Order, ...], list[Problem]]:
        view = self.game.view(step.seat)
        reading = read_answer(
            step.text.splitlines(),
            question,
            view,
            self.rules.vocabulary,
            others=self.rules.orders,
            own=self.rules.owned(view, step.seat),
            called=self.rules.seen(view, step.seat),
        )
        problems = list(reading.problems)
        if not problems and not reading.orders:
            problems = [Problem("unreadable", params={"text": step.text})]
        low, high = question.count(view)
        if not problems and not low <= len(reading.orders) <= high:
            problems = [Problem("incomplete" if len(reading.orders) < low else "too_many")]
        return reading.orders, problems or question.check(view, reading.orders)

    def _refused(self, step: Step, open_: Sequence[Question[Any]], what: str) -> None:
        before = self.game.hash()
        codes: list[str] = []
        for question in open_:
            _, problems = self._read(step, question)
            if not problems:
                raise Wrong(f"{what}: taken, but should be refused ({step.refused})")
            codes += [problem.code for problem in problems]
        if step.refused not in codes:
            raise Wrong(f"{what}: refused for {', '.join(codes)}, not for {step.refused}")
        if self.game.hash() != before:
            raise Wrong(f"{what}: the position changed although the order was refused")


def _quoted(step: Step) -> str:
    return f"{step.seat} «{' / '.join(step.text.split(chr(10)))}»"


def _codes(problems: Sequence[Problem]) -> str:
    return ", ".join(
        f"{problem.code}{f' (rule {problem.rule})' if problem.rule else ''} {problem.params or ''}".strip()
        for problem in problems
    )


def _said(record: Event) -> dict[str, Any]:
    """All that an event says, as plain data."""
    data = {name: getattr(record, name) for name in record.__struct_fields__}
    return {"event": record.kind(), **msgspec.json.decode(msgspec.json.encode(data))}


def _unheard(
    wanted: Sequence[Mapping[str, Any]], told: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """The first record that was not told in its turn, with all that it must say."""
    rest = iter(told)
    for record in wanted:
        if not any(all(said.get(key) == value for key, value in record.items()) for said in rest):
            return record
    return None


def _alike(record: Mapping[str, Any], told: Sequence[Mapping[str, Any]]) -> str:
    """What was told of that kind, in the fields that matter."""
    same = [said for said in told if said["event"] == record.get("event")]
    return "; ".join(str({key: said.get(key) for key in record}) for said in same) or "none"


def _subsequence(wanted: Sequence[str], told: Sequence[str]) -> bool:
    rest = iter(told)
    return all(event in rest for event in wanted)
