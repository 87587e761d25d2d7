"""The appliance without its devices: observations and gestures in; a screen, sounds and wishes out.

It joins the menus, the referee (or the score kept by hand) and the store. Every event is on disk before it is shown;
a decision of the players is one more event: the referee after it is folded from the log, as after a power cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from firmware import console
from firmware.actions import Action, ActionName
from firmware.by_hand import ByHand
from firmware.choices import Choices
from firmware.desk_facts import (
    BY_HAND,
    NAME,
    choices_of,
    follower,
    history,
    known_names,
    open_match,
    suspended,
)
from firmware.desk_game import Game, on_table
from firmware.events import (
    AnyEvent,
    Corrected,
    Event,
    Fault,
    Knocked,
    Match,
    Notice,
    Played,
    Table,
    Undone,
    Voided,
)
from firmware.menu import Menu, listing
from firmware.menu_facts import Facts
from firmware.referee import Referee
from firmware.resume import rules_of
from firmware.screens_page import Screen
from firmware.sette_desk import SetteDesk, plays_sette, referee_of, table_of
from firmware.sette_referee import SetteReferee
from firmware.sounds import Sounds
from firmware.store import Store
from firmware.text import Words
from firmware.times import Times
from hardware.buzzer import Sound
from hardware.gestures import Gesture
from vision.observation import TableObservation

_DECISIONS: Final[frozenset[ActionName]] = frozenset(
    {
        *("misread", "reread", "drop", "restore", "answer", "type", "overrule", "undo", "redeal", "claim", "correct"),
        *("knock", "undo_knock"),
    }
)
_COUNTING: Final[frozenset[ActionName]] = frozenset({"count", "recount", "counted", "give", "settle"})
_OUTSIDE: Final[frozenset[ActionName]] = frozenset(
    {
        "off",
        "learn",
        "calibrate",
        "selftest",
        "backup",
        "restore_copy",
        "report",
        "save",
        "skip",
        "redo",
        "take",
        "cancel",
    }
)
"""Wishes that need a device or time: the loop gets them."""


WINK: Final = 0.3
"""Seconds for which the first row is shown in reverse after a press that changes nothing."""
SLOW: Final = 45.0
"""Seconds after the last play until a severe judge says that the others wait."""


class Desk:
    """One box at one table. `facts` are what the loop knows of the box itself; the desk adds the match to them.

    `store` must be held. `today` gives the date of a new match in ISO form. `first` are the choices of a box on which
    nothing was chosen yet. Times are seconds on the clock of the gestures. Raises `StoreError` when it cannot store.
    """

    def __init__(
        self,
        store: Store,
        times: Times,
        today: Callable[[], str],
        box: Facts | None = None,
        first: Choices | None = None,
    ) -> None:
        self._store, self._times, self._today = store, times, today
        self.box = box or Facts()
        self._first = first or Choices()
        self.menu = Menu(self._first)
        self._game: Game | None = None
        self._sette: SetteDesk | None = None
        self.renew()
        self._frame = 0
        self._winked = float("-inf")
        self._now = 0.0
        self._heard: list[Sound] = []
        self._wishes: list[Action] = []

    def renew(self) -> None:
        """Everything is as the store has it, as after power-on; only the page in front stays."""
        self.menu = Menu(choices_of(self._store, self._first), self.menu.pages)
        self._sounds = Sounds(self.menu.choices.sound, self._times.repeat)
        self._waiting = suspended(self._store, Words(self.menu.choices.language), self._times)
        self._history, self._names = history(self._store), known_names(self._store)

    # in

    def observe(self, observation: TableObservation, now: float) -> Sequence[AnyEvent]:
        """One look at the table; the events that it led to, already on disk. Observations have a clock of their own."""
        self._frame = observation.frame
        if self._waiting:
            found = on_table(observation, self._times, self._waiting.held)
            self._waiting = replace(self._waiting, found=tuple(sorted(found)))
        if self._sette:
            return () if self.menu.paused else self._sette.observe(observation)
        if self._game is None:
            return ()
        events = self._told(self._game, self._game.look(observation), now)
        if self.menu.choices.tone == "scorer" and any(isinstance(event, Fault) and event.card for event in events):
            events = [*events, *self._decide(Action("overrule"), now)]  # he never objects, he only counts
        return events

    def gesture(self, gesture: Gesture) -> None:
        """What was done with the buttons."""
        self._now = gesture.time
        if self._sette and not self.menu.pages and gesture.kind != "chord":
            self._press_sette(self._sette, gesture)
            return
        before, wishes = self.screen(gesture.time), len(self._wishes)
        self.menu, actions = console.press(self.menu, gesture, self.facts(gesture.time))
        for action in actions:
            self._act(action, gesture.time)
        if self._game and self._game.paused and not self.menu.paused:  # whichever way people left the pause
            self._game.end_pause()
        if gesture.kind == "press" and len(self._wishes) == wishes and self.screen(gesture.time) == before:
            self._again(gesture.time)

    def tick(self, now: float) -> None:
        """Time passes: an open alarm is heard again, troubles that are over are forgotten."""
        self._now = now
        self.menu = console.renewed(self.menu, self.facts(now))
        self._sounds, sound = self._sounds.due(now)
        self._heard += [sound] if sound else []
        game = self._game
        if game and not game.nudged and self._slow(game, now):
            game.nudged = True
            self._heard += ["attention"]

    def use_deck(self, name: str) -> None:
        """The next match is played with this deck; it is kept with the other choices."""
        choices = msgspec.structs.replace(self.menu.choices, deck=name)
        self._store.keep("choices", choices)
        self.menu = replace(self.menu, choices=choices)

    def notice(self, what: str) -> None:
        """Something of the box, not of the game, for the record of the match that runs."""
        if self._game is not None and not self._game.by_hand:
            self._game.commit([Notice(what, self._frame)])

    # out

    def facts(self, now: float) -> Facts:
        """All facts of this moment."""
        names = tuple(dict.fromkeys((*self._names, *self.box.known.names)))
        known = replace(self.box.known, names=names)
        facts = replace(self.box, now=now, known=known, suspended=self._waiting, history=self._history)
        game = self._game
        if self._sette:
            return replace(facts, suspended=None, number=self._sette.number)
        if game is None:
            return facts
        stands = game.stands
        return replace(
            facts,
            suspended=None,
            view=game.view,
            rules=game.follows.rules,
            by_hand=game.by_hand,
            plays=stands.plays,
            hands=stands.hands,
            count=game.count,
            told=game.told,
            slow=self._slow(game, now),
            undone=game.undone if game.restoring else None,
            minutes=round((now - game.began) / 60),
            number=game.number,
        )

    def screen(self, now: float) -> Screen:
        """What people see now."""
        if self._sette and not self.menu.pages:
            shown = self._sette.screen(Words(self.menu.choices.language, self.box.family))
        else:
            shown = console.screen(self.menu, self.facts(now))
        return replace(shown, alarm=not shown.alarm) if now - self._winked < WINK else shown

    @property
    def happened(self) -> int:
        """How many events the match in play has; it changes when somebody has played, or erred."""
        return len(self._game.events) if self._game else 0

    def aside(self, now: float) -> Screen | None:
        """What a larger display shows beside it."""
        return console.aside(self.menu, self.facts(now))

    def heard(self) -> list[Sound]:
        """The sounds since the last call."""
        heard, self._heard = self._heard, []
        return heard

    def wishes(self) -> list[Action]:
        """What only the loop can do, since the last call."""
        wishes, self._wishes = self._wishes, []
        return wishes

    @property
    def alarm(self) -> bool:
        """Whether something is wrong that people must put right."""
        if self._sette:
            return self._sette.alarm
        return self._game is not None and self._game.view.phase in {"fault", "restore"}

    @property
    def playing(self) -> bool:
        """Whether a match runs that the camera follows."""
        if self._sette:
            return not self.menu.paused
        game = self._game
        return game is not None and not game.paused and not game.by_hand

    @property
    def marks(self) -> bool:
        """Whether a face under a back marks a scopa: in Sette e mezzo cards lie over covered ones."""
        return self._sette is None

    # Sette e mezzo

    def _press_sette(self, sette: SetteDesk, gesture: Gesture) -> None:
        wish = sette.press(gesture)
        if wish == "pause":
            self.menu = self.menu.open(listing("pause"))
        elif wish == "again":
            self._begin_sette(self.menu.choices)
        elif wish == "end":
            self._sette = None
        elif wish == "show":
            self._wishes.append(Action("show"))

    def _begin_sette(self, choices: Choices) -> None:
        rules = choices.ruleset()
        referee = SetteReferee(rules, choices.players(Words(choices.language)), self._times)
        number = self._store.begin(NAME, referee.begin(), self._today())
        self._follow_sette(number, referee)
        self._names = known_names(self._store)

    def _follow_sette(self, number: int, referee: SetteReferee) -> None:
        self._sette = SetteDesk(self._store, number, table_of(referee), self._hear)
        self._game = self._waiting = None

    def _hear(self, event: Event) -> None:
        """What is on disk of a game of Sette e mezzo may be heard."""
        self._sounds, sound = self._sounds.heard(event, self._now)
        self._heard += [sound] if sound else []
        if isinstance(event, Match):
            self._history = history(self._store)

    # the match

    def _slow(self, game: Game, now: float) -> bool:
        """Whether a severe judge says that the others wait; nobody is slow before the first play."""
        waited = now - game.told
        return self.menu.choices.tone == "severe" and game.view.phase == "play" and SLOW < waited < float("inf")

    @property
    def _pace(self) -> Times:
        """How long the judge waits: a severe one tells a card that should have taken as soon as any wrong capture."""
        severe = self.menu.choices.tone == "severe"
        return replace(self._times, must_take=self._times.bad_take) if severe else self._times

    def _told(self, game: Game, events: Sequence[AnyEvent], now: float) -> Sequence[AnyEvent]:
        """What is on disk may be shown and heard."""
        for event in events:
            self._tell(game, event, now)
        if any(isinstance(event, Match | Undone | Corrected) for event in events):
            self._history = history(self._store)
        return events

    def _tell(self, game: Game, event: Event, now: float) -> None:
        if isinstance(event, Played | Knocked):
            game.told, game.nudged = now, False
        if isinstance(event, Table | Undone | Voided | Corrected):
            corrected = isinstance(event, Corrected)
            self.menu = self.menu.after_hands(len(game.stands.hands), score_again=corrected)
        self.menu = console.interrupted(self.menu, event)
        self._sounds, sound = self._sounds.heard(event, now, quiet=self.menu.choices.tone != "severe")
        self._heard += [sound] if sound else []

    def _act(self, action: Action, now: float) -> None:
        """One wish of the players."""
        if action.name in _OUTSIDE:
            self._wishes.append(action)
        elif action.name in _DECISIONS:
            self._decide(action, now)
        elif action.name in _COUNTING and self._game:
            self._told(self._game, self._game.count_piles(action, self._frame), now)
        elif action.name == "start" and action.choices and plays_sette(action.choices):
            self._begin_sette(action.choices)
        elif action.name in {"start", "by_hand"} and action.choices:
            self._begin(action.choices, now, by_hand=action.name == "by_hand")
        else:
            self._act_on_match(action, now)

    def _act_on_match(self, action: Action, now: float) -> None:
        game = self._game
        match action.name:
            case "keep" if action.choices:
                self._store.keep("choices", action.choices)
                self._sounds = replace(self._sounds, level=action.choices.sound)
            case "resume" | "accept_table" | "restart_hand":
                self._resume(action, now)
            case "done" if game and self._told(game, game.done(), now):
                pass
            case "done" | "show":
                self._again(now)
            case "rematch" if game:
                self._rematch(game, now)
            case "leave" if self._sette:
                self._sette.leave()
                self._sette = None
            case "leave" if game:
                self._store.leave(game.number)
                self._game = None
            case "points" if game:
                self._told(game, game.points(action), now)
            case "pause" if game:
                game.paused = True

    def _again(self, now: float) -> None:
        """A press that changes nothing is answered all the same: the first row winks, an open alarm is heard again."""
        self._winked = now
        self._sounds, sound = self._sounds.again(now)
        self._heard += [sound] if sound else []

    def _begin(self, choices: Choices, now: float, *, by_hand: bool) -> None:
        rules, seats = choices.ruleset(), choices.players(Words(choices.language))
        first = (choices.dealer + 1) % len(seats)
        players = seats[first:] + seats[:first]
        follows = ByHand(rules, players) if by_hand else Referee(rules, players, self._pace)
        events: list[AnyEvent] = list(follows.begin())
        name = BY_HAND if by_hand else NAME
        number = self._store.begin(name, events, self._today())
        self._game, self._waiting = self._game_of(number, name, events, follows, now), None
        self._names = known_names(self._store)

    def _rematch(self, game: Game, now: float) -> None:
        """The next player deals, so that whoever dealt first last time does not do so again."""
        choices = self.menu.choices
        players = choices.ruleset().players
        after = msgspec.structs.replace(choices, dealer=(choices.dealer + 1) % players)
        self._store.keep("choices", after)
        self.menu = Menu(after)
        self._begin(after, now, by_hand=game.by_hand)

    def _game_of(self, number: int, name: str, events: list[AnyEvent], follows: Referee | ByHand, now: float) -> Game:
        return Game(self._store, lambda: self._pace, number, name, events, follows, now)

    def _resume(self, action: Action, now: float) -> None:
        """Takes up the suspended match: the table must first lie as it was saved, unless it counts as it lies."""
        row = open_match(self._store)
        if row is None:
            return
        events = self._store.events(row.id)
        if rules_of(row.start).game == "sette_e_mezzo":
            self._follow_sette(row.id, referee_of(events, self._times))
            if action.name == "restart_hand" and self._sette:
                self._sette.deal_again()
            return
        follows = follower(row.name, events, self._pace)
        self._waiting, self._game = None, self._game_of(row.id, row.name, events, follows, now)
        self._game.restoring = self._game.has_table and action.name == "resume"
        if action.name == "restart_hand":
            self._decide(action, now)

    def _decide(self, action: Action, now: float) -> Sequence[AnyEvent]:
        """A decision of the players becomes events, if it can be."""
        events = self._told(self._game, self._game.decide(action, self._frame), now) if self._game else ()
        if not events:
            self._again(now)
        return events
