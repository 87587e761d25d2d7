"""The table over time: which cards lie there, which hands are over it, what is still."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import detect
from vision.bump import bump
from vision.deck import FACE_HEIGHT, Deck
from vision.faces import Picture, as_bgr
from vision.motion import Change, Mask, Motion, brightness, differs, shrink
from vision.observation import BackDetection, CardDetection, Corners, PictureReading, TableObservation, long_side
from vision.places import Place, Scene, shared
from vision.recognise import rectify
from vision.sizes import SMALLEST_CARD
from vision.surface import Surface, filled, glaring, reaching
from vision.tracks import UNCOVERED, Track, distance, pair

Reader = Callable[[Picture, Deck, Sequence[Corners], Mask], PictureReading]
"""Reads a picture, but not the known places given, nor what lies where the mask is 0: nothing changed there."""
CONFIRM: Final = 0.2
"""Seconds from the last motion to the reading that confirms what lies there."""
UNSURE_READS: Final = 5
"""Readings of a still table after which a card that stays doubtful is left so."""
LOOK_AGAIN: Final = 0.5
"""Seconds between two comparisons of a still table with the one last read: they catch what creeps."""
RESTING: Final = 0.8
"""Seconds after which what reaches in and does not move is a thing that lies there, not a hand in play."""
LAY: Final = 0.05
"""A face found within this share of its long side from where it was has not moved."""
UNDER_PILE: Final = 0.12
"""A face of which a back hides more than this share is a scopa mark under a pile, unless it lay there before."""
ABSORBED: Final = 0.25
"""What was read stands out from the table over more than this share of its place, or it was taken for the table."""
MOVED_SHARE: Final = 0.03
"""Share of a place's pixels that may change while it still counts as unchanged."""
_EPSILON: Final = 1e-6
_AROUND: Final = np.ones((5, 5), np.uint8)


