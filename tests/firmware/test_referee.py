"""The referee through the observations door: people play, the camera sees them, the events must tell what they did."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from engine import game
from engine.play import Play
from engine.rules import variant
from firmware.events import AnyEvent, Fault, Hand, Played, Settled, Undone
from firmware.referee import Referee
from tests.firmware.camera import Camera, deck_order


@dataclass
class Hands:
    """A hand whose cards are dealt from a shuffled deck; each play is chosen by a number."""

    name: str
    seed: int
    plays: list[Play] = field(default_factory=list)

    def __post_init__(self) -> None:
        rules, cards = variant(self.name), deck_order(self.seed)
        first = cards[: rules.table_cards]
        self.first = first
        self.state = game.new_hand(rules, rules.players - 1, first, stock=cards[rules.table_cards :])

    def next(self) -> Play:
        """A play of the player to move, and the state after it."""
        plays = game.legal_plays(self.state)
        play = plays[(self.seed * 7919 + self.state.plays * 104729) % len(plays)]
        self.state = game.apply(self.state, play)
        self.plays.append(play)
        return play


def watch(name: str, camera: Camera) -> list[AnyEvent]:
    """All events of a referee who sees what the camera saw."""
    rules = variant(name)
    referee = Referee(rules, [str(player) for player in range(rules.players)])
    events = referee.begin()
    for observation in camera.seen:
        events += referee.observe(observation)
    return events


def played(events: list[AnyEvent]) -> list[tuple[int, str | None, tuple[str, ...]]]:
    """Player, card and captured cards of each play, those that were settled later included."""
    later = {event.n: event.card for event in events if isinstance(event, Settled)}
    return [(e.player, e.card or later.get(e.n), e.takes) for e in events if isinstance(e, Played)]


def told(plays: list[Play]) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(play.player, str(play.card), tuple(str(card) for card in sorted(play.takes))) for play in plays]


def hand(name: str, seed: int, fps: float = 5.0, how: str = "seen", rest: float = 1.0) -> tuple[list[AnyEvent], Hands]:
    """A whole hand without anything special."""
    rules, hands = variant(name), Hands(name, seed)
    camera = Camera(rules.players, fps)
    camera.rest(0.6)
    camera.deal(rules.players - 1, hands.first)
    camera.rest(1.0)
    while not hands.state.over:
        play = hands.next()
        if play.takes:
            camera.take(play.player, play.card, play.takes, how=how, rest=rest)
        else:
            camera.lay(play.player, play.card, rest)
    camera.gather(0)
    return watch(name, camera), hands


def dealt(seeds: range, name: str) -> list[int]:
    """The seeds whose first table need not be dealt again."""
    kings = [sum(card.value == 10 for card in deck_order(seed)[:4]) for seed in seeds]
    return [seed for seed, count in zip(seeds, kings, strict=True) if count < 3]


@pytest.mark.parametrize("name", ["scopa_2", "scopa_3", "scopa_4"])
@pytest.mark.parametrize("fps", [5.0, 10.0, 15.0])
def test_quiet_hands_are_followed(name: str, fps: float) -> None:
    for seed in dealt(range(1, 3), name):
        events, hands = hand(name, seed, fps)
        assert played(events) == told(hands.plays)
        assert not [event for event in events if isinstance(event, Fault | Undone)]
        (end,) = [event for event in events if isinstance(event, Hand)]
        assert end.settled
        assert end.total == {str(side): points.total for side, points in enumerate(game.score(hands.state))}
