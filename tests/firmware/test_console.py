"""The four buttons in every state: a random walk finds no dead end, and the ways that people go."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine.cards import Card, parse_cards
from firmware import console
from firmware.actions import Action
from firmware.choices import Choices
from firmware.menu import Listing, Menu
from firmware.menu_facts import NoCamera, Suspended, Trouble
from firmware.menu_play import stage
from firmware.text import LANGUAGES, Words
from firmware.view import Question
from tests.firmware.screen_samples import USUAL
from tests.firmware.sette_samples import SETTE_USUAL
from tests.firmware.table_world import World

GESTURES = [(b, k) for b in ("no", "minus", "plus", "ok") for k in ("press", "hold", "repeat")] + [("no+ok", "chord")]
RULES = ["must_take", "must_take_equal", "wrong_turn", "unknown_change", "card_already_out"]
AT_REST = {
    "play",
    "deal",
    "home",
    "score",
    "next",
    "over",
    "by_hand",
    "tie",
    "end",
    "resume",
    "boot_nocam",
    "light",
    "glare",
}


def at_rest(world: World) -> bool:
    """In play, or in a menu."""
    page = console.front(world.menu, world.facts)
    return isinstance(page, Listing) or (page is None and stage(world.menu, world.facts) in AT_REST)


class Walk(RuleBasedStateMachine):
    """Any button at any moment, while anything happens at the table."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World(random.Random(5))

    @rule(gesture=st.sampled_from(GESTURES), later=st.sampled_from([0.1, 3.0, 30.0]))
    def button(self, gesture: tuple[str, str], later: float) -> None:
        world = self.world
        world.now += later
        before, asked = console.screen(world.menu, world.facts), len(world.asked)
        world.press(*gesture)
        if gesture[1] == "press":
            answered = len(world.asked) > asked or console.screen(world.menu, world.facts) != before
            assert answered, f"{gesture} on {before.name} has no answer"

    @rule(seed=st.integers(0, 999))
    @precondition(lambda self: self.world.rules and self.world.phase == "deal" and not self.world.by_hand)
    def deal(self, seed: int) -> None:
        if self.world.rules and self.world.rules.game != "sette_e_mezzo":
            self.world.chance.seed(seed)
            self.world.deal()

    @rule()
    @precondition(lambda self: self.world.phase == "score" and not self.world.by_hand)
    def gather(self) -> None:
        self.world.gather()

    @rule(plays=st.integers(1, 40))
    @precondition(lambda self: self.world.state and self.world.phase == "play")
    def play(self, plays: int) -> None:
        for _ in range(plays):
            if self.world.phase == "play" and not self.world.question:
                self.world.play()

    @rule(code=st.sampled_from(RULES))
    @precondition(lambda self: self.world.state and self.world.phase == "play" and self.world.state.unseen)
    def fail(self, code: str) -> None:
        self.world.fail(code)
        if self.world.fault:
            self.world.menu = console.interrupted(self.world.menu, self.world.fault)

    @rule()
    @precondition(lambda self: self.world.state and self.world.phase == "play" and self.world.plays)
    def ask(self) -> None:
        self.world.ask()

    @rule(there=st.booleans())
    def camera(self, there: bool) -> None:
        self.world.camera = None if there else NoCamera(5, 3, "C03")
        if there:
            self.world.menu = replace(self.world.menu, dismissed=self.world.menu.dismissed - {"camera"})

    @rule(trouble=st.sampled_from([None, Trouble("light", seconds=2), Trouble("glare", count=2, where="top_right")]))
    def light(self, trouble: Trouble | None) -> None:
        self.world.trouble = trouble

    @rule(found=st.sampled_from([None, "7d 4b", "7d"]))
    @precondition(lambda self: not self.world.rules)
    def power_cut(self, found: str | None) -> None:
        seen = None if found is None else parse_cards(found)
        self.world.menu = Menu(self.world.menu.choices)
        self.world.suspended = Suspended("Scopa", 11, 3, ("NORD", "SUD"), (7, 5), parse_cards("7d 4b"), seen)

    @invariant()
    def every_screen_is_whole(self) -> None:
        for language in LANGUAGES:
            screen = console.screen(self.world.menu, self.world.facts, Words(language))
            assert not [row for row in screen.rows if "…" in row], (screen.name, screen.rows)

    @invariant()
    def no_and_ok_lead_back_within_four_presses(self) -> None:
        page = console.screen(self.world.menu, self.world.facts).name
        waits = page in {"off", "undo", "put_back", "leave"}  # for OK held, or for cards that go back
        for button in ("no",) if waits else ("no", "ok"):
            twin, seen = self.world.copy(), []
            while not at_rest(twin) and not (button == "ok" and twin.phase == "restore"):
                seen.append(console.screen(twin.menu, twin.facts).name)
                assert len(seen) <= 4, f"{button} leads through {seen}"
                twin.press(button)


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


