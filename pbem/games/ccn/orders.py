"""The orders that a player can write, and their words.

A unit is called by its hex. In the moves that is where it stands when its line is reached; in the combats,
where it stands after the moves, or else where the turn found it.
"""

from __future__ import annotations

from pbem.kernel.order import Name, Names, Number, Order


class Play(Order, frozen=True):
    """3.1: the command card of the turn; with a section where the card needs one."""

    card: str
    section: str = ""
    bare = True
    opens = True
    words = {
        "en": ("play {card} [in {section}]", "card {card} [in {section}]"),
        "fr": ("jouer {card} [section {section}]", "carte {card} [section {section}]"),
    }
    slots = {"card": Name("card"), "section": Name("section", role="at")}
    example = {"en": "play Attack Center", "fr": "jouer Attaque au centre"}


class Activate(Order, frozen=True):
    """4.1: order units without more; a unit that moves or battles in the letter is ordered by that."""

    units: tuple[str, ...]
    section: str = ""
    words = {
        "en": ("order {units} [as {section}]", "activate {units} [as {section}]"),
        "fr": ("activer {units} [comme {section}]", "ordonner {units} [comme {section}]"),
    }
    slots = {"units": Names("hex", own=True), "section": Name("section")}
    example = {"en": "order D4 as left", "fr": "activer D4 comme gauche"}


class Move(Order, frozen=True):
    """5: move a unit, to a hex or along a path."""

    unit: str
    path: tuple[str, ...]
    bare = True
    words = {
        "en": ("{unit} to {path}", "move {unit} to {path}", "{unit} > {path}"),
        "fr": ("{unit} vers {path}", "déplacer {unit} vers {path}", "{unit} > {path}"),
    }
    slots = {"unit": Name("hex", own=True, role="who"), "path": Names("way", role="to")}
    example = {"en": "C6 to D6", "fr": "C6 vers D6"}


class LeaderMove(Order, frozen=True):
    """5.9: move a leader alone; he is called by his name or his hex."""

    leader: str
    path: tuple[str, ...]
    words = {
        "en": ("leader {leader} to {path}", "general {leader} to {path}", "detach {leader} to {path}"),
        "fr": ("général {leader} vers {path}", "chef {leader} vers {path}", "détacher {leader} vers {path}"),
    }
    slots = {"leader": Name("leader"), "path": Names("hex")}
    example = {"en": "leader Wellesley to D6", "fr": "général Wellesley vers D6"}


class LeaderStay(Order, frozen=True):
    """5.9.6: a leader detaches and is left behind by his unit."""

    leader: str
    words = {
        "en": ("leader {leader} stays", "general {leader} stays"),
        "fr": ("général {leader} reste", "chef {leader} reste"),
    }
    slots = {"leader": Name("leader")}


class LeaveSquare(Order, frozen=True):
    """8.2.9: a unit leaves its square; it may then move and battle."""

    unit: str
    words = {
        "en": ("{unit} leaves square", "{unit} leave square", "leave square {unit}"),
        "fr": ("{unit} sort du carré", "{unit} quitte le carré", "sortir du carré {unit}"),
    }
    slots = {"unit": Name("hex", own=True, role="who")}


class Fire(Order, frozen=True):
    """6.2: fire at the first of these targets that can be fired at."""

    unit: str
    targets: tuple[str, ...]
    words = {
        "en": ("{unit} fire {targets}", "{unit} fires at {targets}", "{unit} shoot {targets}"),
        "fr": ("{unit} tire {targets}", "{unit} tire sur {targets}", "{unit} feu {targets}"),
    }
    slots = {"unit": Name("hex", own=True, role="who"), "targets": Names("hex", foe=True, role="against")}
    example = {"en": "C6 fire E7", "fr": "C6 tire E7"}


class Melee(Order, frozen=True):
    """6.5: melee with the first of these targets that can be attacked; and what to do if it is won."""

    unit: str
    targets: tuple[str, ...]
    guns: tuple[str, ...] = ()
    advance: str = ""
    onward: str = ""
    bonus: tuple[str, ...] = ()
    words = {
        "en": (
            "{unit} melee {targets} [with {guns}] [{advance}] [on to {onward}] [bonus {bonus}]",
            "{unit} attack {targets} [with {guns}] [{advance}] [on to {onward}] [bonus {bonus}]",
            "{unit} melees {targets} [with {guns}] [{advance}] [on to {onward}] [bonus {bonus}]",
        ),
        "fr": (
            "{unit} mêlée {targets} [avec {guns}] [{advance}] [puis {onward}] [bonus {bonus}]",
            "{unit} attaque {targets} [avec {guns}] [{advance}] [puis {onward}] [bonus {bonus}]",
            "{unit} charge {targets} [avec {guns}] [{advance}] [puis {onward}] [bonus {bonus}]",
        ),
    }
    slots = {
        "unit": Name("hex", own=True, role="who"),
        "targets": Names("hex", foe=True, role="against"),
        "guns": Names("hex", own=True, role="with"),
        "advance": Name("advance"),
        "onward": Name("hex", role="only"),
        "bonus": Names("hex", role="only"),
    }
    example = {"en": "C6 melee D7 take ground bonus E8", "fr": "C6 mêlée D7 prend le terrain bonus E8"}


