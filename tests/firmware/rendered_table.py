"""A rendered match without its pictures: what the camera would see of it, told by the truth of every frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.cards import Card
from vision.observation import SeenCard, TableObservation
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.visible import VisibleCard, visible_cards

READ = 0.6
"""Share of a face from which a card is read for certain; below it, a card that lay there already is remembered."""


@dataclass
class _Eyes:
    """The tracks of the cards in sight, and what was seen a frame before."""

    tracks: dict[Card, int] = field(default_factory=dict)
    before: dict[Card, VisibleCard] = field(default_factory=dict)
    count: int = 0

    def see(self, visible: tuple[VisibleCard, ...]) -> list[SeenCard]:
        """The cards of one frame."""
        shown = {one.card: one for one in visible if one.share >= READ or (one.card in self.before and not one.moving)}
        self.tracks = {card: track for card, track in self.tracks.items() if card in shown}
        for card in shown.keys() - self.tracks.keys():
            self.count += 1
            self.tracks[card] = self.count
        cards = [self._seen(one) for one in shown.values()]
        self.before = shown
        return cards

    def _seen(self, one: VisibleCard) -> SeenCard:
        last = self.before.get(one.card)
        still = last is not None and last.corners == one.corners and not one.moving
        return SeenCard(
            self.tracks[one.card],
            one.card,
            0.9999,
            ((one.card, 0.9999),),
            one.corners,  # type: ignore[arg-type]
            one.share,
            one.share >= READ,
            still,
        )


def observed(match: RenderedMatch, fps: int) -> Iterator[TableObservation]:
    """An observation for each frame; a scopa mark under a pile is no card of the table, as the eyes know."""
    eyes, last = _Eyes(), None
    for scene in match.director.scenes():
        table = replace(scene, lying=tuple(thing for thing in scene.lying if not thing.key.startswith("mark")))
        same = replace(table, frame=0, before=None)
        arms = tuple(sorted({arm.seat for arm in scene.arms}))
        cards = eyes.see(visible_cards(table, match.look.camera, match.look.pack))
        yield TableObservation(scene.frame, scene.frame / fps, same == last and not arms, arms, tuple(cards), ())
        last = same
