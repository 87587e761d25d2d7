"""Random steps at the observations door: nothing raises, what was committed stays, points only come from the log."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from engine.cards import DECK, Card
from engine.game import legal_plays
from engine.rules import variant
from firmware import desk_log
from firmware.actions import Action
from firmware.events import AnyEvent, Hand, Played, Settled, Undone, decode, encode
from firmware.referee import Referee
from firmware.resume import resumed
from firmware.view import View
from tests.firmware.camera import Camera
from vision.observation import TableObservation

VARIANTS = ("scopa_2", "scopa_3", "scopa_4", "scopa_assi", "scopone_scientifico", "cirulla_2")


class Chaos:
    """A table on which anything happens: cards come, go, are misread, hidden, turned; the clock jumps."""

    def __init__(self, players: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.camera = Camera(players, 5.0)
        self.jump = 0.0
        self.calm = 0

    def _play(self, view: View) -> None:
        """People put the table right, then play by the rules, or deal."""
        if view.state is None:
            dealt = len(self.camera.lying) if self.camera.lying else 4
            self._lay(self.random.sample(DECK, 0 if dealt == 4 and self.camera.lying else 4))
            return
        table = set(view.expected)
        plays = legal_plays(view.state)
        if set(self.camera.lying) == table and plays:
            play = self.random.choice(plays)
            if self.random.random() < 0.7 and play.takes:
                self.camera.show(extra=[self.camera.new(play.card)])
                self.camera.seen.pop()
            table = table - play.takes if play.takes else table | {play.card}
        self._lay(table)

    def _lay(self, table: Iterable[Card]) -> None:
        """Just these cards lie there, read right."""
        wanted = set(table)
        self.camera.misread.clear()
        for card in [card for card in self.camera.lying if card not in wanted]:
            del self.camera.lying[card]
        for card in wanted - set(self.camera.lying):
            self.camera.put(card)

    def step(self, view: View) -> TableObservation:
        """One frame more. `view` tells people what to put right, and what they may play."""
        chance = self.random.random
        if self.calm:
            self.calm -= 1
        elif chance() < 0.1:
            self._change()
        elif chance() < 0.6:
            self._play(view)
            self.calm = self.random.randint(2, 8)
        arms = "".join(edge for edge in "NESW" if chance() < 0.1)
        hidden = [card for card in self.camera.lying if arms and chance() < 0.3]
        self.camera.show(arms, hidden=hidden, still=not arms and chance() < 0.8, light=chance() < 0.01)
        if chance() < 0.01:
            self.jump += self.random.choice((0.0, 0.4, 5.0, 600.0))
        seen = self.camera.seen.pop()
        return replace(seen, time=seen.time + self.jump)

    def _change(self) -> None:
        pick = self.random.choice
        lying = self.camera.lying
        what = self.random.random()
        if what < 0.5 and len(lying) < 12:
            card = pick(DECK)
            if card not in lying:
                self._misread(card)
                self.camera.put(card)
        elif what < 0.9 and lying:
            for card in self.random.sample(sorted(lying), self.random.randint(1, min(3, len(lying)))):
                del lying[card]
        elif what < 0.92:
            lying.clear()
        elif lying:
            card = pick(sorted(lying))
            lying[card] = replace(lying[card], options=self._options(), still=False)

    def _misread(self, card: Card) -> None:
        self.camera.misread.pop(card, None)
        if self.random.random() < 0.2:
            self.camera.misread[card] = self._options()

    def _options(self) -> tuple[tuple[Card, float], ...]:
        share, count = 1.0, self.random.randint(0, 4)
        options = []
        for card in self.random.sample(DECK, count):
            part = share * self.random.choice((0.5, 0.9, 0.9999))
            options.append((card, part))
            share -= part
        return tuple(sorted(options, key=lambda option: -option[1]))


def check(events: list[AnyEvent], referee: Referee, told: dict[int, Played]) -> None:
    """What was told stays told, open plays only narrow, and points come with the hand's own event."""
    for event in events:
        assert decode(encode(event)) == event
        if isinstance(event, Played):
            assert event.n == len(told) + 1
            assert (event.card is None) == (event.how == "open") == bool(event.options)
            told[event.n] = event
        elif isinstance(event, Undone):
            assert event.n == len(told)
            del told[event.n]
        elif isinstance(event, Settled):
            assert event.card in told[event.n].options
    record = referee.course.record
    if record is not None:
        assert all(told[turn.n].takes == tuple(str(card) for card in sorted(turn.play.takes)) for turn in record.turns)
        assert all(str(turn.play.card) in (told[turn.n].options or (told[turn.n].card,)) for turn in record.turns)


def check_log(again: Referee, referee: Referee) -> None:
    """A referee folded from the log is where the other is; he may know less of open plays, never anything else."""
    assert (again.view.totals, again.view.turn, again.view.play) == (
        referee.view.totals,
        referee.view.turn,
        referee.view.play,
    )
    told, live = again.course.record, referee.course.record
    if told is None or live is None:
        assert told is live
        return
    for one, other in zip(told.turns, live.turns, strict=True):
        assert (one.n, one.play.player, one.play.takes) == (other.n, other.play.player, other.play.takes)
        assert one.options >= other.options


def decided(chaos: Chaos, log: list[AnyEvent], referee: Referee) -> desk_log.Decision | None:
    """What people do with the buttons: undo, dispute an older play, answer, tell a play, overrule, pause."""
    view, pick = referee.view, chaos.random.choice
    turns = referee.course.record.turns if referee.course.record else ()
    wishes: list[Action] = []
    if turns:
        wishes += [Action("undo", n=turns[-1].n), Action("undo", n=pick(turns[-3:]).n)]
    if view.question:
        wishes += [Action("answer", n=view.question.n, card=card) for card in view.question.options]
    if view.fault:
        wishes += [Action("overrule"), Action("misread"), Action("drop")]
    if view.state and not view.state.over:
        play = pick(legal_plays(view.state))
        wishes.append(Action("type", card=play.card, takes=tuple(sorted(play.takes))))
    if not wishes or chaos.random.random() < 0.2:
        chaos.jump += 60.0  # a pause: nobody looks
        return None
    return desk_log.decide(pick(wishes), log, referee, chaos.camera.frame, resumed)


def run(name: str, seed: int, steps: int) -> list[AnyEvent]:
    """The events of so many random steps."""
    rules = variant(name)
    referee, chaos = Referee(rules, [str(player) for player in range(rules.players)]), Chaos(rules.players, seed)
    log, told = referee.begin(), dict[int, Played]()
    for step in range(steps):
        events = referee.observe(chaos.step(referee.view))
        if chaos.random.random() < 0.02:
            events += referee.judge_now()
        check(events, referee, told)
        decision = decided(chaos, [*log, *events], referee) if chaos.random.random() < 0.03 else None
        if decision is not None:
            referee = decision.follows
            check(list(decision.events), referee, told)
            events = [*events, *decision.events]
        log += events
        hands = [event for event in log if isinstance(event, Hand)]
        totals = [sum(_low(hand.total[str(side)]) for hand in hands) for side in range(len(set(rules.sides)))]
        assert [_low(total) for total in referee.view.totals] == totals
        if step % 500 == 499:
            check_log(resumed(log), referee)
    return log


def _low(total: int | tuple[int, int]) -> int:
    return total if isinstance(total, int) else total[0]


def test_random_steps_never_raise_and_never_lose_a_play() -> None:
    plays = 0
    for seed, name in enumerate(VARIANTS):
        plays += sum(isinstance(event, Played) for event in run(name, seed, 300))
    assert plays > 25
