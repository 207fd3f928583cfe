"""What the verifier says and how it is called.

Levels: 1 entries, seeds, labels, dice; 2 rounds, times and signatures of the beacon; 3 the player's own
letters; 4 a replay by the rules, where pbem itself is installed and the game is over. Ends with 0 where all
that was checked is right, 1 where something is wrong, 2 where there is nothing to check.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.dice.audit.audit import audit_file
from pbem.dice.audit.mailbox import Mailbox, read_letters
from pbem.dice.audit.verdicts import Verdict
from pbem.dice.beacon.rounds import QUICKNET, Network
from pbem.dice.show.byhand import ByHand, find

LEVELS = (1, 2, 3, 4)

_SAID = {
    "en": {
        "good": "GOOD",
        "bad": "NOT GOOD",
        "levels": "Checked: {levels}",
        "1": "1 entries, seeds, labels, dice",
        "2": "2 the beacon's rounds and signatures",
        "3": "3 your letters ({n})",
        "4": "4 replay by the rules",
        "not_asked": "not asked for",
        "chain": "not in this mode",
        "no_letters": "no letters given",
        "not_installed": "pbem is not installed here",
        "not_over": "the game is not over",
        "no_game": "these rules are not installed",
        "failed": "failed",
        "unread": "not read: {name}",
        "no_roll": "No open draw in this log is called {label}.",
        "roll": "{label}: rule {rule}, {seat}, entry {entry}, step {k}",
        "nobody": "nobody's dice",
        "log_has": "The log has {values}; worked out again: {again}.",
        "same": "The same.",
        "differs": "NOT the same!",
        "by_hand": "By hand, with Python alone:",
    },
    "fr": {
        "good": "BON",
        "bad": "MAUVAIS",
        "levels": "Vérifié : {levels}",
        "1": "1 entrées, graines, étiquettes, dés",
        "2": "2 tours et signatures de la balise",
        "3": "3 vos lettres ({n})",
        "4": "4 rejeu selon les règles",
        "not_asked": "non demandé",
        "chain": "sans objet dans ce mode",
        "no_letters": "aucune lettre donnée",
        "not_installed": "pbem n'est pas installé ici",
        "not_over": "la partie n'est pas finie",
        "no_game": "ces règles ne sont pas installées",
        "failed": "échec",
        "unread": "non lu : {name}",
        "no_roll": "Aucun tirage ouvert de ce registre ne s'appelle {label}.",
        "roll": "{label} : règle {rule}, {seat}, entrée {entry}, étape {k}",
        "nobody": "dés de personne",
        "log_has": "Le registre a {values} ; recalculé : {again}.",
        "same": "Identique.",
        "differs": "PAS identique !",
        "by_hand": "À la main, avec Python seul :",
    },
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the verifier; its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    asked = _options().parse_args(arguments)
    words = _SAID[asked.lang]
    try:
        networks = (QUICKNET, *(read_network(path) for path in asked.trust))
    except (OSError, ValueError, TypeError, LookupError) as error:
        print(f"--trust: {error}", file=sys.stderr)
        return 2
    mailbox = read_letters(asked.letters) if asked.level >= 3 else Mailbox()
    verdict = audit_file(
        asked.log, mailbox=mailbox, signatures=asked.level >= 2, networks=networks, game=asked.game
    )
    levels = {1: "" if verdict.ok else "failed", 2: _second(verdict, asked.level)}
    levels[3] = "not_asked" if asked.level < 3 else "" if mailbox.letters else "no_letters"
    replay: list[str] = []
    levels[4] = "not_asked"
    if asked.level >= 4:
        levels[4], replay = _replay(asked.log, verdict, asked.lang)
    good = verdict.ok and levels[4] != "failed"
    roll = find_in_file(asked.log, asked.roll) if asked.roll and verdict.ok else None
    if asked.json:
        data = verdict.data() | {
            "ok": good,
            "reason": verdict.reason(asked.lang),
            "levels": {str(level): levels[level] or "good" for level in LEVELS},
            "replay": replay,
            "letters": mailbox.letters,
            "unread": mailbox.unread,
        }
        if asked.roll:
            data["roll"] = roll and {"same": roll.good, "again": list(roll.again), "command": roll.command}
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        lines = [words["good" if good else "bad"], verdict.report(asked.lang), *replay]
        checked = [
            words[str(level)].format(n=mailbox.letters)
            + (f" ({words[why]})" if (why := levels[level]) else "")
            for level in LEVELS
        ]
        lines.append(words["levels"].format(levels="; ".join(checked)))
        lines += [words["unread"].format(name=name) for name in mailbox.unread]
        if asked.roll and verdict.ok:
            lines += ["", *roll_in_words(roll, asked.roll, asked.lang)]
        print("\n".join(lines))
    if verdict.code == "file":
        return 2
    return 0 if good and not (asked.roll and (roll is None or not roll.good)) else 1


def find_in_file(path: Path, label: str) -> ByHand | None:
    """An open draw of a log in a file."""
    try:
        with path.open("rb") as source:
            return find(source, label)
    except OSError:
        return None


def roll_in_words(roll: ByHand | None, label: str, lang: str) -> list[str]:
    """A draw with what it was made of, and how to do it by hand."""
    words = _SAID[lang]
    if roll is None:
        return [words["no_roll"].format(label=ascii(label)[1:-1])]
    shown = roll.items if roll.before else roll.values
    seat = roll.seat or words["nobody"]
    lines = [
        words["roll"].format(label=roll.label, rule=roll.rule or "-", seat=seat, entry=roll.entry, k=roll.k),
        words["log_has"].format(values=_row(shown), again=_row(roll.again))
        + " "
        + words["same" if roll.good else "differs"],
    ]
    if roll.command:
        lines += [words["by_hand"], roll.command]
    return lines


def _row(values: Sequence[object]) -> str:
    return ", ".join(map(str, values))


def _second(verdict: Verdict, level: int) -> str:
    if level < 2:
        return "not_asked"
    if verdict.mode == "chain":
        return "chain"
    return "" if verdict.ok else "failed"


def _replay(log: Path, verdict: Verdict, lang: str) -> tuple[str, list[str]]:
    """What became of level 4, and what there is to say about it."""
    if not verdict.ok:
        return "not_asked", []
    if not verdict.ended:
        return "not_over", []
    try:
        auditing: Any = importlib.import_module("pbem.campaign.archive.audit")
    except ImportError:
        return "not_installed", []
    audited = auditing.audit_log(log, [])
    known = set(verdict.report(lang).splitlines())
    said = [line for line in audited.report(lang) if line not in known]
    if not audited.ok:
        return "failed", said
    return ("no_game", said) if audited.replay == "no_game" else ("", said)


def read_network(path: Path) -> Network:
    """A drand network from a JSON file. Raises OSError, ValueError, TypeError, LookupError."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return Network(str(data["chain"]), str(data["key"]), int(data["genesis"]), int(data["period"]))


def _options() -> argparse.ArgumentParser:
    french = os.environ.get("LC_ALL", os.environ.get("LANG", "")).startswith("fr")
    options = argparse.ArgumentParser(
        prog="pbem_verify.py",
        description="Checks the dice of a game by mail. / Vérifie les dés d'une partie.",
    )
    options.add_argument("log", type=Path, help="the exported log (JSON Lines) / le registre exporté")
    options.add_argument(
        "--letters",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="your own letters: .eml, mbox, text, folders / vos lettres",
    )
    options.add_argument("--game", default="", help="the game it must be / la partie attendue")
    options.add_argument(
        "--level", type=int, choices=LEVELS, default=4, help="check up to this level / niveau (1-4)"
    )
    options.add_argument("--roll", default="", metavar="LABEL", help="show one roll / montrer un jet")
    options.add_argument(
        "--trust",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a drand network besides quicknet (JSON: chain, key, genesis, period) / autre balise",
    )
    options.add_argument("--lang", choices=tuple(_SAID), default="fr" if french else "en")
    options.add_argument("--json", action="store_true", help="for programs / pour les programmes")
    return options
