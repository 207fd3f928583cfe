"""The whole audit of a log: its seals and dice, the heads in a player's own letters, and a replay by the rules.

Levels 1 and 3 need nothing but the log and the letters. Level 4 plays a finished game again from its opened
orders: the set of draws must be exactly what the rules demand, and every answer what its reason gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.archive import reasons
from pbem.campaign.archive import replay as replays
from pbem.campaign.outgoing import couriers
from pbem.campaign.outgoing.couriers import Ride
from pbem.campaign.signup.new_game import rules_digest
from pbem.dice.audit import audit
from pbem.dice.audit.mailbox import read_letters
from pbem.dice.audit.verdicts import Verdict
from pbem.dice.beacon.rounds import QUICKNET, Network
from pbem.dice.draw.demanded import Demanded
from pbem.dice.log.entries import canonical
from pbem.kernel.game import LETTER, Game

_WORDS = {
    "en": {
        "replayed": "Replay: {answers} answers played again by the rules of {game}: every roll in the log was used, "
        "none is missing.",
        "reasoned": "Every answer has its reason in the log: a sealed letter, a standing order sealed before, a "
        "deadline that had passed, the only choice, or an act of the game master's.",
        "unreasoned": "Replay: entry {entry}: answer {n}, {seat}, {key}: {why}.",
        "other_rules": "Replay: not possible. This game was played by an earlier edition of the rules of {game} "
        "(pbem {engine}); have that version replay it.",
        "unsealed": "Replay: the answers in the log are not the orders that were sealed.",
        "elsewhere": "Replay: the answers in the log lead to another position than the log says.",
        "not_over": "Replay: not yet, the game is not over.",
        "broken": "Replay: the answers in the log cannot be played by these rules: {why}",
        "no_game": "Replay: these rules are not installed ({game}).",
        "couriers": "Replay: courier {n} did not fare as his die and his way say ({why}).",
    },
    "fr": {
        "replayed": "Rejeu : {answers} réponses rejouées selon les règles de {game} : chaque jet du registre a servi, "
        "aucun ne manque.",
        "reasoned": "Chaque réponse a sa raison au registre : une lettre scellée, une consigne scellée auparavant, "
        "une échéance passée, le seul choix, ou un acte du maître de jeu.",
        "unreasoned": "Rejeu : entrée {entry} : réponse {n}, {seat}, {key} : {why}.",
        "other_rules": "Rejeu : impossible. Cette partie a été jouée selon une édition antérieure des règles de {game} "
        "(pbem {engine}) ; faites-la rejouer par cette version.",
        "unsealed": "Rejeu : les réponses du registre ne sont pas les ordres scellés.",
        "elsewhere": "Rejeu : les réponses du registre mènent à une autre position que le registre ne dit.",
        "not_over": "Rejeu : pas encore, la partie n'est pas finie.",
        "broken": "Rejeu : les réponses du registre ne se jouent pas selon ces règles : {why}",
        "no_game": "Rejeu : ces règles ne sont pas installées ({game}).",
        "couriers": "Rejeu : le courrier {n} n'est pas passé comme son dé et sa route le disent ({why}).",
    },
}


FAULTS = ("broken", "unsealed", "elsewhere", "couriers", "unreasoned")


class Audited(msgspec.Struct, frozen=True):
    """The verdict of the seals, and that of the replay."""

    verdict: Verdict
    replay: str
    params: dict[str, str | int]
    heads: int = 0

    @property
    def ok(self) -> bool:
        """Whether all that could be checked is right."""
        return self.verdict.ok and self.replay not in FAULTS

    def report(self, lang: str = "en") -> list[str]:
        """The verdict in words."""
        words = _WORDS.get(lang, _WORDS["en"])
        lines = list(self.verdict.report(lang).splitlines())
        if self.verdict.ok:
            lines.append(words[self.replay].format(**self.params))
            if self.replay == "replayed" and self.verdict.edition > 1:
                lines.append(words["reasoned"])
        return lines

    def data(self) -> dict[str, Any]:
        """The verdict for scripts."""
        found = self.verdict
        return {
            "ok": self.ok,
            "code": found.code,
            "entry": found.entry,
            "detail": found.detail,
            "game": found.game,
            "entries": found.entries,
            "draws": found.draws,
            "steps": found.step_count,
            "ended": found.ended,
            "sources": list(found.sources),
            "witnessed": found.witnessed,
            "unwitnessed": list(found.unwitnessed),
            "edition": found.edition,
            "words": list(found.words),
            "answers": [list(each) for each in found.answers],
            "receipts": found.receipts,
            "cards": found.cards,
            "replay": self.replay,
            "heads": self.heads,
        }


def audit_log(
    file: Path,
    letters: Sequence[Path] = (),
    *,
    signatures: bool = True,
    networks: Sequence[Network] = (QUICKNET,),
) -> Audited:
    """Audit an exported log, and a player's own letters against it. Raises OSError for a file that cannot be read."""
    mailbox = read_letters(letters) if letters else None
    verdict = audit.audit_file(file, collect=True, signatures=signatures, networks=networks, mailbox=mailbox)
    heads = len(mailbox.heads) if mailbox else 0
    if not verdict.ok or not verdict.ended:
        return Audited(verdict, "not_over", {}, heads)
    return _replayed(file, verdict, heads)


