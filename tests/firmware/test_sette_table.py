"""Sette e mezzo at the table: faults, corrections, double bets, questions, and power cuts with stakes on the table."""

from __future__ import annotations

import pytest

from engine.cards import DECK, Card, parse_cards
from engine.rules import variant
from firmware import events
from firmware.events import Bank, Bet, Bust, Cleared, Drawn, Event, Paid, Revealed, Round, Seats, Stood, Swapped, Undone
from firmware.sette_record import folded
from firmware.sette_referee import SetteReferee
from firmware.sette_ui import Picking
from tests.firmware.sette_world import SetteWorld


def dealt(covered: str, then: str = "", players: int = 3, rules: str = "sette_e_mezzo") -> SetteWorld:
    """A round with these covered cards by player, and the next cards of the stock; player 0 has the bank."""
    world = SetteWorld(players, variant(rules), lot=0)
    for player, card in enumerate(parse_cards("Rd 2c 3s 4b 5d 6c 7s")[:players]):
        world.lay(player, card, 0)
        world.rest(0.6)
    world.press("no")  # the lot of the box
    world.clear()
    world.session = events_session(world)
    first, after = parse_cards(covered), parse_cards(then)
    rest = [card for card in DECK if card not in (*first, *after)]
    world.deal([*rest, *reversed(after), *reversed(first)])
    return world


def events_session(world: SetteWorld):  # type: ignore[no-untyped-def]  # a session of the engine
    return world.table.referee.record.session


def rules_shown(world: SetteWorld) -> list[str]:
    """The rules of the faults that were told, each with its own page on the display."""
    rules = [fault.rule for fault in world.faults()]
    assert set(rules) <= world.shown
    return rules


def told(world: SetteWorld, kind: type[Event]) -> list[Event]:
    return [event for event in world.told if isinstance(event, kind)]


def test_seats_are_learnt_and_the_bank_is_drawn() -> None:
    world = dealt("2d 3d 4d")
    (seats,), (bank,), (deal,) = told(world, Seats), told(world, Bank), told(world, Round)
    assert isinstance(seats, Seats)
    assert seats.cards == ("Rd", "2c", "3s")
    assert bank == Bank(0, "box", bank.frame)  # type: ignore[attr-defined]
    assert isinstance(deal, Round)
    assert deal.order == (1, 2, 0)
    assert world.stage == "bet"


def test_the_first_card_laid_is_the_first_player_and_the_others_follow_counter_clockwise() -> None:
    world = SetteWorld(5)
    for player in (3, 1, 0, 4, 2):  # who lays when does not matter, but for the first
        world.lay(player, parse_cards("Ad 2c 3s 4b 5d")[player], 0)
        world.rest(0.6)
    (seats,) = told(world, Seats)
    assert isinstance(seats, Seats)
    assert seats.cards == ("4b", "5d", "Ad", "2c", "3s")


def test_the_highest_card_has_the_bank_of_equal_ones_the_suit() -> None:
    world = SetteWorld(3)
    for player, card in enumerate(parse_cards("Fd Rc Rs")):
        world.lay(player, card, 0)
        world.rest(0.6)
    world.clear()
    assert told(world, Bank) == [Bank(1, "cards", world.told[-1].frame)]  # type: ignore[union-attr]


def test_a_usual_turn_costs_two_presses_and_the_last_stake_is_offered() -> None:
    world = dealt("2d 3d 4d")
    world.stake(1, 7)
    world.press("ok")
    assert [type(event) for event in world.told[-2:]] == [Bet, Stood]
    world.press("ok")
    world.press("ok")
    world.reveal(0)
    world.press("ok")
    world.reveal(1)
    world.reveal(2)
    (paid,) = told(world, Paid)
    assert isinstance(paid, Paid)
    assert paid.net == (-8, 7, 1)  # 2 against 3 and 4
    world.press("ok")
    world.clear()
    world.session = events_session(world)
    world.deal()
    assert world.table.staking.amounts == (7,)


