"""A bus that records what luma's real drivers send, and a decoder that rebuilds the picture from these bytes."""

from __future__ import annotations

from typing import Any

from PIL import Image

ARGUMENTS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}


class Glass:
    """The memory of an SSD1306, SSD1309 (128 columns) or SH1106 (132 columns, the picture begins at column 2)."""

    def __init__(self, columns: int = 128) -> None:
        self.columns, self.first = columns, (columns - 128) // 2
        self.memory = [[0] * columns for _ in range(8)]
        self.horizontal = False
        self.window = (0, columns - 1, 0, 7)
        self.column = self.page = 0
        self.lit, self.contrast = False, -1
        self._pending: list[int] = []

    def command(self, values: list[int]) -> None:
        for value in values:
            self._pending.append(value)
            if len(self._pending) > ARGUMENTS.get(self._pending[0], 0):
                self._obey(*self._pending)
                self._pending = []

    def _obey(self, code: int, *arguments: int) -> None:
        if code == 0x20:
            self.horizontal = arguments[0] & 3 == 0
        elif code == 0x21:
            self.window = (*arguments[:2], *self.window[2:])
            self.column = arguments[0]
        elif code == 0x22:
            self.window = (*self.window[:2], *arguments[:2])
            self.page = arguments[0]
        elif code == 0x81:
            self.contrast = arguments[0]
        elif code in (0xAE, 0xAF):
            self.lit = code == 0xAF
        elif code < 0x10:
            self.column = self.column & 0xF0 | code
        elif code < 0x20:
            self.column = self.column & 0x0F | (code & 0x0F) << 4
        elif code & 0xF8 == 0xB0:
            self.page = code & 7

    def data(self, values: list[int]) -> None:
        left, right, top, bottom = self.window
        for value in values:
            self.memory[self.page][self.column] = value
            self.column += 1
            if self.horizontal and self.column > right:
                self.column, self.page = left, top if self.page == bottom else self.page + 1
            elif not self.horizontal:
                self.column %= self.columns

    def picture(self) -> Image.Image:
        picture = Image.new("1", (128, 64))
        for y in range(64):
            for x in range(128):
                picture.putpixel((x, y), 255 * (self.memory[y // 8][x + self.first] >> y % 8 & 1))
        return picture


class RecordingBus:
    """Shaped like `smbus2.SMBus`: feeds a `Glass`, counts bytes, and can be unplugged."""

    def __init__(self, columns: int = 128) -> None:
        self.columns, self.glass = columns, Glass(columns)
        self.plugged, self.data_bytes = True, 0

    def write_i2c_block_data(self, address: int, control: int, values: list[int]) -> None:
        if not self.plugged:
            raise OSError(121, "Remote I/O error")
        if control == 0x40:
            self.data_bytes += len(values)
            self.glass.data(values)
        else:
            self.glass.command(values)

    def unplug(self) -> None:
        """The cable is pulled: the panel also loses its power, and with it all that it was told."""
        self.plugged, self.glass = False, Glass(self.columns)

    def plug(self) -> None:
        self.plugged = True


class RecordingSpi:
    """Shaped like `spidev.SpiDev`; whether a byte is a command is read from the level of the D/C pin."""

    def __init__(self, data_level: Any) -> None:
        self.glass, self._data_level = Glass(), data_level
        self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        self.opened = (port, device)

    def writebytes(self, values: list[int]) -> None:
        (self.glass.data if self._data_level() else self.glass.command)(list(values))

    def close(self) -> None:
        self.opened = None
