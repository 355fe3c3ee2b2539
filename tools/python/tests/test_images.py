"""Images of other packages become masks, with the same pixels, and without an import of what is not there."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import hitmask

# An image that no flip and no turn maps to itself, with little alpha in one pixel.
RGBA = np.zeros((5, 9, 4), np.uint8)
RGBA[1:4, 2:9] = [200, 90, 10, 255]
RGBA[0, 0] = [1, 2, 3, 128]
RGBA[4, 8] = [1, 2, 3, 127]
TRUTH = RGBA[:, :, 3] >= 128


def same(image: Any) -> None:
    assert np.array_equal(hitmask.Mask(image).to_numpy(), TRUTH)
    baked = hitmask.Bake(angles=1).add_frames("a", image).atlas()["a"].source()
    assert baked is None or np.array_equal(baked[0].to_numpy(), hitmask.Mask(TRUTH).trimmed()[0].to_numpy())
    posed = hitmask.Bake(angles=1).add_frames("a", [image, image]).atlas()["a"].posed(1)[0]
    assert posed == hitmask.Mask(TRUTH).trimmed()[0]


def test_textures_of_arcade() -> None:
    arcade = pytest.importorskip("arcade")
    image = pytest.importorskip("PIL.Image").fromarray(RGBA)
    same(arcade.Texture(image))
    same(arcade.Sprite(arcade.Texture(image)).texture)


def test_images_of_pyglet() -> None:
    pyglet = pytest.importorskip("pyglet")
    pyglet.options["headless"] = True
    upward = RGBA[::-1].tobytes()
    same(pyglet.image.ImageData(9, 5, "RGBA", upward))
    same(pyglet.image.ImageData(9, 5, "RGBA", RGBA.tobytes(), -36))
    same(pyglet.image.ImageData(9, 5, "BGRA", RGBA[::-1, :, [2, 1, 0, 3]].tobytes()))
    wide = np.pad(RGBA[::-1], ((0, 0), (3, 4), (0, 0)))
    same(pyglet.image.ImageData(16, 5, "RGBA", wide.tobytes()).get_region(3, 0, 9, 5))


def test_images_of_raylib() -> None:
    raylib = pytest.importorskip("raylib")
    ffi = raylib.ffi
    memory = ffi.from_buffer(RGBA)
    image = ffi.new("Image *", [memory, 9, 5, 1, raylib.PIXELFORMAT_UNCOMPRESSED_R8G8B8A8])
    same(image)
    same(image[0])
    other = ffi.new("Image *", raylib.ImageCopy(image[0]))
    raylib.ImageFormat(other, raylib.PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA)
    same(other[0])
    assert other.format == raylib.PIXELFORMAT_UNCOMPRESSED_GRAY_ALPHA
    raylib.UnloadImage(other[0])
    with pytest.raises(hitmask.InvalidValueError, match="without pixels; check that its file was found"):
        hitmask.Mask(ffi.new("Image *"))
    with pytest.raises(TypeError, match=r"pass load_image_from_texture\(it\)"):
        hitmask.Mask(ffi.new("Texture *")[0])
    with pytest.raises(TypeError, match="struct Color of C; pass an Image"):
        hitmask.Mask(ffi.new("Color *"))


def test_pictures_of_pillow() -> None:
    image = pytest.importorskip("PIL.Image").fromarray(RGBA)
    same(image)
    same(image.getchannel("A"))


def test_surfaces_and_masks_of_pygame() -> None:
    pygame = pytest.importorskip("pygame")
    surface = pygame.image.frombuffer(RGBA.tobytes(), (9, 5), "RGBA")
    same(surface)
    sheet = pygame.Surface((40, 30), pygame.SRCALPHA)
    sheet.blit(surface, (31, 25))
    same(sheet.subsurface((31, 25, 9, 5)))
    same(pygame.mask.from_surface(surface))
    locked = surface.copy()
    locked.lock()
    same(locked)
    assert locked.get_locked() and locked.get_locks() == (locked,)


def test_a_surface_of_a_closed_window_is_refused() -> None:
    pygame = pytest.importorskip("pygame")
    from hitmask.pygame import mask as ours

    pygame.display.init()
    screen = pygame.display.set_mode((30, 20))
    assert hitmask.Mask(screen).count() == 600 and ours.from_surface(screen).count() == 600
    solid = ours.Mask((5, 5), True)
    pygame.display.quit()
    calls = [lambda: hitmask.Mask(screen), lambda: ours.from_surface(screen), lambda: solid.to_surface(screen)]
    for call in [*calls, lambda: ours.from_threshold(screen, "white")]:
        with pytest.raises(pygame.error, match="quit|not initialized"):
            call()


def test_bits_as_bytes_are_warned_of() -> None:
    bits = TRUTH.astype(np.uint8)
    rgba = np.stack([bits] * 4, axis=2)
    calls = [
        lambda: hitmask.Mask(bits),
        lambda: hitmask.Mask(rgba),
        lambda: hitmask.Mask.from_alpha(9, 5, bits.tobytes()),
        lambda: hitmask.Mask.from_rgba(9, 5, rgba.tobytes()),
        lambda: hitmask.Bake(angles=1).add_frames("a", bits),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="array of bool"):
            call()
    assert hitmask.Mask.from_rgba(9, 5, rgba.tobytes(), alpha=1).to_numpy().tolist() == TRUTH.tolist()
    assert not hitmask.Mask.from_rgba(9, 5, RGBA.tobytes(), channel="red", alpha=201).to_numpy().any()


def test_nothing_is_imported_for_an_image() -> None:
    program = (
        "import sys, numpy, hitmask; hitmask.Mask(numpy.ones((2, 2), bool)); hitmask.Mask('##')\n"
        "try: hitmask.Mask(object())\nexcept TypeError as error: assert 'arcade' in str(error), error\n"
        "names = {'pygame', 'PIL', 'arcade', 'pyglet', 'raylib', 'pyray'} & set(sys.modules); assert not names, names"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
