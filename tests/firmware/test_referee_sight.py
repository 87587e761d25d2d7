"""Cards that hide under others and arms that come and go do not make the referee wait."""

from __future__ import annotations

import pytest

from engine.cards import parse_cards
from firmware.events import Played
from tests.firmware.test_referee import watch
from tests.firmware.test_referee_faults import after_warming, begun, c


def test_who_was_there_played_not_who_reached_in_last() -> None:
    camera = begun()
    camera.misread[c("7c")] = ((c("7c"), 0.67), (c("6c"), 0.1))
    for arms in ("NS", "S", "NS"):
        camera.show(arms)
    camera.show("S", extra=[camera.new(c("7c"))])
    for card in parse_cards("2d 5b"):
        del camera.lying[card]
    camera.show("S")
    camera.leave(0, 1.0)
    (play,) = after_warming(watch("scopa_2", camera))
    assert isinstance(play, Played)
    assert (play.player, play.takes, "7c" in play.options) == (0, ("2d", "5b"), True)
    assert play.confidence > 0.9


@pytest.mark.parametrize("later", [0, 1])
def test_a_taken_card_that_is_still_supposed_under_another_delays_nothing(later: int) -> None:
    camera = begun()
    camera.ghosts = frozenset({c("2d")})
    camera.take(0, c("2c"), parse_cards("2d"))
    if later:
        camera.lay(1, c("Ad"))
    player, card = (0, "2s") if later else (1, "Ad")
    camera.lay(player, c(card), rest=3.0)
    laid = camera.frame - camera.frames(3.0)
    *_, told = after_warming(watch("scopa_2", camera))
    assert isinstance(told, Played)
    assert (told.player, told.card, told.takes) == (player, card, ())
    assert told.frame - laid <= 4
