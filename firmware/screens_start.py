"""Screens before and around play: power-on, resume, the deal, notices, switching off."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from firmware.screens_page import BIG, Screen, best, card_rows, labels, page, shortest, split, tally
from firmware.text import Words

Cards = Sequence[Card]


def boot(say: Words, *, version: str, checks: Sequence[tuple[str, str]]) -> Screen:
    """What power-on has reached: pairs of a part (`memory`, `buttons`, `camera`, `deck`) and its state.

    A state is `ok`, `running`, `waiting`, `none`, or a name to show, such as that of the deck.
    """
    rows = [split(say(f"boot.{part}"), _state(say, state)) for part, state in checks]
    return page("boot", [split(say("boot.title"), version)], rows, [])


def _state(say: Words, state: str) -> str:
    return say("ok") if state == "ok" else say(f"boot.{state}") if state in {"running", "waiting", "none"} else state


def boot_nocam(say: Words, *, wait: int, attempt: int, code: str) -> Screen:
    """No camera answers: next try in `wait` seconds, the `attempt`-th, with the code of docs/troubleshooting.md."""
    foot = [say("boot_nocam.ok"), say("boot_nocam.minus"), say("boot_nocam.code", code=code)]
    return page("boot_nocam", [say("boot_nocam.title")], [say("boot_nocam.body", wait=wait, attempt=attempt)], foot)


def resume(
    say: Words,
    *,
    game: str,
    target: int,
    hand: int,
    names: Sequence[str],
    totals: Sequence[int],
    saved: int,
    found: int | None,
) -> Screen:
    """A suspended match: totals, cards on the table as saved, and as found by the camera (None: not seen yet).

    `target` is 0 for a game without one.
    """
    where = say("resume.hand", hand=hand)
    seen = "?" if found is None else f"{found} {'=' if found == saved else '!'}"
    body = [
        split(say("resume.game", game=game, target=target) if target else game, where),
        tally(names, totals),
        split(f"{say('resume.saved')} {saved}", ""),
        f"{say('resume.found')} {seen}",
        say("resume.ask"),
    ]
    return page("resume", [say("resume.title")], body, [split(say("no"), say("yes"))])


def resume_diff(say: Words, *, saved: Cards, found: Cards) -> Screen:
    """The table is not the one that was saved; leads it back card by card."""
    rows = [
        *card_rows(say("resume_diff.saved"), [say.card(card) for card in saved], 1),
        *card_rows(say("resume_diff.found"), [say.card(card) for card in found], 1),
    ]
    missing = tuple(card for card in saved if card not in found)
    extra = tuple(card for card in found if card not in saved)
    rows += [say("resume_diff.missing", cards=missing)] if missing else []
    rows += [say("resume_diff.extra", cards=extra)] if extra else []
    rows = list(best(5, [*rows, say("resume_diff.body")], rows))
    return page(
        "resume_diff", [say("resume_diff.title")], rows, [say("resume_diff.ok"), say("resume_diff.no")], alarm=True
    )


def deal(say: Words, *, hand: int, dealer: str, first: str, cards: int, table: int, seen: Cards) -> Screen:
    """The dealer gives out cards: how many each, how many on the table, and which of these lie there already."""
    titles = [say(key, hand=hand, dealer=dealer) for key in ("deal.title", "deal.title_short")]
    if table:
        body = [say("deal.body", cards=cards, table=table), BIG + say("deal.seen", seen=len(seen), table=table), ""]
        body += card_rows("", [say.card(card) for card in seen], 2) if seen else []
    else:
        body = [say("deal.body_none", cards=cards), "", say("deal.first", player=first)]
    first_hand = labels(say("back"))  # NO leads to the dealer; later there are plays to look at
    foot = first_hand if hand == 1 else labels(say("last"), "", say("points"))
    return page("deal", [shortest(titles)], body, [foot])


def redeal(say: Words, *, kings: bool, cards: Cards) -> Screen:
    """A misdeal: too many kings, or aces, among the first table cards."""
    count = sum(card.value == (10 if kings else 1) for card in cards)
    title = say("redeal.title", count=count, rank=say("redeal.kings" if kings else "redeal.aces"))
    return page(
        "redeal",
        [title],
        [say("redeal.body"), say.cards(cards, most=7)],
        [say("no_misread"), say("redeal.ok")],
        alarm=True,
    )


def light(say: Words, *, seconds: int) -> Screen:
    """The light or the camera has changed: still hands for some seconds, then the match goes on."""
    body = [say("light.body"), BIG + say("light.seconds", seconds=seconds)]
    return page("light", [say("light.title")], body, [say("light.foot"), ""])


def glare(say: Words, *, count: int, where: str) -> Screen:
    """`count` cards cannot be read; `where` is a ninth of the table such as `top_left` or `centre`."""
    unread = say("glare.body_one") if count == 1 else say("glare.body", count=count)
    body = [unread, say("glare.where", where=say(f"where.{where}")), say("glare.advice")]
    return page("glare", [say("glare.title")], body, [say("glare.ok"), ""])


def off(say: Words, *, number: int | None) -> Screen:
    """Asks before switching off; `number` is the last play that is on disk, None without a match."""
    body = say("off.body_none") if number is None else say("off.body", n=number)
    return page("off", [say("off.title")], [body], [say("off.ok"), say("off.no")])
