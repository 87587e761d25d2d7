"""Sette e mezzo: one round against the bank (Z3 to Z7, Z12, Z13), as an immutable value and the moves on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from engine.bits import ALL, bit, bits, sorted_cards
from engine.cards import Card
from engine.errors import IllegalPlay, InvalidPlay
from engine.rules import RuleSet
from engine.sette_hand import Worth, hand_worth, least, pays
from engine.sette_moves import Draw, Move, Reveal, Shuffle, Stake, Stand, Swap, TakeCovered


@dataclass(frozen=True, slots=True)
class Place:
    """One bet: the cards that lie face up for it, and whether its player stands. The bank's own place has no stake."""

    player: int
    stake: int
    up: tuple[Card, ...] = ()
    stood: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """`order` are the players in playing order, the bank last; `covered` the covered card of each player, if known.

    `chips` are those before the round; `used` are cards of earlier rounds since the last shuffle (bits). Players who
    are not in `order` sit out. `unseen` counts the used cards that nobody saw.
    """

    rules: RuleSet
    order: tuple[int, ...]
    chips: tuple[int, ...]
    covered: tuple[Card | None, ...]
    places: tuple[Place, ...] = ()
    used: int = 0
    unseen: int = 0

    @property
    def bank(self) -> int:
        """The player who holds the bank."""
        return self.order[-1]

    @property
    def turn(self) -> int | None:
        """The player to move; None when the bank has finished."""
        return next((player for player in self.order if not self._finished(player)), None)

    def bets(self, player: int) -> tuple[Place, ...]:
        """The places of one player, in the order of his bets."""
        return tuple(place for place in self.places if place.player == player)

    def worth(self, place: Place) -> Worth | None:
        """What a place is worth; None while its covered card is not known and may matter."""
        covered = self.covered[place.player]
        if covered is not None:
            return hand_worth(self.rules, (covered, *place.up))
        shown = least(self.rules, place.up)
        # A covered card is worth a half at least, so 7.5 face up is over it already.
        return Worth("bust", shown) if shown >= 7.5 else None

    def done(self, place: Place) -> bool:
        """Whether a place asks no more cards."""
        worth = self.worth(place)
        return place.stood or (worth is not None and worth.finished)

    def _finished(self, player: int) -> bool:
        bets = self.bets(player)
        return bool(bets) and all(self.done(place) for place in bets)

    @property
    def in_play(self) -> int:
        """The cards that lie on the table, as far as known (bits)."""
        known = bits(card for card in self.covered if card is not None)
        for place in self.places:
            known |= bits(place.up)
        return known

    @property
    def shown(self) -> frozenset[Card]:
        """The cards that lie on the table, as far as known."""
        return frozenset(sorted_cards(self.in_play))

    @property
    def fresh(self) -> frozenset[Card]:
        """The cards that may still come: those of the stock, and covered ones that nobody knows."""
        return frozenset(sorted_cards(ALL & ~(self.in_play | self.used)))

    @property
    def stock(self) -> int:
        """How many cards are left to give."""
        hidden = sum(self.covered[player] is None for player in self.order)
        return (ALL & ~(self.in_play | self.used)).bit_count() - hidden - self.unseen


def new_round(
    rules: RuleSet, bank: int, chips: Sequence[int], covered: Sequence[Card | None] | None = None, used: int = 0
) -> Round:
    """The cards are dealt, one covered to each (Z3); `covered` by player, None where nobody knows it.

    Who has fewer chips than the lowest stake sits out (Z0), except the bank. Raises `InvalidPlay` for fewer than two
    who play, another game, or covered cards that cannot be.
    """
    players = len(chips)
    if rules.game != "sette_e_mezzo" or not 0 <= bank < players:
        raise InvalidPlay(f"expected sette_e_mezzo and a bank 0 to {players - 1}, got {rules.game} and {bank}")
    around = [(bank + turn) % players for turn in range(1, players)]
    order = (*(player for player in around if chips[player] >= rules.min_stake), bank)
    hidden = (None,) * players if covered is None else tuple(covered)
    known = [card for card in hidden if card is not None]
    if len(order) < 2 or len(hidden) != players:
        raise InvalidPlay(f"expected two players with chips and {players} covered cards, got {order} and {len(hidden)}")
    if len(set(known)) != len(known) or bits(known) & used:
        raise InvalidPlay(f"expected covered cards that are nowhere else, got {' '.join(map(str, known))}")
    return Round(rules, order, tuple(chips), hidden, (Place(bank, 0),), used)


