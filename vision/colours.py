"""Are red and blue swapped? Some camera drivers call one order by the other's name, and change it with an update."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.deck import Deck
from vision.detect import read
from vision.faces import Picture
from vision.observation import PictureReading
from vision.recognise import match_patches, rectify

BETTER: Final = 0.05
"""By how much cards must look more like faces with the channels swapped, in correlation."""


def red_and_blue_swapped(picture: Picture, reading: PictureReading, deck: Deck) -> bool:
    """True if the cards of a picture (BGR uint8) are more like the deck's faces with red and blue exchanged.

    `reading` is what was read from the picture as it is. Without any card in it the exchanged picture is read too.
    """
    whole = [np.array(card.corners, np.float32) for card in reading.cards if card.visible > 0.9]
    if not whole:
        return any(card.card is not None for card in read(exchanged(picture), deck).cards)
    patches = [rectify(picture, corners, deck.templates.width) for corners in whole]
    straight = match_patches(patches, deck.templates)
    swapped = match_patches([exchanged(patch) for patch in patches], deck.templates)
    gain = [two.quality - one.quality for one, two in zip(straight, swapped, strict=True)]
    return float(np.mean(gain)) > BETTER


def exchanged(picture: Picture) -> Picture:
    """The picture with red and blue exchanged."""
    return np.ascontiguousarray(picture[..., ::-1])
