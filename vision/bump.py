"""Has the camera been bumped? Then all that lies on the table has moved alike in the picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.observation import BackDetection, CardDetection, Corners
from vision.tracks import Track, centre

LEAST_SHIFT: Final = 0.06
"""Shift in long sides of a card that every card must have made; less is borne without a word."""
ALIKE: Final = 0.05
"""Largest difference in long sides from one common movement."""
WITNESSES: Final = 2
"""Cards and piles that must have moved alike: a single card has been slid."""

Points = NDArray[np.float32]


def bump(
    tracks: Sequence[Track],
    faces: Sequence[CardDetection],
    backs: Sequence[BackDetection],
    backs_before: Sequence[BackDetection],
) -> Callable[[Corners], Corners] | None:
    """The movement of the whole picture since the frame before, or None. Only cards surely read both times judge."""
    pairs = _same_cards(tracks, faces)
    if not pairs:
        return None
    scale = float(np.median([np.hypot(*(before[3] - before[0])) for before, _ in pairs]))
    if any(np.hypot(*(after - before).mean(axis=0)) < LEAST_SHIFT * scale for before, after in pairs):
        return None
    before = np.concatenate([pair[0] for pair in pairs])
    after = np.concatenate([pair[1] for pair in pairs])
    matrix, _ = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=ALIKE * scale)
    if matrix is None or abs(float(np.hypot(*matrix[0, :2])) - 1.0) > 0.05:
        return None

    def moved(corners: Corners) -> Corners:
        a, b, c, d = (np.asarray(corners) @ matrix[:, :2].T + matrix[:, 2]).tolist()
        return (tuple(a), tuple(b), tuple(c), tuple(d))

    if any(np.abs(_points(moved(_corners(old))) - new).max() > ALIKE * scale for old, new in pairs):
        return None
    went_along = sum(
        any(np.hypot(*(centre(moved(old.corners)) - centre(new.corners))) < ALIKE * scale for new in backs)
        for old in backs_before
    )
    return moved if len(pairs) + went_along >= WITNESSES else None


def _same_cards(tracks: Sequence[Track], faces: Sequence[CardDetection]) -> list[tuple[Points, Points]]:
    """Corners before and after of the cards that are surely the same; a face turned by half is turned back."""
    found = {face.card: face for face in faces if face.card is not None}
    pairs = []
    for track in tracks:
        face = found.get(track.card) if track.seen and track.card is not None else None
        if face is None:
            continue
        before, after = _points(track.corners), _points(face.corners)
        turned = np.roll(after, 2, axis=0)
        pairs.append((before, min(after, turned, key=lambda points: float(np.abs(points - before).sum()))))
    return pairs


def _points(corners: Corners) -> Points:
    return np.asarray(corners, np.float32)


def _corners(points: Points) -> Corners:
    a, b, c, d = points.tolist()
    return (tuple(a), tuple(b), tuple(c), tuple(d))
