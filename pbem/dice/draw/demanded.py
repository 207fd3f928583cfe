"""What the rules demand in a replay: each draw as it was asked for, with the values that are on record.

The draws of a log say by themselves for which rule and whose dice they were; only a replay knows whether
that is so. `audit.compare` takes what was demanded and compares it with the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.dice.audit.verdicts import AuditedDraw
from pbem.kernel.chance import Draw, Recorded


class Demanded(Recorded):
    """Draws on record that note how they were asked for; one that is not on record raises UnknownDraw."""

    def __init__(self, draws: Iterable[Draw | AuditedDraw]) -> None:
        super().__init__(map(_as_draw, draws))
        self.demanded: dict[str, Draw] = {}

    def known(self, label: str) -> Draw | None:
        """A draw on record, whether demanded or not."""
        return self.draws.get(label)

    def roll(
        self, label: str, dice: int, sides: int, *, rule: str, seat: str = "", secret: bool = False
    ) -> tuple[int, ...]:
        """The recorded dice of that label."""
        values = super().roll(label, dice, sides, rule=rule, seat=seat, secret=secret)
        self.demanded[label] = Draw(label, "roll", rule, secret, sides, values, seat=seat)
        return values

    def shuffle(
        self, label: str, items: Sequence[str], *, rule: str, secret: bool = False
    ) -> tuple[str, ...]:
        """The recorded order of that label."""
        order = super().shuffle(label, items, rule=rule, secret=secret)
        self.demanded[label] = Draw(label, "shuffle", rule, secret, before=tuple(items), items=tuple(order))
        return order


def _as_draw(draw: Draw | AuditedDraw) -> Draw:
    if isinstance(draw, Draw):
        return draw
    return Draw(
        draw.label,
        draw.kind,
        draw.rule,
        draw.secret,
        draw.sides,
        draw.values,
        draw.before,
        draw.items,
        draw.seat,
    )
