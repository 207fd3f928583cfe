import ast
import io
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.dice.audit.audit import audit, audit_file, compare, heads_in
from pbem.dice.audit.sentences import REASONS
from pbem.dice.audit.verifier.assembling import CHAPTERS, DICE
from pbem.dice.draw.croupier import Croupier
from pbem.dice.draw.streams import commit
from pbem.dice.log import entries
from pbem.kernel.chance import Draw
from tests.dice.sample import CARDS, SALTS, SampleGame, export, verdict_on, whole_game


def test_an_honest_log_passes() -> None:
    game = whole_game()
    verdict = verdict_on(game.entries)
    assert verdict.reason() == ""
    assert verdict.ok
    assert (verdict.game, verdict.step_count, verdict.draws, verdict.ended) == ("sample-1", 3, 6, True)
    assert (verdict.entries, verdict.head) == (len(game.entries), game.entries[-1].hash)
    assert verdict.genesis["setup"] == {"scenario": "1813"}


def test_a_game_in_play_passes_with_its_secrets_sealed() -> None:
    verdict = verdict_on(whole_game().entries[:-2])
    assert verdict.ok
    assert (verdict.ended, verdict.sealed) == (False, 2)
    assert "2 secret draws" in verdict.report()


def test_the_heads_in_a_players_letters_agree() -> None:
    game = whole_game()
    letters = "\n".join(f"> Yours, the moderator\n> {entry.head}" for entry in game.entries[::3])
    heads = heads_in(letters)
    assert len(heads) == len(game.entries[::3])
    assert verdict_on(game.entries, heads=heads).ok


def test_line_ends_of_a_mail_program_do_no_harm() -> None:
    data = export(whole_game().entries)
    assert audit(io.BytesIO(data.replace(b"\n", b"\r\n"))).ok
    assert audit(io.BytesIO(data.rstrip(b"\n"))).ok


def test_statistics_by_die_and_seat() -> None:
    spreads = {(spread.seat, spread.sides): spread for spread in verdict_on(whole_game().entries).spreads}
    assert {name: spread.count for name, spread in spreads.items()} == {
        ("", 6): 8,
        ("allies", 6): 6,
        ("french", 6): 2,
        ("", 10): 3,
        ("allies", 10): 3,
    }


def test_the_end_opens_the_secret_draws_for_a_replay() -> None:
    game = whole_game()
    verdict = verdict_on(game.entries, collect=True)
    deck, scout = verdict.steps[0].draws[0], verdict.steps[1].draws[2]
    assert sorted(deck.items) == list(CARDS)
    assert len(scout.values) == 3
    for step in verdict.steps:
        assert commit(bytes.fromhex(step.state_salt), "cd" * 32).hex() == step.state


def replayed() -> list[Draw]:
    game = whole_game()
    return [
        Draw(
            draw.label,
            draw.kind,
            draw.rule,
            draw.secret,
            draw.sides,
            draw.values,
            draw.before,
            draw.items,
            draw.seat,
        )
        for draw in game.croupier._new.values()
    ]


@pytest.mark.parametrize("until", [None, -2])
def test_a_replay_with_the_same_draws_agrees(until: int | None) -> None:
    verdict = verdict_on(whole_game().entries[:until], collect=True)
    assert compare(verdict, replayed()).ok


def test_a_replay_finds_missing_extra_and_different_draws() -> None:
    verdict = verdict_on(whole_game().entries, collect=True)
    draws = replayed()
    missing = compare(verdict, [*draws, Draw("t9/x", "roll", "7.2", sides=6, values=(1,))])
    extra = compare(verdict, draws[:-1])
    different = compare(verdict, [*draws[:-1], Draw(draws[-1].label, "roll", "7.2", sides=6, values=(1,))])
    assert (missing.code, missing.detail) == ("roll-missing", "t9/x")
    assert (extra.code, extra.detail) == ("roll-extra", draws[-1].label)
    assert different.code == "roll-differs"
    broken = verdict_on([], collect=True)
    assert compare(broken, draws) == broken


