"""Letters of ours as the secretary makes them for a board, and a ledger in memory."""

from __future__ import annotations

from email.message import EmailMessage

from pbem.letters.posted import GAME, INDEX, TITLE
from pbem.post.forum.writer import Home


class MemoryLedger:
    """What the store would know."""

    def __init__(self) -> None:
        self.floors: dict[str, str] = {}
        self.homes: dict[tuple[str, str, str], Home] = {}

    def floor(self, message_id: str) -> str:
        return self.floors.get(message_id, "")

    def note_floor(self, message_id: str, floor: str) -> None:
        self.floors[message_id] = floor

    def home(self, board: str, game: str, account: str) -> Home | None:
        return self.homes.get((board, game, account))

    def note_home(self, board: str, game: str, account: str, home: Home) -> None:
        self.homes[board, game, account] = home


def letter(name: str, address: str, text: str, *, title: str = "", picture: bytes = b"") -> bytes:
    """A letter with a part for a board."""
    message = EmailMessage()
    message["From"] = "moderator@pbem.test"
    message["To"] = address
    message["Message-ID"] = name
    message["Subject"] = title or "a report"
    message[GAME] = name.strip("<>").partition(".")[0]
    if title:
        message[TITLE] = title
    message.set_content("the same for mail programs")
    message.add_alternative(text, subtype="markdown")
    if picture:
        message.add_attachment(picture, "image", "png", filename="map.png", cid="<map>")
    return bytes(message)


def index_letter(name: str, address: str, text: str, *, title: str) -> bytes:
    """A letter that is the index of a thread."""
    return letter(name, address, text, title=title).replace(
        b"Subject:", f"{INDEX}: yes\nSubject:".encode(), 1
    )
