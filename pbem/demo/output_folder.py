"""The folder that a demo leaves: both mailboxes as the players saw them, every map, the log and its audit.

Plain files that work from a disk, without a server and without anything from outside.
"""

from __future__ import annotations

import re
import shutil
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pbem.campaign.archive import game_file as playbacks
from pbem.campaign.archive import replay
from pbem.campaign.archive.audit import Audited, audit_log
from pbem.campaign.outgoing import report
from pbem.campaign.table.tables import Affairs, position
from pbem.demo.mailbox import Incoming, opened
from pbem.demo.pages import fitting_script, framed, page, say
from pbem.demo.players import MODERATOR, Member
from pbem.dice.log import entries as dicelog
from pbem.kernel.chance import Draw
from pbem.kernel.game import LETTER
from pbem.letters.reading import read
from pbem.reports.catalogue import catalogue

if TYPE_CHECKING:
    from pbem.demo.play import Stage

STORE, CERTIFICATE = "game.sqlite", "certificate"
INDEX, MAPS, LOG, VERDICT, GAME = "index.html", "maps.html", "log.jsonl", "verdict.txt", "game.json"
_FILES = (INDEX, MAPS, LOG, VERDICT, GAME, STORE, f"{STORE}-wal", f"{STORE}-shm")
_FOLDERS = ("mail", "maps", CERTIFICATE)
_HARMLESS = (".jsonl", ".json", ".txt", ".png")
_COLOURS = ("#35507a", "#7d2a22", "#4c6b3c", "#8a6a1f")


class Kept(msgspec.Struct, frozen=True):
    """A letter in the folder; files are named from the folder's top, `stem` from its mailbox."""

    letter: Incoming
    sent: bool
    stem: str
    page: str
    first: str
    read: str
    html: str
    maps: tuple[str, ...]
    attached: tuple[tuple[str, str], ...]


class Box(msgspec.Struct, frozen=True):
    """A mailbox in the folder."""

    member: Member
    title: str
    colour: str
    letters: tuple[Kept, ...]

    @property
    def page(self) -> str:
        """Its page."""
        return f"mail/{self.member.seat}/index.html"

    @property
    def written(self) -> int:
        """How many letters its owner wrote."""
        return sum(kept.sent for kept in self.letters)

    @property
    def received(self) -> int:
        """How many letters came."""
        return len(self.letters) - self.written


def prepare(folder: Path) -> None:
    """An empty folder; what an earlier demo left there goes. Raises ValueError where other things are in it."""
    folder.mkdir(parents=True, exist_ok=True)
    strange = sorted(path.name for path in folder.iterdir() if path.name not in (*_FILES, *_FOLDERS))
    if strange:
        raise ValueError(
            f"{folder} holds other things ({', '.join(strange[:3])}); name a new folder with --out"
        )
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)
    for name in _FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)


def leave(stage: Stage, folder: Path, lang: str) -> str:
    """Write the folder; what to tell the person who started the demo."""
    words = catalogue(lang, stage.rules)
    boxes = [
        _box(stage, folder, member, words.seat(member.seat), _COLOURS[n % len(_COLOURS)])
        for n, member in enumerate(stage.cast.values())
    ]
    with (folder / LOG).open("wb") as file:
        dicelog.export(stage.moderator.store.entries(stage.game_id), file)
    letters = [folder / kept.page for box in boxes for kept in box.letters if not kept.sent]
    audited = audit_log(folder / LOG, [letter.with_suffix(".eml") for letter in letters])
    verdict = audited.report(lang)
    (folder / VERDICT).write_text("\n".join(verdict) + "\n", "utf-8")
    _write_game(stage, folder)
    _write_pages(stage, folder, lang, boxes, audited)
    lines = [
        say(
            lang, "console", "done", game=stage.game_id, letters=_letters(stage), seconds=round(stage.seconds)
        ),
        *_outcome(stage, lang),
        say(lang, "console", "verdict", verdict=" ".join(verdict)),
        say(lang, "console", "open", file=folder / INDEX),
    ]
    return "\n".join(lines)


