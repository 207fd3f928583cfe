"""Other people's words in our letters: names that are names, quotations that no mail program makes a link of."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 40


def person_name(text: str, otherwise: str = "") -> str:
    """A person's name: letters and what joins them, bounded; never an address, a link or a sentence of markup."""
    kept = "".join(char if _in_name(char) else " " for char in text[:400])
    # A full stop ends an initial or a title, and never stands within a word: that would be a host's name.
    words = [word for word in kept.replace(".", ". ").split() if any(map(str.isalpha, word))]
    name = ""
    for word in words:
        longer = f"{name} {word}".strip()
        if len(longer) > LONGEST_NAME:
            break
        name = longer
    if name or not otherwise:
        return name or (words[0][:LONGEST_NAME] if words else "")
    return person_name(otherwise)


def harmless(text: str, most: int = 60) -> str:
    """A piece of somebody's letter as we quote it: one short line, in which nothing can be clicked."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * most]).split())
    # No name of a host, no address and no scheme is left whole.
    for sign in (".", "@", "/", ":", "\\"):
        line = _apart(line, sign)
    return line if len(line) <= most else line[: most - 1] + "…"


def _apart(line: str, sign: str) -> str:
    """A sign that joins two words is set apart from the second."""
    parts = line.split(sign)
    joined = parts[0]
    for part in parts[1:]:
        gap = " " if part[:1].isalnum() or part[:1] in "/\\" else ""
        joined += sign + (gap if not (joined[-1:].isdigit() and part[:1].isdigit()) else "") + part
    return joined


def _in_name(char: str) -> bool:
    return char in " .'’-" or unicodedata.category(char)[0] in "LM" or char.isdigit()
