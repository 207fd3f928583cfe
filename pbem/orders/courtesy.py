"""Greetings, thanks and names: what people write around their orders, and what orders nothing.

Only lines that consist of nothing else count; a line that might be an order never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.orders.words import fold

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 100

_PHRASES = """
hi, hello, hey, hallo, dear, greetings, good morning, good day, good afternoon, good evening
there, all, everyone, everybody, sir, madam, gentlemen, moderator, pbem, game master
thanks, thank you, with thanks, many thanks, thanks a lot, thanks again, thanks in advance, thank you very much
cheers, best, best wishes, best regards, kind regards, warm regards, regards, with best regards, all the best
yours, yours sincerely, yours truly, yours faithfully, sincerely, sincerely yours, take care, bye, good luck
see you, see you soon, talk soon, have fun, have a nice day, have a good day, have a nice evening
have a good weekend, good hunting, enjoy
my dear moderator, dear moderator, over and out, ok, okay, fine, here are my orders, my orders, here we go, here you go
bonjour, bonsoir, salut, coucou, cher, chere, chers, monsieur, madame, messieurs, a tous, tous, moderateur
merci, merci beaucoup, merci bien, merci encore, merci d avance, un grand merci
cordialement, bien cordialement, tres cordialement, amicalement, bien amicalement, amities, bien a vous, bien a toi
a bientot, a plus, a plus tard, bises, bonne journee, bonne soiree, bonne nuit, bonne chance, bonne continuation
bon week end, bon jeu, bon courage, salutations, salutations distinguees, sinceres salutations, mes amities
voici mes ordres, mes ordres, c est parti, d accord
guten tag, guten morgen, guten abend, danke, viele grusse, mit freundlichen grussen, gruss
"""
_KNOWN = frozenset(
    tuple(phrase.split()) for line in _PHRASES.strip().splitlines() for phrase in line.split(", ")
)
_MOST_WORDS = max(map(len, _KNOWN))


def courteous(line: str, names: Iterable[str] = ()) -> bool:
    """Whether a line says nothing but courtesies and names of people."""
    if len(line) > _LONGEST:
        return False
    words = _WORD.findall(fold(line))
    known = _KNOWN | {(word,) for name in names for word in _WORD.findall(fold(name))}
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + _MOST_WORDS), at, -1):
            if tuple(words[at:end]) in known:
                at = end
                break
        else:
            return False
    return bool(words)
