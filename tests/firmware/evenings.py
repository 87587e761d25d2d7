"""Whole hands as people play them: quick and slow, captures in every manner, disturbances, faults and their repair."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine import game
from engine.cards import DECK, Card
from engine.deal import opening
from engine.play import Play
from engine.rules import variant
from firmware.events import AnyEvent, Fault, Hand, Knocked, Played, Settled, Undone
from tests.firmware.camera import Camera

MANNERS = ("seen",) * 12 + ("glimpsed",) * 5 + ("two",) * 2 + ("unseen",)
SECONDS_HELD = 4.4
"""So long a violation lies there until it is put back."""


@dataclass
class Evening:
    """Hands one after the other with the truth of what was played and what was violated."""

    name: str
    seed: int
    fps: float
    manners: tuple[str, ...] = MANNERS
    disturbed: float = 0.08
    violated: float = 0.05
    knocking: float = 0.8
    rests: tuple[float | None, ...] = (0.6, 0.8, 1.0, 1.6)
    camera: Camera = field(init=False)
    plays: list[Play] = field(default_factory=list)
    faults: list[tuple[str, int, str]] = field(default_factory=list)
    knocks: list[tuple[int, tuple[str, ...], object]] = field(default_factory=list)
    totals: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules = variant(self.name)
        self.random = random.Random(self.seed)
        self.camera = Camera(self.rules.players, self.fps)
        self.dealer = self.rules.players - 1
        self.camera.rest(0.6)

    def hand(self) -> None:
        """One hand, from the deal to the cleared table."""
        cards = self._shuffled()
        first = cards[: self.rules.table_cards]
        self.state = game.new_hand(self.rules, self.dealer, first, stock=cards[self.rules.table_cards :])
        self.camera.deal(self.dealer, first)
        if self.state.scope != (0,) * len(self.state.scope):
            self.camera.rest(1.2)
            self.camera.gather(self.dealer)
        self.camera.rest(1.0)
        while not self.state.over:
            self._turn()
        points = game.score(self.state)
        self.totals.append({str(side): count.total for side, count in enumerate(points)})
        self.camera.gather(self.dealer)
        self.dealer = (self.dealer + 1) % self.rules.players

    def _shuffled(self) -> list[Card]:
        while True:
            cards = self.random.sample(DECK, len(DECK))
            if self.rules.table_cards == 0 or not opening(self.rules, cards[: self.rules.table_cards]).redeal:
                return cards

    def _turn(self) -> None:
        self._knock()
        if self.random.random() < self.violated:
            self._violate()
        if self.random.random() < self.disturbed:
            self._disturb()
        play = self.random.choice(game.legal_plays(self.state))
        rest = self.random.choice(self.rests)
        if play.takes:
            how = self.random.choice(self.manners)
            self.camera.take(play.player, play.card, sorted(play.takes), how=how, rest=rest)
        else:
            self.camera.lay(play.player, play.card, rest)
        self.state = game.apply(self.state, play)
        self.plays.append(play)

    def _knock(self) -> None:
        """A player who may knock does so, mostly just before he plays; what does not pay is shown now and then."""
        if not self.rules.bussate:
            return
        can = {knock.player: knock for knock in game.legal_knocks(self.state)}
        for player in {self.state.turn, self.random.randrange(self.rules.players)} & can.keys():
            if self.random.random() < self.knocking:
                knock = can[player]
                self.camera.knock(player, sorted(knock.cards or ()), self.random.choice((0.6, 1.0, 1.6)))
                self.state = game.apply(self.state, knock)
                self.knocks.append((player, tuple(map(str, sorted(knock.cards or ()))), self.state.bussate))
        hand = sorted(self.state.hands[self.state.turn] or ())
        if self.random.random() < self.violated and self.state.turn not in can:
            self._knock_wrongly(hand)

    def _knock_wrongly(self, hand: list[Card]) -> None:
        code = "knock_not_valid" if len(hand) == 3 else "knock_too_late"
        if len(hand) < 2 or self.state.turn in self.state.knocked:
            return
        self.camera.knock(self.state.turn, hand, SECONDS_HELD)
        self.camera.give_back(self.state.turn, hand, [])
        self.faults.append((code, self.state.turn, "None"))

    def _violate(self) -> None:
        """A play against the rules is made, held, and taken back."""
        player, hand = self.state.turn, sorted(self.state.hands[self.state.turn] or ())
        card = self.random.choice(hand)
        table = sorted(self.state.table)
        takes = frozenset(self.random.sample(table, min(len(table), self.random.choice((0, 1, 2)))))
        code = game.verdict(self.state, Play(player, card, takes))
        if code is None or code == "wrong_turn":
            return
        if takes:
            self.camera.take(player, card, sorted(takes), rest=SECONDS_HELD)
            self.camera.give_back(player, [], sorted(takes))
        else:
            self.camera.lay(player, card, SECONDS_HELD)
            self.camera.give_back(player, [card], [])
        self.faults.append((code, player, str(card)))

    def _disturb(self) -> None:
        who = self.random.randrange(self.rules.players)
        what = self.random.choice(("nudge", "lost", "hover", "hidden", "light"))
        if what in {"nudge", "lost"}:
            self.camera.nudge(who, retrack=what == "lost")
        elif what == "hover":
            self.camera.reach(who, 1.0, hidden=self.camera.lying)
            self.camera.settle()
            self.camera.rest(0.8)
        elif what == "hidden" and self.camera.lying:
            for _ in range(self.camera.frames(1.5)):
                self.camera.show(hidden=[next(iter(self.camera.lying))])
        else:
            self.camera.show(still=False, light=True)
            self.camera.rest(0.8)


@dataclass
class Count:
    """What a referee made of an evening."""

    plays: int = 0
    right: int = 0
    open: int = 0
    wrong: list[str] = field(default_factory=list)
    retracted: int = 0
    faults: int = 0
    named: int = 0
    false_alarms: list[str] = field(default_factory=list)
    points_wrong: int = 0
    points_open: int = 0
    knocks: int = 0
    knocks_wrong: int = 0

    def add(self, evening: Evening, events: Iterable[AnyEvent]) -> None:
        """Compares the events of one evening with its truth."""
        told = list(events)
        self._plays(evening, told)
        alarms = [(event.rule, event.player, str(event.card)) for event in told if isinstance(event, Fault)]
        self.faults += len(evening.faults)
        self.named += sum(fault in alarms for fault in evening.faults)
        self.false_alarms += [f"{evening.name} {evening.seed} {a}" for a in alarms if a not in evening.faults]
        shown = [(event.player, event.cards) for event in told if isinstance(event, Knocked)]
        self.knocks_wrong += shown != [knock[:2] for knock in evening.knocks]
        self.knocks += len(shown)
        ends = [event for event in told if isinstance(event, Hand)]
        self.points_open += sum(not end.settled for end in ends)
        pairs = zip(ends, evening.totals, strict=False)
        self.points_wrong += sum(end.settled and dict(end.total) != total for end, total in pairs)
        self.points_wrong += abs(len(ends) - len(evening.totals))

    def _plays(self, evening: Evening, told: list[AnyEvent]) -> None:
        plays: dict[int, Played] = {}
        for event in told:
            if isinstance(event, Played):
                plays[event.n] = event
            elif isinstance(event, Undone):
                self.retracted += 1
                del plays[event.n]
        later = {event.n: event.card for event in told if isinstance(event, Settled)}
        self.plays += len(evening.plays)
        for n, truth in enumerate(evening.plays, 1):
            got = plays.get(n)
            takes = tuple(str(card) for card in sorted(truth.takes))
            known = got and (got.card or later.get(n))
            if got is None or (got.player, got.takes) != (truth.player, takes) or known not in (None, str(truth.card)):
                self.wrong.append(f"{evening.name} seed {evening.seed} fps {evening.fps} play {n} {truth}: {got}")
                return
            self.open += known is None
            self.right += known is not None
            if known is None and str(truth.card) not in got.options:
                self.wrong.append(f"{evening.name} {evening.seed} play {n} {truth} not among {got.options}")
