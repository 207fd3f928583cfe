import msgspec
import pytest

from pbem.dice.draw.croupier import Croupier, DealtCard, Drawn, NotBegun
from pbem.dice.draw.seeds import Exhausted, Seeds
from pbem.dice.log.receipts import Leaf
from pbem.kernel.chance import Chance, LabelUsed, Recorded, UnknownDraw
from tests.dice.sample import CARDS, ROOT, SALTS, SECRET_ROOT, SampleGame

STATE = "ef" * 32


@pytest.fixture(scope="module")
def seeds() -> Seeds:
    return Seeds("croupier-1", ROOT, SECRET_ROOT, 10)


@pytest.fixture
def croupier(seeds: Seeds) -> Croupier:
    return Croupier(seeds, salts=SALTS)


def test_no_draw_no_step(croupier: Croupier) -> None:
    croupier.begin([Leaf("a", "00", "HOLD")])
    assert croupier.finish(STATE) == []
    assert croupier.last_step == 0


def test_one_step_for_all_the_draws_of_a_cascade(croupier: Croupier) -> None:
    chance: Chance = croupier
    croupier.begin([Leaf("a", "00", "ATTACK")])
    first = chance.roll("x/r1", 2, 6, rule="7", seat="a")
    chance.roll("x/r2", 2, 6, rule="7", seat="b")
    (close_kind, close), (result_kind, result) = croupier.finish(STATE)
    assert (close_kind, result_kind) == ("close", "result")
    assert close["k"] == result["k"] == croupier.last_step == 1
    assert result["seed"] == croupier.seeds.open[1].hex()
    assert result["draws"][0] == {  # type: ignore[index]
        "label": "x/r1",
        "kind": "roll",
        "rule": "7",
        "secret": False,
        "sides": 6,
        "seat": "a",
        "values": list(first),
    }
    assert [draw.label for draw in croupier.draws] == ["x/r1", "x/r2"]


def test_values_do_not_hang_on_the_order_of_draws(seeds: Seeds) -> None:
    one, two = Croupier(seeds), Croupier(seeds)
    one.begin()
    two.begin()
    forwards = [one.roll(label, 2, 6, rule="") for label in ("a", "b", "c")]
    backwards = [two.roll(label, 2, 6, rule="") for label in ("c", "b", "a")]
    assert forwards == backwards[::-1]


def test_salt_words_change_the_dice(seeds: Seeds) -> None:
    rolls = set()
    for word in ("rivoli", "arcole", "\ud800broken", "x" * 5_000):
        croupier = Croupier(seeds)
        croupier.begin((), {"a": word})
        rolls.add(croupier.roll("x", 10, 6, rule=""))
        assert len(croupier.finish(STATE)) == 2
    assert len(rolls) == 4


def test_a_label_gives_its_value_again_but_not_for_another_input(croupier: Croupier) -> None:
    croupier.begin()
    values = croupier.roll("x", 2, 6, rule="7")
    order = croupier.shuffle("deck", CARDS, rule="8")
    assert croupier.roll("x", 2, 6, rule="7") == values
    assert croupier.shuffle("deck", list(CARDS), rule="8") == order
    for again in (
        lambda: croupier.roll("x", 3, 6, rule="7"),
        lambda: croupier.roll("x", 2, 8, rule="7"),
        lambda: croupier.roll("x", 2, 6, rule="7", secret=True),
        lambda: croupier.shuffle("x", CARDS, rule="7"),
        lambda: croupier.shuffle("deck", CARDS[1:], rule="8"),
    ):
        with pytest.raises(LabelUsed):
            again()
    assert len(croupier.draws) == 2


@pytest.mark.parametrize("label", ["", "Ulm", "a b", "é", "x\n", "a|b"])
def test_labels_are_plain(croupier: Croupier, label: str) -> None:
    croupier.begin()
    with pytest.raises(ValueError):
        croupier.roll(label, 1, 6, rule="")


def test_asleep_it_draws_nothing_new(croupier: Croupier) -> None:
    with pytest.raises(NotBegun):
        croupier.roll("x", 1, 6, rule="")
    with pytest.raises(NotBegun):
        croupier.finish(STATE)
    croupier.deal("nothing", 0, to=None)
    croupier.begin()
    with pytest.raises(RuntimeError):
        croupier.begin()


def test_a_game_taken_up_again_goes_on_as_if_nothing_had_happened(seeds: Seeds) -> None:
    through, stopped = Croupier(seeds, salts=SALTS), Croupier(seeds, salts=SALTS)
    for each in (through, stopped):
        each.begin()
        each.shuffle("deck", CARDS, rule="3", secret=True)
        each.roll("x", 2, 6, rule="7")
        each.finish(STATE)
    stored = msgspec.json.encode(stopped.draws)
    recorded = {draw.label: draw for draw in msgspec.json.decode(stored, type=list[Drawn])}
    resumed = Croupier(seeds, last_step=1, recorded=recorded, salts=SALTS)
    assert resumed.roll("x", 2, 6, rule="7") == through.roll("x", 2, 6, rule="7")
    outcomes = []
    for each in (through, resumed):
        each.begin()
        each.roll("y", 2, 6, rule="7")
        each.deal("deck", 4, to="a")
        outcomes.append((each.finish(STATE), each.proofs, each.end()))
    assert outcomes[0] == outcomes[1]


