"""A game of Sette e mezzo at the table: observations and the four buttons in, events out.

One meaning a button in every state, as in the other games: NO says no or looks back, − and + change or give the first
and the second answer, OK says yes and goes on; OK held is the second stake of a double bet, else the pause.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from engine.cards import Card
from engine.errors import EngineError
from engine.sette_moves import Draw, Reveal
from engine.sette_round import verdict
from firmware import events
from firmware.events import AnyEvent, Step
from firmware.sette_judge import asking, remedy
from firmware.sette_referee import SetteReferee
from firmware.sette_steps import Seen, Shows, step_of, with_card
from firmware.sette_ui import (
    Chips,
    Page,
    Past,
    Picking,
    Stage,
    Staking,
    Ui,
    declared,
    first_unseen,
    limits,
    second_offered,
    stage,
    stake_offered,
)
from hardware.gestures import Gesture
from vision.observation import TableObservation

Told = Sequence[AnyEvent]

MISREAD: Final = frozenset({"card_already_out"})
"""Faults of which NO says that the card was read wrongly."""


class SetteTable:
    """`lot` gives one of so many players, by chance. `press` tells whether a gesture meant something."""

    def __init__(self, referee: SetteReferee, lot: Callable[[int], int]) -> None:
        self.referee, self._lot = referee, lot
        self.ui = Ui()

    def observe(self, observation: TableObservation) -> Told:
        """One look at the table."""
        told = self.referee.observe(observation)
        if told:
            self._after(told)
        return told

    @property
    def stage(self) -> Stage:
        """What the display is about."""
        return stage(self.ui, self.referee)

    @property
    def pauses(self) -> bool:
        """Whether OK held is the pause here, and not the second stake."""
        return self.ui.page is None and not self._may_double()

    def press(self, gesture: Gesture) -> Told | None:
        """A gesture; what it led to, None when it means nothing here."""
        before = self.ui
        told = self._page(gesture) if self.ui.page is not None else self._press(gesture)
        if told and self.ui == before:
            self._after(told)
        return told if told or self.ui != before else None

    def _after(self, told: Told) -> None:
        """Pages that were about what has changed make way."""
        if any(not isinstance(event, events.Notice) for event in told):
            self.ui = replace(self.ui, page=None, staking=None)

    def _press(self, gesture: Gesture) -> Told:
        now = stage(self.ui, self.referee)
        if now == "bet":
            return self._bet(gesture)
        if gesture.kind == "hold" and gesture.button == "ok" and self._may_double():
            return self._again()
        if (gesture.button, gesture.kind) == ("no", "hold") and now in {"draw", "bank"}:
            return self._open(Picking(first_unseen(self.referee), self.player, drawn=True))
        if gesture.button == "no" and (gesture.kind == "hold" or now in {"deal", "shuffle", "show", "pay", "declared"}):
            return self._open(Past())
        if gesture.kind != "press":
            return ()
        match now:
            case "lot":
                return self._bank(gesture.button)
            case "fault":
                return self._fault(gesture.button)
            case "question":
                return self._question(gesture.button)
            case "draw" | "bank":
                return self._turn(gesture.button)
        return self._go_on(now, gesture.button)

    def _open(self, page: Page) -> Told:
        self.ui = replace(self.ui, page=page)
        return ()

    # between the turns

    def _go_on(self, now: str, button: str) -> Told:
        """OK on a page that is only read; − and + look back and at the chips."""
        if button == "minus":
            return self._open(Past())
        if button == "plus" and now in {"deal", "shuffle"}:
            session = self.referee.record.session
            used = session.used or session.unseen
            return self._say(events.Shuffled(self.referee.record.next, self.referee.frame)) if used else ()
        if button == "plus":
            return self._open(Chips())
        if button != "ok":
            return ()
        if now == "pay":
            self.ui = replace(self.ui, paid=self.referee.record.rounds)
        elif now == "declared":
            player = declared(self.ui, self.referee)
            assert player is not None, "the stage says that somebody declared something"
            self.ui = replace(self.ui, heard=self.ui.heard | {(self.referee.record.rounds, player)})
        elif now in {"deal", "shuffle"}:
            return self._deal(now)
        return ()

    def _deal(self, now: str) -> Told:
        """The players say that the cards are dealt, or that they have shuffled."""
        if now == "shuffle":
            return self._say(events.Shuffled(self.referee.record.next, self.referee.frame))
        dealt = self.referee.deal()
        return () if dealt is None else self._say(dealt)

    def _bank(self, button: str) -> Told:
        """Who has the first bank: OK the one shown, − and + another one, NO the lot of the box."""
        referee, count = self.referee, len(self.referee.players)
        shown = self.lot
        if button in {"minus", "plus"}:
            self.ui = replace(self.ui, lot=(shown + (1 if button == "plus" else -1)) % count)
            referee.lot_is_said = True  # gathering the cards does not settle it any more
            return ()
        if button == "no":
            return referee.tell(events.Bank(self._lot(count), "box", referee.frame))
        return referee.tell(events.Bank(shown, "cards" if self.ui.lot is None else "asked", referee.frame))

    @property
    def lot(self) -> int:
        """The player who is offered the first bank."""
        return self.referee.highest() if self.ui.lot is None else self.ui.lot

    # a turn

    def _bet(self, gesture: Gesture) -> Told:
        """The stake of the player whose turn it is, or one that is put right."""
        staking = self.staking
        match gesture.button, gesture.kind:
            case ("minus" | "plus") as button, kind:
                return self._keep(
                    self._changed(staking, (1 if button == "plus" else -1) * (5 if kind == "repeat" else 1))
                )
            case "ok", "press":
                return self._stake(staking)
            case "ok", "hold" if len(staking.amounts) > 1 or (staking.step is None and self._may_double()):
                return self._keep(replace(staking, amounts=self._both(staking.amounts), place=1 - staking.place))
            case "no", "press" if staking.step is None and len(staking.amounts) > 1:
                return self._keep(Staking(staking.amounts[:1]))
            case "no", _:
                return self._open(Past())
        return ()

    def _both(self, amounts: tuple[int, ...]) -> tuple[int, ...]:
        """The two stakes of a double bet."""
        chips = self.referee.record.session.chips[self.player]
        return amounts if len(amounts) > 1 else (*amounts, second_offered(self.referee.rules, chips, amounts[0]))

    def _keep(self, staking: Staking) -> Told:
        self.ui = replace(self.ui, page=staking) if staking.step else replace(self.ui, staking=staking)
        return ()

    @property
    def staking(self) -> Staking:
        """The stake on the page."""
        if isinstance(self.ui.page, Staking):
            return self.ui.page
        return self.ui.staking or stake_offered(self.referee, self.player)

    def _changed(self, staking: Staking, step: int) -> Staking:
        player = staking.step.player if staking.step else self.player
        low, high = limits(self.referee, player)
        amounts = list(staking.amounts)
        others = sum(amounts) - amounts[staking.place]
        chips = self.referee.record.session.chips[player]
        amounts[staking.place] = max(low, min(amounts[staking.place] + step, high, max(low, chips - others)))
        return replace(staking, amounts=tuple(amounts))

    @property
    def player(self) -> int:
        """The player whose turn it is; the bank when all have played."""
        state = self.referee.round
        assert state is not None, "a turn belongs to a round"
        return state.bank if state.turn is None else state.turn

    def _stake(self, staking: Staking) -> Told:
        referee = self.referee
        if staking.step is not None:
            return self._put(msgspec.structs.replace(staking.step, amounts=staking.amounts))
        told = self._say(events.Bet(referee.record.next, self.player, staking.amounts, referee.frame))
        if told and len(staking.amounts) > 1:
            stood = referee.stands(self.player, 1)
            assert stood is not None, "one of two bets may always stand first"
            told = [*told, *referee.say(stood)]
        return told

    def _may_double(self) -> bool:
        """Whether a second stake may still be said: before the first card, and with the chips for it."""
        referee, state = self.referee, self.referee.round
        if state is None or not referee.rules.double_bet or stage(self.ui, referee) not in {"bet", "draw"}:
            return False
        bets = state.bets(self.player)
        open_still = not bets or (len(bets) == 1 and not bets[0].up)
        return open_still and referee.record.session.chips[self.player] >= 2 * referee.rules.min_stake

    def _again(self) -> Told:
        """A second stake after the first was said: the first is taken back, and both are on the page."""
        referee = self.referee
        bet = next(step for step, _ in reversed(referee.record.steps) if isinstance(step, events.Bet))
        told = referee.undo(bet.n)
        self.ui = replace(self.ui, staking=Staking(self._both(bet.amounts), 1))
        return told

    def _turn(self, button: str) -> Told:
        """A player or the bank draws: OK stands, NO says bust, − looks back, + shows the chips."""
        referee, state = self.referee, self.referee.round
        assert state is not None, "a turn belongs to a round"
        if button == "ok" and referee.ask_now(self.player):
            return ()  # a card before him is not read yet: whether he stands can wait for it
        if button == "ok":
            bet = next(k for k, place in enumerate(state.bets(self.player)) if not state.done(place))
            stood = referee.stands(self.player, bet)
            return () if stood is None or self._bank_hides() else referee.say(stood)
        if button == "no" and state.covered[self.player] is None:
            return self._open(Picking(first_unseen(referee), self.player))
        return self._open(Chips() if button == "plus" else Past())

    def _bank_hides(self) -> bool:
        """The bank shows its card before it stands (Z6)."""
        state = self.referee.round
        return state is not None and state.turn == state.bank and state.covered[state.bank] is None

    # faults, questions, and what was said wrong

    def _fault(self, button: str) -> Told:
        """OK: all agree, with what must have been said before. NO: it goes back, or was read wrongly."""
        referee = self.referee
        fault = referee.fault
        assert fault is not None, "the stage says that something is wrong"
        if button in {"minus", "plus"}:
            return self._open(Past() if button == "minus" else Chips())
        if fault.rule in MISREAD and button == "no" and fault.card is not None:
            return self._open(Picking(Card.parse(fault.card), fault.player))
        if button == "no":
            return referee.accept()
        return self._agreed(fault)

    def _agreed(self, fault: events.Fault) -> Told:
        referee, state = self.referee, self.referee.round
        assert state is not None, "faults belong to a round"
        if fault.rule == "stock_empty":
            return self._say(events.Shuffled(referee.record.next, referee.frame))
        if fault.rule == "card_already_out" and fault.card and Card.parse(fault.card) not in state.shown:
            return referee.shuffled_before()
        stand = remedy(state, fault.player) if fault.rule == "wrong_turn" else None
        stood = referee.stands(stand.player, stand.bet) if stand is not None else None
        if stood is not None:
            return referee.say(stood)
        late = fault.rule == "wrong_turn" and fault.card is not None and fault.player != state.bank
        return self._late(fault) if late else referee.accept()

    def _late(self, fault: events.Fault) -> Told:
        """A card before somebody who stands, and all agree: he had asked it before, if that can be."""
        assert fault.card is not None, "only a card can be late"
        try:
            return self.referee.drawn_before(fault.player, Card.parse(fault.card))
        except EngineError:
            return self.referee.accept()

    def _question(self, button: str) -> Told:
        referee = self.referee
        asked = referee.asked
        assert asked is not None, "the stage says that something is asked"
        place = {"minus": 0, "plus": 1}.get(button)
        if asked.turned:
            if place is not None:
                referee.answer_turned(place == 1)
            return ()
        if place is not None and place < len(asked.options):
            referee.answer(asked.options[place])
        elif button == "no":
            return self._open(Picking(asked.options[-1], asked.player))
        return ()

    def _page(self, gesture: Gesture) -> Told:
        """A page that was opened: NO leads back."""
        page = self.ui.page
        if isinstance(page, Staking) and gesture.button != "no":
            return self._bet(gesture)
        if gesture.button == "no":
            self.ui = replace(self.ui, page=None)
            return ()
        if isinstance(page, Past):
            return self._past(page, gesture)
        if isinstance(page, Picking):
            return self._picking(page, gesture)
        self.ui = replace(self.ui, page=None)
        return ()

    def _past(self, page: Past, gesture: Gesture) -> Told:
        """Steps of the round: − older, + newer, OK annuls down to here, OK held puts right."""
        steps = self.referee.record.of_round()
        if not steps:
            self.ui = replace(self.ui, page=None)
            return ()
        step = steps[-1 - min(page.place, len(steps) - 1)]
        match gesture.button, gesture.kind:
            case "minus", _:
                return self._open(Past(min(page.place + 1, len(steps) - 1)))
            case "plus", _:
                return self._open(Past(max(page.place - 1, 0)))
            case "ok", "press":
                self.ui = Ui(paid=self.referee.record.rounds - 1)
                return self.referee.undo(step.n)
            case "ok", "hold":
                return self._put_right(step)
        return ()

    def _put_right(self, step: Step) -> Told:
        if isinstance(step, Shows):
            return self._open(Picking(Card.parse(step.card), step.player, step))
        if isinstance(step, events.Bet):
            return self._open(Staking(step.amounts, 0, step))
        return ()

    def _picking(self, page: Picking, gesture: Gesture) -> Told:
        match gesture.button, gesture.kind:
            case ("minus" | "plus") as button, _:
                return self._open(page.moved(1 if button == "plus" else -1))
            case "ok", "hold":
                return self._open(replace(page, by_suit=not page.by_suit))
            case "ok", "press":
                return self._picked(page)
        return ()

    def _picked(self, page: Picking) -> Told:
        """The card is told: for a step that was wrong, for the card asked about, or for a covered one."""
        referee = self.referee
        if page.step is not None:
            before = referee.record.until(page.step.n).session.round
            assert before is not None, "cards are shown in a round"
            return self._put(with_card(before, page.step, page.card, referee.frame))
        if referee.asked is not None or referee.fault is not None:
            referee.answer(page.card)
            self.ui = replace(self.ui, page=None)
            return ()
        state = referee.round
        assert state is not None, "covered cards lie there in a round"
        bet = asking(state.bets(page.player))
        move = Draw(page.player, page.card, bet) if page.drawn else Reveal(page.player, page.card)
        if verdict(state, move) is not None:
            return ()
        return self._say(step_of(state, move, referee.record.next, Seen(referee.frame)))

    def _say(self, *steps: Step) -> Told:
        """Steps that the rules may refuse: nothing changes then."""
        try:
            return self.referee.say(*steps)
        except EngineError:
            return ()

    def _put(self, step: Step) -> Told:
        return self.referee.put(step) if self.referee.can(step) else ()
