"""The table while people act on it: things, arms, time. Every movement yields the scenes of its frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.cards import Card
from vision.synthetic.camera import Camera
from vision.synthetic.layout import Layout
from vision.synthetic.scene import Arm, Grip, Pose, Scene, Seat, Thing
from vision.synthetic.sprites import Pack
from vision.synthetic.visible import arm_shows

Scenes = Iterator[Scene]


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that movements take. `still` is the pause after each play."""

    reach: float = 0.45
    carry: float = 0.3
    pick: float = 0.15
    still: float = 1.2
    fault: float = 4.0


class Stage:
    """What lies on the table and who reaches over it. `lying` is ordered from bottom to top.

    Without `piles` people keep stock and captured cards out of sight.
    """

    def __init__(
        self,
        home: Camera,
        layout: Layout,
        pack: Pack,
        seats: Sequence[Seat],
        pace: Pace,
        fps: int,
        rng: np.random.Generator,
        piles: bool = True,
        asides: Sequence[float] | None = None,
    ) -> None:
        self.home, self.layout, self.pack, self.seats = home, layout, pack, tuple(seats)
        self.pace, self.fps, self.rng, self.piles = pace, fps, rng, piles
        self.asides = asides  # where along their edge players sit, shares of half its width; None: anywhere
        self.lying: list[Thing] = []
        self.carried: dict[int, list[Thing]] = {}
        self.arms: dict[int, Arm] = {}
        self.frame = 0
        self.light, self.warmth = 1.0, 0.0
        self.camera: Camera | None = None
        self._before: Scene | None = None

    def find(self, card: Card) -> Thing:
        """The face-up card on the table. Raises `LookupError` if it does not lie there."""
        for thing in self.lying:
            if thing.kind == "face" and thing.card == card:
                return thing
        raise LookupError(f"expected {card} to lie face up on the table")

    def snap(self) -> Scene:
        """The next frame, with everything as it is now."""
        before = replace(self._before, before=None) if self._before else None
        carried = tuple(thing for things in self.carried.values() for thing in things)
        arms = tuple(self.arms.values())
        scene = Scene(self.frame, tuple(self.lying), carried, arms, before, self.light, self.warmth, self.camera)
        self._before, self.frame = scene, self.frame + 1
        return scene

    def frames(self, seconds: float) -> int:
        """How many frames a movement takes, at least one."""
        return max(1, round(seconds * self.fps))

    def wait(self, seconds: float) -> Scenes:
        """Nothing happens."""
        for _ in range(self.frames(seconds)):
            yield self.snap()

    def enter(self, player: int, *things: Thing, grip: Grip = "pinch") -> None:
        """An arm is about to reach in, with things in its hand."""
        seat = self.seats[player]
        half = self.layout.half_x if seat in ("N", "S") else self.layout.half_y
        aside = half * float(self.rng.uniform(-0.3, 0.3))
        if self.asides is not None:
            aside = 0.3 * aside + half * self.asides[player]
        hand, shoulder = self.layout.at_seat(seat, aside, -150), self.layout.at_seat(seat, aside, -450)
        self.arms[player] = Arm(player, seat, hand, shoulder, grip)
        x, y = self._fingers(seat, hand)
        self.carried[player] = [replace(t, pose=Pose(x, y, t.pose.turn, 16.0)) for t in things]

    def reach(self, player: int, place: tuple[float, float], seconds: float) -> Scenes:
        """Move a hand, and what it carries, so that its fingers come over `place`."""
        if player not in self.arms:
            self.enter(player)
        x, y = self._fingers(self.seats[player], (0.0, 0.0))
        yield from self._glide(player, (place[0] - x, place[1] - y), seconds)

    def leave(self, player: int, seconds: float | None = None) -> Scenes:
        """Take the arm back; what it carries leaves with it. It is gone as soon as nothing of it shows any more."""
        arm = self.arms[player]
        home = tuple(hand + 0.72 * (end - hand) for hand, end in zip(arm.hand, arm.shoulder, strict=True))
        for _ in self._moves(player, (home[0], home[1]), seconds or self.pace.reach):
            if not arm_shows(self.arms[player], self.carried[player], self.camera or self.home, self.pack):
                break
            yield self.snap()
        del self.arms[player], self.carried[player]

    def take(self, player: int, *things: Thing) -> None:
        """Pick things up from the table; they follow the hand from now on."""
        self.lying = [thing for thing in self.lying if thing not in things]
        self.carried[player] += [replace(thing, pose=replace(thing.pose, z=12.0)) for thing in things]

    def drop(self, player: int, thing: Thing, place: int | None = None) -> None:
        """Lay a thing that the hand carries on the table at `thing.pose`, on top or at a place in the order."""
        self.let_go(player, thing.key)
        self.lying.insert(len(self.lying) if place is None else place, thing)

    def let_go(self, player: int, key: str) -> None:
        """The hand no longer holds the thing with this key."""
        self.carried[player] = [thing for thing in self.carried[player] if thing.key != key]

    def fingers(self, player: int) -> tuple[float, float]:
        """Where a hand's fingers are now."""
        return self._fingers(self.seats[player], self.arms[player].hand)

    def _glide(self, player: int, target: tuple[float, float], seconds: float) -> Scenes:
        for _ in self._moves(player, target, seconds):
            yield self.snap()

    def _moves(self, player: int, target: tuple[float, float], seconds: float) -> Iterator[int]:
        """Move a hand and what it carries step by step, each for one frame."""
        start, count = self.arms[player].hand, self.frames(seconds)
        for step in range(1, count + 1):
            share = step / count
            share = share * share * (3 - 2 * share)
            x, y = (a + share * (b - a) for a, b in zip(start, target, strict=True))
            arm = self.arms[player]
            moved = (x - arm.hand[0], y - arm.hand[1])
            self.carried[player] = [replace(t, pose=t.pose.shifted(*moved)) for t in self.carried[player]]
            self.arms[player] = replace(arm, hand=(x, y))
            yield step

    def _fingers(self, seat: Seat, hand: tuple[float, float]) -> tuple[float, float]:
        """Where the middle of a held card is: its nearer half is under the fingers."""
        ahead = 92.0
        x, y = {"S": (0.0, -ahead), "N": (0.0, ahead), "E": (-ahead, 0.0), "W": (ahead, 0.0)}[seat]
        return hand[0] + x, hand[1] + y