def rolled_back(*, keep: bool) -> tuple[SampleGame, Croupier]:
    """A game that goes back to before its second step; its new croupier knows what to keep."""
    game = SampleGame()
    game.play(lambda dice: dice.roll("t1/x", 4, 6, rule="7"))
    target = game.entries[-1].n

    def second(dice: Croupier) -> None:
        dice.roll("t2/x", 4, 6, rule="7")
        dice.roll("t2/y", 4, 6, rule="7")
        dice.shuffle("t2/deck", CARDS, rule="8", secret=True)

    game.play(second)
    undone = {draw.label: draw for draw in game.croupier.draws}
    recorded = {label: draw for label, draw in game.croupier._new.items() if label not in undone}
    game.add("rollback", entries.rollback(author="gm", reason="a letter was lost", target=target, keep=keep))
    game.croupier = Croupier(
        game.seeds, last_step=2, recorded=recorded, kept=undone if keep else None, salts=SALTS
    )
    return game, game.croupier


def test_a_rollback_that_keeps_draws() -> None:
    game, _ = rolled_back(keep=True)

    def third(dice: Croupier) -> None:
        dice.roll("t2/x", 4, 6, rule="7")
        dice.roll("t2/y", 5, 6, rule="7")
        dice.shuffle("t2/deck", CARDS[1:], rule="8", secret=True)

    game.play(third)
    game.add("end", game.croupier.end())
    verdict = verdict_on(game.entries, collect=True)
    assert verdict.reason() == ""
    live = [(draw.step, draw.label) for step in verdict.steps for draw in step.draws if draw.live]
    assert live == [(1, "t1/x"), (2, "t2/x"), (3, "t2/y"), (3, "t2/deck")]


def test_a_rollback_that_draws_anew() -> None:
    game, _ = rolled_back(keep=False)
    game.play(lambda dice: dice.roll("t2/x", 4, 6, rule="7"))
    game.add("end", game.croupier.end())
    assert verdict_on(game.entries).reason() == ""


def test_a_kept_draw_cannot_be_drawn_again() -> None:
    game, _ = rolled_back(keep=True)
    game.croupier.kept = {}
    game.play(lambda dice: dice.roll("t2/x", 4, 6, rule="7"))
    assert verdict_on(game.entries).code == "label-kept"


def test_a_kept_secret_deck_cannot_be_drawn_again() -> None:
    game, _ = rolled_back(keep=True)
    undone = tuple(game.croupier.kept.values())
    game.croupier.kept = {}
    game.play(lambda dice: dice.shuffle("t2/deck", CARDS, rule="8", secret=True))
    assert verdict_on(game.entries).ok
    game.add("end", game.croupier.end(undone))
    verdict = verdict_on(game.entries)
    assert (verdict.code, verdict.entry) == ("label-kept", game.entries[-2].n)


@pytest.mark.parametrize(
    "body", [{"draws": [{"label": "t1/x", "k": 1}]}, {"draws": [{"label": "t2/x", "k": 1}]}]
)
def test_only_undone_draws_are_kept(body: dict[str, object]) -> None:
    game, _ = rolled_back(keep=True)
    game.add("kept", body)
    assert verdict_on(game.entries).code == "kept"


@pytest.mark.parametrize("target", [0, 99])
def test_a_rollback_goes_back(target: int) -> None:
    game, _ = rolled_back(keep=True)
    game.add("rollback", entries.rollback(author="gm", reason="", target=target, keep=True))
    assert verdict_on(game.entries).code == "rollback"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_verifier_needs_the_standard_library_alone(chapter: str) -> None:
    tree = ast.parse((DICE / f"{chapter}.py").read_text())
    modules = {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names}
    for module in modules:
        assert module.split(".")[0] in sys.stdlib_module_names or module.startswith("pbem.dice"), module


