"""What the buttons ask of the rest of the box: the menus only decide, they never do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.cards import Card
from firmware.choices import Choices

ActionName = Literal[
    # the match
    "start",  # with `choices`
    "resume",  # the suspended match goes on
    "restart_hand",  # the suspended hand is dealt anew
    "accept_table",  # what lies there is the table
    "leave",  # the match is given up
    "rematch",
    "next_hand",
    # the referee
    "done",  # "I have finished": judge now
    "misread",  # the card was read wrongly, or was taken back
    "overrule",  # "all agree": the play counts
    "reread",  # look at the table again
    "restore",  # back to the last safe table
    "drop",  # the request to put cards back is dropped
    "answer",  # play `n` was `card`
    "later",  # play `n` is settled at the end of the hand
    "type",  # the play was `card` with `takes`
    "undo",  # plays from `n` on are annulled
    "redeal",  # the running hand counts for nothing
    "knock",  # `player` has knocked, with the kind and points that were `said`
    "undo_knock",  # the last knock is annulled
    "claim",  # `player` says that he has reached the target
    "pause",
    # the end of a hand
    "count",  # the piles are fanned out
    "recount",
    "counted",
    "settle",  # no more counting: the points as they are known
    "give",  # `card` belongs to the side of `player`
    "correct",  # the points of hand `n` are what was `said`
    "by_hand",  # a match without a camera, with `choices`
    "points",  # what was `said` of a hand
    # the box
    "keep",  # the `choices` are stored
    "off",
    "learn",
    "calibrate",
    "selftest",
    "backup",
    "restore_copy",  # the state is what backup `n` of those shown holds
    "report",
    "save",
    "skip",  # the wanted card comes later
    "redo",  # the last card once more
    "take",  # what lies there is good enough
    "cancel",
    "show",  # the message and its sound again
]


@dataclass(frozen=True, slots=True)
class Action:
    """One wish, with what it needs: see the names above."""

    name: ActionName
    n: int | None = None
    player: int | None = None
    card: Card | None = None
    takes: tuple[Card, ...] = ()
    said: tuple[tuple[str, int], ...] = ()
    choices: Choices | None = None