def test_it_stands_behind_the_recorded_draws_of_the_kernel(croupier: Croupier) -> None:
    recorded = Recorded((), beyond=croupier)
    croupier.begin()
    values = recorded.roll("x", 2, 6, rule="7")
    assert [draw.values for draw in croupier.draws] == [values]


def test_an_abandoned_step_leaves_no_trace(croupier: Croupier) -> None:
    croupier.begin()
    values = croupier.roll("x", 8, 6, rule="")
    before = croupier.finish(STATE)
    croupier.abandon()
    assert (croupier.last_step, croupier.draws) == (0, [])
    croupier.begin()
    assert croupier.roll("x", 8, 6, rule="") == values
    assert croupier.finish(STATE) == before


def test_kept_draws_outlive_a_rollback_unless_their_input_changed(seeds: Seeds) -> None:
    old = Croupier(seeds)
    old.begin()
    values = {label: old.roll(label, 6, 6, rule="") for label in ("x", "y")}
    old.finish(STATE)
    new = Croupier(seeds, last_step=1, kept={draw.label: draw for draw in old.draws})
    new.begin()
    assert new.roll("x", 6, 6, rule="") == values["x"]
    assert new.roll("y", 7, 6, rule="")[:6] != values["y"]
    kinds = dict(new.finish(STATE))
    assert kinds["kept"] == {"draws": [{"label": "x", "k": 1}]}
    assert [draw["label"] for draw in kinds["result"]["draws"]] == ["y"]  # type: ignore[attr-defined]
    assert [(draw.label, draw.step) for draw in new.draws] == [("x", 1), ("y", 2)]


def test_a_step_of_kept_draws_alone_needs_no_close(seeds: Seeds) -> None:
    kept = {"x": Drawn("x", "roll", "7", sides=6, values=(3,), step=1)}
    croupier = Croupier(seeds, last_step=1, kept=kept)
    croupier.begin()
    assert croupier.roll("x", 1, 6, rule="7") == (3,)
    assert [kind for kind, _ in croupier.finish(STATE)] == ["kept"]
    assert croupier.last_step == 1


def test_the_log_of_a_secret_draw_tells_nothing(croupier: Croupier) -> None:
    croupier.begin()
    croupier.shuffle("deck", CARDS, rule="3", secret=True)
    croupier.roll("spy", 3, 6, rule="4", seat="a", secret=True)
    entries = croupier.finish(STATE)
    deck, spy = entries[1][1]["draws"]  # type: ignore[misc]
    assert "card" not in str(entries)
    assert STATE not in str(entries)
    assert set(deck) == {"label", "kind", "rule", "secret", "size", "root", "before"}
    assert set(spy) == {"label", "kind", "rule", "secret", "sides", "seat", "commits"}
    assert len(set(spy["commits"])) == 3


def test_a_dealt_card_comes_with_its_proof(croupier: Croupier) -> None:
    croupier.begin()
    order = croupier.shuffle("deck", CARDS, rule="3", secret=True)
    croupier.deal("deck", 5, to="french")
    croupier.deal("deck", 0, to=None)
    entries = croupier.finish(STATE)
    (proof,) = croupier.proofs
    assert (proof.to, proof.card, proof.position) == ("french", order[5], 5)
    assert proof.root == entries[1][1]["draws"][0]["root"]  # type: ignore[index]
    assert proof.holds()
    assert entries[2] == ("opened", croupier.prove(croupier.draws[0], 0, to=None).body())
    again = msgspec.json.decode(msgspec.json.encode(proof), type=DealtCard)
    assert again.holds()
    for change in (
        {"card": order[4]},
        {"position": 4},
        {"salt": "00" * 16},
        {"root": "00" * 32},
        {"salt": "?"},
    ):
        assert not msgspec.structs.replace(proof, **change).holds()


def test_a_secret_die_can_be_shown(croupier: Croupier) -> None:
    croupier.begin()
    values = croupier.roll("spy", 3, 6, rule="4", secret=True)
    croupier.deal("spy", 2, to="a")
    croupier.finish(STATE)
    (proof,) = croupier.proofs
    assert proof.card == str(values[2])
    assert proof.holds()
    assert not msgspec.structs.replace(proof, card=str(values[2] % 6 + 1)).holds()


def test_deals_of_what_is_open_unknown_or_out_of_the_deck(croupier: Croupier) -> None:
    croupier.begin()
    croupier.shuffle("open", CARDS, rule="3")
    croupier.shuffle("deck", CARDS, rule="3", secret=True)
    croupier.deal("open", 0, to="a")
    assert croupier.proofs == []
    with pytest.raises(UnknownDraw):
        croupier.deal("nowhere", 0, to="a")
    with pytest.raises(IndexError):
        croupier.deal("deck", len(CARDS), to="a")


def test_a_chain_that_is_used_up_says_so() -> None:
    game = SampleGame(steps=2)
    for n in (1, 2):
        game.play(lambda dice, n=n: dice.roll(f"x{n}", 1, 6, rule=""))  # type: ignore[misc]
    game.croupier.begin()
    with pytest.raises(Exhausted):
        game.croupier.roll("x3", 1, 6, rule="")
