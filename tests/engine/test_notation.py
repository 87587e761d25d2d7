"""A match as text: what is written is read again, and what cannot be read names its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK, parse_cards
from engine.errors import EngineError, IllegalPlay, InvalidPlay, NotationError
from engine.notation import format_record, parse
from engine.record import MARKS, VERBS, Dealt, Knocked, Marked, Outcome, Played, Record, Said
from engine.replay import replay, replay_session
from engine.rules import VARIANTS, RuleSet, variant

WRITTEN = """\
Variant: scopa_2
Rules: target=16 napola=true
Players: Anna, Bruno Neri
Dealer: Bruno Neri
Date: 2026-11-30

; a friendly match
deal 3d 4c Rs Cb
1. Anna: 7c|7s x 3d+4c ; not seen; one of two
2. Bruno Neri: Rd x Rs
undo
2. Bruno Neri: 2d
"""

SETTE = """\
Variant: sette_e_mezzo
Players: Anna, Bruno, Carla
Dealer: Carla

deal ? 7d 5c
Anna: stake 10
Anna: draw 4c
Anna: swap 2d
Anna: stand
Bruno: stake 5 20
Bruno: draw Fs 2
Bruno: stand 1
Carla: stand
Anna: reveal As
shuffle
"""

HEAD = "Variant: scopa_2\nPlayers: a, b\nDealer: a\n\n"

texts = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=12).map(
    lambda text: "".join(c for c in text if c.isprintable()).strip()
)
names = texts.map(lambda text: "".join(c for c in text if c not in ":,;").strip()).filter(
    lambda text: bool(text) and not text[0].isdigit() and text not in {"Variant", "Rules", "Players", "Dealer"}
)
some_cards = st.lists(st.sampled_from(DECK), max_size=5, unique=True).map(tuple)


def entries(players: int) -> st.SearchStrategy[object]:
    player = st.integers(0, players - 1)
    numbers = st.lists(st.integers(0, 999_999_999), max_size=2).map(tuple)
    kinds = st.sampled_from(["low", "three", None])
    values = st.none() | st.integers(1, 10)
    return st.one_of(
        st.builds(
            Dealt,
            st.lists(st.none() | st.sampled_from(DECK), max_size=6, unique_by=lambda card: card or object()).map(tuple),
            texts,
        ),
        st.builds(Played, player, some_cards, some_cards, texts, st.booleans()),
        st.builds(Knocked, player, some_cards, kinds, values, texts),
        st.builds(Said, player, st.sampled_from(VERBS), numbers, some_cards, texts),
        st.builds(Marked, st.sampled_from(MARKS), texts),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    rules = variant(draw(st.sampled_from(sorted(VARIANTS))))
    if rules.game == "sette_e_mezzo":
        rules = rules.replace(max_stake=draw(st.integers(1, 999)), jolly=draw(st.sampled_from([None, "Cc"])))
    else:
        rules = rules.replace(target=draw(st.integers(1, 99)), primiera_faces=draw(st.sampled_from(["10", "10-9-8"])))
    count = draw(st.integers(2, 7)) if rules.game == "sette_e_mezzo" else rules.players
    players = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    sides = count // 2 if rules.pairs else count
    totals = st.lists(st.integers(-999_999_999, 999_999_999), min_size=sides, max_size=sides).map(tuple)
    outcome = st.none() | st.builds(Outcome, totals, st.none() | st.integers(0, sides - 1))
    return Record(
        rules=rules,
        players=tuple(players),
        dealer=draw(st.integers(0, count - 1)),
        entries=tuple(draw(st.lists(entries(count), max_size=8))),  # type: ignore[arg-type]
        outcome=draw(outcome),
        headers=tuple(draw(st.dictionaries(names, texts, max_size=3)).items()),
    )


@given(records())
def test_what_is_written_is_read_again(record: Record) -> None:
    assert parse(format_record(record)) == record


@given(records())
def test_any_record_is_replayed_or_refused(record: Record) -> None:
    again = replay_session if record.rules.game == "sette_e_mezzo" else replay
    try:
        again(record)
    except EngineError as error:
        assert "expected" in str(error)  # noqa: PT017


@given(st.sampled_from([WRITTEN, SETTE]), st.data())
def test_a_damaged_text_is_read_or_refused_and_so_is_its_replay(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text) - 1))
        end = begin + data.draw(st.integers(0, 3))
        text = text[:begin] + data.draw(st.text(st.sampled_from("0127dcs?|+x!:;. \n"), max_size=3)) + text[end:]
    try:
        record = parse(text)
    except NotationError:
        return
    test_what_is_written_is_read_again.hypothesis.inner_test(record)  # type: ignore[attr-defined]
    test_any_record_is_replayed_or_refused.hypothesis.inner_test(record)  # type: ignore[attr-defined]


@given(st.text(st.sampled_from("ab:;,.x?|+- 17dc\n"), max_size=60) | texts)
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, HEAD + text):
        try:
            parse(whole)
        except NotationError as error:
            assert 1 <= error.line <= 1 + len(whole.splitlines())  # noqa: PT017


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "says"),
    [
        ("7c|7s", "7c|8s", 9, 13, "8s"),
        ("3d+4c", "3d+", 9, 21, "''"),
        ("x 3d", "takes 3d", 9, 16, "'x'"),
        ("1. Anna", "2. Anna", 9, 1, "play number 1"),
        ("1. Anna", "1. Carla", 9, 1, "Carla"),
        ("deal", "give", 8, 1, "give"),
        ("undo", "undo it", 11, 1, "undo"),
        ("undo", "Anna: dances", 11, 7, "dances"),
        ("undo", "Anna:", 11, 6, "nothing"),
        ("undo", "result", 11, 1, "result"),
        ("undo", "result 1-x", 11, 10, "'x'"),
        ("undo", "result 1-2\nundo", 12, 1, "nothing after"),
        ("2. Bruno Neri: 2d", "Anna: knock low 11 2d", 12, 17, "1 to 10"),
        ("target=16", "target=much", 2, 8, "much"),
        ("scopa_2", "scopa_9", 1, 10, "scopa_9"),
        ("Date: 2026-11-30", "Date 2026-11-30", 5, 1, "Header"),
        ("Date: 2026-11-30", "Variant: scopa_2", 5, 1, "each header once"),
        ("Dealer: Bruno Neri\n", "", 5, 1, "Dealer"),
        ("Dealer: Bruno Neri", "Dealer: Carla", 4, 9, "Carla"),
        ("Anna, Bruno Neri", "Anna, Bruno Neri, Carla", 3, 10, "2 players"),
        ("Anna, Bruno Neri", "Bruno Neri, Bruno Neri", 3, 10, "different players"),
        ("Anna, Bruno Neri", "3. Anna, Bruno Neri", 3, 10, "a number and a dot"),
        ("Anna, Bruno Neri", "Bruno Neri,", 3, 21, "''"),
        ("Date: 2026", "Da;te: 2026", 5, 1, "Da;te"),
        ("Date: 2026", "Date: \x072026", 5, 7, "one line"),
        ("friendly", "frien\x07dly", 7, 3, "one line"),
        ("7c|7s", "7c|7c", 9, 13, "each card once"),
        ("3d+4c", "3d+3d", 9, 21, "each card once"),
        ("Rs Cb", "Rs 3d", 8, 15, "each card once"),
        ("undo", "result 1-2-3 Anna", 11, 8, "2 sides"),
        ("undo", "result 11-2 Carla", 11, 13, "Carla"),
        ("undo", "result 11-2 Anna Neri", 11, 13, "Anna Neri"),
        ("2. Bruno Neri: 2d", "2. Bruno Neri: 2d ! x", 12, 19, "'!'"),
    ],
)
def test_an_error_names_line_and_column(old: str, new: str, line: int, column: int, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(new.join(WRITTEN.rsplit(old, 1)))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"players": ("Anna", "Anna")},
        {"players": ("Anna", "Bruno: Neri")},
        {"players": ("Anna", "1. Bruno")},
        {"players": ("Anna", " Bruno")},
        {"players": ("Anna", "Dealer")},
        {"players": ("Anna",)},
        {"dealer": 2},
        {"headers": (("Date", "a\nb"),)},
        {"headers": (("Date", "a"), ("Date", "b"))},
        {"entries": (Marked("redo"),)},
        {"entries": (Marked("", "two\nlines"),)},
        {"entries": (Said(0, "sings"),)},
        {"entries": (Played(2, ()),)},
        {"entries": (Knocked(0, value=11),)},
        {"outcome": Outcome((), None)},
        {"outcome": Outcome((1, 2), 2)},
        {"outcome": Outcome((1, 2, 3))},
        {"outcome": Outcome((1_000_000_000, 2))},
        {"entries": (Said(0, "stake", (-1,)),)},
        {"entries": (Said(0, "stake", (1_000_000_000,)),)},
        {"entries": (Played(0, (DECK[0],), (DECK[1], DECK[1])),)},
        {"entries": (Dealt((None, DECK[1], None, DECK[1])),)},
        {"entries": (Knocked(0, kind="four"),)},  # type: ignore[arg-type]
        {"rules": RuleSet(chips=7)},
    ],
    ids=str,
)
def test_a_record_that_could_not_be_read_again_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InvalidPlay):
        Record(**{"rules": variant("scopa_2"), "players": ("Anna", "Bruno"), "dealer": 1} | change)  # type: ignore[arg-type]


def test_a_match_by_the_rules_of_its_variant_names_no_rule() -> None:
    text = format_record(Record(variant("scopa_3"), ("A", "B", "C"), 2))
    assert text == "Variant: scopa_3\nPlayers: A, B, C\nDealer: C\n\n"


def test_a_play_that_no_reading_makes_legal_is_refused() -> None:
    with pytest.raises(IllegalPlay):
        replay(parse(WRITTEN + "3. Anna: 7d|7b x 2d\n"))


def test_an_open_play_is_replayed_with_each_card() -> None:
    matches = replay(parse(WRITTEN))
    piles = {str(sorted(match.hand.piles[0])) for match in matches if match.hand}
    assert len(matches) == len(piles) == 2
    assert {match.hand.turn for match in matches if match.hand} == {0}


def test_a_later_play_settles_an_open_one() -> None:
    (only,) = replay(parse(WRITTEN + "3. Anna: 7s\n"))
    assert only.hand is not None
    assert parse_cards("7c")[0] in only.hand.piles[0]


def test_a_card_that_nobody_knows_is_any_that_fits() -> None:
    matches = replay(parse(WRITTEN.replace("7c|7s", "?")))
    assert len(matches) == 4


def test_a_knock_is_paid() -> None:
    text = "Variant: cirulla_2\nPlayers: A, B\nDealer: B\n\ndeal 3d 4c Rs Cb\nA: knock low 2d 2c 3s\nB: knock three\n"
    (match,) = replay(parse(text))
    assert match.hand is not None
    assert match.hand.bussate == ((3,), (10,))


def test_a_claim_ends_a_declared_match() -> None:
    text = "Variant: scopa_dichiarata\nPlayers: A, B\nDealer: B\n\ndeal 3d 4c Rs Cb\nA: claim\n"
    (match,) = replay(parse(text))
    assert match.standing.winner == 1


@pytest.mark.parametrize("wrong", ["deal ?", "shuffle", "A: stake 3", "2. A: 7d"])
def test_what_cannot_be_replayed(wrong: str) -> None:
    text = "Variant: scopa_2\nPlayers: A, B\nDealer: B\n\n" + wrong.replace("2.", "1.")
    with pytest.raises(EngineError):
        replay(parse(text))


def test_too_many_open_plays_are_refused() -> None:
    text = "Variant: scopa_2\nPlayers: A, B\nDealer: B\n\ndeal Rd Rc Fs Fb\n"
    plays = "".join(f"{n}. {'AB'[(n + 1) % 2]}: ?\n" for n in range(1, 7))
    with pytest.raises(InvalidPlay, match="1024"):
        replay(parse(text + plays))


def test_a_game_of_sette_e_mezzo_is_replayed() -> None:
    session = replay_session(parse(SETTE))
    # Anna 4+2+1 = 7 beats 5; Bruno's 7 stands against 5, his d'emblée is paid double and gives him the bank
    assert session.chips == (110, 145, 45)
    assert (session.bank, session.used) == (1, 0)


@pytest.mark.parametrize("wrong", ["Anna: claim", "Anna: draw", "Anna: swap", "1. Anna: 7d"])
def test_what_is_no_sette_e_mezzo(wrong: str) -> None:
    with pytest.raises(InvalidPlay):
        replay_session(parse(SETTE + wrong))


def test_the_families_are_not_mixed() -> None:
    with pytest.raises(InvalidPlay):
        replay(parse(SETTE))
    with pytest.raises(InvalidPlay):
        replay_session(parse(WRITTEN))


@pytest.mark.parametrize("name", ["Anna", "Carla"])
def test_either_player_of_a_pair_names_it(name: str) -> None:
    text = f"Variant: scopa_4\nPlayers: Anna, Bruno, Carla, Dino\nDealer: Dino\n\nresult 21-15 {name}\n"
    assert parse(text).outcome == Outcome((21, 15), 0)


def test_a_tab_in_a_comment_is_a_blank() -> None:
    assert parse(HEAD + ";\tgood\tgame\n").entries == (Marked("", "good game"),)


def test_the_text_that_the_handbook_shows_is_a_match() -> None:
    handbook = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    shown = handbook.split("## A match as a text")[1].split("```")[1].lstrip()
    matches = replay(parse(shown))
    assert {str(match.hand and sorted(match.hand.table)) for match in matches} == {"[Card('Cc')]"}
    assert len(matches) == 2
