"""Words that are no orders: those that link and introduce, courtesies, frames, reasons, refusals, titles.

All of it is for both languages at once, folded, a phrase with spaces. What is not here, no name and no action is a
word that we do not know; a sentence with such a word is never carried out.
"""

from __future__ import annotations


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(part.split()) for part in text.replace("\n", ",").split(",") if part.strip())


AT = """at, in, on, upon, near, inside, around, over at, into, a, au, aux, en, sur, dans, chez, autour de, pres de,
next to, in front of, devant, close to, a cote de"""
MARKERS: dict[str, frozenset[tuple[str, ...]]] = {
    "to": _phrases(
        """to, into, toward, towards, onto, on to, upon, on, in, at, for, up to, over to, across to, all the way to,
        straight to, after, nach, over on, back to, as far as, down to, ahead to, forward to, direction, up into,
        on into, destination,
        vers, a, au, aux, en, sur, dans, pour, jusqu a, jusqu au, jusqu aux, jusqu en, jusque, en direction de,
        direction de, droit sur, de nouveau a, >, retour a, and on to, and then to, puis vers, puis a, puis en"""
    ),
    "from": _phrases(
        f"from, out of, off, away from, starting from, starting in, de, du, des, d, depuis, hors de, a partir de,"
        f" partant de, au depart de, depart, {AT}"
    ),
    "at": _phrases(f"{AT}, of, from, de, du, des, d, against, contre, hors de, out of, vers, to"),
    "via": _phrases(
        """over, via, through, by, across, by way of, past, along, par, par dessus, a travers, en passant par,
        par dela, by road through, passing through, going through, passing"""
    ),
    "with": _phrases(
        """with, using, by, via, by means of, with the help of, along with, together with, supported by,
        backed by, aided by, helped by, plus, taking along, accompanied by, through, spending, avec, par,
        en utilisant, appuye par, appuyee par, soutenu par, soutenue par, a l aide de, au moyen de, grace a,
        accompagne de, accompagne par, with support from, with support of, avec l appui de, avec le soutien de,
        moyennant, en jouant, by playing, playing, from, de"""
    ),
    "against": _phrases(
        """at, on, upon, against, into, to, in, over, a, au, en, sur, contre, dans, vers, toward, towards"""
    ),
    "as": _phrases("as, like, as a, as if, comme, en, en tant que, pretending, disguised as, deguise en"),
    "for": _phrases("for, pour, of, de, du, des, d"),
    "what": _phrases("the card, card, carte, la carte, number, numero, of, de, du, des, d"),
    "who": _phrases(
        """with, avec, of, de, du, des, d, by, par, unit in, unit at, unit on, unit from, units in, troops in,
    troops at,
        men in, men at, unite en, unite de, unites en, troupes en, troupes de, hommes de, one in, those in, ceux de"""
    ),
    "times": _phrases(
        "up to, at most, maximum, max, jusqu a, au plus, of, de, for, pour, with, avec, by, par"
    ),
    "number": _phrases("number, numero, slot, place number"),
}
"""The words that introduce a role."""

UNITS = _phrases(
    """times, time, x, fois, attempts, attempt, tries, try, essais, essai, tentatives, tentative, rolls, roll,
    points, point, pts, pt, steps, pas, at most, maximum, max, au plus, au maximum, d affilee, in a row, de suite,
    days, jours, extra, more, each, actions, draws, si besoin, if needed, if necessary, au besoin, activation points,
    points d activation, pm, mp, pa, ap"""
)
"""What may stand behind a number and says no more."""

ALTERNATIVES = _phrases(
    """or, ou, or else, ou sinon, failing that, or failing that, a defaut, in the alternative, otherwise, sinon,
    ou bien, if not that, if not, or if not"""
)
"""What stands between targets of which the first possible one counts."""

THEN = _phrases(
    """where he, where they, where it, where she, ou il, ou elle, ou ils, who, qui,
    d ou il, d ou elle, d ou ils, d ou, from where he, from where it, from where, from which, whence, ainsi que,
    as well as, troisiemement, quatriemement, cinquiemement, fourthly, fifthly, in turn, whereafter, et la,
    then, and then, thereafter, thereupon, subsequently, too, puis, et puis, ensuite, et ensuite, after that,
    afterwards, next, finally, lastly, enfin,
    apres cela, apres quoi, apres, second, secondly, first, firstly, first of all, tout d abord, d abord,
    premierement, deuxiemement, thirdly, third, once there, once arrived, when there, une fois la, arrive la,
    une fois sur place, une fois arrive, une fois arrivee, from there, de la, also, aussi, as well, egalement, while,
    pendant que, tandis que, meanwhile, et, and, next up, plus, in addition, en plus, de plus, de meme, likewise,
    but, mais, whereupon, stop, last, last but not least, pour finir, pour commencer, to begin, to start, to finish,
    to begin with, to start with, before that, over there, there, sur place, la bas, so, donc, alors, now,
    maintenant"""
)
"""What leads on from one order to the next."""