def _letters(stage: Stage) -> int:
    return sum(box.seat in stage.cast for box in stage.chronicle.written) + sum(stage.chronicle.sent.values())


def _box(stage: Stage, folder: Path, member: Member, title: str, colour: str) -> Box:
    (folder / "mail" / member.seat).mkdir(parents=True)
    (folder / "maps" / member.seat).mkdir(parents=True)
    received = [opened(raw) for raw in stage.post.messages(member.address)]
    letters = in_order(received, sent_by(stage, member))
    kept = [_keep(folder, member, n, letter, sent) for n, (letter, sent) in enumerate(letters, 1)]
    return Box(member, title, colour, tuple(kept))


def sent_by(stage: Stage, member: Member) -> list[Incoming]:
    """The letters that a player has sent to the moderator."""
    letters = [opened(raw) for raw in stage.post.messages(MODERATOR)]
    return [letter for letter in letters if parseaddr(letter.sender)[1].lower() == member.address]


def in_order(received: list[Incoming], sent: list[Incoming]) -> list[tuple[Incoming, bool]]:
    """Letters to and fro as they followed each other: each of the player's before the answer to it."""
    waiting = {letter.message_id: letter for letter in sent}
    ordered: list[tuple[Incoming, bool]] = []
    for letter in received:
        answered = waiting.pop(letter.in_reply_to, None)
        if answered is not None:
            ordered.append((answered, True))
        ordered.append((letter, False))
    return ordered + [(letter, True) for letter in waiting.values()]


def _keep(folder: Path, member: Member, n: int, letter: Incoming, sent: bool) -> Kept:
    stem = f"{n:03}"
    place = f"mail/{member.seat}/{stem}"
    (folder / f"{place}.eml").write_bytes(letter.raw)
    maps: dict[str, str] = {}
    for k, picture in enumerate(letter.pictures):
        maps[picture.cid] = f"maps/{member.seat}/{stem}{f'-{k + 1}' if k else ''}.png"
        (folder / maps[picture.cid]).write_bytes(picture.data)
    shown = {picture.data: maps[picture.cid] for picture in letter.pictures}
    attached: list[tuple[str, str]] = []
    for item in letter.attached:
        if item.data in shown:
            attached.append((item.name, f"../../{shown[item.data]}"))
            continue
        name = f"{stem}-{_file_name(item.name)}"
        (folder / "mail" / member.seat / name).write_bytes(item.data)
        attached.append((item.name, name))
    lines = _new_lines(letter)
    # What a player's own mail program sends as HTML is shown as text: only the moderator's pages are framed.
    html = "" if sent else framed(letter, {cid: f"../../{file}" for cid, file in maps.items()})
    return Kept(
        letter=letter,
        sent=sent,
        stem=stem,
        page=f"{place}.html",
        first=_first_words(lines),
        read="\n".join(lines),
        html=html,
        maps=tuple(maps.values()),
        attached=tuple(attached),
    )


