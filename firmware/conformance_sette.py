"""Answers to the conformance cases about Sette e mezzo: hands, rounds, covered cards."""

from __future__ import annotations

from typing import Any

from engine.cards import Card, parse_cards
from engine.errors import IllegalPlay
from engine.rules import RuleSet
from engine.sette_hand import hand_worth
from engine.sette_moves import Draw, Move, Reveal, Stake, Stand, Swap, TakeCovered
from engine.sette_round import Round, apply, new_round, score

Json = dict[str, Any]
_CHIPS = 1_000_000  # the cases say nothing of chips: more than any stake


def hand(rules: RuleSet, given: Json) -> Json:
    """What cards are worth."""
    worth = hand_worth(rules, parse_cards(given["cards"]))
    return {"kind": worth.kind, "total": worth.total}


def round_(rules: RuleSet, given: Json) -> Json:
    """Play a whole round: every player in turn, then the bank."""
    turn, bank = given["turn"], len(given["turn"])
    covered = [Card.parse(given["hands"][name]["first"]) for name in turn]
    bank_cards = parse_cards(given["bank_cards"])
    state = new_round(rules, bank, (_CHIPS,) * (bank + 1), (*covered, bank_cards[0]))
    for player, name in enumerate(turn):
        try:
            state = _played(state, player, given["hands"][name]["bets"])
        except IllegalPlay as error:
            return {"illegal": name, "code": error.code}
    state = _drawn(state, bank, 0, bank_cards[1:])
    return _facts(state, [*turn, given["bank"]])


def _played(state: Round, player: int, bets: list[Json]) -> Round:
    state = apply(state, Stake(player, tuple(bet["stake"] for bet in bets)))
    for number, bet in enumerate(bets):
        state = _drawn(state, player, number, parse_cards(bet["draws"]))
    return state


def _drawn(state: Round, player: int, bet: int, cards: tuple[Card, ...]) -> Round:
    for card in cards:
        state = apply(state, Draw(player, card, bet))
    return state if state.done(state.bets(player)[bet]) else apply(state, Stand(player, bet))


def _facts(state: Round, names: list[str]) -> Json:
    paid = score(state)
    results: dict[str, list[Json]] = {name: [] for name in names[:-1]}
    for result in paid.results:
        told = {"kind": result.worth.kind, "total": result.worth.total, "pays": result.pays}
        results[names[result.player]].append(told)
    return {
        "results": results,
        "bank": {"kind": paid.bank.kind, "total": paid.bank.total},
        "net": dict(zip(names, paid.net, strict=True)),
        "next_bank": names[paid.next_bank],
    }


def cover(rules: RuleSet, given: Json) -> Json:
    """Cards face up and covered for one player; which cards they are has no meaning here, so small ones are given."""
    small = iter(parse_cards("Ad Ac As Ab Fd Fc Fs Fb Cd Cc"))
    state = apply(new_round(rules, 1, (_CHIPS,) * 2), Stake(0, (rules.min_stake,)))
    for index, action in enumerate(given["actions"]):
        moves: dict[str, Move] = {
            "up": Draw(0, next(small)),
            "swap": Swap(0, next(small)),
            "down": TakeCovered(0),
            "show": Reveal(0, next(small)),
        }
        try:
            state = apply(state, moves[action])
        except IllegalPlay as error:
            return {"ok": False, "at": index, "code": error.code}
    return {"ok": True}


ANSWERS = {"sm_hand": hand, "sm_round": round_, "sm_cover": cover}
