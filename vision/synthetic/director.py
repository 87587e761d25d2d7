"""A whole match on the rendered table: who does what when, and the truth about it."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.cards import DECK, Card
from engine.deal import opening
from engine.game import apply, legal_knocks, legal_plays, new_hand, score, wins_match
from engine.match import Standing, add_hand
from engine.rules import RuleSet
from engine.state import State
from vision.synthetic import acts
from vision.synthetic.acts import Manner
from vision.synthetic.choice import EARLY_FAULTS, Violation, choose_play, find_violation, misdeal
from vision.synthetic.disturbances import DISTURBANCES
from vision.synthetic.scene import Scene
from vision.synthetic.stage import Scenes, Stage
from vision.synthetic.truth import Truth

QUIET_DISTURBANCES: Final = ("nudge", "sort", "hover", "object", "flip", "light", "lift")
"""What happens often; `bump` and `mind` are rarer."""
_TRIALS: Final = 3000
"""Shuffles after which a deal with a wanted occasion is given up."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to happen: `hands` hands of `rules`, None until somebody has won; in Cirulla with `knocks` if wanted.

    `faults` are played one after the other as soon as each is possible. `disturbed` 0..1 is how often something happens
    between two plays, `hidden` 0..1 how often the card of a capture does not lie uncovered before, `count` fans the
    piles out at the end.
    """

    rules: RuleSet
    hands: int | None = 1
    faults: tuple[str, ...] = ()
    disturbed: float = 0.0
    hidden: float = 0.0
    count: bool = False
    knocks: bool = False
    disturbances: tuple[str, ...] = QUIET_DISTURBANCES


class Director:
    """Lets a match happen on a stage. Iterate `scenes` once; then `truth` is complete."""

    def __init__(self, plan: Plan, stage: Stage, truth: Truth, rng: np.random.Generator) -> None:
        self.plan, self.stage, self.truth, self._rng = plan, stage, truth, rng
        self.waiting = list(plan.faults)
        self._quiet = 0

    def scenes(self) -> Iterator[Scene]:
        """Every frame of the match, from the empty table to the empty table."""
        yield from self.stage.wait(0.6)
        rules = self.plan.rules
        standing = Standing.new(rules)
        for number in itertools.count(1):
            dealer = (rules.players - 2 + number) % rules.players
            if number > 1 and self.stage.piles:
                yield from acts.shuffle(self.stage, dealer)
            state = yield from self._hand(dealer)
            if self.plan.hands is None:
                standing = add_hand(standing, score(state), wins_match(state))
            if number == self.plan.hands or _won(standing):
                break
        yield from self.stage.wait(0.6)

    def _hand(self, dealer: int) -> Generator[Scene, None, State]:
        """One hand from the deal to the empty table. Returns its last state."""
        wrong = misdeal(self.plan.rules, self._rng) if "misdeal" in self.waiting else None
        if wrong is not None:
            self.waiting.remove("misdeal")
            yield from self._misdeal(dealer, wrong)
        state = self._shuffled(dealer)
        self.truth.begin_hand((dealer + 1) % self.plan.rules.players, dealer, self._start)
        yield from self._deal(state, dealer, self._start)
        if sum(state.scope):  # a first table of 15 or 30 belongs to the dealer (Cirulla)
            owner = self._owner(state.rules.sides[dealer])
            yield from acts.take_table(self.stage, dealer, owner, sorted(self._start), sum(state.scope))
            yield from self.stage.wait(self.stage.pace.still)
        while not state.over:
            state = yield from self._turn(state)
        rest = [thing.card for thing in self.stage.lying if thing.kind == "face" and thing.key == str(thing.card)]
        if rest and state.last_taker is not None:
            left = [card for card in rest if card is not None]
            yield from acts.gather_rest(self.stage, state.last_taker, self._owner(state.last_taker), left)
            yield from self.stage.wait(0.6)
        self.truth.end_hand(state)
        if self.plan.count and self.stage.piles:
            for side, pile in enumerate(state.piles):
                yield from acts.fan_out(self.stage, side, self._owner(side), sorted(pile))
        yield from acts.clear(self.stage, dealer)
        return state

    def _shuffled(self, dealer: int) -> State:
        """A new hand whose first table needs no dealing again; it may pay the dealer only where knocks are wanted too.

        Two equal cards can only come to lie there by the deal: for `only_one_equal` it is dealt until they do and the
        first player holds a third.
        """
        paired = "only_one_equal" in self.waiting and self.plan.rules.table_cards > 1
        for trial in itertools.count():
            pack = [DECK[k] for k in self._rng.permutation(len(DECK))]
            table, stock = pack[: self.plan.rules.table_cards], pack[self.plan.rules.table_cards :]
            first = opening(self.plan.rules, table)
            if not first.redeal and (self.plan.knocks or not first.dealer_scope):
                self._start = table
                state = new_hand(self.plan.rules, dealer, table, stock=stock)
                if not paired or trial > _TRIALS or find_violation(state, "only_one_equal", self._rng) is not None:
                    return state
        raise AssertionError("itertools.count never ends")

    def _order(self, dealer: int) -> list[int]:
        players = self.plan.rules.players
        return [(dealer + 1 + k) % players for k in range(players)]

    def _owner(self, side: int) -> int:
        """The player before whom a side's pile lies: in pairs the first of the two."""
        return side

    def _deal(self, state: State, dealer: int, table: list[Card]) -> Scenes:
        if self.stage.piles:
            yield from acts.lay_stock(self.stage, dealer)
            yield from acts.deal_table(self.stage, dealer, table)
            yield from acts.deal_hands(self.stage, dealer, self._order(dealer), state.undealt == 0)
        else:
            for card in table:
                yield from acts.lay(self.stage, dealer, card)
        yield from self.stage.wait(self.stage.pace.still)

    def _misdeal(self, dealer: int, table: list[Card]) -> Scenes:
        """A first table comes to lie that must be dealt again; it is noticed and all is dealt again."""
        frame = self.stage.frame
        if self.stage.piles:
            yield from acts.lay_stock(self.stage, dealer)
            yield from acts.deal_table(self.stage, dealer, table)
            yield from self.stage.leave(dealer)
        else:
            for card in table:
                yield from acts.lay(self.stage, dealer, card)
        at_rest = self.stage.frame
        yield from self.stage.wait(self.stage.pace.fault)
        self.truth.misdeal(dealer, table, frame, at_rest, self.stage.frame)
        yield from acts.clear(self.stage, dealer)
        yield from self.stage.wait(0.6)

    def _turn(self, state: State) -> Generator[Scene, None, State]:
        """One turn with what precedes it. Returns the state after it."""
        if state.plays and state.plays % (state.rules.players * state.rules.hand_cards) == 0 and self.stage.piles:
            yield from acts.deal_hands(self.stage, state.dealer, self._order(state.dealer), state.undealt == 0)
            yield from self.stage.wait(0.5 * self.stage.pace.still)
        yield from self._disturb(state)
        state = yield from self._knock(state)
        yield from self._violate(state)
        play = choose_play(state, self._rng)
        after = apply(state, play)
        first = self.stage.frame
        scopa = sum(after.scope) > sum(state.scope)
        manner = yield from self._act(state, play.player, play.card, tuple(sorted(play.takes)), scopa)
        landed = self.stage.frame
        yield from self.stage.wait(self.stage.pace.still)
        table = {thing.card for thing in self.stage.lying if thing.kind == "face" and thing.key == str(thing.card)}
        shown = not play.takes or manner in ("shown", "in two")
        self.truth.play(play, (first, landed, self.stage.frame - 1), shown, [card for card in table if card])
        self._quiet += 1
        return after

    def _knock(self, state: State) -> Generator[Scene, None, State]:
        """The player to move knocks if he may and knocks are wanted."""
        knocks = [knock for knock in legal_knocks(state) if knock.player == state.turn] if self.plan.knocks else []
        if not knocks or knocks[0].cards is None:
            return state
        after, first = apply(state, knocks[0]), self.stage.frame
        yield from acts.knock(self.stage, state.turn, sorted(knocks[0].cards))
        landed = self.stage.frame
        yield from self.stage.wait(self.stage.pace.still)
        points = after.bussate[state.side][-1]
        self.truth.knock(state.turn, knocks[0].cards, points, (first, landed, self.stage.frame - 1))
        return after

    def _act(
        self, state: State, player: int, card: Card, takes: tuple[Card, ...], scopa: bool
    ) -> Generator[Scene, None, Manner]:
        """Lay the card or capture with it. Returns how."""
        if not takes:
            yield from acts.lay(self.stage, player, card)
            return "shown"
        manner = self._manner()
        owner = self._owner(state.rules.sides[player])
        yield from acts.capture(self.stage, player, card, takes, owner, manner, scopa)
        return manner

    def _manner(self) -> Manner:
        if self._rng.random() < self.plan.hidden:
            return "dropped" if self._rng.random() < 0.7 else "at once"
        return "in two" if self._rng.random() < 0.15 else "shown"

    def _disturb(self, state: State) -> Scenes:
        if self._rng.random() >= self.plan.disturbed or not state.plays:
            return
        what = str(self._rng.choice(self.plan.disturbances))
        frame = self.stage.frame
        if what == "mind":
            yield from self._change_mind(state)
        else:
            yield from DISTURBANCES[what](self.stage, int(self._rng.integers(state.rules.players)))
        if self.stage.frame > frame:
            self.truth.disturbance(what, frame)
            yield from self.stage.wait(0.8)

    def _change_mind(self, state: State) -> Scenes:
        """A card that takes nothing is laid and taken back at once; another one may be played then."""
        quiet = [play.card for play in legal_plays(state) if not play.takes]
        if len(state.hands[state.turn] or ()) > 1 and quiet:
            yield from acts.lay(self.stage, state.turn, quiet[0])
            yield from self.stage.wait(0.5)
            yield from acts.put_back(self.stage, state.turn, self._owner(state.side), quiet[0], ())

    def _violate(self, state: State) -> Scenes:
        """Play a wanted violation if one is possible now and the last one is a few plays ago."""
        for rule in self.waiting if self._quiet >= 2 else [rule for rule in self.waiting if rule in EARLY_FAULTS]:
            wrong = find_violation(state, rule, self._rng)
            if wrong is not None:
                self.waiting.remove(rule)
                self._quiet = 0
                yield from self._wrong_play(state, wrong)
                return

    def _wrong_play(self, state: State, wrong: Violation) -> Scenes:
        """A violation is played, held until somebody must notice, and put back."""
        stage, frame = self.stage, self.stage.frame
        owner = self._owner(state.rules.sides[wrong.player])
        old = [stage.find(card) for card in wrong.takes]
        if wrong.rule == "card_already_out":
            stage.lying = [t for t in stage.lying if t.card != wrong.card]  # it leaves the pile for the hand unseen
        if wrong.shown:
            yield from acts.knock(stage, wrong.player, wrong.shown)
        else:
            yield from self._act(state, wrong.player, wrong.card, wrong.takes, False)
        if wrong.second is not None:
            yield from acts.lay(stage, wrong.player, wrong.second)
        at_rest = stage.frame
        yield from stage.wait(stage.pace.fault)
        self.truth.violation(wrong, frame, at_rest, stage.frame)
        if wrong.shown:
            yield from acts.take_up_shown(stage, wrong.player, wrong.shown)
        else:
            if wrong.second is not None:
                yield from acts.put_back(stage, wrong.player, owner, wrong.second, ())
            yield from acts.put_back(stage, wrong.player, owner, wrong.card, old)
        yield from stage.wait(stage.pace.still)


def _won(standing: Standing) -> bool:
    """Whether a side has won, or could say so where the match ends by that."""
    declared = standing.rules.end == "declared" and max(standing.totals) >= standing.rules.target
    return standing.winner is not None or declared