def _file_name(name: str) -> str:
    """A name that stays in its folder and that no browser runs."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[-60:] or "file"
    return name if Path(name).suffix in _HARMLESS else f"{name}.bin"


def _new_lines(letter: Incoming) -> list[str]:
    """What a letter says itself: its own lines, and those of the forms that were edited in it."""
    found = read(letter.raw, own_address=MODERATOR)
    return [*(line for form in found.forms if form.edited for line in form.lines), *found.lines]


def _first_words(lines: list[str]) -> str:
    """The beginning of a letter, for the list."""
    # The title, who it is for and the rule below them are the same on all of the moderator's letters.
    ruled = next((n for n, line in enumerate(lines) if set(line) == {"="}), -1)
    return " · ".join(line for line in lines[ruled + 1 :] if set(line) - set("-= "))[:240]


def _write_game(stage: Stage, folder: Path) -> None:
    try:
        playback = replay.from_log(folder / LOG).playback
    except replay.NotFinished:
        store = stage.moderator.store
        row = store.game(stage.game_id)
        givens = [answer.given(stage.rules.orders) for answer in store.answers(stage.game_id)]
        draws: list[Draw] = [draw.drawn() for draw in store.draws(stage.game_id)]
        turns = [playbacks.turn(given) for given in givens]
        playback = playbacks.Playback(row.rules, row.scenario, row.choices(), turns, draws)
    playbacks.write(playback, folder / GAME)


def _outcome(stage: Stage, lang: str) -> list[str]:
    store = stage.moderator.store
    loaded = store.load(stage.game_id)
    affairs = loaded.game.read(Affairs)
    where = report.Position(
        stage.game_id, loaded.game.scenario, position(loaded), sum(affairs.spared.values()), affairs.resigned
    )
    if not (where.game.over or where.resigned):
        return [say(lang, "pages", "unfinished")]
    return [line.text for line in report.outcome_section(catalogue(lang, stage.rules), where).lines]


def _figures(stage: Stage, lang: str) -> tuple[str, int]:
    """The letters in numbers, and how many of them did not move the game."""
    store = stage.moderator.store
    written = sum(item.seat in stage.cast for item in stage.chronicle.written)
    answers = store.answers(stage.game_id)
    moving = {answer.letter_id for answer in answers if answer.origin == LETTER}
    turns = len(stage.chronicle.by_moment())
    ratio = f"{written / max(1, turns * len(stage.cast)):.1f}"
    text = say(
        lang,
        "pages",
        "figures",
        letters=written,
        moments=turns,
        ratio=ratio.replace(".", ",") if lang == "fr" else ratio,
        sent=sum(stage.chronicle.sent.values()),
        saved=sum(store.game(stage.game_id).read(Affairs).spared.values()),
        seconds=round(stage.seconds),
    )
    return text, written - len(moving)


def _write_pages(stage: Stage, folder: Path, lang: str, boxes: list[Box], audited: Audited) -> None:
    for box in boxes:
        _write_box(stage, folder, box)
    with_maps = [(box, kept) for box in boxes for kept in box.letters if kept.maps]
    figures, idle = _figures(stage, lang)
    last = None
    if with_maps:
        same = [found for found in with_maps if found[0].member.lang == lang]
        box, kept = (same or with_maps)[-1]
        last = {"file": kept.maps[-1], "seat": box.title}
    commands = [
        (f"pbem audit {LOG}", say(lang, "pages", "audit_command")),
        *(
            (
                f"pbem audit {LOG} $(printf ' --letter %s' mail/{box.member.seat}/*.eml)",
                say(lang, "pages", "audit_letter_command", name=box.member.name),
            )
            for box in boxes[:1]
        ),
        (f"pbem replay {GAME}", say(lang, "pages", "replay_command")),
    ]
    files = [
        (MAPS, "file_maps"),
        (boxes[0].page, "file_mail"),
        (LOG, "file_log"),
        (VERDICT, "file_verdict"),
        (GAME, "file_game"),
        (STORE, "file_store"),
    ]
    index = page(
        lang,
        "index",
        title=stage.rules.titles[lang],
        game=stage.game_id,
        outcome=_outcome(stage, lang),
        last_map=last,
        map_count=sum(len(kept.maps) for _, kept in with_maps),
        boxes=boxes,
        figures=figures,
        idle=idle,
        turns=stage.chronicle.by_moment(),
        audit_ok=audited.ok,
        verdict=audited.report(lang),
        commands=commands,
        files=files,
    )
    (folder / INDEX).write_text(index, "utf-8")
    (folder / MAPS).write_text(page(lang, "maps", game=stage.game_id, boxes=boxes), "utf-8")


def _write_box(stage: Stage, folder: Path, box: Box) -> None:
    lang = box.member.lang
    place = folder / "mail" / box.member.seat
    (place / "index.html").write_text(page(lang, "mailbox", game=stage.game_id, box=box), "utf-8")
    around = [None, *box.letters, None]
    for before, kept, after in zip(around, box.letters, around[2:], strict=False):
        text = page(lang, "letter", kept=kept, before=before, after=after, script=fitting_script())
        (place / f"{kept.stem}.html").write_text(text, "utf-8")
