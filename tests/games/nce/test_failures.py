"""An order that fails in play says which it was and why, to its player alone, and nothing that fog hides."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.nce import RULES
from pbem.games.nce.desk import Desk
from pbem.games.nce.events import OrderFailed
from pbem.games.nce.orders import Besiege
from pbem.kernel.event import Event
from pbem.kernel.plan import Refused
from pbem.reports.catalogue import Catalogue
from tests.games.nce.field import Field
from tests.games.nce.play import position

LOST = {
    "battle/munich/attack": [1, 1],
    "battle/munich/defence": [6, 6],
    "morale/davout/munich": [1],
}
WORDS = {
    "en": ("«go to Nuremberg»", "The reason: The activation has ended before this"),
    "fr": ("« aller à Nuremberg »", "La raison : L'activation est déjà finie"),
}


class Listener:
    """A table that only listens."""

    def __init__(self) -> None:
        self.told: list[tuple[Event, Any]] = []

    def tell(self, event: Event, to: Any = None) -> None:
        self.told.append((event, to))


def failure(fog: bool) -> tuple[OrderFailed, Any]:
    """13.2.1: a siege with too few steps, as it is told."""
    state = position()
    if fog:
        state.options["fog"] = "yes"
    listener: Any = Listener()
    problem = Refused("too_few_besiegers", "13.2.1", zone="ulm", needed=5).problem
    Desk(state, listener, "test").tell_failed("empire", 2, Besiege(2), problem)
    ((event, to),) = listener.told
    return event, to


def test_a_lost_battle_is_told_as_the_reason() -> None:  # rule 8.3.5
    forces = ["empire nuremberg davout: fr_viii_corps", "coalition munich charles: au_i_corps, au_ii_corps"]
    field = Field(LOST, forces=forces)
    field.order("empire", "no card\nactivate Davout\ngo to Munich\ngo to Nuremberg").order(
        "coalition", "stay"
    )
    (failed,) = field.events(OrderFailed)
    assert (failed.number, failed.code) == (4, "activation_over")
    for lang, said in WORDS.items():
        text = Catalogue(lang, RULES).event(failed).replace("\u00a0", " ")
        assert all(part in text for part in said), text


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_reason_goes_to_its_player_and_in_fog_without_the_garrison(lang: str) -> None:  # rule 1.9
    words = Catalogue(lang, RULES)
    event, to = failure(fog=False)
    assert to == ("empire",)
    assert "5" in words.event(event)
    event, to = failure(fog=True)
    assert to == ("empire",)
    assert "5" not in words.event(event)
    assert "Ulm" in words.event(event)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_records_of_older_games_can_still_be_said(lang: str) -> None:
    assert "4" in Catalogue(lang, RULES).event(OrderFailed(number=4, code="no_way", rule="10.1.2"))
