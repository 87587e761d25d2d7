"""All screens by name, and the one that a moment of the match shows: pure functions of facts."""

from __future__ import annotations

from firmware.screens_hand import ScoreItem, claim, count, count_bad, dispute, end, score, tie, undo, win, wrong_pile
from firmware.screens_page import Screen
from firmware.screens_play import (
    bad_take,
    lost,
    must_take,
    out_turn,
    pick_card,
    pick_takes,
    play,
    put_back,
    scopa,
    took,
    turn,
    unseen,
    unsure,
)
from firmware.screens_start import boot, boot_nocam, deal, glare, light, off, redeal, resume, resume_diff
from firmware.screens_view import screen_for

__all__ = [
    "ScoreItem",
    "Screen",
    "screen_for",
    "bad_take",
    "boot",
    "boot_nocam",
    "claim",
    "count",
    "count_bad",
    "deal",
    "dispute",
    "end",
    "glare",
    "light",
    "lost",
    "must_take",
    "off",
    "out_turn",
    "pick_card",
    "pick_takes",
    "play",
    "put_back",
    "redeal",
    "resume",
    "resume_diff",
    "score",
    "scopa",
    "tie",
    "took",
    "turn",
    "undo",
    "unseen",
    "unsure",
    "win",
    "wrong_pile",
]
