"""What a player can write, and what a clause of an agreement can be."""

from __future__ import annotations

from pbem.kernel.order import Name, Number, Order

MOST = 30


class Hold(Order, frozen=True):
    words = {"en": ("hold",), "fr": ("tenir",)}


class Raise(Order, frozen=True):
    n: int
    words = {"en": ("raise {n}", "raise {n} regiments"), "fr": ("lever {n}", "lever {n} régiments")}
    slots = {"n": Number(1, MOST, role="what")}


class March(Order, frozen=True):
    n: int
    start: str
    to: str
    words = {
        "en": ("march {n} from {start} to {to}", "{n} from {start} to {to}"),
        "fr": ("marcher {n} de {start} vers {to}", "{n} de {start} à {to}"),
    }
    slots = {"n": Number(1, MOST, role="what"), "start": Name("area"), "to": Name("area")}


class Sell(Order, frozen=True):
    n: int
    price: int
    words = {
        "en": ("sell {n} grain at {price}", "sell {n} at {price}"),
        "fr": ("vendre {n} grains à {price}", "vendre {n} à {price}"),
    }
    slots = {"n": Number(1, MOST, role="what"), "price": Number(1, 9, role="for")}


class Buy(Order, frozen=True):
    n: int
    price: int
    words = {
        "en": ("buy {n} grain at {price}", "buy {n} at {price}"),
        "fr": ("acheter {n} grains à {price}", "acheter {n} à {price}"),
    }
    slots = {"n": Number(1, MOST, role="what"), "price": Number(1, 9, role="for")}


class BidCrown(Order, frozen=True):
    n: int
    words = {"en": ("bid {n} for the crown", "bid {n}"), "fr": ("offrir {n} pour la couronne", "offrir {n}")}
    slots = {"n": Number(1, MOST, role="what")}


class Assault(Order, frozen=True):
    words = {"en": ("assault",), "fr": ("donner l'assaut", "assaut")}


class Stand(Order, frozen=True):
    words = {"en": ("stand",), "fr": ("tenir bon",)}


class Retire(Order, frozen=True):
    words = {"en": ("retire",), "fr": ("se replier", "replier")}


class Peace(Order, frozen=True):
    """A clause: who marches on the other breaks it."""

    words = {"en": ("peace",), "fr": ("paix", "la paix")}


class Pay(Order, frozen=True):
    """A clause: paid when the agreement comes into force."""

    payer: str
    amount: int
    payee: str
    words = {
        "en": ("{payer} pays {amount} gold to {payee}", "{payer} pays {amount} to {payee}"),
        "fr": ("{payer} paie {amount} or à {payee}", "{payer} paie {amount} à {payee}"),
    }
    slots = {
        "payer": Name("power", role="who"),
        "amount": Number(1, MOST, role="what"),
        "payee": Name("power", role="to"),
    }


CABINET = (Hold, Raise, March, Sell, Buy, BidCrown)
FIGHT = (Assault, Stand, Retire)
CLAUSES = (Peace, Pay)
