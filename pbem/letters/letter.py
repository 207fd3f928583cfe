"""What a letter is once read: who, to whom, which words are new, and whether a person wrote it."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from pbem.letters.posted import Posted, place_address


class Limits(msgspec.Struct, frozen=True):
    """How much of a letter is looked at. Beyond a limit nothing of the text is processed (MAIL 8)."""

    size: int = 2 * 1024 * 1024
    header_bytes: int = 64 * 1024
    header_value: int = 8 * 1024
    parts: int = 50
    nesting: int = 10
    raw_lines: int = 100_000
    text_chars: int = 400_000
    text_lines: int = 20_000
    line_chars: int = 10_000
    lines: int = 1_000
    recipients: int = 100
    forms: int = 20


class Trouble(msgspec.Struct, frozen=True):
    """Something that was wrong with a letter; `amount` and `limit` are given where a limit was passed."""

    code: str
    amount: int = 0
    limit: int = 0

    @property
    def blocking(self) -> bool:
        """True when nothing of the letter's text was read because of this."""
        return self.code in _BLOCKING

    def text(self, lang: str = "en") -> str:
        """One sentence for the sender."""
        english, french = _SENTENCES.get(self.code, _SENTENCES["unreadable"])
        sentence = french if lang == "fr" else english
        return sentence.format(amount=self.amount, limit=self.limit)


_BLOCKING = frozenset(
    {
        "too-large",
        "header-too-long",
        "too-many-parts",
        "too-deep",
        "too-many-lines",
        "line-too-long",
        "too-much-text",
        "html-too-complex",
        "unreadable",
        "too-costly",
    }
)

_SENTENCES: dict[str, tuple[str, str]] = {
    "too-large": (
        "The letter has {amount} bytes; at most {limit} are read. Please send it again without attachments.",
        "La lettre compte {amount} octets ; on en lit {limit} au plus. "
        "Merci de la renvoyer sans pièce jointe.",
    ),
    "header-too-long": (
        "A header of the letter is longer than {limit} bytes.",
        "Un en-tête de la lettre dépasse {limit} octets.",
    ),
    "too-many-parts": (
        "The letter is made of more than {limit} parts.",
        "La lettre est faite de plus de {limit} parties.",
    ),
    "too-deep": (
        "The letter has letters within letters, more than {limit} deep.",
        "La lettre en contient d'autres, sur plus de {limit} niveaux.",
    ),
    "too-many-lines": (
        "The letter has {amount} lines; at most {limit} are read.",
        "La lettre a {amount} lignes ; on en lit {limit} au plus.",
    ),
    "line-too-long": (
        "A line of the letter has {amount} characters; at most {limit} are read.",
        "Une ligne de la lettre a {amount} caractères ; on en lit {limit} au plus.",
    ),
    "too-much-text": (
        "The letter has {amount} characters of text; at most {limit} are read.",
        "La lettre compte {amount} caractères de texte ; on en lit {limit} au plus.",
    ),
    "html-too-complex": (
        "The letter's HTML is too intricate to be read. Please write plain text.",
        "Le HTML de la lettre est trop compliqué pour être lu. Merci d'écrire en texte simple.",
    ),
    "too-costly": (
        "Reading the letter took more time or memory than a letter may. Please send plain text, without attachments.",
        "La lecture de la lettre a demandé plus de temps ou de mémoire qu'une lettre ne le peut. "
        "Merci d'envoyer du texte simple, sans pièce jointe.",
    ),
    "unreadable": ("The letter could not be read.", "La lettre n'a pas pu être lue."),
    "charset": (
        "The letter's character set was not what it declared; accents may have been misread.",
        "Le jeu de caractères de la lettre n'est pas celui qu'elle déclare ; "
        "des accents ont pu être mal lus.",
    ),
    "truncated": (
        "The letter seems to have been cut off on its way.",
        "La lettre semble avoir été coupée en route.",
    ),
    "no-text": ("The letter holds no text.", "La lettre ne contient pas de texte."),
    "no-sender": ("The letter names no sender.", "La lettre ne nomme pas d'expéditeur."),
    "several-senders": (
        "The letter names more than one sender.",
        "La lettre nomme plus d'un expéditeur.",
    ),
    "form-unclosed": (
        "The form in the letter has lost its last line, [[end]].",
        "Le formulaire de la lettre a perdu sa dernière ligne, [[fin]].",
    ),
}


class AutoKind(StrEnum):
    """Why a letter must not be answered (MAIL 2, RFC 3834)."""

    LOOP = "loop"
    BOUNCE = "bounce"
    MAILER_DAEMON = "mailer-daemon"
    VACATION = "vacation"
    AUTO_SUBMITTED = "auto-submitted"
    LIST = "list"
    BULK = "bulk"
    EMPTY_RETURN_PATH = "empty-return-path"
    REPORT = "report"
    RECEIPT = "receipt"
    COMPLAINT = "complaint"
    NO_REPLY = "no-reply"


class Bounce(msgspec.Struct, frozen=True):
    """One address that a delivery report speaks of (RFC 3464)."""

    address: str
    action: str = "failed"
    status: str = ""
    diagnostic: str = ""
    message_id: str = ""

    @property
    def permanent(self) -> bool:
        """True when the server has given up for good, not merely delayed or out of room for now."""
        return self.action == "failed" and not self.status.startswith("4")


class AutoReply(msgspec.Struct, frozen=True):
    """The letter was written by a machine."""

    kind: AutoKind
    bounces: tuple[Bounce, ...] = ()


class Form(msgspec.Struct, frozen=True):
    """The block of orders that our own letters carry, as it came back."""

    game: str
    key: str
    lines: tuple[str, ...]
    edited: bool
    closed: bool = True
    depth: int = 0


class Letter(msgspec.Struct, frozen=True):
    """A letter as read. `topic` is the subject without reply prefixes and without the token's tag."""

    digest: str
    size: int
    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    topic: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    auto: AutoReply | None = None
    authentication_results: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    token: str = ""
    doubt: int | None = None
    """The line from which on the text may be a quotation after all; see `pbem.letters.quoting.Clean`."""

    posted: Posted | None = None
    """Of a post on a board: where it stands, as its envelope says. Only its source can vouch for that."""

    @property
    def answer_to(self) -> str:
        """Where somebody is answered who has no seat: to his address, or where he has posted."""
        if self.posted is None:
            return self.sender
        return place_address(self.posted.board, self.posted.place)

    @property
    def blocked(self) -> bool:
        """True when a limit was passed, so that nothing of the text may be acted upon."""
        return any(trouble.blocking for trouble in self.troubles)

    @property
    def text(self) -> str:
        """The new text as one string."""
        return "\n".join(self.lines)
