"""13: standing orders: what a player leaves once and for all, for a unit, a type, an arm or everyone.

`for {whose}` names a hex, a unit type, a class or an arm; without it the order is for the whole army. Of each
kind the first one that concerns the unit decides; `DEFAULTS` stand behind those of the player.
"""

from __future__ import annotations

from pbem.games.ccn.orders import Keep
from pbem.games.ccn.state import Unit
from pbem.kernel.order import Name, Number, Order

ALWAYS, NEVER, HEAVY = "always", "never", "heavy"
LEFT, RIGHT, SAFEST = "left", "right", "safest"
ALL, NONE = "all", "none"
JOIN, FAR, LEAVE = "join", "far", "leave"
CLEAR = "clear"


class SquarePolicy(Order, frozen=True):
    """8.2.1: form square always, never or against heavy cavalry; with at least so many cards in hand."""

    when: str
    hand: int = 0
    whose: str = ""
    words = {
        "en": ("squares {when} [with {hand} cards] [for {whose}]",),
        "fr": ("carrés {when} [avec {hand} cartes] [pour {whose}]",),
    }
    slots = {"when": Name("square_when"), "hand": Number(3, 12), "whose": Name("whose")}
    example = {"en": "squares always with 4 cards", "fr": "carrés toujours avec 4 cartes"}


class RetirePolicy(Order, frozen=True):
    """8.1.1: cavalry retires always or never; only when it has fewer than so many blocks."""

    when: str
    blocks: int = 0
    whose: str = ""
    words = {
        "en": ("retire {when} [below {blocks} blocks] [for {whose}]",),
        "fr": ("repli {when} [sous {blocks} blocs] [pour {whose}]",),
    }
    slots = {"when": Name("when"), "blocks": Number(1, 6), "whose": Name("whose")}
    example = {"en": "retire always below 3 blocks", "fr": "repli toujours sous 3 blocs"}


class StrikePolicy(Order, frozen=True):
    """8.5.1: play FIRST STRIKE always or never; only if the unit rolls at least so many dice."""

    when: str
    dice: int = 0
    whose: str = ""
    words = {
        "en": ("strikes {when} [with {dice} dice] [for {whose}]",),
        "fr": ("embuscades {when} [avec {dice} dés] [pour {whose}]",),
    }
    slots = {"when": Name("when"), "dice": Number(1, 12), "whose": Name("whose")}
    example = {"en": "strikes always with 4 dice", "fr": "embuscades toujours avec 4 dés"}


class FlagPolicy(Order, frozen=True):
    """7.6: ignore all flags that can be ignored, or none."""

    how: str
    whose: str = ""
    words = {"en": ("flags ignore {how} [for {whose}]",), "fr": ("drapeaux ignorer {how} [pour {whose}]",)}
    slots = {"how": Name("how_many"), "whose": Name("whose")}
    example = {"en": "flags ignore all", "fr": "drapeaux ignorer tous"}


class RetreatPolicy(Order, frozen=True):
    """7.5.2: retreat to the left, to the right or where it is safest; flags ignored where possible."""

    way: str
    whose: str = ""
    words = {"en": ("retreats {way} [for {whose}]",), "fr": ("retraites {way} [pour {whose}]",)}
    slots = {"way": Name("way_back"), "whose": Name("whose")}
    example = {"en": "retreats safest", "fr": "retraites au plus sûr"}


class BackPolicy(Order, frozen=True):
    """6.7.1: battle back always or never; only if the unit rolls at least so many dice."""

    when: str
    dice: int = 0
    whose: str = ""
    words = {
        "en": ("battle backs {when} [with {dice} dice] [for {whose}]",),
        "fr": ("ripostes {when} [avec {dice} dés] [pour {whose}]",),
    }
    slots = {"when": Name("when"), "dice": Number(1, 12), "whose": Name("whose")}
    example = {"en": "battle backs always", "fr": "ripostes toujours"}


class LeaderPolicy(Order, frozen=True):
    """7.7, 7.8: leaders in danger join a unit, ride as far as they can, or leave the board where they can."""

    how: str
    words = {"en": ("leaders {how}",), "fr": ("généraux {how}",)}
    slots = {"how": Name("leader_way")}
    example = {"en": "leaders join", "fr": "généraux rejoindre"}


class AdvancePolicy(Order, frozen=True):
    """7.1, 7.2: where the letter is silent: advance always, never, or into clear ground."""

    when: str
    whose: str = ""
    words = {"en": ("advances {when} [for {whose}]",), "fr": ("avances {when} [pour {whose}]",)}
    slots = {"when": Name("advance_when"), "whose": Name("whose")}
    example = {"en": "advances never", "fr": "avances jamais"}


class StandPolicy(Order, frozen=True):
    """8.4: if nothing else is to be done, stand."""

    words = {"en": ("otherwise stand",), "fr": ("sinon tenir bon",)}


class SupplyPolicy(Order, frozen=True):
    """10.3.13: a unit sent back goes to the free hex nearest to its old column."""

    words = {"en": ("supply nearest",), "fr": ("ravitaillement au plus près",)}


class ScoutPolicy(Order, frozen=True):
    """9.2: where the letter is silent: of the two cards drawn, keep the one that orders most."""

    words = {"en": ("scouts keep the better card",), "fr": ("éclaireurs garder la meilleure carte",)}


def concerns(order: Order, unit: Unit) -> bool:
    """Whether a policy is for this unit."""
    whose, kind = str(getattr(order, "whose", "")), unit.kind
    return whose in ("", unit.hex, unit.type, kind.arm, kind.troop, kind.nation)


POLICIES: tuple[type[Order], ...] = (
    SquarePolicy,
    RetirePolicy,
    StrikePolicy,
    FlagPolicy,
    RetreatPolicy,
    BackPolicy,
    LeaderPolicy,
    AdvancePolicy,
    StandPolicy,
    SupplyPolicy,
    ScoutPolicy,
    Keep,
)
DEFAULTS: tuple[Order, ...] = (
    SquarePolicy(ALWAYS, hand=4),
    StandPolicy(),
    RetreatPolicy(SAFEST),
    BackPolicy(ALWAYS),
    LeaderPolicy(JOIN),
    AdvancePolicy(NEVER),
    SupplyPolicy(),
    ScoutPolicy(),
)
"""What the specification makes of silence; a player's own orders stand before them."""

CAREFUL: tuple[Order, ...] = (
    DEFAULTS[0],
    StrikePolicy(ALWAYS, dice=4),
    RetirePolicy(ALWAYS, blocks=3),
    *DEFAULTS[1:],
)
"""What a careful player adds: the sensible robot has these."""
