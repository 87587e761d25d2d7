"""What the menus and screens need to know of the box and of the match: plain facts, collected by the loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from engine.cards import Card, Family
from engine.play import KnockKind
from engine.rules import RuleSet
from firmware.doctor import Finding
from firmware.events import Hand, Knocked, Played
from firmware.menu_fields import Known
from firmware.pile_count import PileCount
from firmware.view import View

ANNOUNCED: Final = {"laid": 2.0, "took": 4.0, "scopa": 8.0, "knock": 6.0}
"""Seconds for which a play is shown before the page of the next turn, by its kind."""

Ability = Literal["learn", "calibrate", "selftest", "backup", "report"]


@dataclass(frozen=True, slots=True)
class NoCamera:
    """The camera does not answer: the next try in `wait` seconds, the `attempt`-th, and the fault's code."""

    wait: int
    attempt: int
    code: str


@dataclass(frozen=True, slots=True)
class Suspended:
    """A match on disk that may be resumed. `found` is what lies on the table now, None while it was not seen.

    `held` are the cards of hands that were shown and may lie open too."""

    game: str
    target: int
    hand: int
    names: tuple[str, ...]
    totals: tuple[int, ...]
    saved: tuple[Card, ...]
    found: tuple[Card, ...] | None = None
    held: frozenset[Card] = frozenset()


@dataclass(frozen=True, slots=True)
class Trouble:
    """Light that changed (`seconds` until it is learnt), or glare over `count` cards at `where` of the table."""

    kind: Literal["light", "glare"]
    seconds: int = 0
    count: int = 0
    where: str = "centre"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task of the box has got: `done` of `total`, the `card` wanted, lines of (label, state), a remark.

    `copies` are the names of older backups beside the one just made.
    """

    done: int = 0
    total: int = 0
    card: Card | None = None
    lines: tuple[tuple[str, str], ...] = ()
    note: str = ""
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts of one moment; `now` in seconds on the clock of the gestures.

    Without `view` no match runs. `plays` are those of the match that stand, the oldest first, `told` is when the last
    was told. `family` is what the deck's cards are called by. `checks` are what power-on has reached, empty once
    the box is ready. `history` are finished matches, the newest first, as rows of text. `able` are the tasks
    of this box, `findings` what its self-test found. `undone` is the play
    whose cards are going back, `slow`: the others wait for whoever is to play.
    """

    now: float = 0.0
    known: Known = field(default_factory=Known)
    family: Family = "italian"
    version: str = ""
    checks: tuple[tuple[str, str], ...] = ()
    camera: NoCamera | None = None
    suspended: Suspended | None = None
    trouble: Trouble | None = None
    view: View | None = None
    rules: RuleSet | None = None
    by_hand: bool = False
    plays: tuple[Played, ...] = ()
    hands: tuple[Hand, ...] = ()
    count: PileCount | None = None
    told: float = float("-inf")
    undone: Played | None = None
    slow: bool = False
    minutes: int = 0
    number: int | None = None
    history: tuple[Sequence[str], ...] = ()
    progress: Progress | None = None
    findings: tuple[Finding, ...] = ()
    able: frozenset[Ability] = frozenset()

    @property
    def restorable(self) -> tuple[str, ...]:
        """The backups that may take the place of all that is here; none while a match runs."""
        return self.progress.copies if self.progress and self.view is None and self.number is None else ()

    @property
    def announcing(self) -> bool:
        """Whether the last play or knock is still being shown."""
        if self.view is None or (self.view.last is None and self.view.knocked is None):
            return False
        if self.view.knocked is not None or self.view.last is None:
            return self.now - self.told < ANNOUNCED["knock"]
        last = self.view.last
        kind = "scopa" if last.scopa else "took" if last.takes else "laid"
        return self.now - self.told < ANNOUNCED[kind]

    @property
    def knockers(self) -> tuple[tuple[int, KnockKind, int], ...]:
        """Who may still say that he has knocked: (player, kind, points), for each kind; nobody but in Cirulla."""
        state, rules = self.view.state if self.view and self.view.phase in {"play", "paused"} else None, self.rules
        if state is None or rules is None or not rules.bussate:
            return ()
        able = [p for p, held in enumerate(state.held) if held == rules.hand_cards and p not in state.knocked]
        kinds: tuple[tuple[KnockKind, int], ...] = (("low", rules.bussata_low), ("three", rules.bussata_three))
        return tuple((player, kind, points) for player in able for kind, points in kinds)

    @property
    def disputable(self) -> tuple[Played | Knocked, ...]:
        """What may be contested, the newest last: the plays, and a knock that no play followed yet."""
        knocked = self.view.knocked if self.view else None
        return (*self.plays, knocked) if knocked else self.plays

    @property
    def overruled(self) -> int:
        """Plays that the players accepted against the rules."""
        return sum(play.overruled for play in self.plays)
