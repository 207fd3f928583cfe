"""What the reader makes of a letter, for hosts who wonder: `pbem read FILE…`."""

from __future__ import annotations

import msgspec

from pbem.letters import quoting
from pbem.letters.letter import Form, Letter
from pbem.letters.reading import read, read_text

NEW = str(quoting.Why.NEW)


class LineTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the letter, what it was taken for, and whether it looks like a head that nobody knows."""

    text: str
    taken_for: str
    doubtful: bool = False


class Explained(msgspec.Struct, frozen=True, omit_defaults=True):
    """A letter with everything that was read from it."""

    sender: str
    sender_name: str = ""
    subject: str = ""
    message_id: str = ""
    game: str = ""
    seat: str = ""
    """Whose token it carries; whether the token is good only the moderator's store can say."""
    machine: str = ""
    bounces: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    lines: tuple[LineTold, ...] = ()
    forms: tuple[Form, ...] = ()
    doubtful_from: int | None = None
    """The kept line from which on nothing is used; see docs/mail.md."""

    @property
    def kept(self) -> tuple[str, ...]:
        """The new lines."""
        return tuple(line.text.strip() for line in self.lines if line.taken_for == NEW and line.text.strip())


def explain(raw: bytes, own_address: str = "", lang: str = "en") -> Explained:
    """Everything that the reader makes of a raw letter; never raises."""
    letter = read(raw, own_address=own_address)
    text = "" if letter.blocked else read_text(raw)
    game, _, rest = letter.token.partition(".")
    auto = letter.auto
    return Explained(
        sender=letter.sender,
        sender_name=letter.sender_name,
        subject=letter.subject,
        message_id=letter.message_id,
        game=game,
        seat=rest.partition(".")[0] if "." in rest else "",
        machine=str(auto.kind) if auto else "",
        bounces=tuple(_bounce(letter)) if auto else (),
        troubles=tuple(trouble.text(lang) for trouble in letter.troubles),
        lines=tuple(LineTold(line.text, str(line.why), line.headlike) for line in quoting.explain(text))
        if text
        else (),
        forms=letter.forms,
        doubtful_from=letter.doubt,
    )


def _bounce(letter: Letter) -> list[str]:
    assert letter.auto is not None
    return [
        f"{bounce.address or '?'}: {bounce.action} {bounce.status}".rstrip()
        + (" (for good)" if bounce.permanent else " (for now)")
        + (f", about {bounce.message_id}" if bounce.message_id else "")
        for bounce in letter.auto.bounces
    ]


def shown(told: Explained) -> list[str]:
    """The same as lines for a terminal: kept lines begin with «+», others with why they were left out."""
    found = [f"from     {told.sender_name} <{told.sender}>".replace("  <", " <"), f"subject  {told.subject}"]
    if told.game:
        found.append(f"token    of {told.seat or '?'} in {told.game}")
    if told.machine:
        found.append(f"machine  {told.machine}: it is not answered")
    found += [f"bounce   {line}" for line in told.bounces]
    found += [f"trouble  {line}" for line in told.troubles]
    if told.doubtful_from is not None:
        found.append("doubtful commands that cannot be taken back wait for the player's word")
    width = max((len(line.taken_for) for line in told.lines if line.taken_for != NEW), default=0)
    for line in told.lines:
        mark = "+" if line.taken_for == NEW else line.taken_for
        found.append(f"{mark:{width}} | {'?? ' if line.doubtful else ''}{line.text.rstrip()}")
    for form in told.forms:
        state = "edited" if form.edited else "unchanged"
        found.append(f"form     {form.key} of {form.game}, {state}: {'; '.join(form.lines)}")
    return found
