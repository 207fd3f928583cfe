"""Letters that machines write: which must never be answered (MAIL 2). What reports say is read by `bounces`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.letters.headers import Headers, media_type
from pbem.letters.heads import fold
from pbem.letters.letter import AutoKind

LOOP_HEADER = "X-Pbem-Loop"
_DAEMONS = frozenset(
    (
        *(
            "mailerdaemon",
            "postmaster",
            "maildaemon",
            "maildeliverysystem",
            "maildeliverysubsystem",
            "mailsystem",
        ),
        *("deliverysubsystem", "mailsubsystem", "mdaemon", "systemadministrator", "mailadmin", "mailerdemon"),
        *("mailmaster", "mailrobot", "smtpdaemon", "mtaadmin"),
    )
)
_NO_REPLY = (
    *("noreply", "donotreply", "dontreply", "noanswer", "neparepondre", "nepasrepondre", "keineantwort"),
    *("nichtantworten", "bounces", "bounce", "nonrispondere", "noresponder", "naoresponda", "notification"),
)
_NOT_LETTERS = re.compile(r"[^a-z]+")
_AWAY = tuple(
    sorted(
        (
            fold(words)
            for words in """
out of office|out of the office|out-of-office|automatic reply|automatic response|auto-reply|auto reply|autoreply
auto response|auto-response|autoresponse|automatically generated|vacation|on vacation|on holiday|i am away
i'm away|away from my mail|away from the office|away message|absence notice|auto:
réponse automatique|réponse auto|message d'absence|absence du bureau|absent du bureau|je suis absent|absence :
notification d'absence|en congé|en vacances
automatische antwort|abwesenheit|abwesenheitsnotiz|abwesenheitsassistent|abwesend|automatische rückmeldung
ich bin nicht im büro|außer haus|nicht im büro
respuesta automática|fuera de la oficina|ausente de la oficina|ausencia temporal|contestación automática
risposta automatica|fuori ufficio|fuori sede|messaggio di assenza|assente
automatisch antwoord|afwezig|afwezigheid|automatische beantwoording|niet op kantoor|afwezigheidsbericht
resposta automática|ausência temporária|fora do escritório|ausente do escritório|estou ausente
autosvar|automatiskt svar|automatisk svar|frånvaro|frånvarande|ikke til stede|fraværende|fravær|ej på kontoret
automaattinen vastaus|poissa toimistosta|poissaolo|poissaoloviesti
odpowiedź automatyczna|automatyczna odpowiedź|autoodpowiedź|nieobecność|poza biurem
автоматический ответ|автоответ|автоответчик|нет на месте|отсутствую|в отпуске
automatická odpověď|mimo kancelář|automatikus válasz|házon kívül
otomatik yanıt|ofis dışında|自動応答|自動返信|자동 회신|自动回复|自动答复
""".replace("\n", "|").split("|")
            if words
        ),
        key=len,
        reverse=True,
    )
)
# What a desk for customers answers at once, and what asks whoever writes whether he is a person.
_TAKEN_IN = (
    *("has been received", "was received", "received:", "] received", "request received", "ticket received"),
    *("ticket created", "has been created", "has been opened", "we have received your", "we received your"),
    *(
        "a bien ete recu",
        "a bien ete recue",
        "demande recue",
        "ticket cree",
        "ist eingegangen",
        "eingegangen:",
    ),
    *("eingangsbestatigung", "ticket erstellt", "wurde erstellt", "ha sido recibid", "ha sido recibido"),
)
_CASE = re.compile(
    r"(?:\[(?:ticket|case|request|incident|anfrage|vorgang|demande)[\s:-]{0,2}(?:#|id\b|nr\b\.?)?"
    r"|(?:ticket|case|request|incident|anfrage|vorgang|demande)\s?#)[\s:]{0,2}\d{2,30}\b"
)
_OUR_REQUEST = (
    "your request",
    "your message",
    "your email",
    "votre demande",
    "votre message",
    "ihre anfrage",
)
_NUMBERED = re.compile(r"\[#?[a-z]{0,10}-?#?\d{2,30}\]")
_CHALLENGES = tuple(
    fold(words)
    for words in """
