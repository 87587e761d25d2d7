"""What follows from the steps of a round of Sette e mezzo: who is bust, and what is paid."""

from __future__ import annotations

from collections.abc import Iterator

from engine.sette_round import Round
from firmware.events import Bust, Paid, Result
from firmware.sette_record import SetteRecord


def busts(before: Round, after: Round, frame: int) -> Iterator[Bust]:
    """The bets, and the bank's hand, that are over seven and a half now and were not before."""
    for player in after.order:
        for bet, place in enumerate(after.bets(player)):
            worth = after.worth(place)
            if worth is None or worth.kind != "bust":
                continue
            was = before.bets(player)[bet : bet + 1]
            had = before.worth(was[0]) if was else None
            if had is None or had.kind != "bust":
                yield Bust(player, bet, place.stake, worth.total, frame)


def paid(record: SetteRecord, frame: int) -> Paid:
    """The payment of the round that has just ended."""
    settled, session = record.settlement, record.session
    assert settled is not None, "only a round that is over is paid"
    assert session.bank is not None, "a round has a bank"
    results = tuple(Result(one.player, one.stake, one.worth.kind, one.worth.total, one.pays) for one in settled.results)
    return Paid(
        record.rounds,
        settled.bank.kind,
        settled.bank.total,
        results,
        settled.net,
        session.chips,
        session.bank,
        frame,
    )
