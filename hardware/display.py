"""The display: shows 1-bit pictures, writes only what changed, and survives a panel that goes away and comes back."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from hardware.errors import DisplayError, HardwareError

if TYPE_CHECKING:
    from PIL.Image import Image

log = logging.getLogger(__name__)

RETRY: Final = 2.0
"""Seconds between two tries to reach a panel that does not answer."""


class Display:
    """One panel. No method raises for a panel that is absent or pulled: `lost` tells, and it is tried again."""

    def __init__(
        self,
        open_panel: Callable[[], Any],
        retry: float = RETRY,
        clock: Callable[[], float] = time.monotonic,
        size: tuple[int, int] = (128, 64),
    ) -> None:
        """`open_panel` makes a luma device of `size`, see `hardware.panel.open_panel`; the first `show` opens it."""
        self.size = size
        self._open_panel, self._retry, self._clock = open_panel, retry, clock
        self._panel: Any = None
        self._try_at = float("-inf")
        self._wanted: Image | None = None
        self._drawn: bytes | None = None
        self._contrast, self._is_on = 255, True
        self.lost: str | None = None

    def show(self, picture: Image) -> bool:
        """Show a picture of mode 1 or RGB, at most as large as the panel. True when the panel has it.

        Raises `DisplayError` for another form.
        """
        if picture.mode not in ("1", "RGB") or picture.width > self.size[0] or picture.height > self.size[1]:
            width, height = self.size
            raise DisplayError(
                f"expected a picture of mode 1 or RGB, {width}x{height} dots, got {picture.mode} {picture.size}"
            )
        self._wanted = picture
        return self._order(self._draw)

    def contrast(self, level: int) -> bool:
        """Brightness 0..255. True when the panel took it."""
        self._contrast = level
        return self._order(lambda panel: panel.contrast(level))

    def on(self) -> bool:
        """Light the panel. True when it took it."""
        self._is_on = True
        return self._order(lambda panel: panel.show())

    def off(self) -> bool:
        """Darken the panel; its picture stays. True when it took it."""
        self._is_on = False
        return self._order(lambda panel: panel.hide())

    def close(self, keep_picture: bool = False) -> None:
        """Let go of the panel: dark, or still showing its last picture (a farewell) until the power goes."""
        if self._panel is None:
            return
        if not keep_picture:
            self.off()
        self._let_go()

    def _draw(self, panel: Any) -> None:
        picture = self._wanted
        if picture is not None and picture.tobytes() != self._drawn:
            panel.display(_on_panel(picture, panel))
            self._drawn = picture.tobytes()

    def _order(self, order: Callable[[Any], None]) -> bool:
        from luma.core.error import Error as LumaError

        try:
            if self._panel is None and not self._reopen():
                return False
            order(self._panel)
        except (LumaError, HardwareError, OSError) as error:
            self._lose(error)
            return False
        return True

    def _reopen(self) -> bool:
        """A panel that lost its power forgot everything: it is set up and drawn anew."""
        if self._clock() < self._try_at:
            return False
        self._panel, self._drawn = self._open_panel(), None
        self._panel.contrast(self._contrast)
        if not self._is_on:
            self._panel.hide()
        self._draw(self._panel)
        if self.lost is not None:
            log.warning("display is back")
        self.lost = None
        return True

    def _lose(self, error: Exception) -> None:
        if self.lost is None:
            log.warning("display lost: %s", str(error))  # the error itself would keep the panel alive
        self.lost, self._try_at = str(error), self._clock() + self._retry
        self._let_go()

    def _let_go(self) -> None:
        panel, self._panel = self._panel, None
        if panel is not None:
            with contextlib.suppress(OSError):  # a bus that is gone cannot be closed twice
                panel.cleanup()


def _on_panel(picture: Image, panel: Any) -> Image:
    """The picture in the panel's form, at its top left if it is smaller."""
    size = getattr(panel, "width", picture.width), getattr(panel, "height", picture.height)
    shown = picture.convert(panel.mode) if getattr(panel, "mode", picture.mode) != picture.mode else picture
    return shown if shown.size == size else shown.crop((0, 0, *size))  # what lies outside a picture is dark


class BackgroundDisplay:
    """A display that is written in its own thread, at most eight times a second, so that a slow or blocked bus never
    holds up the loop. Only the newest picture is kept.
    """

    def __init__(self, display: Display, period: float = 0.125) -> None:
        """`period` is the least time between two pictures in seconds."""
        self._display, self._period = display, period
        self.size = display.size
        self._change = threading.Event()
        self._stopping = threading.Event()
        self._orders: dict[str, Callable[[], object]] = {}
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> str | None:
        """Why the panel cannot be reached, or None."""
        return self._display.lost

    def show(self, picture: Image) -> None:
        """Show a picture soon."""
        self._put("show", lambda: self._display.show(picture))

    def contrast(self, level: int) -> None:
        """Brightness 0..255."""
        self._put("contrast", lambda: self._display.contrast(level))

    def on(self) -> None:
        """Light the panel."""
        self._put("power", self._display.on)

    def off(self) -> None:
        """Darken the panel; its picture stays."""
        self._put("power", self._display.off)

    def close(self, keep_picture: bool = False, limit: float = 1.0) -> None:
        """Write what waits, then let go of the panel; after `limit` seconds without waiting for it any longer."""
        self._stopping.set()
        self._change.set()
        self._thread.join(limit)
        if not self._thread.is_alive():
            self._display.close(keep_picture)

    def _put(self, what: str, order: Callable[[], object]) -> None:
        with self._lock:
            self._orders[what] = order
        self._change.set()

    def _run(self) -> None:
        while True:
            self._change.wait()
            self._change.clear()
            with self._lock:
                orders, self._orders = self._orders, {}
            for order in orders.values():
                order()
            if self._stopping.is_set() and not self._orders:
                return
            self._stopping.wait(self._period)
