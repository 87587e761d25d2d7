"""From the referee's facts to a screen: which page the running match shows, whoever presses nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.bits import bits
from engine.cards import Card, parse_cards
from engine.rules import RuleSet
from engine.scoring import primiera_value
from firmware import screens_hand as hand_pages
from firmware import screens_knock as knock_pages
from firmware import screens_play as play_pages
from firmware import screens_start as start_pages
from firmware.events import Hand, Knocked, Played
from firmware.pile_count import PileCount
from firmware.screens_hand import Points, ScoreItem
from firmware.screens_page import BIG, Screen, card_rows, page, tally
from firmware.text import Words
from firmware.view import View

BAD_TAKES: Final = frozenset(
    {
        "must_take_equal",
        "wrong_sum",
        "only_one_equal",
        "ace_takes_all",
        "must_take_fewest",
        "card_not_on_table",
        "card_twice",
        "ace_not_first",
        "card_not_in_hand",
    }
)
"""Refusals of a capture that are shown as `bad_take`."""

UNEXPLAINED: Final = frozenset({"unknown_change", "card_already_out", "two_cards"})
"""Faults that are shown as `lost`."""

_LINES: Final = 5
"""Items that one sheet of a score holds."""


def screen_for(
    view: View, rules: RuleSet, say: Words, *, told: bool = False, sheet: int = 0, slow: bool = False
) -> Screen:
    """The page of this moment. `told`: the last play is still being announced; `sheet` of a score, from 0; `slow`:
    the others wait for whoever is to play.
    """
    if view.phase == "deal":
        return _deal(view, rules, say)
    if view.phase == "fault":
        return _fault(view, say)
    if view.phase == "restore":
        return restore(view, say)
    if view.phase == "score":
        return score(view, rules, say, sheet=sheet)
    if view.phase == "over":
        return win(view, say)
    if told and view.knocked:
        return knock(view, rules, say, view.knocked)
    paid = taken_at_once(view)
    if paid and view.state:
        first, scope = view.players[(view.dealer + 1) % len(view.players)], sum(view.state.scope)
        return knock_pages.opening(say, dealer=view.players[view.dealer], scope=scope, cards=paid, first=first)
    return last_play(view, say) if told and view.last else play(view, say, slow=slow)


def knock(view: View, rules: RuleSet, say: Words, event: Knocked) -> Screen:
    """A knock, with what the matta stands for."""
    matta = (Card.parse(rules.matta), event.matta) if rules.matta and event.matta else None
    return knock_pages.knock(
        say,
        player=view.players[event.player],
        kind=event.kind,
        points=event.points,
        cards=parse_cards(event.cards),
        matta=matta,
    )


def taken_at_once(view: View) -> tuple[Card, ...]:
    """The cards of a first table of 15 or 30 that the dealer has not taken up yet."""
    captured = frozenset[Card]().union(*view.state.piles) if view.state and not view.play else frozenset[Card]()
    return tuple(card for card in view.beside if card in captured)


def side_names(view: View) -> tuple[str, ...]:
    """The name of each side: the player's, or those of both partners."""
    names = []
    for side in range(len(set(view.sides))):
        of_side = [name for name, theirs in zip(view.players, view.sides, strict=True) if theirs == side]
        names.append(of_side[0] if len(of_side) == 1 else "-".join(name[:4] for name in of_side))
    return tuple(names)


def play(view: View, say: Words, *, slow: bool = False) -> Screen:
    """Whose turn it is."""
    piles = [len(pile) for pile in view.state.piles] if view.state else [0] * len(set(view.sides))
    return play_pages.play(
        say,
        turn=view.players[view.turn or 0],
        table=view.expected,
        names=side_names(view),
        piles=piles,
        stock=view.state.undealt if view.state else 0,
        hand=view.hand,
        number=min(view.play + 1, view.plays),
        plays=view.plays,
        open_plays=view.debts,
        slow=slow,
    )


def aside(view: View, say: Words) -> Screen:
    """The table as it should lie, in BIG letters while there is room, and the totals."""
    names, letters = side_names(view), [say.card(card) for card in view.expected]
    totals = [hand_pages.short(total) for total in view.totals]
    rows = [BIG + " ".join(letters[first : first + 3]) for first in range(0, len(letters), 3)]
    body = rows if len(rows) <= 3 else card_rows(say("table"), [say.card(c) + say.icon(c) for c in view.expected], 6)
    return page("aside", [tally(names, totals)], body, [])


def last_play(view: View, say: Words) -> Screen:
    """The last play in full; the play page when there is none."""
    return played(view, say, view.last, view.expected) if view.last else play(view, say)


def played(view: View, say: Words, event: Played, table: Sequence[Card]) -> Screen:
    """One play of the match."""
    player, card = view.players[event.player], Card.parse(event.card) if event.card else None
    takes = parse_cards(event.takes)
    if event.scopa:
        return play_pages.scopa(say, player=player, card=card, takes=takes)
    why = "" if event.overruled or view.state is None else _ace(view.state.rules, card, takes, table)
    return play_pages.took(
        say,
        player=player,
        card=card,
        takes=takes,
        table=table,
        options=parse_cards(event.options),
        accepted=event.overruled,
        why=why,
    )


