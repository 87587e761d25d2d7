"""Frames out of files: a folder of pictures or a video. Time is number / fps, so a run never depends on the clock."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from hardware.errors import CameraError
from hardware.frame import Frame, Picture

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # quiet; read once, when OpenCV opens its first video

PICTURE_ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})


def read_picture(file: Path) -> Picture:
    """The picture in a file, turned upright. Raises `CameraError` for anything that is no whole picture."""
    from PIL import Image, ImageOps

    if not file.is_file():  # a pipe or a device would never end
        raise CameraError(f"expected a picture, got {file}, which is no file")
    try:
        # Pillow, not cv2.imread: the latter fills the missing rest of a truncated JPEG with grey and says nothing
        with Image.open(file) as image:
            upright = ImageOps.exif_transpose(image).convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise CameraError(f"expected a picture, got {file}: {error}") from error
    return np.ascontiguousarray(np.asarray(upright)[:, :, ::-1])


class PictureFolder:
    """A folder of pictures in the order of their names (numbers in names count as numbers: 2 before 10)."""

    def __init__(self, folder: Path, fps: float = 5.0, from_frame: int = 0) -> None:
        """Raises `CameraError` when the folder holds no pictures or fewer than `from_frame`."""
        self._fps = _checked_fps(fps)
        self._from = _checked_start(from_frame)
        self.files: Final = picture_files(folder)
        if self._from >= len(self.files):
            raise CameraError(f"expected more than {from_frame} pictures in {folder}, got {len(self.files)}")

    def __iter__(self) -> Iterator[Frame]:
        size = None
        for number, file in enumerate(self.files[self._from :], self._from):
            picture = read_picture(file)
            size = size or picture.shape
            if picture.shape != size:
                raise CameraError(f"expected {_size(size)} like the first picture, got {_size(picture.shape)}: {file}")
            yield Frame(picture, number / self._fps, number)

    def close(self) -> None:
        """Nothing stays open between pictures."""


class VideoFile:
    """A video file, every frame of it."""

    def __init__(self, file: Path, fps: float = 5.0, from_frame: int = 0) -> None:
        """Raises `CameraError` when the file is no video, has no frames or fewer than `from_frame`."""
        self._fps = _checked_fps(fps)
        self._number = _checked_start(from_frame)
        self._video = open_video(file)
        for skipped in range(from_frame + 1):  # a seek lands on a key frame in some files: count instead
            if not self._video.grab():
                self.close()
                raise CameraError(f"expected a video of more than {from_frame} frames, got {skipped}: {file}")

    def __iter__(self) -> Iterator[Frame]:
        while True:
            good, picture = self._video.retrieve()  # the first frame was grabbed when the file was checked
            if not good:
                return
            yield Frame(picture, self._number / self._fps, self._number)
            self._number += 1
            if not self._video.grab():
                return

    def close(self) -> None:
        """Let go of the file."""
        self._video.release()


def open_recording(path: Path, fps: float = 5.0, from_frame: int = 0) -> PictureFolder | VideoFile:
    """The frames of a folder of pictures or of a video file. Raises `CameraError`."""
    if path.is_dir():
        return PictureFolder(path, fps, from_frame)
    return VideoFile(path, fps, from_frame)


def picture_files(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder in the order of their names; other files are passed over. Raises `CameraError`."""
    if not folder.is_dir():
        raise CameraError(f"expected a folder of pictures, got {folder}")
    files = [file for file in folder.iterdir() if file.suffix.lower() in PICTURE_ENDINGS and file.is_file()]
    if not files:
        raise CameraError(f"expected pictures ({', '.join(sorted(PICTURE_ENDINGS))}) in {folder}, got none")
    return tuple(sorted(files, key=_name_order))


def open_video(file: Path) -> Any:
    """An open `cv2.VideoCapture` on a file (never on an address of the network). Raises `CameraError`."""
    if not file.is_file():
        raise CameraError(f"expected a video file or a folder of pictures, got {file}, which does not exist")
    import cv2

    messages = getattr(cv2.utils, "logging", cv2)  # where OpenCV 5 has what 4.10 had at the top
    level = messages.setLogLevel(0)  # our one line says it better
    video = cv2.VideoCapture(str(file.resolve()), cv2.CAP_FFMPEG)
    messages.setLogLevel(level)
    if not video.isOpened():
        raise CameraError(f"expected a video, got {file}, which holds none that can be read")
    return video


def _name_order(file: Path) -> tuple[list[tuple[int, str]], str]:
    parts = re.findall(r"(\d+)|(\D+)", file.name)
    return [(int(digits), "") if digits else (-1, text) for digits, text in parts], file.name


def _checked_fps(fps: float) -> float:
    if not 0 < fps <= 1000:
        raise CameraError(f"expected frames per second over 0 and up to 1000, got {fps}")
    return fps


def _checked_start(from_frame: int) -> int:
    if from_frame < 0:
        raise CameraError(f"expected a first frame of 0 or more, got {from_frame}")
    return from_frame


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[1]}x{shape[0]}"
