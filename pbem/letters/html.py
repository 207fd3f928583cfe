"""HTML letters to text. Quotations become `>` lines, so that a form quoted in HTML is still found."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode


def _names(*rows: str) -> frozenset[str]:
    return frozenset(name for row in rows for name in row.split())


_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# Tags that HTML closes by itself: unclosed ones are no sign of depth.
_SELF_CLOSING = _names(
    "area base body br col dd dt head hr html img input li link meta option p tbody td th thead tr wbr"
)
_SILENT = _names("head script style title template noscript object iframe svg select textarea")
_BLOCKS = _names(
    "address article aside blockquote body center dd details dialog div dl dt fieldset figure footer form",
    "h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody thead tr ul",
)
_QUOTE_CLASSES = _names("gmail_quote yahoo_quoted protonmail_quote zmail_extra tutanota_quote")
_QUOTE_IDS = _names("isReplyContent OLK_SRC_BODY_SECTION")
_SIGNATURES = _names("gmail_signature moz-signature protonmail_signature_block")
_OLDER_LETTER = _names("divRplyFwdMsg x_divRplyFwdMsg mail-editor-reference-message-container")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_MOST_WORK = 200_000


def too_complex(html: str) -> bool:
    """True when a browser's repair of this HTML could cost far more than its length."""
    opened: dict[str, int] = {}
    depth = deepest = tags = 0
    for match in _TAG.finditer(html):
        name = match.group(2).lower()
        tags += 1
        if name in _SELF_CLOSING:
            continue
        if not match.group(1):
            opened[name] = opened.get(name, 0) + 1
            depth += 1
            deepest = max(deepest, depth)
        elif opened.get(name):
            opened[name] -= 1
            depth -= 1
    return deepest * tags > _MOST_WORK


def to_text(html: str) -> str:
    """The words of an HTML letter, line by line; quoted parts begin with one `>` for each level."""
    writer = _Writer()
    root = LexborHTMLParser(html).root
    node: LexborNode | None = root
    path: list[LexborNode] = []
    while node is not None:
        descend = writer.enter(node)
        child = node.first_child if descend else None
        if child is not None:
            path.append(node)
            node = child
            continue
        if descend:
            writer.leave(node)
        following = node.next
        while following is None and path:
            parent = path.pop()
            writer.leave(parent)
            following = parent.next
        node = following
    return writer.text()


def _is_quote(node: LexborNode, attributes: dict[str, str | None]) -> bool:
    classes = (attributes.get("class") or "").split()
    return (
        node.tag == "blockquote"
        or not _QUOTE_CLASSES.isdisjoint(classes)
        or (attributes.get("id") or "") in _QUOTE_IDS
    )


class _Writer:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._depth = 0
        self._pre = 0

    def enter(self, node: LexborNode) -> bool:
        """Take a node; False when its children are not to be read."""
        tag = node.tag or ""
        if tag == "-text":
            self._say(node.text_content or "")
            return False
        if tag.startswith("-") or tag in _SILENT:
            return tag == "-document"
        if tag == "br":
            self._break(force=True)
            return False
        attributes = node.attributes
        if attributes:
            if not _SIGNATURES.isdisjoint((attributes.get("class") or "").split()):
                return False
            if (attributes.get("id") or "") in _OLDER_LETTER:
                self._break()
                self._lines.append(">" * self._depth + "-----Original Message-----")
            if "display:none" in (attributes.get("style") or "").replace(" ", "").lower():
                return False
        if tag in _BLOCKS:
            self._break()
        elif tag in ("td", "th") and self._line:
            self._line.append(" ")
        if _is_quote(node, attributes):
            self._break()
            self._depth += 1
        if tag == "pre":
            self._pre += 1
        return True

    def leave(self, node: LexborNode) -> None:
        """A node whose children were read is done."""
        tag = node.tag or ""
        if tag.startswith("-"):
            return
        if _is_quote(node, node.attributes):
            self._break()
            self._depth -= 1
        if tag == "pre":
            self._pre -= 1
        if tag in _BLOCKS:
            self._break()
        # Word writes each line as a paragraph without margins.
        if tag == "p" and not (node.attributes.get("class") or "").startswith("Mso"):
            self._break(force=True)

    def _say(self, text: str) -> None:
        if self._pre:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self._line.append(first)
            for line in rest:
                self._break(force=True)
                self._line.append(line)
            return
        words = _SPACE.sub(" ", text)
        if words != " " or self._line:
            self._line.append(words)

    def _break(self, force: bool = False) -> None:
        line = "".join(self._line).strip(" \n")
        self._line.clear()
        if line or force:
            self._lines.append(
                ("> " if self._depth == 1 else ">" * self._depth + " ") + line if self._depth else line
            )

    def text(self) -> str:
        self._break()
        return "\n".join(self._lines)
