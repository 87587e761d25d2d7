"""A box without devices for the tests of the buttons: a match played by the engine, and what wishes do to it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from engine import game
from engine.cards import DECK, Card, parse_cards
from engine.play import Play
from engine.rules import RuleSet
from engine.state import State
from firmware import console
from firmware.actions import Action
from firmware.by_hand import ByHand
from firmware.choices import Choices
from firmware.events import Fault, Hand, Match, Played
from firmware.menu import Menu
from firmware.menu_facts import Facts, NoCamera, Suspended, Trouble
from firmware.menu_fields import Known
from firmware.view import Phase, Question, View
from hardware.gestures import Gesture

KNOWN = Known(("arbitro", "piacentine"), ("ANNA", "MARGHERITA", "BARTOLOMEO"))


@dataclass
class World:
    """Facts that follow from plays, faults and wishes; `menu` is what the buttons have led to."""

    chance: random.Random
    menu: Menu = field(default_factory=lambda: Menu(Choices()))
    now: float = 0.0
    rules: RuleSet | None = None
    names: tuple[str, ...] = ()
    state: State | None = None
    phase: Phase = "deal"
    hand: int = 1
    totals: tuple[int, ...] = ()
    plays: tuple[Played, ...] = ()
    undone: Played | None = None
    told: float = -100.0
    fault: Fault | None = None
    missing: tuple[str, ...] = ()
    left: frozenset[Card] = frozenset()
    question: Question | None = None
    ended: Hand | None = None
    won: Match | None = None
    by_hand: ByHand | None = None
    camera: NoCamera | None = None
    suspended: Suspended | None = None
    trouble: Trouble | None = None
    asked: list[Action] = field(default_factory=list)
    off: bool = False

    @property
    def facts(self) -> Facts:
        return Facts(
            now=self.now,
            known=KNOWN,
            camera=self.camera,
            suspended=self.suspended,
            trouble=self.trouble,
            view=self.by_hand.view if self.by_hand else self.view(),
            rules=self.rules,
            by_hand=self.by_hand is not None,
            plays=self.plays,
            told=self.told,
            undone=self.undone,
            minutes=38,
            number=14,
            history=(("30.11.2026", "SUD 12  NORD 9"),) * 3,
            able=frozenset({"learn", "calibrate", "selftest", "backup", "report"}),
        )

    def view(self) -> View | None:
        if self.rules is None:
            return None
        table = tuple(sorted(self.state.table)) if self.state else ()
        if self.phase in {"score", "over"}:
            table = tuple(sorted(self.left))
        missing = parse_cards(self.missing)
        return View(
            phase=self.phase,
            players=self.names,
            sides=self.rules.sides,
            dealer=self.rules.players - 1,
            hand=self.hand,
            play=self.state.plays if self.state else 0,
            plays=self.rules.plays,
            turn=self.state.turn if self.state and not self.state.over else None,
            lies=tuple(card for card in table if card not in missing),
            expected=table,
            missing=missing,
            surplus=(),
            state=self.state,
            last=self.plays[-1] if self.plays else None,
            fault=self.fault,
            question=self.question,
            debts=1 if self.question else 0,
            sure=tuple(each.total for each in game.certain_points(self.state)) if self.state else (),
            totals=self.totals,
            ended=self.ended,
            won=self.won,
        )

    # what happens at the table

    def gather(self) -> None:
        """The cards are gathered after a hand: the table is empty."""
        self.state, self.phase, self.ended = None, "deal", None

    def deal(self, table: str = "") -> None:
        assert self.rules is not None
        deck = [card for card in DECK if card.value not in {1, 10}] + [card for card in DECK if card.value in {1, 10}]
        first = parse_cards(table) or tuple(self.chance.sample(deck[:32], self.rules.table_cards))
        self.state, self.phase = game.new_hand(self.rules, self.rules.players - 1, frozenset(first)), "play"

    def play(self) -> None:
        assert self.state is not None
        play = self.chance.choice(game.legal_plays(self.state))
        self._tell(play)
        if game.is_over(self.state):
            self._end()

    def _tell(self, play: Play) -> None:
        assert self.state is not None
        after = game.apply(self.state, play)
        self.left = self.state.table - play.takes if play.takes else self.state.table | {play.card}
        names = tuple(map(str, sorted(play.takes)))
        event = Played(
            len(self.plays) + 1, play.player, str(play.card), names, after.scope != self.state.scope, 1, 1.0, "seen"
        )
        self.state, self.plays, self.told = after, (*self.plays, event), self.now

    def _end(self) -> None:
        assert self.state is not None
        assert self.rules is not None
        points = game.score(self.state)
        self.ended = Hand(
            piles={str(side): tuple(map(str, sorted(pile))) for side, pile in enumerate(self.state.piles)},
            points={str(side): dict(each.items()) for side, each in enumerate(points)},
            total={str(side): each.total for side, each in enumerate(points)},
            settled=True,
            frame=1,
        )
        self.totals = tuple(had + each.total for had, each in zip(self.totals, points, strict=True))
        self.hand, self.phase, self.question = self.hand + 1, "score", None
        best = max(self.totals)
        if best >= self.rules.target and self.totals.count(best) == 1:
            self.phase = "over"
            self.won = Match({str(s): t for s, t in enumerate(self.totals)}, str(self.totals.index(best)))

    def fail(self, rule: str) -> None:
        assert self.state is not None
        lying = [str(card) for card in sorted(self.state.table)]
        unseen = str(min(self.state.unseen))
        player = self.state.turn
        takes = tuple(lying[:2]) if rule not in {"must_take", "wrong_turn"} else ()
        legal = (tuple(lying[:1]),)
        self.missing = takes if rule not in {"must_take", "wrong_turn"} else ()
        card = None if rule == "unknown_change" else unseen
        self.fault = Fault(rule, player, card, takes, legal, 9, takes)
        self.phase = "fault"

    def mend(self) -> None:
        self.fault, self.missing, self.phase, self.undone = None, (), "play", None

    def ask(self) -> None:
        assert self.state is not None
        options = tuple(sorted(self.state.unseen))[: self.chance.randint(1, 3)]
        takes = tuple(sorted(self.state.table))[: self.chance.randint(0, 2)]
        if options:
            self.question = Question(len(self.plays), 0, takes, options)

    # what people do

    def press(self, button: str, kind: str = "press") -> None:
        gesture = Gesture(button, kind, self.now)  # type: ignore[arg-type]
        self.menu, actions = console.press(self.menu, gesture, self.facts)
        for action in actions:
            self.asked.append(action)
            self._do(action)

    def _do(self, action: Action) -> None:
        match action.name:
            case "start" | "by_hand":
                assert action.choices is not None
                self._begin(action.choices, by_hand=action.name == "by_hand")
            case "rematch":
                self._begin(self.menu.choices, by_hand=self.by_hand is not None)
            case "leave":
                self.rules = self.state = self.by_hand = self.ended = self.won = self.fault = None
                self.plays, self.question, self.suspended, self.trouble = (), None, None, None
            case "points":
                assert self.by_hand is not None
                self.by_hand.hand(dict(action.said))
            case "misread" | "overrule" | "drop" | "type" | "restore":
                self.mend()
            case "reread" if self.fault:
                self.mend()
            case "answer" | "later":
                self.question = None
            case "undo":
                self.undone = next(play for play in self.plays if play.n == action.n)
                self.phase = "restore"
                self.plays = tuple(play for play in self.plays if play.n < (action.n or 0))
            case "resume" | "accept_table" | "restart_hand":
                self.suspended = None
                self._begin(self.menu.choices, by_hand=False)
            case "off":
                self.off = True

    def _begin(self, choices: Choices, *, by_hand: bool) -> None:
        from firmware.text import Words

        self.rules = choices.ruleset()
        self.names = choices.players(Words(choices.language))
        self.state, self.phase, self.hand, self.plays = None, "deal", 1, ()
        self.totals = (0,) * len(set(self.rules.sides))
        self.ended = self.won = self.fault = self.question = self.suspended = None
        self.missing = ()
        self.by_hand = ByHand(self.rules, self.names) if by_hand else None

    def copy(self) -> World:
        chance = random.Random()
        chance.setstate(self.chance.getstate())
        twin = replace(self, chance=chance, asked=[])
        if self.by_hand:
            twin.by_hand = ByHand(self.by_hand.rules, self.by_hand.players)
            twin.by_hand.__dict__.update(self.by_hand.__dict__)
        return twin
