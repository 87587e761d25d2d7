"""What happened? Every play, sequence of plays, or illegal play that leaves the table as it is seen now.

The table alone names a laid card, but rarely the card that captured: its value is known, its suit is not. So an
explanation holds all cards that may have been played, and says nothing about how likely each one is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from engine.bits import ALL, bits, card, cards, single_bits
from engine.captures import capture_bits, captures_by_value, worth
from engine.cards import Card, format_cards
from engine.errors import InvalidPlay
from engine.game import refusal
from engine.play import Play
from engine.state import State
from engine.turns import is_scopa, settle

UNFINISHED = "unfinished"
"""No refusal: the play is legal so far, but its cards, or some of them, still lie on the table."""


_MOST_UNSURE: Final = 4


@dataclass(frozen=True, slots=True)
class Change:
    """The table as it is seen now; every card that is not mentioned does not lie there.

    `present` lie there for certain. `doubtful` may lie there or not (hidden by a hand, a card, glare). `unread` holds,
    for each card that lies there and could not be read, the cards that it may be (empty: any). `glimpsed` were seen
    while things moved: they restrict nothing, but mark the steps that they support. `player` is whose arm reached in.
    """

    present: frozenset[Card]
    doubtful: frozenset[Card] = frozenset()
    unread: tuple[frozenset[Card], ...] = ()
    glimpsed: frozenset[Card] = frozenset()
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One play: `player` played one of `cards` (all of one capture value) and took `takes`.

    `captured`: the card went to the pile; otherwise it stayed on the table. `seen`: it lies there now for certain.
    `glimpsed` are those of `cards` that were glimpsed. One card in `cards` means that it is certain, if the step is.
    """

    player: int
    cards: frozenset[Card]
    takes: frozenset[Card]
    captured: bool
    scopa: bool
    seen: bool
    glimpsed: frozenset[Card]

    @property
    def plays(self) -> tuple[Play, ...]:
        """The concrete plays that the step may have been, in deck order."""
        return tuple(Play(self.player, one, self.takes) for one in sorted(self.cards))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Steps in their order; none: nothing was played. `code` is None if all are legal, else why the play is refused.

    `legal` are the captures that the refused card had, as far as its value is known.
    """

    steps: tuple[Step, ...]
    code: str | None = None
    legal: tuple[frozenset[Card], ...] = ()


def explain(state: State, change: Change, most: int = 1, illegal: bool = True) -> tuple[Explanation, ...]:
    """All explanations with up to `most` (1 to 3) plays, legal and short ones first; illegal ones have one play.

    "Nothing was played" is among them when the table fits. Known hands restrict, unknown ones do not. Raises
    `InvalidPlay` when a card is both present and doubtful, for another number of plays, or an arm of nobody.
    """
    if not 1 <= most <= 3:
        raise InvalidPlay(f"expected 1 to 3 plays to be explained, got {most}")
    if change.player is not None and not 0 <= change.player < state.rules.players:
        raise InvalidPlay(f"expected a player 0 to {state.rules.players - 1}, got {change.player}")
    seen = _Seen.of(change)
    ways: list[_Way] = [()] if seen.fits(state.table_bits) else []
    ways += sorted(_ways(state, seen, most, ()), key=len)
    legal = tuple(Explanation(steps) for way in ways if (steps := _told(way, change)) is not None)
    return (*legal, *_refused(state, change, seen)) if illegal else legal


@dataclass(frozen=True, slots=True)
class _Seen:
    """A `Change` in bits."""

    present: int
    doubtful: int
    unread: tuple[int, ...]
    possible: int

    @classmethod
    def of(cls, change: Change) -> _Seen:
        present, doubtful = bits(change.present), bits(change.doubtful)
        if present & doubtful:
            both = format_cards(cards(present & doubtful))
            raise InvalidPlay(f"expected a card present or doubtful, got both for {both}")
        unread = tuple((bits(options) or ALL) & ~present for options in change.unread)
        possible = present | doubtful
        for options in unread:
            possible |= options
        return cls(present, doubtful, unread, possible)

    def fits(self, table: int) -> bool:
        """Whether these cards may be what lies there."""
        if self.present & ~table or table & ~self.possible:
            return False
        return self._read(table & ~self.present, self.unread)

    def _read(self, rest: int, unread: tuple[int, ...]) -> bool:
        if not unread:
            return not rest & ~self.doubtful
        return any(self._read(rest ^ single, unread[1:]) for single in single_bits(rest & unread[0]))


@dataclass(frozen=True, slots=True)
class _Choice:
    """One play: the state before it, the cards (all of one value) that may have been played, and what was taken."""

    before: State
    played: int
    taken: int
    captured: bool

    @property
    def table(self) -> int:
        """What lies on the table right after the play."""
        return self.before.table_bits & ~self.taken if self.captured else self.before.table_bits | self.played


_Way = tuple[_Choice, ...]


def _ways(state: State, seen: _Seen, left: int, before: _Way) -> Iterator[_Way]:
    """Depth first through the legal plays, cut where what is seen cannot be reached any more."""
    if state.over:
        return
    last = state.plays == state.rules.plays - 1
    for choice in _choices(state, seen, left):
        if seen.fits(choice.table) or (last and seen.fits(0)):  # the leftovers may have been gathered already
            yield (*before, choice)
        if left > 1:
            yield from _ways(_follow(choice), seen, left - 1, (*before, choice))


def _choices(state: State, seen: _Seen, left: int) -> Iterator[_Choice]:
    """The legal plays that can still lead to what is seen; cards of one value that take the same are one choice."""
    appeared = seen.present & ~state.table_bits
    gone = state.table_bits & ~seen.possible
    gathered = not seen.present and state.plays + left >= state.rules.plays  # at the end everything may be gone
    groups = _by_value(state, state.turn)
    if appeared.bit_count() >= left:  # every play that is left must lay one of these, so nothing can go
        if appeared.bit_count() == left and not gone:
            yield from _lays(state, [group & appeared for group in groups])
        return
    by_value = captures_by_value(state.rules, state.table_bits, state.matta)
    needed = gone if left == 1 and not gathered else 0
    for found, group in zip(by_value, groups, strict=True):
        hidden = group & ~seen.present  # a card that captured lies in a pile, and none comes back from there
        if hidden:
            fitting = (taken for taken in found if not taken & seen.present and not needed & ~taken)
            yield from (_Choice(state, hidden, taken, True) for taken in fitting)
    if not needed:
        visible = seen.possible if left == 1 and not gathered else ALL
        free = [0 if found else group & visible for found, group in zip(by_value, groups, strict=True)]
        yield from (_Choice(state, single, 0, False) for group in free for single in single_bits(group))


def _lays(state: State, groups: list[int]) -> Iterator[_Choice]:
    """Cards that may be laid because they take nothing."""
    for value, group in enumerate(groups):
        if group and not capture_bits(state.rules, state.table_bits, value, state.matta):
            yield from (_Choice(state, single, 0, False) for single in single_bits(group))


def _by_value(state: State, player: int) -> list[int]:
    groups = [0] * 11
    for single in single_bits(state.may_hold_bits(player)):
        groups[worth(state.rules, single, state.matta)] |= single
    return groups


def _follow(choice: _Choice) -> State:
    """The state after a play. A card that captured is put nowhere, for it may not be known; `_told` counts it."""
    before, side = choice.before, choice.before.side
    piles = before.pile_bits
    taken = (*piles[:side], piles[side] | choice.taken, *piles[side + 1 :])
    return settle(replace(before, plays=before.plays + 1, table_bits=choice.table, pile_bits=taken))


def _told(way: _Way, change: Change) -> tuple[Step, ...] | None:
    """The steps of a way with the cards that each may have been; None if two steps need the same card."""
    laid = [choice.played for choice in way if not choice.captured]
    if len(set(laid)) != len(laid):
        return None  # a known hand is not emptied on the way
    free = [list(single_bits(choice.played & ~sum(laid))) for choice in way if choice.captured]
    each = [set[int]() for _ in free]
    for chosen in product(*free):
        if len(set(chosen)) == len(chosen):
            for place, single in enumerate(chosen):
                each[place].add(single)
    if not all(each):
        return None
    captured = iter(each)
    return tuple(_step(choice, sum(next(captured)) if choice.captured else choice.played, change) for choice in way)


def _step(choice: _Choice, played: int, change: Change) -> Step:
    could = cards(played)
    return Step(
        player=choice.before.turn,
        cards=could,
        takes=cards(choice.taken),
        captured=choice.captured,
        scopa=is_scopa(choice.before, played & -played, choice.taken),
        seen=not choice.captured and could <= change.present,
        glimpsed=could & change.glimpsed,
    )


def _refused(state: State, change: Change, seen: _Seen) -> Iterator[Explanation]:
    """Illegal single plays that leave the table as it is seen, each with the first rule that it violates."""
    if change.player is not None and change.player != state.turn and not state.over:
        yield from _out_of_turn(state, change, seen)
    yield from _wrong_card(state, change, seen)


def _wrong_card(state: State, change: Change, seen: _Seen) -> Iterator[Explanation]:
    """Illegal plays of the player to move.

    Of more than four doubtful cards none is taken to be gone: there would be hundreds of refusals that mean nothing.
    """
    new = [seen.present & ~state.table_bits] if seen.present & ~state.table_bits else []
    new += [options & ~state.table_bits for options in seen.unread]
    gone = state.table_bits & ~seen.possible
    unsure = state.table_bits & seen.doubtful
    if len(new) > 1 or (new and not seen.unread and new[0] & (new[0] - 1)):
        return  # more than one card appeared: no single play
    if unsure.bit_count() > _MOST_UNSURE:
        unsure = 0
    for taken in _subsets(gone, unsure):
        if new:
            yield from (found for single in single_bits(new[0]) if (found := _lying(state, change, single, taken)))
        elif taken:
            yield from _taking(state, change, taken)


def _subsets(needed: int, optional: int) -> list[int]:
    found = [needed]
    for single in single_bits(optional):
        found += [taken | single for taken in found]
    return found


def _lying(state: State, change: Change, single: int, taken: int) -> Explanation | None:
    """One card appeared: laid against the rules, or still lying beside what it takes."""
    code = refusal(state, state.turn, card(single), cards(taken))
    legal = _legal(state, single)
    if taken and code != "card_already_out" and any(taken | one == one for one in map(bits, legal)):
        code = UNFINISHED
    if code is None:
        return None
    return Explanation((_step(_Choice(state, single, taken, bool(taken)), single, change),), code, legal)


def _taking(state: State, change: Change, taken: int) -> Iterator[Explanation]:
    """Cards are gone and the played card is not there: each value that it may have had, with its refusal."""
    for group in _by_value(state, state.turn):
        first = group & -group
        code = refusal(state, state.turn, card(first), cards(taken)) if group else None
        if code is not None:
            yield Explanation((_step(_Choice(state, group, taken, True), group, change),), code, _legal(state, first))


def _legal(state: State, single: int) -> tuple[frozenset[Card], ...]:
    found = captures_by_value(state.rules, state.table_bits, state.matta)
    return tuple(cards(one) for one in found[worth(state.rules, single, state.matta)])


def _out_of_turn(state: State, change: Change, seen: _Seen) -> Iterator[Explanation]:
    """The same change made by the player whose arm reached in, although another was to move."""
    assert change.player is not None
    acting = replace(state, dealer=(change.player - 1 - state.plays) % state.rules.players)
    legal = [steps for way in _ways(acting, seen, 1, ()) if (steps := _told(way, change))]
    none = {UNFINISHED, "card_already_out"}  # a card that lies in a pile is nobody's to play
    wrong = [one.steps for one in _wrong_card(acting, change, seen) if one.code not in none]
    yield from (Explanation(steps, "wrong_turn") for steps in legal or wrong)
