"""What is against the rules is told once, at its time, and clears itself; what is not, never."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.cards import Card, parse_cards
from firmware.events import AnyEvent, Cleared, Fault, Notice, Played, Undone
from tests.firmware.camera import Camera
from tests.firmware.test_referee import watch
from vision.observation import BackDetection

TABLE = "Rd Rc 2d Cd"
WARM = (("Fs", 0), ("5b", 1), ("3c", 0), ("4s", 1))
"""Four plays that take nothing: afterwards 2d 3c 4s 5b Fs Cd Rd Rc lie there, and player 0 is to move."""


def c(text: str) -> Card:
    return Card.parse(text)


def begun(fps: float = 5.0) -> Camera:
    """A hand of two that has begun."""
    camera = Camera(2, fps)
    camera.rest(0.6)
    camera.deal(1, parse_cards(TABLE))
    camera.rest(1.0)
    for card, player in WARM:
        camera.lay(player, c(card))
    return camera


def after_warming(events: list[AnyEvent]) -> list[AnyEvent]:
    """The events after the first four plays."""
    place = [event.n for event in events if isinstance(event, Played)].index(4)
    plays = [index for index, event in enumerate(events) if isinstance(event, Played)]
    return events[plays[place] + 1 :]


def faults(camera: Camera, name: str = "scopa_2") -> list[Fault]:
    return [event for event in watch(name, camera) if isinstance(event, Fault)]


@pytest.mark.parametrize("fps", [5.0, 10.0, 15.0])
def test_a_capture_that_is_left_lying_is_told_after_its_time(fps: float) -> None:
    camera = begun(fps)
    camera.lay(0, c("7c"), rest=0)
    landed = (camera.frame - 2) / fps
    camera.rest(5.0)
    camera.give_back(0, [c("7c")], [])
    camera.lay(0, c("Ad"))
    fault, cleared, play = after_warming(watch("scopa_2", camera))
    assert isinstance(fault, Fault)
    assert (fault.rule, fault.player, fault.card, fault.takes) == ("must_take", 0, "7c", ())
    assert set(fault.legal) == {("2d", "5b"), ("3c", "4s")}
    assert 2.3 <= fault.frame / fps - landed <= 3.1
    assert isinstance(cleared, Cleared)
    assert isinstance(play, Played)
    assert (play.player, play.card) == (0, "Ad")


def test_a_capture_after_the_alarm_clears_it() -> None:
    camera = begun()
    camera.lay(0, c("7c"), rest=4.0)
    camera.give_back(0, [c("7c"), c("2d"), c("5b")], [])
    fault, cleared, play = after_warming(watch("scopa_2", camera))
    assert isinstance(fault, Fault)
    assert isinstance(cleared, Cleared)
    assert isinstance(play, Played)
    assert (play.card, play.takes) == ("7c", ("2d", "5b"))


def test_looking_before_gathering_is_no_fault() -> None:
    camera = begun()
    camera.lay(0, c("7c"), rest=1.8)
    camera.give_back(0, [c("7c"), c("2d"), c("5b")], [])
    (play,) = after_warming(watch("scopa_2", camera))
    assert isinstance(play, Played)
    assert (play.card, play.takes, play.how) == ("7c", ("2d", "5b"), "seen")


@pytest.mark.parametrize("fps", [5.0, 15.0])
@pytest.mark.parametrize(
    ("card", "takes", "rule"),
    [
        ("7c", "5b 3c", "wrong_sum"),
        ("5c", "2d 3c", "must_take_equal"),
        ("Rs", "Rd Rc", "only_one_equal"),
        ("Ad", "2d", "wrong_sum"),
    ],
)
def test_a_capture_against_the_rules_is_told_and_put_back(card: str, takes: str, rule: str, fps: float) -> None:
    camera, gone = begun(fps), parse_cards(takes)
    camera.take(0, c(card), gone, rest=4.0)
    camera.give_back(0, [], gone)
    camera.rest(1.0)
    events = after_warming(watch("scopa_2", camera))
    assert [type(event) for event in events] == [Fault, Cleared]
    fault = events[0]
    assert isinstance(fault, Fault)
    assert (fault.rule, fault.player, fault.card) == (rule, 0, card)
    assert fault.takes == fault.put_back == tuple(str(one) for one in sorted(gone))


def test_a_card_laid_out_of_turn_is_told_by_the_arm() -> None:
    camera = begun()
    camera.lay(1, c("Ad"), rest=4.0)
    camera.give_back(1, [c("Ad")], [])
    fault, cleared = after_warming(watch("scopa_2", camera))
    assert isinstance(fault, Fault)
    assert (fault.rule, fault.player, fault.card) == ("wrong_turn", 1, "Ad")
    assert isinstance(cleared, Cleared)


@pytest.mark.parametrize(("dealing", "known"), [(2, True), (0, False)])
def test_out_of_turn_in_the_first_round_is_told_if_the_third_was_seen_elsewhere(dealing: int, known: bool) -> None:
    """Who never played sits at the edge that is nobody's yet; where no such arm was seen, two may sit side by side."""
    camera = Camera(3)
    camera.rest(0.6)
    camera.deal(dealing, parse_cards("7d Fd Cd Rd"))
    camera.rest(1.0)
    camera.lay(0, c("Ac"), rest=1.0)
    camera.lay(1, c("3c"), rest=1.0)
    camera.lay(0, c("6c"), rest=3.0)
    told = faults(camera, "scopa_3")
    assert [(event.rule, event.player, event.card) for event in told] == [("wrong_turn", 0, "6c")] * known


