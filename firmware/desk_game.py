"""The match at the desk: who follows it, its log on disk, what the players decide, the count of its piles.

Nothing here knows of menus, screens or sounds. What a method returns is on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engine.cards import Card
from firmware import desk_log
from firmware.actions import Action
from firmware.by_hand import ByHand
from firmware.desk_facts import follower, held_open
from firmware.events import AnyEvent, Hand, Played
from firmware.in_force import Standing, in_force, standing
from firmware.knocks import apart
from firmware.pile_count import PileCount
from firmware.referee import Referee
from firmware.resume import resumed
from firmware.store import Store
from firmware.times import Times
from firmware.view import View
from vision.observation import TableObservation


@dataclass(slots=True)
class Game:
    """The match in play: its number and name in the store, its log, and who follows it since `began` (seconds).

    `times` are those in force. `count` of its piles; `restoring`: the table must first lie as it should, after `undone`
    or a pause; `told` is when the last play was told, and `nudged` whether the others were said to wait since.
    """

    store: Store
    times: Callable[[], Times]
    number: int
    name: str
    events: list[AnyEvent]
    follows: Referee | ByHand
    began: float
    count: PileCount | None = None
    told: float = float("-inf")
    nudged: bool = False
    restoring: bool = False
    undone: Played | None = None
    paused: bool = False
    _lies: frozenset[Card] = field(default_factory=frozenset)
    _right_since: float | None = None
    _stands: tuple[int, Standing] | None = None

    @property
    def stands(self) -> Standing:
        """What stands of the log, which only grows."""
        if self._stands is None or self._stands[0] != len(self.events):
            self._stands = len(self.events), standing(self.events)
        return self._stands[1]

    @property
    def by_hand(self) -> bool:
        """Whether the players tell the points, and no camera looks."""
        return isinstance(self.follows, ByHand)

    @property
    def has_table(self) -> bool:
        """Whether a hand is being played on a table that the camera sees."""
        return not self.by_hand and self.follows.view.phase == "play"

    @property
    def view(self) -> View:
        """The facts of this moment."""
        view = self.follows.view
        if not self.restoring:
            return replace(view, phase="paused") if self.paused and view.phase == "play" else view
        expected = frozenset(view.expected)
        missing, surplus = tuple(sorted(expected - self._lies)), tuple(sorted(self._lies - expected))
        return replace(view, phase="restore", fault=None, missing=missing, surplus=surplus)

    def look(self, observation: TableObservation) -> Sequence[AnyEvent]:
        """One look at the table; the events that it led to."""
        if self.paused or isinstance(self.follows, ByHand):
            return ()
        self._lies = on_table(observation, self.times(), held_open(self.follows.view))
        if self.count:
            self.count = self.count.look(self._lies, empty=not (observation.cards or observation.arms))
            return ()
        if self.restoring:
            self._restore(observation)
            return ()
        return self.commit(self.follows.observe(observation))

    def _restore(self, observation: TableObservation) -> None:
        """Waits until the table lies as it should, for as long as it takes to settle."""
        right = self._lies == frozenset(self.follows.view.expected) and not observation.arms
        if not right:
            self._right_since = None
        elif self._right_since is None:
            self._right_since = observation.time
        elif observation.time - self._right_since >= self.times().settled:
            self.restoring, self._right_since = False, None

    def end_pause(self) -> None:
        """The match goes on, once the table lies as it did."""
        self.paused, self.restoring = False, self.has_table

    def done(self) -> Sequence[AnyEvent]:
        """Somebody says that he has finished: judged without waiting."""
        if self.restoring or isinstance(self.follows, ByHand):
            return ()
        return self.commit(self.follows.judge_now())

    def points(self, action: Action) -> Sequence[AnyEvent]:
        """The points of a hand as the players tell them."""
        return self.commit(self.follows.hand(dict(action.said))) if isinstance(self.follows, ByHand) else ()

    def commit(self, events: Sequence[AnyEvent]) -> Sequence[AnyEvent]:
        """Events are stored, then they hold."""
        self.store.append(self.number, events)
        self.events = [*self.events, *events]
        return events

    def decide(self, action: Action, frame: int) -> Sequence[AnyEvent]:
        """A decision of the players becomes events; none if it cannot be."""
        if self.restoring and action.name in {"drop", "reread"}:
            self.restoring = action.name == "reread"  # OK hurries nothing: the cards must come
            return ()
        decision = desk_log.decide(action, self.events, self.follows, frame, self._fold)
        plays = self.stands.plays
        if decision is None:
            return ()
        self.undone = next((play for play in plays if action.name == "undo" and play.n == action.n), None)
        return self._take(decision)

    def _fold(self, events: Sequence[AnyEvent]) -> Referee | ByHand:
        return follower(self.name, events, self.times())

    def _take(self, decision: desk_log.Decision) -> Sequence[AnyEvent]:
        self.commit(decision.events)
        self.follows, self.restoring = decision.follows, decision.restoring
        return decision.events

    def count_piles(self, action: Action, frame: int) -> Sequence[AnyEvent]:
        """The piles are fanned out; when all of them are right, the hand is what lies there."""
        count = self.count
        if action.name == "count":
            self.count = replace(count, step="count") if count else self._begin_count()
        if count is None or action.name == "count":
            return ()
        if action.name == "recount":
            self.count = count.again()
        elif action.name == "counted":
            self.count = count.check()
        elif action.name == "give" and action.card is not None and action.player is not None:
            self.count, count = count.give(action.card, action.player), count.told_to(action.card, action.player)
        else:
            self.count = None
        return () if self.count else self._counted(count, frame)

    def _counted(self, count: PileCount, frame: int) -> Sequence[AnyEvent]:
        decision = desk_log.decided(self.events, count.events(frame), self.follows.view, frame, self._fold)
        return self._take(decision) if decision else ()

    def _begin_count(self) -> PileCount | None:
        """The count of the hand that has just ended."""
        stands = in_force(self.events)
        ends = [place for place, event in enumerate(stands) if isinstance(event, Hand)]
        if not ends or self.by_hand:
            return None
        record = resumed(stands[: ends[-1]], self.times()).course.record
        return PileCount.begin(record, len(ends)) if record else None


def on_table(observation: TableObservation, times: Times, held: frozenset[Card]) -> frozenset[Card]:
    """The cards that certainly lie on the table; `held` may lie side by side before a player instead."""
    certain = {seen.card: seen.corners for seen in observation.cards if seen.card and seen.confidence >= times.certain}
    shown = {card: corners for card, corners in certain.items() if card in held}
    return frozenset(certain.keys() - shown.keys()) | apart(shown)