def verdict(state: Round, move: Move) -> str | None:
    """None for a legal move, else its refusal code. Raises `InvalidPlay` for a move of another game or player."""
    if isinstance(move, Shuffle):
        return "stock_not_empty" if state.stock > 0 else None
    if not isinstance(move, Stake | Draw | Stand | Swap | TakeCovered | Reveal) or move.player not in state.order:
        raise InvalidPlay(f"expected a move of Sette e mezzo by a player of {state.order}, got {move!r}")
    if isinstance(move, Reveal):
        return _reveal_verdict(state, move)
    if isinstance(move, Stake):
        return _stake_verdict(state, move)
    code = _ended(state, move.player, move.bet if isinstance(move, Draw | Stand) else 0)
    if code or isinstance(move, TakeCovered):
        return code or "two_covered"
    return _stand_verdict(state, move) if isinstance(move, Stand) else _draw_verdict(state, move)


def _stake_verdict(state: Round, move: Stake) -> str | None:
    rules, amounts = state.rules, move.amounts
    if move.player != state.turn or move.player == state.bank or state.bets(move.player):
        return "wrong_turn"
    if len(amounts) > (2 if rules.double_bet else 1):
        return "too_many_bets"
    if not amounts or min(amounts) < rules.min_stake:
        return "stake_below_min"
    over = max(amounts) > rules.max_stake or sum(amounts) > state.chips[move.player]
    return "stake_above_max" if over else None


def _ended(state: Round, player: int, bet: int) -> str | None:
    """Why a player may take nothing more for a bet: bust, to be declared, not his turn, already standing."""
    bets = state.bets(player)
    if not 0 <= bet < len(bets):
        return "wrong_turn"
    worth = state.worth(bets[bet])
    if worth is not None and worth.finished:
        return "already_bust" if worth.kind == "bust" else "must_declare"
    return "wrong_turn" if player != state.turn or bets[bet].stood else None


def _draw_verdict(state: Round, move: Draw | Swap) -> str | None:
    if state.stock <= 0:
        return "stock_empty"
    bets = state.bets(move.player)
    got = move.card if isinstance(move, Draw) else move.covered
    if got is not None and bit(got) & (state.in_play | state.used):
        return "card_already_out"
    if isinstance(move, Draw):
        other_draws = len(bets) == 2 and bool(bets[1 - move.bet].up)
        return "one_bet_must_stand" if other_draws else None
    if len(bets) == 2:
        return "one_bet_must_stand"  # both bets share the covered card, so it cannot be changed for one of them
    return _shown_verdict(state, move.player, move.shown)


def _shown_verdict(state: Round, player: int, shown: Card) -> str | None:
    """Whether a card that was covered until now may be `shown`."""
    covered = state.covered[player]
    if covered is not None:
        return None if covered == shown else "card_not_in_hand"
    return "card_already_out" if bit(shown) & (state.in_play | state.used) else None


def _stand_verdict(state: Round, move: Stand) -> str | None:
    bets = state.bets(move.player)
    other_stood = len(bets) == 2 and bets[1 - move.bet].stood and not bets[1 - move.bet].up
    return "one_bet_must_draw" if other_stood and not bets[move.bet].up else None


def _reveal_verdict(state: Round, move: Reveal) -> str | None:
    code = _shown_verdict(state, move.player, move.card)
    if code or state.turn is None or move.player == state.bank == state.turn:
        return code  # the bank shows its card before it draws (Z6)
    opened = replace(state, covered=_with(state.covered, move.player, move.card))
    worths = [opened.worth(place) for place in state.bets(move.player) if place.up]
    declares = any(worth is not None and worth.finished for worth in worths)
    if declares:
        return None
    return "none_covered" if move.player == state.turn else "wrong_turn"


