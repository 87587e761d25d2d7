"""The appliance without its devices: a camera that never errs, pressed buttons, a store on disk, and power cuts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.cards import Card, parse_cards
from engine.rules import variant
from firmware.choices import Choices
from firmware.commands.run import desk_of
from firmware.config import Config, Game
from firmware.desk import Desk
from firmware.events import Cleared, Fault, Played, Settled, Undone, Voided
from firmware.in_force import standing
from firmware.referee import Referee
from firmware.store import Store
from firmware.times import Times
from hardware.gestures import Gesture
from tests.firmware.camera import Camera

TABLE = "Rd Rc 2d Cd"


def c(text: str) -> Card:
    return Card.parse(text)


class Box:
    """A desk with a camera above it; `look` lets it see what the camera wrote since."""

    def __init__(self, store: Store, camera: Camera | None = None) -> None:
        self.store = store
        self.desk = Desk(store, Times(), lambda: "2026-11-30 21:40:00")
        self.camera = camera or Camera(2, 5.0)
        self.looked = len(self.camera.seen)

    @property
    def now(self) -> float:
        return self.camera.frame / self.camera.fps

    def look(self) -> None:
        for observation in self.camera.seen[self.looked :]:
            self.desk.observe(observation, observation.time)
            self.desk.tick(observation.time)
        self.looked = len(self.camera.seen)

    def press(self, keys: str) -> None:
        for key in keys.split():
            button, _, kind = key.partition(":")
            self.desk.gesture(Gesture(button, kind or "press", self.now))  # type: ignore[arg-type]

    @property
    def shown(self) -> str:
        return self.desk.screen(self.now).name

    @property
    def rows(self) -> str:
        return " ".join(self.desk.screen(self.now).rows)

    def events(self) -> list[object]:
        number = self.store.matches()[-1].id
        return list(self.store.events(number))

    def begin(self) -> None:
        """A match for two: the dealer is SUD, so NORD is player 0."""
        self.press("ok ok plus ok")
        self.camera.rest(0.6)
        self.camera.deal(1, parse_cards(TABLE))
        self.camera.rest(1.0)
        self.look()


@contextmanager
def opened(folder: Path, camera: Camera | None = None) -> Iterator[Box]:
    with Store.open(folder) as store:
        yield Box(store, camera)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with opened(tmp_path) as box:
        yield box


def test_from_power_on_to_a_play_that_is_shown(box: Box) -> None:
    assert box.shown == "home"
    box.begin()
    assert box.shown == "play"
    assert "»NORD" in box.rows
    box.camera.lay(0, c("Fs"))
    box.look()
    assert isinstance(box.events()[-1], Played)
    box.camera.rest(5.0)
    box.look()
    assert "»SUD" in box.rows


def test_a_capture_left_lying_is_heard_and_the_table_may_overrule_it(box: Box) -> None:
    box.begin()
    box.camera.lay(0, c("2b"), rest=4.0)
    box.look()
    assert box.shown == "must_take"
    assert "attention" in box.desk.heard()
    assert box.desk.alarm
    box.press("ok")
    assert box.shown != "must_take"
    play = box.events()[-1]
    assert isinstance(play, Played)
    assert (play.card, play.takes, play.overruled) == ("2b", (), True)
    box.camera.rest(3.0)
    box.camera.lay(1, c("Fs"))
    box.look()
    last = box.events()[-1]
    assert isinstance(last, Played)
    assert (last.n, last.player, last.card) == (2, 1, "Fs")


def test_a_contested_capture_goes_back_to_the_table_before_the_match_goes_on(box: Box) -> None:
    box.begin()
    box.camera.take(0, c("2b"), [c("2d")])
    box.look()
    box.press("no:hold ok")
    assert isinstance(box.events()[-1], Undone)
    box.camera.rest(3.0)
    box.look()
    assert box.shown == "undo"
    assert "ANNULLO LA N.1" in box.rows
    assert "»2D" in box.rows
    assert "NORD riprende 2B" in box.rows
    box.press("ok")
    assert box.shown == "undo"
    box.camera.give_back(0, [], [c("2d")])
    box.look()
    assert box.shown == "play"
    assert "»NORD" in box.rows
    box.camera.take(0, c("2b"), [c("2d")])
    box.look()
    assert [event.n for event in box.events() if isinstance(event, Played)] == [1, 1]
    assert len(standing(box.events()).plays) == 1  # type: ignore[arg-type]


def test_undo_and_the_same_again_is_the_same_state(box: Box) -> None:
    box.begin()
    plays = [("Fs", 0), ("5b", 1), ("3c", 0)]
    for card, player in plays:
        box.camera.lay(player, c(card))
    box.look()
    before = box.desk.facts(box.now).view
    box.press("no:hold minus minus ok")
    assert len(standing(box.events()).plays) == 0  # type: ignore[arg-type]
    box.camera.give_back(0, [c("Fs"), c("5b"), c("3c")], [])
    box.look()
    for card, player in plays:
        box.camera.lay(player, c(card))
    box.look()
    after = box.desk.facts(box.now).view
    assert before is not None
    assert after is not None
    assert before.state == after.state


def test_a_play_that_no_one_explains_is_typed_in(box: Box) -> None:
    box.begin()
    box.camera.give_back(0, [c("2d"), c("Cd")], [c("4s"), c("6s")], rest=6.0)
    box.look()
    assert box.shown == "lost"
    box.press("plus")
    assert box.shown == "pick_card"
    for _ in range(40):
        if box.rows.count("2 di coppe"):
            break
        box.press("ok:hold plus ok:hold" if "COPPE" not in box.rows else "plus")
    box.press("ok")
    play = box.events()[-1]
    assert isinstance(play, Played)
    assert (play.card, play.takes, play.how) == ("2c", ("2d",), "asked")
    assert box.shown == "put_back"


@pytest.mark.parametrize("way_out", ["ok", "no", "no:hold", "minus minus ok no no", "minus ok no no"])
def test_pausing_blinds_the_referee_until_the_table_is_as_it_was(box: Box, way_out: str) -> None:
    box.begin()
    count = len(box.events())
    box.press("ok:hold")
    box.camera.give_back(0, [c("2d"), c("Cd")], [])
    box.camera.rest(10.0)
    box.look()
    box.press(way_out)
    box.camera.rest(6.0)
    box.look()
    assert box.shown == "put_back"
    box.camera.give_back(0, [], [c("2d"), c("Cd")])
    box.look()
    assert box.shown == "play"
    assert len(box.events()) == count


def test_a_match_by_hand_is_stored_and_resumed(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        box.press("plus ok ok ok plus ok:hold plus ok ok")
        assert box.shown == "by_hand_hand"
    with opened(tmp_path) as box:
        assert box.shown == "resume"
        assert "NORD 2" in box.rows or "SUD 2" in box.rows
        box.press("ok")
        assert box.desk.facts(box.now).by_hand
        facts = box.desk.facts(box.now)
        assert facts.view is not None
        assert sum(total for total in facts.view.totals if isinstance(total, int)) == 2


def test_names_of_the_settings_are_offered_before_anybody_has_played(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        desk = desk_of(store, Config(game=Game(names=("ANNA", "UGO"))), tmp_path)
        assert desk.facts(0.0).known.names == ("ANNA", "UGO")
        store.begin("table", Referee(variant("scopa_2"), ("PIA", "UGO")).begin(), "2026-11-30 21:40:00")
    with Store.open(tmp_path) as store:
        desk = desk_of(store, Config(game=Game(names=("ANNA", "UGO"))), tmp_path)
        assert desk.facts(0.0).known.names == ("PIA", "UGO", "ANNA")


def test_choices_names_and_history_are_there_after_a_cut(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        box.store.keep("choices", Choices(names=("ANNA", "UGO", "", ""), language="en"))
    with opened(tmp_path) as box:
        assert "New match" in box.rows
        box.begin()
    with opened(tmp_path) as box:
        assert set(box.desk.facts(0.0).known.names) == {"ANNA", "UGO"}


def test_a_cut_at_any_moment_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    """The box is switched off at random moments of a hand; each time all plays that were shown are there again."""
    chance = random.Random(7)
    camera = Camera(2, 5.0)
    shown: list[tuple[str | None, tuple[str, ...]]] = []
    with opened(tmp_path, camera) as box:
        box.begin()
    plays = [("Fs", 0, ""), ("5b", 1, ""), ("3c", 0, ""), ("4s", 1, ""), ("5c", 0, "5b"), ("As", 1, "")]
    for card, player, takes in plays:
        with opened(tmp_path, camera) as box:
            assert box.shown == "resume"
            camera.rest(0.6)
            box.look()
            box.press("ok")
            camera.rest(1.0)
            box.look()
            facts = box.desk.facts(box.now)
            assert [(play.card, play.takes) for play in facts.plays] == shown
            assert box.shown in {"play", "took"}
            if takes:
                camera.take(player, c(card), parse_cards(takes))
            else:
                camera.lay(player, c(card))
            seen = box.camera.seen[box.looked :]
            for observation in seen[: len(seen) - chance.randint(0, 2)]:
                box.desk.observe(observation, observation.time)
            shown = [(play.card, play.takes) for play in box.desk.facts(box.now).plays]
    assert shown == [(card, tuple(takes.split())) for card, _, takes in plays]


def test_a_table_that_changed_while_the_power_was_off_is_put_right_first(tmp_path: Path) -> None:
    camera = Camera(2, 5.0)
    with opened(tmp_path, camera) as box:
        box.begin()
        camera.lay(0, c("Fs"))
        box.look()
    camera.give_back(0, [c("2d")], [])
    with opened(tmp_path, camera) as box:
        camera.rest(0.6)
        box.look()
        assert box.shown == "resume_diff"
        assert "Manca 2D" in box.rows
        camera.give_back(0, [], [c("2d")])
        box.look()
        assert box.shown == "resume"
        box.press("ok")
        camera.rest(1.0)
        box.look()
        assert box.shown in {"play", "took"}


def test_a_hand_is_dealt_again_when_its_table_is_lost(tmp_path: Path) -> None:
    camera = Camera(2, 5.0)
    with opened(tmp_path, camera) as box:
        box.begin()
        camera.lay(0, c("Fs"))
        box.look()
    camera.give_back(0, [c("2d"), c("Rd")], [])
    with opened(tmp_path, camera) as box:
        camera.rest(0.6)
        box.look()
        assert box.shown == "resume_diff"
        box.press("no")
        assert box.shown == "redeal_hand"
        box.press("ok")
        assert box.shown == "deal"
        assert isinstance(box.events()[-1], Voided)
        camera.gather(0)
        camera.deal(1, parse_cards("3d 4c 5s 6b"))
        camera.rest(1.0)
        box.look()
        facts = box.desk.facts(box.now)
        assert facts.view is not None
        assert (facts.view.hand, facts.view.play, len(facts.plays)) == (1, 0, 0)


def test_an_open_play_is_answered_with_the_buttons(box: Box) -> None:
    box.begin()
    for card, player in (("Fs", 0), ("5b", 1), ("3c", 0), ("4s", 1)):
        box.camera.lay(player, c(card))
    box.camera.take(0, c("5c"), [c("5b")], how="unseen", rest=3.0)
    box.look()
    play = box.events()[-1]
    assert isinstance(play, Played)
    if play.card is not None:
        pytest.fail("the card of a capture that nobody saw was guessed")
    box.camera.rest(6.0)
    box.look()
    assert box.shown == "unseen"
    box.press("minus")
    settled = box.events()[-1]
    assert isinstance(settled, Settled)
    assert (settled.n, settled.card, settled.how) == (5, play.options[0], "asked")
    assert box.shown in {"play", "took"}


def test_leaving_a_match_keeps_it_out_of_the_way(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        box.begin()
        box.press("ok:hold plus ok ok")
        assert box.shown == "leave"  # what cannot be taken back needs another gesture than the one that leads there
        box.press("ok:hold")
        assert box.shown == "home"
    with opened(tmp_path) as box:
        assert box.shown == "home"
        assert box.store.matches()[-1].state == "left"


def test_a_fault_that_was_misread_is_looked_at_again(box: Box) -> None:
    box.begin()
    box.camera.lay(0, c("2b"), rest=4.0)
    box.look()
    box.press("no no")
    assert isinstance(box.events()[-1], Cleared)
    box.camera.rest(4.0)
    box.look()
    assert isinstance(box.events()[-1], Fault)


def test_ok_makes_the_judge_look_at_once(box: Box) -> None:
    box.begin()
    box.camera.lay(0, c("2b"), rest=0.6)
    box.look()
    assert box.shown != "must_take"
    box.press("ok")
    assert box.shown == "must_take"


def test_a_press_that_changes_nothing_winks_and_is_over_soon(box: Box) -> None:
    box.begin()
    before = box.desk.screen(box.now)
    box.press("ok")
    assert box.desk.screen(box.now + 0.1).alarm != before.alarm
    assert box.desk.screen(box.now + 1.0) == before


GESTURES = [(b, k) for b in ("no", "minus", "plus", "ok") for k in ("press", "hold")] + [("no+ok", "chord")]


@pytest.mark.parametrize("gesture", GESTURES, ids=":".join)
def test_tc6_one_gesture_however_often_destroys_nothing(box: Box, gesture: tuple[str, str]) -> None:
    """A wire that picks up noise repeats one gesture; what cannot be taken back needs two different ones."""
    box.begin()
    for card, player in (("Fs", 0), ("5b", 1)):
        box.camera.lay(player, c(card))
    box.camera.rest(6.0)
    box.look()
    plays = standing(box.events()).plays  # type: ignore[arg-type]
    assert len(plays) == 2
    for _ in range(12):
        box.press(":".join(gesture))
        assert not [wish for wish in box.desk.wishes() if wish.name == "off"]
    assert standing(box.events()).plays == plays  # type: ignore[arg-type]
    assert not [event for event in box.events() if isinstance(event, Undone | Voided)]
    assert box.store.matches()[-1].state == "open"


def test_a_tie_at_the_target_asks_for_one_hand_more(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        box.press("plus ok ok ok")
        box.press(" ".join(["ok:hold"] * 4 + ["plus"] * 11 + ["ok:hold"] + ["plus"] * 11 + ["ok"]))
        assert box.shown == "score"
        box.press("ok")
        assert box.shown == "tie"
        assert "PARI A 11" in box.rows
        box.press("ok")
        assert box.shown == "by_hand_hand"
        box.press("ok plus ok")
        assert box.shown == "score"
        box.press("ok")
        assert box.shown == "win"
        box.press("ok")
        assert box.shown == "by_hand_hand"
        assert [row.state for row in box.store.matches()] == ["over", "open"]