FILLERS = _phrases(
    """the, le, la, les, l, der, die, das, den, dem, un, une, an, a, my, our, mon, ma, mes, notre, nos, his, her,
    i, we, je, nous, j, on, please, pls, plz, svp, stp, s il vous plait, s il te plait, kindly, bitte,
    should like to, should like, would love to, love to, i think i ll, i guess i ll, i believe i ll, the undersigned,
    undersigned, anyone, anybody, anything, quiconque, touch, toucher, i think i will,
    would like to, would like, d like to, d like, ll, i ll, we ll, want to, want, wish to, wish, intend to, intend,
    plan to, am going to, are going to, going to, will, shall, should, must, has to, have to, needs to, need to,
    is to, are to, is going to, let, let us, let s, lets, s, could you, can you, would you, will you, you,
    would you please, if you please, be so kind as to, be so good as to, i order, we order, i command,
    i hereby order, hereby, hereby instruct, i instruct, i hereby command, order you to, i am, we are, m, re,
    my orders are, my orders, here are my orders, orders, the order is, my move is, my move, for my turn, my turn,
    this turn, this time, today, ce tour, ce tour ci, pour ce tour, aujourd hui, at dawn, a l aube, at once,
    immediately, tout de suite, aussitot, right away, sans attendre, immediatement, sofort, quickly, rapidement, vite,
    voudrais, je voudrais, aimerais, j aimerais, veux, souhaite, desire, vais, allons, va, vont, doit, doivent,
    dois, devra, devront, il faut, faut, il faudra, veuillez, veuille, merci de, merci d, priere de, prierais de,
    prie de, prie d, vous prie de, te prie de, je vous prie de, pourriez vous, peux tu, pouvez vous, pourrais tu,
    ordonne, ordonnons, j ordonne, j ordonne a, ordre a, ordre de, mes ordres, voici mes ordres, nos ordres, que,
    qu, qu il, qu elle, qu ils, that, c est, it is, it s, say, ok, okay, well, alright, right, bon, bien,
    oh, ah, hm, hmm, euh, eh bien, allez, go go, ja, hey, salut, bonjour, hello, hi, dear moderator, moderator,
    cher moderateur, moderateur, monsieur, sir, bonsoir, greetings, thanks, thank you, merci, cheers, thx, danke,
    don t forget to, do not forget to, n oublie pas de, n oubliez pas de, ne pas oublier de, make sure to,
    be sure to, try to, essaie de, essayez de, essayer de, tente de, tenter de, tries to, attempt to, attempts to,
    proceed to, proceed, proceeds, proceeds to, manage to, make, makes, have, has, get, gets, fais, faites, fait,
    faire, just, simply, directly, directement, straight, simplement, seulement, myself,
    him, himself, itself, themselves, se, me, te, lui, leur, it, them, they, he, she, il, elle, ils, elles, ce, cet,
    cette, ces, this, these, those, their, its, y, leurs, son, sa, ses, down, up, forward, ahead, out, off, away,
    along, both, les deux, of course, bien sur, volontiers, gladly, happily, with pleasure,
    avec plaisir, and, et, also, aussi, is, are, be, am, est, sont, etre, de l, quietly, slowly, boldly, carefully,
    fast, hard, prudemment, hardiment, doucement, en force, in force, with all speed, with speed, with haste,
    at speed, a toute vitesse, en vitesse, au pas, au galop, for me, pour moi, pour nous, for us, gentlemen,
    messieurs, my friend, mon ami, friend, hereunder, as follows, comme suit, the following, ci dessous, below,
    that is all, that s all, c est tout, en route, don t worry, no worries, no problem, no rush, not to worry,
    no offence, pas de souci,
    pas de probleme, voila, voici, here, ici, so much for that, personally, in person, en personne, own, bravely,
    vaillant, brave, good old, old, dear, cher, bon vieux, first thing, each, chacun, entire, whole, entier, entiere,
    remaining, still, toujours la, really, vraiment, actually, en fait, straightaway, for this turn, on this
    turn, if possible, si possible,
    if i can, si je peux, if he can, if they can, if you can,
    straight away, right now,
    dear umpire, umpire, cher arbitre, arbitre, referee, judge, nothing else, nothing more, rien d autre, rien de plus,
    tout, everything, continue, continue with, carry on, ttyl, gm, gg, mrc, ty, cu, mon general, sergeant,
    for points, for the points, for its points, pour les points, pour ses points, other, others, further, autre,
    autres, the rest, pour le reste, le reste, for the rest, in the end, only, seul, seule, quant a lui, moi,
    at close quarters, with the bayonet, with bayonets, a la baionnette, au contact, in combined arms,
    with combined arms, en armes combinees, de l avant, can i have, may i have, can we have, est ce que je peux,
    my other, some more, encore, again, par la presente, hereby do, thereby, i declare, declare,
    je declare, i elect to, elect to, as well please, envie de, i also, likewise, for now, si l on peut, also please,
    if it can, if he is able, s il le peut, s il peut, si elle peut, lequel, laquelle, lesquels, quite simply,
    with it, with them, avec elle, avec lui, soll, sollen, will ich, ich mochte, ich, mein, meine, und"""
)
"""What may stand anywhere and says nothing about what is to be done."""

