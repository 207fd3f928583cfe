"""Agreements by letter: proposed as press, signed by number, sealed, in force when all have signed; and all else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.campaign.house_rules import ANONYMOUS, NO_PRESS, WITH_RESULTS, Couriers, Customs
from pbem.kernel.agreement import Sign
from pbem.kernel.game import state_bytes
from tests.campaign.conftest import Congress

PEACE = "PROPOSE TO Austria for 3 turns: peace; France pays 2 gold to Austria; friendship"


def games(tmp_path: Path, **customs: object) -> Congress:
    return Congress(f"sqlite:///{tmp_path}/customs.db", customs=Customs(**customs))  # type: ignore[arg-type]


@pytest.fixture
def anonymous(tmp_path: Path) -> Iterator[Congress]:
    made = games(tmp_path, press=ANONYMOUS)
    yield made
    made.store.close()


def binding(desk: Congress) -> list[int]:
    return [one.agreement.n for one in desk.live.game.state.agreements.binding]


def test_a_proposal_is_numbered_and_goes_to_its_parties_alone(congress: Congress) -> None:
    congress.send("france", PEACE)
    assert "Proposal 1" in congress.words("france")
    assert "peace: the rules carry it out" in congress.words("france")
    assert "friendship: mere words" in congress.words("france")
    words = congress.words("austria")
    assert "SIGNER 1" in words
    assert "paix" in words, "clauses of the rules are told in the reader's language"
    assert congress.text("russia") == ""


def test_in_force_when_all_have_signed_and_the_cabinets_are_in(congress: Congress) -> None:
    congress.send("france", PEACE)
    congress.send("france", "SIGN 1")
    congress.send("austria", "SIGNER 1")
    assert binding(congress) == []
    assert congress.text("france") == "", "a signature is sealed"
    congress.all_hold()
    assert binding(congress) == [1]
    state = congress.live.game.state
    assert state.powers["france"].gold + 4 == state.powers["austria"].gold
    assert "Agreement 1 between France and Austria is in force for 3 turns" in congress.all_words("russia")


def test_the_journal_holds_the_whole_text(congress: Congress) -> None:
    congress.send("france", "SIGN TO Austria: peace; no fleet before Naples")
    (row,) = congress.store.answers(congress.game)
    (order,) = row.given(congress.live.rules.orders).answer
    assert isinstance(order, Sign)
    assert order.agreement.words() == "peace; no fleet before Naples"
    assert order.agreement.parties == ("france", "austria")


def test_signed_by_one_alone_nothing_is_in_force_and_it_lapses(congress: Congress) -> None:
    congress.send("france", "SIGN TO Austria: peace")
    congress.till_turn(3)
    assert binding(congress) == []
    assert (
        "Agreement 1 between France and Austria was not signed by all in time"
        in " ".join(congress.words("france").split())
        or not congress.live.game.state.agreements.offers
    )


def test_a_signature_is_taken_back(congress: Congress) -> None:
    congress.send("france", "SIGN TO Austria: peace")
    congress.send("france", "WITHDRAW 1")
    assert "Your signature under agreement 1 is taken back" in congress.words("france")
    congress.send("austria", "SIGNER 1")
    congress.all_hold()
    assert binding(congress) == []


def test_other_words_are_a_counter_proposal_that_is_signed(congress: Congress) -> None:
    congress.send("france", PEACE)
    congress.send("austria", "SIGNER 1 : paix ; France paie 5 or à Autriche")
    assert "SIGN 2" in congress.words("france")
    assert "France pays 5 gold to Austria" in congress.words("france")
    congress.send("france", "SIGN 2")
    congress.all_hold()
    assert binding(congress) == [2]


def test_three_parties_all_have_to_sign(congress: Congress) -> None:
    congress.send("france", "SIGN TO Austria and Russia: peace")
    congress.send("austria", "SIGN 1")
    congress.all_hold()
    assert binding(congress) == []
    congress.send("russia", "SIGN 1")
    congress.all_hold()
    assert binding(congress) == [1]


def test_who_is_no_party_cannot_sign_or_see(congress: Congress) -> None:
    congress.send("france", PEACE)
    congress.send("russia", "SIGN 1")
    assert "There is no proposal 1 for you" in congress.words("russia")
    congress.send("russia", "LIST")
    assert "friendship" not in congress.words("russia")


def test_list_shows_what_binds_and_what_waits(congress: Congress) -> None:
    congress.send("france", "SIGN TO Austria for 3 turns: peace")
    congress.send("austria", "SIGN 1")
    congress.all_hold()
    congress.send("russia", "PROPOSE France: friendship")
    congress.send("france", "LIST")
    words = congress.words("france")
    assert "[1] in force, with Austria, until round 4: peace" in words
    assert "[2] proposed, with Russia; SIGN 2 to agree" in words
    congress.send("spain", "LIST")
    assert "Nothing binds you" in congress.words("spain")


def test_orders_sent_before_stay_when_something_is_signed(congress: Congress) -> None:
    congress.send("france", "raise 1")
    congress.send("austria", "SIGN TO France: peace")
    congress.send("france", "SIGN 1")
    congress.all_hold("france")
    assert congress.live.game.state.troops["paris"] == 4
    assert binding(congress) == [1]


def test_orders_and_a_signature_in_one_letter(congress: Congress) -> None:
    congress.send("austria", "SIGN TO France: peace")
    congress.send("france", "SIGN 1\nraise 1\nmarch 2 from Paris to Munich\n")
    assert congress.live.game.answered("t1/cabinet/france")
    assert len(congress.live.game.state.agreements.offers[0].signed) == 2


def test_orders_below_a_proposal_are_not_sent_to_others(congress: Congress) -> None:
    congress.send("france", "PROPOSE TO Austria: peace\nraise 1\n")
    assert "raise" not in congress.words("austria").replace("raise 1 [", "")
    assert congress.live.game.answered("t1/cabinet/france")
    congress.send("france", "PROPOSE TO Austria:\nfriendship\nraise 2\n")
    assert "raise 2" not in congress.words("austria")


def test_breaking_the_peace_is_told_to_all_and_ends_it(congress: Congress) -> None:
    congress.send("prussia", "SIGN TO Russia: peace")
    congress.send("russia", "SIGN 1")
    congress.all_hold()
    congress.send("prussia", "march 3 from Berlin to Saint Petersburg")
    congress.all_hold("prussia")
    assert binding(congress) == []
    assert "Prussia has broken agreement 1" in congress.all_words("russia"), "at once, to the other party"
    heard = ""
    while congress.live.game.state.turn == 2:
        for seat in congress.players:
            congress.answer(seat)
            heard += congress.all_words("spain")
    assert "Prussia has broken agreement 1" in heard, "with the bulletin, to all"


def test_denounced_it_ends_with_the_next_cabinets(congress: Congress) -> None:
    congress.send("prussia", "SIGN TO Russia: peace")
    congress.send("russia", "SIGN 1")
    congress.all_hold()
    congress.send("prussia", "DENOUNCE 1")
    assert binding(congress) == [1]
    assert congress.text("russia") == ""
    congress.all_hold()
    assert binding(congress) == []
    assert "Prussia denounces agreement 1" in congress.all_words("spain")


def test_a_clause_that_the_rules_forbid_is_refused_with_its_reason(congress: Congress) -> None:
    congress.send("france", "PROPOSE TO Austria: Russia pays 5 gold to France")
    assert "Only the parties pay" in congress.words("france")
    assert congress.text("austria") == ""


def test_check_proposes_nothing(congress: Congress) -> None:
    congress.send("france", f"CHECK\n{PEACE}\nSIGN TO Austria: peace\n")
    assert "the rules carry it out" in congress.words("france")
    assert congress.text("austria") == ""
    assert congress.answers() == 0


def test_anonymous_proposals_name_the_parties_and_not_who_proposes(anonymous: Congress) -> None:
    anonymous.send("russia", "SIGN TO Austria, France anonymously: peace")
    words = anonymous.words("france")
    assert "agreement between France, Austria and Russia" in words
    assert "Message from" not in words
    assert "SIGN 1" in words
    anonymous.send("france", "SIGN 1")
    anonymous.send("austria", "SIGN 1")
    anonymous.all_hold()
    assert binding(anonymous) == [1]


def test_without_anonymous_press_a_proposal_is_signed(congress: Congress) -> None:
    congress.send("russia", "PROPOSE TO Austria anonymously: peace")
    assert congress.text("austria") == ""


def test_by_courier_it_can_be_signed_when_it_has_arrived(tmp_path: Path) -> None:
    desk = games(tmp_path, couriers=Couriers(hours=6, risk=0))
    desk.send("france", "PROPOSE TO Austria: peace")
    desk.send("austria", "SIGN 1")
    assert "pas de proposition 1" in desk.words("austria")
    desk.pass_time(days=2)
    assert "SIGNER 1" in desk.all_words("austria")
    desk.send("austria", "SIGN 1")
    desk.send("france", "SIGN 1")
    desk.all_hold()
    assert binding(desk) == [1]
    desk.store.close()


def test_a_captured_proposal_is_read_by_its_captor_who_cannot_sign_it(tmp_path: Path) -> None:
    desk = games(tmp_path, couriers=Couriers(hours=1, risk=50))
    captured = None
    for n in range(12):
        desk.send("france", f"PROPOSE TO Russia: secret number {n}")
        desk.pass_time(days=3)
        ride = desk.live.affairs.rides[-1]
        if ride.captured:
            captured = (n, ride.captor)
            break
    assert captured is not None
    n, captor = captured
    assert captor not in ("france", "russia")
    assert f"secret number {n}" in desk.all_words(captor)
    assert "SIGN" not in desk.all_words(captor)
    assert f"secret number {n}" not in desk.all_words("russia")
    desk.send(captor, f"SIGN {n + 1}")
    assert desk.live.game.state.agreements.offers == []
    desk.store.close()


def test_with_the_results_it_arrives_with_the_bulletin(tmp_path: Path) -> None:
    desk = games(tmp_path, release=WITH_RESULTS)
    desk.send("france", "PROPOSE TO Austria: friendship")
    assert desk.text("austria") == ""
    desk.all_hold()
    assert "friendship" in desk.all_words("austria")
    desk.store.close()


def test_where_there_is_no_press_there_are_no_proposals(tmp_path: Path) -> None:
    desk = games(tmp_path, press=NO_PRESS)
    desk.send("france", "PROPOSE TO Austria: friendship")
    assert desk.text("austria") == ""
    assert "no messages go between players" in desk.words("france")
    desk.store.close()


def test_a_game_without_agreements_takes_the_words_as_orders(desk: Congress) -> None:
    desk.send("french", "SIGN 7")
    assert "agreement" not in desk.words("french")


def test_signatures_survive_a_restart(congress: Congress) -> None:
    congress.send("france", "SIGN TO Austria: peace")
    before = state_bytes(congress.live.game.state)
    congress.restart()
    assert state_bytes(congress.live.game.state) == before
    congress.send("austria", "SIGN 1")
    congress.all_hold()
    assert binding(congress) == [1]


def test_wait_keeps_orders_back_but_no_signature(congress: Congress) -> None:
    congress.send("austria", "SIGN TO France: peace")
    congress.send("france", "WAIT\nSIGN 1\nraise 1\n")
    assert not congress.live.game.answered("t1/cabinet/france")
    assert len(congress.live.game.state.agreements.offers[0].signed) == 2


def test_history_shows_ones_own_signature_and_nobody_elses(congress: Congress) -> None:
    congress.send("austria", "SIGN TO France: peace")
    congress.send("france", "HISTORY")
    assert "Austria: t1" not in congress.words("france")
    congress.send("austria", "HISTORY")
    assert "signer 1" in congress.words("austria")
    congress.send("france", "VOTE DRAW")
    for seat in list(congress.players)[1:]:
        congress.send(seat, "VOTE YES")
    congress.send("russia", "HISTORY")
    assert "sign 1 (France, Austria)" in congress.words("russia"), "open when the game is over"


def test_proposals_count_as_messages_of_the_day(tmp_path: Path) -> None:
    desk = games(tmp_path, limit=2)
    desk.send("france", "PROPOSE TO Austria: peace")
    desk.send("france", "PRESS TO Austria: please sign")
    desk.send("france", "PROPOSE TO Austria: friendship")
    assert "friendship" not in desk.words("austria")
    assert "2" in desk.words("france")
    desk.store.close()
