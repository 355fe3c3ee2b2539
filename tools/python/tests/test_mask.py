"""Masks: what they are made of, their operations against numpy, and bad input."""

from __future__ import annotations

import copy
import pickle
import struct
import sys
import threading
import time
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hitmask
from hitmask import Mask


def shifted(pixels: np.ndarray, at: tuple[int, int], shape: tuple[int, int]) -> np.ndarray:
    """Returns pixels moved by an offset, on a canvas of a shape (height, width)."""
    canvas = np.zeros(shape, bool)
    for y, x in zip(*np.nonzero(pixels)):
        if 0 <= y + at[1] < shape[0] and 0 <= x + at[0] < shape[1]:
            canvas[y + at[1], x + at[0]] = True
    return canvas


@pytest.fixture
def two(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return random.random((33, 70)) < 0.3, random.random((20, 90)) < 0.3


OFFSETS = [(0, 0), (5, 3), (-7, -4), (65, 2), (-40, 12), (70, 0), (0, 33)]


def test_text_is_a_picture() -> None:
    mask = Mask("..#.\n.###")
    assert (mask.width, mask.height, mask.size, mask.count()) == (4, 2, (4, 2), 4)
    assert str(mask) == "..#.\n.###\n"
    assert repr(mask) == "<hitmask.Mask 4x2, 4 set>"
    assert mask.get(2, 0) and not mask.get(0, 0) and not mask.get(-1, 9)


@pytest.mark.parametrize("kind", ["bool", "alpha", "rgba", "list", "memoryview", "buffer"])
def test_images_of_every_kind_give_the_same_mask(kind: str, two: tuple[np.ndarray, np.ndarray]) -> None:
    pixels = two[0]
    alpha = np.where(pixels, 200, 90).astype(np.uint8)
    rgba = np.dstack([np.full((*alpha.shape, 3), 7, np.uint8), alpha])
    image = {
        "bool": pixels,
        "alpha": alpha,
        "rgba": rgba,
        "list": pixels.tolist(),
        "memoryview": memoryview(alpha),
        "buffer": memoryview(alpha.tobytes()).cast("B", alpha.shape),
    }[kind]
    assert np.array_equal(Mask(image).to_numpy(), pixels)


def test_views_with_strides_are_read_by_their_strides(random: np.random.Generator) -> None:
    large = random.random((40, 60)) < 0.5
    rgba = random.integers(0, 256, (40, 60, 8), np.uint8)
    views = [large[::2, ::3], large.T, large[::-1, ::-1], np.asfortranarray(large), large[5:9, 7:7]]
    for view in views:
        assert np.array_equal(Mask(view).to_numpy(), view)
    for view in [rgba[:, :, ::2], rgba[::2, ::-1, :4], rgba.transpose(1, 0, 2)[:, :, 4:]]:
        assert np.array_equal(Mask(view).to_numpy(), view[:, :, 3] >= 128)
    alpha = rgba[:, :, 3]
    assert np.array_equal(Mask(alpha, alpha=17).to_numpy(), alpha >= 17)
    assert np.array_equal(Mask(alpha, alpha=17, alpha_test="above").to_numpy(), alpha > 17)
    assert np.array_equal(Mask(alpha, alpha=6, alpha_test="bits").to_numpy(), alpha & 6 == 6)


def test_bytes_of_any_value_count_as_set_in_an_array_of_bool() -> None:
    pixels = np.array([[0, 1, 2, 255]], np.uint8).view(bool)
    assert str(Mask(pixels)) == ".###\n"


def test_read_only_arrays_are_read_and_never_followed() -> None:
    pixels = np.ones((3, 3), bool)
    pixels.flags.writeable = False
    mask = Mask(pixels)
    pixels.flags.writeable = True
    pixels[:] = False
    assert mask.count() == 9


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((3, 4), np.int64),
        np.zeros((3, 4), np.float32),
        np.full((3, 4), np.nan),
        np.zeros((3, 4, 3), np.uint8),
        np.zeros((3, 4, 4), bool),
        np.zeros((3, 4, 4), np.uint16),
        np.zeros(7, bool),
        np.zeros((2, 2, 2, 2), np.uint8),
        np.zeros((), bool),
        b"\x00\x01",
        bytearray(4),
    ],
)
def test_other_arrays_are_refused_by_name(pixels: object) -> None:
    with pytest.raises(hitmask.InvalidValueError, match="pixels") as caught:
        Mask(pixels)  # type: ignore[arg-type]
    assert isinstance(caught.value, ValueError) and caught.value.help in str(caught.value)


