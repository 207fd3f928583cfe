"""The forms of a verb, as orders use them: imperative, infinitive, present, future, participles.

An order's verbs are few and known beforehand, so their forms are made here by rule, and the irregular ones stand in
a table. A general lemmatiser knows more words and is wrong about some of them; here nothing else is ever a verb.
"""

from __future__ import annotations

from functools import lru_cache

from pbem.orders.words import fold

_IRREGULAR = {
    "en": {
        "go": "goes going went gone",
        "leave": "leaves leaving left",
        "take": "takes taking took taken",
        "bring": "brings bringing brought",
        "lead": "leads leading led",
        "fight": "fights fighting fought",
        "shoot": "shoots shooting shot",
        "strike": "strikes striking struck",
        "hold": "holds holding held",
        "fall": "falls falling fell fallen",
        "send": "sends sending sent",
        "keep": "keeps keeping kept",
        "lay": "lays laying laid",
        "draw": "draws drawing drew drawn",
        "ride": "rides riding rode ridden",
        "break": "breaks breaking broke broken",
        "make": "makes making made",
        "get": "gets getting got",
        "give": "gives giving gave given",
        "throw": "throws throwing threw thrown",
        "put": "puts putting",
        "hit": "hits hitting",
        "set": "sets setting",
        "stand": "stands standing stood",
        "pick": "picks picking picked",
        "pull": "pulls pulling pulled",
        "pass": "passes passing passed",
        "siege": "sieges sieging sieged",
        "be": "is are being",
        "have": "has having had",
    },
    "fr": {
        "aller": "va vas vont allons allez aille aillent ira iras iront irons irez allant alle allee",
        "prendre": "prend prends prenez prenons prennent prendra prendrons prendront prenant pris prise",
        "mettre": "met mets mettez mettons mettent mettra mettront mettant mis mise",
        "tenir": "tient tiens tenez tenons tiennent tiendra tiendront tenant tenu",
        "tirer": "tire tires tirez tirons tirent tirera tireront tirant",
        "faire": "fait fais faites faisons font fera feront faisant",
        "venir": "vient viens venez venons viennent viendra viendront venant",
        "poursuivre": "poursuit poursuis poursuivez poursuivons poursuivent poursuivra poursuivant",
        "battre": "bat bats battez battons battent battra battant battu",
        "rejoindre": "rejoint rejoins rejoignez rejoignons rejoignent rejoindra rejoignant",
        "rompre": "rompt romps rompez rompons rompent rompra rompant",
        "attendre": "attend attends attendez attendons attendent attendra attendant",
        "defendre": "defend defends defendez defendons defendent defendra defendant",
        "sortir": "sort sors sortez sortons sortent sortira sortant sorti",
        "soutenir": "soutient soutiens soutenez soutenons soutiennent soutiendra soutenant soutenu",
        "investir": "investit investis investissez investissons investissent investira investissant",
        "assaillir": "assaille assaillez assaillons assaillent assaillira",
        "finir": "finit finis finissez finissons finissent finira finissant fini",
        "servir": "sert sers servez servons servent servira",
        "obtenir": "obtient obtiens obtenez obtenons",
        "descendre": "descend descends descendez descendons descendent descendra descendant",
        "subir": "subit subis subissez subissons subissent subira subissant subi",
        "jeter": "jette jettes jetez jetons jettent jettera jetant jete",
        "renvoyer": "renvoie renvoies renvoyez renvoyons renvoient renverra renvoyant renvoye",
        "envoyer": "envoie envoies envoyez envoyons envoient enverra envoyant envoye",
        "franchir": "franchit franchis franchissez franchissons franchissent franchira",
        "partir": "part pars partez partons partent partira partant parti",
        "rendre": "rend rends rendez rendons rendent rendra rendront rendant rendu",
        "paraitre": "parait parais paraissez paraissent paraitra paraissant",
        "suivre": "suit suis suivez suivons suivent suivra suivant",
        "conduire": "conduit conduis conduisez conduisons conduisent conduira",
    },
}
_VOWELS = "aeiou"


@lru_cache(maxsize=4096)
def forms(verb: str, lang: str) -> frozenset[str]:
    """All forms of a verb, folded; the verb itself among them."""
    verb = fold(verb)
    found = {verb}
    irregular = _IRREGULAR.get(lang, {}).get(verb)
    if irregular is not None:
        return frozenset({*found, *irregular.split()})
    return frozenset(found | (_french(verb) if lang == "fr" else _english(verb)))


def _english(verb: str) -> set[str]:
    if verb.endswith("e"):
        return {verb + "s", verb[:-1] + "ing", verb + "d"}
    if verb.endswith(("s", "x", "ch", "sh", "z")):
        return {verb + "es", verb + "ing", verb + "ed"}
    if verb.endswith("y") and len(verb) > 2 and verb[-2] not in _VOWELS:
        return {verb[:-1] + "ies", verb + "ing", verb[:-1] + "ied"}
    found = {verb + "s", verb + "ing", verb + "ed"}
    if len(verb) > 2 and verb[-1] not in _VOWELS + "wxy" and verb[-2] in _VOWELS and verb[-3] not in _VOWELS:
        found |= {verb + verb[-1] + "ing", verb + verb[-1] + "ed"}
    return found


def _french(verb: str) -> set[str]:
    """Regular verbs in -er and -ir; accents do not matter, as words are folded."""
    if verb.endswith("er"):
        stem = verb[:-2]
        soft = stem + "e" if stem.endswith("g") else stem
        ends = {stem + end for end in ("e", "es", "ez", "ent", "ee", "es", "ees", "era", "eras", "erons")}
        ends |= {stem + end for end in ("erez", "eront", "ions", "iez")} | {soft + "ons", soft + "ant"}
        if stem.endswith(("oy", "uy")):
            ends |= {stem[:-1] + end for end in ("ie", "ies", "ient", "iera", "ieront")}
        return ends
    if verb.endswith("ir"):
        stem = verb[:-1]
        return {
            stem + end for end in ("", "s", "t", "ssons", "ssez", "ssent", "ssant", "ra", "ront", "e", "rons")
        }
    return set()
