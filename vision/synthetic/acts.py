"""What people do with cards: deal, play, capture in several ways, put back, gather, count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from engine.cards import Card
from vision.synthetic.scene import Pose, Thing
from vision.synthetic.stage import Scenes, Stage

Manner = Literal["shown", "dropped", "at once", "in two"]
"""How a capture is made: the card lies there alone first, falls on what it takes, or never lies; `in two` movements."""

_PILE_SHOWN = 4
"""Backs of a pile that are kept as things of their own; what lies under them cannot be seen."""


def face(card: Card, pose: Pose) -> Thing:
    """A card face up."""
    return Thing(str(card), "face", pose, card)


def lay(stage: Stage, player: int, card: Card, pose: Pose | None = None) -> Scenes:
    """Lay a card on the table and take the hand away."""
    yield from _bring(stage, player, card, pose)
    yield from stage.leave(player)


def _bring(stage: Stage, player: int, card: Card, pose: Pose | None) -> Scenes:
    seat = stage.seats[player]
    place = pose or stage.layout.free_place(tuple(stage.lying), stage.pack, seat, stage.rng)
    yield from _from_hand(stage, player, card, place)
    stage.drop(player, face(card, place))


def _from_hand(stage: Stage, player: int, card: Card, place: Pose) -> Scenes:
    """Bring a card over a place: out of the hand, or from before the player if it was shown for a knock."""
    shown = next((thing for thing in stage.lying if thing.key == f"shown {card}"), None)
    if shown is None:
        stage.enter(player, face(card, place))
    else:
        yield from stage.reach(player, (shown.pose.x, shown.pose.y), stage.pace.reach)
        stage.take(player, replace(shown, key=str(card)))
        stage.lying.remove(shown)
    yield from stage.reach(player, (place.x, place.y), stage.pace.reach)


def knock(stage: Stage, player: int, cards: Sequence[Card]) -> Scenes:
    """Show the three fresh cards of a knock (Cirulla): they stay face up before the player until they are played."""
    seat = stage.seats[player]
    places = [stage.layout.at_seat(seat, 66.0 * k - 130, 62) for k in range(len(cards))]
    poses = [Pose(*place, stage.layout.turn(seat) + float(stage.rng.normal(0, 4))) for place in places]
    stage.enter(player, *(face(card, pose) for card, pose in zip(cards, poses, strict=True)))
    for card, pose in zip(cards, poses, strict=True):
        yield from stage.reach(player, (pose.x, pose.y), stage.pace.carry)
        stage.let_go(player, str(card))
        stage.lying.append(Thing(f"shown {card}", "face", pose, card))
    yield from stage.leave(player)


def take_up_shown(stage: Stage, player: int, cards: Sequence[Card]) -> Scenes:
    """A player takes the cards that he has shown back into his hand."""
    shown = [thing for thing in stage.lying if thing.key.startswith("shown") and thing.card in cards]
    yield from _gather(stage, player, shown)
    yield from stage.leave(player)


def take_table(stage: Stage, player: int, owner: int, cards: Sequence[Card], marks: int) -> Scenes:
    """The dealer takes a first table that makes 15 or 30; a card for each scopa is left face up under the pile."""
    for mark in range(marks):
        share = [cards[mark]] if mark < marks - 1 else list(cards[mark:])
        yield from _gather(stage, player, [stage.find(card) for card in share])
        yield from to_pile(stage, player, owner, cards[mark])
    yield from stage.leave(player)


def capture(
    stage: Stage, player: int, card: Card, takes: Sequence[Card], owner: int, manner: Manner, scopa: bool
) -> Scenes:
    """Play a card, take others with it, and carry all to the pile of `owner`."""
    first = stage.find(takes[0])
    if manner == "at once":
        yield from _from_hand(stage, player, card, first.pose)
    elif manner == "dropped":
        turn = float(stage.rng.uniform(-25, 25))
        x, y = (float(way) for way in stage.rng.uniform(-22, 22, 2))
        pose = first.pose.shifted(x, y, turn)
        yield from _bring(stage, player, card, pose)
        yield from stage.wait(stage.pace.pick)
    else:
        yield from lay(stage, player, card)
        yield from stage.wait(float(stage.rng.uniform(0.2, 0.2 + 0.5 * stage.pace.still)))
    groups = [list(takes)]
    if manner == "in two" and len(takes) > 1:
        groups = [list(takes[:1]), list(takes[1:])]
    if manner != "at once":
        groups[-1].append(card)
    for number, group in enumerate(groups):
        last = number == len(groups) - 1
        yield from _gather(stage, player, [stage.find(one) for one in group])
        yield from to_pile(stage, player, owner, card if scopa and last else None)
    yield from stage.leave(player)


def _gather(stage: Stage, player: int, things: Iterable[Thing]) -> Scenes:
    """Slide the fingers from card to card; each follows the hand from then on."""
    for thing in things:
        yield from stage.reach(player, (thing.pose.x, thing.pose.y), stage.pace.pick + 0.1)
        stage.take(player, thing)


def to_pile(stage: Stage, player: int, owner: int, mark: Card | None = None) -> Scenes:
    """Carry what the hand holds to a pile and lay it face down; `mark` stays face up, crosswise under the pile."""
    if not stage.piles:
        return
    pose = stage.layout.pile(stage.seats[owner])
    half_way = stage.frames(stage.pace.carry) // 2
    for step, scene in enumerate(stage.reach(player, (pose.x, pose.y), stage.pace.carry)):
        yield scene
        if step >= half_way:
            stage.carried[player] = [replace(t, kind="back") for t in stage.carried[player]]
    for thing in list(stage.carried[player]):
        if thing.card == mark and mark is not None:
            aside = float(stage.rng.uniform(-8, 8))
            crosswise = pose.shifted(aside, aside, 90 + float(stage.rng.uniform(-6, 6)))
            stage.let_go(player, thing.key)
            stage.lying.insert(0, Thing(f"mark {mark}", "face", crosswise, mark))
        else:
            put_on_pile(stage, player, owner, thing)


def put_on_pile(stage: Stage, player: int, owner: int, thing: Thing) -> None:
    """One card falls on a pile; what is far below is no longer kept."""
    pose = stage.layout.pile(stage.seats[owner])
    x, y, turn = (float(stage.rng.normal(0, spread)) for spread in (1.5, 1.5, 2.0))
    stage.let_go(player, thing.key)
    stage.lying.append(Thing(f"pile {owner} {thing.key}", "back", pose.shifted(x, y, turn), thing.card))
    shown = pile_of(stage, owner)
    for buried in shown[:-_PILE_SHOWN]:
        stage.lying.remove(buried)


def pile_of(stage: Stage, owner: int) -> list[Thing]:
    """The backs of a pile that are kept, from bottom to top."""
    return [thing for thing in stage.lying if thing.key.startswith(f"pile {owner} ")]


def put_back(stage: Stage, player: int, owner: int, card: Card, old: Sequence[Thing]) -> Scenes:
    """Undo a play: the cards `old` return from the pile to where they lay, `card` goes back into the hand."""
    if old:
        pile = stage.layout.pile(stage.seats[owner])
        if stage.piles:
            yield from stage.reach(player, (pile.x, pile.y), stage.pace.reach)
        else:
            stage.enter(player)
        back = {f"pile {owner} {one.key}" for one in (*old, face(card, pile))} | {f"mark {card}"}
        stage.lying = [thing for thing in stage.lying if thing.key not in back]
        hand = Pose(*stage.fingers(player), pile.turn, 12.0)
        stage.carried[player] = [replace(thing, pose=hand) for thing in (*old, face(card, hand))]
        for thing in old:
            yield from stage.reach(player, (thing.pose.x, thing.pose.y), stage.pace.pick + 0.2)
            stage.drop(player, thing)
    else:
        laid = stage.find(card)
        yield from stage.reach(player, (laid.pose.x, laid.pose.y), stage.pace.reach)
        stage.take(player, laid)
    yield from stage.leave(player)


def lay_stock(stage: Stage, dealer: int) -> Scenes:
    """The dealer puts the shuffled pack down."""
    pose = stage.layout.stock()
    stage.enter(dealer, Thing("stock 0", "back", pose))
    yield from stage.reach(dealer, (pose.x, pose.y), stage.pace.reach)
    for k in range(3):
        x, y, turn = (float(stage.rng.normal(0, spread)) for spread in (2.0, 2.0, 3.0))
        stage.drop(dealer, Thing(f"stock {k}", "back", pose.shifted(x, y, turn)))


def shuffle(stage: Stage, dealer: int) -> Scenes:
    """The next dealer lays the pack before him, puts its upper half aside and the lower one on it, and takes it up."""
    seat = stage.seats[dealer]
    places = [stage.layout.at_seat(seat, aside, 80) for aside in (-40.0, 40.0)]
    heaps = [Thing(f"shuffled {k}", "back", Pose(*place, stage.layout.turn(seat))) for k, place in enumerate(places)]
    stage.enter(dealer, heaps[0], heaps[1])
    yield from stage.reach(dealer, places[0], stage.pace.reach)
    stage.drop(dealer, heaps[0])
    yield from stage.reach(dealer, places[1], stage.pace.carry)
    stage.drop(dealer, heaps[1])
    yield from stage.reach(dealer, places[0], stage.pace.pick)
    stage.take(dealer, heaps[0])
    yield from stage.reach(dealer, places[1], stage.pace.carry)
    stage.take(dealer, heaps[1])
    yield from stage.leave(dealer)


def deal_hands(stage: Stage, dealer: int, order: Sequence[int], last: bool) -> Scenes:
    """A packet of backs goes to each player, who takes it up; `last`: the stock is used up by it."""
    stock = stage.layout.stock()
    for player in order:
        yield from stage.reach(dealer, (stock.x, stock.y), stage.pace.pick)
        place = stage.layout.at_seat(stage.seats[player], float(stage.rng.uniform(-60, 60)), 70)
        packet = Thing(f"packet {player}", "back", Pose(*place, stage.layout.turn(stage.seats[player])))
        hand = replace(stock, turn=packet.pose.turn, z=12.0)
        stage.carried[dealer] = [replace(packet, pose=hand)]
        if last and player == order[-1]:
            stage.lying = [thing for thing in stage.lying if not thing.key.startswith("stock")]
        yield from stage.reach(dealer, place, stage.pace.carry)
        stage.drop(dealer, packet)
    yield from stage.leave(dealer)
    for player in order:
        packet = next(thing for thing in stage.lying if thing.key == f"packet {player}")
        yield from stage.reach(player, (packet.pose.x, packet.pose.y), stage.pace.reach * 0.7)
        stage.take(player, packet)
        yield from stage.leave(player, stage.pace.reach * 0.7)


def deal_table(stage: Stage, dealer: int, cards: Sequence[Card]) -> Scenes:
    """The dealer turns the first cards face up, one after the other."""
    stock = stage.layout.stock()
    for card in cards:
        yield from stage.reach(dealer, (stock.x, stock.y), stage.pace.pick)
        pose = stage.layout.free_place(tuple(stage.lying), stage.pack, stage.seats[dealer], stage.rng)
        stage.carried[dealer] = [face(card, replace(stock, z=12.0))]
        yield from stage.reach(dealer, (pose.x, pose.y), stage.pace.carry)
        stage.drop(dealer, face(card, pose))


def gather_rest(stage: Stage, player: int, owner: int, cards: Sequence[Card]) -> Scenes:
    """After the last play the cards that are left go to the pile of the last capture."""
    yield from _gather(stage, player, [stage.find(card) for card in cards])
    yield from to_pile(stage, player, owner)
    yield from stage.leave(player)


def fan_out(stage: Stage, player: int, owner: int, cards: Sequence[Card], at_a_time: int = 12) -> Scenes:
    """Spread a pile face up in the middle in portions, so that each card shows a strip; then take it up again."""
    pile = stage.layout.pile(stage.seats[owner])
    for start in range(0, len(cards), at_a_time):
        portion = cards[start : start + at_a_time]
        yield from stage.reach(player, (pile.x, pile.y), stage.pace.reach)
        shown = []
        for k, card in enumerate(portion):
            place = Pose(-0.5 * stage.layout.half_x + k % 6 * 34.0, -70.0 + k // 6 * 125, 4.0 * (k % 6) - 10)
            yield from stage.reach(player, (place.x, place.y), stage.pace.pick)
            shown.append(face(card, place))
            stage.lying.append(shown[-1])
        yield from stage.leave(player)
        yield from stage.wait(2 * stage.pace.still)
        yield from stage.reach(player, (shown[0].pose.x, shown[0].pose.y), stage.pace.reach)
        stage.take(player, *shown)
        yield from stage.reach(player, (pile.x, pile.y), stage.pace.carry)
        for thing in shown:
            put_on_pile(stage, player, owner, thing)
        yield from stage.leave(player)


def clear(stage: Stage, player: int) -> Scenes:
    """Take up every card that is left for the next shuffle."""
    for thing in [thing for thing in stage.lying if thing.kind in ("face", "back")]:
        if thing in stage.lying:
            yield from stage.reach(player, (thing.pose.x, thing.pose.y), stage.pace.carry)
            near = [one for one in stage.lying if _near(one.pose, thing.pose) and one.kind in ("face", "back")]
            stage.take(player, *near)
    if player in stage.arms:
        yield from stage.leave(player)


def _near(one: Pose, other: Pose) -> bool:
    return abs(one.x - other.x) + abs(one.y - other.y) < 60
