"""One usual and one hardest example of every screen: longest names, most cards."""

from __future__ import annotations

from collections.abc import Callable

from engine.cards import Card, parse_cards
from firmware import menu as menus
from firmware import screens, screens_box, screens_hand, screens_knock, screens_menu, screens_pages
from firmware.choices import Choices
from firmware.doctor import Finding
from firmware.menu import Editing
from firmware.menu_facts import Facts, Suspended
from firmware.screens import ScoreItem, Screen
from firmware.text import Words
from tests.firmware.sette_samples import SETTE_HARDEST, SETTE_USUAL

Maker = Callable[[Words], Screen]
LONG = "MARGHERITA"
OTHER = "BARTOLOMEO"
MANY = parse_cards("7d 4b 2s Fc Rd 5c 6s Ad Cb 3c 2d 4s")


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def card(text: str) -> Card:
    return Card.parse(text)


def items(*extra: ScoreItem) -> tuple[ScoreItem, ...]:
    return (
        ScoreItem("carte", (0, 1), (19, 21)),
        ScoreItem("denari", (1, 0), (6, 4)),
        ScoreItem("settebello", (0, 1)),
        ScoreItem("primiera", (0, 1), (69, 76)),
        ScoreItem("scope", (1, 2)),
        *extra,
    )


FOUR_SIDES = tuple(
    ScoreItem(name, (1, 0, (0, 1), 0), (12, 10, None, 9))
    for name in ("carte", "denari", "primiera", "scope", "napola", "grande", "bussate", "re_bello")
)
SIDES = ("NORD", "SUD")
THREE = (LONG, OTHER, "EST")
FOUR = (LONG, OTHER, "EST", "OVEST")