NOUNS = _phrases(
    """card, cards, carte, cartes, hex, hexes, case, hexagone, hexagon, cases, town, town of, city, city of, village,
    village of, ville, ville de, village de, bourg de, the town of, place, unit, units, unite, unites, army, army of,
    armee, armee de, armees, force, forces, troops, troupes, men, hommes, soldiers, soldats, marker, markers,
    pion, pions, counter, jeton, jetons, token, tokens, tile, tuile, zone, zones, area, region, province, fortress of,
    fortress, forteresse, forteresse de, general, generals, generaux, marshal, marechal, gen, mar, mgal, marshall,
    archduke, archiduc, prince, prinz, duke, duc, count, comte, king, roi, lord, sir, viscount, baron, admiral,
    amiral,
    adm, colonel, field marshal, feldmarschall, feldmarshal, fieldmarshal, feldzeugmeister, kaiser, tsar, erzherzog,
    von, le marechal, monsieur, mister, mr, brigade, regiment, battalion, bataillon, division, battery, batterie,
    squadron, fleet, flotte, escadre, corps, corps d armee, port, port of, port de, mission, missions,
    boys, lads, fellows, chap, gars, group, column, colonne, war party, position, positions, stand"""
)
"""Titles and general nouns that go with a name and add nothing to it."""

REASONS = _phrases(
    """because, since, as he, as they, as it, so that, so as to, in order to, in order that, hoping, in the hope,
    in hopes, i hope, we hope, let s hope, i believe, i guess,
    to avoid, to prevent, to stop him, to keep him, to protect, to cover, to threaten, to cut,
    that should, that will, that way, this should, this will, before he, before they, car, parce que, parce qu,
    puisque, puisqu, afin de, afin d, afin que, pour que, en esperant, dans l espoir, j espere, nous esperons, ce qui,
    histoire de, de sorte que, de maniere a, pour eviter, pour empecher, pour proteger, pour couvrir,
    pour menacer, pour couper, avant qu, avant que, comme ca, comme il, comme ils, je pense, je crois, cela devrait,
    ca devrait, as planned, comme prevu, as agreed, comme convenu, for the glory, pour la gloire, vive, long live,
    for king and country, for good measure, just in case, au cas ou, god willing, with luck, hopefully,
    avec un peu de chance, si dieu le veut, to support, to help, pour soutenir, pour aider, pour etre, pour voir"""
)
"""What begins a reason or a hope: it orders nothing, up to the end of its part of the sentence."""

NEGATIONS = _phrases(
    """do not, don t, dont, does not, doesn t, will not, won t, shall not, must not, mustn t, should not, shouldn t,
    is not to, are not to, not, no, never, nobody, none, without, avoid, instead of, rather than, except, nor,
    neither,
    refrain from, cannot, can t, under no circumstances, in no case, hold off, leave out, skip, forget, ignore the,
    ne, n, pas, pas de, pas d, sans, jamais, aucun, aucune, ni, evite de, eviter de, evitez de, evite, au lieu de,
    plutot que, plutot que de, sauf, surtout pas, inutile de, nul, en aucun cas, surtout ne, kein, nicht, nix"""
)
"""What turns an order into its contrary."""
VERBAL = frozenset(
    (
        "do",
        "don",
        "dont",
        "does",
        "doesn",
        "will",
        "won",
        "shall",
        "must",
        "mustn",
        "should",
        "shouldn",
        "is",
        "are",
    )
) | frozenset(("never", "ne", "n", "jamais", "cannot", "can", "nicht", "not"))
"""First words of refusals that turn what stands before them as well."""
UNDONE = frozenset(
    [
        "fail",
        "fails",
        "forget",
        "hesitate",
        "manquer",
        "manque",
        "hesitez",
        "hesite",
        "oublie",
        "oubliez",
        "only",
        "que",
        "qu",
        "just",
        "merely",
        "seulement",
        "sure",
        "certain",
        "unless",
        "until",
        "if",
        "si",
        "before",
    ]
)
"""With one of these a refusal may be an order after all."""

