"""A whole hand: set up by buttons, played under the camera, counted on the display."""

from __future__ import annotations

import json
import time
import zlib
from pathlib import Path
from typing import Any

import appliance
import rig

from firmware.events import Hand, Played, Settled
from firmware.store import Store

HAND = Path("/host/hand")


def whole_hand() -> str:
    """Every card as it was played, the points as they were made, read off the glass."""
    told = json.loads((HAND / "hand.json").read_text())
    panel = rig.panel()
    began = time.monotonic()
    appliance.started(panel, appliance.HOME)
    appliance.set_up(panel)
    after: list[int] = told["after"]
    for number, plays in enumerate(after[:-1]):
        _lay(number)
        assert rig.until(lambda plays=plays: len(_plays()) >= plays, 900), (  # type: ignore[misc]
            f"picture {number}: expected {plays} plays, got {len(_plays())}; read: {panel.text()!r}\n{rig.journal()}"
        )
        _same(told["plays"], _plays())
        print(f"hil: picture {number} after {time.monotonic() - began:.0f} s", flush=True)
    assert len(_plays()) == len(told["plays"]), "too many plays"
    totals = [told["total"][side] for side in ("0", "1")]
    assert [event.total for event in _events() if isinstance(event, Hand)] == [told["total"]]
    panel.shows("FINE MANO 1")
    rig.press("ok", panel, "TOTALE")  # all cards were seen: right as it is
    line = next(row for row in panel.text().splitlines() if row.startswith("TOTALE"))
    assert [int(word) for word in line.split()[1:]] == totals, line
    minutes = (time.monotonic() - began) / 60
    return f"{len(told['plays'])} plays from {len(after) - 1} pictures, {line!r} on the display, {minutes:.0f} minutes"


def _lay(number: int) -> None:
    """A picture, until the appliance has looked at it twice: people in a slow machine are slow."""
    picture = (HAND / f"{number:03}.bgr").read_bytes()
    rig.lay(picture)
    mark = f"{zlib.crc32(picture):08x}"
    assert rig.until(lambda: _looked(mark) >= 2, 900), f"picture {number} was not looked at\n{rig.journal()}"


def _looked(mark: str) -> int:
    """How often the appliance has looked at the picture that it looked at last, if it is this one."""
    words = rig.LOOKED.read_text().split() if rig.LOOKED.exists() else []
    return int(words[1]) if len(words) == 2 and words[0] == mark else 0


def _events() -> list[Any]:
    with Store.look(appliance.STATE) as store:
        rows = store.matches()
        return list(store.events(rows[-1].id)) if rows else []


def _plays() -> list[Played]:
    return [event for event in _events() if isinstance(event, Played)]


def _same(truth: list[dict[str, Any]], plays: list[Played]) -> None:
    later = {event.n: event.card for event in _events() if isinstance(event, Settled)}
    for true, told in zip(truth, plays, strict=False):
        wanted = (true["player"], true["card"], sorted(true["takes"]))
        got = (told.player, told.card or later.get(told.n), sorted(told.takes))
        assert got == wanted, f"play {told.n}: expected {wanted}, got {got}"
