"""The watcher on drawn tables: white cards with a coloured middle, arms, piles; read by the truth of what is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from engine.cards import Card
from vision.deck import Deck, make_deck
from vision.observation import BackDetection, CardDetection, Corners, PictureReading, TableObservation
from vision.settle import Watcher
from vision.synthetic.deck import faces

WIDTH, HEIGHT = 768, 432
FPS = 5
SEVEN, KING, ACE = Card.parse("7d"), Card.parse("Rb"), Card.parse("As")
YY, XX = np.mgrid[:HEIGHT, :WIDTH]
WOOD = (np.float32([40, 70, 60]) + 6 * np.sin(YY / 9 + np.sin(XX / 60))[..., None]).astype(np.float32)
FACES = make_deck("drawn", faces(width=60))
"""A deck whose back nobody showed; what it looks like is read by none of these tables."""
NOISE = np.random.default_rng(3).normal(0, 4, (HEIGHT, WIDTH, 3)).astype(np.float32)


@dataclass(frozen=True)
class Drawn:
    """One card on the drawn table: middle in pixels, degrees; face down when `down`."""

    card: Card
    x: float
    y: float
    angle: float = 0.0
    down: bool = False
    chance: float = 0.9995

    @property
    def corners(self) -> Corners:
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        a, b, d, e = (
            (self.x + u * c - v * s, self.y + u * s + v * c) for u, v in ((-27, -45), (27, -45), (27, 45), (-27, 45))
        )
        return (a, b, d, e)


@dataclass
class Table:
    """Draws frames, and reads them as the recogniser would: what an arm or another card hides is not found."""

    cards: list[Drawn] = field(default_factory=list)
    arms: list[tuple[int, int, int, int]] = field(default_factory=list)
    thing: tuple[int, int, int, int] | None = None
    gain: float = 1.0
    shift: tuple[int, int] = (0, 0)
    blind: bool = False
    unread: Card | None = None
    see_through: bool = False
    shine: tuple[int, int, tuple[int, int, int]] | None = None
    phantom: CardDetection | None = None
    backs: np.ndarray | None = None
    reads: int = 0
    frame: int = -1
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))

    def __post_init__(self) -> None:
        self.watcher = Watcher(FACES, self.read)

    def picture(self) -> np.ndarray:
        picture = WOOD.copy()
        for drawn in self.cards:
            quad = np.int32(np.round(drawn.corners))
            cv2.fillConvexPoly(picture, quad, (150, 90, 90) if drawn.down else (225, 235, 235))
            if not drawn.down:
                hue = drawn.card.index
                cv2.circle(picture, (round(drawn.x), round(drawn.y)), 16, (hue * 6, 200 - hue * 5, 40 + hue * 3), -1)
        if self.shine:
            cv2.circle(picture, self.shine[:2], 27, self.shine[2], -1)
        if self.thing:
            cv2.rectangle(picture, self.thing[:2], self.thing[2:], (15, 15, 15), -1)
        for arm in self.arms:
            cv2.rectangle(picture, arm[:2], arm[2:], (110, 150, 205), -1)
        picture = np.roll(picture, self.shift, axis=(1, 0)) * self.gain
        noise = np.roll(NOISE, int(self.rng.integers(NOISE.shape[0])), axis=0)
        return np.clip(picture + noise, 0, 255).astype(np.uint8)

    def read(self, picture: np.ndarray, deck: Deck, known: Sequence[Corners], fresh: np.ndarray) -> PictureReading:
        self.backs = deck.back
        assert picture.shape == (HEIGHT, WIDTH, 3)
        self.reads += 1
        faces, backs = [], []
        for number, drawn in enumerate(self.cards):
            share = self.visible(number)
            corners = tuple((x + self.shift[0], y + self.shift[1]) for x, y in drawn.corners)
            if (
                (share < 0.35 and not self.see_through)
                or self.blind
                or drawn.card == self.unread
                or any(math.dist(corners[0], place[0]) < 5 for place in known)
            ):
                continue
            if drawn.down:
                backs.append(BackDetection(corners))
                continue
            sure = drawn.chance > 0.95
            rest = [(Card(s, drawn.card.value), (1 - drawn.chance) / 3) for s in range(4) if s != drawn.card.suit]
            options = ((drawn.card, drawn.chance), *rest)
            faces.append(CardDetection(drawn.card if sure else None, drawn.chance, options, corners, share))
        if self.phantom:
            faces.append(self.phantom)
        return PictureReading(WIDTH, HEIGHT, tuple(faces), tuple(backs))

    def visible(self, place: int) -> float:
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        cv2.fillConvexPoly(mask, np.int32(np.round(self.cards[place].corners)), 1)
        size = mask.sum()
        for above in self.cards[place + 1 :]:
            cv2.fillConvexPoly(mask, np.int32(np.round(above.corners)), 0)
        for x0, y0, x1, y1 in [*self.arms, *([self.thing] if self.thing else [])]:
            mask[y0:y1, x0:x1] = 0
        return float(mask.sum() / size)

    def see(self, frames: int = 1) -> TableObservation:
        for _ in range(frames):
            self.frame += 1
            told = self.watcher.update(self.picture(), self.frame, self.frame / FPS)
        return told


SOUTH_ARM = (290, 180, 350, HEIGHT)
LYING = Drawn(SEVEN, 320, 200)
OTHER = Drawn(KING, 520, 220, 15)


@pytest.fixture
def table() -> Table:
    """Two cards that have lain there for a second."""
    table = Table([LYING, OTHER])
    table.see(5)
    return table


def cards(told: TableObservation) -> set[Card | None]:
    return {seen.card for seen in told.cards}


def track(told: TableObservation, card: Card) -> int:
    return next(seen.track for seen in told.cards if seen.card == card)


def test_a_table_at_rest_is_read_twice_and_then_left_alone(table: Table) -> None:
    reads = table.reads
    told = table.see(20)
    assert reads == 2
    assert table.reads == reads
    assert told.still
    assert told.arms == ()
    assert cards(told) == {SEVEN, KING}
    assert all(seen.still and seen.seen for seen in told.cards)


def test_a_new_card_is_told_at_once_but_rests_only_with_the_second_frame(table: Table) -> None:
    table.cards.append(Drawn(ACE, 150, 150))
    first, second = table.see(), table.see()
    assert not first.still
    assert {seen.card: seen.still for seen in first.cards} == {SEVEN: True, KING: True, ACE: False}
    assert all(seen.still for seen in second.cards)
    assert second.still


def test_a_hand_hides_a_card_without_taking_it(table: Table) -> None:
    before = track(table.see(), SEVEN)
    table.arms = [SOUTH_ARM]
    table.arms = [(285, 150, 355, HEIGHT)]
    told = table.see(3)
    hidden = next(seen for seen in told.cards if seen.card == SEVEN)
    assert told.arms == ("S",)
    assert not told.still
    assert (hidden.seen, hidden.track) == (False, before)
    table.arms = []
    told = table.see(2)
    assert track(told, SEVEN) == before
    assert all(seen.seen for seen in told.cards)
    assert told.still


@pytest.mark.parametrize(
    ("arm", "edge"),
    [((290, 0, 350, 200), "N"), (SOUTH_ARM, "S"), ((0, 190, 330, 250), "W"), ((300, 190, WIDTH, 250), "E")],
)
def test_the_edge_from_which_an_arm_comes(table: Table, arm: tuple[int, int, int, int], edge: str) -> None:
    table.arms = [arm]
    assert table.see().arms == (edge,)


def test_two_arms_from_two_edges(table: Table) -> None:
    table.arms = [(100, 0, 160, 180), (600, 250, WIDTH, 310)]
    assert table.see().arms == ("N", "E")


def test_a_card_that_a_hand_takes_is_gone_when_the_table_shows(table: Table) -> None:
    table.arms = [(285, 150, 355, HEIGHT)]
    table.see(2)
    table.cards = [OTHER]
    assert cards(table.see()) == {SEVEN, KING}, "the hand still covers the place"
    table.arms = []
    assert cards(table.see()) == {KING}


def test_a_card_laid_for_two_frames_is_seen_before_it_is_swept_away(table: Table) -> None:
    table.cards.append(Drawn(ACE, 345, 235, 30))
    told = [table.see(), table.see()]
    table.cards, table.arms = [OTHER], [(285, 150, 355, HEIGHT)]
    table.see()
    table.arms = []
    after = table.see()
    assert all(ACE in cards(observation) for observation in told)
    assert cards(after) == {KING}


def test_a_card_under_a_card_laid_squarely_on_it_is_remembered(table: Table) -> None:
    table.cards.append(Drawn(ACE, 322, 203, 4))
    told = table.see(3)
    assert {seen.card: seen.seen for seen in told.cards} == {SEVEN: False, KING: True, ACE: True}
    table.cards.pop()
    assert all(seen.seen for seen in table.see(2).cards)


def test_a_nudge_keeps_the_card(table: Table) -> None:
    before = track(table.see(), SEVEN)
    table.arms = [(285, 150, 355, HEIGHT)]
    table.see()
    table.cards[0] = replace(LYING, x=350, y=225, angle=12)
    table.see()
    table.arms = []
    told = table.see(2)
    assert track(told, SEVEN) == before
    assert len(told.cards) == 2


def test_a_card_turned_face_down_and_back_is_the_same_card(table: Table) -> None:
    before = track(table.see(), SEVEN)
    table.cards[0] = replace(LYING, down=True)
    down = table.see(3)
    assert len(down.backs) == 1
    assert [(seen.card, seen.seen) for seen in down.cards if seen.card == SEVEN] == [(SEVEN, False)]
    table.cards[0] = LYING
    assert track(table.see(2), SEVEN) == before


def test_a_bumped_camera_is_told_and_loses_nothing(table: Table) -> None:
    before = {seen.card: seen.track for seen in table.see().cards}
    table.shift = (22, -14)
    bumped, after = table.see(), table.see(3)
    assert bumped.moved
    assert not after.moved
    assert {seen.card: seen.track for seen in after.cards} == before
    assert after.arms == ()
    assert after.still


def test_one_card_slid_is_no_bump(table: Table) -> None:
    table.cards[0] = replace(LYING, x=350)
    assert not table.see().moved


def test_a_lamp_switched_is_light_and_not_motion(table: Table) -> None:
    before = {seen.card: seen.track for seen in table.see().cards}
    table.gain = 0.75
    told, after = table.see(), table.see(2)
    assert told.light
    assert not after.light
    assert after.still
    assert after.arms == ()
    assert {seen.card: seen.track for seen in after.cards} == before


def test_dusk_is_no_motion(table: Table) -> None:
    reads = table.reads
    for _ in range(40):
        table.gain *= 0.99
        assert table.see().still
    assert table.reads <= reads + 4


def test_a_thing_laid_on_the_table_hides_a_card_but_is_none(table: Table) -> None:
    table.thing = (270, 140, 380, 260)
    told = table.see(50)
    assert {seen.card: seen.seen for seen in told.cards} == {SEVEN: False, KING: True}
    assert told.arms == ()
    assert told.still
    table.thing = None
    assert all(seen.seen for seen in table.see(2).cards)


def test_a_face_sticking_out_from_under_a_pile_is_no_card_of_the_table(table: Table) -> None:
    table.cards += [Drawn(ACE, 640, 100, 90), Drawn(ACE, 640, 100, down=True)]
    told = table.see(3)
    assert cards(told) == {SEVEN, KING}
    assert len(told.backs) == 1


def test_a_mark_under_a_pile_that_the_reader_does_not_find_is_no_card_either(table: Table) -> None:
    mark = Drawn(ACE, 640, 100, 90, chance=0.9)
    table.cards.append(mark)
    table.thing = (613, 55, 667, 145)
    table.see_through = True
    assert cards(table.see(3)) == {SEVEN, KING}


def test_what_the_reader_found_once_in_pixels_that_do_not_change_is_dropped(table: Table) -> None:
    table.phantom = CardDetection(ACE, 0.999, ((ACE, 0.999),), Drawn(ACE, 600, 80).corners)
    table.cards.append(Drawn(Card.parse("2c"), 150, 300))
    table.see()
    table.phantom = None
    assert cards(table.see(8)) == {SEVEN, KING, Card.parse("2c")}


def test_a_card_that_the_reader_misses_in_unchanged_pixels_is_still_seen(table: Table) -> None:
    table.blind = True
    table.cards.append(Drawn(ACE, 150, 150))
    told = table.see()
    assert {seen.card: seen.seen for seen in told.cards} == {SEVEN: True, KING: True}


@pytest.mark.parametrize(("light", "glare"), [((255, 255, 255), True), ((225, 235, 235), False)])
def test_glare_is_told_where_it_is_why_a_card_cannot_be_read(light: tuple[int, int, int], glare: bool) -> None:
    table = Table([Drawn(SEVEN, 320, 200, chance=0.5)], shine=(320, 200, light))
    assert table.see(3).glare is glare


@pytest.mark.parametrize("shape", [(1, 1, 3), (30, 40), (30, 40, 4), (30, 40, 3)])
def test_a_frame_of_another_size_or_kind_is_borne(table: Table, shape: tuple[int, ...]) -> None:
    watcher = Watcher(
        FACES, lambda picture, deck, known, fresh: PictureReading(picture.shape[1], picture.shape[0], (), ())
    )
    for number in range(4):
        watcher.update(np.full(shape, 90, np.uint8), number, number / FPS)
    told = watcher.update(table.picture(), 4, 0.1)  # the clock jumped back, too
    assert told.cards == ()


def test_looks_in_different_frames_add_up_and_the_same_pixels_do_not() -> None:
    table = Table([Drawn(SEVEN, 320, 200, chance=0.9)])
    once = table.see(12).cards[0].confidence
    table.cards[0] = replace(table.cards[0], x=345, y=210)
    again = table.see(6).cards[0]
    assert once == pytest.approx(0.81, abs=0.01)
    assert again.confidence > 0.95
    assert again.track == 1


def test_a_doubtful_card_is_read_five_times_and_then_left_doubtful() -> None:
    table = Table([Drawn(SEVEN, 320, 200, chance=0.6)])
    told = table.see(12)
    assert table.reads == 6  # the frame that brought it, and five of the still table
    assert told.cards[0].card is None
    assert told.cards[0].options[0][0] == SEVEN


def test_an_unknown_back_is_learnt_from_a_pile_of_the_cards_size() -> None:
    table = Table([Drawn(SEVEN, 220, 200), Drawn(KING, 520, 300, down=True)])
    table.see(4)
    assert table.backs is None, "the pile has just been read for the first time"
    table.cards[0] = replace(table.cards[0], x=240)
    table.see(4)
    assert table.backs is not None
    assert table.backs[:, :, 0].mean() > table.backs[:, :, 2].mean(), "backs are drawn blue"


def test_a_hand_that_carries_a_card_leaves_no_mark_where_it_went() -> None:
    """It sticks out at both sides of the card for a moment; the card is then laid just there."""
    table = Table([Drawn(KING, 620, 300)])
    table.see(4)
    table.cards.append(Drawn(SEVEN, 320, 200, chance=0.6))
    table.thing = (280, 150, 360, 250)  # fingers, not joined to what reaches in from the edge
    table.see_through = True
    table.see(1)
    table.thing, table.see_through = None, False
    table.cards[1] = Drawn(SEVEN, 324, 203)
    told = table.see(3)
    assert {seen.card for seen in told.cards} == {KING, SEVEN}


def test_a_pile_that_was_taken_for_the_table_is_a_pile_once_it_is_read() -> None:
    table = Table([Drawn(SEVEN, 220, 200), Drawn(KING, 520, 300, down=True)], unread=KING)
    table.see(50)
    table.unread = None
    table.cards[1] = replace(table.cards[1], angle=4.0)
    assert len(table.see(3).backs) == 1
    table.unread = KING
    table.cards[1] = replace(table.cards[1], angle=4.1)
    table.arms = [(500, 330, 540, 431)]
    table.see(2)
    table.arms = []
    assert len(table.see(2).backs) == 1, "a hand at the pile takes none away"


def test_a_pile_at_the_edge_that_is_missed_once_is_no_arm() -> None:
    table = Table([Drawn(SEVEN, 220, 200), Drawn(KING, 520, 386, down=True)])
    table.see(4)
    table.unread = KING
    table.cards[1] = replace(table.cards[1], angle=4.0)
    assert [table.see(1).arms for _ in range(4)] == [(), (), (), ()]
    table.arms = [(300, 330, 340, 431)]
    assert table.see(1).arms == ("S",)


def test_the_cameras_own_small_picture_tells_motion() -> None:
    large = np.full((864, 1536, 3), 90, np.uint8)
    little = np.full((216, 384, 3), 90, np.uint8)
    watcher = Watcher(FACES, lambda *_: PictureReading(1536, 864, (), ()))
    watcher.update(large, 0, 0.0, little)
    assert watcher.update(large, 1, 0.2, little).still
    moved = little.copy()
    moved[100:150, 100:150] = 200
    assert not watcher.update(large, 2, 0.4, moved).still
    assert (
        watcher.update(large, 3, 0.6, np.full((100, 100, 3), 9, np.uint8)).still is False
    )  # of no use: made ourselves
