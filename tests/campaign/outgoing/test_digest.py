"""Bulletins and what comes in between; long reports made short, and whole on demand."""

from __future__ import annotations

import statistics
from pathlib import Path
from random import Random

import msgspec

from pbem.campaign.outgoing.dispatch import REPLY, Dispatch
from pbem.campaign.outgoing.report import LONG_REPORT, Reader, digested
from pbem.campaign.outgoing.report import Position as Stand
from pbem.games.crowns.events import BattleFought, Marched, Quiet
from pbem.kernel.event import Told
from tests.campaign.conftest import Congress

ORDERS = {
    "france": "march 2 from Paris to Munich",
    "great_britain": "march 2 from London to Hanover",
    "austria": "march 2 from Vienna to Milan",
    "russia": "march 2 from Saint Petersburg to Warsaw",
    "prussia": "march 2 from Berlin to Dresden",
    "spain": "march 2 from Madrid to Lisbon",
    "turkey": "march 2 from Constantinople to Zara",
}


def test_everyone_gets_the_bulletin_and_only_those_concerned_a_letter_in_between(congress: Congress) -> None:
    congress.send("france", "march 2 from Paris to Munich")
    for seat in list(congress.players)[1:]:
        congress.received = {}
        congress.answer(seat)
    written_to = {address.partition("@")[0] for address in congress.received}
    assert written_to == {"turkey", "france"}, "whose letter it was, and who is asked about a battle"
    congress.received = {}
    congress.answer("france")
    assert len(congress.received) == 7, "the bulletin"


def test_whoever_is_attacked_hears_of_it_at_once(congress: Congress) -> None:
    congress.send("prussia", "march 3 from Berlin to Saint Petersburg")
    for seat in congress.players:
        if seat != "prussia":
            congress.received = {}
            congress.answer(seat)
    assert "Prussia stands before Saint Petersburg" in congress.all_words("russia")
    assert "spain@pbem.test" not in congress.received


def test_a_long_report_tells_own_affairs_in_full_and_others_in_short(congress: Congress) -> None:
    for seat, order in ORDERS.items():
        congress.send(seat, order)
    live = congress.live
    marched = Marched(power="prussia", start="berlin", to="dresden")
    own = Marched(power="france", start="paris", to="munich")
    battle = BattleFought(area="dresden", attacker="prussia", defender="", won=True, dice=(5, 2))
    told = [Told(n, event) for n, event in enumerate([own, battle, *[marched] * LONG_REPORT], 1)]
    stand = Stand(live.id, live.scenario, live.game)
    reader = Reader("france", "Anne", "en")
    kept = [one.event for one in digested(told, stand, reader, live.game.view("france"))]
    assert kept[:2] == [own, battle]
    assert marched not in kept
    assert isinstance(kept[2], Quiet)
    assert "prussia" not in kept[2].powers
    assert "russia" in kept[2].powers


def test_a_short_report_is_left_alone(congress: Congress) -> None:
    live = congress.live
    told = [Told(1, Marched(power="prussia", start="berlin", to="dresden"))]
    stand = Stand(live.id, live.scenario, live.game)
    assert digested(told, stand, Reader("france", "Anne", "en"), live.game.view("france")) == told


def test_report_all_sends_the_last_turn_whole(congress: Congress) -> None:
    for seat, order in ORDERS.items():
        congress.send(seat, order)
    while congress.live.game.state.turn == 1:
        congress.all_hold()
    congress.send("turkey", "REPORT ALL")
    words = congress.words("turkey")
    assert "Prussia marches from Berlin to Dresden" in words
    assert "Turn 1." in words
    assert "The cipher of Turkey" in words
    assert "cipher of France" not in words


def test_letters_of_a_seven_power_turn_are_short(tmp_path: Path) -> None:
    desk = Congress(f"sqlite:///{tmp_path}/long.db")
    lengths = []
    while desk.live.game.state.turn < 5:
        for seat in desk.players:
            live = desk.live
            question = next((q for q in live.open_to(seat) if not live.game.answered(q.key)), None)
            if question is None:
                continue
            answer = live.rules.robots["sensible"](live.game.view(seat), question, Random(seat))
            desk.send(seat, "\n".join(order.text(live.rules.vocabulary) for order in answer))
            for messages in desk.received.values():
                for message in messages:
                    part = message.get_body(("plain",))
                    assert part is not None
                    lengths.append(len(part.get_content().splitlines()))
    assert statistics.median(lengths) <= 60
    assert max(lengths) <= 150
    desk.store.close()


def test_dispatches_keep_whether_they_are_whole() -> None:
    assert msgspec.json.decode(msgspec.json.encode(Dispatch(REPLY, whole=True)), type=Dispatch).whole
