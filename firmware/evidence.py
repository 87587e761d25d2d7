"""How likely what was seen is, given what is supposed to have happened: readings of cards, glimpses, arms."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from operator import itemgetter

from engine.cards import Card
from firmware.times import Times
from vision.change import Sight, TableChange, best

# Shares of what people and cameras do, in round numbers; only their order matters, tests/firmware hold the outcome.
UNSEEN = 0.03  # the played card of a capture is not seen at all
LAID = 1e-4  # a card lies there uncovered, is gone, and nobody played it
STRAY = 0.003  # a card is seen clearly although nobody plays it
WITHDRAWN = 0.05  # a card is shown, then another one is played
MERGED = 0.02  # a further play between two quiet moments
WRONG_ARM = 0.0005  # a play without the arm of its player, while another arm was there
TAKEN_BACK = 0.01  # the last play is taken back
PHANTOM = 0.01  # a doubtful reading where no card lies
GONE = 0.05  # a card that lies hidden was taken, and nobody saw it
DISORDER = 1e-4  # a card was first seen before one that is supposed to have been played earlier
IDLE_ARM = 0.05  # a player reaches in who plays nothing
OTHER_ARM = 0.001  # the same, while the player's edge was seen only once
NEIGHBOURS = 0.1  # who was not seen yet reaches in where another one does
CROWDED = 0.005  # the same, although somebody took up his hand at an edge that is nobody's yet
ILLEGAL = 0.01  # a play that the rules refuse
PRESUMED = 1e-4  # a refused play whose card nobody saw, although a legal card would explain it as well
DOUBTED = 0.1  # a refused play whose card was not read for certain
HALF = 0.05  # a capture is half done
FLOOR = 0.0005  # a reading is of a card that it does not even name
CHANGE_OF_MIND = 0.6  # seconds from a card that is taken back into the hand to the one that is played
CLEAR = 0.9  # the reading of a glimpse that can be the card that was played in the end
EDGES = "NESW"
CLOSE_READINGS = 8  # so many joint readings of the doubtful cards are weighed


@dataclass
class Seats:
    """The edge of the picture from which each of `players` reaches in, learnt from plays with a single arm.

    `met` are the edges from which arms came when the cards were dealt.
    """

    players: int = 2
    counts: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    met: frozenset[str] = frozenset()

    def learn(self, player: int, edges: frozenset[str]) -> None:
        """Takes in a play of `player` during which arms came from `edges`."""
        if len(edges) == 1:
            self.counts[player].update(edges)

    def edge(self, player: int) -> tuple[str | None, int]:
        """The player's edge and how many plays showed it; None while nothing did or the plays contradict each other."""
        seen = self.counts[player]
        if not seen:
            return self._opposite(player), 1
        edge, count = max(seen.items(), key=itemgetter(1))
        return (edge, count) if count >= 0.8 * seen.total() else (None, 0)

    def _opposite(self, player: int) -> str | None:
        """Of four players each has a side of his own, and partners sit across."""
        known = {EDGES.index(edge) for other in (player + 1, player + 3) for edge in self.counts[other % 4]}
        facing = {EDGES.index(edge) for edge in self.counts[(player + 2) % 4]}
        if self.players != 4 or len(facing) != 1 or len(known) > 1:
            return None
        across = (facing.pop() + 2) % 4
        return None if across in known else EDGES[across]

    def alone(self, edges: frozenset[str]) -> int | None:
        """The player whose arm alone reached in; None for several arms, or an edge that is not known to be anyone's."""
        owners = [player for player in range(self.players) if edges == {self.edge(player)[0]}]
        return owners[0] if len(owners) == 1 else None

    def suspects(self, turn: int, edges: frozenset[str]) -> tuple[int, ...]:
        """Who may have reached in alone, when it is the turn of somebody: nobody while it may have been he."""
        alone = self.alone(edges)
        if alone is not None:
            return (alone,)
        own, _ = self.edge(turn)
        if len(edges) != 1 or own is None or own in edges:
            return ()
        return tuple(player for player in range(self.players) if player != turn and self.edge(player)[0] is None)

    def may_be(self, player: int, edges: frozenset[str]) -> bool:
        """Whether a single arm reached in that is this player's, for all that is known."""
        owners = {owner for owner in range(self.players) if self.edge(owner)[0] in edges}
        return len(edges) == 1 and owners <= {player} and self.edge(player)[0] in {None, *edges}

    def weight(self, players: frozenset[int], edges: frozenset[str]) -> float:
        """How likely these arms are if `players` played. Who was not seen yet has an edge of his own."""
        known = [self.edge(player) for player in players]
        owned = {self.edge(player)[0] for player in range(self.players)}
        missed = [count for edge, count in known if edges and edge is not None and edge not in edges]
        if len(players) > len(edges) > 0:  # of several who played, each has an edge of his own
            missed += [1] * max(0, sum(edge is None for edge, _ in known) - len(edges - owned))
        owners = {self.edge(player)[0] for player in range(self.players) if player not in players}
        idle = len(owners & edges - {edge for edge, _ in known})
        shared = CROWDED if self.met - owned else NEIGHBOURS
        borrowed = shared if edges and edges <= owners and any(edge is None for edge, _ in known) else 1.0
        return prod(WRONG_ARM if count > 1 else OTHER_ARM for count in missed) * IDLE_ARM**idle * borrowed

    def after(self, player: int, edges: frozenset[str]) -> Seats:
        """The same when `player` has played meanwhile, as far as is supposed: that moves nobody who was seen before."""
        if self.counts[player]:
            return self
        counts = defaultdict(Counter, {one: Counter(seen) for one, seen in self.counts.items()})
        seats = Seats(self.players, counts, self.met)
        seats.learn(player, edges)
        return seats


