"""Screens of Sette e mezzo. Every function makes one `Screen` from the words of a language and plain facts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from firmware.screens_page import BIG, BIG_WIDTH, WIDTH, Screen, card_rows, labels, page, shortest, split
from firmware.text import Words

Cards = Sequence[Card]


def points(say: Words, total: float) -> str:
    """Points as people write them: `7½`, `4½`, `6`."""
    whole, half = divmod(round(2 * total), 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def seats(say: Words, *, seen: int, count: int, player: str) -> Screen:
    """One card before each player: `seen` of `count` lie there."""
    head = [say("seats.title", seen=seen, count=count)]
    foot = [say("seats.note"), labels(say("back"))]
    return page("seats", head, ["", say("seats.body", player=player)], foot)


def lot(say: Words, *, player: str, card: Card | None) -> Screen:
    """Who has the first bank: by the highest card, or as the players say (`card` None)."""
    why = say("lot.said") if card is None else say("lot.body", card=card)
    foot = [say("lot.other"), say("lot.no"), say("lot.ok")]
    return page("lot", [say("lot.title"), BIG + player[:BIG_WIDTH]], [why], foot)


def give(say: Words, *, number: int, bank: str, seen: int, count: int, stock: int) -> Screen:
    """A round is being dealt: covered cards seen, of so many players."""
    title = shortest([say(key, round=number, bank=bank) for key in ("give.title", "give.title_short")])
    head = [title, say("give.body")[:WIDTH]] if len(say("give.body")) <= WIDTH else [title]
    body = [] if len(head) > 1 else [say("give.body")]
    big = BIG + say("give.seen", seen=seen, count=count)
    foot = [say("give.stock", count=stock), say("give.shuffled"), labels(say("last"), ok=say("give.ok"))]
    return page("give", head, [*body, big], foot)


def shuffle(say: Words, *, count: int) -> Screen:
    """The stock is too small for a round."""
    foot = [labels(say("last")), say("shuffle.ok")]
    return page("shuffle", [say("shuffle.title")], ["", say("shuffle.body", count=count)], foot)


def bet(
    say: Words,
    *,
    player: str,
    amounts: Sequence[int],
    place: int,
    turn: tuple[int, int] | None,
    limits: tuple[int, int],
    chips: int,
    double: bool,
) -> Screen:
    """A stake being said; `place` of two amounts is changed. `turn`: which player of how many, None: put right."""
    title = say("bet.again") if turn is None else say("bet.title", place=turn[0], count=turn[1])
    if len(amounts) == 1:
        return _page_of_bet(say, title, [BIG + _beside(player, str(amounts[0]))], [""], limits, chips, double)
    names = (say("bet.draws"), say("bet.stands"))
    rows = [
        split((">" if number == place else " ") + name, str(amount))
        for number, (name, amount) in enumerate(zip(names, amounts, strict=True))
    ]
    return _page_of_bet(say, title, [BIG + player[:BIG_WIDTH]], rows, limits, chips, False)


def _page_of_bet(
    say: Words, title: str, big: list[str], rows: list[str], limits: tuple[int, int], chips: int, double: bool
) -> Screen:
    have = [say("bet.limits", low=limits[0], high=limits[1]), say("bet.chips", chips=chips)]
    more = [say("bet.double")] if double else [say("bet.change")]
    foot = [*more, labels(say("back"), "-", "+", say("bet.ok"))]
    body = [*rows, *have] if len(rows) == 1 else [*rows, have[1]]
    return page("bet" if len(rows) == 1 else "bet_double", [title, *big], body[: 8 - 3 - len(foot)], foot)


def draw(
    say: Words,
    *,
    player: str,
    stakes: Sequence[int],
    up: Cards,
    least: float,
    covered: bool,
    double: bool,
    must_ask: bool,
) -> Screen:
    """A player's turn: what lies open, and `least` points of it; the covered card counts besides."""
    title = say("draw.title", player=player[:BIG_WIDTH], stake="+".join(map(str, stakes)))
    title = title if len(title) <= WIDTH else split(player, "+".join(map(str, stakes)))
    label = say("draw.covered") if covered else say("draw.swapping")
    cards = [f"{label} + {say.cards(up, most=4)}" if up else label]
    if len(cards[0]) > WIDTH:
        cards = [label, *card_rows("", [say.card(card) for card in up], 1)]
    big = BIG + (f"{points(say, least)} + ?" if up else "?")
    middle = [say("draw.must")] if must_ask else [say("bet.double")] if double else []
    foot = [*middle, *([] if must_ask else [say("draw.stand")]), say("draw.bust")]
    return page("draw", [title], [*cards, big], foot)


def declared(say: Words, *, player: str, kind: str, cards: Cards, total: float, covered: bool, stakes: int) -> Screen:
    """A bust, a d'emblée or a triplè. `covered`: the covered card was not needed to see it."""
    shown = say("declared.sum", player=player, cards=tuple(cards), total=points(say, total))
    note = [say("declared.covered")] if covered else []
    then = say("declared.loses", stake=stakes) if kind == "bust" else say("declared.waits")
    foot = [say("declared.ok"), say("sette.misread")]
    body = [shown, *note, then] if len(shown) <= WIDTH else [shown, then]
    return page(kind, [BIG + say(f"declared.{kind}")], body, foot)


