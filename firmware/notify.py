"""Messages to systemd: ready, alive, what is going on. One datagram each, as sd_notify(3) describes; no library."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Final

log = logging.getLogger(__name__)


EVERY: Final = 1.0
"""Seconds between two messages to the watchdog."""


class Notifier:
    """Where nobody listens (no `NOTIFY_SOCKET`), every message is dropped."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock, self._alive_at = clock, float("-inf")
        self._address = environment.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):  # a name in the kernel's abstract space
            self._address = "\0" + self._address[1:]
        self.watchdog_seconds = _watchdog(environment)

    def ready(self, status: str = "") -> bool:
        """The first screen is drawn. True when somebody was told."""
        return self._send(f"READY=1\nSTATUS={_one_line(status)}" if status else "READY=1")

    def alive(self) -> bool:
        """Feed the watchdog, at most once a second; to be called at least twice in `watchdog_seconds`. True when it
        was fed.
        """
        now = self._clock()
        if now - self._alive_at < EVERY:
            return False
        self._alive_at = now
        return self._send("WATCHDOG=1")

    def status(self, text: str) -> bool:
        """One line for `systemctl status`."""
        return self._send(f"STATUS={_one_line(text)}")

    def stopping(self) -> bool:
        """The end has begun."""
        return self._send("STOPPING=1")

    def _send(self, message: str) -> bool:
        if not self._address:
            return False
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as client:
            client.setblocking(False)  # the table does not wait for a system that has no time to listen
            try:
                client.sendto(message.encode(), self._address)
            except OSError as error:  # the watchdog notices by itself when nothing arrives
                log.warning("systemd was not told %s: %s", message.split("=")[0], error)
                return False
        return True


def _watchdog(environment: Mapping[str, str]) -> float | None:
    """Seconds within which systemd wants to hear of us, or None."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 if microseconds.isdigit() and int(microseconds) and for_us else None


def _one_line(text: str) -> str:
    return " ".join(text.split())