USUAL: dict[str, Maker] = {
    "boot": lambda say: screens.boot(
        say,
        version="1.0.0",
        checks=[("memory", "ok"), ("buttons", "ok"), ("camera", "running"), ("deck", "Napoletane")],
    ),
    "boot_nocam": lambda say: screens.boot_nocam(say, wait=5, attempt=3, code="C03"),
    "resume": lambda say: screens.resume(
        say, game="Scopa", target=11, hand=3, names=SIDES, totals=(7, 5), saved=4, found=4
    ),
    "resume_diff": lambda say: screens.resume_diff(say, saved=cards("7d 4b 2s Fc"), found=cards("7d 2s Fc")),
    "deal": lambda say: screens.deal(say, hand=1, dealer="NORD", first="SUD", cards=3, table=4, seen=cards("7d 4b")),
    "redeal": lambda say: screens.redeal(say, kings=True, cards=cards("Rd Rc Rs 4b")),
    "opening": lambda say: screens_knock.opening(say, dealer="NORD", scope=1, cards=cards("2d 3s 4c 6b"), first="SUD"),
    "knock": lambda say: screens_knock.knock(
        say, player="SUD", kind="three", points=10, cards=cards("2d 2s 7c"), matta=(card("7c"), 2)
    ),
    "false_knock": lambda say: screens_knock.false_knock(say, late=False, player="SUD", cards=cards("2d 4s 4b")),
    "tell_knock": lambda say: screens_knock.tell_knock(say, player="SUD", kind="low", points=3),
    "play": lambda say: screens.play(
        say,
        turn="SUD",
        table=cards("7d 4b 2s Fc"),
        names=SIDES,
        piles=(7, 5),
        stock=24,
        hand=3,
        number=9,
        plays=36,
        open_plays=1,
    ),
    "took": lambda say: screens.took(say, player="SUD", card=card("7b"), takes=cards("7d"), table=cards("4b 2s Fc")),
    "scopa": lambda say: screens.scopa(say, player="SUD", card=card("7b"), takes=cards("4b 3s")),
    "must_take": lambda say: screens.must_take(say, player="SUD", card=card("7b"), legal=cards("7d")),
    "bad_take": lambda say: screens.bad_take(
        say,
        rule="must_take_equal",
        player="SUD",
        card=card("5d"),
        takes=cards("2s 3c"),
        legal=cards("5b"),
        put_back=cards("2s 3c"),
    ),
    "put_back": lambda say: screens.put_back(
        say, missing=cards("3c"), seen=cards("2s"), player="SUD", legal=cards("5b")
    ),
    "lost": lambda say: screens.lost(say, was=cards("7d 4b 2s Fc"), now=cards("7d Fc 6s 5c"), changes=4),
    "out_turn": lambda say: screens.out_turn(say, player="NORD", card=card("5c"), turn="EST"),
    "unsure": lambda say: screens.unsure(say, options=cards("6s 6b")),
    "unseen": lambda say: screens.unseen(say, player="SUD", takes=cards("4b 3s"), options=cards("7c 7s")),
    "pick_card": lambda say: screens.pick_card(say, card=card("7c")),
    "pick_takes": lambda say: screens.pick_takes(say, card=card("7c"), takes=cards("4b 3s")),
    "dispute": lambda say: screens.dispute(
        say, last=True, player="SUD", card=card("7b"), takes=cards("4b 3s"), number=14
    ),
    "undo": lambda say: screens.undo(say, number=14, back=cards("4b 3s"), remove=(), player="SUD", card=card("7b")),
    "claim": lambda say: screens.claim(say, player="SUD", target=11, certain=10, possible=["primiera"]),
    "light": lambda say: screens.light(say, seconds=2),
    "glare": lambda say: screens.glare(say, count=2, where="top_right"),
    "off": lambda say: screens.off(say, number=14),
    "end": lambda say: screens.end(say, hand=3, left=cards("5c Rb"), owner="SUD", names=SIDES, piles=(19, 21), debts=2),
    "count": lambda say: screens.count(say, player="SUD", seen=17, expected=21, missing=cards("7c 5c Rb 2d")),
    "count_bad": lambda say: screens.count_bad(
        say, player="SUD", expected=21, seen=20, missing=cards("5c"), other="NORD"
    ),
    "wrong_pile": lambda say: screens.wrong_pile(
        say, card=card("5c"), at="NORD", by="SUD", number=22, played=card("5b"), takes=cards("5c")
    ),
    "undecided": lambda say: screens.undecided(say, hands=[2, 3], items=["settebello", "primiera"]),
    "correct": lambda say: screens.correct(say, number=3, names=SIDES, points=("2", "5"), totals=("9", "10")),
    "naming": lambda say: screens_menu.naming(say, letters="MARGHE", seat=2),
    "redeal_hand": lambda say: screens.redeal_hand(say),
    "score": lambda say: screens.score(say, hand=3, names=SIDES, items=items(), points=(2, 5), totals=(9, 10)),
    "tie": lambda say: screens.tie(say, names=SIDES, totals=(11, 11), dealer="SUD"),
    "win": lambda say: screens.win(say, winner="SUD", names=SIDES, totals=(9, 12), hands=5, minutes=38, number=14),
}

FACTS = Facts(
    suspended=Suspended("Scopa", 11, 3, SIDES, (7, 5), ()),
    history=(("x",),),
    able=frozenset({"learn", "calibrate", "selftest", "backup"}),
)
ENTRIES = ("carte", "denari", "settebello", "primiera", "scope.0", "scope.1")

