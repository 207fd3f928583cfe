"""What a post says, without what makes it look nice: Markdown and BBCode as players of forums write them.

A block [orders] … [/orders] is the whole message where there is one: the rest is talk. Quotations of other posts go;
code, spoilers, lists and emphasis stay as plain lines.
"""

from __future__ import annotations

import re

MARKUP = ("text/markdown", "text/x-bbcode")

_BLOCK = re.compile(r"(?i)(?<!\[)\[(?:orders|ordres)\](?!\])(.*?)(?:\[/(?:orders|ordres)\]|\Z)", re.DOTALL)
_QUOTE = re.compile(r"(?i)\[(/?)quote(?:=[^\]\n]{0,200})?\]")
_TAG = re.compile(
    r"(?i)\[/?(?:b|i|u|s|code|pre|spoiler|details|hide|size|color|font|list|img|url|center|left|right|nobbc)"
    r"(?:=[^\]\n]{0,200})?\]"
)
_ITEM = re.compile(r"(?m)^[ \t]{0,8}(?:[-+*]|\[\*\])[ \t]+(?=\S)")
_HEADING = re.compile(r"(?m)^#{1,6}[ \t]+")
_FENCE = re.compile(r"(?m)^[ \t]{0,3}(?:```|~~~)[^\n]{0,40}$")
_IMAGE = re.compile(r"!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)")
_LINK = re.compile(r"(?<!\[)\[([^\[\]\n]{1,200})\]\([^)\n]{0,500}\)")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|\*|__|~~)(?=\S)([^*_~\n]{1,400})(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!>|~&<@:\"'=$-])")
_MENTION = re.compile(r"(?m)^[ \t]*@[\w-]{1,40}[,:;.!]?(?:[ \t]+|$)")
_HTML = re.compile(
    r"</?(?:details|summary|b|i|em|strong|br|p|pre|code|blockquote)\b[^>\n]{0,100}>", re.IGNORECASE
)


def plain(text: str) -> str:
    """The lines of a post."""
    blocks = [match[1] for match in _BLOCK.finditer(text)]
    if blocks:
        text = "\n".join(blocks)
    text = _without_quotes(text)
    text = _IMAGE.sub("", _FENCE.sub("", text))
    text = _HTML.sub("", _TAG.sub("", text))
    text = _LINK.sub(r"\1", _HEADING.sub("", _ITEM.sub("", text)))
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text)
    text = text.replace("`", "")
    return _MENTION.sub("", _ESCAPE.sub(r"\1", text))


def _without_quotes(text: str) -> str:
    """What stands outside of all quotations; one that is never closed ends with the post."""
    kept: list[str] = []
    depth = position = 0
    for match in _QUOTE.finditer(text):
        if depth == 0:
            kept.append(text[position : match.start()])
        depth = max(0, depth + (-1 if match[1] else 1))
        position = match.end()
    if depth == 0:
        kept.append(text[position:])
    return "\n".join(kept) if len(kept) > 1 else "".join(kept)
