"""How a text was read: every sentence with the readings that were considered, for whoever wonders why."""

from __future__ import annotations

from typing import Any

from pbem.kernel.question import Question
from pbem.kernel.rules import Rules
from pbem.orders.marking import prepared
from pbem.orders.reading import read_answer
from pbem.orders.sentences import Context, Reader, Scope, sentences


def explain(text: str, rules: Rules[Any], view: Any, question: Question[Any], lang: str = "en") -> list[str]:
    """The lines of a text as an answer to a question: what each is taken for, and the readings considered.

    Everything is said from the seat's view; nothing is changed.
    """
    own, called = rules.owned(view, question.seat), rules.seen(view, question.seat)
    vocabulary = rules.vocabulary
    reading = read_answer(
        text.splitlines(), question, view, vocabulary, lang=lang, others=rules.orders, own=own, called=called
    )
    reader = Reader(Scope(tuple(question.orders), vocabulary, question.plans, lang, own, called))
    context = Context()
    shown: list[str] = []
    for line in reading.lines:
        mark = "!" if line.problems else "·" if line.remark else "+"
        shown.append(f"{mark} {line.text}")
        shown += [f"    = {order.text(vocabulary, lang)}" for order in line.orders]
        for problem in line.problems:
            shown.append(f"    ! {problem.code} {problem.params.get('word', '')}".rstrip())
        if line.free or line.problems:
            lines, context = _considered(reader, line.text, context, lang)
            shown += lines
        else:
            context = reader.after(line.orders, context)
    return shown


def _considered(reader: Reader, text: str, context: Context, lang: str) -> tuple[list[str], Context]:
    """The readings of each sentence of a line, with what they leave over."""
    shown: list[str] = []
    for part in sentences(prepared(text, reader.actions.thing)):
        senses, _ = reader.senses(part, context)
        shown.append(f"    «{part.text(0, len(part))}»: {len(senses)}")
        for sense in senses:
            said = "; ".join(order.text(reader.scope.vocabulary, lang) for order in sense.orders) or "—"
            left = f"  [{', '.join(sense.left)}?]" if sense.left else ""
            shown.append(f"      - {said}{left}")
        if senses:
            context = senses[0].context
    return shown, context
