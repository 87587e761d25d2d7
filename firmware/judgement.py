"""Weighing: from the causes of a change of the table to what is certain, what is open, what is against the rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Card
from engine.play import Play
from firmware.causes import Cause
from firmware.events import How
from firmware.evidence import Glimpse

NEGLIGIBLE = 1e-4
"""An option of an open play that is less likely than this is left out."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The likeliest group of causes that differ only in cards nobody saw. `share` is its probability."""

    cause: Cause
    group: tuple[Cause, ...]
    share: float


def weigh(causes: Sequence[Cause]) -> Verdict | None:
    """The likeliest group, None when nothing explains what is seen."""
    total = sum(cause.weight for cause in causes)
    if not total:
        return None
    groups: defaultdict[object, list[Cause]] = defaultdict(list)
    for cause in causes:
        groups[_structure(cause)].append(cause)
    best = max(groups.values(), key=lambda group: sum(cause.weight for cause in group))
    return Verdict(best[0], tuple(best), sum(cause.weight for cause in best) / total)


def _structure(cause: Cause) -> object:
    """What causes of a group have in common: all but the card of a capture, and its suit when a card stays."""
    steps = tuple((play.player, play.takes, 0 if play.takes else play.card.value) for play in cause.plays)
    if cause.kind in {"illegal", "half"}:
        return "wrong", steps
    return cause.kind, cause.retracts, steps


def options(verdict: Verdict, place: int) -> dict[Card, float]:
    """The cards that one play of the group may be, with their probabilities within the group, likeliest first."""
    shares: defaultdict[Card, float] = defaultdict(float)
    for cause in verdict.group:
        shares[cause.plays[place].card] += cause.weight
    total = sum(shares.values())
    ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    return {card: share / total for card, share in ranked if share > NEGLIGIBLE * total}


def how_known(play: Play, glimpsed: Sequence[Glimpse]) -> How:
    """How a certain card is known."""
    if not play.takes:
        return "seen"
    named = [glimpse for glimpse in glimpsed if glimpse.readings.get(play.card, 0.0) > 0.5]
    if not named:
        return "deduced"
    return "seen" if any(glimpse.clean for glimpse in named) else "glimpsed"
