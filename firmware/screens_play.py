"""Screens of the running hand: whose turn, what was taken, what is wrong, and the questions about a card.

Every function makes one `Screen` from the words of a language and plain facts. Players are given by their names.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import SETTEBELLO, Card
from firmware.screens_page import BIG, BIG_WIDTH, Screen, best, card_rows, labels, page, shortest, split, tally
from firmware.text import Words

Cards = Sequence[Card]


def play(
    say: Words,
    *,
    turn: str,
    table: Cards,
    names: Sequence[str],
    piles: Sequence[int],
    stock: int,
    hand: int,
    number: int,
    plays: int,
    open_plays: int = 0,
    slow: bool = False,
) -> Screen:
    """Whose turn it is. `piles` are the cards captured by each of `names`, `number` the play now awaited, from 1."""
    on_table, awaited = _on_table(say, table), say("play.slow" if slow else "play.turn")
    yours = [awaited] if len(on_table) > 1 else [BIG + awaited]
    count = say("play.count", hand=hand, play=number, plays=plays)
    bottom = [
        *on_table,
        tally(names, piles, f"{say('stock')} {stock}" if stock else ""),
        split(count, f"?{open_plays}") if open_plays else count,
        labels(say("last"), "", say("points"), say("done")),
    ]
    return page("play", [BIG + turn, *yours], [], bottom)


def took(
    say: Words,
    *,
    player: str,
    card: Card | None,
    takes: Cards,
    table: Cards,
    options: Cards = (),
    accepted: bool = False,
    why: str = "",
) -> Screen:
    """The last play, a capture or a card laid. `card` is None while open; `options` then holds its candidates.

    `accepted`: all agreed to it although the rules refuse it. `why` is the name of a text that explains it.
    """
    title = say("took.title", player=player)
    head = [BIG + title] if len(title) <= BIG_WIDTH else [BIG + player]
    if card is None:
        values = sorted({option.value for option in options})
        what = f" {say('or')} ".join(say.rank_name(value) for value in values)
        body = say("took.unknown", value=what, takes=tuple(takes))
    elif takes:
        body = say("took.body", card=card, takes=tuple(takes))
    else:
        head, body = [BIG + player], say("took.laid", player=player, card=card)
    note = [say("took.settebello")] if SETTEBELLO in (*takes, card) and takes else []
    note = [say(why), *note] if why else note
    note = [say("took.accepted")] if accepted else note
    foot = [*_on_table(say, table), labels(say("last"), "", say("points"))]
    return page("took", [*head, ""], [body, *note], foot)


def scopa(say: Words, *, player: str, card: Card | None, takes: Cards) -> Screen:
    """A capture that emptied the table, and how to mark it."""
    shown = say.card(card) if card else "?"
    taken = say("scopa.body", player=player, card=shown, takes=tuple(takes))
    marks = [say(key, card=shown, player=player) for key in ("scopa.mark", "scopa.mark_short")] if card else []
    body = best(5, *([taken, mark] for mark in marks)) if marks else ["", taken]
    head = [BIG + say("scopa.big").center(BIG_WIDTH).rstrip()]
    return page("scopa", head, body, [labels(say("last"), "", say("points"))])


def must_take(say: Words, *, player: str, card: Card, legal: Cards) -> Screen:
    """A card lies there that could have taken `legal`."""
    body = best(
        5,
        [say("must_take.body", player=player, card=card, legal=tuple(legal))],
        [say("must_take.body_short", player=player, card=card, legal=tuple(legal))],
    )
    return page("must_take", [say("must_take.title")], body, _overrule(say), alarm=True)


def bad_take(
    say: Words, *, rule: str, player: str, card: Card | None, takes: Cards, legal: Cards, put_back: Cards
) -> Screen:
    """A capture that the rule with this refusal code forbids, by a card that may not have been seen.

    `legal` is one capture that is allowed, or empty.
    """
    known = {"must_take_equal", "wrong_sum", "only_one_equal", "ace_takes_all", "must_take_fewest", "card_not_on_table"}
    key = f"bad_take.{rule if rule in known and card else 'other'}"
    why = say(key, legal=tuple(legal or takes), value=say.rank_name(card.value) if card else "?")
    taken = say("bad_take.took", player=player, card=say.card(card) if card else "?", takes=tuple(takes))
    body = best(
        5,
        [f"{taken} {why}", say("bad_take.put_back", cards=tuple(put_back))],
        [taken, say("bad_take.put_back", cards=tuple(put_back))],
    )
    return page("bad_take", [say("bad_take.title")], body, _overrule(say), alarm=True)


def put_back(
    say: Words, *, missing: Cards, seen: Cards = (), remove: Cards = (), player: str = "", legal: Cards = ()
) -> Screen:
    """Leads the cards back: the `missing` in BIG, those `seen` again, those to `remove`, and what comes then."""
    main = missing or remove
    title = say("put_back.title" if missing else "put_back.remove" if remove else "put_back.right")
    progress, also, then = _progress(say, missing, seen), _also(say, missing, remove), _then(say, player, legal)
    big = _big_cards(say, main)
    small = card_rows("", _letters(say, main), 3)
    body = best(6, [*big, *progress, *also, *then], [*small, *progress, *also, *then], [*small, *also, *then])
    return page("put_back", [title], body, [say("put_back.no")])


def _progress(say: Words, missing: Cards, seen: Cards) -> list[str]:
    if not (seen and missing):
        return []
    texts = [
        f"{say('seen')} {say.cards(seen, most=most)}  {say('missing')} {say.cards(missing, most=most)}"
        for most in (4, 3, 2, 1)
    ]
    return [shortest(texts)]


def _also(say: Words, missing: Cards, remove: Cards) -> list[str]:
    return [say("put_back.remove_also", cards=tuple(remove))] if missing and remove else []


def _then(say: Words, player: str, legal: Cards) -> list[str]:
    if not player:
        return []
    return [
        say("put_back.then", player=player, legal=tuple(legal)) if legal else say("put_back.then_play", player=player)
    ]


def lost(say: Words, *, was: Cards, now: Cards, changes: int, why: str = "", card: Card | None = None) -> Screen:
    """A table that nothing explains. `why` may be `card_already_out` (with its card) or `two_cards`."""
    reason = say("lost.changes", count=changes) if changes != 1 else say("lost.change")
    if why == "card_already_out" and card:
        reason = say("lost.card_already_out", card=card)
    elif why == "two_cards":
        reason = say("lost.two_cards")
    rows = [
        *card_rows(say("lost.was"), _letters(say, was), 1),
        *card_rows(say("lost.now"), _letters(say, now), 1),
        reason,
    ]
    return page(
        "lost", [say("lost.title")], rows, [say(key) for key in ("lost.ok", "lost.no", "lost.type")], alarm=True
    )


def out_turn(say: Words, *, player: str, card: Card, turn: str) -> Screen:
    """`player` laid a card although it is the turn of `turn`; − says that it was `turn` who did."""
    body = [say("out_turn.body", player=player, card=card, turn=turn)]
    foot = [say("out_turn.minus", player=turn), say("out_turn.no", card=card), say("out_turn.ok")]
    return page("out_turn", [say("out_turn.title")], body, foot, alarm=True)


def unsure(say: Words, *, options: Cards) -> Screen:
    """Which of two cards lies there; − is the first of `options`, + the second."""
    first, second = options[0], options[1]
    asked = f"{BIG}{say.card(first)} {say('or')} {say.card(second)}?"
    foot = [f"- {say.card_name(first)}", f"+ {say.card_name(second)}", say("unsure.no")]
    return page("unsure", [say("unsure.title"), asked], [say("unsure.body")], foot)


def unseen(say: Words, *, player: str, takes: Cards, options: Cards) -> Screen:
    """A capture was made with a card that nobody saw; `options` are one to four candidates of one value."""
    value = say.rank_name(options[0].value)
    body = best(
        8 - 3 - len(options[:2]),
        [say("unseen.body", player=player, takes=tuple(takes), value=value)],
        [say("unseen.body_short", player=player, value=value)],
        [say("unseen.body_short", player=player, value=value).split("?")[0] + "?"],
    )
    answers = [f"{sign} {say.card_name(option)}" for sign, option in zip("-+", options, strict=False)]
    foot = [*answers, say("unseen.ok"), say("unseen.no", value=value)]
    return page("unseen", [say("unseen.title")], body, foot)


def pick_card(say: Words, *, card: Card, suit_moves: bool = False) -> Screen:
    """Any of the forty cards, its rank or (`suit_moves`) its suit being chosen by − and +."""
    big = f"{BIG}{say.rank(card.value)} {say.suit_name(card.suit).upper()}"
    moves = say("pick_card.suit" if suit_moves else "pick_card.value")
    body = [say.card_name(card), moves, say("pick_card.hold"), say("pick_card.skipped")]
    return page("pick_card", [say("pick_card.title"), big], body, [labels(say("back"), "-", "+", say("ok"))])


def pick_takes(say: Words, *, card: Card, takes: Cards) -> Screen:
    """Which of its possible captures a card made, one at a time."""
    shown = _big_cards(say, takes) or [BIG + say("pick_takes.nothing")]
    foot = [labels(say("back"), "-", "+", say("ok"))]
    return page("pick_takes", [say("pick_takes.title", card=card)], shown, foot)


def _overrule(say: Words) -> list[str]:
    return [say("no_misread"), say("ok_overrule")]


def _on_table(say: Words, table: Cards) -> list[str]:
    signed = [say.card(card) + say.icon(card) for card in table]
    return card_rows(say("table"), _letters(say, table), 2, signed)


def _letters(say: Words, cards: Cards) -> list[str]:
    return [say.card(card) for card in cards]


def _big_cards(say: Words, cards: Cards) -> list[str]:
    """Cards in BIG with their signs, three a row; more than six in small letters."""
    if len(cards) > 6:
        return card_rows("", _letters(say, cards), 3)
    if len(cards) <= 2:
        return [BIG + " ".join(say.card(card) + say.icon(card) for card in cards)] if cards else []
    return [BIG + " ".join(_letters(say, cards[place : place + 3])) for place in range(0, len(cards), 3)]
