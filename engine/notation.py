"""A match as a text that people can read and write: headers, one entry a line, comments, the result.

    Variant: scopa_2
    Players: Anna, Bruno
    Dealer: Bruno
    Date: 2026-11-30

    deal 2d 6c Cc 2s
    1. Anna: 7d
    2. Bruno: 6s x 6c          ; after a semicolon a comment
    3. Anna: 4c|4s x 2d+2s     ; an open play: one of these cards
    4. Bruno: 7c !             ; against the rules, but all accepted it
    undo
    result 11-7 Anna

`Variant`, `Players` and `Dealer` (in Sette e mezzo the first bank) are needed, `Rules: target=16 napola=true` may be
there, other headers are kept. `?` is a card that nobody knows. Whatever the record: `parse(format_record(it)) == it`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from engine.cards import Card
from engine.errors import EngineError, InvalidPlay, NotationError
from engine.record import (
    KNOWN_HEADERS,
    MARKS,
    VERBS,
    Dealt,
    Entry,
    Knocked,
    Marked,
    Outcome,
    Played,
    Record,
    Said,
    check_name,
    check_text,
    next_number,
)
from engine.rules import VARIANTS, RuleSet, changed, changes


def format_record(record: Record) -> str:
    """The text of a match."""
    lines = [f"Variant: {record.rules.variant}"]
    options = changes(record.rules)
    if options:
        lines.append("Rules: " + " ".join(f"{name}={value}" for name, value in options.items()))
    lines.append("Players: " + ", ".join(record.players))
    lines.append(f"Dealer: {record.players[record.dealer]}")
    lines += [f"{name}: {value}" for name, value in record.headers]
    lines.append("")
    for place, entry in enumerate(record.entries):
        number = next_number(record.entries[:place]) if isinstance(entry, Played) else 0
        lines.append(_line(record, entry, number))
    if record.outcome is not None:
        lines.append(format_outcome(record, record.outcome))
    return "\n".join(lines) + "\n"


def _line(record: Record, entry: Entry, number: int) -> str:
    text = format_entry(record, entry, number)
    return f"{text} ; {entry.comment}".strip() if entry.comment or not text else text


def format_entry(record: Record, entry: Entry, number: int) -> str:
    """One entry without its comment; `number` is that of a play."""
    if isinstance(entry, Dealt):
        return " ".join(["deal", *(str(card) if card else "?" for card in entry.cards)])
    if isinstance(entry, Marked):
        return entry.word
    name = record.players[entry.player]
    if isinstance(entry, Played):
        card = "|".join(map(str, entry.cards)) or "?"
        takes = " x " + "+".join(map(str, entry.takes)) if entry.takes else ""
        return f"{number}. {name}: {card}{takes}{' !' if entry.accepted else ''}"
    if isinstance(entry, Knocked):
        said = [entry.kind, None if entry.value is None else str(entry.value)]
        return " ".join([f"{name}: knock", *(word for word in said if word), *map(str, entry.cards)])
    return " ".join([f"{name}: {entry.verb}", *map(str, entry.numbers), *map(str, entry.cards)])


def format_outcome(record: Record, outcome: Outcome) -> str:
    """The result in one line; a pair is named by its first player."""
    winner = "" if outcome.winner is None else " " + record.players[outcome.winner]
    return "result " + "-".join(map(str, outcome.totals)) + winner


@dataclass(frozen=True, slots=True)
class _Word:
    """A piece of text with its place, both counted from 1."""

    text: str
    line: int
    column: int

    def error(self, expected: str) -> NotationError:
        return NotationError(self.line, self.column, f"expected {expected}, got {self.text!r}")

    def split(self, separator: str) -> Iterator[_Word]:
        column = self.column
        for part in self.text.split(separator):
            yield _Word(part, self.line, column)
            column += len(part) + 1

    def stripped(self) -> _Word:
        """The text without blanks at its ends, at its own place."""
        return _Word(self.text.strip(), self.line, self.column + len(self.text) - len(self.text.lstrip()))

    def card(self) -> Card:
        try:
            return Card.parse(self.text)
        except InvalidPlay as error:
            raise NotationError(self.line, self.column, str(error)) from error

    def number(self, expected: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,9}", self.text):
            raise self.error(expected)
        return int(self.text)

    def located(self, check: Callable[[str], None]) -> str:
        """The text if it passes a check of `engine.record`; its complaint gets this place."""
        try:
            check(self.text)
        except InvalidPlay as error:
            raise NotationError(self.line, self.column, str(error)) from error
        return self.text


def _different(words: Iterable[_Word]) -> tuple[Card, ...]:
    """The cards that the words name, each once."""
    cards: dict[Card, None] = {}
    for word in words:
        card = word.card()
        if card in cards:
            raise word.error("each card once")
        cards[card] = None
    return tuple(cards)


def parse(text: str) -> Record:
    """The match that a text holds. Raises `NotationError` with line and column for anything else."""
    lines = text.splitlines()
    # Headers end with the first empty line, so that an entry may hold a colon.
    end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    reader = _Reader()
    for number, line in enumerate(lines[:end], 1):
        reader.header(number, line)
    reader.start(end)
    for number, line in enumerate(lines[end:], end + 1):
        reader.entry(number, line)
    return reader.record()


@dataclass
class _Reader:
    """What has been read so far."""

    headers: dict[str, _Word] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    read: Record = field(init=False)
    entries: list[Entry] = field(default_factory=list)
    outcome: Outcome | None = None

    def header(self, number: int, line: str) -> None:
        name, colon, value = line.partition(":")
        if not colon or name.strip() in self.headers:
            raise NotationError(
                number, 1, f"expected 'Header: value', each header once, or an empty line, got {line!r}"
            )
        key, word = _Word(name, number, 1).stripped(), _Word(value, number, len(name) + 2).stripped()
        if key.text not in KNOWN_HEADERS:
            key.located(check_name)
        word.located(check_text)
        self.headers[key.text] = word

    def start(self, line: int) -> None:
        """All headers are there: the rules and the names follow from them."""
        for needed in ("Variant", "Players", "Dealer"):
            if needed not in self.headers:
                raise NotationError(line + 1, 1, f"expected a header {needed}, got none")
        rules = _rules(self.headers["Variant"], self.headers.get("Rules"))
        names = self.headers["Players"]
        self.players = tuple(name.stripped().located(check_name) for name in names.split(","))
        dealer = self._player(self.headers["Dealer"])
        try:
            self.read = Record(rules, self.players, dealer)
        except InvalidPlay as error:
            raise NotationError(names.line, names.column, str(error)) from error

    def entry(self, number: int, line: str) -> None:
        said, semicolon, after = line.partition(";")
        comment = _Word(after.replace("\t", " "), number, len(said) + 2).stripped().located(check_text)
        words = [_Word(found.group(), number, found.start() + 1) for found in re.finditer(r"\S+", said)]
        if not words:
            if semicolon:
                self.entries.append(Marked("", comment))
            return
        if self.outcome is not None:
            raise words[0].error("nothing after the result")
        if words[0].text == "result":
            self.outcome = self._outcome(words, said)
        else:
            self.entries.append(self._entry(words, said, comment))

    def _entry(self, words: list[_Word], said: str, comment: str) -> Entry:
        if ":" in said:
            return self._of_player(words[0].line, said, comment)
        if words[0].text == "deal":
            known = iter(_different(word for word in words[1:] if word.text != "?"))
            return Dealt(tuple(None if word.text == "?" else next(known) for word in words[1:]), comment)
        if words[0].text not in MARKS or len(words) > 1:
            raise words[0].error("'deal', 'undo', 'shuffle', 'result' or 'NAME: ...' alone on the line")
        return Marked(words[0].text, comment)

    def _of_player(self, line: int, said: str, comment: str) -> Entry:
        before, _, after = said.partition(":")
        # A name never begins with a number and a dot (`Record` sees to it), so these are the play's.
        numbered = re.match(r"\s*([0-9]+)\.", before)
        name = _Word(before[numbered.end() :].strip() if numbered else before.strip(), line, 1)
        player = self._player(name)
        offset = len(before) + 2
        words = [_Word(found.group(), line, found.start() + offset) for found in re.finditer(r"\S+", after)]
        if not words:
            raise NotationError(line, offset, f"expected what {name.text} does, got nothing")
        if numbered:
            self._check_number(_Word(numbered.group(1), line, numbered.start(1) + 1))
            return _played(player, words, comment)
        if words[0].text == "knock":
            return _knocked(player, words[1:], comment)
        return _said(player, words, comment)

    def _check_number(self, number: _Word) -> None:
        due = next_number(self.entries)
        if number.text != str(due):
            raise number.error(f"play number {due}")

    def _player(self, name: _Word) -> int:
        if name.text not in self.players:
            raise name.error(f"a player of {', '.join(self.players)}")
        return self.players.index(name.text)

    def _outcome(self, words: list[_Word], said: str) -> Outcome:
        if len(words) < 2:
            raise words[0].error("'result TOTALS WINNER'")
        totals = tuple(number.number("totals such as 11-7") for number in _totals(words[1]))
        sides = self.read.sides
        if len(totals) != len(set(sides)):
            raise words[1].error(f"the totals of {len(set(sides))} sides")
        name = said[words[1].column - 1 + len(words[1].text) :].strip()
        # Either player of a pair names it.
        winner = sides[self._player(_Word(name, words[0].line, words[2].column))] if name else None
        return Outcome(totals, winner)

    def record(self) -> Record:
        """All that was read."""
        headers = tuple((name, word.text) for name, word in self.headers.items() if name not in KNOWN_HEADERS)
        return replace(self.read, entries=tuple(self.entries), outcome=self.outcome, headers=headers)


def _rules(name: _Word, options: _Word | None) -> RuleSet:
    pairs = [] if options is None else [pair.partition("=") for pair in options.text.split()]
    try:
        return changed(name.text, {key: value for key, _, value in pairs})
    except EngineError as error:
        where = options if options is not None and name.text in VARIANTS else name
        raise NotationError(where.line, where.column, str(error)) from error


def _totals(word: _Word) -> Iterator[_Word]:
    """The numbers of `11-7`; a minus before a number is its sign (`-30-130`)."""
    for found in re.finditer(r"(?:(?<=-)|\A)-?[^-]*(?:-|\Z)", word.text):
        yield _Word(found.group().removesuffix("-"), word.line, word.column + found.start())


def _played(player: int, words: list[_Word], comment: str) -> Played:
    cards = () if words[0].text == "?" else _different(words[0].split("|"))
    accepted = words[-1].text == "!"
    rest = words[1 : len(words) - accepted]
    if not rest:
        return Played(player, cards, (), comment, accepted)
    if rest[0].text != "x" or len(rest) != 2:
        raise rest[0].error("nothing more, '!', or 'x' and the cards taken joined by '+'")
    return Played(player, cards, _different(rest[1].split("+")), comment, accepted)


def _knocked(player: int, words: list[_Word], comment: str) -> Knocked:
    rest = list(words)
    kind = rest.pop(0).text if rest and rest[0].text in {"low", "three"} else None
    value = _matta(rest.pop(0)) if rest and rest[0].text.isdecimal() else None
    cards = _different(rest)
    return Knocked(player, cards, None if kind is None else ("low" if kind == "low" else "three"), value, comment)


def _matta(word: _Word) -> int:
    value = word.number("a value from 1 to 10")
    if not 1 <= value <= 10:
        raise word.error("a value from 1 to 10")
    return value


def _said(player: int, words: list[_Word], comment: str) -> Said:
    if words[0].text not in VERBS:
        raise words[0].error(f"a play with its number, 'knock' or one of {', '.join(VERBS)}")
    numbers = [word for word in words[1:] if re.fullmatch(r"[0-9]+", word.text)]
    cards = _different(word for word in words[1:] if word not in numbers)
    return Said(player, words[0].text, tuple(word.number("a number") for word in numbers), cards, comment)
