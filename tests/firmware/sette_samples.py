"""One usual and one hardest example of every screen of Sette e mezzo: longest names, most cards, most seats."""

from __future__ import annotations

from engine.cards import Card, parse_cards
from firmware import screens_sette
from firmware.screens import Screen
from firmware.text import Words

LONG, OTHER = "MARGHERITA", "BARTOLOMEO"


def _bet(say: Words, player: str, amounts: tuple[int, ...], place: int = 0, chips: int = 85) -> Screen:
    return screens_sette.bet(
        say, player=player, amounts=amounts, place=place, turn=(2, 4), limits=(1, 20), chips=chips, double=True
    )


def _draw(say: Words, player: str, up: str, least: float, stakes: tuple[int, ...] = (5,), must: bool = False) -> Screen:
    return screens_sette.draw(
        say,
        player=player,
        stakes=stakes,
        up=parse_cards(up),
        least=least,
        covered=True,
        double=not up and len(stakes) == 1,
        must_ask=must,
    )


def _declared(say: Words, player: str, kind: str, cards: str, total: float, covered: bool = False) -> Screen:
    return screens_sette.declared(
        say, player=player, kind=kind, cards=parse_cards(cards), total=total, covered=covered, stakes=5
    )


def _pay(say: Words, rows: list[tuple[str, str, int]], stays: bool = False) -> Screen:
    return screens_sette.pay(say, bank="6½", rows=rows, next_bank=rows[2][0], stays=stays)


def _wrong(say: Words, rule: str, card: str = "3C") -> Screen:
    return screens_sette.wrong(say, rule=rule, player="GIOC2", card=card, turn="GIOC1", ok=say("sette.agree"))


def _four(say: Words) -> list[tuple[str, str, int]]:
    bust, emblee = say("sette.bust"), say("sette.emblee")
    return [("G1", "7", 5), ("G2", bust, -5), ("G3", emblee, 10), ("G4", "6½", -4), (say("sette.bank"), "", -6)]


SETTE_USUAL = {
    "seats": lambda say: screens_sette.seats(say, seen=1, count=4, player="GIOC1"),
    "lot": lambda say: screens_sette.lot(say, player="GIOC3", card=Card.parse("Rd")),
    "give": lambda say: screens_sette.give(say, number=3, bank="GIOC3", seen=2, count=4, stock=28),
    "shuffle": lambda say: screens_sette.shuffle(say, count=3),
    "bet": lambda say: _bet(say, "GIOC2", (5,)),
    "bet_double": lambda say: _bet(say, "GIOC2", (100, 200), 1),
    "draw": lambda say: _draw(say, "GIOC2", "4d Fb", 4.5),
    "bust": lambda say: _declared(say, "GIOC2", "bust", "7d 6s", 13),
    "emblee": lambda say: _declared(say, "GIOC2", "emblee", "7d Fs", 7.5),
    "triple": lambda say: _declared(say, "GIOC2", "triple", "7d 7s", 7.5),
    "bank": lambda say: screens_sette.bank(say, player="GIOC3", cards=parse_cards("2d Fb 4c"), total=6.5, jolly=None),
    "bank_hidden": lambda say: screens_sette.bank(say, player="GIOC3", cards=(), total=None, jolly=None),
    "show": lambda say: screens_sette.show(say, bank="6½", players=("GIOC1", "GIOC4")),
    "pay": lambda say: _pay(say, _four(say)),
    "chips": lambda say: screens_sette.chips(say, rows=[("G1", 105), ("G2", 95), ("G3", 110), ("G4", 90)]),
    "past": lambda say: screens_sette.past(
        say, number=7, last=True, what=say("past.draw", player="GIOC2", card=Card.parse("4d")), fixes=True
    ),
    "wrong_turn": lambda say: _wrong(say, "wrong_turn"),
    "none_covered": lambda say: _wrong(say, "none_covered", ""),
    "two_covered": lambda say: _wrong(say, "two_covered", ""),
    "already_bust": lambda say: _wrong(say, "already_bust"),
    "must_declare": lambda say: _wrong(say, "must_declare"),
    "unknown_change": lambda say: _wrong(say, "unknown_change"),
    "card_already_out": lambda say: _wrong(say, "card_already_out"),
    "asked": lambda say: screens_sette.asked(say, player="GIOC2", options=parse_cards("6s 7s")),
    "turned": lambda say: screens_sette.turned(say, player="GIOC2", card=Card.parse("7d")),
    "ended": lambda say: screens_sette.ended(say, winner="GIOC1", rows=[("G1", 205), ("G2", 95), ("G3", 100)]),
}

