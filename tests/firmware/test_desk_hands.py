"""The end of a hand at the desk: piles counted, undo across hands, corrections, claims, hands that are void."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine import game
from engine.cards import DECK, Card, parse_cards
from engine.play import Play
from engine.rules import variant
from firmware.choices import Choices
from firmware.cli import main
from firmware.events import Claimed, Corrected, Fault, Hand, Match, Played, Settled, Undone, Voided
from firmware.in_force import standing
from firmware.menu import Menu
from tests.firmware.camera import Camera
from tests.firmware.test_desk import TABLE, Box, opened
from tests.firmware.test_referee import Hands


class Evening(Box):
    """Whole hands, played by people of `variant` who choose by a number; some captures are made unseen."""

    hands: Hands

    def start(self, name: str = "scopa_2", **choices: object) -> None:
        players = variant(name).players
        self.camera = Camera(players, 5.0)
        self.desk.menu = Menu(Choices(variant=name, dealer=players - 1, **choices))  # type: ignore[arg-type]
        self.press("ok ok ok")

    def deal(self, seed: int, dealer: int | None = None) -> None:
        self.hands = Hands(self.desk.menu.choices.variant, seed)
        self.camera.rest(0.6)
        self.camera.deal(self.camera.players - 1 if dealer is None else dealer, self.hands.first)
        self.camera.rest(1.0)

    def play(self, count: int = 40, *, unseen: bool = False) -> None:
        for _ in range(count):
            if self.hands.state.over:
                break
            play = self.hands.next()
            if play.takes:
                hidden = unseen and self.hands.state.plays > 4
                how, rest = ("unseen", 2.0) if hidden else ("seen", 1.0)
                self.camera.take(play.player, play.card, play.takes, how=how, rest=rest)
            else:
                self.camera.lay(play.player, play.card)
        if self.hands.state.over:
            self.look()
            assert self.shown in {"took", "scopa"}, "the last play is told like any other"
            self.camera.rest(9.0)
        self.look()

    def fan(self, side: int, but: frozenset[Card] = frozenset(), more: frozenset[Card] = frozenset()) -> None:
        """The pile of a side in two portions, after the table was cleared."""
        self.camera.gather(0)
        pile = sorted((self.hands.state.piles[side] - but) | more)
        for portion in (pile[: len(pile) // 2 + 1], pile[len(pile) // 3 :]):
            self.camera.reach(0)
            self.camera.lying.clear()
            for card in portion:
                self.camera.put(card)
            self.camera.rest(1.0)
        self.look()

    def truth(self) -> dict[str, int]:
        return {str(side): points.total for side, points in enumerate(game.score(self.hands.state))}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with opened(tmp_path) as box:
        yield Evening(box.store, box.camera)


def open_hand(evening: Evening) -> None:
    """A hand in which nearly all captures were made with cards that nobody saw, so that points are not certain."""
    evening.start()
    evening.deal(5)
    evening.play(unseen=True)
    assert not last_hand(evening).settled


def last_hand(evening: Evening) -> Hand:
    return standing(evening.events()).hands[-1]  # type: ignore[arg-type]


def test_piles_that_are_fanned_out_settle_what_nobody_saw(evening: Evening) -> None:
    open_hand(evening)
    assert evening.shown == "end"
    assert "OK conta i mazzetti" in evening.rows
    evening.press("ok")
    assert evening.shown == "count"
    for side in (0, 1):
        assert evening.rows.count("prima libera il tavolo")
        evening.fan(side)
        evening.press("ok")
    assert evening.shown == "score"
    hand = last_hand(evening)
    assert (hand.settled, hand.how) == (True, "counted")
    assert hand.total == evening.truth()
    named = {event.n: event.card for event in evening.events() if isinstance(event, Settled)}
    for number, play in enumerate(evening.hands.plays, 1):
        assert named.get(number, str(play.card)) == str(play.card)


def test_what_lay_on_the_table_before_is_not_ticked_and_a_second_look_does_no_harm(evening: Evening) -> None:
    open_hand(evening)
    evening.press("ok")
    evening.camera.rest(2.0)
    evening.look()
    assert "prima libera il tavolo" in evening.rows
    evening.fan(0)
    shown = evening.rows
    evening.fan(0)
    assert evening.rows == shown
    evening.press("minus")
    assert "prima libera il tavolo" in evening.rows


def test_a_card_in_the_wrong_pile_goes_where_the_players_say(evening: Evening) -> None:
    open_hand(evening)
    certain = {side: frozenset(map(Card.parse, cards)) for side, cards in last_hand(evening).piles.items()}
    moved = min(certain["1"] - {Card(0, 7)})
    evening.press("ok")
    evening.fan(0, more=frozenset({moved}))
    evening.press("ok")
    assert evening.shown == "wrong_pile"
    evening.press("minus")  # it is where it lies
    assert evening.shown == "count"
    evening.fan(1, but=frozenset({moved}))
    evening.press("ok")
    assert evening.shown == "score"
    assert str(moved) in last_hand(evening).piles["0"]
    assert sum(map(len, last_hand(evening).piles.values())) == 40


def test_a_card_that_is_missing_is_given_to_the_other_side_or_left(evening: Evening) -> None:
    open_hand(evening)
    certain = frozenset(map(Card.parse, last_hand(evening).piles["0"]))
    lost = min(certain)
    evening.press("ok")
    evening.fan(0, but=frozenset({lost}))
    evening.press("ok")
    assert evening.shown == "count_bad"
    assert evening.desk.screen(evening.now).alarm
    evening.press("ok")  # read again: what was ticked stays ticked
    assert evening.shown == "count"
    assert "prima libera il tavolo" not in evening.rows
    evening.press("ok minus")
    assert evening.shown == "count"
    evening.fan(1, more=frozenset({lost}))
    evening.press("ok")
    assert str(lost) in last_hand(evening).piles["1"]


def test_counting_can_be_stopped_and_nothing_changes(evening: Evening) -> None:
    open_hand(evening)
    before = last_hand(evening)
    evening.press("ok no")
    assert evening.shown == "score"
    assert last_hand(evening) == before


def settled_hand(evening: Evening) -> tuple[int, ...]:
    """A hand that was seen whole; how many cards each side holds."""
    evening.start()
    evening.deal(5)
    evening.play()
    assert evening.shown == "end"
    return tuple(len(pile) for pile in evening.hands.state.piles)


def test_numbers_of_cards_that_agree_need_no_count(evening: Evening) -> None:
    first, second = settled_hand(evening)
    assert "+ di' quante carte" in evening.rows
    evening.press("plus")
    assert evening.shown == "sizes"
    assert [row.split()[-1] for row in evening.desk.screen(evening.now).rows[1:4]] == [str(first), str(second), "40"]
    evening.press("minus plus ok")
    assert evening.shown == "score"


def test_the_page_of_the_deal_names_what_its_buttons_do(evening: Evening) -> None:
    evening.start()
    assert evening.shown == "deal"
    assert evening.desk.screen(evening.now).rows[-1] == "IND"
    evening.press("no")
    assert evening.shown == "dealer"
    evening.press("ok")
    evening.deal(5)
    evening.play()
    evening.press("ok ok")
    evening.camera.gather(0)
    evening.camera.rest(1.5)
    evening.look()
    assert evening.shown == "deal"
    assert evening.desk.screen(evening.now).rows[-1].split() == ["ULT", "PUNT"]
    evening.press("no")
    assert evening.shown in {"took", "scopa"}
    evening.press("no plus")
    assert evening.shown == "sure"


def test_numbers_of_cards_that_differ_lead_to_the_count_of_the_piles(evening: Evening) -> None:
    settled_hand(evening)
    evening.press("plus minus ok:hold plus ok")  # one card fewer here, one more there: together they are still forty
    assert evening.shown == "count"
    evening.press("no")
    assert evening.shown == "score"


def test_numbers_cannot_be_told_while_cards_are_open(evening: Evening) -> None:
    open_hand(evening)
    assert "+ di' quante carte" not in evening.rows
    evening.press("plus")
    assert evening.shown == "score"


def test_a_play_that_was_taken_for_somebody_elses_is_given_to_whose_turn_it_was(evening: Evening) -> None:
    evening.start()
    evening.deal(5)
    evening.play(8)
    play = evening.hands.next()
    assert play.takes, "a capture, so that its card is nowhere to be read again"
    evening.camera.take(1 - play.player, play.card, play.takes, rest=4.0)
    evening.look()
    assert evening.shown == "out_turn"
    evening.press("minus")
    evening.camera.rest(6.0)
    evening.look()
    told = standing(evening.events()).plays[-1]  # type: ignore[arg-type]
    assert (told.player, told.card, told.overruled) == (play.player, str(play.card), False)
    assert set(told.takes) == set(map(str, play.takes))
    evening.play(1)
    assert [event for event in evening.events() if isinstance(event, Fault)][-1].rule == "wrong_turn"
    assert len(standing(evening.events()).plays) == 10  # type: ignore[arg-type]


def test_the_last_play_of_a_hand_is_undone_and_played_again(evening: Evening) -> None:
    evening.start()
    evening.deal(3)
    evening.play()
    first = last_hand(evening)
    last = evening.hands.plays[-1]
    assert evening.shown == "end"
    evening.press("no:hold ok")
    assert evening.shown == "undo"
    assert isinstance(evening.events()[-1], Undone)
    assert standing(evening.events()).hands == ()  # type: ignore[arg-type]
    put_back(evening, last)
    evening.look()
    assert evening.shown in {"play", "took"}
    again(evening, last)
    assert last_hand(evening) == msgspec.structs.replace(first, frame=last_hand(evening).frame)


def put_back(evening: Evening, play: Play) -> None:
    evening.camera.give_back(play.player, [] if play.takes else [play.card], play.takes)


def again(evening: Evening, play: Play) -> None:
    if play.takes:
        evening.camera.take(play.player, play.card, play.takes)
    else:
        evening.camera.lay(play.player, play.card)
    evening.look()


def test_undo_reaches_back_into_the_hand_before(evening: Evening) -> None:
    evening.start()
    evening.deal(3)
    evening.play()
    before, last = evening.desk.facts(evening.now), evening.hands.plays[-1]
    evening.press("ok ok ok")
    evening.camera.gather(1)
    evening.deal(5, dealer=0)
    evening.look()
    assert evening.desk.facts(evening.now).view is not None
    assert len(evening.desk.facts(evening.now).plays) == 36
    evening.press("no:hold ok")
    facts = evening.desk.facts(evening.now)
    assert facts.view is not None
    assert before.view is not None
    assert (facts.view.hand, facts.view.play, facts.view.dealer) == (1, 35, 1)
    assert facts.view.totals == (0, 0)
    assert facts.view.turn == last.player


def test_a_closed_hand_is_corrected_and_marked(evening: Evening) -> None:
    evening.start()
    evening.deal(3)
    evening.play()
    old = last_hand(evening)
    evening.press("ok ok")
    evening.press("ok:hold plus ok")
    assert evening.shown == "correct"
    evening.press("ok")
    assert evening.shown == "by_hand_points"
    evening.press(" ".join(["ok:hold"] * 4 + ["plus"] * 9 + ["ok"]))
    hand = last_hand(evening)
    assert isinstance(next(e for e in reversed(evening.events()) if isinstance(e, Corrected)), Corrected)
    assert hand.points["0"]["scope"] == old.points["0"]["scope"] + 9  # type: ignore[operator]
    assert hand.how == "told"
    facts = evening.desk.facts(evening.now)
    assert facts.view is not None
    assert facts.view.totals == tuple(hand.total[side] for side in "01")
    assert evening.shown == "score"
    assert "1 corretta" in evening.rows


def test_a_correction_makes_a_winner_and_takes_him_away_again(evening: Evening) -> None:
    evening.start()
    evening.deal(3)
    evening.play()
    evening.press("ok ok")
    evening.press("ok:hold plus ok ok")
    evening.press(" ".join(["ok:hold"] * 4 + ["plus"] * 15 + ["ok"]))
    assert isinstance(evening.events()[-1], Match)
    assert evening.store.matches()[-1].state == "over"
    evening.press("ok")
    assert evening.shown == "win"
    assert len(evening.desk.facts(evening.now).history) == 1
    evening.press("ok:hold plus ok ok")
    evening.press(" ".join(["ok:hold"] * 4 + ["minus"] * 15 + ["ok"]))
    assert evening.store.matches()[-1].state == "open"
    assert evening.desk.facts(evening.now).history == ()
    evening.press("ok")
    assert evening.shown != "win"


def test_points_that_are_open_are_told_before_they_decide_the_match(evening: Evening) -> None:
    evening.start(rules={"target": 4})
    evening.deal(5)
    evening.play(unseen=True)
    assert not [event for event in evening.events() if isinstance(event, Match)]
    evening.press("no ok")
    assert evening.shown == "undecided"
    evening.press("plus no")
    assert evening.shown == "undecided"
    evening.press("ok")
    assert evening.shown == "correct"
    evening.press("ok ok")
    hand = last_hand(evening)
    assert (hand.settled, hand.how) == (True, "told")
    assert evening.shown == "score"
    evening.press("ok")
    assert evening.shown != "undecided"


def test_a_hand_that_counts_for_nothing_is_dealt_again_by_the_same_dealer(evening: Evening) -> None:
    evening.start()
    evening.deal(3)
    evening.play(7)
    evening.press("no:hold plus")
    assert evening.shown == "redeal_hand"
    evening.press("ok")
    assert isinstance(evening.events()[-1], Voided)
    assert evening.shown == "deal"
    evening.camera.gather(0)
    evening.deal(5)
    evening.play(3)
    assert evening.shown in {"play", "took"}
    facts = evening.desk.facts(evening.now)
    assert facts.view is not None
    assert (facts.view.hand, facts.view.play, facts.view.dealer) == (1, 3, 1)
    assert [play.n for play in facts.plays] == [1, 2, 3]


@pytest.mark.parametrize(("name", "winner"), [("scopa_2", "1"), ("scopa_3", None)])
def test_a_wrong_claim_loses_for_two_and_excludes_among_three(evening: Evening, name: str, winner: str | None) -> None:
    evening.start(name, rules={"end": "declared"})
    evening.deal(3)
    evening.play(5)
    evening.press("ok:hold plus ok ok")
    claimed = [event for event in evening.events() if isinstance(event, Claimed)]
    assert [event.side for event in claimed] == [0]
    won = [event.winner for event in evening.events() if isinstance(event, Match)]
    assert won == ([winner] if winner else [])
    if winner:
        evening.press("no")
        assert evening.shown == "win"
        return
    assert evening.shown == "sure"
    assert "out" in evening.rows
    evening.press("ok")
    assert evening.shown == "deal"
    evening.camera.gather(0)
    evening.deal(5)
    evening.play()
    facts = evening.desk.facts(evening.now)
    assert facts.view is not None
    assert facts.view.totals[0] == 0
    assert facts.view.excluded == {0}
    assert last_hand(evening).total != {"0": 0, "1": 0, "2": 0}


def test_a_right_claim_wins_with_the_points_of_the_running_hand(evening: Evening) -> None:
    evening.start(rules={"end": "declared", "target": 11})
    evening.deal(3)
    evening.play()
    evening.press("ok ok ok:hold plus plus ok ok")
    evening.press(" ".join(["ok:hold"] * 4 + ["plus"] * 11 + ["ok"]))  # eleven scope: he may claim now
    assert not [event for event in evening.events() if isinstance(event, Match)]
    evening.press("ok:hold plus ok ok")
    match = evening.events()[-1]
    assert isinstance(match, Match)
    assert match.winner == "0"
    assert match.totals["0"] >= 11


def test_a_claim_shows_what_may_still_be_won(evening: Evening) -> None:
    evening.start(rules={"end": "declared", "target": 11})
    evening.deal(3)
    evening.play(4)
    evening.press("ok:hold plus ok")
    assert evening.shown == "claim"
    assert "possibili: carte, denari, settebello, primiera" in evening.rows
    evening.press("no no")
    while not any(Card(0, 7) in pile for pile in evening.hands.state.piles):
        evening.play(1)
    assert not evening.hands.state.over
    evening.press("ok:hold plus ok")
    assert "settebello" not in evening.rows


def test_undo_and_redo_give_the_same_state_at_every_depth(evening: Evening) -> None:
    evening.start()
    evening.deal(3)
    evening.play(9)
    for depth in (1, 3, 6):
        before = evening.desk.facts(evening.now)
        evening.press("no:hold " + "minus " * (depth - 1) + "ok")
        facts = evening.desk.facts(evening.now)
        assert facts.view is not None
        assert len(facts.plays) == 9 - depth
        undone = evening.hands.plays[9 - depth :]
        evening.camera.give_back(0, set(evening.camera.lying) - set(facts.view.expected), [])
        evening.camera.give_back(0, [], set(facts.view.expected) - set(evening.camera.lying))
        evening.look()
        for play in undone:
            again(evening, play)
        after = evening.desk.facts(evening.now)
        assert before.view is not None
        assert after.view is not None
        assert after.view.state == before.view.state
        assert [(p.n, p.player, p.card, p.takes) for p in after.plays] == [
            (p.n, p.player, p.card, p.takes) for p in before.plays
        ]


def test_a_scorer_never_objects_and_marks_what_he_let_pass(evening: Evening) -> None:
    evening.start(tone="scorer")
    evening.camera.rest(0.6)
    evening.camera.deal(1, parse_cards(TABLE))
    evening.camera.rest(1.0)
    evening.camera.lay(0, Card.parse("2b"), rest=4.0)
    evening.look()
    assert evening.shown in {"took", "play"}
    play = standing(evening.events()).plays[-1]  # type: ignore[arg-type]
    assert (play.card, play.takes, play.overruled) == ("2b", (), True)
    assert [event.rule for event in evening.events() if isinstance(event, Fault)] == ["must_take"]


@pytest.mark.parametrize(("tone", "told"), [("discreet", False), ("severe", True)])
def test_a_severe_judge_tells_a_missed_capture_sooner(evening: Evening, tone: str, told: bool) -> None:
    evening.start(tone=tone)
    evening.camera.rest(0.6)
    evening.camera.deal(1, parse_cards(TABLE))
    evening.camera.rest(1.0)
    evening.camera.lay(0, Card.parse("2b"), rest=1.6)
    evening.look()
    assert (evening.shown == "must_take") == told


def test_a_severe_judge_says_when_the_others_wait(evening: Evening) -> None:
    evening.start(tone="severe")
    evening.deal(3)
    evening.play(1)
    evening.desk.heard()
    evening.desk.tick(evening.now + 60)
    assert evening.desk.heard() == ["attention"]
    assert "aspettiamo" in " ".join(evening.desk.screen(evening.now + 60).rows)
    evening.desk.tick(evening.now + 70)
    assert evening.desk.heard() == []


def test_what_was_undone_void_and_corrected_is_exported_so_that_it_can_be_replayed(
    evening: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening.start()
    evening.deal(3)
    evening.play(7)
    evening.press("no:hold plus ok")
    evening.camera.gather(0)
    evening.deal(5)
    evening.play()
    evening.press("ok ok ok:hold plus ok ok ok:hold plus ok")
    number = evening.store.matches()[-1].id
    assert main(["matches", "export", str(number), "--state", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert text.count("undo") == 8
    assert "corrected hand 1" in text
    (tmp_path / "match.txt").write_text(text, encoding="utf-8")
    assert main(["matches", "replay", str(tmp_path / "match.txt")]) == 0
    assert main(["matches", "show", str(number), "--state", str(tmp_path)]) == 0
    assert "counts for nothing" in capsys.readouterr().out


def test_all_forty_cards_are_in_the_piles_of_a_counted_hand(evening: Evening) -> None:
    open_hand(evening)
    evening.press("ok")
    evening.fan(0)
    evening.press("ok no")  # the other pile need not be fanned out: what is left is in it
    piles = last_hand(evening).piles
    assert sorted(card for pile in piles.values() for card in pile) == sorted(map(str, DECK))
    assert last_hand(evening).total == evening.truth()
    assert Played


def test_a_power_cut_while_piles_are_counted_loses_the_count_and_nothing_else(tmp_path: Path) -> None:
    with opened(tmp_path) as box:
        evening = Evening(box.store, box.camera)
        open_hand(evening)
        before = last_hand(evening)
        evening.press("ok")
        evening.fan(0)
        assert evening.shown == "count"
        camera, hands = evening.camera, evening.hands
    with opened(tmp_path, camera) as box:
        evening = Evening(box.store, camera)
        evening.hands = hands
        assert last_hand(evening) == before
        assert evening.shown == "resume"
        evening.press("ok")
        assert evening.shown == "end"
        evening.press("ok")
        for side in (0, 1):
            evening.fan(side)
            evening.press("ok")
        assert last_hand(evening).total == evening.truth()
