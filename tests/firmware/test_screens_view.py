"""From the facts of a moment to its page: a hand played by the engine, shown at every step, in every variant."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine import game
from engine.cards import DECK, parse_cards
from engine.play import Play
from engine.rules import RuleSet, variant
from engine.state import State
from firmware import screens_view
from firmware.draw import draw
from firmware.events import Fault, Hand, Match, Played
from firmware.screens import screen_for
from firmware.text import LANGUAGES, Words
from firmware.view import View

NAMES = ("ANNA", "BARTOLOMEO", "CARLA", "DINO")
FAMILY_OF_SCOPA = [
    "scopa_2", "scopa_3", "scopa_4", "scopa_napola", "scopa_settanta", "scopone_scientifico", "scopa_assi", "cirulla_3"
]  # fmt: skip


def facts(rules: RuleSet, state: State | None = None, **more: object) -> View:
    sides = len(set(rules.sides))
    table = tuple(sorted(state.table)) if state else ()
    view = View(
        phase="play" if state else "deal",
        players=NAMES[: rules.players],
        sides=rules.sides,
        dealer=rules.players - 1,
        hand=3,
        play=state.plays if state else 0,
        plays=rules.plays,
        turn=state.turn if state else None,
        lies=table,
        expected=table,
        missing=(),
        surplus=(),
        state=state,
        last=None,
        fault=None,
        question=None,
        debts=0,
        sure=(0,) * sides,
        totals=(9,) * sides,
        ended=None,
        won=None,
    )
    return replace(view, **more)  # type: ignore[arg-type]


def hand_of(rules: RuleSet, chance: random.Random) -> list[tuple[State, Play | None]]:
    """A whole hand of random legal plays: each state with the play that led to it."""
    deck = list(DECK)
    while True:
        chance.shuffle(deck)
        if sum(card.value in {1, 10} for card in deck[:4]) < 2:
            break
    state = game.new_hand(rules, rules.players - 1, frozenset(deck[: rules.table_cards]))
    steps: list[tuple[State, Play | None]] = [(state, None)]
    while not game.is_over(state):
        play = chance.choice(game.legal_plays(state))
        state = game.apply(state, play)
        steps.append((state, play))
    return steps


def told(n: int, before: State, play: Play, after: State) -> Played:
    names = tuple(map(str, sorted(play.takes)))
    return Played(n, play.player, str(play.card), names, after.scope != before.scope, n * 5, 1.0, "seen")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FAMILY_OF_SCOPA)
def test_every_moment_of_a_hand_has_a_whole_page(name: str, language: str) -> None:
    rules, say = variant(name), Words(language)  # type: ignore[arg-type]
    steps = hand_of(rules, random.Random(name))
    seen = set()
    for number, (state, play) in enumerate(steps):
        view = facts(rules, state)
        screens = [screen_for(view, rules, say)]
        if play is not None:
            view = replace(view, last=told(number, steps[number - 1][0], play, state))
            screens.append(screen_for(view, rules, say, told=True))
        for screen in screens:
            seen.add(screen.name)
            assert not [row for row in screen.rows if "…" in row], screen.rows
            draw(screen)
    assert {"play", "took"} <= seen


def ended(rules: RuleSet, chance: random.Random) -> Hand:
    state = hand_of(rules, chance)[-1][0]
    points = game.score(state)
    return Hand(
        piles={str(side): tuple(map(str, sorted(pile))) for side, pile in enumerate(state.piles)},
        points={str(side): dict(each.items()) for side, each in enumerate(points)},
        total={str(side): each.total for side, each in enumerate(points)},
        settled=True,
        frame=1,
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FAMILY_OF_SCOPA)
def test_the_score_names_every_point_of_the_hand(name: str, language: str) -> None:
    rules, say = variant(name), Words(language)  # type: ignore[arg-type]
    for seed in range(20):
        hand = ended(rules, random.Random(seed))
        view = facts(rules, phase="score", ended=hand)
        items = screens_view.score_items(hand, rules)
        for side, total in hand.total.items():
            shown = [item.points[int(side)] for item in items]
            assert sum(points for points in shown if isinstance(points, int)) == total
        for sheet in range(screens_view.sheets(view, rules)):
            screen = screen_for(view, rules, say, sheet=sheet)
            assert screen.name == "score"
            assert not [row for row in screen.rows if "…" in row], screen.rows


def test_the_score_page_reads_as_on_paper() -> None:
    rules = variant("scopa_2")
    south = parse_cards("7d Ad 2d 3d 4d 5d 7c 6c Ac 7s 6s 7b 6b Ab 2b 3b 4b 5b Fb Cb Rb")
    north = tuple(card for card in DECK if card not in south)
    hand = Hand(
        piles={"0": tuple(map(str, north)), "1": tuple(map(str, south))},
        points={
            "0": dict.fromkeys(["carte", "denari", "settebello", "primiera"], 0) | {"scope": 1},
            "1": dict.fromkeys(["carte", "denari", "settebello", "primiera"], 1) | {"scope": 2},
        },
        total={"0": 1, "1": 6},
        settled=True,
        frame=1,
    )
    view = facts(rules, phase="score", ended=hand, players=("NORD", "SUD"), totals=(9, 10))
    assert screen_for(view, rules, Words("it")).rows == (
        "MANO 2     NORD  SUD",
        "Carte        19   21*",
        "Denari        4    6*",
        "Settebello    -     *",
        "Primiera      -   84*",
        "Scope         1    2",
        "Mano          1    6",
        "TOTALE        9   10",
    )


FAULTS = {
    "must_take": Fault("must_take", 0, "7b", (), (("7d",),), 9),
    "bad_take": Fault("must_take_equal", 0, "5d", ("2s", "3c"), (("5b",),), 9, ("2s", "3c")),
    "out_turn": Fault("wrong_turn", 0, "5c", (), (), 9),
    "lost": Fault("unknown_change", 0, None, ("2s",), (), 9, ("2s",)),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", FAULTS)
def test_every_fault_has_its_page(page: str, language: str) -> None:
    rules = variant("scopa_2")
    state = game.new_hand(rules, 1, frozenset(parse_cards("7d 5b 2s 3c")))
    view = facts(rules, state, phase="fault", fault=FAULTS[page])
    screen = screen_for(view, rules, Words(language))  # type: ignore[arg-type]
    assert screen.name == page
    assert screen.alarm


def test_a_bad_capture_of_a_card_that_nobody_saw_is_told_without_it() -> None:
    rules = variant("scopa_2")
    state = game.new_hand(rules, 1, frozenset(parse_cards("7d 5b 2s 3c")))
    fault = Fault("wrong_sum", 0, None, ("2s", "3c"), (), 9, ("2s", "3c"))
    screen = screen_for(facts(rules, state, phase="fault", fault=fault), rules, Words("it"))
    assert screen.name == "bad_take"
    assert "ANNA ? ha preso 2S 3C" in " ".join(screen.rows)


def test_cards_that_come_back_are_ticked_off_and_the_rest_is_asked_for() -> None:
    rules = variant("scopa_2")
    state = game.new_hand(rules, 1, frozenset(parse_cards("7d 5b 2s 3c")))
    view = facts(rules, state, phase="fault", fault=FAULTS["bad_take"], missing=parse_cards("3c"))
    screen = screen_for(view, rules, Words("it"))
    assert screen.name == "put_back"
    assert "visto 2S  manca 3C" in screen.rows


def test_too_many_kings_ask_for_another_deal() -> None:
    rules = variant("scopa_2")
    lies = parse_cards("Rd Rc Rs 4b")
    view = facts(rules, phase="fault", fault=Fault("misdeal", 1, None, (), (), 4), lies=lies)
    assert screen_for(view, rules, Words("it")).rows[0] == "3 RE SUL TAVOLO"


def test_partners_win_together() -> None:
    rules = variant("scopa_4")
    view = facts(rules, phase="over", won=Match({"0": 21, "1": 12}, "0"))
    screen = screen_for(view, rules, Words("it"))
    assert screen.name == "win"
    assert screen.rows[:2] == ("»VINCE", "»ANNA-CARL")


def test_a_tie_at_the_target_is_one_only_at_or_over_the_target() -> None:
    rules = variant("scopa_2")
    assert screens_view.tied(facts(rules, totals=(11, 11)), rules)
    assert not screens_view.tied(facts(rules, totals=(10, 10)), rules)
    assert not screens_view.tied(facts(rules, totals=(12, 11)), rules)


@pytest.mark.parametrize(
    ("play", "takes", "table", "why"),
    [
        ("Ad", "2c 3d", "", "l'asso prende tutto"),
        ("Ad", "As", "2c 3d", "un asso prende l'asso"),
        ("Ad", "", "Ad", "tavolo vuoto: resta"),
        ("2d", "2c", "3d", ""),
    ],
)
def test_the_display_says_why_an_ace_takes(play: str, takes: str, table: str, why: str) -> None:
    rules = variant("scopa_assi")
    state = game.new_hand(rules, 1, parse_cards("2c 3d 7s Fb"))
    event = Played(1, 0, play, tuple(takes.split()), False, 9, 1.0, "seen")
    view = facts(rules, state, last=event)
    rows = " ".join(screens_view.played(view, Words("it"), event, parse_cards(table)).rows)
    assert why in rows
    assert ("asso" in rows) == ("asso" in why)
