"""The referee's times and limits, all in one place: seconds, except where a name says otherwise."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Times:
    """How long the referee waits. Every time counts from the last motion, on the clock of the observations.

    `settled`: two equal readings this far apart, no hand over the table, make a table that may be judged. `lay`: a
    card that can take nothing is committed. `unseen`: a capture whose played card was not seen is committed, since it
    may be half of a capture in two movements. `bad_take`, `must_take`, `unknown_change`: the fault of that name is
    told. `lost`: after so long a table that nothing explained is told also while people play on. `ask`: a card that
    stays unreadable becomes a question. `resting`: an arm that lies still this long is no hand in play. `certain`: the
    probability from which something counts as certain. `readings`: how many impossible readings of one card make
    `card_already_out`. `repeat`: the sound of an open alarm comes again.
    """

    settled: float = 0.2
    lay: float = 0.4
    unseen: float = 0.6
    bad_take: float = 1.0
    must_take: float = 2.5
    unknown_change: float = 4.0
    lost: float = 20.0
    ask: float = 2.0
    resting: float = 1.5
    certain: float = 0.999
    readings: int = 5
    repeat: float = 30.0
