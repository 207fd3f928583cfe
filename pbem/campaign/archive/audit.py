"""The whole audit of a log: its seals and dice, the heads in a player's own letters, and a replay by the rules.

Levels 1 and 3 need nothing but the log and the letters. Level 4 plays a finished game again from its opened
orders: the set of draws must be exactly what the rules demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from pbem import games
from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.archive import replay as replays
from pbem.campaign.outgoing import couriers
from pbem.campaign.outgoing.couriers import Ride
from pbem.dice.audit import audit
from pbem.dice.audit.mailbox import read_letters
from pbem.dice.audit.verdicts import Verdict
from pbem.dice.beacon.rounds import QUICKNET, Network
from pbem.dice.draw.demanded import Demanded
from pbem.dice.log.entries import canonical
from pbem.kernel.game import LETTER, Game

_WORDS = {
    "en": {
        "replayed": "Replay: {answers} answers played again by the rules of {game}; "
        "every draw was demanded, none is missing.",
        "unsealed": "Replay: the answers in the log are not the orders that were sealed.",
        "elsewhere": "Replay: the answers in the log lead to another position than the log says.",
        "not_over": "Replay: not yet, the game is not over.",
        "broken": "Replay: the answers in the log cannot be played by these rules: {why}",
        "no_game": "Replay: these rules are not installed ({game}).",
        "couriers": "Replay: courier {n} did not fare as his die and his way say ({why}).",
        "heads": "{n} log heads of your letters are in the log.",
    },
    "fr": {
        "replayed": "Rejeu : {answers} réponses rejouées selon les règles de {game} ; "
        "chaque tirage était dû, aucun ne manque.",
        "unsealed": "Rejeu : les réponses du registre ne sont pas les ordres scellés.",
        "elsewhere": "Rejeu : les réponses du registre mènent à une autre position que le registre ne dit.",
        "not_over": "Rejeu : pas encore, la partie n'est pas finie.",
        "broken": "Rejeu : les réponses du registre ne se jouent pas selon ces règles : {why}",
        "no_game": "Rejeu : ces règles ne sont pas installées ({game}).",
        "couriers": "Rejeu : le courrier {n} n'est pas passé comme son dé et sa route le disent ({why}).",
        "heads": "{n} têtes de registre de vos lettres sont au registre.",
    },
}


FAULTS = ("broken", "unsealed", "elsewhere", "couriers")


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
            if self.heads:
                lines.append(words["heads"].format(n=self.heads))
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
    if not _as_sealed(finished):
        return Audited(verdict, "unsealed", {}, heads)
    chance = Demanded(playback.draws)
    try:
        game, lost = _played(finished, chance)
    except Exception as error:  # whatever a forged journal makes of the rules is a verdict, not a crash
        return Audited(verdict, "broken", {"why": f"{type(error).__name__}: {error}"}, heads)
    if game.hash() != finished.state:
        return Audited(verdict, "elsewhere", {}, heads)
    if lost is not None:
        return Audited(verdict, "couriers", {"n": lost[0], "why": lost[1]}, heads)
    params: dict[str, str | int] = {"answers": len(playback.answers), "game": playback.game}
    return Audited(audit.compare(verdict, chance.demanded.values()), "replayed", params, heads)


def _played(finished: replays.Finished, chance: Demanded) -> tuple[Game[Any], tuple[int, str] | None]:
    """The game played again, and the first courier who did not fare as he should, if there is one."""
    lost = None
    ways: dict[int, list[tuple[int, Ride]]] = {}
    for n, ride in enumerate(finished.rides, 1):
        ways.setdefault(ride.answers, []).append((n, ride))
    for game in playbacks.steps(finished.playback, chance):
        for n, ride in ways.get(game.answers, ()):
            stages = game.rules.stages(game.view(None), ride.sender, ride.to)
            if stages != ride.stages and lost is None:
                lost = n, f"{ride.stages}, not {stages}"
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
    return sorted(written) == sorted(finished.sealed)
