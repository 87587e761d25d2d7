"""What is known about the running hand: its plays, some of them open, and the state and points that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from engine import game
from engine.cards import DECK, Card
from engine.errors import IllegalPlay
from engine.play import Knock, Play
from engine.scoring import ITEMS, Points
from engine.state import State
from firmware.events import How

Range = int | tuple[int, int]
"""A number that is certain, or the least and the most that it can be."""

WORLDS = 512
"""So many ways of settling the open plays are looked at when points are counted."""

SUITED = {"denari": 1, "settebello": 1, "primiera": 1, "napola": 10, "grande": 5, "re_bello": 1}
"""The items of the points that depend on suits, and the most that each can be."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A play. While it is open, `options` holds the cards that it may be and `play` shows one of them."""

    n: int
    play: Play
    options: frozenset[Card]
    how: How = "seen"
    confidence: float = 1.0
    overruled: bool = False

    @property
    def open(self) -> bool:
        return len(self.options) > 1


@dataclass(frozen=True, slots=True)
class Record:
    """The running hand: `start` is the state before the first of `turns`, `state` the one after the last.

    `first` is the number that its first play has in the match, `knocks` are (plays before it, knock) of Cirulla.
    """

    start: State
    turns: tuple[Turn, ...]
    state: State
    first: int = 1
    knocks: tuple[tuple[int, Knock], ...] = ()

    @classmethod
    def begin(cls, start: State, first: int = 1) -> Record:
        """A hand of which nothing was played yet."""
        return cls(start, (), start, first)

    def add(self, turn: Turn) -> Record:
        """One play more. Raises `IllegalPlay`.

        A card that an open play only stands for gives way to one that was played. Of an open play's options, one that
        the rules allow stands for it: a doubtful reading may name others.
        """
        refused = IllegalPlay("card_already_out", f"expected a card that may still be played, got {turn.play.card}")
        shown = {debt.play.card for debt in self.debts}
        for card in sorted(turn.options, key=lambda card: (card in shown, card != turn.play.card, card)):
            record = self.sparing(frozenset({card})) if card in shown else self
            if record is not None:
                done = _as(turn, card)
                try:
                    return replace(record, turns=(*record.turns, done), state=_after(record.state, done))
                except IllegalPlay as error:
                    refused = error
        raise refused

    @property
    def loosened(self) -> State:
        """The state in which cards that only stand for an open play may still be played: to explain changes with."""
        return self.state.freed(turn.play.card for turn in self.debts)

    def until(self, count: int) -> Record:
        """The hand as it was after `count` plays."""
        return self._again(self.turns[:count])

    def knock(self, knock: Knock) -> Record:
        """The same with a knock after the plays so far: no open play was one of its cards. Raises `IllegalPlay`."""
        spared = self.sparing(knock.cards or frozenset())
        if spared is None:
            raise IllegalPlay("card_already_out", f"expected cards that may still be in a hand, got {knock}")
        knocks = (*self.knocks, (len(self.turns), knock))
        return replace(spared, knocks=knocks, state=game.apply(spared.state, knock))

    def _again(self, turns: Sequence[Turn]) -> Record:
        """The hand played once more with these plays, and the knocks that came before or between them."""
        record = Record.begin(self.start, self.first)
        for place in range(len(turns) + 1):
            for _, knock in (each for each in self.knocks if each[0] == place):
                record = record.knock(knock)
            if place < len(turns):
                record = record.add(turns[place])
        return record

    @property
    def debts(self) -> tuple[Turn, ...]:
        """The open plays."""
        return tuple(turn for turn in self.turns if turn.open)

    @property
    def lying(self) -> frozenset[Card]:
        """What lies on the table: after the last play of a hand also the cards that go to the last taker."""
        if not self.state.over or not self.turns:
            return self.state.table
        before = self.until(len(self.turns) - 1).state
        return lies_after(before.table, self.turns[-1].play)

    @property
    def out(self) -> frozenset[Card]:
        """The cards that certainly lie in a pile."""
        doubtful = {turn.play.card for turn in self.debts}
        return frozenset(card for pile in self.state.piles for card in pile if card not in doubtful)

    @property
    def playable(self) -> frozenset[Card]:
        """The cards that may still be in a hand or in the stock."""
        return frozenset(DECK) - self.out - self.lying

    def naming(self, n: int, card: Card) -> Record | None:
        """The same hand with open play `n` known to be `card`; None when the other open plays forbid it."""
        fixed = (_as(replace(turn, options=frozenset({card})), card) if turn.n == n else turn for turn in self.turns)
        return _assigned(self, tuple(fixed), frozenset())

    def sparing(self, cards: frozenset[Card]) -> Record | None:
        """The same hand in which no open play was one of `cards`, which were seen elsewhere; None if that cannot be."""
        if not any(turn.options & cards for turn in self.debts):
            return self
        return _assigned(self, self.turns, cards)

    def scopa(self, place: int) -> bool:
        """Whether the play at this place made a scopa."""
        before = self.until(place)
        return sum(before.add(self.turns[place]).state.scope) > sum(before.state.scope)

    def worlds(self) -> list[State]:
        """The states that the ways of settling the open plays lead to, `WORLDS` at most."""
        fixed = frozenset(turn.play.card for turn in self.turns if not turn.open)
        ways = islice(_settlements(self.turns, fixed), WORLDS)
        return [state for way in ways if (state := self._folded(way)) is not None]

    def _folded(self, turns: tuple[Turn, ...]) -> State | None:
        try:
            return self._again(turns).state
        except IllegalPlay:
            return None

    def points(self) -> tuple[dict[str, Range], ...]:
        """Points of each side, item by item and in `total`; a range where an open play decides."""
        states = self.worlds() if self.debts else [self.state]
        counts = [game.score(state) for state in states]
        sides = range(len(self.state.pile_bits))
        if len(states) < WORLDS:
            return tuple(_ranges([count[side] for count in counts]) for side in sides)
        return tuple(_widest(counts[0][side]) for side in sides)

    def piles(self) -> tuple[frozenset[Card], ...]:
        """The piles of each side without cards that are not certain."""
        return tuple(pile - {turn.play.card for turn in self.debts} for pile in self.state.piles)


