"""Rendered pictures: the same every time, true to their scenes, with a truth that says what can be seen."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import Card, parse_cards
from firmware.cli import main
from firmware.commands.simulate import add_arguments, played_ahead
from vision.synthetic.camera import Camera
from vision.synthetic.deck import write_deck
from vision.synthetic.light import Light, Sensor
from vision.synthetic.looks import folder_pack, our_pack, plain_look, random_look
from vision.synthetic.painter import Painter
from vision.synthetic.pen import Picture
from vision.synthetic.recording import RenderedMatch, write_frames
from vision.synthetic.scene import Arm, Pose, Scene, Thing
from vision.synthetic.sprites import Pack
from vision.synthetic.surface import SURFACES, TILE, surface
from vision.synthetic.visible import visible_cards

MakeMatch = Callable[..., RenderedMatch]
RECORDED = Path(os.environ.get("ARBITRO_DATA", "../shared")) / "recordings"
QUIET = Sensor(blur=0, noise=0, stain=0, vignette=0)


def face(name: str, x: float, y: float, turn: float = 0.0) -> Thing:
    return Thing(name, "face", Pose(x, y, turn), Card.parse(name))


@pytest.mark.parametrize(
    "camera", [Camera(), Camera(tilt=18, roll=3, lens=-0.05, x=12, y=-9), Camera(2304, 1296, tilt=-15)]
)
def test_a_pixel_shows_the_place_that_lies_under_it(camera: Camera) -> None:
    rng = np.random.default_rng(1)
    pixels = rng.uniform((0, 0), (camera.width, camera.height), (50, 2))
    places = camera.unproject(pixels)
    assert camera.project(np.column_stack([places, np.zeros(50)])) == pytest.approx(pixels, abs=0.05)


def test_what_is_nearer_to_the_camera_is_larger() -> None:
    camera = Camera()
    low, high = (np.diff(camera.project(np.array([[0, 0, z], [100, 0, z]])), axis=0)[0, 0] for z in (0, 72))
    assert low == pytest.approx(100 * camera.scale)
    assert high == pytest.approx(low / 0.9)


def test_same_seed_same_bytes(make_match: MakeMatch) -> None:
    films = []
    for _ in range(2):
        frames = make_match(seed=9, mess=0.8, disturbed=0.2).frames()
        films.append([next(frames).picture.tobytes() for _ in range(60)])
    assert films[0] == films[1]
    assert len(set(films[0])) == 60  # noise makes every frame a little different


def test_repainting_only_what_changes_gives_the_same_picture(make_match: MakeMatch) -> None:
    """A painter that saw the whole match paints a frame as one that sees only this frame."""
    match = make_match(seed=3, mess=0.8, disturbed=0.3)
    look = replace(match.look, sensor=QUIET)
    followed = Painter(look, 1)
    for scene in match.director.scenes():
        picture = followed.paint(scene)
        if scene.frame % 40 == 39:
            assert np.array_equal(picture, Painter(look, 1).paint(scene))


def test_a_card_is_painted_where_the_truth_says(pack: Pack) -> None:
    """Warped back from its true corners, the painted card looks like its face."""
    look = replace(plain_look(pack), sensor=QUIET, light=Light(ambient=1.0))
    look = replace(look, camera=Camera(tilt=12, roll=2))
    names = ("7d", "2c", "Fs", "Rb", "Cd")
    scene = Scene(0, tuple(face(name, 130 * k - 260, 40 * (-1) ** k, 37 * k) for k, name in enumerate(names)))
    picture = Painter(look, 1).paint(scene)
    for card in visible_cards(scene, look.camera, pack):
        upright = np.array([[0, 0], [108, 0], [108, 180], [0, 180]], np.float32)
        corners = np.array(card.corners, np.float32) - 0.5  # OpenCV counts from the middle of a pixel
        matrix = cv2.getPerspectiveTransform(corners, upright - 0.5)
        seen = cv2.warpPerspective(picture, matrix, (108, 180))[12:-12, 12:-12].astype(float)
        drawn = cv2.resize(pack.faces[card.card], (108, 180), interpolation=cv2.INTER_AREA).astype(float)
        fits = {
            (x, y): np.corrcoef(seen.ravel(), drawn[12 + y : 168 + y, 12 + x : 96 + x].ravel())[0, 1]
            for x in (-2, 0, 2)
            for y in (-2, 0, 2)
        }
        assert max(fits, key=lambda place: fits[place]) == (0, 0)
        assert fits[0, 0] > 0.85
        assert card.share == 1


def test_shares_of_covered_cards(pack: Pack) -> None:
    """A card 54 x 90 mm that another one covers by a third of its width shows two thirds."""
    camera = Camera()
    below, above = face("7d", 0, 0), face("2c", 36, 0)
    seen = {card.card: card.share for card in visible_cards(Scene(0, (below, above)), camera, pack)}
    assert seen == {below.card: pytest.approx(2 / 3, abs=0.02), above.card: 1}
    hidden = Scene(0, (below, replace(above, pose=below.pose)))
    assert [card.card for card in visible_cards(hidden, camera, pack)] == [above.card]


def test_hands_and_edges_hide_cards(pack: Pack) -> None:
    camera, card = Camera(), face("7d", 0, 0)
    arm = Arm(0, "S", (0, 10), (0, 500))
    (under,) = visible_cards(Scene(0, (card,), arms=(arm,)), camera, pack)
    assert 0 < under.share < 0.5
    edge = camera.width / 2 / camera.scale
    (cut,) = visible_cards(Scene(0, (face("7d", edge, 0),)), camera, pack)
    assert cut.share == pytest.approx(0.5, abs=0.03)
    assert visible_cards(Scene(0, (face("7d", edge + 60, 0),)), camera, pack) == ()


def test_the_truth_of_a_frame_lists_what_can_be_seen(make_match: MakeMatch) -> None:
    """In frames at rest the visible cards are those of the table and the marks; a back is never among them."""
    match = make_match(seed=8)
    scenes = list(match.director.scenes())
    for play in match.truth()["plays"]:
        scene = scenes[play["landed"]]
        seen = {str(card.card) for card in visible_cards(scene, match.look.camera, match.look.pack)}
        marks = {str(thing.card) for thing in scene.lying if thing.key.startswith("mark")}
        assert len(seen) >= len(play["table"]) - 1  # at most one is wholly covered
        assert seen <= set(play["table"]) | marks


@pytest.mark.parametrize("name", SURFACES)
def test_covers_repeat_and_differ(name: str) -> None:
    picture = surface(name, 0.5, np.random.default_rng(1))
    assert picture.shape == (round(TILE[1] / 2), round(TILE[0] / 2), 3)
    assert picture.std() > 1
    assert np.array_equal(picture, surface(name, 0.5, np.random.default_rng(1)))


def test_hard_looks_paint_at_every_size(pack: Pack) -> None:
    cards = parse_cards("7d 2c Fs Rb")
    scene = Scene(0, tuple(face(str(card), 120 * k - 180, 0, 20 * k) for k, card in enumerate(cards)))
    for seed, (width, height) in enumerate([(768, 432), (1536, 864), (2304, 1296)]):
        look = random_look(pack, np.random.default_rng(seed), True, width, height)
        picture = Painter(look, seed).paint(scene)
        assert picture.shape == (height, width, 3)
        assert picture.std() > 8


def test_a_folder_of_faces_can_be_played_with(tmp_path: Path) -> None:
    write_deck(tmp_path, "francese", 80)
    loaded, drawn = folder_pack(tmp_path), our_pack("francese")
    assert loaded.millimetres == pytest.approx(drawn.millimetres, rel=0.02)
    assert set(loaded.faces) == set(drawn.faces)
    (tmp_path / "cuori_7.png").unlink()
    with pytest.raises(ValueError, match="missing 7c"):
        folder_pack(tmp_path)


def test_the_command_writes_frames_and_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--size", "384x216", "--pace", "fast", "--no-piles", "--seed", "2", "--deck", "francese"]
    assert main(["simulate", "--render", str(tmp_path), *arguments]) == 0
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert len(truth["plays"]) == 36
    assert len(list(tmp_path.glob("*.jpg"))) == truth["frames"]
    lines = (tmp_path / "visible.jsonl").read_text().splitlines()
    assert [json.loads(line)["frame"] for line in lines] == list(range(truth["frames"]))
    assert capsys.readouterr().out == ""


def form(value: object) -> object:
    """The keys and types of JSON; a list is as its first entry, faults as one of each kind."""
    if isinstance(value, dict):
        return {("side" if key.isdigit() else key): form(one) for key, one in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {str(one.get("kind")): form(one) for one in value}
    return [form(value[0])] if isinstance(value, list) and value else type(value).__name__


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recordings are not here")
def test_the_truth_has_the_form_of_the_recordings() -> None:
    """Whatever the truth of a recording says, ours says too, with the same types, and in the same places."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = ["--variant", "scopa_4", "--hard", "--faults", "wrong_sum", "--hands", "2", "--size", "192x108"]
    ours = json.loads(json.dumps(played_ahead(parser.parse_args([*options, "--seed", "2"]))))
    assert ours["total"] == ours["hands"][-1]["total"]
    assert {one["kind"] for one in ours["faults"]} == {"violation", "disturb"}
    for file in RECORDED.glob("*.truth.json"):
        theirs = json.loads(file.read_text())
        has, told = form(ours), form(theirs)
        assert isinstance(has, dict)
        assert isinstance(told, dict)
        for key, value in told.items():
            if value != "list":  # an empty list says nothing of its entries
                assert contains(has[key], value), f"{file.name}: {key} is {value}, ours {has[key]}"


