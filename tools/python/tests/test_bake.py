"""Bakes of files, folders and arrays, and what an atlas tells."""

from __future__ import annotations

import copy
import errno
import gc
import pickle
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hitmask
from hitmask import Atlas, Bake, Mask

image = pytest.importorskip("PIL.Image")


@pytest.fixture
def art(tmp_path: Path) -> Path:
    folder = tmp_path / "art"
    (folder / "ships").mkdir(parents=True)
    rgba = np.zeros((6, 9, 4), np.uint8)
    rgba[1:5, 2:7] = [9, 8, 7, 255]
    image.fromarray(rgba).save(folder / "ships" / "fast.png")
    image.fromarray(rgba[:, ::-1].copy()).save(folder / "dot.png")
    return folder


def test_a_folder_becomes_sprites(art: Path, tmp_path: Path) -> None:
    out = tmp_path / "sprites.hitmask"
    report = Bake(angles=8).add(art).write(out)
    assert (report.sprites, report.frames, report.poses, report.written) == (2, 2, 16, True)
    assert report.bytes == out.stat().st_size and report.failures == []
    atlas = Atlas.open(out)
    assert atlas.names() == list(atlas) == ["dot", "ships/fast"]
    assert len(atlas) == 2 and "dot" in atlas and "none" not in atlas
    sprite = atlas["ships/fast"]
    assert (sprite.name, sprite.frame_count, sprite.angles, sprite.planes) == ("ships/fast", 1, 8, ["body"])
    assert sprite.scales == [1.0] and sprite.sampling == "nearest"
    assert sprite.frame_size() == (9, 6) and sprite.pivot() == (4.5, 3.0)
    assert sprite.source() is None
    assert Bake(compact=True).add(art).atlas()["ships/fast"].source() == (Mask.solid(5, 4), (2, 1))
    assert sprite.posed(angle=np.pi / 2)[0].size == (4, 5)
    assert atlas.to_bytes() == Bake(angles=8).add(art).to_bytes() == bytes(atlas)
    assert not Bake(angles=8).add(art).write(out).written
    assert Bake(angles=8).add(art).is_fresh(out) and not Bake(angles=4).add(art).is_fresh(out)


def test_settings_hold_for_all_or_for_one(art: Path) -> None:
    atlas = Bake(angles=8, scales=[1, 2]).add(art / "dot.png").add(art / "ships", angles=1, pivot="bottom").atlas()
    assert atlas["dot"].angles == 8 and atlas["dot"].scales == [1.0, 2.0]
    assert atlas["fast"].angles == 1 and atlas["fast"].pivot() == (4.5, 6.0)


def test_arrays_become_sprites_with_frames_and_planes(random: np.random.Generator) -> None:
    frames = [random.random((5, 7)) < 0.5 for _ in range(3)]
    rgba = random.integers(0, 256, (4, 4, 4), np.uint8)
    atlas = (
        Bake(angles=1)
        .add_frames("anim", frames)
        .add_frames("rgba", rgba, alpha=40, alpha_test="above", thresholds=[10, 200])
        .add_frames("parts", [{"body": "##", "head": "#."}])
        .atlas()
    )
    assert atlas["anim"].frame_count == 3
    for index, frame in enumerate(frames):
        mask, (x, y) = atlas["anim"].posed(index)
        canvas = Mask.empty(7, 5)
        canvas.draw(mask, (x + 3, y + 2))
        assert np.array_equal(canvas.to_numpy(), frame)
    assert atlas["rgba"].planes == ["body", "alpha10", "alpha200"]
    assert atlas["rgba"].posed()[0].count() == (rgba[:, :, 3] > 40).sum()
    assert atlas["rgba"].posed(plane=2)[0].count() == (rgba[:, :, 3] >= 200).sum()
    assert atlas["parts"].plane("head") == 1
    with pytest.raises(hitmask.UnknownIdError, match="head"):
        atlas["parts"].plane("tail")
    with pytest.raises(hitmask.InvalidValueError, match="frame 3"):
        atlas["anim"].posed(3)
    with pytest.raises(hitmask.InvalidValueError, match="plane 9"):
        atlas["anim"].posed(plane=9)


