"""Several questions to one seat: a head, a form's key or the orders themselves say which of them a line answers."""

from __future__ import annotations

import pytest

from tests.campaign.conftest import Congress

FRANCE, SPAIN = "t1/cabinet/france", "t1/cabinet/spain"


def answers(desk: Congress) -> dict[str, str]:
    """What is answered, by question, as text."""
    rules = desk.live.rules
    given = [row.given(rules.orders) for row in desk.store.answers(desk.game)]
    return {one.key: "; ".join(order.text(rules.vocabulary) for order in one.answer) for one in given}


@pytest.mark.parametrize(
    "letter",
    [
        "FRANCE:\nraise 1\nmarch 2 from Paris to Munich\nSPAIN:\nraise 2\n",
        "France: raise 1; march 2 from Paris to Munich\nSpain: raise 2\n",
        "for Spain:\nraise 2\n\nfor France:\nraise 1\nmarch 2 from Paris to Munich\n",
        "Pour l'Espagne :\nlever 2\n\nPour la France :\nlever 1\nmarcher 2 de Paris vers Munich\n",
        "Hello,\n\ncabinet of France:\nraise 1\nmarch 2 from Paris to Munich\nOrders for Spain:\nraise 2\n\nBye,\nX",
    ],
)
def test_a_head_says_for_whom(two_powers: Congress, letter: str) -> None:
    two_powers.send("france", letter)
    assert answers(two_powers) == {FRANCE: "raise 1; march 2 from Paris to Munich", SPAIN: "raise 2"}


def test_a_line_that_only_one_power_can_obey_needs_no_head(two_powers: Congress) -> None:
    two_powers.send("france", "march 2 from Paris to Munich\nmarch 1 from Madrid to Lisbon\n")
    assert answers(two_powers) == {
        FRANCE: "march 2 from Paris to Munich",
        SPAIN: "march 1 from Madrid to Lisbon",
    }


def test_where_both_could_it_is_asked_and_nothing_of_it_is_taken(two_powers: Congress) -> None:
    two_powers.send("france", "raise 1\nmarch 2 from Paris to Munich\n")
    assert answers(two_powers) == {}
    assert "FRANCE:" in two_powers.words("france")
    assert "SPAIN:" in two_powers.words("france")


def test_what_a_head_says_is_taken_though_other_lines_are_doubtful(two_powers: Congress) -> None:
    two_powers.send("france", "SPAIN: raise 2\n")
    two_powers.send("france", "raise 1\n")
    assert answers(two_powers) == {SPAIN: "raise 2"}


def test_a_second_letter_answers_the_second_question_and_loses_nothing(two_powers: Congress) -> None:
    two_powers.send("france", "FRANCE:\nraise 1\n")
    two_powers.send("france", "SPAIN:\nhold\n")
    two_powers.send("france", "FRANCE:\nraise 2\n")
    assert answers(two_powers) == {FRANCE: "raise 2", SPAIN: "hold"}


def test_a_form_says_by_its_key_which_question_it_answers(two_powers: Congress) -> None:
    form = f"[[orders {two_powers.game} {SPAIN}]]\n1: raise 1\n[[end]]\n"
    two_powers.send("france", form + "\nFRANCE: hold\n")
    assert answers(two_powers) == {FRANCE: "hold", SPAIN: "raise 1"}


def test_free_lines_beside_the_form_of_one_power_are_for_the_other(two_powers: Congress) -> None:
    form = f"[[orders {two_powers.game} {SPAIN}]]\n1: raise 1\n[[end]]\n"
    two_powers.send("france", "raise 2\n" + form)
    assert answers(two_powers) == {FRANCE: "raise 2", SPAIN: "raise 1"}


def test_a_head_of_a_power_that_is_not_ones_own_is_told(two_powers: Congress) -> None:
    two_powers.send("france", "AUSTRIA:\nraise 1\n\nFRANCE:\nhold\n")
    assert answers(two_powers) == {FRANCE: "hold"}
    assert "nothing is asked of you there" in two_powers.words("france")


def test_one_of_two_battles_is_named_by_its_place(two_powers: Congress) -> None:
    two_powers.send("france", "FRANCE: march 3 from Paris to Munich\nSPAIN: march 3 from Madrid to Milan\n")
    two_powers.all_hold("france")
    assert [question.kind() for question in two_powers.live.open_to("france")] == ["battle", "battle"]
    two_powers.send("france", "at Munich: assault\nat Milan: retire\n")
    found = answers(two_powers)
    assert found["t1/battle/munich/france"] == "assault"
    assert found["t1/battle/milan/spain"] == "retire"


def test_a_question_that_is_not_asked_yet_says_so(two_powers: Congress) -> None:
    two_powers.send("france", "at Munich: assault\n")
    assert answers(two_powers) == {}
    assert "nothing is asked of you there" in two_powers.words("france")
