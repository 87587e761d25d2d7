"""Gestures out of bouncing levels."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.gestures import Gesture, GestureReader

NAMES = ("no", "minus", "plus", "ok")


def run(edges: list[tuple[float, str, bool]], end: float, poll: float = 0.05) -> list[Gesture]:
    """Feeds edges in their order, and samples of the true levels every `poll` seconds, until `end`."""
    reader, levels, gestures = GestureReader(), dict.fromkeys(NAMES, False), []
    edges, tick = sorted(edges), 0
    while tick * poll <= end:
        now = tick * poll
        while edges and edges[0][0] <= now:
            time, name, down = edges.pop(0)
            levels[name] = down
            gestures += reader.edge(name, down, time)
        gestures += reader.sample(levels, now)
        tick += 1
    return gestures


def kinds(gestures: list[Gesture]) -> list[tuple[str, str]]:
    return [(gesture.button, gesture.kind) for gesture in gestures]


def down_up(name: str, start: float, length: float) -> list[tuple[float, str, bool]]:
    return [(start, name, True), (start + length, name, False)]


def bouncing(rng: random.Random, name: str, start: float, length: float) -> list[tuple[float, str, bool]]:
    """A press whose contact bounces for up to 20 ms at each end, as real ones do."""
    edges = []
    for at, final in ((start, True), (start + length, False)):
        bounces = sorted(rng.uniform(0, 0.02) for _ in range(2 * rng.randrange(5)))
        edges += [(at, name, final)]
        edges += [(at + bounce, name, final != (index % 2 == 0)) for index, bounce in enumerate(bounces)]
    return edges


def test_a_press_acts_on_release() -> None:
    gestures = run(down_up("ok", 1.0, 0.2), 2.0)
    assert kinds(gestures) == [("ok", "press")]
    assert gestures[0].time == pytest.approx(1.23)


def test_a_hold_tells_once_then_repeats_and_its_release_is_silent() -> None:
    gestures = run(down_up("plus", 1.0, 1.7), 4.0)
    assert kinds(gestures) == [("plus", "hold"), ("plus", "repeat"), ("plus", "repeat")]
    assert [gesture.time for gesture in gestures] == pytest.approx([2.0, 2.3, 2.6])


def test_the_chord_is_told_once_and_its_buttons_say_nothing_else() -> None:
    edges = down_up("no", 1.0, 6.0) + down_up("ok", 1.2, 5.0)
    gestures = run(edges, 8.0)
    assert kinds(gestures) == [("no+ok", "chord")]
    assert gestures[0].time == pytest.approx(4.2)


def test_a_chord_let_go_early_says_nothing() -> None:
    assert run(down_up("no", 1.0, 2.9) + down_up("ok", 1.1, 2.7), 6.0) == []


def test_after_a_chord_the_buttons_work_again() -> None:
    edges = down_up("no", 1.0, 4.0) + down_up("ok", 1.0, 4.0) + down_up("ok", 6.0, 0.1)
    edges += down_up("no", 7.0, 4.0) + down_up("ok", 7.0, 4.0)
    assert kinds(run(edges, 12.0)) == [("no+ok", "chord"), ("ok", "press"), ("no+ok", "chord")]


def test_other_buttons_together_stay_presses() -> None:
    edges = down_up("minus", 1.0, 0.2) + down_up("plus", 1.05, 0.2)
    assert sorted(kinds(run(edges, 2.0))) == [("minus", "press"), ("plus", "press")]


def test_the_bar_fills_while_a_button_is_down() -> None:
    reader = GestureReader()
    reader.edge("no", True, 1.0)
    reader.sample({"no": True}, 1.6)
    held = reader.held()
    assert held is not None
    assert held[0] == "no"
    assert held[1] == pytest.approx(0.6)
    reader.sample({"no": False}, 1.7)
    reader.sample({"no": False}, 1.8)
    assert reader.held() is None


@pytest.mark.parametrize("lost", ["press", "release"])
def test_a_lost_edge_is_mended_by_the_samples(lost: str) -> None:
    reader, gestures = GestureReader(), []
    if lost == "release":
        gestures += reader.edge("ok", True, 1.0)
    for tick in range(20, 60):
        now = tick * 0.05
        gestures += reader.sample({"ok": now < 1.3}, now)
    assert kinds(gestures) == [("ok", "press")]


def test_two_edges_and_a_gap_in_the_samples_are_no_hold() -> None:
    """A stuck loop or a disturbed wire: nobody saw the button down at the end of the second."""
    reader = GestureReader()
    gestures = reader.edge("ok", True, 1.0) + reader.sample({"ok": True}, 1.05)
    gestures += reader.sample({"ok": False}, 3.0) + reader.sample({"ok": False}, 3.05)
    assert ("ok", "hold") not in kinds(gestures)


@settings(max_examples=300, deadline=None)
@given(
    st.integers(),
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([0.06, 0.3, 0.9, 1.15, 1.4])), max_size=6),
)
def test_tc5_bouncing_traces_give_exactly_what_was_meant(seed: int, presses: list[tuple[str, float]]) -> None:
    rng, edges, meant, at = random.Random(seed), [], [], 0.5
    for name, length in presses:
        edges += bouncing(rng, name, at, length)
        if length < 1:
            meant.append((name, "press"))
        else:
            meant += [(name, "hold")] + [(name, "repeat")] * (length > 1.3)
        at += length + 0.2
    assert kinds(run(edges, at + 1)) == meant


def test_tc5_five_thousand_traces() -> None:
    rng = random.Random(20)
    for _ in range(5000):
        name, length = rng.choice(NAMES), rng.choice([0.07, 0.2, 0.8, 1.1])
        gestures = run(bouncing(rng, name, 0.1, length), length + 0.4)
        assert kinds(gestures) == [(name, "press" if length < 1 else "hold")]


def test_tc6_spikes_give_nothing() -> None:
    rng, edges = random.Random(6), []
    for number in range(1000):
        name = rng.choice(NAMES)
        edges += down_up(name, number * 0.06 + rng.uniform(0, 0.03), rng.uniform(0.0001, 0.02))
    assert run(edges, 62.0) == []


def test_tc6_spikes_do_not_break_a_hold() -> None:
    rng, edges = random.Random(7), [(1.0, "no", True), (2.2, "no", False)]
    for number in range(16):
        edges += [
            (time, name, not down) for time, name, down in down_up("no", 1.1 + number * 0.06, rng.uniform(0.0001, 0.02))
        ]
    assert kinds(run(edges, 3.0)) == [("no", "hold")]