@pytest.mark.parametrize("pixels", [None, object(), 3.5, {"a": 1}])
def test_what_is_no_image_is_refused(pixels: object) -> None:
    with pytest.raises((TypeError, ValueError), match="pixels"):
        Mask(pixels)  # type: ignore[arg-type]


def test_pictures_of_pil() -> None:
    image = pytest.importorskip("PIL.Image")
    alpha = np.array([[0, 200], [127, 128]], np.uint8)
    picture = image.fromarray(alpha)
    assert str(Mask(picture)) == ".#\n.#\n"
    rgba = image.new("RGBA", (2, 2), (1, 2, 3, 0))
    rgba.putalpha(picture)
    assert str(Mask(rgba)) == ".#\n.#\n"
    assert str(Mask(rgba.convert("RGB"))) == "##\n##\n"
    assert str(Mask(picture.point(lambda value: value).convert("1", dither=image.Dither.NONE))) == ".#\n.#\n"
    palette = image.new("P", (2, 1))
    palette.putpalette([0, 0, 0, 255, 0, 0])
    palette.putpixel((1, 0), 1)
    palette.info["transparency"] = 0
    assert str(Mask(palette)) == ".#\n"


def png(depth: int, color: int, rows: list[list[int]], clear: list[int] | None = None, width: int = 0) -> bytes:
    """Returns a PNG of samples, with a clear value: of grey (color 0) or of red, green and blue (color 2)."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b""
    for row in rows:
        bits = "".join(format(value, f"0{depth}b") for value in row)
        bits += "0" * (-len(bits) % 8)
        lines += b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")
    head = struct.pack(">IIBBBBB", width or len(rows[0]), len(rows), depth, color, 0, 0, 0)
    values = b"" if clear is None else chunk(b"tRNS", struct.pack(f">{len(clear)}H", *clear))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + values + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("depth", [1, 2, 4, 8, 16])
def test_grey_pictures_with_a_clear_value_are_as_their_files(depth: int, tmp_path: Path, random: np.random.Generator) -> None:
    image = pytest.importorskip("PIL.Image")
    most = 2**depth - 1
    values = sorted({0, 1, 15 & most, most // 2, most})
    rows = random.choice(values, (5, 9)).tolist()
    for clear in [*values, most // 3]:
        path = tmp_path / f"{clear}.png"
        path.write_bytes(png(depth, 0, rows, [clear]))
        expected = np.array(rows) != clear
        assert np.array_equal(Mask(image.open(path)).to_numpy(), expected), (depth, clear)
        baked = hitmask.Bake(angles=1, compact=True).add(path).atlas()
        mask, at = baked[str(clear)].source()
        assert (mask, at) == Mask(expected).trimmed()
        assert np.array_equal(Mask.open(path).to_numpy(), expected)
        frames = hitmask.Bake(angles=1).add_frames("a", image.open(path)).atlas()
        assert frames["a"].posed()[0] == mask
        picture = image.open(path)
        picture.load()
        try:
            assert np.array_equal(Mask(picture).to_numpy(), expected), (depth, clear)
        except hitmask.InvalidValueError as error:
            assert depth in (2, 4) and "Mask.open" in str(error)


def test_pictures_of_other_modes(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    (tmp_path / "rgb.png").write_bytes(png(8, 2, [[9, 8, 7, 1, 2, 3]], [9, 8, 7], 2))
    assert str(Mask(image.open(tmp_path / "rgb.png"))) == ".#\n" == str(Mask.open(tmp_path / "rgb.png"))
    (tmp_path / "deep.png").write_bytes(png(16, 2, [[9000, 8, 7, 9001, 8, 7]], [9000, 8, 7], 2))
    assert str(Mask.open(tmp_path / "deep.png")) == ".#\n"
    with pytest.raises(hitmask.InvalidValueError, match="9000, 8, 7.*Mask.open"):
        Mask(image.open(tmp_path / "deep.png"))
    grey = image.new("LA", (2, 1), (9, 255))
    grey.putpixel((0, 0), (200, 0))
    for mode in ("LA", "RGBA", "RGBa", "PA"):
        assert str(Mask(grey.convert("RGBA").convert(mode) if mode != "LA" else grey)) == ".#\n", mode
    for mode in ("RGB", "RGBX", "CMYK", "YCbCr", "HSV", "P", "I", "F", "I;16"):
        assert str(Mask(image.new(mode, (2, 1)))) == "##\n", mode
    for mode in ("LAB", "La"):
        with pytest.raises(hitmask.InvalidValueError, match=f"of mode {mode}, .*LA.*ImageCms"):
            Mask(image.new(mode, (2, 1)))


def test_files_are_read_as_bakes_read_them(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    picture = image.new("RGBA", (5, 3))
    picture.putpixel((1, 1), (255, 0, 0, 255))
    picture.putpixel((3, 1), (0, 0, 0, 100))
    picture.save(tmp_path / "ship.png")
    assert str(Mask.open(tmp_path / "ship.png")) == ".....\n.#...\n.....\n"
    assert Mask.open(str(tmp_path / "ship.png"), alpha=90).count() == 2
    assert Mask.open(tmp_path / "ship.png", alpha=90, exclude_color=["#ff0000"]).bounds() == (3, 1, 4, 2)
    frames = [image.new("P", (4, 4), color) for color in (0, 1)]
    for frame in frames:
        frame.putpalette([0, 0, 0, 255, 0, 0])
    frames[0].save(tmp_path / "two.gif", save_all=True, append_images=frames[1:], transparency=0, duration=9)
    assert [Mask.open(tmp_path / "two.gif", frame).count() for frame in (0, 1)] == [0, 16]
    for path, error, text in [
        ("none.png", FileNotFoundError, "none.png"),
        ("", hitmask.InvalidValueError, "is no file"),
        ("broken.png", hitmask.BakeError, "damaged|not a PNG"),
    ]:
        (tmp_path / "broken.png").write_bytes((tmp_path / "ship.png").read_bytes()[:40])
        with pytest.raises(error, match=text):
            Mask.open(tmp_path / path)
    with pytest.raises(hitmask.InvalidValueError, match="frame 2 is none of 2; use 0 to 1"):
        Mask.open(tmp_path / "two.gif", 2)


def test_paths_are_no_pixels() -> None:
    for path in ("ship.png", "art/ship", "C:\\art\\ship.png"):
        with pytest.raises(hitmask.InvalidValueError, match="write Mask.open") as caught:
            Mask(path)
        assert repr(path)[1:-1] in str(caught.value)
    with pytest.raises(TypeError, match="write Mask.open"):
        Mask(Path("ship.png"))  # type: ignore[arg-type]
    with pytest.raises(hitmask.InvalidValueError, match="unexpected 'x' at line 2"):
        Mask("##\nx#")
    with pytest.raises(hitmask.InvalidValueError, match="Mask.open"):
        Mask(b"\x89PNG")


@pytest.mark.parametrize("kind", ["alpha", "rgba", "from_alpha", "frame", "picture"])
def test_zeros_and_ones_of_bytes_are_told(kind: str) -> None:
    pixels = np.array([[0, 1], [1, 0]], np.uint8)
    rgba = np.dstack([pixels * 90] * 3 + [pixels])

    def made(pixels: Any, rgba: Any, **rule: Any) -> Any:
        if kind == "from_alpha":
            return Mask.from_alpha(2, 2, pixels, **rule)
        if kind == "frame":
            return hitmask.Bake(angles=1, **rule).add_frames("a", pixels)
        if kind == "picture":
            return Mask(pytest.importorskip("PIL.Image").fromarray(pixels), **rule)
        return Mask(rgba if kind == "rgba" else pixels, **rule)

    with pytest.warns(UserWarning, match="bool") as caught:
        made(pixels, rgba)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for alpha, rule in [(1, "at_least"), (0, "above"), (1, "bits")]:
            made(pixels, rgba, alpha=alpha, alpha_test=rule)
        made(pixels * 2, np.dstack([pixels] * 3 + [pixels * 2]))
        made(pixels * 0, rgba * 0)


def test_rectangles_are_corners() -> None:
    mask = Mask.empty(20, 20)
    grid = hitmask.ShapeGrid(mask, 8)
    for call in (mask.fill, mask.clear, mask.cropped, lambda rect: grid.update(mask, rect)):
        for rect in [(10, 12, 5, 30), (10, 12, 30, 5), [10, 12, 9, 9]]:
            with pytest.raises(hitmask.InvalidValueError, match=r"ends before it begins; pass its corners \(x0, y0, x1, y1\)"):
                call(rect)
        for rect in ([1, 2, 3, 4], np.array([1, 2, 3, 4]), (5, 5, 5, 5)):
            call(rect)
        for rect in ((1, 2, 3), "abcd", None and 0, 7, (1.5, 2, 3, 4)):
            if rect is not None:
                with pytest.raises(TypeError):
                    call(rect)
    with pytest.raises(ValueError, match=r"are \(10, 12, 15, 42\)"):
        mask.cropped((10, 12, 5, 30))


def test_thin_pieces_are_counted() -> None:
    shape = Mask("########").shape(1, scale=0.01)
    pieces = shape.pieces()
    assert pieces == [] and shape.left_out == (0, 0)
    assert pieces.left_out == 1 and pieces.left_out_area == pytest.approx(8e-4)
    whole = Mask("########").shape(1)
    assert len(whole.pieces()) == 1 and whole.pieces().left_out == 0 and whole.pieces()[0].shape == (4, 2)
    cell = hitmask.ShapeGrid(Mask("########"), 8, scale=0.01).cell(0)
    assert cell.pieces == [] and cell.pieces.left_out == 1 and "ShapeCell 0" in repr(cell)


@pytest.mark.parametrize("kind", ["shape", "grid", "update", "world"])
def test_shapes_release_the_lock_of_the_interpreter(kind: str, random: np.random.Generator) -> None:
    noise = Mask(random.random((300, 300)) < 0.5)
    world = hitmask.World(hitmask.Bake(angles=1).add_frames("a", "#").atlas())
    grid, id = hitmask.ShapeGrid(Mask.empty(300, 300), 64), world.insert_mask(noise)
    call = {
        "shape": lambda: noise.shape(1.0).pieces(),
        "grid": lambda: hitmask.ShapeGrid(noise, 64),
        "update": lambda: grid.update(noise, (0, 0, 300, 300)),
        "world": lambda: world.shape_grid(id, 64),
    }[kind]
    call()
    # The interpreter does not take the lock away by itself here. A counter that runs shows that the call gave it.
    count, stops = [0], threading.Event()

    def counts() -> None:
        while not stops.is_set():
            count[0] += 1
            time.sleep(0)  # Gives the lock back.

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    thread = threading.Thread(target=counts)
    try:
        thread.start()
        for _ in range(50):
            before = count[0]
            call()
            if count[0] > before:
                break
        assert count[0] > before
    finally:
        stops.set()
        sys.setswitchinterval(switch)
        thread.join()


def test_colours_decide_before_alpha() -> None:
    rgba = np.zeros((1, 3, 4), np.uint8)
    rgba[0] = [[255, 0, 255, 255], [9, 9, 9, 255], [9, 9, 9, 0]]
    assert str(Mask(rgba, exclude_color=["#ff00ff"])) == ".#.\n"
    assert str(Mask(rgba, exclude_color=[(255, 0, 255)])) == ".#.\n"
    assert str(Mask(rgba, only_color=[(255, 0, 255, 255)])) == "#..\n"
    assert str(Mask(rgba, channel="red")) == "#..\n"
    with pytest.raises(hitmask.InvalidValueError, match="channel"):
        Mask(rgba, channel="cyan")  # type: ignore[arg-type]
    with pytest.raises(hitmask.InvalidValueError):
        Mask(rgba, exclude_color=["#nothing"])
    with pytest.raises(OverflowError):
        Mask(rgba, alpha=300)


def test_a_mask_goes_to_numpy_and_back(two: tuple[np.ndarray, np.ndarray]) -> None:
    mask = Mask(two[0])
    assert mask.to_numpy().dtype == bool
    assert np.array_equal(np.asarray(mask), two[0])
    assert np.array_equal(np.asarray(mask, dtype=np.int32), two[0].astype(np.int32))
    assert np.array_equal(mask.to_alpha(), np.where(two[0], 255, 0))
    assert mask.to_bits() == np.packbits(two[0], axis=1).tobytes()
    assert Mask.from_bits(70, 33, mask.to_bits()) == mask
    assert Mask.from_bits(70, 33, np.packbits(two[0], axis=1)) == mask
    assert Mask.from_alpha(70, 33, mask.to_alpha()) == mask
    assert Mask.from_alpha(70, 33, bytearray(mask.to_alpha().tobytes())) == mask
    rgba = np.dstack([mask.to_alpha()] * 4)
    assert Mask.from_rgba(70, 33, rgba.tobytes()) == mask
    with pytest.raises(hitmask.InvalidValueError):
        Mask.from_alpha(70, 33, b"short")
    with pytest.raises(TypeError, match="data"):
        Mask.from_alpha(70, 33, 7)  # type: ignore[arg-type]


def test_copies_are_independent_and_pickles_equal(two: tuple[np.ndarray, np.ndarray]) -> None:
    mask = Mask(two[0])
    for other in (copy.copy(mask), copy.deepcopy(mask), mask.copy(), Mask(mask), pickle.loads(pickle.dumps(mask))):
        assert other == mask and other is not mask
        other.invert()
        assert other != mask
    assert mask != "text" and not mask == None  # noqa: E711
    with pytest.raises(TypeError):
        hash(mask)


@pytest.mark.parametrize("at", OFFSETS)
def test_two_masks_agree_with_numpy(two: tuple[np.ndarray, np.ndarray], at: tuple[int, int]) -> None:
    a, b = two
    moved = shifted(b, at, a.shape)
    shared = a & moved
    left, right = Mask(a), Mask(b)
    assert left.overlap_area(right, at) == shared.sum()
    assert left.touches(right, at) == shared.any()
    assert np.array_equal(left.overlap_mask(right, at).to_numpy(), shared)
    rows, columns = np.nonzero(shared)
    assert np.array_equal(left.overlap_pixels(right, at), np.stack([columns, rows], axis=1))
    contact = left.contact(right, at)
    if not shared.any():
        assert contact is None and left.overlap_rect(right, at) is None
        assert left.first_overlap(right, at) is None and left.overlap(right, at) is None
    else:
        assert contact is not None
        box = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        assert contact.rect == box == left.overlap_rect(right, at)
        assert contact.area == shared.sum()
        assert contact.point == (columns[0], rows[0]) == left.first_overlap(right, at)
        overlap = left.overlap(right, at)
        assert overlap is not None and overlap.area == contact.area
        dx, dy = overlap.push_out
        assert not left.touches(right, (at[0] - dx, at[1] - dy))
    for name, expected in {
        "draw": a | moved, "erase": a & ~moved, "intersect": shared, "toggle": a ^ moved
    }.items():
        edited = Mask(a)
        getattr(edited, name)(right, at)
        assert np.array_equal(edited.to_numpy(), expected), name


def test_operators_need_one_size(random: np.random.Generator) -> None:
    a, b = random.random((9, 66)) < 0.5, random.random((9, 66)) < 0.5
    left, right = Mask(a), Mask(b)
    for mask, expected in [
        (left & right, a & b), (left | right, a | b), (left ^ right, a ^ b), (left - right, a & ~b), (~left, ~a)
    ]:
        assert np.array_equal(mask.to_numpy(), expected)
    left |= right
    assert np.array_equal(left.to_numpy(), a | b)
    with pytest.raises(hitmask.InvalidValueError, match="sizes"):
        left & Mask.solid(2, 2)
    with pytest.raises(TypeError):
        left & 3  # type: ignore[operator]
    assert Mask.solid(1, 1) and not Mask.empty(4, 4)


def test_a_mask_may_be_drawn_onto_itself() -> None:
    mask = Mask("#..\n...")
    mask.draw(mask, (1, 1))
    assert str(mask) == "#..\n.#.\n"
    assert mask.touches(mask) and mask.overlap_area(mask, (1, 1)) == 1


def test_edits() -> None:
    mask = Mask.empty(5, 4)
    mask.set(1, 1)
    for x, y in ((9, 9), (5, 0), (0, 4), (-1, 0)):
        with pytest.raises(hitmask.OutsideError) as caught:
            mask.set(x, y)
        assert isinstance(caught.value, IndexError)
    mask.fill((2, 0, 4, 2))
    mask.clear((3, 0, 4, 1))
    assert str(mask) == "..#..\n.###.\n.....\n.....\n"
    mask.fill()
    mask.clear((1, 1, 3, 3))
    mask.fill_holes()
    assert mask.count() == 20
    mask.clear()
    assert not mask


def test_shapes_and_moments() -> None:
    mask = Mask("##...\n##..#\n....#")
    assert mask.bounds() == (0, 0, 5, 3) and Mask.empty(3, 3).bounds() is None
    assert [part.rect for part in mask.components()] == [(0, 0, 2, 2), (4, 1, 5, 3)]
    assert [part.area for part in mask.components(4)] == [4, 2]
    assert mask.component_at(4, 2).rect == (4, 1, 5, 3)  # type: ignore[union-attr]
    assert mask.component_at(3, 0) is None
    assert mask.largest_component().mask == Mask.solid(2, 2)  # type: ignore[union-attr]
    with pytest.raises(hitmask.InvalidValueError, match="connectivity"):
        mask.components(6)
    assert mask.outline().shape[1] == 2 and mask.outline().dtype == np.int32
    polygons = mask.polygons()
    assert [polygon.area for polygon in polygons] == [4, 2] and not polygons[0].is_hole
    assert len(polygons[0]) == len(polygons[0].points) == 4
    hull = mask.convex_hull()
    assert hull is not None and hull.area >= 6
    assert mask.rects().shape[1] == 4
    assert sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in mask.rects()) == 6
    assert Mask.solid(4, 2).centroid() == (2.0, 1.0) and Mask.empty(1, 1).centroid() is None
    assert Mask.solid(9, 1).angle() == pytest.approx(0.0)


def test_copies_of_other_shapes() -> None:
    mask = Mask("#..\n##.")
    assert str(mask.flip_x()) == "..#\n.##\n" and str(mask.flip_y()) == "##.\n#..\n"
    assert str(mask.quarter_turned()) == "##\n#.\n..\n"
    assert str(mask.cropped((1, 1, 3, 3))) == "#.\n..\n"
    assert mask.trimmed() == (Mask("#.\n##"), (0, 0))
    assert mask.scaled(6, 4).count() == 12
    assert Mask("#").grown(1).count() == 5 and Mask("#").grown(1, "square").count() == 9
    assert Mask.solid(3, 3).shrunk(1).count() == 1
    turned, corner = Mask.solid(4, 2).turned(np.pi / 2)
    assert turned.size == (2, 4) and corner == (-1, -2)
    drawn, _ = Mask.solid(4, 2).transformed((2, 0, 0, 1, 0, 0))
    assert drawn.size == (8, 2)
    with pytest.raises(hitmask.InvalidValueError, match="pivot"):
        mask.turned(0.1, pivot=(0.25, 0.0))
    assert Mask.disc(3).size == (7, 7)
    assert Mask.from_circle((2.5, 2.5), 2.0)[0].count() > 8
    assert Mask.from_ellipse((2.5, 2.5), (2.0, 1.0))[0].count() > 4
    assert Mask.from_polygons([[(0, 0), (4, 0), (4, 3), (0, 3)]]) == (Mask.solid(4, 3), (0, 0))
    assert Mask.union([(Mask("#"), (0, 0)), (Mask("#"), (2, 0))]) == (Mask("#.#"), (0, 0))
    shape = Mask.disc(20).shape(1.0, scale=0.5, y_up=True, origin=(20.5, 20.5))
    border, holes = shape.polygons()[0]
    assert border.dtype == np.float32 and border.shape[1] == 2 and holes == []
    assert all(len(piece) <= 8 for piece in shape.pieces())
    assert shape.mass().area == pytest.approx(Mask.disc(20).count() / 4, rel=0.05)
    with pytest.raises(hitmask.InvalidValueError, match="max_error"):
        Mask.disc(3).shape(0.0)


def test_motion_and_distance() -> None:
    wall, dot = Mask.solid(2, 6), Mask("#")
    impact = dot.cast(wall, (10, -2), (20, 0))
    assert impact is not None and (impact.step, impact.free_offset, impact.side) == (10, (9, 0), "right")
    assert 0 < impact.time < 1
    assert dot.distance(wall, (10, 0)) == 10 and dot.distance(Mask.empty(1, 1)) is None
    assert dot.nearest(wall, (10, 0)) == (10, 0)
    assert wall.push_out(dot, (0, 3)) == (1, 0)
    assert wall.push_along(dot, (0, 3), (0, -1)) is not None
    assert dot.graze(wall, (3, 0), 4) == "graze" and dot.graze(wall, (30, 0), 4) == "clear"
    assert wall.coarse(wall, (90, 0)) is False
    hit = wall.first_line_hit((-5, 2), (9, 2))
    assert hit is not None and hit.point == (0, 2)
    assert wall.line_hits((-5, 2), (9, 2)).tolist() == [[0, 2], [1, 2]]
    assert wall.touches_circle((4, 3), 3) and not wall.touches_circle((40, 3), 3)
    assert Mask("#..#").convolve(Mask("##")) == Mask("##.##")


@pytest.mark.parametrize("at", [(0.5, 0), "ab", (1,), (1, 2, 3), None, 4, (2**40, 0), (np.nan, 0)])
def test_offsets_are_pairs_of_whole_numbers(at: object) -> None:
    with pytest.raises((TypeError, OverflowError)):
        Mask("#").touches(Mask("#"), at)  # type: ignore[arg-type]


def test_offsets_may_be_sequences_of_any_kind() -> None:
    dot = Mask("#")
    for at in ((0, 0), [0, 0], np.array([0, 0]), np.zeros(2, np.int8)):
        assert dot.touches(dot, at)  # type: ignore[arg-type]


def test_sizes_have_a_limit() -> None:
    assert Mask.empty(0, 5).size == (0, 5)
    for call in (lambda: Mask.empty(40_000, 1), lambda: Mask.disc(20_000), lambda: Mask(np.zeros((1, 40_000), bool))):
        with pytest.raises(hitmask.InvalidValueError):
            call()
    with pytest.raises(OverflowError):
        Mask.empty(-1, 1)
