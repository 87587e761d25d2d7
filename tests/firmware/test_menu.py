"""Set-up by buttons: from power-on to the deal, every value reachable, nothing kept before OK, no dead end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.rules import VARIANTS
from firmware import console, screens_menu
from firmware import menu as menus
from firmware.actions import Action
from firmware.choices import Choices
from firmware.events import Hand
from firmware.menu import Editing, Listing, Menu, Naming, press_editing
from firmware.menu_facts import Facts, Suspended
from firmware.menu_fields import Known, fields_of, value_of, values_of
from firmware.menu_naming import press_naming
from firmware.text import LANGUAGES, Words
from hardware.gestures import Gesture
from tests.firmware.table_world import World

KNOWN = Known(decks=("arbitro", "napoletane", "piacentine"), names=("ANNA", "MARGHERITA", "BARTOLOMEO", "UGO"))


FACTS = Facts(
    known=KNOWN,
    suspended=Suspended("Scopa", 11, 3, ("A", "B"), (1, 2), ()),
    history=(("x",),),
    able=frozenset({"learn", "calibrate", "selftest", "backup"}),
)


def do(menu: Menu, *keys: str) -> tuple[Menu, list[Action]]:
    """Press keys such as `ok`, `plus`, `ok:hold` and collect what they ask for."""
    asked: list[Action] = []
    for key in keys:
        button, _, kind = key.partition(":")
        gesture = Gesture(button, kind or "press", 0.0)  # type: ignore[arg-type]
        page = menu.page
        if isinstance(page, Listing):
            menu, actions = menus.press_listing(menu, page, gesture, FACTS)
        elif isinstance(page, Editing):
            menu, actions = menus.press_editing(menu, page, gesture, KNOWN)
        else:
            raise AssertionError(f"no page of the menus takes {key}")
        asked += actions
    return menu, asked


def home(choices: Choices | None = None) -> Menu:
    return Menu(choices or Choices(), (menus.listing("home"),))


def test_from_power_on_to_the_deal_in_three_presses_with_the_last_settings() -> None:
    last = Choices(variant="scopa_4", rules={"target": 16}, deck="piacentine", dealer=2)
    menu, asked = do(home(last), "ok", "ok", "ok")
    assert asked[-1] == Action("start", choices=last)
    assert menu.pages == ()


def test_a_choice_is_kept_only_with_ok() -> None:
    setup = do(home(), "ok", "plus")[0]
    assert setup.page == Listing("setup", "game")
    tried = do(setup, "ok", "plus", "no")[0]
    assert tried.choices == Choices()
    kept, asked = do(setup, "ok", "plus", "ok")
    assert kept.choices.variant == "scopa_3"
    assert asked == [Action("keep", choices=kept.choices)]
    assert kept.page == setup.page


def test_holding_ok_goes_to_the_next_field_and_round() -> None:
    page = Editing("game", Choices())
    menu = Menu(Choices(), (page,))
    once, _ = do(menu, "ok:hold")
    assert once.page == replace(page, place=1)
    assert do(once, "ok:hold")[0].page == page


def test_the_target_can_be_chosen_and_the_game_s_own_is_no_house_rule() -> None:
    menu = Menu(Choices(), (Editing("game", Choices()),))
    chosen, _ = do(menu, "ok:hold", "plus", "ok")
    assert chosen.choices.ruleset().target == 16
    again, _ = do(replace(chosen, pages=(Editing("game", chosen.choices),)), "ok:hold", "minus", "ok")
    assert again.choices == Choices()


@pytest.mark.parametrize("name", VARIANTS)
def test_every_value_of_every_field_can_be_reached_and_shown(name: str) -> None:
    choices = Choices().with_variant(name)
    for page in ("game", "deck", "players", "rules", "tone", "sound", "language", "dealer"):
        for place, field in enumerate(fields_of(page, choices)):
            wanted = set(map(str, values_of(field, choices, KNOWN)))
            reached = set()
            menu = Menu(choices, (Editing(page, choices, place),))
            for _ in range(len(wanted)):
                shown = menu.page
                assert isinstance(shown, Editing)
                reached.add(str(value_of(field, shown.draft)))
                shown.draft.ruleset()
                for language in LANGUAGES:
                    screen = screens_menu.editing(Words(language), shown=shown)
                    assert not [row for row in screen.rows if "…" in row], screen.rows
                menu, _ = do(menu, "plus")
            assert reached == wanted, field


def test_a_name_is_offered_to_one_player_only() -> None:
    choices = Choices().with_name(0, "ANNA")
    assert "ANNA" in values_of("name.0", choices, KNOWN)
    assert "ANNA" not in values_of("name.1", choices, KNOWN)


def test_seats_are_named_in_the_order_of_play() -> None:
    say = Words("it")
    assert Choices().players(say) == ("NORD", "SUD")
    assert Choices().with_variant("scopa_3").players(say) == ("NORD", "EST", "SUD")
    assert Choices().with_variant("scopa_4").players(say) == ("NORD", "EST", "SUD", "OVEST")
    assert Choices().with_variant("scopone_scientifico").players(say) == ("NORD", "OVEST", "SUD", "EST")
    assert Choices().with_variant("scopa_4").with_name(2, "ANNA").players(say)[2] == "ANNA"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", menus.LISTS)
def test_every_list_fits_at_every_line(language: str, name: str) -> None:
    choices = Choices(deck="napoletane di nonna", sound="errors").with_variant("scopa_assi_4")
    for line in menus.lines(name, FACTS):
        screen = screens_menu.listing(Words(language), shown=Listing(name, line), choices=choices, facts=FACTS)  # type: ignore[arg-type]
        assert len(screen.rows) == 8
        labels = [row[1:] for row in screen.rows[1:-1]]
        whole = [Words(language)(f"line.{line}") for line in menus.lines(name, FACTS) if line != "game"]  # type: ignore[arg-type]
        assert all(any(label.startswith(text) for label in labels) for text in whole)
        marked = [row for row in screen.rows if row.startswith(">")]
        assert len(marked) == 1
        if line != "game":
            assert marked[0][1:].startswith(Words(language)(f"line.{line}"))  # type: ignore[arg-type]


def test_lines_that_can_do_nothing_are_not_there() -> None:
    assert menus.lines("home", Facts()) == ("new", "by_hand", "settings", "off")
    assert menus.lines("settings", Facts()) == ("sound", "language")
    assert "claim" not in menus.lines("pause", Facts())


def test_lists_hold_six_lines_at_most_and_fourteen_settings_in_all() -> None:
    full = World(Random(1))
    full.menu = Menu(Choices().with_variant("cirulla_2"))
    for _ in range(3):
        full.press("ok")
    full.deal("6d Cs Fc 4b")
    assert full.rules is not None
    facts = replace(full.facts, rules=full.rules.replace(end="declared"), hands=(Hand({}, {}, {}, True, 1),))
    facts = replace(facts, suspended=FACTS.suspended, history=FACTS.history, able=FACTS.able)
    shown = {name: menus.lines(name, facts) for name in menus.LISTS}
    assert all(len(lines) <= 6 for lines in shown.values())
    assert shown["pause"] == ("go_on", "knock", "claim", "correct", "leave", "off")
    settings = {field for page in menus.EDITED - {"by_hand"} for field in fields_of(page, Choices())}
    assert len(settings) <= 14


def test_a_new_name_is_spelt_with_the_buttons() -> None:
    world = World(Random(1))
    for key in ["ok", "minus", "minus", "minus", "ok", "minus"]:
        world.press(key)
    assert "un altro" in " ".join(console.screen(world.menu, world.facts).rows)
    world.press("ok")
    assert console.screen(world.menu, world.facts).name == "naming"
    for steps in (11, 4, 14):  # L E O
        for _ in range(steps):
            world.press("plus")
        world.press("ok", "hold")
    world.press("minus")  # the letter too many is a blank
    world.press("ok")
    assert "LEO" in " ".join(console.screen(world.menu, world.facts).rows)
    world.press("ok")
    assert world.menu.choices.names[0] == "LEO"


def test_a_name_that_is_given_up_or_taken_is_the_seat_s_own() -> None:
    for leave, expected in (("no", ""), ("ok", "")):
        menu = Menu(Choices(names=("", "A", "", "")), (Editing("players", Choices(names=("+", "A", "", ""))),))
        menu, _ = press_editing(menu, menu.page, Gesture("ok", "press", 0.0), KNOWN)  # type: ignore[arg-type]
        assert menu.page == Naming(Choices(names=("+", "A", "", "")), 0)
        menu, _ = press_naming(menu, menu.page, Gesture(leave, "press", 0.0))  # type: ignore[arg-type]
        assert isinstance(menu.page, Editing)
        assert menu.page.draft.names[0] == expected
