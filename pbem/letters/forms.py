"""The order form: a marked block that our letters carry and that comes back quoted, wrapped or edited.

    [[orders war-7 t3/actions #1a2b3c4d]]
    1: draw pile
    2:
    [[end]]

The digest in the first line is over the inner lines without white space and quote marks, so a mail program
that quotes or wraps the block does not make it look edited.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.letters.letter import Form
from pbem.letters.text import plain

_WORDS = {"en": ("orders", "end"), "fr": ("ordres", "fin")}
_NAME = re.compile(r"[^\s\[\]#>]{1,100}")
_BEGIN = re.compile(
    r"\[\[\s*(?:orders|ordres)\s+([^\s\[\]#>]+)\s+([^\s\[\]#>]+)(?:\s+#\s*([0-9a-f]{8}))?\s*\]\]",
    re.IGNORECASE,
)
_BEGIN_HEAD = re.compile(r"\[\[\s*(?:orders|ordres)\b", re.IGNORECASE)
_END = re.compile(r"\[\[\s*(?:end|fin)\s*\]\]", re.IGNORECASE)
_LABELLED = re.compile(r"[^\s:]{1,40}(?: [^\s:]{1,40}){0,3} ?:|[#;\[]|[*-](?=\s|\Z)")
_MARKER_LINES = 3
_LONGEST_FORM = 500
# Mail programs break at 72 columns or more; a shorter line ended where its writer ended it.
WRAP_COLUMN = 70


class TextLine(NamedTuple):
    """One line of a letter: how deep it is quoted, its words, its width as it came."""

    depth: int
    text: str
    width: int


class Block(NamedTuple):
    """A form and where it stands: lines `start` to `stop`, `stop` excluded."""

    start: int
    stop: int
    form: Form


def form_digest(lines: Iterable[str]) -> str:
    """Eight hex digits over the lines without white space and quote marks."""
    bare = "".join(plain("\n".join(lines)).replace(">", "").split())
    return hashlib.sha256(bare.encode("utf-8", "replace")).hexdigest()[:8]


def write_form(game: str, key: str, lines: Sequence[str], lang: str = "en") -> list[str]:
    """The block to put into a letter. Raises ValueError when game or key would not survive the post."""
    for name in (game, key):
        if not _NAME.fullmatch(name):
            raise ValueError(f"not usable in a form: {name!r}")
    inner = [" ".join(line.split()) for line in lines]
    for line in inner:
        if "[[" in line or "]]" in line:
            raise ValueError(f"a form line cannot hold a marker: {line!r}")
    begin, end = _WORDS.get(lang, _WORDS["en"])
    return [f"[[{begin} {game} {key} #{form_digest(inner)}]]", *inner, f"[[{end}]]"]


def find_forms(lines: Sequence[TextLine], limit: int) -> list[Block]:
    """Every form block among the lines, in order."""
    blocks: list[Block] = []
    index = 0
    while index < len(lines) and len(blocks) < limit:
        opened = _begin(lines, index)
        if opened is None:
            index += 1
            continue
        block = _read_block(lines, index, *opened)
        blocks.append(block)
        index = max(block.stop, index + 1)
    return blocks


def _begin(lines: Sequence[TextLine], index: int) -> tuple[int, re.Match[str]] | None:
    text = lines[index].text
    if not _BEGIN_HEAD.match(text):
        return None
    for taken in range(1, _MARKER_LINES + 1):
        match = _BEGIN.match(text)
        if match:
            return index + taken, match
        if index + taken >= len(lines) or "]]" in text:
            return None
        text += " " + lines[index + taken].text
    return None


def _read_block(lines: Sequence[TextLine], start: int, first: int, marker: re.Match[str]) -> Block:
    inner: list[TextLine] = []
    depth = lines[start].depth
    closed = False
    stop = first
    while stop < min(len(lines), first + _LONGEST_FORM):
        line = lines[stop]
        end = _END.search(line.text)
        if end:
            inner.append(line._replace(text=line.text[: end.start()].rstrip()))
            closed = True
            stop += 1
            break
        if _BEGIN_HEAD.match(line.text):
            break
        inner.append(line)
        stop += 1
    if not closed:
        # Without its last line the block ends where the quoting around it changes or a paragraph ends.
        cut = next((i for i, line in enumerate(inner) if line.depth != depth or not line.text), len(inner))
        inner = inner[:cut]
        stop = first + cut
    game, key, digest = marker.groups()
    form = Form(
        game=game,
        key=key,
        lines=tuple(_rejoin(inner)),
        edited=digest is None or form_digest(line.text for line in inner) != digest.lower(),
        closed=closed,
        depth=depth,
    )
    return Block(start, stop, form)


def _rejoin(inner: Sequence[TextLine]) -> list[str]:
    """The block's lines with those put together again that a mail program broke for their length."""
    joined: list[str] = []
    previous: TextLine | None = None
    for line in inner:
        if not line.text:
            previous = None
            continue
        if joined and previous is not None and wrapped(previous, line) and not _LABELLED.match(line.text):
            joined[-1] += " " + line.text
        else:
            joined.append(line.text)
        previous = line
    return joined


def wrapped(previous: TextLine, line: TextLine) -> bool:
    """True when the line may be the tail of the previous one: its first word had no room there."""
    word = line.text.partition(" ")[0]
    return previous.width + 1 + len(word) > WRAP_COLUMN
