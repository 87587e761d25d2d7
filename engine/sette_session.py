"""Sette e mezzo: round after round with chips, the bank that passes on, and one stock until it is shuffled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.cards import Card
from engine.errors import InvalidPlay
from engine.match import Undo, standing_events
from engine.rules import RuleSet
from engine.sette_moves import Move, Shuffle
from engine.sette_round import Round, apply, is_over, new_round, score


@dataclass(frozen=True, slots=True)
class BankByLot:
    """The first bank is drawn by lot (Z0)."""

    player: int


@dataclass(frozen=True, slots=True)
class RoundDeal:
    """One covered card to each; `covered` by player where somebody knows them."""

    covered: tuple[Card | None, ...] | None = None


Event = BankByLot | RoundDeal | Move | Undo


@dataclass(frozen=True, slots=True)
class Session:
    """The game between two rounds, or with the running `round`. `used` are the cards given since the last shuffle."""

    rules: RuleSet
    chips: tuple[int, ...]
    bank: int | None = None
    used: int = 0
    unseen: int = 0
    round: Round | None = None

    @classmethod
    def new(cls, rules: RuleSet, players: int) -> Session:
        """Before the lot: everybody has the same chips. Raises `InvalidPlay` for another game or fewer than two."""
        if rules.game != "sette_e_mezzo" or players < 2:
            raise InvalidPlay(f"expected sette_e_mezzo and two players or more, got {rules.game} and {players}")
        return cls(rules, (rules.chips,) * players)

    @property
    def over(self) -> bool:
        """Whether fewer than two players can pay the lowest stake."""
        return self.round is None and sum(chips >= self.rules.min_stake for chips in self.chips) < 2


def advance(session: Session, event: Event) -> Session:
    """The game after one event other than `Undo`. Raises `IllegalPlay` or `InvalidPlay`; nothing changes then."""
    if isinstance(event, BankByLot):
        return _lot(session, event.player)
    if isinstance(event, Shuffle) and session.round is None:
        return replace(session, used=0, unseen=0)
    if isinstance(event, RoundDeal):
        return _deal(session, event)
    if isinstance(event, Undo) or session.round is None:
        raise InvalidPlay(f"expected a round to be dealt, or a move in it, got {event!r}")
    running = apply(session.round, event)
    return _settled(session, running) if is_over(running) else replace(session, round=running)


def _lot(session: Session, player: int) -> Session:
    if session.bank is not None or not 0 <= player < len(session.chips):
        raise InvalidPlay(f"expected one lot for the bank among {len(session.chips)} players, got player {player}")
    return replace(session, bank=player)


def _deal(session: Session, event: RoundDeal) -> Session:
    if session.bank is None or session.round is not None:
        raise InvalidPlay("expected a bank and no running round before a deal")
    dealt = new_round(session.rules, session.bank, session.chips, event.covered, session.used)
    dealt = replace(dealt, unseen=session.unseen)
    if dealt.stock < 0:
        raise InvalidPlay(f"expected a shuffle before the deal: {dealt.stock + len(dealt.order)} cards are left")
    return replace(session, round=dealt)


def _settled(session: Session, over: Round) -> Session:
    paid = score(over)
    chips = tuple(had + won for had, won in zip(over.chips, paid.net, strict=True))
    # A player who lay bust may throw his covered card away unseen.
    hidden = sum(over.covered[player] is None for player in over.order)
    return replace(
        session,
        chips=chips,
        bank=_next_bank(session.rules, chips, paid.next_bank),
        used=over.used | over.in_play,
        unseen=over.unseen + hidden,
        round=None,
    )


def _next_bank(rules: RuleSet, chips: tuple[int, ...], bank: int) -> int:
    """A bank that cannot pay the lowest stake sits out too: the next player who can takes over."""
    around = [(bank + step) % len(chips) for step in range(len(chips))]
    return next((player for player in around if chips[player] >= rules.min_stake), bank)


def fold(session: Session, events: Iterable[Event]) -> Session:
    """The game after all events, undone ones left out. Raises as `advance` does."""
    for event in standing_events(events):
        session = advance(session, event)
    return session
