"""Rendered matches: their truth agrees with the rules, with the scenes and with the judge of recordings."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.cards import DECK, Card, parse_cards
from engine.cirulla import knock_worth
from engine.deal import opening
from engine.game import apply, new_hand, score, verdict, with_hands
from engine.play import Play
from engine.rules import VARIANTS, variant
from vision.synthetic.choice import CAPTURE_FAULTS, FAULTS, KNOCK_FAULTS, misdeal
from vision.synthetic.disturbances import DISTURBANCES
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.scene import Scene
from vision.synthetic.visible import arm_shows

MakeMatch = Callable[..., RenderedMatch]
SCOPA_FAMILY = [name for name in VARIANTS if variant(name).game != "sette_e_mezzo"]
JUDGE = Path(os.environ.get("ARBITRO_DATA", "../shared")) / "tools/score_events.py"


def table_of(scene: Scene) -> set[Card]:
    return {thing.card for thing in scene.lying if thing.kind == "face" and thing.key == str(thing.card) and thing.card}


def play_of(entry: dict) -> Play:  # type: ignore[type-arg]
    return Play(entry["player"], Card.parse(entry["card"]), frozenset(parse_cards(entry["takes"])))


@pytest.mark.parametrize("rules", SCOPA_FAMILY)
def test_plays_are_legal_and_points_are_right(rules: str, make_match: MakeMatch) -> None:
    match = make_match(rules, hands=2)
    list(match.director.scenes())
    truth = match.truth()
    assert len(truth["hands"]) == 2
    for number, hand in enumerate(truth["hands"]):
        state = new_hand(variant(rules), hand["dealer"], parse_cards(hand["start"]))
        for entry in (play for play in truth["plays"] if play["hand"] == number):
            state = apply(
                state, Play(entry["player"], Card.parse(entry["card"]), frozenset(parse_cards(entry["takes"])))
            )
            if not state.over:
                assert set(entry["table"]) == {str(card) for card in state.table}
        assert state.over
        assert hand["total"] == {str(side): points.total for side, points in enumerate(score(state))}
        assert hand["piles"] == {str(side): [str(c) for c in sorted(pile)] for side, pile in enumerate(state.piles)}


@pytest.mark.parametrize(("fps", "piles", "mess"), [(5, True, 0.0), (15, True, 0.9), (10, False, 0.5)])
def test_landed_is_the_first_quiet_frame(fps: int, piles: bool, mess: float, make_match: MakeMatch) -> None:
    match = make_match(seed=4, fps=fps, piles=piles, mess=mess, hidden=0.4)
    scenes = list(match.director.scenes())
    assert [scene.frame for scene in scenes] == list(range(match.truth()["frames"]))
    for play in match.truth()["plays"]:
        quiet = scenes[play["landed"] : play["last_frame"] + 1]
        leaving = scenes[play["landed"] - 1]
        assert any(arm_shows(arm, leaving.carried, match.look.camera, match.look.pack) for arm in leaving.arms)
        for scene in quiet:
            assert not scene.arms
            assert not scene.carried
            assert scene.lying == quiet[0].lying
            assert {str(card) for card in table_of(scene)} == set(play["table"])


def test_a_card_that_is_said_to_be_shown_lies_uncovered_before_it_captures(make_match: MakeMatch) -> None:
    match = make_match(seed=5, hidden=0.5)
    scenes = list(match.director.scenes())
    captures = [play for play in match.truth()["plays"] if play["takes"]]
    assert {play["shown_still"] for play in captures} == {True, False}
    for play in captures:
        card = Card.parse(play["card"])
        lay = [
            scene
            for scene in scenes[play["first_frame"] : play["landed"]]
            if not scene.arms and card in table_of(scene)
        ]
        assert bool(lay) == play["shown_still"]


def test_every_card_of_a_hand_is_somewhere_and_nowhere_twice(make_match: MakeMatch) -> None:
    match = make_match("scopone_scientifico", seed=2, mess=0.5)
    for scene in match.director.scenes():
        cards = [thing.card for thing in (*scene.lying, *scene.carried) if thing.card]
        assert len(cards) == len(set(cards))


@pytest.mark.parametrize("rule", FAULTS)
def test_violations_are_what_they_are_called_and_are_put_back(rule: str, make_match: MakeMatch) -> None:
    games = {"ace_takes_all": "scopa_assi"} | dict.fromkeys(KNOCK_FAULTS, "cirulla_2")
    rules = games.get(rule, "scopa_2")
    for seed in range(1, 20):
        match = make_match(rules, seed=seed, faults=(rule,))
        scenes = list(match.director.scenes())
        if not match.director.waiting:
            break
    (fault,) = match.truth()["faults"]
    assert fault["rule"] == rule
    held = scenes[fault["at_rest"] : fault["until"]]
    assert len(held) == 20  # four seconds
    assert not any(scene.arms for scene in held)
    before, after = scenes[fault["frame"] - 1], scenes[fault["until"]]
    assert held[0].lying != before.lying
    assert after.arms
    if rule in KNOCK_FAULTS:
        if rule == "knock_not_valid":
            assert knock_worth(variant(rules), parse_cards(fault["shown"])).points == 0
        assert {str(t.card) for t in held[0].lying if t.key.startswith("shown")} == set(fault["shown"])
    if rule == "misdeal":
        assert sum(card.value == 10 for card in table_of(held[0])) >= 3
        first = match.truth()["plays"][0]
        assert first["first_frame"] > fault["until"]
        dealt_again = set(parse_cards(match.truth()["hands"][0]["start"]))
        assert set(table_of(scenes[first["first_frame"] - 1])) == dealt_again != set(table_of(held[0]))
        return
    if rule in CAPTURE_FAULTS:
        assert verdict_of(match.truth(), fault) == rule
    following = next(play for play in match.truth()["plays"] if play["first_frame"] > fault["until"])
    assert table_of(scenes[following["first_frame"] - 1]) == table_of(before)


def verdict_of(truth: dict, fault: dict) -> str | None:  # type: ignore[type-arg]
    """What the engine says of a violation, from the plays before it."""
    rules = variant(truth["variant"])
    state = new_hand(rules, truth["hands"][0]["dealer"], parse_cards(truth["hands"][0]["start"]))
    for play in truth["plays"]:
        if play["first_frame"] < fault["frame"]:
            state = apply(state, play_of(play))
    state = with_hands(state, [None] * rules.players)
    return verdict(state, play_of(fault))


@pytest.mark.parametrize("rules", ["scopa_2", "cirulla_2", "scopone_9"])
def test_misdeals_are_those_of_the_rules(rules: str) -> None:
    for seed in range(5):
        table = misdeal(variant(rules), np.random.default_rng(seed))
        assert table is not None
        assert opening(variant(rules), table).redeal
    assert misdeal(variant("scopone_scientifico"), np.random.default_rng(1)) is None


@pytest.mark.parametrize("what", [*DISTURBANCES, "mind"])
def test_disturbances_leave_the_table_as_it_was(what: str, make_match: MakeMatch) -> None:
    match = make_match(seed=3, disturbed=0.3, disturbances=(what,))
    scenes = list(match.director.scenes())
    faults = match.truth()["faults"]
    assert faults
    assert {(fault["kind"], fault["what"]) for fault in faults} == {("disturb", what)}
    for fault in faults:
        following = next(play for play in match.truth()["plays"] if play["first_frame"] > fault["frame"])
        before, after = scenes[fault["frame"] - 1], scenes[following["first_frame"] - 1]
        assert table_of(before) == table_of(after)
        assert scenes[fault["frame"] : following["first_frame"]]


@pytest.mark.parametrize("rules", ["cirulla_2", "cirulla_4"])
def test_knocks_show_three_cards_until_they_are_played(rules: str, make_match: MakeMatch) -> None:
    """The knocks pay what the rules say, and every card of the knock is gone when its player has no cards left."""
    match = make_match(rules, seed=1, hands=4, knocks=True, hidden=0.3)
    scenes = list(match.director.scenes())
    truth = match.truth()
    assert truth["knocks"]
    for knock in truth["knocks"]:
        shown = {str(t.card) for t in scenes[knock["landed"]].lying if t.key.startswith("shown")}
        assert set(knock["cards"]) <= shown
        worth = knock_worth(variant(rules), parse_cards(knock["cards"]))
        assert knock["points"] == worth.points > 0
    own = [play for play in truth["plays"] if play["hand"] == 0]
    assert not any(thing.key.startswith("shown") for thing in scenes[own[-1]["landed"]].lying)
    paid = sum(points["bussate"] for hand in truth["hands"] for points in hand["points"].values())
    assert paid == sum(knock["points"] for knock in truth["knocks"])


def test_a_first_table_of_fifteen_goes_to_the_dealer(make_match: MakeMatch) -> None:
    for seed in range(1, 30):
        match = make_match("cirulla_2", seed=seed, knocks=True)
        scenes = list(match.director.scenes())
        first = match.truth()["plays"][0]
        if not table_of(scenes[first["first_frame"] - 1]):
            break
    before = scenes[first["first_frame"] - 1]
    assert sum(Card.parse(name).value for name in match.truth()["start"]) in (15, 30) or "7c" in match.truth()["start"]
    assert sum(thing.key.startswith("mark") for thing in before.lying) in (1, 2)
    assert set(match.truth()["start"]) <= set(match.truth()["piles_of"]["1"])


def test_stock_and_piles_lie_there_and_scope_are_marked(make_match: MakeMatch) -> None:
    marks = 0
    for seed in range(1, 8):
        match = make_match(seed=seed)
        scenes = list(match.director.scenes())
        last = scenes[match.truth()["plays"][-1]["landed"]]
        marked = [thing for thing in last.lying if thing.key.startswith("mark")]
        scope = sum(points["scope"] for points in match.truth()["points"].values())
        assert len(marked) == scope
        marks += scope
        deal = scenes[match.truth()["plays"][0]["first_frame"] - 1]
        assert sum(thing.key.startswith("stock") for thing in deal.lying) == 3
        assert not any(thing.key.startswith("stock") for thing in last.lying)
    assert marks


@pytest.mark.parametrize("rules", ["scopa_2", "scopa_3", "scopa_dichiarata", "cirulla_4"])
def test_hands_follow_until_somebody_has_won(rules: str, make_match: MakeMatch) -> None:
    """The next player deals each time; the match ends with the first hand after which one side alone is at the top."""
    match = make_match(rules, hands=None)
    list(match.director.scenes())
    hands, players, target = match.truth()["hands"], match.truth()["players"], variant(rules).target
    assert [hand["dealer"] for hand in hands] == [(players - 1 + k) % players for k in range(len(hands))]
    sums = [sorted(sum(hand["total"][side] for hand in hands[:k]) for side in hands[0]["total"]) for k in (-1, None)]
    assert sums[1][-1] >= target
    assert sums[1][-1] > sums[1][-2]
    assert sums[0][-1] < target or sums[0][-1] == sums[0][-2]


def test_the_next_dealer_shuffles_between_two_hands(make_match: MakeMatch) -> None:
    match = make_match(hands=2)
    shuffled = [
        scene for scene in match.director.scenes() if any(thing.key.startswith("shuffled") for thing in scene.lying)
    ]
    first, second = match.truth()["hands"]
    last = max(play["last_frame"] for play in match.truth()["plays"] if play["hand"] == 0)
    following = min(play["first_frame"] for play in match.truth()["plays"] if play["hand"] == 1)
    assert shuffled
    assert {arm.player for scene in shuffled for arm in scene.arms} == {second["dealer"]} != {first["dealer"]}
    assert last < shuffled[0].frame < shuffled[-1].frame < following
    assert max(len(scene.lying) for scene in shuffled) == 2


def test_the_count_shows_every_card(make_match: MakeMatch) -> None:
    match = make_match(seed=1, count=True)
    shown: set[Card] = set()
    end = 0
    for scene in match.director.scenes():
        if match.truth()["hands"] and match.truth()["hands"][-1]["complete"]:
            shown |= table_of(scene)
            end += 1
    assert shown == set(DECK)
    assert end > 40


@pytest.mark.skipif(not JUDGE.exists(), reason="the recordings' judge is not here")
@pytest.mark.parametrize("rules", ["scopa_2", "scopa_4", "cirulla_2"])
def test_the_judge_of_recordings_accepts_the_truth(rules: str, make_match: MakeMatch, tmp_path: Path) -> None:
    match = make_match(rules, seed=6, hands=2, faults=("wrong_sum", "must_take"))
    list(match.director.scenes())
    truth = json.loads(json.dumps(match.truth()))
    spec = importlib.util.spec_from_file_location("judge", JUDGE)
    assert spec is not None
    assert spec.loader is not None
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)
    result = judge.compare(truth, list(perfect_events(truth)))
    assert result["right"] == result["plays"] == 72
    assert result["faults_named"] == result["faults_expected"]
    assert result["points_right"]


def perfect_events(truth: dict) -> list[dict]:  # type: ignore[type-arg]
    """What a referee that sees everything at once would write."""
    numbers = itertools.count(1)
    events = [
        {"event": "play", "n": next(numbers), "frame": play["landed"], "how": "seen"} | play for play in truth["plays"]
    ]
    events += [{"event": "fault"} | fault | {"frame": fault["at_rest"]} for fault in truth["faults"]]
    events += [{"event": "hand", "total": hand["total"], "settled": True} for hand in truth["hands"]]
    return events