def names(world: World) -> list[str]:
    return [action.name for action in world.asked]


def keys(world: World, text: str) -> None:
    for key in text.split():
        button, _, kind = key.partition(":")
        world.press(button, kind or "press")


def shown(world: World) -> str:
    return console.screen(world.menu, world.facts).name


@pytest.fixture
def playing() -> World:
    world = World(random.Random(3))
    keys(world, "ok ok ok")
    world.deal()
    world.now = 100.0
    for _ in range(5):
        world.play()
    world.now = 200.0
    return world


def test_three_presses_from_power_on_to_the_deal() -> None:
    world = World(random.Random(1))
    assert shown(world) == "home"
    keys(world, "ok ok ok")
    assert shown(world) == "deal"
    assert names(world) == ["keep", "start"]


def test_a_whole_match_to_a_rematch_with_the_buttons() -> None:
    world = World(random.Random(2))
    keys(world, "ok ok ok")
    pages = set()
    for _ in range(3000):
        pages.add(shown(world))
        if world.phase == "deal":
            world.deal()
        elif world.phase == "play":
            world.play()
            world.now += 20
        elif shown(world) == "win":
            break
        elif shown(world) == "next_hand":
            world.gather()
        else:
            keys(world, "ok")
    assert {"end", "score", "win"} <= pages
    keys(world, "minus no ok")
    assert shown(world) == "deal"
    assert names(world)[-1] == "rematch"


def test_no_shows_the_last_play_and_minus_the_ones_before(playing: World) -> None:
    keys(playing, "no")
    latest = console.screen(playing.menu, playing.facts).rows
    keys(playing, "minus")
    assert console.screen(playing.menu, playing.facts).rows != latest
    keys(playing, "plus")
    assert console.screen(playing.menu, playing.facts).rows == latest
    keys(playing, "no")
    assert shown(playing) == "play"


def test_holding_no_contests_and_ok_annuls_down_to_the_play_that_is_shown(playing: World) -> None:
    keys(playing, "no:hold minus minus ok")
    assert playing.asked[-1] == Action("undo", n=3)
    assert [play.n for play in playing.plays] == [1, 2]


def test_a_contested_play_stays_when_the_answer_is_no(playing: World) -> None:
    keys(playing, "no:hold no")
    assert shown(playing) == "play"
    assert "undo" not in names(playing)


@pytest.mark.parametrize(
    ("code", "page", "button", "wish"),
    [
        ("must_take", "must_take", "no no", "misread"),
        ("wrong_turn", "out_turn", "no", "misread"),
        ("must_take", "must_take", "ok", "overrule"),
        ("wrong_turn", "out_turn", "ok", "overrule"),
        ("wrong_turn", "out_turn", "minus", "type"),
        ("unknown_change", "lost", "ok", "reread"),
        ("unknown_change", "lost", "no", "restore"),
    ],
)
def test_the_buttons_answer_a_fault(playing: World, code: str, page: str, button: str, wish: str) -> None:
    playing.fail(code)
    assert shown(playing) == page
    keys(playing, button)
    assert names(playing)[-1] == wish


def test_a_play_that_was_not_seen_is_typed_in(playing: World) -> None:
    playing.fail("unknown_change")
    assert playing.state is not None
    keys(playing, "plus")
    assert shown(playing) == "pick_card"
    picked = console.front(playing.menu, playing.facts).card  # type: ignore[union-attr]
    assert picked in playing.state.unseen
    keys(playing, "ok")
    if shown(playing) == "pick_takes":
        keys(playing, "ok")
    wish = playing.asked[-1]
    assert (wish.name, wish.card) == ("type", picked)


def test_every_card_that_may_still_be_played_can_be_picked(playing: World) -> None:
    playing.fail("unknown_change")
    assert playing.state is not None
    reached: set[Card] = set()
    keys(playing, "plus")
    for _ in range(8):
        for _ in range(12):
            reached.add(console.front(playing.menu, playing.facts).card)  # type: ignore[union-attr]
            keys(playing, "plus")
        keys(playing, "ok:hold plus ok:hold")
    assert reached == playing.state.unseen


