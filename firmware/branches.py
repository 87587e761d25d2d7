"""What may have happened since the last certain play: a few branches, each explained against what is seen now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.cards import Card
from engine.errors import IllegalPlay
from engine.state import State
from firmware import judgement
from firmware.causes import Cause, Seen, causes
from firmware.evidence import TAKEN_BACK, Lying, Seats, glimpses
from firmware.record import Record
from vision.change import TableChange, best

LEAST = 1e-5
"""Plays that explain what was seen less well than this explain nothing yet: what comes after them must confirm them."""
UNLIKELY = 1e-9
"""Share of an explanation that is not worth a branch."""
BRANCHES = 8
CONFIRMED = 1e-3
"""What explains less well than this is believed the less, the next play through: a thousand times more with each."""
SUITS = 4
"""So many cards have one value: a card that was told needs no choosing among them."""
MOST = 3
"""So many plays may have happened between two settled tables."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One history: `record` ends with plays that are not certain, seen until `since` (seconds).

    `retracts` is 1 when it supposes that the last committed play is taken back. `seats` are those that its plays show,
    `cards` how it reads the cards that lie there, by track.
    """

    record: Record
    since: float
    weight: float = 1.0
    retracts: int = 0
    seats: Seats | None = None
    cards: Mapping[int, Card] = field(default_factory=dict)

    def taken_back(self) -> Branch:
        """The same as a supposition that what followed is taken back."""
        return replace(self, weight=TAKEN_BACK, retracts=1)


def explained(
    branches: Sequence[Branch],
    ways: tuple[Lying, ...],
    change: TableChange,
    possible: frozenset[Card],
    seats: Seats,
    shown: frozenset[Card] = frozenset(),
) -> list[Cause]:
    """Everything that may have led to what is seen, heaviest first. The first branch is the record itself.

    `shown` are cards that lie open before their players: they were not played.
    """
    found: list[Cause] = []
    whole = branches[0]
    for place, branch in enumerate(branches):
        agreeing = tuple(way for way in ways if all(branch.cards.get(t, card) == card for t, card in way.cards.items()))
        if not agreeing:
            continue
        seen = _seen(whole, branch, agreeing, change, possible, branch.seats or seats)
        state = branch.record.loosened.holding_back(shown)
        most = min(_most(branch, seen, state), MOST if len(branches) <= 2 else 2)  # many histories, few plays each
        told = causes(state, seen, most)
        kinds = {"same", "legal"} if branch.retracts else {"same", "legal", "illegal", "half"}
        told = [cause for cause in told if cause.kind in kinds]
        if branch.retracts:
            told += _gone_on(whole, branch, ways, change, possible, seats)
        found += [_continued(cause, place, branch, len(whole.record.turns)) for cause in told]
    found.sort(key=lambda cause: -cause.weight)
    return found


def _gone_on(
    whole: Branch,
    branch: Branch,
    ways: tuple[Lying, ...],
    change: TableChange,
    possible: frozenset[Card],
    seats: Seats,
) -> list[Cause]:
    """The card that was laid last takes something against the rules: only that it was laid has been told so far."""
    last = whole.record.turns[-1].play
    if last.takes or any(last.card in way.table for way in ways):
        return []
    seen = _seen(whole, replace(branch, retracts=0), ways, change, possible | {last.card}, seats)
    seen = replace(seen, edges=change.edges(whole.since))
    wrong = [cause for cause in causes(branch.record.loosened, seen, 1) if cause.kind == "illegal"]
    plays = [(cause, cause.plays[-1]) for cause in wrong]
    return [
        replace(cause, weight=SUITS * cause.weight / branch.weight)
        for cause, play in plays
        if (play.player, play.card) == (last.player, last.card) and play.takes
    ]


def _seen(
    whole: Branch,
    branch: Branch,
    ways: tuple[Lying, ...],
    change: TableChange,
    possible: frozenset[Card],
    seats: Seats,
) -> Seen:
    """The evidence for a branch. Who took a play back reached in after it, and seeing its card again tells nothing."""
    record = branch.record
    playable, since, back = record.playable & possible, branch.since, frozenset[int]()
    if branch.retracts:
        last = whole.record.turns[-1]
        playable, since, back = playable - last.options, whole.since, frozenset({last.play.player})
    reaches = tuple(arm for arm in change.arms if arm.time > since)
    edges = change.edges(since)
    appeared = {sight.track: sight.first for sight in change.lying}
    vanished = {card: sight.last for sight in change.glimpsed if (card := best(sight)) is not None}
    return Seen(ways, glimpses(change, branch.since, playable), edges, seats, appeared, vanished, back, reaches)


def _most(branch: Branch, seen: Seen, state: State) -> int:
    """How many plays may have happened between two settled tables: more than one only if there is a sign of it."""
    if branch.retracts:
        return 1
    table = seen.tables[0].table
    laid, gone = len(table - state.table), bool(state.table - table)
    signs = max(laid + len(seen.glimpsed), len(seen.edges), laid + gone)
    return min(max(signs, 1), MOST)


def _continued(cause: Cause, place: int, branch: Branch, committed: int) -> Cause:
    """A cause as seen from the record: with the plays of its branch before it."""
    tail = () if branch.retracts else tuple(turn.play for turn in branch.record.turns[committed:])
    kind = "legal" if tail and cause.kind == "same" else cause.kind
    weight = branch.weight * cause.weight
    return replace(cause, kind=kind, plays=(*tail, *cause.plays), weight=weight, retracts=branch.retracts, branch=place)


def forks(
    branches: Sequence[Branch], found: Sequence[Cause], change: TableChange, since: float, certain: float, seats: Seats
) -> list[Branch]:
    """The branches that undecided causes make, likeliest first; plays that differ only in unseen cards are one."""
    made: list[Branch] = []
    for verdict in sorted(judgement.groups(found), key=lambda verdict: -verdict.share):
        if verdict.cause.kind == "legal" and not verdict.cause.retracts and verdict.share > UNLIKELY:
            record = extended(branches, verdict, change, certain)
            if record is not None:
                weight = verdict.share * min(1.0, verdict.weight / CONFIRMED)
                taught = _taught(branches, verdict.cause, change, since, seats)
                made.append(Branch(record, since, weight, seats=taught, cards=_agreed(verdict)))
    return made[: BRANCHES - 1]


def _agreed(verdict: judgement.Verdict) -> dict[int, Card]:
    """The readings of cards by track that all of a group have in common."""
    first, *others = [cause.cards for cause in verdict.group]
    return {track: card for track, card in first.items() if all(other.get(track) == card for other in others)}


def _taught(branches: Sequence[Branch], cause: Cause, change: TableChange, until: float, seats: Seats) -> Seats:
    """Where players sit if this happened."""
    branch = branches[cause.branch]
    known = branch.seats or seats
    if fresh(branches, cause) != 1:
        return known
    return known.after(cause.plays[-1].player, change.edges(branch.since, until))


def fresh(branches: Sequence[Branch], cause: Cause) -> int:
    """How many plays a cause has more than its branch."""
    done = len(branches[cause.branch].record.turns) - len(branches[0].record.turns)
    return len(cause.plays) - max(0, done)


def extended(
    branches: Sequence[Branch], verdict: judgement.Verdict, change: TableChange, certain: float
) -> Record | None:
    """The record after the plays of a verdict; None when open plays of before forbid them."""
    record = branches[verdict.cause.branch].record
    done = 0 if verdict.cause.retracts else len(record.turns) - len(branches[0].record.turns)
    seen = glimpses(change, -1.0, record.playable)
    try:
        for place in range(done, len(verdict.cause.plays)):
            number = record.turns[-1].n + 1 if record.turns else record.first
            record = record.add(judgement.turn(number, verdict, place, seen, certain))
    except IllegalPlay:
        return None
    return record
