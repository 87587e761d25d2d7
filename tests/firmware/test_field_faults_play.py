"""TC9 and TC11 of the field faults: half-finished plays are none, and impossible readings are excluded or asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

from engine.cards import DECK, Card, parse_cards
from firmware import desk_log
from firmware.actions import Action
from firmware.events import AnyEvent, Fault, Played, Settled, Undone
from firmware.resume import resumed
from tests.firmware.camera import Camera
from tests.firmware.test_referee import watch
from tests.firmware.test_referee_faults import after_warming, begun, c
from tests.firmware.test_referee_open import Table

FPS = 5.0


def slide(camera: Camera) -> None:
    """A card of the table is pushed across the others while a hand covers them."""
    king = c("Rd")
    for step in range(6):
        moved = tuple((x + 40.0 * step, y) for x, y in camera.lying[king].corners)
        camera.lying[king] = replace(camera.lying[king], corners=moved, still=False)  # type: ignore[arg-type]
        camera.show(camera.edge(0), hidden=[c("2d"), c("5b")])
    camera.settle()
    camera.rest(1.0)


def hover(camera: Camera) -> None:
    """A hand thinks over the table and goes."""
    camera.reach(0, 2.0, hidden=list(camera.lying)[:4])
    camera.settle()
    camera.rest(1.0)


def show_and_pull_back(camera: Camera) -> None:
    """A card is brought to the table and not let go."""
    shown = camera.new(c("As"))
    for _ in range(4):
        camera.show(camera.edge(0), extra=[shown])
    camera.reach(0, 0.4)
    camera.settle()
    camera.rest(1.0)


@pytest.mark.parametrize("first", [slide, hover, show_and_pull_back], ids=["slid", "hovering", "pulled back"])
@pytest.mark.parametrize("how", ["seen", "two"])
def test_tc9_half_finished_plays_are_none_and_the_play_is_told_in_time(
    first: Callable[[Camera], None], how: str
) -> None:
    camera = begun(FPS)
    first(camera)
    quiet = camera.frame
    camera.take(0, c("7c"), parse_cards("2d 5b"), how=how, rest=3.0)
    last_motion = max(seen.frame for seen in camera.seen if not seen.still)
    (play,) = after_warming(watch("scopa_2", camera))
    assert isinstance(play, Played)
    assert (play.player, play.card, play.takes) == (0, "7c", ("2d", "5b"))
    assert play.frame > quiet
    assert (play.frame - last_motion) / FPS <= 1.2


def test_tc9_a_card_laid_and_taken_back_leaves_the_next_play_right() -> None:
    camera = begun(FPS)
    camera.lay(0, c("As"))
    camera.give_back(0, [c("As")], [])
    camera.lay(0, c("Ad"), rest=2.0)
    standing = [event for event in after_warming(watch("scopa_2", camera)) if isinstance(event, Played | Undone)]
    assert [type(event) for event in standing] == [Played, Undone, Played]
    assert isinstance(standing[-1], Played)
    assert (standing[-1].n, standing[-1].card) == (5, "Ad")


def standing(events: list[AnyEvent]) -> Played:
    return [event for event in events if isinstance(event, Played)][-1]


def test_tc11_a_duplicate_is_the_certain_alternative() -> None:
    """The reader names a card that lies on the table already; only one of its candidates is free."""
    camera = begun(FPS)
    camera.misread[c("Ad")] = ((c("4s"), 0.9), (c("Ad"), 0.0999))
    camera.lay(0, c("Ad"), rest=2.0)
    play = standing(watch("scopa_2", camera))
    assert (play.card, play.takes) == ("Ad", ())


def test_tc11_two_near_scores_are_never_guessed() -> None:
    """Ace of denari or of spade: what is told is not one of them, or it is the true one."""
    camera = begun(FPS)
    camera.misread[c("Ad")] = ((c("As"), 0.55), (c("Ad"), 0.4499))
    camera.lay(0, c("Ad"), rest=4.0)
    events = after_warming(watch("scopa_2", camera))
    assert [event for event in events if isinstance(event, Played) and event.card is not None] == []
    assert not [event for event in events if isinstance(event, Fault)]


@pytest.mark.parametrize("card", DECK, ids=str)
def test_tc11_any_card_can_be_given_with_the_buttons_and_is_marked(card: Card) -> None:
    """A play told by the players: every card that does not lie on the table can be the one."""
    table = Table(begun(FPS))
    lying = table.referee.view.expected
    captures = [(), *((one,) for one in lying), *combinations(lying, 2)]
    told = (
        desk_log.decide(Action("type", card=card, takes=takes), table.events, table.referee, 99, resumed)
        for takes in captures
    )
    decision = next((found for found in told if found is not None), None)
    if card in lying:
        assert decision is None
        return
    assert decision is not None
    play = standing(list(decision.events))
    assert (play.n, play.card, play.how) == (5, str(card), "asked")


def test_tc11_an_open_play_is_answered_and_marked() -> None:
    table = Table(begun(FPS))
    table.camera.take(0, c("7c"), parse_cards("2d 5b"), how="unseen")
    table.look()
    decision = desk_log.decide(Action("answer", n=5, card=c("7c")), table.events, table.referee, 99, resumed)
    assert decision is not None
    assert decision.events == (Settled(5, "7c", 99, "asked"),)
    assert decision.follows.view.debts == 0