REMARKS = frozenset(
    [
        "i",
        "you",
        "we",
        "it",
        "is",
        "was",
        "are",
        "were",
        "hope",
        "think",
        "guess",
        "believe",
        "know",
        "see",
        "this",
        "that",
        "what",
        "how",
        "why",
        "when",
        "there",
        "good",
        "nice",
        "bad",
        "great",
        "fun",
        "sorry",
        "wow",
        "well",
        "my",
        "your",
        "me",
        "us",
        "our",
        "enjoy",
        "love",
        "luck",
        "weather",
        "game",
        "regards",
        "hello",
        "thanks",
        "thank",
        "dear",
        "je",
        "tu",
        "vous",
        "il",
        "elle",
        "on",
        "c",
        "ca",
        "cela",
        "ce",
        "est",
        "sont",
        "suis",
        "es",
        "espere",
        "pense",
        "crois",
        "sais",
        "vois",
        "bonne",
        "bon",
        "beau",
        "belle",
        "mal",
        "desole",
        "merci",
        "bonjour",
        "salut",
        "cordialement",
        "partie",
        "temps",
        "chance",
        "amusant",
        "quel",
        "quelle",
        "quoi",
        "comment",
        "pourquoi",
        "love",
        "until",
        "family",
        "friend",
        "ami",
        "always",
        "toujours",
        "ma",
        "mon",
        "mes",
        "ta",
        "ton",
        "tes",
        "his",
        "her",
        "remember",
        "hier",
        "yesterday",
        "today",
        "tonight",
        "soir",
        "pluie",
        "pleut",
        "embrasse",
        "wishes",
        "kind",
        "warm",
        "week",
        "weekend",
        "slowly",
        "doucement",
        "father",
        "mother",
        "pere",
        "mere",
    ]
)
"""What shows that somebody is chatting."""

YES = _phrases(
    """yes, yes please, oui, yep, ok, okay, y, o, ja, correct, exactly, exactement, c est ca, that s it, d accord,
    yes that s right, right, confirm, that is right, that s right, oui merci, yes thanks, yes thank you, bien sur"""
)
"""Assent to a reading that was shown."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


INTRODUCING = _words(
    """
    with avec by par en in using at making doing
    """
)
"""What may stand before words that introduce a role."""
WHERE = _words(
    """
    in at on near inside around upon
    """
)
"""What tells where somebody is, and not where to."""
BETWEEN = _words(
    """
    the le la les l a an d un une my mon ma mes our notre some du des its
    """
)
"""What may stand between the words of a verb."""
GENERIC = _words(
    """
    unit units unite unites battery batterie piece pieces gun guns cannon cannons canon canons men hommes
    troops troupes horses chevaux soldiers soldats regiment brigade battalion bataillon those ceux celle
    celui line ligne infantry infanterie
    """
)
"""General nouns that may stand before «in D6»."""
GENERIC_WITH = _words(
    """
    enemy ennemi ennemie ennemis ennemies his their that which stands is
    """
)
"""What may stand behind such a noun."""
STANDING = _words(
    """
    at in on of from en de d du des sur a dans
    """
)
"""What leads from such a noun to its place."""
GENERIC_BEFORE = _words(
    """
    hex the la le l case hexagone hill colline wood bois forest foret town ville
    """
)
"""What may stand before the place."""
LEAVING = _words(
    """
    from de du d des depuis quit quits quitting quitte quittant quitter quittera leave leaves leaving
    departs departing
    """
)
"""What stands before a place that somebody leaves."""
BEFORE_TAIL = _words(
    """
    from of dans de in sur en du on as comme for pour its off
    """
)
"""What may stand before the second part of a verb."""
APPOSED = _words(
    """
    in at on en a au aux sur dans de du des d the la le l of from hex case
    """
)
"""What may stand between a name and the place that tells it apart."""
