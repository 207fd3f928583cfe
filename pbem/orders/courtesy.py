"""Greetings, thanks and names: what people write around their orders, and what orders nothing.

Only lines that consist of nothing else count; a line that might be an order never does. Below a closing phrase it is
the other way round: there only what is certainly meant is more than a signature.
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
see you, see you soon, talk soon, speak soon, until next time, yours truly, yours faithfully, sincerely yours
warm regards, good luck, have fun, have a nice day, have a good day, have a nice evening, have a good weekend
have a great day, have a great weekend, good hunting, thank you very much, with thanks, a plus tard, bon week end
bonne nuit, bonne chance, bonne continuation, bon jeu, salutations distinguees, sinceres salutations, mes amities
merci beaucoup, merci bien, merci encore, merci d avance, cdlt, cdt, bav, un abrazo, a presto, vi ses
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
# Words of Napoleonic orders are left out: corps, company, limited access.
_COMPANIES = """
gmbh ag kg ohg ug mbh ltd llc llp plc inc sarl sas eurl srl bv nv oy oyj aps doo sro
university universitat universite universita universidad universiteit institute institut department faculty hochschule
"""
_COMPANY = frozenset(_COMPANIES.split())
_REACHED = re.compile(
    r"(?:https?://|www\.)\S|[\w.+-]{1,60}@[\w-]{1,60}\.\w"
    r"|\b(?:tel|phone|mobile|fax|portable|mobil|telefon|e-?mail|courriel|web|site)\b\.?\s?:",
    re.IGNORECASE,
)
_STREET = re.compile(
    r"(?:str\.|stra(?:ss|ß)e|weg|platz|allee|gasse|street|road|avenue|lane|drive|st\.|rd\.|ave\.)\s{1,2}\d{1,4}\s?[a-z]?\b"
    r"|^\d{1,4}\s?(?:bis|ter|[a-z])?,?\s(?:rue|avenue|av\.|boulevard|bd|chemin|allée|impasse)\s"
    r"|^\d{1,5}\s[\w. ]{1,40}\s(?:street|road|avenue|lane|drive|st\.|rd\.|ave\.)(?:\W|\Z)"
    r"|(?:^|,\s)(?:[a-z]{1,2}-)?\d{4,5}\s(?-i:[^\W\d_a-z])",
    re.IGNORECASE,
)
_CORPORATION = re.compile(r"(?:[A-Z][\w&-]{0,30} ){1,4}Corp(?:\.|oration)")
_BLOCK_LINES = 8
_NAME_WORD = re.compile(r"[^\W\d_][^\W\d_'.-]{0,30}\.?")
_SIGNATURE_LINES = 40
_LONGEST_SIGNATURE = 80
_A_PLUS = re.compile(r"\s*[aà]\s?\+{1,3}\W*\Z", re.IGNORECASE)
_TELEPHONE = re.compile(
    r"(?P<label>(?:(?:telephone|t[ée]l[ée]phone|phone|t[ée]l|mobile|mob|portable|port|cell|fax|gsm|bureau|office|[mptf])"
    r"\b\.?\s?:?\s?){0,3})"
    r"(?P<number>[+(]{0,2}\d(?:[\s().\-/]{0,3}\d){4,16}\)?)\s?\Z",
    re.IGNORECASE,
)
_AS_IN_AMERICA = re.compile(r"\(?\d{3}\)?[\s.-]{1,2}\d{3}[\s.-]\d{4}\Z")
_TELEPHONE_DIGITS = 8


def announces(line: str) -> bool:
    """Whether a line only says that orders follow: «Here are my orders for turn 3:»."""
    words = _WORD.findall(fold(line[:_LONGEST]))
    return (
        len(line) <= _LONGEST
        and line.rstrip().endswith(":")
        and len(words) <= 9
        and not _ANNOUNCED.isdisjoint(words)
    )


def telephone(line: str) -> bool:
    """Whether a line is a telephone number, and no choice from a menu: «06 12 34 56 78», «Tel. +33 1 23 45 67 89»."""
    match = _TELEPHONE.match(line.strip(" -~*_,;|")) if len(line) <= _LONGEST else None
    if match is None:
        return False
    number = match["number"]
    if match["label"] or _AS_IN_AMERICA.match(number):
        return True
    return sum(map(str.isdigit, number)) >= _TELEPHONE_DIGITS and number[0] in "+(0"


def closes(line: str) -> bool:
    """Whether a line ends a letter: «Regards,», «A+», «Best wishes, Anne»."""
    if len(line) > _LONGEST:
        return False
    if _A_PLUS.match(line) or tuple(_WORD.findall(fold(line))) in _CLOSING:
        return True
    head, comma, rest = line.partition(",")
    return bool(comma) and tuple(_WORD.findall(fold(head))) in _CLOSING and _names(rest)


def reached(line: str) -> bool:
    """Whether a line says where somebody works or is reached: «ACME GmbH», «04109 Leipzig», «www.acme.example»."""
    if len(line) > _LONGEST:
        return False
    parts = [part.strip() for part in line.replace("•", "|").split("|")]
    if len(parts) > 2 and all(
        part[:1].isupper() or telephone(part) or _REACHED.search(part) for part in parts
    ):
        # «Anne Moreau | Senior Engineer | ACME»
        return True
    if telephone(line) or _REACHED.search(line) or _STREET.search(line) or _CORPORATION.fullmatch(line):
        return True
    words = _WORD.findall(fold(line))
    return len(words) > 1 and not _COMPANY.isdisjoint(words)


def letterhead(
    lines: Sequence[str],
    meant: Callable[[str], bool],
    certain: Callable[[str], bool],
    plain: Callable[[str], bool],
    names: Iterable[str] = (),
) -> range:
    """The last lines of a letter, if they are its writer's name, office, company and address, without «Regards,».

    Below an order that is `certain`, a few lines none of which is one. At least one says where he is reached, or the
    first is his name; the others are `plain`: they have no word of an order.
    """
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    own = {tuple(_WORD.findall(fold(name))) for name in names}
    first, sure, shown = last, False, 0
    for at in range(last - 1, -1, -1):
        line = lines[at].strip()
        if not line:
            continue
        named = tuple(_WORD.findall(fold(line.partition(",")[0].partition("|")[0]))) in own
        where = reached(line)
        # A town that is also on the map may stand in the last line.
        harmless = named or where or plain(line) or (at == last - 1 and _names(line) and not meant(line))
        if shown == _BLOCK_LINES or certain(line) or not harmless:
            break
        first, sure, shown = at, sure or where or named, shown + 1
        if named:
            break
    if not sure or not any(certain(line.strip()) for line in lines[:first]):
        return range(0)
    return range(first, last)


def signature(lines: Sequence[str], meant: Callable[[str], bool], certain: Callable[[str], bool]) -> range:
    """The last lines of a letter, if they are no more than its writer's name.

    `meant` says which lines might be more, `certain` which are. What follows «Regards,» is a signature, with address,
    telephone and whatever a company makes everyone add, if nothing of it is certainly meant and something above it
    is; without that, one last line of a few names or initials.
    """
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    for at in range(last - 1, max(-1, last - 1 - _SIGNATURE_LINES), -1):
        line = lines[at].strip()
        if closes(line):
            below = [one.strip() for one in lines[at + 1 : last] if one.strip()]
            if any(map(certain, map(str.strip, lines[:at]))) or not any(map(meant, below)):
                return range(at + 1, last)
            break
        if line and certain(line):
            break
    if last < 2 or not _names(lines[last - 1]) or meant(lines[last - 1].strip()):
        return range(0)
    return range(last - 1, last)


def _names(line: str) -> bool:
    words = line.strip(" -~/*_,").split()
    return 0 < len(words) <= 4 and all(_NAME_WORD.fullmatch(word) and word[0].isupper() for word in words)


def courteous(line: str, names: Iterable[str] = ()) -> bool:
    """Whether a line says nothing but courtesies, names of people and how to reach them."""
    if len(line) > _LONGEST:
        return False
    if telephone(line) or _A_PLUS.match(line):
        return True
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