@dataclass(frozen=True, slots=True)
class Lying:
    """One way to read the table: `cards` by track, and the probability of these readings together."""

    cards: dict[int, Card]
    weight: float

    @property
    def table(self) -> frozenset[Card]:
        return frozenset(self.cards.values())

    def plus(self, track: int, card: Card | None, share: float) -> Lying:
        """The same with one more card read, or None: nothing lies there."""
        if card is None:
            return Lying(self.cards, self.weight * share)
        return Lying(self.cards | {track: card}, self.weight * share)

    def minus(self, track: int, share: float) -> Lying:
        """The same without a card that lies hidden, if anywhere."""
        return Lying({t: card for t, card in self.cards.items() if t != track}, self.weight * share)


def readings(sight: Sight, possible: frozenset[Card]) -> dict[Card, float]:
    """The probability of each possible card that a sight may be; empty when nothing is possible."""
    named = dict(sight.options)
    weights = {card: named.get(card, 0.0 if named else 1.0) for card in possible}
    unnamed = len(possible - named.keys())
    if named and unnamed:
        weights |= dict.fromkeys(possible - named.keys(), FLOOR / unnamed)
    total = sum(weights.values())
    return {card: weight / total for card, weight in weights.items()}


def tables(change: TableChange, known: dict[int, Card], possible: frozenset[Card], certain: float) -> tuple[Lying, ...]:
    """The ways to read what lies on the table, likeliest first. `known` are the cards of tracks that are settled.

    A reading with a probability of `certain` has no alternative; of all ways the `CLOSE_READINGS` likeliest are kept.
    What lies hidden may be gone: its taking was as hidden. What was taken before and shows no more is gone.
    """
    gone = {track for track in change.hidden if track in known and known[track] not in possible}
    lying = [sight for sight in change.lying if sight.track not in gone]
    fixed = {sight.track: known[sight.track] for sight in lying if sight.track in known}
    free = possible - frozenset(fixed.values())
    ways = [Lying(fixed, 1.0)]
    for sight in lying:
        if sight.track not in known:
            choices = _likely(readings(sight, free), certain)
            ways = [
                way.plus(sight.track, card, share) for way in ways for card, share in choices if card not in way.table
            ]
        elif sight.track in change.hidden:
            ways = [left for way in ways for left in (way, way.minus(sight.track, GONE))]
        ways = sorted(ways, key=lambda way: -way.weight)[:CLOSE_READINGS]
    total = sum(way.weight for way in ways)
    return tuple(Lying(way.cards, way.weight / total) for way in ways)


def unmarked(change: TableChange, known: Mapping[int, Card], marks: frozenset[Card]) -> TableChange:
    """Without what is read as one of the `marks`: the card of a scopa sticks out from under its pile."""
    if not marks:
        return change
    lying = tuple(sight for sight in change.lying if sight.track in known or best(sight) not in marks)
    return replace(change, lying=lying)


def _likely(weights: dict[Card, float], certain: float) -> list[tuple[Card | None, float]]:
    """The cards worth weighing; None, that no card lies there, is one of the choices while none is certain."""
    best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:CLOSE_READINGS]
    return [*best[:1]] if best and best[0][1] >= certain else [*best, (None, PHANTOM)]


def impossible(change: TableChange, known: dict[int, Card], possible: frozenset[Card], times: Times) -> Card | None:
    """A card that is read for certain, again and again, although it lies in a pile or twice on the table."""
    for sight in change.lying:
        if sight.track in known or sight.track in change.hidden or sight.clean < times.readings or not sight.options:
            continue
        card, probability = sight.options[0]
        free = possible - frozenset(known.values())
        if probability >= times.certain and card not in free and max(readings(sight, free).values()) < times.certain:
            return card
    return None


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card that was seen for a while and lies on the table no more. `clean`: it lay there uncovered."""

    readings: dict[Card, float]
    first: float
    last: float
    clean: bool


def glimpses(change: TableChange, since: float, possible: frozenset[Card]) -> tuple[Glimpse, ...]:
    """The cards that were seen since a time and may have been played, in the order in which they were last seen."""
    seen = [sight for sight in change.glimpsed if sight.last >= since and sight.options]
    found = [Glimpse(_named(sight, possible), sight.first, sight.last, sight.clean > 0) for sight in seen]
    return tuple(sorted((glimpse for glimpse in found if glimpse.readings), key=lambda glimpse: glimpse.last))


def _named(sight: Sight, possible: frozenset[Card]) -> dict[Card, float]:
    """What a glimpse names of the possible cards; what names only impossible ones tells nothing."""
    return {card: probability for card, probability in sight.options if card in possible}


def weigh_glimpses(glimpsed: tuple[Glimpse, ...], played: frozenset[Card]) -> float:
    """How likely the glimpses are if `played` were played and lie on the table no more."""
    weight = 1.0
    missing = set(played)
    clear = [glimpse.first for glimpse in glimpsed if max(glimpse.readings.values()) >= CLEAR]
    final = clear[-1] if clear else 0.0
    for glimpse in glimpsed:
        right = sum(probability for card, probability in glimpse.readings.items() if card in played)
        other = LAID if glimpse.clean else STRAY
        if final - glimpse.last >= CHANGE_OF_MIND:
            other = WITHDRAWN
        weight *= (
            right + (1 - min(1.0, sum(glimpse.readings.values()))) + other * (sum(glimpse.readings.values()) - right)
        )
        missing -= {card for card, probability in glimpse.readings.items() if probability > 0.5}
    return weight * UNSEEN ** len(missing)