def test_bust_is_seen_when_what_lies_open_is_enough() -> None:
    world = dealt("2d Ad 4d", then="4c 4s")
    world.stake(1, 5)
    world.draw(1)
    assert not told(world, Bust)
    world.draw(1)
    (bust,) = told(world, Bust)
    assert isinstance(bust, Bust)
    assert (bust.player, bust.stake, bust.total) == (1, 5, 8.0)
    assert world.stage == "declared"
    world.press("ok")
    assert world.stage == "bet"


def test_a_two_card_hand_is_declared_and_takes_the_bank() -> None:
    world = dealt("2d 7d 4d", then="Fc")
    world.stake(1, 5)
    world.draw(1)
    world.reveal(1)
    (turned,) = told(world, Revealed)
    assert isinstance(turned, Revealed)
    assert (turned.kind, turned.total) == ("emblee", 7.5)
    assert "emblee" in world.shown
    for _ in range(3):
        world.press("ok")  # heard; the next one's stake and stand
    world.reveal(0)
    world.press("ok")
    world.reveal(2)
    (paid,) = told(world, Paid)
    assert isinstance(paid, Paid)
    assert paid.next_bank == 1
    assert paid.net == (-11, 10, 1)


def test_a_swap_keeps_one_covered() -> None:
    world = dealt("2d 3d 4d", then="Ac 2c")
    world.stake(1, 5)
    world.swap(1)
    assert [type(event) for event in world.told[-1:]] == [Swapped]
    world.draw(1)
    assert isinstance(world.told[-1], Drawn)
    assert not world.faults()


def test_none_covered_and_two_covered() -> None:
    world = dealt("2d 5d 4d")
    world.stake(1, 5)
    world.covers[1] = False
    world.lay(1, Card.parse("5d"), 1)
    world.rest(5)
    assert rules_shown(world) == ["none_covered"]
    world.covers[1] = True  # another one is given covered: it was a swap
    world.rest()
    assert isinstance(world.told[-1], Swapped)
    assert told(world, Cleared)


def test_a_second_covered_card_is_refused() -> None:
    world = dealt("2d 5d 4d", players=3)
    world.stake(1, 5)
    place, world.place = (
        world.place,
        lambda player, number: (  # type: ignore[method-assign]
            place(player - 100, 2) if player >= 100 else place(player, number)
        ),
    )
    world.covers[101] = True
    world.rest(5)
    assert rules_shown(world) == ["two_covered"]
    del world.covers[101]
    world.rest()
    assert isinstance(world.told[-1], Cleared)


@pytest.mark.parametrize("accepted", [True, False])
def test_a_card_for_the_next_player_before_anybody_said_sto(accepted: bool) -> None:
    world = dealt("2d 5d 4d", then="3c")
    world.stake(1, 5)
    world.lay(2, Card.parse("3c"))
    world.rest(2)
    (fault,) = world.faults()
    assert (fault.rule, fault.player, fault.card) == ("wrong_turn", 2, "3c")
    world.press("ok" if accepted else "no")
    if accepted:  # he stands; the next one's card counts as soon as his stake is said
        assert world.stage == "bet"
        world.press("ok")
        world.rest(0.6)
        assert isinstance(world.told[-1], Drawn)
        assert world.told[-1].player == 2
    else:
        del world.faces[Card.parse("3c")]
        world.rest(2)
        assert world.stage == "draw"
    assert len(world.faults()) == 1


def test_a_card_that_was_read_after_its_player_stood_counts_if_all_agree() -> None:
    world = dealt("2d 3d 4d", then="3c")
    world.stake(1, 5)
    world.stand(1)  # and only then his card is read
    world.stake(2, 5)
    world.lay(1, Card.parse("3c"))
    world.rest(2)
    assert rules_shown(world) == ["wrong_turn"]
    world.press("ok")
    state = world.table.referee.round
    assert state is not None
    assert [str(card) for card in state.bets(1)[0].up] == ["3c"]
    assert state.bets(1)[0].stood
    assert state.turn == 2
    assert folded(world.rules, 3, world.told) == world.table.referee.record
    world.rest(2)
    assert len(world.faults()) == 1