def contains(whole: object, part: object) -> bool:
    """Whether a form has all keys and types of another."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and contains(whole[key], value) for key, value in part.items())
    return whole == part or "list" in (whole, part)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--faults", "cheating"], "expected faults of must_take"),
        (["--deck", "nowhere"], "or a folder of faces"),
        (["--variant", "tressette"], "expected a variant of"),
        (["--hands", "0"], "--hands 1 or more"),
        (["--size", "large"], "a size such as 1536x864"),
        (["--size", "301x200"], "even sides from 192x108 to 2304x1296"),
        (["--size", "64x36"], "even sides from 192x108 to 2304x1296"),
        (["--seed", "-1"], "a whole number, 0 or more"),
        (["--variant", "sette_e_mezzo", "--faults", "must_take"], "a variant of the Scopa family"),
        (["--knocks"], "--knocks with a variant of Cirulla"),
        (["--players", "3"], "--players with a variant of Sette e mezzo"),
        (["--faults", "must_take,knock_too_late"], "knock_too_late with a variant of Cirulla"),
    ],
)
def test_the_command_says_what_it_expects(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--render", str(tmp_path), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Frames of a longer match would stay behind and be read as part of this one."""
    (tmp_path / "000900.jpg").write_bytes(b"")
    assert main(["simulate", "--render", str(tmp_path), "--size", "192x108"]) == 2
    assert "an empty or a new folder" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["000900.jpg"]


