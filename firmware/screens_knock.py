"""Screens of Cirulla: a knock, one that is not valid, one that the camera did not see, a first table that pays."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from firmware.screens_page import BIG, Screen, best, card_rows, labels, page, shortest
from firmware.text import Words

Cards = Sequence[Card]


def knock(
    say: Words, *, player: str, kind: str, points: int, cards: Cards, matta: tuple[Card, int] | None = None
) -> Screen:
    """A player has knocked; `kind` is `low`, `three` or `both`, `matta` the wild card and the value that it stands for.

    Without `cards` the players have told it.
    """
    shown = card_rows("", [say.card(card) + say.icon(card) for card in cards], 1) if cards else []
    what = [say(f"knock.{kind}")] if kind in {"low", "three", "both"} else []
    if matta:
        what.append(say("knock.matta", card=matta[0], value=say.rank_name(matta[1])))
    head = [BIG + say("knock.big", points=points), player]
    return page("knock", head, [*shown, *what, say("knock.later")], [labels(say("last"), "", say("points"))])


def false_knock(say: Words, *, late: bool, player: str, cards: Cards) -> Screen:
    """Cards were shown that pay nothing, or too late: they go back into the hand."""
    why = say("false_knock.late" if late else "false_knock.not_valid")
    shown = say.cards(cards, most=3)
    body = best(5, [f"{player} {shown}: {why}", say("false_knock.up")], [f"{shown}: {why}", say("false_knock.up")])
    foot = [say("no_misread"), say("false_knock.ok")]
    return page("false_knock", [say("false_knock.title")], body, foot, alarm=True)


def opening(say: Words, *, dealer: str, scope: int, cards: Cards, first: str) -> Screen:
    """A first table of 15 or 30: the dealer takes it, then `first` plays."""
    head = [BIG + say("opening.big", total=15 * scope), say.cards(cards, most=7)]
    taken = say("opening.one" if scope == 1 else "opening.more", player=dealer, count=scope)
    return page("opening", head, [taken, say("opening.then", player=first)], [labels(say("last"), "", say("points"))])


def tell_knock(say: Words, *, player: str, kind: str, points: int) -> Screen:
    """A knock that the camera did not see is told: − and + go through players and points."""
    rows = [BIG + player, say(f"knock.{kind}"), BIG + say("tell_knock.points", points=points)]
    foot = [labels(say("back"), "-", "+", say("ok"))]
    return page("tell_knock", [shortest([say("tell_knock.title")])], rows, foot)


def dispute(say: Words, *, player: str, points: int) -> Screen:
    """The last knock to look at again."""
    foot = [say("dispute.other"), say("dispute.ok_knock"), say("dispute.no")]
    body = [say("dispute.knock", player=player, points=points)]
    return page("dispute", [say("dispute.title")], body, foot)
