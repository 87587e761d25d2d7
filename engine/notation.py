"""A match as a text that people can read and write: headers, one entry a line, comments, the result.

    Variant: scopa_2
    Players: Anna, Bruno
    Dealer: Bruno
    Date: 2026-11-30

    deal 2d 6c Cc 2s
    1. Anna: 7d
    2. Bruno: 6s x 6c          ; after a semicolon a comment
    3. Anna: 7c|7s x 3d+4c     ; an open play: one of these cards
    undo
    result 11-7 Anna

`Variant`, `Players` and `Dealer` (in Sette e mezzo the first bank) are needed, `Rules: target=16 napola=true` may be
there, other headers are kept. `?` is a card that nobody knows. Whatever the record: `parse(format_record(it)) == it`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

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
        lines.append(_result(record, record.outcome))
    return "\n".join(lines) + "\n"


def _line(record: Record, entry: Entry, number: int) -> str:
    text = _words(record, entry)
    if isinstance(entry, Played):
        text = f"{number}. {text}"
    return f"{text} ; {entry.comment}".strip() if entry.comment or not text else text


def _words(record: Record, entry: Entry) -> str:
    if isinstance(entry, Dealt):
        return " ".join(["deal", *(str(card) if card else "?" for card in entry.cards)])
    if isinstance(entry, Marked):
        return entry.word
    name = record.players[entry.player]
    if isinstance(entry, Played):
        card = "|".join(map(str, entry.cards)) or "?"
        takes = " x " + "+".join(map(str, entry.takes)) if entry.takes else ""
        return f"{name}: {card}{takes}"
    if isinstance(entry, Knocked):
        said = [entry.kind, None if entry.value is None else str(entry.value)]
        return " ".join([f"{name}: knock", *(word for word in said if word), *map(str, entry.cards)])
    return " ".join([f"{name}: {entry.verb}", *map(str, entry.numbers), *map(str, entry.cards)])


def _result(record: Record, outcome: Outcome) -> str:
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

    def card(self) -> Card:
        try:
            return Card.parse(self.text)
        except InvalidPlay as error:
            raise NotationError(self.line, self.column, str(error)) from error

    def number(self, expected: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,9}", self.text):
            raise self.error(expected)
        return int(self.text)


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
    return reader.record(len(lines))


@dataclass
class _Reader:
    """What has been read so far."""

    headers: dict[str, _Word] = field(default_factory=dict)
    rules: RuleSet = field(default_factory=RuleSet)
    players: tuple[str, ...] = ()
    entries: list[Entry] = field(default_factory=list)
    outcome: Outcome | None = None

    def header(self, number: int, line: str) -> None:
        name, colon, value = line.partition(":")
        if not colon or name.strip() in self.headers:
            raise NotationError(
                number, 1, f"expected 'Header: value', each header once, or an empty line, got {line!r}"
            )
        column = len(name) + 2 + len(value) - len(value.lstrip())
        self.headers[name.strip()] = _Word(value.strip(), number, column)

    def start(self, line: int) -> None:
        """All headers are there: the rules and the names follow from them."""
        for needed in ("Variant", "Players", "Dealer"):
            if needed not in self.headers:
                raise NotationError(line + 1, 1, f"expected a header {needed}, got none")
        self.rules = _rules(self.headers["Variant"], self.headers.get("Rules"))
        self.players = tuple(name.text.strip() for name in self.headers["Players"].split(","))

    def entry(self, number: int, line: str) -> None:
        said, semicolon, comment = line.partition(";")
        words = [_Word(found.group(), number, found.start() + 1) for found in re.finditer(r"\S+", said)]
        if not words:
            if semicolon:
                self.entries.append(Marked("", comment.strip()))
            return
        if self.outcome is not None:
            raise words[0].error("nothing after the result")
        if words[0].text == "result":
            self.outcome = self._outcome(words, said)
        else:
            self.entries.append(self._entry(words, said, comment.strip()))

    def _entry(self, words: list[_Word], said: str, comment: str) -> Entry:
        if ":" in said:
            return self._of_player(words[0].line, said, comment)
        if words[0].text == "deal":
            return Dealt(tuple(None if word.text == "?" else word.card() for word in words[1:]), comment)
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
        name = said[words[1].column - 1 + len(words[1].text) :].strip()
        winner = self._player(_Word(name, words[0].line, words[-1].column)) if name else None
        return Outcome(totals, winner)

    def record(self, line: int) -> Record:
        """All that was read. Raises `NotationError` for names or headers that cannot be."""
        try:
            return Record(
                rules=self.rules,
                players=self.players,
                dealer=self._player(self.headers["Dealer"]),
                entries=tuple(self.entries),
                outcome=self.outcome,
                headers=tuple((name, word.text) for name, word in self.headers.items() if name not in KNOWN_HEADERS),
            )
        except NotationError:
            raise
        except InvalidPlay as error:
            raise NotationError(line, 1, str(error)) from error


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
    cards = () if words[0].text == "?" else tuple(part.card() for part in words[0].split("|"))
    if len(words) == 1:
        return Played(player, cards, (), comment)
    if words[1].text != "x" or len(words) != 3:
        raise words[1].error("nothing more, or 'x' and the cards taken joined by '+'")
    return Played(player, cards, tuple(part.card() for part in words[2].split("+")), comment)


def _knocked(player: int, words: list[_Word], comment: str) -> Knocked:
    rest = list(words)
    kind = rest.pop(0).text if rest and rest[0].text in {"low", "three"} else None
    value = _matta(rest.pop(0)) if rest and rest[0].text.isdecimal() else None
    cards = tuple(word.card() for word in rest)
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
    cards = tuple(word.card() for word in words[1:] if word not in numbers)
    return Said(player, words[0].text, tuple(word.number("a number") for word in numbers), cards, comment)
