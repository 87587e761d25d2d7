"""Observations of a rendered table without its pictures: what eyes tell that see as badly as real ones.

Nothing is painted, so a hand takes a second. Cards are hidden by arms and by one another, told late, read with doubt or
not at all, lost and found under another number; a doubt is calibrated: what is told with 0.8 is right in 8 of 10.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.cards import DECK, Card
from vision.observation import BackDetection, Corners, SeenCard, TableObservation
from vision.synthetic.camera import Camera
from vision.synthetic.scene import Scene, Thing, outline
from vision.synthetic.sprites import Pack
from vision.synthetic.visible import VisibleCard, visible_cards

Options = tuple[tuple[Card, float], ...]

SURE = 0.99
"""A reading names its card from this probability on."""
RESTING = 0.8
"""Seconds after which an arm that does not move is none."""
LEAST = 0.1
"""Share of a face below which it is not found."""


@dataclass(frozen=True, slots=True)
class Blemishes:
    """How often (0..1) eyes err.

    `doubt`: an uncovered card is read with doubt; `late`: it is told a frame later; `glimpse`: a card in a moving hand
    is found; `lost`: a card gets another number when something moves; `phantom`: something is taken for a card;
    `arm`: an arm is told at the wrong edge or not at all.
    """

    doubt: float = 0.02
    late: float = 0.1
    glimpse: float = 0.5
    lost: float = 0.002
    phantom: float = 0.004
    arm: float = 0.03


@dataclass(frozen=True, slots=True)
class Told:
    """A card as it was told last. `thing` is how it lay when it was last seen at rest, None while it was only carried.

    `share` is how much was visible at its best reading; `patience` counts the readings that may still better it.
    """

    seen: SeenCard
    share: float
    thing: Thing | None = None
    patience: int = 0


class Eyes:
    """Writes observations of scenes. `rng` decides what goes wrong."""

    def __init__(self, camera: Camera, pack: Pack, fps: float, blemishes: Blemishes, rng: np.random.Generator) -> None:
        self.camera, self.pack, self.fps, self.blemishes, self.rng = camera, pack, fps, blemishes, rng
        self._told: dict[Card, Told] = {}
        self._late: list[VisibleCard] = []
        self._phantom: SeenCard | None = None
        self._before: Scene | None = None
        self._lay: dict[Card, Thing] = {}
        self._things: dict[Card, Thing] = {}
        self._tracks = 0
        self._moved_at = -10.0

    def see(self, scene: Scene) -> TableObservation:
        """What is told about one frame."""
        time, before = scene.frame / self.fps, self._before
        light = before is not None and scene.light != before.light
        bumped = before is not None and scene.camera != before.camera
        now = replace(scene, frame=0, before=None)
        moving = now != before
        if moving:
            self._moved_at = time
            self._look(scene)
        else:
            self._look_again()
        self._before = now
        arms = self._arms(scene) if moving or time - self._moved_at < RESTING else ()
        phantoms = (self._phantom,) if self._phantom else ()
        return TableObservation(
            frame=scene.frame,
            time=time,
            still=not moving and not arms,
            arms=arms,
            cards=(*(told.seen for told in self._told.values()), *phantoms),
            backs=self._backs(scene),
            moved=bumped,
            light=light and not bumped,
        )

    def _chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def _look(self, scene: Scene) -> None:
        """A frame in which something moved: every card is looked at."""
        faces = [thing for thing in scene.lying if thing.kind == "face" and not thing.key.startswith("mark")]
        marks = {thing.card for thing in scene.lying if thing.key.startswith("mark")}
        self._lay, self._things = self._things, {thing.card: thing for thing in faces if thing.card is not None}
        self._late, told = [], dict[Card, Told]()
        for one in visible_cards(scene, self.camera, self.pack):
            if one.card not in marks and one.share >= LEAST and (found := self._find(one)) is not None:
                told[one.card] = found
        for card, old in self._told.items():
            if card not in told and self._hidden(card, old, scene):
                told[card] = replace(old, seen=replace(old.seen, seen=False, still=False))
        self._told = told
        self._phantom = self._see_phantom()

    def _look_again(self) -> None:
        """Nothing moved: late cards are found, doubtful ones are read a few times more."""
        for card, told in self._told.items():
            if not told.seen.seen:
                continue
            options, patience = told.seen.options, told.patience
            if told.seen.card is None and patience:
                options, patience = self._better(told, card, told.share) if self._chance(0.3) else options, patience - 1
            seen = _named(replace(told.seen, options=options, still=True))
            self._told[card] = replace(told, seen=seen, thing=self._things.get(card), patience=patience)
        for one in self._late:
            if one.card not in self._told:
                self._told[one.card] = self._new(one)
        self._late = []
        if self._chance(0.4):
            self._phantom = None

    def _find(self, one: VisibleCard) -> Told | None:
        """One card that can be seen, as it is told now; None while it is not noticed."""
        old = self._told.get(one.card)
        if old is None or self._chance(self.blemishes.lost):
            noticed = self.blemishes.glimpse if one.moving else 1 - self.blemishes.late
            if self._chance(noticed * min(1.0, 2 * one.share)):
                return self._new(one)
            self._late.append(one)
            return None
        share = one.share * (0.5 if one.moving else 1.0)
        better = share > old.share + 0.1
        options = self._better(old, one.card, share) if better else old.seen.options
        lies = self._things.get(one.card)
        still = lies is not None and lies == self._lay.get(one.card)
        seen = replace(old.seen, options=options, corners=one.corners, visible=one.share, seen=True, still=still)
        return replace(old, seen=_named(seen), share=max(share, old.share), thing=lies if still else None)

    def _new(self, one: VisibleCard) -> Told:
        self._tracks += 1
        share = one.share * (0.5 if one.moving else 1.0)
        options = self._options(one.card, share)
        corners: Corners = one.corners  # type: ignore[assignment]
        seen = SeenCard(self._tracks, None, 0.0, options, corners, one.share, True, False)
        return Told(_named(seen), share, patience=int(self.rng.integers(0, 6)))

    def _better(self, old: Told, card: Card, share: float) -> Options:
        """The old reading or a new one, whichever is the surer."""
        new = self._options(card, share)
        return max(old.seen.options, new, key=lambda options: options[0][1] if options else 0.0)

    def _options(self, card: Card, share: float) -> Options:
        """A reading of a card of which so much can be seen."""
        if share > 0.7 and not self._chance(self.blemishes.doubt):
            return ((card, 0.99995),)
        if self._chance(share - 0.1):
            return ((card, float(self.rng.choice((0.9993, 0.9999)))),)
        if share < 0.25 and self._chance(0.6):
            return ()
        probability = float(self.rng.uniform(0.55, 0.985))
        others = [other for other in DECK if other != card and (other.value == card.value or other.suit == card.suit)]
        other = others[int(self.rng.integers(len(others)))]
        best, second = (card, other) if self._chance(probability) else (other, card)
        return ((best, probability), (second, 0.95 * (1 - probability)))

    def _hidden(self, card: Card, old: Told, scene: Scene) -> bool:
        """Whether a card that cannot be seen may, for all that anybody can tell, still lie where it lay."""
        if old.thing is None:
            return False
        if card in self._things:
            return True
        there = replace(scene, lying=(*scene.lying, old.thing), carried=(), before=None)
        shown = (one.share for one in visible_cards(there, self.camera, self.pack) if one.card == card)
        return max(shown, default=0.0) < 0.4

    def _see_phantom(self) -> SeenCard | None:
        if not self._chance(self.blemishes.phantom):
            return None
        x, y = (float(place) for place in self.rng.uniform(0.1, 0.8, 2) * (self.camera.width, self.camera.height))
        options = tuple((DECK[int(k)], 0.3) for k in self.rng.permutation(len(DECK))[:2])
        self._tracks += 1
        corners = ((x, y), (x + 30, y), (x + 30, y + 50), (x, y + 50))
        return SeenCard(self._tracks, None, 0.3, options, corners, 0.4, seen=True, still=False)

    def _arms(self, scene: Scene) -> tuple[str, ...]:
        edges = {str(arm.seat) for arm in scene.arms}
        if edges and self._chance(self.blemishes.arm):
            return () if self._chance(0.7) else (str(self.rng.choice(list("NESW"))),)
        return tuple(sorted(edges))

    def _backs(self, scene: Scene) -> tuple[BackDetection, ...]:
        camera = scene.camera or self.camera
        marks = [thing.pose for thing in scene.lying if thing.key.startswith("mark")]
        return tuple(
            BackDetection(
                _corners(camera, thing, self.pack),
                any(abs(mark.x - thing.pose.x) + abs(mark.y - thing.pose.y) < 40 for mark in marks),
            )
            for thing in scene.lying
            if thing.kind == "back"
        )


def _named(seen: SeenCard) -> SeenCard:
    best, probability = seen.options[0] if seen.options else (None, 0.0)
    return replace(seen, card=best if probability >= SURE else None, confidence=probability)


def _corners(camera: Camera, thing: Thing, pack: Pack) -> Corners:
    first, second, third, fourth = camera.project(outline(thing.pose, pack.millimetres)).tolist()
    return (first[0], first[1]), (second[0], second[1]), (third[0], third[1]), (fourth[0], fourth[1])
