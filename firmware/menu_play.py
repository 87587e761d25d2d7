"""What the four buttons mean while a match runs and no page of the menus is open.

One meaning a button in every state: NO says no (held: contests), − and + give the first and the second answer or ask
for the last play and the points, OK says yes (held: pause).
"""

from __future__ import annotations

from typing import Final

from engine.cards import DECK, Card, parse_cards
from firmware import screens_view
from firmware.actions import Action, ActionName
from firmware.by_hand import entries
from firmware.menu import Answer, Editing, Menu, Numbers, Picking, Showing, Sizes, listing
from firmware.menu_facts import Facts
from firmware.menu_sizes import sizes
from firmware.view import Question, View
from hardware.gestures import Gesture


def stage(menu: Menu, facts: Facts) -> str:
    """What the display is about: a phase of the match, or what comes before and between the phases."""
    view, rules = facts.view, facts.rules
    if facts.count:
        return facts.count.step
    if facts.checks:
        return "boot"
    if facts.camera and not facts.by_hand and "camera" not in menu.dismissed:
        return "boot_nocam"
    if view is None or rules is None:
        return "resume" if facts.suspended and "resume" not in menu.dismissed else "home"
    if view.phase in {"score", "over"}:
        return _after_hand(menu, facts, view)
    if view.phase == "deal" and view.ended:  # the table was cleared before anybody looked at the score
        after = _after_hand(menu, facts, view)
        return "deal" if after == "next" else after
    if view.phase == "play" and _asked(menu, view):
        return "question"
    if view.phase == "play" and facts.trouble and facts.trouble.kind not in menu.dismissed:
        return facts.trouble.kind
    return "by_hand" if view.phase == "deal" and facts.by_hand else view.phase


def _after_hand(menu: Menu, facts: Facts, view: View) -> str:
    assert facts.rules is not None, "a match has rules"
    hand = view.hand - 1
    if view.ended and f"score{hand}" not in menu.dismissed:
        return "end" if not facts.by_hand and f"end{hand}" not in menu.dismissed else "score"
    if view.phase == "over":
        return "over"
    if screens_view.undecided(view, facts.rules) and f"undecided{hand}" not in menu.dismissed:
        return "undecided"
    if screens_view.tied(view, facts.rules) and f"tie{hand}" not in menu.dismissed:
        return "tie"
    return "by_hand" if facts.by_hand else "next"


def _asked(menu: Menu, view: View) -> Question | None:
    asked = view.question
    return asked if asked and f"question{asked.n}" not in menu.dismissed else None


_UNDISPUTED: Final = frozenset({"question", "fault", "restore", "count", "wrong_pile", "count_bad"})
"""Stages in which something else must be settled first."""


def press_play(menu: Menu, gesture: Gesture, facts: Facts) -> Answer:
    """A gesture while the table has the display."""
    match gesture.button, gesture.kind:
        case "ok", "hold":
            return menu.open(listing("pause")), (Action("pause"),)
        case "no", "hold" if stage(menu, facts) not in _UNDISPUTED:
            return menu.open(Showing("dispute")), ()
        case button, "press":
            return _press(menu, button, facts)
    return menu, ()


def _press(menu: Menu, button: str, facts: Facts) -> Answer:
    match stage(menu, facts):
        case "boot_nocam":
            return _no_camera(menu, button, facts)
        case "resume":
            return _resume(menu, button, facts)
        case "question":
            return _question(menu, button, facts)
        case "fault":
            return _fault(menu, button, facts)
        case "restore":
            return _restore(menu, button)
        case "light" | "glare" as trouble:
            return menu.dismiss(trouble), ()
        case "count" | "wrong_pile" | "count_bad" as step:
            return menu, (_counting(step, button, facts),)
        case "undecided":
            return _undecided(menu, button, facts)
        case "end" | "score" | "tie" | "next" | "over" | "by_hand" as after:
            return _after(menu, button, after, facts)
        case "boot":
            return menu, ()
    return _running(menu, button, facts)


def _running(menu: Menu, button: str, facts: Facts) -> Answer:
    """Dealing and playing."""
    dealing = facts.view is not None and facts.view.phase == "deal"
    if button == "no" and dealing and facts.view and facts.view.hand == 1 and not facts.plays:
        return menu.open(listing("setup")).open(Editing("dealer", menu.choices)), ()
    if button in {"no", "minus"}:
        return menu.open(Showing("last")), ()
    if button == "plus":
        return menu.open(Showing("sure")), ()
    return menu, (Action("done"),)


def _no_camera(menu: Menu, button: str, facts: Facts) -> Answer:
    if button == "ok" and facts.view is None:
        return menu.open(Editing("by_hand", menu.choices)), ()
    if button == "minus" and "report" in facts.able:
        return menu, (Action("report"),)
    return menu.dismiss("camera"), ()


def _resume(menu: Menu, button: str, facts: Facts) -> Answer:
    suspended = facts.suspended
    assert suspended is not None, "only a suspended match can be resumed"
    differs = suspended.found is not None and set(suspended.found) != set(suspended.saved)
    if button == "ok":
        return menu.dismiss("resume"), (Action("accept_table" if differs else "resume"),)
    if button == "no":
        return (menu.open(Showing("restart")) if differs else menu.dismiss("resume")), ()
    return menu, ()


