"""One table, by language, of what mail programs write around a reply: attributions, heads, dividers, footers.

A new language or program is a row or a word here, never one more pattern. Everything is compared folded: small
letters without accents. All look-ups are linear in the line; lines longer than `LONGEST` are no heads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

LONGEST = 400


class Heads(NamedTuple):
    """What the programs of one language write. Words are separated by «|»."""

    wrote: str
    """The verb of «On … somebody wrote:»."""
    on: str
    """The word with which a dated attribution begins."""
    sender: str
    sent: str
    to: str
    subject: str
    """The labels of a head in front of an unmarked quotation."""
    original: str
    """What stands between dashes above a quotation."""
    forwarded: str
    """What stands on a line of its own, with a colon, above one."""
    footers: str
    """Beginnings of lines that programs, phones and scanners put below a letter."""


TABLE: dict[str, Heads] = {
    "en": Heads(
        "wrote|writes|has written|you write",
        "on|at",
        "from|sender",
        "sent|date|sent on|date sent|sent at",
        "to|cc|reply-to",
        "subject|re",
        "original message|original e-mail|original email|original appointment|forwarded message|forwarded by"
        "|reply message|reply above this line|forwarded e-mail|message original|original text|in reply to"
        "|reply separator",
        "begin forwarded message|start of forwarded message|forwarded message|original message",
        "sent from my|sent from mail|sent from yahoo|sent from outlook|sent from samsung|sent from proton"
        "|sent from gmail|sent from the|sent from an|sent from a |sent from aol|sent from android|sent from iphone"
        "|sent from ipad|sent from mobile|sent from e-mail|sent from email|sent from k-9|sent from fairemail"
        "|sent from spark|sent from windows|sent from huawei|sent from vodafone|sent from your|sent from nine"
        "|sent from mailbird|sent from polymail|sent from airmail|sent from blue|sent from zoho|sent from tuta"
        "|sent from canary|sent from edison|sent from newton|sent from boxer|sent from mobile"
        "|sent from blackberry|sent from thunderbird|sent from superhuman|sent with proton|sent with tuta"
        "|sent with mailbird|sent with spark|sent with airmail|sent with k-9|sent with shift"
        "|sent with the|sent with my|sent with gmx|sent with unibox|sent with polymail|sent with superhuman"
        "|sent using|sent via|sent by mail|sent on the go|sent in haste|get outlook for|download outlook for"
        "|get bluemail|get the all-new aol|sent while|please excuse typos|typed on a phone|sent on my"
        "|this email has been checked|this e-mail has been checked|this email has been scanned"
        "|this message has been scanned|this e-mail has been scanned|this email is free from viruses"
        "|this email was scanned|virus-free|no virus found in this|checked by avg|scanned by mailscanner"
        "|this message was sent using imp|this email has been protected|to report this email as spam"
        "|you received this message because|to unsubscribe from this|to unsubscribe, |unsubscribe:"
        "|this email and any|this e-mail and any|this message and any|this e-mail is confidential"
        "|this email is confidential|this message is confidential|this message is intended|this email is intended"
        "|this e-mail is intended|confidentiality notice|confidentiality:|the information contained in this"
        "|the information in this|the contents of this|disclaimer:|notice: this"
        "|this communication is|please consider the environment|please think of the environment"
        "|p please consider the environment|think before you print|if you are not the intended recipient"
        "|if you have received this",
    ),
    "fr": Heads(
        "a ecrit|ecrit|ecrivait|ont ecrit|a envoye",
        "le|en date du",
        "de|expediteur|emetteur",
        "envoye|envoye le|date|date d'envoi|message du",
        "a|destinataire|destinataires|cc|copie a|pour",
        "objet|sujet|titre",
        "message d'origine|message original|message initial|message transfere|message transmis|message reexpedie"
        "|mail original|mail transfere|courriel original|e-mail original|message precedent|reponse|original",
        "debut du message reexpedie|debut du message transfere|message reexpedie|message transfere"
        "|debut du message transmis",
        "envoye de|envoyee de|envoye depuis|envoyee depuis|envoye a partir|envoyee a partir|envoye avec la messagerie"
        "|envoye avec proton|envoye avec l'application|envoye avec mon|envoye avec gmail|envoye avec yahoo"
        "|envoye avec tuta|envoye avec spark|envoye via|envoye par mon|provenance : courrier|provenance: courrier"
        "|telecharger outlook pour|telechargez outlook pour|obtenir outlook pour|obtenez outlook pour"
        "|telecharge outlook|l'absence de virus dans ce courrier|cet e-mail a ete verifie|ce courrier electronique ne"
        "|ce message a ete verifie|garanti sans virus|sans virus|analyse effectuee par|aucun virus trouve"
        "|ce message et toutes les pieces|ce message et ses pieces|ce message et les pieces|ce courriel et"
        "|ce courriel est confidentiel|cet e-mail et|ce message est confidentiel|ce message est destine"
        "|ce mail et ses|les informations contenues|avis de confidentialite|clause de confidentialite"
        "|pensez a l'environnement|pensez environnement|avant d'imprimer|afin de preserver l'environnement"
        "|si vous n'etes pas le destinataire|vous recevez ce message|pour se desabonner|pour vous desabonner",
    ),
    "de": Heads(
        "schrieb|schrieben|schreibt|hat geschrieben|geschrieben",
        "am|um",
        "von|absender",
        "gesendet|datum|gesendet am|verschickt",
        "an|cc|kopie",
        "betreff|betr",
        "ursprungliche nachricht|originalnachricht|original-nachricht|original nachricht|urspr. nachricht"
        "|weitergeleitete nachricht|ursprungliche e-mail|originalmail|ursprungliche mail|original-mail",
        "anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|weitergeleitete nachricht",
        "gesendet von|gesendet mit|gesendet aus|gesendet uber|von meinem|von meiner|outlook fur|holen sie sich outlook"
        "|diese nachricht wurde von|diese nachricht wurde mit|diese e-mail wurde von|diese e-mail wurde mit"
        "|diese email wurde von|virenfrei|diese mail wurde|diese e-mail enthalt|diese nachricht enthalt"
        "|diese e-mail ist vertraulich|der inhalt dieser|diese e-mail und|bitte denken sie an die umwelt"
        "|bitte prufen sie, ob|sent from my|keine viren gefunden|geschickt von meinem|gesendet vom",
    ),
    "es": Heads(
        "escribio|escribe|ha escrito|escribia",
        "el|con fecha",
        "de|remitente",
        "enviado|fecha|enviado el|enviado:",
        "para|cc|a",
        "asunto",
        "mensaje original|mensaje reenviado|mensaje de origen|correo original|original message",
        "inicio del mensaje reenviado|mensaje reenviado",
        "enviado desde|enviado con|enviado por|obtener outlook para|obten outlook para|libre de virus"
        "|este correo electronico ha sido|el software de antivirus avast|este mensaje y|este correo electronico y"
        "|antes de imprimir|aviso de confidencialidad|este mensaje va dirigido|la informacion contenida",
    ),
    "it": Heads(
        "ha scritto|scrive|scriveva|scrisse",
        "il|in data|il giorno",
        "da|mittente",
        "inviato|data|data invio",
        "a|cc",
        "oggetto",
        "messaggio originale|messaggio inoltrato|messaggio originario|messaggio di origine",
        "inizio messaggio inoltrato|inizio del messaggio inoltrato|messaggio inoltrato",
        "inviato da|inviato dal|inviato con|ottieni outlook per|scarica outlook|privo di virus|questa e-mail e stata"
        "|questa email e stata|questo messaggio e|le informazioni contenute|ai sensi del|prima di stampare"
        "|questa mail e",
    ),
    "nl": Heads(
        "schreef|schrijft|schreven|heeft geschreven|geschreven",
        "op",
        "van|afzender",
        "verzonden|datum|verzonden op",
        "aan|cc",
        "onderwerp",
        "oorspronkelijk bericht|origineel bericht|doorgestuurd bericht|oorspronkelijke bericht"
        "|oorspronkelijk e-mailbericht",
        "begin doorgestuurd bericht|doorgestuurd bericht",
        "verzonden vanaf|verzonden met|verzonden via|verstuurd vanaf|verstuurd met|verstuurd via|outlook voor"
        "|download outlook voor|virusvrij|deze e-mail is gecontroleerd|dit bericht is|dit e-mailbericht"
        "|denk aan het milieu|deze e-mail en",
    ),
    "pt": Heads(
        "escreveu|escrevia|escreve",
        "em|no dia|a|na|no",
        "de|remetente",
        "enviado|enviada|data|enviada em|enviado em|enviado a",
        "para|cc",
        "assunto",
        "mensagem original|mensagem encaminhada|mensagem reencaminhada|mensagem de origem",
        "inicio da mensagem encaminhada|inicio da mensagem reencaminhada|mensagem encaminhada",
        "enviado do|enviada do|enviado de|enviado a partir|enviado desde|enviado pelo|enviado com|enviado via"
        "|obter o outlook|baixe o outlook|livre de virus|sem virus|este e-mail foi|este email foi"
        "|esta mensagem e|esta mensagem pode|antes de imprimir|aviso de confidencialidade",
    ),
    "sv": Heads(
        "skrev|skriver|har skrivit",
        "den|pa",
        "fran|avsandare",
        "skickat|datum|skickades",
        "till|kopia|cc",
        "amne",
        "ursprungligt meddelande|originalmeddelande|vidarebefordrat meddelande|vidarebefordrat brev",
        "vidarebefordrat brev|borjan pa vidarebefordrat brev|vidarebefordrat meddelande",
        "skickat fran|skickades fran|skickat med|skickat via|hamta outlook|skaffa outlook|virusfritt|virusfri"
        "|detta meddelande|detta e-postmeddelande|denna e-post|tank pa miljon",
    ),
    "da": Heads(
        "skrev|skriver|har skrevet",
        "den|d.|pa",
        "fra|afsender",
        "sendt|dato",
        "til|cc",
        "emne",
        "oprindelig meddelelse|original meddelelse|videresendt meddelelse|oprindelig besked|videresendt besked"
        "|videresendt mail|oprindelig mail",
        "start pa videresendt besked|start pa videresendt meddelelse|videresendt besked",
        "sendt fra|sendt med|sendt via|hent outlook|fa outlook|virusfri|denne e-mail|denne mail"
        "|denne meddelelse|tank pa miljoet",
    ),
    "no": Heads(
        "skrev|skriver|har skrevet",
        "den|pa|kl.",
        "fra|avsender",
        "sendt|dato",
        "til|kopi|cc",
        "emne",
        "opprinnelig melding|original melding|videresendt melding|opprinnelig e-post|videresendt e-post",
        "start pa videresendt melding|videresendt melding",
        "sendt fra|sendt med|sendt via|last ned outlook|fa outlook|skaff deg outlook|virusfri"
        "|denne e-posten|denne meldingen",
    ),
    "pl": Heads(
        "napisal|napisala|napisal(a)|pisze|napisali|napisal/a|napisana przez",
        "dnia|w dniu|dn.|w|pon.|wt.|sr.|czw.|pt.|sob.|niedz.",
        "od|nadawca",
        "wyslano|data|wyslane",
        "do|dw|cc",
        "temat",
        "wiadomosc oryginalna|oryginalna wiadomosc|wiadomosc przekazana|przekazana wiadomosc"
        "|wiadomosc pierwotna|przeslana wiadomosc",
        "poczatek przekazanej wiadomosci|przekazana wiadomosc|wiadomosc napisana",
        "wyslane z|wyslano z|wyslane przez|pobierz outlook|pobierz program outlook|wolny od wirusow|bez wirusow"
        "|ta wiadomosc|ten e-mail|niniejsza wiadomosc",
    ),
    "fi": Heads(
        "kirjoitti|kirjoittaa|kirjoittivat",
        "ma|ti|ke|to|pe|la|su|paivamaara",
        "lahettaja|mista",
        "lahetetty|paivays|paivamaara|pvm",
        "vastaanottaja|kopio|kenelle",
        "aihe",
        "alkuperainen viesti|valitetty viesti|edelleenlahetetty viesti|alkuperainen sahkoposti",
        "valitetty viesti alkaa|edelleenlahetetty viesti alkaa",
        "lahetetty |hanki outlook|viruksista vapaa|virusvapaa|tama viesti|tama sahkoposti",
    ),
    "ru": Heads(
        "написал|написала|пишет|писал|писала|написал(а)|пишете",
        "в|от|на|пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье",
        "от|от кого|отправитель",
        "отправлено|дата|послано|отправлен",
        "кому|копия",
        "тема",
        "исходное сообщение|пересылаемое сообщение|пересланное сообщение|оригинальное сообщение"
        "|конец пересылаемого сообщения|перенаправленное сообщение|сообщение",
        "начало переадресованного сообщения|начало пересылаемого сообщения",
        "отправлено с|отправлено из|отправлено от|отправлено через|получить outlook|скачать outlook|без вирусов"
        "|это сообщение|данное сообщение|проверено на вирусы",
    ),
    "el": Heads(
        "εγραψε|έγραψε|εγραψαν|έγραψαν|γραφει|γράφει",
        "στις|την|τη|το|στην",
        "απο|από|αποστολεας|αποστολέας",
        "ημερομηνια|ημερομηνία|στάλθηκε|σταλθηκε|εσταλη|απεσταλμενα",
        "προς|κοιν",
        "θεμα|θέμα",
        "αρχικο μηνυμα|αρχικό μήνυμα|προωθημενο μηνυμα|προωθημένο μήνυμα",
        "προωθημενο μηνυμα|αρχικο μηνυμα",
        "σταλθηκε απο|εσταλη απο|αποσταλθηκε απο",
    ),
    "zh": Heads(
        "写道|寫道|于|写了|寫了",
        "在|于|於",
        "发件人|發件人|寄件者|寄件人|发信人",
        "发送时间|日期|寄件日期|傳送日期|时间|發送時間",
        "收件人|收件者|抄送|副本",
        "主题|主題|主旨",
        "原始邮件|原始郵件|转发邮件|轉寄郵件|转发的邮件|原始信件",
        "转发邮件|轉寄郵件|原始邮件",
        "发自我的|從我的|从我的|發自我的|來自我的",
    ),
    "cs": Heads(
        "napsal|napsala|napsal(a)|pise",
        "dne|v|po|ut|st|ct|pa|so|ne",
        "od|odesilatel",
        "odeslano|datum",
        "komu|kopie",
        "predmet",
        "puvodni zprava|puvodni e-mail|povodna sprava|preposlana zprava|predana zprava",
        "zacatek preposlane zpravy|preposlana zprava",
        "odeslano z|odeslano ze|ziskat outlook|bez viru|tato zprava|tento e-mail",
    ),
    "hu": Heads(
        "irta|ezt irta|a kovetkezot irta",
        "",
        "felado|kuldo",
        "elkuldve|datum|kuldve",
        "cimzett|masolatot kap",
        "targy",
        "eredeti uzenet|tovabbitott uzenet|tovabbitott level|eredeti level",
        "tovabbitott level kezdete|tovabbitott uzenet",
        "elkuldve a|iphone-omrol kuldve|az outlook|virusmentes|kuldve a",
    ),
    "tr": Heads(
        "yazdi|sunlari yazdi|sunu yazdi|tarihinde",
        "",
        "kimden|gonderen",
        "gonderildi|tarih|gonderme tarihi",
        "kime|bilgi",
        "konu",
        "orijinal mesaj|ozgun ileti|iletilen mesaj|yonlendirilen ileti|iletilmis mesaj",
        "iletilen mesaj baslangici",
        "iphone'umdan gonderildi|android|outlook'u edinin|virus bulunmuyor",
    ),
    "ja": Heads(
        "さんは書きました|のメール",
        "",
        "差出人",
        "送信日時|日付|日時",
        "宛先",
        "件名",
        "元のメッセージ|転送メッセージ",
        "転送されたメッセージ",
        "iphoneから送信|androidから送信",
    ),
}

_MARKED = str.maketrans(
    "àâäáãåăąçćčďéèêëęěíìîïıłľñńňóòôöõøőřśšşťúùûüůűýÿźżžğ",
    "aaaaaaaacccdeeeeeeiiiiillnnnooooooorssstuuuuuuyyzzzg",
)


def fold(text: str) -> str:
    """Small letters without accents."""
    text = text.lower()
    return text if text.isascii() else text.translate(_MARKED)


def _words(column: str) -> list[str]:
    found = {
        fold(word) for heads in TABLE.values() for word in getattr(heads, column).split("|") if word.strip()
    }
    return sorted(found, key=len, reverse=True)


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in words)


FROM, SENT, TO, SUBJECT = "sender", "sent", "to", "subject"
_LABELS: dict[str, str] = {label: kind for kind in (TO, SUBJECT, SENT, FROM) for label in _words(kind)}
_VERB = re.compile(rf"(?<!\w)(?:{_any(_words('wrote'))})(?!\w)")
_ON = re.compile(rf"(?:{_any(_words('on'))})[\s,.]")
_ORIGINAL = tuple(_words("original"))
_FORWARDED = frozenset(_words("forwarded"))
_FOOTERS = tuple(_words("footers"))
_CLOCK = re.compile(r"\d[:.h]\d\d(?!\d)")
_DATE = re.compile(r"(?<!\d)(?:\d{1,4}([-/.])\d{1,2}\1\d{1,4}|(?:19|20)\d\d)(?!\d)")
_WHEN = re.compile(r"\s(?:on|le|am|den|op|el|il|em|dne)\s")
_DATED_LABEL = re.compile(r"message du \d", re.IGNORECASE)
_IN_ARTICLE = (
    "in article <",
    "in message <",
    "in message-id <",
    "in <",
    "dans l'article <",
    "dans le message <",
)
_NAMED_QUOTATIONS = ("quoting ", "zitat von ", "citando ", "citat av ", "citat fra ")
_QUOTING = ("quoting", "citando", "zitat von", "mensaje citado por", "citat", "selon", "en reponse a")
_LETTERS = re.compile(r"[^\W\d_]+")
_OWN_WORDS = frozenset(
    (
        *(
            "order",
            "orders",
            "ordre",
            "ordres",
            "turn",
            "tour",
            "phase",
            "end",
            "fin",
            "move",
            "moves",
            "movement",
        ),
        *(
            "combat",
            "action",
            "actions",
            "plan",
            "befehle",
            "ordini",
            "ordenes",
            "press",
            "presse",
            "round",
            "manche",
        ),
    )
)
_DECORATION = "-_*=~>#| \t"
_MOST_VERBS = 4
_RULES = ("---", "___", "***", "===")
_PAIRS = ("~~", "==", "++")


def attribution(text: str) -> bool:
    """Whether a text, one line or a few put together, is «On … somebody wrote:» in any language.

    Step by step rather than by one pattern, whose time could grow with the square of a hostile line.
    """
    if len(text) > LONGEST:
        return False
    decorated = text.startswith("--") and text.endswith("--")
    whole = fold(text.strip(_DECORATION if decorated else " *_"))
    for n, verb in enumerate(_VERB.finditer(whole)):
        if n == _MOST_VERBS:
            break
        if verb.start() and _wrote(whole[: verb.start()].rstrip(), whole[verb.end() :], decorated):
            return True
    return _bare(whole)


def _wrote(before: str, after: str, decorated: bool) -> bool:
    """Whether what stands before and after the verb makes it an attribution."""
    colon = after.rstrip().endswith((":", "：")) or decorated
    dated = bool(_DATE.search(before) or _CLOCK.search(before))
    begins = _begins(before)
    mailbox = "@" in before
    if not after.strip(" :：*-_.,"):
        if decorated or (mailbox and before.startswith(_IN_ARTICLE)):
            return True
        if mailbox and (colon or dated) and (dated or before.endswith((">", ")", "]"))):
            return True
        if begins:
            return colon or dated
        return (
            dated
            and (colon or before[:1].isdigit())
            and (before[:1].isdigit() or bool(_CLOCK.search(before)))
        )
    if after.lstrip().startswith(":"):
        # The quotation begins on the same line.
        return begins and mailbox and bool(_CLOCK.search(before))
    if not colon:
        return False
    when = _WHEN.search(after)
    if when is not None and when.start() < 20 and any(map(str.isdigit, after)):
        return True
    if _DATE.search(after) and _CLOCK.search(after):
        return True
    dated = dated or bool(_DATE.search(after) or _CLOCK.search(after))
    return dated and (begins or mailbox or "@" in after)


def _bare(whole: str) -> bool:
    """Without a verb: «3 March 10:12 A. Name <a@b>:», «2025-03-03 17:02 GMT+01:00 Name <a@b>:», «Quoting a@b:»."""
    if not whole.endswith(":"):
        return False
    before, _, last = whole.rstrip(": ").rpartition(" ")
    return "@" in last and (bool(_CLOCK.search(before)) or before.startswith(_QUOTING))


def _begins(text: str) -> bool:
    return _ON.match(text) is not None and any(map(str.isdigit, text))


def begins_attribution(text: str) -> bool:
    """Whether a line can be the first of a dated attribution."""
    return len(text) <= LONGEST and _begins(fold(text.lstrip(_DECORATION)) + " ")


def ends_attribution(text: str) -> bool:
    """Whether an attribution may end with this line: by a colon, by its verb, or between dashes."""
    bare = text.rstrip(" *_-")
    if bare.endswith((":", "：")) or ":   " in bare:
        return True
    last = None
    for last in _VERB.finditer(fold(bare[-40:])):  # noqa: B007  the last one is wanted
        pass
    if last is not None and last.end() == len(bare[-40:]):
        return True
    return last is None and len(text) <= LONGEST and "@" in text and _VERB.search(fold(text)) is not None


def label(text: str) -> str:
    """Which label of a letter's head a line begins with: sender, sent, to, subject; empty where none."""
    name, colon, _ = text[:40].partition(":")
    if _DATED_LABEL.match(text):
        return SENT
    if not colon:
        return ""
    return _LABELS.get(fold(name.strip(" *_|")), "")


