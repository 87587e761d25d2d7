"""Answers to the conformance cases about one hand: captures, plays, deals, knocks, scores, whole games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.bits import bits
from engine.captures import captures
from engine.cards import Card, parse_cards
from engine.cirulla import knock_worth
from engine.deal import opening, order_of_play
from engine.errors import IllegalPlay
from engine.game import apply, is_over, new_hand, refusal, score, wins_match
from engine.play import Knock, Move, Play
from engine.rules import RuleSet
from engine.scoring import ITEMS, count, primiera_value
from engine.scoring import wins_match as wins_with_denari
from engine.state import State
from engine.turns import with_hands

Json = dict[str, Any]


def texts(cards: Sequence[Card] | frozenset[Card]) -> list[str]:
    """Cards as texts in deck order."""
    return [str(card) for card in sorted(cards)]


def capture(rules: RuleSet, given: Json) -> Json:
    """Every legal capture of one card."""
    matta = given.get("values", {}).get(rules.matta) if rules.matta_in_play == "declared" else None
    found = captures(rules, parse_cards(given["table"]), Card.parse(given["card"]), matta)
    return {"captures": [texts(taken) for taken in found], "lay": not found}


def play(rules: RuleSet, given: Json) -> Json:
    """The verdict on one play; the referee may not know the hand."""
    hand = None if given["hand"] is None else bits(parse_cards(given["hand"]))
    out = bits(parse_cards(given.get("gone", [])))
    state = State(
        rules=rules,
        dealer=rules.players - 1,
        plays=0 if given.get("first_of_hand", False) else rules.players,
        table_bits=bits(parse_cards(given["table"])),
        pile_bits=(out, *(0,) * (len(set(rules.sides)) - 1)),
        scope=(0,) * len(set(rules.sides)),
        last_taker=None,
        hand_bits=(hand, *(None,) * (rules.players - 1)),
    )
    player = 0 if given.get("player") == given.get("turn") else 1
    takes = [Card.parse(text) for text in given["take"]]  # a card may be listed twice here
    return {"verdict": refusal(state, player, Card.parse(given["card"]), takes) or "ok"}


def hand_score(rules: RuleSet, given: Json) -> Json:
    """Points of a hand from piles, which may be partial."""
    sides = list(given["sides"])
    held = [given["sides"][side] for side in sides]
    piles = [bits(parse_cards(side["pile"])) for side in held]
    points = count(rules, piles, [side["scope"] for side in held], [side.get("bussate", []) for side in held])
    winner = wins_with_denari(rules, piles)
    return {
        "points": {side: points[place].items() for place, side in enumerate(sides)},
        "total": {side: points[place].total for place, side in enumerate(sides)},
        "primiera_value": {side: primiera_value(rules, piles[place]) for place, side in enumerate(sides)},
        "wins_match": None if winner is None else sides[winner],
    }


def first_table(rules: RuleSet, given: Json) -> Json:
    """What the first face-up cards ask for."""
    judged = opening(rules, parse_cards(given["table"]))
    return {"redeal": judged.redeal is not None, "reason": judged.redeal, "dealer_scope": judged.dealer_scope}


def rhythm(rules: RuleSet, given: Json) -> Json:
    """How a hand is given out."""
    return {
        "distributions": rules.distributions,
        "cards_each": rules.hand_cards,
        "table": rules.table_cards,
        "plays": rules.plays,
    }


def order(rules: RuleSet, given: Json) -> Json:
    """Who plays after whom, and who deals next."""
    seats = given["seats_clockwise"]
    turn = order_of_play(rules, seats, given["dealer"])
    partner = len(seats) // 2
    names = [seats[place] + seats[place + partner] if rules.pairs else seats[place] for place in range(partner)]
    sides = {seat: names[place % partner] if rules.pairs else seat for place, seat in enumerate(seats)}
    return {"turn": list(turn), "first": turn[0], "next_dealer": turn[0], "sides": sides}


def knock(rules: RuleSet, given: Json) -> Json:
    """The best that three cards pay."""
    worth = knock_worth(rules, parse_cards(given["hand"]))
    return {"points": worth.points, "kind": worth.kind, "matta": worth.matta}


def knock_claim(rules: RuleSet, given: Json) -> Json:
    """Whether a claimed knock is true."""
    return {"valid": knock_worth(rules, parse_cards(given["hand"]), given["kind"]).points > 0}


def game(rules: RuleSet, given: Json) -> Json:
    """Play a whole deal. Players are numbered in playing order; the dealer of the case plays last."""
    turn: list[str] = given["turn"]
    sides = [given["side"][turn[player]] for player in range(len(set(rules.sides)))]
    state = new_hand(rules, turn.index(given["dealer"]), parse_cards(given["table"]))
    scopa_at = []
    for index, written in enumerate(given["plays"]):
        state = _with_known_hands(state, turn, given["hands"])
        won = sum(state.scope)
        try:
            state = apply(state, _move(turn, written))
        except IllegalPlay as error:
            return {"illegal_at": index, "code": error.code}
        scopa_at += [index] * (sum(state.scope) > won)
        if sum(state.scope) < won:  # a scopa withdrawn at the end of the hand
            scopa_at.pop()
    return _game_facts(state, turn, sides, scopa_at)


def _with_known_hands(state: State, turn: list[str], hands: list[Mapping[str, list[str]]]) -> State:
    per_distribution = state.rules.players * state.rules.hand_cards
    if is_over(state) or state.plays % per_distribution or any(hand is not None for hand in state.hand_bits):
        return state
    given = hands[state.distribution]
    return with_hands(state, [parse_cards(given[seat]) for seat in turn])


def _move(turn: list[str], written: list[Any]) -> Move:
    if written[0] == "knock":
        return Knock(turn.index(written[1]))
    seat, card, takes = written
    return Play(turn.index(seat), Card.parse(card), frozenset(parse_cards(takes)))


def _game_facts(state: State, turn: list[str], sides: list[str], scopa_at: list[int]) -> Json:
    over = is_over(state)
    facts: Json = {
        "done": over,
        "table": texts(state.table),
        "last_taker": None if state.last_taker is None else sides[state.last_taker],
        "scopa_at": scopa_at,
        "cards": {side: len(state.piles[place]) for place, side in enumerate(sides)},
        "scope": dict(zip(sides, state.scope, strict=True)),
        "next": None if over else turn[state.turn],
        "piles": {side: texts(state.piles[place]) for place, side in enumerate(sides)},
    }
    if over:
        points, winner = score(state), wins_match(state)
        facts |= {
            "points": {side: {item: points[place].items()[item] for item in ITEMS} for place, side in enumerate(sides)},
            "total": {side: points[place].total for place, side in enumerate(sides)},
            "primiera_value": {
                side: primiera_value(state.rules, state.pile_bits[place]) for place, side in enumerate(sides)
            },
            "wins_match": None if winner is None else sides[winner],
        }
    return facts


ANSWERS = {
    "capture": capture,
    "play": play,
    "score": hand_score,
    "opening": first_table,
    "rhythm": rhythm,
    "order": order,
    "knock": knock,
    "knock_claim": knock_claim,
    "game": game,
}
