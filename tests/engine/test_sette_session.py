"""Round after round: chips, the bank that passes on, the stock, who sits out."""

from __future__ import annotations

import random

import pytest

from engine.cards import DECK, Card, parse_cards
from engine.errors import InvalidPlay
from engine.match import Undo
from engine.rules import variant
from engine.sette_moves import Draw, Reveal, Shuffle, Stake, Stand, Swap
from engine.sette_round import is_over, legal_plays
from engine.sette_session import BankByLot, Event, RoundDeal, Session, advance, fold

RULES = variant("sette_e_mezzo")


def dealt(cards: str, chips: int = 100) -> Session:
    covered = tuple(parse_cards(cards))
    return fold(
        Session.new(RULES.replace(chips=chips), len(covered)), [BankByLot(len(covered) - 1), RoundDeal(covered)]
    )


def test_the_first_who_wins_with_two_cards_takes_the_bank() -> None:
    session = dealt("7d 7c 4s")
    session = fold(session, [Stake(0, (10,)), Draw(0, Card.parse("Fd")), Stake(1, (10,)), Draw(1, Card.parse("7s"))])
    session = advance(session, Stand(2))
    assert (session.chips, session.bank, session.round) == ((120, 130, 50), 0, None)


def test_who_has_no_chips_sits_out_and_gives_the_bank_away() -> None:
    session = dealt("7d 2c 4s", chips=10)
    session = fold(session, [Stake(0, (10,)), Stand(0), Stake(1, (10,)), Stand(1), Stand(2)])
    assert (session.chips, session.bank) == ((20, 0, 10), 2)
    session = fold(session, [Shuffle(), RoundDeal(tuple(parse_cards("7c 5c 6c")))])
    assert session.round is not None
    assert session.round.order == (0, 2)
    session = fold(session, [Stake(0, (10,)), Stand(0), Stand(2)])
    assert (session.chips, session.bank) == ((30, 0, 0), 0)
    assert session.over


def test_covered_cards_that_nobody_knew_are_turned_up_at_the_end() -> None:
    session = fold(Session.new(RULES, 2), [BankByLot(1), RoundDeal(), Stake(0, (10,)), Stand(0), Stand(1)])
    assert session.round is not None
    assert not is_over(session.round)
    assert len(legal_plays(session.round)) == 80
    session = fold(session, [Reveal(1, Card.parse("5d")), Reveal(0, Card.parse("6d"))])
    assert session.chips == (110, 90)


def test_a_bust_that_lay_open_leaves_a_card_that_nobody_saw() -> None:
    session = fold(Session.new(RULES, 2), [BankByLot(1), RoundDeal(), Stake(0, (10,))])
    session = fold(
        session, [Draw(0, Card.parse("5d")), Draw(0, Card.parse("4d")), Stand(1), Reveal(1, Card.parse("Ad"))]
    )
    assert (session.chips, session.unseen, session.used.bit_count()) == ((90, 110), 1, 3)


def test_a_deal_needs_cards() -> None:
    session = Session(RULES, (100, 100), bank=1, used=(1 << 39) - 1)
    with pytest.raises(InvalidPlay, match="shuffle"):
        advance(session, RoundDeal())
    assert advance(advance(session, Shuffle()), RoundDeal()).round is not None


def test_a_folded_log_is_the_live_game() -> None:
    """Random games with known cards: chips are never made or lost, and undo leads back."""
    for seed in range(10):
        chance = random.Random(seed)
        live = Session.new(RULES.replace(max_stake=30), 4)
        log: list[Event] = [BankByLot(3)]
        live = advance(live, log[0])
        for _ in range(60):
            if live.over:
                break
            log.append(chosen(live, chance))
            live = advance(live, log[-1])
            assert sum(live.chips) == 400
        fresh = Session.new(live.rules, 4)
        assert fold(fresh, log) == live
        assert fold(fresh, [*log, Undo(), Undo(), *log[-2:]]) == live


def chosen(live: Session, chance: random.Random) -> Event:
    if live.round is None:
        free = [card for card in DECK if not live.used >> card.index & 1]
        return RoundDeal(tuple(chance.sample(free, 4))) if len(free) >= 4 else Shuffle()
    move = chance.choice(legal_plays(live.round, stakes=(1, 5)))
    if not isinstance(move, Swap):
        return move
    gone = live.round.in_play | live.round.used
    free = [card for card in DECK if not gone >> card.index & 1]
    return Swap(move.player, move.shown, chance.choice(free))
