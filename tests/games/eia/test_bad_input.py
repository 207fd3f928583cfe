"""What cannot be ordered is named with its rule and the nearest legal thing, and nothing of the letter is half done."""

from __future__ import annotations

import msgspec
import pytest

from pbem.games.eia import RULES, own
from pbem.games.eia.cases import build
from pbem.games.eia.orders import MONTH
from pbem.games.eia.questions import Month
from pbem.games.eia.view import view
from pbem.kernel.problem import Problem
from pbem.orders.parser import parse_orders

GIVEN = {
    "corps": [
        "fr_3 ulm I19",
        "fr_4 stuttgart I10",
        "fr_5 stuttgart I1",
        "au_1 augsburg I15",
        "au_2 vienna I15",
    ],
    "garrisons": ["ulm france I3"],
    "depots": ["stuttgart france", "vienna austria"],
}


def problems(text: str) -> list[Problem]:
    """What the moderator says of a French letter; what he shows the player is as it was."""
    state = build("1805", {}, GIVEN)
    state.phase = "orders"
    seen = view(state, "france")
    before = msgspec.json.encode(seen)
    read = parse_orders(text, MONTH, RULES.vocabulary, own=own(state, "france"))
    question = Month(key="month", seat="france", rule="3.2", month=state.month)
    found = list(read.problems) or question.check(seen, read.orders)
    assert msgspec.json.encode(seen) == before
    return found


@pytest.mark.parametrize(
    ("text", "code", "rule", "nearest"),
    [
        ("absorb 3 infantry into III Corps", "over_capacity", "7.3.3", "absorb 1 infantry into French III Corps"),
        ("IV Corps to Ulm, Nuremberg, Regensburg, Munich, Salzburg", "too_far", "7.3.1.1", "march French IV"),
        ("III Corps to Augsburg, Munich", "stopped_by_enemy", "7.3.2", "march French III Corps to Augsburg"),
        ("IV Corps to Frankfurt", "closed_border", "13.1.3", "march French IV Corps to "),
        ("depot at Salzburg", "corps_needed", "7.2.3.3.3", "depot at "),
        ("detach 18 infantry from III Corps", "city_full", "7.3.3.4", "detach 12 infantry from French III Corps"),
        ("detach 10 infantry from IV Corps", "keeps_one", "7.3.3.1.3", "detach 9 infantry from French IV Corps"),
        ("detach 1 infantry from V Corps", "keeps_one", "7.3.3.1.3", ""),
        ("III Corps, IV Corps to Augsburg; attack by outflank at Augsburg", "no_outflank", "7.5.2.1", "attack by "),
        ("III Corps to Augsburg; attack by assault at Linz", "nobody_there", "7.5.1", "attack by assault at Aug"),
        ("Austrian I Corps to Munich", "not_yours", "7.3", ""),
        ("march Soult to Ulm", "leader_off_map", "10.6", ""),
        ("II Corps to Ulm", "corps_off_map", "7.3", ""),
        ("besiege Augsburg", "no_city", "7.5.4", ""),
        ("lift siege of Ulm", "no_siege", "7.5.4", ""),
    ],
)  # fmt: skip
def test_a_wrong_order_is_named_with_its_rule(text: str, code: str, rule: str, nearest: str) -> None:
    (found,) = problems(text)
    assert (found.code, found.rule) == (code, rule)
    offered = [order.text(RULES.vocabulary, "en") for order in found.nearest]
    assert not nearest or any(one.startswith(nearest) for one in offered), offered


def test_what_is_offered_instead_is_accepted() -> None:
    for text in (
        "III Corps to Augsburg, Munich",
        "IV Corps to Frankfurt",
        "detach 18 infantry from III Corps",
    ):
        for found in problems(text):
            for order in found.nearest:
                assert problems(order.text(RULES.vocabulary, "en")) == []


def test_a_name_that_many_bear_is_asked_about() -> None:
    (found,) = problems("march Corps to Ulm")
    assert found.code == "ambiguous_name"
    assert "French III Corps" in found.params["candidates"]


def test_one_wrong_line_leaves_the_others_unsaid() -> None:
    (found,) = problems("IV Corps to Ulm; depot at Salzburg")
    assert (found.code, found.order) == ("corps_needed", 1)