def test_errors_have_the_classes_of_python(art: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        Bake().add(tmp_path / "none").to_bytes()
    assert isinstance(missing.value, hitmask.HitmaskError) and missing.value.errno == errno.ENOENT
    with pytest.raises(OSError) as opened:
        Atlas.open(tmp_path / "none.hitmask")
    assert isinstance(opened.value, FileNotFoundError)
    assert opened.value.filename == str(tmp_path / "none.hitmask")
    again = pickle.loads(pickle.dumps(opened.value))
    assert (type(again), str(again), again.errno) == (type(opened.value), str(opened.value), errno.ENOENT)
    (art / "bad.png").write_bytes(b"no image")
    with pytest.raises(hitmask.BakeError, match="bad.png") as bad:
        Bake().add(art).to_bytes()
    assert isinstance(bad.value, ValueError) and bad.value.help
    report = Bake(keep_going=True).add(art).write(tmp_path / "some.hitmask")
    assert report.sprites == 2 and "bad.png" in report.failures[0][0]
    with pytest.raises(KeyError, match="no sprite 'none'|no sprite \"none\"") as key:
        Bake(angles=1).add_frames("a", "#").atlas()["none"]
    assert "it has a" in str(key.value)
    with pytest.raises(TypeError, match="angle_steps"):
        Bake(angle_steps=8)
    with pytest.raises(hitmask.BakeError):
        Bake(angles=7).add_frames("a", "#").to_bytes()
    with pytest.raises(hitmask.BakeError, match="nothing"):
        Bake().to_bytes()
    with pytest.raises(TypeError, match="slices"):
        Bake().add_frames("a", "#", slices=["hand"])
    with pytest.raises(hitmask.BakeError, match="257"):
        Bake().add_frames("a", "#", grow=257).to_bytes()
    with pytest.raises(hitmask.InvalidValueError, match="pixels"):
        Bake().add_frames("a", [np.zeros((2, 2), np.int64)])
    with pytest.raises(hitmask.InvalidValueError, match="pivot"):
        Bake(pivot="middle")


def test_arrays_are_filled_shrunk_and_grown_as_files_are() -> None:
    ring = np.ones((9, 9), np.uint8) * 255
    ring[4, 4] = 0
    full = Mask("\n".join(["#" * 9] * 9))
    # Holes are filled first, then masks shrink, then they grow.
    changes: list[tuple[dict[str, Any], Mask]] = [
        ({}, full),
        ({"shrink": 1}, full.shrunk(1)),
        ({"grow": 1}, full.grown(1)),
        ({"shrink": 1, "grow": 2}, full.shrunk(1).grown(2)),
    ]
    for change, expected in changes:
        change["fill_holes"] = True
        for bake in (Bake(angles=1).add_frames("a", ring, **change), Bake(angles=1, **change).add_frames("a", ring)):
            mask, _ = bake.atlas()["a"].posed()
            assert mask.count() == expected.count(), change
    # The pivot stays on its pixel, and a pivot by name is that of the frame before it grows.
    grown = Bake(angles=1).add_frames("a", ring, grow=3, pivot="top-left").atlas()["a"]
    assert grown.pivot() == (3, 3)


def test_damaged_atlases_are_refused(atlas: Atlas) -> None:
    data = bytearray(atlas.to_bytes())
    for damaged in (b"", b"text" * 99, data[:-8]):
        with pytest.raises(hitmask.DamagedError):
            Atlas(damaged)
    data[-3] ^= 0x40
    try:
        opened = Atlas(data)
    except hitmask.DamagedError:
        return
    with pytest.raises(hitmask.DamagedError):
        opened.verify()


def test_atlases_are_copied_by_pickle(atlas: Atlas) -> None:
    again = pickle.loads(pickle.dumps(atlas))
    assert again.id == atlas.id and again.names() == atlas.names()
    assert Atlas(memoryview(atlas.to_bytes())).id == atlas.id
    assert copy.copy(atlas).id == atlas.id
    compact = Bake(angles=16, compact=True).add_frames("a", Mask.disc(9)).atlas()
    assert not compact.is_drawn and compact.drawn().is_drawn
    assert atlas.labelled(7).id != atlas.id


def test_a_bake_lets_other_threads_run_and_tells_its_progress(random: np.random.Generator) -> None:
    seen: list[tuple[int, int]] = []
    bake = Bake(angles=64, progress=lambda done, count: seen.append((done, count)))
    for index in range(20):
        bake.add_frames(f"s{index}", random.random((64, 64)) < 0.5)
    ticks = 0
    done = threading.Event()

    def work() -> None:
        bake.to_bytes()
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert seen[-1] == (20, 20) and ticks > 0

    def fail(done: int, count: int) -> None:
        raise LookupError("stop")

    with pytest.raises(LookupError, match="stop"):
        Bake(angles=4, progress=fail).add_frames("a", "#").to_bytes()


def test_manifests_and_sheets(art: Path, tmp_path: Path) -> None:
    sheet = np.zeros((4, 12, 4), np.uint8)
    sheet[:, :, 3] = 255
    image.fromarray(sheet).save(tmp_path / "walk.png")
    atlas = Bake(angles=1).add_sheets(tmp_path / "walk.png", (4, 4)).atlas()
    assert atlas["walk"].frame_count == 3
    with pytest.raises(hitmask.InvalidValueError, match="order"):
        Bake().add_sheets(tmp_path / "walk.png", (4, 4), order="snake")
    manifest = tmp_path / "hitmask.toml"
    manifest.write_text('[defaults]\nangles = 4\n[[source]]\nfiles = "art/dot.png"\n')
    assert Bake().add_manifest(manifest).atlas()["art/dot"].angles == 4
    manifest.write_text("angle = 3")
    with pytest.raises(hitmask.BakeError, match="line 1"):
        Bake().add_manifest(manifest).atlas()


def test_a_bake_that_its_own_progress_holds_is_collected() -> None:
    class Tool:
        def __init__(self) -> None:
            self.bake = Bake(progress=self.report)

        def report(self, done: int, all: int) -> None:
            pass

    tool = weakref.ref(Tool())
    gc.collect()
    assert tool() is None


def test_shapes_of_sprites_are_about_their_pivots(tmp_path: Path) -> None:
    mask = Mask.empty(20, 12)
    mask.fill((4, 2, 14, 10))
    eye = Mask.empty(20, 12)
    eye.fill((10, 3, 12, 5))
    frames = [{"body": mask, "eye": eye}, {"body": Mask.solid(20, 12), "eye": eye}]
    for compact in (False, True):
        sprite = Bake(angles=8, compact=compact).add_frames("a", frames, pivot=(5, 6)).atlas()["a"]
        (border, holes), = sprite.shape().polygons()
        assert holes == [] and sorted(border.tolist()) == [[-1, -4], [-1, 4], [9, -4], [9, 4]]
        (border, _), = sprite.shape(1, scale=0.5, y_up=True, origin=(1, 0)).polygons()
        assert sorted(border.tolist()) == [[-3, -3], [-3, 3], [7, -3], [7, 3]]
        (border, _), = sprite.shape(plane=sprite.plane("eye")).polygons()
        assert sorted(border.tolist()) == [[5, -3], [5, -1], [7, -3], [7, -1]]
        assert len(sprite.shape(max_error=2.0).pieces()) == 1
        for call, text in ((lambda: sprite.shape(2), "frame 2"), (lambda: sprite.shape(plane=4), "plane 4")):
            with pytest.raises(hitmask.InvalidValueError, match=text):
                call()
