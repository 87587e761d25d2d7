"""Settings of the box: one TOML file, strict and ranged; an unknown key or a wrong value is an error that names it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from firmware.errors import ConfigError

Pin = Annotated[int, Meta(ge=0, le=27)]
Seconds = Annotated[float, Meta(ge=0.0, le=600.0)]


class Camera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The camera above the table."""

    source: Annotated[str, Meta(description="camera (picamera2) or usb:0, usb:1, ...")] = "camera"
    width: Annotated[int, Meta(ge=320, le=4608, description="pixels")] = 1536
    height: Annotated[int, Meta(ge=240, le=3040, description="pixels")] = 864
    fps: Annotated[float, Meta(ge=1, le=60, description="frames a second")] = 10.0
    buffers: Annotated[int, Meta(ge=2, le=8, description="pictures that picamera2 holds; 2 where memory is short")] = 3
    age: Annotated[float, Meta(ge=0.05, le=60, description="seconds; an older frame is not read")] = 0.3
    stalled: Annotated[float, Meta(ge=0.5, le=60, description="seconds without a frame until it counts as lost")] = 2.0


class Display(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The small display."""

    driver: Annotated[
        Literal["ssd1306", "sh1106", "ssd1309", "ssd1322", "ssd1351", "none"],
        Meta(description="chip of the panel, none for no display"),
    ] = "ssd1306"
    bus: Annotated[Literal["i2c", "spi"], Meta(description="how it is wired")] = "i2c"
    address: Annotated[int, Meta(ge=0x03, le=0x77, description="on I2C")] = 0x3C
    data_command: Annotated[Pin, Meta(description="D/C, on SPI")] = 24
    reset: Annotated[Pin, Meta(description="reset, on SPI")] = 25
    rotate: Annotated[Literal[0, 2], Meta(description="2 turns the picture upside down")] = 0
    dim_after: Annotated[Seconds, Meta(description="seconds without motion until it dims")] = 60.0
    off_after: Annotated[Seconds, Meta(description="seconds without motion until it goes off")] = 600.0


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The four buttons, to ground with pull-up; BCM numbers."""

    no: Annotated[Pin, Meta(description="NO")] = 17
    minus: Annotated[Pin, Meta(description="minus")] = 27
    plus: Annotated[Pin, Meta(description="plus")] = 22
    ok: Annotated[Pin, Meta(description="OK")] = 23
    hold: Annotated[float, Meta(ge=0.3, le=5, description="seconds until a button counts as held")] = 1.0


class Buzzer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The buzzer."""

    pin: Annotated[Pin, Meta(description="PWM, BCM number")] = 18
    level: Annotated[Literal["off", "errors", "scopa", "all"], Meta(description="what is heard")] = "scopa"


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When the referee judges and speaks; seconds after the last motion."""

    settled: Annotated[float, Meta(ge=0, le=5, description="between the two equal readings that it takes")] = 0.2
    bad_take: Annotated[Seconds, Meta(description="a capture that no rule explains is reported")] = 1.0
    must_take: Annotated[Seconds, Meta(description="a card that could take still lies there")] = 2.5
    unknown_change: Annotated[Seconds, Meta(description="a table that nothing explains is reported")] = 4.0
    repeat: Annotated[Seconds, Meta(description="the sound of an open alarm comes again")] = 30.0


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the menus begin when nothing was chosen yet."""

    variant: Annotated[str, Meta(description="a name of arbitro rules list")] = "scopa_2"
    deck: Annotated[str, Meta(description="name of a learnt deck")] = "arbitro"
    names: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=10)], ...],
        Meta(description="of players, offered before any has played"),
    ] = ()
    language: Annotated[Literal["it", "en"], Meta(description="of the display")] = "it"
    certain: Annotated[float, Meta(ge=0.9, lt=1.0, description="probability from which a reading is certain")] = 0.999


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, by section."""

    camera: Camera = Camera()
    display: Display = Display()
    buttons: Buttons = Buttons()
    buzzer: Buzzer = Buzzer()
    times: Times = Times()
    game: Game = Game()


def load(file: Path | None) -> Config:
    """The settings of a TOML file, or the defaults. Raises `ConfigError` that names the key that is wrong."""
    if file is None:
        return Config()
    try:
        with file.open("rb") as handle:
            values = tomllib.load(handle)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"expected a settings file that can be read, got {file}: {error}") from error
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits, and endless brackets
        raise ConfigError(f"{file} is not TOML: {error}") from error
    try:
        return msgspec.convert(values, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}: {str(error).replace('`$.', '`')}") from error


def describe(config: Config) -> Iterator[tuple[str, object, object, str, str]]:
    """Each setting as key, value in force, default, range and meaning."""
    for section in config.__struct_fields__:
        group = getattr(config, section)
        for name, hint in get_type_hints(type(group), include_extras=True).items():
            yield f"{section}.{name}", getattr(group, name), getattr(type(group)(), name), *_range_and_meaning(hint)


def _range_and_meaning(hint: Any) -> tuple[str, str]:
    kind, *metas = get_args(hint)
    low = next((m.ge for m in metas if m.ge is not None), None)
    high = next((m.le if m.le is not None else m.lt for m in metas if m.le is not None or m.lt is not None), None)
    choices = " ".join(str(choice) for choice in get_args(kind)) if get_origin(kind) is Literal else ""
    meaning = next(m.description for m in metas if m.description)
    return choices or ("" if low is None else f"{low} to {high}"), meaning
