"""Files that mean harm or are broken: each is refused with one line and exit status 2, soon and with little memory."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.notation import parse
from engine.rules import variant
from firmware import config
from firmware.cli import main
from firmware.errors import FirmwareError, StoreError
from firmware.events import decode
from firmware.referee import Referee
from firmware.store import Store
from hardware.errors import CameraError
from hardware.recorded import read_picture
from vision.deck import load_deck
from vision.errors import DeckError

ROOT = Path(__file__).parent.parent
CODE = sorted(file for room in ("engine", "vision", "hardware", "firmware") for file in (ROOT / room).rglob("*.py"))


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One state for all, so that the project's own deck is drawn once."""
    return str(tmp_path_factory.mktemp("state"))


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line."""
    capsys.readouterr()
    status = main(arguments)
    output = capsys.readouterr()
    lines = [line for line in output.err.splitlines() if line.startswith("arbitro:")]
    assert (status, len(lines)) in {(2, 1), (1, 1)}, output.err
    assert "Traceback" not in output.err
    return lines[0]


def png(width: int, height: int) -> bytes:
    """A picture of these dimensions in a few bytes: what unpacks to gigabytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 100_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


class Bomb:
    """Unpickled, it would write a file."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str, str]]:
        return open, ("/tmp/arbitro-was-here", "w")


def npy(header: str, data: bytes = b"") -> bytes:
    text = header.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return packed.getvalue()


HUGE = "{'descr': '|u1', 'fortran_order': False, 'shape': (40, 1000000, 1000000, 3), }"
OBJECTS = "{'descr': '|O', 'fortran_order': False, 'shape': (), }"
DECKS = {
    "huge": zipped(format=npy(HUGE), faces=npy(HUGE)),
    "pickle": zipped(format=npy(OBJECTS, pickle.dumps(Bomb()))),
    "bare pickle": pickle.dumps(Bomb()),
    "empty": b"",
    "text": b"forty cards",
    "truncated": zipped(format=npy(HUGE))[:-40],
    "garbled": zipped(format=npy(HUGE) + bytes(range(256)) * 40).replace(b"NUMPY", b"NUMQY"),
}


@pytest.mark.parametrize("name", DECKS)
def test_decks(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "bad.deck").write_bytes(DECKS[name])
    assert "bad.deck" in refused(["deck", "show", "bad", "--state", str(tmp_path)], capsys)
    assert not Path("/tmp/arbitro-was-here").exists()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_deck_is_refused_or_whole(data: st.DataObject, tmp_path: Path) -> None:
    packed = bytearray(
        zipped(format=npy("{'descr': '<i8', 'fortran_order': False, 'shape': (), }", struct.pack("<q", 1)))
    )
    for _ in range(data.draw(st.integers(1, 5))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    (tmp_path / "x.deck").write_bytes(packed)
    with pytest.raises(DeckError):
        load_deck(tmp_path / "x.deck")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ".hidden", "", "x" * 300, "nul\0l"])
def test_path_tricks_in_names(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(["deck", "remove", name, "--state", str(tmp_path)], capsys)


def pictures(folder: Path) -> dict[str, Path]:
    noise = np.random.default_rng(1).integers(0, 255, (400, 400, 3), np.uint8)
    jpeg = cv2.imencode(".jpg", noise)[1].tobytes()
    contents = {
        "bomb.png": png(60_000, 60_000),
        "wide.png": png(2_000_000_000, 1),
        "half.jpg": jpeg[: len(jpeg) // 2],
        "text.jpg": b"no picture",
        "empty.png": b"",
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    os.mkfifo(folder / "pipe.png")
    (folder / "zero.png").symlink_to("/dev/zero")
    (folder / "loop.png").symlink_to("loop.png")
    return {file.name: file for file in folder.iterdir()}


@pytest.mark.parametrize("name", ["bomb.png", "wide.png", "text.jpg", "empty.png", "pipe.png", "zero.png", "loop.png"])
def test_pictures(name: str, tmp_path: Path, state: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = pictures(tmp_path)[name]
    refused(["read", str(file), "--deck", "arbitro", "--state", state], capsys)
    with pytest.raises(CameraError):
        read_picture(file)


def test_a_folder_of_them_as_a_recording(tmp_path: Path, state: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    pictures(folder)
    refused(["referee", str(folder), "--deck", "arbitro", "--variant", "scopa_2", "--state", state], capsys)


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"\x00\x00\x00\x18ftypmp42" + b"\xff" * 4000])
def test_videos(content: bytes, tmp_path: Path, state: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.mp4"
    file.write_bytes(content)
    refused(["referee", str(file), "--deck", "arbitro", "--variant", "scopa_2", "--state", state], capsys)


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 3000, "[camera]\nwidth = " + "9" * 5000, "a.b.c.d = 1", "[camera]\nwidth = {}", "\x00"]
)
def test_settings(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "box.toml"
    file.write_text(text)
    refused(["config", "show", "--config", str(file)], capsys)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_any_text_as_a_match_is_refused_or_read(text: str) -> None:
    with contextlib.suppress(EngineError, FirmwareError):
        parse(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(
    json_values | st.builds(lambda rest: {"event": "play", **rest}, st.dictionaries(st.text(max_size=6), json_values))
)
def test_any_json_as_an_event_is_refused_or_read(value: object) -> None:
    with contextlib.suppress(FirmwareError):
        decode(json.dumps(value))


@pytest.mark.parametrize("before", ["", '{"event":"start","variant":"scopa_2","rules":{"more":'])
def test_deep_json_is_refused(before: str) -> None:
    with pytest.raises(FirmwareError):
        decode(before + "[" * 100_000)


def test_a_database_with_texts_that_are_none(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin("x", Referee(variant("scopa_2"), ["0", "1"]).begin(), "2026-01-01")
        store._connection.execute("UPDATE matches SET name = CAST(x'c341ff' AS TEXT)")
        with pytest.raises(StoreError):
            store.matches()


def test_nothing_is_unpickled_evaluated_or_given_to_a_shell() -> None:
    banned = {"pickle", "marshal", "shelve", "dill", "yaml", "telnetlib", "socketserver", "http.server"}
    for file in CODE:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not banned & set(names), file
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                assert called not in {"eval", "exec", "system", "popen", "listen", "bind"}, f"{file}: {called}"
                assert not any(word.arg == "shell" for word in node.keywords), file
                assert not any(
                    word.arg == "allow_pickle" and getattr(word.value, "value", None) is not False
                    for word in node.keywords
                ), file


def test_the_settings_refuse_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError):
        config.load(tmp_path)
