"""What systemd hears, on a real socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.errors import FirmwareError
from firmware.notify import Notifier
from firmware.power import switch_off


@pytest.fixture(params=["file", "abstract"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    name = str(tmp_path / "notify") if request.param == "file" else f"@arbitro-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind("\0" + name[1:] if name.startswith("@") else name)
        server.settimeout(5)
        yield server, name


def test_each_message_is_one_datagram(listener: tuple[socket.socket, str]) -> None:
    server, name = listener
    notifier = Notifier({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "10000000"})
    assert notifier.watchdog_seconds == 10
    assert notifier.ready("two\nlines")
    assert notifier.alive()
    assert notifier.status("hand 3,\n play 9")
    assert notifier.stopping()
    heard = [server.recv(4096).decode() for _ in range(4)]
    assert heard == ["READY=1\nSTATUS=two lines", "WATCHDOG=1", "STATUS=hand 3, play 9", "STOPPING=1"]


def test_the_watchdog_is_fed_once_a_second(listener: tuple[socket.socket, str]) -> None:
    server, name = listener
    now = [5.0]
    notifier = Notifier({"NOTIFY_SOCKET": name}, clock=lambda: now[0])
    fed = []
    for _ in range(25):
        fed.append(notifier.alive())
        now[0] += 0.125
    assert [number for number, told in enumerate(fed) if told] == [0, 8, 16, 24]
    assert [server.recv(4096) for _ in range(4)] == [b"WATCHDOG=1"] * 4


def test_a_system_that_does_not_listen_holds_nothing_up(listener: tuple[socket.socket, str]) -> None:
    _, name = listener
    notifier = Notifier({"NOTIFY_SOCKET": name})
    assert not all(notifier.status(f"hand {number}") for number in range(2000)), "its queue is full"


def test_nobody_listens() -> None:
    notifier = Notifier({})
    assert not notifier.ready()
    assert notifier.watchdog_seconds is None


def test_a_watchdog_of_another_process_is_not_ours() -> None:
    assert Notifier({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "1"}).watchdog_seconds is None
    assert Notifier({"WATCHDOG_USEC": "5000000", "WATCHDOG_PID": str(os.getpid())}).watchdog_seconds == 5


def test_a_socket_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    assert not Notifier({"NOTIFY_SOCKET": str(tmp_path / "none")}).alive()


def test_switching_off_runs_the_command(tmp_path: Path) -> None:
    switch_off(("touch", str(tmp_path / "off")))
    assert (tmp_path / "off").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("sh", "-c", "echo refused by policy >&2; exit 1"), "refused by policy"),
        (("/none/systemctl",), "/none/systemctl"),
    ],
)
def test_a_refusal_is_told(command: tuple[str, ...], message: str) -> None:
    with pytest.raises(FirmwareError, match=message):
        switch_off(command)


def test_switching_off_does_not_wait_for_ever() -> None:
    with pytest.raises(FirmwareError, match="no answer"):
        switch_off(("sleep", "5"), limit=0.05)
