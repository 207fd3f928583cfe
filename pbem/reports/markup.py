"""Reports as posts: Markdown and BBCode as boards understand them. The same words as the plain text, and compact.

No headings, which are huge in a post: bold lines. Menus and dice are folded away where a board can fold. The map
stands above what happened. A board's own limits are the writer's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from pbem.reports.report import Form, Line, Report, Section

DETAILS, DISCOURSE, SPOILER = "details", "discourse", "spoiler"
"""How a part is folded: HTML, as Discourse writes it, by a spoiler tag."""

_MARKDOWN = re.compile(r"(?m)[\\`*_\[\]]|~~|^\s*(?:>|(?:[-+=]|#{1,6}|\d+[.)])(?=\s|$))")
_HTML = re.compile(r"&(?=[#\w]+;)|<")
_TAG = re.compile(r"\[(?=/?[a-z*]{1,12}[\]=])", re.IGNORECASE)
_SPACE = "\u200b"
"""Seen by nobody; it keeps a bracket from being a tag."""
_SIGNS = {"taken": "+ ", "refused": "! ", "trial": "? "}


class Pen(msgspec.Struct, frozen=True):
    """How a dialect writes."""

    escape: Callable[[str], str]
    bold: Callable[[str], str]
    italic: Callable[[str], str]
    code: Callable[[Sequence[str]], str]
    fold: Callable[[str, str], str]
    image: Callable[[str, str], str]
    item: str
    under: str
    line_end: str


def markdown(report: Report, fold: str = "") -> str:
    """A report in Markdown; `fold` says how the board folds."""
    return _post(report, _markdown_pen(fold))


def bbcode(report: Report, fold: str = "") -> str:
    """A report in BBCode."""
    return _post(report, _bbcode_pen(fold))


def escape_markdown(text: str) -> str:
    """Text that a board shows as it is."""
    text = _HTML.sub(lambda match: "&amp;" if match[0] == "&" else "&lt;", text)
    return _MARKDOWN.sub(lambda match: match[0][:-1] + "\\" + match[0][-1], text)


def escape_bbcode(text: str) -> str:
    """Text of which no bracket is a tag."""
    return _TAG.sub("[" + _SPACE, text)


def _markdown_pen(fold: str) -> Pen:
    def code(lines: Sequence[str]) -> str:
        fence = "```"
        while any(fence in line for line in lines):
            fence += "`"
        return "\n".join((fence, *lines, fence))

    def folded(title: str, body: str) -> str:
        if fold == DETAILS:
            return f"<details><summary>{escape_markdown(title)}</summary>\n\n{body}\n\n</details>"
        if fold == DISCOURSE:
            plain = title.replace('"', "'")
            return f'[details="{plain}"]\n{body}\n[/details]'
        if fold == SPOILER:
            return f"**{escape_markdown(title)}**\n\n[spoiler]\n\n{body}\n\n[/spoiler]"
        return f"**{escape_markdown(title)}**\n\n{body}"

    return Pen(
        escape=escape_markdown,
        bold=lambda text: f"**{escape_markdown(text)}**",
        italic=lambda text: f"*{escape_markdown(text)}*",
        code=code,
        fold=folded,
        image=lambda cid, title: f"![{escape_markdown(title)}](cid:{cid})",
        item="- ",
        under="    - ",
        line_end="  ",
    )


def _bbcode_pen(fold: str) -> Pen:
    def folded(title: str, body: str) -> str:
        inner = f"[spoiler]{body}[/spoiler]" if fold == SPOILER else body
        return f"[b]{escape_bbcode(title)}[/b]\n{inner}"

    return Pen(
        escape=escape_bbcode,
        bold=lambda text: f"[b]{escape_bbcode(text)}[/b]",
        italic=lambda text: f"[i]{escape_bbcode(text)}[/i]",
        code=lambda lines: "[code]" + "\n".join(lines) + "[/code]",
        fold=folded,
        image=lambda cid, title: f"[img]cid:{cid}[/img]",
        item="• ",
        under="    ◦ ",
        line_end="",
    )


def _post(report: Report, pen: Pen) -> str:
    head = pen.bold(report.title)
    if report.subtitle:
        head += f" — {pen.italic(report.subtitle)}"
    blocks = [head, *(pen.escape(paragraph) for paragraph in report.lead)]
    blocks += [_section(section, pen) for section in report.sections if section.lines]
    if report.image:
        # Above what happened, below the answer to a post: what is new stands first.
        blocks.insert(1 + len(report.lead), pen.image(report.image, report.image_title))
    if report.forms:
        blocks.append(pen.bold(report.forms_title))
        blocks.append(pen.escape(report.forms_help))
        for form in report.forms:
            blocks += _form(form, report.menu_title, pen)
    if report.footer:
        ends = f"{pen.line_end}\n"
        blocks.append(ends.join(pen.escape(line) for line in report.footer))
    return "\n\n".join(block for block in blocks if block.strip()) + "\n"


def _section(section: Section, pen: Pen) -> str:
    if section.plain:
        return pen.fold(section.title, pen.code([line.text for line in section.lines]))
    return f"{pen.bold(section.title)}\n\n" + "\n".join(_line(line, pen) for line in section.lines)


def _line(line: Line, pen: Pen) -> str:
    number = f"{pen.escape(line.number)} " if line.n else ""
    sign = _SIGNS.get(line.mark, "") if line.n else pen.escape(_SIGNS.get(line.mark, ""))
    text = pen.bold(line.text) if line.mark == "strong" else pen.escape(line.text)
    lines = [f"{pen.item}{number}{sign}{text}"]
    lines += [pen.under + pen.escape(under) for under in line.under]
    return "\n".join(lines)


def _form(form: Form, menu_title: str, pen: Pen) -> list[str]:
    blocks = [pen.bold(form.prompt), pen.code(form.block)]
    if form.menu:
        blocks.append(pen.fold(menu_title, pen.code(form.menu)))
    return blocks