USUAL |= {
    "sure": lambda say: screens_pages.sure(say, names=SIDES, totals=(7, 5), certain=(1, 2)),
    "leave": lambda say: screens_pages.leave(say),
    "history": lambda say: screens_pages.history(
        say, rows=["30.11.2026 21:40", "Scopa a 11, 38 min", "SUD 12  NORD 9"], place=0, count=14
    ),
    "sizes": lambda say: screens_hand.sizes(say, names=SIDES, values=(19, 20), side=1),
    "next_hand": lambda say: screens_pages.next_hand(say, dealer="SUD"),
    "by_hand_hand": lambda say: screens_pages.by_hand(say, hand=3, dealer="SUD"),
    "by_hand_points": lambda say: screens_pages.numbers(
        say, entries=ENTRIES, values=(1, 2, 0, 1, 0, 2), place=0, names=SIDES
    ),
    "learn": lambda say: screens_pages.learn(
        say, done=12, total=40, card=card("3c"), where=say("learn.body"), note=say("learn.good", card="2C")
    ),
    "selftest": lambda say: screens_box.selftest(
        say,
        findings=[
            Finding("camera", "ok", "18 fps"),
            Finding("focus", "ok", "71/100"),
            Finding("disk", "ok", "81%"),
            Finding("clock", "warning", "", "K01"),
        ],
    ),
    "calibrate": lambda say: screens_pages.task(say, name="calibrate", lines=[("Luce", "OK")], note=""),
    "backup": lambda say: screens_pages.task(
        say, name="backup", lines=[("arbitro-0002.zip", "OK")], note=say("backup.done"), more=True
    ),
    "restore_copy": lambda say: screens_pages.restore_copy(say, name="arbitro-0001.zip"),
    **{
        name: lambda say, name=name: screens_menu.listing(  # type: ignore[misc]
            say, shown=menus.listing(name), choices=Choices(deck="Napoletane"), facts=FACTS
        )
        for name in menus.LISTS
    },
    **{
        name: lambda say, name=name: screens_menu.editing(  # type: ignore[misc]
            say, shown=Editing(name, Choices(deck="Napoletane"))
        )
        for name in ("game", "deck", "players", "rules", "tone", "sound", "language", "dealer", "by_hand")
    },
}

