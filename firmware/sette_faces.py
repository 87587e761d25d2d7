"""The cards before the players of Sette e mezzo against a round: which of them the record does not have yet."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from engine.cards import Card
from engine.sette_round import Round
from firmware.events import Step
from firmware.sette_judge import Cover, Reading, read
from firmware.sette_seats import SeatSight, long_side
from firmware.sette_steps import Shows
from firmware.times import Times
from vision.change import TICK, Sight
from vision.observation import Point, TableObservation, middle

IN_PLACE = 0.4
"""A face within so many long sides of where a back lay is that card turned over."""

Fresh = tuple[int, Sight, Cover]
"""A card that the record does not have: its player, its sight, and his covered card then."""


class Faces:
    """What is known of the cards that lie there, by track. `returning`: a game goes on after a power cut."""

    def __init__(self, times: Times, players: int, returning: bool) -> None:
        self.sights = (SeatSight(),) * players
        self.known: dict[int, Card] = {}
        self._times, self._returning = times, returning
        self._said: dict[int, Card] = {}
        self._said_cover: dict[int, Cover] = {}
        self._ignored: set[int] = set()
        self._bared: set[int] = set()
        self._still: dict[int, float] = {}
        self._covers: dict[int, Point] = {}

    def see(self, sights: tuple[SeatSight, ...], observation: TableObservation, settled: bool) -> None:
        """One more look: since when cards lie still, where covered ones lie, which faces came while none did."""
        still = {card.track for card in observation.cards if card.still and card.seen}
        self._still = {track: self._still.get(track, observation.time) for track in still}
        self.sights = sights
        for player, seat in enumerate(sights):
            if not seat.backs:
                self._bared |= {sight.track for sight in seat.faces if sight.track not in self.known}
            elif settled:
                self._covers[player] = seat.backs[0]

    def begin(self) -> None:
        """A round is dealt: nothing of the last one counts."""
        self.known, self._ignored, self._bared = {}, set(), set()
        self._covers = {player: seat.backs[0] for player, seat in enumerate(self.sights) if seat.backs}

    def rests(self, sight: Sight, now: float) -> bool:
        """Whether a card has lain still, in full sight, for long enough: a hand elsewhere does not matter."""
        since = self._still.get(sight.track)
        return since is not None and now - since >= self._times.lay - TICK

    def bared(self, sight: Sight) -> bool:
        """Whether for a while no back was seen at its seat, since the card came."""
        return sight.track in self._bared

    # what the players say

    def name(self, track: int, card: Card) -> None:
        """A card is this one."""
        self._said[track] = card

    def tell_cover(self, tracks: Sequence[int], cover: Cover) -> None:
        """Cards are new ones, or the covered one turned up."""
        self._said_cover |= dict.fromkeys(tracks, cover)

    def ignore(self, player: int) -> None:
        """The cards before a player that the record does not have count for nothing."""
        self._ignored |= set(self.unknown(player))

    def unknown(self, player: int) -> list[int]:
        """The tracks before a player that the record does not have."""
        return [sight.track for sight in self.sights[player].faces if sight.track not in self.known]

    def named(self, sight: Sight) -> bool:
        """Whether the players told which card it is."""
        return sight.track in self._said

    # against the record

    def undone(self, standing: frozenset[Card]) -> None:
        """Steps were annulled: what lies there of theirs counts for nothing; `standing` are the cards that still do."""
        self._ignored |= {track for track, card in self.known.items() if card not in standing}
        self.known = {track: card for track, card in self.known.items() if card in standing}

    def renamed(self, old: Card | None, new: Card | None) -> None:
        """A step showed another card than was read."""
        if new is not None:
            self.known = {track: new if card == old else card for track, card in self.known.items()}

    def swapped(self, player: int) -> None:
        """A swap was told: what else came meanwhile was drawn after it."""
        self._bared -= {sight.track for sight in self.sights[player].faces}

    def settled(self) -> None:
        """After the first quiet look everything is known again."""
        self._returning = False

    def fresh(self, state: Round, steps: Sequence[Step]) -> list[Fresh]:
        """The cards that the record does not have, in their order; `steps` are those of this round."""
        self._forget()
        found: list[Fresh] = []
        for player in state.order:
            new = [sight for sight in self.sights[player].faces if not self._is_known(sight, state)]
            if self._returning:
                new = self._told_before(player, new, steps)
            new = self._in_order(state, player, new)
            found += [(player, sight, self._cover(state, player, sight, new)) for sight in new]
        return sorted(found, key=lambda one: state.order.index(one[0]) if one[0] != state.turn else -1)

    def read(self, sight: Sight, state: Round) -> Reading:
        """A card as it is read among those that can be there, or as the players told it."""
        if sight.track in self._said:
            return Reading(self._said[sight.track], 1.0)
        lost = state.shown - frozenset(self.known.values())
        return read(sight, state.fresh | lost)

    def _forget(self) -> None:
        """What was known of cards that lie there no more."""
        lying = {sight.track for seat in self.sights for sight in seat.faces}
        self.known = {track: card for track, card in self.known.items() if track in lying}
        self._said = {track: card for track, card in self._said.items() if track in lying}
        self._said_cover = {track: cover for track, cover in self._said_cover.items() if track in lying}
        self._ignored &= lying

    def _cover(self, state: Round, player: int, sight: Sight, new: Sequence[Sight]) -> Cover:
        """What is known of a player's covered card when a new card lies before him."""
        if sight.track in self._said_cover:
            return self._said_cover[sight.track]
        # Of several new cards the last one of a player is the covered card turned up, the first one of the bank.
        if self.sights[player].backs or (player != state.bank and sight is not new[-1]):
            return "there"
        place = self._covers.get(player)
        if place is None:
            return "unknown"
        return "turned" if dist(middle(sight.corners), place) < IN_PLACE * long_side(sight.corners) else "gone"

    def _is_known(self, sight: Sight, state: Round) -> bool:
        if sight.track in self.known or sight.track in self._ignored:
            return True
        reading = self.read(sight, state)
        if reading.card is not None and reading.card in state.shown and reading.share >= self._times.certain:
            self.known[sight.track] = reading.card  # seen before, lost from sight, and found again
            return True
        return False

    def _told_before(self, player: int, new: list[Sight], steps: Sequence[Step]) -> list[Sight]:
        """Without the cards that the players named: after a power cut such a card is read wrongly once more."""
        asked = [step for step in steps if isinstance(step, Shows) and step.how == "asked" and step.player == player]
        left = list(new)
        for card in (Card.parse(step.card) for step in asked):
            if left and card not in self.known.values():
                sight = max(left, key=lambda sight: dict(sight.options).get(card, 0.0))
                self.known[sight.track] = card
                left.remove(sight)
        return left

    def _in_order(self, state: Round, player: int, new: list[Sight]) -> list[Sight]:
        """New cards of one player as they came; of a covered card that was turned up its place tells when."""
        cover = self._covers.get(player)
        if len(new) < 2 or cover is None or self.sights[player].backs or state.covered[player] is not None:
            return new
        turned = min(new, key=lambda sight: dist(middle(sight.corners), cover))
        others = [sight for sight in new if sight is not turned]
        return [turned, *others] if player == state.bank else [*others, turned]