def test_seats_may_go_round_clockwise() -> None:
    world = SetteWorld(4, variant("sette_e_mezzo").replace(direction="cw"))
    for player, card in enumerate(parse_cards("Ad 2c 3s 4b")):
        world.lay(player, card, 0)
        world.rest(0.6)
    (seats,) = told(world, Seats)
    assert isinstance(seats, Seats)
    assert seats.cards == ("Ad", "4b", "3s", "2c")


def test_the_players_may_say_who_has_the_bank() -> None:
    world = SetteWorld(3)
    for player, card in enumerate(parse_cards("Fd Rc Rs")):
        world.lay(player, card, 0)
        world.rest(0.6)
    world.press("minus")
    world.clear()
    assert world.stage == "lot"
    world.press("ok")
    assert [(event.player, event.how) for event in told(world, Bank) if isinstance(event, Bank)] == [(0, "asked")]


def test_the_bank_draws_before_its_turn() -> None:
    world = dealt("2d 5d 4d")
    world.stake(1, 5)
    world.lay(0, Card.parse("3c"))
    world.rest(2)
    assert [(fault.rule, fault.player) for fault in world.faults()] == [("wrong_turn", 0)]
    del world.faces[Card.parse("3c")]
    world.rest()
    assert isinstance(world.told[-1], Cleared)


def test_a_card_after_a_bust_and_after_a_declared_hand() -> None:
    world = dealt("2d 7d 4d", then="7c Fc")
    world.stake(1, 5)
    world.draw(1)
    world.reveal(1)
    world.lay(1, Card.parse("Fc"))
    world.rest(2)
    assert rules_shown(world) == ["must_declare"]
    bust = dealt("2d Ad 4d", then="4c 4s Fc")
    bust.stake(1, 5)
    bust.draw(1)
    bust.draw(1)
    bust.lay(1, Card.parse("Fc"))
    bust.rest(2)
    assert rules_shown(bust) == ["already_bust"]
    assert not [event for event in told(bust, Drawn) if isinstance(event, Drawn) and event.card == "Fc"]


def test_a_card_that_goes_away_is_missed_and_may_be_accepted() -> None:
    world = dealt("2d 5d 4d", then="Ac")
    world.stake(1, 5)
    gone = world.draw(1)
    del world.faces[gone]
    world.rest(5)
    assert rules_shown(world) == ["unknown_change"]
    assert [(fault.rule, fault.put_back) for fault in world.faults()] == [("unknown_change", ("Ac",))]
    world.press("ok")
    world.rest(5)
    assert len(world.faults()) == 1


def test_a_card_of_an_earlier_round_means_that_somebody_shuffled() -> None:
    world = dealt("2d 5d 4d", then="Ac")
    for _ in range(4):
        world.press("ok")
    for player in (0, 1, 2):
        world.reveal(player)
        world.press("ok")
    world.clear()
    world.session = events_session(world)
    first = parse_cards("6b 6c 6d")
    world.deal([*(card for card in DECK if card not in first), Card.parse("5d"), *first])
    world.press("ok")
    world.lay(world.state.order[0], Card.parse("5d"))
    world.rest(5)
    assert rules_shown(world) == ["card_already_out"]
    assert [(fault.rule, fault.card) for fault in world.faults()] == [("card_already_out", "5d")]
    world.press("ok")
    world.rest()
    assert isinstance(world.told[-1], Drawn)
    assert world.told[-1].card == "5d"
    again = folded(world.rules, 3, world.told)
    assert again.session == world.table.referee.record.session


