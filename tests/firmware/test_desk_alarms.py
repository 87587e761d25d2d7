"""TC10: what is wrong at the table gives one alarm with the right words, not too soon, and it goes by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.cards import parse_cards
from firmware.events import Cleared, Fault, Played
from firmware.times import Times
from tests.firmware.camera import Camera
from tests.firmware.test_desk import Box, c, opened


@dataclass(frozen=True)
class Wrong:
    """Something that goes wrong on the first table: what is done, what is shown, and how it is put right."""

    table: str
    do: Callable[[Camera], None]
    after: float
    page: str
    words: str
    mend: Callable[[Camera], None]


def capture_of_a_wrong_sum(camera: Camera) -> None:
    camera.take(0, c("7b"), parse_cards("2d 4c"), rest=None)


def missed_capture(camera: Camera) -> None:
    camera.lay(0, c("2b"), rest=None)


def two_cards(camera: Camera) -> None:
    camera.reach(0)
    camera.put(c("Fs"))
    camera.put(c("6b"))
    camera.show("S")


TIMES = Times()
WRONG = {
    "illegal capture": Wrong(
        "2d 4c Cs 5d",
        capture_of_a_wrong_sum,
        TIMES.bad_take,
        "bad_take",
        "PRESA NON VALIDA NORD 7B ha preso 2D 4C ma non fa 7. Rimetti 2D 4C",
        lambda camera: camera.give_back(0, [], parse_cards("2d 4c")),
    ),
    "missed capture": Wrong(
        "Rd Rc 2d Cd",
        missed_capture,
        TIMES.must_take,
        "must_take",
        "PRESA OBBLIGATORIA NORD ha calato 2B e sul tavolo c'è 2D: prendi 2D, o riprendi 2B e gioca altro",
        lambda camera: camera.give_back(0, parse_cards("2b"), []),
    ),
    "two cards": Wrong(
        "Rd Rc 2d Cd",
        two_cards,
        TIMES.must_take,
        "lost",
        "NON CAPISCO Prima 2D CD RD RC Ora 2D CD RD RC FS 6B due carte in una volta",
        lambda camera: camera.give_back(0, parse_cards("Fs 6b"), []),
    ),
}


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with opened(tmp_path) as box:
        yield box


@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
def test_tc10_one_alarm_with_the_right_words_that_goes_by_itself(box: Box, wrong: Wrong) -> None:
    box.press("ok ok plus ok")
    box.camera.rest(0.6)
    box.camera.deal(1, parse_cards(wrong.table))
    box.camera.rest(1.0)
    box.look()
    wrong.do(box.camera)
    box.camera.settle()
    box.look()
    moved, told = box.now, None
    for _ in range(60):
        box.camera.show()
        box.look()
        if box.desk.alarm and told is None:
            told = box.now - moved
    assert told is not None
    assert wrong.after - 0.21 <= told <= max(wrong.after, TIMES.unknown_change) + 0.41
    faults = [event for event in box.events() if isinstance(event, Fault)]
    assert len(faults) == 1
    assert box.shown == wrong.page
    assert wrong.words in " ".join(box.rows.split())
    sounds = box.desk.heard()
    assert sounds.count("attention") + sounds.count("stop") == 1
    wrong.mend(box.camera)
    box.camera.rest(1.0)
    box.look()
    assert not box.desk.alarm
    assert box.shown == "play"
    assert isinstance(box.events()[-1], Cleared)
    assert not [event for event in box.events() if isinstance(event, Played)]