def test_a_question_is_answered_put_off_or_another_card_is_named(playing: World) -> None:
    playing.question = None
    options = tuple(sorted(playing.state.unseen))[:2]  # type: ignore[union-attr]
    for keys_pressed, expected in (
        ("minus", ("answer", options[0])),
        ("plus", ("answer", options[1])),
        ("ok", ("later", None)),
    ):
        world = playing.copy()
        world.question = Question(5, 0, (), options)
        assert shown(world) == "unsure"
        keys(world, keys_pressed)
        assert (world.asked[-1].name, world.asked[-1].card) == expected
        assert shown(world) == "play"
    putting_off = playing.copy()
    putting_off.question = Question(5, 0, (), options)
    keys(putting_off, "no no")
    assert shown(putting_off) == "play"
    assert putting_off.asked[-1] == Action("later", n=5)
    playing.question = Question(5, 0, (), options)
    keys(playing, "no plus ok")
    assert playing.asked[-1].name == "answer"
    assert playing.asked[-1].card not in options


def test_switching_off_needs_ok_held_for_two_seconds(playing: World) -> None:
    keys(playing, "no+ok:chord ok ok:hold ok:repeat ok:repeat")
    assert not playing.off
    keys(playing, "no")
    assert shown(playing) == "play"
    keys(playing, "no+ok:chord ok:hold ok:repeat ok:repeat ok:repeat")
    assert playing.off


def test_a_fault_takes_the_display_from_a_page_that_is_only_looked_at(playing: World) -> None:
    keys(playing, "no")
    playing.fail("must_take")
    assert playing.fault is not None
    assert shown(playing) != "must_take"
    playing.menu = console.interrupted(playing.menu, playing.fault)
    assert shown(playing) == "must_take"


def test_a_fault_does_not_close_a_menu_in_which_people_are(playing: World) -> None:
    keys(playing, "ok:hold")
    playing.fail("must_take")
    assert playing.fault is not None
    assert console.interrupted(playing.menu, playing.fault) == playing.menu


def test_a_trouble_that_was_put_off_is_shown_again_when_it_comes_back(playing: World) -> None:
    playing.trouble = Trouble("glare", count=2, where="centre")
    assert shown(playing) == "glare"
    keys(playing, "ok")
    playing.menu = console.renewed(playing.menu, playing.facts)
    assert shown(playing) == "play"
    playing.trouble = None
    playing.menu = console.renewed(playing.menu, playing.facts)
    playing.trouble = Trouble("glare", count=2, where="centre")
    assert shown(playing) == "glare"


def test_pause_and_on(playing: World) -> None:
    keys(playing, "ok:hold")
    assert shown(playing) == "pause"
    assert playing.menu.paused
    keys(playing, "ok")
    assert shown(playing) == "play"
    assert names(playing)[-1] == "pause"
    assert not playing.menu.paused


def test_a_match_scored_by_hand_without_a_camera() -> None:
    world = World(random.Random(1), camera=NoCamera(5, 3, "C03"))
    assert shown(world) == "boot_nocam"
    keys(world, "ok ok")
    assert shown(world) == "by_hand_hand"
    for _ in range(4):
        keys(world, "ok plus ok:hold plus ok:hold plus ok:hold plus ok")
        assert shown(world) in {"score", "win"}
        keys(world, "ok ok" if shown(world) == "score" and world.by_hand and world.by_hand.view.won else "ok")
    assert world.by_hand is None or world.by_hand.view.totals[0] >= 0
    assert "points" in names(world)


def test_four_points_a_hand_reach_eleven_in_three_hands_by_hand() -> None:
    world = World(random.Random(1))
    world.menu = Menu(Choices())
    keys(world, "plus ok ok")
    assert shown(world) == "by_hand_hand"
    for _ in range(3):
        keys(world, "ok plus ok:hold plus ok:hold plus ok:hold plus ok ok")
    assert world.by_hand is not None
    assert world.by_hand.view.won is not None
    assert world.by_hand.view.totals == (12, 0)
    assert shown(world) == "win"


def test_a_suspended_match_is_offered_and_a_table_that_differs_is_said() -> None:
    world = World(random.Random(1))
    saved = parse_cards("7d 4b")
    world.suspended = Suspended("Scopa", 11, 3, ("NORD", "SUD"), (7, 5), saved, saved)
    assert shown(world) == "resume"
    differing = world.copy()
    differing.suspended = replace(world.suspended, found=parse_cards("7d"))
    assert shown(differing) == "resume_diff"
    keys(differing, "ok")
    assert names(differing) == ["accept_table"]
    keys(world, "no")
    assert shown(world) == "home"
    keys(world, "plus ok ok")
    assert names(world) == ["resume"]


