"""12: the decision point of a battle: how a side fights it, sealed, from a plan or from standing orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.nce import command, fog
from pbem.games.nce.cards.reaction_cards import holding_problem
from pbem.games.nce.charts import CARDS, GENERALS, SPECIALS, UNITS
from pbem.games.nce.orders import CombatCards, Engage, Lead, LossOrder, RetreatTo, Second, Spirit
from pbem.games.nce.reactions import concerns, countermarchers, in_window, march_problem
from pbem.games.nce.replies import CounterMarch, Done
from pbem.games.nce.standing import BattlePolicy, CardPolicy, MarchPolicy
from pbem.games.nce.state import HIDDEN, Force, State
from pbem.kernel.order import Answer, Fact, Order
from pbem.kernel.plan import Refused
from pbem.kernel.policy import keeps_for_player
from pbem.kernel.problem import Params, Problem
from pbem.kernel.question import Question

NOBODY = "nobody"
LATE_WINDOWS = ("battle.after_roll", "battle.morale_test", "battle.after_morale_test", "battle.pursuit")


class Fight(Question[State], frozen=True, kw_only=True):
    """12: D5, D7-D12: how a side fights a battle: countermarches, lead, special units, subordinate, cards,
    losses and retreat, sealed."""

    zone: str
    role: str
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    said: tuple[str, ...] = ()
    """The kinds of orders that the plan of the attacker holds already; nobody is asked for the rest."""
    most_orders = 8
    orders = (CounterMarch, Lead, Engage, Second, Spirit, CombatCards, LossOrder, RetreatTo, Done)
    standing = (BattlePolicy, CardPolicy, MarchPolicy, LossOrder, RetreatTo)
    discreet = True

    def _forces(self, view: State) -> list[Force]:
        return [view.forces[id] for id in self.mine if id in view.forces]

    def elites(self, view: State) -> list[str]:
        """Corps that may lead, the best first."""
        units = [unit for force in self._forces(view) for unit in force.units if UNITS[unit].stars]
        return sorted(units, key=lambda unit: (-UNITS[unit].stars, unit))

    def specials(self, view: State) -> list[str]:
        """Special units that may be engaged."""
        return [special for force in self._forces(view) for special in force.special]

    def seconds(self, view: State) -> list[str]:
        """Subordinates, the best first."""
        subs = [general for force in self._forces(view) for general in force.subs]
        return sorted(subs, key=lambda general: (-self.value(general), general))

    def value(self, general: str) -> int:
        """12.6.5: the tactical value in this battle."""
        return GENERALS[general].value(self.role)

    def cards(self, view: State) -> list[str]:
        """7.5: combat cards held."""
        windows = ("battle.before_roll", *LATE_WINDOWS)
        return [
            card
            for card in view.hands[self.seat]
            if card != HIDDEN and any(window in CARDS[card].windows for window in windows)
        ]

    def legal(self, view: State) -> Iterator[Answer]:
        yield (Done(),)
        elites, specials, seconds, cards = (
            self.elites(view),
            self.specials(view),
            self.seconds(view),
            self.cards(view),
        )
        for unit in elites[:2]:
            yield (Lead(unit),)
        if specials:
            yield (Engage(tuple(specials)),)
        for general in seconds:
            yield (Second(general),)
        for card in cards:
            yield (CombatCards((card,)),)
        for force in countermarchers(view, self.seat, self.zone, self.role, self.mine):
            yield (CounterMarch((force.general,)),)
        everything = self.everything(view)
        if everything:
            yield everything

    def hides(self, view: State) -> bool:
        return bool(view.hands[self.seat])

    def only(self, view: State) -> Answer | None:
        return (Done(),) if self.said else super().only(view)

    def everything(self, view: State) -> Answer:
        """The best lead, all special units, the best subordinate, all cards that fit."""
        found: list[Order] = []
        if self.elites(view):
            found.append(Lead(self.elites(view)[0]))
        if self.specials(view):
            found.append(Engage(tuple(self.specials(view))))
        if self.seconds(view):
            found.append(Second(self.seconds(view)[0]))
        if self.cards(view):
            found.append(CombatCards(tuple(self.cards(view))))
        return tuple(found)

    def check(self, view: State, answer: Answer) -> list[Problem]:
        problems: list[Problem] = []
        for number, order in enumerate(answer):
            problem = self._wrong(view, order)
            if problem is not None:
                near = (self._instead(view, order),)
                problems.append(
                    Problem(problem[0], problem[1], params=problem[2], nearest=near, order=number)
                )
        return problems

    def _instead(self, view: State, order: Order) -> Order:
        """The nearest order of the kind that would be taken; nothing where there is none."""
        near: list[Order] = []
        if isinstance(order, Lead):
            near += [Lead(unit) for unit in self.elites(view)]
        elif isinstance(order, Engage):
            near += [Engage((special,)) for special in self.specials(view)]
        elif isinstance(order, Second):
            near += [Second(general) for general in (*self.seconds(view), NOBODY)]
        elif isinstance(order, Spirit):
            near += [Spirit(value) for value in command.morales(view, self._forces(view))]
        elif isinstance(order, CounterMarch):
            able = countermarchers(view, self.seat, self.zone, self.role, self.mine)
            near += [CounterMarch((force.general,)) for force in able]
        elif isinstance(order, CombatCards):
            fit = tuple(card for card in dict.fromkeys(order.cards) if card in self.cards(view))
            near += [CombatCards(fit)] if fit else []
        return next(iter(near), Done())

    def _wrong(self, view: State, order: Order) -> tuple[str, str, Params] | None:
        if isinstance(order, Lead) and order.unit not in self.elites(view):
            return "cannot_lead", "12.6.4", {"units": tuple(self.elites(view))}
        if isinstance(order, Engage) and not set(order.units) <= set(self.specials(view)):
            return "no_such_special", "12.6.4", {"units": tuple(self.specials(view))}
        if isinstance(order, Second) and order.general not in (*self.seconds(view), NOBODY):
            return "no_such_subordinate", "12.6.5", {"generals": tuple(self.seconds(view))}
        if isinstance(order, CombatCards):
            for card in order.cards:
                code = holding_problem(view, self.seat, card)
                code = code or ("" if card in self.cards(view) else "card_not_now")
                if code:
                    return code, "7.5.1", {"card": card}
            if len(set(order.cards)) < len(order.cards):
                return "card_twice", "7.5.1", {"card": order.cards[0]}
        if isinstance(order, Spirit) and order.morale not in command.morales(view, self._forces(view)):
            return "no_such_morale", "12.5.1", {"values": command.morale(view, self._forces(view))}
        if isinstance(order, CounterMarch):
            wrong = march_problem(view, self.seat, self.zone, self.mine, order)
            if wrong is not None:
                return wrong
            code = holding_problem(view, self.seat, order.card) if order.card else ""
            if order.card and order.card not in in_window(view, self.seat, "battle.countermarch"):
                return code or "card_not_now", "7.5.1", {"card": order.card}
        return None

    def facts(self, view: State) -> Mapping[str, Fact]:
        mine = sum(force.strength for force in self._forces(view))
        foes = [view.forces[id] for id in self.theirs if id in view.forces]
        theirs = fog.strength(view, foes, self.seat)
        return {
            "zone": self.zone,
            "role": self.role,
            "steps": mine,
            "enemy_steps": theirs,
            "cards": len(view.hands[self.seat]),
        }

    def default(self, view: State) -> Answer:
        """D7: the best subordinate only."""
        return self._how(view, "subordinate")

    def follow(self, view: State, standing: Sequence[Order]) -> tuple[Answer, Order] | None:
        """The parts of a plan, each from the first standing order about it."""
        plans: list[Order] = []
        for order in standing:
            if isinstance(order, self.standing):
                plans.append(order)
                continue
            given = super().follow(view, (order,))
            if given is not None:
                return given
            if keeps_for_player(self, order, self.facts(view)):
                return None
        parts = self._parts(view, plans)
        answer = tuple(parts.values())
        if not parts or self.check(view, answer):
            return None
        return answer, next(order for order in plans if self._parts(view, [order]))

    def _parts(self, view: State, plans: Sequence[Order]) -> dict[str, Order]:
        """What these standing orders say of the plan, by kind of order."""
        mine, parts = self._forces(view), dict[str, Order]()
        cards = list[str]()
        for policy in plans:
            if not concerns(getattr(policy, "force", ""), mine):
                continue
            if isinstance(policy, BattlePolicy) and "how" not in parts:
                parts["how"] = Done()
                for order in self._how(view, policy.how):
                    parts.setdefault(order.kind(), order)
            elif isinstance(policy, CardPolicy) and self._opposed(view, policy):
                cards += [c for c in policy.cards if c in self.cards(view) and c not in cards]
            elif isinstance(policy, MarchPolicy):
                able = [f.general for f in countermarchers(view, self.seat, self.zone, self.role)]
                coming = tuple(general for general in policy.forces if general in able)
                card = policy.card if policy.card in in_window(view, self.seat, "battle.countermarch") else ""
                if coming:
                    parts.setdefault(CounterMarch.kind(), CounterMarch(coming, card))
            elif isinstance(policy, (LossOrder, RetreatTo)):
                parts.setdefault(policy.kind(), policy)
        if cards:
            listed = parts.get(CombatCards.kind())
            held = listed.cards if isinstance(listed, CombatCards) else ()
            parts[CombatCards.kind()] = CombatCards(tuple(dict.fromkeys((*cards, *held))))
        if len(parts) > 1:
            parts.pop("how", None)
        return parts

    def _opposed(self, view: State, policy: CardPolicy) -> bool:
        theirs = [view.forces[id] for id in self.theirs if id in view.forces]
        if policy.general and not any(policy.general in force.generals for force in theirs):
            return False
        return sum(force.strength for force in theirs) >= policy.steps

    def _how(self, view: State, how: str) -> Answer:
        kinds: dict[str, tuple[type[Order], ...]] = {
            "everything": (Lead, Engage, Second, CombatCards),
            "lead": (Lead, Second),
            "subordinate": (Second,),
        }
        kept = kinds.get(how, ())
        return tuple(
            order
            for order in self.everything(view)
            if isinstance(order, kept) and order.kind() not in self.said
        ) or (Done(),)


def check_plan(view: State, side: str, order: Order, alone: Sequence[Force] = ()) -> None:
    """12.2.1, 12.6.4, 12.6.5: what a plan prepares for its battles must name pieces that can do it.

    `alone` are the forces of an activation that nobody else will join.
    """
    mine = alone or view.of(side)
    if isinstance(order, Lead):
        elite = [unit for force in mine for unit in force.units if UNITS[unit].stars]
        if order.unit not in elite:
            raise Refused("cannot_lead", "12.6.4", (Lead(elite[0]),) if elite else (), units=tuple(elite))
    elif isinstance(order, Engage):
        specials = [special for force in mine for special in force.special]
        if not set(order.units) <= set(specials):
            nearest = (Engage(tuple(specials)),) if specials else ()
            raise Refused("no_such_special", "12.6.4", nearest, units=tuple(specials))
    elif isinstance(order, Second):
        subs = [general for force in mine for general in force.subs]
        if order.general not in (*subs, NOBODY):
            other = Second(subs[0] if subs else NOBODY)
            raise Refused("no_such_subordinate", "12.6.5", (other,), generals=tuple(subs))
    elif isinstance(order, CounterMarch):
        for general in order.forces:
            force = view.force_with(general)
            if force is None or force.side != side or general not in force.generals:
                raise Refused("cannot_countermarch", "12.2.1", forces=())
            units = [unit for unit in order.units if unit in force.units]
            if general in force.subs and command.split_problem(force, [general, *units])[0]:
                raise Refused("name_his_units", "12.2.1", force=general)


def special_bonus(specials: Sequence[str]) -> int:
    """12.6.4: the printed bonuses."""
    return sum(SPECIALS[special].bonus for special in specials)