please confirm that you are human|please confirm you are human|confirm that you are a human|confirm you are a human
please prove that you are human|please prove you are human|verify that you are human|verify you are human
confirm that you are a person|confirm you are not a robot|confirm that you are not a robot
your message is awaiting confirmation|your message awaits confirmation|your email requires verification
your e-mail requires verification|your message requires verification|sender verification required
please verify your message|please confirm your message to|spam arrest|spamarrest|mailinblack
merci de confirmer que vous êtes humain|confirmez que vous êtes humain|confirmez que vous êtes un humain
merci de confirmer que vous êtes un humain|merci de prouver que vous êtes|confirmez que vous n'êtes pas un robot
bitte bestätigen sie, dass sie ein mensch sind|bestätigen sie, dass sie kein roboter sind
confirme que es humano|confirme que usted es humano|conferma di essere umano|bevestig dat u een mens bent
please type your reply above this line|reply above this line
""".strip()
    .replace("\n", "|")
    .split("|")
)
_LOOKED_AT = 6
_RECEIPT = tuple(
    fold(words)
    for words in (
        *(
            "read: ",
            "not read: ",
            "delivered: ",
            "return receipt",
            "read receipt",
            "lu : ",
            "lu: ",
            "gelesen: ",
        ),
        *(
            "ungelesen gelöscht: ",
            "accusé de lecture",
            "accusé de réception",
            "confirmation de lecture",
            "leído: ",
        ),
        *(
            "letto: ",
            "gelezen: ",
            "lida: ",
            "läst: ",
            "læst: ",
            "lest: ",
            "luettu: ",
            "przeczytano: ",
            "прочтено: ",
        ),
        *("lesebestätigung", "disposition notification", "conferma di lettura", "leesbevestiging"),
    )
)
FAILED = tuple(
    fold(words)
    for words in (
        *("undelivered mail returned", "undeliverable", "mail delivery failed", "mail delivery failure"),
        *(
            "delivery status notification",
            "delivery failure",
            "delivery failed",
            "failure notice",
            "returned mail",
        ),
        *(
            "mail delivery problem",
            "mail could not be delivered",
            "message could not be delivered",
            "failure delivery",
        ),
        *("delivery notification", "delivery report", "warning: message", "warning: could not send message"),
        *(
            "mail system error",
            "non delivery notification",
            "non-delivery",
            "message not delivered",
            "unzustellbar",
        ),
        *("undelivered", "unzustellbare nachricht", "non remis", "échec de la remise", "echec de remise"),
        *(
            "message non remis",
            "mail non distribué",
            "no se puede entregar",
            "no entregado",
            "mancato recapito",
        ),
        *("non recapitabile", "onbestelbaar", "kan niet worden afgeleverd", "não é possível entregar"),
        *("não entregue", "går inte att leverera", "olevererbart", "kunne ikke leveres", "kan ikke leveres"),
        *("nie można dostarczyć", "niedostarczalne", "недоставленное", "не доставлено", "ei voida toimittaa"),
        *("delivery delayed", "message delayed", "mail delivery delayed", "returned to sender"),
    )
)
_AWAY_FIELDS = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-vacation",
    "x-auto-reply",
    "x-mail-autoreply",
    "x-autogenerated",
    "x-auto-reply-from",
    "x-autoreply-from",
)
_PREFIX = re.compile(r"(?:re|aw|sv|vs|tr|fwd?|auto)\s?:\s*+")


def kind_of(headers: Headers, sender: str, subject: str, own_address: str) -> AutoKind | None:
    """Why a letter with these headers must not be answered; None for a person's letter."""
    if LOOP_HEADER.lower() in headers or (own_address and _base(sender) == _base(own_address.lower())):
        return AutoKind.LOOP
    report = _report(headers)
    if report is not None:
        return report
    told = fold(subject[:200])
    local = sender.partition("@")[0]
    bare = _NOT_LETTERS.sub("", local.partition("+")[0].lower())
    # Whoever answers such a letter is a person: his subject begins with «Re:».
    if told.startswith(FAILED) or "x-failed-recipients" in headers:
        return AutoKind.BOUNCE
    if bare in _DAEMONS:
        return AutoKind.MAILER_DAEMON
    if _asks_or_counts(told) or "x-otrs-loop" in headers or "x-boxtrapper" in headers:
        return AutoKind.AUTO_SUBMITTED
    submitted = headers.first("auto-submitted").lower()
    precedence = headers.first("precedence").lower()
    if (
        any(field in headers for field in _AWAY_FIELDS)
        or precedence == "auto_reply"
        or "vacation" in submitted
        or told.startswith(_AWAY)
        or _PREFIX.sub("", told, count=1).startswith(_AWAY)
    ):
        return AutoKind.VACATION
    if told.startswith(_RECEIPT):
        return AutoKind.RECEIPT
    if "x-amz-sns-message-type" in headers or sender.endswith("@sns.amazonaws.com"):
        return AutoKind.COMPLAINT
    if submitted and submitted.partition(";")[0].partition("(")[0].strip() != "no":
        return AutoKind.AUTO_SUBMITTED
    if precedence == "list" or "list-id" in headers or "mailing-list" in headers or "list-post" in headers:
        return AutoKind.LIST
    if precedence in ("bulk", "junk") or "list-unsubscribe" in headers or "feedback-id" in headers:
        return AutoKind.BULK
    if bare.startswith(_NO_REPLY) or bare.endswith("noreply"):
        return AutoKind.NO_REPLY
    if headers.first("return-path").replace(" ", "") == "<>":
        return AutoKind.EMPTY_RETURN_PATH
    return None


def _asks_or_counts(told: str) -> bool:
    """Whether a subject is that of a desk which has numbered our letter, or of a question whether we are human."""
    if any(words in told for words in _CHALLENGES):
        return True
    if _CASE.match(told) is not None:
        return True
    taken_in = any(words in told for words in _TAKEN_IN)
    return taken_in and (told.startswith((*_TAKEN_IN, *_OUR_REQUEST)) or _NUMBERED.search(told) is not None)


def challenges(lines: Sequence[str]) -> bool:
    """Whether a letter begins with the question whether its reader is human, or with a mark of a customers' desk."""
    return any(fold(line[:100].strip(" #-*_>")).startswith(_CHALLENGES) for line in lines[:_LOOKED_AT])


def _report(headers: Headers) -> AutoKind | None:
    """What a report is about (RFC 6522): a delivery, a reading, a complaint, or something else no person wrote."""
    kind, parameters = media_type(headers.first("content-type"))
    if kind == "message/delivery-status":
        return AutoKind.BOUNCE
    if kind == "message/disposition-notification":
        return AutoKind.RECEIPT
    if kind != "multipart/report":
        return None
    about = parameters.get("report-type", "").strip().lower()
    if about == "delivery-status":
        return AutoKind.BOUNCE
    if about == "disposition-notification":
        return AutoKind.RECEIPT
    return AutoKind.COMPLAINT if about == "feedback-report" else AutoKind.REPORT


def _base(address: str) -> str:
    local, _, host = address.partition("@")
    return local.partition("+")[0] + "@" + host
