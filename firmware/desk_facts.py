"""What the store tells at power-on: the last choices, names that have played, finished matches, a suspended one."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

import msgspec

from engine.cards import Card
from engine.errors import RuleError
from engine.rules import RuleSet
from firmware.by_hand import ByHand
from firmware.choices import Choices
from firmware.errors import StoreError
from firmware.events import AnyEvent, Match, Start
from firmware.menu_facts import Suspended
from firmware.menu_fields import SEATS
from firmware.referee import Referee
from firmware.resume import resumed, rules_of
from firmware.screens_view import side_names
from firmware.sette_desk import suspended_game
from firmware.store import MatchRow, Store
from firmware.text import LANGUAGES, Words
from firmware.times import Times
from firmware.view import View

log = logging.getLogger(__name__)

NAME: Final = "table"
BY_HAND: Final = "by hand"
"""Names of the matches in the store: those that the camera watches, and those scored by hand."""

NAMES: Final = 12
"""So many names are offered, those that played last first."""
MATCHES: Final = 20
"""So many finished matches are shown on the display."""


def choices_of(store: Store, first: Choices) -> Choices:
    """The last choices; `first` when there are none, or when they are of another version."""
    kept = store.setting("choices")
    try:
        choices = msgspec.json.decode(kept, type=Choices) if kept else first
        choices.ruleset()
    except (msgspec.DecodeError, RuleError) as error:
        log.warning("the stored choices cannot be used: %s", error)
        return first
    return choices


def known_names(store: Store) -> tuple[str, ...]:
    """Names that have played, the newest first, without those of the seats."""
    seats = {seat for language in LANGUAGES for seat in Words(language)("seats").split()}
    places = range(1, SEATS[-1] + 1)
    seats |= {Words(language)("sette.player", number=place) for language in LANGUAGES for place in places}
    names = [name for row in reversed(store.matches()) for name in row.start.players]
    return tuple(name for name in dict.fromkeys(names) if name not in seats and not name.isdigit())[:NAMES]


def history(store: Store) -> tuple[tuple[str, ...], ...]:
    """Finished matches, the newest first: date, players, totals."""
    over = [row for row in store.matches() if row.state == "over"]
    return tuple(_rows(row, store) for row in reversed(over[-MATCHES:]))


def _rows(row: MatchRow, store: Store) -> tuple[str, ...]:
    ended = next((event for event in reversed(store.events(row.id)) if isinstance(event, Match)), None)
    rules, start = rules_of(row.start), row.start
    names = start.players if rules.game == "sette_e_mezzo" else side_names_of(rules, start)
    totals = [f"{name[:14]:<15}{ended.totals.get(str(side), 0):>5}" for side, name in enumerate(names)] if ended else []
    return (row.began[:16], *totals)


def side_names_of(rules: RuleSet, start: Start) -> tuple[str, ...]:
    """The names of the sides of a match."""
    return side_names(ByHand(rules, start.players).view)


def open_match(store: Store) -> MatchRow | None:
    """The newest match of this box that was not finished."""
    rows = [row for row in store.matches() if row.state == "open" and row.name in {NAME, BY_HAND}]
    return rows[-1] if rows else None


def follower(name: str, events: Sequence[AnyEvent], times: Times) -> Referee | ByHand:
    """Who follows a match of this name from where its events end. Raises `StoreError` for events that are no match."""
    if name != BY_HAND:
        return resumed(events, times)
    start = events[0] if events else None
    if not isinstance(start, Start):
        raise StoreError(f"expected a match to begin with a start event, got {start}")
    kept = ByHand(rules_of(start), start.players)
    kept.resume(events)
    return kept


def suspended(store: Store, say: Words, times: Times) -> Suspended | None:
    """The match that was not finished, as people need to know it again; None without one that can be read."""
    row = open_match(store)
    if row is None:
        return None
    try:
        if rules_of(row.start).game == "sette_e_mezzo":
            return suspended_game(store.events(row.id), say, times)
        view = follower(row.name, store.events(row.id), times).view
    except StoreError as error:
        log.warning("the unfinished match %d cannot be resumed: %s", row.id, error)
        return None
    rules = rules_of(row.start)
    totals = tuple(total if isinstance(total, int) else total[0] for total in view.totals)
    return Suspended(
        say(f"game.{rules.game}"),
        rules.target,
        view.hand,
        side_names(view),
        totals,
        view.expected,
        held=held_open(view),
    )


def held_open(view: View) -> frozenset[Card]:
    """The cards of hands that were shown (Cirulla)."""
    hands = view.state.hands if view.state else ()
    return frozenset(card for hand in hands for card in hand or ())