def divider(text: str) -> bool:
    """Whether a line divides a letter from an older one: «--- Original Message ---», «Begin forwarded message:»."""
    if len(text) > LONGEST:
        return False
    bare = text.strip(_DECORATION)
    folded = fold(bare)
    if not bare:
        return len(text) >= 10 and set(text) == {"_"}
    if text.startswith("-----BEGIN PGP") or folded.startswith("begin pgp"):
        return folded.startswith(("begin pgp signature", "begin pgp public key block"))
    marked = text[0] in "-_*=~" and (text[1:2] in "-_*=~" or text[-1] in "-_*=~")
    if marked and len(folded) < 120 and folded.rstrip(":").startswith(_ORIGINAL):
        return True
    return folded.endswith(":") and folded.rstrip(": ") in _FORWARDED


def footer(text: str) -> bool:
    """Whether a program, a phone, a scanner or a lawyer wrote this line below the letter."""
    start = fold(text[:120].lstrip(" -_*>\"'([<~"))
    if start.startswith(_FOOTERS):
        return True
    return "gesendet" in start and start.startswith("von mein")


def headlike(text: str) -> bool:
    """Whether a line that is no head that we know looks like one all the same."""
    if len(text) > LONGEST:
        return False
    address = "@" in text and ("<" in text or "mailto:" in text or "(" in text)
    dated = _DATE.search(text) is not None
    clock = _CLOCK.search(text) is not None
    if address and (dated or clock or text.endswith(":")):
        return True
    if text.endswith((":", "：")) and dated and clock:
        return True
    kind = label(text)
    if (kind in (FROM, TO) and "@" in text) or (kind == SENT and clock and dated):
        return True
    folded = fold(text)
    if kind == SUBJECT and re.search(r":\s{0,3}(?:re|aw|sv|tr)\s?:", folded):
        return True
    verb = _VERB.search(folded)
    if verb is not None and verb.start() and (clock or folded[verb.end() :].strip() in (":", "：")):
        return True
    if verb is not None and verb.start() and address and not folded[verb.end() :].strip():
        return True
    # Two stars or underscores make bold type of an order.
    decorated = (text[:3] in _RULES and text[-3:] in _RULES) or (text[:2] in _PAIRS and text[-2:] in _PAIRS)
    named = folded.startswith(_NAMED_QUOTATIONS) and folded.endswith(":")
    words = _LETTERS.findall(folded) if decorated or named else []
    # «--- My orders ---» divides nothing.
    return bool(words) and _OWN_WORDS.isdisjoint(words)
