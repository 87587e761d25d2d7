"""Where the players of Sette e mezzo are with the buttons: a page that they opened, a stake that they are changing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.cards import DECK, Card
from engine.rules import RuleSet
from engine.sette_round import Round
from firmware import events
from firmware.sette_referee import SetteReferee
from firmware.sette_steps import Shows

Stage = Literal[
    "seats", "lot", "deal", "shuffle", "bet", "draw", "declared", "bank", "show", "pay", "fault", "question", "over"
]
"""Seats are learnt, the bank is drawn, cards are dealt, a stake, a turn, what a player declared, the bank's turn, the
covered cards are turned up, payment; a fault or a question is open, the game is over."""


@dataclass(frozen=True, slots=True)
class Picking:
    """A card being told: in place of the card of `step`, or else the one asked about or covered before `player`.

    `drawn`: one that he was given face up, and that was not seen.
    """

    card: Card
    player: int
    step: Shows | None = None
    by_suit: bool = False
    drawn: bool = False

    def moved(self, by: int) -> Picking:
        """The next card in this direction, by rank or by suit."""
        suit, value = self.card.suit, self.card.value
        if self.by_suit:
            return replace(self, card=Card((suit + by) % 4, value))
        return replace(self, card=Card(suit, (value - 1 + by) % 10 + 1))


@dataclass(frozen=True, slots=True)
class Staking:
    """The amounts of a stake being changed, the one of them that − and + change, and the `step` that it puts right."""

    amounts: tuple[int, ...]
    place: int = 0
    step: events.Bet | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """The steps of the round being looked through, the newest is 0."""

    place: int = 0


@dataclass(frozen=True, slots=True)
class Chips:
    """Everybody's chips being looked at."""


Page = Picking | Staking | Past | Chips


@dataclass(frozen=True, slots=True)
class Ui:
    """`staking` is the stake on the page `bet`; `lot` the player on the page `lot`; `paid` the last round whose payment
    was left; `heard` the declarations that were left, as (round, player).
    """

    page: Page | None = None
    staking: Staking | None = None
    lot: int | None = None
    paid: int = 0
    heard: frozenset[tuple[int, int]] = frozenset()


def stage(ui: Ui, referee: SetteReferee) -> Stage:
    """What the display is about."""
    record, state = referee.record, referee.round
    if record.seats is None:
        return "seats"
    if record.session.bank is None:
        return "lot"
    if referee.fault is not None:
        return "fault"
    if referee.asked is not None:
        return "question"
    if declared(ui, referee) is not None:
        return "declared"
    if state is None:
        return _between(ui, referee)
    return _turn(state)


def _between(ui: Ui, referee: SetteReferee) -> Stage:
    if referee.record.over is not None and ui.paid < referee.record.rounds:
        return "pay"
    if referee.won is not None:
        return "over"
    return "deal" if referee.deal() is not None else "shuffle"


def _turn(state: Round) -> Stage:
    if state.turn is None:
        return "show"
    if state.turn == state.bank:
        return "bank"
    return "draw" if state.bets(state.turn) else "bet"


def declared(ui: Ui, referee: SetteReferee) -> int | None:
    """The player whose bust, d'emblée or triplè has just been seen; the bank's is shown with its hand."""
    state, steps = referee.round, referee.record.of_round()
    if state is None or not steps or isinstance(steps[-1], events.Round | events.Shuffled):
        return None
    player = steps[-1].player
    bets = state.bets(player)
    if player == state.bank or (referee.record.rounds, player) in ui.heard or all(place.stood for place in bets):
        return None
    worths = [state.worth(place) for place in bets if place.up]
    return player if any(worth is not None and worth.finished for worth in worths) else None


def stake_offered(referee: SetteReferee, player: int) -> Staking:
    """The last stake of a player, within what he may stake now."""
    low, high = limits(referee, player)
    last = referee.record.bet_of(player) or low
    return Staking((min(max(last, low), high),))


def second_offered(rules: RuleSet, chips: int, first: int) -> int:
    """The second stake of a double bet as it is offered: like the first, as far as the chips go."""
    return max(rules.min_stake, min(first, chips - first))


def limits(referee: SetteReferee, player: int) -> tuple[int, int]:
    """The least and the highest stake of a player."""
    rules, chips = referee.rules, referee.record.session.chips[player]
    return rules.min_stake, max(rules.min_stake, min(rules.max_stake, chips))


def first_unseen(referee: SetteReferee) -> Card:
    """A card to begin picking with: the first that lies nowhere."""
    return min(referee.round.fresh, default=DECK[0]) if referee.round is not None else DECK[0]
