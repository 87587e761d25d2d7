"""Any button at any moment of real evenings: the desk with its store on disk, a camera, power cuts. No dead end."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine import game
from engine.cards import DECK
from engine.rules import RuleSet
from firmware import console
from firmware.choices import Choices
from firmware.desk import Desk
from firmware.desk_facts import NAME, follower, open_match
from firmware.errors import StoreError
from firmware.events import AnyEvent, Match, Played, Table
from firmware.in_force import standing
from firmware.menu import Listing
from firmware.menu_facts import Facts, NoCamera
from firmware.menu_play import stage
from firmware.referee import Referee
from firmware.resume import resumed
from firmware.store import Store
from firmware.text import LANGUAGES, Words
from firmware.times import Times
from hardware.gestures import Gesture
from tests.firmware.camera import Camera
from tests.firmware.test_console import AT_REST, GESTURES

OFTEN = [*GESTURES, *((button, "press") for button in ("ok", "ok", "plus", "plus", "minus", "no")), ("no", "hold")]
"""Presses are what people do most."""

WAITING = {"off", "leave", "undo", "put_back", "count", "count_bad", "wrong_pile"}
"""Pages that wait for cards, or for OK held; NO leads out of them."""


def log(rules: RuleSet, played: int, unseen: bool, chance: random.Random) -> list[AnyEvent]:
    """The events of a match after so many plays; the cards of some captures were not seen."""
    referee = Referee(rules, [str(player) for player in range(rules.players)])
    events: list[AnyEvent] = list(referee.begin())
    first = None
    for _ in range(played):
        view = referee.view
        if view.won:
            break
        if view.state is None or first is None:
            first = chance.sample([card for card in DECK if card.value < 8], rules.table_cards)
            events.append(Table(tuple(map(str, first)), 1))
        referee = resumed(events)
        state = referee.view.state
        assert state is not None
        play = chance.choice(game.legal_plays(state))
        options = sorted(card for card in state.unseen if card.value == play.card.value)
        hide = unseen and bool(play.takes) and len(options) > 1 and chance.random() < 0.5
        card, told = (None, tuple(map(str, options))) if hide else (str(play.card), ())
        takes = tuple(map(str, sorted(play.takes)))
        number = standing(events).plays[-1].n + 1 if standing(events).plays else 1
        after = [Played(number, play.player, card, takes, False, 1, 1.0, "open" if hide else "seen", told)]
        try:
            referee = resumed([*events, *after])
        except StoreError:
            continue
        events += [*after, *referee.finish(1)]
    return events


class Evening(RuleBasedStateMachine):
    """Two or three people play, err, press anything and pull the plug."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.chance = random.Random(3)
        self.camera = Camera(2, 5.0)
        self.looked = 0
        self.switch_on()

    @initialize(
        variant=st.sampled_from(["scopa_2", "scopa_3", "scopa_4"]),
        tone=st.sampled_from(["discreet", "severe", "scorer"]),
        rules=st.sampled_from([{}, {"end": "declared"}, {"target": 4}]),
        played=st.sampled_from([0, 5, 33, 36, 36, 70, 72]),
        unseen=st.booleans(),
        seed=st.integers(0, 99),
    )
    def begin(self, variant: str, tone: str, rules: dict[str, object], played: int, unseen: bool, seed: int) -> None:
        """A match that was interrupted after so many plays is taken up."""
        choices = Choices(variant=variant, tone=tone, rules=rules)  # type: ignore[arg-type]
        ruleset = choices.ruleset()
        self.chance.seed(seed)
        self.camera, self.looked = Camera(ruleset.players, 5.0), 0
        events = log(ruleset, played, unseen, self.chance)
        self.open.__exit__(None, None, None)
        with Store.open(Path(self.folder.name)) as store:
            store.keep("choices", choices)
            store.begin(NAME, events, "2026-11-30 21:40:00")
        self.switch_on()
        if any(isinstance(event, Match) for event in events):
            return
        self.press("ok", "press")
        view = self.facts.view
        assert view is not None
        for card in view.expected:
            self.camera.put(card)
        self.wait(2.0)

    def teardown(self) -> None:
        self.open.__exit__(None, None, None)
        self.folder.cleanup()

    def switch_on(self) -> None:
        self.open = Store.open(Path(self.folder.name))
        self.desk = Desk(self.open.__enter__(), Times(), lambda: "2026-11-30 21:40:00", Facts())

    @property
    def now(self) -> float:
        return self.camera.frame / self.camera.fps

    @property
    def facts(self) -> Facts:
        return self.desk.facts(self.now)

    @property
    def shown(self) -> str:
        return self.desk.screen(self.now).name

    def look(self) -> None:
        for observation in self.camera.seen[self.looked :]:
            self.desk.observe(observation, observation.time)
            self.desk.tick(observation.time)
        self.looked = len(self.camera.seen)

    def press(self, button: str, kind: str) -> None:
        self.desk.gesture(Gesture(button, kind, self.now))  # type: ignore[arg-type]

    @rule(gestures=st.lists(st.sampled_from(OFTEN), min_size=1, max_size=6))
    def buttons(self, gestures: list[tuple[str, str]]) -> None:
        for gesture in gestures:
            self.button(gesture)

    @rule(keys=st.lists(st.sampled_from(["ok", "ok", "plus", "minus", "no"]), min_size=3, max_size=9))
    def presses(self, keys: list[str]) -> None:
        """Somebody tries to get on with it."""
        for key in keys:
            self.button((key, "press"))

    @rule(
        first=st.sampled_from([("no", "hold"), ("ok", "hold")]), keys=st.lists(st.sampled_from(["ok", "plus", "minus"]))
    )
    def menus(self, first: tuple[str, str], keys: list[str]) -> None:
        """The pause or a dispute, and what they lead to."""
        for gesture in (first, *((key, "press") for key in keys[:6])):
            self.button(gesture)

    def button(self, gesture: tuple[str, str]) -> None:
        self.camera.frame += 5  # a second later
        before = self.desk.screen(self.now)
        self.desk.wishes()
        self.press(*gesture)
        self.every_screen_is_whole()
        if gesture[1] == "press":
            assert self.desk.wishes() or self.desk.screen(self.now) != before, f"{gesture} on {before.name}"

    @rule(count=st.integers(1, 5), seed=st.integers(0, 9))
    @precondition(lambda self: self.facts.view and self.facts.view.state and self.facts.view.phase == "play")
    def play(self, count: int, seed: int) -> None:
        """People play by the rules; now and then nobody sees the card of a capture."""
        self.chance.seed(seed)
        for _ in range(count):
            view = self.facts.view
            if view is None or view.state is None or view.phase != "play" or view.state.over:
                return
            here = set(self.camera.lying)
            plays = [play for play in game.legal_plays(view.state) if play.card not in here]
            if here != set(view.expected) or not plays:
                return
            play = self.chance.choice(plays)
            if play.takes:
                how = self.chance.choice(["seen", "seen", "seen", "unseen"])
                self.camera.take(play.player, play.card, play.takes, how=how)
            else:
                self.camera.lay(play.player, play.card)
            self.look()

    @rule(seed=st.integers(0, 99))
    def err(self, seed: int) -> None:
        """Cards that come and go against all rules."""
        self.chance.seed(seed)
        lying = sorted(self.camera.lying)
        gone = self.chance.sample(lying, self.chance.randint(0, min(2, len(lying))))
        new = self.chance.sample([card for card in DECK if card not in lying], self.chance.randint(0, 2))
        self.camera.give_back(0, gone, new, rest=5.0)
        self.look()

    @rule()
    @precondition(lambda self: self.facts.view is not None)
    def mend(self) -> None:
        """The table is put as it should lie."""
        view = self.facts.view
        assert view is not None
        lying, wanted = set(self.camera.lying), set(view.expected)
        self.camera.give_back(0, lying - wanted, wanted - lying)
        self.look()

    @rule(seed=st.integers(0, 99))
    @precondition(lambda self: self.facts.view is not None and self.facts.view.phase in {"deal", "score", "over"})
    def deal(self, seed: int) -> None:
        self.camera.gather(0)
        rules = self.facts.rules
        assert rules is not None
        low = [card for card in DECK if card.value < 8]
        self.camera.deal(0, random.Random(seed).sample(low, rules.table_cards))
        self.camera.rest(1.0)
        self.look()

    @rule(seed=st.integers(0, 99))
    @precondition(lambda self: self.facts.count is not None)
    def fan(self, seed: int) -> None:
        """The pile that is asked for, more or less."""
        count = self.facts.count
        assert count is not None
        pile = set(count.record.state.piles[count.side])
        self.camera.gather(0)
        self.camera.reach(0)
        for card in pile ^ set(random.Random(seed).sample(list(DECK), seed % 3)):
            self.camera.put(card)
        self.camera.rest(1.0)
        self.look()

    @rule(seconds=st.sampled_from([1.0, 8.0, 50.0]))
    def wait(self, seconds: float) -> None:
        self.camera.rest(seconds)
        self.look()

    @rule(lost=st.booleans())
    def camera_comes_and_goes(self, lost: bool) -> None:
        self.desk.box = Facts(camera=NoCamera(5, 3, "C03") if lost else None)

    @rule(go_on=st.booleans())
    def power_cut(self, go_on: bool) -> None:
        plays = self.facts.plays
        self.open.__exit__(None, None, None)
        self.switch_on()
        store = self.desk._store  # the box that comes up again, before anybody presses
        row = open_match(store)
        if row is not None and plays:
            events = store.events(row.id)
            assert follower(row.name, events, Times()).view is not None
            assert standing(events).plays == plays
        if go_on:
            self.wait(1.0)
            self.press("ok", "press")

    @rule(button=st.sampled_from(["no", "ok"]))
    def lead_back(self, button: str) -> None:
        seen: list[str] = []
        while not self.at_rest():
            if button == "ok" and self.shown in WAITING:
                return
            seen.append(self.shown)
            assert len(seen) <= 4, f"{button} leads through {seen}"
            self.press(button, "press")

    def at_rest(self) -> bool:
        menu, facts = self.desk.menu, self.facts
        page = console.front(menu, facts)
        return isinstance(page, Listing) or (page is None and stage(menu, facts) in AT_REST | {"undecided"})

    @invariant()
    def every_screen_is_whole(self) -> None:
        for language in LANGUAGES:
            screen = console.screen(self.desk.menu, self.facts, Words(language))
            assert not [row for row in screen.rows if "…" in row], (screen.name, screen.rows)


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
