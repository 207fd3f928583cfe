"""The offline page in a real Chromium: good and forged logs, both languages, a file dropped on it."""

from __future__ import annotations

import base64
import html
import io
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbem.bench.dice_audit import long_log
from pbem.dice.audit.audit import audit
from pbem.dice.audit.mailbox import read_letters
from pbem.dice.audit.verifier import page_text, program, program_text, web_page
from pbem.dice.beacon.rounds import Source
from pbem.dice.draw.streams import roll, step_key
from pbem.dice.show.byhand import ByHand, find
from tests.dice.audit.forgeries import BEACON, CHAIN, cases, honest
from tests.dice.beacon.drand import OURS, REAL_ROUND, REAL_SIGNATURE
from tests.dice.played import played
from tests.dice.sample import NETWORKS, SOURCE, export

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def chromium() -> str:
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is missing: install it (Debian: apt-get install chromium)")
        pytest.skip("no chromium here")
    return CHROMIUM


def dom(chromium: str, folder: Path, script: str) -> str:
    """The page's text after it has run with a script of the test's own."""
    page = folder / "page.html"
    page.write_text(page_text().replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    done = subprocess.run(
        [
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            f"--user-data-dir={folder / 'profile'}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        timeout=300,
        check=True,
    )
    return done.stdout.decode()


def said(text: str) -> Any:
    found = re.search(r'<pre id="said">(.*?)</pre>', text, re.DOTALL)
    assert found is not None, text[-2000:]
    return json.loads(html.unescape(found[1]))


SAY = """
function tell(value) {
  const place = document.createElement("pre");
  place.id = "said";
  place.textContent = JSON.stringify(value);
  document.body.append(place);
}
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
"""


def test_the_files_handed_out_are_those_of_the_package() -> None:
    assert program_text() == program()
    assert page_text() == web_page()


def test_the_page_asks_nobody_anything() -> None:
    text = page_text()
    assert "default-src 'none'" in text
    assert not re.search(r"https?://|fetch\(|XMLHttpRequest|import\(|<link|src=|innerHTML|eval\(", text)


def test_the_page_agrees_with_the_package_on_every_forgery(chromium: str, tmp_path: Path) -> None:
    wanted, given = [], []
    for case in cases():
        letters = tmp_path / "letters"
        letters.write_bytes(case.letters)
        verdict = audit(io.BytesIO(case.log), networks=NETWORKS, mailbox=read_letters([letters]))
        dice = [[spread.seat, spread.sides, list(spread.counts), spread.runs] for spread in verdict.spreads]
        told = [verdict.rounds, verdict.witnessed, verdict.receipts, verdict.cards, list(verdict.sources)]
        told += [list(verdict.unwitnessed), verdict.compared, verdict.edition, list(verdict.words)]
        told += [list(verdict.wordless), [list(each) for each in verdict.answers]]
        wanted.append([case.name, verdict.code, verdict.entry, verdict.head, told, dice])
        given.append([case.name, base64.b64encode(case.log).decode(), case.letters.decode()])
    script = (
        SAY
        + f"""
    const networks = [...FACTS.networks, {json.dumps(OURS.body())}];
    tell({json.dumps(given)}.map(([name, log, letters]) => {{
      const found = pbemVerify(bytes(log), letters, networks);
      const dice = found.dice.map((each) => [each.seat, each.sides, each.counts, each.runs]);
      const told = [found.rounds, found.witnessed, found.receipts, found.cards, found.sources,
        found.unwitnessed, found.compared, found.edition, found.words, found.wordless, found.answers];
      return [name, found.code, found.entry, found.head, told, dice];
    }}));"""
    )
    assert said(dom(chromium, tmp_path, script)) == wanted


def test_the_published_vectors_in_the_browser(chromium: str, tmp_path: Path) -> None:
    script = (
        SAY
        + f"""
    const key = FACTS.networks[0].key, good = bytesOf("{REAL_SIGNATURE.hex()}"), beacon = sha256(good);
    let seed = sha256(joined(utf8("pbem-seed/1|eia-1|"), Uint8Array.from({{length: 32}}, (_, i) => i)));
    const seeds = [];
    for (let k = 4; k >= 0; k--, seed = linkBelow(seed)) seeds[k] = seed;
    const keyOfStep = (k) => stepKey(seeds[k], "eia-1", k, beacon);
    tell([
      [{REAL_ROUND}, {REAL_ROUND + 1}].map((number) => firstBadRound(key, [[number, good]])),
      hexOf(beacon),
      roll(keyOfStep(1), "1805-04/land/ulm/r1/att", 2, 6),
      roll(keyOfStep(2), "1805-04/attrition/napoleon", 3, 10),
      shuffle(keyOfStep(3), "deck/command", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    ]);"""
    )
    assert said(dom(chromium, tmp_path, script)) == [
        [None, 0],
        "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
        [1, 1],
        [4, 9, 4],
        [3, 8, 7, 9, 1, 5, 10, 6, 2, 4],
    ]


BROKEN = [
    b"",
    b"\n",
    b"not a log\n",
    b"\xff\xfe\x00\n",
    b"\xef\xbb\xbf{}\n",
    b"[1,2]\n",
    b"[" * 100_000 + b"\n",
    b"1" * 10_000 + b"\n",
    b'{"n":NaN}\n',
    b'{"n":1.5}\n',
    b'{"n":"\x01"}\n',
    b'{"n":1',
    b"{}\n",
    b'{"at":"","body":1,"hash":"","kind":"\\ud800","n":1,"prev":""}\n',
    b'{"at":"","body":{},"hash":"","kind":"act","n":true,"prev":""}\n',
    b'{"at":"","body":{},"hash":"","kind":"act","n":1e3,"prev":""}\n',
    b'{"at":"","body":{"__proto__":1},"hash":"","kind":"act","n":1,"prev":""}\n',
    b"x" * (17 << 20),
]


def test_what_is_no_log_gets_the_same_verdict_in_the_browser(chromium: str, tmp_path: Path) -> None:
    wanted = [[verdict.code, verdict.entry] for verdict in (audit(io.BytesIO(data)) for data in BROKEN)]
    given = [base64.b64encode(data).decode() for data in BROKEN[:-1]]
    script = (
        SAY
        + f"""
    const given = {json.dumps(given)}.map(bytes);
    given.push(new Uint8Array(17 << 20).fill(120));
    tell(given.map((data) => {{
      const found = pbemVerify(data);
      return [found.code, found.entry];
    }}));"""
    )
    assert said(dom(chromium, tmp_path, script)) == wanted


@pytest.mark.parametrize(
    ("name", "lang", "words"),
    [
        ("chain-honest", "en", ["✓ Everything checks", "the operator could foresee", "t1/land/lindenau/att"]),
        (
            "chain-changed-value",
            "fr",
            ["✗ L'entrée 7 est fausse", "les dés ne sont pas ceux", "lindenau/att"],
        ),
    ],
)
def test_a_log_dropped_on_the_page(
    chromium: str, tmp_path: Path, name: str, lang: str, words: list[str]
) -> None:
    (case,) = (case for case in cases() if case.name == name)
    text = dropped(chromium, tmp_path, lang, case.log)
    for word in words:
        assert word in text


def dropped(chromium: str, folder: Path, lang: str, *files: bytes) -> str:
    """What the page shows once some files have been dropped on it."""
    script = (
        SAY
        + f"""
    lang = {lang!r};
    say();
    const carried = new DataTransfer();
    for (const [n, data] of {json.dumps([base64.b64encode(data).decode() for data in files])}.entries()) {{
      carried.items.add(new File([bytes(data)], `file${{n}}`));
    }}
    document.dispatchEvent(new DragEvent("drop", {{ dataTransfer: carried, cancelable: true }}));
    // The browser's clock runs ahead of the disk: let some real time pass until the files are read.
    const patience = setInterval(() => {{
      if (["good", "bad"].includes($("verdict").className)) clearInterval(patience);
      for (let n = 0; n < 500; n++) sha256(new Uint8Array(64));
    }}, 4);"""
    )
    shown = re.sub(r"<script>.*?</script>", "", dom(chromium, folder, script), flags=re.DOTALL)
    return html.unescape(shown)


def test_letters_dropped_beside_the_log(chromium: str, tmp_path: Path) -> None:
    found = {case.name: case for case in cases()}
    good, bad = found["chain-honest"], found["chain-dealt-another-card"]
    text = dropped(chromium, tmp_path, "en", good.letters, good.log)
    assert "✓ Everything checks" in text
    assert "2 cards and dice that were dealt to you are those in the log." in text
    text = dropped(chromium, tmp_path, "fr", bad.letters, bad.log)
    assert "une carte donnée à un joueur n'est pas celle du registre [proof]: setup/missions" in text


@pytest.mark.parametrize("source", [None, SOURCE])
def test_a_whole_game_on_the_page(chromium: str, tmp_path: Path, source: Source | None) -> None:
    """With orders that were opened though no close had frozen them: nothing was drawn after them."""
    data = export(played(source))
    script = f"""{SAY}
    const networks = [...FACTS.networks, {json.dumps(OURS.body())}];
    const {{ ok, code, detail, entries, draws }} = pbemVerify(bytes("{base64.b64encode(data).decode()}"), "", networks);
    tell([ok, code, detail, entries, draws]);"""
    verdict = audit(io.BytesIO(data), networks=NETWORKS)
    assert verdict.ok
    wanted = [True, "", "", verdict.entries, verdict.draws]
    assert said(dom(chromium, tmp_path, script)) == wanted


def test_one_roll_by_hand_on_the_page(chromium: str, tmp_path: Path) -> None:
    """The same line as the package gives, for dice of one byte and of several, and for any name of a game."""
    wanted, script = [], SAY + "const said = [];"
    for mode in (CHAIN, BEACON):
        data = export(honest(mode))
        found = find(data.splitlines(keepends=True), "t2/land/mockern/att")
        assert found is not None
        wanted.append(found.command)
        script += f"""{{
          const networks = [...FACTS.networks, {json.dumps(OURS.body())}];
          const {{ game, shown, keys }} = pbemVerify(bytes("{base64.b64encode(data).decode()}"), "", networks);
          const draw = shown.find((each) => each.label === "t2/land/mockern/att");
          said.push(commandFor(game, draw, keys.get(draw.step)));
        }}"""
    seed, beacon = bytes(32), bytes(range(32))
    for game, sides, dice in (("g-1", 6, 60), ("jeu d'été", 256, 3), ("g", 1_000, 5), ("g", 70_000, 40)):
        values = roll(step_key(seed, game, 3, beacon), "a/b", dice, sides)
        wanted.append(ByHand(game, 3, seed.hex(), beacon.hex(), "a/b", "7", "x", sides, values).command)
        draw = {"step": 3, "label": "a/b", "sides": sides, "values": values, "secret": False, "kind": "roll"}
        given = ", ".join(map(json.dumps, (game, draw, [seed.hex(), beacon.hex()])))
        script += f"said.push(commandFor({given}));"
    assert said(dom(chromium, tmp_path, script + "tell(said);")) == wanted


def test_luck_on_the_page(chromium: str, tmp_path: Path) -> None:
    """Counts, mean against expectation, chi-square, p, runs, bars of the faces, and the course of each seat."""
    data = long_log(400)
    text = dropped(chromium, tmp_path, "en", data)
    for spread in audit(io.BytesIO(data)).spreads:
        assert spread.p is not None
        assert spread.runs_z is not None
        cells = [spread.seat or "all", "d6", str(spread.count), f"{spread.mean:.2f} (3.5)"]
        figures = [f"{spread.chi_square:.1f}", f"{spread.p:.3f}", f"{spread.runs_z:.1f}"]
        number = ' class="n"'
        row = "".join(f"<td{number if n > 1 else ''}>{cell}</td>" for n, cell in enumerate(cells + figures))
        assert row in text
        assert all(f'title="{face}: {count}"' in text for face, count in enumerate(spread.counts, 1))
    assert text.count("<polyline") == 2
    assert len(re.findall(r"<text [^>]*>(french|allies)</text>", text)) == 2