def _after(state: State, turn: Turn) -> State:
    return game.overrule(state, turn.play) if turn.overruled else game.apply(state, turn.play)


def lies_after(lying: frozenset[Card], play: Play) -> frozenset[Card]:
    """What lies on the table when a play is done."""
    return lying - play.takes if play.takes else lying | {play.card}


def _assigned(record: Record, turns: tuple[Turn, ...], spared: frozenset[Card]) -> Record | None:
    """The hand with its open plays narrowed to what can be together, and a possible card shown for each."""
    fixed = frozenset(turn.play.card for turn in turns if not turn.open)
    free = record.start.unseen - fixed - spared
    # After the last play as many cards are free as plays are open: a matching then leaves none of them over.
    debts = {place: turn.options & free for place, turn in enumerate(turns) if turn.open}
    shown = matching(debts)
    if shown is None:
        return None
    narrowed = list(turns)
    for place, cards in debts.items():
        possible = frozenset(card for card in cards if matching(debts | {place: frozenset({card})}) is not None)
        how: How = turns[place].how if len(possible) > 1 else "deduced"
        narrowed[place] = _as(replace(turns[place], options=possible, how=how), shown[place])
    try:
        return record._again(narrowed)
    except IllegalPlay:
        return None


def matching(choices: Mapping[int, frozenset[Card]]) -> dict[int, Card] | None:
    """A different card for each key out of its choices (augmenting paths); None when there is no such way."""
    owner: dict[Card, int] = {}

    def settle(key: int, tried: set[Card]) -> bool:
        for card in sorted(choices[key] - tried):
            tried.add(card)
            if card not in owner or settle(owner[card], tried):
                owner[card] = key
                return True
        return False

    if all(settle(key, set()) for key in choices):
        return {key: card for card, key in owner.items()}
    return None


def _settlements(turns: tuple[Turn, ...], used: frozenset[Card]) -> Iterator[tuple[Turn, ...]]:
    """All ways of giving each open play one of its cards, no card twice; `used` are cards that none of them is."""
    if not turns:
        yield ()
        return
    first, rest = turns[0], turns[1:]
    for card in sorted(first.options - used) if first.open else [first.play.card]:
        for way in _settlements(rest, used | {card}):
            yield (_as(first, card), *way)


def _as(turn: Turn, card: Card) -> Turn:
    return turn if turn.play.card == card else replace(turn, play=replace(turn.play, card=card))


def _ranges(counts: list[Points]) -> dict[str, Range]:
    ranges = {item: _range([getattr(count, item) for count in counts]) for item in ITEMS}
    return ranges | {"total": _range([count.total for count in counts])}


def _widest(count: Points) -> dict[str, Range]:
    """Too many open plays to look at all ways: every item that a suit may change is anything from none to all."""
    ranges: dict[str, Range] = {item: getattr(count, item) for item in ITEMS}
    ranges |= {item: (0, most) for item, most in SUITED.items()}
    known = count.carte + count.scope + count.bussate
    return ranges | {"total": (known, known + sum(SUITED.values()))}


def _range(numbers: list[int]) -> Range:
    low, high = min(numbers), max(numbers)
    return low if low == high else (low, high)
