"""The page of a game of Sette e mezzo at this moment: the facts of the table for `screens_sette`."""

from __future__ import annotations

from engine.cards import Card
from engine.sette_hand import Worth, hand_worth, least
from engine.sette_round import Round
from firmware import events, screens_play, screens_sette
from firmware.events import Step
from firmware.screens_page import Screen
from firmware.sette_judge import remedy
from firmware.sette_table import SetteTable
from firmware.sette_ui import Chips, Past, Picking, Staking, declared, limits, stage
from firmware.text import Words


def screen(table: SetteTable, say: Words) -> Screen:
    """What people see now."""
    match table.ui.page:
        case Picking() as page:
            return screens_play.pick_card(say, card=page.card, suit_moves=page.by_suit)
        case Past() as page:
            return _past(table, page, say)
        case Chips():
            return screens_sette.chips(say, rows=_chips(table))
        case Staking():
            return _bet(table, say)
    now = stage(table.ui, table.referee)
    if now in {"bet", "draw", "declared", "bank", "show"}:
        return _in_round(table, now, say)
    if now == "fault":
        return _fault(table, say)
    if now == "question" and table.referee.asked is not None:
        asked = table.referee.asked
        if asked.turned:
            return screens_sette.turned(say, player=_name(table, asked.player), card=asked.options[0])
        return screens_sette.asked(say, player=_name(table, asked.player), options=asked.options)
    return _between(table, now, say)


def _between(table: SetteTable, now: str, say: Words) -> Screen:
    referee = table.referee
    record = referee.record
    if now == "seats":
        return screens_sette.seats(say, seen=referee.lying, count=len(referee.players), player=_name(table, 0))
    if now == "lot":
        card = Card.parse(record.seats.cards[table.lot]) if record.seats and table.ui.lot is None else None
        return screens_sette.lot(say, player=_name(table, table.lot), card=card)
    if now == "pay":
        return _pay(table, say)
    if now == "over":
        winner = referee.won.winner if referee.won else ""
        return screens_sette.ended(say, winner=_name(table, int(winner)) if winner else None, rows=_chips(table))
    stock = 40 - record.session.used.bit_count() - record.session.unseen
    dealt = referee.deal()
    if now == "shuffle" or dealt is None:
        return screens_sette.shuffle(say, count=stock)
    seen = sum(bool(referee.sights[player].backs) for player in dealt.order)
    bank = _name(table, dealt.bank)
    return screens_sette.give(say, number=dealt.number, bank=bank, seen=seen, count=len(dealt.order), stock=stock)


def _in_round(table: SetteTable, now: str, say: Words) -> Screen:
    state = table.referee.round
    assert state is not None, "a turn belongs to a round"
    if now == "bet":
        return _bet(table, say)
    if now == "declared":
        return _declared(table, state, say)
    if now == "bank":
        return _bank(table, state, say)
    if now == "draw":
        return _draw(table, state, say)
    worth = state.worth(state.places[-1])
    hidden = [player for player in state.order if any(state.worth(place) is None for place in state.bets(player))]
    return screens_sette.show(say, bank=hand(say, worth), players=[_name(table, player)[:6] for player in hidden])


def _bet(table: SetteTable, say: Words) -> Screen:
    staking, referee, state = table.staking, table.referee, table.referee.round
    player = staking.step.player if staking.step else table.player
    turn = None
    if state is not None and staking.step is None:
        turn = (state.order.index(player) + 1, len(state.order) - 1)
    return screens_sette.bet(
        say,
        player=_name(table, player),
        amounts=staking.amounts,
        place=staking.place,
        turn=turn,
        limits=limits(referee, player),
        chips=referee.record.session.chips[player],
        double=staking.step is None and not table.pauses,
    )


def _draw(table: SetteTable, state: Round, say: Words) -> Screen:
    player = table.player
    bets = state.bets(player)
    up = bets[0].up
    return screens_sette.draw(
        say,
        player=_name(table, player),
        stakes=[place.stake for place in bets],
        up=up,
        least=least(state.rules, up),
        covered=bool(table.referee.sights[player].backs),
        double=not table.pauses,
        must_ask=len(bets) == 2 and not up,
    )


