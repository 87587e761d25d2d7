"""Statistics as pictures, drawn by matplotlib, which is there only where somebody wants them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from firmware.errors import FirmwareError, UsageError
from firmware.statistics import Tale

Drawn = Iterable[tuple[int, Mapping[str, list[int]]]]
"""Matches by number: the totals of each side after each hand."""


def write_plots(folder: Path, tales: Sequence[Tale], matches: Drawn) -> list[Path]:
    """`players.png`, matches played and won, and `match-0014.png`, the totals hand by hand; their paths.

    Raises `UsageError` where matplotlib is not installed, `FirmwareError` where nothing can be written.
    """
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError as error:
        raise UsageError(f"expected matplotlib for pictures (pip install arbitro[plots]), got: {error}") from error
    whole = MaxNLocator(integer=True)
    figure = Figure(figsize=(8, 1.5 + 0.45 * len(tales)), layout="constrained")
    axes = figure.add_subplot(title="Matches", xlabel="ended, and won of them")
    names = [tale.name for tale in tales][::-1]
    axes.barh(names, [tale.ended for tale in tales][::-1], color="#c8d4e0")
    axes.barh(names, [tale.won for tale in tales][::-1], color="#2f6690")
    axes.xaxis.set_major_locator(whole)
    written = {"players.png": figure}
    for number, lines in matches:
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot(title=f"Match {number}", xlabel="hands", ylabel="points")
        for name, totals in lines.items():
            axes.plot(totals, marker="o", label=name)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
        axes.legend()
        written[f"match-{number:04}.png"] = figure
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, each in written.items():
            each.savefig(folder / file, dpi=100)
    except OSError as error:
        raise FirmwareError(f"expected a folder that can be written, got {folder}: {error}") from error
    return [folder / file for file in written]