def _question(menu: Menu, button: str, facts: Facts) -> Answer:
    assert facts.view is not None, "a question belongs to a match"
    asked = facts.view.question
    assert asked is not None, "the stage says that something is asked"
    if button in {"minus", "plus"}:
        place = 0 if button == "minus" else 1
        if place < len(asked.options):
            return menu, (Action("answer", n=asked.n, card=asked.options[place]),)
        return menu, ()
    if button == "ok":
        return menu.dismiss(f"question{asked.n}"), (Action("later", n=asked.n),)
    return menu.open(Picking(asked.options[-1], asked.n)), ()


def _fault(menu: Menu, button: str, facts: Facts) -> Answer:
    assert facts.view is not None, "a fault belongs to a match"
    fault = facts.view.fault
    assert fault is not None, "a view in the phase fault has its fault"
    if screens_view.putting_back(facts.view):
        return _restore(menu, button)
    if fault.rule in screens_view.UNEXPLAINED:
        if button in {"minus", "plus"}:
            return menu.open(Picking(_first_unseen(facts.view))), ()
        return menu, (Action("reread" if button == "ok" else "restore"),)
    if button == "minus" and fault.rule == "wrong_turn" and fault.card:  # it was the right player's after all
        return menu, (Action("type", card=Card.parse(fault.card), takes=parse_cards(fault.takes)),)
    if button in {"minus", "plus"}:
        return menu.open(Showing("last")), ()
    if button == "ok" and fault.rule == "misdeal":
        return menu, (Action("show"),)  # the cards must be dealt again: nothing else helps
    if button == "ok" and fault.card is None:
        return menu.open(Picking(_first_unseen(facts.view), accepts=True)), ()
    if button == "ok":
        return menu, (Action("overrule"),)
    if fault.rule in screens_view.BAD_TAKES | {"must_take"} and facts.view.state:
        return menu.open(Picking(_first_unseen(facts.view), misread=True)), ()
    return menu, (Action("misread"),)


def _first_unseen(view: View) -> Card:
    unseen = view.state.unseen if view.state else frozenset(DECK)
    return min(unseen, default=DECK[0])


def _restore(menu: Menu, button: str) -> Answer:
    wishes: dict[str, ActionName] = {"ok": "reread", "no": "drop"}
    return menu, tuple(Action(wish) for wish in [wishes.get(button, "show")])


def _after(menu: Menu, button: str, after: str, facts: Facts) -> Answer:
    """The end of a hand and of the match, page after page."""
    assert facts.view is not None, "a hand ends in a match"
    assert facts.rules is not None, "a match has rules"
    hand = facts.view.hand - 1
    if after == "by_hand":
        return _by_hand(menu, button, facts)
    if after == "over":
        return _over(menu, button)
    if after == "end" and button in {"ok", "no"} and (button == "ok") != screens_view.settled(facts.view):
        return menu.dismiss(f"end{hand}"), (Action("count"),)
    if after == "end" and button == "no":
        return menu.dismiss(f"end{hand}"), ()
    told = sizes(facts.view) if after == "end" and button == "plus" else None
    if told is not None:
        return menu.open(Sizes(told)), ()
    if button in {"minus", "plus"}:
        sheets = screens_view.sheets(facts.view, facts.rules)
        return menu.open(Showing("score", 1 % sheets if after == "score" else 0)), ()
    if button == "no" and after in {"score", "next", "tie"}:
        return menu.open(Showing("last")), ()
    if after == "next":
        return menu, (Action("next_hand"),)
    left = menu.dismiss(f"{after}{hand}")
    return left, (Action("next_hand"),) if stage(left, facts) in {"next", "by_hand"} else ()


def _counting(step: str, button: str, facts: Facts) -> Action:
    """The piles are fanned out: OK done, − again; a card in the wrong pile is of the one side or of the other."""
    count = facts.count
    assert count is not None, "the stage says that the piles are counted"
    if button == "no":
        return Action("settle")
    if step == "count":
        return Action({"ok": "counted", "minus": "recount"}.get(button, "show"))  # type: ignore[arg-type]
    if button == "ok":
        return Action("recount" if step == "wrong_pile" else "count")
    if step == "wrong_pile":
        card = count.foreign[0]
        return Action("give", card=card, player=count.side if button == "minus" else count.owner(card))
    if button == "minus" and count.missing:
        return Action("give", card=count.missing[0], player=(count.side + 1) % len(count.seen))
    return Action("show")


def _undecided(menu: Menu, button: str, facts: Facts) -> Answer:
    """Points that are not certain may decide the match: the players tell them, or play on."""
    assert facts.view is not None, "points belong to a match"
    if button == "ok":
        newest = len(facts.hands) - 1
        place = next((k for k, hand in enumerate(facts.hands) if not hand.settled), newest)
        return menu.open(Showing("correct", newest - place)), ()
    if button == "no":
        return menu.dismiss(f"undecided{facts.view.hand - 1}"), ()
    return menu.open(Showing("score")), ()


def _over(menu: Menu, button: str) -> Answer:
    if button == "ok":
        return Menu(menu.choices), (Action("rematch"),)
    if button == "no":
        return Menu(menu.choices), (Action("leave"),)
    return menu.open(Showing("score")), ()


def _by_hand(menu: Menu, button: str, facts: Facts) -> Answer:
    assert facts.rules is not None, "a match has rules"
    if button == "ok":
        asked = entries(facts.rules)
        return menu.open(Numbers(asked, (0,) * len(asked))), ()
    return menu.open(Showing("score" if facts.view and facts.view.ended else "sure")), ()
