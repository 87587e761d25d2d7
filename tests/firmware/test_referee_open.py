"""Open plays, doubts and the log: what is not certain stays open, and a match goes on from its events."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card, parse_cards
from engine.game import new_hand
from engine.play import Play
from engine.rules import variant
from firmware.actions import Action
from firmware.desk_log import decide
from firmware.events import AnyEvent, Cleared, Fault, Played, Settled, Undone
from firmware.record import Record, Turn
from firmware.referee import Referee
from firmware.resume import resumed
from tests.firmware.camera import Camera
from tests.firmware.test_referee_faults import begun, c


class Table:
    """A referee beside a camera; `look` shows him all that is new."""

    def __init__(self, camera: Camera) -> None:
        self.camera, self.seen = camera, 0
        self.referee = Referee(variant("scopa_2"), ("a", "b"))
        self.events: list[AnyEvent] = self.referee.begin()
        self.look()

    def look(self) -> list[AnyEvent]:
        """The events of the observations that he has not seen yet."""
        new = [event for seen in self.camera.seen[self.seen :] for event in self.referee.observe(seen)]
        self.seen = len(self.camera.seen)
        self.events += new
        return new

    def judge_now(self) -> list[AnyEvent]:
        new = self.referee.judge_now()
        self.events += new
        return new


@pytest.fixture
def table() -> Table:
    """After four plays that take nothing; 2d 3c 4s 5b Fs Cd Rd Rc lie there and player 0 is to move."""
    return Table(begun())


def test_an_open_play_is_a_question(table: Table) -> None:
    table.camera.take(0, c("7c"), parse_cards("2d 5b"), how="unseen")
    (play,) = table.look()
    assert isinstance(play, Played)
    assert (play.card, play.how, set(play.options)) == (None, "open", {"7d", "7c", "7s", "7b"})
    question = table.referee.view.question
    assert question is not None
    assert (question.n, table.referee.view.debts) == (play.n, 1)


def test_a_debt_is_settled_by_later_sight(table: Table) -> None:
    table.camera.take(0, c("7c"), parse_cards("2d 5b"), how="unseen")
    table.camera.take(1, c("7s"), parse_cards("3c 4s"))
    table.camera.lay(0, c("7b"))
    table.camera.take(1, c("7d"), [c("7b")])
    table.look()
    assert [event.card for event in table.events if isinstance(event, Settled)] == ["7c"]
    assert table.referee.view.debts == 0


TWO_NEAR = ((c("As"), 0.6), (c("Ab"), 0.39))


@pytest.mark.parametrize("truth", ["As", "Ab"])
def test_a_card_that_lies_between_two_is_asked_for_and_told_when_it_is_read(table: Table, truth: str) -> None:
    card = c(truth)
    table.camera.misread[card] = TWO_NEAR
    table.camera.lay(0, card, rest=3.0)
    assert table.look() == []
    question = table.referee.view.question
    assert question is not None
    assert (question.n, question.player, question.takes, question.options) == (5, 0, (), (c("As"), c("Ab")))
    table.camera.lying[card] = replace(table.camera.lying[card], card=card, options=((card, 0.9999),))
    table.camera.rest(1.0)
    (play,) = table.look()
    assert isinstance(play, Played)
    assert (play.player, play.card, play.takes) == (0, truth, ())
    assert table.referee.view.question is None


def test_the_players_say_what_a_card_is_that_nobody_can_read(table: Table) -> None:
    table.camera.misread[c("Ab")] = TWO_NEAR
    table.camera.lay(0, c("Ab"), rest=3.0)
    table.look()
    answer = Action("answer", n=5, card=c("Ab"))
    decision = decide(answer, table.events, table.referee, table.camera.frame, resumed)
    assert decision is not None
    (play,) = decision.events
    assert isinstance(play, Played)
    assert (play.n, play.player, play.card, play.takes, play.how) == (5, 0, "Ab", (), "asked")
    assert isinstance(decision.follows, Referee)
    table.referee = decision.follows
    table.camera.rest(2.0)
    table.camera.take(1, c("Ac"), [c("Ab")])
    (after,) = table.look()
    assert isinstance(after, Played)
    assert (after.n, after.player, after.card, after.takes) == (6, 1, "Ac", ("Ab",))


def test_an_open_play_that_was_against_the_rules_is_undone_when_its_cards_come_back(table: Table) -> None:
    """Its card was not read for certain, so it was no fault; the players saw it themselves."""
    table.camera.misread[c("6c")] = ((c("6c"), 0.81), (c("6d"), 0.18))
    table.camera.take(0, c("6c"), [c("Cd")], rest=2.0)
    (play,) = table.look()
    assert isinstance(play, Played)
    assert (play.card, play.takes, "6c" in play.options) == (None, ("Cd",), True)
    table.camera.misread.clear()
    table.camera.reach(0)
    table.camera.put(c("6c"))
    table.camera.reach(0)
    table.camera.give_back(0, [c("6c")], [c("Cd")])
    (undone,) = table.look()
    assert isinstance(undone, Undone)


def test_a_card_that_may_be_any_is_told_as_not_understood(table: Table) -> None:
    card = c("Ab")
    table.camera.misread[card] = ()
    table.camera.lay(0, card, rest=3.0)
    assert table.look() == []
    assert table.referee.view.question is None
    table.camera.rest(1.6)
    (fault,) = table.look()
    assert isinstance(fault, Fault)
    assert (fault.rule, fault.takes) == ("unknown_change", ())
    table.camera.lying[card] = replace(table.camera.lying[card], card=card, options=((card, 0.9999),))
    table.camera.rest(1.0)
    assert [type(event) for event in table.look()] == [Cleared, Played]


def test_done_judges_at_once(table: Table) -> None:
    table.camera.lay(0, c("7c"), rest=0.4)
    assert table.look() == []
    (fault,) = table.judge_now()
    assert isinstance(fault, Fault)
    assert fault.rule == "must_take"


def test_the_log_gives_the_same_match_again(table: Table) -> None:
    table.camera.take(0, c("7c"), parse_cards("2d 5b"), how="unseen")
    table.look()
    table.camera.lay(1, c("Ad"), rest=2.0)
    table.look()
    again = resumed(table.events)
    record = table.referee.course.record
    assert again.course.record == record
    assert again.course.next == table.referee.course.next
    assert record is not None
    assert [turn.n for turn in record.debts] == [5]
    table.camera.lay(0, c("2c"))
    assert table.look()[0] == again_sees(again, table.camera)


def again_sees(referee: Referee, camera: Camera) -> AnyEvent:
    """The first event of a referee who sees only the last second."""
    events = [event for seen in camera.seen[-12:] for event in referee.observe(seen)]
    return events[0]


def test_a_reading_that_is_not_certain_is_no_fault(table: Table) -> None:
    """A seven that is read as a six, not for certain: what the rules allow stays open, and is settled later."""
    table.camera.misread[c("7c")] = ((c("6c"), 0.9976), (c("7c"), 0.0009))
    table.camera.take(0, c("7c"), parse_cards("2d 5b"))
    (play,) = table.look()
    assert isinstance(play, Played)
    assert (play.card, set(play.options) >= {"6c", "7c"}) == (None, True)


def test_a_first_table_that_is_read_late_is_no_lost_hand() -> None:
    """One card of the first table is read only when another one, which lay over it, is taken."""
    camera = Camera()
    camera.rest(0.6)
    camera.misread[c("2d")] = ((c("2d"), 0.6), (c("2c"), 0.39))
    camera.deal(1, parse_cards("2d 5b Rd Cd"))
    camera.rest(2.0)
    camera.take(0, c("5c"), [c("5b")])
    camera.lying[c("2d")] = replace(camera.lying[c("2d")], card=c("2d"), options=((c("2d"), 0.9999),))
    camera.rest(1.0)
    table = Table(camera)
    assert [type(event).__name__ for event in table.events] == ["Start", "Table", "Played"]
    assert set(table.events[1].cards) == {"2d", "5b", "Rd", "Cd"}  # type: ignore[union-attr]


def test_two_plays_between_two_quiet_moments_keep_their_order(table: Table) -> None:
    table.camera.lay(0, c("Ad"), rest=None)
    table.camera.take(1, c("As"), [c("Ad")])
    plays = [event for event in table.look() if isinstance(event, Played)]
    assert [(play.player, play.card, play.takes) for play in plays] == [(0, "Ad", ()), (1, "As", ("Ad",))]


def test_three_plays_between_two_quiet_moments(table: Table) -> None:
    table.camera.lay(0, c("Ad"), rest=None)
    table.camera.take(1, c("7s"), parse_cards("2d 5b"), rest=None)
    table.camera.lay(0, c("2c"))
    plays = [event for event in table.look() if isinstance(event, Played)]
    assert [(play.player, play.card, play.takes) for play in plays] == [
        (0, "Ad", ()),
        (1, "7s", ("2d", "5b")),
        (0, "2c", ()),
    ]


def test_an_unseen_capture_and_two_cards_more_are_three_plays(table: Table) -> None:
    table.camera.take(0, c("7c"), parse_cards("2d 5b"), how="unseen", rest=None)
    table.camera.lay(1, c("Ad"), rest=None)
    table.camera.lay(0, c("2c"))
    plays = [(play.player, play.takes) for play in table.look() if isinstance(play, Played)]
    assert plays == [(0, ("2d", "5b")), (1, ()), (0, ())]


def test_a_play_told_together_with_the_one_before_may_be_taken_back(table: Table) -> None:
    """The capture was not certain before the next player had laid a card; he changes his mind."""
    table.camera.take(0, c("7c"), parse_cards("2d 5b"), how="unseen", rest=0.4)
    table.camera.lay(1, c("Ad"))
    told = table.look()
    assert [type(event) for event in told] == [Played, Played]
    assert told[0].frame == told[1].frame  # type: ignore[union-attr]
    table.camera.give_back(1, [c("Ad")], [])
    table.camera.take(1, c("3s"), [c("3c")])
    undone, play = table.look()
    assert isinstance(undone, Undone)
    assert isinstance(play, Played)
    assert (undone.n, play.n, play.player, play.card, play.takes) == (6, 6, 1, "3s", ("3c",))


def test_a_card_that_lies_unread_is_still_of_the_player_who_laid_it(table: Table) -> None:
    """It hides another card for a while and is read just before the next player takes it."""
    camera = table.camera
    camera.reach(0)
    for _ in range(8):
        camera.show(hidden=[c("Rd")], still=True)
    camera.put(c("Ab"))
    camera.show(still=False)
    camera.take(1, c("As"), [c("Ab")])
    plays = [event for event in table.look() if isinstance(event, Played)]
    assert [(play.player, play.card, play.takes) for play in plays] == [(0, "Ab", ()), (1, "As", ("Ab",))]


def test_a_sight_that_narrows_a_debt_forgets_no_undecided_plays(table: Table) -> None:
    """Four plays in haste: the third one shows a card that an open play before might have been."""
    table.camera.take(0, c("7c"), parse_cards("2d 5b"), how="unseen")
    table.camera.take(1, c("3s"), [c("3c")], how="unseen", rest=None)
    table.camera.lay(0, c("Ad"), rest=0.4)
    table.camera.lay(1, c("7s"), rest=0.4)
    table.camera.lay(0, c("2c"))
    plays = [(play.player, play.takes) for play in table.look() if isinstance(play, Played)]
    assert plays == [(0, ("2d", "5b")), (1, ("3c",)), (0, ()), (1, ()), (0, ())]


@pytest.mark.parametrize("read", [((c("4c"), 0.9999),), ((c("4c"), 0.7), (c("2b"), 0.2))])
def test_the_card_of_a_scopa_under_its_pile_lies_on_no_table(read: tuple[tuple[Card, float], ...]) -> None:
    """It sticks out face up, and the camera reads it: for certain or not."""
    camera = Camera()
    camera.rest(0.6)
    camera.deal(1, parse_cards("Ad As Ac Ab"))
    camera.rest(1.0)
    camera.take(0, c("4c"), parse_cards("Ad As Ac Ab"))
    camera.misread[c("4c")] = read
    camera.put(c("4c"))
    camera.rest(6.0)
    camera.lay(1, c("Rd"))
    camera.lay(0, c("5d"))
    table = Table(camera)
    assert [type(event).__name__ for event in table.events] == ["Start", "Table", "Played", "Played", "Played"]
    assert [event.card for event in table.events if isinstance(event, Played)] == ["4c", "Rd", "5d"]


def test_an_open_play_that_the_next_one_narrows_to_one_card_is_deduced() -> None:
    record = Record.begin(new_hand(variant("scopa_2"), 1, parse_cards("2d 3c 4s Rd")))
    either = frozenset(parse_cards("7c 7s"))
    record = record.add(Turn(1, Play(0, c("7s"), frozenset(parse_cards("3c 4s"))), either, "open"))
    first, second = record.add(Turn(2, Play(1, c("7s")), frozenset({c("7s")}))).turns
    assert (first.play.card, first.open, first.how) == (c("7c"), False, "deduced")
    assert (second.play.card, second.how) == (c("7s"), "seen")
