"""Values that are none are refused with what was expected; never a bare KeyError or IndexError."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.captures import captures
from engine.cards import DECK, Card, parse_cards
from engine.cirulla import knock_worth
from engine.deal import opening, order_of_play
from engine.errors import EngineError, IllegalPlay, InvalidPlay, RuleError
from engine.explain import Change, explain
from engine.explain_table import explain_knock
from engine.game import apply, knock_verdict, new_hand, overrule, verdict
from engine.match import Claim, Deal, Match, Standing, Undo, add_hand, advance, claim, fold
from engine.play import Knock, Play
from engine.rules import RuleSet, expected, parse_option, variant
from engine.scoring import Points
from engine.sette_hand import hand_worth
from engine.sette_moves import Stake
from engine.sette_round import apply as apply_sette
from engine.sette_round import new_round, score
from engine.sette_session import BankByLot, RoundDeal, Session
from engine.sette_session import advance as advance_session
from engine.turns import with_hands

SCOPA = variant("scopa_2")
SETTE = variant("sette_e_mezzo")
DECLARED = variant("scopa_dichiarata")
CIRULLA = variant("cirulla_2")
TABLE = parse_cards("5d 4c Rs Cb")
STATE = new_hand(SCOPA, 1, TABLE)
SEVEN = Card.parse("7d")

INVALID: dict[str, Callable[[], object]] = {
    "no card": lambda: Card.parse("8d"),
    "no card in a list": lambda: parse_cards("7d 11c"),
    "a card twice": lambda: parse_cards("7d 7d"),
    "a suit that is none": lambda: Card(4, 1),
    "a played card that lies there": lambda: captures(SCOPA, TABLE, TABLE[0]),
    "41 cards": lambda: new_hand(SCOPA, 1, TABLE, stock=(*DECK[:36], SEVEN)),
    "a stock with a card of the table": lambda: new_hand(SCOPA, 1, TABLE, stock=DECK[4:]),
    "a table of three": lambda: new_hand(SCOPA, 1, TABLE[:3]),
    "a dealer who is not there": lambda: new_hand(SCOPA, 2, TABLE),
    "a hand of another family": lambda: new_hand(SETTE, 0),
    "a player who is not there": lambda: verdict(STATE, Play(2, SEVEN)),
    "a knock of nobody": lambda: knock_verdict(STATE, Knock(-1)),
    "an event of another game": lambda: apply(STATE, Stake(0, (1,))),  # type: ignore[arg-type]
    "hands of two cards": lambda: with_hands(STATE, [parse_cards("7d 2d"), None]),
    "hands of three players": lambda: with_hands(STATE, [None] * 3),
    "a hand with a card of the table": lambda: with_hands(STATE, [parse_cards("7d 2d 5d"), None]),
    "a first table with a card twice": lambda: opening(SCOPA, (*TABLE[:3], TABLE[0])),
    "a dealer at no seat": lambda: order_of_play(SCOPA, ["A", "B"], "C"),
    "a knock of two cards": lambda: knock_worth(variant("cirulla_2"), TABLE[:2]),
    "points of three sides": lambda: add_hand(Standing.new(SCOPA), [Points()] * 3),
    "a claim where none is made": lambda: claim(Standing.new(SCOPA), 0, 11),
    "a claim of nobody": lambda: claim(Standing.new(DECLARED), 2, 11),
    "a claim of nobody in a match": lambda: advance(Match.new(DECLARED), Claim(5)),
    "a claim of an excluded side": lambda: claim(claim(Standing.new(DECLARED.replace(players=3)), 0, 0), 0, 11),
    "a hand after the end": lambda: add_hand(claim(Standing.new(DECLARED), 0, 11), [Points()] * 2),
    "a play before a deal": lambda: advance(Match.new(SCOPA), Play(0, SEVEN)),
    "a deal during a hand": lambda: fold(Match.new(SCOPA), [Deal(TABLE), Deal(TABLE)]),
    "an undo that is not folded": lambda: advance(Match.new(SCOPA), Undo()),
    "an undo of nothing": lambda: fold(Match.new(SCOPA), [Undo()]),
    "a match event of another game": lambda: advance(Match.new(SCOPA), Stake(0, (1,))),  # type: ignore[arg-type]
    "a table with a card twice": lambda: captures(SCOPA, (*TABLE, TABLE[0]), SEVEN),
    "a matta of eleven": lambda: captures(CIRULLA, TABLE, SEVEN, 11),
    "a matta of less than nothing": lambda: captures(CIRULLA, TABLE, SEVEN, -3),
    "captures of another family": lambda: captures(SETTE, TABLE, SEVEN),
    "a verdict on a move of another game": lambda: verdict(STATE, Stake(0, (1,))),  # type: ignore[arg-type]
    "a knock that is overruled": lambda: overrule(STATE, Knock(0)),  # type: ignore[arg-type]
    "a knock with a matta of minus five": lambda: Knock(0, frozenset(TABLE[:3]), None, -5),
    "a knock of a kind that is none": lambda: Knock(0, kind="four"),  # type: ignore[arg-type]
    "a worth with a matta of eleven": lambda: knock_worth(CIRULLA, TABLE[:3], None, 11),
    "an arm of nobody": lambda: explain(STATE, Change(STATE.table, player=2)),
    "a shown hand of nobody": lambda: explain_knock(STATE, 2, Change(frozenset(), unread=(frozenset(),) * 3)),
    "a match won by nobody": lambda: add_hand(Standing.new(CIRULLA), [Points()] * 2, wins=2),
    "five seats for two": lambda: order_of_play(SCOPA, list("ABCDE"), "C"),
    "one seat": lambda: order_of_play(SETTE, ["A"], "A"),
    "no cards": lambda: hand_worth(SETTE, ()),
    "a card twice in a hand": lambda: hand_worth(SETTE, (SEVEN, SEVEN)),
    "a round of scopa": lambda: new_round(SCOPA, 0, (1, 1)),
    "a bank at no seat": lambda: new_round(SETTE, 2, (1, 1)),
    "a round of one": lambda: new_round(SETTE, 0, (1, 0)),
    "covered cards of three": lambda: new_round(SETTE, 0, (1, 1), (None,) * 3),
    "one covered card for two": lambda: new_round(SETTE, 0, (1, 1), (SEVEN, SEVEN)),
    "a move of another game": lambda: apply_sette(new_round(SETTE, 1, (1, 1)), Play(0, SEVEN)),  # type: ignore[arg-type]
    "a move of nobody": lambda: apply_sette(new_round(SETTE, 1, (1, 1)), Stake(2, (1,))),
    "a score before the end": lambda: score(new_round(SETTE, 1, (1, 1))),
    "a session of one": lambda: Session.new(SETTE, 1),
    "a session of scopa": lambda: Session.new(SCOPA, 2),
    "a round before the lot": lambda: advance_session(Session.new(SETTE, 2), RoundDeal()),
    "a move before the deal": lambda: advance_session(Session.new(SETTE, 2), Stake(0, (1,))),
    "a lot for nobody": lambda: advance_session(Session.new(SETTE, 2), BankByLot(2)),
    "an undo in a session": lambda: advance_session(Session.new(SETTE, 2), Undo()),
}

RULE: dict[str, Callable[[], object]] = {
    "a variant": lambda: variant("scopa_5"),
    "an option": lambda: SCOPA.replace(traget=16),
    "an option of another game": lambda: SCOPA.replace(jolly="Rd"),
    "the variant as an option": lambda: SCOPA.replace(variant="scopa_3"),
    "a number": lambda: SCOPA.replace(target=0),
    "a truth for a number": lambda: SCOPA.replace(target=True),
    "a number for a truth": lambda: SCOPA.replace(napola=1),
    "a word": lambda: SCOPA.replace(primiera="best5"),
    "none where none is no value": lambda: SCOPA.replace(primiera=None),
    "a card": lambda: variant("cirulla_2").replace(matta="8c"),
    "four players without pairs": lambda: SCOPA.replace(players=4),
    "a deal that leaves cards": lambda: SCOPA.replace(hand_cards=5),
    "stakes upside down": lambda: SETTE.replace(min_stake=5, max_stake=4),
    "a text for an option": lambda: parse_option("napola", "maybe"),
    "a text for no option": lambda: parse_option("naps", "true"),
    "a number with an underscore": lambda: parse_option("target", "1_1"),
    "the values of no option": lambda: expected("naps"),
}


@pytest.mark.parametrize("call", INVALID.values(), ids=INVALID)
def test_values_that_are_none(call: Callable[[], object]) -> None:
    with pytest.raises(InvalidPlay, match="expected"):
        call()


@pytest.mark.parametrize("call", RULE.values(), ids=RULE)
def test_rules_that_are_none(call: Callable[[], object]) -> None:
    with pytest.raises(RuleError, match="expected"):
        call()


def test_a_misdeal_is_an_illegal_play_with_its_code() -> None:
    with pytest.raises(IllegalPlay) as refused:
        new_hand(SCOPA, 1, parse_cards("Rd Rc Rs 4b"))
    assert refused.value.code == "misdeal"


def test_every_error_is_also_a_value_error() -> None:
    assert issubclass(EngineError, ValueError)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("target", "16", 16),
        ("napola", "on", True),
        ("napola", "false", False),
        ("capotto", "off", "off"),
        ("last_scopa", "yes", "yes"),
        ("primiera_faces", "10", "10"),
        ("redeal_kings", "none", None),
        ("jolly", "Rd", "Rd"),
        ("triple_vs_bank_emblee", "-1", -1),
        ("players", "3", 3),
    ],
)
def test_options_as_texts(option: str, text: str, value: object) -> None:
    assert parse_option(option, text) == value


def test_what_an_option_takes_is_told_in_words() -> None:
    assert expected("napola") == "true or false"
    assert expected("target") == "a whole number from 1 to 999"
    assert expected("redeal_kings") == "a whole number from 1 to 4 or none"
    assert expected("matta") == "a card or none"
    assert expected("end") == "one of hand_end, declared"


def test_the_defaults_are_scopa_for_two() -> None:
    assert RuleSet() == SCOPA