def test_a_double_bet_is_two_places() -> None:
    """Cento carta e duecento sto: both are paid by their own hand."""
    world = dealt("6d 5d 7c", then="Ac 2b", players=3)
    world.press("ok")
    world.press("ok")
    world.press("plus", times=9)
    world.press("ok", "hold")
    world.press("plus", "repeat", times=2)
    world.press("ok")
    bet, stood = world.told[-2:]
    assert isinstance(bet, Bet)
    assert bet.amounts == (10, 20)
    assert "bet_double" in world.shown
    assert isinstance(stood, Stood)
    assert stood.bet == 1
    world.press("ok")
    assert world.stage == "draw"  # the other one must ask a card
    world.lay(2, Card.parse("2b"))
    world.rest()
    world.press("ok", "press")
    assert world.stage == "declared" or world.stage == "bank"


def test_a_second_stake_may_be_said_after_the_first() -> None:
    world = dealt("6d 5d 7c")
    world.stake(1, 4)
    world.press("ok", "hold")
    world.press("minus")
    world.press("ok")
    bets = told(world, Bet)
    assert [bet.amounts for bet in bets if isinstance(bet, Bet)] == [(4,), (4, 3)]
    assert told(world, Undone)
    assert world.table.referee.round is not None
    assert [place.stake for place in world.table.referee.round.bets(1)] == [4, 3]


def test_steps_are_annulled_and_put_right() -> None:
    world = dealt("2d 3d 4d", then="Ac")
    world.stake(1, 5)
    world.draw(1)
    world.press("minus")  # look back: the draw
    world.press("minus")  # the stake
    world.press("ok", "hold")
    world.press("plus", times=3)
    world.press("ok")
    referee = world.table.referee
    assert referee.round is not None
    assert referee.round.bets(1)[0].stake == 8
    world.press("minus")
    world.press("ok", "hold")  # the draw, read wrongly
    world.press("plus")
    world.press("ok")
    assert [str(card) for card in referee.round.bets(1)[0].up] == ["2c"]
    world.press("minus")
    world.press("ok")  # and annulled altogether: it lies there, and counts for nothing
    world.rest()
    assert referee.round.bets(1)[0].up == ()
    assert world.stage == "draw"


def test_a_card_that_was_put_right_stays_so_after_a_power_cut() -> None:
    world = dealt("2d 3d 4d", then="Ac")
    world.stake(1, 5)
    world.draw(1)
    world.press("minus")
    world.press("ok", "hold")
    world.press("plus")
    world.press("ok")
    world.restart()
    world.rest()
    assert world.table.referee.round is not None
    assert [str(card) for card in world.table.referee.round.bets(1)[0].up] == ["2c"]


def test_a_payment_is_put_right() -> None:
    world = dealt("2d 3d 4d")
    for _ in range(4):
        world.press("ok")
    for player in (0, 1, 2):
        world.reveal(player)
        world.press("ok")
    assert world.stage == "deal"
    world.press("minus")
    world.press("ok", "hold")  # the 4 was a 2
    world.press("minus", times=3)
    world.press("ok", "hold")
    world.press("plus")
    world.press("ok")
    first, second = told(world, Paid)
    assert isinstance(first, Paid)
    assert isinstance(second, Paid)
    assert first.net == (-2, 1, 1)
    assert second.net == (0, 1, -1)
    assert sum(second.chips) == 300


def test_a_card_that_cannot_be_read_is_asked_once() -> None:
    options = tuple((Card.parse(name), share) for name, share in (("6s", 0.6), ("7s", 0.39)))
    world = dealt("2d 3d 4d", then="7s")
    world.misread[Card.parse("7s")] = options
    world.stake(1, 5)
    world.lay(1, Card.parse("7s"))
    world.rest(3)
    assert world.stage == "question"
    world.press("plus")
    world.rest()
    drawn = world.told[-1]
    assert isinstance(drawn, Drawn)
    assert (drawn.card, drawn.how) == ("7s", "asked")