def _ace(rules: RuleSet, card: Card | None, takes: Sequence[Card], table: Sequence[Card]) -> str:
    """Where an ace takes all: the text for why this one did, took another ace, or stayed; else nothing."""
    if card is None or card.value != 1 or rules.ace != "takes_all":
        return ""
    if not takes:
        return "took.ace_stays" if tuple(table) == (card,) else ""
    aces = [taken for taken in takes if taken.value == 1]
    return "" if aces and len(takes) > 1 else "took.ace_on_ace" if aces else "took.ace_all"


def _deal(view: View, rules: RuleSet, say: Words) -> Screen:
    return start_pages.deal(
        say,
        hand=view.hand,
        dealer=view.players[view.dealer],
        first=view.players[(view.dealer + 1) % len(view.players)],
        cards=rules.hand_cards,
        table=rules.table_cards,
        seen=view.lies,
    )


def _fault(view: View, say: Words) -> Screen:
    fault = view.fault
    assert fault is not None, "a view in the phase fault has its fault"
    player, card = view.players[fault.player], Card.parse(fault.card) if fault.card else None
    takes, wanted = parse_cards(fault.takes), parse_cards(fault.put_back)
    legal = parse_cards(fault.legal[0]) if fault.legal else ()
    if fault.rule == "misdeal":
        return start_pages.redeal(say, kings=sum(card.value == 10 for card in view.lies) > 1, cards=view.lies)
    if fault.rule == "must_take" and card:
        return play_pages.must_take(say, player=player, card=card, legal=legal)
    if fault.rule == "wrong_turn" and card:
        turn = view.players[view.turn if view.turn is not None else fault.player]
        return play_pages.out_turn(say, player=player, card=card, turn=turn)
    if fault.rule in {"knock_not_valid", "knock_too_late"}:
        late = fault.rule == "knock_too_late"
        return knock_pages.false_knock(say, late=late, player=player, cards=view.surplus)
    if fault.rule in BAD_TAKES:
        if putting_back(view):
            back = tuple(card for card in wanted if card not in view.missing)
            return play_pages.put_back(say, missing=view.missing, seen=back, player=player, legal=legal)
        return play_pages.bad_take(
            say, rule=fault.rule, player=player, card=card, takes=takes, legal=legal, put_back=wanted
        )
    changes = len(view.missing) + len(view.surplus)
    return play_pages.lost(say, was=view.expected, now=view.lies, changes=changes, why=fault.rule, card=card)


def question(view: View, say: Words) -> Screen:
    """What the players may settle: a card between two, or the card of a capture that nobody saw."""
    asked = view.question
    assert asked is not None, "there is a question to show"
    if not asked.takes and len(asked.options) > 1:
        return play_pages.unsure(say, options=asked.options)
    return play_pages.unseen(say, player=view.players[asked.player], takes=asked.takes, options=asked.options)


def putting_back(view: View) -> bool:
    """Whether the cards of a capture that is not valid are on their way back: some lie there again, some do not."""
    fault = view.fault
    if fault is None or fault.rule not in BAD_TAKES:
        return False
    return bool(view.missing) and any(card not in view.missing for card in parse_cards(fault.put_back))


def restore(view: View, say: Words) -> Screen:
    """Leads the cards back to the last safe table."""
    seen = tuple(card for card in view.expected if card not in view.missing) if view.missing else ()
    player = view.players[view.turn] if view.turn is not None else ""
    return play_pages.put_back(say, missing=view.missing, seen=seen, remove=view.surplus, player=player)


def undo(view: View, say: Words, undone: Played) -> Screen:
    """Leads the cards of an annulled play back to the table and to the hand."""
    card = Card.parse(undone.card) if undone.card else None
    return hand_pages.undo(
        say,
        number=undone.n,
        back=view.missing,
        remove=tuple(other for other in view.surplus if other != card),
        player=view.players[undone.player],
        card=card,
    )


def score(
    view: View, rules: RuleSet, say: Words, *, sheet: int = 0, hand: Hand | None = None, number: int | None = None
) -> Screen:
    """The points of the hand that has ended, or of another one with its number, by item."""
    ended = hand or view.ended
    assert ended is not None, "a score needs a hand that has ended"
    sides = range(len(set(view.sides)))
    return hand_pages.score(
        say,
        hand=number or view.hand - 1,
        told=ended.how == "told" and bool(ended.piles),
        names=side_names(view),
        items=score_items(ended, rules),
        points=[ended.total[str(side)] for side in sides],
        totals=[say("out") if side in view.excluded else view.totals[side] for side in sides],
        sheet=sheet,
    )


def correct(view: View, say: Words, *, hand: Hand, number: int) -> Screen:
    """A finished hand whose points may be corrected."""
    names = side_names(view)
    points = [hand_pages.short(hand.total[str(side)]) for side in range(len(names))]
    totals = [hand_pages.short(total) for total in view.totals]
    return hand_pages.correct(say, number=number, names=names, points=points, totals=totals)