def bank(say: Words, *, player: str, cards: Cards, total: float | None, jolly: float | None) -> Screen:
    """The bank's turn. Without `total` its card is still covered; `jolly` is what the jolly counts, if it is there."""
    if total is None:
        body = ["", say("bank.turn", player=player)]
        return page("bank_hidden", [BIG + say("bank.hidden")], body, [labels(say("last"), "", say("points"))])
    note = [] if jolly is None else [say("bank.jolly", value=points(say, jolly))]
    body = ["", *card_rows("", [say.card(card) for card in cards], 2), *note]
    foot = [say("draw.stand"), labels(say("last"), "", say("points"))]
    return page("bank", [BIG + say("bank.title", total=points(say, total))], body, foot)


def show(say: Words, *, bank: str, players: Sequence[str]) -> Screen:
    """The bank has finished: whose cards are still to be turned up."""
    body = [say("pay.title_short", total=bank), "", say("show.missing", players=" ".join(players))]
    return page("show", [say("show.title")], body, [labels(say("last"), "", say("points"))])


def pay(say: Words, *, bank: str, rows: Sequence[tuple[str, str, int]], next_bank: str, stays: bool) -> Screen:
    """What a round paid: player, hand, gain; the bank's own row is the last one."""
    head = [shortest([say(key, total=bank) for key in ("pay.title", "pay.title_short")])]
    after = say("pay.same" if stays else "pay.next", player=next_bank)
    foot = [after, labels(say("last"), "", say("points"), say("ok"))]
    room = 8 - len(head) - len(foot)
    if len(rows) <= room:
        body = [split(f"{name[:8]} {hand}", f"{gain:+d}" if gain else "0") for name, hand, gain in rows]
    else:
        body = columns([(name, f"{gain:+d}" if gain else "0") for name, _, gain in rows])
    return page("pay", head, body[:room], foot)


def chips(say: Words, *, rows: Sequence[tuple[str, int]]) -> Screen:
    """Everybody's chips."""
    lines = [split(name, str(count)) for name, count in rows] if len(rows) <= 6 else None
    body = lines or columns([(name, str(count)) for name, count in rows])
    return page("chips", [say("chips.title")], body[:6], [labels(say("back"))])


def columns(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Pairs of a name and a number, two pairs a row."""
    cells = [split(name, value, 10) for name, value in rows]
    return [f"{left} {right}".rstrip() for left, right in zip(cells[::2], [*cells[1::2], ""], strict=False)]


def past(say: Words, *, number: int, last: bool, what: str, fixes: bool) -> Screen:
    """A step of this round, to be annulled or, if it `fixes` at all, put right. Without `what` there is none."""
    if not what:
        return page("past", [say("chips.title")], [say("past.none")], [labels(say("back"))])
    title = say("past.title" if last else "past.older", n=number)
    foot = [say("past.other"), say("past.ok"), *([say("past.hold")] if fixes else []), say("past.no")]
    return page("past", [title], ["", what], foot)


def wrong(say: Words, *, rule: str, player: str, card: str, turn: str, ok: str) -> Screen:
    """Something against the rules; `ok` is the text of what OK means."""
    key = f"wrong.{rule}.body"
    known = rule in RULES
    body = say(key if known else "wrong.other.body", player=player, card=card, turn=turn)
    taken_back = [say("wrong.back", card=card)] if card and rule != "unknown_change" else []
    no = [say("sette.misread")] if rule == "card_already_out" else taken_back
    title = say(f"wrong.{rule}" if known else "wrong.other")
    return page(rule if known else "not_valid", [title], ["", body], [ok, *no], alarm=True)


RULES = frozenset(
    {
        *("wrong_turn", "already_bust", "must_declare", "none_covered", "two_covered", "unknown_change"),
        *("card_already_out", "stock_empty"),
    }
)
"""Faults that have a page of their own."""


def asked(say: Words, *, player: str, options: Cards) -> Screen:
    """A card before a player that cannot be read for certain."""
    signs = [f"{sign} {say.card_name(option)}" for sign, option in zip("-+", options, strict=False)]
    big = BIG + f" {say('or')} ".join(say.card(option) for option in options[:2]) + "?"
    return page("asked", [say("asked.title"), big], [say("asked.player", player=player)], [*signs, say("asked.no")])


def turned(say: Words, *, player: str, card: Card) -> Screen:
    """Whether a card is a new one or the covered one turned up."""
    foot = [say("turned.new"), say("turned.covered")]
    head = [say("turned.title"), BIG + say.card(card) + say.icon(card)]
    return page("turned", head, ["", say("asked.player", player=player)], foot)


def ended(say: Words, *, winner: str | None, rows: Sequence[tuple[str, int]]) -> Screen:
    """The end of the game: who has the most chips."""
    head = [BIG + say("ended.tie")] if winner is None else [say("ended.title"), BIG + winner[:BIG_WIDTH]]
    lines = [split(name, str(count)) for name, count in rows] if len(rows) <= 4 else None
    body = lines or columns([(name, str(count)) for name, count in rows])
    return page("ended", head, body[: 5 - (winner is not None)], [say("ended.foot")])


def _beside(name: str, value: str) -> str:
    return split(name, value, BIG_WIDTH)
