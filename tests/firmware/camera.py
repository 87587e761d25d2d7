"""A table seen by a camera that never errs unless told to: actions of people become a stream of observations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.cards import DECK, Card
from vision.observation import BackDetection, Corners, SeenCard, TableObservation

SEATS = {2: "SN", 3: "SEN", 4: "SENW"}
SURE = 0.99995


def at(x: float, y: float) -> Corners:
    """The corners of a card whose top left is there."""
    return ((x, y), (x + 60, y), (x + 60, y + 100), (x, y + 100))


def row(edge: str, place: int) -> Corners:
    """Where the cards of a knock lie: in front of who sits at this edge."""
    beside = {"S": (500 + 70 * place, 760), "N": (700 - 70 * place, 60)}
    upright = {"E": (1400, 300 + 70 * place), "W": (20, 440 - 70 * place)}
    if edge in beside:
        return at(*beside[edge])
    (x, y) = upright[edge]
    return ((x + 100, y), (x + 100, y + 60), (x, y + 60), (x, y))


@dataclass
class Camera:
    """Writes observations at `fps` while cards are laid, taken and disturbed.

    `misread` says for a card what the camera reads instead, as (card, probability) pairs. `ghosts` are cards that
    others hide, if they lie there at all.
    """

    players: int = 2
    fps: float = 5.0
    misread: dict[Card, tuple[tuple[Card, float], ...]] = field(default_factory=dict)
    frame: int = 0
    seen: list[TableObservation] = field(default_factory=list)
    lying: dict[Card, SeenCard] = field(default_factory=dict)
    backs: tuple[BackDetection, ...] = ()
    ghosts: frozenset[Card] = frozenset()
    tracks: int = 0

    def edge(self, player: int) -> str:
        return SEATS[self.players][player]

    def new(self, card: Card) -> SeenCard:
        """A card that appears somewhere."""
        self.tracks += 1
        options = self.misread.get(card, ((card, SURE),))
        best, probability = options[0] if options else (None, 0.0)
        sure = best if probability >= 0.99 else None
        place = at(100 + 70 * (self.tracks % 15), 300 + 110 * (self.tracks % 3))
        return SeenCard(self.tracks, sure, probability, options, place, 1.0, True, False)

    def show(
        self,
        arms: str = "",
        extra: Iterable[SeenCard] = (),
        hidden: Iterable[Card] = (),
        still: bool | None = None,
        **what: bool,
    ) -> None:
        """One frame."""
        hidden = self.ghosts.union(hidden)
        cards = [replace(card, seen=name not in hidden) for name, card in self.lying.items()]
        still = not arms and not tuple(extra) if still is None else still
        self.seen.append(
            TableObservation(
                self.frame, self.frame / self.fps, still, tuple(arms), (*cards, *extra), self.backs, **what
            )
        )
        self.frame += 1
        self.lying = {name: replace(card, still=True) for name, card in self.lying.items()}

    def frames(self, seconds: float) -> int:
        return max(1, round(seconds * self.fps))

    def rest(self, seconds: float) -> None:
        """Nothing happens."""
        for _ in range(self.frames(seconds)):
            self.show()

    def reach(self, player: int, seconds: float = 0.4, hidden: Iterable[Card] = ()) -> None:
        """An arm over the table."""
        for _ in range(self.frames(seconds)):
            self.show(self.edge(player), hidden=hidden)

    def put(self, card: Card, track: int | None = None) -> None:
        """A card lies there from the next frame on, with motion."""
        shown = self.lying.pop(card, None)
        new = self.new(card)
        if track is None and shown is not None and new.track % 2:
            track = shown.track  # a card that is pushed to the middle under the eyes of the camera
        self.lying[card] = replace(new, track=new.track if track is None else track)

    def knock(self, player: int, cards: Iterable[Card], rest: float | None = 1.0) -> None:
        """Cards are shown side by side before a player."""
        self.reach(player, 0.5)
        for place, card in enumerate(cards):
            self.lying[card] = replace(self.new(card), corners=row(self.edge(player), place))
            self.reach(player, 0.3)
        self.leave(player, rest)

    def deal(self, dealer: int, cards: Iterable[Card]) -> None:
        """The first table, card by card."""
        for card in cards:
            self.reach(dealer, 0.2)
            self.put(card)
        self.reach(dealer, 0.4)
        self.settle()

    def settle(self) -> None:
        """The frame in which the hand has just gone."""
        self.show(still=False)

    def lay(self, player: int, card: Card, rest: float | None = 1.0) -> None:
        """A card is laid and stays; with no `rest` the next arm is there at once."""
        self.reach(player, 0.5)
        self.put(card)
        self.leave(player, rest)

    def leave(self, player: int, rest: float | None) -> None:
        """The hand goes, and for a while nothing happens."""
        if rest is None:
            self.show(self.edge(player))
            return
        self.settle()
        self.rest(rest)

    def take(
        self, player: int, card: Card, takes: Iterable[Card], *, how: str = "seen", rest: float | None = 1.0
    ) -> None:
        """A capture: `how` is seen (the card lies a moment), glimpsed (one moving frame), unseen or two (movements)."""
        takes = list(takes)
        self.reach(player, 0.5)
        if how in {"seen", "two"}:
            self.put(card)
            self.settle()
            self.show()
        elif how == "glimpsed":
            self.lying.pop(card, None)
            self.show(self.edge(player), extra=[self.new(card)])
        self.reach(player, 0.3, hidden=[*takes, card])
        if how == "two" and len(takes) > 1:
            del self.lying[takes.pop()]
            self.reach(player, 0.4)
            self.settle()
            self.reach(player, 0.4, hidden=takes)
        for gone in {*takes, card} - self.ghosts:
            self.lying.pop(gone, None)
        self.reach(player, 0.3)
        self.leave(player, rest)

    def give_back(self, player: int, remove: Iterable[Card], put: Iterable[Card], rest: float = 1.0) -> None:
        """Cards return to the table or to a hand."""
        self.reach(player, 0.4)
        for card in remove:
            self.lying.pop(card, None)
        for card in put:
            self.put(card)
        self.reach(player, 0.2)
        self.settle()
        self.rest(rest)

    def nudge(self, player: int, *, retrack: bool = False) -> None:
        """All cards are pushed a little; with `retrack` the camera loses their tracks."""
        self.reach(player, 0.4, hidden=self.lying)
        for name, card in list(self.lying.items()):
            self.tracks += 1
            shifted = tuple((x + 20, y + 8) for x, y in card.corners)
            track = self.tracks if retrack else card.track
            self.lying[name] = replace(card, corners=shifted, still=False, track=track)  # type: ignore[arg-type]
        self.settle()
        self.rest(1.0)

    def gather(self, player: int) -> None:
        """The table is cleared after a hand."""
        self.reach(player, 0.6, hidden=self.lying)
        self.lying.clear()
        self.reach(player, 0.4)
        self.settle()
        self.rest(1.0)


def deck_order(seed: int) -> list[Card]:
    """The forty cards, shuffled by a small generator of our own kind (the same on every Python)."""
    cards, state = list(DECK), seed * 2654435761 % 2**32 or 1
    for last in range(39, 0, -1):
        state = (1664525 * state + 1013904223) % 2**32
        other = (state >> 8) % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards
