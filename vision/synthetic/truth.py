"""The truth of a rendered match, in the form of the recordings that referees are measured with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.cards import Card
from engine.game import score
from engine.play import Play
from engine.state import State
from vision.synthetic.choice import Violation
from vision.synthetic.visible import VisibleCard


def names(cards: Iterable[Card]) -> list[str]:
    """Cards as texts in the order of the alphabet, as the recordings have them."""
    return sorted(str(card) for card in cards)


@dataclass(slots=True)
class Truth:
    """Filled while a match is rendered; `as_json` gives what `truth.json` holds.

    `landed` is the first frame in which the table is at rest after a play, `frame` and `until` the first and the frame
    after the last in which a violation can be seen, `at_rest` the first in which it lies still. The last hand stands
    beside the list of hands too, its piles as `piles_of`: `piles` says whether there are any on the table.
    """

    facts: dict[str, Any]
    hands: list[dict[str, Any]] = field(default_factory=list)
    plays: list[dict[str, Any]] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)
    knocks: list[dict[str, Any]] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)

    def begin_hand(self, first: int, dealer: int, start: Iterable[Card]) -> None:
        """A hand begins with this table."""
        hand = {"first": first, "dealer": dealer, "start": [str(card) for card in start], "complete": False}
        self.hands.append(hand)

    def play(self, play: Play, frames: tuple[int, int, int], shown: bool, table: Iterable[Card]) -> None:
        """A play was made: first frame, frame of rest, last frame; whether its card lay there alone; the table then."""
        entry = {"hand": len(self.hands) - 1, "player": play.player, "card": str(play.card), "takes": names(play.takes)}
        entry |= dict(zip(("first_frame", "landed", "last_frame"), frames, strict=True))
        self.plays.append(entry | {"shown_still": shown, "table": names(table)})

    def knock(self, player: int, cards: Iterable[Card], points: int, frames: tuple[int, int, int]) -> None:
        """Three cards were shown before a player and stay there until they are played."""
        entry = {"hand": len(self.hands) - 1, "player": player, "cards": names(cards), "points": points}
        self.knocks.append(entry | dict(zip(("first_frame", "landed", "last_frame"), frames, strict=True)))

    def violation(self, wrong: Violation, frame: int, at_rest: int, until: int) -> None:
        """A violation was played, held and put back."""
        entry = {"kind": "violation", "rule": wrong.rule, "player": wrong.player, "card": str(wrong.card)}
        entry |= {"takes": names(wrong.takes), "frame": frame, "at_rest": at_rest, "until": until}
        self.faults.append(entry | ({"second": str(wrong.second)} if wrong.second else {}))
        if wrong.shown:
            self.faults[-1] |= {"card": None, "shown": names(wrong.shown)}

    def misdeal(self, player: int, cards: Iterable[Card], frame: int, at_rest: int, until: int) -> None:
        """A first table that must be dealt again lay there."""
        entry = {"kind": "violation", "rule": "misdeal", "player": player, "card": None, "takes": []}
        self.faults.append(entry | {"table": names(cards), "frame": frame, "at_rest": at_rest, "until": until})

    def disturbance(self, what: str, frame: int) -> None:
        """Something happened that is no fault."""
        self.faults.append({"kind": "disturb", "what": what, "frame": frame})

    def end_hand(self, state: State) -> None:
        """A hand was played to its end."""
        points = score(state)
        self.hands[-1] |= {
            "complete": True,
            "points": {str(side): won.items() for side, won in enumerate(points)},
            "total": {str(side): won.total for side, won in enumerate(points)},
            "piles": {str(side): [str(card) for card in sorted(pile)] for side, pile in enumerate(state.piles)},
        }

    def as_json(self, frames: int) -> dict[str, Any]:
        """Everything as JSON wants it."""
        if self.rounds:
            return self.facts | {"frames": frames, "rounds": self.rounds}
        facts = self.facts | {"frames": frames, "hands": self.hands, "plays": self.plays, "faults": self.faults}
        if self.knocks:
            facts["knocks"] = self.knocks
        last = self.hands[-1] if self.hands else {}
        return facts | {("piles_of" if key == "piles" else key): value for key, value in last.items()}


def visible_json(frame: int, cards: Iterable[VisibleCard]) -> dict[str, Any]:
    """One line of the truth by frames."""
    return {
        "frame": frame,
        "cards": [
            {
                "card": str(one.card),
                "visible": round(one.share, 3),
                "corners": [[round(x, 1), round(y, 1)] for x, y in one.corners],
                "moving": one.moving,
            }
            for one in cards
        ],
    }
