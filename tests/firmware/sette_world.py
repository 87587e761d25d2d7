"""A table of Sette e mezzo without pictures: people deal, draw, swap and turn cards up, a perfect camera sees it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import cos, pi, sin

from engine.cards import DECK, Card
from engine.rules import RuleSet, variant
from engine.sette_moves import Draw, Reveal, Stake, Stand, Swap
from engine.sette_round import Round, apply, is_over, score, verdict
from engine.sette_session import BankByLot, RoundDeal, Session, advance
from firmware.events import AnyEvent, Fault, Paid
from firmware.sette_referee import SetteReferee
from firmware.sette_show import screen
from firmware.sette_table import SetteTable
from firmware.sette_ui import stage
from firmware.text import LANGUAGES, Words
from hardware.gestures import Gesture
from vision.observation import BackDetection, Corners, SeenCard, TableObservation

SURE = 0.99995
Options = tuple[tuple[Card, float], ...]


def around(x: float, y: float) -> Corners:
    """The corners of an upright card of 60 x 100 pixels with its middle there."""
    return ((x - 30, y - 50), (x + 30, y - 50), (x + 30, y + 50), (x - 30, y + 50))


@dataclass
class SetteWorld:
    """`told` are all events. `misread` says for a card what the camera reads instead."""

    players: int = 3
    rules: RuleSet = field(default_factory=lambda: variant("sette_e_mezzo"))
    seed: int = 1
    lot: int = 0
    misread: dict[Card, Options] = field(default_factory=dict)
    frame: int = 0
    tracks: int = 0
    faces: dict[Card, tuple[int, int, SeenCard]] = field(default_factory=dict)
    covers: dict[int, bool] = field(default_factory=dict)
    told: list[AnyEvent] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        names = [f"G{player}" for player in range(self.players)]
        self.table = SetteTable(SetteReferee(self.rules, names), lambda _: self.lot)
        self.told += self.table.referee.begin()
        self.session = Session.new(self.rules, self.players)
        self.stock: list[Card] = []
        self.rows = [0] * self.players

    def restart(self) -> None:
        """The power fails, and comes back: only what was told is left."""
        names = self.table.referee.players
        self.table = SetteTable(SetteReferee(self.rules, names, told=self.told), lambda _: self.lot)
        shift = 1000 * (1 + self.tracks // 1000)  # a new process numbers its tracks anew
        for card, (player, place, seen) in self.faces.items():
            self.faces[card] = (player, place, replace(seen, track=seen.track + shift))
        self.tracks += shift

    def place(self, player: int, number: int) -> tuple[float, float]:
        """The middle of the card `number` of a player, 0 being the covered one; seats go counter-clockwise."""
        turn = 2 * pi * player / self.players
        x, y = 1000 * cos(turn), -1000 * sin(turn)
        return x + 48 * (number % 4), y + 75 * (number // 4)

    def look(self, arms: str = "") -> None:
        """One frame."""
        backs = [BackDetection(around(*self.place(player, 0))) for player, there in self.covers.items() if there]
        if self.stock:
            backs.append(BackDetection(around(0, 0)))
        cards = tuple(seen for _, _, seen in self.faces.values())
        now = TableObservation(self.frame, self.frame / 5, not arms, tuple(arms), cards, tuple(backs))
        self.frame += 1
        self.told += self._observe(now)
        self.see()

    def rest(self, seconds: float = 1.0) -> None:
        self.look("S")
        for _ in range(round(5 * seconds)):
            self.look()

    def press(self, button: str, kind: str = "press", times: int = 1) -> None:
        for _ in range(times):
            gesture = Gesture(button, kind, self.frame / 5)  # type: ignore[arg-type]
            self.told += self._press(gesture)
            self.see()

    def see(self) -> None:
        """What the display shows in both languages: every page is made, whatever happens."""
        self.shown |= {screen(self.table, Words(language)).name for language in LANGUAGES}

    def _observe(self, now: TableObservation) -> Sequence[AnyEvent]:
        return self.table.observe(now)

    def _press(self, gesture: Gesture) -> Sequence[AnyEvent]:
        return self.table.press(gesture) or ()

    @property
    def stage(self) -> str:
        return stage(self.table.ui, self.table.referee)

    # what people do

    def lay(self, player: int, card: Card, number: int | None = None) -> None:
        """A card face up before a player."""
        if number is None:
            self.rows[player] += 1
            number = self.rows[player]
        self.tracks += 1
        options = self.misread.get(card, ((card, SURE),))
        sure = options[0][0] if options[0][1] >= 0.99 else None
        seen = SeenCard(self.tracks, sure, options[0][1], options, around(*self.place(player, number)), 1.0, True, True)
        self.faces[card] = (player, number, seen)

    def sit(self) -> None:
        """One card before each player; the highest is the bank's; they go away again."""
        self.rest(0.6)
        cards = self.chance.sample(DECK, self.players)
        for player, card in enumerate(cards):
            self.lay(player, card, 0)
            self.rest(0.6)
        self.clear()
        highest = max(cards, key=lambda card: (card.value, -card.suit))
        self.session = advance(self.session, BankByLot(cards.index(highest)))

    def clear(self) -> None:
        self.faces, self.covers, self.rows = {}, {}, [0] * self.players
        self.rest(0.8)

    def deal(self, stock: list[Card] | None = None) -> None:
        """The cards of a round; used ones are shuffled when few are left."""
        if stock is not None:
            self.stock = stock
        elif len(self.stock) < 4 * self.players:
            if self.session.used:
                self.press("plus")
            self.session = replace(self.session, used=0, unseen=0)
            self.stock = self.chance.sample(DECK, len(DECK))
        covered = tuple(self.stock.pop() for _ in range(self.players))
        self.session = advance(self.session, RoundDeal(covered))
        for player in self.state.order:
            self.covers[player] = True
            self.rest(0.4)
        self.rest(0.8)

    @property
    def state(self) -> Round:
        assert self.session.round is not None
        return self.session.round

    def draw(self, player: int, bet: int = 0) -> Card:
        card = self.stock.pop()
        self._do(Draw(player, card, bet))
        self.lay(player, card)
        self.rest()
        return card

    def reveal(self, player: int) -> None:
        card = self.state.covered[player]
        assert card is not None
        self.covers[player] = False
        self.lay(player, card, 0)
        self.rest()

    def swap(self, player: int) -> None:
        card = self.state.covered[player]
        assert card is not None
        self.covers[player] = False
        self.lay(player, card)
        self.rest(0.4)
        self._do(Swap(player, card, self.stock.pop()))
        self.covers[player] = True
        self.rest()

    def stake(self, player: int, amount: int) -> None:
        """Presses until the page shows the amount, then OK."""
        self.hear()
        shown = self.table.staking.amounts[0]
        self.press("plus" if amount > shown else "minus", times=abs(amount - shown))
        self.press("ok")
        self._do(Stake(player, (amount,)))

    def hear(self) -> None:
        """Somebody's bust, d'emblée or triplè is on the display."""
        if self.stage == "declared":
            self.press("ok")

    def stand(self, player: int) -> None:
        self.hear()
        self.press("ok")
        self._do(Stand(player))

    def _do(self, move: Draw | Swap | Stake | Stand) -> None:
        self.session = replace(self.session, round=apply(self.state, move))

    def play_round(self) -> Paid:
        """A whole round as people like to play; what was paid."""
        self.deal()
        for player in self.state.order[:-1]:
            self._turn(player)
        bank = self.state.bank
        self.reveal(bank)
        while not self.state.done(self.state.places[-1]):
            if self.chance.random() < 0.5 and self.stock:
                self.draw(bank)
            else:
                self.stand(bank)
        for player in self.state.order[:-1]:
            if self.covers[player]:
                self.reveal(player)
        assert is_over(self.state)
        return self._paid()

    def _paid(self) -> Paid:
        over = self.state
        net = score(over).net
        chips = tuple(had + won for had, won in zip(over.chips, net, strict=True))
        paid = [event for event in self.told if isinstance(event, Paid)][-1]
        assert paid.net == net, (paid, score(over))
        assert paid.chips == chips
        hidden = Session(self.rules, chips, over.bank, over.used | over.in_play)
        self.session = replace(hidden, bank=paid.next_bank)
        assert paid.next_bank == next_bank(self.rules, chips, score(over).next_bank)
        self.press("ok")
        self.clear()
        return paid

    def _turn(self, player: int) -> None:
        most = min(self.rules.max_stake, self.state.chips[player])
        self.stake(player, self.chance.randint(self.rules.min_stake, min(most, 12)))
        while not self.state.done(self.state.bets(player)[0]):
            wish = self.chance.random()
            place = self.state.bets(player)[0]
            if wish < 0.45 and self.stock:
                self.draw(player)
            elif wish < 0.6 and len(place.up) < 2 and verdict(self.state, Swap(player, self.hidden(player))) is None:
                self.swap(player)
            else:
                self.stand(player)
                return
        if (self.covers[player] and self.chance.random() < 0.9) or self.stage == "draw":
            self.reveal(player)
        assert self.stage == "declared", self.stage
        self.hear()

    def hidden(self, player: int) -> Card:
        card = self.state.covered[player]
        assert card is not None
        return card

    def faults(self) -> list[Fault]:
        return [event for event in self.told if isinstance(event, Fault)]


def next_bank(rules: RuleSet, chips: tuple[int, ...], bank: int) -> int:
    around = [(bank + step) % len(chips) for step in range(len(chips))]
    return next(player for player in around if chips[player] >= rules.min_stake)


__all__ = ["Reveal", "SetteWorld", "around"]