class Watcher:
    """Joins the readings of one camera's frames; `read` is called only where something may have changed.

    `marks`: a face partly under a back marks a scopa and is no card of the table. False for a game without such marks,
    in which cards lie over covered ones.
    """

    def __init__(self, deck: Deck, read: Reader = detect.read, marks: bool = True) -> None:
        self._deck = deck
        self._marked = marks
        self._read = read
        self._motion = Motion()
        self._surface = Surface()
        self._tracks: list[Track] = []
        self._numbers = 0
        self._backs: tuple[BackDetection, ...] = ()
        self._ages: NDArray[np.int8] = np.zeros((0, 0), np.int8)
        self._marks: list[Corners] = []
        self._last_read: Picture | None = None
        self._glare = False
        self._edges: tuple[str, ...] = ()
        self._moved_at = self._surface_at = 0.0
        self._calm_reads = self._looks = 0

    def update(self, picture: Picture, frame: int, time: float, little: Picture | None = None) -> TableObservation:
        """The table at this frame. `picture` BGR uint8, `time` in seconds and growing; every frame is given.

        `little`: the same picture made smaller by the camera, if it makes one.
        """
        picture = as_bgr(picture)
        small, factor = shrink(picture, little)
        change = self._motion.update(small)
        busy, bumped = change.moved or change.light, False
        if busy:
            self._moved_at, self._calm_reads = time, 0
        crept = None if busy else self._crept(small, time)
        if crept is not None:
            change = replace(change, mask=crept)
        if busy or crept is not None or self._doubtful(time):
            bumped = self._look(picture, small, factor, change, time)
            self._calm_reads += not busy
        elif time - self._surface_at >= LOOK_AGAIN:
            self._scene(small, factor, change, time)
        return TableObservation(
            frame=frame,
            time=time,
            still=not busy and (not self._edges or time - self._moved_at >= RESTING),
            arms=self._edges,
            cards=tuple(track.told() for track in self._tracks),
            backs=self._backs,
            moved=bumped,
            light=change.light and not bumped,
            glare=self._glare,
        )

    def _doubtful(self, time: float) -> bool:
        """True while a table that came to rest must be read again."""
        if self._calm_reads == 0 or time - self._moved_at < CONFIRM - _EPSILON:
            return True
        return self._calm_reads < UNSURE_READS and any(track.seen and track.doubtful for track in self._tracks)

    def _crept(self, small: Picture, time: float) -> Mask | None:
        """Where a still table has come to differ from the one last read, or None."""
        if time - self._surface_at < LOOK_AGAIN or self._last_read is None:
            return None
        mask = differs(small, self._last_read, brightness(small, self._last_read))
        return mask if cv2.countNonZero(mask) else None

    def _look(self, picture: Picture, small: Picture, factor: int, change: Change, time: float) -> bool:
        """Read what may have changed and follow every card. True when the camera was bumped."""
        unchanged = frozenset(t.number for t in self._tracks if t.seen and _at_rest(t.corners, change, factor))
        fresh = self._freshness(change, factor)
        known = [
            track for track in self._tracks if track.number in unchanged and not _any(fresh, track.corners, factor)
        ]
        resting = [back for back in self._backs if _at_rest(back.corners, change, factor)]
        places = [track.corners for track in known] + [back.corners for back in resting]
        places += [mark for mark in self._marks if _at_rest(mark, change, factor)]
        self._learn_back(picture, resting)
        reading = self._read(picture, self._deck, places, fresh)
        self._looks += 1
        self._last_read = small
        backs = (*resting, *reading.backs)
        shift = bump(self._tracks, reading.cards, backs, self._backs)
        if shift is not None:
            for track in self._tracks:
                track.place(shift(track.corners))
            self._marks = [shift(mark) for mark in self._marks]
        shown = [face.corners for face in reading.cards] + [back.corners for back in reading.backs] + places
        if shift is not None or not self._surface.matches(small):
            self._surface.begin(small, filled(small.shape, shown, factor, 0.08), time)
        scene = self._scene(small, factor, change, time, shown)
        self._marks = [mark for mark in self._marks if scene.place(mark, (), ()) is not Place.EMPTY]
        kept = self._missed(reading, backs, scene)
        faces = [face for face in reading.cards if not self._under_pile(face, backs, kept, scene, change, factor)]
        self._follow(faces, unchanged, {track.number for track in known})
        self._judge_unseen(scene, [back.corners for back in backs])
        self._backs = (*backs, *kept)
        unread = [track.corners for track in self._tracks if track.still and track.card is None]
        self._glare = any(glaring(small, corners, factor) for corners in unread)
        return shift is not None

    def _freshness(self, change: Change, factor: int) -> Mask:
        """1 where this look or the last one saw a change, and where a reading is in doubt that another may settle."""
        if self._ages.shape != change.mask.shape or change.light:
            self._ages = np.full(change.mask.shape, -1, np.int8)
        self._ages = np.minimum(self._ages + 1, 2).astype(np.int8)
        self._ages[cv2.dilate(change.mask, _AROUND) == 1] = 0
        doubtful = [track.corners for track in self._tracks if track.doubtful and self._calm_reads < UNSURE_READS]
        return np.asarray((self._ages < 2) | (filled(change.mask.shape, doubtful, factor) == 1), np.uint8)

    def _learn_back(self, picture: Picture, resting: Sequence[BackDetection]) -> None:
        """A deck whose back nobody showed gets it from the first pile of a card's size that lies still."""
        sizes = [long_side(track.corners) for track in self._tracks if track.card is not None and track.rested]
        if self._deck.back is not None or not sizes:
            return
        for back in resting:
            if max(sizes) * SMALLEST_CARD < long_side(back.corners) < min(sizes) / SMALLEST_CARD:
                self._deck = self._deck.with_back(
                    rectify(picture, np.asarray(back.corners, np.float32), self._deck.faces.shape[2], FACE_HEIGHT)
                )
                return

    def _under_pile(
        self,
        face: CardDetection,
        backs: Sequence[BackDetection],
        kept: Sequence[BackDetection],
        scene: Scene,
        change: Change,
        factor: int,
    ) -> bool:
        """True for a face that sticks out from under a pile: it is no card of the table, unless it lay there before.

        Only what lies still is remembered as such a mark: a hand that carries a card shows at both sides of it too.
        """
        if not self._marked or any(
            track.rested and distance(track.corners, face.corners) < 2 * LAY for track in self._tracks
        ):
            return False
        under = any(shared(face.corners, back.corners) > UNDER_PILE for back in backs)
        if face.card is not None and face.visible >= UNCOVERED and not under:
            return False
        if any(shared(face.corners, mark) > UNDER_PILE for mark in self._marks):
            return True  # the mark again, or pieces of the pile over it
        if face.card is None and any(shared(face.corners, back.corners) > UNDER_PILE for back in kept):
            return True
        # A pile that the reader did not find still shows at both long sides of the face.
        if under or (face.card is None and scene.straddled(face.corners, [track.corners for track in self._tracks])):
            if _at_rest(face.corners, change, factor):
                self._marks.append(face.corners)
            return True
        return False

    def _follow(self, faces: list[CardDetection], unchanged: frozenset[int], known: set[int]) -> None:
        """Give every face to its track; a face without one begins a new track. `known` tracks were not read again."""
        pairs = pair([track for track in self._tracks if track.number not in known], faces, unchanged)
        for track, face in pairs:
            still = distance(track.corners, face.corners) < LAY
            track.see(face, self._looks, still=still, unchanged=track.number in unchanged)
        found = known | {track.number for track, _ in pairs}
        for track in self._tracks:
            if track.number in known:
                track.still = True
            elif track.number not in found:
                track.miss(unchanged=track.number in unchanged)
        taken = {id(face) for _, face in pairs}
        for face in faces:
            if id(face) not in taken:
                self._numbers += 1
                track = Track(self._numbers, face.corners, face.visible, self._looks)
                track.see(face, self._looks, still=False, unchanged=False)
                self._tracks.append(track)

    def _scene(
        self, small: Picture, factor: int, change: Change, time: float, shown: list[Corners] | None = None
    ) -> Scene:
        """Compare with the bare table: sets the edges from which something reaches in, and learns the table."""
        if shown is None:
            shown = [track.corners for track in self._tracks if track.seen] + [back.corners for back in self._backs]
        self._surface_at = time
        self._surface.moved(change.mask, time)
        out = self._surface.stands_out(small)
        taken = [quad for quad in shown if not _any(out, quad, factor, ABSORBED)]
        if taken:
            self._surface.forget(taken, factor)
            out = self._surface.stands_out(small)
        cards = filled(small.shape, shown, factor, 0.08)
        # A pile near the edge, and the marks under it, are no arm, even where this frame's reading missed them.
        piles = [*(back.corners for back in self._backs), *self._marks]
        self._edges, arms = reaching(out & ~cards & ~filled(small.shape, piles, factor, 0.08))
        if not change.moved:
            hidden = filled(small.shape, [track.corners for track in self._tracks], factor, 0.08)
            self._surface.learn(small, out, cards | hidden, time)
        return Scene(out, arms, change.mask, factor)

    def _judge_unseen(self, scene: Scene, backs: Sequence[Corners]) -> None:
        """Keep the cards that something hides, end the tracks of those that are gone."""
        self._tracks = [
            track for track in self._tracks if track.believed and (track.seen or self._hidden(track, scene, backs))
        ]

    def _hidden(self, track: Track, scene: Scene, backs: Sequence[Corners]) -> bool:
        """True when a card that this frame does not show may still lie at its place."""
        seen = [other for other in self._tracks if other.seen]
        least = UNCOVERED if scene.moved.any() else 0.0  # at rest every reading is trusted
        above = [other.corners for other in seen if other.arrived >= track.arrived]
        below = [other.corners for other in seen if other.arrived < track.arrived and other.visible > least]
        place = scene.place(track.corners, [*above, *backs], below)
        # What was only carried, or never surely read, is not kept for what may have come to lie on it.
        trusted = track.rested and track.card is not None
        return place is not Place.EMPTY and (trusted or place in (Place.HAND, Place.UNCHANGED))

    def _missed(self, reading: PictureReading, backs: Sequence[BackDetection], scene: Scene) -> list[BackDetection]:
        """The backs of before that a hand hides or the reader missed: something still lies there, and no known card."""
        shown = [face.corners for face in reading.cards if face.card is not None]
        shown += [back.corners for back in backs]
        return [
            back
            for back in self._backs
            if all(shared(back.corners, other) < 0.3 for other in shown)
            and scene.place(back.corners, shown, ()) in (Place.HAND, Place.UNCHANGED, Place.UNKNOWN)
        ]


def _any(mask: Mask, corners: Corners, factor: int, share: float = MOVED_SHARE) -> bool:
    """True when a mask holds more than noise at a place."""
    inside = filled(mask.shape, [corners], factor) == 1
    return float(mask[inside].sum()) > share * max(1, int(inside.sum()))


def _at_rest(corners: Corners, change: Change, factor: int) -> bool:
    """True when the pixels of a place are those of the last frame."""
    return not change.light and not _any(change.mask, corners, factor)