def test_every_page_is_reached_by_presses_and_what_happens_at_the_table(playing: World) -> None:
    reached = {shown(playing)}

    def go(world: World, *steps: str) -> None:
        for step in steps:
            keys(world, step)
            reached.add(shown(world))

    fresh = World(random.Random(1))
    reached.add(shown(fresh))
    go(fresh, "ok", "ok", "no", "plus", "ok", "no", "plus", "ok", "no", "plus", "ok", "no", "plus", "ok", "no")
    go(fresh, "plus", "ok", "no", "no")
    naming = World(random.Random(4))
    go(naming, "ok", "minus", "minus", "minus", "ok", "minus", "ok")
    go(fresh, "plus", "ok", "no", "plus", "ok", "no", "plus")  # by hand, history, settings
    go(fresh, "ok", "ok", "no", "plus", "ok", "no", "plus", "ok", "no", "plus", "ok", "no", "plus", "ok", "no")
    go(fresh, "plus", "ok", "no", "no", "plus", "ok", "no")
    by_hand = World(random.Random(1), camera=NoCamera(5, 3, "C03"))
    reached.add(shown(by_hand))
    go(by_hand, "ok", "ok", "ok")
    for code in RULES:
        world = playing.copy()
        world.fail(code)
        reached.add(shown(world))
        go(world, "plus", "ok", "ok" if code == "unknown_change" else "no")
    halfway = playing.copy()
    halfway.fail("must_take_equal")
    halfway.missing = halfway.missing[:1]
    reached.add(shown(halfway))
    for takes in ((), parse_cards("7d")):
        world = playing.copy()
        world.question = Question(5, 0, takes, tuple(sorted(world.state.unseen))[:2])  # type: ignore[union-attr]
        reached.add(shown(world))
    go(playing.copy(), "plus")
    go(playing.copy(), "no:hold", "ok")
    go(playing.copy(), "ok:hold", "plus", "ok")
    for trouble in (Trouble("light", seconds=2), Trouble("glare", count=2)):
        world = playing.copy()
        world.trouble = trouble
        reached.add(shown(world))
    saved = parse_cards("7d 4b")
    for found in (saved, saved[:1]):
        world = World(random.Random(1), suspended=Suspended("Scopa", 11, 3, ("NORD", "SUD"), (7, 5), saved, found))
        reached.add(shown(world))
    sums = World(random.Random(1))
    keys(sums, "ok ok ok")
    sums.deal("2d 5b 3c 4s")
    sums.fail("unknown_change")
    go(sums, "plus", *["plus"] * 5, "ok")
    reached |= pages_of_a_match(World(random.Random(2)))
    declared = World(random.Random(3))
    declared.menu = Menu(Choices().with_variant("scopa_dichiarata"))
    keys(declared, "ok ok ok")
    declared.deal()
    go(declared, "ok:hold", "plus", "ok")
    knocks = {"opening", "knock", "false_knock"}  # they need a camera: test_desk_knocks
    cirulla = World(random.Random(4))
    cirulla.menu = Menu(Choices().with_variant("cirulla_2"))
    keys(cirulla, "ok ok ok")
    cirulla.deal("6d Cs Fc 4b")
    go(cirulla, "ok:hold", "plus", "ok", "plus")
    of_a_hand = {"count", "count_bad", "wrong_pile", "sizes", "correct", "redeal_hand", "undecided"}  # test_desk_hands
    not_yet = {"boot", "redeal", "tie", "restore_copy", *of_a_hand, *knocks}  # restore_copy: test_backup
    reached |= set(SETTE_USUAL)  # in test_sette_desk
    assert set(USUAL) - reached <= not_yet, sorted(set(USUAL) - reached - not_yet)


def pages_of_a_match(world: World) -> set[str]:
    """The pages of a whole match, played to its end."""
    keys(world, "ok ok ok")
    pages: set[str] = set()
    while shown(world) != "win":
        pages.add(shown(world))
        if world.phase == "deal":
            world.deal()
        elif world.phase == "play":
            world.play()
            pages.add(shown(world))
            world.now += 20
        elif shown(world) == "next_hand":
            world.gather()
        else:
            keys(world, "ok")
    return pages | {"win"}


def test_a_press_is_answered_within_a_tenth_of_a_second(playing: World) -> None:
    began = time.perf_counter()
    for _ in range(20):
        keys(playing, "no no")
        console.screen(playing.menu, playing.facts)
    assert (time.perf_counter() - began) / 40 < 0.1
