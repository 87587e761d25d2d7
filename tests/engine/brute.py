"""The rules once more, as plainly as possible, to count play trees: every subset is tried, nothing is shared.

Imports only `engine.cards`. A hand is a dictionary of lists; nothing here is fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from engine.cards import Card

Table = list[Card]


def subsets(table: Table) -> Iterator[tuple[Card, ...]]:
    for size in range(len(table) + 1):
        yield from combinations(table, size)


def captures(game: str, table: Table, card: Card) -> list[tuple[Card, ...]]:
    """Games: `scopa` (scopone too), `assi`, `cirulla`, each with its default options."""
    aces = [lying for lying in table if lying.value == 1]
    if card.value == 1 and game in {"assi", "cirulla"} and not aces:
        return [tuple(table)] if table else []
    equal = [(lying,) for lying in table if lying.value == card.value]
    found: list[tuple[Card, ...]] = []
    for some in subsets(table):
        total = sum(lying.value for lying in some)
        if not some:
            continue
        if game == "cirulla":
            if total == card.value or total + card.value == 15:
                found.append(some)
        elif (equal and some in equal) or (not equal and total == card.value):
            found.append(some)
    return found


def sequences(hand: dict[str, Any], depth: int) -> int:
    """How many sequences of `depth` moves there are; a knock is a move."""
    if depth == 0 or hand["played"] == hand["plays"]:
        return int(depth == 0)
    return sum(sequences(after, depth - 1) for after in moves(hand))


def moves(hand: dict[str, Any]) -> Iterator[dict[str, Any]]:
    player = (hand["dealer"] + 1 + hand["played"]) % len(hand["hands"])
    for card in hand["hands"][player]:
        for taken in captures(hand["game"], hand["table"], card) or [()]:
            yield played(hand, player, card, taken)
    if hand["game"] == "cirulla":
        for one, cards in enumerate(hand["hands"]):
            if one not in hand["knocked"] and len(cards) == 3 and pays(cards):
                yield {**hand, "knocked": [*hand["knocked"], one]}


def pays(cards: Table) -> bool:
    others = [card.value for card in cards if str(card) != "7c"]
    wild = range(1, 11) if len(others) < 3 else [0]
    for value in wild:
        values = [*others, value] if value else others
        if sum(values) <= 9 or values[0] == values[1] == values[2]:
            return True
    return False


def played(hand: dict[str, Any], player: int, card: Card, taken: tuple[Card, ...]) -> dict[str, Any]:
    table = [lying for lying in hand["table"] if lying not in taken]
    hands = [list(cards) for cards in hand["hands"]]
    hands[player].remove(card)
    after = {**hand, "table": table if taken else [*table, card], "hands": hands, "played": hand["played"] + 1}
    stock = hand["stock"]
    if stock and not any(hands):
        each, dealer = hand["each"], hand["dealer"]
        for place in range(len(hands)):
            hands[(dealer + 1 + place) % len(hands)] = list(stock[place * each : (place + 1) * each])
        after |= {"stock": stock[each * len(hands) :], "knocked": []}
    return after


def sette_sequences(table: dict[str, Any], depth: int) -> int:
    """Sette e mezzo against the bank, one stake or two, the stock in a fixed order."""
    if depth == 0:
        return 1
    return sum(sette_sequences(after, depth - 1) for after in sette_moves(table))


def halves(cards: list[Card]) -> int:
    return sum(1 if card.value > 7 else 2 * card.value for card in cards)


def finished(cards: list[Card]) -> bool:
    if len(cards) == 2 and (cards[0].value == cards[1].value == 7 or halves(cards) == 15):
        return True
    return halves(cards) > 15


def sette_moves(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each place is [player, first card, further cards, stands]; the bank's place is the last."""
    players = len(table["covered"])
    places = table["places"]
    for player in range(players):
        mine = [place for place in places if place[0] == player]
        if mine and all(place[3] or finished([place[1], *place[2]]) for place in mine):
            continue
        if not mine:
            for count in (1, 2):
                fresh = [[player, table["covered"][player], [], False] for _ in range(count)]
                yield {**table, "places": [*places[:-1], *fresh, places[-1]]}
            return
        yield from _asked(table, mine)
        return


def _asked(table: dict[str, Any], mine: list[list[Any]]) -> Iterator[dict[str, Any]]:
    for number, place in enumerate(mine):
        if place[3] or finished([place[1], *place[2]]):
            continue
        other = mine[1 - number] if len(mine) == 2 else None
        if not (other and other[3] and not other[2] and not place[2]):
            yield _changed(table, place, [place[0], place[1], place[2], True], 0)
        if table["stock"] and not (other and other[2]):
            yield _changed(table, place, [place[0], place[1], [*place[2], table["stock"][0]], False], 1)
        if table["stock"] and len(mine) == 1:
            yield _changed(table, place, [place[0], table["stock"][0], [*place[2], place[1]], False], 1)


def _changed(table: dict[str, Any], old: list[Any], new: list[Any], given: int) -> dict[str, Any]:
    places = [new if place is old else place for place in table["places"]]
    return {**table, "places": places, "stock": table["stock"][given:]}


def captures_by_options(options: dict[str, Any], table: Table, card: Card) -> set[frozenset[Card]]:
    """Captures under any options, read off the table of options; an empty set is an ace that takes itself."""
    sweeping = card.value == 1 and options["ace"] == "takes_all"
    if sweeping and not table:
        return {frozenset()} if options["ace_on_empty"] == "takes_itself" else set()
    if sweeping and not (options["ace_blocked_by_ace"] and any(lying.value == 1 for lying in table)):
        return {frozenset(table)}
    every = [frozenset(some) for some in subsets(table) if some]
    right = [some for some in every if sum(lying.value for lying in some) == card.value]
    fifteen = [some for some in every if sum(lying.value for lying in some) + card.value == 15 and options["sum15"]]
    equal = [some for some in right if len(some) == 1]
    if options["value_capture"] == "equal_first":
        right = equal or right
    elif options["value_capture"] == "fewest":
        right = [some for some in right if len(some) == min(map(len, right))]
    return {*right, *fifteen}