def apply(state: Round, move: Move) -> Round:
    """The round after a legal move. Raises `IllegalPlay` with the refusal code otherwise; nothing changes then."""
    code = verdict(state, move)
    if code is not None:
        raise IllegalPlay(code, f"expected a legal move, got {move}: {code}")
    if isinstance(move, Shuffle):
        return replace(state, used=0, unseen=0)
    if isinstance(move, Stake):
        places = tuple(Place(move.player, amount) for amount in move.amounts)
        return replace(state, places=(*state.places[:-1], *places, state.places[-1]))
    if isinstance(move, Reveal):
        return replace(state, covered=_with(state.covered, move.player, move.card))
    if isinstance(move, Swap):
        opened = replace(state, covered=_with(state.covered, move.player, move.covered))
        return _change(opened, move.player, 0, move.shown)
    assert not isinstance(move, TakeCovered)
    return _change(state, move.player, move.bet, move.card if isinstance(move, Draw) else None)


def _change(state: Round, player: int, bet: int, card: Card | None) -> Round:
    """Give a card to a bet, or let it stand."""
    mine = [index for index, place in enumerate(state.places) if place.player == player][bet]
    place = state.places[mine]
    changed = replace(place, stood=True) if card is None else replace(place, up=(*place.up, card))
    return replace(state, places=(*state.places[:mine], changed, *state.places[mine + 1 :]))


def _with(covered: tuple[Card | None, ...], player: int, card: Card | None) -> tuple[Card | None, ...]:
    return (*covered[:player], card, *covered[player + 1 :])


def legal_plays(state: Round, stakes: Collection[int] = ()) -> tuple[Move, ...]:
    """The legal moves of the player to move; cards that nobody knows are listed as every card that they may be.

    Of the amounts within the limits only `stakes` are listed (none given: the lowest). When the bank has finished, the
    covered cards that are still to be turned up.
    """
    player = state.turn
    unknown = sorted_cards(ALL & ~(state.in_play | state.used))
    if player is None:
        hidden = (one for one in state.order if not _settled(state, one))
        return tuple(Reveal(one, card) for one in hidden for card in unknown)
    amounts = stakes or (state.rules.min_stake,)
    moves: list[Move] = [Stake(player, (amount,)) for amount in amounts]
    moves += [Stake(player, (first, second)) for first in amounts for second in amounts]
    covered = state.covered[player]
    shown = unknown if covered is None else (covered,)
    moves += [Swap(player, card) for card in shown] + [Reveal(player, card) for card in shown if covered is None]
    for bet in range(len(state.bets(player))):
        moves += [Draw(player, card, bet) for card in unknown]
        moves.append(Stand(player, bet))
    if state.stock <= 0:
        moves.append(Shuffle())
    return tuple(move for move in moves if verdict(state, move) is None)


def _settled(state: Round, player: int) -> bool:
    return all(state.worth(place) is not None for place in state.bets(player))


def is_over(state: Round) -> bool:
    """Whether the bank has finished and every hand that counts lies open."""
    return state.turn is None and all(_settled(state, player) for player in state.order)


@dataclass(frozen=True, slots=True)
class Result:
    """What one place won: `pays` is the multiple of the stake, -1 when it is lost."""

    player: int
    stake: int
    worth: Worth
    pays: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """A round that is over: every place, the bank's hand, the net gain of each player, and the next bank (Z10)."""

    results: tuple[Result, ...]
    bank: Worth
    net: tuple[int, ...]
    next_bank: int


def score(state: Round) -> Settlement:
    """Pay every place. Raises `InvalidPlay` while the round is not over."""
    bank = state.worth(state.places[-1])
    if not is_over(state) or bank is None:
        raise InvalidPlay("expected a round whose bank has finished and whose cards lie open")
    results = tuple(
        Result(place.player, place.stake, worth, pays(state.rules, worth, bank))
        for place in state.places[:-1]
        if (worth := state.worth(place)) is not None
    )
    net = [0] * len(state.chips)
    for result in results:
        net[result.player] += result.stake * result.pays
        net[state.bank] -= result.stake * result.pays
    winners = (result.player for result in results if result.pays > 0 and result.worth.kind in {"emblee", "triple"})
    return Settlement(results, bank, tuple(net), next(winners, state.bank))
