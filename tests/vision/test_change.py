"""What lies there, what was glimpsed, when a table is settled."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card
from vision.change import Changes, TableChange
from vision.observation import BackDetection, Corners, SeenCard, TableObservation

SEVEN, FIVE = Card.parse("7d"), Card.parse("5b")


def at(x: float) -> Corners:
    return ((x, 0.0), (x + 60, 0.0), (x + 60, 100.0), (x, 100.0))


def card(track: int, name: Card, x: float, *, seen: bool = True, still: bool = True) -> SeenCard:
    return SeenCard(track, name, 0.9999, ((name, 0.9999),), at(x), 1.0, seen, still)


class Table:
    """Observations at five frames a second, one after the other."""

    def __init__(self) -> None:
        self.changes, self.frame = Changes(), 0

    def see(
        self, *cards: SeenCard, arms: str = "", still: bool = True, backs: tuple[BackDetection, ...] = ()
    ) -> TableChange:
        self.frame += 1
        return self.changes.update(
            TableObservation(self.frame, self.frame / 5, still and not arms, tuple(arms), cards, backs)
        )


def tracks(sights: tuple[object, ...]) -> list[int]:
    return [sight.track for sight in sights]  # type: ignore[attr-defined]


def test_two_equal_readings_without_a_hand_settle_a_table() -> None:
    table = Table()
    assert not table.see(card(1, SEVEN, 0), arms="S").settled
    assert not table.see(card(1, SEVEN, 0), still=False).settled
    change = table.see(card(1, SEVEN, 0))
    assert change.settled
    assert abs(change.quiet - 0.2) < 1e-6
    assert not table.see(card(1, SEVEN, 0), card(2, FIVE, 100)).settled
    assert table.see(card(1, SEVEN, 0), card(2, FIVE, 100)).settled


def test_an_arm_that_rests_long_enough_is_no_hand_in_play() -> None:
    table = Table()
    table.changes.update(TableObservation(0, 0.0, False, ("S",), (card(1, SEVEN, 0),), ()))
    seen = [
        table.changes.update(TableObservation(n, n / 5, True, ("S",), (card(1, SEVEN, 0),), ())) for n in range(1, 12)
    ]
    assert seen[-1].settled


def test_a_card_that_is_gone_was_glimpsed_until_the_table_is_judged() -> None:
    table = Table()
    table.see(card(1, SEVEN, 0))
    change = table.see()
    assert (tracks(change.lying), tracks(change.glimpsed)) == ([], [1])
    table.changes.judged(10.0)
    assert tracks(table.see().glimpsed) == []


def test_a_hidden_card_lies_where_it_last_lay_still() -> None:
    table = Table()
    table.see(card(1, SEVEN, 0))
    assert tracks(table.see(card(1, SEVEN, 0, seen=False, still=False), arms="S").lying) == [1]
    carried = card(1, SEVEN, 400, seen=False, still=False)
    change = table.see(carried, arms="S")
    assert (tracks(change.lying), tracks(change.glimpsed)) == ([], [1])
    assert tracks(table.see(carried).glimpsed) == [1]


def test_a_card_that_was_only_carried_does_not_lie_where_it_vanished() -> None:
    table = Table()
    table.see(card(1, SEVEN, 300, still=False), arms="S")
    assert tracks(table.see(card(1, SEVEN, 320, seen=False, still=False), arms="S").lying) == []


def test_a_hidden_card_moves_with_a_bumped_camera() -> None:
    table = Table()
    table.see(card(1, SEVEN, 0))
    hidden = card(1, SEVEN, 80, seen=False, still=False)
    bumped = TableObservation(2, 0.4, False, (), (hidden,), (), moved=True)
    assert tracks(table.changes.update(bumped).lying) == [1]
    assert tracks(table.see(replace(hidden, still=True)).lying) == [1]


def test_a_card_turned_over_lies_where_it_lay() -> None:
    table = Table()
    table.see(card(1, SEVEN, 0))
    change = table.see(backs=(BackDetection(at(4)),))
    assert tracks(change.lying) == [1]
    assert tracks(table.see(backs=(BackDetection(at(300)),)).lying) == []


def test_a_card_carried_face_up_to_a_pile_is_gone() -> None:
    table = Table()
    for _ in range(3):
        table.see(card(1, SEVEN, 0))
    table.see(card(1, SEVEN, 500, still=False), arms="S")
    change = table.see(backs=(BackDetection(at(505)),))
    assert not change.lying
    assert tracks(change.glimpsed) == [1]


def test_arms_are_told_once_for_each_reach() -> None:
    table = Table()
    for arms in ("S", "S", "", "SN", "SN", "N", "S", "S"):
        change = table.see(arms=arms)
    assert [arm.edge for arm in change.arms] == ["S", "N", "S", "S"]


def test_an_arm_that_is_told_at_another_edge_for_a_frame_is_one_arm() -> None:
    table = Table()
    for arms in ("S", "W", "S", "S"):
        change = table.see(arms=arms)
    assert [arm.edge for arm in change.arms] == ["S"]


def test_two_short_reaches_one_after_the_other_are_two_arms() -> None:
    table = Table()
    for arms in ("S", "W", "W", ""):
        change = table.see(arms=arms)
    assert [arm.edge for arm in change.arms] == ["S", "W"]
