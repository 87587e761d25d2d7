"""What else the table shows: the first table of a hand, and three cards laid open by who knocks (Cirulla)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

from engine.bits import ALL, bits, cards
from engine.cards import Card
from engine.cirulla import Worth, knock_worth
from engine.deal import Opening, opening
from engine.errors import InvalidPlay
from engine.explain import Change
from engine.game import knock_verdict
from engine.play import Knock, KnockKind
from engine.rules import RuleSet
from engine.state import State


@dataclass(frozen=True, slots=True)
class FirstTable:
    """A first table that may lie there, and what it asks for: play, deal again, or 15 or 30 for the dealer."""

    table: frozenset[Card]
    opening: Opening


def explain_opening(rules: RuleSet, change: Change) -> tuple[FirstTable, ...]:
    """Every first table that fits what is seen, in no order; none while too few or too many cards lie there."""
    unread = [cards(bits(options) or ALL) - change.present for options in change.unread]
    found: dict[frozenset[Card], None] = {}
    for chosen in product(*unread):
        sure = change.present | frozenset(chosen)
        missing = rules.table_cards - len(sure)
        if len(set(chosen)) == len(chosen) and 0 <= missing <= len(change.doubtful):
            found |= {sure | more: None for more in _some(change.doubtful - sure, missing)}
    return tuple(FirstTable(table, opening(rules, table)) for table in found)


def _some(among: frozenset[Card], count: int) -> list[frozenset[Card]]:
    return [frozenset(some) for some in combinations(sorted(among), count)]


@dataclass(frozen=True, slots=True)
class KnockSeen:
    """A knock with the cards that were shown: what it pays; `code` is None if it is legal."""

    knock: Knock
    worth: Worth
    code: str | None


def explain_knock(state: State, player: int, shown: Change, kind: KnockKind | None = None) -> tuple[KnockSeen, ...]:
    """Every knock that the three cards lying open in front of a player may be; several only if a card is unread.

    Raises `InvalidPlay` for a player who does not exist.
    """
    if not 0 <= player < state.rules.players:
        raise InvalidPlay(f"expected a player 0 to {state.rules.players - 1}, got {player}")
    unread = [cards(bits(options) or state.may_hold_bits(player)) - shown.present for options in shown.unread]
    found = {}
    for chosen in product(*unread):
        three = shown.present | frozenset(chosen)
        if len(three) == 3 and len(set(chosen)) == len(chosen):
            knock = Knock(player, three, kind)
            found[three] = KnockSeen(knock, knock_worth(state.rules, three, kind), knock_verdict(state, knock))
    return tuple(sorted(found.values(), key=lambda seen: seen.code is not None))