def _replayed(file: Path, verdict: Verdict, heads: int) -> Audited:
    try:
        finished = replays.from_log(file, verdict)
    except (ValueError, LookupError, TypeError) as error:
        return Audited(verdict, "broken", {"why": str(error)}, heads)
    playback = finished.playback
    if playback.game not in games.names():
        return Audited(verdict, "no_game", {"game": playback.game}, heads)
    if finished.reasons is None and not _as_sealed(finished):
        return Audited(verdict, "unsealed", {}, heads)
    replay, params, audited = _judged(finished, verdict)
    if replay in FAULTS and finished.reasons is None and not _same_rules(verdict, playback.game):
        params = {"game": playback.game, "engine": str(verdict.genesis.get("engine"))[:40]}
        return Audited(verdict, "other_rules", params, heads)
    return Audited(audited, replay, params, heads)


def _same_rules(verdict: Verdict, game: str) -> bool:
    return verdict.genesis.get("rules") == rules_digest(game)


def _judged(finished: replays.Finished, verdict: Verdict) -> tuple[str, dict[str, str | int], Verdict]:
    """What the replay finds, with the parameters of its sentence, and the verdict on the draws."""
    playback = finished.playback
    chance = Demanded(playback.draws)
    try:
        game, lost = _played(finished, chance)
    except reasons.Unreasoned as found:
        return "unreasoned", found.params, verdict
    except Exception as error:  # whatever a forged journal makes of the rules is a verdict, not a crash
        return "broken", {"why": f"{type(error).__name__}: {error}"}, verdict
    if game.hash() != finished.state:
        return "elsewhere", {}, verdict
    if lost is not None:
        return "couriers", {"n": lost[0], "why": lost[1]}, verdict
    params: dict[str, str | int] = {"answers": len(playback.answers), "game": playback.game}
    return "replayed", params, audit.compare(verdict, chance.demanded.values())


def _played(finished: replays.Finished, chance: Demanded) -> tuple[Game[Any], tuple[int, str] | None]:
    """The game played again, and the first courier who did not fare as he should, if there is one.

    Raises Unreasoned for the first answer that its reason does not give.
    """
    lost = None
    ways: dict[int, list[tuple[int, Ride]]] = {}
    for n, ride in enumerate(finished.rides, 1):
        ways.setdefault(ride.answers, []).append((n, ride))
    judge = reasons.Judge(finished)
    for game in playbacks.steps(finished.playback, chance):
        for n, ride in ways.get(game.answers, ()):
            stages = game.rules.stages(game.view(None), ride.sender, ride.to)
            if stages != ride.stages and lost is None:
                lost = n, f"{ride.stages}, not {stages}"
        judge.next(game)
    return game, _couriers(finished, chance) or lost


def _couriers(finished: replays.Finished, chance: Demanded) -> tuple[int, str] | None:
    """The first courier who did not fare as his die says. All sheets of dice that the log has count as demanded."""
    if finished.couriers is None:
        return (1, "no couriers") if finished.rides else None
    n = 1
    while couriers.sheet(n) in chance.draws:
        chance.roll(couriers.sheet(n), couriers.SHEET, couriers.SIDES, rule=couriers.RULE, secret=True)
        n += 1
    seats = finished.playback.rules().scenarios[finished.playback.scenario].seats
    return couriers.wrong(finished.couriers, finished.rides, chance, seats)


def _as_sealed(finished: replays.Finished) -> bool:
    """Whether the letters' answers are the orders that were sealed when they came."""
    letters: dict[str, list[playbacks.Turn]] = {}
    for turn in finished.playback.answers:
        if turn.by.startswith("receipt:"):
            letters.setdefault(turn.by, []).append(turn)
        elif turn.origin == LETTER:
            return False
    written = [
        (turns[0].seat, canonical([[turn.key, turn.answer] for turn in turns]).decode())
        for turns in letters.values()
    ]
    # Standing orders of a game that began in the first edition and ended in the second.
    answered = [(seat, text) for seat, text in finished.sealed if not text.startswith("{")]
    return sorted(written) == sorted(answered)
