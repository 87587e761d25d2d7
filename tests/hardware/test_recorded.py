"""Frames out of real files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import open_source
from hardware.errors import CameraError
from hardware.recorded import PictureFolder, VideoFile, read_picture


def shade(value: int, size: tuple[int, int] = (64, 48)) -> np.ndarray:
    return np.full((size[1], size[0], 3), value, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in (0, 1, 2, 10, 11):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), shade(20 * number))
    (tmp_path / "truth.json").write_text("{}")
    (tmp_path / "sub.png").mkdir()
    return tmp_path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    file = tmp_path / "table.mp4"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), 25, (64, 48))
    for number in range(6):
        writer.write(shade(40 * number))
    writer.release()
    return file


def test_a_folder_in_the_order_of_names(folder: Path) -> None:
    frames = list(PictureFolder(folder, fps=5))
    assert [int(frame.picture[0, 0, 0]) for frame in frames] == [0, 20, 40, 200, 220]
    assert [(frame.number, frame.time) for frame in frames] == [(0, 0.0), (1, 0.2), (2, 0.4), (3, 0.6), (4, 0.8)]


def test_a_folder_from_a_frame_on(folder: Path) -> None:
    frames = list(open_source(str(folder), fps=10, from_frame=3))
    assert [(frame.number, frame.time) for frame in frames] == [(3, 0.3), (4, 0.4)]


def test_a_video(video: Path) -> None:
    frames = list(VideoFile(video, fps=5))
    assert [(frame.number, frame.time) for frame in frames] == [(n, n / 5) for n in range(6)]
    assert all(abs(int(frame.picture[20, 20, 1]) - 40 * frame.number) < 6 for frame in frames)


def test_a_video_from_a_frame_on(video: Path) -> None:
    frames = list(open_source(str(video), from_frame=4))
    assert [frame.number for frame in frames] == [4, 5]
    assert abs(int(frames[0].picture[20, 20, 1]) - 160) < 6


def test_channels_are_blue_green_red(tmp_path: Path) -> None:
    picture = shade(0)
    picture[:, :, 2] = 200  # red
    cv2.imwrite(str(tmp_path / "red.png"), picture)
    assert np.array_equal(read_picture(tmp_path / "red.png"), picture)


def test_a_truncated_picture_is_refused(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "a.jpg"), noise)
    whole = (tmp_path / "a.jpg").read_bytes()
    (tmp_path / "a.jpg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CameraError, match=r"expected a picture, got .*a\.jpg.*truncated"):
        list(PictureFolder(tmp_path))


def test_pictures_of_two_sizes_are_refused(folder: Path) -> None:
    cv2.imwrite(str(folder / "frame12.png"), shade(1, (32, 32)))
    with pytest.raises(CameraError, match="expected 64x48 like the first picture, got 32x32"):
        list(PictureFolder(folder))


@pytest.mark.parametrize("fps", [0, -1, float("nan"), 1e9])
def test_impossible_rates_are_refused(folder: Path, fps: float) -> None:
    with pytest.raises(CameraError, match="expected frames per second"):
        PictureFolder(folder, fps)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("empty", r"expected pictures .*got none"),
        ("missing.mp4", "does not exist"),
        ("text.mp4", "expected a video, got .*text.mp4"),
        ("usb:x", "expected usb: with the number"),
        ("usb:", "expected usb: with the number"),
        ("http://host/stream", "does not exist"),
        ("usb:77", "no such device|no frame"),
    ],
)
def test_what_gives_no_frames_is_named(
    source: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.mp4").write_text("no video " * 100)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CameraError, match=message):
        open_source(source).close() if source != "usb:77" else _open_device(source)
    assert capfd.readouterr().err == ""


def _open_device(source: str) -> None:
    from hardware.camera import device_opener

    opener = device_opener(source)
    assert opener is not None
    opener()


def test_a_recording_shorter_than_its_start_is_refused(folder: Path, video: Path) -> None:
    with pytest.raises(CameraError, match="more than 9 pictures"):
        open_source(str(folder), from_frame=9)
    with pytest.raises(CameraError, match="more than 9 frames, got 6"):
        open_source(str(video), from_frame=9)


def test_a_live_source_has_no_first_frame() -> None:
    with pytest.raises(CameraError, match="live source"):
        open_source("usb:0", from_frame=3)