MANY = [(LONG, "6½", -20), (OTHER, "7½", 120), *((f"GIOC{n}", "7", 5) for n in range(3, 7)), ("BANCO", "", -120)]

SETTE_HARDEST = {
    "usual_draw_first": lambda say: _draw(say, "GIOC2", "", 0),
    "usual_draw_double": lambda say: _draw(say, "GIOC2", "", 0, (5, 10), must=True),
    "usual_bust_open": lambda say: _declared(say, "GIOC2", "bust", "7d 6s", 13, covered=True),
    "seats": lambda say: screens_sette.seats(say, seen=6, count=7, player=LONG),
    "lot": lambda say: screens_sette.lot(say, player=LONG, card=None),
    "give": lambda say: screens_sette.give(say, number=108, bank=LONG, seen=6, count=7, stock=12),
    "bet": lambda say: _bet(say, LONG[:6], (100,), chips=1000),
    "bet_double": lambda say: _bet(say, LONG, (100, 200), 1, chips=1000),
    "draw": lambda say: _draw(say, LONG, "Ad 2d Fd Fc Rs Cb", 5),
    "draw_double": lambda say: _draw(say, LONG, "", 0, (100, 200), must=True),
    "bust": lambda say: _declared(say, LONG, "bust", "Ad 2d 3d Fc 4d", 10.5),
    "emblee": lambda say: _declared(say, LONG, "emblee", "7d Fs", 7.5),
    "bank": lambda say: screens_sette.bank(
        say, player=LONG, cards=parse_cards("Ad Fb Fc Fd As Rs Rd"), total=6.5, jolly=3
    ),
    "show": lambda say: screens_sette.show(say, bank=say("sette.bust"), players=("MARGHE", "BARTOL", "GIOC3", "GIOC4")),
    "pay": lambda say: _pay(say, MANY),
    "pay_stays": lambda say: _pay(say, MANY[:4], stays=True),
    "chips": lambda say: screens_sette.chips(say, rows=[(name, 1000) for name, _, _ in MANY]),
    "past": lambda say: screens_sette.past(
        say, number=108, last=False, what=say("past.swap", player=LONG, card=Card.parse("4d")), fixes=True
    ),
    "wrong_turn": lambda say: screens_sette.wrong(
        say, rule="wrong_turn", player=LONG, card="3C", turn=OTHER, ok=say("wrong.wrong_turn.ok", turn=OTHER)
    ),
    "wrong_other": lambda say: screens_sette.wrong(
        say, rule="one_bet_must_stand", player=LONG, card="3C", turn=OTHER, ok=say("sette.agree")
    ),
    "two_covered": lambda say: screens_sette.wrong(
        say, rule="two_covered", player=LONG, card="", turn=LONG, ok=say("sette.agree")
    ),
    "none_covered": lambda say: screens_sette.wrong(
        say, rule="none_covered", player=LONG, card="", turn=LONG, ok=say("sette.agree")
    ),
    "card_out": lambda say: screens_sette.wrong(
        say, rule="card_already_out", player=LONG, card="3C", turn=LONG, ok=say("wrong.card_already_out.ok")
    ),
    "ended": lambda say: screens_sette.ended(say, winner=None, rows=[(name, 1000) for name, _, _ in MANY]),
}
