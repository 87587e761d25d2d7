"""The page that `make accuracy` writes: tables, what was confused, and plots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.accuracy.sources import RENDERED, TUNED
from tests.accuracy.tally import Tally

HEADS = (
    "set", "pictures", "cards", "recall", "wrong", "unreadable", "corners (median, 99 %)", "worst suit", "worst card",
    "calibration error", "ms (median)",
)  # fmt: skip
WHAT = {
    "normal": "Rendered: three to ten cards, separate or touching lightly, tilt to 7 degrees, stock and piles, some"
    " with a card that sticks out. Every card must be read.",
    "hard": "Rendered: cards on one another at any angle, tilt to 22 degrees, glare, dim and uneven light, any cloth,"
    " an arm over two tables in five. A card must be read if at least 35 % of its face shows.",
    "empty": "Rendered: stock, piles with cards that stick out, glasses, phones, paper, coins and keys. No card must be"
    " told.",
    "recordings": "Frames at rest after each play of recorded hands, every card of the table.",
    "photos": "Photographs of real cards; sets without cards of the deck must give none. What their labels call"
    " doubtful counts for wrong names only.",
}
"""What the pictures of a source show, and which of their cards must be read."""


@dataclass(frozen=True, slots=True)
class Section:
    """The counts of a source's sets, by their names."""

    source: str
    sets: dict[str, Tally]

    @property
    def wrong(self) -> list[str]:
        """Every card that was named wrongly."""
        return [line for tally in self.sets.values() for line in tally.wrong]

    @property
    def groups(self) -> dict[str, Tally]:
        """The sets joined: decks on which the reader was tuned, and those that judge it; else all."""
        wanted: dict[str, Callable[[str], bool]] = {"**all**": lambda name: True}
        if self.source in RENDERED:
            wanted = {"**tuned on**": lambda name: name in TUNED, "**judged by**": lambda name: name not in TUNED}
        joined = {group: Tally() for group in wanted}
        for group, belongs in wanted.items():
            for name, tally in self.sets.items():
                if belongs(name):
                    joined[group].join(tally)
        return {group: tally for group, tally in joined.items() if tally.pictures}

    @property
    def judge(self) -> Tally:
        """The counts that judge."""
        return list(self.groups.values())[-1]


def table(section: Section) -> str:
    """A row a set, then the groups."""
    rows = [HEADS, ("---",) * len(HEADS)]
    rows += [_row(name, tally) for name, tally in (*section.sets.items(), *section.groups.items())]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    middle, most = np.percentile(tally.corners, [50, 99]) * 100 if tally.corners else (0, 0)
    needed = sum(tally.needed.values())
    return (
        name, str(tally.pictures), str(needed), f"{tally.recall:.4f}" if needed else "-", str(len(tally.wrong)),
        str(tally.unreadable), f"{middle:.1f} %, {most:.1f} %" if tally.corners else "-", tally.worst_suit(),
        tally.worst_card(), f"{tally.calibration_error():.4f}" if tally.told else "-",
        f"{np.median(tally.seconds or [0]) * 1000:.0f}",
    )  # fmt: skip


def page(file: Path, sections: list[Section], scenes: int, seed: int) -> None:
    """Write the Markdown page and its plots, which have its name and lie beside it."""
    parts = [
        "# Accuracy of single pictures",
        f"Written by `make accuracy` ({scenes} rendered tables a deck and kind, seeds from {seed}); every number here"
        " was counted by it. A reading counts as wrong if it names a card that does not lie there; *unreadable* are"
        " those told with candidates only. Corners: largest error of a card's corners, as a share of its long side."
        " Calibration error: of the probabilities of sure readings, in ten bins of equal counts (Naeini et al., AAAI"
        f" 2015). The decks on which the reader was tuned are {', '.join(TUNED)}; the others judge it. Milliseconds are"
        " of one core of the machine that ran it.",
    ]
    for section in sections:
        parts += [f"## {section.source}", WHAT[section.source], table(section)]
        parts += ["Named wrongly:", "\n".join(f"- {line}" for line in section.wrong)] if section.wrong else []
        parts += _details(section)
    parts += _plots(file, [section for section in sections if section.judge.needed])
    file.write_text("\n\n".join(parts) + "\n")


def _details(section: Section) -> list[str]:
    """Suits, the cards missed most, and between which cards the reader was in doubt."""
    tally = section.judge
    if not tally.needed:
        return []
    suits = ", ".join(f"{letter} {share:.4f}" for letter, share in tally.suits().items())
    cards = sorted(tally.needed, key=lambda card: (tally.right[card] / tally.needed[card], str(card)))
    missed = ", ".join(f"{card} {tally.right[card]}/{tally.needed[card]}" for card in cards[:8])
    doubts = ", ".join(f"{pair} ({count})" for pair, count in tally.doubted.most_common(8)) or "none"
    return [
        f"Recall by suit: {suits}.",
        f"Cards missed most: {missed}.",
        f"In doubt (card, first candidate): {doubts}.",
    ]


def _plots(file: Path, sections: list[Section]) -> list[str]:
    if not sections:
        return []
    from matplotlib.figure import Figure

    file.parent.mkdir(parents=True, exist_ok=True)
    bars = Figure(figsize=(8, 2.6 * len(sections)), layout="constrained")
    for axes, section in zip(np.atleast_1d(bars.subplots(len(sections))), sections, strict=True):
        names = [name for name, tally in section.sets.items() if tally.needed]
        axes.bar(names, [section.sets[name].recall for name in names],
                 color=["0.7" if name in TUNED else "tab:green" for name in names])  # fmt: skip
        axes.set(title=section.source, ylabel="recall", ylim=(0.5, 1.0))
        axes.set_xticks(range(len(names)), [name.replace("__", "\n") for name in names], rotation=90, fontsize=5)
    right = Figure(figsize=(4, 4), layout="constrained")
    axes = right.subplots()
    axes.plot([0, 1], [0, 1], color="0.8")
    for section in sections:
        told = section.judge.every_told
        bins = [part for part in np.array_split(np.array(sorted(told)), min(8, len(told))) if len(part)]
        axes.plot([b[:, 0].mean() for b in bins], [b[:, 1].mean() for b in bins], "o-", ms=3, label=section.source)
    axes.set(xlabel="probability told, sure or not", ylabel="share right", xlim=(0, 1.02), ylim=(0, 1.02))
    axes.legend(fontsize=7)
    for name, figure in (("recall", bars), ("calibration", right)):
        figure.savefig(file.with_name(f"{file.stem}-{name}.png"), dpi=90, metadata={"Software": None})
    return [
        "## Plots",
        f"![Recall by set; grey: decks tuned on]({file.stem}-recall.png)",
        f"![Probability told and share right]({file.stem}-calibration.png)",
    ]