def test_without_keys_and_terminal_there_is_nothing_to_play_with(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["simulate"]) == 2
    assert "--keys TEXT" in capsys.readouterr().err
    assert main(["simulate", "--keys", "o", "--video"]) == 2
    assert "--video together with --render" in capsys.readouterr().err
    assert main(["simulate", "--keys", "o", "--gif", "nowhere/display.gif"]) == 2
    assert "--gif in a folder that exists" in capsys.readouterr().err


def test_a_video_has_every_frame(make_match: MakeMatch, tmp_path: Path) -> None:
    count = write_frames(make_match(piles=False), tmp_path, lambda: None, True, 5)
    film = cv2.VideoCapture(str(tmp_path / "table.mp4"))
    assert sum(1 for _ in iter(film.grab, False)) == count > 200


class FullDisk:
    """A video writer as OpenCV's on a full disk: it says nothing."""

    def write(self, picture: Picture) -> None:
        """Nothing arrives."""

    def release(self) -> None:
        """Nothing is left to write."""


def test_a_video_that_lost_frames_is_no_success(
    make_match: MakeMatch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.synthetic.recording._video", lambda *_: FullDisk())
    with pytest.raises(OSError, match=r"frames in .*table.mp4, got 0: is the disk full"):
        write_frames(make_match(piles=False), tmp_path, lambda: None, True, 5)


def test_a_folder_that_was_left_half_way_does_not_look_whole(tmp_path: Path) -> None:
    """The process is killed while it writes frames; what it left is not taken for a match, nor written over."""
    command = [sys.executable, "-m", "firmware.cli", "simulate", "--render", str(tmp_path), "--size", "192x108"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as rendering:
        assert rendering.stderr is not None
        shown = ""
        while not re.search(r" [1-9][0-9]*/", shown):  # some frames are written
            shown += rendering.stderr.read(1).decode("utf-8", "replace")
        rendering.kill()
    assert rendering.returncode == -signal.SIGKILL
    assert list(tmp_path.glob("*.jpg"))
    assert not (tmp_path / "truth.json").exists()
    assert main(["simulate", "--render", str(tmp_path), "--size", "192x108"]) == 2
