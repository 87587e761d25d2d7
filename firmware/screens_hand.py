"""Screens at the end of a hand and of a match, and those of a dispute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import DECK, Card
from firmware.screens_page import BIG, BIG_WIDTH, WIDTH, Screen, best, card_rows, labels, page, shortest, split, tally
from firmware.text import Words

Cards = Sequence[Card]
Points = int | tuple[int, int]
"""A number of points, or the lowest and highest that are still possible."""


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """One line of a score: its name (`carte`, `primiera`, ...), and for each side its points and what was counted.

    `counted` (cards, denari, the primiera's sum) is None where there is nothing to count, as for the settebello.
    """

    name: str
    points: tuple[Points, ...]
    counted: tuple[int | None, ...] | None = None


def score(
    say: Words,
    *,
    hand: int,
    names: Sequence[str],
    items: Sequence[ScoreItem],
    points: Sequence[Points],
    totals: Sequence[Points | str],
    sheet: int = 0,
    told: bool = False,
) -> Screen:
    """The points of a hand by item, for two to four sides; with more than five items − and + turn the `sheet`.

    `told`: the players corrected them.
    """
    sides = len(names)
    cell = 5 if sides == 2 else 4
    shown = items if len(items) <= 5 else items[5:] if sheet else items[:5]
    rows = [
        _columns(
            say("score.title_told" if told else "score.title", hand=hand), [name[: cell - 1] for name in names], cell
        )
    ]
    rows += [
        _columns(say(f"item.{item.name}"), [_counted(item, side) for side in range(sides)], cell) for item in shown
    ]
    sums = [("score.hand", points), ("score.total", totals)]
    foot = [_columns(say(key), [short(value) for value in values], cell) for key, values in sums]
    return page("score", rows, [], foot)


def _columns(label: str, cells: Sequence[str], cell: int) -> str:
    """A label and right-aligned cells; the star that marks a point stands to the right of its number.

    Of a label such as `Settebello|7bello` the longest form that fits is taken.
    """
    width = WIDTH - cell * len(cells)
    row = shortest(label.split("|"), width - 1).ljust(width)
    for text in cells:
        bare = text.rstrip("*?")
        row += bare[: cell - 1].rjust(cell - 1) + text[len(bare) :].ljust(1)
    return row.rstrip()


def _counted(item: ScoreItem, side: int) -> str:
    won = item.points[side]
    if item.counted is None:
        return ("-*" if won == 1 else "?" if isinstance(won, tuple) else "-")[-1] if item.name in _ONE else short(won)
    number = item.counted[side]
    return ("-" if number is None else str(number)) + ("?" if isinstance(won, tuple) else "*" if won else "")


_ONE = frozenset({"settebello", "re_bello"})
"""Items that one card decides: a star for its owner."""


def short(value: Points | str) -> str:
    """A number of points, or a range, in few cells."""
    if isinstance(value, int | str):
        return str(value)
    return f"{value[0]}-{value[1]}" if value[1] < 10 else f"{value[0]}+"


def undecided(say: Words, *, hands: Sequence[int], items: Sequence[str]) -> Screen:
    """Points that are not certain may decide the match: the `hands` and the `items` that are open."""
    names = ", ".join(say(f"item.{name}").split("|")[0] for name in items)
    body = [say("undecided.body", hands=", ".join(map(str, hands))), names]
    return page("undecided", [say("undecided.title")], body, [say("undecided.ok"), say("undecided.no")], alarm=True)


def tie(say: Words, *, names: Sequence[str], totals: Sequence[int], dealer: str) -> Screen:
    """Two or more sides share the highest total at the target: one more hand."""
    body = [tally(names, totals), say("tie.body"), say("tie.dealer", player=dealer)]
    head = [BIG + say("tie.big", total=max(totals))]
    return page("tie", head, body, [labels("", "", say("points"), say("ok"))])


def win(
    say: Words,
    *,
    winner: str,
    names: Sequence[str],
    totals: Sequence[int],
    hands: int,
    minutes: int,
    number: int | None = None,
    overruled: int = 0,
) -> Screen:
    """The match is over. `number` is that of the stored match, `overruled` counts plays accepted against the rules."""
    line = say("win.line", player=winner)
    head = [BIG + line] if len(line) <= BIG_WIDTH else [BIG + say("win.big"), BIG + winner]
    time = say("win.time_one", minutes=minutes) if hands == 1 else say("win.time", hands=hands, minutes=minutes)
    body = [tally(names, totals), time]
    if number is not None and len(head) == 1:
        body.append(say("win.saved", number=number))
    if overruled and len(head) == 1:
        body.append(say("win.overruled", count=overruled))
    return page("win", head, body, [say("win.ok"), say("win.foot")])


def end(
    say: Words,
    *,
    hand: int,
    left: Cards,
    owner: str | None,
    names: Sequence[str],
    piles: Sequence[int],
    debts: int,
    settled: bool = False,
) -> Screen:
    """The last card is played: who gets the cards left on the table, cards captured, plays still open.

    When its points are `settled` OK goes on, and of piles that hold all cards the players may say the numbers; else OK
    counts the piles.
    """
    body: list[str] = []
    if left and owner:
        key = "end.left_one" if len(left) == 1 else "end.left"
        body += [say(key, cards=tuple(left), player=owner), say("end.no_scopa")]
    body.append(tally(names, piles))
    if debts:
        body.append(say("end.debts_one") if debts == 1 else say("end.debts", count=debts))
    foot = [say("end.right"), say("end.wrong")] if settled else [say("end.ok"), say("end.no")]
    foot = [*foot, say("end.sizes")] if settled and sum(piles) == len(DECK) else foot
    return page("end", [say("end.title", hand=hand)], body, foot)


def sizes(say: Words, *, names: Sequence[str], values: Sequence[int], side: int) -> Screen:
    """How many cards each side has counted, and how many that is together; − and + change those of `side`."""
    rows = [
        split((">" if place == side else " ") + name, str(value))
        for place, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    total = split(say("sizes.all", count=len(DECK)), str(sum(values)))
    foot = [say("edit.next"), labels(say("no"), "-", "+", say("ok"))]
    return page("sizes", [say("sizes.title")], [*rows, total], foot)


def count(say: Words, *, player: str, seen: int, expected: int, missing: Cards, begun: bool = True) -> Screen:
    """Counting a pile by fanning it out; `missing` are the cards that should still come.

    It is `begun` when the table has been cleared.
    """
    body = [say("count.body" if begun else "count.clear")]
    body += [say("count.missing", cards=tuple(missing))] if missing and seen else []
    head = [say("count.title", player=player), BIG + f"{seen}/{expected}".center(BIG_WIDTH).rstrip()]
    return page("count", head, body, [say("count.foot"), say("count.no")])


def count_bad(say: Words, *, player: str, expected: int, seen: int, missing: Cards, other: str) -> Screen:
    """A pile that does not agree with the plays; − gives the first missing card to `other`."""
    body = [say("count_bad.body", player=player, expected=expected, seen=seen)]
    foot = [say("count_bad.ok")]
    if missing:
        body.append(say("count_bad.missing", cards=tuple(missing)))
        foot.append(say("count_bad.give", card=missing[0], player=other))
    return page("count_bad", [say("count_bad.title")], body, [*foot, say("count_bad.no")], alarm=True)


def wrong_pile(
    say: Words, *, card: Card, at: str, by: str, number: int | None, played: Card | None, takes: Cards
) -> Screen:
    """A card lies in the pile of `at` although `by` took it with play `number`. − is `at`, + is `by`.

    `number` is None for a card that was left on the table and went to `by` at the end.
    """
    shown = say.card(played) if played else "?"
    fields = {"n": number, "player": by, "card": shown, "takes": tuple(takes)}
    mine = say("wrong_pile.body", player=by)
    why = ("wrong_pile.play", "wrong_pile.play_short") if number else ("wrong_pile.left",)
    body = best(4, *([mine, say(key, **fields)] for key in why))
    foot = [say("wrong_pile.minus", player=at), say("wrong_pile.plus", player=by), say("count_bad.no")]
    title = shortest([say(key, card=card, player=at) for key in ("wrong_pile.title", "wrong_pile.title_short")])
    return page("wrong_pile", [title], body, foot, alarm=True)


def correct(say: Words, *, number: int, names: Sequence[str], points: Sequence[str], totals: Sequence[str]) -> Screen:
    """A finished hand with its points, which may be corrected, and the totals so far."""
    body = [tally(names, points), say("correct.total"), tally(names, totals)]
    foot = [say("correct.other"), say("correct.ok"), say("off.no")]
    return page("correct", [say("correct.title", hand=number)], body, foot)


def redeal_hand(say: Words, *, plays: bool = True) -> Screen:
    """Asks before a running hand is given up: nothing of it counts, and the same dealer deals again.

    `plays`: − and + lead to single plays.
    """
    foot = [*([say("dispute.other")] if plays else []), say("redeal_hand.ok"), say("dispute.no")]
    return page("redeal_hand", [say("redeal_hand.title")], [say("redeal_hand.body")], foot)


def dispute(say: Words, *, last: bool, player: str, card: Card | None, takes: Cards, number: int | None) -> Screen:
    """A play to look at again: the `last` one or an older; `number` None when there is no play at all."""
    if number is None:
        return page("dispute", [say("dispute.title")], [say("dispute.none")], [say("dispute.no")])
    key = ("dispute.last" if last else "dispute.older") + ("" if takes else "_laid")
    fields = {"player": player, "card": say.card(card) if card else "?", "takes": tuple(takes)}
    body = [say(key, **fields), say("dispute.number", n=number)]
    foot = [say("dispute.other"), say("dispute.ok"), say("dispute.no")]
    return page("dispute", [say("dispute.title")], body, foot)


def undo(say: Words, *, number: int, back: Cards, remove: Cards, player: str, card: Card | None) -> Screen:
    """Leads the cards of an annulled play back: those for the table, and the card that returns to the hand."""
    body: list[str] = []
    if back:
        body += [say("undo.back"), *_big(say, back)]
    if remove:
        body.append(say("put_back.remove_also", cards=tuple(remove)))
    body += [say("undo.hand", player=player, card=say.card(card) if card else "?"), say("undo.waiting")]
    return page("undo", [say("undo.title", n=number)], body, [say("undo.no")])


def _big(say: Words, cards: Cards) -> list[str]:
    letters = [say.card(card) for card in cards]
    return [BIG + " ".join(letters)] if len(letters) <= 3 else card_rows("", letters, 3)


def claim(say: Words, *, player: str, target: int, certain: int, possible: Sequence[str]) -> Screen:
    """A side says that it has reached the target; `possible` are names of items that may still bring points."""
    titles = [say(key, player=player, target=target) for key in ("claim.title", "claim.title_short")]
    items = ", ".join(say(f"item.{name}").split("|")[0].lower() for name in possible)
    body = [say("claim.certain", points=certain)]
    body += [say("claim.possible", items=items)] if items else []
    body = list(best(6, [*body, say("claim.warning")], [body[0], say("claim.warning")]))
    return page("claim", [shortest(titles)], body, [split(say("claim.ok"), say("claim.no"))])
