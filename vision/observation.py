"""What vision tells about one picture and about the table over time: frozen values, pixels of the picture, no rules."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from engine.cards import Card

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
"""Top left, top right, bottom right, bottom left of the face held upright; pixels; where they would be if hidden."""


def middle(corners: Corners) -> Point:
    """The middle of a card, pixels."""
    return sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4


def long_side(corners: Corners) -> float:
    """Length of a card's long side, pixels."""
    return dist(corners[0], corners[3])


@dataclass(frozen=True, slots=True)
class CardDetection:
    """One face-up card. `card` is None when the reading is not sure enough; `options` then holds its candidates.

    `confidence` is a calibrated probability 0..1 that `card` is right. `options` are (card, probability) pairs, best
    first, at most four, also given for a certain reading. `visible` is the share 0..1 of the face that can be seen.
    """

    card: Card | None
    confidence: float
    options: tuple[tuple[Card, float], ...]
    corners: Corners
    visible: float = 1.0


@dataclass(frozen=True, slots=True)
class BackDetection:
    """A card or a pile that lies face down. `mark` is true when a card sticks out crosswise under it (a scopa mark)."""

    corners: Corners
    mark: bool = False


@dataclass(frozen=True, slots=True)
class PictureReading:
    """All that one picture shows. `width`, `height` in pixels."""

    width: int
    height: int
    cards: tuple[CardDetection, ...]
    backs: tuple[BackDetection, ...]


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card of the table as it is known at one frame: its own reading there, joined with what was read before.

    `track` numbers one physical card from its appearance to its removal. `seen` is false when this frame does not show
    it (a hand hides it) and what is given is remembered. `still` is true when it has not moved since the last frame.
    """

    track: int
    card: Card | None
    confidence: float
    options: tuple[tuple[Card, float], ...]
    corners: Corners
    visible: float
    seen: bool
    still: bool


@dataclass(frozen=True, slots=True)
class TableObservation:
    """The table at one frame. Written for every frame, moving or not.

    `time` in seconds (never the clock: frame / fps for recordings). `still`: nothing moved since the last frame and no
    hand is over the table; what reaches in and has not moved for a while is no hand. `arms`: the edges `N E S W` of the
    picture from which something reaches in at this frame.
    `moved`: all cards moved alike (camera bumped). `light`: the light changed. `glare`: cards cannot be read for glare.
    """

    frame: int
    time: float
    still: bool
    arms: tuple[str, ...]
    cards: tuple[SeenCard, ...]
    backs: tuple[BackDetection, ...]
    moved: bool = False
    light: bool = False
    glare: bool = False