def test_decks_from_before_a_checkpoint_are_revealed_too() -> None:
    game = whole_game()
    late = Croupier(game.seeds, last_step=3)
    decks = [draw for draw in game.croupier._new.values() if draw.secret]
    assert late.end(decks) == game.entries[-2].body
    del game.entries[-2:]
    game.add("end", late.end())
    assert verdict_on(game.entries).code == "deck-unrevealed"


def test_every_reason_has_words_in_both_languages() -> None:
    chapters = ("audit/audit", "audit/auditor", "audit/reasons", "log/fields", "log/hidden", "beacon/rounds")
    source = "".join((DICE / f"{chapter}.py").read_text() for chapter in chapters)
    codes = set(re.findall(r'(?:Fault\(|code=|Verdict\(False, )"([a-z-]+)"', source))
    assert len(codes) > 30
    assert codes == set(REASONS["en"]) == set(REASONS["fr"])


def test_the_report_speaks_both_languages() -> None:
    good, bad = verdict_on(whole_game().entries), verdict_on(whole_game().entries[1:])
    assert "Everything checks" in good.report("en")
    assert "Tout est juste" in good.report("fr")
    assert bad.report("fr").startswith("Entrée 1 : des entrées manquent")
    assert bad.report("xx") == bad.report("en")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\n", "unreadable"),
        (b"not a log\n", "unreadable"),
        (b"\xff\xfe\x00\n", "unreadable"),
        (b"[1,2]\n", "unreadable"),
        (b"[" * 100_000 + b"\n", "unreadable"),
        (b"1" * 10_000 + b"\n", "unreadable"),
        (b'{"n":NaN}\n', "unreadable"),
        (b'{"n":1', "truncated"),
        (b"{}\n", "fields"),
        (b'{"at":"","body":1,"hash":"","kind":"\\ud800","n":1,"prev":""}\n', "canonical"),
        (b'{"at":"","body":{},"hash":"","kind":"act","n":true,"prev":""}\n', "fields"),
    ],
)
def test_what_is_no_log_gets_a_verdict(data: bytes, code: str) -> None:
    assert audit(io.BytesIO(data)).code == code


def test_a_line_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.dice.audit.audit.LINE", 1_000)
    source = io.BytesIO(b"x" * 1_000_000)
    assert audit(source).code == "limits"
    assert source.tell() == 1_001


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(export(whole_game().entries))
    assert audit_file(path).ok
    assert audit_file(tmp_path / "nowhere").code == "file"
    assert audit_file(tmp_path).code == "file"


LINES = export(whole_game().entries).splitlines(keepends=True)
SCRAPS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("00" * 32),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.integers(0, len(LINES) - 1), st.data())
def test_no_field_can_trip_the_audit(number: int, pick: st.DataObject) -> None:
    game = whole_game()
    target = game.entries[number]
    body: dict[str, object] = dict(target.body)
    name = pick.draw(st.sampled_from(sorted(body)))
    body[name] = pick.draw(SCRAPS)
    if name in ("draws", "orders", "decks") and isinstance(inner := target.body[name], list) and inner:
        changed = dict(inner[0])
        changed[pick.draw(st.sampled_from(sorted(changed)))] = pick.draw(SCRAPS)
        body[name] = [changed, *inner[1:]]
    before = game.entries[number - 1] if number else None
    forged = [*game.entries[:number], entries.append(before, target.kind, target.at, body)]
    for entry in game.entries[number + 1 :]:
        forged.append(entries.append(forged[-1], entry.kind, entry.at, entry.body))
    verdict = verdict_on(forged, collect=True)
    assert verdict.ok == (verdict.code == "")
    assert verdict.report("fr")


@settings(deadline=None)
@given(st.integers(0, len(b"".join(LINES)) - 1), st.integers(1, 255))
def test_no_changed_byte_goes_unnoticed(position: int, change: int) -> None:
    data = bytearray(b"".join(LINES))
    data[position] ^= change
    verdict = audit(io.BytesIO(bytes(data)))
    assert not verdict.ok or data[position : position + 1] in (b"\r", b"\n")