def test_an_arm_that_cannot_be_the_player_s_makes_no_play_of_his() -> None:
    """Partners sit across: where the first player sits tells that it was not the third one who laid this card."""
    camera = Camera(4)
    camera.rest(0.6)
    camera.deal(3, parse_cards("7d Fd Cd Rd"))
    camera.rest(1.0)
    camera.lay(0, c("Ac"))
    camera.reach(3)  # he reaches across while the second one plays, who is not known by this play
    camera.lay(1, c("3c"))
    camera.lay(1, c("6c"), rest=3.0)  # this may have been he or the fourth one, never the third
    camera.give_back(1, [c("6c")], [])
    camera.lay(2, c("6s"))
    told = [event for event in watch("scopa_4", camera) if isinstance(event, Played)]
    assert [(play.player, play.card) for play in told] == [(0, "Ac"), (1, "3c"), (2, "6s")]


def test_two_cards_by_one_hand_are_told() -> None:
    camera = begun()
    camera.reach(0, 0.6)
    camera.put(c("Ad"))
    camera.put(c("As"))
    camera.settle()
    camera.rest(4.0)
    camera.give_back(0, [c("As")], [])
    fault, cleared, play = after_warming(watch("scopa_2", camera))
    assert isinstance(fault, Fault)
    assert fault.rule == "two_cards"
    assert isinstance(cleared, Cleared)
    assert isinstance(play, Played)
    assert play.card == "Ad"


def test_three_kings_are_a_misdeal() -> None:
    camera = Camera()
    camera.rest(0.6)
    camera.deal(1, parse_cards("Rd Rc Rs 4b"))
    camera.rest(2.0)
    camera.gather(1)
    camera.deal(1, parse_cards("7d Rc Rs 4b"))
    camera.rest(1.0)
    assert [event.rule for event in faults(camera)] == ["misdeal"]
    assert [type(event).__name__ for event in watch("scopa_2", camera)] == ["Start", "Fault", "Cleared", "Table"]


def test_who_shuffles_above_the_table_and_deals_at_once_has_cleared_it() -> None:
    camera = Camera()
    camera.rest(0.6)
    camera.deal(1, parse_cards("Rd Rc Rs 4b"))
    camera.rest(2.0)
    camera.reach(1, 0.4, hidden=camera.lying)
    camera.lying.clear()
    camera.reach(1, 1.4)
    camera.deal(1, parse_cards("7d Rc Rs 4b"))
    camera.rest(1.0)
    assert [type(event).__name__ for event in watch("scopa_2", camera)] == ["Start", "Fault", "Cleared", "Table"]


def test_what_nothing_explains_is_told_after_its_time() -> None:
    camera = begun()
    camera.give_back(0, parse_cards("2d 3c"), parse_cards("Ad As Ac"), rest=0)
    still = (camera.frame - 2) / 5
    camera.rest(6.0)
    (fault,) = faults(camera)
    assert fault.rule == "unknown_change"
    assert fault.frame / 5 - still >= 3.6
    assert set(fault.put_back) == {"2d", "3c"}


def hover(camera: Camera) -> None:
    camera.reach(0, 2.0, hidden=parse_cards("2d 3c"))
    camera.settle()


