"""What the reports say is what happened, and no more."""

from pbem.games.ccn import RULES, build
from pbem.games.ccn.orders import Play, SendBack
from pbem.games.ccn.setup import OPTIONS
from pbem.games.ccn.state import State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Checkpoint, Game, Given, state_bytes
from tests.games.ccn.play import Pseudo

SWITCHES = {option.name: option.values[0] for option in OPTIONS}


def at(**given: object) -> Game[State]:
    state = build("rolica_1808", SWITCHES, dict(given))
    return Game(RULES, Checkpoint(0, 0, state_bytes(state)), Recorded(beyond=Pseudo(1)))


def test_a_unit_sent_back_is_not_reported_as_an_order_not_carried_out() -> None:
    # rule 10.3.13
    game = at(units=["french fr_line E6", "allied br_line I6"], hands={"french": ["short_supply", "rally"]})
    letter = (Play("short_supply"), SendBack("E6", "A7"))
    game.give(Given("t1/turn", "french", letter, LETTER))
    told = [told.event.kind() for told in game.take_told()]
    assert "sent_back" in told
    assert "orders_skipped" not in told