def test_nobody_stands_while_his_card_is_not_read() -> None:
    world = dealt("2d 3d 4d", then="7s")
    world.misread[Card.parse("7s")] = tuple((Card.parse(name), share) for name, share in (("7s", 0.9), ("6s", 0.09)))
    world.stake(1, 5)
    world.lay(1, Card.parse("7s"))
    world.rest(0.6)
    world.press("ok")
    assert world.stage == "question"
    assert not told(world, Stood)
    world.rest(0.4)
    assert world.stage == "question"
    world.press("minus")
    world.rest()
    assert [event.card for event in told(world, Drawn) if isinstance(event, Drawn)] == ["7s"]


def test_a_card_that_was_not_seen_at_all_is_told() -> None:
    world = dealt("2d 3d 4d", then="Ac")
    world.stake(1, 5)
    world.press("no", "hold")
    picking = world.table.ui.page
    assert isinstance(picking, Picking)
    world.press("ok")
    drawn = world.told[-1]
    assert isinstance(drawn, Drawn)
    assert (drawn.player, drawn.card, drawn.how) == (1, str(picking.card), "asked")
    world.lay(1, picking.card)  # and when it is read after all, it is the same
    world.rest()
    assert world.told[-1] == drawn


def test_a_reading_that_cannot_be_leaves_the_other_card() -> None:
    world = dealt("2d 3d 4d", then="6s")
    world.stake(1, 5)
    world.draw(1)
    world.press("ok")
    world.stake(2, 5)
    world.misread[Card.parse("7s")] = ((Card.parse("6s"), 0.6), (Card.parse("7s"), 0.39999))
    world.lay(2, Card.parse("7s"))
    world.rest()
    drawn = world.told[-1]
    assert isinstance(drawn, Drawn)
    assert (drawn.card, drawn.how) == ("7s", "deduced")


def test_a_covered_card_may_be_told() -> None:
    world = dealt("2d 7d 4d", then="Ac")
    world.stake(1, 5)
    world.draw(1)
    world.press("no")
    picking = world.table.ui.page
    assert isinstance(picking, Picking)
    before = len(world.told)
    world.press("ok")  # with an ace neither bust nor a hand to be declared, so it stays covered
    assert len(world.told) == before
    world.press("plus", times=7 - picking.card.value)
    world.press("ok")
    turned = world.told[before]
    assert isinstance(turned, Revealed)
    assert (turned.player, turned.kind, turned.how) == (1, "bust", "asked")


def test_the_box_follows_after_a_power_cut_at_any_moment() -> None:
    world = SetteWorld(4, variant("sette_e_mezzo_jolly"), seed=11)
    world.sit()
    for _ in range(3):
        world.play_round()
    referee = world.table.referee
    whole = SetteReferee(world.rules, referee.players, told=world.told)
    assert whole.record == referee.record
    for count in range(1, len(world.told)):
        record = SetteReferee(world.rules, referee.players, told=world.told[:count]).record
        staked = sum(place.stake for place in record.session.round.places) if record.session.round else 0
        assert sum(record.session.chips) == 400
        assert staked >= 0


@pytest.mark.parametrize("seed", range(8))
def test_power_cuts_in_the_middle_of_rounds_change_nothing(seed: int) -> None:
    class Cut(SetteWorld):
        def rest(self, seconds: float = 1.0) -> None:
            super().rest(seconds)
            if self.told and self.table.referee.record.seats and self.chance.random() < 0.3:
                self.restart()

    world = Cut(3, seed=seed)
    world.sit()
    for _ in range(2):
        world.play_round()
    assert world.faults() == []


def test_the_game_ends_when_nobody_can_pay_any_more() -> None:
    rules = variant("sette_e_mezzo").replace(chips=3, max_stake=3, double_bet=False)
    world = SetteWorld(2, rules, seed=4)
    world.sit()
    for _ in range(60):
        world.play_round()
        if world.table.referee.won:
            break
    match = world.told[-1]
    assert isinstance(match, events.Match)
    assert sorted(match.totals.values()) == [0, 6]
    assert match.totals[match.winner] == 6
    assert world.stage == "over"