def _declared(table: SetteTable, state: Round, say: Words) -> Screen:
    player = declared(table.ui, table.referee)
    assert player is not None, "the stage says that somebody declared something"
    finished = [place for place in state.bets(player) if (worth := state.worth(place)) and worth.finished]
    place, covered = finished[0], state.covered[player]
    worth = state.worth(place)
    assert worth is not None, "what is declared is known"
    cards = place.up if covered is None else (covered, *place.up)
    name = _name(table, player)
    stakes = sum(one.stake for one in finished)
    return screens_sette.declared(
        say, player=name, kind=worth.kind, cards=cards, total=worth.total, covered=covered is None, stakes=stakes
    )


def _bank(table: SetteTable, state: Round, say: Words) -> Screen:
    place, covered = state.places[-1], state.covered[state.bank]
    name = _name(table, state.bank)
    if covered is None:
        return screens_sette.bank(say, player=name, cards=place.up, total=None, jolly=None)
    cards = (covered, *place.up)
    worth = hand_worth(state.rules, cards)
    plain = [card for card in cards if str(card) != state.rules.jolly]
    jolly = worth.total - least(state.rules, plain) if len(plain) < len(cards) else None
    return screens_sette.bank(say, player=name, cards=cards, total=worth.total, jolly=jolly)


def _pay(table: SetteTable, say: Words) -> Screen:
    record = table.referee.record
    settled, over = record.settlement, record.over
    assert settled is not None, "the stage says that a round is paid"
    assert over is not None, "a settlement is of a round"
    rows = [(_name(table, one.player), hand(say, one.worth), one.stake * one.pays) for one in settled.results]
    rows.append((say("sette.bank"), "", settled.net[over.bank]))
    bank = record.session.bank
    assert bank is not None, "a round has a bank"
    name = _name(table, bank)
    return screens_sette.pay(say, bank=hand(say, settled.bank), rows=rows, next_bank=name, stays=bank == over.bank)


def hand(say: Words, worth: Worth | None) -> str:
    """A hand in a word or its points."""
    if worth is None:
        return "?"
    return say(f"sette.{worth.kind}") if worth.finished else screens_sette.points(say, worth.total)


def _past(table: SetteTable, page: Past, say: Words) -> Screen:
    steps = table.referee.record.of_round()
    if not steps:
        return screens_sette.past(say, number=0, last=True, what="", fixes=False)
    place = min(page.place, len(steps) - 1)
    step = steps[-1 - place]
    fixes = isinstance(step, events.Bet | events.Drawn | events.Swapped | events.Revealed)
    return screens_sette.past(say, number=step.n, last=place == 0, what=told(table, step, say), fixes=fixes)


def told(table: SetteTable, step: Step, say: Words) -> str:
    """A step in words."""
    if isinstance(step, events.Round | events.Shuffled):
        return say("past.shuffle")
    player = _name(table, step.player)
    match step:
        case events.Bet():
            return say("past.bet", player=player, amounts="+".join(map(str, step.amounts)))
        case events.Stood():
            return say("past.stand", player=player)
        case events.Drawn():
            return say("past.draw", player=player, card=Card.parse(step.card))
        case events.Swapped():
            return say("past.swap", player=player, card=Card.parse(step.card))
    return say("past.reveal", player=player, card=Card.parse(step.card))


def _fault(table: SetteTable, say: Words) -> Screen:
    fault, state = table.referee.fault, table.referee.round
    assert fault is not None, "the stage says that something is wrong"
    assert state is not None, "faults belong to a round"
    cards = [Card.parse(name) for name in ((fault.card,) if fault.card else fault.put_back)]
    turn = _name(table, table.player)
    ok = say("sette.agree")
    if fault.rule == "wrong_turn" and remedy(state, fault.player) is not None:
        ok = say("wrong.wrong_turn.ok", turn=turn)
    elif fault.rule == "stock_empty":
        ok = say("shuffle.ok")
    elif fault.rule == "card_already_out" and not set(cards) & state.shown:
        ok = say("wrong.card_already_out.ok")
    shown = say.cards(cards, most=3)
    return screens_sette.wrong(say, rule=fault.rule, player=_name(table, fault.player), card=shown, turn=turn, ok=ok)


def _name(table: SetteTable, player: int) -> str:
    return table.referee.players[player]


def _chips(table: SetteTable) -> list[tuple[str, int]]:
    """Everybody's chips, as they stand before the running round."""
    return list(zip(table.referee.players, table.referee.record.session.chips, strict=True))