HARDEST: dict[str, Maker] = {
    "sure": lambda say: screens_pages.sure(say, names=FOUR, totals=("10-12", 15, 16, 17), certain=(1, 2, 10, 3)),
    "sizes": lambda say: screens_hand.sizes(say, names=(*THREE, LONG), values=(11, 10, 10, 9), side=3),
    "next_hand": lambda say: screens_pages.next_hand(say, dealer=LONG),
    "by_hand_hand": lambda say: screens_pages.by_hand(say, hand=12, dealer=LONG),
    "by_hand_points": lambda say: screens_pages.numbers(
        say, entries=ENTRIES, values=(1, 2, 0, 1, 0, 51), place=5, names=(LONG, OTHER)
    ),
    "learn": lambda say: screens_pages.learn(say, done=39, total=40, card=card("Cb"), where="x" * 21, note="x" * 21),
    "boot": lambda say: screens.boot(say, version="10.10.10", checks=[("deck", "Piacentine"), ("memory", "none")]),
    "boot_nocam": lambda say: screens.boot_nocam(say, wait=60, attempt=100, code="C03"),
    "resume": lambda say: screens.resume(
        say, game="Scopone", target=21, hand=12, names=FOUR, totals=(17, 15, 12, 20), saved=12, found=None
    ),
    "resume_diff": lambda say: screens.resume_diff(say, saved=MANY[:8], found=MANY[5:]),
    "deal": lambda say: screens.deal(say, hand=12, dealer=LONG, first=OTHER, cards=9, table=4, seen=MANY[:4]),
    "deal_scopone": lambda say: screens.deal(say, hand=12, dealer=LONG, first=OTHER, cards=10, table=0, seen=()),
    "redeal": lambda say: screens.redeal(say, kings=False, cards=cards("Ad Ac As Ab")),
    "opening": lambda say: screens_knock.opening(say, dealer=LONG, scope=2, cards=cards("Rd Rc 6s 4b"), first=OTHER),
    "knock": lambda say: screens_knock.knock(
        say, player=LONG, kind="both", points=13, cards=cards("Cs Cb 7c"), matta=(card("7c"), 9)
    ),
    "knock_told": lambda say: screens_knock.knock(say, player=LONG, kind="low", points=3, cards=()),
    "false_knock": lambda say: screens_knock.false_knock(say, late=False, player=LONG, cards=cards("Rd 4s 4b")),
    "false_knock_late": lambda say: screens_knock.false_knock(say, late=True, player=LONG, cards=cards("Rd 4s")),
    "tell_knock": lambda say: screens_knock.tell_knock(say, player=LONG, kind="three", points=10),
    "dispute_knock": lambda say: screens_knock.dispute(say, player=LONG, points=10),
    "play": lambda say: screens.play(
        say,
        turn=LONG,
        table=MANY,
        names=FOUR,
        piles=(10, 10, 10, 10),
        stock=24,
        hand=12,
        number=40,
        plays=40,
        open_plays=3,
    ),
    "took": lambda say: screens.took(say, player=LONG, card=card("Rb"), takes=cards("7d Ac 2s"), table=MANY[3:]),
    "took_open": lambda say: screens.took(
        say, player=LONG, card=None, takes=cards("7d Ac"), table=MANY[2:6], options=cards("Fs Fb Fd")
    ),
    "took_ace": lambda say: screens.took(
        say, player=LONG, card=card("Ad"), takes=MANY[:3], table=(), why="took.ace_all"
    ),
    "laid_ace": lambda say: screens.took(
        say, player=LONG, card=card("Ad"), takes=(), table=cards("Ad"), why="took.ace_stays"
    ),
    "laid": lambda say: screens.took(say, player=LONG, card=card("Rb"), takes=(), table=MANY),
    "scopa": lambda say: screens.scopa(say, player=LONG, card=card("Rb"), takes=cards("4b 3s Ac 2s")),
    "scopa_open": lambda say: screens.scopa(say, player=LONG, card=None, takes=cards("4b 3s")),
    "must_take": lambda say: screens.must_take(say, player=LONG, card=card("Rb"), legal=cards("4b 3s 2c Ad")),
    **{
        f"bad_take_{rule}": lambda say, rule=rule: screens.bad_take(  # type: ignore[misc]
            say,
            rule=rule,
            player=LONG,
            card=card("Cd"),
            takes=cards("2s 3c Ad 2b"),
            legal=cards("4b 2c 3d"),
            put_back=cards("2s 3c Ad 2b"),
        )
        for rule in [
            "must_take_equal",
            "wrong_sum",
            "only_one_equal",
            "ace_takes_all",
            "must_take_fewest",
            "card_not_on_table",
            "ace_not_first",
        ]
    },
    "put_back": lambda say: screens.put_back(
        say, missing=MANY[:6], seen=MANY[6:9], player=LONG, legal=cards("4b 2c 3d Ac")
    ),
    "put_back_many": lambda say: screens.put_back(say, missing=MANY, seen=(), remove=cards("As 2c"), player=LONG),
    "put_back_remove": lambda say: screens.put_back(say, missing=(), remove=cards("As 2c"), player=LONG),
    "lost": lambda say: screens.lost(say, was=MANY, now=MANY[1:], changes=12),
    "lost_out": lambda say: screens.lost(
        say, was=MANY, now=MANY[1:], changes=1, why="card_already_out", card=card("Rb")
    ),
    "out_turn": lambda say: screens.out_turn(say, player=LONG, card=card("Rb"), turn=OTHER),
    "unsure": lambda say: screens.unsure(say, options=cards("Cs Cb")),
    "unseen": lambda say: screens.unseen(say, player=LONG, takes=cards("4b 3s 2d"), options=cards("Cd Cc Cs Cb")),
    "unseen_one": lambda say: screens.unseen(say, player=LONG, takes=cards("4b 3s 2d"), options=cards("Cd")),
    "pick_card": lambda say: screens.pick_card(say, card=card("Cb"), suit_moves=True),
    "pick_takes": lambda say: screens.pick_takes(say, card=card("Rb"), takes=MANY[:6]),
    "pick_nothing": lambda say: screens.pick_takes(say, card=card("Rb"), takes=()),
    "dispute": lambda say: screens.dispute(
        say, last=True, player=LONG, card=card("Cb"), takes=cards("4b 3s 2d"), number=114
    ),
    "dispute_laid": lambda say: screens.dispute(say, last=False, player=LONG, card=None, takes=(), number=114),
    "dispute_none": lambda say: screens.dispute(say, last=True, player="", card=None, takes=(), number=None),
    "undo": lambda say: screens.undo(say, number=114, back=cards("4b 3s 2d"), remove=(), player=LONG, card=card("Cb")),
    "claim": lambda say: screens.claim(
        say, player=LONG, target=31, certain=30, possible=["primiera", "denari", "settebello"]
    ),
    "light": lambda say: screens.light(say, seconds=10),
    "glare": lambda say: screens.glare(say, count=10, where="bottom_right"),
    "glare_one": lambda say: screens.glare(say, count=1, where="centre"),
    "off": lambda say: screens.off(say, number=None),
    "end_settled": lambda say: screens.end(
        say, hand=3, left=(), owner=None, names=SIDES, piles=(19, 21), debts=0, settled=True
    ),
    "count_begin": lambda say: screens.count(
        say, player="SUD", seen=0, expected=21, missing=cards("7c 5c Rb 2d"), begun=False
    ),
    "wrong_pile_left": lambda say: screens.wrong_pile(
        say, card=card("5c"), at="NORD", by="SUD", number=None, played=None, takes=()
    ),
    "score_told": lambda say: screens.score(
        say, hand=3, names=SIDES, items=items(), points=(2, 5), totals=(9, 10), told=True
    ),
    "undecided": lambda say: screens.undecided(
        say, hands=[12, 13, 14], items=["denari", "settebello", "primiera", "napola"]
    ),
    "correct": lambda say: screens.correct(
        say, number=12, names=FOUR, points=("0-1", "2", "3", "10-11"), totals=("19-21", "20", "30", "12-15")
    ),
    "took_accepted": lambda say: screens.took(
        say, player=LONG, card=card("Rb"), takes=cards("7d Ac 2s"), table=MANY[3:], accepted=True
    ),
    "end": lambda say: screens.end(say, hand=12, left=MANY, owner=LONG, names=THREE, piles=(19, 11, 10), debts=1),
    "count": lambda say: screens.count(say, player=LONG, seen=7, expected=21, missing=MANY),
    "count_bad": lambda say: screens.count_bad(say, player=LONG, expected=21, seen=17, missing=MANY[:4], other=OTHER),
    "wrong_pile": lambda say: screens.wrong_pile(
        say, card=card("5c"), at=LONG, by=OTHER, number=122, played=card("Cb"), takes=cards("4b 5c")
    ),
    "score_napola": lambda say: screens.score(
        say,
        hand=12,
        names=SIDES,
        items=items(ScoreItem("napola", (0, 3))),
        points=((1, 2), (9, 11)),
        totals=((19, 20), 30),
        sheet=1,
    ),
    "score_three": lambda say: screens.score(
        say,
        hand=12,
        names=THREE,
        items=[
            ScoreItem("carte", (1, 0, 0), (20, 10, 10)),
            ScoreItem("settebello", ((0, 1), (0, 1), 0)),
            ScoreItem("primiera", (0, 1, 0), (None, 76, 84)),
        ],
        points=(1, 2, (0, 10)),
        totals=(15, 16, 17),
    ),
    "score_four": lambda say: screens.score(
        say, hand=12, names=FOUR, items=FOUR_SIDES, points=(1, 0, 3, 10), totals=(15, 16, 17, 20), sheet=0
    ),
    "tie": lambda say: screens.tie(say, names=THREE, totals=(21, 21, 20), dealer=LONG),
    "win": lambda say: screens.win(
        say, winner=LONG, names=FOUR, totals=(31, 12, 11, 10), hands=1, minutes=100, number=1400, overruled=3
    ),
}

USUAL |= SETTE_USUAL
HARDEST |= {f"sette_{name}": maker for name, maker in SETTE_HARDEST.items()}
