"""The whole appliance as a process of its own, on a bus that records, mock pins and a camera that shows a still table.

`python -m tests.benchmarks.box STATE`: as `arbitro run`, and one line on standard output at each event of the start.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from hardware.frame import Shot

BEGAN = time.clock_gettime(time.CLOCK_MONOTONIC)


class StillTable:
    """Ten frames a second of a drawn table with ten cards, 1536x864, four times with noise of its own."""

    def __init__(self) -> None:
        from firmware.benchmark import TEN, draw_table, own_deck

        deck = own_deck()
        self._pictures = [draw_table(deck, (1536, 864), TEN, seed=seed) for seed in range(4)]
        self._next, self._number = time.monotonic(), 0

    def read(self) -> Shot:
        self._next += 0.1
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._number += 1
        return Shot(self._pictures[self._number % 4].copy(), time.monotonic())

    def close(self) -> None:
        pass


def main() -> int:
    from firmware import app_parts, cli, wiring
    from hardware import panel
    from hardware.pins import pin_factory
    from tests.hardware.panel_bytes import RecordingBus

    class Telling(RecordingBus):
        """Says when the first whole picture has arrived."""

        told = False

        def write_i2c_block_data(self, address: int, control: int, values: list[int]) -> None:
            super().write_i2c_block_data(address, control, values)
            if not self.told and self.data_bytes >= 2 * 1024 and any(map(any, self.glass.memory)):  # luma clears first
                self.told = True
                print("picture", flush=True)

    def on_bus(wiring: panel.Wiring) -> Any:
        from luma.core.interface.serial import i2c

        return i2c(bus=Telling(), address=wiring.address)

    panel._i2c = on_bus
    wiring.device_opener = lambda *_: StillTable  # type: ignore[assignment]
    app_parts.pin_factory = lambda: pin_factory("mock")  # type: ignore[assignment]
    return cli.main(["run", "--state", str(Path(sys.argv[1]))])


if __name__ == "__main__":
    sys.exit(main())