class TakeGround(Order, frozen=True):
    """7.1, 7.2, 7.3: enter the vacated hex; cavalry may go on one hex and make a bonus melee, with guns."""

    onward: str = ""
    bonus: tuple[str, ...] = ()
    guns: tuple[str, ...] = ()
    words = {
        "en": (
            "take ground [on to {onward}] [bonus {bonus}] [with {guns}]",
            "break through [on to {onward}] [bonus {bonus}] [with {guns}]",
        ),
        "fr": (
            "prendre le terrain [puis {onward}] [bonus {bonus}] [avec {guns}]",
            "poursuivre [puis {onward}] [bonus {bonus}] [avec {guns}]",
        ),
    }
    slots = {
        "onward": Name("hex", role="only"),
        "bonus": Names("hex", role="only"),
        "guns": Names("hex", role="only"),
    }
    example = {"en": "take ground bonus E8", "fr": "prendre le terrain bonus E8"}


class Bonus(Order, frozen=True):
    """7.3: the bonus melee of the cavalry that has just broken through, with the guns that join it."""

    targets: tuple[str, ...]
    guns: tuple[str, ...] = ()
    words = {
        "en": ("bonus {targets} [with {guns}]", "bonus on {targets} [with {guns}]"),
        "fr": ("bonus {targets} [avec {guns}]", "bonus sur {targets} [avec {guns}]"),
    }
    slots = {"targets": Names("hex"), "guns": Names("hex")}


class Halt(Order, frozen=True):
    """7.1.1: stay where the unit is."""

    words = {"en": ("stay", "stop", "hold ground"), "fr": ("rester", "stop", "tenir")}


class Rank(Order, frozen=True):
    """4.6: who comes first when the dice of ELAN or RALLY are assigned."""

    units: tuple[str, ...]
    words = {"en": ("priority {units}", "rank {units}"), "fr": ("priorité {units}", "ordre {units}")}
    slots = {"units": Names("hex")}
    example = {"en": "priority C6, D7, E5", "fr": "priorité C6, D7, E5"}


class SendBack(Order, frozen=True):
    """10.3.13: the unit that SHORT SUPPLY sends back to its baseline; the hex, where it is one's own."""

    unit: str
    to: str = ""
    words = {
        "en": ("send back {unit} [to {to}]", "short supply {unit} [to {to}]"),
        "fr": ("renvoyer {unit} [en {to}]", "disette {unit} [en {to}]"),
    }
    slots = {"unit": Name("hex"), "to": Name("hex")}


class Keep(Order, frozen=True):
    """9.2: cards to keep after a Scout draw, the best first. As a standing order it stays in force."""

    cards: tuple[str, ...]
    words = {"en": ("keep {cards}",), "fr": ("garder {cards}",)}
    slots = {"cards": Names("card")}


class Stand(Order, frozen=True):
    """8.4: no special answer to a melee."""

    words = {"en": ("stand", "stand fast"), "fr": ("tenir bon", "faire face")}


class Strike(Order, frozen=True):
    """8.5: play FIRST STRIKE; it counts as standing where the card is not held."""

    words = {"en": ("first strike", "ambush"), "fr": ("embuscade", "frapper en premier")}


class Square(Order, frozen=True):
    """8.2.1: form square."""

    words = {"en": ("form square", "square"), "fr": ("former le carré", "carré")}


class Retire(Order, frozen=True):
    """8.1: retire and reform, over these two hexes."""

    path: tuple[str, ...] = ()
    words = {
        "en": ("retire [over {path}]", "retire and reform [over {path}]"),
        "fr": ("se replier [par {path}]", "repli [par {path}]"),
    }
    slots = {"path": Names("hex")}


class GiveWay(Order, frozen=True):
    """7.5, 7.6: how many flags are ignored, and where the unit retreats for the rest."""

    ignore: int = 0
    path: tuple[str, ...] = ()
    words = {
        "en": ("ignore {ignore} [and retreat {path}]", "retreat {path}"),
        "fr": ("ignorer {ignore} [et reculer {path}]", "reculer {path}"),
    }
    slots = {"ignore": Number(0, 12), "path": Names("hex")}


class Ride(Order, frozen=True):
    """7.7, 7.8: where a leader goes who has to leave."""

    path: tuple[str, ...]
    words = {
        "en": ("ride {path}", "leader retreats {path}"),
        "fr": ("galoper {path}", "général recule {path}"),
    }
    slots = {"path": Names("way")}


class BattleBack(Order, frozen=True):
    """6.7: battle back."""

    words = {"en": ("battle back",), "fr": ("riposter",)}


class NoBattleBack(Order, frozen=True):
    """6.7.1: do not battle back."""

    words = {"en": ("no battle back", "hold"), "fr": ("ne pas riposter",)}


class Settle(Order, frozen=True):
    """10.3.13: the hex of its baseline to which a unit goes."""

    hex: str
    words = {"en": ("settle at {hex}", "go to {hex}"), "fr": ("s'installer en {hex}", "aller en {hex}")}
    slots = {"hex": Name("hex")}


TURN: tuple[type[Order], ...] = (
    Play,
    Activate,
    Move,
    LeaderMove,
    LeaderStay,
    LeaveSquare,
    Fire,
    Melee,
    TakeGround,
    Bonus,
    Halt,
    Rank,
    SendBack,
    Keep,
)
AFTER_DICE: tuple[type[Order], ...] = tuple(kind for kind in TURN if kind not in (Play, SendBack, Keep))
"""4.6: what is left to write when the dice of ELAN or RALLY are known."""
REACTIONS: tuple[type[Order], ...] = (
    Stand,
    Strike,
    Square,
    Retire,
    GiveWay,
    Ride,
    BattleBack,
    NoBattleBack,
    Settle,
)
