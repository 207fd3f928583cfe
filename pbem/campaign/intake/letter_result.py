"""What a letter leads to: what is to be changed, and what is to be answered. The turn does both together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.campaign.outgoing.dispatch import Note
from pbem.kernel.game import Given
from pbem.kernel.order import Order
from pbem.reports.report import Line, Section

if TYPE_CHECKING:
    from pbem.campaign.table.transaction import Turn


@dataclass
class LetterResult:
    """What a letter leads to."""

    replies: list[Line] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    """The commands that were carried out, in the words of the reader's language."""
    sections: list[Section] = field(default_factory=list)
    givens: list[Given] = field(default_factory=list)
    deposits: list[Given] = field(default_factory=list)
    """Signatures, which answer no question: they are never kept back."""
    drafts: dict[str, list[str]] = field(default_factory=dict)
    """What the player wrote for questions that stay open, by key: the next form begins with it."""
    later: list[str] = field(default_factory=list)
    """Lines that answer a question which only these orders will raise: a discard, a reveal."""
    standing: list[Order] | None = None
    salt: str = ""
    new_token: bool = False
    resigned: bool = False
    picture: bool = False
    picture_at: int = -1
    """After how many answers the picture shows the game; as it stands, if below zero."""
    dice: bool = False
    trial: bool = False
    resend: bool = False
    whole: bool = False
    """Whether the report of the last turn is wanted whole."""
    confirmed: int = 0
    """A held letter that this one vouches for."""
    held: str = ""
    """Commands of a doubtful letter that wait for its player's word."""
    wait: bool | None = None
    """WAIT or READY, where the letter says so."""
    changes: list[Callable[[Turn], None]] = field(default_factory=list)
    """Whatever else is to be changed."""

    @property
    def empty(self) -> bool:
        """Whether nothing at all came of the letter."""
        return not (self.replies or self.notes or self.sections or self.givens or self.picture or self.resend)
