"""Rendered rounds of Sette e mezzo: their moves are legal, their payments right, their cards where they should be."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import Card
from engine.rules import variant
from engine.sette_moves import Draw, Move, Reveal, Stake, Stand, Swap
from engine.sette_round import apply, is_over, new_round, score
from vision.synthetic.looks import plain_look
from vision.synthetic.recording import RenderedMatch
from vision.synthetic.sette import SettePlan
from vision.synthetic.sprites import Pack
from vision.synthetic.stage import Pace
from vision.synthetic.visible import visible_cards


def rendered(pack: Pack, players: int, rules: str = "sette_e_mezzo", seed: int = 1, rounds: int = 6) -> RenderedMatch:
    plan = SettePlan(variant(rules), players, rounds, swaps=0.4)
    return RenderedMatch(plan, plain_look(pack), Pace(), 5, seed)


def move_of(entry: dict[str, Any]) -> Move:
    player = entry["player"]
    if entry["move"] == "stake":
        return Stake(player, tuple(entry["amounts"]))
    if entry["move"] == "draw":
        return Draw(player, Card.parse(entry["card"]), entry["bet"])
    if entry["move"] == "swap":
        return Swap(player, Card.parse(entry["card"]), Card.parse(entry["covered"]))
    return Stand(player, entry["bet"]) if entry["move"] == "stand" else Reveal(player, Card.parse(entry["card"]))


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("rules", ["sette_e_mezzo", "sette_e_mezzo_jolly"])
def test_rounds_are_legal_and_paid(rules: str, players: int, pack: Pack) -> None:
    match = rendered(pack, players, rules)
    frames = [scene.frame for scene in match.director.scenes()]
    truth = match.truth()
    assert truth["frames"] == len(frames)
    assert len(truth["rounds"]) == 6
    for entry in truth["rounds"]:
        covered = [Card.parse(name) for name in entry["covered"]]
        state = new_round(variant(rules), entry["bank"], entry["chips"], covered)
        for move in entry["moves"]:
            state = apply(state, move_of(move))
        assert is_over(state)
        assert entry["net"] == list(score(state).net)
        assert sum(entry["chips_after"]) == 100 * players


def test_every_kind_of_move_happens(pack: Pack) -> None:
    match = rendered(pack, 5, rounds=8)
    list(match.director.scenes())
    kinds = {move["move"] for entry in match.truth()["rounds"] for move in entry["moves"]}
    assert kinds == {"stake", "draw", "swap", "stand", "reveal"}


@pytest.mark.parametrize("players", [2, 7])
def test_cards_lie_apart_and_inside_of_the_picture(players: int, pack: Pack) -> None:
    """Of every face-up card at rest enough shows to read it, and each player has one covered card until he shows it."""
    match = rendered(pack, players, seed=3, rounds=4)
    scenes = list(match.director.scenes())
    for entry in match.truth()["rounds"]:
        for move in entry["moves"]:
            scene = scenes[move["landed"]]
            assert not scene.arms
            shares = {card.card: card.share for card in visible_cards(scene, match.look.camera, pack)}
            assert all(share > 0.5 for share in shares.values()), (players, move, shares)
        begun = scenes[entry["moves"][0]["first_frame"] - 1]
        assert sum(thing.key.startswith("covered") for thing in begun.lying) == players
        done = scenes[entry["moves"][-1]["landed"]]
        assert not any(thing.key.startswith("covered") for thing in done.lying)