def shown(camera: Camera) -> None:
    """A card is played and pulled back."""
    camera.lay(0, c("7c"), rest=0.2)
    camera.give_back(0, [c("7c")], [])


def light(camera: Camera) -> None:
    for _ in range(3):
        camera.show(still=False, light=True)


def hidden(camera: Camera) -> None:
    """Something lies on a card for a while."""
    for _ in range(25):
        camera.show(hidden=[c("2d")])


@pytest.mark.parametrize("fps", [5.0, 15.0])
@pytest.mark.parametrize(
    "disturb",
    [hover, shown, light, hidden, lambda camera: camera.nudge(0), lambda camera: camera.nudge(1, retrack=True)],
)
def test_no_fault_and_no_play_for_what_is_none(disturb: Callable[[Camera], None], fps: float) -> None:
    camera = begun(fps)
    disturb(camera)
    camera.rest(5.0)
    assert not [event for event in after_warming(watch("scopa_2", camera)) if not isinstance(event, Notice)]
    camera.lay(0, c("Ad"))
    assert [event.card for event in after_warming(watch("scopa_2", camera)) if isinstance(event, Played)] == ["Ad"]


def test_a_play_taken_back_before_the_next_is_undone() -> None:
    camera = begun()
    camera.lay(0, c("Ad"), rest=1.0)
    camera.give_back(0, [c("Ad")], [])
    camera.take(0, c("7c"), parse_cards("2d 5b"))
    events = after_warming(watch("scopa_2", camera))
    assert [type(event) for event in events] == [Played, Undone, Played]
    last = events[-1]
    assert isinstance(last, Played)
    assert (last.n, last.player, last.card) == (5, 0, "7c")


def test_a_capture_put_back_is_undone() -> None:
    camera = begun()
    camera.take(0, c("7c"), parse_cards("2d 5b"))
    camera.give_back(0, [], parse_cards("2d 5b"))
    camera.lay(0, c("Ad"))
    events = after_warming(watch("scopa_2", camera))
    assert [type(event) for event in events] == [Played, Undone, Played]


def test_a_capture_in_two_movements_is_one_play() -> None:
    for fps in (5.0, 10.0, 15.0):
        camera = begun(fps)
        camera.take(0, c("7c"), parse_cards("2d 5b"), how="two")
        (play,) = after_warming(watch("scopa_2", camera))
        assert isinstance(play, Played)
        assert play.takes == ("2d", "5b")


def test_a_flipped_card_is_no_capture() -> None:
    camera = begun()
    place = camera.lying.pop(c("2d"))
    camera.backs = (BackDetection(place.corners),)
    camera.settle()
    camera.rest(2.0)
    camera.backs = ()
    camera.lying[c("2d")] = place
    camera.settle()
    camera.rest(1.0)
    assert not after_warming(watch("scopa_2", camera))


def test_a_captured_card_that_is_read_again_is_the_certain_alternative_or_a_fault() -> None:
    """A reading that cannot be: the best possible card if that is certain, else `card_already_out`."""
    camera = begun()
    camera.take(0, c("7c"), parse_cards("2d 5b"))
    camera.misread[c("Ad")] = ((c("5b"), 0.99), (c("Ad"), 0.009))
    camera.lay(1, c("Ad"), rest=1.0)
    assert [event.card for event in after_warming(watch("scopa_2", camera)) if isinstance(event, Played)] == ["7c"]
    camera = begun()
    camera.take(0, c("7c"), parse_cards("2d 5b"))
    camera.lay(1, c("As"))
    camera.misread[c("Ad")] = ((c("5b"), 0.9996),)
    camera.lay(0, c("Ad"), rest=3.0)
    (fault,) = faults(camera)
    assert (fault.rule, fault.card) == ("card_already_out", "5b")
    camera.give_back(0, [c("Ad")], [])
    assert [type(event) for event in watch("scopa_2", camera)][-1] is Cleared


def test_two_near_scores_leave_the_only_possible_card() -> None:
    camera = begun()
    camera.take(0, c("7c"), parse_cards("2d 5b"))
    camera.lay(1, c("As"))
    camera.misread[c("2c")] = ((c("2d"), 0.55), (c("2c"), 0.4495))
    camera.lay(0, c("2c"), rest=1.0)
    last = [event for event in watch("scopa_2", camera) if isinstance(event, Played)][-1]
    assert (last.card, last.how) == ("2c", "seen")
