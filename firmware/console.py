"""The four buttons and the display as one machine, without a device: gestures and facts in, wishes and screens out."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, parse_cards
from firmware import (
    screens_box,
    screens_hand,
    screens_knock,
    screens_menu,
    screens_pages,
    screens_play,
    screens_start,
    screens_view,
)
from firmware.actions import Action
from firmware.choices import Choices
from firmware.desk_log import certain_total
from firmware.events import Event, Fault, Hand, Knocked, Played
from firmware.menu import (
    Answer,
    Editing,
    Listing,
    Menu,
    Naming,
    Numbers,
    Page,
    Picking,
    Showing,
    Sizes,
    listing,
    press_editing,
    press_listing,
)
from firmware.menu_facts import Facts, Progress
from firmware.menu_naming import press_naming
from firmware.menu_pages import press_numbers, press_picking, press_showing, running
from firmware.menu_play import press_play, stage
from firmware.menu_sizes import press_sizes
from firmware.screens_page import Screen
from firmware.text import Words
from firmware.view import View
from hardware.gestures import Gesture


def front(menu: Menu, facts: Facts) -> Page | None:
    """The page in front: the one that was opened, else `home` when no match runs, else none."""
    if menu.page is not None:
        return menu.page
    return listing("home") if stage(menu, facts) == "home" else None


def press(menu: Menu, gesture: Gesture, facts: Facts) -> Answer:
    """What a gesture leads to: the menus after it, and what is asked of the rest of the box.

    A press that means nothing here asks for `show`, so that no press is without an answer.
    """
    if gesture.kind == "chord":
        return (menu if menu.page == Showing("off") else menu.open(Showing("off"))), ()
    page = front(menu, facts)
    opened = menu.open(page) if page is not None and not menu.pages else menu
    after, actions = _press(opened, page, gesture, facts)
    if gesture.kind == "press" and not actions and screen(after, facts) == screen(menu, facts):
        return after, (Action("show"),)
    return after, actions


def _press(menu: Menu, page: Page | None, gesture: Gesture, facts: Facts) -> Answer:
    match page:
        case Listing():
            return press_listing(menu, page, gesture, facts)
        case Editing():
            return press_editing(menu, page, gesture, facts.known)
        case Naming():
            return press_naming(menu, page, gesture)
        case Numbers():
            return press_numbers(menu, page, gesture, facts)
        case Sizes():
            return press_sizes(menu, page, gesture, facts.view)
        case Picking():
            return press_picking(menu, page, gesture, facts)
        case Showing():
            return press_showing(menu, page, gesture, facts)
    return press_play(menu, gesture, facts)


def interrupted(menu: Menu, event: Event) -> Menu:
    """The menus after something happened at the table: pages that are only looked at make way for a play or a fault."""
    looked_at = isinstance(menu.page, Showing) and menu.page.name in {"last", "sure", "score"}
    typed = isinstance(menu.page, Sizes) or (isinstance(menu.page, Picking) and menu.page.n is None)
    return menu.close() if isinstance(event, Played | Knocked | Fault | Hand) and (looked_at or typed) else menu


def renewed(menu: Menu, facts: Facts) -> Menu:
    """The menus without what was put off about troubles that are over, so that the next one is shown again."""
    over = {"light", "glare", "camera"} - ({facts.trouble.kind} if facts.trouble else set())
    return replace(menu, dismissed=menu.dismissed - (over - ({"camera"} if facts.camera else set())))


def screen(menu: Menu, facts: Facts, say: Words | None = None) -> Screen:
    """The page that people see now."""
    say = say or Words(menu.choices.language, facts.family)
    match front(menu, facts):
        case Listing() as page:
            return screens_menu.listing(say, shown=page, choices=menu.choices, facts=facts)
        case Editing() as page:
            return screens_menu.editing(say, shown=page)
        case Naming() as page:
            return screens_menu.naming(say, letters=page.letters, seat=page.seat + 1)
        case Numbers() as page:
            names = screens_view.side_names(facts.view) if facts.view else ()
            return screens_pages.numbers(say, entries=page.entries, values=page.values, place=page.place, names=names)
        case Sizes() as page:
            names = screens_view.side_names(facts.view) if facts.view else ()
            return screens_hand.sizes(say, names=names, values=page.values, side=page.side)
        case Picking() as page:
            if page.takes is not None:
                return screens_play.pick_takes(say, card=page.card, takes=sorted(page.takes))
            return screens_play.pick_card(say, card=page.card, suit_moves=page.by_suit)
        case Showing() as page:
            return _shown(page, facts, say)
    return _table(menu, facts, say)


def aside(menu: Menu, facts: Facts, say: Words | None = None) -> Screen | None:
    """What a larger display shows beside the page: the table and the score; None while no match runs."""
    if facts.view is None or facts.by_hand:
        return None
    return screens_view.aside(facts.view, say or Words(menu.choices.language, facts.family))


def _shown(page: Showing, facts: Facts, say: Words) -> Screen:
    view = facts.view
    match page.name:
        case "off":
            return screens_start.off(say, number=facts.plays[-1].n if facts.plays else None)
        case "leave":
            return screens_pages.leave(say)
        case "history":
            count = len(facts.history)
            rows = facts.history[page.place % count] if count else ()
            return screens_pages.history(say, rows=rows, place=page.place, count=count)
        case "selftest":
            return screens_box.selftest(say, findings=facts.findings)
        case "backup" if 0 < page.place <= len(facts.restorable):
            return screens_pages.restore_copy(say, name=facts.restorable[page.place - 1])
        case "learn" | "calibrate" | "backup" as task:
            return _task(task, facts.progress or Progress(), say, more=bool(facts.restorable))
        case "restart":
            return screens_hand.redeal_hand(say, plays=False)
        case "dispute":
            return _dispute(page, facts, say)
        case "correct" if facts.hands and view and facts.rules:
            number = len(facts.hands) - page.place % len(facts.hands)
            return screens_view.correct(view, say, hand=facts.hands[number - 1], number=number)
    if view is None or facts.rules is None:
        return screens_menu.listing(say, shown=listing("home"), choices=Choices(), facts=facts)
    match page.name:
        case "last" if facts.plays:
            play = facts.plays[-1 - page.place % len(facts.plays)]
            return screens_view.played(view, say, play, view.expected)
        case "score" if view.ended:
            return screens_view.score(view, facts.rules, say, sheet=page.place)
        case "claim":
            return _claim(page, facts, say)
        case "knock" if facts.knockers:
            player, kind, points = facts.knockers[page.place % len(facts.knockers)]
            return screens_knock.tell_knock(say, player=view.players[player], kind=kind, points=points)
    names = screens_view.side_names(view)
    return screens_pages.sure(say, names=names, totals=_totals(view, say), certain=view.sure)


def _totals(view: View, say: Words) -> list[str]:
    return [say("out") if side in view.excluded else _short(total) for side, total in enumerate(view.totals)]


def _short(total: int | tuple[int, int]) -> str:
    return str(total) if isinstance(total, int) else f"{total[0]}-{total[1]}"


def _task(name: str, progress: Progress, say: Words, *, more: bool) -> Screen:
    if name == "learn":
        where = progress.lines[0][0] if progress.lines else ""
        return screens_pages.learn(
            say, done=progress.done, total=progress.total, card=progress.card, where=where, note=progress.note
        )
    return screens_pages.task(say, name=name, lines=progress.lines, note=progress.note, more=more)


def _dispute(page: Showing, facts: Facts, say: Words) -> Screen:
    if running(facts) and page.place == len(facts.disputable):
        return screens_hand.redeal_hand(say)
    if not facts.disputable or facts.view is None:
        return screens_hand.dispute(say, last=True, player="", card=None, takes=(), number=None)
    place = page.place % len(facts.disputable)
    play = facts.disputable[-1 - place]
    if isinstance(play, Knocked):
        return screens_knock.dispute(say, player=facts.view.players[play.player], points=play.points)
    return screens_hand.dispute(
        say,
        last=place == 0,
        player=facts.view.players[play.player],
        card=Card.parse(play.card) if play.card else None,
        takes=parse_cards(play.takes),
        number=play.n,
    )


def _claim(page: Showing, facts: Facts, say: Words) -> Screen:
    view, rules = facts.view, facts.rules
    assert view is not None, "a claim belongs to a match"
    assert rules is not None, "a match has rules"
    player = page.place % len(view.players)
    certain = certain_total(view, view.sides[player])
    return screens_hand.claim(
        say, player=view.players[player], target=rules.target, certain=certain, possible=view.possible
    )


def _table(menu: Menu, facts: Facts, say: Words) -> Screen:
    """The page of the match itself, or of what comes before it."""
    now = stage(menu, facts)
    if now == "boot":
        return screens_start.boot(say, version=facts.version, checks=facts.checks)
    if now == "boot_nocam" and facts.camera:
        camera = facts.camera
        return screens_start.boot_nocam(say, wait=camera.wait, attempt=camera.attempt, code=camera.code)
    if now == "resume" and facts.suspended:
        return _resume(facts, say)
    view, rules = facts.view, facts.rules
    assert view is not None, "without a match, home is shown"
    assert rules is not None, "a match has rules"
    if now in {"light", "glare"} and facts.trouble:
        trouble = facts.trouble
        if now == "light":
            return screens_start.light(say, seconds=trouble.seconds)
        return screens_start.glare(say, count=trouble.count, where=trouble.where)
    if now == "question":
        return screens_view.question(view, say)
    return _between(now, menu, facts, say)


def _between(now: str, menu: Menu, facts: Facts, say: Words) -> Screen:
    """The end of a hand, and what the referee's facts say by themselves."""
    view, rules = facts.view, facts.rules
    assert view is not None, "without a match, home is shown"
    assert rules is not None, "a match has rules"
    dealer = view.players[view.dealer]
    match now:
        case "count" | "wrong_pile" | "count_bad" if facts.count:
            return screens_view.counting(view, say, facts.count)
        case "end" if facts.announcing and view.last:  # the last play of a hand is told like any other
            return screens_view.played(view, say, view.last, view.lies)
        case "end":
            debts = sum(play.card is None for play in facts.plays[-view.plays :])
            return screens_view.end(view, say, debts=debts)
        case "undecided":
            open_hands = {number: hand for number, hand in enumerate(facts.hands, 1) if not hand.settled}
            return screens_hand.undecided(say, hands=[*open_hands], items=screens_view.open_items(open_hands.values()))
        case "score":
            return screens_view.score(view, rules, say, sheet=menu.sheet)
        case "tie":
            return screens_view.tie(view, say)
        case "next":
            return screens_pages.next_hand(say, dealer=dealer)
        case "by_hand":
            return screens_pages.by_hand(say, hand=view.hand, dealer=dealer)
        case "over":
            return screens_view.win(view, say, minutes=facts.minutes, number=facts.number, overruled=facts.overruled)
        case "restore" if facts.undone:
            return screens_view.undo(view, say, facts.undone)
    return screens_view.screen_for(view, rules, say, told=facts.announcing, slow=facts.slow)


def _resume(facts: Facts, say: Words) -> Screen:
    saved = facts.suspended
    assert saved is not None, "only a suspended match can be resumed"
    if saved.found is not None and set(saved.found) != set(saved.saved):
        return screens_start.resume_diff(say, saved=saved.saved, found=saved.found)
    found = None if saved.found is None else len(saved.found)
    return screens_start.resume(
        say,
        game=saved.game,
        target=saved.target,
        hand=saved.hand,
        names=saved.names,
        totals=saved.totals,
        saved=len(saved.saved),
        found=found,
    )