def score_items(ended: Hand, rules: RuleSet) -> tuple[ScoreItem, ...]:
    """The lines of a score: those that always count, and those that brought points."""
    sides = sorted(ended.points, key=int)
    piles = [parse_cards(ended.piles[side]) for side in sides] if ended.piles else []
    counted: dict[str, tuple[int | None, ...]] = {}
    if piles:
        counted["carte"] = tuple(len(pile) for pile in piles)
        counted["denari"] = tuple(sum(card.suit == 0 for card in pile) for pile in piles)
        counted["primiera"] = tuple(primiera_value(rules, bits(pile)) for pile in piles)
    always = {"carte", "denari", "settebello", "scope"} | ({"primiera"} if rules.primiera != "off" else set())
    items = []
    for name in ended.points[sides[0]]:
        points: tuple[Points, ...] = tuple(ended.points[side][name] for side in sides)
        if name in always or any(points):
            shown = "settanta" if name == "primiera" and rules.primiera == "settanta" else name
            items.append(ScoreItem(shown, points, None if shown == "settanta" else counted.get(name)))
    return tuple(items)


def sheets(view: View, rules: RuleSet) -> int:
    """How many sheets the score has."""
    return 1 if view.ended is None or len(score_items(view.ended, rules)) <= _LINES else 2


def settled(view: View) -> bool:
    """Whether the points of the last hand are certain."""
    return view.ended is None or view.ended.settled


def undecided(view: View, rules: RuleSet) -> bool:
    """Whether points that are not certain may decide the match."""
    most = [total if isinstance(total, int) else total[1] for total in view.totals]
    uncertain = any(not isinstance(total, int) for total in view.totals)
    return uncertain and rules.end != "declared" and max(most) >= rules.target


def end(view: View, say: Words, *, debts: int = 0) -> Screen:
    """The end of a hand: what is left on the table goes to the side that captured last."""
    ended = view.ended
    assert ended is not None, "the end of a hand needs a hand that has ended"
    names = side_names(view)
    piles = [parse_cards(ended.piles.get(str(side), ())) for side in range(len(names))]
    left = () if view.phase == "deal" else view.lies
    owner = next((names[side] for side, pile in enumerate(piles) if left and set(left) <= set(pile)), None)
    return hand_pages.end(
        say,
        hand=view.hand - 1,
        left=left if owner else (),
        owner=owner,
        names=names,
        piles=[len(pile) for pile in piles],
        debts=debts,
        settled=settled(view),
    )


def open_items(hands: Iterable[Hand]) -> tuple[str, ...]:
    """The items of these hands that are not certain."""
    found = (
        name
        for hand in hands
        for points in hand.points.values()
        for name, won in points.items()
        if not isinstance(won, int)
    )
    return tuple(dict.fromkeys(found))


def counting(view: View, say: Words, count: PileCount) -> Screen:
    """The pile that is fanned out, and what does not agree with the plays."""
    names, side = side_names(view), count.side
    if count.step == "count_bad":
        return hand_pages.count_bad(
            say,
            player=names[side],
            expected=count.expected,
            seen=len(count.ticked),
            missing=count.missing,
            other=names[(side + 1) % len(names)],
        )
    if count.step == "wrong_pile":
        card, turn = count.foreign[0], count.taker(count.foreign[0])
        return hand_pages.wrong_pile(
            say,
            card=card,
            at=names[side],
            by=names[count.owner(card) or 0],
            number=turn.n if turn else None,
            played=turn.play.card if turn and not turn.open else None,
            takes=tuple(sorted(turn.play.takes)) if turn else (),
        )
    return hand_pages.count(
        say,
        player=names[side],
        seen=len(count.ticked),
        expected=count.expected,
        missing=count.missing,
        begun=count.empty,
    )


def tied(view: View, rules: RuleSet) -> bool:
    """Whether the best sides share a total at or over the target: another hand is played (M3)."""
    totals = [total if isinstance(total, int) else total[0] for total in view.totals]
    best = max(totals, default=0)
    return view.won is None and best >= rules.target and totals.count(best) > 1


def tie(view: View, say: Words) -> Screen:
    """Two sides at the target with the same total."""
    totals = [total if isinstance(total, int) else total[0] for total in view.totals]
    return hand_pages.tie(say, names=side_names(view), totals=totals, dealer=view.players[view.dealer])


def win(view: View, say: Words, *, minutes: int = 0, number: int | None = None, overruled: int = 0) -> Screen:
    """The match is over; `minutes` it took, its `number` in the store, plays accepted against the rules."""
    won = view.won
    assert won is not None, "a view in the phase over has its winner"
    names = side_names(view)
    return hand_pages.win(
        say,
        winner=names[int(won.winner)],
        names=names,
        totals=[won.totals[str(side)] for side in range(len(names))],
        hands=view.hand - 1,
        minutes=minutes,
        number=number,
        overruled=overruled,
    )
