"""Weighing: from the causes of a change of the table to what is certain, what is open, what is against the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.play import Play
from firmware.causes import Cause
from firmware.events import How
from firmware.evidence import Glimpse
from firmware.record import Turn

ASKED = 0.9
"""From this share on, a card that was laid and that nobody can read is all that may have happened."""
WORTH_ASKING = 0.01
"""Share of a card that is worth being named in a question."""
NEGLIGIBLE = 1e-4
"""An option of an open play that is less likely than this is left out."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The likeliest group of causes that differ only in cards nobody saw. `share` is its probability.

    `doubt` are cards that were read instead, not for certain, and that the rules refuse: the play stays open.
    """

    cause: Cause
    group: tuple[Cause, ...]
    share: float
    doubt: frozenset[Card] = frozenset()

    @property
    def weight(self) -> float:
        """The weight of the whole group: how well it explains what was seen, whatever else might."""
        return sum(cause.weight for cause in self.group)


def weigh(causes: Sequence[Cause]) -> Verdict | None:
    """The likeliest group, None when nothing explains what is seen."""
    return max(groups(causes), key=lambda verdict: verdict.share, default=None)


def trusting(causes: Sequence[Cause]) -> Verdict | None:
    """As `weigh`; but what the rules refuse gives way to what they allow while the refused card is not certain."""
    verdict = weigh(causes)
    if verdict is None or verdict.cause.kind == "same":
        return verdict
    allowed = weigh([cause for cause in causes if cause.kind == "legal" and not cause.retracts])
    played = {play.card for play in allowed.cause.plays} if allowed else set()
    unsure = [
        cause
        for cause in causes
        if cause.kind in {"illegal", "half"} and cause.shown and not cause.sure and cause.plays[-1].card not in played
    ]
    wrong = [cause for cause in causes if cause.kind in {"illegal", "half"} and cause.sure]
    heaviest = max((cause.weight for cause in unsure), default=0.0)
    if (
        not allowed
        or (allowed.cause.shown and allowed.cause.sure)
        or heaviest < NEGLIGIBLE * allowed.cause.weight
        or (wrong and wrong[0].weight > heaviest)
    ):
        return verdict
    return replace(allowed, doubt=frozenset(cause.plays[-1].card for cause in unsure if cause.plays))


def groups(causes: Sequence[Cause]) -> list[Verdict]:
    """Causes that differ only in cards nobody saw are one group."""
    total = sum(cause.weight for cause in causes)
    if not total:
        return []
    found: defaultdict[object, list[Cause]] = defaultdict(list)
    for cause in causes:
        found[_structure(cause)].append(cause)
    return [Verdict(group[0], tuple(group), sum(cause.weight for cause in group) / total) for group in found.values()]


def laid(causes: Sequence[Cause]) -> tuple[Card, ...]:
    """The cards that the one card may be that was laid, likeliest first; none if something else may have happened."""
    total = sum(cause.weight for cause in causes)
    shares: defaultdict[Card, float] = defaultdict(float)
    for cause in causes:
        if cause.kind == "legal" and not cause.retracts and len(cause.plays) == 1 and not cause.plays[0].takes:
            shares[cause.plays[0].card] += cause.weight
    if sum(shares.values()) < ASKED * total:
        return ()
    return tuple(
        card for card in sorted(shares, key=lambda card: -shares[card]) if shares[card] >= WORTH_ASKING * total
    )


def _structure(cause: Cause) -> object:
    """What causes of a group have in common: all but the cards of captures. A card that stays lies in sight."""
    steps = tuple((play.player, play.takes, None if play.takes else play.card) for play in cause.plays)
    if cause.kind in {"illegal", "half"}:
        return "wrong", steps
    return cause.kind, cause.retracts, steps


def turn(n: int, verdict: Verdict, place: int, glimpsed: Sequence[Glimpse], certain: float) -> Turn:
    """One play of a group, open if no card is `certain` enough (probability 0..1)."""
    shares = options(verdict, place)
    card, share = next(iter(shares.items()))
    play = replace(verdict.cause.plays[place], card=card)
    if share >= certain and not verdict.doubt:
        how = _how_known(play, glimpsed)
        return Turn(n, play, frozenset({card}), how, round(verdict.share * share, 6))
    return Turn(n, play, verdict.doubt.union(shares), "open", round(verdict.share * share, 6))


def options(verdict: Verdict, place: int) -> dict[Card, float]:
    """The cards that one play of the group may be, with their probabilities within the group, likeliest first."""
    shares: defaultdict[Card, float] = defaultdict(float)
    for cause in verdict.group:
        shares[cause.plays[place].card] += cause.weight
    total = sum(shares.values())
    ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    return {card: share / total for card, share in ranked if share > NEGLIGIBLE * total}


def _how_known(play: Play, glimpsed: Sequence[Glimpse]) -> How:
    """How a certain card is known."""
    if not play.takes:
        return "seen"
    named = [glimpse for glimpse in glimpsed if glimpse.readings.get(play.card, 0.0) > 0.5]
    if not named:
        return "deduced"
    return "seen" if any(glimpse.clean for glimpse in named) else "glimpsed"
