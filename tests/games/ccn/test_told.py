"""What the reports say is what happened, and no more."""

from pbem.games.ccn import RULES, build
from pbem.games.ccn.events import GroundTaken
from pbem.games.ccn.orders import Move, Play, SendBack
from pbem.games.ccn.setup import OPTIONS
from pbem.games.ccn.state import State
from pbem.kernel.chance import Recorded
from pbem.kernel.game import LETTER, Checkpoint, Game, Given, state_bytes
from pbem.reports.catalogue import Catalogue
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


def test_a_unit_that_leaves_the_board_was_ordered() -> None:
    # rule 5.5
    game = at(units=["french fr_line I6", "allied br_line A6"], exits={"french": ["I6"]})
    game.give(Given("t1/turn", "french", (Play("probe_center"), Move("I6", ("off",))), LETTER))
    told = [told.event.kind() for told in game.take_told()]
    assert "moved" in told
    assert "nothing_ordered" not in told


def test_cavalry_that_rides_back_to_its_hex_is_said_to_have_been_elsewhere() -> None:
    # rule 7.2.1
    ride = GroundTaken(seat="french", unit="fr_light_cavalry", hex="D6", path=("E6", "D6"), rule="7.2.1")
    assert "from D6 over E6 to D6" in Catalogue("en", RULES).event(ride)
    assert "de D6 par E6 en D6" in Catalogue("fr", RULES).event(ride)
