"""Greetings, thanks and names: what people write around their orders, and what orders nothing.

Only lines that consist of nothing else count; a line that might be an order never does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

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
guten tag, guten morgen, guten abend, danke, danke schon, viele grusse, mit freundlichen grussen, gruss, grusse
mit freundlichem gruss, liebe grusse, beste grusse, mfg, lg, vg, servus, tschuss, moin, hier meine befehle
hola, buenos dias, buenas tardes, gracias, muchas gracias, saludos, un saludo, saludos cordiales, un abrazo, adios
ciao, buongiorno, buonasera, grazie, grazie mille, saluti, cordiali saluti, distinti saluti, un saluto, a presto
hoi, beste, goedendag, bedankt, dank je, dank u, groet, groeten, met vriendelijke groet, met vriendelijke groeten, mvg
ola, bom dia, boa tarde, boa noite, obrigado, obrigada, abraco, abracos, atenciosamente, cumprimentos, ate breve
hej, hejsan, hei, tack, takk, tak, mvh, vh, med vanliga halsningar, med vennlig hilsen, med venlig hilsen, hilsen
vanliga halsningar, halsningar, bedste hilsner, mange hilsner, vi ses, terveisin, terveiset, ystavallisin terveisin
terve, moi, kiitos, czesc, dzien dobry, witam, dziekuje, pozdrawiam, z powazaniem, pozdrowienia
привет, здравствуйте, добрый день, спасибо, с уважением, всего доброго, до свидания, ahoj, dobry den, diky, s pozdravem
below are my orders, see my orders below, orders below, orders follow, my moves, my move, here is my move
here are my moves, here is my turn, my turn, my reply, see below, as below, ci dessous mes ordres, voici mon tour
voici mon coup, mon coup, ci dessous, hope this works, that s all, that is all, c est tout, voila
have a great day, have a great weekend, enjoy, speak soon, until next time, br, kr, rgds, tia, ty, thx, ta
"""
_CLOSINGS = """
thanks, thank you, many thanks, thanks a lot, thanks again, thanks in advance, cheers, best, best wishes, best regards
kind regards, warm regards, regards, with best regards, all the best, yours, yours sincerely, sincerely, take care, bye
merci, cordialement, bien cordialement, tres cordialement, amicalement, bien amicalement, amities, bien a vous
bien a toi, a bientot, a plus, bises, salutations, bonne journee, bonne soiree, mit freundlichen grussen, viele grusse
gruss, grusse, liebe grusse, beste grusse, mfg, lg, vg, danke, saludos, un saludo, saluti, cordiali saluti, groeten
met vriendelijke groet, mvg, groet, abracos, atenciosamente, mvh, hilsen, med venlig hilsen, med vennlig hilsen
med vanliga halsningar, halsningar, terveisin, pozdrawiam, z powazaniem, с уважением, s pozdravem, br, kr, rgds, thx
"""
_KNOWN = frozenset(
    tuple(phrase.split()) for line in _PHRASES.strip().splitlines() for phrase in line.split(", ")
)
_MOST_WORDS = max(map(len, _KNOWN))
_CLOSING = frozenset(
    tuple(phrase.split()) for line in _CLOSINGS.strip().splitlines() for phrase in line.split(", ")
)
_ANNOUNCED = frozenset(
    ("orders", "order", "moves", "ordres", "ordre", "befehle", "ordenes", "ordini", "orders")
)
_NAME_WORD = re.compile(r"[^\W\d_][^\W\d_'.-]{0,30}\.?")
_SIGNATURE_LINES = 6
_LONGEST_SIGNATURE = 80


def announces(line: str) -> bool:
    """Whether a line only says that orders follow: «Here are my orders for turn 3:»."""
    words = _WORD.findall(fold(line[:_LONGEST]))
    return (
        len(line) <= _LONGEST
        and line.rstrip().endswith(":")
        and len(words) <= 9
        and not _ANNOUNCED.isdisjoint(words)
    )


def signature(lines: Sequence[str], meant: Callable[[str], bool]) -> range:
    """The last lines of a letter, if they are no more than its writer's name; `meant` says which lines are more.

    What follows «Regards,» is a signature; without that, one last line of a few names or initials.
    """
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    for at in range(last - 1, max(-1, last - 1 - _SIGNATURE_LINES), -1):
        line = lines[at].strip()
        if tuple(_WORD.findall(fold(line[:_LONGEST]))) in _CLOSING:
            return range(at + 1, last)
        if len(line) > _LONGEST_SIGNATURE or (line and meant(line)):
            break
    if last < 2 or not _names(lines[last - 1]) or meant(lines[last - 1].strip()):
        return range(0)
    return range(last - 1, last)


def _names(line: str) -> bool:
    words = line.strip(" -~/*_,").split()
    return 0 < len(words) <= 4 and all(_NAME_WORD.fullmatch(word) and word[0].isupper() for word in words)


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
            return announces(line)
    return bool(words)
