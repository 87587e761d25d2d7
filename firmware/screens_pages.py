"""Screens of the pages that people open, and of the tasks of the box."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from firmware.screens_page import BIG, BIG_WIDTH, WIDTH, Screen, labels, page, split, tally
from firmware.text import Words


def sure(say: Words, *, names: Sequence[str], totals: Sequence[object], certain: Sequence[int]) -> Screen:
    """The totals so far, and the points of the running hand that nobody can take away any more."""
    body = [tally(names, totals)]
    if any(certain):
        body += ["", say("sure.hand"), tally(names, [f"+{points}" for points in certain])]
    return page("sure", [say("sure.title")], body, [labels(say("back"), "", "", say("ok"))])


def leave(say: Words) -> Screen:
    """Asks before a match is given up."""
    return page("leave", [say("leave.title")], [say("leave.body")], [say("leave.ok"), say("off.no")])


def history(say: Words, *, rows: Sequence[str], place: int, count: int) -> Screen:
    """One finished match of `count`, the newest first."""
    head = [split(say("list.history"), f"{place + 1}/{count}")]
    return page("history", head, list(rows), [labels(say("back"), "-", "+", say("ok"))])


def next_hand(say: Words, *, dealer: str) -> Screen:
    """Between two hands: the cards are gathered, and who deals next."""
    foot = [labels(say("last"), "", say("points"), say("ok"))]
    return page("next_hand", [say("next.title")], [say("next.body"), "", say("tie.dealer", player=dealer)], foot)


def by_hand(say: Words, *, hand: int, dealer: str) -> Screen:
    """A match without a camera: play the hand, then tell its points."""
    body = [say("by_hand.body"), "", say("tie.dealer", player=dealer)]
    return page("by_hand_hand", [say("score.title", hand=hand).split("|")[0]], body, [say("by_hand.ok")])


def numbers(say: Words, *, entries: Sequence[str], values: Sequence[int], place: int, names: Sequence[str]) -> Screen:
    """The points of a hand being told: the entry in BIG that − and + change, and its neighbours."""
    texts = [_value(say, entry, value, names) for entry, value in zip(entries, values, strict=True)]
    value = texts[place]
    head = [_entry(say, entries[place], names), BIG + value[:BIG_WIDTH]]
    first = max(0, min(place - 1, len(entries) - 3))
    rows = []
    for number in range(first, min(first + 3, len(entries))):
        label = (">" if number == place else " ") + _entry(say, entries[number], names)
        rows.append(split(label[: WIDTH - 1 - len(texts[number][:8])], texts[number][:8]))
    return page("by_hand_points", head, rows, [say("edit.next"), labels(say("no"), "-", "+", say("ok"))])


def _entry(say: Words, entry: str, names: Sequence[str]) -> str:
    item, _, side = entry.partition(".")
    text = say(f"item.{item}").split("|")[0]
    return f"{text} {names[int(side)]}"[:WIDTH] if side else text


def _value(say: Words, entry: str, value: int, names: Sequence[str]) -> str:
    return str(value) if "." in entry else names[value - 1] if value else say("by_hand.nobody")


def learn(say: Words, *, done: int, total: int, card: Card | None, where: str, note: str) -> Screen:
    """Learning a deck: which card is wanted and `where` it is read best, and what the last look was like."""
    wanted = f"{say.rank(card.value)} {say.suit_name(card.suit).upper()}" if card else say("learn.back") if done else ""
    body = [where, BIG + wanted[:BIG_WIDTH], note]
    foot = [labels(say("back"), say("redo"), say("skip") if card else "", say("ok") if card else say("save"))]
    return page("learn", [split(say("learn.title"), f"{done}/{total}")], body, foot)


def task(say: Words, *, name: str, lines: Sequence[tuple[str, str]], note: str, more: bool = False) -> Screen:
    """Calibration or a copy: lines of a label and a state, and a remark. `more`: − and + lead to older copies."""
    rows = [split(label[: WIDTH - 1 - len(state)], state) for label, state in lines]
    foot = [say("backup.other")] if more else []
    foot.append(labels(say("back"), "", "", say("ok" if name == "backup" else "save")))
    return page(name, [say(f"{name}.title")], [*rows, *([note] if note else [])], foot)


def restore_copy(say: Words, *, name: str) -> Screen:
    """Asks before a backup takes the place of all that is here, which was copied a moment ago."""
    foot = [say("backup.other"), say("restore_copy.ok"), say("off.no")]
    return page("restore_copy", [say("restore_copy.title")], [name, say("restore_copy.body")], foot)
